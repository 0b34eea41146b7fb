/* switch.c - S and W: a resistance that a voltage or a current turns on and off.
 *
 *     i = g v,  g = 1/ron where the control u is large, 1/roff where it is small
 *
 * With thresholds and hysteresis (SPICE3):
 *     on           for vt + vh < u
 *     as it was    for vt - vh < u < vt + vh
 *     off          for u < vt - vh
 * The conductance jumps, so u minus the threshold that comes next is a switching function and the run ends a step exactly
 * there.  The memory is the side on which that function is held; where it is not (operating point), `on` on the element
 * line says which of both values counts between the thresholds.
 *
 * With a transition (PSpice's VSWITCH; also vh < 0, as in LTspice) the logarithm of the resistance follows a cubic in u
 * between voff and von, flat at both ends:
 *     ln R = (ln roff + ln ron)/2 - (ln roff - ln ron) (3/2 s - 2 s^3),   s = (u - (von + voff)/2) / (von - voff)
 * This is an ordinary nonlinear device.  With Xyce's hysteresis it stays on until u falls below vhon, and off until u rises
 * above vhoff: two memories beside the cubic, and a jump onto it where one of them ends (Xyce Reference Guide, "Switch").
 *
 * LTspice's level 2, for vh that is not 0, is never quite on or off (LTspice Help, "S. Voltage Controlled Switch"):
 *     ln g = ln(roff/ron)/pi atan((u - vt)/|vh|) - ln(roff ron)/2
 * and its currents bend into their limit, i = ilimit tanh(g v/ilimit), as those of ideal diodes do; at level 1 they follow g v
 * up to the limit, and 1/roff from there on.  Vser of LTspice is a voltage in series with the resistance.
 */
#include "base/rounding.h"
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/model_cards.h"
#include "devices/noise.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROW_ON, ROW_OFF, ROW_M, ROWS };
enum {
    MODEL_THRESHOLD,
    MODEL_HYSTERESIS,
    MODEL_FULL,
    MODEL_NONE,
    MODEL_STAYS_ON,
    MODEL_STAYS_OFF,
    MODEL_RON,
    MODEL_ROFF,
    MODEL_LIMIT,
    MODEL_LEVEL,
    MODEL_NOISELESS,
    MODEL_VSER,
    MODEL_ROWS
};

