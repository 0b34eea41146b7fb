/* Random values of a deck: their distributions, whom they belong to, and what they do not depend on.
 *
 * Moments, and Kolmogorov's and Smirnov's distance, of a fixed seed; the limits are five standard errors of a moment, and
 * a distance that one seed in a million exceeds.
 */
#include "claims.h"
#include "devices/device.h"
#include "netlist/netlist.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 20000 };

static struct deck *parse(const char *text)
{
    struct deck *k = NULL;
    CU_ASSERT_EQUAL_FATAL(deck_parse_text(&device_catalogue, "deck", text, strlen(text), NULL, NULL, &k), KN_OK);
    return k;
}

static struct circuit *expand(const struct deck *k, struct chance chance)
{
    const struct overrides all = {.chance = chance};
    struct circuit *c = NULL;
    CU_ASSERT_EQUAL_FATAL(deck_expand(k, &all, NULL, NULL, &c), KN_OK);
    return c;
}

static double value_of(const struct circuit *c, const char *element)
{
    const int number = circuit_find_element(c, element);
    CU_ASSERT_FATAL(number >= 0);
    return c->elements[number].value;
}

static double value_in(const struct deck *k, struct chance chance, const char *element)
{
    struct circuit *c = expand(k, chance);
    const double value = value_of(c, element);
    circuit_free(c);
    return value;
}

static struct chance drawn(uint64_t seed, uint64_t run)
{
    return (struct chance){.kind = CHANCE_DRAWN, .seed = seed, .run = run};
}

/* ---- distributions ---- */

static double normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double uniform(double x)
{
    return fmin(1, fmax(0, 0.5 * (x + 1)));
}

/* The larger of three deviations: |x| is below r with the third power of the probability of one. */
static double farthest_of_3(double x)
{
    return 0.5 * (1 + copysign(pow(erf(fabs(x) / sqrt(2)), 3), x));
}

/* With the deviation or half width 1 about 0: variance, fourth moment. */
struct shape {
    double (*below)(double x);
    double variance, fourth;
};
static const struct shape bell = {normal, 1, 3}, box = {uniform, 1.0 / 3, 1.0 / 5};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double distance(const double *sorted, double (*below)(double x))
{
    double most = 0;
    for (int i = 0; i < RUNS; i++)
        most = fmax(most, fmax(below(sorted[i]) - (double)i / RUNS, (i + 1.0) / RUNS - below(sorted[i])));
    return most;
}

static double moment(const double *values, int power)
{
    double sum = 0;
    for (int i = 0; i < RUNS; i++)
        sum += pow(values[i], power);
    return sum / RUNS;
}

/* R1 = {law} in many runs, from which nominal is taken and by whose spread it is divided. */
static void sample(const char *law, double nominal, double spread, double *out)
{
    char text[200];
    snprintf(text, sizeof text, "random\nR1 a 0 {%s}\nV1 a 0 1\n.op\n.end\n", law);
    struct deck *k = parse(text);
    for (uint64_t i = 0; i < RUNS; i++)
        out[i] = (value_in(k, drawn(20261122, i), "r1") - nominal) / spread;
    CHECK_NEAR(value_in(k, (struct chance){CHANCE_NOMINAL, 0, 0, NULL, 0}, "r1"), nominal, 0);
    deck_free(k);
    qsort(out, RUNS, sizeof *out, ascending);
}

static void claim_shape(const char *law, double nominal, double spread, const struct shape *s)
{
    static double values[RUNS];
    sample(law, nominal, spread, values);
    const double error = 5 / sqrt(RUNS);
    CHECK_NEAR(moment(values, 1), 0, error * sqrt(s->variance));
    CHECK_NEAR(moment(values, 2), s->variance, error * sqrt(s->fourth - s->variance * s->variance));
    const double far = distance(values, s->below);
    if (far > 2.7 / sqrt(RUNS))
        fprintf(stderr, "\n%s: distance %g\n", law, far);
    CU_ASSERT(far <= 2.7 / sqrt(RUNS)); /* 2 exp(-2 * 2.7^2) = 1e-6 */
}

static void normal_values_have_the_deviation_that_is_asked_for(void)
{
    claim_shape("agauss(1k,300,3)", 1000, 100, &bell);
    claim_shape("agauss(1k,100)", 1000, 100, &bell);
    claim_shape("gauss(2k,0.3,3)", 2000, 200, &bell);
    claim_shape("1k+gauss(20)", 1000, 20, &bell);
}

static void uniform_values_fill_their_interval(void)
{
    claim_shape("aunif(1k,100)", 1000, 100, &box);
    claim_shape("unif(1k,0.2)", 1000, 200, &box);
    claim_shape("mc(1k,0.05)", 1000, 50, &box);
    claim_shape("1k+flat(30)", 1000, 30, &box);
}

static void multiplier_takes_the_farthest_of_several(void)
{
    static double values[RUNS];
    sample("agauss(1k,100,1,3)", 1000, 100, values);
    CU_ASSERT(distance(values, farthest_of_3) <= 2.7 / sqrt(RUNS));
}

