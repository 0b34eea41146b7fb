/* explain_html.c - equations as one HTML page: formulas in MathML, nothing loaded from elsewhere. */
#include "analyses/explain/explain_parts.h"

#include "base/html.h"

#include <ctype.h>
#include <string.h>

/* ---- notation ---- */

/* 1e-05 as a power of ten. */
static void number(struct text *w, const char *digits)
{
    const char *exponent = strchr(digits, 'e');
    if (!exponent) {
        text_format(w, "<mn>%s</mn>", digits);
        return;
    }
    const bool negative = exponent[1] == '-';
    const char *power = exponent + 1 + strspn(exponent + 1, "+-0");
    text_format(w, "<mn>%.*s</mn><mo>&#8901;</mo><msup><mn>10</mn><mrow>%s<mn>%s</mn></mrow></msup>",
                (int)(exponent - digits), digits, negative ? "<mo>&#8722;</mo>" : "", power);
}

static const struct notation notation = {
    .format = EXPLAIN_HTML, .sets_indices = true, .number = number, .escaped = html_entity};

/* ---- the page ---- */

static const struct enclosure pieces[] = {
    [EXPLAIN_HEAD] =
        {
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>",
            "</title>\n<style>\n"
            "body { max-width: 62em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 Georgia, serif; color: #1a1a1a; "
            "background: #fff; }\n"
            "h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid #ccc; }\n"
            "dl.equations { display: grid; grid-template-columns: max-content 1fr; column-gap: 1.2em; row-gap: .5em; "
            "}\n"
            "dl.equations dt { font-weight: bold; } dl.equations dd { margin: 0; }\n"
            "math { font-size: 1.08em; math-style: normal; } .f { font-family: monospace; }\n"
            "div.wide { overflow-x: auto; margin: 1em 0; }\n"
            "table.matrix { border-collapse: collapse; }\n"
            "table.matrix td, table.matrix th { padding: .15em .6em; text-align: right; font-weight: normal; }\n"
            "table.matrix thead th { border-bottom: 1px solid #888; }\n"
            "table.matrix tbody th { border-right: 1px solid #888; }\n"
            "table.matrix td.zero { color: #bbb; }\n"
            "table.pairs td { padding: .1em 1.2em .1em 0; vertical-align: baseline; }\n"
            "@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } "
            "table.matrix td.zero { color: #555; } }\n"
            "</style>\n</head>\n<body>\n",
            0,
        },
    [EXPLAIN_TITLE] = {"<h1>", "</h1>\n", 0},
    [EXPLAIN_HEADING] = {"<h2>", "</h2>\n", 0},
    [EXPLAIN_PARAGRAPH] = {"<p>", "</p>\n", 0},
};

static void formula(FILE *to, const char *markup)
{
    fprintf(to, "<math>%s</math>", markup);
}

#define MATRIX(k)     "<msub><mi>A</mi><mi>" k "</mi></msub>"
#define TRANSPOSED(k) "<msubsup><mi>A</mi><mi>" k "</mi><mi>T</mi></msubsup>"
#define CURRENT(k)    "<msub><mi>i</mi><mi>" k "</mi></msub>"
#define OPEN          "<mo stretchy=\"false\">(</mo>"
#define CLOSE         "<mo stretchy=\"false\">)</mo>"
#define IS_ZERO       "<mo>=</mo><mn>0</mn>"

#define ROW(meaning, markup) "<dt>" meaning "</dt><dd><math>" markup "</math></dd>\n"

static const char general_form[] = "<dl class=\"equations\">\n" ROW(
    "balances of currents",
    MATRIX("C") MATHML_RATE "<mi>q</mi>" OPEN TRANSPOSED("C") "<mi>v</mi>" CLOSE "<mo>+</mo>" MATRIX(
        "R") "<mi>g</mi>" OPEN TRANSPOSED("R") "<mi>v</mi>" CLOSE "<mo>+</mo>" MATRIX("L")
        CURRENT("L") "<mo>+</mo>" MATRIX("V") CURRENT("V") "<mo>+</mo>" MATRIX("I") CURRENT("I") IS_ZERO)
    ROW("inductors",
        TRANSPOSED("L") "<mi>v</mi><mo>&#8722;</mo>" MATHML_RATE "<mi>&#966;</mi>" OPEN CURRENT("L") CLOSE IS_ZERO)
        ROW("voltage sources",
            TRANSPOSED("V") "<mi>v</mi><mo>&#8722;</mo><msub><mi>v</mi><mi>V</mi></msub>" IS_ZERO) "</dl>\n";

/* Every term is a formula of its own, so that long equations may be broken between them. */
static void lines(FILE *to, const struct explain_line *list, size_t count)
{
    fputs("<dl class=\"equations\">\n", to);
    for (size_t i = 0; i < count; i++) {
        notation_enclose(&notation, to, "<dt>", list[i].label ? list[i].label : "", "</dt>");
        fprintf(to, "<dd><math>%s<mo>=</mo></math>", list[i].left);
        if (list[i].term_count == 0)
            formula(to, "<mn>0</mn>");
        for (size_t k = 0; k < list[i].term_count; k++) {
            formula(to, list[i].terms[k]);
            fputs("<wbr/>\n", to);
        }
        if (list[i].note)
            notation_enclose(&notation, to, " &#8195; ", list[i].note, "");
        fputs("</dd>\n", to);
    }
    fputs("</dl>\n", to);
}

static void cell(FILE *to, const char *markup)
{
    fputs(*markup ? "<td>" : "<td class=\"zero\">", to);
    if (*markup)
        formula(to, markup);
    else
        fputs("&#183;", to);
    fputs("</td>", to);
}

static void label(FILE *to, const char *markup)
{
    fputs("<th>", to);
    if (*markup)
        formula(to, markup);
    fputs("</th>", to);
}

static void matrix(FILE *to, const struct explain_matrix *m)
{
    fputs("<div class=\"wide\"><table class=\"matrix\">\n<thead><tr>", to);
    label(to, m->name);
    for (size_t j = 0; j < m->columns; j++)
        label(to, m->column_labels ? m->column_labels[j] : "");
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t i = 0; i < m->rows; i++) {
        fputs("<tr>", to);
        label(to, m->row_labels ? m->row_labels[i] : "");
        for (size_t j = 0; j < m->columns; j++)
            cell(to, m->cells[i * m->columns + j]);
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

static void pairs(FILE *to, const struct explain_pair *list, size_t count)
{
    fputs("<table class=\"pairs\">\n", to);
    for (size_t i = 0; i < count; i++) {
        fputs("<tr><td>", to);
        formula(to, list[i].name);
        notation_enclose(&notation, to, "</td><td>", list[i].text, "</td></tr>\n");
    }
    fputs("</table>\n", to);
}

const struct explain_writer explain_html_writer = {
    &notation, pieces, 0, general_form, lines, matrix, pairs, "</body>\n</html>\n", NULL};
