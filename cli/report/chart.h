/* chart.h - a small chart as SVG inside a page: axes, lines, marks and a key; its colours are those of the page. */
#ifndef CLI_REPORT_CHART_H
#define CLI_REPORT_CHART_H

#include "output/pictures/buckets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CHART_COLOURS = 8 };

/* LINEAR; LOGARITHMIC: values are logarithms to the base 10 already; SIGNED: values as chart_signed gives them. */
enum chart_scale { CHART_LINEAR, CHART_LOGARITHMIC, CHART_SIGNED };

struct chart_axis {
    const char *name, *unit;
    enum chart_scale scale;
    double low, high; /* widened to what is round */
    double least;     /* of SIGNED: what becomes 1 */
};

struct chart {
    FILE *to;
    const char *title;
    struct chart_axis x, y;
    bool bands;       /* nothing but bands: low, without marks at y */
    bool all_y_marks; /* whole numbers only, each with its own mark: orders */
    double factor[2]; /* from values to the unit with its prefix */
    int height;       /* of the picture */
    bool line_open;
};

/* Nothing lies between 1 and -1 but 0: sign(v) (1 + log10(|v|/least)). */
double chart_signed(double value, double least);

void chart_begin(struct chart *c);
/* A line of one colour from point to point; a coordinate that is not finite interrupts it. */
void chart_line_begin(struct chart *c, size_t colour);
void chart_line_to(struct chart *c, double x, double y);
void chart_line_end(struct chart *c);
/* A trace of buckets, from first to least to greatest to last of each and on to the next. */
void chart_trace(struct chart *c, const struct buckets *b, size_t trace, size_t colour);
/* Widens the ranges of the axes, which begin as INFINITY and -INFINITY, to hold it. */
void chart_take_in(struct chart *c, const struct buckets *b, size_t trace);
void chart_cross(struct chart *c, double x, double y, size_t colour);
/* A rectangle from one x to another over the whole height. */
void chart_band(struct chart *c, double from, double to, size_t colour);
/* Ends the picture; names NULL: no key. */
void chart_end(struct chart *c, const char *const *names, size_t count);

#endif
