/* expand_models.c - parameters, functions and models of one instance. */
#include "netlist/expand/expand.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <string.h>

/* ---- parameters and functions ---- */

bool expand_define(struct expansion *x, const struct instance *at, const struct item *name,
                   const struct expression_tree *tree, const struct scope *home)
{
    struct arena *arena = x->deck->arena;
    double value;
    if (expand_override_parameter(x, at, name->text, &value)) {
        tree = expression_tree_of(arena, node_number(arena, value, NULL, name->where));
        if (!tree)
            return deck_no_memory(x->deck);
    }
    return scope_parameter(at->scope, name->text, tree, home, name->where, x->deck->diagnostics);
}

const struct expression_tree *expand_value_tree(struct expansion *x, const struct item *value)
{
    struct arena *a = x->deck->arena;
    if (value->kind != ITEM_STRING)
        return expand_constant_tree(x, value);
    return expression_tree_of(a, node_string(a, (struct circuit_name){value->text, value->where}));
}

bool expand_parameter(struct expansion *x, struct instance *at, struct parameter_card *p)
{
    const struct expression_tree *tree = p->broken ? NULL : expand_value_tree(x, p->name->value);
    if (!p->broken && p->name->value->next)
        return deck_fail(x->deck, "syntax", p->name->value->next->where, NULL, "parameter '%s' has more than one value",
                         p->name->text);
    return expand_define(x, at, p->name, tree, NULL);
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
    bool good = true, again = false;
    for (const struct function_card *f = at->level->functions; f; f = f->next)
        if (!f->branch)
            good = define_function(x, at, f) && good;
    for (struct parameter_card *p = at->level->parameters; p; p = p->next)
        if (!p->branch && !is_given(at, p->name->text))
            good = expand_parameter(x, at, p) && good;
    for (struct parameter_card *p = at->level->parameters; p; p = p->next)
        if (p->branch && !is_given(at, p->name->text) && expand_counts(at, p->branch)) {
            good = expand_parameter(x, at, p) && good;
            again = true;
        }
    for (const struct function_card *f = at->level->functions; f; f = f->next)
        if (f->branch && expand_counts(at, f->branch)) {
            good = define_function(x, at, f) && good;
            again = true;
        }
    if (again)
        scope_forget_values(at->scope);
    x->deck->failed |= !good;
}

void expand_scope_check(struct expansion *x, struct instance *at)
{
    bool *checked = &x->parameters_checked[at->level->number];
    if (!*checked && !scope_check(at->scope, x->deck->diagnostics))
        x->deck->failed = true;
    *checked = true;
}

/* ---- models ---- */

/* The card of that name in the level of an instance itself; NULL. */
static struct model_card *card_in(struct instance *at, const char *name)
{
    struct model_card *card = name_table_get(at->level->models, name);
    while (card && !expand_counts(at, card->branch))
        card = card->other;
    if (!card && at->level->bins)
        card = name_table_get(at->level->bins, name);
    while (card && !expand_counts(at, card->branch))
        card = card->next_bin;
    return card;
}

/* First where the subcircuit is defined, inside out: what a caller names alike is its own.  What is nowhere there may be the caller's. */
struct model_card *expand_model_card(struct instance *at, const char *name, struct instance **owner)
{
    struct model_card *card = NULL;
    for (struct instance *home = at; home && !card; home = expand_surroundings(home))
        card = card_in(*owner = home, name);
    for (; at && !card; at = at->parent)
        card = card_in(*owner = at, name);
    return card;
}

bool expand_model_is_broken(struct expansion *x, const struct model_card *card)
{
    bool *broken = &x->models[card->number].broken;
    if (card->broken && !*broken) {
        deck_report_faults(x->deck, card->faults);
        *broken = x->deck->failed = true;
    }
    return *broken;
}

static bool is_constant(const struct item *value)
{
    return value->is_number || value->kind == ITEM_STRING;
}

