/* lossy_line.c - O: a line with losses, by the linear network that line_network.h makes of it.
 *
 * Where the line has inductance, waves of its sections come out of their past (wave_past.h) as those of a lossless line do:
 * steps may not exceed a section's delay, and corners come out again as breakpoints.  At the operating point, and before
 * the first step, the waves of the present take their place.
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/linear/line_network.h"
#include "devices/linear/wave_past.h"
#include "devices/model_cards.h"
#include "devices/noise.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { ROW_IC, ROW_IC2, ROW_IC3, ROW_IC4, ROW_M, ROW_LENGTH, ROWS };
enum { MODEL_R, MODEL_L, MODEL_G, MODEL_C, MODEL_LENGTH, MODEL_ROWS };

static const struct parameter_info instance_rows[ROWS] = {
    [ROW_IC] = {"ic", "V", 0, 0, 0, "voltage of the first port before a run with uic: 0, the line starts empty", NULL},
    [ROW_IC2] = {"ic2", "A", 0, 0, 0, "current into the first port, likewise", NULL},
    [ROW_IC3] = {"ic3", "V", 0, 0, 0, "voltage of the second port, likewise", NULL},
    [ROW_IC4] = {"ic4", "A", 0, 0, 0, "current into the second port, likewise", NULL},
    [ROW_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of lines in parallel", NULL},
    [ROW_LENGTH] = {"len", "m", 1, 0, INFINITY, "length of this line, instead of the model's", "length"},
};

static const struct parameter_info model_rows[MODEL_ROWS] = {
    [MODEL_R] = {"r", "ohm/m", 0, 0, INFINITY, "resistance for each unit of length", NULL},
    [MODEL_L] = {"l", "H/m", 0, 0, INFINITY, "inductance, likewise", NULL},
    [MODEL_G] = {"g", "S/m", 0, 0, INFINITY, "conductance between the conductors, likewise", NULL},
    [MODEL_C] = {"c", "F/m", 0, 0, INFINITY, "capacitance between them, likewise", NULL},
    [MODEL_LENGTH] = {"len", "m", 1, 0, INFINITY, "length, in the same unit", "length"},
};

/* How other programs are to approximate convolutions, which are none here. */
#define CONVOLUTION                                                                                                    \
    "rel abs nocontrol steplimit nosteplimit lininterp quadinterp mixedinterp truncnr truncdontcut compactrel "        \
    "compactabs complexstepcontrol fullcontrol halfcontrol"

static const struct model_type types[] = {{"ltra", NULL, "SPICE3's name"},
                                          {"txl", NULL, "ngspice's name for those of Y cards"},
                                          {"transline", NULL, "Xyce's"},
                                          {NULL, NULL, NULL}};

/* A late wave in a row, and where the present one stands at rest. */
struct late {
    int slots[3]; /* (row, plus) (row, minus) (row, current) */
};

struct section_past {
    struct wave_past in, out; /* w of both ports, r of both */
};

/* The noise of one of its modes. */
struct mode_noise {
    const struct line_totals *totals;
    bool odd;
};

struct line {
    const struct element *element;
    struct line_totals totals;
    struct mode_noise noise[2];
    double kelvin;
    struct line_network network;
    int *unknowns; /* [LINE_OWN + own_count] */
    int *slots;    /* [entry_count] */
    struct late *late;
    struct section_past *pasts; /* [section_count] */
};

struct line_batch {
    struct batch base;
    struct line *lines;
    struct model_cards cards;
    bool delays;         /* one of them */
    bool starts_as_told; /* uic */
};

static const double empty[2] = {0, 0};

