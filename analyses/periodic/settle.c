/* settle.c - see settle.h. */
#include "analyses/periodic/settle.h"

#include "analyses/transient/set_off.h"
#include "integrators/methods.h"
#include "mna/start/operating_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDER = 5, CROSSINGS = 64, LEAST_STEPS = 20, WINDOW = 5, BISECTIONS = 60 };

/* Of reltol: tolerance of the run whose steps the orbit gets, within these. */
static const double FINER = 1e-2, FINEST = 1e-8, COARSEST = 1e-5;
/* Two returns to one place: times the smallest distance of two, or of the swing. */
static const double AS_NEAR = 3, NEAR = 0.02;
/* Periods: what grows by e within so many sets an oscillator off. */
static const double LONG = 1e9;
/* Tolerances: what moves less is at rest. */
static const double AT_REST = 10;

struct settling {
    struct setup *setup;
    const struct settle_request *request;
    struct analysis_summary *summary;
    struct kn_diagnostics *diagnostics;
    int n;
    double t;  /* s, reached */
    double *x; /* [n] there */

    double *low, *high; /* [n] of the last window */
    int phase;
    double level;                      /* of it, which it crosses upwards */
    double before;                     /* its value less the level one step ago */
    double *returns, times[CROSSINGS]; /* [CROSSINGS n] where it does, and when */
    int crossings;

    struct orbit_record record; /* of a period */
    double *point;              /* [n] */
};

static bool make_room(struct settling *s)
{
    const size_t n = (size_t)s->n + 1;
    double **const vectors[] = {&s->x, &s->low, &s->high, &s->point};
    bool complete = (s->returns = calloc(CROSSINGS * n, sizeof(double))) != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        complete = (*vectors[i] = calloc(n, sizeof(double))) != NULL && complete;
    return complete;
}

static void release(struct settling *s)
{
    double *const all[] = {s->x, s->low, s->high, s->point, s->returns};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    orbit_record_free(&s->record);
}

/* ---- the run ---- */

static bool is_interrupted(void *context)
{
    struct settling *s = context;
    s->setup->listens = true;
    return setup_is_stopped(s->setup);
}

/* Sources that jump leave algebraic unknowns behind: the next step finds them. */
static enum kn_status run(struct settling *s, double duration, const struct integrator_class *method, double relative,
                          enum kn_status (*accepted)(void *, struct integrator *, bool))
{
    const struct analysis_options *o = s->setup->options;
    const double stop = s->t + duration;
    const struct integrator_options settings = {.relative = relative,
                                                .kappa = o->kappa,
                                                .max_order = MOST_ORDER,
                                                .max_iterations = o->step_iterations,
                                                .span = stop,
                                                .short_sighted = true, /* swings of 0.3 mV behind a drift by 4 V */
                                                .output_step = s->request->period / 100};
    const struct run_options run_options = {
        .start = s->t, .stop = stop, .max_step = s->request->period / LEAST_STEPS, .first_step = duration};
    const struct run_callbacks callbacks = {.context = s, .accepted = accepted, .interrupted = is_interrupted};
    struct integrator_statistics statistics = {0};
    struct integrator *m;
    enum kn_status status = method->create(mna_dae(s->setup->mna), &settings, &m);
    if (status != KN_OK)
        return status;
    status = integrate(m, s->x, &run_options, &callbacks, s->diagnostics, &statistics);
    memcpy(s->x, m->x, (size_t)s->n * sizeof(double));
    s->t = stop;
    m->class->destroy(m);
    s->summary->steps.accepted += statistics.accepted;
    s->summary->steps.rejected_error += statistics.rejected_error;
    s->summary->steps.rejected_newton += statistics.rejected_newton;
    s->summary->steps.newton_iterations += statistics.newton_iterations;
    s->summary->steps.factorizations += statistics.factorizations + statistics.refactorizations;
    return status;
}

