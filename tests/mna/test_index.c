/* The numerical index: known circuits, and random ones judged by exact arithmetic and by the topological theorems. */
#include "deck.h"
#include "exact_pencil.h"
#include "mna/index/index.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* ---- known circuits ---- */

static struct index_analysis *analyze_by(struct deck *s, const struct index_options *options)
{
    const struct index_point at = {0, s->x};
    struct index_analysis *a = NULL;
    CU_ASSERT_EQUAL(index_analyze(s->mna, s->topology, &at, options, &a), KN_OK);
    return a;
}

/* With rounded numbers, as of nonlinear circuits. */
static struct index_analysis *analyze(struct deck *s, bool spectrum, int most_dense)
{
    const struct index_options options = {.spectrum = spectrum, .most_dense = most_dense, .rounded = true};
    return analyze_by(s, &options);
}

static struct index_analysis *analyze_exactly(struct deck *s)
{
    const struct index_options options = {.spectrum = false};
    return analyze_by(s, &options);
}

static void list_names(const struct deck *s, const struct index_analysis *a, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < a->derivative_count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? " " : "", mna_unknown(s->mna, a->derivative[i])->name);
    }
}

/* names: the unknowns that depend on derivatives. */
static void check_deck(const char *text, int index, int freedom, const char *names)
{
    struct deck s;
    if (!deck_open(&s, text))
        return;
    struct index_analysis *a = analyze(&s, false, 0);
    char found[512] = "";
    if (a)
        list_names(&s, a, found, sizeof found);
    const bool right = a && a->outcome == INDEX_KNOWN && a->index == index && a->degrees_of_freedom == freedom &&
                       strcmp(found, names) == 0;
    if (!right)
        fprintf(stderr, "\n%s-> outcome %d, index %d, %d degrees of freedom, '%s'\n", text, a ? (int)a->outcome : -1,
                a ? a->index : -1, a ? a->degrees_of_freedom : -1, found);
    CU_ASSERT(right);
    index_free(a);
    deck_close(&s);
}

static void capacitors_everywhere_are_index_0(void)
{
    check_deck("t\nI1 0 a 1\nC1 a 0 1u\nR1 a b 1k\nC2 b 0 1p\n.end\n", 0, 2, "");
}

static void sources_and_resistors_are_index_1(void)
{
    check_deck("t\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\n.end\n", 1, 1, "");
    check_deck("t\nV1 a 0 1\nR1 a b 1k\nR2 b 0 1k\n.end\n", 1, 0, "");
}

static void loops_and_cutsets_are_index_2(void)
{
    check_deck("t\nV1 a 0 1\nC1 a 0 1u\nR1 a 0 1k\n.end\n", 2, 0, "i(v1)");
    check_deck("t\nI1 0 a 1\nL1 a b 1m\nR1 b 0 1k\n.end\n", 2, 0, "v(a)");
    check_deck("t\nV1 a 0 1\nC1 a b 1u\nC2 b 0 1p\nR1 b 0 1k\nI1 0 c 1\nL1 c d 1n\nL2 d 0 1\n.end\n", 2, 1,
               "v(c) v(d) i(v1)");
}

static void derivative_of_a_derivative_is_index_3(void)
{
    check_deck("t\nV1 a 0 1\nC1 a 0 1u\nF1 0 n V1 1\nL1 n 0 1m\n.end\n", 3, 0, "v(n) i(l1) i(v1)");
    check_deck("t\nI1 0 a 1\nL1 a 0 1m\nE1 b 0 a 0 1\nC1 b 0 1u\n.end\n", 3, 0, "v(a) v(b) i(e1)");
}

/* A nullor is a source whose value the equation of another unknown decides. */
static void chains_of_ideal_differentiators_climb(void)
{
    char deck[2000] = "t\nV1 o0 0 1\n", text[200];
    for (int k = 1; k <= 6; k++) {
        snprintf(text, sizeof text, "C%d o%d m%d 1u\nR%d m%d o%d 1k\nB%d o%d 0 V=V(o%d)+V(m%d)\n", k, k - 1, k, k, k, k,
                 k, k, k, k);
        strncat(deck, text, sizeof deck - strlen(deck) - 1);
        struct deck s;
        if (!deck_open(&s, deck))
            return;
        struct index_analysis *a = analyze(&s, false, 0);
        CU_ASSERT(a && a->outcome == INDEX_KNOWN);
        CU_ASSERT_EQUAL(a ? a->index : -1, k + 1);
        CU_ASSERT_EQUAL(a ? a->degrees_of_freedom : -1, 0);
        index_free(a);
        deck_close(&s);
    }
}

