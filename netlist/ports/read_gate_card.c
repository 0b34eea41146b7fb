/* read_gate_card.c - U cards of logic: a type of gate, how many inputs it has, nodes, a model.
 *
 *     Uname AND(3) power ground in1 in2 in3 out model [IC=TRUE]
 *     Uname ANDA(2,4) $G_DPWR $G_DGND inputs outputs timing-model io-model
 *     Uname PULLUP(2) $G_DPWR $G_DGND out1 out2 io-model
 */
#include "netlist/expand/expand_card.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The kind that has a gate of the name of the first word, or NULL. */
static const struct element_kind *kind_of_gate(struct card *c)
{
    const struct element_kind *kind;
    const struct item *first = card_peek(c);
    for (struct catalogue_walk w = catalogue_walk(c->x->deck->catalogue); (kind = catalogue_next(&w));)
        if (kind->form == CARD_GATE && kind->letter == c->kind->letter && first && first->kind == ITEM_WORD &&
            name_is_among(kind->gates, first->text))
            return kind;
    return NULL;
}

static bool unknown_gate(struct card *c)
{
    const struct item *first = card_peek(c);
    return card_fail(c, "unsupported", first ? first->where : c->statement->end,
                     expand_model_hint(c->x, diagnostics_hint(c->x->deck->diagnostics, "there are %s", c->kind->gates)),
                     "'%s': there is no digital device '%s'", c->e->name, first ? item_text(first) : "");
}

static bool is_of_words(const struct card *c)
{
    return name_is_among("logicexp pindly constraint", c->e->type);
}

/* (3) or (2,4) behind the name of the gate; of STIM the second says what its digits are. */
static bool read_count(struct card *c)
{
    enum { MOST_NUMBERS = 3, LARGEST = 64 };
    const double least = is_of_words(c) ? 0 : 1;
    const struct item *group = card_peek(c);
    if (!group || group->kind != ITEM_GROUP)
        return true;
    c->next++;
    double *numbers = arena_array(c->x->deck->arena, MOST_NUMBERS, sizeof *numbers);
    if (!numbers)
        return deck_no_memory(c->x->deck);
    size_t count = 0;
    const bool stimulus = names_equal(c->e->type, "stim");
    for (struct item *i = group->inside; i && count < MOST_NUMBERS && !(stimulus && count == 1); i = i->next, count++)
        if (!expand_value(c->x, c->at, i, &numbers[count]) || numbers[count] < least || numbers[count] > LARGEST ||
            numbers[count] != floor(numbers[count]))
            return card_fail(c, "syntax", i->where, NULL, "'%s': expected a number of inputs", c->e->name);
    if (count == 0 || (item_count(group->inside) > count && !stimulus))
        return card_fail(c, "syntax", group->where, NULL, "'%s': expected a number of inputs", c->e->name);
    c->e->has_value = true;
    c->e->value = numbers[0];
    c->e->numbers = numbers;
    c->e->number_count = count;
    return true;
}

/* ---- models ---- */

/* PSpice's models of no delay, which come with it. */
static bool is_of_no_delay(const struct item *i)
{
    return strncasecmp(i->text, "d0_", 3) == 0;
}

/* Whether there are a model of delays and one of a family of logic, PSpice's: what stands before the last word is a model of a
 * digital device, not an output that is called as the model of another one. */
static bool has_two_models(const struct card *c)
{
    struct instance *owner;
    const struct item *timing = c->word_count > c->next + 1 ? c->words[c->word_count - 2] : NULL;
    const struct model_card *card =
        timing && item_is_name(timing) ? expand_model_card(c->at, timing->text, &owner) : NULL;
    if (timing && !card && is_of_no_delay(timing))
        return true;
    return card && card->type && catalogue_find(c->x->deck->catalogue, c->kind->letter, card->type, NAN);
}

/* The parameters of the family's model become those of the element. */
static bool read_family(struct card *c)
{
    struct instance *owner;
    const struct item *name = card_take(c);
    const struct element_kind *kind = c->e->kind;
    if (!expand_model_card(c->at, name->text, &owner)) {
        deck_warn(c->x->deck, "unknown-model", name->where, "its library is not read, or not there",
                  "there is no model '%s': outputs have 50 ohm, and all else is as usual", name->text);
        return true;
    }
    const struct model *m = expand_model(c->x, c->at, name, &kind);
    bool good = m != NULL;
    if (good && c->e->model && names_equal(m->type, c->e->model->type))
        good = card_fail(c, "model-type", name->where, card_usage_hint(c),
                         "'%s' needs two models of different types, and '%s' is of type '%s' as well", c->e->name,
                         m->name, m->type);
    c->x->settings.count = 0;
    for (size_t i = 0; good && i < m->setting_count; i++)
        if (parameter_row(kind->instance, m->settings[i].name) < kind->instance.count)
            good = expand_push_setting(c->x, m->settings[i].name, m->settings[i].where, m->settings[i]);
    return good;
}

