/* starting.c - see starting.h. */
#include "analyses/transient/starting.h"

#include "integrators/methods.h"
#include "mna/start/past.h"

#include <math.h>

/* SPICE's default for tmax: at least so many steps in a run, so that a source that starts slowly is not overlooked. */
static const double LEAST_STEPS = 50;

struct consistent starting_consistent(struct setup *s, const struct transient *request)
{
    return (struct consistent){.mna = s->mna,
                               .topology = s->topology,
                               .relative = s->options->relative,
                               .span = request->stop,
                               .index_1 = !run_index_may_be_higher(&s->index),
                               .index = run_index_of_derivatives(&s->index)};
}

enum kn_status starting_values(struct setup *s, const struct transient *request, struct kn_diagnostics *d,
                               struct consistent *c, double *x, struct operating_report *report)
{
    *c = starting_consistent(s, request);
    if (request->uic)
        return consistent_start(c, 0, d, x);
    const struct operating_options op = {.relative = SETUP_OPERATING_PART * s->options->relative,
                                         .time = 0,
                                         .max_iterations = s->options->op_iterations,
                                         .impose_initial = true,
                                         .span = request->stop};
    return past_marked_operating_point(s->mna, s->topology, &op, d, x, report);
}

const struct integrator_class *starting_method(struct setup *s, double damped)
{
    const struct integrator_class *asked = s->options->method;
    if (asked == &integrator_trapezoidal && damped > 0) {
        diagnostics_add(s->diagnostics, KN_NOTE, "method-damps", (struct kn_location){0}, NULL,
                        "the trapezoidal rule does not damp the mode that grows by e in %.3g s: %s does and is taken",
                        1 / damped, integrator_trbdf2.name);
        return &integrator_trbdf2;
    }
    return asked == &integrator_auto && run_index_is_above_2(&s->index) ? &integrator_bdf : asked;
}

double starting_longest_step(const struct transient *request, double fixed_step)
{
    const double asked = request->max_step;
    return fixed_step > 0 ? INFINITY : asked > 0 ? asked : request->stop / LEAST_STEPS;
}

enum kn_status starting_check_delays(struct setup *s, const struct transient *request, double shortest)
{
    const double most = 1e10; /* weeks */
    if (!(request->stop / shortest > most))
        return KN_OK;
    diagnostics_add(s->diagnostics, KN_ERROR, "delay", request->where, "make the delay longer, or leave the line out",
                    "'.tran': with a delay of %g s, which no step exceeds, the run would take more than %g of them",
                    shortest, most);
    return KN_ERROR_DECK;
}
