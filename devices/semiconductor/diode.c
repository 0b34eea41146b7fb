/* diode.c - D: SPICE's junction diode, level 1, with PSpice's parameters as level 2 and ngspice's sidewall as level 3.
 *
 * Between internal anode and cathode, v the junction voltage:
 *     i = id(v) + gmin v,   q = Tt id(v) + Qj(v),
 * with the law of diode_law.h; Rs leads from the anode to an internal node.
 *
 * Level 2 (PSpice, Xyce): high injection by a root, a second breakdown exponential, Bv and Ikf with temperature
 * coefficients.  Level 3 (ngspice): area w l and perimeter 2 (w + l) where w and l are given.  Otherwise all levels have
 * all parameters.  Temperature: junction.h, tlev and tlevc as in ngspice 39, tlev 2 by Varshni's gap.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/semiconductor/diode_parameters.h"

static const struct model_type types[] = {{"d", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_level levels[] = {{1, NULL}, {2, "PSpice's and Xyce's"}, {3, "with sidewall"}, {0, NULL}};

/* Current and charge of the junction, without gmin, and where they were evaluated. */
struct diode_tangent {
    double voltage; /* NaN before */
    double current, conductance, charge, capacitance;
};

struct diode_batch {
    struct instances all;
    struct diode_law *laws;       /* [count] */
    double *series;               /* [count] conductance of Rs, S; 0: no internal node */
    int *anode, *inner, *cathode; /* [count] unknowns; inner is the anode when there is no Rs */
    int (*junction_slots)[4];     /* [count] */
    int (*series_slots)[4];
    double *previous;               /* [count] junction voltage of the evaluation before, for limiting */
    struct diode_tangent *tangents; /* [count] of the last evaluation with derivatives, see DEVICE_NEAR */
    bool has_charge;
};

/* ---- set-up ---- */

static const struct instance_array arrays[] = {
    INSTANCE_ARRAY(diode_batch, laws),         INSTANCE_ARRAY(diode_batch, series),
    INSTANCE_ARRAY(diode_batch, anode),        INSTANCE_ARRAY(diode_batch, inner),
    INSTANCE_ARRAY(diode_batch, cathode),      INSTANCE_ARRAY(diode_batch, junction_slots),
    INSTANCE_ARRAY(diode_batch, series_slots), INSTANCE_ARRAY(diode_batch, previous),
    INSTANCE_ARRAY(diode_batch, tangents)};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct diode_batch *b = batch;
    const enum kn_status status = diode_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < b->all.base.count; k++)
        b->has_charge |= b->all.model[k][DIODE_CJO] > 0 || b->all.model[k][DIODE_TT] > 0 ||
                         b->all.model[k][DIODE_CJSW] > 0 || diode_fixed_capacitance(&b->all, k) > 0;
    return status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct diode_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    b->anode[k] = setup_node(s, e->nodes[0]);
    b->cathode[k] = setup_node(s, e->nodes[1]);
    b->inner[k] = instance_inner_node(s, e, b->all.model[k][DIODE_RS] > 0, b->anode[k], "internal");
    return b->inner[k] >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct diode_batch *b = batch;
    return setup_pair(s, b->inner[k], b->cathode[k], b->junction_slots[k]) &&
           (b->inner[k] == b->anode[k] || setup_pair(s, b->anode[k], b->inner[k], b->series_slots[k]));
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct diode_batch *b = batch;
    const struct thermal t = instance_thermal(&b->all, k, temperature, DIODE_OWN_TEMP, DIODE_OWN_DTEMP, DIODE_TNOM);
    b->laws[k] = diode_at(&b->all, k, t, &b->series[k]);
    b->tangents[k].voltage = NAN;
}

/* ---- evaluation ---- */

/* The voltage diode k is evaluated at: v, or nearer to the one before. */
static double evaluation_voltage(struct diode_batch *b, size_t k, double v, const struct device_point *at)
{
    if (!at->limit)
        return v;
    const double *reference = at->x_reference;
    const double previous = at->first ? reference[b->inner[k]] - reference[b->cathode[k]] : b->previous[k];
    const double critical = b->laws[k].critical_voltage;
    const bool cold = critical < HUGE_VAL && junction_is_cold(at->when.time, at->first, v, previous);
    const double u = cold ? critical : diode_limit(&b->laws[k], v, previous);
    if (u != v)
        *at->limited = true;
    return b->previous[k] = u;
}

static double junction_voltage(const struct diode_batch *b, size_t k, const double *x)
{
    return x[b->inner[k]] - x[b->cathode[k]];
}

