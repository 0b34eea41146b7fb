/* hidden_constraints.h - index-2 unknowns from the hidden constraints: the derivatives of those equations that no charge enters.
 *
 * With d/dt q(x) + f(x, t) = 0 split into equations with charges (d) and without (a), the increments of a step h obey
 *     (C_d / h + G_d) dx = -(f_d + q_t + h f_t),     G_a dx = -h f_t,a:
 * the second line is a derivative, so the residual of f_a itself, pure round-off, does not come in divided by h as it
 * would in a step of the equations as they stand.  For h -> 0 only index-2 unknowns keep an increment.
 */
#ifndef MNA_START_HIDDEN_CONSTRAINTS_H
#define MNA_START_HIDDEN_CONSTRAINTS_H

#include "mna/mna.h"

/* Adds to x [n], which obeys all but the hidden constraints, up to errors of a step, what it lacks at `time`.  h (s) is
 * a step short against all time constants.  Leaves x alone where the equations turn out singular. */
enum kn_status hidden_complete(struct mna *m, double time, double h, double *x);

/* The same at corners of sources, one after the other: patterns and factors are kept between them. */
struct hidden;
enum kn_status hidden_new(struct mna *m, struct hidden **out);
void hidden_free(struct hidden *s);

enum hidden_turn {
    HIDDEN_STAYED,   /* x is consistent on the far side, too */
    HIDDEN_MOVED,    /* index-2 unknowns have moved, and what follows from them */
    HIDDEN_NONLINEAR /* they enter so nonlinearly that x [n], unchanged, needs Newton's method */
};

/* x [n], consistent on the near side of a corner at `time`, becomes so on the far side; visible values stay. */
enum kn_status hidden_turn(struct hidden *s, double time, double *x, enum hidden_turn *result);

#endif
