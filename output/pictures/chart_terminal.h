/* chart_terminal.h - a chart in characters. */
#ifndef OUTPUT_PICTURES_CHART_TERMINAL_H
#define OUTPUT_PICTURES_CHART_TERMINAL_H

#include "output/pictures/chart.h"
#include "output/sinks.h"

/* o->columns has no say.  Marks are left out. */
enum kn_status chart_terminal(const struct chart *c, const struct plot_options *o, FILE *to);

#endif
