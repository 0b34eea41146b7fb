/* Jumps that only an impulse can answer: charge and flux of the impulse, values after it, one report per element. */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 10 };

static const double JUMP = 1e-3; /* s, where the sources of all decks jump */

/* A run, with the rows on both sides of the jump. */
struct run {
    struct kn_diagnostics *diagnostics;
    enum kn_status status;
    size_t columns;
    char names[MOST_COLUMNS][16];
    double before[MOST_COLUMNS], after[MOST_COLUMNS], last[MOST_COLUMNS];
    int rows_at_jump;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct run *run = context;
    run->columns = table->column_count;
    if (run->columns > MOST_COLUMNS)
        return KN_ERROR_ARGUMENT;
    for (size_t i = 0; i < run->columns; i++)
        snprintf(run->names[i], sizeof run->names[i], "%s", table->columns[i].name);
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct run *run = context;
    if (values[0] == JUMP)
        memcpy(run->rows_at_jump++ ? run->after : run->before, values, run->columns * sizeof *values);
    memcpy(run->last, values, run->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context, (void)outcome;
    return KN_OK;
}

static void run_open(struct run *run, const char *text)
{
    struct kn_sink sink = {run, begin, row, end};
    const struct kn_options options = {.reltol = 1e-6};
    memset(run, 0, sizeof *run);
    run->diagnostics = kn_diagnostics_new();
    run->status = run_text(text, &options, run->diagnostics, &sink, NULL);
    CU_ASSERT_EQUAL(run->status, KN_OK);
    CU_ASSERT(run->rows_at_jump >= 2);
    if (run->status != KN_OK || run->rows_at_jump < 2)
        for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++)
            kn_diagnostic_write(kn_diagnostics_get(run->diagnostics, i), stderr, false);
}

static void run_close(struct run *run)
{
    kn_diagnostics_free(run->diagnostics);
}

static double value(const struct run *run, const double *row_values, const char *name)
{
    for (size_t i = 0; i < run->columns; i++)
        if (strcmp(run->names[i], name) == 0)
            return row_values[i];
    return NAN;
}

static double after(const struct run *run, const char *name)
{
    return value(run, run->after, name);
}

static double last(const struct run *run, const char *name)
{
    return value(run, run->last, name);
}

/* Number that the impulse messages give for an unknown ("-7.5e-06 C in i(v1)"); *times: how often they mention it. */
static double reported(const struct run *run, const char *unknown, const char *unit, int *times)
{
    char tail[60];
    double number = NAN;
    snprintf(tail, sizeof tail, " %s in %s", unit, unknown);
    *times = 0;
    for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++) {
        const struct kn_diagnostic *item = kn_diagnostics_get(run->diagnostics, i);
        if (strcmp(item->code, "impulse") != 0)
            continue;
        for (const char *at = strstr(item->text, tail); at; at = strstr(at + 1, tail)) {
            const char *start = at;
            while (start > item->text && start[-1] != ' ')
                start--;
            number = strtod(start, NULL);
            ++*times;
        }
    }
    return number;
}

static void check_impulse(const struct run *run, const char *unknown, const char *unit, double expected)
{
    int times;
    const double number = reported(run, unknown, unit, &times);
    CHECK_NEAR(number, expected, 1e-6 * fabs(expected));
    CU_ASSERT_EQUAL(times, 1);
    if (times != 1 || !(fabs(number - expected) <= 1e-6 * fabs(expected)))
        for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++)
            kn_diagnostic_write(kn_diagnostics_get(run->diagnostics, i), stderr, false);
}

static void check_no_impulse(const struct run *run, const char *unknown, const char *unit)
{
    int times;
    reported(run, unknown, unit, &times);
    CU_ASSERT_EQUAL(times, 0);
}

/* ---- voltage jumps in C-V loops ---- */

static void a_jump_across_a_capacitor_is_its_charge(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 0 1m 5 1 5)\nC1 1 0 1u\nR1 1 0 1k\n.tran 10u 2m\n.end\n");
    check_impulse(&run, "i(v1)", "C", -5e-6);
    CHECK_NEAR(after(&run, "v(1)"), 5, 1e-12);
    CHECK_NEAR(after(&run, "i(v1)"), -5e-3, 1e-9);
    CHECK_NEAR(last(&run, "i(v1)"), -5e-3, 1e-9);
    run_close(&run);
}

