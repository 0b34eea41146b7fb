/* topology_conditions.c - whether the index theorems of topology.h apply: controlled sources one by one, signs of
 * passive elements, coupled inductors.
 *
 * With incremental conductances, capacitances and inductances positive definite, the proofs (Estevez Schwarz and
 * Tischendorf 2000, theorems on the index of MNA; Tischendorf 1999, sections 3-5) need two matrices to be nonsingular.
 *
 *   Index 1: the algebraic Jacobian on ker A_C^T x R^nV.  A vector (e, j) in its kernel has A_V^T e = 0 and
 *       e^T A_R G A_R^T e = 0, so e is constant on the components of C, R, V; then A_V j = A_C a for some a.
 *
 *   Index 2: the matrix of the hidden constraints, diag(a^T (A_C C A_C^T)^+ a, w^T A_L L^-1 A_L^T w), where a runs over
 *       the C-V loops and w over the parts behind L-I cutsets.
 *
 * Controlled sources leave these arguments as they are, whatever their gains, under the following conditions.
 *
 *   V: controlled by determined quantities, which are voltages between nodes that C and V of this kind join, currents
 * of L, and currents of V in a cutset with L and determined I only.  All these vanish for the vectors above.
 *
 *   I between nodes that C join: controls free.  It vanishes from Q_C^T A_I.
 *
 *   I between nodes that C and V join: voltages and currents of R and L free, since e has A_C^T e = A_V^T e = 0 and the
 *       source only adds to j; currents of V as long as they do not, directly or through other such I, contain its own.
 *
 *   I elsewhere: controlled by determined quantities, or the current of a transistor of which one own end only is not
 *       determined: dI/dV of that end has the sign of a resistor.
 *
 *   C, a charge that depends on other voltages: between nodes joined by C and determined V.
 *
 * For index 2 moreover nothing is controlled by an index-2 quantity; and V in a C-V loop, and I that join a part behind
 * an L-I cutset, are controlled by calm quantities only: those whose derivatives contain no index-2 unknown
 * (topology_determined.h).
 *
 * A negative R matters unless C and V fix its voltage, a negative C unless it is a bridge of the graph of C and V, a
 * negative L only in L-I cutsets.
 *
 * Where a condition fails the index may still be the one the graph suggests; it then depends on the values.
 *
 * Beside the conditions of the paper for VCVS, CCVS, VCCS and CCCS: the same are the cases of an I across C, across C
 * and V, and elsewhere, and the controls of a V by voltages of C and V and by currents of L and I.  Weaker here: the
 * paper keeps controlled V out of C-V loops and controlled I out of L-I cutsets; calm controls make them harmless.
 * "Determined" goes on through controlled V (a chain of amplifiers behind a capacitor) and currents of V in cutsets.
 * Transistors, charges controlled by other voltages and passive elements of either sign have conditions at all.
 * Stronger: a gain is taken to be any number, so that follower and integrator around a finite gain stay undecided.
 */
#include "mna/topology/topology_determined.h"

#include "base/array.h"
#include "base/groups.h"

#include <stdlib.h>

struct check {
    struct analysis *a;
    struct determined d;
    size_t violations;
    size_t capacity; /* of t->conditions */
    bool good;       /* memory held out */
};

static void add_condition(struct check *c, int edge, enum condition_rule rule, const char *sentence)
{
    struct topology *t = c->a->t;
    if (!array_reserve_in(t->memory, &t->conditions, t->condition_count, t->condition_count + 1, &c->capacity,
                          sizeof *t->conditions)) {
        c->good = false;
        return;
    }
    t->conditions[t->condition_count++] = (struct topology_condition){analysis_branch(c->a, edge), rule, sentence};
    if (rule == CONDITION_VIOLATED && c->violations++ < TOPOLOGY_MOST_LISTED && !sentence)
        c->good = false;
}

/* The sentence is: element, verb, what, why. */
static void violate(struct check *c, int edge, const char *verb, const char *what, const char *why)
{
    const char *sentence = NULL;
    if (c->violations < TOPOLOGY_MOST_LISTED)
        sentence = arena_format(c->a->t->memory, "%s %s %s%s", name_branch(c->a, edge), verb, what, why);
    add_condition(c, edge, CONDITION_VIOLATED, sentence);
}

