/* radau.c - Radau IIA for q(x)' + f(x, t) = 0 with 1, 2, 3, 5 or 7 stages (orders 1, 3, 5, 9, 13).
 *
 * Stages  1/h sum_j w_ij (q(X_j) - q_n) + f(X_i, t_n + c_i h) = 0,  W = A^-1; the last stage is the new point, so
 * algebraic equations and constraints hold there (stiffly accurate).  Simplified Newton on the stages, decoupled by the eigenvalues of
 * W into one real and complex systems  (lambda/h) C + G  on the circuit's pattern (Hairer and Wanner, Solving ODEs II,
 * 1996, IV.8).  Error estimate (8.20) filtered by the real factor, predictive step control (8.25; Gustafsson 1994), tolerance
 * carried over to the order of the estimate, number of stages by the speed of Newton's convergence (Hairer and Wanner, J. Comp. Appl.
 * Math. 111, 1999).  Starting values and dense output from the collocation polynomial.
 *
 * C is state-dependent: G and C are taken at the start of the step; where that does not contract (capacitances that jump),
 * they are taken once more at the end of the step as far as it is known.
 */
#include "integrators/methods.h"
#include "integrators/radau_tableau.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int stage_counts[] = {1, 2, 3, 5, 7};
enum { STAGE_CHOICES = 5, FIRST_CHOICE = 2 };

static const double SAFETY = 0.9;
static const double LARGEST_GROWTH = 8, SMALLEST_GROWTH = 0.2;
static const double KEEP_JACOBIAN = 1e-3;  /* contraction below which G and C serve another step */
static const double RAISE_STAGES = 2e-3;   /* contraction below which more stages pay (Hairer and Wanner 1999) */
static const double LOWER_STAGES = 0.8;
enum { STEPS_BEFORE_RAISE = 10 };

/* Factors for one tableau. */
struct factors {
    double h; /* for which they were made; 0: none */
    struct sparse_lu *real;
    struct sparse_zlu *pair[RADAU_PAIRS];
};

struct radau {
    struct integrator base;
    struct integrator_options options;
    struct radau_tableau tableaus[STAGE_CHOICES];
    int lowest, highest, choice; /* of stage_counts */
    const struct radau_tableau *tableau;
    struct tolerance tolerance;
    double *absolute; /* [n] of the tolerance, for the estimate's order */
    struct factors factors;
    double *matrix;
    double complex *complex_matrix, *complex_vector;
    double *G, *C;
    bool have_jacobian; /* G and C may serve the next step */
    double *x, *q, *f;                  /* [n] at t */
    double *X[RADAU_STAGES];            /* stages of the last accepted step */
    double *Y[RADAU_STAGES];            /* stages being solved */
    double *dq[RADAU_STAGES], *R[RADAU_STAGES], *U[RADAU_STAGES];
    double *error, *shifted;            /* [n] */
    const struct radau_tableau *accepted_tableau; /* of X */
    double accepted_step;               /* 0: no polynomial */
    double *previous_x;                 /* [n] at the begin of the accepted step */
    double contraction;
    int iterations;
    enum kn_status status;
    bool first, rejected;
    double error_before, step_before;   /* for the predictive controller */
    int steps_with_stages;
    long evaluations, jacobians, newton_iterations, solves;
};

/* ---- life ---- */

static void radau_destroy(struct integrator *base)
{
    struct radau *m = (struct radau *)base;
    double *const vectors[] = {m->absolute, m->matrix, m->G, m->C, m->x, m->q, m->f, m->error, m->shifted, m->previous_x};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        free(vectors[i]);
    for (int i = 0; i < RADAU_STAGES; i++) {
        free(m->X[i]);
        free(m->Y[i]);
        free(m->dq[i]);
        free(m->R[i]);
        free(m->U[i]);
    }
    free(m->complex_matrix);
    free(m->complex_vector);
    sparse_lu_free(m->factors.real);
    for (int p = 0; p < RADAU_PAIRS; p++)
        sparse_zlu_free(m->factors.pair[p]);
    tolerance_free(&m->tolerance);
    free(m);
}

