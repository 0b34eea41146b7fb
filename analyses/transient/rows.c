/* rows.c - see rows.h. */
#include "analyses/transient/rows.h"

#include "base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of a signal's range by which straight lines between rows may miss it without being seen. */
static const double VISIBLE = 1e-3;
/* The same of estimates, in tolerances and in what is seen. */
static const double STRAIGHT = 0.5;

enum kn_status rows_init(struct rows *r, struct mna *m, int n, const struct columns *c, const struct transient *request,
                         double relative, bool steps_only, const struct kn_sink *sink)
{
    *r = (struct rows){.mna = m,
                       .columns = c,
                       .sink = sink,
                       .unknowns = (size_t)n,
                       .start = request->start,
                       .step = steps_only ? 0 : request->step,
                       .stop = request->stop,
                       .relative = relative};
    double **const points[] = {&r->x, &r->dxdt, &r->waiting},
                   **const lines[] = {&r->row, &r->before, &r->begin,   &r->middle, &r->end,
                                      &r->low, &r->high,   &r->scatter, &r->bottom};
    bool complete = true;
    for (size_t i = 0; i < 3; i++)
        complete = (*points[i] = calloc((size_t)n, sizeof(double))) != NULL && complete;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        complete = (*lines[i] = calloc(c->count, sizeof(double))) != NULL && complete;
    complete = (r->quarters = calloc(2 * ROWS_DEPTH * c->count + 1, sizeof(double))) != NULL && complete;
    for (size_t i = 0; i < c->count && complete; i++) {
        r->low[i] = INFINITY;
        r->high[i] = -INFINITY;
    }
    if (complete)
        return KN_OK;
    rows_free(r);
    return KN_ERROR_MEMORY;
}

void rows_free(struct rows *r)
{
    double *const all[] = {r->x,   r->dxdt, r->waiting, r->row,     r->before, r->begin,   r->middle,
                           r->end, r->low,  r->high,    r->scatter, r->bottom, r->quarters};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(r, 0, sizeof *r);
}

static enum kn_status emit(struct rows *r, const double *row)
{
    r->count++;
    const enum kn_status status = r->sink->row(r->sink->context, row);
    return status == KN_OK && r->even && r->even_step == 0 ? r->even->row(r->even->context, row) : status;
}

/* One row by interpolation in the last step. */
static enum kn_status fill_at(struct rows *r, struct integrator *m, double t, double *row)
{
    const enum kn_status status = integrator_point(m, t, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
    columns_fill(r->columns, r->mna, t, r->x, r->dxdt, row);
    return status;
}

/* The same to be looked at, not to be emitted. */
static enum kn_status glance_at(struct rows *r, struct integrator *m, double t, double *row)
{
    const enum kn_status status = integrator_glance(m, t, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
    columns_fill(r->columns, r->mna, t, r->x, r->dxdt, row);
    return status;
}

/* The row at t, which has been glanced at. */
static enum kn_status emit_at(struct rows *r, struct integrator *m, double t, const double *glanced)
{
    if (!m->blind)
        return emit(r, glanced);
    const enum kn_status status = fill_at(r, m, t, r->row);
    return status == KN_OK ? emit(r, r->row) : status;
}

static enum kn_status fill_end(struct rows *r, struct integrator *m, double *row)
{
    const double *x;
    const enum kn_status status = integrator_end(m, &x);
    if (r->columns->needs_slopes)
        m->class->interpolate(m, m->t, r->x, r->dxdt);
    columns_fill(r->columns, r->mna, m->t, x, r->dxdt, row);
    return status;
}

/* ---- straight lines between rows ---- */

/* A piece of the last step with the rows at its ends. */
struct piece {
    double from, to; /* s */
    const double *begin, *end;
    const enum dae_class *fine; /* [n] of the unknowns, where columns that are slopes no longer count; NULL: all do */
};

/* How far inner points of a piece lie from the chord: against the tolerance, and against what is seen in a plot. */
struct bend {
    double tolerance, visible;
};

/* Whether a column is an index-2 unknown, or the difference of two of which one is. */
static bool is_slope(const struct column_source *c, const enum dae_class *classes)
{
    return classes &&
           ((c->plus >= 0 && classes[c->plus] == DAE_INDEX2) || (c->minus >= 0 && classes[c->minus] == DAE_INDEX2));
}

static double deviation_of(const struct piece *p, double part, const double *row, size_t i)
{
    return fabs(row[i] - (1 - part) * p->begin[i] - part * p->end[i]);
}

static double relative_tolerance(const struct rows *r, size_t i)
{
    const double low = fabs(r->low[i]), high = fabs(r->high[i]);
    return r->relative * (low > high ? low : high);
}

static double tolerance_of(const struct rows *r, size_t i)
{
    return relative_tolerance(r, i) + (r->columns->names[i].quantity == KN_VOLTAGE ? 1e-6 : 1e-12);
}

/* By the eye, in the range of the column so far. */
static double range_seen_of(const struct rows *r, size_t i)
{
    return VISIBLE * (r->high[i] - r->low[i]);
}

/* What may be seen, or matters at all. */
static double visible_of(const struct rows *r, size_t i)
{
    return larger_of(tolerance_of(r, i), range_seen_of(r, i));
}

static void look_at_bend(const struct rows *r, const struct piece *p, double part, const double *row, struct bend *bend)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        const double deviation = deviation_of(p, part, row, i);
        if (deviation <= r->scatter[i])
            continue;
        if (!(deviation > bend->visible * relative_tolerance(r, i)) || r->columns->names[i].quantity == KN_TIME)
            continue; /* that is not more than elsewhere: bend.visible is the smaller of both */
        if (is_slope(&r->columns->sources[i], p->fine))
            continue;
        bend->tolerance = fmax(bend->tolerance, deviation / tolerance_of(r, i));
        bend->visible = fmax(bend->visible, deviation / visible_of(r, i));
    }
}

