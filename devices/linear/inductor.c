/* inductor.c - L: v = dPhi/dt, Phi = L(T) i, or Phi given by an expression (`Flux=`).  Coupling is in coupling.c.
 *
 * The branch current i is an unknown; its row reads v(plus) - v(minus) - dPhi/dt = 0, so the row of q holds -Phi.
 */
#include "devices/linear/inductor.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/law_batch.h"

#include <float.h>
#include <math.h>

enum { ROW_IC = PASSIVE_OWN };

static const struct parameter_info instance_rows[] = {
    PASSIVE_INSTANCE_ROWS("l", "H", "inductance"),
    {"ic", "A", 0.0, -INFINITY, INFINITY, "initial current", NULL},
};

static const struct parameter_info model_rows[] = {
    PASSIVE_MODEL_ROWS("l", "H", "ind"),
    {"il1", "1/A", 0.0, -INFINITY, INFINITY, "linear coefficient of its own current, as in PSpice", NULL},
    {"il2", "1/A^2", 0.0, -INFINITY, INFINITY, "quadratic one", NULL},
};

static const struct model_type types[] = {{"l", "ind", NULL}, {NULL, NULL, NULL}};

static const struct passive_rules rules = {
    .initial_row = ROW_IC,
};

struct inductor {
    const struct element *element;
    struct law *law;   /* or NULL */
    double inductance; /* H at temperature, all parallel ones together */
    int plus, minus, current;
    struct incidence incidence;
    int flux_slot; /* (current, current) */
};

struct inductor_batch {
    struct law_batch laws;
    struct passive *parameters;
    struct inductor *inductors;
};

enum kn_status inductor_read(const struct device_input *in, struct arena *arena, struct passive **out)
{
    return passive_read(&rules, in, arena, out);
}

double inductor_value(const struct passive *p, double temperature)
{
    return p->nominal * passive_factor(p, temperature) / p->multiplier;
}

/* Parallel inductors would each carry a part of the current that the law is written in. */
static enum kn_status make_law(struct inductor_batch *b, size_t k)
{
    struct inductor *l = &b->inductors[k];
    if (b->parameters[k].multiplier != element_multiplicity(l->element)) {
        diagnostics_add(b->laws.base.diagnostics, KN_ERROR, "parameter-value", l->element->where,
                        "write the flux of the parallel inductors as one law",
                        "inductor '%s': m cannot be used together with a flux law", l->element->name);
        return KN_ERROR_DECK;
    }
    l->law = law_batch_add(&b->laws, l->element, true);
    return l->law ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct inductor_batch *b = batch;
    b->inductors = arena_array(b->laws.base.arena, in->count + 1, sizeof *b->inductors);
    if (!b->inductors || !law_batch_init(&b->laws, in->count))
        return KN_ERROR_MEMORY;
    return inductor_read(in, b->laws.base.arena, &b->parameters);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct inductor_batch *b = batch;
    const struct element *e = in->elements[k];
    b->inductors[k].element = e;
    if (e->law != LAW_NONE)
        return make_law(b, k);
    if (b->parameters[k].nominal < 0.0)
        diagnostics_add(in->diagnostics, KN_WARNING, "negative-inductance", e->where, NULL,
                        "inductor '%s' is negative: the circuit may be unstable", e->name);
    return KN_OK;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct inductor *l = &((struct inductor_batch *)batch)->inductors[k];
    return (l->current = setup_branch_current(s, l->element, NULL)) >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct inductor_batch *b = batch;
    struct inductor *l = &b->inductors[k];
    l->plus = setup_node(s, l->element->nodes[0]);
    l->minus = setup_node(s, l->element->nodes[1]);
    return incidence_connect(&l->incidence, s, l->plus, l->minus, l->current) &&
           setup_entry(s, l->current, l->current, &l->flux_slot) &&
           (!l->law || law_connect(l->law, s, b->laws.base.diagnostics, l->current, 0));
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct inductor_batch *b = batch;
    const struct passive *p = &b->parameters[k];
    struct inductor *l = &b->inductors[k];
    const double inductance = inductor_value(p, temperature);
    if (l->law) /* its argument is the current of one of the parallel ones (law.h) */
        law_prepare(l->law, passive_temperature(p, temperature), -inductance * p->multiplier);
    else
        l->inductance = inductance;
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct inductor_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        const struct inductor *l = &b->inductors[k];
        incidence_stamp(&l->incidence, G);
        if (l->law)
            law_stamp(l->law, G, C);
        else
            C[l->flux_slot] -= l->inductance;
    }
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct inductor *l = &((const struct inductor_batch *)batch)->inductors[k];
    const struct branch b = {.kind = BRANCH_L,
                             .plus = l->plus,
                             .minus = l->minus,
                             .element = l->element,
                             .role = ROLE_VALUE,
                             .constant = l->inductance,
                             .current = l->current};
    return l->law ? law_add_branch(l->law, &b, list) : branch_add(list, &b);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct inductor_batch *b = batch;
    const struct inductor *l = &b->inductors[k];
    struct passive whole = b->parameters[k];
    whole.initial *= element_multiplicity(l->element);
    return passive_add_initial(&whole, l->element, INITIAL_CURRENT, l->current, 0, list);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct inductor_batch *b = batch;
    const double i = at->x[b->inductors[k].current];
    return terminal == 0 ? i : -i;
}

const struct device_class inductor_class = {
    .kind =
        {
            ELEMENT_KIND('l', "inductor", "node node", "value or formula, or Lname node node Flux='..'", CARD_PASSIVE),
            /* Ratings of LTspice's data base of parts are ignored. */
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows, "ipk mfg pn type tol"},
            .model = {model_rows, sizeof model_rows / sizeof *model_rows, NULL},
            .types = types,
            .value = "an inductance",
            .law_names = "flux",
            .law = LAW_FLUX,
            .variable_letter = 'b',
            .parasitics = PARASITIC_RSER | PARASITIC_RPAR | PARASITIC_CPAR,
        },
    LAW_BATCH_FUNCTIONS,
    BATCH_OF(struct inductor_batch),
    USUAL_FUNCTIONS,
    .prepare = prepare,
    .initial = initial,
};
