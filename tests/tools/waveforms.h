/* waveforms.h - tables of numbers over time as simulators write them, read back for the tests.
 *
 * Understands SPICE3 raw files (binary and ASCII, several plots in one file) and CSV with a header row.  Deliberately
 * shares no code with the product: a writer and a reader that agree on a wrong format would prove nothing.
 */
#ifndef TESTS_TOOLS_WAVEFORMS_H
#define TESTS_TOOLS_WAVEFORMS_H

#include <stdbool.h>
#include <stddef.h>

struct waveforms {
    char **names;   /* [columns], lower case, in the spelling of canonical_name */
    double *values; /* [rows * columns], row by row; column 0 is time */
    size_t columns, rows;
};

/* Reads the plot over time of a file (the first one when none is over time).  Complains on stderr and returns false
 * when the file is not what its header says: wrong point count, missing values, trailing text. */
bool waveforms_read(const char *path, struct waveforms *out);
void waveforms_free(struct waveforms *w);

/* Column of this name, or -1. */
int waveforms_find(const struct waveforms *w, const char *name);

static inline double waveforms_time(const struct waveforms *w, size_t row)
{
    return w->values[row * w->columns];
}

static inline double waveforms_value(const struct waveforms *w, size_t row, size_t column)
{
    return w->values[row * w->columns + column];
}

/* A reading place that moves forward in time. */
struct cursor {
    const struct waveforms *of;
    size_t row;
};

/* Moves to the interval that holds t (t must not decrease from call to call). */
void cursor_seek(struct cursor *c, double t);
/* Value at t by straight line between rows. */
double cursor_value(const struct cursor *c, double t, size_t column);

#endif
