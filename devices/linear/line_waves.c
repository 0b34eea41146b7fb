/* line_waves.c - a line with inductance, capacitance and losses: what it does is exact, not lumped.
 *
 * A section of delay T = sqrt(l c) and impedance z = sqrt(l/c), with a = r/l and b = g/c, has by the telegrapher's
 * equations (Heaviside 1885)
 *     gamma = T sqrt((s + a)(s + b)) = T sqrt(p^2 - d^2),   p = s + h,  h = (a + b)/2,  d = (a - b)/2,
 *     z0 = z sqrt((s + a)/(s + b)) = z (p + d)/sqrt(p^2 - d^2).
 * Its even part (v1 + v2)/2 sees half of it open at the end, its odd part (v1 - v2)/2 sees it shorted:
 *     odd   cosh(gamma/2) v = z0 sinh(gamma/2) i,     even   cosh(gamma/2) i = (1/z0) sinh(gamma/2) v.
 * Times 2 e^(-pT/2) all of these are entire functions of s whose time functions last from 0 to T: with the Laplace
 * transforms (Abramowitz and Stegun 29.3.93, 29.3.92; Roychowdhury and Pederson, DAC 1991, have those of the infinite line)
 *     2 e^(-pT/2) cosh(gamma/2)            = 1 + e^(-pT) - int_0^T e^(-p t) (d T/2) J1(d y)/y dt,  y = sqrt(t (T - t)),
 *     2 e^(-pT/2) sinh(gamma/2)/sqrt(..)   =               int_0^T e^(-p t) J0(d y) dt.
 * So with waves w = v + z i into a port and r = v - z i out of it, u = t/T and D = d T,
 *     r1 = e^(-hT) w2(t - T) + even + odd,      r2 = e^(-hT) w1(t - T) + even - odd,
 *     even = [C] z i - [S - D j] v,    odd = [S + D j] z i - [C] v   (of the even and the odd parts of v and i),
 * where [k] v is the mean of e^(-hTu) k(u) v(t - uT) over u = 0 .. 1, and
 *     C = -(D/2) J1(D q)/q,   S = (1 - 2u) C,   j = J0(D q),   q = sqrt(u (1 - u)).
 * These means last one delay only, and at rest they give the line's resistance as it is: nothing is lost to the
 * difference of two infinite responses, as it is where the waves of an infinite line are taken.
 *
 * A mean over the last delay with a kernel e^(-k u) P(u), P a polynomial, is a chain of states.  With P_j the j-th Taylor
 * coefficient of P at u,
 *     T g_j' = -k g_j + (j+1) g_(j+1) + P_j(0) x(t) - e^(-k) P_j(1) x(t - T),      the mean is g_0,
 * exactly; P is the kernel's expansion in Chebyshev polynomials up to rounding.  k is at least 2, so that errors in what a
 * state has summed up are forgotten with the delay.  A line of much loss is cut into sections, since e^(-hT/2) is what
 * both sides of its equations have in common.
 */
#include "devices/linear/line_network.h"

#include <math.h>
#include <string.h>

enum { KERNELS = 3, TERMS = 32, MOST_STATES = 20 };
enum kernel { KERNEL_C, KERNEL_MINUS, KERNEL_PLUS }; /* C, S - D j, S + D j */

struct section {
    double delay, impedance;
    double loss;                             /* h T */
    double skew;                             /* D */
    double decay;                            /* k */
    size_t states;                           /* of a mode */
    double powers[KERNELS][MOST_STATES + 1]; /* of u, of the polynomials P */
};

/* Powers of t = 2u - 1 of J0(D q) and of C: with q^2 = (1 - t^2)/4 the series A&S 9.1.10 have (-D^2/16)^m (1 - t^2)^m over
 * m!^2 and m! (m+1)!. */
static void expand_bessel(double skew, double j0[TERMS], double c[TERMS])
{
    const double by = -skew * skew / 16;
    double power[TERMS] = {1}; /* by^m (1 - t^2)^m / m!^2 */
    memset(j0, 0, TERMS * sizeof *j0);
    memset(c, 0, TERMS * sizeof *c);
    for (int m = 0; 2 * m < TERMS; m++) {
        for (int i = 0; i < TERMS; i++) {
            j0[i] += power[i];
            c[i] -= 0.25 * skew * skew * power[i] / (m + 1);
        }
        for (int i = TERMS - 1; i >= 0; i--)
            power[i] = by / ((m + 1.0) * (m + 1.0)) * (power[i] - (i >= 2 ? power[i - 2] : 0));
    }
}

