/* microstrip_dispersion.c - see microstrip.h: how impedance and effective permittivity change with the frequency.
 *
 * Sources: W. J. Getsinger, IEEE Trans. MTT-21 (1973) 34; M. V. Schneider, Proc. IEEE 60 (1972) 144; E. Yamashita, K. Atsuki,
 * T. Ueda, IEEE Trans. MTT-27 (1979) 1036; M. Kobayashi, IEEE Trans. MTT-36 (1988) 1246; P. Pramanick, P. Bhartia, IEEE
 * MTT-S Digest (1983) 348; E. Hammerstad, O. Jensen, IEEE MTT-S Digest (1980) 407; M. Kirschning, R. H. Jansen,
 * Electronics Letters 18 (1982) 272, and of pairs IEEE Trans. MTT-32 (1984) 83; R. H. Jansen, M. Kirschning, AEUe 37 (1983) 108.
 */
#include "devices/microstrip/microstrip.h"

#include <math.h>

/* A strip at a frequency: widths and gap in heights, GHz mm. */
struct question {
    double u, g, er;
    double complex fn;
};

static double complex square(double complex x)
{
    return x * x;
}

/* From the permittivity at low frequencies to that of the substrate. */
static double complex between(double er, double e, double complex way)
{
    return er - (er - e) / (1 + way);
}

/* f over the one at which the substrate is half of its first transverse resonance away: Z/(2 mu0 h). */
static double complex relative(double height, double z, double complex f)
{
    return 2 * STRIP_HENRIES * height / z * f;
}

/* The impedance is that of the group delay. */
static struct microstrip_medium getsinger(double height, double er, double z, double e, double complex f)
{
    const double complex now = between(er, e, (0.6 + 0.009 * z) * square(relative(height, z, f)));
    const double complex d = (er - now) * (now - e) / now / (er - e);
    return (struct microstrip_medium){z * csqrt(now / e) / (1 + d), now};
}

static struct microstrip_medium schneider(double height, double er, double z, double e, double complex f)
{
    const double complex n = square(4 * height / MICROSTRIP_LIGHT * sqrt(er - 1) * f);
    const double complex now = e * square((1 + n) / (1 + sqrt(e / er) * n));
    return (struct microstrip_medium){z * csqrt(e / now), now};
}

static double complex yamashita(double height, double u, double er, double e, double complex f)
{
    const double wide = 1 + 2 * log10(1 + u);
    const double complex n = cpow(4 * height / MICROSTRIP_LIGHT * sqrt(er - 1) * (0.5 + wide * wide) * f, 1.5) / 4;
    return e * square((1 + sqrt(er / e) * n) / (1 + n));
}

static double complex kobayashi(double height, double u, double er, double e, double complex f)
{
    const double coupled = MICROSTRIP_LIGHT * atan(er * sqrt((e - 1) / (er - e))) / (2 * M_PI * height * sqrt(er - e));
    const double half = coupled / (0.75 + (0.75 - 0.332 * pow(er, -1.73)) * u), root = 1 / (1 + sqrt(u));
    double complex power = 1 + root + 0.32 * pow(root, 3);
    if (u < 0.7)
        power *= 1 + 1.4 / (1 + u) * (0.15 - 0.235 * cexp(-0.45 / half * f));
    if (creal(power) > 2.32)
        power = 2.32;
    return between(er, e, cpow(f / half, power));
}

static struct microstrip_medium pramanick(const struct microstrip *m, double z, double e, double complex f)
{
    const double er = m->permittivity, h = m->height, wide = STRIP_OHMS * h / (z * sqrt(e));
    const double complex n = square(relative(h, z, f) * sqrt(e / er)), now = between(er, e, n);
    return (struct microstrip_medium){STRIP_OHMS * h / ((m->width + (wide - m->width) / (1 + n)) * csqrt(now)), now};
}

