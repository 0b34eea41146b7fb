/* expression_apply.c - see expression_apply.h. */
#include "netlist/expression/expression_apply.h"

#include "base/names.h"
#include "netlist/expression/expression_draft.h"
#include "netlist/expression/expression_phasor.h"

#include <math.h>

/* A note about x^n with an odd n and an x that may become negative, of which ngspice takes |x|. */
static void note_odd_power(struct application *a, const struct expression_node *node, int base, int exponent)
{
    double x, y;
    if (builder_is_constant(a->builder, base, &x) || !builder_is_constant(a->builder, exponent, &y))
        return;
    if (fabs(fmod(y, 2.0)) != 1.0 || fabs(y) == 1.0)
        return;
    if (a->dialect == DIALECT_NGSPICE)
        diagnostics_add(a->diagnostics, KN_NOTE, "odd-power", node->where,
                        diagnostics_hint(a->diagnostics, "pwr(x,%g) keeps the sign of x", y),
                        "x^%g is |x|^%g, as in ngspice", y, y);
    else
        diagnostics_add(a->diagnostics, KN_NOTE, "odd-power", node->where, NULL,
                        "x^%g keeps the sign of a negative x here; ngspice takes |x|^%g", y, y);
}

/* ngspice's x^y, |x|^y (its manual, sections 2.8.5 and 5.1.1). An even power needs no |x|. */
static int power_of_magnitude(struct application *a, int base, int exponent, const struct expression_node *node)
{
    double y;
    if (!builder_is_constant(a->builder, exponent, &y) || fmod(y, 2.0) != 0.0)
        base = apply_operation(a, OP_ABS, base, base, node);
    return apply_operation(a, OP_POWER, base, exponent, node);
}

/* Functions of powers that know in ngspice where they stand: pow(x,y) is the true power in .param and other numbers, and
 * |x|^y in laws, of numbers there too; pwr(x,y) is |x|^y in .param, and has the sign of x in laws. */
static int power_function(struct application *a, const struct builtin_function *f, const int *v,
                          const struct expression_node *node)
{
    const bool number = !a->arena;
    if (a->dialect != DIALECT_NGSPICE)
        return f->operation == OP_POWER ? apply_operator(a, OP_POWER, v[0], v[1], node)
                                        : apply_operation(a, f->operation, v[0], v[1], node);
    if (f->operation == OP_POWER)
        return number ? apply_operation(a, OP_POWER, v[0], v[1], node) : apply_operator(a, OP_POWER, v[0], v[1], node);
    return number ? power_of_magnitude(a, v[0], v[1], node) : apply_operation(a, f->operation, v[0], v[1], node);
}

/* Powers to a whole number are the same in all dialects. */
static enum operation power_of(const struct application *a, int exponent)
{
    double y;
    if (builder_is_constant(a->builder, exponent, &y) && y == trunc(y))
        return OP_POWER;
    return a->dialect == DIALECT_LTSPICE || a->dialect == DIALECT_XYCE ? OP_REAL_POWER
           : a->dialect == DIALECT_HSPICE                              ? OP_CUT_POWER
           : a->dialect == DIALECT_KICAD                               ? OP_POSITIVE_POWER
                                                                       : OP_POWER;
}

/* Numbers known beforehand are real, and compared as such. */
static bool are_constant(const struct application *a, const int *values, size_t count)
{
    double number;
    for (size_t i = 0; i < count; i++)
        if (!builder_is_constant(a->builder, values[i], &number))
            return false;
    return true;
}

static int refuse_complex(struct application *a, const char *what, const struct expression_node *node)
{
    diagnostics_add(a->diagnostics, KN_ERROR, "unsupported", node->where,
                    "functions of s are made of + - * / **, sqrt, exp, ln, log10, abs and trigonometric functions",
                    "%s has no value of a complex number", what);
    return -1;
}

int apply_truth(struct application *a, int value, const struct expression_node *node)
{
    const bool ltspice = a->dialect == DIALECT_LTSPICE;
    double known;
    if (a->complex_numbers && !are_constant(a, &value, 1))
        return refuse_complex(a, "a condition", node);
    if (builder_is_truth(a->builder, value) || (!ltspice && builder_is_constant(a->builder, value, &known)))
        return value;
    return apply_operation(a, ltspice ? OP_GREATER : OP_UNEQUAL, value,
                           builder_constant(a->builder, ltspice ? 0.5 : 0.0), node);
}

