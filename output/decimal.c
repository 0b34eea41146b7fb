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

size_t decimal_shortest(double value, char text[DECIMAL_TEXT])
{
    int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; /* denormal numbers have fewer */
    snprintf(text, DECIMAL_TEXT, "%.*g", digits, value);
    for (; digits < DBL_DECIMAL_DIG && !(strtod(text, NULL) == value); digits++)
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
