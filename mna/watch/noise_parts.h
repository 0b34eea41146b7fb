/* noise_parts.h - what the watch for noise (noise.c) keeps, for its message (noise_report.c). */
#ifndef MNA_WATCH_NOISE_PARTS_H
#define MNA_WATCH_NOISE_PARTS_H

#include "mna/watch/noise.h"

enum { NOISE_BINS = 400, NOISE_MIDDLE_BIN = 250, FORMULA_POINTS = 7 };

/* Where a perturbation of a constraint comes from. */
enum noise_cause { NOISE_ROUNDING, NOISE_NEWTON, NOISE_FORMULA, NOISE_CAUSES };

struct noise {
    struct arena *memory;
    struct mna *mna;
    const struct topology *topology;
    double relative, duration;
    int index; /* of the equations; 0: not known */
    bool completed; /* of noise_settings */
    int n, count;
    int *unknown; /* [count] from 0 */
    struct sparse_lu *lu;
    double *G, *C, *matrix;
    double *f, *b, *x; /* [n] */
    double *theta[2];  /* [n] sizes of what is rounded in f and, where there are charges, in q */
    double *formula;   /* [n] noise in the value of each constraint beyond rounding (noise_formula.c) */
    double *left;      /* [n] the most that Newton's method left over in each constraint, beyond rounding */
    double *sample[FORMULA_POINTS];  /* [n] */
    bool *has_charge;                /* [n] rows */
    double *effect[NOISE_CAUSES][2]; /* [count] with h and 2h */
    double *gain[NOISE_CAUSES];      /* [count] the coefficient of 1/h^power */
    int *power;                      /* [count] 1 with index 2, more with a higher index */
    double *squared;                 /* [n] the coefficient of 1/h^(2 power) in the other unknowns */
    double *curved;                  /* [n] largest second-order part of f so far, of this look */
    double *largest;                 /* [n] of the unknown */
    int order;                       /* highest of the run */
    double looked_at, least;         /* s, the step of the last look and the smallest with one */
    long next_look;                  /* number of steps */
    long steps, bins[NOISE_BINS];    /* by the binary exponent of the step */
};

/* How much larger the differences of the run's highest order are than those of implicit Euler: the coefficients of BDF,
 * added up without their signs, over 2. */
double noise_factor_of_order(const struct noise *s);

/* What perturbs row i at steps of 1/alpha. */
double noise_of_row(const struct noise *s, enum noise_cause cause, int i, double alpha);

/* Factors G + alpha C as of the last look. */
bool noise_factor(struct noise *s, double alpha);

int noise_bin_of(double h);

/* Keeps in s->formula the largest noise found in f at points just before t. */
enum kn_status noise_scan_formulas(struct noise *s, double t, double h, const double *x);

#endif
