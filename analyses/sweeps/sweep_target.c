/* sweep_target.c - what a sweep's values are values of: sources, elements, models, parameters, the temperature. */
#include "analyses/sweeps/sweep_card.h"

#include <string.h>

static const double ABSOLUTE_ZERO = -273.15; /* degrees Celsius */

/* ---- words of the card ---- */

const struct setting *sweep_ahead(const struct sweep_cursor *c, size_t distance)
{
    return c->next + distance < c->card->setting_count ? &c->card->settings[c->next + distance] : NULL;
}

bool sweep_is_word(const struct setting *s, const char *word)
{
    return s && !s->text && names_equal(s->name, word);
}

const char *sweep_form(const struct sweep_cursor *c)
{
    return names_equal(c->card->name, ".step")
               ? "write .step param name start stop step, or .step param name list 1 2 5"
               : "write .dc source start stop step, e.g. .dc V1 0 5 0.1";
}

enum kn_status sweep_fail(const struct sweep_cursor *c, struct kn_location where, const char *hint, const char *what)
{
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", where, hint, "'%s': %s", c->card->name, what);
    return KN_ERROR_DECK;
}

/* ---- what is swept ---- */

static const char *lower(struct arena *a, const char *text)
{
    char *copy = arena_text(a, text, strlen(text));
    for (char *l = copy; l && *l; l++)
        *l = (char)(*l >= 'A' && *l <= 'Z' ? *l - 'A' + 'a' : *l);
    return copy;
}

/* `type name(parameter)` of LTspice. */
static bool take_model(struct sweep_cursor *c, struct sweep *s)
{
    const struct setting *name = sweep_ahead(c, 1), *parameter = sweep_ahead(c, 3);
    if (!name || !parameter || !sweep_is_word(sweep_ahead(c, 2), "(") || sweep_ahead(c, 0)->has_value)
        return false;
    s->target = (struct override){.kind = OVERRIDE_MODEL, .name = name->name, .setting = parameter->name};
    s->name = arena_format(c->r->arena, "%s(%s)", name->name, parameter->name);
    c->target = name;
    c->next += 4;
    return true;
}

/* An element by its name, in subcircuits also with the colons of Xyce's paths, x1:r1; -1. */
static int find_element(const struct sweep_cursor *c, const char *name)
{
    const int found = circuit_find_element(c->r->circuit, name);
    char *dotted = found < 0 ? arena_text(c->r->arena, name, strlen(name)) : NULL;
    for (char *at = dotted; at && (at = strchr(at, ':'));)
        *at = '.';
    return dotted ? circuit_find_element(c->r->circuit, dotted) : found;
}

/* `m1:w`, `x1:m1:w`, `model:parameter` of Xyce. */
static bool take_setting(const struct sweep_cursor *c, struct sweep *s, const char *name)
{
    const char *colon = strrchr(name, ':');
    const char *owner = colon ? arena_text(c->r->arena, name, (size_t)(colon - name)) : NULL;
    if (!owner)
        return false;
    const int element = find_element(c, owner);
    s->target = (struct override){.kind = element >= 0 ? OVERRIDE_ELEMENT : OVERRIDE_MODEL,
                                  .name = element >= 0 ? c->r->circuit->elements[element].name : owner,
                                  .setting = colon + 1};
    return true;
}

static enum kn_status take_element(const struct sweep_cursor *c, struct sweep *s, const struct element *e)
{
    s->target = (struct override){.kind = OVERRIDE_ELEMENT, .name = e->name};
    if (!e->kind)
        return KN_OK; /* it has an error of its own */
    if (e->kind->form == CARD_SOURCE)
        s->source = e->number;
    else if (!e->has_value)
        return sweep_fail(c, c->target->where, "name a source, or an element or a parameter with a value",
                          "this element has no value to sweep");
    return KN_OK;
}

/* A source, an element, a model's parameter, a parameter or the temperature by its name alone; `forced` a parameter. */
static enum kn_status name_target(struct sweep_cursor *c, struct sweep *s, bool forced)
{
    const char *name = c->target->name;
    const int element = forced ? -1 : find_element(c, name);
    s->name = name;
    if (!forced && names_equal(name, "temp"))
        s->target = (struct override){.kind = OVERRIDE_TEMPERATURE};
    else if (element >= 0)
        return take_element(c, s, &c->r->circuit->elements[element]);
    else if (forced || !take_setting(c, s, name))
        s->target = (struct override){.kind = OVERRIDE_PARAMETER, .name = name};
    return KN_OK;
}