static bool push_model_settings(struct expansion *x, const struct instance *owner, struct item *i, bool *constant)
{
    bool good = true;
    for (; i; i = i->next) {
        if (i->kind == ITEM_GROUP && !i->value) {
            good = push_model_settings(x, owner, i->inside, constant) && good;
            continue;
        }
        if (expand_begins_tolerance(i)) {
            good = expand_tolerance(x, owner, &i) && good;
            continue;
        }
        for (const struct item *v = i->value; v; v = v->next)
            *constant = *constant && is_constant(v);
        if (i->value && expand_begins_list(i->value)) {
            good = expand_list_setting(x, owner, &i) && good;
            *constant = *constant && !owner->parent;
            continue;
        }
        struct item *value = expand_value_behind(i);
        *constant = *constant && (!value || is_constant(value));
        good = (value ? expand_setting_with_blank(x, owner, i, value) : expand_setting(x, owner, i)) && good;
        i = value ? value : i;
    }
    return good;
}

/* Settings that the card itself has take the place of those of what it is a kind of. */
static void drop_replaced(struct expansion *x, size_t begin, size_t own)
{
    struct setting *all = x->settings.items;
    size_t kept = begin;
    for (size_t i = begin; i < x->settings.count; i++) {
        bool replaced = false;
        for (size_t j = own; i < own && j < x->settings.count; j++)
            replaced = replaced || names_equal(all[i].name, all[j].name);
        if (!replaced)
            all[kept++] = all[i];
    }
    x->settings.count = kept;
}

enum { MOST_BASES = 50 };

static struct model_card *base_of(struct instance **owner, const struct model_card *card)
{
    return card && card->base ? expand_model_card(*owner, card->base, owner) : NULL;
}

/* Whether a card is its own base, or the base of that, and so on. */
static bool comes_round(struct instance *owner, const struct model_card *card)
{
    const struct model_card *base = base_of(&owner, card);
    for (int depth = 0; depth <= MOST_BASES && base && base != card; depth++)
        base = base_of(&owner, base);
    return base == card;
}

static bool fail_of_bases(struct expansion *x, struct instance *owner, const struct model_card *card)
{
    const struct kn_location where = card->statement->items->next->where;
    return comes_round(owner, card)
               ? deck_fail(x->deck, "model-circle", where, NULL, "model '%s' is a kind of itself", card->name)
               : deck_fail(x->deck, "model-bases", where, "write its parameters on a card of its own",
                           "model '%s' is a kind of another, and so on, more than %d times", card->name, MOST_BASES);
}

static bool push_card_settings(struct expansion *x, struct instance *owner, struct model_card *card, bool *constant,
                               int depth)
{
    const size_t begin = x->settings.count;
    const struct kn_location where = card->statement->items->next->where;
    struct instance *at = owner;
    struct model_card *base = card->base ? expand_model_card(owner, card->base, &at) : NULL;
    if (card->base && !base)
        return deck_fail(x->deck, "unknown-model", where, NULL, "model '%s' is a kind of '%s', which is unknown",
                         card->name, card->base);
    if (depth > MOST_BASES || base == card)
        return fail_of_bases(x, owner, card);
    if (base && base->broken)
        return !expand_model_is_broken(x, base);
    if (base && !push_card_settings(x, at, base, constant, depth + 1))
        return false;
    const size_t own = x->settings.count;
    const bool good = push_model_settings(x, owner, card->settings, constant);
    drop_replaced(x, begin, own);
    return good;
}

static bool is_marked(const struct model *m, const char *marks)
{
    for (size_t i = 0; marks && i < m->setting_count; i++)
        if (name_is_among(marks, m->settings[i].name))
            return true;
    return false;
}

