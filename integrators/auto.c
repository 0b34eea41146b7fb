/* auto.c - the method chosen while the run goes on.
 *
 * What a waveform wants is found by trying: the run starts with BDF, whose steps are cheap and whose Newton method
 * survives most, or, where the circuit is linear and nothing can go wrong, with a method that needs no history; soon
 * each other candidate is given a turn of some steps, and whichever gets further per work goes on. It is challenged
 * again later, after a pause that doubles while nothing changes.  Candidates are RODASP, a Rosenbrock method without
 * Newton iteration, where the tolerance is loose, and Radau IIA, whose order is higher and whose stability does not
 * depend on it.
 *
 * Work is counted, not timed, so that a run can be repeated; what output asks of the equations within and behind a step is
 * part of it, since that depends on how good the interpolant is.  A turn is judged after its first steps, which only find
 * the step size.  The same reltol means about the same error with all candidates (struct calibration), in the median of
 * circuits, not on each, so that work is compared at about equal error.
 *
 * In large circuits vectors and factors of three methods are most of the memory of a run: there a candidate is made
 * between steps, when its turn begins, and given back when the run is another's.
 */
#include "integrators/auto.h"
#include "base/text.h"
#include "integrators/between.h"
#include "integrators/control.h"

#include "integrators/methods.h"
#include "integrators/newton.h"
#include "integrators/tolerance.h"

#include <math.h>
#include <string.h>

enum { BDF = AUTO_BDF, ROSENBROCK = AUTO_ROSENBROCK, RADAU = AUTO_RADAU, CANDIDATES = AUTO_CANDIDATES };

/* Most factorisations of Radau are complex.  BDF starts with order 1 and needs some tens of steps until it shows what it
 * can do.  Work of RODASP in circuits that are not linear costs 1.18 times that of BDF (bench/weights: 1.07 to 1.44, but 0.91 in
 * linear ones), as each of its stages evaluates all that moves, and Newton's method ends where little does. */
const struct auto_rule auto_usual_rules[CANDIDATES] = {
    {.class = &integrator_bdf, .factorization = 1.5, .unjudged = 40, .window = 40, .trial = 400, .nonlinear = 1},
    {.class = &integrator_rodasp, .factorization = 1.5, .unjudged = 6, .window = 12, .trial = 200, .nonlinear = 1.2},
    {.class = &integrator_radau, .factorization = 4, .unjudged = 6, .window = 12, .trial = 450, .nonlinear = 1},
};
/* Work of a solution, in evaluations of f and q, which is what one of Jacobians takes too (bench/weights). */
static const double WORK_SOLVE = 0.4;

/* Below this reltol order 4 takes too many steps. */
static const double LOOSE = 1e-5;
enum { MOST_WINDOWS = 4 };
/* Work of the run before the first trial of a candidate and between its trials, in units of the work of one. */
static const double FIRST_WAIT = 2.5, FIRST_PAUSE = 16, BACK_PAUSE = 8, LONGEST_PAUSE = 128;
/* The same after failures, in work. */
static const double FIRST_CAUTION = 500;
/* The method on trial must be clearly better to be chosen; it goes on trying, since its order and step still grow, while it
 * gets at least HOPEFUL as far and gains as much from window to window.  Trials that are lost are what
 * `auto` costs: with 0.4 and six windows a tenth more on logic and amplifiers. */
static const double HOPEFUL = 0.7;
/* Who has won loses what it has won when the former champion was clearly better on average than it has been since, or when
 * it falls below HOPELESS of that in a window: it may have won in a quiet time, whose long steps would outweigh many short ones. */
/* A trial ends early where after these steps it has got less than this part as far. */
static const double HOPELESS = 0.6;
enum { STEPS_TO_DESPAIR = 4 };
/* With so many unknowns all candidates together have two megabytes, and are there from the beginning. */
enum { FEW_UNKNOWNS = 1000 };
/* Failures in a row after which BDF takes over, those of Newton's method count more; so many of these, and BDF gives over. */
enum { MOST_FAILURES = 8, NEWTON_COUNTS = 2 };
/* It also takes over where a step fails that is so much shorter than the longest of late, or part of the present time: a
 * method that takes over in shorter ones could not cut them often enough to get on, so no trial begins there either. */
static const double SHRUNKEN = 1e-5;