static void release(void *batch)
{
    struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count && b->lines; k++)
        for (size_t i = 0; i < b->lines[k].network.section_count && b->lines[k].pasts; i++) {
            wave_history_free(&b->lines[k].pasts[i].in.history);
            wave_history_free(&b->lines[k].pasts[i].out.history);
        }
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct line_batch *b = batch;
    b->starts_as_told = in->circuit->transient_count > 0 && in->circuit->transients[0].uic;
    b->lines = arena_array(b->base.arena, in->count + 1, sizeof *b->lines);
    return b->lines ? model_cards_read(in, b->base.arena, &b->cards) : KN_ERROR_MEMORY;
}

static bool fail(struct kn_diagnostics *d, const struct element *e, const char *hint, const char *what)
{
    diagnostics_add(d, KN_ERROR, "line-values", e->model->where, hint, "model '%s': %s", e->model->name, what);
    return false;
}

/* Where nothing of a wave is left at the other end, the line is one of r and c. */
static void leave_out_waves(struct line_totals *t, const struct element *e, struct kn_diagnostics *d)
{
    if (!(t->l > 0) || !(t->c > 0) || line_sections_needed(t) <= LINE_SECTIONS_MOST)
        return;
    diagnostics_add(d, KN_WARNING, "line-values", e->model->where, "leave l out, or make it shorter",
                    "model '%s': its losses leave nothing of a wave at the other end; l is taken for 0",
                    e->model->name);
    t->l = 0;
}

static bool check(const struct line_totals *t, const struct element *e, struct kn_diagnostics *d)
{
    if (t->l > 0 && t->c == 0)
        return fail(d, e, "give c, or take a resistor and an inductor", "a line with l needs c");
    if (t->c > 0 && t->l == 0 && t->r == 0)
        return fail(d, e, "give l or r, or take a capacitor", "a line with c needs l or r");
    if (t->r == 0 && t->g > 0 && t->l == 0)
        return fail(d, e, "give r, or take a resistor", "a line with g needs r or l");
    if (t->l == 0 && t->r * t->g > 1e4)
        return fail(d, e, "make it shorter: nothing arrives at the other end", "its losses are too large");
    return true;
}

/* LC, RLC, RLGC; RC and RGC; R, RG and nothing at all. */
static bool make_network(struct line_network *n, const struct line_totals *t)
{
    return t->l > 0 ? line_make_waves(n, t) : t->c > 0 ? line_make_modes(n, t) : line_make_static(n, t);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct line_batch *b = batch;
    struct line *l = &b->lines[k];
    const struct element *e = in->elements[k];
    double own[ROWS];
    bool given[ROWS];
    l->element = e;
    if (!element_parameters_read(e, in->diagnostics, own, given))
        return KN_ERROR_DECK;
    const double *v = model_card_values(&b->cards, model_cards_find(&b->cards, e->model));
    const double length = given[ROW_LENGTH] ? own[ROW_LENGTH] : v[MODEL_LENGTH], m = own[ROW_M];
    l->totals = (struct line_totals){v[MODEL_R] * length / m, v[MODEL_L] * length / m, v[MODEL_G] * length * m,
                                     v[MODEL_C] * length * m};
    l->noise[0] = (struct mode_noise){&l->totals, false};
    l->noise[1] = (struct mode_noise){&l->totals, true};
    leave_out_waves(&l->totals, e, in->diagnostics);
    if (!check(&l->totals, e, in->diagnostics))
        return KN_ERROR_DECK;
    struct line_network *n = &l->network;
    n->arena = b->base.arena;
    if (!make_network(n, &l->totals))
        return KN_ERROR_MEMORY;
    l->unknowns = arena_array(n->arena, LINE_OWN + n->own_count, sizeof *l->unknowns);
    l->slots = arena_array(n->arena, n->entry_count + 1, sizeof *l->slots);
    l->late = arena_array(n->arena, n->late_count + 1, sizeof *l->late);
    l->pasts = arena_array(n->arena, n->section_count + 1, sizeof *l->pasts);
    if (!l->unknowns || !l->slots || !l->late || !l->pasts)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n->section_count; i++) {
        wave_past_init(&l->pasts[i].in, n->delay, b->starts_as_told ? empty : NULL);
        wave_past_init(&l->pasts[i].out, n->delay, b->starts_as_told ? empty : NULL);
    }
    b->delays = b->delays || n->section_count > 0;
    return KN_OK;
}

