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
#include "base/time_resolution.h"
#include "integrators/control.h"
#include "mna/start/impasse.h"
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
/* Grows by e so many times between two rows, of which rows show nothing. */
static const double UNSEEN = 100;
static const double PI = 3.14159265358979323846;

static void name_movers(const struct mna *m, const struct start_growth *g, struct text *text)
{
    struct text_list list = text_list(text, ", ", MOST_NAMED);
    for (int i = 0; i < mna_unknown_count(m); i++)
        if (fabs(g->direction[i]) >= NAMED * mna_typical_size(m, i))
            text_list_add(&list, mna_unknown(m, i)->name);
}

/* One pair of modes makes an oscillation of which rows every `step` s show nothing: what it grows to is not for them to tell,
 * and a run of 400 ms would take 40 million periods of it.  Where others grow as well, rows may show those. */
static bool is_out_of_sight(const struct start_growth *g, double step)
{
    return g->modes <= 2 && g->frequency * CONTROL_ALGEBRAIC_RESOLUTION * step > 2 * PI;
}

static bool moves(const struct mna *m, const struct start_growth *g, int unknown)
{
    return unknown > 0 && fabs(g->direction[unknown - 1]) >= NAMED * mna_typical_size(m, unknown - 1);
}

static bool has_end(const struct branch *b, int node)
{
    return b->plus == node || b->minus == node;
}

/* Whether a capacitance is all that meets a voltage source at a node of it. */
static bool carries_a_charge(const struct branch_list *list, const struct branch *source, int node)
{
    int charges = 0, others = 0;
    for (size_t i = 0; i < list->count && node > 0; i++) {
        const struct branch *b = &list->branches[i];
        if (b != source && has_end(b, node))
            *(b->kind == BRANCH_C ? &charges : &others) += 1;
    }
    return charges > 0 && others == 0;
}

static double difference(const double *v, const struct branch *b)
{
    return (b->plus > 0 ? v[b->plus - 1] : 0) - (b->minus > 0 ? v[b->minus - 1] : 0);
}

/* The branch makes at least half of the rate: of A v = (G + rate C) v = 0 with w^T A = 0 and w^T C v = 1, a change dA changes it by
 * -w^T dA v.  part: w^T A_b v of the branch, by which the rate grows relative to itself as the branch does. */
static bool makes_the_rate(const struct start_growth *g, double part)
{
    return fabs(part) >= 0.5 * g->rate;
}

/* A capacitance whose current, through an ammeter, a source gives somewhere else: with a gain below zero it takes another
 * capacitance off there. */
static bool is_mirrored(const struct branch_list *list, const struct branch *ammeter, const struct start_growth *g)
{
    if (ammeter->kind != BRANCH_V || !ammeter->current ||
        !(carries_a_charge(list, ammeter, ammeter->plus) || carries_a_charge(list, ammeter, ammeter->minus)))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        for (size_t k = 0; k < b->control_count && b->kind == BRANCH_I && b->role == ROLE_GAIN; k++)
            if (b->controls[k] == ammeter->current)
                return makes_the_rate(g, g->direction[ammeter->current - 1] * difference(g->adjoint, ammeter));
    }
    return false;
}

static bool is_below_zero(const struct branch *b, const struct start_growth *g)
{
    if (!(b->constant < 0))
        return false;
    if (b->kind == BRANCH_L)
        return makes_the_rate(g, g->rate * b->constant * g->direction[b->current - 1] * g->adjoint[b->current - 1]);
    return b->kind == BRANCH_C &&
           makes_the_rate(g, g->rate * b->constant * difference(g->direction, b) * difference(g->adjoint, b));
}

/* Macromodels of amplifiers make a zero of an inductor that a controlled source drives: its voltage is the slope of the source's
 * current, and fed back by what the circuit has no capacitance for it grows without oscillation, e times in picoseconds to
 * nanoseconds.  Or of a capacitance whose current is mirrored, or that is below zero: what follows may amplify the mode, so that others
 * move by more, but the rate is that capacitance's. */
static bool is_of_a_zero(const struct mna *m, const struct topology *t, const struct start_growth *g, double step)
{
    bool of_zero = false;
    if (g->frequency > 0 || g->rate * step < UNSEEN)
        return false;
    for (size_t i = 0; i < t->list.count && g->adjoint && !of_zero; i++)
        of_zero = is_below_zero(&t->list.branches[i], g) || is_mirrored(&t->list, &t->list.branches[i], g);
    for (size_t i = 0; i < t->li_cutsets.count && !of_zero; i++) {
        const struct branch_set *cutset = &t->li_cutsets.sets[i];
        const struct node_set *part = &t->li_parts.sets[i];
        bool driven = false, moved = false;
        for (size_t k = 0; k < cutset->count; k++)
            driven |= cutset->branches[k]->controlled && cutset->branches[k]->role == ROLE_GAIN;
        for (size_t k = 0; k < part->count; k++)
            moved |= moves(m, g, part->nodes[k]);
        of_zero = driven && moved;
    }
    return of_zero;
}

