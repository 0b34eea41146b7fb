/* exact.h - the structure of a linear circuit's equations from the values of its elements, without rounding.
 *
 * With K = (G + s C)^-1 C for any s that makes G + s C regular, (G + z C)^-1 = (1 + (z - s) K)^-1 (G + s C)^-1: the
 * nilpotent part of K is the infinite part of the pencil.  rank K^i - rank K^(i+1) counts its Jordan blocks of size > i
 * there; what the k-th derivatives of the data enter is K^k ker K^n (Gantmacher, Theory of Matrices II, ch. XII).  All
 * this in numbers modulo a prime (field.h), from terms before they are added up (terms.h).
 */
#ifndef MNA_INDEX_EXACT_H
#define MNA_INDEX_EXACT_H

#include "mna/terms.h"

/* Unknowns up to which it takes less than a second. */
enum { EXACT_MOST_UNKNOWNS = 300, EXACT_MOST_STEPS = 64 };
/* Random numbers for those that tell whether a matrix is singular: one trial misses that hardly ever. */
enum { EXACT_TRIALS = 3 };

struct exact_index {
    bool exact; /* as the values were meant.  Otherwise some of them, known up to their last digit only, may have been
                   computed from each other so that they cancel, and rounding hides it */
    bool singular; /* no unique solution for any data; nothing below is set */
    bool open;     /* the index is above EXACT_MOST_STEPS */
    int index, degrees_of_freedom;
    int null_dimension[EXACT_MOST_STEPS]; /* [index], see index.h */
    int *order;                           /* [n] the highest derivative of the data that enters the unknown */
};

enum kn_status exact_index_find(struct arena *memory, const struct mna_terms *t, struct exact_index *out);

/* So many eigenvalues of G + s C are 0 whatever the digits are that values known up to the last one do not have: the first
 * coefficients of det(G + s C) cancel.  all: and no more are. */
struct exact_zeros {
    int count;
    bool all;
};

enum kn_status exact_poles_at_zero(struct arena *memory, const struct mna_terms *t, struct exact_zeros *out);

/* G: the equations of direct current of a linear circuit. */
struct exact_direct {
    bool exact;     /* see above */
    int free_count; /* dimension of the null space of G */
    bool *free;     /* [n] G leaves the unknown open */
};

/* With C added to rows of G, any multiple of it for each group [n] of rows but 0; group NULL: none. */
enum kn_status exact_direct_find(struct arena *memory, const struct mna_terms *t, const int *group,
                                 struct exact_direct *out);
/* Whether G x = -f has a solution, for f [n] of values as they were meant; true where that is not known. */
enum kn_status exact_direct_solvable(struct arena *memory, const struct mna_terms *t, const double *f, bool *solvable);

#endif
