/* measure_sensitivity.c - .sens tran: how results of .measure change with each value of the circuit.
 *
 * The transient is a solution of the stages R_k(x, p) = 0 of Radau IIA, and a result a function m of its points.  With the
 * adjoint of these equations, (dR/dx)^T lambda = dm/dx solved from the end to the start once for a result,
 *
 *     dm/dp = -sum_k lambda_k^T dR_k/dp,
 *
 * for all values p of the circuit (Cao, Li, Petzold and Serban, SIAM J. Sci. Comput. 24, 2003, section 3, for the discrete
 * equations): exact for the discretisation, of any index.  The start is the operating point, f(x_0, p) = 0 at time 0, whose
 * part is lambda_0 with G^T lambda_0 = dm/dx_0; with uic it follows from given charges (moving_start.h).
 */
#include "analyses/adjoint/functional.h"
#include "analyses/adjoint/moving_start.h"
#include "analyses/adjoint/start_response.h"
#include "analyses/list.h"
#include "analyses/small_signal/derivative.h"
#include "analyses/transient/reader.h"
#include "analyses/transient/set_off.h"
#include "base/names.h"
#include "integrators/methods.h"
#include "mna/start/augmented.h"
#include "mna/start/operating_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, MOST_ORDER = 2 * STAGES - 1, LEAST_STEPS = 50 };

/* Of reltol: tolerance of the run, within these. */
static const double FINER = 1e-2, FINEST = 1e-9, COARSEST = 1e-5;
/* Bytes of responses that are kept. */
static const double MOST_KEPT = 2e9;
/* Part to which Newton's method closes the stages. */
static const double CLOSED = 1e-3;
/* Difference of extrapolations that is told. */
static const double DOUBT = 1e-3;

/* Of one result. */
struct response {
    size_t number; /* of the card of .measure */
    struct orbit_gradient gradient;
    double *start; /* [n] lambda_0 */
    double *given; /* [n + values] with uic: what given charges and values mean .. */
    bool follows;  /* .. where the start follows from them as if it were linear */
    double *found; /* [values] dm/dp */
};

struct run {
    struct setup *setup;
    const struct analysis_card *card;
    const struct transient *request;
    struct measurements *measurements;
    struct reader reader;
    double *results; /* [measure_count] */
    double *x;       /* [n] the start .. */
    double *rest;    /* .. and the operating point beside which it is, where that is unstable .. */
    double growth;   /* .. and left at this rate (1/s); 0: it is stable */
    struct orbit_record record;
    struct orbit orbit;
    struct response *list;
    size_t count;
    struct values values;
    struct derivative derivative;
    struct moving_start beside; /* with uic */
    bool *there;                /* [values] */
};

static enum kn_status complain(const struct setup *s, struct kn_location where, const char *hint, const char *what)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "sens-card", where, hint, "'.sens tran': %s", what);
    return KN_ERROR_DECK;
}

/* ---- the card ---- */

static bool find_measure(const struct circuit *c, const char *name, size_t *out)
{
    for (*out = 0; *out < c->measure_count; ++*out)
        if (names_equal(c->measures[*out].name, name) && c->measures[*out].domain == MEASURE_OF_TRANSIENT)
            return true;
    return false;
}

/* numbers: room for as many as there are words; NULL: they are only looked at. */
static enum kn_status read_card(const struct setup *s, const struct analysis_card *card, struct response *list)
{
    size_t number;
    if (s->circuit->transient_count == 0)
        return complain(s, card->where, "add one", "there is no .tran to measure");
    if (card->setting_count < 2)
        return complain(s, card->where, "write .sens tran name, where .measure tran name .. stands in the deck",
                        "the name of a result of .measure is missing");
    for (size_t i = 1; i < card->setting_count; i++) {
        const struct setting *word = &card->settings[i];
        if (word->has_value || !find_measure(s->circuit, word->name, &number)) {
            diagnostics_add(s->diagnostics, KN_ERROR, "sens-card", word->where, "write .measure tran with that name",
                            "'.sens tran': no .measure of the transient is called '%s'", word->name);
            return KN_ERROR_DECK;
        }
        if (list)
            list[i - 1].number = number;
    }
    return KN_OK;
}

