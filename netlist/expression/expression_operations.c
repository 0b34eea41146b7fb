/* expression_operations.c - the names of functions and constants, and powers with their derivatives at every point. */
#include "netlist/expression/expression_operations.h"

#include "base/names.h"

#include <stdint.h>

static const struct builtin_function functions[] = {
    {"abs", OP_ABS, 0, 1, 1},
    {"acos", OP_ACOS, 0, 1, 1},
    {"acosh", OP_ACOSH, 0, 1, 1},
    {"agauss", OP_AGAUSS, 0, 2, 4},
    {"asin", OP_ASIN, 0, 1, 1},
    {"asinh", OP_ASINH, 0, 1, 1},
    {"atan", OP_ATAN, 0, 1, 1},
    {"arctan", OP_ATAN, 0, 1, 1},
    {"atan2", OP_ATAN2, 0, 2, 2},
    {"atanh", OP_ATANH, 0, 1, 1},
    {"aunif", OP_AUNIF, 0, 2, 3},
    {"ceil", OP_CEIL, 0, 1, 1},
    {"cos", OP_COS, 0, 1, 1},
    {"cosh", OP_COSH, 0, 1, 1},
    {"db", OP_DECIBEL, 0, 1, 1},
    {"exp", OP_EXP, 0, 1, 1},
    {"flat", OP_FLAT, 0, 1, 1},
    {"floor", OP_FLOOR, 0, 1, 1},
    {"gauss", OP_GAUSS, 0, 1, 4},
    {"gd", OP_GROUP_DELAY, 0, 1, 1},
    {"hypot", OP_HYPOT, 0, 2, 2},
    {"if", OP_CONDITION, 0, 3, 3},
    {"im", OP_IMAGINARY, 0, 1, 1},
    {"imag", OP_IMAGINARY, 0, 1, 1},
    {"img", OP_IMAGINARY, 0, 1, 1},
    {"int", OP_TRUNCATE, 0, 1, 1},
    {"limit", OP_LIMIT, 0, 2, 3},
    {"ln", OP_LOG, 0, 1, 1},
    {"log", OP_LOG, 0, 1, 1},
    {"log10", OP_LOG10, 0, 1, 1},
    {"mag", OP_ABS, 0, 1, 1},
    {"max", OP_MAXIMUM, 0, 2, SIZE_MAX},
    {"mc", OP_MC, 0, 2, 2},
    {"min", OP_MINIMUM, 0, 2, SIZE_MAX},
    {"nint", OP_NEAREST, 0, 1, 1},
    {"ph", OP_PHASE, 0, 1, 1},
    {"phase", OP_PHASE, 0, 1, 1},
    {"pow", OP_POWER, 0, 2, 2},
    {"pwl", OP_PWL, 0, 3, SIZE_MAX},
    {"pwr", OP_SIGNED_POWER, 0, 2, 2},
    {"re", OP_REAL, 0, 1, 1},
    {"real", OP_REAL, 0, 1, 1},
    {"sgn", OP_SIGN, 0, 1, 1},
    {"sin", OP_SIN, 0, 1, 1},
    {"sinh", OP_SINH, 0, 1, 1},
    {"sqr", OP_SQUARE, 0, 1, 1},
    {"sqrt", OP_SQRT, 0, 1, 1},
    {"tan", OP_TAN, 0, 1, 1},
    {"tanh", OP_TANH, 0, 1, 1},
    {"ternary_fcn", OP_CONDITION, 0, 3, 3},
    {"u", OP_STEP, 0, 1, 1},
    {"unif", OP_UNIF, 0, 2, 3},
    {"u2", OP_CLIPPED_RAMP, 0, 1, 1},
    {"uramp", OP_RAMP, 0, 1, 1},
    {"eq0", OP_COMPARE_ZERO, OP_EQUAL, 1, 1},
    {"ne0", OP_COMPARE_ZERO, OP_UNEQUAL, 1, 1},
    {"gt0", OP_COMPARE_ZERO, OP_GREATER, 1, 1},
    {"lt0", OP_COMPARE_ZERO, OP_LESS, 1, 1},
    {"ge0", OP_COMPARE_ZERO, OP_GREATER_EQUAL, 1, 1},
    {"le0", OP_COMPARE_ZERO, OP_LESS_EQUAL, 1, 1},
};

/* CODATA 2018; kelvin is absolute zero in degrees Celsius, as in ngspice. */
static const struct {
    const char *name;
    double value;
} constants[] = {
    {"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}, {"echarge", 1.602176634e-19},
    {"boltz", 1.380649e-23},        {"planck", 6.62607015e-34},    {"kelvin", -273.15},
};

const struct builtin_function *builtin_function_at(size_t i)
{
    return i < sizeof functions / sizeof *functions ? &functions[i] : NULL;
}

const struct builtin_function *builtin_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (names_equal(functions[i].name, name))
            return &functions[i];
    return NULL;
}

const char *builtin_constant_name(size_t i)
{
    return i < sizeof constants / sizeof *constants ? constants[i].name : NULL;
}

bool builtin_constant(const char *name, double *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (names_equal(constants[i].name, name)) {
            *value = constants[i].value;
            return true;
        }
    }
    return false;
}

double integer_power(double x, int n)
{
    double result = 1.0, square = x;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left; left >>= 1) {
        if (left & 1u)
            result *= square;
        square *= square;
    }
    return n < 0 ? 1.0 / result : result;
}

static bool is_odd(double y)
{
    return fmod(y, 2.0) == 1.0 || fmod(y, 2.0) == -1.0;
}

double power_value(double x, double y)
{
    return x < 0.0 && !is_odd(y) ? pow(-x, y) : pow(x, y);
}

double signed_power_value(double x, double y)
{
    return x < 0.0 ? -pow(-x, y) : pow(x, y);
}

double power_by_base(double x, double y, double v)
{
    if (x != 0.0)
        return y * v / x;
    return y == 0.0 ? 0.0 : y * pow(0.0, y - 1.0);
}

double power_by_exponent(double x, double y, double v)
{
    if (x != 0.0)
        return v * log(fabs(x));
    return y > 0.0 ? 0.0 : -INFINITY;
}
