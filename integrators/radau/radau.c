/* radau.c - Radau IIA for q(x)' + f(x, t) = 0 with 1, 2, 3, 5 or 7 stages (orders 1, 3, 5, 9, 13).
 *
 * The last stage is the new point, so algebraic equations and constraints hold there (stiffly accurate).  Stages: see
 * radau_stages.c.  Error estimate filtered by the real factor (Hairer and Wanner, Solving ODEs II, 1996, IV.8.20),
 * predictive step control (8.25; Gustafsson 1994), tolerance carried over to the order of the estimate, number of
 * stages by the speed of Newton's convergence (Hairer and Wanner, J. Comp. Appl. Math. 111, 1999).  Starting values and
 * dense output from the collocation polynomial.
 *
 * Circuits ask for more than smooth stiff equations do.  Where the simplified iteration fails for shorter and shorter
 * steps, because slopes jump inside the step or an exponential is met from the wrong side, one step of implicit Euler
 * with the damped Newton method of newton.c shows where the step ends; with the mean of the Jacobians of both ends the
 * stages are tried once more, and if that fails, too, the Euler step itself is taken if it is accurate enough, or if
 * shorter steps do not make it so: it crosses a jump.  Steps so short that output shows nothing of them come to that at
 * once, and errors of algebraic unknowns do not count in them.
 */
#include "integrators/radau/radau.h"
#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int stage_counts[] = {1, 2, 3, 5, 7};

static const double SAFETY = 0.9;
static const double LARGEST_GROWTH = 8, SMALLEST_GROWTH = 0.2;
static const double FIRST_SHRINK = 0.1;     /* after an error in the first step, at least */
static const double ZERO_CROSSING = 0.3;    /* estimates below this part of the one before are not believed at once */
static const double BEST_CONTRACTION = 0.3; /* longer steps need more iterations than they save */
static const double LONGEST_PREDICTION = 3; /* in units of the step before */
static const double KEEP_JACOBIAN = 1e-3;   /* contraction below which G and C serve another step */
static const double SAME_STEP_BELOW = 1.2;  /* growth that does not pay for new factors */
static const double RAISE_STAGES = 2e-3;    /* contraction below which more stages pay (Hairer and Wanner 1999) */
static const double RETURN_TO_STAGES = 0.2; /* where there are less than the usual number */
static const double LOWER_STAGES = 0.8;     /* and above which fewer do */
static const double STEADY_MOST = 1.2, STEADY_LEAST = 0.8; /* ratio of steps at which stages may be added */
enum { STEPS_BEFORE_RAISE = 10, STEPS_BEFORE_DOUBT = 8 };
enum { FAILURES_BEFORE_RESCUE = 2 }; /* of the Newton iteration at one time */
/* An error like this says that the waveform is not as smooth as the carried-over tolerance of many stages supposes. */
static const double UNSMOOTH = 4;
/* A stage goes several steps of a multistep method far; largest values fade accordingly. */
static const double REMEMBERED_OVER_STAGE = 0.93;
static const double RESCUE_SHRINK = 0.25;
static const double MOSTLY_NOISE = 0.5; /* what is left of an error that is called noise, at most */
static const double GROWTH_OUT_OF_NOISE = 2, GROWTH_AFTER_CHANGE = 2; /* of the number of stages */

/* ---- life ---- */

static void radau_destroy(struct integrator *base)
{
    struct radau *m = (struct radau *)base;
    double *const vectors[] = {m->absolute,  m->x,     m->q,      m->f,    m->error,    m->point,
                               m->predicted, m->begin, m->smooth, m->rest, m->next_rest};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        free(vectors[i]);
    for (int i = 0; i < RADAU_STAGES; i++)
        free(m->X[i]);
    radau_stages_free(&m->stages);
    newton_free(&m->rescue);
    tolerance_free(&m->tolerance);
    free(m);
}

