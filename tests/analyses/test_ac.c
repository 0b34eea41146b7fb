/* test_ac.c - .ac and .tf against closed forms, and against equations that are stamped and solved here, densely. */
#include "deck_rows.h"
#include "linear_circuit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double PI = 3.14159265358979323846;

/* re and im of the vector in the columns 1 and 2 (of the k-th: 2k + 1, 2k + 2). */
static double complex phasor(const double *row, size_t k)
{
    return CMPLX(row[2 * k + 1], row[2 * k + 2]);
}

/* ---- closed forms ---- */

static double complex low_pass(double complex s)
{
    return 1 / (1 + s * 1e3 * 1e-6);
}

static double complex resonance(double complex s)
{
    return 1 / (1 + s * 10e-9 * 20 + s * s * 1e-3 * 10e-9);
}

/* z0 = 50 and td = 10n between 20 ohm and 150 ohm. */
static double complex line(double complex s)
{
    const double complex e = cexp(-s * 10e-9);
    const double far = (150.0 - 50) / (150 + 50), near = (20.0 - 50) / (20 + 50);
    return 50.0 / 70 * e * (1 + far) / (1 - far * near * e * e);
}

/* An op-amp of gain 1e5 and a pole at 10 Hz that inverts by 10k/1k. */
static double complex inverter(double complex s)
{
    const double complex a = 1e5 / (1 + s / (2 * PI * 10));
    return -10 / (1 + 11 / a);
}

/* Transformer of 1m and 4m coupled by 0.9, 50 ohm in front and 200 behind. */
static double complex transformer(double complex s)
{
    const double m = 0.9 * sqrt(1e-3 * 4e-3);
    return s * m * 200 / ((50 + s * 1e-3) * (200 + s * 4e-3) - s * s * m * m);
}

static void every_frequency_of_a_closed_form_is_met(void)
{
    static const struct {
        const char *elements;
        double complex (*form)(double complex s);
    } cases[] = {
        {"V1 i 0 AC 1\nR1 i o 1k\nC1 o 0 1u\n", low_pass},
        {"V1 i 0 AC 1\nR1 i a 20\nL1 a o 1m\nC1 o 0 10n\n", resonance},
        {"V1 i 0 AC 1\nR1 i a 20\nT1 a 0 o 0 z0=50 td=10n\nR2 o 0 150\n", line},
        {"V1 i 0 AC 1\nR1 i m 1k\nR2 m o 10k\nE1 e 0 0 m 1e5\nR3 e p 15915.494309189535\nC3 p 0 1u\nE2 o 0 p 0 1\n",
         inverter},
        {"V1 i 0 AC 1\nR1 i a 50\nL1 a 0 1m\nL2 o 0 4m\nK1 L1 L2 0.9\nR2 o 0 200\n", transformer},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char deck[600];
        snprintf(deck, sizeof deck, "closed form\n%s.save v(o)\n.ac dec 7 10 100meg\n.end\n", cases[i].elements);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        CU_ASSERT_EQUAL(r.count, 50);
        for (size_t k = 0; k < r.count; k++) {
            const double *row = deck_row(&r, k);
            const double complex expected = cases[i].form(2 * PI * I * row[0]);
            CHECK_NEAR(cabs(phasor(row, 0) - expected) / cabs(expected), 0, 1e-9);
        }
        free(r.values);
    }
}

/* .print: the parts of a phasor, the group delay of a low pass tau / (1 + (w tau)^2). */
static void parts_of_phasors_follow_from_the_phasor(void)
{
    struct deck_rows r = deck_rows("parts\nV1 i 0 AC 2 30\nR1 i o 1k\nC1 o 0 1u\n.ac lin 3 100 300\n.save v(o)\n"
                                   ".print ac vm(o) vdb(o) vp(o) vr(o) vi(o) vg(o) im(r1) ip(c1)\n.end\n",
                                   NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 3);
    CU_ASSERT_EQUAL_FATAL(r.columns, 3 + 8);
    for (size_t k = 0; k < r.count; k++) {
        const double *row = deck_row(&r, k), w = 2 * PI * row[0];
        const double complex source = 2 * cexp(I * PI / 6), v = source * low_pass(I * w), i = (source - v) / 1e3;
        CHECK_NEAR(row[0], 100 * (double)(k + 1), 1e-9);
        CHECK_NEAR(row[3], cabs(v), 1e-12);
        CHECK_NEAR(row[4], 20 * log10(cabs(v)), 1e-10);
        CHECK_NEAR(row[5], 180 / PI * carg(v), 1e-10);
        CHECK_NEAR(row[6], creal(v), 1e-12);
        CHECK_NEAR(row[7], cimag(v), 1e-12);
        CHECK_NEAR(row[8], 1e-3 / (1 + w * w * 1e-6), 1e-14);
        CHECK_NEAR(row[9], cabs(i), 1e-14);
        CHECK_NEAR(row[10], 180 / PI * carg(i), 1e-8);
    }
    free(r.values);
}

