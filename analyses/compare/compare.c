/* compare.c - see compare.h. */
#include "analyses/compare/compare.h"

#include "analyses/transient/recording.h"
#include "base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reference is this much tighter than the tightest run, as far as double precision goes. */
static const double REFERENCE_PART = 1e-3, TIGHTEST_REFERENCE = 1e-13;
static const int REFERENCE_ATTEMPTS = 6;     /* each at ten times the tolerance of the one before */
static const double REFERENCE_PATIENCE = 10; /* times the limit of other runs */
static const double JUDGE_PATIENCE = 50;     /* times what the first reference took, */
static const double JUDGE_LIMIT = 3;         /* but at most this times the limit */
static const double LONG_RUN = 1;            /* s: not repeated, start-up does not matter */

/* ---- one run ---- */

struct trial {
    const struct circuit *circuit;
    const struct analysis_options *options; /* of the user */
    const struct compare_request *request;
    size_t done, total; /* references and points; points */
    struct comparison *out;
    double *values; /* [rows][columns] of the last run */
};

/* Names and the least scales, from the first run that gave any. */
static bool copy_names(struct comparison *out, const struct recording *r)
{
    out->names = calloc(r->columns, sizeof *out->names);
    out->scale = calloc(r->columns, sizeof *out->scale);
    if (!out->names || !out->scale)
        return false;
    out->columns = r->columns;
    for (size_t i = 0; i < out->columns; i++) {
        out->names[i] = strdup(r->names[i]);
        if (!out->names[i])
            return false;
        /* What a waveform must vary by to count as one: SPICE's vntol, and a nanoampere. */
        out->scale[i] = r->quantities[i] == KN_CURRENT ? 1e-9 : 1e-6;
    }
    return true;
}

/* What errors are relative to: the range of each waveform in a reference, and a thousandth of its size where it hardly
 * moves. */
static void find_scales(struct comparison *out, const struct recording *r)
{
    for (size_t i = 1; i < out->columns; i++) {
        const double low = r->low[i], high = r->high[i];
        out->scale[i] = fmax(out->scale[i], fmax(high - low, 1e-3 * fmax(fabs(low), fabs(high))));
    }
}

/* ---- progress: of the references and the points ---- */

enum { REFERENCES = 2 };

static bool interrupted(void *trial)
{
    const struct analysis_options *o = ((const struct trial *)trial)->options;
    return o->interrupted && o->interrupted(o->context);
}

/* What is known of the run that is being made. */
static void tell_progress(void *trial, double fraction)
{
    const struct trial *t = trial;
    const double done = (double)t->done + fmax(fraction, 0);
    if (t->request->progress)
        t->request->progress(t->options->context, done / (double)(REFERENCES + t->total));
}

/* Runs the transient; t->values are its waveforms, the caller's to free.  The first reference that works says what
 * errors are relative to; its ranges include its steps. */
static enum kn_status run_once(struct trial *t, const struct transient *transient,
                               const struct integrator_class *method, double reltol, double limit, bool reference,
                               struct kn_diagnostics *d, struct recording_outcome *outcome)
{
    struct analysis_options o = *t->options;
    o.method = method;
    o.relative = reltol;
    o.samples = COMPARE_TIMES;
    o.context = t;
    o.interrupted = interrupted;
    o.progress = tell_progress;
    struct recording r;
    const struct recording_request request = {
        .circuit = t->circuit, .transient = transient, .options = &o, .whole_range = reference, .limit = limit};
    enum kn_status status = recording_make(&request, d, &r, outcome);
    if (status == KN_OK && r.rows < t->out->rows)
        status = KN_ERROR_CONVERGENCE;
    if (status == KN_OK && !t->out->names && !copy_names(t->out, &r))
        status = KN_ERROR_MEMORY;
    t->values = NULL;
    if (status == KN_OK) {
        t->values = r.values;
        r.values = NULL;
        if (reference && !t->out->references[0].method && !t->out->references[1].method)
            find_scales(t->out, &r);
    }
    recording_free(&r);
    return status;
}

/* ---- errors ---- */

struct deviation {
    double largest, final;
    size_t worst;
};

