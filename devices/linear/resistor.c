/* resistor.c - R: i = v / R(T).
 *
 * Zero ohm is a true short: a branch with its own current and the equation v = 0, never a small resistance put in
 * silently; so is one with ac=0.  Geometry (rsh, l, w) after SPICE3's semiconductor resistor:
 * R = rsh (l - short) / (w - narrow).  dw and dlr are HSPICE's, lost on either side and so twice.  (ngspice 39 takes all
 * four for the latter, against its manual.)
 *
 * ac= is the resistance that small signals see instead (ngspice manual, 3.3.1), of the same temperature law, m and scale.
 *
 * Noise: 4 k T/R, and flicker Kf |i|^Af / (Leff^Lf Weff^Wf f^Ef), without geometry Kf |i|^Af / f^Ef (ngspice manual, 3.3).
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/linear/passive.h"
#include "devices/noise.h"

#include <float.h>
#include <math.h>

enum { ROW_L = PASSIVE_OWN, ROW_W, ROW_NOISY, ROW_AC, ROW_TCE };
enum {
    MODEL_RSH = PASSIVE_MODEL_OWN,
    MODEL_DEFW,
    MODEL_DEFL,
    MODEL_NARROW,
    MODEL_SHORT,
    MODEL_DW,
    MODEL_DLR,
    MODEL_KF,
    MODEL_AF,
    MODEL_LF,
    MODEL_WF,
    MODEL_EF,
    MODEL_TCE
};

static const struct parameter_info instance_rows[] = {
    PASSIVE_INSTANCE_ROWS("r", "ohm", "resistance"),
    {"l", "m", 0.0, 0.0, INFINITY, "length; the model's defl when not given", NULL},
    {"w", "m", 0.0, 0.0, INFINITY, "width; the model's defw when not given", NULL},
    {"noisy", "", 1.0, 0.0, 1.0, "0: without noise", "noise"},
    {"ac", "ohm", 0.0, -INFINITY, INFINITY, "resistance for small signals; the value when not given", NULL},
    {"tce", "%/K", 0.0, -INFINITY, INFINITY, "exponential temperature coefficient, in place of tc1 and tc2", NULL},
};

static const struct parameter_info model_rows[] = {
    PASSIVE_MODEL_ROWS("r", "ohm", "res resistance"),
    {"rsh", "ohm/sq", 0.0, 0.0, INFINITY, "sheet resistance", NULL},
    {"defw", "m", 1e-6, DBL_MIN, INFINITY, "width of elements that give none", "w"},
    {"defl", "m", 0.0, 0.0, INFINITY, "length of elements that give none", "l"},
    {"narrow", "m", 0.0, -INFINITY, INFINITY, "width lost on the mask", NULL},
    {"short", "m", 0.0, -INFINITY, INFINITY, "length lost on the mask", NULL},
    {"dw", "m", 0.0, -INFINITY, INFINITY, "width lost on either side, so twice", NULL},
    {"dlr", "m", 0.0, -INFINITY, INFINITY, "length lost at either end, so twice", NULL},
    {"kf", "", 0.0, 0.0, INFINITY, "flicker noise: kf i^af / (leff^lf weff^wf f^ef)", NULL},
    {"af", "", 1.0, 0.0, INFINITY, "exponent of the current in the flicker noise", NULL},
    {"lf", "", 1.0, -INFINITY, INFINITY, "exponent of the length in the flicker noise", NULL},
    {"wf", "", 1.0, -INFINITY, INFINITY, "exponent of the width in the flicker noise", NULL},
    {"ef", "", 1.0, -INFINITY, INFINITY, "exponent of the frequency in the flicker noise", NULL},
    {"tce", "%/K", 0.0, -INFINITY, INFINITY, "exponential temperature coefficient: factor 1.01^(tce (T - tnom))", NULL},
};

static const struct model_type types[] = {{"r", "res", NULL}, {NULL, NULL, NULL}};

static bool has_length(const struct passive_parameters *p)
{
    return p->instance_given[ROW_L] || p->model_given[MODEL_DEFL];
}

static double effective_length(const struct passive_parameters *p)
{
    const double drawn = p->instance_given[ROW_L] ? p->instance[ROW_L] : p->model[MODEL_DEFL];
    return drawn - p->model[MODEL_SHORT] - 2 * p->model[MODEL_DLR];
}

static double effective_width(const struct passive_parameters *p)
{
    const double drawn = p->instance_given[ROW_W] ? p->instance[ROW_W] : p->model[MODEL_DEFW];
    return drawn - p->model[MODEL_NARROW] - 2 * p->model[MODEL_DW];
}

static double geometry(const struct passive_parameters *p)
{
    if (!p->model || !p->model_given[MODEL_RSH] || !has_length(p))
        return NAN;
    const double squares = effective_length(p) / effective_width(p);
    return squares >= 0.0 && isfinite(squares) ? p->model[MODEL_RSH] * squares : NAN;
}

enum resistance { DIRECT, ALTERNATING };

struct resistor_noise {
    bool quiet;
    double kf, af, ef; /* geometry is in kf */
};

