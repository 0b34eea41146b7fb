/* bjt_model.c - see bjt_model.h. */
#include "devices/bipolar/bjt_model.h"

/* q1 goes on as its tangent below this value of 1 - vbc/Vaf - vbe/Var, where the model has long lost its meaning. */
#define EARLY_LIMIT 0.05

/* 1/d for d above the limit; its tangent there below. */
static double early_factor(double d, double *slope)
{
    const double inverse = 1 / fmax(d, EARLY_LIMIT);
    *slope = -inverse * inverse;
    return d >= EARLY_LIMIT ? inverse : inverse + (d - EARLY_LIMIT) * *slope;
}

/* Normalised base charge: Early effect q1 and high injection q2. */
static void base_charge(const struct bjt_law *law, double vbe, double vbc, bool derivatives, struct bjt_currents *io)
{
    double q1_slope;
    const double q1 = early_factor(1 - vbc * law->inverse_vaf - vbe * law->inverse_var, &q1_slope);
    double injection = 1, injection_slope = 0; /* (1 + (1 + 4 q2)^Nk) / 2 and its derivative with respect to q2 */
    if (law->inverse_ikf > 0 || law->inverse_ikr > 0) {
        const double q2 = io->forward * law->inverse_ikf + io->reverse * law->inverse_ikr;
        const double base = fmax(1 + 4 * q2, 1e-6);
        const double power = law->roll_off == 0.5 ? sqrt(base) : pow(base, law->roll_off);
        injection = 0.5 * (1 + power);
        injection_slope = 2 * law->roll_off * power / base;
    }
    io->qb = (struct bjt_value){q1 * injection, 0, 0};
    if (!derivatives)
        return;
    io->qb.be = -q1_slope * law->inverse_var * injection + q1 * injection_slope * io->forward_g * law->inverse_ikf;
    io->qb.bc = -q1_slope * law->inverse_vaf * injection + q1 * injection_slope * io->reverse_g * law->inverse_ikr;
}

void bjt_currents(const struct bjt_law *law, double vbe, double vbc, bool derivatives, struct bjt_currents *out)
{
    out->forward = junction_current(&law->forward, vbe, &out->forward_g);
    out->reverse = junction_current(&law->reverse, vbc, &out->reverse_g);
    out->emitter = (struct bjt_value){out->forward * law->inverse_bf, out->forward_g * law->inverse_bf, 0};
    out->collector = (struct bjt_value){out->reverse * law->inverse_br, 0, out->reverse_g * law->inverse_br};
    double g;
    if (law->emitter_leak.saturation > 0) {
        out->emitter.value += junction_current(&law->emitter_leak, vbe, &g);
        out->emitter.be += g;
    }
    if (law->collector_leak.saturation > 0) {
        out->collector.value += junction_current(&law->collector_leak, vbc, &g);
        out->collector.bc += g;
    }
    base_charge(law, vbe, vbc, derivatives, out);
    const double inverse_qb = 1 / out->qb.value;
    out->transport = (struct bjt_value){(out->forward - out->reverse) * inverse_qb, 0, 0};
    if (!derivatives)
        return;
    out->transport.be = (out->forward_g - out->transport.value * out->qb.be) * inverse_qb;
    out->transport.bc = (-out->reverse_g - out->transport.value * out->qb.bc) * inverse_qb;
}

/* 3 (tan z - z) / (z tan^2 z) = 3 (k - u)/k^2 with u = z^2 <= 1 and the continued fraction
 * k = 3 - u/(5 - u/(7 - ..)) of Lambert: tan z = z/(1 - u/k); no difference cancels.  Slope with respect to u. */
static double crowding_of_square(double u, double *slope)
{
    double k = 19, k_slope = 0;
    for (int odd = 17; odd >= 3; odd -= 2) {
        k_slope = (u * k_slope / k - 1) / k;
        k = odd - u / k;
    }
    *slope = 3 * (k_slope - 1 - 2 * (k - u) * k_slope / k) / (k * k);
    return 3 * (k - u) / (k * k);
}

/* Hauser's law, IEEE Trans. ED-11 (1964) 238: z = (-1 + s) / (24/pi^2 sqrt(a)), s = sqrt(1 + 144/pi^2 a), a = ib/Irb.
 * Then z^2 = 36 a / (1 + s)^2, z = pi/2 sqrt((s - 1)/(s + 1)), and pi/2 - z, whose tangent is c = 1/tan z, comes
 * without cancellation.  For a < 0, where crowding means nothing, a bounded continuation with the same slope. */
