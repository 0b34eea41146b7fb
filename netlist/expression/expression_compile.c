/* expression_compile.c - from trees to programs: names are looked up, functions inlined, constants folded.
 *
 * An argument of a function is compiled where the function's body first needs it, and once: further mentions take the
 * value already there.  So an argument that only the branch not taken mentions costs nothing at run time.
 */
#include "base/names.h"
#include "netlist/expression/expression_compilation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    WORK_LIMIT = 10000000, /* nodes visited: functions that multiply one another */
    MOST_FAILURES = 10000,
    PARAMETER_LEVELS = 5, /* stack a parameter within a parameter takes, in levels of nesting */
    ERROR = COMPILATION_ERROR
};

/* Parameters being evaluated, innermost first; what a cycle is reported from. */
struct evaluation {
    const struct evaluation *outer;
    const struct parameter *parameter;
    int depth; /* levels of nesting already on the stack */
};

enum { DEEPEST_TEXT = 100 }; /* parameters that stand for others */

static int compile(struct compilation *c, const struct frame *frame, const struct expression_node *node);
static const char *text_or_word(const struct frame *frame, const struct expression_node *node, int depth);
/* Value of a parameter; `asked` is where it is mentioned, depth the nesting there. */
static bool parameter_value(struct parameter *p, struct kn_location asked, const struct evaluation *outer, int depth,
                            struct kn_diagnostics *d, double *value);

/* ---- names ---- */

static int compile_name(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    struct binding *binding = names_binding(frame, node->name);
    if (binding)
        return names_bound(c, binding);
    const struct builtin_quantity *quantity = builtin_quantity(node->name, c->apply.dialect);
    if (quantity && scope_is_reserved(quantity->name))
        return names_quantity(c, frame, node, quantity->kind);
    const int result = names_result(c, frame, node->name);
    if (result >= 0)
        return builder_input(c->builder, result, -1);
    double value;
    struct parameter *p = names_parameter(c->evaluation ? c->evaluation->parameter : NULL, frame, node->name);
    if (p && c->resolver && !scope_parameter_is_constant(p)) {
        const struct frame home = {.scope = p->home};
        return compile(c, &home, p->tree->root);
    }
    if (p)
        return parameter_value(p, node->where, c->evaluation, c->depth, c->diagnostics, &value)
                   ? builder_constant(c->builder, value)
                   : ERROR;
    if (quantity)
        return names_quantity(c, frame, node, quantity->kind);
    const struct builtin_constant *constant = builtin_constant(node->name, c->apply.dialect);
    if (constant)
        return builder_constant(c->builder, constant->value);
    if (c->resolver && c->resolver->number && c->resolver->number(c->resolver->context, node->name, &value))
        return builder_constant(c->builder, value);
    int lead;
    if (names_lead_word(c, node, &lead) || names_formula(c, frame, node, &lead))
        return lead;
    const int vector = names_vector(c, node->name, node->where);
    return vector >= 0 ? builder_input(c->builder, vector, -1) : names_unknown(c, frame, node);
}

/* ---- operators ---- */

static int compile_unary(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    const int value = compile(c, frame, node->operands->node);
    return value == ERROR ? ERROR : apply_operator(&c->apply, node->operation, value, value, node);
}

/* ---- texts: s == "fast", where s is one, or str(fast) ---- */

static const char *text_of(const struct frame *frame, const struct expression_node *node, int depth)
{
    if (node->kind == NODE_STRING || depth > DEEPEST_TEXT)
        return node->kind == NODE_STRING ? node->name : NULL;
    if (node->kind == NODE_CALL && names_equal(node->name, "str") && node->operand_count == 1)
        return text_or_word(frame, node->operands->node, depth + 1);
    if (node->kind != NODE_NAME)
        return NULL;
    const struct binding *binding = names_binding(frame, node->name);
    if (binding)
        return text_of(binding->frame, binding->node, depth + 1);
    const struct parameter *p = names_parameter(NULL, frame, node->name);
    const struct frame home = {.scope = p ? p->home : NULL};
    return p && p->tree ? text_of(&home, p->tree->root, depth + 1) : NULL;
}

