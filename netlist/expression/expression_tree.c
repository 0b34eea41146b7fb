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

static void *take(struct expression_context *c, size_t size)
{
    void *piece = arena_alloc(c->arena, size);
    if (!piece) {
        c->failed = true;
        diagnostics_add(c->diagnostics, KN_ERROR, "memory", c->where, NULL, "out of memory");
    }
    return piece;
}

static struct expression_node *new_node(struct expression_context *c, enum expression_node_kind kind,
                                        const struct expression_span *span)
{
    struct expression_node *node = take(c, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    if (span)
        node->where = expression_place(c, span);
    return node;
}

struct expression_node *expression_append(struct expression_context *c, struct expression_node *parent,
                                          struct expression_node *child)
{
    struct expression_operand *operand = parent && child ? take(c, sizeof *operand) : NULL;
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
    if (parent->depth <= EXPRESSION_DEPTH_LIMIT)
        return parent;
    c->failed = true;
    diagnostics_add(c->diagnostics, KN_ERROR, "syntax", child->where, "split it with .param or .func",
                    "the expression is nested more than %d levels deep", EXPRESSION_DEPTH_LIMIT);
    return NULL;
}

struct expression_node *expression_number_node(struct expression_context *c, double value,
                                               const struct expression_span *span)
{
    struct expression_node *node = new_node(c, NODE_NUMBER, span);
    if (node)
        node->number = value;
    return node;
}

struct expression_node *expression_name_node(struct expression_context *c, const char *name,
                                             const struct expression_span *span)
{
    struct expression_node *node = name ? new_node(c, NODE_NAME, span) : NULL;
    if (node) {
        node->name = name;
        node->name_where = node->where;
    }
    return node;
}

struct expression_node *expression_voltage_node(struct expression_context *c, const char *plus,
                                                const struct expression_span *plus_span, const char *minus,
                                                const struct expression_span *minus_span,
                                                const struct expression_span *span)
{
    struct expression_node *node = plus && (minus || !minus_span) ? new_node(c, NODE_VOLTAGE, span) : NULL;
    if (!node)
        return NULL;
    node->name = plus;
    node->name_where = expression_place(c, plus_span);
    if (minus_span) {
        node->minus = minus;
        node->minus_where = expression_place(c, minus_span);
    }
    return node;
}

struct expression_node *expression_current_node(struct expression_context *c, const char *element,
                                                const struct expression_span *element_span,
                                                const struct expression_span *span)
{
    struct expression_node *node = element ? new_node(c, NODE_CURRENT, span) : NULL;
    if (node) {
        node->name = element;
        node->name_where = expression_place(c, element_span);
    }
    return node;
}

struct expression_node *expression_unary_node(struct expression_context *c, enum operation op,
                                              struct expression_node *operand, const struct expression_span *span)
{
    struct expression_node *node = operand ? new_node(c, NODE_UNARY, span) : NULL;
    if (node)
        node->operation = op;
    return expression_append(c, node, operand);
}

/* Operators of equal precedence, which join one chain. */
static int level(enum operation op)
{
    switch (op) {
    case OP_ADD:
    case OP_SUBTRACT:
        return 1;
    case OP_MULTIPLY:
    case OP_DIVIDE:
        return 2;
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
        return 3;
    case OP_EQUAL:
    case OP_UNEQUAL:
        return 4;
    default:
        return 5 + (int)op;
    }
}

struct expression_node *expression_chain_node(struct expression_context *c, struct expression_node *left,
                                              enum operation op, struct expression_node *right,
                                              const struct expression_span *span)
{
    if (!left || !right)
        return NULL;
    struct expression_node *chain = left;
    if (left->kind != NODE_CHAIN || left->closed || level(left->last->operation) != level(op)) {
        chain = new_node(c, NODE_CHAIN, span);
        if (!expression_append(c, chain, left))
            return NULL;
        chain->last->operation = op;
    }
    if (!expression_append(c, chain, right))
        return NULL;
    chain->last->operation = op;
    chain->where = expression_place(c, span);
    return chain;
}

struct expression_node *expression_condition_node(struct expression_context *c, struct expression_node *condition,
                                                  struct expression_node *first, struct expression_node *second,
                                                  const struct expression_span *span)
{
    struct expression_node *node = new_node(c, NODE_CONDITION, span);
    node = expression_append(c, node, condition);
    node = expression_append(c, node, first);
    return expression_append(c, node, second);
}

struct expression_node *expression_call_node(struct expression_context *c)
{
    return new_node(c, NODE_CALL, NULL);
}

struct expression_node *expression_close_call(struct expression_context *c, struct expression_node *call,
                                              const char *name, const struct expression_span *name_span,
                                              const struct expression_span *span)
{
    if (!call || !name)
        return NULL;
    call->name = name;
    call->name_where = expression_place(c, name_span);
    call->where = expression_place(c, span);
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

const struct expression_tree *expression_parse(struct arena *arena, const char *text, size_t length,
                                               struct kn_location where, struct kn_diagnostics *d)
{
    struct expression_context context = {.arena = arena, .diagnostics = d, .where = where};
    struct expression_tree *tree = take(&context, sizeof *tree);
    char *kept = arena_text(arena, text, length);
    char *scanned = malloc(length + 2);
    bool ok = false;
    if (tree && kept && scanned) {
        memcpy(scanned, text, length);
        scanned[length] = scanned[length + 1] = '\0';
        ok = parse_text(&context, scanned, length);
    }
    free(scanned);
    if (!ok && !context.failed)
        diagnostics_add(d, KN_ERROR, "memory", where, NULL, "out of memory");
    if (!ok || context.failed)
        return NULL;
    tree->root = context.root;
    tree->text = kept;
    tree->where = where;
    return tree;
}
