/* drive.c - the loop over steps, once for all methods: breakpoints, largest and smallest step, rejections, restarts,
 * statistics, and the diagnosis when the step size collapses. */
#include "base/larger.h"
#include "base/time_resolution.h"
#include "integrators/between.h"
#include "integrators/drive/attempt.h"
#include "integrators/drive/events.h"
#include "integrators/drive/first_step.h"
#include "integrators/drive/growth.h"
#include "integrators/drive/reports.h"
#include "integrators/drive/shortened.h"
#include "integrators/drive/standstill.h"
#include "integrators/drive/stride.h"
#include "integrators/drive/swing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first step after a restart is at most this part of the way to the next breakpoint; or all of it, where its error, which grows with
 * the square of a step, would be within the tolerance there too, as where nothing moves but states of logic. */
static const double FIRST_STEP = 0.05;

struct drive {
    struct integrator *m;
    const struct dae *dae;
    const struct run_options *options;
    const struct run_callbacks *callbacks;
    struct integrator_statistics *statistics;
    struct run_reports reports;
    double breakpoint;     /* next one, or the end of the run */
    double step;           /* proposal for the next attempt */
    enum step_limit limit; /* why it is no longer */
    double max_step;
    struct swing swing;
    struct stride stride;
    struct first_step first_step;
    struct events events;
    struct growth growth;
    struct standstill standstill;
    double target;    /* s: where the caller wants a step to end, though the circuit has no corner there */
    bool jumped;      /* a value that the caller supplies has jumped at this time */
    bool crossed;     /* the last step has led to another branch of solutions, where the method begins anew */
    bool stuck;       /* no step leads on from here, however short */
    double leap_time; /* s, of the last leap; and how many there have been there */
    int leaps;
    struct {
        double time;
        long steps;
    } looked;       /* when it was looked last whether steps are caught */
    double *x;      /* [n] */
    double *before; /* [n] where the step began */
};

static double shortest_step(const struct drive *s)
{
    return time_shortest_step(s->m->t, fabs(s->options->stop));
}

/* Two times closer than this are one. */
static double time_resolution(const struct drive *s)
{
    return shortest_step(s) / 4;
}

static void find_breakpoint(struct drive *s, double t)
{
    s->breakpoint = s->options->stop;
    double next = s->dae->next_breakpoint ? s->dae->next_breakpoint(s->dae->problem, t) : INFINITY;
    if (next < s->breakpoint - time_resolution(s))
        s->breakpoint = next;
    if (s->dae->hold_left)
        s->dae->hold_left(s->dae->problem, s->breakpoint);
}

static double longest_step(const struct drive *s)
{
    return standstill_longest(&s->standstill, s->m->t, dae_longest_step(s->dae, s->max_step));
}

/* Whether the step proposed as the longest that it may be could be the whole way to an event behind another. */
static bool reaches_breakpoint(const struct drive *s, double longest)
{
    return s->statistics->restarts > 1 && s->breakpoint < s->options->stop && s->step >= longest &&
           s->first_step.error <= FIRST_STEP * FIRST_STEP;
}

/* Across a corner the solution goes on without a jump: a method that needs no history and sees what is inside its steps
 * may try the step that it has proposed.  Otherwise a first step is looked for.  It is no shorter than times can tell: where it would have
 * to be, as for the charge of a junction whose current a switch takes, it is as long as output allows (resolution), since what is over
 * before is not seen. */
static enum kn_status propose_step(struct drive *s, double t, const double *x, bool moved)
{
    if (s->m->fixed_step > 0)
        return KN_OK;
    if (s->m->keeps_step && !moved && s->statistics->restarts > 1)
        return KN_OK;
    const double longest = fmin(FIRST_STEP * (s->breakpoint - t), longest_step(s));
    s->limit = LIMIT_START;
    const enum kn_status status = first_step_propose(&s->first_step, t, x, longest, &s->step);
    if (reaches_breakpoint(s, longest))
        s->step = fmin(s->breakpoint - t, longest_step(s));
    if (s->step < time_shortest_step(t, 0))
        s->step = fmin(fmax(time_shortest_step(t, 0), s->m->resolution), longest);
    if (s->options->first_step > 0 && s->statistics->restarts == 1)
        s->step = fmin(s->step, s->options->first_step);
    return status;
}

