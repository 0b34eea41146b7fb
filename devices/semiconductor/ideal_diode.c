/* ideal_diode.c - D with a model that has Ron, Roff, Vfwd, Vrev or Rrev: LTspice's diode of straight lines.
 *
 *     i = v/Roff + a(v - Vfwd, epsilon) (1/Ron - 1/Roff) - a(-v - Vrev, revepsilon) (1/Rrev - 1/Roff)
 * a is the ramp max(x, 0), or a parabola from 0 to epsilon and behind it the straight line x - epsilon/2.  With ilimit, i > 0
 * becomes ilimit tanh(i/ilimit), and i < 0 likewise with revilimit (LTspice's help, D; on which side of Vfwd the parabola
 * lies it does not say: SpiceSharpParser's ideal diode, checked against LTspice, and ngspice's have it beyond).
 *
 * A corner, also one with a parabola behind it, is a switching function: the run ends a step there, and within a step the law of
 * its beginning goes on.  Newton's method could not be trusted there: a nanovolt beyond the corner decides between ohms and
 * megohms.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/semiconductor/instances.h"

#include <float.h>

enum { I_AREA, I_M, I_TEMP, I_DTEMP, I_OFF, I_COUNT };

static const struct parameter_info instance_rows[] = {
    [I_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents", NULL},
    [I_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of devices in parallel", NULL},
    [I_TEMP] = {"temp", "degC", 27, -DEVICE_KELVIN, INFINITY, "accepted; nothing depends on it", NULL},
    [I_DTEMP] = {"dtemp", "K", 0, -INFINITY, INFINITY, "accepted; nothing depends on it", NULL},
    [I_OFF] = {"off", "", 0, 0, 1, "accepted; the operating point needs no such hint", NULL},
};

enum { P_RON, P_ROFF, P_VFWD, P_VREV, P_RREV, P_ILIMIT, P_REVILIMIT, P_EPSILON, P_REVEPSILON, P_COUNT };

static const struct parameter_info model_rows[] = {
    [P_RON] = {"ron", "ohm", 1, DBL_MIN, INFINITY, "resistance in forward conduction", NULL},
    [P_ROFF] = {"roff", "ohm", 1e12, DBL_MIN, INFINITY, "resistance when off", NULL},
    [P_VFWD] = {"vfwd", "V", 0, -INFINITY, INFINITY, "forward threshold", NULL},
    [P_VREV] = {"vrev", "V", 0, -INFINITY, INFINITY, "reverse breakdown voltage; absent: none", NULL},
    [P_RREV] = {"rrev", "ohm", 1, DBL_MIN, INFINITY, "resistance in breakdown; Ron when absent", NULL},
    [P_ILIMIT] = {"ilimit", "A", 0, 0, INFINITY, "limit of the forward current; 0: none", NULL},
    [P_REVILIMIT] = {"revilimit", "A", 0, 0, INFINITY, "limit of the reverse current; 0: none", NULL},
    [P_EPSILON] = {"epsilon", "V", 0, 0, INFINITY, "width of the parabola above Vfwd", NULL},
    [P_REVEPSILON] = {"revepsilon", "V", 0, 0, INFINITY, "width of the parabola below -Vrev", NULL},
};

static const struct model_type types[] = {{"d", NULL, NULL}, {NULL, NULL, NULL}};
/* No program counts this one: its parameters tell (`marks`). */
static const struct model_level levels[] = {{-1, "LTspice's straight lines, by ron, roff, vfwd, vrev or rrev"},
                                            {0, NULL}};

/* A parabola from 0 to width (V).  Beyond the corner a run that holds its side needs a law on which the current can go below 0 without
 * megavolts: from its foot down to 0 and on the parabola's chord goes on, of the geometric mean of Ron and Roff.  The foot is where the
 * parabola adds no more than Roff does in half its width. */
struct ideal_bend {
    double width, foot;
};

struct ideal_law {
    double off, forward, reverse; /* S; the latter two what is added to the first */
    double threshold, breakdown;  /* V; the latter INFINITY: none */
    struct ideal_bend bend, reverse_bend;
    double limit, reverse_limit; /* A; INFINITY: none */
};

enum { CORNER_FORWARD, CORNER_REVERSE, CORNERS };

struct ideal_diode {
    struct ideal_law law;
    signed char held[CORNERS]; /* 1: beyond the corner, -1: before it, 0: by the voltage */
    int anode, cathode;
    int slots[4];
};

/* A corner that is a switching function. */
struct ideal_corner {
    struct ideal_diode *diode;
    const struct element *element;
    int which;
};

struct ideal_batch {
    struct instances all;
    struct ideal_diode *items;    /* [count] */
    struct ideal_corner *corners; /* [corner_count] */
    size_t corner_count;
};

/* ---- the law ---- */

/* The ramp; on a side that is held its own law goes on beyond the corner. */
static double ramp(const struct ideal_bend *bend, double x, signed char held, double *slope)
{
    const double width = bend->width;
    *slope = 0;
    if (held < 0 || (held == 0 && x <= 0))
        return 0;
    *slope = 1;
    if (x >= width)
        return x - 0.5 * width;
    if (held > 0 && x <= bend->foot) {
        *slope = width > 0 ? 0.5 * bend->foot / width : 1;
        return *slope * x;
    }
    *slope = x / width;
    return 0.5 * x * x / width;
}

static struct ideal_bend bend_of(double width, double off, double conductance)
{
    return (struct ideal_bend){width, conductance > 0 ? fmin(width, width * sqrt(off / conductance)) : 0};
}