/* Those that the reader has handed on; others are of operating points and frequencies. */
static size_t count(const struct circuit *c)
{
    size_t all = 0;
    while (analysis_card(c, ".sens", all))
        all++;
    return all;
}

/* What the equations of stages alone do not know of. */
static enum kn_status check_equations(const struct setup *s, const struct analysis_card *card, const struct dae *dae)
{
    for (int i = 0; i < dae->switch_count; i++)
        if (!dae->switches_equations_only || (dae->may_be_left && !dae->may_be_left(dae->problem, i))) {
            char owner[200] = "an element";
            if (dae->describe_switch)
                dae->describe_switch(dae->problem, i, owner, sizeof owner);
            diagnostics_add(s->diagnostics, KN_ERROR, "sens-circuit", card->where, "compare runs: .step",
                            "'.sens tran': %s switches, at times that move with the values of the circuit", owner);
            return KN_ERROR_CIRCUIT;
        }
    if (dae->largest_step < INFINITY)
        return complain(s, card->where, "compare runs: .step", "lines remember waveforms, which is not differentiated");
    if (!s->circuit->transients[0].uic && s->circuit->initial_count > 0)
        return complain(s, card->where, "add uic to .tran, or leave .ic out",
                        ".ic without uic makes a start that is not differentiated");
    return KN_OK;
}

/* Before anything is run, of equations made for that; what is wrong with these the first analysis says. */
static enum kn_status check_circuit(const struct setup *s, const struct analysis_card *card)
{
    const struct mna_options options = analysis_tolerances(s->circuit, s->options);
    struct kn_diagnostics *unheard = kn_diagnostics_new();
    struct mna *m = NULL;
    enum kn_status status = unheard ? mna_new(s->circuit, &options, unheard, &m) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = check_equations(s, card, mna_dae(m));
    else if (status != KN_ERROR_MEMORY)
        status = KN_OK;
    mna_free(m);
    kn_diagnostics_free(unheard);
    return status;
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    const enum kn_status status = read_card(s, card, NULL);
    return status == KN_OK && s->circuit->is_whole ? check_circuit(s, card) : status;
}

/* ---- the run ---- */

static bool is_interrupted(void *context)
{
    struct run *r = context;
    r->setup->listens = true;
    return setup_is_stopped(r->setup);
}

static enum kn_status take_step(void *context, struct integrator *m, bool first)
{
    struct run *r = context;
    struct measure_piece piece;
    if (first) {
        reader_begin(&r->reader, m->x);
        return KN_OK;
    }
    const enum kn_status status = orbit_record_step(&r->record, m);
    return status == KN_OK && reader_step(&r->reader, m, &piece) ? measure_piece(r->measurements, &piece) : status;
}

static enum kn_status find_start(struct run *r, struct analysis_summary *summary)
{
    struct setup *s = r->setup;
    const double span = r->request->stop;
    if (r->request->uic)
        return moving_start_find(s, s->mna, s->topology, span, s->diagnostics, r->x);
    const struct operating_options op = {.relative = SETUP_OPERATING_PART * s->options->relative,
                                         .max_iterations = s->options->op_iterations,
                                         .impose_initial = true,
                                         .span = span};
    return operating_point(s->mna, s->topology, &op, s->diagnostics, r->x, &summary->operating);
}

/* As the transient whose results these are does, which has said so. */
static enum kn_status leave_unstable_point(struct run *r)
{
    const struct setup *s = r->setup;
    struct set_off off = {0, 0};
    memcpy(r->rest, r->x, r->record.n * sizeof *r->rest);
    const enum kn_status status = set_off(s->mna, s->topology, r->request, NULL, 0, r->x, &off);
    r->growth = off.growth;
    return status;
}

static enum kn_status refuse_to_rest(void *context, double t, double *x, bool *moved, double *rate)
{
    const struct run *r = context;
    const struct setup *s = r->setup;
    *moved = false;
    *rate = 0;
    return set_off_refuse(s->mna, s->topology, r->request, s->diagnostics, t, x, r->card->where);
}