static struct microstrip_medium hammerstad(double height, double er, double z, double e, double complex f)
{
    const double g = M_PI * M_PI / 12 * (er - 1) / e * sqrt(2 * M_PI * z / STRIP_OHMS);
    const double complex now = between(er, e, g * square(relative(height, z, f)));
    return (struct microstrip_medium){z * csqrt(e / now) * (now - 1) / (e - 1), now};
}

/* ---- Kirschning and Jansen: one strip ---- */

static double complex part_1(const struct question *q)
{
    return 0.27488 + (0.6315 + 0.525 / cpow(1 + 0.0157 * q->fn, 20)) * q->u - 0.065683 * exp(-8.7513 * q->u);
}

static double part_2(const struct question *q)
{
    return 0.33622 * (1 - exp(-0.03442 * q->er));
}

/* P3 P4 */
static double complex parts_3_4(const struct question *q)
{
    const double p4 = 1 + 2.751 * (1 - exp(-pow(q->er / 15.916, 8)));
    return 0.0363 * exp(-4.6 * q->u) * (1 - cexp(-cpow(q->fn / 38.7, 4.97))) * p4;
}

static double complex alone_permittivity(const struct question *q, double e)
{
    const double complex p = part_1(q) * part_2(q) * cpow((0.1844 + parts_3_4(q)) * q->fn, 1.5763);
    return between(q->er, e, p);
}

/* (er - 1)^6/(1 + 10 (er - 1)^6) */
static double late_sixth(double er)
{
    const double sixth = pow(er - 1, 6);
    return sixth / (1 + 10 * sixth);
}

/* R9 of R4, and d_e of q_e in its place. */
static double complex late_part(const struct question *q, double r4)
{
    const double complex r5 = cpow(q->fn / 28.843, 12);
    return 5.086 * r4 * r5 / (0.3838 + 0.386 * r4) * exp(-22.20 * pow(q->u, 1.92)) / (1 + 1.2992 * r5) *
           late_sixth(q->er);
}

/* R8 */
static double complex power_8(const struct question *q)
{
    const double r3 = 4.766 * exp(-3.228 * pow(q->u, 0.641));
    return 1 + 1.275 * (1 - cexp(-0.004625 * r3 * pow(q->er, 1.674) * cpow(q->fn / 18.365, 2.745)));
}

/* R17 */
static double complex power_17(const struct question *q)
{
    const double er = q->er, u = q->u;
    const double r7 = 1.206 - 0.3144 * exp(-0.03891 * pow(er, 1.4)) * (1 - exp(-0.267 * pow(u, 7)));
    const double r10 = 0.00044 * pow(er, 2.136) + 0.0184, r12 = 1 / (1 + 0.00245 * u * u);
    const double complex sixth = cpow(q->fn / 19.47, 6), r11 = sixth / (1 + 0.0962 * sixth);
    const double complex r15 = 0.707 * r10 * cpow(q->fn / 12.3, 1.097);
    const double complex r16 = 1 + 0.0503 * er * er * r11 * (1 - exp(-pow(u / 15, 6)));
    return r7 * (1 - 1.1241 * r12 / r16 * cexp(-0.026 * cpow(q->fn, 1.15656) - r15));
}

/* ((0.9408 now^power - 0.9603)/((0.9408 - late) e^power - 0.9603))^R17: what the impedance grows by. */
static double complex growth(const struct question *q, double complex now, double e, double complex power,
                             double complex late)
{
    return cpow((0.9408 * cpow(now, power) - 0.9603) / ((0.9408 - late) * cpow(e, power) - 0.9603), power_17(q));
}

static struct microstrip_medium kirschning(const struct question *q, double z, double e)
{
    const double complex now = alone_permittivity(q, e);
    const double r4 = 0.016 + pow(0.0514 * q->er, 4.524);
    return (struct microstrip_medium){z * growth(q, now, e, power_8(q), late_part(q, r4)), now};
}

/* ---- and two: tables III and IV, with single strips of the same width ---- */

