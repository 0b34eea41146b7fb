/* test_operator.c - the network of an operator has the transfer function that it is made for, and the program runs it in
 * time and for small signals.
 *
 * PROGRAM [SEED [CIRCUITS]]: other random transfer functions.
 */
#include "claims.h"
#include "devices/behavioural/network.h"

#include "base/arena.h"

#include <complex.h>
#include <string.h>

static uint64_t seed = 20261122;
static int circuits = 300;

static double random_part(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double random_decade(double from, double to)
{
    return pow(10, from + (to - from) * random_part());
}

/* ---- networks as matrices ---- */

enum { MOST = 80 };

/* Gauss with the pivots on the diagonal; x replaces b.  In long double, because an order that is not that of the chains
 * loses digits. */
static void solve(int n, long double complex a[MOST][MOST], long double complex *b)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const long double complex factor = a[i][k] / a[k][k];
            for (int j = k; j < n && factor != 0; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* The output for an argument of 1 at s. */
static long double complex network_at(const struct network *n, long double complex s)
{
    static long double complex a[MOST][MOST];
    long double complex b[MOST] = {0};
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < n->entry_count; i++) {
        const struct network_entry *e = &n->entries[i];
        a[e->row - 1][e->column - 1] += e->rate ? s * e->value : e->value;
    }
    if (n->delayed)
        a[0][n->delayed - 1] -= 1;
    if (n->argument_row)
        b[n->argument_row - 1] += n->argument_factor;
    if (n->rate_row)
        b[n->rate_row - 1] += s * n->rate_factor;
    solve(n->unknown_count, a, b);
    return b[0];
}

static long double complex polynomial_at(const double *c, size_t count, long double complex s)
{
    long double complex sum = 0;
    for (size_t i = count; i-- > 0;)
        sum = sum * s + c[i];
    return sum;
}

/* *size: of the terms of a sum, which may cancel. */
static long double complex response_at(const struct response *r, long double complex s, double *size)
{
    long double complex passed = 1, sum = r->taps ? r->taps[0] : 0;
    *size = (double)cabsl(sum);
    for (size_t i = 0; i < r->section_count; i++) {
        const struct rational *q = &r->sections[i];
        const long double complex over = passed / polynomial_at(q->denominator, q->denominator_count, s);
        const long double complex tapped =
            r->taps ? over * polynomial_at(&r->taps[2 * i + 1], q->denominator_count - 1, s) : 0;
        passed = over * polynomial_at(q->numerator, q->numerator_count, s);
        sum += tapped;
        *size += (double)cabsl(tapped);
    }
    *size = r->taps ? *size : (double)cabsl(passed);
    return r->taps ? sum : passed;
}

/* Coefficients of a product of (1 + s/w), w over many decades, so that they span hundreds of them. */
static size_t random_polynomial(double *c, size_t degree)
{
    c[0] = 1;
    for (size_t k = 1; k <= degree; k++) {
        const double tau = random_decade(-6, -1);
        c[k] = 0;
        for (size_t i = k; i > 0; i--)
            c[i] += tau * c[i - 1];
    }
    const double factor = random_decade(-6, 6);
    for (size_t k = 0; k <= degree; k++)
        c[k] *= factor;
    if (degree > 0 && random_part() < 0.2)
        c[0] = 0;
    return degree + 1;
}

static void check_network(const struct response *r, const char *what)
{
    struct arena *arena = arena_new();
    struct network n;
    CU_ASSERT_TRUE_FATAL(network_make(&n, r, 1e-3, arena));
    CU_ASSERT_TRUE_FATAL(n.unknown_count <= MOST);
    for (double w = 0.1, size; w < 1e8; w *= 31) {
        const long double complex s = CMPLX(0, w), wanted = response_at(r, s, &size), found = network_at(&n, s);
        const double miss = (double)cabsl(found - wanted) / size;
        if (!(miss < 1e-9)) {
            fprintf(stderr, "%s at w = %g: %Lg%+Lgj, wanted %Lg%+Lgj\n", what, w, creall(found), cimagl(found),
                    creall(wanted), cimagl(wanted));
            CU_FAIL("another transfer function");
            break;
        }
    }
    arena_free(arena);
}

static void random_sections_have_their_transfer_functions(void)
{
    for (int k = 0; k < circuits; k++) {
        double above[3][8], below[3][8];
        struct rational sections[3];
        const uint64_t from = seed;
        const size_t count = 1 + (size_t)(3 * random_part());
        for (size_t i = 0; i < count; i++)
            sections[i] =
                (struct rational){.numerator = above[i],
                                  .numerator_count = random_polynomial(above[i], (size_t)(5 * random_part())),
                                  .denominator = below[i],
                                  .denominator_count = random_polynomial(below[i], (size_t)(5 * random_part()))};
        struct response r = {.sections = sections,
                             .section_count = count,
                             .delay = random_part() < 0.2 ? 1e-3 : 0};
        char what[60];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)from);
        check_network(&r, what);
    }
}

