/* cyclic_noise.h - .pnoise of driven circuits: noise at an output of a periodic steady state. */
#ifndef ANALYSES_PERIODIC_CYCLIC_NOISE_H
#define ANALYSES_PERIODIC_CYCLIC_NOISE_H

#include "analyses/periodic/periodic.h"

/* Whether the card names an output, and so asks for this. */
bool cyclic_noise_is_asked(const struct analysis_card *card);
enum kn_status cyclic_noise_check(struct setup *s, const struct analysis_card *card);
enum kn_status cyclic_noise_run(struct setup *s, const struct analysis_card *card, struct kn_sink *sink,
                                struct analysis_summary *summary);

#endif