static void prepare(void *batch, size_t k, double temperature)
{
    ((struct line_batch *)batch)->lines[k].kelvin = temperature + DEVICE_KELVIN;
}

/* ---- equations ---- */

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct line *l = &((struct line_batch *)batch)->lines[k];
    l->unknowns[LINE_I1] = setup_branch_current(s, l->element, "1");
    l->unknowns[LINE_I2] = setup_branch_current(s, l->element, "2");
    bool good = l->unknowns[LINE_I1] >= 0 && l->unknowns[LINE_I2] >= 0;
    for (size_t i = 0; i < l->network.own_count && good; i++) {
        const enum line_unknown kind = l->network.own[i];
        char part[32];
        snprintf(part, sizeof part, "%s%zu", kind == LINE_NODE ? "node" : kind == LINE_CURRENT ? "" : "s", i + 3);
        int *unknown = &l->unknowns[LINE_OWN + i];
        *unknown =
            kind == LINE_CURRENT ? setup_branch_current(s, l->element, part) : setup_internal_node(s, l->element, part);
        good = *unknown >= 0;
    }
    return good;
}

static int unknown_of(const struct line *l, int local)
{
    return local == LINE_GROUND ? 0 : l->unknowns[local];
}

static const struct line_port *port_of(const struct line *l, size_t section, enum line_wave wave)
{
    return &l->network.sections[section][wave == WAVE_IN_2 || wave == WAVE_OUT_2];
}

static bool connect_late(struct line *l, size_t i, struct device_setup *s)
{
    const struct line_late *late = &l->network.late[i];
    const struct line_port *port = port_of(l, late->section, late->wave);
    const int columns[3] = {port->plus, port->minus, port->current};
    bool good = true;
    for (int j = 0; j < 3 && good; j++)
        good = setup_entry(s, l->unknowns[late->row], unknown_of(l, columns[j]), &l->late[i].slots[j]);
    return good;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct line *l = &((struct line_batch *)batch)->lines[k];
    const struct line_network *n = &l->network;
    bool good = true;
    for (int i = 0; i < 4; i++)
        l->unknowns[i] = setup_node(s, l->element->nodes[i]);
    for (size_t i = 0; i < n->own_count; i++)
        if (n->own[i] == LINE_STATE || n->own[i] == LINE_FLOW)
            setup_signal(s, l->unknowns[LINE_OWN + i], n->own[i] == LINE_FLOW ? UNKNOWN_CURRENT : UNKNOWN_VOLTAGE, 1,
                         1);
    for (size_t i = 0; i < n->entry_count && good; i++)
        good = setup_entry(s, l->unknowns[n->entries[i].row], l->unknowns[n->entries[i].column], &l->slots[i]);
    for (size_t i = 0; i < n->late_count && good; i++)
        good = connect_late(l, i, s);
    return good;
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        for (size_t i = 0; i < b->lines[k].network.entry_count; i++) {
            const struct line_entry *e = &b->lines[k].network.entries[i];
            (e->rate ? C : G)[b->lines[k].slots[i]] += e->value;
        }
}

static double impedance_of(const struct line *l, enum line_wave wave)
{
    return wave == WAVE_IN_1 || wave == WAVE_IN_2 ? l->network.impedance : -l->network.impedance;
}

static double wave_of(const struct line *l, size_t section, enum line_wave wave, const double *x)
{
    const struct line_port *port = port_of(l, section, wave);
    return x[unknown_of(l, port->plus)] - x[unknown_of(l, port->minus)] +
           impedance_of(l, wave) * x[unknown_of(l, port->current)];
}