static double limited(double i, double limit, double *slope)
{
    if (!(limit < INFINITY))
        return i;
    const double t = tanh(i / limit);
    *slope *= 1 - t * t;
    return limit * t;
}

static double current_at(const struct ideal_diode *d, double v, double *slope)
{
    const struct ideal_law *law = &d->law;
    double rise, i = law->off * v + law->forward * ramp(&law->bend, v - law->threshold, d->held[CORNER_FORWARD], &rise);
    *slope = law->off + law->forward * rise;
    if (law->breakdown < INFINITY) {
        i -= law->reverse * ramp(&law->reverse_bend, -v - law->breakdown, d->held[CORNER_REVERSE], &rise);
        *slope += law->reverse * rise;
    }
    return limited(i, i > 0 ? law->limit : law->reverse_limit, slope);
}

/* ---- the device ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(ideal_batch, items)};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct ideal_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    b->corners = arena_array(b->all.base.arena, CORNERS * in->count + 1, sizeof *b->corners);
    return status == KN_ERROR_MEMORY || !b->corners || !instances_allocate(&b->all, arrays, 1) ? KN_ERROR_MEMORY
                                                                                               : status;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct ideal_batch *b = batch;
    const double *p = b->all.model[k], size = b->all.own[k][I_AREA] * b->all.own[k][I_M];
    const bool *given = b->all.model_given[k];
    struct ideal_law *law = &b->items[k].law;
    law->off = size / p[P_ROFF];
    law->forward = size / p[P_RON] - law->off;
    law->reverse = size / (given[P_RREV] ? p[P_RREV] : p[P_RON]) - law->off;
    law->threshold = p[P_VFWD];
    law->breakdown = given[P_VREV] ? p[P_VREV] : INFINITY;
    law->bend = bend_of(p[P_EPSILON], law->off, law->forward);
    law->reverse_bend = bend_of(p[P_REVEPSILON], law->off, law->reverse);
    law->limit = p[P_ILIMIT] > 0 ? size * p[P_ILIMIT] : INFINITY;
    law->reverse_limit = p[P_REVILIMIT] > 0 ? size * p[P_REVILIMIT] : INFINITY;
    const bool is_there[CORNERS] = {true, law->breakdown < INFINITY};
    for (int i = 0; i < CORNERS; i++)
        if (is_there[i])
            b->corners[b->corner_count++] = (struct ideal_corner){&b->items[k], in->elements[k], i};
    return KN_OK;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct ideal_batch *b = batch;
    struct ideal_diode *d = &b->items[k];
    d->anode = setup_node(s, b->all.base.elements[k]->nodes[0]);
    d->cathode = setup_node(s, b->all.base.elements[k]->nodes[1]);
    return setup_pair(s, d->anode, d->cathode, d->slots);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct ideal_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        struct ideal_diode *d = &b->items[k];
        double slope;
        const double i = current_at(d, at->x[d->anode] - at->x[d->cathode], &slope);
        if (at->what & EVALUATE_F) {
            out->f[d->anode] += i;
            out->f[d->cathode] -= i;
        }
        if (at->what & EVALUATE_G)
            pair_stamp(d->slots, slope, out->G);
    }
}

/* ---- corners ---- */

static size_t switch_count(const void *batch)
{
    return ((const struct ideal_batch *)batch)->corner_count;
}

static void switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct ideal_batch *b = batch;
    (void)when;
    for (size_t i = 0; i < b->corner_count; i++) {
        const struct ideal_diode *d = b->corners[i].diode;
        const double v = x[d->anode] - x[d->cathode];
        g[i] = b->corners[i].which == CORNER_FORWARD ? v - d->law.threshold : -v - d->law.breakdown;
    }
}

static void hold(void *batch, size_t number, int side)
{
    const struct ideal_corner *c = &((struct ideal_batch *)batch)->corners[number];
    c->diode->held[c->which] = (signed char)side;
}

static const struct element *switch_owner(const void *batch, size_t number)
{
    return ((const struct ideal_batch *)batch)->corners[number].element;
}

static bool switch_rectifies(const void *batch, size_t number, double bend[2])
{
    const struct ideal_corner *c = &((const struct ideal_batch *)batch)->corners[number];
    const struct ideal_law *law = &c->diode->law;
    const struct ideal_bend *b = c->which == CORNER_FORWARD ? &law->bend : &law->reverse_bend;
    bend[0] = b->width;
    bend[1] = b->foot;
    return true;
}

/* ---- what others ask ---- */

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct ideal_diode *d = &((const struct ideal_batch *)batch)->items[k];
    double slope;
    const double i = current_at(d, at->x[d->anode] - at->x[d->cathode], &slope);
    return terminal == 0 ? i : -i;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct ideal_batch *b = batch;
    const struct branch_place at = {b->all.base.elements[k], b->items[k].anode, b->items[k].cathode, NULL, NULL};
    return branch_add_law(list, BRANCH_R, at, NULL, 0);
}

const struct device_class ideal_diode_class = {
    .kind =
        {
            ELEMENT_KIND('d', "ideal diode", "anode cathode", "model [area]", CARD_MODEL),
            .instance = {instance_rows, I_COUNT, NULL},
            .model = {model_rows, P_COUNT, "mfg type iave vpk ipk irms cjo is n rs level tnom noiseless"},
            .types = types,
            .levels = levels,
            .marks = "ron roff vfwd vrev rrev",
            .values = "area",
        },
    BATCH_OF(struct ideal_batch),
    .connect = connect,
    .eval = eval,
    SWITCH_FUNCTIONS,
    .switch_rectifies = switch_rectifies,
    .branches = branches,
    .current = current,
    .conducts_only = true,
};
