/* test_small_noise.c - .noise against the direct way: one dense solution per source of noise, stamped and solved here. */
#include "deck_rows.h"
#include "linear_circuit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double PI = 3.14159265358979323846;
static const double BOLTZMANN = 1.380649e-23, KELVIN = 300.15;

enum { FREQUENCY, OUTPUT, INPUT, GAIN, FIRST };

static char *deck_of(const struct linear_circuit *c, const char *card)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    fputs("random\n", to);
    linear_print(c, to);
    fprintf(to, "%s\n.end\n", card);
    fclose(to);
    return text;
}

/* The response at an output to the right side that `excite` left in q. */
static double complex response(struct linear_equations *q, int plus, int minus)
{
    CU_ASSERT(linear_solve_dense(q));
    return (double complex)((plus > 0 ? q->B[plus - 1] : 0) - (minus > 0 ? q->B[minus - 1] : 0));
}

static void without_sources(const struct linear_circuit *c, double w, struct linear_equations *q)
{
    linear_equations(c, w, q);
    memset(q->B, 0, sizeof q->B);
}

/* V^2/Hz at the output of resistor i alone. */
static double of_resistor(const struct linear_circuit *c, int i, double w, int plus, int minus)
{
    const struct linear_element *e = &c->elements[i];
    struct linear_equations q;
    without_sources(c, w, &q);
    if (e->a > 0)
        q.B[e->a - 1] += 1;
    if (e->b > 0)
        q.B[e->b - 1] -= 1;
    const double size = cabs(response(&q, plus, minus));
    return size * size * 4 * BOLTZMANN * KELVIN / e->value;
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-8 * fabs(expected) + 1e-15; /* V: what rounding leaves of nothing */
}

/* Of a row of the spectrum: all resistors in their order, then sums. */
static bool row_is_right(const struct linear_circuit *c, const double *row, size_t columns, int plus, int minus)
{
    const double w = 2 * PI * row[FREQUENCY];
    double sum = 0, each[LINEAR_MOST_ELEMENTS];
    size_t resistors = 0;
    for (int i = 0; i < c->count; i++)
        if (c->elements[i].kind == 'r')
            sum += each[resistors++] = of_resistor(c, i, w, plus, minus);
    if (columns != FIRST + 2 * resistors || !is_near(row[OUTPUT], sqrt(sum)))
        return false;
    for (size_t k = 0; k < resistors; k++)
        if (fabs(row[FIRST + 2 * k] - sqrt(each[k])) > 1e-8 * sqrt(each[k]) + 1e-9 * sqrt(sum) + 1e-15 ||
            row[FIRST + 2 * k] != row[FIRST + 2 * k + 1])
            return false;
    struct linear_equations q;
    without_sources(c, w, &q);
    q.B[c->current[0]] = 1;
    const double gain = cabs(response(&q, plus, minus));
    return fabs(row[GAIN] - gain) <= 1e-8 * gain + 1e-12 &&
           (gain < 1e-4 || sum < 1e-30 || is_near(row[INPUT], sqrt(sum) / gain)); /* else rounding is all of it */
}

static uint64_t first_seed = 20261122;
static int most_circuits = 60;

static void random_circuits_are_as_noisy_as_the_sum_of_their_resistors(void)
{
    static const double frequencies[] = {1, 3.3e3, 1e6, 2.7e7};
    for (int number = 0; number < most_circuits; number++) {
        const uint64_t seed = first_seed + (uint64_t)number;
        uint64_t state = seed;
        const struct linear_circuit c = linear_random(&state, "rrclclgfeht");
        const int plus = 2 + linear_pick(&state, c.nodes - 1), minus = linear_pick(&state, plus);
        const double f = frequencies[number % 4];
        char card[100];
        snprintf(card, sizeof card, ".noise v(%d%s%.0d) V0 lin 1 %g %g 1", plus, minus ? "," : "", minus, f, f);
        char *deck = deck_of(&c, card);
        CU_ASSERT_PTR_NOT_NULL_FATAL(deck);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        const bool good = r.count == 1 && row_is_right(&c, r.values, r.columns, plus, minus);
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "\nseed %llu: onoise %g inoise %g gain %g\n%s", (unsigned long long)seed, r.values[OUTPUT],
                    r.values[INPUT], r.values[GAIN], deck);
        free(r.values);
        free(deck);
    }
}

/* kT/C, whatever the resistor; over eight decades around its corner 1e-8 of it is missing. */
static void a_capacitor_has_kt_over_c(void)
{
    struct deck_rows r =
        deck_rows("kT/C\nV1 i 0 AC 1\nR1 i o 1k\nC1 o 0 1n\n.noise v(o) V1 dec 300 1 1e12\n.end\n", NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.columns, 2);
    CHECK_NEAR(r.values[0] / sqrt(BOLTZMANN * KELVIN / 1e-9), 1, 1e-5);
    free(r.values);
}

