/* frequency_response.h - the transfer that a table of frequencies tells (struct frequency_table). */
#ifndef DEVICES_BEHAVIOURAL_FREQUENCY_RESPONSE_H
#define DEVICES_BEHAVIOURAL_FREQUENCY_RESPONSE_H

#include "netlist/response.h"

#include <complex.h>

/* H and dH/dw at w (1/s); at a point of the table the slope is that to the right. */
double complex frequency_response(const struct frequency_table *t, double w, double complex *slope);

#endif
