/* multistep.c - see multistep.h. */
#include "integrators/multistep/multistep.h"

#include "base/larger.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Size of the slope-finding step.  Newton's method is so much more accurate in it, and invisible, because its error is magnified by the
 * extrapolation over the whole step. */
static const double STARTING_PART = 0.01;

enum kn_status multistep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                                const struct integrator_class *class, struct multistep **out)
{
    *out = NULL;
    struct multistep *m = integrator_new(size, class, dae, o);
    if (!m)
        return KN_ERROR_MEMORY;
    m->options = *o;
    const double part = integrator_part(class, dae, o->relative);
    const struct newton_options newton = {part * o->relative, o->kappa, o->max_iterations, 0, false};
    enum kn_status status = newton_init(&m->newton, dae, &newton);
    if (status == KN_OK)
        status = control_init(&m->control, dae, o, &control_multistep);
    m->control.tolerance.part = part;
    m->unsure_slopes = INFINITY;
    m->base.tolerance = &m->control.tolerance;
    if (status == KN_OK)
        status = history_make(&m->history, dae->n, m->base.memory) ? KN_OK : KN_ERROR_MEMORY;
    double **const vectors[] = {&m->b, &m->error, &m->predicted, &m->defect, &m->beside, NULL};
    if (status == KN_OK && !arena_vectors(m->base.memory, (size_t)dae->n, vectors))
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
    if (m->starter)
        m->starter->class->destroy(m->starter);
    newton_free(&m->newton);
    control_free(&m->control);
    arena_free(base->memory);
}

enum kn_status multistep_restart(struct integrator *base, double t, const double *x)
{
    struct multistep *m = (struct multistep *)base;
    struct dae_values out = {.q = history_candidate_q(&m->history)};
    const enum kn_status status = base->dae->eval(base->dae->problem, t, x, DAE_Q, &out);
    if (status != KN_OK)
        return status;
    const bool first = m->history.count == 0;
    m->across = m->crossed = false;
    m->certain_gain = m->certain_soft_gain = 0;
    history_restart(&m->history, t, x, out.q);
    control_restart(&m->control, x, first);
    newton_invalidate(&m->newton);
    base->t = base->previous = t;
    base->x = m->history.x[0];
    base->order = 1;
    base->unsure_slopes[0] = m->unsure_slopes = INFINITY;
    return m->starter ? m->starter->class->restart(m->starter, t, x) : KN_OK;
}

/* ---- the first of fixed steps ---- */

enum kn_status multistep_add_starter(struct multistep *m)
{
    return integrator_radau5.create(m->base.dae, &m->options, &m->starter);
}

void multistep_step_of_starter(struct multistep *m, double to, struct step_report *report)
{
    struct integrator *s = m->starter;
    const struct dae *dae = m->base.dae;
    s->watched = m->base.watched;
    s->class->step(s, to, report);
    report->method = s->class;
    if (report->outcome != STEP_ACCEPTED)
        return;
    struct dae_values out = {.q = history_candidate_q(&m->history)};
    memcpy(history_candidate_x(&m->history), s->x, (size_t)dae->n * sizeof(double));
    report->status = dae->eval(dae->problem, to, s->x, DAE_Q, &out);
    if (report->status != KN_OK) {
        report->outcome = STEP_STOPPED;
        return;
    }
    control_begin(&m->control, m->base.t, to);
    history_push(&m->history, to);
    m->far = true;
    m->unsure = m->unsure_algebraic = INFINITY; /* between points the history knows less than the starter */
    multistep_advance(m, m->history.count - 1);
}

/* ---- steps ---- */

/* Into the candidate, whose x is where Newton's method starts, or where the last point is if that fails (wild). */
static enum newton_outcome solve_from(struct multistep *m, double *x, bool wild)
{
    struct history *h = &m->history;
    const struct newton_problem problem = {.t = m->end,
                                           .alpha = m->alpha,
                                           .b = m->b,
                                           .weights = m->control.tolerance.weights,
                                           .reference = h->x[0],
                                           .accuracy = m->starting ? TOLERANCE_INVISIBLE * STARTING_PART : 1};
    enum newton_outcome outcome = newton_solve(&m->newton, &problem, x);
    if (outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED && wild) {
        memcpy(x, h->x[0], (size_t)h->n * sizeof *x); /* a wild prediction is worse than none */
        outcome = newton_solve(&m->newton, &problem, x);
    }
    if (outcome == NEWTON_CONVERGED)
        memcpy(history_candidate_q(h), m->newton.q, (size_t)h->n * sizeof(double));
    return outcome;
}

