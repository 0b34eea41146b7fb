/* functions.c - see functions.h.  What each program says of its own: ngspice 39's manual (B sources and .param), the help
 * of LTspice XVII, the PSpice A/D reference guide, the HSPICE command reference, Xyce's reference guide. */
#include "netlist/functions/functions.h"

#include "base/names.h"

#include <stdint.h>

#define ALL         (~0u)
#define SPICE       (DIALECT_BIT(DIALECT_SPICE) | DIALECT_BIT(DIALECT_NGSPICE) | DIALECT_BIT(DIALECT_KICAD))
#define LTSPICE     DIALECT_BIT(DIALECT_LTSPICE)
#define PSPICE      DIALECT_BIT(DIALECT_PSPICE)
#define HSPICE      DIALECT_BIT(DIALECT_HSPICE)
#define XYCE        DIALECT_BIT(DIALECT_XYCE)
#define BUT(others) (ALL & ~(others))

/* Of one name the row without a dialect of its own stands first. */
static const struct builtin_function functions[] = {
    /* powers, roots, logarithms */
    {"sqrt", "x", OP_SQRT, 0, 1, 1, BUT(LTSPICE | HSPICE | XYCE), "square root"},
    {"sqrt", "x", OP_REAL_ROOT, 0, 1, 1, LTSPICE | XYCE, "square root; 0 for a negative x"},
    {"sqrt", "x", OP_SIGNED_ROOT, 0, 1, 1, HSPICE, "square root of |x| with the sign of x"},
    {"cbrt", "x", OP_CBRT, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "cube root"},
    {"sqr", "x", OP_SQUARE, 0, 1, 1, SPICE, "x*x"},
    {"square", "x", OP_SQUARE, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "x*x"},
    {"pow", "x, y", OP_POWER, 0, 2, 2, BUT(LTSPICE | XYCE | HSPICE),
     "x^y; of a negative x |x|^y, with its sign for an odd y"},
    {"pow", "x, y", OP_REAL_POWER, 0, 2, 2, LTSPICE | XYCE, "x^y; of a negative x the real part"},
    {"pow", "x, y", OP_WHOLE_POWER, 0, 2, 2, HSPICE, "x to the integer part of y"},
    {"pwr", "x, y", OP_SIGNED_POWER, 0, 2, 2, SPICE | HSPICE, "|x|^y with the sign of x; ngspice's .param has |x|^y"},
    {"pwr", "x, y", OP_ABSOLUTE_POWER, 0, 2, 2, LTSPICE | PSPICE, "|x|^y"},
    {"pwr", "x, y", OP_REAL_POWER, 0, 2, 2, XYCE, "x^y; of a negative x the real part"},
    {"pwrs", "x, y", OP_SIGNED_POWER, 0, 2, 2, BUT(HSPICE), "|x|^y with the sign of x"},
    {"exp", "x", OP_EXP, 0, 1, 1, ALL, "e^x"},
    {"ln", "x", OP_LOG, 0, 1, 1, BUT(XYCE), "natural logarithm"},
    {"ln", "x", OP_REAL_LOG, 0, 1, 1, XYCE, "natural logarithm; of a negative x the real part, that of |x|"},
    {"log", "x", OP_LOG, 0, 1, 1, BUT(HSPICE | XYCE), "natural logarithm"},
    {"log", "x", OP_SIGNED_LOG, 0, 1, 1, HSPICE, "natural logarithm of |x| with the sign of x"},
    {"log", "x", OP_REAL_LOG10, 0, 1, 1, XYCE, "logarithm to base 10; of a negative x that of |x|"},
    {"log10", "x", OP_LOG10, 0, 1, 1, BUT(HSPICE | XYCE), "logarithm to base 10"},
    {"log10", "x", OP_REAL_LOG10, 0, 1, 1, XYCE, "logarithm to base 10; of a negative x that of |x|"},
    {"log10", "x", OP_SIGNED_LOG10, 0, 1, 1, HSPICE, "logarithm of |x| to base 10 with the sign of x"},
    {"hypot", "x, y", OP_HYPOT, 0, 2, 2, ALL, "root of x^2 + y^2"},
    /* trigonometry, in radians */
    {"sin", "x", OP_SIN, 0, 1, 1, ALL, "sine"},
    {"cos", "x", OP_COS, 0, 1, 1, ALL, "cosine"},
    {"tan", "x", OP_TAN, 0, 1, 1, ALL, "tangent"},
    {"asin", "x", OP_ASIN, 0, 1, 1, BUT(LTSPICE | XYCE), "inverse sine"},
    {"asin", "x", OP_REAL_ASIN, 0, 1, 1, LTSPICE | XYCE, "inverse sine; of a large x that of 1 or -1"},
    {"arcsin", "x", OP_REAL_ASIN, 0, 1, 1, LTSPICE, "inverse sine; of a large x that of 1 or -1"},
    {"acos", "x", OP_ACOS, 0, 1, 1, BUT(LTSPICE | XYCE), "inverse cosine"},
    {"acos", "x", OP_REAL_ACOS, 0, 1, 1, LTSPICE | XYCE, "inverse cosine; of a large x that of 1 or -1"},
    {"arccos", "x", OP_REAL_ACOS, 0, 1, 1, LTSPICE, "inverse cosine; of a large x that of 1 or -1"},
    {"atan", "x", OP_ATAN, 0, 1, 1, ALL, "inverse tangent"},
    {"arctan", "x", OP_ATAN, 0, 1, 1, ALL, "inverse tangent"},
    {"atan2", "y, x", OP_ATAN2, 0, 2, 2, ALL, "angle of the point (x, y)"},
    {"sinh", "x", OP_SINH, 0, 1, 1, ALL, "hyperbolic sine"},
    {"cosh", "x", OP_COSH, 0, 1, 1, ALL, "hyperbolic cosine"},
    {"tanh", "x", OP_TANH, 0, 1, 1, ALL, "hyperbolic tangent"},
    {"asinh", "x", OP_ASINH, 0, 1, 1, ALL, "inverse hyperbolic sine"},
    {"acosh", "x", OP_ACOSH, 0, 1, 1, BUT(LTSPICE | XYCE), "inverse hyperbolic cosine"},
    {"acosh", "x", OP_REAL_ACOSH, 0, 1, 1, LTSPICE | XYCE, "inverse hyperbolic cosine; 0 for x below 1"},
    {"atanh", "x", OP_ATANH, 0, 1, 1, BUT(XYCE), "inverse hyperbolic tangent"},
    {"atanh", "x", OP_CUT_ATANH, 0, 1, 1, XYCE, "inverse hyperbolic tangent; beyond 1 - 1e-12 that of 1 - 1e-12"},
    /* signs, rounding, limits */
    {"abs", "x", OP_ABS, 0, 1, 1, ALL, "|x|"},
    {"sgn", "x", OP_SIGN, 0, 1, 1, ALL, "1, 0 or -1: the sign of x"},
    {"sign", "x, y", OP_SIGN_OF, 0, 2, 2, HSPICE | XYCE | DIALECT_BIT(DIALECT_SPICE), "|x| with the sign of y"},
    {"floor", "x", OP_FLOOR, 0, 1, 1, ALL, "largest whole number up to x"},
    {"ceil", "x", OP_CEIL, 0, 1, 1, ALL, "least whole number from x on"},
    {"int", "x", OP_TRUNCATE, 0, 1, 1, ALL, "x without its decimals"},
    {"nint", "x", OP_NEAREST, 0, 1, 1, SPICE, "nearest whole number, the even one of two"},
    {"nint", "x", OP_ROUND, 0, 1, 1, BUT(SPICE), "nearest whole number, the one away from 0 of two"},
    {"round", "x", OP_ROUND, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "nearest whole number, the one away from 0 of two"},
    {"intq", "x", OP_IS_WHOLE, 0, 1, 1, PSPICE, "1 for a whole number, else 0"},
    {"mod", "x, y", OP_MODULO, 0, 2, 2, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "remainder of x/y, of the sign of x"},
    {"fmod", "x, y", OP_MODULO, 0, 2, 2, XYCE | HSPICE | DIALECT_BIT(DIALECT_SPICE),
     "remainder of x/y, of the sign of x"},
    {"min", "x, ..", OP_MINIMUM, 0, 1, SIZE_MAX, ALL, "least of its arguments"},
    {"max", "x, ..", OP_MAXIMUM, 0, 1, SIZE_MAX, ALL, "largest of its arguments"},
    {"limit", "x, a, b", OP_LIMIT, 0, 2, 3, BUT(LTSPICE),
     "x between a and b; limit(nominal, deviation): one end or the other"},
    {"limit", "x, a, b", OP_MEDIAN, 0, 2, 3, LTSPICE, "the one in the middle of x, a and b"},
    {"uplim", "x, a, z", OP_UPPER, 0, 3, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "x up to a, rounded by an exponential over z"},
    {"dnlim", "x, a, z", OP_LOWER, 0, 3, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "x down to a, rounded by an exponential over z"},
    {"uplim_tanh", "x, a, z", OP_UPPER_TANH, 0, 3, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "x up to a, rounded by a tanh over z"},
    {"dnlim_tanh", "x, a, z", OP_LOWER_TANH, 0, 3, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "x down to a, rounded by a tanh over z"},
    /* steps and conditions */
    {"if", "c, x, y", OP_CONDITION, 0, 3, 3, ALL, "x where c is true, else y; LTspice: true is above 1/2"},
    {"ternary_fcn", "c, x, y", OP_CONDITION, 0, 3, 3, SPICE, "x where c is not 0, else y"},
    {"u", "x", OP_STEP, 0, 1, 1, BUT(LTSPICE | PSPICE | XYCE), "step: 0, at x = 0 a half, 1"},
    {"u", "x", OP_COMPARE_ZERO, OP_GREATER, 1, 1, LTSPICE | PSPICE | XYCE, "1 where x > 0, else 0"},
    {"stp", "x", OP_COMPARE_ZERO, OP_GREATER, 1, 1, BUT(HSPICE), "1 where x > 0, else 0"},
    {"u2", "x", OP_CLIPPED_RAMP, 0, 1, 1, SPICE, "x between 0 and 1"},
    {"uramp", "x", OP_RAMP, 0, 1, 1, BUT(HSPICE), "x where x > 0, else 0"},
    {"buf", "x", OP_BUFFER, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "1 where x > 1/2, else 0"},
    {"inv", "x", OP_INVERTER, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "0 where x > 1/2, else 1"},
    {"eq0", "x", OP_COMPARE_ZERO, OP_EQUAL, 1, 1, SPICE, "1 where x = 0, else 0"},
    {"ne0", "x", OP_COMPARE_ZERO, OP_UNEQUAL, 1, 1, SPICE, "1 where x is not 0, else 0"},
    {"gt0", "x", OP_COMPARE_ZERO, OP_GREATER, 1, 1, SPICE, "1 where x > 0, else 0"},
    {"lt0", "x", OP_COMPARE_ZERO, OP_LESS, 1, 1, SPICE, "1 where x < 0, else 0"},
    {"ge0", "x", OP_COMPARE_ZERO, OP_GREATER_EQUAL, 1, 1, SPICE, "1 where x >= 0, else 0"},
    {"le0", "x", OP_COMPARE_ZERO, OP_LESS_EQUAL, 1, 1, SPICE, "1 where x <= 0, else 0"},
    {"zero", "x", OP_ZERO, 0, 1, 1, PSPICE, "0"},
    {"one", "x", OP_ONE, 0, 1, 1, PSPICE, "1"},
    /* tables and polynomials */
    {"pwl", "x, x1, y1, ..", OP_PWL, 0, 3, SIZE_MAX, ALL, "straight lines between points, which go on beyond the ends"},
    {"table", "x, x1, y1, ..", OP_TABLE, 0, 3, SIZE_MAX, ALL,
     "straight lines between points, constant beyond the ends"},
    {"tbl", "x, x1, y1, ..", OP_TABLE, 0, 3, SIZE_MAX, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "table"},
    {"tablefile", "\"file\"", OP_TABLE, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "table of the points of a file over the time; so is table(\"file\")"},
    {"fasttable", "x, x1, y1, ..", OP_TABLE, 0, 3, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE), "table"},
    {"fasttablefile", "\"file\"", OP_TABLE, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE), "tablefile"},
    {"akima", "x, x1, y1, ..", OP_AKIMA, 0, 7, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "Akima's smooth curve through points, level beyond the ends"},
    {"akimafile", "\"file\"", OP_AKIMA, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "the same of the points of a file over the time"},
    {"spline", "x, x1, y1, ..", OP_AKIMA, 0, 7, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE), "akima"},
    {"splinefile", "\"file\"", OP_AKIMA, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE), "akimafile"},
    {"cubic", "x, x1, y1, ..", OP_CUBIC, 0, 7, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "natural cubic spline through points, level beyond the ends"},
    {"cubicfile", "\"file\"", OP_CUBIC, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "the same of the points of a file over the time"},
    {"wodicka", "x, x1, y1, ..", OP_WODICKA, 0, 7, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "akima with corners where straight lines meet"},
    {"wodickafile", "\"file\"", OP_WODICKA, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "the same of the points of a file over the time"},
    {"bli", "x, x1, y1, ..", OP_BARYCENTRIC, 0, 5, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "the polynomial through all points"},
    {"blifile", "\"file\"", OP_BARYCENTRIC, 0, 1, 1, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "the same of the points of a file over the time"},
    {"schedule", "t1, x1, t2, x2, ..", OP_SCHEDULE, 0, 2, SIZE_MAX, XYCE | DIALECT_BIT(DIALECT_SPICE),
     "x1 from the time t1 on, x2 from t2 on; 0 before"},
    {"poly", "n", OP_POLY, 0, 2, SIZE_MAX, ALL, "SPICE2's polynomial: POLY(2) V(1) V(2) p0 p1 p2 .."},
    /* states */
    {"ddt", "x", OP_DERIVATIVE, 0, 1, 1, ALL, "derivative in time"},
    {"sdt", "x, ic, reset", OP_INTEGRAL, 0, 1, 3, PSPICE | XYCE | DIALECT_BIT(DIALECT_SPICE),
     "integral over time from ic on; ic while reset is not 0"},
    {"idt", "x, ic, reset", OP_INTEGRAL, 0, 1, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "integral over time from ic on; ic while reset is not 0"},
    {"idtmod", "x, ic, m, o", OP_WRAPPED_INTEGRAL, 0, 1, 4, LTSPICE | DIALECT_BIT(DIALECT_SPICE),
     "the same less as many m as bring it between o and o + m"},
    {"delay", "x, td", OP_DELAYED, 0, 2, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "x of the time td before"},
    {"absdelay", "x, td", OP_DELAYED, 0, 2, 3, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "x of the time td before"},
    /* waveforms, of time */
    {"spice_pulse", "v1, v2, td, tr, tf, pw, per", OP_SPICE_PULSE, 0, 6, 7, XYCE | DIALECT_BIT(DIALECT_SPICE), "PULSE"},
    {"spice_sin", "v0, va, freq, td, theta, phase", OP_SPICE_SIN, 0, 3, 6, XYCE | DIALECT_BIT(DIALECT_SPICE), "SIN"},
    {"spice_exp", "v1, v2, td1, tau1, td2, tau2", OP_SPICE_EXP, 0, 6, 6, XYCE | DIALECT_BIT(DIALECT_SPICE), "EXP"},
    {"spice_sffm", "v0, va, fc, mdi, fs", OP_SPICE_SFFM, 0, 5, 5, XYCE | DIALECT_BIT(DIALECT_SPICE), "SFFM"},
    /* chance */
    {"agauss", "nominal, variation, sigmas", OP_AGAUSS, 0, 2, 4, ALL, "normal; sigmas deviations are the variation"},
    {"gauss", "nominal, variation, sigmas", OP_GAUSS, 0, 1, 4, ALL,
     "the same with a relative variation; gauss(deviation) around 0"},
    {"aunif", "nominal, variation", OP_AUNIF, 0, 2, 3, ALL, "uniform, the variation to both sides"},
    {"unif", "nominal, variation", OP_UNIF, 0, 2, 3, ALL, "the same with a relative variation"},
    {"mc", "nominal, tolerance", OP_MC, 0, 2, 2, ALL, "uniform, a relative tolerance to both sides"},
    {"flat", "x", OP_FLAT, 0, 1, 1, ALL, "uniform from -x to x"},
    {"rand", "x", OP_HASH, 0, 1, 1, BUT(XYCE), "a number from 0 to 1 for each whole part of x"},
    {"rand", "", OP_UNIT, 0, 0, 0, XYCE | DIALECT_BIT(DIALECT_SPICE), "uniform from 0 to 1"},
    {"random", "x", OP_SMOOTH_RANDOM, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "rand(x) with smooth transitions"},
    {"white", "x", OP_WHITE, 0, 1, 1, LTSPICE | DIALECT_BIT(DIALECT_SPICE), "random(x) - 1/2"},
    /* parts of phasors; of numbers, what they are of one without an imaginary part */
    {"mag", "x", OP_ABS, 0, 1, 1, ALL, "magnitude"},
    {"m", "x", OP_ABS, 0, 1, 1, PSPICE | XYCE, "magnitude"},
    {"ph", "x", OP_PHASE, 0, 1, 1, ALL, "phase in degrees"},
    {"p", "x", OP_PHASE, 0, 1, 1, PSPICE, "phase in degrees"},
    {"phase", "x", OP_PHASE, 0, 1, 1, ALL, "phase in degrees"},
    {"re", "x", OP_REAL, 0, 1, 1, ALL, "real part"},
    {"r", "x", OP_REAL, 0, 1, 1, PSPICE | XYCE, "real part"},
    {"real", "x", OP_REAL, 0, 1, 1, ALL, "real part"},
    {"im", "x", OP_IMAGINARY, 0, 1, 1, ALL, "imaginary part"},
    {"imag", "x", OP_IMAGINARY, 0, 1, 1, ALL, "imaginary part"},
    {"img", "x", OP_IMAGINARY, 0, 1, 1, ALL, "imaginary part"},
    {"db", "x", OP_DECIBEL, 0, 1, 1, BUT(HSPICE), "20 log10 |x|"},
    {"db", "x", OP_SIGNED_DECIBEL, 0, 1, 1, HSPICE, "20 log10 |x|; of a negative number its opposite"},
    {"gd", "x", OP_GROUP_DELAY, 0, 1, 1, ALL, "group delay"},
};

