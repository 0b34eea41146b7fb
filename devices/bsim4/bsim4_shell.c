/* bsim4_shell.c - what lies around the intrinsic BSIM4 transistor: resistances of gate (8.1), bulk (8.2), and of source and
 * drain that bias changes (5.4, rdsmod = 1).
 *
 * With rbodymod the junctions end at nodes of their own; rbpb leads from the bulk's terminal to the bulk under the channel,
 * rbps and rbpd from there to the junctions, rbsb and rbdb from the terminal.
 */
#include "devices/bsim4/bsim4_batch.h"
#include "devices/incidence.h"

enum { DRAIN = MOSFET_DRAIN, GATE = MOSFET_GATE, SOURCE = MOSFET_SOURCE, BULK = MOSFET_BULK };
/* Sides of the shell; the node of the intrinsic transistor there. */
static const int inner_of[2] = {DRAIN, SOURCE};

/* ---- numbers ---- */

/* S of a resistance of the bulk: 1 mohm at least. */
static double branch_of(double ohms, double least)
{
    return ohms < 1e-3 ? 1e3 : least + 1 / ohms;
}

/* By size: r0 L^l W^w nf^n, L and W effective in um. */
static double sized(const struct bsim_device *t, const struct bsim4_law *law, double ohms, int exponents)
{
    const double *e = t->p + exponents;
    return ohms * exp(e[0] * log(law->length * 1e6) + e[1] * log(law->width * 1e6) + e[2] * log(t->own[BSIM4_NF]));
}

static double both(double a, double b)
{
    return a + b > 0 ? a * b / (a + b) : 0;
}

/* The resistances of rbodymod = 2, where the card gives what they need. */
static void size_body(const struct bsim_device *t, const struct bsim4_law *law, struct bsim4_shell *s)
{
    const double *p = t->p, least = p[BSIM4_CARD_GBMIN];
    const bool three = t->given[BSIM4_CARD_RBPS0] && t->given[BSIM4_CARD_RBPD0];
    const bool five = three && (t->given[BSIM4_CARD_RBSBX0] || t->given[BSIM4_CARD_RBSBY0]) &&
                      (t->given[BSIM4_CARD_RBDBX0] || t->given[BSIM4_CARD_RBDBY0]);
    s->to_bulk = branch_of(both(sized(t, law, p[BSIM4_CARD_RBPBX0], BSIM4_CARD_RBPBXL),
                                sized(t, law, p[BSIM4_CARD_RBPBY0], BSIM4_CARD_RBPBYL)),
                           least);
    s->to_junctions[0] = three ? branch_of(sized(t, law, p[BSIM4_CARD_RBPD0], BSIM4_CARD_RBPDL), least) : 1e3;
    s->to_junctions[1] = three ? branch_of(sized(t, law, p[BSIM4_CARD_RBPS0], BSIM4_CARD_RBPSL), least) : 1e3;
    s->bulk_to_junctions[0] = five ? branch_of(both(sized(t, law, p[BSIM4_CARD_RBDBX0], BSIM4_CARD_RBSDBXL),
                                                    sized(t, law, p[BSIM4_CARD_RBDBY0], BSIM4_CARD_RBSDBYL)),
                                               least)
                                   : least;
    s->bulk_to_junctions[1] = five ? branch_of(both(sized(t, law, p[BSIM4_CARD_RBSBX0], BSIM4_CARD_RBSDBXL),
                                                    sized(t, law, p[BSIM4_CARD_RBSBY0], BSIM4_CARD_RBSDBYL)),
                                               least)
                                   : least;
}

