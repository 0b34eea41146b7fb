/* compare.h - how much accuracy each integration method buys for its work on one circuit: the work-precision diagram of
 * Hairer and Wanner (Solving ODE II, 1996, IV.10) as numbers.
 *
 * Every method runs the deck's first .tran at every tolerance.  Its error is the largest deviation of any saved
 * waveform from a reference at fixed common times, relative to the range of that waveform over all steps of the
 * reference: peaks may be shorter than the distance of the common times.  The reference comes from
 * another method at a far tighter tolerance: Radau IIA judges all methods but those of its own family; these are judged
 * by RODAS or BDF, whichever comes nearer to it.  How far the two references differ is reported, because errors below
 * that cannot be told.
 */
#ifndef ANALYSES_COMPARE_COMPARE_H
#define ANALYSES_COMPARE_COMPARE_H

#include "analyses/options.h"

struct comparison;

struct compare_request {
    const struct integrator_class *const *methods;
    size_t method_count;
    double loosest, tightest; /* range of reltol; its decades are run */
    int runs;                 /* of which the median time counts */
    double limit;             /* s, for one run; longer ones are given up */
    /* Told before each run, NULL if not wanted. */
    void (*progress)(void *context, double fraction);
    /* Told after each point, the last of out->points; NULL if not wanted. */
    void (*done)(void *context, const struct comparison *out);
};

/* One method at one tolerance. */
struct compare_point {
    const struct integrator_class *method;
    double reltol;
    enum kn_status status;
    bool too_long;      /* given up at the limit of time */
    char reason[160];   /* why it failed */
    double error;       /* largest, relative to the waveform's range */
    double final_error; /* the same at tstop */
    size_t worst;       /* column of the largest error */
    long accepted, rejected, newton_iterations, factorizations;
    double seconds;
};

/* A solution at the common times. */
struct compare_reference {
    const struct integrator_class *method; /* NULL: none was found */
    double reltol, seconds;
    double *values; /* [rows][columns] */
};

struct comparison {
    size_t columns, rows;
    char **names;                           /* [columns], time first */
    double *scale;                          /* [columns], what errors are relative to */
    struct compare_reference references[2]; /* Radau; RODAS or BDF for Radau's own family */
    double disagreement;                    /* of the two, relative; NaN if there is only one */
    struct compare_point *points;           /* by method, then from loose to tight */
    size_t count;
};

enum { COMPARE_TIMES = 1000 };

/* o: from the deck's options; method and reltol are replaced.  A run that fails is a result; what is returned as an
 * error is that there is nothing to compare with.  KN_INTERRUPTED: the points so far are valid.  *out is to be freed in
 * any case. */
enum kn_status compare_run(const struct circuit *c, const struct analysis_options *o,
                           const struct compare_request *request, struct kn_diagnostics *d, struct comparison *out);
void compare_free(struct comparison *c);

/* The reference that judges a method; NULL if there is none. */
const struct compare_reference *compare_judge(const struct comparison *c, const struct integrator_class *method);

#endif
