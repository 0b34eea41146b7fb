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

struct compilation {
    /* The value of a tree's node; COMPILATION_ERROR is reported. */
    int (*value)(struct compilation *c, const struct frame *frame, const struct expression_node *node);
    struct builder *builder;
    struct kn_diagnostics *diagnostics;
    const struct expression_resolver *resolver; /* NULL: constants only */
    const struct evaluation *evaluation;        /* expression_compile.c */
    int depth;
    long work;
    bool stopped; /* a limit was reached and reported */
    struct application apply;
    struct expression_mention *mentions; /* in the builder's arena */
    size_t mention_count, mention_capacity;
};

/* Remembers what a name or call stands for, so that it can be printed; not in the body of a function, where it means
 * something else in each call. */
void compilation_mention(struct compilation *c, const struct frame *frame, const struct expression_node *node, int plus,
                         int minus);
/* The program of a value that a builder has made; NULL without memory. */
struct expression *compilation_finish(struct compilation *c, int result, const struct expression_node *root);

/* The value of a call of ddt( ) or the like (expression_state.c). */
int compile_state(struct compilation *c, const struct frame *frame, const struct expression_node *node);

#endif
