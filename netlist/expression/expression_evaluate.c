/* expression_evaluate.c - running a compiled expression: the inner loop of every B source.
 *
 * Forward-mode differentiation (R. E. Wengert, A simple automatic derivative evaluation program, 1964) with sparse
 * gradients.  No allocation, no recursion; jumps skip the branch of ?: that is not taken.
 */
#include "netlist/expression/expression_program.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t expression_variable_count(const struct expression *e)
{
    return e->variable_count;
}

const struct expression_variable *expression_variables(const struct expression *e)
{
    return e->variables;
}

int expression_frequency(const struct expression *e)
{
    for (size_t i = 0; i < e->variable_count; i++)
        if (e->variables[i].kind == EXPRESSION_FREQUENCY)
            return (int)i;
    return -1;
}

void expression_renumber_nodes(const struct expression *e, const int *map)
{
    for (size_t i = 0; i < e->variable_count; i++)
        if (e->variables[i].kind == EXPRESSION_NODE_VOLTAGE)
            e->variables[i].index = map[e->variables[i].index];
    for (size_t i = 0; i < e->mention_count; i++) {
        struct expression_mention *m = &e->mentions[i];
        if (m->node->kind != NODE_VOLTAGE)
            continue;
        m->plus = map[m->plus];
        m->minus = m->minus < 0 ? -1 : map[m->minus];
    }
}

bool expression_uses_time(const struct expression *e)
{
    return e->uses_time;
}

bool expression_is_linear(const struct expression *e)
{
    return e->linear;
}

size_t expression_workspace(const struct expression *e)
{
    return e->workspace;
}

size_t expression_switch_count(const struct expression *e)
{
    return e->switch_count;
}

/* The cubic with the values and slopes of two points: y0 + h u (s0 + u (3 m - 2 s0 - s1 + u (s0 + s1 - 2 m))), where u runs
 * from 0 to 1 and m is the slope of the chord, *slope before. */
static double hermite_value(const struct pwl_table *table, int low, double x, double *slope)
{
    const double h = table->x[low + 1] - table->x[low], u = (x - table->x[low]) / h, m = *slope;
    const double s0 = table->slopes[2 * low + 1], s1 = table->slopes[2 * low + 2];
    const double square = 3.0 * m - 2.0 * s0 - s1, cube = s0 + s1 - 2.0 * m;
    *slope = s0 + u * (2.0 * square + u * 3.0 * cube);
    return table->y[low] + h * u * (s0 + u * (square + u * cube));
}

double pwl_value(const struct pwl_table *table, double x, double *slope)
{
    int low = 0, high = table->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (table->x[middle] > x)
            high = middle;
        else
            low = middle;
    }
    *slope = (table->y[high] - table->y[low]) / (table->x[high] - table->x[low]);
    if (table->slopes)
        return hermite_value(table, low, x, slope);
    return table->y[low] + *slope * (x - table->x[low]);
}

static void load(const struct expression *e, const struct expression_point *at, double *restrict w)
{
    for (size_t i = 0; i < e->constant_count; i++)
        w[i] = e->constants[i];
    for (size_t i = 0; i < e->input_count; i++) {
        const struct expression_input in = e->inputs[i];
        const double plus = in.plus >= 0 ? at->variables[in.plus] : 0.0;
        w[e->input_slot + (int)i] = in.minus >= 0 ? plus - at->variables[in.minus] : plus;
    }
    if (e->time_slot >= 0)
        w[e->time_slot] = at->time;
    if (e->temperature_slot >= 0)
        w[e->temperature_slot] = at->temperature;
}

static bool is_held(const struct instruction *i, const signed char *held)
{
    return held && i->switch_number >= 0 && held[i->switch_number] != 0;
}

/* ---- jumps ---- */

/* What has a jump at each whole number: of the quotient for a remainder, half a step further for what rounds. */
static double stair_place(const struct instruction *i, const double *w)
{
    const double x = w[i->a];
    if (i->operation == OP_MODULO)
        return x / w[i->b];
    return i->operation == OP_NEAREST || i->operation == OP_ROUND ? x + 0.5 : x;
}

