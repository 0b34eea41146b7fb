/* uncertainty.h - how far a solution may be off because its equations were added up in rounded numbers. */
#ifndef MNA_START_UNCERTAINTY_H
#define MNA_START_UNCERTAINTY_H

#include "mna/mna.h"

struct uncertain_point {
    const struct mna *mna;
    struct sparse_lu *lu;    /* of the equations there */
    const double *row_scale; /* [n] |G| |x|: what is added up in each equation */
    const double *x;         /* [n] */
    double relative;         /* tolerance */
};

/* A warning where rounding moves an unknown by more than the tolerance of the largest of its kind. */
enum kn_status uncertainty_report(const struct uncertain_point *p, struct kn_diagnostics *d);

#endif
