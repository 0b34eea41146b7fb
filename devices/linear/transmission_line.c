/* transmission_line.c - T: lossless line by the method of characteristics (Branin, Proc. IEEE 55 (1967) 2012).
 *
 * With currents i1, i2 into the ports, the wave w_k = v_k + z0 i_k that enters at one port leaves at the other one
 * delay later:
 *
 *     v1(t) - z0 i1(t) = w2(t - td),     v2(t) - z0 i2(t) = w1(t - td).
 *
 * The past comes from wave_history.c; steps may not exceed td, so that it is always known.  At the operating point (no
 * past yet, or time -INFINITY) the waves of the present take its place, which says v1 = v2, i1 = -i2; that state is
 * held before t = 0.  A run with uic starts with the waves of ic= instead, which are zero by default, as in SPICE.
 *
 * Corners that enter the line come out td later and become breakpoints there, as long as they are worth it.
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/linear/wave_past.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { ROW_Z0, ROW_TD, ROW_F, ROW_NL, ROW_V1, ROW_I1, ROW_V2, ROW_I2, ROW_M, ROWS };

static const struct parameter_info instance_rows[] = {
    {"z0", "ohm", 50.0, DBL_MIN, INFINITY, "characteristic impedance", "zo"},
    {"td", "s", 0.0, DBL_MIN, INFINITY, "delay", NULL},
    {"f", "Hz", 0.0, DBL_MIN, INFINITY, "frequency at which the line is nl wavelengths long (instead of td)", NULL},
    {"nl", "", 0.25, DBL_MIN, INFINITY, "length in wavelengths at f", NULL},
    {"ic", "V", 0.0, -INFINITY, INFINITY, "voltage of the first port before a run with uic (ic=v1,i1,v2,i2)", NULL},
    {"ic2", "A", 0.0, -INFINITY, INFINITY, "current into the first port, likewise", NULL},
    {"ic3", "V", 0.0, -INFINITY, INFINITY, "voltage of the second port, likewise", NULL},
    {"ic4", "A", 0.0, -INFINITY, INFINITY, "current into the second port, likewise", NULL},
    {"m", "", 1.0, DBL_MIN, INFINITY, "number of lines in parallel", NULL},
};

struct port {
    int plus, minus, current;
    struct incidence incidence;
    int own_slot;     /* (current, current) */
    int far_slots[3]; /* (current, plus) (current, minus) (current, current) of the other port */
};

struct line {
    const struct element *element;
    double impedance, delay;
    double told[2]; /* waves by ic= */
    struct port ports[2];
    struct wave_past past;
};

struct line_batch {
    struct batch base;
    struct line *lines;
    bool starts_as_told; /* uic */
};

static void release(void *batch)
{
    struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        wave_history_free(&b->lines[k].past.history);
}

static bool read_delay(struct line *l, const struct device_input *in, const double *values, const bool *given)
{
    const struct element *e = l->element;
    l->delay = given[ROW_TD] ? values[ROW_TD] : values[ROW_NL] / values[ROW_F];
    if (given[ROW_TD] && (given[ROW_F] || given[ROW_NL]))
        diagnostics_add(in->diagnostics, KN_WARNING, "parameter-twice", e->where, NULL,
                        "transmission line '%s' has td as well as f or nl; td counts", e->name);
    if (given[ROW_TD] || given[ROW_F])
        return true;
    diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where,
                    "write td=1n, or f= and nl=", "transmission line '%s' has no delay", e->name);
    return false;
}

static bool read_line(struct line *l, const struct device_input *in, double *values)
{
    const struct element *e = l->element;
    bool given[ROWS];
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return false;
    if (!given[ROW_Z0]) {
        diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where, "write z0=50",
                        "transmission line '%s' has no characteristic impedance", e->name);
        return false;
    }
    l->impedance = values[ROW_Z0];
    return read_delay(l, in, values, given);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct line_batch *b = batch;
    struct line *l = &b->lines[k];
    double values[ROWS];
    l->element = in->elements[k];
    if (!read_line(l, in, values))
        return KN_ERROR_DECK;
    l->told[0] = values[ROW_V1] + l->impedance * values[ROW_I1];
    l->told[1] = values[ROW_V2] + l->impedance * values[ROW_I2];
    l->impedance /= values[ROW_M]; /* of m lines in parallel; waves are voltages and stay */
    wave_past_init(&l->past, l->delay, b->starts_as_told ? l->told : NULL);
    return KN_OK;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct line_batch *b = batch;
    b->starts_as_told = in->circuit->transient_count > 0 && in->circuit->transients[0].uic;
    b->lines = arena_array(b->base.arena, in->count + 1, sizeof *b->lines);
    return b->lines ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- equations ---- */

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct line *l = &((struct line_batch *)batch)->lines[k];
    l->ports[0].current = setup_branch_current(s, l->element, "1");
    l->ports[1].current = setup_branch_current(s, l->element, "2");
    return l->ports[0].current >= 0 && l->ports[1].current >= 0;
}

static bool connect_port(struct port *own, const struct port *far, struct device_setup *s)
{
    return incidence_connect(&own->incidence, s, own->plus, own->minus, own->current) &&
           setup_entry(s, own->current, own->current, &own->own_slot) &&
           setup_entry(s, own->current, far->plus, &own->far_slots[0]) &&
           setup_entry(s, own->current, far->minus, &own->far_slots[1]) &&
           setup_entry(s, own->current, far->current, &own->far_slots[2]);
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct line *l = &((struct line_batch *)batch)->lines[k];
    for (int p = 0; p < 2; p++) {
        l->ports[p].plus = setup_node(s, l->element->nodes[2 * p]);
        l->ports[p].minus = setup_node(s, l->element->nodes[2 * p + 1]);
    }
    return connect_port(&l->ports[0], &l->ports[1], s) && connect_port(&l->ports[1], &l->ports[0], s);
}

