/* picture_file.h - a chart becomes a file: SVG, PNG and PDF by gnuplot, HTML as a page to zoom and measure in. */
#ifndef CLI_PICTURES_PICTURE_FILE_H
#define CLI_PICTURES_PICTURE_FILE_H

#include "cli/results/picture.h"
#include "output/pictures/gnuplot.h"

#include <stdbool.h>

struct picture_look {
    int width, height; /* 0: 900 wide, and as high as the panels need */
    bool dark;
};

/* "1200x800"; false, said, where it is none. */
bool picture_size(const char *text, struct picture_look *look);
/* Whether the name of a file ends as a picture's. */
bool picture_file_known(const char *path);
/* Whether such a picture can be made here at all; said where not. */
bool picture_file_possible(const char *path);
/* By gnuplot; as .png where the ending is none of a picture. */
enum picture_outcome picture_file_draw(const struct chart *chart, const char *path, const struct picture_look *look);
/* An exit status; what is wrong has been said. */
int picture_file_write(const struct chart *chart, const char *path, const struct picture_look *look, bool quiet);

#endif
