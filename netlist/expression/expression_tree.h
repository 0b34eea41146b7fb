/* expression_tree.h - the tree of an expression.
 *
 * Operators of one level that stand side by side, a + b - c, are one chain and not nested pairs, so the depth of a
 * tree is the nesting the user wrote and recursion over it stays shallow however long a sum is.
 */
#ifndef NETLIST_EXPRESSION_EXPRESSION_TREE_H
#define NETLIST_EXPRESSION_EXPRESSION_TREE_H

#include "netlist/expression/expression.h"
#include "netlist/functions/operations.h"

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
    NODE_STRING,   /* "name" */
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
    const char *name, *minus;       /* the name of a number is its text, NULL where nobody has written it; of a call
                                       minus is what the user wrote for it and its operand: vdb for db(v( )) */
    struct kn_location where;       /* the whole */
    struct kn_location name_where;  /* function, node or element name */
    struct kn_location minus_where; /* second node */
    struct expression_operand *operands, *last;
    size_t operand_count;
};

struct expression_tree {
    const struct expression_node *root;
};

/* ---- building trees ----
 *
 * Nodes live in the arena; NULL without memory, and where an operand is NULL.  Names are not copied. */

struct expression_node *node_number(struct arena *a, double value, const char *text, struct kn_location where);
struct expression_node *node_name(struct arena *a, const char *name, struct kn_location where);
/* A name or text and where it stands. */
struct circuit_name {
    const char *text;
    struct kn_location where;
};
struct expression_node *node_string(struct arena *a, struct circuit_name text);
/* V(plus) or V(plus,minus); minus may be NULL. */
struct expression_node *node_voltage(struct arena *a, struct circuit_name plus, const struct circuit_name *minus,
                                     struct kn_location where);
struct expression_node *node_current(struct arena *a, struct circuit_name element, struct kn_location where);
struct expression_node *node_unary(struct arena *a, enum operation op, struct expression_node *operand,
                                   struct kn_location where);
/* Goes on with left where that is a chain of such operators, which then is not to be used otherwise. */
struct expression_node *node_binary(struct arena *a, struct expression_node *left, enum operation op,
                                    const struct expression_node *right, struct kn_location where);
struct expression_node *node_condition(struct arena *a, const struct expression_node *condition,
                                       const struct expression_node *first, const struct expression_node *second,
                                       struct kn_location where);
/* A call in the making: arguments are appended one by one, and it gets its name. */
struct expression_node *node_call(struct arena *a);
struct expression_node *node_append(struct arena *a, struct expression_node *call,
                                    const struct expression_node *argument);
struct expression_node *node_close_call(struct expression_node *call, struct circuit_name name,
                                        struct kn_location where);

/* ---- trees that cards mean without writing them: v(a,b)/r for a resistor's law ---- */

struct tree_maker {
    struct arena *arena;
    struct kn_location where; /* what messages about the tree point at */
};

/* Like the constructors above: NULL without memory, and where an operand is NULL. */
struct expression_node *make_number(const struct tree_maker *m, double value);
/* V(plus) or V(plus,minus); minus may be NULL. */
struct expression_node *make_voltage(const struct tree_maker *m, const char *plus, const char *minus);
struct expression_node *make_current(const struct tree_maker *m, const char *element);
/* left op right; see node_binary. */
struct expression_node *make_binary(const struct tree_maker *m, struct expression_node *left, enum operation op,
                                    const struct expression_node *right);
struct expression_node *make_call(const struct tree_maker *m, const char *function,
                                  const struct expression_node *argument);
struct expression_node *make_call_of_two(const struct tree_maker *m, const char *function,
                                         const struct expression_node *first, const struct expression_node *second);
/* A copy of a node in parentheses, for others to go on with. */
struct expression_node *make_closed(const struct tree_maker *m, const struct expression_node *node);

/* ---- trees made of trees ---- */

/* Whether a name stands in the tree. */
bool node_has_name(const struct expression_node *node, const char *name);
/* A copy of the tree in which another node stands for a name; of parts without it, the part itself. */
const struct expression_node *node_with(struct arena *a, const struct expression_node *node, const char *name,
                                        const struct expression_node *instead);

/* NULL without memory or a root. */
const struct expression_tree *expression_tree_of(struct arena *arena, const struct expression_node *root);

/* Operators bind tighter the higher their level; those of one level form a chain. */
enum { LEVEL_CONDITION, LEVEL_PRODUCT = 6, LEVEL_SIGN, LEVEL_POWER, LEVEL_VALUE };
int node_level(const struct expression_node *node);

#endif
