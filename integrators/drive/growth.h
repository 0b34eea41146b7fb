/* growth.h - values that have grown out of errors.
 *
 * A run promises each unknown to within reltol of the largest value it remembers and its absolute tolerance.  One that falls below
 * that, as a population that dies out or a substance that is used up, is known no more: not its size, not even its sign.  Mostly
 * this does no harm, since the circuit damps what is wrong of it.  Where instead its own law makes it grow again, what grows is as
 * much error as value, and may go where no solution does (x' = x (2/3 - 4/3 y) to -1e13, from an error of 1e-9 below zero).
 *
 * Looked for are unknowns with memory that, after they were far below their tolerance, exceed all that they were at that time by more
 * than reltol hides, and either grow by their own law, whose rate -G_ii/C_ii makes up for half of their growth or more and which
 * made them grow from the beginning, or are far above everything that had been in the circuit before.  (What lies on a slow
 * manifold, as van der Pol's velocity, may be as small, but it is known there, and grows slowly until it leaves it.)  One evaluation
 * of G and C for the candidates of a step.
 */
#ifndef INTEGRATORS_DRIVE_GROWTH_H
#define INTEGRATORS_DRIVE_GROWTH_H

#include "integrators/dae.h"

enum { GROWTH_KINDS = 4 };

struct growth {
    const struct dae *dae;
    double relative; /* reltol */
    /* Part of the largest value that is left from one look to the next: of others, and of those that grow. */
    double left[2];
    double *largest;  /* [n] that is remembered, as recent sizes of tolerances are */
    double *limit;    /* [n] what it may grow to; INFINITY: it was not below its tolerance */
    double *low_time; /* [n] s, when it was there last */
    double *rise;     /* [n] 1/s, its growth from far below it; NAN: it is still there, 0: it has not been */
    double *before;   /* [n] largest value of its kind before that time */
    double *asked;    /* [n] its size when it was asked last whether it grows by its own law, on its present way up */
    bool *cleared;    /* [n] it has exceeded its limit since, by more than its own law */
    int *kind;        /* [n] unknowns of one absolute tolerance are of one kind */
    double ever[GROWTH_KINDS];
    double *G, *C;    /* [entries + 1] at .. */
    double evaluated; /* s; NaN: nowhere yet */
    bool known;       /* the equations could be evaluated there */
    long steps;
    bool told;
};

/* Of a run that begins at t with x [n]; marks unknowns (struct dae, grows), and so does growth_look. */
enum kn_status growth_init(struct growth *g, const struct dae *dae, double relative, double t, const double *x);
void growth_free(struct growth *g);
/* Somebody has put the run elsewhere: values are known there, however small. */
void growth_forget(struct growth *g);

/* What is found. */
struct grown {
    int unknown;
    double since, tolerance; /* when it was below that */
    double rate;             /* 1/s, by which errors grow with it; 0 where it is only far above everything else */
};

/* After a step of size h (s) to x [n] at t from `begin` [n]: true, once in a run, when an unknown has grown out of errors. */
bool growth_look(struct growth *g, double t, double h, const double *begin, const double *x, struct grown *found);

#endif