/* q = 1u (v + v^3/3) from 1 V to 2 V. */
static void a_jump_across_a_nonlinear_charge_is_the_difference_of_its_charges(void)
{
    struct run run;
    run_open(&run,
             "jump\nV1 1 0 pwl(0 1 1m 1 1m 2 1 2)\nC1 1 0 q='1u*(v(1)+v(1)^3/3)'\nR1 1 0 1k\n.tran 10u 2m\n.end\n");
    check_impulse(&run, "i(v1)", "C", -1e-6 * (2 + 8.0 / 3 - 1 - 1.0 / 3));
    CHECK_NEAR(after(&run, "i(v1)"), -2e-3, 1e-9);
    run_close(&run);
}

static void capacitors_in_series_share_the_jump(void)
{
    struct run run;
    run_open(&run,
             "jump\nV1 1 0 pwl(0 0 1m 0 1m 6 1 6)\nC1 1 2 1u\nC2 2 3 2u\nC3 3 0 3u\nR1 3 0 1k\n.tran 10u 1.1m\n.end\n");
    const double charge = 6 / (1 / 1e-6 + 1 / 2e-6 + 1 / 3e-6);
    check_impulse(&run, "i(v1)", "C", -charge);
    CHECK_NEAR(after(&run, "v(2)"), 6 - charge / 1e-6, 1e-6);
    CHECK_NEAR(after(&run, "v(3)"), charge / 3e-6, 1e-6);
    const double left = charge / 3e-6 / 1e3, divider = (2.0 / 3) / (2.0 / 3 + 3); /* of R1's current through C1, C2 */
    CHECK_NEAR(after(&run, "i(v1)"), -left * divider, 1e-8);
    run_close(&run);
}

/* Nonlinear in series with linear: u on C2 = 1u with 1u (w + w^3/3) = C2 u, w + u = 3. */
static void a_nonlinear_charge_in_series_with_a_capacitor(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 0 1m 3 1 3)\nC1 1 2 q='1u*(v(1,2)+v(1,2)^3/3)'\nC2 2 0 1u\nR1 2 0 1meg\n"
                   ".tran 10u 1.1m\n.end\n");
    double w = 1;
    for (int i = 0; i < 50; i++)
        w -= (w + w * w * w / 3 - (3 - w)) / (2 + w * w);
    check_impulse(&run, "i(v1)", "C", -1e-6 * (3 - w));
    CHECK_NEAR(after(&run, "v(2)"), 3 - w, 1e-6);
    run_close(&run);
}

/* The second source stands still, but the charge has to pass it. */
static void a_second_loop_carries_its_share(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 0 1m 4 1 4)\nV2 3 0 1\nC1 1 2 1u\nC2 2 3 2u\nC3 2 0 1u\nC4 1 0 0.5u\n"
                   "R1 2 0 1k\n.tran 10u 1.1m\n.end\n");
    const double middle = 4 * 1e-6 / 4e-6; /* change of v(2) */
    check_impulse(&run, "i(v1)", "C", -(1e-6 * (4 - middle) + 0.5e-6 * 4));
    check_impulse(&run, "i(v2)", "C", 2e-6 * middle);
    CHECK_NEAR(after(&run, "v(2)"), middle, 1e-6);
    CHECK_NEAR(after(&run, "v(3)"), 1, 1e-12);
    run_close(&run);
}

static void a_controlled_source_in_the_loop_jumps_along(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 0 1m 2 1 2)\nR1 1 0 1k\nE1 2 0 1 0 10\nC1 2 0 1u\n.tran 10u 1.1m\n.end\n");
    check_impulse(&run, "i(e1)", "C", -20e-6);
    check_no_impulse(&run, "i(v1)", "C");
    CHECK_NEAR(after(&run, "i(v1)"), -2e-3, 1e-9);
    run_close(&run);
}

static void a_resistance_in_the_loop_makes_the_jump_harmless(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 0 1m 5 1 5)\nR1 1 2 1\nC1 2 0 1u\n.tran 10u 1.1m\n.end\n");
    check_no_impulse(&run, "i(v1)", "C");
    CHECK_NEAR(after(&run, "i(v1)"), -5, 1e-6);
    run_close(&run);
}

