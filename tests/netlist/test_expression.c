/* test_expression.c - values: numbers, operators and their precedence, every function against libm. */
#include "expression_fixture.h"

#define CHECK_VALUE(text, expected) CHECK_NEAR(value_of(text), expected, 4e-16 * fabs(expected))

/* ---- numbers ---- */

static void check_number(const char *text, double expected)
{
    double value = NAN;
    CU_ASSERT(expression_number(text, strlen(text), &value));
    if (value != expected)
        fprintf(stderr, "\n%s gave %.17g, expected %.17g\n", text, value, expected);
    CU_ASSERT(value == expected);
}

static void suffixes_scale_to_the_nearest_double(void)
{
    check_number("4.7k", 4700.0);
    check_number("10meg", 10e6);
    check_number("2.5MEG", 2.5e6);
    check_number("1G", 1e9);
    check_number("1t", 1e12);
    check_number("3m", 3e-3);
    check_number("3M", 3e-3);
    check_number("33u", 33e-6);
    check_number("100n", 100e-9);
    check_number("2.2p", 2.2e-12);
    check_number("7f", 7e-15);
    check_number("5a", 5);
    check_number("5aF", 5e-18);
    check_number("10mil", 254e-6);
    check_number("0.1u", 0.1e-6);
}

static void letters_after_the_suffix_are_a_unit(void)
{
    check_number("100nF", 100e-9);
    check_number("4.7kOhm", 4700.0);
    check_number("5V", 5.0);
    check_number("10megHz", 10e6);
    check_number("1mils", 25.4e-6);
    check_number("3e", 3.0);
    check_number("1X", 1.0);
    check_number("2.5kx", 2500.0);
    check_number("3d", 3.0);
    check_number("10k\xce\xa9", 10e3);
    check_number("2eV", 2.0);
    check_number("1e-9F", 1e-24); /* f is femto also after an exponent, as in ngspice */
}

static void exponents_signs_and_points_are_read(void)
{
    check_number("1e3", 1000.0);
    check_number("1E+3k", 1e6);
    check_number("1d3", 1000.0); /* Fortran's way, in decks for SPICE2 */
    check_number("2.5D-6", 2.5e-6);
    check_number("-1.5e-3", -1.5e-3);
    check_number("+.5", 0.5);
    check_number("5.", 5.0);
    check_number("0", 0.0);
    check_number("0.000", 0.0);
    check_number("1e99999999999", INFINITY);
    check_number("1e-99999999999", 0.0);
    check_number("00012", 12.0);
    check_number("123456789012345678901234567890", 123456789012345678901234567890.0);
    check_number("0.3333333333333333333333333333333333333333333333333333333333", 1.0 / 3.0);
    check_number("17976931348623157e292", 1.7976931348623157e308);
}

static void what_is_no_number_is_refused(void)
{
    static const char *const bad[] = {"",   "-",  ".",   "k",  "1k5",   "1.2.3", "1_000",
                                      "1 ", " 1", "1+1", "e5", "1e5.2", "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        CU_ASSERT(!expression_number(bad[i], strlen(bad[i]), &value));
    }
}

static void only_the_given_length_is_read(void)
{
    double value = 0.0;
    CU_ASSERT(expression_number("12345", 2, &value));
    CU_ASSERT(value == 12.0);
}

static void random_numbers_agree_with_the_c_library(void)
{
    uint64_t seed = 20240611;
    for (int i = 0; i < 3000; i++) {
        char text[64];
        const uint64_t start = seed;
        const double exact = random_between(&seed, -1.0, 1.0) * pow(10.0, random_between(&seed, -300.0, 300.0));
        snprintf(text, sizeof text, "%.*e", random_below(&seed, 20), exact);
        double value = NAN;
        const bool same = expression_number(text, strlen(text), &value) && value == strtod(text, NULL);
        if (!same)
            fprintf(stderr, "\nseed %llu: %s gave %.17g\n", (unsigned long long)start, text, value);
        CU_ASSERT(same);
    }
}

/* ---- operators ---- */

static void operators_have_the_precedence_of_ngspice(void)
{
    CHECK_VALUE("2k2*2", 4400.0);
    CHECK_VALUE("3p3", 3.3e-12);
    CHECK_VALUE("2R2+4K7", 4702.2);
    CHECK_VALUE("1Meg5", 1.5e6);
    CHECK_VALUE("1+2*3", 7.0);
    CHECK_VALUE("(1+2)*3", 9.0);
    CHECK_VALUE("10-3-2", 5.0);
    CHECK_VALUE("12/3/2", 2.0);
    CHECK_VALUE("12/3*2", 8.0);
    CHECK_VALUE("2*3^2", 18.0);
    CHECK_VALUE("2^3^2", 64.0);
    CHECK_VALUE("2**3**2", 64.0);
    CHECK_VALUE("-2^2", -4.0);
    CHECK_VALUE("(-2)^2", 4.0);
    CHECK_VALUE("2^-1", 0.5);
    CHECK_VALUE("2^-2*4", 1.0);
    CHECK_VALUE("-3*2", -6.0);
    CHECK_VALUE("--3", 3.0);
    CHECK_VALUE("+3", 3.0);
    CHECK_VALUE("2-+3", -1.0);
    CHECK_VALUE("+2-3", -1.0);
    CHECK_VALUE("1-2+3", 2.0);
}

