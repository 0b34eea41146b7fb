/* operating.c - see operating.h; and .op: the operating point as a table of one row, and what .measure op finds there. */
#include "analyses/operating.h"

#include "analyses/probes.h"

#include <stdlib.h>

/* ---- the tables of a point ---- */

enum kn_status point_tables_init(struct point_tables *t, const struct setup *s)
{
    *t = (struct point_tables){0};
    enum kn_status status = columns_init(&t->unknowns, s->mna, false);
    if (status == KN_OK && s->options->devices)
        status = columns_init_devices(&t->devices, s->mna);
    return status;
}

void point_tables_free(struct point_tables *t)
{
    columns_free(&t->unknowns);
    columns_free(&t->devices);
}

size_t point_tables_width(const struct point_tables *t)
{
    return t->unknowns.count + t->devices.count;
}

void point_tables_fill(const struct point_tables *t, struct mna *m, double time, const double *x, const double *dxdt,
                       double *row)
{
    columns_fill(&t->unknowns, m, time, x, dxdt, row);
    if (t->devices.count > 0)
        columns_fill(&t->devices, m, time, x, dxdt, row + t->unknowns.count);
}

enum kn_status point_tables_write(const struct point_tables *t, const struct setup *s, const char *plot,
                                  const double *row, struct kn_sink *sink)
{
    const struct columns *u = &t->unknowns, *d = &t->devices;
    const enum kn_status status = analysis_one_row(s, plot, u->names, u->count, row, sink);
    if (status != KN_OK || d->count == 0)
        return status;
    struct kn_sink devices = *s->options->devices;
    return analysis_one_row(s, plot, d->names, d->count, row + u->count, &devices);
}

/* ---- .op ---- */

static size_t count(const struct circuit *c)
{
    return c->has_operating_point;
}

static void check_times(const struct setup *s)
{
    const struct circuit *c = s->circuit;
    const double stop = circuit_longest_run(c);
    for (size_t i = 0; i < c->operating_time_count; i++)
        if (c->operating_times[i] > stop || c->transient_count == 0)
            diagnostics_add(s->diagnostics, KN_WARNING, "op-time", (struct kn_location){.file = c->file},
                            "add a .tran that gets there", "'.op': no transient reaches %g s", c->operating_times[i]);
}

static enum kn_status write_point(const struct point_tables *t, const struct setup *s, struct kn_sink *sink)
{
    double *row = calloc(point_tables_width(t) + 1, sizeof *row);
    double *still = calloc((size_t)mna_unknown_count(s->mna) + 1, sizeof *still);
    enum kn_status status = KN_ERROR_MEMORY;
    if (row && still) {
        point_tables_fill(t, s->mna, SETUP_OPERATING_TIME, s->operating, still, row);
        status = point_tables_write(t, s, "Operating Point", row, sink);
    }
    free(row);
    free(still);
    return status;
}

/* A curve of one point. */
static enum kn_status measure_point(const struct setup *s, struct measurements *all, const struct probes *p)
{
    const struct measure_listener listener = setup_listener(s);
    double *still = calloc((size_t)mna_unknown_count(s->mna) + 1, sizeof *still);
    double *values = calloc(p->count + 1, sizeof *values);
    enum kn_status status = still && values ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        probes_read(p, s->mna, SETUP_OPERATING_TIME, s->operating, still, values);
        status = measure_piece(all, &(struct measure_piece){.begin = values, .end = values});
    }
    if (status == KN_OK)
        status = measure_report(all, NULL, &listener);
    free(values);
    free(still);
    return status;
}

static enum kn_status measure(struct setup *s)
{
    const struct measure_curve curve = {.domain = MEASURE_OF_POINT, .unit = ""};
    struct measurements *all = NULL;
    struct probes probes = {0};
    double *results = s->options->measured ? setup_results(s) : NULL;
    if (!results)
        return s->options->measured ? KN_ERROR_MEMORY : KN_OK;
    enum kn_status status = measure_new(s->circuit, &curve, results, &all);
    if (status == KN_OK && all) {
        const struct signal_set *set = measure_signals(all);
        const bool good = probes_init(&probes, s->mna, set->variables, set->count);
        status = good ? measure_point(s, all, &probes) : KN_ERROR_MEMORY;
    }
    probes_free(&probes);
    measure_free(all);
    return status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    (void)number;
    struct point_tables tables = {0};
    check_times(s);
    enum kn_status status = setup_operating_point(s, summary);
    if (status == KN_OK)
        status = point_tables_init(&tables, s);
    if (status == KN_OK)
        status = write_point(&tables, s, sink);
    if (status == KN_OK)
        status = measure(s);
    summary->rows = status == KN_OK;
    point_tables_free(&tables);
    return status;
}

const struct analysis analysis_operating = {
    .card = ".op",
    .doc = "operating point: sources at their DC values, capacitors open, inductors shorts",
    .count = count,
    .run = run,
};
