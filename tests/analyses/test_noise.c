/* Noise in unknowns of index 2 (Arnold 1996, Example 8, Remark 9 and Table 2.1): theta / h beside the tolerance, in
 * closed form, and the regions of the step seen in runs: A, where the method decides about the error; B, where noise
 * does, of the index-2 unknown only; C, where its square spoils the others, too.
 */
#include "analyses/run.h"
#include "claims.h"
#include "knoten.h"
#include "mna/topology/topology.h"
#include "mna/watch/noise.h"
#include "read_circuit.h"
#include "run_text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- the watch itself ---- */

struct watch {
    struct circuit *circuit;
    struct kn_diagnostics *diagnostics;
    struct mna *mna;
    struct topology *topology;
    struct noise *noise;
};

static void watch_open(struct watch *w, const char *text, int index2)
{
    memset(w, 0, sizeof *w);
    w->diagnostics = kn_diagnostics_new();
    CU_ASSERT_FATAL(
        circuit_read_text(&device_catalogue, "noise.cir", text, strlen(text), w->diagnostics, &w->circuit) == KN_OK);
    const struct mna_options options = mna_options_of(w->circuit);
    CU_ASSERT_FATAL(mna_new(w->circuit, &options, w->diagnostics, &w->mna) == KN_OK);
    CU_ASSERT_FATAL(topology_new(w->mna, &w->topology) == KN_OK);
    enum dae_class classes[8] = {DAE_INDEX1, DAE_INDEX1, DAE_INDEX1, DAE_INDEX1,
                                 DAE_INDEX1, DAE_INDEX1, DAE_INDEX1, DAE_INDEX1};
    if (index2 >= 0)
        classes[index2] = DAE_INDEX2;
    mna_set_classes(w->mna, classes);
    CU_ASSERT_FATAL(
        noise_new(w->mna, w->topology, &(struct noise_settings){.relative = 1e-3, .duration = 1}, &w->noise) == KN_OK);
}

static void watch_close(struct watch *w)
{
    noise_free(w->noise);
    topology_free(w->topology);
    mna_free(w->mna);
    circuit_free(w->circuit);
    kn_diagnostics_free(w->diagnostics);
}

/* Twenty equal steps to the same point; the note, or NULL. */
static const char *note_after(struct watch *w, double h, const double *x)
{
    for (int k = 1; k <= 20; k++)
        CU_ASSERT(noise_step(w->noise, k * h, h, 1, x) == KN_OK);
    noise_report(w->noise, w->diagnostics);
    const size_t count = kn_diagnostics_count(w->diagnostics);
    return count ? kn_diagnostics_get(w->diagnostics, count - 1)->text : NULL;
}

static double number_after(const char *text, const char *words)
{
    const char *at = text ? strstr(text, words) : NULL;
    return at ? strtod(at + strlen(words), NULL) : NAN;
}

static void expect_words(const char *note, const char *words)
{
    const bool there = note && strstr(note, words);
    if (!there)
        fprintf(stderr, "\n'%s' is not in: %s\n", words, note ? note : "(no note)");
    CU_ASSERT(there);
}

static const char loop[] = "loop\nV1 a 0 2\nC1 a 0 1u\nR1 a 0 1k\n.end\n";

/* What v(a) misses by theta = 1 nV at both ends of a step is 2 C theta / h in i(v1), whose tolerance is 2 uA + 1 pA. */
static void what_newton_leaves_in_a_loop_is_told_with_its_limit(void)
{
    struct watch w;
    const double x[] = {2 + 1e-9, -2e-3};
    watch_open(&w, loop, 1);
    const char *note = note_after(&w, 1e-10, x);
    expect_words(note, "i(v1), an unknown of index 2 (the C-V loop V1 (line 2) - C1 (line 3)): what Newton's method "
                       "leaves over there (theta = 1e-09 V)");
    CHECK_NEAR(number_after(note, "the limit is a step of "), 2 * 1e-6 * 1e-9 / 2e-6, 0.05e-9);
    expect_words(note, "20 of 20 steps were shorter");
    watch_close(&w);
}

