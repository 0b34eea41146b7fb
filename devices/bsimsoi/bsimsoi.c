/* bsimsoi.c - M: a transistor on insulator, BSIMSOI 3.2 of the University of California, Berkeley; equations in soi.h. */
#include "devices/bsim/bsim.h"
#include "devices/bsimsoi/soi_batch.h"
#include "devices/families.h"

#include <float.h>
#include <string.h>

const struct parameter_info soi_instance_rows[SOI_INSTANCE_COUNT] = {
    [MOSFET_L] = {"l", "m", 5e-6, DBL_MIN, INFINITY, "channel length as drawn", NULL},
    [MOSFET_W] = {"w", "m", 5e-6, DBL_MIN, INFINITY, "channel width as drawn", NULL},
    MOSFET_SHARED_ROWS,
    [SOI_NRB] = {"nrb", "", 1, 0, INFINITY, "squares of the body's contact", NULL},
    [SOI_FRBODY] = {"frbody", "", 1, 0, INFINITY, "factor of the body's resistance", NULL},
    [SOI_NBC] = {"nbc", "", 0, 0, 2, "edges at body contacts", NULL},
    [SOI_NSEG] = {"nseg", "", 1, DBL_MIN, INFINITY, "parts that the width is divided into", NULL},
    [SOI_PDBCP] = {"pdbcp", "m", 0, 0, INFINITY, "edge that a body contact adds at the drain", NULL},
    [SOI_PSBCP] = {"psbcp", "m", 0, 0, INFINITY, "edge that a body contact adds at the source", NULL},
    [SOI_AGBCP] = {"agbcp", "m^2", 0, 0, INFINITY, "area of the gate that a body contact adds", NULL},
    [SOI_AEBCP] = {"aebcp", "m^2", 0, 0, INFINITY, "area over the substrate that a body contact adds", NULL},
    [SOI_VBSUSR] = {"vbsusr", "V", 0, -INFINITY, INFINITY, "accepted; the operating point needs no such hint", NULL},
    [SOI_BJTOFF] = {"bjtoff", "", 0, 0, 1, "1: no current crosses the body", NULL},
    [SOI_DEBUG] = {"debug", "", 0, -INFINITY, INFINITY, "accepted, without meaning", NULL},
    [SOI_SOIMOD_OWN] = {"soimod", "", 0, 0, 3, "as on the card", NULL},
    [SOI_RGATEMOD_OWN] = {"rgatemod", "", 0, 0, 3, "as on the card", NULL},
    [SOI_RTH0_OWN] = {"rth0", "m K/W", 0, 0, INFINITY, "as on the card", NULL},
    [SOI_CTH0_OWN] = {"cth0", "Ws/mK", 0, 0, INFINITY, "as on the card", NULL},
    [SOI_TNODEOUT] = {"tnodeout", "", 0, 0, 1, "the last node is the rise of temperature, 1 V for 1 K", NULL},
    [SOI_ICVES] = {"icves", "V", 0, -INFINITY, INFINITY,
                   "substrate-source voltage at the start of a transient with uic", "ic4"},
    [SOI_ICVPS] = {"icvps", "V", 0, -INFINITY, INFINITY, "contact-source voltage at the start of a transient with uic",
                   "ic5"},
};

const struct parameter_info soi_card_rows[SOI_CARD_COUNT] = {
#define ROW BSIM_CARD_ROW
#include "devices/bsimsoi/soi_card.def"
#undef ROW
#define ROW BSIM_BINNED_ROWS
#include "devices/bsimsoi/soi_binned.def"
#undef ROW
};

static struct soi_device device_of(struct soi_batch *b, size_t k, double circuit)
{
    struct instances *all = &b->all;
    const struct thermal at = instance_thermal(all, k, circuit, MOSFET_TEMP, MOSFET_DTEMP, SOI_CARD_TNOM);
    return (struct soi_device){all->model[k],         all->own[k], all->model_given[k], all->own_given[k],
                               instance_sign(all, k), at.kelvin,   at.nominal};
}