/* Growth of the rows of (s C + G)^-1 for large s: v1 s^3, v2 and v3 s, i(v1) s^4, i(l106) s^2, the others none. */
static void all_unknowns_of_long_blocks_depend_on_derivatives(void)
{
    check_deck("t\nL100 0 2 3\nC101 4 3 5\nV1 3 2 6\nC103 3 1 4\nF104 2 1 V1 1\nR105 4 0 4\nL106 4 1 6\n", 5, 0,
               "v(2) v(3) v(1) i(l106) i(v1)");
}

/* A long RC ladder with what `end` adds; the caller frees. */
static char *ladder_deck(int sections, const char *end)
{
    const size_t size = (size_t)sections * 60 + strlen(end) + 100;
    char *text = malloc(size);
    CU_ASSERT_FATAL(text != NULL);
    size_t used = (size_t)snprintf(text, size, "ladder\nV1 1 0 SIN(0 1 1k)\n");
    for (int i = 1; i < sections; i++)
        used += (size_t)snprintf(text + used, size - used, "R%d %d %d 1k\nC%d %d 0 1n\n", i, i, i + 1, i, i + 1);
    snprintf(text + used, size - used, "%s", end);
    return text;
}

static void check_ladder(const char *end, enum index_outcome outcome, int index, int freedom)
{
    char *text = ladder_deck(2000, end);
    struct deck s;
    if (deck_open(&s, text)) {
        struct index_analysis *a = analyze(&s, false, 0);
        CU_ASSERT(a && a->sparse);
        CU_ASSERT_EQUAL(a ? a->outcome : INDEX_OPEN, outcome);
        CU_ASSERT_EQUAL(a ? a->degrees_of_freedom : -2, freedom);
        if (outcome == INDEX_KNOWN)
            CU_ASSERT_EQUAL(a ? a->index : -1, index);
        index_free(a);
        deck_close(&s);
    }
    free(text);
}

/* Differentiators of a differentiated source, 700 times, and as many RC sections: in each of the first i(v), i(vs) and
 * v(o) contain a first derivative, i(h) and i(vp) a second one; each RC section has one degree of freedom. */
static void what_shares_ground_only_is_decided_part_by_part(void)
{
    enum { PARTS = 700, SIZE = 250 };
    char *text = malloc((size_t)PARTS * SIZE);
    CU_ASSERT_FATAL(text != NULL);
    size_t used = (size_t)snprintf(text, SIZE, "parts\n");
    for (int k = 0; k < PARTS; k++)
        used += (size_t)snprintf(text + used, SIZE,
                                 "V%d n%d 0 1\nC%d n%d x%d 1u\nVS%d x%d 0 0\nH%d o%d 0 VS%d 1k\nCO%d o%d p%d 1n\n"
                                 "VP%d p%d 0 0\nI%d 0 a%d 1m\nRA%d a%d 0 1k\nCA%d a%d 0 1n\n",
                                 k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k);
    struct deck s;
    if (deck_open(&s, text)) {
        struct index_analysis *a = analyze(&s, false, 0);
        CU_ASSERT(a && a->outcome == INDEX_KNOWN && a->index == 3);
        CU_ASSERT_EQUAL(a ? a->degrees_of_freedom : -2, PARTS);
        CU_ASSERT_EQUAL(a ? a->derivative_count : 0, 5 * PARTS);
        index_free(a);
        deck_close(&s);
    }
    free(text);
}

/* 1,999 capacitors; each differentiator adds one that is in a C-V loop. */
static void large_circuits_have_any_index(void)
{
    static const char *const two = "Cd1 5 y1 1u\nVs1 y1 0 0\nH1 c 0 Vs1 1k\nCd2 c y2 1u\nVs2 y2 0 0\nH2 d 0 Vs2 1k\n"
                                   "RL d 0 1k\n";
    check_ladder("", INDEX_KNOWN, 1, 1999);
    check_ladder("C0 1 0 1n\n", INDEX_KNOWN, 2, 1999);
    check_ladder(two, INDEX_KNOWN, 3, 1999);
    check_ladder("Rf 0 m 1k\nRg m 0 -1k\n", INDEX_SINGULAR_PENCIL, -1, -1);
    check_ladder("Ed m 0 m 0 1\nRm m 0 1k\n", INDEX_SINGULAR_PENCIL, -1, -1);
}

