/* rows.c - see rows.h. */
#include "analyses/transient/rows_parts.h"

#include "base/larger.h"
#include "integrators/control.h"

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
                       .relative = relative,
                       .rounded = NAN};
    double **const points[] = {&r->x, &r->dxdt, &r->waiting, &r->skipped},
                   **const lines[] = {&r->row,  &r->before,  &r->begin,  &r->middle,  &r->end,       &r->low,
                                      &r->high, &r->scatter, &r->bottom, &r->allowed, &r->tolerated, &r->unseen};
    bool complete = chord_init(&r->chord, c->count);
    complete = (r->of_index2 = calloc(c->count, sizeof *r->of_index2)) != NULL && complete;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
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
    double *const all[] = {r->x,        r->dxdt,    r->waiting, r->row,       r->before,  r->begin,
                           r->middle,   r->end,     r->low,     r->high,      r->scatter, r->bottom,
                           r->quarters, r->allowed, r->skipped, r->tolerated, r->unseen};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(r->of_index2);
    chord_free(&r->chord);
    memset(r, 0, sizeof *r);
}

static enum kn_status emit(struct rows *r, const double *row)
{
    r->count++;
    const enum kn_status status = r->sink->row(r->sink->context, row);
    return status == KN_OK && r->even && r->even_step == 0 ? r->even->row(r->even->context, row) : status;
}

/* A row to be looked at, not to be emitted; about: of columns that need slopes it is nearly right only. */
static enum kn_status glance_at(struct rows *r, struct integrator *m, double t, bool about, double *row)
{
    const enum kn_status status = integrator_glance(m, t, about, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
    columns_fill(r->columns, r->mna, t, r->x, r->dxdt, row);
    return status;
}

/* The row at t, which has been glanced at. */
static enum kn_status emit_at(struct rows *r, struct integrator *m, double t, const double *glanced)
{
    if (!m->blind)
        return emit(r, glanced);
    const enum kn_status status = rows_fill_at(r, m, t, r->row);
    return status == KN_OK ? emit(r, r->row) : status;
}

static enum kn_status fill_end(struct rows *r, struct integrator *m, double *row)
{
    if (r->columns->needs_slopes)
        return rows_fill_at(r, m, m->t, row);
    const double *x;
    const enum kn_status status = integrator_end(m, &x);
    columns_fill(r->columns, r->mna, m->t, x, NULL, row);
    return status;
}

/* ---- straight lines between rows ---- */

static void find_index2(struct rows *r, const enum dae_class *classes)
{
    r->knows_index2 = true;
    for (size_t i = 0; i < r->columns->count && classes; i++) {
        const struct column_source *c = &r->columns->sources[i];
        r->of_index2[i] =
            (c->plus >= 0 && classes[c->plus] == DAE_INDEX2) || (c->minus >= 0 && classes[c->minus] == DAE_INDEX2);
    }
}

/* A piece of the last step with the rows at its ends. */
struct piece {
    double from, to; /* s */
    const double *begin, *end;
    const bool *left_out; /* [columns] those that do not count; NULL: all do */
};

static double deviation_of(const struct piece *p, double part, const double *row, size_t i)
{
    return fabs(row[i] - (1 - part) * p->begin[i] - part * p->end[i]);
}

static double relative_tolerance(const struct rows *r, size_t i)
{
    const double low = fabs(r->low[i]), high = fabs(r->high[i]);
    return r->relative * (low > high ? low : high);
}

/* Below this nothing is seen of a column without any range yet: by vntol and abstol points are solved for. */
static double least_seen_of(const struct rows *r, size_t i)
{
    return r->columns->names[i].quantity == KN_VOLTAGE ? r->least_voltage : r->least_other;
}

static double tolerance_of(const struct rows *r, size_t i)
{
    return relative_tolerance(r, i) + least_seen_of(r, i);
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

/* Unknowns of index 2 are slopes: what lines may miss in two points a tenth of an edge apart is ten times as large a part of its slope. */
static const double OF_SLOPES = 10;

/* How many times as much as of others a line may miss of the column, inside the last step. */
static double lenience_of(const struct rows *r, size_t i)
{
    return r->blind && r->of_index2[i] ? OF_SLOPES : 1;
}

/* Once per step, and where it is found that columns scatter: by what chords may miss points, for the tolerance and for the eye. */
static void find_bounds(struct rows *r)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        const bool is_time = r->columns->names[i].quantity == KN_TIME;
        r->tolerated[i] = is_time ? INFINITY : larger_of(r->scatter[i], lenience_of(r, i) * tolerance_of(r, i));
        r->unseen[i] = is_time ? INFINITY : larger_of(r->scatter[i], lenience_of(r, i) * visible_of(r, i));
    }
}

