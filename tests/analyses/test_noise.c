/* Noise in unknowns of index 2 (Arnold 1996, Example 8, Remark 9 and Table 2.1): theta / h beside the tolerance, in
 * closed form, and the regions of the step seen in runs: A, where the method decides about the error; B, where noise
 * does, of the index-2 unknown only.
 */
#include "claims.h"
#include "knoten.h"
#include "mna/noise.h"
#include "mna/topology.h"
#include "netlist/circuit.h"

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
    CU_ASSERT_FATAL(circuit_read_text("noise.cir", text, strlen(text), w->diagnostics, &w->circuit) == KN_OK);
    const struct mna_options options = mna_options_of(w->circuit);
    CU_ASSERT_FATAL(mna_new(w->circuit, &options, w->diagnostics, &w->mna) == KN_OK);
    CU_ASSERT_FATAL(topology_new(w->mna, &w->topology) == KN_OK);
    enum dae_class classes[8] = {DAE_INDEX1, DAE_INDEX1, DAE_INDEX1, DAE_INDEX1,
                                 DAE_INDEX1, DAE_INDEX1, DAE_INDEX1, DAE_INDEX1};
    if (index2 >= 0)
        classes[index2] = DAE_INDEX2;
    mna_set_classes(w->mna, classes);
    CU_ASSERT_FATAL(noise_new(w->mna, w->topology, 1e-3, &w->noise) == KN_OK);
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
    expect_words(note,
                 "i(v1), an unknown of index 2 (the C-V loop V1 (line 2) - C1 (line 3)): what Newton's method leaves");
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
    expect_words(note, "rounding there, divided by the step");
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
    double worst_voltage, worst_current; /* errors */
    int rows;
};

static const double OMEGA = 6283.185307179586;

static enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context;
    return table->column_count == 3 ? KN_OK : KN_ERROR_ARGUMENT;
}

/* v = 1 + sin, i(v1) = -(C dv/dt + v/R); the first steps still build up the order. */
static enum kn_status row(void *context, const double *values)
{
    struct run *run = context;
    const double v = 1 + sin(OMEGA * values[0]), i = -(1e-6 * OMEGA * cos(OMEGA * values[0]) + v / 1e3);
    if (++run->rows < 10)
        return KN_OK;
    run->worst_voltage = fmax(run->worst_voltage, fabs(values[1] - v));
    run->worst_current = fmax(run->worst_current, fabs(values[2] - i));
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context, (void)outcome;
    return KN_OK;
}

static bool run_with_step(double h, struct run *run)
{
    char text[300];
    struct kn_circuit *c = NULL;
    struct kn_sink sink = {run, begin, row, end};
    const struct kn_options options = {.reltol = 1e-9};
    struct kn_diagnostics *d = kn_diagnostics_new();
    memset(run, 0, sizeof *run);
    snprintf(text, sizeof text,
             "t\nV1 a 0 SIN(1 1 1k)\nC1 a 0 1u\n"
             "R1 a 0 1k\n.tran %g %g 0 %g\n.save v(a) i(v1)\n.options steprows method=bdf\n.end\n",
             10 * h, 3000 * h, h);
    CU_ASSERT_FATAL(kn_circuit_read_text("t.cir", text, strlen(text), d, &c) == KN_OK);
    CU_ASSERT(kn_run(c, &options, d, &sink, NULL) == KN_OK);
    bool told = false;
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        told = told || strcmp(kn_diagnostics_get(d, i)->code, "noise-index-2") == 0;
    kn_circuit_free(c);
    kn_diagnostics_free(d);
    return told;
}

/* i(v1) is of 7 mA, its tolerance 7 pA. */
static void regions_of_the_step_are_seen_and_told(void)
{
    const double tolerance = 1e-9 * 7.3e-3;
    struct run a, b, b2;
    CU_ASSERT_FALSE(run_with_step(1e-9, &a));
    CU_ASSERT(a.worst_current < tolerance);
    CU_ASSERT_TRUE(run_with_step(1e-11, &b));
    CU_ASSERT(b.worst_current > 10 * tolerance);
    CU_ASSERT_TRUE(run_with_step(1e-13, &b2));
    CU_ASSERT(b2.worst_current > 20 * b.worst_current);
    CU_ASSERT(a.worst_voltage < 1e-15 && b.worst_voltage < 1e-15 && b2.worst_voltage < 1e-15);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(what_newton_leaves_in_a_loop_is_told_with_its_limit),
        CLAIM(rounding_in_a_loop_is_told_with_its_limit),
        CLAIM(a_cutset_is_told_by_its_inductor),
        CLAIM(with_index_3_noise_grows_with_the_square_of_the_step),
        CLAIM(without_index_2_there_is_nothing_to_watch),
        CLAIM(regions_of_the_step_are_seen_and_told),
    };
    return run_claims("noise", claims, sizeof claims / sizeof *claims);
}
