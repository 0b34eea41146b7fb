/* index_parts.h - the inside of the numerical index analysis, shared by the files that do its steps. */
#ifndef MNA_INDEX_INDEX_PARTS_H
#define MNA_INDEX_INDEX_PARTS_H

#include "base/rounding.h"
#include "mna/index/exact.h"
#include "mna/index/index.h"
#include "mna/terms.h"
#include "sparse/dense.h"

#include <math.h>

/* Singular values between this and ROUNDING_RANK are neither clearly zero, within a few units of round-off, nor clearly not. */
#define INDEX_SURELY_ZERO ROUNDING_SUM
/* Relative error from which on a pole is not determined: two digits are shown of it. */
static const double INDEX_TOO_ROUGH = 1e-2;
/* 1/s.  Light makes 0.3 um; Planck's time.  The charge of a junction that is blocked by 4 V changes with its voltage by e^-160 of what it
 * is: such a capacitance of 1e-90 F is no number of a charge any more, and its pole at -1e62/s is an infinite one. */
static const struct {
    double light, planck;
} FASTEST = {.light = 1e15, .planck = 1.9e43};

/* Sparse vectors of n entries, one after the other. */
struct vectors {
    int count;
    int *start; /* [count + 1] */
    int *row;
    double *value;
};

/* Both null spaces of C, in echelon form: the rows and columns that are kept carry its regular part. */
struct storage {
    int rank;
    int *row_kept, *column_kept; /* [rank] */
    struct vectors left, right;  /* [n - rank] each */
    double smallest, largest_dropped, condition;
};

/* The pencil at a point. */
struct pencil {
    int n;
    const struct sparse_pattern *pattern;
    double *G, *C; /* [entries + 1] */
    double *size;  /* [n] how large unknowns are beside each other; NULL: all alike */
};

/* The rows or columns of an n x n matrix in new coordinates: for each old one where it goes and with which factor. */
struct mapping {
    int *start; /* [n + 1] */
    int *target;
    double *factor;
};

/* KN_ERROR_CONVERGENCE: not finite there. */
enum kn_status pencil_at(const struct mna *m, double time, const double *x, struct arena *memory, struct pencil *p);

/* The pencil with borders. */
bool pencil_add_borders(struct arena *memory, const struct index_border *borders, int count, struct pencil *p);
/* The terms with borders, whose entries are numbers such as 1 and -1. */
bool terms_add_borders(struct arena *memory, const struct index_border *borders, int count, struct mna_terms *t);

/* 1/s: the geometric mean of the rates |G_ij / C_ij|. */
double pencil_middle_rate(const struct pencil *p);
/* p->size := the columns' factors that bring G + s C to entries of about 1. */
bool pencil_find_sizes(struct arena *memory, struct pencil *p);
/* Of G + s C, scaled, in the 1-norm; INFINITY: singular. */
enum kn_status pencil_condition(const struct pencil *p, double s, double *condition);

/* Null spaces of C block by block: from the graph where capacitances are passive, by singular values otherwise.
 * Blocks of more than most_dense are taken from the graph. */
enum kn_status storage_find(struct arena *memory, const struct pencil *p, const struct topology *t, int most_dense,
                            struct storage *out);
/* Borders store nothing: each is a null vector on both sides; n unknowns without them. */
bool storage_add_borders(struct arena *memory, int n, int count, struct storage *s);
/* New coordinates: the kept ones 0 .. rank - 1, then the null vectors. */
bool storage_mapping(struct arena *memory, int n, const int *kept, int rank, const struct vectors *null,
                     struct mapping *out);

/* What remains when all that is infinite has been taken out: C u' + G u = 0, C regular. */
struct finite_part {
    struct dense C, G;
};

enum kn_status chain_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                         struct index_analysis *a, int *order, struct finite_part *finite);
enum kn_status sparse_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                          const struct topology *t, struct index_analysis *a, int *order);
/* What sparse_run leaves open, part by part; both leave a->outcome at INDEX_OPEN where they cannot tell either. */
enum kn_status split_run(struct arena *memory, const struct pencil *p, const struct storage *s, int most_dense,
                         struct index_analysis *a, int *order);
enum kn_status series_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                          const struct topology *t, struct index_analysis *a, int *order);
enum kn_status pencil_is_singular(const struct pencil *p, bool *singular);
enum kn_status spectrum_find(struct arena *memory, const struct finite_part *finite, struct exact_zeros at_zero,
                             struct index_analysis *a);
/* Tells those that this leaves rough by p, and sorts them.  of_transfer: they are zeros of one, several of which are often at 0. */
enum kn_status spectrum_confirm(struct arena *memory, const struct pencil *p, const struct mna *m, bool of_transfer,
                                struct index_analysis *a);

/* Derivatives of this order enter the unknowns along a direction [n]; order[i] keeps the highest. */
static inline void note_order(const struct pencil *p, const double *direction, int derivative, int *order)
{
    double largest = 0;
    for (int i = 0; i < p->n; i++)
        largest = fmax(largest, fabs(direction[i]) / (p->size ? p->size[i] : 1));
    for (int i = 0; i < p->n; i++)
        if (order[i] < derivative && fabs(direction[i]) / (p->size ? p->size[i] : 1) > ROUNDING_SAME * largest)
            order[i] = derivative;
}

static inline void note_rank(struct index_analysis *a, double smallest, double dropped)
{
    a->smallest_kept = smallest < a->smallest_kept ? smallest : a->smallest_kept;
    a->largest_dropped = dropped > a->largest_dropped ? dropped : a->largest_dropped;
}

#endif
