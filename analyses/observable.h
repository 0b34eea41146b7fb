/* observable.h - the value of an expression of voltages, currents and time at a point of the solution. */
#ifndef ANALYSES_OBSERVABLE_H
#define ANALYSES_OBSERVABLE_H

#include "mna/mna.h"

/* Where a variable of an expression comes from: an unknown from 0, the current of an element, or the result of a
 * measurement. */
struct variable {
    int unknown, element, result; /* -1: not from there; ground has no variable */
};

struct observable {
    const struct expression *expression; /* NULL: none */
    const double *results;               /* of measurements, by number; NULL: it mentions none */
    struct variable *sources;            /* [variable count] */
    double *values;                      /* [variable count] */
    double *workspace;
    double temperature; /* degrees Celsius */
    bool needs_slopes;  /* the current of an element without an unknown of its own is in it */
};

/* e may be NULL, and results where it mentions none, which otherwise live as long as the observable.  False without
 * memory; observable_free is due all the same. */
bool observable_init(struct observable *o, const struct mna *m, const struct expression *e, const double *results);
void observable_free(struct observable *o);

/* Sets those of the unknowns [n] of the mna that it is made of. */
void observable_watch(const struct observable *o, bool *watched);

/* dxdt may be NULL where needs_slopes is false; x, where the expression mentions results only. */
double observable_value(const struct observable *o, struct mna *m, double t, const double *x, const double *dxdt);

#endif
