/* linear_circuit.h - random linear circuits, as decks and as dense complex equations that are stamped and solved here,
 * without anything of the program under test.
 */
#ifndef TESTS_LINEAR_CIRCUIT_H
#define TESTS_LINEAR_CIRCUIT_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINEAR_MOST_ELEMENTS = 60, LINEAR_MOST_UNKNOWNS = 90 };

/* R C L: value between a and b.  V I: AC magnitude.  E G: from c, d to a, b; F H: by the current of the V numbered c.
 * K: of the L numbered c and d.  T: between a, b and c, d with the impedance `value` and the delay `delay`. */
struct linear_element {
    char kind;
    int a, b, c, d;
    double value, delay;
};

struct linear_circuit {
    struct linear_element elements[LINEAR_MOST_ELEMENTS];
    int count, nodes;                  /* nodes 1 .. nodes */
    int current[LINEAR_MOST_ELEMENTS]; /* unknown of its current, the first of two for T; -1: none */
    int unknowns;                      /* node k is k - 1 */
};

/* ---- random numbers (Steele, Lea and Flood, OOPSLA 2014) ---- */

static inline double linear_chance(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Over logarithms; four digits, so that a deck says it exactly. */
static inline double linear_value(uint64_t *state, double low, double high)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g", low * pow(high / low, linear_chance(state)));
    return strtod(text, NULL);
}

static inline int linear_pick(uint64_t *state, int count)
{
    return (int)(count * linear_chance(state));
}

/* ---- circuits ---- */

static inline struct linear_element *linear_add(struct linear_circuit *c, char kind, int a, int b, double value)
{
    struct linear_element *e = &c->elements[c->count++];
    *e = (struct linear_element){.kind = kind, .a = a, .b = b, .value = value};
    return e;
}

static inline int linear_find(const struct linear_circuit *c, char kind, int number)
{
    for (int i = 0; i < c->count; i++)
        if (c->elements[i].kind == kind && number-- == 0)
            return i;
    return -1;
}

/* Two distinct inductors, coupled not too closely. */
static inline void linear_couple(struct linear_circuit *c, uint64_t *state)
{
    const int first = linear_find(c, 'l', 0), second = linear_find(c, 'l', 1);
    if (second < 0)
        return;
    struct linear_element *k = linear_add(c, 'k', 0, 0, linear_value(state, 0.1, 0.9));
    k->c = first;
    k->d = second;
}

static inline void linear_add_random(struct linear_circuit *c, uint64_t *state, const char *kinds)
{
    const int a = 1 + linear_pick(state, c->nodes), b = linear_pick(state, a);
    const char kind = kinds[linear_pick(state, (int)strlen(kinds))];
    struct linear_element *e;
    switch (kind) {
    case 'c':
        linear_add(c, kind, a, b, linear_value(state, 1e-12, 1e-6));
        break;
    case 'l': /* with a resistor: no loops without one at 0 Hz */
        linear_add(c, kind, a, ++c->nodes, linear_value(state, 1e-6, 1e-1));
        linear_add(c, 'r', c->nodes, b, linear_value(state, 1, 1e4));
        break;
    case 'i':
        linear_add(c, kind, a, b, linear_value(state, 1e-4, 1e-1));
        break;
    case 'g':
    case 'f':
    case 'h':
    case 'e':
        /* Gains that close no loop with more than 1, and outputs behind nodes of their own. */
        e = linear_add(c, kind, a, b,
                       kind == 'g' ? linear_value(state, 1e-6, 1e-4)
                                   : linear_value(state, 0.1, kind == 'h' ? 100 : 0.8));
        e->c = kind == 'f' || kind == 'h' ? linear_find(c, 'v', 0) : 1 + linear_pick(state, c->nodes);
        if (kind == 'e' || kind == 'h') {
            e->a = ++c->nodes;
            e->b = 0;
            linear_add(c, 'r', c->nodes, a, linear_value(state, 10, 1e5));
        }
        break;
    case 't':
        e = linear_add(c, kind, a, 0, linear_value(state, 20, 300));
        e->c = ++c->nodes;
        e->delay = linear_value(state, 1e-9, 1e-6);
        linear_add(c, 'r', c->nodes, b, linear_value(state, 10, 1e4));
        break;
    default:
        linear_add(c, 'r', a, b, linear_value(state, 10, 1e5));
    }
}

