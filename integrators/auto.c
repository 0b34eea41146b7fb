/* auto.c - the method chosen while the run goes on.
 *
 * What a waveform wants is found by trying: the run starts with BDF, whose steps are cheap and whose Newton method
 * survives most; soon each other candidate is given a turn of some steps, and whichever gets further per work goes on.
 * It is challenged again later, after a pause that doubles while nothing changes.  Candidates are RODASP, a Rosenbrock
 * method without Newton iteration, where the tolerance is loose, and Radau IIA, whose order is higher and whose
 * stability does not depend on it.
 *
 * Work is counted, not timed, so that a run can be repeated.  A turn is judged after its first steps, which only find
 * the step size.  Methods that keep the same tolerance do not reach the same accuracy: the errors of BDF's many steps
 * point into one direction and add up, and it has to pay for that when it is compared.
 */
#include "integrators/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BDF, ROSENBROCK, RADAU, CANDIDATES };

/* Measured (bench/work-precision): at the same reltol the error of BDF is 3 to 100 times those of the others, which is
 * worth that many steps of order 4 or 5. */
static const struct rule {
    const struct integrator_class *class;
    double factorization; /* work, see work_of; most of Radau's are complex */
    double accuracy;      /* what progress counts */
    int window;           /* steps of a turn that are judged together */
    double earliest;      /* work of the run before the first trial: some 2.5 times what the trial takes */
} rules[CANDIDATES] = {
    {&integrator_bdf, 1.5, 0.7, 40, 0},
    {&integrator_rodasp, 1.5, 1, 12, 500},
    {&integrator_radau, 4, 1, 12, 1100},
};
/* Work of the parts of a step, in evaluations of f and q. */
static const double WORK_JACOBIAN = 1, WORK_SOLVE = 0.4;

/* Below this reltol order 4 takes too many steps. */
static const double LOOSE = 1e-5;
enum { UNJUDGED_AT_START = 40, UNJUDGED = 6, MOST_WINDOWS = 6 };
/* Pauses between trials, in units of the work of the trial before. */
static const double FIRST_PAUSE = 8, LONGEST_PAUSE = 64;
/* Pauses after failures, in work. */
static const double FIRST_CAUTION = 500, LONGEST_CAUTION = 16000;
/* The method on trial must get this much further per work to be chosen; it goes on trying, since its order and step
 * still grow, while it gets at least that far and gains from window to window. */
static const double CLEARLY_BETTER = 1.1, HOPEFUL = 0.4, GAIN = 1.1;
/* The one that takes over has no history and starts with a shorter step. */
static const double WITHOUT_HISTORY = 0.25;
/* Failures in a row after which BDF takes over; those of Newton's method count more. */
enum { MOST_FAILURES = 24, NEWTON_COUNTS = 4 };

struct turn {
    double time, work; /* where judging began */
    double all;        /* work where the turn began */
    long steps;        /* since judging began; below 0: not yet */
    int windows;       /* judged so far */
};

struct automatic {
    struct integrator base;
    struct integrator *candidates[CANDIDATES]; /* NULL: not for this problem */
    double rates[CANDIDATES];                  /* progress in the last turn that was judged; 0: none */
    long steps[CANDIDATES];
    bool unfit[CANDIDATES]; /* refused this problem */
    int active, next;       /* next != active: takes over before the next step */
    int last;               /* who made the last step, and interpolates in it */
    int champion;           /* goes on if the trial fails */
    int challenger;         /* tried last */
    struct turn turn;
    bool trial;                /* the active method is being tried */
    double pause, until_trial; /* work */
    double caution;            /* work that BDF does after failures of another method */
    int failures;              /* in a row */
    double failed_step;        /* s, of the first of them */
};

static void auto_destroy(struct integrator *base)
{
    struct automatic *m = (struct automatic *)base;
    for (int i = 0; i < CANDIDATES; i++)
        if (m->candidates[i])
            m->candidates[i]->class->destroy(m->candidates[i]);
    free(m);
}

static bool is_candidate(int i, const struct dae *dae, const struct integrator_options *o)
{
    if (o->max_order > 0) /* who limits the order means that of BDF */
        return i == BDF;
    return i != ROSENBROCK || (o->relative >= LOOSE && !dae->no_time_derivatives);
}