/* Whether the chord misses a point inside by more than the bounds [columns]. */
static bool misses(const struct rows *r, const struct piece *p, double part, const double *row, const double *bounds)
{
    const double *const begin = p->begin, *const end = p->end;
    int missed = 0;
    for (size_t i = 0; i < r->columns->count; i++)
        missed |= fabs(row[i] - (1 - part) * begin[i] - part * end[i]) > bounds[i];
    for (size_t i = 0; missed && p->left_out && i < r->columns->count; i++)
        if (!p->left_out[i] && deviation_of(p, part, row, i) > bounds[i])
            return true;
    return missed && !p->left_out;
}

static bool has_long_halves(const struct rows *r, const struct piece *p)
{
    return p->to - p->from >= 2 * r->step * (1 - 1e-9);
}

/* Whether the chord over the piece is not good enough: for the tolerance where the halves are no shorter than tstep,
 * for the eye always.  The deviation of a parabola falls with the square of the length, so that halves soon are; at a
 * corner it falls with the length, and some ten halvings find it.  inner: rows at the quarters of the piece. */
static bool looks_bent(const struct rows *r, const struct piece *p, const double *const inner[3])
{
    const double *const bounds = has_long_halves(r, p) ? r->tolerated : r->unseen;
    for (int k = 0; k < 3; k++)
        if (misses(r, p, 0.25 * (k + 1), inner[k], bounds))
            return true;
    return false;
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
    find_bounds(r);
}

static void fade_scatter(struct rows *r)
{
    forget_bottom(r);
    for (size_t i = 0; i < r->columns->count; i++)
        r->scatter[i] *= FADING;
}

/* Of an unknown, or the difference of two; of anything else nothing is known. */
static double rounding_of(const struct column_source *c, const double *rounding)
{
    const bool known = c->kind == COLUMN_UNKNOWN || c->kind == COLUMN_DIFFERENCE;
    return !known ? 0 : (c->plus >= 0 ? rounding[c->plus] : 0) + (c->minus >= 0 ? rounding[c->minus] : 0);
}

/* Once per step, where points bend: what rounding moves them by (the charge of 40 nF times 1e13 1/s is 1e-11 A) is no bend.  Each of
 * the three that make one has its own. */
static bool learn_rounding(struct rows *r, struct integrator *m)
{
    if (r->rounded == m->t)
        return false;
    r->rounded = m->t;
    const double *rounding = integrator_rounding(m);
    for (size_t i = 0; rounding && i < r->columns->count; i++)
        r->scatter[i] = fmax(r->scatter[i], 2 * rounding_of(&r->columns->sources[i], rounding));
    if (rounding)
        find_bounds(r);
    return rounding;
}

/* Whether `part` of what a row is off a chord is neither seen nor beyond the tolerance, in all columns. */
static bool is_straight(const struct rows *r, const struct piece *p, double part, double theta, const double *row)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        const double deviation = part * deviation_of(p, theta, row, i), least = STRAIGHT * lenience_of(r, i);
        if (!(p->left_out && p->left_out[i]) && deviation > least * range_seen_of(r, i) &&
            deviation > least * tolerance_of(r, i) && r->columns->names[i].quantity != KN_TIME)
            return false;
    }
    return true;
}

/* A point inside a step. */
struct looked {
    double *row;
    bool right; /* the row is; else its slopes are nearly so */
    bool about; /* points around need to be no more than that */
};

/* Slopes are asked of the equations.  Whether those of the interpolant, with what they lack beside the point (integrator_glance), would
 * have done for half of what is seen or tolerated, holds for points around as well, which are nearer to one that has been asked.
 * r->row lends its place. */
static enum kn_status make_right(struct rows *r, struct integrator *m, double t, struct looked *l)
{
    const struct piece same = {.begin = r->row, .end = r->row};
    const enum kn_status status = rows_fill_at(r, m, t, r->row);
    l->about = is_straight(r, &same, 1, 0.5, l->row);
    l->right = true;
    memcpy(l->row, r->row, r->columns->count * sizeof *r->row);
    return status;
}

