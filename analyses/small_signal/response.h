/* response.h - the response of the circuit to the phasors of its sources at one frequency, and its derivative with respect
 * to the angular frequency. */
#ifndef ANALYSES_SMALL_SIGNAL_RESPONSE_H
#define ANALYSES_SMALL_SIGNAL_RESPONSE_H

#include "analyses/probes.h"
#include "analyses/small_signal/linear.h"
#include "netlist/expression/expression_phasor.h"

struct response {
    struct linear *linear;
    double complex *excitation; /* [n] B, the same at all frequencies */
    double complex *sources;    /* [elements] phasors of independent sources */
    double frequency;           /* Hz, of what follows */
    double complex *X, *slope;  /* [n] and dX/dw */
    double *workspace;          /* [4 n] */
    double complex *rates;      /* [n] */
};

/* Without sources so far; response_free also after a failure. */
enum kn_status response_init(struct response *r, struct linear *l);
void response_free(struct response *r);
/* At a frequency (Hz); the slope only where it is wanted. */
enum kn_status response_at(struct response *r, double frequency, bool with_slope);

/* Of unknowns from 0, -1 is ground. */
struct phasor response_voltage(const struct response *r, int plus, int minus);
/* Of an element without a current of its own. */
struct phasor response_current(const struct response *r, struct mna_terminal of, bool with_slope);
/* values [4 p->count] as signals.h has them. */
void response_read(const struct response *r, const struct probes *p, double *values);

#endif
