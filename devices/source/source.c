/* source.c - V and I: independent sources.
 *
 * SPICE's sign: the current of V flows into its first node, through the source, out of the second; I drives its current
 * from its first node through itself to the second.
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/outside.h"
#include "devices/source/smooth_waveform.h"
#include "devices/source/waveform.h"

#include <float.h>
#include <math.h>

enum { ROW_M, ROWS };

static const struct parameter_info current_rows[] = {
    {"m", "", 1.0, DBL_MIN, INFINITY, "number of sources in parallel", NULL},
};

struct source_instance {
    const struct element *element;
    struct signal signal;
    const struct outside *outside; /* who gives its values; NULL: nobody */
    bool has_dc;
    double dc;     /* V or A: that of the element, until another is set */
    double factor; /* m of current sources */
    double ramp;   /* s, in which it rises from 0: circuit->startup */
    struct {
        struct instant when;
        double value;
    } latest; /* of the signal: Newton's method asks for the same instant again */
    int plus, minus;
    int current; /* V: own current */
    struct incidence incidence;
};

struct source_batch {
    struct batch base;
    struct source_instance *sources;
};

static void set_outside(void *batch, const struct outside *o)
{
    struct source_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        b->sources[k].outside = b->sources[k].element->source.wave.kind == WAVEFORM_EXTERNAL ? o : NULL;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct source_batch *b = batch;
    b->sources = arena_array(b->base.arena, in->count + 1, sizeof *b->sources);
    return b->sources ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct source_batch *b = batch;
    struct source_instance *v = &b->sources[k];
    const struct element *e = in->elements[k];
    const struct owner owner = {e->kind->noun, e->name};
    double values[ROWS] = {[ROW_M] = 1.0}; /* a voltage source has no m */
    bool given[ROWS];
    v->element = e;
    v->has_dc = e->source.has_dc;
    v->dc = e->source.dc;
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return KN_ERROR_DECK;
    v->factor = values[ROW_M];
    v->latest.when = instant_at(NAN);
    v->ramp = in->circuit->startup;
    const struct waveform_scale scale = waveform_scale_of(in->circuit);
    return signal_make(&v->signal, &e->source.wave, scale, owner, b->base.arena, in->diagnostics);
}

static double risen(const struct source_instance *v, double time)
{
    return v->ramp > 0 ? fmin(time / v->ramp, 1) : 1;
}

/* Random waveforms are added to the DC value. */
static bool is_random(const struct source_instance *v)
{
    const enum waveform_kind kind = v->element->source.wave.kind;
    return kind == WAVEFORM_NOISE || kind == WAVEFORM_RANDOM;
}

static double signal_at(struct source_instance *v, struct instant when)
{
    if (when.time != v->latest.when.time || when.over != v->latest.when.over) {
        v->latest.when = when;
        v->latest.value = signal_value(&v->signal, when);
    }
    return v->latest.value;
}

/* The transient function where there is one; at time -INFINITY (.op) the DC value, if given. */
static double waveform(struct source_instance *v, struct instant when)
{
    const bool is_dc = isinf(when.time);
    const enum waveform_kind kind = v->element->source.wave.kind;
    if (kind == WAVEFORM_NONE || (is_dc && v->has_dc) || (kind == WAVEFORM_EXTERNAL && !v->outside))
        return v->dc;
    if (v->outside)
        return outside_value(v->outside, v->element, when);
    return signal_at(v, is_dc ? instant_at(0.0) : when) + (is_random(v) ? v->dc : 0.0);
}

static double value(struct source_instance *v, struct instant when)
{
    return v->factor * waveform(v, when) * (isinf(when.time) ? 1.0 : risen(v, when.time));
}

static void set_dc(void *batch, size_t k, double dc)
{
    struct source_instance *v = &((struct source_batch *)batch)->sources[k];
    v->has_dc = true;
    v->dc = dc;
}

static double rate(struct source_instance *v, struct instant when)
{
    if (isinf(when.time))
        return 0.0;
    const double rising = when.time < v->ramp ? waveform(v, when) / v->ramp : 0.0;
    const double own = v->outside ? outside_rate(v->outside, v->element, when) : signal_rate(&v->signal, when);
    return v->factor * (risen(v, when.time) * own + rising);
}

static double next_breakpoint(const void *batch, double over)
{
    const struct source_batch *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        next = fmin(next, signal_next_corner(&b->sources[k].signal, over));
    const double ramp = b->base.count > 0 ? b->sources[0].ramp : 0;
    return ramp > over ? fmin(next, ramp) : next;
}

static double next_quarter(void *batch, double time, double relative, double *period)
{
    const struct source_batch *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct signal *s = &b->sources[k].signal;
        next = fmin(next, smooth_next_quarter(s->kind, s->parameters, time, relative, period));
    }
    return next;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct source_instance *v = &((struct source_batch *)batch)->sources[k];
    v->plus = setup_node(s, v->element->nodes[0]);
    v->minus = setup_node(s, v->element->nodes[1]);
    return true;
}