/* The input of all differentiators is one source, so that their loops hang together. */
static void many_loops_that_hang_together_are_followed(void)
{
    enum { PARTS = 450, SIZE = 150 };
    char *text = malloc((size_t)(PARTS + 1) * SIZE);
    CU_ASSERT_FATAL(text != NULL);
    size_t used = (size_t)snprintf(text, SIZE, "one source\nV in 0 1\n");
    for (int k = 0; k < PARTS; k++)
        used += (size_t)snprintf(text + used, SIZE,
                                 "C%d in x%d 1u\nVS%d x%d 0 0\nH%d o%d 0 VS%d 1k\nCO%d o%d p%d 1n\nRO%d p%d 0 1k\n", k,
                                 k, k, k, k, k, k, k, k, k, k, k);
    struct deck s;
    if (deck_open(&s, text)) {
        struct index_analysis *a = analyze(&s, false, 0);
        CU_ASSERT(a && a->sparse && a->outcome == INDEX_KNOWN && a->index == 2);
        CU_ASSERT_EQUAL(a ? a->degrees_of_freedom : -2, PARTS);
        CU_ASSERT_EQUAL(a ? a->derivative_count : 0, 1 + 2 * PARTS + 2 * PARTS);
        index_free(a);
        deck_close(&s);
    }
    free(text);
}

static void values_over_many_decades_do_not_blur_ranks(void)
{
    check_deck("t\nI1 0 a 1\nC1 a 0 1f\nC2 a b 1\nR1 b 0 1g\n.end\n", 0, 2, "");
    check_deck("t\nV1 a 0 1\nR1 a b 1u\nR2 b c 1g\nC1 c 0 1a\nC2 c d 1k\nR3 d 0 1t\n.end\n", 1, 2, "");
    check_deck("t\nV1 a 0 1\nC1 a b 1a\nC2 b 0 1\nR1 b 0 1t\nI1 0 c 1p\nL1 c 0 1meg\nI2 0 d 1p\nL2 d 0 1f\n.end\n", 2,
               1, "v(c) v(d) i(v1)");
}

static void unity_coupling_takes_a_degree_of_freedom(void)
{
    const char *form = "t\nV1 a 0 1\nR1 a b 1\nL1 b 0 1m\nL2 c 0 3m\nR2 c 0 1k\nK1 L1 L2 %s\n.end\n";
    char text[300];
    snprintf(text, sizeof text, form, "0.999999");
    check_deck(text, 1, 2, "");
    snprintf(text, sizeof text, form, "1");
    check_deck(text, 1, 1, "");
}

static void gain_that_undoes_a_loop_decides(void)
{
    /* the voltage of C1 is (1 - gain) v(b): with gain 1 it is held at 0 */
    check_deck("t\nV1 a 0 1\nR1 a b 1k\nE1 c 0 b 0 2\nC1 b c 1u\n.end\n", 1, 1, "");
    check_deck("t\nV1 a 0 1\nR1 a b 1k\nE1 c 0 b 0 1\nC1 b c 1u\n.end\n", 2, 0, "v(b) v(c) i(v1) i(e1)");
}

static void expect_singular(const char *text)
{
    struct deck s;
    if (!deck_open(&s, text))
        return;
    struct index_analysis *a = analyze(&s, false, 0);
    const bool right = a && a->outcome == INDEX_SINGULAR_PENCIL;
    if (!right)
        fprintf(stderr, "\n%s-> outcome %d, index %d\n", text, a ? (int)a->outcome : -1, a ? a->index : -1);
    CU_ASSERT(right);
    index_free(a);
    deck_close(&s);
}

static void circuits_without_unique_solution_are_singular_pencils(void)
{
    expect_singular("t\nV1 a 0 1\nV2 a 0 1\nR1 a 0 1\n.end\n");
    expect_singular("t\nI1 0 a 1\nI2 a 0 1\nR1 b 0 1\nV1 b 0 1\n.end\n");
    expect_singular("t\nV1 a 0 1\nR1 a 0 1\nE1 b 0 b 0 1\nR2 b 0 1\n.end\n");
    expect_singular("t\nV1 a 0 1\nC1 b c 1u\nR1 b c 1k\nR2 a 0 1\n.end\n");
    expect_singular("t\nV1 a 0 1\nR1 a b 1k\nR2 b 0 1k\nR3 b 0 -500\nL1 b 0 1m\nI1 0 c 1\nG1 c 0 b 0 1\n.end\n");
}

/* ---- poles ---- */