struct resistor {
    const struct element *element;
    double alternating; /* ohm, nominal, scale included: ac= */
    bool has_alternating;
    double resistance[2]; /* ohm at temperature, of all in parallel; for direct currents and for small signals */
    int plus, minus;
    int current; /* of a short, else 0 */
    int slots[4];
    int own_slot; /* (current, current) of one that is a short in one of the two ways only */
    struct incidence incidence;
    struct resistor_noise noise;
    double kelvin;
};

struct resistor_batch {
    struct batch base;
    struct passive *parameters;
    struct resistor *resistors;
};

static bool is_short(const struct resistor_batch *b, size_t k)
{
    return b->parameters[k].nominal == 0.0;
}

static bool has_current(const struct resistor_batch *b, size_t k)
{
    return is_short(b, k) || (b->resistors[k].has_alternating && b->resistors[k].alternating == 0.0);
}

static void keep_own(void *batch, size_t k, const struct passive_parameters *p)
{
    struct resistor *r = &((struct resistor_batch *)batch)->resistors[k];
    struct resistor_noise *n = &r->noise;
    r->has_alternating = p->instance_given[ROW_AC];
    r->alternating = p->instance[ROW_AC] * p->instance[PASSIVE_SCALE];
    *n = (struct resistor_noise){.quiet = p->instance[ROW_NOISY] == 0};
    if (!p->model)
        return;
    n->kf = p->model[MODEL_KF];
    n->af = p->model[MODEL_AF];
    n->ef = p->model[MODEL_EF];
    if (has_length(p))
        n->kf /= pow(effective_length(p), p->model[MODEL_LF]) * pow(effective_width(p), p->model[MODEL_WF]);
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct resistor_batch *b = batch;
    const struct passive_rules rules = {
        .geometry = geometry, .growth_row = ROW_TCE, .growth_model_row = MODEL_TCE, .keep = keep_own, .batch = b};
    b->resistors = arena_array(b->base.arena, in->count + 1, sizeof *b->resistors);
    return b->resistors ? passive_read(&rules, in, b->base.arena, &b->parameters) : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct resistor_batch *b = batch;
    const struct element *e = in->elements[k];
    b->resistors[k].element = e;
    if (b->parameters[k].nominal < 0.0)
        diagnostics_add(in->diagnostics, KN_NOTE, "negative-resistance", e->where, NULL,
                        "resistor '%s' is negative: it delivers energy", e->name);
    return KN_OK;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct resistor *r = &((struct resistor_batch *)batch)->resistors[k];
    return !has_current(batch, k) || (r->current = setup_branch_current(s, r->element, NULL)) >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct resistor *r = &((struct resistor_batch *)batch)->resistors[k];
    r->plus = setup_node(s, r->element->nodes[0]);
    r->minus = setup_node(s, r->element->nodes[1]);
    if (r->current)
        return incidence_connect(&r->incidence, s, r->plus, r->minus, r->current) &&
               (!r->has_alternating || setup_entry(s, r->current, r->current, &r->own_slot));
    return setup_pair(s, r->plus, r->minus, r->slots);
}

