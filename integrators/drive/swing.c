/* swing.c - see swing.h. */
#include "integrators/drive/swing.h"

#include <math.h>

static const double PART_OF_PERIOD = 0.125;

void swing_restart(struct swing *s, double t)
{
    s->period = INFINITY;
    if (s->dae->next_quarter)
        s->dae->next_quarter(s->dae->problem, t, s->relative, &s->period);
}

double swing_end(const struct swing *s, double t, double step)
{
    double period = INFINITY;
    return step > PART_OF_PERIOD * s->period ? s->dae->next_quarter(s->dae->problem, t, s->relative, &period)
                                             : INFINITY;
}
