/* Claims about the forms of .measure that programs have, for tran, ac, dc and noise: against closed forms, and of random
 * waveforms against their definition on dense rows, which the test applies by itself. */
#include "claims.h"
#include "measurements.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* ---- transients ---- */

/* Levels, points and windows that other results give, and windows between events. */
static void results_may_be_used_by_others(void)
{
    static const char deck[] =
        "dependent\nV1 a 0 SIN(0 2 1k)\nR1 a 0 1k\n.tran 1u 5m\n.param part=0.5\n"
        ".meas tran top MAX v(a) TO=1m\n.meas tran t30 WHEN v(a)={part*top} RISE=1\n"
        ".meas tran t150 WHEN v(a)='part*top' FALL=1\n.meas tran at FIND v(a) AT='t30+1/12k'\n"
        ".meas tran rms RMS v(a) FROM=t30 TO='t30+2m'\n.meas tran av AVG v(a) TRIG v(a) VAL=0 RISE=1 TARG v(a) VAL=0 "
        "FALL=2\n"
        ".meas tran width TRIG v(a)=part*top RISE=2 TARG v(a)=part * top FALL=2\n"
        ".meas tran sum PARAM top + 2*t30/1m\n.meas tran none MAX v(a) FROM=nix\n.meas tran nix WHEN v(a)=5\n"
        ".meas tran after MAX v(a) FROM=nix\n.end\n";
    const struct results *r = run(deck, "radau", 1e-7);
    CHECK_RESULT(r, "top", 2, 1e-6);
    CHECK_RESULT(r, "t30", 1e-3 / 12, 1e-10);
    CHECK_RESULT(r, "t150", 5e-3 / 12, 1e-10);
    CHECK_RESULT(r, "at", 2 * sin(PI / 6 + 2 * PI * 1e3 / 12e3), 1e-6);
    CHECK_RESULT(r, "rms", sqrt(2), 1e-6);
    CHECK_RESULT(r, "av", 4 / PI, 1e-5); /* half a wave: at 0 it does not rise through 0 */
    CHECK_RESULT(r, "width", 1e-3 / 3, 1e-9);
    CHECK_RESULT(r, "sum", 2 + 2.0 / 12, 1e-5);
    CU_ASSERT(isnan(result(r, "after")->value));
}

/* On for 0.31 of each period of 1 ms, and where it begins and ends. */
static void pulses_have_their_duty_and_frequency(void)
{
    static const char deck[] =
        "pulses\nV1 a 0 PULSE(0 5 0.1m 10u 10u 0.3m 1m)\nR1 a 0 1k\n.tran 1u 5.05m\n"
        ".meas tran duty DUTY v(a) ON=2.5 OFF=2.5 FROM=0.05m\n.meas tran f FREQ v(a) ON=4 OFF=1\n"
        ".meas tran on ON_TIME v(a) ON=2.5\n.meas tran off OFF_TIME v(a) OFF=2.5\n"
        ".meas tran hyst DUTY v(a) ON=4 OFF=1 FROM=0.05m\n.meas tran lost DUTY v(a)\n"
        ".meas tran never FREQ v(a) ON=7 DEFAULT_VAL=-1\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    CHECK_RESULT(r, "duty", 0.31, 1e-6);
    CHECK_RESULT(r, "f", 1e3, 1e-3);
    CHECK_RESULT(r, "on", 0.31e-3, 1e-9);
    CHECK_RESULT(r, "off", 0.69e-3, 1e-9);
    CHECK_RESULT(r, "hyst", 0.31, 1e-6); /* on at 0.108, off at 0.418 ms */
    CU_ASSERT(isnan(result(r, "lost")->value));
    CHECK_RESULT(r, "never", -1, 0);
    CU_ASSERT(!result(r, "never")->found);
    CU_ASSERT_EQUAL(r->warnings, 2);
}