/* The tangent at u, its charge only where asked for. */
static void evaluate_at(const struct diode_law *law, double u, bool charge, struct diode_tangent *t)
{
    t->voltage = u;
    t->current = diode_current(law, u, &t->conductance);
    if (charge)
        t->charge = diode_charge(law, u, t->current, t->conductance, &t->capacitance);
}

/* Whether the charge of the junction is that of the current alone, Tt i, and more than gmin drains.  Of such diodes in series equal charges
 * run out together, since one current drains all; a part of 1e-10 that one has more keeps it conducting when the others block, which then
 * share the whole reverse voltage.  Formulas of integrators are linear in charges and keep equal ones equal, but one diode on its tangent
 * beside another on its law does not: no tangent is as good as it.  A depletion charge holds what the tangent misses. */
static bool is_drained(const struct diode_law *law, const struct diode_tangent *t, double gmin)
{
    if (!(law->transit_time > 0))
        return false;
    const bool held =
        law->depletion.capacitance > 0 || law->side_depletion.capacitance > 0 || law->fixed_capacitance > 0;
    return !held && t->conductance > gmin;
}

static const struct diode_tangent *tangent_at(struct diode_batch *b, size_t k, const struct device_point *at,
                                              struct diode_tangent *partial)
{
    const double v = junction_voltage(b, k, at->x);
    struct diode_tangent *kept = &b->tangents[k];
    const bool cold = at->limit && at->first && at->when.time <= 0;
    const bool near = fabs(v - kept->voltage) <= at->near && !cold && !is_drained(&b->laws[k], kept, at->gmin);
    batch_count_calm(&b->all.base, k, near);
    if (near) {
        b->previous[k] = v;
        return kept;
    }
    const bool whole = makes_tangents(at->what);
    struct diode_tangent *t = whole ? kept : partial;
    const bool charge = b->has_charge && (whole || (at->what & (EVALUATE_Q | EVALUATE_C)));
    evaluate_at(&b->laws[k], evaluation_voltage(b, k, v, at), charge, t);
    return t;
}

/* What the tangent gives where the junction's voltage is v. */
static void add_tangent(const struct diode_batch *b, size_t k, const struct device_point *at, double v,
                        const struct diode_tangent *t, const struct device_stamp *out)
{
    const int p = b->inner[k], n = b->cathode[k];
    const double distance = v - t->voltage;
    if (at->what & EVALUATE_F) {
        const double current = t->current + t->conductance * distance + at->gmin * v;
        out->f[p] += current;
        out->f[n] -= current;
    }
    if (at->what & EVALUATE_G)
        pair_stamp(b->junction_slots[k], t->conductance + at->gmin, out->G);
    if (b->has_charge && (at->what & EVALUATE_Q)) {
        const double charge = t->charge + t->capacitance * distance;
        out->q[p] += charge;
        out->q[n] -= charge;
    }
    if (b->has_charge && (at->what & EVALUATE_C))
        pair_stamp(b->junction_slots[k], t->capacitance, out->C);
}

LOOK_AT_TANGENTS(struct diode_batch, struct diode_tangent)

static void add(const void *object, const struct device_point *at, size_t from, size_t to, const void *room,
                const struct device_stamp *out)
{
    const struct diode_batch *b = object;
    const struct room *r = room;
    for (size_t i = 0; i < to - from; i++) {
        const size_t k = b->all.base.active[from + i];
        add_tangent(b, k, at, junction_voltage(b, k, at->x), r->tangents[i], out);
    }
}

static void eval(void *object, const struct device_point *at, const struct device_stamp *out)
{
    struct room room;
    batch_eval(object, look, add, at, &room, out);
}

static size_t ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct diode_batch *b = batch;
    unknowns[0] = b->inner[k];
    unknowns[1] = b->cathode[k];
    return 2;
}

static void tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    const struct diode_batch *b = batch;
    const struct device_point at = {.what = EVALUATE_ALL, .gmin = sign * gmin};
    const struct diode_tangent *t = &b->tangents[k];
    const struct diode_tangent scaled = {t->voltage, sign * t->current, sign * t->conductance, sign * t->charge,
                                         sign * t->capacitance};
    add_tangent(b, k, &at, 0, &scaled, out);
}

static void stamp(const void *object, double *G, double *C)
{
    const struct diode_batch *b = object;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++)
        if (b->inner[k] != b->anode[k])
            pair_stamp(b->series_slots[k], b->series[k], G);
}

