/* deck_rows.h - runs the text of a deck through the library and keeps the rows of its last table. */
#ifndef TESTS_DECK_ROWS_H
#define TESTS_DECK_ROWS_H

#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct deck_rows {
    double *values; /* [count][columns], the first column is time */
    size_t columns, count, room;
    struct kn_summary summary;
    enum kn_status status;
};

static inline enum kn_status deck_rows_begin(void *context, const struct kn_table *table)
{
    struct deck_rows *r = context;
    r->columns = table->column_count;
    r->count = 0;
    return KN_OK;
}

static inline enum kn_status deck_rows_row(void *context, const double *values)
{
    struct deck_rows *r = context;
    if ((r->count + 1) * r->columns > r->room) {
        r->room = 2 * r->room + 1000 * r->columns;
        double *more = realloc(r->values, r->room * sizeof(double));
        if (!more)
            return KN_ERROR_MEMORY;
        r->values = more;
    }
    memcpy(r->values + r->count++ * r->columns, values, r->columns * sizeof(double));
    return KN_OK;
}

static inline enum kn_status deck_rows_end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

/* reltol 0: that of the deck.  The caller frees values. */
static inline struct deck_rows deck_rows(const char *deck, const char *method, double reltol)
{
    struct deck_rows r = {.count = 0};
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {&r, deck_rows_begin, deck_rows_row, deck_rows_end};
    const struct kn_options options = {.method = method, .reltol = reltol};
    r.status = run_text(deck, &options, d, &sink, &r.summary);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    for (size_t i = 0; r.status != KN_OK && i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_diagnostics_free(d);
    return r;
}

static inline const double *deck_row(const struct deck_rows *r, size_t i)
{
    return r->values + i * r->columns;
}

/* On the straight line between the rows around a time; *i: where to begin, moves on. */
static inline double deck_rows_at(const struct deck_rows *r, size_t *i, double time, size_t column)
{
    while (*i + 2 < r->count && deck_row(r, *i + 1)[0] < time)
        ++*i;
    const double *a = deck_row(r, *i), *b = deck_row(r, *i + 1);
    const double part = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 1;
    return a[column] + fmin(fmax(part, 0), 1) * (b[column] - a[column]);
}

/* Largest magnitude in the rows from a time on. */
static inline double deck_rows_largest(const struct deck_rows *r, double from, size_t column)
{
    double largest = 0;
    for (size_t i = 0; i < r->count; i++)
        if (deck_row(r, i)[0] >= from)
            largest = fmax(largest, fabs(deck_row(r, i)[column]));
    return largest;
}

/* A claim that a value is at most a bound; says by what deck and method it is more. */
static inline void at_most(double value, double bound, const char *what, const char *method, double reltol,
                           const char *deck)
{
    const bool good = value <= bound;
    CU_ASSERT_TRUE(good);
    if (!good)
        fprintf(stderr, "\n%s is %g, more than %g, with %s at reltol %g:\n%s", what, value, bound, method, reltol,
                deck);
}

#endif
