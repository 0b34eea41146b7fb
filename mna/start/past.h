/* past.h - operating points of circuits that come from another one (.dc): switches with hysteresis stay on the side on which they
 * are until what controls them passes the other threshold. */
#ifndef MNA_START_PAST_H
#define MNA_START_PAST_H

#include "mna/start/operating_point.h"

/* Switching functions, all of them; of those that remember nothing the side is 0. */
size_t past_count(const struct mna *m);
/* operating_point with the sides [past_count] from which the circuit comes, 0: the control alone decides; they become those at
 * x.  Where o->start is given, points behind a switch that turns over are looked for from the one that has turned it. */
enum kn_status past_operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                                    struct kn_diagnostics *d, double *sides, double *x,
                                    struct operating_report *report);
/* operating_point without a past, where switches that are marked `on` are on if there is such a point. */
enum kn_status past_marked_operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                                           struct kn_diagnostics *d, double *x, struct operating_report *report);
/* From now on operating points have no past. */
void past_forget(struct mna *m);

#endif