/* Rounding of 2 V to DBL_EPSILON; patterns of signs may see part of it only. */
static void rounding_in_a_loop_is_told_with_its_limit(void)
{
    struct watch w;
    const double x[] = {2, -2e-3}, limit = 2 * 1e-6 * 2 * (2 * DBL_EPSILON) / 2e-6;
    watch_open(&w, loop, 1);
    const char *note = note_after(&w, 1e-17, x);
    expect_words(note, "rounding there (theta = 4.4e-22 C), divided by the step");
    const double found = number_after(note, "the limit is a step of ");
    CU_ASSERT(found > 0.2 * limit && found < 1.1 * limit);
    watch_close(&w);
    watch_open(&w, loop, 1);
    CU_ASSERT_PTR_NULL(note_after(&w, 1e-13, x));
    watch_close(&w);
}

/* 1 nA too much in L1 is L theta / h at node a: tolerance 1 mV + 1 uV. */
static void a_cutset_is_told_by_its_inductor(void)
{
    struct watch w;
    const double x[] = {1, 1 + 1e-6, 1e-3 + 1e-9};
    watch_open(&w, "cutset\nI1 0 a 1m\nL1 a b 1m\nR1 b 0 1k\n.end\n", 0);
    const char *note = note_after(&w, 1e-11, x);
    expect_words(note, "v(a), an unknown of index 2 (the L-I cutset I1 (line 2) - L1 (line 3))");
    CHECK_NEAR(number_after(note, "the limit is a step of "), 2 * 1e-3 * 1e-9 / 1.001e-3, 0.05e-9);
    watch_close(&w);
}

/* Two differentiators: theta = 1 nV in V1 is (2/h)^2 r C1 C2 theta in i(vt), whose tolerance is 1 pA. */
static void with_index_3_noise_grows_with_the_square_of_the_step(void)
{
    struct watch w;
    double x[8] = {0};
    watch_open(&w, "t\nV1 a 0 0\nC1 a x 1n\nVs x 0 0\nH1 c 0 Vs 1k\nC2 c y 1n\nVt y 0 0\n.end\n", 6);
    x[0] = 1e-9;
    const char *note = note_after(&w, 1e-9, x);
    expect_words(note, "i(vt), an unknown of index 3 (the C-V loop H1 (line 5) - C2 (line 6) - Vt (line 7))");
    expect_words(note, "divided by the step^2, makes it");
    CHECK_NEAR(number_after(note, "the limit is a step of ") / sqrt(4 * 1e3 * 1e-18 * 1e-9 / 1e-12), 1, 0.05);
    watch_close(&w);
}

static void without_index_2_there_is_nothing_to_watch(void)
{
    struct watch w;
    watch_open(&w, loop, -1);
    CU_ASSERT_PTR_NULL(w.noise);
    watch_close(&w);
}

/* ---- runs ---- */

struct run {
    void (*exact)(double t, double *x); /* [2] */
    double from;                        /* s; the first steps still build up the order */
    double worst[2];
    double first[2]; /* errors at that time */
    int rows;
    bool relative_to_first; /* for an integral */
    bool noted, warned;     /* of noise */
    char hint[600];
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context;
    return table->column_count == 3 ? KN_OK : KN_ERROR_ARGUMENT;
}

static enum kn_status row(void *context, const double *values)
{
    struct run *run = context;
    double exact[2];
    if (values[0] < run->from)
        return KN_OK;
    run->exact(values[0], exact);
    for (int i = 0; i < 2; i++) {
        const double error = values[1 + i] - exact[i];
        if (run->rows == 0)
            run->first[i] = run->relative_to_first ? error : 0;
        run->worst[i] = fmax(run->worst[i], fabs(error - run->first[i]));
    }
    run->rows++;
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context, (void)outcome;
    return KN_OK;
}

