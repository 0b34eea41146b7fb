/* microstrip_rest.c - see microstrip.h: impedance and effective permittivity at low frequencies, and losses.
 *
 * Sources: H. A. Wheeler, IEEE Trans. MTT-13 (1965) 172 and MTT-25 (1977) 631; M. V. Schneider, Bell Syst. Tech. J. 48
 * (1969) 1421; E. Hammerstad, O. Jensen, IEEE MTT-S Digest (1980) 407, to whose equations the numbers refer; M. Kirschning,
 * R. H. Jansen, IEEE Trans. MTT-32 (1984) 83.
 */
#include "devices/microstrip/microstrip.h"

#include <math.h>
#include <stdbool.h>

struct medium {
    double z, e;
};

static double square(double x)
{
    return x * x;
}

/* ---- Hammerstad and Jensen: one strip of width u heights ---- */

/* Ohm, without substrate: (1), (2). */
static double empty_impedance(double u)
{
    const double f = 6 + (2 * M_PI - 6) * exp(-pow(30.666 / u, 0.7528));
    return STRIP_OHMS / (2 * M_PI) * log(f / u + sqrt(1 + square(2 / u)));
}

/* (1 + 10/u)^-ab: (3) to (5). */
static double filling(double u, double er)
{
    const double a =
        1 + log((pow(u, 4) + square(u / 52)) / (pow(u, 4) + 0.432)) / 49 + log(1 + pow(u / 18.1, 3)) / 18.7;
    const double b = 0.564 * pow((er - 0.9) / (er + 3), 0.053);
    return pow(1 + 10 / u, -a * b);
}

static double filled(double part, double er)
{
    return (er + 1) / 2 + (er - 1) / 2 * part;
}

/* With the width that the thickness adds: (6) to (9). */
static struct medium hammerstad(const struct microstrip *m)
{
    const double u = m->width / m->height, t = m->thickness / m->height, er = m->permittivity;
    const double empty = t > 0 ? t / M_PI * log(1 + 4 * M_E * square(tanh(sqrt(6.517 * u))) / t) : 0;
    const double more = empty * (1 + 1 / cosh(sqrt(er - 1))) / 2;
    const double e = filled(filling(u + more, er), er), z = empty_impedance(u + more);
    return (struct medium){z / sqrt(e), e * square(empty_impedance(u + empty) / z)};
}

/* ---- Wheeler; Schneider ---- */

static struct medium wheeler(const struct microstrip *m)
{
    const double w = m->width, h = m->height, t = m->thickness, er = m->permittivity;
    const double more = t > 0 ? t / M_PI * log(4 * M_E / sqrt(square(t / h) + square(1 / (M_PI * (w / t + 1.10))))) : 0;
    const double wide = w + (1 + 1 / er) / 2 * more, u = wide / h;
    const double half = (er - 1) / (er + 1) / 2 * (log(M_PI / 2) + log(4 / M_PI) / er);
    struct medium out;
    if (w / h < 3.3) {
        out.z = STRIP_OHMS / M_PI / sqrt(2 * (er + 1)) * (log(4 / u + sqrt(square(4 / u) + 2)) - half);
    } else {
        const double a = (er - 1) / square(er) / (2 * M_PI) * (1 + log(square(M_PI) / 16));
        const double b = (er + 1) / (2 * M_PI * er) * (1 + log(M_PI / 2) + log(u / 2 + 0.94));
        out.z = STRIP_OHMS / 2 / sqrt(er) / (u / 2 + 2 * M_LN2 / M_PI + a + b);
    }
    if (w / h < 1.3) {
        const double a = log(8 / u) + square(u) / 32;
        out.e = (er + 1) / 2 * square(a / (a - half));
    } else {
        const double a = (er - 1) / (2 * M_PI * er) * (log(2.1349 * u + 4.0137) - 0.5169 / er);
        const double b = u / 2 + log(8.5397 * u + 16.0547) / M_PI;
        out.e = er * square((b - a) / b);
    }
    return out;
}

static struct medium schneider(const struct microstrip *m)
{
    const double w = m->width, h = m->height, t = m->thickness, er = m->permittivity;
    double more = 0;
    if (t > 0 && t < w / 2) {
        more = t / M_PI * (1 + log(w / h < 1 / (2 * M_PI) ? 4 * M_PI * w / t : 2 * h / t));
        more = t / more < 0.75 ? more : 0;
    }
    const double u = (w + more) / h, e = filled(1 / sqrt(1 + 10 / u), er);
    const double z = u < 1 ? log(8 / u + u / 4) / (2 * M_PI) : 1 / (u + 2.42 - 0.44 / u + pow(1 - 1 / u, 6));
    return (struct medium){STRIP_OHMS * z / sqrt(e), e};
}