enum newton_outcome multistep_solve(struct multistep *m, const struct multistep_formula *formula)
{
    struct history *h = &m->history;
    double *x = history_candidate_x(h);
    m->alpha = formula->alpha;
    m->end = formula->to;
    m->ahead.to = formula->to;
    m->ahead.points = formula->points;
    history_value_weights(h, formula->points, formula->to, m->ahead.weights);
    history_combine(h->x, h->n, formula->points, m->ahead.weights, x);
    memcpy(m->predicted, x, (size_t)h->n * sizeof *x);
    if (m->leapt)
        memcpy(x, h->x[0], (size_t)h->n * sizeof *x);
    return solve_from(m, x, formula->points > 1);
}

/* To where the slope is found, after that part of the step.  Behind a jump another step as long comes first: it ends what is left of the
 * jump, a current whose diode has no charge any more, and its own slope, which is that of the jump, is forgotten. */
static enum newton_outcome start_by(struct multistep *m, double to, double part,
                                    enum newton_outcome (*solve)(struct multistep *, double),
                                    void (*push)(struct multistep *, double))
{
    const double begin = m->base.t, step = to - begin;
    enum newton_outcome outcome = solve(m, begin + part * step);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    push(m, begin + part * step);
    if (!m->across)
        return outcome;
    m->history.count = 1;
    outcome = solve(m, begin + 2 * part * step);
    if (outcome == NEWTON_CONVERGED)
        push(m, begin + 2 * part * step);
    return outcome;
}

enum newton_outcome multistep_start(struct multistep *m, double to,
                                    enum newton_outcome (*solve)(struct multistep *, double),
                                    void (*push)(struct multistep *, double))
{
    const double step = to - m->base.t;
    /* below the shortest step, or lost in the rounding of time */
    const bool fine = STARTING_PART * step < larger_of(100 * DBL_EPSILON * fabs(m->base.t), m->control.floor);
    m->starting = true;
    const enum newton_outcome outcome = start_by(m, to, m->across ? 1.0 / 3 : fine ? 0.5 : STARTING_PART, solve, push);
    m->starting = false;
    return outcome;
}

void multistep_take_back(struct multistep *m, const struct step_report *report)
{
    if (report->outcome == STEP_ACCEPTED)
        return;
    struct history *h = &m->history;
    const bool young = h->t[0] > m->base.t;
    while (h->t[0] > m->base.t)
        history_pop(h);
    if (young && h->count < 1) /* start_by has made it 1, but the begin of the step is still there */
        h->count = 1;
}

double multistep_carry_error(struct multistep *m, double gain, int *worst)
{
    m->gain = gain;
    m->certain = false;
    if (m->newton.gone_on)
        memcpy(m->defect, m->error, (size_t)m->history.n * sizeof *m->defect);
    newton_back_solve(&m->newton, m->error);
    const double shortfall = newton_shortfall(&m->newton, m->alpha);
    for (int i = 0; i < m->history.n && shortfall > 1; i++)
        m->error[i] *= shortfall;
    const struct step_error e = control_error(&m->control, m->error, *worst);
    m->soft_error = e.soft;
    *worst = e.worst;
    return e.end;
}

double multistep_error(struct multistep *m, double to, int points, double factor, int *worst)
{
    const struct history *h = &m->history;
    double other[HISTORY_POINTS];
    const bool same = points == m->ahead.points && to == m->ahead.to;
    const double *w = same ? m->ahead.weights : other;
    if (!same)
        history_value_weights(h, points, to, other);
    history_combine(h->q, h->n, points, w, m->error);
    const double *q = h->q[HISTORY_POINTS];
    for (int i = 0; i < h->n; i++)
        m->error[i] = factor * (q[i] - m->error[i]);
    double gain = factor;
    for (int i = 0; i < points; i++)
        gain += factor * fabs(w[i]);
    return multistep_carry_error(m, gain, worst);
}