static bool add_branch(const void *batch, size_t k, enum branch_kind kind, struct branch_list *list)
{
    const struct source_instance *v = &((const struct source_batch *)batch)->sources[k];
    const struct branch branch = {.kind = kind,
                                  .plus = v->plus,
                                  .minus = v->minus,
                                  .element = v->element,
                                  .role = ROLE_SOURCE,
                                  .current = v->current};
    return branch_add(list, &branch);
}

/* ---- voltage sources ---- */

static bool voltage_number(void *batch, size_t k, struct device_setup *s)
{
    struct source_instance *v = &((struct source_batch *)batch)->sources[k];
    return (v->current = setup_branch_current(s, v->element, NULL)) >= 0;
}

static bool voltage_connect(void *batch, size_t k, struct device_setup *s)
{
    struct source_instance *v = &((struct source_batch *)batch)->sources[k];
    return connect(batch, k, s) && incidence_connect(&v->incidence, s, v->plus, v->minus, v->current);
}

static void voltage_stamp(const void *batch, double *G, double *C)
{
    const struct source_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        incidence_stamp(&b->sources[k].incidence, G);
}

static void voltage_force(const void *batch, struct instant when, double source_scale, double *f)
{
    const struct source_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        f[b->sources[k].current] -= source_scale * value(&b->sources[k], when);
}

static void voltage_force_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    const struct source_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        dfdt[b->sources[k].current] -= source_scale * rate(&b->sources[k], when);
}

static double _Complex voltage_excite(const void *batch, size_t k, double _Complex value, double _Complex *B)
{
    const struct source_batch *b = batch;
    B[b->sources[k].current] += value;
    return value;
}

static bool voltage_branches(const void *batch, size_t k, struct branch_list *list)
{
    return add_branch(batch, k, BRANCH_V, list);
}

static double voltage_current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct source_batch *b = batch;
    const double i = at->x[b->sources[k].current];
    return terminal == 0 ? i : -i;
}

/* What both kinds have, `kind` before the names of what is their own. */
#define SOURCE_FUNCTIONS(kind)                                                                                         \
    BATCH_OF(struct source_batch), .force = kind##_force, .force_rate = kind##_force_rate, .excite = kind##_excite,    \
                                   .branches = kind##_branches, .current = kind##_current, .conducts_only = true,      \
                                   .set_dc = set_dc, .set_outside = set_outside, .next_breakpoint = next_breakpoint,   \
                                   .next_quarter = next_quarter

const struct device_class voltage_source_class = {
    .kind =
        {
            ELEMENT_KIND('v', "voltage source", "node node", "DC value, or a waveform: SIN(0 1 1k)", CARD_SOURCE),
            .sets_voltage = true,
            .sweep = "v(v-sweep)",
            .variable_hint = "use a B source instead: B1 a b V=..",
            .parasitics = PARASITIC_RSER | PARASITIC_CPAR,
        },
    SOURCE_FUNCTIONS(voltage),
    .number = voltage_number,
    .connect = voltage_connect,
    .stamp = voltage_stamp,
};

/* ---- current sources ---- */

static void current_force(const void *batch, struct instant when, double source_scale, double *f)
{
    const struct source_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const double i = source_scale * value(&b->sources[k], when);
        f[b->sources[k].plus] += i;
        f[b->sources[k].minus] -= i;
    }
}

static void current_force_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    const struct source_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const double i = source_scale * rate(&b->sources[k], when);
        dfdt[b->sources[k].plus] += i;
        dfdt[b->sources[k].minus] -= i;
    }
}

static double _Complex current_excite(const void *batch, size_t k, double _Complex value, double _Complex *B)
{
    const struct source_instance *v = &((const struct source_batch *)batch)->sources[k];
    const double _Complex whole = v->factor * value;
    B[v->plus] -= whole;
    B[v->minus] += whole;
    return whole;
}

static bool current_branches(const void *batch, size_t k, struct branch_list *list)
{
    return add_branch(batch, k, BRANCH_I, list);
}

static double current_current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct source_batch *b = batch;
    const double i = value(&b->sources[k], at->when);
    return terminal == 0 ? i : -i;
}

const struct device_class current_source_class = {
    .kind =
        {
            ELEMENT_KIND('i', "current source", "node node", "DC value, or a waveform: SIN(0 1 1k)", CARD_SOURCE),
            .sweep = "i(i-sweep)",
            .instance = {current_rows, ROWS, NULL},
            .variable_hint = "use a B source instead: B1 a b I=..",
        },
    SOURCE_FUNCTIONS(current),
    .connect = connect,
};
