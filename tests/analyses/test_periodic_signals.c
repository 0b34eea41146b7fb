/* test_periodic_signals.c - .pac and .pnoise of driven circuits against closed forms, .ac, .noise and .pss with a small
 * tone. */
#include "claims.h"
#include "knoten.h"
#include "linear_circuit.h"
#include "run_text.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TABLES = 16, MOST_ROWS = 300, MOST_COLUMNS = 2 * LINEAR_MOST_UNKNOWNS };

struct table {
    char plot[60];
    size_t rows, columns;
    double at[MOST_ROWS][MOST_COLUMNS];
};

struct result {
    struct table tables[MOST_TABLES];
    size_t count;
    char error[300];
    enum kn_status status;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct result *r = context;
    CU_ASSERT_FATAL(r->count < MOST_TABLES && table->column_count <= MOST_COLUMNS);
    snprintf(r->tables[r->count].plot, sizeof r->tables[0].plot, "%s", table->plot);
    r->tables[r->count].columns = table->column_count;
    return KN_OK;
}

static enum kn_status take_row(void *context, const double *values)
{
    struct result *r = context;
    struct table *t = &r->tables[r->count];
    CU_ASSERT_FATAL(t->rows < MOST_ROWS);
    memcpy(t->at[t->rows++], values, t->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct result *r = context;
    r->count++;
    return outcome;
}

/* The caller frees it. */
static struct result *run(const char *deck, double reltol)
{
    struct result *r = calloc(1, sizeof *r);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {r, begin, take_row, end};
    const struct kn_options options = {.reltol = reltol};
    CU_ASSERT_FATAL(r && d);
    r->status = run_text(deck, &options, d, &sink, NULL);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        if (kn_diagnostics_get(d, i)->severity == KN_ERROR)
            snprintf(r->error, sizeof r->error, "%s", kn_diagnostics_get(d, i)->text);
    kn_diagnostics_free(d);
    return r;
}

static struct result *run_well(const char *deck, double reltol)
{
    struct result *r = run(deck, reltol);
    if (r->status != KN_OK)
        fprintf(stderr, "\n%s\nof\n%s", r->error, deck);
    CU_ASSERT_EQUAL_FATAL(r->status, KN_OK);
    return r;
}

static const struct table *table(const struct result *r, const char *plot)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->tables[i].plot, plot) == 0)
            return &r->tables[i];
    fprintf(stderr, "\nno table '%s'\n", plot);
    CU_FAIL_FATAL("no such table");
    return NULL;
}

static double complex phasor(const struct table *t, size_t row, size_t column)
{
    return CMPLX(t->at[row][2 * column - 1], t->at[row][2 * column]);
}

static double complex sideband(const struct result *r, int band, size_t row, size_t column)
{
    char plot[60];
    snprintf(plot, sizeof plot, "Periodic AC Analysis, sideband %d", band);
    return phasor(table(r, plot), row, column);
}

/* ---- .pac ---- */

/* sin = (e^jwt - e^-jwt)/2j moves the signal by the frequency of the oscillator, halved, and the filter sees it there. */
static void an_ideal_multiplier_moves_frequencies(void)
{
    static const char deck[] = "mixer\nVLO lo 0 SIN(0 1 100k)\nVRF rf 0 DC 0 AC 1\nBM m 0 V=v(lo)*v(rf)\nR1 m out 1k\n"
                               "C1 out 0 1n\n.save v(out)\n.pss 100k\n.pac lin 2 10k 30k sidebands=2\n.end\n";
    struct result *r = run_well(deck, 1e-4);
    for (size_t row = 0; row < 2; row++)
        for (int band = -2; band <= 2; band++) {
            const double w = 2 * acos(-1) * ((row ? 30e3 : 10e3) + band * 100e3);
            const double complex expected = abs(band) == 1 ? band / CMPLX(0, 2) / CMPLX(1, w * 1e-6) : 0;
            CHECK_NEAR(cabs(sideband(r, band, row, 1) - expected), 0, 1e-8);
        }
    free(r);
}