/* CODATA 2018; kelvin is absolute zero in degrees Celsius, as in ngspice. */
static const struct builtin_constant constants[] = {
    {"pi", 3.14159265358979323846, ALL, "half a turn"},
    {"e", 2.71828182845904523536, ALL, "base of the natural logarithm"},
    {"echarge", 1.602176634e-19, ALL, "charge of the electron, C"},
    {"q", 1.602176634e-19, LTSPICE, "charge of the electron, C"},
    {"boltz", 1.380649e-23, ALL, "Boltzmann's constant, J/K"},
    {"k", 1.380649e-23, LTSPICE, "Boltzmann's constant, J/K"},
    {"planck", 6.62607015e-34, ALL, "Planck's constant, J s"},
    {"c", 299792458.0, DIALECT_BIT(DIALECT_NGSPICE), "speed of light, m/s"},
    {"kelvin", -273.15, ALL, "absolute zero in degrees Celsius"},
    {"ctok", 273.15, XYCE, "0 degrees Celsius in kelvin"},
    {"constctok", 273.15, XYCE, "0 degrees Celsius in kelvin"},
    {"true", 1.0, XYCE | DIALECT_BIT(DIALECT_SPICE), "1"},
    {"false", 0.0, XYCE | DIALECT_BIT(DIALECT_SPICE), "0"},
};

