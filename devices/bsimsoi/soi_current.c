/* soi_current.c - the current of the channel: BSIM3's law without the substrate's current. */
#include "devices/bsimsoi/soi.h"

/* By overdrive and by the root of the surface potential. */
static struct soi_value by_both(double by_over, struct soi_value over, double by_root, struct soi_value root)
{
    return soi_join(over, root, by_over * over.value + by_root * root.value, by_over, by_root);
}

static void find_width_and_resistance(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c)
{
    const double *p = law->p, sides = 2 - law->edges;
    const struct soi_value root = soi_line(1, c->root, -law->root_phi);
    const struct soi_value width = by_both(-sides * p[SOI_DWG], c->over, -sides * p[SOI_DWB], root);
    c->width = soi_at_least(soi_line(1, width, law->width), 2e-8, 1e-8);
    const struct soi_value factor = by_both(p[SOI_PRWG], c->over, p[SOI_PRWB], root);
    c->resistance = soi_multiply(w->resistance, soi_at_least(soi_line(1, factor, 1), 0.1, 0.05));
    c->resists = c->resistance.value > 0;
}

static struct soi_value tilted_root(double phi, struct soi_value high, struct soi_value inverse_tilt)
{
    const struct soi_value x = soi_line(1 / phi, soi_multiply(high, inverse_tilt), 0);
    if (x.value < 0.96)
        return soi_power(soi_line(-1, x, 1), -0.5);
    return soi_divide(soi_line(-6.26044, x, 6.00167), soi_line(-1.043406, x, 1));
}

static void find_bulk_charge(const struct soi_law *law, struct soi_channel *c)
{
    const double *p = law->p, phi = law->phi + p[SOI_KETAS];
    c->bulk = c->bulk_plain = soi_constant(1);
    if (p[SOI_A0] == 0)
        return;
    const struct soi_value tilt = soi_at_least(soi_line(p[SOI_KETA], c->body_high, 1), 0.1, 0.05);
    const struct soi_value body =
        soi_line(0.5 * law->k1 / sqrt(phi), tilted_root(phi, c->body_high, soi_invert(tilt)), 0);
    const struct soi_value reach = soi_root(soi_line(p[SOI_XJ], c->depth, 0));
    const struct soi_value along = soi_line(law->length, soi_invert(soi_line(2, reach, law->length)), 0);
    const double across = p[SOI_B0] / (law->width + p[SOI_B1]);
    const struct soi_value cube = soi_multiply(soi_square(along), along);
    const struct soi_value by_gate = soi_line(p[SOI_AGS] * p[SOI_A0], soi_multiply(cube, c->over), 0);
    const struct soi_value plain = soi_line(p[SOI_A0], along, across);
    c->bulk_plain = soi_at_least(soi_line(1, soi_multiply(body, plain), 1), 0.01, 0.005);
    c->bulk = soi_line(1, soi_multiply(body, soi_subtract(plain, by_gate)), 1);
    c->bulk = soi_at_least(c->bulk, 0.01, 0.005);
}

static void find_mobility(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c)
{
    const bool by_field = soi_by_field(law->card);
    const double tox = law->card[SOI_CARD_TOX];
    const struct soi_value both = law->card[SOI_CARD_MOBMOD] == 2 ? c->over : soi_accumulate(2, c->threshold, c->over);
    const struct soi_value field = soi_line(1 / tox, both, 0), by_body = soi_multiply(w->uc, c->body);
    struct soi_value slope = soi_add(w->ua, soi_multiply(w->ub, field));
    if (!by_field)
        slope = soi_add(slope, by_body);
    struct soi_value fall = soi_multiply(slope, field);
    if (by_field)
        fall = soi_multiply(fall, soi_line(1, by_body, 1));
    c->mobility = soi_divide(w->mobility, soi_at_least(soi_line(1, fall, 1), 0.2, 0.1));
    c->critical = soi_line(2 * law->length, soi_divide(w->velocity, c->mobility), 0);
    c->conductance = soi_line(law->oxide / law->length, soi_multiply(c->mobility, c->width), 0);
    c->drop = soi_line(law->oxide, soi_multiply(soi_multiply(c->width, w->velocity), c->resistance), 0);
}

/* 1/lambda: how far from a2 the gate brings the saturation. */
static struct soi_value inverse_lambda(const struct soi_law *law, struct soi_value over)
{
    const struct mosfet_value at = {over.value, 1, 0, 0};
    const struct mosfet_value f = bsim_inverse_lambda(law->p[SOI_A1], law->p[SOI_A2], at);
    return soi_chain(over, f.value, f.gs);
}

