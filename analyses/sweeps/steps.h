/* steps.h - sweeps of whole analyses: .step, .mc, and `sweep` on the cards of analyses; their runs on all cores. */
#ifndef ANALYSES_SWEEPS_STEPS_H
#define ANALYSES_SWEEPS_STEPS_H

#include "analyses/run.h"

bool steps_wanted(const struct run_request *r);
/* Adds the errors of the cards. */
enum kn_status steps_check(const struct run_request *r);
/* All analyses of the deck for all steps: the rows of all steps of an analysis become one table.  A run that fails is
 * said, and the others go on; the status is that of the last that did. */
enum kn_status steps_run(const struct run_request *r);
/* Makes runs for a steps_run elsewhere. */
enum kn_status steps_serve(const struct run_request *r, const struct kn_service *service);

#endif
