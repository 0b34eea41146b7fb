/* scope.h - the inside of scopes: what names stand for, for those who evaluate and compile expressions. */
#ifndef NETLIST_EXPRESSION_SCOPE_H
#define NETLIST_EXPRESSION_SCOPE_H

#include "netlist/expression/expression_tree.h"
#include "netlist/functions/functions.h"

enum parameter_state { PARAMETER_NEW, PARAMETER_EVALUATED, PARAMETER_FAILED };

enum constancy { CONSTANCY_UNKNOWN, CONSTANCY_ASKED, CONSTANT, NOT_CONSTANT };

struct parameter {
    const char *name;
    const struct expression_tree *tree;
    const struct scope *home; /* where the tree is evaluated */
    const char *path;         /* of the instance it belongs to: "x1.", "" */
    struct kn_location where;
    enum parameter_state state;
    enum constancy constancy;
    double value;
};

struct function {
    const char *name;
    const char *const *arguments;
    size_t argument_count;
    const struct expression_tree *tree;
    const struct scope *home;
    struct kn_location where;
    enum constancy constancy;
    bool looked_at; /* a walk is in its body */
};

/* A parameter that is being evaluated does not mean itself by its own name, but the one of that name farther out:
 * .param w={2*w} in a subcircuit.  `evaluated` may be NULL; it is the answer where there is no other, which is a cycle.
 */
struct parameter *scope_find_parameter(const struct scope *s, const char *name, const struct parameter *evaluated);
/* False where it is a formula of V( ), I( ) or time, as in Xyce: then its tree stands for it. */
bool scope_parameter_is_constant(struct parameter *p);
struct function *scope_find_function(const struct scope *s, const char *name);
double scope_celsius(const struct scope *s);
double scope_gmin(const struct scope *s);
const struct point_reader *scope_points_of(const struct scope *s);
enum dialect scope_dialect_of(const struct scope *s);
/* time and temper, which cannot be parameters. */
bool scope_is_reserved(const char *name);
struct draws *scope_draws_of(const struct scope *s);

/* "did you mean" for a name that is no parameter / no function: extra are further candidates (arguments of the
 * function in whose body the name stands).  NULL if nothing is near. */
const char *scope_closest_parameter(const struct scope *s, const char *name, const char *const *extra,
                                    size_t extra_count);
const char *scope_closest_function(const struct scope *s, const char *name);

/* The i-th parameter defined in this scope itself; NULL past the last. */
struct parameter *scope_parameter_at(const struct scope *s, size_t i);

#endif
