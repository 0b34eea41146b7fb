/* expression_operations.h - the operators and functions of the expression language: names, values, derivatives.
 *
 * Values follow ngspice's B source (manual, "Non-linear dependent sources"), with these choices where it and
 * mathematics part:
 *   x^y, x**y, pow(x,y)   |x|^y for a negative x, as ngspice has it; but for an odd integer y the sign of x is kept,
 *                         so that x^3 is x*x*x (ngspice 39: |x|^3 in a B source, pow(x,3) = x^3 in .param).
 *   pwr(x,y)              sgn(x) |x|^y.
 *   log(x) = ln(x)        natural logarithm; log10 to base ten.
 *   u(0) = 1/2            and uramp'(0) = 1/2; nint rounds half to even; int cuts towards zero.
 *   sqrt, log, asin, ...  NaN outside their range, 1/0 = inf; nothing is clipped.
 */
#ifndef NETLIST_EXPRESSION_OPERATIONS_H
#define NETLIST_EXPRESSION_OPERATIONS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum operation {
    /* two operands */
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_SIGNED_POWER,
    OP_MINIMUM,
    OP_MAXIMUM,
    OP_ATAN2,
    OP_HYPOT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_AND,
    OP_OR,
    /* one operand */
    OP_NEGATE,
    OP_NOT,
    OP_ABS,
    OP_SIGN,
    OP_STEP,
    OP_FLOOR,
    OP_CEIL,
    OP_TRUNCATE,
    OP_NEAREST,
    OP_SQUARE,
    OP_SQRT,
    OP_EXP,
    OP_LOG,
    OP_LOG10,
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_ASIN,
    OP_ACOS,
    OP_ATAN,
    OP_SINH,
    OP_COSH,
    OP_TANH,
    OP_ASINH,
    OP_ACOSH,
    OP_ATANH,
    /* one operand and a number */
    OP_INTEGER_POWER,
    /* one operand and a table */
    OP_PWL,
    /* in programs only */
    OP_MOVE,
    OP_BRANCH_IF_ZERO,
    OP_JUMP,
    /* in trees only: functions that are written with the operations above */
    OP_CONDITION,
    OP_RAMP,
    OP_CLIPPED_RAMP,
    OP_LIMIT,
    OP_COMPARE_ZERO
};

/* Functions the user can call. */
struct builtin_function {
    const char *name;
    enum operation operation;
    enum operation comparison; /* OP_COMPARE_ZERO: eq0 ne0 gt0 lt0 ge0 le0 */
    size_t least, most;        /* number of arguments */
};

const struct builtin_function *builtin_function(const char *name);
/* The i-th, or NULL past the end. */
const struct builtin_function *builtin_function_at(size_t i);

/* pi, e, echarge, boltz, planck, kelvin. */
bool builtin_constant(const char *name, double *value);
const char *builtin_constant_name(size_t i);

static inline bool operation_is_binary(enum operation op)
{
    return op <= OP_OR;
}

/* True when the result is piecewise constant, so that it carries no gradient. */
static inline bool operation_is_flat(enum operation op)
{
    return (op >= OP_LESS && op <= OP_OR) || (op >= OP_NOT && op <= OP_NEAREST && op != OP_ABS);
}

/* x^n, n a whole number. */
double integer_power(double x, int n);
/* Values and both partial derivatives of x^y and sgn(x)|x|^y at every x and y, zero included. */
double power_value(double x, double y);
void power_partials(double x, double y, double value, double *dx, double *dy);
double signed_power_value(double x, double y);
void signed_power_partials(double x, double y, double value, double *dx, double *dy);

