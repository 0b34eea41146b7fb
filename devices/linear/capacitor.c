/* capacitor.c - C: i = dq/dt, q = C(T) v, or q given by an expression (`Q=`).
 *
 * The charge leaves one node and enters the other, so charge is conserved whatever the expression depends on.  Geometry
 * after SPICE3's semiconductor capacitor: C = cj (l - short)(w - narrow) + 2 cjsw ((l - short) + (w - narrow)).
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/law_batch.h"
#include "devices/linear/passive.h"

#include <float.h>
#include <math.h>

enum { ROW_IC = PASSIVE_OWN, ROW_L, ROW_W, ROW_AGE, ROW_AGING };
enum { MODEL_CJ = PASSIVE_MODEL_OWN, MODEL_CJSW, MODEL_DEFW, MODEL_DEFL, MODEL_NARROW, MODEL_SHORT };

static const struct parameter_info instance_rows[] = {
    PASSIVE_INSTANCE_ROWS("c", "F", "capacitance"),
    {"ic", "V", 0.0, -INFINITY, INFINITY, "initial voltage", NULL},
    {"l", "m", 0.0, 0.0, INFINITY, "length; the model's defl when not given", NULL},
    {"w", "m", 0.0, 0.0, INFINITY, "width; the model's defw when not given", NULL},
    {"age", "h", 1.0, 1.0, INFINITY, "age of a ceramic capacitor, as in Xyce: C falls to C (1 - d log10(age))", NULL},
    {"d", "", 0.0233, 0.0, 1.0, "part of C that is lost per decade of age", NULL},
};

static const struct parameter_info model_rows[] = {
    PASSIVE_MODEL_ROWS("c", "F", "cap"),
    {"cj", "F/m^2", 0.0, 0.0, INFINITY, "capacitance per area", "cox"},
    {"cjsw", "F/m", 0.0, 0.0, INFINITY, "capacitance per edge length", "capsw"},
    {"defw", "m", 1e-6, DBL_MIN, INFINITY, "width of elements that give none", "w"},
    {"defl", "m", 0.0, 0.0, INFINITY, "length of elements that give none", "l"},
    {"narrow", "m", 0.0, -INFINITY, INFINITY, "width lost on the mask", NULL},
    {"short", "m", 0.0, -INFINITY, INFINITY, "length lost on the mask", NULL},
    {"vc1", "1/V", 0.0, -INFINITY, INFINITY, "linear coefficient of its own voltage, as in PSpice", NULL},
    {"vc2", "1/V^2", 0.0, -INFINITY, INFINITY, "quadratic one", NULL},
};

static const struct model_type types[] = {{"c", "cap", NULL}, {NULL, NULL, NULL}};

static double geometry(const struct passive_parameters *p)
{
    if (!p->model || !(p->model_given[MODEL_CJ] || p->model_given[MODEL_CJSW]))
        return NAN;
    if (!p->instance_given[ROW_L] && !p->model_given[MODEL_DEFL])
        return NAN;
    const double length =
        (p->instance_given[ROW_L] ? p->instance[ROW_L] : p->model[MODEL_DEFL]) - p->model[MODEL_SHORT];
    const double width =
        (p->instance_given[ROW_W] ? p->instance[ROW_W] : p->model[MODEL_DEFW]) - p->model[MODEL_NARROW];
    return p->model[MODEL_CJ] * length * width + 2.0 * p->model[MODEL_CJSW] * (length + width);
}

/* Xyce reference guide, capacitor: (1 - D log10(AGE)), AGE in hours. */
static double aged(const struct passive_parameters *p)
{
    return 1 - p->instance[ROW_AGING] * log10(p->instance[ROW_AGE]);
}

static const struct passive_rules rules = {
    .geometry = geometry,
    .factor = aged,
    .initial_row = ROW_IC,
};

struct capacitor {
    const struct element *element;
    struct law *law;    /* or NULL */
    double capacitance; /* F at temperature, all parallel ones together */
    int plus, minus;
    int slots[4];
};

