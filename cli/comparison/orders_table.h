/* orders_table.h - observed orders on the screen, as CSV, and drawn. */
#ifndef CLI_COMPARISON_ORDERS_TABLE_H
#define CLI_COMPARISON_ORDERS_TABLE_H

#include "analyses/compare/orders.h"

#include <stdio.h>

/* The last result; what stands above all of them first. */
void orders_print_last(const struct orders *o);
void orders_print_last_csv(const struct orders *o);
/* What the columns mean, below them. */
void orders_print_legend(const struct orders *o);
/* All of it as one object. */
void orders_write_json(const struct orders *o, const char *title, FILE *to);

/* Errors against steps in characters, one field for each index there is; on `to`. */
void orders_draw(const struct orders *o, FILE *to);
/* The same as a picture, .svg or .png, by gnuplot; an exit status. */
int orders_plot(const struct orders *o, const char *title, const char *path, bool quiet);

#endif
