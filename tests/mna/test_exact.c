/* Arithmetic modulo 2^61 - 1, values as they were meant, and the structure of small pencils known by hand. */
#include "mna/index/exact.h"
#include "sparse/field.h"

#include "deck.h"

#include <float.h>

/* ---- the field ---- */

/* By doubling and adding. */
static field product_by_sums(field a, field b)
{
    field sum = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1)
            sum = (sum + a) % FIELD_PRIME;
        a = (a + a) % FIELD_PRIME;
    }
    return sum;
}

static void products_are_those_of_whole_numbers(void)
{
    const field extremes[] = {0,
                              1,
                              2,
                              FIELD_PRIME - 1,
                              FIELD_PRIME - 2,
                              FIELD_PRIME / 2,
                              (UINT64_C(1) << 31) - 1,
                              UINT64_C(1) << 31,
                              (UINT64_C(1) << 60) + 1};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            CU_ASSERT_EQUAL(field_multiply(extremes[i], extremes[j]), product_by_sums(extremes[i], extremes[j]));
    for (uint64_t i = 0; i < 2000; i++) {
        const field a = field_scattered(2 * i), b = field_scattered(2 * i + 1);
        CU_ASSERT(a > 0 && a < FIELD_PRIME);
        CU_ASSERT_EQUAL(field_multiply(a, b), product_by_sums(a, b));
        CU_ASSERT_EQUAL(field_multiply(a, field_inverse(a)), 1);
        CU_ASSERT_EQUAL(field_add(a, field_negate(a)), 0);
    }
}

/* p/q 10^exponent */
static field number(int p, int q, int exponent)
{
    const field ten = field_power(10, (uint64_t)abs(exponent));
    const field size = field_multiply((field)abs(p), field_inverse((field)q));
    const field scaled = field_multiply(size, exponent < 0 ? field_inverse(ten) : ten);
    return p < 0 ? field_negate(scaled) : scaled;
}

static void expect_value(double value, int p, int q, int exponent)
{
    bool exact = true;
    CU_ASSERT_EQUAL(field_of(value, &exact), number(p, q, exponent));
    CU_ASSERT(exact);
}

static void values_are_taken_as_they_were_meant(void)
{
    expect_value(0, 0, 1, 0);
    expect_value(0.1, 1, 1, -1);
    expect_value(0.1 + 0.2, 3, 1, -1);
    expect_value(-4.7e-12, -47, 1, -13);
    expect_value(1 / 4.7e3, 1, 47, -2);
    expect_value(1 / 1e-15, 1, 1, 15);
    expect_value(1.0 / 3, 1, 3, 0);
    expect_value(2e-9 / 7, 2, 7, -9);
    expect_value(1e12, 1, 1, 12);
    expect_value(-1 / (1.2e3 * 4.7e3 / (1.2e3 + 4.7e3)), -59, 564, -2);
    for (int exponent = -300; exponent <= 300; exponent += 7) {
        expect_value(123456.0 * pow(10, exponent), 123456, 1, exponent);
        expect_value(1 / (123457.0 * pow(10, exponent)), 1, 123457, -exponent);
    }
}

static void other_values_are_what_their_bits_say(void)
{
    bool exact = true;
    const field root = field_of(sqrt(2), &exact);
    CU_ASSERT_FALSE(exact);
    CU_ASSERT_EQUAL(field_multiply(root, field_power(2, 52)), (field)ldexp(sqrt(2), 52));
    exact = true;
    CU_ASSERT_EQUAL(field_multiply(2, field_of(-sqrt(2) / 2, &exact)), field_negate(root));
    CU_ASSERT_FALSE(exact);
}

static void what_was_computed_from_each_other_is_simple(void)
{
    const double a = sqrt(2), pi = 3.14159265358979;
    CU_ASSERT(field_is_simple(a * (1 / a)));
    CU_ASSERT(field_is_simple(3 * pi / pi));
    CU_ASSERT(field_is_simple(2.2e3 * pi / (4.7 * pi)));
    CU_ASSERT_FALSE(field_is_simple(a));
    CU_ASSERT_FALSE(field_is_simple(a * pi));
}

/* ---- matrices ---- */

/* [1 2 3; 2 4 6; 1 1 1]: rank 2, null vector (1, -2, 1). */
static void kernels_are_those_of_the_matrix(void)
{
    struct arena *memory = arena_new();
    struct field_matrix a, kernel;
    const field entries[] = {1, 2, 3, 2, 4, 6, 1, 1, 1};
    int rank;
    CU_ASSERT_FATAL(memory && field_matrix_new(memory, 3, 3, &a));
    memcpy(a.at, entries, sizeof entries);
    CU_ASSERT_FATAL(field_matrix_rank(memory, &a, &rank) && field_matrix_kernel(memory, &a, &kernel));
    CU_ASSERT_EQUAL(rank, 2);
    CU_ASSERT_EQUAL_FATAL(kernel.columns, 1);
    CU_ASSERT_EQUAL(*field_at(&kernel, 2, 0), 1);
    CU_ASSERT_EQUAL(*field_at(&kernel, 1, 0), FIELD_PRIME - 2);
    CU_ASSERT_EQUAL(*field_at(&kernel, 0, 0), 1);
    arena_free(memory);
}

