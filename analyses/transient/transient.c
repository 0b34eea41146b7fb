/* transient.c - see transient.h. */
#include "analyses/transient/transient.h"

#include "analyses/run_index.h"
#include "analyses/spectrum/spectra.h"
#include "analyses/transient/carry.h"
#include "analyses/transient/kept_bias.h"
#include "analyses/transient/quasistatic.h"
#include "analyses/transient/reader.h"
#include "analyses/transient/rows.h"
#include "analyses/transient/set_off.h"
#include "analyses/transient/slow_start.h"
#include "analyses/transient/stabilise.h"
#include "analyses/transient/stills.h"
#include "base/array.h"
#include "integrators/between.h"
#include "integrators/control.h"
#include "integrators/methods.h"
#include "mna/stabilised/cutset_equations.h"
#include "mna/start/impasse.h"
#include "mna/watch/monitor.h"
#include "mna/watch/noise.h"
#include "mna/watch/stranded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRESS_EVERY = 256 };

struct transient_course {
    struct setup *setup;
    struct columns columns;
    double *x; /* [n of dae_of] where the run starts, then where it is */
    struct rows rows;
    struct kept_bias bias;
    struct stills stills;              /* that .op asks for */
    struct measurements *measurements; /* NULL where the deck asks for none */
    struct reader reader;              /* of what they measure */
    struct spectra *spectra;           /* NULL where the deck asks for none, or nobody wants them */
    struct reader spectra_reader;
    const struct transient *request;
    struct set_off set_off; /* of an unstable operating point */
    struct carry *carry;    /* NULL: values stay as they are */
    bool placed, goes_on;   /* where it starts has been given; it goes on behind a change of values, at .. */
    bool moved;             /* values at an event */
    double from;            /* .. s; 0 where it begins */
    long steps, attempts;
    struct consistent consistent;
    double *values, *slopes;          /* [n of dae_of] between steps */
    bool *watched;                    /* [n of dae_of] unknowns that rows and measurements are made of */
    struct monitor *monitor;          /* NULL unless .options hidden */
    struct noise *noise;              /* NULL where no unknown is of index 2 */
    struct stranded *stranded;        /* NULL where all coils have somebody to take their currents */
    struct ggl *ggl;                  /* NULL unless .options ggl states them */
    struct cutset_equations *cutsets; /* NULL where no part is joined by capacitances alone */
    struct quasistatic *quasistatic;  /* NULL unless parasitics are left out */
    struct kn_sink *sink;
    struct analysis_summary *summary;
    struct run_options options; /* of the drive */
    struct run_callbacks callbacks;
    struct integrator *method;
    struct drive *drive;
    bool in_tables; /* which have begun, and must end */
};

/* The equations that are integrated; their first unknowns are those of the circuit. */
static const struct dae *dae_of(const struct transient_course *run)
{
    return run->ggl ? ggl_dae(run->ggl) : run->cutsets ? cutset_equations_dae(run->cutsets) : mna_dae(run->setup->mna);
}

/* Where the run starts, or goes on behind a jump. */
static enum kn_status begin_at(struct transient_course *run, double t, const double *x)
{
    const enum kn_status status = run->quasistatic ? quasistatic_begin(run->quasistatic, t, x) : KN_OK;
    if (status != KN_OK)
        return status;
    if (run->measurements)
        reader_begin(&run->reader, x);
    if (run->spectra)
        reader_begin(&run->spectra_reader, x);
    return rows_first(&run->rows, t, x);
}

static enum kn_status watch_hidden(struct transient_course *run, struct integrator *m)
{
    m->class->interpolate(m, m->t, run->values, run->slopes);
    return monitor_look(run->monitor, m->t, m->x, run->slopes);
}

