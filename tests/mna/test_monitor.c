/* test_monitor.c - residuals of hidden constraints: zero where values are consistent, the size of what was disturbed
 * where they are not. */
#include "deck.h"

#include "mna/start/consistent.h"
#include "mna/watch/monitor.h"

/* The residuals that the notes give for consistent values of which one is moved by `part` of itself. */
static bool look(struct deck *s, const char *text, const char *moved, double part, const double *dxdt)
{
    struct monitor *monitor = NULL;
    if (!deck_open(s, text))
        return false;
    double *still = calloc((size_t)mna_unknown_count(s->mna), sizeof *still);
    enum kn_status status = still ? deck_make_consistent(s, 0, 1e-6, true) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = monitor_new(s->mna, s->topology, &monitor);
    if (moved)
        s->x[deck_unknown(s, moved)] *= 1 + part;
    if (status == KN_OK)
        status = monitor_look(monitor, 0, s->x, dxdt ? dxdt : still);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        monitor_report(monitor, s->diagnostics);
    monitor_free(monitor);
    free(still);
    return true;
}

/* Number in the note that mentions these names; NaN without one. */
static double residual(const struct deck *s, const char *names)
{
    static const char before[] = "adds to zero within ";
    for (size_t i = 0; i < kn_diagnostics_count(s->diagnostics); i++) {
        const char *text = kn_diagnostics_get(s->diagnostics, i)->text, *at = strstr(text, before);
        if (strstr(text, names) && at)
            return strtod(at + strlen(before), NULL);
    }
    return NAN;
}

static const char cv_loop[] = "loop\nV1 1 0 sin(0 1 1k)\nC1 1 0 1u\nR1 1 2 1k\nC2 2 0 1u ic=0.3\n.end\n";
static const char nonlinear[] = "loop\nV1 1 0 sin(1.5 2 1k)\nC1 0 1 q='1u*v(0,1)-0.1u*v(0,1)^2'\nR1 1 0 1k\n.end\n";
static const char series[] =
    "loop\nV1 1 0 sin(0 1 1k)\nV2 4 3 sin(1 1 2k)\nC1 2 1 1u\nC2 3 2 2u\nC3 4 0 3u\nR1 2 0 1k\n.end\n";
static const char li_cutset[] = "cutset\nI1 0 1 sin(0 1m 1k)\nL1 1 2 10m\nR1 2 0 100\n.end\n";
static const char inner[] =
    "cutset\nI1 0 1 sin(0 1m 1k)\nR2 1 3 50\nC3 1 3 1n\nL1 3 2 10m\nL2 4 3 20m\nR1 2 0 100\nR4 4 0 1\n.end\n";
static const char chain[] = "cutset\nI1 0 1 sin(0 1m 1k)\nL1 1 2 10m\nL2 2 3 10m\nR1 3 0 100\n.end\n";
static const char miller[] =
    "miller\nVin in 0 sin(0 1 1k)\nR1 in n 1k\nC1 n 0 0.1u\nC2 n out 0.01u\nE1 out 0 0 n 50\n.end\n";

static void consistent_values_leave_no_residual(void)
{
    const char *const texts[] = {cv_loop, nonlinear, series, li_cutset, inner, chain, miller};
    const char *const names[] = {"V1 - C1", "V1 - C1", "V1", "I1 - L1", "L-I cutset", "I1 - L1", "E1"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        struct deck s;
        if (!look(&s, texts[k], NULL, 0, NULL))
            continue;
        const double left = residual(&s, names[k]);
        CHECK_NEAR(left, 0, 1e-7);
        if (!(left <= 1e-7))
            deck_print(&s);
        deck_close(&s);
    }
}

/* V1 rests, so that the slope is a difference of two currents: i(v1) too large by 1e-9 of itself is no error of 1. */
static void a_quiet_loop_is_measured_by_its_currents(void)
{
    struct deck s;
    if (!look(&s, "loop\nV1 1 0 5\nC1 1 0 1u\nR1 1 0 1k\n.end\n", "i(v1)", 1e-9, NULL))
        return;
    CHECK_NEAR(residual(&s, "C-V loop V1 - C1"), 0.5e-9, 1e-12);
    deck_close(&s);
}

/* i(v1) = -C dV/dt - ..: a relative error of the current is one of the capacitor's slope. */
static void an_error_of_the_loop_current_is_seen(void)
{
    struct deck s;
    if (!look(&s, "loop\nV1 1 0 sin(0 1 1k)\nC1 1 0 1u\nR1 1 0 1k\n.end\n", "i(v1)", 0.01, NULL))
        return;
    CHECK_NEAR(residual(&s, "C-V loop V1 - C1"), 0.01 / 1.01, 1e-4);
    deck_close(&s);
}

static void an_error_of_the_cutset_voltage_is_seen(void)
{
    struct deck s;
    if (!look(&s, li_cutset, "v(1)", 0.01, NULL))
        return;
    CHECK_NEAR(residual(&s, "L-I cutset I1 - L1"), 0.01 / 1.01, 1e-4);
    deck_close(&s);
}

/* The control has no charge: its slope comes from the integrator. */
static void slopes_without_charge_are_taken_from_the_run(void)
{
    static const char text[] = "control\nV1 1 0 sin(0 1 1k)\nR1 1 2 1k\nR2 2 0 1k\nE1 3 0 2 0 10\nC1 3 0 1u\n.end\n";
    const double slope = 2e3 * acos(-1), dxdt[] = {slope, slope / 2, 5 * slope, 0, 0};
    struct deck s;
    if (!look(&s, text, NULL, 0, dxdt))
        return;
    CHECK_NEAR(residual(&s, "E1"), 0, 1e-7);
    deck_close(&s);
}

static void without_hidden_constraints_that_is_said(void)
{
    struct deck s;
    if (!look(&s, "rc\nV1 1 0 1\nR1 1 2 1k\nC1 2 0 1u\n.end\n", NULL, 0, NULL))
        return;
    CU_ASSERT(deck_mentions(deck_said(&s, "hidden-constraint"), "no hidden constraints"));
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(consistent_values_leave_no_residual),          CLAIM(a_quiet_loop_is_measured_by_its_currents),
        CLAIM(an_error_of_the_loop_current_is_seen),         CLAIM(an_error_of_the_cutset_voltage_is_seen),
        CLAIM(slopes_without_charge_are_taken_from_the_run), CLAIM(without_hidden_constraints_that_is_said),
    };
    return run_claims("monitor", claims, sizeof claims / sizeof claims[0]);
}
