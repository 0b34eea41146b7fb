/* fast.h - what parasitics do on their own, fast time scale, and whether the circuit without them is the limit.
 *
 * With E = E0 + E1, E1 of the parasitics, N and W bases of ker E0 and ker E0^T, the fast part of
 * E x' + J x = r at a point is the pencil
 *
 *     W^T E1 N z' + W^T J N z = 0
 *
 * (Tikhonov 1952; Hairer and Wanner, Solving ODEs II, VI.3; for matrices of this form S. Weber, Diss. Halle 2013, Lemma
 * 4.4 without a choice of basis).  W^T J N regular means that the circuit without the parasitics has index 1 where they
 * are; the solution without them is the limit of the one with them exactly if the finite eigenvalues of the pencil decay
 * (H4 there).  With E1 = A D A^T, D diagonal, those other than 0 are -1/tau with
 *
 *     tau an eigenvalue of K D,     K = A^T N (W^T J N)^-1 W^T A,
 *
 * a matrix of the size of the number of parasitics: the resistances that they see when slow charges and currents stay.
 * Null vectors of W^T J N that no parasitic excites belong to an index of 2 that was there before (algebraic.h).
 */
#ifndef MNA_QUASISTATIC_FAST_H
#define MNA_QUASISTATIC_FAST_H

#include "mna/index/index.h"
#include "mna/quasistatic/parasitics.h"

enum fast_verdict {
    FAST_ATTRACTIVE, /* what is fast decays: the solution without parasitics is the limit */
    FAST_RAISES,     /* no decay, since the index would rise: a cutset of L and I, or a loop of C and V, is left */
    FAST_UNDAMPED,   /* a fast oscillation that does not decay */
    FAST_UNSTABLE,   /* it grows: the solution without parasitics is not the limit */
    FAST_OPEN        /* not decided */
};

struct fast_mode {
    double complex constant; /* s: exp(-t/constant); never 0 */
    double error;            /* relative */
};

struct fast_part {
    enum fast_verdict verdict;
    const char *open; /* why not decided, a sentence; else NULL */
    struct fast_mode *modes;
    size_t mode_count;  /* largest first */
    double slowest;     /* s: in which the slowest of them falls to 1/e, a ringing one late; 0: there is none */
    size_t decisive;    /* mode with the least damping, of which the verdict speaks */
    size_t without;     /* parasitics less modes: fixed by sources, parallel to larger ones, in loops */
    double *own;        /* [parasitics] s: of one if the others stay away; NAN: not known */
    bool *blamed;       /* [parasitics] whose absence raises the index */
    double *resistance; /* [parasitics] ohm seen by a capacitor, S by an inductor; NAN */
    double contraction; /* 1/s: with which every fast disturbance decays from its beginning, in the norm of the energy
                           (mu_2, Dahlquist 1959, (2.5) of Weber); negative: some grow at first; NAN: not known */
};

struct fast;

/* Of more than MNA_MOST_DENSE the eigenvalues are those of one matrix, with errors to the first order; no more than these are looked
 * at. */
enum { FAST_MOST_PARASITICS = 2000 };

/* At a point of the circuit without them, whose equations and topology these are; all must outlive the result.
 * KN_ERROR_CONVERGENCE: the equations are not finite there. */
enum kn_status fast_new(struct mna *reduced, const struct topology *t, const struct parasitics *p,
                        const struct index_point *at, struct fast **out);
void fast_free(struct fast *f);
const struct fast_part *fast_result(const struct fast *f);

/* Conditions for a bound of the error that does not grow with the length of a run (Weber, Theorem 2.17), in the norm of the
 * energy: slow and fast parts contract with rates gamma and beta (1/s), and excite each other by no more than the product
 * `coupling` (1/s^2) of the norms of both ways: it holds where coupling < beta gamma. */
struct fast_dissipation {
    bool known;
    double slow, fast; /* gamma, beta */
    double coupling;
};

/* `all` is of all capacitors and inductors, without any of which the circuit is left; is_fast [parasitics of all]. */
enum kn_status fast_find_dissipation(const struct fast *all, const bool *is_fast, struct fast_dissipation *out);

/* x [n] := N (W^T J N)^-1 W^T charge: the time integral of what charges [n] that are brought in do before they are
 * gone. */
void fast_spend(struct fast *f, const double *charge, double *x);
/* out [n] += J x */
void fast_add_currents(const struct fast *f, const double *x, double *out);

#endif
