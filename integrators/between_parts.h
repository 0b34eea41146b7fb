/* between_parts.h - what between.c and branches.c share. */
#ifndef INTEGRATORS_BETWEEN_PARTS_H
#define INTEGRATORS_BETWEEN_PARTS_H

#include "base/arena.h"
#include "integrators/between.h"
#include "integrators/newton.h"

/* Halvings of a step where what its interpolant misses bends. */
enum { BETWEEN_HALVINGS = 7 };

/* An interpolant whose estimated error is at most so many tolerances is taken as it is.  The error is estimated in the middle of a
 * step; elsewhere it may be larger, so in the middle only half of it is allowed. */
#define BETWEEN_TRUSTED           0.5
#define BETWEEN_TRUSTED_IN_MIDDLE (0.5 * BETWEEN_TRUSTED)

/* Of Newton's part at corners of steep laws, where branches of solutions begin and end. */
#define BETWEEN_CORNERS 1e-4

/* A point inside the step that is solved. */
struct between_near {
    double time;    /* s */
    bool far;       /* from the interpolant, which misses .. */
    double *missed; /* [n] */
};

/* What the interpolant and its slopes lack at a point of the step. */
struct between_lack {
    double time;      /* s */
    double *x, *dxdt; /* [n] */
};

/* Points that are kept of those: both ends, and middles of pieces that are halved from left to right, of which few are halved more often
 * than that; the others are between those that are left. */
enum { BETWEEN_LACKS = 8 };

/* Points that are kept: two levels of halvings, of which each looks at two points. */
enum { BETWEEN_NEAR = 4 };

struct between {
    struct arena *memory; /* of all vectors */
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
    double *off[2];   /* [n] f + Q' at the beginning and the end of a step, which .. */
    double off_end;   /* s: .. ends there; NaN: not known */
    double *rates[2]; /* [n] partial derivatives of f and q by time, where a point was corrected last */
    bool slopes;      /* index-2 unknowns are looked at */
    bool trusted;     /* the interpolant is, in the step seen */
    bool straight;    /* unknowns that are read off the others are on lines between its ends; .. */
    bool undecided;   /* .. that has not been asked yet */
    bool exact;       /* the point looked for obeys equations without charge whatever ends have left of them, .. */
    bool freed;       /* .. but for index-2 unknowns, which are slopes of charges */
    bool bends;       /* the law of a rectifier does, by as much as from ohms to megohms */
    bool leaps;       /* from one branch of solutions to another in that step, at .. */
    double leap;      /* s */
    double *other;    /* [n] solution that may be on another branch than the ends of the step */
    double *beside;   /* [n] solution on one side of it, as it is known */
    double *branch;   /* [n] the begin of that step */
    struct between_near near[BETWEEN_NEAR]; /* in the step seen */
    int near_count;                         /* so far in that step, the last ones are kept */
    const struct run_callbacks *callbacks;
    bool completes; /* .. index-2 unknowns, which are looked at, in the step seen */
    bool glances;   /* at that step, so far: between its ends they have not been asked of derivatives of constraints */
    enum {
        INSIDE_INTERPOLATED,
        INSIDE_CORRECTED,
        INSIDE_LINES,
        INSIDE_COMPLETED
    } inside;            /* what they are between its ends */
    double ended;        /* s: end of the step to which `end` belongs; NaN: none */
    bool begins;         /* `begin` is known */
    bool turned;         /* what `end` is one side of: behind it the run has begun anew */
    double misjudged;    /* times what the method has been unsure of, `end` has missed when it was completed */
    int unasked;         /* ends in a row that were not completed */
    double *begin, *end; /* [n] x at the ends of the step, complete */
    /* [n] what index-2 unknowns of the interpolant lack at the begin, in the middle, at the end */
    double *correction[3];
    /* The following vectors are made where slopes are asked for; NULL: nobody has. */
    double *slope[2];    /* [n] dx/dt at the ends of the step, where .. */
    double *sloped_x[2]; /* [n] .. x is this .. */
    double sloped[2];    /* s: .. at these times; NaN: not known */
    double stepped;      /* s, end of that step; NaN: none */
    double *line_f[2],
        *line_q[2];    /* [n] f and q at the ends of the step, where straight lines between them stand in .. */
    double lined;      /* s: .. for charges; its end; NaN: not known */
    double *whole;     /* [n] the point where all equations hold, hidden ones included, at .. */
    double whole_time; /* s; NaN: none */
    struct between_lack lacks[BETWEEN_LACKS]; /* points of that step whose slopes are known, ascending */
    int lack_count;
    double *halves; /* [2 BETWEEN_HALVINGS + 1][n] 0, and for each halving x and what the interpolant misses of it; NULL
                     * where no delay remembers */
    enum kn_status status;
    long unsolved;
    double first_unsolved; /* s */
};

