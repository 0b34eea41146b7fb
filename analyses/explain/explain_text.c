/* explain_text.c - equations as plain text of at most 100 columns. */
#include "analyses/explain/explain_parts.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 2 };

/* ---- notation ---- */

static const struct notation notation = {.format = EXPLAIN_TEXT, .sets_indices = false, .number = text_add};

/* ---- text ---- */

static const struct enclosure pieces[] = {
    [EXPLAIN_HEAD] = {"", NULL, 0},
    [EXPLAIN_TITLE] = {"", "\n", '='},
    [EXPLAIN_HEADING] = {"\n", "\n", '-'},
    [EXPLAIN_PARAGRAPH] = {"\n", "\n", 0},
};

static const char general_form[] =
    "\n  A_C d/dt q(A_C^T v) + A_R g(A_R^T v) + A_L i_L + A_V i_V + A_I i_I = 0    balances of currents\n"
    "  A_L^T v - d/dt phi(i_L) = 0                                             inductors\n"
    "  A_V^T v - v_V = 0                                                       voltage sources\n";

/* ---- lines ---- */

static size_t labels_width(const struct explain_line *lines, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = lines[i].label ? strlen(lines[i].label) : 0;
        width = length > width ? length : width;
    }
    return width < 24 ? width : 24;
}

static void write_line(FILE *to, const struct explain_line *line, size_t width)
{
    const char *label = line->label ? line->label : "";
    if (strlen(label) > width)
        fprintf(to, "%*s%s\n", INDENT, "", label);
    int column = fprintf(to, "%*s%-*s  ", INDENT, "", (int)width, strlen(label) > width ? "" : label);
    const int start = column + (int)strlen(line->left) + 1;
    column += fprintf(to, "%s = ", line->left);
    if (line->term_count == 0)
        column += fprintf(to, "0");
    for (size_t i = 0; i < line->term_count; i++) {
        const char *term = line->terms[i];
        if (i > 0 && column + (int)strlen(term) > WIDTH) {
            fprintf(to, "\n%*s", start, "");
            column = start;
            term += *term == ' ';
        }
        column += fprintf(to, "%s", term);
    }
    if (line->note)
        fprintf(to, "    %s", line->note);
    fputc('\n', to);
}

static void lines(FILE *to, const struct explain_line *list, size_t count)
{
    const size_t width = labels_width(list, count);
    fputc('\n', to);
    for (size_t i = 0; i < count; i++)
        write_line(to, &list[i], width);
}

/* ---- matrices ---- */

static size_t column_width(const struct explain_matrix *m, size_t column)
{
    size_t width = m->column_labels ? strlen(m->column_labels[column]) : 1;
    for (size_t i = 0; i < m->rows; i++) {
        const size_t length = strlen(m->cells[i * m->columns + column]);
        width = length > width ? length : width;
    }
    return width + 2;
}

static size_t label_width(const struct explain_matrix *m)
{
    size_t width = strlen(m->name) + 2;
    for (size_t i = 0; i < m->rows && m->row_labels; i++)
        width = strlen(m->row_labels[i]) > width ? strlen(m->row_labels[i]) : width;
    return width;
}

/* Columns first .. end - 1. */
static void write_block(FILE *to, const struct explain_matrix *m, size_t first, size_t end)
{
    const int labels = (int)label_width(m);
    fprintf(to, "\n%*s%-*s", INDENT, "", m->column_labels ? labels : 0, first == 0 ? m->name : "");
    for (size_t j = first; j < end && m->column_labels; j++)
        fprintf(to, "%*s", (int)column_width(m, j), m->column_labels[j]);
    fputc('\n', to);
    for (size_t i = 0; i < m->rows; i++) {
        fprintf(to, "%*s%-*s", INDENT, "", labels, m->row_labels ? m->row_labels[i] : "");
        for (size_t j = first; j < end; j++) {
            const char *cell = m->cells[i * m->columns + j];
            fprintf(to, "%*s", (int)column_width(m, j), *cell ? cell : ".");
        }
        fputc('\n', to);
    }
}

static void matrix(FILE *to, const struct explain_matrix *m)
{
    size_t first = 0;
    while (first < m->columns) {
        size_t end = first, used = INDENT + label_width(m);
        while (end < m->columns && (end == first || used + column_width(m, end) <= WIDTH))
            used += column_width(m, end++);
        write_block(to, m, first, end);
        first = end;
    }
}

static void pairs(FILE *to, const struct explain_pair *list, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        width = strlen(list[i].name) > width ? strlen(list[i].name) : width;
    width = width < 32 ? width : 32;
    fputc('\n', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%*s%-*s  %s\n", INDENT, "", (int)width, list[i].name, list[i].text);
}

const struct explain_writer explain_text_writer = {&notation, pieces, WIDTH, general_form, lines,
                                                   matrix,    pairs,  "",    NULL};
