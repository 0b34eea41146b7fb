/* contributions.h - what each mechanism of each device adds to the noise at an output, at a frequency and integrated.
 *
 * Densities are V^2/Hz (or A^2/Hz) at the output.  Between two frequencies each of them is a straight line over
 * logarithms, a f^e, and is integrated as that, exactly.
 */
#ifndef ANALYSES_SMALL_SIGNAL_CONTRIBUTIONS_H
#define ANALYSES_SMALL_SIGNAL_CONTRIBUTIONS_H

#include "mna/mna.h"

#include <complex.h>

/* A sum of some mechanisms next to each other: one of a device, or all of them. */
struct contributor {
    const char *name; /* "q1_rb", "q1" */
    size_t first, count;
};

struct contributions {
    struct noise_list sources;
    struct arena *arena;
    struct contributor *list; /* those that have columns */
    size_t count, capacity;
    double *density, *before;   /* [sources] at the frequency of the last visit and at the one in front of it, .. */
    double *root, *root_before; /* .. and their square roots */
    double *output, *input;     /* [sources] integrals up to it: at the output, and referred to the input */
    double frequency, gain;     /* of the last visit; |gain| squared */
    bool begun;
};

/* The mechanisms at a point x.  Columns for all devices, or for those of .print alone.  Free with contributions_free, also
 * after a failure. */
enum kn_status contributions_init(struct contributions *c, struct mna *m, const double *x, bool all);
void contributions_free(struct contributions *c);

/* The next frequency (Hz): y [n] is the response at the output to a current of 1 A into each equation, gain2 the squared
 * gain from the input.  Returns the density of all together. */
double contributions_visit(struct contributions *c, double frequency, const double complex *y, double gain2);
/* A density referred to the input: infinite where nothing of that arrives, but of nothing nothing. */
double contributions_referred(double density, double gain2);
/* Density at the last frequency of contributor k. */
double contributions_density(const struct contributions *c, size_t k);
/* Integral over the frequencies so far of contributor k, or of all (k = count); at the output or referred to the input. */
double contributions_integral(const struct contributions *c, size_t k, bool input);

#endif
