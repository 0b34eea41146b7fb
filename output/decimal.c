/* decimal.c - the shortest decimal that reads back to the same double.
 *
 * Algorithm "Schubfach" of R. Giulietti, The Schubfach way to render doubles, 2020: among the multiples of a power of
 * ten 10^k that is just finer than the rounding interval of the double, the candidates are found with one 128-bit
 * multiplication each.  The 617 powers of ten are not a table in the source: they come from one long integer that is
 * multiplied or divided by ten, which is exact.
 */
#include "output/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- powers of ten ---- */

enum { LONG_WORDS = 44 }; /* 1408 bits: 10^324 has 1077, and 2^1152 / 10^292 still has 182 */

/* Little-endian words of 32 bits. */
struct long_integer {
    uint32_t word[LONG_WORDS];
};

static void multiply_by_ten(struct long_integer *n)
{
    uint64_t carry = 0;
    for (int i = 0; i < LONG_WORDS; i++) {
        carry += (uint64_t)n->word[i] * 10;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Floors; repeated flooring by ten is the floor of the division by the power of ten.  True when nothing was lost. */
static bool divide_by_ten(struct long_integer *n)
{
    uint64_t rest = 0;
    for (int i = LONG_WORDS; i-- > 0;) {
        rest = rest << 32 | n->word[i];
        n->word[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
    return rest == 0;
}

/* The 64 bits of n that begin at bit `from` (which may be negative: zeros). */
static uint64_t bits_from(const struct long_integer *n, int from)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) {
        const int at = from + i;
        if (at >= 0 && n->word[at / 32] >> (at % 32) & 1)
            bits |= (uint64_t)1 << i;
    }
    return bits;
}

static int highest_bit(const struct long_integer *n)
{
    int word = LONG_WORDS - 1;
    while (word > 0 && n->word[word] == 0)
        word--;
    int bit = 31;
    while (bit > 0 && !(n->word[word] >> bit & 1))
        bit--;
    return 32 * word + bit;
}

static bool any_bit_below(const struct long_integer *n, int end)
{
    for (int at = 0; at < end; at++)
        if (n->word[at / 32] >> (at % 32) & 1)
            return true;
    return false;
}

/* The leading 128 bits of n; one more in the last place unless that is all of it, so that the power is never below the
 * true one (Giulietti 2020, 9.1: g = floor + 1). */
static struct decimal_power leading_bits(const struct long_integer *n, bool exact)
{
    const int top = highest_bit(n);
    struct decimal_power p = {bits_from(n, top - 63), bits_from(n, top - 127)};
    if ((!exact || any_bit_below(n, top - 127)) && ++p.low == 0)
        p.high++;
    return p;
}

void decimal_powers(struct decimal_powers *powers)
{
    struct long_integer n = {{1}};
    for (int k = 0; k <= DECIMAL_POWER_MAX; k++) {
        powers->of[k - DECIMAL_POWER_MIN] = leading_bits(&n, true);
        multiply_by_ten(&n);
    }
    n = (struct long_integer){{0}};
    n.word[36] = 1;
    bool exact = true;
    for (int k = -1; k >= DECIMAL_POWER_MIN; k--) {
        exact = divide_by_ten(&n) && exact;
        powers->of[k - DECIMAL_POWER_MIN] = leading_bits(&n, exact);
    }
}

/* ---- shortest digits ---- */

/* floor(log10(2^e)), floor(log10(3/4 2^e)) and floor(log2(10^e)) for |e| <= 1700 (fixed-point logarithms). */
static int floor_log10_of_power2(int e)
{
    return (int)(((int64_t)e * 1262611) >> 22);
}

static int floor_log10_of_three_quarters_power2(int e)
{
    return (int)(((int64_t)e * 1262611 - 524031) >> 22);
}

static int floor_log2_of_power10(int e)
{
    return (int)(((int64_t)e * 1741647) >> 19);
}

/* high:low = a b */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
    *low = middle << 32 | (uint32_t)p00;
    return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
}

/* g c / 2^128, the last bit set when anything was cut off: "round to odd", enough to compare with integers. */
static uint64_t round_to_odd(struct decimal_power g, uint64_t c)
{
    uint64_t x0, y0;
    const uint64_t x1 = multiply(g.low, c, &x0);
    uint64_t y1 = multiply(g.high, c, &y0);
    y0 += x1;
    y1 += y0 < x1;
    return y1 | (y0 > 1);
}

struct decimal {
    uint64_t digits;
    int exponent; /* value = digits 10^exponent */
};

/* The double is c 2^q; its rounding interval reaches from 4c-2 (4c-1 at a power of two) to 4c+2 in units of 2^(q-2). */
static struct decimal shortest(const struct decimal_powers *powers, uint64_t c, int q, bool at_power_of_two)
{
    const bool closed = c % 2 == 0; /* ties go to even: the ends of the interval read back to c */
    const int k = at_power_of_two ? floor_log10_of_three_quarters_power2(q) : floor_log10_of_power2(q);
    const int h = q + floor_log2_of_power10(-k) + 1;
    const struct decimal_power g = powers->of[-k - DECIMAL_POWER_MIN];
    const uint64_t lower = round_to_odd(g, (4 * c - 2 + at_power_of_two) << h) + !closed;
    const uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - !closed;
    const uint64_t middle = round_to_odd(g, (4 * c) << h);
    const uint64_t s = middle / 4;
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up)
            return (struct decimal){tens + up, k + 1};
    }
    const bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up)
        return (struct decimal){s + up, k};
    const uint64_t half = 4 * s + 2;
    return (struct decimal){s + (middle > half || (middle == half && s % 2 == 1)), k};
}