/* about: nearly is enough. */
static enum kn_status look_at(struct rows *r, struct integrator *m, double t, bool about, struct looked *l)
{
    const bool asks = r->columns->needs_slopes && !m->blind;
    const enum kn_status status = glance_at(r, m, t, asks, l->row);
    l->right = !asks;
    l->about = asks;
    return status == KN_OK && asks && !about ? make_right(r, m, t, l) : status;
}

/* The quarters of a piece, from left to right, on both sides of its middle. */
static enum kn_status look_beside(struct rows *r, struct integrator *m, const struct piece *p,
                                  const struct looked *middle, struct looked quarters[2])
{
    const double quarter = 0.25 * (p->to - p->from);
    const enum kn_status status = look_at(r, m, p->from + quarter, middle->about, &quarters[0]);
    return status == KN_OK ? look_at(r, m, p->to - quarter, middle->about, &quarters[1]) : status;
}

/* The middle of a piece becomes a row. */
static enum kn_status settle_middle(struct rows *r, struct integrator *m, const struct piece *p, struct looked *middle,
                                    struct looked quarters[2])
{
    if (middle->right)
        return KN_OK;
    const enum kn_status status = make_right(r, m, 0.5 * (p->from + p->to), middle);
    return status == KN_OK && !middle->about ? look_beside(r, m, p, middle, quarters) : status;
}

/* Whether the middle of a piece tells enough: a chord misses a parabola by most in its middle, and a single kink there by half of the most
 * at least.  More may be inside a step that output shows. */
static bool middle_suffices(const struct rows *r, const struct integrator *m, const struct piece *p, const struct looked *middle)
{
    return m->blind && is_straight(r, p, 1, 0.5, middle->row);
}

/* Rows inside the piece, whose middle has been looked at, from left to right. */
static enum kn_status emit_inside(struct rows *r, struct integrator *m, const struct piece *p, struct looked middle,
                                  int depth)
{
    const double half = 0.5 * (p->from + p->to);
    const bool fine = depth + 1 >= ROWS_OF_SLOPES && !has_long_halves(r, p);
    const bool *left_out = fine ? r->of_index2 : NULL;
    const struct piece first = {p->from, half, p->begin, middle.row, left_out},
                       second = {half, p->to, middle.row, p->end, left_out};
    double *const place = r->quarters + (size_t)(2 * depth) * r->columns->count;
    struct looked quarters[] = {{.row = place}, {.row = place + r->columns->count}};
    if (middle_suffices(r, m, p, &middle)) {
        r->bent_in_a_row = 0;
        return KN_OK;
    }
    enum kn_status status = look_beside(r, m, p, &middle, quarters);
    if (status != KN_OK)
        return status;
    const double *const inner[] = {quarters[0].row, middle.row, quarters[1].row};
    if (!looks_bent(r, p, inner) || (depth > 0 && learn_rounding(r, m) && !looks_bent(r, p, inner))) {
        r->bent_in_a_row = 0;
        return KN_OK;
    }
    if (depth + 1 >= ROWS_DEPTH) {
        count_bottom(r, p, inner);
        return KN_OK;
    }
    status = settle_middle(r, m, p, &middle, quarters);
    if (status == KN_OK)
        status = emit_inside(r, m, &first, quarters[0], depth + 1);
    if (status == KN_OK)
        status = emit_at(r, m, half, middle.row);
    return status == KN_OK ? emit_inside(r, m, &second, quarters[1], depth + 1) : status;
}

/* Whether a step shorter than two tsteps need hardly be looked into: the method has predicted its end, so that there is no
 * corner inside, and the row where it begins lies near the chord over it and the step before.  A parabola is off that chord
 * by x'' h h1 / 2, h1 the step before, and by x'' h^2 / 8 off the chord over the step alone.  In a step that output does not resolve
 * (blind) there may be a kink of unknowns with memory, at the part p of it: the line from before misses its end by s h (1 - p), s the
 * change of slope, and the chord over it misses the kink by s h p (1 - p). */
