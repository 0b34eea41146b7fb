/* vbic.c - Q: the VBIC transistor; equations in vbic.h. */
#include "devices/families.h"
#include "devices/vbic/vbic_batch.h"

#include <float.h>

static const struct parameter_info instance_rows[VBIC_INSTANCE_COUNT] = {
    [VBIC_AREA] = {"area", "", 1, DBL_MIN, INFINITY,
                   "area factor: multiplies currents and charges, divides resistances", NULL},
    [VBIC_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of devices in parallel", NULL},
    [VBIC_TEMP] = {"temp", "degC", 27, -DEVICE_KELVIN, INFINITY, "temperature of this device", NULL},
    [VBIC_DTEMP] = {"dtemp", "K", 0, -INFINITY, INFINITY, "temperature above that of the circuit", "trise"},
    [VBIC_OFF] = {"off", "", 0, 0, 1, "accepted; the operating point needs no such hint", NULL},
    [VBIC_ICVBE] = {"icvbe", "V", 0, -INFINITY, INFINITY, "base-emitter voltage at the start of a transient with uic",
                    "ic"},
    [VBIC_ICVCE] = {"icvce", "V", 0, -INFINITY, INFINITY,
                    "collector-emitter voltage at the start of a transient with uic", "ic2"},
    [VBIC_SW_ET] = {"sw_et", "", 1, 0, 1, "0: the transistor does not heat itself", NULL},
};

#define CARD_ROW_OF(name, unit, fallback, least, doc, other, ...) {name, unit, fallback, least, INFINITY, doc, other},
#define CARD_ROW(symbol, name, unit, fallback, least, ...)                                                             \
    CARD_ROW_OF(name, unit, fallback, least, __VA_ARGS__, NULL, NULL)
static const struct parameter_info card_rows[VBIC_CARD_COUNT] = {VBIC_CARD(CARD_ROW)};

/* ---- set-up ---- */

static bool check_card(const struct element *e, const double *c, struct kn_diagnostics *d)
{
    const struct instance_limit limits[] = {
        {c[VBIC_CARD_FC], !(c[VBIC_CARD_FC] < 1), "fc", "below 1"},
        {c[VBIC_CARD_ME], !(c[VBIC_CARD_ME] < 1), "me", "below 1"},
        {c[VBIC_CARD_MC], !(c[VBIC_CARD_MC] < 1), "mc", "below 1"},
        {c[VBIC_CARD_MS], !(c[VBIC_CARD_MS] < 1), "ms", "below 1"},
        {c[VBIC_CARD_WBE], !(c[VBIC_CARD_WBE] <= 1), "wbe", "at most 1"},
        {c[VBIC_CARD_WSP], !(c[VBIC_CARD_WSP] <= 1), "wsp", "at most 1"},
    };
    return instance_within(e, limits, sizeof limits / sizeof *limits, d);
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    static const struct instance_array arrays[] = {INSTANCE_ARRAY(vbic_batch, transistors)};
    struct vbic_batch *b = batch;
    enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    for (size_t k = 0; status == KN_OK && k < b->all.base.count; k++)
        if (!own_tangent_allocate(b->all.base.arena, VBIC_NODES, &b->transistors[k].tangent))
            status = KN_ERROR_MEMORY;
        else if (!check_card(b->all.base.elements[k], b->all.model[k], in->diagnostics))
            status = KN_ERROR_DECK;
    return status;
}

/* An exponent, or that which stands for it. */
static double exponent(const struct vbic_batch *b, size_t k, enum vbic_card own, enum vbic_card common)
{
    return b->all.model[k][b->all.model_given[k][own] ? own : common];
}

/* VBIC 1.2 has none without hrcf=, ngspice, whose levels 4 and 9 are, takes 1. */
static double high_current_factor(const struct vbic_batch *b, size_t k)
{
    const double level = b->all.model[k][VBIC_CARD_LEVEL];
    const bool of_ngspice = level == 4 || level == 9;
    return of_ngspice && !b->all.model_given[k][VBIC_CARD_HRCF] ? 1 : b->all.model[k][VBIC_CARD_HRCF];
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct vbic_batch *b = batch;
    struct vbic_transistor *t = &b->transistors[k];
    const struct thermal at = instance_thermal(&b->all, k, temperature, VBIC_TEMP, VBIC_DTEMP, VBIC_CARD_TNOM);
    struct vbic_law *law = &t->law;
    t->sign = instance_sign(&b->all, k);
    law->card = b->all.model[k];
    law->ambient = at.kelvin + law->card[VBIC_CARD_DTEMP];
    law->hrcf = high_current_factor(b, k);
    law->exponent_rbi = exponent(b, k, VBIC_CARD_XRBI, VBIC_CARD_XRB);
    law->exponent_rbx = exponent(b, k, VBIC_CARD_XRBX, VBIC_CARD_XRB);
    law->exponent_rci = exponent(b, k, VBIC_CARD_XRCI, VBIC_CARD_XRC);
    law->exponent_rcx = exponent(b, k, VBIC_CARD_XRCX, VBIC_CARD_XRC);
    vbic_warm(law, 0, law->warm);
    t->tangent.gmin = NAN;
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct vbic_batch *b = batch;
    const int *u = b->transistors[k].unknowns;
    return instance_add_initial(&b->all, k, VBIC_ICVBE, u[VBIC_B], u[VBIC_E], list) &&
           instance_add_initial(&b->all, k, VBIC_ICVCE, u[VBIC_C], u[VBIC_E], list);
}

static const struct model_type types[] = {
    {"npn", NULL, "current flows into the collector where v(b,e) is positive"},
    {"pnp", "lpnp", "current flows out of the collector where v(b,e) is negative; parameters have the signs of npn"},
    {NULL, NULL, NULL},
};
static const struct model_level levels[] = {{4, "VBIC"},  {9, "VBIC"},  {10, "VBIC"},
                                            {11, "VBIC"}, {12, "VBIC"}, {0, NULL}};

const struct device_class vbic_class = {
    .kind =
        {
            ELEMENT_KIND('q', "bipolar transistor", "collector base emitter [substrate] [temperature]", "model [area]",
                         CARD_MODEL),
            .short_noun = "vbic",
            .instance = {instance_rows, VBIC_INSTANCE_COUNT, "sw_noise"},
            .model = {card_rows, VBIC_CARD_COUNT, "mfg type version vers vref vbe_max vbc_max vce_max"},
            .types = types,
            .levels = levels,
            .values = "area",
        },
    FILLED_BATCH(struct vbic_batch, fill),
    TRANSISTOR_FUNCTIONS(vbic),
    .prepare = prepare,
    .ends = vbic_ends,
    .tangent = vbic_tangent,
    .initial = initial,
};
