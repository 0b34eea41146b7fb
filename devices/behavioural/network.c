/* network.c - see network.h.
 *
 * Time constants are the inverses of the tropical roots of D: the slopes of the upper hull of the points (k, log|d_k|)
 * (S. Gaubert and M. Sharify, Tropical scaling of polynomial matrices, 2009; D. Bini, Numer. Algorithms 13, 1996).  They
 * lie near the magnitudes of the poles, and with them every |d_k| tau_0^-1 .. tau_(k-1)^-1 is at most as large as the
 * corners of the hull, however far apart the poles are.
 */
#include "devices/behavioural/network.h"

#include <math.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The last link of the hull's side that begins at a: the steepest one. */
static size_t side_end(const double *c, size_t count, size_t a, double *slope)
{
    size_t end = a;
    *slope = -INFINITY;
    for (size_t b = a + 1; b < count; b++) {
        const double to = c[b] != 0 ? (log(fabs(c[b])) - log(fabs(c[a]))) / (double)(b - a) : -INFINITY;
        if (to >= *slope && c[b] != 0) {
            *slope = to;
            end = b;
        }
    }
    return end;
}

/* Of the links from `first` on that the polynomial tells. */
static void tell(const double *c, size_t count, size_t first, double *tau)
{
    size_t a = 0;
    while (a + 1 < count && c[a] == 0)
        a++;
    while (a + 1 < count) {
        double slope;
        const size_t end = side_end(c, count, a, &slope);
        for (; a < end; a++)
            if (a >= first)
                tau[a] = exp(slope);
    }
}

/* Links that nothing tells are like their neighbours. */
static bool fill_gaps(double *tau, size_t count)
{
    size_t known = 0;
    while (known < count && !(tau[known] > 0))
        known++;
    for (size_t k = known; k-- > 0;)
        tau[k] = known < count ? tau[known] : 1;
    for (size_t k = known + 1; k < count; k++)
        tau[k] = tau[k] > 0 ? tau[k] : tau[k - 1];
    return known < count || count == 0;
}

bool network_time_constants(const struct rational *r, double *tau)
{
    const size_t count = larger(r->numerator_count, r->denominator_count) - 1;
    for (size_t k = 0; k < count; k++)
        tau[k] = 0;
    tell(r->denominator, r->denominator_count, 0, tau);
    tell(r->numerator, r->numerator_count, r->denominator_count - 1, tau);
    return fill_gaps(tau, count);
}

/* ---- making ---- */

struct maker {
    struct network *network;
    double span;
    /* Of the section that is being made: */
    double *tau, *d, *n; /* [count] time constants, coefficients by the unknowns of the chain */
    int *w;              /* [count] these */
    size_t count, top;   /* top: degree of D */
    bool told;           /* its coefficients tell time constants */
    double gain;         /* that is in its unknowns */
};

static int add_unknown(struct network *n, double scale)
{
    n->unknowns[++n->unknown_count] = (struct network_unknown){scale, scale};
    return n->unknown_count;
}

static void add_entry(struct network *n, int row, int column, double value, bool rate)
{
    if (value != 0)
        n->entries[n->entry_count++] = (struct network_entry){row, column, value, rate};
}

/* Coefficients by the unknowns of the chain. */
static void balance(const double *c, size_t count, const double *tau, double *balanced)
{
    double product = 1;
    for (size_t k = 0; k < count; k++) {
        balanced[k] = c[k] / product;
        product *= tau[k];
    }
}

static double largest(const double *c, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(c[k]));
    return most;
}

/* The only coefficient that is not 0, or count. */
static size_t single(const double *c, size_t count)
{
    size_t found = count;
    for (size_t k = 0; k < count; k++)
        if (c[k] != 0) {
            if (found < count)
                return count;
            found = k;
        }
    return found;
}

/* How large w_k is for an input of 1: at the frequencies that the section's own time constants set, else over the span of
 * the run. */
