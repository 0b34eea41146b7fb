/* soi.h - the transistor on insulator as its size and temperature make it, and what it does at a bias.
 *
 * BSIMSOIv3.2 MOSFET Model Users' Manual (2004): BSIM3's channel with a body of its own, which floats unless there is a
 * contact, so that the currents into it count (junctions with their bipolar transistor, impact ionisation, tunnelling), and
 * which the substrate controls where it is fully depleted (soimod 1 and 2).  Its equations are those of Berkeley's programs,
 * whose physical constants are rounded and belong to the model.
 */
#ifndef DEVICES_BSIMSOI_SOI_H
#define DEVICES_BSIMSOI_SOI_H

#include "devices/bsimsoi/soi_rows.h"
#include "devices/bsimsoi/soi_value.h"

#include <stdbool.h>

#define SOI_OXIDE     3.453133e-11 /* F/m */
#define SOI_BOLTZMANN 1.3806226e-23

/* A card and an element as their parameters are. */
struct soi_device {
    const double *p, *own;
    const bool *given, *own_given;
    double sign;
    double kelvin, nominal; /* K */
};

/* What temperature makes of the parameters; without heat all derivatives are 0. */
struct soi_warmth {
    struct soi_value kelvin, over;           /* T; T/Tnom - 1 */
    struct soi_value thermal;                /* kT/q */
    struct soi_value built_in, substrate;    /* vbi; flat band of body and substrate, V */
    struct soi_value bipolar, injected;      /* A/m^2: isbjt, isdif */
    struct soi_value recombined, tunnelling; /* A/m^2: isrec, istun */
    struct soi_value high_injection;         /* ahli */
    struct soi_value mobility, velocity;     /* u0, vsat */
    struct soi_value resistance;             /* rdsw, ohm */
    struct soi_value ua, ub, uc;
    struct soi_value forward, reverse; /* emission of recombination, V */
};

/* Diffusions of source or drain on the buried oxide (F of all of one transistor). */
struct soi_bottom {
    double most, least; /* F, at low and high voltages of a p-substrate below an n-channel */
    double wall;        /* F */
};

struct soi_law {
    double p[SOI_BINNED_COUNT];
    const double *card;
    double sign, kelvin, nominal;
    int body; /* soimod 0, 1, 2 */
    bool heats, tunnels_to_channel, tunnels_to_body, no_bipolar;
    double segments, edges; /* nseg, nbc */
    /* V, F/m^2, m */
    double length, width, ends[2] /* widths of the junctions, drain and source */;
    double oxide, buried, film; /* Cox, Cbox, Csi */
    double phi, root_phi, depletion, litl, diffused /* cdep0 */, debye;
    double k1, k2, flat_band, characteristic /* sqrt(eps/eps_ox tox) */;
    double drain_threshold, drain_output;                     /* theta0vb0, thetaRout */
    double width_power;                                       /* (weff um)^wr */
    double doping_charge;                                     /* qsi */
    double early, lengthened, bipolar_share, injection_share; /* vearly, lratio, arfabjt, lratiodif */
    double tunnel[4];                                         /* A and B of channel and edges */
    double edge_flat_band, oxide_ratio;
    /* charges */
    double charge_oxide, channel, channel_body, back;   /* F */
    double bulk_factor;                                 /* of Abulk */
    double overlap[2], depleting[2], substrate_overlap; /* F */
    double junction[2];                                 /* F at tnom, drain and source */
    struct soi_bottom bottom[2];
    double flat, turn, threshold; /* of the bottoms: vsdfb, where the bend turns, vsdth */
    bool inverts;                 /* substrate and channel are of different kinds */
    /* around it, of one transistor */
    double heat_resistance, heat_capacity, gate_conductance, contact_conductance;
    struct soi_warmth warmth; /* at its own temperature */
};

/* Voltages against the source where vds >= 0, against the drain elsewhere, and the temperature it has by its own heat. */
struct soi_bias {
    double at[SOI_VARIABLES];
    bool reversed; /* ends have changed places */
};

/* From the threshold on. */
struct soi_channel {
    struct soi_value v[SOI_VARIABLES];            /* the bias; V, K */
    struct soi_value gate;                        /* behind the gate's depletion */
    struct soi_value body, body_high, root;       /* Vbseff, Vbsh, sqrt(Phis) */
    struct soi_value depth, threshold, swing;     /* Xdep, Vth, n */
    struct soi_value above, over, over_thermal;   /* Vgst, Vgsteff, Vgsteff + 2 kT/q */
    struct soi_value width, resistance;           /* Weff, Rds */
    struct soi_value bulk, bulk_plain;            /* Abulk, Abulk0 */
    struct soi_value mobility, conductance, drop; /* ueff, beta, Weff vsat Cox Rds */
    struct soi_value critical, slack;             /* Esat L, 1/lambda */
    struct soi_value saturation, drain, rest;     /* Vdsat, Vdseff, Vds - Vdseff */
    struct soi_value current, slope;              /* Ids, Idl/Vdseff */
    bool resists;
};

enum soi_current {
    SOI_CHANNEL,       /* drain to source, with that of the bipolar transistor */
    SOI_IONISED,       /* drain to body, with tunnelling there */
    SOI_SOURCE_TUNNEL, /* source to body */
    SOI_DRAIN_DIODE,   /* body to drain */
    SOI_SOURCE_DIODE,  /* body to source */
    SOI_GATE_BODY,
    SOI_GATE_SOURCE,
    SOI_GATE_DRAIN,
    SOI_CURRENTS
};

enum soi_charge {
    SOI_ON_GATE,
    SOI_ON_SOURCE,
    SOI_ON_BODY,
    SOI_ON_SUBSTRATE, /* and on the drain what is left */
    SOI_DRAIN_JUNCTION,
    SOI_SOURCE_JUNCTION, /* on the body's side */
    SOI_CHARGES
};

struct soi_point {
    struct soi_channel channel;
    struct soi_value current[SOI_CURRENTS], charge[SOI_CHARGES];
    struct soi_value diffused[2];     /* A: what tt makes charges of, drain and source */
    struct soi_value heat;            /* W */
    struct soi_value gate_resistance; /* S of the channel's part, rgatemod 2 and 3 */
    double inversion;                 /* C */
};

/* Numbers of a size at a temperature; false where the effective length or width is nothing. */
bool soi_prepare_law(const struct soi_device *t, struct soi_law *law);
/* By how much (K) it is warmer than law->kelvin. */
void soi_warm(const struct soi_law *law, struct soi_value rise, struct soi_warmth *w);

/* Charges too where asked for. */
void soi_evaluate(const struct soi_law *law, const struct soi_bias *at, bool charges, struct soi_point *o);
/* Its parts, in this order. */
void soi_find_threshold(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c);
void soi_find_current(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c);
void soi_find_body(const struct soi_law *law, const struct soi_warmth *w, bool reversed, struct soi_point *o);
void soi_find_tunnelling(const struct soi_law *law, const struct soi_warmth *w, struct soi_point *o);
void soi_find_charges(const struct soi_law *law, const struct soi_warmth *w, bool reversed, struct soi_point *o);

/* Between two nodes alone: charge of an overlap of the gate with drain (side 0) or source (1), and of these on the
 * substrate by their voltage against it, whatever the channel is. */
double soi_overlap(const struct soi_law *law, int side, double v, double *slope);
double soi_bottom_charge(const struct soi_law *law, int side, double v, double *slope);

#endif
