/* law.c - evaluation of laws (see law.h) with exact derivatives.
 *
 * POLY(n) after SPICE2 (Nagel 1975, appendix on controlled sources): coefficients belong to the monomials in graded
 * lexicographic order 1, u1 .. un, u1 u1, u1 u2, .. u1 un, u2 u2, ..; a single coefficient of POLY(1) is the factor of
 * u1.
 */
#include "devices/law.h"

#include "base/products.h"
#include "devices/quadrature.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct law_term {
    double coefficient;
    size_t degree;
    size_t *factors; /* [degree] argument numbers */
};

/* ---- making ---- */

static bool add_term(struct law *l, double coefficient, const size_t *factors, size_t degree, struct arena *arena)
{
    struct law_term *term = &l->terms[l->term_count];
    term->coefficient = coefficient;
    term->degree = degree;
    term->factors = arena_array(arena, degree + 1, sizeof *term->factors);
    if (!term->factors)
        return false;
    memcpy(term->factors, factors, degree * sizeof *factors);
    l->term_count++;
    return true;
}

/* Coefficients p[0..count) in graded lexicographic order; zero ones leave no term. */
static bool make_terms(struct law *l, const double *p, size_t count, bool ordered, struct arena *arena)
{
    l->terms = arena_array(arena, count + 1, sizeof *l->terms);
    size_t *factors = arena_array(arena, count + 1, sizeof *factors);
    if (!l->terms || !factors)
        return false;
    size_t degree = 0;
    for (size_t i = 0; i < count; i++) {
        if (p[i] != 0.0 && !add_term(l, p[i], factors, degree, arena))
            return false;
        if (!next_product(factors, degree, l->argument_count, ordered)) {
            degree++;
            memset(factors, 0, degree * sizeof *factors);
        }
        if (l->argument_count == 0)
            break;
    }
    return true;
}

static bool make_polynomial(struct law *l, const struct element *e, struct arena *arena)
{
    const double linear[2] = {0.0, e->value};
    if (!e->polynomial)
        return make_terms(l, linear, 2, false, arena);
    if (e->polynomial_count == 1 && l->argument_count == 1)
        return make_terms(l, (const double[2]){0.0, e->polynomial[0]}, 2, false, arena);
    return make_terms(l, e->polynomial, e->polynomial_count, e->ordered_products, arena);
}

static bool has_only_linear_terms(const struct law *l)
{
    for (size_t i = 0; i < l->term_count; i++)
        if (l->terms[i].degree > 1)
            return false;
    return true;
}

static size_t count_arguments(const struct element *e)
{
    if (e->expression)
        return expression_variable_count(e->expression);
    return e->control_node_count / 2 + e->control_element_count;
}

bool law_make(struct law *l, const struct element *e, bool charge, struct arena *arena)
{
    *l = (struct law){.element = e, .expression = e->expression, .charge = charge, .scale = 1.0};
    l->argument_count = count_arguments(e);
    l->arguments = arena_array(arena, l->argument_count + 1, sizeof *l->arguments);
    l->gradient = arena_array(arena, l->argument_count + 1, sizeof *l->gradient);
    l->values = arena_array(arena, l->argument_count + 1, sizeof *l->values);
    l->beside = arena_array(arena, l->argument_count + 1, sizeof *l->beside);
    l->own = arena_array(arena, l->argument_count + 1, sizeof *l->own);
    l->shares = arena_array(arena, l->argument_count + 1, sizeof *l->shares);
    const size_t work = l->expression ? expression_workspace(l->expression) : 0;
    l->workspace = arena_array(arena, work + 1, sizeof *l->workspace);
    const size_t jumps = l->expression ? expression_switch_count(l->expression) : 0;
    l->held = arena_array(arena, jumps + 1, sizeof *l->held);
    l->sides = arena_array(arena, jumps + 1, sizeof *l->sides);
    l->frequency = l->expression ? expression_frequency(l->expression) : -1;
    l->at_rest = l->frequency >= 0 ? arena_array(arena, l->argument_count + 1, sizeof *l->at_rest) : NULL;
    if (l->frequency >= 0 && !l->at_rest)
        return false;
    if (!l->arguments || !l->gradient || !l->values || !l->beside || !l->shares || !l->workspace || !l->held)
        return false;
    if (!l->expression && !make_polynomial(l, e, arena))
        return false;
    l->integrated = e->law == LAW_CAPACITANCE || e->law == LAW_INDUCTANCE;
    l->affine = l->expression ? expression_is_linear(l->expression) && !l->integrated : has_only_linear_terms(l);
    /* A charge that depends on time by itself has no place among the constant matrices and sources of f. */
    if (charge && l->expression && expression_uses_time(l->expression))
        l->affine = false;
    return true;
}

