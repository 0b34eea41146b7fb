/* inherent.h - the equations solved for what they determine: the inherent ordinary differential equation and the formulas
 * of all other unknowns, with all constraints that derivatives bring to light.
 *
 * Of C x' + G x + sum_k B_k u^(k) = 0, u being the inputs (sources, and what is not linear: laws and formulas of devices),
 * by the shuffle algorithm (D. G. Luenberger, Automatica 14, 1978, 473): rows are combined until those that C leaves are
 * free of x'; these are constraints, and their derivatives take their place, until C is regular.  The constraints of all
 * rounds are solved for as many unknowns; what is left are states.  What is zero is decided in numbers modulo a prime
 * (sparse/field.h), values are doubles.
 */
#ifndef MNA_EQUATIONS_INHERENT_H
#define MNA_EQUATIONS_INHERENT_H

#include "mna/equations/equations.h"

enum { INHERENT_ORDERS = 6, INHERENT_MOST_UNKNOWNS = 60 };

struct inherent_input {
    const struct quantity *quantity;
    bool constant; /* its derivatives are 0 */
    bool law;      /* it depends on unknowns itself */
};

/* sum of a row of coefficients: of the unknowns [n], then of the inputs' derivatives 0, 1, .. [inputs][INHERENT_ORDERS]. */
struct inherent_row {
    const double *unknowns, *inputs;
};

/* 0 = unknowns x + inputs u, found after `round` derivatives. */
struct inherent_constraint {
    int round;
    struct inherent_row row;
};

struct inherent {
    int n;
    struct inherent_input *inputs;
    size_t input_count;
    bool solvable; /* false: no unique solution while what is not linear is given, or too many derivatives */
    int rounds;    /* the index of the equations with the inputs given; 0: C is regular */
    struct inherent_constraint *constraints;
    size_t constraint_count;
    bool *is_state; /* [n] */
    int state_count;
    /* [n] by unknown, with coefficients of states only: of a state what its derivative is, of another what it is. */
    struct inherent_row *solved;
};

/* All in the arena.  *out is NULL where there are too many unknowns.  order [n]: of the highest derivative of the data that
 * enters each unknown, which is no state then; NULL: not known. */
enum kn_status inherent_find(const struct equations *e, const struct mna *m, const int *order, struct arena *arena,
                             struct inherent **out);

/* Coefficient of the k-th derivative of an input in a row. */
static inline double inherent_share(const struct inherent_row *r, size_t input, int k)
{
    return r->inputs[input * INHERENT_ORDERS + (size_t)k];
}

#endif
