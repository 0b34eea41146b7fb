/* operations.h - the operators and functions of the expression language: values and derivatives.
 *
 * Values follow ngspice's B source (manual, "Non-linear dependent sources"), with these choices where it and
 * mathematics part:
 *   x^y, x**y, pow(x,y)   |x|^y for a negative x, as ngspice has it; but for an odd integer y the sign of x is kept,
 *                         so that x^3 is x*x*x (ngspice 39: |x|^3 in a B source, pow(x,3) = x^3 in .param).
 *                         LTspice and Xyce: the real part of the complex power, |x|^y cos(pi y) for a negative x.
 *   u(0) = 1/2            and uramp'(0) = 1/2; nint rounds half to even; int cuts towards zero.
 *   sqrt, log, asin, ...  NaN outside their range, 1/0 = inf; nothing is clipped.
 *                         HSPICE: of a negative x that to the integer part of y.
 * Real parts of complex results, as LTspice has them: sqrt, asin, acos and acosh outside their range, flat there.
 *   log(1 + exp(x))       is x where exp(x) is beyond the largest number: it is OP_LOG_OF_EXP.
 *   x%y, mod(x,y)         the remainder of x/y cut towards zero, of the sign of x (C's fmod).
 *   mag re im ph db gd    parts of a phasor (expression_phasor.c); of a real number what they are of one without an
 *                         imaginary part: ph(-1) = 180 degrees, db(10) = 20, and no group delay.
 */
#ifndef NETLIST_FUNCTIONS_OPERATIONS_H
#define NETLIST_FUNCTIONS_OPERATIONS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define DECIBELS_OF_NEPER 8.68588963806503655302 /* 20/ln(10) */

/* The formula sheet: operation, value v of operands a and b, dv/da, dv/db.  Flat ones have no derivatives. */
#define OPERATIONS_OF_TWO(X)                                                                                           \
    X(OP_ADD, a + b, 1.0, 1.0)                                                                                         \
    X(OP_SUBTRACT, a - b, 1.0, -1.0)                                                                                   \
    X(OP_MULTIPLY, (a * b), b, a)                                                                                      \
    X(OP_DIVIDE, a / b, 1.0 / b, -v * (1.0 / b))                                                                       \
    X(OP_POWER, power_value(a, b), power_by_base(a, b, v), power_by_exponent(a, b, v))                                 \
    X(OP_SIGNED_POWER, signed_power_value(a, b), power_by_base(a, b, v), power_by_exponent(a, b, v))                   \
    X(OP_MINIMUM, a < b ? a : (b <= a ? b : a + b), lesser(a, b), lesser(b, a))                                        \
    X(OP_MAXIMUM, a > b ? a : (b >= a ? b : a + b), lesser(b, a), lesser(a, b))                                        \
    X(OP_ATAN2, atan2(a, b), b / (a * a + b * b), -a / (a * a + b * b))                                                \
    X(OP_REAL_POWER, real_power_value(a, b), power_by_base(a, b, v), real_power_by_exponent(a, b, v))                  \
    X(OP_CUT_POWER, a<0.0 ? power_value(a, trunc(b)) : a> 0.0 ? pow(a, b) : 0.0,                                       \
      power_by_base(a, a < 0.0 ? trunc(b) : b, v), a > 0.0 ? v * log(a) : 0.0)                                         \
    X(OP_POSITIVE_POWER, a >= 0.0 || b == trunc(b) ? power_value(a, b) : 0.0,                                          \
      a >= 0.0 || b == trunc(b) ? power_by_base(a, b, v) : 0.0, a > 0.0 ? v * log(a) : 0.0)                            \
    X(OP_MODULO, fmod(a, b), 1.0, -trunc(a / b))                                                                       \
    X(OP_HYPOT, hypot(a, b), v > 0.0 ? a / v : 0.0, v > 0.0 ? b / v : 0.0)