static enum kn_status step_accepted(void *context, struct integrator *m, bool first)
{
    struct transient_course *run = context;
    const struct analysis_options *o = run->setup->options;
    if (run->setup->stopped)
        return KN_INTERRUPTED; /* perhaps in the middle of what is to become a row */
    run->setup->listens = false;
    run->setup->advances = true;
    /* With the first point, so that messages about where it starts come before the rows. */
    if (o->progress && (first || ++run->steps % PROGRESS_EVERY == 0))
        o->progress(o->context, m->t / run->request->stop);
    if (first)
        return begin_at(run, m->t, m->x);
    enum kn_status status = run->monitor ? watch_hidden(run, m) : KN_OK;
    if (status == KN_OK && run->noise)
        status = noise_step(run->noise, m->t, m->t - m->previous, m->order, m->x);
    if (status == KN_OK && run->stranded)
        status = stranded_look(run->stranded, m->t, m->x, run->setup->diagnostics);
    if (status == KN_OK && run->quasistatic)
        status = quasistatic_step(run->quasistatic, m);
    struct measure_piece piece;
    if (status == KN_OK && run->measurements && reader_step(&run->reader, m, &piece))
        status = measure_piece(run->measurements, &piece);
    if (status == KN_OK && run->spectra && reader_step(&run->spectra_reader, m, &piece))
        status = spectra_piece(run->spectra, &piece);
    if (status == KN_OK)
        status = stills_step(&run->stills, m);
    if (status == KN_OK)
        status = kept_bias_step(&run->bias, m);
    if (status == KN_OK)
        status = rows_step(&run->rows, m);
    return status == KN_OK ? carry_leave(run->carry, run->setup->mna, m, run->request) : status;
}

static void step_attempted(void *context, const struct integrator *m, const struct step_attempt *a)
{
    struct transient_course *run = context;
    const struct analysis_options *o = run->setup->options;
    const struct step_report *r = &a->report;
    const struct dae *dae = dae_of(run);
    const struct kn_attempt attempt = {.first = run->attempts++ == 0,
                                       .time = a->from,
                                       .step = a->to - a->from,
                                       .method = (r->method ? r->method : m->class)->name,
                                       .order = r->order,
                                       .outcome = step_outcome_word(r),
                                       .error = r->error,
                                       .unknown = dae->unknown_name(dae->problem, r->worst),
                                       .iterations = r->iterations,
                                       .limit = step_limit_word(a->limit)};
    o->attempted(o->context, &attempt);
}

static bool run_interrupted(void *context)
{
    struct setup *s = ((struct transient_course *)context)->setup;
    s->listens = true;
    return setup_is_stopped(s);
}

/* ---- the caller's partner ---- */

static double partner_breakpoint(void *context, double t)
{
    const struct kn_partner *p = ((struct transient_course *)context)->setup->options->partner;
    return p->breakpoint(p->context, t);
}

static double partner_shorten(void *context, double t, double step)
{
    const struct kn_partner *p = ((struct transient_course *)context)->setup->options->partner;
    return p->shorten(p->context, t, step);
}

static bool partner_refuses(void *context, const struct integrator *m, double *step)
{
    const struct kn_partner *p = ((struct transient_course *)context)->setup->options->partner;
    return !p->agrees(p->context, m->previous, *step, step);
}

/* At a breakpoint: where a source jumps, x is made consistent with the far side; corners move index-2 unknowns only. */
static enum kn_status reinitialize(void *context, const struct integrator *m, double t, double *x, bool switched)
{
    struct transient_course *run = context;
    struct setup *s = run->setup;
    s->listens = true;
    for (int i = mna_unknown_count(s->mna); i < dae_of(run)->n; i++)
        x[i] = 0; /* multipliers of consistent values */
    run->moved = true;
    run->consistent.tolerances = switched && integrator_tolerances(m, run->values) ? run->values : NULL;
    return switched ? consistent_restart(&run->consistent, t, s->diagnostics, x)
                    : consistent_event(&run->consistent, t, s->diagnostics, x, &run->moved);
}

/* Where the run goes on there; what a switch does that turns back at the same time is no result. */
static enum kn_status settled(void *context, double t, const double *x)
{
    struct transient_course *run = context;
    return run->moved ? begin_at(run, t, x) : KN_OK;
}

/* s, of all steps; 0: they follow their errors. */
static double fixed_step_of(const struct transient_course *run)
{
    const double told = run->setup->options->fixed_step;
    return told > 0 ? told : run->request->fixed_step;
}

/* Who fixes the steps wants to see what the method makes of them. */
static bool shows_method(const struct transient_course *run)
{
    return run->ggl || run->setup->options->raw_index2 || fixed_step_of(run) > 0;
}

