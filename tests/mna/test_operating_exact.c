/* Whether an operating point exists: random linear circuits whose controlled sources are controlled from their own
 * loops and cutsets, against exact arithmetic (exact_deck.h).  G x = -s has one solution where G has full rank, none
 * where s raises its rank; where there are many, either answer is right.
 *
 * test_operating_exact SEED COUNT runs that many of each family.
 */
#include "deck.h"
#include "exact_deck.h"
#include "read_circuit.h"

/* ---- circuits ---- */

static struct element_line *append(struct random_deck *d, char letter, int plus, int minus)
{
    struct element_line *e = &d->lines[d->count++];
    *e = (struct element_line){.letter = letter, .plus = plus, .minus = minus, .current = -1};
    return e;
}

/* Two nodes, of which `inner` is new. */
struct place {
    int a, b, inner;
};

static void append_value(struct random_deck *d, const struct family *f, char letter, int plus, int minus)
{
    struct element_line *e = append(d, letter, plus, minus);
    e->value = draw_value(f, letter);
}

/* An ammeter, and a voltage in series that its current controls: like a resistance. */
static void own_current(struct random_deck *d, const struct family *f, const struct place *p, char letter)
{
    append(d, 'V', p->a, p->inner)->value.digits = 0;
    const int ammeter = d->count - 1;
    append_value(d, f, letter, p->inner, p->b);
    d->lines[d->count - 1].control_plus = ammeter;
}

/* A current that its own voltage controls, or a voltage that a part of its loop does. */
static void own_voltage(struct random_deck *d, const struct family *f, const struct place *p, char letter)
{
    append_value(d, f, letter, p->a, p->b);
    d->lines[d->count - 1].control_plus = p->a;
    d->lines[d->count - 1].control_minus = p->b;
}

/* A current controlled by that of a branch beside it. */
static void own_branch(struct random_deck *d, const struct family *f, const struct place *p)
{
    append(d, 'V', p->a, p->inner)->value.digits = 0;
    const int ammeter = d->count - 1;
    append_value(d, f, "RLC"[below(3)], p -> inner, p -> b);
    append_value(d, f, 'F', p->a, p->b);
    d->lines[d->count - 1].control_plus = ammeter;
}

static void draw_own_deck(struct random_deck *d, const struct family *f)
{
    memset(d, 0, sizeof *d);
    const int nodes = 3 + below(3), own = 1 + below(3), others = 2 + below(4);
    int inner = nodes;
    append_value(d, f, "VI"[below(2)], below(nodes - 1) + 1, 0);
    for (int k = 0; k < own; k++) {
        const int a = below(nodes);
        const struct place p = {a, other_than(a, nodes), inner++};
        const int kind = below(6);
        if (kind < 2)
            own_current(d, f, &p, "HB"[kind]);
        else if (kind < 5)
            own_voltage(d, f, &p, "GEG"[kind - 2]);
        else
            own_branch(d, f, &p);
    }
    for (int k = 0; k < others; k++) {
        const int a = below(nodes);
        append_value(d, f, f->letters[below((int)strlen(f->letters))], a, other_than(a, nodes));
    }
    number_unknowns(d);
    write_deck(d);
}

/* ---- exact direct current ---- */

enum existence { EXISTS, MANY, NONE };

/* -s: what sources put into the balances and equations. */
static void source_vector(const struct random_deck *d, const struct exact_deck *x, uint64_t *s)
{
    memset(s, 0, sizeof(uint64_t) * (size_t)x->n);
    for (int k = 0; k < d->count; k++) {
        const struct element_line *e = &d->lines[k];
        const uint64_t value = number(e->value);
        if (e->letter == 'V')
            s[e->current] = value;
        if (e->letter == 'I' && d->unknown_of[e->plus] >= 0)
            s[d->unknown_of[e->plus]] = (s[d->unknown_of[e->plus]] + EXACT_PRIME - value) % EXACT_PRIME;
        if (e->letter == 'I' && d->unknown_of[e->minus] >= 0)
            s[d->unknown_of[e->minus]] = (s[d->unknown_of[e->minus]] + value) % EXACT_PRIME;
    }
}

static enum existence exact_existence(const struct random_deck *d)
{
    static struct exact_deck x;
    static uint64_t with[MOST_UNKNOWNS * (MOST_UNKNOWNS + 1)], without[MOST_UNKNOWNS * MOST_UNKNOWNS], s[MOST_UNKNOWNS];
    make_exact(d, &x);
    source_vector(d, &x, s);
    const int n = x.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            with[i * (n + 1) + j] = without[i * n + j] = x.G[i * n + j];
        with[i * (n + 1) + n] = s[i];
    }
    const int rank = exact_rank(without, n, n);
    return rank == n ? EXISTS : exact_rank(with, n, n + 1) == rank ? MANY : NONE;
}

/* ---- comparison ---- */