static enum kn_status auto_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct automatic *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base = (struct integrator){.class = &integrator_auto, .dae = dae, .relative = o->relative};
    m->turn.steps = -UNJUDGED_AT_START;
    m->caution = FIRST_CAUTION;
    enum kn_status status = KN_OK;
    for (int i = 0; i < CANDIDATES && status == KN_OK; i++)
        if (is_candidate(i, dae, o))
            status = rules[i].class->create(dae, o, &m->candidates[i]);
    if (status == KN_OK)
        *out = &m->base;
    else
        auto_destroy(&m->base);
    return status;
}

static void mirror(struct automatic *m)
{
    const struct integrator *active = m->candidates[m->active];
    m->last = m->active;
    m->base.t = active->t;
    m->base.previous = active->previous;
    m->base.x = active->x;
    m->base.order = active->order;
}

static double work_of(const struct automatic *m, int i)
{
    const struct integrator *candidate = m->candidates[i];
    struct integrator_statistics s = {0};
    candidate->class->statistics(candidate, &s);
    return (double)s.evaluations + WORK_JACOBIAN * (double)s.jacobians +
           rules[i].factorization * (double)(s.factorizations + s.refactorizations) + WORK_SOLVE * (double)s.solves;
}

static void begin_judging(struct automatic *m)
{
    m->turn.steps = 0;
    m->turn.time = m->base.t;
    m->turn.work = work_of(m, m->active);
}

static void begin_turn(struct automatic *m)
{
    m->turn = (struct turn){.steps = -UNJUDGED, .all = work_of(m, m->active)};
}

static void switch_over(struct automatic *m)
{
    m->active = m->next;
    begin_turn(m);
}

static double rate_of_turn(const struct automatic *m)
{
    return rules[m->active].accuracy * (m->base.t - m->turn.time) / fmax(work_of(m, m->active) - m->turn.work, 1);
}

/* ---- whose turn it is ---- */

static double work_of_run(const struct automatic *m)
{
    double sum = 0;
    for (int i = 0; i < CANDIDATES; i++)
        sum += m->candidates[i] ? work_of(m, i) : 0;
    return sum;
}

/* A candidate that has not been tried yet though it is time, then those that have been, in turn once the pause is over;
 * the active one if there is none. */
static int find_challenger(const struct automatic *m)
{
    const bool pause_over = work_of(m, m->active) - m->turn.work >= m->until_trial;
    const double work = work_of_run(m);
    int found = m->active;
    for (int k = CANDIDATES; k > 0; k--) {
        const int i = (m->challenger + k) % CANDIDATES;
        const bool tried = m->rates[i] > 0;
        if (i == m->active || !m->candidates[i] || m->unfit[i] || !(tried ? pause_over : work >= rules[i].earliest))
            continue;
        if (!tried)
            return i;
        found = i;
    }
    return found;
}

static void begin_trial(struct automatic *m, int challenger)
{
    m->champion = m->active;
    m->rates[m->active] = rate_of_turn(m);
    m->next = m->challenger = challenger;
    m->trial = true;
}

static void end_trial(struct automatic *m, int winner)
{
    const double work = work_of(m, m->active) - m->turn.all;
    m->trial = false;
    m->next = winner;
    m->pause = winner != m->champion || m->pause == 0 ? FIRST_PAUSE : fmin(2 * m->pause, LONGEST_PAUSE);
    m->until_trial = m->pause * work;
    m->caution = fmax(0.5 * m->caution, FIRST_CAUTION);
    if (winner == m->active)
        begin_judging(m);
}

/* A window of a trial is over. */
static void judge(struct automatic *m)
{
    const double before = m->turn.windows > 0 ? m->rates[m->active] : 0, other = m->rates[m->champion];
    const double now = m->rates[m->active] = rate_of_turn(m);
    const bool better = now >= CLEARLY_BETTER * other;
    if (!better && now > HOPEFUL * other && now > GAIN * before && ++m->turn.windows < MOST_WINDOWS)
        begin_judging(m);
    else
        end_trial(m, better ? m->active : m->champion);
}

/* After an accepted step: whose turn it is next. */
static void take_turns(struct automatic *m)
{
    m->steps[m->active]++;
    if (++m->turn.steps <= 0) {
        if (m->turn.steps == 0)
            begin_judging(m);
        return;
    }
    if (m->turn.steps % rules[m->active].window != 0)
        return;
    const int challenger = m->trial ? m->active : find_challenger(m);
    if (m->trial)
        judge(m);
    else if (challenger != m->active)
        begin_trial(m, challenger);
}