/* A damped sine: its extremes lie where tan(w t) = w tau, not at quarters of the period. */
static void windows_may_be_rises_and_falls(void)
{
    static const char deck[] =
        "runs\nV1 a 0 SIN(0 1 1k 0 200)\nR1 a 0 1k\n.tran 1u 5.6m\n"
        ".meas tran m1 MAX v(a) FALL=1\n.meas tran m2 MAX v(a) RISE=2\n.meas tran n2 MIN v(a) RISE=2\n"
        ".meas tran n3 MIN v(a) FALL=3\n.meas tran last MAX v(a) RISE=LAST\n"
        ".meas tran lv AVG v(a) RISE=2 RFC_LEVEL=0\n.meas tran at MAX_AT v(a) RISE=2\n"
        ".meas tran out MAX v(a) RISE=3 OUTPUT=TIME\n.meas tran no MAX v(a) RISE=9\n.end\n";
    const double w = 2e3 * PI, damping = 200, quarter = atan(w / damping) / w, half = 0.5e-3;
    const double top = exp(-damping * quarter) * sin(w * quarter), down = exp(-damping * half);
    const struct results *r = run(deck, "radau", 1e-8);
    CHECK_RESULT(r, "m1", top, 1e-6);
    CHECK_RESULT(r, "m2", top * down * down, 1e-6);
    CHECK_RESULT(r, "n2", -top * down, 1e-6);
    CHECK_RESULT(r, "n3", -top * pow(down, 5), 1e-6);
    CHECK_RESULT(r, "last", top * pow(down, 10), 1e-6);
    CHECK_RESULT(r, "at", quarter + 2 * half, 1e-8);
    CHECK_RESULT(r, "out", quarter + 4 * half, 1e-8);
    /* integral of e^(-d t) sin(w t) over the half wave that begins at 2 ms: at 0 it does not rise through 0 */
    CHECK_RESULT(r, "lv", pow(down, 4) * w / (w * w + damping * damping) * (1 + down) / half, 1e-6);
    CU_ASSERT(isnan(result(r, "no")->value));
}

/* Of x = 1 + t/1ms and its neighbour 1.1 x: relative errors of 0.1; of x and x + 1, 1/x and its means. */
static void errors_are_means_over_time(void)
{
    static const char deck[] =
        "errors\nV1 a 0 PWL(0 1 1m 2)\nB1 b 0 V=1.1*v(a)\nB2 c 0 V=v(a)+1\nR1 a 0 1\nR2 b 0 1\nR3 c 0 1\n"
        ".tran 1u 1m\n.meas tran e1 ERR1 v(a) v(b)\n.meas tran e ERR v(a) v(c)\n"
        ".meas tran e2 ERR2 v(a) v(c)\n.meas tran e3 ERR3 v(c) v(a) FROM=0.5m\n"
        ".meas tran part ERR2 v(a) v(c) YMIN=1.5\n.meas tran least ERR2 v(a) v(c) MINVAL=2\n.end\n";
    const struct results *r = run(deck, "radau", 1e-7);
    CHECK_RESULT(r, "e1", 0.1, 1e-6);
    CHECK_RESULT(r, "e", sqrt(0.5), 1e-6); /* integral of 1/x^2 from 1 to 2 */
    CHECK_RESULT(r, "e2", log(2), 1e-6);
    double sum = 0; /* Simpson's rule of log((x+1)/x)/log(x+1) over x from 1.5 to 2 */
    for (int k = 0; k <= 1000; k++) {
        const double x = 1.5 + 0.5 * k / 1000.0;
        sum += (k % 1000 == 0 ? 1 : k % 2 ? 4 : 2) * log((x + 1) / x) / log(x + 1) / 3000;
    }
    CHECK_RESULT(r, "e3", sum, 1e-6);
    CHECK_RESULT(r, "part", log(2 / 1.5) / 0.5, 1e-5);
    CHECK_RESULT(r, "least", 0.5, 1e-6);
}

/* Corners inside steps cost no accuracy: |sin| and what a comparison switches are integrated up to them. */
static void corners_are_found(void)
{
    static const char deck[] = "corners\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.tran 1u 3m\n.meas tran av AVG abs(v(a))\n"
                               ".meas tran on AVG 'v(a) > 0.5 ? 1 : 0'\n.meas tran clip RMS min(v(a),0.5)\n"
                               ".meas tran d DERIV abs(v(a)) AT=0.6m\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-7);
    CHECK_RESULT(r, "av", 2 / PI, 1e-6);
    CHECK_RESULT(r, "on", 1.0 / 3, 1e-6);
    CHECK_RESULT(r, "clip", sqrt((0.25 * 2 * PI / 3 + PI - PI / 3 - sqrt(3) / 4) / (2 * PI)), 1e-6);
    CHECK_RESULT(r, "d", -2e3 * PI * cos(1.2 * PI), 0.1);
}

