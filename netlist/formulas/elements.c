/* elements.c - what formulas may ask of elements besides their currents: settings, r1:r, powers, p(r1), and currents into
 * subcircuits, ix(x1:a) and isub(x1.a). */
#include "netlist/formulas/formulas.h"

#include "netlist/expression/expression_tree.h"

#include <ctype.h>
#include <string.h>

/* Of a source besides its waveform; NULL. */
static const double *constant_of(const struct source *s, const char *name)
{
    return names_equal(name, "dcv0")      ? &s->dc
           : names_equal(name, "acmag")   ? &s->ac_magnitude
           : names_equal(name, "acphase") ? &s->ac_phase
                                          : NULL;
}

/* The value of an element by the name it has, or another of its settings; false where there is none such. */
static bool find_setting(const struct element *e, const char *name, double *value)
{
    const struct setting *found = NULL;
    for (size_t i = 0; i < e->setting_count; i++)
        if (names_equal(e->settings[i].name, name) && e->settings[i].has_value && !e->settings[i].text)
            found = &e->settings[i];
    const bool own = !found && e->kind && e->kind->letter == (name[0] | 0x20) && !name[1] && e->has_value;
    const bool source = !found && e->kind && e->kind->form == CARD_SOURCE;
    const double *const constant = source ? constant_of(&e->source, name) : NULL;
    const int place = source ? expand_waveform_number(e, name) : -1;
    const bool number = place >= 0 && (size_t)place < e->source.wave.count;
    const double *of_model = !found && !own && e->kind && formulas_is_own(e, name) ? element_model_value(e) : NULL;
    *value = found      ? found->value
             : own      ? e->value
             : constant ? *constant
             : number   ? e->source.wave.values[place]
             : of_model ? *of_model
                        : 0;
    return found || own || constant || number || of_model;
}

bool formulas_setting(struct expansion *x, const struct instance *at, const char *name, double *value)
{
    const char *colon = strrchr(name, ':');
    const char *owner = colon ? arena_text(x->deck->scratch, name, (size_t)(colon - name)) : NULL;
    const struct element *e = owner ? expand_find_element(x, at, owner) : NULL;
    *value = 1; /* of what could not be read, which has been reported */
    return e && (!e->kind || find_setting(e, colon + 1, value));
}

const struct expression_node *formulas_tree_of(const struct expansion *x, const struct element *e,
                                               const struct instance **at)
{
    const struct pending *p = x->first_pending;
    while (p && !(p->element->number == e->number && p->law))
        p = p->next;
    if (!p || p->response)
        return NULL;
    *at = p->at;
    if (e->reciprocal) /* v/R */
        return p->law->root->last->node;
    const bool stores = strchr("cl", tolower((unsigned char)p->statement->items->text[0]));
    return e->law != LAW_VOLTAGE && stores ? p->law->root : NULL;
}

bool formulas_is_own(const struct element *e, const char *setting)
{
    const char *dot = strrchr(e->name, '.');
    return (setting[0] | 0x20) == ((dot ? dot + 1 : e->name)[0] | 0x20) && setting[1] == '\0';
}

const struct expression_node *formulas_setting_formula(struct expansion *x, const struct instance *at, const char *name)
{
    const char *colon = strrchr(name, ':');
    const char *owner = colon ? arena_text(x->deck->scratch, name, (size_t)(colon - name)) : NULL;
    const struct element *e = owner ? expand_find_element(x, at, owner) : NULL;
    const struct instance *of = NULL;
    const struct expression_node *root = e && formulas_is_own(e, colon + 1) ? formulas_tree_of(x, e, &of) : NULL;
    return of == at ? root : NULL;
}

bool formulas_asks_values(const struct expression_node *node)
{
    bool asks = node->kind == NODE_NAME && strchr(node->name, ':');
    for (const struct expression_operand *o = node->operands; o && !asks; o = o->next)
        asks = formulas_asks_values(o->node);
    return asks;
}

/* I( ) of an element is the current into its first node. */
static bool is_first_current(const struct element *e, const char *quantity)
{
    static const char *const of_letter[] = {"mid", "jid", "qic", "did"};
    for (size_t i = 0; i < sizeof of_letter / sizeof *of_letter; i++)
        if (of_letter[i][0] == e->kind->letter && names_equal(of_letter[i] + 1, quantity))
            return true;
    return false;
}

struct expression_lead formulas_lead(struct expansion *x, const struct instance *at, const char *element,
                                     const char *quantity)
{
    const struct element *e = expand_find_element(x, at, element);
    const int number = e && e->kind ? kind_quantity(e->kind, quantity) : -1;
    if (number < 0)
        return (struct expression_lead){.kind = LEAD_UNKNOWN};
    const int common = number - (int)e->kind->quantities.count;
    struct expression_lead lead = {.kind = LEAD_RESULT, .element = e->number};
    if (e->node_count >= 2) {
        lead.plus = e->nodes[0];
        lead.minus = e->nodes[1];
    }
    if (common == COMMON_CURRENT || is_first_current(e, quantity))
        lead.kind = LEAD_CURRENT;
    else if (common == COMMON_VOLTAGE && e->node_count >= 2)
        lead.kind = LEAD_VOLTAGE;
    else if (common == COMMON_POWER && e->node_count == 2)
        lead.kind = LEAD_POWER;
    return lead;
}

