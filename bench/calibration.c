/* calibration.c - what reltol means: errors of knoten's methods at their output rows, in units of reltol, on one deck.
 *
 *   calibration DECK LIMIT RUNS METHODS RELTOLS
 *
 * METHODS and RELTOLS are between commas; LIMIT, in s, is for one run; RUNS of each run their median time counts.
 * Prints one line of CSV per run:
 *
 *   method,reltol,worst,median,vector,time,steps,rejected,newton,evaluations,factorizations,solves,seconds,uncertainty
 *
 * worst, median: the error of the worst and of the median vector divided by reltol.  The error of a vector is its
 * largest difference from the reference at any row of the run's output, relative to the largest magnitude of the
 * reference plus 1 mV or 1 nA (which is how reltol, with vntol and abstol that follow it, is defined).  Values at equal
 * times are compared, also on steep edges: an edge that comes too late is an error of the values on it.  Where a
 * source jumps, output has two rows, and each is compared with its side.
 *
 * The reference is Radau IIA at a reltol of 1e-9, read from its interpolant at the times of the rows, with steps of at
 * most a thousandth of the run so that reading between steps costs no digits.  uncertainty: its own largest difference,
 * measured likewise and divided by the run's reltol, from the nearer one of BDF and RODAS at 1e-8.
 */
#include "analyses/library.h"
#include "analyses/transient/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double REFERENCE = 1e-9, CONFIRMATION = 1e-8, PATIENCE = 20, SHORTEST_PART = 1e-3;

enum { MOST = 16 };

struct point {
    const struct integrator_class *method;
    double reltol, seconds;
    enum kn_status status;
    struct recording rows;
    struct integrator_statistics steps;
};

struct bench {
    const struct circuit *circuit;
    struct analysis_options options;
    double limit;
    int runs;
    struct point points[MOST * MOST];
    size_t count;
    double *times; /* [time_count] of all rows of all runs, those of jumps twice */
    size_t time_count;
    struct recording reference;
    double uncertainty; /* of the reference */
};

static enum kn_status run(const struct bench *b, const struct transient *request, const struct integrator_class *method,
                          double reltol, double limit, struct recording *out, struct recording_outcome *outcome)
{
    struct analysis_options o = b->options;
    o.method = method;
    o.relative = reltol;
    o.sample_times = b->times;
    o.samples = (long)b->time_count;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct recording_request recording = {
        .circuit = b->circuit, .transient = request, .options = &o, .limit = limit};
    const enum kn_status status = recording_make(&recording, d, out, outcome);
    char reason[160];
    recording_reason(d, reason, sizeof reason);
    if (status != KN_OK)
        fprintf(stderr, "%s at %.0e: %s\n", method->name, reltol, outcome->too_long ? "too long" : reason);
    kn_diagnostics_free(d);
    return status;
}

/* ---- the runs ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_point(const struct bench *b, struct point *p)
{
    double times[MOST];
    int count = 0;
    for (; count < b->runs && count < MOST; count++) {
        struct recording_outcome outcome;
        recording_free(&p->rows);
        p->status = run(b, &b->circuit->transients[0], p->method, p->reltol, b->limit, &p->rows, &outcome);
        p->steps = outcome.summary.steps;
        times[count] = outcome.seconds;
    }
    qsort(times, (size_t)count, sizeof *times, ascending);
    p->seconds = times[count / 2];
}

/* ---- the reference ---- */

/* All times of all rows, each as often as the run has it that has it most often, at most twice. */
static bool collect_times(struct bench *b)
{
    size_t total = 0, kept = 0;
    for (size_t i = 0; i < b->count; i++)
        total += b->points[i].rows.rows;
    double *all = malloc((2 * total + 1) * sizeof *all), *times = malloc((2 * total + 1) * sizeof *times);
    if (!all || !times)
        return false;
    for (size_t i = 0, at = 0; i < b->count; i++)
        for (size_t k = 0; k < b->points[i].rows.rows; k++)
            all[at++] = recording_time(&b->points[i].rows, k);
    qsort(all, total, sizeof *all, ascending);
    for (size_t i = 0; i < total; i++)
        if (i == 0 || all[i] != all[i - 1])
            times[kept++] = all[i];
    const size_t different = kept;
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 1; k < b->points[i].rows.rows; k++) {
            const double t = recording_time(&b->points[i].rows, k);
            if (t == recording_time(&b->points[i].rows, k - 1))
                all[kept++ - different] = t;
        }
    const size_t jumps = kept - different;
    qsort(all, jumps, sizeof *all, ascending);
    kept = different;
    for (size_t i = 0; i < jumps; i++)
        if (i == 0 || all[i] != all[i - 1])
            times[kept++] = all[i];
    free(all);
    qsort(times, kept, sizeof *times, ascending);
    b->times = times;
    b->time_count = kept;
    return true;
}

/* What the tolerance of a column is a part of, as reltol is meant: the largest magnitude of the signal, and as much as
 * makes vntol or abstol of it where these follow reltol (1 mV, 1 nA). */
static double scale_of(const struct recording *r, size_t column)
{
    const double least = r->quantities[column] == KN_CURRENT ? 1e-9 : 1e-3;
    return fmax(fabs(r->low[column]), fabs(r->high[column])) + least;
}

