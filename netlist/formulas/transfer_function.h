/* transfer_function.h - transfer functions of s as responses (netlist/response.h): from an expression, from coefficients,
 * from poles and zeros.
 */
#ifndef NETLIST_FORMULAS_TRANSFER_FUNCTION_H
#define NETLIST_FORMULAS_TRANSFER_FUNCTION_H

#include "base/arena.h"
#include "netlist/expression/expression.h"
#include "netlist/response.h"

#include <complex.h>

enum transfer_outcome {
    TRANSFER_RATIONAL, /* times a delay */
    TRANSFER_OTHER,    /* no ratio of polynomials: sqrt(s), a sum of delays */
    TRANSFER_ADVANCED, /* it would have to look ahead: exp(s) */
    TRANSFER_NONE,     /* its denominator is 0 everywhere */
    TRANSFER_MEMORY
};

/* Of a program whose only variable, if it has one, is s.  *out is a constant 0 where the function is.  All of it lives in
 * the arena. */
enum transfer_outcome transfer_of_expression(const struct expression *e, struct arena *arena, struct response *out);

/* gain * product of the numerators / product of the denominators, each coefficients in ascending powers of s; TRANSFER_NONE
 * where a denominator is 0. */
struct polynomial {
    const double *at;
    size_t count;
};
enum transfer_outcome transfer_of_factors(double gain, const struct polynomial *numerators, size_t numerator_count,
                                          const struct polynomial *denominators, size_t denominator_count,
                                          struct arena *arena, struct response *out);

/* (s + real)^2 + imaginary^2, or s + real where imaginary is 0: the factor of a root at -real +- j imaginary. */
bool transfer_factor(double real, double imaginary, struct arena *arena, struct polynomial *out);

#endif
