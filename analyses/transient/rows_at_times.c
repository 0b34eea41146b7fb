/* rows_at_times.c - rows of a transient at times that somebody asks for: samples, and tables with rows at equal distances.  Both are
 * read from the method's interpolant in each step. */
#include "analyses/transient/rows_parts.h"

#include <math.h>

enum kn_status rows_fill_at(struct rows *r, struct integrator *m, double t, double *row)
{
    const enum kn_status status = integrator_point(m, t, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
    columns_fill(r->columns, r->mna, t, r->x, r->dxdt, row);
    return status;
}

/* ---- samples ---- */

void rows_sample(struct rows *r, long count, const struct kn_sink *sampled)
{
    r->sampled = sampled;
    r->samples = count;
    r->next_sample = 0;
}

void rows_sample_at(struct rows *r, const double *times, long count, const struct kn_sink *sampled)
{
    rows_sample(r, count, sampled);
    r->sample_times = times;
}

/* INFINITY behind the last. */
static double sample_time(const struct rows *r)
{
    if (r->sample_times)
        return r->next_sample < r->samples ? r->sample_times[r->next_sample] : INFINITY;
    if (r->next_sample > r->samples)
        return INFINITY;
    static const double offset = 0.381966; /* of a distance: 1 - the golden ratio */
    if (r->next_sample == r->samples)
        return r->stop;
    return r->start + (r->stop - r->start) * ((double)r->next_sample + offset) / (double)r->samples;
}

/* Whether the next sample is the second one at a time that no step has left yet. */
static bool waits_behind_jump(const struct rows *r, double t)
{
    const double *times = r->sample_times;
    const long next = r->next_sample;
    return times && next > 0 && next < r->samples && times[next] == times[next - 1] && times[next] >= t && t < r->stop;
}

enum kn_status rows_emit_samples(struct rows *r, struct integrator *m)
{
    enum kn_status status = KN_OK;
    if (!r->sampled)
        return status;
    for (; status == KN_OK && sample_time(r) <= m->t && !waits_behind_jump(r, m->t); r->next_sample++) {
        status = rows_fill_at(r, m, sample_time(r), r->row);
        if (status == KN_OK)
            status = r->sampled->row(r->sampled->context, r->row);
    }
    return status;
}

enum kn_status rows_emit_first_samples(struct rows *r, double t, const double *x)
{
    enum kn_status status = KN_OK;
    if (!r->sampled || r->columns->needs_slopes || !(sample_time(r) <= t))
        return status;
    columns_fill(r->columns, r->mna, t, x, r->dxdt, r->row);
    for (; status == KN_OK && sample_time(r) <= t; r->next_sample++)
        status = r->sampled->row(r->sampled->context, r->row);
    return status;
}

/* ---- rows at equal distances ---- */

static const double SLACK = 1e-9; /* part of a distance: times that miss a step's end by round-off only are its end */

/* A table of more rows is nobody's wish: some decks have a tiny tstep where other simulators print their own steps. */
static const double MOST_EVEN_ROWS = 1e6;

double rows_even_step(const struct transient *request, struct kn_diagnostics *d)
{
    const double rows = (request->stop - request->start) / request->step;
    if (rows <= MOST_EVEN_ROWS)
        return request->step;
    diagnostics_add(
        d, KN_WARNING, "print-rows", request->where, "make tstep larger",
        "the table of .print would have %.3g rows, one every %g s; it gets those of the result file instead", rows,
        request->step);
    return 0;
}

void rows_even(struct rows *r, const struct kn_sink *even, double step)
{
    r->even = even;
    r->even_step = step;
    r->even_count = 0;
    r->even_last = -INFINITY;
}

static double even_time(const struct rows *r)
{
    return r->start + (double)r->even_count * r->even_step;
}

static enum kn_status emit_even(struct rows *r, double t, double *row)
{
    r->even_last = t;
    return r->even->row(r->even->context, row);
}

bool rows_has_even(const struct rows *r, const struct integrator *m)
{
    return r->even && r->even_step > 0 && even_time(r) <= m->t + SLACK * r->even_step;
}

enum kn_status rows_emit_evens(struct rows *r, struct integrator *m, double *end)
{
    enum kn_status status = KN_OK;
    if (!r->even || r->even_step == 0)
        return status;
    const double slack = SLACK * r->even_step;
    for (; status == KN_OK && even_time(r) <= m->t + slack; r->even_count++) {
        const double t = even_time(r);
        if (t >= m->t - slack) {
            status = emit_even(r, m->t, end);
            continue;
        }
        status = rows_fill_at(r, m, t, r->row);
        if (status == KN_OK)
            status = emit_even(r, t, r->row);
    }
    return status;
}

enum kn_status rows_emit_first_even(struct rows *r, double t, double *row)
{
    if (!r->even || r->even_step == 0 || fabs(t - even_time(r)) > SLACK * r->even_step)
        return KN_OK;
    r->even_count++;
    return emit_even(r, t, row);
}

enum kn_status rows_emit_last_even(struct rows *r)
{
    const double t = r->reached;
    if (!r->even || r->even_step == 0 || t < r->start || t <= r->even_last + SLACK * r->even_step)
        return KN_OK;
    return emit_even(r, t, r->begin);
}
