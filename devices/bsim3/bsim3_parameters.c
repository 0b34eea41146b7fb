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

const struct parameter_info bsim3_card_rows[BSIM3_CARD_COUNT] = {BSIM3_COMMON(BSIM_CARD_ROW)
                                                                     BSIM3_BINNED(BSIM_BINNED_ROWS)};

static const struct instance_array arrays[] = {INSTANCE_ARRAY(bsim3_batch, laws)};

static struct bsim3_device device_of(const struct mosfet_batch *b, size_t k, double celsius, double nominal)
{
    return (struct bsim3_device){b->all.model[k], b->all.own[k], b->all.model_given[k], b->all.own_given[k], b->sign[k],
                                 celsius,         nominal};
}

/* ---- checks ---- */

/* What Berkeley's program refuses as well: values without meaning for this size. */
static bool check_law(const struct element *e, const struct bsim3_device *t, const struct bsim3_law *law,
                      struct kn_diagnostics *d)
{
    const double *p = law->p;
    const struct instance_limit limits[] = {
        {p[BSIM3_NLX], p[BSIM3_NLX] < -law->length, "nlx", "above minus the effective length"},
        {p[BSIM3_NCH], !(p[BSIM3_NCH] > 0), "nch", "above 0"},
        {p[BSIM3_NSUB], !(p[BSIM3_NSUB] > 0), "nsub", "above 0"},
        {p[BSIM3_NGATE], !(p[BSIM3_NGATE] >= 0 && p[BSIM3_NGATE] <= 1e25), "ngate", "between 0 and 1e25"},
        {p[BSIM3_XJ], !(p[BSIM3_XJ] > 0), "xj", "above 0"},
        {p[BSIM3_DVT1], !(p[BSIM3_DVT1] >= 0), "dvt1", "at least 0"},
        {p[BSIM3_DVT1W], !(p[BSIM3_DVT1W] >= 0), "dvt1w", "at least 0"},
        {p[BSIM3_W0], p[BSIM3_W0] == -law->width, "w0", "other than minus the effective width"},
        {p[BSIM3_B1], p[BSIM3_B1] == -law->width, "b1", "other than minus the effective width"},
        {p[BSIM3_DSUB], !(p[BSIM3_DSUB] >= 0), "dsub", "at least 0"},
        {p[BSIM3_DROUT], !(p[BSIM3_DROUT] >= 0), "drout", "at least 0"},
        {p[BSIM3_DELTA], !(p[BSIM3_DELTA] >= 0), "delta", "at least 0"},
        {p[BSIM3_PCLM], !(p[BSIM3_PCLM] > 0), "pclm", "above 0"},
        {p[BSIM3_CLC], !(p[BSIM3_CLC] >= 0), "clc", "at least 0"},
        {law->mobility_0, !(law->mobility_0 > 0), "u0 at this temperature", "above 0"},
        {law->velocity, !(law->velocity > 0), "vsat at this temperature", "above 0"},
        {law->phi, !(law->phi > 0), "2 phi_F of nch", "above 0"},
        {t->p[BSIM3_CARD_LINTNOI], t->p[BSIM3_CARD_LINTNOI] > 0.5 * law->length, "lintnoi",
         "at most half the effective length"},
    };
    return instance_within(e, limits, sizeof limits / sizeof *limits, d);
}

static bool check_element(struct mosfet_batch *b, size_t k, double circuit, struct kn_diagnostics *d)
{
    const struct element *e = b->all.base.elements[k];
    const struct thermal at = instance_thermal(&b->all, k, circuit, MOSFET_TEMP, MOSFET_DTEMP, BSIM3_CARD_TNOM);
    const struct bsim3_device t = device_of(b, k, at.kelvin - DEVICE_KELVIN, at.nominal - DEVICE_KELVIN);
    struct bsim3_law law;
    if (bsim3_prepare_law(&t, &law))
        return check_law(e, &t, &law, d);
    diagnostics_add(d, KN_ERROR, "parameter-range", e->where,
                    "lint, wint, dlc, dwc and what follows from them are lost on either side",
                    "element '%s': l = %g m and w = %g m leave no channel with model '%s'", e->name, t.own[MOSFET_L],
                    t.own[MOSFET_W], e->model->name);
    return false;
}

