/* test_strides.c - first steps behind corners and switches that lead across what output does not resolve: they end where resolved
 * ones do, and are refused where what they lead across decides what follows.
 */
#include "deck_rows.h"

enum { COUNT_OF_METHODS = 2 };

static const char *const methods[COUNT_OF_METHODS] = {"auto", "bdf"};

static void at_most_steps(const struct deck_rows *r, double bound, const char *method, const char *deck)
{
    at_most((double)r->summary.steps_accepted, bound, "the number of steps", method, 1e-3, deck);
}

/* A switch of 10 mOhm charges 100 pF to 100 V within picoseconds, every 10 us; when it opens, 10 kOhm discharge it in 1 us.  Closed
 * form: 100 V R / (R + ron) exp(-t / RC) from where the control passes the threshold, in the middle of its edge.  Resolved, it
 * takes 9,000 steps. */
static void a_node_that_a_switch_charges_in_picoseconds_is_crossed_in_one_step(void)
{
    static const char deck[] = "spoon\nVin in 0 100\nVg g 0 PULSE(0 5 0 1n 1n 4u 10u)\nS1 in a g 0 sw1\n"
                               ".model sw1 sw(vt=2.5 ron=10m roff=1e12)\nC1 a 0 100p\nR1 a 0 10k\n.save v(a)\n"
                               ".tran 10u 1m\n.end\n";
    for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 0);
        double worst = 0;
        for (size_t i = 0; i < r.count; i++) {
            const double *row = deck_row(&r, i), since = fmod(row[0], 10e-6) - 4.0015e-6;
            if (since > 1e-9)
                worst = fmax(worst, fabs(row[1] - 100 / (1 + 1e-6) * exp(-since / 1e-6)));
        }
        at_most(worst, 0.3, "volts off the closed form", methods[k], 1e-3, deck);
        at_most_steps(&r, 6000, methods[k], deck);
        free(r.values);
    }
}

/* 1 nF is charged to 10 V and emptied into 10 nF, by 1 mOhm each: after k times there are 10 V (1 - (10/11)^k), whatever path the
 * charge takes. */
static void charge_that_strides_hand_on_is_neither_made_nor_lost(void)
{
    static const char deck[] =
        "spoonfuls\nVin in 0 10\nVg g 0 PULSE(0 5 0 1n 1n 4u 10u)\nVh h 0 PULSE(0 5 5u 1n 1n 4u 10u)\n"
        "S1 in a g 0 sw1\nS2 a b h 0 sw1\n.model sw1 sw(vt=2.5 ron=1m roff=1e15)\nC1 a 0 1n\n"
        "C2 b 0 10n\n.ic v(a)=0 v(b)=0\n.save v(b)\n.tran 10u 305u\n.end\n";
    for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 0);
        double worst = 0;
        for (size_t i = 0, times = 1; times <= 30; times++) {
            const double now = deck_rows_at(&r, &i, 10e-6 * (double)times - 1e-6, 1);
            worst = fmax(worst, fabs(now - 10 * (1 - pow(10.0 / 11, (double)times))));
        }
        at_most(worst, 3e-3, "volts off the closed form", methods[k], 1e-3, deck);
        free(r.values);
    }
}

/* 1 nF, charged to 10 V, is emptied through a diode and a resistor side by side: how much of it goes which way is decided within
 * picoseconds, by the path.  Where these are resolved because somebody may see them (tstep), `radau` at a reltol of 1e-6 knows it. */
static void format_two_ways(char *deck, size_t size, const char *step, unsigned seed)
{
    static const double ways[] = {0.01, 0.05, 0.2, 1};
    snprintf(
        deck, size,
        "two ways\nVin in 0 10\nVg g 0 PULSE(0 5 0 1n 1n 4u 10u)\nVh h 0 PULSE(0 5 5u 1n 1n 4u 10u)\n"
        "S1 in a g 0 sw1\nS2 a m h 0 sw1\n.model sw1 sw(vt=2.5 ron=%g roff=1e12)\nC1 a 0 1n\nCm m 0 1p\nD1 m p dm\n"
        ".model dm d(is=%g rs=%g cjo=%gp)\nCa p 0 20n\nRa p 0 10k\nRb m q %g\nCb q 0 10n\nRc q 0 5k\n.save v(p) v(q)\n"
        ".tran %s 55u\n.end\n",
        ways[seed % 3], seed % 2 ? 1e-14 : 1e-9, ways[(seed / 2) % 3], seed % 5 + 0.5, ways[1 + (seed / 3) % 3], step);
}

