/* start_response.h - how the start of a run with `uic` follows from given charges and from the equations, backwards.
 *
 * Near a start x the two implicit Euler steps that lead to it (mna/start/consistent_euler.h) are linear: with A = C/h + G, given charges
 * that change by r and equations by f,
 *     A y = r/h - f,    A dx = (C/h) y - f,
 * in the limit h -> 0.  Values of ic= that have charges put across them, P, to come true (mna/start/initial_values_kept.h) change by e as
 * they are told to, E y = e: r/h is r/h - P (E A^-1 P)^-1 (E A^-1 (r/h - f) - e) then.  Transposed, one solution gives what any r, e
 * and f mean to a functional of x.
 */
#ifndef ANALYSES_ADJOINT_START_RESPONSE_H
#define ANALYSES_ADJOINT_START_RESPONSE_H

#include "analyses/setup.h"
#include "mna/start/initial_values.h"

struct start_response {
    const struct setup *setup;
    const struct initial_values *given;
    const double *x; /* [n] the start */
    double span;     /* s, of the run */
    size_t values;   /* in the list of initial_values_list */
};

/* equations [n], charges [n + values], out: g^T dx = charges^T (r, e) - equations^T f.  *holds: x is such a start, so that this
 * is so: what leaves it by more than `enough` of the functional is another one. */
enum kn_status start_response_find(const struct start_response *s, const double *g, double enough, double *charges,
                                   double *equations, bool *holds);

/* lambda [n] with G^T lambda = gradient [n] at an operating point; KN_ERROR_CIRCUIT (not reported): it is not unique. */
enum kn_status rest_response_find(const struct setup *s, const double *rest, const double *gradient, double *lambda);

#endif
