/* settle.h - a first guess of a periodic orbit: a run in time until things have settled, and one period of it. */
#ifndef ANALYSES_PERIODIC_SETTLE_H
#define ANALYSES_PERIODIC_SETTLE_H

#include "analyses/periodic/orbit.h"
#include "analyses/setup.h"

struct settle_request {
    double period; /* s; of an oscillator about so */
    double time;   /* s, until things have settled about */
    int phase;     /* unknown of an oscillator that tells its phase; -1: the one that moves most */
    bool driven;   /* the period is that of the sources */
    struct kn_location where;
};

/* The steps of a run over one period and what it has gone through, free with orbit_free; of an oscillator the phase
 * unknown too, which is -1 for driven circuits.  KN_ERROR_CIRCUIT, reported, where nothing oscillates. */
enum kn_status settle(struct setup *s, const struct settle_request *request, struct orbit *out, int *phase,
                      struct analysis_summary *summary);

/* The same orbit on the steps of a run in time from its start: where edges have moved out of the short steps that were
 * meant for them.  Made like one of orbit_new. */
enum kn_status settle_anew(struct setup *s, const struct settle_request *request, const struct orbit *old,
                           struct orbit *out, struct analysis_summary *summary);

#endif
