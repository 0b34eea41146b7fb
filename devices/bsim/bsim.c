/* bsim.c - see bsim.h. */
#include "devices/bsim/bsim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct model_type bsim_types[] = {
    {"nmos", NULL, "current flows into the drain where v(g,s) is above vth0"},
    {"pmos", NULL, "current flows out of the drain where v(g,s) is below vth0, a negative number as a rule"},
    {NULL, NULL, NULL},
};

struct bsim_device bsim_device_at(struct mosfet_batch *b, size_t k, double circuit, size_t tnom)
{
    const struct thermal at = instance_thermal(&b->all, k, circuit, MOSFET_TEMP, MOSFET_DTEMP, tnom);
    const struct setting *version;
    return (struct bsim_device){.p = b->all.model[k],
                                .own = b->all.own[k],
                                .given = b->all.model_given[k],
                                .own_given = b->all.own_given[k],
                                .sign = b->sign[k],
                                .celsius = at.kelvin - DEVICE_KELVIN,
                                .nominal = at.nominal - DEVICE_KELVIN,
                                .version = bsim_version(b->all.base.elements[k]->model, INFINITY, &version)};
}

void bsim_find_body_effect(double *p, const bool *given, double channel, double phi, double oxide)
{
    const bool *k1 = &given[BSIM_PARTS * BSIM_K1], *k2 = &given[BSIM_PARTS * BSIM_K2];
    if (*k1 || *k2) {
        p[BSIM_K1] += *k1 ? 0 : 0.53;
        p[BSIM_K2] += *k2 ? 0 : -0.0186;
        return;
    }
    p[BSIM_VBM] = -fabs(p[BSIM_VBM]);
    const struct bsim_doping doping = {.channel = channel,
                                       .substrate = p[BSIM_NSUB],
                                       .near = given[BSIM_PARTS * BSIM_GAMMA1] ? p[BSIM_GAMMA1] : NAN,
                                       .far = given[BSIM_PARTS * BSIM_GAMMA2] ? p[BSIM_GAMMA2] : NAN,
                                       .depth = p[BSIM_XT],
                                       .edge = given[BSIM_PARTS * BSIM_VBX] ? p[BSIM_VBX] : NAN,
                                       .most = p[BSIM_VBM]};
    bsim_body_effect(&doping, phi, oxide, &p[BSIM_K1], &p[BSIM_K2]);
}

double bsim_least_bulk(double k1, double k2, double phi, double most_reverse)
{
    const double end = 0.5 * k1 / k2;
    const double least = k2 < 0 ? fmax(fmin(0.9 * (phi - end * end), -3), -30) : -30;
    return fmin(least, most_reverse);
}

double bsim_version(const struct model *m, double otherwise, const struct setting **s)
{
    *s = setting_find(m->settings, m->setting_count, "version");
    if (!*s || !(*s)->has_value)
        return otherwise;
    return (*s)->text ? strtod((*s)->text + strspn((*s)->text, "\"'"), NULL) : (*s)->value;
}

void bsim_tell_of_lag(const struct mosfet_batch *b, size_t own_row, const char *code, const char *name,
                      struct kn_diagnostics *d)
{
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct element *e = b->all.base.elements[k];
        if (b->all.own[k][own_row] == 0 && b->all.own[k][own_row + 1] == 0)
            continue;
        diagnostics_add(d, KN_WARNING, code, e->where, NULL,
                        "element '%s': charges follow voltages at once; %s and acnqsmod are taken as 0", e->name, name);
        return;
    }
}

bool bsim_no_channel(const struct element *e, const double *own, const char *remedy, struct kn_diagnostics *d)
{
    diagnostics_add(d, KN_ERROR, "parameter-range", e->where, remedy,
                    "element '%s': l = %g m and w = %g m leave no channel with model '%s'", e->name, own[MOSFET_L],
                    own[MOSFET_W], e->model->name);
    return false;
}

void bsim_prepared(struct mosfet_batch *b, size_t k, const struct mosfet_law *law)
{
    b->laws[k] = *law;
    b->stores[k] = law->oxide > 0 || bulk_diode_stores(&b->drain_diodes[k]) || bulk_diode_stores(&b->source_diodes[k]);
    b->tangents[k].at.gs = NAN;
}

void bsim_add_overlaps(bool bends, const double overlap[2], const double kappa[2], struct mosfet_tangent *t)
{
    double slope;
    struct mosfet_value *q = t->charge;
    if (overlap[0] != 0) {
        q[MOSFET_END_SOURCE].value -= bsim_overlap(bends, kappa[0], overlap[0], t->at.gs, &slope);
        q[MOSFET_END_SOURCE].gs -= slope;
    }
    if (overlap[1] != 0) {
        q[MOSFET_END_DRAIN].value -= bsim_overlap(bends, kappa[1], overlap[1], t->at.gs - t->at.ds, &slope);
        q[MOSFET_END_DRAIN].gs -= slope;
        q[MOSFET_END_DRAIN].ds += slope;
    }
}

void bsim_exchange(struct mosfet_value values[MOSFET_ENDS])
{
    for (int i = 0; i < MOSFET_ENDS; i++) {
        const struct mosfet_value a = values[i];
        values[i] = (struct mosfet_value){a.value, a.gs, -(a.gs + a.ds + a.bs), a.bs};
    }
}

void bsim_take_charges(const struct bsim_terminal_charges *charges, bool reversed, struct mosfet_tangent *t)
{
    const int drain = reversed ? MOSFET_END_SOURCE : MOSFET_END_DRAIN;
    const struct mosfet_value none = value_constant(0);
    t->charge[drain] = charges ? charges->drain : none;
    t->charge[MOSFET_END_DRAIN + MOSFET_END_SOURCE - drain] = charges ? charges->source : none;
    t->charge[MOSFET_END_BULK] = charges ? charges->bulk : none;
    if (reversed)
        bsim_exchange(t->charge);
}

double bsim_trap_noise(const struct bsim_traps *t, const struct bsim_state *at)
{
    const double a = t->a, b = t->b, c = t->c, i = t->current, ends = t->ends;
    const double pinched = (t->rest / t->reach + t->field) / t->critical;
    const double shortened = t->field > 0 && pinched > 1 ? t->reach * log(pinched) : 0;
    const double source = t->oxide * at->overdrive / t->charge; /* carriers per area at the ends, 1/m^2 */
    const double drain = source * (1 - at->bulk_charge / (at->overdrive + 2 * t->thermal) * at->drain_effective);
    const double along =
        a * log((source + ends) / (drain + ends)) + b * (source - drain) + 0.5 * c * (source * source - drain * drain);
    const double strong = t->charge * t->charge * t->energy * i * at->mobility /
                              (t->unit * at->bulk_plain * t->oxide * t->length * t->length) * along +
                          t->energy * i * i / (t->unit * t->length * t->length * t->width) * shortened *
                              (a + b * drain + c * drain * drain) / ((drain + ends) * (drain + ends));
    const double weak = a * t->energy / (t->width * t->whole * t->least) * i * i;
    return strong > 0 && weak > 0 ? strong * weak / (strong + weak) : 0;
}
