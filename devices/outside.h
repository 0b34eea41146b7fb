/* outside.h - values that a program around the simulation gives to sources, while it runs. */
#ifndef DEVICES_OUTSIDE_H
#define DEVICES_OUTSIDE_H

#include "devices/instant.h"
#include "netlist/circuit.h"

#include <stdbool.h>

struct outside {
    void *context;
    /* The value (V, A) of an element at a time (s; the operating point: 0); false: there is none any more, and the run is
     * to end.  *rate is its time derivative, NaN where it is not known. */
    bool (*value)(void *context, const struct element *e, double time, double *value, double *rate);
    double span; /* s, of the run */
};

/* NaN where there is none.  Times before a corner that is still to come are handed over as such, however near. */
double outside_value(const struct outside *o, const struct element *e, struct instant when);
double outside_rate(const struct outside *o, const struct element *e, struct instant when);

#endif
