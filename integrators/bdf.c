/* bdf.c - backward differentiation formulas on a variable grid, orders 1 to 5, in charges.
 *
 * Step (Deuflhard/Bornemann 2008, 7.4.2): q_k is the polynomial through (t_new, q(x)), (t_n, q_n) .. (t_{n+1-k}, ..);
 *     q_k'(t_new) + f(x, t_new) = 0,     q_k'(t_new) = alpha q(x) + b,  alpha = sum_{i=1}^{k} 1/(t_new - t_{n+1-i}).
 * Error (7.44, carried over to charges): taking one more point into the polynomial changes the residual by
 *     d = (q(x) - q0_k(t_new)) / (t_new - t_{n-k}),     q0_k through the k+1 newest points,
 * and  e = (alpha C + G)^-1 d  is the error in x, stiff components filtered.  The same with k-1 and k+1 decides the order.
 *
 * Start and restart: the first step is made of two, the first of which, a hundredth of the whole and solved far below the
 * tolerance, supplies the slope for predictor and error estimate; no derivative of the problem is needed, and index-2
 * unknowns come out consistent.
 */
#include "integrators/history.h"
#include "integrators/integrator.h"
#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HIGHEST_ORDER = 5 };

/* Size of the slope-finding step; Newton is so much more accurate in it because its error is magnified by the extrapolation
 * over the whole step. */
static const double STARTING_PART = 0.01;
static const double STARTING_KAPPA = 1e-3;

static const double LARGEST_GROWTH = 2;
static const double LARGEST_STARTING_GROWTH = 8; /* order 1 right after a restart */
static const double SMALLEST_WORTHWHILE_GROWTH = 1.2; /* below, the step and with it the factors are kept */
static const double SAFETY = 0.5;                /* aim at this part of the tolerance */
static const double NEWTON_SHRINK = 0.25;

struct bdf {
    struct integrator base;
    struct integrator_options options;
    struct newton newton;
    struct tolerance tolerance;
    struct history history;
    double *b, *error;   /* [n] */
    int order;           /* for the next step */
    int steps_at_order;
    int failures;        /* in a row */
    bool starting;       /* since the last restart no step was rejected */
};

static enum kn_status bdf_create_limited(const struct dae *dae, const struct integrator_options *o, int highest,
                                         const struct integrator_class *class, struct integrator **out)
{
    *out = NULL;
    struct bdf *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.class = class;
    m->base.dae = dae;
    m->options = *o;
    if (m->options.max_order < 1 || m->options.max_order > HIGHEST_ORDER)
        m->options.max_order = highest;
    const struct newton_options newton = {o->relative, o->kappa, o->max_iterations};
    enum kn_status status = newton_init(&m->newton, dae, &newton);
    if (status == KN_OK)
        status = tolerance_init(&m->tolerance, dae, o->relative);
    if (status == KN_OK)
        status = history_init(&m->history, dae->n);
    m->b = calloc((size_t)dae->n, sizeof(double));
    m->error = calloc((size_t)dae->n, sizeof(double));
    if (status == KN_OK && (!m->b || !m->error))
        status = KN_ERROR_MEMORY;
    *out = &m->base;
    if (status != KN_OK) {
        class->destroy(&m->base);
        *out = NULL;
    }
    return status;
}

static void bdf_destroy(struct integrator *base)
{
    struct bdf *m = (struct bdf *)base;
    newton_free(&m->newton);
    tolerance_free(&m->tolerance);
    history_free(&m->history);
    free(m->b);
    free(m->error);
    free(m);
}

static enum kn_status bdf_restart(struct integrator *base, double t, const double *x)
{
    struct bdf *m = (struct bdf *)base;
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
    m->order = 1;
    m->steps_at_order = 0;
    m->failures = 0;
    m->starting = true;
    return KN_OK;
}

