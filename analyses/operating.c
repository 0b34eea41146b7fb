/* operating.c - .op: the operating point as a table of one row. */
#include "analyses/analysis.h"
#include "analyses/columns.h"

#include <stdlib.h>

static size_t count(const struct circuit *c)
{
    return c->has_operating_point;
}

static enum kn_status write_point(struct setup *s, const struct columns *columns, struct kn_sink *sink)
{
    double *row = calloc(columns->count, sizeof *row);
    double *still = calloc((size_t)mna_unknown_count(s->mna), sizeof *still);
    enum kn_status status = KN_ERROR_MEMORY;
    if (row && still) {
        columns_fill(columns, s->mna, SETUP_OPERATING_TIME, s->operating, still, row);
        status = analysis_one_row(s, "Operating Point", columns->names, columns->count, row, sink);
    }
    free(row);
    free(still);
    return status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    (void)number;
    struct columns columns = {0};
    enum kn_status status = setup_operating_point(s, summary);
    if (status == KN_OK)
        status = columns_init(&columns, s->mna, false);
    if (status == KN_OK)
        status = write_point(s, &columns, sink);
    summary->rows = status == KN_OK;
    columns_free(&columns);
    return status;
}

const struct analysis analysis_operating = {
    .card = ".op",
    .doc = "operating point: sources at their DC values, capacitors open, inductors shorts",
    .count = count,
    .run = run,
};
