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

int main(int count, char **arguments)
{
    random_arguments(count, arguments, &seed, &circuits);
    static const struct claim claims[] = {CLAIM(currents_at_both_ends_add_up_to_zero)};
    return run_claims("analyses/terminal_currents", claims, sizeof claims / sizeof *claims);
}
