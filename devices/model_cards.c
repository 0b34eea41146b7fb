/* model_cards.c - see model_cards.h. */
#include "devices/model_cards.h"

#include "base/names.h"

#include <stdint.h>
#include <stdio.h>

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
    out->kinds = arena_array(arena, in->count, sizeof *out->kinds);
    out->places = arena_array(arena, out->capacity, sizeof *out->places);
    if (!out->models || !out->kinds || !out->places)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        const struct model *model = in->elements[i]->model;
        size_t *place = model ? &out->places[place_of(out, model)] : NULL;
        if (!place || *place > 0)
            continue;
        const struct element_kind *kind = in->elements[i]->kind;
        out->width = kind->model.count > out->width ? kind->model.count : out->width;
        out->kinds[out->count] = kind;
        out->models[out->count++] = model;
        *place = out->count;
    }
    return true;
}

static bool read_cards(struct kn_diagnostics *d, struct model_cards *out)
{
    bool good = true;
    for (size_t i = 0; i < out->count; i++) {
        const struct model *m = out->models[i];
        const struct owner owner = {"model", m->name};
        good &= parameters_read(out->kinds[i]->model, m->settings, m->setting_count, owner, d,
                                out->values + i * out->width, out->given + i * out->width);
    }
    return good;
}

enum kn_status model_cards_read(const struct device_input *in, struct arena *arena, struct model_cards *out)
{
    *out = (struct model_cards){0};
    if (!collect_models(in, arena, out))
        return KN_ERROR_MEMORY;
    out->values = arena_array(arena, out->count * out->width + 1, sizeof *out->values);
    out->given = arena_array(arena, out->count * out->width + 1, sizeof *out->given);
    if (!out->values || !out->given)
        return KN_ERROR_MEMORY;
    return read_cards(in->diagnostics, out) ? KN_OK : KN_ERROR_DECK;
}

const double *model_card_values(const struct model_cards *cards, size_t card)
{
    return cards->values + card * cards->width;
}

const bool *model_card_given(const struct model_cards *cards, size_t card)
{
    return cards->given + card * cards->width;
}

double model_temperature(const struct model *model, double circuit)
{
    double celsius = circuit;
    for (size_t i = 0; i < model->setting_count; i++) {
        const struct setting *s = &model->settings[i];
        if (!s->has_value || s->text)
            continue;
        if (names_equal(s->name, "t_abs"))
            return s->value;
        if (names_equal(s->name, "t_rel_global"))
            celsius = circuit + s->value;
    }
    return celsius;
}