/* ---- two strips ---- */

/* Of a mode whose strips have the capacitance of one alone and some more, without substrate (Hammerstad and Jensen, 12). */
static double coupled(double u, double more, double e)
{
    const double z = empty_impedance(u);
    return z / (1 - z * more / STRIP_OHMS) / sqrt(e);
}

/* 10 to the power of g^10/(1 + (g/of)^10), which saturates. */
static double late_log(double g, double of)
{
    return log(pow(g, 10) / (1 + pow(g / of, 10)));
}

/* The width of a single strip with the even mode's permittivity. */
static double even_width(double u, double g)
{
    return g * exp(-g) + u * (20 + square(g)) / (10 + square(g));
}

/* (12) to (24); both modes. */
static void hammerstad_pair(double u, double g, double er, struct medium out[2])
{
    const double m = 0.2175 + pow(4.113 + pow(20.36 / g, 6), -0.251) + late_log(g, 13.8) / 323;
    const double alpha = 0.5 * exp(-g), psi = 1 + g / 1.45 + pow(g, 2.09) / 3.95, phi = 0.8645 * pow(u, 0.172);
    const double even = phi / (psi * (alpha * pow(u, m) + (1 - alpha) * pow(u, -m)));
    const double n = (1 / 17.7 + exp(-6.424 - 0.76 * log(g) - pow(g / 0.23, 5))) *
                     log((10 + 68.3 * square(g)) / (1 + 32.5 * pow(g, 3.093)));
    const double beta = 0.2306 + late_log(g, 3.73) / 301.8 + log(1 + 0.646 * pow(g, 1.175)) / 5.3;
    const double theta = 1.729 + 1.175 * log(1 + 0.627 / (g + 0.327 * pow(g, 2.17)));
    const double odd = even - theta / psi * exp(beta * pow(u, -n) * log(u));
    const double r = 1 + 0.15 * (1 - exp(1 - square(er - 1) / 8.2) / (1 + pow(g, -6)));
    const double first = 1 - exp(-0.179 * pow(g, 0.15) - 0.328 * pow(g, r) / log(M_E + pow(g / 7, 2.8)));
    const double p = exp(-0.745 * pow(g, 0.295)) / cosh(pow(g, 0.68)), q = exp(-1.366 - g);
    const double part = first * exp(p * log(u) + q * sin(M_PI * log10(u)));
    out[0].e = filled(filling(even_width(u, g), er), er);
    out[1].e = filled(part * filling(u, er), er);
    out[0].z = coupled(u, even, out[0].e);
    out[1].z = coupled(u, odd, out[1].e);
}

/* Widths of both modes in heights, with the thickness: Jansen, IEEE Trans. MTT-26 (1978) 75; of a gap that is wide. */
static void pair_widths(const struct microstrip *m, double u[2])
{
    const double w = m->width, h = m->height, t = m->thickness;
    u[0] = u[1] = w / h;
    if (!(t > 0) || !(m->gap > 20 * t))
        return;
    const bool wide = w / h >= 1 / (2 * M_PI) && 2 * t / h < 1 / (2 * M_PI);
    const double more = wide ? t * (1 + log(2 * h / t)) / M_PI : w > 2 * t ? t * (1 + log(4 * M_PI * w / t)) / M_PI : 0;
    const double inside = 2 * t * h / (m->gap * m->permittivity);
    u[0] = (w + more * (1 - 0.5 * exp(-0.69 * more / inside))) / h;
    u[1] = u[0] + inside / h;
}

