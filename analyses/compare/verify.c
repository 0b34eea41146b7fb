/* verify.c - see verify.h. */
#include "analyses/compare/verify.h"

#include "base/diagnostics.h"
#include "integrators/control.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TIGHTER = 0.1, TIGHTEST = 1e-13; /* reltol of the second run */
static const double NEAR = 0.1;                      /* of the time of a swing, for differences of time */
static const double VISIBLE = 1e-3;                  /* of a range: what straight lines between rows may miss */

/* ---- one vector ---- */

/* One column of both runs. */
struct pair {
    const struct recording *first, *second; /* row by row at equal times */
    const struct recording *curve;          /* the second run with its own rows */
    size_t column;
    double tolerance, line_tolerance;
    double relative;                    /* reltol of the first run */
    double swing;                       /* s: the time in which the signal crosses its range, on average */
    double resolution, line_resolution; /* s: differences of time below are not seen, at rows and between them */
};

static double value(const struct recording *r, size_t row, size_t column)
{
    return r->values[row * r->columns + column];
}

/* The run's length for a constant. */
static double swing_of(const struct recording *curve, size_t column, double range)
{
    const double length = recording_time(curve, curve->rows - 1) - recording_time(curve, 0);
    double travel = 0;
    for (size_t k = 1; k < curve->rows; k++)
        travel += fabs(value(curve, k, column) - value(curve, k - 1, column));
    return travel > range ? length * range / travel : length;
}

static double allowed_shift(const struct pair *p, double t, double resolution)
{
    const double apart = fmax(VERIFY_FACTOR * p->relative * t, resolution);
    return fmin(apart, NEAR * p->swing) + 16 * DBL_EPSILON * fabs(t);
}