static void given_body(const struct bsim_device *t, struct bsim4_shell *s)
{
    const double least = t->p[BSIM4_CARD_GBMIN];
    s->to_bulk = branch_of(bsim4_either(t, BSIM4_RBPB, BSIM4_CARD_RBPB), least);
    s->to_junctions[0] = branch_of(bsim4_either(t, BSIM4_RBPD, BSIM4_CARD_RBPD), least);
    s->to_junctions[1] = branch_of(bsim4_either(t, BSIM4_RBPS, BSIM4_CARD_RBPS), least);
    s->bulk_to_junctions[0] = branch_of(bsim4_either(t, BSIM4_RBDB, BSIM4_CARD_RBDB), least);
    s->bulk_to_junctions[1] = branch_of(bsim4_either(t, BSIM4_RBSB, BSIM4_CARD_RBSB), least);
}

static void prepare_body(const struct bsim_device *t, const struct bsim4_law *law, struct bsim4_batch *b, size_t k)
{
    struct bsim4_shell *s = &b->shells[k];
    struct bulk_diode *inner[2] = {&b->mos.drain_diodes[k], &b->mos.source_diodes[k]};
    const double m = t->own[MOSFET_M];
    if (bsim4_either(t, BSIM4_RBODYMOD_OWN, BSIM4_CARD_RBODYMOD) == 2)
        size_body(t, law, s);
    else
        given_body(t, s);
    s->to_bulk *= m;
    for (int i = 0; i < 2; i++) {
        s->to_junctions[i] *= m;
        s->bulk_to_junctions[i] *= m;
        s->diodes[i] = *inner[i];
        s->tangents[i].at = NAN;
        inner[i]->law.saturation = 0;
        inner[i]->own = NULL;
        inner[i]->bottom.capacitance = inner[i]->sidewall.capacitance = inner[i]->gate_wall.capacitance = 0;
    }
}

static double own_or_card(const struct bsim4_batch *b, size_t k, int own, int card)
{
    return b->mos.all.own_given[k][own] ? b->mos.all.own[k][own] : b->mos.all.model[k][card];
}

void bsim4_make_shell(struct bsim4_batch *b, size_t k)
{
    struct bsim4_shell *s = &b->shells[k];
    s->ends = b->mos.all.model[k][BSIM4_CARD_RDSMOD] != 0;
    s->body = own_or_card(b, k, BSIM4_RBODYMOD_OWN, BSIM4_CARD_RBODYMOD) != 0;
    s->gate_law = (int)own_or_card(b, k, BSIM4_RGATEMOD_OWN, BSIM4_CARD_RGATEMOD);
}

void bsim4_prepare_shell(const struct bsim_device *t, const struct bsim4_law *law, struct bsim4_batch *b, size_t k)
{
    struct bsim4_shell *s = &b->shells[k];
    const double *p = t->p, m = t->own[MOSFET_M], nf = t->own[BSIM4_NF];
    const double contacts = bsim4_either(t, BSIM4_NGCON_OWN, BSIM4_CARD_NGCON);
    const double resistance = p[BSIM4_CARD_RSHG] *
                              (bsim4_either(t, BSIM4_XGW_OWN, BSIM4_CARD_XGW) + law->width_junction / 3 / contacts) /
                              (contacts * nf * (t->own[MOSFET_L] + p[BSIM4_CARD_XL] - p[BSIM4_CARD_XGL]));
    s->gate_conductance = m * (resistance > 0 ? 1 / resistance : 1e3);
    const double series[2] = {bsim4_diffusion_of(t, true).resistance, bsim4_diffusion_of(t, false).resistance};
    const double least[2] = {p[BSIM4_CARD_RDWMIN], p[BSIM4_CARD_RSWMIN]};
    const double warmer = t->celsius - t->nominal;
    const bool plain = p[BSIM4_CARD_TEMPMOD] == 0;
    for (int i = 0; i < 2; i++) {
        const double warm =
            plain ? least[i] + law->p[BSIM4_PRT] * law->warmth : least[i] * (1 + law->p[BSIM4_PRT] * warmer);
        s->contacts[i] = m * (series[i] > 0 ? 1 / series[i] : 1e3);
        s->least[i] = fmax(warm, 0) / (pow(law->width_junction * 1e6, law->p[BSIM4_WR]) * nf * m);
        s->width_resistance[i] = law->p[i == 0 ? BSIM4_RDW : BSIM4_RSW] / (nf * m);
    }
    if (!s->ends)
        b->mos.series[k] = (struct mosfet_series){series[0] > 0 ? m / series[0] : 0, series[1] > 0 ? m / series[1] : 0};
    if (s->body)
        prepare_body(t, law, b, k);
}

