/* expand_models.c - parameters, functions and models of one instance. */
#include "netlist/expand/expand.h"

#include <string.h>

/* ---- parameters and functions ---- */

bool expand_parameter(struct expansion *x, struct instance *at, struct parameter_card *p)
{
    const struct expression_tree *tree = p->broken ? NULL : expand_tree(x, p->name->value);
    if (!p->broken && p->name->value->next)
        return deck_fail(x->deck, "syntax", p->name->value->next->where, NULL, "parameter '%s' has more than one value",
                         p->name->text);
    return scope_parameter(at->scope, p->name->text, tree, NULL, p->name->where, x->deck->diagnostics);
}

static bool define_function(struct expansion *x, struct instance *at, const struct function_card *f)
{
    const struct expression_tree *tree = expand_tree(x, f->body);
    return tree &&
           scope_function(at->scope, f->name, f->arguments, f->argument_count, tree, f->where, x->deck->diagnostics);
}

/* What the instance gives counts, not what the body says. */
static bool is_given(const struct instance *at, const char *name)
{
    for (const struct item *i = at->call ? at->call->items->next : NULL; i; i = i->next)
        if (i->value && item_is(i, name))
            return true;
    return false;
}

void expand_scope(struct expansion *x, struct instance *at)
{
    bool good = true;
    for (const struct function_card *f = at->level->functions; f; f = f->next)
        good = define_function(x, at, f) && good;
    for (struct parameter_card *p = at->level->parameters; p; p = p->next)
        if (!is_given(at, p->name->text))
            good = expand_parameter(x, at, p) && good;
    x->deck->failed |= !good;
}

void expand_scope_check(struct expansion *x, struct instance *at)
{
    if (!at->level->parameters_checked && !scope_check(at->scope, x->deck->diagnostics))
        x->deck->failed = true;
    at->level->parameters_checked = true;
}

/* ---- models ---- */

struct model_card *expand_model_card(struct instance *at, const char *name, struct instance **owner)
{
    for (; at; at = at->parent) {
        struct model_card *card = name_table_get(at->level->models, name);
        *owner = at;
        if (card)
            return card;
    }
    return NULL;
}

static bool is_constant(const struct item *value)
{
    return item_is_number(value) || value->kind == ITEM_STRING;
}

static bool push_model_settings(struct expansion *x, const struct instance *owner, struct item *i, bool *constant)
{
    bool good = true;
    for (; i; i = i->next) {
        if (i->kind == ITEM_GROUP && !i->value) {
            good = push_model_settings(x, owner, i->inside, constant) && good;
            continue;
        }
        for (const struct item *v = i->value; v; v = v->next)
            *constant = *constant && is_constant(v);
        struct item *value = expand_value_behind(i);
        *constant = *constant && (!value || is_constant(value));
        good = (value ? expand_setting_with_blank(x, owner, i, value) : expand_setting(x, owner, i)) && good;
        i = value ? value : i;
    }
    return good;
}

static struct made_model *make_model(struct expansion *x, struct instance *owner, struct model_card *card)
{
    struct made_model *m = arena_alloc(x->deck->arena, sizeof *m);
    if (!m) {
        deck_no_memory(x->deck);
        return NULL;
    }
    bool constant = true;
    x->settings.count = 0;
    card->broken = !push_model_settings(x, owner, card->settings, &constant);
    if (card->broken || !expand_keep_settings(x, &m->model.settings, &m->model.setting_count))
        return NULL;
    m->model.name = card->name;
    m->model.type = card->type;
    m->model.where = card->statement->items->next->where;
    m->index = x->model_count++;
    *x->models_end = m;
    x->models_end = &m->next;
    card->made = &m->model;
    card->made_for = constant || !owner->parent ? NULL : owner;
    return m;
}

static const struct model *model_of_card(struct expansion *x, struct instance *owner, struct model_card *card)
{
    if (card->broken || (card->made && (!card->made_for || card->made_for == owner)))
        return card->made;
    struct made_model *made = make_model(x, owner, card);
    return made ? &made->model : NULL;
}

/* All models visible from an instance are candidates for a correction. */
static const char *closest_model(struct expansion *x, const struct instance *at, const char *name)
{
    const char *hint = NULL;
    for (; at && !hint; at = at->parent)
        hint = deck_did_you_mean_in(x->deck, name, at->level->models);
    return hint;
}

static bool type_fits(const char *type, const char *const *types)
{
    for (; *types; types++)
        if (strcmp(type, *types) == 0)
            return true;
    return false;
}

const struct model *expand_model(struct expansion *x, struct instance *at, const struct item *name,
                                 const char *const *types, const char *owner_noun)
{
    struct instance *owner = NULL;
    struct model_card *card = expand_model_card(at, name->text, &owner);
    if (!card) {
        const char *hint = closest_model(x, at, name->text);
        deck_fail(x->deck, "unknown-model", name->where,
                  hint ? hint
                       : diagnostics_hint(x->deck->diagnostics, "define it: .model %s %s(..)", name->text, *types),
                  "unknown model '%s'", name->text);
        return NULL;
    }
    if (card->broken) {
        x->deck->failed = true;
        return NULL;
    }
    if (!type_fits(card->type, types)) {
        deck_fail(x->deck, "model-type", name->where,
                  diagnostics_hint(x->deck->diagnostics, "the model is at %s; a %s needs type %s%s%s",
                                   deck_place(x->deck, card->statement->items->next->where), owner_noun, types[0],
                                   types[1] ? " or " : "", types[1] ? types[1] : ""),
                  "model '%s' has type '%s'", card->name, card->type);
        return NULL;
    }
    return model_of_card(x, owner, card);
}

void expand_deck_models(struct expansion *x, struct instance *top)
{
    static const char *const types[] = {"d", "npn", "pnp", "nmos",    "pmos",    "r", "c",
                                        "l", "sw",  "csw", "vswitch", "iswitch", NULL};
    const size_t count = name_table_count(top->level->models);
    for (size_t i = 0; i < count; i++) {
        struct model_card *card = name_table_get(top->level->models, name_table_name(top->level->models, i));
        if (!card->broken && type_fits(card->type, types))
            model_of_card(x, top, card);
    }
}

/* Models were made one by one; the circuit has them in one array, and elements point into it. */
bool expand_keep_models(struct expansion *x)
{
    struct model *models = arena_array(x->deck->arena, x->model_count + 1, sizeof *models);
    if (!models)
        return deck_no_memory(x->deck);
    for (const struct made_model *m = x->first_model; m; m = m->next)
        models[m->index] = m->model;
    for (size_t i = 0; i < x->element_count; i++) {
        struct element *e = &x->elements[i];
        if (e->model)
            e->model = &models[((const struct made_model *)e->model)->index];
    }
    x->circuit->models = models;
    x->circuit->model_count = x->model_count;
    return true;
}
