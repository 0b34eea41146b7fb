/* radau_stages.c - see radau_stages.h.
 *
 * The iteration stops when the error after the next correction, predicted from the ratio theta of the last two,
 * eta |correction| with eta = theta / (1 - theta), is below the goal (Hairer and Wanner 1996, IV.8.10), and gives up as
 * soon as the goal is out of reach.  An acceptance after one correction, which rests on the theta of an earlier step
 * alone, is verified by the residual of the last stage: a diode that begins to conduct must not slip through.
 */
#include "integrators/radau/radau_stages.h"

#include "integrators/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Growth of an entry of the matrix over a step with which a simplified iteration does not converge anyway. */
static const double SANE = 10;
/* Where entries of the matrix fall to this part of themselves within a step, corrections may be too small, and ask for
 * a look at the residual. */
static const double BENT = 0.5;
/* To this one: with the slopes at its end.  A diode that has blocked within the step was a capacitance a million times
 * larger, for which charges that are volts now were nothing. */
static const double SOFTER = 0.2;
/* An exponential explains any residual by an error of kT/q, however far the solution is: each correction leaves 1/e of what was there
 * before.  Of a residual that is not what errors of STRAIGHT tolerances make, 25 mV beside 25 V, at most FALLEN may be left. */
static const double FALLEN = 0.3, STRAIGHT = 1e-3;
/* Of what is read off other unknowns: the ratio of corrections that tells noise. */
static const double READ_OFF_CONTRACTION = 0.5;

enum kn_status radau_stages_init(struct radau_stages *s, struct arena *memory, const struct dae *dae,
                                 const struct tolerance *tolerance, int most)
{
    *s = (struct radau_stages){.dae = dae, .tolerance = tolerance};
    const size_t n = (size_t)dae->n, entries = (size_t)dae->pattern->entries + 1;
    double **const values[] = {&s->G, &s->C, &s->matrix, &s->end_G, &s->end_C, NULL};
    double **const vectors[] = {&s->f,       &s->q,        &s->bent,  &s->before, &s->tolerances,
                                &s->allowed, &s->rounding, &s->noise, NULL};
    bool complete = arena_vectors(memory, entries, values) && arena_vectors(memory, n, vectors);
    for (int i = 0; i < most; i++) {
        double **const stage[] = {&s->X[i], &s->dq[i], &s->residual[i], &s->work[i], NULL};
        complete = arena_vectors(memory, n, stage) && complete;
    }
    s->complex_matrix = arena_array(memory, entries, sizeof *s->complex_matrix);
    s->complex_vector = arena_array(memory, n, sizeof *s->complex_vector);
    if (!complete || !s->complex_matrix || !s->complex_vector)
        return KN_ERROR_MEMORY;
    enum kn_status status = sparse_lu_new(dae->pattern, &s->real);
    if (status == KN_OK)
        status = sparse_lu_new(dae->pattern, &s->end);
    for (int p = 0; p < most / 2 && status == KN_OK; p++)
        status = sparse_zlu_new(dae->pattern, &s->pair[p]);
    return status;
}

void radau_stages_free(struct radau_stages *s)
{
    sparse_lu_free(s->real);
    sparse_lu_free(s->end);
    for (int p = 0; p < RADAU_PAIRS; p++)
        sparse_zlu_free(s->pair[p]);
}

void radau_stages_use(struct radau_stages *s, const struct radau_tableau *tableau)
{
    s->tableau = tableau;
    s->h = 0;
}

void radau_stages_doubt(struct radau_stages *s)
{
    s->contraction = s->eta = 1;
}

/* ---- Jacobians and factors ---- */

enum kn_status radau_stages_evaluate(struct radau_stages *s, double t, const double *x, unsigned what, double *f,
                                     double *q)
{
    struct dae_values out = {.f = f, .q = q, .G = s->G, .C = s->C};
    s->evaluations++;
    s->jacobians += (what & DAE_G) != 0;
    return s->dae->eval(s->dae->problem, t, x, what, &out);
}