static void keep_note(struct run *run, const struct kn_diagnostic *d)
{
    if (strcmp(d->code, "noise-index-2") != 0)
        return;
    run->noted = true;
    run->warned = d->severity == KN_WARNING;
    snprintf(run->hint, sizeof run->hint, "%s", d->hint);
}

/* `deck` with the step in place of its %g. */
static struct run run_deck(const char *deck, double h, double reltol, struct run run)
{
    char text[1000];
    struct kn_sink sink = {&run, begin, row, end};
    const struct kn_options options = {.reltol = reltol};
    struct kn_diagnostics *d = kn_diagnostics_new();
    snprintf(text, sizeof text, deck, h);
    CU_ASSERT(run_text(text, &options, d, &sink, NULL) == KN_OK);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        keep_note(&run, kn_diagnostics_get(d, i));
    kn_diagnostics_free(d);
    return run;
}

/* ---- linear in the index-2 unknown: regions A and B ---- */

static const double OMEGA = 6283.185307179586;

/* v = 1 + sin, i(v1) = -(C dv/dt + v/R). */
static void loop_exact(double t, double *x)
{
    x[0] = 1 + sin(OMEGA * t);
    x[1] = -(1e-6 * OMEGA * cos(OMEGA * t) + x[0] / 1e3);
}

/* i(v1) is of 7 mA, its tolerance 7 pA. */
static void regions_A_and_B_of_a_loop_are_seen_and_told(void)
{
    static const double steps[] = {1e-9, 1e-11, 1e-13};
    const double tolerance = 1e-9 * 7.3e-3;
    struct run seen[3];
    for (int i = 0; i < 3; i++) {
        char deck[300];
        snprintf(deck, sizeof deck,
                 "t\nV1 a 0 SIN(1 1 1k)\nC1 a 0 1u\nR1 a 0 1k\n.tran %g %g 0 %%g\n.save v(a) i(v1)\n"
                 ".options steprows rawindex2 method=bdf\n.end\n",
                 10 * steps[i], 3000 * steps[i]);
        seen[i] = run_deck(deck, steps[i], 1e-9, (struct run){.exact = loop_exact, .from = 10 * steps[i]});
        CU_ASSERT(seen[i].worst[0] < 1e-15);
        CU_ASSERT_FALSE(seen[i].warned);
    }
    CU_ASSERT(!seen[0].noted && seen[0].worst[1] < tolerance);
    CU_ASSERT(seen[1].noted && seen[1].worst[1] > 10 * tolerance);
    CU_ASSERT(seen[2].noted && seen[2].worst[1] > 20 * seen[1].worst[1]);
    expect_words(seen[2].hint, "the other unknowns are not affected");
}

/* ---- nonlinear in it: regions A, B and C ---- */

/* Arnold's Ex. 8 with mu0 = 1 from t = 0.5: y1 and y2 are voltages of capacitors, z is that of a node that only a
 * current source feeds, whose current, 4 y1 + y2 - 6 sin t, must be zero.  Adding and taking off 1.5 * 2^28 leaves the
 * sine with the digits of single precision. */
static const char example8[] = "Ex. 8\n"
                               "C1 y1 0 1\nC2 y2 0 1\n"
                               "B1 0 y1 I=4*v(y1)^2-v(y2)^2+v(z)\n"
                               "B2 0 y2 I=(v(y1)*v(y2)+2*v(z)^2)*v(z)\n"
                               "B3 z 0 I=4*v(y1)+v(y2)-6*((sin(time+0.5)+402653184)-402653184)\n"
                               ".ic v(y1)=0.479425538604203 v(y2)=0.958851077208406 v(z)=0.87758\n"
                               ".tran 0.01 0.5 0 %g\n.save v(y1) v(z)\n"
                               ".options method=euler kappa=1e-6 steprows rawindex2\n.end\n";

