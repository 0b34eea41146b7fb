/* bsim3_parameters.c - tables of the BSIM3 card and element, their checks, and what temperature makes of them. */
#include "devices/bsim3/bsim3_batch.h"

#include "base/names.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

const struct parameter_info bsim3_instance_rows[BSIM3_INSTANCE_COUNT] = {
    [MOSFET_L] = {"l", "m", 5e-6, DBL_MIN, INFINITY, "channel length as drawn", NULL},
    [MOSFET_W] = {"w", "m", 5e-6, DBL_MIN, INFINITY, "channel width", NULL},
    MOSFET_SHARED_ROWS,
    [BSIM3_NQSMOD_OWN] = {"nqsmod", "", 0, 0, 1, "as on the card", NULL},
    [BSIM3_ACNQSMOD_OWN] = {"acnqsmod", "", 0, 0, 1, "as on the card", NULL},
    [BSIM3_GEO] = {"geo", "", 0, 0, 3, "acm = 3: 0 contacts of its own, 1 a shared drain, 2 a shared source, 3 both",
                   NULL},
    [BSIM3_DELVTO] = {"delvto", "V", 0, -INFINITY, INFINITY, "added to vth0", "delvt0"},
    [BSIM3_MULU0] = {"mulu0", "", 1, DBL_MIN, INFINITY, "factor of the mobility", NULL},
};

const struct parameter_info bsim3_card_rows[BSIM3_CARD_COUNT] = {
#define ROW BSIM_CARD_ROW
#include "devices/bsim3/bsim3_card.def"
#undef ROW
#define ROW BSIM_BINNED_ROWS
#include "devices/channel/bsim3_binned.def"
#undef ROW
};

static const struct instance_array arrays[] = {INSTANCE_ARRAY(bsim3_batch, laws)};

/* ---- checks ---- */

/* What Berkeley's program refuses as well: values without meaning for this size. */
static bool check_law(const struct element *e, const struct bsim_device *t, const struct bsim3_law *law,
                      struct kn_diagnostics *d)
{
    const double *p = law->p;
    const struct instance_limit limits[] = {
        {p[BSIM3_NLX], p[BSIM3_NLX] < -law->length, "nlx", "above minus the effective length"},
        {p[BSIM3_NCH], !(p[BSIM3_NCH] > 0), "nch", "above 0"},
        BSIM_BULK_LIMITS(BSIM3, law, t->p[BSIM3_CARD_LINTNOI]),
        {law->phi, !(law->phi > 0), "2 phi_F of nch", "above 0"},
    };
    return instance_within(e, limits, sizeof limits / sizeof *limits, d);
}

static bool check_element(struct mosfet_batch *b, size_t k, double circuit, struct kn_diagnostics *d)
{
    const struct element *e = b->all.base.elements[k];
    const struct bsim_device t = bsim_device_at(b, k, circuit, BSIM3_CARD_TNOM);
    struct bsim3_law law;
    if (bsim3_prepare_law(&t, &law))
        return check_law(e, &t, &law, d);
    return bsim_no_channel(e, t.own, "lint, wint, dlc, dwc and what follows from them are lost on either side", d);
}

/* PSpice numbers BSIM4 8 where others have BSIM3. */
static bool check_family(const struct model *m, struct kn_diagnostics *d)
{
    const struct setting *s = setting_find(m->settings, m->setting_count, "toxe");
    if (!s)
        return true;
    diagnostics_add(d, KN_ERROR, "model-level", s->where,
                    "BSIM4 is level 14 or 54; the oxide thickness of BSIM3 is tox",
                    "model '%s' has a parameter of BSIM4: toxe", m->name);
    return false;
}

/* What behaves otherwise than the card asks for.  Before version 3.2 there was no capmod = 3. */
static void tell_of_card(const struct model *m, double *p, const bool *given, struct kn_diagnostics *d)
{
    const struct setting *s;
    const double version = bsim_version(m, 3.3, &s);
    if (version < 3.2 && !given[BSIM3_CARD_CAPMOD])
        p[BSIM3_CARD_CAPMOD] = version < 3.1 ? 1 : 2;
    if (version < 3.3)
        diagnostics_add(d, KN_NOTE, "bsim3-version", s->where, NULL,
                        "model '%s': all versions of BSIM3v3 are evaluated as 3.3.0", m->name);
    if (p[BSIM3_CARD_NQSMOD] != 0 || p[BSIM3_CARD_ACNQSMOD] != 0)
        diagnostics_add(d, KN_WARNING, "bsim3-quasistatic", m->where, NULL,
                        "model '%s': charges follow voltages at once; nqsmod and acnqsmod are taken as 0", m->name);
}

