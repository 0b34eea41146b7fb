/* decimal.c - see decimal.h.
 *
 * 17 digits tell any two doubles apart, and 15 survive being read (IEEE 754).  printf and strtod round correctly.
 */
#include "output/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A locale may print another decimal separator: whatever stands between digits becomes a point. */
static void make_point(char *text)
{
    static const char others[] = "+-0123456789eEinfan";
    char *const point = text + strspn(text, others);
    if (*point == '\0' || *point == '.')
        return;
    const char *behind = point + strcspn(point, others);
    *point = '.';
    memmove(point + 1, behind, strlen(behind) + 1);
}

/* How many digits the nearest decimal must have to be read back as the value: it must be nearer than half the distance to
 * the next double.  Both lengths are counted in units of 17 digits, in long double; 0 where they differ by less than what
 * four roundings may do (powers of ten up to 10^27 are exact: 5^27 < 2^63), or where doubles lie uneven. */
static int digits_needed(double value)
{
    static const long double tens[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                       1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                       1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int two = 0;
    const double fraction = frexp(fabs(value), &two);
    const int shift = 16 - (int)floor((two - 1) * 0.30103), near = abs(shift) < 27 ? abs(shift) : 27;
    if (LDBL_MANT_DIG < 64 || !(fraction > 0.5 && fraction < 1) || abs(shift) > 54)
        return 0;
    const long double power = tens[near], further = tens[abs(shift) - near];
    const long double units = shift < 0 ? fabs(value) / power / further : fabs(value) * power * further;
    long double unit = units < 1e17L ? 100 : 1000; /* of 15 digits; log10(2) does not tell 9.9 from 10 */
    for (int digits = DBL_DIG; digits < DBL_DECIMAL_DIG; digits++, unit /= 10) {
        const long double nearest = unit * (long double)(long long)(units / unit + 0.5L);
        const long double beyond = fabsl(units - nearest) - units * 0x1p-54L / fraction;
        if (fabsl(beyond) <= units * 0x1p-62L)
            return 0;
        if (beyond < 0)
            return digits;
    }
    return DBL_DECIMAL_DIG;
}

size_t decimal_shortest(double value, char text[DECIMAL_TEXT])
{
    const int needed = digits_needed(value);
    int digits = needed > 0 ? needed : fabs(value) < DBL_MIN ? 1 : DBL_DIG; /* denormal numbers have fewer */
    snprintf(text, DECIMAL_TEXT, "%.*g", digits, value);
    for (; needed == 0 && digits < DBL_DECIMAL_DIG && !(strtod(text, NULL) == value); digits++)
        snprintf(text, DECIMAL_TEXT, "%.*g", digits + 1, value);
    if (isnan(value))
        strcpy(text, "nan"); /* without a sign */
    make_point(text);
    return strlen(text);
}

/* ---- for people ---- */

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