#define FLAT_OPERATIONS_OF_TWO(X)                                                                                      \
    X(OP_LESS, a < b, 0.0, 0.0)                                                                                        \
    X(OP_LESS_EQUAL, a <= b, 0.0, 0.0)                                                                                 \
    X(OP_GREATER, a > b, 0.0, 0.0)                                                                                     \
    X(OP_GREATER_EQUAL, a >= b, 0.0, 0.0)                                                                              \
    X(OP_EQUAL, a == b, 0.0, 0.0)                                                                                      \
    X(OP_UNEQUAL, a != b, 0.0, 0.0)                                                                                    \
    X(OP_AND, a != 0.0 && b != 0.0, 0.0, 0.0)                                                                          \
    X(OP_XOR, (a != 0.0) != (b != 0.0), 0.0, 0.0)                                                                      \
    X(OP_OR, a != 0.0 || b != 0.0, 0.0, 0.0)

#define FLAT_OPERATIONS_OF_ONE(X)                                                                                      \
    X(OP_NOT, a == 0.0, 0.0, 0.0)                                                                                      \
    X(OP_SIGN, a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : a), 0.0, 0.0)                                                         \
    X(OP_STEP, a > 0.0 ? 1.0 : (a < 0.0 ? 0.0 : a + 0.5), 0.0, 0.0)                                                    \
    X(OP_FLOOR, floor(a), 0.0, 0.0)                                                                                    \
    X(OP_CEIL, ceil(a), 0.0, 0.0)                                                                                      \
    X(OP_TRUNCATE, trunc(a), 0.0, 0.0)                                                                                 \
    X(OP_ROUND, round(a), 0.0, 0.0)                                                                                    \
    X(OP_HASH, random_at(a), 0.0, 0.0)                                                                                 \
    X(OP_NEAREST, nearbyint(a), 0.0, 0.0)

#define OPERATIONS_OF_ONE(X)                                                                                           \
    X(OP_NEGATE, -a, -1.0, 0.0)                                                                                        \
    X(OP_ABS, fabs(a), a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : 0.0), 0.0)                                                    \
    X(OP_SQUARE, (a * a), a + a, 0.0)                                                                                  \
    X(OP_CBRT, cbrt(a), 1.0 / (3.0 * v * v), 0.0)                                                                      \
    X(OP_SQRT, sqrt(a), 0.5 / v, 0.0)                                                                                  \
    X(OP_EXP, exp(a), v, 0.0)                                                                                          \
    X(OP_LOG, log(a), 1.0 / a, 0.0)                                                                                    \
    X(OP_LOG10, log10(a), 0.43429448190325182765 / a, 0.0)                                                             \
    X(OP_CUT_LOG, log(cut_above_zero(a)), a > ABOVE_ZERO ? 1.0 / a : 0.0, 0.0)                                         \
    X(OP_CUT_LOG10, log10(cut_above_zero(a)), a > ABOVE_ZERO ? 0.43429448190325182765 / a : 0.0, 0.0)                  \
    X(OP_LOG_OF_EXP, a > 0.0 ? a + log1p(exp(-a)) : log1p(exp(a)), 1.0 / (1.0 + exp(-a)), 0.0)                         \
    X(OP_SIN, sin(a), cos(a), 0.0)                                                                                     \
    X(OP_COS, cos(a), -sin(a), 0.0)                                                                                    \
    X(OP_TAN, tan(a), 1.0 + v * v, 0.0)                                                                                \
    X(OP_ASIN, asin(a), 1.0 / sqrt((1.0 - a) * (1.0 + a)), 0.0)                                                        \
    X(OP_ACOS, acos(a), -1.0 / sqrt((1.0 - a) * (1.0 + a)), 0.0)                                                       \
    X(OP_ATAN, atan(a), 1.0 / (1.0 + a * a), 0.0)                                                                      \
    X(OP_SINH, sinh(a), cosh(a), 0.0)                                                                                  \
    X(OP_COSH, cosh(a), sinh(a), 0.0)                                                                                  \
    X(OP_TANH, tanh(a), (1.0 - v) * (1.0 + v), 0.0)                                                                    \
    X(OP_ASINH, asinh(a), 1.0 / hypot(a, 1.0), 0.0)                                                                    \
    X(OP_ACOSH, acosh(a), 1.0 / (sqrt(a - 1.0) * sqrt(a + 1.0)), 0.0)                                                  \
    X(OP_ATANH, atanh(a), 1.0 / ((1.0 - a) * (1.0 + a)), 0.0)                                                          \
    X(OP_CUT_ATANH, atanh(cut_below_one(a)), fabs(a) < BELOW_ONE ? 1.0 / ((1.0 - a) * (1.0 + a)) : 0.0, 0.0)           \
    X(OP_REAL_ROOT, a > 0.0 ? sqrt(a) : 0.0, a > 0.0 ? 0.5 / v : 0.0, 0.0)                                             \
    X(OP_REAL_ASIN, asin(cut_to_one(a)), fabs(a) < 1.0 ? 1.0 / sqrt((1.0 - a) * (1.0 + a)) : 0.0, 0.0)                 \
    X(OP_REAL_ACOS, acos(cut_to_one(a)), fabs(a) < 1.0 ? -1.0 / sqrt((1.0 - a) * (1.0 + a)) : 0.0, 0.0)                \
    X(OP_REAL_ACOSH, a > 1.0 ? acosh(a) : 0.0, a > 1.0 ? 1.0 / (sqrt(a - 1.0) * sqrt(a + 1.0)) : 0.0, 0.0)             \
    X(OP_REAL, a, 1.0, 0.0)                                                                                            \
    X(OP_IMAGINARY, 0.0, 0.0, 0.0)                                                                                     \
    X(OP_PHASE, a < 0.0 ? 180.0 : 0.0, 0.0, 0.0)                                                                       \
    X(OP_DECIBEL, 20.0 * log10(fabs(a)), DECIBELS_OF_NEPER / a, 0.0)                                                   \
    X(OP_GROUP_DELAY, 0.0, 0.0, 0.0)                                                                                   \
    X(OP_MOVE, a, 1.0, 0.0)

