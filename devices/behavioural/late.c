/* late.c - y, the value of delay(x,td[,tmax]) whose td is no constant: what x was the time td before,
 *
 *     y(t) = x(t - d),   d = td, but at least 0 and at most tmax,
 *
 * with unknowns that are operators of their own (netlist/formulas/states.c).  Derivatives are dy/dd = -x'(t - d), and where t - d lies
 * within the step that is being made, before whose end x is not known, dy/dx(t) = w: the polynomial through the newest points
 * of the past goes through x(t) as well (wave_history_within).  At the operating point, and for small signals but for the
 * phase e^(-j w d), y = x.
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/linear/wave_past.h"
#include "netlist/response.h"

#include <complex.h>
#include <math.h>

/* A step is as long as d at most, so that it knows x, but where d is short not shorter than this part of a run: what x does
 * within it is seen by a polynomial through x at its end. */
static const double SHORTEST = 1e-4;

enum { PLACE_OUT, PLACE_ARGUMENT, PLACE_DELAY, PLACES };

struct late {
    const struct element *element;
    int unknowns[PLACES], slots[PLACES];
    double most; /* s */
    double rest; /* d at the operating point (s) */
    double now;  /* d at the point accepted last (s) */
    struct wave_past past;
};

struct late_batch {
    struct batch base;
    struct late *all;
    double span; /* s, of the longest run */
};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct late_batch *b = batch;
    const double longest = circuit_longest_run(in->circuit);
    b->span = longest > 0 ? longest : 1;
    b->all = arena_array(b->base.arena, in->count + 1, sizeof *b->all);
    return b->all ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct late_batch *b = batch;
    struct late *l = &b->all[k];
    l->element = in->elements[k];
    l->most = fmin(l->element->response->delay, b->span);
    wave_past_init(&l->past, l->most, NULL);
    return KN_OK;
}

static void release(void *batch)
{
    struct late_batch *b = batch;
    for (size_t k = 0; k < b->base.count && b->all; k++)
        wave_history_free(&b->all[k].past.history);
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    const struct late_batch *b = batch;
    struct late *l = &b->all[k];
    const double volt = SHORTEST * b->span; /* s that count as much as 1 V does */
    bool good = true;
    for (int i = 0; i < PLACES; i++) {
        l->unknowns[i] = setup_node(s, l->element->nodes[i]);
        good = setup_entry(s, setup_node(s, l->element->nodes[PLACE_OUT]), l->unknowns[i], &l->slots[i]) && good;
    }
    setup_signal(s, l->unknowns[PLACE_OUT], UNKNOWN_VOLTAGE, 1, 1);
    setup_signal(s, l->unknowns[PLACE_DELAY], UNKNOWN_VOLTAGE, volt, volt);
    return good;
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct late_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        G[b->all[k].slots[PLACE_OUT]] += 1;
}

static double delay_at(const struct late *l, const double *x)
{
    return fmin(fmax(x[l->unknowns[PLACE_DELAY]], 0), l->most);
}

/* x a time d before, with derivatives by time, by x now and by d. */
struct look {
    double value, by_time, by_now, by_delay;
};

