/* instances.c - see instances.h. */
#include "devices/semiconductor/instances.h"

#include "base/diagnostics.h"

#include <string.h>

static bool allocate(struct instances *all, size_t width)
{
    struct arena *a = all->base.arena;
    double *values = arena_array(a, all->base.count * width, sizeof *values);
    bool *given = arena_array(a, all->base.count * width, sizeof *given);
    all->model = arena_array(a, all->base.count, sizeof *all->model);
    all->model_given = arena_array(a, all->base.count, sizeof *all->model_given);
    all->own = arena_array(a, all->base.count, sizeof *all->own);
    all->own_given = arena_array(a, all->base.count, sizeof *all->own_given);
    all->kelvin = arena_array(a, all->base.count, sizeof *all->kelvin);
    if (!values || !given || !all->model || !all->model_given || !all->own || !all->own_given || !all->kelvin)
        return false;
    for (size_t k = 0; k < all->base.count; k++) {
        all->own[k] = values + k * width;
        all->own_given[k] = given + k * width;
    }
    return true;
}

enum kn_status instances_read(struct instances *all, const struct device_input *in)
{
    all->nominal_temperature = in->circuit->nominal_temperature;
    all->initial_at_rest = in->circuit->dialect == DIALECT_XYCE && in->elements[0]->kind->letter == 'm';
    if (!allocate(all, in->elements[0]->kind->instance.count))
        return KN_ERROR_MEMORY;
    enum kn_status status = model_cards_read(in, all->base.arena, &all->cards);
    for (size_t k = 0; k < all->base.count && status != KN_ERROR_MEMORY; k++) {
        const size_t card = model_cards_find(&all->cards, all->base.elements[k]->model);
        all->model[k] = model_card_values(&all->cards, card);
        all->model_given[k] = model_card_given(&all->cards, card);
        if (!element_parameters_read(all->base.elements[k], in->diagnostics, all->own[k], all->own_given[k]))
            status = KN_ERROR_DECK;
    }
    return status;
}

bool instances_allocate(struct instances *all, const struct instance_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *array = arena_array(all->base.arena, all->base.count, arrays[i].size);
        if (!array)
            return false;
        memcpy((char *)all + arrays[i].place, &array, sizeof array); /* pointers to objects look alike (POSIX) */
    }
    return true;
}

double instance_sign(const struct instances *all, size_t k)
{
    return all->base.elements[k]->model->type[0] == 'p' ? -1 : 1;
}

struct thermal instance_thermal(struct instances *all, size_t k, double circuit, size_t temp, size_t dtemp, size_t tnom)
{
    const double celsius = all->own_given[k][temp]
                               ? all->own[k][temp]
                               : model_temperature(all->base.elements[k]->model, circuit) + all->own[k][dtemp];
    all->kelvin[k] = celsius + DEVICE_KELVIN;
    return thermal_of(celsius, all->model_given[k][tnom] ? all->model[k][tnom] : all->nominal_temperature);
}

bool instance_add_initial(const struct instances *all, size_t k, size_t row, int plus, int minus,
                          struct initial_list *list)
{
    const struct initial_value v = {.kind = INITIAL_VOLTAGE,
                                    .plus = plus,
                                    .minus = minus,
                                    .value = all->own[k][row],
                                    .element = all->base.elements[k],
                                    .at_rest = all->initial_at_rest};
    return !all->own_given[k][row] || initial_add(list, &v);
}

bool instance_within(const struct element *e, const struct instance_limit *limits, size_t count,
                     struct kn_diagnostics *d)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        if (!limits[i].wrong)
            continue;
        diagnostics_add(d, KN_ERROR, "parameter-range", e->where, NULL,
                        "element '%s': %s of model '%s' must be %s, but is %g for this length and width", e->name,
                        limits[i].name, e->model->name, limits[i].must, limits[i].value);
        good = false;
    }
    return good;
}

int instance_inner_node(struct device_setup *s, const struct element *e, bool separate, int outer, const char *part)
{
    return separate ? setup_internal_node(s, e, part) : outer;
}