/* A word or a number of the card as it is written there, or NULL. */
static const struct setting *written(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->setting_count; i++)
        if (names_equal(m->settings[i].name, name))
            return &m->settings[i];
    return NULL;
}

/* PSpice numbers BSIM4 8 where others have BSIM3. */
static bool check_family(const struct model *m, struct kn_diagnostics *d)
{
    const struct setting *s = written(m, "toxe");
    if (!s)
        return true;
    diagnostics_add(d, KN_ERROR, "model-level", s->where,
                    "BSIM4 is level 14 or 54; the oxide thickness of BSIM3 is tox",
                    "model '%s' has a parameter of BSIM4: toxe", m->name);
    return false;
}

/* 3.2 of 3.2.4; 3.3 where the card says nothing. */
static double version_of(const struct setting *s)
{
    if (!s || !s->has_value)
        return 3.3;
    return s->text ? strtod(s->text + strspn(s->text, "\"'"), NULL) : s->value;
}

/* What behaves otherwise than the card asks for.  Before version 3.2 there was no capmod = 3. */
static void tell_of_card(const struct model *m, double *p, const bool *given, struct kn_diagnostics *d)
{
    const struct setting *s = written(m, "version");
    const double version = version_of(s);
    if (version < 3.2 && !given[BSIM3_CARD_CAPMOD])
        p[BSIM3_CARD_CAPMOD] = version < 3.1 ? 1 : 2;
    if (version < 3.3)
        diagnostics_add(d, KN_NOTE, "bsim3-version", s->where, NULL,
                        "model '%s': all versions of BSIM3v3 are evaluated as 3.3.0", m->name);
    if (p[BSIM3_CARD_NQSMOD] != 0 || p[BSIM3_CARD_ACNQSMOD] != 0)
        diagnostics_add(d, KN_WARNING, "bsim3-quasistatic", m->where, NULL,
                        "model '%s': charges follow voltages at once; nqsmod and acnqsmod are taken as 0", m->name);
}

static void tell_of_elements(const struct mosfet_batch *b, struct kn_diagnostics *d)
{
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct element *e = b->all.base.elements[k];
        if (b->all.own[k][BSIM3_NQSMOD_OWN] == 0 && b->all.own[k][BSIM3_ACNQSMOD_OWN] == 0)
            continue;
        diagnostics_add(d, KN_WARNING, "bsim3-quasistatic", e->where, NULL,
                        "element '%s': charges follow voltages at once; nqsmod and acnqsmod are taken as 0", e->name);
        return;
    }
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
    tell_of_elements(&b->mos, in->diagnostics);
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
    return memcmp(&b->laws[i], &b->laws[j], sizeof *b->laws) == 0 &&
           bulk_diode_is_same(&mos->drain_diodes[i], &mos->drain_diodes[j]) &&
           bulk_diode_is_same(&mos->source_diodes[i], &mos->source_diodes[j]);
}

