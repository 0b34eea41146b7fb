/* microstrip.h - impedance, effective permittivity and losses of a strip over a substrate on a ground plane, alone or in the even or
 * odd mode of two equal ones.
 *
 * Closed forms of the literature; the names that choose among them are ngspice's, whose numbers Qucs has given
 * (S. Jahn, M. Margraf, V. Habchi, R. Jacob, Qucs Technical Papers, chapters "Microstrip components" and "Coupled").
 */
#ifndef DEVICES_MICROSTRIP_MICROSTRIP_H
#define DEVICES_MICROSTRIP_MICROSTRIP_H

#include <complex.h>

enum microstrip_mode { STRIP_ALONE, STRIP_EVEN, STRIP_ODD };

/* What gives impedance and permittivity at low frequencies.  Kirschning and Jansen's is of pairs, the last two of single strips. */
enum microstrip_model { STRIP_HAMMERSTAD, STRIP_KIRSCHNING, STRIP_WHEELER, STRIP_SCHNEIDER };

/* And how they change with the frequency; of pairs the first, Getsinger's and none. */
enum microstrip_dispersion {
    DISPERSION_KIRSCHNING,
    DISPERSION_KOBAYASHI,
    DISPERSION_YAMASHITA,
    DISPERSION_HAMMERSTAD,
    DISPERSION_GETSINGER,
    DISPERSION_SCHNEIDER,
    DISPERSION_PRAMANICK,
    DISPERSION_NONE
};

struct microstrip {
    enum microstrip_mode mode;
    enum microstrip_model model;
    enum microstrip_dispersion dispersion;
    double width, height, thickness, gap; /* m: of strip and substrate, of the strip, to the other one */
    double permittivity, loss;            /* relative; tangent of the loss angle */
    double resistivity, roughness;        /* ohm m; m, root mean square */
};

/* At low frequencies, of the mode. */
struct microstrip_rest {
    double impedance, permittivity;             /* ohm; effective */
    double alone_impedance, alone_permittivity; /* of a strip of the same width alone and without thickness */
    double empty_impedance;                     /* without substrate, the mean of both modes */
};

/* At a frequency: ohm, neper/m, 1/m.  Each is a power series of it, so that those of f + j h with a tiny h have h times the
 * derivative as their imaginary parts, to the last digit (W. Squire, G. Trapp, SIAM Review 40 (1998) 110). */
struct microstrip_wave {
    double complex impedance, attenuation, phase;
};

#define MICROSTRIP_LIGHT 299792458.0 /* m/s, exact */

struct microstrip_rest microstrip_at_rest(const struct microstrip *m);
/* f: Hz, not 0. */
struct microstrip_wave microstrip_at(const struct microstrip *m, const struct microstrip_rest *rest, double complex f);

/* microstrip_dispersion.c: ohm and effective permittivity. */
struct microstrip_medium {
    double complex impedance, permittivity;
};
struct microstrip_medium microstrip_disperse(const struct microstrip *m, const struct microstrip_rest *rest,
                                             double complex f);

/* 120 pi ohm and 4 pi 1e-7 H/m: the values that the closed forms have been fitted with. */
#define STRIP_OHMS    (120 * 3.14159265358979323846)
#define STRIP_HENRIES (4e-7 * 3.14159265358979323846)

#endif
