/* hidden_constraints_parts.h - what hidden_constraints.c and hidden_points.c share. */
#ifndef MNA_START_HIDDEN_CONSTRAINTS_PARTS_H
#define MNA_START_HIDDEN_CONSTRAINTS_PARTS_H

#include "base/arena.h"
#include "mna/index/charge_groups.h"
#include "mna/start/hidden/hidden_constraints.h"

/* Residuals beyond this multiple of their tolerance are more than round-off. */
#define HIDDEN_SUFFERED 1e3

enum { HIDDEN_LEVELS = 3 };

struct hidden_constraints {
    struct arena *memory;
    const struct dae *dae;
    struct charge_groups groups;
    int *sum;         /* [n] representative of the group whose equations have no charge in sum, or -1 */
    bool *had_charge; /* [n] equation i has it, or has had it */
    bool *moves;      /* [n] so have equations in the sum that i represents, which the current of a source is in */
    struct sparse_pattern *pattern;
    int *slot;     /* [entries] place of G's (and C's) own entry */
    int *sum_slot; /* [entries] place in the row of the sum; the bin where there is none */
    double *f, *dfdt, *dqdt, *G, *C;
    double *matrix;
    struct sparse_lu *lu;
    double *increment[HIDDEN_LEVELS]; /* [n] */
    double *level[HIDDEN_LEVELS];     /* [n] */
    double *kept;                     /* [n] x as it came */
    double *factored[2];              /* [entries + 1] G and C in the factors of a run's points */
    double h;                         /* s, in these factors; 0: there are none */
};

/* s->f, G, C and the derivatives by time, at a point. */
enum kn_status hidden_evaluate(struct hidden_constraints *s, double time, const double *x);
/* Groups of charges at the point that was evaluated last, where they may have changed. */
enum kn_status hidden_group_anew(struct hidden_constraints *s);
/* Factors at that point, for steps of size h. */
enum kn_status hidden_factor_for(struct hidden_constraints *s, double h);
/* right [n] := that of the system of the increments over h. */
void hidden_increments_right(const struct hidden_constraints *s, double h, double *right);
/* Largest residual of the equations without charge at x [n], where they were evaluated last, against their tolerance and what is the same
 * but for rounding. */
double hidden_visible_residual(const struct hidden_constraints *s, const double *x);

/* A chain of equal steps of implicit Euler that begins or ends at `time`. */
struct hidden_chain {
    double time, h; /* s */
    int steps;
    bool ends;
};

/* x [n] := what it becomes as the steps of a chain from s->kept shrink. */
enum kn_status hidden_limit_of_chain(struct hidden_constraints *s, const struct hidden_chain *c, double *x);

#endif