/* moved: x is not where the last step has ended. */
static enum kn_status restart(struct drive *s, double t, const double *x, bool moved)
{
    enum kn_status status = s->dae->accept ? s->dae->accept(s->dae->problem, t, x, 1, DAE_RESTART) : KN_OK;
    find_breakpoint(s, t);
    s->standstill.since = t;
    swing_restart(&s->swing, t);
    if (status == KN_OK)
        status = s->m->class->restart(s->m, t, x);
    if (status != KN_OK)
        return status;
    s->statistics->restarts++;
    between_restart(s->m->between);
    return propose_step(s, t, x, moved);
}

/* The same with a step of this length. */
static enum kn_status restart_with(struct drive *s, double t, const double *x, double step, enum step_limit limit)
{
    const enum kn_status status = restart(s, t, x, false);
    s->step = step;
    s->limit = limit;
    return status;
}

/* Breakpoints of the caller, who may find new ones at any time. */
static void ask_for_breakpoint(struct drive *s)
{
    const double t = s->m->t, next = s->callbacks->breakpoint(s->callbacks->context, t);
    if (!(next > t + time_resolution(s) && next < s->breakpoint - time_resolution(s)))
        return;
    s->breakpoint = next;
    if (s->dae->hold_left)
        s->dae->hold_left(s->dae->problem, next);
}

/* To the breakpoint or what the caller waits for, or to a crest of what swings. */
static struct step_attempt wanted_step(const struct drive *s)
{
    const bool waits = s->target < s->breakpoint - time_resolution(s);
    const double t = s->m->t, must_end = waits ? s->target : s->breakpoint;
    const enum step_limit must_reason = waits ? LIMIT_CALLER : LIMIT_BREAKPOINT;
    if (s->m->fixed_step > 0)
        return attempt_even(&(struct stretch){t, must_end, must_reason},
                            fmin(fmin(s->m->fixed_step, s->max_step), s->limit == LIMIT_CALLER ? s->step : INFINITY));
    const double longest = longest_step(s), wanted = larger_of(s->step, shortest_step(s));
    const double step = smaller_of(wanted, longest), quarter = swing_end(&s->swing, t, step);
    const bool swings = quarter < must_end - time_resolution(s);
    const struct stretch stretch = {t, swings ? quarter : must_end, swings ? LIMIT_SOURCE : must_reason};
    return attempt_free(&stretch, step,
                        wanted <= longest                                 ? s->limit
                        : longest < dae_longest_step(s->dae, s->max_step) ? LIMIT_START
                                                                          : LIMIT_TMAX);
}

/* The next attempt, which the caller may want shorter. */
static struct step_attempt plan(const struct drive *s)
{
    struct step_attempt a = wanted_step(s);
    if (!s->callbacks->shorten)
        return a;
    const double wanted = s->callbacks->shorten(s->callbacks->context, a.from, a.to - a.from);
    const double step = fmax(wanted, shortest_step(s));
    if (step < a.to - a.from) {
        a.to = a.from + step;
        a.limit = LIMIT_CALLER;
    }
    return a;
}

/* ---- the loop ---- */