/* A word that nothing else is known by is its own text: 'fast' in the quotes that other expressions have. */
static const char *text_or_word(const struct frame *frame, const struct expression_node *node, int depth)
{
    const char *text = text_of(frame, node, depth);
    const bool word = node->kind == NODE_NUMBER || (node->kind == NODE_NAME && !names_binding(frame, node->name) &&
                                                    !names_parameter(NULL, frame, node->name));
    return text || !word ? text : node->name;
}

/* Whether this compares two texts. */
static bool compares_texts(const struct frame *frame, const struct expression_node *node, bool *truth)
{
    const struct expression_operand *left = node->operands, *right = left->next;
    if (!right || right->next || (right->operation != OP_EQUAL && right->operation != OP_UNEQUAL) ||
        (!text_of(frame, left->node, 0) && !text_of(frame, right->node, 0)))
        return false;
    const char *one = text_or_word(frame, left->node, 0), *other = text_or_word(frame, right->node, 0);
    if (one && other)
        *truth = names_equal(one, other) == (right->operation == OP_EQUAL);
    return one && other;
}

static int compile_chain(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    bool truth;
    if (compares_texts(frame, node, &truth))
        return builder_constant(c->builder, truth);
    int value = compile(c, frame, node->operands->node);
    for (const struct expression_operand *right = node->operands->next; right; right = right->next) {
        const int other = compile(c, frame, right->node);
        value =
            value == ERROR || other == ERROR ? ERROR : apply_operator(&c->apply, right->operation, value, other, node);
    }
    return value;
}

/* The side that is taken; the other one is compiled for its errors and dropped. */
static int compile_known_condition(struct compilation *c, const struct frame *frame,
                                   const struct expression_operand *first, bool truth)
{
    const struct expression_operand *second = first->next;
    const struct application before = c->apply;
    const struct builder_draft draft = builder_begin_draft(c->builder);
    const int dropped = compile(c, frame, truth ? second->node : first->node);
    builder_drop_draft(c->builder, draft);
    c->apply = before;
    const int taken = compile(c, frame, truth ? first->node : second->node);
    return dropped == ERROR ? ERROR : taken;
}

static int compile_condition(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    const struct expression_operand *first = node->operands->next;
    double truth;
    int condition = compile(c, frame, node->operands->node);
    if (condition != ERROR)
        condition = apply_truth(&c->apply, condition, node->operands->node);
    if (condition == ERROR || builder_is_constant(c->builder, condition, &truth)) {
        const int value = compile_known_condition(c, frame, first, condition == ERROR || truth != 0.0);
        return condition == ERROR ? ERROR : value;
    }
    struct builder_branch branch;
    builder_open(c->builder, &branch, condition);
    const int taken = compile(c, frame, first->node);
    builder_next(c->builder, &branch, taken == ERROR ? 0 : taken);
    const int other = compile(c, frame, first->next->node);
    const int value = builder_close(c->builder, &branch, other == ERROR ? 0 : other);
    return taken == ERROR || other == ERROR ? ERROR : value;
}

/* ---- functions ---- */

static int report_recursion(struct compilation *c, const struct frame *frame, const struct function *f,
                            const struct expression_node *node)
{
    struct arena *scratch = arena_new();
    const char *chain = f->name;
    for (const struct frame *at = frame; scratch && chain && at && at->function; at = at->caller) {
        chain = arena_format(scratch, "%s -> %s", at->function->name, chain);
        if (at->function == f)
            break;
    }
    const char *hint = diagnostics_hint(c->diagnostics, "'%s' is defined at %s:%d; a function cannot use itself",
                                        f->name, f->where.file ? f->where.file : "line", f->where.line);
    diagnostics_add(c->diagnostics, KN_ERROR, "function-recursion", node->name_where, hint, "recursive function: %s",
                    chain ? chain : f->name);
    arena_free(scratch);
    return ERROR;
}

