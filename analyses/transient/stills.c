/* stills.c - see stills.h. */
#include "analyses/transient/stills.h"

#include <stdio.h>
#include <stdlib.h>

enum kn_status stills_init(struct stills *t, const struct setup *s, size_t n)
{
    const struct circuit *c = s->circuit;
    *t = (struct stills){.mna = s->mna, .times = c->operating_times, .count = c->operating_time_count};
    if (t->count == 0)
        return KN_OK;
    const enum kn_status status = point_tables_init(&t->tables, s);
    if (status != KN_OK)
        return status;
    t->x = calloc(n, sizeof *t->x);
    t->dxdt = calloc(n, sizeof *t->dxdt);
    t->rows = calloc(t->count, (point_tables_width(&t->tables) + 1) * sizeof *t->rows);
    return t->x && t->dxdt && t->rows ? KN_OK : KN_ERROR_MEMORY;
}

void stills_free(struct stills *t)
{
    point_tables_free(&t->tables);
    free(t->x);
    free(t->dxdt);
    free(t->rows);
}

static double *row_of(const struct stills *t, size_t i)
{
    return t->rows + i * point_tables_width(&t->tables);
}

enum kn_status stills_step(struct stills *t, struct integrator *m)
{
    enum kn_status status = KN_OK;
    for (; status == KN_OK && t->taken < t->count && t->times[t->taken] <= m->t; t->taken++) {
        const double time = t->times[t->taken];
        status = integrator_point(m, time, t->x, t->dxdt);
        point_tables_fill(&t->tables, t->mna, time, t->x, t->dxdt, row_of(t, t->taken));
    }
    return status;
}

enum kn_status stills_write(const struct stills *t, const struct setup *s, struct kn_sink *sink, long *rows)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; status == KN_OK && i < t->taken; i++) {
        char plot[60];
        snprintf(plot, sizeof plot, "Operating Point at %.9g s", t->times[i]);
        status = point_tables_write(&t->tables, s, plot, row_of(t, i), sink);
        *rows += status == KN_OK;
    }
    return status;
}
