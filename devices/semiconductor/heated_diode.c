/* heated_diode.c - D with the word thermal: a diode that heats itself, as in ngspice from version 36 on.
 *
 * Its third node has the rise of the junction above the diode's temperature as a voltage, 1 K per volt; into it flows the
 * power of junction and Rs as a current, out of it rise/rth0 and what cth0 stores:
 *     cth0 d(rise)/dt + rise/rth0 = v id + (v of Rs)^2/Rs.
 * Both belong to the element: neither area nor m changes them, as there.  The law is that of diode.c at the temperature of
 * the junction, with its exact derivatives by that (number.h).
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/junction/heat.h"
#include "devices/semiconductor/diode_parameters.h"

enum { ANODE, CATHODE, INNER, HEAT, NODES };

struct heated_diode {
    int unknowns[NODES], same[NODES], slots[NODES][NODES];
    struct thermal ambient;
    double resistance, capacitance; /* K/W; 0: no heat. Ws/K */
    double previous, warmth;        /* V and K of the evaluation before, for limiting */
};

struct heated_batch {
    struct instances all;
    struct heated_diode *items; /* [count] */
};

/* A diode at the bias where it is evaluated, and how far the point is from there. */
struct evaluated {
    const struct heated_diode *d;
    double gmin, v, rise;   /* of the point */
    double at, far, warmer; /* V, V, K */
    warm_number current, conductance, charge, capacitance, series;
};

/* ---- set-up ---- */

static enum kn_status fill(void *batch, const struct device_input *in)
{
    static const struct instance_array arrays[] = {INSTANCE_ARRAY(heated_batch, items)};
    struct heated_batch *b = batch;
    const enum kn_status status = diode_read(&b->all, in);
    return status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1) ? KN_ERROR_MEMORY : status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct heated_batch *b = batch;
    struct heated_diode *d = &b->items[k];
    const struct element *e = b->all.base.elements[k];
    const double *p = b->all.model[k];
    d->unknowns[ANODE] = setup_node(s, e->nodes[0]);
    d->unknowns[CATHODE] = setup_node(s, e->nodes[1]);
    d->unknowns[HEAT] = setup_node(s, e->nodes[2]);
    d->unknowns[INNER] = instance_inner_node(s, e, p[DIODE_RS] > 0, d->unknowns[ANODE], "internal");
    d->resistance = b->all.own[k][DIODE_OWN_THERMAL] != 0 && d->unknowns[HEAT] != 0 ? p[DIODE_RTH0] : 0;
    d->capacitance = p[DIODE_CTH0];
    return d->unknowns[INNER] >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct heated_diode *d = &((struct heated_batch *)batch)->items[k];
    return own_nodes_connect(s, NODES, d->unknowns, d->same, d->slots[0]);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct heated_batch *b = batch;
    b->items[k].ambient = instance_thermal(&b->all, k, temperature, DIODE_OWN_TEMP, DIODE_OWN_DTEMP, DIODE_TNOM);
}

/* ---- the bias ---- */

static double junction_voltage(const struct heated_diode *d, const double *x)
{
    return x[d->unknowns[INNER]] - x[d->unknowns[CATHODE]];
}

/* Ground is no temperature. */
static double rise_at(const struct heated_diode *d, const double *x)
{
    return d->resistance > 0 ? x[d->unknowns[HEAT]] : 0;
}

static struct evaluated evaluate(const struct heated_batch *b, size_t k, const double *x, double v, double rise)
{
    const struct heated_diode *d = &b->items[k];
    struct evaluated e = {.d = d, .v = junction_voltage(d, x), .rise = rise_at(d, x), .at = v};
    const warm_number kelvin = heat_number(d->ambient.kelvin + rise, d->resistance > 0);
    const struct warm_thermal t = warm_thermal_of(kelvin - DEVICE_KELVIN, d->ambient.nominal - DEVICE_KELVIN);
    const struct warm_diode_law law = warm_diode_at(&b->all, k, t, &e.series);
    e.far = e.v - v;
    e.warmer = e.rise - rise;
    e.current = warm_diode_current(&law, v, &e.conductance);
    e.charge = warm_diode_charge(&law, v, e.current, e.conductance, &e.capacitance);
    return e;
}

