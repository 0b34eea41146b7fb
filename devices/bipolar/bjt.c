/* bjt.c - Q: the bipolar transistor of Gummel and Poon (equations in bjt_model.h, parameters in bjt_parameters.c).
 *
 * Nodes: collector, base, emitter, substrate outside; behind Rc, Rb, Re internal ones where the resistance is not zero.
 * The vertical transistor has its substrate junction at the collector, the lateral one (SPICE: PNP unless subs=1) at
 * the base.  Constant resistances are stamped once; all the rest is evaluated here.
 */
#include "devices/bipolar/bjt_layer.h"
#include "devices/bipolar/bjt_phase.h"
#include "devices/families.h"
#include "devices/incidence.h"

#include <string.h>

/* Order of the internal nodes in 3x3 blocks. */
enum { COLLECTOR, BASE, EMITTER };

/* ---- unknowns and matrix entries ---- */

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct bjt_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    struct bjt_nodes *n = &b->nodes[k];
    const struct bjt_series *r = &b->series[k];
    n->collector = setup_node(s, e->nodes[0]);
    n->base = setup_node(s, e->nodes[1]);
    n->emitter = setup_node(s, e->nodes[2]);
    n->substrate = e->node_count > 3 ? setup_node(s, e->nodes[3]) : 0;
    n->epi = instance_inner_node(s, e, r->collector > 0, n->collector, "collector");
    n->inner[COLLECTOR] = instance_inner_node(s, e, bjt_layer_is_there(b, k), n->epi, "epi");
    n->inner[BASE] = instance_inner_node(s, e, r->base > 0 || r->base_varies, n->base, "base");
    n->inner[EMITTER] = instance_inner_node(s, e, r->emitter > 0, n->emitter, "emitter");
    n->under = n->inner[b->lateral[k] ? BASE : COLLECTOR];
    b->has_substrate[k] = b->has_substrate[k] || n->substrate > 0;
    return n->epi >= 0 && n->inner[COLLECTOR] >= 0 && n->inner[BASE] >= 0 && n->inner[EMITTER] >= 0 &&
           bjt_phase_number(b, k, s);
}

static bool connect_block(struct device_setup *s, const struct bjt_nodes *n, struct bjt_slots *slots)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (!setup_entry(s, n->inner[row], n->inner[column], &slots->block[3 * row + column]))
                return false;
    return true;
}

/* The base resistance depends on all internal voltages: rows of its two ends, columns of base and internal nodes. */
static bool connect_base(struct device_setup *s, const struct bjt_nodes *n, struct bjt_slots *slots)
{
    for (int side = 0; side < 2; side++) {
        const int row = side == 0 ? n->base : n->inner[BASE];
        if (!setup_entry(s, row, n->base, &slots->base[4 * side + 3]))
            return false;
        for (int column = 0; column < 3; column++)
            if (!setup_entry(s, row, n->inner[column], &slots->base[4 * side + column]))
                return false;
    }
    return true;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct bjt_batch *b = batch;
    const struct bjt_nodes *n = &b->nodes[k];
    struct bjt_slots *slots = &b->slots[k];
    return connect_block(s, n, slots) && (!b->series[k].base_varies || connect_base(s, n, slots)) &&
           (b->series[k].base_varies || n->base == n->inner[BASE] ||
            setup_pair(s, n->base, n->inner[BASE], slots->base)) &&
           (n->collector == n->epi || setup_pair(s, n->collector, n->epi, slots->collector)) &&
           (!bjt_layer_is_there(b, k) || bjt_layer_connect(b, k, s)) &&
           (n->emitter == n->inner[EMITTER] || setup_pair(s, n->emitter, n->inner[EMITTER], slots->emitter)) &&
           setup_pair(s, n->base, n->inner[COLLECTOR], slots->outer) &&
           (!b->has_substrate[k] || setup_pair(s, n->substrate, n->under, slots->substrate)) &&
           bjt_phase_connect(b, k, s);
}

