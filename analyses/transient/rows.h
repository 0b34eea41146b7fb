/* rows.h - from accepted steps to rows of output.
 *
 * Written are the accepted steps and between them as many points as keep straight lines between rows within the
 * tolerance, not finer than tstep, and within what is seen in a plot, however fine; and tstart and tstop exactly.  Points
 * that scatter, by rounding behind a large gain, are on no line however short, and by what they do so no row is asked for.
 *
 * Of steps of a multistep method that output does not resolve (struct integrator, blind) ends that lie on a straight line between
 * rows, which are no further apart than it resolves, have none: whether the last one wants a row its successor tells.
 *
 * Tables for reading have rows at equal distances instead.  They are read from the method's interpolant in each step:
 * straight lines between the rows above would cost them all digits but three.
 */
#ifndef ANALYSES_ROWS_H
#define ANALYSES_ROWS_H

#include "analyses/columns.h"
#include "analyses/transient/chord.h"
#include "integrators/integrator.h"

enum {
    ROWS_DEPTH = 11,   /* halvings of a step, at most */
    ROWS_OF_SLOPES = 2 /* the same below tstep for index-2 unknowns: their errors shorten no steps either, and the
                          slope of what is known to the tolerance is known to no more digits by more points */
};

struct rows {
    struct mna *mna;
    const struct columns *columns;
    const struct kn_sink *sink; /* of the rows; NULL: only samples are wanted */
    double start, step;         /* s: .tran's tstart and tstep */
    double relative;
    double least_voltage, least_other; /* V, A (and other units): vntol and abstol, SPICE's or larger ones */
    long count;                        /* rows written */

    size_t unknowns;              /* of the integrator */
    double *x, *dxdt;             /* [unknowns] */
    double *waiting;              /* [unknowns] a start whose row waits until the step behind it tells slopes .. */
    double waiting_time;          /* s */
    bool waits;                   /* .. if there is one */
    double *row, *middle;         /* [columns] */
    double *before, *begin, *end; /* [columns] the last accepted points */
    double before_time;           /* s */
    double *quarters;             /* [2 ROWS_DEPTH columns] inner points of pieces of a step */
    double reached;               /* s */
    double *low, *high;           /* [columns] smallest and largest value so far */
    double *tolerated, *unseen;   /* [columns] by what chords may miss points, for the tolerance and for the eye */
    double *scatter;              /* [columns] by which points have been found to scatter, fading */
    double rounded;               /* s: end of the step in which what rounding does is part of that; NaN: none */
    struct chord chord;           /* from the last row over ends of steps without one */
    double *allowed;              /* [columns] by which it may miss them */
    bool *of_index2;              /* [columns] index-2 unknowns and differences of such .. */
    bool knows_index2;            /* .. from the first step on */
    bool blind;                   /* output does not resolve the last step (struct integrator) */
    double *skipped;              /* [unknowns] the last of them .. */
    bool skips;                   /* .. if the last step ended there */
    double *bottom;          /* [columns] sum of the deviations in the shortest pieces of the step that were bent, .. */
    int bent, bent_in_a_row; /* .. their number, and that of the last ones between which none was straight */

    const struct kn_sink *even; /* NULL: no such table */
    double even_step;           /* s; 0: it gets the rows of the result */
    long even_count;            /* its rows at multiples of even_step so far */
    double even_last;           /* s: its last row */

    double stop;                   /* s: .tran's tstop */
    const struct kn_sink *sampled; /* gets rows at fixed times; NULL: not wanted */
    long samples, next_sample;     /* at so many, and at tstop */
    const double *sample_times;    /* [samples] s, ascending: at these times instead; NULL: equally distant ones */
};

/* n: unknowns of the integrated equations, whose first ones are those of m.  steps_only: no rows between steps. */
enum kn_status rows_init(struct rows *r, struct mna *m, int n, const struct columns *c, const struct transient *request,
                         double relative, bool steps_only, const struct kn_sink *sink);
void rows_free(struct rows *r);

/* From now on `sampled` gets rows at `count` equally distant times, the same for every method, and at tstop.  The times
 * keep away from round numbers, where sources jump. */
void rows_sample(struct rows *r, long count, const struct kn_sink *sampled);

/* The same at given times, which stay the caller's.  Of a time that is there twice the first is read before a jump
 * there, the second behind it. */
void rows_sample_at(struct rows *r, const double *times, long count, const struct kn_sink *sampled);

/* The distance (s) of rows in tables for reading; 0, with a warning: those of the result. */
double rows_even_step(const struct transient *request, struct kn_diagnostics *d);
/* From now on rows are also sent to `even`: at tstart, every `step` after it, and at the end.  step = 0: the same rows.
 */
void rows_even(struct rows *r, const struct kn_sink *even, double step);

/* The tables begin, that of sink and the even one; where that fails, neither is open. */
enum kn_status rows_begin(const struct rows *r, const char *title, const struct kn_sink *sink);
/* The point where the run starts, or from which it goes on after a jump. */
enum kn_status rows_first(struct rows *r, double t, const double *x);
/* After an accepted step of the method. */
enum kn_status rows_step(struct rows *r, struct integrator *m);
/* After the last one, also where the run failed. */
enum kn_status rows_last(struct rows *r, bool complete);

#endif
