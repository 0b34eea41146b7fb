/* bsim4.h - currents and charges of the BSIM4.8 transistor, n-channel, of three voltages.
 *
 * Equations: N. Paydavosi, T. H. Morshed, D. D. Lu, W. Yang, M. V. Dunga, X. Xi, J. He, W. Liu, K. M. Cao, X. Jin, J. J. Ou,
 * M. Chan, A. M. Niknejad, C. Hu, BSIM4v4.8.0 MOSFET Model User's Manual, University of California, Berkeley (2013);
 * numbers in comments are those of its equations.  What it has in common with BSIM3 is in bsim_channel.h and bsim_charge.h.
 *
 * Three stages as in bsim3.h: what size and temperature decide (struct bsim4_law), what the bulk decides (struct
 * bsim_body; law->rest for a bulk at its source), the rest at every evaluation.  Everything is of one finger.
 */
#ifndef DEVICES_CHANNEL_BSIM4_H
#define DEVICES_CHANNEL_BSIM4_H

#include "devices/channel/bsim_body.h"

#include <stdbool.h>

#define BSIM4_VACUUM 8.85418e-12 /* F/m, Berkeley's */

/* Parameters with parts by size. */
enum bsim4_binned {
#define ROW(symbol, ...) BSIM4_##symbol,
#include "devices/channel/bsim4_binned.def"
#undef ROW
    BSIM4_BINNED_COUNT
};

/* A current through an oxide: scale v f exp(rate (a + (a c - b) x - b c x^2)), 4.2 to 4.4. */
struct bsim4_tunnel {
    double scale, rate, a, b, c;
};

/* Tunnelling from drain or source to the bulk (6.2). */
struct bsim4_edge {
    double scale; /* a of it times a width, S */
    double b, c, e, r, k, f;
};

struct bsim4_law {
    double p[BSIM4_BINNED_COUNT]; /* for this size and temperature */
    int mobility;                 /* mobmod */
    int gate_channel, gate_bulk;  /* igcmod, igbmod */
    int edge_law;                 /* gidlmod */
    bool material;                /* mtrlmod */
    struct bsim_overdrive_law overdrive;
    struct bsim_charge_law charges;
    bool charge_overdrive;                  /* cvchargemod: the charges' one is of the same form */
    struct bsim_overdrive_law over_charges; /* then */
    double thermal, warmth;                 /* kT/q, V; T/Tnom - 1 */
    double pocket_thermal, tunnel_thermal;  /* kT/q of pocket implants and of tunnelling, V */
    double oxide, toxe, silicon;            /* F/m^2; m; F/m: of the substrate */
    double gate_scale, gate_from;           /* depletion of the gate: q eps/Cox^2, V m^3; V */
    double length, width, width_junction;   /* effective, m */
    double phi, root_phi, built_in;         /* V, V^1/2, V */
    double depletion;                       /* of the bulk at vbs = 0, m */
    double decay;                           /* sqrt(eps_si/eps_ox toxe), m^1/2 */
    double saturation_length;               /* m */
    double k1ox, k2ox;                      /* for this oxide */
    double least_bulk;                      /* V, below 0 */
    double sign_threshold;                  /* vth0 in the sense of an n-channel, V */
    double threshold;                       /* what the bulk does not change in it, V */
    double lateral, narrow;                 /* sqrt(1 + lpeb/L); toxe phi/(W + w0), V */
    double lowering, output;                /* theta_dibl and theta_rout */
    double pocket_shift;                    /* of dvtp2, V */
    double mobility_0, velocity;            /* m^2/Vs, m/s */
    double mobility_offset, layer_offset;   /* vtfbphi1 and vtfbphi2, V */
    double work_offset;                     /* of the field of other materials, V */
    double coulomb;                         /* Vgsteff at threshold, mobmod = 3, V */
    double resistance, least_resistance;    /* ohm */
    double critical;                        /* 2 vsat L/u0: Esat L at full mobility, V */
    double injection;                       /* vtl times what is not scattered back, m/s; 0: no limit */
    double edge_flat_band;                  /* over source and drain, V */
    double overlap_flat_band;               /* the same with its offset, of tunnelling, V */
    double charge_bulk;                     /* factor of Abulk for charges */
    double overlap_source, overlap_drain;   /* cgsl W, cgdl W of all in parallel, F */
    double pigcd;                           /* NAN: by the bias */
    double fringe;                          /* 1 + pditsl L */
    double edge_thickness;                  /* of 6.2, m */
    double edge_clamp;                      /* gidlclamp, V */
    struct bsim4_tunnel channel, accumulated, inverted, source_oxide, drain_oxide;
    struct bsim4_edge drain_edge, source_edge;
    struct bsim_bulk_law bulk;
    struct bsim_body rest; /* at vbs = 0 */
};

/* At one bias with vds >= 0, of one finger but for the charges. */
struct bsim4_point {
    struct mosfet_value current, substrate;                 /* from drain to source, from drain to bulk, A */
    struct mosfet_value gate_source, gate_drain, gate_bulk; /* tunnelling from the gate, A */
    struct mosfet_value conductance;                        /* beta, A/V^2: of the gate's resistance */
    struct mosfet_value slope;                              /* current/Vdseff, S */
    struct bsim_terminal_charges charges;
    struct bsim_state state;
    double critical;         /* V */
    double layer_oxide;      /* Coxeff, F/m^2 */
    double long_conductance; /* gche, S */
    double charge_bulk;      /* Abulk of the charges */
    double carriers;         /* n*, 1/m^2 */
};

/* Tunnelling at both ends, of the transistor as it stands: functions of vgs, vds and vbs of any sign. */
struct bsim4_ends {
    struct mosfet_value gate_source, gate_drain; /* from the gate, A */
    struct mosfet_value drain_bulk, source_bulk; /* A */
};

enum { BSIM4_CURRENTS = 1, BSIM4_CHARGES = 2 };

/* `what` of a point; the voltages come against the end that acts as source. */
void bsim4_evaluate(const struct bsim4_law *law, double vgs, double vds, double vbs, unsigned what,
                    struct bsim4_point *out);
void bsim4_evaluate_ends(const struct bsim4_law *law, double vgs, double vds, double vbs, struct bsim4_ends *out);

/* Fills law->rest from all else. */
void bsim4_prepare_body(struct bsim4_law *law);

/* ---- for the files of the law ---- */

/* The body at vbs: law->rest, or *own, which is filled. */
const struct bsim_body *bsim4_body(const struct bsim4_law *law, double vbs, struct bsim_body *own);

void bsim4_tunnelling(const struct bsim4_law *law, const struct bsim_body *body, const struct bsim_gate_state *gate,
                      const struct bsim_channel *c, struct bsim4_point *out);

/* 1/(4 sinh(x/2)^2) of x = along/length, the decay of what the ends do (2.3). */
struct bulk_value bsim4_decayed(double along, struct bulk_value length);

#endif