static bool allocate(struct radau *m)
{
    const size_t n = (size_t)m->base.dae->n;
    double **const vectors[] = {&m->absolute,  &m->x,     &m->q,      &m->f,    &m->error,    &m->point,
                                &m->predicted, &m->begin, &m->smooth, &m->rest, &m->next_rest};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc(n, sizeof(double))) != NULL && complete;
    for (int i = 0; i < stage_counts[m->highest]; i++)
        complete = (m->X[i] = calloc(n, sizeof(double))) != NULL && complete;
    return complete;
}

static enum kn_status make_parts(struct radau *m)
{
    const struct dae *dae = m->base.dae;
    const struct newton_options newton = {0.1 * m->options.relative, m->options.kappa, m->options.max_iterations};
    enum kn_status status = tolerance_init(&m->tolerance, dae, m->options.relative);
    if (status == KN_OK)
        status = radau_stages_init(&m->stages, dae, &m->tolerance, stage_counts[m->highest]);
    if (status == KN_OK)
        status = newton_init(&m->rescue, dae, &newton);
    if (status == KN_OK && !allocate(m))
        status = KN_ERROR_MEMORY;
    m->tolerance.absolute = m->absolute;
    m->tolerance.finest = RADAU_FINEST * m->options.output_step;
    m->stages.kappa = m->options.kappa;
    m->stages.relative = m->options.relative;
    return status;
}

static enum kn_status create_between(int lowest, int highest, const struct integrator_class *class,
                                     const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct radau *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base = (struct integrator){.class = class, .dae = dae, .relative = o->relative, .keeps_step = true};
    m->options = *o;
    m->lowest = lowest;
    m->highest = highest;
    const enum kn_status status = make_parts(m);
    if (status == KN_OK)
        *out = &m->base;
    else
        radau_destroy(&m->base);
    return status;
}

static enum kn_status radau_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    int highest = STAGE_CHOICES - 1;
    while (o->max_order > 0 && highest > 0 && 2 * stage_counts[highest] - 1 > o->max_order)
        highest--;
    return create_between(0, highest, &integrator_radau, dae, o, out);
}

static enum kn_status radau5_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_between(2, 2, &integrator_radau5, dae, o, out);
}

/* The estimate has the order of the stages only, the result twice that: reltol is carried over so that the achieved
 * error is near it, a part of reltol^((s+1)/(2s)). */
static void use_tolerance_of(struct radau *m, const struct radau_tableau *tableau)
{
    const double s = tableau->stages;
    const double part = integrator_part(m->base.class, m->base.dae, m->options.relative);
    m->tolerance.relative = part * pow(m->options.relative, (s + 1) / (2 * s));
    for (int i = 0; i < m->base.dae->n; i++) {
        m->absolute[i] = m->base.dae->absolute[i] * m->tolerance.relative / m->options.relative;
        m->tolerance.weights[i] = 1 / (m->tolerance.relative * m->tolerance.largest[i] + m->absolute[i]);
    }
}

/* Computed when it is wanted first, for short runs want only one; it cannot fail for these numbers of stages. */
static const struct radau_tableau *tableau_of(struct radau *m, int choice)
{
    if (m->tableaus[choice].stages == 0)
        radau_tableau(stage_counts[choice], &m->tableaus[choice]);
    return &m->tableaus[choice];
}

static void use_stages(struct radau *m, int choice)
{
    m->choice = choice;
    radau_stages_use(&m->stages, tableau_of(m, choice));
    use_tolerance_of(m, m->stages.tableau);
    m->steps_with_stages = 0;
    m->error_before = 0;
}

static enum kn_status radau_restart(struct integrator *base, double t, const double *x)
{
    struct radau *m = (struct radau *)base;
    memmove(m->x, x, (size_t)base->dae->n * sizeof *x);
    const enum kn_status status = radau_stages_evaluate(&m->stages, t, m->x, DAE_F | DAE_Q, m->f, m->q);
    if (status != KN_OK)
        return status;
    if (!m->started)
        tolerance_reset(&m->tolerance, x);
    m->started = true;
    const int choice = m->highest < FIRST_CHOICE ? m->highest : m->lowest > FIRST_CHOICE ? m->lowest : FIRST_CHOICE;
    use_stages(m, choice);
    tolerance_update(&m->tolerance, x);
    base->t = base->previous = t;
    base->x = m->x;
    base->order = 1;
    m->polynomial_step = 0;
    m->charges_known = false;
    m->stages.have_jacobian = m->stages.have_jacobian && base->dae->linear;
    m->first = true;
    m->rejected = false;
    m->failures = m->standing = 0;
    tolerance_forget_jump(&m->tolerance);
    radau_stages_doubt(&m->stages);
    m->smooth_contraction = 1;
    m->predictable = m->slopes_here = false;
    return KN_OK;
}

