/* orders.c - see orders.h. */
#include "analyses/compare/orders.h"

#include "analyses/setup.h"
#include "analyses/transient/recording.h"
#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Newton's method is to leave nothing beside the errors of steps. */
static const double TIGHT = 1e-12;
/* Relative, that the steps of any run add up to. */
static const double ROUNDING = 1e-13;
/* Of the limit: an error that much above it has an order. */
static const double WELL_ABOVE = 30;
/* Beyond, an error is none of leading terms any more. */
static const double LARGE = 0.5;
/* Of the usual size of an unknown: what never gets larger does not move. */
static const double STILL = 1e-12;
/* Times that differ by this part of the run are one. */
static const double SAME_TIME = 1e-9;
enum { MOST_DENSE = 300, REFERENCE_ORDER = 13, FIRST_REFERENCE = 2 };

/* ---- theory ---- */

/* BDF: order k, after some steps also with index 3 (Brenan, Campbell and Petzold 1996, 3.2; Hairer and Wanner, Solving
 * ODEs II, 1996, VII.3).  Radau IIA with s stages: 2 s - 1, s, s - 1 (Hairer, Lubich and Roche, Lecture Notes in
 * Mathematics 1409, 1989, Table 2.3).  The trapezoidal rule keeps, undamped, the errors that its start leaves in
 * unknowns of index 2; their differences, divided by the step, add up in those of index 3.  TR-BDF2: its second stage
 * differentiates values of index 2 that are known to order 2.  Rosenbrock methods: the conditions that
 * rosenbrock_tableaus.c and rosenbrock_study.c name.  Gauss methods give up an order where they cannot meet the charges
 * (gauss.c). */
#define UNKNOWN NAN
const struct orders_method orders_methods[] = {
    {"euler", 0, "euler", {1, 1, 1, 1}, 0},
    {"bdf", 1, "bdf1", {1, 1, 1, 1}, 0},
    {"bdf", 2, "bdf2", {2, 2, 2, 2}, 0},
    {"bdf", 3, "bdf3", {3, 3, 3, 3}, 0},
    {"bdf", 4, "bdf4", {4, 4, 4, 4}, 0},
    {"bdf", 5, "bdf5", {5, 5, 5, 5}, 0},
    {"gear", 0, "gear", {2, 2, 2, 2}, 0},
    {"trap", 0, "trap", {2, 2, 2, 0}, 0},
    {"trbdf2", 0, "trbdf2", {2, 2, 2, 1}, 0},
    {"radau", 1, "radau1", {1, 1, 1, 1}, 0},
    {"radau", 3, "radau3", {3, 3, 2, 1}, 0},
    {"radau", 5, "radau5", {5, 5, 3, 2}, 0},
    {"radau", 9, "radau9", {9, 9, 5, 4}, 0},
    {"rodas", 0, "rodas", {4, 4, 1, 0}, 0},
    {"rodasp", 0, "rodasp", {4, 4, 2, UNKNOWN}, 0},
    {"row2", 0, "row2", {3, 3, 2, UNKNOWN}, 0},
    {"dae3s", 0, "dae3s", {3, 3, 1, UNKNOWN}, 0},
    {"dae4sf", 0, "dae4sf", {4, 4, 1, UNKNOWN}, 0},
    {"dae3ns", 0, "dae3ns", {3, 3, UNKNOWN, UNKNOWN}, 0},
    {"dae33ns", 0, "dae33ns", {3, 3, UNKNOWN, UNKNOWN}, 0},
    {"dae34ns", 0, "dae34ns", {3, 3, UNKNOWN, UNKNOWN}, 0},
    {"limex", 2, "limex2", {2, 2, 2, UNKNOWN}, 0},
    {"limex", 3, "limex3", {3, 3, 3, UNKNOWN}, 0},
    {"limex", 4, "limex4", {4, 4, 3, UNKNOWN}, 0},
    {"gauss2", 0, "gauss2", {2, 2, 1, UNKNOWN}, 0},
    {"gauss4", 0, "gauss4", {4, 4, 1, UNKNOWN}, 3},
    {.label = NULL},
};

/* Whether a row is one of a method, or the method is that one order of another: radau5. */
static bool is_of(const struct orders_method *m, const struct integrator_class *method)
{
    return names_equal(m->method, method->name) || names_equal(m->label, method->name);
}

