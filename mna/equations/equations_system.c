/* equations_system.c - the equations of a system from the branches: balances of the nodes, and equations of the
 * branches that have a current of their own.
 */
#include "mna/equations/equations_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a system sees of a quantity ---- */

static const struct source_current *eliminated_current(const struct equation_system *s, int unknown)
{
    for (size_t i = 0; i < s->eliminated_count; i++)
        if (s->eliminated[i].source->current == unknown)
            return &s->eliminated[i];
    return NULL;
}

void builder_add_seen(struct equation_builder *b, const struct equation_system *s, struct equation *eq, int sign,
                      const struct quantity *q)
{
    const bool by_current = q && q->kind == QUANTITY_GAIN && q->element->control_element_count > 0;
    const struct source_current *i = by_current ? eliminated_current(s, q->inputs[0].plus) : NULL;
    if (!i) {
        equation_add(b, eq, sign, NULL, q);
        return;
    }
    for (size_t k = 0; k < i->sum.count; k++)
        equation_add(b, eq, sign * i->sum.terms[k].coefficient.number, q->element, i->sum.terms[k].quantity);
}

/* ---- equations of branches ---- */

/* The inductor of a coupling that is not `one`; NULL when it does not take part. */
static const struct element *other_inductor(const struct coupling *c, const struct element *one)
{
    return c->first == one ? c->second : c->second == one ? c->first : NULL;
}

static void add_flux(struct equation_builder *b, const struct branch *branch, struct equation *eq)
{
    const struct element *e = branch->element;
    struct quantity *own =
        builder_of_difference(b, e->expression ? QUANTITY_FORMULA : QUANTITY_INDUCTANCE, branch, branch->current, 0);
    if (!own)
        return;
    if (e->expression) {
        const struct quantity *text = builder_voltage(b, branch);
        own->formula = text ? text->formula : "";
    }
    own->rate = true;
    equation_add(b, eq, -1, NULL, own);
    for (size_t k = 0; k < b->list->coupling_count; k++) {
        const struct coupling *c = &b->list->couplings[k];
        const struct element *other = other_inductor(c, e);
        struct quantity *mutual =
            other ? builder_of_difference(b, QUANTITY_MUTUAL, branch, mna_current_unknown(b->m, other->number) + 1, 0)
                  : NULL;
        if (!mutual)
            continue;
        mutual->element = c->element;
        mutual->partner = other;
        mutual->rate = true;
        equation_add(b, eq, -1, NULL, mutual);
    }
}

/* v - z0 i = wave from the other port */
static void add_line(struct equation_builder *b, const struct branch *branch, struct equation *eq)
{
    struct quantity *impedance = builder_of_difference(b, QUANTITY_IMPEDANCE, branch, branch->current, 0);
    struct quantity *wave = builder_quantity(b, QUANTITY_WAVE, branch);
    if (!impedance || !wave)
        return;
    wave->part = strchr(branch->part, '1') ? "2" : "1";
    equation_add(b, eq, -1, NULL, impedance);
    equation_add(b, eq, -1, NULL, wave);
}

/* The equation of a branch that has its own current. */
static void builder_branch_equation(struct equation_builder *b, const struct equation_system *s,
                                    const struct branch *branch, struct equation *eq)
{
    eq->kind = EQUATION_BRANCH;
    eq->unknown = branch->current;
    equation_add(b, eq, 1, NULL, builder_of_difference(b, QUANTITY_VOLTAGE, branch, branch->plus, branch->minus));
    if (branch->kind == BRANCH_L)
        add_flux(b, branch, eq);
    else if (branch->role == ROLE_PORT)
        add_line(b, branch, eq);
    else
        builder_add_seen(b, s, eq, -1, builder_voltage(b, branch));
    equation_tidy(eq);
}

/* ---- systems ---- */

static bool is_eliminated(const struct equation_system *s, const struct branch *branch)
{
    return branch->current > 0 && eliminated_current(s, branch->current) != NULL;
}

static size_t list_equations(struct equation_builder *b, struct equation_system *s, int *row_of)
{
    const struct equations *e = b->e;
    size_t branches = 0;
    for (size_t k = 0; k < b->list->count; k++)
        branches += b->list->branches[k].current > 0 && !is_eliminated(s, &b->list->branches[k]);
    s->equations = builder_take(b, (size_t)e->unknown_count + branches, sizeof *s->equations);
    if (!s->equations)
        return 0;
    size_t count = 0;
    for (int u = 1; u <= e->unknown_count; u++) {
        row_of[u] = -1;
        if (e->unknowns[u].kind != UNKNOWN_VOLTAGE || s->potentials[u].base != u)
            continue;
        row_of[u] = (int)count;
        s->equations[count++] = (struct equation){.kind = EQUATION_NODE, .unknown = u};
    }
    return count;
}

static int by_unknown(const void *a, const void *b)
{
    const struct equation *first = a, *second = b;
    return (first->unknown > second->unknown) - (first->unknown < second->unknown);
}

void builder_fill_system(struct equation_builder *b, struct equation_system *s)
{
    int *row_of = builder_take(b, (size_t)b->e->unknown_count, sizeof *row_of);
    s->node_count = row_of ? list_equations(b, s, row_of) : 0;
    s->count = s->node_count;
    for (size_t i = 0; i < b->list->count && !b->failed; i++) {
        const int k = b->order[i];
        const struct branch *branch = &b->list->branches[k];
        const int plus = s->potentials[branch->plus].base, minus = s->potentials[branch->minus].base;
        if (plus > 0 && plus != minus)
            builder_add_seen(b, s, &s->equations[row_of[plus]], 1, b->currents[k]);
        if (minus > 0 && plus != minus)
            builder_add_seen(b, s, &s->equations[row_of[minus]], -1, b->currents[k]);
        if (branch->current > 0 && !is_eliminated(s, branch))
            builder_branch_equation(b, s, branch, &s->equations[s->count++]);
    }
    for (size_t i = 0; i < s->node_count && !b->failed; i++)
        equation_tidy(&s->equations[i]);
    if (!b->failed)
        qsort(s->equations + s->node_count, s->count - s->node_count, sizeof *s->equations, by_unknown);
}
