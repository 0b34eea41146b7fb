/* test_distortion.c - .disto against closed forms of a cubic conductance and a cubic charge, against a long transient, and
 * independent of what stands around it.
 */
#include "deck_tables.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double PI = 3.14159265358979323846;

/* What a resistor of 1k drives: a conductance and a charge k1 v + k2 v^2 + k3 v^3 with these numbers. */
struct cubic {
    double g[3], c[3];
};

static double complex coefficient(const struct cubic *k, int power, double w)
{
    return CMPLX(k->g[power - 1], w * k->c[power - 1]);
}

static double complex admittance(const struct cubic *k, double w)
{
    return 1e-3 + coefficient(k, 1, w);
}

static char *deck_of(const struct cubic *k, const char *card)
{
    static char deck[1000];
    snprintf(deck, sizeof deck,
             "cubic\nV1 in 0 DC 0 DISTOF1 0.1 30 DISTOF2 0.04 -50\nR1 in a 1k\n"
             "B1 a 0 I=%g*v(a)+%g*v(a)^2+%g*v(a)^3\nC1 a 0 Q='%g*v(a)+%g*v(a)^2+%g*v(a)^3'\n%s\n.end\n",
             k->g[0], k->g[1], k->g[2], k->c[0], k->c[1], k->c[2], card);
    return deck;
}

static const struct cubic cubics[] = {
    {{1e-3, 2e-3, 5e-3}, {0, 0, 0}}, {{5e-4, 0, 0}, {1e-9, 3e-9, -2e-9}}, {{2e-4, -1e-3, 3e-3}, {2e-9, 1e-9, 4e-9}}};

static void check(double complex value, double complex expected, const char *name)
{
    const bool good = cabs(value - expected) <= 1e-8 * cabs(expected) + 1e-18;
    CU_ASSERT(good);
    if (!good)
        fprintf(stderr, "\n%s: %.12g %+.12gi, expected %.12g %+.12gi\n", name, creal(value), cimag(value),
                creal(expected), cimag(expected));
}

static void harmonics_of_a_cubic_are_its_closed_forms(void)
{
    for (size_t i = 0; i < COUNT(cubics); i++) {
        const struct cubic *k = &cubics[i];
        struct deck_tables *t = deck_tables(deck_of(k, ".disto dec 2 1k 10meg"), 1e-9);
        CU_ASSERT_EQUAL(t->count, 2);
        CU_ASSERT_STRING_EQUAL(t->tables[1].plot, "DISTORTION - 3rd harmonic");
        CU_ASSERT_EQUAL(t->tables[0].rows.count, 9);
        for (size_t r = 0; r < t->tables[0].rows.count; r++) {
            const double w = 2 * PI * creal(deck_tables_value(t, 0, r, "frequency"));
            const double complex X = 0.1 * cexp(I * PI / 6) / 1e3 / admittance(k, w);
            const double complex X2 = -0.5 * coefficient(k, 2, 2 * w) * X * X / admittance(k, 2 * w);
            const double complex X3 =
                -(0.25 * coefficient(k, 3, 3 * w) * X * X * X + coefficient(k, 2, 3 * w) * X * X2) /
                admittance(k, 3 * w);
            check(deck_tables_value(t, 0, r, "v(a)"), X2, "second");
            check(deck_tables_value(t, 1, r, "v(a)"), X3, "third");
        }
        deck_tables_free(t);
    }
}

static void intermodulation_of_a_cubic_is_its_closed_form(void)
{
    for (size_t i = 0; i < COUNT(cubics); i++) {
        const struct cubic *k = &cubics[i];
        struct deck_tables *t = deck_tables(deck_of(k, ".disto dec 2 1k 10meg 0.9"), 1e-9);
        CU_ASSERT_EQUAL(t->count, 3);
        const double w2 = 2 * PI * 1e3 * 0.9;
        for (size_t r = 0; r < t->tables[0].rows.count; r++) {
            const double w = 2 * PI * creal(deck_tables_value(t, 0, r, "frequency"));
            const double complex X = 0.1 * cexp(I * PI / 6) / 1e3 / admittance(k, w);
            const double complex Y = 0.04 * cexp(-I * PI / 3.6) / 1e3 / admittance(k, w2), y = conj(Y);
            const double complex X2 = -0.5 * coefficient(k, 2, 2 * w) * X * X / admittance(k, 2 * w);
            const double complex S = -coefficient(k, 2, w + w2) * X * Y / admittance(k, w + w2);
            const double complex D = -coefficient(k, 2, w - w2) * X * y / admittance(k, w - w2);
            const double third = 2 * w - w2;
            const double complex T =
                -(0.75 * coefficient(k, 3, third) * X * X * y + coefficient(k, 2, third) * (X2 * y + D * X)) /
                admittance(k, third);
            check(deck_tables_value(t, 0, r, "v(a)"), S, "sum");
            check(deck_tables_value(t, 1, r, "v(a)"), D, "difference");
            check(deck_tables_value(t, 2, r, "v(a)"), T, "third order");
        }
        deck_tables_free(t);
    }
}

