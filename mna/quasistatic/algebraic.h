/* algebraic.h - what a circuit does at once: x = N (W^T J N)^-1 W^T charge, with N and W bases of ker E0 and ker E0^T.
 *
 * Where W^T J N is singular, l^T W^T J x = .. is a constraint on what E0 holds, and its derivative takes its place: with
 * E0^T m = J^T W l the combination m of the equations is free of x', too (Gear and Petzold, SIAM J. Numer. Anal. 21, 1984).
 * W is then ker E0^T with such vectors m instead of W l: circuits of index 2.
 */
#ifndef MNA_QUASISTATIC_ALGEBRAIC_H
#define MNA_QUASISTATIC_ALGEBRAIC_H

#include "mna/index/index_parts.h"
#include "mna/quasistatic/parasitics.h"
#include "sparse/bordered.h"

enum algebraic_outcome {
    ALGEBRAIC_REGULAR,
    ALGEBRAIC_EXCITED, /* parasitics bring charge into a constraint: `excites` tells which */
    ALGEBRAIC_HIGHER,  /* constraints are left: an index above 2 */
    ALGEBRAIC_UNCLEAR  /* too many of the equations depend on each other, or nearly so */
};

struct algebraic {
    struct arena *memory;
    struct pencil pencil; /* E0, J */
    struct storage null;
    struct vectors left; /* W */
    struct bordered matrix;
    bool empty;             /* there is nothing: every unknown is held */
    double *small, *answer; /* [m] */
};

/* E0 and J are those of the equations at a point.  excites [parasitics] set.  Free with algebraic_free in any case. */
enum kn_status algebraic_find(struct arena *memory, struct mna *m, const struct topology *t, double time,
                              const double *x, const struct parasitics *p, bool *excites, struct algebraic *out,
                              enum algebraic_outcome *outcome);
void algebraic_free(struct algebraic *a);

/* x [n] from charge [n]. */
void algebraic_answer(struct algebraic *a, const double *charge, double *x);

#endif
