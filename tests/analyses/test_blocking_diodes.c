/* Diodes without capacitance that end the current of an inductor: the voltage jumps within femtoseconds, and from then
 * on follows the derivative of a flux.  Steps must neither collapse nor crawl there, at no tolerance. */
#include "claims.h"
#include "deck_rows.h"
#include "exact_waves.h"
#include "knoten.h"
#include "run_text.h"

#include <string.h>

static const char *const METHODS[] = {"bdf", "gear", "trap", "trbdf2", "radau", "radau5"};
static const double TOLERANCES[] = {1e-3, 1e-4, 1e-5, 1e-6};
enum { METHOD_COUNT = 6, TOLERANCE_COUNT = 4 };

static const char ONE_DIODE[] = "transformer and one diode\n"
                                "V1 in 0 SIN(0 10 10k)\nR1 in a 1\nL1 a 0 1m\nL2 b 0 0.25m\nK1 L1 L2 0.95\n"
                                "D1 b c dx\n.model dx D(Is=1n N=1.5 Rs=0.1)\nC1 c 0 10u\nR2 c 0 50\n"
                                ".save v(c)\n.tran 1u 500u\n.end\n";

/* The secondary floats while all four block: only their leakage holds it, beside 10 mOhm. */
static const char BRIDGE[] =
    "transformer and a bridge\n"
    "V1 in 0 SIN(0 10 10k)\nR1 in a 2\nL1 a 0 8m\nL2 b d 1.3m\nK1 L1 L2 0.99\n"
    "D1 b c dx\nD2 d c dx\nD3 0 b dx\nD4 0 d dx\n.model dx D(Is=7n N=1 Rs=0.01)\nC1 c 0 1u\nR2 c 0 200\n"
    ".save v(c)\n.tran 5u 500u\n.end\n";

/* One half of the winding carries amperes while the other has the leakage of its diode, 57 pA that must not be followed
 * to 1e-12 of the volts over 10 mOhm. */
static const char CENTRE_TAP[] = "transformer with a centre tap and two diodes\n"
                                 "V1 in 0 SIN(0 62 10k)\nR1 in a 1.3\nL1 a 0 0.306m\nL2 b 0 0.515m\nL3 0 d 0.515m\n"
                                 "K1 L1 L2 0.95\nK2 L1 L3 0.95\nK3 L2 L3 0.95\n"
                                 "D1 b c dx\nD2 d c dx\n.model dx D(Is=57p Rs=0.01)\nC1 c 0 1u\nR2 c 0 100\n"
                                 ".save v(c)\n.tran 1u 330u\n.end\n";

/* A switch is located while the diode blocks: the first steps behind are shorter than a millionth of a millionth of the
 * time, and 1e-12 S times 2e-5 H is a time constant that none of them sees. */
static const char FLYBACK[] = "flyback converter\n"
                              ".model dx D(is=3.6e-14 n=1.2)\n.model sx SW(vt=2.5 vh=0.5 ron=0.02 roff=1meg)\n"
                              "Vg g 0 PULSE(0 5 0 42n 42n 8.36u 21u)\nV1 i 0 32\nL1 i a 21u\nL2 0 b 22u\n"
                              "K1 L1 L2 0.9\nS1 a 0 g 0 sx\nRs a sn 100\nCs sn 0 1n\nD1 b o dx\nC1 o 0 1.57u\n"
                              "R1 o 0 30\n.save v(o)\n.tran 0.2u 100u uic\n.end\n";

/* In blocking, capacitances of a microfarad fall to 20 pF: what was no voltage error before is volts afterwards. */
static const char SLOW_BRIDGE[] =
    "bridge of slow diodes\n"
    "V1 a b SIN(0 17 50)\nD1 a p dm\nD2 b p dm\nD3 0 a dm\nD4 0 b dm\nC1 p 0 1000u\nR1 p 0 100\n"
    ".model dm D(Is=1n N=1.8 Rs=0.05 Cjo=20p Tt=20u)\n.save v(a)\n.tran 0.1m 20.9758m\n.end\n";