/* ---- 0 Hz ---- */

static const char OPEN_AT_REST[] =
    "V1 i 0 AC 1\nR1 i a 100\nR2 a 0 1k\nC1 a c 1n\nR3 c d 3.3k\nR6 c d 1.7k\nC2 d 0 1n\nC3 c 0 3n\n"
    "R4 i e 1k\nL1 e 0 2m\nL2 e 0 4.5m\nK1 L1 L2 0.5\n";

/* The charge that C1 brings to c and d is that on C2 and C3: a quarter as much voltage as lies across C1.  Both inductors
 * have the flux of v(e): L1 i1 + M i2 = L2 i2 + M i1 with M = 1.5m, so that i1 : i2 = 3 : 0.5. */
static void at_0_hertz_nodes_keep_their_charge_and_loops_their_flux(void)
{
    char deck[600];
    snprintf(deck, sizeof deck, "open at rest\n%s.ac lin 1 0 0\n.save v(a) v(c) v(d) v(e) i(l1) i(l2)\n.end\n",
             OPEN_AT_REST);
    struct deck_rows r = deck_rows(deck, NULL, 0);
    const double expected[] = {10.0 / 11, 2.0 / 11, 2.0 / 11, 0, 1e-3 * 6 / 7, 1e-3 / 7};
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    for (size_t k = 0; k < COUNT(expected); k++)
        CHECK_NEAR(cabs(phasor(deck_row(&r, 0), k) - expected[k]), 0, 1e-12);
    free(r.values);
}

static void check_transfer(const char *out, const double expected[3])
{
    char deck[600];
    snprintf(deck, sizeof deck, "open at rest\n%s.tf %s v1\n.end\n", OPEN_AT_REST, out);
    struct deck_rows r = deck_rows(deck, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 1);
    CU_ASSERT_EQUAL_FATAL(r.columns, 3);
    for (size_t k = 0; k < 3; k++)
        CU_ASSERT(isinf(expected[k]) ? r.values[k] == expected[k] : fabs(r.values[k] - expected[k]) < 1e-9);
    free(r.values);
}

/* A current into a node that only capacitors lead away from charges it without end; no limit is needed for the rest. */
static void transfers_at_rest_are_limits_too(void)
{
    const double input = 1 / (1 / 1100.0 + 1 / 1e3);
    check_transfer("v(a)", (const double[]){10.0 / 11, input, 1000.0 / 11});
    check_transfer("v(c)", (const double[]){2.0 / 11, input, INFINITY});
    check_transfer("v(e)", (const double[]){0, input, 0});
}

/* ---- random circuits ---- */

static char *deck_of(const struct linear_circuit *c, const char *cards)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    fputs("random\n", to);
    linear_print(c, to);
    fputs(".save", to);
    for (int i = 1; i <= c->nodes; i++)
        fprintf(to, " v(%d)", i);
    for (int i = 0; i < c->count; i++)
        if (c->elements[i].kind == 'v' || c->elements[i].kind == 'l')
            fprintf(to, " i(%c%d)", c->elements[i].kind, i);
    fprintf(to, "\n%s.end\n", cards);
    fclose(to);
    return text;
}

/* Largest distance of a row of .ac from the dense solution, relative to the largest voltage and current (of a
 * source, too, and in part of what resistors could carry: others may be what is left of such). */