static enum kn_status attempt_step(struct drive *s, bool *accepted)
{
    const enum kn_status prepared = s->m->class->prepare ? s->m->class->prepare(s->m) : KN_OK;
    if (prepared != KN_OK)
        return prepared;
    if (s->callbacks->breakpoint)
        ask_for_breakpoint(s);
    struct step_attempt a = plan(s);
    memcpy(s->before, s->m->x, (size_t)s->dae->n * sizeof *s->before);
    s->m->class->step(s->m, a.to, &a.report);
    const struct step_report *const report = &a.report;
    *accepted = report->outcome == STEP_ACCEPTED;
    if (!*accepted || s->reports.attempt_count == 0)
        reports_remember(&s->reports, &a);
    if (s->callbacks->attempted)
        s->callbacks->attempted(s->callbacks->context, s->m, &a);
    if (report->outcome == STEP_STOPPED && report->reason)
        report_unsuitable(&s->reports, report->reason);
    if (report->outcome == STEP_STOPPED)
        return report->status != KN_OK ? report->status : KN_ERROR_CONVERGENCE;
    s->step = report->next_step;
    s->limit = report->limit;
    if (*accepted) {
        if (s->m->fixed_step > 0 && report->error > 1)
            reports_see_beyond(&s->reports, &a);
        if (report->noisy)
            report_noise(&s->reports, a.to, report);
        s->statistics->accepted++;
        return KN_OK;
    }
    if (report->outcome == STEP_ERROR_TOO_LARGE)
        s->statistics->rejected_error++;
    else
        s->statistics->rejected_newton++;
    events_settle(&s->events, s->m->t);
    if (s->m->fixed_step > 0) {
        report_fixed(&s->reports, &a);
        return KN_ERROR_CONVERGENCE;
    }
    s->stuck = !(s->step >= shortest_step(s) && isfinite(s->step));
    return KN_OK;
}

/* The last step does not count. */
static void forget_step(struct drive *s)
{
    s->statistics->accepted--;
    s->statistics->rejected_error++;
}

/* The step that the method has just made is made again, shorter, without a past. */
static enum kn_status take_back(struct drive *s, double step)
{
    const double from = s->m->previous;
    forget_step(s);
    if (!(step >= shortest_step(s))) {
        report_refused(&s->reports, from, step);
        return KN_ERROR_CONVERGENCE;
    }
    return restart_with(s, from, s->before, step, LIMIT_CALLER);
}

/* True: it was refused, and the run is back where it began. */
static bool refused(struct drive *s, enum kn_status *status)
{
    double step = s->m->t - s->m->previous;
    if (!s->callbacks->refused || !s->callbacks->refused(s->callbacks->context, s->m, &step))
        return false;
    *status = take_back(s, fmin(step, 0.5 * (s->m->t - s->m->previous)));
    return true;
}

static enum kn_status arrive(struct drive *s, double t, const double *x)
{
    return s->dae->arrive ? s->dae->arrive(s->dae->problem, t, x) : KN_OK;
}

/* From s->x at t, on the far side of what happens there.  What becomes consistent may turn further switches. */
static enum kn_status go_on(struct drive *s, double t, bool switched)
{
    enum kn_status status = KN_OK;
    if (s->dae->hold_left)
        s->dae->hold_left(s->dae->problem, INFINITY);
    for (int round = 0; status == KN_OK && round <= EVENTS_MOST_TURNS; round++) {
        status = arrive(s, t, s->x);
        if (status == KN_OK && s->callbacks->reinitialize)
            status = s->callbacks->reinitialize(s->callbacks->context, s->m, t, s->x, switched);
        if (status == KN_OK && !events_hold_sides(&s->events, t, s->x))
            break;
        switched = true;
    }
    if (status == KN_OK && s->callbacks->settled)
        status = s->callbacks->settled(s->callbacks->context, t, s->x);
    const bool moved = switched || memcmp(s->x, s->m->x, (size_t)s->dae->n * sizeof *s->x) != 0;
    return status == KN_OK ? restart(s, t, s->x, moved) : status;
}

static enum kn_status tell_shortened(struct drive *s, double t)
{
    struct integrator *m = s->m;
    struct shortened part;
    shortened_init(&part, m, t, s->x);
    enum kn_status status = KN_OK;
    if (s->callbacks->accepted && t > m->previous)
        status = s->callbacks->accepted(s->callbacks->context, &part.base, false);
    if (status == KN_OK)
        status = between_remember(&part.base);
    if (status == KN_OK && s->dae->accept)
        status = s->dae->accept(s->dae->problem, t, s->x, m->order, DAE_STEP_END);
    return status;
}

