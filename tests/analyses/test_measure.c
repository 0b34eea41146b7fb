/* Claims about .measure, against closed forms. */
#include "claims.h"
#include "measurements.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"bdf", "radau", "trap", "rodas", "limex", "trbdf2", "gear", "auto"};

/* A charging capacitor, tau = 10 us: v = 1 - exp(-t/tau) from 0 on. */
static const char charging[] = "charging\n"
                               "V1 in 0 1\n"
                               "R1 in out 1k\n"
                               "C1 out 0 10n\n"
                               ".ic v(out)=0\n"
                               ".tran 1u 50u uic\n"
                               ".measure tran half WHEN v(out)=0.5\n"
                               ".measure tran rise TRIG v(out) VAL=0.1 RISE=1 TARG v(out) VAL=0.9 RISE=1\n"
                               ".measure tran after TRIG AT=5u TARG v(out) VAL=0.9 CROSS=1\n"
                               ".measure tran then FIND v(out) AT=20u\n"
                               ".measure tran there FIND i(C1) WHEN v(out)=0.5\n"
                               ".measure tran mean AVG v(out)\n"
                               ".measure tran charge INTEG i(C1) FROM=10u TO=30u\n"
                               ".measure tran heat INTEG 'i(R1)*v(in,out)'\n"
                               ".measure tran rms RMS v(in,out) TO=20u\n"
                               ".measure tran low MIN i(r1)\n"
                               ".measure tran high MAX v(out) FROM=10u TO=15u\n"
                               ".param twice=2\n"
                               ".measure tran ratio PARAM='twice*heat/charge+1e-3*half^0'\n"
                               ".end\n";

static void charging_capacitor_gives_its_closed_forms_with_every_method(void)
{
    const double tau = 10e-6;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct results *r = run(charging, methods[i], 1e-6);
        CU_ASSERT_EQUAL(r->warnings, 0);
        CHECK_RESULT(r, "half", tau * log(2), 1e-5 * tau);
        CHECK_RESULT(r, "rise", tau * log(9), 5e-5 * tau); /* the slope at 0.9 is a tenth of the first */
        CHECK_RESULT(r, "after", tau * log(10) - 5e-6, 5e-5 * tau);
        CHECK_RESULT(r, "then", 1 - exp(-2), 1e-5);
        CHECK_RESULT(r, "there", 0.5e-3, 2e-8);
        CHECK_RESULT(r, "mean", 1 - (1 - exp(-5)) / 5, 1e-5);
        CHECK_RESULT(r, "charge", 1e-8 * (exp(-1) - exp(-3)), 1e-13);
        CHECK_RESULT(r, "heat", 0.5e-8 * (1 - exp(-10)), 1e-13);
        CHECK_RESULT(r, "rms", sqrt((1 - exp(-4)) / 4), 1e-5);
        CHECK_RESULT(r, "low", 1e-3 * exp(-5), 1e-8);
        CHECK_RESULT(r, "high", 1 - exp(-1.5), 1e-5);
        CHECK_RESULT(r, "ratio", (1 - exp(-10)) / (exp(-1) - exp(-3)) + 1e-3, 1e-4);
    }
}

/* Long steps between few rows: extremes and crossings are those of the waveform, not of the rows. */
static void sine_has_its_peaks_and_crossings(void)
{
    static const char deck[] = "sine\nV1 a 0 SIN(0 2 1k)\nR1 a 0 1k\n.options steprows\n.tran 1u 5m\n"
                               ".meas tran pp PP v(a)\n.meas tran most MAX v(a)\n.meas tran when MAX_AT v(a) TO=1m\n"
                               ".meas tran least MIN_AT v(a) FROM=1m TO=2m\n.meas tran rms RMS v(a) FROM=1m TO=3m\n"
                               ".meas tran third WHEN v(a)=0 CROSS=3\n.meas tran fall WHEN v(a)=1 FALL=2\n"
                               ".meas tran last WHEN v(a)=1 RISE=LAST\n.meas tran later WHEN v(a)=1 RISE=1 TD=2.2m\n"
                               ".meas tran power AVG v(a)*i(R1)\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    CHECK_RESULT(r, "pp", 4, 1e-5);
    CHECK_RESULT(r, "most", 2, 1e-5);
    CHECK_RESULT(r, "when", 0.25e-3, 1e-7); /* flat: the root of the error */
    CHECK_RESULT(r, "least", 1.75e-3, 1e-7);
    CHECK_RESULT(r, "rms", sqrt(2), 1e-5);
    CHECK_RESULT(r, "third", 1.5e-3, 1e-9);
    CHECK_RESULT(r, "fall", 1e-3 + 5e-3 / 12, 1e-9);
    CHECK_RESULT(r, "last", 4e-3 + 1e-3 / 12, 1e-9);
    CHECK_RESULT(r, "later", 3e-3 + 1e-3 / 12, 1e-9);
    CHECK_RESULT(r, "power", 2e-3, 1e-8);
}