/* Half of the time on, half off: a square wave has 2/pi of its first harmonic on both sides, j/(k pi) of the odd ones. */
static void a_switch_mixer_has_two_over_pi(void)
{
    static const char deck[] = "switch\nVLO lo 0 PULSE(-1 1 0 1p 1p 4.999999u 10u)\nVRF rf 0 DC 0 AC 1\n"
                               "BM out 0 V=v(lo)*v(rf)\nR1 out 0 1k\n.save v(out)\n.pss 100k\n"
                               ".pac lin 1 1k 1k sidebands=5\n.end\n";
    struct result *r = run_well(deck, 1e-4);
    for (int band = -5; band <= 5; band++) {
        const double expected = band % 2 ? 2 / (acos(-1) * abs(band)) : 0;
        CHECK_NEAR(cabs(sideband(r, band, 0, 1)), expected, 1e-5);
    }
    free(r);
}

static void in_linear_circuits_it_is_ac(void)
{
    enum { CIRCUITS = 30 };
    uint64_t state = 20261122;
    for (int trial = 0; trial < CIRCUITS; trial++) {
        const uint64_t seed = state;
        const struct linear_circuit circuit = linear_random(&state, "rrccl");
        char *deck = NULL;
        size_t length;
        FILE *to = open_memstream(&deck, &length);
        CU_ASSERT_FATAL(to != NULL);
        fprintf(to, "random\n");
        linear_print_driven(&circuit, "SIN(0 1 10k) AC", "", to);
        fprintf(to, ".pss 10k harms=1\n.pac dec 1 1 1meg sidebands=1\n.ac dec 1 1 1meg\n.end\n");
        fclose(to);
        struct result *r = run_well(deck, 1e-4);
        const struct table *ac = table(r, "AC Analysis");
        for (size_t row = 0; row < ac->rows; row++)
            for (size_t i = 1; i <= (size_t)circuit.nodes; i++) {
                const double off = cabs(sideband(r, 0, row, i) - phasor(ac, row, i));
                const double size = cabs(phasor(ac, row, i)) + 1e-6;
                if (!(off <= 1e-8 * size))
                    fprintf(stderr, "\nseed %llu, node %zu\n%s", (unsigned long long)seed, i, deck);
                CHECK_NEAR(off / size, 0, 1e-8);
                CHECK_NEAR(cabs(sideband(r, 1, row, i)) / size, 0, 1e-8);
            }
        free(r);
        free(deck);
    }
}

/* The same diode with a tone of 10 uV and the oscillator in one periodic state of 10 kHz: 30 kHz is its third harmonic. */
static void a_diode_mixes_as_its_periodic_state_with_a_small_tone(void)
{
    static const char form[] = "diode\nVLO lo 0 SIN(0.4 0.5 100k)\nVRF rf lo DC 0 %s\nRS rf a 200\nD1 a b dd\n"
                               "RL b 0 1k\nCL b 0 2n\n.model dd d(is=1e-12 cjo=20p tt=5n rs=2)\n.save v(b)\n%s\n.end\n";
    char deck[500];
    const double tone = 1e-5;
    snprintf(deck, sizeof deck, form, "AC 1", ".pss 100k\n.pac lin 1 30k 30k sidebands=3");
    struct result *r = run_well(deck, 1e-6);
    snprintf(deck, sizeof deck, form, "SIN(0 10u 30k)", ".pss 10k harms=40");
    struct result *both = run_well(deck, 1e-8);
    const struct table *t = table(both, "Periodic Steady State Harmonics");
    /* a sine has the phasor -j; sideband k of +30 kHz is harmonic 10 k + 3, of negative ones the conjugate */
    for (int band = -3; band <= 3; band++) {
        const int harmonic = 10 * band + 3;
        const double complex there = phasor(t, (size_t)abs(harmonic), 1);
        const double complex found = (harmonic < 0 ? conj(there) : there) / (CMPLX(0, -1) * tone);
        const double complex expected = sideband(r, band, 0, 1);
        CHECK_NEAR(cabs(found - expected), 0, 2e-4 * cabs(sideband(r, 0, 0, 1)));
    }
    free(r);
    free(both);
}

