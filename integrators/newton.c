/* newton.c - see newton.h for the method and its sources. */
#include "integrators/newton.h"

#include "base/hash.h"
#include "base/rounding.h"
#include "integrators/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a factorisation costs more than so many solves, factors serve for every alpha near theirs (CVODE.change), with a
 * contraction of 0.18 or better. */
static const double DEAR = 16;
static const double SMALLEST_DAMPING = 1.0 / 1024;
static const double SUSPICIOUS_DAMPING = 1.0 / 16; /* it is asked whether the correction is anything but rounding error */
enum { FAR_LEAPS = 3, MOST_VAIN_LEAPS = 6 };

static double *vector(int n)
{
    return calloc((size_t)n, sizeof(double));
}

static bool remember_sides(struct newton *s)
{
    s->sides = vector(s->options.open_sides);
    s->seen = calloc((size_t)s->options.max_iterations, sizeof *s->seen);
    return s->sides && s->seen;
}

enum kn_status newton_init(struct newton *s, const struct dae *dae, const struct newton_options *options)
{
    memset(s, 0, sizeof *s);
    s->dae = dae;
    s->options = *options;
    s->alpha = NAN;
    s->G = sparse_values(dae->pattern);
    s->C = sparse_values(dae->pattern);
    s->matrix = sparse_values(dae->pattern);
    s->level = calloc((size_t)dae->n, sizeof *s->level);
    double **const vectors[] = {&s->f,       &s->q,         &s->residual, &s->update,  &s->correction,
                                &s->before,  &s->row_scale, &s->row_size, &s->row_sum, &s->row_weight,
                                &s->q_terms, &s->f_terms,   &s->rounding};
    bool complete = s->G && s->C && s->matrix && s->level;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = vector(dae->n)) != NULL && complete;
    if (complete)
        dae_find_levels(dae, s->level);
    complete = complete && (options->open_sides == 0 || remember_sides(s));
    const enum kn_status status = complete ? sparse_lu_new(dae->pattern, &s->lu) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        newton_free(s);
    return status;
}

void newton_free(struct newton *s)
{
    sparse_lu_free(s->lu);
    double *const arrays[] = {s->G,          s->C,          s->matrix,  s->f,         s->q,        s->residual,
                              s->update,     s->correction, s->before,  s->row_scale, s->row_size, s->row_sum,
                              s->row_weight, s->q_terms,    s->f_terms, s->rounding};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    free(s->level);
    free(s->sides);
    free(s->seen);
    memset(s, 0, sizeof *s);
}

void newton_invalidate(struct newton *s)
{
    s->alpha = NAN;
    s->have_jacobian = false;
}

/* Factors made for an alpha that differs by no more serve exactly enough (rounding of times makes alpha jitter). */
static bool factors_fit(const struct newton *s, double alpha)
{
    return fabs(s->alpha - alpha) <= ROUNDING_SAME * fabs(alpha);
}

static bool factors_serve(const struct newton *s, double alpha)
{
    const double ratio = alpha / s->alpha, least = 1 - CVODE.change;
    return factors_fit(s, alpha) || (sparse_lu_effort(s->lu) > DEAR && ratio > least && ratio * least < 1);
}

double newton_shortfall(const struct newton *s, double alpha)
{
    const double ratio = alpha / s->alpha;
    return ratio < 1 && !factors_fit(s, alpha) ? 1 / ratio : 1;
}

enum newton_outcome newton_solve_euler(struct newton *s, const struct newton_euler *e, double *x)
{
    for (int i = 0; i < s->dae->n; i++)
        e->b[i] = -e->charges[i] / e->h;
    const struct newton_problem problem = {
        .t = e->t, .alpha = 1 / e->h, .b = e->b, .weights = e->weights, .reference = e->reference};
    return newton_solve(s, &problem, x);
}

void newton_back_solve(struct newton *s, double *b)
{
    s->statistics.solves++;
    sparse_lu_solve(s->lu, b);
}

/* Factors G + alpha C with the Jacobians at hand. */
static bool factor_jacobians(struct newton *s, double alpha)
{
    const int entries = s->dae->pattern->entries;
    for (int k = 0; k < entries; k++)
        s->matrix[k] = s->G[k] + alpha * s->C[k];
    s->alpha = NAN;
    s->fall = 0;
    s->status = sparse_lu_factor(s->lu, s->matrix);
    if (s->status != KN_OK)
        return false;
    s->alpha = alpha;
    s->relaxation = 1;
    return true;
}

