/* read_loss_line.c - T cards of PSpice that are lines with losses, or have a model:
 *
 *     Tname a+ a- b+ b- LEN=length R=.. L=.. G=.. C=..
 *     Tname a+ a- b+ b- model LEN=..
 *     .model model TRN (R=.. L=.. G=.. C=.. LEN=..), or (Z0=.. TD=..)
 *
 * What the card says counts before what its model says.  A line of R, L, G and C is an O with a model of its own.  Source:
 * PSpice Reference Guide, "Transmission line"; R, L, G and C belong to a unit of length there, as those of O do.
 */
#include "netlist/ports/line_card.h"

enum { LINE_NODES = 4, CONSTANTS = 5 };

static const char *const constants[CONSTANTS + 2] = {"r", "l", "g", "c", "len", "length", NULL};

static bool is_constant_of_line(const struct item *i)
{
    for (int k = 0; constants[k]; k++)
        if (i->value && item_is(i, constants[k]))
            return true;
    return false;
}

static bool has_constants(const struct item *i)
{
    for (; i; i = i->next)
        if (is_constant_of_line(i))
            return true;
    return false;
}

static struct item *settings_of(const struct line_card *l)
{
    struct item *i = l->model ? l->model->settings : NULL;
    return i && i->kind == ITEM_GROUP ? i->inside : i;
}

static bool names_model(const struct card *c)
{
    struct instance *owner;
    return c->word_count > LINE_NODES && c->words[LINE_NODES]->kind == ITEM_WORD &&
           (c->x->deck->dialect == DIALECT_PSPICE || expand_model_card(c->at, c->words[LINE_NODES]->text, &owner));
}

bool card_is_loss_line(const struct card *c)
{
    return names_model(c) || has_constants(c->statement->items->next);
}

static bool read_constant(const struct line_card *l, const char *name, double *value, bool *given)
{
    const struct item *own = card_assignment(l->c, name), *of_model = l->model ? line_setting(l, name) : NULL;
    *given = own || of_model;
    return own        ? card_value(l->c, own->value, value)
           : of_model ? expand_value(l->c->x, l->owner, of_model->value, value)
                      : true;
}

/* The model of an O, of the constants of the card and of its model. */
static const struct model *model_of(struct line_card *l)
{
    struct setting settings[CONSTANTS];
    size_t count = 0;
    for (int k = 0; k < CONSTANTS; k++) {
        double value = 0;
        bool given, other = false;
        if (!read_constant(l, constants[k], &value, &given) ||
            (!given && k == CONSTANTS - 1 && !read_constant(l, constants[CONSTANTS], &value, &other)))
            return NULL;
        if (given || other)
            settings[count++] = line_model_value(l, constants[k], value);
    }
    return expand_model_of(l->c->x, l->c->e->name, "ltra", settings, count, line_place(l));
}

/* Z0, TD and others of the model that the card does not give. */
static bool settings_of_model(struct line_card *l)
{
    bool good = true;
    struct card *c = l->c;
    for (struct item *i = settings_of(l); i; i = i->next)
        if (i->value && !card_assignment(c, i->text))
            good = expand_setting(c->x, l->owner, i) && good;
    return good;
}

bool read_loss_line(struct card *c)
{
    struct line_card l = {.c = c};
    if (c->word_count > LINE_NODES &&
        !line_find_model(&l, "trn", "define it: .model name trn (len=.. r=.. l=.. g=.. c=..)"))
        return false;
    if (c->word_count > LINE_NODES + 1)
        return card_fail(c, "syntax", c->words[LINE_NODES]->where, card_usage_hint(c),
                         "transmission line '%s': expected a model behind four nodes", c->e->name);
    if (!card_nodes(c, 0))
        return false;
    if (!has_constants(c->statement->items->next) && !has_constants(settings_of(&l)))
        return settings_of_model(&l) && card_settings(c, NULL);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'o');
    c->e->model = model_of(&l);
    return c->e->model && card_settings(c, constants);
}
