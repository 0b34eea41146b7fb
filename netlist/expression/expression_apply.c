/* expression_apply.c - see expression_apply.h. */
#include "netlist/expression/expression_apply.h"

#include "base/names.h"

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

void apply_note_odd_power(struct application *a, const struct expression_node *node, int base, int exponent)
{
    double x, y;
    if (builder_is_constant(a->builder, base, &x) || !builder_is_constant(a->builder, exponent, &y))
        return;
    if (fabs(fmod(y, 2.0)) == 1.0 && fabs(y) != 1.0)
        diagnostics_add(a->diagnostics, KN_NOTE, "odd-power", node->where, NULL,
                        "x^%g keeps the sign of a negative x here; ngspice takes |x|^%g", y, y);
}

bool apply_check_count(const struct application *a, const struct builtin_function *f,
                       const struct expression_node *node)
{
    if (node->operand_count >= f->least && node->operand_count <= f->most)
        return true;
    diagnostics_add(a->diagnostics, KN_ERROR, "argument-count", node->where, NULL,
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

/* The points of pwl(x, x1, y1, x2, y2, ..), whose values begin at the second; -1 with an error. */
static int apply_pwl(struct application *a, const int *values, const struct expression_node *node)
{
    const size_t count = node->operand_count / 2;
    if (node->operand_count % 2 == 0 || count < 2) {
        diagnostics_add(a->diagnostics, KN_ERROR, "argument-count", node->where, "write pwl(x, x1, y1, x2, y2, ...)",
                        "pwl() takes a value and at least two points");
        return -1;
    }
    double *x =
        a->arena ? arena_array(a->arena, 2 * count, sizeof *x) : builder_alloc(a->builder, 2 * count, sizeof *x);
    const struct expression_operand *point = node->operands->next;
    for (size_t i = 0; x && point; point = point->next, i++) {
        double *number = &x[i % 2 * count + i / 2];
        const bool constant = builder_is_constant(a->builder, values[1 + i], number) && isfinite(*number);
        if (constant && (i % 2 == 1 || i == 0 || *number > number[-1]))
            continue;
        diagnostics_add(a->diagnostics, KN_ERROR, "pwl", point->node->where,
                        constant ? "write the points in order of increasing x" : NULL,
                        constant ? "x of this point of pwl() is not above the one before"
                                 : "the points of pwl() must be constant");
        return -1;
    }
    const struct pwl_table table = {x, x + count, (int)count};
    return x ? builder_pwl(a->builder, values[0], &table) : -1;
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

int apply_builtin(struct application *a, const struct builtin_function *f, const int *values,
                  const struct expression_node *node)
{
    struct builder *b = a->builder;
    const int zero = builder_constant(b, 0.0);
    if (draws_are_made_by(f->operation, node->operand_count))
        return apply_random(a, f->operation, values, node);
    if (f->operation == OP_POWER)
        apply_note_odd_power(a, node, values[0], values[1]);
    switch (f->operation) {
    case OP_MINIMUM:
    case OP_MAXIMUM:
        return apply_extremum(a, f->operation, values, node->operand_count, node);
    case OP_PWL:
        return apply_pwl(a, values, node);
    case OP_RAMP:
        return apply_operation(a, OP_MAXIMUM, values[0], zero, node);
    case OP_CLIPPED_RAMP:
        return apply_operation(a, OP_MINIMUM, apply_operation(a, OP_MAXIMUM, values[0], zero, node),
                               builder_constant(b, 1.0), node);
    case OP_LIMIT:
        return apply_operation(a, OP_MINIMUM, apply_operation(a, OP_MAXIMUM, values[0], values[1], node), values[2],
                               node);
    case OP_COMPARE_ZERO:
        return apply_operation(a, f->comparison, values[0], zero, node);
    default:
        return apply_operation(a, f->operation, values[0], values[f->least > 1 ? 1 : 0], node);
    }
}

const char *apply_missing_function(const char *name)
{
    if (names_equal(name, "table"))
        return "pwl(x, x1, y1, x2, y2, ..) is the same between its points; beyond them it goes on straight";
    return NULL;
}
