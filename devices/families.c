/* families.c - the elements of a circuit sorted by device class, one batch for each class. */
#include "devices/setup.h"

#include <stdlib.h>

/* Index of the class for a letter, -1 if there is none. */
static int class_of_letter(const struct device_class *const *classes, char letter)
{
    for (int i = 0; classes[i]; i++)
        if (classes[i]->letter == letter)
            return i;
    return -1;
}

/* Counts the elements of each class into `counts`; an element without class is an error of the deck. */
static enum kn_status count_elements(const struct circuit *c, const struct device_class *const *classes,
                                     struct kn_diagnostics *d, size_t *counts)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        const int class = class_of_letter(classes, e->letter);
        if (e->letter == '\0') /* could not be read, which has been reported */
            continue;
        if (class >= 0) {
            counts[class]++;
            continue;
        }
        diagnostics_add(d, KN_ERROR, "unknown-element", e->where, NULL, "no device of type '%c' for element '%s'",
                        e->letter, e->name);
        status = KN_ERROR_DECK;
    }
    return status;
}

/* Families for the classes that have elements, their element arrays allocated but empty; place[i] is the family of
 * class i or -1. */
static bool open_families(const struct device_class *const *classes, const size_t *counts, int *place,
                          struct device_families *out)
{
    for (int i = 0; classes[i]; i++) {
        place[i] = -1;
        if (counts[i] == 0)
            continue;
        struct device_family *family = &out->families[out->count];
        family->class = classes[i];
        family->elements = malloc(counts[i] * sizeof *family->elements);
        if (!family->elements)
            return false;
        place[i] = (int)out->count++;
    }
    return true;
}

static void sort_elements(const struct circuit *c, const struct device_class *const *classes, const int *place,
                          struct device_families *out)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const int class = class_of_letter(classes, c->elements[i].letter);
        out->family_of[i] = class < 0 ? -1 : place[class];
        if (class < 0)
            continue;
        struct device_family *family = &out->families[place[class]];
        out->index_of[i] = family->count;
        family->elements[family->count++] = &c->elements[i];
    }
}

static enum kn_status sort_by_class(const struct circuit *c, const struct device_class *const *classes,
                                    struct kn_diagnostics *d, struct device_families *out)
{
    size_t class_count = 0;
    while (classes[class_count])
        class_count++;
    size_t *counts = calloc(class_count + 1, sizeof *counts);
    int *place = calloc(class_count + 1, sizeof *place);
    out->families = calloc(class_count + 1, sizeof *out->families);
    out->family_of = calloc(c->element_count + 1, sizeof *out->family_of);
    out->index_of = calloc(c->element_count + 1, sizeof *out->index_of);
    enum kn_status status = KN_ERROR_MEMORY;
    if (counts && place && out->families && out->family_of && out->index_of)
        status = count_elements(c, classes, d, counts);
    if (status == KN_OK && !open_families(classes, counts, place, out))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        sort_elements(c, classes, place, out);
    free(counts);
    free(place);
    return status;
}

static enum kn_status create_batches(const struct circuit *c, struct kn_diagnostics *d, struct device_families *out)
{
    enum kn_status first_failure = KN_OK;
    for (size_t i = 0; i < out->count; i++) {
        struct device_family *family = &out->families[i];
        const struct device_input in = {family->elements, family->count, c, d};
        const enum kn_status status = family->class->create(&in, &family->batch);
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
        if (out->families[i].class->prepare)
            out->families[i].class->prepare(out->families[i].batch, c->temperature);
}

enum kn_status device_families_create(const struct circuit *c, const struct device_class *const *classes,
                                      struct kn_diagnostics *d, struct device_families *out)
{
    *out = (struct device_families){0};
    enum kn_status status = sort_by_class(c, classes, d, out);
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
        if (f->families[i].class->number && !f->families[i].class->number(f->families[i].batch, s))
            return KN_ERROR_MEMORY;
    bool connected = true;
    for (size_t i = 0; i < f->count; i++)
        if (f->families[i].class->connect && !f->families[i].class->connect(f->families[i].batch, s))
            connected = false;
    if (d && kn_diagnostics_errors(d) > errors_before)
        return KN_ERROR_DECK;
    return connected ? KN_OK : KN_ERROR_MEMORY;
}

void device_families_destroy(struct device_families *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->families[i].batch)
            f->families[i].class->destroy(f->families[i].batch);
        free(f->families[i].elements);
    }
    free(f->families);
    free(f->family_of);
    free(f->index_of);
    *f = (struct device_families){0};
}
