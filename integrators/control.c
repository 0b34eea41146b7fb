/* control.c - see control.h. */
#include "integrators/control.h"

#include "base/larger.h"
#include "base/rounding.h"
#include "base/time_resolution.h"

#include <float.h>
#include <math.h>
#include <string.h>

const struct control_rule control_multistep = {
    .aim = 0.25, .growth = 2, .shrink = 0.1, .kept_from = 0.9, .kept_to = 1.2};
const struct control_rule control_linear_implicit = {.aim = 0.65,
                                                     .growth = 6,
                                                     .shrink = 0.2,
                                                     .kept_from = 1,
                                                     .kept_to = 1.2,
                                                     .memory = CONTROL_PI,
                                                     .present = 0.7,
                                                     .past = 0.4,
                                                     .least_error = 1e-4};
const struct control_rule control_implicit = {.aim = 0.65,
                                              .growth = 8,
                                              .shrink = 0.2,
                                              .kept_from = 1,
                                              .kept_to = 1.2,
                                              .memory = CONTROL_PREDICTIVE,
                                              .least_error = 1e-2};

/* bench/calibration measures the methods between these values of reltol; outside, the nearer one is taken. */
static const struct {
    double tightest, loosest;
} CALIBRATED = {.tightest = 1e-6, .loosest = 1e-1};

double integrator_part(const struct integrator_class *class, const struct dae *dae, double relative)
{
    const struct calibration c = class->calibration;
    const double nearest = fmax(fmin(relative, CALIBRATED.loosest), CALIBRATED.tightest);
    const double nonlinear = dae->formulas ? c.formulas : c.nonlinear;
    return (dae->linear ? c.linear : nonlinear) * pow(nearest / 1e-3, 1 / c.order);
}

/* A rejected step is repeated with at most this part of its size. */
static const double MOST_AFTER_REJECTION = 0.9;

/* Of a jump the error stays as it is however short the step.  It is taken for one where a step has been cut to this part
 * of the first rejected one and its error has fallen SLOWLY times less than the step. */
static const double UNRESOLVED = 0.01, SLOWLY = 5;

/* A mode that grows far faster than anything asked for (the pole of a negative capacitance at 1e13/s) would end any run
 * that follows it.  Implicit formulas damp it in steps that are LONG beside 1/rate; in steps about 1/rate they make it infinite, which
 * looks like an error and asks for shorter and shorter steps.  Of backward differentiation of order k, sum (1 - 1/zeta)^j / j = h rate,
 * the last root to leave the unit circle is zeta = -1, at h rate = sum 2^j / j: 17 for order 5 (Hairer and Wanner 1996, V.1), of Radau
 * IIA less.  Four times that, since the rate is that at the beginning. */
static const double LONG = 4 * 256 / 15.0;

enum kn_status control_init(struct control *c, const struct dae *dae, const struct integrator_options *o,
                            const struct control_rule *rule)
{
    *c = (struct control){.dae = dae, .rule = rule, .first = true, .step = INFINITY};
    c->algebraic_resolution = CONTROL_ALGEBRAIC_RESOLUTION * o->output_step;
    c->output_resolution = o->output_step > 0 ? CONTROL_OUTPUT_RESOLUTION * o->output_step : INFINITY;
    c->inside_resolution = c->output_resolution;
    if (o->output_step > 0 && dae->largest_step < INFINITY) {
        c->algebraic_resolution = fmin(c->algebraic_resolution, CONTROL_ALGEBRAIC_RESOLUTION * dae->largest_step);
        c->inside_resolution = fmin(c->inside_resolution, CONTROL_ALGEBRAIC_RESOLUTION * dae->largest_step);
    }
    c->fixed = o->fixed_step;
    c->floor = o->damped_growth > 0 ? LONG / o->damped_growth : 0;
    c->instant = time_shortest_step(0, o->span);
    c->most = rule->growth;
    control_forget_jump(c);
    const enum kn_status status = tolerance_init(&c->tolerance, dae, o->relative);
    c->tolerance.watched = o->watched;
    c->tolerance.short_sighted |= o->short_sighted;
    return status;
}

