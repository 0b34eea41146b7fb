/* currents.c - .options savecurrents: the currents of all elements, and those of all electrodes of transistors. */
#include "netlist/requests/requests.h"

static bool is_wanted(const struct circuit *c)
{
    const struct setting *s = circuit_option(c, "savecurrents");
    return s && (!s->has_value || s->value != 0);
}

static bool push_electrode(const struct request_card *r, const struct element *e, const char *name)
{
    const int place = request_terminal_place(e, name[1]);
    const struct request current = {
        .kind = REQUEST_CURRENT, .element = e->number, .terminal = place, .domain = REQUEST_OF_VALUES};
    char *const label = arena_format(r->x->deck->arena, "@%s[%s]", e->name, name);
    if (place > 0 && request_terminal_letter(e, place))
        return request_push(r, &r->x->saves, current, label);
    const int quantity = kind_quantity(e->kind, name);
    if (quantity < 0)
        return true;
    const struct request q = {
        .kind = REQUEST_QUANTITY, .element = e->number, .quantity = quantity, .domain = REQUEST_OF_VALUES};
    return request_push(r, &r->x->saves, q, label);
}

static bool push_currents(const struct request_card *r, const struct element *e)
{
    static const char *const electrodes[] = {"ib", "ie", "ig", "is"};
    const bool has_current = e->kind && kind_quantity(e->kind, "i") >= 0;
    const struct request q = {.kind = REQUEST_CURRENT, .element = e->number, .domain = REQUEST_ANYWHERE};
    bool good = !has_current || request_push(r, &r->x->saves, q, arena_format(r->x->deck->arena, "i(%s)", e->name));
    for (size_t i = 0; good && has_current && i < sizeof electrodes / sizeof *electrodes; i++)
        good = push_electrode(r, e, electrodes[i]);
    return good;
}

void save_currents(struct expansion *x, const struct instance *top)
{
    const struct request_card r = {.x = x, .at = top, .card = ".options", .domain = REQUEST_ANYWHERE};
    if (!is_wanted(x->circuit))
        return;
    bool good = x->saves.count > 0 || request_all(&r, &x->saves, (struct kn_location){0});
    for (size_t i = 0; good && i < x->element_count; i++)
        good = push_currents(&r, &x->elements[i]);
}