/* True when the step just accepted has been cut at a switching point, from which the run goes on. */
static bool stop_at_switch(struct drive *s, enum kn_status *status)
{
    double t;
    int released;
    const bool found = events_find(&s->events, s->m, &t, s->x);
    *status = s->events.status;
    if (!found || *status != KN_OK)
        return found;
    *status = tell_shortened(s, t);
    if (*status == KN_OK)
        *status = events_turn(&s->events, t, s->x, &released);
    if (*status == KN_OK && released >= 0)
        report_release(&s->reports, released, t);
    if (*status == KN_OK && t < s->options->stop)
        *status = go_on(s, t, true);
    return true;
}

/* True when switches leave zero, or have come to rest there, with a jump: the step is made anew behind it. */
static bool leaves_zero(struct drive *s, enum kn_status *status)
{
    const double t = s->m->previous;
    int released;
    const bool left = events_leave_zero(&s->events, s->m, s->before);
    const bool rests = !left && s->events.status == KN_OK && events_rest(&s->events, s->m, s->before);
    *status = s->events.status;
    if (!(left || rests) || *status != KN_OK)
        return false;
    forget_step(s);
    memcpy(s->x, s->before, (size_t)s->dae->n * sizeof *s->x);
    if (left)
        *status = events_turn(&s->events, t, s->x, &released);
    if (*status == KN_OK)
        *status = go_on(s, t, true);
    return true;
}

/* Where the solution through s->x at t ends, the circuit may go on elsewhere. */
static bool leapt(struct drive *s, double t, enum kn_status *status)
{
    const bool again = t - s->leap_time <= time_resolution_at(t, s->options->stop);
    bool left = false;
    if (s->callbacks->leap && !(again && s->leaps >= EVENTS_MOST_TURNS))
        *status = s->callbacks->leap(s->callbacks->context, t, shortest_step(s), s->x, &left);
    if (*status != KN_OK || !left)
        return false;
    s->leaps = again ? s->leaps + 1 : 1;
    s->leap_time = t;
    *status = go_on(s, t, true);
    return true;
}

/* s.  The time of a leap is found to an invisible part of reltol times the time since the leap before. */
static double leap_resolution(const struct drive *s, double t)
{
    return TOLERANCE_INVISIBLE * s->m->relative * (t - fmax(s->leap_time, s->options->start));
}

/* True where the solution ends within the step just made, so that Newton's method has found another branch at its end.
 * The step is then made again, shorter, up to where the solution ends; or, where that is too near the begin of the step,
 * the circuit leaps there. */
static bool parted(struct drive *s, enum kn_status *status)
{
    double lasts;
    const struct integrator *m = s->m;
    s->crossed = false;
    const double step = m->t - m->previous;
    *status = branches_part(s->m, s->before, shortest_step(s), &lasts);
    if (*status != KN_OK || !(lasts < step) || m->fixed_step > 0)
        return *status != KN_OK;
    if (fmin(lasts, 0.5 * step) > fmax(leap_resolution(s, m->previous), shortest_step(s))) {
        *status = take_back(s, fmin(lasts, 0.5 * step));
        return true;
    }
    memcpy(s->x, s->before, (size_t)s->dae->n * sizeof *s->x);
    s->crossed = !leapt(s, m->previous, status);
    if (!s->crossed)
        forget_step(s);
    return !s->crossed || *status != KN_OK;
}

/* A run hangs with so many steps in that time: where a solution ends a one-step method goes back by its errors as far as it goes on. */
enum { CAUGHT_STEPS = 1000 };

static bool caught(struct drive *s, enum kn_status *status)
{
    const double t = s->m->t, gone = t - s->looked.time;
    if (s->statistics->accepted - s->looked.steps < CAUGHT_STEPS)
        return false;
    s->looked.time = t;
    s->looked.steps = s->statistics->accepted;
    if (!(gone < leap_resolution(s, t)))
        return false;
    memcpy(s->x, s->m->x, (size_t)s->dae->n * sizeof *s->x);
    return leapt(s, t, status);
}