/* The first factor times e^(a (1 + t)), in powers of t. */
static void times_exponential(const double *factor, double a, double out[TERMS])
{
    double exponential[TERMS] = {exp(a)};
    for (int i = 1; i < TERMS; i++)
        exponential[i] = exponential[i - 1] * a / i;
    for (int i = 0; i < TERMS; i++) {
        out[i] = 0;
        for (int j = 0; j <= i; j++)
            out[i] += factor[j] * exponential[i - j];
    }
}

/* Horner's rule among the T_k(t): t T_k = (T_(k+1) + T_(k-1))/2, t T_0 = T_1. */
static void to_chebyshev(const double *powers, double out[TERMS])
{
    memset(out, 0, TERMS * sizeof *out);
    for (int n = TERMS - 1; n >= 0; n--) {
        double next[TERMS] = {0};
        for (int k = 0; k < TERMS; k++) {
            if (k + 1 < TERMS)
                next[k + 1] += k == 0 ? out[k] : 0.5 * out[k];
            if (k > 0)
                next[k - 1] += 0.5 * out[k];
        }
        next[0] += powers[n];
        memcpy(out, next, sizeof next);
    }
}

/* Coefficients of the Chebyshev polynomials T_k(2u - 1) of e^((k - hT) u) times each kernel, from powers rather than from
 * values: so small ones are as exact as large ones, of their own size.  What rounding left of them would be 4^k times as much among
 * powers of u, and no derivative with respect to a value of the line could be told from it. */
static void expand(const struct section *s, double out[KERNELS][TERMS])
{
    double j0[TERMS], kernels[KERNELS][TERMS], product[TERMS];
    expand_bessel(s->skew, j0, kernels[KERNEL_C]);
    for (int i = 0; i < TERMS; i++) {
        const double slope = i > 0 ? -kernels[KERNEL_C][i - 1] : 0;
        kernels[KERNEL_MINUS][i] = slope - s->skew * j0[i];
        kernels[KERNEL_PLUS][i] = slope + s->skew * j0[i];
    }
    for (int n = 0; n < KERNELS; n++) {
        times_exponential(kernels[n], 0.5 * (s->decay - s->loss), product);
        to_chebyshev(product, out[n]);
    }
}

/* How many of them there are before rounding; at least one. */
static size_t count_terms(double chebyshev[KERNELS][TERMS])
{
    double most = 0;
    for (int n = 0; n < KERNELS; n++)
        for (int k = 0; k < TERMS; k++)
            most = fmax(most, fabs(chebyshev[n][k]));
    size_t count = 1;
    for (int n = 0; n < KERNELS; n++)
        for (size_t k = count; k <= MOST_STATES; k++)
            count = fabs(chebyshev[n][k]) > 1e-13 * most ? k + 1 : count;
    return count;
}

/* Adds factor * T_k(2u - 1), k = 0 .. count - 1, as powers of u. */
static void to_powers(const double *chebyshev, size_t count, double *powers)
{
    double last[MOST_STATES + 2] = {0}, now[MOST_STATES + 2] = {1}, next[MOST_STATES + 2] = {0};
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i <= k; i++)
            powers[i] += chebyshev[k] * now[i];
        /* T_(k+1) = 2 (2u - 1) T_k - T_(k-1); the first step has no factor 2. */
        const double factor = k == 0 ? 1 : 2;
        for (size_t i = 0; i <= k + 1; i++)
            next[i] = factor * ((i > 0 ? 2 * now[i - 1] : 0) - now[i]) - (k == 0 ? 0 : last[i]);
        memcpy(last, now, sizeof last);
        memcpy(now, next, sizeof now);
    }
}

/* P_j at u = 1. */
static double taylor_at_end(const double *powers, size_t count, size_t j)
{
    double sum = 0, binomial = 1;
    for (size_t m = j; m < count; m++) {
        sum += powers[m] * binomial;
        binomial *= (double)(m + 1) / (double)(m + 1 - j);
    }
    return sum;
}

static void make_section(struct section *s, const struct line_totals *t, double sections)
{
    double chebyshev[KERNELS][TERMS];
    *s = (struct section){.delay = sqrt(t->l * t->c) / sections, .impedance = sqrt(t->l / t->c)};
    const double a = t->r / t->l * s->delay, b = t->g / t->c * s->delay;
    s->loss = 0.5 * (a + b);
    s->skew = 0.5 * (a - b);
    s->decay = fmax(s->loss, 2.0);
    if (s->skew == 0)
        return;
    expand(s, chebyshev);
    s->states = count_terms(chebyshev);
    for (int n = 0; n < KERNELS; n++)
        to_powers(chebyshev[n], s->states, s->powers[n]);
}

/* ---- the network ---- */

