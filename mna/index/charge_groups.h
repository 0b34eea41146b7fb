/* charge_groups.h - which unknowns and equations have charge, read from the numbers in C.
 *
 * Where charges depend on voltage differences only, C couples nodes in groups.  In a group without ground the columns
 * of C add to zero in every row (a common shift of the group changes no charge: the kernel of C) and the rows add to
 * zero in every column (the group as a whole stores no charge: the cokernel).  An unknown that no charge depends on is
 * a group of its own.
 */
#ifndef MNA_INDEX_CHARGE_GROUPS_H
#define MNA_INDEX_CHARGE_GROUPS_H

#include "sparse/sparse.h"

struct charge_groups {
    int n;
    int *group;        /* [n + 1] union-find over numbers from 1 */
    bool *shift_felt;  /* [n + 1] by representative: a common shift changes charges */
    bool *sum_charged; /* [n + 1] by representative: the group as a whole stores charge */
    bool *stores;      /* [n + 1] equation i has charge: not where that of its voltage is another's, of a derivative in a formula */
    bool *tied;        /* [n + 1] by representative: sources tie it to other nodes or to ground */
    double *inflow;    /* [n + 1] by representative, for charge_groups_find_tied; 0 outside it */
};

/* Whether entries of a column or row of C with that sum and that sum of sizes store charge together. */
bool charge_groups_is_charge(double sum, double size);

/* C [entries + 1] on the pattern. */
enum kn_status charge_groups_init(struct charge_groups *g, const struct sparse_pattern *p, const double *C);
/* Finds which groups are tied, from G [entries + 1] of the same point. */
void charge_groups_find_tied(struct charge_groups *g, const struct sparse_pattern *p, const double *G, const double *C);
void charge_groups_free(struct charge_groups *g);

/* Representative (from 0) of unknown i's group when a common shift changes no charge, -1 otherwise. */
int charge_groups_shift(const struct charge_groups *g, int i);
/* Whether no charge and no source, only conductances determine the common shift of unknown i's group. */
bool charge_groups_is_loose(const struct charge_groups *g, int i);
/* Representative (from 0) of equation i's group when its sum has no charge, i where it has none itself, -1 otherwise. */
int charge_groups_sum(const struct charge_groups *g, int i);

/* *shortest := the shortest L/R (s) of inductors at nodes without capacitance, where the conductances of a node show: nodes that
 * voltage sources join have those of all of them; or sqrt(LC) with the capacitances of these.  INFINITY where there are none. */
enum kn_status charge_groups_shortest_with_coils(const struct sparse_pattern *p, const double *G, const double *C,
                                                 double *shortest);

/* *shortest := the shortest time constant (s) of groups that capacitances tie together which are large beside what the
 * group as a whole has: a junction that hangs on a microfarad has the capacitance of the junction, although none of its
 * nodes shows it.  C/G for the common shift, sqrt(LC) with inductors at it; INFINITY where there are none. */
enum kn_status charge_groups_shortest(const struct sparse_pattern *p, const double *G, const double *C,
                                      double *shortest);

#endif
