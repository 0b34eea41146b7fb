/* families.c - the elements of a circuit sorted by device class, one batch for each class. */
#include "devices/batch.h"

#include "netlist/response.h"

#include <stdlib.h>

static const struct device_class *together(const struct element_kind *kind)
{
    return device_class_of(kind)->together;
}

/* Place in the catalogue of a kind, or of the first one that shares its batch; NULL: how many there are. */
static size_t place_of(const struct catalogue *catalogue, const struct element_kind *kind)
{
    struct catalogue_walk w = catalogue_walk(catalogue);
    const struct element_kind *next;
    size_t i = 0;
    while ((next = catalogue_next(&w)) != kind && !(kind && together(kind) && together(next) == together(kind)))
        i++;
    return i;
}

/* Families for the kinds that have elements, their element arrays allocated but empty; place[i] is the family of kind i
 * or -1. */
static bool open_families(const struct circuit *c, const size_t *counts, int *place, struct device_families *out)
{
    const struct element_kind *kind;
    struct catalogue_walk w = catalogue_walk(c->catalogue);
    for (size_t i = 0; (kind = catalogue_next(&w)); i++) {
        place[i] = -1;
        if (counts[i] == 0)
            continue;
        struct device_family *family = &out->families[out->count];
        family->class = together(kind) ? together(kind) : device_class_of(kind);
        family->elements = malloc(counts[i] * sizeof *family->elements);
        if (!family->elements)
            return false;
        place[i] = (int)out->count++;
    }
    return true;
}

/* An element that could not be read, which has been reported, is in no family. */
static void sort_elements(const struct circuit *c, const int *place, struct device_families *out)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        out->family_of[i] = e->kind ? place[place_of(c->catalogue, e->kind)] : -1;
        if (!e->kind)
            continue;
        struct device_family *family = &out->families[out->family_of[i]];
        out->index_of[i] = family->count;
        family->elements[family->count++] = e;
    }
}

static enum kn_status sort_by_kind(const struct circuit *c, struct device_families *out)
{
    const size_t kind_count = place_of(c->catalogue, NULL);
    size_t *counts = calloc(kind_count + 1, sizeof *counts);
    int *place = calloc(kind_count + 1, sizeof *place);
    out->families = calloc(kind_count + 1, sizeof *out->families);
    out->family_of = calloc(c->element_count + 1, sizeof *out->family_of);
    out->index_of = calloc(c->element_count + 1, sizeof *out->index_of);
    bool good = counts && place && out->families && out->family_of && out->index_of;
    for (size_t i = 0; good && i < c->element_count; i++)
        if (c->elements[i].kind)
            counts[place_of(c->catalogue, c->elements[i].kind)]++;
    good = good && open_families(c, counts, place, out);
    if (good)
        sort_elements(c, place, out);
    free(counts);
    free(place);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status create_batches(const struct circuit *c, struct kn_diagnostics *d, struct device_families *out)
{
    enum kn_status first_failure = KN_OK;
    for (size_t i = 0; i < out->count; i++) {
        struct device_family *family = &out->families[i];
        const struct device_input in = {family->elements, family->count, c, d};
        const enum kn_status status = batch_new(family->class, &in, &family->batch);
        if (status == KN_ERROR_MEMORY)
            return status;
        if (status != KN_OK)
            first_failure = status;
    }
    return first_failure;
}

static void prepare_batches(const struct circuit *c, const struct device_families *out)
{
    for (size_t i = 0; i < out->count; i++)
        batch_prepare(out->families[i].class, out->families[i].batch, c->temperature);
}

enum kn_status device_families_create(const struct circuit *c, struct kn_diagnostics *d, struct device_families *out)
{
    *out = (struct device_families){0};
    enum kn_status status = sort_by_kind(c, out);
    if (status == KN_OK)
        status = create_batches(c, d, out);
    if (status == KN_OK)
        prepare_batches(c, out);
    else
        device_families_destroy(out);
    return status;
}

enum kn_status device_families_connect(const struct device_families *f, struct device_setup *s,
                                       struct kn_diagnostics *d)
{
    const size_t errors_before = d ? kn_diagnostics_errors(d) : 0;
    for (size_t i = 0; i < f->count; i++)
        if (!batch_pass(f->families[i].class->number, f->families[i].batch, s))
            return KN_ERROR_MEMORY;
    bool connected = true;
    for (size_t i = 0; i < f->count; i++)
        connected = batch_pass(f->families[i].class->connect, f->families[i].batch, s) && connected;
    if (d && kn_diagnostics_errors(d) > errors_before)
        return KN_ERROR_DECK;
    return connected ? KN_OK : KN_ERROR_MEMORY;
}

void device_families_destroy(struct device_families *f)
{
    for (size_t i = 0; i < f->count; i++) {
        batch_free(f->families[i].class, f->families[i].batch);
        free(f->families[i].elements);
    }
    free(f->families);
    free(f->family_of);
    free(f->index_of);
    *f = (struct device_families){0};
}

bool device_is_late(const struct element *e)
{
    const struct device_class *class = device_class_of(e->kind);
    if (e->response)
        return e->response->delay > 0 || response_is_of_frequencies(e->response);
    if (class->together && class->together->transcendental)
        return class->together->transcendental(e);
    return class->delay && class->largest_step;
}
