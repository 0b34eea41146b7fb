/* operating_point.c - see operating_point.h.
 *
 * Methods in the order of their cost; whatever one finds is accepted only if the plain equations hold there, row by
 * row: |f_i| <= reltol (largest current at the node) + abstol, with every helper removed.
 */
#include "mna/start/operating_point.h"

#include "base/rounding.h"
#include "mna/start/cancellation.h"
#include "mna/start/consistent.h"
#include "mna/start/dc_plan.h"
#include "mna/start/homotopy.h"
#include "mna/start/uncertainty.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A solution is refined with a tolerance that shrinks by this factor in each of the first rounds; what anchors disturb
 * gets less by orders of magnitude in every round, until it is this fraction of the tolerance. */
static const double TIGHTENING = 1e-2;
enum { TIGHTENED_ROUNDS = 5, WEAKENED_ROUNDS = 3, ANCHOR_ROUNDS = 30 };

struct search {
    struct arena *memory;
    struct mna *mna;
    const struct operating_options *options;
    struct kn_diagnostics *diagnostics;
    struct dc_plan plan;
    struct augmented augmented;
    struct newton newton;
    struct homotopy homotopy;
    double *start;              /* [n] */
    double *f, *zero;           /* [n] */
    double *row_scale, *terms;  /* [n] magnitude of |G| |x| and of the terms of each equation */
    double *largest;            /* [elements] currents into them */
    double *G, *C;              /* [entries + 1] */
    bool *nonlinear;            /* [n] equations */
    enum newton_outcome direct; /* outcome of plain Newton, for the message */
    int singular;               /* unknown without pivot there, -1 if none */
    int not_finite;             /* equation without a finite value where it stopped, -1 if none */
    double worst;               /* residual of the worst equation against its tolerance, its row and its value */
    int worst_row;
    double worst_residual;
    struct attempt {
        double worst;
        int row;
        double residual;
        const char *name; /* of the method */
    } nearest;            /* the failed attempt that came nearest to a solution */
};

static enum kn_status search_init(struct search *s, struct mna *m, const struct topology *t,
                                  const struct operating_options *o, struct kn_diagnostics *d)
{
    const struct dae *dae = mna_dae(m);
    const size_t n = (size_t)dae->n;
    const struct newton_options newton_options = {o->relative, FAR_BELOW, o->max_iterations, dae->switch_count, false};
    *s = (struct search){.memory = arena_new(), .mna = m, .options = o, .diagnostics = d};
    if (!s->memory || !(s->nonlinear = arena_array(s->memory, n, sizeof *s->nonlinear)) ||
        !arena_vectors(s->memory, n, (double **const[]){&s->start, &s->f, &s->zero, &s->row_scale, &s->terms, NULL}) ||
        !arena_vectors(s->memory, mna_circuit(m)->element_count, (double **const[]){&s->largest, NULL}) ||
        !arena_vectors(s->memory, (size_t)dae->pattern->entries + 1, (double **const[]){&s->G, &s->C, NULL}))
        return KN_ERROR_MEMORY;
    enum kn_status status = dc_plan_init(&s->plan, s->memory, m, t, o->impose_initial);
    if (status == KN_OK)
        status = augmented_init(&s->augmented, s->memory, m);
    if (status != KN_OK)
        return status;
    s->augmented.imposed = s->plan.imposed;
    s->augmented.imposed_count = s->plan.imposed_count;
    s->augmented.anchors = s->plan.anchors;
    s->augmented.anchor_count = s->plan.anchor_count;
    status = newton_init(&s->newton, &s->augmented.dae, &newton_options);
    if (status == KN_OK)
        status =
            homotopy_init(&s->homotopy, s->memory, &s->augmented, &s->newton, o->time, o->max_iterations, s->start);
    return status;
}

static void search_free(struct search *s)
{
    mna_set_source_scale(s->mna, 1);
    mna_set_junction_gmin(s->mna, 0);
    newton_free(&s->newton);
    arena_free(s->memory);
}

static enum kn_status evaluate_plain(struct search *s, const double *x, unsigned what)
{
    const struct dae *dae = mna_dae(s->mna);
    struct dae_values out = {.f = s->f, .G = s->G, .C = s->C};
    return dae->eval(dae->problem, s->options->time, x, what, &out);
}

