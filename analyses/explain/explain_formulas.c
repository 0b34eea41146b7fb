/* explain_formulas.c - terms of equations as formulas in the notation of a format. */
#include "analyses/explain/explain_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

const char *unknown_inner_name(struct arena *a, const struct unknown *u)
{
    const size_t length = strlen(u->name);
    const char *inner = length > 3 ? arena_text(a, u->name + 2, length - 3) : u->name;
    return inner ? inner : "";
}

static void write_unknown(struct explanation *x, int unknown)
{
    const struct unknown *u = &x->e->unknowns[unknown];
    const struct notation *n = x->writer->notation;
    const char *inner = unknown_inner_name(x->arena, u);
    notation_quantity(n, &x->w, u->kind == UNKNOWN_VOLTAGE ? "v" : "i", inner);
}

static void write_source(struct explanation *x, const struct element *e)
{
    const struct notation *n = x->writer->notation;
    const bool constant = element_is_constant_source(e);
    notation_element(n, &x->w, e->name);
    if (!constant)
        text_add(&x->w, notation_mark(n, MARK_OF_TIME));
}

/* "R1", "Q1.be" */
static const char *index_of(struct explanation *x, const struct quantity *q)
{
    const char *index = q->part ? arena_format(x->arena, "%s.%s", q->element->name, q->part) : q->element->name;
    return index ? index : "";
}

/* A coupling of more than two inductors has a mutual inductance for each pair. */
static const char *mutual_index(struct explanation *x, const struct quantity *q)
{
    const char *index = q->element->name;
    const struct element *one = q->branch->element, *other = q->partner;
    if (q->element->control_element_count > 2)
        index = arena_format(x->arena, "%s:%s,%s", index, one->number < other->number ? one->name : other->name,
                             one->number < other->number ? other->name : one->name);
    return index ? index : "";
}

static void write_symbol(struct explanation *x, const struct quantity *q)
{
    const struct notation *n = x->writer->notation;
    const char letter[2] = {q->letter, '\0'};
    switch (q->kind) {
    case QUANTITY_CONDUCTANCE:
        notation_symbol(n, &x->w, "G", index_of(x, q));
        return;
    case QUANTITY_CAPACITANCE:
    case QUANTITY_INDUCTANCE:
    case QUANTITY_PER_HENRY:
        notation_element(n, &x->w, q->element->name);
        return;
    case QUANTITY_MUTUAL:
        notation_symbol(n, &x->w, "M", mutual_index(x, q));
        return;
    case QUANTITY_GAIN:
        notation_symbol(n, &x->w, "k", q->element->name);
        return;
    case QUANTITY_IMPEDANCE:
        notation_symbol(n, &x->w, "Z", q->element->name);
        return;
    case QUANTITY_WAVE:
        notation_symbol(n, &x->w, "w", index_of(x, q));
        return;
    case QUANTITY_LAW:
        notation_symbol(n, &x->w, letter, index_of(x, q));
        return;
    case QUANTITY_SOURCE:
        write_source(x, q->element);
        return;
    case QUANTITY_VOLTAGE:
    case QUANTITY_CURRENT:
    case QUANTITY_FORMULA:
        return;
    }
}

const char *explain_symbol(struct explanation *x, const struct quantity *q)
{
    write_symbol(x, q);
    return text_take(&x->w);
}

const char *explain_unknown(struct explanation *x, int unknown)
{
    write_unknown(x, unknown);
    return text_take(&x->w);
}

const char *explain_number(struct explanation *x, double value, int most_digits)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.*g", most_digits, fabs(value));
    if (value < 0)
        text_add(&x->w, notation_mark(x->writer->notation, MARK_NEGATIVE));
    x->writer->notation->number(&x->w, digits);
    return text_take(&x->w);
}

/* ---- sums ---- */

/* The sign in front of a term, and its factor if that is not 1. */
static void write_sign(struct explanation *x, int number, bool first)
{
    const struct notation *n = x->writer->notation;
    char digits[24];
    if (number < 0)
        text_add(&x->w, first ? notation_mark(n, MARK_NEGATIVE) : notation_mark(n, MARK_MINUS));
    else if (!first)
        text_add(&x->w, notation_mark(n, MARK_PLUS));
    if (abs(number) == 1)
        return;
    snprintf(digits, sizeof digits, "%d", abs(number));
    n->number(&x->w, digits);
    text_add(&x->w, notation_mark(n, MARK_TIMES));
}

static void write_combination(struct explanation *x, const struct combination *c, int sign, bool first)
{
    for (size_t i = 0; i < c->count; i++) {
        write_sign(x, sign * c->atoms[i].sign, first && i == 0);
        if (c->atoms[i].source)
            write_source(x, c->atoms[i].source->element);
        else
            write_unknown(x, c->atoms[i].unknown);
    }
    if (c->count == 0)
        text_add(&x->w, notation_mark(x->writer->notation, MARK_ZERO));
}