static void eval_at_rest(const struct line *l, const struct device_point *at, const struct device_stamp *out)
{
    for (size_t i = 0; i < l->network.late_count; i++) {
        const struct line_late *late = &l->network.late[i];
        if (at->what & EVALUATE_F)
            out->f[l->unknowns[late->row]] += late->value * wave_of(l, late->section, late->wave, at->x);
        if (at->what & EVALUATE_G) {
            out->G[l->late[i].slots[0]] += late->value;
            out->G[l->late[i].slots[1]] -= late->value;
            out->G[l->late[i].slots[2]] += late->value * impedance_of(l, late->wave);
        }
    }
}

static void eval_late(struct line *l, const struct device_point *at, const struct device_stamp *out)
{
    for (size_t i = 0; i < l->network.section_count; i++) {
        wave_past_look(&l->pasts[i].in, at->when);
        wave_past_look(&l->pasts[i].out, at->when);
    }
    for (size_t i = 0; i < l->network.late_count; i++) {
        const struct line_late *late = &l->network.late[i];
        const struct section_past *past = &l->pasts[late->section];
        const struct wave_past *p = late->wave <= WAVE_IN_2 ? &past->in : &past->out;
        const int port = late->wave == WAVE_IN_2 || late->wave == WAVE_OUT_2;
        if (at->what & EVALUATE_F)
            out->f[l->unknowns[late->row]] += late->value * p->wave[port];
        if (at->what & EVALUATE_T)
            out->dfdt[l->unknowns[late->row]] += late->value * p->rate[port];
    }
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        if (b->lines[k].network.section_count == 0)
            continue;
        if (b->lines[k].pasts[0].in.begun && !isinf(at->when.time))
            eval_late(&b->lines[k], at, out);
        else
            eval_at_rest(&b->lines[k], at, out);
    }
}

static bool nonlinear(const void *batch)
{
    return ((const struct line_batch *)batch)->delays;
}

/* eval_at_rest has put phasors in as if they came at once; they are late by e^(-j w td). */
static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct line *l = &b->lines[k];
        const double complex late = cexp(-_Complex_I * w * l->network.delay);
        for (size_t i = 0; i < l->network.late_count; i++) {
            const struct line_late *e = &l->network.late[i];
            const double terms[3] = {e->value, -e->value, e->value * impedance_of(l, e->wave)};
            for (int j = 0; j < 3; j++) {
                A[l->late[i].slots[j]] += terms[j] * (late - 1.0);
                dAdw[l->late[i].slots[j]] -= _Complex_I * l->network.delay * terms[j] * late;
            }
        }
    }
}

/* ---- the past ---- */

static void add_arrivals(struct line *l, struct instant when, struct wave_arrival *a)
{
    for (size_t i = 0; i < l->network.section_count; i++) {
        wave_history_arrival(&l->pasts[i].in.history, when, a);
        wave_history_arrival(&l->pasts[i].out.history, when, a);
    }
}

static void begin_line(struct line *l, double time, const double *x)
{
    for (size_t i = 0; i < l->network.section_count; i++) {
        const double in[2] = {wave_of(l, i, WAVE_IN_1, x), wave_of(l, i, WAVE_IN_2, x)},
                     out[2] = {wave_of(l, i, WAVE_OUT_1, x), wave_of(l, i, WAVE_OUT_2, x)};
        wave_past_begin(&l->pasts[i].in, time, in);
        wave_past_begin(&l->pasts[i].out, time, out);
    }
}

static void begin(void *batch, struct instant when, const double *x)
{
    struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        begin_line(&b->lines[k], when.time, x);
}

static bool accept_line(struct line *l, struct wave_sample s, const double *x, bool restart, const double *told)
{
    for (size_t i = 0; i < l->network.section_count; i++) {
        s.wave[0] = wave_of(l, i, WAVE_IN_1, x);
        s.wave[1] = wave_of(l, i, WAVE_IN_2, x);
        if (!wave_past_accept(&l->pasts[i].in, s, restart, told))
            return false;
        s.wave[0] = wave_of(l, i, WAVE_OUT_1, x);
        s.wave[1] = wave_of(l, i, WAVE_OUT_2, x);
        if (!wave_past_accept(&l->pasts[i].out, s, restart, told))
            return false;
    }
    return true;
}