/* Where the run would rest to its end, or to the next corner, the circuit may leave. */
static bool left_rest(struct drive *s, enum kn_status *status)
{
    const struct standstill_ahead ahead = {s->callbacks, s->breakpoint, !(s->breakpoint < s->options->stop)};
    memcpy(s->x, s->before, (size_t)s->dae->n * sizeof *s->x);
    if (!standstill_left(&s->standstill, s->m, &ahead, s->x, status))
        return false;
    growth_forget(&s->growth);
    *status = go_on(s, s->m->t, true);
    return true;
}

/* What laws of the deck's own may do: leave zero by a jump, so that the step is made anew, and grow without end. */
static bool must_begin_anew(struct drive *s, enum kn_status *status)
{
    const struct integrator *m = s->m;
    struct grown grown;
    if (leaves_zero(s, status) || *status != KN_OK)
        return true;
    if (growth_look(&s->growth, m->t, m->t - m->previous, s->before, m->x, &grown))
        report_grown(&s->reports, &grown);
    return false;
}

static enum kn_status after_step(struct drive *s)
{
    struct integrator *m = s->m;
    enum kn_status status = KN_OK;
    if (refused(s, &status) || (!s->dae->bounded && must_begin_anew(s, &status)) || parted(s, &status))
        return status;
    attempt_measure(m, s->statistics);
    if (stop_at_switch(s, &status) || status != KN_OK)
        return status;
    m->halts = m->t >= fmin(s->breakpoint, s->target - time_resolution(s)) || s->crossed;
    if (s->callbacks->accepted)
        status = s->callbacks->accepted(s->callbacks->context, m, false);
    if (status != KN_OK || m->t >= s->options->stop)
        return status;
    status = between_remember(m);
    if (status == KN_OK && s->dae->accept)
        status = s->dae->accept(s->dae->problem, m->t, m->x, m->order, DAE_STEP_END);
    if (status != KN_OK)
        return status;
    if (caught(s, &status) || status != KN_OK || left_rest(s, &status) || status != KN_OK)
        return status;
    if (m->t < s->breakpoint && !s->crossed) {
        if (s->dae->largest_step < INFINITY)
            find_breakpoint(s, m->t); /* delays may have taken corners in, or given them out, in this step */
        return KN_OK;
    }
    memcpy(s->x, m->x, (size_t)s->dae->n * sizeof *s->x);
    return go_on(s, m->t, s->crossed);
}

/* What the caller gives has jumped where the run waits. */
static enum kn_status go_on_behind_jump(struct drive *s)
{
    s->jumped = false;
    memcpy(s->x, s->m->x, (size_t)s->dae->n * sizeof *s->x);
    return go_on(s, s->m->t, false);
}

/* What switches at the end of the run, to the last digits of the time, leaves no step. */
static bool end_at_stop(struct drive *s)
{
    if (s->options->stop - s->m->t > shortest_step(s))
        return false;
    s->m->t = s->options->stop;
    return true;
}

/* A solution may end where the circuit does not. */
static enum kn_status go_on_elsewhere(struct drive *s)
{
    enum kn_status status = KN_OK;
    s->stuck = false;
    if (end_at_stop(s))
        return KN_OK;
    memcpy(s->x, s->m->x, (size_t)s->dae->n * sizeof *s->x);
    if (leapt(s, s->m->t, &status) || status != KN_OK)
        return status;
    const double stride = stride_from(&s->stride, s->m, s->breakpoint);
    if (stride > shortest_step(s))
        return restart_with(s, s->m->t, s->x, stride, LIMIT_START);
    report_collapse(&s->reports);
    return KN_ERROR_CONVERGENCE;
}

/* One attempt, and what follows where it succeeds. */
static enum kn_status make_step(struct drive *s)
{
    if (s->callbacks->interrupted && s->callbacks->interrupted(s->callbacks->context))
        return KN_INTERRUPTED;
    bool accepted;
    const enum kn_status status = attempt_step(s, &accepted);
    if (status == KN_OK && s->stuck)
        return go_on_elsewhere(s);
    return status == KN_OK && accepted ? after_step(s) : status;
}

