/* bsim4_stress.c - what stress and the edge of the well do to a BSIM4 transistor (BSIM4.8 manual, chapters 13 and 14). */
#include "devices/bsim4/bsim4_batch.h"

/* ---- stress (13) ---- */

/* 1 + a/L^ln + b/(W + wlod)^wn + c/(..) */
static double by_size(double a, double b, double c, double length_power, double width_power)
{
    return 1 + a / length_power + b / width_power + c / (length_power * width_power);
}

/* Mean over the fingers of 1/(distance + L/2). */
static double mean_inverse(const struct bsim_device *t, double distance)
{
    const double nf = t->own[BSIM4_NF], l = t->own[MOSFET_L];
    const double pitch = l + (t->own_given[BSIM4_SD] ? t->own[BSIM4_SD] : 2 * t->p[BSIM4_CARD_DMCG]);
    double sum = 0;
    for (int i = 0; i < nf; i++)
        sum += 1 / nf / (distance + 0.5 * l + i * pitch);
    return sum;
}

static void add_stress(const struct bsim_device *t, struct bsim4_surroundings *out)
{
    const double *p = t->p, sa = t->own[BSIM4_SA], sb = t->own[BSIM4_SB], l = t->own[MOSFET_L], nf = t->own[BSIM4_NF];
    const double sd = t->own_given[BSIM4_SD] ? t->own[BSIM4_SD] : 2 * p[BSIM4_CARD_DMCG];
    if (!(sa > 0 && sb > 0 && (nf == 1 || sd > 0)))
        return;
    const double length = l + p[BSIM4_CARD_XL];
    const double width = t->own[MOSFET_W] / nf + p[BSIM4_CARD_XW] + fmax(p[BSIM4_CARD_WLOD], 0);
    const double warmth = (t->celsius + DEVICE_KELVIN) / (t->nominal + DEVICE_KELVIN) - 1, tiny = 1e-9;
    const double mobility = by_size(p[BSIM4_CARD_LKU0], p[BSIM4_CARD_WKU0], p[BSIM4_CARD_PKU0],
                                    pow(length, p[BSIM4_CARD_LLODKU0]), pow(width, p[BSIM4_CARD_WLODKU0])) *
                                (1 + p[BSIM4_CARD_TKU0] * warmth) +
                            tiny;
    const double plain = by_size(p[BSIM4_CARD_LKVTH0], p[BSIM4_CARD_WKVTH0], p[BSIM4_CARD_PKVTH0],
                                 pow(length, p[BSIM4_CARD_LLODVTH]), pow(width, p[BSIM4_CARD_WLODVTH]));
    const double threshold = sqrt(plain * plain + tiny);
    const double reference = 1 / (p[BSIM4_CARD_SAREF] + 0.5 * l) + 1 / (p[BSIM4_CARD_SBREF] + 0.5 * l);
    const double here = mean_inverse(t, sa) + mean_inverse(t, sb), more = here - reference;
    const double rho = p[BSIM4_CARD_KU0] / mobility * here, rho_reference = p[BSIM4_CARD_KU0] / mobility * reference;
    const double kvsat = fmax(fmin(p[BSIM4_CARD_KVSAT], 1), -1);
    out->mobility = (1 + rho) / (1 + rho_reference);
    out->velocity = (1 + kvsat * rho) / (1 + kvsat * rho_reference);
    out->threshold = p[BSIM4_CARD_KVTH0] / threshold * more;
    out->k2 = p[BSIM4_CARD_STK2] / pow(threshold, p[BSIM4_CARD_LODK2]) * more;
    out->eta0 = p[BSIM4_CARD_STETA0] / pow(threshold, p[BSIM4_CARD_LODETA0]) * more;
}

/* ---- the edge of the well (14) ---- */

/* (a sc + b ref) e^(-rate sc/ref) between both edges of the gate, over its width. */
static double integral(double sc, double width, double reference, double a, double b, double rate)
{
    const double end = sc + width;
    return ((a * sc + b * reference) * exp(-rate * sc / reference) -
            (a * end + b * reference) * exp(-rate * end / reference)) /
           width;
}

static void add_well(const struct bsim_device *t, const double *p, struct bsim4_surroundings *out)
{
    const double sc = t->own[BSIM4_SC], reference = t->p[BSIM4_CARD_SCREF];
    const double width = t->own[MOSFET_W] / t->own[BSIM4_NF];
    double a = fmax(t->own[BSIM4_SCA], 0), b = fmax(t->own[BSIM4_SCB], 0), c = fmax(t->own[BSIM4_SCC], 0);
    if (!t->own_given[BSIM4_SCA] && !t->own_given[BSIM4_SCB] && !t->own_given[BSIM4_SCC] && sc > 0) {
        a = reference * reference / (sc * (sc + width));
        b = integral(sc, width, reference, 0.1, 0.01, 10);
        c = integral(sc, width, reference, 0.05, 0.0025, 20);
    }
    const double near = a + t->p[BSIM4_CARD_WEB] * b + t->p[BSIM4_CARD_WEC] * c;
    out->threshold += p[BSIM4_KVTH0WE] * near;
    out->k2 += p[BSIM4_K2WE] * near;
    out->mobility *= fmax(1 + p[BSIM4_KU0WE] * near, 0);
}

struct bsim4_surroundings bsim4_surroundings_of(const struct bsim_device *t, const double *p)
{
    struct bsim4_surroundings s = {0, 0, 0, 1, 1};
    add_stress(t, &s);
    if (t->p[BSIM4_CARD_WPEMOD] != 0)
        add_well(t, p, &s);
    return s;
}
