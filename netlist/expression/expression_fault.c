/* expression_fault.c - which function of an expression has no value, and for which argument. */
#include "netlist/expression/expression_program.h"
#include "netlist/functions/functions.h"

#include <math.h>
#include <stdio.h>

static const char *function_name(enum operation operation)
{
    const struct builtin_function *f;
    if (operation == OP_LOG)
        return "log"; /* and not ln, its other name */
    for (size_t i = 0; (f = builtin_function_at(i)); i++)
        if (f->operation == operation && (f->dialects & DIALECT_BIT(DIALECT_SPICE)))
            return f->name;
    return NULL;
}

static const char *reason(enum operation operation, double a, double v)
{
    switch (operation) {
    case OP_SQRT:
        return "the square root of a negative number";
    case OP_LOG:
    case OP_LOG10:
    case OP_CUT_LOG:
    case OP_CUT_LOG10:
        return a < 0 ? "the logarithm of a negative number" : "the logarithm of zero";
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATANH:
        return "an argument beyond 1";
    case OP_ACOSH:
        return "an argument below 1";
    default:
        return isnan(v) ? "which has no value" : "which is beyond the largest number";
    }
}

static void describe(const struct instruction *i, const double *w, char *text, size_t size)
{
    const enum operation operation = (enum operation)i->operation;
    const double a = w[i->a], b = operation_has_second(operation) ? w[i->b] : 0, v = w[i->result];
    const char *name = function_name(operation);
    switch (operation) {
    case OP_DIVIDE:
        snprintf(text, size, "%.6g/%.6g, %s", a, b, b == 0 ? "a division by zero" : reason(operation, a, v));
        return;
    case OP_POWER:
    case OP_SIGNED_POWER:
    case OP_REAL_POWER:
    case OP_CUT_POWER:
    case OP_POSITIVE_POWER:
    case OP_INTEGER_POWER:
    case OP_FIXED_POWER:
    case OP_FIXED_SIGNED_POWER:
        snprintf(text, size, "%.6g^%.6g, %s", a, b, a == 0 ? "zero to a negative power" : reason(operation, a, v));
        return;
    default:
        break;
    }
    const bool bounded = !isinf(a) && fabs(a - 1) < 1e-3; /* of an arc cosine: 1 is no answer */
    if (name && operation_has_second(operation))
        snprintf(text, size, "%s(%.6g,%.6g), %s", name, a, b, reason(operation, a, v));
    else if (name)
        snprintf(text, size, bounded ? "%s(%.17g), %s" : "%s(%.6g), %s", name, a, reason(operation, a, v));
    else
        snprintf(text, size, "a result beyond the largest number");
}

static bool divides_by_zero(const struct instruction *i, const double *w)
{
    return i->operation == OP_DIVIDE && w[i->b] == 0;
}

bool expression_describe_fault(const struct expression *e, const struct expression_point *at, double *workspace,
                               const char *zero, char *text, size_t size)
{
    for (size_t i = 0; i < e->variable_count; i++)
        if (!isfinite(at->variables[i]))
            return false;
    if (isfinite(expression_evaluate(e, at, workspace, NULL, NULL)))
        return false;
    const struct instruction *const first = e->instructions, *const end = first + e->instruction_count;
    for (const struct instruction *i = first; i < end; i++) { /* the way that the evaluation went */
        if (i->operation == OP_JUMP || (i->operation == OP_BRANCH_IF_ZERO && workspace[i->a] == 0))
            i = first + i->result - 1;
        else if (i->operation != OP_BRANCH_IF_ZERO && !isfinite(workspace[i->result])) {
            if (zero && i + 1 == end && divides_by_zero(i, workspace))
                snprintf(text, size, "%s", zero);
            else
                describe(i, workspace, text, size);
            return true;
        }
    }
    return false;
}
