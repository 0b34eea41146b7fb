/* uccm.h - the channel of Xyce's level 18, the unified charge control model (Shur, Fjeldly, Ytterdal and Lee, "Unified MOSFET
 * model", Solid-State Electronics 35 (1992) 1795; Xyce Reference Guide, MOSFET level 18), for an n-channel and vds >= 0:
 *
 *     vth = base + gammas s - gammal s^2,   s = sqrt(phi - vbs), gammal s^2 up to where the sum has its maximum
 *     vgt = vgs - vth + sigma vds,          sigma = sigma0/(1 + exp((vgs - vth - vsigmat)/vsigma))
 *     vgte = Vt (2 + b + sqrt(delta^2 + b^2)),   b = vgt/(2 Vt) - 1
 *     ns = 2 n0 ln(1 + exp(vgt/(eta Vt))/2),     n0 = eps_ox eta Vt/(2 q tox)
 *     mu = mu0/(1 + theta (vgte + 2 vth)/tox),   gch = q W/L mu ns
 *     isat = gch vgte/(1 + gch Rs + sqrt(1 + 2 gch Rs + (vgte mu0/(vmax L))^2))
 *     i = isat (1 + lambda vds) tanh(vds gch/((1 + gch (Rs + Rd)) isat))
 *
 * Xyce takes 2 n0 vgt/(eta Vt) for ns far above threshold, which is n0 ln 4 more; here it is the formula everywhere.
 */
#ifndef DEVICES_CHANNEL_UCCM_H
#define DEVICES_CHANNEL_UCCM_H

#include "devices/channel/mosfet_value.h"

/* Of one transistor at its temperature, m in it. */
struct uccm {
    double base, gamma_root, gamma_line; /* V, V^1/2, 1 */
    double phi, thermal, ideality;       /* V, V, eta */
    double dibl, dibl_at, dibl_width;    /* sigma0, vsigmat, vsigma */
    double transition;                   /* delta */
    double mobility, degradation;        /* m^2/Vs; theta/tox, 1/V */
    double carriers;                     /* n0, 1/m^2 */
    double sheet;                        /* q W/L, C */
    double source, series;               /* Rs and Rs + Rd, ohm */
    double saturation;                   /* vmax L/mu0, V */
    double lambda;                       /* 1/V */
};

struct uccm_channel {
    struct mosfet_value current;
    double threshold, saturation; /* V */
};

void uccm_channel(const struct uccm *u, double vgs, double vds, double vbs, struct uccm_channel *out);

#endif