void control_free(struct control *c)
{
    tolerance_free(&c->tolerance);
}

void control_restart(struct control *c, const double *x, bool begin)
{
    if (begin)
        tolerance_reset(&c->tolerance, x);
    else
        tolerance_update_unseen(&c->tolerance, x, c->dae->classes);
    control_forget_jump(c);
    c->error_before = 0;
    c->first = true;
    c->repeated = false;
    c->step = INFINITY;
}

/* ---- errors ---- */

void control_begin(struct control *c, double from, double to)
{
    c->step = to - from;
    c->from = from;
}

/* Given voltages across a junction without a resistance ask for charges to run off in 1e-26 s: what is over in an instant is no reason for
 * steps that times cannot tell from none. */
static double shortest_of(const struct control *c)
{
    return larger_of(c->floor, c->instant);
}

bool control_is_shortest(const struct control *c)
{
    /* a step is a difference of two times, each rounded by half of that */
    return c->step * (1 - DBL_EPSILON) <= shortest_of(c) + DBL_EPSILON * fabs(c->from);
}

bool control_is_fine(const struct control *c)
{
    return c->step <= c->algebraic_resolution;
}

bool control_is_hidden(const struct control *c)
{
    return !(c->step > c->output_resolution * (1 + ROUNDING_SAME));
}

bool control_is_unread(const struct control *c)
{
    return !(c->step > c->inside_resolution * (1 + ROUNDING_SAME));
}

bool control_shows_end(const struct control *c)
{
    const struct dae *dae = c->dae;
    const double end = c->from + c->step * (1 + ROUNDING_SAME);
    if (!control_is_hidden(c))
        return true;
    return !control_is_shortest(c) && dae->next_breakpoint && dae->next_breakpoint(dae->problem, c->from) <= end;
}

/* Two index-2 unknowns may have a difference that is of index 1 (struct dae, beside): its error counts. */
static void add_differences(const struct control *c, const double *e, struct norm *n)
{
    const int *beside = c->dae->beside;
    for (int i = 0; i < c->dae->n; i++) {
        const double size = beside[i] < 0 ? 0 : fabs(e[i] - e[beside[i]]) * c->tolerance.weights[i];
        if (!(size <= n->inside)) {
            n->inside = isnan(size) ? INFINITY : size;
            n->worst = i;
        }
    }
}

/* Classes of unknowns whose errors end a step. */
static unsigned ending(const struct control *c)
{
    return control_is_fine(c) ? CLASS_BIT(DAE_DIFFERENTIAL) : CLASSES_DRIVING;
}

double control_error_in_reltol(const struct control *c, const struct class_sizes *sizes, const double *e)
{
    const struct tolerance *s = &c->tolerance;
    const int *beside = control_is_fine(c) ? NULL : c->dae->beside;
    double worst = sizes->all[DAE_DIFFERENTIAL];
    if (ending(c) & CLASS_BIT(DAE_INDEX1))
        worst = larger_of(worst, sizes->all[DAE_INDEX1]);
    for (int i = 0; beside && i < c->dae->n; i++)
        if (beside[i] >= 0)
            worst = larger_of(fabs(e[i] - e[beside[i]]) / tolerance_of_reltol(s, i), worst);
    return worst;
}

struct step_error control_error(const struct control *c, const double *e, int worst)
{
    struct norm n = tolerance_norms(&c->tolerance, c->dae->classes, ending(c), NULL, e);
    if (c->dae->beside && !control_is_fine(c))
        add_differences(c, e, &n);
    return (struct step_error){n.inside, n.outside, n.worst >= 0 ? n.worst : worst};
}

struct norm control_driving(const struct control *c, const double *e)
{
    struct norm n = tolerance_norms(&c->tolerance, c->dae->classes, CLASSES_DRIVING, NULL, e);
    if (c->dae->beside)
        add_differences(c, e, &n);
    return n;
}

double control_unresolved(const struct control *c, const double *e)
{
    return control_is_fine(c) && c->fixed <= 0 ? control_driving(c, e).inside : 0;
}

