/* monitor.h - how well the hidden constraints hold along a run.
 *
 * Hidden are derivatives of equations that no charge enters: the voltages around a C-V loop, and the currents through
 * an L-I cutset, add to zero at all times, so their slopes do.  Slopes of capacitor voltages and inductor currents
 * follow from the charges at one point, C x' = -(f + q_t), without any step: what they miss, taken relative to the
 * largest of them, is the residual (Rodriguez 2001, eq. 2.17; Tischendorf, Surv. Math. Ind. 8 (1999) 187-199).
 */
#ifndef MNA_WATCH_MONITOR_H
#define MNA_WATCH_MONITOR_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

struct monitor;

enum kn_status monitor_new(struct mna *m, const struct topology *t, struct monitor **out);
void monitor_free(struct monitor *s);

/* Looks at the point x [n] at time t; dxdt [n] supplies the slopes of unknowns that no charge depends on. */
enum kn_status monitor_look(struct monitor *s, double t, const double *x, const double *dxdt);

/* A note for each constraint with its largest residual so far, the worst ones first. */
void monitor_report(struct monitor *s, struct kn_diagnostics *d);

#endif