/* ---- what others ask ---- */

static double current(const void *object, size_t k, int terminal, const struct device_probe *at)
{
    const struct diode_batch *b = object;
    const double sign = terminal == 0 ? 1 : terminal == 1 ? -1 : 0;
    const int a = b->anode[k], p = b->inner[k];
    if (p != a)
        return sign * b->series[k] * (at->x[a] - at->x[p]);
    const double v = junction_voltage(b, k, at->x);
    const struct diode_tangent *t = &b->tangents[k];
    struct diode_tangent own = {0};
    if (!(fabs(v - t->voltage) <= at->near)) {
        evaluate_at(&b->laws[k], v, b->has_charge, &own);
        t = &own;
    }
    const double i = t->current + t->conductance * (v - t->voltage);
    return sign * (i + at->gmin * v + t->capacitance * junction_voltage(b, k, at->dxdt));
}

enum { Q_REGION, Q_ID, Q_VD, Q_GD, Q_CD, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_REGION] = {"region", NULL, "region", "off, on or breakdown"},
    [Q_ID] = {"id", NULL, "A", "current into the anode"},
    [Q_VD] = {"vd", NULL, "V", "voltage of the junction, behind the series resistance"},
    [Q_GD] = {"gd", NULL, "S", "conductance of the junction"},
    [Q_CD] = {"cd", "capd", "F", "capacitance of the junction, of depletion and transit time"},
};

/* On from half of the critical voltage on, where the current begins to bend. */
static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct diode_batch *b = batch;
    const struct diode_law *law = &b->laws[k];
    const double v = at->x[b->inner[k]] - at->x[b->cathode[k]];
    double g, c;
    const double i = diode_current(law, v, &g);
    diode_charge(law, v, i, g, &c);
    values[Q_REGION] = v > law->critical_voltage / 2 ? KN_ON : v < -law->breakdown_voltage ? KN_BREAKDOWN : KN_OFF;
    values[Q_ID] = current(batch, k, 0, at);
    values[Q_VD] = v;
    values[Q_GD] = g + at->gmin;
    values[Q_CD] = c;
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct diode_batch *b = batch;
    const struct diode_ends ends = {b->anode[k], b->inner[k], b->cathode[k]};
    const double v = at->x[ends.inner] - at->x[ends.cathode];
    double g;
    const double i = diode_current(&b->laws[k], v, &g) + at->gmin * v;
    return diode_add_noise(&b->all, k, ends, i, b->series[k], b->all.kelvin[k], list);
}

static bool add_junction(struct branch_list *list, enum branch_kind kind, struct branch_place place, bool blocks)
{
    const bool added = branch_add_law(list, kind, place, NULL, 0);
    if (added)
        list->branches[list->count - 1].blocks = blocks;
    return added;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct diode_batch *b = batch;
    const struct diode_law *law = &b->laws[k];
    const struct element *e = b->all.base.elements[k];
    const int a = b->anode[k], p = b->inner[k], n = b->cathode[k];
    const struct branch_place charge = {e, p, n, "junction charge", NULL};
    const bool blocks = isinf(law->breakdown_voltage) && !(law->tunnel.saturation > 0),
               depletes =
                   law->depletion.capacitance > 0 || law->side_depletion.capacitance > 0 || law->fixed_capacitance > 0;
    return branch_add_resistance(list, (struct branch_place){e, a, p, "series resistance", "s"}, 1 / b->series[k]) &&
           add_junction(list, BRANCH_R, (struct branch_place){e, p, n, "junction", NULL}, blocks) &&
           (!diode_stores(law) || add_junction(list, BRANCH_C, charge, blocks && !depletes));
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct diode_batch *b = batch;
    return instance_add_initial(&b->all, k, DIODE_OWN_IC, b->anode[k], b->cathode[k], list);
}

const struct device_class diode_class = {
    .kind =
        {
            ELEMENT_KIND('d', "diode", "anode cathode [temperature]", "model [area]", CARD_MODEL),
            .laws = "diode",
            .quantities = {quantity_rows, Q_COUNT},
            MODEL_TABLES(diode_instance_rows, DIODE_OWN_COUNT, diode_model_rows, DIODE_COUNT, diode_without_meaning),
            .heated = &heated_diode_class.kind,
            .values = "area",
        },
    FILLED_BATCH(struct diode_batch, fill),
    USUAL_FUNCTIONS,
    LOOK_FUNCTIONS,
    .prepare = prepare,
    .noise = noise,
};
