/* charge_control.h - two curves of the unified charge control models of Shur, Fjeldly, Ytterdal and Lee, which transistors
 * of silicon (uccm.h) and of gallium arsenide (devices/mesfet/) share: how far the drain lowers the threshold and how many
 * carriers the gate attracts (K. Lee, M. Shur, T. A. Fjeldly and T. Ytterdal, Semiconductor Device Modeling for VLSI, 1993,
 * ch. 3.9 and 4).  Each gives its slope as well and neither overflows.
 */
#ifndef DEVICES_CHANNEL_CHARGE_CONTROL_H
#define DEVICES_CHANNEL_CHARGE_CONTROL_H

#include <math.h>

/* 1/(1 + e^z) */
static inline double control_lowering(double z, double *slope)
{
    const double e = exp(-fabs(z)), larger = 1 / (1 + e), smaller = e / (1 + e);
    *slope = -larger * smaller;
    return z > 0 ? smaller : larger;
}

/* ln(1 + e^x/2) */
static inline double control_carriers(double x, double *slope)
{
    const double e = exp(-fabs(x));
    *slope = x > 0 ? 1 / (1 + 2 * e) : e / (2 + e);
    return x > 0 ? x + log(0.5 + e) : log1p(0.5 * e);
}

#endif
