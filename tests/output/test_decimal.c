/* Shortest decimals read back exactly and cannot be shorter; engineering numbers read well. */
#include "claims.h"
#include "output/decimal.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Doubles of every kind in turn: any bits, powers of two (their rounding interval is lopsided), short decimals, results
 * of sizes that circuits have, neighbours of powers of ten, decimals of 14 to 17 digits. */
static double random_double(uint64_t *state, int i)
{
    uint64_t bits = random_bits(state);
    double value;
    char text[DECIMAL_TEXT];
    switch (i % 6) {
    case 1:
        bits &= ~(((uint64_t)1 << 52) - 1);
        break;
    case 2:
        return (double)(int64_t)(bits >> 40) / 1000;
    case 3:
        return sin(i) * pow(10, (double)(bits % 60) - 40);
    case 4:
        return nextafter(pow(10, (double)(bits % 140) - 70), bits & 1024 ? 0 : 1e300);
    case 5:
        snprintf(text, sizeof text, "%.*g", 14 + (int)(bits % 4), ldexp((double)(bits >> 11), -(int)(bits % 120)));
        return strtod(text, NULL);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int significant_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9') {
            zeros = *text == '0' ? zeros + 1 : 0;
            digits += *text != '0' || digits;
        }
    return digits - zeros;
}

/* The fewest digits for which printf's nearest decimal reads back. */
static int digits_needed(double value)
{
    for (int digits = 1; digits < 17; digits++) {
        char text[64];
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    return 17;
}

static void random_doubles_read_back_exactly_and_are_shortest(void)
{
    const uint64_t seed = 88172645463325252u;
    uint64_t state = seed;
    int wrong = 0;
    for (int i = 0; i < 200000; i++) {
        const double value = random_double(&state, i);
        char text[DECIMAL_TEXT];
        const size_t length = decimal_shortest(value, text);
        if (!isfinite(value))
            continue;
        const bool good = length == strlen(text) && length < DECIMAL_TEXT && strtod(text, NULL) == value &&
                          (i % 7 || significant_digits(text) <= digits_needed(value));
        if (!good && wrong++ < 5)
            fprintf(stderr, "seed %llu, number %d: %s for %.17g\n", (unsigned long long)seed, i, text, value);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void check_shortest(double value, const char *expected)
{
    char text[DECIMAL_TEXT];
    decimal_shortest(value, text);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void familiar_numbers_look_familiar(void)
{
    check_shortest(0.1, "0.1");
    check_shortest(-3.3, "-3.3");
    check_shortest(1e-12, "1e-12");
    check_shortest(0.00012, "0.00012");
    check_shortest(1000, "1000");
    check_shortest(1e22, "1e+22");
    check_shortest(2.5e-7, "2.5e-07");
    check_shortest(0, "0");
    check_shortest(-0.0, "-0");
    check_shortest(9007199254740992, "9007199254740992");
}

static void extreme_numbers_are_right(void)
{
    check_shortest(5e-324, "5e-324");
    check_shortest(2.2250738585072014e-308, "2.2250738585072014e-308");
    check_shortest(1.7976931348623157e308, "1.7976931348623157e+308");
    check_shortest(NAN, "nan");
    check_shortest(-NAN, "nan");
    check_shortest(INFINITY, "inf");
    check_shortest(-INFINITY, "-inf");
}

static void check_engineering(double value, const char *expected)
{
    char text[64];
    decimal_engineering(value, 4, "V", "u", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void engineering_numbers_round_before_the_prefix_is_chosen(void)
{
    check_engineering(999.96, "1 kV");
    check_engineering(0.99996, "1 V");
    check_engineering(4.7e3, "4.7 kV");
    check_engineering(-12.5e-6, "-12.5 uV");
    check_engineering(3e-15, "3 fV");
    check_engineering(0, "0 V");
    check_engineering(1e-20, "1.000e-20 V");
    check_engineering(2.5e14, "250 TV");
    check_engineering(NAN, "nan V");
}

static void a_decimal_comma_in_the_locale_changes_nothing(void)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE.utf8"))
        return; /* not installed here */
    char text[64];
    check_shortest(0.5, "0.5");
    check_engineering(4.7e3, "4.7 kV");
    decimal_scientific(1.25, 3, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "1.25e+00");
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(random_doubles_read_back_exactly_and_are_shortest),
        CLAIM(familiar_numbers_look_familiar),
        CLAIM(extreme_numbers_are_right),
        CLAIM(engineering_numbers_round_before_the_prefix_is_chosen),
        CLAIM(a_decimal_comma_in_the_locale_changes_nothing),
    };
    return run_claims("decimal", claims, sizeof claims / sizeof *claims);
}
