/* bsim4_parameters.c - tables of the BSIM4 card and element, their checks, and what temperature makes of them. */
#include "devices/bsim4/bsim4_batch.h"

#include "base/names.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

const struct parameter_info bsim4_instance_rows[BSIM4_INSTANCE_COUNT] = {
    [MOSFET_L] = {"l", "m", 5e-6, DBL_MIN, INFINITY, "channel length as drawn", NULL},
    [MOSFET_W] = {"w", "m", 5e-6, DBL_MIN, INFINITY, "channel width of all fingers", NULL},
    MOSFET_SHARED_ROWS,
    [BSIM4_NF] = {"nf", "", 1, 1, INFINITY, "number of fingers", NULL},
    [BSIM4_SA] = {"sa", "m", 0, -INFINITY, INFINITY, "from the gate to the isolation, one side; 0: no stress", NULL},
    [BSIM4_SB] = {"sb", "m", 0, -INFINITY, INFINITY, "the same, other side", NULL},
    [BSIM4_SD] = {"sd", "m", 0, -INFINITY, INFINITY, "between fingers; 2 dmcg when absent", NULL},
    [BSIM4_SCA] = {"sca", "", 0, -INFINITY, INFINITY, "edge of the well: first integral", NULL},
    [BSIM4_SCB] = {"scb", "", 0, -INFINITY, INFINITY, "edge of the well: second integral", NULL},
    [BSIM4_SCC] = {"scc", "", 0, -INFINITY, INFINITY, "edge of the well: third integral", NULL},
    [BSIM4_SC] = {"sc", "m", 0, -INFINITY, INFINITY, "distance of the edge of the well, where no integral is given",
                  NULL},
    [BSIM4_MIN] = {"min", "", 0, 0, 1, "1: of an even number of fingers fewer sources than drains, 0 the reverse",
                   NULL},
    [BSIM4_RBDB] = {"rbdb", "ohm", 50, 0, INFINITY, "as on the card", NULL},
    [BSIM4_RBSB] = {"rbsb", "ohm", 50, 0, INFINITY, "as on the card", NULL},
    [BSIM4_RBPB] = {"rbpb", "ohm", 50, 0, INFINITY, "as on the card", NULL},
    [BSIM4_RBPS] = {"rbps", "ohm", 50, 0, INFINITY, "as on the card", NULL},
    [BSIM4_RBPD] = {"rbpd", "ohm", 50, 0, INFINITY, "as on the card", NULL},
    [BSIM4_DELVTO] = {"delvto", "V", 0, -INFINITY, INFINITY, "added to vth0", "delvt0"},
    [BSIM4_MULU0] = {"mulu0", "", 1, DBL_MIN, INFINITY, "factor of the mobility", NULL},
    [BSIM4_XGW_OWN] = {"xgw", "m", 0, -INFINITY, INFINITY, "as on the card", NULL},
    [BSIM4_NGCON_OWN] = {"ngcon", "", 1, 1, 2, "as on the card", NULL},
    [BSIM4_RBODYMOD_OWN] = {"rbodymod", "", 0, 0, 2, "as on the card", NULL},
    [BSIM4_RGATEMOD_OWN] = {"rgatemod", "", 0, 0, 3, "as on the card", NULL},
    [BSIM4_GEOMOD_OWN] = {"geomod", "", 0, 0, 10, "as on the card", NULL},
    [BSIM4_RGEOMOD_OWN] = {"rgeomod", "", 0, 0, 8, "as on the card", NULL},
    [BSIM4_TRNQSMOD_OWN] = {"trnqsmod", "", 0, 0, 1, "as on the card", NULL},
    [BSIM4_ACNQSMOD_OWN] = {"acnqsmod", "", 0, 0, 1, "as on the card", NULL},
};

const struct parameter_info bsim4_card_rows[BSIM4_CARD_COUNT] = {
#define ROW BSIM_CARD_ROW
#include "devices/bsim4/bsim4_card.def"
#undef ROW
#define ROW BSIM_BINNED_ROWS
#include "devices/channel/bsim4_binned.def"
#undef ROW
};

static const struct instance_array arrays[] = {
    INSTANCE_ARRAY(bsim4_batch, laws), INSTANCE_ARRAY(bsim4_batch, drain_junctions),
    INSTANCE_ARRAY(bsim4_batch, source_junctions), INSTANCE_ARRAY(bsim4_batch, shells),
    INSTANCE_ARRAY(bsim4_batch, fingers)};

/* ---- checks ---- */