/* ---- unknowns and matrix entries ---- */

bool bsim4_number(void *batch, size_t k, struct device_setup *s)
{
    struct bsim4_batch *b = batch;
    const struct element *e = b->mos.all.base.elements[k];
    struct bsim4_shell *shell = &b->shells[k];
    struct mosfet_nodes *n = &b->mos.nodes[k];
    if (!mosfet_number(batch, k, s))
        return false;
    shell->gate = n->inner[GATE];
    shell->bulk = n->inner[BULK];
    if (shell->ends) {
        n->inner[DRAIN] = setup_internal_node(s, e, "drain");
        n->inner[SOURCE] = setup_internal_node(s, e, "source");
    }
    n->inner[GATE] = instance_inner_node(s, e, shell->gate_law != 0, shell->gate, "gate");
    n->inner[BULK] = instance_inner_node(s, e, shell->body, shell->bulk, "body");
    if (shell->body) {
        shell->junctions[0] = setup_internal_node(s, e, "dbody");
        shell->junctions[1] = setup_internal_node(s, e, "sbody");
    }
    if (n->inner[SOURCE] != n->inner[BULK] && (shell->body || shell->ends))
        b->mos.ties[k] = n->inner[BULK] == 0 ? MOSFET_GROUNDED_BULK : MOSFET_FREE;
    return n->inner[DRAIN] >= 0 && n->inner[SOURCE] >= 0 && n->inner[GATE] >= 0 && n->inner[BULK] >= 0 &&
           shell->junctions[0] >= 0 && shell->junctions[1] >= 0;
}

static bool ask_row(struct device_setup *s, int row, const int *inner, int slots[4])
{
    bool good = true;
    for (int i = 0; i < 4; i++)
        good = setup_entry(s, row, inner[i], &slots[i]) && good;
    return good;
}