static void violate_by_control(struct check *c, int edge, const struct branch_control *culprit, const char *why)
{
    const bool wanted = c->violations < TOPOLOGY_MOST_LISTED;
    violate(c, edge, edge_is(c->a, edge, EDGE_C | EDGE_L) ? "depends on" : "is controlled by",
            wanted ? name_control(c->a, culprit) : "", why);
}

static bool is_not_index2(const struct determined *d, const struct branch_control *c)
{
    return !is_index2(d, c);
}

static bool same_part(const struct analysis *a, const int *part, int edge)
{
    return part[a->graph.edges[edge].a] == part[a->graph.edges[edge].b];
}

static bool has_index2(const struct analysis *a)
{
    return a->t->cv_loops.count > 0 || a->t->li_cutsets.count > 0;
}

/* ---- controlled V ---- */

static const char *undetermined_text(const struct check *c, const struct branch_control *culprit)
{
    return control_is_current(c->a, culprit)
               ? ", which is not determined by inductor currents and determined current sources"
               : ", which is not determined by capacitances and voltage sources";
}

static void check_voltage(struct check *c, int edge)
{
    struct branch_control culprit;
    if (!all_controls(&c->d, edge, is_determined, &culprit))
        violate_by_control(c, edge, &culprit, undetermined_text(c, &culprit));
    else if (blocks_on_loop(&c->d.cv, edge) && !all_controls(&c->d, edge, is_calm, &culprit))
        violate_by_control(c, edge, &culprit,
                           ", and lies in a C-V loop: the derivative of what controls it may depend on that loop");
    else
        add_condition(c, edge, CONDITION_DETERMINED, NULL);
}

/* ---- controlled I ---- */

/* A transistor's current that depends on determined voltages and, besides, on one own end only. */
static bool is_output_current(const struct check *c, int edge)
{
    const struct branch *b = analysis_branch(c->a, edge);
    if (b->pair_count > 0)
        return false;
    for (int end = 0; end < 2; end++) {
        const int fixed_end = end == 0 ? b->plus : b->minus;
        bool good = true;
        for (size_t k = 0; k < b->control_count && good; k++) {
            const struct branch_control v = {b->controls[k], fixed_end};
            good = c->a->node_of[b->controls[k]] >= 0 && is_determined(&c->d, &v);
        }
        if (good)
            return true;
    }
    return false;
}

/* The rule that lets a current stand where it is; CONDITION_VIOLATED (reported) if none. */
static enum condition_rule rule_of_place(struct check *c, int edge)
{
    struct branch_control culprit;
    if (same_part(c->a, c->d.part_c, edge))
        return CONDITION_ACROSS_C;
    const bool across = same_part(c->a, c->d.part_cv, edge);
    if (across && all_controls(&c->d, edge, is_undisturbed, &culprit))
        return CONDITION_ACROSS_CV;
    if (across) {
        violate_by_control(c, edge, &culprit, ", a current that it may be part of itself");
        return CONDITION_VIOLATED;
    }
    if (all_controls(&c->d, edge, is_determined, &culprit))
        return CONDITION_DETERMINED;
    if (is_output_current(c, edge))
        return CONDITION_OUTPUT;
    violate_by_control(c, edge, &culprit, undetermined_text(c, &culprit));
    return CONDITION_VIOLATED;
}

static void check_current(struct check *c, int edge)
{
    struct branch_control culprit;
    const enum condition_rule rule = rule_of_place(c, edge);
    if (rule == CONDITION_VIOLATED)
        return;
    if (!same_part(c->a, c->d.part_crv, edge) && same_part(c->a, c->d.part_channel, edge))
        violate(c, edge, "is all that connects",
                name_control(c->a, &(struct branch_control){analysis_branch(c->a, edge)->plus,
                                                            analysis_branch(c->a, edge)->minus}),
                " besides inductors and current sources: whether its conductance is zero decides");
    else if (has_index2(c->a) && !all_controls(&c->d, edge, is_not_index2, &culprit))
        violate_by_control(c, edge, &culprit, ", an unknown that depends on derivatives");
    else if (!same_part(c->a, c->d.part_channel, edge) && !all_controls(&c->d, edge, is_calm, &culprit))
        violate_by_control(c, edge, &culprit,
                           ", and lies in an L-I cutset: the derivative of what controls it may depend on that cutset");
    else
        add_condition(c, edge, rule, NULL);
}

/* ---- charges and fluxes that depend on other unknowns ---- */

