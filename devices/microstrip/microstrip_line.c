/* microstrip_line.c - O with a model of type mlin: a strip over a ground plane, or a mode of two equal ones.
 *
 * In runs and at rest the impedance and delay that it has at low frequencies, without losses, as the waves of wave_line.h; with
 * tranmodel=0, ngspice's default, runs take it for a wire.  Small signals see all that depends on the frequency:
 *
 *     v1 - Z i1 = e^(-gamma l) (v2 + Z i2),     v2 - Z i2 = e^(-gamma l) (v1 + Z i1).
 */
#include "devices/families.h"
#include "devices/linear/wave_line.h"
#include "devices/microstrip/microstrip_card.h"
#include "devices/model_cards.h"
#include "devices/noise.h"

#include <float.h>
#include <math.h>

enum { MODEL_LENGTH = STRIP_ROWS, MODEL_RUNS, MODEL_GAP, MODEL_MODE, MODEL_ROWS };

static const struct parameter_info instance_rows[] = {
    {"m", "", 1, DBL_MIN, INFINITY, "number of lines in parallel", NULL},
};

static const struct parameter_info model_rows[MODEL_ROWS] = {
    STRIP_TABLE,
    [MODEL_LENGTH] = {"l", "m", 0.01, DBL_MIN, INFINITY, "length", NULL},
    [MODEL_RUNS] = {"tranmodel", "", 0, 0, 1, "runs: 0: take it for a wire, 1: delay its waves", NULL},
    [MODEL_GAP] = {"s", "m", 0.001, DBL_MIN, INFINITY, "gap to an equal strip, with mode", NULL},
    [MODEL_MODE] = {"mode", "", 0, 0, 2, "0: a strip alone; of two of them 1: the even, 2: the odd mode", NULL},
};

static const struct model_type types[] = {{"mlin", NULL, "ngspice's name"}, {NULL, NULL, NULL}};

struct strip {
    struct microstrip shape;
    struct microstrip_rest rest;
    double length, lines, kelvin;
};

/* The noise of its ports moving alike, or against each other. */
struct strip_noise {
    const struct strip *strip;
    bool odd;
};

struct strip_batch {
    struct wave_lines of; /* first */
    struct model_cards cards;
    struct strip *strips;           /* [count] */
    struct strip_noise (*noise)[2]; /* [count] */
};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct strip_batch *b = batch;
    struct arena *arena = b->of.base.arena;
    b->strips = arena_array(arena, in->count + 1, sizeof *b->strips);
    b->noise = arena_array(arena, in->count + 1, sizeof *b->noise);
    const enum kn_status status = b->strips && b->noise ? wave_lines_fill(batch, in) : KN_ERROR_MEMORY;
    return status == KN_OK ? model_cards_read(in, arena, &b->cards) : status;
}

static void warn_of_wire(const struct device_input *in, const struct element *e)
{
    diagnostics_add(in->diagnostics, KN_WARNING, "no-delay", e->model->where, "tranmodel=1 delays its waves",
                    "model '%s': .tran takes it for a wire, as tranmodel=0 does in ngspice", e->model->name);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct strip_batch *b = batch;
    struct wave_line *l = &b->of.lines[k];
    struct strip *s = &b->strips[k];
    const struct element *e = in->elements[k];
    const size_t card = model_cards_find(&b->cards, e->model);
    const double *v = model_card_values(&b->cards, card);
    bool given;
    l->element = e;
    if (!element_parameters_read(e, in->diagnostics, &s->lines, &given) ||
        strip_card_read(&s->shape, v, (enum microstrip_mode)v[MODEL_MODE], e->model, in->diagnostics) != KN_OK)
        return KN_ERROR_DECK;
    s->shape.gap = v[MODEL_GAP];
    s->rest = microstrip_at_rest(&s->shape);
    s->length = v[MODEL_LENGTH];
    if (!(s->rest.impedance > 0) || !(s->rest.permittivity > 0) || !isfinite(s->rest.impedance))
        return strip_card_fail(e->model, in->diagnostics, "the formulas give it no impedance");
    l->impedance = s->rest.impedance / s->lines;
    l->delay = s->length * sqrt(s->rest.permittivity) / MICROSTRIP_LIGHT;
    l->prompt = v[MODEL_RUNS] == 0;
    if (l->prompt && in->circuit->transient_count > 0 && !model_card_given(&b->cards, card)[MODEL_RUNS] &&
        s->shape.mode != STRIP_ODD) /* said once of a pair */
        warn_of_wire(in, e);
    for (int odd = 0; odd < 2; odd++)
        b->noise[k][odd] = (struct strip_noise){s, odd};
    wave_line_begin(&b->of, l);
    return KN_OK;
}

