/* variant.c - see variant.h.  A slot of its own for each entry that an element asks for, as in terms.c. */
#include "mna/variant.h"

#include "mna/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mna_variants {
    struct mna *mna;
    struct arena *arena;
    const struct name_table *names;
};

struct variant_inside {
    struct mna *mna;
    struct arena *arena;
    struct device_setup *setup;
    struct device_families families;
    double *x, *f, *q;     /* [n + 1] padded */
    double complex *slope; /* [count + 1] which delays fill as well */
};

enum kn_status mna_variants_new(struct mna *m, struct mna_variants **out)
{
    struct arena *arena;
    struct mna_variants *v = arena_object(sizeof *v, &arena);
    *out = v;
    if (!v)
        return KN_ERROR_MEMORY;
    *v = (struct mna_variants){m, arena, device_setup_names(m->setup, arena)};
    return v->names ? KN_OK : KN_ERROR_MEMORY;
}

void mna_variants_free(struct mna_variants *v)
{
    if (v)
        arena_free(v->arena);
}

/* ---- making one ---- */

static enum kn_status give_slots(struct mna_variant *v)
{
    const struct variant_inside *inside = v->inside;
    const struct device_setup *s = inside->setup;
    v->count = s->request_count;
    int *slots = arena_array(inside->arena, v->count + 1, sizeof *slots);
    v->row = arena_array(inside->arena, v->count + 1, sizeof *v->row);
    v->column = arena_array(inside->arena, v->count + 1, sizeof *v->column);
    if (!slots || !v->row || !v->column)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < v->count; i++) {
        slots[i] = (int)i;
        v->row[i] = s->requests[i].row - 1;
        v->column[i] = s->requests[i].column - 1;
    }
    device_setup_fix(s, slots);
    return KN_OK;
}

static enum kn_status allocate(struct mna_variant *v)
{
    struct variant_inside *inside = v->inside;
    const size_t n = (size_t)inside->mna->dae.n + 1;
    inside->slope = arena_array(inside->arena, v->count + 1, sizeof *inside->slope);
    const bool done = inside->slope &&
                      arena_vectors(inside->arena, v->count + 1, (double **const[]){&v->G, &v->C, NULL}) &&
                      arena_vectors(inside->arena, n, (double **const[]){&inside->x, &inside->f, &inside->q, NULL});
    if (!done)
        return KN_ERROR_MEMORY;
    v->f = inside->f + 1;
    v->q = inside->q + 1;
    return KN_OK;
}

static enum kn_status make(const struct mna_variants *all, const struct circuit *c, struct mna_variant *v)
{
    struct variant_inside *inside = v->inside;
    enum kn_status status = device_families_create(c, NULL, &inside->families);
    if (status != KN_OK)
        return status;
    inside->setup = device_setup_again(c, inside->mna->setup, all->names);
    if (!inside->setup)
        return KN_ERROR_MEMORY;
    status = device_families_connect(&inside->families, inside->setup, NULL);
    if (status == KN_OK && inside->setup->unknown_missing)
        status = KN_ERROR_CIRCUIT;
    if (status == KN_OK)
        status = give_slots(v);
    return status == KN_OK ? allocate(v) : status;
}

void mna_variant_free(struct mna_variant *v)
{
    if (!v)
        return;
    device_families_destroy(&v->inside->families);
    device_setup_free(v->inside->setup);
    arena_free(v->inside->arena);
}

enum kn_status mna_variant_new(const struct mna_variants *all, const struct circuit *c, struct mna_variant **out)
{
    struct arena *arena;
    struct mna_variant *v = arena_object(sizeof *v, &arena);
    *out = NULL;
    if (!v)
        return KN_ERROR_MEMORY;
    *v = (struct mna_variant){.inside = arena_alloc(arena, sizeof *v->inside)};
    if (!v->inside) {
        arena_free(arena);
        return KN_ERROR_MEMORY;
    }
    *v->inside = (struct variant_inside){.mna = all->mna, .arena = arena};
    const enum kn_status status = make(all, c, v);
    if (status == KN_OK)
        *out = v;
    else
        mna_variant_free(v);
    return status;
}

/* ---- evaluating it ---- */

/* G and C are the stamped parts: what they add to f and q. */
static void add_constant_part(struct mna_variant *v)
{
    const struct variant_inside *inside = v->inside;
    for (size_t i = 0; i < v->count; i++) {
        inside->f[v->row[i] + 1] += v->G[i] * inside->x[v->column[i] + 1];
        inside->q[v->row[i] + 1] += v->C[i] * inside->x[v->column[i] + 1];
    }
}

void mna_variant_evaluate(struct mna_variant *v, const double *x)
{
    const struct device_families *f = &v->inside->families;
    mna_variant_evaluate_at(v, instant_at(-INFINITY), x);
    for (size_t i = 0; i < f->count; i++)
        if (f->families[i].class->alternate)
            f->families[i].class->alternate(f->families[i].batch, v->G);
}

void mna_variant_evaluate_at(struct mna_variant *v, struct instant when, const double *x)
{
    const struct variant_inside *inside = v->inside;
    const struct mna *m = inside->mna;
    const size_t bytes = ((size_t)m->dae.n + 1) * sizeof *x;
    bool limited = false;
    memcpy(inside->x + 1, x, bytes - sizeof *x);
    memset(inside->f, 0, bytes);
    memset(inside->q, 0, bytes);
    memset(v->G, 0, v->count * sizeof *v->G);
    memset(v->C, 0, v->count * sizeof *v->C);
    const struct device_point at = {.when = when,
                                    .x = inside->x,
                                    .what = EVALUATE_ALL,
                                    .gmin = m->options.gmin,
                                    .near = DEVICE_NEAR,
                                    .source_scale = 1,
                                    .x_reference = inside->x,
                                    .limited = &limited};
    const struct device_stamp out = {.f = inside->f, .q = inside->q, .G = v->G, .C = v->C};
    for (size_t i = 0; i < inside->families.count; i++)
        if (inside->families.families[i].class->stamp)
            inside->families.families[i].class->stamp(inside->families.families[i].batch, v->G, v->C);
    add_constant_part(v);
    for (size_t i = 0; i < inside->families.count; i++) {
        const struct device_family *family = &inside->families.families[i];
        if (family->class->force)
            family->class->force(family->batch, at.when, 1, inside->f);
        if (mna_is_nonlinear(family))
            family->class->eval(family->batch, &at, &out);
    }
}

/* The step that a family of delays can bear is its shortest one, and of what is varied there is one as a rule. */
double mna_variant_longest_delay(const struct mna_variant *v)
{
    const struct device_families *f = &v->inside->families;
    double longest = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct device_class *class = f->families[i].class;
        const double step = class->delay && class->largest_step ? class->largest_step(f->families[i].batch) : INFINITY;
        longest =
            isfinite(step) ? fmax(longest, step) : longest; /* INFINITY of classes that limit no step, as code models */
    }
    return longest;
}

void mna_variant_delay(const struct mna_variant *v, double w, double complex *A)
{
    const struct device_families *f = &v->inside->families;
    memset(A, 0, v->count * sizeof *A);
    for (size_t i = 0; i < f->count; i++)
        if (f->families[i].class->delay)
            f->families[i].class->delay(f->families[i].batch, w, A, v->inside->slope);
}
