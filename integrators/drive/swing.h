/* swing.h - sources that swing, and steps that are long beside their periods.
 *
 * Errors are seen at a few points of a step, where a source that swings looks alike if steps are whole periods: a sine of 1 V had rows
 * of 11 V.  And what waits for its crest, a rectifier, sleeps through steps that never end there.  So steps longer than an eighth of a
 * period end at its crests and zeros, in linear circuits as many eighths as a method has points inside; those of who follows the sine
 * are shorter. */
#ifndef INTEGRATORS_DRIVE_SWING_H
#define INTEGRATORS_DRIVE_SWING_H

#include "integrators/integrator.h"

struct swing {
    const struct integrator *method;
    double period; /* s, the shortest until the next breakpoint; INFINITY: none swings */
};

/* At the start, and behind each breakpoint. */
void swing_restart(struct swing *s, double t);
/* Where a step of that size from t is to end at the latest; INFINITY: anywhere. */
double swing_end(const struct swing *s, double t, double step);

#endif