/* Steps end at many places beside the peak at 0.25 ms, and the points inside them lie at others. */
static void peaks_are_found_wherever_steps_end(void)
{
    for (int k = 0; k < 40; k++) {
        char deck[300];
        snprintf(deck, sizeof deck,
                 "sine\nV1 a 0 SIN(0 2 1k)\nR1 a 0 1k\n.tran 1u 0.6m 0 %.9gu\n.meas tran when MAX_AT v(a)\n.end\n",
                 11 + 0.37 * k);
        CHECK_RESULT(run(deck, "radau", 1e-8), "when", 0.25e-3, 2e-10);
    }
}

/* All along a level top, which comes again; slow edges, so that the rounding of the time does not decide. */
static void an_extreme_that_lasts_is_where_it_is_met_first(void)
{
    static const char deck[] = "level\nV1 a 0 PULSE(0 1 10u 20u 20u 200u 1m)\nR1 a 0 1k\n"
                               "V3 c 0 PWL(0 -0.88 40u 0.436)\nR3 c 0 1k\n.tran 1u 3.1m\n.meas tran top MAX_AT v(a)\n"
                               ".meas tran floor MIN_AT v(a) FROM=50u\n.meas tran held MAX_AT v(c)\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const struct results *r = run(deck, methods[k], 1e-6);
        CHECK_RESULT(r, "top", 30e-6, 1e-12);
        CHECK_RESULT(r, "floor", 250e-6, 1e-12);
        CHECK_RESULT(r, "held", 40e-6, 1e-12);
    }
}

/* gm = kp W/L (vgs - vto) = 1 mS (0.3 + 0.1 sin) of a MOSFET in saturation, also inside a subcircuit. */
static void quantities_of_devices_are_measured_and_stand_in_formulas(void)
{
    static const char deck[] =
        "gm\nVd d 0 2\nVg g 0 SIN(1 0.1 1k)\nX1 d g part\n.subckt part d g\nM1 d g 0 0 nm w=10u l=1u\n"
        ".ends\n.model nm nmos(vto=0.7 kp=100u)\n.tran 10u 2m\n"
        ".measure tran most MAX @x1.m1[gm]\n.measure tran then FIND par('@x1.m1[gm]*2') AT=1m\n"
        ".measure tran mean AVG @m.x1.m1[id] FROM=0 TO=1m\n.end\n";
    const struct results *r = run(deck, "radau", 1e-6);
    CU_ASSERT_EQUAL(r->warnings, 0);
    CHECK_RESULT(r, "most", 0.4e-3, 1e-9);
    CHECK_RESULT(r, "then", 0.6e-3, 1e-9);
    CHECK_RESULT(r, "mean", 0.5e-3 * (0.09 + 0.01 / 2), 1e-9);
}

/* A jump passes all levels at one time; behind it the new value counts. */
static void jumps_are_crossings(void)
{
    static const char deck[] = "jump\nB1 a 0 V='time >= 1m ? 3 : 0'\nR1 a b 1k\nC1 b 0 10n\n.tran 10u 2m\n"
                               ".meas tran up WHEN v(a)=1 RISE=1\n.meas tran second WHEN v(a)=1 RISE=2\n"
                               ".meas tran at FIND v(a) AT=1m\n.meas tran current FIND i(C1) AT=1m\n"
                               ".meas tran most MAX i(C1)\n.meas tran falls WHEN i(C1)=1m FALL=1\n.end\n";
    const struct results *r = run(deck, "auto", 1e-5);
    CHECK_RESULT(r, "up", 1e-3, 1e-12);
    CU_ASSERT(isnan(result(r, "second")->value));
    CU_ASSERT_EQUAL(r->warnings, 1);
    CHECK_RESULT(r, "at", 3, 1e-9);
    CHECK_RESULT(r, "current", 3e-3, 3e-5);
    CHECK_RESULT(r, "most", 3e-3, 3e-5);
    CHECK_RESULT(r, "falls", 1e-3 + 1e-5 * log(3), 1e-9);
}