bool bsim4_connect(void *batch, size_t k, struct device_setup *s)
{
    struct bsim4_batch *b = batch;
    struct bsim4_shell *shell = &b->shells[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const int outer[2] = {n->drain, n->source};
    bool good = mosfet_connect(batch, k, s);
    if (shell->gate_law != 0)
        good = setup_pair(s, shell->gate, n->inner[GATE], shell->gate_slots) &&
               ask_row(s, shell->gate, n->inner, shell->gate_row) && good;
    if (shell->body)
        good = setup_pair(s, shell->bulk, n->inner[BULK], shell->to_bulk_slots) && good;
    for (int i = 0; i < 2; i++) {
        const int node = n->inner[inner_of[i]];
        if (shell->ends)
            good = setup_pair(s, outer[i], node, shell->end_slots[i]) &&
                   ask_row(s, outer[i], n->inner, shell->end_row[i][0]) &&
                   ask_row(s, node, n->inner, shell->end_row[i][1]) && good;
        if (shell->body)
            good = setup_pair(s, n->inner[BULK], shell->junctions[i], shell->to_junction_slots[i]) &&
                   setup_pair(s, shell->bulk, shell->junctions[i], shell->bulk_slots[i]) &&
                   setup_pair(s, shell->junctions[i], node, shell->diode_slots[i]) && good;
    }
    return good;
}

void bsim4_stamp(const void *batch, double *G, double *C)
{
    const struct bsim4_batch *b = batch;
    mosfet_stamp(batch, G, C);
    for (size_t k = 0; k < b->mos.all.base.count; k++) {
        const struct bsim4_shell *s = &b->shells[k];
        if (s->gate_law == 1)
            pair_stamp(s->gate_slots, s->gate_conductance, G);
        if (!s->body)
            continue;
        pair_stamp(s->to_bulk_slots, s->to_bulk, G);
        for (int i = 0; i < 2; i++) {
            pair_stamp(s->to_junction_slots[i], s->to_junctions[i], G);
            pair_stamp(s->bulk_slots[i], s->bulk_to_junctions[i], G);
        }
    }
}

/* ---- what bias changes ---- */

static struct mosfet_voltages voltages_at(const struct bsim4_batch *b, size_t k, const double *x)
{
    const int *n = b->mos.nodes[k].inner;
    const double sign = b->mos.sign[k], source = x[n[SOURCE]];
    return (struct mosfet_voltages){sign * (x[n[GATE]] - source), sign * (x[n[DRAIN]] - source),
                                    sign * (x[n[BULK]] - source)};
}

/* S of the gate in front of the channel (rgatemod = 2): the electrode and the channel in series (8.4). */
static struct mosfet_value gate_conductance(const struct bsim4_batch *b, size_t k, const double *x)
{
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const struct mosfet_voltages v = voltages_at(b, k, x);
    const double end = fmin(v.ds, 0), electrode = b->shells[k].gate_conductance;
    struct bsim4_point p;
    bsim4_evaluate(law, v.gs - end, fabs(v.ds), v.bs - end, BSIM4_CURRENTS, &p);
    struct mosfet_value g = value_accumulate(law->p[BSIM4_XRCRG2] * law->thermal, p.conductance, p.slope);
    g = value_scale(law->p[BSIM4_XRCRG1] * b->fingers[k], g);
    if (v.ds < 0)
        g = (struct mosfet_value){g.value, g.gs, -(g.gs + g.ds + g.bs), g.bs};
    const double share = electrode / (electrode + g.value);
    return value_chain(g, share * g.value, share * share);
}

/* Of source or drain by its voltages against gate and bulk (5.4.2): function of v(gate, end) and v(bulk, end). */
static struct mosfet_value end_conductance(const struct bsim4_batch *b, size_t k, int side, double gate, double bulk)
{
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const struct bsim4_shell *s = &b->shells[k];
    const double over = gate - law->edge_flat_band, bent = sqrt(over * over + 1e-4);
    const struct mosfet_value kept = {0.5 * (over + bent), 0.5 * (1 + over / bent), 0, 0};
    struct mosfet_value part = value_invert(value_line(law->p[BSIM4_PRWG], kept, 1));
    part.value -= law->p[BSIM4_PRWB] * bulk;
    part.bs -= law->p[BSIM4_PRWB];
    const double root = sqrt(part.value * part.value + 0.01), half = 0.5 * s->width_resistance[side];
    const struct mosfet_value ohms =
        value_chain(part, s->least[side] + half * (part.value + root), half * (1 + part.value / root));
    return value_invert(value_line(1, ohms, 1 / s->contacts[side]));
}

/* In terms of vgs, vds and vbs. */
static struct mosfet_value end_at(const struct bsim4_batch *b, size_t k, int side, const double *x)
{
    const struct mosfet_voltages v = voltages_at(b, k, x);
    const double drain = side == 0 ? v.ds : 0;
    struct mosfet_value g = end_conductance(b, k, side, v.gs - drain, v.bs - drain);
    g.ds = side == 0 ? -(g.gs + g.bs) : 0;
    return g;
}

void bsim4_end_conductances(const struct bsim4_batch *b, size_t k, const double *x, double conductance[2])
{
    const double series[2] = {b->mos.series[k].drain, b->mos.series[k].source};
    for (int i = 0; i < 2; i++)
        conductance[i] = b->shells[k].ends ? end_at(b, k, i, x).value : series[i];
}

/* Derivatives of a current by vgs, vds and vbs in a row. */
static void add_slopes(double *G, const int row[4], const struct mosfet_value *g, double voltage)
{
    G[row[GATE]] += voltage * g->gs;
    G[row[DRAIN]] += voltage * g->ds;
    G[row[BULK]] += voltage * g->bs;
    G[row[SOURCE]] -= voltage * (g->gs + g->ds + g->bs);
}

/* A conductance that bias changes, from `outer` to `inner`; rows are those of both for the intrinsic nodes. */
static void add_conductance(const struct device_point *at, const struct device_stamp *out, double sign, int outer,
                            int inner, const struct mosfet_value *g, const int pair[4], const int *outer_row,
                            const int *inner_row)
{
    const double v = at->x[outer] - at->x[inner];
    if (at->what & EVALUATE_F) {
        out->f[outer] += g->value * v;
        out->f[inner] -= g->value * v;
    }
    if (at->what & EVALUATE_G) {
        pair_stamp(pair, g->value, out->G);
        add_slopes(out->G, outer_row, g, sign * v);
        add_slopes(out->G, inner_row, g, -sign * v);
    }
}

/* V, across the junction in its own sense. */
static double across_junction(const struct bsim4_batch *b, size_t k, int side, const double *x)
{
    return b->mos.sign[k] * (x[b->shells[k].junctions[side]] - x[b->mos.nodes[k].inner[inner_of[side]]]);
}

static double limited_junction(const struct bsim4_batch *b, size_t k, int side, const struct device_point *at)
{
    const struct bsim4_shell *s = &b->shells[k];
    const struct bulk_diode *d = &s->diodes[side];
    const double proposed = across_junction(b, k, side, at->x);
    if (!at->limit)
        return proposed;
    const double previous = at->first ? across_junction(b, k, side, at->x_reference) : s->previous[side];
    const double v = junction_limit(proposed, previous, d->law.rate, d->critical_voltage);
    *at->limited = *at->limited || v != proposed;
    return v;
}

/* The kept tangent where it answers; else that of the point, kept where it is whole. */
static const struct bsim4_junction_tangent *junction_tangent_at(struct bsim4_batch *b, size_t k, int side,
                                                                const struct device_point *at,
                                                                struct bsim4_junction_tangent *partial)
{
    struct bsim4_shell *s = &b->shells[k];
    const struct bulk_diode *d = &s->diodes[side];
    struct bsim4_junction_tangent *kept = &s->tangents[side], *t = makes_tangents(at->what) ? kept : partial;
    const double proposed = across_junction(b, k, side, at->x);
    if (fabs(proposed - kept->at) <= at->near) {
        s->previous[side] = proposed;
        return kept;
    }
    batch_count_calm(&b->mos.all.base, k, false);
    *t = (struct bsim4_junction_tangent){.at = limited_junction(b, k, side, at)};
    s->previous[side] = t->at;
    if (at->what & (EVALUATE_F | EVALUATE_G))
        t->current = bulk_diode_current(d, t->at, &t->conductance);
    if (bulk_diode_stores(d) && (at->what & (EVALUATE_Q | EVALUATE_C)))
        t->charge = bulk_diode_charge(d, t->at, &t->capacitance);
    return t;
}

/* Adds `factor` times what a tangent gives at v. */
static void add_junction(const struct bsim4_batch *b, size_t k, int side, unsigned what,
                         const struct bsim4_junction_tangent *t, double v, double factor,
                         const struct device_stamp *out)
{
    const struct bsim4_shell *s = &b->shells[k];
    const double sign = factor * b->mos.sign[k];
    const int from = s->junctions[side], to = b->mos.nodes[k].inner[inner_of[side]];
    if (what & EVALUATE_F) {
        const double i = sign * (t->current + t->conductance * (v - t->at));
        out->f[from] += i;
        out->f[to] -= i;
    }
    if (what & EVALUATE_G)
        pair_stamp(s->diode_slots[side], factor * t->conductance, out->G);
    if (!bulk_diode_stores(&s->diodes[side]))
        return;
    if (what & EVALUATE_Q) {
        const double q = sign * (t->charge + t->capacitance * (v - t->at));
        out->q[from] += q;
        out->q[to] -= q;
    }
    if (what & EVALUATE_C)
        pair_stamp(s->diode_slots[side], factor * t->capacitance, out->C);
}

static void eval_diode(struct bsim4_batch *b, size_t k, int side, const struct device_point *at,
                       const struct device_stamp *out)
{
    struct bsim4_junction_tangent partial;
    const struct bsim4_junction_tangent *t = junction_tangent_at(b, k, side, at, &partial);
    add_junction(b, k, side, at->what, t, across_junction(b, k, side, at->x), 1, out);
}

static void eval_shell(struct bsim4_batch *b, size_t k, const struct device_point *at, const struct device_stamp *out)
{
    const struct bsim4_shell *s = &b->shells[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const bool currents = at->what & (EVALUATE_F | EVALUATE_G);
    const int outer[2] = {n->drain, n->source};
    if (s->gate_law > 1 && currents) {
        const struct mosfet_value g = gate_conductance(b, k, at->x);
        add_conductance(at, out, b->mos.sign[k], s->gate, n->inner[GATE], &g, s->gate_slots, s->gate_row,
                        b->mos.slots[k].block + 4 * GATE);
    }
    for (int i = 0; i < 2; i++) {
        if (s->ends && currents) {
            const struct mosfet_value g = end_at(b, k, i, at->x);
            add_conductance(at, out, b->mos.sign[k], outer[i], n->inner[inner_of[i]], &g, s->end_slots[i],
                            s->end_row[i][0], s->end_row[i][1]);
        }
        if (s->body)
            eval_diode(b, k, i, at, out);
    }
}

/* Whether something is evaluated besides the intrinsic transistor. */
static bool varies(const struct bsim4_shell *s)
{
    return s->ends || s->body || s->gate_law > 1;
}

void bsim4_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct bsim4_batch *b = batch;
    mosfet_eval(batch, at, out);
    for (size_t a = 0; a < b->mos.all.base.active_count; a++)
        if (varies(&b->shells[b->mos.all.base.active[a]]))
            eval_shell(b, b->mos.all.base.active[a], at, out);
}

size_t bsim4_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct bsim4_batch *b = batch;
    const struct bsim4_shell *s = &b->shells[k];
    if (s->ends || s->gate_law > 1)
        return 0;
    size_t count = mosfet_ends(batch, k, unknowns);
    for (int i = 0; s->body && i < 2; i++)
        unknowns[count++] = s->junctions[i];
    return count;
}

