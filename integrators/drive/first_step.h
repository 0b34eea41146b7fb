/* first_step.h - how long the first step after a start or a breakpoint may be. */
#ifndef INTEGRATORS_FIRST_STEP_H
#define INTEGRATORS_FIRST_STEP_H

#include "integrators/tolerance.h"

struct first_step {
    const struct dae *dae;
    struct sparse_lu *lu;
    double *G, *C, *matrix; /* [entries + 1] */
    double *whole, *half;   /* [n] Euler steps of the whole and half the size */
    double *x, *q;          /* [n] at the end of such a step */
    double *q_begin;        /* [n] */
    enum kn_status status;
    struct tolerance tolerance;
    double last;     /* s, where it was asked last; NaN: never */
    double error;    /* in tolerances, of the step proposed last */
    double factored; /* s: size of the step whose factors are at hand; NaN: none */
};

enum kn_status first_step_init(struct first_step *s, const struct dae *dae, double relative);
void first_step_free(struct first_step *s);

/* Proposal in (0, longest] at (t, x). */
enum kn_status first_step_propose(struct first_step *s, double t, const double *x, double longest, double *step);

#endif
