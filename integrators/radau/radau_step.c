/* radau_step.c - one step of Radau IIA: its stages, their error, and how many there are to be in the next.
 *
 * Error estimate filtered by the real factor (Hairer and Wanner, Solving ODEs II, 1996, IV.8.20), tolerance carried over
 * to the order of the estimate, number of stages by the speed of Newton's convergence (Hairer and Wanner, J. Comp. Appl.
 * Math. 111, 1999).
 */
#include "integrators/radau/radau.h"

#include <math.h>
#include <string.h>

static const double BEST_CONTRACTION = 0.3; /* longer steps need more iterations than they save */
/* In units of the step before; with 2 a row of tests/decks/hard/forward-converter.cir is 11 % off. */
static const double LONGEST_PREDICTION = 3;
/* Stages are added after so many steps with the last number (Hairer and Wanner 1999). */
enum { STEPS_BEFORE_RAISE = 10, STEPS_BEFORE_DOUBT = 8 };
/* Where errors tell little of the steps to come: out of noise, after another number of stages. */
static const double CAREFUL_GROWTH = 2;

/* ---- tolerance and number of stages ---- */

/* The estimate has the order of the stages only, the result twice that: reltol is carried over so that the achieved
 * error is near it, a part of reltol^((s+1)/(2s)). */
void radau_use_tolerance_of(struct radau *m, const struct radau_tableau *tableau)
{
    const double s = tableau->stages;
    const double part = integrator_part(m->base.class, m->base.dae, m->options.relative);
    struct tolerance *tolerance = &m->control.tolerance;
    tolerance->relative = part * pow(m->options.relative, (s + 1) / (2 * s));
    for (int i = 0; i < m->base.dae->n; i++)
        m->absolute[i] = m->base.dae->absolute[i] * tolerance->relative / m->options.relative;
    tolerance_reset(tolerance, NULL);
}

void radau_use_stages(struct radau *m, int choice)
{
    m->choice = choice;
    radau_stages_use(&m->stages, &radau_tableaus[choice]);
    radau_use_tolerance_of(m, m->stages.tableau);
    m->steps_with_stages = 0;
    m->control.error_before = 0;
}

/* ---- solution of the stages ---- */

static struct radau_point here(const struct radau *m)
{
    return (struct radau_point){m->base.t, m->x, m->f, m->q};
}

enum newton_outcome radau_solve_from_starting_values(struct radau *m, double h)
{
    const struct radau_point from = here(m);
    m->slopes_here = false;
    return radau_stages_solve(&m->stages, &from, h);
}

/* The end of the last step may have left them. */
enum kn_status radau_linearize_here(struct radau *m)
{
    if (m->slopes_here)
        radau_stages_linearize_end(&m->stages);
    return m->slopes_here ? KN_OK : radau_stages_linearize(&m->stages, m->base.t, m->x);
}

/* Half-way, where the step before could be predicted, the Jacobians are nearer to those of all stages.  Not where they
 * are of another size than here: an exponential of a wild prediction would make all corrections small. */
static enum kn_status linearize(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    const int middle = s->tableau->stages / 2;
    const bool tried =
        m->predictable && m->slopes_here && !m->control.repeated && h <= LONGEST_PREDICTION * m->polynomial_step;
    if (tried) {
        radau_predict_stages(m, h);
        const enum kn_status status = radau_stages_linearize(s, m->base.t + s->tableau->c[middle] * h, s->X[middle]);
        if (status != KN_OK || radau_stages_is_sane(s, h))
            return status;
    }
    return radau_linearize_here(m);
}

/* A wild prediction is worse than none. */
static enum newton_outcome solve_from_here(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    radau_stages_doubt(s);
    s->status = radau_linearize_here(m);
    for (int i = 0; i < s->tableau->stages; i++)
        memcpy(s->X[i], m->x, (size_t)s->dae->n * sizeof(double));
    return s->status == KN_OK ? radau_solve_from_starting_values(m, h) : NEWTON_FAILED;
}

enum newton_outcome radau_solve_stages(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    if (s->have_jacobian) {
        radau_predict_stages(m, h);
        const enum newton_outcome outcome = radau_solve_from_starting_values(m, h);
        if (outcome == NEWTON_CONVERGED || outcome == NEWTON_FAILED || s->dae->linear)
            return outcome;
        radau_stages_doubt(s);
    }
    s->status = linearize(m, h);
    if (s->status != KN_OK)
        return NEWTON_FAILED;
    radau_predict_stages(m, h);
    const enum newton_outcome outcome = radau_solve_from_starting_values(m, h);
    return outcome == NEWTON_NOT_FINITE && m->polynomial_step > 0 ? solve_from_here(m, h) : outcome;
}

