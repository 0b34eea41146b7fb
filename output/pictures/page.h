/* page.h - a chart as a page for browsers: one file that needs no other, to zoom and measure in. */
#ifndef OUTPUT_PICTURES_PAGE_H
#define OUTPUT_PICTURES_PAGE_H

#include "output/pictures/chart.h"

/* Whether the build had what pages are made with. */
bool page_available(void);

/* dark: whatever the reader's system prefers. */
enum kn_status chart_page(const struct chart *c, bool dark, FILE *to);

#endif