static const struct builtin_quantity quantities[] = {
    {"time", QUANTITY_TIME, ALL, "time of a transient, s"},
    {"temper", QUANTITY_TEMPERATURE, ALL, "temperature, degrees Celsius"},
    {"temp", QUANTITY_TEMPERATURE, ALL, "temperature, degrees Celsius"},
    {"hertz", QUANTITY_FREQUENCY, ALL, "frequency, Hz, of .ac and its like; 0 at rest and in waveforms"},
    {"freq", QUANTITY_FREQUENCY, BUT(SPICE), "frequency, Hz, of .ac and its like; 0 at rest and in waveforms"},
    {"vt", QUANTITY_THERMAL, XYCE, "thermal voltage kT/q, V"},
};

static const struct builtin_operator operators[] = {
    {"c ? x : y", ALL, "x where c is true, else y"},
    {"|| |", ALL, "or: 1 or 0; LTspice: true is above 1/2"},
    {"&& &", ALL, "and"},
    {"~", ALL, "not, of the comparison behind it"},
    {"^", LTSPICE | PSPICE | XYCE, "one or the other, not both"},
    {"== != <>", ALL, "equal, unequal: 1 or 0"},
    {"< <= > >=", ALL, "comparison: 1 or 0"},
    {"+ -", ALL, "sum, difference"},
    {"* / %", ALL, "product, quotient, remainder; Xyce: the remainder of a product"},
    {"- + !", ALL, "sign, not"},
    {"**", BUT(XYCE | LTSPICE | HSPICE), "power; of a negative x |x|^y, with its sign for an odd y; from the left"},
    {"**", LTSPICE, "power; of a negative x the real part; from the left"},
    {"**", XYCE, "power; of a negative x the real part; from the right"},
    {"**", HSPICE, "power; of a negative x that to the integer part of y; from the left"},
    {"^", BUT(LTSPICE | PSPICE | XYCE), "the same as **"},
};