static void goals_and_the_rest_of_other_programs_words(void)
{
    static const char deck[] = "words\nV1 a 0 SIN(0 2 1k)\nR1 a 0 1k\n.tran 1u 2m\n"
                               ".MEAS TRAN g MAX V(a) GOAL=2.5 WEIGHT=3 MINVAL=1e-9 PRECISION=3 PRINT=ALL\n"
                               ".Measure Tran i INTEGRAL v(a) from=0 to=0.5m\n.meas bare find v(a) at=0.25m\n"
                               ".meas tran trig TRIG AT=0.1m TARG WHEN v(a)=1 RISE=1 TD=0.5m\n"
                               ".meas tran r1 TRIG v(a) RISE=1 VAL=1 TARG v(a) VAL=1 RISE=2\n"
                               ".meas tran e EQN='g*2'\n.meas tran p1 PP v(a) FROM=0 TO=0.5m\n.end\n";
    const struct results *r = run(deck, "radau", 1e-7);
    CU_ASSERT_EQUAL(r->warnings, 0);
    CHECK_RESULT(r, "g", 2, 1e-6);
    CU_ASSERT_EQUAL(result(r, "g")->goal, 2.5);
    CU_ASSERT_EQUAL(result(r, "g")->weight, 3);
    CHECK_RESULT(r, "i", 2e-3 / PI, 1e-9);
    CHECK_RESULT(r, "bare", 2, 1e-6);
    CHECK_RESULT(r, "trig", 1e-3 + 1e-3 / 12 - 0.1e-3, 1e-9);
    CHECK_RESULT(r, "r1", 1e-3, 1e-9);
    CHECK_RESULT(r, "e", 4, 1e-6);
    CHECK_RESULT(r, "p1", 2, 1e-5);
}

/* ---- random waveforms against their definition ---- */

static unsigned long long state;

static double uniform(double from, double to)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(state >> 11) / 9007199254740992.0;
}

/* A polygon into two low-passes; rows so dense that trapezoids and straight lines between them are exact enough. */
static void make_deck(char *deck, size_t size)
{
    int used = snprintf(deck, size, "random\nR1 a b 1k\nC1 b 0 30n\nR2 b out 3k\nC2 out 0 5n\nV1 a 0 PWL(0 0");
    double t = 0;
    while (t < 0.9e-3)
        used += snprintf(deck + used, size - (size_t)used, " %.9g %.9g", t += uniform(5e-6, 80e-6), uniform(-3, 3));
    snprintf(
        deck + used, size - (size_t)used,
        ")\n.save v(out)\n.options reltol=1e-7\n.tran 0.1u 1m 0 0.1u\n.meas tran av AVG v(out) FROM=0.1m TO=0.83m\n"
        ".meas tran rms RMS v(out)\n.meas tran hi MAX v(out)\n.meas tran lo MIN v(out) FROM=0.2m TO=0.7m\n"
        ".meas tran at MAX_AT v(out)\n.meas tran ups WHEN v(out)=0.1 RISE=2\n.meas tran all WHEN v(out)=0.1 "
        "CROSS=LAST\n"
        ".meas tran then FIND v(out) AT=0.5m\n.meas tran duty DUTY v(out) ON=0.2 OFF=0.2\n"
        ".meas tran i INTEG v(out)*v(out) FROM=0.3m\n.meas tran mid WHEN v(out)='(hi+lo)/2' FALL=1\n"
        ".meas tran run MAX v(out) RISE=2 RFC_LEVEL=0.1\n.end\n");
}

struct defined {
    double sum, square, span, high, low, at, cross[2], on;
    long rises, falls;
};

