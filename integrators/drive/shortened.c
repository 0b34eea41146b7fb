/* shortened.c - see shortened.h. */
#include "integrators/drive/shortened.h"

static void shortened_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    struct integrator *whole = ((struct shortened *)base)->whole;
    whole->class->interpolate(whole, time, x, dxdt);
}

static bool shortened_charges(struct integrator *base, double time, double *q, double *dqdt)
{
    struct integrator *whole = ((struct shortened *)base)->whole;
    return whole->class->charges(whole, time, q, dqdt);
}

void shortened_init(struct shortened *part, struct integrator *m, double t, double *x)
{
    *part = (struct shortened){*m, *m->class, m};
    part->class.interpolate = shortened_interpolate;
    part->class.charges = m->class->charges ? shortened_charges : NULL;
    part->base.class = &part->class;
    part->base.t = t;
    part->base.x = x;
    part->base.halts = true;
}
