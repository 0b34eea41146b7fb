/* trapezoidal.c - the trapezoidal rule in charges, as SPICE users know it.
 *
 *     q(x) - q_n = h/2 (p + p_n),    p + f(x, t) = 0,
 * where p_n is the derivative of the charges at t_n.  p is carried for the rows of q, so rows without charge have p = 0
 * always and algebraic equations hold at every point: there is no history on them that could ring (Nagel 1975 does the same
 * capacitor by capacitor).  The step after a restart is Euler's method, which needs no p_n.
 *
 * Error: the third derivative of q by a divided difference over the new and the three newest points,
 *     (q_{n+1} - q_n)/h - (p_{n+1} + p_n)/2 = -h^2/12 q''' + ..,
 * twice that in the equation p_{n+1} + f = 0 which the factored matrix belongs to, carried to x by it.
 */
#include "integrators/history.h"
#include "integrators/integrator.h"
#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STARTING_PART = 0.01;
static const double STARTING_KAPPA = 1e-3;
static const double LARGEST_GROWTH = 2;
static const double SMALLEST_WORTHWHILE_GROWTH = 1.2;
static const double SAFETY = 0.5;
static const double NEWTON_SHRINK = 0.25;

struct trapezoidal {
    struct integrator base;
    struct integrator_options options;
    struct newton newton;
    struct tolerance tolerance;
    struct history history;
    double *p;        /* [n] dq/dt at the newest point */
    double *p_before; /* [n] at the point before, for a rejected start */
    double *b, *error;
};

static void trapezoidal_destroy(struct integrator *base)
{
    struct trapezoidal *m = (struct trapezoidal *)base;
    newton_free(&m->newton);
    tolerance_free(&m->tolerance);
    history_free(&m->history);
    free(m->p);
    free(m->p_before);
    free(m->b);
    free(m->error);
    free(m);
}

static enum kn_status trapezoidal_create(const struct dae *dae, const struct integrator_options *o,
                                         struct integrator **out)
{
    *out = NULL;
    struct trapezoidal *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.class = &integrator_trapezoidal;
    m->base.dae = dae;
    m->options = *o;
    const struct newton_options newton = {o->relative, o->kappa, o->max_iterations};
    enum kn_status status = newton_init(&m->newton, dae, &newton);
    if (status == KN_OK)
        status = tolerance_init(&m->tolerance, dae, o->relative);
    if (status == KN_OK)
        status = history_init(&m->history, dae->n);
    double **const vectors[] = {&m->p, &m->p_before, &m->b, &m->error};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = calloc((size_t)dae->n, sizeof(double))) && status == KN_OK)
            status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        *out = &m->base;
    else
        trapezoidal_destroy(&m->base);
    return status;
}

static enum kn_status trapezoidal_restart(struct integrator *base, double t, const double *x)
{
    struct trapezoidal *m = (struct trapezoidal *)base;
    struct dae_values out = {.q = history_candidate_q(&m->history)};
    const enum kn_status status = base->dae->eval(base->dae->problem, t, x, DAE_Q, &out);
    if (status != KN_OK)
        return status;
    const bool first = m->history.count == 0;
    history_restart(&m->history, t, x, out.q);
    if (first)
        tolerance_reset(&m->tolerance, x);
    else
        tolerance_update(&m->tolerance, x);
    newton_invalidate(&m->newton);
    base->t = base->previous = t;
    base->x = m->history.x[0];
    base->order = 1;
    return KN_OK;
}

/* Solves one step from the newest point; Euler where there is no derivative yet. p of the new point goes to `error`. */
static enum newton_outcome solve(struct trapezoidal *m, double to)
{
    struct history *h = &m->history;
    const int n = h->n, points = h->count < 3 ? h->count : 3;
    const double step = to - h->t[0];
    const bool euler = h->count == 1;
    const double alpha = (euler ? 1 : 2) / step;
    for (int i = 0; i < n; i++)
        m->b[i] = -alpha * h->q[0][i] - (euler ? 0 : m->p[i]);
    double *x = history_candidate_x(h), w[HISTORY_POINTS];
    history_value_weights(h, points, to, w);
    history_combine(h->x, n, points, w, x);
    const struct newton_problem problem = {to, alpha, m->b, m->tolerance.weights, h->x[0]};
    enum newton_outcome outcome = newton_solve(&m->newton, &problem, x);
    if (outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED && points > 1) {
        memcpy(x, h->x[0], (size_t)n * sizeof *x);
        outcome = newton_solve(&m->newton, &problem, x);
    }
    if (outcome == NEWTON_CONVERGED)
        memcpy(history_candidate_q(h), m->newton.q, (size_t)n * sizeof(double));
    return outcome;
}

