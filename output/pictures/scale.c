/* scale.c - see scale.h. */
#include "output/pictures/scale.h"

#include "output/decimal.h"

#include <math.h>
#include <string.h>

enum { MOST_TICKS = 64 };

/* ---- axes ---- */

static double stretched(bool logarithmic, double least, double value)
{
    const double size = fabs(value) / least;
    return logarithmic  ? log10(value)
           : least <= 0 ? value
           : size <= 1  ? value / least
                        : copysign(1 + log10(size), value);
}

static double unstretched(bool logarithmic, double least, double value)
{
    return logarithmic        ? pow(10, value)
           : least <= 0       ? value
           : fabs(value) <= 1 ? value * least
                              : copysign(least * pow(10, fabs(value) - 1), value);
}

double scale_stretched(const struct chart_axis *axis, double value)
{
    return stretched(axis->logarithmic, axis->least, value);
}

double scale_unstretched(const struct chart_axis *axis, double value)
{
    return unstretched(axis->logarithmic, axis->least, value);
}

double scale_part(const struct scale *s, double value)
{
    const double low = stretched(s->logarithmic, s->least, s->low), high = stretched(s->logarithmic, s->least, s->high);
    return (stretched(s->logarithmic, s->least, value) - low) / (high - low);
}

/* ---- ticks ---- */

/* 1, 2, 5, 10, 20, .. counted from 1. */
static double one_two_five(int number)
{
    static const double parts[] = {1, 2, 5};
    const int decade = (int)floor(number / 3.0);
    return parts[number - 3 * decade] * pow(10, decade);
}

static bool has_two_ticks(const double range[2], double step)
{
    return floor(range[1] / step + 1e-9) > ceil(range[0] / step - 1e-9);
}

/* 1, 2 or 5 times a power of ten, at least `least`, unless fewer than two ticks would be left, which tell no scale. */
static double round_step(const double range[2], double least)
{
    int number = 3 * (int)floor(log10(least));
    while (one_two_five(number) < least * (1 - 1e-12))
        number++;
    while (range[1] > range[0] && !has_two_ticks(range, one_two_five(number)))
        number--;
    return one_two_five(number);
}

struct scale scale_make(const double range[2], int ticks, const struct chart_axis *axis)
{
    struct scale s = {range[0], range[1], axis->logarithmic, axis->least, 0, axis->unit, 3};
    ticks = ticks > 1 ? ticks : 1;
    if (axis->least > 0) {
        s.step = fmax(1, ceil((scale_stretched(axis, s.high) - scale_stretched(axis, s.low)) / ticks));
        return s;
    }
    if (axis->logarithmic) {
        const double decades = log10(s.high / s.low);
        s.step = decades < 1.5 && ticks > 2 ? 0 : ceil(decades / ticks);
        return s;
    }
    s.step = fmax(round_step(range, (s.high - s.low) / ticks), axis->whole ? 1 : 0);
    const double ratio = fmax(fabs(s.low), fabs(s.high)) / s.step;
    s.digits = ratio > 100 ? (int)ceil(log10(ratio)) + 1 : 3;
    return s;
}

static double logarithmic_tick(const struct scale *s, int k)
{
    const double first = log10(s->low) - 1e-9;
    if (s->step > 0)
        return pow(10, (ceil(first / s->step) + k) * s->step);
    int number = 3 * (int)floor(first);
    while (one_two_five(number) < s->low * (1 - 1e-9))
        number++;
    return one_two_five(number + k);
}

bool scale_tick(const struct scale *s, int k, double *value)
{
    if (s->logarithmic) {
        *value = logarithmic_tick(s, k);
        return k < MOST_TICKS && *value <= s->high * (1 + 1e-9);
    }
    const double low = stretched(false, s->least, s->low), high = stretched(false, s->least, s->high);
    *value = (ceil(low / s->step - 1e-9) + k) * s->step;
    const bool there = k < MOST_TICKS && *value <= high + 1e-9 * s->step;
    *value = unstretched(false, s->least, *value);
    return there;
}

/* ---- numbers ---- */

void scale_label(const struct scale *s, double value, const char *unit, const char *mu, char *text, size_t size)
{
    decimal_engineering(value, s->digits, unit, mu, text, size);
}

/* 1e6, which printf writes as 1e+06. */
static void write_short(double value, char *text, size_t size)
{
    const double power = value != 0 ? floor(log10(fabs(value)) + 1e-9) : 0;
    if (power > -4 && power < 4)
        snprintf(text, size, "%.6g", value);
    else
        snprintf(text, size, "%.6ge%.0f", value / pow(10, power), power);
}

void scale_number(const struct scale *s, double value, double power, char *text, size_t size)
{
    const bool wide = s->logarithmic || s->least > 0;
    if (!wide)
        snprintf(text, size, "%.6g", value / power + 0.0); /* no -0 */
    else if (!scale_takes_prefix(s->unit))
        write_short(value, text, size);
    else
        decimal_engineering(value, 3, "", "\xc2\xb5", text, size);
    char *blank = strchr(text, ' ');
    if (blank)
        memmove(blank, blank + 1, strlen(blank));
}

bool scale_takes_prefix(const char *unit)
{
    return *unit && strncmp(unit, "dB", 2) != 0 && strcmp(unit, "\xc2\xb0") != 0 && strcmp(unit, "rad") != 0 &&
           strcmp(unit, "1/s") != 0;
}

const char *scale_prefix(const double range[2], const struct chart_axis *axis, double *power)
{
    static const char *const prefixes[] = {"f", "p", "n", "\xc2\xb5", "m", "", "k", "M", "G", "T"};
    const double size = fmax(fabs(range[0]), fabs(range[1]));
    int group = axis->logarithmic || axis->least > 0 || !scale_takes_prefix(axis->unit)
                    ? 0
                    : (int)floor((log10(size) + 0.1) / 3); /* 0.8 V rather than 800 mV */
    if (group < -5 || group > 4)
        group = 0;
    *power = pow(10, 3 * group);
    return prefixes[group + 5];
}
