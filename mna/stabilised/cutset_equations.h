/* cutset_equations.h - equations in which charges do not drown what stands beside them.
 *
 * Where a part of a circuit is joined by capacitances and hangs on the rest by anything else - the secondary of a transformer
 * behind its diodes, the node between two coupling capacitors - no equation of a node says what its common voltage obeys: the
 * currents into the whole part add to zero, and the charges do not matter.  A step of h has C/h on every node and 1/R or h/L
 * of the rest beside it, which rounding takes away as soon as h is shorter than 1e-16 R C or h^2 than 1e-16 L C: microseconds
 * for 1 uF and 1 Gohm, 1e-13 s for 2 nF and 5 mH.  So the sum of the equations of such a part stands in place of that of its last
 * node, with charges that are exactly none:
 *
 *     Q_C' A_C = 0,    Q_C' (f(x, t)) = 0
 *
 * the constraint by which Estevez Schwarz and Tischendorf (Int. J. Circuit Theory Appl. 28, 2000) tell the index; A_C incidence
 * of capacitances, columns of Q_C ones on the nodes of a part without a capacitance to ground.  The solution is the same.  Where a
 * part hangs on coils alone, the currents of these add to zero, which is said of them and of nothing inside; so it is of the
 * currents of resistances, since a sum of what flows through 14 S at 10 V has 1e-14 A of rounding, a microvolt at 100 Mohm, which
 * is no part of the solution and made steps fall to picoseconds.  The same is said of all that resistances hold together, where only
 * resistances and coils lead to ground.  A winding that shares all its flux with another one (K = 1) has a
 * voltage in the ratio of their turns.
 */
#ifndef MNA_STABILISED_CUTSET_EQUATIONS_H
#define MNA_STABILISED_CUTSET_EQUATIONS_H

#include "mna/mna.h"

struct cutset_equations;

/* *out := NULL where there is no such part.  time, x [n]: where the circuit stands (gates remember where they have been evaluated).
 * m must outlive it. */
enum kn_status cutset_equations_new(const struct mna *m, double time, const double *x, struct cutset_equations **out);
/* The same of equations around those of m, on their pattern. */
enum kn_status cutset_equations_around(const struct dae *inner, const struct mna *m, double time, const double *x,
                                       struct cutset_equations **out);
void cutset_equations_free(struct cutset_equations *s);

/* The equations of m with those sums in them: the same unknowns, a pattern of their own. */
const struct dae *cutset_equations_dae(const struct cutset_equations *s);

/* Whether some are of currents of coils alone. */
bool cutset_equations_have_cuts(const struct cutset_equations *s);

/* q [n], charges of the circuit or what is made of them: those of sums become none. */
void cutset_equations_forget_charges(const struct cutset_equations *s, double *q);

#endif
