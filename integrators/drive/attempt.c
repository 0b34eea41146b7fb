/* attempt.c - see attempt.h. */
#include "integrators/drive/attempt.h"

#include "base/rounding.h"

#include <math.h>

struct step_attempt attempt_even(const struct stretch *s, double size)
{
    const double gap = s->end - s->t, count = fmax(1, ceil(gap / size * (1 - ROUNDING_SAME)));
    if (count == 1)
        return (struct step_attempt){.from = s->t, .to = s->end, .limit = s->reason};
    return (struct step_attempt){.from = s->t, .to = s->t + gap / count, .limit = LIMIT_FIXED};
}

struct step_attempt attempt_free(const struct stretch *s, double step, enum step_limit limit)
{
    const double gap = s->end - s->t;
    if (step >= gap * (1 - ROUNDING_SAME))
        return (struct step_attempt){.from = s->t, .to = s->end, .limit = s->reason};
    if (2 * step > gap)
        return (struct step_attempt){.from = s->t, .to = s->t + gap / 2, .limit = s->reason};
    return (struct step_attempt){.from = s->t, .to = s->t + step, .limit = limit};
}

void attempt_measure(const struct integrator *m, struct integrator_statistics *statistics)
{
    const double step = m->t - m->previous;
    if (statistics->accepted == 1 || step < statistics->smallest_step)
        statistics->smallest_step = step;
    if (step > statistics->largest_step)
        statistics->largest_step = step;
}