bool newton_linearize(struct newton *s, double t, const double *x, double alpha)
{
    struct dae_values out = {.G = s->G, .C = s->C};
    s->statistics.evaluations++;
    s->statistics.jacobians++;
    newton_invalidate(s);
    s->status = s->dae->eval(s->dae->problem, t, x, DAE_G | DAE_C, &out);
    return s->status == KN_OK && factor_jacobians(s, alpha);
}

/* The first residual that is not finite is the one to be named. */
static void blame_not_finite(struct newton *s)
{
    int i = 0;
    while (i < s->dae->n && isfinite(s->residual[i]))
        i++;
    if (i < s->dae->n)
        s->worst = s->worst_row = i;
}

/* Evaluates at x; false when a residual is not finite or eval failed. */
static bool evaluate(struct newton *s, const struct newton_problem *p, const double *x, bool jacobian)
{
    const struct dae *dae = s->dae;
    struct dae_values out = {.f = s->f, .q = s->q, .G = s->G, .C = s->C, .dfdt = p->dfdt, .dqdt = p->dqdt};
    const unsigned what =
        DAE_F | DAE_Q | (jacobian ? DAE_G | DAE_C : 0) | (p->dfdt ? DAE_T : 0) | (dae->begin_newton ? DAE_LIMIT : 0);
    s->statistics.evaluations++;
    s->statistics.jacobians += jacobian;
    s->status = dae->eval(dae->problem, p->t, x, what, &out);
    if (s->status != KN_OK)
        return false;
    s->limited = out.limited;
    s->have_jacobian = jacobian || dae->linear;
    const double alpha = p->alpha, *b = p->b;
    double sum = 0, *residual = s->residual;
    for (int i = 0; i < dae->n; i++) {
        /* In this order what enters one row and leaves another, the charge of a capacitor, cancels in their sum to the
         * last bit, as it must where a large one joins two nodes in a short step. */
        residual[i] = (alpha * s->q[i] + b[i]) + s->f[i];
        sum += fabs(residual[i]);
    }
    if (!isfinite(sum))
        blame_not_finite(s);
    return isfinite(sum);
}

/* Terms of column j: as they are for rounding, with potentials beside one of them for tolerances. */
static void scale_column(struct newton *s, const struct newton_problem *p, const double *x, int j)
{
    const struct sparse_pattern *pattern = s->dae->pattern;
    const int *restrict row = pattern->row, *restrict level = s->level;
    const double *restrict G = s->G, *restrict C = s->C, alpha = p->alpha, xj = x[j];
    double *restrict scale = s->row_scale, *restrict size = s->row_size, *restrict sum = s->row_sum;
    const bool potential = s->dae->potentials && s->dae->potentials[j];
    for (int k = pattern->column_start[j], end = pattern->column_start[j + 1]; k < end; k++) {
        const int i = row[k];
        const double coefficient = fabs(G[k]) + alpha * fabs(C[k]);
        scale[i] += coefficient * fabs(xj);
        size[i] += coefficient * fabs(potential ? xj - x[level[i]] : xj);
        sum[i] += potential ? G[k] + alpha * C[k] : 0;
    }
}

static void scale_rows(struct newton *s, const struct newton_problem *p, const double *x)
{
    const int n = s->dae->n;
    for (int i = 0; i < n; i++) {
        s->row_scale[i] = s->row_size[i] = fabs(p->b[i]);
        s->row_sum[i] = 0;
    }
    for (int j = 0; j < n; j++)
        scale_column(s, p, x, j);
    for (int i = 0; i < n; i++) {
        const double size = s->row_size[i] + (s->level[i] < 0 ? 0 : fabs(s->row_sum[i] * x[s->level[i]]));
        const double rounding = ROUNDING / s->options.kappa * s->row_scale[i];
        s->row_weight[i] = 1 / (s->options.relative * size + s->dae->equation_absolute[i] + rounding);
    }
}

/* Whether a conductance has fallen so far below that in the factors that by its scale kappa leaves more than the tolerance: a switch opened. */
static bool has_opened(const struct newton *s, double alpha)
{
    for (int i = 0; i < s->dae->n; i++) {
        const int k = sparse_pattern_find(s->dae->pattern, i, i);
        if (fabs(s->G[k] + alpha * s->C[k]) < s->options.kappa * fabs(s->matrix[k]))
            return true;
    }
    return false;
}