static const struct parameter_info instance_rows[ROWS] = {
    [ROW_ON] = {"on", "", 0, 0, 1, "on where the control lies between the thresholds at the operating point", NULL},
    [ROW_OFF] = {"off", "", 0, 0, 1, "off there, the default", NULL},
    [ROW_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of switches in parallel", NULL},
};

#define ANY_ROW(name, unit, value, what, others)                                                                       \
    {                                                                                                                  \
        name, unit, value, -INFINITY, INFINITY, what, others                                                           \
    }
/* Of a control whose parameters begin with `c`, fully on at `on`; then other names of the four that mark an end. */
#define MODEL_ROWS_OF(c, unit, on, on_others, off_others, stays_on_others, stays_off_others)                           \
    {                                                                                                                  \
        [MODEL_THRESHOLD] = ANY_ROW(c "t", unit, 0, "threshold", NULL),                                                \
        [MODEL_HYSTERESIS] = ANY_ROW(                                                                                  \
            c "h", unit, 0,                                                                                            \
            "hysteresis: on above " c "t + " c "h, off below " c "t - " c "h; negative: smooth between these", NULL),  \
        [MODEL_FULL] = ANY_ROW(c "on", unit, on,                                                                       \
                               "fully on; with " c "off instead of " c "t and " c "h: smooth between", on_others),     \
        [MODEL_NONE] = ANY_ROW(c "off", unit, 0, "fully off", off_others),                                             \
        [MODEL_STAYS_ON] = ANY_ROW(                                                                                    \
            c "hon", unit, 0, "beside " c "on: once fully on it stays so down to this control; " c "on without it",    \
            stays_on_others),                                                                                          \
        [MODEL_STAYS_OFF] = ANY_ROW(                                                                                   \
            c "hoff", unit, 0, "beside " c "off: once fully off it stays so up to this control; " c "off without it",  \
            stays_off_others),                                                                                         \
        [MODEL_RON] = {"ron", "ohm", 1, DBL_MIN, INFINITY, "resistance when on", NULL},                                \
        [MODEL_ROFF] = {"roff", "ohm", 1e12, DBL_MIN, INFINITY, "resistance when off", NULL},                          \
        [MODEL_LIMIT] = {"ilimit", "A", INFINITY, DBL_MIN, INFINITY, "limit of the current in both directions", NULL}, \
        [MODEL_LEVEL] = {"level", "", 1, 1, 2, "2: LTspice's switch that is never quite on or off", NULL},             \
        [MODEL_NOISELESS] = {"noiseless", "", 0, 0, 1, "no thermal noise", NULL},                                      \
        [MODEL_VSER] = ANY_ROW("vser", "V", 0, "voltage in series with the resistance", NULL),                         \
    }

static const struct parameter_info voltage_rows[MODEL_ROWS] =
    MODEL_ROWS_OF("v", "V", 1, "on ion", "off ioff", "onh ihon", "offh ihoff");
static const struct parameter_info current_rows[MODEL_ROWS] = MODEL_ROWS_OF("i", "A", 1e-3, "on", "off", "onh", "offh");

static const struct model_type voltage_types[] = {{"sw", NULL, NULL},
                                                  {"vswitch", NULL, NULL},
                                                  {"switch", NULL, "Xyce's, with CONTROL={..}"},
                                                  {"iswitch", NULL, "Xyce's: ion and ioff are then voltages"},
                                                  {NULL, NULL, NULL}};
static const struct model_type current_types[] = {{"csw", NULL, NULL}, {"iswitch", NULL, NULL}, {NULL, NULL, NULL}};

/* Of one model. */
struct switch_law {
    bool smooth;
    double upper, lower; /* thresholds that turn on and off */
    double full, none;   /* smooth: where it is on and off */
    bool stays;          /* smooth: once at an end it stays there up to the following */
    double stays_on, stays_off;
    double ron, roff; /* ohm */
    bool gradual;     /* level 2: by the arctangent, with `half` for |vh| */
    double half;
    double limit;  /* A, INFINITY: none */
    double series; /* V */
    bool noiseless;
};

/* A memory: above once the control has passed the upper threshold, until it has passed the lower one. */
struct latch {
    struct switch_item *item;
    double sign; /* -1 where a small control turns on: thresholds and control count with it */
    double upper, lower;
    signed char held; /* 1: above, -1: below, 0: by the control */
    signed char was;  /* the same, before the run goes on with other values; 0: it has not begun yet */
};

struct switch_item {
    const struct element *element;
    const struct switch_law *law;
    bool starts_on;
    struct latch on;  /* without transition, or with one that stays */
    struct latch off; /* with a transition that stays: above is no longer off */
    double parallel;  /* m */
    double share;     /* of the controlling current, what one of the parallel ones sees; 1 of a voltage */
    int plus, minus;
    int control_plus, control_minus;
    int slots[4];         /* of its own voltage */
    int control_slots[4]; /* (plus, control plus) (plus, control minus) (minus, ..) (minus, ..); smooth only */
};

struct switch_batch {
    struct batch base;
    struct switch_item *items;
    struct latch **latches; /* whose numbers are those of switching functions */
    size_t latch_count;
    double kelvin;
};

/* ---- parameters ---- */

/* PSpice's types have a transition too where nothing of it is given, but thresholds where these are (SIMetrix Simulator Reference
 * Manual 8.1, Voltage Controlled Switch, which calls itself compatible: "VT: if present enables hysteresis mode"). */
static bool is_transition(const struct model *m, const bool *given)
{
    const bool between =
        strcmp(m->type, "vswitch") == 0 || strcmp(m->type, "switch") == 0 || strcmp(m->type, "iswitch") == 0;
    return given[MODEL_FULL] || given[MODEL_NONE] || (between && !given[MODEL_THRESHOLD] && !given[MODEL_HYSTERESIS]);
}

static bool check_transition(const struct model *m, const struct parameter_info *rows, const double *values,
                             const bool *given, struct kn_diagnostics *d)
{
    const char *full = rows[MODEL_FULL].name, *none = rows[MODEL_NONE].name;
    if (given[MODEL_THRESHOLD] || given[MODEL_HYSTERESIS])
        diagnostics_add(d, KN_WARNING, "switch-model", m->where,
                        diagnostics_hint(d, "leave %s and %s away for a switch with thresholds", full, none),
                        "model '%s': beside %s and %s, %s and %s are ignored", m->name, full, none,
                        rows[MODEL_THRESHOLD].name, rows[MODEL_HYSTERESIS].name);
    if (values[MODEL_FULL] != values[MODEL_NONE])
        return true;
    diagnostics_add(d, KN_ERROR, "switch-model", m->where,
                    diagnostics_hint(d, "for a sharp switch give %s instead", rows[MODEL_THRESHOLD].name),
                    "model '%s': %s and %s are both %g", m->name, full, none, values[MODEL_FULL]);
    return false;
}

static bool make_law(const struct model *m, const struct parameter_info *rows, const double *values, const bool *given,
                     struct kn_diagnostics *d, struct switch_law *law)
{
    const double middle = values[MODEL_THRESHOLD], half = values[MODEL_HYSTERESIS];
    const bool transition = is_transition(m, given);
    const bool stays_on = given[MODEL_STAYS_ON], stays_off = given[MODEL_STAYS_OFF];
    const bool gradual = values[MODEL_LEVEL] == 2 && half != 0 && !transition;
    *law = (struct switch_law){.smooth = transition || half < 0 || gradual,
                               .gradual = gradual,
                               .half = fabs(half),
                               .limit = values[MODEL_LIMIT],
                               .series = values[MODEL_VSER],
                               .noiseless = values[MODEL_NOISELESS] != 0,
                               .upper = middle + half,
                               .lower = middle - half,
                               .full = transition ? values[MODEL_FULL] : middle - half,
                               .none = transition ? values[MODEL_NONE] : middle + half,
                               .stays = transition && (stays_on || stays_off),
                               .stays_on = values[stays_on ? MODEL_STAYS_ON : MODEL_FULL],
                               .stays_off = values[stays_off ? MODEL_STAYS_OFF : MODEL_NONE],
                               .ron = values[MODEL_RON],
                               .roff = transition && !given[MODEL_ROFF] ? 1e6 : values[MODEL_ROFF]};
    return !transition || check_transition(m, rows, values, given, d);
}

static enum kn_status make_laws(const struct device_input *in, struct arena *arena, struct model_cards *cards,
                                struct switch_law **laws)
{
    const struct parameter_info *rows = in->elements[0]->kind->model.rows;
    const enum kn_status status = model_cards_read(in, arena, cards);
    if (status != KN_OK)
        return status;
    *laws = arena_array(arena, cards->count + 1, sizeof **laws);
    if (!*laws)
        return KN_ERROR_MEMORY;
    bool good = true;
    for (size_t i = 0; i < cards->count; i++)
        good &= make_law(cards->models[i], rows, model_card_values(cards, i), model_card_given(cards, i),
                         in->diagnostics, &(*laws)[i]);
    return good ? KN_OK : KN_ERROR_DECK;
}

static void add_latch(struct switch_batch *b, struct switch_item *item, struct latch *latch, double upper, double lower)
{
    const double sign = item->law->smooth && item->law->full < item->law->none ? -1 : 1;
    *latch = (struct latch){.item = item, .sign = sign, .upper = sign * upper, .lower = sign * lower};
    b->latches[b->latch_count++] = latch;
}

/* A control that comes to rest at von is on, and off at voff: both thresholds lie inside by this part of the transition, where
 * ln R differs from its end by ln(roff/ron) 3e-12. */
static const double touch = 1e-6;

static void add_latches(struct switch_batch *b, struct switch_item *item)
{
    const struct switch_law *law = item->law;
    if (!law->smooth)
        add_latch(b, item, &item->on, law->upper, law->lower);
    if (!law->stays)
        return;
    const double inside = touch * (law->full - law->none);
    add_latch(b, item, &item->on, law->full - inside, law->stays_on - inside);
    add_latch(b, item, &item->off, law->stays_off + inside, law->none + inside);
}

static bool make_item(struct switch_batch *b, const struct element *e, const struct switch_law *law,
                      struct switch_item *item)
{
    double values[ROWS];
    bool given[ROWS];
    if (!element_parameters_read(e, b->base.diagnostics, values, given))
        return false;
    item->element = e;
    item->law = law;
    item->starts_on = values[ROW_ON] != 0;
    item->parallel = values[ROW_M];
    add_latches(b, item);
    return true;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct switch_batch *b = batch;
    struct model_cards cards;
    struct switch_law *laws;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    b->latches = arena_array(b->base.arena, 2 * in->count + 1, sizeof(struct latch *));
    if (!b->items || !b->latches)
        return KN_ERROR_MEMORY;
    enum kn_status status = make_laws(in, b->base.arena, &cards, &laws);
    for (size_t k = 0; k < in->count && status == KN_OK; k++)
        if (!make_item(b, in->elements[k], &laws[model_cards_find(&cards, in->elements[k]->model)], &b->items[k]))
            status = KN_ERROR_DECK;
    return status;
}

/* ---- unknowns ---- */

static void connect_control(const struct switch_batch *b, const struct device_setup *s, struct switch_item *item)
{
    const struct element *e = item->element;
    item->share = 1;
    if (e->control_node_count > 0) {
        item->control_plus = setup_node(s, e->control_nodes[0]);
        item->control_minus = setup_node(s, e->control_nodes[1]);
        return;
    }
    item->control_plus = setup_controlling_current(s, b->base.diagnostics, e, e->control_elements[0], e->where);
    item->share = setup_current_share(s, e->control_elements[0]);
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct switch_batch *b = batch;
    struct switch_item *item = &b->items[k];
    connect_control(b, s, item);
    item->plus = setup_node(s, item->element->nodes[0]);
    item->minus = setup_node(s, item->element->nodes[1]);
    if (!setup_pair(s, item->plus, item->minus, item->slots))
        return false;
    int *slots = item->control_slots;
    return !item->law->smooth || (setup_entry(s, item->plus, item->control_plus, &slots[0]) &&
                                  setup_entry(s, item->plus, item->control_minus, &slots[1]) &&
                                  setup_entry(s, item->minus, item->control_plus, &slots[2]) &&
                                  setup_entry(s, item->minus, item->control_minus, &slots[3]));
}

/* ---- the law ---- */

static double control_of(const struct switch_item *item, const double *x)
{
    return (x[item->control_plus] - x[item->control_minus]) * item->share;
}

static int side_before(const struct latch *l)
{
    return l->held != 0 ? l->held : l->was;
}

/* One that its own voltage closes from zero on is a diode. */
static bool is_diode(const struct latch *l)
{
    const struct switch_item *item = l->item;
    const bool own = item->control_plus == item->plus && item->control_minus == item->minus;
    const bool reversed = item->control_plus == item->minus && item->control_minus == item->plus;
    return (own || reversed) && l->upper == 0 && l->lower == 0;
}

static bool was_above(const struct latch *l)
{
    const int side = side_before(l);
    return side != 0 ? side > 0 : l->item->starts_on;
}

/* The control minus the threshold whose crossing changes the memory. */
static double beyond_threshold(const struct latch *l, double u)
{
    return l->sign * u - (was_above(l) ? l->lower : l->upper);
}

/* At a threshold, but for rounding, the memory is what it was before or is to be at first. */
static bool is_above(const struct latch *l, double u)
{
    const double beyond = beyond_threshold(l, u), rounding = is_diode(l) ? 0 : 2 * ROUNDING_SOLVED * fabs(u);
    return l->held != 0 ? l->held > 0 : was_above(l) ? beyond >= -rounding : beyond > rounding;
}

static double gradual_conductance(const struct switch_law *law, double u, double *slope)
{
    static const double pi = 3.14159265358979323846;
    const double s = (u - 0.5 * (law->upper + law->lower)) / law->half;
    const double ratio = (log(law->roff) - log(law->ron)) / pi;
    const double g = exp(ratio * atan(s) - 0.5 * (log(law->roff) + log(law->ron)));
    *slope = g * ratio / (law->half * (1 + s * s));
    return g;
}

/* ln R = mean - ratio (3/2 s - 2 s^3) with s = -1/2 (off) .. 1/2 (on). */
static double smooth_conductance(const struct switch_law *law, double u, double *slope)
{
    if (law->gradual)
        return gradual_conductance(law, u, slope);
    const double width = law->full - law->none;
    const double s = fmax(-0.5, fmin(0.5, (u - 0.5 * (law->full + law->none)) / width));
    const double mean = 0.5 * (log(law->roff) + log(law->ron)), ratio = log(law->roff) - log(law->ron);
    const double g = exp(ratio * s * (1.5 - 2 * s * s) - mean);
    *slope = g * ratio * (1.5 - 6 * s * s) / width;
    return g;
}

/* S; *slope: its derivative with respect to the difference of unknowns that controls. */
static double conductance(const struct switch_item *item, double u, double *slope)
{
    const struct switch_law *law = item->law;
    *slope = 0;
    if ((!law->smooth || law->stays) && is_above(&item->on, u))
        return item->parallel / law->ron;
    if (!law->smooth || (law->stays && !is_above(&item->off, u)))
        return item->parallel / law->roff;
    const double g = smooth_conductance(law, u, slope);
    *slope *= item->parallel * item->share;
    return item->parallel * g;
}

/* The current; *g, the conductance and what its derivative counts for (v), become those of the limited current. */
static double limited_current(const struct switch_item *item, double *g, double *v)
{
    const double all = item->law->limit * item->parallel, i = *g * *v, leak = item->parallel / item->law->roff;
    if (!(all < INFINITY))
        return i;
    if (item->law->gradual) {
        const double bent = tanh(i / all), left = (1 - bent) * (1 + bent);
        *g *= left;
        *v *= left;
        return all * bent;
    }
    if (fabs(i) <= all)
        return i;
    const double limited = copysign(all + (fabs(*v) - all / *g) * leak, i);
    *v = copysign(all / (*g * *g) * leak, *v);
    *g = leak;
    return limited;
}

/* Across the resistance. */
static double voltage(const struct switch_item *item, const double *x)
{
    return x[item->plus] - x[item->minus] - item->law->series;
}

static void eval_item(const struct switch_item *item, const struct device_point *at, const struct device_stamp *out)
{
    double slope, v = voltage(item, at->x);
    double g = conductance(item, control_of(item, at->x), &slope);
    const double i = limited_current(item, &g, &v);
    if (at->what & EVALUATE_F) {
        out->f[item->plus] += i;
        out->f[item->minus] -= i;
    }
    if (!(at->what & EVALUATE_G))
        return;
    pair_stamp(item->slots, g, out->G);
    if (item->law->smooth)
        pair_stamp(item->control_slots, slope * v, out->G);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    const struct switch_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        eval_item(&b->items[k], at, out);
}

/* ---- switching ---- */

static size_t switch_count(const void *batch)
{
    return ((const struct switch_batch *)batch)->latch_count;
}

static void switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct switch_batch *b = batch;
    (void)when;
    for (size_t i = 0; i < b->latch_count; i++)
        g[i] = beyond_threshold(b->latches[i], control_of(b->latches[i]->item, x));
}