/* Where shorter steps do not make Newton converge, more iterations may: blocking diodes that end an inductor swing by
 * many volts in no time. */
static void be_patient(struct multistep *m)
{
    /* a fixed step cannot be tried again with a shorter one */
    const bool most = m->unsolved >= NEWTON_MOST_DOUBLINGS || m->control.fixed > 0;
    const int doubled = most ? NEWTON_MOST_DOUBLINGS : m->unsolved;
    m->newton.options.max_iterations = m->options.max_iterations << doubled;
}

bool multistep_report(struct multistep *m, double to, enum newton_outcome outcome, struct step_report *report)
{
    report->newton = outcome;
    report->iterations = m->newton.last_iterations;
    control_begin(&m->control, m->base.t, to);
    if (outcome != NEWTON_CONVERGED)
        m->unsolved++;
    else if (!control_is_fine(&m->control)) /* that a hidden step converges does not end the difficulty */
        m->unsolved = 0;
    be_patient(m);
    report->worst_row = m->newton.worst_row;
    report->residual = m->newton.worst_residual;
    if (outcome == NEWTON_CONVERGED) {
        tolerance_weigh(&m->control.tolerance, history_candidate_x(&m->history));
        return true;
    }
    control_fail(&m->control, CVODE.shrink, report);
    if (outcome == NEWTON_FAILED)
        report->outcome = STEP_STOPPED;
    report->status = m->newton.status;
    report->worst = m->newton.worst;
    report->error = m->newton.worst_update;
    return false;
}

void multistep_advance(struct multistep *m, int order)
{
    m->crossed = m->jumped;
    const bool kinked =
        m->kinked; /* between its ends charges are lines, and unknowns without memory solve the equations */
    m->across = m->jumped || kinked || control_leaves_unknown(&m->control, m->unsure);
    if (m->jumped || kinked)
        m->history.count = 1; /* what was before tells nothing */
    if (m->jumped)
        control_forget_jump(&m->control);
    m->jumped = m->kinked = false;
    control_advance(&m->control, m->history.x[0], m->control.step, 0);
    m->base.unsure = m->unsure;
    m->base.unsure_algebraic = m->unsure_algebraic;
    m->base.unsure_slopes[1] = m->base.unsure_slopes[0];
    m->base.unsure_slopes[0] = m->unsure_slopes;
    m->unsure_slopes = INFINITY;
    m->base.far = m->far;
    m->base.hidden = !kinked && m->options.output_step > 0 && control_is_hidden(&m->control);
    m->base.blind = m->base.hidden && !m->base.one_step;
    m->base.order = order;
    m->base.previous = m->base.t;
    m->base.t = m->history.t[0];
    m->base.x = m->history.x[0];
}

/* Takes the effect of rounding the charges off the errors, once. */
static void subtract_rounding(struct multistep *m)
{
    if (m->certain)
        return;
    m->certain = true;
    newton_rounding(&m->newton, m->history.x[HISTORY_POINTS], m->gain, m->gain / m->alpha);
    tolerance_beyond_rounding(&m->control.tolerance, m->base.dae->classes, m->newton.rounding, m->error, m->error);
}

/* Of an error that calls for shorter steps: they make what is rounding larger, until there is no end of them.  Rounding
 * grows with the gain, so it is looked at again only when that has doubled since it was last found to be little. */
static bool may_be_rounding(const struct multistep *m, double error)
{
    return error > m->control.rule->aim && m->gain > 2 * m->certain_gain;
}

static double error_beyond_rounding(struct multistep *m, const struct step_report *report)
{
    subtract_rounding(m);
    const double certain = control_error(&m->control, m->error, report->worst).end;
    m->certain_gain = control_is_noise(report->error, certain) ? 0 : fmax(m->gain, m->certain_gain);
    return certain;
}