/* ---- layout ---- */

/* The digits most significant first, trailing zeros dropped (exponent grows); returns how many. */
static int digits_of(struct decimal *d, char digits[20])
{
    while (d->digits % 10 == 0) {
        d->digits /= 10;
        d->exponent++;
    }
    char reversed[20];
    int count = 0;
    for (uint64_t rest = d->digits; rest != 0; rest /= 10)
        reversed[count++] = (char)('0' + rest % 10);
    for (int i = 0; i < count; i++)
        digits[i] = reversed[count - 1 - i];
    return count;
}

static char *put_exponent(char *to, int exponent)
{
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    *to++ = (char)('0' + size / 10 % 10);
    *to++ = (char)('0' + size % 10);
    return to;
}

static char *put_bytes(char *to, const char *from, int count)
{
    memcpy(to, from, (size_t)count);
    return to + count;
}

static char *put_zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

/* Plain where that is short, else with an exponent; leading is the exponent of the first digit. */
static char *put_decimal(char *to, const char *digits, int count, int leading)
{
    if (leading < -4 || leading > 16) {
        *to++ = digits[0];
        if (count > 1) {
            *to++ = '.';
            to = put_bytes(to, digits + 1, count - 1);
        }
        return put_exponent(to, leading);
    }
    if (leading < 0) {
        to = put_bytes(to, "0.", 2);
        to = put_zeros(to, -leading - 1);
        return put_bytes(to, digits, count);
    }
    if (count <= leading + 1)
        return put_zeros(put_bytes(to, digits, count), leading + 1 - count);
    to = put_bytes(to, digits, leading + 1);
    *to++ = '.';
    return put_bytes(to, digits + leading + 1, count - leading - 1);
}

static size_t put_special(double value, char text[DECIMAL_TEXT])
{
    const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : value < 0 ? "-inf" : signbit(value) ? "-0" : "0";
    const size_t length = strlen(word);
    memcpy(text, word, length + 1);
    return length;
}

size_t decimal_shortest(const struct decimal_powers *powers, double value, char text[DECIMAL_TEXT])
{
    if (!isfinite(value) || value == 0)
        return put_special(value, text);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    const int biased = (int)(bits >> 52 & 0x7ff);
    const uint64_t c = biased ? fraction | (uint64_t)1 << 52 : fraction;
    struct decimal d = shortest(powers, c, (biased ? biased : 1) - 1075, biased > 1 && fraction == 0);

    char digits[20], *end = text;
    const int count = digits_of(&d, digits);
    if (bits >> 63)
        *end++ = '-';
    end = put_decimal(end, digits, count, d.exponent + count - 1);
    *end = '\0';
    return (size_t)(end - text);
}

/* ---- for people ---- */

/* A locale may print another decimal separator: whatever stands between digits becomes a point. */
static void make_point(char *text)
{
    char *to = text;
    bool pointed = false;
    for (const char *from = text; *from; from++) {
        const bool separator = !strchr("+-0123456789eEinfan", *from);
        if (!separator)
            *to++ = *from;
        else if (!pointed)
            *to++ = '.';
        pointed = pointed || separator;
    }
    *to = '\0';
}

void decimal_scientific(double value, int digits, char *text, size_t size)
{
    snprintf(text, size, "%.*e", digits - 1, value);
    make_point(text);
}

void decimal_engineering(double value, int digits, const char *unit, const char *mu, char *text, size_t size)
{
    static const char *const prefixes[] = {"f", "p", "n", NULL, "m", "", "k", "M", "G", "T"};
    char number[64];
    if (!isfinite(value) || value == 0) {
        snprintf(text, size, "%s %s", isnan(value) ? "nan" : value > 0 ? "inf" : value < 0 ? "-inf" : "0", unit);
        return;
    }
    snprintf(number, sizeof number, "%.*e", digits - 1, value); /* rounds before the prefix is chosen */
    const int exponent = (int)strtol(strchr(number, 'e') + 1, NULL, 10);
    const int group = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
    if (group < -5 || group > 4) {
        make_point(number);
        snprintf(text, size, "%s %s", number, unit);
        return;
    }
    const char *prefix = prefixes[group + 5] ? prefixes[group + 5] : mu;
    snprintf(number, sizeof number, "%.*g", digits, value / pow(10, 3 * group));
    make_point(number);
    snprintf(text, size, "%s %s%s", number, prefix, unit);
}