static bool completes(const struct transient_course *run)
{
    return !shows_method(run) && run_index_of_derivatives(&run->setup->index) > 0;
}

/* Index-2 unknowns of a point.  They are found from the equations of the circuit, which sums are not. */
static enum kn_status complete(void *context, double t, double step, const struct dae_values *known, double *x)
{
    struct transient_course *run = context;
    return consistent_follow(&run->consistent, t, step, run->cutsets ? NULL : known, x);
}

static enum kn_status slopes(void *context, const struct dae_point *at, double *dxdt)
{
    return consistent_slope_inside(&((struct transient_course *)context)->consistent, at, dxdt);
}

/* No step leads on from where the run is. */
static enum kn_status leap(void *context, double t, double shortest, double *x, bool *leapt)
{
    struct transient_course *run = context;
    run->setup->listens = true;
    return impasse_leave(&run->consistent, &(struct impasse_place){.time = t, .shortest = shortest}, run->setup->diagnostics, x, leapt);
}

/* A mode that is damped from the start on stays so. */
static enum kn_status leave_rest(void *context, double t, double *x, bool *moved, double *rate)
{
    struct transient_course *run = context;
    struct set_off off = {.damped = run->set_off.damped};
    const enum kn_status status =
        set_off_or_leap(&run->consistent, run->request, run->setup->diagnostics, t, x, &off, moved);
    *rate = off.growth;
    return status;
}

static enum kn_status where_it_starts(struct transient_course *run)
{
    struct setup *s = run->setup;
    struct operating_report *report = &run->summary->operating;
    if (run->goes_on)
        return carry_over(run->carry, s, run->request, &run->consistent, run->x);
    return run->quasistatic ? quasistatic_start(run->quasistatic, &run->consistent, run->x, report)
                            : slow_start(s, run->request, &run->consistent, run->x, report);
}

/* Only where nothing but the operating point is given as the start. */
static enum kn_status leave_unstable_point(struct transient_course *run)
{
    bool moved;
    run->placed = run->request->uic || run->setup->circuit->initial_count > 0 || run->goes_on;
    return run->placed ? KN_OK
                       : set_off_or_leap(&run->consistent, run->request, run->setup->diagnostics, 0, run->x, &run->set_off, &moved);
}

/* Every table is ended whatever happens to the others; the first failure is the outcome. */
static enum kn_status end_tables(struct transient_course *run, struct kn_sink *sink, enum kn_status outcome)
{
    const struct kn_sink *even = run->rows.even;
    const enum kn_status last = outcome == KN_ERROR_IO ? outcome : rows_last(&run->rows, outcome == KN_OK);
    const enum kn_status read = even ? even->end(even->context, outcome) : KN_OK;
    const enum kn_status written = sink->end(sink->context, outcome);
    const enum kn_status all[] = {outcome, last, read, written};
    size_t first = 0;
    while (first < 3 && all[first] == KN_OK)
        first++;
    return all[first];
}

static struct run_callbacks callbacks_of(struct transient_course *run)
{
    const struct analysis_options *o = run->setup->options;
    const struct kn_partner *p = o->partner;
    const bool exact = !shows_method(run), above_2 = run_index_is_above_2(&run->setup->index);
    return (struct run_callbacks){.context = run, .accepted = step_accepted,
                                  .attempted = o->attempted ? step_attempted : NULL,
                                  .interrupted = run_interrupted,
                                  .reinitialize = reinitialize,
                                  .settled = settled,
                                  .complete = completes(run) ? complete : NULL,
                                  .leap = run->ggl || run->quasistatic ? NULL : leap,
                                  .rests = leave_rest,
                                  .slopes = exact && !run->quasistatic && !above_2 ? slopes : NULL,
                                  .everywhere = above_2,
                                  .breakpoint = p && p->breakpoint ? partner_breakpoint : NULL,
                                  .shorten = p && p->shorten ? partner_shorten : NULL,
                                  .refused = p && p->agrees ? partner_refuses : NULL};
}