struct tally {
    int circuits, unread, exact[3], found, wrong;
};

static void complain(struct tally *t, const struct family *f, const struct random_deck *d, const struct deck *s,
                     uint64_t seed, const char *what)
{
    if (t->wrong++ >= 5)
        return;
    fprintf(stderr, "\n%s, seed %llu: %s\n%s", f->name, (unsigned long long)seed, what, d->text);
    deck_print(s);
}

static bool open_quietly(struct deck *s, const char *text)
{
    memset(s, 0, sizeof *s);
    s->diagnostics = kn_diagnostics_new();
    const struct mna_options options = {.vntol = 1e-6, .abstol = 1e-12, .gmin = 1e-12};
    return circuit_read_text(&device_catalogue, "own.cir", text, strlen(text), s->diagnostics, &s->circuit) == KN_OK &&
           mna_new(s->circuit, &options, s->diagnostics, &s->mna) == KN_OK &&
           topology_new(s->mna, &s->topology) == KN_OK &&
           (s->x = calloc((size_t)mna_unknown_count(s->mna) + 1, sizeof *s->x)) != NULL;
}

static double value_of(struct decimal v)
{
    return (double)v.digits * pow(10, v.exponent);
}

/* What remains of each source's, inductor's or ammeter's voltage equation, relative to what reltol and vntol allow. */
static double worst_voltage(const struct random_deck *d, const struct deck *s)
{
    double worst = 0;
    for (int k = 0; k < d->count; k++) {
        const struct element_line *e = &d->lines[k];
        char name[16];
        double v[4] = {0};
        const int nodes[4] = {e->plus, e->minus, e->control_plus, e->control_minus};
        for (int i = 0; i < (e->letter == 'E' ? 4 : 2); i++) {
            snprintf(name, sizeof name, "v(%d)", nodes[i]);
            v[i] = nodes[i] ? deck_value(s, name) : 0;
        }
        if (!strchr("VLEHB", e->letter))
            continue;
        double imposed = e->letter == 'V' ? value_of(e->value) : 0, control = 0;
        if (strchr("HB", e->letter))
            control = deck_value(s, d->names[d->lines[e->control_plus].current]);
        if (e->letter == 'E')
            control = v[2] - v[3];
        imposed += e->letter == 'V' ? 0 : e->letter == 'L' ? 0 : value_of(e->value) * control;
        const double allowed = 1e-3 * (fabs(v[0]) + fabs(v[1]) + fabs(imposed)) + 1e-6;
        worst = fmax(worst, fabs(v[0] - v[1] - imposed) / allowed);
    }
    return worst;
}

static void compare(const struct family *f, uint64_t seed, struct tally *t)
{
    static struct random_deck d;
    struct deck s;
    start_random(seed);
    draw_own_deck(&d, f);
    t->circuits++;
    if (open_quietly(&s, d.text)) {
        const enum existence exact = exact_existence(&d);
        const bool found = s.topology->verdict != TOPOLOGY_SINGULAR && deck_operate(&s, 1e-3, false) == KN_OK;
        t->exact[exact]++;
        t->found += found;
        if (exact == EXISTS && !found)
            complain(t, f, &d, &s, seed, "an operating point exists");
        if (exact == NONE && found)
            complain(t, f, &d, &s, seed, "no operating point exists");
        if (found && worst_voltage(&d, &s) > 1)
            complain(t, f, &d, &s, seed, "the point found is none");
    } else
        t->unread++;
    deck_close(&s);
}

static const struct family families[] = {
    {"two digits", "RRRLLC", 99, false, -2, 6, 0},
    {"inductors", "RLLLLC", 9, false, -1, 3, 0},
    {"capacitors", "RCCCCL", 9, false, -1, 3, 0},
    {"powers of ten", "RLLC", 1, true, 0, 1, 0},
};
enum { FAMILIES = sizeof families / sizeof *families };

static void compare_family(const struct family *f, uint64_t seed, int count)
{
    struct tally t = {0};
    for (int i = 0; i < count; i++)
        compare(f, seed + (uint64_t)i, &t);
    fprintf(stderr, "%s: %d circuits, %d unread, one solution %d, many %d, none %d, found %d, wrong %d\n", f->name,
            t.circuits, t.unread, t.exact[EXISTS], t.exact[MANY], t.exact[NONE], t.found, t.wrong);
    CU_ASSERT_EQUAL(t.wrong, 0);
    CU_ASSERT(t.exact[EXISTS] * 10 > t.circuits && t.exact[NONE] > 0 && t.unread * 20 <= t.circuits);
}

static void own_sources_have_the_operating_points_they_have(void)
{
    for (int k = 0; k < FAMILIES; k++)
        compare_family(&families[k], 2000000u * (uint64_t)(k + 1), 500);
}

/* ---- circuits by hand ---- */

