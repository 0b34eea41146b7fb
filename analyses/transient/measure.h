/* measure.h - what the .measure cards of a deck ask for, read from the method's interpolant while a transient runs.
 *
 * Rows of the result are as dense as straight lines between them need, which is not dense enough for times and
 * integrals with the digits of the run.  So crossings are located, extremes refined and integrals summed up within each
 * step.
 */
#ifndef ANALYSES_MEASURE_H
#define ANALYSES_MEASURE_H

#include "integrators/integrator.h"
#include "knoten.h"
#include "mna/mna.h"

struct measurements;

/* n: unknowns of the integrated equations, whose first ones are those of m.  Nothing before `start` (s) counts. */
enum kn_status measure_new(struct mna *m, int n, double start, struct measurements **out);
/* Sets those of the unknowns [n] of the mna that the signals are made of. */
void measure_watch(const struct measurements *all, bool *watched);
void measure_free(struct measurements *all);

/* The point where the run starts, or from which it goes on after a jump. */
void measure_point(struct measurements *all, double t, const double *x);
/* After an accepted step. */
void measure_step(struct measurements *all, struct integrator *m);

/* Hands on the results in the order of the cards, with a warning for each that was not found. */
void measure_report(struct measurements *all, struct kn_diagnostics *d,
                    void (*measured)(void *context, const struct kn_measurement *m), void *context);

#endif
