/* pair_diode.h - a junction between two nodes as a part of a larger device: body and bulk diodes. */
#ifndef DEVICES_SEMICONDUCTOR_PAIR_DIODE_H
#define DEVICES_SEMICONDUCTOR_PAIR_DIODE_H

#include "devices/batch.h"
#include "devices/junction/diode_law.h"

struct pair_diode {
    struct diode_law law;
    double sign;        /* 1: anode and cathode are these; -1: the other way round */
    int anode, cathode; /* unknowns */
    double previous;    /* voltage at the evaluation before, for limiting */
    int slots[4];
};

bool pair_diode_connect(struct pair_diode *d, struct device_setup *s);
/* Voltage in the sense of the junction. */
double pair_diode_voltage(const struct pair_diode *d, const double *x);
void pair_diode_eval(struct pair_diode *d, const struct device_point *at, const struct device_stamp *out);
/* Current out of `anode` into it, displacement included, in the sense of the circuit. */
double pair_diode_flow(const struct pair_diode *d, const struct device_probe *at);

#endif
