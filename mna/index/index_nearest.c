/* index_nearest.c - the poles of a large circuit that lie nearest to a point, by shift and invert (index_shifted.h). */
#include "mna/index/index_shifted.h"
#include "sparse/arnoldi.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static enum kn_status apply(void *context, double complex *x)
{
    return shifted_apply(context, x);
}

/* Parts of the circuit's middle rate by which the point moves to the right where a pole lies on it. */
static const double ASIDE[] = {0, 1e-9, 1e-6, 1e-3, 0.7};

static enum kn_status factor(struct shifted *s, double complex near)
{
    const double rate = pencil_middle_rate(s->p);
    enum kn_status status = KN_ERROR_CIRCUIT;
    for (size_t k = 0; k < sizeof ASIDE / sizeof *ASIDE && status == KN_ERROR_CIRCUIT; k++)
        status = shifted_factor(s, near + ASIDE[k] * rate);
    if (status == KN_ERROR_CIRCUIT && near != 0 && shifted_factor(s, ASIDE[1] * rate) == KN_OK)
        return KN_ERROR_CONVERGENCE; /* the matrix can be factored far from `near` only: nothing is known of poles there */
    return status;
}

/* ---- what was found ---- */

static void add_pole(struct index_analysis *a, double complex pole, double error)
{
    for (int k = 0; k < a->pole_count; k++)
        if (cabs(a->poles[k] - pole) <= 1e-9 * cabs(pole) && cimag(pole) != 0)
            return;
    a->poles[a->pole_count] = pole;
    a->pole_errors[a->pole_count++] = error;
}

static int by_size(const void *a, const void *b)
{
    const struct ritz_value *x = a, *y = b;
    return cabs(x->value) < cabs(y->value) ? 1 : cabs(x->value) > cabs(y->value) ? -1 : 0;
}

/* Rounding of a value that is small beside its distance from the shift. */
static bool is_zero(double complex pole, double complex shift)
{
    return cabs(pole) <= 16 * DBL_EPSILON * cabs(shift);
}

/* Poles of a real pencil come in pairs; of a point off the real axis one of a pair may be too far away. */
static enum kn_status take_poles(struct shifted *s, struct ritz_value *found, int count, double complex *workspace,
                                 struct index_analysis *a)
{
    const double complex shift = s->shift;
    enum kn_status status = KN_OK;
    qsort(found, (size_t)count, sizeof *found, by_size);
    for (int k = 0; status == KN_OK && k < count; k++) {
        double complex pole = shift - 1 / found[k].value;
        double error = DBL_EPSILON;
        bool is_pole = true;
        if (is_zero(pole, shift))
            pole = 0;
        else
            status = shifted_confirm(s, workspace, &pole, &error, &is_pole);
        if (!is_pole || status != KN_OK)
            continue;
        const bool real = fabs(cimag(pole)) <= fmax(1e-10, error) * cabs(pole);
        add_pole(a, real ? creal(pole) : pole, error);
        if (!real)
            add_pole(a, conj(pole), error);
    }
    return status;
}

static enum kn_status find(struct arena *memory, struct shifted *s, double complex near, int wanted,
                           struct index_analysis *a)
{
    double complex *start = arena_array(memory, (size_t)s->p->n + 1, sizeof *start);
    struct ritz_value *found = arena_array(memory, (size_t)wanted + 1, sizeof *found);
    int count = 0;
    a->poles = calloc(2 * (size_t)wanted + 1, sizeof *a->poles);
    a->pole_errors = calloc(2 * (size_t)wanted + 1, sizeof *a->pole_errors);
    if (!start || !found || !a->poles || !a->pole_errors)
        return KN_ERROR_MEMORY;
    enum kn_status status = factor(s, near);
    if (status == KN_OK)
        status = shifted_start(s, start);
    const struct linear_map map = {s->p->n, s, apply};
    if (status == KN_OK)
        status = arnoldi_largest(&map, start, wanted, found, &count);
    if (status == KN_OK)
        status = take_poles(s, found, count, start, a);
    return status;
}

bool index_finds_nearest(void)
{
    return arnoldi_is_there();
}

enum kn_status index_nearest(struct mna *m, const struct index_point *at, const struct index_options *o,
                             double complex near, int wanted, struct index_analysis *a)
{
    struct arena *memory = arena_new();
    struct pencil p;
    if (!memory)
        return KN_ERROR_MEMORY;
    enum kn_status status = pencil_at(m, at->time, at->x, memory, &p);
    if (status == KN_OK && o->alternating)
        mna_alternate(m, p.G);
    if (status == KN_OK && o->border_count > 0 && !pencil_add_borders(memory, o->borders, o->border_count, &p))
        status = KN_ERROR_MEMORY;
    struct shifted s = {0};
    if (status == KN_OK)
        status = shifted_new(memory, &p, m, &s);
    if (status == KN_OK)
        status = find(memory, &s, near, wanted, a);
    shifted_free(&s);
    arena_free(memory);
    return status;
}