static void check_poles(const char *text, const double complex *expected, int count, double relative)
{
    struct deck s;
    if (!deck_open(&s, text))
        return;
    struct index_analysis *a = analyze(&s, true, 0);
    CU_ASSERT_EQUAL(a ? a->pole_count : -1, count);
    for (int k = 0; a && k < count && a->pole_count == count; k++) {
        const bool near = cabs(a->poles[k] - expected[k]) <= relative * cabs(expected[k]);
        if (!near)
            fprintf(stderr, "\npole %d: %.15g %+.15gj, expected %.15g %+.15gj\n", k, creal(a->poles[k]),
                    cimag(a->poles[k]), creal(expected[k]), cimag(expected[k]));
        CU_ASSERT(near);
    }
    index_free(a);
    deck_close(&s);
}

static void poles_are_those_of_the_circuit(void)
{
    const double omega = 1 / sqrt(1e-3 * 1e-6), damping = 0.5 * 10 / 1e-3;
    const double complex series[] = {-damping + I * sqrt(omega * omega - damping * damping),
                                     -damping - I * sqrt(omega * omega - damping * damping)};
    check_poles("t\nV1 a 0 1\nR1 a b 10\nL1 b c 1m\nC1 c 0 1u\n.end\n", series, 2, 1e-12);
    const double complex tank[] = {I * omega, -I * omega};
    check_poles("t\nI1 0 a 1\nL1 a 0 1m\nC1 a 0 1u\n.end\n", tank, 2, 1e-12);
    const double complex loop[] = {-1e3};
    check_poles("t\nV1 a 0 1\nC1 a 0 1u\nR1 a b 1k\nC2 b 0 1u\n.end\n", loop, 1, 1e-12);
}

static void slow_poles_stay_accurate_beside_fast_ones(void)
{
    const double complex poles[] = {-1e-6, -1, -1e6, -1e12, -1e18};
    check_poles("t\nI1 0 a 1\nC1 a 0 1\nR1 a 0 1meg\nC2 b 0 1\nR2 b 0 1\nC3 c 0 1u\nR3 c 0 1\nC4 d 0 1p\nR4 d 0 1\n"
                "C5 e 0 1aF\nR5 e 0 1\n.end\n",
                poles, 5, 1e-10);
}

/* Two RC sections in a row: R1 C1 R2 C2 s^2 + (R1 C1 + R1 C2 + R2 C2) s + 1 = 0. */
static void check_two_sections(double r1, double c1, double r2, double c2)
{
    const double sum = r1 * c1 + r1 * c2 + r2 * c2, product = r1 * c1 * r2 * c2;
    const double twice = sum + sqrt(sum * sum - 4 * product);
    const double complex poles[] = {-2 / twice, -twice / (2 * product)};
    char text[200];
    snprintf(text, sizeof text, "t\nV1 in 0 1\nR1 in a %.17g\nC1 a 0 %.17g\nR2 a b %.17g\nC2 b 0 %.17g\n.end\n", r1, c1,
             r2, c2);
    check_poles(text, poles, 2, 1e-7);
}

static void poles_of_two_sections_are_right_over_many_decades_of_r_and_c(void)
{
    for (int r1 = -2; r1 <= 6; r1 += 4)
        for (int r2 = -2; r2 <= 6; r2 += 4)
            for (int c1 = -14; c1 <= 0; c1 += 2)
                for (int c2 = -14; c2 <= 0; c2 += 2)
                    check_two_sections(pow(10, r1), 3 * pow(10, c1), pow(10, r2), pow(10, c2));
}

/* Diodes without voltage: the smoothing capacitor sees its load alone, beside junctions with modes of 1e12 1/s. */
static void slow_pole_of_a_rectifier_is_that_of_its_load(void)
{
    static const char *const farads[] = {"10u", "100u", "500u", "1000u", "2200u", "10m", "1"};
    for (size_t k = 0; k < sizeof farads / sizeof farads[0]; k++) {
        char text[500];
        struct deck s;
        snprintf(text, sizeof text,
                 "t\nV1 a b 0\nD1 a p dm\nD2 b p dm\nD3 0 a dm\nD4 0 b dm\nC1 p 0 %s\nRL p 0 100\n"
                 ".model dm D(Is=1e-9 N=1.8 Rs=0.05 Cjo=20p Tt=5u bv=100)\n.end\n",
                 farads[k]);
        if (!deck_open(&s, text))
            continue;
        struct index_analysis *a = analyze(&s, true, 0);
        const double load = -1 / (100 * mna_circuit(s.mna)->elements[5].value);
        bool found = false;
        for (int p = 0; a && p < a->pole_count; p++) {
            CU_ASSERT(creal(a->poles[p]) < 0 && isfinite(creal(a->poles[p])));
            found |= cabs(a->poles[p] - load) < 1e-4 * fabs(load);
        }
        CU_ASSERT(found);
        index_free(a);
        deck_close(&s);
    }
}

