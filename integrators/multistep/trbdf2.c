/* trbdf2.c - TR-BDF2 in charges: trapezoidal rule to t_n + gamma h, then BDF of order 2 over both parts.
 *
 * gamma = 2 - sqrt 2 gives both stages the same alpha and so one factored matrix (Bank, Coughran, Fichtner, Grosse,
 * Rose, Smith 1985; Deuflhard/Bornemann 2008, exercise 7.15).  L-stable: it keeps the trapezoidal rule's accuracy
 * without its ringing.
 *
 * The derivative p of the charges is carried by rows.  Local error of the charges (Bank et al.
 * 1985; Hosea and Shampine 1996, 3.4): 2 k h (p_n / gamma - p_{n+gamma} / (gamma (1 - gamma)) + p_{n+1} / (1 - gamma)),
 *     k = (-3 gamma^2 + 4 gamma - 2) / (12 (2 - gamma)),
 * carried to x by the factored matrix.
 */
#include "integrators/multistep/multistep.h"

#include <math.h>
#include <string.h>

#define GAMMA (2 - sqrt(2.0))

enum { POINTS = 3 };

struct trbdf2 {
    struct multistep multistep;
    double *p, *p_middle, *p_end; /* [n] dq/dt */
    double p_gain, p_end_gain; /* 1/s: by which round-off of the charges entered p and p_end; a p of a short step keeps
                                  that of its step in the longer one that follows */
};

static enum kn_status trbdf2_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct multistep *base;
    const enum kn_status status = multistep_create(sizeof(struct trbdf2), dae, o, &integrator_trbdf2, &base);
    if (status != KN_OK)
        return status;
    struct trbdf2 *m = (struct trbdf2 *)base;
    base->base.one_step = true;
    base->stages = 1;
    double **const vectors[] = {&m->p, &m->p_middle, &m->p_end, NULL};
    if (!arena_vectors(base->base.memory, (size_t)dae->n, vectors)) {
        multistep_destroy(&base->base);
        return KN_ERROR_MEMORY;
    }
    *out = &base->base;
    return KN_OK;
}

static int known_points(const struct history *h)
{
    return h->count < POINTS ? h->count : POINTS;
}

/* p := dq/dt of the formula just solved. */
static void take_slope(const struct multistep *base, double *p)
{
    const double *q = base->history.q[HISTORY_POINTS];
    for (int i = 0; i < base->history.n; i++)
        p[i] = base->alpha * q[i] + base->b[i];
}

static enum newton_outcome solve_euler(struct multistep *base, double to)
{
    const struct history *h = &base->history;
    const double alpha = 1 / (to - h->t[0]);
    for (int i = 0; i < h->n; i++)
        base->b[i] = -alpha * h->q[0][i];
    const struct multistep_formula formula = {to, alpha, 1};
    return multistep_solve(base, &formula);
}

static void push_euler(struct multistep *base, double to)
{
    struct trbdf2 *m = (struct trbdf2 *)base;
    struct history *h = &base->history;
    m->p_gain = 2 / (to - h->t[0]);
    take_slope(base, m->p);
    history_push(h, to);
}

/* The stage becomes the newest point; p_middle is its dq/dt. */
static enum newton_outcome trapezoidal_stage(struct trbdf2 *m, double to)
{
    struct multistep *base = &m->multistep;
    struct history *h = &base->history;
    const double alpha = 2 / (to - h->t[0]);
    for (int i = 0; i < h->n; i++)
        base->b[i] = -alpha * h->q[0][i] - m->p[i];
    const struct multistep_formula formula = {to, alpha, known_points(h)};
    const enum newton_outcome outcome = multistep_solve(base, &formula);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    take_slope(base, m->p_middle);
    history_push(h, to);
    return outcome;
}

static enum newton_outcome bdf_stage(struct trbdf2 *m, double to)
{
    struct multistep *base = &m->multistep;
    struct history *h = &base->history;
    double w[HISTORY_POINTS];
    const double alpha = history_bdf_weights(h, 2, to, w);
    history_combine(h->q, h->n, 2, w, base->b);
    const struct multistep_formula formula = {to, alpha, known_points(h)};
    const enum newton_outcome outcome = multistep_solve(base, &formula);
    m->p_end_gain = alpha + fabs(w[0]) + fabs(w[1]);
    if (outcome == NEWTON_CONVERGED)
        take_slope(base, m->p_end);
    return outcome;
}

static double local_error(struct trbdf2 *m, double step, int *worst)
{
    struct multistep *base = &m->multistep;
    const double gamma = GAMMA, k = (-3 * gamma * gamma + 4 * gamma - 2) / (12 * (2 - gamma));
    const double alpha = 2 / (gamma * step), factor = 2 * k * step * alpha;
    for (int i = 0; i < base->history.n; i++)
        base->error[i] =
            factor * (m->p[i] / gamma - m->p_middle[i] / (gamma * (1 - gamma)) + m->p_end[i] / (1 - gamma));
    const double middle = m->p_gain + 2 * base->alpha;
    const double gain = m->p_gain / gamma + middle / (gamma * (1 - gamma)) + m->p_end_gain / (1 - gamma);
    return multistep_carry_error(base, fabs(factor) * gain, worst);
}

static void finish(struct trbdf2 *m, double to, struct step_report *report)
{
    struct multistep *base = &m->multistep;
    report->error = local_error(m, to - base->base.t, &report->worst);
    if (!multistep_judge(base, POINTS, 3, report))
        return;
    double *swapped = m->p;
    m->p = m->p_end;
    m->p_end = swapped;
    m->p_gain = m->p_end_gain;
    history_push(&base->history, to);
    multistep_advance(base, 2);
}

static void trbdf2_step(struct integrator *integrator, double to, struct step_report *report)
{
    struct trbdf2 *m = (struct trbdf2 *)integrator;
    struct multistep *base = &m->multistep;
    struct history *h = &base->history;
    memset(report, 0, sizeof *report);
    report->order = 2;
    const int points = h->count;
    enum newton_outcome outcome = points == 1 ? multistep_start(base, to, solve_euler, push_euler) : NEWTON_CONVERGED;
    if (outcome == NEWTON_CONVERGED)
        outcome = trapezoidal_stage(m, h->t[0] + GAMMA * (to - h->t[0]));
    if (outcome == NEWTON_CONVERGED)
        outcome = bdf_stage(m, to);
    if (multistep_report(base, to, outcome, report))
        finish(m, to, report);
    multistep_take_back(base, report);
}

const struct integrator_class integrator_trbdf2 = {
    .name = "trbdf2",
    .title = "TR-BDF2: trapezoidal rule and BDF of order 2 in one step, L-stable",
    .calibration = {0.08, 0.08, 0.004, 2},
    MULTISTEP_FUNCTIONS(trbdf2_create, multistep_restart, trbdf2_step),
};
