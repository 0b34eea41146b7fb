/* noise.h - the noise of a device at a point: independent currents between two of its unknowns.
 *
 * A density is one-sided, A^2/Hz at f (Hz), and of the form  density / f^exponent, or density times a function of f.
 */
#ifndef DEVICES_NOISE_H
#define DEVICES_NOISE_H

#include "netlist/circuit.h"

#include <stdbool.h>
#include <stddef.h>

/* Between which unknowns (0 is ground) a current flows and what it is called: "rb", "1overf" as in ngspice. */
struct noise_place {
    const struct element *element;
    const char *mechanism; /* NULL: the only one that elements of the kind have */
    int plus, minus;
};

struct noise_source {
    struct noise_place at;
    double density;
    double exponent; /* 0: white */
    /* One current may flow in two places at once, as in both ports of a line: there `twin` times as large; 0: nowhere. */
    double twin;
    int twin_plus, twin_minus;
    /* What the density is multiplied by at a frequency; NULL: 1.  */
    double (*spectrum)(const void *of, double frequency);
    const void *of;
};

struct noise_list {
    struct noise_source *sources;
    size_t count, capacity;
};

/* All return false without memory. */
bool noise_add(struct noise_list *list, const struct noise_source *source);
/* 4 k T g (Johnson 1928; Nyquist 1928), g in S, T in K; nothing where both ends are one unknown. */
bool noise_add_thermal(struct noise_list *list, struct noise_place at, double conductance, double kelvin);
/* The currents that a passive two-port of one temperature sends out of its shorted ports have the densities 4 k T Re Y_jk
 * (R. Twiss, J. Appl. Phys. 26 (1955) 599), Y11 = Y22 = (Y_even + Y_odd)/2, Y12 = (Y_even - Y_odd)/2 of one that looks the same from
 * both ends: one of 2 k T Re Y_even that goes through both ports alike, and one of 2 k T Re Y_odd that comes out of the second as it
 * enters the first.  ends: of both ports; conductance(of[0]), (of[1]): Re Y_even, Re Y_odd at a frequency. */
bool noise_add_two_port(struct noise_list *list, const struct element *element, const int ends[4], double kelvin,
                        double (*conductance)(const void *of, double frequency), const void *const of[2]);
/* 2 q |i| (Schottky 1918). */
bool noise_add_shot(struct noise_list *list, struct noise_place at, double current);
/* A^2/Hz at a frequency (Hz), and that for a density of 1. */
double noise_density(const struct noise_source *s, double frequency);
double noise_shape(const struct noise_source *s, double frequency);
/* Whether the density is the same at all frequencies. */
static inline bool noise_is_white(const struct noise_source *s)
{
    return s->exponent == 0 && !s->spectrum;
}
/* The response to its current, from those to a current into each unknown: y[unknown - 1]. */
double _Complex noise_response(const struct noise_source *s, const double _Complex *y);
double noise_response_real(const struct noise_source *s, const double *y);
void noise_list_free(struct noise_list *list);

/* m devices in parallel that share a current, each with Kf |i|^Af (SPICE's flicker noise); f and geometry aside. */
double noise_flicker(double kf, double af, double current, double parallel);

#endif