/* The one row of a deck whose R1 of 1 kOhm carries 1 mA, with kf=1e-9, from 2 to 5000 Hz: white noise and 1e-9 i^2/f at the output. */
static struct deck_rows flicker_of_1k(const char *deck)
{
    struct deck_rows r = deck_rows(deck, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    const double white = 4 * BOLTZMANN * KELVIN * 1e3 * (5000 - 2), flicker = 1e6 * 1e-9 * 1e-6 * log(2500);
    CHECK_NEAR(r.values[0] / sqrt(white + flicker), 1, 1e-12);
    return r;
}

/* kf i^2/f from f0 to f1 is kf i^2 ln(f1/f0), exactly, however few frequencies there are; also where f^1.4 is below. */
static void a_power_of_the_frequency_is_integrated_exactly(void)
{
    struct deck_rows r = flicker_of_1k("1/f\nI1 0 a DC 1m AC 1\nR1 a 0 rm 1k\n.model rm r (kf=1e-9 af=2)\n"
                                       ".noise v(a) I1 list 2 100 5000\n.end\n");
    CHECK_NEAR(r.values[1] / (r.values[0] / 1e3), 1, 1e-12);
    free(r.values);
    r = deck_rows("1/f^1.4\nI1 0 a DC 1m AC 1\nR1 a 0 rm 1k\n.model rm r (kf=1e-9 af=2 ef=1.4)\n"
                  ".noise v(a) I1 dec 1 1 1e4 1\n.end\n",
                  NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    const double steep = 1e6 * 1e-9 * 1e-6 * (1 - pow(1e4, -0.4)) / 0.4, low = 4 * BOLTZMANN * KELVIN * 1e3 * (1e4 - 1);
    CHECK_NEAR(r.values[0] / sqrt(low + steep), 1, 1e-12);
    free(r.values);
}

/* What the source does at the output is nothing to the noise there. */
static void noise_at_the_output_is_integrated_the_same_without_gain(void)
{
    struct deck_rows r = flicker_of_1k("deaf 1/f\nI1 0 a DC 1m\nR1 a 0 rm 1k\n.model rm r (kf=1e-9 af=2)\nV1 i 0 AC 1\n"
                                       "R2 i 0 1k\n.noise v(a) V1 list 2 100 5000\n.end\n");
    CU_ASSERT(isinf(r.values[1]));
    free(r.values);
}

/* At equilibrium a channel is a resistor: 4kT gds, which nlev=3 gives and 2/3 gm does not. */
static void a_channel_without_current_is_as_noisy_as_a_resistor(void)
{
    struct deck_rows r = deck_rows("channel\nV1 g 0 DC 2 AC 1\nM1 d g 0 0 nm w=10u l=1u\nI1 d 0 0\n"
                                   ".model nm nmos (vto=0.5 kp=100u nlev=3)\n.noise v(d) V1 lin 1 1k 1k\n.end\n",
                                   NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    CHECK_NEAR(r.values[OUTPUT] / sqrt(4 * BOLTZMANN * KELVIN / (100e-6 * 10 * 1.5)), 1, 1e-6);
    free(r.values);
}

/* Neither noise nor gain: 0 and not the quotient of both; noise without gain is infinite at the input. */
static void of_nothing_there_is_nothing(void)
{
    struct deck_rows r =
        deck_rows("quiet\nV1 i 0 AC 1\nR1 i 0 1k\nR2 o 0 1k noisy=0\n.noise v(o) V1 dec 2 1 100\n.end\n", NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    CU_ASSERT_EQUAL(r.values[0], 0);
    CU_ASSERT_EQUAL(r.values[1], 0);
    free(r.values);
    r = deck_rows("deaf\nV1 i 0 AC 1\nR1 i 0 1k\nR2 o 0 1k\n.noise v(o) V1 dec 2 1 100\n.end\n", NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    CHECK_NEAR(r.values[0] / sqrt(4 * BOLTZMANN * KELVIN * 1e3 * 99), 1, 1e-12);
    CU_ASSERT(isinf(r.values[1]));
    free(r.values);
}

int main(void)
{
    random_arguments(&first_seed, &most_circuits);
    static const struct claim claims[] = {
        CLAIM(random_circuits_are_as_noisy_as_the_sum_of_their_resistors),
        CLAIM(a_capacitor_has_kt_over_c),
        CLAIM(a_power_of_the_frequency_is_integrated_exactly),
        CLAIM(noise_at_the_output_is_integrated_the_same_without_gain),
        CLAIM(a_channel_without_current_is_as_noisy_as_a_resistor),
        CLAIM(of_nothing_there_is_nothing),
    };
    return run_claims("small noise", claims, COUNT(claims));
}