static enum newton_outcome factor(struct newton *s, const struct newton_problem *p, const double *x)
{
    if (!factor_jacobians(s, p->alpha))
        return s->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    scale_rows(s, p, x);
    return NEWTON_CONVERGED;
}

static double weight(const struct newton *s, const struct newton_problem *p, const double *x, int i)
{
    return p->weights ? p->weights[i] : 1 / (s->options.relative * fabs(x[i]) + s->dae->absolute[i]);
}

/* to := -M^-1 residual; its weighted maximum norm. */
static double correct(struct newton *s, const struct newton_problem *p, const double *x, double *restrict to)
{
    const int n = s->dae->n;
    const double part = -s->relaxation, *restrict residual = s->residual;
    for (int i = 0; i < n; i++)
        to[i] = part * residual[i];
    newton_back_solve(s, to);
    double norm = 0;
    for (int i = 0; i < n; i++) {
        const double size = fabs(to[i]) * weight(s, p, x, i);
        if (!(size <= norm)) {
            norm = size;
            s->worst = i;
        }
    }
    s->worst_update = norm;
    return norm;
}

/* Weighted maximum norm of the residual. */
static double residual_norm(struct newton *s)
{
    const double *residual = s->residual, *row_weight = s->row_weight;
    const int n = s->dae->n;
    double norm = 0;
    for (int i = 0; i < n; i++) {
        const double size = fabs(residual[i]) * row_weight[i];
        if (size > norm) {
            norm = size;
            s->worst_row = i;
        }
    }
    s->worst_residual = s->residual[s->worst_row];
    return norm;
}

/* Whether the residual is rounding error everywhere.  Nothing else is so little that it need not be asked for corrections: where a node
 * hangs between blocking junctions on gmin alone, 1e-15 A are a millivolt. */
static bool is_rounded(const struct newton *s, const struct newton_problem *p)
{
    for (int i = 0; i < s->dae->n; i++)
        if (fabs(s->residual[i]) > ROUNDING * (s->row_scale[i] + fabs(p->b[i])))
            return false;
    return true;
}

static void move(struct newton *s, double lambda, double *x)
{
    const double *restrict before = s->before, *restrict update = s->update;
    for (int i = 0, n = s->dae->n; i < n; i++)
        x[i] = before[i] + lambda * update[i];
}

/* What is known while iterating. */
struct iteration {
    double update_norm;
    double correction_norm; /* of the simplified correction at the point just evaluated; negative: not known */
    double residual_norm;
    bool fresh;     /* the factors belong to the point where the update starts */
    bool full;      /* Jacobians are evaluated with every point */
    int leaps;      /* full steps taken although the correction grew */
    int vain_leaps; /* those of them to a piece that was seen before, or where pieces are not told apart */
};

static double correction_norm(struct newton *s, const struct newton_problem *p, struct iteration *it, const double *x)
{
    if (it->correction_norm < 0)
        it->correction_norm = correct(s, p, x, s->correction);
    return it->correction_norm;
}

/* Whether after an update of that size, each being rho times the one before, less than the goal is left: the sum of the
 * geometric series. */
static bool promises(double rho, double update_norm, double goal)
{
    return rho < 0.5 && rho / (1 - rho) * update_norm <= goal;
}

/* Newton's part of the tolerance, or of what is asked for instead. */
static double goal_of(const struct newton *s, const struct newton_problem *p)
{
    return s->options.kappa * (p->accuracy > 0 ? p->accuracy : 1);
}

/* Whether the laws that state a difference hold to its tolerance.  Behind a corner of a steep one a Jacobian from before
 * it explains any residual by unknowns moved within their tolerance: an amplifier of gain 1e7 limited to 15 V would
 * stand at 25 V, corrected by 1 uV at its input. */
static bool laws_hold(const struct newton *s, const struct newton_problem *p, const double *x)
{
    const double kappa = goal_of(s, p);
    for (size_t k = 0; k < s->dae->law_count; k++) {
        const struct dae_law *law = &s->dae->laws[k];
        double tolerance = ROUNDING * s->row_scale[law->equation];
        tolerance += law->plus < 0 ? 0 : kappa / weight(s, p, x, law->plus);
        tolerance += law->minus < 0 ? 0 : kappa / weight(s, p, x, law->minus);
        if (!(fabs(s->residual[law->equation]) <= tolerance))
            return false;
    }
    return true;
}

