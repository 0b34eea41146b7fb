/* transient.h - a run in time: wires the circuit's DAE to an integrator and its rows to a sink. */
#ifndef ANALYSES_TRANSIENT_H
#define ANALYSES_TRANSIENT_H

#include "analyses/setup.h"
#include "integrators/integrator.h"

/* ---- a run that can wait ---- */

struct transient_course;

/* To its first point; what is handed over must outlive it.  transient_end is due in any case. */
enum kn_status transient_begin(struct setup *s, const struct transient *request, struct kn_sink *sink,
                               struct analysis_summary *summary, struct transient_course **out);
/* On to a time (s), exactly, or to tstop; and until one more step has been made. */
enum kn_status transient_to(struct transient_course *run, double time);
enum kn_status transient_step(struct transient_course *run);
/* What the caller gives to sources jumps where the run is. */
void transient_jump(struct transient_course *run);
/* Where it is; during a step that the caller is asked about, at its end. */
struct transient_point {
    double time;     /* s */
    const double *x; /* [n] */
    struct integrator *method;
};
struct transient_point transient_now(const struct transient_course *run);
/* Ends it with the status that its last part had: KN_OK where it is complete.  Returns the status of the whole. */
enum kn_status transient_end(struct transient_course *run, enum kn_status status);

/* All of it. */
enum kn_status transient_run(struct setup *s, const struct transient *request, struct kn_sink *sink,
                             struct analysis_summary *summary);
/* The same with a set-up of its own. */
enum kn_status transient_alone(const struct circuit *c, const struct transient *request,
                               const struct analysis_options *o, struct kn_diagnostics *d, struct kn_sink *sink,
                               struct analysis_summary *summary);

#endif
