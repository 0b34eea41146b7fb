/* mosfet_levels.h - channel currents of SPICE's levels above 1, for one n-channel transistor with vds >= 0.
 *
 * Each level is a file and a function that fills struct mosfet_channel.  Equations of levels 2 and 3: A. Vladimirescu
 * and S. Liu, The Simulation of MOS Integrated Circuits Using SPICE2, UCB/ERL M80/7 (1980); Antognetti and Massobrio
 * 1988, ch. 4.  Level 6: T. Sakurai and A. R. Newton, IEEE J. Solid-State Circuits 26 (1991) 122.  Terminal charges are
 * those of mosfet_model.h at all levels, with the level's own phi, gamma and flat band.
 */
#ifndef DEVICES_CHANNEL_MOSFET_LEVELS_H
#define DEVICES_CHANNEL_MOSFET_LEVELS_H

#include "devices/channel/mosfet_value.h"

#include <stdbool.h>

/* Numbers of one transistor at its temperature; those in comments with a number belong to that level alone. */
struct mosfet_higher {
    int level;
    double built_in, phi, gamma; /* as in struct mosfet_law: V, V, V^1/2 */
    double beta;                 /* A/V^2, m W/L included */
    double thermal;              /* kT/q, V */
    double length;               /* effective, m */
    double junction, lateral;    /* depth of source and drain and their way under the gate, m */
    double depletion;            /* width of the depletion layer under 1 V, m/V^1/2; 0: doping not known */
    double narrow;               /* share of the bulk's charge at the edges of the width */
    double surface_states;       /* q nfs/Cox */
    double mobility;             /* m^2/Vs */
    double velocity;             /* largest, m/s; 0: no limit */
    /* 2 */
    double lambda, critical_voltage, critical_exponent, channel_charge, bulk_root;
    /* 3 */
    double theta, feedback, kappa;
    /* 6 */
    double saturation_factor, saturation_exponent, current_exponent, straight_body, feedback_6, lambda_body;
};

struct mosfet_channel {
    struct mosfet_value current;
    double threshold, saturation; /* V, against the source */
};

typedef void mosfet_level(const struct mosfet_higher *m, double vgs, double vds, double vbs,
                          struct mosfet_channel *out);
mosfet_level mosfet_level_2, mosfet_level_3, mosfet_level_6;

/* sqrt(phi - v), and for v > phi's zero bias SPICE's curve sqrt(phi)/(1 + v/(2 phi)), which never ends; its derivative
 * with respect to v comes with it, and its own derivatives, which levels 2 and 3 need. */
struct mosfet_bulk_root {
    struct mosfet_value root, slope;
};
struct mosfet_bulk_root mosfet_bulk_root(double phi, struct mosfet_value v);

/* exp((vgs - on)/scale) below `on`, 1 above. */
struct mosfet_value mosfet_weak_inversion(struct mosfet_value gate, struct mosfet_value on, struct mosfet_value scale);

/* The voltages themselves, with slope 1. */
static inline struct mosfet_value mosfet_gate_voltage(double v)
{
    return (struct mosfet_value){v, 1, 0, 0};
}
static inline struct mosfet_value mosfet_drain_voltage(double v)
{
    return (struct mosfet_value){v, 0, 1, 0};
}
static inline struct mosfet_value mosfet_bulk_voltage(double v)
{
    return (struct mosfet_value){v, 0, 0, 1};
}

#endif
