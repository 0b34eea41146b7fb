/* mes_rows.h - rows that the model cards of MESFETs and HFETs share, with the defaults in which they differ. */
#ifndef DEVICES_MESFET_MES_ROWS_H
#define DEVICES_MESFET_MES_ROWS_H

#include "devices/mesfet/mes_card.h"

#include <float.h>
#include <math.h>

/* F/m, of gallium arsenide as ngspice has it. */
#define MES_PERMITTIVITY (12.244 * 8.85418e-12)

#define MES_ANY(row, name_, unit_, default_, doc_)          [row] = {name_, unit_, default_, -INFINITY, INFINITY, doc_, NULL}
#define MES_POSITIVE(row, name_, unit_, default_, doc_)     [row] = {name_, unit_, default_, DBL_MIN, INFINITY, doc_, NULL}
#define MES_NOT_NEGATIVE(row, name_, unit_, default_, doc_) [row] = {name_, unit_, default_, 0, INFINITY, doc_, NULL}

#define MES_RESISTANCE_ROWS                                                                                            \
    MES_NOT_NEGATIVE(MES_RD, "rd", "ohm", 0, "drain resistance"),                                                      \
        MES_NOT_NEGATIVE(MES_RS, "rs", "ohm", 0, "source resistance"),                                                 \
        MES_NOT_NEGATIVE(MES_RDI, "rdi", "ohm", 0, "drain resistance as the channel's formula has it"),                \
        MES_NOT_NEGATIVE(MES_RSI, "rsi", "ohm", 0, "source resistance as the channel's formula has it")

/* At the start of a transient with uic. */
#define MES_INITIAL_ROWS                                                                                               \
    MES_ANY(MES_ICVDS, "icvds", "V", 0, "drain-source voltage at the start of a transient with uic"),                  \
        MES_ANY(MES_ICVGS, "icvgs", "V", 0, "gate-source voltage at the start of a transient with uic")

/* A temperature in degrees Celsius. */
#define MES_DEGREES(row, name_, default_, doc_) [row] = {name_, "degC", default_, -DEVICE_KELVIN, INFINITY, doc_, NULL}

#define MES_CHANNEL_ROWS                                                                                               \
    MES_POSITIVE(MES_MC, "mc", "", 3, "shape of the knee in the gate's capacitances"),                                 \
        MES_POSITIVE(MES_VSIGMA, "vsigma", "V", 0.1, "width over which the drain's effect on the threshold ends"),     \
        MES_POSITIVE(MES_GAMMA, "gamma", "", 3, "shape of the approach to nmax (not of levels 2 and 3)"),              \
        MES_POSITIVE(MES_NMAX, "nmax", "1/m^2", 2e16, "largest density of carriers (not of levels 2 and 3)"),          \
        MES_POSITIVE(MES_EPSI, "epsi", "F/m", MES_PERMITTIVITY, "permittivity (not of levels 2 and 3)"),               \
        MES_ANY(MES_DEL, "del", "", 0.04, "the gate's reverse conductance grows as exp(-v del/Vt)")

#define HFET_ROWS                                                                                                      \
    MES_RESISTANCE_ROWS,                                                                                               \
        MES_CHANNEL_ROWS, [MES_LAMBDA] = {"lambda", "1/V", 0.15, -INFINITY, INFINITY, "channel length modulation",     \
                                          NULL},                                                                       \
                          [MES_VTO] = {"vto",                                                                          \
                                       "V",                                                                            \
                                       0.15,                                                                           \
                                       -INFINITY,                                                                      \
                                       INFINITY,                                                                       \
                                       "threshold voltage, -0.15 V in a PHFET, where it is negative as a rule",        \
                                       "vt0"},                                                                         \
                          MES_POSITIVE(MES_ETA, "eta", "", 1.28, "ideality below threshold; 1.4 in a PHFET"),          \
                          MES_POSITIVE(MES_SHAPE, "m", "", 3, "shape of the knee"),                                    \
                          MES_ANY(MES_SIGMA0, "sigma0", "", 0.057, "how far the drain lowers the threshold"),          \
                          MES_ANY(MES_VSIGMAT, "vsigmat", "V", 0.3, "overdrive at which half of that is left"),        \
                          MES_POSITIVE(MES_MU, "mu", "m^2/Vs", 0.4, "mobility; 0.03 in a PHFET"),                      \
                          MES_POSITIVE(MES_VS, "vs", "m/s", 1.5e5, "saturation velocity; 0.8e5 in a PHFET"),           \
                          MES_POSITIVE(MES_TRANSITION, "delta", "", 3, "width of the transition at threshold")

/* What both HFETs make of these; sets all of the channel but cf, nmax and what is of MESFETs only. */
void hfet_channel(const struct mes_cards *c, struct mes_channel *out);

/* The gate's reverse conductance, S. */
static inline double hfet_reverse(const struct mes_cards *c)
{
    return c->model[MES_GGR] * c->own[MES_L] * c->own[MES_W] / 2;
}

#endif