struct turn {
    double time, work;               /* where judging began */
    long steps;                      /* since judging began; below 0: not yet */
    int windows;                     /* judged so far */
    double window_time, window_work; /* where the last window began */
    double recent;                   /* progress in the one before */
};

struct automatic {
    struct integrator base;
    const struct auto_rule *rules;                 /* [CANDIDATES] */
    struct integrator_options options;             /* of the candidates */
    bool suits[CANDIDATES];                        /* it is for this problem */
    struct integrator *candidates[CANDIDATES];     /* NULL: not, or not now */
    struct integrator_statistics past[CANDIDATES]; /* of those that have been given back */
    double beside[CANDIDATES];                     /* work that points within and behind its steps have taken .. */
    double between_work;                           /* .. and that of all, when it was counted last */
    double rates[CANDIDATES];                      /* progress in the last turn that was judged; 0: none */
    double due[CANDIDATES];                        /* work of the run at which it is tried next */
    double pauses[CANDIDATES];                     /* before that, see FIRST_PAUSE */
    long steps[CANDIDATES];
    int active, next; /* next != active: takes over before the next step */
    int last;         /* who made the last step, and interpolates in it */
    int champion; /* goes on if the trial fails, and is given the run back if the challenger does not keep its promise
                   */
    double standard; /* progress that wins a trial */
    bool probation;  /* the active method has won one, not long ago */
    struct turn turn;
    bool trial;         /* the active method is being tried */
    double caution;     /* work before a method that has failed is tried again */
    int failures;       /* in a row */
    bool gave_up;       /* a candidate has, at least once */
    double failed_step; /* s, of the first of them */
    double usual_step;  /* s, the longest of late */
};

static void auto_destroy(struct integrator *base)
{
    struct automatic *m = (struct automatic *)base;
    for (int i = 0; i < CANDIDATES; i++)
        if (m->candidates[i])
            m->candidates[i]->class->destroy(m->candidates[i]);
    arena_free(base->memory);
}

static bool is_candidate(int i, const struct dae *dae, const struct integrator_options *o)
{
    if (o->max_order > 0 || o->fixed_step > 0) /* maxord means BDF; steps of a fixed size leave no choice */
        return i == BDF;
    return i != ROSENBROCK || (o->relative >= LOOSE && !dae->no_time_derivatives);
}

/* ---- candidates come and go ---- */

static enum kn_status make_candidate(struct automatic *m, int i)
{
    if (m->candidates[i] || !m->suits[i])
        return KN_OK;
    return m->rules[i].class->create(m->base.dae, &m->options, &m->candidates[i]);
}

static void statistics_of(const struct automatic *m, int i, struct integrator_statistics *s)
{
    const struct integrator_statistics *past = &m->past[i];
    s->evaluations += past->evaluations;
    s->jacobians += past->jacobians;
    s->newton_iterations += past->newton_iterations;
    s->factorizations += past->factorizations;
    s->refactorizations += past->refactorizations;
    s->solves += past->solves;
    if (m->candidates[i])
        m->candidates[i]->class->statistics(m->candidates[i], s);
}

static void give_back(struct automatic *m, int i)
{
    struct integrator_statistics all = {0};
    statistics_of(m, i, &all);
    m->past[i] = all;
    m->candidates[i]->class->destroy(m->candidates[i]);
    m->candidates[i] = NULL;
}

/* Whether it makes the next step, or is asked about the last one, or has the run back soon. */
static bool is_needed(const struct automatic *m, int i)
{
    return i == m->active || i == m->next || i == m->last || (m->trial && i == m->champion);
}

static enum kn_status auto_prepare(struct integrator *base)
{
    struct automatic *m = (struct automatic *)base;
    for (int i = 0; i < CANDIDATES && base->dae->n > FEW_UNKNOWNS; i++)
        if (m->candidates[i] && !is_needed(m, i))
            give_back(m, i);
    return make_candidate(m, m->next);
}

