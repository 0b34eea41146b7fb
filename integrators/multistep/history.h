/* history.h - the last points of a multistep method and the polynomials through them.
 *
 * Points are kept as they are (t, x, q); polynomials are evaluated by Lagrange weights, computed anew for each step
 * from the times alone.  That costs O(order^2) scalars and no transformation of vectors when step or order change.
 */
#ifndef INTEGRATORS_MULTISTEP_HISTORY_H
#define INTEGRATORS_MULTISTEP_HISTORY_H

#include "base/arena.h"

enum { HISTORY_POINTS = 7 }; /* order 5 needs six, raising the order one more */

struct history {
    int n;
    int count;                     /* valid points; 0 is the newest */
    double t[HISTORY_POINTS + 1];  /* s */
    double *x[HISTORY_POINTS + 1]; /* [n]; the one past the last is spare, for the candidate of the current step */
    double *q[HISTORY_POINTS + 1];
};

/* With room for the points in an arena; false without memory. */
bool history_make(struct history *h, int n, struct arena *memory);
/* Forgets all points but one. */
void history_restart(struct history *h, double t, const double *x, const double *q);
/* Buffers for the point being computed. */
double *history_candidate_x(struct history *h);
double *history_candidate_q(struct history *h);
/* The candidate becomes the newest point. */
void history_push(struct history *h, double t);
/* Takes the last push back; the candidate is what was pushed. */
void history_pop(struct history *h);
/* Leaves the newest point out; the candidate stays. */
void history_drop(struct history *h);

/* Weights w[0..points) with p(time) = sum w_i y_i for the polynomial through the newest points. */
void history_value_weights(const struct history *h, int points, double time, double *w);
/* The same for p'(time). */
void history_slope_weights(const struct history *h, int points, double time, double *w);
/* The derivative at a new time `to` of the polynomial through (to, y) and the newest points is
 * alpha y + sum w_i y_i (Deuflhard/Bornemann 2008, 7.31 and 7.33: alpha = beta_k). */
double history_bdf_weights(const struct history *h, int points, double to, double *w);

/* out := sum w_i y_i */
void history_combine(double *const *y, int n, int points, const double *w, double *out);

#endif
