/* consistent_euler.c - see consistent_euler.h. */
#include "mna/start/consistent_euler.h"

#include "base/rounding.h"
#include "mna/stabilised/cutset_equations.h"
#include "mna/start/homotopy.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* h relative to the shortest time constant.  The extrapolation leaves its third power, 1e-15, and the round-off of
 * charges over h leaves 1e-16 / 1e-5 of index-2 unknowns, 1e-11: hidden_constraints.h takes that away. */
static const double TIME_FRACTION = 1e-5;
/* h relative to the longest time constant of a capacitance between two nodes: round-off of their charge, which is much
 * like a current of round-off / h, then hides TIME_FRACTION of the currents of the conductances at them. */
#define COUPLING_FRACTION (DBL_EPSILON / TIME_FRACTION)
/* For that nothing else may move.  h relative to the shortest time constant where the nodes have charges or sources to
 * go by, with an error of its third power; where nothing but conductances determines their common voltage, it
 * must be found in any case. */
#define LONGEST_FRACTION cbrt(ROUNDING_SAME)
/* Relative to the distance of the next corner of a source: three steps stay before it, and what a source does until
 * then enters with the third power.  With 1e-3 the state of a memristor moves in the steps (test_consistent). */
static const double CORNER_FRACTION = 1e-4;
/* Relative to the time: slopes of sources between times t + h that are rounded are right to START_RELTOL.  Steps are not made longer than
 * LONGEST_FRACTION for them: what depends on slopes is found again (hidden_constraints.h), charges that move in a step are not. */
#define TIME_RESOLUTION (DBL_EPSILON / START_RELTOL)
/* Voltages (V) and currents (A) that change by this factor in one step do so by an impulse: flux / h is 1 / TIME_FRACTION times
 * what a flux leaves in a time constant, other changes are of the size of the values; the factor is their geometric mean. */
#define IMPULSIVE (1 / sqrt(TIME_FRACTION))

enum kn_status consistent_euler_init(struct consistent_euler *s, struct arena *memory, struct augmented *a, double time,
                                     double relative)
{
    const struct newton_options options = {fmin(relative, START_RELTOL), FAR_BELOW, HOMOTOPY_ITERATIONS,
                                           a->inner->switch_count, false};
    *s = (struct consistent_euler){.augmented = a, .time = time, .h = START_STEP};
    double **const vectors[] = {
        &s->b,        &s->q,        &s->weights,          &s->impulse,          &s->level[0],
        &s->level[1], &s->level[2], &s->impulse_level[0], &s->impulse_level[1], &s->impulse_level[2],
        NULL};
    s->g = arena_array(memory, 2 * (size_t)a->inner->switch_count + 1, sizeof *s->g);
    if (!s->g || !arena_vectors(memory, (size_t)a->dae.n, vectors))
        return KN_ERROR_MEMORY;
    augmented_weigh(a, options.relative, s->weights);
    return newton_init(&s->newton, &a->dae, &options);
}

const struct dae *consistent_euler_dae(const struct consistent_euler *s)
{
    return s->sums ? cutset_equations_dae(s->sums) : &s->augmented->dae;
}

static enum kn_status renew_newton(struct consistent_euler *s)
{
    const struct newton_options options = s->newton.options;
    newton_free(&s->newton);
    return newton_init(&s->newton, consistent_euler_dae(s), &options);
}

enum kn_status consistent_euler_add_up(struct consistent_euler *s, struct arena *memory, const double *x, bool coils)
{
    struct augmented *a = s->augmented;
    const enum kn_status status = cutset_equations_around(&a->dae, a->mna, s->time, x, &s->sums);
    if (status != KN_OK || !s->sums)
        return status;
    if (!coils && cutset_equations_have_cuts(s->sums)) {
        cutset_equations_free(s->sums);
        s->sums = NULL;
        return KN_OK;
    }
    if (!arena_vectors(memory, (size_t)a->dae.pattern->entries + 1, (double **const[]){&s->G, &s->C, NULL}))
        return KN_ERROR_MEMORY;
    return renew_newton(s);
}

enum kn_status consistent_euler_leave_sums(struct consistent_euler *s)
{
    cutset_equations_free(s->sums);
    s->sums = NULL;
    return renew_newton(s);
}