static void hold(void *batch, size_t number, int side)
{
    ((struct switch_batch *)batch)->latches[number]->held = (signed char)side;
}

/* Sides of its latches: beyond the thresholds that there are now the control counts. */
static void *memory(const void *batch, size_t k, struct arena *arena)
{
    const struct switch_item *item = &((const struct switch_batch *)batch)->items[k];
    signed char *sides = arena_alloc(arena, 2);
    if (sides) {
        sides[0] = (signed char)side_before(&item->on);
        sides[1] = (signed char)side_before(&item->off);
    }
    return sides;
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    struct switch_item *item = &((struct switch_batch *)batch)->items[k];
    const signed char *sides = kept;
    item->on.was = sides[0];
    item->off.was = sides[1];
    return KN_OK;
}

static void rest(void *batch, bool rests)
{
    const struct switch_batch *b = batch;
    for (size_t i = 0; rests && i < b->latch_count; i++)
        b->latches[i]->was = 0;
}

static const struct element *switch_owner(const void *batch, size_t number)
{
    return ((const struct switch_batch *)batch)->latches[number]->item->element;
}

static bool switch_rectifies(const void *batch, size_t number, double bend[2])
{
    (void)bend;
    return is_diode(((const struct switch_batch *)batch)->latches[number]);
}