/* Of all the jumps of a stair one switch makes, whose side changes from step to step: above zero on those that begin at an even
 * number. */
static double stair_side(double place)
{
    const double corner = nearbyint(place), beyond = place - corner;
    return fmod(corner, 2.0) == 0.0 ? beyond : -beyond;
}

/* The value on the step beside the nearest corner that has this side; at the corner itself that of the operation there. */
static double stair_value(const struct instruction *i, const double *w, int held)
{
    const double corner = nearbyint(stair_place(i, w));
    const bool even = fmod(corner, 2.0) == 0.0, at_corner = held == EXPRESSION_AT_ZERO;
    const double step = (held > 0) == even ? corner : corner - 1.0, towards_zero = step < 0.0 ? step + 1.0 : step;
    switch ((enum operation)i->operation) {
    case OP_CEIL:
        return at_corner ? corner : step + 1.0;
    case OP_TRUNCATE:
        return at_corner ? corner : towards_zero;
    case OP_MODULO:
        return at_corner ? 0.0 : w[i->a] - w[i->b] * towards_zero;
    case OP_NEAREST:
    case OP_ROUND:
        return at_corner ? operation_value((enum operation)i->operation, corner - 0.5, 0.0) : step;
    default:
        return at_corner ? corner : step;
    }
}

/* The value on the side where the switch is held: that of the sign, the step or the comparison with zero. */
static double held_value(const struct instruction *i, const double *w, const signed char *held)
{
    const double side = held[i->switch_number];
    if (operation_is_stair((enum operation)i->operation))
        return stair_value(i, w, held[i->switch_number]);
    if (held[i->switch_number] == EXPRESSION_AT_ZERO)
        return operation_value((enum operation)i->operation, 0.0, 0.0);
    switch ((enum operation)i->operation) {
    case OP_SIGN:
        return side;
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_EQUAL:
        return side < 0.0;
    default:
        return side > 0.0;
    }
}

static double compared(const struct instruction *i, const double *w)
{
    if (operation_is_stair((enum operation)i->operation))
        return stair_side(stair_place(i, w));
    const bool distance = i->operation == OP_EQUAL || i->operation == OP_UNEQUAL; /* what is no zero is above it */
    const double difference = operation_is_binary((enum operation)i->operation) ? w[i->a] - w[i->b] : w[i->a];
    return distance ? fabs(difference) : difference;
}

static bool is_zero_by_zero(const struct instruction *i, const double *w)
{
    return i->operation == OP_DIVIDE && w[i->a] == 0.0 && w[i->b] == 0.0;
}

/* Whether a quotient of two zeros is on the way that an evaluation went. */
static bool met_zero_by_zero(const struct expression *e, const double *w)
{
    const struct instruction *const first = e->instructions, *const end = first + e->instruction_count;
    for (const struct instruction *i = first; i < end; i++) {
        if (i->operation == OP_JUMP || (i->operation == OP_BRANCH_IF_ZERO && w[i->a] == 0.0))
            i = first + i->result - 1;
        else if (is_zero_by_zero(i, w))
            return true;
    }
    return false;
}

/* Whether quotients of two zeros have to be 0: they made the result none, or a comparison has taken none for a number. */
static bool wants_bound(const struct expression *e, const double *w)
{
    return isnan(w[e->result]) || (e->judges_quotients && met_zero_by_zero(e, w));
}

/* g: NULL, or what each switch compares with zero where it stands on the way. */
static void run(const struct expression *e, const struct expression_point *at, double *w, double *g)
{
    const signed char *const held = at->held;
    const bool bounded = g && at->bounded;
    const struct instruction *const first = e->instructions, *const end = first + e->instruction_count;
    double slope;
    for (const struct instruction *i = first; i < end; i++) {
        switch ((enum operation)i->operation) {
        case OP_JUMP:
            i = first + i->result - 1;
            break;
        case OP_BRANCH_IF_ZERO:
            if (w[i->a] == 0.0)
                i = first + i->result - 1;
            break;
        case OP_PWL:
            w[i->result] = pwl_value(&e->tables[i->b], w[i->a], &slope);
            break;
        default:
            if (g && i->switch_number >= 0)
                g[i->switch_number] = compared(i, w);
            w[i->result] = is_held(i, held) ? held_value(i, w, held)
                           : bounded && is_zero_by_zero(i, w)
                               ? 0.0
                               : operation_value((enum operation)i->operation, w[i->a], w[i->b]);
            break;
        }
    }
}

