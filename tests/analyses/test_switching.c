/* test_switching.c - comparisons in sources: the run restarts where they switch, found to the accuracy of the method.
 */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <string.h>

enum { MOST_SWITCHES = 100 };

/* When the first waveform changes its sign. */
struct watch {
    double before, times[MOST_SWITCHES];
    int count;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context;
    CU_ASSERT(table->column_count >= 2);
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct watch *w = context;
    if (values[1] * w->before < 0 && w->count < MOST_SWITCHES)
        w->times[w->count++] = values[0];
    w->before = values[1];
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static struct kn_summary run(const char *deck, const char *method, double reltol, struct watch *w)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {w, begin, row, end};
    const struct kn_options options = {.method = method, .reltol = reltol};
    struct kn_summary summary = {0};
    memset(w, 0, sizeof *w);
    enum kn_status status = run_text(deck, &options, d, &sink, &summary);
    for (size_t i = 0; status != KN_OK && i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    CU_ASSERT(status == KN_OK);
    kn_diagnostics_free(d);
    return summary;
}

/* The capacitor goes to and fro between +-2.5 V on its way to +-5 V: half a period is R C ln 3. */
static void relaxation_oscillator_has_its_period_with_every_method(void)
{
    static const char deck[] = "relaxation oscillator\n"
                               "Bc out 0 V='v(c) > v(fb) ? -5 : 5'\n"
                               "Rf out fb 10k\n"
                               "Rg fb 0 10k\n"
                               "R1 out c 10k\n"
                               "C1 c 0 10n ic=0\n"
                               ".tran 1u 2m uic\n"
                               ".save v(out)\n"
                               ".end\n";
    static const char *const methods[] = {"bdf", "radau", "rodas", "limex", "trbdf2", "gear", "auto"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct watch w;
        const struct kn_summary s = run(deck, methods[i], 1e-5, &w);
        CU_ASSERT_EQUAL(w.count, 18);
        CHECK_NEAR(w.times[0], 1e-4 * log(2), 1e-8);
        for (int k = 1; k < w.count; k++)
            CHECK_NEAR(w.times[k] - w.times[k - 1], 1e-4 * log(3), 1e-8);
        CU_ASSERT(s.steps_rejected <= s.steps_accepted / 20); /* without restarts every jump costs some ten of them */
    }
}

/* The circuit of an ideal diode with a kink: what is continuous costs one restart, not one in every period. */
static void continuous_comparisons_are_left_alone(void)
{
    static const char compared[] = "kink\nV1 in 0 SIN(0 1 1k)\nB1 o 0 I='v(in)>0 ? -v(in)^2*1m : 0'\nR1 o 0 1k\nC1 o 0 "
                                   "100n\n.tran 10u 20m\n.end\n";
    static const char written_with_max[] =
        "kink\nV1 in 0 SIN(0 1 1k)\nB1 o 0 I='-max(v(in),0)^2*1m'\nR1 o 0 1k\nC1 o 0 "
        "100n\n.tran 10u 20m\n.end\n";
    struct watch w;
    const struct kn_summary a = run(compared, "bdf", 1e-4, &w), b = run(written_with_max, "bdf", 1e-4, &w);
    CU_ASSERT(a.steps_accepted < b.steps_accepted * 1.1);
}

/* A comparator without hysteresis in its own loop holds the voltage at its threshold. */
static void sliding_comparator_holds_the_threshold(void)
{
    static const char deck[] = "slides\nB1 out 0 V='5*sgn(1-v(c))'\nR1 out c 10k\nC1 c 0 10n ic=0\nB2 far 0 "
                               "V='v(c)-1.01'\n.tran 1u 100u uic\n.save v(far)\n.end\n";
    struct watch w;
    run(deck, "radau", 1e-3, &w);
    CU_ASSERT_EQUAL(w.count, 0); /* never 10 mV above */
    CHECK_NEAR(w.before, -0.01, 0.005);
}

/* A switch with hysteresis: the capacitor rises to 7 V through 10 kohm from 10 V and falls to 3 V through 1 kohm. */
static void switch_with_hysteresis_turns_at_its_thresholds(void)
{
    static const char deck[] = "hysteresis\nV1 in 0 10\nR1 in c 10k\nC1 c 0 10n ic=0\nS1 c 0 c 0 sm\n"
                               ".model sm sw(vt=5 vh=2 ron=1k roff=1e15)\n"
                               "B1 near 0 V='i(Vs) > 1e-3 ? 1 : -1'\nS2 s 0 c 0 sm\nVs one s 0\nV2 one 0 3\n"
                               ".tran 1u 1m uic\n.save v(near)\n.end\n";
    static const char *const methods[] = {"bdf", "radau", "rodas", "limex", "trbdf2", "gear", "auto"};
    const double rise = 1e-4 * log(10. / 3), again = 1e-4 * log(7. / 3), low = 10. / 11;
    const double fall = 1e-8 / (1e-3 + 1e-4) * log((7 - low) / (3 - low));
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct watch w;
        run(deck, methods[i], 1e-5, &w);
        CU_ASSERT_EQUAL(w.count, 20);
        CHECK_NEAR(w.times[0], rise, 1e-8);
        for (int k = 1; k < w.count; k++)
            CHECK_NEAR(w.times[k] - w.times[k - 1], k % 2 ? fall : again, 1e-8);
    }
}

