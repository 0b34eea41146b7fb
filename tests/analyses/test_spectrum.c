/* Claims about .four and .fft: integrals against e^(-j w t), the transform, windows, and closed forms of whole runs. */
#include "claims.h"
#include "run_text.h"

#include "analyses/measure/curve.h"
#include "analyses/spectrum/distortion.h"
#include "analyses/spectrum/fourier.h"
#include "analyses/spectrum/transform.h"
#include "knoten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static unsigned long long state;

static double uniform(double from, double to)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(state >> 11) / 9007199254740992.0;
}

/* ---- parts ---- */

static void spherical_bessel_functions_are_their_closed_forms(void)
{
    for (double c = 1e-9; c < 3e3; c *= 1.0371) {
        double j[8], sum = 0;
        fourier_bessel(c, 8, j);
        const double s = sin(c), k = cos(c);
        CHECK_NEAR(j[0], s / c, 3e-15);
        if (c > 0.3) { /* below, the closed forms lose their digits */
            CHECK_NEAR(j[1], s / c / c - k / c, 3e-14);
            CHECK_NEAR(j[2], (3 / c / c - 1) * s / c - 3 * k / c / c, 3e-13);
            CHECK_NEAR(j[3], (15 / c / c / c - 6 / c) * s / c - (15 / c / c - 1) * k / c, 3e-12);
        }
        /* the recurrence joins them all */
        for (int n = 1; n < 7; n++)
            sum = fmax(sum, fabs(j[n + 1] - (2 * n + 1) / c * j[n] + j[n - 1]) /
                                (fabs((2 * n + 1) / c * j[n]) + fabs(j[n - 1]) + 1e-300));
        CU_ASSERT(sum < 1e-9);
    }
}

/* t^m e^(-j w t) by parts, from the highest power down: I_m = t^m e/(-j w) + m/(j w) I_(m-1). */
static double complex power_integral(int m, double a, double b, double w)
{
    if (w == 0)
        return (pow(b, m + 1) - pow(a, m + 1)) / (m + 1);
    const double complex minus = -_Complex_I * w;
    double complex sum = (cexp(minus * b) - cexp(minus * a)) / minus;
    for (int k = 1; k <= m; k++)
        sum = (pow(b, k) * cexp(minus * b) - pow(a, k) * cexp(minus * a) - k * sum) / minus;
    return sum;
}

static void polynomials_are_integrated_exactly(void)
{
    state = 11;
    for (int round = 0; round < 300; round++) {
        const double from = uniform(-1, 1), to = from + uniform(0.3, 2), w = uniform(3, 60);
        double c[8], values[CURVE_POINTS];
        for (int m = 0; m < 8; m++)
            c[m] = uniform(-1, 1);
        for (int k = 0; k < CURVE_POINTS; k++) {
            const double t = curve_point(from, to, k);
            values[k] = 0;
            for (int m = 7; m >= 0; m--)
                values[k] = values[k] * t + c[m];
        }
        double complex sums[4] = {0}, size = 0;
        fourier_add(from, to, values, 1, 0, w, sums, 4);
        for (int n = 0; n < 4; n++) {
            double complex expected = 0;
            size = 1;
            for (int m = 0; m < 8; m++) {
                expected += c[m] * power_integral(m, from, to, n * w);
                size += pow(fmax(fabs(from), fabs(to)), m);
            }
            CHECK_NEAR(creal(sums[n]), creal(expected), 2e-11 * creal(size));
            CHECK_NEAR(cimag(sums[n]), cimag(expected), 2e-11 * creal(size));
        }
    }
}

static void the_transform_is_its_definition(void)
{
    state = 5;
    for (size_t count = 1; count <= 128; count *= 2) {
        double complex x[128], y[128];
        for (size_t n = 0; n < count; n++)
            x[n] = y[n] = CMPLX(uniform(-1, 1), uniform(-1, 1));
        transform(x, count);
        for (size_t k = 0; k < count; k++) {
            double complex sum = 0;
            for (size_t n = 0; n < count; n++)
                sum += y[n] * cexp(-2 * PI * _Complex_I * (double)(k * n) / (double)count);
            CU_ASSERT(cabs(sum - x[k]) < 1e-12);
        }
    }
}

