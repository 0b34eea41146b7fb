/* bsim_charge.h - terminal charges of the transistors of the BSIM families.
 *
 * BSIM3v3.3 MOSFET Model Users' Manual (2005), B.4.2.2, 3 and 4; BSIM4.8 MOSFET Model User's Manual (2013), chapter 7, whose
 * capMod 1 and 2 are 2 and 3 here.
 */
#ifndef DEVICES_CHANNEL_BSIM_CHARGE_H
#define DEVICES_CHANNEL_BSIM_CHARGE_H

#include "devices/channel/bsim_channel.h"

#include <stdbool.h>

struct bsim_charge_law {
    int kind;                         /* capmod of BSIM3, 0 to 3 */
    double partition;                 /* xpart */
    double thermal;                   /* kT/q, V */
    double k1, phi, root_phi;         /* for this oxide, V^1/2; V; V^1/2 */
    double flat_band, long_flat_band; /* at zero bias; vfbcv of kind 0, V */
    double channel;                   /* Cox W L of all in parallel, F */
    /* kind 3 */
    double acde, moin, debye, tox;
    double layer_depth, layer_power; /* of the inversion layer: m, exponent */
    double by_depth, by_depth_0;     /* Cox/Cox,eff = by_depth_0 + by_depth x */
};

struct bsim_charge_bias {
    struct mosfet_value gate;           /* against source, behind the gate's depletion */
    struct mosfet_value over;           /* of the charges, see below; not of kind 0 */
    struct bulk_value body, root, bulk; /* bulk's voltage as charges see it, sqrt(Phis), Abulk of the charges */
    struct mosfet_value layer_offset;   /* 4 (vth - vfb - phi), kind 3 */
};

struct bsim_terminal_charges {
    struct mosfet_value drain, source, bulk; /* C */
    double inversion;                        /* of the channel */
};

void bsim_charges(const struct bsim_charge_law *law, const struct bsim_charge_bias *at, double vds,
                  struct bsim_terminal_charges *out);

/* Overdrive of the charges: n f ln(1 + exp((over - offset)/(n f))) with f = noff kT/q. */
struct mosfet_value bsim_charge_overdrive(double factor, double offset, struct mosfet_value over,
                                          struct mosfet_value swing);
/* Depth of the inversion layer: layer_depth/(1 + ((over + offset)/(2 tox))^layer_power), tox in 0.1 um (MV/cm). */
struct mosfet_value bsim_inversion_depth(const struct bsim_charge_law *law, struct mosfet_value over,
                                         struct mosfet_value offset);
/* Charge per oxide capacitance of the bulk under a gate at x above flat band: x in accumulation, then depletion. */
struct mosfet_value bsim_body_charge(const struct bsim_charge_law *law, struct mosfet_value x);
/* What of the gate's voltage above flat band is below it, 0 or less, with a bend of width delta3 = 20 mV. */
struct mosfet_value bsim_accumulation(const struct bsim_charge_law *law, struct mosfet_value above);
/* Charge on the gate's side of an overlap that depletes (B.4.2.1, 3 and 4), and its slope. */
double bsim_overlap(bool bends, double kappa, double oxide, double v, double *slope);

#endif
