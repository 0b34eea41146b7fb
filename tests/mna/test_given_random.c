/* test_given_random.c - runs with uic from the start that their deck describes: random circuits against the network of
 * resistors that is left when every capacitor is a voltage source of its ic= (0 V without) and every inductor a current
 * source, solved by elimination here.
 *
 * KNOTEN_CIRCUITS=10000 in the environment tries that many, KNOTEN_SEED=7 begins with that one.
 */
#include "deck.h"

#include "mna/start/consistent.h"

#include <stdarg.h>
#include <stdint.h>

enum { CIRCUITS = 400, MOST_NODES = 12, MOST_SOURCES = 40, MOST_ROWS = MOST_NODES + MOST_SOURCES };

/* reltol of a careful run, and so the error that its start may have. */
static const double RELATIVE = 1e-4;

/* ---- random numbers: xorshift (Marsaglia 2003) ---- */

static uint64_t state;

static int below(int limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 11) % (uint64_t)limit);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

static double pick(const double *values, int count)
{
    return values[below(count)];
}

/* ---- a circuit twice: as a deck, and as what holds at its start ---- */

struct held { /* voltage from plus to minus, or current */
    int plus, minus;
    double value;
};

struct case_ {
    char text[6000];
    size_t used;
    int nodes, parts;
    double G[MOST_NODES][MOST_NODES]; /* S, between nodes 1 .. and the voltages that drive them */
    double injected[MOST_NODES];      /* A into nodes */
    struct held held[MOST_SOURCES];
    int held_count;
    int tree[MOST_NODES];         /* nodes with capacitors and sources between them: the least of each part */
    double potential[MOST_NODES]; /* V, chosen for loops */
    double of_node[MOST_NODES];   /* V, .ic, 0 where there is none */
    char current[MOST_SOURCES][16];
    double expected_current[MOST_SOURCES];
    int current_count;
};

static void say(struct case_ *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    c->used += (size_t)vsnprintf(c->text + c->used, sizeof c->text - c->used, format, list);
    va_end(list);
}

static void conduct(struct case_ *c, int a, int b, double resistance)
{
    c->G[a][a] += 1 / resistance;
    c->G[b][b] += 1 / resistance;
    c->G[a][b] -= 1 / resistance;
    c->G[b][a] -= 1 / resistance;
}

static void resistor(struct case_ *c, int a, int b)
{
    static const double values[] = {100, 1e3, 2.2e3, 4.7e3, 1e4};
    const double R = pick(values, 5);
    conduct(c, a, b, R);
    c->parts++;
    say(c, "R%d %d %d %g\n", c->parts, a, b, R);
}

static void hold(struct case_ *c, int plus, int minus, double value)
{
    c->held[c->held_count++] = (struct held){plus, minus, value};
    const int from = c->tree[minus], to = c->tree[plus];
    for (int i = 0; i < c->nodes; i++)
        if (c->tree[i] == from)
            c->tree[i] = to;
}

static bool joined(const struct case_ *c, int a, int b)
{
    return c->tree[a] == c->tree[b];
}

/* Starts at 2 V, after a while of 2 V or as a sine of 1 V about it. */
static const char *waveform(void)
{
    static const char *const forms[] = {"2", "PULSE(2 -3 1u 1u 1u 5u 20u)", "SIN(2 1 10k)", "PWL(0 2 1m 5)"};
    return forms[below(4)];
}

static double draw_voltage(void)
{
    static const double values[] = {-3, -1, 0.5, 1, 2, 5};
    return pick(values, 6);
}

/* A capacitor that closes no loop: with ic=, or at the voltages of .ic, most often empty. */
static void free_capacitor(struct case_ *c, int a, int b)
{
    static const double values[] = {1e-9, 10e-9, 22e-9, 1e-6};
    const bool given = chance(50);
    const double v = given ? draw_voltage() : c->of_node[a] - c->of_node[b];
    hold(c, a, b, v);
    c->parts++;
    say(c, "C%d %d %d %g", c->parts, a, b, pick(values, 4));
    say(c, given ? " ic=%g\n" : "\n", v);
}

/* One of a loop whose values fit. */
static void loop_capacitor(struct case_ *c, int a, int b)
{
    const double v = c->potential[a] - c->potential[b];
    c->parts++;
    say(c, "C%d %d %d %dn ic=%g\n", c->parts, a, b, 1 + below(50), v);
    if (!joined(c, a, b))
        hold(c, a, b, v);
}

/* A capacitor to ground whose voltage is that of .ic at its node. */
static void node_capacitor(struct case_ *c, int a)
{
    const double v = draw_voltage();
    hold(c, a, 0, v);
    c->of_node[a] = v;
    c->parts++;
    say(c, "C%d %d 0 %dn\n.ic v(%d)=%g\n", c->parts, a, 1 + below(50), a, v);
}

/* Empty junctions: two diodes against each other carry nothing at 0 V. */
static void junctions(struct case_ *c, int a, int b)
{
    hold(c, a, b, 0);
    c->parts++;
    say(c, "Da%d %d %d dj\nDb%d %d %d dj\n", c->parts, a, b, c->parts, b, a);
}

