/* wave_line.c - see wave_line.h. */
#include "devices/linear/wave_line.h"

#include <math.h>

void wave_lines_release(void *batch)
{
    struct wave_lines *b = batch;
    for (size_t k = 0; k < b->base.count && b->lines; k++)
        wave_history_free(&b->lines[k].past.history);
}

enum kn_status wave_lines_fill(void *batch, const struct device_input *in)
{
    struct wave_lines *b = batch;
    b->starts_as_told = in->circuit->transient_count > 0 && in->circuit->transients[0].uic;
    b->lines = arena_array(b->base.arena, in->count + 1, sizeof *b->lines);
    return b->lines ? KN_OK : KN_ERROR_MEMORY;
}

void wave_line_begin(const struct wave_lines *b, struct wave_line *l)
{
    wave_past_init(&l->past, l->delay, b->starts_as_told && !l->prompt ? l->told : NULL);
}

/* ---- equations ---- */

bool wave_lines_number(void *batch, size_t k, struct device_setup *s)
{
    struct wave_line *l = &((struct wave_lines *)batch)->lines[k];
    l->ports[0].current = setup_branch_current(s, l->element, "1");
    l->ports[1].current = setup_branch_current(s, l->element, "2");
    return l->ports[0].current >= 0 && l->ports[1].current >= 0;
}

static bool connect_port(struct wave_port *own, const struct wave_port *far, struct device_setup *s)
{
    return incidence_connect(&own->incidence, s, own->plus, own->minus, own->current) &&
           setup_entry(s, own->current, own->current, &own->own_slot) &&
           setup_entry(s, own->current, far->plus, &own->far_slots[0]) &&
           setup_entry(s, own->current, far->minus, &own->far_slots[1]) &&
           setup_entry(s, own->current, far->current, &own->far_slots[2]);
}

bool wave_lines_connect(void *batch, size_t k, struct device_setup *s)
{
    struct wave_line *l = &((struct wave_lines *)batch)->lines[k];
    for (int p = 0; p < 2; p++) {
        l->ports[p].plus = setup_node(s, l->element->nodes[2 * p]);
        l->ports[p].minus = setup_node(s, l->element->nodes[2 * p + 1]);
    }
    return connect_port(&l->ports[0], &l->ports[1], s) && connect_port(&l->ports[1], &l->ports[0], s);
}

/* The part that is the same in every state: v - z0 i of the own port. */
void wave_lines_stamp(const void *batch, double *G, double *C)
{
    const struct wave_lines *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        for (int p = 0; p < 2; p++) {
            const struct wave_port *port = &b->lines[k].ports[p];
            incidence_stamp(&port->incidence, G);
            G[port->own_slot] -= b->lines[k].impedance;
        }
}

static double wave_of(const struct wave_line *l, int p, const double *x)
{
    const struct wave_port *port = &l->ports[p];
    return x[port->plus] - x[port->minus] + l->impedance * x[port->current];
}

static void eval_static(const struct wave_line *l, const struct device_point *at, const struct device_stamp *out)
{
    for (int p = 0; p < 2; p++) {
        const struct wave_port *own = &l->ports[p];
        if (at->what & EVALUATE_F)
            out->f[own->current] -= wave_of(l, 1 - p, at->x);
        if (at->what & EVALUATE_G) {
            out->G[own->far_slots[0]] -= 1.0;
            out->G[own->far_slots[1]] += 1.0;
            out->G[own->far_slots[2]] -= l->impedance;
        }
    }
}

static void eval_delayed(struct wave_line *l, const struct device_point *at, const struct device_stamp *out)
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

void wave_lines_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct wave_lines *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        if (b->lines[k].past.begun && !isinf(at->when.time))
            eval_delayed(&b->lines[k], at, out);
        else
            eval_static(&b->lines[k], at, out);
    }
}

/* ---- the past ---- */

