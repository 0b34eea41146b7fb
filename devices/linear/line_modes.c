/* line_modes.c - lines without inductance: diffusion, or nothing that is stored at all.
 *
 * With resistance R, conductance G and capacitance C of the whole line, the even and the odd part of its voltages see
 * (partial fractions of tanh and coth, Abramowitz and Stegun 4.5.70 and 4.5.67, with q^2 = R (G + s C))
 *     even   (q/R) tanh(q/2) = sum over k of (4/R) q^2/(q^2 + x_k),          x_k = ((2k - 1) pi)^2,
 *     odd    (q/R) coth(q/2) = 2/R + sum over k of (4/R) q^2/(q^2 + x_k),    x_k = (2 k pi)^2,
 * so that every term is R/4 in series with 4 C/x_k and 4 G/x_k.  The slow terms are taken one by one.  Fast ones are taken
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
    int states[MOST_TERMS];
    double weights[MOST_TERMS];
    int count;
};

/* A term of `weight` at x: (1/x) R C y' + (1 + R G/x) y = v. */
static void add_term(struct mode *m, double weight, double x)
{
    struct line_network *n = m->network;
    static const int plus[2] = {LINE_A_PLUS, LINE_B_PLUS}, minus[2] = {LINE_A_MINUS, LINE_B_MINUS};
    const int y = line_unknown_add(n, LINE_STATE);
    line_entry_add(n, y, y, m->line->r * m->line->c / x, true);
    line_entry_add(n, y, y, 1 + m->line->r * m->line->g / x, false);
    line_mode_add(n, y, plus, m->odd, -1);
    line_mode_add(n, y, minus, m->odd, 1);
    m->states[m->count] = y;
    m->weights[m->count++] = weight;
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

/* S: what the port sees at once; its states are worth their parts of it. */
static double mode_conductance(const struct mode *m)
{
    return (m->odd ? 2 : 0) / m->line->r + 4 / m->line->r * m->weight;
}

static void add_states(const struct mode *m, int row, double sign)
{
    for (int i = 0; i < m->count; i++)
        line_entry_add(m->network, row, m->states[i], -sign * 4 / m->line->r * m->weights[i] / mode_conductance(m),
                       false);
}

/* v1 = (i_even + its states)/g_even + (i_odd + ..)/g_odd, and v2 with the difference. */
bool line_make_modes(struct line_network *n, const struct line_totals *t)
{
    struct mode even = {.network = n, .line = t}, odd = {.network = n, .line = t, .odd = true};
    add_terms(&even);
    add_terms(&odd);
    const double sum = 0.5 / mode_conductance(&even) + 0.5 / mode_conductance(&odd);
    const double difference = 0.5 / mode_conductance(&even) - 0.5 / mode_conductance(&odd);
    static const struct line_port ports[2] = {{LINE_A_PLUS, LINE_A_MINUS, LINE_I1},
                                              {LINE_B_PLUS, LINE_B_MINUS, LINE_I2}};
    for (int p = 0; p < 2; p++) {
        const int row = ports[p].current;
        line_entry_add(n, ports[p].plus, row, 1, false);
        line_entry_add(n, ports[p].minus, row, -1, false);
        line_entry_add(n, row, ports[p].plus, 1, false);
        line_entry_add(n, row, ports[p].minus, -1, false);
        line_entry_add(n, row, row, -sum, false);
        line_entry_add(n, row, ports[1 - p].current, -difference, false);
        add_states(&even, row, 1);
        add_states(&odd, row, p == 0 ? 1 : -1);
    }
    n->impedance = sum;
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
