/* gauss.c - Gauss methods of 1 stage (implicit midpoint rule, order 2) and 2 stages (order 4) in charges, for lossless
 * circuits: symplectic, quadratic invariants such as the energy of linear capacitors and inductors are kept exactly
 * (Deuflhard/Bornemann 2008, 6.44, 6.58; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, IV.2).
 *
 * Stages  1/h sum_j w_ij (q(X_j) - q_n) + f(X_i, t_n + c_i h) = 0,  W = A^-1, by simplified Newton with one real (2/h)
 * or complex ((3 - i sqrt 3)/h) matrix; charges  q_{n+1} = q_n + sum_i d_i (q(X_i) - q_n),  d = b^T W.
 *
 * The methods are not stiffly accurate, so x_{n+1} is what belongs to these charges and satisfies the algebraic
 * equations: f(x, t_{n+1}) + p + alpha (q(x) - q_{n+1}) = 0,     p := p + alpha (q(x) - q_{n+1}), alpha = 1e4/h, p
 * starting as dq/dt extrapolated from the stages.  Rows without charge keep p = 0: there f = 0.  The multiplier
 * iteration (Hestenes, Powell 1969) gains four digits each time on the same factors and ends in q(x) = q_{n+1}, p =
 * dq/dt; three are made, or twelve with alpha = 10/h where rounding of the charges times alpha is too much.  q_{n+1}
 * itself is carried on, so nothing of this comes back into the charges and invariants stay.
 *
 * Where there are index-2 unknowns q_{n+1} cannot be met (a source fixes the voltage of a capacitor): then alpha =
 * 10/h, no iteration on p, and q(x_{n+1}) is carried on.  The index-2 unknowns come out with order 1 and large errors,
 * others lose an order and the invariants are lost: these are not the methods for such circuits.
 *
 * Error: how far dq/dt at t_n is from the extrapolated one of the stages, e ~ h^(s+1), counts as the error of a method
 * of order 2s, (e/signal)^((2s+1)/(s+1)), scaled so that for an oscillation it is its phase error (omega h)^3/12 or
 * (omega h)^5/720. (Differences that include the end are zero in linear circuits: f of the collocation polynomial is a
 * polynomial there.)
 */
#include "integrators/methods.h"
#include "integrators/onestep.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 2, MOST_ITERATIONS = 15, MOST_END_ITERATIONS = 30 };

static const double NEWTON_PART = 1e-4; /* of kappa times the tolerance */
/* Part of the tolerance at the end, which is only shown, where rounding allows no more, which high gains magnify; in stages a negligible
 * part of kappa times the tolerance. */
static const double END_ROUNDING = 0.3;
static const double STAGE_ACCURACY = 1e-13;  /* relative */
static const double CLOSE = 1e4, LOOSE = 10; /* alpha h */
enum { MULTIPLIER_STEPS = 3, LOOSE_MULTIPLIER_STEPS = 12, MOST_IN_A_ROW = 6, SOME_RESCUES = 2 };
static const double HOPELESS = 1e-8; /* part of the longest step so far */

struct gauss_tableau {
    double c[STAGES], W[STAGES][STAGES], d[STAGES];
    double complex lambda;                      /* eigenvalue of W; real for one stage */
    double complex left[STAGES], right[STAGES]; /* its eigenvectors, left right = 1 */
    double extrapolate[STAGES + 1];             /* weights of dq/dt at t_n and the stages for its value at t_{n+1} */
    double difference[STAGES + 1];              /* weights of dq/dt at t_n and the stages for the error / h */
    double polynomial[STAGES + 1]
                     [STAGES + 1]; /* coefficients k = 1.. from the values at theta = 0, c_1.. minus x_{n+1} */
};

