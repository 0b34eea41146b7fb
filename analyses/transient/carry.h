/* carry.h - a transient that goes on with other values: where the run with the values before has come to.
 *
 * Who holds a run up wishes that it end at the end of its last step.  What the elements store stays: charges and fluxes,
 * by the names of their nodes and branches, and so does what elements remember: waves in lines and delays, sides of switches,
 * states of logic and its events to come.  Everything else is made consistent with the new values (consistent.h), from where the run goes
 * on to tstop.
 */
#ifndef ANALYSES_TRANSIENT_CARRY_H
#define ANALYSES_TRANSIENT_CARRY_H

#include "analyses/transient/starting.h"
#include "integrators/integrator.h"

#include <stdatomic.h>

struct carry {
    atomic_bool wished;    /* by another thread: the run is to end where it is */
    atomic_bool under_way; /* in a transient that can be left so */
    bool again;            /* the run begins with that transient, not with the first analysis of the deck */
    size_t number;         /* of that transient in the deck */
    bool taken;            /* the following is known; false: no step has been made, the run begins anew */
    double time;           /* s */
    struct arena *memory;
    struct name_table *points;   /* of an unknown: its value and charge */
    struct name_table *memories; /* of an element: what it remembers besides */
};

/* Keeps the point where a method is, if that is wished, and returns KN_INTERRUPTED then; c may be NULL. */
enum kn_status carry_leave(struct carry *c, struct mna *m, const struct integrator *at,
                           const struct transient *request);
/* Where the run goes on, x [n] of equations with other values; *k as in starting_values. */
enum kn_status carry_over(struct carry *c, struct setup *s, const struct transient *request, struct consistent *k,
                          double *x);
/* The run begins there: devices remember what they did, whatever has been asked of them meanwhile; what is kept is then forgotten. */
enum kn_status carry_begin(struct carry *c, struct setup *s);
void carry_forget(struct carry *c);

#endif