/* The ratio of corrections to expect where residuals fell by that factor: the one seen last with these factors, more where residuals
 * fall less.  Believed to be no better than what old factors must reach, so that what it spares stays a fifth of the tolerance
 * even where corrections no longer shrink at all. */
static double remembered_rate(const struct newton *s, double fall)
{
    return fmax(s->rate * fmax(1, fall / s->fall), NEWTON_GOOD_CONTRACTION);
}

/* The update and residual tests at the point just evaluated.  The contraction of residuals needs no solution but may
 * mislead: they fall by many decades in equations with large conductances while a diode behind them is far from its
 * voltage.  That of the corrections must confirm it, or have done so with the same factors. */
static bool converged(struct newton *s, const struct newton_problem *p, struct iteration *it, const double *x)
{
    const double before = it->residual_norm;
    it->residual_norm = residual_norm(s);
    if (s->limited)
        return false;
    if (is_rounded(s, p))
        return true;
    if (it->residual_norm > s->options.kappa || !laws_hold(s, p, x))
        return false;
    const double goal = goal_of(s, p), fall = it->residual_norm / before;
    if (it->fresh && it->update_norm <= goal)
        return true;
    if (!promises(fall, it->update_norm, goal))
        return false;
    if (s->fall > 0 && promises(remembered_rate(s, fall), it->update_norm, goal))
        return true;
    s->rate = correction_norm(s, p, it, x) / it->update_norm;
    s->fall = isfinite(s->rate) ? fall : 0;
    return promises(s->rate, it->update_norm, goal);
}

void newton_rounding(struct newton *s, const double *x, double charges, double currents)
{
    const struct rounding_system system = {s->dae, s->G, s->C, x, s->lu};
    const struct rounding_work work = {s->q_terms, s->f_terms, s->correction};
    rounding_find(&system, charges, currents, s->rounding, &work);
    s->statistics.solves += ROUNDING_SOLVES;
}

/* Whether the update is nothing but rounding of the residual where it exceeds the goal.  A diode's 10 mOhm beside the
 * 1e-12 S of its blocking junction is enough: currents rounded to 1e-14 A are 10 mV there, and no Newton step can do
 * better. */
static bool is_rounding(struct newton *s, const struct newton_problem *p, const struct iteration *it, const double *x)
{
    const bool near = it->residual_norm <= 1; /* far from it exponentials, and their rounding, may be anything */
    if (s->limited || !it->fresh || !near || !laws_hold(s, p, x))
        return false;
    newton_rounding(s, x, p->alpha, 1);
    for (int i = 0; i < s->dae->n; i++)
        if (fabs(s->update[i]) > s->rounding[i] + goal_of(s, p) / weight(s, p, x, i))
            return false;
    return true;
}

/* Whether comparisons stand at x as they did not before in this search, which remembers it. */
static bool is_new_piece(struct newton *s, const struct newton_problem *p, const double *x)
{
    if (!s->seen || s->seen_count >= s->options.max_iterations)
        return false;
    const struct dae *dae = s->dae;
    dae->switches(dae->problem, p->t, x, s->sides);
    uint64_t sides = HASH_BEGIN;
    for (int i = 0; i < s->options.open_sides; i++) {
        const char side = (char)((s->sides[i] > 0) - (s->sides[i] < 0));
        sides = hash_bytes(sides, &side, 1);
    }
    for (int i = 0; i < s->seen_count; i++)
        if (s->seen[i] == sides)
            return false;
    s->seen[s->seen_count++] = sides;
    return true;
}

/* Whether the next correction leads back. */
static bool turns_back(const struct newton *s, const struct newton_problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->dae->n; i++)
        sum += s->update[i] * s->correction[i] * pow(weight(s, p, x, i), 2);
    return sum < 0;
}

/* Whether residuals, too, no longer shrink, by the scales of the factors, and far from 0 corrections go to and fro.  Down
 * an exponential met from its steep side Newton's method goes by one thermal voltage an iteration, well within the
 * tolerance of a node of hundreds of volts, while residuals fall to 1/e of themselves, less where most of them is in a
 * resistance beside it: a diode would be given a thousand times its charge, or 200 A against its direction. */
