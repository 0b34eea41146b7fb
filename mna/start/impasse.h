/* impasse.h - where a solution ends: impasse points, and the leap that leads on.
 *
 * A DAE of index 1 may lead to a fold of its algebraic equations, behind which no solution is near: the output of a
 * comparator that nothing but its feedback slows down (Chua and Deng, Int. J. Circuit Theory Appl. 17 (1989) 213-235).
 * A real circuit leaps there within the time constants of parasitics that the deck leaves out, charges and fluxes stay
 * (Sastry and Desoer, IEEE Trans. CAS-28 (1981) 1109-1124).  So the algebraic equations behind the fold,
 *
 *     (q(x) - q(x_0))/d + f(x, t + d) = 0,
 *
 * are relaxed from x_0 with a small capacitance at every node, and an inductance at every voltage that a law states, until
 * they rest (homotopy.h, pseudo-transient).  It is a leap if the circuit stays there with the sources of the time itself, and
 * has the charges it had.
 */
#ifndef MNA_START_IMPASSE_H
#define MNA_START_IMPASSE_H

#include "mna/start/consistent.h"

/* F and H, at every node and every law: a centimetre of wire. */
static const double IMPASSE_CAPACITANCE = 1e-12, IMPASSE_INDUCTANCE = 1e-8;

struct impasse_place {
    double time;     /* s, behind which there is no step */
    double shortest; /* s, the first d; longer ones follow, up to a millionth of the span */
    const double *aside; /* [n] where it is relaxed from, on a ridge; NULL: from where it is */
    double growth;       /* 1/s, with which it leaves that, with parasitics of those sizes */
};

/* x [n]: in, consistent at that time; out, where the circuit comes to rest elsewhere (*left), by more than some tolerances.
 * The first leap of a run is told. */
enum kn_status impasse_leave(struct consistent *c, const struct impasse_place *place, struct kn_diagnostics *d,
                             double *x, bool *left);

/* Where what has no memory stands on the ridge between two states: of the modes that small capacitances at the nodes and inductances at
 * the laws give it an odd number grows without oscillation, whatever these are (Green and Willson, IEEE Trans. CAS-I 39 (1992) 820-832,
 * "How to identify unstable dc operating points"); no step would leave.  x [n] as above, d NULL: the leap is not told. */
enum kn_status impasse_leave_ridge(struct consistent *c, const struct impasse_place *place, struct kn_diagnostics *d, double *x,
                                   bool *left);

#endif
