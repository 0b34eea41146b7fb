/* reader.c - see reader.h. */
#include "analyses/transient/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kn_status reader_init(struct reader *r, struct mna *m, int n, double start,
                           const struct expression_variable *variables, size_t count)
{
    const size_t unknowns = (size_t)n + 1;
    *r = (struct reader){.mna = m, .n = (size_t)n, .start = start};
    r->x = calloc(unknowns, sizeof *r->x);
    r->dxdt = calloc(unknowns, sizeof *r->dxdt);
    r->here = calloc(unknowns, sizeof *r->here);
    r->begin = calloc(count + 1, sizeof *r->begin);
    r->end = calloc(count + 1, sizeof *r->end);
    const bool good = probes_init(&r->probes, m, variables, count);
    return good && r->x && r->dxdt && r->here && r->begin && r->end ? KN_OK : KN_ERROR_MEMORY;
}

void reader_free(struct reader *r)
{
    probes_free(&r->probes);
    free(r->x);
    free(r->dxdt);
    free(r->here);
    free(r->begin);
    free(r->end);
}

static void read(const struct reader *r, double t, const double *x, double *values)
{
    probes_read(&r->probes, r->mna, t, x, r->dxdt, values);
}

static enum kn_status look(void *context, double t, double *values)
{
    const struct reader *r = context;
    const enum kn_status status = integrator_point(r->method, t, r->x, r->probes.needs_slopes ? r->dxdt : NULL);
    read(r, t, r->x, values);
    return status;
}

/* Where the step begins, whose solution is known, and its slopes perhaps not. */
static void read_begin(struct reader *r)
{
    memcpy(r->x, r->here, r->n * sizeof *r->x);
    if (r->probes.needs_slopes)
        integrator_slopes(r->method, r->method->previous, r->x, r->dxdt);
    read(r, r->method->previous, r->x, r->begin);
}

void reader_begin(struct reader *r, const double *x)
{
    memcpy(r->here, x, r->n * sizeof *x);
}

bool reader_step(struct reader *r, struct integrator *m, struct measure_piece *piece)
{
    const double from = fmax(m->previous, r->start);
    r->method = m;
    *piece = (struct measure_piece){from, m->t, r->begin, r->end, {r, look}};
    const bool good = from < m->t && !integrator_stood_still(m);
    if (good && from > m->previous)
        look(r, from, r->begin);
    else if (good)
        read_begin(r);
    if (good)
        look(r, m->t, r->end);
    const double *end; /* a status that ends the run comes back from the points that are looked at, too */
    integrator_end(m, &end);
    reader_begin(r, end); /* where tstart is the end of a step, the next one begins */
    return good;
}
