/* check_words.c - branches, voltages, currents and their rates in the names of the deck, for hidden equations. */
#include "analyses/check/check_words.h"

#include <math.h>
#include <string.h>

/* "a" of "v(a)" */
static void words_node(struct text *p, const struct writer *w, int unknown)
{
    const char *name = w->t->unknowns[unknown].name;
    const size_t length = unknown > 0 ? strlen(name) : 0;
    if (length > 3)
        text_format(p, "%.*s", (int)(length - 3), name + 2);
    else
        text_add(p, "0");
}

/* v(a,b), v(a), -v(b) */
void words_voltage(struct text *p, const struct writer *w, int plus, int minus)
{
    text_format(p, "%sv(", plus == 0 && minus != 0 ? "-" : "");
    words_node(p, w, plus != 0 ? plus : minus);
    if (plus != 0 && minus != 0) {
        text_add(p, ",");
        words_node(p, w, minus);
    }
    text_add(p, ")");
}

bool words_is_value(const struct branch *b, enum branch_kind kind)
{
    return b->kind == kind && b->role == ROLE_VALUE && !b->part;
}

/* A linear controlled source of one voltage or current. */
static bool is_gain(const struct branch *b)
{
    return b->role == ROLE_GAIN && b->pair_count == 1;
}

static void add_from_ground(struct text *p, const struct writer *w, int node)
{
    text_add(p, "v(0,");
    words_node(p, w, node);
    text_add(p, ")");
}

/* "k_E1*v(a,b)", or with its rate "k_E1*dv(a,b)/dt" */
static void add_gain(struct text *p, const struct writer *w, const struct branch *b, bool rate)
{
    const struct branch_control *c = &b->pairs[0];
    text_format(p, "k_%s*%s", b->element->name, rate ? "d" : "");
    if (w->t->unknowns[c->plus].kind == UNKNOWN_CURRENT && c->plus > 0)
        text_add(p, w->t->unknowns[c->plus].name);
    else if (c->plus == 0)
        add_from_ground(p, w, c->minus);
    else
        words_voltage(p, w, c->plus, c->minus);
    text_add(p, rate ? "/dt" : "");
}

/* The value of a voltage or current source: V1(t) where it is given, the name of what it is otherwise. */
void words_source(struct text *p, const struct writer *w, const struct branch *b)
{
    if (b->role == ROLE_SOURCE)
        text_format(p, "%s(t)", b->element->name);
    else if (branch_is_short(b))
        text_add(p, "0");
    else if (is_gain(b))
        add_gain(p, w, b, false);
    else if (b->kind == BRANCH_V)
        text_format(p, "(voltage of %s)", b->element->name);
    else
        text_format(p, "(current of %s)", b->element->name);
}

void words_source_rate(struct text *p, const struct writer *w, const struct branch *b)
{
    if (branch_is_short(b))
        text_add(p, "0");
    else if (b->role == ROLE_SOURCE)
        text_format(p, "d%s/dt", b->element->name);
    else if (is_gain(b))
        add_gain(p, w, b, true);
    else
        text_format(p, "d/dt(%s of %s)", b->kind == BRANCH_V ? "voltage" : "current", b->element->name);
}

/* "c1", or "q1 base-emitter" for one of the charges of a device with several. */
void words_owner(struct text *p, const struct branch *b)
{
    static const char charge[] = " charge";
    text_add_lower(p, b->element->name);
    if (!b->part || b->element->node_count <= 2)
        return;
    const size_t length = strlen(b->part), ending = sizeof charge - 1;
    const bool charged = length > ending && strcmp(b->part + length - ending, charge) == 0;
    text_format(p, " %.*s", (int)(charged ? length - ending : length), b->part);
}

/* "C1", or "C(q1 base-emitter)" for the incremental capacitance of a charge law. */
void words_capacitance(struct text *p, const struct branch *b)
{
    if (words_is_value(b, BRANCH_C) || words_is_value(b, BRANCH_L))
        text_add(p, b->element->name);
    else {
        text_format(p, b->kind == BRANCH_L ? "L(" : "C(");
        words_owner(p, b);
        text_add(p, ")");
    }
}

void words_current(struct text *p, const struct branch *b)
{
    text_add(p, "i(");
    text_add_lower(p, b->element->name);
    text_add(p, ")");
}

/* Of a device with more than two terminals: what flows into it from a node. */
void words_terminal_current(struct text *p, const struct writer *w, const struct branch *b, int node)
{
    text_add(p, "i(");
    text_add_lower(p, b->element->name);
    text_add(p, " at ");
    words_node(p, w, node);
    text_add(p, ")");
}

void words_sign(struct text *p, bool negative, bool first)
{
    if (first)
        text_add(p, negative ? "-" : "");
    else
        text_add(p, negative ? " - " : " + ");
}