/* The part that is the same in every state: v - z0 i of the own port. */
static void stamp(const void *batch, double *G, double *C)
{
    const struct line_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        for (int p = 0; p < 2; p++) {
            const struct port *port = &b->lines[k].ports[p];
            incidence_stamp(&port->incidence, G);
            G[port->own_slot] -= b->lines[k].impedance;
        }
}

static double wave_of(const struct line *l, int p, const double *x)
{
    const struct port *port = &l->ports[p];
    return x[port->plus] - x[port->minus] + l->impedance * x[port->current];
}

static void eval_static(const struct line *l, const struct device_point *at, const struct device_stamp *out)
{
    for (int p = 0; p < 2; p++) {
        const struct port *own = &l->ports[p];
        if (at->what & EVALUATE_F)
            out->f[own->current] -= wave_of(l, 1 - p, at->x);
        if (at->what & EVALUATE_G) {
            out->G[own->far_slots[0]] -= 1.0;
            out->G[own->far_slots[1]] += 1.0;
            out->G[own->far_slots[2]] -= l->impedance;
        }
    }
}

static void eval_delayed(struct line *l, const struct device_point *at, const struct device_stamp *out)
{
    wave_past_look(&l->past, at->when);
    for (int p = 0; p < 2; p++) {
        const int row = l->ports[p].current;
        if (at->what & EVALUATE_F)
            out->f[row] -= l->past.wave[1 - p];
        if (at->what & EVALUATE_T)
            out->dfdt[row] -= l->past.rate[1 - p];
    }
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        if (b->lines[k].past.begun && !isinf(at->when.time))
            eval_delayed(&b->lines[k], at, out);
        else
            eval_static(&b->lines[k], at, out);
    }
}

/* At the operating point waves arrive at once (eval_static); a phasor's are late by e^(-j w td). */
static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct line *l = &b->lines[k];
        const double complex late = cexp(-_Complex_I * w * l->delay);
        const double terms[3] = {-1.0, 1.0, -l->impedance};
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 3; i++) {
                A[l->ports[p].far_slots[i]] += terms[i] * (late - 1.0);
                dAdw[l->ports[p].far_slots[i]] -= _Complex_I * l->delay * terms[i] * late;
            }
    }
}

/* ---- the past ---- */

/* Inside a step by the voltages alone: the current there is what these and the wave that arrives make of it. */
static void find_waves(struct line *l, struct instant when, enum acceptance how, const double *x, double wave[2])
{
    const bool inside = how == ACCEPT_INSIDE;
    if (inside)
        wave_past_look(&l->past, when);
    for (int p = 0; p < 2; p++) {
        const struct port *port = &l->ports[p];
        wave[p] = inside ? 2 * (x[port->plus] - x[port->minus]) - l->past.wave[1 - p] : wave_of(l, p, x);
    }
}

static void remembered(const void *batch, bool *unknowns)
{
    const struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        for (int p = 0; p < 2; p++)
            unknowns[b->lines[k].ports[p].plus] = unknowns[b->lines[k].ports[p].minus] = true;
}

static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    const bool restart = how == ACCEPT_RESTART;
    struct line_batch *b = batch;
    struct wave_sample s = {.time = when.time, .order = order};
    struct wave_arrival a = {0};
    for (size_t k = 0; k < b->base.count; k++)
        wave_history_arrival(&b->lines[k].past.history, when, &a);
    const bool corner = restart && wave_arrival_is_corner(&a, &s);
    for (size_t k = 0; k < b->base.count; k++) {
        struct line *l = &b->lines[k];
        find_waves(l, when, how, x, s.wave);
        s.corner = corner;
        if (!wave_past_accept(&l->past, s, restart, b->starts_as_told ? l->told : NULL))
            return false;
    }
    return true;
}

static double next_breakpoint(const void *batch, double over)
{
    const struct line_batch *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        next = fmin(next, wave_history_next_arrival(&b->lines[k].past.history, over));
    return next;
}

static double largest_step(const void *batch)
{
    const struct line_batch *b = batch;
    double step = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        step = fmin(step, b->lines[k].delay);
    return step;
}

/* ---- what others see ---- */

/* Each port is its impedance in series with a source that the past determines. */
static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    static const char *const parts[2] = {"port 1", "port 2"};
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    bool good = true;
    for (int p = 0; p < 2 && good; p++) {
        const struct branch port = {.kind = BRANCH_R,
                                    .plus = l->ports[p].plus,
                                    .minus = l->ports[p].minus,
                                    .element = l->element,
                                    .part = parts[p],
                                    .short_name = parts[p],
                                    .role = ROLE_PORT,
                                    .constant = l->impedance,
                                    .delay = l->delay,
                                    .current = l->ports[p].current};
        good = branch_add(list, &port);
    }
    return good;
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    const double i = at->x[l->ports[terminal / 2].current];
    return terminal % 2 == 0 ? i : -i;
}

const struct device_class transmission_line_class = {
    .kind =
        {
            ELEMENT_KIND('t', "transmission line", "a+ a- b+ b-", "Z0=value TD=value", CARD_SETTINGS),
            .sets_voltage = true,
            .instance = {instance_rows, ROWS, NULL},
        },
    BATCH_OF(struct line_batch),
    .release = release,
    USUAL_FUNCTIONS,
    .eval = eval,
    .delay = delay,
    .next_breakpoint = next_breakpoint,
    HISTORY_FUNCTIONS,
};