struct gauss {
    struct onestep onestep;
    int stages;
    struct gauss_tableau tableau;
    bool loose; /* there are index-2 unknowns */
    struct sparse_lu *real;
    struct sparse_zlu *pair;
    double complex *complex_matrix, *complex_vector;
    double factored_step;                       /* h of the factors of the stages, 0: none */
    double *X[STAGES], *dq[STAGES], *R[STAGES]; /* [n] */
    double *charge, *next_charge;               /* [n] q_n, q_{n+1} as carried */
    bool have_charge;                           /* else q(x) */
    double *slopes[STAGES + 2];                 /* [n] dq/dt at t_n, stages, t_{n+1} */
    double *f, *q;                              /* [n] at the candidate */
    int iterations;
    int rescues, rescues_in_a_row, not_converged; /* the latter two since the last step of its own */
    double longest;                               /* s: step so far */
    long newton_iterations;
};

/* ---- tableaus ---- */

/* From values at theta = 0, c_1 .. relative to that at 1 to coefficients of s^k, s = theta - 1: Lagrange's factors s / s_i
 * and (s - s_j) / (s_i - s_j), multiplied out. */
static void find_polynomial(struct gauss_tableau *t, int stages)
{
    double node[STAGES + 1] = {-1};
    for (int i = 0; i < stages; i++)
        node[i + 1] = t->c[i] - 1;
    for (int i = 0; i <= stages; i++) {
        double product[STAGES + 1] = {1 / node[i]}; /* divided by s */
        for (int j = 0; j <= stages; j++)
            for (int k = stages; k >= 0 && j != i; k--)
                product[k] = ((k > 0 ? product[k - 1] : 0) - node[j] * product[k]) / (node[i] - node[j]);
        for (int k = 0; k <= stages; k++)
            t->polynomial[k][i] = product[k];
    }
}

/* Lagrange extrapolation of dq/dt to the end, and from the stages alone to the begin. */
static void find_extrapolations(struct gauss_tableau *t, int stages, double scale)
{
    double node[STAGES + 1] = {0};
    for (int i = 0; i < stages; i++)
        node[i + 1] = t->c[i];
    for (int i = 0; i <= stages; i++) {
        t->extrapolate[i] = 1;
        t->difference[i] = i ? -scale : scale;
        for (int j = 0; j <= stages; j++) {
            if (j == i)
                continue;
            t->extrapolate[i] *= (1 - node[j]) / (node[i] - node[j]);
            if (i > 0 && j > 0)
                t->difference[i] *= -node[j] / (node[i] - node[j]);
        }
    }
}

static struct gauss_tableau make_tableau(int stages)
{
    struct gauss_tableau t = {.c = {0.5}, .W = {{2}}, .d = {2}, .lambda = 2, .left = {1}, .right = {1}};
    if (stages == 2) {
        const double root = sqrt(3.0);
        t = (struct gauss_tableau){.c = {0.5 - root / 6, 0.5 + root / 6},
                                   .W = {{3, 2 * root - 3}, {-2 * root - 3, 3}},
                                   .d = {-root, root},
                                   .lambda = 3 - root * I};
        /* W r = lambda r: (w12, lambda - w11); l W = lambda l: (w21, lambda - w11), normalised. */
        const double complex shift = t.lambda - t.W[0][0];
        const double complex product = t.W[0][1] * t.W[1][0] + shift * shift;
        t.right[0] = t.W[0][1], t.right[1] = shift;
        t.left[0] = t.W[1][0] / product, t.left[1] = shift / product;
    }
    /* In an oscillation the difference is (omega h)/2 or (omega h)^2/12 of its slope. */
    find_extrapolations(&t, stages, stages == 1 ? 2 * pow(12, -2.0 / 3) : 12 * pow(720, -3.0 / 5));
    find_polynomial(&t, stages);
    return t;
}

/* ---- life ---- */

static void gauss_destroy(struct integrator *base)
{
    struct gauss *m = (struct gauss *)base;
    sparse_lu_free(m->real);
    sparse_zlu_free(m->pair);
    onestep_destroy(base);
}

static bool allocate(struct gauss *m)
{
    const struct dae *dae = m->onestep.base.dae;
    const size_t n = (size_t)dae->n;
    struct arena *a = m->onestep.base.memory;
    double **const vectors[] = {&m->charge,         &m->next_charge,        &m->f, &m->q,
                                &m->slopes[STAGES], &m->slopes[STAGES + 1], NULL};
    bool complete = arena_vectors(a, n, vectors);
    for (int i = 0; i < STAGES; i++) {
        double **const stage[] = {&m->X[i], &m->dq[i], &m->R[i], &m->slopes[i], NULL};
        complete = arena_vectors(a, n, stage) && complete;
    }
    m->complex_matrix = arena_array(a, (size_t)dae->pattern->entries + 1, sizeof *m->complex_matrix);
    m->complex_vector = arena_array(a, n, sizeof *m->complex_vector);
    return complete && m->complex_matrix && m->complex_vector;
}