static void several_jumps_of_one_source_are_reported_once(void)
{
    struct run run;
    run_open(
        &run,
        "jump\nV1 1 0 pwl(0 0 1m 0 1m 5 1.2m 5 1.2m 0 1.4m 0 1.4m 5 1 5)\nC1 1 0 1u\nR1 1 0 1k\n.tran 10u 2m\n.end\n");
    check_impulse(&run, "i(v1)", "C", -5e-6);
    CHECK_NEAR(last(&run, "i(v1)"), -5e-3, 1e-9);
    run_close(&run);
}

/* Whatever the expression says of the instant itself: it is met from the left, then from the right. */
static void a_jump_in_time_of_an_expression_is_met_from_both_sides(void)
{
    static const char *const jumps[] = {"5*(time>1m)",          "5*(time>=1m)",   "5*u(time-1m)",
                                        "2.5+2.5*sgn(time-1m)", "5-5*(time<=1m)", "time*1k>1 ? 5 : 0"};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char text[200];
        struct run run;
        snprintf(text, sizeof text, "jump\nB1 1 0 V='%s'\nC1 1 0 1u\nR1 1 0 1k\n.tran 10u 2m\n.end\n", jumps[i]);
        run_open(&run, text);
        check_impulse(&run, "i(b1)", "C", -5e-6);
        CHECK_NEAR(after(&run, "v(1)"), 5, 1e-12);
        CHECK_NEAR(after(&run, "i(b1)"), -5e-3, 1e-9);
        run_close(&run);
    }
}

/* ---- current jumps in L-I cutsets ---- */

static void a_current_jump_into_an_inductor_is_its_flux(void)
{
    struct run run;
    run_open(&run, "jump\nI1 0 1 pwl(0 0 1m 0 1m 0.2 1 0.2)\nL1 1 2 1m\nR1 2 0 10\n.tran 10u 1.1m\n.end\n");
    check_impulse(&run, "v(1)", "Wb", 0.2e-3);
    CHECK_NEAR(after(&run, "i(l1)"), 0.2, 1e-9);
    CHECK_NEAR(after(&run, "v(2)"), 2, 1e-8);
    CHECK_NEAR(after(&run, "v(1)"), 2, 1e-6);
    CHECK_NEAR(last(&run, "v(1)"), 2, 1e-6);
    run_close(&run);
}

static void inductors_in_series_add_their_fluxes(void)
{
    struct run run;
    run_open(&run, "jump\nI1 0 1 pwl(0 0 1m 0 1m 0.2 1 0.2)\nL1 1 2 1m\nL2 2 3 2m\nR1 3 0 10\n.tran 10u 1.1m\n.end\n");
    check_impulse(&run, "v(1)", "Wb", 0.6e-3);
    check_impulse(&run, "v(2)", "Wb", 0.4e-3);
    CHECK_NEAR(after(&run, "i(l1)"), 0.2, 1e-9);
    CHECK_NEAR(after(&run, "i(l2)"), 0.2, 1e-9);
    CHECK_NEAR(after(&run, "v(1)"), 2, 1e-6);
    run_close(&run);
}

/* 0.3 A split as 1/L: equal fluxes. */
static void inductors_in_parallel_share_the_current(void)
{
    struct run run;
    run_open(
        &run,
        "jump\nI1 0 1 pwl(0 0 1m 0 1m 0.3 1 0.3)\nL1 1 2 1m\nL2 1 3 2m\nR1 2 0 10\nR2 3 0 10\n.tran 10u 1.1m\n.end\n");
    check_impulse(&run, "v(1)", "Wb", 0.2e-3);
    CHECK_NEAR(after(&run, "i(l1)"), 0.2, 1e-9);
    CHECK_NEAR(after(&run, "i(l2)"), 0.1, 1e-9);
    /* L1 i1' + 2 = L2 i2' + 1 with i1' + i2' = 0: 3m i1' = -1. */
    CHECK_NEAR(after(&run, "v(1)"), 2 - 1.0 / 3, 1e-6);
    run_close(&run);
}

/* M = 0.5 sqrt(1m 4m) = 1m; the secondary is open behind 1 ohm: its current stays 0 at the jump but for the flux M i1.
 */