static bool allocate(struct radau *m)
{
    const size_t n = (size_t)m->base.dae->n;
    double **const vectors[] = {&m->absolute, &m->x, &m->q, &m->f, &m->error, &m->shifted, &m->previous_x};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc(n, sizeof(double))) != NULL && complete;
    for (int i = 0; i < stage_counts[m->highest]; i++) {
        double **const stage[] = {&m->X[i], &m->Y[i], &m->dq[i], &m->R[i], &m->U[i]};
        for (size_t k = 0; k < sizeof stage / sizeof stage[0]; k++)
            complete = (*stage[k] = calloc(n, sizeof(double))) != NULL && complete;
    }
    m->matrix = sparse_values(m->base.dae->pattern);
    m->G = sparse_values(m->base.dae->pattern);
    m->C = sparse_values(m->base.dae->pattern);
    m->complex_matrix = calloc((size_t)m->base.dae->pattern->entries + 1, sizeof *m->complex_matrix);
    m->complex_vector = calloc(n, sizeof *m->complex_vector);
    return complete && m->matrix && m->G && m->C && m->complex_matrix && m->complex_vector;
}

static enum kn_status make_factors(struct radau *m)
{
    const struct sparse_pattern *pattern = m->base.dae->pattern;
    enum kn_status status = sparse_lu_new(pattern, &m->factors.real);
    for (int p = 0; p < stage_counts[m->highest] / 2 && status == KN_OK; p++)
        status = sparse_zlu_new(pattern, &m->factors.pair[p]);
    return status;
}

/* The estimate has the order of the stages only, the result twice that: reltol is carried over so that the achieved error is
 * near it (radau.f: 0.1 reltol^((s+1)/(2s))). */
static void use_stages(struct radau *m, int choice)
{
    const struct dae *dae = m->base.dae;
    m->choice = choice;
    m->tableau = &m->tableaus[choice];
    const double s = m->tableau->stages;
    m->tolerance.relative = 0.1 * pow(m->options.relative, (s + 1) / (2 * s));
    for (int i = 0; i < dae->n; i++) {
        m->absolute[i] = dae->absolute[i] * m->tolerance.relative / m->options.relative;
        m->tolerance.weights[i] = 1 / (m->tolerance.relative * m->tolerance.largest[i] + m->absolute[i]);
    }
    m->factors.h = 0;
    m->steps_with_stages = 0;
    m->error_before = 0;
}

static enum kn_status create_between(int lowest, int highest, const struct integrator_class *class,
                                     const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct radau *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.class = class;
    m->base.dae = dae;
    m->base.relative = o->relative;
    m->options = *o;
    m->lowest = lowest;
    m->highest = highest;
    bool good = true;
    for (int i = lowest; i <= highest; i++)
        good = radau_tableau(stage_counts[i], &m->tableaus[i]) && good;
    enum kn_status status = good ? tolerance_init(&m->tolerance, dae, o->relative) : KN_ERROR_ARGUMENT;
    if (status == KN_OK)
        status = allocate(m) ? make_factors(m) : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        m->tolerance.absolute = m->absolute;
        *out = &m->base;
    } else {
        radau_destroy(&m->base);
    }
    return status;
}

static enum kn_status radau_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    int highest = STAGE_CHOICES - 1;
    while (o->max_order > 0 && highest > 0 && 2 * stage_counts[highest] - 1 > o->max_order)
        highest--;
    return create_between(0, highest, &integrator_radau, dae, o, out);
}

static enum kn_status radau5_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_between(2, 2, &integrator_radau5, dae, o, out);
}

static enum kn_status evaluate(struct radau *m, double t, const double *x, unsigned what, double *f, double *q)
{
    struct dae_values out = {.f = f, .q = q, .G = m->G, .C = m->C};
    m->evaluations++;
    m->jacobians += (what & DAE_G) != 0;
    return m->base.dae->eval(m->base.dae->problem, t, x, what, &out);
}

static enum kn_status radau_restart(struct integrator *base, double t, const double *x)
{
    struct radau *m = (struct radau *)base;
    const bool first = m->tableau == NULL;
    memmove(m->x, x, (size_t)base->dae->n * sizeof *x);
    const enum kn_status status = evaluate(m, t, m->x, DAE_F | DAE_Q, m->f, m->q);
    if (status != KN_OK)
        return status;
    if (first) {
        tolerance_reset(&m->tolerance, x);
        use_stages(m, m->highest < FIRST_CHOICE ? m->highest : m->lowest > FIRST_CHOICE ? m->lowest : FIRST_CHOICE);
    }
    tolerance_update(&m->tolerance, x);
    base->t = base->previous = t;
    base->x = m->x;
    base->order = 1;
    m->accepted_step = 0;
    m->have_jacobian = m->have_jacobian && base->dae->linear;
    m->factors.h = 0;
    m->first = true;
    m->rejected = false;
    m->error_before = 0;
    m->contraction = 1;
    return KN_OK;
}

