/* expression_phasor.c - an expression of phasors: the same program, run on complex numbers together with their
 * derivatives with respect to the angular frequency.
 *
 * Operators and functions that are analytic are those of the complex numbers; comparisons, min, max, rounding and the
 * like look at real parts.  With the derivative s of a phasor v: d|v| = re(conj(v) s)/|v|, d arg(v) = im(s/v), and so the
 * group delay is -im(s/v).
 */
#include "netlist/expression/expression_phasor.h"

#include "netlist/expression/expression_program.h"

#include <string.h>

static const double DEGREES = 57.29577951308232088; /* 180/pi */

static struct phasor real(double value, double slope)
{
    return (struct phasor){value, slope};
}

/* f(a) with the derivative f'(a). */
static struct phasor analytic(struct phasor a, double complex value, double complex derivative)
{
    return (struct phasor){value, a.slope != 0 ? derivative * a.slope : 0};
}

static struct phasor power(struct phasor a, struct phasor b)
{
    const double complex value = cpow(a.value, b.value);
    const struct phasor by_base = analytic(a, value, b.value * cpow(a.value, b.value - 1));
    return (struct phasor){value, by_base.slope + (b.slope != 0 ? value * clog(a.value) * b.slope : 0)};
}

static struct phasor of_real_parts(enum operation op, struct phasor a, struct phasor b)
{
    double da, db;
    const double value = operation_with_partials(op, creal(a.value), creal(b.value), &da, &db);
    return real(value, (da != 0 ? da * creal(a.slope) : 0) + (db != 0 ? db * creal(b.slope) : 0));
}

static bool is_real(struct phasor a)
{
    return cimag(a.value) == 0 && cimag(a.slope) == 0;
}

static struct phasor part(enum operation op, struct phasor a)
{
    const double size = cabs(a.value);
    const double complex relative = a.slope / a.value; /* d log(v) */
    switch (op) {
    case OP_ABS:
        return real(size, size > 0 ? size * creal(relative) : cabs(a.slope));
    case OP_DECIBEL:
        return real(20 * log10(size), DECIBELS_OF_NEPER * creal(relative));
    case OP_PHASE:
        return real(DEGREES * carg(a.value), DEGREES * cimag(relative));
    case OP_REAL:
        return real(creal(a.value), creal(a.slope));
    case OP_IMAGINARY:
        return real(cimag(a.value), cimag(a.slope));
    default:
        return real(-cimag(relative), NAN); /* its slope would take second derivatives */
    }
}

/* log(1 + exp(z)), z where exp(z) is beyond the largest number. */
static double complex log_of_exp(double complex z)
{
    const double complex e = cexp(z);
    return isfinite(creal(e)) && isfinite(cimag(e)) ? clog(1 + e) : z;
}

/* Functions that have values of some real numbers only, or other ones of negative numbers: of real numbers these count. */
static struct phasor beyond_reals(enum operation op, struct phasor a)
{
    const double complex z = a.value;
    switch (op) {
    case OP_CBRT:
        return analytic(a, cpow(z, 1.0 / 3), cpow(z, -2.0 / 3) / 3);
    case OP_CUT_LOG:
        return analytic(a, clog(z), 1 / z);
    case OP_CUT_LOG10:
        return analytic(a, clog(z) / log(10), 1 / (log(10) * z));
    case OP_ASIN:
    case OP_REAL_ASIN:
        return analytic(a, casin(z), 1 / csqrt(1 - z * z));
    case OP_ACOS:
    case OP_REAL_ACOS:
        return analytic(a, cacos(z), -1 / csqrt(1 - z * z));
    case OP_ACOSH:
    case OP_REAL_ACOSH:
        return analytic(a, cacosh(z), 1 / (csqrt(z - 1) * csqrt(z + 1)));
    case OP_ATANH:
    case OP_CUT_ATANH:
        return analytic(a, catanh(z), 1 / (1 - z * z));
    default:
        return of_real_parts(op, a, a);
    }
}

static struct phasor function(enum operation op, struct phasor a)
{
    const double complex z = a.value;
    switch (op) {
    case OP_SQRT:
    case OP_REAL_ROOT:
        return analytic(a, csqrt(z), 0.5 / csqrt(z));
    case OP_EXP:
        return analytic(a, cexp(z), cexp(z));
    case OP_LOG:
        return analytic(a, clog(z), 1 / z);
    case OP_LOG_OF_EXP:
        return analytic(a, log_of_exp(z), 1 / (1 + cexp(-z)));
    case OP_LOG10:
        return analytic(a, clog(z) / log(10), 1 / (log(10) * z));
    case OP_SIN:
        return analytic(a, csin(z), ccos(z));
    case OP_COS:
        return analytic(a, ccos(z), -csin(z));
    case OP_TAN:
        return analytic(a, ctan(z), 1 + ctan(z) * ctan(z));
    case OP_SINH:
        return analytic(a, csinh(z), ccosh(z));
    case OP_COSH:
        return analytic(a, ccosh(z), csinh(z));
    case OP_TANH:
        return analytic(a, ctanh(z), 1 - ctanh(z) * ctanh(z));
    case OP_ATAN:
        return analytic(a, catan(z), 1 / (1 + z * z));
    case OP_ASINH:
        return analytic(a, casinh(z), 1 / csqrt(1 + z * z));
    default:
        return is_real(a) ? of_real_parts(op, a, a) : beyond_reals(op, a);
    }
}