/* Inside a step by the voltages alone: the current there is what these and the wave that arrives make of it. */
static void find_waves(struct wave_line *l, struct instant when, enum acceptance how, const double *x, double wave[2])
{
    const bool inside = how == ACCEPT_INSIDE;
    if (inside)
        wave_past_look(&l->past, when);
    for (int p = 0; p < 2; p++) {
        const struct wave_port *port = &l->ports[p];
        wave[p] = inside ? 2 * (x[port->plus] - x[port->minus]) - l->past.wave[1 - p] : wave_of(l, p, x);
    }
}

void wave_lines_remembered(const void *batch, bool *unknowns)
{
    const struct wave_lines *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        for (int p = 0; p < 2; p++)
            unknowns[b->lines[k].ports[p].plus] = unknowns[b->lines[k].ports[p].minus] = true;
}

void wave_lines_begin(void *batch, struct instant when, const double *x)
{
    struct wave_lines *b = batch;
    double wave[2];
    for (size_t k = 0; k < b->base.count; k++) {
        if (b->lines[k].prompt)
            continue;
        find_waves(&b->lines[k], when, ACCEPT_RESTART, x, wave);
        wave_past_begin(&b->lines[k].past, when.time, wave);
    }
}

bool wave_lines_accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    const bool restart = how == ACCEPT_RESTART;
    struct wave_lines *b = batch;
    struct wave_sample s = {.time = when.time, .order = order};
    struct wave_arrival a = {0};
    for (size_t k = 0; k < b->base.count; k++)
        wave_history_arrival(&b->lines[k].past.history, when, &a);
    const bool corner = restart && wave_arrival_is_corner(&a, &s);
    for (size_t k = 0; k < b->base.count; k++) {
        struct wave_line *l = &b->lines[k];
        if (l->prompt)
            continue;
        find_waves(l, when, how, x, s.wave);
        s.corner = corner;
        if (!wave_past_accept(&l->past, s, restart, b->starts_as_told ? l->told : NULL))
            return false;
    }
    return true;
}

/* Waves under way are what they were when they entered, whatever the line is now. */
void *wave_lines_memory(const void *batch, size_t k, struct arena *arena)
{
    return wave_past_keep(&((const struct wave_lines *)batch)->lines[k].past, arena);
}

enum kn_status wave_lines_recall(void *batch, size_t k, const void *memory)
{
    return wave_past_recall(&((struct wave_lines *)batch)->lines[k].past, memory);
}

double wave_lines_next_breakpoint(const void *batch, double over)
{
    const struct wave_lines *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        next = fmin(next, wave_history_next_arrival(&b->lines[k].past.history, over));
    return next;
}

double wave_lines_largest_step(const void *batch)
{
    const struct wave_lines *b = batch;
    double step = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        if (!b->lines[k].prompt)
            step = fmin(step, b->lines[k].delay);
    return step;
}

/* ---- what others see ---- */

/* A wire: the first port drives the other's current, the second keeps the other's voltage. */
static bool add_wire(const struct wave_line *l, struct branch_list *list)
{
    const struct wave_port *near = &l->ports[0], *far = &l->ports[1];
    struct branch b = {.element = l->element, .role = ROLE_LAW, .controlled = true, .constant = NAN};
    b.kind = BRANCH_I;
    b.part = b.short_name = "port 1";
    b.plus = near->plus, b.minus = near->minus, b.current = near->current;
    b.controls = &far->current, b.control_count = 1;
    if (!branch_add(list, &b))
        return false;
    b.kind = BRANCH_V;
    b.part = b.short_name = "port 2";
    b.plus = far->plus, b.minus = far->minus, b.current = far->current;
    b.controls = (const int[2]){near->plus, near->minus}, b.control_count = 2;
    return branch_add(list, &b);
}

/* Each port is its impedance in series with a source that the past determines. */
bool wave_lines_branches(const void *batch, size_t k, struct branch_list *list)
{
    static const char *const parts[2] = {"port 1", "port 2"};
    const struct wave_line *l = &((const struct wave_lines *)batch)->lines[k];
    bool good = true;
    if (l->prompt)
        return add_wire(l, list);
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

double wave_lines_current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct wave_line *l = &((const struct wave_lines *)batch)->lines[k];
    const double i = at->x[l->ports[terminal / 2].current];
    return terminal % 2 == 0 ? i : -i;
}
