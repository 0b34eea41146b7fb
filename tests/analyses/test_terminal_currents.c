/* test_terminal_currents.c - currents into the ends of a transistor, C dx/dt and all, are those of what hangs on them: behind edges
 * of picoseconds its charges bend within a step, and the slope of a polynomial through voltages is not that of the charges. */
#include "deck_rows.h"
#include "exact_waves.h"

static uint64_t seed = 20261128;
static int circuits = 40;

enum { TIME, SOURCE, BULK, GATE, RESISTOR, DRIVE, COLUMNS };

static const char *pick(uint64_t *s, const char *const *of, int count)
{
    return of[between(s, 0, count - 1)];
}

/* A follower: gate driven by edges, the source on a resistor. */
static const char *write_follower(uint64_t *s, char *deck, size_t size)
{
    static const char *const models[] = {
        "level=1 vto=0.7 kp=100u tox=10n cgso=200p cgdo=200p cbd=10f cbs=10f",
        "level=2 vto=0.7 kp=100u tox=20n cgso=200p cgdo=200p cbd=10f cbs=10f",
        "level=3 vto=0.7 kp=100u tox=20n cgso=200p cgdo=200p cbd=10f cbs=10f",
        "level=6 vto=0.7 kc=20u kv=2 nc=1 nv=0.5 tox=20n cgso=200p cgdo=200p cbd=10f cbs=10f",
        "level=8",
        "level=14"};
    static const char *const methods[] = {"auto", "bdf", "rodasp", "radau", "trbdf2", "trap"};
    static const char *const edges[] = {"10p", "100p", "1n"}, *const steps[] = {"1p", "10p"},
                             *const gates[] = {"1", "1k", "20k"}, *const loads[] = {"100", "1k", "10k"},
                             *const widths[] = {"2u", "10u", "50u"};
    const char *edge = pick(s, edges, 3), *gate = pick(s, gates, 3), *load = pick(s, loads, 3),
               *width = pick(s, widths, 3), *model = pick(s, models, 6), *step = pick(s, steps, 2);
    snprintf(deck, size,
             "follower\nV1 a 0 PULSE(0 3 1n %s %s 3n 7n)\nRg a g %s\nM1 d g s 0 n w=%s l=1u\nV2 d 0 2\nR3 s 0 %s\n"
             ".model n nmos %s\n.save @m1[is] @m1[ib] @m1[ig] i(R3) i(V1)\n.tran %s 10n\n.end\n",
             edge, edge, gate, width, load, model, step);
    return pick(s, methods, 6);
}

/* Largest sum of both columns in a row, as a part of the largest value of the second. */
static double lack(struct deck_rows *r, int end, int beside)
{
    double worst = 0, size = 0;
    for (size_t i = 0; i < r->count; i++) {
        worst = fmax(worst, fabs(deck_row(r, i)[end] + deck_row(r, i)[beside]));
        size = fmax(size, fabs(deck_row(r, i)[beside]));
    }
    return worst / size;
}

/* Where drain and source change places within a step that output does not resolve, some femtoseconds are off by more.  With slopes of
 * the interpolant seven of ten of these circuits were (seed 20261128). */
static void currents_at_both_ends_add_up_to_zero(void)
{
    char deck[1000];
    uint64_t s = seed;
    int seen = 0;
    printf("seed %llu ", (unsigned long long)seed);
    for (int k = 0; k < circuits; k++) {
        const char *method = write_follower(&s, deck, sizeof deck);
        struct deck_rows r = deck_rows(deck, method, 1e-3);
        const double worst = fmax(lack(&r, SOURCE, RESISTOR), lack(&r, GATE, DRIVE));
        seen += worst > 0.01;
        free(r.values);
    }
    at_most((double)seen / circuits, 0.1, "the part of circuits where that is 1 % or more", "all methods", 1e-3, "");
}

/* ---- at each node ---- */

enum { NODES = 4, MOST_BRANCHES = 20 };

/* Elements of two nodes, from 0; node 0 is ground. */
struct branches {
    int plus[MOST_BRANCHES], minus[MOST_BRANCHES], count;
};

