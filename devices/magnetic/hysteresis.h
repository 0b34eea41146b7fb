/* hysteresis.h - how the magnetisation of a core follows the field: Jiles and Atherton's model (J. Magn. Magn. Mater. 61
 * (1986) 48) in the smooth form of Xyce (Reference Guide, mutual inductors), SI units.
 *
 * With the applied field H = sum N i / l, g = gap/path, the effective field He = H + (alpha - g) M and the anhysteretic
 *     Man = Ms He / (a + sqrt(He^2 + Heo^2)),   Heo = betah a,
 * the irreversible part moves towards Man only where the field does too; sigma is the sign of dB/dt:
 *     Mirr' = (d sigma + r) / (2 (k - alpha r)),   d = Man - M,   r = sqrt(d^2 + (betam Ms)^2)
 *     P = dM/dH = (c Man' + (1 - c) Mirr') / (1 + (g - alpha) c Man' + g (1 - c) Mirr')
 */
#ifndef DEVICES_MAGNETIC_HYSTERESIS_H
#define DEVICES_MAGNETIC_HYSTERESIS_H

struct hysteresis {
    double saturation;     /* Ms, A/m */
    double shape;          /* a, A/m */
    double pinning;        /* k, A/m */
    double flexing;        /* c */
    double domains;        /* alpha */
    double gap;            /* of the path */
    double round_field;    /* Heo, A/m */
    double round_distance; /* betam Ms, A/m */
};

/* dM/dH and its derivatives by H (A/m), M (A/m) and sigma. */
struct hysteresis_slope {
    double value, field, magnetisation, sign;
};

struct hysteresis_slope hysteresis_slope(const struct hysteresis *h, double field, double magnetisation, double sign);

#endif