enum kn_status auto_create_from(const struct auto_rule rules[CANDIDATES], const struct dae *dae,
                                const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct automatic *m = integrator_new(sizeof *m, &integrator_auto, dae, o);
    if (!m)
        return KN_ERROR_MEMORY;
    m->rules = rules;
    m->options = *o;
    m->turn.steps = -m->rules[BDF].unjudged;
    m->caution = FIRST_CAUTION;
    enum kn_status status = KN_OK;
    for (int i = 0; i < CANDIDATES && status == KN_OK; i++) {
        m->pauses[i] = FIRST_PAUSE;
        m->due[i] = FIRST_WAIT * m->rules[i].trial;
        m->suits[i] = is_candidate(i, dae, o);
        if (dae->n <= FEW_UNKNOWNS)
            status = make_candidate(m, i);
    }
    if (dae->linear && m->suits[RADAU])
        m->active = m->next = m->last = m->champion = m->suits[ROSENBROCK] ? ROSENBROCK : RADAU;
    if (status == KN_OK)
        *out = &m->base;
    else
        auto_destroy(&m->base);
    return status;
}

static enum kn_status auto_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return auto_create_from(auto_usual_rules, dae, o, out);
}

static void mirror(struct automatic *m)
{
    const struct integrator *active = m->candidates[m->active];
    m->last = m->active;
    m->base.tolerance = active->tolerance;
    m->base.t = active->t;
    m->base.previous = active->previous;
    m->base.x = active->x;
    m->base.order = active->order;
    m->base.keeps_step = active->keeps_step;
    m->base.one_step = active->one_step;
    m->base.hidden = active->hidden;
    m->base.blind = active->blind;
    m->base.unsure = active->unsure;
    m->base.unsure_algebraic = active->unsure_algebraic;
    memcpy(m->base.unsure_slopes, active->unsure_slopes, sizeof m->base.unsure_slopes);
    m->base.far = active->far;
}

double auto_work(const struct auto_rule *rule, const struct integrator_statistics *s)
{
    return (double)(s->evaluations + s->jacobians) +
           rule->factorization * (double)(s->factorizations + s->refactorizations) + WORK_SOLVE * (double)s->solves;
}

static double work_of(const struct automatic *m, int i)
{
    struct integrator_statistics s = {0};
    statistics_of(m, i, &s);
    return auto_work(&m->rules[i], &s) * (m->base.dae->linear ? 1 : m->rules[i].nonlinear) + m->beside[i];
}

/* What output has asked of the equations since the last step, which is more where interpolants are not good enough: part of what the
 * method that made that step takes. */
static void count_beside(struct automatic *m)
{
    struct integrator_statistics s = {0};
    if (!m->base.between)
        return;
    between_statistics(m->base.between, &s);
    const double work = auto_work(&m->rules[BDF], &s);
    m->beside[m->last] += work - m->between_work;
    m->between_work = work;
}

static void begin_judging(struct automatic *m)
{
    m->turn.steps = 0;
    m->turn.time = m->turn.window_time = m->base.t;
    m->turn.work = m->turn.window_work = work_of(m, m->active);
    m->turn.recent = 0;
}

static void switch_over(struct automatic *m)
{
    m->active = m->next;
    m->turn = (struct turn){.steps = -m->rules[m->active].unjudged};
}

static double rate_since(const struct automatic *m, double time, double work)
{
    return (m->base.t - time) / fmax(work_of(m, m->active) - work, 1);
}

static double rate_of_turn(const struct automatic *m)
{
    return rate_since(m, m->turn.time, m->turn.work);
}

/* ---- whose turn it is ---- */

static double work_of_run(const struct automatic *m)
{
    double sum = 0;
    for (int i = 0; i < CANDIDATES; i++)
        sum += m->suits[i] ? work_of(m, i) : 0;
    return sum;
}

/* The candidate that has been due for longest; the active one if there is none. */
static int find_challenger(const struct automatic *m)
{
    int found = m->active;
    double due = work_of_run(m);
    for (int i = 0; i < CANDIDATES; i++)
        if (m->suits[i] && i != m->active && m->due[i] <= due) {
            found = i;
            due = m->due[i];
        }
    return found;
}

/* Waveforms have quiet and busy times: who beats the average of the champion in a quiet one has not shown much, it must
 * also beat what the champion did just before. */
static void begin_trial(struct automatic *m, int challenger)
{
    m->champion = m->active;
    m->rates[m->active] = rate_of_turn(m);
    m->standard = fmax(m->rates[m->active], m->turn.recent);
    m->next = challenger;
    m->trial = true;
    m->probation = false;
}