/* ---- error ---- */

static double norm_of_error(const struct radau *m, const double *e, int *worst)
{
    const struct step_error error = control_error(&m->control, e, *worst);
    *worst = error.worst;
    return error.end;
}

/* The residual that a formula of lower order would leave, into `error`: -f + sum e_j / h dq_j. */
static void residual_of_embedded(struct radau *m, double h, const double *f)
{
    const struct radau_stages *s = &m->stages;
    const int n = s->dae->n;
    for (int k = 0; k < n; k++)
        m->error[k] = -f[k];
    for (int j = 0; j < s->tableau->stages; j++) {
        const double e = s->tableau->e[j] / h;
        for (int k = 0; k < n; k++)
            m->error[k] += e * s->dq[j][k];
    }
}

/* What of m->error is more than rounding. */
double radau_error_beyond(struct radau *m, const double *rounding, int *worst)
{
    double *certain = m->stages.work[0];
    tolerance_beyond_rounding(&m->control.tolerance, m->base.dae->classes, rounding, m->error, certain);
    return norm_of_error(m, certain, worst);
}

static double certain_error(struct radau *m)
{
    int unused = 0;
    radau_stages_round(&m->stages, m->x);
    return radau_error_beyond(m, m->stages.rounding, &unused);
}

static double estimate(struct radau *m, double h, const double *f, int *worst)
{
    residual_of_embedded(m, h, f);
    radau_stages_filter(&m->stages, m->error);
    return norm_of_error(m, m->error, worst);
}

/* What is a small error of a voltage at the begin of the step is a charge, which becomes a large error where the
 * capacitance has fallen. */
static double estimate_at_end(struct radau *m, double h, int *worst)
{
    residual_of_embedded(m, h, m->f);
    radau_stages_filter_end(&m->stages, m->error);
    return norm_of_error(m, m->error, worst);
}

static double step_error(struct radau *m, double h, int *worst)
{
    struct radau_stages *s = &m->stages;
    m->layer = 0;
    const double error = estimate(m, h, m->f, worst);
    if (error < 1 && s->softer) {
        int at_end = *worst;
        const double there = estimate_at_end(m, h, &at_end);
        *worst = there > error ? at_end : *worst;
        return fmax(error, there);
    }
    if (error < 1 || !(m->control.first || m->control.repeated))
        return error;
    /* Filtered once more: the first estimate is not small for stiff components off their manifold (8.20).  Behind a corner they
     * are off it in the waveform, too: what they are off by is on the way to the end, which does not know of it. */
    if (m->control.first)
        m->layer = radau_in_reltol(m, error);
    for (int k = 0; k < s->dae->n; k++)
        m->point[k] = m->x[k] + m->error[k];
    s->status = radau_stages_evaluate(s, m->base.t, m->point, DAE_F, s->work[0], NULL);
    return s->status == KN_OK ? estimate(m, h, s->work[0], worst) : INFINITY;
}

/* What the error of a voltage within its tolerance is in a current read off it.  The end of a step behind a corner is
 * better than its estimate tells, the waveform on the way there is not: a layer that is shorter than the step leaves a
 * wave. */
static double error_read_off(const struct radau *m)
{
    return tolerance_norm(&m->control.tolerance, m->base.dae->classes, CLASS_BIT(DAE_FOLLOWS), m->error, NULL);
}

/* Whether unknowns without memory miss by more than they may within a step that is too short for that to reject it. */
static bool leads_across(const struct radau *m)
{
    return control_unresolved(&m->control, m->error) > CONTROL_SOFT_EXCESS;
}

/* ---- steps and numbers of stages ---- */

/* Whose estimate behaves as step^ that. */
static double exponent(const struct radau *m)
{
    return m->stages.tableau->stages + 1;
}

/* By the error, less where the iteration was slow (RADAU5's CFAC). */
static struct step_growth growth_by(const struct radau *m, double error)
{
    const double most = 2 * m->stages.tableau->stages + 1;
    struct step_growth g = control_growth(&m->control, error, exponent(m));
    g.factor *= (2 * most + 1) / (2 * most + fmax(1, m->stages.iterations));
    return g;
}