static enum kn_status create_with(int stages, const struct integrator_class *class, const struct dae *dae,
                                  const struct integrator_options *o, struct integrator **out)
{
    struct onestep *base;
    *out = NULL;
    enum kn_status status = onestep_create(sizeof(struct gauss), dae, o, class, &base);
    if (status != KN_OK)
        return status;
    struct gauss *m = (struct gauss *)base;
    m->stages = stages;
    m->tableau = make_tableau(stages);
    for (int i = 0; dae->classes && i < dae->n; i++)
        m->loose = m->loose || dae->classes[i] == DAE_INDEX2;
    status = allocate(m) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = stages == 1 ? sparse_lu_new(dae->pattern, &m->real) : sparse_zlu_new(dae->pattern, &m->pair);
    if (status == KN_OK)
        *out = &base->base;
    else
        gauss_destroy(&base->base);
    return status;
}

static enum kn_status gauss2_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_with(1, &integrator_gauss2, dae, o, out);
}

static enum kn_status gauss4_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_with(2, &integrator_gauss4, dae, o, out);
}

static enum kn_status gauss_restart(struct integrator *base, double t, const double *x)
{
    struct gauss *m = (struct gauss *)base;
    m->have_charge = false;
    if (!base->dae->linear)
        m->factored_step = 0;
    return onestep_restart(base, t, x);
}

/* ---- stages ---- */

static enum newton_outcome factor_stages(struct gauss *m, double h)
{
    struct onestep *o = &m->onestep;
    const int entries = o->base.dae->pattern->entries;
    if (fabs(m->factored_step - h) <= 1e-10 * h)
        return NEWTON_CONVERGED;
    m->factored_step = 0;
    const double complex lambda = m->tableau.lambda / h;
    if (m->stages == 1) {
        for (int k = 0; k < entries; k++)
            o->matrix[k] = o->G[k] + creal(lambda) * o->C[k];
        o->alpha = NAN;
        o->status = sparse_lu_factor(m->real, o->matrix);
    } else {
        for (int k = 0; k < entries; k++)
            m->complex_matrix[k] = o->G[k] + lambda * o->C[k];
        o->status = sparse_zlu_factor(m->pair, m->complex_matrix);
    }
    if (o->status != KN_OK)
        return o->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    m->factored_step = h;
    return NEWTON_CONVERGED;
}

/* From the polynomial of the last step, after a failure from where the step begins: a wild prediction is worse than
 * none. */
static void start_stages(struct gauss *m, double h)
{
    struct onestep *o = &m->onestep;
    for (int i = 0; i < m->stages; i++)
        if (o->failures > 0)
            memcpy(m->X[i], o->x, (size_t)o->base.dae->n * sizeof(double));
        else
            onestep_interpolate(&o->base, o->base.t + m->tableau.c[i] * h, m->X[i], NULL);
}

/* dq_i, slopes_i = dq/dt at stage i, R_i = slopes_i + f. */
static enum newton_outcome evaluate_stages(struct gauss *m, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n, s = m->stages;
    for (int i = 0; i < s; i++) {
        struct dae_values out = {.f = m->R[i], .q = m->dq[i]};
        if (!onestep_evaluate(o, o->base.t + m->tableau.c[i] * h, m->X[i], DAE_F | DAE_Q, &out))
            return NEWTON_FAILED;
        for (int k = 0; k < n; k++)
            m->dq[i][k] -= m->charge[k];
    }
    for (int i = 0; i < s; i++) {
        double w[STAGES];
        for (int j = 0; j < s; j++)
            w[j] = m->tableau.W[i][j] / h;
        onestep_combine(n, NULL, s, w, m->dq, m->slopes[i + 1]);
        for (int k = 0; k < n; k++)
            m->R[i][k] += m->slopes[i + 1][k];
        if (!onestep_finite(n, m->R[i]))
            return NEWTON_NOT_FINITE;
    }
    return NEWTON_CONVERGED;
}