/* ---- solution of the stages ---- */

static struct radau_point here(const struct radau *m)
{
    return (struct radau_point){m->base.t, m->x, m->f, m->q};
}

static enum newton_outcome solve_from_starting_values(struct radau *m, double h)
{
    const struct radau_point from = here(m);
    m->slopes_here = false;
    return radau_stages_solve(&m->stages, &from, h);
}

/* The end of the last step may have left them. */
static enum kn_status linearize_here(struct radau *m)
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
    const bool tried = m->predictable && m->slopes_here && !m->rejected && h <= LONGEST_PREDICTION * m->polynomial_step;
    if (tried) {
        radau_predict_stages(m, h);
        const enum kn_status status = radau_stages_linearize(s, m->base.t + s->tableau->c[middle] * h, s->X[middle]);
        if (status != KN_OK || radau_stages_is_sane(s, h))
            return status;
    }
    return linearize_here(m);
}

/* A wild prediction is worse than none. */
static enum newton_outcome solve_from_here(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    radau_stages_doubt(s);
    s->status = linearize_here(m);
    for (int i = 0; i < s->tableau->stages; i++)
        memcpy(s->X[i], m->x, (size_t)s->dae->n * sizeof(double));
    return s->status == KN_OK ? solve_from_starting_values(m, h) : NEWTON_FAILED;
}

static enum newton_outcome solve_stages(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    if (s->have_jacobian) {
        radau_predict_stages(m, h);
        const enum newton_outcome outcome = solve_from_starting_values(m, h);
        if (outcome == NEWTON_CONVERGED || outcome == NEWTON_FAILED || s->dae->linear)
            return outcome;
        radau_stages_doubt(s);
    }
    s->status = linearize(m, h);
    if (s->status != KN_OK)
        return NEWTON_FAILED;
    radau_predict_stages(m, h);
    const enum newton_outcome outcome = solve_from_starting_values(m, h);
    return outcome == NEWTON_NOT_FINITE && m->polynomial_step > 0 ? solve_from_here(m, h) : outcome;
}

/* ---- error ---- */