struct capacitor_batch {
    struct law_batch laws;
    struct passive *parameters;
    struct capacitor *capacitors;
};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct capacitor_batch *b = batch;
    b->capacitors = arena_array(b->laws.base.arena, in->count + 1, sizeof *b->capacitors);
    if (!b->capacitors || !law_batch_init(&b->laws, in->count))
        return KN_ERROR_MEMORY;
    return passive_read(&rules, in, b->laws.base.arena, &b->parameters);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct capacitor_batch *b = batch;
    struct capacitor *c = &b->capacitors[k];
    const struct element *e = c->element = in->elements[k];
    if (e->law != LAW_NONE) {
        c->law = law_batch_add(&b->laws, e, true);
        return c->law ? KN_OK : KN_ERROR_MEMORY;
    }
    if (b->parameters[k].nominal < 0.0)
        diagnostics_add(in->diagnostics, KN_WARNING, "negative-capacitance", e->where, NULL,
                        "capacitor '%s' is negative: the circuit may be unstable", e->name);
    return KN_OK;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct capacitor_batch *b = batch;
    struct capacitor *c = &b->capacitors[k];
    c->plus = setup_node(s, c->element->nodes[0]);
    c->minus = setup_node(s, c->element->nodes[1]);
    return c->law ? law_connect(c->law, s, b->laws.base.diagnostics, c->plus, c->minus)
                  : setup_pair(s, c->plus, c->minus, c->slots);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct capacitor_batch *b = batch;
    const struct passive *p = &b->parameters[k];
    struct capacitor *c = &b->capacitors[k];
    const double capacitance = p->multiplier * p->nominal * passive_factor(p, temperature);
    if (c->law)
        law_prepare(c->law, passive_temperature(p, temperature), capacitance);
    else
        c->capacitance = capacitance;
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct capacitor_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        const struct capacitor *c = &b->capacitors[k];
        if (c->law)
            law_stamp(c->law, G, C);
        else
            pair_stamp(c->slots, c->capacitance, C);
    }
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct capacitor *c = &((const struct capacitor_batch *)batch)->capacitors[k];
    const struct branch b = {.kind = BRANCH_C,
                             .plus = c->plus,
                             .minus = c->minus,
                             .element = c->element,
                             .role = ROLE_VALUE,
                             .constant = c->capacitance};
    return c->law ? law_add_branch(c->law, &b, list) : branch_add(list, &b);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct capacitor_batch *b = batch;
    const struct capacitor *c = &b->capacitors[k];
    return passive_add_initial(&b->parameters[k], c->element, INITIAL_VOLTAGE, c->plus, c->minus, list);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct capacitor_batch *b = batch;
    const struct capacitor *c = &b->capacitors[k];
    const double sign = terminal == 0 ? 1.0 : -1.0;
    if (c->law)
        return sign * law_rate(c->law, at);
    return sign * c->capacitance * (at->dxdt[c->plus] - at->dxdt[c->minus]);
}

const struct device_class capacitor_class = {
    .kind =
        {
            ELEMENT_KIND('c', "capacitor", "node node", "value or formula, or Cname node node Q='..'", CARD_PASSIVE),
            /* Ratings of LTspice's data base of parts are ignored. */
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows,
                         "v irms mfg pn type tol mtbf pppkg"},
            .model = {model_rows, sizeof model_rows / sizeof *model_rows, NULL},
            .types = types,
            .value = "a capacitance",
            .law_names = "q charge",
            .law = LAW_CHARGE,
            .variable_letter = 'b',
            .parasitics = PARASITIC_RSER | PARASITIC_LSER | PARASITIC_RLSHUNT | PARASITIC_RPAR | PARASITIC_CPAR,
        },
    LAW_BATCH_FUNCTIONS,
    BATCH_OF(struct capacitor_batch),
    .connect = connect,
    .prepare = prepare,
    .stamp = stamp,
    .branches = branches,
    .initial = initial,
    .current = current,
};