static struct combination seen_by(struct explanation *x, const struct equation_system *s, struct branch_control input)
{
    struct combination c = {0};
    if (!equations_difference(x->e, s, input, &c))
        x->w.cut = true;
    return c;
}

/* A positive single voltage needs no parentheses. */
static bool is_single(const struct combination *c)
{
    return c->count == 0 || (c->count == 1 && c->atoms[0].sign == 1);
}

static void write_factor(struct explanation *x, const struct combination *c)
{
    const struct notation *n = x->writer->notation;
    if (!is_single(c))
        text_add(&x->w, notation_mark(n, MARK_OPEN));
    write_combination(x, c, 1, true);
    if (!is_single(c))
        text_add(&x->w, notation_mark(n, MARK_CLOSE));
}

const char *explain_difference(struct explanation *x, const struct equation_system *s, struct branch_control input)
{
    const struct combination c = seen_by(x, s, input);
    write_combination(x, &c, 1, true);
    return text_take(&x->w);
}

/* ---- terms ---- */

static void write_inputs(struct explanation *x, const struct equation_system *s, const struct quantity *q)
{
    const struct notation *n = x->writer->notation;
    text_add(&x->w, notation_mark(n, MARK_OPEN));
    for (size_t i = 0; i < q->input_count; i++) {
        const struct combination c = seen_by(x, s, q->inputs[i]);
        if (i > 0)
            text_add(&x->w, notation_mark(n, MARK_COMMA));
        write_combination(x, &c, 1, true);
    }
    text_add(&x->w, notation_mark(n, MARK_CLOSE));
}

/* (1 - k_F1) */
static void write_coefficient(struct explanation *x, const struct coefficient *c, bool first)
{
    const struct notation *n = x->writer->notation;
    const bool parentheses = (c->number != 0) + c->gain_count > 1;
    const int outer = parentheses ? 1 : c->gain_count > 0 ? c->gains[0].number : c->number;
    char digits[24];
    write_sign(x, outer, first);
    if (c->gain_count == 0)
        return;
    if (parentheses) {
        text_add(&x->w, notation_mark(n, MARK_OPEN));
        if (c->number < 0)
            text_add(&x->w, notation_mark(n, MARK_NEGATIVE));
        if (c->number != 0) {
            snprintf(digits, sizeof digits, "%d", abs(c->number));
            n->number(&x->w, digits);
        }
    }
    for (size_t i = 0; i < c->gain_count; i++) {
        if (parentheses)
            write_sign(x, c->gains[i].number, c->number == 0 && i == 0);
        notation_symbol(n, &x->w, "k", c->gains[i].gain->name);
    }
    if (parentheses)
        text_add(&x->w, notation_mark(n, MARK_CLOSE));
    text_add(&x->w, notation_mark(n, MARK_TIMES));
}

/* d/dt of a voltage or current stands behind a constant factor, of anything else in front. */
static void write_product(struct explanation *x, const struct equation_system *s, const struct quantity *q)
{
    const struct notation *n = x->writer->notation;
    const struct combination c = seen_by(x, s, q->inputs[0]);
    const struct quantity *reciprocal = q->kind == QUANTITY_PER_HENRY ? q : NULL;
    if (!reciprocal && q->kind != QUANTITY_VOLTAGE && q->kind != QUANTITY_CURRENT) {
        write_symbol(x, q);
        text_add(&x->w, notation_mark(n, MARK_TIMES));
    }
    if (q->rate && !reciprocal)
        text_add(&x->w, notation_mark(n, MARK_RATE));
    write_factor(x, &c);
    if (reciprocal) {
        text_add(&x->w, notation_mark(n, MARK_OVER));
        write_symbol(x, q);
    }
}

static void write_formula(struct explanation *x, const struct quantity *q)
{
    const struct notation *n = x->writer->notation;
    const bool bare = !q->rate && q->formula_is_product;
    if (!bare)
        text_add(&x->w, q->rate ? notation_mark(n, MARK_RATE_OPEN) : notation_mark(n, MARK_OPEN));
    notation_verbatim(n, &x->w, q->formula);
    if (!bare)
        text_add(&x->w, q->rate ? notation_mark(n, MARK_RATE_CLOSE) : notation_mark(n, MARK_CLOSE));
}

