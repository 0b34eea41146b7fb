/* observable.h - the value of an expression of voltages, currents and time at a point of the solution. */
#ifndef ANALYSES_OBSERVABLE_H
#define ANALYSES_OBSERVABLE_H

#include "analyses/probes.h"

struct observable {
    const struct expression *expression;
    struct probes probes; /* of its variables */
    double *values;       /* [variable count] */
    double *workspace;
    double temperature; /* degrees Celsius */
};

/* False without memory; observable_free is due all the same. */
bool observable_init(struct observable *o, const struct mna *m, const struct expression *e);
void observable_free(struct observable *o);

/* Sets those of the unknowns [n] of the mna that it is made of. */
void observable_watch(const struct observable *o, const struct mna *m, bool *watched);

/* dxdt may be NULL where probes.needs_slopes is false. */
double observable_value(const struct observable *o, struct mna *m, double t, const double *x, const double *dxdt);

#endif
