/* model_error.h - what leaving parasitics out does to a run, to the first order.
 *
 * With q1 the charges of the parasitics and x the solution without them, their effect is e + O(eps^2) outside the
 * boundary layers,
 *
 *     d/dt (E0 e + q1(x)) + J e = 0
 *
 * (the term of order eps of the outer expansion: Weber, Diss. Halle 2013, Theorem 2.14), along the steps of the run by
 * backward differences of order 2, one solve each, and one factorisation where the matrix has changed.  Where the run starts or goes on behind a jump
 * from charges q1 other than those of x, a layer spends the difference: Q = E0 e + q1 goes on from
 * Q - J N (W^T J N)^-1 W^T (q1 before - q1(x)), which is the integral of its currents.  Inside a layer results differ by
 * as much as the jump that it covers.
 */
#ifndef MNA_QUASISTATIC_MODEL_ERROR_H
#define MNA_QUASISTATIC_MODEL_ERROR_H

#include "mna/quasistatic/fast.h"

struct model_error;

/* All must outlive the result. */
enum kn_status model_error_new(struct mna *reduced, const struct parasitics *p, struct model_error **out);
void model_error_free(struct model_error *s);

/* A start at x [n]: full [n] is that of the circuit with its parasitics, NULL where it is the same; later ones go on from
 * the last step.  `fast` belongs to this point. */
enum kn_status model_error_begin(struct model_error *s, struct fast *fast, double t, const double *full,
                                 const double *x);
/* A step, to x [n] at t. */
enum kn_status model_error_step(struct model_error *s, double t, const double *x);
enum { MODEL_ERROR_MOST_PARTS = 256 };
/* Into so many a step of the run of this length (s) ought to be divided next: methods of high orders take longer ones. */
int model_error_parts(const struct model_error *s, double length);

struct model_error_result {
    const double *now;   /* [n] e at the last step */
    const double *most;  /* [n] largest |e| outside layers */
    const double *when;  /* [n] s: where it is */
    const double *size;  /* [n] largest |x| of the run */
    const double *jump;  /* [parasitics] largest jump of a state of theirs that a layer covers: V or A */
    long steps, outside; /* steps looked at, and those of them outside layers */
    long layers;
};
struct model_error_result model_error_result(const struct model_error *s);

#endif