/* Of a model of no delay by its name. */
static const char *type_of_no_delay(const char *name)
{
    return names_equal(name, "d0_eff")     ? "ueff"
           : names_equal(name, "d0_gff")   ? "ugff"
           : names_equal(name, "d0_tgate") ? "utgate"
                                           : "ugate";
}

/* One of a type that the deck need not have. */
static bool usual_model(struct card *c, const struct item *name, const char *type)
{
    c->e->kind = catalogue_find(c->x->deck->catalogue, c->kind->letter, type, NAN);
    c->e->model = expand_model_of(c->x, name->text, type, NULL, 0, name->where);
    return c->e->model != NULL;
}

/* In front of so many names of models; until they are read the element has none. */
static bool read_nodes(struct card *c, size_t count, size_t models)
{
    if (c->word_count < c->next + count + models)
        return card_fail(c, "syntax", c->statement->end, card_usage_hint(c), "'%s' has too few nodes", c->e->name);
    if (!card_node_list(c, count, &c->e->nodes, USE_TERMINAL, "the name of a node"))
        return false;
    c->e->node_count = count;
    return true;
}

/* What drives and has no inputs: a model of a family of logic alone, which counts as that of the element. */
static bool read_driver(struct card *c)
{
    const size_t nodes =
        names_equal(c->e->type, "stim") ? 2 + (c->e->has_value ? (size_t)c->e->value : 1) : c->word_count - 1 - c->next;
    if (!read_nodes(c, nodes, 1))
        return false;
    const struct item *io = card_peek(c);
    if (!read_family(c) || !usual_model(c, io, "ugate"))
        return false;
    return names_equal(c->e->type, "stim") ? read_stimulus(c, io) : card_settings(c, NULL);
}

/* What says in words what it does: its nodes are counted in front of them. */
static bool read_of_words(struct card *c)
{
    const bool logic = names_equal(c->e->type, "logicexp"), delays = names_equal(c->e->type, "pindly");
    const size_t first = c->next, models = logic ? 2 : 1;
    const double *n = c->e->numbers;
    struct instance *owner;
    if (c->e->number_count != (logic ? 2 : delays ? 3 : 1))
        return card_fail(c, "syntax", c->statement->items->where, card_usage_hint(c),
                         "'%s': expected LOGICEXP(inputs,outputs), PINDLY(paths,enables,references) or "
                         "CONSTRAINT(nodes)",
                         c->e->name);
    if (!read_nodes(c, 2 + (size_t)(logic ? n[0] + n[1] : delays ? 2 * n[0] + n[1] + n[2] : n[0]), models))
        return false;
    const struct item *timing = logic ? card_take(c) : NULL, *io = card_peek(c);
    const bool known = timing && expand_model_card(c->at, timing->text, &owner);
    if (known)
        c->e->model = expand_model(c->x, c->at, timing, &c->e->kind);
    if (known ? !c->e->model : !usual_model(c, timing ? timing : io, "ugate"))
        return false;
    c->x->settings.count = 0;
    if (!read_family(c) || (logic && !read_logic_expression(c, first, io)) ||
        (delays && !read_pin_delays(c, first, io)))
        return false;
    const struct item *select = card_assignment(c, "mntymxdly");
    return (!select || expand_setting(c->x, c->at, (struct item *)select)) && card_keep_settings(c);
}

bool read_gate_card(struct card *c)
{
    const struct element_kind *kind = kind_of_gate(c);
    if (!kind)
        return unknown_gate(c);
    c->kind = c->e->kind = kind;
    const char *type = card_take(c)->text;
    c->e->type = arena_text(c->x->deck->arena, type, strlen(type));
    if (!c->e->type)
        return deck_no_memory(c->x->deck);
    if (!read_count(c))
        return false;
    if (name_is_among("stim pullup pulldn", type))
        return read_driver(c);
    if (is_of_words(c))
        return read_of_words(c);
    if (c->word_count < c->next + 4)
        return card_fail(c, "syntax", c->statement->end, card_usage_hint(c), "'%s' has too few nodes", c->e->name);
    const bool family = has_two_models(c);
    const size_t models = family ? 2 : 1;
    if (!read_nodes(c, c->word_count - models - c->next, models))
        return false;
    const struct item *model = card_take(c);
    struct instance *owner;
    if (family && is_of_no_delay(model) && !expand_model_card(c->at, model->text, &owner))
        c->e->model = usual_model(c, model, type_of_no_delay(model->text)) ? c->e->model : NULL;
    else
        c->e->model = expand_model(c->x, c->at, model, &c->e->kind);
    if (!c->e->model)
        return false;
    c->x->settings.count = 0;
    if (!name_is_among(c->e->kind->gates, type))
        return card_fail(c, "unsupported", c->statement->items->where,
                         diagnostics_hint(c->x->deck->diagnostics, "there are %s", c->e->kind->gates),
                         "'%s': no %s with a model of type '%s'", c->e->name, type, c->e->model->type);
    return (!family || read_family(c)) && card_settings(c, NULL);
}
