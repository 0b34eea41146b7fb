/* multistep.c - see multistep.h. */
#include "integrators/multistep/multistep.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Size of the slope-finding step; Newton is so much more accurate in it because its error is magnified by the
 * extrapolation over the whole step. */
static const double STARTING_PART = 0.01;
static const double STARTING_ACCURACY = 1e-3;

/* Soft errors shorten steps down to this part of tstep. */
static const double FINEST_OUTPUT = 0.1;
/* Errors of algebraic unknowns shorten steps down to this one. */
static const double FINEST_ALGEBRAIC = 1e-3;

/* What is left of an error that is called noise, at most. */
static const double MOSTLY_NOISE = 0.5;

/* Of Newton's iterations, one after each failure in a row. */
enum { MOST_DOUBLINGS = 3 };

/* A mode that grows far faster than anything asked for (the pole of a negative capacitance at 1e13/s) would end any run
 * that follows it.  Implicit formulas damp it in steps that are LONG beside 1/rate, where its part of the solution is
 * that of the equations without its charge; in steps about 1/rate they make it infinite, which looks like an error and
 * asks for shorter and shorter steps. */
static const double LONG = 1e3;

enum kn_status multistep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                                const struct integrator_class *class, struct multistep **out)
{
    *out = NULL;
    struct multistep *m = calloc(1, size);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.class = class;
    m->base.dae = dae;
    m->base.relative = o->relative;
    m->options = *o;
    const double part = integrator_part(class, dae, o->relative);
    const struct newton_options newton = {part * o->relative, o->kappa, o->max_iterations};
    enum kn_status status = newton_init(&m->newton, dae, &newton);
    if (status == KN_OK)
        status = tolerance_init(&m->tolerance, dae, o->relative);
    m->tolerance.part = part;
    m->floor = o->damped_growth > 0 ? LONG / o->damped_growth : 0;
    m->tolerance.finest = FINEST_ALGEBRAIC * o->output_step;
    if (status == KN_OK)
        status = history_init(&m->history, dae->n);
    m->b = calloc((size_t)dae->n, sizeof(double));
    m->error = calloc((size_t)dae->n, sizeof(double));
    m->predicted = calloc((size_t)dae->n, sizeof(double));
    if (status == KN_OK && (!m->b || !m->error || !m->predicted))
        status = KN_ERROR_MEMORY;
    if (status != KN_OK)
        class->destroy(&m->base);
    else
        *out = m;
    return status;
}

void multistep_destroy(struct integrator *base)
{
    struct multistep *m = (struct multistep *)base;
    newton_free(&m->newton);
    tolerance_free(&m->tolerance);
    history_free(&m->history);
    free(m->b);
    free(m->error);
    free(m->predicted);
    free(m);
}

enum kn_status multistep_restart(struct integrator *base, double t, const double *x)
{
    struct multistep *m = (struct multistep *)base;
    struct dae_values out = {.q = history_candidate_q(&m->history)};
    const enum kn_status status = base->dae->eval(base->dae->problem, t, x, DAE_Q, &out);
    if (status != KN_OK)
        return status;
    const bool first = m->history.count == 0;
    m->across = false;
    history_restart(&m->history, t, x, out.q);
    if (first)
        tolerance_reset(&m->tolerance, x);
    else
        tolerance_update(&m->tolerance, x);
    newton_invalidate(&m->newton);
    tolerance_forget_jump(&m->tolerance);
    base->t = base->previous = t;
    base->x = m->history.x[0];
    base->order = 1;
    return KN_OK;
}

enum newton_outcome multistep_solve(struct multistep *m, const struct multistep_formula *formula)
{
    struct history *h = &m->history;
    double *x = history_candidate_x(h), w[HISTORY_POINTS];
    m->alpha = formula->alpha;
    history_value_weights(h, formula->points, formula->to, w);
    history_combine(h->x, h->n, formula->points, w, x);
    memcpy(m->predicted, x, (size_t)h->n * sizeof *x);
    const struct newton_problem problem = {formula->to,          formula->alpha, m->b,
                                           m->tolerance.weights, h->x[0],        m->starting ? STARTING_ACCURACY : 1};
    enum newton_outcome outcome = newton_solve(&m->newton, &problem, x);
    if (outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED && formula->points > 1) {
        memcpy(x, h->x[0], (size_t)h->n * sizeof *x); /* a wild prediction is worse than none */
        outcome = newton_solve(&m->newton, &problem, x);
    }
    if (outcome == NEWTON_CONVERGED)
        memcpy(history_candidate_q(h), m->newton.q, (size_t)h->n * sizeof(double));
    return outcome;
}

