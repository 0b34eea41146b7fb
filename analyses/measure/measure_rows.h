/* measure_rows.h - measurements of a table whose rows are all there is: of .noise, by the names of its columns.
 *
 * Between two rows positive numbers of noise are straight lines over logarithms, as densities of noise are integrated.
 */
#ifndef ANALYSES_MEASURE_MEASURE_ROWS_H
#define ANALYSES_MEASURE_MEASURE_ROWS_H

#include "analyses/measure/measure.h"

struct measure_rows {
    struct measurements *measurements; /* NULL: none are asked for */
    const struct circuit *circuit;
    struct measure_listener listener;
    const struct kn_sink *next;
    size_t *columns;     /* [variables]; SIZE_MAX: there is no such column */
    double from, to;     /* of the last two rows */
    double *begin, *end; /* [variables] */
    bool straight;       /* lines between rows, of positive numbers, too: of no densities */
    bool begun;
};

enum kn_status measure_rows_init(struct measure_rows *r, const struct circuit *c, enum measure_domain domain,
                                 double *results, const struct measure_listener *listener, const struct kn_sink *next);
void measure_rows_free(struct measure_rows *r);
/* Hands tables on to the next sink, and measures them on the way. */
struct kn_sink measure_rows_sink(struct measure_rows *r);

#endif
