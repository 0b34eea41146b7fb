/* test_swinging_sources.c - sources that swing many times within a run: rows are the sine itself, whatever the lengths of run and rows
 * have to do with its period, and what a comparator makes of it has the right mean. */
#include "deck_rows.h"
#include "exact_waves.h"

static uint64_t seed = 20261127;
static int circuits = 24;

struct swing {
    double frequency, offset, amplitude, phase, periods, rows; /* Hz, V, V, degrees, in the run, per period */
    int beside;                                                /* what stands beside it */
    bool formula;                                              /* of time, instead of SIN */
};

/* Whole numbers of periods half of the time: those of a step are whole as well then, if there are a hundred or more. */
static struct swing random_swing(uint64_t *s)
{
    static const double periods[] = {40, 50, 100, 150, 200, 300, 500};
    struct swing w;
    w.periods = periods[between(s, 0, 6)];
    w.periods += between(s, 0, 1) ? 0 : 0.01 * (double)between(s, 1, 99);
    w.frequency = pow(10, (double)between(s, 1, 7));
    w.offset = (double)between(s, -2, 2);
    w.amplitude = (double)between(s, 1, 5);
    w.phase = 30.0 * (double)between(s, 0, 3);
    w.rows = between(s, 0, 1) ? 0.1 : 10;
    w.beside = (int)between(s, 0, 3);
    w.formula = between(s, 0, 1);
    return w;
}

static void write_swing(const struct swing *w, char *deck, size_t size)
{
    static const char *const beside[] = {
        "", "B1 b 0 V=v(a)>%g?1:0\nRb b y 1k\nCy y 0 1n\n",
        "S1 b 0 a 0 sw\nRb b c 1k\nVc c 0 1\n.model sw sw(vt=%g vh=0 ron=1 roff=1meg)\n",
        "V2 c 0 PULSE(0 1 0 1n 1n 1 2)\nRc c y 1k\nCy y 0 1\n"};
    const double stop = w->periods / w->frequency;
    const char *const source = w->formula ? "B9 a 0 V=%g+%g*sin(2*pi*(%g*time+%g/360))" : "V1 a 0 SIN(%g %g %g 0 0 %g)";
    char card[120];
    snprintf(card, sizeof card, source, w->offset, w->amplitude, w->frequency, w->phase);
    const int n = snprintf(deck, size, "swing\n%s\nR1 a 0 1k\n", card);
    const int more = snprintf(deck + n, size - (size_t)n, beside[w->beside], w->offset + 0.4 * w->amplitude);
    snprintf(deck + n + more, size - (size_t)(n + more), ".save v(a)\n.tran %.17g %.17g\n.end\n",
             1 / (w->rows * w->frequency), stop);
}

static void rows_are_the_sine(void)
{
    static const char *const methods[] = {"auto", "bdf", "rodasp", "radau", "trbdf2", "trap"};
    char deck[1000];
    uint64_t s = seed;
    printf("seed %llu ", (unsigned long long)seed);
    for (int k = 0; k < circuits; k++) {
        const struct swing w = random_swing(&s);
        write_swing(&w, deck, sizeof deck);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct deck_rows r = deck_rows(deck, methods[m], 1e-3);
            double worst = 0;
            for (size_t i = 0; i < r.count; i++) {
                const double angle = 6.28318530717958647692 * (w.frequency * deck_row(&r, i)[0] + w.phase / 360);
                worst = fmax(worst, fabs(deck_row(&r, i)[1] - w.offset - w.amplitude * sin(angle)));
            }
            at_most(worst / (fabs(w.offset) + w.amplitude), 0.01, "the error of the source in rows", methods[m], 1e-3,
                    deck);
            free(r.values);
        }
    }
}

int main(void)
{
    random_arguments(&seed, &circuits);
    static const struct claim claims[] = {CLAIM(rows_are_the_sine)};
    return run_claims("analyses/swinging_sources", claims, sizeof claims / sizeof *claims);
}
