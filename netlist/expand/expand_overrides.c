/* expand_overrides.c - values that count instead of what the deck says: those of one run of a sweep. */
#include "netlist/expand/expand.h"

#include <string.h>

/* The i-th override, used from now on, if it is of that kind; NULL otherwise. */
static const struct override *take(struct expansion *x, size_t i, enum override_kind kind)
{
    const struct override *o = &x->overrides->items[i];
    if (o->kind != kind)
        return NULL;
    x->override_used[i] = true;
    return o;
}

static size_t count_of(const struct expansion *x)
{
    return x->overrides ? x->overrides->count : 0;
}

static bool is_named(const struct level *level, const char *name)
{
    return level->name && names_equal(level->name, name);
}

bool expand_override_parameter(struct expansion *x, const struct instance *at, const char *name, double *value)
{
    const size_t path = strlen(at->path);
    bool found = false;
    for (size_t i = 0; i < count_of(x); i++) {
        const struct override *o = &x->overrides->items[i];
        if (o->kind == OVERRIDE_DEFAULT && is_named(at->level, o->name) && names_equal(o->setting, name)) {
            *value = take(x, i, OVERRIDE_DEFAULT)->value;
            found = true;
        }
        const bool meant = o->kind == OVERRIDE_PARAMETER && strlen(o->name) == path + strlen(name) &&
                           names_equal(o->name + path, name);
        const char *prefix = meant ? arena_text(x->deck->scratch, o->name, path) : NULL;
        if (!prefix || !names_equal(prefix, at->path))
            continue;
        *value = take(x, i, OVERRIDE_PARAMETER)->value;
        found = true;
    }
    return found;
}

void expand_override_options(struct expansion *x)
{
    for (size_t i = 0; i < count_of(x); i++) {
        const struct override *o = take(x, i, OVERRIDE_OPTION);
        if (o)
            expand_push_setting(x, o->name, NOWHERE, (struct setting){.has_value = true, .value = o->value});
    }
}

void expand_override_temperature(struct expansion *x, double *celsius)
{
    for (size_t i = 0; i < count_of(x); i++) {
        const struct override *o = take(x, i, OVERRIDE_TEMPERATURE);
        if (o)
            *celsius = o->value;
    }
}

/* ---- models and elements ---- */

/* In place of a setting of that name, or behind the others. */
static void set(struct expansion *x, const char *name, double value)
{
    struct setting *all = x->settings.items;
    for (size_t i = 0; i < x->settings.count; i++)
        if (names_equal(all[i].name, name)) {
            all[i].has_value = true;
            all[i].value = value;
            all[i].text = NULL;
            return;
        }
    expand_push_setting(x, name, NOWHERE, (struct setting){.has_value = true, .value = value});
}

void expand_override_model(struct expansion *x, const char *name)
{
    for (size_t i = 0; i < count_of(x); i++)
        if (x->overrides->items[i].kind == OVERRIDE_MODEL && names_equal(x->overrides->items[i].name, name)) {
            const struct override *o = take(x, i, OVERRIDE_MODEL);
            set(x, o->setting, o->value);
        }
}

bool expand_set_on_element(struct expansion *x, struct element *e, const char *name, double value)
{
    x->settings.count = 0;
    for (size_t i = 0; i < e->setting_count; i++)
        if (!expand_push_setting(x, e->settings[i].name, e->settings[i].where, e->settings[i]))
            return false;
    set(x, name, value);
    return expand_keep_settings(x, &e->settings, &e->setting_count);
}

static bool set_value(struct expansion *x, struct element *e, double value)
{
    const bool source = e->kind->form == CARD_SOURCE;
    if (source) {
        e->source.has_dc = true;
        e->source.dc = value;
    } else if (e->has_value) {
        e->value = value;
    }
    return source || e->has_value ||
           deck_fail(x->deck, "override", e->where, NULL, "'%s' has no value that could be another", e->name);
}

