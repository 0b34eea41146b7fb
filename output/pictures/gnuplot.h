/* gnuplot.h - scripts that gnuplot obeys: what they draw on, texts, and a whole chart. */
#ifndef OUTPUT_PICTURES_GNUPLOT_H
#define OUTPUT_PICTURES_GNUPLOT_H

#include "output/pictures/chart.h"

enum picture_kind { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

struct picture_canvas {
    enum picture_kind kind;
    int width, height; /* pixels; of PDF 96 to an inch */
    bool dark;
};

void gnuplot_terminal(FILE *script, const struct picture_canvas *on);
/* A text in quotes, in which nothing is obeyed. */
void gnuplot_text(FILE *script, const char *text);

enum kn_status chart_gnuplot(const struct chart *c, const struct picture_canvas *on, FILE *script);

#endif