static double complex even_permittivity(const struct question *q, double e)
{
    const double p5 = 0.334 * exp(-3.3 * pow(q->er / 15, 3)) + 0.746;
    const double complex p6 = p5 * cexp(-cpow(q->fn / 18, 0.368));
    const double complex p7 =
        1 + 4.069 * p6 * pow(q->g, 0.479) * exp(-1.347 * pow(q->g, 0.595) - 0.17 * pow(q->g, 2.5));
    return between(q->er, e, part_1(q) * part_2(q) * cpow((parts_3_4(q) + 0.1844 * p7) * q->fn, 1.5763));
}

static double complex odd_permittivity(const struct question *q, double e)
{
    const double er = q->er, u = q->u;
    const double complex fn = q->fn;
    const double p8 = 0.7168 * (1 + 1.076 / (1 + 0.0576 * (er - 1)));
    const double complex p9 = p8 - 0.7913 * (1 - cexp(-cpow(fn / 20, 1.424))) * atan(2.481 * pow(er / 8, 0.946));
    const double p10 = 0.242 * pow(er - 1, 0.55);
    const double complex p11 = 0.6366 * (cexp(-0.3401 * fn) - 1) * atan(1.263 * pow(u / 3, 1.629));
    const double complex p12 = p9 + (1 - p9) / (1 + 1.183 * pow(u, 1.376));
    const double p13 = 1.695 * p10 / (0.414 + 1.605 * p10);
    const double complex p14 = 0.8928 + 0.1072 * (1 - cexp(-0.42 * cpow(fn / 20, 3.215)));
    double complex p15 = 1 - 0.8928 * (1 + p11) * p12 * exp(-p13 * pow(q->g, 1.092)) / p14;
    if (creal(p15) < 0)
        p15 = -p15;
    return between(er, e, part_1(q) * part_2(q) * cpow((parts_3_4(q) + 0.1844) * fn * p15, 1.5763));
}

/* Q12, Q16 to Q18 and Q20 are what the even mode's power differs by from a single strip's. */
static double complex even_power(const struct question *q)
{
    const double er = q->er, u = q->u, g = q->g;
    const double complex fn = q->fn, late = cpow(fn / 20, 4.91);
    const double q11 = 0.893 * (1 - 0.3 / (1 + 0.7 * (er - 1)));
    const double complex q12 = 2.121 * late / (1 + q11 * late) * exp(-2.87 * g) * pow(g, 0.902);
    const double q13 = 1 + 0.038 * pow(er / 8, 5.1), fourth = pow(er / 15, 4), q14 = 1 + 1.203 * fourth / (1 + fourth);
    const double complex q15 = 1.887 * exp(-1.5 * pow(g, 0.84)) * pow(g, q14) /
                               (1 + 0.41 * cpow(fn / 15, 3) * pow(u, 2 / q13) / (0.125 + pow(u, 1.626 / q13)));
    const double complex q16 = q15 * (1 + 9 / (1 + 0.403 * (er - 1) * (er - 1)));
    const double complex q17 = 0.394 * (1 - exp(-1.47 * pow(u / 7, 0.672))) * (1 - cexp(-4.25 * cpow(fn / 20, 1.87)));
    const double q18 = 0.61 * (1 - exp(-2.13 * pow(u / 8, 1.593))) / (1 + 6.544 * pow(g, 4.17));
    const double complex q19 =
        0.21 * pow(g, 4) / ((1 + 0.18 * pow(g, 4.9)) * (1 + 0.1 * u * u) * (1 + cpow(fn / 24, 3)));
    const double complex q20 = q19 * (0.09 + 1 / (1 + 0.1 * pow(er - 1, 2.7)));
    return power_8(q) - q12 + q16 - q17 + q18 + q20;
}

static double complex even_impedance(const struct question *q, const struct microstrip_rest *r)
{
    const double wide = pow(q->u, 2.5);
    const double q21 = fabs(1 - 42.54 * pow(q->g, 0.133) * exp(-0.812 * q->g) * wide / (1 + 0.033 * wide));
    const double complex late = late_part(q, 0.016 + pow(0.0514 * q->er * q21, 4.524));
    return r->impedance *
           growth(q, alone_permittivity(q, r->alone_permittivity), r->alone_permittivity, even_power(q), late);
}