/* ratio: of the last two steps. */
static void choose_stages(struct radau *m, double ratio)
{
    const double contraction = m->stages.contraction;
    m->smooth_contraction = fmin(10, fmax(contraction, 0.5 * m->smooth_contraction));
    m->steps_with_stages++;
    if (m->choice > m->lowest && m->smooth_contraction >= RADAU_CODE.lower)
        radau_use_stages(m, m->choice - 1);
    else if (m->choice < m->highest && m->choice < FIRST_CHOICE && m->smooth_contraction <= NEWTON_GOOD_CONTRACTION)
        radau_use_stages(m, m->choice + 1);
    else if (m->choice < m->highest && m->steps_with_stages > STEPS_BEFORE_RAISE &&
             m->smooth_contraction <= RADAU_CODE.raise && ratio > RADAU_CODE.steady_least &&
             ratio < RADAU_CODE.steady_most)
        radau_use_stages(m, m->choice + 1);
}

static void remember_stages(struct radau *m, const struct radau_tableau *tableau, double error)
{
    const double after = m->control.step / tableau->stages; /* on average */
    for (int i = 0; i < tableau->stages - 1; i++)
        control_see(&m->control, m->X[i], after);
    control_advance(&m->control, m->X[tableau->stages - 1], after, error);
}

void radau_advance(struct radau *m, double to, const struct radau_tableau *tableau, double error)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    double *swapped = m->begin;
    m->begin = m->x;
    m->x = swapped;
    memcpy(m->x, m->X[tableau->stages - 1], bytes);
    m->polynomial = tableau;
    m->polynomial_step = to - m->base.t;
    m->slope_before = m->slope.step == m->polynomial_step ? m->slope : (struct radau_slope){0, 0};
    m->base.x = m->x;
    m->base.order = 2 * tableau->stages - 1;
    m->base.hidden = m->control.output_resolution < INFINITY && control_is_hidden(&m->control);
    m->base.previous = m->base.t;
    m->base.t = to;
    remember_stages(m, tableau, error);
    m->failures = 0;
}

/* Round-off makes errors that neither shorter nor longer steps change; what is more than that is asked where steps do
 * not grow. */
static bool may_be_noise(struct radau *m, const struct step_report *report)
{
    const double factor = growth_by(m, report->error).factor;
    m->standing = factor < control_implicit.kept_to ? m->standing + 1 : 0;
    return factor < 1 || m->standing > STEPS_BEFORE_DOUBT;
}

/* By the error and all else that speaks against a longer step. */
static struct step_growth growth_after(struct radau *m, double error, struct radau_roughness rough,
                                       const struct step_report *report)
{
    const struct radau_stages *s = &m->stages;
    const struct control *c = &m->control;
    struct step_growth g = growth_by(m, error);
    if (g.factor < c->rule->kept_to && m->standing > STEPS_BEFORE_DOUBT)
        m->standing = 0;
    if (report->noisy || error < report->error)
        g = control_least(g, (struct step_growth){CAREFUL_GROWTH, LIMIT_ROUNDING});
    /* a polynomial of another number of stages tells nothing of this one */
    if (m->extrapolated && m->polynomial != s->tableau)
        g = control_least(g, (struct step_growth){CAREFUL_GROWTH, LIMIT_BETWEEN});
    g = control_least(g, control_soft_growth(c, rough.controlled, exponent(m), LIMIT_BETWEEN));
    g = control_least(g, control_soft_growth(c, rough.followers, exponent(m), LIMIT_FOLLOWERS));
    if (s->iterations > 1 && s->contraction > 0 && !report->noisy)
        g = control_least(g, (struct step_growth){fmax(1, BEST_CONTRACTION / s->contraction), LIMIT_CONVERGENCE});
    return g;
}

/* The next step starts from the charge that currents have brought, by the equations as the last correction solved them.
 * What is left to the charge of the voltages shown, within their tolerance, has come from nowhere otherwise: the stored
 * charge of a diode may be that of a capacitance tens of times its neighbours', and a charge pump adds it up from edge to
 * edge.  Residual currents are not carried on: where there is hardly a capacitance they have gone before the step ends. */
static void keep_stages(struct radau *m)
{
    struct radau_stages *s = &m->stages;
    const int last = s->tableau->stages - 1;
    for (int i = 0; i < s->tableau->stages; i++) {
        double *swapped = m->X[i];
        m->X[i] = s->X[i];
        s->X[i] = swapped;
    }
    memcpy(m->f, s->f, (size_t)s->dae->n * sizeof(double));
    for (int k = 0; k < s->dae->n; k++) {
        m->q[k] = s->q[k] - s->bent[k];
        s->dq[last][k] -= s->bent[k];
    }
}

/* Across a jump collocation swings; what is shown of the step is the straight line between its ends. */
static void advance_across(struct radau *m, double to, double error)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    memcpy(m->X[0], m->X[m->stages.tableau->stages - 1], bytes);
    memset(m->smooth, 0, bytes);
    memset(m->rest, 0, bytes);
    radau_advance(m, to, &radau_tableaus[0], error);
}