const struct expression_node *formulas_power(struct expansion *x, const struct instance *at, const char *instance,
                                             struct kn_location where)
{
    const struct instance *inner = expand_find_instance(x, at, instance);
    struct arena *a = x->deck->arena;
    struct expression_node *sum = inner ? node_number(a, 0, NULL, where) : NULL;
    const size_t outside = strlen(at->path), length = inner ? strlen(inner->path) : 0;
    for (size_t i = 0; sum && i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        if (!e->kind || strncmp(e->name, inner->path, length) != 0 || kind_quantity(e->kind, "p") < 0)
            continue;
        const char *name = arena_format(a, "@%s[p]", e->name + outside);
        sum = name ? node_binary(a, sum, OP_ADD, node_name(a, name, where), where) : NULL;
    }
    return sum;
}

const struct expression_node *formulas_total_power(struct expansion *x, const struct instance *at,
                                                   struct kn_location where)
{
    struct arena *a = x->deck->arena;
    struct expression_node *sum = node_number(a, 0, NULL, where);
    const size_t outside = strlen(at->path);
    for (size_t i = 0; sum && i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        if (!e->kind || strchr("vclk", e->kind->letter) || kind_quantity(e->kind, "p") < 0)
            continue;
        const char *name = arena_format(a, "@%s[p]", e->name + outside);
        sum = name ? node_binary(a, sum, OP_ADD, node_name(a, name, where), where) : NULL;
    }
    return sum;
}

/* ---- currents into ports ---- */

/* What flows into an element at a terminal; NULL: that is not known.  *sign is 0 where nothing flows, into what senses. */
static const char *terminal_quantity(const struct element *e, size_t terminal, int *sign)
{
    static const struct {
        char letter;
        const char *leads[4];
    } all[] = {{'m', {"id", "ig", "is", "ib"}}, {'q', {"ic", "ib", "ie", "is"}}, {'j', {"id", "ig", "is", NULL}}};
    *sign = 1;
    for (size_t i = 0; e->kind && i < sizeof all / sizeof *all; i++)
        if (all[i].letter == e->kind->letter)
            return terminal < 4 ? all[i].leads[terminal] : NULL;
    *sign = terminal == 0 ? 1 : terminal == 1 ? -1 : 0;
    return e->kind && strchr("rclvibdfheg", e->kind->letter) && (terminal < 2 || strchr("eg", e->kind->letter)) ? "i"
                                                                                                                : NULL;
}

/* The node of a port that is no other port's and not ground, which what is inside may reach otherwise; -1. */
static int node_of_port(const struct instance *inner, const char *port)
{
    int node = -1, count = 0;
    for (size_t i = 0; i < inner->level->port_count; i++)
        if (names_equal(inner->level->ports[i], port))
            node = inner->ports[i];
    for (size_t i = 0; i < inner->level->port_count; i++)
        count += inner->ports[i] == node;
    return count == 1 && node > 0 ? node : -1;
}

/* sum + what flows from the node into e; NULL where that is not known. */
static struct expression_node *add_terminals(struct arena *a, struct expression_node *sum, const struct element *e,
                                             int node, size_t outside)
{
    for (size_t k = 0; sum && k < e->node_count; k++) {
        int sign = 0;
        const char *quantity = e->nodes[k] == node ? terminal_quantity(e, k, &sign) : NULL;
        if (e->nodes[k] != node || (quantity && sign == 0))
            continue;
        if (!quantity || kind_quantity(e->kind, quantity) < 0)
            return NULL;
        const char *name = arena_format(a, "@%s[%s]", e->name + outside, quantity);
        sum =
            name ? node_binary(a, sum, sign > 0 ? OP_ADD : OP_SUBTRACT, node_name(a, name, e->where), e->where) : NULL;
    }
    return sum;
}

const struct expression_node *formulas_port_current(struct expansion *x, const struct instance *at, const char *port,
                                                    struct kn_location where)
{
    struct arena *a = x->deck->arena;
    const char *colon = strrchr(port, ':'), *dot = strrchr(port, '.'), *cut = colon ? colon : dot;
    const char *instance = cut ? arena_text(x->deck->scratch, port, (size_t)(cut - port)) : NULL;
    const struct instance *inner = instance ? expand_find_instance(x, at, instance) : NULL;
    const int node = inner ? node_of_port(inner, cut + 1) : -1;
    const size_t length = inner ? strlen(inner->path) : 0, outside = strlen(at->path);
    struct expression_node *sum = node >= 0 ? node_number(a, 0, NULL, where) : NULL;
    for (size_t i = 0; sum && i < x->element_count; i++)
        if (strncmp(x->elements[i].name, inner->path, length) == 0)
            sum = add_terminals(a, sum, &x->elements[i], node, outside);
    return sum;
}