/* ---- .hb ---- */

/* (sin a + 2 sin b)^2 / 2: 1/4 cos 2a and so on; 70 kHz and 100 kHz have 10 kHz in common. */
static void tones_are_mixed_at_their_common_frequency(void)
{
    static const char *const forms[] = {".hb 70k 100k nharms=2", ".hb tones=100k 70k nharms=2 2"};
    for (size_t k = 0; k < 2; k++) {
        char deck[300];
        snprintf(deck, sizeof deck,
                 "square\nVA a 0 SIN(0 1 70k)\nVB b a SIN(0 2 100k)\nB1 out 0 V=v(b)**2/2\nR1 out 0 1k\n.save "
                 "v(out)\n%s\n.end\n",
                 forms[k]);
        struct result *r = run_well(deck, 1e-6);
        const struct table *t = table(r, "Harmonic Balance");
        CU_ASSERT_EQUAL_FATAL(t->rows, 21);
        for (size_t row = 0; row < t->rows; row++) {
            const double expected = row == 0    ? 1.25
                                    : row == 14 ? -0.25
                                    : row == 20 ? -1
                                    : row == 3  ? 1
                                    : row == 17 ? -1
                                                : 0;
            CHECK_NEAR(t->at[row][0], 10e3 * (double)row, 1e-3);
            CHECK_NEAR(t->at[row][1], expected, 1e-6);
            CHECK_NEAR(t->at[row][2], 0, 1e-6);
        }
        free(r);
    }
}

/* ---- .pnoise ---- */

static const double four_kt = 4 * 1.380649e-23 * 300.15;

/* Noise of an RC filter times a sine: a quarter of its density at both distances. */
static void a_multiplier_folds_white_noise(void)
{
    static const char deck[] =
        "fold\nVLO lo 0 SIN(0 1 100k)\nR1 a 0 1k\nC1 a 0 1n\nBM out 0 V=v(lo)*v(a)\nR2 out 0 1k\n"
        ".pss 100k\n.pnoise v(out) lin 3 10k 210k\n.end\n";
    struct result *r = run_well(deck, 1e-4);
    const struct table *t = table(r, "Periodic Noise Spectral Density");
    CU_ASSERT_EQUAL_FATAL(t->rows, 3);
    for (size_t row = 0; row < 3; row++) {
        double expected = 0;
        for (int side = -1; side <= 1; side += 2) {
            const double w = 2 * acos(-1) * (t->at[row][0] + side * 100e3);
            expected += four_kt * 1e3 / (1 + pow(w * 1e-6, 2)) / 4;
        }
        CHECK_NEAR(t->at[row][1] / sqrt(expected), 1, 1e-6);
    }
    free(r);
}

static void without_an_oscillator_it_is_noise(void)
{
    static const char deck[] =
        "amplifier\nVC c 0 5\nVB bb 0 DC 0.7 AC 1\nVLO lo 0 SIN(0 1 100k)\nRL lo 0 1k\nRB bb b 1k\n"
        "RC c out 2k\nQ1 out b 0 qn\n.model qn npn(is=1e-16 bf=100 cje=1p tf=1n rb=50 kf=1e-14)\n"
        "CL out 0 10p\n.pss 100k\n.pnoise v(out) dec 1 10 10meg\n"
        ".noise v(out) vb dec 1 10 10meg\n.end\n";
    struct result *r = run_well(deck, 1e-5);
    const struct table *t = table(r, "Periodic Noise Spectral Density"), *n = table(r, "Noise Spectral Density Curves");
    CU_ASSERT_EQUAL_FATAL(t->rows, n->rows);
    for (size_t row = 0; row < t->rows; row++)
        CHECK_NEAR(t->at[row][1] / n->at[row][1], 1, 1e-6);
    free(r);
}

