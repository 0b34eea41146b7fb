/* terms.c - see terms.h: the elements are set up once more, with a slot of its own for each entry they ask for. */
#include "mna/terms.h"

#include <stdlib.h>

/* Slots are the numbers of the requests. */
static bool fix_slots(struct arena *memory, struct device_setup *s)
{
    int *slot = arena_array(memory, s->request_count + 1, sizeof *slot);
    for (size_t i = 0; slot && i < s->request_count; i++)
        slot[i] = (int)i;
    if (slot)
        device_setup_fix(s, slot);
    return slot != NULL;
}

static void stamp(const struct device_families *f, double *G, double *C)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->families[i].class->stamp)
            f->families[i].class->stamp(f->families[i].batch, G, C);
}

/* What does not belong to ground. */
static bool collect(struct arena *memory, const struct device_setup *s, const double *G, const double *C,
                    struct mna_terms *out)
{
    out->row = arena_array(memory, s->request_count + 1, sizeof *out->row);
    out->column = arena_array(memory, s->request_count + 1, sizeof *out->column);
    out->G = arena_array(memory, s->request_count + 1, sizeof *out->G);
    out->C = arena_array(memory, s->request_count + 1, sizeof *out->C);
    if (!out->row || !out->column || !out->G || !out->C)
        return false;
    for (size_t i = 0; i < s->request_count; i++) {
        const struct matrix_request *r = &s->requests[i];
        if (r->row == 0 || r->column == 0 || (G[i] == 0 && C[i] == 0))
            continue;
        out->row[out->count] = r->row - 1;
        out->column[out->count] = r->column - 1;
        out->G[out->count] = G[i];
        out->C[out->count++] = C[i];
    }
    return true;
}

static enum kn_status stamp_each(struct arena *memory, const struct device_families *f, struct device_setup *s,
                                 struct mna_terms *out)
{
    double *G = arena_array(memory, s->request_count + 1, sizeof *G);
    double *C = arena_array(memory, s->request_count + 1, sizeof *C);
    if (!G || !C || !fix_slots(memory, s))
        return KN_ERROR_MEMORY;
    stamp(f, G, C);
    out->is_current = arena_array(memory, (size_t)out->n + 1, sizeof *out->is_current);
    for (int i = 0; out->is_current && i < out->n; i++)
        out->is_current[i] = s->unknowns[i + 1].kind == UNKNOWN_CURRENT;
    return out->is_current && collect(memory, s, G, C, out) ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status mna_terms_find(const struct mna *m, struct arena *memory, struct mna_terms *out)
{
    struct kn_diagnostics *said_before = kn_diagnostics_new();
    struct device_setup *s = device_setup_new(mna_circuit(m));
    struct device_families f = {0};
    *out = (struct mna_terms){.n = mna_unknown_count(m)};
    enum kn_status status = s && said_before ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = device_families_create(mna_circuit(m), said_before, &f);
    if (status == KN_OK) {
        status = device_families_connect(&f, s, said_before);
        if (status == KN_OK)
            status = stamp_each(memory, &f, s, out);
        device_families_destroy(&f);
    }
    device_setup_free(s);
    kn_diagnostics_free(said_before);
    return status == KN_OK ? KN_OK : KN_ERROR_MEMORY; /* nothing else fails in a circuit that has been set up before */
}