/* ---- verification ---- */

static double largest_current_of(const struct search *s, int element)
{
    const struct element *e = &mna_circuit(s->mna)->elements[element];
    double largest = 0;
    for (size_t k = 0; k < e->node_count; k++) {
        const double current = fabs(mna_probed_current(s->mna, element, (int)k));
        if (current > largest)
            largest = current;
    }
    return largest;
}

/* What is in an equation: for a current balance the largest current of the elements that meet there, for a voltage
 * equation the voltages in it. */
static void find_terms(struct search *s, const double *x)
{
    const struct circuit *c = mna_circuit(s->mna);
    double *terms = s->terms;
    mna_probe(s->mna, s->options->time, x, s->zero);
    for (size_t e = 0; e < c->element_count; e++) {
        s->largest[e] = largest_current_of(s, (int)e);
        for (size_t k = 0; k < c->elements[e].node_count; k++) {
            const int row = mna_node_unknown(s->mna, c->elements[e].nodes[k]);
            if (row >= 0)
                terms[row] = fmax(terms[row], s->largest[e]);
        }
    }
    for (int i = 0; i < s->augmented.dae.n; i++) {
        const struct unknown *u = mna_unknown(s->mna, i);
        if (u->kind == UNKNOWN_CURRENT)
            terms[i] = s->row_scale[i];
        else if (u->element)
            terms[i] = s->largest[u->element->number];
    }
}

/* The residual of a plain equation at the point of find_residuals, in its tolerances. */
static double excess_of(const struct search *s, int row)
{
    const double tolerance = s->options->relative * s->terms[row] + mna_dae(s->mna)->equation_absolute[row] +
                             ROUNDING_BALANCE * s->row_scale[row];
    const double size = fabs(s->f[row]) / tolerance;
    return isnan(size) ? INFINITY : size;
}

/* Whether every plain equation holds at the point of find_residuals; remembers the worst. */
static bool equations_hold(struct search *s)
{
    s->worst = 0;
    s->worst_row = 0;
    s->worst_residual = s->f[0];
    for (int i = 0; i < s->augmented.dae.n; i++) {
        if (dc_plan_replaces(&s->plan, i) || excess_of(s, i) <= s->worst)
            continue;
        s->worst = excess_of(s, i);
        s->worst_row = i;
        s->worst_residual = s->f[i];
    }
    return s->worst <= 1;
}

/* f and G of the plain equations at x, and the sizes of their terms where without these some do not hold. */
static enum kn_status find_residuals(struct search *s, const double *x)
{
    const size_t bytes = (size_t)s->augmented.dae.n * sizeof(double);
    const enum kn_status status = evaluate_plain(s, x, DAE_F | DAE_G);
    memset(s->row_scale, 0, bytes);
    sparse_multiply_add_absolute(mna_dae(s->mna)->pattern, s->G, x, s->row_scale);
    memset(s->terms, 0, bytes);
    if (!equations_hold(s))
        find_terms(s, x);
    return status;
}

/* The worst equation to blame where a search ended: linear ones hold after every whole step of Newton's method, so a
 * nonlinear one that fails is the reason. */
static int blamed_row(struct search *s)
{
    int blamed = s->worst_row;
    double worst = 1;
    mna_nonlinear_rows(s->mna, s->G, s->nonlinear);
    for (int i = 0; i < s->augmented.dae.n; i++)
        if (s->nonlinear[i] && !dc_plan_replaces(&s->plan, i) && excess_of(s, i) > worst) {
            worst = excess_of(s, i);
            blamed = i;
        }
    return blamed;
}

/* Whether the plain equations of the anchored rows are left alone well below their tolerance. */
static bool anchors_vanish(const struct search *s)
{
    const double *tolerance = mna_dae(s->mna)->equation_absolute;
    for (size_t k = 0; k < s->plan.anchor_count; k++) {
        const int row = s->plan.anchors[k].row;
        if (fabs(s->f[row]) > FAR_BELOW * tolerance[row] + ROUNDING_BALANCE * s->row_scale[row])
            return false;
    }
    return true;
}

/* Solves again from x, with a tighter tolerance, since Newton's method measures equations by |G| |x|, which is more
 * than the currents in them; and with anchors that add nothing at x, weaker ones the first times. */