bool orders_knows(const struct integrator_class *method)
{
    for (const struct orders_method *m = orders_methods; m->label; m++)
        if (is_of(m, method))
            return true;
    return false;
}

double orders_expected(const struct orders *o, const struct orders_method *m, enum orders_kind kind)
{
    const bool reduced = o->has_index2 && m->reduced > 0 && kind <= ORDERS_INDEX1;
    return reduced ? m->reduced : m->expected[kind];
}

/* ---- kinds of unknowns ---- */

static int kind_of(const struct index_analysis *a, const struct dae *dae, size_t i)
{
    const bool known = a && a->outcome == INDEX_KNOWN && a->order;
    const int derivatives = known ? a->order[i] : dae->classes[i] == DAE_INDEX2;
    if (derivatives > 0)
        return derivatives == 1 ? ORDERS_INDEX2 : derivatives == 2 ? ORDERS_INDEX3 : -1;
    return dae->classes[i] == DAE_DIFFERENTIAL || dae->classes[i] == DAE_INDEX2 ? ORDERS_DIFFERENTIAL : ORDERS_INDEX1;
}

static enum kn_status take_kinds(const struct setup *s, struct orders *out)
{
    const size_t n = (size_t)mna_unknown_count(s->mna);
    const struct index_options options = {.most_dense = MOST_DENSE};
    const struct index_point at = {0, s->operating};
    struct index_analysis *a = NULL;
    enum kn_status status = index_analyze(s->mna, s->topology, &at, &options, &a);
    if (status != KN_OK && status != KN_ERROR_CONVERGENCE)
        return status;
    out->n = n;
    out->names = calloc(n + 1, sizeof *out->names);
    out->kinds = calloc(n + 1, sizeof *out->kinds);
    out->scale = calloc(n + 1, sizeof *out->scale);
    status = out->names && out->kinds && out->scale ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; i < n && status == KN_OK; i++) {
        out->names[i] = strdup(mna_unknown(s->mna, (int)i)->name);
        out->kinds[i] = kind_of(a, mna_dae(s->mna), i);
        out->scale[i] = STILL * mna_typical_size(s->mna, (int)i);
        status = out->names[i] ? KN_OK : KN_ERROR_MEMORY;
    }
    index_free(a);
    return status;
}

static enum kn_status find_kinds(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d,
                                 struct orders *out)
{
    struct setup s = setup_of(c, o, d);
    struct analysis_summary unused = {0};
    enum kn_status status = setup_operating_point(&s, &unused);
    if (status == KN_OK)
        status = take_kinds(&s, out);
    setup_close(&s);
    return status;
}

/* ---- one run ---- */

struct trial {
    const struct circuit *circuit; /* that saves all unknowns */
    const struct analysis_options *options;
    const struct orders_request *request;
    struct orders *out;
};

/* From the row `from` on, the one at time t; the number of rows: there is none. */
static size_t find_row(const struct recording *r, size_t from, double t, double same)
{
    size_t k = from;
    while (k < r->rows && recording_time(r, k) < t - same)
        k++;
    return k < r->rows && recording_time(r, k) <= t + same ? k : r->rows;
}

/* values [times][n], NaN where the run has no step that ends there. */
static void take_common(const struct trial *t, const struct recording *r, double stop, double *values)
{
    const struct orders *out = t->out;
    const long coarsest = t->request->steps, first = coarsest - (long)out->times + 1;
    size_t row = 0;
    for (size_t k = 0; k < out->times; k++) {
        const double time = stop * (double)(first + (long)k) / (double)coarsest;
        const size_t found = find_row(r, row, time, SAME_TIME * stop);
        row = found < r->rows ? found : row;
        for (size_t i = 0; i < out->n; i++)
            values[k * out->n + i] = found < r->rows ? r->values[found * r->columns + 1 + i] : NAN;
    }
}