/* Of one operand and a number b. */
#define OPERATIONS_WITH_NUMBER(X)                                                                                      \
    X(OP_INTEGER_POWER, integer_power(a, (int)b), (b * integer_power(a, (int)b - 1)), 0.0)                             \
    X(OP_FIXED_POWER, power_value(a, b), power_by_base(a, b, v), 0.0)                                                  \
    X(OP_FIXED_SIGNED_POWER, signed_power_value(a, b), power_by_base(a, b, v), 0.0)

#define ALL_OPERATIONS(X)                                                                                              \
    OPERATIONS_OF_TWO(X)                                                                                               \
    FLAT_OPERATIONS_OF_TWO(X) FLAT_OPERATIONS_OF_ONE(X) OPERATIONS_OF_ONE(X) OPERATIONS_WITH_NUMBER(X)

enum operation {
#define NAME(operation, value, by_a, by_b) operation,
    ALL_OPERATIONS(NAME)
#undef NAME
    /* one operand and a table */
    OP_PWL,
    /* in programs only */
    OP_BRANCH_IF_ZERO,
    OP_JUMP,
    /* in trees only: functions that are written with the operations above */
    OP_CONDITION,
    OP_RAMP,
    OP_CLIPPED_RAMP,
    OP_LIMIT, /* with two arguments random, as those that follow */
    OP_MEDIAN,
    OP_COMPARE_ZERO,
    OP_AGAUSS, /* random: draws.h */
    OP_GAUSS,
    OP_AUNIF,
    OP_UNIF,
    OP_MC,
    OP_FLAT,
    OP_UNIT,
    OP_ABSOLUTE_POWER, /* |x|^y */
    OP_POWER_AND_SIGN, /* x^y times the sign of x */
    OP_WHOLE_POWER,    /* x to the integer part of y */
    OP_SIGNED_ROOT,
    OP_SIGNED_LOG,
    OP_SIGNED_LOG10,
    OP_SIGNED_DECIBEL,
    OP_REAL_LOG, /* real parts of the complex logarithm */
    OP_REAL_LOG10,
    OP_SIGN_OF,
    OP_BUFFER,
    OP_INVERTER,
    OP_IS_WHOLE,
    OP_ZERO,
    OP_ONE,
    OP_UPPER, /* LTspice's uplim and its kin */
    OP_LOWER,
    OP_UPPER_TANH,
    OP_LOWER_TANH,
    OP_SMOOTH_RANDOM,
    OP_WHITE,
    OP_TABLE,
    OP_AKIMA,
    OP_WODICKA,
    OP_CUBIC,
    OP_BARYCENTRIC,
    OP_SPICE_SIN, /* of time */
    OP_SCHEDULE,
    OP_SPICE_EXP,
    OP_SPICE_SFFM,
    OP_SPICE_PULSE,
    OP_POLY,
    OP_DERIVATIVE, /* states, which are unknowns of the circuit (expression_state.c) */
    OP_INTEGRAL,
    OP_WRAPPED_INTEGRAL,
    OP_DELAYED
};

