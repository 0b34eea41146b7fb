/* shortened.h - the method's last step as if it had ended at an earlier time, for those who read it. */
#ifndef INTEGRATORS_DRIVE_SHORTENED_H
#define INTEGRATORS_DRIVE_SHORTENED_H

#include "integrators/integrator.h"

struct shortened {
    struct integrator base; /* for the readers */
    struct integrator_class class;
    struct integrator *whole;
};

/* The last step of m up to t (s), where the solution is x [n]; valid until the next step, and at its place. */
void shortened_init(struct shortened *part, struct integrator *m, double t, double *x);

#endif
