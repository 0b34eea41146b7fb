/* onestep.c - see onestep.h.
 *
 * Rescue.  These methods solve linear systems with the slopes at the begin of the step, or do not damp: a point that
 * misses the algebraic equations where an exponential bends them, or charges that have parted from x, is not mended by
 * any step, however short.  Two steps of implicit Euler with the damped Newton method of newton.c are; their error is
 * the second difference of the charges, carried to x.
 */
#include "integrators/onestep.h"

#include "base/rounding.h"

#include "integrators/methods.h"

#include <math.h>
#include <string.h>

/* Of unknowns that no equation needs (DAE_FOLLOWS): the part of their error between points that counts, and the part of
 * their largest value by which they may miss their equations at points. */
static const double FOLLOWERS_BETWEEN = 0.03, FOLLOWERS_MISSED = 0.01;
/* In steps so short that errors of algebraic unknowns no longer count (control_is_fine), these may be off by 1 / GARBAGE
 * times their size, as where they jump, but not by more: that would be no solution. */
static const double GARBAGE = 1e-2;

enum { FAILURES_BEFORE_RESCUE = 4, FAILURES_BEFORE_FORGETTING = 7 };

/* ---- life ---- */

static bool allocate(struct onestep *m)
{
    const size_t n = (size_t)m->base.dae->n, entries = (size_t)m->base.dae->pattern->entries + 1;
    struct arena *a = m->base.memory;
    struct onestep_point *o = &m->other;
    double **const vectors[] = {
        &m->x, &m->q, &m->f,    &m->dfdt, &m->dqdt,     &m->next,         &m->error,        &m->middle_charge,
        &o->q, &o->f, &o->dfdt, &o->dqdt, &m->rounding, &m->work.q_terms, &m->work.f_terms, &m->work.errors,
        NULL};
    double **const matrices[] = {&m->G, &m->C, &m->matrix, &o->G, &o->C, NULL};
    bool complete = arena_vectors(a, n, vectors) && arena_vectors(a, entries, matrices);
    for (int k = 0; k <= ONESTEP_DEGREE; k++)
        complete = (m->coefficient[k] = arena_array(a, n, sizeof(double))) != NULL && complete;
    return complete;
}

enum kn_status onestep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                              const struct integrator_class *class, struct onestep **out)
{
    *out = NULL;
    struct onestep *m = integrator_new(size, class, dae, o);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.one_step = true;
    m->base.tolerance = &m->control.tolerance;
    m->options = *o;
    m->part = integrator_part(class, dae, o->relative);
    m->alpha = NAN;
    m->charge_gain = 1;
    enum kn_status status = control_init(&m->control, dae, o, &control_linear_implicit);
    if (status == KN_OK)
        status = allocate(m) ? sparse_lu_new(dae->pattern, &m->lu) : KN_ERROR_MEMORY;
    const struct newton_options newton = {0.1 * o->relative, o->kappa, o->max_iterations << NEWTON_MOST_DOUBLINGS, 0, false};
    if (status == KN_OK)
        status = newton_init(&m->rescue, dae, &newton);
    if (status == KN_OK)
        *out = m;
    else
        onestep_destroy(&m->base);
    return status;
}

void onestep_destroy(struct integrator *base)
{
    struct onestep *m = (struct onestep *)base;
    control_free(&m->control);
    newton_free(&m->rescue);
    sparse_lu_free(m->lu);
    arena_free(base->memory);
}

enum kn_status onestep_restart(struct integrator *base, double t, const double *x)
{
    struct onestep *m = (struct onestep *)base;
    memmove(m->x, x, (size_t)base->dae->n * sizeof *x);
    control_restart(&m->control, m->x, !base->x);
    base->t = base->previous = t;
    base->x = m->x;
    base->order = 1;
    m->linearized = m->visiting = false;
    if (!base->dae->linear) {
        m->have_jacobian = false;
        m->alpha = NAN;
    }
    m->accepted_step = 0;
    m->certain_soft_gain = 0;
    m->failures = 0;
    return KN_OK;
}

/* ---- evaluations and factors ---- */

bool onestep_finite(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(x[i]);
    return isfinite(sum);
}