void expression_switches(const struct expression *e, const struct expression_point *at, double *workspace, double *g)
{
    for (size_t i = 0; i < e->switch_count; i++)
        g[i] = NAN;
    load(e, at, workspace);
    run(e, at, workspace, g);
}

/* Zero silences infinity: the side of min or max that is not taken must not leave 0 * inf = NaN behind, and of an operand that
 * stands still, as that of sqrt(v(a)-v(a)), nothing moves. */
static double times(double partial, double slope)
{
    return partial != 0.0 && slope != 0.0 ? partial * slope : 0.0;
}

/* Slot 0: the operand does not depend on this input, whatever the partial derivative is. */
static double part(const double *w, int slot, double partial)
{
    return slot != 0 ? times(partial, w[slot]) : 0.0;
}

static void scale(double *restrict g, const double *restrict from, int width, double factor)
{
    for (int k = 0; k < width; k++)
        g[k] = times(factor, from[k]);
}

static void combine(double *restrict g, const double *restrict ga, const double *restrict gb, int width, double da,
                    double db)
{
    for (int k = 0; k < width; k++)
        g[k] = times(da, ga[k]) + times(db, gb[k]);
}

static void gather(double *restrict g, const double *w, const int *slots, int width, double da, double db)
{
    for (int k = 0; k < width; k++)
        g[k] = part(w, slots[2 * k], da) + part(w, slots[2 * k + 1], db);
}

static void make_gradient(const struct expression *e, const struct instruction *i, double *w, double da, double db)
{
    double *g = w + i->gradient;
    switch ((enum gradient_shape)i->shape) {
    case GRADIENT_NONE:
        return;
    case GRADIENT_SINGLE:
        *g = part(w, i->gradient_a, da) + part(w, i->gradient_b, db);
        return;
    case GRADIENT_FIRST:
        scale(g, w + i->gradient_a, i->width, da);
        return;
    case GRADIENT_SECOND:
        scale(g, w + i->gradient_b, i->width, db);
        return;
    case GRADIENT_BOTH:
        combine(g, w + i->gradient_a, w + i->gradient_b, i->width, da, db);
        return;
    case GRADIENT_GATHER:
        gather(g, w, e->gather + i->gradient_a, i->width, da, db);
        return;
    }
}

/* bounded: quotients of two zeros are 0 and flat. */
static void run_with_gradients(const struct expression *e, const signed char *held, bool bounded, double *w)
{
    const struct instruction *const first = e->instructions, *const end = first + e->instruction_count;
    for (const struct instruction *i = first; i < end; i++) {
        const enum operation op = (enum operation)i->operation;
        double da = 0.0, db = 0.0;
        if (op == OP_JUMP) {
            i = first + i->result - 1;
        } else if (op == OP_BRANCH_IF_ZERO) {
            if (w[i->a] == 0.0)
                i = first + i->result - 1;
        } else if (op == OP_PWL) {
            w[i->result] = pwl_value(&e->tables[i->b], w[i->a], &da);
            make_gradient(e, i, w, da, db);
        } else if (i->shape == GRADIENT_NONE) {
            w[i->result] = is_held(i, held)                   ? held_value(i, w, held)
                           : bounded && is_zero_by_zero(i, w) ? 0.0
                                                              : operation_value(op, w[i->a], w[i->b]);
        } else {
            w[i->result] = operation_with_partials(op, w[i->a], w[i->b], &da, &db);
            if (bounded && is_zero_by_zero(i, w))
                w[i->result] = da = db = 0.0;
            if (is_held(i, held)) { /* a remainder, x - n y: no other jump has a slope */
                w[i->result] = held_value(i, w, held);
                db = (w[i->result] - w[i->a]) / w[i->b];
            }
            make_gradient(e, i, w, da, db);
        }
    }
}