/* ---- connecting ---- */

static void find_current(struct law *l, const struct device_setup *s, struct kn_diagnostics *d, size_t k, int element,
                         struct kn_location where)
{
    l->arguments[k].plus = setup_controlling_current(s, d, l->element, element, where);
    l->arguments[k].share = setup_current_share(s, element);
    l->has_shares |= l->arguments[k].share != 1;
}

static void find_variable(struct law *l, const struct device_setup *s, struct kn_diagnostics *d, size_t k)
{
    const struct expression_variable *v = &expression_variables(l->expression)[k];
    if (v->kind == EXPRESSION_FREQUENCY)
        return; /* ground less ground is 0 */
    if (v->kind == EXPRESSION_NODE_VOLTAGE)
        l->arguments[k].plus = setup_node(s, v->index);
    else
        find_current(l, s, d, k, v->index, v->where);
}

static void find_argument(struct law *l, const struct device_setup *s, struct kn_diagnostics *d, size_t k)
{
    const struct element *e = l->element;
    struct law_argument *a = &l->arguments[k];
    a->share = 1;
    if (l->expression) {
        find_variable(l, s, d, k);
    } else if (k < e->control_node_count / 2) {
        a->plus = setup_node(s, e->control_nodes[2 * k]);
        a->minus = setup_node(s, e->control_nodes[2 * k + 1]);
    } else {
        find_current(l, s, d, k, e->control_elements[k - e->control_node_count / 2], e->where);
    }
}

/* ---- evaluating ---- */

static double product_without(const struct law_term *term, const double *u, size_t left_out)
{
    double product = term->coefficient;
    for (size_t i = 0; i < term->degree; i++)
        if (i != left_out)
            product *= u[term->factors[i]];
    return product;
}

static double polynomial_evaluate(const struct law *l, const double *u, double *gradient)
{
    double sum = 0.0;
    for (size_t k = 0; gradient && k < l->argument_count; k++)
        gradient[k] = 0.0;
    for (size_t i = 0; i < l->term_count; i++) {
        const struct law_term *term = &l->terms[i];
        sum += product_without(term, u, SIZE_MAX);
        for (size_t j = 0; gradient && j < term->degree; j++)
            gradient[term->factors[j]] += product_without(term, u, j);
    }
    return sum;
}

/* The part of a breakpoint that its formula may miss it by, when it is evaluated there. */
static const double BESIDE_BREAKPOINT = 4 * DBL_EPSILON;

/* The time at which the formula is evaluated: beyond the breakpoints that are over (time > 1u is true from 1u on), and
 * before the others. */
static double seen_by(const struct law *l, struct instant when)
{
    const double next = expression_next_breakpoint(l->expression, when.over);
    const double last = expression_last_breakpoint(l->expression, when.over);
    const double seen = fmax(fmin(when.time, next * (1 - BESIDE_BREAKPOINT)), last * (1 + BESIDE_BREAKPOINT));
    return isinf(when.time) ? 0.0 : seen;
}

/* The arguments as the law sees them. */
static const double *seen_arguments(const struct law *l, const double *u)
{
    for (size_t k = 0; l->has_shares && k < l->argument_count; k++)
        l->shares[k] = u[k] * l->arguments[k].share;
    return l->has_shares ? l->shares : u;
}

/* The voltage or current that an integrated law depends on is u_1, less u_2 or of the other sign where u belongs to the
 * second node. */
static double own_sign(const struct law *l, size_t k)
{
    const struct expression_variable *v = &expression_variables(l->expression)[k];
    return v->kind == EXPRESSION_NODE_VOLTAGE && v->index == l->element->nodes[1] ? -1.0 : 1.0;
}

struct own_point {
    const struct law *law;
    struct instant when;
};

/* The sides of the formula's comparisons, one bit each. */
static unsigned long piece_of(const struct law *l, const struct expression_point *at)
{
    const size_t count = expression_switch_count(l->expression);
    unsigned long piece = 0;
    if (count == 0)
        return 0;
    expression_switches(l->expression, at, l->workspace, l->sides);
    for (size_t i = 0; i < count; i++)
        piece = 31 * piece + (isnan(l->sides[i]) ? 2 : l->sides[i] > 0);
    return piece;
}