/* m resistors in parallel conduct m times as much. */
static void prepare(void *batch, size_t k, double temperature)
{
    struct resistor_batch *b = batch;
    const struct passive *p = &b->parameters[k];
    struct resistor *r = &b->resistors[k];
    const double factor = passive_factor(p, temperature) / p->multiplier;
    r->kelvin = passive_temperature(p, temperature) + DEVICE_KELVIN;
    r->resistance[DIRECT] = p->nominal * factor;
    r->resistance[ALTERNATING] = (r->has_alternating ? r->alternating : p->nominal) * factor;
}

/* What it adds to G: the conductance between its nodes, or v - R i = 0 in the row of its current. */
static void add_resistance(const struct resistor *r, enum resistance which, double sign, double *G)
{
    if (!r->current)
        pair_stamp(r->slots, sign / r->resistance[which], G);
    else if (r->has_alternating)
        G[r->own_slot] -= sign * r->resistance[which];
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct resistor_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct resistor *r = &b->resistors[k];
        if (r->current)
            incidence_stamp(&r->incidence, G);
        add_resistance(r, DIRECT, 1, G);
    }
}

static bool alternate(const void *batch, double *G)
{
    const struct resistor_batch *b = batch;
    bool any = false;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct resistor *r = &b->resistors[k];
        if (!r->has_alternating)
            continue;
        add_resistance(r, DIRECT, -1, G);
        add_resistance(r, ALTERNATING, 1, G);
        any = true;
    }
    return any;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct resistor *r = &((const struct resistor_batch *)batch)->resistors[k];
    const struct branch b = {.kind = BRANCH_R,
                             .plus = r->plus,
                             .minus = r->minus,
                             .element = r->element,
                             .role = ROLE_VALUE,
                             .constant = r->resistance[DIRECT],
                             .current = r->current};
    return branch_add(list, &b);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct resistor_batch *b = batch;
    const struct resistor *r = &b->resistors[k];
    const double sign = terminal == 0 ? 1.0 : -1.0;
    if (r->current)
        return sign * at->x[r->current];
    return sign / r->resistance[at->alternating ? ALTERNATING : DIRECT] * (at->x[r->plus] - at->x[r->minus]);
}

static bool add_noise(const struct resistor *r, double multiplier, const struct device_probe *at,
                      struct noise_list *list)
{
    const struct resistor_noise *n = &r->noise;
    const double conductance = 1 / r->resistance[DIRECT];
    const double i = conductance * (at->x[r->plus] - at->x[r->minus]);
    const struct noise_place thermal = {r->element, "thermal", r->plus, r->minus};
    const struct noise_source flicker = {.at = {r->element, "1overf", r->plus, r->minus},
                                         .density = noise_flicker(n->kf, n->af, i, multiplier),
                                         .exponent = n->ef};
    return noise_add_thermal(list, thermal, conductance, r->kelvin) && (n->kf == 0 || noise_add(list, &flicker));
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct resistor_batch *b = batch;
    const struct resistor *r = &b->resistors[k];
    return is_short(b, k) || r->noise.quiet || add_noise(r, b->parameters[k].multiplier, at, list);
}

const struct device_class resistor_class = {
    .kind =
        {
            ELEMENT_KIND('r', "resistor", "node node", "value", CARD_PASSIVE),
            .sweep = "res-sweep",
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows, "tol pwr mfg pn"},
            .model = {model_rows, sizeof model_rows / sizeof *model_rows, NULL},
            .types = types,
            .value = "a resistance",
            .variable_letter = 'b',
        },
    BATCH_OF(struct resistor_batch),
    USUAL_FUNCTIONS,
    .conducts_only = true,
    .prepare = prepare,
    .alternate = alternate,
    .noise = noise,
};
