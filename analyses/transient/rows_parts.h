/* rows_parts.h - what rows.c and rows_at_times.c share. */
#ifndef ANALYSES_TRANSIENT_ROWS_PARTS_H
#define ANALYSES_TRANSIENT_ROWS_PARTS_H

#include "analyses/transient/rows.h"

/* row [columns] at time t within the last step. */
enum kn_status rows_fill_at(struct rows *r, struct integrator *m, double t, double *row);

/* The samples of the last step. */
enum kn_status rows_emit_samples(struct rows *r, struct integrator *m);
/* Where a run starts or goes on; with slopes it is read at the beginning of the next step. */
enum kn_status rows_emit_first_samples(struct rows *r, double t, const double *x);

/* Whether a row at equal distances lies in the last step; those that do, of which `end` is the end. */
bool rows_has_even(const struct rows *r, const struct integrator *m);
enum kn_status rows_emit_evens(struct rows *r, struct integrator *m, double *end);
/* A run that starts at tstart has its first row there. */
enum kn_status rows_emit_first_even(struct rows *r, double t, double *row);
enum kn_status rows_emit_last_even(struct rows *r);

#endif
