/* expression_state.c - calls of ddt( ), idt( ) and delay( ): their argument becomes a program of its own, and what they
 * give an unknown of the circuit, which the expression around them sees as the voltage of a node.
 *
 *     ddt(x)                        d/dt x
 *     idt(x[,ic[,reset]]), sdt      the integral of x, ic at rest and where it begins; held at ic while reset is not 0
 *     idtmod(x[,ic[,m[,o]]])        the same less as many m as bring it between o and o + m
 *     delay(x,td[,tmax]), absdelay  x of the time td before, at least 0 and at most tmax
 *
 * (LTspice's help, page on B sources; Xyce Reference Guide, table of functions: ddt and sdt; ngspice manual: ddt.)
 */
#include "netlist/expression/expression_compilation.h"

#include <math.h>
#include <string.h>

static enum expression_state_kind kind_of(const struct builtin_function *f)
{
    return f->operation == OP_DERIVATIVE ? EXPRESSION_DERIVATIVE
           : f->operation == OP_DELAYED  ? EXPRESSION_DELAY
                                         : EXPRESSION_INTEGRAL;
}

/* Whose value is kept modulo the third argument. */
static bool is_wrapped(const struct builtin_function *f)
{
    return f->operation == OP_WRAPPED_INTEGRAL;
}

bool expression_state_function(const char *name)
{
    const struct builtin_function *f = builtin_function(name, DIALECT_SPICE);
    return f && operation_is_state(f->operation);
}

/* ---- programs ---- */

void compilation_mention(struct compilation *c, const struct frame *frame, const struct expression_node *node, int plus,
                         int minus)
{
    if (frame->function ||
        !builder_room(c->builder, &c->mentions, c->mention_count, &c->mention_capacity, sizeof *c->mentions))
        return;
    c->mentions[c->mention_count++] = (struct expression_mention){node, plus, minus};
}

static bool keep_tree(const struct compilation *c, struct expression *e, const struct expression_node *root)
{
    e->root = root;
    e->mention_count = c->mention_count;
    e->mentions = arena_array(c->apply.arena, c->mention_count, sizeof *e->mentions);
    if (e->mentions && c->mention_count)
        memcpy(e->mentions, c->mentions, c->mention_count * sizeof *e->mentions);
    return e->mentions;
}

struct expression *compilation_finish(struct compilation *c, int result, const struct expression_node *root)
{
    struct expression *e = builder_finish(c->builder, result, c->apply.arena);
    return e && keep_tree(c, e, root) ? e : NULL;
}

/* What is in force while another program is being made. */
struct outer_program {
    struct builder *builder;
    struct expression_mention *mentions;
    size_t mention_count, mention_capacity;
};

static struct outer_program begin_program(struct compilation *c, struct builder *b)
{
    const struct outer_program outer = {c->builder, c->mentions, c->mention_count, c->mention_capacity};
    c->builder = c->apply.builder = b;
    c->mentions = NULL;
    c->mention_count = c->mention_capacity = 0;
    return outer;
}

static void end_program(struct compilation *c, const struct outer_program *outer)
{
    c->builder = c->apply.builder = outer->builder;
    c->mentions = outer->mentions;
    c->mention_count = outer->mention_count;
    c->mention_capacity = outer->mention_capacity;
}

static int report_memory(const struct compilation *c, const struct expression_node *node)
{
    diagnostics_add(c->diagnostics, KN_ERROR, "memory", node->where, NULL, "out of memory");
    return COMPILATION_ERROR;
}

/* The program of an argument; NULL is reported.  *constant, where it is asked for: its value, NAN where it has none of its own. */
static const struct expression *argument_program(struct compilation *c, const struct frame *frame,
                                                 const struct expression_node *node, double *constant)
{
    struct builder *b = builder_new();
    const struct expression *program = NULL;
    if (b) {
        const struct outer_program outer = begin_program(c, b);
        const int value = c->value(c, frame, node);
        if (value != COMPILATION_ERROR && builder_ok(b))
            program = compilation_finish(c, value, node);
        if (program && constant && !builder_is_constant(b, value, constant))
            *constant = NAN;
        if (value != COMPILATION_ERROR && !program)
            report_memory(c, node);
        end_program(c, &outer);
    } else {
        report_memory(c, node);
    }
    builder_free(b);
    return program;
}

