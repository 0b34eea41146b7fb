/* bsim_channel.h - what the transistors of the BSIM families have in common between overdrive and current.
 *
 * BSIM3v3.3 MOSFET Model Users' Manual (2005), appendix B.2, whose numbers stand in comments; BSIM4 has the same equations
 * (BSIM4.8 MOSFET Model User's Manual (2013), 2.4, 5.2 and 5.3).  Their physical constants are rounded and belong to the
 * models.
 */
#ifndef DEVICES_CHANNEL_BSIM_CHANNEL_H
#define DEVICES_CHANNEL_BSIM_CHANNEL_H

#include "devices/channel/bulk_value.h"

#include <stdbool.h>

/* C, F/m, V/K. */
#define BSIM_CHARGE  1.60219e-19
#define BSIM_SILICON 1.03594e-10
#define BSIM_KELVIN  8.617087e-5
#define BSIM_PI      3.141592654

/* exp beyond this is nothing beside 1, as in Berkeley's programs. */
#define BSIM_FAR 34.0

/* Vgsteff of the overdrive and n (B.1.2); BSIM4 lets the share of the gate's voltage be other than a half (its m*). */
struct bsim_overdrive_law {
    double share, offset, thermal; /* m*; voff, V; kT/q, V */
    double height;                 /* kT/q times depletion's over oxide's capacitance, V */
};
struct mosfet_value bsim_overdrive(const struct bsim_overdrive_law *law, struct mosfet_value over,
                                   struct mosfet_value swing);

/* Dopings at the surface and below it; NaN what a card does not give. */
struct bsim_doping {
    double channel, substrate; /* 1/cm^3 */
    double near, far;          /* gamma1, gamma2, V^1/2 */
    double depth;              /* xt, m */
    double edge, most;         /* vbx, vbm, V */
};
/* k1 and k2 (B.1.3), with the surface potential phi (V) and the oxide's capacitance (F/m^2). */
void bsim_body_effect(const struct bsim_doping *d, double phi, double oxide, double *k1, double *k2);

/* Everything between the overdrive and the current. */
struct bsim_channel {
    struct mosfet_value over, over_thermal;      /* Vgsteff, Vgsteff + 2 kT/q */
    struct mosfet_value bulk, fall, critical;    /* Abulk, u0/ueff, Esat L */
    struct mosfet_value width, resistance, drop; /* Weff, Rds, Weff vsat Cox Rds */
    struct mosfet_value slack;                   /* 1/lambda */
    struct mosfet_value saturation, drain, rest; /* Vdsat, Vdseff, Vds - Vdseff */
    struct mosfet_value bulk_share;              /* Abulk/(Vgsteff + 2 kT/q) */
    bool resists;
};

/* Gate voltage behind the depletion of a gate of polysilicon (B.2.3): doping in 1/cm^3, q eps/Cox^2 in V m^3, and from
 * which voltage on it depletes. */
struct mosfet_value bsim_gate(double doping, double scale, double from, double vgs);
/* 1/lambda of (B.2.4.4): how far from a2 the gate brings the saturation. */
struct mosfet_value bsim_inverse_lambda(double a1, double a2, struct mosfet_value over);
/* From all above it. */
void bsim_find_saturation(struct bsim_channel *c);
void bsim_find_drain(double delta, double vds, struct bsim_channel *c);
/* Early voltage at the bend (B.2.6). */
struct mosfet_value bsim_bend_voltage(const struct bsim_channel *c);
/* factor x exp(-scale/x) of x >= 0. */
struct mosfet_value bsim_ionised(double factor, double scale, struct mosfet_value x);

#endif
