/* exact_deck.h - random linear circuits as decks, and their pencils modulo the prime of exact_pencil.h, stamped from
 * the numbers as the deck writes them.  Random numbers: xorshift (Marsaglia 2003).
 */
#ifndef TESTS_MNA_EXACT_DECK_H
#define TESTS_MNA_EXACT_DECK_H

#include "mna/exact_pencil.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 24, MOST_NODES = 16, MOST_UNKNOWNS = MOST_ELEMENTS + MOST_NODES };

/* ---- random circuits ---- */

static uint64_t random_state;

static inline void start_random(uint64_t seed)
{
    random_state = seed * 0x9E3779B97F4A7C15u + 1;
}

static inline uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static inline int below(int limit)
{
    return (int)(draw() % (uint64_t)limit);
}

/* digits 10^exponent */
struct decimal {
    int64_t digits;
    int exponent;
};

struct element_line {
    char letter;
    int plus, minus;
    int control_plus, control_minus; /* nodes; of F and H: control_plus is the number of the element */
    struct decimal value;
    int current; /* unknown, from 0; -1: none */
};

struct random_deck {
    struct element_line lines[MOST_ELEMENTS];
    int count;
    int unknown_of[MOST_NODES]; /* node; -1: it does not occur */
    int unknowns;
    char names[MOST_UNKNOWNS][16];
    char text[2000];
};

struct family {
    const char *name, *letters;
    int64_t digits; /* largest */
    bool negative;
    int least_exponent, exponents;
    int most_open; /* of 1000 circuits that may stay undecided */
};

static inline struct decimal draw_value(const struct family *f, char letter)
{
    struct decimal v = {1 + (int64_t)(draw() % (uint64_t)f->digits), f->least_exponent + below(f->exponents)};
    for (int64_t digits = v.digits; digits >= 100; digits /= 10)
        v.exponent--;
    const bool gain = strchr("EFGHB", letter) != NULL;
    if (gain && below(2) == 0)
        v.exponent = below(7) - 3;
    if (below(gain ? 2 : 12) == 0 && (gain || (f->negative && letter == 'R')))
        v.digits = -v.digits;
    return v;
}

static inline int other_than(int node, int nodes)
{
    const int other = below(nodes - 1);
    return other >= node ? other + 1 : other;
}

/* An element whose current can control another, -1: there is none. */
static inline int draw_controlling(const struct random_deck *d)
{
    int found = -1, seen = 0;
    for (int e = 0; e < d->count; e++)
        if (strchr("VLEHB", d->lines[e].letter) && below(++seen) == 0)
            found = e;
    return found;
}

static inline void draw_element(struct random_deck *d, const struct family *f, int nodes)
{
    struct element_line *e = &d->lines[d->count];
    *e = (struct element_line){.letter = f->letters[below((int)strlen(f->letters))], .current = -1};
    e->plus = below(nodes);
    e->minus = d->count == 0 && e->plus != 0 ? 0 : other_than(e->plus, nodes);
    if (strchr("FHB", e->letter) && (e->control_plus = draw_controlling(d)) < 0) {
        e->letter = 'V';
        e->control_plus = 0;
    }
    if (strchr("EG", e->letter)) {
        e->control_plus = below(nodes);
        e->control_minus = other_than(e->control_plus, nodes);
    }
    e->value = draw_value(f, e->letter);
    d->count++;
}

static inline void number_unknowns(struct random_deck *d)
{
    bool used[MOST_NODES] = {false};
    for (int k = 0; k < d->count; k++) {
        const struct element_line *e = &d->lines[k];
        used[e->plus] = used[e->minus] = true;
        if (strchr("EG", e->letter))
            used[e->control_plus] = used[e->control_minus] = true;
    }
    d->unknowns = 0;
    for (int node = 0; node < MOST_NODES; node++) {
        d->unknown_of[node] = node > 0 && used[node] ? d->unknowns : -1;
        if (node > 0 && used[node])
            snprintf(d->names[d->unknowns++], sizeof d->names[0], "v(%d)", node);
    }
    for (int k = 0; k < d->count; k++)
        if (strchr("VLEHB", d->lines[k].letter)) {
            d->lines[k].current = d->unknowns;
            snprintf(d->names[d->unknowns++], sizeof d->names[0], "i(%c%d)", d->lines[k].letter + 32, k);
        }
}