static struct evaluated evaluate_limited(struct heated_batch *b, size_t k, const struct device_point *at)
{
    struct heated_diode *d = &b->items[k];
    const double v = junction_voltage(d, at->x), rise = rise_at(d, at->x), kelvin = d->ambient.kelvin;
    struct thermal t = d->ambient;
    double series;
    if (!at->limit)
        return evaluate(b, k, at->x, v, rise);
    const double previous = at->first ? junction_voltage(d, at->x_reference) : d->previous;
    const double warmth = at->first ? rise_at(d, at->x_reference) : d->warmth;
    t = thermal_of(fmax(kelvin + warmth, 1) - DEVICE_KELVIN, t.nominal - DEVICE_KELVIN);
    const struct diode_law law = diode_at(&b->all, k, t, &series);
    const bool cold = law.critical_voltage < HUGE_VAL && junction_is_cold(at->when.time, at->first, v, previous);
    d->previous = cold ? law.critical_voltage : diode_limit(&law, v, previous);
    d->warmth = heat_limit(kelvin, rise, warmth);
    if (d->previous != v || d->warmth != rise)
        *at->limited = true;
    return evaluate(b, k, at->x, d->previous, d->warmth);
}

/* ---- evaluation ---- */

struct sums {
    double value[NODES], slope[NODES][NODES];
};

/* A current or charge from the inner node to the cathode. */
static void add_junction(const struct evaluated *e, warm_number value, warm_number slope, double gmin, struct sums *o)
{
    const double by_voltage = creal(slope) + gmin, by_heat = warm_slope(value);
    const double sum = creal(value) + creal(slope) * e->far + by_heat * e->warmer + gmin * e->v;
    const int ends[2] = {INNER, CATHODE};
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? 1 : -1;
        o->value[ends[i]] += sign * sum;
        o->slope[ends[i]][INNER] += sign * by_voltage;
        o->slope[ends[i]][CATHODE] -= sign * by_voltage;
        o->slope[ends[i]][HEAT] += sign * by_heat;
    }
}

static double series_at(const struct evaluated *e)
{
    return creal(e->series) + warm_slope(e->series) * e->warmer;
}

static void add_series(const struct evaluated *e, double v, struct sums *f)
{
    const double g = series_at(e), by_heat = warm_slope(e->series) * v;
    f->value[ANODE] += g * v;
    f->value[INNER] -= g * v;
    f->slope[ANODE][ANODE] += g;
    f->slope[ANODE][INNER] -= g;
    f->slope[INNER][ANODE] -= g;
    f->slope[INNER][INNER] += g;
    f->slope[ANODE][HEAT] += by_heat;
    f->slope[INNER][HEAT] -= by_heat;
}

static void add_heat(const struct evaluated *e, double across, struct sums *f)
{
    const double u = e->at, i = creal(e->current), g = creal(e->conductance), rs = series_at(e);
    const double by_voltage = i + u * g, by_heat = u * warm_slope(e->current);
    double *row = f->slope[HEAT];
    f->value[HEAT] -= u * i + by_voltage * e->far + by_heat * e->warmer + e->gmin * e->v * e->v + rs * across * across;
    row[INNER] -= by_voltage + 2 * e->gmin * e->v - 2 * rs * across;
    row[CATHODE] += by_voltage + 2 * e->gmin * e->v;
    row[ANODE] -= 2 * rs * across;
    row[HEAT] -= by_heat + warm_slope(e->series) * across * across;
}

