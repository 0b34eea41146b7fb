/* integrator.c - what every method is made of. */
#include "integrators/integrator.h"

#include "integrators/control.h"
#include "integrators/tolerance.h"

#include <math.h>

void *integrator_new(size_t size, const struct integrator_class *class, const struct dae *dae,
                     const struct integrator_options *o)
{
    struct arena *memory;
    struct integrator *m = arena_object(size, &memory);
    if (!m)
        return NULL;
    m->memory = memory;
    m->class = class;
    m->dae = dae;
    m->relative = o->relative;
    m->fixed_step = o->fixed_step;
    m->resolution = CONTROL_ALGEBRAIC_RESOLUTION * o->output_step;
    m->far = true;
    /* Nobody but multistep methods tells them. */
    m->unsure_algebraic = m->unsure_slopes[0] = m->unsure_slopes[1] = INFINITY;
    return m;
}

bool integrator_tolerances(const struct integrator *m, double *tolerances)
{
    const struct dae *dae = m->dae;
    bool rectifies = false;
    double bend[2];
    for (int i = 0; m->tolerance && dae->rectifies && i < dae->switch_count && !rectifies; i++)
        rectifies = dae->rectifies(dae->problem, i, bend);
    for (int i = 0; i < dae->n && rectifies; i++)
        tolerances[i] = tolerance_of_size(m->tolerance, i);
    return rectifies;
}

const char *step_outcome_word(const struct step_report *r)
{
    static const char *const newton[] = {[NEWTON_CONVERGED] = "evaluation failed",
                                         [NEWTON_SLOW] = "no convergence",
                                         [NEWTON_NOT_FINITE] = "overflow",
                                         [NEWTON_SINGULAR] = "singular matrix",
                                         [NEWTON_FAILED] = "evaluation failed"};
    if (r->outcome == STEP_ACCEPTED)
        return "accepted";
    return r->outcome == STEP_ERROR_TOO_LARGE ? "error too large" : newton[r->newton];
}

const char *step_limit_word(enum step_limit limit)
{
    static const char *const words[] = {[LIMIT_NONE] = "growth",
                                        [LIMIT_ERROR] = "error",
                                        [LIMIT_FOLLOWERS] = "followers",
                                        [LIMIT_BETWEEN] = "between points",
                                        [LIMIT_OSCILLATION] = "oscillation",
                                        [LIMIT_CONVERGENCE] = "convergence",
                                        [LIMIT_ROUNDING] = "rounding",
                                        [LIMIT_TMAX] = "tmax",
                                        [LIMIT_BREAKPOINT] = "breakpoint",
                                        [LIMIT_SOURCE] = "source",
                                        [LIMIT_FIXED] = "fixed",
                                        [LIMIT_CALLER] = "caller",
                                        [LIMIT_START] = "start"};
    return words[limit];
}
