/* operating.h - operating points as tables: of .op, and of a transient at chosen times. */
#ifndef ANALYSES_OPERATING_H
#define ANALYSES_OPERATING_H

#include "analyses/analysis.h"
#include "analyses/columns.h"

struct point_tables {
    struct columns unknowns, devices;
};

/* Free with point_tables_free, also after a failure. */
enum kn_status point_tables_init(struct point_tables *t, const struct setup *s);
void point_tables_free(struct point_tables *t);

/* The numbers of both tables at a point: so many. */
size_t point_tables_width(const struct point_tables *t);
void point_tables_fill(const struct point_tables *t, struct mna *m, double time, const double *x, const double *dxdt,
                       double *row);
/* A table of one row for the caller, and one of the devices, where they are wanted. */
enum kn_status point_tables_write(const struct point_tables *t, const struct setup *s, const char *plot,
                                  const double *row, struct kn_sink *sink);

#endif
