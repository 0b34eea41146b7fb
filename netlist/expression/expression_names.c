/* expression_names.c - what the names of an expression stand for: arguments, parameters, constants, nodes, elements. */
#include "base/names.h"
#include "netlist/expression/expression_compilation.h"

#include <stdio.h>
#include <string.h>

enum { ERROR = COMPILATION_ERROR };

/* r1:r, which is no parameter. */
static int unknown_value(struct compilation *c, const struct expression_node *node)
{
    diagnostics_add(c->diagnostics, KN_ERROR, "unknown-parameter", node->where,
                    c->resolver ? "r1:r is what the card of r1 says, or a formula on a card in this subcircuit, which "
                                  "small signals do not know; r1:tc1 is a setting on its card"
                                : "values of elements are known in formulas of B, E and G and in results only: give "
                                  "the number a name by .param and use that on both cards",
                    c->resolver ? "unknown parameter '%s', no value of an element here"
                                : "'%s', the value of an element, is not known here",
                    node->name);
    return ERROR;
}

int names_unknown(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    if (strchr(node->name, ':'))
        return unknown_value(c, node);
    const struct function *f = frame->function;
    const char *closest =
        scope_closest_parameter(frame->scope, node->name, f ? f->arguments : NULL, f ? f->argument_count : 0);
    const char *hint = closest ? diagnostics_hint(c->diagnostics, "did you mean '%s'?", closest)
                               : "define it with .param; a node voltage is written V(name)";
    diagnostics_add(c->diagnostics, KN_ERROR, "unknown-parameter", node->where, hint, "unknown parameter '%s'",
                    node->name);
    return ERROR;
}

static int not_constant(struct compilation *c, const struct expression_node *node, const char *what)
{
    diagnostics_add(c->diagnostics, KN_ERROR, "not-constant", node->where,
                    "only B sources and charge or flux laws may depend on V(), I() and time",
                    "%s has no value here: this number is fixed before the simulation starts", what);
    return ERROR;
}

/* ngspice puts the body of a function where it is called, and names in it mean what they mean there. */
static bool substitutes_text(const struct frame *frame)
{
    const enum dialect dialect = scope_dialect_of(frame->scope);
    return dialect == DIALECT_SPICE || dialect == DIALECT_NGSPICE || dialect == DIALECT_KICAD;
}

struct binding *names_binding(const struct frame *frame, const char *name)
{
    for (size_t i = 0; frame->function && i < frame->function->argument_count; i++)
        if (names_equal(frame->function->arguments[i], name))
            return &frame->bindings[i];
    return frame->caller && substitutes_text(frame) ? names_binding(frame->caller, name) : NULL;
}

static int compile_time(struct compilation *c, const struct expression_node *node)
{
    return c->resolver ? builder_time(c->builder) : not_constant(c, node, "time");
}

static int compile_temperature(struct compilation *c, const struct frame *frame)
{
    return c->resolver ? builder_temperature(c->builder) : builder_constant(c->builder, scope_celsius(frame->scope));
}

/* hertz has a value where what a program is run over are frequencies. */
static int compile_frequency(struct compilation *c, const struct expression_node *node)
{
    if (c->resolver && c->resolver->has_frequency)
        return builder_time(c->builder);
    if (c->resolver && c->resolver->may_ask_frequency) {
        const struct expression_variable frequency = {EXPRESSION_FREQUENCY, 0, node->where};
        return builder_input(c->builder, builder_variable(c->builder, &frequency), -1);
    }
    diagnostics_add(c->diagnostics, KN_ERROR, "not-constant", node->where,
                    "it may stand in formulas of B, E, G, R, C and L and in results of .ac",
                    "'%s' has no value here, where a number is wanted", node->name);
    return ERROR;
}

/* k T/q */
static int compile_thermal_voltage(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    static const double volts_per_kelvin = 1.380649e-23 / 1.602176634e-19, freezing_point = 273.15;
    const int kelvin = apply_operation(&c->apply, OP_ADD, compile_temperature(c, frame),
                                       builder_constant(c->builder, freezing_point), node);
    return apply_operation(&c->apply, OP_MULTIPLY, kelvin, builder_constant(c->builder, volts_per_kelvin), node);
}