bool control_stands(const struct control *c, double error, double most)
{
    return c->fixed > 0 || error <= most;
}

bool control_is_noise(double error, double certain)
{
    return certain <= 1 && certain <= CONTROL_MOSTLY * error;
}

void control_forget_jump(struct control *c)
{
    c->rejected.time = -INFINITY;
}

bool control_sees_jump(struct control *c, double time, double error)
{
    if (!control_is_fine(c))
        return false;
    if (!(time - c->rejected.time <= c->algebraic_resolution)) {
        c->rejected.time = time;
        c->rejected.step = c->step;
        c->rejected.error = error;
    }
    const double part = c->step / c->rejected.step, before = c->rejected.error;
    c->rejected.in_vain =
        c->step <= CONTROL_SHORTEST * fabs(time) || (part <= UNRESOLVED && error > SLOWLY * part * before);
    return c->rejected.in_vain || (part <= CONTROL_CUT && error >= before);
}

/* In tolerances, of e := A^steps e. */
static double inherit(const struct control *c, const struct control_end *end, int steps, double *e, double *work)
{
    const int n = c->dae->n;
    for (int step = 0; step < steps; step++) {
        memset(work, 0, (size_t)n * sizeof *work);
        for (int i = 0; i < n; i++)
            e[i] *= end->alpha;
        sparse_multiply_add(c->dae->pattern, end->C, e, work);
        sparse_lu_solve(end->lu, work);
        memcpy(e, work, (size_t)n * sizeof *e);
    }
    return control_error(c, e, 0).end;
}

/* Errors of algebraic unknowns are not handed on to later steps.  Where such an unknown jumps (the voltage over a
 * blocking diode without capacitance), every step across the jump has a large error, and where it is nearly the
 * derivative of a charge (an inductor that this diode ends), what Newton leaves in the charge reaches it divided by the
 * step (Arnold 1996, Table 2.1): below some step shorter ones help nobody.
 *
 * The next Euler step begins with the charges of this one, so it inherits A e of an error e, A = (G + alpha C)^-1 alpha C.  Where the
 * pencil has index 2, A is nilpotent of that degree on what it determines algebraically (Hairer and Wanner 1996, VII.1).  What
 * charges hold keeps the part tau/(h + tau) in each step. */
bool control_crosses_jump(const struct control *c, const struct control_end *end, double *e, double *work, double *left)
{
    const double before = control_error(c, e, 0).end, next = inherit(c, end, 1, e, work);
    /* An error that grows in the next step is no jump, since longer steps would damp it: all of it counts. */
    *left = (next > before ? next : inherit(c, end, 2, e, work)) / TOLERANCE_NEGLIGIBLE;
    const bool crosses = *left <= 1 || c->rejected.in_vain;
    *left = smaller_of(*left, 1);
    return crosses;
}

double control_unsure_algebraic(const struct class_sizes *missed)
{
    return CONTROL_INTERPOLATED * larger_of(missed->watched[DAE_INDEX1], missed->watched[DAE_FOLLOWS]);
}

double control_unsure(const struct class_sizes *missed, double smooth)
{
    const double index2 = CONTROL_INTERPOLATED * missed->watched[DAE_INDEX2];
    return larger_of(smooth * missed->watched[DAE_DIFFERENTIAL], larger_of(control_unsure_algebraic(missed), index2));
}

bool control_leaves_unknown(const struct control *c, double unsure)
{
    return control_is_fine(c) && c->fixed <= 0 && !(unsure <= CONTROL_SOFT_EXCESS);
}

/* ---- steps ---- */

struct step_growth control_least(struct step_growth a, struct step_growth b)
{
    return b.factor < a.factor ? b : a;
}

/* ratio^(1/exponent), or the largest growth where that is clear before a root is taken. */
static double power(double ratio, double exponent)
{
    double most = 1;
    for (double e = exponent; e > 0 && most < ratio; e--)
        most *= control_implicit.growth;
    return most < ratio ? control_implicit.growth : pow(ratio, 1 / exponent);
}