enum kn_status sweep_take_target(struct sweep_cursor *c, struct sweep *s)
{
    const bool forced = (sweep_is_word(sweep_ahead(c, 0), "param") || sweep_is_word(sweep_ahead(c, 0), "global")) &&
                        sweep_ahead(c, 1) && !sweep_ahead(c, 1)->has_value;
    c->next += forced;
    c->target = sweep_ahead(c, 0);
    s->source = -1;
    if (!c->target)
        return sweep_fail(c, c->card->where, sweep_form(c), "the name of what is swept is missing");
    if (!forced && take_model(c, s))
        return KN_OK;
    c->next++;
    return name_target(c, s, forced);
}

/* ---- whether there is such a thing ---- */

static enum kn_status unknown_target(const struct sweep_cursor *c, const struct sweep *s, const char *hint)
{
    struct name_guess g = name_guess(c->target->name);
    for (size_t i = 0; s->target.kind == OVERRIDE_PARAMETER && i < c->r->circuit->element_count; i++)
        name_guess_offer(&g, c->r->circuit->elements[i].name);
    const char *guess = diagnostics_meant(c->r->diagnostics, g.found);
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", c->target->where, guess ? guess : hint,
                    "'%s': there is no %s '%s'", c->card->name,
                    s->target.kind == OVERRIDE_MODEL ? "model" : "source, element or parameter", c->target->name);
    return KN_ERROR_DECK;
}

/* Where no element uses the model nothing is known of its parameters. */
static bool model_has_setting(const struct circuit *c, const struct override *o)
{
    bool used = false;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (!e->kind || !e->model || !names_equal(e->model->name, o->name))
            continue;
        if (parameter_row(e->kind->model, o->setting) < e->kind->model.count)
            return true;
        used = true;
    }
    return !used;
}

static enum kn_status unknown_setting(const struct sweep_cursor *c, const struct override *o)
{
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", c->target->where, "knoten devices lists those of each model",
                    "'%s': model '%s' has no parameter '%s'", c->card->name, o->name, o->setting);
    return KN_ERROR_DECK;
}

/* The deck with the first value tells. */
static enum kn_status check_target(const struct sweep_cursor *c, const struct sweep *s)
{
    struct override first = s->target;
    const struct overrides all = {.items = &first, .count = 1};
    struct circuit *circuit = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    first.value = s->values[0];
    enum kn_status status = d ? deck_expand(c->r->deck, &all, NULL, d, &circuit) : KN_ERROR_MEMORY;
    bool said = false;
    for (size_t i = 0; status == KN_ERROR_DECK && !said && i < kn_diagnostics_count(d); i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(d, i);
        said = strcmp(m->code, "override") == 0 && !m->where.file;
        if (said)
            unknown_target(c, s,
                           diagnostics_hint(c->r->diagnostics, "%s", m->hint ? m->hint : "look for its .param card"));
    }
    if (status == KN_ERROR_DECK && !said && kn_diagnostics_errors(c->r->diagnostics) == 0) /* not the deck's own */
        diagnostics_copy(c->r->diagnostics, d);
    if (status == KN_OK && first.kind == OVERRIDE_MODEL && !model_has_setting(circuit, &first))
        status = unknown_setting(c, &first);
    if (circuit)
        circuit_free(circuit);
    kn_diagnostics_free(d);
    return status;
}

static enum kn_status check_temperatures(const struct sweep_cursor *c, const struct sweep *s)
{
    for (size_t i = 0; s->target.kind == OVERRIDE_TEMPERATURE && i < s->count; i++)
        if (!(s->values[i] > ABSOLUTE_ZERO))
            return sweep_fail(c, c->numbers->where, "temperatures are in degrees Celsius",
                              "the temperature falls below absolute zero");
    return KN_OK;
}

/* ---- both ---- */

static enum kn_status check_sweep(const struct sweep_cursor *c, const struct sweep *s)
{
    const enum kn_status status = check_temperatures(c, s);
    return status == KN_OK && c->r->deck && s->count > 0 ? check_target(c, s) : status;
}

enum kn_status sweep_finish(struct sweep_cursor *c, struct sweep *s)
{
    s->card = c->card->name;
    s->name = s->name ? lower(c->r->arena, s->name) : NULL;
    return s->name ? check_sweep(c, s) : KN_ERROR_MEMORY;
}

enum kn_status sweep_of_column(struct sweep_cursor *c, const struct setting *name, struct sweep *s)
{
    c->target = c->numbers = name;
    const enum kn_status status = name_target(c, s, false);
    return status == KN_OK ? sweep_finish(c, s) : status;
}
