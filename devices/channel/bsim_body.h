/* bsim_body.h - what the bulk's voltage alone decides in a BSIM3 or BSIM4 transistor, and what gate and channel take from it.
 *
 * BSIM3v3.3 MOSFET Model Users' Manual (2005), appendix B, whose numbers stand in comments; BSIM4.8 MOSFET Model User's Manual
 * (2013), 2.3, 3.1, 5.1 has the same equations but for the law of decay and the bounds of vbs, which the families bring along.
 * It is done once for a bulk at its source, and again where vbs is not 0.
 */
#ifndef DEVICES_CHANNEL_BSIM_BODY_H
#define DEVICES_CHANNEL_BSIM_BODY_H

#include "devices/channel/bsim_charge.h"

/* Parameters with parts by size that both have: the first of each family's own. */
enum bsim_binned {
#define ALL(symbol, ...)  BSIM_##symbol,
#define BULK(symbol, ...) BSIM_##symbol,
#include "devices/channel/bsim_binned.def"
    BSIM_COMMON_COUNT
};

/* How the bulk acts, for one size and temperature; linear forms have a rate and what they are at 0. */
struct bsim_bulk_law {
    double silicon, oxide;           /* F/m; F/m^2 */
    double length, width;            /* effective, m */
    double root_phi, across;         /* V^1/2; built-in potential less phi, V */
    double threshold;                /* what the bulk does not change in it, V */
    double body_effect, linear;      /* threshold by sqrt(Phis), V^1/2, and by Vbseff */
    double bulk;                     /* Abulk - 1 by what is linear */
    double lowering;                 /* theta_dibl */
    double charge_bulk, charge_keta; /* factor of Abulk for charges, and its keta, 1/V */
    double resistance;               /* prwb's part at vbs = 0 */
};

struct bsim_body {
    struct bulk_value threshold;   /* at vds = 0, V */
    struct bulk_value lowering;    /* of the threshold by vds */
    struct bulk_value swing;       /* n - 1 at vds = 0 */
    struct bulk_value swing_drain; /* by vds, 1/V */
    struct bulk_value width;       /* at Vgsteff = 0, m */
    struct bulk_value resistance;  /* prwb's part of the resistance: of a factor, BSIM4: of a sum */
    struct bulk_value bulk;        /* Abulk at Vgsteff = 0, without keta and bends */
    struct bulk_value bulk_gate;   /* its fall with Vgsteff, 1/V */
    struct bulk_value keta;        /* factor of Abulk */
    struct bulk_value mobility;    /* ua + uc vbs, or 1 + uc vbs */
    struct bulk_value output;      /* 1/(1 + pdiblcb vbs) */
    struct bulk_value root;        /* sqrt(Phis), V^1/2 */
    struct bulk_value charges;     /* bulk's voltage as the charges see it, V */
    struct bulk_value charge_bulk; /* Abulk of the charges */
    double depletion_capacitance;  /* F/m^2 */
};

/* Vbseff, sqrt(Phis), Xdep; V, V^1/2, m. */
struct bsim_depths {
    struct bulk_value bulk, root, width;
};

/* Lengths (m) by which effects of short, and of short and narrow channels decay. */
struct bsim_lengths {
    struct bulk_value ends, corner;
};
struct bsim_lengths bsim_lengths_of(const double *p, double decay, const struct bsim_depths *d);

/* All of the body but `mobility` and `charges`; the decays are those of the family's law along its lengths. */
void bsim_find_body(const struct bsim_bulk_law *law, const double *p, const struct bsim_depths *d,
                    const struct bsim_lengths *decays, struct bsim_body *out);

/* What currents and charges have in common: gate against source behind its depletion, n, overdrive (gate - threshold). */
struct bsim_gate_state {
    struct mosfet_value gate, threshold, swing, over;
};
/* Threshold (B.1.1) and n (B.2.1) at a drain voltage. */
void bsim_find_gate(const struct bsim_body *body, double vds, struct bsim_gate_state *g);

/* Of the channel what stands before mobility and resistance: Vgsteff, Weff, Abulk. */
void bsim_find_width(const struct bsim_overdrive_law *law, const double *p, const struct bsim_body *body,
                     const struct bsim_gate_state *g, struct bsim_channel *c);
/* And what follows from them; no resistance is 0. */
void bsim_find_rest(const double *p, double velocity_oxide, double vds, struct bsim_channel *c);

/* What is told of a transistor, with vds >= 0. */
struct bsim_state {
    double threshold, saturation, overdrive;         /* V: vth, vdsat, Vgsteff */
    double drain_effective, bulk_charge, bulk_plain; /* V, Abulk, Abulk without keta */
    double mobility, resistance;                     /* m^2/Vs, ohm */
};
/* All but the threshold. */
void bsim_tell_state(const struct bsim_body *body, const struct bsim_channel *c, double mobility,
                     struct bsim_state *out);

/* Defines <family>_evaluate() by what the file has: find_gate(), find_channel(), `currents` of the channel c, find_charges(). */
#define BSIM_EVALUATION(family, FAMILY, currents)                                                                      \
    void family##_evaluate(const struct family##_law *law, double vgs, double vds, double vbs, unsigned what,          \
                           struct family##_point *out)                                                                 \
    {                                                                                                                  \
        struct bsim_body own;                                                                                          \
        const struct bsim_body *body = family##_body(law, vbs, &own);                                                  \
        struct bsim_gate_state gate;                                                                                   \
        find_gate(law, body, vgs, vds, &gate);                                                                         \
        out->state.threshold = gate.threshold.value;                                                                   \
        if (what & FAMILY##_CURRENTS) {                                                                                \
            struct bsim_channel c;                                                                                     \
            find_channel(law, body, &gate, vds, &c);                                                                   \
            currents;                                                                                                  \
            bsim_tell_state(body, &c, law->mobility_0, &out->state);                                                   \
        }                                                                                                              \
        if (what & FAMILY##_CHARGES)                                                                                   \
            find_charges(law, body, &gate, vds, out);                                                                  \
    }

#endif