struct step_growth control_growth(const struct control *c, double error, double exponent)
{
    const double bounded = larger_of(error, DBL_MIN), wanted = c->rule->aim / bounded;
    const bool remembered = error <= 1 && c->error_before > 0;
    if (remembered && c->rule->memory == CONTROL_PI)
        return (struct step_growth){
            power(wanted * pow(bounded, 1 - c->rule->present) * pow(c->error_before, c->rule->past), exponent),
            LIMIT_ERROR};
    const double factor = power(wanted, exponent);
    if (!remembered || c->rule->memory != CONTROL_PREDICTIVE)
        return (struct step_growth){factor, LIMIT_ERROR};
    const double predicted = c->step / c->step_before * power(wanted * c->error_before / bounded, exponent);
    return (struct step_growth){smaller_of(factor, predicted), LIMIT_ERROR};
}

struct step_growth control_growth_alone(const struct control *c, double error, double exponent)
{
    return (struct step_growth){error > 0 ? power(c->rule->aim / error, exponent) : control_implicit.growth,
                                LIMIT_ERROR};
}

struct step_growth control_visible(const struct control *c, struct step_growth soft)
{
    const double resolution = soft.limit == LIMIT_BETWEEN ? c->inside_resolution : c->output_resolution;
    return (struct step_growth){larger_of(soft.factor, resolution / c->step), soft.limit};
}

struct step_growth control_soft_growth(const struct control *c, double error, double exponent, enum step_limit limit)
{
    return control_visible(c, (struct step_growth){control_growth_alone(c, error, exponent).factor, limit});
}

void control_accept(const struct control *c, struct step_growth g, bool same, struct step_report *report)
{
    report->outcome = STEP_ACCEPTED;
    if (c->fixed > 0) {
        report->limit = LIMIT_FIXED;
        report->next_step = c->fixed;
        return;
    }
    const double most = c->repeated ? smaller_of(c->most, 1) : c->most;
    double factor = larger_of(smaller_of(g.factor, most), c->rule->shrink);
    if (same && factor >= c->rule->kept_from && factor <= c->rule->kept_to)
        factor = 1;
    report->limit = g.factor < c->most ? g.limit : LIMIT_NONE;
    /* below the floor errors are those of the damped mode, unless they let the step grow */
    report->next_step = c->step < c->floor && factor >= 1 ? c->step * factor : larger_of(c->step * factor, c->floor);
}

bool control_leaps(const struct control *c, const struct step_report *report)
{
    return report->next_step > c->step * c->most && report->next_step <= c->floor;
}

void control_reject(struct control *c, struct step_growth g, struct step_report *report)
{
    report->outcome = STEP_ERROR_TOO_LARGE;
    report->limit = g.limit;
    /* an estimate may exaggerate, the formula does not: the step at order 1 behind a kink was to be 1/100 of the one before, and at 1/10
     * damped a tank a hundred times as much */
    const double least = g.limit == LIMIT_OSCILLATION ? 0 : c->rule->shrink;
    report->next_step = c->step * fmax(least, fmin(g.factor, MOST_AFTER_REJECTION));
    if (!control_is_shortest(c)) /* below it steps go only where Newton's method has failed */
        report->next_step = fmax(report->next_step, shortest_of(c));
    c->repeated = true;
}

void control_fail(struct control *c, double shrink, struct step_report *report)
{
    report->outcome = STEP_NEWTON_FAILED;
    report->limit = LIMIT_CONVERGENCE;
    report->next_step = c->step * shrink;
    c->repeated = true;
}

void control_see(struct control *c, const double *x, double after)
{
    if (control_is_fine(c))
        tolerance_update_hidden(&c->tolerance, x, after, c->step / c->algebraic_resolution, c->dae->classes);
    else
        tolerance_update(&c->tolerance, x, after);
}

void control_advance(struct control *c, const double *x, double after, double error)
{
    control_see(c, x, after);
    c->error_before = error > 0 ? larger_of(error, c->rule->least_error) : 0;
    c->step_before = c->step;
    c->first = c->repeated = false;
}