static bool is_nearly_straight(const struct rows *r, const struct integrator *m, double from, const bool *left_out)
{
    if (!(r->before_time < from) || m->t - from >= 2 * r->step ||
        (m->blind ? m->unsure_algebraic : m->unsure) > STRAIGHT)
        return false;
    const double part = (from - r->before_time) / (m->t - r->before_time);
    const double alone = m->unsure > STRAIGHT ? 1 / part : 0.25 * (m->t - from) / (from - r->before_time);
    const struct piece both = {.begin = r->before, .end = r->end, .left_out = left_out};
    return is_straight(r, &both, alone, part, r->begin);
}

/* Methods of high order may take steps of half a period, all of which end where the waveform crosses the line through
 * their ends; a quartic or less that misses so much of a wave is known to be unsure.  Points inside show it; these parts
 * of the step, 1 - the golden ratio and the other one, are far from all parts of a few periods.  One alone would not do: over
 * a whole period the chord is level, and there are phases at which a sine comes back to it just there. */
enum { QUARTIC = 4 };
static const double INSIDE[] = {0.381966, 0.618034};

static bool is_straight_inside(struct rows *r, struct integrator *m, double from)
{
    const struct piece whole = {.begin = r->begin, .end = r->end};
    if (!m->one_step || m->order <= QUARTIC)
        return true;
    for (size_t k = 0; k < sizeof INSIDE / sizeof *INSIDE; k++) {
        const double t = from + INSIDE[k] * (m->t - from);
        m->class->interpolate(m, t, r->x, r->columns->needs_slopes ? r->dxdt : NULL);
        columns_fill(r->columns, r->mna, t, r->x, r->dxdt, r->middle);
        if (!is_straight(r, &whole, 1, INSIDE[k], r->middle))
            return false;
    }
    return true;
}

/* Those that keep straight lines within the tolerance. */
static enum kn_status emit_between(struct rows *r, struct integrator *m, double from)
{
    if (is_nearly_straight(r, m, from, NULL) && is_straight_inside(r, m, from))
        return KN_OK;
    fade_scatter(r);
    find_bounds(r);
    const struct piece whole = {from, m->t, r->begin, r->end, NULL};
    struct looked middle = {.row = r->middle};
    const enum kn_status status = look_at(r, m, 0.5 * (from + m->t), false, &middle);
    return status == KN_OK ? emit_inside(r, m, &whole, middle, 0) : status;
}

static void extend_range(struct rows *r, const double *row, const bool *left_out)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        if (left_out && left_out[i])
            continue;
        r->low[i] = row[i] < r->low[i] ? row[i] : r->low[i];
        r->high[i] = row[i] > r->high[i] ? row[i] : r->high[i];
    }
}

/* ---- ends of steps without a row ---- */

static double allowed_of(const struct rows *r, size_t i)
{
    return lenience_of(r, i) * STRAIGHT * larger_of(range_seen_of(r, i), least_seen_of(r, i));
}

/* Whether the end of the step, r->end but for index-2 unknowns, may go without: the line to it is straight enough, and so is that
 * from the last row over those that have none. */
static bool may_skip(struct rows *r, struct integrator *m, double from)
{
    if (!m->blind || m->halts || r->columns->needs_slopes || r->step <= 0 || from != m->previous || rows_has_even(r, m))
        return false;
    columns_fill(r->columns, r->mna, m->t, m->x, NULL, r->end);
    extend_range(r, r->end, r->of_index2);
    return is_nearly_straight(r, m, from, r->of_index2);
}

/* The row where the step begins, if it has none. */
static enum kn_status emit_skipped(struct rows *r, struct integrator *m)
{
    const double *x;
    if (!r->skips)
        return KN_OK;
    r->skips = false;
    const enum kn_status status = integrator_begin(m, r->skipped, &x);
    columns_fill(r->columns, r->mna, m->previous, x, NULL, r->begin);
    extend_range(r, r->begin, NULL);
    return status == KN_OK ? emit(r, r->begin) : status;
}

/* The same where the run has gone no further: index-2 unknowns are where the last row left them. */
static enum kn_status emit_left(struct rows *r)
{
    if (!r->skips)
        return KN_OK;
    r->skips = false;
    for (size_t i = 0; i < r->columns->count; i++)
        r->begin[i] = r->of_index2[i] ? r->chord.row[i] : r->begin[i];
    return emit(r, r->begin);
}

