/* operator.c - y = H x of an expression x, an unknown of its own: what formulas need for ddt( ), idt( ), delay( ), LAPLACE
 * and their like.  See network.h for its equations.
 *
 * The output is the voltage of a node that nothing else is connected to, so that its row is free for the equation; the
 * other unknowns are internal nodes.  A delay is a look into the past (wave_past.h): steps may not exceed it, and what is
 * late arrives with its corners; at the operating point it is no delay.  A table of frequencies takes the same place, and
 * so does a formula of s that is no ratio of polynomials; where there are waveforms, sections follow them (waveform_response.h),
 * and small signals see the table and the formula in their place.
 */
#include "devices/behavioural/network.h"
#include "devices/behavioural/waveform_response.h"
#include "devices/families.h"
#include "devices/law_batch.h"
#include "devices/linear/wave_past.h"
#include "netlist/expression/expression_phasor.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct operator
{
    const struct element *element;
    const struct response *response;
    struct network network;
    struct law *argument, *rate; /* NULL: none */
    int *unknowns;               /* [network.unknown_count + 1] */
    int *slots;                  /* [network.entry_count] */
    int delayed_slot, argument_slot;
    struct wave_past past;
    double gain;              /* at rest, of what follows its input at once; 0 where it has none */
    struct phasor *workspace; /* of a formula of s; NULL: none */
};

struct operator_batch {
    struct law_batch laws;
    struct operator* operators;
    double span; /* s */
    bool delays;
};

/* ---- set-up ---- */

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct operator_batch *b = batch;
    const double longest = circuit_longest_run(in->circuit);
    b->span = longest > 0 ? longest : 1;
    b->operators = arena_array(b->laws.base.arena, in->count + 1, sizeof *b->operators);
    return b->operators && law_batch_init(&b->laws, 2 * in->count) ? KN_OK : KN_ERROR_MEMORY;
}

static double complex gain_of(const struct operator* o, double w, double complex *slope)
{
    return frequency_response(o->response, w, o->workspace, slope);
}

/* Whether the equation of its output is more than the entries of its network. */
static bool is_late(const struct operator* o)
{
    return o->network.delayed && !(response_is_followed(o->response) && !(response_lateness(o->response) > 0));
}

/* ---- what is told for frequencies ---- */

KN_PRINTF(5, 6)
static void say(const struct operator* o, const struct device_input *in, enum kn_severity severity, const char *hint,
                const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    diagnostics_add(in->diagnostics, severity, severity == KN_ERROR ? "no-waveform" : "frequency", o->element->where,
                    hint, "'%.*s': %s", (int)strcspn(o->element->name, "#"), o->element->name, text);
}

/* From a tenth of what a run has time for, to what happens within a millionth of it or a tenth of its step, but not more than
 * nine decades; without a run as wide as circuits are. */
static struct frequency_band band_of(const struct circuit *c)
{
    const double span = circuit_longest_run(c);
    double step = span * 1e-5;
    for (size_t i = 0; i < c->transient_count; i++)
        if (c->transients[i].step > 0)
            step = fmin(step, c->transients[i].step);
    return span > 0
               ? (struct frequency_band){RESPONSE_TWO_PI * 0.1 / span, RESPONSE_TWO_PI * 10 / fmax(step, span * 1e-8)}
               : (struct frequency_band){RESPONSE_TWO_PI * 1e-3, RESPONSE_TWO_PI * 1e12};
}

static bool judge(const struct operator* o, const struct device_input *in, const struct waveform_fit *fit)
{
    const bool table = o->response->table;
    const char *const what =
        table ? "its table of frequencies (FREQ)" : "its transfer function, which is no ratio of polynomials of s,";
    if (fit->is_far) {
        say(o, in, KN_ERROR,
            table ? "write the phases of a part that can be built (a low-pass is late, its phase falls), more rows, or "
                    "DELAY= some time; or leave .tran out"
                  : "write a ratio of polynomials of s, times exp(-s*td) where it is late, that is near it where it "
                    "matters, or sums of delays as formulas, V(in)-delay(V(in),1m); or leave .tran out",
            "%s has no waveform that is near: what follows it best and answers after its input only is off by %.2g %% "
            "of the largest gain at %.3g Hz",
            what, 100 * fit->between, fit->frequency);
        return false;
    }
    if (fit->is_off && table)
        say(o, in, KN_WARNING,
            "rows at 0 Hz, where it bends and where it has resonances, from the same measurement, are followed nearer",
            "in time %s is followed within %.2g %% of the largest gain at its rows and %.2g %% between them, worst at "
            "%.3g Hz",
            what, 100 * fit->deviation, 100 * fit->between, fit->frequency);
    else if (fit->is_off)
        say(o, in, KN_WARNING, NULL, "in time %s is followed within %.2g %% of its largest gain, worst at %.3g Hz",
            what, 100 * fit->between, fit->frequency);
    return true;
}