int names_quantity(struct compilation *c, const struct frame *frame, const struct expression_node *node,
                   enum builtin_quantity_kind kind)
{
    switch (kind) {
    case QUANTITY_TIME:
        return compile_time(c, node);
    case QUANTITY_FREQUENCY:
        return compile_frequency(c, node);
    case QUANTITY_THERMAL:
        return compile_thermal_voltage(c, frame, node);
    case QUANTITY_GMIN:
        return builder_constant(c->builder, scope_gmin(frame->scope));
    case QUANTITY_TEMPERATURE:
        break;
    }
    return compile_temperature(c, frame);
}

struct parameter *names_parameter(const struct parameter *evaluated, const struct frame *frame, const char *name)
{
    struct parameter *p = NULL;
    if (frame->caller && substitutes_text(frame))
        p = names_parameter(evaluated, frame->caller, name);
    for (; frame && !p; frame = frame->caller)
        p = scope_find_parameter(frame->scope, name, evaluated);
    return p;
}

/* The variable of a measurement's result; -1 where the name is none.  Bodies of functions know nothing of them. */
int names_result(struct compilation *c, const struct frame *frame, const char *name)
{
    const bool possible = c->resolver && c->resolver->result && !frame->function;
    const int number = possible ? c->resolver->result(c->resolver->context, name) : -1;
    const struct expression_variable result = {EXPRESSION_RESULT, number, {0}};
    return number < 0 ? -1 : builder_variable(c->builder, &result);
}

/* The variable of a vector of results; -1 where such names mean nothing. */
int names_vector(struct compilation *c, const char *name, struct kn_location where)
{
    const bool possible = c->resolver && c->resolver->vector;
    const int number = possible ? c->resolver->vector(c->resolver->context, name) : -1;
    const struct expression_variable vector = {EXPRESSION_VECTOR, number, where};
    return number < 0 ? -1 : builder_variable(c->builder, &vector);
}

/* ---- V( ) and I( ) ---- */

/* In the body of a function a node or element may be one of its arguments: .func vbe(b,e) {V(b,e)}. */
static const char *circuit_name(struct compilation *c, const struct frame *frame, const char *name)
{
    const struct binding *binding = names_binding(frame, name);
    while (binding && binding->node->kind == NODE_NAME) {
        name = binding->node->name;
        binding = names_binding(binding->frame, name);
    }
    if (binding && binding->node->kind == NODE_NUMBER && binding->node->number >= 0.0) {
        char *text = builder_alloc(c->builder, 1, 32);
        if (text)
            snprintf(text, 32, "%.15g", binding->node->number);
        return text ? text : name;
    }
    return name;
}

static int unknown_in_circuit(struct compilation *c, struct kn_location where, const char *what, const char *name,
                              const char *(*closest)(void *context, const char *name))
{
    const char *near = closest ? closest(c->resolver->context, name) : NULL;
    const char *hint = diagnostics_meant(c->diagnostics, near);
    diagnostics_add(c->diagnostics, KN_ERROR, what[0] == 'n' ? "unknown-node" : "unknown-element", where, hint,
                    "there is no %s '%s' here", what, name);
    return ERROR;
}

/* What a name in the body of a function stands for: the argument of that name when it names something in the circuit,
 * else, as in ngspice, the name as it is written: .func f(p) {V(p)+p} with a number for p. */
static int find_in_circuit(struct compilation *c, const struct frame *frame, const char *written, const char **name,
                           int (*find)(void *context, const char *name))
{
    *name = circuit_name(c, frame, written);
    const int index = find ? find(c->resolver->context, *name) : ERROR;
    return index < 0 && find && *name != written ? find(c->resolver->context, written) : index;
}

/* Number of the node V(name); ERROR when there is none. */
static int find_node(struct compilation *c, const struct frame *frame, const char *written, struct kn_location where)
{
    const char *name;
    const int index = find_in_circuit(c, frame, written, &name, c->resolver->node);
    return index < 0 ? unknown_in_circuit(c, where, "node", name, c->resolver->closest_node) : index;
}

/* The variable of a node; -1 for ground, and where there is none. */
static int node_variable(struct compilation *c, int index, struct kn_location where)
{
    const struct expression_variable voltage = {EXPRESSION_NODE_VOLTAGE, index, where};
    return index <= 0 ? -1 : builder_variable(c->builder, &voltage);
}

