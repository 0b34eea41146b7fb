/* expression_formula.h - operations on values of a program in the making, with what is worth saying about them, and
 * shorthands for functions that are written with them. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_FORMULA_H
#define NETLIST_EXPRESSION_EXPRESSION_FORMULA_H

#include "netlist/dialect.h"
#include "netlist/expression/expression_builder.h"
#include "netlist/functions/draws.h"

struct application {
    struct builder *builder;
    struct kn_diagnostics *diagnostics;
    struct arena *arena; /* of the program; NULL when only a value is wanted */
    struct draws *draws; /* of random functions; NULL: they are nominal */
    enum dialect dialect;
    bool complex_numbers; /* powers, roots and logarithms are those of complex numbers, in all dialects */
    const struct point_reader *points; /* NULL: there are no files */
    struct kn_location singular;       /* first operation on numbers with a result that is none .. */
    const char *singular_name;         /* .. and why it is none; NULL: there was no such operation */
};

/* Values are numbers of the builder.  The node is where the operation stands. */
int apply_operation(struct application *a, enum operation op, int first, int second,
                    const struct expression_node *node);

/* Where the call stands. */
struct formula {
    struct application *a;
    const struct expression_node *node;
};

static inline int two(struct formula f, enum operation op, int x, int y)
{
    return apply_operation(f.a, op, x, y, f.node);
}

static inline int one(struct formula f, enum operation op, int x)
{
    return apply_operation(f.a, op, x, x, f.node);
}

static inline int number(struct formula f, double value)
{
    return builder_constant(f.a->builder, value);
}

/* table() and pwl(), poly(), waveforms of time (expression_curves.c). */
int apply_file(struct application *a, enum operation op, const struct expression_node *node);
int apply_curve(struct application *a, enum operation op, const int *values, const struct expression_node *node);

#endif