/* Without hysteresis one whose control comes to the threshold and stays there has turned, as in ngspice: a pulse of 0 and 5 V
 * closes it, be the threshold 0 or 5 V.  With hysteresis it is to go beyond. */
static enum switch_rest switch_at_zero(const void *batch, size_t number)
{
    const struct latch *l = ((const struct switch_batch *)batch)->latches[number];
    return l->upper == l->lower ? SWITCH_REST_TURNS : SWITCH_REST_KEEPS;
}

/* ---- what the index analysis sees ---- */

/* A conductance, and where it changes smoothly a current that the control adds. */
static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct switch_item *item = &((const struct switch_batch *)batch)->items[k];
    const struct branch own = {.kind = BRANCH_R, .plus = item->plus, .minus = item->minus, .element = item->element};
    const int controls[] = {item->control_plus, item->control_minus};
    const struct branch_control pair = {item->control_plus, item->control_minus};
    struct branch added = own;
    added.kind = BRANCH_I;
    added.part = added.short_name = "control";
    added.controlled = true;
    added.controls = controls[0] ? controls : controls + 1;
    added.control_count = (size_t)(controls[0] != 0) + (controls[1] != 0);
    added.pairs = &pair;
    added.pair_count = 1;
    return branch_add(list, &own) && (!item->law->smooth || added.control_count == 0 || branch_add(list, &added));
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct switch_item *item = &((const struct switch_batch *)batch)->items[k];
    double slope, v = voltage(item, at->x), g = conductance(item, control_of(item, at->x), &slope);
    const double i = limited_current(item, &g, &v);
    return terminal == 0 ? i : terminal == 1 ? -i : 0.0;
}