/* Of an estimate for a step of size h.  Newton's iteration looks at all unknowns, however short the step is. */
static double norm_of_error(struct radau *m, double h, const double *e, int *worst)
{
    tolerance_set_step(&m->tolerance, h);
    const double norm = tolerance_norm(&m->tolerance, m->base.dae->classes, e, worst);
    tolerance_set_step(&m->tolerance, INFINITY);
    return norm;
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
static double norm_beyond(struct radau *m, double h, const double *rounding, int *worst)
{
    double *certain = m->stages.work[0];
    for (int k = 0; k < m->base.dae->n; k++)
        certain[k] = fmax(fabs(m->error[k]) - rounding[k], 0);
    return norm_of_error(m, h, certain, worst);
}

static double certain_error(struct radau *m, double h)
{
    int unused;
    radau_stages_round(&m->stages, m->x);
    return norm_beyond(m, h, m->stages.rounding, &unused);
}

static double estimate(struct radau *m, double h, const double *f, int *worst)
{
    residual_of_embedded(m, h, f);
    radau_stages_filter(&m->stages, m->error);
    return norm_of_error(m, h, m->error, worst);
}

/* What is a small error of a voltage at the begin of the step is a charge, which becomes a large error where the
 * capacitance has fallen. */
static double estimate_at_end(struct radau *m, double h, int *worst)
{
    residual_of_embedded(m, h, m->f);
    radau_stages_filter_end(&m->stages, m->error);
    return norm_of_error(m, h, m->error, worst);
}

static double step_error(struct radau *m, double h, int *worst)
{
    struct radau_stages *s = &m->stages;
    const double error = estimate(m, h, m->f, worst);
    if (error < 1 && s->softer) {
        int at_end = *worst;
        const double there = estimate_at_end(m, h, &at_end);
        *worst = there > error ? at_end : *worst;
        return fmax(error, there);
    }
    if (error < 1 || !(m->first || m->rejected))
        return error;
    /* Filtered once more: the first estimate is not small for stiff components off their manifold (8.20). */
    for (int k = 0; k < s->dae->n; k++)
        m->point[k] = m->x[k] + m->error[k];
    s->status = radau_stages_evaluate(s, m->base.t, m->point, DAE_F, s->work[0], NULL);
    return s->status == KN_OK ? estimate(m, h, s->work[0], worst) : INFINITY;
}

/* ---- steps and numbers of stages ---- */

static double growth(const struct radau *m, double error)
{
    return pow(fmax(error, 1e-10), -1.0 / (m->stages.tableau->stages + 1));
}

static double step_factor(const struct radau *m, double h, double error)
{
    const double most = 2 * m->stages.tableau->stages + 1;
    const double safety = SAFETY * (2 * most + 1) / (2 * most + fmax(1, m->stages.iterations));
    double factor = safety * growth(m, fmax(error, ZERO_CROSSING * m->error_before));
    if (error < 1 && m->error_before > 0) /* Gustafsson's prediction */
        factor = fmin(factor, factor * h / m->step_before * growth(m, error / m->error_before));
    return fmin(LARGEST_GROWTH, fmax(SMALLEST_GROWTH, factor));
}

static void choose_stages(struct radau *m, double h)
{
    const double contraction = m->stages.contraction, ratio = m->step_before > 0 ? h / m->step_before : 1;
    m->smooth_contraction = fmin(10, fmax(contraction, 0.5 * m->smooth_contraction));
    m->steps_with_stages++;
    if (m->choice > m->lowest && m->smooth_contraction >= LOWER_STAGES)
        use_stages(m, m->choice - 1);
    else if (m->choice < m->highest && m->choice < FIRST_CHOICE && m->smooth_contraction <= RETURN_TO_STAGES)
        use_stages(m, m->choice + 1);
    else if (m->choice < m->highest && m->steps_with_stages > STEPS_BEFORE_RAISE &&
             m->smooth_contraction <= RAISE_STAGES && ratio > STEADY_LEAST && ratio < STEADY_MOST)
        use_stages(m, m->choice + 1);
}

static void remember_stages(struct radau *m, const struct radau_tableau *tableau)
{
    tolerance_set_step(&m->tolerance, m->polynomial_step);
    const double remembered = tolerance_fading(&m->tolerance, REMEMBERED_OVER_STAGE);
    for (int i = 0; i < tableau->stages; i++) {
        for (int k = 0; k < m->base.dae->n; k++)
            m->tolerance.largest[k] *= remembered;
        tolerance_update(&m->tolerance, m->X[i]);
    }
    tolerance_set_step(&m->tolerance, INFINITY);
}

/* The step to `to` with the stages of `tableau` becomes the last one. */
static void advance(struct radau *m, double to, const struct radau_tableau *tableau)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    double *swapped = m->begin;
    m->begin = m->x;
    m->x = swapped;
    memcpy(m->x, m->X[tableau->stages - 1], bytes);
    m->polynomial = tableau;
    m->polynomial_step = to - m->base.t;
    m->base.x = m->x;
    m->base.order = 2 * tableau->stages - 1;
    m->base.previous = m->base.t;
    m->base.t = to;
    remember_stages(m, tableau);
    m->first = m->rejected = false;
    m->failures = 0;
}

/* Round-off makes errors that neither shorter nor longer steps change; what is more than that is asked where steps do
 * not grow. */
static bool may_be_noise(struct radau *m, double h, const struct step_report *report)
{
    const double factor = step_factor(m, h, report->error);
    m->standing = factor < SAME_STEP_BELOW ? m->standing + 1 : 0;
    return factor < 1 || m->standing > STEPS_BEFORE_DOUBT;
}

