/* scale.c - see scale.h. */
#include "output/pictures/scale.h"

#include "output/decimal.h"

#include <math.h>
#include <string.h>

enum { MOST_TICKS = 64 };

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double part = least / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

struct scale scale_make(const double range[2], int ticks, const struct chart_axis *axis)
{
    struct scale s = {range[0], range[1], axis->logarithmic, 0, axis->unit, 3};
    ticks = ticks > 1 ? ticks : 1;
    if (axis->logarithmic) {
        const double decades = log10(s.high / s.low);
        s.step = decades < 1.5 && ticks > 2 ? 0 : ceil(decades / ticks);
        return s;
    }
    s.step = round_step((s.high - s.low) / ticks);
    const double ratio = fmax(fabs(s.low), fabs(s.high)) / s.step;
    s.digits = ratio > 100 ? (int)ceil(log10(ratio)) + 1 : 3;
    return s;
}

/* 1, 2, 5, 10, 20, .. counted from 1. */
static double one_two_five(int number)
{
    static const double parts[] = {1, 2, 5};
    const int decade = (int)floor(number / 3.0);
    return parts[number - 3 * decade] * pow(10, decade);
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
    *value = (ceil(s->low / s->step - 1e-9) + k) * s->step;
    return k < MOST_TICKS && *value <= s->high + 1e-9 * s->step;
}

void scale_label(const struct scale *s, double value, const char *unit, const char *mu, char *text, size_t size)
{
    decimal_engineering(value, s->digits, unit, mu, text, size);
}

bool scale_takes_prefix(const char *unit)
{
    return *unit && strncmp(unit, "dB", 2) != 0 && strcmp(unit, "\xc2\xb0") != 0 && strcmp(unit, "rad") != 0;
}

const char *scale_prefix(const double range[2], const struct chart_axis *axis, double *power)
{
    static const char *const prefixes[] = {"f", "p", "n", "\xc2\xb5", "m", "", "k", "M", "G", "T"};
    const double size = fmax(fabs(range[0]), fabs(range[1]));
    int group = axis->logarithmic || !scale_takes_prefix(axis->unit)
                    ? 0
                    : (int)floor((log10(size) + 0.1) / 3); /* 0.8 V rather than 800 mV */
    if (group < -5 || group > 4)
        group = 0;
    *power = pow(10, 3 * group);
    return prefixes[group + 5];
}

double scale_part(const struct scale *s, double value)
{
    return s->logarithmic ? log10(value / s->low) / log10(s->high / s->low) : (value - s->low) / (s->high - s->low);
}
