/* expression_compilation.h - the inside of a compilation from trees to programs, shared by the files that do it. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_COMPILATION_H
#define NETLIST_EXPRESSION_EXPRESSION_COMPILATION_H

#include "netlist/expression/expression_apply.h"
#include "netlist/expression/scope.h"

enum { COMPILATION_ERROR = -1 }; /* no value; reported */

/* An argument of a function: its tree, where its names are looked up, and its value once it has one. */
struct binding {
    const struct expression_node *node;
    const struct frame *frame;
    const struct builder *builder; /* that has the value */
    int value, block;              /* COMPILATION_ERROR: none yet */
};

/* What names mean at one place: the scope, and in the body of a function its arguments. */
struct frame {
    const struct scope *scope;
    const struct function *function;
    struct binding *bindings;
    const struct frame *caller;
};

/* The value of an element's formula, r1:r, where it has been written out before. */
struct formula_value {
    struct binding value;
    struct formula_value *next;
};

struct compilation {
    /* The value of a tree's node; COMPILATION_ERROR is reported. */
    int (*value)(struct compilation *c, const struct frame *frame, const struct expression_node *node);
    struct builder *builder;
    struct kn_diagnostics *diagnostics;
    const struct expression_resolver *resolver; /* NULL: constants only */
    const struct evaluation *evaluation;        /* expression_compile.c */
    int depth;
    long work;
    long failures; /* nodes without a value: what is said of more than a few is nothing new */
    bool stopped;  /* a limit was reached and reported */
    struct application apply;
    struct expression_mention *mentions; /* in the builder's arena */
    size_t mention_count, mention_capacity;
    struct formula_value *formulas;
};

/* Remembers what a name or call stands for, so that it can be printed; not in the body of a function, where it means
 * something else in each call. */
void compilation_mention(struct compilation *c, const struct frame *frame, const struct expression_node *node, int plus,
                         int minus);
/* The program of a value that a builder has made; NULL without memory. */
struct expression *compilation_finish(struct compilation *c, int result, const struct expression_node *root);

/* The value of a call of ddt( ) or the like (expression_state.c). */
int compile_state(struct compilation *c, const struct frame *frame, const struct expression_node *node);

/* ---- names (expression_names.c) ---- */

/* Where the name is an argument of the function whose body this is, or, where text is substituted, of one that calls it; NULL. */
struct binding *names_binding(const struct frame *frame, const char *name);
/* The value of an argument or a formula, made where it is not known yet. */
int names_bound(struct compilation *c, struct binding *binding);
/* In the body of a function first where it is defined, then where it is called; where text is substituted (ngspice), the other way round.
 * evaluated: see scope_find_parameter. */
struct parameter *names_parameter(const struct parameter *evaluated, const struct frame *frame, const char *name);
/* The variable of a measurement's result; -1 where the name is none.  Bodies of functions know nothing of them. */
int names_result(struct compilation *c, const struct frame *frame, const char *name);
/* The variable of a vector of results; -1 where such names mean nothing. */
int names_vector(struct compilation *c, const char *name, struct kn_location where);
int names_quantity(struct compilation *c, const struct frame *frame, const struct expression_node *node,
                   enum builtin_quantity_kind kind);
/* V( ) and I( ). */
int names_voltage(struct compilation *c, const struct frame *frame, const struct expression_node *node);
int names_current(struct compilation *c, const struct frame *frame, const struct expression_node *node);
/* The error; COMPILATION_ERROR. */
/* Whether a call or a name is a quantity of an element, w(r1) or @r1[i], or Xyce's N(node); *value becomes ERROR with an
 * error. */
bool names_lead_call(struct compilation *c, const struct frame *frame, const struct expression_node *node, int *value);
/* Whether a name is the value of an element that is a formula, r1:r; likewise.  Written out once, else formulas that ask for one
 * another twice would double each time. */
bool names_formula(struct compilation *c, const struct frame *frame, const struct expression_node *node, int *value);
bool names_lead_word(struct compilation *c, const struct expression_node *node, int *value);
int names_unknown(struct compilation *c, const struct frame *frame, const struct expression_node *node);

#endif
