/* explain_latex.c - equations as a LaTeX document that needs amsmath only. */
#include "analyses/explain/explain_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters that fit on a line; wider matrices are cut into blocks. */
enum { MOST_CHARACTERS = 84, COLUMN_GAP = 2 };

/* ---- notation ---- */

static const char *escaped(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '^':
        return "\\textasciicircum{}";
    case '~':
        return "\\textasciitilde{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "\\textquotedbl{}";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '#':
        return "\\#";
    case '$':
        return "\\$";
    case '%':
        return "\\%";
    case '&':
        return "\\&";
    case '_':
        return "\\_";
    default:
        return NULL;
    }
}

/* 1e-05 as a power of ten. */
static void number(struct text *w, const char *digits)
{
    const char *exponent = strchr(digits, 'e');
    if (!exponent) {
        text_add(w, digits);
        return;
    }
    text_format(w, "%.*s\\cdot 10^{%ld}", (int)(exponent - digits), digits, strtol(exponent + 1, NULL, 10));
}

static const struct notation notation = {
    .format = EXPLAIN_LATEX, .sets_indices = true, .number = number, .escaped = escaped};

/* ---- the document ---- */

static const struct enclosure pieces[] = {
    [EXPLAIN_HEAD] = {"\\documentclass[a4paper]{article}\n"
                      "\\usepackage[T1]{fontenc}\n"
                      "\\usepackage[margin=2cm]{geometry}\n"
                      "\\usepackage{amsmath}\n"
                      "\\setcounter{MaxMatrixCols}{40}\n"
                      "\\setlength{\\parindent}{0pt}\n"
                      "\\setlength{\\parskip}{4pt}\n"
                      "\\relpenalty=0 \\binoppenalty=0 \\emergencystretch=3em \\raggedright\n"
                      "\\begin{document}\n",
                      NULL, 0},
    [EXPLAIN_TITLE] = {"\\section*{", "}\n", 0},
    [EXPLAIN_HEADING] = {"\n\\subsection*{", "}\n", 0},
    [EXPLAIN_PARAGRAPH] = {"\n", "\n", 0},
};

static const char general_form[] =
    "\\begin{align*}\n"
    "A_C \\tfrac{d}{dt} q(A_C^T v) + A_R\\, g(A_R^T v) + A_L i_L + A_V i_V + A_I i_I &= 0 && "
    "\\text{balances of currents}\\\\\n"
    "A_L^T v - \\tfrac{d}{dt}\\phi(i_L) &= 0 && \\text{inductors}\\\\\n"
    "A_V^T v - v_V &= 0 && \\text{voltage sources}\n"
    "\\end{align*}\n";

static void lines(FILE *to, const struct explain_line *list, size_t count)
{
    fputs("\n{\\par\\leftskip=2em\n", to);
    for (size_t i = 0; i < count; i++) {
        if (list[i].label)
            notation_enclose(&notation, to, "\\textbf{", list[i].label, "}\\enspace ");
        fprintf(to, "$%s = ", list[i].left);
        for (size_t k = 0; k < list[i].term_count; k++)
            fputs(list[i].terms[k], to);
        fputs(list[i].term_count == 0 ? "0$" : "$", to);
        notation_enclose(&notation, to, list[i].note ? "\\quad " : "", list[i].note ? list[i].note : "", "\\par\n");
    }
    fputs("}\n", to);
}

static void write_block(FILE *to, const struct explain_matrix *m, size_t first, size_t end)
{
    fprintf(to, "\\[\n%s%s\\begin{array}{r|", first == 0 ? m->name : "", first == 0 ? " = " : "");
    for (size_t j = first; j < end; j++)
        fputc('r', to);
    fputs("}\n", to);
    for (size_t j = first; j < end && m->column_labels; j++)
        fprintf(to, " & %s", m->column_labels[j]);
    if (m->column_labels)
        fputs("\\\\\\hline\n", to);
    for (size_t i = 0; i < m->rows; i++) {
        fputs(m->row_labels ? m->row_labels[i] : "", to);
        for (size_t j = first; j < end; j++) {
            const char *cell = m->cells[i * m->columns + j];
            fprintf(to, " & %s", *cell ? cell : "\\cdot");
        }
        fputs("\\\\\n", to);
    }
    fputs("\\end{array}\n\\]\n", to);
}

/* Characters that a formula shows, about. */
static size_t visible_length(const char *formula)
{
    size_t length = 0;
    while (*formula) {
        if (*formula == '\\') {
            formula++;
            formula += strspn(formula, "abcdefghijklmnopqrstuvwxyz");
            continue;
        }
        length += strchr("{}_^ ", *formula) == NULL;
        formula++;
    }
    return length;
}

static size_t column_width(const struct explain_matrix *m, size_t column)
{
    size_t width = m->column_labels ? visible_length(m->column_labels[column]) : 1;
    for (size_t i = 0; i < m->rows; i++) {
        const size_t length = visible_length(m->cells[i * m->columns + column]);
        width = length > width ? length : width;
    }
    return width + COLUMN_GAP;
}

static size_t labels_width(const struct explain_matrix *m)
{
    size_t width = 0;
    for (size_t i = 0; i < m->rows && m->row_labels; i++) {
        const size_t length = visible_length(m->row_labels[i]);
        width = length > width ? length : width;
    }
    return width + visible_length(m->name) + COLUMN_GAP;
}

static void matrix(FILE *to, const struct explain_matrix *m)
{
    for (size_t first = 0, end = 0; first < m->columns; first = end) {
        size_t used = labels_width(m);
        while (end < m->columns && (end == first || used + column_width(m, end) <= MOST_CHARACTERS))
            used += column_width(m, end++);
        write_block(to, m, first, end);
    }
}

static void pairs(FILE *to, const struct explain_pair *list, size_t count)
{
    fputs("\n{\\par\\leftskip=2em\n", to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "\\makebox[7em][l]{$%s$}", list[i].name);
        notation_enclose(&notation, to, "", list[i].text, "\\par\n");
    }
    fputs("}\n", to);
}

const struct explain_writer explain_latex_writer = {
    &notation, pieces, 0, general_form, lines, matrix, pairs, "\n\\end{document}\n", NULL};