static bool check_count(struct compilation *c, const struct expression_node *node, const struct function *f)
{
    if (node->operand_count == f->argument_count)
        return true;
    const char *hint = diagnostics_hint(c->diagnostics, "'%s' is defined at %s:%d", f->name,
                                        f->where.file ? f->where.file : "line", f->where.line);
    diagnostics_add(c->diagnostics, KN_ERROR, "argument-count", node->where, hint,
                    "function '%s' takes %zu argument%s, not %zu", f->name, f->argument_count,
                    f->argument_count == 1 ? "" : "s", node->operand_count);
    return false;
}

static int compile_function(struct compilation *c, const struct frame *frame, const struct expression_node *node,
                            const struct function *f)
{
    for (const struct frame *at = frame; at; at = at->caller)
        if (at->function == f)
            return report_recursion(c, frame, f, node);
    if (!check_count(c, node, f))
        return ERROR;
    struct frame inner = {.scope = f->home, .function = f, .caller = frame};
    inner.bindings = builder_alloc(c->builder, f->argument_count, sizeof *inner.bindings);
    if (!inner.bindings)
        return ERROR;
    size_t i = 0;
    for (const struct expression_operand *argument = node->operands; argument; argument = argument->next)
        inner.bindings[i++] = (struct binding){.node = argument->node, .frame = frame, .value = ERROR};
    const int value = compile(c, &inner, f->tree->root);
    return value;
}

static int compile_builtin(struct compilation *c, const struct frame *frame, const struct expression_node *node,
                           const struct builtin_function *f)
{
    if (!apply_is_file(f, node) && !apply_check_count(&c->apply, f, node))
        return ERROR;
    if (f->operation == OP_CONDITION)
        return compile_condition(c, frame, node);
    if (apply_is_file(f, node)) /* a function of time */
        return c->resolver ? apply_file(&c->apply, f->operation, node) : names_quantity(c, frame, node, QUANTITY_TIME);
    int *values = builder_alloc(c->builder, node->operand_count, sizeof *values);
    if (!values)
        return ERROR;
    size_t i = 0;
    bool ok = true;
    for (const struct expression_operand *argument = node->operands; argument; argument = argument->next) {
        values[i] = compile(c, frame, argument->node);
        ok = values[i++] != ERROR && ok;
    }
    return ok ? apply_builtin(&c->apply, f, values, node) : ERROR;
}

/* HSPICE's lx7(m1) as the name @m1[gm]; NULL: it is nothing like that, or a formula of numbers alone, which has no arena. */
static struct expression_node *vector_of_template(const struct compilation *c, const struct expression_node *node)
{
    const struct expression_operand *first = node->operands;
    if (!c->apply.arena || !first || first->node->kind != NODE_NAME)
        return NULL;
    const char *quantity = dialect_template_quantity(node->name, first->node->name);
    const char *name = quantity ? arena_format(c->apply.arena, "@%s[%s]", first->node->name, quantity) : NULL;
    struct expression_node *vector = name ? arena_alloc(c->apply.arena, sizeof *vector) : NULL;
    if (vector)
        *vector = (struct expression_node){.kind = NODE_NAME, .name = name, .where = node->where};
    return vector;
}

static int compile_call(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    const struct function *f = scope_find_function(frame->scope, node->name);
    if (f)
        return compile_function(c, frame, node, f);
    if (expression_state_function(node->name))
        return compile_state(c, frame, node);
    int lead;
    if (names_lead_call(c, frame, node, &lead))
        return lead;
    const struct builtin_function *builtin = builtin_function_of(node->name, c->apply.dialect, node->operand_count);
    if (builtin)
        return compile_builtin(c, frame, node, builtin);
    const struct expression_node *vector = vector_of_template(c, node);
    if (vector)
        return compile(c, frame, vector);
    diagnostics_add(c->diagnostics, KN_ERROR, "unknown-function", node->name_where,
                    strncasecmp(node->name, "opt", 3) == 0
                        ? "the optimisation of HSPICE is not there: write a number"
                        : diagnostics_meant(c->diagnostics, scope_closest_function(frame->scope, node->name)),
                    "unknown function '%s'", node->name);
    return ERROR;
}

