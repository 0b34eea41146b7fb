/* expression_tree.c - building the tree of an expression. */
#include "netlist/expression/expression_tree.h"

#include "base/names.h"

static struct expression_node *new_node(struct arena *a, enum expression_node_kind kind, struct kn_location where)
{
    struct expression_node *node = arena_alloc(a, sizeof *node);
    if (node) {
        node->kind = kind;
        node->where = where;
    }
    return node;
}

struct expression_node *node_append(struct arena *a, struct expression_node *parent,
                                    const struct expression_node *child)
{
    struct expression_operand *operand = parent && child ? arena_alloc(a, sizeof *operand) : NULL;
    if (!operand)
        return NULL;
    operand->node = child;
    if (parent->last)
        parent->last->next = operand;
    else
        parent->operands = operand;
    parent->last = operand;
    parent->operand_count++;
    if (child->depth >= parent->depth)
        parent->depth = child->depth + 1;
    return parent;
}

struct expression_node *node_number(struct arena *a, double value, const char *text, struct kn_location where)
{
    struct expression_node *node = new_node(a, NODE_NUMBER, where);
    if (node) {
        node->number = value;
        node->name = text;
    }
    return node;
}

static struct expression_node *named_node(struct arena *a, enum expression_node_kind kind, struct circuit_name name,
                                          struct kn_location where)
{
    struct expression_node *node = name.text ? new_node(a, kind, where) : NULL;
    if (node) {
        node->name = name.text;
        node->name_where = name.where;
    }
    return node;
}

struct expression_node *node_name(struct arena *a, const char *name, struct kn_location where)
{
    return named_node(a, NODE_NAME, (struct circuit_name){name, where}, where);
}

struct expression_node *node_string(struct arena *a, struct circuit_name text)
{
    return named_node(a, NODE_STRING, text, text.where);
}

struct expression_node *node_voltage(struct arena *a, struct circuit_name plus, const struct circuit_name *minus,
                                     struct kn_location where)
{
    struct expression_node *node = minus && !minus->text ? NULL : named_node(a, NODE_VOLTAGE, plus, where);
    if (node && minus) {
        node->minus = minus->text;
        node->minus_where = minus->where;
    }
    return node;
}

struct expression_node *node_current(struct arena *a, struct circuit_name element, struct kn_location where)
{
    return named_node(a, NODE_CURRENT, element, where);
}

struct expression_node *node_unary(struct arena *a, enum operation op, struct expression_node *operand,
                                   struct kn_location where)
{
    struct expression_node *node = new_node(a, NODE_UNARY, where);
    if (node)
        node->operation = op;
    return node_append(a, node, operand);
}

static int operation_level(enum operation op)
{
    switch (op) {
    case OP_OR:
        return 1;
    case OP_AND:
    case OP_XOR:
        return 2;
    case OP_EQUAL:
    case OP_UNEQUAL:
        return 3;
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
        return 4;
    case OP_ADD:
    case OP_SUBTRACT:
        return 5;
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_MODULO:
        return LEVEL_PRODUCT;
    default:
        return LEVEL_POWER;
    }
}

int node_level(const struct expression_node *node)
{
    switch (node->kind) {
    case NODE_CHAIN:
        return operation_level(node->last->operation);
    case NODE_UNARY:
        return LEVEL_SIGN;
    case NODE_CONDITION:
        return LEVEL_CONDITION;
    default:
        return LEVEL_VALUE;
    }
}

struct expression_node *node_binary(struct arena *a, struct expression_node *left, enum operation op,
                                    const struct expression_node *right, struct kn_location where)
{
    if (!left || !right)
        return NULL;
    struct expression_node *chain = left;
    if (left->kind != NODE_CHAIN || left->closed || node_level(left) != operation_level(op)) {
        chain = node_append(a, new_node(a, NODE_CHAIN, where), left);
        if (!chain)
            return NULL;
        chain->last->operation = op;
    }
    if (!node_append(a, chain, right))
        return NULL;
    chain->last->operation = op;
    chain->where = where;
    return chain;
}

struct expression_node *node_condition(struct arena *a, const struct expression_node *condition,
                                       const struct expression_node *first, const struct expression_node *second,
                                       struct kn_location where)
{
    struct expression_node *node = node_append(a, new_node(a, NODE_CONDITION, where), condition);
    return node_append(a, node_append(a, node, first), second);
}

struct expression_node *node_call(struct arena *a)
{
    return new_node(a, NODE_CALL, (struct kn_location){0});
}

struct expression_node *node_close_call(struct expression_node *call, struct circuit_name name,
                                        struct kn_location where)
{
    if (!call || !name.text)
        return NULL;
    call->name = name.text;
    call->name_where = name.where;
    call->where = where;
    return call;
}

bool node_has_name(const struct expression_node *node, const char *name)
{
    if (node->kind == NODE_NAME)
        return names_equal(node->name, name);
    for (const struct expression_operand *o = node->operands; o; o = o->next)
        if (node_has_name(o->node, name))
            return true;
    return false;
}

const struct expression_node *node_with(struct arena *a, const struct expression_node *node, const char *name,
                                        const struct expression_node *instead)
{
    if (!node_has_name(node, name))
        return node;
    if (node->kind == NODE_NAME)
        return instead;
    struct expression_node *copy = new_node(a, node->kind, node->where);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->operands = copy->last = NULL;
    copy->operand_count = 0;
    for (const struct expression_operand *o = node->operands; copy && o; o = o->next)
        if ((copy = node_append(a, copy, node_with(a, o->node, name, instead))))
            copy->last->operation = o->operation;
    return copy;
}

const struct expression_tree *expression_tree_of(struct arena *arena, const struct expression_node *root)
{
    struct expression_tree *tree = root ? arena_alloc(arena, sizeof *tree) : NULL;
    if (tree)
        tree->root = root;
    return tree;
}

/* ---- trees that cards mean without writing them ---- */

static struct circuit_name named(const struct tree_maker *m, const char *name)
{
    return (struct circuit_name){name, m->where};
}

struct expression_node *make_number(const struct tree_maker *m, double value)
{
    return node_number(m->arena, value, NULL, m->where);
}

struct expression_node *make_voltage(const struct tree_maker *m, const char *plus, const char *minus)
{
    const struct circuit_name second = named(m, minus);
    return node_voltage(m->arena, named(m, plus), minus ? &second : NULL, m->where);
}

struct expression_node *make_current(const struct tree_maker *m, const char *element)
{
    return node_current(m->arena, named(m, element), m->where);
}

struct expression_node *make_binary(const struct tree_maker *m, struct expression_node *left, enum operation op,
                                    const struct expression_node *right)
{
    return node_binary(m->arena, left, op, right, m->where);
}

struct expression_node *make_call(const struct tree_maker *m, const char *function,
                                  const struct expression_node *argument)
{
    return node_close_call(node_append(m->arena, node_call(m->arena), argument), named(m, function), m->where);
}

struct expression_node *make_call_of_two(const struct tree_maker *m, const char *function,
                                         const struct expression_node *first, const struct expression_node *second)
{
    return node_append(m->arena, make_call(m, function, first), second);
}

struct expression_node *make_closed(const struct tree_maker *m, const struct expression_node *node)
{
    struct expression_node *copy = node ? arena_alloc(m->arena, sizeof *copy) : NULL;
    if (copy) {
        *copy = *node;
        copy->closed = true;
    }
    return copy;
}