/* part: only from a to b; level: whose crossings count; NaN where there are too few. */
static struct defined define(const struct results *r, double a, double b, double level, long rise, long fall)
{
    struct defined d = {.high = -INFINITY, .low = INFINITY, .cross = {NAN, NAN}};
    for (long i = 1; i < r->rows; i++) {
        double t0 = r->time[i - 1], t1 = r->time[i], y0 = r->value[i - 1], y1 = r->value[i];
        const double slope = (y1 - y0) / (t1 - t0), from = fmax(t0, a), to = fmin(t1, b);
        if (!(t1 > t0))
            continue;
        const double crossing = t0 + (level - y0) / (y1 - y0) * (t1 - t0);
        if (y0 < level && y1 >= level && (++d.rises == rise || rise == 0))
            d.cross[0] = crossing;
        if (y0 > level && y1 <= level && (++d.falls == fall || fall == 0))
            d.cross[1] = crossing;
        if (from < to) {
            y1 = y0 + slope * (to - t0);
            y0 += slope * (from - t0);
            t0 = from;
            t1 = to;
            d.sum += (y0 + y1) / 2 * (t1 - t0);
            d.square += (y0 * y0 + y0 * y1 + y1 * y1) / 3 * (t1 - t0);
            d.span += t1 - t0;
            d.at = y1 > d.high ? t1 : d.at;
            d.high = fmax(d.high, fmax(y0, y1));
            d.low = fmin(d.low, fmin(y0, y1));
            const double above = y0 >= level && y1 >= level ? 1
                                 : y0 < level && y1 < level ? 0
                                                            : fabs((fmax(y0, y1) - level) / (y1 - y0));
            d.on += above * (t1 - t0);
        }
    }
    return d;
}

static void check_defined(const struct results *r, const char *name, double expected, double tolerance)
{
    const double value = result(r, name)->value;
    if (isnan(expected))
        CU_ASSERT(isnan(value))
    else
        CHECK_RESULT(r, name, expected, tolerance);
}

/* Lines between rows 0.1 us apart miss a peak by h^2/8 times the largest curvature, 6 V over the time constants of 30 and 15 us. */
static const double BELOW_PEAK = 1e-14 / 8 * 6 / (30e-6 * 15e-6);

static void random_waveforms_give_what_dense_rows_give(void)
{
    for (unsigned seed = 1; seed <= 15; seed++) {
        char deck[8000];
        state = seed;
        make_deck(deck, sizeof deck);
        const struct results *r = run(deck, seed % 3 == 0 ? "radau" : seed % 3 == 1 ? "bdf" : "rodas", 1e-7);
        const struct defined whole = define(r, 0, 1e-3, 0.1, 2, 1), part = define(r, 0.2e-3, 0.7e-3, 0.1, 0, 0);
        const double last = fmax(isnan(part.cross[0]) ? -1 : part.cross[0], isnan(part.cross[1]) ? -1 : part.cross[1]);
        check_defined(r, "rms", sqrt(whole.square / whole.span), 2e-6);
        check_defined(r, "hi", whole.high, BELOW_PEAK);
        check_defined(r, "at", whole.at, 2e-7);
        check_defined(r, "lo", part.low, BELOW_PEAK);
        check_defined(r, "ups", whole.cross[0], 2e-9);
        check_defined(r, "all", last < 0 ? NAN : last, 2e-9);
        const struct defined average = define(r, 0.1e-3, 0.83e-3, 0.2, 0, 0);
        CHECK_RESULT(r, "av", average.sum / average.span, 1e-6);
        check_defined(r, "duty", define(r, 0, 1e-3, 0.2, 0, 0).on / 1e-3, 1e-5);
        check_defined(r, "i", define(r, 0.3e-3, 1e-3, 0, 0, 0).square, 1e-8);
        check_defined(r, "mid", define(r, 0, 1e-3, (whole.high + part.low) / 2, 1, 1).cross[1], 5e-9);
        if (!isnan(whole.cross[0])) {
            double until = 1e-3;
            for (long i = r->rows - 1; i > 0; i--)
                until = r->time[i] > whole.cross[0] && r->value[i] <= 0.1 && r->value[i - 1] > 0.1 ? r->time[i] : until;
            check_defined(r, "run", define(r, whole.cross[0] - 1e-7, until, 0, 0, 0).high, BELOW_PEAK);
        }
    }
}

/* ---- ac, dc, noise ---- */