struct run {
    enum kn_status status;
    long steps;
    double last; /* v(c) at the end, V */
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context;
    return table->column_count == 2 ? KN_OK : KN_ERROR_ARGUMENT;
}

static enum kn_status row(void *context, const double *values)
{
    ((struct run *)context)->last = values[1];
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context, (void)outcome;
    return KN_OK;
}

static struct run run_deck(const char *text, const char *method, double reltol)
{
    struct run run = {KN_OK, 0, 0};
    struct kn_sink sink = {&run, begin, row, end};
    struct kn_summary summary = {0};
    const struct kn_options options = {.reltol = reltol, .method = method};
    struct kn_diagnostics *d = kn_diagnostics_new();
    run.status = run_text(text, &options, d, &sink, &summary);
    run.steps = summary.steps_accepted + summary.steps_rejected;
    kn_diagnostics_free(d);
    return run;
}

/* The jumps lie between steps, so that their times are known to about the tolerance only. */
static void ends_well(const char *text)
{
    const struct run exact = run_deck(text, "bdf", 1e-7);
    CU_ASSERT_EQUAL(exact.status, KN_OK);
    for (int m = 0; m < METHOD_COUNT; m++)
        for (int i = 0; i < TOLERANCE_COUNT; i++) {
            const struct run run = run_deck(text, METHODS[m], TOLERANCES[i]);
            const double error = fabs(run.last - exact.last) / fabs(exact.last);
            printf("%s %g: %ld steps, error %.2g\n", METHODS[m], TOLERANCES[i], run.steps, error);
            CU_ASSERT_EQUAL(run.status, KN_OK);
            CU_ASSERT(error < 10 * TOLERANCES[i]);
        }
}

static void one_diode_ends_the_current_of_a_winding(void)
{
    ends_well(ONE_DIODE);
}

static void a_bridge_ends_the_current_of_a_winding(void)
{
    ends_well(BRIDGE);
}

static void two_diodes_take_turns_at_a_centre_tap(void)
{
    ends_well(CENTRE_TAP);
}

static void radau_goes_on_behind_a_switch_beside_a_blocking_diode(void)
{
    const struct run exact = run_deck(FLYBACK, "bdf", 1e-5);
    CU_ASSERT_EQUAL(exact.status, KN_OK);
    const char *const methods[] = {"radau", "radau5"};
    for (int m = 0; m < 2; m++) {
        const struct run run = run_deck(FLYBACK, methods[m], 1e-3);
        printf("%s: %ld steps, %.2g V off\n", methods[m], run.steps, fabs(run.last - exact.last));
        CU_ASSERT_EQUAL(run.status, KN_OK);
        CU_ASSERT(fabs(run.last - exact.last) < 1e-3 * exact.last);
    }
}

/* Behind the switch a layer of picoamperes in the diode is shorter than steps can be. */
static void radau_passes_layers_that_no_step_resolves(void)
{
    for (int volts = 24; volts <= 40; volts += 4)
        for (int ohms = 25; ohms <= 45; ohms += 5) {
            char text[sizeof FLYBACK + 100];
            const char *supply = strstr(FLYBACK, "V1 i 0 32\n"), *load = strstr(FLYBACK, "R1 o 0 30\n");
            CU_ASSERT_FATAL(supply && load && supply < load);
            snprintf(text, sizeof text, "%.*sV1 i 0 %d%.*sR1 o 0 %d%s", (int)(supply - FLYBACK), FLYBACK, volts,
                     (int)(load - supply - 9), supply + 9, ohms, load + 9);
            CU_ASSERT_EQUAL(run_deck(text, "radau", 1e-3).status, KN_OK);
        }
}

