/* homotopy.h - ways to a solution of f(x) + alpha q(x) + b = 0 for starts from which Newton's method alone does not get
 * there.  alpha = 0 and b = 0 for an operating point.
 *
 * Each deforms the equations through the helpers of augmented.h, follows the solution while they are taken back with
 * steps that adapt to Newton's success, and ends with all helpers at their normal values.
 */
#ifndef MNA_START_HOMOTOPY_H
#define MNA_START_HOMOTOPY_H

#include "integrators/newton.h"
#include "mna/start/augmented.h"

/* Of Newton's method at one point of a way, or from a point nearby. */
enum { HOMOTOPY_ITERATIONS = 100 };

struct homotopy {
    struct augmented *augmented;
    struct newton *newton;   /* of augmented->dae */
    double time;             /* s */
    int max_iterations;      /* of a Newton solve; fewer are allowed for the small steps of a homotopy */
    const double *start;     /* [n] where every method begins */
    const double *reference; /* [n] against which junctions are limited there; NULL: against the start itself */
    double alpha;            /* 1/s */
    const double *b;         /* [n], NULL for zero; not NULL where alpha is positive */
    double inductance;       /* H, of every law where charges are given (pseudo-transient); 0: none */
    double growth;           /* 1/s, with which the start is left where nodes have a pF (pseudo-transient); 0: of no interest */
    double *trial, *work;    /* [n] workspace */
    double *weights;         /* [n] of the norm in which Newton's corrections must shrink */

    /* How far the methods got, for messages. */
    double reached_shunt;  /* S, smallest conductance; INFINITY: not even the first */
    double reached_source; /* fraction of the sources; negative: not even 0 */
    double reached_step;   /* s, longest step of the pseudo-transient; 0: none */
};

enum kn_status homotopy_init(struct homotopy *h, struct arena *memory, struct augmented *a, struct newton *newton,
                             double time, int max_iterations, const double *start);

/* Takes the weights anew after a change of newton->options.relative. */
void homotopy_weigh(struct homotopy *h);

/* x [n]: solution out; for homotopy_newton the start in. */
enum newton_outcome homotopy_newton(struct homotopy *h, double *x);
/* Shunts at all nodes from 1 S down to nothing; then the same in parallel with all junctions. */
enum newton_outcome homotopy_gmin(struct homotopy *h, double *x);
/* All independent sources from 0 to their values. */
enum newton_outcome homotopy_source(struct homotopy *h, double *x);
/* The circuit switched on and left alone: implicit Euler with growing steps, with small capacitances at all nodes
 * (Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523, for the convergence of pseudo-transient continuation). */
enum newton_outcome homotopy_pseudo_transient(struct homotopy *h, double *x);

#endif
