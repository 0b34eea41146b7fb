/* between_parts.h - what between.c and branches.c share. */
#ifndef INTEGRATORS_BETWEEN_PARTS_H
#define INTEGRATORS_BETWEEN_PARTS_H

#include "integrators/between.h"
#include "integrators/newton.h"

/* Halvings of a step where what its interpolant misses bends. */
enum { BETWEEN_HALVINGS = 7 };

/* Of Newton's part where there are two branches, which begin and end at the corners of steep laws. */
#define BETWEEN_BRANCHES 1e-4

struct between {
    const struct dae *dae;
    struct newton newton;
    struct tolerance tolerance;
    struct tolerance ends; /* the same by the ends of steps alone, as the method has them */
    double weighed_end;    /* s, of the last such step; NaN: none */
    double *last;          /* [n] x at the begin of the last step, with its times (s); NaN: none */
    double last_begin, last_end;
    double seen;      /* s: end of the step whose values the tolerance has seen; NaN: none */
    double *b;        /* [n] Q' - alpha Q */
    double *q, *rate; /* [n] Q, Q' */
    double *x;        /* [n] */
    double *middle;   /* [n] solution in the middle of the step */
    double *off[2];   /* [n] f + Q' at the beginning and the end of the step seen */
    bool slopes;      /* index-2 unknowns are looked at, and off is known */
    bool trusted;     /* the interpolant is, in the step seen */
    bool straight;    /* unknowns that are read off the others are on lines between its ends */
    bool leaps;       /* from one branch of solutions to another in that step, at .. */
    double leap;      /* s */
    double *other;    /* [n] solution that may be on another branch than the ends of the step */
    double *branch;   /* [n] the begin of that step */
    const struct run_callbacks *callbacks;
    bool completes; /* .. index-2 unknowns, which are looked at, in the step seen */
    enum { INSIDE_INTERPOLATED, INSIDE_CORRECTED, INSIDE_COMPLETED } inside; /* what they are between its ends */
    double ended;        /* s: end of the step to which `end` belongs; NaN: none */
    bool begins;         /* `begin` is known */
    double *begin, *end; /* [n] x at the ends of the step, complete */
    /* [n] what index-2 unknowns of the interpolant lack at the begin, in the middle, at the end */
    double *correction[3];
    double *halves; /* [2 BETWEEN_HALVINGS + 1][n] 0, and for each halving x and what the interpolant misses of it; NULL
                     * where no delay remembers */
    enum kn_status status;
    long unsolved;
    double first_unsolved; /* s */
};

/* alpha for points within the last step. */
double between_alpha(const struct integrator *m);
/* s->b := Q' - alpha Q at time, from s->q and s->rate. */
void between_right_side(struct between *s, const struct integrator *m, double time, double alpha);
/* The solution from s->x, into it; whether there is one. */
bool between_solve_from(struct between *s, const struct newton_problem *problem);

/* Once per step, before the following: largest values have been those of its ends. */
void branches_weigh(struct between *s, const struct integrator *m, const double *begin);
/* Whether x and y [n] cannot be two points of one solution. */
bool branches_differ(struct between *s, const double *x, const double *y);
/* s->leaps: whether the ends of the last step are on two branches of solutions, of which both exist at one end at least, and
 * s->leap: when that of the begin is left. */
void branches_look(struct between *s, struct integrator *m);

#endif
