/* trapezoidal.c - the trapezoidal rule in charges, as SPICE users know it.
 *
 *     q(x) - q_n = h/2 (p + p_n),    p + f(x, t) = 0,
 * where p_n is the derivative of the charges at t_n.  p is carried for the rows of q, so rows without charge have p = 0
 * always and algebraic equations hold at every point: there is no history on them that could ring (Nagel 1975 does the
 * same capacitor by capacitor).
 *
 * Errors of p change their sign from step to step and never decay, and the current of a source across a capacitor shows
 * them undivided.  After a restart p is therefore found to order 2: in two hundredths of the first step, one of Euler's
 * method and one of BDF of order 2.
 *
 * Error: the third derivative of q by a divided difference over the new and the three newest points,
 *     (q_{n+1} - q_n)/h - (p_{n+1} + p_n)/2 = -h^2/12 q''' + ..,
 * twice that in the equation p_{n+1} + f = 0 which the factored matrix belongs to, carried to x by it.
 */
#include "integrators/multistep/multistep.h"

#include <math.h>
#include <string.h>

enum { POINTS = 3 }; /* of the history that predict and estimate */

struct trapezoidal {
    struct multistep multistep;
    double *p; /* [n] dq/dt at the newest point */
};

static enum kn_status trapezoidal_create(const struct dae *dae, const struct integrator_options *o,
                                         struct integrator **out)
{
    *out = NULL;
    struct multistep *m;
    const enum kn_status status = multistep_create(sizeof(struct trapezoidal), dae, o, &integrator_trapezoidal, &m);
    if (status != KN_OK)
        return status;
    if (!arena_vectors(m->base.memory, (size_t)dae->n, (double **const[]){&((struct trapezoidal *)m)->p, NULL})) {
        multistep_destroy(&m->base);
        return KN_ERROR_MEMORY;
    }
    *out = &m->base;
    return KN_OK;
}

static int known_points(const struct history *h)
{
    return h->count < POINTS ? h->count : POINTS;
}

static enum newton_outcome solve(struct multistep *base, double to)
{
    const struct trapezoidal *m = (const struct trapezoidal *)base;
    const struct history *h = &base->history;
    const double alpha = 2 / (to - h->t[0]);
    for (int i = 0; i < h->n; i++)
        base->b[i] = -alpha * h->q[0][i] - m->p[i];
    const struct multistep_formula formula = {to, alpha, known_points(h)};
    return multistep_solve(base, &formula);
}

/* The small steps after a restart, which need no derivative: BDF of the order that the points allow. */
static enum newton_outcome solve_small(struct multistep *base, double to)
{
    const struct history *h = &base->history;
    double w[HISTORY_POINTS];
    const double alpha = history_bdf_weights(h, h->count, to, w);
    history_combine(h->q, h->n, h->count, w, base->b);
    const struct multistep_formula formula = {to, alpha, h->count};
    return multistep_solve(base, &formula);
}

/* The candidate becomes a point; its dq/dt is what the formula just solved says. */
static void push(struct multistep *base, double to)
{
    struct trapezoidal *m = (struct trapezoidal *)base;
    struct history *h = &base->history;
    const double *q = history_candidate_q(h);
    for (int i = 0; i < h->n; i++)
        m->p[i] = base->alpha * q[i] + base->b[i];
    history_push(h, to);
}

static enum newton_outcome start(struct multistep *m, double to)
{
    const struct history *h = &m->history;
    enum newton_outcome outcome = multistep_start(m, to, solve_small, push);
    const double next = 2 * h->t[0] - m->base.t;
    if (outcome != NEWTON_CONVERGED || next >= to)
        return outcome;
    m->starting = true;
    outcome = solve_small(m, next);
    m->starting = false;
    if (outcome == NEWTON_CONVERGED)
        push(m, next);
    return outcome;
}

/* The extrapolation misses q by (product of the distances) x (divided difference); the third derivative is 6 divided
 * differences.  With two points only, Euler's error is taken, which is larger. */
static double local_error(struct multistep *base, double to, int *worst)
{
    const struct history *h = &base->history;
    const int points = known_points(h);
    const double step = to - h->t[0];
    double distances = 1;
    for (int i = 0; i < points; i++)
        distances *= to - h->t[i];
    return multistep_error(base, to, points, (points == POINTS ? step * step : step) / distances, worst);
}

static void trapezoidal_step(struct integrator *base, double to, struct step_report *report)
{
    struct multistep *m = (struct multistep *)base;
    memset(report, 0, sizeof *report);
    report->order = 2;
    enum newton_outcome outcome = m->history.count == 1 ? start(m, to) : NEWTON_CONVERGED;
    if (outcome == NEWTON_CONVERGED)
        outcome = solve(m, to);
    if (multistep_report(m, to, outcome, report)) {
        report->error = local_error(m, to, &report->worst);
        if (multistep_judge(m, POINTS, 3, report)) {
            push(m, to);
            multistep_advance(m, 2);
        }
    }
    multistep_take_back(m, report);
}

const struct integrator_class integrator_trapezoidal = {
    .name = "trap",
    .title = "trapezoidal rule",
    .calibration = {0.06, 0.06, 0.003, 2},
    MULTISTEP_FUNCTIONS(trapezoidal_create, multistep_restart, trapezoidal_step),
};
