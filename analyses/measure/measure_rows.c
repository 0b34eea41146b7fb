/* measure_rows.c - see measure_rows.h. */
#include "analyses/measure/measure_rows.h"

#include "base/names.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum kn_status measure_rows_init(struct measure_rows *r, const struct circuit *c, enum measure_domain domain,
                                 double *results, const struct measure_listener *listener, const struct kn_sink *next)
{
    const struct measure_curve curve = {.domain = domain, .straight = true, .exact = 1e-7, .unit = " Hz"};
    *r = (struct measure_rows){
        .circuit = c, .listener = *listener, .next = next, .straight = domain != MEASURE_OF_NOISE};
    if (!listener->measured)
        return KN_OK;
    const enum kn_status status = results ? measure_new(c, &curve, results, &r->measurements) : KN_ERROR_MEMORY;
    if (status != KN_OK || !r->measurements)
        return status;
    const size_t count = measure_signals(r->measurements)->count + 1;
    r->columns = calloc(count, sizeof *r->columns);
    r->begin = calloc(count, sizeof *r->begin);
    r->end = calloc(count, sizeof *r->end);
    return r->columns && r->begin && r->end ? KN_OK : KN_ERROR_MEMORY;
}

void measure_rows_free(struct measure_rows *r)
{
    measure_free(r->measurements);
    free(r->columns);
    free(r->begin);
    free(r->end);
}

/* onoise is onoise_spectrum. */
static size_t column_of(const struct kn_table *t, const char *name)
{
    char longer[100];
    snprintf(longer, sizeof longer, "%s_spectrum", name);
    for (size_t i = 0; i < t->column_count; i++)
        if (names_equal(t->columns[i].name, name) || names_equal(t->columns[i].name, longer))
            return i;
    return SIZE_MAX;
}

static void find_columns(struct measure_rows *r, const struct kn_table *t)
{
    const struct signal_set *set = measure_signals(r->measurements);
    for (size_t i = 0; i < set->count; i++) {
        const struct expression_variable *v = &set->variables[i];
        const char *name = v->kind == EXPRESSION_VECTOR ? r->circuit->vectors[v->index] : NULL;
        r->columns[i] = name ? column_of(t, name) : SIZE_MAX;
        if (r->columns[i] == SIZE_MAX)
            diagnostics_add(
                r->listener.diagnostics, KN_WARNING, "measure-failed", v->where,
                r->straight ? "results at ports are s21(db), zin(r) and the like, each as a signal of its own"
                            : "there are onoise, inoise, gain, and onoise_ with the name of a device",
                name ? "there is no result '%s' to measure" : "this is no result of the analysis%s", name ? name : "");
    }
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct measure_rows *r = context;
    if (r->measurements)
        find_columns(r, t);
    return r->next->begin(r->next->context, t);
}

static double between(const struct measure_rows *r, double a, double b, double at)
{
    const double from = r->from, to = r->to;
    if (!r->straight && a > 0 && b > 0 && from > 0 && to > 0)
        return a * pow(b / a, log(at / from) / log(to / from));
    return a + (b - a) * (at - from) / (to - from);
}

static enum kn_status look(void *context, double at, double *values)
{
    const struct measure_rows *r = context;
    for (size_t i = 0; i < measure_signals(r->measurements)->count; i++)
        values[i] = between(r, r->begin[i], r->end[i], at);
    return KN_OK;
}

static enum kn_status measure(struct measure_rows *r, const double *values)
{
    double *swapped = r->begin;
    r->begin = r->end;
    r->end = swapped;
    r->from = r->to;
    r->to = values[0];
    for (size_t i = 0; i < measure_signals(r->measurements)->count; i++)
        r->end[i] = r->columns[i] < SIZE_MAX ? values[r->columns[i]] : NAN;
    const struct measure_piece piece = {
        r->begun ? r->from : r->to, r->to, r->begun ? r->begin : r->end, r->end, {r, look}};
    r->begun = true;
    return measure_piece(r->measurements, &piece);
}

static enum kn_status row(void *context, const double *values)
{
    struct measure_rows *r = context;
    const enum kn_status status = r->next->row(r->next->context, values);
    return status == KN_OK && r->measurements ? measure(r, values) : status;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct measure_rows *r = context;
    const enum kn_status ended = r->next->end(r->next->context, outcome);
    if (ended != KN_OK || outcome != KN_OK || !r->measurements)
        return ended;
    return measure_report(r->measurements, NULL, &r->listener);
}

struct kn_sink measure_rows_sink(struct measure_rows *r)
{
    return (struct kn_sink){r, begin, row, end};
}