/* At its first switching there is no voltage across it, so that the equations agree on both sides; it must switch
 * later. */
static void switch_that_closes_at_zero_voltage_is_not_given_up(void)
{
    static const char deck[] = "zero voltage\nVc c 0 PULSE(0 1 1u 1n 1n 1u 2u)\nV1 in 0 PWL(0 0 4u 0 4.1u 1)\n"
                               "R1 in a 1k\nS1 a 0 c 0 sm\nC1 a 0 1p\n.model sm sw(vt=0.5 ron=1)\n"
                               "B1 far 0 V='v(a)-0.5'\n.tran 10n 10u 0 10n\n.save v(far)\n.end\n";
    struct watch w;
    const struct kn_summary s = run(deck, "bdf", 1e-4, &w);
    /* off from 4 us on, 0.5 V 50 ns and a time constant of 1 ns later; on at 5, off at 6, .. on at 9 */
    static const double after[] = {4.051e-6, 5e-6, 6e-6, 7e-6, 8e-6, 9e-6};
    CU_ASSERT_EQUAL_FATAL(w.count, 6);
    for (int k = 0; k < w.count; k++)
        CHECK_NEAR(w.times[k], after[k], 1e-8); /* rows are a step apart */
    CU_ASSERT(s.steps_rejected <= s.steps_accepted / 20);
}

/* The polynomial p = 0.5 v(in)^2 has no expression to ask for switches.  v(p) - 1/8 changes its sign where |v(in)| =
 * 1/2. */
static void polynomial_beside_a_switch_is_no_switch(void)
{
    static const char deck[] = "polynomial\nV1 in 0 SIN(0 1 1k)\nE1 p 0 POLY(1) in 0 0 0 0.5\nR1 p 0 1k\n"
                               "B1 q 0 V='v(in)>0.2 ? 1 : 0'\nR2 q 0 1k\nB2 far 0 V='v(p)-0.125'\n"
                               ".tran 2u 0.5m\n.save v(far)\n.end\n";
    struct watch w;
    run(deck, "bdf", 1e-4, &w);
    CU_ASSERT_EQUAL_FATAL(w.count, 2);
    CHECK_NEAR(w.times[0], 1e-3 / 12, 1e-5); /* rows are a step apart */
    CHECK_NEAR(w.times[1], 5e-3 / 12, 1e-5);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(relaxation_oscillator_has_its_period_with_every_method),
        CLAIM(continuous_comparisons_are_left_alone),
        CLAIM(switch_with_hysteresis_turns_at_its_thresholds),
        CLAIM(switch_that_closes_at_zero_voltage_is_not_given_up),
        CLAIM(sliding_comparator_holds_the_threshold),
        CLAIM(polynomial_beside_a_switch_is_no_switch),
    };
    return run_claims("switching", claims, sizeof claims / sizeof claims[0]);
}