static enum kn_status set_out(struct transient_course *run)
{
    struct setup *s = run->setup;
    const struct transient *request = run->request;
    const bool *watched = memchr(run->watched, false, (size_t)dae_of(run)->n) ? run->watched : NULL; /* NULL: all are */
    const struct integrator_options settings = {.relative = s->options->relative,
                                                .kappa = s->options->kappa,
                                                .max_order = s->options->max_order,
                                                .max_iterations = s->options->step_iterations,
                                                .span = request->stop,
                                                .damped_growth = run->set_off.damped,
                                                .output_step = request->step,
                                                .fixed_step = fixed_step_of(run),
                                                .watched = watched};
    run->options = (struct run_options){.start = run->from,
                                        .stop = request->stop,
                                        .max_step = starting_longest_step(run->request, fixed_step_of(run)),
                                        .first_step = request->step,
                                        .growth_rate = run->set_off.growth,
                                        .placed = run->placed,
                                        .watched = watched};
    run->callbacks = callbacks_of(run);
    const struct integrator_class *method = starting_method(run->setup, run->set_off.damped);
    run->summary->method = method->name;
    enum kn_status status = starting_check_delays(run->setup, request, dae_of(run)->largest_step);
    if (status == KN_OK)
        status = method->create(dae_of(run), &settings, &run->method);
    if (status == KN_OK)
        status = rows_begin(&run->rows, s->circuit->title, run->sink);
    if (status != KN_OK)
        return status;
    run->in_tables = true;
    integrator_tell(run->method, s->diagnostics);
    return drive_new(run->method, run->x, &run->options, &run->callbacks, s->diagnostics, &run->summary->steps,
                     &run->drive);
}

/* The tables end whatever has happened. */
static enum kn_status arrive(struct transient_course *run, enum kn_status status)
{
    struct setup *s = run->setup;
    struct integrator *m = run->method;
    if (!m)
        return status;
    drive_free(run->drive);
    if (status == KN_ERROR_CONVERGENCE && run->in_tables)
        setup_blame_formula(s, m->t);
    if (run->in_tables)
        status = end_tables(run, run->sink, status);
    if (run->ggl && status != KN_OK && status != KN_INTERRUPTED)
        stabilise_blame_method(s->mna, run->ggl, run->summary->method, s->diagnostics);
    if (m->class->describe)
        m->class->describe(m, run->summary->choice, sizeof run->summary->choice);
    m->class->destroy(m);
    return status;
}

/* Vectors of the length of the integrated equations. */
static enum kn_status make_room(struct transient_course *run)
{
    struct setup *s = run->setup;
    const size_t n = (size_t)dae_of(run)->n, known = (size_t)mna_unknown_count(s->mna);
    if (!array_resize(&run->x, n, sizeof *run->x))
        return KN_ERROR_MEMORY;
    for (size_t i = known; i < n; i++)
        run->x[i] = 0;
    run->values = calloc(n, sizeof *run->values);
    run->slopes = calloc(n, sizeof *run->slopes);
    run->watched = calloc(n, sizeof *run->watched);
    return run->values && run->slopes && run->watched ? kept_bias_init(&run->bias, s, n) : KN_ERROR_MEMORY;
}

/* Of a nonlinear circuit only where it starts; unknowns of index 3 and more are right from then on. */
static enum kn_status know_index(struct transient_course *run)
{
    struct setup *s = run->setup;
    const enum kn_status status = run_index_start(&s->index, run->x);
    run->consistent.index = run_index_of_derivatives(&s->index);
    return status == KN_OK ? consistent_high_index(&run->consistent, run->from, run->x) : status;
}

/* The equations, and where the run starts. */
static enum kn_status start(struct transient_course *run)
{
    struct setup *s = run->setup;
    enum kn_status status = setup_open(s);
    s->used = true;
    if (status == KN_OK)
        status = columns_init(&run->columns, s->mna, true);
    if (status != KN_OK)
        return status;
    run->summary->unknowns = mna_unknown_count(s->mna);
    run->x = calloc((size_t)mna_unknown_count(s->mna), sizeof *run->x);
    status = run->x ? where_it_starts(run) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = know_index(run);
    if (status == KN_OK)
        status = leave_unstable_point(run);
    if (status == KN_OK && s->options->state_hidden)
        status = stabilise(s->mna, run->request->stop, s->diagnostics, &run->ggl);
    if (status == KN_OK && !run->ggl)
        status = cutset_equations_new(s->mna, run->from, run->x, &run->cutsets);
    if (status == KN_OK)
        status = make_room(run);
    if (status == KN_OK)
        run_index_note(&s->index, s->diagnostics);
    return status == KN_OK && run->goes_on ? carry_begin(run->carry, s) : status;
}