/* A bend 0.1 V away, of a device whose conductance is lost beside others, and one 0.1 uV away, of a device that does nothing:
 * no distance suits both, and each gets its own.  At v(a) = 1 the current of B1 is 10 nA. */
static void devices_of_other_sizes_hide_nothing(void)
{
    static const char *const deck = "sizes\nV1 in 0 DC 1.00101 DISTOF1 1m\nR1 in a 1k\nR2 a 0 1meg\n"
                                    "B1 a 0 I=1u*max(v(a)-0.9,0)^2\nB2 b 0 I=max(v(a)-1.0000001,0)^2\nR3 b 0 1k\n"
                                    ".disto list 1k\n.end\n";
    struct deck_tables *t = deck_tables(deck, 1e-9);
    const double Y = 1e-3 + 1e-6 + 2e-7, X = 1e-6 / Y, X2 = -0.5e-6 * X * X / Y, X3 = -1e-6 * X * X2 / Y;
    const double complex second = deck_tables_value(t, 0, 0, "v(a)"), third = deck_tables_value(t, 1, 0, "v(a)");
    CU_ASSERT(cabs(second - X2) <= 1e-6 * fabs(X2));
    CU_ASSERT(cabs(third - X3) <= 1e-5 * fabs(X3));
    if (!(cabs(second - X2) <= 1e-6 * fabs(X2)) || !(cabs(third - X3) <= 1e-5 * fabs(X3)))
        fprintf(stderr, "\n%.10g and %.10g, expected %.10g and %.10g\n", creal(second), creal(third), X2, X3);
    deck_tables_free(t);
}

/* Of the last period of 1 us, by the trapezoidal rule over its rows, which is good to 1e-6 there. */
static double complex fourier(const struct deck_rows *run, double frequency)
{
    double complex sum = 0;
    for (size_t k = 1; k < run->count; k++) {
        const double *a = deck_row(run, k - 1), *b = deck_row(run, k);
        const double complex before = a[1] * cexp(-2 * PI * I * frequency * a[0]);
        const double complex now = b[1] * cexp(-2 * PI * I * frequency * b[0]);
        sum += (before + now) * (b[0] - a[0]) / 1e-6;
    }
    return sum;
}

/* A transistor that a small sine drives, settled. */
static void a_transient_has_these_harmonics(void)
{
    static const char *const stage = "VC cc 0 5\nR1 in b 1k\nQ1 c b 0 qn\nRC cc c 2k\nCB b 0 100p\n"
                                     ".model qn npn is=1e-15 bf=100 vaf=50 cje=2p cjc=1p tf=0.4n\n";
    char deck[1000];
    snprintf(deck, sizeof deck, "harmonics\nV1 in 0 DC 0.7 DISTOF1 2m\n%s.disto list 1meg\n.end\n", stage);
    struct deck_tables *t = deck_tables(deck, 1e-9);
    snprintf(deck, sizeof deck,
             "sine\nV1 in 0 DC 0.7 SIN(0.7 2m 1meg 0 0 90)\n%s.save v(c)\n.tran 0.1n 11u 10u 0.25n\n"
             ".options reltol=1e-10 vntol=1e-14 abstol=1e-16\n.end\n",
             stage);
    struct deck_rows run = deck_rows(deck, "radau", 0);
    for (int harmonic = 2; harmonic <= 3; harmonic++) {
        const double complex sum = fourier(&run, harmonic * 1e6);
        const double complex expected = deck_tables_value(t, (size_t)harmonic - 2, 0, "v(c)");
        CU_ASSERT(cabs(sum - expected) <= 0.01 * cabs(expected));
        if (!(cabs(sum - expected) <= 0.01 * cabs(expected)))
            fprintf(stderr, "\nharmonic %d: %.8g %+.8gi of a run, %.8g %+.8gi\n", harmonic, creal(sum), cimag(sum),
                    creal(expected), cimag(expected));
    }
    free(run.values);
    deck_tables_free(t);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(harmonics_of_a_cubic_are_its_closed_forms),
        CLAIM(intermodulation_of_a_cubic_is_its_closed_form),
        CLAIM(devices_of_other_sizes_hide_nothing),
        CLAIM(a_transient_has_these_harmonics),
    };
    return run_claims("distortion", claims, COUNT(claims));
}
