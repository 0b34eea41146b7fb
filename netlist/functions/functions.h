/* functions.h - the names of the expression language: functions and constants, whose they are, and what they say of
 * themselves.
 *
 * A function that two programs read differently has a row for each reading.  A deck gets the row of its dialect; where
 * its dialect has none of the name, the first row of that name, so that a word of one program means something in all.
 */
#ifndef NETLIST_FUNCTIONS_FUNCTIONS_H
#define NETLIST_FUNCTIONS_FUNCTIONS_H

#include "netlist/dialect.h"
#include "netlist/functions/operations.h"

/* Functions the user can call. */
struct builtin_function {
    const char *name;
    const char *arguments; /* "x, y": as the manual writes them */
    enum operation operation;
    enum operation comparison; /* OP_COMPARE_ZERO: eq0 ne0 gt0 lt0 ge0 le0 stp; of random ones 0 */
    size_t least, most;        /* number of arguments */
    unsigned dialects;         /* DIALECT_BIT of those that read it so */
    const char *doc;           /* one line */
};

/* NULL where nobody has one of this name. */
const struct builtin_function *builtin_function(const char *name, enum dialect dialect);
/* Of several that one of so many arguments. */
const struct builtin_function *builtin_function_of(const char *name, enum dialect dialect, size_t count);
/* The i-th, or NULL past the end. */
const struct builtin_function *builtin_function_at(size_t i);

struct builtin_constant {
    const char *name;
    double value;
    unsigned dialects;
    const char *doc;
};

/* NULL where the dialect has none: k and q are too short to mean something where they are nothing. */
const struct builtin_constant *builtin_constant(const char *name, enum dialect dialect);
const struct builtin_constant *builtin_constant_at(size_t i);

/* Names that are no numbers before the run. */
struct builtin_quantity {
    const char *name;
    enum builtin_quantity_kind {
        QUANTITY_TIME,
        QUANTITY_TEMPERATURE,
        QUANTITY_FREQUENCY,
        QUANTITY_THERMAL,
        QUANTITY_GMIN
    } kind;
    unsigned dialects;
    const char *doc;
};

const struct builtin_quantity *builtin_quantity(const char *name, enum dialect dialect);
const struct builtin_quantity *builtin_quantity_at(size_t i);

/* Operators. */
struct builtin_operator {
    const char *text;
    unsigned dialects;
    const char *doc;
};

const struct builtin_operator *builtin_operator_at(size_t i);

#endif