static void stamp(const void *object, double *G, double *C)
{
    const struct bjt_batch *b = object;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct bjt_nodes *n = &b->nodes[k];
        const struct bjt_series *r = &b->series[k];
        if (n->collector != n->epi)
            pair_stamp(b->slots[k].collector, r->collector, G);
        if (n->emitter != n->inner[EMITTER])
            pair_stamp(b->slots[k].emitter, r->emitter, G);
        if (!r->base_varies && n->base != n->inner[BASE])
            pair_stamp(b->slots[k].base, r->base, G);
        bjt_phase_stamp(b, k, G, C);
    }
}

/* ---- evaluation ---- */

/* One transistor at one point: voltages in NPN sense, both as proposed and as evaluated. */
struct bjt_bias {
    double vbe, vbc, vsub, vbn; /* where the junctions are evaluated; vbn: bjt_epi.h */
    double vbx;                 /* outer base to internal collector */
    double vbe_excess, vbc_excess, vsub_excess,
        vbn_excess;    /* proposed minus evaluated: 0 unless limited or on a tangent */
    double vbx_excess; /* never limited */
    double vbb;        /* across the base resistance */
};

static void read_bias(const struct bjt_batch *b, size_t k, const double *x, struct bjt_bias *v)
{
    const struct bjt_nodes *n = &b->nodes[k];
    const double sign = b->sign[k];
    const double base = x[n->inner[BASE]];
    *v = (struct bjt_bias){.vbe = sign * (base - x[n->inner[EMITTER]]),
                           .vbc = sign * (base - x[n->inner[COLLECTOR]]),
                           .vsub = b->substrate_sign[k] * (x[n->substrate] - x[n->under]),
                           .vbn = sign * (base - x[n->epi]),
                           .vbx = sign * (x[n->base] - x[n->inner[COLLECTOR]]),
                           .vbb = sign * (x[n->base] - base)};
}

static void limit_junction(double *v, double *excess, double previous, double rate, double critical, bool *limited)
{
    const double allowed = junction_limit(*v, previous, rate, critical);
    *excess = *v - allowed;
    if (allowed != *v)
        *limited = true;
    *v = allowed;
}

/* Forward active: the base-emitter junction at its critical voltage, the collector junction at 0 V. */
static void start_active(const struct bjt_law *law, struct bjt_bias *v, bool *limited)
{
    v->vbe = law->critical_emitter;
    v->vbe_excess = -v->vbe;
    *limited = true;
}

static void limit_bias(struct bjt_batch *b, size_t k, const struct device_point *at, struct bjt_bias *v)
{
    struct bjt_previous *previous = &b->previous[k];
    const struct bjt_law *law = &b->laws[k];
    if (at->first) {
        struct bjt_bias reference;
        read_bias(b, k, at->x_reference, &reference);
        *previous = (struct bjt_previous){reference.vbe, reference.vbc, reference.vsub, reference.vbn};
    }
    limit_junction(&v->vbe, &v->vbe_excess, previous->vbe, law->forward.rate, law->critical_emitter, at->limited);
    limit_junction(&v->vbc, &v->vbc_excess, previous->vbc, law->reverse.rate, law->critical_collector, at->limited);
    if (law->substrate.saturation > 0)
        limit_junction(&v->vsub, &v->vsub_excess, previous->vsub, law->substrate.rate, law->critical_substrate,
                       at->limited);
    if (bjt_layer_is_there(b, k))
        limit_junction(&v->vbn, &v->vbn_excess, previous->vbn, law->reverse.rate, law->critical_collector, at->limited);
    if (junction_is_cold(at->when.time, at->first, v->vbe, previous->vbe) && v->vbc == 0 && previous->vbc == 0)
        start_active(law, v, at->limited);
    *previous = (struct bjt_previous){v->vbe, v->vbc, v->vsub, v->vbn};
}

/* Value at the proposed voltages, on the tangent at the evaluated ones. */
static double extrapolated(const struct bjt_value *a, const struct bjt_bias *v)
{
    return a->value + a->be * v->vbe_excess + a->bc * v->vbc_excess;
}

/* Matrix entries of a two-terminal quantity that leaves node `from` and enters node `to` of the block and depends on
 * vbe and vbc. */
static void add_block(double *matrix, const int *block, int from, int to, double be, double bc)
{
    const double row[3] = {-bc, be + bc, -be};
    for (int column = 0; column < 3; column++) {
        matrix[block[3 * from + column]] += row[column];
        matrix[block[3 * to + column]] -= row[column];
    }
}