static void accept(struct radau *m, double to, struct radau_roughness rough, struct step_report *report)
{
    struct radau_stages *s = &m->stages;
    const double h = to - m->base.t;
    const double error = may_be_noise(m, report) ? certain_error(m) : report->error;
    const struct step_growth g = growth_after(m, error, rough, report);
    s->have_jacobian = s->dae->linear || s->contraction < RADAU_CODE.keep_jacobian;
    control_accept(&m->control, g, s->have_jacobian, report);
    radau_correct_polynomial(m, h);
    keep_stages(m);
    const double ratio = m->control.step_before > 0 ? h / m->control.step_before : 1;
    if (m->across)
        advance_across(m, to, error);
    else
        radau_advance(m, to, s->tableau, error);
    m->base.unsure = rough.all;
    m->charges_known = !m->across;
    m->slopes_here = !s->dae->linear;
    if (!report->noisy) /* which tells nothing about convergence */
        choose_stages(m, ratio);
}

static void reject(struct radau *m, double error, struct step_report *report)
{
    control_reject(&m->control, growth_by(m, error), report);
    if (m->choice > FIRST_CHOICE && m->lowest < m->choice && report->error > CONTROL_SOFT_EXCESS)
        radau_use_stages(m, m->choice - 1); /* not as smooth as the carried-over tolerance of many stages supposes */
}

/* Of an error beyond the tolerance.  It is called noise, and stands, where most of it is. */
static void take_off_noise(struct radau *m, struct step_report *report)
{
    const double certain = certain_error(m);
    report->noisy = control_is_noise(report->error, certain);
    if (!report->noisy)
        report->error = certain;
}

/* Where charges are smooth, what the slope at the end misses grows with the power s + 1 of the step, with a factor that the
 * last step tells: at tight tolerances more than the error of the step, which is of the same power.  A kink makes it leap. */
static double leap(struct radau *m, double missed, double h)
{
    static const double LEAP = 10;   /* a step of twice the length at a wrong power, or of another number of stages */
    static const double FADES = 0.3; /* it passes through zero within a step or two */
    const struct radau_slope *before = &m->slope_before;
    const double smooth = before->step > 0 ? before->missed * pow(h / before->step, m->stages.tableau->stages + 1) : 0;
    m->slope = (struct radau_slope){fmax(missed, FADES * smooth), h};
    return missed > LEAP * smooth ? missed : 0;
}

/* Errors between the nodes of the step just solved.  Of a linear problem the step before tells them all, if there is
 * one. */
static struct radau_roughness find_roughness(struct radau *m, double h)
{
    const bool linear = m->stages.dae->linear;
    struct radau_roughness rough = radau_roughness(m, h);
    if ((linear && rough.all < INFINITY) || radau_excess(m, rough) > 0)
        return rough;
    const struct radau_roughness between = radau_missed_between(m, h);
    rough.controlled = fmax(rough.controlled, between.controlled);
    rough.followers = fmax(rough.followers, between.followers);
    rough.all = between.all;
    if (linear)
        return rough;
    const struct radau_roughness slope = radau_missed_slope(m, h);
    rough.followers = fmax(rough.followers, slope.followers);
    rough.end = leap(m, slope.end, h);
    if (control_shows_end(&m->control))
        rough.end = fmax(rough.end, slope.followers);
    return rough;
}

void radau_judge(struct radau *m, double to, struct step_report *report)
{
    const double h = to - m->base.t;
    struct radau_roughness rough = {.all = INFINITY};
    report->error = step_error(m, h, &report->worst);
    if (m->stages.status == KN_OK) {
        m->across = leads_across(m);
        rough = find_roughness(m, h);
        if (m->control.first)
            rough.followers = fmax(rough.followers, error_read_off(m));
        rough.controlled = fmax(rough.controlled, m->layer);
    }
    if (m->stages.status != KN_OK) {
        report->outcome = STEP_STOPPED;
        report->status = m->stages.status;
        return;
    }
    const double soft = radau_excess(m, rough);
    if (report->error >= 1 && soft == 0)
        take_off_noise(m, report);
    m->bent = soft > 0;
    const bool stands = soft == 0 && (control_stands(&m->control, report->error, 1) || report->noisy);
    const bool shortest = control_is_shortest(&m->control);
    m->across |= !stands && shortest;
    if (stands || shortest)
        accept(m, to, rough, report);
    else
        reject(m, fmax(report->error, soft), report);
}
