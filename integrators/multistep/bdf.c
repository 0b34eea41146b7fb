/* bdf.c - backward differentiation formulas on a variable grid, orders 1 to 5, in charges.
 *
 * Step (Deuflhard/Bornemann 2008, 7.4.2): q_k is the polynomial through (t_new, q(x)), (t_n, q_n) .. (t_{n+1-k}, ..);
 *     q_k'(t_new) + f(x, t_new) = 0,     q_k'(t_new) = alpha q(x) + b,  alpha = sum_{i=1}^{k} 1/(t_new - t_{n+1-i}).
 * Error (7.44, carried over to charges): taking one more point into the polynomial changes the residual by
 *     d = (q(x) - q0_k(t_new)) / (t_new - t_{n-k}),     q0_k through the k+1 newest points,
 * and  e = (alpha C + G)^-1 d  is the error in x, stiff components filtered.  The same with k-1 and k+1 decides the
 * order.
 *
 * Orders that would excite a weakly damped oscillation at the step wanted are left out (stability.h); where orders 3
 * and 4 would, order 5 may follow order 2.
 *
 * Steps of a fixed size are all of one order, `highest`, but those of the starter (multistep.h).
 *
 * Start and restart: the first step is made of two, the first of which, a hundredth of the whole and solved far below
 * the tolerance, supplies the slope for predictor and error estimate; no derivative of the problem is needed, and
 * index-2 unknowns come out consistent.
 */
#include "integrators/multistep/multistep.h"
#include "integrators/stability.h"

#include "base/larger.h"

#include <math.h>
#include <string.h>

enum { HIGHEST_ORDER = 5 };

/* Growth for the sake of an amplitude: rates of oscillations are found anew on the way there. */
static const double LEAST_FOR_DAMPING = 0.5;

struct bdf {
    struct multistep multistep;
    struct stability stability; /* from order 3 on */
    int highest;
    int order; /* for the next step */
    int steps_at_order;
    int failures;                  /* in a row */
    bool starting;                 /* since the last restart no step was rejected */
    double slope;                  /* unsure_slopes of the step being judged alone, by its estimate .. */
    double slopes[HISTORY_POINTS]; /* .. and of the last ones since the restart, the newest first; INFINITY: none */
    struct {
        double step, error; /* s, tolerances */
    } bent;                 /* the first attempt at this step, rejected for soft errors alone; step 0: it was not */
};

static enum kn_status create_up_to(int highest, const struct integrator_class *class, const struct dae *dae,
                                   const struct integrator_options *o, struct integrator **out)
{
    struct multistep *m;
    const enum kn_status status = multistep_create(sizeof(struct bdf), dae, o, class, &m);
    *out = NULL;
    if (status != KN_OK)
        return status;
    struct bdf *bdf = (struct bdf *)m;
    bdf->highest = highest;
    if (o->fixed_step > 0 && highest > 1 && multistep_add_starter(m) != KN_OK) {
        class->destroy(&m->base);
        return KN_ERROR_MEMORY;
    }
    if (highest > 2 && !stability_init(&bdf->stability, dae->n, m->base.memory)) {
        class->destroy(&m->base);
        return KN_ERROR_MEMORY;
    }
    *out = &m->base;
    return KN_OK;
}

static void begin_anew(struct bdf *m)
{
    for (int i = 0; i < HISTORY_POINTS; i++)
        m->slopes[i] = INFINITY;
    m->order = 1;
    m->steps_at_order = 0;
    m->failures = 0;
    m->starting = true;
    m->bent.step = 0;
    m->multistep.leapt = false;
}

static enum kn_status bdf_restart(struct integrator *base, double t, const double *x)
{
    begin_anew((struct bdf *)base);
    return multistep_restart(base, t, x);
}

/* Weighted error of order k at the candidate, through the factors of the step just solved. */
static double error_of_order(struct bdf *m, double to, int k, int *worst)
{
    return multistep_error(&m->multistep, to, k + 1, 1 / (to - m->multistep.history.t[k]), worst);
}

/* After a failure: order 1 from the third one in a row. */
static void count_failure(struct bdf *m)
{
    m->starting = false;
    if (++m->failures < 3 || m->order == 1)
        return;
    m->order = 1;
    m->steps_at_order = 0;
}

/* Growth by the errors of one order, and as far as it excites no oscillation. */
struct growth {
    struct step_growth hard, soft;
};

static struct step_growth smaller(struct growth g)
{
    return control_least(g.hard, g.soft);
}