static void gather(const void *instance, const struct device_point *at, bool charges, double *sums)
{
    const struct evaluated *e = instance;
    const struct heated_diode *d = e->d;
    const double across = at->x[d->unknowns[ANODE]] - at->x[d->unknowns[INNER]], heat = at->x[d->unknowns[HEAT]];
    struct sums *o = (struct sums *)sums;
    if (charges) {
        add_junction(e, e->charge, e->capacitance, 0, o);
        o->value[HEAT] += d->capacitance * heat;
        o->slope[HEAT][HEAT] += d->capacitance;
        return;
    }
    const double leads = d->resistance > 0 ? 1 / d->resistance : 1; /* without heat the node is at 0 */
    add_junction(e, e->current, e->conductance, e->gmin, o);
    add_series(e, across, o);
    o->value[HEAT] += leads * heat;
    o->slope[HEAT][HEAT] += leads;
    if (d->resistance > 0)
        add_heat(e, across, o);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct heated_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct heated_diode *d = &b->items[k];
        const struct own_nodes nodes = {NODES, d->unknowns, d->same, d->slots[0]};
        struct evaluated e = evaluate_limited(b, k, at);
        e.gmin = at->gmin;
        own_nodes_give(&nodes, gather, &e, at, out);
    }
}

/* ---- what others ask ---- */

static struct evaluated probe(const struct heated_batch *b, size_t k, const struct device_probe *at)
{
    const struct heated_diode *d = &b->items[k];
    struct evaluated e = evaluate(b, k, at->x, junction_voltage(d, at->x), rise_at(d, at->x));
    e.gmin = at->gmin;
    return e;
}

/* Into the thermal node flows a power. */
static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    static const int nodes[] = {ANODE, CATHODE, HEAT};
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    const struct own_nodes own = {NODES, e.d->unknowns, e.d->same, e.d->slots[0]};
    double into[NODES];
    own_nodes_flow(&own, gather, &e, at, into);
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        if (i != nodes[terminal] && (i != INNER || nodes[terminal] != ANODE || e.d->same[INNER] == INNER))
            continue;
        sum += into[i];
    }
    return sum;
}

enum { Q_ID, Q_VD, Q_GD, Q_CD, Q_TEMP, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_ID] = {"id", NULL, "A", "current into the anode"},
    [Q_VD] = {"vd", NULL, "V", "voltage of the junction, behind the series resistance"},
    [Q_GD] = {"gd", NULL, "S", "conductance of the junction"},
    [Q_CD] = {"cd", "capd", "F", "capacitance of the junction, of depletion and transit time"},
    [Q_TEMP] = {"temp", "tj", "degC", "temperature of the junction"},
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    values[Q_ID] = current(batch, k, 0, at);
    values[Q_VD] = e.v;
    values[Q_GD] = creal(e.conductance) + at->gmin;
    values[Q_CD] = creal(e.capacitance);
    values[Q_TEMP] = e.d->ambient.kelvin + e.rise - DEVICE_KELVIN;
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    const struct diode_ends ends = {e.d->unknowns[ANODE], e.d->unknowns[INNER], e.d->unknowns[CATHODE]};
    return diode_add_noise(&b->all, k, ends, creal(e.current) + at->gmin * e.v, creal(e.series),
                           e.d->ambient.kelvin + e.rise, list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct heated_batch *b = batch;
    const int *u = b->items[k].unknowns;
    return instance_add_initial(&b->all, k, DIODE_OWN_IC, u[ANODE], u[CATHODE], list);
}

static const struct model_type types[] = {{"d", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_level levels[] = {{1, NULL}, {2, NULL}, {3, NULL}, {0, NULL}};

const struct device_class heated_diode_class = {
    .kind =
        {
            ELEMENT_KIND('d', "diode that heats itself", "anode cathode temperature", "model [area] thermal",
                         CARD_MODEL),
            .short_noun = "heated-diode",
            .quantities = {quantity_rows, Q_COUNT},
            MODEL_TABLES(diode_instance_rows, DIODE_OWN_COUNT, diode_model_rows, DIODE_COUNT, diode_without_meaning),
            .values = "area",
        },
    FILLED_BATCH(struct heated_batch, fill),
    .number = number,
    .connect = connect,
    .prepare = prepare,
    .eval = eval,
    .current = current,
    .initial = initial,
    .observe = observe,
    .noise = noise,
};
