/* figure.h - a small chart as SVG inside a page: axes, lines, marks and a key; its colours are those of the page. */
#ifndef CLI_REPORT_FIGURE_H
#define CLI_REPORT_FIGURE_H

#include "output/pictures/buckets.h"
#include "output/pictures/scale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* LINEAR; LOGARITHMIC: values are logarithms to the base 10 already; SIGNED: values as figure_signed gives them. */
enum figure_scale { FIGURE_LINEAR, FIGURE_LOGARITHMIC, FIGURE_SIGNED };

struct figure_axis {
    const char *name, *unit;
    enum figure_scale scale;
    double low, high; /* widened to what is round */
    double least;     /* of SIGNED: what becomes 1 */
    /* Since figure_begin: */
    struct scale ticks; /* of LINEAR, LOGARITHMIC */
    double power;       /* numbers are divided by it: the unit has a prefix */
};

struct figure {
    FILE *to;
    const char *title;
    struct figure_axis x, y;
    bool bands;         /* nothing but bands: low, without marks at y */
    bool whole_y_marks; /* marks at whole numbers only: orders */
    int height;         /* of the picture */
    bool line_open;
};

/* Nothing lies between 1 and -1 but 0: sign(v) (1 + log10(|v|/least)). */
double figure_signed(double value, double least);

void figure_begin(struct figure *f);
/* A line of one colour from point to point; a coordinate that is not finite interrupts it. */
void figure_line_begin(struct figure *f, size_t colour);
void figure_line_to(struct figure *f, double x, double y);
void figure_line_end(struct figure *f);
/* A trace of buckets, from first to least to greatest to last of each and on to the next. */
void figure_trace(struct figure *f, const struct buckets *b, size_t trace, size_t colour);
/* Widens the ranges of the axes, which begin as INFINITY and -INFINITY, to hold it. */
void figure_take_in(struct figure *f, const struct buckets *b, size_t trace);
void figure_cross(struct figure *f, double x, double y, size_t colour);
/* A rectangle from one x to another over the whole height. */
void figure_band(struct figure *f, double from, double to, size_t colour);
/* Ends the picture; names NULL: no key. */
void figure_end(struct figure *f, const char *const *names, size_t count);

#endif
