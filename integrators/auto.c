/* auto.c - the method chosen while the run goes on.
 *
 * What a waveform wants is found by trying: the run starts with BDF, whose steps are cheap; after some steps Radau IIA, whose
 * order is higher and whose stability does not depend on it, is given a turn; whichever gets further per work goes on, and the
 * other is tried again later, each time after twice as long.  Work is counted, not timed, so that a run can be
 * repeated: evaluations, factorisations (a complex one is some four real ones) and solves.  A turn is judged after its first steps,
 * which only find the step size.
 */
#include "integrators/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BDF, RADAU, CANDIDATES };
enum { FIRST_TURN = 120, TRIAL_BDF = 60, TRIAL_RADAU = 16, UNJUDGED = 6, FIRST_PAUSE = 400, LONGEST_PAUSE = 6400, MOST_FAILURES = 2 };

/* Work of the parts of a step, in evaluations of f and q. */
static const double WORK_JACOBIAN = 1, WORK_SOLVE = 0.4;
static const double WORK_FACTOR[CANDIDATES] = {1.5, 4}; /* most of Radau's are complex */
/* The one that takes over has no history and starts with a shorter step. */
static const double WITHOUT_HISTORY = 0.25;
/* The other method must get this much further per work to be chosen. */
static const double CLEARLY_BETTER = 1.2;

struct turn {
    double time, work; /* where judging began */
    long steps;        /* since the method took over */
};

struct automatic {
    struct integrator base;
    struct integrator *candidates[CANDIDATES];
    int active;
    int last;     /* who made the last step, and interpolates in it */
    int failures; /* in a row */
    double failed_step; /* s, of the first of them */
    bool pending; /* the other takes over before the next step */
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
    m->until_trial = FIRST_TURN;
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
    m->turn = (struct turn){0};
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

/* After an accepted step: whose turn it is next. */
static void take_turns(struct automatic *m)
{
    m->steps[m->active]++;
    if (++m->turn.steps <= UNJUDGED) {
        m->turn.time = m->base.t;
        m->turn.work = work_of(m);
        return;
    }
    if (m->trial ? m->turn.steps < (m->active == BDF ? TRIAL_BDF : TRIAL_RADAU) : --m->until_trial > 0)
        return;
    m->progress[m->active] = (m->base.t - m->turn.time) / fmax(work_of(m) - m->turn.work, 1);
    if (!m->trial) { /* the other is tried */
        m->trial = m->pending = true;
        return;
    }
    m->trial = false;
    m->pending = m->progress[m->active] < CLEARLY_BETTER * m->progress[1 - m->active];
    m->pause = !m->pending ? FIRST_PAUSE : 2 * m->pause < LONGEST_PAUSE ? 2 * m->pause : LONGEST_PAUSE;
    m->until_trial = m->pause;
}

/* Where Radau's simplified Newton method does not get on, BDF takes over. */
static void count_failure(struct automatic *m, double step, struct step_report *report)
{
    if (m->failures == 0)
        m->failed_step = step;
    if (++m->failures < MOST_FAILURES || m->active == BDF || report->outcome == STEP_STOPPED)
        return;
    m->failures = 0;
    m->trial = false;
    m->pending = true;
    m->until_trial = m->pause = LONGEST_PAUSE;
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
    const struct automatic *m = (const struct automatic *)base;
    const long all = m->steps[BDF] + m->steps[RADAU];
    const char *names[CANDIDATES] = {"bdf", "radau"};
    const int more = m->steps[RADAU] > m->steps[BDF] ? RADAU : BDF;
    if (m->progress[RADAU] > 0 && m->progress[BDF] > 0)
        snprintf(text, size, "auto: %s for %ld of %ld steps, which got %.2g times as far per work as %s", names[more],
                 m->steps[more], all, m->progress[more] / m->progress[1 - more], names[1 - more]);
    else
        snprintf(text, size, "auto: %s, too short a run to try another", names[more]);
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
