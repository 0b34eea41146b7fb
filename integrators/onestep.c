/* onestep.c - see onestep.h.
 *
 * Rescue.  These methods solve linear systems with the slopes at the begin of the step, or do not damp: a point that
 * misses the algebraic equations where an exponential bends them, or charges that have parted from x, is not mended by
 * any step, however short.  Two steps of implicit Euler with the damped Newton method of newton.c are; their error is
 * the second difference of the charges, carried to x.
 */
#include "integrators/onestep.h"

#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns that only follow (index-2 ones among them) and points between steps shorten steps down to this part of
 * tstep; a step is repeated for the latter from this multiple of the tolerance on. */
static const double FINEST_OUTPUT = 0.1, SOFT_EXCESS = 4;
static const double FOLLOWERS_BETWEEN = 0.03; /* part that counts of their error between points */
/* Part of their largest value by which unknowns that only follow may miss their equations at points. */
static const double FOLLOWERS_MISSED = 0.01;
/* Algebraic unknowns shorten steps down to this part of tstep. */
static const double FINEST_ALGEBRAIC = 1e-3;
/* Below that their error may be 100 times their size: they jump; without bound they would be garbage. */
static const double GARBAGE = 1e-2;
/* Factors made for an alpha that differs by less serve as well (times are rounded). */
static const double SAME_ALPHA = 1e-10;

enum { FAILURES_BEFORE_RESCUE = 4, FAILURES_BEFORE_FORGETTING = 7, RESCUE_ITERATIONS = 10 };
static const double GROWTH_AFTER_RESCUE = 2;
static const double SAFETY = 0.9;
static const double LARGEST_GROWTH = 5, SMALLEST_GROWTH = 0.2, FAILURE_SHRINK = 0.25;
static const double KEPT_GROWTH = 1.2; /* below, the step of a linear problem is kept and with it the factors */
/* Shares of the present and the last error in the PI controller, times the exponent (Hairer and Wanner 1996, IV.2). */
static const double PRESENT = 0.7, PAST = 0.4;

/* ---- life ---- */

static bool allocate(struct onestep *m)
{
    const size_t n = (size_t)m->base.dae->n;
    double **const vectors[] = {&m->x, &m->q, &m->f, &m->dfdt, &m->dqdt, &m->next, &m->error, &m->middle_charge};
    double **const others[] = {&m->other.q, &m->other.f, &m->other.dfdt, &m->other.dqdt};
    double **const matrices[] = {&m->G, &m->C, &m->matrix, &m->other.G, &m->other.C};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc(n, sizeof(double))) != NULL && complete;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        complete = (*others[i] = calloc(n, sizeof(double))) != NULL && complete;
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        complete = (*matrices[i] = sparse_values(m->base.dae->pattern)) != NULL && complete;
    for (int k = 0; k <= ONESTEP_DEGREE; k++)
        complete = (m->coefficient[k] = calloc(n, sizeof(double))) != NULL && complete;
    return complete;
}

enum kn_status onestep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                              const struct integrator_class *class, struct onestep **out)
{
    *out = NULL;
    struct onestep *m = calloc(1, size);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base = (struct integrator){.class = class, .dae = dae, .relative = o->relative};
    m->options = *o;
    m->part = integrator_part(class, dae, o->relative);
    m->alpha = NAN;
    enum kn_status status = tolerance_init(&m->tolerance, dae, o->relative);
    m->tolerance.finest = FINEST_ALGEBRAIC * o->output_step;
    if (status == KN_OK)
        status = allocate(m) ? sparse_lu_new(dae->pattern, &m->lu) : KN_ERROR_MEMORY;
    const struct newton_options newton = {0.1 * o->relative, o->kappa, RESCUE_ITERATIONS * o->max_iterations};
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
    const struct onestep_point *o = &m->other;
    double *const arrays[] = {m->x,      m->q, m->f, m->dfdt, m->dqdt, m->next, m->error, m->middle_charge, m->G, m->C,
                              m->matrix, o->q, o->f, o->dfdt, o->dqdt, o->G,    o->C};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    for (int k = 0; k <= ONESTEP_DEGREE; k++)
        free(m->coefficient[k]);
    tolerance_free(&m->tolerance);
    newton_free(&m->rescue);
    sparse_lu_free(m->lu);
    free(m);
}