static void write_quantity(struct explanation *x, const struct equation_system *s, const struct quantity *q)
{
    const struct notation *n = x->writer->notation;
    switch (q->kind) {
    case QUANTITY_VOLTAGE:
    case QUANTITY_CURRENT:
    case QUANTITY_CONDUCTANCE:
    case QUANTITY_CAPACITANCE:
    case QUANTITY_INDUCTANCE:
    case QUANTITY_MUTUAL:
    case QUANTITY_GAIN:
    case QUANTITY_IMPEDANCE:
    case QUANTITY_PER_HENRY:
        write_product(x, s, q);
        return;
    case QUANTITY_SOURCE:
        if (q->rate)
            text_add(&x->w, notation_mark(n, MARK_RATE));
        write_symbol(x, q);
        return;
    case QUANTITY_WAVE:
        write_symbol(x, q);
        text_add(&x->w, notation_mark(n, MARK_OPEN));
        notation_verbatim(n, &x->w, "t - TD");
        text_add(&x->w, notation_mark(n, MARK_CLOSE));
        return;
    case QUANTITY_LAW:
        if (q->rate)
            text_add(&x->w, notation_mark(n, MARK_RATE));
        write_symbol(x, q);
        write_inputs(x, s, q);
        return;
    case QUANTITY_FORMULA:
        write_formula(x, q);
        return;
    }
}

/* In the equation of a branch its voltage takes no parentheses: both nodes are terms. */
static bool is_open_sum(const struct equation *eq, const struct equation_term *t)
{
    return eq->kind == EQUATION_BRANCH && t->quantity->kind == QUANTITY_VOLTAGE && !t->quantity->rate &&
           t->coefficient.gain_count == 0;
}

/* A current between nodes reads G (v(here) - v(there)) at either end: the sign goes into the difference; that of a
 * single voltage goes in front. */
static bool is_better_turned(struct explanation *x, const struct equation_system *s, const struct equation_term *t)
{
    const enum quantity_kind kind = t->quantity->kind;
    if (t->coefficient.gain_count > 0 || (kind != QUANTITY_CONDUCTANCE && kind != QUANTITY_CAPACITANCE &&
                                          kind != QUANTITY_PER_HENRY && kind != QUANTITY_GAIN))
        return false;
    const struct combination c = seen_by(x, s, t->quantity->inputs[0]);
    return c.count == 1 ? c.atoms[0].sign < 0 : c.count > 1 && t->coefficient.number < 0;
}

static void write_turned(struct explanation *x, const struct equation_system *s, const struct equation_term *t,
                         bool first)
{
    const struct branch_control input = t->quantity->inputs[0];
    struct branch_control turned = {input.minus, input.plus};
    struct quantity q = *t->quantity;
    const struct coefficient c = {.number = -t->coefficient.number};
    q.inputs = &turned;
    write_coefficient(x, &c, first);
    write_quantity(x, s, &q);
}

/* A multiple of a difference that is known to be zero. */
static bool vanishes(struct explanation *x, const struct equation_system *s, const struct quantity *q)
{
    if (q->kind == QUANTITY_LAW || q->kind == QUANTITY_FORMULA || q->input_count != 1)
        return false;
    return seen_by(x, s, q->inputs[0]).count == 0;
}

const char **explain_terms(struct explanation *x, const struct equation_system *s, const struct equation *eq,
                           size_t *count)
{
    const char **terms = explain_take(x, eq->count, sizeof *terms);
    *count = 0;
    for (size_t i = 0; i < eq->count && terms; i++) {
        const struct equation_term *t = &eq->terms[i];
        if (vanishes(x, s, t->quantity))
            continue;
        if (is_open_sum(eq, t)) {
            const struct combination c = seen_by(x, s, t->quantity->inputs[0]);
            write_combination(x, &c, t->coefficient.number, *count == 0);
        } else if (is_better_turned(x, s, t)) {
            write_turned(x, s, t, *count == 0);
        } else {
            write_coefficient(x, &t->coefficient, *count == 0);
            write_quantity(x, s, t->quantity);
        }
        terms[(*count)++] = text_take(&x->w);
    }
    return terms;
}

/* ---- entries of the capacitance matrix ---- */

static void write_capacitance(struct explanation *x, const struct capacitance_share *share)
{
    const struct notation *n = x->writer->notation;
    const struct quantity *q = share->charge;
    if (q->kind == QUANTITY_CAPACITANCE) {
        notation_element(n, &x->w, q->element->name);
        return;
    }
    const char *index = index_of(x, q);
    if (q->input_count > 1)
        index = arena_format(x->arena, "%s:%zu", index, share->input + 1);
    notation_symbol(n, &x->w, "C", index ? index : "");
}

const char *explain_capacitance_share(struct explanation *x, const struct capacitance_share *share, bool first)
{
    write_sign(x, share->number, first);
    write_capacitance(x, share);
    return text_take(&x->w);
}

const char *explain_capacitance(struct explanation *x, const struct capacitance_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        write_sign(x, entry->shares[i].number, i == 0);
        write_capacitance(x, &entry->shares[i]);
    }
    return text_take(&x->w);
}

const char *explain_row_label(struct explanation *x, const struct equation *eq)
{
    const struct unknown *u = &x->e->unknowns[eq->unknown];
    const char *label =
        eq->kind == EQUATION_BRANCH ? u->name : arena_format(x->arena, "(%s)", unknown_inner_name(x->arena, u));
    x->w.cut = x->w.cut || !label;
    return label ? label : "";
}
