/* mosfet_batch.c - four-terminal transistors of all levels: unknowns, matrix entries, limits, tangents, bulk diodes and what
 * others ask of them.  Laws of the channel are those of levels 1, 2, 3 and 6 (devices/channel/mosfet_model.h) or the
 * batch's own.
 *
 * Nodes: drain, gate, source, bulk; behind Rd and Rs internal drain and source where these are not zero.  Resistances
 * and overlap capacitances are constant and stamped once.  Source and drain are the same thing twice: the channel
 * current changes sides for vds < 0, the charges are symmetric by themselves.
 */
#include "devices/semiconductor/mosfet_batch.h"
#include "devices/incidence.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DRAIN = MOSFET_DRAIN, GATE = MOSFET_GATE, SOURCE = MOSFET_SOURCE, BULK = MOSFET_BULK };

/* ---- unknowns and matrix entries ---- */

enum mosfet_tie mosfet_tie_of(const struct mosfet_nodes *n)
{
    const int source = n->inner[SOURCE], bulk = n->inner[BULK];
    if (source == bulk)
        return bulk == 0 ? MOSFET_TIED_TO_GROUND : MOSFET_TIED;
    return bulk == 0 ? MOSFET_GROUNDED_BULK : MOSFET_FREE;
}

bool mosfet_number(void *batch, size_t k, struct device_setup *s)
{
    struct mosfet_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    struct mosfet_nodes *n = &b->nodes[k];
    n->drain = setup_node(s, e->nodes[0]);
    n->source = setup_node(s, e->nodes[2]);
    n->gate = n->inner[GATE] = setup_node(s, e->nodes[1]);
    n->bulk = n->inner[BULK] = setup_node(s, e->nodes[3]);
    n->inner[DRAIN] = instance_inner_node(s, e, b->series[k].drain > 0, n->drain, "drain");
    n->inner[SOURCE] = instance_inner_node(s, e, b->series[k].source > 0, n->source, "source");
    b->ties[k] = mosfet_tie_of(n);
    return n->inner[DRAIN] >= 0 && n->inner[SOURCE] >= 0;
}

bool mosfet_connect(void *batch, size_t k, struct device_setup *s)
{
    struct mosfet_batch *b = batch;
    const struct mosfet_nodes *n = &b->nodes[k];
    struct mosfet_slots *slots = &b->slots[k];
    for (int i = 0; i < 16; i++)
        if (!setup_entry(s, n->inner[i / 4], n->inner[i % 4], &slots->block[i]))
            return false;
    return (n->drain == n->inner[DRAIN] || setup_pair(s, n->drain, n->inner[DRAIN], slots->drain)) &&
           (n->source == n->inner[SOURCE] || setup_pair(s, n->source, n->inner[SOURCE], slots->source));
}

/* A two-terminal piece between two nodes of the block. */
static void add_between(double *matrix, const int *block, int a, int b, double value)
{
    matrix[block[4 * a + a]] += value;
    matrix[block[4 * a + b]] -= value;
    matrix[block[4 * b + a]] -= value;
    matrix[block[4 * b + b]] += value;
}

void mosfet_stamp(const void *object, double *G, double *C)
{
    const struct mosfet_batch *b = object;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct mosfet_nodes *n = &b->nodes[k];
        const struct mosfet_slots *slots = &b->slots[k];
        const struct mosfet_overlap *o = &b->overlaps[k];
        if (n->drain != n->inner[DRAIN])
            pair_stamp(slots->drain, b->series[k].drain, G);
        if (n->source != n->inner[SOURCE])
            pair_stamp(slots->source, b->series[k].source, G);
        add_between(C, slots->block, GATE, SOURCE, o->gate_source);
        add_between(C, slots->block, GATE, DRAIN, o->gate_drain);
        add_between(C, slots->block, GATE, BULK, o->gate_bulk);
    }
}

/* ---- evaluation ---- */

/* Ends of the transistor whose currents and charges are evaluated; what enters the gate is minus their sum. */
enum { END_DRAIN = MOSFET_END_DRAIN, END_SOURCE = MOSFET_END_SOURCE, END_BULK = MOSFET_END_BULK };

