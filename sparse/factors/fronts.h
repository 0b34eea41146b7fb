/* fronts.h - the factors of a matrix with much fill as dense blocks (I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9
 * (1983) 302-325; J. W. H. Liu, SIAM Rev. 34 (1992) 82-109).
 *
 * Pivots whose columns of L have the same pattern, or nearly so, are one front: a dense matrix of what A has in their rows
 * and columns and what earlier fronts, its children in the elimination tree, hand on.  It is factored as far as its own
 * pivots, and hands the rest on to its parent.  L and U have the pattern of A + A', so that matrices with pivots far from
 * the diagonal are not for it; fronts_analyze tells the operations it would take.
 *
 * Numbers of a front with w pivots and m others: its columns of L, (w + m) x w by columns, with what U has between the
 * pivots on and above the diagonal; the rest of its rows of U, w x m by rows.  All of L, and all of U, in the order of the
 * fronts, so that solutions go through memory once in each direction.
 */
#ifndef SPARSE_FRONTS_H
#define SPARSE_FRONTS_H

#include <stdbool.h>
#include <stddef.h>

/* Where a front is factored, and what waits for parents. */
struct fronts_room {
    void *front, *stack;
};

struct fronts {
    int count;                         /* 0: there are none */
    int *first;                        /* [count + 1] pivots of each, one after the other */
    int *parent;                       /* [count] front, or -1 */
    size_t *others;                    /* [count + 1] where each begins in the next two */
    int *other;                        /* pivots beyond its own, ascending */
    int *place;                        /* of these in the front of its parent */
    int *entry_start;                  /* [count + 1] where each begins in the next two */
    int *entry;                        /* of A, numbered as they were given */
    int *entry_place;                  /* of these in the front */
    size_t *lower_start, *upper_start; /* [count + 1] where its numbers begin */
    int *waiting;                      /* [count] fronts whose rest is on the stack */
    size_t front_size;                 /* numbers of the largest front */
    size_t stack_size;                 /* and of what waits for parents, at most */
    double operations, entries;        /* of a factorisation; of the factors */
    void *lower, *upper;
    double *sizes;           /* [n] weighted sums of sizes in columns of U and L */
    struct fronts_room room; /* zero before the first numbers */
    bool borrowed;           /* all belongs to others but lower, upper, sizes and waiting */
};

/* Where the entries of A inside the blocks of its block triangular form stand, by columns, in the order of pivots. */
struct fronts_matrix {
    int n;
    const int *start, *row; /* [n + 1], [start[n]] */
};

/* An order of the pivots, old place by new one, in which all pivots of a front follow each other; blocks stay where they
 * are.  False without memory. */
bool fronts_order(const struct fronts_matrix *a, int *order);
/* Finds the fronts of a matrix in such an order, without numbers.  False without memory; count is 0 where a front would be
 * too large. */
bool fronts_analyze(struct fronts *s, const struct fronts_matrix *a);
/* Room for numbers of a size. */
bool fronts_allocate(struct fronts *s, int n, size_t number);
/* The same fronts, for other numbers, which are factored in the same room; what they are of must outlive them. */
bool fronts_borrow(const struct fronts *of, struct fronts_room room, int n, size_t number, struct fronts *out);
/* All zero: without memory. */
struct fronts_room fronts_room_new(const struct fronts *s, size_t number);
void fronts_room_free(struct fronts_room *room);
void fronts_free(struct fronts *s);

#endif
