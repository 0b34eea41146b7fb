/* standstill.c - see standstill.h. */
#include "integrators/drive/standstill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A disturbance below the tolerances does not show in errors, and steps that are long beside its growth damp it away
 * (backward Euler from 2/rate on) instead of letting it grow; 0.3/rate keeps its rate to some per cent with every
 * method.  e^20 is more than the way from the disturbance to what every control of errors sees. */
static const double GROWTH_PART = 0.3, GROWTH_TIMES = 20;

/* Part of a run.  With shorter rests most runs of logic end; who waits for an oscillator to start leaves it more time, and
 * eigenvalues take as long as some hundred steps. */
static const double LONG_REST = 0.25;

enum kn_status standstill_init(struct standstill *s, const struct dae *dae, const double *x, const struct run_options *o,
                               bool wanted)
{
    *s = (struct standstill){.dae = dae, .rate = o->growth_rate, .from = o->start};
    if (!wanted)
        return KN_OK;
    s->begin = malloc((size_t)dae->n * sizeof *s->begin);
    if (!s->begin)
        return KN_ERROR_MEMORY;
    memcpy(s->begin, x, (size_t)dae->n * sizeof *x);
    return KN_OK;
}

void standstill_free(struct standstill *s)
{
    free(s->begin);
    s->begin = NULL;
}

/* Whether what has a memory differs by more than its tolerance, where differences count `times`. */
static bool differs(const struct standstill *s, const struct integrator *m, const double *from, double times)
{
    const struct dae *dae = s->dae;
    for (int i = 0; i < dae->n; i++)
        if ((!dae->classes || dae->classes[i] == DAE_DIFFERENTIAL) &&
            !(times * fabs(m->x[i] - from[i]) <= m->relative * fabs(m->x[i]) + dae->absolute[i]))
            return true;
    return false;
}

bool standstill_reached(struct standstill *s, const struct integrator *m, const double *before, double stop)
{
    const double lasts = stop - m->t;
    if (!s->begin || s->asked || !(lasts >= LONG_REST * stop) || differs(s, m, before, lasts / (m->t - m->previous)))
        return false;
    s->asked = true;
    return differs(s, m, s->begin, 1);
}

double standstill_longest(const struct standstill *s, double t, double longest)
{
    return s->rate > 0 && (t - s->from) * s->rate < GROWTH_TIMES ? fmin(longest, GROWTH_PART / s->rate) : longest;
}