/* A quantity that flows from bulk to source and depends on vbs. */
static void add_source_diode(struct mosfet_value *ends, double value, double slope)
{
    ends[END_BULK].value += value;
    ends[END_BULK].bs += slope;
    ends[END_SOURCE].value -= value;
    ends[END_SOURCE].bs -= slope;
}

/* The same from bulk to drain, of vbs - vds. */
static void add_drain_diode(struct mosfet_value *ends, double value, double slope)
{
    ends[END_BULK].value += value;
    ends[END_BULK].bs += slope;
    ends[END_BULK].ds -= slope;
    ends[END_DRAIN].value -= value;
    ends[END_DRAIN].bs -= slope;
    ends[END_DRAIN].ds += slope;
}

/* Bulk and source are one node: its diode does nothing, and nobody reads slopes with respect to vbs.  Limits may leave
 * another vbs, though. */
static bool is_shorted(enum mosfet_tie tie, const struct mosfet_voltages *v)
{
    return (tie == MOSFET_TIED || tie == MOSFET_TIED_TO_GROUND) && v->bs == 0;
}

/* Adds what the bulk's diodes carry. */
static void add_diode_currents(const struct mosfet_batch *b, size_t k, double gmin, struct mosfet_tangent *t)
{
    const struct mosfet_voltages *v = &t->at;
    const double bd = v->bs - v->ds;
    double g;
    if (!is_shorted(b->ties[k], v)) {
        const double source = bulk_diode_current(&b->source_diodes[b->like[k]], v->bs, &g) + gmin * v->bs;
        add_source_diode(t->current, source, g + gmin);
    }
    const double drain = bulk_diode_current(&b->drain_diodes[b->like[k]], bd, &g) + gmin * bd;
    add_drain_diode(t->current, drain, g + gmin);
}

static void add_diode_charges(const struct mosfet_batch *b, size_t k, struct mosfet_tangent *t)
{
    const struct mosfet_voltages *v = &t->at;
    const struct bulk_diode *source = &b->source_diodes[b->like[k]], *drain = &b->drain_diodes[b->like[k]];
    double c;
    if (bulk_diode_stores(source) && !is_shorted(b->ties[k], v)) {
        const double q = bulk_diode_charge(source, v->bs, &c);
        add_source_diode(t->charge, q, c);
    }
    if (bulk_diode_stores(drain)) {
        const double q = bulk_diode_charge(drain, v->bs - v->ds, &c);
        add_drain_diode(t->charge, q, c);
    }
}

static void set_level_values(const struct mosfet_batch *b, size_t k, const struct mosfet_channel_values *channel,
                             bool currents, bool charges, struct mosfet_tangent *t)
{
    static const struct mosfet_value none = {0, 0, 0, 0};
    if (currents) {
        const struct mosfet_value *i = &channel->current;
        t->current[END_DRAIN] = *i;
        t->current[END_SOURCE] = (struct mosfet_value){-i->value, -i->gs, -i->ds, -i->bs};
        t->current[END_BULK] = none;
    }
    if (charges) {
        const bool has_oxide = b->laws[b->like[k]].oxide > 0;
        t->charge[END_DRAIN] = has_oxide ? channel->charges.drain : none;
        t->charge[END_SOURCE] = has_oxide ? channel->charges.source : none;
        t->charge[END_BULK] = has_oxide ? channel->charges.bulk : none;
    }
}

/* At most MOSFET_TOGETHER transistors. */
static void evaluate_levels(const struct mosfet_batch *b, const size_t *k, size_t count, bool currents, bool charges,
                            struct mosfet_tangent *const *t)
{
    const struct mosfet_law *laws[MOSFET_TOGETHER];
    struct mosfet_bias at[MOSFET_TOGETHER];
    struct mosfet_channel_values channels[MOSFET_TOGETHER];
    for (size_t i = 0; i < MOSFET_TOGETHER; i++) { /* where there are fewer, the last one again */
        const size_t j = i < count ? i : count - 1;
        laws[i] = &b->laws[b->like[k[j]]];
        at[i] = (struct mosfet_bias){t[j]->at.gs, t[j]->at.ds, t[j]->at.bs};
    }
    mosfet_channels(laws, at, channels);
    for (size_t i = 0; i < count; i++)
        set_level_values(b, k[i], &channels[i], currents, charges && b->stores[k[i]], t[i]);
}