void consistent_euler_free(struct consistent_euler *s)
{
    newton_free(&s->newton);
    cutset_equations_free(s->sums);
    charge_groups_free(&s->groups);
    charge_moves_free(&s->moves);
}

/* ---- the length of the steps ---- */

static double shortest_time_constant(const struct sparse_pattern *p, const double *G, const double *C)
{
    double shortest = INFINITY;
    for (int j = 0; j < p->n; j++) {
        const double Cj = C[sparse_pattern_find(p, j, j)];
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k], transposed = i <= j && Cj != 0 ? sparse_pattern_find(p, j, i) : -1;
            if (transposed < 0)
                continue;
            const double tau = sqrt(fabs(C[sparse_pattern_find(p, i, i)] * Cj / (G[k] * G[transposed])));
            if (tau > 0 && tau < shortest)
                shortest = tau;
        }
    }
    return shortest;
}

/* Of capacitances between two nodes, and of the fluxes of coupled inductors; against the conductances (resistances) at
 * both ends.  Those of groups that only conductances determine, or the others. */
static double longest_coupling(const struct sparse_pattern *p, const double *G, const double *C,
                               const struct charge_groups *groups, bool loose)
{
    double longest = 0;
    for (int j = 0; j < p->n; j++) {
        if ((groups && charge_groups_is_loose(groups, j)) != loose)
            continue;
        const double Gj = fabs(G[sparse_pattern_find(p, j, j)]);
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k];
            const double sum = i < j && C[k] != 0 ? Gj + fabs(G[sparse_pattern_find(p, i, i)]) : 0;
            if (sum > 0)
                longest = fmax(longest, fabs(C[k]) / sum);
        }
    }
    return longest;
}

enum kn_status consistent_euler_length(const struct sparse_pattern *p, const double *G, const double *C,
                                       const struct charge_groups *groups, double time, double limit, double *h)
{
    double shortest, coils;
    enum kn_status status = charge_groups_shortest(p, G, C, &shortest);
    if (status == KN_OK)
        status = charge_groups_shortest_with_coils(p, G, C, &coils);
    shortest = fmin(shortest, shortest_time_constant(p, G, C));
    shortest = status == KN_OK ? fmin(shortest, coils) : shortest;
    const double loose = COUPLING_FRACTION * longest_coupling(p, G, C, groups, true);
    const double firm = COUPLING_FRACTION * longest_coupling(p, G, C, groups, false);
    const double least = fmax(loose, fmin(firm, LONGEST_FRACTION * shortest));
    const double wanted = isfinite(shortest) ? fmax(TIME_FRACTION * shortest, least) : START_STEP;
    const double resolved = fmin(TIME_RESOLUTION * fabs(time), LONGEST_FRACTION * shortest);
    *h = fmax(START_SHORTEST, fmin(fmax(wanted, resolved), CORNER_FRACTION * (limit - time)));
    return status;
}

/* G and C at x, and the groups of charges that these show. */
static enum kn_status find_groups(struct consistent_euler *s, const double *x, double *G, double *C)
{
    const struct dae *dae = s->augmented->inner;
    struct dae_values out = {.G = G, .C = C};
    enum kn_status status = dae->eval(dae->problem, s->time, x, DAE_G | DAE_C | DAE_LIMIT, &out);
    charge_groups_free(&s->groups);
    if (status == KN_OK)
        status = charge_groups_init(&s->groups, dae->pattern, C);
    if (status == KN_OK)
        charge_groups_find_tied(&s->groups, dae->pattern, G, C);
    return status;
}

enum kn_status consistent_euler_choose(struct consistent_euler *s, const double *x, const double *reference,
                                       double limit)
{
    const struct dae *dae = s->augmented->inner;
    if (dae->begin_newton)
        dae->begin_newton(dae->problem, reference);
    double *G = s->newton.G, *C = s->newton.C;
    newton_invalidate(&s->newton);
    enum kn_status status = find_groups(s, x, s->sums ? s->G : G, s->sums ? s->C : C);
    const struct dae *sums = consistent_euler_dae(s);
    struct dae_values out = {.G = G, .C = C};
    if (status == KN_OK && s->sums)
        status = sums->eval(sums->problem, s->time, x, DAE_G | DAE_C | DAE_LIMIT, &out);
    return status != KN_OK
               ? status
               : consistent_euler_length(sums->pattern, G, C, s->sums ? NULL : &s->groups, s->time, limit, &s->h);
}