static void remembered(const void *batch, bool *unknowns)
{
    static const enum line_wave waves[] = {WAVE_IN_1, WAVE_IN_2, WAVE_OUT_1, WAVE_OUT_2};
    const struct line_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        for (size_t i = 0; i < b->lines[k].network.section_count; i++)
            for (size_t w = 0; w < sizeof waves / sizeof *waves; w++) {
                const struct line *l = &b->lines[k];
                const struct line_port *port = port_of(l, i, waves[w]);
                unknowns[unknown_of(l, port->plus)] = unknowns[unknown_of(l, port->minus)] =
                    unknowns[unknown_of(l, port->current)] = true;
            }
}

static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    const bool restart = how == ACCEPT_RESTART;
    struct line_batch *b = batch;
    struct wave_sample s = {.time = when.time, .order = order};
    struct wave_arrival a = {0};
    bool good = true;
    for (size_t k = 0; k < b->base.count; k++)
        add_arrivals(&b->lines[k], when, &a);
    s.corner = restart && wave_arrival_is_corner(&a, &s);
    for (size_t k = 0; k < b->base.count && good; k++)
        good = accept_line(&b->lines[k], s, x, restart, b->starts_as_told ? empty : NULL);
    return good;
}

/* The pasts of its sections, and how many they are. */
struct line_memory {
    size_t count;
    const struct wave_past **in, **out; /* [count] */
};

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    struct line_memory *m = arena_alloc(arena, sizeof *m);
    if (!m)
        return NULL;
    m->count = l->network.section_count;
    m->in = arena_array(arena, m->count + 1, sizeof(const struct wave_past *));
    m->out = arena_array(arena, m->count + 1, sizeof(const struct wave_past *));
    bool good = m->in && m->out;
    for (size_t i = 0; good && i < m->count; i++) {
        m->in[i] = wave_past_keep(&l->pasts[i].in, arena);
        m->out[i] = wave_past_keep(&l->pasts[i].out, arena);
        good = m->in[i] && m->out[i];
    }
    return good ? m : NULL;
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    struct line *l = &((struct line_batch *)batch)->lines[k];
    const struct line_memory *m = kept;
    enum kn_status status = m->count == l->network.section_count ? KN_OK : KN_ERROR_CIRCUIT;
    for (size_t i = 0; status == KN_OK && i < m->count; i++) {
        status = wave_past_recall(&l->pasts[i].in, m->in[i]);
        if (status == KN_OK)
            status = wave_past_recall(&l->pasts[i].out, m->out[i]);
    }
    return status;
}

static double next_breakpoint(const void *batch, double over)
{
    const struct line_batch *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        for (size_t i = 0; i < b->lines[k].network.section_count; i++) {
            next = fmin(next, wave_history_next_arrival(&b->lines[k].pasts[i].in.history, over));
            next = fmin(next, wave_history_next_arrival(&b->lines[k].pasts[i].out.history, over));
        }
    return next;
}

static double largest_step(const void *batch)
{
    const struct line_batch *b = batch;
    double step = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        if (b->lines[k].network.section_count > 0)
            step = fmin(step, b->lines[k].network.delay);
    return step;
}

/* ---- what others see ---- */

static bool add_state_branch(const struct line *l, const struct line_entry *entry, struct branch_list *list)
{
    const struct branch row = {
        .plus = l->unknowns[entry->row], .element = l->element, .part = "state", .short_name = "state"};
    return branch_add_entry(list, &row, l->unknowns[entry->column], entry->value, entry->rate);
}

