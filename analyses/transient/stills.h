/* stills.h - the points of a transient at the times that .op names. */
#ifndef ANALYSES_TRANSIENT_STILLS_H
#define ANALYSES_TRANSIENT_STILLS_H

#include "analyses/operating.h"
#include "integrators/integrator.h"

struct stills {
    struct mna *mna;
    struct point_tables tables;
    const double *times; /* [count] s */
    size_t count, taken;
    double *x, *dxdt; /* [unknowns of the integrator] */
    double *rows;     /* [count][width of the tables] */
};

/* n: unknowns of the integrator.  Free with stills_free, also after a failure. */
enum kn_status stills_init(struct stills *t, const struct setup *s, size_t n);
void stills_free(struct stills *t);
/* After an accepted step: keeps the points in it. */
enum kn_status stills_step(struct stills *t, struct integrator *m);
/* A table for each point, when that of the run has ended. */
enum kn_status stills_write(const struct stills *t, const struct setup *s, struct kn_sink *sink, long *rows);

#endif