static struct look look_back(const struct late *l, const struct device_point *at)
{
    const struct wave_history *h = &l->past.history;
    const double asked = at->x[l->unknowns[PLACE_DELAY]], d = delay_at(l, at->x), x = at->x[l->unknowns[PLACE_ARGUMENT]];
    double wave[2], rate[2];
    if (d == 0)
        return (struct look){.value = x, .by_now = 1};
    if (h->count > 0 && at->when.time - d > wave_history_newest(h)) {
        const struct wave_within within = wave_history_within(h, at->when.time, x, d);
        return (struct look){within.value, within.by_time, within.by_now, asked == d ? -within.rate : 0};
    }
    wave_history_before(h, at->when, d, wave, rate);
    return (struct look){wave[0], rate[0], 0, asked == d ? -rate[0] : 0};
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct late_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        struct late *l = &b->all[k];
        const bool goes = l->past.begun && !isinf(at->when.time);
        if (!goes)
            l->rest = delay_at(l, at->x);
        const struct look look =
            goes ? look_back(l, at) : (struct look){.value = at->x[l->unknowns[PLACE_ARGUMENT]], .by_now = 1};
        if (at->what & EVALUATE_F)
            out->f[l->unknowns[PLACE_OUT]] -= look.value;
        if (at->what & EVALUATE_T)
            out->dfdt[l->unknowns[PLACE_OUT]] -= look.by_time;
        if (at->what & EVALUATE_G) {
            out->G[l->slots[PLACE_ARGUMENT]] -= look.by_now;
            out->G[l->slots[PLACE_DELAY]] -= look.by_delay;
        }
    }
}

static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct late_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct late *l = &b->all[k];
        const double complex late = cexp(-_Complex_I * w * l->rest);
        A[l->slots[PLACE_ARGUMENT]] -= late - 1;
        dAdw[l->slots[PLACE_ARGUMENT]] += _Complex_I * l->rest * late;
    }
}

static void begin(void *batch, struct instant when, const double *x)
{
    struct late_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const double wave[2] = {x[b->all[k].unknowns[PLACE_ARGUMENT]], 0};
        wave_past_begin(&b->all[k].past, when.time, wave);
    }
}

static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    struct late_batch *b = batch;
    const bool restart = how == ACCEPT_RESTART;
    for (size_t k = 0; k < b->base.count; k++) {
        struct late *l = &b->all[k];
        const struct wave_sample s = {.time = when.time,
                                      .wave = {x[l->unknowns[PLACE_ARGUMENT]]},
                                      .order = order,
                                      .corner = restart};
        l->now = delay_at(l, x);
        if (!wave_past_accept(&l->past, s, restart, NULL))
            return false;
    }
    return true;
}

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    return wave_past_keep(&((const struct late_batch *)batch)->all[k].past, arena);
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    return wave_past_recall(&((struct late_batch *)batch)->all[k].past, kept);
}

static void remembered(const void *batch, bool *unknowns)
{
    const struct late_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        unknowns[b->all[k].unknowns[PLACE_ARGUMENT]] = true;
}

static double largest_step(const void *batch)
{
    return ((const struct late_batch *)batch)->span;
}

static double step_now(const void *batch)
{
    const struct late_batch *b = batch;
    double step = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        step = fmin(step, b->all[k].now);
    return fmax(step, SHORTEST * b->span);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct late *l = &((const struct late_batch *)batch)->all[k];
    const struct branch row = {.plus = l->unknowns[PLACE_OUT], .element = l->element};
    const struct branch late = {.kind = BRANCH_I,
                                .minus = l->unknowns[PLACE_OUT],
                                .element = l->element,
                                .role = ROLE_LAW,
                                .controlled = true,
                                .controls = l->unknowns + PLACE_ARGUMENT,
                                .control_count = PLACES - PLACE_ARGUMENT,
                                .constant = NAN};
    return branch_add_entry(list, &row, l->unknowns[PLACE_OUT], 1, false) && branch_add(list, &late);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct late *l = &((const struct late_batch *)batch)->all[k];
    return terminal == 0 ? at->x[l->unknowns[PLACE_OUT]] : 0.0;
}

const struct device_class late_class = {
    .kind = {ELEMENT_KIND(KIND_LATE, "variable delay", NULL, "made by delay() of a time that is no constant",
                          CARD_SETTINGS)},
    BATCH_OF(struct late_batch),
    .release = release,
    .connect = connect,
    .stamp = stamp,
    .eval = eval,
    .delay = delay,
    HISTORY_FUNCTIONS,
    .begin = begin,
    MEMORY_FUNCTIONS,
    .step_now = step_now,
    .branches = branches,
    .current = current,
};