/* From the result's gradient over inputs to the one over variables. */
static void spread(const struct expression *e, const double *w, double *gradient, double *time_derivative)
{
    if (gradient)
        memset(gradient, 0, e->variable_count * sizeof *gradient);
    if (time_derivative)
        *time_derivative = 0.0;
    for (size_t k = 0; k < e->direction_count; k++) {
        const double g = w[e->result_gradient + (int)k];
        if (e->directions[k] == TIME_DIRECTION) {
            if (time_derivative)
                *time_derivative = g;
        } else if (gradient) {
            const struct expression_input in = e->inputs[e->directions[k]];
            if (in.plus >= 0)
                gradient[in.plus] += g;
            if (in.minus >= 0)
                gradient[in.minus] -= g;
        }
    }
}

double expression_evaluate(const struct expression *e, const struct expression_point *at, double *workspace,
                           double *gradient, double *time_derivative)
{
    const bool slopes = gradient || time_derivative;
    load(e, at, workspace);
    if (slopes)
        run_with_gradients(e, at->held, false, workspace);
    else
        run(e, at, workspace, NULL);
    if (at->bounded && wants_bound(e, workspace))
        run_with_gradients(e, at->held, true, workspace);
    if (slopes)
        spread(e, workspace, gradient, time_derivative);
    return workspace[e->result];
}

bool expression_needs_bound(const struct expression *e, const struct expression_point *at, double *workspace)
{
    struct expression_point plain = *at;
    plain.bounded = false;
    expression_evaluate(e, &plain, workspace, NULL, NULL);
    if (!wants_bound(e, workspace))
        return false;
    plain.bounded = true;
    return isfinite(expression_evaluate(e, &plain, workspace, NULL, NULL));
}

/* ---- breakpoints ---- */

/* How many of the ascending times are not later than `over`. */
static size_t count_over(const double *times, size_t count, double over)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (times[middle] <= over)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of its places are not later than `over`; the division may miss it by one. */
static double periods_over(const struct expression_period *p, double over)
{
    double n = over < p->first ? 0.0 : fmax(0.0, floor((over - p->first) / p->period) - 1.0);
    while (isfinite(over) && p->first + n * p->period <= over)
        n += 1.0;
    return n;
}

/* Places as close as the rounding of the time cannot be told apart. */
static bool is_too_fine(const struct expression_period *p, double over)
{
    return p->period < 64 * DBL_EPSILON * over;
}

double expression_next_breakpoint(const struct expression *e, double over)
{
    const size_t i = count_over(e->breakpoints, e->breakpoint_count, over);
    double next = i < e->breakpoint_count ? e->breakpoints[i] : INFINITY;
    for (size_t k = 0; k < e->period_count; k++) {
        const struct expression_period *p = &e->periods[k];
        if (p->swings || is_too_fine(p, over))
            continue;
        next = fmin(next, p->first + periods_over(p, over) * p->period);
    }
    return next;
}

double expression_last_breakpoint(const struct expression *e, double over)
{
    const size_t i = count_over(e->breakpoints, e->breakpoint_count, over);
    double last = i > 0 ? e->breakpoints[i - 1] : -INFINITY;
    for (size_t k = 0; k < e->period_count; k++) {
        const struct expression_period *p = &e->periods[k];
        if (p->swings || is_too_fine(p, over))
            continue;
        const double n = periods_over(p, over);
        last = n > 0.0 ? fmax(last, p->first + (n - 1.0) * p->period) : last;
    }
    return last;
}

/* Nearer to a crest or zero than this part of a quarter, the next is the one behind it. */
static const double NEAR_QUARTER = 1e-3;

double expression_next_quarter(const struct expression *e, double time, double *period)
{
    double next = INFINITY;
    for (size_t k = 0; k < e->period_count; k++) {
        const struct expression_period *p = &e->periods[k];
        if (!p->swings || is_too_fine(p, time))
            continue;
        *period = fmin(*period, 4 * p->period);
        next = fmin(next, p->first + periods_over(p, time + NEAR_QUARTER * p->period) * p->period);
    }
    return next;
}
