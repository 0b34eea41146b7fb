/* heat.h - how far the temperature of a device that heats itself may move between two evaluations. */
#ifndef DEVICES_JUNCTION_HEAT_H
#define DEVICES_JUNCTION_HEAT_H

#include "devices/junction/number.h"

#include <stdbool.h>

/* Saturation currents grow as e^(-Eg/kT); a step that changes them by e^2 at most, 14 K at room temperature, is about what
 * the limit of junctions leaves of a voltage.  Never down to 0 K.  Rises are above `kelvin`. */
static inline double heat_limit(double kelvin, double rise, double previous)
{
    const double gap = 13000, before = fmax(kelvin + previous, 1), most = 2 * before * before / gap; /* 1.12 eV */
    return fmax(fmin(rise, previous + most), previous - most);
}

/* A temperature, with its derivative by itself where it is a state; laws end at 1 K. */
static inline warm_number heat_number(double kelvin, bool is_state)
{
    return kelvin > 1 ? warm_of(kelvin, is_state) : 1;
}

#endif