static void limit_of_two_is_one_end_or_the_other(void)
{
    static double values[RUNS];
    sample("limit(1k,100)", 1000, 100, values);
    int above = 0;
    for (int i = 0; i < RUNS; i++) {
        CU_ASSERT(fabs(fabs(values[i]) - 1) < 1e-12);
        above += values[i] > 0;
    }
    CHECK_NEAR(above, RUNS / 2, 2.5 * sqrt(RUNS)); /* five standard errors of sqrt(RUNS) / 2 */
}

static void limit_of_three_still_clips(void)
{
    struct deck *k = parse("clip\nR1 a 0 {limit(7,1,3)}\nV1 a 0 1\n.op\n.end\n");
    CU_ASSERT_EQUAL(value_in(k, drawn(1, 1), "r1"), 3);
    deck_free(k);
}

/* ---- whom they belong to ---- */

static const char several[] = "several\n"
                              ".param w=agauss(1k,100,1)\n"
                              "V1 a 0 1\n"
                              "R1 a 0 {w}\n"
                              "R2 a 0 {w}\n"
                              "R3 a 0 {agauss(1k,100,1)}\n"
                              "R4 a 0 {agauss(1k,100,1)+agauss(0,100,1)}\n"
                              "X1 a s\n"
                              "X2 a s\n"
                              ".subckt s a\n"
                              ".param w=agauss(1k,100,1)\n"
                              "R1 a 0 {w}\n"
                              "R2 a 0 r 1\n"
                              ".model r r(rsh={w} defw=1u)\n"
                              ".ends\n"
                              ".op\n";

static void each_name_has_a_value_of_its_own(void)
{
    struct deck *k = parse(several);
    struct circuit *c = expand(k, drawn(1, 7));
    CU_ASSERT_EQUAL(value_of(c, "r1"), value_of(c, "r2"));
    static const char *const names[] = {"r1", "r3", "r4", "x1.r1", "x2.r1"};
    for (int i = 0; i < 5; i++)
        for (int n = 0; n < i; n++)
            CU_ASSERT(value_of(c, names[i]) != value_of(c, names[n]));
    CU_ASSERT_EQUAL(c->random_count, 6);
    static const char *const random[] = {"w", "R3", "R4", "R4#2", "X1.w", "X2.w"};
    for (size_t i = 0; i < c->random_count; i++)
        CU_ASSERT_STRING_EQUAL(c->random[i], random[i]);
    circuit_free(c);
    deck_free(k);
}

/* Nor on the letters' case, what else is random, or the order of cards. */
static void values_depend_on_seed_run_and_name_only(void)
{
    struct deck *k = parse(several), *other = parse("other\n"
                                                    "X2 a S\n"
                                                    "r3 a 0 {AGAUSS(1k,100,1)}\n"
                                                    "R9 a 0 {agauss(1k,100,1)}\n"
                                                    "V1 a 0 1\n"
                                                    ".subckt s a\n"
                                                    "R1 a 0 {W}\n"
                                                    ".param W=agauss(1k,100,1)\n"
                                                    ".ends\n"
                                                    ".op\n");
    for (uint64_t run = 0; run < 20; run++) {
        CU_ASSERT_EQUAL(value_in(k, drawn(3, run), "r3"), value_in(other, drawn(3, run), "r3"));
        CU_ASSERT_EQUAL(value_in(k, drawn(3, run), "x2.r1"), value_in(other, drawn(3, run), "x2.r1"));
        CU_ASSERT(value_in(k, drawn(3, run), "r3") != value_in(k, drawn(4, run), "r3"));
        CU_ASSERT(value_in(k, drawn(3, run), "r3") != value_in(k, drawn(3, run + 1), "r3"));
    }
    deck_free(k);
    deck_free(other);
}

static void extremes_are_the_ends_of_the_tolerances(void)
{
    struct deck *k = parse("ends\n"
                           ".param g=agauss(1k,300,3)\n"
                           "V1 a 0 1\n"
                           "R1 a 0 {g}\n"
                           "R2 a 0 {unif(1k,0.1)}\n"
                           "R3 a 0 {mc(2k,0.01)}\n"
                           "R4 a 0 {1k+gauss(10)}\n"
                           "R5 a 0 {1k+flat(10)}\n"
                           ".op\n");
    static const double ends[] = {300, 100, 20, 30, 10}, nominal[] = {1000, 1000, 2000, 1000, 1000};
    for (int sign = -1; sign <= 1; sign++) {
        const signed char signs[] = {(signed char)sign, (signed char)sign, (signed char)sign, (signed char)sign,
                                     (signed char)sign};
        struct circuit *c = expand(k, (struct chance){CHANCE_EXTREME, 1, 1, signs, 5});
        for (int i = 0; i < 5; i++)
            CHECK_NEAR(value_of(c, (const char *const[]){"r1", "r2", "r3", "r4", "r5"}[i]), nominal[i] + sign * ends[i],
                       1e-9);
        circuit_free(c);
    }
    deck_free(k);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(normal_values_have_the_deviation_that_is_asked_for),
        CLAIM(uniform_values_fill_their_interval),
        CLAIM(multiplier_takes_the_farthest_of_several),
        CLAIM(limit_of_two_is_one_end_or_the_other),
        CLAIM(limit_of_three_still_clips),
        CLAIM(each_name_has_a_value_of_its_own),
        CLAIM(values_depend_on_seed_run_and_name_only),
        CLAIM(extremes_are_the_ends_of_the_tolerances),
    };
    return run_claims("draws", claims, sizeof claims / sizeof *claims);
}