static bool is_stuck(struct newton *s, const struct newton_problem *p, const double *x, double before)
{
    const double now = residual_norm(s);
    return now <= s->options.kappa || (now > 0.5 * before && (now <= 1 || turns_back(s, p, x)));
}

/* Moves along the update, shorter until the problem can be evaluated and the simplified correction does not grow.
 * *contraction receives the ratio of the two corrections; 0 with *done set means converged. */
static enum newton_outcome advance(struct newton *s, const struct newton_problem *p, struct iteration *it, double *x,
                                   double *contraction, bool *done)
{
    const double residual_before = it->residual_norm;
    *done = false;
    for (double lambda = 1;; lambda /= 2) {
        /* A law that jumps (u, sgn, ?:) or bends sharply has no shorter step that helps: beyond it may be smooth again.  The next
         * piece may be a steep one that is over soon, so in the end it is entered no further than it must (J. Katzenelson, Bell
         * Syst. Tech. J. 44 (1965) 1605-1620, goes from piece to piece). */
        const bool leap = lambda < SMALLEST_DAMPING;
        if (lambda == SUSPICIOUS_DAMPING && is_rounding(s, p, it, x)) {
            *done = true;
            return NEWTON_CONVERGED;
        }
        it->leaps += leap;
        move(s, !leap ? lambda : it->leaps <= FAR_LEAPS ? 1 : 2 * lambda, x);
        if (leap && !is_new_piece(s, p, x) && it->vain_leaps++ >= MOST_VAIN_LEAPS)
            return s->status == KN_OK ? NEWTON_SLOW : NEWTON_FAILED;
        if (!evaluate(s, p, x, it->full)) {
            if (s->status != KN_OK)
                return NEWTON_FAILED;
            if (leap)
                return NEWTON_NOT_FINITE;
            continue;
        }
        if (s->dae->linear && factors_fit(s, p->alpha)) {
            *done = true;
            return NEWTON_CONVERGED;
        }
        it->correction_norm = -1;
        if (lambda == 1 && converged(s, p, it, x)) {
            *done = true;
            return NEWTON_CONVERGED;
        }
        const double norm = correction_norm(s, p, it, x);
        *contraction = norm / it->update_norm;
        if (!it->fresh && !(*contraction < NEWTON_POOR_CONTRACTION)) {
            /* old factors are to blame, not the length of the correction */
            memcpy(x, s->before, (size_t)s->dae->n * sizeof *x);
            s->have_jacobian = false;
            break;
        }
        /* Corrections that no longer shrink with new factors are rounding error, or lead around a corner: to and fro between two
         * pieces of a law, which are good enough if they are within the tolerance. */
        if (!s->limited && it->fresh && *contraction > NEWTON_GOOD_CONTRACTION && norm <= s->options.kappa &&
            it->update_norm <= s->options.kappa && laws_hold(s, p, x) &&
            (it->update_norm <= goal_of(s, p) || is_rounding(s, p, it, x)) && is_stuck(s, p, x, residual_before)) {
            *done = true;
            return NEWTON_CONVERGED;
        }
        /* Extrapolated (limited) values say nothing about monotonicity. */
        if (s->limited || leap || (isfinite(norm) && *contraction <= 1 - lambda / 4 + 1e-12)) {
            if (lambda < 1) /* at 1 it is known */
                it->residual_norm = residual_norm(s);
            break;
        }
    }
    return NEWTON_CONVERGED;
}

/* The next update: the simplified correction where the factors contract well, else a full Newton correction. */
static enum newton_outcome next_update(struct newton *s, const struct newton_problem *p, struct iteration *it,
                                       double *x, double contraction)
{
    memcpy(s->before, x, (size_t)s->dae->n * sizeof *x);
    if (!s->limited && contraction < NEWTON_GOOD_CONTRACTION) {
        double *swapped = s->update;
        s->update = s->correction;
        s->correction = swapped;
        it->update_norm *= contraction;
        it->fresh = false;
        return NEWTON_CONVERGED;
    }
    it->full = it->fresh = s->gone_on = true;
    if (!s->have_jacobian && !evaluate(s, p, x, true))
        return s->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
    const enum newton_outcome outcome = factor(s, p, x);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    it->residual_norm = residual_norm(s); /* by the scales of the new matrix */
    it->update_norm = correct(s, p, x, s->update);
    return isfinite(it->update_norm) ? NEWTON_CONVERGED : NEWTON_NOT_FINITE;
}