enum kn_status radau_stages_linearize(struct radau_stages *s, double t, const double *x)
{
    s->have_jacobian = true;
    s->h = 0;
    return radau_stages_evaluate(s, t, x, DAE_G | DAE_C, NULL, NULL);
}

void radau_stages_linearize_end(struct radau_stages *s)
{
    const size_t bytes = (size_t)s->dae->pattern->entries * sizeof(double);
    memcpy(s->G, s->end_G, bytes);
    memcpy(s->C, s->end_C, bytes);
    s->have_jacobian = true;
    s->h = 0;
}

bool radau_stages_is_sane(struct radau_stages *s, double h)
{
    const struct sparse_pattern *pattern = s->dae->pattern;
    const double alpha = s->tableau->gamma / h;
    double *largest = s->allowed;
    memset(largest, 0, (size_t)pattern->n * sizeof *largest);
    for (int k = 0; k < pattern->entries; k++) {
        s->matrix[k] = fabs(s->end_G[k]) + alpha * fabs(s->end_C[k]);
        largest[pattern->row[k]] = fmax(largest[pattern->row[k]], s->matrix[k]);
    }
    for (int k = 0; k < pattern->entries; k++)
        if (!(fabs(s->G[k]) + alpha * fabs(s->C[k]) <= SANE * s->matrix[k] + largest[pattern->row[k]]))
            return false;
    return true;
}

enum kn_status radau_stages_average(struct radau_stages *s, double t, const double *x)
{
    const int entries = s->dae->pattern->entries;
    for (int k = 0; k < entries; k++)
        s->complex_matrix[k] = s->G[k] + s->C[k] * I;
    const enum kn_status status = radau_stages_linearize(s, t, x);
    for (int k = 0; k < entries; k++) {
        s->G[k] = 0.5 * (s->G[k] + creal(s->complex_matrix[k]));
        s->C[k] = 0.5 * (s->C[k] + cimag(s->complex_matrix[k]));
    }
    return status;
}

static enum kn_status factor(struct radau_stages *s, double h)
{
    const int entries = s->dae->pattern->entries;
    const struct radau_tableau *tableau = s->tableau;
    const double real = tableau->gamma / h;
    for (int k = 0; k < entries; k++)
        s->matrix[k] = s->G[k] + real * s->C[k];
    s->h = 0;
    enum kn_status status = sparse_lu_factor(s->real, s->matrix);
    for (int p = 0; p < tableau->pairs && status == KN_OK; p++) {
        const double complex lambda = (tableau->re[p] - tableau->im[p] * I) / h;
        for (int k = 0; k < entries; k++)
            s->complex_matrix[k] = s->G[k] + lambda * s->C[k];
        status = sparse_zlu_factor(s->pair[p], s->complex_matrix);
    }
    if (status == KN_OK)
        s->h = h;
    return status;
}

void radau_stages_filter(struct radau_stages *s, double *b)
{
    s->solves++;
    sparse_lu_solve(s->real, b);
}

void radau_stages_round(struct radau_stages *s, const double *x)
{
    const struct rounding_system here = {s->dae, s->G, s->C, x, s->real}, end = {s->dae, s->end_G, s->end_C, x, s->end},
                                 system = s->softer ? end : here;
    const struct rounding_work work = {s->tolerances, s->allowed, s->noise};
    rounding_find(&system, s->tableau->gamma / s->h, 1, s->rounding, &work);
    s->solves += ROUNDING_SOLVES;
}

/* Weighted norm of what of e is more than `times` `rounding`. */
static double norm_beyond_rounding(struct radau_stages *s, const double *e, double times)
{
    for (int k = 0; k < s->dae->n; k++)
        s->allowed[k] = fmax(fabs(e[k]) - times * s->rounding[k], 0);
    return tolerance_norm(s->tolerance, s->dae->classes, CLASSES_DRIVING, s->allowed, NULL);
}