static void evaluate_some(const struct mosfet_batch *b, const size_t *k, size_t count, unsigned what, double gmin,
                          struct mosfet_tangent *const *t)
{
    const bool currents = what & (EVALUATE_F | EVALUATE_G), charges = what & (EVALUATE_Q | EVALUATE_C);
    if (!b->own_law)
        evaluate_levels(b, k, count, currents, charges, t);
    for (size_t i = 0; i < count; i++) {
        const bool stores = charges && b->stores[k[i]];
        if (b->own_law)
            b->own_law(b, k[i], currents, stores, t[i], NULL);
        if (currents)
            add_diode_currents(b, k[i], gmin, t[i]);
        if (stores)
            add_diode_charges(b, k[i], t[i]);
    }
}

void mosfet_evaluate(const struct mosfet_batch *b, size_t k, unsigned what, double gmin, struct mosfet_tangent *t)
{
    evaluate_some(b, &k, 1, what, gmin, &t);
}

static double extrapolated(const struct mosfet_value *a, const struct mosfet_voltages *excess)
{
    return a->value + a->gs * excess->gs + a->ds * excess->ds + a->bs * excess->bs;
}

/* Adds what leaves the ends at `excess` from where they were evaluated; returns the sum. */
static double add_ends(const struct mosfet_value *ends, const int *nodes, enum mosfet_tie tie, double sign,
                       const struct mosfet_voltages *excess, double *vector)
{
    const double drain = sign * extrapolated(&ends[END_DRAIN], excess);
    const double source = sign * extrapolated(&ends[END_SOURCE], excess);
    const double bulk = sign * extrapolated(&ends[END_BULK], excess);
    vector[nodes[DRAIN]] += drain;
    if (tie != MOSFET_TIED_TO_GROUND)
        vector[nodes[SOURCE]] += source;
    if (tie == MOSFET_TIED || tie == MOSFET_FREE)
        vector[nodes[BULK]] += bulk;
    return drain + source + bulk;
}

/* Row of the block for a quantity leaving `node`. */
static void add_row(double *matrix, const int *block, enum mosfet_tie tie, int node, const struct mosfet_value *a)
{
    const int *row = block + 4 * node;
    matrix[row[DRAIN]] += a->ds;
    matrix[row[GATE]] += a->gs;
    if (tie == MOSFET_TIED_TO_GROUND)
        return;
    if (tie == MOSFET_TIED) {
        matrix[row[SOURCE]] -= a->ds + a->gs;
        return;
    }
    matrix[row[SOURCE]] -= a->ds + a->gs + a->bs;
    if (tie == MOSFET_FREE)
        matrix[row[BULK]] += a->bs;
}

static struct mosfet_value sum_of(const struct mosfet_value *a, const struct mosfet_value *b)
{
    return (struct mosfet_value){.gs = a->gs + b->gs, .ds = a->ds + b->ds, .bs = a->bs + b->bs};
}

/* Rows of all ends but the gate; the slopes of what leaves by them together. */
static struct mosfet_value add_rows(double *matrix, const int *block, enum mosfet_tie tie,
                                    const struct mosfet_value *ends)
{
    const struct mosfet_value tied = sum_of(&ends[END_SOURCE], &ends[END_BULK]);
    add_row(matrix, block, tie, DRAIN, &ends[END_DRAIN]);
    if (tie == MOSFET_TIED) {
        add_row(matrix, block, tie, SOURCE, &tied);
    } else if (tie != MOSFET_TIED_TO_GROUND) {
        add_row(matrix, block, tie, SOURCE, &ends[END_SOURCE]);
        if (tie == MOSFET_FREE)
            add_row(matrix, block, tie, BULK, &ends[END_BULK]);
    }
    return sum_of(&ends[END_DRAIN], &tied);
}