/* e^(y log x) but for whole numbers y: of a negative x, which 1 + s^2 is, too. */
static int complex_power(struct application *a, int base, int exponent, const struct expression_node *node)
{
    const struct formula here = {a, node};
    double y;
    if (builder_is_constant(a->builder, exponent, &y) && y == trunc(y))
        return two(here, OP_POWER, base, exponent);
    return one(here, OP_EXP, two(here, OP_MULTIPLY, exponent, one(here, OP_LOG, base)));
}

int apply_operator(struct application *a, enum operation op, int first, int second, const struct expression_node *node)
{
    const int both[] = {first, second};
    if (a->complex_numbers && op == OP_POWER)
        return complex_power(a, first, second, node);
    if (a->complex_numbers && !expression_is_of_phasors(op) && !are_constant(a, both, 2))
        return refuse_complex(a, "a comparison or a logical operator", node);
    const bool like_ngspice = a->dialect != DIALECT_LTSPICE && a->dialect != DIALECT_XYCE &&
                              a->dialect != DIALECT_HSPICE && a->dialect != DIALECT_PSPICE &&
                              a->dialect != DIALECT_KICAD;
    switch (op) {
    case OP_POWER:
        if (like_ngspice)
            note_odd_power(a, node, first, second);
        if (a->dialect == DIALECT_NGSPICE)
            return power_of_magnitude(a, first, second, node);
        return apply_operation(a, power_of(a, second), first, second, node);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return apply_operation(a, op, apply_truth(a, first, node), apply_truth(a, second, node), node);
    case OP_NOT:
        first = apply_truth(a, first, node);
        return apply_operation(a, op, first, first, node);
    default:
        return apply_operation(a, op, first, second, node);
    }
}

bool apply_check_count(const struct application *a, const struct builtin_function *f,
                       const struct expression_node *node)
{
    if (node->operand_count >= f->least && node->operand_count <= f->most)
        return true;
    diagnostics_add(a->diagnostics, KN_ERROR, "argument-count", node->where,
                    diagnostics_hint(a->diagnostics, "write %s(%s): %s", f->name, f->arguments, f->doc),
                    "function '%s' takes %s%zu argument%s, not %zu", f->name, f->most > f->least ? "at least " : "",
                    f->least, f->least == 1 ? "" : "s", node->operand_count);
    return false;
}

/* max(a, b, c) from the left. */
static int apply_extremum(struct application *a, enum operation op, const int *values, size_t count,
                          const struct expression_node *node)
{
    int value = values[0];
    for (size_t i = 1; i < count; i++)
        value = apply_operation(a, op, value, values[i], node);
    return value;
}

/* agauss(nominal, variation, sigmas) and the like; -1 with an error. */
static int apply_random(struct application *a, enum operation op, const int *values, const struct expression_node *node)
{
    enum { MOST = 4 };
    double numbers[MOST];
    for (size_t i = 0; i < node->operand_count && i < MOST; i++)
        if (!builder_is_constant(a->builder, values[i], &numbers[i])) {
            diagnostics_add(a->diagnostics, KN_ERROR, "not-constant", node->where, NULL,
                            "the arguments of %s() must be constant: its value is drawn once for a run", node->name);
            return -1;
        }
    return builder_constant(a->builder, draws_value(a->draws, op, numbers, node->operand_count));
}

/* ---- functions written with the operations of programs ---- */

static int clamped(struct formula f, int x, int low, int high)
{
    return two(f, OP_MINIMUM, two(f, OP_MAXIMUM, x, low), high);
}

/* sgn(x) g(|x|) */
static int with_sign(struct formula f, enum operation op, int x)
{
    return two(f, OP_MULTIPLY, one(f, OP_SIGN, x), one(f, op, one(f, OP_ABS, x)));
}

/* LTspice's soft limits: x up to z below the limit a, then ever closer to a: with d = max(0, x - a + z)
 * min(x, a - z) + z (1 - exp(-d/z)), or z tanh(d/z); dnlim is its mirror image. */
static int soft_limit(struct formula f, const int *v, bool upper, bool by_tanh)
{
    const int x = v[0], z = v[2], zero = number(f, 0.0);
    const int corner = two(f, upper ? OP_SUBTRACT : OP_ADD, v[1], z);
    const int past = upper ? two(f, OP_SUBTRACT, x, corner) : two(f, OP_SUBTRACT, corner, x);
    const int part = two(f, OP_DIVIDE, two(f, OP_MAXIMUM, zero, past), z);
    const int rise =
        by_tanh ? one(f, OP_TANH, part) : two(f, OP_SUBTRACT, number(f, 1.0), one(f, OP_EXP, one(f, OP_NEGATE, part)));
    return two(f, upper ? OP_ADD : OP_SUBTRACT, two(f, upper ? OP_MINIMUM : OP_MAXIMUM, x, corner),
               two(f, OP_MULTIPLY, z, rise));
}