/* The candidate becomes a point; its dq/dt follows from the rule. */
static void push(struct trapezoidal *m, double to)
{
    struct history *h = &m->history;
    const double step = to - h->t[0];
    const bool euler = h->count == 1;
    const double *q = history_candidate_q(h);
    for (int i = 0; i < h->n; i++) {
        m->p_before[i] = m->p[i];
        m->p[i] = euler ? (q[i] - h->q[0][i]) / step : 2 * (q[i] - h->q[0][i]) / step - m->p[i];
    }
    history_push(h, to);
}

/* Weighted local error of the candidate.  With fewer than three points before it the second difference (Euler's error) is
 * taken, which is larger. */
static double local_error(struct trapezoidal *m, double to, int *worst)
{
    const struct history *h = &m->history;
    const int points = h->count < 3 ? h->count : 3;
    const double step = to - h->t[0];
    double w[HISTORY_POINTS], gap = 1;
    history_value_weights(h, points, to, w);
    history_combine(h->q, h->n, points, w, m->error);
    /* q(to) - extrapolation = product of gaps * divided difference; q''' is 6 of those, q'' is 2. */
    for (int i = 0; i < points; i++)
        gap *= to - h->t[i];
    const double scale = points == 3 ? step * step / gap : step / gap;
    for (int i = 0; i < h->n; i++)
        m->error[i] = scale * (h->q[HISTORY_POINTS][i] - m->error[i]);
    newton_back_solve(&m->newton, m->error);
    return tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, worst);
}

static void finish(struct trapezoidal *m, double to, struct step_report *report)
{
    const double step = to - m->base.t;
    double factor = pow(SAFETY / (report->error + 1e-12), 1.0 / 3);
    if (report->error > 1) {
        report->outcome = STEP_ERROR_TOO_LARGE;
        factor *= 0.9;
        report->next_step = step * (factor < 0.1 ? 0.1 : factor > 0.9 ? 0.9 : factor);
        return;
    }
    factor = factor > LARGEST_GROWTH ? LARGEST_GROWTH : factor;
    if (factor < SMALLEST_WORTHWHILE_GROWTH && factor >= 0.9)
        factor = 1;
    report->outcome = STEP_ACCEPTED;
    report->next_step = step * factor;
    push(m, to);
    tolerance_update(&m->tolerance, m->history.x[0]);
    m->base.order = m->history.count > 2 ? 2 : 1;
    m->base.previous = m->base.t;
    m->base.t = to;
    m->base.x = m->history.x[0];
}

static void trapezoidal_step(struct integrator *base, double to, struct step_report *report)
{
    struct trapezoidal *m = (struct trapezoidal *)base;
    memset(report, 0, sizeof *report);
    report->order = 2;
    const bool first = m->history.count == 1;
    enum newton_outcome outcome = NEWTON_CONVERGED;
    if (first) {
        const double small = base->t + STARTING_PART * (to - base->t);
        m->newton.options.kappa = m->options.kappa * STARTING_KAPPA;
        outcome = solve(m, small);
        m->newton.options.kappa = m->options.kappa;
        if (outcome == NEWTON_CONVERGED)
            push(m, small);
    }
    if (outcome == NEWTON_CONVERGED)
        outcome = solve(m, to);
    report->newton = outcome;
    report->iterations = m->newton.last_iterations;
    report->worst_row = m->newton.worst_row;
    report->residual = m->newton.worst_residual;
    if (outcome == NEWTON_CONVERGED) {
        report->error = local_error(m, to, &report->worst);
        finish(m, to, report);
    } else {
        report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
        report->status = m->newton.status;
        report->worst = m->newton.worst;
        report->error = m->newton.worst_update;
        report->next_step = (to - base->t) * NEWTON_SHRINK;
    }
    if (first && report->outcome != STEP_ACCEPTED && m->history.count == 2)
        history_pop(&m->history);
}

/* Quadratic through the newest points. */
static void trapezoidal_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct history *h = &((const struct trapezoidal *)base)->history;
    const int points = h->count < 3 ? h->count : 3;
    double w[HISTORY_POINTS];
    history_value_weights(h, points, time, w);
    history_combine(h->x, h->n, points, w, x);
    if (!dxdt)
        return;
    history_slope_weights(h, points, time, w);
    history_combine(h->x, h->n, points, w, dxdt);
}

static void trapezoidal_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    newton_add_statistics(&((const struct trapezoidal *)base)->newton, s);
}

const struct integrator_class integrator_trapezoidal = {
    .name = "trap",
    .title = "trapezoidal rule",
    .create = trapezoidal_create,
    .destroy = trapezoidal_destroy,
    .restart = trapezoidal_restart,
    .step = trapezoidal_step,
    .interpolate = trapezoidal_interpolate,
    .statistics = trapezoidal_statistics,
};
