/* test_sensitivity.c - .sens against closed forms, against dense equations that are solved here with other values, and
 * against complete runs with other values.
 */
#include "deck_tables.h"
#include "linear_circuit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double PI = 3.14159265358979323846;

static void check(double complex value, double complex expected, double relative, const char *name)
{
    const bool good = cabs(value - expected) <= relative * cabs(expected);
    CU_ASSERT(good);
    if (!good)
        fprintf(stderr, "\n%s: %.12g %+.12gi, expected %.12g %+.12gi\n", name, creal(value), cimag(value),
                creal(expected), cimag(expected));
}

/* ---- closed forms ---- */

static void a_divider_has_its_derivatives(void)
{
    struct deck_tables *r = deck_tables("divider\nV1 a 0 6\nR1 a b 1k tc1=1m\nR2 b c 2k\nVx c 0 0\nR3 b 0 rm 1k\n"
                                        ".model rm r (tc1=2m)\n.sens v(b)\n.temp 37\n.end\n",
                                        1e-9);
    /* v = V G1/(G1 + G2 + G3) at 10 degrees above tnom */
    const double g1 = 1e-3 / 1.01, g2 = 5e-4, g3 = 1e-3 / 1.02, g = g1 + g2 + g3;
    const double by_g1 = 6 * (g - g1) / (g * g), by_g3 = -6 * g1 / (g * g);
    check(deck_tables_value(r, 0, 0, "v1"), g1 / g, 1e-10, "v1");
    check(deck_tables_value(r, 0, 0, "r1"), -by_g1 * g1 / 1e3, 1e-10, "r1");
    check(deck_tables_value(r, 0, 0, "r2"), 6 * g1 / (g * g) * g2 / 2e3, 1e-10, "r2");
    check(deck_tables_value(r, 0, 0, "r1:tc1"), -by_g1 * g1 / 1.01 * 10, 1e-10, "r1:tc1");
    check(deck_tables_value(r, 0, 0, "rm:tc1"), -by_g3 * g3 / 1.02 * 10, 1e-10, "rm:tc1");
    check(deck_tables_value(r, 0, 0, "vx"), g2 / g, 1e-10, "vx");
    deck_tables_free(r);
    r = deck_tables("current\nV1 a 0 6\nR1 a b 1k\nVx b 0 0\n.sens i(Vx)\n.end\n", 1e-9);
    check(deck_tables_value(r, 0, 0, "r1"), -6e-6, 1e-10, "i, r1");
    deck_tables_free(r);
}

/* v = 1/(1 + s R C) */
static void a_low_pass_has_its_derivatives_over_the_frequency(void)
{
    struct deck_tables *r = deck_tables(
        "low pass\nV1 i 0 AC 2 30\nR1 i o 1k\nC1 o 0 1u\n.sens v(o) ac list 10 159.155 1k 50k\n.end\n", 1e-9);
    CU_ASSERT_EQUAL(r->tables[0].rows.count, 4);
    for (size_t k = 0; k < r->tables[0].rows.count; k++) {
        const double complex s = 2 * PI * I * creal(deck_tables_value(r, 0, k, "frequency")), h = 1 / (1 + s * 1e-3);
        const double complex source = 2 * cexp(I * PI / 6);
        check(deck_tables_value(r, 0, k, "r1"), -source * h * h * s * 1e-6, 1e-9, "r1");
        check(deck_tables_value(r, 0, k, "c1"), -source * h * h * s * 1e3, 1e-9, "c1");
        check(deck_tables_value(r, 0, k, "v1:acmag"), source / 2 * h, 1e-9, "acmag");
        check(deck_tables_value(r, 0, k, "v1:acphase"), I * PI / 180 * source * h, 1e-9, "acphase");
    }
    deck_tables_free(r);
}

/* ---- random linear circuits: differences of dense solutions ---- */

static long double complex solution(const struct linear_circuit *c, double w, int node)
{
    static struct linear_equations q;
    linear_equations(c, w, &q);
    CU_ASSERT(linear_solve_dense(&q));
    return q.B[node - 1];
}

