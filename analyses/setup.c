/* setup.c - see setup.h. */
#include "analyses/setup.h"
#include "mna/start/past.h"

#include <math.h>
#include <stdlib.h>

const double SETUP_OPERATING_PART = 1e-3;
const double SETUP_OPERATING_TIME = -INFINITY;

struct setup setup_of(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d)
{
    return (struct setup){.circuit = c, .options = o, .diagnostics = d};
}

bool setup_is_stopped(void *setup)
{
    struct setup *s = setup;
    const struct analysis_options *o = s->options;
    if (!s->listens)
        return s->lost;
    s->stopped = s->stopped || (o->interrupted && o->interrupted(o->context));
    if (!s->stopped && !s->advances && o->progress)
        o->progress(o->context, s->sought - 1);
    return s->stopped;
}

/* Of the search of the operating point, which tells it as negative fractions. */
static void advance(void *setup, double part)
{
    struct setup *s = setup;
    s->sought = fmin(part, 1 - 1e-6);
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

static void forget_equations(struct setup *s)
{
    run_index_free(&s->index);
    topology_free(s->topology);
    mna_free(s->mna);
    free(s->operating);
    s->topology = NULL;
    s->mna = NULL;
    s->operating = NULL;
    s->used = false;
}

/* ---- sources whose values come from outside ---- */

static bool ask_partner(void *setup, const struct element *e, double time, double *value, double *rate)
{
    struct setup *s = setup;
    const struct kn_partner *p = s->options->partner;
    s->lost = s->lost || !p->source(p->context, e->name, time, value, rate);
    s->stopped |= s->lost;
    return !s->lost;
}

static const struct element *external_source(const struct circuit *c)
{
    for (size_t i = 0; i < c->element_count; i++)
        if (c->elements[i].kind->form == CARD_SOURCE && c->elements[i].source.wave.kind == WAVEFORM_EXTERNAL)
            return &c->elements[i];
    return NULL;
}

static enum kn_status connect_outside(struct setup *s)
{
    const struct element *e = external_source(s->circuit);
    if (!e)
        return KN_OK;
    const struct kn_partner *p = s->options->partner;
    if (!p || !p->source) {
        diagnostics_add(
            s->diagnostics, KN_ERROR, "external", e->source.wave.where,
            "give it a value or a waveform, SIN(0 1 1k); values from outside come from programs that use the "
            "library (docs/api.md)",
            "%s: its values are to come from outside, but nobody gives any", e->name);
        return KN_ERROR_DECK;
    }
    s->outside = (struct outside){s, ask_partner, circuit_longest_run(s->circuit)};
    mna_set_outside(s->mna, &s->outside);
    return KN_OK;
}

static enum kn_status make_equations(struct setup *s)
{
    struct mna_options options = analysis_tolerances(s->circuit, s->options);
    options.interrupted = setup_is_stopped;
    options.advanced = advance;
    options.context = s;
    enum kn_status status = mna_new(s->circuit, &options, s->diagnostics, &s->mna);
    if (status == KN_OK)
        status = connect_outside(s);
    if (status == KN_OK)
        status = topology_new(s->mna, &s->topology);
    return status;
}

/* LTspice runs circuits with parts that hang in the air, and says so; schematics of KiCad have such parts, too.  What is left to
 * choose there is a voltage. */
static enum kn_status tie_islands(struct setup *s)
{
    const unsigned such = DIALECT_BIT(DIALECT_LTSPICE) | DIALECT_BIT(DIALECT_KICAD);
    if (s->ties || !(such & DIALECT_BIT(s->circuit->dialect)) || !topology_can_tie_islands(s->topology))
        return KN_OK;
    s->ties = arena_new();
    struct circuit *tied = s->ties ? arena_array(s->ties, 1, sizeof *tied) : NULL;
    if (!tied)
        return KN_ERROR_MEMORY;
    const enum kn_status status = topology_tie_islands(s->topology, s->mna, s->diagnostics, s->ties, tied);
    if (status != KN_OK)
        return status;
    s->circuit = tied;
    forget_equations(s);
    return make_equations(s);
}

enum kn_status setup_open(struct setup *s)
{
    s->listens = true;
    s->advances = false;
    if (s->mna && !s->used)
        return KN_OK;
    forget_equations(s);
    enum kn_status status = make_equations(s);
    if (status == KN_OK)
        status = tie_islands(s);
    if (status == KN_OK)
        status = topology_report_defects(s->topology, s->mna, s->diagnostics);
    if (status == KN_OK)
        status = mna_set_inner(s->mna, &s->topology->list);
    return status == KN_OK ? run_index_init(&s->index, s->mna, s->topology, s->diagnostics) : status;
}

enum kn_status setup_operating_point(struct setup *s, struct analysis_summary *summary)
{
    enum kn_status status = setup_open(s);
    if (status != KN_OK)
        return status;
    summary->unknowns = mna_unknown_count(s->mna);
    if (s->operating)
        return KN_OK;
    double *x = calloc((size_t)mna_unknown_count(s->mna), sizeof *x);
    if (!x)
        return KN_ERROR_MEMORY;
    const struct operating_options op = {.relative = SETUP_OPERATING_PART * s->options->relative,
                                         .time = SETUP_OPERATING_TIME,
                                         .max_iterations = s->options->op_iterations};
    status = past_marked_operating_point(s->mna, s->topology, &op, s->diagnostics, x, &summary->operating);
    if (status == KN_OK)
        s->operating = x;
    else
        free(x);
    return status;
}

void setup_close(struct setup *s)
{
    forget_equations(s);
    arena_free(s->ties);
    s->ties = NULL;
    free(s->results);
    s->results = NULL;
}

double *setup_results(struct setup *s)
{
    const size_t count = s->circuit->measure_count;
    if (!s->results && (s->results = calloc(count + 1, sizeof *s->results)))
        for (size_t i = 0; i < count; i++)
            s->results[i] = NAN;
    return s->results;
}

struct measure_listener setup_listener(const struct setup *s)
{
    return (struct measure_listener){s->diagnostics, s->options->measured, s->options->context, NULL};
}

void setup_blame_formula(const struct setup *s, double reached)
{
    char fault[200];
    double time;
    const struct element *culprit = mna_describe_fault(s->mna, reached, &time, fault, sizeof fault);
    if (culprit)
        diagnostics_add(s->diagnostics, KN_ERROR, "formula-without-value", culprit->where,
                        "bound the argument, e.g. sqrt(max(x,0)), log(max(x,1e-9)), a/max(b,1e-9)",
                        "the formula of %s has no value at t = %.6g s: %s", culprit->name, time, fault);
}
