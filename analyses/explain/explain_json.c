/* explain_json.c - equations as JSON: a list of the parts of the document, formulas as in the text. */
#include "analyses/explain/explain_parts.h"

#include "base/json.h"

static const struct notation notation = {.format = EXPLAIN_TEXT, .sets_indices = false, .number = text_add};

/* The head is the first part of the list. */
static void piece(FILE *to, enum explain_piece piece, const char *text)
{
    static const char *const kinds[] = {[EXPLAIN_HEAD] = "document",
                                        [EXPLAIN_TITLE] = "title",
                                        [EXPLAIN_HEADING] = "heading",
                                        [EXPLAIN_PARAGRAPH] = "paragraph"};
    fprintf(to, "%s  {\"kind\": \"%s\", \"text\": ", piece == EXPLAIN_HEAD ? "[\n" : ",\n", kinds[piece]);
    json_write_string(to, text, false);
    fputc('}', to);
}

static const char general_form[] = ",\n  {\"kind\": \"general form\", \"lines\": ["
                                   "\"A_C d/dt q(A_C^T v) + A_R g(A_R^T v) + A_L i_L + A_V i_V + A_I i_I = 0\", "
                                   "\"A_L^T v - d/dt phi(i_L) = 0\", \"A_V^T v - v_V = 0\"]}";

/* A part of the list begins: its object is open. */
static struct json part(FILE *to, const char *kind)
{
    struct json j = json_begin(to);
    fputs(",\n  ", to);
    j.depth = JSON_DEPTH / 2; /* within the list, on one line */
    json_open(&j, NULL, '{');
    json_text(&j, "kind", kind);
    return j;
}

static void list(struct json *j, const char *key, const char *const *texts, size_t count)
{
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        json_text(j, NULL, texts[i]);
    json_close(j);
}

static void lines(FILE *to, const struct explain_line *lines, size_t count)
{
    struct json j = part(to, "equations");
    json_open(&j, "lines", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(&j, NULL, '{');
        json_text(&j, "label", lines[i].label);
        json_text(&j, "left", lines[i].left);
        list(&j, "terms", lines[i].terms, lines[i].term_count);
        json_text(&j, "note", lines[i].note);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
}

static void matrix(FILE *to, const struct explain_matrix *m)
{
    struct json j = part(to, "matrix");
    json_text(&j, "name", m->name);
    list(&j, "rows", m->row_labels, m->row_labels ? m->rows : 0);
    list(&j, "columns", m->column_labels, m->column_labels ? m->columns : 0);
    json_open(&j, "cells", '[');
    for (size_t i = 0; i < m->rows; i++)
        list(&j, NULL, m->cells + i * m->columns, m->columns);
    json_close(&j);
    json_close(&j);
}

static void pairs(FILE *to, const struct explain_pair *pairs, size_t count)
{
    struct json j = part(to, "symbols");
    json_open(&j, "pairs", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(&j, NULL, '{');
        json_text(&j, "name", pairs[i].name);
        json_text(&j, "text", pairs[i].text);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
}

const struct explain_writer explain_json_writer = {&notation, NULL,  0,       general_form, lines,
                                                   matrix,    pairs, "\n]\n", piece};
