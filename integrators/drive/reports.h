/* reports.h - what a run says of its steps: why they have collapsed, what fixed ones have cost, where rounding is larger than the
 * tolerance.
 */
#ifndef INTEGRATORS_DRIVE_REPORTS_H
#define INTEGRATORS_DRIVE_REPORTS_H

#include "integrators/drive/growth.h"
#include "integrators/integrator.h"

enum { REMEMBERED_ATTEMPTS = 8 };

struct run_reports {
    const struct integrator *m;
    struct kn_diagnostics *diagnostics;
    struct step_attempt attempts[REMEMBERED_ATTEMPTS];
    long attempt_count;
    long beyond;                 /* fixed steps whose error exceeds the tolerance */
    struct step_attempt largest; /* the one with the largest such error */
    bool noise_reported;
};

void reports_remember(struct run_reports *s, const struct step_attempt *a);
/* A fixed step whose error exceeds the tolerance. */
void reports_see_beyond(struct run_reports *s, const struct step_attempt *a);

/* No step leads on: one message with the last attempts as a table, newest last. */
void report_collapse(const struct run_reports *s);
/* A step that the caller has refused down to that size (s). */
void report_refused(const struct run_reports *s, double from, double step);
void report_unsuitable(const struct run_reports *s, const char *reason);
/* The equations could not be solved; no shorter step is tried where the user has fixed them. */
void report_fixed(const struct run_reports *s, const struct step_attempt *a);
/* Once per run, when round-off divided by the step to `to` (s) exceeds the tolerance (Arnold 1996, regions B and C). */
void report_noise(struct run_reports *s, double to, const struct step_report *report);
/* A switch turns back and forth without end at time t. */
void report_release(const struct run_reports *s, int released, double t);

/* A value has grown out of errors. */
void report_grown(const struct run_reports *s, const struct grown *grown);

/* After a run: where points between steps are those of the interpolant for lack of anything better; what fixed steps cost. */
void report_unsolved(const struct run_reports *s);
void report_beyond(const struct run_reports *s, long accepted);

#endif