/* From rand(n) to rand(n + 1) along a cubic with level ends, 3 s^2 - 2 s^3. */
static int smooth_random(struct formula f, int x)
{
    const int whole = one(f, OP_FLOOR, x), s = two(f, OP_SUBTRACT, x, whole), square = one(f, OP_SQUARE, s);
    const int from = one(f, OP_HASH, whole), to = one(f, OP_HASH, two(f, OP_ADD, whole, number(f, 1.0)));
    const int weight =
        two(f, OP_MULTIPLY, square, two(f, OP_SUBTRACT, number(f, 3.0), two(f, OP_MULTIPLY, number(f, 2.0), s)));
    return two(f, OP_ADD, from, two(f, OP_MULTIPLY, two(f, OP_SUBTRACT, to, from), weight));
}

/* pwrs(x, y) of KiCad's ngspice, sgn(x) pow(x, y): |x|^y for an odd y, and 0 below x = 0 where y is not whole. */
static int power_and_sign(struct formula f, int x, int y)
{
    double n;
    if (!builder_is_constant(f.a->builder, y, &n))
        return two(f, OP_MULTIPLY, one(f, OP_SIGN, x), two(f, OP_POSITIVE_POWER, x, y));
    if (n != trunc(n))
        return two(f, OP_POSITIVE_POWER, x, y);
    return fmod(n, 2.0) != 0.0 ? two(f, OP_POWER, one(f, OP_ABS, x), y) : two(f, OP_SIGNED_POWER, x, y);
}

static int apply_formula(struct formula f, enum operation op, const int *v)
{
    switch (op) {
    case OP_ABSOLUTE_POWER:
        return two(f, OP_POWER, one(f, OP_ABS, v[0]), v[1]);
    case OP_POWER_AND_SIGN:
        return power_and_sign(f, v[0], v[1]);
    case OP_WHOLE_POWER:
        return two(f, OP_POWER, v[0], one(f, OP_TRUNCATE, v[1]));
    case OP_SIGNED_ROOT:
        return two(f, OP_SIGNED_POWER, v[0], number(f, 0.5));
    case OP_REAL_LOG:
        return one(f, OP_LOG, one(f, OP_ABS, v[0]));
    case OP_REAL_LOG10:
        return one(f, OP_LOG10, one(f, OP_ABS, v[0]));
    case OP_SIGNED_LOG:
        return with_sign(f, OP_LOG, v[0]);
    case OP_SIGNED_LOG10:
        return with_sign(f, OP_LOG10, v[0]);
    case OP_SIGNED_DECIBEL:
        return with_sign(f, OP_DECIBEL, v[0]);
    case OP_SIGN_OF:
        return two(f, OP_MULTIPLY, one(f, OP_ABS, v[0]), one(f, OP_SIGN, v[1]));
    case OP_BUFFER:
        return two(f, OP_GREATER, v[0], number(f, 0.5));
    case OP_INVERTER:
        return two(f, OP_LESS_EQUAL, v[0], number(f, 0.5));
    case OP_IS_WHOLE:
        return two(f, OP_EQUAL, v[0], one(f, OP_TRUNCATE, v[0]));
    case OP_ZERO:
    case OP_ONE:
        return number(f, op == OP_ONE);
    case OP_UPPER:
    case OP_LOWER:
    case OP_UPPER_TANH:
    case OP_LOWER_TANH:
        return soft_limit(f, v, op == OP_UPPER || op == OP_UPPER_TANH, op == OP_UPPER_TANH || op == OP_LOWER_TANH);
    case OP_SMOOTH_RANDOM:
        return smooth_random(f, v[0]);
    case OP_WHITE:
        return two(f, OP_SUBTRACT, smooth_random(f, v[0]), number(f, 0.5));
    case OP_RAMP:
        return two(f, OP_MAXIMUM, v[0], number(f, 0.0));
    case OP_CLIPPED_RAMP:
        return clamped(f, v[0], number(f, 0.0), number(f, 1.0));
    case OP_LIMIT: /* PSpice's libraries have LIMIT(x,0,-1E6), which ngspice reads so */
        if (f.a->dialect == DIALECT_XYCE)
            return clamped(f, v[0], v[1], v[2]);
        /* fall through */
    case OP_MEDIAN: /* max(min(x,a), min(max(x,a), b)) */
        return two(f, OP_MAXIMUM, two(f, OP_MINIMUM, v[0], v[1]),
                   two(f, OP_MINIMUM, two(f, OP_MAXIMUM, v[0], v[1]), v[2]));
    default:
        return -1;
    }
}