/* Three capacitors joined by 1 nano-ohm each, with a leak that is lost, or almost so, in a sum of conductances. */
static void check_hidden_pole(const char *leak)
{
    char text[200];
    struct deck s;
    snprintf(text, sizeof text, "t\nC1 a 0 1f\nR1 a b 1n\nC2 b 0 1f\nR3 b c 1n\nC3 c 0 1f\nV1 d 0 1\nR2 b d %s\n.end\n",
             leak);
    if (!deck_open(&s, text))
        return;
    struct index_analysis *a = analyze(&s, true, 0);
    CU_ASSERT_EQUAL(a ? a->pole_count : -1, 3);
    if (a && a->pole_count == 3) {
        CU_ASSERT(isnan(creal(a->poles[0])));
        CU_ASSERT_DOUBLE_EQUAL(creal(a->poles[1]), -1e24, 1e16);
        CU_ASSERT_DOUBLE_EQUAL(creal(a->poles[2]), -3e24, 1e16);
    }
    index_free(a);
    deck_close(&s);
}

static void pole_hidden_by_rounding_is_not_determined(void)
{
    check_hidden_pole("1e5");
    check_hidden_pole("1e15");
}

static void charge_that_is_kept_is_a_pole_at_0(void)
{
    const double complex poles[] = {0, -1e6};
    check_poles("t\nI1 0 a 0\nC1 a 0 1u\nV1 b 0 1\nR1 b c 1\nC2 c 0 1u\n.end\n", poles, 2, 1e-12);
}

/* ---- constancy ---- */

struct constancy_case {
    const char *deck;
    bool n1, s1, im_g1; /* constant in the form asked for */
};

static void check_constancy(const struct constancy_case *c, enum index_form form)
{
    struct deck s;
    if (!deck_open(&s, c->deck))
        return;
    double first[8], second[8];
    for (int i = 0; i < 8; i++) {
        first[i] = 0.3 + 0.1 * i;
        second[i] = 0.9 - 0.07 * i;
    }
    const struct index_point points[] = {{0, first}, {0, second}};
    struct index_constancy found;
    CU_ASSERT_EQUAL(index_compare(s.mna, form, points, 2, &found), KN_OK);
    const bool right =
        found.index2 && (found.n1 < 1e-9) == c->n1 && (found.s1 < 1e-9) == c->s1 && (found.im_g1 < 1e-9) == c->im_g1;
    if (!right)
        fprintf(stderr, "\n%sform %d: index2 %d, N1 %g, S1 %g, im G1 %g\n", c->deck, (int)form, found.index2, found.n1,
                found.s1, found.im_g1);
    CU_ASSERT(right);
    deck_close(&s);
}

#define PARALLEL "t\nV1 a 0 1\nC1 a 0 Q='v(a)+v(a)*v(a)*v(a)'\nR1 a b 1\nC2 b 0 Q='v(b)+v(b)*v(b)*v(b)'\n.end\n"
#define LOOP     "t\nV1 a 0 1\nC1 a b Q='v(a,b)+v(a,b)*v(a,b)*v(a,b)'\nC2 b 0 Q='v(b)+v(b)*v(b)*v(b)'\n.end\n"
#define CUTSET   "t\nI1 0 a 1\nL1 a 0 Flux='i(L1)+i(L1)*i(L1)*i(L1)'\nL2 a 0 Flux='2*i(L2)+i(L2)*i(L2)*i(L2)'\n.end\n"

/* The table of theory: exact N1, S1, im G1 of tiny nonlinear circuits at two states. */
static void spaces_turn_as_theory_says(void)
{
    static const struct constancy_case classical[] = {
        {PARALLEL, false, true, true}, {LOOP, false, true, true}, {CUTSET, false, true, true}};
    static const struct constancy_case charge_oriented[] = {
        {PARALLEL, true, true, false}, {LOOP, true, false, false}, {CUTSET, true, false, false}};
    for (int i = 0; i < 3; i++) {
        check_constancy(&classical[i], INDEX_CLASSICAL);
        check_constancy(&charge_oriented[i], INDEX_CHARGE_ORIENTED);
    }
}

/* ---- random circuits ---- */

static uint64_t state;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int below(int limit)
{
    return (int)(draw() % (uint64_t)limit);
}

/* A deck in the making. */
struct random_deck {
    char *text;
    size_t size, used;
    int nodes, sources, inductors;
    bool coupled;              /* inductances are squares, so that mutual ones are exact */
    int named[8], named_count; /* nodes so far */
    bool tied[16][16];         /* pairs of inductors */
};