bool onestep_evaluate(struct onestep *m, double t, const double *x, unsigned what, struct dae_values *out)
{
    m->evaluations++;
    m->jacobians += (what & DAE_G) != 0;
    m->status = m->base.dae->eval(m->base.dae->problem, t, x, what, out);
    return m->status == KN_OK;
}

/* f, q, G, C, with `rates` dfdt, dqdt, at a point; G and C of a linear problem only once. */
static enum newton_outcome evaluate_all(struct onestep *m, double t, const double *x, bool rates)
{
    struct dae_values out = {.f = m->f, .q = m->q, .G = m->G, .C = m->C, .dfdt = m->dfdt, .dqdt = m->dqdt};
    const bool jacobian = !m->have_jacobian || !m->base.dae->linear;
    const unsigned what = DAE_F | DAE_Q | (jacobian ? DAE_G | DAE_C : 0) | (rates ? DAE_T : 0);
    if (!onestep_evaluate(m, t, x, what, &out))
        return NEWTON_FAILED;
    const int n = m->base.dae->n;
    if (!onestep_finite(n, m->f) || !onestep_finite(n, m->q))
        return NEWTON_NOT_FINITE;
    if (jacobian)
        m->alpha = NAN;
    m->have_jacobian = true;
    return NEWTON_CONVERGED;
}

enum newton_outcome onestep_linearize(struct onestep *m, bool rates)
{
    if (m->linearized)
        return NEWTON_CONVERGED;
    const enum newton_outcome outcome = evaluate_all(m, m->base.t, m->x, rates);
    m->linearized = outcome == NEWTON_CONVERGED;
    return outcome;
}

static void swap(double **a, double **b)
{
    double *swapped = *a;
    *a = *b;
    *b = swapped;
}

static void swap_points(struct onestep *m)
{
    struct onestep_point *o = &m->other;
    swap(&m->q, &o->q);
    swap(&m->f, &o->f);
    swap(&m->dfdt, &o->dfdt);
    swap(&m->dqdt, &o->dqdt);
    if (m->base.dae->linear)
        return;
    swap(&m->G, &o->G);
    swap(&m->C, &o->C);
}

enum newton_outcome onestep_visit(struct onestep *m, double to)
{
    swap_points(m);
    m->visiting = true;
    return evaluate_all(m, to, m->next, true);
}

enum newton_outcome onestep_visit_again(struct onestep *m, double to)
{
    return evaluate_all(m, to, m->next, true);
}

void onestep_return(struct onestep *m)
{
    swap_points(m);
    m->visiting = false;
    if (!m->base.dae->linear)
        m->alpha = NAN;
}

enum newton_outcome onestep_factor(struct onestep *m, double alpha)
{
    if (fabs(m->alpha - alpha) <= ROUNDING_SAME * alpha)
        return NEWTON_CONVERGED;
    const int entries = m->base.dae->pattern->entries;
    for (int k = 0; k < entries; k++)
        m->matrix[k] = m->G[k] + alpha * m->C[k];
    m->alpha = NAN;
    m->status = sparse_lu_factor(m->lu, m->matrix);
    if (m->status != KN_OK)
        return m->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    m->alpha = alpha;
    return NEWTON_CONVERGED;
}

bool onestep_solve(struct onestep *m, double *b)
{
    m->solves++;
    sparse_lu_solve(m->lu, b);
    return onestep_finite(m->base.dae->n, b);
}

/* Whether rounding leaves anything of unknown i.  Where it does not, the point is far from a solution, on an exponential with
 * a slope of 1e50 S for instance, and what rounding makes of it there says nothing of the error. */
static bool leaves_digits(const struct onestep *m, int i)
{
    const struct tolerance *s = &m->control.tolerance;
    return m->rounding[i] * s->relative < tolerance_of_size(s, i);
}

void onestep_subtract_rounding(struct onestep *m, const double *x, double gain)
{
    const struct rounding_system system = {m->base.dae, m->G, m->C, x, m->lu};
    const enum dae_class *classes = m->base.dae->classes;
    rounding_find(&system, gain, 1, m->rounding, &m->work);
    m->solves += ROUNDING_SOLVES;
    for (int i = 0; i < m->base.dae->n; i++) {
        const bool drives = !classes || (CLASS_BIT(classes[i]) & CLASSES_DRIVING);
        if (!drives || leaves_digits(m, i))
            m->error[i] = fmax(fabs(m->error[i]) - m->rounding[i], 0);
    }
}

