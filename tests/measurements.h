/* measurements.h - runs the text of a deck through the library and keeps the results of .measure. */
#ifndef TESTS_MEASUREMENTS_H
#define TESTS_MEASUREMENTS_H

#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <string.h>

enum { MOST = 60, MOST_ROWS = 60000 };

struct results {
    struct kn_measurement items[MOST];
    char names[MOST][40];
    int count, warnings;
    long rows;
    double time[MOST_ROWS], value[MOST_ROWS]; /* first two columns of a transient */
};

static inline enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context, (void)table;
    return KN_OK;
}

static inline enum kn_status row(void *context, const double *values)
{
    struct results *r = context;
    if (r->rows < MOST_ROWS) {
        r->time[r->rows] = values[0];
        r->value[r->rows++] = values[1];
    }
    return KN_OK;
}

static inline enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static inline void take(void *context, const struct kn_measurement *m)
{
    struct results *r = context;
    CU_ASSERT_FATAL(r->count < MOST);
    r->items[r->count] = *m;
    snprintf(r->names[r->count++], sizeof r->names[0], "%s", m->name);
}

static inline struct results *run(const char *deck, const char *method, double reltol)
{
    static struct results r;
    r.count = r.warnings = 0;
    r.rows = 0;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {&r, begin, row, end};
    const struct kn_options options = {.method = method, .reltol = reltol, .measured = take, .context = &r};
    enum kn_status status = run_text(deck, &options, d, &sink, NULL);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++) {
        r.warnings += kn_diagnostics_get(d, i)->severity == KN_WARNING;
        if (status != KN_OK)
            kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    }
    CU_ASSERT_EQUAL(status, KN_OK);
    kn_diagnostics_free(d);
    return &r;
}

static inline const struct kn_measurement *result(const struct results *r, const char *name)
{
    static const struct kn_measurement none = {.value = NAN};
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->names[i], name) == 0)
            return &r->items[i];
    CU_FAIL("no such measurement");
    fprintf(stderr, "no measurement '%s'\n", name);
    return &none;
}

#define CHECK_RESULT(r, name, expected, tolerance)                                                                     \
    do {                                                                                                               \
        const double value_ = result(r, name)->value, expected_ = expected, tolerance_ = tolerance;                    \
        if (!(fabs(value_ - expected_) <= tolerance_))                                                                 \
            fprintf(stderr, "%s = %.15g, expected %.15g +- %g\n", name, value_, expected_, tolerance_);                \
        CU_ASSERT(fabs(value_ - expected_) <= tolerance_);                                                             \
    } while (0)

#endif