/* ---- collocation polynomial of the last accepted step ---- */

/* Lagrange weights at theta (in units of the step) for the nodes 0, c_1 .. c_s. */
static void collocation_weights(const struct radau_tableau *tableau, double theta, double *w)
{
    const int s = tableau->stages;
    for (int i = 0; i <= s; i++) {
        const double ci = i ? tableau->c[i - 1] : 0;
        w[i] = 1;
        for (int j = 0; j <= s; j++) {
            const double cj = j ? tableau->c[j - 1] : 0;
            if (j != i)
                w[i] *= (theta - cj) / (ci - cj);
        }
    }
}

static void collocation_slopes(const struct radau_tableau *tableau, double theta, double *w)
{
    const int s = tableau->stages;
    for (int i = 0; i <= s; i++) {
        const double ci = i ? tableau->c[i - 1] : 0;
        w[i] = 0;
        for (int k = 0; k <= s; k++) {
            if (k == i)
                continue;
            double product = 1 / (ci - (k ? tableau->c[k - 1] : 0));
            for (int j = 0; j <= s; j++) {
                const double cj = j ? tableau->c[j - 1] : 0;
                if (j != i && j != k)
                    product *= (theta - cj) / (ci - cj);
            }
            w[i] += product;
        }
    }
}

static void combine_stages(const struct radau *m, const double *w, double scale, double *out)
{
    const int n = m->base.dae->n, s = m->accepted_tableau->stages;
    for (int k = 0; k < n; k++)
        out[k] = scale * w[0] * m->previous_x[k];
    for (int i = 1; i <= s; i++)
        for (int k = 0; k < n; k++)
            out[k] += scale * w[i] * m->X[i - 1][k];
}

static void radau_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct radau *m = (const struct radau *)base;
    double w[RADAU_STAGES + 1] = {0};
    if (m->accepted_step <= 0) {
        memcpy(x, m->x, (size_t)base->dae->n * sizeof *x);
        if (dxdt)
            memset(dxdt, 0, (size_t)base->dae->n * sizeof *dxdt);
        return;
    }
    const double theta = (time - base->previous) / m->accepted_step;
    collocation_weights(m->accepted_tableau, theta, w);
    combine_stages(m, w, 1, x);
    if (!dxdt)
        return;
    collocation_slopes(m->accepted_tableau, theta, w);
    combine_stages(m, w, 1 / m->accepted_step, dxdt);
}

/* ---- Newton on the stages ---- */

static enum kn_status factor(struct radau *m, double h)
{
    const int entries = m->base.dae->pattern->entries;
    const struct radau_tableau *tableau = m->tableau;
    const double real = tableau->gamma / h;
    for (int k = 0; k < entries; k++)
        m->matrix[k] = m->G[k] + real * m->C[k];
    m->factors.h = 0;
    enum kn_status status = sparse_lu_factor(m->factors.real, m->matrix);
    for (int p = 0; p < tableau->pairs && status == KN_OK; p++) {
        const double complex lambda = (tableau->re[p] - tableau->im[p] * I) / h;
        for (int k = 0; k < entries; k++)
            m->complex_matrix[k] = m->G[k] + lambda * m->C[k];
        status = sparse_zlu_factor(m->factors.pair[p], m->complex_matrix);
    }
    if (status == KN_OK)
        m->factors.h = h;
    return status;
}

static void start_stages(struct radau *m, double h)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    double w[RADAU_STAGES + 1] = {0};
    for (int i = 0; i < s; i++) {
        if (m->accepted_step <= 0) {
            memcpy(m->Y[i], m->x, (size_t)n * sizeof(double));
            continue;
        }
        collocation_weights(m->accepted_tableau, 1 + m->tableau->c[i] * h / m->accepted_step, w);
        combine_stages(m, w, 1, m->Y[i]);
    }
}