/* One correction; its weighted norm. */
static double correct_stages(struct gauss *m, int *worst)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    const struct gauss_tableau *t = &m->tableau;
    o->solves++;
    if (m->stages == 1) {
        sparse_lu_solve(m->real, m->R[0]);
    } else {
        for (int k = 0; k < n; k++)
            m->complex_vector[k] = t->left[0] * m->R[0][k] + t->left[1] * m->R[1][k];
        sparse_zlu_solve(m->pair, m->complex_vector);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < n; k++)
                m->R[i][k] = 2 * creal(t->right[i] * m->complex_vector[k]);
    }
    double norm = 0;
    for (int i = 0; i < m->stages; i++) {
        norm = fmax(norm, tolerance_norm(&o->control.tolerance, o->base.dae->classes, CLASSES_DRIVING, m->R[i], worst));
        for (int k = 0; k < n; k++)
            m->X[i][k] -= m->R[i][k];
    }
    return norm;
}

/* The stages feed the charges, so they are solved nearly to rounding: Newton's error must not add up in the invariants.
 */
static double stage_goal(const struct gauss *m)
{
    const struct onestep *o = &m->onestep;
    return fmin(NEWTON_PART * o->options.kappa, STAGE_ACCURACY / o->options.relative);
}

/* The end of the step is only shown. */
static double end_goal(const struct gauss *m)
{
    const struct onestep *o = &m->onestep;
    return fmax(NEWTON_PART * o->options.kappa, 20 * DBL_EPSILON / o->options.relative);
}

/* Corrections that no longer shrink are rounding error, which high gains magnify, if they are not longer than `part` of
 * the tolerance. */
static bool is_rounding(const struct gauss *m, double norm, double before, double part)
{
    return norm > 0.9 * before && norm <= fmax(1e4 * DBL_EPSILON / m->onestep.options.relative, part);
}

static enum newton_outcome solve_stages(struct gauss *m, double h, int *worst)
{
    double before = INFINITY;
    start_stages(m, h);
    for (m->iterations = 1; m->iterations <= MOST_ITERATIONS; m->iterations++) {
        m->newton_iterations++;
        const enum newton_outcome outcome = evaluate_stages(m, h);
        if (outcome != NEWTON_CONVERGED)
            return outcome;
        const double norm = correct_stages(m, worst);
        if (!isfinite(norm))
            return NEWTON_NOT_FINITE;
        if (m->onestep.base.dae->linear || norm <= stage_goal(m))
            return evaluate_stages(m, h);
        if (m->iterations > 1 && norm > 0.9 * before)
            return is_rounding(m, norm, before, TOLERANCE_NEGLIGIBLE * m->onestep.options.kappa) ? evaluate_stages(m, h)
                                                                                                 : NEWTON_SLOW;
        before = norm;
    }
    return NEWTON_SLOW;
}

/* ---- the end of the step ---- */

/* f, q at the candidate; right := -(f + p + alpha (q - q_{n+1})) with p updated first where `update`. */
static enum newton_outcome end_residual(struct gauss *m, double to, double alpha, bool update, double *right)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    double *p = m->slopes[m->stages + 1];
    struct dae_values out = {.f = m->f, .q = m->q};
    if (!onestep_evaluate(o, to, o->next, DAE_F | DAE_Q, &out))
        return NEWTON_FAILED;
    for (int k = 0; k < n; k++) {
        const double pull = alpha * (m->q[k] - m->next_charge[k]);
        right[k] = -(m->f[k] + p[k] + pull);
        if (update) {
            p[k] += pull;
            right[k] -= pull;
        }
    }
    return onestep_finite(n, right) ? NEWTON_CONVERGED : NEWTON_NOT_FINITE;
}

/* x_{n+1} with alpha = pull / h and so many updates of p; corrections that stagnate within `part` of the tolerance are
 * rounding. */