static void add_base_resistance(const struct bjt_batch *b, size_t k, unsigned what, const struct bjt_bias *v,
                                const struct bjt_value *g, const struct device_stamp *out)
{
    const struct bjt_nodes *n = &b->nodes[k];
    if (what & EVALUATE_F) {
        const double current = b->sign[k] * extrapolated(g, v) * v->vbb;
        out->f[n->base] += current;
        out->f[n->inner[BASE]] -= current;
    }
    if (!(what & EVALUATE_G))
        return;
    const double be = g->be * v->vbb, bc = g->bc * v->vbb;
    const double columns[4] = {-bc, be + bc - g->value, -be, g->value};
    const int *slots = b->slots[k].base;
    for (int column = 0; column < 4; column++) {
        out->G[slots[column]] += columns[column];
        out->G[slots[4 + column]] -= columns[column];
    }
}

static void add_currents(const struct bjt_batch *b, size_t k, const struct device_point *at, const struct bjt_bias *v,
                         const struct bjt_currents *i, const struct device_stamp *out)
{
    const int *inner = b->nodes[k].inner;
    const double sign = b->sign[k];
    if (at->what & EVALUATE_F) {
        const double transport = sign * extrapolated(&i->transport, v);
        const double emitter = sign * (extrapolated(&i->emitter, v) + at->gmin * (v->vbe + v->vbe_excess));
        const double collector = sign * (extrapolated(&i->collector, v) + at->gmin * (v->vbc + v->vbc_excess));
        out->f[inner[COLLECTOR]] += transport - collector;
        out->f[inner[BASE]] += emitter + collector;
        out->f[inner[EMITTER]] -= transport + emitter;
    }
    if (at->what & EVALUATE_G) {
        const int *block = b->slots[k].block;
        add_block(out->G, block, COLLECTOR, EMITTER, i->transport.be, i->transport.bc);
        add_block(out->G, block, BASE, EMITTER, i->emitter.be + at->gmin, 0);
        add_block(out->G, block, BASE, COLLECTOR, 0, i->collector.bc + at->gmin);
    }
    if (b->delay[k] > 0)
        bjt_phase_add(b, k, at->what, sign * extrapolated(&i->late, v), &i->late, out);
}

static void add_charges(const struct bjt_batch *b, size_t k, unsigned what, const struct bjt_bias *v,
                        const struct bjt_tangent *t, const struct device_stamp *out)
{
    const struct bjt_nodes *n = &b->nodes[k];
    const double sign = b->sign[k];
    if (what & EVALUATE_Q) {
        const double be = sign * extrapolated(&t->emitter, v), bc = sign * extrapolated(&t->collector, v);
        const double outer = sign * (t->outer + t->outer_capacitance * v->vbx_excess);
        out->q[n->inner[COLLECTOR]] -= bc + outer;
        out->q[n->inner[BASE]] += be + bc;
        out->q[n->inner[EMITTER]] -= be;
        out->q[n->base] += outer;
    }
    if (what & EVALUATE_C) {
        add_block(out->C, b->slots[k].block, BASE, EMITTER, t->emitter.be, t->emitter.bc);
        add_block(out->C, b->slots[k].block, BASE, COLLECTOR, 0, t->collector.bc);
        pair_stamp(b->slots[k].outer, t->outer_capacitance, out->C);
    }
}

/* Substrate junction: current, charge and their derivatives at its evaluated voltage. */
static void substrate_junction(const struct bjt_law *law, double v, struct bjt_substrate *s)
{
    *s = (struct bjt_substrate){0, 0, 0, 0};
    if (law->substrate.saturation > 0)
        s->current = junction_current(&law->substrate, v, &s->conductance);
    if (law->to_substrate.capacitance > 0)
        s->charge = depletion_charge(&law->to_substrate, v, &s->capacitance);
}

