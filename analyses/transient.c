/* transient.c - see transient.h. */
#include "analyses/transient.h"

#include "analyses/measure.h"
#include "analyses/rows.h"
#include "analyses/run_index.h"
#include "analyses/set_off.h"
#include "analyses/stabilise.h"
#include "base/array.h"
#include "integrators/methods.h"
#include "mna/start/consistent.h"
#include "mna/watch/monitor.h"
#include "mna/watch/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROGRESS_EVERY = 256 };

/* SPICE's default for tmax: at least so many steps in a run, so that a source that starts slowly is not overlooked. */
static const double LEAST_STEPS = 50;

/* An operating point is where a transient starts: what it leaves as error would have to die out in it. */
static const double OPERATING_PART = 1e-3;

/* s: the time of .op, when sources have their DC values.  All that is said of an operating point is said of it. */
static const double OPERATING_TIME = -INFINITY;

/* Everything a run owns. */
struct session {
    const struct circuit *circuit;
    const struct analysis_options *options;
    struct kn_diagnostics *diagnostics;
    struct mna *mna;
    struct topology *topology;
    struct run_index index;
    struct columns columns;
    double *x;     /* [n] */
    bool listens;  /* evaluations ask whether the run is to end; not while rows are made, which must be whole */
    bool stopped;  /* it is */
    bool advances; /* in time: then progress is told in steps */
};

/* As the `interrupted` of mna_options: once true, it stays so. */
static bool is_stopped(void *context)
{
    struct session *s = context;
    const struct analysis_options *o = s->options;
    if (!s->listens)
        return false;
    s->stopped = s->stopped || (o->interrupted && o->interrupted(o->context));
    if (!s->stopped && !s->advances && o->progress)
        o->progress(o->context, -1);
    return s->stopped;
}

static void session_close(struct session *s)
{
    columns_free(&s->columns);
    run_index_free(&s->index);
    topology_free(s->topology);
    mna_free(s->mna);
    free(s->x);
}

/* vntol and abstol follow reltol where the deck does not give them: 1e-6 V and 1e-12 A belong to SPICE's reltol of
 * 1e-3, and whoever asks for more digits means small signals too. */
struct mna_options analysis_tolerances(const struct circuit *c, const struct analysis_options *o)
{
    struct mna_options options = o->mna;
    if (!circuit_option(c, "vntol"))
        options.vntol = fmax(1e-3 * o->relative, 1e-15);
    if (!circuit_option(c, "abstol"))
        options.abstol = fmax(1e-9 * o->relative, 1e-14);
    return options;
}