/* ---- arguments ---- */

static const struct expression_node *argument(const struct expression_node *call, size_t i)
{
    const struct expression_operand *o = call->operands;
    for (; o && i > 0; i--)
        o = o->next;
    return o ? o->node : NULL;
}

/* The i-th argument as a number, or what it is where it is not there. */
static bool read_number(struct compilation *c, const struct frame *frame, const struct expression_node *call, size_t i,
                        const char *what, double *number)
{
    const struct expression_node *node = argument(call, i);
    if (!node)
        return true;
    const int value = c->value(c, frame, node);
    if (value == COMPILATION_ERROR)
        return false;
    if (builder_is_constant(c->builder, value, number) && isfinite(*number))
        return true;
    diagnostics_add(c->diagnostics, KN_ERROR, "not-constant", node->where, NULL, "%s of %s() must be a constant", what,
                    call->name);
    return false;
}

static bool check_past(const struct compilation *c, const struct expression_node *call, size_t i, const char *what,
                       double number)
{
    if (number >= 0)
        return true;
    diagnostics_add(c->diagnostics, KN_ERROR, "value-range", argument(call, i)->where, NULL,
                    "%s() looks back in time: its %s must not be negative, but is %g", call->name, what, number);
    return false;
}

static bool read_delay(struct compilation *c, const struct frame *frame, const struct expression_node *call,
                       struct expression_state *s)
{
    double most = INFINITY;
    const struct expression *delay = argument_program(c, frame, argument(call, 1), &s->number);
    if (!delay || !read_number(c, frame, call, 2, "the largest delay", &most) ||
        !check_past(c, call, 2, "largest delay", most))
        return false;
    s->late = isnan(s->number) ? delay : NULL;
    const bool good = s->late || check_past(c, call, 1, "delay", s->number);
    s->number = s->late ? most : fmin(s->number, most);
    return good;
}

/* The program of first where the reset lasts, and of second otherwise. */
static const struct expression *by_reset(struct compilation *c, const struct frame *frame,
                                         const struct expression_node *call, const struct expression_node *first,
                                         const struct expression_node *second)
{
    const struct expression_node *reset = argument(call, 2);
    const struct expression_node *choice = node_condition(c->apply.arena, reset, first, second, reset->where);
    return choice ? argument_program(c, frame, choice, NULL) : NULL;
}

static bool read_reset(struct compilation *c, const struct frame *frame, const struct expression_node *call,
                       struct expression_state *s)
{
    const struct tree_maker m = {c->apply.arena, call->where};
    s->initial = argument_program(c, frame, argument(call, 1), NULL);
    s->reset = by_reset(c, frame, call, make_number(&m, 1), make_number(&m, 0));
    s->argument = by_reset(c, frame, call, make_number(&m, 0), argument(call, 0));
    return s->initial && s->reset && s->argument;
}

static bool read_integral(struct compilation *c, const struct frame *frame, const struct expression_node *call,
                          const struct builtin_function *f, struct expression_state *s)
{
    if (!is_wrapped(f) && argument(call, 2))
        return read_reset(c, frame, call, s);
    return read_number(c, frame, call, 1, "the initial value", &s->number);
}

/* ---- calls ---- */

static bool is_constant(const struct expression *e)
{
    return expression_variable_count(e) == 0 && !expression_uses_time(e);
}

/* The i-th argument, or 0; COMPILATION_ERROR. */
static int value_of(struct compilation *c, const struct frame *frame, const struct expression_node *call, size_t i)
{
    const struct expression_node *node = argument(call, i);
    return node ? c->value(c, frame, node) : builder_constant(c->builder, 0);
}