static double distance(const struct linear_circuit *c, const double *row)
{
    struct linear_equations q;
    linear_equations(c, 2 * PI * row[0], &q);
    if (!linear_solve_dense(&q))
        return NAN;
    double worst = 0, most = 0;
    for (int i = 0; i < c->nodes; i++) {
        worst = fmax(worst, (double)cabsl(phasor(row, (size_t)i) - q.B[i]));
        most = fmax(most, (double)cabsl(q.B[i]));
    }
    double worst_current = 0, most_current = 0;
    size_t column = (size_t)c->nodes;
    for (int i = 0; i < c->count; i++) {
        if (c->elements[i].kind == 'i')
            most_current = fmax(most_current, c->elements[i].value);
        if (c->elements[i].kind == 'r')
            most_current = fmax(most_current, 1e-6 * most / c->elements[i].value);
        if (c->elements[i].kind == 'v' || c->elements[i].kind == 'l') {
            worst_current = fmax(worst_current, (double)cabsl(phasor(row, column++) - q.B[c->current[i]]));
            most_current = fmax(most_current, (double)cabsl(q.B[c->current[i]]));
        }
    }
    return fmax(worst / most, worst_current / most_current);
}

static uint64_t first_seed = 20261122;
static int most_circuits = 60;

static void random_circuits_have_the_phasors_of_a_dense_solution(void)
{
    for (int number = 0; number < most_circuits; number++) {
        const uint64_t seed = first_seed + (uint64_t)number;
        uint64_t state = seed;
        const struct linear_circuit c = linear_random(&state, &"rrclclvgfehti"[number % 2]);
        char *deck = deck_of(&c, ".ac dec 3 10 10meg\n");
        CU_ASSERT_PTR_NOT_NULL_FATAL(deck);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        double worst = r.count == 19 ? 0 : INFINITY;
        for (size_t k = 0; k < r.count; k++)
            worst = fmax(worst, distance(&c, deck_row(&r, k)));
        CU_ASSERT(worst < 1e-8);
        if (!(worst < 1e-8))
            fprintf(stderr, "\nseed %llu, off by %g:\n%s", (unsigned long long)seed, worst, deck);
        free(r.values);
        free(deck);
    }
}

/* .tf: the source's own response, the resistance that it sees, and that of 1 A into the output without sources. */
static void random_transfers_are_those_of_a_dense_solution(void)
{
    for (int number = 0; number < most_circuits; number++) {
        const uint64_t seed = first_seed + 1000 + (uint64_t)number;
        uint64_t state = seed;
        struct linear_circuit c = linear_random(&state, "rrrrgfehl");
        const int out = c.nodes - 1;
        char card[60];
        snprintf(card, sizeof card, ".tf v(%d) V0\n", out);
        char *deck = deck_of(&c, card);
        CU_ASSERT_PTR_NOT_NULL_FATAL(deck);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        struct linear_equations q;
        c.elements[0].value = 1;
        linear_equations(&c, 0, &q);
        CU_ASSERT(linear_solve_dense(&q));
        const double gain = (double)creall(q.B[out - 1]), input = -1 / (double)creall(q.B[c.current[0]]);
        c.elements[0].value = 0;
        linear_equations(&c, 0, &q);
        q.B[out - 1] = 1;
        CU_ASSERT(linear_solve_dense(&q));
        const double output = (double)creall(q.B[out - 1]);
        const bool good = r.count == 1 && r.columns == 3 && fabs(r.values[0] - gain) <= 1e-9 * fmax(1e-3, fabs(gain)) &&
                          fabs(1 / r.values[1] - 1 / input) <= 1e-7 * fabs(1 / input) + 1e-14 &&
                          fabs(r.values[2] - output) <= 1e-9 * fmax(1, fabs(output));
        CU_ASSERT(good);
        if (!good && r.count == 1)
            fprintf(stderr, "\nseed %llu: %.12g %.12g %.12g, expected %.12g %.12g %.12g\n%s", (unsigned long long)seed,
                    r.values[0], r.values[1], r.values[2], gain, input, output, deck);
        free(r.values);
        free(deck);
    }
}

/* The steady state of a run that a sine drives, after all has died out. */
static void a_transient_settles_to_the_phasor(void)
{
    struct deck_rows ac = deck_rows("phasor\nV1 i 0 AC 1\nR1 i a 100\nL1 a o 1m\nC1 o 0 100n\nR2 o 0 300\n.save v(o)\n"
                                    ".ac list 20k\n.end\n",
                                    NULL, 0);
    struct deck_rows run = deck_rows("sine\nV1 i 0 SIN(0 1 20k)\nR1 i a 100\nL1 a o 1m\nC1 o 0 100n\nR2 o 0 300\n"
                                     ".save v(o)\n.tran 0.05u 1m 0.9m\n.options reltol=1e-8\n.end\n",
                                     "radau", 0);
    const double complex v = phasor(deck_row(&ac, 0), 0);
    for (size_t k = 0; k < run.count; k += 7) {
        const double *row = deck_row(&run, k);
        CHECK_NEAR(row[1], cimag(v * cexp(2 * PI * 20e3 * I * row[0])), 2e-6);
    }
    CU_ASSERT(run.count > 100);
    free(ac.values);
    free(run.values);
}