/* kf i^2 / f of a current that swings: |sin| has the Fourier coefficients (2/pi)/(1 - k^2) of even k. */
static void a_swinging_current_carries_its_flicker_to_its_harmonics(void)
{
    static const char deck[] = "flicker\nI1 0 a SIN(0 1m 10k)\nR1 a 0 rf 1k\n.model rf r(kf=1e-8 af=2)\n.pss 10k\n"
                               ".pnoise v(a) lin 3 1k 41k sidebands=20\n.end\n";
    struct result *r = run_well(deck, 1e-5);
    const struct table *t = table(r, "Periodic Noise Spectral Density");
    for (size_t row = 0; row < t->rows; row++) {
        double expected = four_kt * 1e3;
        for (int k = -20; k <= 20; k += 2)
            expected += 1e-8 * 1e-6 * 1e6 * pow(2 / acos(-1) / (1 - k * k), 2) / fabs(t->at[row][0] + k * 10e3);
        CHECK_NEAR(t->at[row][1] / sqrt(expected), 1, 1e-4);
    }
    free(r);
}

/* ---- what cannot be done ---- */

static void fails_saying(const char *deck, const char *words)
{
    struct result *r = run(deck, 0);
    CU_ASSERT(r->status != KN_OK);
    CU_ASSERT(strstr(r->error, words) != NULL);
    if (!strstr(r->error, words))
        fprintf(stderr, "\n'%s' instead of '%s'\n", r->error, words);
    free(r);
}

static void what_cannot_be_done_is_said(void)
{
#define RC "V1 in 0 SIN(0 1 1k) AC 1\nR1 in out 1k\nC1 out 0 1u\n"
    fails_saying("x\n" RC ".pac dec 1 1 10\n.end\n", "there is no .pss card");
    fails_saying("x\n" RC ".hb\n.end\n", "frequency of the tone is missing");
    fails_saying("x\n" RC ".hb 1k 1000.1\n.end\n", "no common period");
    fails_saying("x\n" RC ".pss 1k\n.pac 1 1 10\n.end\n", "dec, oct or lin");
    fails_saying("x\n" RC ".pss 1k\n.pac dec 1 10\n.end\n", "two frequencies");
    fails_saying("x\n" RC ".pss 1k\n.pac dec 1 1 10 colour=3\n.end\n", "nothing is known");
    fails_saying("x\n" RC ".pss 1k\n.pac dec 1 1 10 sidebands=-1\n.end\n", "whole number from 0");
    fails_saying("x\n" RC ".pss 1k\n.pnoise v(nosuch) dec 1 1 10\n.end\n", "no such node");
    fails_saying("x\nC1 x 0 1\nL1 x 0 1\nB1 x 0 I={-v(x)+v(x)**3/3}\n.pss 0.2\n.pac dec 1 1 10\n.end\n",
                 "oscillates by itself");
#undef RC
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(an_ideal_multiplier_moves_frequencies),
        CLAIM(a_switch_mixer_has_two_over_pi),
        CLAIM(in_linear_circuits_it_is_ac),
        CLAIM(a_diode_mixes_as_its_periodic_state_with_a_small_tone),
        CLAIM(tones_are_mixed_at_their_common_frequency),
        CLAIM(a_multiplier_folds_white_noise),
        CLAIM(without_an_oscillator_it_is_noise),
        CLAIM(a_swinging_current_carries_its_flicker_to_its_harmonics),
        CLAIM(what_cannot_be_done_is_said),
    };
    return run_claims("periodic_signals", claims, sizeof claims / sizeof *claims);
}
