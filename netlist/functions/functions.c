/* functions.c - see functions.h.  What each program says of its own: ngspice 39's manual (B sources and .param), the help
 * of LTspice XVII, the PSpice A/D reference guide, the HSPICE command reference, Xyce's reference guide. */
#include "netlist/functions/functions.h"

#include "base/names.h"

#include <stdint.h>

#define ALL         (~0u)
#define SPICE       (DIALECT_BIT(DIALECT_SPICE) | DIALECT_BIT(DIALECT_NGSPICE) | DIALECT_BIT(DIALECT_KICAD))
#define KICAD       DIALECT_BIT(DIALECT_KICAD)
#define LTSPICE     DIALECT_BIT(DIALECT_LTSPICE)
#define PSPICE      DIALECT_BIT(DIALECT_PSPICE)
#define HSPICE      DIALECT_BIT(DIALECT_HSPICE)
#define XYCE        DIALECT_BIT(DIALECT_XYCE)
#define BUT(others) (ALL & ~(others))

static const struct builtin_function functions[] = {
#define ROW(...) {__VA_ARGS__},
#include "netlist/functions/functions.def"
#undef ROW
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
    {"vt", QUANTITY_THERMAL, BUT(LTSPICE | HSPICE), "thermal voltage kT/q, V"},
    {"gmin", QUANTITY_GMIN, BUT(HSPICE), "conductance across junctions of .options gmin, S"},
};

static const struct builtin_operator operators[] = {
    {"c ? x : y", ALL, "x where c is true, else y"},
    {"|| |", ALL, "or: 1 or 0; LTspice: true is above 1/2"},
    {"&& &", ALL, "and"},
    {"~", PSPICE | XYCE, "not, of the comparison behind it"},
    {"^", LTSPICE | PSPICE | XYCE, "one or the other, not both"},
    {"== != <>", ALL, "equal, unequal: 1 or 0"},
    {"< <= > >=", ALL, "comparison: 1 or 0"},
    {"+ -", ALL, "sum, difference"},
    {"* / %", ALL, "product, quotient, remainder; Xyce: the remainder of a product"},
    {"- + !", ALL, "sign, not"},
    {"~", BUT(PSPICE | XYCE), "not, of what stands next to it: !"},
    {"\\", SPICE, "whole part of a quotient"},
    {"**", PSPICE | DIALECT_BIT(DIALECT_SPICE),
     "power; of a negative x |x|^y, with its sign for an odd y; from the left"},
    {"**", DIALECT_BIT(DIALECT_NGSPICE), "power; |x|^y; from the left"},
    {"**", LTSPICE, "power; of a negative x the real part; from the left"},
    {"**", KICAD, "power; of a negative x 0 where y is not whole; from the left"},
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