/* A resonance: Q = 20 at 10 kHz, points that miss it; what is between them is solved for. */
static void frequencies_are_exact_between_points(void)
{
    const double f0 = 1e4, q = 20, c = 1e-9, l = 1 / (4 * PI * PI * f0 * f0 * c), r0 = sqrt(l / c) / q;
    char deck[1600];
    snprintf(
        deck, sizeof deck,
        "resonance\nV1 in 0 AC 2 30\nR1 in a %.17g\nL1 a out %.17g\nC1 out 0 %.17g\n.ac dec 7 1k 100k\n"
        ".meas ac top MAX vm(out)\n.meas ac fm MAX_AT mag(v(out))\n.meas ac low WHEN v(out)=top/sqrt(2) RISE=1\n"
        ".meas ac bw TRIG v(out) VAL='top/sqrt(2)' RISE=1 TARG v(out) VAL='top/sqrt(2)' FALL=1\n"
        ".meas ac p90 WHEN vp(out)-vp(in)=-90\n.meas ac g FIND vdb(out)-vdb(in) AT=5k\n"
        ".meas ac i FIND im(v(out)/v(in)) AT=5k\n.meas ac d DERIV vm(out) AT=20k\n.meas ac gd FIND vg(out) AT=10k\n"
        ".meas ac cur FIND im(C1) AT=5k\n.meas ac av AVG vr(out) FROM=2k TO=4k\n.meas ac z FIND mag(v(in)/i(V1)) "
        "AT=10k\n"
        ".meas ac nothing WHEN vdb(out)=99\n.end\n",
        r0, l, c);
    const struct results *r = run(deck, "bdf", 1e-6);
    const double peak = f0 * sqrt(1 - 1 / (2 * q * q)), most = q / sqrt(1 - 1 / (4 * q * q));
    CHECK_RESULT(r, "top", 2 * most, 1e-7);
    CHECK_RESULT(r, "fm", peak, 1e-5 * f0);
    /* |H|^2 = 1/((1-x)^2 + x/q^2) with x = (f/f0)^2 is half its peak at both roots of a parabola in x */
    const double b = 1 / (q * q) - 2, h = 1 - 2 / (most * most), x1 = (-b - sqrt(b * b - 4 * h)) / 2,
                 x2 = (-b + sqrt(b * b - 4 * h)) / 2;
    CHECK_RESULT(r, "low", f0 * sqrt(x1), 1e-6 * f0);
    CHECK_RESULT(r, "bw", f0 * (sqrt(x2) - sqrt(x1)), 1e-6 * f0);
    CHECK_RESULT(r, "p90", f0, 1e-6 * f0);
    const double re = 1 - 0.25, im = 0.5 / q, size = re * re + im * im;
    CHECK_RESULT(r, "g", -10 * log10(size), 1e-9);
    CHECK_RESULT(r, "i", -im / size, 1e-9);
    CHECK_RESULT(r, "cur", 2 * PI * 5e3 * c * 2 / sqrt(size), 1e-12);
    const double x = 4, n = (1 - x) * (1 - x) + x / q / q;
    CHECK_RESULT(r, "d", 2 * -0.5 * pow(n, -1.5) * (-2 * (1 - x) + 1 / q / q) * 2 * 2e4 / f0 / f0, 1e-10);
    CHECK_RESULT(r, "gd", 2 * q / (2 * PI * f0), 1e-9);
    CHECK_RESULT(r, "z", r0, 1e-6 * r0);
    double sum = 0; /* Simpson's rule of the real part, turned by 30 degrees */
    for (int k = 0; k <= 2000; k++) {
        const double f = 2e3 + k, y = f / f0, a = 1 - y * y, e = y / q;
        sum += (k % 2000 == 0 ? 1 : k % 2 ? 4 : 2) * 2 * (a * cos(PI / 6) + e * sin(PI / 6)) / (a * a + e * e) / 6000;
    }
    CHECK_RESULT(r, "av", sum, 1e-8);
    CU_ASSERT(isnan(result(r, "nothing")->value));
    CU_ASSERT_STRING_EQUAL(result(r, "top")->unit, " Hz");
}