static void pause(struct automatic *m, int i)
{
    m->due[i] = work_of_run(m) + m->pauses[i] * m->rules[i].trial;
    m->pauses[i] = fmin(2 * m->pauses[i], LONGEST_PAUSE);
}

static void end_trial(struct automatic *m, int winner)
{
    m->trial = false;
    m->next = winner;
    m->caution = fmax(0.5 * m->caution, FIRST_CAUTION);
    m->probation = winner == m->active;
    if (winner == m->active) {
        m->pauses[m->champion] = BACK_PAUSE;
        pause(m, m->champion);
        begin_judging(m);
    } else
        pause(m, m->active);
}

/* A window of a trial is over. */
static void judge(struct automatic *m)
{
    const double before = m->turn.windows > 0 ? m->rates[m->active] : 0;
    const double now = m->rates[m->active] = rate_of_turn(m);
    const bool better = now >= CONTROL_CLEARLY_BETTER * m->standard;
    if (!better && now > HOPEFUL * m->standard && now > CONTROL_CLEARLY_BETTER * before &&
        ++m->turn.windows < MOST_WINDOWS)
        begin_judging(m);
    else
        end_trial(m, better ? m->active : m->champion);
}

/* A window of a turn that is no trial is over. */
static void look_around(struct automatic *m)
{
    const int challenger = find_challenger(m);
    m->turn.recent = rate_since(m, m->turn.window_time, m->turn.window_work);
    m->turn.window_time = m->base.t;
    m->turn.window_work = work_of(m, m->active);
    const double former = m->rates[m->champion];
    if (m->probation && (CONTROL_CLEARLY_BETTER * rate_of_turn(m) < former || m->turn.recent < HOPELESS * former)) {
        m->rates[m->active] = rate_of_turn(m);
        m->next = m->champion;
        m->probation = false;
        pause(m, m->active);
    } else if (challenger != m->active && m->base.t - m->base.previous >= CONTROL_SHORTEST * fabs(m->base.t))
        begin_trial(m, challenger);
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
    const bool hopeless = m->trial && m->turn.steps == STEPS_TO_DESPAIR && rate_of_turn(m) < HOPELESS * m->standard;
    if (m->turn.steps % m->rules[m->active].window != 0 && !hopeless)
        return;
    if (m->trial)
        judge(m);
    else
        look_around(m);
}

/* Who goes on where the active method does not: BDF, and for BDF one whose equations of a step are others; itself: nobody. */
static int stand_in(const struct automatic *m)
{
    if (m->active != BDF)
        return BDF;
    return m->suits[RADAU] && m->due[RADAU] < INFINITY             ? RADAU
           : m->suits[ROSENBROCK] && m->due[ROSENBROCK] < INFINITY ? ROSENBROCK
                                                                   : BDF;
}

static void hand_over(struct automatic *m, int to, struct step_report *report)
{
    m->failures = 0;
    m->trial = false;
    m->next = to;
    m->probation = false;
    report->next_step = CVODE.shrink * m->failed_step;
}

/* Where a candidate does not get on, or refuses the problem, BDF takes over; where Newton's method fails in step after step of BDF,
 * another one. */
static void count_failure(struct automatic *m, double step, struct step_report *report)
{
    const bool refused = report->outcome == STEP_STOPPED && report->reason;
    const bool too_large = report->outcome == STEP_ERROR_TOO_LARGE;
    if (m->failures == 0)
        m->failed_step = step;
    m->failures += too_large ? 1 : NEWTON_COUNTS;
    if (m->active == BDF && !too_large && report->outcome != STEP_STOPPED &&
        m->failures >= NEWTON_COUNTS * MOST_FAILURES && stand_in(m) != BDF)
        hand_over(m, stand_in(m), report);
    if (m->active == BDF || (report->outcome == STEP_STOPPED && !refused))
        return;
    if (!refused && m->failures < MOST_FAILURES &&
        report->next_step > fmax(SHRUNKEN * m->usual_step, CONTROL_SHORTEST * fabs(m->base.t)))
        return;
    m->gave_up = true;
    m->due[m->active] = refused ? INFINITY : work_of_run(m) + m->caution;
    m->caution *= 2;
    hand_over(m, BDF, report);
    report->outcome = refused ? STEP_NEWTON_FAILED : report->outcome;
}

