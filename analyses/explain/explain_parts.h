/* explain_parts.h - the inside of `knoten explain`: a document as lines of formulas, matrices and sentences, and what a
 * format has to know to write them.
 */
#ifndef ANALYSES_EXPLAIN_EXPLAIN_PARTS_H
#define ANALYSES_EXPLAIN_EXPLAIN_PARTS_H

#include "analyses/explain/explain.h"
#include "base/text.h"
#include "mna/equations/equations.h"

/* ---- how formulas look ---- */

/* Pieces of formulas, as markup (explain_notation.c). */
enum mark {
#define MARK(symbol, ...) MARK_##symbol,
#include "analyses/explain/explain_marks.def"
#undef MARK
};

/* Names are written by the functions, which escape them. */
struct notation {
    enum explain_format format;
    bool sets_indices; /* v_a for v(a) and R_1 for R1 */
    void (*number)(struct text *w, const char *digits);
    const char *(*escaped)(char c); /* markup for a character of a name, NULL: itself; may be NULL */
};

/* ---- explain_notation.c ---- */

#define MATHML_RATE "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>"

const char *notation_mark(const struct notation *n, enum mark mark);
/* index "": none. */
void notation_symbol(const struct notation *n, struct text *w, const char *base, const char *index);
/* The voltage "v" of a node, the current "i" of an element. */
void notation_quantity(const struct notation *n, struct text *w, const char *letter, const char *name);
/* The symbol that an element is. */
void notation_element(const struct notation *n, struct text *w, const char *name);
/* What stands behind a parameter: of a model or an element. */
void notation_owner(const struct notation *n, struct text *w, const char *name);
void notation_verbatim(const struct notation *n, struct text *w, const char *formula);
/* Plain text between two pieces of markup. */
void notation_enclose(const struct notation *n, FILE *to, const char *before, const char *text, const char *after);

/* ---- pieces of a document ---- */

/* label   left = terms[0] terms[1] ..   note; label and note may be NULL.  The terms carry their signs. */
struct explain_line {
    const char *label, *left;
    const char **terms;
    size_t term_count;
    const char *note; /* plain text */
};

/* Labels and cells are formulas; an empty cell is a zero. */
struct explain_matrix {
    const char *name; /* formula */
    size_t rows, columns;
    const char **row_labels, **column_labels; /* either may be NULL */
    const char **cells;                       /* [rows * columns] */
};

struct explain_pair {
    const char *name; /* formula */
    const char *text; /* plain text */
};

/* Pieces of plain text. */
enum explain_piece {
    EXPLAIN_HEAD /* of the file, with the title again */,
    EXPLAIN_TITLE,
    EXPLAIN_HEADING,
    EXPLAIN_PARAGRAPH
};

/* What stands around a piece; after NULL: it stands there without its text. */
struct enclosure {
    const char *before, *after;
    char underline; /* written below every character; 0: none */
};

struct explain_writer {
    const struct notation *notation;
    const struct enclosure *pieces; /* by enum explain_piece; NULL: piece writes them */
    size_t width;                   /* of a paragraph, in characters; 0: it is not broken into lines */
    const char *general_form;       /* the equations of every circuit, in incidence matrices */
    void (*lines)(FILE *to, const struct explain_line *lines, size_t count);
    void (*matrix)(FILE *to, const struct explain_matrix *m);
    void (*pairs)(FILE *to, const struct explain_pair *pairs, size_t count);
    const char *end;
    void (*piece)(FILE *to, enum explain_piece piece, const char *text);
};

extern const struct explain_writer explain_text_writer, explain_latex_writer, explain_html_writer, explain_json_writer;

/* ---- the document being composed ---- */

struct explanation {
    FILE *to;
    const struct explain_writer *writer;
    const struct equations *e;
    const struct circuit *circuit;
    struct mna *mna;
    const struct topology *topology;
    struct arena *arena;
    struct text w;
};

void explain_piece(struct explanation *x, enum explain_piece piece, const char *text);
/* A paragraph. */
void explain_say(struct explanation *x, const char *format, ...) KN_PRINTF(2, 3);
void *explain_take(struct explanation *x, size_t count, size_t size);

/* ---- explain_formulas.c ---- */

/* Without v(..) or i(..). */
const char *unknown_inner_name(struct arena *a, const struct unknown *u);
const char *explain_unknown(struct explanation *x, int unknown);
/* sign of the combination itself included: v(1) - Vin(t) */
const char *explain_difference(struct explanation *x, const struct equation_system *s, struct branch_control input);
const char *explain_capacitance(struct explanation *x, const struct capacitance_entry *entry);
const char *explain_capacitance_share(struct explanation *x, const struct capacitance_share *share, bool first);
/* The symbol that a quantity multiplies or applies: G_R1, i_D1; "" where there is none. */
const char *explain_symbol(struct explanation *x, const struct quantity *q);
/* terms[count] of an equation in a system; those that vanish are left out. */
const char **explain_terms(struct explanation *x, const struct equation_system *s, const struct equation *eq,
                           size_t *count);
const char *explain_number(struct explanation *x, double value, int most_digits);

/* "(1)" of a node's balance, "i(l1)" of the equation that has this current; plain text in every notation. */
const char *explain_row_label(struct explanation *x, const struct equation *eq);

/* ---- explain_formula.c ---- */

/* A formula of names, numbers, + - * / ^, parentheses and functions of one argument. */
const char *formula_text(struct explanation *x, const char *formula);

/* ---- sections ---- */

/* The laws of devices written out (explain_laws.c). */
void explain_laws(struct explanation *x);

void explain_write_lines(struct explanation *x, const struct explain_line *lines, size_t count);
/* The equations solved for what they determine (explain_inherent.c). */
enum kn_status explain_inherent(struct explanation *x);

void explain_incidence(struct explanation *x); /* explain_matrices.c */
void explain_capacitances(struct explanation *x);
void explain_symbols(struct explanation *x); /* explain_symbols.c */
/* The chain of null spaces at the operating point; KN_ERROR_CONVERGENCE where there is none (explain_numbers.c). */
enum kn_status explain_numbers(struct explanation *x, struct kn_diagnostics *d);

/* Systems with more unknowns have their matrices listed, not drawn. */
enum { EXPLAIN_LARGE = 30 };

#endif