/* Equations, topology, columns; a circuit that cannot have a unique solution ends here. */
static enum kn_status session_open(struct session *s, bool with_time)
{
    struct mna_options options = analysis_tolerances(s->circuit, s->options);
    options.interrupted = is_stopped;
    options.context = s;
    s->listens = true;
    enum kn_status status = mna_new(s->circuit, &options, s->diagnostics, &s->mna);
    if (status == KN_OK)
        status = topology_new(s->mna, &s->topology);
    if (status == KN_OK)
        status = topology_report_defects(s->topology, s->mna, s->diagnostics);
    if (status == KN_OK)
        status = run_index_init(&s->index, s->mna, s->topology, s->diagnostics);
    if (status == KN_OK)
        status = columns_init(&s->columns, s->mna, with_time);
    if (status != KN_OK)
        return status;
    s->x = calloc((size_t)mna_unknown_count(s->mna), sizeof *s->x);
    return s->x ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status begin_table(const struct session *s, const char *plot, const struct kn_sink *sink)
{
    const struct kn_table table = {s->circuit->title, plot, s->columns.names, s->columns.count};
    return sink->begin(sink->context, &table);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- operating point ---- */

static enum kn_status write_point(struct session *s, struct kn_sink *sink)
{
    double *row = calloc(s->columns.count, sizeof *row);
    double *still = calloc((size_t)mna_unknown_count(s->mna), sizeof *still);
    enum kn_status status = row && still ? begin_table(s, "Operating Point", sink) : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        columns_fill(&s->columns, s->mna, OPERATING_TIME, s->x, still, row);
        status = sink->row(sink->context, row);
        const enum kn_status ended = sink->end(sink->context, status);
        status = status == KN_OK ? ended : status;
    }
    free(row);
    free(still);
    return status;
}

enum kn_status analysis_operating_point(const struct circuit *c, const struct analysis_options *o,
                                        struct kn_diagnostics *d, struct kn_sink *sink,
                                        struct analysis_summary *summary)
{
    const double begin = seconds();
    struct session s = {.circuit = c, .options = o, .diagnostics = d};
    memset(summary, 0, sizeof *summary);
    enum kn_status status = session_open(&s, false);
    if (status == KN_OK) {
        const struct operating_options op = {
            .relative = OPERATING_PART * o->relative, .time = OPERATING_TIME, .max_iterations = o->op_iterations};
        summary->unknowns = mna_unknown_count(s.mna);
        status = operating_point(s.mna, s.topology, &op, d, s.x, &summary->operating);
    }
    if (status == KN_OK)
        status = write_point(&s, sink);
    summary->rows = status == KN_OK;
    summary->wall = seconds() - begin;
    session_close(&s);
    return status;
}

/* ---- transient ---- */

struct run {
    struct session *session;
    struct rows rows;
    struct measurements *measurements; /* NULL where the deck asks for none */
    const struct transient *request;
    struct set_off set_off; /* of an unstable operating point */
    long steps;
    struct consistent consistent;
    double *values, *slopes; /* [n of dae_of] between steps */
    bool *watched;           /* [n of dae_of] unknowns that rows and measurements are made of */
    struct monitor *monitor; /* NULL unless .options hidden */
    struct noise *noise;     /* NULL where no unknown is of index 2 */
    struct ggl *ggl;         /* NULL unless .options ggl states them */
};

/* The equations that are integrated; their first unknowns are those of the circuit. */
static const struct dae *dae_of(const struct run *run)
{
    return run->ggl ? ggl_dae(run->ggl) : mna_dae(run->session->mna);
}

/* Where the run starts, or goes on behind a jump. */
static enum kn_status begin_at(struct run *run, double t, const double *x)
{
    if (run->measurements)
        measure_point(run->measurements, t, x);
    return rows_first(&run->rows, t, x);
}

static enum kn_status watch_hidden(struct run *run, struct integrator *m)
{
    m->class->interpolate(m, m->t, run->values, run->slopes);
    return monitor_look(run->monitor, m->t, m->x, run->slopes);
}

static enum kn_status step_accepted(void *context, struct integrator *m, bool first)
{
    struct run *run = context;
    const struct analysis_options *o = run->session->options;
    if (run->session->stopped)
        return KN_INTERRUPTED; /* perhaps in the middle of what is to become a row */
    run->session->listens = false;
    run->session->advances = true;
    if (first)
        return begin_at(run, m->t, m->x);
    if (o->progress && ++run->steps % PROGRESS_EVERY == 0)
        o->progress(o->context, m->t / run->request->stop);
    enum kn_status status = run->monitor ? watch_hidden(run, m) : KN_OK;
    if (status == KN_OK && run->noise)
        status = noise_step(run->noise, m->t, m->t - m->previous, m->order, m->x);
    if (status == KN_OK && run->measurements)
        measure_step(run->measurements, m);
    return status == KN_OK ? rows_step(&run->rows, m) : status;
}

static bool run_interrupted(void *context)
{
    struct session *s = ((struct run *)context)->session;
    s->listens = true;
    return is_stopped(s);
}

/* At a breakpoint: where a source jumps, x is made consistent with the far side; corners move index-2 unknowns only. */
static enum kn_status reinitialize(void *context, double t, double *x, bool switched)
{
    struct run *run = context;
    struct session *s = run->session;
    bool moved = true;
    s->listens = true;
    for (int i = mna_unknown_count(s->mna); i < dae_of(run)->n; i++)
        x[i] = 0; /* multipliers of consistent values */
    const enum kn_status status = switched ? consistent_restart(&run->consistent, t, s->diagnostics, x)
                                           : consistent_event(&run->consistent, t, s->diagnostics, x, &moved);
    return status == KN_OK && moved ? begin_at(run, t, x) : status;
}

static enum kn_status starting_values(struct run *run, struct analysis_summary *summary)
{
    struct session *s = run->session;
    run->consistent = (struct consistent){.mna = s->mna,
                                          .topology = s->topology,
                                          .relative = s->options->relative,
                                          .span = run->request->stop,
                                          .index_1 = !run_index_may_be_higher(&s->index)};
    if (run->request->uic)
        return consistent_start(&run->consistent, 0, s->diagnostics, s->x);
    const struct operating_options op = {.relative = OPERATING_PART * s->options->relative,
                                         .time = 0,
                                         .max_iterations = s->options->op_iterations,
                                         .impose_initial = true,
                                         .span = run->request->stop};
    return operating_point(s->mna, s->topology, &op, s->diagnostics, s->x, &summary->operating);
}

/* Only where nothing but the operating point is given as the start. */
static enum kn_status leave_unstable_point(struct run *run)
{
    struct session *s = run->session;
    if (run->request->uic || s->circuit->initial_count > 0)
        return KN_OK;
    return set_off(s->mna, s->topology, run->request, s->diagnostics, s->x, &run->set_off);
}

/* A table of more rows is nobody's wish: some decks have a tiny tstep where other simulators print their own steps. */
static const double MOST_EVEN_ROWS = 1e6;

/* The distance of rows in tables for reading; 0: those of the result. */
static double even_step(const struct transient *request, struct kn_diagnostics *d)
{
    const double rows = (request->stop - request->start) / request->step;
    if (rows <= MOST_EVEN_ROWS)
        return request->step;
    diagnostics_add(
        d, KN_WARNING, "print-rows", request->where, "make tstep larger",
        "the table of .print would have %.3g rows, one every %g s; it gets those of the result file instead", rows,
        request->step);
    return 0;
}

static enum kn_status begin_tables(const struct run *run, struct kn_sink *sink)
{
    static const char plot[] = "Transient Analysis";
    const struct kn_sink *even = run->rows.even;
    enum kn_status status = begin_table(run->session, plot, sink);
    if (status != KN_OK || !even)
        return status;
    status = begin_table(run->session, plot, even);
    if (status != KN_OK)
        sink->end(sink->context, status);
    return status;
}

/* Every table is ended whatever happens to the others; the first failure is the outcome. */
static enum kn_status end_tables(struct run *run, struct kn_sink *sink, enum kn_status outcome)
{
    const struct kn_sink *even = run->rows.even;
    const enum kn_status last = outcome == KN_ERROR_IO ? outcome : rows_last(&run->rows);
    const enum kn_status read = even ? even->end(even->context, outcome) : KN_OK;
    const enum kn_status written = sink->end(sink->context, outcome);
    const enum kn_status all[] = {outcome, last, read, written};
    size_t first = 0;
    while (first < 3 && all[first] == KN_OK)
        first++;
    return all[first];
}

/* A method that takes over without a past differentiates what the other has left: with index 3 that is seen. */
static const struct integrator_class *method_of(const struct run *run)
{
    const struct integrator_class *asked = run->session->options->method;
    return asked == &integrator_auto && run_index_is_above_2(&run->session->index) ? &integrator_bdf : asked;
}

/* A formula that has no value beyond the point that was reached, where the steps ended for it. */
static void blame_formula(const struct session *s, double reached)
{
    char fault[200];
    double time;
    const struct element *culprit = mna_describe_fault(s->mna, reached, &time, fault, sizeof fault);
    if (culprit)
        diagnostics_add(s->diagnostics, KN_ERROR, "formula-without-value", culprit->where,
                        "bound the argument, e.g. sqrt(max(x,0)), log(max(x,1e-9)), a/max(b,1e-9)",
                        "the formula of %s has no value at t = %.6g s: %s", culprit->name, time, fault);
}

static enum kn_status integrate_rows(struct run *run, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct session *s = run->session;
    const struct analysis_options *o = s->options;
    const struct integrator_options settings = {.relative = o->relative,
                                                .kappa = o->kappa,
                                                .max_order = o->max_order,
                                                .max_iterations = o->step_iterations,
                                                .span = run->request->stop,
                                                .damped_growth = run->set_off.damped,
                                                .output_step = run->request->step};
    const struct run_options run_options = {.stop = run->request->stop,
                                            .max_step = run->request->max_step > 0 ? run->request->max_step
                                                                                   : run->request->stop / LEAST_STEPS,
                                            .first_step = run->request->step,
                                            .watched = run->watched};
    const struct run_callbacks callbacks = {run, step_accepted, run_interrupted, reinitialize};
    struct integrator *m;
    const struct integrator_class *method = method_of(run);
    summary->method = method->name;
    enum kn_status status = method->create(dae_of(run), &settings, &m);
    if (status != KN_OK)
        return status;
    status = begin_tables(run, sink);
    if (status == KN_OK) {
        status = integrate(m, s->x, &run_options, &callbacks, s->diagnostics, &summary->steps);
        if (status == KN_ERROR_CONVERGENCE)
            blame_formula(s, m->t);
        status = end_tables(run, sink, status);
    }
    if (run->ggl && status != KN_OK && status != KN_INTERRUPTED)
        stabilise_blame_method(s->mna, run->ggl, method->name, s->diagnostics);
    if (m->class->describe)
        m->class->describe(m, summary->choice, sizeof summary->choice);
    m->class->destroy(m);
    return status;
}

/* Vectors of the length of the integrated equations. */
static enum kn_status make_room(struct run *run)
{
    struct session *s = run->session;
    const size_t n = (size_t)dae_of(run)->n, known = (size_t)mna_unknown_count(s->mna);
    if (!array_resize(&s->x, n, sizeof *s->x))
        return KN_ERROR_MEMORY;
    for (size_t i = known; i < n; i++)
        s->x[i] = 0;
    run->values = calloc(n, sizeof *run->values);
    run->slopes = calloc(n, sizeof *run->slopes);
    run->watched = calloc(n, sizeof *run->watched);
    return run->values && run->slopes && run->watched ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status analysis_transient(const struct circuit *c, const struct transient *request,
                                  const struct analysis_options *o, struct kn_diagnostics *d, struct kn_sink *sink,
                                  struct analysis_summary *summary)
{
    const double begin = seconds();
    struct session s = {.circuit = c, .options = o, .diagnostics = d};
    struct run run = {.session = &s, .request = request};
    memset(summary, 0, sizeof *summary);
    summary->method = o->method->name;
    enum kn_status status = session_open(&s, true);
    if (status == KN_OK) {
        summary->unknowns = mna_unknown_count(s.mna);
        status = starting_values(&run, summary);
    }
    if (status == KN_OK)
        status = run_index_start(&s.index, s.x);
    if (status == KN_OK)
        status = leave_unstable_point(&run);
    if (status == KN_OK && o->state_hidden)
        status = stabilise(s.mna, request->stop, d, &run.ggl);
    if (status == KN_OK)
        status = make_room(&run);
    if (status == KN_OK)
        run_index_note(&s.index, d);
    if (status == KN_OK && o->watch_hidden)
        status = monitor_new(s.mna, s.topology, &run.monitor);
    if (status == KN_OK && !run.ggl)
        status = noise_new(s.mna, s.topology, &(struct noise_settings){o->relative, request->stop}, &run.noise);
    if (status == KN_OK)
        status = rows_init(&run.rows, s.mna, dae_of(&run)->n, &s.columns, request, o->relative, o->step_rows,
                           o->samples > 0 ? o->rows : sink);
    if (status == KN_OK && o->samples > 0 && o->sample_times)
        rows_sample_at(&run.rows, o->sample_times, o->samples, sink);
    else if (status == KN_OK && o->samples > 0)
        rows_sample(&run.rows, o->samples, sink);
    if (status == KN_OK && o->even)
        rows_even(&run.rows, o->even, even_step(request, d));
    if (status == KN_OK && c->measure_count > 0 && o->measured)
        status = measure_new(s.mna, dae_of(&run)->n, request->start, &run.measurements);
    if (status == KN_OK) {
        columns_watch(&s.columns, s.mna, run.watched);
        if (run.measurements)
            measure_watch(run.measurements, run.watched);
        status = integrate_rows(&run, sink, summary);
    }
    if (status == KN_OK && run.measurements)
        measure_report(run.measurements, d, o->measured, o->context);
    if (run.monitor)
        monitor_report(run.monitor, d);
    if (run.noise)
        noise_report(run.noise, d);
    summary->rows = run.rows.count;
    summary->wall = seconds() - begin;
    rows_free(&run.rows);
    measure_free(run.measurements);
    ggl_free(run.ggl);
    consistent_free(&run.consistent);
    monitor_free(run.monitor);
    noise_free(run.noise);
    free(run.values);
    free(run.slopes);
    free(run.watched);
    session_close(&s);
    return status;
}