/* R_i := 1/h sum_j w_ij dq_j + f_i.  False when a value is not finite or the problem failed (status). */
static bool stage_residuals(struct radau *m, double h)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    for (int i = 0; i < s; i++) {
        m->status = evaluate(m, i == s - 1 ? m->base.t + h : m->base.t + m->tableau->c[i] * h, m->Y[i], DAE_F | DAE_Q,
                             m->R[i], m->dq[i]);
        if (m->status != KN_OK)
            return false;
        for (int k = 0; k < n; k++)
            m->dq[i][k] -= m->q[k];
    }
    double sum = 0;
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {
            const double w = m->tableau->W[i][j] / h;
            for (int k = 0; k < n; k++)
                m->R[i][k] += w * m->dq[j][k];
        }
        for (int k = 0; k < n; k++)
            sum += fabs(m->R[i][k]);
    }
    return isfinite(sum);
}

static void transform(const struct radau *m, const double (*M)[RADAU_STAGES], double *const *from, double *const *to)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++)
            to[i][k] = M[i][0] * from[0][k];
        for (int j = 1; j < s; j++)
            for (int k = 0; k < n; k++)
                to[i][k] += M[i][j] * from[j][k];
    }
}

/* One correction of all stages; its weighted norm. */
static double correct_stages(struct radau *m, int *worst)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    transform(m, m->tableau->inverse_T, m->R, m->U);
    int row = 0;
    if (m->tableau->has_real) {
        sparse_lu_solve(m->factors.real, m->U[row++]);
        m->solves++;
    }
    for (int p = 0; p < m->tableau->pairs; p++, row += 2) {
        for (int k = 0; k < n; k++)
            m->complex_vector[k] = m->U[row][k] + m->U[row + 1][k] * I;
        sparse_zlu_solve(m->factors.pair[p], m->complex_vector);
        m->solves++;
        for (int k = 0; k < n; k++) {
            m->U[row][k] = creal(m->complex_vector[k]);
            m->U[row + 1][k] = cimag(m->complex_vector[k]);
        }
    }
    transform(m, m->tableau->T, m->U, m->R);
    double norm = 0;
    for (int i = 0; i < s; i++) {
        const double size = tolerance_norm(&m->tolerance, m->base.dae->classes, m->R[i], worst);
        norm = size > norm ? size : norm;
        for (int k = 0; k < n; k++)
            m->Y[i][k] -= m->R[i][k];
    }
    return norm;
}

/* How small corrections must get, in units of the tolerance of the estimate (Hairer and Wanner 1996, IV.8.10). */
static double newton_goal(const struct radau *m)
{
    const double relative = m->tolerance.relative;
    return fmax(10 * DBL_EPSILON / relative, fmin(fmin(0.03, m->options.kappa), sqrt(relative)));
}

static enum newton_outcome iterate(struct radau *m, double h, int *worst)
{
    const double goal = newton_goal(m);
    const int most = m->tableau->stages * 2 + 4;
    double before = 0, eta = pow(fmax(m->contraction, DBL_EPSILON), 0.8);
    for (m->iterations = 1; m->iterations <= most; m->iterations++) {
        m->newton_iterations++;
        if (!stage_residuals(m, h))
            return m->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
        const double norm = correct_stages(m, worst);
        if (!isfinite(norm))
            return NEWTON_NOT_FINITE;
        if (m->iterations > 1) {
            const double theta = norm / before;
            m->contraction = m->iterations == 2 ? theta : sqrt(theta * m->contraction);
            if (theta >= 0.99 && norm > goal * 1e-3)
                return NEWTON_SLOW;
            eta = theta < 0.99 ? theta / (1 - theta) : 1;
            const double remaining = pow(fmin(theta, 0.99), most - m->iterations) * norm * eta;
            if (remaining > goal && m->iterations > 2 && remaining > 10 * goal)
                return NEWTON_SLOW;
        } else if (m->base.dae->linear) {
            m->contraction = 0;
            return stage_residuals(m, h) ? NEWTON_CONVERGED : NEWTON_FAILED; /* for q at the stages */
        }
        before = fmax(norm, 1e-300);
        if (eta * norm <= goal)
            return stage_residuals(m, h) ? NEWTON_CONVERGED : m->status == KN_OK ? NEWTON_NOT_FINITE : NEWTON_FAILED;
    }
    return NEWTON_SLOW;
}

