/* steps.h - .step: all analyses of a deck for each combination of values. */
#ifndef ANALYSES_STEPS_H
#define ANALYSES_STEPS_H

#include "analyses/run.h"

bool steps_wanted(const struct circuit *c);
/* Adds the errors of the cards. */
enum kn_status steps_check(const struct run_request *r);
/* One analysis, for all steps: the rows of all of them become one table.  A step that fails is said, and the others go
 * on; the status is that of the last that did. */
enum kn_status steps_run(const struct run_request *r, const struct analysis *a, size_t number);

#endif
