/* spectral.h - linearize, fourier, fft, psd and spec: vectors of a transient on an even scale, and in frequencies. */
#ifndef CONTROL_SPECTRAL_H
#define CONTROL_SPECTRAL_H

#include "control/script/state.h"

bool spectral_linearize(struct state *s, const char *rest);
bool spectral_fourier(struct state *s, const char *rest);
bool spectral_fft(struct state *s, const char *rest);
bool spectral_psd(struct state *s, const char *rest);
bool spectral_spec(struct state *s, const char *rest);

#endif