/* Jacobians at (t, x); f and q there are not wanted. */
static enum kn_status take_jacobian(struct radau *m, double t, const double *x)
{
    m->have_jacobian = true;
    m->factors.h = 0;
    return evaluate(m, t, x, DAE_G | DAE_C, NULL, NULL);
}

static bool all_finite(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += fabs(x[k]);
    return isfinite(sum);
}

/* Where G and C are taken, in the order of the attempts. */
enum jacobian_place { JACOBIAN_KEPT, JACOBIAN_BEGIN, JACOBIAN_END };

static enum newton_outcome attempt_stages(struct radau *m, double h, enum jacobian_place place, int *worst)
{
    const double *last = m->Y[m->tableau->stages - 1];
    if (place == JACOBIAN_BEGIN)
        m->status = take_jacobian(m, m->base.t, m->x);
    if (place == JACOBIAN_END) {
        memcpy(m->shifted, last, (size_t)m->base.dae->n * sizeof *last);
        m->status = take_jacobian(m, m->base.t + h, m->shifted);
    }
    if (m->status != KN_OK)
        return NEWTON_FAILED;
    if (m->factors.h != h && (m->status = factor(m, h)) != KN_OK)
        return m->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    start_stages(m, h);
    return iterate(m, h, worst);
}

static enum newton_outcome solve_stages(struct radau *m, double h, int *worst)
{
    enum jacobian_place place = m->have_jacobian ? JACOBIAN_KEPT : JACOBIAN_BEGIN;
    for (;; place++) {
        const enum newton_outcome outcome = attempt_stages(m, h, place, worst);
        if (outcome == NEWTON_CONVERGED || outcome == NEWTON_FAILED || m->base.dae->linear || place == JACOBIAN_END)
            return outcome;
        if (place == JACOBIAN_BEGIN && !all_finite(m->Y[m->tableau->stages - 1], m->base.dae->n))
            return outcome;
        m->contraction = 1;
    }
}

/* ---- error, step, stages ---- */

static double estimate(struct radau *m, double h, const double *f, int *worst)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    for (int k = 0; k < n; k++)
        m->error[k] = -f[k];
    for (int j = 0; j < s; j++) {
        const double e = m->tableau->e[j] / h;
        for (int k = 0; k < n; k++)
            m->error[k] += e * m->dq[j][k];
    }
    sparse_lu_solve(m->factors.real, m->error);
    m->solves++;
    return tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, worst);
}

static double step_error(struct radau *m, double h, int *worst)
{
    double error = estimate(m, h, m->f, worst);
    if (error < 1 || !(m->first || m->rejected))
        return error;
    /* Filtered once more: the first estimate is not small for stiff components off their manifold (8.20). */
    for (int k = 0; k < m->base.dae->n; k++)
        m->shifted[k] = m->x[k] + m->error[k];
    m->status = evaluate(m, m->base.t, m->shifted, DAE_F, m->U[0], NULL);
    return m->status == KN_OK ? estimate(m, h, m->U[0], worst) : INFINITY;
}

static double step_factor(struct radau *m, double h, double error)
{
    const double most = m->tableau->stages * 2 + 4, order = m->tableau->stages + 1;
    const double safety = SAFETY * (2 * most + 1) / (2 * most + m->iterations);
    const double bounded = fmax(error, 1e-10);
    double factor = safety * pow(bounded, -1 / order);
    if (error < 1 && m->error_before > 0) { /* Gustafsson's prediction */
        const double predicted =
            safety * h / m->step_before * pow(bounded, -1 / order) * pow(m->error_before / bounded, 1 / order);
        factor = fmin(factor, predicted);
    }
    return fmin(LARGEST_GROWTH, fmax(SMALLEST_GROWTH, factor));
}

static void choose_stages(struct radau *m)
{
    m->steps_with_stages++;
    if (m->choice < m->highest && m->steps_with_stages > STEPS_BEFORE_RAISE && m->contraction < RAISE_STAGES &&
        m->contraction >= 0 && !m->base.dae->linear)
        use_stages(m, m->choice + 1);
    else if (m->choice < m->highest && m->base.dae->linear && m->steps_with_stages > 3 && m->options.relative < 1e-5)
        use_stages(m, m->choice + 1);
    else if (m->choice > m->lowest && m->contraction > LOWER_STAGES)
        use_stages(m, m->choice - 1);
}