static void radau_keeps_the_charges_of_diodes_that_block(void)
{
    const struct run exact = run_deck(SLOW_BRIDGE, "bdf", 1e-8);
    CU_ASSERT_EQUAL(exact.status, KN_OK);
    for (int i = 0; i < TOLERANCE_COUNT; i++) {
        const struct run run = run_deck(SLOW_BRIDGE, "radau", TOLERANCES[i]),
                         near = run_deck(SLOW_BRIDGE, "radau", 0.3 * TOLERANCES[i]);
        printf("radau %g: %ld steps, error %.2g V, %.2g V\n", TOLERANCES[i], run.steps, fabs(run.last - exact.last),
               fabs(near.last - exact.last));
        CU_ASSERT(run.status == KN_OK && near.status == KN_OK);
        CU_ASSERT(fabs(run.last - exact.last) < 10 * 17 * TOLERANCES[i]);
        CU_ASSERT(fabs(near.last - exact.last) < 10 * 17 * TOLERANCES[i]);
    }
}

/* Rounding in the voltage of the winding that floats is an error of its own, whose steps must not be ruled by the last
 * value of another. */
static void one_step_methods_leave_the_moment_in_which_a_winding_is_cut_off(void)
{
    static const char *const methods[] = {"rodasp", "rodas", "auto"};
    static const char deck[] = "three windings\nV1 in 0 SIN(0 10 10k)\nR1 in a 1\nL1 a 0 1m\nL2 b 0 4m\nL3 c 0 0.25m\n"
                               "K12 L1 L2 0.98\nK13 L1 L3 0.95\nK23 L2 L3 0.96\nR2 b 0 100\nD3 c d DX\nC3 d 0 10u\n"
                               "R3 d 0 50\n.model DX D(Is=1n N=1.5 Rs=0.1)\n.save v(b) v(d)\n.tran 1u 500u\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        at_most((double)r.summary.steps_accepted, 2000, "the number of steps", methods[k], 1e-3, deck);
        free(r.values);
    }
}

/* With its switch open and the current of its coil falling, v(sw) = v(o) + L di/dt is below v(o): also in the moment in
 * which the diode takes over from the coil and 10 megohms make 10 V of a microampere. */
static bool check_converter(uint64_t *seed, const char *method, double part)
{
    static const double coils[] = {22e-6, 47e-6, 100e-6}, periods[] = {5e-6, 10e-6}, duties[] = {0.3, 0.5, 0.7};
    static const double open[] = {1e6, 1e7}, loads[] = {20, 50, 100}, capacitors[] = {1e-6, 10e-6};
    const double period = periods[between(seed, 0, 1)], duty = duties[between(seed, 0, 2)];
    char deck[600];
    snprintf(deck, sizeof deck,
             "converter\nVIN in 0 12\nVG g 0 PULSE(0 5 0 20n 20n %g %g)\nS1 in sw g 0 s1\nD1 0 sw dx\nL1 sw o %g\n"
             "C1 o e %g\nR1 e 0 20m\nR2 o 0 %g\n.model s1 SW(vt=2.5 vh=1 ron=0.1 roff=%g)\n.model dx D(is=1e-12)\n"
             ".save v(g) v(sw) v(o) i(l1)\n.tran 0.2u 100u\n.end\n",
             period * duty, period, coils[between(seed, 0, 2)], capacitors[between(seed, 0, 1)],
             loads[between(seed, 0, 2)], open[between(seed, 0, 1)]);
    struct deck_rows r = deck_rows(deck, method, 1e-3);
    double worst = 0, current = 0;
    bool back = false; /* the switch has opened on a current that flows back: it makes megavolts, and their tolerance */
    for (size_t i = 0; i < r.count; i++) {
        const double *row = deck_row(&r, i);
        if (row[1] > 4)
            current = row[4];
        back = back || (row[1] < 4 && current < 0);
        if (row[1] < 1)
            worst = fmax(worst, row[2] - row[3]);
    }
    if (!back)
        at_most(worst, part * 12, "v(sw) above v(o) while the switch is open", method, 1e-3, deck);
    free(r.values);
    return !back;
}

