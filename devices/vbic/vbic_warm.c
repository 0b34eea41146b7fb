/* vbic_warm.c - parameters of a VBIC transistor at its temperature. */
#include "devices/device.h"
#include "devices/vbic/vbic.h"

/* k/q as release 1.2 states it, V/K. */
static const double boltzmann = 1.380662e-23 / 1.602189e-19;

struct warmth {
    const double *card;
    struct vbic_value vt, ratio, rise; /* V; of absolute temperatures; K above the nominal one */
};

static struct vbic_value by_power(const struct warmth *w, double value, double exponent)
{
    return value == 0 ? vbic_constant(0) : vbic_line(value, vbic_power(w->ratio, exponent), 0);
}

static struct vbic_value resistance(const struct warmth *w, double ohm, double exponent)
{
    return by_power(w, vbic_resistance(ohm), exponent);
}

/* ratio^x exp(E (ratio - 1)/vt) to the power 1/n */
static struct vbic_value saturation(const struct warmth *w, double value, double exponent, double energy, double n)
{
    if (value == 0)
        return vbic_constant(0);
    const struct vbic_value barrier = vbic_divide(vbic_line(energy, w->ratio, -energy), w->vt);
    const struct vbic_value power = vbic_add(vbic_line(exponent, vbic_log(w->ratio), 0), barrier);
    return vbic_line(value, vbic_exp(vbic_line(1 / n, power, 0)), 0);
}

static struct vbic_value linear(const struct warmth *w, double value, double first, double second)
{
    struct vbic_value a = vbic_line(second, w->rise, first);
    return vbic_line(value, vbic_line(1, vbic_multiply(a, w->rise), 1), 0);
}

/* A junction's potential, which stays positive at any temperature. */
static struct vbic_value potential(const struct warmth *w, double nominal, double energy)
{
    const double cold = w->vt.value / w->ratio.value, half = 0.5 * nominal / cold;
    const double at_nominal = 2 * cold * log(exp(half) - exp(-half));
    struct vbic_value p = vbic_line(at_nominal - energy, w->ratio, energy);
    p = vbic_subtract(p, vbic_line(3, vbic_multiply(w->vt, vbic_log(w->ratio)), 0));
    struct vbic_value e = vbic_exp(vbic_line(-1, vbic_divide(p, w->vt), 0));
    e = vbic_line(0.5, vbic_root(vbic_line(4, e, 1)), 0.5);
    return vbic_add(p, vbic_line(2, vbic_multiply(w->vt, vbic_log(e)), 0));
}

static struct vbic_value capacitance(double value, double nominal, struct vbic_value potential, double grading)
{
    if (value == 0)
        return vbic_constant(0);
    return vbic_line(value * pow(nominal, grading), vbic_power(potential, -grading), 0);
}