/* What leaves by the gate is minus what leaves by the others. */
static void add_gate_row(double *matrix, const int *block, enum mosfet_tie tie, const struct mosfet_value *sum)
{
    const struct mosfet_value gate = {.gs = -sum->gs, .ds = -sum->ds, .bs = -sum->bs};
    add_row(matrix, block, tie, GATE, &gate);
}

static void add_tangent(const struct mosfet_batch *b, size_t k, unsigned what, const struct mosfet_tangent *t,
                        const struct mosfet_voltages *excess, const struct device_stamp *out)
{
    const int *n = b->nodes[k].inner, *block = b->slots[k].block;
    const enum mosfet_tie tie = b->ties[k];
    const double sign = b->sign[k];
    if (what & EVALUATE_F) {
        const double sum = add_ends(t->current, n, tie, sign, excess, out->f);
        if (b->leaks)
            out->f[n[GATE]] -= sum;
    }
    if (what & EVALUATE_G) {
        const struct mosfet_value sum = add_rows(out->G, block, tie, t->current);
        if (b->leaks)
            add_gate_row(out->G, block, tie, &sum);
    }
    if (!b->stores[k])
        return;
    if (what & EVALUATE_Q)
        out->q[n[GATE]] -= add_ends(t->charge, n, tie, sign, excess, out->q);
    if (what & EVALUATE_C) {
        const struct mosfet_value sum = add_rows(out->C, block, tie, t->charge);
        add_gate_row(out->C, block, tie, &sum);
    }
}

static bool is_near(const struct mosfet_voltages *a, const struct mosfet_voltages *b, double distance)
{
    return fabs(a->gs - b->gs) <= distance && fabs(a->ds - b->ds) <= distance && fabs(a->bs - b->bs) <= distance;
}

/* Whether the kept tangent answers; else t gets the voltages at which the transistor is to be evaluated. */
static bool rests_at(struct mosfet_batch *b, size_t k, const struct device_point *at, struct mosfet_tangent *t)
{
    const struct mosfet_voltages proposed = mosfet_voltages_at(b, k, at->x);
    const struct mosfet_tangent *kept = &b->tangents[k];
    const bool near = is_near(&proposed, &kept->at, at->near) && kept->gmin == at->gmin;
    batch_count_calm(&b->all.base, k, near);
    if (near) {
        b->previous[k] = proposed;
        return true;
    }
    t->at = proposed;
    t->gmin = at->gmin;
    if (at->limit)
        mosfet_limit(b, k, at, &t->at);
    return false;
}

void mosfet_look(void *object, const struct device_point *at, size_t from, size_t to, void *room)
{
    struct mosfet_batch *b = object;
    struct mosfet_room *r = room;
    const bool whole = makes_tangents(at->what);
    size_t moving[BATCH_PIECE], count = 0;
    struct mosfet_tangent *moved[BATCH_PIECE];
    for (size_t i = 0; i < to - from; i++) {
        const size_t k = b->all.base.active[from + i];
        struct mosfet_tangent *kept = &b->tangents[k], *t = whole ? kept : &r->partial[i];
        const bool rests = rests_at(b, k, at, t);
        r->tangents[i] = rests ? kept : t;
        if (rests)
            continue;
        moving[count] = k;
        moved[count++] = t;
    }
    for (size_t i = 0; i < count; i += MOSFET_TOGETHER) {
        const size_t left = count - i;
        evaluate_some(b, moving + i, left < MOSFET_TOGETHER ? left : MOSFET_TOGETHER, at->what, at->gmin, moved + i);
    }
}

