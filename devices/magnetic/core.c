/* core.c - K with a model of type core: windings on a core with hysteresis.
 *
 * The magnetisation M of the core is an unknown of its own, m = M/Ms.  With N_k turns, area A, path l, gap part g and the
 * slope P = dM/dH of hysteresis.h, the field of all windings is H = sum N_k i_k / l and
 *     flux of a winding    Phi_k = c mu0 A N_k (H + (1 - g) M),   c: coupling, a factor of all fluxes as in Xyce
 *     magnetisation        dM/dt = P dH/dt
 * The fluxes are in the ratio of the turns, so that only the row of the first winding has its flux; those of the others
 * say v_k N_1 = v_1 N_k.  As differences of fluxes over a short step that would be the rounding errors of large numbers,
 * and the currents through capacitances at the windings their slope.
 * All windings see the same dB/dt, so that dH/dt = v_1/(c mu0 A N_1) / (1 + (1 - g) P): the second equation needs the
 * voltage of the first winding and no derivative,
 *     dm/dt = P/(1 + (1 - g) P) v_1/(c mu0 A N_1 Ms) - m/tau,
 * and sigma, the sign of dB/dt, is tanh(v_1 delvscaling).  tau = 1e6 s, which nobody notices, says that the core is
 * not magnetised where nothing has moved yet (operating point).  This row is a capacitor of 1 uF in the equations, so that
 * its numbers are like others.
 */
#include "base/arena.h"
#include "devices/batch.h"
#include "devices/couplings.h"
#include "devices/families.h"
#include "devices/magnetic/hysteresis.h"
#include "devices/magnetic/winding.h"
#include "devices/model_cards.h"

#include <float.h>
#include <math.h>

static const double VACUUM = 1.25663706212e-6; /* H/m */
static const double ROW_CAPACITANCE = 1e-6;    /* F */
static const double ROW_LEAK = 1e-12;          /* S: tau = 1e6 s */

enum { I_K, I_M, I_COUNT };

static const struct parameter_info instance_rows[I_COUNT] = {
    [I_K] = {"k", "", 1, -1, 1, "coupling coefficient, when not given after the inductors", "coeff"},
    [I_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of cores in parallel", NULL},
};

enum { P_LEVEL, P_MS, P_A, P_K, P_C, P_ALPHA, P_AREA, P_PATH, P_GAP, P_PACK, P_BETAH, P_BETAM, P_DELVSCALING, P_COUNT };

static const struct parameter_info model_rows[P_COUNT] = {
    [P_LEVEL] = {"level", "", 1, -INFINITY, INFINITY, "1, 2 and 3 are one model here", NULL},
    [P_MS] = {"ms", "A/m", 1e6, DBL_MIN, INFINITY, "saturation magnetisation", NULL},
    [P_A] = {"a", "A/m", 1e3, DBL_MIN, INFINITY, "shape of the anhysteretic curve", NULL},
    [P_K] = {"k", "A/m", 500, DBL_MIN, INFINITY, "pinning of the domain walls", "kirr"},
    [P_C] = {"c", "", 0.2, 0, 1, "flexing of the domain walls", NULL},
    [P_ALPHA] = {"alpha", "", 5e-5, 0, INFINITY, "coupling of the domains", NULL},
    [P_AREA] = {"area", "cm^2", 0.1, 0, INFINITY, "cross section", NULL},
    [P_PATH] = {"path", "cm", 1, DBL_MIN, INFINITY, "mean length of the field lines", NULL},
    [P_GAP] = {"gap", "cm", 0, 0, INFINITY, "length of the air gap", NULL},
    [P_PACK] = {"pack", "", 1, 0, 1, "part of the cross section that is iron; 0 stands for 1", NULL},
    [P_BETAH] = {"betah", "", 1e-4, DBL_MIN, INFINITY, "rounding of the anhysteretic curve at 0, of a", NULL},
    [P_BETAM] = {"betam", "", 3.125e-5, DBL_MIN, INFINITY, "rounding where it is reached, of ms", NULL},
    [P_DELVSCALING] = {"delvscaling", "1/V", 1e5, DBL_MIN, INFINITY,
                       "steepness of the sign of the first winding's voltage", NULL},
};

static const struct model_type types[] = {{"core", NULL, NULL}, {NULL, NULL, NULL}};

struct core {
    const struct element *element;
    struct hysteresis law;
    double steepness; /* 1/V */
    double coupling;
    double flux; /* c mu0 A, Vs m/A per turn */
    double path; /* m */
    double parallel;
    const double *turns; /* [count] */
    const struct element *const *coils;
    size_t count;
    struct coupling *couplings; /* of neighbours, all perfect */
    int magnetisation;          /* unknown m */
    int plus, minus;            /* of the first winding */
    int *controls;    /* [count + 2] of what the magnetisation depends on: currents, and the ends of the first */
    int *currents;    /* [count] */
    int *flux_slots;  /* [count] (current of the first, current) */
    int *ratio_slots; /* [2 * count] (current, ends of the first) */
    int coil_slot;    /* (current of the first, m) */
    int *field_slots; /* [count] (m, current) */
    int own_slot, voltage_slots[2];
};

struct core_batch {
    struct batch base;
    struct model_cards cards;
    struct core *items;
};

/* ---- set-up ---- */

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct core_batch *b = batch;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    return b->items ? model_cards_read(in, b->base.arena, &b->cards) : KN_ERROR_MEMORY;
}