static void add_substrate(const struct bjt_batch *b, size_t k, const struct device_point *at, const struct bjt_bias *v,
                          const struct bjt_substrate *s, const struct device_stamp *out)
{
    const struct bjt_nodes *n = &b->nodes[k];
    const double sign = b->substrate_sign[k];
    if (at->what & EVALUATE_F) {
        const double current =
            sign * (s->current + s->conductance * v->vsub_excess + at->gmin * (v->vsub + v->vsub_excess));
        out->f[n->substrate] += current;
        out->f[n->under] -= current;
    }
    if (at->what & EVALUATE_Q) {
        const double charge = sign * (s->charge + s->capacitance * v->vsub_excess);
        out->q[n->substrate] += charge;
        out->q[n->under] -= charge;
    }
    if (at->what & EVALUATE_G)
        pair_stamp(b->slots[k].substrate, s->conductance + at->gmin, out->G);
    if (at->what & EVALUATE_C)
        pair_stamp(b->slots[k].substrate, s->capacitance, out->C);
}

/* Everything asked for at the voltages v, or simply everything. */
static void evaluate_at(const struct bjt_batch *b, size_t k, unsigned what, const struct bjt_bias *v,
                        struct bjt_tangent *t)
{
    const struct bjt_law *law = &b->laws[k];
    const bool derivatives = (what & (EVALUATE_G | EVALUATE_C)) || v->vbe_excess != 0 || v->vbc_excess != 0;
    t->at = (struct bjt_voltages){v->vbe, v->vbc, v->vsub, v->vbx, v->vbn};
    bjt_currents(law, v->vbe, v->vbc, derivatives, &t->currents);
    if (b->delay[k] > 0)
        bjt_phase_split(derivatives, &t->currents);
    if (b->series[k].base_varies)
        bjt_base_conductance(law, derivatives, &t->currents);
    if (b->has_substrate[k])
        substrate_junction(law, v->vsub, &t->substrate);
    if (bjt_layer_is_there(b, k))
        bjt_epi_at(&law->epi, v->vbc, v->vbn, &t->epi);
    if (!b->has_charge || !(what & (EVALUATE_Q | EVALUATE_C)))
        return;
    bjt_emitter_charge(law, v->vbe, v->vbc, &t->currents, derivatives, &t->emitter);
    bjt_collector_charge(law, v->vbc, &t->currents, &t->collector);
    t->outer = t->outer_capacitance = 0;
    if (law->outer.capacitance > 0)
        t->outer = depletion_charge(&law->outer, v->vbx, &t->outer_capacitance);
}

static bool is_near(const struct bjt_bias *v, const struct bjt_voltages *at, double distance)
{
    return fabs(v->vbe - at->vbe) <= distance && fabs(v->vbc - at->vbc) <= distance &&
           fabs(v->vsub - at->vsub) <= distance && fabs(v->vbx - at->vbx) <= distance &&
           fabs(v->vbn - at->vbn) <= distance;
}

/* From the voltages proposed to those of a tangent. */
static void move_to(struct bjt_bias *v, const struct bjt_voltages *at)
{
    v->vbe_excess = v->vbe - at->vbe;
    v->vbc_excess = v->vbc - at->vbc;
    v->vsub_excess = v->vsub - at->vsub;
    v->vbx_excess = v->vbx - at->vbx;
    v->vbn_excess = v->vbn - at->vbn;
    v->vbe = at->vbe;
    v->vbc = at->vbc;
    v->vsub = at->vsub;
    v->vbx = at->vbx;
    v->vbn = at->vbn;
}

/* All but a base resistance that varies. */
static void add_all(const struct bjt_batch *b, size_t k, const struct device_point *at, const struct bjt_bias *v,
                    const struct bjt_tangent *t, const struct device_stamp *out)
{
    if (at->what & (EVALUATE_F | EVALUATE_G))
        add_currents(b, k, at, v, &t->currents, out);
    if (b->has_charge && (at->what & (EVALUATE_Q | EVALUATE_C)))
        add_charges(b, k, at->what, v, t, out);
    if (b->has_substrate[k])
        add_substrate(b, k, at, v, &t->substrate, out);
    if (bjt_layer_is_there(b, k))
        bjt_layer_add(b, k, at->what, v->vbc_excess, v->vbn_excess, &t->epi, out);
}