/* What the card says, unless some of its parameters tell the kind by themselves. */
static double level_of(const struct expansion *x, const struct model *m)
{
    const struct element_kind *kind;
    for (struct catalogue_walk w = catalogue_walk(x->deck->catalogue); (kind = catalogue_next(&w));)
        if (kind->marks && kind_type(kind, m->type) && is_marked(m, kind->marks))
            return kind->levels[0].number;
    for (size_t i = 0; i < m->setting_count; i++)
        if (names_equal(m->settings[i].name, "level") && m->settings[i].has_value && !m->settings[i].text)
            return m->settings[i].value;
    return 1;
}

static void append_model(struct expansion *x, struct made_model *m)
{
    m->index = x->model_count++;
    *x->models_end = m;
    x->models_end = &m->next;
}

const struct model *expand_model_of(struct expansion *x, const char *name, const char *type,
                                    const struct setting *settings, size_t count, struct kn_location where)
{
    struct made_model *m = arena_alloc(x->deck->arena, sizeof *m);
    struct setting *kept = arena_array(x->deck->arena, count + 1, sizeof *kept);
    if (!m || !kept) {
        deck_no_memory(x->deck);
        return NULL;
    }
    if (count > 0)
        memcpy(kept, settings, count * sizeof *kept);
    m->model = (struct model){
        .name = name, .type = type, .level = 1, .settings = kept, .setting_count = count, .where = where};
    append_model(x, m);
    return &m->model;
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
    struct model_state *state = &x->models[card->number];
    x->user = (struct model_user){.element = x->draws.owner};
    const struct draws_owner outside = draws_enter(&x->draws, 'm', owner->path, card->name);
    state->broken = !push_card_settings(x, owner, card, &constant, 0);
    x->draws.owner = outside;
    expand_override_model(x, card->name);
    if (state->broken || !expand_least_values(x, card->type) ||
        !expand_keep_settings(x, &m->model.settings, &m->model.setting_count))
        return NULL;
    m->model.name = card->name;
    m->model.type = card->type;
    m->model.level = level_of(x, &m->model);
    m->model.where = card->statement->items->next->where;
    append_model(x, m);
    state->made = &m->model;
    state->made_for = constant || !owner->parent ? NULL : owner;
    state->made_by = x->user.has_own ? x->user.element : (struct draws_owner){0};
    if (x->user.has_own && !state->made_by.kind)
        state->made_by.kind = '?'; /* for nobody's use */
    return m;
}

/* Whether it may be for who asks: a model with deviations of its own is for one element. */
static bool suits(const struct expansion *x, const struct instance *owner, const struct model_state *state)
{
    const struct draws_owner *now = &x->draws.owner, *then = &state->made_by;
    const bool same = !then->kind || now->kind != 'e' || (now->name == then->name && now->path == then->path);
    return state->made && same && (!state->made_for || state->made_for == owner);
}