/* ---- trees ---- */

static bool within_limits(struct compilation *c, const struct expression_node *node)
{
    if (c->stopped)
        return false;
    const bool deep = c->depth >= EXPRESSION_NESTING_LIMIT;
    c->stopped = deep || c->work >= WORK_LIMIT || builder_too_large(c->builder);
    if (c->stopped)
        diagnostics_add(c->diagnostics, KN_ERROR, "expression-size", node->where,
                        "check how functions and parameters use one another",
                        "the expression is too %s when its functions and parameters are written out",
                        deep ? "deeply nested" : "large");
    return !c->stopped;
}

static int text_without_value(struct compilation *c, const struct expression_node *node)
{
    diagnostics_add(c->diagnostics, KN_ERROR, "value", node->where, "an expression stands in braces: {2*a}",
                    "the text \"%.40s\" is no number", node->name);
    return ERROR;
}

static int compile_kind(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    switch (node->kind) {
    case NODE_NUMBER:
        return builder_constant(c->builder, node->number);
    case NODE_NAME:
        return compile_name(c, frame, node);
    case NODE_VOLTAGE:
        return names_voltage(c, frame, node);
    case NODE_CURRENT:
        return names_current(c, frame, node);
    case NODE_UNARY:
        return compile_unary(c, frame, node);
    case NODE_CHAIN:
        return compile_chain(c, frame, node);
    case NODE_CALL:
        return compile_call(c, frame, node);
    case NODE_CONDITION:
        return compile_condition(c, frame, node);
    case NODE_STRING:
        return text_without_value(c, node);
    }
    return ERROR;
}

static int compile(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    if (!within_limits(c, node))
        return ERROR;
    c->depth++;
    c->work++;
    const int value = compile_kind(c, frame, node);
    c->failures += value == ERROR;
    c->stopped |= c->failures > MOST_FAILURES;
    c->depth--;
    return value;
}

/* The value of the whole tree; ERROR is reported. */
static int compile_tree(struct compilation *c, const struct scope *s, const struct expression_tree *tree)
{
    const struct frame frame = {.scope = s};
    c->apply.draws = scope_draws_of(s);
    c->apply.dialect = scope_dialect_of(s);
    c->apply.points = scope_points_of(s);
    const int value = compile(c, &frame, tree->root);
    double number;
    if (value == ERROR)
        return ERROR;
    if (!builder_ok(c->builder)) {
        diagnostics_add(c->diagnostics, KN_ERROR, "memory", tree->root->where, NULL, "out of memory");
        return ERROR;
    }
    if (!builder_is_constant(c->builder, value, &number) || isfinite(number))
        return value;
    diagnostics_add(c->diagnostics, KN_ERROR, "not-finite",
                    c->apply.singular_name ? c->apply.singular : tree->root->where, NULL,
                    "this is not a finite number: %s",
                    c->apply.singular_name ? c->apply.singular_name : "the operands are too large");
    return ERROR;
}

static bool out_of_memory(struct kn_diagnostics *d, struct kn_location where)
{
    diagnostics_add(d, KN_ERROR, "memory", where, NULL, "out of memory");
    return false;
}

static bool constant_value(const struct scope *s, const struct expression_tree *tree, const struct evaluation *outer,
                           struct kn_diagnostics *d, double *value)
{
    *value = tree->root->number;
    if (tree->root->kind == NODE_NUMBER && isfinite(tree->root->number))
        return true;
    struct builder *b = builder_new();
    if (!b)
        return out_of_memory(d, tree->root->where);
    struct compilation c = {.value = compile,
                            .builder = b,
                            .diagnostics = d,
                            .evaluation = outer,
                            .depth = outer ? outer->depth : 0,
                            .apply = {.builder = b, .diagnostics = d}};
    const int result = compile_tree(&c, s, tree);
    const bool ok = result != ERROR && builder_is_constant(b, result, value);
    if (result != ERROR && !ok) /* spice_pulse( ) and the like are functions of time without naming it */
        diagnostics_add(d, KN_ERROR, "not-constant", tree->root->where,
                        "only B sources and charge or flux laws may depend on V(), I() and time",
                        "this depends on the time: the number is fixed before the simulation starts");
    builder_free(b);
    return ok;
}