static enum newton_outcome iterate_end(struct gauss *m, double to, double alpha, int most_updates, double part,
                                       int *worst)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n, s = m->stages;
    enum newton_outcome outcome = onestep_factor(o, alpha);
    onestep_combine(n, NULL, s + 1, m->tableau.extrapolate, m->slopes, m->slopes[s + 1]);
    memcpy(o->next, m->X[s - 1], (size_t)n * sizeof(double));
    double before = INFINITY;
    bool update = false;
    int updates = 0;
    for (int i = 0; outcome == NEWTON_CONVERGED; i++) {
        outcome = end_residual(m, to, alpha, update, o->error);
        if (outcome != NEWTON_CONVERGED)
            break;
        updates += update;
        if (!onestep_solve(o, o->error))
            return NEWTON_NOT_FINITE;
        for (int k = 0; k < n; k++)
            o->next[k] += o->error[k];
        const double norm =
            tolerance_norm(&o->control.tolerance, o->base.dae->classes, CLASSES_DRIVING, o->error, worst);
        const bool stagnates = is_rounding(m, norm, before, part);
        before = norm;
        update = norm <= end_goal(m) || stagnates || o->base.dae->linear; /* x belongs to this p */
        if (update && updates == most_updates)
            break;
        if (i >= MOST_END_ITERATIONS + updates)
            return NEWTON_SLOW;
    }
    if (outcome == NEWTON_CONVERGED)
        outcome = end_residual(m, to, alpha, false, o->error);
    return outcome;
}

/* Rounding of the charges counts alpha times; where that is too much, between nodes that only a large capacitor joins,
 * a smaller alpha with more updates ends at the same point. */
static enum newton_outcome find_end(struct gauss *m, double to, double h, int *worst)
{
    struct onestep *o = &m->onestep;
    onestep_combine(o->base.dae->n, m->charge, m->stages, m->tableau.d, m->dq, m->next_charge);
    if (m->loose)
        return iterate_end(m, to, LOOSE / h, 0, END_ROUNDING, worst);
    const double usual = TOLERANCE_NEGLIGIBLE * o->options.kappa;
    const enum newton_outcome outcome = iterate_end(m, to, CLOSE / h, MULTIPLIER_STEPS, usual, worst);
    return outcome == NEWTON_SLOW ? iterate_end(m, to, LOOSE / h, LOOSE_MULTIPLIER_STEPS, END_ROUNDING, worst)
                                  : outcome;
}

/* onestep.error from dq/dt at t_n and the stages, carried to x. */
static bool estimate(struct gauss *m, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n, s = m->stages;
    onestep_combine(n, NULL, s + 1, m->tableau.difference, m->slopes, o->error);
    for (int k = 0; k < n; k++)
        o->error[k] *= h * o->alpha;
    if (!onestep_solve(o, o->error))
        return false;
    const double size = tolerance_norm(&o->control.tolerance, o->base.dae->classes, CLASSES_DRIVING, o->error, NULL);
    const double factor = pow(size * o->options.relative, (2.0 * s + 1) / (s + 1) - 1);
    for (int k = 0; k < n; k++)
        o->error[k] *= factor;
    return true;
}

static void accept(struct gauss *m, double to, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n, s = m->stages;
    double *values[STAGES + 1] = {o->x, m->X[0], m->X[1]};
    memcpy(o->coefficient[0], o->next, (size_t)n * sizeof(double));
    for (int i = 0; i <= s; i++)
        for (int k = 0; k < n; k++)
            values[i][k] -= o->next[k]; /* none of them is needed any more */
    for (int k = 0; k <= s; k++)
        onestep_combine(n, NULL, s + 1, m->tableau.polynomial[k], values, o->coefficient[k + 1]);
    double *swapped = m->charge;
    m->charge = m->loose ? m->q : m->next_charge;
    if (m->loose)
        m->q = swapped;
    else
        m->next_charge = swapped;
    m->rescues_in_a_row = m->not_converged = 0;
    m->longest = fmax(m->longest, to - o->base.t);
    onestep_advance(o, to, s + 1, report);
}

/* ---- steps ---- */

