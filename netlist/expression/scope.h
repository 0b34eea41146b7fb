/* scope.h - the inside of scopes: what names stand for, shared by evaluation and compilation. */
#ifndef NETLIST_EXPRESSION_SCOPE_H
#define NETLIST_EXPRESSION_SCOPE_H

#include "netlist/expression/expression_tree.h"

enum parameter_state { PARAMETER_NEW, PARAMETER_EVALUATED, PARAMETER_FAILED };

struct parameter {
    const char *name;
    const struct expression_tree *tree;
    const struct scope *home; /* where the tree is evaluated */
    struct kn_location where;
    enum parameter_state state;
    double value;
};

enum constancy { CONSTANCY_UNKNOWN, CONSTANCY_ASKED, CONSTANT, NOT_CONSTANT };

struct function {
    const char *name;
    const char *const *arguments;
    size_t argument_count;
    const struct expression_tree *tree;
    const struct scope *home;
    struct kn_location where;
    enum constancy constancy;
};

/* Parameters being evaluated, innermost first; what a cycle is reported from. */
struct evaluation {
    const struct evaluation *outer;
    const struct parameter *parameter;
    int depth; /* levels of nesting already on the stack */
};

/* A parameter that is being evaluated does not mean itself by its own name, but the one of that name farther out:
 * .param w={2*w} in a subcircuit.  `evaluated` may be NULL; it is the answer where there is no other, which is a cycle.
 */
struct parameter *scope_find_parameter(const struct scope *s, const char *name, const struct parameter *evaluated);
struct function *scope_find_function(const struct scope *s, const char *name);
double scope_celsius(const struct scope *s);

/* Value of a parameter, evaluated when first asked for.  `asked` is where it is mentioned, depth the nesting there. */
bool scope_parameter_value(struct parameter *p, struct kn_location asked, const struct evaluation *outer, int depth,
                           struct kn_diagnostics *d, double *value);

/* "did you mean" for a name that is no parameter / no function: extra are further candidates (arguments of the
 * function in whose body the name stands).  NULL if nothing is near. */
const char *scope_closest_parameter(const struct scope *s, const char *name, const char *const *extra,
                                    size_t extra_count);
const char *scope_closest_function(const struct scope *s, const char *name);

/* expression_compile.c: the value of a constant tree. */
bool expression_constant(const struct scope *s, const struct expression_tree *tree, const struct evaluation *outer,
                         struct kn_diagnostics *d, double *value);

#endif