enum kn_status consistent_euler_sum_cuts(struct consistent_euler *s, struct arena *memory, const double *x, double limit, bool *summed)
{
    const bool had = s->sums;
    const enum kn_status status = had ? KN_OK : consistent_euler_add_up(s, memory, x, true);
    *summed = !had && s->sums;
    return status == KN_OK && *summed ? consistent_euler_choose(s, x, x, limit) : status;
}

enum kn_status consistent_euler_leave_cuts(struct consistent_euler *s, const double *x, const double *reference, double limit)
{
    const enum kn_status status = consistent_euler_leave_sums(s);
    return status == KN_OK ? consistent_euler_choose(s, x, reference, limit) : status;
}

/* ---- steps and their limit ---- */

static enum newton_outcome euler_step(struct consistent_euler *s, const double *q, double t, double h,
                                      const double *reference, double *x)
{
    for (int i = 0; i < s->augmented->dae.n; i++)
        s->b[i] = -q[i] / h;
    if (s->sums)
        cutset_equations_forget_charges(s->sums, s->b);
    const struct newton_problem problem = {
        .t = t, .alpha = 1 / h, .b = s->b, .weights = s->weights, .reference = reference};
    return newton_solve(&s->newton, &problem, x);
}

static bool is_impulsive(double before, double after)
{
    return fabs(after - before) > IMPULSIVE * (1 + fabs(before));
}

/* Impulses of voltage make nodes stand at flux / h after the first step.  Groups of nodes whose common shift changes no
 * charge go back to where they came from, so that charges are not differences of huge numbers.  True if there was one.
 */
static bool take_back_impulses(const struct consistent_euler *s, const double *before, double *x)
{
    bool any = false;
    for (int i = 0; i < s->groups.n; i++) {
        const int r = charge_groups_shift(&s->groups, i);
        if (r < 0 || r == i || !is_impulsive(before[r], x[r]))
            continue;
        x[i] -= x[r] - before[r];
        any = true;
    }
    for (int i = 0; i < s->groups.n; i++)
        if (charge_groups_shift(&s->groups, i) == i && is_impulsive(before[i], x[i]))
            x[i] = before[i];
    return any;
}

static enum newton_outcome step_from(struct consistent_euler *s, int number, double h, double *x)
{
    const struct dae *dae = consistent_euler_dae(s);
    struct dae_values out = {.q = s->q};
    if (dae->eval(dae->problem, s->time + number * h, x, DAE_Q, &out) != KN_OK)
        return NEWTON_FAILED;
    return euler_step(s, s->q, s->time + (number + 1) * h, h, NULL, x);
}

/* After an impulse of voltage a third step forgets the round-off that it has left in the currents of the first; the
 * longest step decides for all. */
static enum newton_outcome take_level(struct consistent_euler *s, const double *q_given, int steps, int level,
                                      const double *start)
{
    const double h = ldexp(s->h, -level);
    double *x = s->level[level];
    memcpy(x, start, (size_t)s->groups.n * sizeof *x);
    newton_invalidate(&s->newton);
    enum newton_outcome outcome = euler_step(s, q_given, s->time + h, h, level == 0 ? s->reference : NULL, x);
    for (int i = 0; i < s->groups.n; i++)
        s->impulse_level[level][i] = h * x[i];
    if (outcome != NEWTON_CONVERGED || steps < 2)
        return outcome;
    const bool impulsive = take_back_impulses(s, start, x);
    if (level == 0)
        s->third_step = impulsive;
    outcome = step_from(s, 1, h, x);
    return outcome == NEWTON_CONVERGED && s->third_step ? step_from(s, 2, h, x) : outcome;
}

/* ---- layers that nobody sees ---- */

/* So many steps, of which a parabola through the last three leads back to the time itself: what is much faster than a step has died away
 * in them, and of the rest its third derivative is missed. */
enum { PASSING_STEPS = 5 };
/* Where charges move too far: what layers leave beside steps of ten of their time constants is 1e-5 (implicit Euler, five of them), so that
 * halvings find all but the last tenth of lengths that do. */
static const double PASSING_SHORTENING = 0.5;