static struct deviation deviate(const struct comparison *c, const double *values, const double *reference)
{
    struct deviation d = {0};
    for (size_t k = 0; k < c->rows; k++) {
        double here = 0;
        for (size_t i = 1; i < c->columns; i++) {
            const size_t at = k * c->columns + i;
            const double error = fabs(values[at] - reference[at]) / c->scale[i];
            here = error <= here ? here : error; /* NaN counts */
            if (!(error <= d.largest))
                d = (struct deviation){error, 0, i};
        }
        d.final = here;
    }
    return d;
}

/* ---- references ---- */

static bool is_radau(const struct integrator_class *method)
{
    return strncmp(method->name, "radau", 5) == 0;
}

const struct compare_reference *compare_judge(const struct comparison *c, const struct integrator_class *method)
{
    const struct compare_reference *first = &c->references[is_radau(method)],
                                   *second = &c->references[!is_radau(method)];
    return first->method ? first : second->method && second->method != method ? second : NULL;
}

/* One attempt at a reference; out->method stays NULL when it fails. */
static enum kn_status try_reference(struct trial *t, const struct integrator_class *method, double reltol, double limit,
                                    struct kn_diagnostics *d, struct compare_reference *out)
{
    struct transient fine = t->circuit->transients[0];
    struct recording_outcome outcome;
    const double step = (fine.stop - fine.start) / COMPARE_TIMES; /* so that reading between steps costs no digits */
    fine.max_step = fine.max_step > 0 ? fmin(fine.max_step, step) : step;
    const enum kn_status status = run_once(t, &fine, method, reltol, limit, true, d, &outcome);
    *out = (struct compare_reference){status == KN_OK ? method : NULL, reltol, outcome.seconds, t->values};
    return outcome.too_long ? KN_ERROR_CONVERGENCE : status;
}

/* The tightest run that works. */
static enum kn_status first_reference(struct trial *t, const struct compare_request *request, double reltol,
                                      struct kn_diagnostics *d)
{
    enum kn_status status = KN_ERROR_CONVERGENCE;
    for (int i = 0; i < REFERENCE_ATTEMPTS && status == KN_ERROR_CONVERGENCE; i++, reltol *= 10)
        status = try_reference(t, integrator_find("radau"), reltol, REFERENCE_PATIENCE * request->limit, d,
                               &t->out->references[0]);
    return status;
}

/* Who may judge Radau's family, at which multiple of the tolerance of the first reference. */
static const struct {
    const char *method;
    double part;
} judges[] = {{"rodas", 10}, {"bdf", 1}, {"bdf", 10}, {"bdf", 100}, {"rodas", 1000}};

/* The run that comes nearest to the first reference, or the first that works if there is none: where charges are
 * divided by very short steps, round-off can make a tighter tolerance the worse one. */
static enum kn_status second_reference(struct trial *t, const struct compare_request *request, double reltol,
                                       struct kn_diagnostics *d)
{
    struct comparison *out = t->out;
    struct compare_reference *best = &out->references[1];
    const double *first = out->references[0].values;
    const double longest = JUDGE_LIMIT * request->limit;
    const double limit = first ? fmin(longest, 1 + JUDGE_PATIENCE * out->references[0].seconds) : longest;
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++) {
        struct compare_reference next;
        status = try_reference(t, integrator_find(judges[i].method), judges[i].part * reltol, limit, d, &next);
        if (status != KN_OK && status != KN_ERROR_CONVERGENCE)
            break;
        if (status != KN_OK)
            continue;
        const double distance = first ? deviate(out, next.values, first).largest : 0;
        if (best->method && !(distance < out->disagreement)) {
            free(next.values);
            continue;
        }
        free(best->values);
        *best = next;
        out->disagreement = distance;
        if (distance < 0.1 * request->tightest)
            break;
    }
    return best->method ? KN_OK : status;
}

/* Both references, as far as they are to be had. */
static enum kn_status find_references(struct trial *t, const struct compare_request *request, struct kn_diagnostics *d)
{
    struct comparison *out = t->out;
    const double reltol = fmax(REFERENCE_PART * request->tightest, TIGHTEST_REFERENCE);
    struct kn_diagnostics *doubts = kn_diagnostics_new();
    if (!doubts)
        return KN_ERROR_MEMORY;
    enum kn_status status = first_reference(t, request, reltol, doubts);
    if (status == KN_OK || status == KN_ERROR_CONVERGENCE) {
        t->done = 1;
        status = second_reference(t, request, reltol, doubts);
        if (status == KN_ERROR_CONVERGENCE && out->references[0].method)
            status = KN_OK;
    }
    if (!out->references[0].method || !out->references[1].method)
        out->disagreement = NAN;
    if (status != KN_OK)
        diagnostics_copy(d, doubts);
    kn_diagnostics_free(doubts);
    return status;
}

