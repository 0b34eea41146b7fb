/* winding.c - L whose K card names a core: a coil of so many turns on it.
 *
 * The branch current is an unknown, and its row reads v(plus) - v(minus) - dPhi/dt = 0; the flux is the core's business
 * (core.c).
 */
#include "devices/magnetic/winding.h"

#include "devices/families.h"
#include <math.h>

enum { ROW_IC, ROW_M, ROW_TURNS, ROWS };

static const struct parameter_info rows[ROWS] = {
    [ROW_IC] = {"ic", "A", 0.0, -INFINITY, INFINITY, "initial current", NULL},
    [ROW_M] = {"m", "", 1.0, 1.0, INFINITY, "number of coils and cores in parallel", NULL},
    [ROW_TURNS] = {"turns", "", 0.0, -INFINITY, INFINITY, "number of turns, when not given after the nodes",
                   "l inductance value"},
};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct winding_batch *b = batch;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    return b->items ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct winding *w = &((struct winding_batch *)batch)->items[k];
    const struct element *e = in->elements[k];
    double values[ROWS];
    bool given[ROWS];
    w->element = e;
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return KN_ERROR_DECK;
    w->has_initial = given[ROW_IC];
    w->initial = values[ROW_IC] * values[ROW_M];
    return KN_OK;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct winding *w = &((struct winding_batch *)batch)->items[k];
    return (w->current = setup_branch_current(s, w->element, NULL)) >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct winding *w = &((struct winding_batch *)batch)->items[k];
    w->plus = setup_node(s, w->element->nodes[0]);
    w->minus = setup_node(s, w->element->nodes[1]);
    return incidence_connect(&w->incidence, s, w->plus, w->minus, w->current);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct winding_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        incidence_stamp(&b->items[k].incidence, G);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct winding *w = &((const struct winding_batch *)batch)->items[k];
    const struct branch b = {.kind = BRANCH_L,
                             .plus = w->plus,
                             .minus = w->minus,
                             .element = w->element,
                             .role = ROLE_LAW,
                             .increasing = true,
                             .constant = NAN,
                             .current = w->current};
    return branch_add(list, &b);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct winding *w = &((const struct winding_batch *)batch)->items[k];
    const struct initial_value v = {INITIAL_CURRENT, w->current, 0, w->initial, w->element, false, false, false, false};
    return !w->has_initial || initial_add(list, &v);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const double i = at->x[((const struct winding_batch *)batch)->items[k].current];
    return terminal == 0 ? i : -i;
}

const struct device_class winding_class = {
    .kind =
        {
            ELEMENT_KIND('l', "winding", "node node", "turns, of an inductor that a K card puts on a core",
                         CARD_PASSIVE),
            .instance = {rows, ROWS, "ipk mfg pn type tol tc tc1 tc2"},
            .value = "a number of turns",
            .law = LAW_FLUX,
        },
    BATCH_OF(struct winding_batch),
    USUAL_FUNCTIONS,
    .initial = initial,
};
