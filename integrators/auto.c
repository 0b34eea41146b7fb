/* auto.c - the method chosen while the run goes on.
 *
 * What a waveform wants is found by trying: the run starts with BDF, whose steps are cheap; after some steps Radau IIA,
 * whose order is higher and whose stability does not depend on it, is given a turn; whichever gets further per work
 * goes on, and the other is tried again later, each time after twice as long.  Work is counted, not timed, so that a
 * run can be repeated: evaluations, factorisations (a complex one is some four real ones) and solves.  A turn is judged
 * after its first steps, which only find the step size.
 */
#include "integrators/methods.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BDF, RADAU, CANDIDATES };
enum {
    FIRST_TURN = 120,
    UNJUDGED = 6,
    MOST_WINDOWS = 6,
    FIRST_PAUSE = 400,
    LONGEST_PAUSE = 6400,
    MOST_FAILURES = 8,
    NEWTON_COUNTS = 4
};
/* Steps of a trial that are judged together. */
static const int WINDOW[CANDIDATES] = {40, 12};

/* Work of the parts of a step, in evaluations of f and q. */
static const double WORK_JACOBIAN = 1, WORK_SOLVE = 0.4;
static const double WORK_FACTOR[CANDIDATES] = {1.5, 4}; /* most of Radau's are complex */
/* The one that takes over has no history and starts with a shorter step. */
static const double WITHOUT_HISTORY = 0.25;
/* The method on trial must get this much further per work to be chosen; it goes on trying, since its order and step
 * still grow, while it gets at least that far and gains from window to window. */
static const double CLEARLY_BETTER = 1.2, HOPEFUL = 0.4, GAIN = 1.1;

struct turn {
    double time, work; /* where judging began */
    long steps;        /* since then; below 0: not judged yet */
    int windows;       /* judged in this trial */
};

struct automatic {
    struct integrator base;
    struct integrator *candidates[CANDIDATES];
    int active;
    int last;           /* who made the last step, and interpolates in it */
    int failures;       /* in a row; those of Newton's method count more */
    double failed_step; /* s, of the first of them */
    bool pending;       /* the other takes over before the next step */
    struct turn turn;
    double progress[CANDIDATES]; /* s per work in the last turn that was judged, 0: none */
    bool trial;                  /* the active method is being tried */
    long pause, until_trial;     /* steps */
    long steps[CANDIDATES];
};

static void auto_destroy(struct integrator *base)
{
    struct automatic *m = (struct automatic *)base;
    for (int i = 0; i < CANDIDATES; i++)
        if (m->candidates[i])
            m->candidates[i]->class->destroy(m->candidates[i]);
    free(m);
}

static enum kn_status auto_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct automatic *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.class = &integrator_auto;
    m->base.dae = dae;
    m->base.relative = o->relative;
    m->pause = FIRST_PAUSE;
    m->turn.steps = -UNJUDGED;
    m->until_trial = o->max_order > 0 ? LONG_MAX : FIRST_TURN; /* who limits the order means that of BDF */
    enum kn_status status = integrator_bdf.create(dae, o, &m->candidates[BDF]);
    if (status == KN_OK)
        status = integrator_radau.create(dae, o, &m->candidates[RADAU]);
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

static double work_of(const struct automatic *m)
{
    const struct integrator *active = m->candidates[m->active];
    struct integrator_statistics s = {0};
    active->class->statistics(active, &s);
    return (double)s.evaluations + WORK_JACOBIAN * (double)s.jacobians +
           WORK_FACTOR[m->active] * (double)(s.factorizations + s.refactorizations) + WORK_SOLVE * (double)s.solves;
}

static void switch_over(struct automatic *m)
{
    m->active = 1 - m->active;
    m->turn = (struct turn){.steps = -UNJUDGED};
    m->pending = false;
}

static enum kn_status auto_restart(struct integrator *base, double t, const double *x)
{
    struct automatic *m = (struct automatic *)base;
    if (m->pending)
        switch_over(m);
    const enum kn_status status = m->candidates[m->active]->class->restart(m->candidates[m->active], t, x);
    mirror(m);
    return status;
}

static void begin_judging(struct automatic *m)
{
    m->turn.steps = 0;
    m->turn.time = m->base.t;
    m->turn.work = work_of(m);
}

static double progress_of(const struct automatic *m)
{
    return (m->base.t - m->turn.time) / fmax(work_of(m) - m->turn.work, 1);
}

/* A window of a trial is over. */
static void judge(struct automatic *m)
{
    const double before = m->turn.windows > 0 ? m->progress[m->active] : 0, other = m->progress[1 - m->active];
    const double now = m->progress[m->active] = progress_of(m);
    const bool better = now >= CLEARLY_BETTER * other;
    if (!better && now > HOPEFUL * other && now > GAIN * before && ++m->turn.windows < MOST_WINDOWS) {
        begin_judging(m);
        return;
    }
    m->trial = false;
    m->pending = !better;
    m->pause = better ? FIRST_PAUSE : 2 * m->pause < LONGEST_PAUSE ? 2 * m->pause : LONGEST_PAUSE;
    m->until_trial = m->pause;
    begin_judging(m);
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
    if (m->trial) {
        if (m->turn.steps >= WINDOW[m->active])
            judge(m);
    } else if (--m->until_trial <= 0) { /* the other is tried */
        m->progress[m->active] = progress_of(m);
        m->trial = m->pending = true;
    }
}

/* Where Radau's simplified Newton method does not get on, BDF takes over. */
static void count_failure(struct automatic *m, double step, struct step_report *report)
{
    if (m->failures == 0)
        m->failed_step = step;
    m->failures += report->outcome == STEP_ERROR_TOO_LARGE ? 1 : NEWTON_COUNTS;
    if (m->failures < MOST_FAILURES || m->active == BDF || report->outcome == STEP_STOPPED)
        return;
    m->failures = 0;
    m->trial = false;
    m->pending = true;
    m->until_trial = m->pause = 2 * m->pause < LONGEST_PAUSE ? 2 * m->pause : LONGEST_PAUSE;
    report->next_step = WITHOUT_HISTORY * m->failed_step;
}

static void auto_step(struct integrator *base, double to, struct step_report *report)
{
    struct automatic *m = (struct automatic *)base;
    if (m->pending) {
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
    if (m->pending)
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
        m->candidates[i]->class->statistics(m->candidates[i], s);
}

static void auto_describe(const struct integrator *base, char *text, size_t size)
{
    static const char *const names[CANDIDATES] = {"bdf", "radau"};
    const struct automatic *m = (const struct automatic *)base;
    if (!(m->progress[RADAU] > 0 && m->progress[BDF] > 0)) {
        snprintf(text, size, "%s",
                 m->steps[RADAU] > 0 ? "bdf: steps of radau failed" : "bdf: too short a run to try radau");
        return;
    }
    const int better = m->progress[RADAU] > m->progress[BDF] ? RADAU : BDF;
    snprintf(text, size, "%ld steps by bdf, %ld by radau: %s got %.2g times as far per work", m->steps[BDF],
             m->steps[RADAU], names[better], m->progress[better] / m->progress[1 - better]);
}

const struct integrator_class integrator_auto = {
    .name = "auto",
    .title = "BDF or Radau IIA, whichever gets further per work, found out during the run",
    .create = auto_create,
    .destroy = auto_destroy,
    .restart = auto_restart,
    .step = auto_step,
    .interpolate = auto_interpolate,
    .statistics = auto_statistics,
    .describe = auto_describe,
};
