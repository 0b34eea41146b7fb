/* expression_formula.c - see expression_formula.h. */
#include "netlist/expression/expression_formula.h"

#include <math.h>

/* Remembers where numbers first gave something that is no number, for the message about the result. */
int apply_operation(struct application *a, enum operation op, int first, int second, const struct expression_node *node)
{
    const int value = builder_operation(a->builder, op, first, second);
    double x, y, result;
    if (!a->singular_name && builder_is_constant(a->builder, value, &result) && !isfinite(result) &&
        builder_is_constant(a->builder, first, &x) && builder_is_constant(a->builder, second, &y) && isfinite(x) &&
        isfinite(y)) {
        a->singular = node->where;
        a->singular_name = op == OP_DIVIDE && y == 0.0 ? "division by zero"
                           : isnan(result)             ? "argument outside the range of the function"
                                                       : "the result is infinite";
    }
    return value;
}
