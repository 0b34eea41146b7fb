/* scale.h - an axis that has been given its ends: places, ticks and their labels. */
#ifndef OUTPUT_PICTURES_SCALE_H
#define OUTPUT_PICTURES_SCALE_H

#include "output/pictures/chart.h"

struct scale {
    double low, high;
    bool logarithmic;
    double least; /* > 0: logarithmic on both sides of 0, see chart_axis */
    double step;  /* of ticks; of the logarithm: whole decades, or 0: 1, 2 and 5 in each */
    const char *unit;
    int digits; /* that tell neighbouring ticks apart */
};

/* About so many ticks. */
struct scale scale_make(const double range[2], int ticks, const struct chart_axis *axis);
/* The k-th tick; false beyond the end. */
bool scale_tick(const struct scale *s, int k, double *value);
/* "1.5 ms"; mu as in decimal_engineering.  unit: other than the axis's. */
void scale_label(const struct scale *s, double value, const char *unit, const char *mu, char *text, size_t size);
/* A number at an axis whose unit has a prefix, `power`; on logarithmic axes with a prefix of its own, "10k". */
void scale_number(const struct scale *s, double value, double power, char *text, size_t size);
/* Whether numbers of a unit have prefixes: those of decibels and degrees have not. */
bool scale_takes_prefix(const char *unit);
/* The prefix that all numbers of an axis share, and the power by which they are divided then. */
const char *scale_prefix(const double range[2], const struct chart_axis *axis, double *power);
/* 0 at the low end, 1 at the high one. */
double scale_part(const struct scale *s, double value);
/* The value, its logarithm, or what becomes of it on an axis with `least`, sign(v) (1 + log10(|v|/least)); and back. */
double scale_stretched(const struct chart_axis *axis, double value);
double scale_unstretched(const struct chart_axis *axis, double stretched);

#endif