static void accept(struct radau *m, double to, double h, struct step_report *report)
{
    const int n = m->base.dae->n, s = m->tableau->stages;
    memcpy(m->previous_x, m->x, (size_t)n * sizeof(double));
    for (int i = 0; i < s; i++) {
        double *swapped = m->X[i];
        m->X[i] = m->Y[i];
        m->Y[i] = swapped;
    }
    memcpy(m->x, m->X[s - 1], (size_t)n * sizeof(double));
    m->accepted_tableau = m->tableau;
    m->accepted_step = h;
    double factor = step_factor(m, h, report->error);
    if (m->rejected && factor > 1)
        factor = 1;
    m->error_before = fmax(report->error, 1e-2);
    m->step_before = h;
    m->have_jacobian = m->base.dae->linear || m->contraction < KEEP_JACOBIAN;
    if (m->have_jacobian && factor >= 1 && factor <= 1.2)
        factor = 1;
    report->outcome = STEP_ACCEPTED;
    report->next_step = h * factor;
    m->first = m->rejected = false;
    m->base.order = report->order;
    m->base.previous = m->base.t;
    m->base.t = to;
    tolerance_update(&m->tolerance, m->x);
    choose_stages(m);
}

/* f and q at the new point, exactly from x. */
static enum kn_status finish(struct radau *m)
{
    return evaluate(m, m->base.t, m->x, DAE_F | DAE_Q, m->f, m->q);
}

static void newton_failed(struct radau *m, double h, enum newton_outcome outcome, struct step_report *report)
{
    report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
    report->status = m->status;
    report->next_step = 0.5 * h;
    m->contraction = 1;
    m->have_jacobian = m->base.dae->linear;
    m->factors.h = 0;
    if (m->choice > m->lowest && m->rejected)
        use_stages(m, m->choice - 1);
    m->rejected = true;
}

static void radau_step(struct integrator *base, double to, struct step_report *report)
{
    struct radau *m = (struct radau *)base;
    const double h = to - base->t;
    memset(report, 0, sizeof *report);
    report->order = 2 * m->tableau->stages - 1;
    if (fabs(m->factors.h - h) < 1e-9 * h)
        m->factors.h = h; /* times are rounded, the step is the same */
    m->status = KN_OK;
    report->newton = solve_stages(m, h, &report->worst);
    report->iterations = m->iterations;
    if (report->newton != NEWTON_CONVERGED) {
        newton_failed(m, h, report->newton, report);
        return;
    }
    report->error = step_error(m, h, &report->worst);
    if (m->status != KN_OK) {
        report->outcome = STEP_STOPPED;
        report->status = m->status;
    } else if (report->error < 1) {
        accept(m, to, h, report);
        report->status = finish(m);
        if (report->status != KN_OK)
            report->outcome = STEP_STOPPED;
    } else {
        report->outcome = STEP_ERROR_TOO_LARGE;
        report->next_step = m->first ? 0.1 * h : h * fmin(0.9, step_factor(m, h, report->error));
        m->rejected = true;
    }
}

static void radau_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct radau *m = (const struct radau *)base;
    const struct sparse_statistics *real = sparse_lu_statistics(m->factors.real);
    s->evaluations += m->evaluations;
    s->jacobians += m->jacobians;
    s->newton_iterations += m->newton_iterations;
    s->solves += m->solves;
    s->factorizations += real->factorizations;
    s->refactorizations += real->refactorizations;
    for (int p = 0; p < RADAU_PAIRS && m->factors.pair[p]; p++) {
        const struct sparse_statistics *pair = sparse_zlu_statistics(m->factors.pair[p]);
        s->factorizations += pair->factorizations;
        s->refactorizations += pair->refactorizations;
    }
}

const struct integrator_class integrator_radau = {
    .name = "radau",
    .title = "Radau IIA, orders 1 to 13 chosen as the waveform asks",
    .create = radau_create,
    .destroy = radau_destroy,
    .restart = radau_restart,
    .step = radau_step,
    .interpolate = radau_interpolate,
    .statistics = radau_statistics,
};

const struct integrator_class integrator_radau5 = {
    .name = "radau5",
    .title = "Radau IIA of order 5",
    .create = radau5_create,
    .destroy = radau_destroy,
    .restart = radau_restart,
    .step = radau_step,
    .interpolate = radau_interpolate,
    .statistics = radau_statistics,
};
