/* exact.h - the structure of a linear circuit's equations from the values of its elements, without rounding.
 *
 * With K = (G + s C)^-1 C for any s that makes G + s C regular, (G + z C)^-1 = (1 + (z - s) K)^-1 (G + s C)^-1: the
 * nilpotent part of K is the infinite part of the pencil.  rank K^i - rank K^(i+1) counts its Jordan blocks of size > i
 * there; what the k-th derivatives of the data enter is K^k ker K^n (Gantmacher, Theory of Matrices II, ch. XII).  All
 * this in numbers modulo a prime (field.h), from terms before they are added up (terms.h).
 */
#ifndef MNA_EXACT_H
#define MNA_EXACT_H

#include "mna/terms.h"

/* Unknowns up to which it takes less than a second. */
enum { EXACT_MOST_UNKNOWNS = 300, EXACT_MOST_STEPS = 64 };

struct exact_index {
    bool exact; /* as the values were meant.  Otherwise some of them, known up to their last digit only, may have been
                   computed from each other so that they cancel, and rounding hides it */
    bool singular; /* no unique solution for any data; nothing below is set */
    int index, degrees_of_freedom;
    int null_dimension[EXACT_MOST_STEPS]; /* [index], see index.h */
    int *order;                           /* [n] the highest derivative of the data that enters the unknown */
};

enum kn_status exact_index_find(struct arena *memory, const struct mna_terms *t, struct exact_index *out);

/* Rank of G alone: the equations of direct current of a linear circuit determine all unknowns where it is n. */
enum kn_status exact_conductance_rank(struct arena *memory, const struct mna_terms *t, int *rank, bool *exact);

#endif
