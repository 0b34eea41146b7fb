/* variant.h - some elements of a system once more, with other values, on the unknowns that there are: what they alone add
 * to f, q, G and C.  For derivatives with respect to values.
 */
#ifndef MNA_VARIANT_H
#define MNA_VARIANT_H

#include "mna/mna.h"

#include <complex.h>

/* What all variants of a system share; free with mna_variants_free. */
struct mna_variants;
enum kn_status mna_variants_new(struct mna *m, struct mna_variants **out);
void mna_variants_free(struct mna_variants *v);

struct mna_variant {
    size_t count;      /* of contributions to the matrices */
    int *row, *column; /* [count] unknowns from 0; -1: ground */
    double *G, *C;     /* [count] at the last point */
    double *f, *q;     /* [n] */
    struct variant_inside *inside;
};

/* The circuit is a copy of the system's in which elements may have other values or models, and those left out have no kind;
 * it must outlive the result.  KN_ERROR_DECK where a value cannot be, KN_ERROR_CIRCUIT where with these values there would
 * be other unknowns. */
enum kn_status mna_variant_new(const struct mna_variants *all, const struct circuit *c, struct mna_variant **out);
void mna_variant_free(struct mna_variant *v);

/* At a point of the operating point's equations (time -INFINITY), or of a transient's, x [n]. */
void mna_variant_evaluate(struct mna_variant *v, const double *x);
void mna_variant_evaluate_at(struct mna_variant *v, struct instant when, const double *x);
/* s, 0 without delays; and what they add to A = G + j w C at w (1/s); A [count], set. */
double mna_variant_longest_delay(const struct mna_variant *v);
void mna_variant_delay(const struct mna_variant *v, double w, double complex *A);

#endif