#define ROWS(table) (sizeof(table) / sizeof *(table))

const struct builtin_function *builtin_function_at(size_t i)
{
    return i < ROWS(functions) ? &functions[i] : NULL;
}

const struct builtin_function *builtin_function(const char *name, enum dialect dialect)
{
    const struct builtin_function *found = NULL;
    for (size_t i = 0; i < ROWS(functions); i++) {
        const bool named = names_equal(functions[i].name, name);
        if (named && (functions[i].dialects & DIALECT_BIT(dialect)))
            return &functions[i];
        if (named && !found)
            found = &functions[i];
    }
    return found;
}

const struct builtin_function *builtin_function_of(const char *name, enum dialect dialect, size_t count)
{
    const struct builtin_function *first = builtin_function(name, dialect);
    for (size_t i = 0; first && i < ROWS(functions); i++) {
        const struct builtin_function *f = &functions[i];
        if (names_equal(f->name, name) && (f->dialects & DIALECT_BIT(dialect)) && count >= f->least && count <= f->most)
            return f;
    }
    return first;
}

const struct builtin_constant *builtin_constant_at(size_t i)
{
    return i < ROWS(constants) ? &constants[i] : NULL;
}

const struct builtin_constant *builtin_constant(const char *name, enum dialect dialect)
{
    for (size_t i = 0; i < ROWS(constants); i++)
        if ((constants[i].dialects & DIALECT_BIT(dialect)) && names_equal(constants[i].name, name))
            return &constants[i];
    return NULL;
}

const struct builtin_quantity *builtin_quantity_at(size_t i)
{
    return i < ROWS(quantities) ? &quantities[i] : NULL;
}

const struct builtin_quantity *builtin_quantity(const char *name, enum dialect dialect)
{
    for (size_t i = 0; i < ROWS(quantities); i++)
        if ((quantities[i].dialects & DIALECT_BIT(dialect)) && names_equal(quantities[i].name, name))
            return &quantities[i];
    return NULL;
}

const struct builtin_operator *builtin_operator_at(size_t i)
{
    return i < ROWS(operators) ? &operators[i] : NULL;
}