/* found [n] := where they lead from q_given [n], as seen from the time itself. */
static enum newton_outcome take_passing_steps(struct consistent_euler *s, const double *q_given, double h, double *found)
{
    double *third = s->level[0], *fourth = s->level[1];
    const size_t bytes = (size_t)s->augmented->dae.n * sizeof *found;
    newton_invalidate(&s->newton);
    enum newton_outcome outcome = euler_step(s, q_given, s->time + h, h, NULL, found);
    for (int step = 1; step < PASSING_STEPS && outcome == NEWTON_CONVERGED; step++) {
        memcpy(third, fourth, bytes);
        memcpy(fourth, found, bytes);
        outcome = step_from(s, step, h, found);
    }
    for (int i = 0; i < s->augmented->dae.n; i++)
        found[i] = 10 * third[i] - 15 * fourth[i] + 6 * found[i];
    return outcome;
}

/* seen [n] := what the tolerances of values make of charges and fluxes; *h: s, the longest step in which none of them moves by more than
 * a part of it that is none.  From here on s->moves tells what they say of values. */
static enum newton_outcome find_unseen(struct consistent_euler *s, const double *tolerances, const double *x, double *seen, double *h)
{
    const struct dae *dae = s->augmented->inner;
    double *C = s->sums ? s->C : s->newton.C;
    struct dae_values values = {.C = C, .f = s->b};
    newton_invalidate(&s->newton);
    if (dae->eval(dae->problem, s->time, x, DAE_F | DAE_C, &values) != KN_OK)
        return NEWTON_FAILED;
    charge_moves_free(&s->moves);
    const enum kn_status status = charge_moves_init(&s->moves, dae->pattern, C);
    if (status == KN_ERROR_CIRCUIT)
        charge_moves_free(&s->moves);
    else if (status != KN_OK)
        return NEWTON_FAILED;
    memset(seen, 0, (size_t)s->augmented->dae.n * sizeof *seen);
    sparse_multiply_add_absolute(dae->pattern, C, tolerances, seen);
    *h = INFINITY;
    for (int i = 0; i < dae->n; i++)
        if (seen[i] > 0 && s->b[i] != 0)
            *h = fmin(*h, TOLERANCE_INVISIBLE * seen[i] / fabs(s->b[i]));
    return NEWTON_CONVERGED;
}

/* The same for what the charges tell of values: of coils that share most of their flux fluxes differ by little where currents differ by
 * much.  A value is known as well as its own charge with what the tolerances of others make of that: 50 uA are nothing in a tap beside 20 A
 * in the other. */
static double find_moved_values(struct consistent_euler *s, const double *q_given, const double *seen, const double *q)
{
    double *dx = s->b, most = 0;
    if (!s->moves.lu)
        return 0;
    for (int i = 0; i < s->augmented->dae.n; i++)
        dx[i] = q[i] - q_given[i];
    charge_moves_find(&s->moves, dx);
    for (int i = 0; i < s->augmented->dae.n; i++)
        if (dx[i] != 0)
            most = fmax(most, fabs(dx[i] * s->moves.own[i]) / seen[i]);
    return most;
}

/* q [n] := charges and fluxes at x [n]; the largest part of seen [n] by which they differ from q_given [n]. */
static double find_moved(struct consistent_euler *s, const double *q_given, const double *seen, const double *x, double *q)
{
    const struct dae *dae = s->augmented->inner;
    struct dae_values out = {.q = q};
    double most = 0;
    if (dae->eval(dae->problem, s->time, x, DAE_Q, &out) != KN_OK)
        return INFINITY;
    for (int i = 0; i < dae->n; i++)
        if (q[i] != q_given[i])
            most = fmax(most, fabs(q[i] - q_given[i]) / seen[i]);
    return most <= 1 ? fmax(most, find_moved_values(s, q_given, seen, q)) : most;
}

/* From what is left of the layers again, until nothing moves any more; !*gone: they do not end in such steps, nor would they in shorter ones. */
static enum newton_outcome pass_again(struct consistent_euler *s, const double *seen, double h, double *q, double *x, bool *gone)
{
    enum newton_outcome outcome = NEWTON_CONVERGED;
    double moved = INFINITY, *given = s->impulse_level[0];
    for (int pass = 0; pass < CONSISTENT_EULER_ATTEMPTS && moved > TOLERANCE_NEGLIGIBLE && outcome == NEWTON_CONVERGED; pass++) {
        memcpy(given, q, (size_t)s->augmented->dae.n * sizeof *q);
        outcome = take_passing_steps(s, given, h, x);
        moved = find_moved(s, given, seen, x, q);
    }
    *gone = outcome != NEWTON_CONVERGED || moved <= TOLERANCE_NEGLIGIBLE;
    return outcome;
}