/* What limits is not the error of a step but what many make of an amplitude. */
static bool is_damped(struct growth g, double most)
{
    return g.hard.limit == LIMIT_OSCILLATION && g.hard.factor < most;
}

static struct growth limited(struct growth g, double factor, enum step_limit limit)
{
    const struct step_growth most = {factor, limit};
    return (struct growth){control_least(g.hard, most), control_least(g.soft, most)};
}

/* By what steps of order k do to the amplitude of lasting oscillations.  What order 1 does behind kinks falls with the square of its
 * steps, which are few, and the first is not told by a rate that the next would find anew. */
static struct step_growth undamped_growth(const struct bdf *m, int k)
{
    const struct multistep *base = &m->multistep;
    const double damping = stability_damping(&m->stability, k, base->control.step, base->options.span);
    double factor = INFINITY;
    if (damping > 0)
        factor = k == 1 ? 1 / sqrt(damping) : fmax(LEAST_FOR_DAMPING, pow(damping, -1.0 / k));
    return (struct step_growth){factor, LIMIT_OSCILLATION};
}

/* Of order k, the weighted error of whose steps is known. */
static struct growth growth_by(struct bdf *m, int k, double error)
{
    const struct control *c = &m->multistep.control;
    const struct step_growth hard = control_growth(c, error, k + 1);
    const double soft_error = m->multistep.soft_error;
    const bool less = soft_error <= error; /* than the error that shortens the step anyway */
    return (struct growth){
        control_least(hard, undamped_growth(m, k)),
        {less ? hard.factor : control_growth(c, soft_error, k + 1).factor, LIMIT_FOLLOWERS}, /* visible or not */
    };
}

/* Of an order that is not that of the step just made. */
static struct growth growth_at(struct bdf *m, double to, int k)
{
    int worst;
    struct growth g = growth_by(m, k, error_of_order(m, to, k, &worst));
    g.hard.factor /= CONTROL_CLEARLY_BETTER;
    g.soft.factor /= CONTROL_CLEARLY_BETTER;
    return g;
}

/* The growth g of order k as far as it excites no oscillation; 0 where steps as they are would.  What counts is the step to be
 * made, which no soft error shortens below what output shows. */
static struct growth stable(const struct bdf *m, int k, struct growth g)
{
    const struct control *c = &m->multistep.control;
    const double wanted = fmin(control_least(g.hard, control_visible(c, g.soft)).factor, c->most);
    if (!(wanted > 0) || stability_allows(&m->stability, k, wanted * c->step))
        return g;
    const double less[] = {sqrt(wanted), fmin(wanted, 1), 0};
    int i = 0;
    while (less[i] > 0 && !stability_allows(&m->stability, k, less[i] * c->step))
        i++;
    return limited(g, less[i], LIMIT_OSCILLATION);
}

/* Looks for oscillations in the error of order k of the step just solved. */
static void watch(struct bdf *m, double to, int k)
{
    int worst;
    if (m->highest < 3 || !stability_is_due(&m->stability))
        return;
    error_of_order(m, to, k, &worst);
    struct history *h = &m->multistep.history;
    const struct stability_step step = {k, to - h->t[0], m->multistep.error, h->x[0], history_candidate_x(h)};
    stability_look(&m->stability, &m->multistep.newton, &m->multistep.control.tolerance, &step);
}

struct choice {
    int order;
    struct growth growth;
    bool limited; /* by an oscillation, at the order of the step just made: another order may be far better */
};

/* Takes the order if it is better as far as it excites nothing.  True if there is no reason to try one further away. */
static bool consider(struct bdf *m, int k, struct growth wanted, struct choice *best)
{
    if (!best->limited && smaller(wanted).factor <= smaller(best->growth).factor)
        return true;
    const struct growth g = stable(m, k, wanted);
    if (smaller(g).factor > smaller(best->growth).factor) {
        best->order = k;
        best->growth = g;
    }
    return smaller(g).factor == smaller(wanted).factor && !is_damped(wanted, m->multistep.control.most);
}

/* The next lower order, and where that would excite an oscillation, those below. */
static void consider_lower(struct bdf *m, double to, struct choice *best)
{
    for (int k = m->order - 1; k >= 1; k--)
        if (consider(m, k, growth_at(m, to, k), best))
            return;
}

/* The next higher order, and where that would excite an oscillation, those above. */
static void consider_higher(struct bdf *m, double to, struct choice *best)
{
    const int points = m->multistep.history.count;
    for (int k = m->order + 1; k <= m->highest && points >= k + 1; k++)
        if (consider(m, k, growth_at(m, to, k), best))
            return;
}