/* ---- circuits ---- */

static bool structure_of(const char *text, struct arena *memory, struct exact_index *out)
{
    struct deck s;
    struct mna_terms t;
    if (!deck_open(&s, text))
        return false;
    const bool found = mna_terms_find(s.mna, memory, &t) == KN_OK && exact_index_find(memory, &t, out) == KN_OK;
    CU_ASSERT(found);
    deck_close(&s);
    return found;
}

static void expect_structure(const char *text, bool exact, int index, int freedom)
{
    struct arena *memory = arena_new();
    struct exact_index x;
    CU_ASSERT_FATAL(memory != NULL);
    if (structure_of(text, memory, &x)) {
        const bool right = x.exact == exact && x.singular == (index < 0) &&
                           (index < 0 || (x.index == index && x.degrees_of_freedom == freedom));
        if (!right)
            fprintf(stderr, "\n%s-> exact %d, singular %d, index %d, freedom %d\n", text, x.exact, x.singular, x.index,
                    x.degrees_of_freedom);
        CU_ASSERT(right);
    }
    arena_free(memory);
}

static void sums_forget_nothing(void)
{
    expect_structure("t\nR1 1 2 1e-15\nR2 2 0 1e15\nC1 1 0 1\n.end\n", true, 1, 1);
    expect_structure("t\nR1 1 2 1e-15\nR2 1 0 1e15\nI1 2 0 1\n.end\n", true, 1, 0);
    expect_structure("t\nC1 1 2 1e3\nC2 2 0 1e-18\nI1 1 0 1\n.end\n", true, 0, 2);
}

static void values_that_cancel_do_so(void)
{
    expect_structure("t\nR1 1 0 3\nR2 1 0 3\nR3 1 0 3\nR4 1 0 -1\nI1 1 0 1\n.end\n", true, -1, 0);
    expect_structure("t\nE1 2 0 1 0 0.1\nE2 1 0 2 0 10\nR1 1 0 1\n.end\n", true, -1, 0);
    expect_structure("t\nE1 2 0 1 0 0.1\nE2 1 0 2 0 10.0000001\nR1 1 0 1\n.end\n", true, 1, 0);
}

static void values_known_up_to_rounding_may_cancel(void)
{
    expect_structure("t\nE1 2 0 1 0 {sqrt(2)}\nE2 1 0 2 0 {1/sqrt(2)}\nR1 1 0 1\n.end\n", false, 1, 0);
    expect_structure("t\nE1 2 0 1 0 {exp(1)}\nE2 1 0 2 0 {4*atan(1)}\nR1 1 0 1\n.end\n", true, 1, 0);
}

static void couplings_are_tight_where_the_deck_says_so(void)
{
    const char *form = "t\nV1 a 0 1\nR1 a b 1\nL1 b 0 1m\nL2 c 0 3m\nL3 d 0 7m\nR2 c 0 1k\nR3 d 0 1\n"
                       "K1 L1 L2 L3 %s\n.end\n";
    char text[300];
    snprintf(text, sizeof text, form, "0.999999999999");
    expect_structure(text, false, 1, 3);
    snprintf(text, sizeof text, form, "1");
    expect_structure(text, false, 1, 1);
    expect_structure("t\nV1 a 0 1\nR1 a b 1\nL1 b 0 1m\nL2 c 0 4m\nR2 c 0 1k\nK1 L1 L2 1\n.end\n", true, 1, 1);
}

static void direct_current_is_a_question_of_its_own(void)
{
    struct arena *memory = arena_new();
    struct deck s;
    struct mna_terms t;
    struct exact_direct x;
    CU_ASSERT_FATAL(memory != NULL);
    if (deck_open(&s, "t\nV1 1 0 1\nC1 1 2 1\nC2 2 0 1\n.end\n")) {
        CU_ASSERT(mna_terms_find(s.mna, memory, &t) == KN_OK);
        CU_ASSERT(exact_direct_find(memory, &t, NULL, &x) == KN_OK && x.exact);
        CU_ASSERT(x.free_count == 1 && !x.free[0] && x.free[1] && !x.free[2]); /* v(2) floats */
        deck_close(&s);
    }
    arena_free(memory);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(products_are_those_of_whole_numbers),
        CLAIM(values_are_taken_as_they_were_meant),
        CLAIM(other_values_are_what_their_bits_say),
        CLAIM(what_was_computed_from_each_other_is_simple),
        CLAIM(kernels_are_those_of_the_matrix),
        CLAIM(sums_forget_nothing),
        CLAIM(values_that_cancel_do_so),
        CLAIM(values_known_up_to_rounding_may_cancel),
        CLAIM(couplings_are_tight_where_the_deck_says_so),
        CLAIM(direct_current_is_a_question_of_its_own),
    };
    return run_claims("exact arithmetic", claims, sizeof claims / sizeof claims[0]);
}