static void example8_exact(double t, double *x)
{
    x[0] = sin(t + 0.5);
    x[1] = cos(t + 0.5);
}

/* The largest errors of figure 2.2 as numbers, from an independent computation in extended precision.  The values of
 * noise at other points of time change those that it decides about. */
static void example_8_as_a_circuit_passes_through_regions_A_B_and_C(void)
{
    static const int steps[] = {80, 320, 1280, 5120, 20480, 81920};
    static const double y[] = {5.07e-3, 1.13e-3, 2.74e-4, 6.81e-5, 1.89e-5, 3.53e-5};
    static const double z[] = {5.73e-2, 1.30e-2, 3.18e-3, 1.18e-3, 2.16e-3, 8.32e-3};
    for (int i = 0; i < 6; i++) {
        const struct run seen =
            run_deck(example8, 0.5 / steps[i], 0.1, (struct run){.exact = example8_exact, .from = 0.005});
        CHECK_NEAR(seen.worst[0] / y[i], 1, 0.15);
        CHECK_NEAR(seen.worst[1] / z[i], 1, 0.15);
    }
}

/* Tolerances of 8e-4 for z (region B) and, with the smaller reltol, of 8e-7 for y1 (region C). */
static void example_8_tells_the_region(void)
{
    const struct run start = {.exact = example8_exact, .from = 0.005};
    const struct run b = run_deck(example8, 0.5 / 20480, 1e-3, start);
    CU_ASSERT(b.noted && !b.warned);
    expect_words(b.hint, "the other unknowns are not affected");
    const struct run c = run_deck(example8, 0.5 / 81920, 1e-6, start);
    CU_ASSERT(c.warned);
    expect_words(c.hint, "depends on the square of this noise, which moves it by up to ");
    CHECK_NEAR(log10(number_after(c.hint, "which moves it by up to ") / c.worst[0]), 0, 0.6);
}

/* A ripple of 10 uV on 1 MV drives a current through C1; B1 and C2 integrate its square.  Rounding of 1 MV is 1e-5 of
 * the ripple. */
static const char meter[] = "meter\nV1 a 0 SIN(1meg 10u 1k)\nC1 a 0 1u\nB1 0 e I=1e8*i(V1)^2\nC2 e 0 1n\n"
                            ".ic v(e)=0\n.tran 50u 1m 0 %g\n.save v(e) i(v1)\n"
                            ".options method=euler steprows rawindex2\n.end\n";

static void meter_exact(double t, double *x)
{
    const double amplitude = 1e-6 * OMEGA * 1e-5;
    x[0] = 1e8 / 1e-9 * amplitude * amplitude * (t / 2 + sin(2 * OMEGA * t) / (4 * OMEGA));
    x[1] = -amplitude * cos(OMEGA * t);
}

static void squared_noise_spoils_a_meter_in_region_C(void)
{
    static const int steps[] = {250, 500, 2000, 8000, 32000, 64000}; /* noise is random: far apart where it counts */
    struct run seen[6];
    for (int i = 0; i < 6; i++)
        seen[i] = run_deck(meter, 1e-3 / steps[i], 3e-2,
                           (struct run){.exact = meter_exact, .from = 1e-4, .relative_to_first = true});
    CU_ASSERT(seen[1].worst[1] < 0.7 * seen[0].worst[1]); /* A */
    CU_ASSERT(!seen[0].noted && !seen[1].noted);
    CU_ASSERT(seen[3].worst[1] > 1.5 * seen[2].worst[1]); /* B */
    CU_ASSERT(seen[3].noted && !seen[3].warned && seen[3].worst[0] < 2e-4);
    CU_ASSERT(seen[5].worst[1] > 1.5 * seen[4].worst[1]); /* C */
    CU_ASSERT(seen[4].worst[0] > 5e-4 && seen[5].worst[0] > 3 * seen[4].worst[0]);
    CU_ASSERT(seen[4].warned && seen[5].warned);
    expect_words(seen[5].hint, "v(e) (B1 (line 4), C2 (line 5)) depends on the square of this noise");
}