static void warm_currents(const struct warmth *w, struct vbic_value *p)
{
    const double *c = w->card;
    const double xis = c[VBIC_CARD_XIS], xii = c[VBIC_CARD_XII], xin = c[VBIC_CARD_XIN];
    p[VBIC_IS] = saturation(w, c[VBIC_CARD_IS], xis, c[VBIC_CARD_EA], c[VBIC_CARD_NF]);
    p[VBIC_ISRR] = saturation(w, c[VBIC_CARD_ISRR], c[VBIC_CARD_XISR], c[VBIC_CARD_DEAR], c[VBIC_CARD_NR]);
    p[VBIC_ISP] = saturation(w, c[VBIC_CARD_ISP], xis, c[VBIC_CARD_EAP], c[VBIC_CARD_NFP]);
    p[VBIC_IBEI] = saturation(w, c[VBIC_CARD_IBEI], xii, c[VBIC_CARD_EAIE], c[VBIC_CARD_NEI]);
    p[VBIC_IBEN] = saturation(w, c[VBIC_CARD_IBEN], xin, c[VBIC_CARD_EANE], c[VBIC_CARD_NEN]);
    p[VBIC_IBCI] = saturation(w, c[VBIC_CARD_IBCI], xii, c[VBIC_CARD_EAIC], c[VBIC_CARD_NCI]);
    p[VBIC_IBCN] = saturation(w, c[VBIC_CARD_IBCN], xin, c[VBIC_CARD_EANC], c[VBIC_CARD_NCN]);
    p[VBIC_IBEIP] = saturation(w, c[VBIC_CARD_IBEIP], xii, c[VBIC_CARD_EAIC], c[VBIC_CARD_NCI]);
    p[VBIC_IBENP] = saturation(w, c[VBIC_CARD_IBENP], xin, c[VBIC_CARD_EANC], c[VBIC_CARD_NCN]);
    p[VBIC_IBCIP] = saturation(w, c[VBIC_CARD_IBCIP], xii, c[VBIC_CARD_EAIS], c[VBIC_CARD_NCIP]);
    p[VBIC_IBCNP] = saturation(w, c[VBIC_CARD_IBCNP], xin, c[VBIC_CARD_EANS], c[VBIC_CARD_NCNP]);
    p[VBIC_NF] = linear(w, c[VBIC_CARD_NF], c[VBIC_CARD_TNF], 0);
    p[VBIC_NR] = linear(w, c[VBIC_CARD_NR], c[VBIC_CARD_TNF], 0);
    p[VBIC_GAMM] = saturation(w, c[VBIC_CARD_GAMM], xis, c[VBIC_CARD_EA], 1);
    p[VBIC_VO] = by_power(w, c[VBIC_CARD_VO], c[VBIC_CARD_XVO]);
    p[VBIC_IKF] = by_power(w, c[VBIC_CARD_IKF], c[VBIC_CARD_XIKF]);
    p[VBIC_AVC2] = linear(w, c[VBIC_CARD_AVC2], c[VBIC_CARD_TAVC], 0);
    p[VBIC_VBBE] = linear(w, c[VBIC_CARD_VBBE], c[VBIC_CARD_TVBBE1], c[VBIC_CARD_TVBBE2]);
    p[VBIC_NBBE] = linear(w, c[VBIC_CARD_NBBE], c[VBIC_CARD_TNBBE], 0);
    p[VBIC_EBBE] = vbic_exp(vbic_line(-1, vbic_divide(p[VBIC_VBBE], vbic_multiply(p[VBIC_NBBE], p[VBIC_VT])), 0));
}

static void warm_charges(const struct warmth *w, struct vbic_value *p)
{
    const double *c = w->card;
    p[VBIC_PE] = potential(w, c[VBIC_CARD_PE], c[VBIC_CARD_EAIE]);
    p[VBIC_PC] = potential(w, c[VBIC_CARD_PC], c[VBIC_CARD_EAIC]);
    p[VBIC_PS] = potential(w, c[VBIC_CARD_PS], c[VBIC_CARD_EAIS]);
    p[VBIC_CJE] = capacitance(c[VBIC_CARD_CJE], c[VBIC_CARD_PE], p[VBIC_PE], c[VBIC_CARD_ME]);
    p[VBIC_CJC] = capacitance(c[VBIC_CARD_CJC], c[VBIC_CARD_PC], p[VBIC_PC], c[VBIC_CARD_MC]);
    p[VBIC_CJEP] = capacitance(c[VBIC_CARD_CJEP], c[VBIC_CARD_PC], p[VBIC_PC], c[VBIC_CARD_MC]);
    p[VBIC_CJCP] = capacitance(c[VBIC_CARD_CJCP], c[VBIC_CARD_PS], p[VBIC_PS], c[VBIC_CARD_MS]);
}

void vbic_warm(const struct vbic_law *law, double rise, struct vbic_value p[VBIC_WARM_COUNT])
{
    const double *c = law->card, nominal = c[VBIC_CARD_TNOM] + DEVICE_KELVIN;
    const struct vbic_value kelvin =
        law->heats ? vbic_variable(law->ambient + rise, VBIC_HEAT) : vbic_constant(law->ambient);
    const struct warmth w = {c, vbic_line(boltzmann, kelvin, 0), vbic_line(1 / nominal, kelvin, 0),
                             vbic_line(1, kelvin, -nominal)};
    p[VBIC_VT] = w.vt;
    warm_currents(&w, p);
    warm_charges(&w, p);
    p[VBIC_RCX] = resistance(&w, c[VBIC_CARD_RCX], law->exponent_rcx);
    p[VBIC_RCI] = resistance(&w, c[VBIC_CARD_RCI], law->exponent_rci);
    p[VBIC_RBX] = resistance(&w, c[VBIC_CARD_RBX], law->exponent_rbx);
    p[VBIC_RBI] = resistance(&w, c[VBIC_CARD_RBI], law->exponent_rbi);
    p[VBIC_RE] = resistance(&w, c[VBIC_CARD_RE], c[VBIC_CARD_XRE]);
    p[VBIC_RS] = resistance(&w, c[VBIC_CARD_RS], c[VBIC_CARD_XRS]);
    p[VBIC_RBP] = resistance(&w, c[VBIC_CARD_RBP], c[VBIC_CARD_XRBP]);
}