/* What Berkeley's program refuses as well: values without meaning for this size. */
static bool check_law(const struct element *e, const struct bsim_device *t, const struct bsim4_law *law,
                      struct kn_diagnostics *d)
{
    const double *p = law->p;
    const struct instance_limit limits[] = {
        {p[BSIM4_LPE0], p[BSIM4_LPE0] < -law->length, "lpe0", "above minus the effective length"},
        {p[BSIM4_LPEB], p[BSIM4_LPEB] < -law->length, "lpeb", "above minus the effective length"},
        {p[BSIM4_NDEP], !(p[BSIM4_NDEP] > 0), "ndep", "above 0"},
        {p[BSIM4_NSD], !(p[BSIM4_NSD] > 0), "nsd", "above 0"},
        BSIM_BULK_LIMITS(BSIM4, law, t->p[BSIM4_CARD_LINTNOI]),
        {p[BSIM4_POXEDGE], !(p[BSIM4_POXEDGE] > 0), "poxedge", "above 0"},
        {law->charges.tox, !(law->charges.tox > 0), "toxp", "above 0"},
        {law->phi, !(law->phi > 0), "the surface potential of ndep and phin", "above 0"},
    };
    return instance_within(e, limits, sizeof limits / sizeof *limits, d);
}

static bool check_element(struct mosfet_batch *b, size_t k, double circuit, struct kn_diagnostics *d)
{
    const struct element *e = b->all.base.elements[k];
    const struct bsim_device t = bsim_device_at(b, k, circuit, BSIM4_CARD_TNOM);
    struct bsim4_law law;
    memset(&law, 0, sizeof law);
    if (bsim4_prepare_law(&t, &law))
        return check_law(e, &t, &law, d);
    return bsim_no_channel(
        e, t.own,
        "w is of all fingers (nf); lint, wint, dlc, dwc, dwj and what follows from them are lost on either side", d);
}

/* What behaves otherwise than the card asks for. */
static void tell_of_card(const struct model *m, const double *p, struct kn_diagnostics *d)
{
    const struct setting *s;
    const double version = bsim_version(m, 4.8, &s);
    if (version < 4.8)
        diagnostics_add(d, KN_NOTE, "bsim4-version", s->where, NULL,
                        "model '%s': all versions of BSIM4 are evaluated as 4.8.2%s", m->name,
                        version < 4.6 ? ", but for junctions without area" : "");
    if (p[BSIM4_CARD_TRNQSMOD] != 0 || p[BSIM4_CARD_ACNQSMOD] != 0)
        diagnostics_add(d, KN_WARNING, "bsim4-quasistatic", m->where, NULL,
                        "model '%s': charges follow voltages at once; trnqsmod and acnqsmod are taken as 0", m->name);
    if (p[BSIM4_CARD_RGATEMOD] == 3)
        diagnostics_add(d, KN_WARNING, "bsim4-gate", m->where, NULL,
                        "model '%s': overlaps lie behind the whole resistance of the gate; rgatemod = 3 is taken as 2",
                        m->name);
    if (p[BSIM4_CARD_TNOIMOD] == 2)
        diagnostics_add(d, KN_WARNING, "bsim4-noise", m->where, NULL,
                        "model '%s': with tnoimod = 2 the noise that the channel induces in the gate is left out",
                        m->name);
}

/* ---- set-up ---- */

static mosfet_own_law own_law;