enum newton_outcome multistep_start(struct multistep *m, double to,
                                    enum newton_outcome (*solve)(struct multistep *, double),
                                    void (*push)(struct multistep *, double))
{
    const double step = to - m->base.t;
    const bool fine = STARTING_PART * step < fmax(100 * DBL_EPSILON * fabs(m->base.t), m->floor); /* or time rounded */
    const double small = m->base.t + (fine ? 0.5 : STARTING_PART) * step;
    m->starting = true;
    const enum newton_outcome outcome = solve(m, small);
    m->starting = false;
    if (outcome == NEWTON_CONVERGED)
        push(m, small);
    return outcome;
}

double multistep_error(struct multistep *m, double to, int points, double factor, int *worst)
{
    const struct history *h = &m->history;
    double w[HISTORY_POINTS];
    history_value_weights(h, points, to, w);
    history_combine(h->q, h->n, points, w, m->error);
    const double *q = h->q[HISTORY_POINTS];
    for (int i = 0; i < h->n; i++)
        m->error[i] = factor * (q[i] - m->error[i]);
    m->gain = factor;
    for (int i = 0; i < points; i++)
        m->gain += factor * fabs(w[i]);
    newton_back_solve(&m->newton, m->error);
    const double shortfall = newton_shortfall(&m->newton, m->alpha);
    for (int i = 0; i < h->n && shortfall > 1; i++)
        m->error[i] *= shortfall;
    m->soft_error = tolerance_norm_of_followers(&m->tolerance, m->base.dae->classes, m->error);
    return tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, worst);
}

/* Where shorter steps do not make Newton converge, more iterations may: blocking diodes that end an inductor swing by
 * many volts in no time. */
static void be_patient(struct multistep *m)
{
    const int doubled = m->unsolved < MOST_DOUBLINGS ? m->unsolved : MOST_DOUBLINGS;
    m->newton.options.max_iterations = m->options.max_iterations << doubled;
}

bool multistep_report(struct multistep *m, double to, enum newton_outcome outcome, struct step_report *report)
{
    report->newton = outcome;
    report->iterations = m->newton.last_iterations;
    m->unsolved = outcome == NEWTON_CONVERGED ? 0 : m->unsolved + 1;
    be_patient(m);
    report->worst_row = m->newton.worst_row;
    tolerance_set_step(&m->tolerance, to - m->base.t);
    report->residual = m->newton.worst_residual;
    if (outcome == NEWTON_CONVERGED) {
        tolerance_weigh(&m->tolerance, history_candidate_x(&m->history));
        return true;
    }
    report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
    report->status = m->newton.status;
    report->worst = m->newton.worst;
    report->error = m->newton.worst_update;
    report->next_step = (to - m->base.t) * MULTISTEP_NEWTON_SHRINK;
    return false;
}

double multistep_growth(double error, int exponent)
{
    return pow(MULTISTEP_SAFETY / (error + 1e-12), 1.0 / exponent);
}

/* Below the finest step that output asks for, only hard errors count. */
static double finest(const struct multistep *m)
{
    if (m->options.output_step <= 0)
        return INFINITY;
    const double delay = m->base.dae->largest_step; /* delayed waveforms are interpolated and must be smooth */
    const double output = FINEST_OUTPUT * m->options.output_step;
    return delay < INFINITY ? fmin(output, 1e-3 * delay) : output;
}

bool multistep_is_coarse(const struct multistep *m, double to)
{
    return to - m->base.t > finest(m);
}

double multistep_next_step(const struct multistep *m, double step, double hard, double soft, double most)
{
    const double growth = fmin(hard, fmax(soft, finest(m) / step));
    if (growth >= most)
        return step * most;
    return growth < MULTISTEP_WORTHWHILE_GROWTH && growth >= 0.9 ? step : step * growth;
}

