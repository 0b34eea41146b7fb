/* stride.c - see stride.h. */
#include "integrators/drive/stride.h"

#include <math.h>

double stride_from(struct stride *s, const struct integrator *m, double breakpoint)
{
    if (m->fixed_step > 0 || m->t - s->time <= m->resolution)
        return 0;
    s->time = m->t;
    return fmin(m->resolution, breakpoint - m->t);
}