static void prepare(void *batch, size_t k, double temperature)
{
    ((struct strip_batch *)batch)->strips[k].kelvin = temperature + DEVICE_KELVIN;
}

/* ---- small signals ---- */

/* Impedance and what is left of a wave at the other end, with their derivatives by w (1/s). */
struct strip_signal {
    double complex impedance, left, impedance_slope, left_slope;
};

/* At no frequency there are no losses, whose derivative the skin effect makes infinite there. */
static struct strip_signal signal_at(const struct strip *s, double w)
{
    const double f = w / (2 * M_PI), tiny = 1e-30;
    const double late = s->length * sqrt(s->rest.permittivity) / MICROSTRIP_LIGHT;
    if (!(w > 0))
        return (struct strip_signal){s->rest.impedance / s->lines, 1, 0, -_Complex_I * late};
    const struct microstrip_wave at = microstrip_at(&s->shape, &s->rest, f + _Complex_I * (tiny * f));
    const double complex gone = s->length * (creal(at.attenuation) + _Complex_I * creal(at.phase));
    const double complex slope = s->length * (cimag(at.attenuation) + _Complex_I * cimag(at.phase)) / (tiny * w);
    const double complex left = cexp(-gone);
    return (struct strip_signal){creal(at.impedance) / s->lines, left, cimag(at.impedance) / (tiny * w) / s->lines,
                                 -slope * left};
}

/* In place of the waves at rest, which are in G. */
static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct strip_batch *b = batch;
    for (size_t k = 0; k < b->of.base.count; k++) {
        const struct wave_line *l = &b->of.lines[k];
        const struct strip_signal s = signal_at(&b->strips[k], w);
        const double complex slope = s.left_slope * s.impedance + s.left * s.impedance_slope;
        for (int p = 0; p < 2; p++) {
            const struct wave_port *port = &l->ports[p];
            A[port->own_slot] += l->impedance - s.impedance;
            A[port->far_slots[0]] += 1 - s.left;
            A[port->far_slots[1]] -= 1 - s.left;
            A[port->far_slots[2]] += l->impedance - s.left * s.impedance;
            dAdw[port->own_slot] -= s.impedance_slope;
            dAdw[port->far_slots[0]] -= s.left_slope;
            dAdw[port->far_slots[1]] += s.left_slope;
            dAdw[port->far_slots[2]] -= slope;
        }
    }
}

/* Half the line, open or shorted in the middle: tanh(gamma l/2)/Z, coth(gamma l/2)/Z. */
static double conductance_at(const void *of, double frequency)
{
    const struct strip_noise *n = of;
    const struct strip_signal s = signal_at(n->strip, 2 * M_PI * frequency);
    const double complex even = (1 - s.left) / (1 + s.left);
    return creal((n->odd ? 1 / even : even) / s.impedance);
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct strip_batch *b = batch;
    const struct wave_port *ports = b->of.lines[k].ports;
    const int ends[4] = {ports[0].plus, ports[0].minus, ports[1].plus, ports[1].minus};
    (void)at;
    return noise_add_two_port(list, b->of.lines[k].element, ends, b->strips[k].kelvin, conductance_at,
                              (const void *const[2]){&b->noise[k][0], &b->noise[k][1]});
}

const struct device_class microstrip_line_class = {
    .kind =
        {
            ELEMENT_KIND('o', "microstrip line", "a+ a- b+ b-", "model", CARD_MODEL),
            .sets_voltage = true,
            .instance = {instance_rows, 1, NULL},
            .model = {model_rows, MODEL_ROWS, NULL},
            .types = types,
        },
    FILLED_BATCH(struct strip_batch, fill),
    .make = make,
    WAVE_LINE_FUNCTIONS,
    .delay = delay,
    .prepare = prepare,
    .noise = noise,
};