static bool has_long_halves(const struct rows *r, const struct piece *p)
{
    return p->to - p->from >= 2 * r->step * (1 - 1e-9);
}

/* Whether the chord over the piece is not good enough: for the tolerance where the halves are no shorter than tstep,
 * for the eye always.  The deviation of a parabola falls with the square of the length, so that halves soon are; at a
 * corner it falls with the length, and some ten halvings find it. */
static bool is_bent(const struct rows *r, const struct piece *p, const struct bend *bend)
{
    return bend->visible > 1 || (bend->tolerance > 1 && has_long_halves(r, p));
}

/* A corner or a jump lies in one of the shortest pieces of a step, or two.  What bends so many in a row is scatter, and so is
 * what bends so many of the 1,024 of a step: rounding that comes and goes.  What they deviate by on average, that many times,
 * is taken for it, and each step makes it less, since it may end. */
enum { MOST_IN_A_ROW = 8, MOST_IN_A_STEP = 64 };
static const double ABOVE_SCATTER = 4, FADING = 0.95;

static void forget_bottom(struct rows *r)
{
    memset(r->bottom, 0, r->columns->count * sizeof *r->bottom);
    r->bent = r->bent_in_a_row = 0;
}

/* inner: rows at the quarters of the piece. */
static void count_bottom(struct rows *r, const struct piece *p, const double *const inner[3])
{
    for (size_t i = 0; i < r->columns->count; i++) {
        double deviation = 0;
        for (int k = 0; k < 3; k++)
            deviation = fmax(deviation, deviation_of(p, 0.25 * (k + 1), inner[k], i));
        r->bottom[i] += deviation;
    }
    r->bent++;
    if (++r->bent_in_a_row < MOST_IN_A_ROW && r->bent < MOST_IN_A_STEP)
        return;
    for (size_t i = 0; i < r->columns->count; i++)
        r->scatter[i] = fmax(r->scatter[i], ABOVE_SCATTER * r->bottom[i] / r->bent);
    forget_bottom(r);
}

static void fade_scatter(struct rows *r)
{
    forget_bottom(r);
    for (size_t i = 0; i < r->columns->count; i++)
        r->scatter[i] *= FADING;
}