enum choice { FOLLOWED, TOO_FAST_TO_BE_REAL, OF_A_ZERO, OUT_OF_SIGHT };

static enum kn_status choose(struct mna *m, const struct topology *t, const struct start_growth *g,
                             const struct transient *request, enum choice *choice)
{
    bool negative = false;
    *choice = is_out_of_sight(g, request->step)      ? OUT_OF_SIGHT
              : is_of_a_zero(m, t, g, request->step) ? OF_A_ZERO
                                                     : FOLLOWED;
    if (g->rate < TOO_FAST)
        return KN_OK;
    const enum kn_status status = start_growth_negative(m, &negative);
    *choice = negative ? TOO_FAST_TO_BE_REAL : *choice;
    return status;
}

/* time: s, of a point where the run has come to rest; 0: it is to start there. */
static void report(const struct mna *m, const struct start_growth *g, enum choice choice, double time,
                   struct kn_location where, struct kn_diagnostics *d)
{
    char what[200], point[100] = "operating point";
    const char *begins = time > 0 ? "goes on" : "starts";
    const char *hint = "uic, .ic or a pulse of a source starts it elsewhere";
    struct text movers = TEXT(200);
    name_movers(m, g, &movers);
    if (choice == OUT_OF_SIGHT) {
        const double period = 2 * PI / g->frequency;
        snprintf(what, sizeof what,
                 "they oscillate with a period of %.3g s, of which rows every tstep show nothing: the run damps them",
                 period);
        hint = diagnostics_hint(d, "compensate the feedback; a tstep of %.2g s or less follows the oscillation",
                                period / CONTROL_ALGEBRAIC_RESOLUTION);
    } else if (choice == OF_A_ZERO) {
        snprintf(what, sizeof what,
                 "a charge or flux below zero, or a source that makes one, is behind it, far between rows: the run %s "
                 "at the "
                 "point itself and damps it",
                 begins);
        hint = "macromodels of amplifiers make their zeros so; a small capacitance where it grows may remove it";
    } else if (choice == TOO_FAST_TO_BE_REAL) {
        snprintf(what, sizeof what, "no real circuit is so fast: the run %s at the point itself and damps it", begins);
        hint = "look for a model with a pole on the wrong side or a feedback of the wrong sign";
    } else
        snprintf(what, sizeof what, "the run %s %g V beside it in that direction, since it would rest there", begins,
                 DISTURBANCE);
    if (time > 0)
        snprintf(point, sizeof point, "point where all has come to rest at t = %.6g s", time);
    diagnostics_add(d, choice == OUT_OF_SIGHT ? KN_WARNING : KN_NOTE, "unstable-start", where, hint,
                    "the %s is unstable: %s%d mode%s, the fastest by e in %.3g s, in which %s move most; %s", point,
                    g->partial ? "at least " : "", g->modes, g->modes == 1 ? " grows" : "s grow", 1 / g->rate,
                    movers.at, what);
}

enum kn_status set_off(struct mna *m, const struct topology *t, const struct transient *request,
                       struct kn_diagnostics *d, double time, double *x, struct set_off *out)
{
    struct start_growth g;
    const struct index_point at = {time, x};
    *out = (struct set_off){0, 0};
    enum choice choice;
    enum kn_status status = start_growth(m, t, &at, request->stop - time, &g);
    if (status != KN_OK || g.modes == 0)
        return status;
    status = choose(m, t, &g, request, &choice);
    if (d)
        report(m, &g, choice, time, request->where, d);
    for (int i = 0; i < mna_unknown_count(m) && choice == FOLLOWED; i++)
        x[i] += DISTURBANCE * g.direction[i];
    *out = choice == FOLLOWED ? (struct set_off){.growth = g.rate}
                              : (struct set_off){.damped = hypot(g.rate, g.frequency)};
    start_growth_free(&g);
    return status;
}

enum kn_status set_off_or_leap(struct consistent *c, const struct transient *request, struct kn_diagnostics *d, double time, double *x,
                               struct set_off *off, bool *moved)
{
    const struct impasse_place place = {.time = time, .shortest = time_shortest_step(time, request->stop)};
    const enum kn_status status = off->damped > 0 ? KN_OK : set_off(c->mna, c->topology, request, d, time, x, off);
    *moved = off->growth > 0;
    return status != KN_OK || *moved || off->damped > 0 ? status : impasse_leave_ridge(c, &place, d, x, moved);
}

enum kn_status set_off_refuse(struct mna *m, const struct topology *t, const struct transient *request,
                              struct kn_diagnostics *d, double time, double *x, struct kn_location where)
{
    struct set_off off = {0, 0};
    const enum kn_status status = set_off(m, t, request, NULL, time, x, &off);
    if (status != KN_OK || !(off.growth > 0))
        return status;
    diagnostics_add(
        d, KN_ERROR, "sens-circuit", where, "let a source push it, or begin beside that point with uic",
        "'.sens tran': all comes to rest at t = %.6g s at an unstable point, beside which .tran goes on; that "
        "is not differentiated",
        time);
    return KN_ERROR_CIRCUIT;
}