void bsim4_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    const struct bsim4_batch *b = batch;
    mosfet_tangent(batch, k, gmin, sign, out);
    for (int i = 0; b->shells[k].body && i < 2; i++)
        add_junction(b, k, i, EVALUATE_ALL, &b->shells[k].tangents[i], 0, sign, out);
}

/* ---- what others ask ---- */

double bsim4_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct bsim4_batch *b = batch;
    const struct bsim4_shell *s = &b->shells[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const int side = terminal == 0 ? 0 : 1;
    const double *x = at->x;
    if (terminal == 3 && s->body)
        return s->to_bulk * (x[s->bulk] - x[n->inner[BULK]]) +
               s->bulk_to_junctions[0] * (x[s->bulk] - x[s->junctions[0]]) +
               s->bulk_to_junctions[1] * (x[s->bulk] - x[s->junctions[1]]);
    if (terminal == 1 && s->gate_law != 0)
        return (s->gate_law == 1 ? s->gate_conductance : gate_conductance(b, k, x).value) *
               (x[s->gate] - x[n->inner[GATE]]);
    if (terminal % 2 == 1)
        return mosfet_current_into(batch, k, terminal, at);
    const int outer = side == 0 ? n->drain : n->source, inner = n->inner[inner_of[side]];
    if (s->ends)
        return end_at(b, k, side, x).value * (x[outer] - x[inner]);
    double i = mosfet_current_into(batch, k, terminal, at);
    if (s->body && outer == inner) {
        const double sign = b->mos.sign[k];
        double g, c;
        i -= sign * bulk_diode_current(&s->diodes[side], sign * (x[s->junctions[side]] - x[inner]), &g);
        bulk_diode_charge(&s->diodes[side], sign * (x[s->junctions[side]] - x[inner]), &c);
        i -= c * (at->dxdt[s->junctions[side]] - at->dxdt[inner]);
    }
    return i;
}

