/* compare_plot.h - the work-precision plot of a comparison, drawn by gnuplot. */
#ifndef CLI_COMPARISON_COMPARE_PLOT_H
#define CLI_COMPARISON_COMPARE_PLOT_H

#include "analyses/compare/compare.h"

#include <stdio.h>

/* Whether the name of a file ends in something that can be drawn; says so if not. */
bool compare_plot_knows(const char *path);

/* What a script draws on for a file of that name. */
void compare_plot_terminal(const char *path, FILE *script);
/* Line types 1 .. count of a script. */
void compare_plot_styles(size_t count, FILE *script);
/* What `write` writes, drawn by gnuplot; an exit status. */
int compare_plot_draw(void (*write)(const void *context, FILE *to), const void *context, const char *path, bool quiet);

/* An exit status. */
int compare_plot(const struct comparison *c, const char *title, const char *path, bool quiet);

#endif