/* Resistors from node to node and from each to ground, capacitors, and coils with resistors in series: what a sine has set
 * going besides dies out with time constants below 0.3 ms. */
static int passive_elements(char *text, size_t room, uint64_t *state)
{
    const int nodes = 3 + linear_pick(state, 4), more = 3 + linear_pick(state, 5);
    int length = 0;
    for (int i = 1; i <= nodes; i++)
        length += snprintf(text + length, room - (size_t)length, "Ra%d %d %d %g\nRb%d %d 0 %g\n", i, i - 1, i,
                           linear_value(state, 50, 2e3), i, i, linear_value(state, 100, 1e3));
    for (int i = 0; i < more; i++) {
        const int from = 1 + linear_pick(state, nodes), to = linear_pick(state, from);
        const bool coil = linear_pick(state, 3) == 0;
        length += coil ? snprintf(text + length, room - (size_t)length, "L%d %d x%d %g\nRl%d x%d %d %g\n", i, from, i,
                                  linear_value(state, 1e-5, 1e-3), i, i, to, linear_value(state, 20, 200))
                       : snprintf(text + length, room - (size_t)length, "C%d %d %d %g\n", i, from, to,
                                  linear_value(state, 1e-9, 4.7e-8));
    }
    return nodes;
}

static struct deck_rows driven(const char *source, const char *elements, int out, const char *cards, const char *method)
{
    char deck[4000];
    snprintf(deck, sizeof deck, "driven\nV1 s 0 %s\nRs s 1 100\n%s.save v(%d)\n%s.end\n", source, elements, out, cards);
    return deck_rows(deck, method, 0);
}

static void transients_of_random_circuits_settle_to_their_phasors(void)
{
    static const char *const methods[] = {"radau", "bdf", "rodasp"};
    for (int number = 0; number < most_circuits / 5; number++) {
        const uint64_t seed = first_seed + 2000 + (uint64_t)number;
        uint64_t state = seed;
        char elements[3000], source[80], cards[200];
        const int out = passive_elements(elements, sizeof elements, &state);
        const double frequency = linear_value(&state, 1e3, 5e4);
        snprintf(cards, sizeof cards, ".ac list %.17g\n", frequency);
        struct deck_rows ac = driven("AC 1", elements, out, cards, NULL);
        snprintf(source, sizeof source, "SIN(0 1 %.17g)", frequency);
        snprintf(cards, sizeof cards, ".tran %g %.17g 8m\n.options reltol=1e-8\n", 0.05 / frequency,
                 8e-3 + 2 / frequency);
        struct deck_rows run = driven(source, elements, out, cards, methods[number % 3]);
        const double complex v = phasor(deck_row(&ac, 0), 0);
        double worst = run.count > 20 ? 0 : INFINITY;
        for (size_t k = 0; k < run.count; k++) {
            const double *row = deck_row(&run, k);
            worst = fmax(worst, fabs(row[1] - cimag(v * cexp(2 * PI * frequency * I * row[0]))));
        }
        CU_ASSERT(worst < 2e-6);
        if (!(worst < 2e-6))
            fprintf(stderr, "\nseed %llu, %s off by %g at %g Hz:\n%s", (unsigned long long)seed, methods[number % 3],
                    worst, frequency, elements);
        free(ac.values);
        free(run.values);
    }
}

int main(void)
{
    random_arguments(&first_seed, &most_circuits);
    static const struct claim claims[] = {
        CLAIM(every_frequency_of_a_closed_form_is_met),
        CLAIM(parts_of_phasors_follow_from_the_phasor),
        CLAIM(at_0_hertz_nodes_keep_their_charge_and_loops_their_flux),
        CLAIM(transfers_at_rest_are_limits_too),
        CLAIM(random_circuits_have_the_phasors_of_a_dense_solution),
        CLAIM(random_transfers_are_those_of_a_dense_solution),
        CLAIM(a_transient_settles_to_the_phasor),
        CLAIM(transients_of_random_circuits_settle_to_their_phasors),
    };
    return run_claims("ac", claims, COUNT(claims));
}
