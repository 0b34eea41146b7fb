/* expression_tree.h - the tree an expression is parsed into, and what scanner and grammar share while they build it.
 *
 * Operators of one level that stand side by side, a + b - c, are one chain and not nested pairs, so the depth of a
 * tree is the nesting the user wrote and recursion over it stays shallow however long a sum is.
 */
#ifndef NETLIST_EXPRESSION_EXPRESSION_TREE_H
#define NETLIST_EXPRESSION_EXPRESSION_TREE_H

#include "netlist/expression/expression.h"
#include "netlist/expression/expression_operations.h"

/* Deepest nesting of operators and calls in one text, and with functions and parameters written out: what recursion
 * over trees may cost the stack. */
enum { EXPRESSION_DEPTH_LIMIT = 1000, EXPRESSION_NESTING_LIMIT = 2000 };

enum expression_node_kind {
    NODE_NUMBER,
    NODE_NAME,     /* parameter, constant, argument, time or temper */
    NODE_VOLTAGE,  /* V(name) or V(name, minus) */
    NODE_CURRENT,  /* I(name) */
    NODE_UNARY,    /* operation on the first operand */
    NODE_CHAIN,    /* first operand, then operation and operand from left to right */
    NODE_CALL,     /* name(operands) */
    NODE_CONDITION /* operands: condition ? first : second */
};

struct expression_operand {
    const struct expression_node *node;
    enum operation operation; /* that joins it to the left, in a chain */
    struct expression_operand *next;
};

struct expression_node {
    enum expression_node_kind kind;
    enum operation operation;
    bool closed; /* in parentheses: a chain that must not be continued */
    int depth;
    double number;
    const char *name, *minus;
    struct kn_location where;       /* the whole */
    struct kn_location name_where;  /* function, node or element name */
    struct kn_location minus_where; /* second node */
    struct expression_operand *operands, *last;
    size_t operand_count;
};

struct expression_tree {
    const struct expression_node *root;
    const char *text; /* as written */
    struct kn_location where;
};

/* ---- between scanner, grammar and expression_parse ---- */

struct expression_context {
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    struct kn_location where; /* of the first character */
    const struct expression_node *root;
    bool failed;
    void *fatal; /* jmp_buf for the scanner's set-up, which cannot return an error */
    /* All the memory flex wants for one text that lies in memory: its state and one buffer descriptor. */
    max_align_t scanner_memory[2048 / sizeof(max_align_t)];
    size_t scanner_used;
};

/* Place in the text; lines count from 0 at the text's first line, columns from 0. Ends are exclusive. */
struct expression_span {
    int first_line, first_column, last_line, last_column;
};

struct kn_location expression_place(const struct expression_context *c, const struct expression_span *span);
void expression_problem(struct expression_context *c, const struct expression_span *span, const char *hint,
                        const char *format, ...) KN_PRINTF(4, 5);

/* Constructors; NULL (reported) without memory or beyond the depth limit. Operands that are NULL give NULL. */
struct expression_node *expression_number_node(struct expression_context *c, double value,
                                               const struct expression_span *span);
struct expression_node *expression_name_node(struct expression_context *c, const char *name,
                                             const struct expression_span *span);
struct expression_node *expression_voltage_node(struct expression_context *c, const char *plus,
                                                const struct expression_span *plus_span, const char *minus,
                                                const struct expression_span *minus_span,
                                                const struct expression_span *span);
struct expression_node *expression_current_node(struct expression_context *c, const char *element,
                                                const struct expression_span *element_span,
                                                const struct expression_span *span);
struct expression_node *expression_unary_node(struct expression_context *c, enum operation op,
                                              struct expression_node *operand, const struct expression_span *span);
struct expression_node *expression_chain_node(struct expression_context *c, struct expression_node *left,
                                              enum operation op, struct expression_node *right,
                                              const struct expression_span *span);
struct expression_node *expression_condition_node(struct expression_context *c, struct expression_node *condition,
                                                  struct expression_node *first, struct expression_node *second,
                                                  const struct expression_span *span);
/* A call in the making; its arguments are appended one by one. */
struct expression_node *expression_call_node(struct expression_context *c);
struct expression_node *expression_append(struct expression_context *c, struct expression_node *call,
                                          struct expression_node *argument);
struct expression_node *expression_close_call(struct expression_context *c, struct expression_node *call,
                                              const char *name, const struct expression_span *name_span,
                                              const struct expression_span *span);

#endif
