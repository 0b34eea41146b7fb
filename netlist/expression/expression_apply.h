/* expression_apply.h - operators and built-in functions on values of a program in the making, with what is worth saying
 * about them. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_APPLY_H
#define NETLIST_EXPRESSION_EXPRESSION_APPLY_H

#include "netlist/expression/expression_formula.h"
#include "netlist/functions/functions.h"

/* An operator in the dialect's meaning: powers of negative numbers, and what is true. */
int apply_operator(struct application *a, enum operation op, int first, int second, const struct expression_node *node);
/* A value as a condition: in LTspice what is above 1/2 is true, else what is not 0. */
int apply_truth(struct application *a, int value, const struct expression_node *node);
/* False with an error where the call has too few or too many arguments. */
bool apply_check_count(const struct application *a, const struct builtin_function *f,
                       const struct expression_node *node);
/* Any function but a condition; -1 with an error. */
int apply_builtin(struct application *a, const struct builtin_function *f, const int *values,
                  const struct expression_node *node);
/* table("name") and its like: of the points in a file, over the time. */
bool apply_is_file(const struct builtin_function *f, const struct expression_node *node);

#endif