/* The number of turns is the value of the inductor. */
static double turns_of(const struct element *e)
{
    if (e->has_value)
        return e->value;
    for (size_t i = 0; i < e->setting_count; i++)
        if (name_is_among("turns l inductance value", e->settings[i].name) && e->settings[i].has_value)
            return e->settings[i].value;
    return 0;
}

static bool read_windings(struct core *c, const struct device_input *in)
{
    const struct element *e = c->element;
    bool good = true;
    double *turns = (double *)c->turns;
    const struct element **coils = (const struct element **)c->coils;
    for (size_t i = 0; i < c->count; i++) {
        coils[i] = &in->circuit->elements[e->control_elements[i]];
        turns[i] = turns_of(coils[i]);
        if (turns[i] != 0)
            continue;
        diagnostics_add(in->diagnostics, KN_ERROR, "core", coils[i]->where,
                        "the value of an inductor on a core is its number of turns",
                        "inductor '%s' on the core '%s' has no turns", coils[i]->name, e->name);
        good = false;
    }
    return good;
}

static bool allocate(struct core *c, struct arena *arena)
{
    const size_t n = c->count;
    c->turns = arena_array(arena, n + 1, sizeof *c->turns);
    c->coils = arena_array(arena, n + 1, sizeof *c->coils);
    c->couplings = arena_array(arena, n + 1, sizeof *c->couplings);
    c->currents = c->controls = arena_array(arena, n + 2, sizeof *c->currents);
    c->flux_slots = arena_array(arena, n + 1, sizeof *c->flux_slots);
    c->ratio_slots = arena_array(arena, 2 * n + 1, sizeof *c->ratio_slots);
    c->field_slots = arena_array(arena, n + 1, sizeof *c->field_slots);
    return c->turns && c->coils && c->couplings && c->currents && c->flux_slots && c->ratio_slots && c->field_slots;
}

static void read_model(struct core *c, const double *p)
{
    const double pack = p[P_PACK] > 0 ? p[P_PACK] : 1;
    c->law = (struct hysteresis){.saturation = p[P_MS],
                                 .shape = p[P_A],
                                 .pinning = p[P_K],
                                 .flexing = p[P_C],
                                 .domains = p[P_ALPHA],
                                 .gap = p[P_GAP] / p[P_PATH],
                                 .round_field = p[P_BETAH] * p[P_A],
                                 .round_distance = p[P_BETAM] * p[P_MS]};
    c->path = 1e-2 * p[P_PATH];
    c->flux = c->coupling * VACUUM * 1e-4 * p[P_AREA] * pack;
    c->steepness = p[P_DELVSCALING];
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct core_batch *b = batch;
    struct core *c = &b->items[k];
    const struct element *e = c->element = in->elements[k];
    double values[I_COUNT];
    bool given[I_COUNT];
    c->count = e->control_element_count;
    if (!allocate(c, b->base.arena))
        return KN_ERROR_MEMORY;
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return KN_ERROR_DECK;
    c->coupling = e->has_value ? e->value : values[I_K];
    c->parallel = values[I_M];
    read_model(c, model_card_values(&b->cards, model_cards_find(&b->cards, e->model)));
    if (c->coupling == 0 && in->circuit->dialect != DIALECT_XYCE) {
        diagnostics_add(in->diagnostics, KN_ERROR, "core", e->where, "1 is perfect coupling",
                        "core '%s': the coupling coefficient must not be 0", e->name);
        return KN_ERROR_DECK;
    }
    return read_windings(c, in) ? KN_OK : KN_ERROR_DECK;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct core *c = &((struct core_batch *)batch)->items[k];
    return (c->magnetisation = setup_internal_node(s, c->element, "magnetisation")) >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct core *c = &((struct core_batch *)batch)->items[k];
    const int m = c->magnetisation;
    bool good = setup_entry(s, m, m, &c->own_slot);
    c->plus = setup_node(s, c->coils[0]->nodes[0]);
    c->minus = setup_node(s, c->coils[0]->nodes[1]);
    good =
        setup_entry(s, m, c->plus, &c->voltage_slots[0]) && setup_entry(s, m, c->minus, &c->voltage_slots[1]) && good;
    for (size_t i = 0; i < c->count; i++)
        c->currents[i] = setup_current_of(s, c->coils[i]);
    c->controls[c->count] = c->plus;
    c->controls[c->count + 1] = c->minus;
    good = setup_entry(s, c->currents[0], m, &c->coil_slot) && good;
    for (size_t i = 0; i < c->count; i++)
        good = setup_entry(s, m, c->currents[i], &c->field_slots[i]) &&
               setup_entry(s, c->currents[0], c->currents[i], &c->flux_slots[i]) &&
               setup_entry(s, c->currents[i], c->plus, &c->ratio_slots[2 * i]) &&
               setup_entry(s, c->currents[i], c->minus, &c->ratio_slots[2 * i + 1]) && good;
    return good;
}

