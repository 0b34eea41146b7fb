/* line_modes.c - lines without inductance: diffusion, or nothing that is stored at all.
 *
 * With resistance R, conductance G and capacitance C of the whole line, the even and the odd part of its voltages see
 * (partial fractions of tanh and coth, Abramowitz and Stegun 4.5.70 and 4.5.67, with q^2 = R (G + s C))
 *     even   (q/R) tanh(q/2) = sum over k of (4/R) q^2/(q^2 + x_k),          x_k = ((2k - 1) pi)^2,
 *     odd    (q/R) coth(q/2) = 2/R + sum over k of (4/R) q^2/(q^2 + x_k),    x_k = (2 k pi)^2,
 * so that every term is R/4 in series with 4 C/x_k and 4 G/x_k, and what is left of the odd part is R between the ports.  The
 * unknowns are the voltages across these resistances and the current through R: nothing flows at rest but what they say, while
 * voltages behind R/4 would leave it to the difference of nearly equal numbers (3 mohm and 100 kohm: 1e-3 of the current was
 * rounding).  The slow terms are taken one by one.  Fast ones are taken
 * together, those within a factor of three of x as four terms (discrete_gauss.c), by which the admittances are wrong by less
 * than 2e-5 of themselves; what is faster than a 1e8th of R C is one last term of all the capacitance that is left.
 */
#include "devices/linear/discrete_gauss.h"
#include "devices/linear/line_network.h"

#include <math.h>

enum { SINGLE_TERMS = 2, MOST_TERMS = 80, MOST_IN_GROUP = 2000 };
static const double group_ratio = 3, fastest = 1e8;

struct mode {
    struct line_network *network;
    const struct line_totals *line;
    bool odd;
    double weight; /* sum of conductances so far, in units of 4/R */
};

static const int plus[2] = {LINE_A_PLUS, LINE_B_PLUS}, minus[2] = {LINE_A_MINUS, LINE_B_MINUS};
static const int currents[2] = {LINE_I1, LINE_I2};

/* value times the voltage of the mode, or its rate. */
static void add_voltage(struct mode *m, int row, double value, bool rate)
{
    line_mode_add(m->network, row, plus, m->odd, value, rate);
    line_mode_add(m->network, row, minus, m->odd, -value, rate);
}

/* A term of `weight` at x, u the voltage at its resistance: (1/x) (R C (v - u)' + R G (v - u)) = u, and 4/R u flows in. */
static void add_term(struct mode *m, double weight, double x)
{
    struct line_network *n = m->network;
    const double charge = m->line->r * m->line->c / x, leak = m->line->r * m->line->g / x;
    const int u = line_unknown_add(n, LINE_STATE);
    line_entry_add(n, u, u, charge, true);
    line_entry_add(n, u, u, 1 + leak, false);
    add_voltage(m, u, -charge, true);
    add_voltage(m, u, -leak, false);
    for (int p = 0; p < 2; p++)
        line_entry_add(n, currents[p], u, (m->odd && p == 1 ? 4 : -4) / m->line->r * weight, false);
    m->weight += weight;
}

static double term_place(const struct mode *m, double k)
{
    const double root = M_PI * (m->odd ? 2 * k : 2 * k - 1);
    return root * root;
}

/* The terms from number k on within the ratio; returns the number behind them. */
static int add_group(struct mode *m, int k)
{
    double points[MOST_IN_GROUP], places[GAUSS_NODES], weights[GAUSS_NODES];
    const double limit = group_ratio * term_place(m, k);
    size_t count = 0;
    while (count < MOST_IN_GROUP && term_place(m, k) < limit)
        points[count++] = term_place(m, k++);
    const size_t terms = discrete_gauss(points, count, places, weights);
    for (size_t i = 0; i < terms; i++)
        add_term(m, weights[i], places[i]);
    return k;
}

/* Sum of 1/x over all terms from number k on, k large: the trigamma function (A&S 6.4.12). */
static double inverses_from(const struct mode *m, int k)
{
    const double z = m->odd ? k : k - 0.5, y = 1 / z;
    return y * (1 + y * (0.5 + y * (1.0 / 6 - y * y / 30))) / (4 * M_PI * M_PI);
}

static void add_terms(struct mode *m)
{
    int k = 1;
    for (; k <= SINGLE_TERMS; k++)
        add_term(m, 1, term_place(m, k));
    while (term_place(m, k) < fastest)
        k = add_group(m, k);
    add_term(m, inverses_from(m, k) * term_place(m, k), term_place(m, k));
}

/* What a port sees at once. */
static double mode_conductance(const struct mode *m)
{
    return (m->odd ? 2 : 0) / m->line->r + 4 / m->line->r * m->weight;
}

/* The resistance from port to port: the 2/R of the odd part. */
static void add_resistance(struct line_network *n, double r)
{
    const int i = line_unknown_add(n, LINE_FLOW);
    line_entry_add(n, i, i, r, false);
    for (int p = 0; p < 2; p++) {
        const double sign = p == 0 ? 1 : -1;
        line_entry_add(n, i, plus[p], -sign, false);
        line_entry_add(n, i, minus[p], sign, false);
        line_entry_add(n, currents[p], i, -sign, false);
    }
}

/* The current into a port is the sum of what its terms let in. */
bool line_make_modes(struct line_network *n, const struct line_totals *t)
{
    struct mode even = {.network = n, .line = t}, odd = {.network = n, .line = t, .odd = true};
    add_terms(&even);
    add_terms(&odd);
    add_resistance(n, t->r);
    for (int p = 0; p < 2; p++) {
        line_entry_add(n, plus[p], currents[p], 1, false);
        line_entry_add(n, minus[p], currents[p], -1, false);
        line_entry_add(n, currents[p], currents[p], 1, false);
    }
    n->impedance = 0.5 / mode_conductance(&even) + 0.5 / mode_conductance(&odd);
    return !n->full;
}

/* i1 = (sinh(a)/cosh(a)/z0) v1 - i2/cosh(a),   v2 = v1/cosh(a) + z0 (sinh(a)/cosh(a)) i2,   a^2 = R G, z0^2 = R/G: what
 * arrives is small, not what is sent large. */
bool line_make_static(struct line_network *n, const struct line_totals *t)
{
    const double a = sqrt(t->r * t->g), arrives = 1 / cosh(a), ratio = a < 1e-4 ? 1 - a * a / 3 : tanh(a) / a;
    line_entry_add(n, LINE_A_PLUS, LINE_I1, 1, false);
    line_entry_add(n, LINE_A_MINUS, LINE_I1, -1, false);
    line_entry_add(n, LINE_B_PLUS, LINE_I2, 1, false);
    line_entry_add(n, LINE_B_MINUS, LINE_I2, -1, false);
    line_entry_add(n, LINE_I1, LINE_I1, 1, false);
    line_entry_add(n, LINE_I1, LINE_I2, arrives, false);
    line_entry_add(n, LINE_I1, LINE_A_PLUS, -t->g * ratio, false);
    line_entry_add(n, LINE_I1, LINE_A_MINUS, t->g * ratio, false);
    line_entry_add(n, LINE_I2, LINE_B_PLUS, 1, false);
    line_entry_add(n, LINE_I2, LINE_B_MINUS, -1, false);
    line_entry_add(n, LINE_I2, LINE_A_PLUS, -arrives, false);
    line_entry_add(n, LINE_I2, LINE_A_MINUS, arrives, false);
    line_entry_add(n, LINE_I2, LINE_I2, -t->r * ratio, false);
    n->rests_on_far = true;
    return !n->full;
}
