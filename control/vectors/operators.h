/* operators.h - operators between two vectors of ngspice's formulas, number by number. */
#ifndef CONTROL_VECTORS_OPERATORS_H
#define CONTROL_VECTORS_OPERATORS_H

#include "control/vectors/plots.h"

typedef double complex operation(double complex a, double complex b);

/* From the loosest to the tightest. */
enum operator_level {
    OPERATOR_OR,
    OPERATOR_AND,
    OPERATOR_COMPARE, /* up to here the results are 0 or 1 */
    OPERATOR_ADD,
    OPERATOR_MULTIPLY,
    OPERATOR_LEVELS
};

struct vector_operator {
    const char *sign;
    enum operator_level level;
    operation *of;
};

/* The one that a text begins with; NULL: none, or `**`, which is tighter than all of them. */
const struct vector_operator *operator_at(const char *text);
/* Whether a text begins with a sign; one of letters ends where the name ends. */
bool operator_begins(const char *at, const char *sign);
/* Whether a character may stand in the name of a vector. */
bool operator_is_name(char c);

operation operation_difference, operation_power, operation_equal, operation_larger, operation_smaller;
/* max or min; NULL: neither. */
operation *operation_named(const char *name);
operation operation_complex; /* a + jb of real numbers */

/* What two values give: twice a voltage is one, a voltage times a current a power. */
enum kn_quantity operation_quantity(const struct values *a, const struct values *b, operation *of);

#endif