/* A diode behind a resistor: V = v + R is (e^(v/vt) - 1), so that everything has a closed form in v. */
static void sweeps_are_exact_between_points(void)
{
    static const char form[] =
        "diode\nV1 in 0 0\nR1 in d 1k\nD1 d 0 dm\n.model dm d is=1e-14\n.options gmin=1e-18 reltol=1e-6\n"
        ".dc V1 %s\n.meas dc vth WHEN v(d)=0.6\n.meas dc slope DERIV v(d) AT=2\n.meas dc hi MAX v(d)\n"
        ".meas dc half WHEN v(d)='0.5*hi'\n.meas dc i INTEG i(D1) FROM=1 TO=2\n"
        ".meas dc at FIND i(D1) WHEN v(d)=0.62\n.meas dc w TRIG v(d) VAL=0.55 CROSS=1 TARG v(d) VAL=0.6 CROSS=1\n"
        ".end\n";
    static const char *const sweeps[] = {"0 3 0.25", "3 0 -0.25", "0 3 0.07"};
    const double k = 1.380649e-23, e = 1.602176634e-19, vt = k * 300.15 / e, is = 1e-14;
    const double v1 = 0.6 + 1e3 * is * expm1(0.6 / vt), v2 = 0.55 + 1e3 * is * expm1(0.55 / vt);
    double v[3] = {0.6, 0.6, 0.6};
    for (int n = 0; n < 3; n++)
        for (int round = 0; round < 60; round++)
            v[n] -= (v[n] + 1e3 * is * expm1(v[n] / vt) - (n + 1)) / (1 + 1e3 * is / vt * exp(v[n] / vt));
    for (size_t n = 0; n < 3; n++) {
        char deck[800];
        snprintf(deck, sizeof deck, form, sweeps[n]);
        const struct results *r = run(deck, "bdf", 1e-6);
        const bool ends = n < 2; /* on 3 V */
        CHECK_RESULT(r, "vth", v1, 1e-5);
        CHECK_RESULT(r, "slope", 1 / (1 + 1e3 * is / vt * exp(v[1] / vt)), 1e-5);
        if (ends)
            CHECK_RESULT(r, "hi", v[2], 1e-6);
        if (ends)
            CHECK_RESULT(r, "half", 0.5 * v[2] + 1e3 * is * expm1(0.5 * v[2] / vt), 1e-5);
        /* integral of i dV = i v-part: i dv + R i di */
        const double i1 = is * expm1(v[0] / vt), i2 = is * expm1(v[1] / vt);
        CHECK_RESULT(
            r, "i", is * vt * (exp(v[1] / vt) - exp(v[0] / vt)) - is * (v[1] - v[0]) + 500 * (i2 * i2 - i1 * i1), 1e-8);
        CHECK_RESULT(r, "at", is * expm1(0.62 / vt), 1e-8);
        CHECK_RESULT(r, "w", n == 1 ? v1 - v2 : v1 - v2, 2e-5);
    }
}

/* 4 k T R through a low-pass: kT/C in all; the density halves where |H|^2 does. */
static void noise_is_measured_by_its_names(void)
{
    static const char deck[] = "noise\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1u\n.noise v(out) V1 dec 50 1 1g\n"
                               ".meas noise total INTEG v(onoise)\n.meas noise flat FIND onoise AT=1\n"
                               ".meas noise f3 WHEN onoise='flat/sqrt(2)'\n.meas noise in FIND inoise_spectrum AT=77\n"
                               ".meas noise wrong MAX foo\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    const double k = 1.380649e-23, t = 300.15;
    const double f3 = 500 / PI, band = 2 / PI * (atan(1e9 / f3) - atan(1 / f3));
    CHECK_RESULT(r, "total", sqrt(k * t / 1e-6 * band), 1e-4 * sqrt(k * t / 1e-6));
    CHECK_RESULT(r, "in", sqrt(4 * k * t * 1e3), 1e-6 * sqrt(4 * k * t * 1e3));
    CHECK_RESULT(r, "f3", 500 / PI, 1e-3 * 500 / PI);
    CU_ASSERT(isnan(result(r, "wrong")->value));
}

/* Each value of the outer sweep has results of its own. */
static void nested_sweeps_give_a_result_for_each_outer_value(void)
{
    static const char deck[] = "nested\nV1 a 0 0\nV2 b 0 0\nR1 a c 1k\nR2 b c 1k\nR3 c 0 1k\n.dc V1 0 3 0.5 V2 0 6 3\n"
                               ".meas dc one WHEN v(c)=1.1\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    CU_ASSERT_EQUAL_FATAL(r->count, 3);
    CU_ASSERT(isnan(result(r, "one[v2 = 0]")->value));
    CHECK_RESULT(r, "one[v2 = 3]", 0.3, 1e-6);
    CU_ASSERT(isnan(result(r, "one[v2 = 6]")->value));
}

