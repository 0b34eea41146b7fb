/* transient.h - a run in time: wires the circuit's DAE to an integrator and its rows to a sink. */
#ifndef ANALYSES_TRANSIENT_H
#define ANALYSES_TRANSIENT_H

#include "analyses/setup.h"

enum kn_status transient_run(struct setup *s, const struct transient *request, struct kn_sink *sink,
                             struct analysis_summary *summary);
/* The same with a set-up of its own. */
enum kn_status transient_alone(const struct circuit *c, const struct transient *request,
                               const struct analysis_options *o, struct kn_diagnostics *d, struct kn_sink *sink,
                               struct analysis_summary *summary);

#endif