/* Ratios of distortion by hand: tone 2, harmonics 0.2 and 0.1, noise 0.01 and 0.02, the mean does not count. */
static void distortion_counts_what_it_says(void)
{
    double lines[12] = {5, 0, 2, 0.01, 0.2, 0, 0.1, 0.02, 0, 0, 0, 0};
    const struct distortion d = distortion_of(lines, 12, 2, 6, 0);
    CHECK_NEAR(d.thd, 100 * sqrt(0.05) / 2, 1e-12);
    CHECK_NEAR(d.snr, 10 * log10(4 / 0.0005), 1e-12);
    CHECK_NEAR(d.sndr, 10 * log10(4 / 0.0505), 1e-12);
    CHECK_NEAR(d.enob, (10 * log10(4 / 0.0505) - 1.76) / 6.02, 1e-12);
    CHECK_NEAR(d.sfdr, 20 * log10(2 / 0.2), 1e-12);
    const struct distortion second = distortion_of(lines, 12, 2, 2, 0);
    CHECK_NEAR(second.thd, 10, 1e-12);
    CHECK_NEAR(second.snr, 10 * log10(4 / 0.0105), 1e-12);
}

/* ---- runs ---- */

enum { MOST_ROWS = 5000, MOST_COLUMNS = 12 };

/* The first table whose first column has a name. */
struct wanted {
    const char *column;
    bool here, found;
    size_t columns, rows;
    double values[MOST_ROWS][MOST_COLUMNS];
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct wanted *w = context;
    w->here = !w->found && strcmp(table->columns[0].name, w->column) == 0;
    w->found |= w->here;
    w->columns = w->here ? table->column_count : w->columns;
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct wanted *w = context;
    if (w->here && w->rows < MOST_ROWS)
        memcpy(w->values[w->rows++], values, w->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    ((struct wanted *)context)->here = false;
    return outcome;
}

static struct wanted *run(const char *deck, const char *column, const char *method, double reltol)
{
    static struct wanted w;
    memset(&w, 0, sizeof w);
    w.column = column;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {&w, begin, row, end};
    const struct kn_options options = {.method = method, .reltol = reltol};
    enum kn_status status = run_text(deck, &options, d, &sink, NULL);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    CU_ASSERT_EQUAL(status, KN_OK);
    CU_ASSERT(w.found);
    kn_diagnostics_free(d);
    return &w;
}

static const char *const methods[] = {"bdf", "radau", "trap", "rodas", "trbdf2", "auto"};

/* Symmetric square (4/(pi k), odd k), triangle (8/(pi k)^2), and |sin| (2/pi, 4/(pi (4 k^2 - 1)) at even lines): steps end
 * at their corners, or have them inside. */
static void waves_have_their_series(void)
{
    static const char deck[] =
        "waves\nV1 a 0 PULSE(-1 1 0 1p 1p 0.499999999m 1m)\nV2 b 0 PULSE(-1 1 0 0.5m 0.5m 1f 1m)\n"
        "V3 s 0 SIN(0 1 1k)\nB1 c 0 V=abs(v(s))\nR1 a 0 1\nR2 b 0 1\nR3 c 0 1\nR4 s 0 1\n"
        ".tran 1u 3m\n.four 1k 20 v(a) v(b) v(c)\n.end\n";
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct wanted *w = run(deck, "harmonic", methods[i], 1e-6);
        CU_ASSERT_EQUAL_FATAL(w->rows, 21);
        for (int k = 1; k <= 20; k++) {
            const double *v = w->values[k];
            CHECK_NEAR(v[0], k, 0);
            CHECK_NEAR(v[1], 1e3 * k, 1e-9);
            CHECK_NEAR(v[2], k % 2 ? 4 / (PI * k) : 0, 2e-6);
            CHECK_NEAR(v[6], k % 2 ? 8 / (PI * k * PI * k) : 0, 2e-6);
            CHECK_NEAR(v[10], k % 2 ? 0 : 4 / (PI * (k * k - 1.0)), 2e-5);
        }
        CHECK_NEAR(w->values[0][2], 0, 2e-6);
        CHECK_NEAR(w->values[0][10], 2 / PI, 2e-5);
        CHECK_NEAR(w->values[3][3], 0, 1e-2); /* sines */
    }
}

/* Random sums of sines through a low-pass: each comes out with its gain and phase, once the start has died out. */
static void sines_come_out_of_a_low_pass_as_they_must(void)
{
    for (unsigned seed = 1; seed <= 12; seed++) {
        char deck[2000];
        double amplitude[6], phase[6];
        const double tau = 40e-6;
        int used = snprintf(deck, sizeof deck, "sines\nR1 n5 out 1k\nC1 out 0 40n\n");
        state = seed;
        for (int k = 0; k < 5; k++) {
            amplitude[k] = uniform(0.1, 2);
            phase[k] = uniform(-180, 180);
            used += snprintf(deck + used, sizeof deck - (size_t)used, "V%d n%d %s%d SIN(0 %.17g %dk 0 0 %.17g)\n",
                             k + 1, k + 1, k == 0 ? "" : "n", k, amplitude[k], k + 1, phase[k]);
        }
        snprintf(deck + used, sizeof deck - (size_t)used, ".tran 1u 3m\n.four 1k 6 2 v(out)\n.end\n");
        const struct wanted *w = run(deck, "harmonic", seed % 2 ? "radau" : "bdf", 1e-7);
        for (int k = 1; k <= 6; k++) {
            const double *v = w->values[k], wt = 2e3 * PI * k * tau, gain = 1 / sqrt(1 + wt * wt);
            CHECK_NEAR(v[2], k < 6 ? gain * amplitude[k - 1] : 0, 2e-6);
            if (k < 6)
                CHECK_NEAR(remainder(v[3] - phase[k - 1] + 180 / PI * atan(wt), 360), 0, 2e-4 / amplitude[k - 1]);
        }
    }
}

