/* microstrip_card.h - the parameters that models of all microstrip parts have. */
#ifndef DEVICES_MICROSTRIP_MICROSTRIP_CARD_H
#define DEVICES_MICROSTRIP_MICROSTRIP_CARD_H

#include "devices/device.h"
#include "devices/microstrip/microstrip.h"

enum {
    STRIP_WIDTH,
    STRIP_HEIGHT,
    STRIP_THICKNESS,
    STRIP_PERMITTIVITY,
    STRIP_LOSS,
    STRIP_RESISTIVITY,
    STRIP_ROUGHNESS,
    STRIP_MODEL,
    STRIP_DISPERSION,
    STRIP_ROWS
};

/* The first rows of a table of parameters; ngspice's values. */
#define STRIP_TABLE                                                                                                    \
    [STRIP_WIDTH] = {"w", "m", 1e-3, DBL_MIN, INFINITY, "width of the strip", NULL},                                   \
    [STRIP_HEIGHT] = {"h", "m", 1e-3, DBL_MIN, INFINITY, "height of the substrate", NULL},                             \
    [STRIP_THICKNESS] = {"t", "m", 35e-6, 0, INFINITY, "thickness of the strip; 0: none, and no losses in it", NULL},  \
    [STRIP_PERMITTIVITY] = {"er", "", 9.8, 1, INFINITY, "relative permittivity of the substrate", NULL},               \
    [STRIP_LOSS] = {"tand", "", 2e-4, 0, INFINITY, "tangent of the substrate's loss angle", NULL},                     \
    [STRIP_RESISTIVITY] = {"rho", "ohm*m", 0.022e-6, 0, INFINITY, "resistivity of the strip", NULL},                   \
    [STRIP_ROUGHNESS] = {"d", "m", 0.15e-6, 0, INFINITY, "roughness of the substrate, root mean square", NULL},        \
    [STRIP_MODEL] = {"model", "", 0, 0, 3, "0: Hammerstad, 1: Kirschning (pairs), 2: Wheeler, 3: Schneider", NULL},    \
    [STRIP_DISPERSION] = {"disp",                                                                                      \
                          "",                                                                                          \
                          0,                                                                                           \
                          0,                                                                                           \
                          7,                                                                                           \
                          "dispersion 0: Kirschning, 1: Kobayashi, 2: Yamashita, 3: Hammerstad, 4: Getsinger, "        \
                          "5: Schneider, 6: Pramanick, 7: none",                                                       \
                          NULL}

/* The strip of these rows; KN_ERROR_DECK with an error where there are no formulas for its mode. */
enum kn_status strip_card_read(struct microstrip *out, const double *rows, enum microstrip_mode mode,
                               const struct model *model, struct kn_diagnostics *d);
/* An error at the model; KN_ERROR_DECK. */
enum kn_status strip_card_fail(const struct model *model, struct kn_diagnostics *d, const char *what);

#endif
