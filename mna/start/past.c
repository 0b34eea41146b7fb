/* past.c - see past.h. */
#include "mna/start/past.h"
#include "mna/system.h"

#include <stdlib.h>
#include <string.h>

size_t past_count(const struct mna *m)
{
    return (size_t)mna_dae(m)->switch_count;
}

static void hold_all(struct mna *m, const double *sides)
{
    for (int i = 0; i < mna_dae(m)->switch_count; i++)
        if (mna_switch_is_latch(m, i))
            mna_hold(m, i, (int)sides[i]);
}

/* Holds each on the side on which x [n] leaves it; whether one of them has turned over, so that x is no solution. */
static bool turn(struct mna *m, const double *x, double time, double *g, double *sides)
{
    bool turned = false;
    mna_switches(m, time, x, g);
    for (int i = 0; i < mna_dae(m)->switch_count; i++) {
        if (!mna_switch_is_latch(m, i) || (sides[i] != 0 && !(g[i] * sides[i] < 0)))
            continue;
        turned |= sides[i] != 0;
        sides[i] = g[i] > 0 ? 1 : -1;
        mna_hold(m, i, (int)sides[i]);
    }
    return turned;
}

/* Each switch may turn over once, and once more because of another one; what turns for ever has no operating point. */
static enum kn_status settle(struct mna *m, const struct topology *t, const struct operating_options *o,
                             struct kn_diagnostics *d, double *g, double *sides, double *x,
                             struct operating_report *report)
{
    struct operating_options again = *o;
    for (size_t round = 0; round <= 2 * past_count(m); round++) {
        struct operating_report one = {0};
        const enum kn_status status = operating_point(m, t, &again, d, x, &one);
        one.iterations += report->iterations;
        one.factorizations += report->factorizations;
        *report = one;
        if (status != KN_OK || !turn(m, x, o->time, g, sides))
            return status;
        again.start = o->start ? x : NULL;
    }
    return KN_ERROR_CONVERGENCE;
}

enum kn_status past_operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                                    struct kn_diagnostics *d, double *sides, double *x, struct operating_report *report)
{
    double *g = calloc(past_count(m) + 1, sizeof *g);
    if (!g)
        return KN_ERROR_MEMORY;
    *report = (struct operating_report){0};
    hold_all(m, sides);
    const enum kn_status status = settle(m, t, o, d, g, sides, x, report);
    free(g);
    return status;
}

void past_forget(struct mna *m)
{
    for (int i = 0; i < mna_dae(m)->switch_count; i++)
        if (mna_switch_is_latch(m, i))
            mna_hold(m, i, 0);
}

/* ---- switches that are marked on ---- */

/* Sides of latches: 1 where the threshold without memory is not that of off; whether there are any.  zero [n] */
static bool find_marked(struct mna *m, double time, const double *zero, double *g, double *off, double *sides)
{
    bool any = false;
    mna_switches(m, time, zero, g);
    for (int i = 0; i < mna_dae(m)->switch_count; i++)
        if (mna_switch_is_latch(m, i))
            mna_hold(m, i, -1);
    mna_switches(m, time, zero, off);
    past_forget(m);
    for (int i = 0; i < mna_dae(m)->switch_count; i++) {
        sides[i] = mna_switch_is_latch(m, i) && g[i] != off[i];
        any |= sides[i] != 0;
    }
    return any;
}

/* Whether the equations without memory have them on these sides at x. */
static bool stay(struct mna *m, double time, const double *x, double *g, const double *sides)
{
    bool good = true;
    mna_switches(m, time, x, g);
    for (int i = 0; i < mna_dae(m)->switch_count; i++)
        good = good && (!mna_switch_is_latch(m, i) || (g[i] > 0) == (sides[i] > 0));
    return good;
}

/* The point with the marked ones on; *found false, and nothing is said, where there is none. */
static enum kn_status try_marked(struct mna *m, const struct topology *t, const struct operating_options *o,
                                 struct kn_diagnostics *d, double *g, double *sides, double *x,
                                 struct operating_report *report, bool *found)
{
    struct kn_diagnostics *said = kn_diagnostics_new();
    if (!said)
        return KN_ERROR_MEMORY;
    const enum kn_status status = past_operating_point(m, t, o, said, sides, x, report);
    past_forget(m);
    *found = status == KN_OK && stay(m, o->time, x, g, sides);
    if (*found)
        diagnostics_copy(d, said);
    kn_diagnostics_free(said);
    return status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : KN_OK;
}

enum kn_status past_marked_operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                                           struct kn_diagnostics *d, double *x, struct operating_report *report)
{
    const size_t n = (size_t)mna_unknown_count(m), count = past_count(m);
    double *memory = calloc(n + 3 * count + 1, sizeof *memory);
    if (!memory)
        return KN_ERROR_MEMORY;
    double *start = memory, *g = start + n, *off = g + count, *sides = off + count;
    bool found = false;
    enum kn_status status = KN_OK;
    if (count > 0 && find_marked(m, o->time, start, g, off, sides)) {
        memcpy(start, x, n * sizeof *x);
        status = try_marked(m, t, o, d, g, sides, x, report, &found);
        if (!found)
            memcpy(x, start, n * sizeof *x);
    }
    free(memory);
    return status != KN_OK || found ? status : operating_point(m, t, o, d, x, report);
}
