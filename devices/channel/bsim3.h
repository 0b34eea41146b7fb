/* bsim3.h - currents and charges of the BSIM3v3.3 transistor, n-channel, of three voltages.
 *
 * Equations: W. Liu, X. Jin, X. Xi, J. Chen, M.-C. Jeng, Z. Liu, Y. Cheng, K. Chen, M. Chan, K. Hui, J. Huang, R. Tu,
 * P. K. Ko, C. Hu, BSIM3v3.3 MOSFET Model Users' Manual, University of California, Berkeley (2005), appendix B; numbers
 * in comments are those of its equations.  Where the manual's functions would change their sign or have a pole, Berkeley's
 * program bends them (bsim_at_least); its physical constants are rounded and belong to the model.
 *
 * Three stages: what size and temperature decide is done once (struct bsim3_law), what the bulk decides is done once more
 * for a bulk at its source (struct bsim_body, law->rest), the rest at every evaluation.
 */
#ifndef DEVICES_CHANNEL_BSIM3_H
#define DEVICES_CHANNEL_BSIM3_H

#include "devices/channel/bsim_body.h"
#include "devices/channel/mosfet_levels.h"

#include <stdbool.h>

#define BSIM3_OXIDE 3.453133e-11 /* F/m */

/* Parameters with parts by size. */
enum bsim3_binned {
#define ROW(symbol, ...) BSIM3_##symbol,
#include "devices/channel/bsim3_binned.def"
#undef ROW
    BSIM3_BINNED_COUNT
};

struct bsim3_law {
    double p[BSIM3_BINNED_COUNT]; /* for this size and temperature */
    int mobility;                 /* mobmod */
    struct bsim_overdrive_law overdrive;
    struct bsim_charge_law charges;
    double thermal, warmth;                  /* kT/q, V; T/Tnom - 1 */
    double oxide, tox;                       /* F/m^2, m */
    double length, width;                    /* effective, m */
    double phi, root_phi, built_in;          /* V, V^1/2, V */
    double depletion, depletion_capacitance; /* of the bulk: width at vbs = 0, m; F/m^2 */
    double saturation_length;                /* m */
    double k1, k2;                           /* for this oxide */
    double least_bulk;                       /* V, below 0 */
    double gate_flat_band;                   /* of the depleting gate, V */
    double threshold;                        /* what the bulk does not change in it, V */
    double narrow;                           /* tox phi/(W + w0), V */
    double lowering, output;                 /* theta_dibl and theta_rout */
    double decay;                            /* sqrt(eps_si/eps_ox tox), m^1/2 */
    double mobility_0, velocity;             /* m^2/Vs, m/s */
    double resistance;                       /* ohm */
    double critical;                         /* 2 vsat L/u0: Esat L at full mobility, V */
    double multiplicity;                     /* of currents */
    double charge_bulk;                      /* factor of Abulk for charges */
    double overlap_source, overlap_drain;    /* cgsl W, cgdl W of all in parallel, F */
    struct bsim_bulk_law bulk;
    struct bsim_body rest; /* at vbs = 0 */
};

/* At one bias with vds >= 0. */
struct bsim3_point {
    struct mosfet_value current, substrate; /* from drain to source, from drain to bulk, A */
    struct bsim_terminal_charges charges;
    struct bsim_state state; /* of one */
};

enum { BSIM3_CURRENTS = 1, BSIM3_CHARGES = 2 };

/* `what` of a point; the voltages come against the end that acts as source. */
void bsim3_evaluate(const struct bsim3_law *law, double vgs, double vds, double vbs, unsigned what,
                    struct bsim3_point *out);

/* Fills law->rest from all else. */
void bsim3_prepare_body(struct bsim3_law *law);

/* ---- for the files of the law ---- */

/* The body at vbs: law->rest, or *own, which is filled. */
const struct bsim_body *bsim3_body(const struct bsim3_law *law, double vbs, struct bsim_body *own);

#endif
