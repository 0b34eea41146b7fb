/* attempt.h - where the next step ends, between where it begins and where one must end. */
#ifndef INTEGRATORS_DRIVE_ATTEMPT_H
#define INTEGRATORS_DRIVE_ATTEMPT_H

#include "integrators/integrator.h"

/* From t to where a step must end, and why (s). */
struct stretch {
    double t, end;
    enum step_limit reason;
};

/* Equal steps, at most as long as `size`. */
struct step_attempt attempt_even(const struct stretch *s, double size);
/* A step of that size, to the end if that is near, half way if one more step would be left over. */
struct step_attempt attempt_free(const struct stretch *s, double step, enum step_limit limit);

/* Takes the length of the step that m has made into the shortest and longest ones. */
void attempt_measure(const struct integrator *m, struct integrator_statistics *statistics);

#endif