/* Central differences with steps h and h/2, extrapolated. */
static double complex difference(struct linear_circuit *c, double *value, double part, double w, int node)
{
    const double kept = *value, h = part * kept;
    long double complex d[2];
    for (int k = 0; k < 2; k++) {
        const double step = k == 0 ? h : h / 2;
        const double over = kept + step, under = kept - step;
        *value = over;
        const long double complex above = solution(c, w, node);
        *value = under;
        d[k] = (above - solution(c, w, node)) / ((long double)over - under);
    }
    *value = kept;
    return (double complex)(d[1] + (d[1] - d[0]) / 3);
}

static uint64_t first_seed = 20261122;
static int most_circuits = 40;

/* A difference may be what is left of large terms: of the size of the solution over the value. */
static bool is_near(const char *name, double complex value, double complex expected, double size)
{
    const bool good = cabs(value - expected) <= 1e-7 * cabs(expected) + 1e-9 * size;
    if (!good)
        fprintf(stderr, "\n%s: %.10g %+.10gi, expected %.10g %+.10gi\n", name, creal(value), cimag(value),
                creal(expected), cimag(expected));
    return good;
}

static double largest_voltage(const struct linear_circuit *c, double w)
{
    static struct linear_equations q;
    double most = 0;
    linear_equations(c, w, &q);
    CU_ASSERT(linear_solve_dense(&q));
    for (int i = 0; i < c->nodes; i++)
        most = fmax(most, (double)cabsl(q.B[i]));
    return most;
}

static bool circuit_is_right(struct linear_circuit *c, const struct deck_tables *r, int node)
{
    const double w = 2 * PI * creal(deck_tables_value(r, 0, 0, "frequency")), size = largest_voltage(c, w);
    for (int i = 0; i < c->count; i++) {
        struct linear_element *e = &c->elements[i];
        char name[30];
        const bool source = e->kind == 'v' || e->kind == 'i';
        snprintf(name, sizeof name, e->kind == 't' ? "%c%d:z0" : source ? "%c%d:acmag" : "%c%d", e->kind, i);
        const double complex expected = difference(c, &e->value, 1e-3, w, node),
                             value = deck_tables_value(r, 0, 0, name);
        if (!is_near(name, value, expected, size / e->value))
            return false;
        if (e->kind != 't')
            continue;
        snprintf(name, sizeof name, "t%d:td", i);
        if (!is_near(name, deck_tables_value(r, 0, 0, name),
                     difference(c, &e->delay, 1e-4 / (1 + w * e->delay), w, node),
                     size * (1 + w * e->delay) / e->delay))
            return false;
    }
    return true;
}

static void random_circuits_change_as_dense_solutions_do(void)
{
    static const double frequencies[] = {10, 3.3e3, 1e6, 2.7e7};
    for (int number = 0; number < most_circuits; number++) {
        const uint64_t seed = first_seed + (uint64_t)number;
        uint64_t state = seed;
        struct linear_circuit c = linear_random(&state, "rrclclgfehti");
        const int node = 2 + linear_pick(&state, c.nodes - 1);
        char *deck = NULL;
        size_t length;
        FILE *to = open_memstream(&deck, &length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(to);
        fputs("random\n", to);
        linear_print(&c, to);
        fprintf(to, ".sens v(%d) ac list %g\n.end\n", node, frequencies[number % 4]);
        fclose(to);
        struct deck_tables *r = deck_tables(deck, 1e-9);
        const bool good = r->tables[0].rows.count == 1 && circuit_is_right(&c, r, node);
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "\nseed %llu\n%s", (unsigned long long)seed, deck);
        deck_tables_free(r);
        free(deck);
    }
}

/* ---- nonlinear circuits: differences of complete runs ---- */