static double size_of(const struct maker *m, const struct rational *r, size_t k)
{
    if (m->told)
        return fabs(m->gain) / largest(m->d, r->denominator_count);
    double sum = 0, power = 1, of_k = 1;
    for (size_t i = 0; i < larger(r->numerator_count, r->denominator_count); i++) {
        sum += i < r->denominator_count ? fabs(m->d[i]) * power : 0;
        of_k = i == k ? power : of_k;
        power *= m->tau[i] / m->span;
    }
    return fabs(m->gain) * of_k / sum;
}

/* Time constants and coefficients of the section. */
static void balance_section(struct maker *m, const struct rational *r)
{
    m->count = larger(r->numerator_count, r->denominator_count);
    m->top = r->denominator_count - 1;
    m->told = network_time_constants(r, m->tau);
    m->tau[m->count - 1] = 1;
    balance(r->denominator, r->denominator_count, m->tau, m->d);
    balance(r->numerator, r->numerator_count, m->tau, m->n);
}

static void take_argument(struct network *n, int row, double factor)
{
    n->argument_row = row;
    n->argument_factor = factor;
}

static void take_rate(struct network *n, int row, double factor)
{
    n->rate_row = row;
    n->rate_factor = factor;
}

/* Whether w_0 is the argument of the whole, times a number. */
static bool begins_with_argument(const struct maker *m, int input)
{
    return m->top == 0 && m->count > 1 && input == 0;
}

/* Rows up to that of D. */
static void add_poles(const struct maker *m, int input)
{
    struct network *n = m->network;
    const double gain = m->gain;
    for (size_t k = 0; k < m->top; k++) {
        add_entry(n, m->w[k], m->w[k], m->tau[k], true);
        add_entry(n, m->w[k], m->w[k + 1], -1, false);
        add_entry(n, m->w[m->top], m->w[k], m->d[k] / gain, false);
    }
    add_entry(n, m->w[m->top], m->w[m->top], m->d[m->top] / gain, false);
    if (input)
        add_entry(n, m->w[m->top], input, -1, false);
    else
        take_argument(n, m->w[m->top], 1);
}

/* w[k] of the chain; w[only] is the output, where there is one. */
static void add_chain(struct maker *m, const struct rational *r, int input, size_t only, int output)
{
    struct network *n = m->network;
    const double before = input ? n->unknowns[input].scale : 1;
    const bool argument = begins_with_argument(m, input);
    for (size_t k = argument; k < m->count; k++) {
        const double scale = before * size_of(m, r, k);
        m->w[k] = k == only && output ? output : add_unknown(n, scale);
        n->unknowns[m->w[k]] = (struct network_unknown){scale, k == m->top ? before : scale};
    }
    if (!argument)
        add_poles(m, input);
    for (size_t k = m->top + 1; k < m->count; k++) {
        add_entry(n, m->w[k], m->w[k], 1, false);
        if (k == 1 && argument)
            take_rate(n, m->w[k], m->tau[0] * m->gain / m->d[0]);
        else
            add_entry(n, m->w[k], m->w[k - 1], -m->tau[k - 1], true);
    }
}

/* y = sum of n_k w_k */
static int add_output(struct maker *m, const struct rational *r, int input, int output)
{
    struct network *n = m->network;
    const double scale = (input ? n->unknowns[input].scale : 1) * size_of(m, r, 0);
    const bool argument = begins_with_argument(m, input);
    output = output ? output : add_unknown(n, scale);
    n->unknowns[output] = (struct network_unknown){scale, scale};
    add_entry(n, output, output, 1, false);
    for (size_t k = argument; k < r->numerator_count; k++)
        add_entry(n, output, m->w[k], -m->n[k] / m->gain, false);
    if (argument && m->n[0] != 0)
        take_argument(n, output, m->n[0] / m->d[0]);
    return output;
}

