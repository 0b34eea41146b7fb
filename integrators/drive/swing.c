/* swing.c - see swing.h. */
#include "integrators/drive/swing.h"

#include <math.h>

static const double PART_OF_PERIOD = 0.125;

static double next_quarter(const struct swing *s, double t, double *period)
{
    const struct integrator *m = s->method;
    return m->dae->next_quarter ? m->dae->next_quarter(m->dae->problem, t, m->relative, period) : INFINITY;
}

void swing_restart(struct swing *s, double t)
{
    s->period = INFINITY;
    next_quarter(s, t, &s->period);
}

/* Inside a step, where a method sees its errors.  Where the circuit is not linear, those of unknowns without memory are seen at the
 * ends only. */
static int points_inside(const struct integrator *m)
{
    return m->dae->linear && m->one_step ? (m->order + 1) / 2 : 1;
}

double swing_end(const struct swing *s, double t, double step)
{
    double period = INFINITY;
    return step > PART_OF_PERIOD * points_inside(s->method) * s->period ? next_quarter(s, t, &period) : INFINITY;
}