static struct choice keep(struct bdf *m, struct growth now)
{
    const double most = m->multistep.control.most;
    const struct growth g = stable(m, m->order, now);
    const bool held = smaller(g).factor < fmin(smaller(now).factor, most);
    return (struct choice){m->order, g, held || is_damped(now, most)};
}

static void change_order(struct bdf *m, int order)
{
    if (m->order != order)
        m->steps_at_order = 0;
    m->order = order;
}

/* Chooses the order after a good step (k-1, k, k+1, or beyond one that would excite an oscillation) and returns the
 * growth that goes with it.  While the step may grow as fast as it can, or is held short by the circuit, no other order
 * is better. */
static struct growth choose_order(struct bdf *m, double to, struct growth now)
{
    const int k = m->order, points = m->multistep.history.count;
    const bool young = m->steps_at_order <= k && !(m->starting && points > k + 1);
    struct choice best = keep(m, now);
    if (young && smaller(best.growth).factor <= 0)
        return limited(now, 1, LIMIT_OSCILLATION);
    if (young || smaller(best.growth).factor >= m->multistep.control.most)
        return best.growth;
    consider_lower(m, to, &best);
    if (best.order == k)
        consider_higher(m, to, &best);
    change_order(m, best.order);
    return best.growth;
}

/* After a rejection: near a corner of the solution the polynomials of lower order may be the better ones.  Returns the
 * growth that goes with the order chosen. */
static struct step_growth fall_back(struct bdf *m, double to, struct step_growth growth)
{
    for (int k = m->order - 1; k >= 1; k--) {
        const struct step_growth lower = smaller(growth_at(m, to, k));
        if (lower.factor <= growth.factor)
            continue;
        growth = lower;
        change_order(m, k);
    }
    return growth;
}

/* The step just solved has perhaps led across the end of a solution to another one: what is carried from charges does not show it,
 * the way from where the polynomial ends does.  From where the polynomial ends next Newton's method would lead back. */
static bool has_leapt(const struct bdf *m)
{
    return m->multistep.far && control_is_hidden(&m->multistep.control);
}

/* What shortens steps but not for what they hand on. */
static double soft_error(const struct multistep *base)
{
    return larger_of(base->soft_error, base->rough);
}

/* The step just solved contains a kink that no step resolves: it was cut for the sake of slopes until output does not show it any
 * more, and they are off still, by a part that has not fallen with the step.  Later ones would be, too, and swing, as long as a
 * polynomial goes back behind it. */
static bool has_kink(const struct bdf *m)
{
    const struct control *c = &m->multistep.control;
    const double soft = soft_error(&m->multistep);
    return control_is_hidden(c) && c->fixed <= 0 && soft > CONTROL_SOFT_EXCESS &&
           c->step <= CONTROL_CUT * m->bent.step && soft * m->bent.step >= m->bent.error * c->step;
}

/* The slope of the charges at the end of a step, by the formula of order k, is alpha h times that over the whole step and parts of
 * earlier ones.  Where charges have a kink of slope d at the begin of the step, it swings past it by (alpha h - 1) d: by nothing at
 * order 1, by 1.28 d at order 5.  The estimate, h / (t_new - t_{n-k}) times d, says less. */
static double swing_behind_kink(const struct multistep *m, int k, double to, double error)
{
    const double h = m->control.step;
    return error * (to - m->history.t[k]) / h * fmax(m->alpha * h - 1, 0);
}

/* Errors of slopes shorten no step that output does not resolve, but what swings so far that rows show it is not accepted: at order 1
 * slopes are means of what they are within the step.  By the estimate of the step just solved, before it is used up; unknowns of index
 * 2 that are shown are not those of the formula (completion.c). */
static bool swings(const struct bdf *m, double to)
{
    const struct multistep *base = &m->multistep;
    const struct tolerance *t = &base->control.tolerance;
    if (m->order == 1 || base->history.count <= m->order || base->control.fixed > 0 ||
        !control_is_hidden(&base->control) ||
        !tolerance_is_leap(t, swing_behind_kink(base, m->order, to, base->soft_error)))
        return false;
    const unsigned shown = CLASS_BIT(DAE_FOLLOWS);
    const double size = tolerance_norms(t, base->base.dae->classes, shown, base->base.watched, base->error).inside;
    return tolerance_is_leap(t, swing_behind_kink(base, m->order, to, size));
}