static void coupled_inductors_pass_the_flux_on(void)
{
    struct run run;
    run_open(&run, "jump\nI1 0 1 pwl(0 0 1m 0 1m 0.2 1 0.2)\nL1 1 0 1m\nL2 2 0 4m\nK1 L1 L2 0.5\nR2 2 0 1\n.tran 10u "
                   "1.1m\n.end\n");
    /* flux of L2 stays: 4m i2 + 1m 0.2 = 0, i2 = -0.05; flux at node 1: 1m 0.2 + 1m i2. */
    check_impulse(&run, "v(1)", "Wb", 0.2e-3 - 0.05e-3);
    CHECK_NEAR(after(&run, "i(l2)"), -0.05, 1e-9);
    CHECK_NEAR(after(&run, "v(2)"), 0.05, 1e-8);
    run_close(&run);
}

static void charge_and_flux_at_one_instant(void)
{
    struct run run;
    run_open(&run,
             "jump\nV1 1 0 pwl(0 0 1m 0 1m 5 1 5)\nC1 1 0 1u\nR1 1 0 1k\nI1 0 2 pwl(0 0 1m 0 1m 0.2 1 0.2)\nL1 2 3 1m\n"
             "R2 3 0 10\n.tran 10u 1.1m\n.end\n");
    check_impulse(&run, "i(v1)", "C", -5e-6);
    check_impulse(&run, "v(2)", "Wb", 0.2e-3);
    run_close(&run);
}

/* ---- corners: no impulse, but index-2 unknowns jump ---- */

static void a_corner_of_the_voltage_is_a_jump_of_the_current(void)
{
    struct run run;
    run_open(&run, "corner\nV1 1 0 pwl(0 0 1m 1 1.5m 0 1 0)\nC1 1 0 1u\nR1 1 0 1k\n.tran 10u 1.1m\n.end\n");
    check_no_impulse(&run, "i(v1)", "C");
    CHECK_NEAR(value(&run, run.before, "i(v1)"), -1e-6 / 1e-3 - 1e-3, 1e-9);
    CHECK_NEAR(after(&run, "i(v1)"), 1e-6 / 0.5e-3 - 1e-3, 1e-12);
    CU_ASSERT_EQUAL(after(&run, "v(1)"), value(&run, run.before, "v(1)"));
    run_close(&run);
}

static void a_corner_of_the_current_is_a_jump_of_the_voltage(void)
{
    struct run run;
    run_open(&run,
             "corner\nI1 0 1 pwl(0 0 1m 0.1 1.5m 0 1 0)\nL1 1 2 1m\nR1 2 0 10\nC1 2 0 1u\n.tran 10u 1.1m\n.end\n");
    check_no_impulse(&run, "v(1)", "Wb");
    CHECK_NEAR(value(&run, run.before, "v(1)") - value(&run, run.before, "v(2)"), 0.1, 1e-7);
    CHECK_NEAR(after(&run, "v(1)") - after(&run, "v(2)"), -0.2, 1e-9);
    CU_ASSERT_EQUAL(after(&run, "v(2)"), value(&run, run.before, "v(2)"));
    run_close(&run);
}

/* The current of the loop feeds an exponential: 1 mA through C1, 1 mA more into the diode, then 2 mA less. */
static void what_depends_on_an_index2_current_follows_the_corner(void)
{
    struct run run;
    run_open(
        &run,
        "corner\nV1 1 0 pwl(0 0 1m 1 1.5m 0 1 0)\nC1 1 0 1u\nF1 0 2 V1 -1\nR2 2 0 1k\nD1 2 0 dm\n.model dm d is=1f\n"
        ".tran 10u 1.1m\n.end\n");
    CHECK_NEAR(after(&run, "i(v1)"), 2e-3, 1e-11);
    const double v = value(&run, run.before, "v(2)"), thermal = 1.380649e-23 * 300.15 / 1.602176634e-19;
    CHECK_NEAR(v / 1e3 + 1e-15 * expm1(v / thermal), 1e-3, 2e-8);
    CHECK_NEAR(after(&run, "v(2)"), -2, 1e-6);
    run_close(&run);
}

static void a_jump_gives_a_row_on_each_side(void)
{
    struct run run;
    run_open(&run, "jump\nV1 1 0 pwl(0 0 1m 1 1m 2 2m 3 1 3)\nR1 1 2 1k\nC1 2 0 1u\n.tran 10u 2.5m\n.end\n");
    CU_ASSERT_EQUAL(run.rows_at_jump, 2);
    run_close(&run);
}