static bool is_storable(const struct determined *d, const struct branch_control *c)
{
    if (!control_is_current(d->a, c))
        return is_determined(d, c);
    const int branch = d->a->branch_of[c->plus];
    return branch >= 0 && edge_is(d->a, branch, EDGE_L);
}

static void check_charge(struct check *c, int edge)
{
    struct branch_control culprit;
    if (all_controls(&c->d, edge, is_storable, &culprit))
        add_condition(c, edge, CONDITION_DETERMINED, NULL);
    else
        violate_by_control(c, edge, &culprit, ", which is not determined by capacitances and voltage sources");
}

/* Currents of other inductors are a coupling whose sign and size the graph does not know. */
static bool is_own_or_voltage(const struct determined *d, const struct branch_control *c, int own_current)
{
    return control_is_current(d->a, c) ? c->plus == own_current : is_determined(d, c);
}

static void check_flux(struct check *c, int edge)
{
    struct branch_control control;
    for (size_t k = 0; analysis_control(c->a, edge, k, &control); k++)
        if (!is_own_or_voltage(&c->d, &control, analysis_branch(c->a, edge)->current)) {
            violate_by_control(c, edge, &control, ": the matrix of inductances may not be positive definite");
            return;
        }
    add_condition(c, edge, CONDITION_DETERMINED, NULL);
}

/* Whether that costs an index depends on what keeps the voltages in it; the numbers tell. */
static void check_rate(struct check *c, int edge)
{
    struct branch_control control;
    if (analysis_control(c->a, edge, 0, &control))
        violate(c, edge, "contains the rate of",
                c->violations < TOPOLOGY_MOST_LISTED ? name_control(c->a, &control) : "",
                ", which only the values say the index of");
}

/* ---- signs ---- */

static void check_sign(struct check *c, int edge)
{
    const struct analysis *a = c->a;
    const struct graph_edge *e = &a->graph.edges[edge];
    if (!(analysis_branch(a, edge)->constant < 0) || e->a == e->b)
        return;
    if ((e->kinds & EDGE_R) && !groups_connected(c->d.joined, e->a, e->b))
        violate(c, edge, "is negative,", "and", " neither capacitances nor voltage sources fix its voltage");
    if ((e->kinds & EDGE_C) && !blocks_is_bridge(&c->d.cv, edge))
        violate(c, edge, "is negative,", "and", " other capacitances or voltage sources lie across it");
    if ((e->kinds & EDGE_L) && !same_part(a, c->d.part_channel, edge))
        violate(c, edge, "is negative,", "and", " lies in an L-I cutset");
}

/* ---- the whole ---- */

static void check_branch(struct check *c, int edge)
{
    const struct graph_edge *e = &c->a->graph.edges[edge];
    if (e->kinds & (EDGE_R | EDGE_C | EDGE_L))
        check_sign(c, edge);
    if (!is_steered(analysis_branch(c->a, edge)))
        return;
    if (e->kinds & EDGE_RATE)
        check_rate(c, edge);
    else if (e->kinds & EDGE_V)
        check_voltage(c, edge);
    else if (e->kinds & EDGE_STEERED)
        check_current(c, edge);
    else if (e->kinds & EDGE_C)
        check_charge(c, edge);
    else if (e->kinds & EDGE_L)
        check_flux(c, edge);
}

/* The first violation, and how many more there are. */
static bool summarise(struct check *c)
{
    struct topology *t = c->a->t;
    if (c->a->doubt) {
        t->because = c->a->doubt;
        return true;
    }
    if (c->violations == 0)
        return true;
    size_t first = 0;
    while (t->conditions[first].rule != CONDITION_VIOLATED)
        first++;
    t->because = t->conditions[first].violation;
    if (c->violations > 1)
        t->because = arena_format(t->memory, "%s (and %zu more like this)", t->because, c->violations - 1);
    return t->because != NULL;
}

bool check_conditions(struct analysis *a)
{
    struct check c = {.a = a, .good = true};
    c.good = determined_find(a, &c.d);
    for (int e = 0; c.good && e < a->branch_count; e++)
        check_branch(&c, e);
    int edge;
    const char *coupling;
    if (c.good && !find_tight_coupling(a, &edge, &coupling))
        c.good = false;
    else if (c.good && coupling)
        add_condition(&c, edge, CONDITION_VIOLATED, coupling);
    c.good = c.good && summarise(&c);
    return c.good;
}