/* As bsim_find_saturation. */
static void find_saturation(const struct soi_law *law, struct soi_channel *c)
{
    const struct soi_value along = soi_multiply(c->bulk, c->critical);
    c->slack = inverse_lambda(law, c->over);
    if (!c->resists && c->slack.value == 1) {
        c->saturation = soi_divide(soi_multiply(c->critical, c->over_thermal), soi_add(c->over_thermal, along));
    } else {
        const struct soi_value bulk_drop = soi_multiply(c->bulk, c->drop);
        const struct soi_value a = soi_multiply(c->bulk, soi_line(2, soi_add(bulk_drop, c->slack), -2));
        const struct soi_value by_lambda = soi_accumulate(3, bulk_drop, soi_line(2, c->slack, -1));
        const struct soi_value b = soi_add(soi_multiply(c->over_thermal, by_lambda), along);
        const struct soi_value doubled = soi_accumulate(2, soi_multiply(c->over_thermal, c->drop), c->critical);
        const struct soi_value last = soi_multiply(c->over_thermal, doubled);
        const struct soi_value root = soi_root(soi_accumulate(-2, soi_multiply(a, last), soi_square(b)));
        c->saturation = soi_divide(soi_line(2, last, 0), soi_add(b, root));
    }
    c->drain = soi_smaller(c->saturation, c->v[SOI_DRAIN], law->p[SOI_DELTA]);
    c->rest = soi_subtract(c->v[SOI_DRAIN], c->drain);
}

/* Early voltage at the bend. */
static struct soi_value bend_voltage(const struct soi_channel *c)
{
    const struct soi_value share = soi_divide(soi_multiply(c->bulk, c->saturation), c->over_thermal);
    const struct soi_value fall = soi_multiply(soi_multiply(c->drop, c->over), soi_line(-0.5, share, 1));
    const struct soi_value top = soi_accumulate(2, fall, soi_add(c->critical, c->saturation));
    return soi_divide(top, soi_add(soi_multiply(c->drop, c->bulk), soi_line(2, c->slack, -1)));
}

/* Of shortening and of the drain's barrier lowering, in parallel; both grow beyond the bend. */
static struct soi_value early_voltage(const struct soi_law *law, const struct soi_channel *c)
{
    const double *p = law->p;
    const bool shortens = p[SOI_PCLM] > 0, lowers = law->drain_output > 0;
    struct soi_value clm = {0}, dibl = {0};
    if (shortens) {
        const struct soi_value share = soi_line(1, soi_divide(soi_divide(c->over, c->critical), c->bulk), 1);
        clm = soi_line(law->length / (p[SOI_PCLM] * law->litl), soi_multiply(share, c->rest), 0);
    }
    if (lowers) {
        const struct soi_value at = soi_multiply(c->bulk, c->saturation);
        const struct soi_value tilt = soi_at_least(soi_line(p[SOI_PDIBLCB], c->body, 1), 0.1, 0.05);
        dibl = soi_divide(soi_square(c->over_thermal), soi_add(c->over_thermal, at));
        dibl = soi_line(1 / law->drain_output, soi_divide(dibl, tilt), 0);
    }
    if (shortens && lowers)
        return soi_divide(soi_multiply(clm, dibl), soi_add(clm, dibl));
    return shortens ? clm : dibl;
}

void soi_find_current(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c)
{
    find_width_and_resistance(law, w, c);
    find_bulk_charge(law, c);
    find_mobility(law, w, c);
    find_saturation(law, c);
    const struct soi_value share = soi_divide(soi_multiply(c->bulk, c->drain), c->over_thermal);
    const struct soi_value charge = soi_multiply(c->over, soi_line(-0.5, share, 1));
    const struct soi_value slowed = soi_line(1, soi_divide(c->drain, c->critical), 1);
    const struct soi_value plain = soi_divide(soi_multiply(c->conductance, charge), slowed);
    c->slope = soi_divide(plain, soi_line(1, soi_multiply(plain, c->resistance), 1));
    struct soi_value longer = soi_constant(1);
    if (law->p[SOI_PCLM] > 0 || law->drain_output > 0) {
        const struct soi_value by_gate = soi_line(law->p[SOI_PVAG], soi_divide(c->over, c->critical), 1);
        const struct soi_value early =
            soi_accumulate(1, soi_multiply(soi_at_least(by_gate, 0.1, 0.05), early_voltage(law, c)), bend_voltage(c));
        longer = soi_line(1, soi_divide(c->rest, early), 1);
    }
    c->current = soi_line(1 / law->segments, soi_multiply(soi_multiply(c->slope, c->drain), longer), 0);
}
