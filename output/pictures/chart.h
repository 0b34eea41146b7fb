/* chart.h - a picture of curves before it is drawn: panels one below the other, each with axes, traces and marks.
 *
 * Drawn in characters (chart_terminal.h), by gnuplot (gnuplot.h), as a page for browsers (page.h) or as figures inside one
 * (svg.h), which alone knows crosses, bands and axes that are logarithmic on both sides of 0.
 */
#ifndef OUTPUT_PICTURES_CHART_H
#define OUTPUT_PICTURES_CHART_H

#include "base/arena.h"
#include "output/pictures/buckets.h"

#include <math.h>

struct chart_axis {
    const char *label, *unit; /* "time", "s"; "" where there is none */
    bool logarithmic;
    double from, to; /* NaN: as the data are */
    double least;    /* > 0: logarithmic on both sides of 0, linear between -least and least */
    bool whole;      /* numbers between whole ones mean nothing */
};

static inline struct chart_axis chart_axis_of(const char *label, const char *unit, bool logarithmic)
{
    return (struct chart_axis){label, unit, logarithmic, NAN, NAN, 0, false};
}

enum chart_drawn {
    CHART_LINE,
    CHART_CROSSES,
    CHART_BANDS /* each two points are a band from one x to the other */
};

struct chart_trace {
    const char *name;    /* "v(out)" */
    const char *run;     /* "R1 = 1 k"; NULL: there is one run */
    const double *x, *y; /* [count]; a y that is no number is a gap */
    size_t count;
    int colour;    /* number of it, from 0 */
    bool unlisted; /* not in the legend: one of many runs */
    enum chart_drawn drawn;
};

struct chart_panel {
    struct chart_axis x, y;
    size_t group;      /* panels over one scale share it */
    const char *title; /* above the first panel of a group; NULL: none */
    bool disordered;   /* x may fall: one vector over another, eyes */
    struct chart_trace *traces;
    size_t count, capacity;
};

/* What has been measured: a point, a place (y is NaN) or a span (to is a number). */
struct chart_mark {
    size_t panel;
    double x, to, y;
    const char *label; /* "rise = 12 us" */
};

struct chart {
    struct arena *arena; /* of all that is in it */
    const char *title;
    struct chart_panel *panels;
    size_t count, capacity;
    struct chart_mark *marks;
    size_t mark_count, mark_capacity;
};

/* Of as many columns as a panel has places; in an arena of the caller's. */
void chart_init(struct chart *c, struct arena *a, const char *title);
/* A panel like `as`, which has no traces; NULL without memory. */
struct chart_panel *chart_add_panel(struct chart *c, const struct chart_panel *as);
bool chart_add_trace(struct chart *c, struct chart_panel *p, const struct chart_trace *t);
/* What buckets kept of a curve; of a logarithmic axis they hold logarithms to the base 10.  name, colour .. as in `as`. */
bool chart_add_buckets(struct chart *c, struct chart_panel *p, const struct buckets *b, size_t number,
                       const struct chart_trace *as);
bool chart_add_mark(struct chart *c, const struct chart_mark *m);

/* What the axes have to hold: numbers that are finite, and positive on logarithmic axes; wider than nothing.  False where there is
 * no such point. */
bool chart_ranges(const struct chart_panel *p, double x[2], double y[2]);
/* Of a trace with its run. */
const char *chart_label(struct chart *c, const struct chart_trace *t);

enum { CHART_COLOURS = 8 };
/* "#0072b2" on a light or a dark ground: hues that stay apart for the colour-blind (after M. Okabe and K. Ito, 2008). */
const char *chart_colour(int number, bool dark);

#endif