/* reason [160]: why a run has failed. */
static enum kn_status run_once(const struct trial *t, const struct orders_method *m, long steps, double *values,
                               char *reason)
{
    struct analysis_options o = *t->options;
    struct transient transient = t->circuit->transients[0];
    struct recording_outcome outcome;
    struct recording r;
    struct kn_diagnostics *d = kn_diagnostics_new();
    if (!d)
        return KN_ERROR_MEMORY;
    transient.start = 0;
    o.method = integrator_find(m->method);
    o.max_order = m->max_order;
    o.relative = TIGHT;
    o.progress = NULL;
    o.fixed_step = transient.stop / (double)steps;
    const struct recording_request request = {
        .circuit = t->circuit, .transient = &transient, .options = &o, .limit = t->request->limit};
    enum kn_status status = recording_make(&request, d, &r, &outcome);
    if (status == KN_OK && r.columns != t->out->n + 1)
        status = KN_ERROR_ARGUMENT;
    if (status == KN_OK)
        take_common(t, &r, transient.stop, values);
    else if (outcome.too_long)
        snprintf(reason, 160, "more than %g s for %ld steps", t->request->limit, steps);
    else
        recording_reason(d, reason, 160);
    recording_free(&r);
    kn_diagnostics_free(d);
    return outcome.too_long ? KN_ERROR_CONVERGENCE : status;
}

/* ---- errors ---- */

/* Largest of all unknowns of a kind at the common times, relative to their scales; NaN where a value is missing. */
static double deviation(const struct orders *o, enum orders_kind kind, const double *a, const double *b)
{
    double largest = 0;
    size_t met = 0;
    for (size_t k = 0; k < o->times; k++) {
        if (o->n > 0 && (isnan(a[k * o->n]) || isnan(b[k * o->n])))
            continue; /* a run whose steps were cut at corners has no point there */
        met++;
        for (size_t i = 0; i < o->n; i++) {
            const double error = o->kinds[i] == (int)kind ? fabs(a[k * o->n + i] - b[k * o->n + i]) / o->scale[i] : 0;
            largest = error <= largest ? largest : error;
        }
    }
    return met > 0 ? largest : NAN;
}

/* What errors are relative to: the largest value of each unknown in the best known run.  What does not move has none. */
static void find_scales(struct orders *o, const double *values)
{
    for (size_t i = 0; i < o->n; i++) {
        double largest = 0;
        for (size_t k = 0; k < o->times; k++)
            largest = fmax(largest, fabs(values[k * o->n + i]));
        if (!(largest > o->scale[i]))
            o->kinds[i] = -1;
        o->scale[i] = fmax(largest, o->scale[i]);
    }
    for (size_t i = 0; i < o->n; i++)
        if (o->kinds[i] >= 0)
            o->members[o->kinds[i]]++;
    o->has_index2 = o->members[ORDERS_INDEX2] + o->members[ORDERS_INDEX3] > 0;
}

/* The pair of references that agrees best. */
static void choose_judge(struct orders *o, enum orders_kind kind)
{
    o->judge[kind] = -1;
    o->limit[kind] = INFINITY;
    for (int k = 0; k + 1 < ORDERS_REFERENCES; k++) {
        if (!o->reference[k] || !o->reference[k + 1])
            continue;
        const double apart = deviation(o, kind, o->reference[k], o->reference[k + 1]);
        if (!(apart < o->limit[kind]))
            continue;
        o->limit[kind] = apart;
        o->judge[kind] = k + 1;
    }
}

static enum kn_status find_references(const struct trial *t, struct kn_diagnostics *d)
{
    static const struct orders_method radau = {"radau", REFERENCE_ORDER, "radau13", {0}, 0};
    struct orders *o = t->out;
    char reason[160] = "";
    const double *last = NULL;
    for (int k = 0; k < ORDERS_REFERENCES; k++) {
        double *values = malloc((o->times * o->n + 1) * sizeof *values);
        if (!values)
            return KN_ERROR_MEMORY;
        o->reference_steps[k] = t->request->steps * FIRST_REFERENCE << k;
        const enum kn_status status = run_once(t, &radau, o->reference_steps[k], values, reason);
        if (status == KN_OK)
            o->reference[k] = values;
        else
            free(values);
        last = o->reference[k] ? o->reference[k] : last;
        if (status != KN_OK && status != KN_ERROR_CONVERGENCE && status != KN_ERROR_CIRCUIT)
            return status;
    }
    if (!last) {
        diagnostics_add(d, KN_ERROR, "no-reference", NOWHERE, "more steps (--steps), or a shorter run, may help",
                        "no run of radau with equal steps reached the end, so there is nothing to compare with: %s",
                        reason);
        return KN_ERROR_CONVERGENCE;
    }
    find_scales(o, last);
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        choose_judge(o, (enum orders_kind)kind);
    return KN_OK;
}