/* The method whose turn it is starts at (t, x), with the sizes that the last one has seen. */
static enum kn_status go_on_with_next(struct automatic *m, double t, const double *x)
{
    const struct integrator *from = m->candidates[m->active];
    if (m->next != m->active)
        switch_over(m);
    struct integrator *next = m->candidates[m->active];
    const enum kn_status status = next->class->restart(next, t, x);
    if (next != from && from->tolerance && next->tolerance)
        tolerance_inherit(next->tolerance, from->tolerance);
    return status;
}

static enum kn_status auto_restart(struct integrator *base, double t, const double *x)
{
    struct automatic *m = (struct automatic *)base;
    enum kn_status status = auto_prepare(base);
    if (status != KN_OK)
        return status;
    status = go_on_with_next(m, t, x);
    mirror(m);
    return status;
}

static void auto_step(struct integrator *base, double to, struct step_report *report)
{
    struct automatic *m = (struct automatic *)base;
    count_beside(m);
    if (m->next != m->active) {
        const struct integrator *from = m->candidates[m->active];
        const enum kn_status status = go_on_with_next(m, from->t, from->x);
        if (status != KN_OK) {
            *report = (struct step_report){.outcome = STEP_STOPPED, .status = status};
            return;
        }
    }
    struct integrator *active = m->candidates[m->active];
    active->watched = base->watched;
    active->class->step(active, to, report);
    report->method = report->method ? report->method : active->class;
    if (report->outcome != STEP_ACCEPTED) {
        count_failure(m, to - m->base.t, report);
        return;
    }
    m->failures = 0;
    m->usual_step = fmax(to - m->base.t, TOLERANCE_LEFT_BY_LONG * m->usual_step);
    mirror(m);
    take_turns(m);
    if (m->next != m->active)
        report->next_step *= CVODE.shrink;
}

static void auto_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    struct automatic *m = (struct automatic *)base;
    struct integrator *last = m->candidates[m->last];
    last->class->interpolate(last, time, x, dxdt);
}

static bool auto_charges(struct integrator *base, double time, double *q, double *dqdt)
{
    struct automatic *m = (struct automatic *)base;
    struct integrator *last = m->candidates[m->last];
    return last->class->charges && last->class->charges(last, time, q, dqdt);
}

static void auto_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct automatic *m = (const struct automatic *)base;
    for (int i = 0; i < CANDIDATES; i++)
        statistics_of(m, i, s);
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

/* "90 bdf, 76 rodasp" */
static void describe_steps(const struct automatic *m, struct text *text)
{
    struct text_list list = text_list(text, ", ", 0);
    for (int i = 0; i < CANDIDATES; i++)
        if (m->steps[i] > 0)
            text_list_format(&list, "%ld %s", m->steps[i], m->rules[i].class->name);
}

/* Why no two methods have been compared. */
static const char *reason_of(const struct automatic *m)
{
    int tried = 0;
    for (int i = 0; i < CANDIDATES; i++)
        tried += m->steps[i] > 0;
    if (!m->suits[RADAU])
        return m->base.fixed_step > 0 ? "as the step is fixed" : "as maxord is given";
    if (m->base.dae->linear && tried == 1 && m->steps[BDF] == 0)
        return "the circuit is linear and the run too short to try others";
    if (m->gave_up)
        return "others were tried and failed";
    return tried > 1 ? "too short a run to compare them" : "too short a run to try others";
}

static void auto_describe(const struct integrator *base, char *buffer, size_t size)
{
    struct text text = text_in(buffer, size);
    const struct automatic *m = (const struct automatic *)base;
    const int best = best_rate(m, CANDIDATES), second = best_rate(m, best);
    describe_steps(m, &text);
    if (second == CANDIDATES)
        text_format(&text, "; %s", reason_of(m));
    else
        text_format(&text, "; where last compared %s got %.2g times as far per work as %s", m->rules[best].class->name,
                    m->rates[best] / m->rates[second], m->rules[second].class->name);
}

const struct integrator_class integrator_auto = {
    .name = "auto",
    .title = "BDF, RODASP or Radau IIA, whichever gets furthest per work, found out during the run",
    .create = auto_create,
    .destroy = auto_destroy,
    .restart = auto_restart,
    .prepare = auto_prepare,
    .step = auto_step,
    .interpolate = auto_interpolate,
    .charges = auto_charges,
    .statistics = auto_statistics,
    .describe = auto_describe,
};