static enum kn_status start(struct run *r, struct analysis_summary *summary)
{
    struct setup *s = r->setup;
    const struct measure_curve curve = measure_curve_of_transient(1e-7, s->options->relative);
    enum kn_status status = setup_open(s);
    s->used = true;
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)mna_unknown_count(s->mna), measures = s->circuit->measure_count;
    r->record.n = n;
    r->x = calloc(n + 1, sizeof *r->x);
    r->rest = calloc(n + 1, sizeof *r->rest);
    r->results = calloc(measures + 1, sizeof *r->results);
    if (!r->x || !r->rest || !r->results)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < measures; i++)
        r->results[i] = NAN;
    status = check_equations(s, r->card, mna_dae(s->mna));
    if (status == KN_OK)
        status = find_start(r, summary);
    if (status == KN_OK && !r->request->uic)
        status = leave_unstable_point(r);
    if (status == KN_OK)
        status = run_index_start(&s->index, r->x);
    if (status == KN_OK)
        status = measure_new(s->circuit, &curve, r->results, &r->measurements);
    if (status != KN_OK)
        return status;
    const struct signal_set *set = measure_signals(r->measurements);
    return reader_init(&r->reader, s->mna, (int)n, r->request->start, set->variables, set->count);
}

static enum kn_status follow_time(struct run *r, struct analysis_summary *summary)
{
    struct setup *s = r->setup;
    const struct analysis_options *o = s->options;
    const struct transient *t = r->request;
    const struct integrator_options settings = {.relative = fmax(FINEST, fmin(FINER * o->relative, COARSEST)),
                                                .kappa = o->kappa,
                                                .max_order = MOST_ORDER,
                                                .max_iterations = o->step_iterations,
                                                .span = t->stop,
                                                .output_step = t->step};
    const double longest = fmin(t->max_step > 0 ? t->max_step : INFINITY, t->stop / LEAST_STEPS);
    const struct run_options run_options = {.stop = t->stop, .max_step = longest, .growth_rate = r->growth};
    const struct run_callbacks callbacks = {
        .context = r, .accepted = take_step, .interrupted = is_interrupted, .rests = refuse_to_rest};
    const struct measure_listener listener = {.diagnostics = s->diagnostics};
    struct integrator *m;
    enum kn_status status = integrator_radau.create(mna_dae(s->mna), &settings, &m);
    if (status != KN_OK)
        return status;
    status = integrate(m, r->x, &run_options, &callbacks, s->diagnostics, &summary->steps);
    if (status == KN_OK)
        status = measure_report(r->measurements, NULL, &listener);
    m->class->destroy(m);
    return status;
}

/* The same steps, solved as exactly as differentiating them asks for. */
static enum kn_status close_stages(struct run *r, struct analysis_summary *summary)
{
    struct setup *s = r->setup;
    const struct dae *dae = mna_dae(s->mna);
    struct orbit *o = &r->orbit;
    enum kn_status status = orbit_of_record(dae, &r->record, 0, r->request->stop, r->x, o);
    if (status == KN_OK)
        status = orbit_keep_slopes(o);
    if (status != KN_OK)
        return status;
    o->relative = s->options->relative;
    o->closed = CLOSED;
    orbit_rescale(o);
    for (int i = 0; i < dae->switch_count; i++)
        dae->hold(dae->problem, i, 0);
    status = orbit_follow(o);
    summary->steps.newton_iterations += o->iterations;
    summary->steps.factorizations += o->factorizations;
    if (status == KN_ERROR_CONVERGENCE)
        diagnostics_add(s->diagnostics, KN_ERROR, "sens-steps", r->card->where, "a smaller reltol makes shorter steps",
                        "'.sens tran': the step at %g s cannot be solved as exactly as its derivatives ask for",
                        o->period * o->part[o->failed_step]);
    return status;
}

/* ---- adjoints ---- */