static void hang(struct branches *b, char *deck, size_t size, char *saves, const char *card, int plus, int minus)
{
    char line[100];
    const size_t length = strlen(deck), saved = strlen(saves);
    snprintf(line, sizeof line, card, b->count, plus, minus);
    snprintf(deck + length, size - length, "%s\n", line);
    snprintf(saves + saved, 400 - saved, " i(%c%d)", line[0], b->count);
    b->plus[b->count] = plus;
    b->minus[b->count++] = minus;
}

/* A ladder behind a source with edges: resistors, diodes with and without charge, capacitors from node to node, which leave what
 * they have in common stiff. */
static void write_ladder(uint64_t *s, struct branches *b, char *deck, size_t size)
{
    static const char *const sources[] = {"PULSE(-12 1 0.1m 0.1u 0.1u 0.2m 0.5m)", "SIN(0 10 3k)",
                                          "PULSE(0 12 0.2m 0.15m 0.5u 0.2m 0.6m)"},
                             *const resistors[] = {"R%d %d %d 1k", "R%d %d %d 8k", "R%d %d %d 30k"},
                             *const others[] = {"D%d %d %d plain", "D%d %d %d slow", "C%d %d %d 5n", "C%d %d %d 0.1u",
                                                "D%d %d %d fast"};
    char saves[400] = "";
    *b = (struct branches){.count = 0};
    snprintf(deck, size,
             "ladder\n.model plain d(is=1e-14)\n.model slow d(is=1e-12 rs=0.1 cjo=100p tt=100n m=0.4)\n"
             ".model fast d(is=1e-14 rs=2 cjo=2p tt=1n)\nVin %d 0 %s\nR99 %d 1 2k\n",
             NODES + 1, pick(s, sources, 3), NODES + 1);
    for (int node = 1; node <= NODES; node++) {
        hang(b, deck, size, saves, pick(s, resistors, 3), node, 0);
        if (node > 1)
            hang(b, deck, size, saves, pick(s, resistors, 3), node - 1, node);
        const int to = between(s, 1, NODES);
        if (to != node)
            hang(b, deck, size, saves, pick(s, others, 5), node, to);
    }
    const size_t length = strlen(deck);
    snprintf(deck + length, size - length, ".save%s i(R99)\n.tran 2u 1m\n.end\n", saves);
}

/* Largest sum of the currents at a node in a row, as a part of the largest of them in any. */
static double sum_at_nodes(struct deck_rows *r, const struct branches *b)
{
    double worst = 0, size = 0;
    for (size_t i = 0; i < r->count; i++) {
        const double *row = deck_row(r, i);
        double sum[NODES + 1] = {0, -row[1 + b->count]}; /* R99 comes from the source */
        for (int k = 0; k < b->count; k++) {
            sum[b->plus[k]] += row[1 + k];
            sum[b->minus[k]] -= row[1 + k];
            size = fmax(size, fabs(row[1 + k]));
        }
        for (int node = 1; node <= NODES; node++)
            worst = fmax(worst, fabs(sum[node]));
    }
    return worst / size;
}

/* What Newton's method had left at the ends of a step was handed on to points inside it, and where lines stand in for the interpolant,
 * currents went each its own way: before, in 4 of 120. */
static void currents_at_nodes_add_up_to_zero(void)
{
    static const char *const methods[] = {"auto", "bdf", "rodasp", "radau", "trbdf2", "trap"};
    char deck[2000];
    uint64_t s = seed;
    int seen = 0, runs = 3 * circuits;
    for (int k = 0; k < runs; k++) {
        struct branches b;
        write_ladder(&s, &b, deck, sizeof deck);
        struct deck_rows r = deck_rows(deck, methods[k % 6], 1e-3);
        const double worst = sum_at_nodes(&r, &b);
        if (worst > 1e-3)
            printf("circuit %d, %s: %g of the largest\n%s", k, methods[k % 6], worst, deck);
        seen += worst > 1e-3;
        free(r.values);
    }
    at_most((double)seen / runs, 0.01, "the part of circuits where that is 0.1 % or more", "all methods", 1e-3, "");
}

int main(void)
{
    random_arguments(&seed, &circuits);
    static const struct claim claims[] = {CLAIM(currents_at_both_ends_add_up_to_zero),
                                          CLAIM(currents_at_nodes_add_up_to_zero)};
    return run_claims("analyses/terminal_currents", claims, sizeof claims / sizeof *claims);
}