enum kn_status onestep_restart(struct integrator *base, double t, const double *x)
{
    struct onestep *m = (struct onestep *)base;
    memmove(m->x, x, (size_t)base->dae->n * sizeof *x);
    if (!base->x)
        tolerance_reset(&m->tolerance, m->x);
    else
        tolerance_update(&m->tolerance, m->x);
    base->t = base->previous = t;
    base->x = m->x;
    base->order = 1;
    m->linearized = m->visiting = false;
    if (!base->dae->linear) {
        m->have_jacobian = false;
        m->alpha = NAN;
    }
    m->accepted_step = m->error_before = 0;
    m->first = true;
    m->rejected = false;
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
    const double alpha = m->alpha;
    const enum newton_outcome outcome = evaluate_all(m, to, m->next, true);
    m->alpha = alpha;
    return outcome;
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
    if (fabs(m->alpha - alpha) <= SAME_ALPHA * alpha)
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

/* ---- steps ---- */

void onestep_reject(struct onestep *m)
{
    m->rejected = true;
    m->failures++;
}

void onestep_fail(struct onestep *m, double to, enum newton_outcome outcome, struct step_report *report)
{
    report->newton = outcome;
    report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
    report->status = m->status;
    report->reason = m->reason;
    report->error = INFINITY;
    const int column = outcome == NEWTON_SINGULAR ? sparse_lu_singular(m->lu) : -1;
    report->worst = column >= 0 ? column : report->worst;
    report->next_step = (to - m->base.t) * FAILURE_SHRINK;
    onestep_reject(m);
}

static double growth(const struct onestep *m, double error, int exponent)
{
    const double bounded = fmax(error, 1e-10);
    double factor = SAFETY * pow(bounded, -1.0 / exponent);
    if (error <= 1 && m->error_before > 0)
        factor = SAFETY * pow(bounded, -PRESENT / exponent) * pow(m->error_before, PAST / exponent);
    factor = fmin(LARGEST_GROWTH, fmax(SMALLEST_GROWTH, factor));
    if (error > 1)
        return fmin(factor, 0.9);
    if (m->rejected)
        return fmin(factor, 1);
    return m->base.dae->linear && factor >= 1 && factor < KEPT_GROWTH ? 1 : factor;
}

/* What the errors of unknowns that only follow allow; they never reject. */
static double soft_growth(const struct onestep *m, double step, int exponent)
{
    const double soft = tolerance_norm_of_followers(&m->tolerance, m->base.dae->classes, m->error);
    if (!(soft > 0) || m->options.output_step <= 0)
        return INFINITY;
    return fmax(SAFETY * pow(soft, -1.0 / exponent), FINEST_OUTPUT * m->options.output_step / step);
}

double onestep_norm(struct onestep *m, double step, const double *error, int *worst)
{
    const enum dae_class *classes = m->base.dae->classes;
    tolerance_set_step(&m->tolerance, step);
    const double norm = tolerance_norm(&m->tolerance, classes, error, worst);
    if (m->tolerance.finest <= 0)
        return norm;
    const double part = m->options.relative * (m->tolerance.lenient ? GARBAGE : 1);
    return fmax(norm, part * tolerance_norm_of_followers(&m->tolerance, classes, error));
}

bool onestep_judge(struct onestep *m, double to, int exponent, struct step_report *report)
{
    report->newton = NEWTON_CONVERGED;
    report->error = onestep_norm(m, to - m->base.t, m->error, &report->worst) / m->part;
    report->error = fmax(report->error, m->other_error / m->part);
    m->other_error = 0;
    const double step = to - m->base.t;
    report->next_step = step * fmin(growth(m, report->error, exponent), soft_growth(m, step, exponent));
    if (report->error <= 1)
        return true;
    report->outcome = STEP_ERROR_TOO_LARGE;
    onestep_reject(m);
    return false;
}

/* The step must be repeated for an error that the estimate of the method has not seen. */
static bool reject_for(struct onestep *m, double size, int worst, struct step_report *report)
{
    report->outcome = STEP_ERROR_TOO_LARGE;
    report->error = size;
    report->worst = worst;
    onestep_reject(m);
    return false;
}

bool onestep_judge_missed(struct onestep *m, double step, int exponent, struct step_report *report)
{
    const enum dae_class *classes = m->base.dae->classes;
    int worst = report->worst;
    tolerance_set_step(&m->tolerance, INFINITY); /* however short the step: a point that misses them is no solution */
    const double followers = tolerance_norm_of_followers(&m->tolerance, classes, m->error);
    const double controlled = tolerance_norm(&m->tolerance, classes, m->error, &worst);
    tolerance_set_step(&m->tolerance, step);
    const double size = fmax(controlled, m->options.relative / FOLLOWERS_MISSED * followers);
    const double factor = fmax(SMALLEST_GROWTH, SAFETY * pow(fmax(size, 1e-10), -1.0 / exponent));
    report->next_step = fmin(report->next_step, step * factor);
    return size <= 1 || reject_for(m, size, worst, report);
}

bool onestep_judge_between(struct onestep *m, double step, int exponent, struct step_report *report)
{
    const enum dae_class *classes = m->base.dae->classes;
    const double finest = FINEST_OUTPUT * m->options.output_step;
    int worst = report->worst;
    double size = tolerance_norm(&m->tolerance, classes, m->error, &worst);
    const double followers = tolerance_norm_of_followers(&m->tolerance, classes, m->error);
    size = fmax(size, FOLLOWERS_BETWEEN * followers);
    if (!(size > 0) || finest <= 0)
        return true;
    const double factor = fmax(SMALLEST_GROWTH, SAFETY * pow(size, -1.0 / exponent));
    report->next_step = fmin(report->next_step, fmax(step * factor, finest));
    return size <= SOFT_EXCESS || step < 2 * finest || reject_for(m, size, worst, report);
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
    m->error_before = fmax(report->error, 1e-4);
    m->linearized = m->visiting;
    m->first = m->rejected = m->visiting = false;
    m->failures = 0;
    m->base.x = m->x;
    m->base.unsure = m->unsure;
    m->base.order = report->order;
    m->base.previous = m->base.t;
    m->base.t = to;
    report->outcome = STEP_ACCEPTED;
    tolerance_update(&m->tolerance, m->x);
}

/* ---- rescue ---- */

/* Euler's step of size h to t from the charges into m->next. */
static bool solve_euler(struct onestep *m, double t, double h, const double *charge)
{
    for (int i = 0; i < m->base.dae->n; i++)
        m->error[i] = -charge[i] / h;
    const struct newton_problem problem = {
        .t = t, .alpha = 1 / h, .b = m->error, .weights = m->tolerance.weights, .reference = m->x};
    return newton_solve(&m->rescue, &problem, m->next) == NEWTON_CONVERGED;
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
    tolerance_set_step(&m->tolerance, 2 * h);
    return tolerance_norm(&m->tolerance, m->base.dae->classes, m->error, worst);
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
    report->error = euler_error(m, h, charge, &report->worst);
    return report->error <= 1;
}

bool onestep_rescue(struct onestep *m, double to, const double *charge, struct step_report *report)
{
    if (m->failures < FAILURES_BEFORE_RESCUE || onestep_linearize(m, false) != NEWTON_CONVERGED)
        return false;
    const bool forgets = !charge || m->failures >= FAILURES_BEFORE_FORGETTING;
    const bool carried = charge && two_eulers(m, to, charge, report);
    if (!carried && !(forgets && two_eulers(m, to, m->q, report))) /* what the method carries may be the trouble */
        return false;
    onestep_set_line(m);
    m->unsure = INFINITY;
    report->order = 1;
    report->next_step = GROWTH_AFTER_RESCUE * (to - m->base.t);
    onestep_advance(m, to, 1, report);
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
