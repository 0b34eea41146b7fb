/* mosfet_model.h - channel current and terminal charges of MOSFETs, for one n-channel transistor, free of nodes and
 * matrices (a p-channel one turns signs outside).
 *
 * Current of levels above 1: mosfet_levels.h.  That of level 1 (Shichman and Hodges, IEEE J. Solid-State Circuits 3 (1968) 285; SPICE level 1), for vds >= 0 with
 * u = vgs - vth(vbs), vth(vbs) = vbi + gamma s(vbs), s = sqrt(phi - vbs):
 *     i = 0                                        for u <= 0
 *     i = beta (1 + lambda vds) u^2/2              for 0 < u <= vds
 *     i = beta (1 + lambda vds) vds (u - vds/2)    for vds < u
 * Source and drain change places for vds < 0.  For forward body bias s goes on as SPICE's tangent, down to zero.
 *
 * Charge: SPICE's Meyer capacitances (RCA Rev. 32 (1971) 42) are no derivatives of charges and lose charge in each
 * cycle (Ward and Dutton, IEEE J. Solid-State Circuits 13 (1978) 703; Yang, Epler and Chatterjee, ibid. 18 (1983) 128).
 * Here the terminal charges themselves are functions of the voltages.  The channel of the long transistor has the
 * overdrives U at the source and W at the drain end, W = vgd - vth(vbd), and its charge varies between them such that
 * the current is the same everywhere (Tsividis, Operation and Modeling of the MOS Transistor, ch. 7; body charge linear
 * in the channel potential):
 *     Qs + Qd = -Cox 2/3 (U^2 + U W + W^2)/(U + W),
 *     Qd = -Cox 2/15 (3 W^3 + 6 W^2 U + 4 W U^2 + 2 U^3)/(U + W)^2   (Ward and Dutton: 40/60 in saturation)
 *     Qb = -Cox ((1 + r) b(X_U) + (2 - r) b(X_W))/3,   r = U/(U + W),  X_U = V - U,  X_W = V - W,  V = vgb - vfb
 *     Qg = -(Qs + Qd + Qb)
 * SPICE2's xqc is the drain's share in saturation: 0.4 is that of Ward and Dutton, 0 leaves the drain nothing there, as Meyer's
 * capacitances do.  Then the end with the larger overdrive, U, has (Sheu, Scharfetter, Ko and Jeng, IEEE J. Solid-State
 * Circuits 22 (1987) 558, 0/100; smooth through vds = 0, where either end has a half)
 *     Qs = -Cox (U/2 + (U - W)/4 - (U - W)^2/(12 (U + W)))
 * and shares between and up to 0.5 are sums of both, or differences.
 * U and W follow from the overdrives by a twice continuously differentiable ramp of half-width phi/4 about threshold, so
 * that charges are smooth from accumulation through depletion to inversion, from triode to saturation and through
 * vds = 0.  b(X) is the depletion charge below a gate at X above flat band:
 *     b = X                                        in accumulation
 *     b = gamma (sqrt(gamma^2/4 + X) - gamma/2)    far above
 * and between them the parabola whose slope 1 - X/phi is Meyer's gate-bulk capacitance, as long as that is the larger
 * one.
 *
 * In deep regions this gives Meyer's values: Cgb = Cox in accumulation, Cgs = 2/3 Cox in saturation, Cgs = Cgd = Cox/2
 * at vds = 0.  In saturation the body charge under the pinched-off end adds Cgb = Cox b'(V)/3, which Meyer omits.
 */
#ifndef DEVICES_CHANNEL_MOSFET_MODEL_H
#define DEVICES_CHANNEL_MOSFET_MODEL_H

#include "devices/channel/mosfet_levels.h"

#include <stdbool.h>

/* Geometry, multiplicity and temperature are in the numbers. */
struct mosfet_law {
    double built_in; /* vbi, V: threshold without body charge */
    double gamma;    /* sqrt(V) */
    double phi, root_phi;
    double beta;            /* A/V^2 */
    double lambda;          /* 1/V */
    double oxide;           /* Cox W L, F; 0: no intrinsic charge */
    double one_sided;       /* part of Qs + Qd that is shared 0/100: 1 - xqc/0.4; the rest is by Ward and Dutton */
    double flat_band, ramp; /* V; half-width of the ramp about threshold */
    double inverse_phi, per_ramp;         /* 1/V; the other one over the whole width */
    double parabola_end, parabola_offset; /* where b(X) goes over to the body charge, and its constant there */
    mosfet_level *channel;                /* NULL: level 1 */
    const struct mosfet_higher *higher;   /* what it works with */
};

/* Fills all from flat_band on from the rest. */
void mosfet_prepare_charge(struct mosfet_law *law);

/* sqrt(phi - vbs) and its derivative. */
double mosfet_body_root(const struct mosfet_law *law, double vbs, double *slope);

/* That of a long and wide channel, at all levels: what starts, limits and charges go by. */
double mosfet_threshold(const struct mosfet_law *law, double vbs);

/* Current from drain to source, threshold and saturation voltage of the end that acts as source. */
void mosfet_channel(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_channel *out);

/* Charges on drain, source and bulk; that of the gate is minus their sum. */
struct mosfet_charges {
    struct mosfet_value drain, source, bulk;
};
void mosfet_charges(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_charges *out);

struct mosfet_bias {
    double gs, ds, bs;
};

/* Current from drain to source, and the charges. */
struct mosfet_channel_values {
    struct mosfet_value current;
    struct mosfet_charges charges;
};

/* Both of several transistors, in little more than the time of one; the bits are the same. */
enum { MOSFET_TOGETHER = 4 };
void mosfet_channels(const struct mosfet_law *const law[MOSFET_TOGETHER], const struct mosfet_bias at[MOSFET_TOGETHER],
                     struct mosfet_channel_values out[MOSFET_TOGETHER]);

#endif