static struct phasor apply(enum operation op, struct phasor a, struct phasor b)
{
    switch (op) {
    case OP_ADD:
        return (struct phasor){a.value + b.value, a.slope + b.slope};
    case OP_SUBTRACT:
        return (struct phasor){a.value - b.value, a.slope - b.slope};
    case OP_MULTIPLY:
        return (struct phasor){a.value * b.value, a.slope * b.value + a.value * b.slope};
    case OP_DIVIDE:
        return (struct phasor){a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
    case OP_NEGATE:
        return (struct phasor){-a.value, -a.slope};
    case OP_MOVE:
        return a;
    case OP_SQUARE:
        return analytic(a, a.value * a.value, 2 * a.value);
    case OP_POWER:
    case OP_REAL_POWER:
    case OP_CUT_POWER:
    case OP_POSITIVE_POWER:
    case OP_INTEGER_POWER:
    case OP_FIXED_POWER:
    case OP_SIGNED_POWER:
    case OP_FIXED_SIGNED_POWER:
        return is_real(a) && is_real(b) ? of_real_parts(op, a, b) : power(a, b);
    case OP_ABS:
    case OP_DECIBEL:
    case OP_PHASE:
    case OP_REAL:
    case OP_IMAGINARY:
    case OP_GROUP_DELAY:
        return part(op, a);
    default:
        return operation_is_binary(op) ? of_real_parts(op, a, b) : function(op, a);
    }
}

static void load(const struct expression *e, const struct phasor_point *at, struct phasor *w)
{
    for (size_t i = 0; i < e->constant_count; i++)
        w[i] = real(e->constants[i], 0);
    for (size_t i = 0; i < e->input_count; i++) {
        const struct expression_input in = e->inputs[i];
        const struct phasor plus = in.plus >= 0 ? at->variables[in.plus] : real(0, 0);
        const struct phasor minus = in.minus >= 0 ? at->variables[in.minus] : real(0, 0);
        w[e->input_slot + (int)i] = apply(OP_SUBTRACT, plus, minus);
    }
    if (e->time_slot >= 0)
        w[e->time_slot] = real(at->scale, 0);
    if (e->temperature_slot >= 0)
        w[e->temperature_slot] = real(at->temperature, 0);
}

struct phasor expression_phasor(const struct expression *e, const struct phasor_point *at, struct phasor *w)
{
    const struct instruction *const first = e->instructions, *const end = first + e->instruction_count;
    load(e, at, w);
    for (const struct instruction *i = first; i < end; i++) {
        const enum operation op = (enum operation)i->operation;
        if (op == OP_JUMP) {
            i = first + i->result - 1;
        } else if (op == OP_BRANCH_IF_ZERO) {
            if (w[i->a].value == 0)
                i = first + i->result - 1;
        } else if (op == OP_PWL) {
            double slope;
            const double value = pwl_value(&e->tables[i->b], creal(w[i->a].value), &slope);
            w[i->result] = real(value, slope * creal(w[i->a].slope));
        } else {
            w[i->result] = apply(op, w[i->a], w[i->b]);
        }
    }
    return w[e->result];
}

/* Operations whose result may have an imaginary part where an operand has one. */
static bool keeps_phase(enum operation op)
{
    switch (op) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_NEGATE:
    case OP_MOVE:
    case OP_SQUARE:
    case OP_POWER:
    case OP_REAL_POWER:
    case OP_CUT_POWER:
    case OP_POSITIVE_POWER:
    case OP_INTEGER_POWER:
    case OP_FIXED_POWER:
    case OP_SIGNED_POWER:
    case OP_FIXED_SIGNED_POWER:
    case OP_SQRT:
    case OP_REAL_ROOT:
    case OP_EXP:
    case OP_LOG:
    case OP_CUT_LOG:
    case OP_CUT_LOG10:
    case OP_LOG_OF_EXP:
    case OP_LOG10:
    case OP_SIN:
    case OP_COS:
    case OP_TAN:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH:
    case OP_ATAN:
    case OP_ASIN:
    case OP_ACOS:
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH:
    case OP_REAL_ASIN:
    case OP_REAL_ACOS:
    case OP_REAL_ACOSH:
    case OP_CUT_ATANH:
    case OP_CBRT:
        return true;
    default:
        return false;
    }
}

bool expression_is_of_phasors(enum operation op)
{
    return keeps_phase(op) || op == OP_ABS || op == OP_DECIBEL || op == OP_PHASE || op == OP_REAL ||
           op == OP_IMAGINARY || op == OP_GROUP_DELAY;
}

/* Results of other measurements are plain numbers. */
static bool is_phasor_variable(const struct expression *e, int variable)
{
    return variable >= 0 && e->variables[variable].kind != EXPRESSION_RESULT;
}

bool expression_is_phasor(const struct expression *e, bool *w)
{
    memset(w, 0, e->workspace * sizeof *w);
    for (size_t i = 0; i < e->input_count; i++)
        w[e->input_slot + (int)i] =
            is_phasor_variable(e, e->inputs[i].plus) || is_phasor_variable(e, e->inputs[i].minus);
    for (size_t k = 0; k < e->instruction_count; k++) {
        const struct instruction *i = &e->instructions[k];
        const enum operation op = (enum operation)i->operation;
        if (op != OP_JUMP && op != OP_BRANCH_IF_ZERO)
            w[i->result] |= keeps_phase(op) && (w[i->a] || (operation_has_second(op) && w[i->b]));
    }
    return w[e->result];
}

bool expression_is_phase(const struct expression *e)
{
    for (size_t k = 0; k < e->instruction_count; k++)
        if (e->instructions[k].result == e->result && e->instructions[k].operation == OP_PHASE)
            return true;
    return false;
}