/* y - m floor((y - o)/m); m and o may depend on anything. */
static int wrap(struct compilation *c, const struct frame *frame, const struct expression_node *call, int y)
{
    double number;
    if (!argument(call, 2))
        return y;
    const int m = value_of(c, frame, call, 2), offset = value_of(c, frame, call, 3);
    if (m == COMPILATION_ERROR || offset == COMPILATION_ERROR)
        return COMPILATION_ERROR;
    if (builder_is_constant(c->builder, m, &number) && !(number > 0)) {
        diagnostics_add(c->diagnostics, KN_ERROR, "value-range", argument(call, 2)->where, NULL,
                        "the modulus of %s() must be positive, but is %g", call->name, number);
        return COMPILATION_ERROR;
    }
    struct builder *b = c->builder;
    const int from = builder_operation(b, OP_SUBTRACT, y, offset);
    const int turns = builder_operation(b, OP_DIVIDE, from, m);
    const int whole = builder_operation(b, OP_FLOOR, turns, turns);
    return builder_operation(b, OP_SUBTRACT, y, builder_operation(b, OP_MULTIPLY, m, whole));
}

static int add_state(struct compilation *c, const struct frame *frame, const struct expression_node *call,
                     const struct builtin_function *f, const struct expression_state *s)
{
    const int node = c->resolver->state(c->resolver->context, s);
    if (node < 0)
        return COMPILATION_ERROR;
    if (!is_wrapped(f))
        compilation_mention(c, frame, call, node, -1);
    const struct expression_variable voltage = {EXPRESSION_NODE_VOLTAGE, node, call->where};
    const int y = builder_input(c->builder, builder_variable(c->builder, &voltage), -1);
    return is_wrapped(f) ? wrap(c, frame, call, y) : y;
}

static bool check_call(const struct compilation *c, const struct expression_node *call,
                       const struct builtin_function *f)
{
    if (call->operand_count < f->least || call->operand_count > f->most) {
        diagnostics_add(c->diagnostics, KN_ERROR, "argument-count", call->where,
                        diagnostics_hint(c->diagnostics, "write %s(%s): %s", f->name, f->arguments, f->doc),
                        "%s() has %zu argument%s here", call->name, call->operand_count,
                        call->operand_count == 1 ? "" : "s");
        return false;
    }
    if (c->resolver && c->resolver->state)
        return true;
    diagnostics_add(c->diagnostics, KN_ERROR, "not-constant", call->where,
                    c->resolver ? "give it a B source of its own, B1 x 0 V=.., and ask for V(x)"
                                : "only sources, laws and results may depend on the course of time",
                    "%s() has no value here: it is an unknown of the circuit's equations", call->name);
    return false;
}

int compile_state(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    const struct builtin_function *f = builtin_function(node->name, DIALECT_SPICE);
    struct expression_state s = {.kind = kind_of(f), .function = f->name, .where = node->where};
    if (!check_call(c, node, f))
        return COMPILATION_ERROR;
    if (kind_of(f) == EXPRESSION_DELAY ? !read_delay(c, frame, node, &s)
                                       : kind_of(f) == EXPRESSION_INTEGRAL && !read_integral(c, frame, node, f, &s))
        return COMPILATION_ERROR;
    const bool prompt = kind_of(f) == EXPRESSION_DELAY && s.number == 0;
    if (!prompt && !s.argument && !(s.argument = argument_program(c, frame, argument(node, 0), NULL)))
        return COMPILATION_ERROR;
    if (prompt || (kind_of(f) == EXPRESSION_DELAY && is_constant(s.argument)))
        return c->value(c, frame, argument(node, 0));
    if (kind_of(f) == EXPRESSION_DERIVATIVE && is_constant(s.argument))
        return builder_constant(c->builder, 0);
    return add_state(c, frame, node, f, &s);
}