static const struct bjt_tangent *tangent_at(struct bjt_batch *b, size_t k, const struct device_point *at,
                                            struct bjt_tangent *partial)
{
    const bool whole = makes_tangents(at->what);
    struct bjt_tangent *kept = &b->tangents[k], *t = whole ? kept : partial;
    struct bjt_bias v;
    read_bias(b, k, at->x, &v);
    const bool cold = at->limit && at->first && at->when.time <= 0;
    const bool near = is_near(&v, &kept->at, at->near) && !cold;
    batch_count_calm(&b->all.base, k, near);
    if (near) {
        b->previous[k] = (struct bjt_previous){kept->at.vbe, kept->at.vbc, kept->at.vsub, kept->at.vbn};
        return kept;
    }
    if (at->limit)
        limit_bias(b, k, at, &v);
    evaluate_at(b, k, whole ? EVALUATE_ALL : at->what, &v, t);
    return t;
}

LOOK_AT_TANGENTS(struct bjt_batch, struct bjt_tangent)

static void add(const void *object, const struct device_point *at, size_t from, size_t to, const void *room,
                const struct device_stamp *out)
{
    const struct bjt_batch *b = object;
    const struct room *r = room;
    for (size_t i = 0; i < to - from; i++) {
        const size_t k = b->all.base.active[from + i];
        struct bjt_bias v;
        read_bias(b, k, at->x, &v);
        move_to(&v, &r->tangents[i]->at);
        if (b->series[k].base_varies && (at->what & (EVALUATE_F | EVALUATE_G)))
            add_base_resistance(b, k, at->what, &v, &r->tangents[i]->currents.base, out);
        add_all(b, k, at, &v, r->tangents[i], out);
    }
}

static void eval(void *object, const struct device_point *at, const struct device_stamp *out)
{
    struct room room;
    if (at->what & (EVALUATE_F | EVALUATE_Q | EVALUATE_G | EVALUATE_C))
        batch_eval(object, look, add, at, &room, out);
}

/* The current of a base resistance that varies is a product. */
static size_t ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct bjt_batch *b = batch;
    const struct bjt_nodes *n = &b->nodes[k];
    if (b->series[k].base_varies)
        return 0;
    const int all[] = {n->inner[COLLECTOR], n->inner[BASE], n->inner[EMITTER], n->base, n->substrate, n->under, n->epi};
    memcpy(unknowns, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void scale(struct bjt_value *v, double factor)
{
    *v = (struct bjt_value){factor * v->value, factor * v->be, factor * v->bc};
}

static void tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    const struct bjt_batch *b = batch;
    const struct device_point at = {.what = EVALUATE_ALL, .gmin = sign * gmin};
    struct bjt_tangent t = b->tangents[k];
    struct bjt_bias zero = {0};
    move_to(&zero, &t.at);
    struct bjt_value *const values[] = {&t.currents.transport, &t.currents.late, &t.currents.emitter,
                                        &t.currents.collector, &t.emitter,       &t.collector};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        scale(values[i], sign);
    t.outer *= sign, t.outer_capacitance *= sign;
    t.substrate = (struct bjt_substrate){sign * t.substrate.current, sign * t.substrate.conductance,
                                         sign * t.substrate.charge, sign * t.substrate.capacitance};
    t.epi = (struct bjt_epi){sign * t.epi.current, sign * t.epi.by_bc, sign * t.epi.by_bn, sign * t.epi.charge,
                             sign * t.epi.capacitance};
    add_all(b, k, &at, &zero, &t, out);
}

/* ---- what others ask ---- */

/* Currents out of the internal nodes into the intrinsic transistor and into the outer base, displacement included. */
struct bjt_flow {
    double inner[3];
    double outer_base; /* from the base through the outer collector junction */
    double base_resistance;
    double substrate;
    double epi; /* from the layer's end */
};