/* Weighted error of order k at the candidate, through the factors of the step just solved. */
static double error_of_order(struct bdf *m, double to, int k, int *worst)
{
    const struct history *h = &m->history;
    double w[HISTORY_POINTS];
    history_value_weights(h, k + 1, to, w);
    history_combine(h->q, h->n, k + 1, w, m->error);
    const double *q = h->q[HISTORY_POINTS];
    const double scale = 1 / (to - h->t[k]);
    for (int i = 0; i < h->n; i++)
        m->error[i] = scale * (q[i] - m->error[i]);
    newton_back_solve(&m->newton, m->error);
    return tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, worst);
}

/* Factor by which the step may grow (or must shrink) at order k. */
static double growth(double error, int k)
{
    return pow(SAFETY / (error + 1e-12), 1.0 / (k + 1));
}

/* Chooses the order after an accepted step (k-1, k or k+1) and returns the growth factor that goes with it. */
static double choose_order(struct bdf *m, double to, double error)
{
    const int k = m->order;
    double best = growth(error, k);
    int choice = k, worst;
    const bool settled = m->steps_at_order > k;
    if (!settled && !(m->starting && m->history.count > k + 1))
        return best;
    if (k > 1) {
        const double lower = growth(error_of_order(m, to, k - 1, &worst), k - 1) / 1.1;
        if (lower > best) {
            best = lower;
            choice = k - 1;
        }
    }
    if (choice == k && k < m->options.max_order && m->history.count >= k + 2) {
        const double higher = growth(error_of_order(m, to, k + 1, &worst), k + 1) / 1.1;
        if (higher > best) {
            best = higher;
            choice = k + 1;
        }
    }
    if (choice != k) {
        m->order = choice;
        m->steps_at_order = 0;
    }
    return best;
}

static void accept(struct bdf *m, double to, struct step_report *report)
{
    const double step = to - m->base.t;
    const double most = m->starting && m->order == 1 ? LARGEST_STARTING_GROWTH : LARGEST_GROWTH;
    report->order = m->order;
    m->steps_at_order++;
    double factor = choose_order(m, to, report->error);
    factor = factor > most ? most : factor;
    if (factor < SMALLEST_WORTHWHILE_GROWTH && factor >= 0.9)
        factor = 1;
    report->next_step = step * factor;
    report->outcome = STEP_ACCEPTED;
    history_push(&m->history, to);
    tolerance_update(&m->tolerance, m->history.x[0]);
    m->failures = 0;
    m->base.order = report->order;
    m->base.previous = m->base.t;
    m->base.t = to;
    m->base.x = m->history.x[0];
}

static void reject(struct bdf *m, double to, struct step_report *report)
{
    const double step = to - m->base.t;
    report->outcome = STEP_ERROR_TOO_LARGE;
    m->starting = false;
    m->failures++;
    double factor = 0.9 * growth(report->error, m->order);
    factor = factor < 0.1 ? 0.1 : factor > 0.9 ? 0.9 : factor;
    if (m->failures > 2 && m->order > 1) {
        m->order = 1;
        m->steps_at_order = 0;
        factor = factor < 0.25 ? factor : 0.25;
    }
    report->next_step = step * factor;
}

static void newton_failed(struct bdf *m, double to, enum newton_outcome outcome, struct step_report *report)
{
    report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
    report->status = m->newton.status;
    report->worst = m->newton.worst;
    report->error = m->newton.worst_update;
    report->next_step = (to - m->base.t) * NEWTON_SHRINK;
    m->starting = false;
    if (++m->failures > 2 && m->order > 1) {
        m->order = 1;
        m->steps_at_order = 0;
    }
}

static enum newton_outcome solve(struct bdf *m, double to)
{
    struct history *h = &m->history;
    const int k = m->order;
    double w[HISTORY_POINTS];
    const double alpha = history_bdf_weights(h, k, to, w);
    history_combine(h->q, h->n, k, w, m->b);
    double *x = history_candidate_x(h);
    const int points = h->count > k ? k + 1 : h->count;
    history_value_weights(h, points, to, w);
    history_combine(h->x, h->n, points, w, x);
    const struct newton_problem problem = {to, alpha, m->b, m->tolerance.weights, h->x[0]};
    enum newton_outcome outcome = newton_solve(&m->newton, &problem, x);
    if (outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED && points > 1) {
        memcpy(x, h->x[0], (size_t)h->n * sizeof *x); /* a wild prediction is worse than none */
        outcome = newton_solve(&m->newton, &problem, x);
    }
    if (outcome == NEWTON_CONVERGED)
        memcpy(history_candidate_q(h), m->newton.q, (size_t)h->n * sizeof(double));
    return outcome;
}