/* The largest difference of a column from the reference at the rows of a run; *at gets its time. */
static double column_error(const struct recording *r, const struct recording *reference, size_t column, double *at)
{
    const double scale = scale_of(reference, column);
    double error = 0;
    for (size_t k = 0, of = 0; k < r->rows; k++) {
        const double t = recording_time(r, k);
        while (of < reference->rows && recording_time(reference, of) < t)
            of++;
        const bool again = k > 0 && recording_time(r, k - 1) == t;
        of += again && of + 1 < reference->rows && recording_time(reference, of + 1) == t;
        if (of == reference->rows)
            return INFINITY;
        const double here =
            fabs(r->values[k * r->columns + column] - reference->values[of * reference->columns + column]) / scale;
        if (!(here <= error)) {
            error = here;
            *at = t;
        }
    }
    return error;
}

static double largest_error(const struct recording *r, const struct recording *reference)
{
    double error = 0, at;
    for (size_t i = 1; i < r->columns; i++)
        error = fmax(error, column_error(r, reference, i, &at));
    return error;
}

static bool find_reference(struct bench *b)
{
    struct transient fine = b->circuit->transients[0];
    const double step = SHORTEST_PART * (fine.stop - fine.start);
    fine.max_step = fine.max_step > 0 ? fmin(fine.max_step, step) : step;
    struct recording_outcome outcome;
    const double limit = PATIENCE * b->limit;
    if (run(b, &fine, integrator_find("radau"), REFERENCE, limit, &b->reference, &outcome) != KN_OK)
        return false;
    b->uncertainty = INFINITY;
    for (size_t i = 0; i < 2 && !(b->uncertainty < 10 * CONFIRMATION); i++) {
        struct recording other;
        if (run(b, &fine, integrator_find(i ? "rodas" : "bdf"), CONFIRMATION, limit, &other, &outcome) == KN_OK)
            b->uncertainty = fmin(b->uncertainty, largest_error(&other, &b->reference));
        recording_free(&other);
    }
    return true;
}

/* ---- results ---- */

static void print_point(const struct bench *b, const struct point *p)
{
    const struct integrator_statistics *s = &p->steps;
    double *errors = calloc(b->reference.columns, sizeof *errors), worst = -1, time = 0;
    size_t vector = 0;
    for (size_t i = 1; errors && i < b->reference.columns; i++) {
        double at = 0;
        errors[i - 1] = p->status == KN_OK ? column_error(&p->rows, &b->reference, i, &at) : NAN;
        if (errors[i - 1] > worst) {
            worst = errors[i - 1];
            time = at;
            vector = i;
        }
    }
    if (errors && p->status == KN_OK) {
        qsort(errors, b->reference.columns - 1, sizeof *errors, ascending);
        printf("%s,%.0e,%.3e,%.3e,%s,%.6g,", p->method->name, p->reltol, worst / p->reltol,
               errors[(b->reference.columns - 1) / 2] / p->reltol, b->reference.names[vector], time);
        printf("%ld,%ld,%ld,%ld,%ld,%ld,%.6g,%.1e\n", s->accepted, s->rejected_error + s->rejected_newton,
               s->newton_iterations, s->evaluations, s->factorizations + s->refactorizations, s->solves, p->seconds,
               b->uncertainty / p->reltol);
    } else {
        printf("%s,%.0e,failed,,,,,,,,,,,\n", p->method->name, p->reltol);
    }
    free(errors);
}

static bool measure(struct bench *b, char *methods, char *reltols)
{
    const struct integrator_class *classes[MOST];
    double tolerances[MOST];
    size_t class_count = 0, tolerance_count = 0;
    for (char *word = strtok(methods, ","); word && class_count < MOST; word = strtok(NULL, ","))
        if ((classes[class_count] = integrator_find(word)))
            class_count++;
    for (char *word = strtok(reltols, ","); word && tolerance_count < MOST; word = strtok(NULL, ","))
        tolerances[tolerance_count++] = strtod(word, NULL);
    for (size_t i = 0; i < class_count * tolerance_count; i++) {
        struct point *p = &b->points[b->count++];
        p->method = classes[i / tolerance_count];
        p->reltol = tolerances[i % tolerance_count];
        measure_point(b, p);
    }
    if (!collect_times(b) || !find_reference(b))
        return false;
    for (size_t i = 0; i < b->count; i++)
        print_point(b, &b->points[i]);
    return true;
}

int main(int count, char **arguments)
{
    static struct bench b;
    struct kn_circuit *circuit = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    if (count != 6) {
        fprintf(stderr, "usage: calibration DECK LIMIT RUNS METHODS RELTOLS\n");
        return 2;
    }
    bool good = d && kn_circuit_read_file(arguments[1], d, &circuit) == KN_OK &&
                analysis_options_of(circuit->circuit, d, &b.options) == KN_OK && circuit->circuit->transient_count > 0;
    for (size_t i = 0; !good && d && i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    if (good) {
        b.circuit = circuit->circuit;
        b.limit = strtod(arguments[2], NULL);
        b.runs = atoi(arguments[3]);
        good = measure(&b, arguments[4], arguments[5]);
    }
    for (size_t i = 0; i < b.count; i++)
        recording_free(&b.points[i].rows);
    recording_free(&b.reference);
    free(b.times);
    kn_circuit_free(circuit);
    kn_diagnostics_free(d);
    return !good;
}
