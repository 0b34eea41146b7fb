/* expression_tree.c - building the tree of an expression, and the way from text to tree. */
#include "netlist/expression/expression_tree.h"

#include "expression_parser.h"
#include "expression_scanner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kn_location expression_place(const struct expression_context *c, const struct expression_span *span)
{
    struct kn_location place = c->where;
    place.line += span->first_line;
    place.column = span->first_column + (span->first_line == 0 ? c->where.column : 1);
    place.width = span->last_line == span->first_line ? span->last_column - span->first_column : 1;
    if (place.width < 1)
        place.width = 1;
    return place;
}

void expression_problem(struct expression_context *c, const struct expression_span *span, const char *hint,
                        const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    c->failed = true;
    diagnostics_add(c->diagnostics, KN_ERROR, "syntax", expression_place(c, span), hint, "%s", text);
}

/* ---- nodes ---- */

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

/* ---- text to tree ---- */

/* The scanner on text, which must end in two NULs; flex reports failures of this set-up only by a fatal error. */
static bool open_scanner(struct expression_context *c, yyscan_t scanner, char *text, size_t length)
{
    jmp_buf failure;
    c->fatal = &failure;
    if (setjmp(failure))
        return false;
    return expression_yy_scan_buffer(text, length + 2, scanner) != NULL;
}

static bool parse_text(struct expression_context *c, char *text, size_t length)
{
    yyscan_t scanner = NULL;
    if (expression_yylex_init_extra(c, &scanner))
        return false;
    const bool ok = open_scanner(c, scanner, text, length) && expression_yyparse(scanner, c) == 0;
    expression_yylex_destroy(scanner);
    return ok;
}

/* Where the nesting goes beyond the limit: along the deepest operands, from the root down. */
static bool check_depth(struct expression_context *c)
{
    const struct expression_node *node = c->root;
    if (!node || node->depth <= EXPRESSION_DEPTH_LIMIT)
        return true;
    while (node->depth > EXPRESSION_DEPTH_LIMIT) {
        const struct expression_operand *o = node->operands;
        while (o->node->depth != node->depth - 1)
            o = o->next;
        node = o->node;
    }
    diagnostics_add(c->diagnostics, KN_ERROR, "syntax", node->where, "split it with .param or .func",
                    "the expression is nested more than %d levels deep", EXPRESSION_DEPTH_LIMIT);
    return false;
}

const struct expression_tree *expression_tree_of(struct arena *arena, const struct expression_node *root)
{
    struct expression_tree *tree = root ? arena_alloc(arena, sizeof *tree) : NULL;
    if (tree)
        tree->root = root;
    return tree;
}

const struct expression_tree *expression_parse(struct arena *arena, const char *text, size_t length,
                                               struct kn_location where, struct kn_diagnostics *d)
{
    struct expression_context context = {.arena = arena, .diagnostics = d, .where = where};
    char *scanned = malloc(length + 2);
    bool read = false;
    if (scanned) {
        memcpy(scanned, text, length);
        scanned[length] = scanned[length + 1] = '\0';
        read = parse_text(&context, scanned, length);
    }
    free(scanned);
    if (context.failed || (read && !check_depth(&context)))
        return NULL;
    const struct expression_tree *tree = read ? expression_tree_of(arena, context.root) : NULL;
    if (!tree)
        diagnostics_add(d, KN_ERROR, "memory", where, NULL, "out of memory");
    return tree;
}