static enum newton_outcome first_update(struct newton *s, const struct newton_problem *p, struct iteration *it,
                                        const double *x)
{
    const bool refactor = !factors_serve(s, p->alpha);
    const bool jacobian = (refactor || s->options.rescales) && !(s->dae->linear && s->have_jacobian);
    it->full = false;
    it->leaps = it->vain_leaps = s->seen_count = 0;
    it->fresh = refactor && jacobian;
    if (!evaluate(s, p, x, jacobian))
        return s->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
    const enum newton_outcome outcome = refactor ? factor(s, p, x) : NEWTON_CONVERGED;
    if (jacobian && !refactor && has_opened(s, p->alpha))
        scale_rows(s, p, x);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    s->relaxation = factors_fit(s, p->alpha) ? 1 : 2 / (1 + p->alpha / s->alpha);
    it->residual_norm = residual_norm(s);
    memcpy(s->before, x, (size_t)s->dae->n * sizeof *x);
    it->update_norm = correct(s, p, x, s->update);
    return isfinite(it->update_norm) ? NEWTON_CONVERGED : NEWTON_NOT_FINITE;
}

static enum newton_outcome iterate(struct newton *s, const struct newton_problem *p, double *x)
{
    struct iteration it;
    enum newton_outcome outcome = first_update(s, p, &it, x);
    while (outcome == NEWTON_CONVERGED) {
        double contraction;
        bool done;
        if (s->last_iterations++ >= s->options.max_iterations)
            return is_rounding(s, p, &it, x) ? NEWTON_CONVERGED : NEWTON_SLOW;
        outcome = advance(s, p, &it, x, &contraction, &done);
        if (done || outcome != NEWTON_CONVERGED)
            break;
        outcome = next_update(s, p, &it, x, contraction);
        /* An almost singular matrix makes corrections of 1e46 V and the next one may be useful again; those whose squares no
         * double holds are the product of the gains of a long chain of amplifiers that all amplify, and with pivots that
         * follow them the factors fill up. */
        if (outcome == NEWTON_CONVERGED && !(it.update_norm < sqrt(DBL_MAX)))
            outcome = NEWTON_SLOW;
    }
    return outcome;
}

enum newton_outcome newton_solve(struct newton *s, const struct newton_problem *p, double *x)
{
    if (s->dae->begin_newton)
        s->dae->begin_newton(s->dae->problem, p->reference ? p->reference : x);
    s->last_iterations = 0;
    s->gone_on = false;
    const enum newton_outcome outcome = iterate(s, p, x);
    s->statistics.iterations += s->last_iterations;
    if (outcome != NEWTON_CONVERGED) {
        s->statistics.failures++;
        newton_invalidate(s);
    }
    return outcome;
}

enum newton_outcome newton_correct(struct newton *s, const struct newton_problem *p, bool again, double *x,
                                   double *size)
{
    const bool kept = again || (s->dae->linear && s->have_jacobian);
    if (s->dae->begin_newton)
        s->dae->begin_newton(s->dae->problem, x);
    if (!evaluate(s, p, x, !kept))
        return s->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
    const enum newton_outcome outcome = kept && factors_fit(s, p->alpha) ? NEWTON_CONVERGED : factor(s, p, x);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    s->relaxation = 1;
    *size = correct(s, p, x, s->update);
    s->statistics.iterations++;
    for (int i = 0; i < s->dae->n; i++)
        x[i] += s->update[i];
    sparse_multiply_add(s->dae->pattern, s->G, s->update, s->f);
    return isfinite(*size) && !s->limited ? NEWTON_CONVERGED : NEWTON_NOT_FINITE;
}

void newton_add_statistics(const struct newton *newton, struct integrator_statistics *s)
{
    const struct sparse_statistics *lu = sparse_lu_statistics(newton->lu);
    s->evaluations += newton->statistics.evaluations;
    s->jacobians += newton->statistics.jacobians;
    s->newton_iterations += newton->statistics.iterations;
    s->factorizations += lu->factorizations;
    s->refactorizations += lu->refactorizations;
    s->solves += lu->solves;
}