/* A value and points, or a file of them. */
static inline bool operation_takes_points(enum operation op)
{
    return op == OP_PWL || op == OP_TABLE || op == OP_AKIMA || op == OP_WODICKA || op == OP_CUBIC ||
           op == OP_BARYCENTRIC;
}

static inline bool operation_is_binary(enum operation op)
{
    return op <= OP_OR;
}

/* The second operand is a value or a number, not a copy of the first. */
static inline bool operation_has_second(enum operation op)
{
    return op <= OP_OR || (op >= OP_INTEGER_POWER && op <= OP_FIXED_SIGNED_POWER);
}

/* Functions of time. */
static inline bool operation_is_timed(enum operation op)
{
    return op >= OP_SPICE_SIN && op <= OP_SPICE_PULSE;
}

static inline bool operation_is_state(enum operation op)
{
    return op >= OP_DERIVATIVE && op <= OP_DELAYED;
}

/* True when the result is piecewise constant, so that it carries no gradient. */
static inline bool operation_is_flat(enum operation op)
{
    return op >= OP_LESS && op <= OP_NEAREST;
}

/* A jump at each whole number of something. */
static inline bool operation_is_stair(enum operation op)
{
    return op == OP_FLOOR || op == OP_CEIL || op == OP_TRUNCATE || op == OP_NEAREST || op == OP_ROUND ||
           op == OP_MODULO;
}

/* x^n, n a whole number. */
double integer_power(double x, int n);
double power_value(double x, double y);
double signed_power_value(double x, double y);
/* Re(x^y). */
double real_power_value(double x, double y);
double real_power_by_exponent(double x, double y, double v);
/* x between -1 and 1; NaN stays. */
static inline double cut_to_one(double x)
{
    return x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x;
}

/* The largest argument Xyce lets its atanh have, 1 - 1e-12: 14.16 comes out. */
#define BELOW_ONE (1.0 - 1e-12)
static inline double cut_below_one(double x)
{
    return x > BELOW_ONE ? BELOW_ONE : x < -BELOW_ONE ? -BELOW_ONE : x;
}

/* The smallest argument of a logarithm that is left as it is where 0 has one, too. */
#define ABOVE_ZERO 1e-99
static inline double cut_above_zero(double x)
{
    return x >= 0.0 && x < ABOVE_ZERO ? ABOVE_ZERO : x;
}

/* A number between 0 and 1 that depends on the whole part of x only, and looks random. */
double random_at(double x);
/* dv/dx = y v / x and dv/dy = v ln|x|, with their limits at x = 0; they hold for all powers but the
 * second for the real part. */
double power_by_base(double x, double y, double v);
double power_by_exponent(double x, double y, double v);

/* Derivative of min(x, y) with respect to x; at a tie half, so that those of min(x,0) and max(x,0) add to one. */
static inline double lesser(double x, double y)
{
    return x < y ? 1.0 : x == y ? 0.5 : 0.0;
}

/* The value of an operation on numbers; b is ignored by those of one operand. */
static inline double operation_value(enum operation op, double a, double b)
{
    switch (op) {
#define VALUE(operation, value, by_a, by_b)                                                                            \
    case operation:                                                                                                    \
        return value;
        ALL_OPERATIONS(VALUE)
#undef VALUE
    default:
        return a;
    }
}

/* The value and both partial derivatives. */
static inline double operation_with_partials(enum operation op, double a, double b, double *da, double *db)
{
    double v;
    switch (op) {
#define PARTIALS(operation, value, by_a, by_b)                                                                         \
    case operation:                                                                                                    \
        v = value;                                                                                                     \
        *da = by_a;                                                                                                    \
        *db = by_b;                                                                                                    \
        return v;
        ALL_OPERATIONS(PARTIALS)
#undef PARTIALS
    default:
        *da = *db = 0.0;
        return a;
    }
}

#endif