/* The expression where the own voltage or current is w. */
static double value_at(void *context, double w, unsigned long *piece)
{
    const struct own_point *p = context;
    const struct law *l = p->law;
    for (size_t k = 0; k < l->argument_count; k++)
        l->own[k] = k == 0 ? own_sign(l, k) * w : 0.0;
    const struct expression_point at = {l->own, seen_by(l, p->when), l->temperature, l->held, true};
    *piece = piece_of(l, &at);
    return expression_evaluate(l->expression, &at, l->workspace, NULL, NULL);
}

static double evaluate_integral(const struct law *l, const double *u, struct instant when, double *gradient)
{
    struct own_point at = {l, when};
    const struct integrand f = {value_at, &at};
    unsigned long piece;
    double w = 0.0;
    for (size_t k = 0; k < l->argument_count; k++)
        w += own_sign(l, k) * u[k];
    const double value = quadrature(&f, 0.0, w), slope = gradient ? value_at(&at, w, &piece) : 0.0;
    for (size_t k = 0; gradient && k < l->argument_count; k++)
        gradient[k] = own_sign(l, k) * slope;
    return value;
}

/* g(u, t) without the scale, of arguments that are as seen. */
static double evaluate_seen(const struct law *l, const double *u, struct instant when, double *gradient, double *rate)
{
    if (!l->expression) {
        if (rate)
            *rate = 0.0;
        return polynomial_evaluate(l, u, gradient);
    }
    if (l->integrated) {
        if (rate)
            *rate = 0.0;
        return evaluate_integral(l, u, when, gradient);
    }
    const struct expression_point at = {u, seen_by(l, when), l->temperature, l->held, !l->plain};
    return expression_evaluate(l->expression, &at, l->workspace, gradient, rate);
}

/* g and its derivatives with respect to the differences u. */
static double evaluate(const struct law *l, const double *u, struct instant when, double *gradient, double *rate)
{
    const double value = evaluate_seen(l, seen_arguments(l, u), when, gradient, rate);
    for (size_t k = 0; l->has_shares && gradient && k < l->argument_count; k++)
        gradient[k] *= l->arguments[k].share;
    return value;
}

static const double *gather(const struct law *l, const double *x)
{
    for (size_t k = 0; k < l->argument_count; k++)
        l->values[k] = x[l->arguments[k].plus] - x[l->arguments[k].minus];
    if (l->frequency >= 0)
        l->values[l->frequency] = l->hertz;
    return l->values;
}

static const double *zeros(const struct law *l)
{
    for (size_t k = 0; k < l->argument_count; k++)
        l->values[k] = 0.0;
    return l->values;
}

void law_gradient_at(const struct law *l, const double *u)
{
    evaluate(l, u, instant_at(0.0), l->gradient, NULL);
}

void law_prepare(struct law *l, double temperature, double scale)
{
    l->temperature = temperature;
    l->scale = scale;
    if (!l->affine)
        return;
    law_gradient_at(l, zeros(l));
    l->moves = l->expression && expression_uses_time(l->expression);
    l->offset = evaluate(l, zeros(l), instant_at(0.0), NULL, NULL);
}

bool law_connect(struct law *l, struct device_setup *s, struct kn_diagnostics *d, int row, int opposite)
{
    l->row = row;
    l->opposite = opposite;
    for (size_t k = 0; k < l->argument_count; k++) {
        struct law_argument *a = &l->arguments[k];
        find_argument(l, s, d, k);
        if (!setup_entry(s, row, a->plus, &a->slots[0]) || !setup_entry(s, row, a->minus, &a->slots[1]) ||
            !setup_entry(s, opposite, a->plus, &a->slots[2]) || !setup_entry(s, opposite, a->minus, &a->slots[3]))
            return false;
    }
    if (l->affine && l->has_shares) /* law_prepare could not know them */
        law_gradient_at(l, zeros(l));
    return true;
}

static void add_gradient(const struct law *l, double *matrix)
{
    for (size_t k = 0; k < l->argument_count; k++) {
        const double slope = l->scale * l->gradient[k];
        const int *slots = l->arguments[k].slots;
        matrix[slots[0]] += slope;
        matrix[slots[1]] -= slope;
        matrix[slots[2]] -= slope;
        matrix[slots[3]] += slope;
    }
}

void law_stamp(const struct law *l, double *G, double *C)
{
    if (l->affine)
        add_gradient(l, l->charge ? C : G);
}

/* The constant part of an affine charge is left out: only differences of charge are felt. */
void law_force(const struct law *l, struct instant when, double source_scale, double *f)
{
    if (!l->affine || l->charge)
        return;
    const double offset = l->moves ? evaluate(l, zeros(l), when, NULL, NULL) : l->offset;
    const double value = source_scale * l->scale * offset;
    f[l->row] += value;
    f[l->opposite] -= value;
}