static void expect_current(const char *source, double current)
{
    char text[300];
    struct deck s;
    snprintf(text, sizeof text, "own\nV1 in 0 DC 1\nVs in a 0\n%s\nL1 b 0 1m\n.end\n", source);
    if (!deck_open(&s, text))
        return;
    const bool found = deck_operate(&s, 1e-6, false) == KN_OK;
    if (!found)
        deck_print(&s);
    CU_ASSERT(found);
    CHECK_NEAR(deck_value(&s, "i(l1)"), current, 1e-6 * fabs(current));
    CHECK_NEAR(deck_value(&s, "v(b)"), 0, 1e-6);
    CU_ASSERT_PTR_NULL(deck_said(&s, "inductor-loop"));
    deck_close(&s);
}

/* i = 0.0922 solves 10 i + 100 i^3 = 1. */
static void a_voltage_that_its_own_current_controls_is_a_resistance(void)
{
    expect_current("H1 a b Vs 10", 0.1);
    expect_current("H1 a b Vs 1e-6", 1e6);
    expect_current("H1 b a Vs -47k", 1 / 47e3);
    expect_current("B1 a b V=10*i(Vs)", 0.1);
    expect_current("B1 a b V=10*i(Vs)+100*i(Vs)^3", 0.0921699);
    expect_current("H1 a m Vs 10\nE1 m b a m 0.5", 1 / 15.0);
}

static void expect_refusal(const char *source)
{
    char text[300];
    struct deck s;
    snprintf(text, sizeof text, "own\nV1 in 0 DC 1\nVs in a 0\n%s\nL1 b 0 1m\n.end\n", source);
    if (!deck_open(&s, text))
        return;
    CU_ASSERT(deck_operate(&s, 1e-6, false) != KN_OK);
    CU_ASSERT(deck_mentions(deck_said(&s, "driven-inductor-loop"), "L1 (line 5)"));
    deck_close(&s);
}

static void a_voltage_that_something_else_controls_is_none(void)
{
    expect_refusal("E1 a b in 0 0.5");
    expect_refusal("B1 a b V=0.5+0*i(Vs)^3");
}

/* ---- right answers that rounding spoils ---- */

/* 1 mohm hangs on the other side of 1 Tohm: v(1) = v(3) = 1 V, of which 1e3 + 1e-12 S leave three digits or fewer. */
static void what_rounding_spoils_is_warned_of(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nR1 4 1 1e12\nE1 2 0 1 0 1000\nV1 4 0 1\nR2 1 3 1m\n.end\n"))
        return;
    CU_ASSERT(deck_operate(&s, 1e-3, false) == KN_OK);
    CU_ASSERT(fabs(deck_value(&s, "v(1)") - 1) > 1e-12); /* otherwise there is nothing to warn of */
    CU_ASSERT(deck_mentions(deck_said(&s, "rounding"), "rounding alone moves v("));
    deck_close(&s);
    if (!deck_open(&s, "t\nV1 4 0 1\nR1 4 1 1e12\nR2 1 0 1m\nR3 4 3 1m\nR4 3 0 1t\n.end\n"))
        return;
    CU_ASSERT(deck_operate(&s, 1e-3, false) == KN_OK);
    CHECK_NEAR(deck_value(&s, "v(3)"), 1, 1e-9);
    CU_ASSERT_PTR_NULL(deck_said(&s, "rounding")); /* as many decades, which disturb nothing */
    deck_close(&s);
}

/* 1e15 S beside 1e-12 S leave 1e15 S: the matrix has no inverse, but v(1) = v(2) = 0.5 V. */
static void what_rounding_hides_is_not_called_undetermined(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 3 0 1\nR1 3 1 1t\nR2 1 2 1f\nR3 2 0 1t\n.end\n"))
        return;
    CU_ASSERT(deck_operate(&s, 1e-3, false) != KN_OK);
    CU_ASSERT(deck_mentions(deck_said(&s, "no-operating-point"), "there is one, but values differ"));
    deck_close(&s);
}

/* ---- long runs ---- */

static uint64_t long_seed;
static int long_count;

static void own_sources_of_a_long_run(void)
{
    for (int k = 0; k < FAMILIES; k++)
        compare_family(&families[k], long_seed + 1000000u * (uint64_t)k, long_count);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_voltage_that_its_own_current_controls_is_a_resistance),
        CLAIM(a_voltage_that_something_else_controls_is_none),
        CLAIM(what_rounding_spoils_is_warned_of),
        CLAIM(what_rounding_hides_is_not_called_undetermined),
        CLAIM(own_sources_have_the_operating_points_they_have),
    };
    static const struct claim more[] = {CLAIM(own_sources_of_a_long_run)};
    random_arguments(&long_seed, &long_count);
    if (long_count > 0)
        return run_claims("operating points, exactly, long", more, 1);
    return run_claims("operating points, exactly", claims, sizeof claims / sizeof claims[0]);
}