/* ---- set-up ---- */

static void own_law(const struct mosfet_batch *b, size_t k, bool currents, bool charges, struct mosfet_tangent *t,
                    struct mosfet_channel *bias);

static void take_card_size(struct instances *all, size_t k, size_t own, size_t card)
{
    if (!all->own_given[k][own] && all->model_given[k][card])
        all->own[k][own] = all->model[k][card];
}

enum kn_status bsim3_fill(void *batch, const struct device_input *in)
{
    struct bsim3_batch *b = batch;
    enum kn_status status = instances_read(&b->mos.all, in);
    if (status == KN_ERROR_MEMORY || !mosfet_allocate(&b->mos) ||
        !instances_allocate(&b->mos.all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    b->mos.own_law = own_law;
    for (size_t i = 0; i < b->mos.all.cards.count; i++) {
        tell_of_card(b->mos.all.cards.models[i], b->mos.all.cards.values + i * b->mos.all.cards.width,
                     model_card_given(&b->mos.all.cards, i), in->diagnostics);
        if (!check_family(b->mos.all.cards.models[i], in->diagnostics))
            status = KN_ERROR_DECK;
    }
    bsim_tell_of_lag(&b->mos, BSIM3_NQSMOD_OWN, "bsim3-quasistatic", "nqsmod", in->diagnostics);
    for (size_t k = 0; k < b->mos.all.base.count; k++) {
        b->mos.sign[k] = instance_sign(&b->mos.all, k);
        take_card_size(&b->mos.all, k, MOSFET_L, BSIM3_CARD_L);
        take_card_size(&b->mos.all, k, MOSFET_W, BSIM3_CARD_W);
        if (status == KN_OK && !check_element(&b->mos, k, in->circuit->temperature, in->diagnostics))
            status = KN_ERROR_DECK;
    }
    return status;
}

/* Laws begin as zeros, so that equal ones are equal bit by bit. */
static bool is_same(const struct mosfet_batch *mos, size_t i, size_t j)
{
    const struct bsim3_batch *b = (const struct bsim3_batch *)mos;
    return memcmp(&b->laws[i], &b->laws[j], sizeof *b->laws) == 0 && mosfet_diodes_are_same(mos, i, j);
}

void bsim3_prepare(void *batch, size_t k, double temperature)
{
    struct bsim3_batch *b = batch;
    struct mosfet_batch *mos = &b->mos;
    const struct bsim_device t = bsim_device_at(mos, k, temperature, BSIM3_CARD_TNOM);
    struct bsim3_law *law = &b->laws[k];
    memset(law, 0, sizeof *law);
    bsim3_prepare_law(&t, law);
    bsim3_prepare_diode(&t, law, true, &mos->drain_diodes[k]);
    bsim3_prepare_diode(&t, law, false, &mos->source_diodes[k]);
    mos->series[k] = bsim3_series(&t);
    mos->overlaps[k] = bsim3_overlaps(&t, law);
    BSIM_PREPARED(mos, k, law, law->k1);
    mosfet_find_like(mos, k, is_same);
}

/* ---- the law at both signs of vds ---- */

static void own_law(const struct mosfet_batch *b, size_t k, bool currents, bool charges, struct mosfet_tangent *t,
                    struct mosfet_channel *bias)
{
    const struct bsim3_law *law = &((const struct bsim3_batch *)b)->laws[b->like[k]];
    const struct mosfet_voltages *v = &t->at;
    const struct bsim_sides e = bsim_sides_at(v);
    const bool channel = charges && law->charges.partition >= 0;
    struct bsim3_point p;
    bsim3_evaluate(law, v->gs - e.end, fabs(v->ds), v->bs - e.end,
                   (currents ? BSIM3_CURRENTS : 0) | (channel ? BSIM3_CHARGES : 0), &p);
    if (currents) {
        t->current[e.drain] = value_add(p.current, p.substrate);
        t->current[e.source] = value_scale(-1, p.current);
        t->current[MOSFET_END_BULK] = value_scale(-1, p.substrate);
    }
    if (currents && e.reversed)
        bsim_exchange(t->current);
    if (charges) {
        bsim_take_charges(channel ? &p.charges : NULL, e.reversed, t);
        bsim_add_overlaps(law->charges.kind > 1, (const double[]){law->overlap_source, law->overlap_drain},
                          (const double[]){law->p[BSIM3_CKAPPA], law->p[BSIM3_CKAPPA]}, t);
    }
    if (bias)
        *bias = (struct mosfet_channel){e.reversed ? mosfet_value_reversed(p.current) : p.current, p.state.threshold,
                                        p.state.saturation};
}