/* Implicit Euler from the last point that is no stage. */
static bool solve_damped(struct multistep *m)
{
    struct history *h = &m->history;
    for (int i = 0; i < m->stages; i++)
        history_drop(h);
    m->alpha = 1 / (m->end - h->t[0]);
    for (int i = 0; i < h->n; i++)
        m->b[i] = -m->alpha * h->q[0][i];
    return solve_from(m, history_candidate_x(h), true) == NEWTON_CONVERGED &&
           newton_linearize(&m->newton, m->end, history_candidate_x(h), m->alpha);
}

/* The step just solved, made again with implicit Euler, leads across a jump to its other side.  The mean of slopes at both sides, and
 * those of polynomials through it, keep a current in diodes that have no charge any more, or turn it round. */
static bool leads_across(struct multistep *m)
{
    const struct history *h = &m->history;
    m->damped = true;
    if (!solve_damped(m))
        return false;
    const double before = h->t[0] - h->t[1], part = 1 / (m->end - h->t[1]);
    const double *q = h->q[HISTORY_POINTS], *from = h->q[0], *last = h->q[1];
    /* the slope of this step less that of the one before, see bdf.c, (7.44) with k = 1 */
    for (int i = 0; i < h->n; i++)
        m->error[i] = part * (q[i] - from[i] - (from[i] - last[i]) / (m->alpha * before));
    newton_back_solve(&m->newton, m->error);
    const struct control_end end = {m->newton.lu, m->newton.C, m->alpha};
    return control_crosses_jump(&m->control, &end, m->error, m->predicted, &m->certain_error);
}

/* An accurate step too short to be seen, in which algebraic unknowns are off by more than tolerances: a voltage of tens of megohms of
 * blocking switches at the end of a coil.  Formulas of high order swing through what happens there, and rows show it. */
static bool is_unresolved(struct multistep *m, const struct step_report *report)
{
    if (report->noisy || !(control_unresolved(&m->control, m->error) > CONTROL_SOFT_EXCESS))
        return false;
    subtract_rounding(m);
    return control_unresolved(&m->control, m->error) > CONTROL_SOFT_EXCESS;
}

static bool error_stands(struct multistep *m, struct step_report *report)
{
    m->certain_error = report->error;
    m->jumped = m->damped = false;
    const bool shortest = control_is_shortest(&m->control);
    const bool stands = control_stands(&m->control, report->error, 1);
    if (shortest || (stands && !is_unresolved(m, report))) {
        if (!shortest && may_be_rounding(m, report->error))
            /* The estimate of rounding is a bound: what may be rounding keeps the step as it is, and no more. */
            m->certain_error = fmax(error_beyond_rounding(m, report), m->control.rule->aim);
        return true;
    }
    if (!stands) {
        m->certain_error = error_beyond_rounding(m, report);
        report->noisy = control_is_noise(report->error, m->certain_error);
        const bool certain = m->certain_error <= 1;
        if (certain ? !is_unresolved(m, report) : !control_sees_jump(&m->control, m->base.t, m->certain_error))
            return certain;
    }
    m->jumped = leads_across(m);
    return m->jumped;
}

/* Rounding that is a negligible part of the tolerance is not looked at again for a while, unless it may have grown. */
enum { LASTING_ROUNDING = 128 }; /* steps */

/* Tells the tolerance what rounding makes of errors like that of the step just solved. */
static void see_rounding(struct multistep *m)
{
    struct seen_rounding *seen = &m->seen;
    const double more = m->gain / seen->gain;
    const bool changed = more > 2 || more < 0.5, small = seen->size * larger_of(more, 1) < TOLERANCE_NEGLIGIBLE;
    if (seen->left-- > 0 && (small || !changed))
        return;
    newton_rounding(&m->newton, m->history.x[HISTORY_POINTS], m->gain, m->gain / m->alpha);
    seen->size = tolerance_see_rounding(&m->control.tolerance, m->newton.rounding, m->base.dae->classes);
    seen->gain = m->gain;
    seen->left = LASTING_ROUNDING;
}