/* Solves for the small step that finds the slope and makes it a point of the history. */
static enum newton_outcome find_slope(struct bdf *m, double to)
{
    const double small = m->base.t + STARTING_PART * (to - m->base.t);
    m->newton.options.kappa = m->options.kappa * STARTING_KAPPA;
    const enum newton_outcome outcome = solve(m, small);
    m->newton.options.kappa = m->options.kappa;
    if (outcome == NEWTON_CONVERGED)
        history_push(&m->history, small);
    return outcome;
}

static void bdf_step(struct integrator *base, double to, struct step_report *report)
{
    struct bdf *m = (struct bdf *)base;
    memset(report, 0, sizeof *report);
    const bool first = m->history.count == 1;
    enum newton_outcome outcome = first ? find_slope(m, to) : NEWTON_CONVERGED;
    if (outcome == NEWTON_CONVERGED)
        outcome = solve(m, to);
    report->order = m->order;
    report->newton = outcome;
    report->iterations = m->newton.last_iterations;
    report->worst_row = m->newton.worst_row;
    report->residual = m->newton.worst_residual;
    if (outcome == NEWTON_CONVERGED)
        report->error = error_of_order(m, to, m->order, &report->worst);
    if (outcome != NEWTON_CONVERGED)
        newton_failed(m, to, outcome, report);
    else if (report->error <= 1)
        accept(m, to, report);
    else
        reject(m, to, report);
    if (first && report->outcome != STEP_ACCEPTED && m->history.count == 2)
        history_pop(&m->history);
}

static void bdf_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct bdf *m = (const struct bdf *)base;
    const struct history *h = &m->history;
    const int points = h->count > base->order ? base->order + 1 : h->count;
    double w[HISTORY_POINTS];
    history_value_weights(h, points, time, w);
    history_combine(h->x, h->n, points, w, x);
    if (!dxdt)
        return;
    history_slope_weights(h, points, time, w);
    history_combine(h->x, h->n, points, w, dxdt);
}

static void bdf_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    newton_add_statistics(&((const struct bdf *)base)->newton, s);
}

static enum kn_status bdf_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return bdf_create_limited(dae, o, HIGHEST_ORDER, &integrator_bdf, out);
}

static enum kn_status gear_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return bdf_create_limited(dae, o, 2, &integrator_gear, out);
}

static enum kn_status euler_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    struct integrator_options first_order = *o;
    first_order.max_order = 1;
    return bdf_create_limited(dae, &first_order, 1, &integrator_euler, out);
}

const struct integrator_class integrator_bdf = {
    .name = "bdf",
    .title = "backward differentiation formulas, variable order 1-5",
    .create = bdf_create,
    .destroy = bdf_destroy,
    .restart = bdf_restart,
    .step = bdf_step,
    .interpolate = bdf_interpolate,
    .statistics = bdf_statistics,
};

const struct integrator_class integrator_gear = {
    .name = "gear",
    .title = "Gear's method as SPICE means it: backward differentiation up to order 2, or maxord",
    .create = gear_create,
    .destroy = bdf_destroy,
    .restart = bdf_restart,
    .step = bdf_step,
    .interpolate = bdf_interpolate,
    .statistics = bdf_statistics,
};

const struct integrator_class integrator_euler = {
    .name = "euler",
    .title = "implicit Euler",
    .create = euler_create,
    .destroy = bdf_destroy,
    .restart = bdf_restart,
    .step = bdf_step,
    .interpolate = bdf_interpolate,
    .statistics = bdf_statistics,
};
