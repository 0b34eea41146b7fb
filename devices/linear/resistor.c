/* resistor.c - R: i = v / R(T).
 *
 * Zero ohm is a true short: a branch with its own current and the equation v = 0, never a small resistance put in
 * silently.  Geometry (rsh, l, w) after SPICE3's semiconductor resistor: R = rsh (l - short) / (w - narrow).
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/linear/passive.h"

#include <float.h>
#include <math.h>

enum { ROW_L = PASSIVE_OWN, ROW_W };
enum { MODEL_RSH = PASSIVE_MODEL_OWN, MODEL_DEFW, MODEL_NARROW, MODEL_SHORT };

static const struct parameter_info instance_rows[] = {
    PASSIVE_INSTANCE_ROWS("r", "ohm", "resistance"),
    {"l", "m", 0.0, 0.0, INFINITY, "length", NULL},
    {"w", "m", 0.0, 0.0, INFINITY, "width; the model's defw when not given", NULL},
};

static const struct parameter_info model_rows[] = {
    PASSIVE_MODEL_ROWS("r", "ohm", "res"),
    {"rsh", "ohm", 0.0, 0.0, INFINITY, "sheet resistance", NULL},
    {"defw", "m", 1e-6, DBL_MIN, INFINITY, "width of elements that give none", "w"},
    {"narrow", "m", 0.0, -INFINITY, INFINITY, "width lost on the mask", "dw"},
    {"short", "m", 0.0, -INFINITY, INFINITY, "length lost on the mask", "dlr"},
};

static const struct model_type types[] = {{"r", "res", NULL}, {NULL, NULL, NULL}};

static double geometry(const struct passive_parameters *p)
{
    if (!p->model || !p->model_given[MODEL_RSH] || !p->instance_given[ROW_L])
        return NAN;
    const double width = p->instance_given[ROW_W] ? p->instance[ROW_W] : p->model[MODEL_DEFW];
    const double squares = (p->instance[ROW_L] - p->model[MODEL_SHORT]) / (width - p->model[MODEL_NARROW]);
    return squares >= 0.0 && isfinite(squares) ? p->model[MODEL_RSH] * squares : NAN;
}

static const struct passive_rules rules = {
    .geometry = geometry,
};

struct resistor {
    const struct element *element;
    double conductance; /* S at temperature */
    int plus, minus;
    int current; /* of a short, else 0 */
    int slots[4];
    struct incidence incidence;
};

struct resistor_batch {
    struct batch base;
    struct kn_diagnostics *diagnostics;
    struct passive *parameters;
    struct resistor *resistors;
    size_t count;
};

static bool is_short(const struct resistor_batch *b, size_t k)
{
    return b->parameters[k].nominal == 0.0;
}

static void make_resistor(struct resistor_batch *b, const struct element *e, size_t k)
{
    b->resistors[k].element = e;
    if (b->parameters[k].nominal < 0.0)
        diagnostics_add(b->diagnostics, KN_NOTE, "negative-resistance", e->where, NULL,
                        "resistor '%s' is negative: it delivers energy", e->name);
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct resistor_batch *b = batch;
    b->diagnostics = in->diagnostics;
    b->count = in->count;
    b->resistors = arena_array(b->base.arena, in->count + 1, sizeof *b->resistors);
    if (!b->resistors)
        return KN_ERROR_MEMORY;
    const enum kn_status status = passive_read(&rules, in, b->base.arena, &b->parameters);
    for (size_t k = 0; status == KN_OK && k < in->count; k++)
        make_resistor(b, in->elements[k], k);
    return status;
}

static bool number(void *batch, struct device_setup *s)
{
    struct resistor_batch *b = batch;
    for (size_t k = 0; k < b->count; k++)
        if (is_short(b, k) && (b->resistors[k].current = setup_branch_current(s, b->resistors[k].element, NULL)) < 0)
            return false;
    return true;
}

static bool connect_resistor(struct device_setup *s, struct resistor *r)
{
    r->plus = setup_node(s, r->element->nodes[0]);
    r->minus = setup_node(s, r->element->nodes[1]);
    if (r->current)
        return incidence_connect(&r->incidence, s, r->plus, r->minus, r->current);
    return setup_pair(s, r->plus, r->minus, r->slots);
}

static bool connect(void *batch, struct device_setup *s)
{
    struct resistor_batch *b = batch;
    for (size_t k = 0; k < b->count; k++)
        if (!connect_resistor(s, &b->resistors[k]))
            return false;
    return true;
}

/* m resistors in parallel conduct m times as much. */
static void prepare(void *batch, double temperature)
{
    struct resistor_batch *b = batch;
    for (size_t k = 0; k < b->count; k++) {
        const struct passive *p = &b->parameters[k];
        if (!is_short(b, k))
            b->resistors[k].conductance = p->multiplier / (p->nominal * passive_factor(p, temperature));
    }
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct resistor_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->count; k++) {
        const struct resistor *r = &b->resistors[k];
        if (r->current)
            incidence_stamp(&r->incidence, G);
        else
            pair_stamp(r->slots, r->conductance, G);
    }
}

static bool add_branch(const struct resistor *r, struct branch_list *list)
{
    const struct branch b = {.kind = BRANCH_R,
                             .plus = r->plus,
                             .minus = r->minus,
                             .element = r->element,
                             .role = ROLE_VALUE,
                             .constant = r->current ? 0.0 : 1.0 / r->conductance,
                             .current = r->current};
    return branch_add(list, &b);
}

static bool branches(const void *batch, struct branch_list *list)
{
    const struct resistor_batch *b = batch;
    for (size_t k = 0; k < b->count; k++)
        if (!add_branch(&b->resistors[k], list))
            return false;
    return true;
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct resistor_batch *b = batch;
    const struct resistor *r = &b->resistors[k];
    const double sign = terminal == 0 ? 1.0 : -1.0;
    if (r->current)
        return sign * at->x[r->current];
    return sign * r->conductance * (at->x[r->plus] - at->x[r->minus]);
}

const struct device_class resistor_class = {
    .kind =
        {
            .letter = 'r',
            .noun = "resistor",
            .nodes = "node node",
            .usage = "value",
            .form = CARD_PASSIVE,
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows, "noisy noise ac tol pwr mfg pn"},
            .model = {model_rows, sizeof model_rows / sizeof *model_rows, NULL},
            .types = types,
            .value = "a resistance",
            .variable_letter = 'b',
        },
    .batch_size = sizeof(struct resistor_batch),
    .fill = fill,
    .number = number,
    .connect = connect,
    .prepare = prepare,
    .stamp = stamp,
    .branches = branches,
    .current = current,
};
