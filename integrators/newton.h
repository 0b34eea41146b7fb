/* newton.h - Newton's method for  r(x) = f(x, t) + alpha q(x, t) + b = 0  on the factored matrix M = G + alpha C.
 *
 * One solver for all implicit formulas with one real alpha, and with alpha = 0 for operating points.  Factors are kept
 * between calls and used as long as they contract (simplified Newton); where they do not, G and C are evaluated anew
 * at the current point.  Damping by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems,
 * 2004, sec. 2.1.2 and 3.3): the simplified correction -M^-1 r(x + lambda dx), which the next iteration needs anyway,
 * must not be longer than dx.
 *
 * Where a factorisation costs as much as many solves (meshes), factors serve other values of alpha as well: with
 * r = alpha / alpha of the factors and corrections times 2/(1 + r), errors that the charges rule and errors that the
 * currents rule both contract by |r - 1|/(r + 1), as in DASSL (Brenan, Campbell and Petzold, Numerical Solution of
 * Initial-Value Problems in Differential-Algebraic Equations, 1996, ch. 5).
 *
 * Where comparisons follow the unknowns, a search goes from piece to piece of the equations.  There are finitely many, and on a
 * straight way through pieces that all turn the same way none comes twice (J. Katzenelson, Bell Syst. Tech. J. 44 (1965)
 * 1605-1620): only a leap to sides of all comparisons that were seen before counts as one that may lead nowhere.
 *
 * It stops at x when both tests are passed with no junction limited there:
 *     update    rho/(1 - rho) |dx| <= kappa (Deuflhard/Bornemann 2008, sec. 6.2.2; norm weighted by the tolerance, rho
 *               the ratio of the simplified correction at x to dx, so stale factors cannot pretend convergence; where residuals
 *               fall as when both were last compared with these factors, rho is that of then, but at least 0.2)
 *     residual  |r_i| <= kappa (reltol scale_i + tolerance of equation i) (KCL), or rounding; scale_i is of the terms of the equation,
 *               with potentials beside one of them: 5 mA are no rounding of a diode's 10 S because 325 V stand at both its ends
 *     laws      |r_i| <= kappa of the tolerance of the difference that equation i states (dae.h), or rounding
 * f and q afterwards are those at x itself, never extrapolated.
 */
#ifndef INTEGRATORS_NEWTON_H
#define INTEGRATORS_NEWTON_H

#include "integrators/dae.h"
#include "integrators/statistics.h"

#include <stdint.h>

/* Of CVODE (Hindmarsh and others, ACM TOMS 31, 2005): the part to which a step is cut after a failure of Newton's method, unless the
 * method knows better, and where another method without a history takes over (ETACF); the change of alpha with which old factors
 * still serve (DGMAX). */
static const struct {
    double shrink, change;
} CVODE = {.shrink = 0.25, .change = 0.3};

/* Ratio of corrections below which old factors go on being used, and from which on a step with old ones is taken back. */
#define NEWTON_GOOD_CONTRACTION 0.2
#define NEWTON_POOR_CONTRACTION 0.9
/* Of the iterations, one after each failure in a row: across a jump of a chain of gates without capacitances shorter steps do not make the
 * method converge, more iterations do. */
enum { NEWTON_MOST_DOUBLINGS = 3 };

struct newton_options {
    double relative;    /* reltol */
    double kappa;       /* part of the tolerance that Newton may leave as error */
    int max_iterations; /* per solve */
    int open_sides;     /* comparisons of dae->switches, all or none, that follow the unknowns, as at starts */
    bool rescales;      /* where a switch has opened behind the point of the factors, scales of equations are made anew */
};

enum newton_outcome {
    NEWTON_CONVERGED,
    NEWTON_SLOW,       /* iteration limit or no contraction */
    NEWTON_NOT_FINITE, /* the problem could not be evaluated, even after damping */
    NEWTON_SINGULAR,
    NEWTON_FAILED /* eval returned a status, kept in `status` */
};

struct newton_statistics {
    long iterations, evaluations, jacobians, solves, failures;
};