static void accept(struct radau *m, double to, struct radau_roughness rough, struct step_report *report)
{
    struct radau_stages *s = &m->stages;
    const double h = to - m->base.t;
    const double error = may_be_noise(m, h, report) ? certain_error(m, h) : report->error;
    double factor = step_factor(m, h, error);
    if (report->noisy || error < report->error)
        factor = fmin(factor, GROWTH_OUT_OF_NOISE);
    if (factor < SAME_STEP_BELOW && m->standing > STEPS_BEFORE_DOUBT)
        m->standing = 0;
    if (m->extrapolated && m->polynomial != s->tableau) /* how smooth waveforms are is not known yet */
        factor = fmin(factor, GROWTH_AFTER_CHANGE);
    factor = fmin(factor, fmax(SAFETY * growth(m, rough.controlled), radau_finest(m, RADAU_FINEST) / h));
    factor = fmin(factor, fmax(SAFETY * growth(m, rough.followers), radau_finest(m, RADAU_FINEST_OF_FOLLOWERS) / h));
    if (s->iterations > 1 && s->contraction > 0 && !report->noisy)
        factor = fmin(factor, fmax(1, BEST_CONTRACTION / s->contraction));
    if (m->rejected && factor > 1)
        factor = 1;
    s->have_jacobian = s->dae->linear || s->contraction < KEEP_JACOBIAN;
    if (s->have_jacobian && factor >= 1 && factor <= SAME_STEP_BELOW)
        factor = 1;
    report->outcome = STEP_ACCEPTED;
    report->next_step = h * factor;
    radau_correct_polynomial(m, h);
    for (int i = 0; i < s->tableau->stages; i++) {
        double *swapped = m->X[i];
        m->X[i] = s->X[i];
        s->X[i] = swapped;
    }
    memcpy(m->f, s->f, (size_t)s->dae->n * sizeof(double));
    memcpy(m->q, s->q, (size_t)s->dae->n * sizeof(double));
    advance(m, to, s->tableau);
    m->base.unsure = rough.all;
    m->charges_known = true;
    m->slopes_here = !s->dae->linear;
    if (!report->noisy) /* which tells nothing about convergence */
        choose_stages(m, h);
    m->error_before = m->steps_with_stages > 0 ? fmax(error, 1e-2) : 0;
    m->step_before = h;
}

static void reject(struct radau *m, double h, double error, struct step_report *report)
{
    const double factor = step_factor(m, h, error);
    report->outcome = STEP_ERROR_TOO_LARGE;
    report->next_step = h * (m->first ? fmax(FIRST_SHRINK, fmin(0.5, factor)) : fmin(0.9, factor));
    m->rejected = true;
    if (m->choice > FIRST_CHOICE && m->lowest < m->choice && report->error > UNSMOOTH)
        use_stages(m, m->choice - 1);
}

/* Of an error beyond the tolerance.  It is called noise, and stands, where most of it is. */
static void take_off_noise(struct radau *m, double h, struct step_report *report)
{
    const double certain = certain_error(m, h);
    report->noisy = certain < fmin(1, MOSTLY_NOISE * report->error);
    report->error = report->noisy ? report->error : certain;
}

static void judge(struct radau *m, double to, struct step_report *report)
{
    const double h = to - m->base.t;
    report->error = step_error(m, h, &report->worst);
    if (m->stages.status != KN_OK) {
        report->outcome = STEP_STOPPED;
        report->status = m->stages.status;
        return;
    }
    struct radau_roughness rough = radau_roughness(m, h);
    if (!m->stages.dae->linear && radau_excess(m, h, rough) == 0) {
        const struct radau_roughness between = radau_missed_between(m, h);
        rough.controlled = fmax(rough.controlled, between.controlled);
        rough.followers = fmax(rough.followers, fmax(between.followers, radau_missed_slope(m, h)));
        rough.all = between.all;
    }
    if (m->stages.status != KN_OK) {
        report->outcome = STEP_STOPPED;
        report->status = m->stages.status;
        return;
    }
    const double soft = radau_excess(m, h, rough);
    if (report->error >= 1 && soft == 0)
        take_off_noise(m, h, report);
    if (soft == 0 && (report->error < 1 || report->noisy))
        accept(m, to, rough, report);
    else
        reject(m, h, fmax(report->error, soft), report);
}

