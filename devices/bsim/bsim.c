/* bsim.c - see bsim.h. */
#include "devices/bsim/bsim.h"

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
    return (struct bsim_device){.p = b->all.model[k],
                                .own = b->all.own[k],
                                .given = b->all.model_given[k],
                                .own_given = b->all.own_given[k],
                                .sign = b->sign[k],
                                .celsius = at.kelvin - DEVICE_KELVIN,
                                .nominal = at.nominal - DEVICE_KELVIN};
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