struct newton {
    const struct dae *dae;
    struct newton_options options;
    struct sparse_lu *lu;
    double *G, *C, *matrix; /* last Jacobians; G + alpha C as factored */
    double *f, *q;          /* at the last evaluated point: the solution after NEWTON_CONVERGED */
    double *residual;       /* [n] there */
    double *update;         /* [n] Newton correction */
    double *correction;     /* [n] simplified correction at the new point */
    double *before;         /* [n] point from which the update starts */
    double *row_scale;  /* [n] magnitude of the terms of each equation at the last Jacobian, which rounding goes by */
    double *row_size;   /* [n] the same with potentials beside that of `level` */
    double *row_sum;    /* [n] sums of the coefficients of potentials */
    double *row_weight; /* [n] 1 / (reltol size + tolerance of the equation) */
    double *sides;      /* [open_sides] functions of the comparisons */
    uint64_t *seen;     /* where this search was; NULL: sides are not open */
    int seen_count;
    int *level;       /* [n] a potential of each equation, its own if it has one; -1: none stands there */
    double *q_terms;  /* [n] sizes of the terms of q, for newton_rounding */
    double *f_terms;  /* [n] the same of f */
    double *rounding; /* [n] see newton_rounding */
    double alpha;     /* of the factors; NaN when there are none */
    /* Ratios of corrections and of residuals when both were last compared with these factors; fall 0: not yet. */
    double rate, fall;
    double relaxation;     /* factor on corrections, 1 unless the factors belong to another alpha */
    bool have_jacobian;    /* G, C hold for a linear problem or the point of the last evaluation of them */
    bool limited;          /* at the last evaluated point */
    bool gone_on;          /* factors were made in the last search, behind the point where it began */
    enum kn_status status; /* of NEWTON_FAILED */
    int worst;             /* unknown with the largest weighted update, for messages */
    double worst_update;   /* weighted */
    int worst_row;         /* equation with the largest weighted residual */
    double worst_residual; /* in the unit of f */
    int last_iterations;
    struct newton_statistics statistics;
};

enum kn_status newton_init(struct newton *s, const struct dae *dae, const struct newton_options *options);
void newton_free(struct newton *s);

/* Forgets the factors: after a discontinuity, or when the problem itself has changed. */
void newton_invalidate(struct newton *s);

struct newton_problem {
    double t;
    double alpha;
    const double *b; /* [n] */
    const double
        *weights; /* [n] 1 / (tolerance of unknown i); NULL: from reltol, the current point and dae->absolute */
    const double *reference; /* [n] last accepted point, for limiting; may be NULL: the starting point */
    double accuracy;         /* 0 or 1: kappa is the goal; less: this part of it, as far as rounding allows */
    double *dfdt, *dqdt;     /* [n] out, where the problem was evaluated last; NULL: they are not wanted */
};

/* x: start in, solution out [n]. */
enum newton_outcome newton_solve(struct newton *s, const struct newton_problem *p, double *x);

/* One full correction of x [n], which is near a solution, with a Jacobian made there: it leaves about the square of what x was
 * off by, and that is not looked at. again: with the factors of the correction before, nearby, which leaves as much of this one as
 * that left of itself. *size: of the correction, weighted. newton->f becomes f at the corrected x, as the Jacobian has it. */
enum newton_outcome newton_correct(struct newton *s, const struct newton_problem *p, bool again, double *x,
                                   double *size);

/* One step of implicit Euler of size h (s) to t from the charges [n]: x, start in, solution out. b: [n], used up. */
struct newton_euler {
    double t, h;
    const double *charges, *weights, *reference; /* as in struct newton_problem */
    double *b;
};
enum newton_outcome newton_solve_euler(struct newton *s, const struct newton_euler *e, double *x);

/* Factors G + alpha C at (t, x); false where that fails. */
bool newton_linearize(struct newton *s, double t, const double *x, double alpha);

/* b := (G + alpha C)^-1 b with the factors at hand. */
void newton_back_solve(struct newton *s, double *b);

/* An upper estimate of how much longer solutions by the factors of alpha would be than those by the factors at hand; 1
 * if they are the same. */
double newton_shortfall(const struct newton *s, double alpha);

/* Fills `rounding` with the effect on the unknowns of rounding errors of the charges times `charges` (1/s) and of the
 * currents times `currents` at x, through the factors at hand (rounding.h). */
void newton_rounding(struct newton *s, const double *x, double charges, double currents);

/* Adds the counters of a Newton solver and its factors. */
void newton_add_statistics(const struct newton *newton, struct integrator_statistics *s);

#endif