/* Whether a switch that has just turned, at x [n], would turn back at found [n]. */
static bool turns_back(const struct consistent_euler *s, const double *x, const double *found)
{
    const struct dae *dae = s->augmented->inner;
    double *here = s->g, *there = s->g + dae->switch_count, largest = 0;
    for (int i = 0; i < s->augmented->dae.n; i++)
        largest = fmax(largest, fabs(x[i]));
    dae->switches(dae->problem, s->time, x, here);
    dae->switches(dae->problem, s->time, found, there);
    for (int i = 0; i < dae->switch_count; i++)
        if (here[i] * there[i] < 0 && fabs(here[i]) <= ROUNDING_SAME * largest)
            return true;
    return false;
}

/* found [n], of which a bent law leaves but the charges and what these change by: a parabola through three of its points is not on it.
 * seen [n] is 0 for equations without charge. */
static enum newton_outcome correct_parabola(struct consistent_euler *s, const double *seen, double h, double *found)
{
    const struct dae *dae = s->augmented->inner;
    struct dae_values values = {.f = s->b, .q = s->q};
    if (dae->eval(dae->problem, s->time, found, DAE_F | DAE_Q, &values) != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < s->augmented->dae.n; i++)
        s->b[i] = -s->q[i] / h - (seen[i] > 0 ? s->b[i] : 0);
    if (s->sums)
        cutset_equations_forget_charges(s->sums, s->b);
    newton_invalidate(&s->newton);
    const struct newton_problem problem = {.t = s->time, .alpha = 1 / h, .b = s->b, .weights = s->weights};
    return newton_solve(&s->newton, &problem, found);
}

enum newton_outcome consistent_euler_pass(struct consistent_euler *s, const double *q_given, const double *tolerances, double limit,
                                          double *x, double *h)
{
    const size_t bytes = (size_t)s->augmented->dae.n * sizeof *x;
    double *seen = s->level[2], *found = s->impulse, *q = s->impulse_level[1];
    enum newton_outcome outcome = find_unseen(s, tolerances, x, seen, h);
    bool gone = true;
    for (*h = fmin(*h, CORNER_FRACTION * (limit - s->time)); outcome != NEWTON_FAILED && gone && *h > s->h; *h *= PASSING_SHORTENING) {
        memcpy(found, x, bytes);
        outcome = take_passing_steps(s, q_given, *h, found);
        if (outcome == NEWTON_CONVERGED && find_moved(s, q_given, seen, found, q) <= 1)
            outcome = pass_again(s, seen, *h, q, found, &gone);
        if (outcome == NEWTON_CONVERGED && gone && find_moved(s, q_given, seen, found, q) <= 1)
            outcome = correct_parabola(s, seen, *h, found);
        if (outcome != NEWTON_CONVERGED || !gone || !(find_moved(s, q_given, seen, found, q) <= 1))
            continue;
        s->turned_back = turns_back(s, x, found);
        memcpy(x, found, bytes);
        return NEWTON_CONVERGED;
    }
    *h = 0;
    return outcome == NEWTON_FAILED ? outcome : NEWTON_CONVERGED;
}

/* Half as long a step has what an impulse makes twice, its derivative four times as large: what goes further than impulses do is rounding
 * that Newton's method has followed. */
static bool levels_agree(const struct consistent_euler *s, int level)
{
    for (int i = 0; level > 0 && i < s->augmented->dae.n; i++)
        if (is_impulsive(s->level[level - 1][i], s->level[level][i]))
            return false;
    return true;
}

double limit_of(double a, double b, double c)
{
    return c + (c - b) * 5 / 3 - (b - a) / 3;
}

static void take_limits(const struct consistent_euler *s, double *const level[EULER_LEVELS], double *out)
{
    for (int i = 0; i < s->augmented->dae.n; i++)
        out[i] = limit_of(level[0][i], level[1][i], level[2][i]);
}

