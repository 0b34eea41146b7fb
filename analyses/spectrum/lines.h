/* lines.h - one .four or .fft card while the run goes on: sums and samples of its signals. */
#ifndef ANALYSES_SPECTRUM_LINES_H
#define ANALYSES_SPECTRUM_LINES_H

#include "analyses/measure/measure.h"
#include "analyses/spectrum/distortion.h"

struct lines {
    const struct spectrum_request *card;
    struct signal *signals; /* of the card .. */
    size_t signal_count;
    size_t *extras; /* .. and behind them numbers of variables, which measurements mention */
    size_t extra_count;
    double from, to; /* s, of the run */
    double base;     /* Hz, distance of lines */
    size_t count;    /* lines, the mean included */
    double complex
        *phasors;    /* [signals and extras][count]: .four: integrals so far, then amplitudes with their phases */
    double *samples; /* [signals and extras][points] of .fft */
    size_t sampled;  /* so many of each */
    double *scales, *workspace; /* of curve_split */
};

/* Those of a card, and of variables (NULL: none) that have been found in another set; false without memory, lines_free is
 * due all the same. */
bool lines_init(struct lines *l, struct signal_set *set, const struct spectrum_request *card,
                const struct transient *run, const struct signal_set *extras);
void lines_free(struct lines *l);
/* numbers [numbers of the set] is a workspace. */
enum kn_status lines_piece(struct lines *l, const struct measure_piece *piece, double *numbers);
/* After the run: sums and samples become phasors. */
enum kn_status lines_finish(struct lines *l);

static inline double complex *lines_of(const struct lines *l, size_t signal)
{
    return l->phasors + signal * l->count;
}

/* The first line that is not the window's picture of the mean, which falls with the distance from it. */
size_t lines_first(const struct lines *l, const double complex *phasors);
/* frequency (Hz) and harmonics: of a measurement, 0: those of the card. */
bool lines_distortion(const struct lines *l, size_t signal, double frequency, long harmonics, struct distortion *out);

#endif