static enum kn_status start(struct settling *s)
{
    struct setup *setup = s->setup;
    const double relative = setup->options->relative;
    const struct transient request = {
        .step = s->request->period / 100, .stop = LONG * s->request->period, .where = s->request->where};
    const struct operating_options op = {.relative = SETUP_OPERATING_PART * relative,
                                         .max_iterations = setup->options->op_iterations,
                                         .impose_initial = true,
                                         .span = s->request->time + WINDOW * s->request->period};
    struct set_off off;
    enum kn_status status =
        operating_point(setup->mna, setup->topology, &op, setup->diagnostics, s->x, &s->summary->operating);
    if (status == KN_OK)
        status = run_index_start(&setup->index, s->x);
    if (status == KN_OK && setup->circuit->initial_count == 0)
        status = set_off(setup->mna, setup->topology, &request, setup->diagnostics, 0, s->x, &off);
    return status;
}

/* ---- oscillators: which unknown, when it returns ---- */

static enum kn_status widen(void *context, struct integrator *m, bool first)
{
    struct settling *s = context;
    for (int i = 0; i < s->n; i++) {
        s->low[i] = first ? m->x[i] : fmin(s->low[i], m->x[i]);
        s->high[i] = first ? m->x[i] : fmax(s->high[i], m->x[i]);
    }
    return KN_OK;
}

/* The differential unknown that moves most, in tolerances. */
static void choose_phase(struct settling *s)
{
    const struct dae *dae = mna_dae(s->setup->mna);
    double most = AT_REST;
    s->phase = s->request->phase;
    for (int i = 0; i < s->n && s->request->phase < 0; i++) {
        const double size = fmax(fabs(s->low[i]), fabs(s->high[i]));
        const double swing = (s->high[i] - s->low[i]) / (s->setup->options->relative * size + dae->absolute[i]);
        if (swing > most && (!dae->classes || dae->classes[i] == DAE_DIFFERENTIAL)) {
            most = swing;
            s->phase = i;
        }
    }
    if (s->phase >= 0)
        s->level = 0.5 * (s->low[s->phase] + s->high[s->phase]);
}

static double above_level(struct settling *s, struct integrator *m, double t)
{
    m->class->interpolate(m, t, s->point, NULL);
    return s->point[s->phase] - s->level;
}

