/* between.h - points between steps as solutions of the equations.
 *
 * What an interpolant says of an unknown without memory is worth nothing where that unknown bends more than the charges
 * do: tanh(100 v) goes from -1 to 1 while v and every charge are parabolas.  The charges are what a method integrates,
 * so they are interpolated, and the unknowns solve the equations with them.
 */
#ifndef INTEGRATORS_BETWEEN_H
#define INTEGRATORS_BETWEEN_H

#include "integrators/integrator.h"
#include "integrators/tolerance.h"

struct between;

/* callbacks: what completes points (may have nothing); they outlive it. */
enum kn_status between_new(const struct integrator *m, const struct run_callbacks *callbacks, struct between **out);
void between_free(struct between *s);

/* Points of one step agree with one another to this part of their sizes, and no further: Newton's method ends there. */
double between_agreement(double relative);

/* The run begins anew where it is: index-2 unknowns may have jumped. */
void between_restart(struct between *s);

/* Tells delays (dae.accept) what is inside the last step where its interpolant misses it: a wave that an unknown without
 * memory shapes within one step comes out of the line as it has gone in.  To be called before its end is accepted. */
enum kn_status between_remember(struct integrator *m);

/* After each step, from x at its begin [n]: *lasts: INFINITY, or, where the step ends on another branch of solutions, how long (s)
 * the one it has begun on lasts, about: less than the step.  Nothing in the circuit is faster than `shortest` (s). */
enum kn_status branches_part(struct integrator *m, const double *begin, double shortest, double *lasts);

/* How many such points there have been, and when the first (s). */
long between_unsolved(const struct between *s, double *first);

void between_statistics(const struct between *s, struct integrator_statistics *statistics);

#endif