static inline void write_deck(struct random_deck *d)
{
    size_t used = (size_t)snprintf(d->text, sizeof d->text, "decades\n");
    for (int k = 0; k < d->count; k++) {
        const struct element_line *e = &d->lines[k];
        char control[40] = "";
        if (e->letter == 'B') {
            used += (size_t)snprintf(d->text + used, sizeof d->text - used, "B%d %d %d V=%llde%d*i(%c%d)\n", k, e->plus,
                                     e->minus, (long long)e->value.digits, e->value.exponent,
                                     d->lines[e->control_plus].letter, e->control_plus);
            continue;
        }
        if (strchr("EG", e->letter))
            snprintf(control, sizeof control, " %d %d", e->control_plus, e->control_minus);
        else if (strchr("FHB", e->letter))
            snprintf(control, sizeof control, " %c%d", d->lines[e->control_plus].letter, e->control_plus);
        used += (size_t)snprintf(d->text + used, sizeof d->text - used, "%c%d %d %d%s %llde%d\n", e->letter, k, e->plus,
                                 e->minus, control, (long long)e->value.digits, e->value.exponent);
    }
    snprintf(d->text + used, sizeof d->text - used, ".tran 1u 1m\n.end\n");
}

static inline void draw_deck(struct random_deck *d, const struct family *f)
{
    const int nodes = 3 + below(4), elements = nodes + below(7);
    memset(d, 0, sizeof *d);
    for (int e = 0; e < elements && e < MOST_ELEMENTS; e++)
        draw_element(d, f, nodes);
    number_unknowns(d);
    write_deck(d);
}

/* ---- its pencil ---- */

struct exact_deck {
    int n;
    uint64_t G[MOST_UNKNOWNS * MOST_UNKNOWNS], C[MOST_UNKNOWNS * MOST_UNKNOWNS];
};

static inline uint64_t number(struct decimal v)
{
    const uint64_t digits = (uint64_t)(v.digits < 0 ? -v.digits : v.digits) % EXACT_PRIME;
    const uint64_t power = exact_power(10, (uint64_t)abs(v.exponent));
    const uint64_t size = digits * (v.exponent < 0 ? exact_power(power, EXACT_PRIME - 2) : power) % EXACT_PRIME;
    return v.digits < 0 ? (EXACT_PRIME - size) % EXACT_PRIME : size;
}

static inline void add(const struct exact_deck *x, uint64_t *m, int row, int column, uint64_t value)
{
    if (row >= 0 && column >= 0)
        m[row * x->n + column] = (m[row * x->n + column] + value) % EXACT_PRIME;
}

/* A current value times (x[a] - x[b]) out of plus and into minus. */
static inline void add_flow(const struct exact_deck *x, uint64_t *m, int plus, int minus, int a, int b, uint64_t value)
{
    add(x, m, plus, a, value);
    add(x, m, plus, b, EXACT_PRIME - value);
    add(x, m, minus, a, EXACT_PRIME - value);
    add(x, m, minus, b, value);
}

static inline void stamp(const struct random_deck *d, const struct element_line *e, struct exact_deck *x)
{
    const int plus = d->unknown_of[e->plus], minus = d->unknown_of[e->minus], i = e->current;
    const uint64_t value = number(e->value), opposite = (EXACT_PRIME - value) % EXACT_PRIME;
    const bool by_current = strchr("FHB", e->letter) != NULL;
    const int a = by_current ? d->lines[e->control_plus].current : d->unknown_of[e->control_plus];
    const int b = by_current ? -1 : d->unknown_of[e->control_minus];
    if (i >= 0) {
        add(x, x->G, plus, i, 1);
        add(x, x->G, minus, i, EXACT_PRIME - 1);
        add(x, x->G, i, plus, 1);
        add(x, x->G, i, minus, EXACT_PRIME - 1);
    }
    if (e->letter == 'R')
        add_flow(x, x->G, plus, minus, plus, minus, exact_power(value, EXACT_PRIME - 2));
    else if (e->letter == 'C')
        add_flow(x, x->C, plus, minus, plus, minus, value);
    else if (e->letter == 'L')
        add(x, x->C, i, i, opposite);
    else if (strchr("GF", e->letter))
        add_flow(x, x->G, plus, minus, a, b, value);
    else if (strchr("EHB", e->letter)) {
        add(x, x->G, i, a, opposite);
        add(x, x->G, i, b, value);
    }
}

static inline void make_exact(const struct random_deck *d, struct exact_deck *x)
{
    memset(x, 0, sizeof *x);
    x->n = d->unknowns;
    for (int k = 0; k < d->count; k++)
        stamp(d, &d->lines[k], x);
}

#endif
