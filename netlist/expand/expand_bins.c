/* expand_bins.c - binned models: of nch.1, nch.2 .. an element of model nch has the one whose lmin .. lmax and wmin .. wmax
 * hold its length and width.
 */
#include "netlist/expand/expand_card.h"

#include <math.h>

/* What a setting gives, or something else where it is not there. */
static double number_of(const struct setting *settings, size_t count, const char *name, double otherwise)
{
    for (size_t i = count; i-- > 0;)
        if (names_equal(settings[i].name, name) && settings[i].has_value && !settings[i].text)
            return settings[i].value;
    return otherwise;
}

/* Length or width of an element: what it says, or the fallback of its kind. */
static double side_of(const struct element *e, const char *name)
{
    const size_t row = parameter_row(e->kind->instance, name);
    const double fallback = row < e->kind->instance.count ? e->kind->instance.rows[row].fallback : 0;
    return number_of(e->settings, e->setting_count, name, fallback);
}

/* Lower ends belong to a bin, and upper ones where no bin begins there; limits that differ by rounding are one. */
static bool holds(const struct model *m, const char *least, const char *most, double side, bool with_end)
{
    static const double rounding = 1e-9;
    const double low = number_of(m->settings, m->setting_count, least, 0);
    const double high = number_of(m->settings, m->setting_count, most, INFINITY);
    return side >= low * (1 - rounding) &&
           (side < high * (1 - rounding) || (with_end && side <= high * (1 + rounding)));
}

static const struct model *choose(struct card *c, struct instance *owner, struct model_card *first, bool with_end)
{
    const double length = side_of(c->e, "l"), width = side_of(c->e, "w");
    for (struct model_card *card = first; card; card = card->next_bin) {
        const struct model *m = expand_counts(owner, card->branch) ? expand_made_model(c->x, owner, card) : NULL;
        if (m && holds(m, "lmin", "lmax", length, with_end) && holds(m, "wmin", "wmax", width, with_end))
            return m;
    }
    return NULL;
}

static bool note(struct card *c, const struct item *name)
{
    const struct binned b = {c->e->name, c->at, c->statement, name};
    return !c->x->overrides || expand_add(c->x, &c->x->binned, &b);
}

static bool choose_bin(struct card *c, const struct item *name)
{
    struct instance *owner;
    struct model_card *first = expand_model_card(c->at, name->text, &owner);
    const struct model *m = choose(c, owner, first, false);
    m = m ? m : choose(c, owner, first, true);
    if (!m)
        return card_fail(c, "model-bin", name->where,
                         diagnostics_hint(c->x->deck->diagnostics, "one bin is at %s",
                                          deck_place(c->x->deck, first->statement->items->next->where)),
                         "%s: no bin of model '%s' is for l=%g w=%g", card_owner(c), name->text, side_of(c->e, "l"),
                         side_of(c->e, "w"));
    c->e->model = m;
    return true;
}

bool card_choose_bin(struct card *c, const struct item *name)
{
    struct instance *owner;
    const struct model_card *first = expand_model_card(c->at, name->text, &owner);
    if (!first || names_equal(first->name, name->text))
        return true;
    return choose_bin(c, name) && note(c, name);
}

void expand_choose_bins_again(struct expansion *x)
{
    const struct binned *items = x->binned.items;
    for (size_t i = 0; i < x->binned.count; i++) {
        struct element *e = name_table_get(x->circuit->element_table, items[i].element);
        struct card c = {
            .x = x, .at = items[i].at, .statement = items[i].statement, .kind = e ? e->kind : NULL, .e = e};
        if (c.kind)
            choose_bin(&c, items[i].model);
    }
}