static void newton_failed(struct radau *m, double h, enum newton_outcome outcome, struct step_report *report)
{
    struct radau_stages *s = &m->stages;
    report->outcome = outcome == NEWTON_FAILED ? STEP_STOPPED : STEP_NEWTON_FAILED;
    report->status = s->status;
    report->worst = s->worst;
    report->error = s->correction;
    report->next_step = h * s->shrink;
    s->have_jacobian = s->dae->linear;
    radau_stages_doubt(s);
    m->failures++;
    m->rejected = true;
    if (m->choice > m->lowest && (m->choice > FIRST_CHOICE || m->failures > FAILURES_BEFORE_RESCUE))
        use_stages(m, m->choice - 1);
}

/* ---- rescue ---- */

/* One step of implicit Euler into `point`. */
static enum newton_outcome solve_euler(struct radau *m, double to)
{
    const double h = to - m->base.t;
    for (int k = 0; k < m->base.dae->n; k++)
        m->error[k] = -m->q[k] / h;
    memcpy(m->point, m->x, (size_t)m->base.dae->n * sizeof(double));
    newton_invalidate(&m->rescue);
    const struct newton_problem problem = {
        .t = to, .alpha = 1 / h, .b = m->error, .weights = m->tolerance.weights, .reference = m->x};
    return newton_solve(&m->rescue, &problem, m->point);
}

/* Starting values on the line to `point`, the mean of the Jacobians of both ends. */
static enum newton_outcome solve_across(struct radau *m, double to)
{
    struct radau_stages *s = &m->stages;
    s->status = linearize_here(m);
    if (s->status == KN_OK)
        s->status = radau_stages_average(s, to, m->point);
    if (s->status != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < s->tableau->stages; i++)
        for (int k = 0; k < s->dae->n; k++)
            s->X[i][k] = m->x[k] + s->tableau->c[i] * (m->point[k] - m->x[k]);
    radau_stages_doubt(s);
    return solve_from_starting_values(m, to - m->base.t);
}

/* The Euler step in `point` is taken if it is accurate enough. */
static void accept_euler(struct radau *m, double to)
{
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    memcpy(m->X[0], m->point, bytes);
    for (int k = 0; k < m->base.dae->n; k++)
        m->stages.dq[0][k] = m->rescue.q[k] - m->q[k];
    memcpy(m->f, m->rescue.f, bytes);
    memcpy(m->q, m->rescue.q, bytes);
    memset(m->smooth, 0, bytes);
    memset(m->rest, 0, bytes);
    advance(m, to, tableau_of(m, 0));
    m->charges_known = true;
    m->base.unsure = INFINITY;
    m->error_before = 0;
}

/* By the slopes at both ends, without rounding; 0 where no step resolves a jump. */
static double euler_error(struct radau *m, double h, int *worst)
{
    for (int k = 0; k < m->base.dae->n; k++)
        m->error[k] = m->rescue.f[k] - m->f[k];
    newton_back_solve(&m->rescue, m->error);
    const double error = norm_of_error(m, h, m->error, worst);
    if (error < 1)
        return error;
    newton_rounding(&m->rescue, m->point, 1 / h, 2);
    const double certain = norm_beyond(m, h, m->rescue.rounding, worst);
    const bool jump = certain >= 1 && tolerance_sees_jump(&m->tolerance, m->base.t, h, certain);
    return jump ? 0 : certain;
}

/* A corner is as far from the straight line as the prediction is from the end, at most. */
static double euler_excess(struct radau *m, double h)
{
    if (!m->extrapolated)
        return 0;
    for (int k = 0; k < m->base.dae->n; k++)
        m->predicted[k] = m->point[k] - m->predicted[k];
    return radau_excess(m, h, radau_roughness_of(m, m->predicted, 0.25));
}