double bjt_crowding(double relative_current, double *slope)
{
    const double a = relative_current;
    if (a <= 0) {
        const double t = -2.4 * a;
        *slope = -2.4 / ((1 + t) * (1 + t));
        return 1 + t / (1 + t);
    }
    const double pi = 3.14159265358979323846;
    const double s = sqrt(1 + 144 / (pi * pi) * a);
    const double scale = 36 / ((1 + s) * (1 + s)); /* z^2 / a; the derivative of z^2 is scale / s */
    if (scale * a < 1) {
        const double ratio = crowding_of_square(scale * a, slope);
        *slope *= scale / s;
        return ratio;
    }
    const double root = sqrt((s - 1) / (s + 1));
    const double z = 0.5 * pi * root;
    const double c = tan(pi / ((s + 1) * (1 + root)));
    *slope = 3 * ((1 + c * c) * (2 * c - 1 / z) - c / (z * z)) * (0.5 * scale / (s * z));
    return 3 * c * (1 / z - c);
}

void bjt_base_conductance(const struct bjt_law *law, bool derivatives, struct bjt_currents *io)
{
    struct bjt_value r;
    if (law->inverse_irb > 0) {
        double slope;
        const double a = (io->emitter.value + io->collector.value) * law->inverse_irb;
        r.value = law->base_minimum + law->base_variable * bjt_crowding(a, &slope);
        slope *= law->base_variable * law->inverse_irb;
        r.be = slope * io->emitter.be;
        r.bc = slope * io->collector.bc;
    } else {
        const double variable = law->base_variable / io->qb.value;
        r.value = law->base_minimum + variable;
        r.be = -variable / io->qb.value * io->qb.be;
        r.bc = -variable / io->qb.value * io->qb.bc;
    }
    io->base = (struct bjt_value){1 / r.value, 0, 0};
    if (!derivatives)
        return;
    io->base.be = -r.be * io->base.value * io->base.value;
    io->base.bc = -r.bc * io->base.value * io->base.value;
}

/* A, the relative growth of Tf, times if, with derivatives. */
static struct bjt_value transit_growth(const struct bjt_law *law, double vbc, const struct bjt_currents *at)
{
    struct bjt_value growth = {0, 0, 0};
    const double w = law->itf > 0 ? (at->forward > 0 ? at->forward / (at->forward + law->itf) : 0) : 1;
    double field = 1, field_slope = 0;
    if (law->vtf_rate > 0)
        field = junction_exp(vbc * law->vtf_rate, &field_slope);
    const double a = law->xtf * w * w;
    growth.value = at->forward * a * field;
    growth.be = at->forward_g * a * field * (3 - 2 * w);
    growth.bc = at->forward * a * field_slope * law->vtf_rate;
    return growth;
}

void bjt_emitter_charge(const struct bjt_law *law, double vbe, double vbc, const struct bjt_currents *at,
                        bool derivatives, struct bjt_value *out)
{
    *out = (struct bjt_value){0, 0, 0};
    if (law->emitter.capacitance > 0)
        out->value = depletion_charge(&law->emitter, vbe, &out->be);
    if (!(law->tf > 0))
        return;
    struct bjt_value growth = {0, 0, 0};
    if (law->xtf > 0)
        growth = transit_growth(law, vbc, at);
    const double inverse_qb = 1 / at->qb.value;
    const double stored = law->tf * (at->forward + growth.value) * inverse_qb;
    out->value += stored;
    if (!derivatives)
        return;
    out->be += (law->tf * (at->forward_g + growth.be) - stored * at->qb.be) * inverse_qb;
    out->bc += (law->tf * growth.bc - stored * at->qb.bc) * inverse_qb;
}

void bjt_collector_charge(const struct bjt_law *law, double vbc, const struct bjt_currents *at, struct bjt_value *out)
{
    *out = (struct bjt_value){0, 0, 0};
    if (law->collector.capacitance > 0)
        out->value = depletion_charge(&law->collector, vbc, &out->bc);
    out->value += law->tr * at->reverse;
    out->bc += law->tr * at->reverse_g;
    if (!(law->epi.charge > 0))
        return;
    double c;
    out->value += bjt_epi_charge(&law->epi, vbc, &c);
    out->bc += c;
}