const struct model *expand_made_model(struct expansion *x, struct instance *owner, struct model_card *card)
{
    const struct model_state *state = &x->models[card->number];
    if (expand_model_is_broken(x, card) || suits(x, owner, state))
        return state->made;
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

/* "d", "npn or pnp": all types that elements of a letter take. */
static const char *types_of_letter(struct expansion *x, char letter)
{
    const struct element_kind *kind;
    const char *text = "";
    for (size_t i = 0; text && (kind = catalogue_kind(x->deck->catalogue, i)); i++)
        for (const struct model_type *t = kind->letter == letter ? kind->types : NULL; text && t && t->name; t++)
            if (catalogue_find(x->deck->catalogue, letter, t->name, NAN) == kind) /* the first that has it */
                text = arena_format(x->deck->scratch, "%s%s%s", text, *text ? " or " : "", t->name);
    return text ? text : "";
}

static bool wrong_type(struct expansion *x, const struct item *name, const struct model_card *card,
                       const struct element_kind *kind)
{
    const struct foreign_kind *foreign =
        catalogue_type(x->deck->catalogue, card->type) ? NULL : foreign_type(card->type);
    if (foreign && foreign->nouns)
        return deck_fail(x->deck, "unsupported", name->where, "take the manufacturer's subcircuit, if there is one",
                         "model '%s' has type '%s': %s are not supported yet", card->name, card->type, foreign->nouns);
    return deck_fail(x->deck, "model-type", name->where,
                     diagnostics_hint(x->deck->diagnostics, "the model is at %s; a %s needs type %s",
                                      deck_place(x->deck, card->statement->items->next->where), kind->noun,
                                      types_of_letter(x, kind->letter)),
                     "model '%s' has type '%s'", card->name, card->type);
}

/* Said once, not for every element. */
static bool wrong_level(struct expansion *x, struct model_card *card, const struct model *m, char letter)
{
    const char *levels = catalogue_levels(x->deck->catalogue, letter, m->type, x->deck->scratch);
    x->models[card->number].broken = true;
    return deck_fail(x->deck, "model-level", m->where,
                     levels ? diagnostics_hint(x->deck->diagnostics, "knoten has %s", levels) : NULL,
                     "model '%s': there is no level %g for type '%s'", m->name, m->level, m->type);
}

/* Of models of one name that which elements of the letter can have; none: the first. */
static struct model_card *fitting(struct expansion *x, struct instance *owner, struct model_card *first, char letter)
{
    for (struct model_card *card = first; card; card = card->other)
        if (card->type && expand_counts(owner, card->branch) &&
            catalogue_find(x->deck->catalogue, letter, card->type, NAN))
            return card;
    return first;
}

const char *expand_model_hint(const struct expansion *x, const char *otherwise)
{
    return x->deck->dialect != DIALECT_KICAD ? otherwise
                                             : "its symbol has no Spice model: in KiCad, Properties, Simulation Model "
                                               "gives it a library and a name in it; "
                                               "or exclude the symbol from simulation";
}

const struct model *expand_model(struct expansion *x, struct instance *at, const struct item *name,
                                 const struct element_kind **kind)
{
    struct instance *owner = NULL;
    struct model_card *card = expand_model_card(at, name->text, &owner);
    card = card ? fitting(x, owner, card, (*kind)->letter) : NULL;
    if (!card) {
        const char *hint = closest_model(x, at, name->text);
        deck_fail(x->deck, "unknown-model", name->where,
                  hint ? hint
                       : expand_model_hint(x, diagnostics_hint(x->deck->diagnostics, "define it: .model %s %s(..)",
                                                               name->text, (*kind)->types[0].name)),
                  "unknown model '%s'", name->text);
        return NULL;
    }
    if (expand_model_is_broken(x, card)) {
        x->deck->failed = true;
        return NULL;
    }
    if (!catalogue_find(x->deck->catalogue, (*kind)->letter, card->type, NAN)) {
        wrong_type(x, name, card, *kind);
        return NULL;
    }
    const struct model *m = expand_made_model(x, owner, card);
    const struct element_kind *found =
        m ? catalogue_find(x->deck->catalogue, (*kind)->letter, m->type, m->level) : NULL;
    if (found && is_marked(m, kind_foreign_marks(found, m->level)))
        found = NULL;
    if (m && !found)
        wrong_level(x, card, m, (*kind)->letter);
    *kind = found ? found : *kind;
    return found ? m : NULL;
}

/* Of the deck's own text, not of a library.  Xyce does not look at models that no element has. */
static bool is_own(const struct expansion *x, const struct model_card *card)
{
    return strcmp(card->statement->items->where.file, x->deck->file) == 0;
}

void expand_deck_models(struct expansion *x, struct instance *top)
{
    const size_t count = x->deck->dialect == DIALECT_XYCE ? 0 : name_table_count(top->level->models);
    for (size_t i = 0; i < count; i++) {
        struct model_card *card = name_table_get(top->level->models, name_table_name(top->level->models, i));
        while (card && !expand_counts(top, card->branch))
            card = card->other;
        if (card && is_own(x, card) && !expand_model_is_broken(x, card) &&
            catalogue_type(x->deck->catalogue, card->type))
            expand_made_model(x, top, card);
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