static enum newton_outcome refine(struct search *s, int count, double *x)
{
    if (count < TIGHTENED_ROUNDS)
        s->newton.options.relative *= TIGHTENING;
    homotopy_weigh(&s->homotopy);
    for (size_t k = 0; k < s->plan.anchor_count && count < WEAKENED_ROUNDS; k++)
        s->plan.anchors[k].rate /= 10;
    if (augmented_rebase(&s->augmented, s->options->time, x) != KN_OK)
        return NEWTON_FAILED;
    return homotopy_newton(&s->homotopy, x);
}

/* Refines x until the plain equations hold there.  KN_ERROR_CIRCUIT (reported): no solution exists;
 * KN_ERROR_CONVERGENCE: this is none. */
static enum kn_status refine_until_accepted(struct search *s, double *x)
{
    const int rounds = s->plan.anchor_count > 0 ? ANCHOR_ROUNDS : TIGHTENED_ROUNDS;
    for (int count = 0;; count++) {
        enum kn_status status = find_residuals(s, x);
        if (status == KN_OK)
            status = dc_plan_check(&s->plan, x, s->f, s->row_scale, s->diagnostics);
        if (status != KN_OK)
            return status;
        if (equations_hold(s) && (anchors_vanish(s) || (count == rounds && !mna_dae(s->mna)->linear)))
            return KN_OK;
        if (count == rounds && dc_plan_check_doubtful(&s->plan, x, s->diagnostics) != KN_OK)
            return KN_ERROR_CIRCUIT;
        if (count == rounds || refine(s, count, x) != NEWTON_CONVERGED)
            return KN_ERROR_CONVERGENCE;
    }
}

static enum kn_status accept(struct search *s, double *x)
{
    const enum kn_status status = refine_until_accepted(s, x);
    s->newton.options.relative = s->options->relative;
    homotopy_weigh(&s->homotopy);
    return status;
}

/* ---- search ---- */