/* ---- points ---- */

static double median(double *values, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const double swapped = values[k];
            values[k] = values[k - 1];
            values[k - 1] = swapped;
        }
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static void count_work(struct compare_point *p, const struct analysis_summary *summary)
{
    const struct integrator_statistics *s = &summary->steps;
    p->accepted = s->accepted;
    p->rejected = s->rejected_error + s->rejected_newton;
    p->newton_iterations = s->newton_iterations;
    p->factorizations = s->factorizations + s->refactorizations;
}

static void judge(const struct trial *t, struct compare_point *p)
{
    const struct compare_reference *reference = compare_judge(t->out, p->method);
    p->error = p->final_error = NAN;
    if (!reference)
        return;
    const struct deviation d = deviate(t->out, t->values, reference->values);
    p->error = d.largest;
    p->final_error = d.final;
    p->worst = d.worst;
}

enum { MOST_RUNS = 99 };

static enum kn_status run_point(struct trial *t, const struct compare_request *request, struct compare_point *p)
{
    double times[MOST_RUNS];
    int runs = 0;
    do {
        struct recording_outcome outcome;
        struct kn_diagnostics *d = kn_diagnostics_new();
        if (!d)
            return KN_ERROR_MEMORY;
        p->status = run_once(t, &t->circuit->transients[0], p->method, p->reltol, request->limit, false, d, &outcome);
        p->too_long = outcome.too_long;
        if (p->status != KN_OK)
            recording_reason(d, p->reason, sizeof p->reason);
        kn_diagnostics_free(d);
        count_work(p, &outcome.summary);
        times[runs++] = outcome.seconds;
        if (p->status == KN_OK && runs == 1)
            judge(t, p);
        free(t->values);
        t->values = NULL;
    } while (p->status == KN_OK && runs < request->runs && runs < MOST_RUNS && times[0] < LONG_RUN);
    p->seconds = median(times, runs);
    const bool stopped = p->status == KN_INTERRUPTED && !p->too_long;
    return stopped || p->status == KN_ERROR_MEMORY ? p->status : KN_OK;
}

static int decades(const struct compare_request *request)
{
    return 1 + (int)floor(log10(request->loosest / request->tightest) + 1e-6);
}

static enum kn_status run_all(struct trial *t, const struct compare_request *request)
{
    struct comparison *out = t->out;
    const size_t tolerances = (size_t)decades(request), total = t->total;
    out->points = calloc(total, sizeof *out->points);
    if (!out->points)
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < total && status == KN_OK; i++) {
        struct compare_point *p = &out->points[out->count];
        p->method = request->methods[i / tolerances];
        p->reltol = request->loosest * pow(10, -(double)(i % tolerances));
        t->done = REFERENCES + i;
        tell_progress(t, 0);
        status = run_point(t, request, p);
        out->count += status == KN_OK;
        if (request->done && status == KN_OK)
            request->done(t->options->context, out);
    }
    return status;
}

enum kn_status compare_run(const struct circuit *c, const struct analysis_options *o,
                           const struct compare_request *request, struct kn_diagnostics *d, struct comparison *out)
{
    struct trial t = {.circuit = c, .options = o, .request = request, .out = out};
    t.total = request->method_count * (size_t)decades(request);
    *out = (struct comparison){.rows = COMPARE_TIMES + 1};
    if (c->transient_count == 0) {
        diagnostics_add(d, KN_ERROR, "no-transient", NOWHERE, "add a line such as  .tran 1u 1m",
                        "the deck asks for no transient analysis, so there are no waveforms to compare");
        return KN_ERROR_DECK;
    }
    enum kn_status status = find_references(&t, request, d);
    if (status == KN_OK)
        status = run_all(&t, request);
    return status;
}

void compare_free(struct comparison *c)
{
    for (size_t i = 0; i < c->columns && c->names; i++)
        free(c->names[i]);
    free(c->names);
    free(c->scale);
    free(c->references[0].values);
    free(c->references[1].values);
    free(c->points);
    memset(c, 0, sizeof *c);
}
