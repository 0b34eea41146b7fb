/* charge_moves.h - by how much values have moved, as charges and fluxes tell it.
 *
 * A flux that moves by a thousandth of itself need not mean a current that does: of two coils with k = 0.99 a hundredth of that is
 * between the currents, a tenth of them.  What counts is the least dx with C dx = dq.  Shifts that change no charge by more than a
 * rounding (charge_groups_is_charge), as of a group of nodes or between windings that share all their flux, count for nothing.
 */
#ifndef MNA_INDEX_CHARGE_MOVES_H
#define MNA_INDEX_CHARGE_MOVES_H

#include "sparse/sparse.h"

struct charge_moves {
    const struct sparse_pattern *pattern;
    double *own;    /* [n] charge or flux of a value by its own; 0: none */
    double *matrix; /* [entries + 1] C with a diagonal that is enlarged by a rounding, 1 where there is none */
    struct sparse_lu *lu;
};

/* C [entries + 1] on the pattern.  KN_ERROR_CIRCUIT: what is told makes no values. */
enum kn_status charge_moves_init(struct charge_moves *m, const struct sparse_pattern *p, const double *C);
void charge_moves_free(struct charge_moves *m);

/* dx [n]: in, changes of charges dq; out, those of the values; 0 where no value has a charge of its own. */
void charge_moves_find(struct charge_moves *m, double *dx);

#endif