static struct bjt_flow flow_at(const struct bjt_batch *b, size_t k, const struct device_probe *at)
{
    const double sign = b->sign[k];
    const struct bjt_tangent *t = &b->tangents[k];
    struct bjt_tangent own = {0};
    struct bjt_bias v, rate;
    read_bias(b, k, at->x, &v);
    read_bias(b, k, at->dxdt, &rate);
    if (!is_near(&v, &t->at, at->near)) {
        evaluate_at(b, k, EVALUATE_ALL, &v, &own);
        t = &own;
    }
    move_to(&v, &t->at);
    const struct bjt_substrate *s = &t->substrate;
    const double transport = sign * extrapolated(&t->currents.transport, &v) + bjt_phase_current(b, k, at->x);
    const double emitter = extrapolated(&t->currents.emitter, &v) + at->gmin * (v.vbe + v.vbe_excess) +
                           t->emitter.be * rate.vbe + t->emitter.bc * rate.vbc;
    const double collector =
        extrapolated(&t->currents.collector, &v) + at->gmin * (v.vbc + v.vbc_excess) + t->collector.bc * rate.vbc;
    const double base = b->series[k].base_varies ? extrapolated(&t->currents.base, &v) : b->series[k].base;
    struct bjt_flow flow = {.base_resistance = sign * base * v.vbb,
                            .outer_base = sign * t->outer_capacitance * rate.vbx};
    if (b->has_substrate[k])
        flow.substrate = b->substrate_sign[k] * (s->current + s->conductance * v.vsub_excess +
                                                 at->gmin * (v.vsub + v.vsub_excess) + s->capacitance * rate.vsub);
    flow.inner[COLLECTOR] = transport - sign * collector - flow.outer_base;
    flow.inner[BASE] = sign * (emitter + collector);
    flow.inner[EMITTER] = -transport - sign * emitter;
    flow.inner[b->lateral[k] ? BASE : COLLECTOR] -= flow.substrate;
    if (bjt_layer_is_there(b, k)) {
        const struct bjt_epi *e = &t->epi;
        flow.epi = sign * (e->current + e->by_bc * v.vbc_excess + e->by_bn * v.vbn_excess - e->capacitance * rate.vbn);
        flow.inner[BASE] += sign * e->capacitance * rate.vbn;
    }
    return flow;
}

static void find_currents(const struct bjt_batch *b, size_t k, const struct device_probe *at, double into[4])
{
    const struct bjt_nodes *n = &b->nodes[k];
    const struct bjt_series *r = &b->series[k];
    const struct bjt_flow flow = flow_at(b, k, at);
    into[0] = bjt_layer_is_there(b, k) ? flow.epi : flow.inner[COLLECTOR];
    if (n->collector != n->epi)
        into[0] = r->collector * (at->x[n->collector] - at->x[n->epi]);
    into[1] = flow.outer_base + (n->base == n->inner[BASE] ? flow.inner[BASE] : flow.base_resistance);
    into[2] = n->emitter == n->inner[EMITTER] ? flow.inner[EMITTER]
                                              : r->emitter * (at->x[n->emitter] - at->x[n->inner[EMITTER]]);
    into[3] = flow.substrate;
}

static double current(const void *object, size_t k, int terminal, const struct device_probe *at)
{
    const struct bjt_batch *b = object;
    struct device_flows own;
    struct device_flows *const kept = device_flows(at, &b->nodes[k], &own);
    if (!kept->known)
        find_currents(b, k, at, kept->into);
    return kept->into[terminal < 3 ? terminal : 3];
}

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    double currents[3];
    for (int t = 0; t < 3; t++)
        currents[t] = current(batch, k, t, at);
    bjt_observe(batch, k, at, currents, values);
}

static bool add_resistances(const struct bjt_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const struct bjt_nodes *n = &b->nodes[k];
    const struct bjt_series *r = &b->series[k];
    const struct branch_place collector = {e, n->collector, n->epi, "collector resistance", "c"};
    const struct branch_place base = {e, n->base, n->inner[BASE], "base resistance", "b"};
    const struct branch_place emitter = {e, n->emitter, n->inner[EMITTER], "emitter resistance", "e"};
    return branch_add_resistance(list, collector, 1 / r->collector) &&
           (r->base_varies ? branch_add_law(list, BRANCH_R, base, NULL, 0)
                           : branch_add_resistance(list, base, 1 / r->base)) &&
           branch_add_resistance(list, emitter, 1 / r->emitter);
}