/* lambda_0 with uic, and what charges mean at the start beside those of the first step; 0 where the start does not follow so. */
static enum kn_status carry_to_given_charges(struct run *r, struct response *to)
{
    const size_t n = (size_t)r->orbit.n;
    const struct start_response s = {r->setup, &r->beside.given, r->x, r->request->stop, r->beside.values};
    const double enough = START_RELTOL * fabs(r->results[to->number]);
    const enum kn_status status =
        start_response_find(&s, to->gradient.start, enough, to->given, to->start, &to->follows);
    for (size_t i = 0; i < n && to->follows; i++)
        to->gradient.charges[i] -= to->given[i];
    if (!to->follows)
        memset(to->start, 0, n * sizeof *to->start);
    return status;
}

static enum kn_status carry_to_operating_point(struct run *r, struct response *to)
{
    const enum kn_status status = rest_response_find(r->setup, r->rest, to->gradient.start, to->start);
    if (status == KN_ERROR_CIRCUIT)
        complain(r->setup, r->card->where, "add uic to .tran, or what determines the direct voltages and currents",
                 "the operating point is not unique and has no derivative");
    return status;
}

static bool response_new(const struct run *r, struct response *out)
{
    const size_t n = (size_t)r->orbit.n, stages = STAGES * (size_t)r->orbit.steps;
    out->gradient = (struct orbit_gradient){.equations = calloc(stages * n + 1, sizeof(double)),
                                            .charges = calloc((stages + 1) * n + 1, sizeof(double)),
                                            .start = calloc(n + 1, sizeof(double))};
    out->start = calloc(n + 1, sizeof *out->start);
    out->given = calloc(n + r->beside.values + 1, sizeof *out->given);
    out->found = calloc(r->values.count + 1, sizeof *out->found);
    return out->gradient.equations && out->gradient.charges && out->gradient.start && out->start && out->given &&
           out->found;
}

static enum kn_status respond(struct run *r, struct response *to)
{
    const struct setup *s = r->setup;
    const struct functional f = {.circuit = s->circuit,
                                 .mna = s->mna,
                                 .orbit = &r->orbit,
                                 .measured = r->measurements,
                                 .results = r->results,
                                 .diagnostics = s->diagnostics,
                                 .where = r->card->where};
    const size_t points = STAGES * (size_t)r->orbit.steps + 1;
    double *seed = calloc(points * (size_t)r->orbit.n + 1, sizeof *seed);
    enum kn_status status = seed && response_new(r, to) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = functional_add(&f, to->number, 1, seed);
    if (status == KN_OK)
        status = orbit_gradient(&r->orbit, seed, &to->gradient);
    if (status == KN_OK)
        status = r->request->uic ? carry_to_given_charges(r, to) : carry_to_operating_point(r, to);
    free(seed);
    return status;
}

static enum kn_status find_responses(struct run *r)
{
    enum kn_status status = KN_OK;
    const double bytes = 48.0 * r->orbit.steps * r->orbit.n * (double)r->count;
    if (bytes > MOST_KEPT)
        return complain(r->setup, r->card->where, "ask for fewer results at once, or a larger reltol",
                        "the run has too many steps to go back along for so many results");
    for (size_t i = 0; i < r->count && status == KN_OK; i++)
        status = respond(r, &r->list[i]);
    return status;
}

/* ---- values of the circuit ---- */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* sums [count] += what f and q of a variant at one point mean to each result; stage < 0: the start. */
static void add_point(const struct run *r, struct mna_variant *v, int step, int stage, double *sums)
{
    const struct orbit *o = &r->orbit;
    const size_t n = (size_t)o->n, at = STAGES * (size_t)step + (size_t)(stage + 1);
    const double begin = o->period * o->part[step], h = o->period * o->part[step + 1] - begin;
    const struct instant when =
        stage < 0 ? instant_at(0) : (struct instant){begin + h * o->tableau->c[stage], begin + 0.5 * h};
    mna_variant_evaluate_at(v, when, o->x + at * n);
    for (size_t k = 0; k < r->count; k++)
        sums[k] += dot(r->list[k].gradient.charges + at * n, v->q, n);
    if (stage < 0 && r->growth > 0)
        mna_variant_evaluate_at(v, when, r->rest);
    for (size_t k = 0; k < r->count; k++)
        sums[k] -= dot(stage < 0 ? r->list[k].start : r->list[k].gradient.equations + (at - 1) * n, v->f, n);
}

