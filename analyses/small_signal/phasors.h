/* phasors.h - the columns of a small-signal result and how they come from a solution X and its slope dX/dw. */
#ifndef ANALYSES_SMALL_SIGNAL_PHASORS_H
#define ANALYSES_SMALL_SIGNAL_PHASORS_H

#include "analyses/small_signal/linear.h"

struct phasor_source {
    int plus, minus; /* unknowns from 0, -1 is ground */
    int element;     /* whose current it is, where that is no unknown; else -1 */
    enum request_part part;
};

struct phasors {
    struct linear *linear;
    const double complex *sources; /* [elements] phasors of independent sources */
    struct kn_column *names;       /* [names_count] frequency first; complex vectors have two */
    size_t name_count, name_capacity;
    struct phasor_source *list;
    size_t count, capacity;
    bool needs_slopes; /* a group delay wants dX/dw */
    double *workspace; /* [4 n] */
    double complex *rates;
};

/* What .save chooses or else every unknown, then what .print ac mentions besides.  Free with phasors_free, also after a
 * failure. */
enum kn_status phasors_init(struct phasors *p, struct linear *l, const double complex *sources);
void phasors_free(struct phasors *p);

/* row [name_count]; slope may be NULL when needs_slopes is false. */
void phasors_fill(const struct phasors *p, double frequency, const double complex *X, const double complex *slope,
                  double *row);

#endif
