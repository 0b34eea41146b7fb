/* frequency_response.h - the transfer that a table of frequencies or a formula of s tells (struct response). */
#ifndef DEVICES_BEHAVIOURAL_FREQUENCY_RESPONSE_H
#define DEVICES_BEHAVIOURAL_FREQUENCY_RESPONSE_H

#include "netlist/expression/expression_phasor.h"
#include "netlist/response.h"

/* Radians of a turn. */
#define RESPONSE_TWO_PI 6.28318530717958647692

/* H and dH/dw at w (1/s) of a response without its delay; at a point of a table the slope is that to the right, and without table and
 * formula H is 1.  workspace: [expression_workspace(r->of_s)], of formulas only. */
double complex frequency_response(const struct response *r, double w, struct phasor *workspace, double complex *slope);

/* Nepers and radians of row k of a table. */
double complex frequency_table_exponent(const struct frequency_table *t, size_t k);

#endif