/* Where the slope changes by d at the part p of the last step, polynomials through the points before it, whatever their order, miss its
 * end by (1 - p) h d.  Where that of the order used misses no less than half of what a line does, with the same sign, at least half of
 * its error is a kink.  By the formula the slope at the end is then off by (alpha h - 1 / (1 - p)) / h of what is missed: from the most
 * there may be behind a kink at p = 0 down to nothing about the middle, on average half of the most.  Shown or not is asked of
 * the unknown that errs most: the charges at the end are right, and what the slopes are off by is over with the step. */
static bool errs_by_kink(const struct bdf *m, double to, const struct step_report *report)
{
    const struct multistep *base = &m->multistep;
    const struct history *h = &base->history;
    const int i = report->worst;
    const bool shown = i >= 0 && (!base->base.watched || base->base.watched[i]);
    if (!shown || m->order == 1 || h->count <= m->order || base->control.fixed > 0 ||
        !(swing_behind_kink(base, m->order, to, report->error) / 2 > 1))
        return false;
    double w[HISTORY_POINTS];
    history_value_weights(h, 2, to, w);
    const double by_line = h->x[HISTORY_POINTS][i] - w[0] * h->x[0][i] - w[1] * h->x[1][i];
    const double missed = base->predicted[i]; /* multistep_find_roughness has left that there */
    return missed * by_line > 0 && fabs(missed) >= CONTROL_MOSTLY * fabs(by_line);
}

/* The step just solved is made again at order 1. */
static void repeat_without_swing(struct bdf *m, double to, struct step_report *report)
{
    const struct step_growth hard = growth_at(m, to, 1).hard;
    change_order(m, 1);
    control_reject(&m->multistep.control, hard, report);
    count_failure(m);
}

/* The step just solved is rejected. */
static void see_bend(struct bdf *m)
{
    const struct multistep *base = &m->multistep;
    const bool alone = !base->damped && base->certain_error <= 1;
    if (!alone)
        m->bent.step = 0;
    else if (!(m->bent.step > 0)) {
        m->bent.step = base->control.step;
        m->bent.error = soft_error(base);
    }
}

/* Of the error just estimated, which is what the derivative of the charges by one point more would make of the unknowns. */
static double missed_slopes(const struct multistep *m)
{
    const struct tolerance *t = &m->control.tolerance;
    return t->part * tolerance_norms(t, m->base.dae->classes, CLASS_BIT(DAE_INDEX2), m->base.watched, m->error).inside;
}

/* The derivative goes through points of as many steps as its order is: behind a kink it swings as long as one of them is before it,
 * and the estimate of a single step may be small by chance. */
static void remember_slopes(struct bdf *m, int order)
{
    memmove(m->slopes + 1, m->slopes, (HISTORY_POINTS - 1) * sizeof *m->slopes);
    m->slopes[0] = m->multistep.damped ? INFINITY : m->slope;
    double most = 0;
    for (int i = 0; i < order + 2 && i < HISTORY_POINTS; i++)
        most = larger_of(m->slopes[i], most);
    m->multistep.unsure_slopes = most;
}

static void accept(struct bdf *m, double to, struct step_report *report)
{
    struct multistep *base = &m->multistep;
    base->kinked = has_kink(m);
    const int order = m->order;
    base->control.most = m->starting && order == 1 ? control_implicit.growth : control_multistep.growth;
    m->steps_at_order++;
    m->failures = 0;
    const struct step_growth between = control_soft_growth(&base->control, base->rough, order + 1, LIMIT_BETWEEN);
    const bool fixed = base->control.fixed > 0;
    const bool telling =
        !report->noisy && !base->jumped && !base->kinked && !fixed; /* rounding and jumps tell nothing about orders */
    if (telling)
        watch(m, to, order);
    const struct growth now = growth_by(m, order, base->certain_error);
    const struct growth next = telling ? choose_order(m, to, now) : now;
    const struct step_growth soft = control_least(control_visible(&base->control, next.soft), between);
    control_accept(&base->control, control_least(next.hard, soft), true, report);
    /* points of steps in which the mode grew would be drawn out over many times their distance: 4e-4 V of it became 0.09 V */
    base->kinked = base->kinked || control_leaps(&base->control, report);
    if (base->jumped || base->kinked)
        begin_anew(m);
    m->bent.step = 0;
    stability_advance(&m->stability, &base->newton, &base->control.tolerance, order, to - base->history.t[0]);
    history_push(&base->history, to);
    remember_slopes(m, order);
    multistep_advance(base, order);
}

