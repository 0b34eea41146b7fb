/* deck_tables.h - runs the text of a deck through the library and keeps all its tables with the names of their columns. */
#ifndef TESTS_DECK_TABLES_H
#define TESTS_DECK_TABLES_H

#include "deck_rows.h"
#include "run_text.h"

#include <complex.h>
#include <stdio.h>

enum { TABLES_MOST = 6, TABLES_COLUMNS = 400 };

struct deck_table {
    struct deck_rows rows;
    char plot[60];
    char names[TABLES_COLUMNS][40];
    bool imaginary[TABLES_COLUMNS + 1];
};

struct deck_tables {
    struct deck_table tables[TABLES_MOST];
    size_t count;
    enum kn_status status;
};

static inline enum kn_status deck_tables_begin(void *context, const struct kn_table *table)
{
    struct deck_tables *t = context;
    if (t->count == TABLES_MOST || table->column_count > TABLES_COLUMNS)
        return KN_ERROR_ARGUMENT;
    struct deck_table *to = &t->tables[t->count++];
    snprintf(to->plot, sizeof to->plot, "%s", table->plot);
    for (size_t i = 0; i < table->column_count; i++) {
        snprintf(to->names[i], sizeof to->names[i], "%s", table->columns[i].name);
        to->imaginary[i] = table->columns[i].quantity == KN_IMAGINARY;
    }
    return deck_rows_begin(&to->rows, table);
}

static inline enum kn_status deck_tables_row(void *context, const double *values)
{
    struct deck_tables *t = context;
    return deck_rows_row(&t->tables[t->count - 1].rows, values);
}

/* Of a deck that runs; free with deck_tables_free. */
static inline struct deck_tables *deck_tables(const char *deck, double reltol)
{
    struct deck_tables *t = calloc(1, sizeof *t);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {t, deck_tables_begin, deck_tables_row, deck_rows_end};
    const struct kn_options options = {.reltol = reltol};
    struct kn_summary summary;
    t->status = run_text(deck, &options, d, &sink, &summary);
    CU_ASSERT_EQUAL(t->status, KN_OK);
    for (size_t i = 0; t->status != KN_OK && i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_diagnostics_free(d);
    return t;
}

static inline void deck_tables_free(struct deck_tables *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->tables[i].rows.values);
    free(t);
}

/* Row k of a vector of table i by its name; NAN if there is none. */
static inline double complex deck_tables_value(const struct deck_tables *t, size_t i, size_t k, const char *name)
{
    const struct deck_table *from = &t->tables[i];
    for (size_t n = 0; i < t->count && k < from->rows.count && n < from->rows.columns; n++)
        if (strcmp(from->names[n], name) == 0) {
            const double *at = deck_row(&from->rows, k) + n;
            return CMPLX(at[0], from->imaginary[n + 1] ? at[1] : 0);
        }
    return NAN;
}

#endif
