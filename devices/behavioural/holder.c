/* holder.c - y, the integral of idt(x,ic,reset): ic while reset is not 0, and then what it was at the end of that and what has been
 * added to it since.
 *
 *     y = r c + (1 - r) (u + o)
 *
 * with unknowns that are operators of their own (netlist/formulas/states.c): r is 1 while the reset lasts and 0 otherwise,
 * c is ic, u the integral of x over the times without a reset.  o is a number, y - u where the last reset ended, so that nothing of
 * u jumps.  Nothing has ended at the operating point and where a run begins: there y = c + (1 - r) u.  That c stays what it was there where
 * r is 0, whatever ic does later, so that small signals of it change nothing.
 */
#include "devices/batch.h"
#include "devices/families.h"

#include <complex.h>
#include <math.h>

enum { PLACE_OUT, PLACE_INTEGRAL, PLACE_INITIAL, PLACE_RESET, PLACES };

struct holder {
    const struct element *element;
    int unknowns[PLACES], slots[PLACES];
    double offset;
    double resting; /* r at the operating point */
};

struct holder_batch {
    struct batch base;
    struct holder *holders;
    bool begun; /* time goes on, and the offsets are known */
};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct holder_batch *b = batch;
    b->holders = arena_array(b->base.arena, in->count + 1, sizeof *b->holders);
    return b->holders ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    ((struct holder_batch *)batch)->holders[k].element = in->elements[k];
    return KN_OK;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct holder *h = &((struct holder_batch *)batch)->holders[k];
    bool good = true;
    for (int i = 0; i < PLACES; i++) {
        h->unknowns[i] = setup_node(s, h->element->nodes[i]);
        good = setup_entry(s, setup_node(s, h->element->nodes[PLACE_OUT]), h->unknowns[i], &h->slots[i]) && good;
    }
    setup_signal(s, h->unknowns[PLACE_OUT], UNKNOWN_VOLTAGE, 1, 1);
    return good;
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct holder_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->base.count; k++)
        G[b->holders[k].slots[PLACE_OUT]] += 1;
}

/* What is held besides the integral, o or c, and r times less. */
static void add(struct holder *h, const struct device_point *at, bool rests, const struct device_stamp *out)
{
    const double u = at->x[h->unknowns[PLACE_INTEGRAL]], c = at->x[h->unknowns[PLACE_INITIAL]];
    const double r = at->x[h->unknowns[PLACE_RESET]], held = u + (rests ? c : h->offset);
    if (rests)
        h->resting = r;
    if (at->what & EVALUATE_F)
        out->f[h->unknowns[PLACE_OUT]] -= r * c + (1 - r) * held;
    if (!(at->what & EVALUATE_G))
        return;
    out->G[h->slots[PLACE_INTEGRAL]] -= 1 - r;
    out->G[h->slots[PLACE_INITIAL]] -= rests ? 1 : r;
    out->G[h->slots[PLACE_RESET]] -= c - held;
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    const struct holder_batch *b = batch;
    const bool rests = !b->begun || isinf(at->when.time);
    for (size_t k = 0; k < b->base.count; k++)
        add(&b->holders[k], at, rests, out);
}

static bool alternate(const void *batch, double *G)
{
    const struct holder_batch *b = batch;
    bool any = false;
    for (size_t k = 0; k < b->base.count; k++) {
        const double free = 1 - b->holders[k].resting;
        G[b->holders[k].slots[PLACE_INITIAL]] += free;
        any |= free != 0;
    }
    return any;
}

/* At 0 Hz, where it is at rest, ic counts. */
static void at_frequency(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct holder_batch *b = batch;
    (void)dAdw;
    for (size_t k = 0; k < b->base.count && w == 0; k++)
        A[b->holders[k].slots[PLACE_INITIAL]] -= 1 - b->holders[k].resting;
}

/* While a reset lasts the offset is without meaning, so that it can be what it would be if the reset ended now. */
static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    struct holder_batch *b = batch;
    (void)when;
    (void)order;
    (void)how;
    for (size_t k = 0; k < b->base.count; k++) {
        struct holder *h = &b->holders[k];
        if (!b->begun || x[h->unknowns[PLACE_RESET]] > 0.5)
            h->offset = x[h->unknowns[PLACE_OUT]] - x[h->unknowns[PLACE_INTEGRAL]];
    }
    b->begun = true;
    return true;
}

static void remembered(const void *batch, bool *unknowns)
{
    const struct holder_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        for (int place = 0; place < PLACES; place++)
            unknowns[b->holders[k].unknowns[place]] = true;
}

static void rest(void *batch, bool rests)
{
    struct holder_batch *b = batch;
    b->begun = b->begun && !rests;
}

struct holder_memory {
    bool begun;
    double offset;
};

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    const struct holder_batch *b = batch;
    struct holder_memory *m = arena_alloc(arena, sizeof *m);
    if (m)
        *m = (struct holder_memory){b->begun, b->holders[k].offset};
    return m;
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    struct holder_batch *b = batch;
    const struct holder_memory *m = kept;
    b->begun = m->begun;
    b->holders[k].offset = m->offset;
    return KN_OK;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct holder *h = &((const struct holder_batch *)batch)->holders[k];
    const struct branch row = {.plus = h->unknowns[PLACE_OUT], .element = h->element};
    const struct branch held = {.kind = BRANCH_I,
                                .minus = h->unknowns[PLACE_OUT],
                                .element = h->element,
                                .role = ROLE_LAW,
                                .controlled = true,
                                .controls = h->unknowns + PLACE_INTEGRAL,
                                .control_count = PLACES - PLACE_INTEGRAL,
                                .constant = NAN};
    return branch_add_entry(list, &row, h->unknowns[PLACE_OUT], 1, false) && branch_add(list, &held);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct holder *h = &((const struct holder_batch *)batch)->holders[k];
    return terminal == 0 ? at->x[h->unknowns[PLACE_OUT]] : 0.0;
}

const struct device_class holder_class = {
    .kind = {ELEMENT_KIND(KIND_HOLDER, "held integral", NULL, "made by idt() with a reset in formulas", CARD_SETTINGS)},
    BATCH_OF(struct holder_batch),
    .connect = connect,
    .stamp = stamp,
    .eval = eval,
    .alternate = alternate,
    .delay = at_frequency,
    .accept = accept,
    .remembered = remembered,
    .rest = rest,
    MEMORY_FUNCTIONS,
    .branches = branches,
    .current = current,
};
