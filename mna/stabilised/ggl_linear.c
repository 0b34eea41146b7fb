/* ggl_linear.c - whether equations are linear with a constant C, from G and C at some points and times. */
#include "mna/stabilised/ggl_parts.h"

#include "base/scatter.h"

#include <math.h>
#include <string.h>

enum { SIZES = 6 /* unknowns from 10 to 1e6 */ };

/* Column of the first entry of `a` that differs from `b` in some row, as that row; -1: they are the same. */
static int differing_row(const struct sparse_pattern *p, const double *a, const double *b)
{
    for (int k = 0; k < p->entries; k++)
        if (!(fabs(a[k] - b[k]) <= ROUNDING_SAME * fmax(fabs(a[k]), fabs(b[k]))))
            return p->row[k];
    return -1;
}

/* G and C at (t, x) against those in s; dqdt must be zero. */
static enum kn_status probe(struct ggl *s, double t, const double *x, double *G, double *C, bool *G_differs, int *where,
                            enum ggl_outcome *outcome)
{
    const struct sparse_pattern *p = s->inner->pattern;
    struct dae_values out = {.G = G, .C = C, .dfdt = s->dfdt, .dqdt = s->dqdt};
    const enum kn_status status = s->inner->eval(s->inner->problem, t, x, DAE_G | DAE_C | DAE_T, &out);
    if (status != KN_OK)
        return status;
    for (int i = 0; i < s->n; i++)
        if (s->dqdt[i] != 0) {
            *outcome = GGL_DRIVEN;
            *where = i;
        }
    const int row = differing_row(p, C, s->C);
    if (row >= 0 && *outcome == GGL_STATED) {
        *outcome = GGL_CHANGING;
        *where = row;
    }
    *G_differs = *G_differs || differing_row(p, G, s->G) >= 0;
    return KN_OK;
}

/* Sets *where to an equation in which G or C at (t, x) differ from those given; -1: in none. */
static enum kn_status compare_at(struct ggl *s, double t, const double *G, const double *C, struct dae_values *other,
                                 int *where)
{
    const struct sparse_pattern *p = s->inner->pattern;
    const enum kn_status status = s->inner->eval(s->inner->problem, t, s->unit, DAE_G | DAE_C, other);
    *where = status == KN_OK ? differing_row(p, other->G, G) : -1;
    if (status == KN_OK && *where < 0)
        *where = differing_row(p, other->C, C);
    return status;
}

/* The same on the other side of each switching function, wherever its threshold is. */
static enum kn_status compare_sides(struct ggl *s, double t, const double *G, const double *C, struct dae_values *other,
                                    int *where)
{
    enum kn_status status = KN_OK;
    memset(s->unit, 0, (size_t)s->n * sizeof *s->unit);
    for (int i = 0; status == KN_OK && *where < 0 && i < s->inner->switch_count; i++) {
        for (int side = -1; status == KN_OK && *where < 0 && side <= 1; side += 2) {
            s->inner->hold(s->inner->problem, i, side);
            status = compare_at(s, t, G, C, other, where);
        }
        s->inner->hold(s->inner->problem, i, 0);
    }
    return status;
}

/* Whether G and C at time t are the same for different x, of any size. */
static enum kn_status probe_points(struct ggl *s, double t, const double *G, const double *C, enum ggl_outcome *outcome,
                                   int *where)
{
    const size_t entries = (size_t)s->inner->pattern->entries + 1;
    struct dae_values other = {.G = arena_array(s->memory, entries, sizeof *other.G),
                               .C = arena_array(s->memory, entries, sizeof *other.C)};
    int row = -1;
    if (!other.G || !other.C)
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (int k = 0; status == KN_OK && row < 0 && k < SIZES * GGL_PROBES; k++) {
        for (int i = 0; i < s->n; i++)
            s->unit[i] = 10 * scatter(i, k % GGL_PROBES) * pow(10, k / GGL_PROBES);
        status = compare_at(s, t, G, C, &other, &row);
    }
    if (status == KN_OK)
        status = compare_sides(s, t, G, C, &other, &row);
    if (row >= 0) {
        *outcome = GGL_NONLINEAR;
        *where = row;
    }
    return status;
}

/* G and C at the start into s, and whether they are those of a linear problem in between. */
enum kn_status ggl_look(struct ggl *s, double start, double stop, enum ggl_outcome *outcome, int *where)
{
    const struct sparse_pattern *p = s->inner->pattern;
    double *G = arena_array(s->memory, (size_t)p->entries + 1, sizeof *G);
    double *C = arena_array(s->memory, (size_t)p->entries + 1, sizeof *C);
    if (!G || !C)
        return KN_ERROR_MEMORY;
    struct dae_values out = {.G = s->G, .C = s->C};
    memset(s->unit, 0, (size_t)s->n * sizeof *s->unit);
    enum kn_status status = s->inner->eval(s->inner->problem, start, s->unit, DAE_G | DAE_C, &out);
    for (int k = 0; k < GGL_PROBES && status == KN_OK && *outcome == GGL_STATED; k++) {
        const double t = start + (stop - start) * (0.05 + scatter(k, GGL_PROBES) / 2.2 + 0.45);
        memset(s->unit, 0, (size_t)s->n * sizeof *s->unit);
        status = probe(s, t, s->unit, G, C, &s->varying, where, outcome);
        if (status == KN_OK && *outcome == GGL_STATED && !s->inner->linear)
            status = probe_points(s, t, G, C, outcome, where);
    }
    return status;
}
