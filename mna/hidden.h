/* hidden.h - index-2 unknowns from the hidden constraints: the derivatives of those equations that no charge enters.
 *
 * With d/dt q(x) + f(x, t) = 0 split into equations with charges (d) and without (a), the increments of a step h obey
 *     (C_d / h + G_d) dx = -(f_d + q_t + h f_t),     G_a dx = -h f_t,a:
 * the second line is a derivative, so the residual of f_a itself, pure round-off, does not come in divided by h as it
 * would in a step of the equations as they stand.  For h -> 0 only index-2 unknowns keep an increment.
 */
#ifndef MNA_HIDDEN_H
#define MNA_HIDDEN_H

#include "mna/mna.h"

/* Adds to x [n], which obeys all but the hidden constraints, up to errors of a step, what it lacks at `time`.  h (s) is
 * a step short against all time constants.  Leaves x alone where the equations turn out singular. */
enum kn_status hidden_complete(struct mna *m, double time, double h, double *x);

#endif
