/* compile.c - names in formulas as an instance sees them. */
#include "netlist/formulas/formulas.h"

#include "netlist/expression/expression_tree.h"

#include <stdlib.h>
#include <string.h>

struct resolver_context {
    struct expansion *x;
    const struct instance *at;
    const struct name_finders *finders; /* NULL: none */
};

/* Names that are missing because of an error already reported stand for anything. */
static int resolve_node(void *context, const char *name)
{
    const struct resolver_context *r = context;
    const int found = expand_find_node(r->x, r->at, name);
    expand_use_node(r->x, found, USE_CONTROL);
    return found < 0 && expand_excuses_node(r->x, name) ? 0 : found;
}

static int resolve_element(void *context, const char *name)
{
    const struct resolver_context *r = context;
    struct element *e = expand_find_element(r->x, r->at, name);
    if (e && !r->finders)
        return formulas_current(r->x, e);
    return e ? e->number : expand_excuses_element(r->x, name) ? 0 : -1;
}

static const char *resolve_closest_node(void *context, const char *name)
{
    const struct resolver_context *r = context;
    return expand_closest_node(r->x, r->at, name);
}

static const char *resolve_closest_element(void *context, const char *name)
{
    const struct resolver_context *r = context;
    return expand_closest_element(r->x, r->at, name);
}

static int resolve_result(void *context, const char *name)
{
    const struct name_finders *f = ((const struct resolver_context *)context)->finders;
    return f->result(f->context, name);
}

static int resolve_vector(void *context, const char *name)
{
    const struct name_finders *f = ((const struct resolver_context *)context)->finders;
    return f->vector(f->context, name);
}

static int resolve_state(void *context, const struct expression_state *state)
{
    const struct resolver_context *r = context;
    return formulas_state(r->x, state);
}

static bool resolve_number(void *context, const char *name, double *value)
{
    const struct resolver_context *r = context;
    return formulas_setting(r->x, r->at, name, value);
}

static const struct expression_node *resolve_formula(void *context, const char *name)
{
    const struct resolver_context *r = context;
    return formulas_setting_formula(r->x, r->at, name);
}

static struct expression_lead resolve_lead(void *context, const char *element, const char *quantity)
{
    const struct resolver_context *r = context;
    struct expression_lead lead = formulas_lead(r->x, r->at, element, quantity);
    if (!r->finders && (lead.kind == LEAD_CURRENT || lead.kind == LEAD_POWER))
        lead.element = formulas_current(r->x, &r->x->elements[lead.element]);
    if (r->finders || lead.kind != LEAD_RESULT)
        return lead;
    const int source = formulas_terminal_current(r->x, &r->x->elements[lead.element], quantity);
    return source < 0 ? lead : (struct expression_lead){.kind = LEAD_CURRENT, .element = source};
}

static const struct expression_node *resolve_power(void *context, const char *instance, struct kn_location where)
{
    const struct resolver_context *r = context;
    return formulas_power(r->x, r->at, instance, where);
}

static const struct expression_node *resolve_port(void *context, const char *port, struct kn_location where)
{
    const struct resolver_context *r = context;
    return formulas_port_current(r->x, r->at, port, where);
}

static struct expression_resolver resolver_of(struct expansion *x, const struct instance *at,
                                              const struct name_finders *finders)
{
    struct resolver_context *context = arena_alloc(x->deck->scratch, sizeof *context);
    if (!context)
        deck_no_memory(x->deck);
    else
        *context = (struct resolver_context){x, at, finders};
    return (struct expression_resolver){.context = context,
                                        .node = resolve_node,
                                        .element = resolve_element,
                                        .result = finders && finders->result ? resolve_result : NULL,
                                        .vector = finders && finders->vector ? resolve_vector : NULL,
                                        .has_frequency = finders && finders->has_frequency,
                                        .may_ask_frequency = !finders,
                                        .state = resolve_state,
                                        .number = resolve_number,
                                        .formula = resolve_formula,
                                        .lead = resolve_lead,
                                        .power = resolve_power,
                                        .port = resolve_port,
                                        .closest_node = resolve_closest_node,
                                        .closest_element = resolve_closest_element};
}

const struct expression *expand_compile(struct expansion *x, const struct instance *at,
                                        const struct expression_tree *tree, const struct name_finders *finders)
{
    const struct expression_resolver resolver = resolver_of(x, at, finders);
    const struct expression *made =
        expression_compile(x->deck->arena, at->scope, tree, &resolver, x->deck->diagnostics);
    if (made)
        expand_add(x, &x->programs, &made);
    const int frequency = made && !finders ? expression_frequency(made) : -1;
    if (frequency >= 0 && !x->asks_frequency) {
        x->asks_frequency = true;
        x->frequency_where = expression_variables(made)[frequency].where;
    }
    return made;
}

/* V(e1#laplace), as the instance sees it. */
static const struct expression_tree *tree_of_node(struct expansion *x, const struct pending *p, int node)
{
    struct arena *arena = x->deck->arena;
    const struct node *nodes = x->nodes.items;
    const struct circuit_name name = {nodes[node].name + strlen(p->at->path), p->element->where};
    return expression_tree_of(arena, node_voltage(arena, name, NULL, p->element->where));
}

const struct expression *formulas_through(struct expansion *x, const struct pending *p)
{
    const struct expression *argument = expand_compile(x, p->at, p->law, NULL);
    if (!argument)
        return NULL;
    const struct state_owner owner = {p->element->name, p->part, p->element->where};
    const int node = formulas_add_state(x, owner, argument, p->response);
    const struct expression_tree *tree = node >= 0 ? tree_of_node(x, p, node) : NULL;
    return tree ? expand_compile(x, p->at, tree, NULL) : NULL;
}