/* v + z i or v - z i of the even or odd part one delay before, halved for each port: gain_v v + gain_i z i. */
static void add_late_mode(struct line_network *n, size_t section, int row, bool odd, double gain_v, double gain_i)
{
    for (int p = 0; p < 2; p++) {
        const double sign = odd && p == 1 ? -0.5 : 0.5;
        const struct line_late in = {row, section, p == 0 ? WAVE_IN_1 : WAVE_IN_2, 0.5 * sign * (gain_v + gain_i)};
        const struct line_late out = {row, section, p == 0 ? WAVE_OUT_1 : WAVE_OUT_2, 0.5 * sign * (gain_v - gain_i)};
        line_late_add(n, &in);
        line_late_add(n, &out);
    }
}

/* The chain of states of one mode; returns the unknown of the first. */
static int add_chain(struct line_network *n, size_t section, const struct section *s, bool odd)
{
    const double *by_v = s->powers[odd ? KERNEL_C : KERNEL_MINUS], *by_i = s->powers[odd ? KERNEL_PLUS : KERNEL_C];
    const struct line_port *ports = n->sections[section];
    const int plus[2] = {ports[0].plus, ports[1].plus}, minus[2] = {ports[0].minus, ports[1].minus};
    const int currents[2] = {ports[0].current, ports[1].current};
    const double faded = exp(-s->decay);
    int first = LINE_OWN, before = LINE_OWN;
    for (size_t j = 0; j < s->states; j++) {
        const int g = line_unknown_add(n, LINE_STATE);
        line_entry_add(n, g, g, s->delay, true);
        line_entry_add(n, g, g, s->decay, false);
        if (j == 0)
            first = g;
        else
            line_entry_add(n, before, g, -(double)j, false);
        line_mode_add(n, g, plus, odd, by_v[j], false);
        line_mode_add(n, g, minus, odd, -by_v[j], false);
        line_mode_add(n, g, currents, odd, -by_i[j] * s->impedance, false);
        add_late_mode(n, section, g, odd, -faded * taylor_at_end(by_v, s->states, j),
                      faded * taylor_at_end(by_i, s->states, j));
        before = g;
    }
    return first;
}

static void add_section(struct line_network *n, size_t section, const struct section *s)
{
    for (int p = 0; p < 2; p++) {
        const struct line_port *port = &n->sections[section][p];
        const int row = port->current;
        line_entry_add(n, row, port->plus, 1, false);
        line_entry_add(n, row, port->minus, -1, false);
        line_entry_add(n, row, row, -s->impedance, false);
        const struct line_late far = {row, section, p == 0 ? WAVE_IN_2 : WAVE_IN_1, -exp(-s->loss)};
        line_late_add(n, &far);
        line_entry_add(n, port->plus, row, 1, false);
        line_entry_add(n, port->minus, row, -1, false);
    }
    if (s->states == 0)
        return;
    for (int odd = 0; odd < 2; odd++) {
        const int mean = add_chain(n, section, s, odd);
        line_entry_add(n, n->sections[section][0].current, mean, -1, false);
        line_entry_add(n, n->sections[section][1].current, mean, odd ? 1 : -1, false);
    }
}

/* Between a and b, with nodes and currents inside. */
static void place_sections(struct line_network *n)
{
    struct line_port left = {LINE_A_PLUS, LINE_A_MINUS, LINE_I1};
    for (size_t i = 0; i < n->section_count; i++) {
        struct line_port right = {LINE_B_PLUS, LINE_B_MINUS, LINE_I2};
        if (i + 1 < n->section_count) {
            right.plus = line_unknown_add(n, LINE_NODE);
            right.minus = LINE_GROUND;
            right.current = line_unknown_add(n, LINE_CURRENT);
        }
        n->sections[i][0] = left;
        n->sections[i][1] = right;
        if (i + 1 < n->section_count)
            left = (struct line_port){right.plus, LINE_GROUND, line_unknown_add(n, LINE_CURRENT)};
    }
}

double line_sections_needed(const struct line_totals *t)
{
    return fmax(1, ceil(0.5 * (t->r * sqrt(t->c / t->l) + t->g * sqrt(t->l / t->c)) / LINE_SECTION_LOSS));
}

bool line_make_waves(struct line_network *n, const struct line_totals *t)
{
    struct section s;
    n->section_count = (size_t)line_sections_needed(t);
    make_section(&s, t, (double)n->section_count);
    n->sections = arena_array(n->arena, n->section_count, sizeof *n->sections);
    if (!n->sections)
        return false;
    n->delay = s.delay;
    n->impedance = s.impedance;
    place_sections(n);
    for (size_t i = 0; i < n->section_count; i++)
        add_section(n, i, &s);
    return !n->full;
}