/* Kirschning and Jansen (1984), tables I and II. */
static void kirschning_pair(const double u[2], double g, double er, struct medium out[2])
{
    const double alone = filled(filling(u[1], er), er), half = (er + 1) / 2;
    const double d = 0.593 + 0.694 * exp(-0.562 * u[1]), b = 0.747 * er / (0.15 + er);
    const double c = b - (b - 0.207) * exp(-0.414 * u[1]), a = 0.7287 * (alone - half) * (1 - exp(-0.179 * u[1]));
    const double q1 = 0.8695 * pow(u[0], 0.194), q2 = 1 + 0.7519 * g + 0.189 * pow(g, 2.31);
    const double q3 = 0.1975 + pow(16.6 + pow(8.4 / g, 6), -0.387) + late_log(g, 3.4) / 241;
    const double q4 = 2 * q1 / q2 / (exp(-g) * pow(u[0], q3) + (2 - exp(-g)) * pow(u[0], -q3));
    const double q5 = 1.794 + 1.14 * log(1 + 0.638 / (g + 0.517 * pow(g, 2.43)));
    const double q6 = 0.2305 + late_log(g, 5.8) / 281.3 + log(1 + 0.598 * pow(g, 1.154)) / 5.1;
    const double q7 = (10 + 190 * square(g)) / (1 + 82.3 * pow(g, 3));
    const double q8 = exp(-6.5 - 0.95 * log(g) - pow(g / 0.15, 5));
    const double q9 = log(q7) * (q8 + 1 / 16.5);
    const double q10 = q4 - q5 / q2 * exp(log(u[1]) * q6 * pow(u[1], -q9));
    out[0].e = filled(filling(even_width(u[0], g), er), er);
    out[1].e = (half + a - alone) * exp(-c * pow(g, d)) + alone;
    out[0].z = coupled(u[0], q4, out[0].e);
    out[1].z = coupled(u[1], q10, out[1].e);
}

struct microstrip_rest microstrip_at_rest(const struct microstrip *m)
{
    const double u = m->width / m->height, g = m->gap / m->height, er = m->permittivity;
    struct microstrip_rest r = {.alone_permittivity = filled(filling(u, er), er)};
    struct medium of[2];
    double widths[2];
    r.alone_impedance = empty_impedance(u) / sqrt(r.alone_permittivity);
    if (m->mode == STRIP_ALONE) {
        of[0] = of[1] = m->model == STRIP_WHEELER     ? wheeler(m)
                        : m->model == STRIP_SCHNEIDER ? schneider(m)
                                                      : hammerstad(m);
    } else if (m->model == STRIP_KIRSCHNING) {
        pair_widths(m, widths);
        kirschning_pair(widths, g, er, of);
    } else {
        hammerstad_pair(u, g, er, of);
    }
    r.impedance = of[m->mode == STRIP_ODD].z;
    r.permittivity = of[m->mode == STRIP_ODD].e;
    r.empty_impedance = (of[0].z * sqrt(of[0].e) + of[1].z * sqrt(of[1].e)) / 2;
    return r;
}

/* ---- losses ---- */

/* Hammerstad and Jensen (27) to (30): the skin's resistance R = sqrt(pi f mu rho), crowding at the edges, which the substrate does not
 * change, and roughness.  Neper/m; none where the strip has no thickness.  The skin must be thinner than a third of that. */
static double complex conductor_loss(const struct microstrip *m, const struct microstrip_rest *rest, double complex f)
{
    if (!(m->thickness > 0) || !(m->resistivity > 0))
        return 0;
    const double complex skin = csqrt(M_PI * STRIP_HENRIES * m->resistivity * f),
                         rough = m->roughness * skin / m->resistivity;
    const double crowding = exp(-1.2 * pow(rest->empty_impedance / STRIP_OHMS, 0.7));
    return skin * crowding * (1 + 2 / M_PI * catan(1.4 * rough * rough)) / (rest->impedance * m->width);
}

/* pi f/c er (e - 1)/((er - 1) sqrt(e)) tan d (Hammerstad and Jensen 25; Welch and Pratt, IEEE Trans. MTT-14 (1966) 431). */
static double complex substrate_loss(const struct microstrip *m, const struct microstrip_rest *rest, double complex f)
{
    const double er = m->permittivity, e = rest->permittivity;
    return er > 1 ? M_PI * f / MICROSTRIP_LIGHT * er * (e - 1) / ((er - 1) * sqrt(e)) * m->loss : 0;
}

struct microstrip_wave microstrip_at(const struct microstrip *m, const struct microstrip_rest *rest, double complex f)
{
    const struct microstrip_medium medium = microstrip_disperse(m, rest, f);
    return (struct microstrip_wave){medium.impedance, conductor_loss(m, rest, f) + substrate_loss(m, rest, f),
                                    2 * M_PI * f * csqrt(medium.permittivity) / MICROSTRIP_LIGHT};
}
