/* gnuplot.h - draws a picture by handing a script to gnuplot, where that is installed. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

enum gnuplot_outcome { GNUPLOT_DRAWN, GNUPLOT_MISSING, GNUPLOT_FAILED };

/* By the ending of its name: .svg or .png. */
bool gnuplot_knows(const char *path);

/* Starts gnuplot; `write` writes the script, which plots into `path`. */
enum gnuplot_outcome gnuplot_draw(const char *path, void (*write)(const void *context, FILE *script),
                                  const void *context);

#endif