static bool unknown(struct expansion *x, const char *what, const struct override *o, const struct name_table *names)
{
    return deck_fail(x->deck, "override", NOWHERE, deck_did_you_mean_in(x->deck, o->name, names), "there is no %s '%s'",
                     what, o->name);
}

/* What a source alone has; *taken: it was that. */
static bool override_source(struct expansion *x, struct element *e, const struct override *o, bool *taken)
{
    struct source *s = &e->source;
    *taken = true;
    if (names_equal(o->setting, "external"))
        s->wave = (struct waveform){.kind = WAVEFORM_EXTERNAL, .repeat_from = -1, .where = e->where};
    else if (names_equal(o->setting, "acmag") || names_equal(o->setting, "ac"))
        s->ac_magnitude = o->value;
    else if (names_equal(o->setting, "acphase"))
        s->ac_phase = o->value;
    else if (names_equal(o->setting, "dc") || names_equal(o->setting, "dcv0"))
        return set_value(x, e, o->value);
    else if (o->count > 0)
        return expand_override_waveform(x, e, o);
    else
        return expand_override_waveform_number(x, e, o, taken);
    return true;
}

/* r1:r, c1:value: the value by name. */
static bool names_value(const struct element *e, const char *name)
{
    const struct parameter_info *first = e->kind->instance.count > 0 ? &e->kind->instance.rows[0] : NULL;
    const bool letter = e->kind->letter == (name[0] | 0x20) && !name[1];
    return e->has_value && (letter || names_equal(name, "value") ||
                            (first && (names_equal(first->name, name) || name_is_among(first->alias, name))));
}

/* A setting that the kind has none of would change nothing. */
static bool set_setting(struct expansion *x, struct element *e, const struct override *o)
{
    const struct parameter_table table = e->kind->instance;
    if (parameter_row(table, o->setting) < table.count || name_is_among(table.ignored, o->setting))
        return expand_set_on_element(x, e, o->setting, o->value);
    return deck_fail(x->deck, "override", NOWHERE, NULL, "'%s' has no '%s' that could be another", e->name, o->setting);
}

static void override_element(struct expansion *x, const struct override *o)
{
    struct element *e = name_table_get(x->circuit->element_table, o->name);
    bool taken;
    if (!e && expand_excuses_element(x, o->name))
        return;
    if (!e)
        unknown(x, "element", o, x->circuit->element_table);
    else if (!e->kind)
        return; /* it could not be read, which has been reported */
    else if (o->setting && e->kind->form == CARD_SOURCE && (!override_source(x, e, o, &taken) || taken))
        return;
    else if (!o->setting || names_value(e, o->setting))
        set_value(x, e, o->value);
    else
        set_setting(x, e, o);
}

/* When all its numbers are known. */
static void finish_source(struct expansion *x, const struct override *o)
{
    struct element *e = name_table_get(x->circuit->element_table, o->name);
    if (e && e->kind && e->kind->form == CARD_SOURCE && o->setting)
        expand_finish_pattern(x, e);
}

void expand_override_elements(struct expansion *x)
{
    for (size_t i = 0; i < count_of(x); i++) {
        const struct override *o = &x->overrides->items[i];
        if (take(x, i, OVERRIDE_ELEMENT))
            override_element(x, o);
        else if (!x->override_used[i] && o->kind == OVERRIDE_DEFAULT)
            deck_fail(x->deck, "override", NOWHERE, NULL,
                      "no instance of a subcircuit '%s' takes a parameter '%s' from it", o->name, o->setting);
        else if (!x->override_used[i])
            unknown(x, o->kind == OVERRIDE_MODEL ? "model" : "parameter", o,
                    o->kind == OVERRIDE_MODEL ? x->deck->top->models : x->deck->top->parameter_table);
    }
    for (size_t i = 0; i < count_of(x); i++)
        if (x->overrides->items[i].kind == OVERRIDE_ELEMENT)
            finish_source(x, &x->overrides->items[i]);
}