/* The same table and delay have the same sections. */
static bool is_same_table(const struct response *a, const struct response *b)
{
    const struct frequency_table *s = a->table, *t = b->table;
    const size_t size = s && t ? s->count * sizeof *s->frequency : 0;
    return s && t && s->count == t->count && a->delay == b->delay && memcmp(s->frequency, t->frequency, size) == 0 &&
           memcmp(s->decibel, t->decibel, size) == 0 && memcmp(s->phase, t->phase, size) == 0;
}

static const struct response *followed_before(const struct operator_batch *b, const struct operator* o)
{
    for (const struct operator* before = b->operators; before < o; before++)
        if (response_is_followed(before->response) && is_same_table(before->response, o->response))
            return before->response;
    return NULL;
}

static enum kn_status follow(const struct operator_batch *b, struct operator* o, const struct device_input *in)
{
    struct response *followed;
    struct waveform_fit fit;
    const struct response *before = followed_before(b, o);
    if (before) {
        o->response = before;
        return KN_OK;
    }
    if (o->response->table && o->response->table->count < 2) {
        say(o, in, KN_ERROR, "give it more rows, or leave .tran out", "a table of one frequency has no waveform");
        return KN_ERROR_DECK;
    }
    if (!(followed = arena_alloc(b->laws.base.arena, sizeof *followed)))
        return KN_ERROR_MEMORY;
    const struct waveform_use use = {band_of(in->circuit), circuit_is_periodic(in->circuit)};
    const enum kn_status status = waveform_response(o->response, &use, b->laws.base.arena, followed, &fit);
    o->response = followed;
    return status == KN_OK && !judge(o, in, &fit) ? KN_ERROR_DECK : status;
}

static double gain_at_rest(const struct operator* o)
{
    double complex slope;
    if (response_is_followed(o->response))
        return 1;
    const double gain = creal(gain_of(o, 0, &slope));
    return isfinite(gain) ? gain : 0;
}

static enum kn_status prepare_response(const struct operator_batch *b, struct operator* o,
                                       const struct device_input *in)
{
    double complex slope;
    if (!response_is_of_frequencies(o->response))
        return KN_OK;
    if (!isfinite(creal(gain_of(o, 0, &slope))))
        say(o, in, KN_WARNING, "write s+1 for s, or another small number, so that it has a gain at rest",
            "the transfer function has no finite value at s = 0; at rest it gives 0");
    return circuit_runs_in_time(in->circuit) ? follow(b, o, in) : KN_OK;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct operator_batch *b = batch;
    struct operator* o = & b->operators[k];
    struct arena *arena = b->laws.base.arena;
    o->element = in->elements[k];
    o->response = o->element->response;
    o->workspace = o->response->of_s
                       ? arena_array(arena, expression_workspace(o->response->of_s) + 1, sizeof *o->workspace)
                       : NULL;
    if (o->response->of_s && !o->workspace)
        return KN_ERROR_MEMORY;
    const enum kn_status status = prepare_response(b, o, in);
    if (status != KN_OK)
        return status;
    o->gain = gain_at_rest(o);
    if (!network_make(&o->network, o->response, b->span, arena))
        return KN_ERROR_MEMORY;
    wave_past_init(&o->past, response_lateness(o->response), NULL);
    b->delays = b->delays || is_late(o);
    o->unknowns = arena_array(arena, (size_t)o->network.unknown_count + 1, sizeof *o->unknowns);
    o->slots = arena_array(arena, o->network.entry_count + 1, sizeof *o->slots);
    o->argument = o->network.argument_row ? law_batch_add(&b->laws, o->element, false) : NULL;
    o->rate = o->network.rate_row ? law_batch_add(&b->laws, o->element, true) : NULL;
    const bool good =
        o->unknowns && o->slots && (o->argument || !o->network.argument_row) && (o->rate || !o->network.rate_row);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

static void release(void *batch)
{
    struct operator_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count && b->operators; k++)
        wave_history_free(&b->operators[k].past.history);
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct operator* o = &((struct operator_batch *)batch)->operators[k];
    o->unknowns[1] = setup_node(s, o->element->nodes[0]);
    for (int i = 2; i <= o->network.unknown_count; i++) {
        char part[16];
        snprintf(part, sizeof part, "%d", i - 1);
        if ((o->unknowns[i] = setup_internal_node(s, o->element, part)) < 0)
            return false;
    }
    return true;
}

