/* recording.h - a transient run kept in memory, to be compared with another one.
 *
 * A run is recorded at its own output rows, or read from its method's interpolant at given times, the rows of another
 * run for instance.  A time that is given twice is a jump: the first value is that on its left side, the second that on
 * its right.
 */
#ifndef ANALYSES_RECORDING_H
#define ANALYSES_RECORDING_H

#include "analyses/options.h"

struct recording {
    size_t columns, rows;
    char **names;                 /* [columns], time first */
    enum kn_quantity *quantities; /* [columns] */
    double *values;               /* [rows][columns] */
    double *low, *high;           /* [columns] over the rows; with whole_range also over what lies between them */
    size_t capacity;              /* rows */
};

struct recording_request {
    const struct circuit *circuit;
    const struct transient *transient;
    const struct analysis_options *options; /* method, reltol and times (samples) among them */
    bool whole_range; /* where samples are asked for: ranges include the rows that the run would have otherwise */
    struct recording *curve; /* where samples are asked for: gets these and those rows, without names; NULL */
    double limit;            /* s of the processor, INFINITY: none */
};

/* What became of a recorded run. */
struct recording_outcome {
    struct analysis_summary summary;
    bool too_long;  /* the status is KN_INTERRUPTED because of the limit */
    double seconds; /* of the processor */
};

/* A sink that records; *out and what it leaves there are to be freed in any case. */
struct kn_sink recording_sink(struct recording *out);

/* *out and the curve are to be freed in any case; a run that fails leaves the rows so far. */
enum kn_status recording_make(const struct recording_request *request, struct kn_diagnostics *d, struct recording *out,
                              struct recording_outcome *outcome);
void recording_free(struct recording *r);

static inline double recording_time(const struct recording *r, size_t row)
{
    return r->values[row * r->columns];
}

/* The first line of the first error. */
void recording_reason(const struct kn_diagnostics *d, char *reason, size_t size);

#endif