/* From an unknown, or 0 for the argument, to `output`; 0: one of its own.  Returns it. */
static int add_section(struct maker *m, const struct rational *r, int input, int output)
{
    balance_section(m, r);
    const size_t only = single(m->n, r->numerator_count);
    const bool direct = only < r->numerator_count && !(only == 0 && begins_with_argument(m, input));
    const double most = largest(m->n, r->numerator_count);
    m->gain = only < r->numerator_count ? m->n[only] : most > 0 ? most : 1;
    add_chain(m, r, input, direct ? only : m->count, output);
    return direct ? m->w[only] : add_output(m, r, input, output);
}

/* An unknown that is the argument. */
static int add_argument(struct network *n, int unknown)
{
    n->unknowns[unknown] = (struct network_unknown){1, 1};
    add_entry(n, unknown, unknown, 1, false);
    take_argument(n, unknown, 1);
    return unknown;
}

/* Of the section whose chain there is, into the sum; returns how large they are. */
static double add_taps(struct maker *m, const struct rational *r, const double *taps, int output)
{
    const size_t count = r->denominator_count - 1; /* one or two */
    double balanced[2], size = 0;
    balance(taps, count, m->tau, balanced);
    for (size_t k = 0; k < count; k++) {
        add_entry(m->network, output, m->w[k], -balanced[k] / m->gain, false);
        size += fabs(balanced[k] / m->gain) * m->network->unknowns[m->w[k]].scale;
    }
    return size;
}

static void add_tapped(struct maker *m, const struct response *r, int output)
{
    struct network *n = m->network;
    double scale = fabs(r->taps[0]);
    int at = n->argument = add_argument(n, add_unknown(n, 1));
    add_entry(n, output, output, 1, false);
    add_entry(n, output, at, -r->taps[0], false);
    for (size_t i = 0; i < r->section_count; i++) {
        at = add_section(m, &r->sections[i], at, 0);
        scale = fmax(scale, add_taps(m, &r->sections[i], &r->taps[2 * i + 1], output));
    }
    n->unknowns[output] = (struct network_unknown){scale, scale};
}

static void add_product(struct maker *m, const struct response *r, int output)
{
    int at = 0;
    for (size_t i = 0; i < r->section_count; i++)
        at = add_section(m, &r->sections[i], at, i + 1 == r->section_count ? output : 0);
    if (r->section_count == 0)
        add_argument(m->network, output);
}

static bool allocate(struct maker *m, const struct response *r, struct arena *arena)
{
    size_t most = 1, unknowns = 4, entries = 6;
    for (size_t i = 0; i < r->section_count; i++) {
        const size_t count = larger(r->sections[i].numerator_count, r->sections[i].denominator_count);
        most = larger(most, count);
        unknowns += count + 1;
        entries += 6 * count + 3; /* the sixth is a tap */
    }
    m->network->unknowns = arena_array(arena, unknowns, sizeof *m->network->unknowns);
    m->network->entries = arena_array(arena, entries, sizeof *m->network->entries);
    m->tau = arena_array(arena, most + 1, sizeof *m->tau);
    m->w = arena_array(arena, most + 1, sizeof *m->w);
    m->d = arena_array(arena, most + 1, sizeof *m->d);
    m->n = arena_array(arena, most + 1, sizeof *m->n);
    return m->network->unknowns && m->network->entries && m->tau && m->w && m->d && m->n;
}

bool network_make(struct network *n, const struct response *r, double span, struct arena *arena)
{
    struct maker m = {.network = n, .span = span};
    *n = (struct network){0};
    if (!allocate(&m, r, arena))
        return false;
    int output = add_unknown(n, 1);
    if (response_lateness(r) > 0 || response_is_of_frequencies(r))
        n->delayed = output = add_unknown(n, 1);
    if (r->taps)
        add_tapped(&m, r, output);
    else
        add_product(&m, r, output);
    if (!n->delayed)
        return true;
    n->unknowns[1] = n->unknowns[n->delayed];
    add_entry(n, 1, 1, 1, false);
    if (response_is_followed(r) && !(response_lateness(r) > 0))
        add_entry(n, 1, n->delayed, -1, false);
    return true;
}