static enum kn_status note_return(void *context, struct integrator *m, bool first)
{
    struct settling *s = context;
    const double now = m->x[s->phase] - s->level, before = s->before;
    s->before = now;
    if (first || !(before < 0 && now >= 0) || s->crossings == CROSSINGS)
        return KN_OK;
    double low = m->previous, high = m->t;
    for (int i = 0; i < BISECTIONS && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (above_level(s, m, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    above_level(s, m, high);
    memcpy(s->returns + (size_t)s->crossings * (size_t)s->n, s->point, (size_t)s->n * sizeof(double));
    s->times[s->crossings++] = high;
    return KN_OK;
}

static double distance(const struct settling *s, int a, int b)
{
    double size = 0;
    for (int i = 0; i < s->n; i++) {
        const double swing = s->high[i] - s->low[i];
        if (swing > 0)
            size = fmax(size, fabs(s->returns[a * s->n + i] - s->returns[b * s->n + i]) / swing);
    }
    return size;
}

/* From which earlier return the last one is a period away. */
static int find_period(const struct settling *s)
{
    const int last = s->crossings - 1;
    double nearest = INFINITY;
    for (int k = last - 1; k >= 0; k--)
        nearest = fmin(nearest, distance(s, last, k));
    int k = last - 1;
    while (k > 0 && distance(s, last, k) > fmax(NEAR, AS_NEAR * nearest))
        k--;
    return k;
}

static enum kn_status rests(const struct settling *s)
{
    diagnostics_add(
        s->setup->diagnostics, KN_ERROR, "no-oscillation", s->request->where,
        "an unstable operating point, .ic or a longer tstab= sets it off; a driven circuit has its frequency "
        "from its sources, which all rest here",
        "nothing oscillates: after %g s no voltage or current returns with about %g Hz", s->t, 1 / s->request->period);
    return KN_ERROR_CIRCUIT;
}

/* To the last return, and how long it is since the one before. */
static enum kn_status to_a_return(struct settling *s, double relative, double *period)
{
    const double window = WINDOW * s->request->period;
    enum kn_status status = run(s, window, &integrator_auto, relative, widen);
    if (status != KN_OK)
        return status;
    choose_phase(s);
    if (s->phase < 0)
        return rests(s);
    status = run(s, window, &integrator_auto, relative, note_return);
    if (status != KN_OK)
        return status;
    if (s->crossings < 2)
        return rests(s);
    const int last = s->crossings - 1;
    *period = s->times[last] - s->times[find_period(s)];
    s->t = s->times[last];
    memcpy(s->x, s->returns + (size_t)last * (size_t)s->n, (size_t)s->n * sizeof(double));
    return KN_OK;
}

/* ---- one period ---- */

static enum kn_status record(void *context, struct integrator *m, bool first)
{
    struct settling *s = context;
    return first ? KN_OK : orbit_record_step(&s->record, m);
}

/* From where the run has got to. */
static enum kn_status one_period(struct settling *s, double period, double accuracy, struct orbit *out)
{
    const double from = s->t;
    s->record.n = (size_t)s->n;
    const size_t bytes = (size_t)s->n * sizeof(double);
    double *begin = malloc(bytes + sizeof *begin);
    if (!begin)
        return KN_ERROR_MEMORY;
    memcpy(begin, s->x, bytes);
    enum kn_status status = run(s, period, &integrator_radau, accuracy, record);
    if (status == KN_OK)
        status = orbit_of_record(mna_dae(s->setup->mna), &s->record, from, period, begin, out);
    if (status == KN_OK)
        out->accuracy = accuracy;
    free(begin);
    return status;
}

/* From the operating point to the given time; of a driven circuit that runs away until nothing can be followed any more, the
 * operating point itself at that time, and nothing is said of the run. */
static enum kn_status settle_down(struct settling *s, double relative)
{
    const struct settle_request *r = s->request;
    const size_t bytes = (size_t)s->n * sizeof *s->x;
    struct kn_diagnostics *const told = s->diagnostics, *own = kn_diagnostics_new();
    if (!own)
        return KN_ERROR_MEMORY;
    memcpy(s->point, s->x, bytes);
    s->diagnostics = own;
    enum kn_status status = run(s, r->time, s->setup->options->method, relative, NULL);
    if (r->driven && status == KN_ERROR_CONVERGENCE) {
        memcpy(s->x, s->point, bytes);
        status = KN_OK;
    } else {
        diagnostics_copy(told, own);
    }
    kn_diagnostics_free(own);
    s->diagnostics = told;
    s->t = r->time;
    return status;
}

static struct settling settling_of(struct setup *setup, const struct settle_request *request,
                                   struct analysis_summary *summary)
{
    return (struct settling){.setup = setup,
                             .request = request,
                             .summary = summary,
                             .diagnostics = setup->diagnostics,
                             .n = mna_unknown_count(setup->mna),
                             .phase = -1};
}

enum kn_status settle(struct setup *setup, const struct settle_request *request, struct orbit *out, int *phase,
                      struct analysis_summary *summary)
{
    struct settling s = settling_of(setup, request, summary);
    const double relative = setup->options->relative;
    double period = request->period;
    enum kn_status status = make_room(&s) ? start(&s) : KN_ERROR_MEMORY;
    if (status == KN_OK && request->time > 0)
        status = settle_down(&s, relative);
    if (status == KN_OK && !request->driven)
        status = to_a_return(&s, fmin(relative, 1e-4), &period);
    if (status == KN_OK)
        status = one_period(&s, period, fmax(FINEST, fmin(FINER * relative, COARSEST)), out);
    *phase = s.phase;
    release(&s);
    return status;
}

/* Where the run fails another way may be found: nothing is said of it. */
enum kn_status settle_anew(struct setup *setup, const struct settle_request *request, const struct orbit *old,
                           struct orbit *out, struct analysis_summary *summary)
{
    struct settling s = settling_of(setup, request, summary);
    *out = (struct orbit){.dae = NULL};
    s.t = old->start;
    s.diagnostics = kn_diagnostics_new();
    enum kn_status status = s.diagnostics && make_room(&s) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        memcpy(s.x, old->x, (size_t)s.n * sizeof *s.x);
        status = one_period(&s, old->period, old->accuracy, out);
    }
    kn_diagnostics_free(s.diagnostics);
    release(&s);
    if (status != KN_OK)
        return status;
    out->relative = old->relative;
    out->closed = old->closed;
    memcpy(out->scale, old->scale, (size_t)old->n * sizeof *out->scale);
    return KN_OK;
}