/* ---- values of parameters, evaluated when first needed ---- */

/* "a -> b -> a" for the parameters from p's first mention to the innermost one and p again. */
static void report_cycle(const struct parameter *p, struct kn_location asked, const struct evaluation *inner,
                         struct kn_diagnostics *d)
{
    struct arena *scratch = arena_new();
    const char *chain = scratch ? p->name : NULL;
    for (const struct evaluation *e = inner; chain; e = e->outer) {
        chain = arena_format(scratch, "%s -> %s", e->parameter->name, chain);
        if (e->parameter == p)
            break;
    }
    diagnostics_add(d, KN_ERROR, "parameter-cycle", asked, "give one of them a value of its own", "parameter cycle: %s",
                    chain ? chain : p->name);
    arena_free(scratch);
}

static bool in_evaluation(const struct parameter *p, const struct evaluation *inner)
{
    for (; inner; inner = inner->outer)
        if (inner->parameter == p)
            return true;
    return false;
}

static bool parameter_value(struct parameter *p, struct kn_location asked, const struct evaluation *outer, int depth,
                            struct kn_diagnostics *d, double *value)
{
    if (p->state == PARAMETER_NEW && in_evaluation(p, outer)) {
        report_cycle(p, asked, outer, d);
        p->state = PARAMETER_FAILED;
    }
    if (p->state == PARAMETER_NEW) {
        const struct evaluation here = {outer, p, depth + PARAMETER_LEVELS};
        struct draws *draws = scope_draws_of(p->home);
        const struct draws_owner before = draws ? draws_enter(draws, 'p', p->path, p->name) : (struct draws_owner){0};
        const bool ok = constant_value(p->home, p->tree, &here, d, &p->value);
        if (draws)
            draws->owner = before;
        p->state = ok ? PARAMETER_EVALUATED : PARAMETER_FAILED;
    }
    *value = p->value;
    return p->state == PARAMETER_EVALUATED;
}

bool scope_evaluate(const struct scope *s, const struct expression_tree *tree, struct kn_diagnostics *d, double *value)
{
    return constant_value(s, tree, NULL, d, value);
}

static bool is_text(const struct parameter *p)
{
    const struct frame home = {.scope = p->home};
    return p->tree && text_of(&home, p->tree->root, 0);
}

const char *scope_text(const struct scope *s, const char *name)
{
    const struct expression_node word = {.kind = NODE_NAME, .name = name};
    const struct frame here = {.scope = s};
    return text_of(&here, &word, 0);
}

bool scope_check(const struct scope *s, struct kn_diagnostics *d)
{
    bool ok = true;
    struct parameter *p;
    double ignored;
    for (size_t i = 0; (p = scope_parameter_at(s, i)); i++)
        ok =
            (is_text(p) || !scope_parameter_is_constant(p) || parameter_value(p, p->where, NULL, 0, d, &ignored)) && ok;
    return ok;
}

/* ---- programs ---- */

const struct expression *expression_compile(struct arena *arena, const struct scope *s,
                                            const struct expression_tree *tree,
                                            const struct expression_resolver *resolver, struct kn_diagnostics *d)
{
    struct builder *b = builder_new();
    struct compilation c = {.value = compile,
                            .builder = b,
                            .diagnostics = d,
                            .resolver = resolver,
                            .apply = {.builder = b,
                                      .diagnostics = d,
                                      .arena = arena,
                                      .complex_numbers = resolver && resolver->has_phasors}};
    struct expression *e = NULL;
    const int result = b ? compile_tree(&c, s, tree) : ERROR;
    if (result != ERROR)
        e = compilation_finish(&c, result, tree->root);
    if (!e && (!b || result != ERROR))
        out_of_memory(d, tree->root->where);
    builder_free(b);
    return e;
}