/* Whether the argument is made of currents alone. */
static bool is_of_currents(const struct expression *e)
{
    const size_t count = expression_variable_count(e);
    for (size_t i = 0; i < count; i++)
        if (expression_variables(e)[i].kind != EXPRESSION_BRANCH_CURRENT)
            return false;
    return count > 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct operator_batch *b = batch;
    struct operator* o = & b->operators[k];
    const struct network *n = &o->network;
    const enum unknown_kind kind = is_of_currents(o->element->expression) ? UNKNOWN_CURRENT : UNKNOWN_VOLTAGE;
    bool good = true;
    for (int i = 1; i <= n->unknown_count; i++)
        setup_signal(s, o->unknowns[i], kind, n->unknowns[i].scale, n->unknowns[i].row_scale);
    for (size_t i = 0; i < n->entry_count && good; i++)
        good = setup_entry(s, o->unknowns[n->entries[i].row], o->unknowns[n->entries[i].column], &o->slots[i]);
    if (good && n->delayed)
        good = setup_entry(s, o->unknowns[1], o->unknowns[n->delayed], &o->delayed_slot);
    if (good && response_is_followed(o->response))
        good = setup_entry(s, o->unknowns[1], o->unknowns[n->argument], &o->argument_slot);
    struct kn_diagnostics *d = b->laws.base.diagnostics;
    return good && (!o->argument || law_connect(o->argument, s, d, o->unknowns[n->argument_row], 0)) &&
           (!o->rate || law_connect(o->rate, s, d, o->unknowns[n->rate_row], 0));
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct operator* o = &((struct operator_batch *)batch)->operators[k];
    if (o->argument)
        law_prepare(o->argument, temperature, -o->network.argument_factor);
    if (o->rate)
        law_prepare(o->rate, temperature, -o->network.rate_factor);
}

/* ---- equations ---- */

static void stamp(const void *batch, double *G, double *C)
{
    const struct operator_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        const struct operator* o = & b->operators[k];
        for (size_t i = 0; i < o->network.entry_count; i++)
            (o->network.entries[i].rate ? C : G)[o->slots[i]] += o->network.entries[i].value;
        if (o->argument)
            law_stamp(o->argument, G, C);
        if (o->rate)
            law_stamp(o->rate, G, C);
    }
}

static void eval_prompt(const struct operator* o, const struct device_point *at, const struct device_stamp *out)
{
    if (at->what & EVALUATE_F)
        out->f[o->unknowns[1]] -= o->gain * at->x[o->unknowns[o->network.delayed]];
    if (at->what & EVALUATE_G)
        out->G[o->delayed_slot] -= o->gain;
}

static void eval_late(struct operator* o, const struct device_point *at, const struct device_stamp *out)
{
    wave_past_look(&o->past, at->when);
    if (at->what & EVALUATE_F)
        out->f[o->unknowns[1]] -= o->past.wave[0];
    if (at->what & EVALUATE_T)
        out->dfdt[o->unknowns[1]] -= o->past.rate[0];
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct operator_batch *b = batch;
    law_batch_eval(batch, at, out);
    for (size_t k = 0; k < b->laws.base.count && b->delays; k++) {
        struct operator* o = & b->operators[k];
        if (!is_late(o))
            continue;
        if (o->past.begun && !isinf(at->when.time))
            eval_late(o, at, out);
        else
            eval_prompt(o, at, out);
    }
}

static bool nonlinear(const void *batch)
{
    return ((const struct operator_batch *)batch)->delays || law_batch_nonlinear(batch);
}

/* At 0 Hz an integral is what it is at rest: its equation says that it does not change. */
static void hold(const struct operator* o, double complex *A)
{
    for (size_t i = 0; i < o->network.entry_count; i++) {
        const struct network_entry *e = &o->network.entries[i];
        if (e->row == 1)
            A[o->slots[i]] += e->rate ? 1.0 : -e->value;
    }
}

/* A phasor is late by e^(-j w td); eval_prompt has put it in without.  Of what sections follow the argument itself counts. */
static void delay_one(const struct operator* o, double w, double complex *A, double complex *dAdw)
{
    double complex slope;
    const double td = o->response->delay;
    const double complex late = cexp(-_Complex_I * w * td), H = gain_of(o, w, &slope);
    const bool followed = response_is_followed(o->response);
    const int slot = followed ? o->argument_slot : o->delayed_slot;
    A[o->delayed_slot] += o->gain;
    A[slot] -= H * late;
    dAdw[slot] -= (slope - _Complex_I * td * H) * late;
}

