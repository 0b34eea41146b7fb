/* jfet_parker.h - the field-effect transistor of Parker and Skellern (A Realistic Large-Signal MESFET Model for SPICE, IEEE
 * Trans. Microw. Theory Tech. 45 (1997) 1563), level 2 of ngspice's JFET, without what lags behind the voltages:
 *     u = vgs - vto - (lfgam - lfg1 vgs + lfg2 vgd) vgd
 *     s = vst (1 + mvst vds),  vgt = s ln(1 + e^(u/s))
 *     vdp = vds p/q (vgt/(vbi - vto))^(p - q)
 *     vsat = vgt (mxi vgt + X)/(vgt + mxi vgt + X),  X = xi (vbi - vto)
 *     vdt = (r(vdp sqrt(1 + z) + vsat) - r(vdp sqrt(1 + z) - vsat))/2,  r(x) = sqrt(x^2 + z vsat^2)
 *     d = beta (1 + lambda vds) (vgt^q - (vgt - vdt)^q),  id = d/(1 + delta |vds d|)
 * Drain and source change places for vds < 0.  Gate junctions break down by ibd (1 - e^(-v/vbd)). vbi is that of
 * the temperature; the saturation current grows without n.
 *
 * Charge of the gate, Statz's (jfet.c), with a = (X/(1 + xi))^2/4 and e = sqrt(vds^2 + a):
 *     v = (vgs + vgd + e)/2 + acgam vds, n = (1 - xc) (v - vto),  w = v + (sqrt(n^2 + 0.04) - n)/2
 *     q1 = 2 cgs vbi (1 - sqrt(1 - w/vbi)), from fc vbi on by the slope of a straight line,  q2 = cgd (v - e)
 * of which q1 lies at the end that acts as source, by (1 + vds/e)/2, and acgam of both goes from drain to source, so that gate
 * signals find ngspice's capacitances; ngspice shares out capacitances and not charges.
 */
#ifndef DEVICES_SEMICONDUCTOR_JFET_PARKER_H
#define DEVICES_SEMICONDUCTOR_JFET_PARKER_H

#include "devices/device.h"
#include "devices/semiconductor/fet.h"

/* Area and temperature are in the numbers. */
struct parker_law {
    bool used;
    double threshold, beta, lambda, p, q, z;
    double width;                             /* vbi - vto, V */
    double saturation, growth;                /* X (V), mxi */
    double tail, tail_by_drain;               /* vst (V), mvst (1/V) */
    double drop, drop_by_gate, drop_by_drain; /* lfgam, lfg1 and lfg2 (1/V) */
    double heat;                              /* delta, 1/W */
    double gate, breakdown, voltage;          /* saturation and breakdown currents, A; V */
    double cgs, cgd, drain_source;            /* F */
    double potential, forward;                /* vbi at the temperature, fc times it, V */
    double smooth, drag, floor;               /* a (V^2), acgam, xc */
};

/* Level 2 of a JFET is another model in every program; p: the model's parameters (jfet_parameters.h). */
bool parker_is_meant(enum dialect dialect, const double *p, const bool *given);
/* size: area times m. */
void parker_prepare(struct parker_law *law, const double *p, double size, const struct thermal *t);
/* What it would need and is not there: an error. */
bool parker_check(const struct model *m, const double *p, const bool *given, struct kn_diagnostics *d);

/* For vds of both signs. */
struct fet_value parker_current(const struct parker_law *law, struct fet_voltages v);
/* Of one junction at v, with its slope. */
double parker_breakdown(const struct parker_law *law, double v, double *slope);
/* *out: what sits at drain and source. */
void parker_charges(const struct parker_law *law, struct fet_voltages v, struct fet_ends *out);

#endif
