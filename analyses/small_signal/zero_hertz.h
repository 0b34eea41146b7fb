/* zero_hertz.h - small signals at 0 Hz where f alone leaves unknowns open: what they tend to as the frequency falls.
 *
 * Nodes that only capacitors join to the rest, and currents around loops of inductors, are determined at every frequency
 * but 0, where their equations say nothing.  In the limit the charge of such nodes and the flux of such a loop are those
 * that no signal has brought there: 0.  (G + R C) X' = B + R C X, with rates R in the equations in question only, begun at
 * X = 0, keeps these charges and goes to the limit; where B brings charge or flux without end, X grows by the same amount
 * each time, and its limit is infinite.
 */
#ifndef ANALYSES_SMALL_SIGNAL_ZERO_HERTZ_H
#define ANALYSES_SMALL_SIGNAL_ZERO_HERTZ_H

#include "analyses/setup.h"

#include <complex.h>

struct zero_hertz;

/* *out: NULL where the graph of the circuit leaves nothing open. */
enum kn_status zero_hertz_new(const struct setup *s, const double *C, struct zero_hertz **out);
void zero_hertz_free(struct zero_hertz *s);

/* A [entries + 1] of 0 Hz := A + R C */
void zero_hertz_complete(const struct zero_hertz *s, const double *C, double complex *A);
/* B [n] := the limit of A^-1 B, or of A^-T B, by the factors of what is complete.  The number of the unknown that grows
 * without end and that is the first of them, which is infinite then; -1: none. */
int zero_hertz_solve(struct zero_hertz *s, struct sparse_zlu *lu, const double *C, bool transposed, double complex *B);
/* Whether nobody has asked before. */
bool zero_hertz_is_news(struct zero_hertz *s);

#endif