/* sums += what the start with uic means to each result, by the difference of two nearest ones: a start has no more digits. */
static enum kn_status add_starts(struct run *r, const struct value *v, double *sums)
{
    const size_t n = (size_t)r->orbit.n;
    const double nearest = fabs(derivative_step[DERIVATIVE_POINTS - 1]);
    const enum kn_status status = moving_start_follow(&r->beside, v, nearest * r->derivative.h);
    double *by = r->beside.x;
    for (size_t i = 0; i < n && status == KN_OK; i++)
        by[i] = (by[i] - by[n + i]) / (2 * nearest);
    for (size_t k = 0; k < DERIVATIVE_POINTS && status == KN_OK; k++)
        for (size_t m = 0; m < r->count; m++)
            sums[k * r->count + m] +=
                r->list[m].follows ? 0 : derivative_step[k] * dot(r->list[m].gradient.start, by, n);
    return status;
}

static enum kn_status add_given(struct run *r, const struct value *v, double *sums)
{
    const size_t size = (size_t)r->orbit.n + r->beside.values;
    const enum kn_status status = moving_start_given(&r->beside, v, r->derivative.h);
    for (size_t k = 0; k < DERIVATIVE_POINTS && status == KN_OK; k++)
        for (size_t m = 0; m < r->count; m++)
            sums[k * r->count + m] += r->list[m].follows ? dot(r->list[m].given, r->beside.x + k * size, size) : 0;
    return status;
}

/* What the start with uic means, as each result asks for. */
static enum kn_status add_uic(struct run *r, const struct value *v, double *sums)
{
    size_t following = 0;
    for (size_t m = 0; m < r->count; m++)
        following += r->list[m].follows;
    const enum kn_status status = following > 0 ? add_given(r, v, sums) : KN_OK;
    return status == KN_OK && following < r->count ? add_starts(r, v, sums) : status;
}

/* sums [points][count] of a value; *there: it has them. */
static enum kn_status add_points(struct run *r, const struct value *v, double *sums, bool *there)
{
    struct derivative *d = &r->derivative;
    enum kn_status status = derivative_of(d, v, there);
    for (int k = 0; k < DERIVATIVE_POINTS && status == KN_OK && *there; k++) {
        double *at = sums + (size_t)k * r->count;
        memset(at, 0, r->count * sizeof *at);
        add_point(r, d->points[k], 0, -1, at);
        for (int i = 0; i < r->orbit.steps; i++)
            for (int stage = 0; stage < STAGES; stage++)
                add_point(r, d->points[k], i, stage, at);
    }
    if (status != KN_OK || !*there || !r->request->uic)
        return status;
    status = add_uic(r, v, sums);
    if (status != KN_ERROR_CONVERGENCE)
        return status;
    *there = false;
    diagnostics_add(
        r->setup->diagnostics, KN_WARNING, "uncertain", r->card->where, "compare runs with other values: .step",
        "'.sens tran': beside %g for %s no start was found, so that this value is left out", v->number, v->name);
    return KN_OK;
}

/* The value counts where it is more than what is left of cancelled sums. */
static enum kn_status differentiate(struct run *r, size_t number, double *sums)
{
    const struct value *v = &r->values.list[number];
    const struct derivative *d = &r->derivative;
    const enum kn_status status = add_points(r, v, sums, &r->there[number]);
    for (size_t m = 0; m < r->count && status == KN_OK && r->there[number]; m++) {
        double sum = 0, less = 0;
        for (size_t k = 0; k < DERIVATIVE_POINTS; k++) {
            sum += derivative_weight[k] * sums[k * r->count + m] / d->h;
            less += derivative_lower[k] * sums[k * r->count + m] / d->h;
        }
        r->list[m].found[number] = sum;
        const double result = r->results[r->list[m].number];
        if (fabs(sum - less) > DOUBT * fabs(sum) && fabs(sum * v->number) > 1e-6 * fabs(result))
            diagnostics_add(r->setup->diagnostics, KN_WARNING, "uncertain", r->card->where,
                            "compare runs with other values: .step",
                            "'.sens tran': what depends on %s bends so sharply at %g that its sensitivity is uncertain "
                            "(by about %.1g of it)",
                            v->name, v->number, fabs(sum - less) / fabs(sum));
    }
    return status;
}