static void add_text(struct random_deck *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->used += (size_t)vsnprintf(r->text + r->used, r->size - r->used, format, arguments);
    va_end(arguments);
}

static int random_gain(void)
{
    return below(2) ? 1 - 2 * below(2) : 2 + below(3);
}

static double random_value(const struct random_deck *r, char letter, bool wide)
{
    const double decades = pow(10, -below(13));
    const double exact = letter == 'R' ? ldexp(1, below(5) - 2) : 1 + below(7);
    if (wide)
        return letter == 'R' ? 1e-3 / decades : exact * decades;
    return letter == 'L' && r->coupled ? ldexp(1, 2 * below(3)) : exact;
}

/* Two of the inductors so far, if they are not coupled yet, one in three as tightly as it can be. */
static void add_coupling(struct random_deck *r, int number)
{
    static const double coefficients[] = {0.5, -0.5, 0.25, 0.75, 1, -1};
    const int first = below(r->inductors), other = below(r->inductors - 1), second = other + (other >= first);
    if (r->tied[first][second])
        return;
    r->tied[first][second] = r->tied[second][first] = true;
    add_text(r, "K%d L%d L%d %g\n", number, first, second, coefficients[below(6)]);
}

static void name_node(struct random_deck *r, int node)
{
    for (int i = 0; i < r->named_count; i++)
        if (r->named[i] == node)
            return;
    r->named[r->named_count++] = node;
}

/* A formula of a voltage and a current; it may speak of nodes only that are there. */
static void add_formula(struct random_deck *r, int number, bool voltage, int a, int b)
{
    add_text(r, "B%d %d %d %c=%d*V(%d,%d)", number, a, b, voltage ? 'V' : 'I', random_gain(),
             r->named[below(r->named_count)], r->named[below(r->named_count)]);
    if (r->sources > 0 && below(2))
        add_text(r, "+%d*I(V%d)", random_gain(), 1 + below(r->sources));
    add_text(r, "\n");
}

/* Letters as in SPICE; r, c, l are negative, b a current and B a voltage given by a formula. */
static void add_random_element(struct random_deck *r, char letter, int number, bool wide)
{
    int a = below(r->nodes), b = below(r->nodes - 1);
    b += b >= a;
    if (strchr("FH", letter) && r->sources == 0)
        letter = 'V';
    if (letter == 'K' && r->inductors < 2)
        letter = 'L';
    const char upper = (char)toupper((unsigned char)letter);
    if (letter == 'K') {
        add_coupling(r, number);
        return;
    }
    name_node(r, a);
    name_node(r, b);
    if (upper == 'B') {
        add_formula(r, number, letter == 'B', a, b);
        return;
    }
    const int name = letter == 'V' ? ++r->sources : letter == 'L' ? r->inductors++ : number;
    add_text(r, "%c%d %d %d ", upper, name, a, b);
    if (strchr("EG", letter))
        add_text(r, "%d %d %d\n", below(r->nodes), below(r->nodes), random_gain());
    else if (strchr("FH", letter))
        add_text(r, "V%d %d\n", 1 + below(r->sources), random_gain());
    else if (letter == 'T')
        add_text(r, "%d %d Z0=%g TD=1n\n", below(r->nodes), below(r->nodes), ldexp(1, below(3)));
    else
        add_text(r, "%.17g\n", (upper == letter ? 1 : -1) * random_value(r, upper, wide));
}

static void random_seed_deck(uint64_t seed, const char *letters, bool wide, char *text, size_t size)
{
    state = seed * 0x9E3779B97F4A7C15u + 1;
    draw();
    struct random_deck r = {.text = text, .size = size, .nodes = 3 + below(4), .coupled = strchr(letters, 'K') != NULL};
    const int elements = 4 + below(6) + (strlen(letters) > 14 ? 3 : 0);
    add_text(&r, "random %llu\n", (unsigned long long)seed);
    for (int e = 0; e < elements; e++)
        add_random_element(&r, letters[below((int)strlen(letters))], 100 + e, wide);
    add_text(&r, ".end\n");
}

struct tally {
    int singular, index[8], decided;
};