static void what_does_not_happen_is_said(void)
{
    static const char deck[] = "never\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.tran 10u 2m 0.5m\n"
                               ".meas tran high WHEN v(a)=2\n.meas tran early FIND v(a) AT=0.2m\n"
                               ".meas tran outside AVG v(a) FROM=3m TO=4m\n.meas tran both TRIG v(a) VAL=0 RISE=1 "
                               "TARG v(a) VAL=0 RISE=9\n.meas tran found WHEN v(a)=0 RISE=1\n.end\n";
    const struct results *r = run(deck, "auto", 1e-4);
    CU_ASSERT_EQUAL(r->count, 5);
    CU_ASSERT_EQUAL(r->warnings, 4);
    for (int i = 0; i < 4; i++)
        CU_ASSERT(isnan(r->items[i].value));
    CHECK_RESULT(r, "found", 1e-3, 1e-8);
}

/* A corner at tstart ends a step there, so the first step that counts begins with the end of one that does not. */
static void a_step_may_end_at_tstart(void)
{
    static const char deck[] = "triangle\nV1 a 0 PWL(0 0 1m 1 2m 0)\nR1 a 0 1k\nC1 a 0 1n\n.tran 10u 3m 1m\n"
                               ".meas tran t1 WHEN v(a)=0.5\n.meas tran mx MAX v(a)\n.meas tran at FIND v(a) AT=1m\n"
                               ".meas tran mean AVG v(a) TO=2m\n.meas tran fall WHEN v(a)=0.999999 FALL=1\n"
                               ".meas tran current FIND i(C1) AT=1m\n.end\n";
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct results *r = run(deck, methods[i], 1e-4);
        CHECK_RESULT(r, "t1", 1.5e-3, 1e-9);
        CHECK_RESULT(r, "mx", 1, 1e-9);
        CHECK_RESULT(r, "at", 1, 1e-9);
        CHECK_RESULT(r, "mean", 0.5, 1e-6);
        CHECK_RESULT(r, "fall", 1e-3 + 1e-9, 1e-10);
        CHECK_RESULT(r, "current", -1e-6, 1e-9);
    }
}

/* Derivatives of voltages, of currents that are derivatives themselves, and of expressions. */
static void derivatives_are_those_of_the_waveform(void)
{
    static const char deck[] = "sine\nV1 a 0 SIN(0 2 1k)\nR1 a 0 1k\nC1 a 0 1u\nR2 a b 1k\nC2 b 0 10n\n.tran 1u 2m\n"
                               ".meas tran steep DERIV v(a) AT=1m\n.meas tran top DERIV v(a) AT=0.25m\n"
                               ".meas tran half DERIV v(a) WHEN v(a)=1 FALL=2\n.meas tran curved DERIV i(C1) AT=0.25m\n"
                               ".meas tran square DERIV v(a)*v(a) AT=0.125m\n.meas tran out DERIV v(b) AT=1.9m\n"
                               ".meas tran never DERIV v(a) WHEN v(a)=5\n.meas tran start DERIV v(a) AT=0\n"
                               ".meas tran end DERIV par('v(a)') AT=2m\n.end\n";
    const double w = 2e3 * acos(-1), tau = 1e-5, gain = 1 / (1 + w * tau * w * tau);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct results *r = run(deck, methods[i], 1e-7);
        CU_ASSERT_EQUAL(r->warnings, 1);
        CHECK_RESULT(r, "steep", 2 * w, 2e-4 * w);
        CHECK_RESULT(r, "top", 0, 2e-4 * w);
        CHECK_RESULT(r, "half", -2 * w * sqrt(0.75), 2e-4 * w);
        CHECK_RESULT(r, "curved", -2e-6 * w * w, 2e-2 * 1e-6 * w * w);
        CHECK_RESULT(r, "square", 4 * w, 4e-4 * w);
        CHECK_RESULT(r, "out", 2 * w * gain * (cos(w * 1.9e-3) + w * tau * sin(w * 1.9e-3)), 2e-3 * w);
        CU_ASSERT(isnan(result(r, "never")->value));
        CHECK_RESULT(r, "start", 2 * w, 2e-3 * w);
        CHECK_RESULT(r, "end", 2 * w, 2e-3 * w);
    }
}