/* A stage whose numbers are %1$g .. in this order. */
static const char *const stage =
    "V1 in 0 DC %.15g AC 1\nRS in b %.15g\nQ1 c b e qn area=%.15g\nRC cc c %.15g\nRE e 0 %.15g\nCE e 0 %.15g\n"
    "VC cc 0 %.15g\nD1 c d dm\nRD d 0 %.15g\nM1 cc d s 0 nm w=%.15g l=2u\nRM s 0 5k\nL1 d f %.15g\nRF f 0 1k\n"
    "B1 g 0 I=1m*tanh(v(c,s))\nRG g 0 1k\nCG g 0 1n\n"
    ".model qn npn is=%.15g bf=%.15g vaf=%.15g rb=%.15g rbm=%.15g tf=%.15g cje=%.15g cjc=1p\n"
    ".model dm d is=1e-14 n=%.15g rs=%.15g cjo=%.15g tt=5n\n.model nm nmos vto=%.15g kp=%.15g gamma=%.15g lambda=0.02 "
    "tox=40n\n";

static const struct {
    const char *name;
    double value;
} numbers[] = {{"v1", 1.4},    {"rs", 1e3},       {"q1:area", 2},  {"rc", 4.7e3},     {"re", 470},       {"ce", 1e-9},
               {"vc", 9},      {"rd", 10e3},      {"m1:w", 20e-6}, {"l1", 1e-3},      {"qn:is", 1e-15},  {"qn:bf", 120},
               {"qn:vaf", 60}, {"qn:rb", 100},    {"qn:rbm", 20},  {"qn:tf", 0.4e-9}, {"qn:cje", 3e-12}, {"dm:n", 1.1},
               {"dm:rs", 12},  {"dm:cjo", 4e-12}, {"nm:vto", 0.8}, {"nm:kp", 6e-5},   {"nm:gamma", 0.4}};

static struct deck_tables *run_stage(size_t changed, double factor, const char *card)
{
    double v[COUNT(numbers)];
    char deck[3000], body[2500];
    for (size_t i = 0; i < COUNT(numbers); i++)
        v[i] = numbers[i].value * (i == changed ? factor : 1);
    snprintf(body, sizeof body, stage, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12],
             v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21], v[22]);
    snprintf(deck, sizeof deck, "stage\n%s.options vntol=1e-12 abstol=1e-15\n%s.end\n", body, card);
    return deck_tables(deck, 1e-9);
}

static void a_stage_changes_as_runs_with_other_values_do(void)
{
    static const struct {
        const char *sens, *run;
    } cards[] = {{".sens v(g,s)\n", ".op\n.save v(g,s)\n"},
                 {".sens v(g,s) ac list 1k 1meg 100meg\n", ".ac list 1k 1meg 100meg\n.save v(g,s)\n"}};
    for (size_t j = 0; j < COUNT(cards); j++) {
        struct deck_tables *sens = run_stage(COUNT(numbers), 1, cards[j].sens);
        CU_ASSERT_EQUAL(sens->tables[0].rows.count, j == 0 ? 1 : 3);
        for (size_t i = 0; i < COUNT(numbers); i++) {
            const double h = 5e-4;
            struct deck_tables *runs[4];
            for (int k = 0; k < 4; k++)
                runs[k] = run_stage(i, 1 + (k % 2 ? -1 : 1) * (k < 2 ? h : h / 2), cards[j].run);
            for (size_t f = 0; f < sens->tables[0].rows.count; f++) {
                double complex v[4];
                for (int k = 0; k < 4; k++)
                    v[k] = deck_tables_value(runs[k], 0, f, "v(g,s)");
                const double complex coarse = (v[0] - v[1]) / (2 * h), fine = (v[2] - v[3]) / h;
                const double complex expected = (fine + (fine - coarse) / 3) / numbers[i].value;
                const double complex value = deck_tables_value(sens, 0, f, numbers[i].name);
                const bool good =
                    cabs(value - expected) <= 1e-6 * cabs(expected) + 2e-9 * cabs(v[0]) / fabs(numbers[i].value);
                CU_ASSERT(good);
                if (!good)
                    fprintf(stderr, "\n%s at point %zu: %.10g %+.10gi, expected %.10g %+.10gi\n", numbers[i].name, f,
                            creal(value), cimag(value), creal(expected), cimag(expected));
            }
            for (int k = 0; k < 4; k++)
                deck_tables_free(runs[k]);
        }
        deck_tables_free(sens);
    }
}