static void comparisons_and_logic_have_the_precedence_of_ngspice(void)
{
    CHECK_VALUE("1+2==3", 1.0);
    CHECK_VALUE("1<2==1", 1.0);
    CHECK_VALUE("3>2>1", 0.0);
    CHECK_VALUE("2<=2", 1.0);
    CHECK_VALUE("2>=3", 0.0);
    CHECK_VALUE("1<>2", 1.0);
    CHECK_VALUE("1!=1", 0.0);
    CHECK_VALUE("1||0&&0", 1.0);
    CHECK_VALUE("(1||0)&&0", 0.0);
    CHECK_VALUE("1|0&0", 1.0);
    CHECK_VALUE("5&&-2", 1.0);
    CHECK_VALUE("!0", 1.0);
    CHECK_VALUE("!5+1", 1.0);
    CHECK_VALUE("!1==0", 1.0);
    CHECK_VALUE("0||0?1:2", 2.0);
}

static void conditions_group_to_the_right(void)
{
    CHECK_VALUE("1?2:3", 2.0);
    CHECK_VALUE("0?2:3", 3.0);
    CHECK_VALUE("0?1:0?2:3", 3.0);
    CHECK_VALUE("1?0?4:5:6", 5.0);
    CHECK_VALUE("2>1?10+1:20", 11.0);
    CHECK_VALUE("if(1,2,3)", 2.0);
    CHECK_VALUE("ternary_fcn(0,2,3)", 3.0);
}

static void powers_of_negative_numbers_are_as_documented(void)
{
    CHECK_VALUE("(-2)^3", -8.0);
    CHECK_VALUE("pow(-2,3)", -8.0);
    CHECK_VALUE("(-2)**-3", -0.125);
    CHECK_VALUE("(-2)^2", 4.0);
    CHECK_VALUE("(-2)^2.5", pow(2.0, 2.5));
    CHECK_VALUE("pwr(-2,2)", -4.0);
    CHECK_VALUE("pwr(-2,3)", -8.0);
    CHECK_VALUE("pwr(-2,0.5)", -sqrt(2.0));
    CHECK_VALUE("0^0", 1.0);
    CHECK_VALUE("2^0.5", sqrt(2.0));
}

static void braces_and_quotes_group_like_parentheses(void)
{
    CHECK_VALUE("{1+2}*3", 9.0);
    CHECK_VALUE("'1+2'*3", 9.0);
    CHECK_VALUE("2*{3}", 6.0);
}

static void text_may_run_over_continuation_lines(void)
{
    CHECK_VALUE("1 +\n+ 2 *\n  + 3", 7.0);
    CHECK_VALUE(" 1\t+\r\n+2 ", 3.0);
}

/* ---- functions ---- */

struct function_of_one {
    const char *name;
    double (*reference)(double);
    double low, high;
};

static double sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

static double step(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? 0.0 : 0.5;
}

static double ramp(double x)
{
    return x > 0.0 ? x : 0.0;
}

static double clipped_ramp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double square(double x)
{
    return x * x;
}

static const struct function_of_one functions_of_one[] = {
    {"abs", fabs, -5, 5},       {"acos", acos, -1, 1},       {"acosh", acosh, 1, 9},  {"asin", asin, -1, 1},
    {"asinh", asinh, -9, 9},    {"atan", atan, -9, 9},       {"atanh", atanh, -1, 1}, {"ceil", ceil, -5, 5},
    {"cos", cos, -9, 9},        {"cosh", cosh, -9, 9},       {"exp", exp, -40, 40},   {"floor", floor, -5, 5},
    {"int", trunc, -5, 5},      {"ln", log, 0, 9},           {"log", log, 0, 9},      {"log10", log10, 0, 9},
    {"nint", nearbyint, -5, 5}, {"sgn", sign, -5, 5},        {"sin", sin, -9, 9},     {"sinh", sinh, -9, 9},
    {"sqrt", sqrt, 0, 9},       {"tan", tan, -1.5, 1.5},     {"tanh", tanh, -9, 9},   {"u", step, -5, 5},
    {"uramp", ramp, -5, 5},     {"u2", clipped_ramp, -2, 3}, {"sqr", square, -5, 5},  {"arctan", atan, -9, 9},
};

