/* verify.h - whether the waveforms of a run are worth what its tolerance says: the run is made again by another method
 * with a tenth of the tolerance, and the two are compared.
 *
 * Values are compared at the rows of the first run, at equal times, on both sides of jumps; and the curve of the second
 * run is compared with the straight lines between these rows, so that nothing in between is overlooked.  The tolerance
 * of a vector is reltol times its largest magnitude plus vntol or abstol, which is what the step control aims at.
 *
 * On a steep edge, and in an oscillator whose phase drifts, small differences of time are large ones of value.  A value
 * that the other run has at nearly the same time counts as a difference of time instead, and is told as such: nearly is
 * within VERIFY_FACTOR times reltol of the time since the start, or within what output resolves (control.h: errors of unknowns that
 * follow shorten no steps below a tenth of tstep, those of unknowns without memory none below a thousandth, and rows are no closer
 * than a tenth), and within a tenth of the time that the signal takes, on average, to cross its range.  The latter keeps the former
 * from explaining everything after many periods.  What no difference of time explains counts by the nearest value that the other run
 * has within that time: the distance of the two graphs, which a slope does not multiply.
 */
#ifndef ANALYSES_COMPARE_VERIFY_H
#define ANALYSES_COMPARE_VERIFY_H

#include "analyses/transient/recording.h"

/* A run is as good as it says within this many tolerances: errors of steps add up. */
#define VERIFY_FACTOR 3.0

struct verify_request {
    const struct circuit *circuit;
    const struct transient *transient;
    const struct analysis_options *options;      /* of the first run */
    const struct integrator_class *first_method; /* that it used */
    const struct integrator_class *against;      /* NULL: one of another family that reaches the end */
    double limit;                                /* s of the processor for the second run, INFINITY: none */
};

/* Where two runs differ most. */
struct verify_place {
    double difference, time, first, second; /* time in s; values of both */
};

struct verify_vector {
    const char *name; /* of the first run's recording */
    double tolerance; /* V or A */
    struct verify_place rows;
    struct verify_place lines; /* between rows; none with .options steprows */
    double line_tolerance;     /* what the output lets straight lines miss: tolerance, and a thousandth of the range */
    double shift, shift_time;  /* s: largest difference of time, and where; 0: none */
};

struct verification {
    const struct integrator_class *method; /* of the second run; NULL: none reached the end */
    double reltol, seconds;                /* of the second run */
    bool too_long;                         /* it was given up at the limit */
    char reason[160];                      /* why there is none */
    struct verify_vector *vectors;         /* [count] worst first */
    size_t count, beyond;                  /* how many differ by more than VERIFY_FACTOR tolerances */
};

/* first: the rows of the run as asked.  A second run that fails is a result (method NULL), not an error. */
enum kn_status verify_rows(const struct verify_request *request, const struct recording *first,
                           struct verification *out);
void verify_free(struct verification *v);

/* The larger of the differences at rows and between them, in tolerances. */
double verify_excess(const struct verify_vector *v);

/* As a note or, where it differs, as a warning. */
void verify_report(const struct verification *v, struct kn_diagnostics *d);

#endif
