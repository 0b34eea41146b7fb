/* test_transfer_function.c - ratios of polynomials found in expressions of s have the expressions' values.
 *
 * PROGRAM [SEED [CIRCUITS]]: other random expressions.
 */
#include "expression_fixture.h"
#include "netlist/formulas/chebyshev.h"
#include "netlist/formulas/transfer_function.h"

#include <complex.h>

static uint64_t seed = 7;
static int expressions = 400;

static double random_part(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static int find_s(void *context, const char *name)
{
    (void)context;
    return names_equal(name, "s") ? 0 : -1;
}

static enum transfer_outcome transfer_of(const char *text, struct arena *arena, struct response *out)
{
    struct fixture f = fixture_open();
    const struct expression_resolver of_s = {.vector = find_s};
    const struct expression_tree *tree = expression_parse(arena, text, strlen(text), fixture_place, f.dialect, f.d);
    const struct expression *e = tree ? expression_compile(arena, f.scope, tree, &of_s, f.d) : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    const enum transfer_outcome outcome = transfer_of_expression(e, arena, out);
    fixture_close(&f);
    return outcome;
}

static double complex polynomial_at(const double *c, size_t count, double complex s)
{
    double complex sum = 0;
    for (size_t i = count; i-- > 0;)
        sum = sum * s + c[i];
    return sum;
}

static double complex transfer_at(const struct response *r, double complex s)
{
    double complex value = cexp(-s * r->delay);
    for (size_t i = 0; i < r->section_count; i++)
        value *= polynomial_at(r->sections[i].numerator, r->sections[i].numerator_count, s) /
                 polynomial_at(r->sections[i].denominator, r->sections[i].denominator_count, s);
    return value;
}

/* A random expression and its value at s, written by the same hand. */
static double complex grow(char *text, size_t room, int depth, double complex s)
{
    char left[1200], right[1200];
    const double pick = random_part();
    if (depth == 0 || pick < 0.15) {
        if (random_part() < 0.5) {
            snprintf(text, room, "s");
            return s;
        }
        const double number = floor(1 + 9 * random_part());
        snprintf(text, room, "%g", number);
        return number;
    }
    const double complex a = grow(left, sizeof left, depth - 1, s);
    if (pick < 0.25) {
        const int power = 2 + (int)(2 * random_part());
        snprintf(text, room, "(%s)^%d", left, power);
        return power == 2 ? a * a : a * a * a;
    }
    const double complex b = grow(right, sizeof right, depth - 1, s);
    const char op = "+*/-"[(int)(4 * random_part())];
    snprintf(text, room, "(%s)%c(%s)", left, op, right);
    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
}

static void random_expressions_keep_their_values(void)
{
    int compared = 0;
    for (int k = 0; k < expressions; k++) {
        char text[3000];
        struct response r;
        struct arena *arena = arena_new();
        const double complex s = CMPLX(0.3 + random_part(), 2 * random_part());
        const double complex wanted = grow(text, sizeof text, 1 + (int)(4 * random_part()), s);
        const enum transfer_outcome outcome = transfer_of(text, arena, &r);
        const double complex found = outcome == TRANSFER_RATIONAL ? transfer_at(&r, s) : NAN;
        /* 1/((s+s)-2*s) is finite by rounding alone */
        const bool finite = outcome != TRANSFER_NONE && isfinite(cabs(wanted)) && cabs(wanted) > 1e-3;
        compared += finite && outcome == TRANSFER_RATIONAL;
        if (finite && !(cabs(found - wanted) <= 1e-6 * cabs(wanted))) {
            fprintf(stderr, "%s at %g%+gj: %g%+gj, wanted %g%+gj\n", text, creal(s), cimag(s), creal(found),
                    cimag(found), creal(wanted), cimag(wanted));
            CU_FAIL("another value");
        }
        arena_free(arena);
    }
    CU_ASSERT_TRUE(compared > expressions / 2);
}

static void factors_of_products_stay_apart(void)
{
    struct arena *arena = arena_new();
    struct response r;
    CU_ASSERT_EQUAL(transfer_of("(1+s)/((1+2*s)*(1+3*s+s*s)*(1+5*s)^2)", arena, &r), TRANSFER_RATIONAL);
    CU_ASSERT_EQUAL(r.section_count, 4);
    arena_free(arena);
}

static void common_powers_of_s_cancel(void)
{
    struct arena *arena = arena_new();
    struct response r;
    CU_ASSERT_EQUAL(transfer_of("s*s/(s*(1+s))", arena, &r), TRANSFER_RATIONAL);
    CU_ASSERT_EQUAL(r.section_count, 1);
    CU_ASSERT_EQUAL(r.sections[0].denominator_count, 2);
    arena_free(arena);
}

static void exponentials_are_delays(void)
{
    struct arena *arena = arena_new();
    struct response r;
    CU_ASSERT_EQUAL(transfer_of("exp(-2*s)*exp(1-s)/(1+s)", arena, &r), TRANSFER_RATIONAL);
    CU_ASSERT_DOUBLE_EQUAL(r.delay, 3, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(r.sections[0].numerator[0] / r.sections[0].denominator[0], exp(1), 1e-14);
    CU_ASSERT_EQUAL(transfer_of("exp(s)", arena, &r), TRANSFER_ADVANCED);
    arena_free(arena);
}

static void what_is_no_ratio_is_told(void)
{
    static const char *const others[] = {"sqrt(s)", "tanh(s)", "1+exp(-s)", "s^0.5", "abs(s)", "exp(-s*s)"};
    struct arena *arena = arena_new();
    struct response r;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CU_ASSERT_EQUAL(transfer_of(others[i], arena, &r), TRANSFER_OTHER);
    CU_ASSERT_EQUAL(transfer_of("1/(s-s)", arena, &r), TRANSFER_NONE);
    CU_ASSERT_EQUAL(transfer_of("sqrt(4)/(1+2^2*s)", arena, &r), TRANSFER_RATIONAL);
    arena_free(arena);
}

/* |H|^2 = 1/(1 + eps^2 T_n(x)^2) at all frequencies, x that of the prototype. */
static void chebyshev_filters_have_their_magnitude(void)
{
    static const double numbers[] = {800, 1200, 2000, 3000, 0.5, 40};
    for (int kind = CHEBYSHEV_LP; kind <= CHEBYSHEV_BR; kind++) {
        const bool two = kind == CHEBYSHEV_LP || kind == CHEBYSHEV_HP;
        const double list[] = {800, 1200, 0.5, 40};
        struct arena *arena = arena_new();
        struct response r;
        const char *why;
        CU_ASSERT_EQUAL(
            chebyshev_response((enum chebyshev_kind)kind, two ? list : numbers, two ? 4 : 6, arena, &r, &why),
            TRANSFER_RATIONAL);
        const double eps = sqrt(pow(10, 0.05) - 1), ratio = sqrt(1e4 - 1) / eps;
        const double stop = two ? 1.5 : kind == CHEBYSHEV_BP ? 2.75 : 2.75;
        const double n = ceil(acosh(ratio) / acosh(stop));
        for (double f = 100; f < 1e4; f *= 1.07) {
            const double x = kind == CHEBYSHEV_LP   ? f / 800
                             : kind == CHEBYSHEV_HP ? 1200 / f
                             : kind == CHEBYSHEV_BP ? fabs((f * f - 2.4e6) / (800 * f))
                                                    : fabs(2200 * f / (f * f - 2.4e6));
            const double t = x <= 1 ? cos(n * acos(x)) : cosh(n * acosh(x));
            const double wanted = 1 / sqrt(1 + eps * eps * t * t);
            CU_ASSERT_DOUBLE_EQUAL(cabs(transfer_at(&r, CMPLX(0, 2 * acos(-1) * f))) / wanted, 1, 1e-7);
        }
        arena_free(arena);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(random_expressions_keep_their_values),
        CLAIM(factors_of_products_stay_apart),
        CLAIM(common_powers_of_s_cancel),
        CLAIM(exponentials_are_delays),
        CLAIM(what_is_no_ratio_is_told),
        CLAIM(chebyshev_filters_have_their_magnitude),
    };
    random_arguments(&seed, &expressions);
    return run_claims("transfer functions", claims, sizeof claims / sizeof *claims);
}
