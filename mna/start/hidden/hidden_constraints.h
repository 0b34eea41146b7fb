/* hidden_constraints.h - index-2 unknowns from the hidden constraints, the derivatives of the equations without charge.
 *
 * With d/dt q(x) + f(x, t) = 0 split into equations with charges (d) and without (a), the increments of a step h obey
 *     (C_d / h + G_d) dx = -(f_d + q_t + h f_t),     G_a dx = -h f_t,a:
 * the second line is a derivative, so the residual of f_a itself, pure round-off, does not come in divided by h as it
 * would in a step of the equations as they stand.  For h -> 0 only index-2 unknowns keep an increment.
 */
#ifndef MNA_START_HIDDEN_CONSTRAINTS_H
#define MNA_START_HIDDEN_CONSTRAINTS_H

#include "mna/mna.h"

/* Patterns and factors are kept from one time to the next. */
struct hidden_constraints;
enum kn_status hidden_constraints_new(struct mna *m, struct hidden_constraints **out);
void hidden_constraints_free(struct hidden_constraints *s);

/* Adds to x [n], which obeys all but the hidden constraints, up to errors of a step, what it lacks at `time`.  h (s) is
 * a step short against all time constants.  Leaves x alone where the equations turn out singular. */
enum kn_status hidden_constraints_complete(struct hidden_constraints *s, double time, double h, double *x);

/* slope [n] := x' at x [n], which obeys all equations: x moves over the step h (s), linearised, divided by h. */
enum kn_status hidden_constraints_slope(struct hidden_constraints *s, double time, double h, const double *x,
                                        double *slope);

/* slope [n], about x', becomes x' at a point of a run: the currents of charges are those that equations with charge lack.  Where no
 * slope makes these add up, or the point is not solved, it does unless that makes currents larger. */
enum kn_status hidden_constraints_slope_inside(struct hidden_constraints *s, const struct dae_point *at, double *slope);

/* x [n], which obeys all equations at `time` but those with second derivatives and higher ones: these, too. */
enum kn_status hidden_constraints_begin(struct hidden_constraints *s, double time, int index, double *x);

enum hidden_constraints_turn {
    HIDDEN_CONSTRAINTS_STAYED,   /* x is consistent on the far side, too */
    HIDDEN_CONSTRAINTS_MOVED,    /* index-2 unknowns have moved, and what follows from them */
    HIDDEN_CONSTRAINTS_NONLINEAR /* they enter so nonlinearly that x [n], unchanged, needs Newton's method */
};

/* x [n], consistent on the near side of a corner at `time`, becomes so on the far side; visible values stay, but for what
 * impulses add to them where the index is above 2. */
enum kn_status hidden_constraints_turn(struct hidden_constraints *s, double time, int index, double *x,
                                       enum hidden_constraints_turn *result);

/* x [n], a point of a run at `time` within a step of that size (s), which obeys all but the hidden constraints: unknowns
 * without charge become what these demand; the others stay.  index: 2 or more, of the equations; second derivatives and
 * higher ones are limits of difference quotients within the step.  Leaves x alone where the equations turn out singular.
 * known: f, G, C, dfdt and dqdt at x; NULL: they are evaluated. */
enum kn_status hidden_constraints_follow(struct hidden_constraints *s, double time, double step, int index,
                                         const struct dae_values *known, double *x);

#endif