/* D(-s)/D(s) of one or two poles each, as they follow a table. */
static void random_chains_have_their_transfer_functions(void)
{
    for (int k = 0; k < circuits; k++) {
        double above[4][3], below[4][3], taps[9];
        struct rational sections[4];
        const uint64_t from = seed;
        const size_t count = 1 + (size_t)(4 * random_part());
        for (size_t i = 0; i < 9; i++)
            taps[i] = random_part() < 0.2 ? 0 : random_part() - 0.5;
        for (size_t i = 0; i < count; i++) {
            const size_t degree = random_part() < 0.3 ? 1 : 2;
            const double w = random_decade(2, 6);
            below[i][0] = degree == 2 ? w * w : w;
            below[i][1] = degree == 2 ? w * random_decade(-3, 1) : 1;
            below[i][2] = 1;
            for (size_t n = 0; n <= degree; n++)
                above[i][n] = n % 2 == 0 ? below[i][n] : -below[i][n];
            taps[2 * i + 1] *= below[i][0];
            taps[2 * i + 2] *= degree == 2 ? w : 0;
            sections[i] = (struct rational){above[i], below[i], degree + 1, degree + 1};
        }
        const struct response r = {.sections = sections, .section_count = count, .taps = taps};
        char what[60];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)from);
        check_network(&r, what);
    }
}

static void no_section_is_the_argument_itself(void)
{
    const struct response r = {.delay = 1};
    check_network(&r, "delay");
}

static void a_derivative_is_one_unknown(void)
{
    static const double one = 1, s[] = {0, 1};
    const struct rational derivative = {s, &one, 2, 1};
    const struct response r = {.sections = &derivative, .section_count = 1};
    struct arena *arena = arena_new();
    struct network n;
    CU_ASSERT_TRUE_FATAL(network_make(&n, &r, 1, arena));
    CU_ASSERT_EQUAL(n.unknown_count, 1);
    CU_ASSERT_EQUAL(n.argument_row, 0);
    CU_ASSERT_EQUAL(n.rate_row, 1);
    CU_ASSERT_EQUAL(n.rate_factor, 1);
    arena_free(arena);
}

static void zero_is_zero(void)
{
    static const double zero = 0, pole[] = {1, 1};
    const struct rational nothing = {&zero, pole, 1, 2};
    const struct response r = {.sections = &nothing, .section_count = 1};
    struct arena *arena = arena_new();
    struct network n;
    CU_ASSERT_TRUE_FATAL(network_make(&n, &r, 1, arena));
    CU_ASSERT_EQUAL(cabsl(network_at(&n, CMPLX(0, 1))), 0);
    arena_free(arena);
}

static void time_constants_lie_near_the_poles(void)
{
    /* (1 + s) (1 + 1e-3 s) (1 + 1e-6 s) */
    static const double one = 1, d[] = {1, 1.001001, 1.001001e-3, 1e-9};
    const struct rational r = {&one, d, 1, 4};
    double tau[4];
    CU_ASSERT_TRUE(network_time_constants(&r, tau));
    CU_ASSERT_DOUBLE_EQUAL(tau[0], 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(tau[1], 1e-3, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(tau[2], 1e-6, 1e-8);
}

static void what_tells_no_time_constant_has_one_second(void)
{
    static const double one = 1, s[] = {0, 1};
    const struct rational integral = {&one, s, 1, 2};
    double tau[2];
    CU_ASSERT_FALSE(network_time_constants(&integral, tau));
    CU_ASSERT_EQUAL(tau[0], 1);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(random_sections_have_their_transfer_functions),
        CLAIM(random_chains_have_their_transfer_functions),
        CLAIM(no_section_is_the_argument_itself),
        CLAIM(a_derivative_is_one_unknown),
        CLAIM(zero_is_zero),
        CLAIM(time_constants_lie_near_the_poles),
        CLAIM(what_tells_no_time_constant_has_one_second),
    };
    random_arguments(&seed, &circuits);
    return run_claims("operator", claims, sizeof claims / sizeof *claims);
}