/* What gets the rows: the caller's sink at steps, or the samples that are asked for. */
static enum kn_status make_rows(struct transient_course *run)
{
    struct kn_sink *sink = run->sink;
    const struct setup *s = run->setup;
    const struct analysis_options *o = s->options;
    const bool steps_only = o->step_rows || fixed_step_of(run) > 0; /* who fixes the steps wants to see them */
    const enum kn_status status = rows_init(&run->rows, s->mna, dae_of(run)->n, &run->columns, run->request,
                                            o->relative, steps_only, o->samples > 0 ? o->rows : sink);
    if (status != KN_OK)
        return status;
    const struct mna_options tolerances = mna_options_of(s->circuit);
    run->rows.least_voltage = fmax(tolerances.vntol, MNA_SPICE.vntol);
    run->rows.least_other = fmax(tolerances.abstol, MNA_SPICE.abstol);
    if (o->samples > 0 && o->sample_times)
        rows_sample_at(&run->rows, o->sample_times, o->samples, sink);
    else if (o->samples > 0)
        rows_sample(&run->rows, o->samples, sink);
    if (o->even)
        rows_even(&run->rows, o->even, rows_even_step(run->request, s->diagnostics));
    return KN_OK;
}

static enum kn_status make_measurements(struct transient_course *run)
{
    struct setup *s = run->setup;
    const double exact = fmax(1e-7, between_agreement(s->options->relative));
    const struct measure_curve curve = measure_curve_of_transient(exact, s->options->relative);
    double *results = setup_results(s);
    enum kn_status status = results ? measure_new(s->circuit, &curve, results, &run->measurements) : KN_ERROR_MEMORY;
    if (status != KN_OK || !run->measurements)
        return status;
    const struct signal_set *set = measure_signals(run->measurements);
    return reader_init(&run->reader, s->mna, dae_of(run)->n, run->request->start, set->variables, set->count);
}

static enum kn_status make_spectra(struct transient_course *run)
{
    struct setup *s = run->setup;
    double *results = s->options->measured ? setup_results(s) : NULL;
    const enum kn_status status = spectra_new(s->circuit, run->request, s->diagnostics, results, &run->spectra);
    if (status != KN_OK || !run->spectra)
        return status;
    const struct signal_set *set = spectra_signals(run->spectra);
    return reader_init(&run->spectra_reader, s->mna, dae_of(run)->n, run->request->start, set->variables, set->count);
}

/* What looks at every step. */
static enum kn_status make_watchers(struct transient_course *run)
{
    const struct setup *s = run->setup;
    const struct analysis_options *o = s->options;
    enum kn_status status = o->stills && !run->goes_on ? stills_init(&run->stills, s, (size_t)dae_of(run)->n) : KN_OK;
    if (status != KN_OK)
        return status;
    status = o->watch_hidden ? monitor_new(s->mna, s->topology, &run->monitor) : KN_OK;
    if (status == KN_OK && !run->ggl)
        status = noise_new(s->mna, s->topology,
                           &(struct noise_settings){.relative = o->relative,
                                                    .duration = run->request->stop,
                                                    .index = run_index_of_derivatives(&s->index),
                                                    .completed = completes(run)},
                           &run->noise);
    if (status == KN_OK)
        status = stranded_new(s->mna, s->topology,
                              &(struct stranded_settings){o->relative, CONTROL_OUTPUT_RESOLUTION * run->request->step},
                              &run->stranded);
    if (status == KN_OK && o->measured && !run->goes_on)
        status = make_measurements(run);
    if (status == KN_OK && o->spectra && !run->goes_on)
        status = make_spectra(run);
    columns_watch(&run->columns, s->mna, run->watched);
    dae_watch_remembered(dae_of(run), run->watched);
    if (status == KN_OK && run->measurements)
        probes_watch(&run->reader.probes, s->mna, run->watched);
    if (status == KN_OK && run->spectra)
        probes_watch(&run->spectra_reader.probes, s->mna, run->watched);
    return status;
}