void multistep_reject(struct multistep *m, double to, double growth, struct step_report *report)
{
    const double factor = 0.9 * growth, step = to - m->base.t;
    report->outcome = STEP_ERROR_TOO_LARGE;
    report->next_step = step * (factor < 0.1 ? 0.1 : factor > 0.9 ? 0.9 : factor);
    if (step > m->floor && report->next_step < m->floor)
        report->next_step = m->floor;
}

void multistep_advance(struct multistep *m, int order)
{
    m->across = m->jumped;
    if (m->jumped) {
        m->history.count = 1; /* what was before tells nothing */
        tolerance_forget_jump(&m->tolerance);
        m->jumped = false;
    }
    tolerance_update(&m->tolerance, m->history.x[0]);
    m->base.unsure = m->unsure;
    m->base.order = order;
    m->base.previous = m->base.t;
    m->base.t = m->history.t[0];
    m->base.x = m->history.x[0];
}

/* Takes the effect of rounding the charges off the errors. */
static void subtract_rounding(struct multistep *m)
{
    const struct history *h = &m->history;
    newton_rounding(&m->newton, h->x[HISTORY_POINTS], m->gain, m->gain / m->alpha);
    for (int i = 0; i < h->n; i++)
        m->error[i] = fmax(fabs(m->error[i]) - m->newton.rounding[i], 0);
}

bool multistep_acceptable(struct multistep *m, double to, struct step_report *report)
{
    m->certain_error = report->error;
    m->jumped = false;
    if (report->error <= 1 || to - m->base.t <= m->floor * (1 + 1e-9))
        return true;
    int unused;
    subtract_rounding(m);
    m->certain_error = tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, &unused);
    const bool acceptable = m->certain_error <= 1;
    report->noisy = acceptable && m->certain_error <= MOSTLY_NOISE * report->error;
    m->jumped = !acceptable && tolerance_sees_jump(&m->tolerance, m->base.t, to - m->base.t, m->certain_error);
    if (m->jumped)
        m->certain_error = 1;
    return acceptable || m->jumped;
}

/* With p points, extrapolation to the next one misses by p! h^p D, interpolation in the last interval by at most about
 * (p-1)!/4 h^p D (equal steps, D the divided difference). */
double multistep_roughness(struct multistep *m, int points)
{
    const double *x = m->history.x[HISTORY_POINTS];
    for (int i = 0; i < m->history.n; i++)
        m->predicted[i] = x[i] - m->predicted[i];
    int unused;
    m->unsure = m->tolerance.part * tolerance_unsure(&m->tolerance, &m->base, m->predicted, 1.0 / (4 * points));
    return m->tolerance.part * tolerance_norm(&m->tolerance, m->base.dae->classes, m->predicted, &unused) /
           (4 * points);
}

/* That tell of the last step; across a jump its ends. */
static int points_of_step(const struct multistep *m, int points)
{
    if (m->across)
        return 2;
    return m->history.count < points ? m->history.count : points;
}

void multistep_interpolate(struct multistep *m, int points, double time, double *x, double *dxdt)
{
    const struct history *h = &m->history;
    const int available = points_of_step(m, points);
    double w[HISTORY_POINTS];
    history_value_weights(h, available, time, w);
    history_combine(h->x, h->n, available, w, x);
    if (!dxdt)
        return;
    history_slope_weights(h, available, time, w);
    history_combine(h->x, h->n, available, w, dxdt);
}

bool multistep_charges(struct multistep *m, int points, double time, double *q, double *dqdt)
{
    const struct history *h = &m->history;
    const int available = points_of_step(m, points);
    double w[HISTORY_POINTS];
    if (available < 2)
        return false;
    history_value_weights(h, available, time, w);
    history_combine(h->q, h->n, available, w, q);
    history_slope_weights(h, available, time, w);
    history_combine(h->q, h->n, available, w, dqdt);
    return true;
}

void multistep_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    newton_add_statistics(&((const struct multistep *)base)->newton, s);
}
