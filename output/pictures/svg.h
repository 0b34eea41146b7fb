/* svg.h - panels of a chart as figures inside a page: heading, axes, curves, key.
 *
 * They have the colours --t0, --t1, .. (chart_colour) and the classes chart, grid, axis, trace, legend of the page. */
#ifndef OUTPUT_PICTURES_SVG_H
#define OUTPUT_PICTURES_SVG_H

#include "output/pictures/chart.h"

/* A panel without a point says so. */
void chart_svg(struct chart *c, FILE *to);

#endif
