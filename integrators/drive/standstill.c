/* standstill.c - see standstill.h. */
#include "integrators/drive/standstill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of the time between two corners, or of that from the last one to the end of the run: who waits for an oscillator to start leaves it
 * more time than the supply takes to settle. */
static const double LONG_REST = 0.25;

/* Eigenvalues of a hundred unknowns take as long as some hundred steps, with the cube of their number below, where a step hardly depends on
 * it, and about as long above, where few are sought.  Where a run rests for a quarter of itself it is asked in any case, else for some
 * per cent of the work. */
enum { MOST_BETWEEN = 10000, HUNDRED = 100 };

static long steps_between(int n)
{
    const double part = fmin(1, (double)n / HUNDRED);
    return (long)(MOST_BETWEEN * part * part * part);
}

enum kn_status standstill_init(struct standstill *s, const struct dae *dae, const double *x, const struct run_options *o,
                               bool wanted)
{
    *s = (struct standstill){.dae = dae,
                             .since = o->start,
                             .placed = o->placed || dae->linear, /* whose modes are those of the start */
                             .left = steps_between(dae->n),
                             .rate = o->growth_rate,
                             .from = o->start};
    if (!wanted)
        return KN_OK;
    s->seen = malloc((size_t)dae->n * sizeof *s->seen);
    if (!s->seen)
        return KN_ERROR_MEMORY;
    memcpy(s->seen, x, (size_t)dae->n * sizeof *x);
    return KN_OK;
}

void standstill_free(struct standstill *s)
{
    free(s->seen);
    s->seen = NULL;
}

static bool has_memory(const struct dae *dae, int i)
{
    return !dae->classes || dae->classes[i] == DAE_DIFFERENTIAL;
}

/* Whether what has a memory, or anything, differs by more than its tolerance, where differences count `times`. */
static bool differs(const struct standstill *s, const struct integrator *m, const double *from, double times, bool all)
{
    const struct dae *dae = s->dae;
    for (int i = 0; i < dae->n; i++)
        if ((all || has_memory(dae, i)) &&
            !(times * fabs(m->x[i] - from[i]) <= m->relative * fabs(m->x[i]) + dae->absolute[i]))
            return true;
    return false;
}

/* Once where the rest of the run is long, otherwise as often as steps pay for. */
static bool may_ask(struct standstill *s, bool longest)
{
    s->left -= s->left > 0;
    return (s->left == 0 && !s->placed) || (longest && !s->asked);
}

static bool is_reached(struct standstill *s, const struct integrator *m, const double *before, double until, bool last)
{
    const double lasts = until - m->t;
    const bool longest = last && lasts >= LONG_REST * until;
    if (!s->seen || !may_ask(s, longest) || !(lasts >= LONG_REST * (until - s->since)) ||
        differs(s, m, before, lasts / (m->t - m->previous), false) || !differs(s, m, s->seen, 1, !s->placed))
        return false;
    memcpy(s->seen, m->x, (size_t)s->dae->n * sizeof *s->seen);
    s->left = steps_between(s->dae->n);
    s->asked = s->asked || longest;
    return true;
}

bool standstill_left(struct standstill *s, const struct integrator *m, const struct standstill_ahead *ahead, double *x,
                     enum kn_status *status)
{
    const struct run_callbacks *c = ahead->callbacks;
    double rate = 0;
    bool moved = false;
    if (!is_reached(s, m, x, ahead->until, ahead->last))
        return false;
    memcpy(x, m->x, (size_t)s->dae->n * sizeof *x);
    *status = c->rests(c->context, m->t, x, &moved, &rate);
    if (*status != KN_OK || !moved)
        return false;
    s->from = m->t;
    s->rate = rate;
    return true;
}

/* The disturbance is below the tolerances and does not show in errors. */
double standstill_longest(const struct standstill *s, double t, double longest)
{
    const bool grows = s->rate > 0 && (t - s->from) * s->rate < DAE_GROWN_AFTER;
    return grows ? fmin(longest, DAE_GROWING_STEP / s->rate) : longest;
}