/* Where a candidate does not get on, or refuses the problem, BDF takes over. */
static void count_failure(struct automatic *m, double step, struct step_report *report)
{
    const bool refused = report->outcome == STEP_STOPPED && report->reason;
    if (m->failures == 0)
        m->failed_step = step;
    m->failures += report->outcome == STEP_ERROR_TOO_LARGE ? 1 : NEWTON_COUNTS;
    if (m->active == BDF || (report->outcome == STEP_STOPPED && !refused) || (m->failures < MOST_FAILURES && !refused))
        return;
    m->failures = 0;
    m->trial = false;
    m->next = BDF;
    m->until_trial = m->caution;
    m->caution = fmin(2 * m->caution, LONGEST_CAUTION);
    report->next_step = WITHOUT_HISTORY * m->failed_step;
    report->outcome = refused ? STEP_NEWTON_FAILED : report->outcome;
    m->unfit[m->active] = m->unfit[m->active] || refused;
}

static enum kn_status auto_restart(struct integrator *base, double t, const double *x)
{
    struct automatic *m = (struct automatic *)base;
    if (m->next != m->active)
        switch_over(m);
    const enum kn_status status = m->candidates[m->active]->class->restart(m->candidates[m->active], t, x);
    mirror(m);
    return status;
}

static void auto_step(struct integrator *base, double to, struct step_report *report)
{
    struct automatic *m = (struct automatic *)base;
    if (m->next != m->active) {
        const struct integrator *from = m->candidates[m->active];
        switch_over(m);
        struct integrator *next = m->candidates[m->active];
        const enum kn_status status = next->class->restart(next, from->t, from->x);
        if (status != KN_OK) {
            *report = (struct step_report){.outcome = STEP_STOPPED, .status = status};
            return;
        }
    }
    struct integrator *active = m->candidates[m->active];
    active->class->step(active, to, report);
    if (report->outcome != STEP_ACCEPTED) {
        count_failure(m, to - m->base.t, report);
        return;
    }
    m->failures = 0;
    mirror(m);
    take_turns(m);
    if (m->next != m->active)
        report->next_step *= WITHOUT_HISTORY;
}

static void auto_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    struct automatic *m = (struct automatic *)base;
    struct integrator *last = m->candidates[m->last];
    last->class->interpolate(last, time, x, dxdt);
}

static void auto_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct automatic *m = (const struct automatic *)base;
    for (int i = 0; i < CANDIDATES; i++)
        if (m->candidates[i])
            m->candidates[i]->class->statistics(m->candidates[i], s);
}

/* The candidate with the largest rate, or the largest but `except`; CANDIDATES if none was judged. */
static int best_rate(const struct automatic *m, int except)
{
    int best = CANDIDATES;
    for (int i = 0; i < CANDIDATES; i++)
        if (i != except && m->rates[i] > 0 && (best == CANDIDATES || m->rates[i] > m->rates[best]))
            best = i;
    return best;
}

static void auto_describe(const struct integrator *base, char *text, size_t size)
{
    const struct automatic *m = (const struct automatic *)base;
    const int best = best_rate(m, CANDIDATES), second = best_rate(m, best);
    if (second == CANDIDATES) {
        snprintf(text, size, "%s",
                 !m->candidates[RADAU]                        ? "bdf, as maxord is given"
                 : m->steps[ROSENBROCK] + m->steps[RADAU] > 0 ? "bdf: steps of other methods failed"
                                                              : "bdf: too short a run to try other methods");
        return;
    }
    int length = 0;
    for (int i = 0; i < CANDIDATES; i++)
        if (m->steps[i] > 0 && length >= 0 && (size_t)length < size)
            length += snprintf(text + length, size - (size_t)length, "%s%ld %s", length ? ", " : "", m->steps[i],
                               rules[i].class->name);
    if (length >= 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "; %s got %.2g times as far per work as %s",
                 rules[best].class->name, m->rates[best] / m->rates[second], rules[second].class->name);
}

const struct integrator_class integrator_auto = {
    .name = "auto",
    .title = "BDF, RODASP or Radau IIA, whichever gets furthest per work, found out during the run",
    .create = auto_create,
    .destroy = auto_destroy,
    .restart = auto_restart,
    .step = auto_step,
    .interpolate = auto_interpolate,
    .statistics = auto_statistics,
    .describe = auto_describe,
};