void mosfet_add(const void *object, const struct device_point *at, size_t from, size_t to, const void *room,
                const struct device_stamp *out)
{
    const struct mosfet_batch *b = object;
    const struct mosfet_room *r = room;
    for (size_t i = 0; i < to - from; i++) {
        const size_t k = b->all.base.active[from + i];
        const struct mosfet_tangent *t = r->tangents[i];
        const struct mosfet_voltages v = mosfet_voltages_at(b, k, at->x);
        const struct mosfet_voltages excess = {v.gs - t->at.gs, v.ds - t->at.ds, v.bs - t->at.bs};
        add_tangent(b, k, at->what, t, &excess, out);
    }
}

void mosfet_eval(void *object, const struct device_point *at, const struct device_stamp *out)
{
    struct mosfet_room room;
    batch_eval(object, mosfet_look, mosfet_add, at, &room, out);
}

size_t mosfet_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct mosfet_batch *b = batch;
    memcpy(unknowns, b->nodes[k].inner, sizeof b->nodes[k].inner);
    return 4;
}

static void scale(struct mosfet_value *values, double factor)
{
    for (int end = 0; end < MOSFET_ENDS; end++)
        values[end] = (struct mosfet_value){factor * values[end].value, factor * values[end].gs,
                                            factor * values[end].ds, factor * values[end].bs};
}

void mosfet_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    (void)gmin; /* the diodes of the kept tangent have it */
    const struct mosfet_batch *b = batch;
    struct mosfet_tangent t = b->tangents[k];
    const struct mosfet_voltages to_zero = {-t.at.gs, -t.at.ds, -t.at.bs};
    scale(t.current, sign);
    scale(t.charge, sign);
    add_tangent(b, k, EVALUATE_ALL, &t, &to_zero, out);
}

/* ---- what others ask ---- */

static double rate_of(const struct mosfet_value *q, const struct mosfet_voltages *rate)
{
    return q->gs * rate->gs + q->ds * rate->ds + q->bs * rate->bs;
}

/* Currents into the four nodes of the intrinsic transistor, overlaps and displacement included. */
static void flow_at(const struct mosfet_batch *b, size_t k, const struct device_probe *at, double into[4])
{
    const struct mosfet_voltages rate = mosfet_voltages_at(b, k, at->dxdt);
    const struct mosfet_overlap *o = &b->overlaps[k];
    const struct mosfet_voltages v = mosfet_voltages_at(b, k, at->x);
    const struct mosfet_tangent *t = &b->tangents[k];
    struct mosfet_tangent own = {.at = v};
    if (!is_near(&v, &t->at, at->near) || t->gmin != at->gmin) {
        mosfet_evaluate(b, k, EVALUATE_F | EVALUATE_C, at->gmin, &own);
        t = &own;
    }
    const struct mosfet_voltages excess = {v.gs - t->at.gs, v.ds - t->at.ds, v.bs - t->at.bs};
    const double gate_source = o->gate_source * rate.gs, gate_drain = o->gate_drain * (rate.gs - rate.ds);
    const double gate_bulk = o->gate_bulk * (rate.gs - rate.bs);
    const double sign = b->sign[k];
    into[DRAIN] =
        sign * (extrapolated(&t->current[END_DRAIN], &excess) + rate_of(&t->charge[END_DRAIN], &rate) - gate_drain);
    into[SOURCE] =
        sign * (extrapolated(&t->current[END_SOURCE], &excess) + rate_of(&t->charge[END_SOURCE], &rate) - gate_source);
    into[BULK] =
        sign * (extrapolated(&t->current[END_BULK], &excess) + rate_of(&t->charge[END_BULK], &rate) - gate_bulk);
    into[GATE] = -(into[DRAIN] + into[SOURCE] + into[BULK]);
    if (fabs(into[GATE]) <
        4 * DBL_EPSILON * (fabs(into[DRAIN]) + fabs(into[SOURCE]))) /* it is rounding of the others */
        into[GATE] = 0;
}

