/* phasors.h - the columns of a small-signal result and how they come from a response. */
#ifndef ANALYSES_SMALL_SIGNAL_PHASORS_H
#define ANALYSES_SMALL_SIGNAL_PHASORS_H

#include "analyses/measure/signals.h"
#include "analyses/small_signal/response.h"

struct phasor_source {
    int plus, minus; /* unknowns from 0, -1 is ground */
    int element;     /* whose current it is, where that is no unknown; else -1 */
    int signal;      /* an expression, number of the signal; else -1 */
    enum request_part part;
    int terminal; /* of the element */
};

struct phasors {
    const struct response *response;
    struct kn_column *names; /* [names_count] frequency first; complex vectors have two */
    size_t name_count, name_capacity;
    struct phasor_source *list;
    size_t count, capacity;
    bool needs_slopes; /* a group delay wants dX/dw */
    struct signal_set set;
    struct signal *signals; /* expressions */
    size_t signal_count;
    struct probes probes; /* of their variables */
    double *values;       /* [signals_numbers] */
};

/* What .save chooses or else every unknown, then what .print ac mentions besides.  Free with phasors_free, also after a
 * failure. */
enum kn_status phasors_init(struct phasors *p, const struct response *r);
void phasors_free(struct phasors *p);

/* row [name_count] */
void phasors_fill(const struct phasors *p, double *row);

#endif
