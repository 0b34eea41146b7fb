/* bsim3.h - currents and charges of the BSIM3v3.3 transistor, n-channel, of three voltages.
 *
 * Equations: W. Liu, X. Jin, X. Xi, J. Chen, M.-C. Jeng, Z. Liu, Y. Cheng, K. Chen, M. Chan, K. Hui, J. Huang, R. Tu,
 * P. K. Ko, C. Hu, BSIM3v3.3 MOSFET Model Users' Manual, University of California, Berkeley (2005), appendix B; numbers
 * in comments are those of its equations.  Where the manual's functions would change their sign or have a pole, Berkeley's
 * program bends them (bsim_at_least); its physical constants are rounded and belong to the model.
 *
 * Three stages: what size and temperature decide is done once (struct bsim3_law), what the bulk decides is done once more
 * for a bulk at its source (struct bsim3_body, law->rest), the rest at every evaluation.
 */
#ifndef DEVICES_CHANNEL_BSIM3_H
#define DEVICES_CHANNEL_BSIM3_H

#include "devices/channel/bsim_charge.h"
#include "devices/channel/mosfet_levels.h"

#include <stdbool.h>

#define BSIM3_OXIDE 3.453133e-11 /* F/m */

/* Parameters with parts by 1/L, 1/W and 1/(L W): symbol, name, other names, unit, value, what it is. */
#define BSIM3_BINNED(ROW)                                                                                              \
    ROW(VTH0, "vth0", "vtho", "V", 0, "threshold at vbs = 0 of a long channel; from vfb when absent, else 0.7, -0.7")  \
    ROW(VFB, "vfb", NULL, "V", 0, "flat-band voltage; from vth0 when absent")                                          \
    ROW(K1, "k1", NULL, "V^0.5", 0, "body effect; from gamma1, gamma2, vbx and vbm when neither k1 nor k2 is given")   \
    ROW(K2, "k2", NULL, "", 0, "body effect, linear part")                                                             \
    ROW(K3, "k3", NULL, "", 80, "threshold of narrow channels")                                                        \
    ROW(K3B, "k3b", NULL, "1/V", 0, "the same by the bulk's voltage")                                                  \
    ROW(W0, "w0", NULL, "m", 2.5e-6, "offset of the width there")                                                      \
    ROW(NLX, "nlx", NULL, "m", 1.74e-7, "lateral nonuniform doping")                                                   \
    ROW(DVT0, "dvt0", NULL, "", 2.2, "threshold of short channels")                                                    \
    ROW(DVT1, "dvt1", NULL, "", 0.53, "the same: decay with the length")                                               \
    ROW(DVT2, "dvt2", NULL, "1/V", -0.032, "the same by the bulk's voltage")                                           \
    ROW(DVT0W, "dvt0w", NULL, "1/m", 0, "threshold of short and narrow channels")                                      \
    ROW(DVT1W, "dvt1w", NULL, "1/m", 5.3e6, "the same: decay with length and width")                                   \
    ROW(DVT2W, "dvt2w", NULL, "1/V", -0.032, "the same by the bulk's voltage")                                         \
    ROW(GAMMA1, "gamma1", NULL, "V^0.5", 0, "body effect near the surface; from nch")                                  \
    ROW(GAMMA2, "gamma2", NULL, "V^0.5", 0, "body effect in the bulk; from nsub")                                      \
    ROW(VBX, "vbx", NULL, "V", 0, "bulk voltage where the depletion layer is xt deep")                                 \
    ROW(VBM, "vbm", NULL, "V", -3, "largest reverse bulk voltage")                                                     \
    ROW(XT, "xt", NULL, "m", 1.55e-7, "depth of the channel's doping")                                                 \
    ROW(NCH, "nch", "npeak", "1/cm^3", 1.7e17, "doping of the channel")                                                \
    ROW(NSUB, "nsub", NULL, "1/cm^3", 6e16, "doping of the substrate")                                                 \
    ROW(NGATE, "ngate", NULL, "1/cm^3", 0, "doping of the gate; 0: it does not deplete")                               \
    ROW(XJ, "xj", NULL, "m", 1.5e-7, "depth of source and drain")                                                      \
    ROW(VOFF, "voff", NULL, "V", -0.08, "offset of weak inversion")                                                    \
    ROW(NFACTOR, "nfactor", NULL, "", 1, "swing below threshold")                                                      \
    ROW(CIT, "cit", NULL, "F/m^2", 0, "capacitance of interface states")                                               \
    ROW(CDSC, "cdsc", NULL, "F/m^2", 2.4e-4, "coupling of drain and source to the channel")                            \
    ROW(CDSCB, "cdscb", NULL, "F/Vm^2", 0, "the same by the bulk's voltage")                                           \
    ROW(CDSCD, "cdscd", NULL, "F/Vm^2", 0, "the same by the drain's voltage")                                          \
    ROW(ETA0, "eta0", NULL, "", 0.08, "lowering of the threshold by the drain")                                        \
    ROW(ETAB, "etab", NULL, "1/V", -0.07, "the same by the bulk's voltage")                                            \
    ROW(DSUB, "dsub", NULL, "", 0, "the same: decay with the length; drout when absent")                               \
    ROW(U0, "u0", "uo", "cm^2/Vs", 0, "mobility; m^2/Vs where it is 1 at most; 670, 250 for a p-channel")              \
    ROW(UA, "ua", NULL, "m/V", 2.25e-9, "fall of the mobility with the gate's field")                                  \
    ROW(UB, "ub", NULL, "m^2/V^2", 5.87e-19, "the same with its square")                                               \
    ROW(UC, "uc", NULL, "m/V^2", 0, "the same by the bulk's voltage: -4.65e-11, with mobmod = 3 -0.0465 (1/V)")        \
    ROW(VSAT, "vsat", NULL, "m/s", 8e4, "largest velocity of carriers")                                                \
    ROW(A0, "a0", NULL, "", 1, "charge of the bulk along the channel")                                                 \
    ROW(AGS, "ags", NULL, "1/V", 0, "the same by the gate's voltage")                                                  \
    ROW(B0, "b0", NULL, "m", 0, "the same in narrow channels")                                                         \
    ROW(B1, "b1", NULL, "m", 0, "offset of the width there")                                                           \
    ROW(KETA, "keta", NULL, "1/V", -0.047, "charge of the bulk by the bulk's voltage")                                 \
    ROW(A1, "a1", NULL, "1/V", 0, "saturation that is not complete: by the gate's voltage")                            \
    ROW(A2, "a2", NULL, "", 1, "saturation that is not complete")                                                      \
    ROW(RDSW, "rdsw", NULL, "ohm um^wr", 0, "resistance of source and drain together")                                 \
    ROW(PRWG, "prwg", NULL, "1/V", 0, "the same by the gate's voltage")                                                \
    ROW(PRWB, "prwb", NULL, "V^-0.5", 0, "the same by the bulk's voltage")                                             \
    ROW(WR, "wr", NULL, "", 1, "exponent of the width there")                                                          \
    ROW(DWG, "dwg", NULL, "m/V", 0, "width by the gate's voltage")                                                     \
    ROW(DWB, "dwb", NULL, "m/V^0.5", 0, "width by the bulk's voltage")                                                 \
    ROW(DELTA, "delta", NULL, "V", 0.01, "width of the bend into saturation")                                          \
    ROW(PCLM, "pclm", NULL, "", 1.3, "shortening of the channel in saturation")                                        \
    ROW(PDIBLC1, "pdiblc1", "pdibl1", "", 0.39, "output conductance by the drain's barrier lowering, short channels")  \
    ROW(PDIBLC2, "pdiblc2", "pdibl2", "", 0.0086, "the same, all channels")                                            \
    ROW(PDIBLCB, "pdiblcb", "pdiblb", "1/V", 0, "the same by the bulk's voltage")                                      \
    ROW(DROUT, "drout", NULL, "", 0.56, "the same: decay with the length")                                             \
    ROW(PSCBE1, "pscbe1", NULL, "V/m", 4.24e8, "output conductance by the substrate's current, exponent")              \
    ROW(PSCBE2, "pscbe2", NULL, "m/V", 1e-5, "the same, factor")                                                       \
    ROW(PVAG, "pvag", NULL, "", 0, "output conductance by the gate's voltage")                                         \
    ROW(ALPHA0, "alpha0", NULL, "m/V", 0, "substrate current")                                                         \
    ROW(ALPHA1, "alpha1", NULL, "1/V", 0, "the same by the length")                                                    \
    ROW(BETA0, "beta0", NULL, "V", 30, "the same, exponent")                                                           \
    ROW(KT1, "kt1", NULL, "V", -0.11, "threshold by temperature")                                                      \
    ROW(KT1L, "kt1l", NULL, "Vm", 0, "the same by 1/length")                                                           \
    ROW(KT2, "kt2", NULL, "", 0.022, "the same by the bulk's voltage")                                                 \
    ROW(UTE, "ute", NULL, "", -1.5, "mobility by temperature, exponent")                                               \
    ROW(UA1, "ua1", NULL, "m/V", 4.31e-9, "ua by temperature")                                                         \
    ROW(UB1, "ub1", NULL, "m^2/V^2", -7.61e-18, "ub by temperature")                                                   \
    ROW(UC1, "uc1", NULL, "m/V^2", 0, "uc by temperature: -5.6e-11, with mobmod = 3 -0.056 (1/V)")                     \
    ROW(AT, "at", NULL, "m/s", 3.3e4, "vsat by temperature")                                                           \
    ROW(PRT, "prt", NULL, "ohm um^wr", 0, "rdsw by temperature")                                                       \
    ROW(CGSL, "cgsl", NULL, "F/m", 0, "gate-source overlap that depletes, per width")                                  \
    ROW(CGDL, "cgdl", NULL, "F/m", 0, "gate-drain overlap that depletes, per width")                                   \
    ROW(CKAPPA, "ckappa", NULL, "V", 0.6, "how it depletes")                                                           \
    ROW(CF, "cf", NULL, "F/m", 0, "fringing capacitance; from tox when absent")                                        \
    ROW(CLC, "clc", NULL, "m", 1e-7, "charge of the bulk in short channels")                                           \
    ROW(CLE, "cle", NULL, "", 0.6, "the same, exponent")                                                               \
    ROW(VFBCV, "vfbcv", NULL, "V", -1, "flat-band voltage of the charges of capmod = 0")                               \
    ROW(ACDE, "acde", NULL, "m/V", 1, "depth of the charge in accumulation and depletion, capmod = 3")                 \
    ROW(MOIN, "moin", NULL, "", 15, "surface potential by the gate's voltage, capmod = 3")                             \
    ROW(NOFF, "noff", NULL, "", 1, "swing below threshold of the charges")                                             \
    ROW(VOFFCV, "voffcv", NULL, "V", 0, "offset of the threshold of the charges")                                      \
    ROW(ELM, "elm", NULL, "", 5, "Elmore constant, of nqsmod only")