static inline void linear_number(struct linear_circuit *c)
{
    c->unknowns = c->nodes;
    for (int i = 0; i < c->count; i++) {
        c->current[i] = -1;
        if (strchr("vlehT", c->elements[i].kind) || c->elements[i].kind == 't') {
            c->current[i] = c->unknowns;
            c->unknowns += c->elements[i].kind == 't' ? 2 : 1;
        }
    }
}

/* A tree of resistors that a voltage source drives at node 1, and random elements on it: of the kinds named. */
static inline struct linear_circuit linear_random(uint64_t *state, const char *kinds)
{
    struct linear_circuit c = {.nodes = 3 + linear_pick(state, 8)};
    linear_add(&c, 'v', 1, 0, linear_value(state, 0.1, 10));
    for (int i = 2; i <= c.nodes; i++)
        linear_add(&c, 'r', i, linear_pick(state, i), linear_value(state, 10, 1e5));
    for (int i = 4 + linear_pick(state, 12); i > 0; i--)
        linear_add_random(&c, state, kinds);
    if (strchr(kinds, 'l'))
        linear_couple(&c, state);
    linear_number(&c);
    return c;
}

/* The elements, one to a line. */
/* Sources: what stands before and behind their magnitude. */
static inline void linear_print_driven(const struct linear_circuit *c, const char *before, const char *behind, FILE *to)
{
    for (int i = 0; i < c->count; i++) {
        const struct linear_element *e = &c->elements[i];
        if (e->kind == 'k')
            fprintf(to, "K%d L%d L%d %.4g\n", i, e->c, e->d, e->value);
        else if (e->kind == 'v' || e->kind == 'i')
            fprintf(to, "%c%d %d %d %s %.4g%s\n", e->kind, i, e->a, e->b, before, e->value, behind);
        else if (e->kind == 'e' || e->kind == 'g')
            fprintf(to, "%c%d %d %d %d %d %.4g\n", e->kind, i, e->a, e->b, e->c, e->d, e->value);
        else if (e->kind == 'f' || e->kind == 'h')
            fprintf(to, "%c%d %d %d V%d %.4g\n", e->kind, i, e->a, e->b, e->c, e->value);
        else if (e->kind == 't')
            fprintf(to, "T%d %d %d %d %d z0=%.4g td=%.4g\n", i, e->a, e->b, e->c, e->d, e->value, e->delay);
        else
            fprintf(to, "%c%d %d %d %.4g\n", e->kind, i, e->a, e->b, e->value);
    }
}

static inline void linear_print(const struct linear_circuit *c, FILE *to)
{
    linear_print_driven(c, "DC 0 AC", "", to);
}

/* ---- equations: A X = B, rows of the nodes first; with more digits than those under test ---- */

struct linear_equations {
    int n;
    long double complex A[LINEAR_MOST_UNKNOWNS][LINEAR_MOST_UNKNOWNS], B[LINEAR_MOST_UNKNOWNS];
};

static inline void linear_put(struct linear_equations *q, int row, int column, long double complex value)
{
    if (row >= 0 && column >= 0)
        q->A[row][column] += value;
}

static inline void linear_admittance(struct linear_equations *q, int a, int b, long double complex y)
{
    linear_put(q, a, a, y);
    linear_put(q, a, b, -y);
    linear_put(q, b, a, -y);
    linear_put(q, b, b, y);
}

/* Of a current j through the element from a to b: what leaves the nodes, and v(a) - v(b) in its own row. */
static inline void linear_incidence(struct linear_equations *q, int a, int b, int j)
{
    linear_put(q, a, j, 1);
    linear_put(q, b, j, -1);
    linear_put(q, j, a, 1);
    linear_put(q, j, b, -1);
}

