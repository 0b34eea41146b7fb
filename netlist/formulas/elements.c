/* elements.c - what formulas may ask of elements besides their currents: settings, r1:r, and powers, p(r1). */
#include "netlist/formulas/formulas.h"

#include "netlist/expression/expression_tree.h"

#include <string.h>

/* The value of an element by the name it has, or another of its settings; false where there is none such. */
static bool find_setting(const struct element *e, const char *name, double *value)
{
    const struct setting *found = NULL;
    for (size_t i = 0; i < e->setting_count; i++)
        if (names_equal(e->settings[i].name, name) && e->settings[i].has_value && !e->settings[i].text)
            found = &e->settings[i];
    const bool own = !found && e->kind && e->kind->letter == (name[0] | 0x20) && !name[1] && e->has_value;
    const bool source = !found && e->kind && e->kind->form == CARD_SOURCE;
    const bool dc = source && names_equal(name, "dcv0");
    const int place = source ? expand_waveform_number(e, name) : -1;
    const bool number = place >= 0 && (size_t)place < e->source.wave.count;
    *value = found ? found->value : own ? e->value : dc ? e->source.dc : number ? e->source.wave.values[place] : 0;
    return found || own || dc || number;
}

bool formulas_setting(struct expansion *x, const struct instance *at, const char *name, double *value)
{
    const char *colon = strrchr(name, ':');
    const char *owner = colon ? arena_text(x->deck->scratch, name, (size_t)(colon - name)) : NULL;
    const struct element *e = owner ? expand_find_element(x, at, owner) : NULL;
    return e && find_setting(e, colon + 1, value);
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