/* Sweeps of one point, as `.step` makes them: the value is the mean and both extremes, and an integral over it is 0. */
static void curves_of_one_point_have_values(void)
{
    static const char deck[] =
        "one point\nV1 a 0 2 AC 1\nR1 a b 1k\nC1 b 0 1u\nR2 b 0 1k\n.dc V1 -3 -3 1\n.ac lin 1 1k 1k\n"
        ".noise v(b) V1 lin 1 1k 1k\n.meas dc at FIND v(b) AT=-3\n.meas dc top MAX v(b)\n"
        ".meas dc mean AVG v(b)\n.meas dc size RMS v(b)\n.meas dc whole INTEG v(b)\n"
        ".meas dc range PP v(b)\n.meas dc never WHEN v(b)=1\n.meas dc slope DERIV v(b) AT=-3\n"
        ".meas dc other FIND v(b) AT=-2\n.meas ac gain FIND vm(b) AT=1k\n"
        ".meas ac later FIND vm(b) AT='gain*0+1k'\n.meas ac tilt DERIV vm(b) AT=1k\n"
        ".meas noise density MAX onoise\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    const double w = 2e3 * PI, q = 500 * 1e-6 * w, gain = 0.5 / sqrt(1 + q * q);
    CHECK_RESULT(r, "at", -1.5, 1e-9);
    CHECK_RESULT(r, "top", -1.5, 1e-9);
    CHECK_RESULT(r, "mean", -1.5, 1e-9);
    CHECK_RESULT(r, "size", 1.5, 1e-9);
    CHECK_RESULT(r, "whole", 0, 0);
    CHECK_RESULT(r, "range", 0, 0);
    CU_ASSERT(isnan(result(r, "never")->value));
    CU_ASSERT(isnan(result(r, "slope")->value));
    CU_ASSERT(isnan(result(r, "other")->value));
    CHECK_RESULT(r, "gain", gain, 1e-9);
    CHECK_RESULT(r, "later", gain, 1e-9);
    CHECK_RESULT(r, "tilt", -gain * q * q / (1 + q * q) / 1e3, 1e-12);
    CHECK_RESULT(r, "density", sqrt(4 * 1.380649e-23 * 300.15 * 500) / sqrt(1 + q * q), 1e-14);
}

/* Formulas of voltages take them where the run ends; those of results of two analyses wait for the later one. */
static void formulas_see_the_end_and_other_analyses(void)
{
    static const char deck[] = "formulas\nV1 a 0 PWL(0 0 1m 2) AC 1\nR1 a b 1k\nR2 b 0 3k\n.tran 1u 1m\n.ac lin 3 1 3\n"
                               ".dc V1 0 4 1\n.meas tran end EQN='v(a)+1'\n.meas tran top MAX v(b)\n"
                               ".meas ac gain MAX vm(b)\n.meas dc half WHEN v(b)=1.5\n"
                               ".meas ac both PARAM='top/gain'\n.meas dc three PARAM='top*half+gain'\n.end\n";
    const struct results *r = run(deck, "bdf", 1e-6);
    CHECK_RESULT(r, "end", 3, 1e-6);
    CHECK_RESULT(r, "both", 2, 1e-6);
    CHECK_RESULT(r, "three", 1.5 * 2 + 0.75, 1e-6);
    CU_ASSERT_EQUAL(r->warnings, 0);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(results_may_be_used_by_others),
        CLAIM(pulses_have_their_duty_and_frequency),
        CLAIM(windows_may_be_rises_and_falls),
        CLAIM(errors_are_means_over_time),
        CLAIM(corners_are_found),
        CLAIM(goals_and_the_rest_of_other_programs_words),
        CLAIM(random_waveforms_give_what_dense_rows_give),
        CLAIM(frequencies_are_exact_between_points),
        CLAIM(sweeps_are_exact_between_points),
        CLAIM(noise_is_measured_by_its_names),
        CLAIM(nested_sweeps_give_a_result_for_each_outer_value),
        CLAIM(curves_of_one_point_have_values),
        CLAIM(formulas_see_the_end_and_other_analyses),
    };
    return run_claims("forms of measurements", claims, sizeof claims / sizeof claims[0]);
}