static enum kn_status report(const struct transient_course *run, struct kn_sink *sink, enum kn_status status)
{
    struct setup *s = run->setup;
    const struct measure_listener listener = setup_listener(s);
    if (status == KN_OK && run->measurements)
        status = measure_report(run->measurements, NULL, &listener);
    if (status == KN_OK && run->spectra)
        status = spectra_write(run->spectra, &listener, sink);
    if (run->monitor)
        monitor_report(run->monitor, s->diagnostics);
    if (run->noise)
        noise_report(run->noise, s->diagnostics);
    return status;
}

static void release(struct transient_course *run)
{
    rows_free(&run->rows);
    stills_free(&run->stills);
    kept_bias_free(&run->bias);
    measure_free(run->measurements);
    reader_free(&run->reader);
    spectra_free(run->spectra);
    reader_free(&run->spectra_reader);
    ggl_free(run->ggl);
    cutset_equations_free(run->cutsets);
    consistent_free(&run->consistent);
    monitor_free(run->monitor);
    noise_free(run->noise);
    stranded_free(run->stranded);
    columns_free(&run->columns);
    free(run->x);
    free(run->values);
    free(run->slopes);
    free(run->watched);
}

/* From now on the set-up is that of the circuit without its parasitics. */
static enum kn_status leave_out(struct transient_course *run)
{
    const enum kn_status status = quasistatic_new(run->setup, run->request, &run->quasistatic);
    if (status == KN_OK && run->quasistatic)
        run->setup = quasistatic_setup(run->quasistatic);
    return status;
}

enum kn_status transient_begin(struct setup *s, const struct transient *request, struct kn_sink *sink,
                               struct analysis_summary *summary, struct transient_course **out)
{
    struct transient_course *run = *out = calloc(1, sizeof *run);
    if (!run)
        return KN_ERROR_MEMORY;
    *run = (struct transient_course){.setup = s, .request = request, .sink = sink, .summary = summary};
    summary->method = s->options->method->name;
    run->carry = s->options->carry && atomic_load(&s->options->carry->under_way) ? s->options->carry : NULL;
    run->goes_on = run->carry && run->carry->taken;
    run->from = run->goes_on ? run->carry->time : 0;
    enum kn_status status = quasistatic_is_asked(s->options) ? leave_out(run) : KN_OK;
    if (status == KN_OK)
        status = start(run);
    if (status == KN_OK)
        status = make_rows(run);
    if (status == KN_OK)
        status = make_watchers(run);
    return status == KN_OK ? set_out(run) : status;
}

enum kn_status transient_to(struct transient_course *run, double time)
{
    return drive_to(run->drive, time);
}

enum kn_status transient_step(struct transient_course *run)
{
    return drive_step(run->drive);
}

void transient_jump(struct transient_course *run)
{
    drive_jump(run->drive);
}

struct transient_point transient_now(const struct transient_course *run)
{
    const double *x = NULL;
    integrator_end(run->method, &x);
    return (struct transient_point){run->method->t, x, run->method};
}

enum kn_status transient_end(struct transient_course *run, enum kn_status status)
{
    if (!run)
        return status;
    struct setup *s = run->setup;
    status = report(run, run->sink, arrive(run, status));
    run->summary->rows = run->rows.count;
    if (status == KN_OK)
        status = stills_write(&run->stills, s, run->sink, &run->summary->rows);
    if (status == KN_OK)
        status = kept_bias_send(&run->bias, s);
    release(run);
    quasistatic_end(run->quasistatic, status);
    free(run);
    return status;
}

enum kn_status transient_run(struct setup *s, const struct transient *request, struct kn_sink *sink,
                             struct analysis_summary *summary)
{
    struct transient_course *run;
    enum kn_status status = transient_begin(s, request, sink, summary, &run);
    if (status == KN_OK)
        status = transient_to(run, request->stop);
    if (status == KN_INTERRUPTED && run->drive && run->carry && !run->carry->taken)
        carry_leave(run->carry, run->setup->mna, run->method, request); /* in the midst of a step, which is not made */
    return transient_end(run, status);
}
