/* spectral_tables.h - the lines of a .four or .fft card as tables. */
#ifndef ANALYSES_SPECTRUM_SPECTRAL_TABLES_H
#define ANALYSES_SPECTRUM_SPECTRAL_TABLES_H

#include "analyses/spectrum/lines.h"

/* One of the lines, and one row with what they say about distortion. */
enum kn_status spectral_tables(const struct circuit *c, const struct lines *l, struct kn_sink *sink);

#endif