enum newton_outcome consistent_euler_take(struct consistent_euler *s, const double *q_given, int steps, double *x)
{
    const double *start = x;
    for (int level = 0; level < EULER_LEVELS; level++) {
        const enum newton_outcome outcome = take_level(s, q_given, steps, level, start);
        if (outcome != NEWTON_CONVERGED)
            return outcome;
        if (!levels_agree(s, level))
            return NEWTON_SLOW;
        start = s->level[level];
    }
    take_limits(s, s->level, x);
    take_limits(s, s->impulse_level, s->impulse);
    return NEWTON_CONVERGED;
}

enum newton_outcome consistent_euler_deform(struct consistent_euler *s, struct arena *memory, const double *q_given,
                                            double *x)
{
    static enum newton_outcome (*const methods[])(struct homotopy * h, double *x) = {homotopy_gmin, homotopy_source,
                                                                                     homotopy_pseudo_transient};
    struct homotopy h;
    const int n = s->augmented->dae.n;
    double *from = arena_array(memory, (size_t)n, sizeof *from);
    if (!from ||
        homotopy_init(&h, memory, s->augmented, &s->newton, s->time + s->h, HOMOTOPY_ITERATIONS, from) != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < n; i++)
        s->b[i] = -q_given[i] / s->h;
    memcpy(from, x, (size_t)n * sizeof *from);
    h.alpha = 1 / s->h;
    h.b = s->b;
    enum newton_outcome outcome = NEWTON_SLOW;
    for (size_t i = 0; i < 3 && outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED; i++)
        outcome = methods[i](&h, x);
    return outcome;
}

/* Steps `factor` times as long as the ones before, so many times at most. */
struct euler_attempts {
    double factor;
    int most, steps;
    double *work; /* [n] */
};

double consistent_euler_unsettled(const struct consistent_euler *s)
{
    const struct augmented *a = s->augmented;
    double worst = 0;
    for (int i = 0; i < a->dae.n; i++) {
        const double first = s->level[0][i], second = s->level[1][i], third = s->level[2][i];
        const double limit = limit_of(first, second, third), missed = fabs(limit - (2 * third - second));
        if (mna_unknown(a->mna, i)->kind == UNKNOWN_VOLTAGE && charge_groups_shift(&s->groups, i) >= 0)
            worst = fmax(worst, missed / (s->newton.options.relative * fabs(limit) + a->dae.absolute[i]));
    }
    return worst;
}

/* Steps of other lengths as long as they leave voltages less unsettled; *x [n] and the levels are those of the best.  Longer ones by
 * more than the root of their ratio: round-off falls as they grow, and what an impulse leaves does not. */
static enum newton_outcome settle_by(struct consistent_euler *s, const struct euler_attempts *other,
                                     const double *q_given, double *unsettled, double *x)
{
    const size_t bytes = (size_t)s->augmented->dae.n * sizeof *x;
    for (int attempt = 0; *unsettled > 1 && attempt < other->most; attempt++) {
        const double before = *unsettled, h = s->h;
        memcpy(other->work, x, bytes);
        s->h *= other->factor;
        const enum newton_outcome outcome = consistent_euler_take(s, q_given, other->steps, x);
        if (outcome == NEWTON_FAILED)
            return outcome;
        *unsettled = outcome == NEWTON_CONVERGED ? consistent_euler_unsettled(s) : INFINITY;
        if (*unsettled * fmax(1, sqrt(other->factor)) < before)
            continue;
        memcpy(x, other->work, bytes);
        s->h = h;
        *unsettled = before;
        return consistent_euler_take(s, q_given, other->steps, x);
    }
    return NEWTON_CONVERGED;
}

enum newton_outcome consistent_euler_settle(struct consistent_euler *s, const double *q_given, int steps, double *work,
                                            double *x)
{
    const struct euler_attempts shorter = {CONSISTENT_EULER_SHORTENING, CONSISTENT_EULER_ATTEMPTS, steps, work};
    const struct euler_attempts longer = {LONGEST_FRACTION / TIME_FRACTION, 1, steps, work};
    double unsettled = consistent_euler_unsettled(s);
    enum newton_outcome outcome = settle_by(s, &shorter, q_given, &unsettled, x);
    /* What shorter steps make no better is round-off of charges, divided by them. */
    if (outcome == NEWTON_CONVERGED)
        outcome = settle_by(s, &longer, q_given, &unsettled, x);
    s->unsettled = unsettled;
    return outcome;
}
