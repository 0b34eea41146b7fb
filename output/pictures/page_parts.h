/* page_parts.h - files that the build puts into the program (scripts/cmake/Page.cmake), for page.c. */
#ifndef OUTPUT_PICTURES_PAGE_PARTS_H
#define OUTPUT_PICTURES_PAGE_PARTS_H

#include <stddef.h>

/* uPlot, of npm, with its licence; of no size where the build had no npm. */
extern const unsigned char page_uplot_script[], page_uplot_style[], page_uplot_licence[];
extern const size_t page_uplot_script_size, page_uplot_style_size, page_uplot_licence_size;
/* page/page.js and page/page.css */
extern const unsigned char page_dots[], page_script[], page_style[];
extern const size_t page_dots_size, page_script_size, page_style_size;

#endif