/* ---- steps ---- */

static void count_failure(struct onestep *m)
{
    if (m->failures++ == 0)
        m->failed_step = m->control.step;
}

void onestep_reject(struct onestep *m, struct step_growth g, struct step_report *report)
{
    control_reject(&m->control, g, report);
    count_failure(m);
}

void onestep_fail(struct onestep *m, enum newton_outcome outcome, struct step_report *report)
{
    control_fail(&m->control, CVODE.shrink, report);
    report->newton = outcome;
    if (outcome == NEWTON_FAILED)
        report->outcome = STEP_STOPPED;
    report->status = m->status;
    report->reason = m->reason;
    report->error = INFINITY;
    const int column = outcome == NEWTON_SINGULAR ? sparse_lu_singular(m->lu) : -1;
    report->worst = column >= 0 ? column : report->worst;
    count_failure(m);
}

double onestep_norm(const struct onestep *m, const double *error, int *worst)
{
    const struct step_error e = control_error(&m->control, error, *worst);
    *worst = e.worst;
    if (m->options.output_step <= 0)
        return e.end;
    return fmax(e.end, m->options.relative * (control_is_fine(&m->control) ? GARBAGE : 1) * e.soft);
}

/* Whether unknowns that no equation needs meet their tolerance well enough for rows of the output.  The current of a
 * source through a milliohm is off by much where the voltages at both ends are off by little. */
static bool followers_stand(const struct onestep *m)
{
    const struct dae *dae = m->base.dae;
    const unsigned followers = CLASS_BIT(DAE_FOLLOWS);
    const double missed = tolerance_norm(&m->control.tolerance, dae->classes, followers, m->error, NULL);
    return !control_shows_end(&m->control) || control_stands(&m->control, missed, CONTROL_SOFT_EXCESS);
}

/* An error too large is taken without what rounding may have made of it: rounding of charges, divided by the step, grows
 * as steps get shorter. */
static double certain_error(struct onestep *m, double error, struct step_report *report)
{
    m->certain = error > m->part && m->factors_of_step;
    if (!m->certain)
        return error;
    onestep_subtract_rounding(m, m->x, m->charge_gain * m->alpha);
    const double certain = onestep_norm(m, m->error, &report->worst);
    report->noisy = control_is_noise(error / m->part, certain / m->part);
    return certain;
}

/* The error of unknowns that no equation needs, where it would shorten steps without rounding, too: a current behind a
 * large gain may be off by many tolerances by rounding alone.  What rounding makes is not asked again at nearly the same
 * 1/step where it was found to be little (certain_soft_gain). */
static double soft_error(struct onestep *m)
{
    const double soft = control_error(&m->control, m->error, 0).soft;
    const bool stands = control_stands(&m->control, soft, CONTROL_SOFT_EXCESS);
    if (stands || m->certain || !m->factors_of_step || !(m->alpha > 2 * m->certain_soft_gain))
        return soft;
    onestep_subtract_rounding(m, m->x, m->charge_gain * m->alpha);
    const double certain = control_error(&m->control, m->error, 0).soft;
    m->certain_soft_gain = certain <= CONTROL_MOSTLY * soft ? 0 : m->alpha;
    return certain;
}

bool onestep_judge(struct onestep *m, int exponent, struct step_report *report)
{
    const struct control *c = &m->control;
    const double whole = onestep_norm(m, m->error, &report->worst);
    const double error = certain_error(m, whole, report), soft = soft_error(m);
    report->newton = NEWTON_CONVERGED;
    report->error = fmax(error, m->other_error) / m->part;
    m->other_error = 0;
    m->growth = control_least(control_growth(c, report->error, exponent),
                              control_soft_growth(c, soft, exponent, LIMIT_FOLLOWERS));
    if (control_stands(c, report->error, 1) && (soft <= CONTROL_SOFT_EXCESS || followers_stand(m))) {
        report->error = report->noisy ? whole / m->part : report->error;
        return true;
    }
    onestep_reject(m, m->growth, report);
    return false;
}

