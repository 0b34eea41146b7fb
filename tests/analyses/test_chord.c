/* test_chord.c - ends of steps without a row of their own lie on straight lines between rows.
 *
 * Of a chord alone: whatever walk it is led along, a line from where it begins to any point that it reaches passes all others
 * within what they allow.  Of runs: chains of CMOS inverters, whose edges take steps far below a tenth of tstep, with all steps
 * as rows (steprows) and without; seeds by hand: test_chord SEED CIRCUITS. */
#include "analyses/transient/chord.h"
#include "deck_rows.h"
#include "exact_waves.h"

static uint64_t seed = 20281;
static int circuits = 6;

enum { COLUMNS = 3, POINTS = 200 };

static double uniform(uint64_t *s, double from, double to)
{
    return from + (to - from) * (double)between(s, 0, 1000000) / 1e6;
}

/* times [POINTS], values [POINTS][COLUMNS] */
static void make_walk(uint64_t *s, double *times, double values[][COLUMNS])
{
    for (int i = 0; i < POINTS; i++) {
        times[i] = i == 0 ? 0 : times[i - 1] + pow(10, uniform(s, -3, 0));
        for (int c = 0; c < COLUMNS; c++)
            values[i][c] = (i == 0 ? 0 : values[i - 1][c]) + uniform(s, -0.1, 0.1) * (c + 1);
    }
}

/* Largest part of what is allowed by which a line between two points misses those between. */
static double missed(int from, int to, const double *times, double values[][COLUMNS], const double *allowed)
{
    double worst = 0;
    for (int i = from + 1; i < to; i++)
        for (int c = 0; c < COLUMNS; c++) {
            const double part = (times[i] - times[from]) / (times[to] - times[from]);
            const double line = values[from][c] + part * (values[to][c] - values[from][c]);
            worst = fmax(worst, fabs(values[i][c] - line) / allowed[c]);
        }
    return worst;
}

static void a_chord_reaches_as_far_as_its_points_allow(void)
{
    static const double allowed[COLUMNS] = {0.1, 0.2, 0.3};
    uint64_t s = seed;
    double times[POINTS], values[POINTS][COLUMNS];
    struct chord chord;
    CU_ASSERT_TRUE_FATAL(chord_init(&chord, COLUMNS));
    int rows = 0, wrong = 0;
    for (int walk = 0; walk < 100; walk++) {
        make_walk(&s, times, values);
        int from = 0;
        chord_begin(&chord, times[0], values[0]);
        for (int to = 1; to < POINTS; to++) {
            const bool reached = chord_reaches(&chord, times[to], values[to]);
            const double most = missed(from, to, times, values, allowed);
            wrong += reached ? most > 1 + 1e-9 : most < 1 - 1e-9;
            if (!reached) {
                from = to - 1;
                chord_begin(&chord, times[from], values[from]);
                rows++;
            }
            chord_pass(&chord, times[to], values[to], allowed);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(rows > 1000 && rows < 100 * POINTS / 2);
    chord_free(&chord);
}

/* A chain of inverters between supplies, so that i(vdd) and i(vin) are of index 2. */
static void write_chain(uint64_t *s, const char *options, char *deck, size_t size)
{
    const int width = (int)between(s, 2, 9), load = (int)between(s, 5, 50), edge = (int)between(s, 50, 400);
    snprintf(deck, size,
             "chain\n.options %s\nvdd vdd 0 3\nvin in 0 pulse(0 3 5n %dp %dp 20n 50n)\n"
             ".subckt inv a y vdd\nmp y a vdd vdd p w=%du l=1u ad=10p as=10p\nmn y a 0 0 n w=2u l=1u ad=10p as=10p\n"
             ".ends\nx1 in b vdd inv\nx2 b c vdd inv\nx3 c d vdd inv\ncl d 0 %df\n"
             ".model n nmos(vto=0.7 kp=80u cgso=0.3n cgdo=0.3n cj=0.3m tox=20n lambda=0.02)\n"
             ".model p pmos(vto=-0.7 kp=30u cgso=0.3n cgdo=0.3n cj=0.3m tox=20n lambda=0.02)\n"
             ".tran 5n 100n\n.end\n",
             options, edge, edge, width, load);
}

/* Part of the range of a column by which a line misses the ends of steps; whatever is taken for straight is half of a thousandth.
 * Currents of index 2 are slopes, which lines need not follow (rows.c): where Meyer's capacitances jump, both runs are up to 0.03 of
 * the range away from Radau at 1e-7, and 0.012 from each other in the chains here. */
static double worst_part(const struct deck_rows *lines, const struct deck_rows *steps, size_t column)
{
    double low = INFINITY, high = -INFINITY, worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < steps->count; i++) {
        low = fmin(low, deck_row(steps, i)[column]);
        high = fmax(high, deck_row(steps, i)[column]);
    }
    for (size_t i = 1; i + 1 < steps->count; i++) {
        const double *row = deck_row(steps, i);
        if (deck_row(steps, i - 1)[0] == row[0] || deck_row(steps, i + 1)[0] == row[0])
            continue; /* a jump at a corner */
        worst = fmax(worst, fabs(deck_rows_at(lines, &at, row[0], column) - row[column]));
    }
    return high > low ? worst / (high - low) : 0;
}

static void ends_without_rows_lie_on_lines_between_rows(void)
{
    static const char *const methods[] = {"bdf", "gear", "trap", "auto"};
    char deck[1000];
    uint64_t s = seed;
    printf("seed %llu ", (unsigned long long)seed);
    for (int k = 0; k < circuits; k++) {
        const char *method = methods[k % 4];
        const uint64_t same = s;
        write_chain(&s, "nomod", deck, sizeof deck);
        struct deck_rows lines = deck_rows(deck, method, 1e-4);
        s = same;
        write_chain(&s, "steprows", deck, sizeof deck);
        struct deck_rows steps = deck_rows(deck, method, 1e-4);
        CU_ASSERT_EQUAL(lines.columns, steps.columns);
        for (size_t c = 1; c < lines.columns && c < steps.columns; c++) {
            const bool current = c + 2 >= lines.columns; /* i(vdd), i(vin) */
            at_most(worst_part(&lines, &steps, c), current ? 0.02 : 1e-3, "part of the range", method, 1e-4, deck);
        }
        if (strcmp(method, "auto") != 0)
            at_most((double)lines.count, 0.9 * (double)steps.count, "rows", method, 1e-4, deck);
        free(lines.values);
        free(steps.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_chord_reaches_as_far_as_its_points_allow),
        CLAIM(ends_without_rows_lie_on_lines_between_rows),
    };
    random_arguments(&seed, &circuits);
    return run_claims("analyses/chord", claims, sizeof claims / sizeof *claims);
}