/* The tolerance by the begin of the first step that is looked at. */
void between_begin_tolerance(struct between *s, struct integrator *m);
/* alpha for points within the last step. */
double between_alpha(const struct integrator *m);
/* s->b := Q' - alpha Q at time, from s->q and s->rate, without what Q' is off by as far as that is known (s->off_end). */
void between_right_side(struct between *s, const struct integrator *m, double time, double alpha);
/* s->x := where Newton's method begins for the solution at time, of which x is the interpolant. */
void between_begin(struct between *s, const struct integrator *m, double time, const double *x);
/* The solution at time is s->x, the interpolant x, which may be far from it (branches_differ). */
void between_keep(struct between *s, double time, bool far, const double *x);
/* The solution from s->x, into it; whether there is one. */
bool between_solve_from(struct between *s, const struct newton_problem *problem);

/* Solves at time from x, the interpolant there, into s->x, to that part of the tolerance; whether that has succeeded. */
bool between_solve_at(struct between *s, struct integrator *m, double time, const double *x, double accuracy);
/* s->x solves f + .. + alpha (q - s->q) = 0.  Index-2 unknowns are to obey the equations without that term, which is taken off them by one
 * Newton step.  Overwrites s->q. */
void between_free_index2(struct between *s, double alpha);
/* Whether the method's polynomial is right in the step for all that delays read. */
bool between_knows_remembered(const struct integrator *m);
/* Whether somebody looks at unknowns of these classes (CLASS_BIT). */
bool between_watches(const struct integrator *m, unsigned which);

/* s->x := the point at time near x, the method's, where all equations hold, hidden ones included (run_callbacks.complete); whether
 * there is one.  Where slopes are asked for, it is kept as s->whole. */
bool completion_find(struct between *s, struct integrator *m, double time, const double *x);

/* dxdt [n], slopes of the interpolant at time within the last step, become those that solve the equations, and x [n], which is about
 * the point there, the point where they do (slopes.c): inside, and at one of its ends.  about: nearly, to see whether a row is wanted. */
enum kn_status slopes_inside(struct between *s, struct integrator *m, double time, bool about, double *x, double *dxdt);
enum kn_status slopes_at_end(struct between *s, struct integrator *m, double time, double *x, double *dxdt);

/* Once per step, where somebody looks at index-2 unknowns: s->end := the end of the step, completed. */
void completion_of_end(struct between *s, struct integrator *m);
/* The same of the end of the step before, x [n], unless that has been done. */
void completion_of_begin(struct between *s, struct integrator *m, const double *x);
const double *completion_end(const struct between *s, const struct integrator *m);
/* Solves at x, the method's point at that time, completes the solution and puts unknowns of the classes `which` into x.  Returns by
 * how many tolerances unknowns below index 2 have changed. */
double completion_make(struct between *s, struct integrator *m, double time, unsigned which, double *x);
/* Once per step: completes its middle, and finds from it whether the interpolant is good enough, and by how much it misses
 * index-2 unknowns. */
void completion_look_inside(struct between *s, struct integrator *m, double middle);
/* The same of a step that output does not resolve, from its ends. */
void completion_join_ends(struct between *s, struct integrator *m);
/* Adds to index-2 unknowns of x at time inside the step what the interpolant lacks. */
void completion_correct(struct between *s, struct integrator *m, double time, double *x);

/* Once per step, before the following: largest values have been those of its ends. */
void branches_weigh(struct between *s, const struct integrator *m, const double *begin);
/* Whether x and y [n] cannot be two points of one solution. */
bool branches_differ(struct between *s, const double *x, const double *y);
/* s->leaps: whether the ends of the last step are on two branches of solutions, of which both exist at one end at least, and
 * s->leap: when that of the begin is left. */
void branches_look(struct between *s, struct integrator *m);

#endif