static bool agrees_with_topology(const struct topology *t, const struct index_analysis *a)
{
    if (t->verdict == TOPOLOGY_SINGULAR)
        return a->outcome == INDEX_SINGULAR_PENCIL;
    if (t->verdict == TOPOLOGY_UNDECIDED)
        return true;
    if (a->outcome != INDEX_KNOWN || a->index != (int)t->verdict || a->degrees_of_freedom != t->degrees_of_freedom)
        return false;
    int listed = 0;
    for (size_t i = 0; i < t->index2_count; i++)
        for (int k = 0; k < a->derivative_count; k++)
            listed += a->derivative[k] == t->index2[i].unknown - 1;
    return listed == a->derivative_count && t->index2_count == (size_t)a->derivative_count;
}

static bool agrees_with_exact(const struct exact_structure *e, const struct index_analysis *a)
{
    if (e->singular)
        return a->outcome == INDEX_SINGULAR_PENCIL;
    bool same = a->outcome == INDEX_KNOWN && a->index == e->index && a->degrees_of_freedom == e->finite;
    for (int k = 0; same && k < a->step_count; k++)
        same = a->null_dimension[k] == e->null_dimension[k];
    return same;
}

static void complain(const char *text, const struct deck *s, const struct index_analysis *a)
{
    fprintf(stderr, "\n%s-> outcome %d, index %d, %d free; topology %d, %d free\n", text, (int)a->outcome, a->index,
            a->degrees_of_freedom, (int)s->topology->verdict, s->topology->degrees_of_freedom);
    CU_FAIL("disagreement");
}

static void check_random(const char *letters, uint64_t first, int count, bool wide, struct tally *sum)
{
    for (int i = 0; i < count; i++) {
        char text[2000];
        struct deck s;
        random_seed_deck(first + (uint64_t)i, letters, wide, text, sizeof text);
        if (!deck_open(&s, text))
            continue;
        struct index_analysis *a = analyze(&s, !wide, 0);
        if (a && !agrees_with_topology(s.topology, a))
            complain(text, &s, a);
        if (a && !wide) {
            const struct exact_structure e = exact_structure_of(s.mna);
            if (!agrees_with_exact(&e, a)) {
                complain(text, &s, a);
                fprintf(stderr, "exactly: index %d, %d free\n", e.index, e.finite);
            }
            CU_ASSERT_EQUAL(a->outcome == INDEX_KNOWN ? a->pole_count : e.finite, e.finite);
        }
        if (a && a->outcome == INDEX_KNOWN)
            sum->index[a->index < 7 ? a->index : 7]++;
        sum->singular += a && a->outcome != INDEX_KNOWN;
        sum->decided += s.topology->verdict != TOPOLOGY_UNDECIDED;
        index_free(a);
        deck_close(&s);
    }
}

static void random_passive_circuits_agree_with_theorems_and_exact_arithmetic(void)
{
    struct tally sum = {0};
    check_random("RRCCLLVI", 1, 3000, false, &sum);
    CU_ASSERT(sum.decided == 3000);
    CU_ASSERT(sum.index[0] > 20 && sum.index[1] > 200 && sum.index[2] > 200 && sum.singular > 200);
    CU_ASSERT(sum.index[3] == 0);
}

static void show(const char *what, const struct tally *sum)
{
    fprintf(stderr, "%s: indices 0..7: %d %d %d %d %d %d %d %d, singular %d, decided by topology %d\n", what,
            sum->index[0], sum->index[1], sum->index[2], sum->index[3], sum->index[4], sum->index[5], sum->index[6],
            sum->index[7], sum->singular, sum->decided);
}

static void random_controlled_circuits_agree_with_theorems_and_exact_arithmetic(void)
{
    struct tally sum = {0};
    check_random("RRRCCCLLVIEGFH", 100001, 3000, false, &sum);
    show("controlled", &sum);
    CU_ASSERT(sum.index[2] > 100 && sum.index[3] > 10 && sum.singular > 100 && sum.decided > 500);
}

static void random_coupled_inductors_agree_with_theorems_and_exact_arithmetic(void)
{
    struct tally sum = {0};
    check_random("RRCLLLLKKKVI", 600001, 3000, false, &sum);
    show("coupled", &sum);
    CU_ASSERT(sum.index[1] > 200 && sum.index[2] > 200 && sum.decided > 1000);
}

static void random_circuits_of_everything_agree_with_theorems_and_exact_arithmetic(void)
{
    struct tally sum = {0};
    check_random("RRRCCCLLVVIEGFHTTKBbrcl", 700001, 4000, false, &sum);
    show("everything", &sum);
    CU_ASSERT(sum.index[1] > 200 && sum.index[2] > 200 && sum.index[3] > 10 && sum.decided > 400);
}

static void random_values_over_twelve_decades_agree_with_theorems(void)
{
    struct tally sum = {0};
    check_random("RRCCLLVI", 200001, 1500, true, &sum);
    CU_ASSERT(sum.index[2] > 100);
}