/* ---- laws that answer ---- */

/* The voltage of L1 drives a bridge that has no other path to ground: 1e-20 C that rounding leaves there over a step of 0.5 ns would
 * move it by 5e10 V through the slopes of blocking diodes, and their exponentials by 1e97.  They conduct 2e-11 A long before: of 60 V no
 * more is uncertain than that and what they block. */
static void noise_on_diodes_ends_where_they_conduct(void)
{
    static const char bridge[] =
        "bridge\nB1 0 x I=(sin(6283*time)+1e7)-1e7\nL1 x 0 1m\nE1 a b x 0 1\nRb b 0 1k\nD1 a p dn\n"
        "D2 b p dn\nD3 m a dn\nD4 m b dn\nC1 p m 1u\nR1 p m 1k\nVp s 0 PULSE(0 1 0 1n 1n 1u 3u)\nRp s u 1k\nCp u 0 "
        "1p\n.model dn d(is=1e-14 n=1)\n"
        ".tran 1u 1m\n.end\n";
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = run_sink_of_nothing();
    struct kn_summary summary = {0};
    CU_ASSERT_EQUAL(run_text(bridge, NULL, d, &sink, &summary), KN_OK);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++) {
        const struct kn_diagnostic *one = kn_diagnostics_get(d, i);
        const double uncertain = number_after(one->text, "makes it uncertain by ");
        const double moved = number_after(one->hint, "which moves it by up to ");
        CU_ASSERT(!(uncertain > 1e3));
        CU_ASSERT(!(moved > 1e3));
    }
    kn_diagnostics_free(d);
}

/* ---- index 3 ---- */

static void differentiators_exact(double t, double *x)
{
    x[0] = -1e-3 * OMEGA * cos(OMEGA * t);
    x[1] = -1e-6 * OMEGA * OMEGA * sin(OMEGA * t);
}

/* Two ideal differentiators with the default method: another one that took over without a past would differentiate
 * what the first has left over, 1e-7 of 6 V, by its first short steps. */
static void index_3_is_not_handed_from_method_to_method(void)
{
    static const char deck[] = "two differentiators\nV1 in 0 SIN(0 1 1k)\nC1 in m1 1u\nR1 m1 o1 1k\n"
                               "B1 o1 0 V=V(o1)+V(m1)\nC2 o1 m2 1u\nR2 m2 o2 1k\nB2 o2 0 V=V(o2)+V(m2)\n"
                               ".tran 10u 5m 0 %g\n.save v(o1) v(o2)\n.options steprows\n.end\n";
    const struct run seen = run_deck(deck, 1e-4, 1e-6, (struct run){.exact = differentiators_exact, .from = 1e-4});
    CU_ASSERT(seen.worst[0] < 1e-4);
    CU_ASSERT(seen.worst[1] < 1e-3);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(what_newton_leaves_in_a_loop_is_told_with_its_limit),
        CLAIM(rounding_in_a_loop_is_told_with_its_limit),
        CLAIM(a_cutset_is_told_by_its_inductor),
        CLAIM(with_index_3_noise_grows_with_the_square_of_the_step),
        CLAIM(without_index_2_there_is_nothing_to_watch),
        CLAIM(regions_A_and_B_of_a_loop_are_seen_and_told),
        CLAIM(example_8_as_a_circuit_passes_through_regions_A_B_and_C),
        CLAIM(example_8_tells_the_region),
        CLAIM(squared_noise_spoils_a_meter_in_region_C),
        CLAIM(noise_on_diodes_ends_where_they_conduct),
        CLAIM(index_3_is_not_handed_from_method_to_method),
    };
    return run_claims("noise", claims, sizeof claims / sizeof *claims);
}