/* Of unknowns that only follow, too: a current behind a large gain may be off by many tolerances by rounding. */
static void take_rounding_off_soft_error(struct multistep *m)
{
    if (control_stands(&m->control, m->soft_error, CONTROL_SOFT_EXCESS) || !(m->gain > 2 * m->certain_soft_gain))
        return;
    subtract_rounding(m);
    const double certain = control_error(&m->control, m->error, 0).soft;
    m->certain_soft_gain = certain <= CONTROL_MOSTLY * m->soft_error ? 0 : m->gain;
    m->soft_error = certain;
}

/* Of the end and between the points, where rows are. */
static double soft_error_shown(const struct multistep *m)
{
    const double rough = control_is_unread(&m->control) ? 0 : m->rough;
    return control_shows_end(&m->control) ? larger_of(m->soft_error, rough) : rough;
}

/* Whether unknowns with a memory end further from where the points led than they may be wrong, and the factors are those of a
 * point that Newton's method came to, not of where it began.  From one tolerance on it would take a buck converter a tenth more steps. */
static bool is_led_astray(const struct multistep *m, const struct step_report *report)
{
    const struct tolerance *t = &m->control.tolerance;
    return m->newton.gone_on && report->error <= 1 && m->control.fixed <= 0 && !control_is_shortest(&m->control) &&
           t->part * tolerance_norm(t, m->base.dae->classes, CLASS_BIT(DAE_DIFFERENTIAL), m->predicted, NULL) >
               CONTROL_SOFT_EXCESS;
}

/* A switch opens within the step.  By the formula the charge of its channel leaves with the current of the end, so that the voltage on
 * the capacitor behind it goes to where it conducts that much: there errors are damped, and the currents at both ends of the step agree,
 * so that the estimate is next to nothing.  Behind the step nothing conducts any more, and 0.18 V stayed on the capacitor of a sampler.
 * By the factors where the points led, with the switch open, the same defect is what it is.  The larger one of both counts. */
static void ask_beside(struct multistep *m, struct step_report *report)
{
    const struct history *h = &m->history;
    const double *x = h->x[HISTORY_POINTS];
    int worst = report->worst;
    for (int i = 0; i < h->n; i++)
        m->beside[i] = x[i] - m->predicted[i];
    if (newton_linearize(&m->newton, m->end, m->beside, m->alpha)) {
        memcpy(m->beside, m->defect, (size_t)h->n * sizeof *m->beside);
        newton_back_solve(&m->newton, m->beside);
        const double error =
            tolerance_norm(&m->control.tolerance, m->base.dae->classes, CLASS_BIT(DAE_DIFFERENTIAL), m->beside, &worst);
        if (error > 1) {
            memcpy(m->error, m->beside, (size_t)h->n * sizeof *m->error);
            report->error = error;
            report->worst = worst;
            return;
        }
    }
    newton_linearize(&m->newton, m->end, x, m->alpha);
}

bool multistep_stands(struct multistep *m, struct step_report *report)
{
    take_rounding_off_soft_error(m);
    const double soft = soft_error_shown(m); /* before the error is used up */
    if (is_led_astray(m, report))
        ask_beside(m, report);
    const bool stands = error_stands(m, report);
    if (!m->damped)
        see_rounding(m);
    return stands && control_stands(&m->control, soft, CONTROL_SOFT_EXCESS);
}

/* With p points, extrapolation to the next one misses by p! h^p D, interpolation in the last interval by at most about
 * (p-1)!/4 h^p D (equal steps, D the divided difference). */
void multistep_find_roughness(struct multistep *m, int points)
{
    const struct tolerance *tolerance = &m->control.tolerance;
    const double *x = m->history.x[HISTORY_POINTS], part = 1.0 / (4 * points);
    for (int i = 0; i < m->history.n; i++)
        m->predicted[i] = x[i] - m->predicted[i];
    const struct class_sizes missed =
        tolerance_class_sizes(tolerance, m->base.dae->classes, m->base.watched, m->predicted);
    m->far = tolerance_leaps(tolerance, m->base.dae->classes, m->predicted);
    m->unsure = control_unsure(&missed, part);
    m->unsure_algebraic = control_unsure_algebraic(&missed);
    m->rough = part * control_error_in_reltol(&m->control, &missed, m->predicted);
}

