/* page.h - a page of HTML by itself: what is around the sections, and text in it.  Nothing is loaded and there are no
 * scripts; colours follow the reader's choice of light or dark, and paper is light.
 */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "output/pictures/chart.h"

#include <stdio.h>

void page_begin(FILE *to, const char *title);
void page_end(FILE *to);

/* <section id><h2>; `name` is the entry in the list of contents, too. */
void page_section(FILE *to, const char *id, const char *name);
void page_section_end(FILE *to);

/* A table of two columns, in rows. */
void page_facts_begin(FILE *to);
void page_fact(FILE *to, const char *name, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 3, 4)))
#endif
    ;
void page_facts_end(FILE *to);

/* Panels of a chart side by side; without memory, NULL, a sentence. */
void page_charts(struct chart *c, FILE *to);
/* The same within a row of others. */
void page_figures(struct chart *c, FILE *to);

/* "1.5 ms": a number with a prefix of its unit, four digits. */
void page_number(char *text, size_t size, double value, const char *unit);

#endif