static bool add_port_branch(const struct line *l, const struct line_port *port, const char *part,
                            struct branch_list *list)
{
    const struct branch b = {.kind = BRANCH_R,
                             .plus = unknown_of(l, port->plus),
                             .minus = unknown_of(l, port->minus),
                             .element = l->element,
                             .part = part,
                             .short_name = part,
                             .role = ROLE_PORT,
                             .constant = l->network.impedance,
                             .delay = l->totals.r > 0 ? 0 : l->network.delay,
                             .current = unknown_of(l, port->current)};
    return branch_add(list, &b);
}

/* The first port drives a current, the second keeps a voltage. */
static bool add_static_branches(const struct line *l, struct branch_list *list)
{
    const int *u = l->unknowns, far[1] = {u[LINE_I2]}, near[2] = {u[LINE_A_PLUS], u[LINE_A_MINUS]};
    struct branch b = {.element = l->element, .role = ROLE_LAW, .controlled = true, .constant = NAN};
    b.kind = BRANCH_I;
    b.part = b.short_name = "port 1";
    b.plus = u[LINE_A_PLUS], b.minus = u[LINE_A_MINUS], b.current = u[LINE_I1];
    b.controls = far, b.control_count = 1;
    if (!branch_add(list, &b))
        return false;
    b.kind = BRANCH_V;
    b.part = b.short_name = "port 2";
    b.plus = u[LINE_B_PLUS], b.minus = u[LINE_B_MINUS], b.current = u[LINE_I2];
    b.controls = near, b.control_count = 2;
    return branch_add(list, &b);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    const struct line_network *n = &l->network;
    static const struct line_port ends[1][2] = {
        {{LINE_A_PLUS, LINE_A_MINUS, LINE_I1}, {LINE_B_PLUS, LINE_B_MINUS, LINE_I2}}};
    const struct line_port(*sections)[2] = n->section_count > 0 ? (const struct line_port(*)[2])n->sections : ends;
    const size_t count = n->section_count > 0 ? n->section_count : 1;
    bool good = true;
    if (n->rests_on_far)
        return add_static_branches(l, list);
    for (size_t i = 0; i < count && good; i++)
        good =
            add_port_branch(l, &sections[i][0], "port 1", list) && add_port_branch(l, &sections[i][1], "port 2", list);
    for (size_t i = 0; i < n->entry_count && good; i++)
        if (n->entries[i].row >= LINE_OWN && n->own[n->entries[i].row - LINE_OWN] != LINE_NODE &&
            n->own[n->entries[i].row - LINE_OWN] != LINE_CURRENT)
            good = add_state_branch(l, &n->entries[i], list);
    return good;
}

static double mode_conductance_at(const void *of, double frequency)
{
    const struct mode_noise *m = of;
    double complex even, odd;
    line_mode_admittances(m->totals, 2 * M_PI * frequency, &even, &odd);
    return creal(m->odd ? odd : even);
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    (void)at;
    return (l->totals.r == 0 && l->totals.g == 0) ||
           noise_add_two_port(list, l->element, l->unknowns, l->kelvin, mode_conductance_at,
                              (const void *const[2]){&l->noise[0], &l->noise[1]});
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct line *l = &((const struct line_batch *)batch)->lines[k];
    const double i = at->x[l->unknowns[terminal < 2 ? LINE_I1 : LINE_I2]];
    return terminal % 2 == 0 ? i : -i;
}

const struct device_class lossy_line_class = {
    .kind =
        {
            ELEMENT_KIND('o', "lossy line", "a+ a- b+ b-", "model", CARD_MODEL),
            .sets_voltage = true,
            .instance = {instance_rows, ROWS, "lumps"},
            .model = {model_rows, MODEL_ROWS, CONVOLUTION},
            .types = types,
        },
    BATCH_OF(struct line_batch),
    .release = release,
    USUAL_FUNCTIONS,
    DELAY_FUNCTIONS,
    .begin = begin,
    MEMORY_FUNCTIONS,
    .prepare = prepare,
    .noise = noise,
};
