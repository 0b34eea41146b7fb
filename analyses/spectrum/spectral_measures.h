/* spectral_measures.h - .measure of the lines of .four and .fft cards. */
#ifndef ANALYSES_SPECTRUM_SPECTRAL_MEASURES_H
#define ANALYSES_SPECTRUM_SPECTRAL_MEASURES_H

#include "analyses/spectrum/lines.h"

/* What is asked of the number-th card; NULL in *out: nothing.  results as measure_new has them. */
enum kn_status spectral_measures_new(const struct circuit *c, size_t number, double *results,
                                     struct measurements **out);
/* After the run; l->extras are the variables of the measurements.  without: the card has been left out. */
enum kn_status spectral_measures_report(struct measurements *all, const struct circuit *c, size_t number,
                                        const struct lines *l, bool without, const struct measure_listener *listener);

#endif