static double complex odd_impedance(const struct question *q, const struct microstrip_rest *r, double complex now)
{
    const double d = q->er - 1, u = q->u, g = q->g, second = d * d, third = pow(d, 3), twelfth = pow(d / 13, 12);
    const double complex fn = q->fn;
    const double q29 = 15.16 / (1 + 0.196 * second), q28 = 0.149 * third / (94.5 + 0.038 * third);
    const double q27 = 0.4 * pow(g, 0.84) * (1 + 2.5 * pow(d, 1.5) / (5 + pow(d, 1.5)));
    const double q26 = 30 - 22.2 * twelfth / (1 + 3 * twelfth) - q29;
    const double complex q25 = 0.3 * square(fn) / (10 + square(fn)) * (1 + 2.333 * second / (5 + second));
    const double complex q24 =
        2.506 * q28 * pow(u, 0.894) * cpow((1 + 1.3 * u) * fn / 99.25, 4.29) / (3.575 + pow(u, 0.894));
    const double complex q23 = 1 + 0.005 * fn * q27 / ((1 + 0.812 * cpow(fn / 15, 1.9)) * (1 + 0.025 * u * u));
    const double complex q22 = 0.925 * cpow(fn / q26, 1.536) / (1 + 0.3 * cpow(fn / 30, 1.536));
    const double complex alone = kirschning(q, r->alone_impedance, r->alone_permittivity).impedance;
    return alone +
           (r->impedance * cpow(now / r->permittivity, q22) - alone * q23) / (1 + q24 + pow(0.46 * g, 2.2) * q25);
}

static struct microstrip_medium kirschning_pair(const struct microstrip *m, const struct question *q,
                                                const struct microstrip_rest *r)
{
    if (m->mode == STRIP_EVEN)
        return (struct microstrip_medium){even_impedance(q, r), even_permittivity(q, r->permittivity)};
    const double complex now = odd_permittivity(q, r->permittivity);
    return (struct microstrip_medium){odd_impedance(q, r, now), now};
}

/* Half the impedance of the even mode, twice that of the odd: both strips as one, and one against the other. */
static struct microstrip_medium getsinger_pair(const struct microstrip *m, const struct microstrip_rest *r,
                                               double complex f)
{
    const double share = m->mode == STRIP_EVEN ? 0.5 : 2;
    struct microstrip_medium out = getsinger(m->height, m->permittivity, share * r->impedance, r->permittivity, f);
    out.impedance /= share;
    return out;
}

struct microstrip_medium microstrip_disperse(const struct microstrip *m, const struct microstrip_rest *r,
                                             double complex f)
{
    const double h = m->height, er = m->permittivity, z = r->impedance, e = r->permittivity;
    const struct question q = {m->width / h, m->gap / h, er, f * h / 1e6};
    struct microstrip_medium out = {z, e};
    if (!(e > 1) || !(er > e)) /* nothing to disperse between */
        return out;
    switch (m->dispersion) {
    case DISPERSION_KIRSCHNING:
        return m->mode == STRIP_ALONE ? kirschning(&q, z, e) : kirschning_pair(m, &q, r);
    case DISPERSION_KOBAYASHI:
        out.permittivity = kobayashi(h, q.u, er, e, f);
        return out;
    case DISPERSION_YAMASHITA:
        out.permittivity = yamashita(h, q.u, er, e, f);
        return out;
    case DISPERSION_HAMMERSTAD:
        return hammerstad(h, er, z, e, f);
    case DISPERSION_GETSINGER:
        return m->mode == STRIP_ALONE ? getsinger(h, er, z, e, f) : getsinger_pair(m, r, f);
    case DISPERSION_SCHNEIDER:
        return schneider(h, er, z, e, f);
    case DISPERSION_PRAMANICK:
        return pramanick(m, z, e, f);
    case DISPERSION_NONE:
        break;
    }
    return out;
}
