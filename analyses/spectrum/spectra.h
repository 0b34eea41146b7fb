/* spectra.h - .four and .fft: what a transient is made of, in frequencies, and what .measure asks of that.
 *
 * .four integrates the polynomials of the method's interpolant against e^(-j w t), exactly (fourier.h); .fft reads its
 * samples from them.  Neither looks at rows of the result.
 */
#ifndef ANALYSES_SPECTRUM_SPECTRA_H
#define ANALYSES_SPECTRUM_SPECTRA_H

#include "analyses/measure/measure.h"

struct spectra;

/* NULL in *out where the deck asks for none.  Spectra of more than the run are left out, with a warning.  results are
 * those of measurements as measure_new has them; NULL: nobody wants them. */
enum kn_status spectra_new(const struct circuit *c, const struct transient *run, struct kn_diagnostics *d,
                           double *results, struct spectra **out);
void spectra_free(struct spectra *all);
/* What the looks are to supply. */
const struct signal_set *spectra_signals(const struct spectra *all);

/* The next piece of the run. */
enum kn_status spectra_piece(struct spectra *all, const struct measure_piece *piece);
/* After the run: a table of lines and one of distortions for each card, and the measurements. */
enum kn_status spectra_write(struct spectra *all, const struct measure_listener *listener, struct kn_sink *sink);

#endif