/* V(onoise) of LTspice: a vector where there is no node of that name. */
static int find_missing_node(struct compilation *c, const struct expression_node *node)
{
    const bool is_node = c->resolver->node && c->resolver->node(c->resolver->context, node->name) >= 0;
    return is_node ? -1 : names_vector(c, node->name, node->name_where);
}

int names_voltage(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    if (!c->resolver)
        return not_constant(c, node, "V()");
    const int vector = node->minus || frame->function ? -1 : find_missing_node(c, node);
    if (vector >= 0)
        return builder_input(c->builder, vector, -1);
    const int plus = find_node(c, frame, node->name, node->name_where);
    const int minus = node->minus ? find_node(c, frame, node->minus, node->minus_where) : -1;
    if (plus == ERROR || (node->minus && minus == ERROR))
        return ERROR;
    compilation_mention(c, frame, node, plus, minus);
    const int first = node_variable(c, plus, node->name_where);
    return builder_input(c->builder, first, node_variable(c, minus, node->minus_where));
}

/* ---- quantities of elements ---- */

static int current_of(struct compilation *c, const struct expression_lead *lead, struct kn_location where)
{
    const struct expression_variable current = {EXPRESSION_BRANCH_CURRENT, lead->element, where};
    return builder_input(c->builder, builder_variable(c->builder, &current), -1);
}

static int voltage_of(struct compilation *c, const struct expression_lead *lead, struct kn_location where)
{
    const int plus = node_variable(c, lead->plus, where);
    return builder_input(c->builder, plus, node_variable(c, lead->minus, where));
}

static int lead_value(struct compilation *c, const struct expression_lead *lead, const struct expression_node *node,
                      const char *element)
{
    switch (lead->kind) {
    case LEAD_CURRENT:
        return current_of(c, lead, node->where);
    case LEAD_VOLTAGE:
        return voltage_of(c, lead, node->where);
    case LEAD_POWER:
        return apply_operation(&c->apply, OP_MULTIPLY, voltage_of(c, lead, node->where),
                               current_of(c, lead, node->where), node);
    case LEAD_UNKNOWN:
    case LEAD_RESULT:
        break;
    }
    diagnostics_add(c->diagnostics, KN_ERROR, "quantity-in-formula", node->where,
                    "formulas have I(element), currents of terminals, ib(q1), V(node) and the power of elements with "
                    "two nodes; .print and .save have "
                    "the others by themselves",
                    "this quantity of '%s' cannot stand in a formula", element);
    return ERROR;
}

static struct expression_lead find_lead(struct compilation *c, const char *element, const char *quantity)
{
    const bool possible = c->resolver && c->resolver->lead && !c->resolver->has_frequency;
    return possible ? c->resolver->lead(c->resolver->context, element, quantity)
                    : (struct expression_lead){.kind = LEAD_UNKNOWN};
}

/* Where results are asked for, ig(m1) is the vector @m1[ig]; -1 elsewhere. */
static int vector_of_lead(struct compilation *c, const char *element, const char *quantity, struct kn_location where)
{
    const size_t length = strlen(element) + strlen(quantity) + 4;
    char *name = c->resolver->vector ? builder_alloc(c->builder, 1, length) : NULL;
    if (!name)
        return -1;
    snprintf(name, length, "@%s[%s]", element, quantity);
    return names_vector(c, name, where);
}

/* The quantity that a function is, p( ) and w( ) the power; NULL: it is none. */
static const char *quantity_of_function(const char *name)
{
    static const char *const leads[] = {"id", "ig", "is", "ib", "ic", "ie"};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (names_equal(name, leads[i]))
            return leads[i];
    return names_equal(name, "p") || names_equal(name, "w") ? "p" : NULL;
}

/* p(x1) ix(x1:a) isub(x1.a): a sum over elements; NULL: it is none. */
static const struct expression_node *sum_of_instance(struct compilation *c, const struct expression_node *call,
                                                     const char *name)
{
    const struct expression_resolver *r = c->resolver;
    const char *quantity = quantity_of_function(call->name);
    if (r->has_frequency)
        return NULL;
    if (r->port && (names_equal(call->name, "ix") || names_equal(call->name, "isub")))
        return r->port(r->context, name, call->where);
    return quantity && *quantity == 'p' && r->power ? r->power(r->context, name, call->where) : NULL;
}