static void judge_euler(struct radau *m, double to, struct step_report *report)
{
    const double h = to - m->base.t;
    use_tolerance_of(m, tableau_of(m, 0));
    report->error = fmax(euler_error(m, h, &report->worst), euler_excess(m, h));
    const double factor = SAFETY / sqrt(fmax(report->error, 1e-4));
    report->order = 1;
    if (report->error < 1) {
        accept_euler(m, to);
        report->outcome = STEP_ACCEPTED;
        report->next_step = h * fmax(1, factor);
    } else {
        report->outcome = STEP_ERROR_TOO_LARGE;
        report->next_step = h * fmax(RESCUE_SHRINK, fmin(0.5, factor));
    }
    use_tolerance_of(m, m->stages.tableau);
}

/* After repeated failures: true when the report is complete. */
static bool rescue(struct radau *m, double to, struct step_report *report)
{
    const enum newton_outcome outcome = solve_euler(m, to);
    report->newton = outcome;
    m->stages.status = m->rescue.status;
    if (outcome != NEWTON_CONVERGED)
        return false;
    if (solve_across(m, to) == NEWTON_CONVERGED) {
        judge(m, to, report);
        m->stages.have_jacobian = false;
        return true;
    }
    if (m->stages.status != KN_OK)
        return false;
    judge_euler(m, to, report);
    m->stages.have_jacobian = false;
    radau_stages_doubt(&m->stages);
    return true;
}

/* Steps so short that output shows nothing of them are not worth a search for the one with which the iteration
 * converges. */
static bool needs_rescue(const struct radau *m, double h)
{
    return m->failures >= FAILURES_BEFORE_RESCUE || h <= m->tolerance.finest;
}

static void radau_step(struct integrator *base, double to, struct step_report *report)
{
    struct radau *m = (struct radau *)base;
    const double h = to - base->t;
    memset(report, 0, sizeof *report);
    report->order = 2 * m->stages.tableau->stages - 1;
    report->newton = solve_stages(m, h);
    report->iterations = m->stages.iterations;
    if (report->newton == NEWTON_CONVERGED)
        judge(m, to, report);
    else if (report->newton == NEWTON_FAILED || !needs_rescue(m, h) || !rescue(m, to, report))
        newton_failed(m, h, report->newton, report);
}

static void radau_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct radau *m = (const struct radau *)base;
    const struct radau_stages *stages = &m->stages;
    const struct sparse_statistics *real = sparse_lu_statistics(stages->real), *end = sparse_lu_statistics(stages->end);
    s->evaluations += stages->evaluations;
    s->jacobians += stages->jacobians;
    s->newton_iterations += stages->newton_iterations;
    s->solves += stages->solves;
    s->factorizations += real->factorizations + end->factorizations;
    s->refactorizations += real->refactorizations + end->refactorizations;
    for (int p = 0; p < RADAU_PAIRS && stages->pair[p]; p++) {
        const struct sparse_statistics *pair = sparse_zlu_statistics(stages->pair[p]);
        s->factorizations += pair->factorizations;
        s->refactorizations += pair->refactorizations;
    }
    newton_add_statistics(&m->rescue, s);
}

const struct integrator_class integrator_radau = {
    .name = "radau",
    .title = "Radau IIA, orders 1 to 13 chosen as the waveform asks",
    .linear = {0.18, 6},
    .nonlinear = {0.18, 6},
    .create = radau_create,
    .destroy = radau_destroy,
    .restart = radau_restart,
    .step = radau_step,
    .interpolate = radau_interpolate,
    .charges = radau_charges,
    .statistics = radau_statistics,
};

const struct integrator_class integrator_radau5 = {
    .name = "radau5",
    .title = "Radau IIA of order 5",
    .linear = {0.18, 6},
    .nonlinear = {0.18, 6},
    .create = radau5_create,
    .destroy = radau_destroy,
    .restart = radau_restart,
    .step = radau_step,
    .interpolate = radau_interpolate,
    .charges = radau_charges,
    .statistics = radau_statistics,
};