static enum newton_outcome attempt(struct gauss *m, double to, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    const double h = to - o->base.t;
    const bool fresh = !o->linearized && !o->base.dae->linear;
    enum newton_outcome outcome = onestep_linearize(o, false);
    if (fresh)
        m->factored_step = 0;
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    if (!m->have_charge)
        memcpy(m->charge, o->q, (size_t)n * sizeof(double));
    m->have_charge = true;
    for (int k = 0; k < n; k++)
        m->slopes[0][k] = -o->f[k];
    outcome = factor_stages(m, h);
    if (outcome == NEWTON_CONVERGED)
        outcome = solve_stages(m, h, &report->worst);
    if (outcome == NEWTON_CONVERGED)
        outcome = find_end(m, to, h, &report->worst);
    if (outcome == NEWTON_CONVERGED && !estimate(m, h))
        outcome = NEWTON_NOT_FINITE;
    return outcome;
}

/* Whether C is singular.  Uses up the factors. */
static bool has_algebraic_equations(struct gauss *m)
{
    struct onestep *o = &m->onestep;
    o->alpha = NAN;
    return sparse_lu_factor(o->lu, o->C) != KN_OK;
}

/* Whether stiff parts ring: implicit Euler, which damps, gets on where this method does not, again and again; or steps
 * get shorter and shorter where algebraic equations, the stiffest of all, must hold. */
static bool rings(struct gauss *m, double h)
{
    const int failures = m->onestep.failures;
    if (m->rescues_in_a_row > MOST_IN_A_ROW || m->not_converged > MOST_IN_A_ROW)
        return true;
    if (failures == 0 || h >= HOPELESS * m->longest)
        return false;
    return m->rescues > SOME_RESCUES || has_algebraic_equations(m);
}

static void gauss_step(struct integrator *base, double to, struct step_report *report)
{
    struct gauss *m = (struct gauss *)base;
    memset(report, 0, sizeof *report);
    if (onestep_rescue(&m->onestep, to, m->have_charge ? m->charge : NULL, report)) {
        m->have_charge = false;
        m->rescues++;
        m->rescues_in_a_row++;
        return;
    }
    if (rings(m, to - base->t)) {
        m->onestep.status = KN_ERROR_CIRCUIT;
        m->onestep.reason =
            "parts of it decay much faster than the waveforms change, and a method without damping lets "
            "their errors ring";
        onestep_fail(&m->onestep, NEWTON_FAILED, report);
        return;
    }
    report->order = 2 * m->stages;
    const enum newton_outcome outcome = attempt(m, to, report);
    report->iterations = m->iterations;
    m->not_converged += outcome == NEWTON_SLOW;
    if (outcome != NEWTON_CONVERGED)
        onestep_fail(&m->onestep, outcome, report);
    else if (onestep_judge(&m->onestep, 2 * m->stages + 1, report))
        accept(m, to, report);
}

static void gauss_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct gauss *m = (const struct gauss *)base;
    onestep_statistics(base, s);
    s->newton_iterations += m->newton_iterations;
    const struct sparse_statistics *lu = m->real ? sparse_lu_statistics(m->real) : sparse_zlu_statistics(m->pair);
    s->factorizations += lu->factorizations;
    s->refactorizations += lu->refactorizations;
}

#define GAUSS_CLASS(id, text, bad)                                                                                     \
    {                                                                                                                  \
        .name = #id, .title = text, .good_for = "lossless circuits, whose energy it keeps over many periods",          \
        .fails = bad, .calibration = {1, 1, 1, UNCHANGED}, .create = id##_create, .destroy = gauss_destroy,            \
        .restart = gauss_restart, .step = gauss_step, .interpolate = onestep_interpolate,                              \
        .statistics = gauss_statistics,                                                                                \
    }

const struct integrator_class integrator_gauss2 = GAUSS_CLASS(
    gauss2, "Gauss method of order 2 (implicit midpoint rule), keeps the energy of lossless circuits",
    "it damps nothing, so that what is stiff rings on, and its phase is off by 200 tolerances after 100 periods");

const struct integrator_class integrator_gauss4 = GAUSS_CLASS(
    gauss4, "Gauss method of order 4, keeps the energy of lossless circuits",
    "it damps nothing, so that what is stiff rings on, and its phase is off by 30 tolerances after 100 periods");