void bsim3_prepare(void *batch, size_t k, double temperature)
{
    struct bsim3_batch *b = batch;
    struct mosfet_batch *mos = &b->mos;
    const struct thermal at = instance_thermal(&mos->all, k, temperature, MOSFET_TEMP, MOSFET_DTEMP, BSIM3_CARD_TNOM);
    const struct bsim3_device t = device_of(mos, k, at.kelvin - DEVICE_KELVIN, at.nominal - DEVICE_KELVIN);
    struct bsim3_law *law = &b->laws[k];
    memset(law, 0, sizeof *law);
    bsim3_prepare_law(&t, law);
    bsim3_prepare_diode(&t, law, true, &mos->drain_diodes[k]);
    bsim3_prepare_diode(&t, law, false, &mos->source_diodes[k]);
    mos->series[k] = bsim3_series(&t);
    mos->overlaps[k] = bsim3_overlaps(&t, law);
    const bool stores = law->charges.partition >= 0 || law->overlap_source > 0 || law->overlap_drain > 0;
    mos->laws[k] = (struct mosfet_law){.built_in = law->rest.threshold.value - law->k1 * law->root_phi,
                                       .gamma = law->k1,
                                       .phi = law->phi,
                                       .root_phi = law->root_phi,
                                       .oxide = stores ? law->charges.channel : 0};
    mos->stores[k] = stores || bulk_diode_stores(&mos->drain_diodes[k]) || bulk_diode_stores(&mos->source_diodes[k]);
    mos->tangents[k].at.gs = NAN;
    mosfet_find_like(mos, k, is_same);
}

/* ---- the law at both signs of vds ---- */

/* For ends that have changed places: of functions of vgd, vsd and vbd those of vgs, vds and vbs. */
static struct mosfet_value exchanged(struct mosfet_value a)
{
    return (struct mosfet_value){a.value, a.gs, -(a.gs + a.ds + a.bs), a.bs};
}

static void add_overlaps(const struct bsim3_law *law, struct mosfet_tangent *t)
{
    const bool bends = law->charges.kind > 1;
    const double kappa = law->p[BSIM3_CKAPPA];
    double slope;
    struct mosfet_value *q = t->charge;
    if (law->overlap_source > 0) {
        q[MOSFET_END_SOURCE].value -= bsim_overlap(bends, kappa, law->overlap_source, t->at.gs, &slope);
        q[MOSFET_END_SOURCE].gs -= slope;
    }
    if (law->overlap_drain > 0) {
        q[MOSFET_END_DRAIN].value -= bsim_overlap(bends, kappa, law->overlap_drain, t->at.gs - t->at.ds, &slope);
        q[MOSFET_END_DRAIN].gs -= slope;
        q[MOSFET_END_DRAIN].ds += slope;
    }
}

static void own_law(const struct mosfet_batch *b, size_t k, bool currents, bool charges, struct mosfet_tangent *t,
                    struct mosfet_channel *bias)
{
    const struct bsim3_law *law = &((const struct bsim3_batch *)b)->laws[b->like[k]];
    const struct mosfet_voltages *v = &t->at;
    const bool reversed = v->ds < 0, channel = charges && law->charges.partition >= 0;
    const double end = reversed ? v->ds : 0;
    const int drain = reversed ? MOSFET_END_SOURCE : MOSFET_END_DRAIN,
              source = MOSFET_END_DRAIN + MOSFET_END_SOURCE - drain;
    struct bsim3_point p;
    bsim3_evaluate(law, v->gs - end, fabs(v->ds), v->bs - end,
                   (currents ? BSIM3_CURRENTS : 0) | (channel ? BSIM3_CHARGES : 0), &p);
    if (currents) {
        t->current[drain] = value_add(p.current, p.substrate);
        t->current[source] = value_scale(-1, p.current);
        t->current[MOSFET_END_BULK] = value_scale(-1, p.substrate);
    }
    if (charges) {
        t->charge[drain] = channel ? p.charges.drain : value_constant(0);
        t->charge[source] = channel ? p.charges.source : value_constant(0);
        t->charge[MOSFET_END_BULK] = channel ? p.charges.bulk : value_constant(0);
    }
    for (int i = 0; reversed && i < MOSFET_ENDS; i++) {
        if (currents)
            t->current[i] = exchanged(t->current[i]);
        if (charges)
            t->charge[i] = exchanged(t->charge[i]);
    }
    if (charges)
        add_overlaps(law, t);
    if (bias)
        *bias =
            (struct mosfet_channel){reversed ? mosfet_value_reversed(p.current) : p.current, p.threshold, p.saturation};
}