void law_force_rate(const struct law *l, struct instant when, double source_scale, double *dfdt)
{
    if (!l->affine || l->charge || !l->moves)
        return;
    double rate = 0.0;
    evaluate(l, zeros(l), when, NULL, &rate);
    dfdt[l->row] += source_scale * l->scale * rate;
    dfdt[l->opposite] -= source_scale * l->scale * rate;
}

/* ---- where a formula is singular ---- */

/* V or A: so far from a singularity a formula is looked at instead; farther where it has no value at all, as log(u - 1) or
 * acosh(u) at the usual start u = 0. */
static const double BESIDE[] = {1e-3, 1, 10, 1000};
enum { DISTANCES = sizeof BESIDE / sizeof *BESIDE };
enum { MOST_DIRECTIONS = 8 };

/* The first two directions go up and down along all arguments, the others by the bits of a hash. */
static bool goes_down(size_t direction, size_t argument)
{
    if (direction < 2)
        return direction == 1;
    return ((direction * 2654435761u + argument * 40503u) >> 7) & 1u;
}

static bool is_finite(const double *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

/* Value and gradient of an expression at a point so far from u where both are finite; false if none was found.  The
 * arguments move by different amounts, so that differences of them do not stay zero. */
static bool evaluate_beside(const struct law *l, const struct device_point *at, double distance, double *value)
{
    for (size_t direction = 0; direction < MOST_DIRECTIONS; direction++) {
        for (size_t k = 0; k < l->argument_count; k++)
            l->beside[k] = l->values[k] + (goes_down(direction, k) ? -distance : distance) * (double)(k + 1);
        *value = evaluate(l, l->beside, at->when, l->gradient, NULL);
        if (isfinite(*value) && is_finite(l->gradient, l->argument_count))
            return true;
    }
    return false;
}

/* Newton's method needs a slope where there is a value: that of sqrt(abs(u)) at 0 is infinite, yet 0 may be the
 * solution.  And where it begins it needs a value, though log(u) and 1/u have none at the usual start u = 0: the
 * equations around lead away from there in the first step.  Leaves the gradient in the law. */
static double mend(const struct law *l, const struct device_point *at, double value)
{
    const bool begins = at->limit && at->first, has_value = isfinite(value);
    double beside = NAN;
    if (has_value ? is_finite(l->gradient, l->argument_count) : !begins)
        return value;
    const size_t distances = has_value ? 1 : DISTANCES;
    size_t i = 0;
    while (i < distances && !evaluate_beside(l, at, BESIDE[i], &beside))
        i++;
    if (i == distances || has_value)
        return value;
    *at->limited = true;
    return beside;
}

/* What source stepping takes away from a nonlinear law: its value at u = 0 is a source and is scaled like one, so that
 * the circuit without sources has the solution 0.  A law without a finite value there is left alone. */
static double unscaled_source(const struct law *l, struct instant when, double source_scale)
{
    if (source_scale == 1.0 || l->charge)
        return 0.0;
    const double offset = evaluate(l, zeros(l), when, NULL, NULL);
    return isfinite(offset) ? (1.0 - source_scale) * offset : 0.0;
}

static void add_value(const struct law *l, double value, double *to)
{
    to[l->row] += l->scale * value;
    to[l->opposite] -= l->scale * value;
}

void law_eval(struct law *l, const struct device_point *at, const struct device_stamp *out)
{
    const unsigned value_part = l->charge ? EVALUATE_Q : EVALUATE_F;
    const unsigned slope_part = l->charge ? EVALUATE_C : EVALUATE_G;
    /* Both ends at one node: nothing is added, also where the formula overflows. */
    if (l->affine || l->row == l->opposite || !(at->what & (value_part | slope_part | EVALUATE_T)))
        return;
    const double offset = at->what & value_part ? unscaled_source(l, at->when, at->source_scale) : 0.0;
    double rate = 0.0;
    l->plain = at->limit && at->first && at->what & slope_part; /* mend looks beside */
    double value = evaluate(l, gather(l, at->x), at->when, at->what & slope_part ? l->gradient : NULL,
                            at->what & EVALUATE_T ? &rate : NULL);
    l->plain = false;
    if (l->frequency >= 0 && isinf(at->when.time))
        memcpy(l->at_rest, l->values, l->argument_count * sizeof *l->values);
    if (at->what & slope_part)
        value = mend(l, at, value);
    if (isnan(value)) /* nor is there one beside, as of v/time at t = 0 */
        value = evaluate(l, gather(l, at->x), at->when, l->gradient, NULL);
    if (at->what & value_part)
        add_value(l, value - offset, l->charge ? out->q : out->f);
    if (at->what & slope_part)
        add_gradient(l, l->charge ? out->C : out->G);
    if (at->what & EVALUATE_T)
        add_value(l, rate, l->charge ? out->dqdt : out->dfdt);
}

/* ---- formulas of the frequency ----
 *
 * A law g(u, hertz) is linearised about the operating point at each frequency: what it adds there is the gradient with
 * hertz less the one at 0 Hz, which is in G and C already.  The derivative of the gradient by the frequency, for group
 * delays, is a difference of the sixth order of error in a thousandth of the frequency: below rounding. */

static const double PART = 1e-3;

/* Entries of the gradient at a frequency, times a factor. */
static void add_at(const struct law *l, double hertz, double complex factor, double complex *matrix)
{
    for (size_t k = 0; k < l->argument_count; k++)
        l->values[k] = (int)k == l->frequency ? hertz : l->at_rest[k];
    evaluate(l, l->values, instant_at(-INFINITY), l->gradient, NULL);
    for (size_t k = 0; k < l->argument_count; k++) {
        const double complex slope = factor * l->scale * l->gradient[k];
        const int *slots = l->arguments[k].slots;
        if ((int)k == l->frequency)
            continue;
        matrix[slots[0]] += slope;
        matrix[slots[1]] -= slope;
        matrix[slots[2]] -= slope;
        matrix[slots[3]] += slope;
    }
}

void law_delay(const struct law *l, double w, double complex *A, double complex *dAdw)
{
    static const double step[3] = {1, 2, 3}, weight[3] = {0.75, -0.15, 1.0 / 60}; /* Fornberg 1988, table 1 */
    const double two_pi = 2 * acos(-1), f = w / two_pi, h = PART * f;
    const double complex by = l->charge ? CMPLX(0, w) : 1;
    if (l->frequency < 0 || l->affine || l->row == l->opposite)
        return;
    add_at(l, f, by, A);
    add_at(l, 0, -by, A);
    if (l->charge) {
        add_at(l, f, _Complex_I, dAdw);
        add_at(l, 0, -_Complex_I, dAdw);
    }
    for (int k = 0; k < 3 && h > 0; k++) {
        add_at(l, f + step[k] * h, by * weight[k] / (h * two_pi), dAdw);
        add_at(l, f - step[k] * h, -by * weight[k] / (h * two_pi), dAdw);
    }
}

double law_value(const struct law *l, struct instant when, const double *x)
{
    return l->scale * evaluate(l, gather(l, x), when, NULL, NULL);
}

double law_value_of(const struct law *l, struct instant when, const double *u)
{
    return l->scale * evaluate(l, u, when, NULL, NULL);
}

double law_probe(struct law *l, const struct device_probe *at)
{
    l->hertz = at->hertz;
    const double value = law_value(l, at->when, at->x);
    l->hertz = 0;
    return value;
}

/* The gradient of an affine law must stay as law_prepare left it; evaluating it again gives the same numbers. */
double law_rate(struct law *l, const struct device_probe *at)
{
    double rate = 0.0;
    l->hertz = at->hertz;
    evaluate(l, gather(l, at->x), at->when, l->gradient, &rate);
    l->hertz = 0;
    for (size_t k = 0; k < l->argument_count; k++)
        rate += l->gradient[k] * (at->dxdt[l->arguments[k].plus] - at->dxdt[l->arguments[k].minus]);
    return l->scale * rate;
}

double law_next_breakpoint(const struct law *l, double over)
{
    return l->expression ? expression_next_breakpoint(l->expression, over) : INFINITY;
}

double law_next_quarter(const struct law *l, double time, double *period)
{
    return l->expression ? expression_next_quarter(l->expression, time, period) : INFINITY;
}

/* A charge that jumps is no switch: the answer would be an impulse. */
size_t law_switch_count(const struct law *l)
{
    return l->expression && !l->charge ? expression_switch_count(l->expression) : 0;
}

void law_switches(const struct law *l, struct instant when, const double *x, double *g)
{
    if (law_switch_count(l) == 0) /* polynomials have no expression */
        return;
    const struct expression_point at = {seen_arguments(l, gather(l, x)), seen_by(l, when), l->temperature, l->held,
                                        false};
    expression_switches(l->expression, &at, l->workspace, g);
}