/* ---- checks ---- */

static bool check_law(const struct element *e, const struct soi_law *law, struct kn_diagnostics *d)
{
    const double *p = law->p;
    const struct instance_limit limits[] = {
        {p[SOI_NLX], p[SOI_NLX] < -law->length, "nlx", "above minus the effective length"},
        {p[SOI_NCH], !(p[SOI_NCH] > 0), "nch", "above 0"},
        {p[SOI_NSUB], p[SOI_NSUB] == 0, "nsub", "other than 0"},
        BSIM_LIMITS(SOI, p, law->width),
        {law->phi, !(law->phi > 0), "the surface potential of nch", "above 0"},
        {law->phi + p[SOI_KETAS], !(law->phi + p[SOI_KETAS] > 0), "the surface potential of nch with ketas", "above 0"},
        {law->warmth.mobility.value, !(law->warmth.mobility.value > 0), "u0 at this temperature", "above 0"},
        {law->warmth.velocity.value, !(law->warmth.velocity.value > 0), "vsat at this temperature", "above 0"},
        {p[SOI_CKAPPA], !(p[SOI_CKAPPA] > 0), "ckappa", "above 0"},
        {law->charge_oxide, !(law->charge_oxide > 0), "tox less dtoxcv", "above 0"},
    };
    return instance_within(e, limits, sizeof limits / sizeof *limits, d);
}

static bool check_element(struct soi_batch *b, size_t k, double circuit, struct kn_diagnostics *d)
{
    const struct element *e = b->all.base.elements[k];
    const struct soi_device t = device_of(b, k, circuit);
    struct soi_law *law = &b->transistors[k].law; /* filled here for the first time, then again at each temperature */
    memset(law, 0, sizeof *law);
    if (soi_prepare_law(&t, law))
        return check_law(e, law, d);
    return bsim_no_channel(e, t.own, "lint, wint, dlc, dwc and what follows from them are lost on either side", d);
}

/* ---- set-up ---- */

/* Of Xyce's options. */
static bool takes_whole_gmin(const struct circuit *c)
{
    const struct setting *s = circuit_option(c, "device.b3soigminscaling");
    return s && s->has_value && s->value == 0;
}

enum kn_status soi_fill(void *batch, const struct device_input *in)
{
    static const struct instance_array arrays[] = {INSTANCE_ARRAY(soi_batch, transistors)};
    struct soi_batch *b = batch;
    enum kn_status status = instances_read(&b->all, in);
    b->whole_gmin = takes_whole_gmin(in->circuit);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    for (size_t k = 0; status == KN_OK && k < b->all.base.count; k++)
        if (!own_tangent_allocate(b->all.base.arena, SOI_NODES, &b->transistors[k].tangent))
            status = KN_ERROR_MEMORY;
        else if (!check_element(b, k, in->circuit->temperature, in->diagnostics))
            status = KN_ERROR_DECK;
    return status;
}

void soi_prepare(void *batch, size_t k, double temperature)
{
    struct soi_batch *b = batch;
    struct soi_transistor *t = &b->transistors[k];
    const struct soi_device d = device_of(b, k, temperature);
    memset(&t->law, 0, sizeof t->law);
    soi_prepare_law(&d, &t->law);
    t->tangent.gmin = NAN;
}

static const struct model_level levels[] = {{10, "BSIMSOI"}, {57, "BSIMSOI"}, {0, NULL}};

const struct device_class bsimsoi_class = {
    .kind =
        {
            ELEMENT_KIND('m', "MOSFET", "drain gate source substrate [contact] [body] [temperature]",
                         "model L=value W=value", CARD_MODEL),
            BSIM_KIND("bsimsoi", soi, SOI, "vldebug", "lmin lmax wmin wmax version l w bug1830fix"),
        },
    FILLED_BATCH(struct soi_batch, soi_fill),
    TRANSISTOR_FUNCTIONS(soi),
    .prepare = soi_prepare,
    .ends = soi_ends,
    .tangent = soi_tangent,
    .initial = soi_initial,
};
