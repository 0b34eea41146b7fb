/* least.c - Xyce's .options device minres= mincap=: what resistances and capacitances of model cards are that do not
 * say them (Xyce Reference Guide, device package; the parameters that its models mark for that).
 */
#include "netlist/expand/expand.h"

/* Names of one parameter, the first of which is set, and the types of models that have it. */
static const struct least {
    const char *types, *names, *option;
} all[] = {
    {"d", "rs", "device.minres"},
    {"d", "cjo cj0 cj", "device.mincap"},
    {"d", "cjsw cjp", "device.mincap"},
    {"npn pnp", "rc", "device.minres"},
    {"npn pnp", "re", "device.minres"},
    {"npn pnp", "cjc", "device.mincap"},
    {"npn pnp", "cje", "device.mincap"},
    {"njf pjf nmf pmf", "rd", "device.minres"},
    {"njf pjf nmf pmf", "rs", "device.minres"},
    {"njf pjf nmf pmf", "cgd", "device.mincap"},
    {"njf pjf nmf pmf", "cgs", "device.mincap"},
};

static bool is_said(const struct expansion *x, const char *names)
{
    const struct setting *given = x->settings.items;
    for (size_t i = 0; i < x->settings.count; i++)
        if (name_is_among(names, given[i].name))
            return true;
    return false;
}

/* "cjo" of "cjo cj0 cj". */
static const char *first_name(struct expansion *x, const char *names)
{
    size_t length = 0;
    while (names[length] && names[length] != ' ')
        length++;
    return arena_text(x->deck->arena, names, length);
}

bool expand_least_values(struct expansion *x, const char *type)
{
    bool good = true;
    if (x->deck->dialect != DIALECT_XYCE || !type)
        return true;
    for (size_t i = 0; good && i < sizeof all / sizeof *all; i++) {
        const struct setting *s = circuit_option(x->circuit, all[i].option);
        if (!s || !s->has_value || s->text || !(s->value > 0) || !name_is_among(all[i].types, type) ||
            is_said(x, all[i].names))
            continue;
        const char *name = first_name(x, all[i].names);
        good = name && expand_push_setting(x, name, s->where, (struct setting){.has_value = true, .value = s->value});
    }
    return good || deck_no_memory(x->deck);
}
