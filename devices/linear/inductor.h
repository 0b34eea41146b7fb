/* inductor.h - what couplings need to know of inductors. */
#ifndef DEVICES_LINEAR_INDUCTOR_H
#define DEVICES_LINEAR_INDUCTOR_H

#include "devices/linear/passive.h"

/* Parameters of the inductors in->elements; see passive_read. */
enum kn_status inductor_read(const struct device_input *in, struct arena *arena, struct passive **out);

/* Inductance at the circuit's temperature (degrees Celsius), all parallel ones together, H. */
double inductor_value(const struct passive *p, double temperature);

#endif