/* The errors of the step just solved: accepted, or rejected with a shorter proposal. */
static void judge(struct bdf *m, double to, struct step_report *report)
{
    struct multistep *base = &m->multistep;
    const int order = m->order;
    const bool known = base->history.count > order; /* the error is told by one point more than the formula uses */
    report->error = known ? error_of_order(m, to, order, &report->worst) : NAN;
    m->slope = known ? missed_slopes(base) : INFINITY;
    multistep_find_roughness(base, order + 1);
    const bool leapt = has_leapt(m);
    const bool swung = swings(m, to) || errs_by_kink(m, to, report), stands = multistep_stands(base, report);
    if (stands && swung && !base->damped && !has_kink(m) && !control_is_shortest(&base->control)) {
        repeat_without_swing(m, to, report);
        return;
    }
    if (stands) {
        accept(m, to, report);
        base->leapt = leapt;
        return;
    }
    see_bend(m);
    const struct step_growth soft = multistep_soft_growth(base, order + 1);
    const struct step_growth hard = control_growth(&base->control, base->certain_error, order + 1);
    const struct step_growth growth = control_least(hard, soft);
    if (base->damped)
        change_order(m, 1);
    control_reject(&base->control, base->damped ? growth : fall_back(m, to, growth), report);
    count_failure(m);
}

static enum newton_outcome solve(struct multistep *base, double to)
{
    const struct bdf *m = (const struct bdf *)base;
    const struct history *h = &base->history;
    double w[HISTORY_POINTS];
    const double alpha = history_bdf_weights(h, m->order, to, w);
    history_combine(h->q, h->n, m->order, w, base->b);
    const struct multistep_formula formula = {to, alpha, h->count > m->order ? m->order + 1 : h->count};
    return multistep_solve(base, &formula);
}

static void push(struct multistep *base, double to)
{
    history_push(&base->history, to);
}

static void bdf_step(struct integrator *base, double to, struct step_report *report)
{
    struct bdf *m = (struct bdf *)base;
    struct history *h = &m->multistep.history;
    const bool fixed = m->multistep.control.fixed > 0;
    memset(report, 0, sizeof *report);
    if (fixed && h->count < m->highest) {
        multistep_step_of_starter(&m->multistep, to, report);
        return;
    }
    m->order = fixed ? m->highest : m->order;
    report->order = m->order;
    const bool first = h->count == 1 && !fixed;
    enum newton_outcome outcome = first ? multistep_start(&m->multistep, to, solve, push) : NEWTON_CONVERGED;
    if (outcome == NEWTON_CONVERGED)
        outcome = solve(&m->multistep, to);
    if (multistep_report(&m->multistep, to, outcome, report))
        judge(m, to, report);
    else
        count_failure(m);
    multistep_take_back(&m->multistep, report);
}

/* Of fixed steps without maxord: the highest order that is A-stable (Dahlquist 1963). */
enum { A_STABLE_ORDER = 2 };

static enum kn_status bdf_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    const int usual = o->fixed_step > 0 ? A_STABLE_ORDER : HIGHEST_ORDER;
    const int limit = o->max_order > 0 ? (o->max_order < HIGHEST_ORDER ? o->max_order : HIGHEST_ORDER) : usual;
    return create_up_to(limit, &integrator_bdf, dae, o, out);
}

static enum kn_status gear_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    const int wanted = o->max_order > 0 ? o->max_order : 2;
    return create_up_to(wanted < HIGHEST_ORDER ? wanted : HIGHEST_ORDER, &integrator_gear, dae, o, out);
}

static enum kn_status euler_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_up_to(1, &integrator_euler, dae, o, out);
}

#define BDF_CLASS(id, text, formulas_part, p)                                                                          \
    {                                                                                                                  \
        .name = #id, .title = text, .calibration = {0.1, 0.1, formulas_part, p},                                       \
        MULTISTEP_FUNCTIONS(id##_create, bdf_restart, bdf_step),                                                       \
    }

const struct integrator_class integrator_bdf =
    BDF_CLASS(bdf, "backward differentiation formulas, variable order 1-5", 0.002, 4);

const struct integrator_class integrator_gear =
    BDF_CLASS(gear, "Gear's method as SPICE means it: backward differentiation up to order 2, or maxord", 0.001, 2);

const struct integrator_class integrator_euler = BDF_CLASS(euler, "implicit Euler", 0.1, UNCHANGED);