/* ---- one correction ---- */

static void transform(const struct radau_stages *s, const double (*M)[RADAU_STAGES], double *const *from,
                      double *const *to)
{
    const int n = s->dae->n, stages = s->tableau->stages;
    for (int i = 0; i < stages; i++) {
        for (int k = 0; k < n; k++)
            to[i][k] = M[i][0] * from[0][k];
        for (int j = 1; j < stages; j++)
            for (int k = 0; k < n; k++)
                to[i][k] += M[i][j] * from[j][k];
    }
}

/* False when a value is not finite or the problem failed (status). */
static bool find_residuals(struct radau_stages *s, const struct radau_point *from, double h)
{
    const int n = s->dae->n, stages = s->tableau->stages;
    for (int i = 0; i < stages; i++) {
        s->status =
            radau_stages_evaluate(s, from->t + s->tableau->c[i] * h, s->X[i], DAE_F | DAE_Q, s->residual[i], s->dq[i]);
        if (s->status != KN_OK)
            return false;
        for (int k = 0; k < n; k++)
            s->dq[i][k] -= from->q[k];
    }
    double sum = 0;
    for (int i = 0; i < stages; i++) {
        for (int j = 0; j < stages; j++) {
            const double w = s->tableau->W[i][j] / h;
            for (int k = 0; k < n; k++)
                s->residual[i][k] += w * s->dq[j][k];
        }
        for (int k = 0; k < n; k++)
            sum += fabs(s->residual[i][k]);
    }
    return isfinite(sum);
}

/* residual_i := what is to be subtracted from stage i. */
static void find_corrections(struct radau_stages *s)
{
    const int n = s->dae->n;
    double **const u = s->work;
    transform(s, s->tableau->inverse_T, s->residual, u);
    int row = 0;
    if (s->tableau->has_real)
        radau_stages_filter(s, u[row++]);
    for (int p = 0; p < s->tableau->pairs; p++, row += 2) {
        for (int k = 0; k < n; k++)
            s->complex_vector[k] = u[row][k] + u[row + 1][k] * I;
        sparse_zlu_solve(s->pair[p], s->complex_vector);
        s->solves++;
        for (int k = 0; k < n; k++) {
            u[row][k] = creal(s->complex_vector[k]);
            u[row + 1][k] = cimag(s->complex_vector[k]);
        }
    }
    transform(s, s->tableau->T, u, s->residual);
}

/* Unknowns of index 2, and currents that somebody reads off voltages, in units of reltol, not of the tolerance of the estimate: a
 * microvolt of a voltage, within its tolerance, is a microampere through an ohm. */
static double read_off_norm(const struct radau_stages *s, const double *e)
{
    const enum dae_class *classes = s->dae->classes;
    double largest = 0;
    const bool *watched = s->tolerance->watched;
    for (int k = 0; classes && k < s->dae->n; k++)
        if (classes[k] == DAE_INDEX2 || (classes[k] == DAE_FOLLOWS && (!watched || watched[k])))
            largest = fmax(largest, fabs(e[k]) * s->tolerance->weights[k]);
    return largest * s->tolerance->relative / s->relative;
}

/* Moves the stages, and their charges to first order; the weighted norm of the corrections. */
static double correct(struct radau_stages *s)
{
    const int n = s->dae->n, stages = s->tableau->stages;
    find_corrections(s);
    double norm = 0;
    s->read_off_correction = 0;
    for (int i = 0; i < stages; i++) {
        int worst = s->worst;
        const double size = tolerance_norm(s->tolerance, s->dae->classes, CLASSES_DRIVING, s->residual[i], &worst);
        if (!(size <= norm)) {
            norm = size;
            s->worst = worst;
        }
        s->read_off_correction = fmax(s->read_off_correction, read_off_norm(s, s->residual[i]));
        for (int k = 0; k < n; k++) {
            s->residual[i][k] = -s->residual[i][k];
            s->X[i][k] += s->residual[i][k];
        }
        sparse_multiply_add(s->dae->pattern, s->C, s->residual[i], s->dq[i]);
    }
    s->correction = norm;
    return norm;
}