static bool add_shell(const struct bsim4_batch *b, size_t k, struct branch_list *list)
{
    static const char *const ends[2] = {"drain resistance", "source resistance"}, *const short_ends[2] = {"d", "s"};
    static const char *const diodes[2] = {"bulk-drain junction", "bulk-source junction"}, *const short_diodes[2] = {
                                                                                              "bd", "bs"};
    static const char *const charges[2] = {"bulk-drain charge", "bulk-source charge"};
    static const char *const wells[2] = {"bulk resistance to the drain", "bulk resistance to the source"};
    const struct element *e = b->mos.all.base.elements[k];
    const struct bsim4_shell *s = &b->shells[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const int outer[2] = {n->drain, n->source}, controls[2] = {n->inner[GATE], n->inner[BULK]};
    bool good = true;
    if (s->gate_law == 1)
        good = branch_add_resistance(list, (struct branch_place){e, s->gate, n->inner[GATE], "gate resistance", "g"},
                                     1 / s->gate_conductance);
    else if (s->gate_law > 1)
        good = branch_add_law(list, BRANCH_R, (struct branch_place){e, s->gate, n->inner[GATE], "gate resistance", "g"},
                              NULL, 0);
    if (s->body)
        good = branch_add_resistance(list, (struct branch_place){e, s->bulk, n->inner[BULK], "bulk resistance", "b"},
                                     1 / s->to_bulk) &&
               good;
    for (int i = 0; i < 2; i++) {
        const int inner = n->inner[inner_of[i]];
        if (s->ends)
            good = branch_add_law(list, BRANCH_I, (struct branch_place){e, outer[i], inner, ends[i], short_ends[i]},
                                  controls, 2) &&
                   good;
        if (!s->body)
            continue;
        good = branch_add_resistance(list, (struct branch_place){e, n->inner[BULK], s->junctions[i], wells[i], "w"},
                                     1 / s->to_junctions[i]) &&
               branch_add_resistance(list, (struct branch_place){e, s->bulk, s->junctions[i], wells[i], "w"},
                                     1 / s->bulk_to_junctions[i]) &&
               branch_add_law(list, BRANCH_R,
                              (struct branch_place){e, s->junctions[i], inner, diodes[i], short_diodes[i]}, NULL, 0) &&
               good;
        if (bulk_diode_stores(&s->diodes[i]))
            good = branch_add_law(list, BRANCH_C,
                                  (struct branch_place){e, s->junctions[i], inner, charges[i], short_diodes[i]}, NULL,
                                  0) &&
                   good;
    }
    return good;
}

/* Tunnelling through the oxide, where a gate is connected by it. */
static bool add_leaks(const struct bsim4_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->mos.all.base.elements[k];
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const int *n = b->mos.nodes[k].inner, controls[2] = {n[DRAIN], n[BULK]}, of_bulk[2] = {n[DRAIN], n[SOURCE]};
    return (!law->gate_channel ||
            branch_add_law(list, BRANCH_I, (struct branch_place){e, n[GATE], n[SOURCE], "gate-source tunnelling", "gs"},
                           controls, 2)) &&
           (!law->gate_bulk ||
            branch_add_law(list, BRANCH_I, (struct branch_place){e, n[GATE], n[BULK], "gate-bulk tunnelling", "gb"},
                           of_bulk, 2));
}

bool bsim4_branches(const void *batch, size_t k, struct branch_list *list)
{
    return mosfet_branches(batch, k, list) && add_shell(batch, k, list) && add_leaks(batch, k, list);
}