static enum kn_status find_values(struct run *r)
{
    double *sums = calloc(DERIVATIVE_POINTS * r->count + 1, sizeof *sums);
    enum kn_status status = sums ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; i < r->values.count && status == KN_OK; i++)
        status = setup_is_stopped(r->setup) ? KN_INTERRUPTED : differentiate(r, i, sums);
    free(sums);
    return status;
}

/* ---- tables ---- */

static enum kn_status write_table(const struct run *r, const struct response *m, bool normalised, struct kn_sink *sink)
{
    char plot[300];
    const size_t all = r->values.count;
    struct kn_column *columns = calloc(all + 1, sizeof *columns);
    double *row = calloc(all + 1, sizeof *row);
    enum kn_status status = columns && row ? KN_OK : KN_ERROR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < all && status == KN_OK; i++) {
        const struct value *v = &r->values.list[i];
        if (!r->there[i] || !(v->given || m->found[i] != 0))
            continue;
        columns[count] = (struct kn_column){v->name, KN_OTHER};
        row[count++] = m->found[i] * (normalised ? v->number / 100 : 1);
    }
    snprintf(plot, sizeof plot, "Sensitivity Analysis of %s%s", r->setup->circuit->measures[m->number].name,
             normalised ? ", per percent" : "");
    if (status == KN_OK)
        status = analysis_one_row(r->setup, plot, columns, count, row, sink);
    free(columns);
    free(row);
    return status;
}

static enum kn_status find(struct run *r, struct analysis_summary *summary)
{
    enum kn_status status = read_card(r->setup, r->card, r->list);
    if (status == KN_OK)
        status = start(r, summary);
    if (status == KN_OK)
        status = follow_time(r, summary);
    if (status == KN_OK)
        status = close_stages(r, summary);
    if (status == KN_OK)
        status = values_find(&r->values, r->setup->circuit, false, NULL, 0);
    if (status == KN_OK)
        status = derivative_init(&r->derivative, r->setup->mna, r->x, 0);
    if (status == KN_OK && r->request->uic)
        status = moving_start_init(&r->beside, r->setup, r->request->stop);
    if (status == KN_OK && !(r->there = calloc(r->values.count + 1, sizeof *r->there)))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = find_responses(r);
    return status == KN_OK ? find_values(r) : status;
}

static void release(struct run *r)
{
    for (size_t i = 0; r->list && i < r->count; i++) {
        double *const all[] = {r->list[i].gradient.equations,
                               r->list[i].gradient.charges,
                               r->list[i].gradient.start,
                               r->list[i].start,
                               r->list[i].given,
                               r->list[i].found};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            free(all[k]);
    }
    free(r->list);
    free(r->there);
    free(r->results);
    free(r->x);
    free(r->rest);
    derivative_free(&r->derivative);
    moving_start_free(&r->beside);
    values_free(&r->values);
    orbit_free(&r->orbit);
    orbit_record_free(&r->record);
    measure_free(r->measurements);
    reader_free(&r->reader);
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    const struct analysis_card *card = analysis_card(s->circuit, ".sens", number);
    struct run r = {.setup = s,
                    .card = card,
                    .request = s->circuit->transients,
                    .count = card->setting_count > 0 ? card->setting_count - 1 : 0};
    r.list = calloc(r.count + 1, sizeof *r.list);
    enum kn_status status = r.list ? find(&r, summary) : KN_ERROR_MEMORY;
    for (size_t i = 0; i < r.count && status == KN_OK; i++) {
        status = write_table(&r, &r.list[i], false, sink);
        if (status == KN_OK)
            status = write_table(&r, &r.list[i], true, sink);
        summary->rows += 1;
    }
    summary->method = "adjoint";
    summary->unknowns = s->mna ? mna_unknown_count(s->mna) : 0;
    release(&r);
    return status;
}

const struct analysis analysis_measure_sensitivity = {
    .card = ".sens",
    .doc = "how results of .measure tran change with each value of the circuit: .sens tran name ..",
    .count = count,
    .check = check,
    .run = run,
};