/* ---- the iteration ---- */

/* In units of the tolerance of the estimate; the result is more accurate than that by the order of the method. */
static double goal_of(const struct radau_stages *s)
{
    const double relative = s->tolerance->relative, stages = s->tableau->stages;
    const double result = pow(relative, (stages - 1) / (stages + 1));
    return fmax(10 * DBL_EPSILON / relative, fmin(fmin(RADAU_CODE.kappa, s->kappa), result));
}

/* f, q, dq and slopes of the last stage as it now is; false as above. */
static bool evaluate_end(struct radau_stages *s, const struct radau_point *from, double h)
{
    const int n = s->dae->n, last = s->tableau->stages - 1;
    struct dae_values out = {.f = s->f, .q = s->q, .G = s->end_G, .C = s->end_C};
    s->evaluations++;
    s->jacobians += !s->dae->linear;
    s->status = s->dae->eval(s->dae->problem, from->t + h, s->X[last],
                             DAE_F | DAE_Q | (s->dae->linear ? 0 : DAE_G | DAE_C), &out);
    if (s->status != KN_OK)
        return false;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        const double corrected = s->dq[last][k];
        s->dq[last][k] = s->q[k] - from->q[k];
        s->bent[k] = s->dae->linear ? 0 : s->dq[last][k] - corrected;
        sum += fabs(s->f[k]) + fabs(s->q[k]);
    }
    return isfinite(sum);
}

/* residual_0 := R of the last stage. */
static void find_end_residual(struct radau_stages *s, double h)
{
    const int n = s->dae->n, stages = s->tableau->stages;
    double *r = s->residual[0];
    memcpy(r, s->f, (size_t)n * sizeof *r);
    for (int j = 0; j < stages; j++) {
        const double w = s->tableau->W[stages - 1][j] / h;
        for (int k = 0; k < n; k++)
            r[k] += w * s->dq[j][k];
    }
}

/* What stands in a law's equation is an error of the difference that it states (dae.h). */
static void limit_laws(struct radau_stages *s)
{
    for (size_t k = 0; k < s->dae->law_count; k++) {
        const struct dae_law *law = &s->dae->laws[k];
        const double plus = law->plus < 0 ? 0 : s->tolerances[law->plus];
        const double minus = law->minus < 0 ? 0 : s->tolerances[law->minus];
        s->allowed[law->equation] = fmin(s->allowed[law->equation], plus + minus);
    }
}

/* Nor may currents at nodes be out of balance by more than reltol of them: of a diode at 46 kV the tolerances of voltages tell nothing. */
static void limit_currents(struct radau_stages *s, double h)
{
    const struct dae_linear at = {s->end_G, s->end_C, s->tableau->gamma / h};
    const double *x = s->X[s->tableau->stages - 1];
    dae_balance_tolerances(s->dae, &at, x, s->tolerance->relative, s->rounding, s->noise);
    for (int k = 0; k < s->dae->n; k++)
        s->allowed[k] = fmin(s->allowed[k], s->noise[k]);
}

/* Whether the residual of the last stage is what errors of x within its tolerance can cause, with the slopes of that
 * very point: with slopes of another (an exponential met from the wrong side) corrections can be small where residuals
 * are not. */
