/* stabilise.h - .options ggl: a run with its hidden constraints stated (mna/stabilised/ggl.h), and what the user hears about it.
 */
#ifndef ANALYSES_STABILISE_H
#define ANALYSES_STABILISE_H

#include "mna/mna.h"
#include "mna/stabilised/ggl.h"

/* The equations of a run from 0 to stop (s) with their hidden constraints stated; a note says so.  *out is NULL, with a
 * note or a warning, where there are none or where they cannot be stated. */
enum kn_status stabilise(const struct mna *m, double stop, struct kn_diagnostics *d, struct ggl **out);

/* After a run that failed: names the method when it is the reason. */
void stabilise_blame_method(const struct mna *m, const struct ggl *s, const char *method, struct kn_diagnostics *d);

#endif
