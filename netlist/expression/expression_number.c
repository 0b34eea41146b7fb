/* expression_number.c - numbers as SPICE writes them: "4.7k", "10meg", "3u", "100nF", "1.5e3".
 *
 * Digits and scale suffix are joined into one decimal integer times one power of ten before anything is rounded, so
 * that "4.7k" is exactly the double 4700 and does not depend on the locale's decimal point.  Short numbers are
 * converted by one exact multiplication or division (W. D. Clinger, How to read floating point numbers accurately,
 * 1990, fast path); the others by strtod from a text without a decimal point.
 */
#include "netlist/expression/expression.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_KEPT = 40, EXPONENT_LIMIT = 100000 };

struct decimal {
    char digits[DIGITS_KEPT + 1]; /* significant digits, no point */
    int count;
    int exponent; /* the number is digits * 10^exponent */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void add_digit(struct decimal *n, char digit, bool after_point)
{
    const bool kept = n->count < DIGITS_KEPT;
    if (kept && (n->count > 0 || digit != '0'))
        n->digits[n->count++] = digit;
    if (kept && after_point)
        n->exponent--;
    if (!kept && !after_point)
        n->exponent++;
}

/* Digits with at most one point; the number of characters read, 0 if there is no digit. */
static size_t read_mantissa(const char *text, size_t length, struct decimal *n)
{
    size_t i = 0;
    bool any = false, point = false;
    for (; i < length && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = true;
        } else {
            any = true;
            add_digit(n, text[i], point);
        }
    }
    return any ? i : 0;
}

/* "e-12", or with Fortran's d as SPICE2 had it; such a letter without digits begins a unit and is left alone. */
static size_t read_exponent(const char *text, size_t length, struct decimal *n)
{
    size_t i = 1;
    if (length < 2 || (lower(text[0]) != 'e' && lower(text[0]) != 'd'))
        return 0;
    const bool negative = text[i] == '-';
    if (text[i] == '-' || text[i] == '+')
        i++;
    if (i >= length || !is_digit(text[i]))
        return 0;
    int exponent = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (exponent < EXPONENT_LIMIT)
            exponent = 10 * exponent + (text[i] - '0');
    n->exponent += negative ? -exponent : exponent;
    return i;
}

/* Letters, and whatever is not ASCII: 10kΩ. */
static bool is_unit_letter(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (unsigned char)c >= 0x80;
}

static bool begins(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && lower(text[i]) == word[i])
        i++;
    return word[i] == '\0';
}

/* A alone is the unit ampere, as in SPICE3, LTspice, PSpice and Xyce; it is atto where a unit follows: 10aF. */
static bool is_atto(const char *behind, size_t length)
{
    const char unit = length == 1 ? lower(*behind) : ' ';
    return unit == 'f' || unit == 'h' || unit == 'c';
}

/* The micro sign or the Greek letter, in UTF-8 or Latin-1. */
static bool is_micro(const char *text, size_t length)
{
    return begins(text, length, "\xc2\xb5") || begins(text, length, "\xce\xbc") || begins(text, length, "\xb5");
}

bool number_x_is_mega(enum dialect dialect)
{
    return dialect == DIALECT_HSPICE || dialect == DIALECT_XYCE;
}

/* Power of ten of the suffix; *mils is set for the one suffix that is no power of ten (1 mil = 25.4 um). */
static int suffix_exponent(const char *text, size_t length, enum dialect dialect, bool *mils)
{
    if (length == 0)
        return 0;
    if (lower(text[0]) == 'x' && number_x_is_mega(dialect))
        return 6;
    if (begins(text, length, "meg"))
        return 6;
    if (is_micro(text, length))
        return -6;
    *mils = begins(text, length, "mil");
    if (*mils)
        return -7;
    switch (lower(text[0])) {
    case 't':
        return 12;
    case 'g':
        return 9;
    case 'k':
        return 3;
    case 'm':
        return -3;
    case 'u':
        return -6;
    case 'n':
        return -9;
    case 'p':
        return -12;
    case 'f':
        return -15;
    case 'a':
        return is_atto(text + 1, length - 1) ? -18 : 0;
    default:
        return 0;
    }
}

/* factor * digits * 10^exponent; rounded once when the factor is 1 or the digits are few. */
static double decimal_value(const struct decimal *n, unsigned factor)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (n->count == 0)
        return 0.0;
    if (n->count <= (factor == 1 ? 15 : 12) && n->exponent >= -22 && n->exponent <= 22) {
        uint64_t whole = 0;
        for (int i = 0; i < n->count; i++)
            whole = 10 * whole + (uint64_t)(n->digits[i] - '0');
        whole *= factor;
        return n->exponent < 0 ? (double)whole / power[-n->exponent] : (double)whole * power[n->exponent];
    }
    char text[DIGITS_KEPT + 16];
    snprintf(text, sizeof text, "%.*se%d", n->count, n->digits, n->exponent);
    return factor * strtod(text, NULL);
}

bool expression_number(const char *text, size_t length, double *value)
{
    return expression_number_in(DIALECT_SPICE, text, length, value);
}

bool expression_number_in(enum dialect dialect, const char *text, size_t length, double *value)
{
    struct decimal n = {.count = 0};
    const bool negative = length > 0 && text[0] == '-';
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t mantissa = read_mantissa(text + at, length - at, &n);
    if (mantissa == 0)
        return false;
    at += mantissa;
    at += read_exponent(text + at, length - at, &n);
    bool mils = false;
    n.exponent += suffix_exponent(text + at, length - at, dialect, &mils);
    for (; at < length; at++)
        if (!is_unit_letter(text[at]))
            return false;
    const double magnitude = decimal_value(&n, mils ? 254 : 1);
    *value = negative ? -magnitude : magnitude;
    return true;
}

static bool lacks_exponent(const char *text, size_t length)
{
    struct decimal n = {.count = 0};
    const size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    const size_t mantissa = read_mantissa(text + sign, length - sign, &n), at = sign + mantissa;
    return mantissa > 0 && length >= at + 2 && (lower(text[at]) == 'e' || lower(text[at]) == 'd') &&
           strchr("tgkmunpf", lower(text[at + 1]));
}

void number_warn_of_exponent(const char *text, double value, struct kn_location where, struct kn_diagnostics *d)
{
    if (lacks_exponent(text, strlen(text)))
        diagnostics_add(d, KN_WARNING, "exponent", where, "write 1e3k for an exponent and a suffix, 1k for the suffix alone",
                        "'%s' is read as %.6g: its exponent has no digits; ngspice takes the suffix behind it", text, value);
}

const char *number_with_point(struct arena *arena, const char *text)
{
    static const char digits[] = "0123456789";
    const size_t whole = strspn(text, digits);
    const size_t letters = strcspn(text + whole, digits), rest = strspn(text + whole + letters, digits);
    const char *suffix = text + whole;
    double ignored;
    if (whole == 0 || letters == 0 || rest == 0 || text[whole + letters + rest])
        return NULL;
    const char *written =
        (*suffix | 0x20) == 'r' && letters == 1
            ? arena_format(arena, "%.*s.%s", (int)whole, text, suffix + letters)
            : arena_format(arena, "%.*s.%s%.*s", (int)whole, text, suffix + letters, (int)letters, suffix);
    return written && expression_number(written, strlen(written), &ignored) ? written : NULL;
}