/* The end of the step becomes a part of the line from the last row; a new one begins where that does not reach. */
static enum kn_status skip(struct rows *r, struct integrator *m)
{
    enum kn_status status = KN_OK;
    if (r->skips &&
        !(m->t - r->chord.from <= CONTROL_OUTPUT_RESOLUTION * r->step && chord_reaches(&r->chord, m->t, r->end)))
        status = emit_skipped(r, m);
    if (!r->skips)
        chord_begin(&r->chord, m->previous, r->begin);
    for (size_t i = 0; i < r->columns->count; i++)
        r->allowed[i] = allowed_of(r, i);
    chord_pass(&r->chord, m->t, r->end, r->allowed);
    memcpy(r->skipped, m->x, r->unknowns * sizeof *r->skipped);
    r->skips = true;
    return status;
}

/* ---- rows of the result ---- */

/* A point where a run starts or goes on, with the slopes in r->dxdt. */
static enum kn_status emit_first(struct rows *r, double t, const double *x)
{
    r->before_time = t; /* no step before */
    columns_fill(r->columns, r->mna, t, x, r->dxdt, r->begin);
    extend_range(r, r->begin, NULL);
    r->reached = t;
    const enum kn_status status = t >= r->start ? emit(r, r->begin) : KN_OK;
    return status == KN_OK ? rows_emit_first_even(r, t, r->begin) : status;
}

/* The row that waits for slopes gets those with which the step m begins; m = NULL: there is no such step, and the last
 * known slopes must do. */
static enum kn_status emit_waiting(struct rows *r, struct integrator *m)
{
    if (!r->waits)
        return KN_OK;
    r->waits = false;
    const enum kn_status status = m ? integrator_slopes(m, m->previous, r->waiting, r->dxdt) : KN_OK;
    return status == KN_OK ? emit_first(r, r->waiting_time, r->waiting) : status;
}

static enum kn_status begin_table(const struct rows *r, const char *title, const struct kn_sink *sink)
{
    const struct kn_table table = {title, "Transient Analysis", r->columns->names, r->columns->count, 0, 0};
    return sink->begin(sink->context, &table);
}

enum kn_status rows_begin(const struct rows *r, const char *title, const struct kn_sink *sink)
{
    enum kn_status status = begin_table(r, title, sink);
    if (status != KN_OK || !r->even)
        return status;
    status = begin_table(r, title, r->even);
    if (status != KN_OK)
        sink->end(sink->context, status);
    return status;
}

enum kn_status rows_first(struct rows *r, double t, const double *x)
{
    enum kn_status status = emit_left(r);
    if (status == KN_OK)
        status = rows_emit_first_samples(r, t, x);
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
    r->skips = r->skips && complete;
    enum kn_status status = emit_left(r);
    if (status == KN_OK)
        status = emit_waiting(r, NULL);
    return status == KN_OK ? rows_emit_last_even(r) : status;
}

/* The end of the step and what rows are wanted before it. */
static enum kn_status emit_step(struct rows *r, struct integrator *m, double from)
{
    enum kn_status status = emit_skipped(r, m);
    if (status == KN_OK)
        status = fill_end(r, m, r->end);
    extend_range(r, r->end, NULL);
    if (status == KN_OK && r->step > 0)
        status = emit_between(r, m, from);
    if (status == KN_OK)
        status = emit(r, r->end);
    return status == KN_OK ? rows_emit_evens(r, m, r->end) : status;
}

enum kn_status rows_step(struct rows *r, struct integrator *m)
{
    r->blind = m->blind;
    enum kn_status status = rows_emit_samples(r, m);
    if (!r->knows_index2)
        find_index2(r, m->dae->classes);
    if (status == KN_OK)
        status = emit_waiting(r, m);
    if (m->t < r->start || status != KN_OK || !r->sink || (integrator_stood_still(m) && m->t < r->stop))
        return status;
    double from = m->previous;
    if (from < r->start) { /* tstart lies inside the step */
        from = r->start;
        status = rows_fill_at(r, m, from, r->begin);
        extend_range(r, r->begin, NULL);
        if (status == KN_OK && from < m->t)
            status = emit(r, r->begin);
    }
    if (status == KN_OK)
        status = may_skip(r, m, from) ? skip(r, m) : emit_step(r, m, from);
    r->reached = m->t;
    double *swapped = r->before;
    r->before = r->begin;
    r->begin = r->end;
    r->end = swapped;
    r->before_time = from;
    return status;
}