/* ---- .options hidden ---- */

static int hidden_notes(const struct run *run, const char *words)
{
    int count = 0;
    for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++) {
        const struct kn_diagnostic *item = kn_diagnostics_get(run->diagnostics, i);
        count += strcmp(item->code, "hidden-constraint") == 0 && strstr(item->text, words) != NULL;
    }
    return count;
}

static void a_run_says_how_well_hidden_constraints_held_when_asked(void)
{
    static const char deck[] =
        "%s\nV1 1 0 pwl(0 0 1m 1 1m 2 1.5m 0 1 0)\nC1 1 0 1u\nR1 1 0 1k\n.tran 10u 2m\n.options %s\n.end\n";
    char text[300];
    struct run run;
    snprintf(text, sizeof text, deck, "asked", "hidden");
    run_open(&run, text);
    CU_ASSERT_EQUAL(hidden_notes(&run, "C-V loop V1 - C1"), 1);
    run_close(&run);
    snprintf(text, sizeof text, deck, "not asked", "hidden=0");
    run_open(&run, text);
    CU_ASSERT_EQUAL(hidden_notes(&run, ""), 0);
    run_close(&run);
}

/* The gate's loop with the supply is of index 2, its charges nonlinear, and the transistor blocks at the corner, so
 * that hardly any conductance is left between the sources. */
static void a_corner_of_a_switching_converter_keeps_all_charges(void)
{
    static const char *const kept[] = {"v(sw)", "v(out)", "v(o2)", "i(l1)", "v(d1#internal)", "v(g)"};
    struct run run;
    run_open(&run, "buck\n.options saveinternals\nVin in 0 12\nVg g 0 pwl(0 12 0.997m 12 0.99702m 2 0.99998m 2 1m 12 1 12)\n"
                   "M1 sw g in in pm L=1u W=0.2\nD1 0 sw ds\nL1 sw out 22u\nC1 out o2 100u\nResr o2 0 20m\nRL out 0 2\n"
                   ".model pm PMOS(VTO=-2 KP=30u CGSO=3n CGDO=1n CBD=300p)\n"
                   ".model ds D(Is=1e-6 N=1.05 Rs=20m Cjo=200p)\n.tran 10u 1.002m\n.end\n");
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
        const double before = value(&run, run.before, kept[k]);
        CHECK_NEAR(after(&run, kept[k]), before, 1e-6 * fabs(before));
    }
    CU_ASSERT_TRUE(value(&run, run.before, "v(sw)") < 11); /* in the middle of falling */
    check_no_impulse(&run, "i(vin)", "C");
    check_no_impulse(&run, "i(vg)", "C");
    run_close(&run);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_jump_across_a_capacitor_is_its_charge),
        CLAIM(a_jump_across_a_nonlinear_charge_is_the_difference_of_its_charges),
        CLAIM(capacitors_in_series_share_the_jump),
        CLAIM(a_nonlinear_charge_in_series_with_a_capacitor),
        CLAIM(a_second_loop_carries_its_share),
        CLAIM(a_controlled_source_in_the_loop_jumps_along),
        CLAIM(a_resistance_in_the_loop_makes_the_jump_harmless),
        CLAIM(several_jumps_of_one_source_are_reported_once),
        CLAIM(a_jump_in_time_of_an_expression_is_met_from_both_sides),
        CLAIM(a_current_jump_into_an_inductor_is_its_flux),
        CLAIM(inductors_in_series_add_their_fluxes),
        CLAIM(inductors_in_parallel_share_the_current),
        CLAIM(coupled_inductors_pass_the_flux_on),
        CLAIM(charge_and_flux_at_one_instant),
        CLAIM(a_corner_of_the_voltage_is_a_jump_of_the_current),
        CLAIM(a_corner_of_the_current_is_a_jump_of_the_voltage),
        CLAIM(what_depends_on_an_index2_current_follows_the_corner),
        CLAIM(a_corner_of_a_switching_converter_keeps_all_charges),
        CLAIM(a_jump_gives_a_row_on_each_side),
        CLAIM(a_run_says_how_well_hidden_constraints_held_when_asked),
    };
    return run_claims("impulses", claims, sizeof claims / sizeof claims[0]);
}
