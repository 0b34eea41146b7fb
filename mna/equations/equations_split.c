/* equations_split.c - which equations of the reduced system are differential and which are algebraic, exactly, from the
 * graph of the capacitors.
 *
 * The capacitance matrix is A_C C A_C^T.  Its left null space, if C is positive definite, is that of A_C^T's transpose:
 * the indicators of the parts that capacitors hold together and that do not contain ground (known voltages count as
 * ground).  The sum of the balances of such a part contains no charge.
 */
#include "mna/equations/equations_parts.h"

#include "base/groups.h"

#include <stdlib.h>
#include <string.h>

/* Sums are compared with each other up to this many. */
enum { MOST_COMPARED = 30 };

static void join_charges(struct equation_builder *b, const struct equation_system *s, int *parts)
{
    for (size_t k = 0; k < b->list->count; k++) {
        const struct branch *c = &b->list->branches[k];
        if (c->kind == BRANCH_C)
            groups_unite(parts, s->potentials[c->plus].base, s->potentials[c->minus].base);
    }
}

/* One sum for the part of balance `first`, if that is its first node. */
static void add_sum(struct equation_builder *b, int *parts, size_t first)
{
    struct equations *e = b->e;
    const struct equation_system *s = &e->reduced;
    const int part = groups_find(parts, s->equations[first].unknown);
    for (size_t i = 0; i < first; i++)
        if (groups_find(parts, s->equations[i].unknown) == part)
            return;
    struct algebraic_sum *sum = &e->sums[e->sum_count++];
    *sum = (struct algebraic_sum){.weights = builder_take(b, s->node_count, sizeof *sum->weights),
                                  .equation = {.kind = EQUATION_SUM}};
    size_t last = first;
    for (size_t i = first; i < s->node_count && !b->failed; i++) {
        if (groups_find(parts, s->equations[i].unknown) != part)
            continue;
        last = i;
        sum->weights[i] = 1;
        equation_add_equation(b, &sum->equation, 1, &s->equations[i]);
    }
    equation_tidy(&sum->equation);
    e->is_differential[last] = false;
}

/* ---- sums that say more ---- */

/* How many terms are not a number times a voltage. */
static int complicated_terms(const struct equation *eq)
{
    int count = 0;
    for (size_t i = 0; i < eq->count; i++) {
        const enum quantity_kind kind = eq->terms[i].quantity->kind;
        count += kind == QUANTITY_LAW || kind == QUANTITY_FORMULA || kind == QUANTITY_GAIN;
    }
    return count;
}

/* Adds the other sum to this one where currents of devices cancel in both together. */
static bool improve(struct equation_builder *b, struct algebraic_sum *sum, const struct algebraic_sum *other)
{
    struct equation together = {.kind = EQUATION_SUM};
    equation_add_equation(b, &together, 1, &sum->equation);
    equation_add_equation(b, &together, 1, &other->equation);
    equation_tidy(&together);
    if (b->failed || complicated_terms(&together) >= complicated_terms(&sum->equation))
        return false;
    sum->equation = together;
    for (size_t i = 0; i < b->e->reduced.node_count; i++)
        sum->weights[i] += other->weights[i];
    return true;
}

static void improve_all(struct equation_builder *b)
{
    struct equations *e = b->e;
    for (size_t i = 0; i < e->sum_count; i++)
        for (size_t k = 0; k < e->sum_count; k++)
            if (k != i && improve(b, &e->sums[i], &e->sums[k]))
                k = (size_t)-1; /* once more from the start; the number of such terms only falls */
}

void builder_split(struct equation_builder *b)
{
    struct equations *e = b->e;
    const struct equation_system *s = &e->reduced;
    int *parts = NULL;
    e->is_differential = builder_take(b, s->count, sizeof *e->is_differential);
    e->sums = builder_take(b, s->node_count, sizeof *e->sums);
    if (b->failed || !(parts = groups_new(e->unknown_count + 1))) {
        b->failed = true;
        return;
    }
    join_charges(b, s, parts);
    for (size_t i = 0; i < s->node_count; i++)
        e->is_differential[i] = true;
    for (size_t i = 0; i < s->node_count && !b->failed; i++)
        if (groups_find(parts, s->equations[i].unknown) != groups_find(parts, 0))
            add_sum(b, parts, i);
    e->capacitance_rank = (int)(s->node_count - e->sum_count);
    for (size_t i = s->node_count; i < s->count; i++)
        for (size_t k = 0; k < s->equations[i].count; k++)
            e->is_differential[i] = e->is_differential[i] || s->equations[i].terms[k].quantity->rate;
    if (e->sum_count <= MOST_COMPARED && !b->failed)
        improve_all(b);
    free(parts);
}
