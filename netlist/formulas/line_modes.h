/* line_modes.h - the modes of coupled lines: the voltages along conductors with L and C (matrices for each unit of length)
 * are V = T u, such that each u_j travels by itself, V^T I = u^T J for the currents J = T^T I (Paul, Analysis of
 * Multiconductor Transmission Lines, 2nd ed. 2008, ch. 7):
 *     L = K K^T,  K^T C K = Q diag(lambda) Q^T,  T = K Q, its columns made one long.
 */
#ifndef NETLIST_FORMULAS_LINE_MODES_H
#define NETLIST_FORMULAS_LINE_MODES_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_MODES_MOST = 16 };

/* Matrices by rows, [count * count]. */
struct line_modes {
    size_t count;
    double transform[LINE_MODES_MOST * LINE_MODES_MOST];                                   /* T */
    double r[LINE_MODES_MOST], l[LINE_MODES_MOST], g[LINE_MODES_MOST], c[LINE_MODES_MOST]; /* of the modes */
    bool separate; /* r and g say it all: R and G couple no modes */
};

/* False where L or C is not positive definite. */
bool line_modes_of(struct line_modes *m, size_t count, const double *R, const double *L, const double *G,
                   const double *C);

#endif