/* An error besides the method's own estimate limits the next step by `g`, and rejects this one if it is above `most`. */
static bool judge_other(struct onestep *m, double size, double most, struct step_growth g, int worst,
                        struct step_report *report)
{
    m->growth = control_least(m->growth, g);
    if (size <= most)
        return true;
    report->error = size;
    report->worst = worst;
    if (control_stands(&m->control, size, most))
        return true;
    onestep_reject(m, m->growth, report);
    return false;
}

bool onestep_judge_missed(struct onestep *m, int exponent, struct step_report *report)
{
    const struct norm n = control_driving(&m->control, m->error);
    /* Counts in steps of any length: a point that misses the equations is no solution. */
    const int worst = n.worst >= 0 ? n.worst : report->worst;
    const double size = fmax(n.inside, m->options.relative / FOLLOWERS_MISSED * n.outside);
    return judge_other(m, size, 1, control_growth_alone(&m->control, size, exponent), worst, report);
}

bool onestep_judge_between(struct onestep *m, int exponent, struct step_report *report)
{
    const struct step_error e = control_error(&m->control, m->error, report->worst);
    const double size = fmax(e.end, FOLLOWERS_BETWEEN * e.soft);
    const struct step_growth g = control_soft_growth(&m->control, size, exponent, LIMIT_BETWEEN);
    const bool hidden = m->control.step < 2 * m->control.inside_resolution;
    return judge_other(m, size, hidden ? INFINITY : CONTROL_SOFT_EXCESS, g, e.worst, report);
}

void onestep_set_line(struct onestep *m)
{
    for (int i = 0; i < m->base.dae->n; i++) {
        m->coefficient[0][i] = m->next[i];
        m->coefficient[1][i] = m->next[i] - m->x[i];
    }
}

void onestep_advance(struct onestep *m, double to, int degree, struct step_report *report)
{
    double *swapped = m->x;
    m->x = m->next;
    m->next = swapped;
    m->degree = degree;
    m->accepted_step = to - m->base.t;
    m->linearized = m->visiting;
    m->visiting = false;
    m->failures = 0;
    m->base.x = m->x;
    m->base.unsure = m->unsure;
    m->base.hidden = m->base.blind = false;
    m->base.order = report->order;
    m->base.previous = m->base.t;
    m->base.t = to;
    control_accept(&m->control, m->growth, m->base.dae->linear, report);
    control_advance(&m->control, m->x, m->control.step, report->noisy ? 0 : report->error);
}

/* ---- rescue ---- */

/* Euler's step of size h to t from the charges into m->next. */
static bool solve_euler(struct onestep *m, double t, double h, const double *charge)
{
    const struct newton_euler step = {t, h, charge, m->control.tolerance.weights, m->x, m->error};
    return newton_solve_euler(&m->rescue, &step, m->next) == NEWTON_CONVERGED;
}

/* The second difference of the charges over halves of size h, carried to x, and filtered once more as in Hairer and
 * Wanner 1996, IV.8.20: what decays within h, as where the step begins beside the stiff equations, has decayed in the
 * result. */
static double euler_error(struct onestep *m, double h, const double *charge, int *worst)
{
    const int n = m->base.dae->n;
    for (int i = 0; i < n; i++)
        m->error[i] = (m->rescue.q[i] - 2 * m->middle_charge[i] + charge[i]) / h;
    newton_back_solve(&m->rescue, m->error);
    for (int i = 0; i < n; i++) {
        m->middle_charge[i] = m->error[i] / h;
        m->error[i] = 0;
    }
    sparse_multiply_add(m->base.dae->pattern, m->rescue.C, m->middle_charge, m->error);
    newton_back_solve(&m->rescue, m->error);
    const struct step_error e = control_error(&m->control, m->error, *worst);
    *worst = e.worst;
    return e.end;
}

/* Whether the two steps are accepted: without rounding their error is within the tolerance, or it is that of a jump, or
 * the step is as short as steps may be. */