/* x of 1 + exp(x), of whose logarithm more has a value than of its parts; -1 if the value is another one. */
static int exponent_beside_one(const struct builder *b, int value)
{
    const struct value *sum = &b->values[value];
    double one;
    if (sum->kind != VALUE_REGISTER || sum->operation != OP_ADD || !builder_is_constant(b, sum->a, &one) || one != 1.0)
        return -1;
    const struct value *e = &b->values[sum->b];
    return e->kind == VALUE_REGISTER && e->operation == OP_EXP ? e->a : -1;
}

static int apply_log(struct application *a, enum operation op, int value, const struct expression_node *node)
{
    const int exponent = exponent_beside_one(a->builder, value);
    return exponent >= 0 ? apply_operation(a, OP_LOG_OF_EXP, exponent, exponent, node)
                         : apply_operation(a, op, value, value, node);
}

static int apply_function(struct application *a, const struct builtin_function *f, const int *values,
                          const struct expression_node *node)
{
    const struct formula here = {a, node};
    if (draws_are_made_by(f->operation, node->operand_count))
        return apply_random(a, f->operation, values, node);
    switch (f->operation) {
    case OP_POWER:
    case OP_SIGNED_POWER:
        return power_function(a, f, values, node);
    case OP_LOG:
    case OP_CUT_LOG:
        return apply_log(a, f->operation, values[0], node);
    case OP_MINIMUM:
    case OP_MAXIMUM:
        return apply_extremum(a, f->operation, values, node->operand_count, node);
    case OP_PWL:
    case OP_TABLE:
    case OP_AKIMA:
    case OP_WODICKA:
    case OP_CUBIC:
    case OP_BARYCENTRIC:
    case OP_SCHEDULE:
    case OP_POLY:
    case OP_SPICE_SIN:
    case OP_SPICE_EXP:
    case OP_SPICE_SFFM:
    case OP_SPICE_PULSE:
        return apply_curve(a, f->operation, values, node);
    case OP_COMPARE_ZERO:
        return apply_operation(a, f->comparison, values[0], builder_constant(a->builder, 0.0), node);
    default:
        return f->operation > OP_JUMP ? apply_formula(here, f->operation, values)
                                      : apply_operation(a, f->operation, values[0], values[f->least > 1 ? 1 : 0], node);
    }
}

/* ---- functions of complex numbers ---- */

/* What dialects make of numbers outside the range of a function differs; of complex numbers it is one function. */
static enum operation complex_function(enum operation op)
{
    switch (op) {
    case OP_SIGNED_ROOT:
    case OP_REAL_ROOT:
        return OP_SQRT;
    case OP_CUT_LOG:
    case OP_REAL_LOG:
    case OP_SIGNED_LOG:
        return OP_LOG;
    case OP_CUT_LOG10:
    case OP_REAL_LOG10:
    case OP_SIGNED_LOG10:
        return OP_LOG10;
    case OP_REAL_ASIN:
        return OP_ASIN;
    case OP_REAL_ACOS:
        return OP_ACOS;
    case OP_REAL_ACOSH:
        return OP_ACOSH;
    case OP_CUT_ATANH:
        return OP_ATANH;
    case OP_SIGNED_POWER:
    case OP_POWER_AND_SIGN:
        return OP_POWER;
    default:
        return op;
    }
}

/* Whether a function has a value of a complex number: |x|^y and x to the integer part of y are written with such. */
static bool has_complex_value(enum operation op)
{
    return expression_is_of_phasors(op) || op == OP_ABSOLUTE_POWER || op == OP_WHOLE_POWER;
}

static int apply_complex(struct application *a, const struct builtin_function *f, const int *values,
                         const struct expression_node *node)
{
    struct builtin_function other = *f;
    other.operation = complex_function(f->operation);
    if (are_constant(a, values, node->operand_count))
        return apply_function(a, f, values, node);
    if (other.operation == OP_POWER)
        return complex_power(a, values[0], values[1], node);
    if (has_complex_value(other.operation))
        return apply_function(a, &other, values, node);
    return refuse_complex(a, diagnostics_hint(a->diagnostics, "%s()", f->name), node);
}

int apply_builtin(struct application *a, const struct builtin_function *f, const int *values,
                  const struct expression_node *node)
{
    return a->complex_numbers ? apply_complex(a, f, values, node) : apply_function(a, f, values, node);
}

bool apply_is_file(const struct builtin_function *f, const struct expression_node *node)
{
    return operation_takes_points(f->operation) && f->operation != OP_PWL && node->operands &&
           node->operands->node->kind == NODE_STRING;
}