double mosfet_current_into(const void *object, size_t k, int terminal, const struct device_probe *at)
{
    const struct mosfet_batch *b = object;
    const struct mosfet_nodes *n = &b->nodes[k];
    if (terminal == 0 && n->drain != n->inner[DRAIN])
        return b->series[k].drain * (at->x[n->drain] - at->x[n->inner[DRAIN]]);
    if (terminal == 2 && n->source != n->inner[SOURCE])
        return b->series[k].source * (at->x[n->source] - at->x[n->inner[SOURCE]]);
    struct device_flows own;
    struct device_flows *const kept = device_flows(at, n, &own);
    if (!kept->known)
        flow_at(b, k, at, kept->into);
    return kept->into[terminal]; /* SPICE writes the nodes in the order of the block */
}

/* ---- topology ---- */

static bool add_resistances(const struct mosfet_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const struct mosfet_nodes *n = &b->nodes[k];
    const struct branch_place drain = {e, n->drain, n->inner[DRAIN], "drain resistance", "d"};
    const struct branch_place source = {e, n->source, n->inner[SOURCE], "source resistance", "s"};
    return branch_add_resistance(list, drain, 1 / b->series[k].drain) &&
           branch_add_resistance(list, source, 1 / b->series[k].source);
}

static bool add_conducting(const struct mosfet_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const int *n = b->nodes[k].inner;
    const int controls[2] = {n[GATE], n[BULK]};
    const struct branch_place channel = {e, n[DRAIN], n[SOURCE], "channel", "ds"};
    const struct branch_place drain = {e, n[BULK], n[DRAIN], "bulk-drain junction", "bd"};
    const struct branch_place source = {e, n[BULK], n[SOURCE], "bulk-source junction", "bs"};
    return branch_add_law(list, BRANCH_I, channel, controls, 2) && branch_add_law(list, BRANCH_R, drain, NULL, 0) &&
           branch_add_law(list, BRANCH_R, source, NULL, 0);
}

/* The intrinsic charges appear as the three branches from the gate and, because the body charge also depends on source
 * and drain directly, the two from the bulk. */
static bool add_storing(const struct mosfet_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const int *n = b->nodes[k].inner;
    const struct mosfet_overlap *o = &b->overlaps[k];
    const struct bulk_diode *s = &b->source_diodes[b->like[k]], *d = &b->drain_diodes[b->like[k]];
    const bool oxide = b->laws[b->like[k]].oxide > 0, body = oxide && b->laws[b->like[k]].gamma > 0;
    const struct {
        struct branch_place at;
        bool present, controlled;
        int controls[2];
    } pieces[5] = {
        {{e, n[GATE], n[SOURCE], "gate-source charge", "gs"}, oxide || o->gate_source > 0, oxide, {n[DRAIN], n[BULK]}},
        {{e, n[GATE], n[DRAIN], "gate-drain charge", "gd"}, oxide || o->gate_drain > 0, oxide, {n[SOURCE], n[BULK]}},
        {{e, n[GATE], n[BULK], "gate-bulk charge", "gb"}, oxide || o->gate_bulk > 0, oxide, {n[DRAIN], n[SOURCE]}},
        {{e, n[BULK], n[SOURCE], "bulk-source charge", "bs"}, body || bulk_diode_stores(s), body, {n[DRAIN], n[GATE]}},
        {{e, n[BULK], n[DRAIN], "bulk-drain charge", "bd"}, body || bulk_diode_stores(d), body, {n[GATE], n[SOURCE]}},
    };
    for (int i = 0; i < 5; i++)
        if (pieces[i].present &&
            !branch_add_law(list, BRANCH_C, pieces[i].at, pieces[i].controls, pieces[i].controlled ? 2 : 0))
            return false;
    return true;
}

bool mosfet_branches(const void *batch, size_t k, struct branch_list *list)
{
    return add_resistances(batch, k, list) && add_conducting(batch, k, list) && add_storing(batch, k, list);
}

bool mosfet_initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct mosfet_batch *b = batch;
    const struct mosfet_nodes *n = &b->nodes[k];
    return instance_add_initial(&b->all, k, MOSFET_ICVGS, n->gate, n->source, list) &&
           instance_add_initial(&b->all, k, MOSFET_ICVDS, n->drain, n->source, list) &&
           instance_add_initial(&b->all, k, MOSFET_ICVBS, n->bulk, n->source, list);
}