static bool balances(struct radau_stages *s, double h)
{
    const int n = s->dae->n;
    const struct sparse_pattern *pattern = s->dae->pattern;
    const double *x = s->X[s->tableau->stages - 1], alpha = s->tableau->gamma / h;
    for (int k = 0; k < n; k++) {
        s->tolerances[k] = 1 / s->tolerance->weights[k];
        s->allowed[k] = s->dae->equation_absolute[k];
    }
    for (int k = 0; k < pattern->entries; k++)
        s->matrix[k] = fabs(s->end_G[k]) + alpha * fabs(s->end_C[k]);
    sparse_multiply_add(pattern, s->matrix, s->tolerances, s->allowed);
    limit_laws(s);
    for (int k = 0; k < n; k++)
        s->allowed[k] = fmin(s->allowed[k], fmax(FALLEN * fabs(s->before[k]), STRAIGHT * s->allowed[k]) +
                                                s->dae->equation_absolute[k]);
    limit_currents(s, h);
    for (int k = 0; k < n; k++)
        s->tolerances[k] = ROUNDING * fabs(x[k]);
    sparse_multiply_add(pattern, s->matrix, s->tolerances, s->allowed);
    for (int k = 0; k < n; k++)
        if (!(fabs(s->residual[0][k]) <= s->allowed[k]))
            return false;
    return true;
}

/* The smallest part to which an entry of the matrix has fallen with the slopes at the end, where the matrix becomes
 * s->matrix. */
static double smallest_part_left(struct radau_stages *s, double h)
{
    const int entries = s->dae->pattern->entries;
    const double alpha = s->tableau->gamma / h;
    double part = 1;
    for (int k = 0; k < entries; k++) {
        const double used = fabs(s->G[k] + alpha * s->C[k]);
        s->matrix[k] = s->end_G[k] + alpha * s->end_C[k];
        if (fabs(s->matrix[k]) < part * used)
            part = fabs(s->matrix[k]) / used;
    }
    return part;
}

void radau_stages_filter_end(struct radau_stages *s, double *b)
{
    s->solves++;
    sparse_lu_solve(s->end, b);
}

/* Whether what the residual at the end means for x there is within the goal, or rounding. */
static bool settled_at_end(struct radau_stages *s, const struct radau_point *from, double goal)
{
    double *left = s->residual[0];
    if (s->softer)
        radau_stages_filter_end(s, left);
    else
        radau_stages_filter(s, left);
    if (tolerance_norm(s->tolerance, s->dae->classes, CLASSES_DRIVING, left, NULL) <= goal)
        return true;
    radau_stages_round(s, from->x);
    return norm_beyond_rounding(s, left, 1) <= goal;
}

/* The end of the iteration: acceptance after one correction, which rests on an older theta, corrections through slopes
 * that have fallen, and those taken for rounding, because slopes at hand may be beyond all bounds, are verified
 * further.
 */
static enum newton_outcome finish(struct radau_stages *s, const struct radau_point *from, double h, double goal,
                                  bool rounding)
{
    s->softer = false;
    if (!evaluate_end(s, from, h))
        return s->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
    if (s->dae->linear)
        return NEWTON_CONVERGED;
    find_end_residual(s, h);
    if (!balances(s, h))
        return NEWTON_SLOW;
    const double part = smallest_part_left(s, h);
    s->softer = (rounding || part < SOFTER) && sparse_lu_factor(s->end, s->matrix) == KN_OK;
    if (!rounding && s->iterations > 1 && part > BENT)
        return NEWTON_CONVERGED;
    return settled_at_end(s, from, goal) ? NEWTON_CONVERGED : NEWTON_SLOW;
}

/* More stages start from extrapolations over longer steps; a smaller kappa than usual asks for more digits. */
static int most_iterations(const struct radau_stages *s)
{
    const int digits =
        s->kappa < RADAU_CODE.kappa ? (int)ceil(log10(RADAU_CODE.kappa / fmax(s->kappa, DBL_EPSILON))) : 0;
    return 10 + digits + (s->tableau->stages > 3 ? 2 * (s->tableau->stages - 3) : 0);
}

struct progress {
    double norm, before, ratio; /* of corrections */
    double contraction;         /* before the last correction */
    double read_off_before;     /* correction of what is read off other unknowns, in units of reltol; 0: none yet */
    double goal;
    int most;
    bool settled; /* the unknowns that count have converged */
};

