/* compare_plot.h - the work-precision plot of a comparison, drawn by gnuplot. */
#ifndef CLI_COMPARE_PLOT_H
#define CLI_COMPARE_PLOT_H

#include "analyses/compare/compare.h"

/* Whether the name of a file ends in something that can be drawn; says so if not. */
bool compare_plot_knows(const char *path);

/* An exit status. */
int compare_plot(const struct comparison *c, const char *title, const char *path, bool quiet);

#endif