static void capacitors(struct case_ *c)
{
    const int kind = below(3), count = 1 + below(5);
    for (int i = below(3); i > 0 && kind == 2; i--) {
        const int a = 1 + below(c->nodes - 1);
        if (!joined(c, a, 0))
            node_capacitor(c, a);
    }
    for (int i = 0; i < count; i++) {
        const int a = 1 + below(c->nodes - 1), b = below(c->nodes);
        if (a == b)
            continue;
        if (kind == 0)
            loop_capacitor(c, a, b);
        else if (!joined(c, a, b) && kind == 1 && chance(20))
            junctions(c, a, b);
        else if (!joined(c, a, b))
            free_capacitor(c, a, b);
    }
}

static void expect_current(struct case_ *c, double value)
{
    snprintf(c->current[c->current_count], sizeof *c->current, "i(l%d)", c->parts);
    c->expected_current[c->current_count++] = value;
}

static double draw_current(void)
{
    static const double values[] = {0, -2e-3, 1e-3, 5e-3};
    return pick(values, 4);
}

static void inductor(struct case_ *c, int a, int b, double value)
{
    c->parts++;
    say(c, "L%d %d %d %dm", c->parts, a, b, 1 + below(9));
    say(c, value != 0 || chance(50) ? " ic=%g\n" : "\n", value);
    expect_current(c, value);
    c->injected[a] -= value;
    c->injected[b] += value;
}

/* One, two coupled ones, or a cutset: two in series, of which one may be without ic=. */
static void inductors(struct case_ *c)
{
    const int a = below(c->nodes), b = below(c->nodes), kind = below(3);
    const double i = draw_current();
    if (kind < 2) {
        inductor(c, a, b, i);
        if (kind == 0)
            return;
        inductor(c, below(c->nodes), below(c->nodes), draw_current());
        say(c, "K%d L%d L%d 0.%d\n", c->parts, c->parts - 1, c->parts, 1 + below(9));
        return;
    }
    c->injected[a] -= i;
    c->injected[b] += i;
    c->parts++;
    say(c, "L%d %d m%d 1m ic=%g\n", c->parts, a, c->parts, i);
    expect_current(c, i);
    say(c, "L%d m%d %d 2m", c->parts + 1, c->parts, b);
    say(c, chance(50) ? " ic=%g\n" : "\n", i);
    c->parts++;
    expect_current(c, i);
}

static void sources(struct case_ *c)
{
    const int a = 1 + below(c->nodes - 1), b = below(c->nodes), from = below(c->nodes);
    if (chance(70)) { /* 2 V behind a resistor */
        c->parts++;
        say(c, "V%d v%d %d %s\nRv%d v%d %d 1k\n", c->parts, c->parts, b, waveform(), c->parts, c->parts, a);
        conduct(c, a, b, 1e3);
        c->injected[a] += 2e-3;
        c->injected[b] -= 2e-3;
    }
    if (chance(30)) {
        c->parts++;
        say(c, "I%d %d %d 1m\n", c->parts, b, a);
        c->injected[a] += 1e-3;
        c->injected[b] -= 1e-3;
    }
    if (chance(30)) { /* 2 V(from) behind a resistor */
        c->parts++;
        say(c, "E%d e%d 0 %d 0 2\nRe%d e%d %d 10k\n", c->parts, c->parts, from, c->parts, c->parts, a);
        c->G[a][a] += 1e-4;
        c->G[a][from] -= 2e-4;
    }
    if (chance(30)) { /* half the current of 1 k from `from` to ground */
        c->parts++;
        say(c, "V%d s%d 0 0\nRs%d %d s%d 1k\nF%d %d 0 V%d 0.5\n", c->parts, c->parts, c->parts, from, c->parts,
            c->parts, a, c->parts);
        c->G[from][from] += 1e-3;
        c->G[a][from] += 0.5e-3;
    }
    if (chance(30)) {
        c->parts++;
        say(c, "G%d %d %d %d 0 0.1m\n", c->parts, a, b, from);
        c->G[a][from] += 1e-4;
        c->G[b][from] -= 1e-4;
    }
}

/* 1 k - (capacitor to ground, 3 V) - 2 k in a subcircuit. */
static void subcircuit(struct case_ *c)
{
    const int a = below(c->nodes), b = below(c->nodes);
    c->parts++;
    say(c, "X%d %d %d part\n", c->parts, a, b);
    c->G[a][a] += 1e-3;
    c->injected[a] += 3e-3;
    c->G[b][b] += 0.5e-3;
    c->injected[b] += 1.5e-3;
}