/* How far from t the straight piece between rows k and k+1 comes within tolerance of the value; INFINITY if nowhere. */
static double distance_in_piece(const struct recording *r, size_t k, size_t column, double t, double sought,
                                double tolerance)
{
    const double t0 = recording_time(r, k), t1 = recording_time(r, k + 1);
    const double e0 = value(r, k, column) - sought, e1 = value(r, k + 1, column) - sought;
    if (isnan(e0) || isnan(e1) || fmin(e0, e1) > tolerance || fmax(e0, e1) < -tolerance)
        return INFINITY;
    /* the part [from, to] of the piece on which |e| <= tolerance */
    double from = 0, to = 1;
    if (e0 != e1) {
        const double a = (-tolerance - e0) / (e1 - e0), b = (tolerance - e0) / (e1 - e0);
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    const double begin = t0 + from * (t1 - t0), end = t0 + to * (t1 - t0);
    return t < begin ? begin - t : t > end ? t - end : 0;
}

/* The smallest difference of time that explains the value, INFINITY if it is more than `most`.  near: a row at or
 * beside t. */
static double find_shift(const struct recording *r, size_t near, size_t column, double t, double sought,
                         double tolerance, double most)
{
    double least = INFINITY;
    for (size_t k = near; k + 1 < r->rows && recording_time(r, k) - t <= fmin(most, least); k++)
        least = fmin(least, distance_in_piece(r, k, column, t, sought, tolerance));
    for (size_t k = near; k > 0 && t - recording_time(r, k) <= fmin(most, least); k--)
        least = fmin(least, distance_in_piece(r, k - 1, column, t, sought, tolerance));
    return least <= most ? least : INFINITY;
}

/* Of the values that `other` has within `most` of t, the one nearest to `sought`. */
static double nearest_value(const struct recording *other, size_t near, size_t column, double t, double sought,
                            double most)
{
    double best = NAN;
    size_t from = near, to = near;
    while (from > 0 && t - recording_time(other, from) <= most)
        from--;
    while (to + 1 < other->rows && recording_time(other, to) - t <= most)
        to++;
    for (size_t k = from; k < to; k++) {
        const double t0 = recording_time(other, k), t1 = recording_time(other, k + 1);
        const double v0 = value(other, k, column), v1 = value(other, k + 1, column),
                     slope = t1 > t0 ? (v1 - v0) / (t1 - t0) : 0;
        const double begin = v0 + slope * fmax(t - most - t0, 0), end = v1 - slope * fmax(t1 - t - most, 0);
        const double here = fmin(fmax(sought, fmin(begin, end)), fmax(begin, end));
        if (!(fabs(here - sought) >= fabs(best - sought)))
            best = here;
    }
    return best;
}

/* A row of one run and the other run beside it. */
struct beside {
    const struct recording *other, *own;
    size_t near, own_near; /* their rows at or beside the time */
    double resolution;     /* s */
    double limit;          /* V or A */
};

/* The difference of time that explains the one of value, INFINITY if none does; then *found, which `other` has at t where own has
 * `sought`, becomes the nearest that it has at nearly the same time.  Where the end of the run is near, the value may lie behind it;
 * then the last value of `other` must lie in the past of `own`. */
static double explain(const struct pair *p, const struct beside *b, double t, double sought, double *found)
{
    const double most = allowed_shift(p, t, b->resolution);
    double shift = find_shift(b->other, b->near, p->column, t, sought, b->limit, most);
    if (shift == INFINITY && t + most > recording_time(p->first, p->first->rows - 1))
        shift = find_shift(b->own, b->own_near, p->column, t, *found, b->limit, most);
    const double nearest = shift < INFINITY ? NAN : nearest_value(b->other, b->near, p->column, t, sought, most);
    if (fabs(nearest - sought) < fabs(*found - sought))
        *found = nearest;
    return shift;
}

/* Takes a difference into account that no difference of time explains, or else the latter. */
static void note_worst(struct verify_place here, double shift, struct verify_place *worst, struct verify_vector *out)
{
    here.difference = fabs(here.first - here.second);
    if (shift < INFINITY) {
        if (shift > out->shift) {
            out->shift = shift;
            out->shift_time = here.time;
        }
        return;
    }
    if (isnan(here.difference))
        here.difference = INFINITY;
    if (here.difference > worst->difference)
        *worst = here;
}

static void compare_rows(const struct pair *p, struct verify_vector *out)
{
    const struct recording *first = p->first;
    for (size_t k = 0, near = 0; k < first->rows; k++) {
        const double t = recording_time(first, k), a = value(first, k, p->column), b = value(p->second, k, p->column);
        while (near + 1 < p->curve->rows && recording_time(p->curve, near) < t)
            near++;
        struct verify_place here = {fabs(a - b), t, a, b};
        const struct beside beside = {p->curve, first, near, k, p->resolution, VERIFY_FACTOR * p->tolerance};
        const double shift = here.difference <= beside.limit ? INFINITY : explain(p, &beside, t, a, &here.second);
        note_worst(here, shift, &out->rows, out);
    }
}

static void compare_lines(const struct pair *p, struct verify_vector *out)
{
    const struct recording *first = p->first;
    for (size_t k = 0, row = 0; k < p->curve->rows; k++) {
        const double t = recording_time(p->curve, k), b = value(p->curve, k, p->column);
        while (row + 1 < first->rows && recording_time(first, row + 1) <= t)
            row++;
        const double t0 = recording_time(first, row);
        if (row + 1 == first->rows || !(t > t0))
            continue;
        const double part = (t - t0) / (recording_time(first, row + 1) - t0);
        const double a = (1 - part) * value(first, row, p->column) + part * value(first, row + 1, p->column);
        struct verify_place here = {fabs(a - b), t, a, b};
        const struct beside beside = {first, p->curve, row, k, p->line_resolution, VERIFY_FACTOR * p->line_tolerance};
        const double shift = here.difference <= beside.limit ? INFINITY : explain(p, &beside, t, b, &here.first);
        note_worst(here, shift, &out->lines, out);
    }
}

static void compare_vector(const struct verify_request *request, const struct recording *first,
                           const struct recording *second, const struct recording *curve, size_t column,
                           struct verify_vector *out)
{
    const struct analysis_options *o = request->options;
    const double low = second->low[column], high = second->high[column];
    const struct mna_options absolute = analysis_tolerances(request->circuit, o);
    const double least = first->quantities[column] == KN_CURRENT ? absolute.abstol : absolute.vntol;
    struct pair p = {.first = first, .second = second, .curve = curve, .column = column, .relative = o->relative};
    p.tolerance = o->relative * fmax(fabs(low), fabs(high)) + least;
    p.line_tolerance = fmax(p.tolerance, VISIBLE * (high - low));
    p.swing = swing_of(curve, column, high - low);
    /* What happens within what output resolves is not told apart (verify.h). */
    p.line_resolution = CONTROL_OUTPUT_RESOLUTION * request->transient->step;
    p.resolution = first->quantities[column] == KN_CURRENT ? p.line_resolution
                                                           : CONTROL_ALGEBRAIC_RESOLUTION * request->transient->step;
    *out = (struct verify_vector){
        .name = first->names[column], .tolerance = p.tolerance, .line_tolerance = p.line_tolerance};
    compare_rows(&p, out);
    if (!o->step_rows) /* who asks for steps only does not mean lines between them */
        compare_lines(&p, out);
}

double verify_excess(const struct verify_vector *v)
{
    return fmax(v->rows.difference / v->tolerance, v->lines.difference / v->line_tolerance);
}

static int worst_first(const void *a, const void *b)
{
    const double x = verify_excess(a), y = verify_excess(b);
    return (x < y) - (x > y);
}

/* ---- the second run ---- */

static enum kn_status run_again(const struct verify_request *request, const struct integrator_class *method,
                                const double *times, const struct recording *first, struct recording *second,
                                struct recording *curve, struct verification *out)
{
    struct analysis_options o = *request->options;
    o.attempted = NULL;
    struct recording_outcome outcome;
    struct kn_diagnostics *said = kn_diagnostics_new(); /* the same as in the first run */
    if (!said)
        return KN_ERROR_MEMORY;
    o.method = method;
    o.relative = fmax(TIGHTER * o.relative, TIGHTEST);
    o.mna.vntol *= TIGHTER;
    o.mna.abstol *= TIGHTER;
    o.samples = (long)first->rows;
    o.sample_times = times;
    const struct recording_request again = {.circuit = request->circuit,
                                            .transient = request->transient,
                                            .options = &o,
                                            .curve = curve,
                                            .limit = request->limit};
    enum kn_status status = recording_make(&again, said, second, &outcome);
    if (status == KN_OK && (second->rows != first->rows || second->columns != first->columns))
        status = KN_ERROR_CONVERGENCE;
    out->seconds = outcome.seconds;
    out->reltol = o.relative;
    out->too_long = outcome.too_long;
    if (status == KN_OK)
        out->method = method;
    else if (out->too_long)
        snprintf(out->reason, sizeof out->reason, "%s took longer than %g s", method->name, request->limit);
    else
        recording_reason(said, out->reason, sizeof out->reason);
    kn_diagnostics_free(said);
    return status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT || out->too_long ? KN_OK : status;
}

static bool same_family(const struct integrator_class *a, const struct integrator_class *b)
{
    return strncmp(a->name, b->name, 3) == 0; /* radau5, radau9; rodas, rodasp */
}

/* Radau IIA judges all but its own family; whoever else reaches the end where it does not. */
static enum kn_status find_second(const struct verify_request *request, const double *times,
                                  const struct recording *first, struct recording *second, struct recording *curve,
                                  struct verification *out)
{
    static const char *const names[] = {"radau", "bdf", "trbdf2"};
    if (request->against)
        return run_again(request, request->against, times, first, second, curve, out);
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == KN_OK && !out->method && !out->too_long; i++) {
        const struct integrator_class *method = integrator_find(names[i]);
        if (same_family(method, request->first_method))
            continue;
        recording_free(second);
        recording_free(curve);
        status = run_again(request, method, times, first, second, curve, out);
    }
    return status;
}