/* Rows inside the piece, whose middle is known, from left to right. */
static enum kn_status emit_inside(struct rows *r, struct integrator *m, const struct piece *p, const double *middle,
                                  int depth)
{
    const double half = 0.5 * (p->from + p->to);
    const bool fine = depth + 1 >= ROWS_OF_SLOPES && !has_long_halves(r, p);
    const enum dae_class *classes = fine ? m->dae->classes : NULL;
    const struct piece first = {p->from, half, p->begin, middle, classes},
                       second = {half, p->to, middle, p->end, classes};
    double *left = r->quarters + (size_t)(2 * depth) * r->columns->count, *right = left + r->columns->count;
    enum kn_status status = glance_at(r, m, 0.5 * (p->from + half), left);
    if (status == KN_OK)
        status = glance_at(r, m, 0.5 * (half + p->to), right);
    if (status != KN_OK)
        return status;
    struct bend bend = {0, 0};
    look_at_bend(r, p, 0.25, left, &bend);
    look_at_bend(r, p, 0.5, middle, &bend);
    look_at_bend(r, p, 0.75, right, &bend);
    if (!is_bent(r, p, &bend)) {
        r->bent_in_a_row = 0;
        return KN_OK;
    }
    if (depth + 1 >= ROWS_DEPTH) {
        count_bottom(r, p, (const double *const[]){left, middle, right});
        return KN_OK;
    }
    status = emit_inside(r, m, &first, left, depth + 1);
    if (status == KN_OK)
        status = emit_at(r, m, half, middle);
    return status == KN_OK ? emit_inside(r, m, &second, right, depth + 1) : status;
}

/* Whether `part` of what a row is off a chord is neither seen nor beyond the tolerance, in all columns. */
static bool is_straight(const struct rows *r, double part, double theta, const double *begin, const double *row,
                        const double *end)
{
    const struct piece p = {.begin = begin, .end = end};
    for (size_t i = 0; i < r->columns->count; i++) {
        const double deviation = part * deviation_of(&p, theta, row, i);
        if (deviation > STRAIGHT * range_seen_of(r, i) && deviation > STRAIGHT * tolerance_of(r, i) &&
            r->columns->names[i].quantity != KN_TIME)
            return false;
    }
    return true;
}

/* Whether a step shorter than two tsteps need hardly be looked into: the method has predicted its end, so that there is no
 * corner inside, and the row where it begins lies near the chord over it and the step before.  A parabola is off that chord
 * by x'' h h1 / 2, h1 the step before, and by x'' h^2 / 8 off the chord over the step alone. */
static bool is_nearly_straight(const struct rows *r, const struct integrator *m, double from)
{
    if (!(r->before_time < from) || m->t - from >= 2 * r->step || m->unsure > STRAIGHT)
        return false;
    const double part = (from - r->before_time) / (m->t - r->before_time);
    const double alone = 0.25 * (m->t - from) / (from - r->before_time);
    return is_straight(r, alone, part, r->before, r->begin, r->end);
}

/* Methods of high order may take steps of half a period, all of which end where the waveform crosses the line through
 * their ends; a quartic or less that misses so much of a wave is known to be unsure.  Points inside show it; these parts
 * of the step, 1 - the golden ratio and the other one, are far from all parts of a few periods.  One alone would not do: over
 * a whole period the chord is level, and there are phases at which a sine comes back to it just there. */
enum { QUARTIC = 4 };
static const double INSIDE[] = {0.381966, 0.618034};

static bool is_straight_inside(struct rows *r, struct integrator *m, double from)
{
    if (!m->one_step || m->order <= QUARTIC)
        return true;
    for (size_t k = 0; k < sizeof INSIDE / sizeof *INSIDE; k++) {
        const double t = from + INSIDE[k] * (m->t - from);
        m->class->interpolate(m, t, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
        columns_fill(r->columns, r->mna, t, r->x, r->dxdt, r->middle);
        if (!is_straight(r, 1, INSIDE[k], r->begin, r->middle, r->end))
            return false;
    }
    return true;
}

/* Those that keep straight lines within the tolerance. */
static enum kn_status emit_between(struct rows *r, struct integrator *m, double from)
{
    if (is_nearly_straight(r, m, from) && is_straight_inside(r, m, from))
        return KN_OK;
    fade_scatter(r);
    const struct piece whole = {from, m->t, r->begin, r->end, NULL};
    const enum kn_status status = glance_at(r, m, 0.5 * (from + m->t), r->middle);
    return status == KN_OK ? emit_inside(r, m, &whole, r->middle, 0) : status;
}

static void extend_range(struct rows *r, const double *row)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        r->low[i] = row[i] < r->low[i] ? row[i] : r->low[i];
        r->high[i] = row[i] > r->high[i] ? row[i] : r->high[i];
    }
}

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

