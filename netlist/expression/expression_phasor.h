/* expression_phasor.h - the value of an expression of phasors, where node voltages and currents are complex. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_PHASOR_H
#define NETLIST_EXPRESSION_EXPRESSION_PHASOR_H

#include "netlist/expression/expression.h"
#include "netlist/functions/operations.h"

#include <complex.h>

/* Begins with what four doubles are: real and imaginary part of the value and of its derivative, d/dw, in s. */
struct phasor {
    double complex value, slope;
};

struct phasor_point {
    const struct phasor *variables; /* in the order of expression_variables */
    double scale;                   /* what `time` stands for */
    double temperature;             /* degrees Celsius */
};

/* workspace [expression_workspace] */
struct phasor expression_phasor(const struct expression *e, const struct phasor_point *at, struct phasor *workspace);

/* Whether its value may have an imaginary part: v(a)/v(b) does, vdb(a) - vdb(b) does not.  workspace
 * [expression_workspace] */
bool expression_is_phasor(const struct expression *e, bool *workspace);

/* Whether an operation looks at complex numbers, not at their real parts. */
bool expression_is_of_phasors(enum operation op);

/* Whether its value is the phase of something, in degrees, which 360 may be added to. */
bool expression_is_phase(const struct expression *e);

#endif