bool names_lead_call(struct compilation *c, const struct frame *frame, const struct expression_node *node, int *value)
{
    const struct expression_node *operand = node->operand_count == 1 ? node->operands->node : NULL;
    if (!c->resolver || !operand || !operand->name || (operand->kind != NODE_NAME && operand->kind != NODE_NUMBER))
        return false;
    if (names_equal(node->name, "n")) {
        const struct expression_node voltage = {
            .kind = NODE_VOLTAGE, .name = operand->name, .where = node->where, .name_where = operand->where};
        *value = names_voltage(c, frame, &voltage);
        return true;
    }
    const char *quantity = quantity_of_function(node->name), *element = circuit_name(c, frame, operand->name);
    const struct expression_lead lead =
        quantity ? find_lead(c, element, quantity) : (struct expression_lead){.kind = LEAD_UNKNOWN};
    const struct expression_node *sum = lead.kind == LEAD_UNKNOWN ? sum_of_instance(c, node, element) : NULL;
    const int vector = lead.kind == LEAD_RESULT ? vector_of_lead(c, element, quantity, node->where) : -1;
    if (sum)
        *value = c->value(c, frame, sum);
    else if (vector >= 0)
        *value = builder_input(c->builder, vector, -1);
    else if (lead.kind != LEAD_UNKNOWN)
        *value = lead_value(c, &lead, node, element);
    return sum || lead.kind != LEAD_UNKNOWN;
}

bool names_lead_word(struct compilation *c, const struct expression_node *node, int *value)
{
    const char *bracket = node->name[0] == '@' ? strchr(node->name, '[') : NULL;
    char *element = bracket ? builder_alloc(c->builder, 1, strlen(node->name)) : NULL;
    if (!element)
        return false;
    const size_t length = (size_t)(bracket - node->name) - 1;
    memcpy(element, node->name + 1, length);
    element[length] = '\0';
    char *quantity = element + length + 1;
    strcpy(quantity, bracket + 1);
    quantity[strcspn(quantity, "]")] = '\0';
    const struct expression_lead lead = find_lead(c, element, quantity);
    if (lead.kind == LEAD_RESULT && c->resolver->vector) /* which is asked for by name */
        return false;
    if (lead.kind != LEAD_UNKNOWN)
        *value = lead_value(c, &lead, node, element);
    return lead.kind != LEAD_UNKNOWN;
}

int names_bound(struct compilation *c, struct binding *binding)
{
    const bool known = binding->value != ERROR && binding->builder == c->builder;
    if (!known || !builder_is_open(c->builder, binding->block)) {
        binding->value = c->value(c, binding->frame, binding->node);
        binding->block = builder_block(c->builder);
        binding->builder = c->builder;
    }
    return binding->value;
}

static struct binding *formula_binding(struct compilation *c, const struct frame *frame,
                                       const struct expression_node *root)
{
    struct formula_value *f = c->formulas;
    while (f && f->value.node != root)
        f = f->next;
    if (!f && (f = arena_alloc(c->apply.arena, sizeof *f))) {
        *f = (struct formula_value){{root, frame, NULL, ERROR, 0}, c->formulas};
        c->formulas = f;
    }
    return f ? &f->value : NULL;
}

bool names_formula(struct compilation *c, const struct frame *frame, const struct expression_node *node, int *value)
{
    const struct expression_resolver *r = c->resolver;
    const struct expression_node *root =
        r && r->formula && !r->has_frequency ? r->formula(r->context, node->name) : NULL;
    while (root && frame->caller)
        frame = frame->caller;
    struct binding *known = root ? formula_binding(c, frame, root) : NULL;
    if (known)
        *value = names_bound(c, known);
    else if (root)
        *value = c->value(c, frame, root);
    return root != NULL;
}

int names_current(struct compilation *c, const struct frame *frame, const struct expression_node *node)
{
    if (!c->resolver)
        return not_constant(c, node, "I()");
    const char *name;
    const int index = find_in_circuit(c, frame, node->name, &name, c->resolver->element);
    if (index < 0)
        return unknown_in_circuit(c, node->name_where, "element", name, c->resolver->closest_element);
    compilation_mention(c, frame, node, index, -1);
    const struct expression_variable current = {EXPRESSION_BRANCH_CURRENT, index, node->name_where};
    return builder_input(c->builder, builder_variable(c->builder, &current), -1);
}