static enum kn_status emit_samples(struct rows *r, struct integrator *m)
{
    enum kn_status status = KN_OK;
    if (!r->sampled)
        return status;
    for (; status == KN_OK && sample_time(r) <= m->t && !waits_behind_jump(r, m->t); r->next_sample++) {
        status = fill_at(r, m, sample_time(r), r->row);
        if (status == KN_OK)
            status = r->sampled->row(r->sampled->context, r->row);
    }
    return status;
}

/* Where a run starts or goes on; with slopes it is read at the beginning of the next step. */
static enum kn_status emit_first_samples(struct rows *r, double t, const double *x)
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

/* Those of the last step, whose end is the given row. */
static enum kn_status emit_evens(struct rows *r, struct integrator *m, double *end)
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
        status = fill_at(r, m, t, r->row);
        if (status == KN_OK)
            status = emit_even(r, t, r->row);
    }
    return status;
}

/* A run that starts at tstart has its first row there. */
static enum kn_status emit_first_even(struct rows *r, double t, double *row)
{
    if (!r->even || r->even_step == 0 || fabs(t - even_time(r)) > SLACK * r->even_step)
        return KN_OK;
    r->even_count++;
    return emit_even(r, t, row);
}

static enum kn_status emit_last_even(struct rows *r)
{
    const double t = r->reached;
    if (!r->even || r->even_step == 0 || t < r->start || t <= r->even_last + SLACK * r->even_step)
        return KN_OK;
    return emit_even(r, t, r->begin);
}

/* ---- rows of the result ---- */

/* A point where a run starts or goes on, with the slopes in r->dxdt. */
static enum kn_status emit_first(struct rows *r, double t, const double *x)
{
    r->before_time = t; /* no step before */
    columns_fill(r->columns, r->mna, t, x, r->dxdt, r->begin);
    extend_range(r, r->begin);
    r->reached = t;
    const enum kn_status status = t >= r->start ? emit(r, r->begin) : KN_OK;
    return status == KN_OK ? emit_first_even(r, t, r->begin) : status;
}

/* The row that waits for slopes gets those with which the step m begins; m = NULL: there is no such step, and the last
 * known slopes must do. */
static enum kn_status emit_waiting(struct rows *r, struct integrator *m)
{
    if (!r->waits)
        return KN_OK;
    r->waits = false;
    if (m)
        m->class->interpolate(m, m->previous, r->x, r->dxdt);
    return emit_first(r, r->waiting_time, r->waiting);
}

enum kn_status rows_first(struct rows *r, double t, const double *x)
{
    enum kn_status status = emit_first_samples(r, t, x);
    if (status != KN_OK || !r->sink)
        return status;
    if (!r->columns->needs_slopes)
        return emit_first(r, t, x);
    status = emit_waiting(r, NULL);
    memcpy(r->waiting, x, r->unknowns * sizeof *x);
    r->waiting_time = t;
    r->waits = true;
    return status;
}

enum kn_status rows_last(struct rows *r, bool complete)
{
    r->waits = r->waits && complete;
    const enum kn_status status = emit_waiting(r, NULL);
    return status == KN_OK ? emit_last_even(r) : status;
}

enum kn_status rows_step(struct rows *r, struct integrator *m)
{
    enum kn_status status = emit_samples(r, m);
    if (status == KN_OK)
        status = emit_waiting(r, m);
    if (m->t < r->start || status != KN_OK || !r->sink)
        return status;
    double from = m->previous;
    if (from < r->start) { /* tstart lies inside the step */
        from = r->start;
        status = fill_at(r, m, from, r->begin);
        extend_range(r, r->begin);
        if (status == KN_OK && from < m->t)
            status = emit(r, r->begin);
    }
    if (status == KN_OK)
        status = fill_end(r, m, r->end);
    extend_range(r, r->end);
    if (status == KN_OK && r->step > 0)
        status = emit_between(r, m, from);
    if (status == KN_OK)
        status = emit(r, r->end);
    if (status == KN_OK)
        status = emit_evens(r, m, r->end);
    r->reached = m->t;
    double *swapped = r->before;
    r->before = r->begin;
    r->begin = r->end;
    r->end = swapped;
    r->before_time = from;
    return status;
}