/* A transistor whose body bends at vbs = 0, a tenth of a millivolt beside the operating point. */
static double complex of_body_near_its_bend(double resistance, const char *card, const char *vector)
{
    char deck[600];
    snprintf(deck, sizeof deck,
             "bend\nV1 d 0 0.81\nV2 g 0 1.0045 AC 1\nR1 s 0 %.15g\nM1 d g s 0 nm w=3.5u l=2.2u\n"
             ".model nm nmos(level=2 vto=0.7 kp=1.6e-4 gamma=0.4 lambda=0.03 phi=0.7 nsub=1e16 tox=20n)\n"
             ".options vntol=1e-12 abstol=1e-18\n%s.end\n",
             resistance, card);
    struct deck_tables *r = deck_tables(deck, 1e-10);
    const double complex value = deck_tables_value(r, 0, 0, vector);
    deck_tables_free(r);
    return value;
}

static void a_bend_beside_the_operating_point_counts_where_it_is(void)
{
    static const char ac[] = ".ac list 1\n.save i(v1)\n";
    const double complex expected =
        (of_body_near_its_bend(10.01, ac, "i(v1)") - of_body_near_its_bend(9.99, ac, "i(v1)")) / 0.02;
    check(of_body_near_its_bend(10, ".sens i(v1) ac list 1\n", "r1"), expected, 1e-7, "r1");
}

/* Two coils and their coupling depend on each other's values; an element of a subcircuit has its path. */
static void names_are_those_of_the_deck(void)
{
    struct deck_tables *r = deck_tables(
        "names\nV1 i 0 AC 1\nX1 i o cell r=2k\n.subckt cell a b params: r=1k\nR1 a b {r}\nC1 b 0 1n\n.ends\n"
        ".sens v(o) ac list 100k\n.end\n",
        1e-9);
    const double complex s = 2 * PI * I * 1e5, h = 1 / (1 + s * 2e3 * 1e-9);
    check(deck_tables_value(r, 0, 0, "x1.r1"), -h * h * s * 1e-9, 1e-9, "x1.r1");
    check(deck_tables_value(r, 0, 0, "x1.c1"), -h * h * s * 2e3, 1e-9, "x1.c1");
    deck_tables_free(r);
}

/* A gain of 3 has its derivative; the coefficients beside it are no single number. */
static void lists_have_no_derivative(void)
{
    struct deck_tables *r =
        deck_tables("lists\nV1 i 0 AC 2\nA1 i o m\n.model m s_xfer(gain=3 num_coeff=[1] den_coeff=[1])\nR1 o 0 1k\n"
                    ".sens v(o) ac list 1k\n.end\n",
                    1e-9);
    check(deck_tables_value(r, 0, 0, "m:gain"), 2, 1e-9, "m:gain");
    CU_ASSERT(isnan(creal(deck_tables_value(r, 0, 0, "m:num_coeff"))));
    deck_tables_free(r);
}

int main(void)
{
    random_arguments(&first_seed, &most_circuits);
    static const struct claim claims[] = {
        CLAIM(a_divider_has_its_derivatives),
        CLAIM(a_low_pass_has_its_derivatives_over_the_frequency),
        CLAIM(random_circuits_change_as_dense_solutions_do),
        CLAIM(a_stage_changes_as_runs_with_other_values_do),
        CLAIM(a_bend_beside_the_operating_point_counts_where_it_is),
        CLAIM(names_are_those_of_the_deck),
        CLAIM(lists_have_no_derivative),
    };
    return run_claims("sensitivity", claims, COUNT(claims));
}