/* ---- equations ---- */

/* The fluxes are linear in the currents and in m. */
static void stamp(const void *batch, double *G, double *C)
{
    const struct core_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct core *c = &b->items[k];
        const double unit = c->flux * c->turns[0];
        C[c->coil_slot] -= unit * (1 - c->law.gap) * c->law.saturation;
        for (size_t i = 0; i < c->count; i++)
            C[c->flux_slots[i]] -= unit * c->turns[i] / (c->path * c->parallel);
        for (size_t i = 1; i < c->count; i++) {
            G[c->ratio_slots[2 * i]] -= c->turns[i] / c->turns[0];
            G[c->ratio_slots[2 * i + 1]] += c->turns[i] / c->turns[0];
        }
        C[c->own_slot] += ROW_CAPACITANCE;
        G[c->own_slot] += ROW_LEAK;
    }
}

static double field_of(const struct core *c, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += c->turns[i] * x[c->currents[i]];
    return sum / (c->path * c->parallel);
}

static void eval_one(const struct core *c, const struct device_point *at, const struct device_stamp *out)
{
    const double ms = c->law.saturation, v = at->x[c->plus] - at->x[c->minus], sign = tanh(c->steepness * v);
    const struct hysteresis_slope p = hysteresis_slope(&c->law, field_of(c, at->x), ms * at->x[c->magnetisation], sign);
    const double rest = 1 - c->law.gap, whole = 1 + rest * p.value, part = p.value / whole;
    /* Of part v, which is 0 where there is no flux. */
    const double scale = c->flux != 0 ? -ROW_CAPACITANCE / (c->flux * c->turns[0] * ms) : 0;
    const double bend = scale * v / (whole * whole); /* of dP */
    if (at->what & EVALUATE_F)
        out->f[c->magnetisation] += scale * part * v;
    if (!(at->what & EVALUATE_G))
        return;
    const double by_voltage = scale * part + bend * p.sign * c->steepness * (1 - sign * sign);
    out->G[c->voltage_slots[0]] += by_voltage;
    out->G[c->voltage_slots[1]] -= by_voltage;
    out->G[c->own_slot] += bend * p.magnetisation * ms;
    for (size_t i = 0; i < c->count; i++)
        out->G[c->field_slots[i]] += bend * p.field * c->turns[i] / (c->path * c->parallel);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    const struct core_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        eval_one(&b->items[k], at, out);
}

/* ---- what the index analysis sees ---- */

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct core *c = &((const struct core_batch *)batch)->items[k];
    const int m = c->magnetisation;
    struct branch store = {.kind = BRANCH_C, .plus = m, .element = c->element, .part = "magnetisation"};
    struct branch leak = {.kind = BRANCH_R, .plus = m, .element = c->element, .part = "demagnetisation"};
    struct branch drive = {.kind = BRANCH_I, .plus = m, .element = c->element, .part = "hysteresis"};
    store.short_name = leak.short_name = drive.short_name = "m";
    store.role = leak.role = ROLE_VALUE;
    store.constant = ROW_CAPACITANCE;
    leak.constant = 1 / ROW_LEAK;
    drive.constant = NAN;
    drive.controlled = true;
    drive.controls = c->controls;
    drive.control_count = c->count + 2;
    bool good = branch_add(list, &store) && branch_add(list, &leak) && branch_add(list, &drive);
    for (size_t i = 1; good && i < c->count; i++) {
        c->couplings[i] = (struct coupling){c->element, c->coils[0], c->coils[i], 1};
        good = branch_couple(list, &c->couplings[i]);
    }
    return good;
}

const struct device_class core_class = {
    .kind =
        {
            ELEMENT_KIND('k', "core", NULL, "L1 .. coefficient model", CARD_COUPLING),
            .instance = {instance_rows, I_COUNT, NULL},
            .model = {model_rows, P_COUNT,
                      "tnom tc tc1 tc2 clim constdelvscaling includemequ pzerotol mvarscaling rvarscaling meqnscaling "
                      "reqnscaling outputstatevars factorms bhsiunits mfg type"},
            .types = types,
            .taken_as = &winding_class.kind,
        },
    BATCH_OF(struct core_batch),
    .number = number,
    .connect = connect,
    .stamp = stamp,
    .eval = eval,
    .branches = branches,
};