enum kn_status bsim4_fill(void *batch, const struct device_input *in)
{
    struct bsim4_batch *b = batch;
    enum kn_status status = instances_read(&b->mos.all, in);
    if (status == KN_ERROR_MEMORY || !mosfet_allocate(&b->mos) ||
        !instances_allocate(&b->mos.all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    b->mos.own_law = own_law;
    b->mos.into = bsim4_current_into;
    for (size_t i = 0; i < b->mos.all.cards.count; i++) {
        const double *p = model_card_values(&b->mos.all.cards, i);
        tell_of_card(b->mos.all.cards.models[i], p, in->diagnostics);
        b->mos.leaks = b->mos.leaks || p[BSIM4_CARD_IGCMOD] != 0 || p[BSIM4_CARD_IGBMOD] != 0;
    }
    bsim_tell_of_lag(&b->mos, BSIM4_TRNQSMOD_OWN, "bsim4-quasistatic", "trnqsmod", in->diagnostics);
    for (size_t k = 0; k < b->mos.all.base.count; k++) {
        b->mos.sign[k] = instance_sign(&b->mos.all, k);
        b->fingers[k] = b->mos.all.own[k][MOSFET_M] * b->mos.all.own[k][BSIM4_NF];
        bsim4_make_shell(b, k);
        if (status == KN_OK && !check_element(&b->mos, k, in->circuit->temperature, in->diagnostics))
            status = KN_ERROR_DECK;
    }
    return status;
}

/* Laws begin as zeros, so that equal ones are equal bit by bit. */
static bool is_same(const struct mosfet_batch *mos, size_t i, size_t j)
{
    const struct bsim4_batch *b = (const struct bsim4_batch *)mos;
    return b->fingers[i] == b->fingers[j] && memcmp(&b->laws[i], &b->laws[j], sizeof *b->laws) == 0 &&
           memcmp(&b->drain_junctions[i], &b->drain_junctions[j], sizeof *b->drain_junctions) == 0 &&
           memcmp(&b->source_junctions[i], &b->source_junctions[j], sizeof *b->source_junctions) == 0 &&
           mosfet_diodes_are_same(mos, i, j);
}

void bsim4_prepare(void *batch, size_t k, double temperature)
{
    struct bsim4_batch *b = batch;
    struct mosfet_batch *mos = &b->mos;
    const struct bsim_device t = bsim_device_at(mos, k, temperature, BSIM4_CARD_TNOM);
    struct bsim4_law *law = &b->laws[k];
    memset(law, 0, sizeof *law);
    if (!bsim4_prepare_law(&t, law))
        return;
    bsim4_prepare_diode(&t, law, true, &b->drain_junctions[k], &mos->drain_diodes[k]);
    bsim4_prepare_diode(&t, law, false, &b->source_junctions[k], &mos->source_diodes[k]);
    mos->overlaps[k] = bsim4_overlaps(&t, law);
    BSIM_PREPARED(mos, k, law, law->k1ox);
    bsim4_prepare_shell(&t, law, b, k);
    mosfet_find_like(mos, k, is_same);
}

/* ---- the law at both signs of vds ---- */

/* What the ends carry beside the channel, which does not change places. */
static void add_ends(const struct bsim4_law *law, double fingers, struct mosfet_tangent *t)
{
    struct bsim4_ends e;
    struct mosfet_value *i = t->current;
    bsim4_evaluate_ends(law, t->at.gs, t->at.ds, t->at.bs, &e);
    i[MOSFET_END_DRAIN] = value_accumulate(fingers, value_subtract(e.drain_bulk, e.gate_drain), i[MOSFET_END_DRAIN]);
    i[MOSFET_END_SOURCE] =
        value_accumulate(fingers, value_subtract(e.source_bulk, e.gate_source), i[MOSFET_END_SOURCE]);
    i[MOSFET_END_BULK] = value_accumulate(-fingers, value_add(e.drain_bulk, e.source_bulk), i[MOSFET_END_BULK]);
}

static void own_law(const struct mosfet_batch *b, size_t k, bool currents, bool charges, struct mosfet_tangent *t,
                    struct mosfet_channel *bias)
{
    const struct bsim4_batch *all = (const struct bsim4_batch *)b;
    const struct bsim4_law *law = &all->laws[b->like[k]];
    const double fingers = all->fingers[k];
    const struct mosfet_voltages *v = &t->at;
    const struct bsim_sides e = bsim_sides_at(v);
    const bool channel = charges && law->charges.partition >= 0;
    struct bsim4_point p;
    bsim4_evaluate(law, v->gs - e.end, fabs(v->ds), v->bs - e.end,
                   (currents ? BSIM4_CURRENTS : 0) | (channel ? BSIM4_CHARGES : 0), &p);
    if (currents) {
        const struct mosfet_value into_bulk = value_add(p.substrate, p.gate_bulk);
        t->current[e.drain] = value_scale(fingers, value_subtract(value_add(p.current, p.substrate), p.gate_drain));
        t->current[e.source] = value_scale(-fingers, value_add(p.current, p.gate_source));
        t->current[MOSFET_END_BULK] = value_scale(-fingers, into_bulk);
    }
    if (currents && e.reversed)
        bsim_exchange(t->current);
    if (currents)
        add_ends(law, fingers, t);
    if (charges) {
        bsim_take_charges(channel ? &p.charges : NULL, e.reversed, t);
        bsim_add_overlaps(true, (const double[]){law->overlap_source, law->overlap_drain},
                          (const double[]){law->p[BSIM4_CKAPPAS], law->p[BSIM4_CKAPPAD]}, t);
    }
    if (bias) {
        const struct mosfet_value i = value_scale(fingers, p.current);
        *bias =
            (struct mosfet_channel){e.reversed ? mosfet_value_reversed(i) : i, p.state.threshold, p.state.saturation};
    }
}