static void draw(struct case_ *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    state = seed * 0x9E3779B97F4A7C15u + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    c->nodes = 3 + below(6);
    say(c,
        "random %d\n.model dj d(is=1e-14 cjo=400p rs=0)\n.subckt part a b\nR1 a m 1k\nC1 m 0 10n ic=3\nR2 m b 2k\n"
        ".ends\n",
        (int)seed);
    for (int i = 0; i < c->nodes; i++) {
        c->tree[i] = i;
        c->potential[i] = i > 0 ? draw_voltage() : 0;
    }
    for (int i = 1; i < c->nodes; i++)
        resistor(c, i, below(i));
    for (int i = below(3); i > 0; i--)
        resistor(c, below(c->nodes), below(c->nodes));
    capacitors(c);
    for (int i = below(3); i > 0; i--)
        inductors(c);
    sources(c);
    if (chance(30))
        subcircuit(c);
    if (chance(30)) { /* a node that hangs on a capacitor only */
        const int hanging = c->nodes++;
        c->tree[hanging] = hanging;
        free_capacitor(c, hanging, below(hanging));
    }
    say(c, ".tran 1u 1m uic\n.end\n");
}

/* ---- its start by elimination ---- */

/* A x = b with partial pivoting, x in b; false if singular. */
static bool eliminate(double A[MOST_ROWS][MOST_ROWS], double *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        if (fabs(A[best][k]) < 1e-12)
            return false;
        for (int j = 0; j < n; j++) {
            const double swapped = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swapped;
        }
        const double swapped = b[k];
        b[k] = b[best];
        b[best] = swapped;
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j < n && factor != 0; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= A[k][k];
    return true;
}

/* v [nodes]: voltages.  Conductances in units of 1 mS and currents in mA keep the rows alike. */
static bool solve(const struct case_ *c, double *v)
{
    static double A[MOST_ROWS][MOST_ROWS];
    double b[MOST_ROWS] = {0};
    const int n = c->nodes - 1, rows = n + c->held_count;
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) {
        b[i] = 1e3 * c->injected[i + 1];
        for (int j = 0; j < n; j++)
            A[i][j] = 1e3 * c->G[i + 1][j + 1];
    }
    for (int k = 0; k < c->held_count; k++) {
        const struct held *s = &c->held[k];
        b[n + k] = s->value;
        if (s->plus > 0)
            A[n + k][s->plus - 1] = A[s->plus - 1][n + k] = 1;
        if (s->minus > 0)
            A[n + k][s->minus - 1] = A[s->minus - 1][n + k] = -1;
    }
    if (!eliminate(A, b, rows))
        return false;
    v[0] = 0;
    memcpy(v + 1, b, (size_t)n * sizeof *v);
    return true;
}

/* ---- comparison ---- */

static bool agrees(const struct deck *s, const char *name, double expected, double size)
{
    const double value = deck_value(s, name);
    if (fabs(value - expected) <= RELATIVE * (size + fabs(expected)))
        return true;
    fprintf(stderr, "\n%s starts at %.9g instead of %.9g\n", name, value, expected);
    return false;
}

static bool starts_right(const struct case_ *c, const double *v)
{
    struct deck s;
    if (!deck_open(&s, c->text))
        return false;
    bool right = deck_make_consistent(&s, 0, RELATIVE, true) == KN_OK;
    double size = 1;
    for (int i = 1; i < c->nodes; i++)
        size = fmax(size, fabs(v[i]));
    for (int i = 1; i < c->nodes && right; i++) {
        char name[20];
        snprintf(name, sizeof name, "v(%d)", i);
        right = agrees(&s, name, v[i], size);
    }
    for (int k = 0; k < c->current_count && right; k++)
        right = agrees(&s, c->current[k], c->expected_current[k], 1e-3);
    if (!right)
        deck_print(&s);
    deck_close(&s);
    return right;
}

static long number_from(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text ? atol(text) : otherwise;
}

/* False if the circuit of that seed starts elsewhere; *tried counts those that have a start. */
static bool starts_as_given(uint64_t seed, long *tried)
{
    static struct case_ c;
    double v[MOST_NODES];
    draw(&c, seed);
    if (!solve(&c, v))
        return true;
    ++*tried;
    const bool right = starts_right(&c, v);
    if (!right)
        fprintf(stderr, "KNOTEN_SEED=%ld\n%s", (long)seed, c.text);
    return right;
}

static void capacitors_start_with_their_ic_or_empty_and_inductors_likewise(void)
{
    const long first = number_from("KNOTEN_SEED", 1), count = number_from("KNOTEN_CIRCUITS", CIRCUITS);
    long tried = 0;
    for (long seed = first; seed < first + count; seed++)
        CU_ASSERT(starts_as_given((uint64_t)seed, &tried));
    CU_ASSERT(tried > count / 2);
}

/* Parts whose conductances cancel but for rounding, which was taken for a time constant of 1e-21 s, and a part that is held through a
 * node without charge, whose coil was moved when constraints were completed with a step that had been found too long (6e-4). */
static void coils_at_parts_without_charge_keep_their_currents(void)
{
    static const uint64_t seeds[] = {500061, 504452, 507334, 507986};
    long tried = 0;
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++)
        CU_ASSERT(starts_as_given(seeds[k], &tried));
    CU_ASSERT(tried == (long)(sizeof seeds / sizeof seeds[0]));
}

int main(void)
{
    static const struct claim claims[] = {CLAIM(capacitors_start_with_their_ic_or_empty_and_inductors_likewise),
                                          CLAIM(coils_at_parts_without_charge_keep_their_currents)};
    return run_claims("given_random", claims, sizeof claims / sizeof claims[0]);
}
