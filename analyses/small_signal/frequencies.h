/* frequencies.h - the walk along the frequencies of .ac, .noise and .sens. */
#ifndef ANALYSES_SMALL_SIGNAL_FREQUENCIES_H
#define ANALYSES_SMALL_SIGNAL_FREQUENCIES_H

#include "analyses/setup.h"

/* How many there are. */
size_t frequencies_count(const struct frequency_sweep *f);
/* Number k from 0; NAN behind the last one. */
double frequencies_at(const struct frequency_sweep *f, size_t k);
/* Calls visit for each (Hz) with its number from 0, tells progress and ends where it fails or the run is to end. */
enum kn_status frequencies_walk(struct setup *s, const struct frequency_sweep *f,
                                enum kn_status (*visit)(void *context, size_t number, double frequency), void *context);

#endif
