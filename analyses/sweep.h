/* sweep.h - what .dc and .step sweep over: a source, an element, a parameter, the temperature, and its values. */
#ifndef ANALYSES_SWEEP_H
#define ANALYSES_SWEEP_H

#include "base/text.h"
#include "netlist/netlist.h"

struct sweep {
    struct override target; /* with one of the values: what counts instead of the deck's */
    int source;             /* element number of an independent source; -1: it is none */
    const char *name;       /* "v1", "temp", "npn2(bf)", in lower case */
    double *values;
    size_t count;
    struct kn_location where;
};

struct sweeps {
    struct sweep *items;
    size_t count;
};

/* What the reading of a card needs. */
struct sweep_reader {
    const struct circuit *circuit;
    const struct deck *deck; /* of the circuit; NULL: names of parameters are not checked */
    struct kn_diagnostics *diagnostics;
    struct arena *arena; /* where sweeps live */
};

/* The sweeps of a card, the innermost first, behind those that are there.  KN_ERROR_DECK where the card has an error. */
enum kn_status sweeps_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);

/* How many combinations of values there are; those of the first sweep change fastest. */
size_t sweeps_points(const struct sweeps *s);
/* values [s->count] of the i-th of them. */
void sweeps_values(const struct sweeps *s, size_t i, double *values);
/* items [s->count]: the overrides for these values. */
void sweeps_override(const struct sweeps *s, const double *values, struct override *items);
/* "v1 = 2, r1 = 1000" */
void sweeps_describe(const struct sweeps *s, const double *values, struct text *out);

#endif