static bool same_result(const struct index_analysis *a, const struct index_analysis *b)
{
    bool same = a->outcome == b->outcome;
    if (a->outcome != INDEX_KNOWN || !same)
        return same;
    same = a->index == b->index && a->degrees_of_freedom == b->degrees_of_freedom && a->step_count == b->step_count &&
           a->derivative_count == b->derivative_count;
    for (int k = 0; same && k < a->step_count; k++)
        same = a->null_dimension[k] == b->null_dimension[k];
    for (int k = 0; same && k < a->derivative_count; k++)
        same = a->derivative[k] == b->derivative[k];
    for (int i = 0; same && i < a->n; i++)
        same = a->order[i] == b->order[i];
    return same;
}

static void compare_paths(const char *letters, uint64_t first, int count, struct tally *sum)
{
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        char text[2000];
        struct deck s;
        random_seed_deck(seed, letters, false, text, sizeof text);
        if (!deck_open(&s, text))
            continue;
        struct index_analysis *dense = analyze(&s, false, 0), *sparse = analyze(&s, false, 1);
        struct index_analysis *exact = analyze_exactly(&s);
        if (dense && sparse && exact && s.topology->verdict != TOPOLOGY_SINGULAR) {
            sum->index[dense->outcome == INDEX_KNOWN && dense->index < 7 ? dense->index : 7]++;
            sum->singular += dense->outcome == INDEX_SINGULAR_PENCIL;
            if (!same_result(dense, sparse))
                complain(text, &s, sparse);
            if (!same_result(dense, exact))
                complain(text, &s, exact);
        }
        index_free(exact);
        index_free(dense);
        index_free(sparse);
        deck_close(&s);
    }
}

static void sparse_dense_and_exact_paths_agree(void)
{
    struct tally sum = {0};
    compare_paths("RRCCLLVI", 300001, 1000, &sum);
    compare_paths("RRRCCCLLVIEGFH", 400001, 4000, &sum);
    compare_paths("RCCLLVFFHHG", 500001, 3000, &sum);
    compare_paths("RRCCLLLVIEGFHTKKBb", 800001, 2000, &sum);
    fprintf(stderr, "sparse, indices 0..6: %d %d %d %d %d %d %d, singular %d\n", sum.index[0], sum.index[1],
            sum.index[2], sum.index[3], sum.index[4], sum.index[5], sum.index[6], sum.singular);
    CU_ASSERT(sum.index[1] > 200 && sum.index[2] > 200 && sum.index[3] > 20 && sum.index[4] > 2 && sum.singular > 100);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(capacitors_everywhere_are_index_0),
        CLAIM(sources_and_resistors_are_index_1),
        CLAIM(loops_and_cutsets_are_index_2),
        CLAIM(derivative_of_a_derivative_is_index_3),
        CLAIM(chains_of_ideal_differentiators_climb),
        CLAIM(all_unknowns_of_long_blocks_depend_on_derivatives),
        CLAIM(large_circuits_have_any_index),
        CLAIM(what_shares_ground_only_is_decided_part_by_part),
        CLAIM(many_loops_that_hang_together_are_followed),
        CLAIM(values_over_many_decades_do_not_blur_ranks),
        CLAIM(unity_coupling_takes_a_degree_of_freedom),
        CLAIM(gain_that_undoes_a_loop_decides),
        CLAIM(circuits_without_unique_solution_are_singular_pencils),
        CLAIM(poles_are_those_of_the_circuit),
        CLAIM(slow_poles_stay_accurate_beside_fast_ones),
        CLAIM(poles_of_two_sections_are_right_over_many_decades_of_r_and_c),
        CLAIM(slow_pole_of_a_rectifier_is_that_of_its_load),
        CLAIM(pole_hidden_by_rounding_is_not_determined),
        CLAIM(charge_that_is_kept_is_a_pole_at_0),
        CLAIM(spaces_turn_as_theory_says),
        CLAIM(random_passive_circuits_agree_with_theorems_and_exact_arithmetic),
        CLAIM(random_controlled_circuits_agree_with_theorems_and_exact_arithmetic),
        CLAIM(random_coupled_inductors_agree_with_theorems_and_exact_arithmetic),
        CLAIM(random_circuits_of_everything_agree_with_theorems_and_exact_arithmetic),
        CLAIM(random_values_over_twelve_decades_agree_with_theorems),
        CLAIM(sparse_dense_and_exact_paths_agree),
    };
    return run_claims("index", claims, sizeof claims / sizeof *claims);
}