static const struct {
    enum operating_method method;
    const char *name;
    enum newton_outcome (*find)(struct homotopy *h, double *x);
} METHODS[] = {
    {OPERATING_NEWTON, "Newton's method", homotopy_newton},
    {OPERATING_GMIN, "gmin stepping", homotopy_gmin},
    {OPERATING_SOURCE, "source stepping", homotopy_source},
    {OPERATING_PSEUDO_TRANSIENT, "pseudo-transient", homotopy_pseudo_transient},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

/* Islands fed by sources stop the search before it begins; anchors get their rates. */
static enum kn_status prepare(struct search *s)
{
    enum kn_status status = evaluate_plain(s, s->zero, DAE_F | DAE_C);
    if (status == KN_OK)
        status = dc_plan_check_islands_before(&s->plan, s->f, s->diagnostics);
    if (status == KN_OK)
        dc_plan_scale_anchors(&s->plan, s->C);
    return status;
}

/* The start: zero, and what the deck says. With .nodeset the point that the circuit takes with these nodes imposed. */
static enum kn_status make_start(struct search *s, double *x)
{
    const size_t n = (size_t)s->augmented.dae.n;
    if (s->options->start) {
        memcpy(s->start, s->options->start, n * sizeof *x);
        memcpy(x, s->start, n * sizeof *x);
        return KN_OK;
    }
    for (size_t k = 0; k < s->plan.imposed_count; k++)
        if (!s->plan.origins[k].determined)
            s->start[s->plan.imposed[k].unknown] = s->plan.imposed[k].value;
    memcpy(x, s->start, n * sizeof *x);
    s->homotopy.reference = s->zero; /* given voltages beside nodes at 0 V are no voltages of junctions */
    if (!s->plan.has_hints)
        return KN_OK;
    dc_plan_use_hints(&s->plan, true);
    enum newton_outcome outcome = homotopy_newton(&s->homotopy, x);
    if (outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED)
        outcome = homotopy_gmin(&s->homotopy, x);
    dc_plan_use_hints(&s->plan, false);
    s->homotopy.reached_shunt = INFINITY;
    if (outcome == NEWTON_FAILED)
        return s->newton.status;
    s->homotopy.reference = outcome == NEWTON_CONVERGED ? NULL : s->zero;
    memcpy(outcome == NEWTON_CONVERGED ? s->start : x, outcome == NEWTON_CONVERGED ? x : s->start, n * sizeof *x);
    return KN_OK;
}

/* Keeps the place where a failed method ended, if it is nearer to a solution than those before. */
static void note_attempt(struct search *s, const char *name, const double *x)
{
    if (find_residuals(s, x) != KN_OK)
        return;
    equations_hold(s);
    if (!s->nearest.name || s->worst < s->nearest.worst) {
        const int row = blamed_row(s);
        s->nearest = (struct attempt){s->worst, row, s->f[row], name};
    }
}

/* An unknown is undetermined when Newton's method finds no pivot for it, and again when gmin stepping ends. */
static void note_singular(struct search *s, size_t method, enum newton_outcome outcome)
{
    if (METHODS[method].method == OPERATING_NEWTON)
        s->direct = outcome;
    if (METHODS[method].method == OPERATING_NEWTON || METHODS[method].method == OPERATING_GMIN)
        s->singular = outcome == NEWTON_SINGULAR ? sparse_lu_singular(s->newton.lu) : -1;
}

/* An equation that cannot be evaluated is the reason for all that follows. */
static void note_not_finite(struct search *s, size_t method, enum newton_outcome outcome)
{
    if (METHODS[method].method != OPERATING_NEWTON)
        return;
    s->not_finite = -1;
    for (int i = 0; i < s->augmented.dae.n && outcome == NEWTON_NOT_FINITE && s->not_finite < 0; i++)
        if (!isfinite(s->newton.f[i]))
            s->not_finite = i;
}

/* Index of the method that found x, METHOD_COUNT if none did. */
static enum kn_status find(struct search *s, double *x, size_t *found)
{
    for (*found = 0; *found < METHOD_COUNT; ++*found) {
        const enum newton_outcome outcome = METHODS[*found].find(&s->homotopy, x);
        note_singular(s, *found, outcome);
        note_not_finite(s, *found, outcome);
        if (outcome == NEWTON_FAILED)
            return s->newton.status;
        const enum kn_status status = outcome == NEWTON_CONVERGED ? accept(s, x) : KN_ERROR_CONVERGENCE;
        if (status != KN_ERROR_CONVERGENCE)
            return status;
        note_attempt(s, METHODS[*found].name, x);
        if (s->options->start)
            return KN_ERROR_CONVERGENCE;
    }
    return KN_OK;
}

/* ---- what is said ---- */

static void describe_progress(const struct search *s, char *text, size_t size)
{
    char shunt[80], source[80], step[80];
    const struct homotopy *h = &s->homotopy;
    if (isfinite(h->reached_shunt))
        snprintf(shunt, sizeof shunt, "gmin stepping stopped at %.2g S", h->reached_shunt);
    else
        snprintf(shunt, sizeof shunt, "gmin stepping did not start");
    if (h->reached_source >= 0)
        snprintf(source, sizeof source, "source stepping stopped at %.3g %% of the sources", 100 * h->reached_source);
    else
        snprintf(source, sizeof source, "source stepping did not start");
    if (h->reached_step > 0)
        snprintf(step, sizeof step, "pseudo-transient found no rest with steps up to %.2g s", h->reached_step);
    else
        snprintf(step, sizeof step, "pseudo-transient did not start");
    snprintf(text, size, "Newton's method %s, %s, %s, %s",
             s->direct == NEWTON_SINGULAR     ? "met a singular matrix"
             : s->direct == NEWTON_NOT_FINITE ? "could not go on"
                                              : "did not converge",
             shunt, source, step);
}

/* Whether G, the plain equations at the solution, determines it as far as rounded numbers can tell. */
static bool is_regular(const struct search *s)
{
    struct sparse_lu *lu = NULL;
    const bool regular = sparse_lu_new(mna_dae(s->mna)->pattern, &lu) == KN_OK && sparse_lu_factor(lu, s->G) == KN_OK &&
                         sparse_lu_condition(lu, s->G) < ROUNDING_SINGULAR;
    sparse_lu_free(lu);
    return regular;
}

/* A matrix that is singular at a point may be so for the point's sake, where an equation without a solution comes
 * nearest to one (v = v^2 + 1 at v = 0.5).  At a point like any other it tells what nothing determines. */
static bool is_singular_elsewhere(struct search *s)
{
    for (int i = 0; i < s->augmented.dae.n; i++)
        s->start[i] = 0.1 + 0.1 * fmod(0.6180339887498949 * (i + 1), 1);
    return mna_dae(s->mna)->linear || evaluate_plain(s, s->start, DAE_F | DAE_G) != KN_OK || !is_regular(s);
}

static void report_not_finite(struct search *s, const struct unknown *u, struct kn_location where, const char *elements,
                              const char *progress)
{
    static const char hint[] =
        "a formula divides by zero there, overflows or leaves the range of its functions: bound its argument, e.g. "
        "log(max(x,1e-9)), or give .nodeset voltages at which it has a value";
    char fault[200];
    double time;
    const struct element *culprit = mna_describe_fault(s->mna, s->options->time, &time, fault, sizeof fault);
    if (culprit)
        diagnostics_add(
            s->diagnostics, KN_ERROR, "no-operating-point", culprit->where, hint,
            "no operating point found: the formula of %s has no finite value where the search came to: %s; %s",
            culprit->name, fault, progress);
    else
        diagnostics_add(s->diagnostics, KN_ERROR, "no-operating-point", where, hint,
                        "no operating point found: the equation of %s has no finite value where the search came to "
                        "(elements there: %s); %s",
                        u->name, elements, progress);
}

/* What switches and drives itself back, a converter with hysteresis, oscillates where it would rest. */
static const char *hint_of_failure(const struct search *s)
{
    return s->options->impose_initial && mna_dae(s->mna)->switch_count > 0
               ? "a circuit that switches back and forth for ever has none: uic on .tran starts it from the voltages "
                 "of "
                 ".ic and ic=, or from 0; otherwise check the values and models of these elements"
               : "check the values and models of these elements; .nodeset with voltages near the solution helps";
}

static enum kn_status report_failure(struct search *s)
{
    char progress[400], elements[300];
    describe_progress(s, progress, sizeof progress);
    if (s->singular >= 0 && s->nearest.name && !is_singular_elsewhere(s))
        s->singular = -1;
    const int place = s->not_finite >= 0 ? s->not_finite : s->singular >= 0 ? s->singular : s->nearest.row;
    const struct unknown *u = mna_unknown(s->mna, place);
    mna_describe(s->mna, place, elements, sizeof elements);
    const struct kn_location where = mna_unknown_place(s->mna, place);
    if (s->not_finite >= 0)
        report_not_finite(s, u, where, elements, progress);
    else if (s->singular >= 0 && cancellation_hides_solution(&s->plan))
        diagnostics_add(s->diagnostics, KN_ERROR, "no-operating-point", where,
                        "make the largest conductances smaller or the smallest larger, or leave out what does not "
                        "matter",
                        "no operating point found: there is one, but values differ by so many decades that rounding "
                        "hides what determines %s (elements there: %s)",
                        u->name, elements);
    else if (s->singular >= 0)
        diagnostics_add(
            s->diagnostics, KN_ERROR, "no-operating-point", where,
            "look for nodes or currents that nothing determines, e.g. gates without a bias, ideal sources that control "
            "each other, or sources, inductors and lossless lines in a loop without resistance",
            "no operating point found: the equations do not determine %s (elements there: %s); %s", u->name, elements,
            progress);
    else
        diagnostics_add(s->diagnostics, KN_ERROR, "no-operating-point", where, hint_of_failure(s),
                        "no operating point found: %s; %s came nearest, where the equation of %s fails by %.3g %s "
                        "(elements there: %s)",
                        progress, s->nearest.name, u->name, fabs(s->nearest.residual),
                        u->kind == UNKNOWN_VOLTAGE ? "A" : "V", elements);
    return KN_ERROR_CONVERGENCE;
}

/* ---- solutions that rounding has made ---- */

/* Where values cancel, rounding may leave a matrix that has a solution, of any size. */
static enum kn_status check_cancellation(struct search *s)
{
    if (!cancellation_may_be(&s->plan) || is_regular(s))
        return KN_OK;
    const enum kn_status status = evaluate_plain(s, s->zero, DAE_F);
    return status == KN_OK ? cancellation_check(&s->plan, s->f, s->diagnostics) : status;
}

static void report_success(struct search *s, const double *x, size_t found, struct operating_report *report)
{
    const struct sparse_statistics *lu = sparse_lu_statistics(s->newton.lu);
    *report = (struct operating_report){.method = METHODS[found].method,
                                        .iterations = s->newton.statistics.iterations,
                                        .factorizations = lu->factorizations + lu->refactorizations,
                                        .worst_residual = s->worst_residual,
                                        .worst_row = s->worst_row};
    if (dc_plan_is_in_doubt(&s->plan) && s->plan.imposed_count == 0 && is_regular(s))
        dc_plan_dispel_doubt(&s->plan);
    dc_plan_report(&s->plan, x, s->options->relative, s->diagnostics);
    mna_report_bounds(s->mna, s->options->time, x, s->diagnostics);
    if (found > 0)
        diagnostics_add(s->diagnostics, KN_NOTE, "operating-method", NOWHERE, NULL,
                        "the operating point was found by %s; Newton's method alone did not converge",
                        METHODS[found].name);
}

static bool has_active_imposed(const struct dc_plan *plan)
{
    for (size_t k = 0; k < plan->imposed_count; k++)
        if (plan->imposed[k].active && !plan->origins[k].inductor)
            return true;
    return false;
}

/* Index-2 unknowns alone, as behind a corner of the sources, which have been at rest. */
static enum kn_status turn_alone(struct search *s, struct consistent *c, const double *x)
{
    bool moved, restarts = false;
    const size_t bytes = (size_t)s->augmented.dae.n * sizeof *x;
    memcpy(s->start, x, bytes);
    const enum kn_status status = consistent_turn(c, s->options->time, s->start, &moved, &restarts);
    if (restarts)
        memcpy(s->start, x, bytes);
    return status;
}

/* An operating point that begins a transient: nodes of .ic without charge follow the others, index-2 unknowns the
 * derivatives of the sources: these alone, where round-off of charges would decide the others.  Where that fails, the operating
 * point itself is the start. */
static enum kn_status make_consistent(struct search *s, const struct topology *t, double *x)
{
    const bool index_1 = t->verdict == TOPOLOGY_INDEX_0 || t->verdict == TOPOLOGY_INDEX_1;
    if (!s->options->impose_initial)
        return KN_OK;
    mna_begin(s->mna, s->options->time, x);
    if (index_1 && !has_active_imposed(&s->plan))
        return KN_OK;
    memcpy(s->start, x, (size_t)s->augmented.dae.n * sizeof *x);
    struct consistent c = {.mna = s->mna,
                           .topology = t,
                           .relative = s->options->relative,
                           .span = s->options->span > 0 ? s->options->span : INFINITY,
                           .index_1 = index_1};
    enum kn_status status = consistent_hold_at_zero(s->mna, s->options->time, x, true);
    if (status != KN_OK)
        return status;
    status = consistent_restart(&c, s->options->time, NULL, s->start);
    if (status == KN_OK && c.unsettled && !has_active_imposed(&s->plan))
        status = turn_alone(s, &c, x);
    consistent_free(&c);
    if (consistent_hold_at_zero(s->mna, s->options->time, x, false) != KN_OK)
        return KN_ERROR_MEMORY;
    if (status == KN_OK)
        memcpy(x, s->start, (size_t)s->augmented.dae.n * sizeof *x);
    return status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : KN_OK;
}

enum kn_status operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                               struct kn_diagnostics *d, double *x, struct operating_report *report)
{
    struct search s;
    size_t found = METHOD_COUNT;
    *report = (struct operating_report){.method = OPERATING_NONE};
    mna_set_rest(m, true);
    enum kn_status status = search_init(&s, m, t, o, d);
    if (status == KN_OK)
        status = prepare(&s);
    if (status == KN_OK)
        status = make_start(&s, x);
    if (status == KN_OK)
        status = find(&s, x, &found);
    if (status == KN_OK && found < METHOD_COUNT)
        status = check_cancellation(&s);
    if (status == KN_OK && found < METHOD_COUNT)
        status = uncertainty_report(&(struct uncertain_point){m, s.newton.lu, s.row_scale, x, o->relative}, d);
    if (status == KN_OK && found < METHOD_COUNT)
        report_success(&s, x, found, report);
    else if (status == KN_OK)
        status = report_failure(&s);
    if (status == KN_OK)
        status = make_consistent(&s, t, x);
    search_free(&s);
    return status;
}
