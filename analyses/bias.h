/* bias.h - .savebias FILE [time=T]: the node voltages of an operating point, or of a transient at a time, for the caller
 * to keep as .nodeset cards. */
#ifndef ANALYSES_BIAS_H
#define ANALYSES_BIAS_H

#include "analyses/setup.h"

/* Of the first card with a time; NULL: none, or nobody takes it.  *time (s) is then set. */
const struct analysis_card *bias_in_time(const struct setup *s, double *time);
/* The voltages of all nodes at a point x, in a table whose `plot` is the name of the file. */
enum kn_status bias_send(const struct setup *s, const struct analysis_card *card, const double *x);

#endif