/* ngspice reads such decks; knoten runs them, too, and says what fails. */
static void a_card_that_cannot_be_read_fails_alone(void)
{
    static const char deck[] = "odd\nV1 a 0 SIN(0 1 10k)\nR1 a 0 1k\n.tran 1u 100u\n.measure tran a DERIV v(a) AT=10u\n"
                               ".measure tran b MAX v(a)\n.measure tran b MIN v(a)\n.measure tran c FOO v(a)\n"
                               ".measure tran d MAX v(nosuch)\n.measure tran e PARAM='2*b'\n"
                               ".measure tran f MAX v(a) RISE=1 GOAL=2 MINVAL 3\n.measure tran g EQN='b+c'\n.end\n";
    const struct results *r = run(deck, "auto", 1e-5);
    CU_ASSERT_EQUAL_FATAL(r->count, 8);
    CHECK_RESULT(r, "a", 2e4 * acos(-1) * cos(0.2 * acos(-1)), 100);
    CHECK_NEAR(r->items[1].value, 1, 1e-5);
    CHECK_NEAR(r->items[2].value, -1, 1e-5);
    CU_ASSERT_STRING_EQUAL(r->names[2], "b");
    CU_ASSERT(isnan(result(r, "c")->value) && isnan(result(r, "d")->value) && isnan(result(r, "g")->value));
    CHECK_RESULT(r, "e", -2, 2e-5);
    CHECK_RESULT(r, "f", 1, 1e-5);
}

/* Newton iterations of a charge pump, which is measured as the card says. */
static long iterations_with(const char *card, const char *method)
{
    static const char pump[] =
        "doubler\nVin n0 0 4.2\nVp p 0 PULSE(0 5 0 50n 50n 1.2u 2.5u)\nRp p p1 7\n"
        ".model mn NMOS(level=1 vto=0.5 kp=150u gamma=0.5 lambda=0.06 tox=13n cgso=280p cgdo=170p)\n"
        "M0 n0 n0 n1 0 mn w=50u l=1u\nC0 n1 p1 16p\nM1 n1 n1 n2 0 mn w=50u l=1u\n"
        "C1 n2 0 80p\nR1 n2 0 4meg\n.tran 0.1u 20u\n";
    static struct results r;
    char deck[1000];
    snprintf(deck, sizeof deck, "%s%s\n.end\n", pump, card);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {&r, begin, row, end};
    struct kn_summary summary = {0};
    const struct kn_options options = {.method = method, .measured = take, .context = &r};
    r.count = 0;
    CU_ASSERT_EQUAL(run_text(deck, &options, d, &sink, &summary), KN_OK);
    kn_diagnostics_free(d);
    return summary.newton_iterations;
}

/* The supply's current jumps with Meyer's capacitances, and points within steps are as exact as Newton's method has made them: neither
 * is looked into further than the mean needs. */
static void means_of_currents_cost_little_beside_the_run(void)
{
    static const char *const integrators[] = {"bdf", "radau", "auto"};
    for (size_t i = 0; i < sizeof integrators / sizeof integrators[0]; i++) {
        const long without = iterations_with("", integrators[i]);
        const long current = iterations_with(".meas tran a AVG i(Vin)", integrators[i]);
        const long voltage = iterations_with(".meas tran a RMS v(n2)", integrators[i]);
        CU_ASSERT(current < 4 * without); /* 18 to 33 times where jumps were located to 1e-9 of a step */
        CU_ASSERT(voltage < 2 * without); /* 5 to 9 times */
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(charging_capacitor_gives_its_closed_forms_with_every_method),
        CLAIM(sine_has_its_peaks_and_crossings),
        CLAIM(peaks_are_found_wherever_steps_end),
        CLAIM(an_extreme_that_lasts_is_where_it_is_met_first),
        CLAIM(quantities_of_devices_are_measured_and_stand_in_formulas),
        CLAIM(jumps_are_crossings),
        CLAIM(what_does_not_happen_is_said),
        CLAIM(a_step_may_end_at_tstart),
        CLAIM(derivatives_are_those_of_the_waveform),
        CLAIM(a_card_that_cannot_be_read_fails_alone),
        CLAIM(means_of_currents_cost_little_beside_the_run),
    };
    return run_claims("measurements", claims, sizeof claims / sizeof claims[0]);
}
