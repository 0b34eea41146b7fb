/* radau_rescue.c - where the simplified iteration of the stages fails for shorter and shorter steps, because slopes jump
 * inside the step or an exponential is met from the wrong side.
 *
 * One step of implicit Euler with the damped Newton method of newton.c shows where the step ends; with the mean of the
 * Jacobians of both ends the stages are tried once more, and if that fails, too, the Euler step itself is taken if it is
 * accurate enough, or if shorter steps do not make it so: it crosses a jump.
 */
#include "integrators/radau/radau.h"

#include <math.h>
#include <string.h>

/* A step of implicit Euler to `to`, of size h, or two of that size: then the charges between them are here. */
struct euler {
    double to, h;
    const double *middle; /* NULL: there is one */
};

/* From those charges on, into `point`. */
static enum newton_outcome solve_euler(struct radau *m, const double *charges, double to, double h)
{
    const int doubled = m->failures < NEWTON_MOST_DOUBLINGS ? m->failures : NEWTON_MOST_DOUBLINGS;
    m->rescue.options.max_iterations = m->options.max_iterations << doubled;
    newton_invalidate(&m->rescue);
    const struct newton_euler step = {to, h, charges, m->control.tolerance.weights, m->x, m->error};
    return newton_solve_euler(&m->rescue, &step, m->point);
}

static void begin_here(struct radau *m)
{
    memcpy(m->point, m->x, (size_t)m->base.dae->n * sizeof(double));
}

/* Starting values on the line to `point`, the mean of the Jacobians of both ends. */
static enum newton_outcome solve_across(struct radau *m, double to)
{
    struct radau_stages *s = &m->stages;
    s->status = radau_linearize_here(m);
    if (s->status == KN_OK)
        s->status = radau_stages_average(s, to, m->point);
    if (s->status != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < s->tableau->stages; i++)
        for (int k = 0; k < s->dae->n; k++)
            s->X[i][k] = m->x[k] + s->tableau->c[i] * (m->point[k] - m->x[k]);
    radau_stages_doubt(s);
    return radau_solve_from_starting_values(m, to - m->base.t);
}

/* The Euler step in `point` is taken. */
static void accept_euler(struct radau *m, double to, bool jump)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    memcpy(m->X[0], m->point, bytes);
    for (int k = 0; k < m->base.dae->n; k++)
        m->stages.dq[0][k] = m->rescue.q[k] - m->q[k];
    memcpy(m->f, m->rescue.f, bytes);
    memcpy(m->q, m->rescue.q, bytes);
    memset(m->smooth, 0, bytes);
    memset(m->rest, 0, bytes);
    radau_advance(m, to, &radau_tableaus[0], 0);
    m->charges_known = !jump || !control_is_fine(&m->control); /* nothing is known between the ends of a jump */
    m->base.unsure = INFINITY;
}

/* By the slopes at both ends, or of both steps: that at the begin may be one of noise in a step that was far shorter. */
static void find_euler_error(struct radau *m, const struct euler *s)
{
    for (int k = 0; k < m->base.dae->n; k++)
        m->error[k] = s->middle ? (m->rescue.q[k] - 2 * s->middle[k] + m->q[k]) / s->h : m->rescue.f[k] - m->f[k];
    newton_back_solve(&m->rescue, m->error);
}

/* Of a step across a jump what later ones inherit, which says that it stands; else `certain`. */
static double inherited_error(struct radau *m, const struct euler *s, double certain)
{
    double left;
    if (!newton_linearize(&m->rescue, s->to, m->point, 1 / s->h))
        return certain;
    find_euler_error(m, s);
    const struct control_end end = {m->rescue.lu, m->rescue.C, 1 / s->h};
    return control_crosses_jump(&m->control, &end, m->error, m->stages.work[0], &left)
               ? fmin(left, m->control.rule->aim)
               : certain;
}

/* Without rounding. */
static double euler_error(struct radau *m, const struct euler *s, int *worst, bool *jump)
{
    find_euler_error(m, s);
    const struct step_error e = control_error(&m->control, m->error, *worst);
    *worst = e.worst;
    if (e.end < 1)
        return e.end;
    newton_rounding(&m->rescue, m->point, 1 / s->h, 2);
    const double certain = radau_error_beyond(m, m->rescue.rounding, worst);
    *jump = certain >= 1;
    if (certain < 1 || control_is_shortest(&m->control))
        return certain < 1 ? certain : 0;
    const bool jumps = control_sees_jump(&m->control, m->base.t, certain);
    return jumps ? inherited_error(m, s, certain) : certain;
}

/* A corner is as far from the straight line as the prediction is from the end, at most. */
static double euler_excess(struct radau *m)
{
    if (!m->extrapolated)
        return 0;
    for (int k = 0; k < m->base.dae->n; k++)
        m->predicted[k] = m->point[k] - m->predicted[k];
    return radau_excess(m, radau_roughness_of(m, m->predicted, 0.25));
}

static void take_euler(struct radau *m, double to, bool jump, struct step_report *report)
{
    control_accept(&m->control, control_growth(&m->control, report->error, 2), false, report);
    report->order = 1;
    accept_euler(m, to, jump);
}

static void judge_euler(struct radau *m, const struct euler *s, struct step_report *report)
{
    radau_use_tolerance_of(m, &radau_tableaus[0]);
    bool jump = false;
    report->error = fmax(euler_error(m, s, &report->worst, &jump), euler_excess(m));
    report->order = 1;
    if (report->error < 1)
        take_euler(m, s->to, jump, report);
    else
        control_reject(&m->control, control_growth(&m->control, report->error, 2), report);
    radau_use_tolerance_of(m, m->stages.tableau);
    m->stages.have_jacobian = false;
    radau_stages_doubt(&m->stages);
}

static bool solve_halves(struct radau *m, const struct euler *s)
{
    begin_here(m);
    if (solve_euler(m, m->q, m->base.t + s->h, s->h) != NEWTON_CONVERGED)
        return false;
    memcpy(m->stages.work[1], m->rescue.q, (size_t)m->base.dae->n * sizeof(double));
    return solve_euler(m, s->middle, s->to, s->h) == NEWTON_CONVERGED;
}

void radau_cross(struct radau *m, double to, struct step_report *report)
{
    const struct euler s = {to, 0.5 * (to - m->base.t), m->stages.work[1]};
    if (!solve_halves(m, &s))
        return;
    radau_use_tolerance_of(m, &radau_tableaus[0]);
    const double left = inherited_error(m, &s, INFINITY);
    if (left < INFINITY) {
        report->error = left;
        take_euler(m, to, true, report);
    }
    radau_use_tolerance_of(m, m->stages.tableau);
    m->stages.have_jacobian = false;
    radau_stages_doubt(&m->stages);
}

bool radau_rescue(struct radau *m, double to, struct step_report *report)
{
    const struct euler s = {to, to - m->base.t, NULL};
    begin_here(m);
    const enum newton_outcome outcome = solve_euler(m, m->q, to, s.h);
    report->newton = outcome;
    m->stages.status = m->rescue.status;
    if (outcome != NEWTON_CONVERGED)
        return false;
    if (solve_across(m, to) == NEWTON_CONVERGED) {
        radau_judge(m, to, report);
        m->stages.have_jacobian = false;
        return true;
    }
    if (m->stages.status != KN_OK)
        return false;
    judge_euler(m, &s, report);
    return true;
}
