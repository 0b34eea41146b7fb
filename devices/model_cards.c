/* model_cards.c - see model_cards.h. */
#include "devices/model_cards.h"

#include <stdint.h>
#include <stdio.h>

#define OWNER_SIZE 128

/* Place of a model in the table of open addressing: where it stands, or the empty one where it would (Knuth's
 * multiplicative hash of its address). */
static size_t place_of(const struct model_cards *cards, const struct model *model)
{
    size_t i = (size_t)(((uint64_t)(uintptr_t)model * 0x9E3779B97F4A7C15u) >> 32) & (cards->capacity - 1);
    while (cards->places[i] > 0 && cards->models[cards->places[i] - 1] != model)
        i = (i + 1) & (cards->capacity - 1);
    return i;
}

size_t model_cards_find(const struct model_cards *cards, const struct model *model)
{
    const size_t number = cards->places[place_of(cards, model)];
    return number > 0 ? number - 1 : 0;
}

static bool collect_models(const struct device_input *in, struct arena *arena, struct model_cards *out)
{
    out->capacity = 2;
    while (out->capacity < 2 * in->count)
        out->capacity *= 2;
    out->models = arena_array(arena, in->count, sizeof *out->models);
    out->places = arena_array(arena, out->capacity, sizeof *out->places);
    if (!out->models || !out->places)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        size_t *place = &out->places[place_of(out, in->elements[i]->model)];
        if (*place > 0)
            continue;
        out->models[out->count++] = in->elements[i]->model;
        *place = out->count;
    }
    return true;
}

static bool read_cards(const struct device_input *in, struct parameter_table table, const char *const *ignored,
                       struct model_cards *out)
{
    bool good = true;
    for (size_t i = 0; i < out->count; i++) {
        const struct model *m = out->models[i];
        char owner[OWNER_SIZE];
        snprintf(owner, sizeof owner, "model '%s'", m->name);
        good &= parameters_read(table, m->settings, m->setting_count, ignored, owner, in->diagnostics,
                                out->values + i * table.count, out->given + i * table.count);
    }
    return good;
}

enum kn_status model_cards_read(const struct device_input *in, struct parameter_table table, const char *const *ignored,
                                struct arena *arena, struct model_cards *out)
{
    *out = (struct model_cards){.width = table.count};
    if (!collect_models(in, arena, out))
        return KN_ERROR_MEMORY;
    out->values = arena_array(arena, out->count * table.count, sizeof *out->values);
    out->given = arena_array(arena, out->count * table.count, sizeof *out->given);
    if (!out->values || !out->given)
        return KN_ERROR_MEMORY;
    return read_cards(in, table, ignored, out) ? KN_OK : KN_ERROR_DECK;
}

const double *model_card_values(const struct model_cards *cards, size_t card)
{
    return cards->values + card * cards->width;
}

const bool *model_card_given(const struct model_cards *cards, size_t card)
{
    return cards->given + card * cards->width;
}

bool element_parameters_read(const struct element *e, struct parameter_table table, struct kn_diagnostics *d,
                             double *values, bool *given)
{
    char owner[OWNER_SIZE];
    snprintf(owner, sizeof owner, "element '%s'", e->name);
    return parameters_read(table, e->settings, e->setting_count, NULL, owner, d, values, given);
}

bool element_area_is_positive(const struct element *e, double area, struct kn_diagnostics *d)
{
    if (area > 0)
        return true;
    diagnostics_add(d, KN_ERROR, "parameter-range", e->where, NULL,
                    "element '%s': area must be greater than 0, but is %g", e->name, area);
    return false;
}

bool model_level_is(const struct model *m, double level, double only, const char *available, struct kn_diagnostics *d)
{
    if (level == only)
        return true;
    diagnostics_add(d, KN_ERROR, "model-level", m->where, diagnostics_hint(d, "knoten has %s", available),
                    "model '%s': there is no level %g for type '%s'", m->name, level, m->type);
    return false;
}
