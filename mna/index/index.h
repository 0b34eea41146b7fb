/* index.h - the index of the equations in numbers: the chain of null spaces of the pencil (C, G) at a point.
 *
 * For  C x' + G x = r  with N0 = ker C the tractability index is the number of steps after which the chain
 * G0 = C, G_{i+1} = G_i + B_i Q_i, Q_i a projector onto N_i = ker G_i, reaches a regular matrix (Maerz 1992; rodriguez,
 * Diss. HU Berlin 2000, section 2.1).  dim N_i counts the Jordan blocks of size > i at infinity of the pencil, so n -
 * dim N0 - dim N1 - .. is the number of finite eigenvalues: the degrees of freedom.
 *
 * Of linear circuits that are not too large exact.c knows it without rounding.  index_chain.c runs the chain in the
 * reduced form that keeps scales apart as far as rounding allows, which also gives the poles.  Of large circuits
 * index_sparse.c decides index 0, 1 and 2 with sparse factors, index_split.c those that fall apart, index_series.c the
 * rest.
 */
#ifndef MNA_INDEX_INDEX_H
#define MNA_INDEX_INDEX_H

#include "mna/mna.h"
#include "mna/topology/topology.h"
#include "sparse/bordered.h"

#include <complex.h>

enum index_outcome {
    INDEX_KNOWN,
    INDEX_SINGULAR_PENCIL, /* no unique solution for any data */
    INDEX_OPEN             /* not decided: more than the sparse path can, or `rounding`; it may be singular */
};

/* Unknowns up to which dense matrices decide, which takes some ten seconds; those of all parts together may cost as much as those of one
 * part of this size. */
enum { INDEX_MOST_DENSE = 1500 };
/* Blocks of charges and fluxes up to this size are decomposed numerically in any case. */
enum { INDEX_DENSE_BLOCK = 100 };

/* Pencils with the border of a transfer have an index above the order of a filter. */
enum { INDEX_MOST_STEPS = 512 };

/* How many loops and cutsets of the topology, and null vectors that only values make, the sparse path can follow. */
enum { INDEX_MOST_SETS = BORDERED_MOST_PLACES, INDEX_MOST_BY_VALUES = BORDERED_MOST_DENSE };

struct index_analysis {
    int n;
    enum index_outcome outcome;
    int index;
    int degrees_of_freedom; /* -1 where unknown */

    int step_count;
    int null_dimension[INDEX_MOST_STEPS]; /* dim N0, dim N1, .. until it is 0 */

    double condition;       /* of the matrix that turned out regular, scaled: the quality of the verdict; NAN: none */
    double smallest_kept;   /* least of all singular values that were taken for nonzero, relative */
    double largest_dropped; /* largest that was taken for zero */
    bool blurred;       /* some balance adds conductances, or capacitances, of more decades than a double has digits */
    double widest;      /* ratio of the largest to the smallest of those in one balance, or to 1, of a current */
    int widest_unknown; /* whose balance it is; -1: none */
    int absent;         /* an unknown that no equation contains at the point; -1: none */
    bool sparse;
    bool exact;    /* known without rounding (exact.h); poles, too, where there are any */
    bool rounding; /* INDEX_OPEN because values differ by so many decades that rounding hides a rank */

    int *order;      /* [n] of the highest derivative of the data that enters the unknown; 0: none, 1: index 2, .. */
    int *derivative; /* unknowns from 0 that depend on derivatives of the data: N0 cap S0 and what follows it */
    int derivative_count;
    bool nonlinear; /* those enter the equations nonlinearly */

    double complex *poles; /* finite eigenvalues, 1/s, by magnitude; NAN where rounding hides one beside the others;
                              NULL when not asked for, not wanted or more than 400 */
    double *pole_errors;   /* relative, bounds to first order or estimates; of those that are not NAN */
    int pole_count;
};

struct index_point {
    double time;
    const double *x; /* [n] */
};

/* One more unknown and one more equation: the unknown enters the equations by `column`, the equation is row x = 0; [n]
 * each.  A voltage source that the circuit lacks is a border (its incidence in both); one that shall not be there is
 * one, too (column: its own equation, row: its own current); and the zeros of row (G + s C)^-1 column are the poles of
 * the pencil with that border. */
struct index_border {
    const double *column, *row;
};

struct index_options {
    bool spectrum;
    bool growing; /* poles only where they do not surely all have negative real parts: none else */
    bool running; /* in the midst of a run, whose lines have a past that is to stay as it is */
    const struct index_border *borders; /* dense matrices only; what they add counts as unknowns n, n + 1, .. */
    int border_count;
    int most_dense;   /* unknowns up to which dense matrices are used; 0: 1500 */
    bool alternating; /* as small signals see the devices, which exact arithmetic does not know */
    bool rounded;     /* as for a nonlinear circuit, although exact arithmetic might decide */
    int most_sets;    /* loops and cutsets up to which sparse ones are; 0: INDEX_MOST_SETS, which may take some 10 s */
};

/* Whether at the point what the first border of the options brings in reaches what it reads, at rates of the circuit and by more than
 * rounding: ranks of equations with borders may not tell a small transfer from none. */
enum kn_status index_passes(struct mna *m, const struct index_point *at, const struct index_options *o, bool *passes);

/* Analyses the equations linearised at a point.  KN_ERROR_CONVERGENCE: they are not finite there. */
enum kn_status index_analyze(struct mna *m, const struct topology *t, const struct index_point *at,
                             const struct index_options *o, struct index_analysis **out);
void index_free(struct index_analysis *a);

/* Of a large circuit the `wanted` poles, or some more, that are nearest to a point (1/s) of the plane, into an analysis
 * without any.  KN_ERROR_CIRCUIT: no unique solution for any data; KN_ERROR_CONVERGENCE: not found.  Where the program
 * has been built without ARPACK it finds none: ask before. */
bool index_finds_nearest(void);
enum kn_status index_nearest(struct mna *m, const struct index_point *at, const struct index_options *o,
                             double complex near, int wanted, struct index_analysis *a);

/* Of a large circuit the poles to the right of the imaginary axis that are found, and are faster than `slowest` (1/s) or about so,
 * into an analysis without any; there may be more. */
enum kn_status index_growing(struct mna *m, const struct index_point *at, double slowest, struct index_analysis *a);

/* Round-off may have decided about a rank, or about a singular pencil. */
bool index_is_doubtful(const struct index_analysis *a);

/* How far N1, S1 and im G1 turn between points of a run: the sine of the largest angle to those of the first point (0:
 * constant; 1: another dimension), with the same projector Q throughout. */
struct index_constancy {
    bool index2; /* at the first point; otherwise there is nothing to compare */
    double n1, s1, im_g1;
};

/* As the equations stand, with C(x) x', or charge-oriented, with the charges as unknowns of their own. */
enum index_form { INDEX_CLASSICAL, INDEX_CHARGE_ORIENTED };

/* Dense: KN_ERROR_ARGUMENT above MNA_MOST_DENSE unknowns. */
enum kn_status index_compare(const struct mna *m, enum index_form form, const struct index_point *points, int count,
                             struct index_constancy *out);

#endif