/* A sine on a line has its amplitude under every window, and no more lines than the window has. */
static void windows_keep_a_sine_on_its_line(void)
{
    static const struct {
        const char *name;
        int width;
        double floor; /* of what is further away, in dB */
    } windows[] = {{"rect", 0, -110},  {"bart", 3, -30},    {"hann", 1, -110}, {"hamm", 1, -110},
                   {"black", 2, -110}, {"harris", 3, -110}, {"gauss", 5, -50}, {"kaiser", 4, -60}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char deck[400];
        snprintf(deck, sizeof deck,
                 "sine\nV1 a 0 SIN(0.25 3 20k 0 0 30)\nR1 a 0 1\n.tran 0.1u 1m\n.fft v(a) np=256 window=%s "
                 "format=unorm\n.end\n",
                 windows[i].name);
        const bool leaks = windows[i].floor > -100; /* side lobes of the sine and its image reach all lines */
        const struct wanted *w = run(deck, "frequency", "radau", 1e-8);
        CU_ASSERT_EQUAL_FATAL(w->rows, 129);
        CHECK_NEAR(w->values[20][0], 20e3, 1e-6);
        CHECK_NEAR(w->values[20][1], 3, 1e-5);
        CHECK_NEAR(w->values[20][3], -60, leaks ? 0.01 : 1e-3); /* sin(x + 30) = cos(x - 60) */
        CHECK_NEAR(w->values[0][1], 0.25, leaks ? 3e-4 : 1e-5);
        for (int k = 40; k < 129; k++)
            CU_ASSERT(w->values[k][2] < windows[i].floor);
        for (int k = windows[i].width + 1; k < 15; k++)
            CU_ASSERT(w->values[20 + k][2] < windows[i].floor + 10);
    }
}

/* A mean larger than the sine, which windows show in the lines beside it; V1 has a third harmonic of 10 %. */
static void a_mean_is_no_fundamental(void)
{
    static const char *const windows[] = {"rect", "hann", "hamm", "black", "harris", "kaiser"};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char deck[400];
        snprintf(deck, sizeof deck,
                 "mean\nV1 a b SIN(5 1 20k 0 0 30)\nV2 b 0 SIN(0 0.1 60k)\nR1 a 0 1\n.tran 0.1u 1m\n"
                 ".fft v(a) np=256 window=%s format=unorm\n.end\n",
                 windows[i]);
        const struct wanted *w = run(deck, "thd(v(a))", "radau", 1e-8);
        CHECK_NEAR(w->values[0][0], 10, 0.01);
    }
}

/* Samples are those of the interpolant, not of rows: few rows change nothing. */
static void rows_do_not_matter(void)
{
    static const char form[] = "rows\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 100n\n.options%s\n.tran %s 4m\n"
                               ".fft v(b) np=128 start=2m window=black\n.end\n";
    char deck[400];
    double magnitudes[65];
    snprintf(deck, sizeof deck, form, " reltol=1e-6", "1u");
    const struct wanted *w = run(deck, "frequency", "radau", 1e-6);
    for (int k = 0; k < 65; k++)
        magnitudes[k] = w->values[k][1];
    snprintf(deck, sizeof deck, form, " reltol=1e-6 steprows", "100u");
    w = run(deck, "frequency", "radau", 1e-6);
    for (int k = 0; k < 65; k++)
        CHECK_NEAR(w->values[k][1], magnitudes[k], 1e-6);
    CHECK_NEAR(magnitudes[2], 1, 1e-12); /* the largest: format=norm is the default */
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(spherical_bessel_functions_are_their_closed_forms),
        CLAIM(polynomials_are_integrated_exactly),
        CLAIM(the_transform_is_its_definition),
        CLAIM(distortion_counts_what_it_says),
        CLAIM(waves_have_their_series),
        CLAIM(sines_come_out_of_a_low_pass_as_they_must),
        CLAIM(windows_keep_a_sine_on_its_line),
        CLAIM(a_mean_is_no_fundamental),
        CLAIM(rows_do_not_matter),
    };
    return run_claims("spectra", claims, sizeof claims / sizeof claims[0]);
}