struct step_growth multistep_soft_growth(const struct multistep *m, double exponent)
{
    return control_least(control_soft_growth(&m->control, m->soft_error, exponent, LIMIT_FOLLOWERS),
                         control_soft_growth(&m->control, m->rough, exponent, LIMIT_BETWEEN));
}

bool multistep_judge(struct multistep *m, int points, double exponent, struct step_report *report)
{
    multistep_find_roughness(m, points);
    const bool stands = multistep_stands(m, report);
    const struct step_growth hard = control_growth(&m->control, m->certain_error, exponent);
    const struct step_growth growth = control_least(hard, multistep_soft_growth(m, exponent));
    if (stands)
        control_accept(&m->control, growth, true, report);
    else
        control_reject(&m->control, growth, report);
    return stands;
}

/* Those that tell of the last step at a time within it. */
struct telling {
    struct history points; /* a copy, of what it points to none */
    int count;
};

/* A first step is made of parts, two of them, or three behind a jump (start_by), and the line through the points of one says nothing of
 * those before: how many points are later than the part that time is in. */
static int later_points(const struct history *h, double begin, double time)
{
    int later = 0;
    while (later + 1 < HISTORY_POINTS && h->t[later + 1] > begin && time < h->t[later + 1])
        later++;
    return later;
}

/* The first step of TR-BDF2 has a point more than others, that where the slope is found: how many points are to be passed over so that
 * those of a step do not all lie behind time.  At the begin of a step 50 mV of extrapolation were 0.1 A of a closed switch, which points
 * inside took over as what slopes are off by, with the switch open. */
static int points_after(const struct history *h, int count, double time)
{
    int later = 0;
    while (later + count < h->count && time < h->t[later + count - 1])
        later++;
    return later;
}

static void take_point(struct history *h, int to, int from)
{
    h->t[to] = h->t[from];
    h->x[to] = h->x[from];
    h->q[to] = h->q[from];
}

/* Across a jump the ends; else a point more than the order of the step. */
static struct telling telling_points(const struct multistep *m, double time)
{
    struct telling s = {.points = m->history, .count = m->base.order + 1};
    struct history *h = &s.points;
    int first = 0, second = 1;
    if (s.count > h->count)
        s.count = h->count;
    if (m->across) {
        while (second < HISTORY_POINTS && h->t[second] > m->base.previous)
            second++;
        s.count = 2;
    } else if (s.count <= 2) {
        first = later_points(h, m->base.previous, time);
        second = first + 1;
    } else {
        first = points_after(&m->history, s.count, time);
        second = first + 1;
    }
    for (int i = 0; i < s.count; i++)
        take_point(h, i, i == 0 ? first : second + i - 1);
    return s;
}

void multistep_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct multistep *m = (const struct multistep *)base;
    const struct telling s = telling_points(m, time);
    const struct history *h = &s.points;
    double w[HISTORY_POINTS];
    history_value_weights(h, s.count, time, w);
    history_combine(h->x, h->n, s.count, w, x);
    if (!dxdt)
        return;
    history_slope_weights(h, s.count, time, w);
    history_combine(h->x, h->n, s.count, w, dxdt);
}

bool multistep_charges(struct integrator *base, double time, double *q, double *dqdt)
{
    const struct multistep *m = (const struct multistep *)base;
    const struct telling s = telling_points(m, time);
    const struct history *h = &s.points;
    double w[HISTORY_POINTS];
    const bool known = s.count >= 2 && !m->crossed;
    if (!known || !q)
        return known;
    history_value_weights(h, s.count, time, w);
    history_combine(h->q, h->n, s.count, w, q);
    history_slope_weights(h, s.count, time, w);
    history_combine(h->q, h->n, s.count, w, dqdt);
    return true;
}

void multistep_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct multistep *m = (const struct multistep *)base;
    newton_add_statistics(&m->newton, s);
    if (m->starter)
        m->starter->class->statistics(m->starter, s);
}
