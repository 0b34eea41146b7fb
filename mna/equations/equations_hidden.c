/* equations_hidden.c - what C-V loops and L-I cutsets impose on states, and the derivatives of that: the hidden
 * equations (Estevez Schwarz and Tischendorf, Int. J. Circ. Theory Appl. 28, 2000, 131-162).
 *
 *   C-V loop     the voltages around it add to zero: charges are given by source voltages
 *   L-I cutset   the currents across it add to zero: inductor currents are given by source currents
 */
#include "mna/equations/equations_parts.h"

#include <string.h>

/* The same quantity under d/dt. */
static const struct quantity *rate_of(struct equation_builder *b, const struct quantity *q)
{
    struct quantity *rate = builder_take(b, 1, sizeof *rate);
    if (!rate)
        return NULL;
    *rate = *q;
    rate->rate = true;
    return rate;
}

static bool never_changes(const struct quantity *q)
{
    return q->kind == QUANTITY_SOURCE && element_is_constant_source(q->element);
}

static void add_both(struct equation_builder *b, struct constraint *c, int sign, const struct quantity *q)
{
    if (!q)
        return;
    equation_add(b, &c->visible, sign, NULL, q);
    if (!never_changes(q))
        equation_add(b, &c->hidden, sign, NULL, rate_of(b, q));
}

/* ---- loops ---- */

static const struct quantity *own_voltage(struct equation_builder *b, const struct branch *branch)
{
    return branch->kind == BRANCH_V ? builder_voltage(b, branch)
                                    : builder_of_difference(b, QUANTITY_VOLTAGE, branch, branch->plus, branch->minus);
}

static void constrain_loop(struct equation_builder *b, struct constraint *c)
{
    const struct branch_set *set = c->set;
    int node = loop_begin(set);
    int first_capacitor = 0;
    const int start = node;
    for (size_t i = 0; i < set->count; i++) {
        const int sign = loop_pass(set->branches[i], &node);
        if (first_capacitor == 0 && set->branches[i]->kind == BRANCH_C)
            first_capacitor = sign;
    }
    for (int capacitors = 1; capacitors >= 0; capacitors--) {
        node = start;
        for (size_t i = 0; i < set->count; i++) {
            const int sign = first_capacitor * loop_pass(set->branches[i], &node);
            if ((set->branches[i]->kind == BRANCH_C) == capacitors)
                add_both(b, c, sign, own_voltage(b, set->branches[i]));
        }
    }
}

/* ---- cutsets ---- */

/* d/dt i = v / L, where L stands alone. */
static const struct quantity *slope_of_current(struct equation_builder *b, const struct branch *branch)
{
    const bool alone =
        branch->kind == BRANCH_L && !branch->element->expression && !is_coupled(b->list, branch->element);
    if (alone)
        return builder_of_difference(b, QUANTITY_PER_HENRY, branch, branch->plus, branch->minus);
    const struct quantity *q = builder_current(b, branch);
    return q ? rate_of(b, q) : NULL;
}

static void add_current(struct equation_builder *b, struct constraint *c, const struct node_set *part,
                        const struct branch *branch)
{
    const struct quantity *q = builder_current(b, branch);
    const int sign = node_set_contains(part, branch->plus) ? 1 : -1;
    if (!q)
        return;
    equation_add(b, &c->visible, sign, NULL, q);
    if (!never_changes(q))
        equation_add(b, &c->hidden, sign, NULL, slope_of_current(b, branch));
}

static void constrain_cutset(struct equation_builder *b, struct constraint *c, const struct node_set *part)
{
    for (int inductors = 1; inductors >= 0; inductors--)
        for (size_t i = 0; i < c->set->count && !b->failed; i++)
            if ((c->set->branches[i]->kind == BRANCH_L) == inductors)
                add_current(b, c, part, c->set->branches[i]);
}

void builder_constraints(struct equation_builder *b, const struct topology *t)
{
    struct equations *e = b->e;
    e->constraints = builder_take(b, t->cv_loops.count + t->li_cutsets.count, sizeof *e->constraints);
    for (size_t i = 0; i < t->cv_loops.count && !b->failed; i++) {
        struct constraint *c = &e->constraints[e->constraint_count++];
        *c = (struct constraint){.set = &t->cv_loops.sets[i],
                                 .is_loop = true,
                                 .visible = {.kind = EQUATION_SUM},
                                 .hidden = {.kind = EQUATION_SUM}};
        constrain_loop(b, c);
    }
    for (size_t i = 0; i < t->li_cutsets.count && !b->failed; i++) {
        struct constraint *c = &e->constraints[e->constraint_count++];
        *c = (struct constraint){
            .set = &t->li_cutsets.sets[i], .visible = {.kind = EQUATION_SUM}, .hidden = {.kind = EQUATION_SUM}};
        constrain_cutset(b, c, &t->li_parts.sets[i]);
    }
}
