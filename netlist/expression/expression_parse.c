/* expression_parse.c - from text to tree. */
#include "netlist/expression/expression_context.h"

#include "expression_parser.h"
#include "expression_scanner.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

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

/* In a context that says how to read it. */
static const struct expression_tree *parse(struct expression_context context, const char *text, size_t length)
{
    struct arena *arena = context.arena;
    context.has_whole_quotient = memchr(text, '\\', length) != NULL;
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
        diagnostics_add(context.diagnostics, KN_ERROR, "memory", context.where, NULL, "out of memory");
    return tree;
}

static struct expression_context context_of(struct arena *arena, struct kn_location where, enum dialect dialect,
                                            struct kn_diagnostics *d)
{
    return (struct expression_context){.arena = arena, .diagnostics = d, .where = where, .dialect = dialect};
}

const struct expression_tree *expression_parse(struct arena *arena, const char *text, size_t length,
                                               struct kn_location where, enum dialect dialect, struct kn_diagnostics *d)
{
    return parse(context_of(arena, where, dialect, d), text, length);
}

const struct expression_tree *expression_parse_constant(struct arena *arena, const char *text, size_t length,
                                                        struct kn_location where, enum dialect dialect,
                                                        struct kn_diagnostics *d)
{
    struct expression_context context = context_of(arena, where, dialect, d);
    context.one_level = true;
    return parse(context, text, length);
}

const struct expression_tree *expression_parse_phasors(struct arena *arena, const char *text, size_t length,
                                                       struct kn_location where, enum dialect dialect,
                                                       struct kn_diagnostics *d)
{
    struct expression_context context = context_of(arena, where, dialect, d);
    context.of_phasors = true;
    return parse(context, text, length);
}