/* The value of an operation on numbers; b is ignored by those of one operand. */
static inline double operation_value(enum operation op, double a, double b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return power_value(a, b);
    case OP_SIGNED_POWER:
        return signed_power_value(a, b);
    case OP_MINIMUM:
        return a < b ? a : b <= a ? b : a + b; /* the sum hands a NaN on */
    case OP_MAXIMUM:
        return a > b ? a : b >= a ? b : a + b;
    case OP_ATAN2:
        return atan2(a, b);
    case OP_HYPOT:
        return hypot(a, b);
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_EQUAL:
        return a == b;
    case OP_UNEQUAL:
        return a != b;
    case OP_AND:
        return a != 0.0 && b != 0.0;
    case OP_OR:
        return a != 0.0 || b != 0.0;
    case OP_NEGATE:
        return -a;
    case OP_NOT:
        return a == 0.0;
    case OP_ABS:
        return fabs(a);
    case OP_SIGN:
        return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
    case OP_STEP:
        return a > 0.0 ? 1.0 : a < 0.0 ? 0.0 : a + 0.5;
    case OP_FLOOR:
        return floor(a);
    case OP_CEIL:
        return ceil(a);
    case OP_TRUNCATE:
        return trunc(a);
    case OP_NEAREST:
        return nearbyint(a);
    case OP_SQUARE:
        return a * a;
    case OP_SQRT:
        return sqrt(a);
    case OP_EXP:
        return exp(a);
    case OP_LOG:
        return log(a);
    case OP_LOG10:
        return log10(a);
    case OP_SIN:
        return sin(a);
    case OP_COS:
        return cos(a);
    case OP_TAN:
        return tan(a);
    case OP_ASIN:
        return asin(a);
    case OP_ACOS:
        return acos(a);
    case OP_ATAN:
        return atan(a);
    case OP_SINH:
        return sinh(a);
    case OP_COSH:
        return cosh(a);
    case OP_TANH:
        return tanh(a);
    case OP_ASINH:
        return asinh(a);
    case OP_ACOSH:
        return acosh(a);
    case OP_ATANH:
        return atanh(a);
    case OP_INTEGER_POWER:
        return integer_power(a, (int)b);
    default:
        return a;
    }
}

/* Partial derivatives of value = op(a, b); *db is left alone by operations of one operand. */
static inline void operation_partials(enum operation op, double a, double b, double value, double *da, double *db)
{
    switch (op) {
    case OP_ADD:
        *da = *db = 1.0;
        return;
    case OP_SUBTRACT:
        *da = 1.0;
        *db = -1.0;
        return;
    case OP_MULTIPLY:
        *da = b;
        *db = a;
        return;
    case OP_DIVIDE:
        *da = 1.0 / b;
        *db = -value / b;
        return;
    case OP_POWER:
        power_partials(a, b, value, da, db);
        return;
    case OP_SIGNED_POWER:
        signed_power_partials(a, b, value, da, db);
        return;
    case OP_MINIMUM:
        *da = a < b ? 1.0 : a == b ? 0.5 : 0.0;
        *db = 1.0 - *da;
        return;
    case OP_MAXIMUM:
        *da = a > b ? 1.0 : a == b ? 0.5 : 0.0;
        *db = 1.0 - *da;
        return;
    case OP_ATAN2:
        *da = b / (a * a + b * b);
        *db = -a / (a * a + b * b);
        return;
    case OP_HYPOT:
        *da = value > 0.0 ? a / value : 0.0;
        *db = value > 0.0 ? b / value : 0.0;
        return;
    case OP_NEGATE:
        *da = -1.0;
        return;
    case OP_ABS:
        *da = a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
        return;
    case OP_SQUARE:
        *da = a + a;
        return;
    case OP_SQRT:
        *da = 0.5 / value;
        return;
    case OP_EXP:
        *da = value;
        return;
    case OP_LOG:
        *da = 1.0 / a;
        return;
    case OP_LOG10:
        *da = 0.43429448190325182765 / a; /* 1 / ln 10 */
        return;
    case OP_SIN:
        *da = cos(a);
        return;
    case OP_COS:
        *da = -sin(a);
        return;
    case OP_TAN:
        *da = 1.0 + value * value;
        return;
    case OP_ASIN:
        *da = 1.0 / sqrt((1.0 - a) * (1.0 + a));
        return;
    case OP_ACOS:
        *da = -1.0 / sqrt((1.0 - a) * (1.0 + a));
        return;
    case OP_ATAN:
        *da = 1.0 / (1.0 + a * a);
        return;
    case OP_SINH:
        *da = cosh(a);
        return;
    case OP_COSH:
        *da = sinh(a);
        return;
    case OP_TANH:
        *da = (1.0 - value) * (1.0 + value);
        return;
    case OP_ASINH:
        *da = 1.0 / hypot(a, 1.0);
        return;
    case OP_ACOSH:
        *da = 1.0 / (sqrt(a - 1.0) * sqrt(a + 1.0));
        return;
    case OP_ATANH:
        *da = 1.0 / ((1.0 - a) * (1.0 + a));
        return;
    case OP_INTEGER_POWER:
        *da = b * integer_power(a, (int)b - 1);
        return;
    case OP_MOVE:
        *da = 1.0;
        return;
    default:
        *da = 0.0;
        return;
    }
}

#endif