/* ---- methods ---- */

/* Of the two shortest steps whose errors are above what cannot be told. */
static void find_order(const struct orders *o, enum orders_kind kind, struct orders_curve *c)
{
    c->order = NAN;
    c->level = -1;
    for (int k = ORDERS_LEVELS - 1; k > 0 && c->level < 0; k--) {
        const double fine = c->errors[k], coarse = c->errors[k - 1];
        if (!(fine > WELL_ABOVE * fmax(o->limit[kind], ROUNDING)) || !isfinite(coarse) ||
            !(coarse < LARGE || fine >= LARGE))
            continue;
        c->level = k;
        c->order = log2(coarse / fine);
    }
}

static enum kn_status run_method(const struct trial *t, double *values, struct orders_result *r)
{
    struct orders *o = t->out;
    for (int k = 0; k < ORDERS_LEVELS; k++) {
        const enum kn_status status = run_once(t, r->method, o->steps[k], values, r->reason);
        if (status != KN_OK && status != KN_ERROR_CONVERGENCE && status != KN_ERROR_CIRCUIT)
            return status;
        if (status == KN_OK)
            r->reason[0] = '\0';
        for (int kind = 0; kind < ORDERS_KINDS; kind++) {
            const int judge = o->judge[kind];
            const bool known = status == KN_OK && judge >= 0 && o->members[kind] > 0;
            r->curves[kind].errors[k] = known ? deviation(o, (enum orders_kind)kind, values, o->reference[judge]) : NAN;
        }
    }
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        find_order(o, (enum orders_kind)kind, &r->curves[kind]);
    return KN_OK;
}

static bool is_asked(const struct orders_request *r, const struct orders_method *m)
{
    for (size_t i = 0; i < r->method_count; i++)
        if (is_of(m, r->methods[i]))
            return true;
    return false;
}

static enum kn_status run_methods(const struct trial *t)
{
    const struct orders_request *r = t->request;
    struct orders *o = t->out;
    size_t total = 0;
    for (const struct orders_method *m = orders_methods; m->label; m++)
        total += is_asked(r, m);
    o->results = calloc(total + 1, sizeof *o->results);
    double *values = malloc((o->times * o->n + 1) * sizeof *values);
    enum kn_status status = o->results && values ? KN_OK : KN_ERROR_MEMORY;
    for (const struct orders_method *m = orders_methods; m->label && status == KN_OK; m++) {
        if (!is_asked(r, m))
            continue;
        if (r->progress)
            r->progress(t->options->context, (double)o->count / (double)total);
        o->results[o->count].method = m;
        status = run_method(t, values, &o->results[o->count]);
        o->count += status == KN_OK;
        if (status == KN_OK && r->done)
            r->done(t->options->context, o);
    }
    free(values);
    return status;
}

enum kn_status orders_run(const struct circuit *c, const struct analysis_options *o,
                          const struct orders_request *request, struct kn_diagnostics *d, struct orders *out)
{
    struct circuit all = *c;
    all.save_count = 0;
    all.print_count = 0;
    const struct trial t = {&all, o, request, out};
    *out = (struct orders){.times = (size_t)(request->steps - request->steps / 2 + 1)};
    for (int k = 0; k < ORDERS_LEVELS; k++)
        out->steps[k] = request->steps << k;
    if (c->transient_count == 0) {
        diagnostics_add(d, KN_ERROR, "no-transient", NOWHERE, "add a line such as  .tran 1u 1m",
                        "the deck asks for no transient analysis, so there are no steps to halve");
        return KN_ERROR_DECK;
    }
    enum kn_status status = find_kinds(c, o, d, out);
    if (status == KN_OK)
        status = find_references(&t, d);
    return status == KN_OK ? run_methods(&t) : status;
}

void orders_free(struct orders *o)
{
    for (size_t i = 0; i < o->n && o->names; i++)
        free(o->names[i]);
    for (int k = 0; k < ORDERS_REFERENCES; k++)
        free(o->reference[k]);
    free(o->names);
    free(o->kinds);
    free(o->scale);
    free(o->results);
    *o = (struct orders){0};
}