enum kn_status drive_to(struct drive *s, double time)
{
    enum kn_status status = s->jumped ? go_on_behind_jump(s) : KN_OK;
    const double close = time < s->options->stop ? time_resolution(s) : 0;
    s->target = fmin(time, s->options->stop);
    while (status == KN_OK && s->m->t < s->target - close)
        status = make_step(s);
    return status;
}

enum kn_status drive_step(struct drive *s)
{
    const double from = s->m->t;
    enum kn_status status = s->jumped ? go_on_behind_jump(s) : KN_OK;
    s->target = s->options->stop;
    while (status == KN_OK && s->m->t <= from && s->m->t < s->options->stop)
        status = make_step(s);
    return status;
}

void drive_jump(struct drive *s)
{
    s->jumped = true;
}

static enum kn_status start(struct drive *s, const double *x)
{
    struct integrator *m = s->m;
    const struct run_options *o = s->options;
    enum kn_status status = first_step_init(&s->first_step, m->dae, m->relative);
    m->t = o->start;
    m->watched = m->dae->switch_count > 0 ? NULL : o->watched;
    if (status == KN_OK)
        status = between_new(m, s->callbacks, &m->between);
    if (status == KN_OK)
        status = m->dae->bounded ? KN_OK : growth_init(&s->growth, m->dae, m->relative, o->start, x);
    if (status == KN_OK)
        status = standstill_init(&s->standstill, m->dae, x, o, s->callbacks->rests && !(m->fixed_step > 0));
    if (status == KN_OK)
        status = events_init(&s->events, m->dae, m->relative, o->stop - o->start);
    if (status != KN_OK)
        return status;
    memcpy(s->x, x, (size_t)m->dae->n * sizeof *x);
    const bool turned = events_hold_sides(&s->events, o->start, s->x);
    status = arrive(s, o->start, s->x);
    if (status == KN_OK && turned && s->callbacks->reinitialize)
        status = s->callbacks->reinitialize(s->callbacks->context, m, o->start, s->x, true);
    if (status == KN_OK)
        status = restart(s, o->start, s->x, true);
    return status == KN_OK && s->callbacks->accepted ? s->callbacks->accepted(s->callbacks->context, m, true) : status;
}

enum kn_status drive_new(struct integrator *m, const double *x, const struct run_options *o,
                         const struct run_callbacks *callbacks, struct kn_diagnostics *d,
                         struct integrator_statistics *statistics, struct drive **out)
{
    memset(statistics, 0, sizeof *statistics);
    struct drive *s = *out = calloc(1, sizeof *s);
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct drive){.m = m,
                        .dae = m->dae,
                        .options = o,
                        .callbacks = callbacks,
                        .statistics = statistics,
                        .reports = {.m = m, .diagnostics = d},
                        .swing = {m, INFINITY},
                        .stride = {-INFINITY},
                        .leap_time = -INFINITY};
    s->max_step = fmin(o->max_step, m->dae->largest_step);
    s->target = o->stop;
    s->x = malloc((size_t)m->dae->n * sizeof *s->x);
    s->before = malloc((size_t)m->dae->n * sizeof *s->before);
    return s->x && s->before ? start(s, x) : KN_ERROR_MEMORY;
}

void drive_free(struct drive *s)
{
    if (!s)
        return;
    struct integrator *m = s->m;
    m->class->statistics(m, s->statistics);
    if (m->between)
        between_statistics(m->between, s->statistics);
    report_unsolved(&s->reports);
    report_beyond(&s->reports, s->statistics->accepted);
    between_free(m->between);
    m->between = NULL;
    first_step_free(&s->first_step);
    events_free(&s->events);
    standstill_free(&s->standstill);
    if (!m->dae->bounded)
        growth_free(&s->growth);
    free(s->x);
    free(s->before);
    free(s);
}

enum kn_status integrate(struct integrator *m, const double *x, const struct run_options *o,
                         const struct run_callbacks *callbacks, struct kn_diagnostics *d,
                         struct integrator_statistics *statistics)
{
    struct drive *s;
    enum kn_status status = drive_new(m, x, o, callbacks, d, statistics, &s);
    if (status == KN_OK)
        status = drive_to(s, o->stop);
    drive_free(s);
    return status;
}
