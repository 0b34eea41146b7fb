/* set_off.c - see set_off.h.
 *
 * A real circuit leaves an unstable operating point by its noise, a simulation by rounding and by the errors that its
 * tolerances allow: when, and to which side, would then depend on the machine, the method and reltol, and a long step
 * of an implicit formula may stay there for good.  So the run starts beside the point, in the direction that grows
 * fastest, by a disturbance that is the same for every method and tolerance: SPICE's default of vntol, which nobody
 * takes for a signal, and of which e^14 is a volt.  All equations hold there to first order, hidden ones included,
 * since the direction solves the linearised equations.  Whoever wants another start says so by uic, .ic or a pulse.
 */
#include "analyses/transient/set_off.h"

#include "base/text.h"
#include "mna/start/start_growth.h"

#include <math.h>
#include <stdio.h>

/* V; for currents as many mA. */
static const double DISTURBANCE = 1e-3;
/* Components below this part of the largest are not named, nor more than a few. */
static const double NAMED = 0.5;
enum { MOST_NAMED = 4 };
/* 1/s.  No transistor is so fast: where an element is below zero it is a vendor's model with a pole on the wrong side, which the
 * circuit was not made to follow.  Without one it is a feedback, whose limits soon end the growth: the output of a comparator leaves
 * its steep piece at once, and stays there for long if that is damped. */
static const double TOO_FAST = 1e12;

static void name_movers(const struct mna *m, const struct start_growth *g, struct text *text)
{
    struct text_list list = text_list(text, ", ", MOST_NAMED);
    for (int i = 0; i < mna_unknown_count(m); i++)
        if (fabs(g->direction[i]) >= NAMED * mna_typical_size(m, i))
            text_list_add(&list, mna_unknown(m, i)->name);
}

static void report(const struct mna *m, const struct start_growth *g, bool moved, struct kn_location where,
                   struct kn_diagnostics *d)
{
    char what[200];
    struct text movers = TEXT(200);
    name_movers(m, g, &movers);
    if (moved)
        snprintf(what, sizeof what, "the run starts %g V beside it in that direction, since it would rest there",
                 DISTURBANCE);
    else
        snprintf(what, sizeof what, "no real circuit is so fast: the run starts at the point itself and damps it");
    diagnostics_add(d, KN_NOTE, "unstable-start", where,
                    moved ? "uic, .ic or a pulse of a source starts it elsewhere"
                          : "look for a model with a pole on the wrong side or a feedback of the wrong sign",
                    "the operating point is unstable: %d mode%s, the fastest by e in %.3g s, in which %s move most; %s",
                    g->modes, g->modes == 1 ? " grows" : "s grow", 1 / g->rate, movers.at, what);
}

enum kn_status set_off(struct mna *m, const struct topology *t, const struct transient *request,
                       struct kn_diagnostics *d, double *x, struct set_off *out)
{
    struct start_growth g;
    const struct index_point at = {0, x};
    *out = (struct set_off){0, 0};
    bool negative = false;
    enum kn_status status = start_growth(m, t, &at, request->stop, &g);
    if (status != KN_OK || g.modes == 0)
        return status;
    if (g.rate >= TOO_FAST)
        status = start_growth_negative(m, &negative);
    const bool moved = !negative;
    report(m, &g, moved, request->where, d);
    for (int i = 0; i < mna_unknown_count(m) && moved; i++)
        x[i] += DISTURBANCE * g.direction[i];
    *out = (struct set_off){moved ? g.rate : 0, moved ? 0 : g.rate};
    start_growth_free(&g);
    return status;
}
