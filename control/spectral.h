/* spectral.h - linearize, cutout, fourier, fft, psd and spec: vectors of a transient on an even scale, and in frequencies. */
#ifndef CONTROL_SPECTRAL_H
#define CONTROL_SPECTRAL_H

#include "control/script/state.h"

/* Vectors lin-tstart, lin-tstop and lin-tstep of a plot say from where to where and how far apart its even times are,
 * cut-tstart and cut-tstop which of its times are kept. */
bool spectral_is_setting(const char *name);
bool spectral_linearize(struct state *s, const char *rest);
bool spectral_cutout(struct state *s, const char *rest);
bool spectral_fourier(struct state *s, const char *rest);
bool spectral_fft(struct state *s, const char *rest);
bool spectral_psd(struct state *s, const char *rest);
bool spectral_spec(struct state *s, const char *rest);

#endif