static void what_two_ways_share_within_a_stride_is_what_resolved_steps_share(void)
{
    char deck[800], fine[800];
    for (unsigned seed = 1; seed <= 12; seed++) {
        format_two_ways(deck, sizeof deck, "10u", seed);
        format_two_ways(fine, sizeof fine, "10p", seed);
        struct deck_rows right = deck_rows(fine, "radau", 1e-6);
        for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
            struct deck_rows r = deck_rows(deck, methods[k], 0);
            for (size_t column = 1; column <= 2; column++) {
                const double range = deck_rows_largest(&right, 0, column);
                double worst = 0;
                for (size_t times = 1, i = 0, j = 0; times <= 5; times++) {
                    const double t = 10e-6 * (double)times - 1.5e-6;
                    worst = fmax(worst, fabs(deck_rows_at(&r, &i, t, column) - deck_rows_at(&right, &j, t, column)));
                }
                at_most(worst / range, 3e-3, "part of the range off", methods[k], 1e-3, deck);
            }
            free(r.values);
        }
        free(right.values);
    }
}

/* 1 fF falls from a tenth of the way to one of its two rests in a picosecond, once a switch lets it go.  Implicit Euler in one
 * step of 1 ns solves for the ridge between them instead. */
static void what_stands_on_a_ridge_falls_to_its_side(void)
{
    for (int side = -1; side <= 1; side += 2)
        for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
            char deck[400];
            snprintf(deck, sizeof deck,
                     "ridge\nB1 0 x I=1m*(v(x)-v(x)*v(x)*v(x))\nC1 x 0 1f\nVk k 0 %g\nS1 x k g 0 sw1\n"
                     "Vg g 0 PULSE(5 0 1u 1n 1n 1 2)\n.model sw1 sw(vt=2.5 ron=1 roff=1e12)\n.save v(x)\n.tran 1u "
                     "10u\n.end\n",
                     0.1 * side);
            struct deck_rows r = deck_rows(deck, methods[k], 0);
            const double last = deck_row(&r, r.count - 1)[1];
            at_most(fabs(last - side), 3e-3, "volts off its rest", methods[k], 1e-3, deck);
            free(r.values);
        }
}

/* While both the switch and the diode block, its charge and the coil are an oscillation of 1.4e7/s, for a nanosecond.  Behind it the
 * coil ramps, whose way lies in the plane of that mode like any other: up to 2,400 steps of a period were held short for its sake. */
static void an_oscillation_that_a_diode_has_ended_holds_no_steps_short(void)
{
    static const char deck[] =
        "buck\nVin in 0 24\nVg g 0 PULSE(0 5 0 10n 10n 4u 10u)\nS1 in sw g 0 sw1\n"
        ".model sw1 sw(vt=2.5 ron=10m roff=1meg)\nD1 0 sw dm\n.model dm d(is=1e-9 rs=5m cjo=200p)\n"
        "L1 sw out 47u\nC1 out 0 100u\nR1 out 0 2\n.save v(out)\n.tran 1u 1m\n.end\n";
    for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 0);
        at_most_steps(&r, 6000, methods[k], deck);
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_node_that_a_switch_charges_in_picoseconds_is_crossed_in_one_step),
        CLAIM(charge_that_strides_hand_on_is_neither_made_nor_lost),
        CLAIM(what_two_ways_share_within_a_stride_is_what_resolved_steps_share),
        CLAIM(what_stands_on_a_ridge_falls_to_its_side),
        CLAIM(an_oscillation_that_a_diode_has_ended_holds_no_steps_short),
    };
    return run_claims("analyses/strides", claims, sizeof claims / sizeof *claims);
}