enum bsim3_binned {
#define BSIM3_SYMBOL(symbol, name, others, unit, fallback, doc) BSIM3_##symbol,
    BSIM3_BINNED(BSIM3_SYMBOL)
#undef BSIM3_SYMBOL
        BSIM3_BINNED_COUNT
};

struct bsim3_body {
    struct bulk_value threshold;   /* at vds = 0, V */
    struct bulk_value lowering;    /* of the threshold by vds */
    struct bulk_value swing;       /* n - 1 at vds = 0 */
    struct bulk_value swing_drain; /* by vds, 1/V */
    struct bulk_value width;       /* at Vgsteff = 0, m */
    struct bulk_value resistance;  /* factor of rds0 at Vgsteff = 0 */
    struct bulk_value bulk;        /* Abulk at Vgsteff = 0, without keta and bends */
    struct bulk_value bulk_gate;   /* its fall with Vgsteff, 1/V */
    struct bulk_value keta;        /* factor of Abulk */
    struct bulk_value mobility;    /* ua + uc vbs; with mobmod = 3 1 + uc vbs */
    struct bulk_value output;      /* 1/(1 + pdiblcb vbs) */
    struct bulk_value root;        /* sqrt(Phis), V^1/2 */
    struct bulk_value charges;     /* bulk's voltage as the charges see it, V */
    struct bulk_value charge_bulk; /* Abulk of the charges */
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
    struct bsim3_body rest;                  /* at vbs = 0 */
};

/* At one bias with vds >= 0. */
struct bsim3_point {
    struct mosfet_value current, substrate; /* from drain to source, from drain to bulk, A */
    struct bsim_terminal_charges charges;
    double threshold, saturation, overdrive;         /* V: vth, vdsat, Vgsteff */
    double drain_effective, bulk_charge, bulk_plain; /* V, Abulk, Abulk without keta */
    double mobility, resistance;                     /* of one: m^2/Vs, ohm */
};

enum { BSIM3_CURRENTS = 1, BSIM3_CHARGES = 2 };

/* `what` of a point; the voltages come against the end that acts as source. */
void bsim3_evaluate(const struct bsim3_law *law, double vgs, double vds, double vbs, unsigned what,
                    struct bsim3_point *out);

/* Fills law->rest from all else. */
void bsim3_prepare_body(struct bsim3_law *law);

/* ---- for the files of the law ---- */

void bsim3_body(const struct bsim3_law *law, double vbs, struct bsim3_body *out);

/* What currents and charges have in common: gate against source behind its depletion, n, overdrive. */
struct bsim3_gate {
    struct mosfet_value gate, threshold, swing, over;
};

#endif
