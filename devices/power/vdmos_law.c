/* vdmos_law.c - see vdmos_law.h. */
#include "devices/power/vdmos_law.h"

#include "devices/noise.h"

#include <float.h>
#include <string.h>

const struct parameter_info vdmos_instance_rows[VDMOS_OWN_COUNT] = {
    INSTANCE_ROWS(VDMOS_OWN_M, VDMOS_OWN_TEMP, VDMOS_OWN_DTEMP, VDMOS_OWN_OFF),
    [VDMOS_OWN_ICVDS] = {"icvds", "V", 0, -INFINITY, INFINITY,
                         "drain-source voltage at the start of a transient with uic", "ic"},
    [VDMOS_OWN_ICVGS] = {"icvgs", "V", 0, -INFINITY, INFINITY,
                         "gate-source voltage at the start of a transient with uic", "ic2"},
    [VDMOS_OWN_THERMAL] = {"thermal", "", 0, 0, 1, "self-heating, with rthjc of the model and two more nodes", NULL},
};

const struct model_type vdmos_types[] = {
    {"vdmos", "vdmosn", "n-channel, unless the card says pchan"},
    {"vdmosp", NULL, "p-channel: vto is negative as a rule"},
    {NULL, NULL, NULL},
};

/* Ratings and texts of data sheets. */
const char vdmos_without_meaning[] =
    "mfg vds ron qg type phi rth_ext derating vgs_max vgd_max vds_max vgsr_max vgdr_max "
    "pd_max id_max idr_max te_max";

struct vdmos_gate vdmos_gate_of(const double *p, double m)
{
    const double step = m * (p[VDMOS_CGDMAX] - p[VDMOS_CGDMIN]) / (1 + acos(-1.0) / 2);
    return (struct vdmos_gate){m * p[VDMOS_CGS], step, m * p[VDMOS_CGDMAX] - step, p[VDMOS_A]};
}

/* ln cosh without overflow. */
double vdmos_drain_charge(const struct vdmos_gate *gate, double v, double *capacitance)
{
    const double z = gate->rate * v;
    if (v > 0) {
        *capacitance = gate->step * tanh(z) + gate->base;
        return gate->step / gate->rate * (z + log1p(exp(-2 * z)) - log(2)) + gate->base * v;
    }
    const double angle = atan(z);
    *capacitance = gate->step * angle + gate->base;
    return gate->step / gate->rate * (z * angle - 0.5 * log1p(z * z)) + gate->base * v;
}

double vdmos_sign(const struct element *e, const double *p)
{
    return p[VDMOS_PCHAN] != 0 || strcmp(e->model->type, "vdmosp") == 0 ? -1 : 1;
}

void vdmos_find_series(const double *p, const bool *given, double m, double series[FET_NODES])
{
    const bool quasi = p[VDMOS_RQ] > 0 && given[VDMOS_VQ];
    series[FET_DRAIN] = p[VDMOS_RD] > 0 ? m / p[VDMOS_RD] : quasi ? m / VDMOS_LEAST_DRAIN : 0;
    series[FET_GATE] = p[VDMOS_RG] > 0 ? m / p[VDMOS_RG] : 0;
    series[FET_SOURCE] = p[VDMOS_RS] > 0 ? m / p[VDMOS_RS] : 0;
}

bool vdmos_add_noise(const struct fet *frame, const double *p, double m, const struct vdmos_noise *n,
                     struct noise_list *list)
{
    static const double oxide = 3.9 * 8.8541878128e-12 / 1e-7; /* F/m^2 */
    const struct element *e = frame->element;
    const int d = frame->inner[FET_DRAIN], s = frame->inner[FET_SOURCE];
    const int drain = frame->outer[FET_DRAIN], source = frame->outer[FET_SOURCE];
    const struct noise_source flicker = {.at = {e, "1overf", d, s},
                                         .density =
                                             noise_flicker(p[VDMOS_KF], p[VDMOS_AF], n->channel, m) / (oxide * oxide),
                                         .exponent = 1};
    struct fet there = *frame;
    memcpy(there.series, n->series, sizeof there.series);
    return fet_add_series_noise(&there, n->kelvin, list) &&
           noise_add_thermal(list, (struct noise_place){e, "rb", source, n->body_anode}, n->body_series, n->kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rds", drain, source}, n->shunt, n->kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "id", d, s}, 2.0 / 3 * fabs(n->gm), n->kelvin) &&
           noise_add_shot(list, (struct noise_place){e, "body", n->body_anode, drain}, n->body) &&
           (p[VDMOS_KF] == 0 || noise_add(list, &flicker));
}