static bool add_conducting(const struct bjt_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const struct bjt_nodes *n = &b->nodes[k];
    const int c = n->inner[COLLECTOR], base = n->inner[BASE], emitter = n->inner[EMITTER];
    const struct branch_place be = {e, base, emitter, "base-emitter junction", "be"};
    const struct branch_place bc = {e, base, c, "base-collector junction", "bc"};
    const struct branch_place substrate = {e, n->substrate, n->under, "substrate junction", "sub"};
    const struct branch_place transport = {e, c, emitter, "transport current", "ce"};
    const struct branch_place layer = {e, n->epi, c, "epitaxial layer", "epi"};
    return (!bjt_layer_is_there(b, k) || branch_add_law(list, BRANCH_R, layer, NULL, 0)) &&
           branch_add_law(list, BRANCH_R, be, NULL, 0) && branch_add_law(list, BRANCH_R, bc, NULL, 0) &&
           (!b->has_substrate[k] || branch_add_law(list, BRANCH_R, substrate, NULL, 0)) &&
           branch_add_law(list, BRANCH_I, transport, &base, 1);
}

/* The base charge qb makes the diffusion charge of the emitter junction depend on vbc. */
static bool add_storing(const struct bjt_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const struct bjt_nodes *n = &b->nodes[k];
    const struct bjt_law *law = &b->laws[k];
    const int c = n->inner[COLLECTOR], base = n->inner[BASE], emitter = n->inner[EMITTER];
    const struct branch_place be = {e, base, emitter, "base-emitter charge", "be"};
    const struct branch_place bc = {e, base, c, "base-collector charge", "bc"};
    const struct branch_place outer = {e, n->base, c, "outer base-collector charge", "bx"};
    const struct branch_place substrate = {e, n->substrate, n->under, "substrate charge", "sub"};
    const bool has_be = law->tf > 0 || law->emitter.capacitance > 0;
    const bool has_bc = law->tr > 0 || law->collector.capacitance > 0 || law->epi.charge > 0;
    const struct branch_place layer = {e, base, n->epi, "base-epitaxial charge", "bn"};
    return (!has_be || branch_add_law(list, BRANCH_C, be, &c, law->tf > 0)) &&
           (!has_bc || branch_add_law(list, BRANCH_C, bc, NULL, 0)) &&
           (!(law->epi.charge > 0) || branch_add_law(list, BRANCH_C, layer, NULL, 0)) &&
           (!(law->outer.capacitance > 0) || branch_add_law(list, BRANCH_C, outer, NULL, 0)) &&
           (!(law->to_substrate.capacitance > 0) || branch_add_law(list, BRANCH_C, substrate, NULL, 0));
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    return add_resistances(batch, k, list) && add_conducting(batch, k, list) && add_storing(batch, k, list) &&
           bjt_phase_branches(batch, k, list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct bjt_batch *b = batch;
    const struct bjt_nodes *n = &b->nodes[k];
    return instance_add_initial(&b->all, k, BJT_ICVBE, n->base, n->emitter, list) &&
           instance_add_initial(&b->all, k, BJT_ICVCE, n->collector, n->emitter, list);
}

static const struct model_type types[] = {
    {"npn", NULL, "current flows into the collector where v(b,e) is positive"},
    {"pnp", "lpnp", "current flows out of the collector where v(b,e) is negative; parameters have the signs of npn"},
    {NULL, NULL, NULL},
};
static const struct model_level levels[] = {{1, "Gummel-Poon"}, {0, NULL}};

const struct device_class bjt_class = {
    .kind =
        {
            ELEMENT_KIND('q', "bipolar transistor", "collector base emitter [substrate]", "model [area]", CARD_MODEL),
            .laws = "bipolar",
            .short_noun = "bjt",
            .quantities = {bjt_quantity_rows, BJT_QUANTITY_COUNT},
            /* Ratings and texts of data sheets are ignored. */
            MODEL_TABLES(bjt_instance_rows, BJT_INSTANCE_COUNT, bjt_model_rows, BJT_MODEL_COUNT,
                         "mfg type vceo icrating vbe_max vbc_max vce_max ic_max ib_max pd_max te_max"),
            .values = "area",
        },
    FILLED_BATCH(struct bjt_batch, bjt_fill),
    USUAL_FUNCTIONS,
    LOOK_FUNCTIONS,
    .prepare = bjt_prepare,
    .noise = bjt_noise,
};