static void functions_of_one_argument_are_those_of_libm(void)
{
    uint64_t seed = 31;
    for (size_t i = 0; i < sizeof functions_of_one / sizeof *functions_of_one; i++) {
        const struct function_of_one *f = &functions_of_one[i];
        struct fixture bench = fixture_open();
        char text[64];
        snprintf(text, sizeof text, "%s(v(a))", f->name);
        const struct expression *e = fixture_compile(&bench, text);
        CU_ASSERT_FATAL(e != NULL);
        for (int k = 0; k < 20; k++) {
            const double x = bench.x[1] = random_between(&seed, f->low, f->high);
            CU_ASSERT(fixture_evaluate(&bench, e, NULL, NULL) == f->reference(x));
            snprintf(text, sizeof text, "%s(%.17g)", f->name, x);
            CU_ASSERT(fixture_value(&bench, bench.scope, text) == f->reference(x));
        }
        fixture_close(&bench);
    }
}

static void functions_of_several_arguments_are_as_documented(void)
{
    CHECK_VALUE("atan2(1,-1)", atan2(1.0, -1.0));
    CHECK_VALUE("hypot(3,4)", 5.0);
    CHECK_VALUE("max(2,3)", 3.0);
    CHECK_VALUE("min(2,3)", 2.0);
    CHECK_VALUE("max(2,5,3)", 5.0);
    CHECK_VALUE("min(2,5,1,4)", 1.0);
    CHECK_VALUE("pow(2,10)", 1024.0);
    CHECK_VALUE("pwr(3,2)", 9.0);
    CHECK_VALUE("limit(7,1,5)", 5.0);
    CHECK_VALUE("limit(-7,1,5)", 1.0);
    CHECK_VALUE("limit(3,1,5)", 3.0);
    CHECK_VALUE("eq0(0)+ne0(0)+gt0(2)+lt0(2)+ge0(0)+le0(1)", 3.0);
}

static void pwl_is_straight_between_points_and_beyond_them(void)
{
    CHECK_VALUE("pwl(0.5, 0,0, 1,2, 2,0)", 1.0);
    CHECK_VALUE("pwl(1, 0,0, 1,2, 2,0)", 2.0);
    CHECK_VALUE("pwl(1.5, 0,0, 1,2, 2,0)", 1.0);
    CHECK_VALUE("pwl(-1, 0,0, 1,2, 2,0)", -2.0);
    CHECK_VALUE("pwl(3, 0,0, 1,2, 2,0)", -2.0);
}

static void rounding_goes_to_even_and_cutting_to_zero(void)
{
    CHECK_VALUE("nint(2.5)", 2.0);
    CHECK_VALUE("nint(3.5)", 4.0);
    CHECK_VALUE("int(-2.7)", -2.0);
    CHECK_VALUE("floor(-2.5)", -3.0);
    CHECK_VALUE("ceil(-2.5)", -2.0);
    CHECK_VALUE("u(0)", 0.5);
    CHECK_VALUE("sgn(0)", 0.0);
}

static void constants_are_known_and_can_be_hidden(void)
{
    CHECK_VALUE("pi", 3.14159265358979323846);
    CHECK_VALUE("e", 2.71828182845904523536);
    CHECK_VALUE("PI", 3.14159265358979323846);
    CHECK_VALUE("echarge", 1.602176634e-19);
    CHECK_VALUE("boltz*(temper-kelvin)/echarge", 1.380649e-23 * 300.15 / 1.602176634e-19);
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "e", "5");
    CU_ASSERT(fixture_value(&f, f.scope, "e") == 5.0);
    fixture_close(&f);
}

static void names_ignore_case(void)
{
    CHECK_VALUE("SQRT(4)+Max(1,2)", 4.0);
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "Rload", "5k");
    CU_ASSERT(fixture_value(&f, f.scope, "rLOAD") == 5000.0);
    fixture_close(&f);
}

static const struct claim claims[] = {
    CLAIM(suffixes_scale_to_the_nearest_double),
    CLAIM(letters_after_the_suffix_are_a_unit),
    CLAIM(exponents_signs_and_points_are_read),
    CLAIM(what_is_no_number_is_refused),
    CLAIM(only_the_given_length_is_read),
    CLAIM(random_numbers_agree_with_the_c_library),
    CLAIM(operators_have_the_precedence_of_ngspice),
    CLAIM(comparisons_and_logic_have_the_precedence_of_ngspice),
    CLAIM(conditions_group_to_the_right),
    CLAIM(powers_of_negative_numbers_are_as_documented),
    CLAIM(braces_and_quotes_group_like_parentheses),
    CLAIM(text_may_run_over_continuation_lines),
    CLAIM(functions_of_one_argument_are_those_of_libm),
    CLAIM(functions_of_several_arguments_are_as_documented),
    CLAIM(pwl_is_straight_between_points_and_beyond_them),
    CLAIM(rounding_goes_to_even_and_cutting_to_zero),
    CLAIM(constants_are_known_and_can_be_hidden),
    CLAIM(names_ignore_case),
};

int main(void)
{
    return run_claims("expression values", claims, sizeof claims / sizeof *claims);
}