/* Branin: v1 - z i1 = e (v2 + z i2) and the other way round, e = exp(-j w td). */
static inline void linear_line(struct linear_equations *q, const struct linear_element *e, int j, double w)
{
    const int a = e->a - 1, b = e->b - 1, c = e->c - 1, d = e->d - 1;
    const long double complex delay = cexpl(-I * (long double)w * e->delay);
    linear_incidence(q, a, b, j);
    linear_incidence(q, c, d, j + 1);
    linear_put(q, j, j, -e->value);
    linear_put(q, j + 1, j + 1, -e->value);
    linear_put(q, j, c, -delay);
    linear_put(q, j, d, delay);
    linear_put(q, j, j + 1, -delay * e->value);
    linear_put(q, j + 1, a, -delay);
    linear_put(q, j + 1, b, delay);
    linear_put(q, j + 1, j, -delay * e->value);
}

static inline void linear_stamp(const struct linear_circuit *c, int i, double w, struct linear_equations *q)
{
    const struct linear_element *e = &c->elements[i];
    const int a = e->a - 1, b = e->b - 1, j = c->current[i];
    switch (e->kind) {
    case 'r':
        linear_admittance(q, a, b, 1 / (long double)e->value);
        break;
    case 'c':
        linear_admittance(q, a, b, I * (long double)w * e->value);
        break;
    case 'l':
        linear_incidence(q, a, b, j);
        linear_put(q, j, j, -I * (long double)w * e->value);
        break;
    case 'k': {
        const long double m = e->value * sqrtl((long double)c->elements[e->c].value * c->elements[e->d].value);
        linear_put(q, c->current[e->c], c->current[e->d], -I * (long double)w * m);
        linear_put(q, c->current[e->d], c->current[e->c], -I * (long double)w * m);
        break;
    }
    case 'v':
        linear_incidence(q, a, b, j);
        q->B[j] += e->value;
        break;
    case 'i':
        if (a >= 0)
            q->B[a] -= e->value;
        if (b >= 0)
            q->B[b] += e->value;
        break;
    case 'g':
        linear_put(q, a, e->c - 1, e->value);
        linear_put(q, a, e->d - 1, -e->value);
        linear_put(q, b, e->c - 1, -e->value);
        linear_put(q, b, e->d - 1, e->value);
        break;
    case 'f':
        linear_put(q, a, c->current[e->c], e->value);
        linear_put(q, b, c->current[e->c], -e->value);
        break;
    case 'e':
        linear_incidence(q, a, b, j);
        linear_put(q, j, e->c - 1, -e->value);
        linear_put(q, j, e->d - 1, e->value);
        break;
    case 'h':
        linear_incidence(q, a, b, j);
        linear_put(q, j, c->current[e->c], -e->value);
        break;
    case 't':
        linear_line(q, e, j, w);
        break;
    }
}

static inline void linear_equations(const struct linear_circuit *c, double w, struct linear_equations *q)
{
    memset(q, 0, sizeof *q);
    q->n = c->unknowns;
    for (int i = 0; i < c->count; i++)
        linear_stamp(c, i, w, q);
}

/* Gauss with partial pivoting of rows scaled by their largest entry; A is used up and B becomes X. */
static inline bool linear_solve_dense(struct linear_equations *q)
{
    const int n = q->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        long double best = 0;
        for (int i = k; i < n; i++) {
            long double row = 0;
            for (int j = k; j < n; j++)
                row = fmaxl(row, cabsl(q->A[i][j]));
            if (row > 0 && cabsl(q->A[i][k]) / row > best) {
                best = cabsl(q->A[i][k]) / row;
                pivot = i;
            }
        }
        if (best == 0)
            return false;
        for (int j = 0; j < n; j++) {
            const long double complex swap = q->A[k][j];
            q->A[k][j] = q->A[pivot][j];
            q->A[pivot][j] = swap;
        }
        const long double complex swap = q->B[k];
        q->B[k] = q->B[pivot];
        q->B[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            const long double complex factor = q->A[i][k] / q->A[k][k];
            for (int j = k; factor != 0 && j < n; j++)
                q->A[i][j] -= factor * q->A[k][j];
            q->B[i] -= factor * q->B[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            q->B[k] -= q->A[k][j] * q->B[j];
        q->B[k] /= q->A[k][k];
    }
    return true;
}

#endif