static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct operator_batch *b = batch;
    law_batch_delay(batch, w, A, dAdw);
    for (size_t k = 0; k < b->laws.base.count; k++) {
        const struct operator* o = & b->operators[k];
        if (o->response->held && w == 0.0)
            hold(o, A);
        if (o->network.delayed)
            delay_one(o, w, A, dAdw);
    }
}

/* ---- the past ---- */

static void remembered(const void *batch, bool *unknowns)
{
    const struct operator_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        const struct operator* o = & b->operators[k];
        if (is_late(o))
            unknowns[o->unknowns[o->network.delayed]] = true;
    }
}

static void begin(void *batch, struct instant when, const double *x)
{
    struct operator_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        struct operator* o = & b->operators[k];
        const double wave[2] = {x[o->unknowns[o->network.delayed]], 0};
        if (response_lateness(o->response) > 0)
            wave_past_begin(&o->past, when.time, wave);
    }
}

static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    const bool restart = how == ACCEPT_RESTART;
    struct operator_batch *b = batch;
    struct wave_sample s = {.time = when.time, .order = order};
    struct wave_arrival a = {0};
    for (size_t k = 0; k < b->laws.base.count; k++)
        wave_history_arrival(&b->operators[k].past.history, when, &a);
    const bool corner = restart && wave_arrival_is_corner(&a, &s);
    for (size_t k = 0; k < b->laws.base.count; k++) {
        struct operator* o = & b->operators[k];
        s.wave[0] = x[o->unknowns[o->network.delayed]];
        s.corner = corner;
        if (response_lateness(o->response) > 0 && !wave_past_accept(&o->past, s, restart, NULL))
            return false;
    }
    return true;
}

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    return wave_past_keep(&((const struct operator_batch *)batch)->operators[k].past, arena);
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    return wave_past_recall(&((struct operator_batch *)batch)->operators[k].past, kept);
}

static double next_breakpoint(const void *batch, double over)
{
    const struct operator_batch *b = batch;
    double next = law_batch_next_breakpoint(batch, over);
    for (size_t k = 0; k < b->laws.base.count; k++)
        next = fmin(next, wave_history_next_arrival(&b->operators[k].past.history, over));
    return next;
}

static double largest_step(const void *batch)
{
    const struct operator_batch *b = batch;
    double step = INFINITY;
    for (size_t k = 0; k < b->laws.base.count; k++)
        if (response_lateness(b->operators[k].response) > 0)
            step = fmin(step, response_lateness(b->operators[k].response));
    return step;
}

/* ---- what others see ---- */

static bool add_entry_branch(const struct operator* o, const struct network_entry *entry, struct branch_list *list)
{
    const struct branch row = {
        .plus = o->unknowns[entry->row], .element = o->element, .held = entry->rate && o->response->held};
    return branch_add_entry(list, &row, o->unknowns[entry->column], entry->value, entry->rate);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct operator* o = &((const struct operator_batch *)batch)->operators[k];
    const struct network *n = &o->network;
    const struct branch argument = {.kind = BRANCH_I, .minus = o->unknowns[n->argument_row]};
    const struct branch rate = {.kind = BRANCH_C, .minus = o->unknowns[n->rate_row]};
    bool good = (!o->argument || law_add_branch(o->argument, &argument, list)) &&
                (!o->rate || law_add_branch(o->rate, &rate, list));
    for (size_t i = 0; i < n->entry_count && good; i++)
        good = add_entry_branch(o, &n->entries[i], list);
    return good;
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct operator* o = &((const struct operator_batch *)batch)->operators[k];
    const struct initial_value held = {.kind = INITIAL_VOLTAGE,
                                       .plus = o->unknowns[1],
                                       .value = o->response->rest,
                                       .element = o->element,
                                       .stored = true,
                                       .held = true};
    return !o->response->held || initial_add(list, &held);
}

/* Its output, for those who ask how large the terms of its equations are. */
static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct operator* o = &((const struct operator_batch *)batch)->operators[k];
    return terminal == 0 ? at->x[o->unknowns[1]] : 0.0;
}

const struct device_class operator_class = {
    .kind =
        {
            ELEMENT_KIND(KIND_OPERATOR, "operator", NULL, "made by ddt(), idt(), delay() and LAPLACE in formulas",
                         CARD_SETTINGS),
            .law = LAW_CURRENT,
        },
    BATCH_OF(struct operator_batch),
    .release = release,
    USUAL_FUNCTIONS,
    DELAY_FUNCTIONS,
    .begin = begin,
    MEMORY_FUNCTIONS,
    .prepare = prepare,
    .force = law_batch_force,
    .force_rate = law_batch_force_rate,
    LAW_SWITCH_FUNCTIONS,
    .initial = initial,
};