/* Updates contraction and eta after the second and later corrections; false when the goal is out of reach. */
static bool promising(struct radau_stages *s, struct progress *p)
{
    const double ratio = p->norm / p->before;
    p->contraction = s->contraction;
    s->contraction = s->iterations == 2 ? ratio : sqrt(ratio * p->ratio);
    p->ratio = ratio;
    if (!(s->contraction < NEWTON_POOR_CONTRACTION)) {
        s->shrink = 0.5;
        return false;
    }
    s->eta = s->contraction / (1 - s->contraction);
    const int left = p->most - s->iterations;
    const double excess = s->eta * p->norm * pow(s->contraction, left - 1) / p->goal;
    if (!(excess >= 1) || s->eta * p->norm <= p->goal)
        return true;
    s->shrink = 0.8 * pow(fmax(1e-4, fmin(20, excess)), -1.0 / (4 + left - 1));
    return false;
}

static enum newton_outcome broken(const struct radau_stages *s)
{
    return s->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
}

/* Corrections that no longer shrink because they are rounding error are no failure and tell nothing about contraction.
 */
static bool is_noise(struct radau_stages *s, const struct radau_point *from, const struct progress *p)
{
    radau_stages_round(s, from->x);
    for (int i = 0; i < s->tableau->stages; i++)
        /* rounding of both iterates whose difference this is */
        if (norm_beyond_rounding(s, s->residual[i], 2) > p->goal)
            return false;
    s->contraction = p->contraction;
    s->eta = 1;
    return true;
}

/* Whether unknowns of index 2 and currents, whose corrections do not count and may be noise, still ask for another one. */
static bool read_off_moves(struct radau_stages *s, struct progress *p)
{
    const double before = p->read_off_before, now = s->read_off_correction;
    p->read_off_before = now;
    if (before > 0 && now > READ_OFF_CONTRACTION * before) /* noise, which tells nothing about contraction */
        return false;
    if (before > 0)
        s->contraction = now / before;
    const double expected = before > 0 ? now * now / before : now;
    return s->iterations < p->most && expected > TOLERANCE_INVISIBLE;
}

static enum newton_outcome iterate(struct radau_stages *s, const struct radau_point *from, double h)
{
    struct progress p = {.goal = goal_of(s), .most = most_iterations(s)};
    s->eta = pow(fmax(s->eta, DBL_EPSILON), 0.8);
    for (s->iterations = 1; s->iterations <= p.most; s->iterations++) {
        s->newton_iterations++;
        if (!find_residuals(s, from, h))
            return broken(s);
        memcpy(s->before, s->residual[s->tableau->stages - 1], (size_t)s->dae->n * sizeof *s->before);
        p.norm = correct(s);
        if (!isfinite(p.norm))
            return NEWTON_NOT_FINITE;
        if (s->dae->linear)
            s->contraction = s->eta = 0;
        else if (s->iterations > 1 && !p.settled && !promising(s, &p))
            return is_noise(s, from, &p) ? finish(s, from, h, p.goal, true) : NEWTON_SLOW;
        p.before = fmax(p.norm, DBL_MIN);
        p.settled = p.settled || s->eta * p.norm <= p.goal;
        if (!p.settled || (!s->dae->linear && read_off_moves(s, &p)))
            continue;
        const enum newton_outcome outcome = finish(s, from, h, p.goal, false);
        if (outcome != NEWTON_SLOW)
            return outcome;
        p.settled = false; /* what was known of the contraction is wrong */
    }
    s->shrink = 0.5;
    return NEWTON_SLOW;
}

enum newton_outcome radau_stages_solve(struct radau_stages *s, const struct radau_point *from, double h)
{
    s->shrink = 0.5;
    s->iterations = 0;
    s->softer = false;
    s->correction = INFINITY;
    if (fabs(s->h - h) < 1e-9 * h)
        s->h = h; /* times are rounded, the step is the same */
    s->status = s->h == h ? KN_OK : factor(s, h);
    if (s->status != KN_OK)
        return s->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    return iterate(s, from, h);
}