static void the_coil_of_a_converter_runs_out_without_a_swing(void)
{
    static const char *const methods[] = {"auto", "bdf"};
    static const double parts[] = {0.1,
                                   0.05}; /* of 12 V; auto takes steps of RODASP, whose polynomials bend a little */
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        uint64_t seed = 5;
        int checked = 0;
        for (int i = 0; i < 60; i++)
            checked += check_converter(&seed, methods[m], parts[m]);
        CU_ASSERT(checked > 20);
    }
}

/* The switch has stood at kilovolts, so that its tolerance is volts.  A step of RODASP ended 8 V above a diode, where its
 * equation seemed to be missed by kT/q, whatever the distance; the run ended a few steps later. */
static void the_tolerance_of_a_spike_excuses_no_point_far_from_a_solution(void)
{
    static const char deck[] =
        "converter\nVIN in 0 12\nVG g 0 PULSE(0 5 0 20n 20n 3.5u 5u)\nS1 in sw g 0 s1\nD1 0 sw dx\n"
        "L1 sw o 47u\nC1 o e 1u\nR1 e 0 20m\nR2 o 0 100\n.model s1 SW(vt=2.5 vh=1 ron=0.2 roff=1meg)\n"
        ".model dx D(is=1e-12)\n.save v(sw)\n.tran 0.2u 100u\n.end\n";
    struct deck_rows r = deck_rows(deck, "auto", 1e-3);
    double least = 0;
    for (size_t i = 0; i < r.count; i++)
        least = fmin(least, deck_row(&r, i)[1]);
    at_most(-least, 0.8, "the voltage of the diode", "auto", 1e-3, deck);
    free(r.values);
}

/* Three windings, the diode of one of which blocks at 49.14 us: its voltage jumps from 4.9 V to 1.36 V.  In the step across,
 * which is too short for an error to reject it, rows of the collocation polynomial swung between 0.2 V and 2.2 V. */
static void rows_behind_the_jump_do_not_swing(void)
{
    static const char deck[] = "three windings\nV1 in 0 SIN(0 10 10k)\nR1 in a 1\nL1 a 0 1m\nL2 b 0 4m\nL3 c 0 0.25m\n"
                               "K12 L1 L2 0.98\nK13 L1 L3 0.95\nK23 L2 L3 0.96\nR2 b 0 100\nD3 c d DX\nC3 d 0 10u\n"
                               "R3 d 0 50\n.model DX D(Is=1n N=1.5 Rs=0.1)\n.save v(c)\n.tran 1u 60u\n.end\n";
    for (size_t k = 0; k < TOLERANCE_COUNT; k++) {
        const struct deck_rows r = deck_rows(deck, "radau", TOLERANCES[k]);
        size_t seen = 0;
        for (size_t i = 0; i < r.count; i++) {
            const double t = r.values[i * r.columns], v = r.values[i * r.columns + 1];
            if (t < 49.1e-6 || t > 49.18e-6)
                continue;
            seen++;
            CU_ASSERT(v > 1.25 && v < 5.3);
        }
        CU_ASSERT(seen > 5);
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(one_diode_ends_the_current_of_a_winding),
        CLAIM(a_bridge_ends_the_current_of_a_winding),
        CLAIM(two_diodes_take_turns_at_a_centre_tap),
        CLAIM(radau_goes_on_behind_a_switch_beside_a_blocking_diode),
        CLAIM(radau_passes_layers_that_no_step_resolves),
        CLAIM(radau_keeps_the_charges_of_diodes_that_block),
        CLAIM(one_step_methods_leave_the_moment_in_which_a_winding_is_cut_off),
        CLAIM(the_coil_of_a_converter_runs_out_without_a_swing),
        CLAIM(the_tolerance_of_a_spike_excuses_no_point_far_from_a_solution),
        CLAIM(rows_behind_the_jump_do_not_swing),
    };
    return run_claims("blocking_diodes", claims, sizeof claims / sizeof claims[0]);
}