static void prepare(void *batch, size_t k, double temperature)
{
    (void)k;
    ((struct switch_batch *)batch)->kelvin = temperature + DEVICE_KELVIN;
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct switch_batch *b = batch;
    const struct switch_item *item = &b->items[k];
    const struct noise_place place = {item->element, NULL, item->plus, item->minus};
    double slope;
    const double g = conductance(item, control_of(item, at->x), &slope);
    return item->law->noiseless || noise_add_thermal(list, place, g, b->kelvin);
}

/* The two families differ by their kind only. */
#define SWITCH_CLASS(...)                                                                                              \
    {                                                                                                                  \
        .kind = {.form = CARD_MODEL,                                                                                   \
                 .flat = true,                                                                                         \
                 .nodes = "n+ n-",                                                                                     \
                 .instance = {instance_rows, ROWS, NULL},                                                              \
                 __VA_ARGS__},                                                                                         \
        .batch_size = sizeof(struct switch_batch), .fill = fill, .connect = connect, .prepare = prepare, .eval = eval, \
        .switch_count = switch_count, .switches = switches, .hold = hold, .switch_owner = switch_owner,                \
        .switch_rectifies = switch_rectifies, .switch_at_zero = switch_at_zero, .switches_remember = true,             \
        MEMORY_FUNCTIONS, .rest = rest, .branches = branches, .current = current, .conducts_only = true,               \
        .noise = noise,                                                                                                \
    }

const struct device_class voltage_switch_class =
    SWITCH_CLASS(.letter = 's', .laws = "voltage switch", .noun = "voltage-controlled switch",
                 .usage = "nc+ nc- model [on|off]", .control_nodes = 2, .types = voltage_types,
                 .model = {voltage_rows, MODEL_ROWS, NULL});
const struct device_class current_switch_class =
    SWITCH_CLASS(.letter = 'w', .laws = "current switch", .noun = "current-controlled switch",
                 .usage = "Vsource model [on|off]", .control_elements = 1, .types = current_types,
                 .model = {current_rows, MODEL_ROWS, NULL});
