/* expression_apply.h - operators and built-in functions on values of a program in the making, with what is worth saying
 * about them. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_APPLY_H
#define NETLIST_EXPRESSION_EXPRESSION_APPLY_H

#include "netlist/expression/draws.h"
#include "netlist/expression/expression_builder.h"

struct application {
    struct builder *builder;
    struct kn_diagnostics *diagnostics;
    struct arena *arena;         /* of the program; NULL when only a value is wanted */
    struct draws *draws;         /* of random functions; NULL: they are nominal */
    struct kn_location singular; /* first operation on numbers with a result that is none .. */
    const char *singular_name;   /* .. and why it is none; NULL: there was no such operation */
};

/* Values are numbers of the builder.  The node is where the operation stands. */
int apply_operation(struct application *a, enum operation op, int first, int second,
                    const struct expression_node *node);
/* A note about x^n with an odd n and an x that may become negative: what ngspice makes of it differs. */
void apply_note_odd_power(struct application *a, const struct expression_node *node, int base, int exponent);

/* False with an error where the call has too few or too many arguments. */
bool apply_check_count(const struct application *a, const struct builtin_function *f,
                       const struct expression_node *node);
/* Any function but a condition; -1 with an error. */
int apply_builtin(struct application *a, const struct builtin_function *f, const int *values,
                  const struct expression_node *node);
/* What to write instead of a function that other programs have; NULL for any other name. */
const char *apply_missing_function(const char *name);

#endif