static bool euler_stands(struct onestep *m, double h, struct step_report *report)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    if (report->error <= 1 || control_is_shortest(&m->control))
        return true;
    memcpy(m->middle_charge, m->error, bytes); /* a copy, in the room of a charge that is no longer needed */
    newton_rounding(&m->rescue, m->next, 1 / h, 2);
    tolerance_beyond_rounding(&m->control.tolerance, m->base.dae->classes, m->rescue.rounding, m->error, m->error);
    const double certain = control_error(&m->control, m->error, report->worst).end;
    if (certain <= 1 || !control_sees_jump(&m->control, m->base.t, certain))
        return certain <= 1;
    const struct control_end end = {m->rescue.lu, m->rescue.C, 1 / h};
    double left;
    return control_crosses_jump(&m->control, &end, m->middle_charge, m->error, &left);
}

/* Both halves into m->next; false if Newton's method fails or the error is too large. */
static bool two_eulers(struct onestep *m, double to, const double *charge, struct step_report *report)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    const double h = 0.5 * (to - m->base.t);
    memcpy(m->next, m->x, bytes);
    newton_invalidate(&m->rescue);
    if (!solve_euler(m, m->base.t + h, h, charge))
        return false;
    memcpy(m->middle_charge, m->rescue.q, bytes);
    if (!solve_euler(m, to, h, m->middle_charge))
        return false;
    if (control_is_fine(&m->control) && !newton_linearize(&m->rescue, to, m->next, 1 / h))
        return false;
    report->error = euler_error(m, h, charge, &report->worst);
    return euler_stands(m, h, report);
}

bool onestep_rescue(struct onestep *m, double to, const double *charge, struct step_report *report)
{
    control_begin(&m->control, m->base.t, to);
    const bool enough = m->failures >= (control_is_fine(&m->control) ? 1 : FAILURES_BEFORE_RESCUE);
    if (!enough || onestep_linearize(m, false) != NEWTON_CONVERGED)
        return false;
    const bool forgets = !charge || m->failures >= FAILURES_BEFORE_FORGETTING;
    const bool carried = charge && two_eulers(m, to, charge, report);
    if (!carried && !(forgets && two_eulers(m, to, m->q, report))) /* what the method carries may be the trouble */
        return false;
    onestep_set_line(m);
    m->unsure = INFINITY;
    report->order = 1;
    m->growth = control_growth(&m->control, report->error, 2);
    onestep_advance(m, to, 1, report);
    m->base.hidden = m->base.blind = m->options.output_step > 0 && control_is_hidden(&m->control);
    /* The step was short for the failures only, and has led past what made them: the next is as long as the first that failed. */
    if (m->growth.factor > 1)
        report->next_step = m->failed_step;
    return true;
}

void onestep_combine(int n, const double *b, int count, const double *w, double *const *y, double *out)
{
    for (int k = 0; k < n; k++)
        out[k] = b ? b[k] : 0;
    for (int i = 0; i < count; i++) {
        const double wi = w[i], *yi = y[i];
        for (int k = 0; k < n && wi != 0; k++)
            out[k] += wi * yi[k];
    }
}

/* ---- output ---- */

void onestep_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct onestep *m = (const struct onestep *)base;
    const int n = base->dae->n;
    if (m->accepted_step <= 0) {
        memcpy(x, m->x, (size_t)n * sizeof *x);
        if (dxdt)
            memset(dxdt, 0, (size_t)n * sizeof *dxdt);
        return;
    }
    const double s = (time - base->t) / m->accepted_step;
    for (int i = 0; i < n; i++) {
        double value = m->coefficient[m->degree][i], slope = 0;
        for (int k = m->degree - 1; k >= 0; k--) {
            slope = slope * s + value;
            value = value * s + m->coefficient[k][i];
        }
        x[i] = value;
        if (dxdt)
            dxdt[i] = slope / m->accepted_step;
    }
}

void onestep_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct onestep *m = (const struct onestep *)base;
    const struct sparse_statistics *lu = sparse_lu_statistics(m->lu);
    s->evaluations += m->evaluations;
    s->jacobians += m->jacobians;
    s->solves += m->solves;
    s->factorizations += lu->factorizations;
    s->refactorizations += lu->refactorizations;
    newton_add_statistics(&m->rescue, s);
}