static enum kn_status compare_all(const struct verify_request *request, const struct recording *first,
                                  const struct recording *second, const struct recording *curve,
                                  struct verification *out)
{
    out->vectors = calloc(first->columns, sizeof *out->vectors);
    if (!out->vectors)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < first->columns; i++)
        if (first->quantities[i] == KN_VOLTAGE ||
            first->quantities[i] == KN_CURRENT) /* expressions have no tolerance */
            compare_vector(request, first, second, curve, i, &out->vectors[out->count++]);
    for (size_t i = 0; i < out->count; i++)
        out->beyond += !(verify_excess(&out->vectors[i]) <= VERIFY_FACTOR);
    qsort(out->vectors, out->count, sizeof *out->vectors, worst_first);
    return KN_OK;
}

enum kn_status verify_rows(const struct verify_request *request, const struct recording *first,
                           struct verification *out)
{
    struct recording second = {0}, curve = {0};
    *out = (struct verification){0};
    double *times = malloc((first->rows + 1) * sizeof *times);
    if (!times || first->rows == 0) {
        free(times);
        return times ? KN_ERROR_ARGUMENT : KN_ERROR_MEMORY;
    }
    for (size_t k = 0; k < first->rows; k++)
        times[k] = recording_time(first, k);
    enum kn_status status = find_second(request, times, first, &second, &curve, out);
    if (status == KN_OK && out->method)
        status = compare_all(request, first, &second, &curve, out);
    recording_free(&second);
    recording_free(&curve);
    free(times);
    return status;
}

static void report_beyond(const struct verification *v, struct kn_diagnostics *d)
{
    const struct verify_vector *worst = &v->vectors[0];
    const bool between = !(worst->rows.difference / worst->tolerance >= verify_excess(worst));
    const struct verify_place *at = between ? &worst->lines : &worst->rows;
    diagnostics_add(
        d, KN_WARNING, "verify", NOWHERE, "a smaller reltol, or another --method; knoten verify lists all vectors",
        "%zu of %zu vectors differ by more than %g times the tolerance from those of %s at reltol %.3g: %s is "
        "%.6g at t = %.6g s%s, there it is %.6g (%.3g times the tolerance)",
        v->beyond, v->count, VERIFY_FACTOR, v->method->name, v->reltol, worst->name, at->first, at->time,
        between ? ", between rows" : "", at->second, verify_excess(worst));
}

void verify_report(const struct verification *v, struct kn_diagnostics *d)
{
    if (!v->method)
        diagnostics_add(d, KN_WARNING, "verify", NOWHERE, "knoten verify --against chooses another method",
                        "the run could not be verified, no second run reached the end: %s", v->reason);
    else if (v->beyond > 0)
        report_beyond(v, d);
    else if (v->count > 0)
        diagnostics_add(d, KN_NOTE, "verify", NOWHERE, NULL,
                        "verified by %s at reltol %.3g: the largest difference is %.3g times the tolerance, in %s",
                        v->method->name, v->reltol, verify_excess(&v->vectors[0]), v->vectors[0].name);
}

void verify_free(struct verification *v)
{
    free(v->vectors);
    *v = (struct verification){0};
}
