/* soi_rows.h - the parameters of a BSIMSOI card; those of SOI_BINNED have parts by 1/L, 1/W and 1/(L W). */
#ifndef DEVICES_BSIMSOI_SOI_ROWS_H
#define DEVICES_BSIMSOI_SOI_ROWS_H

#include "devices/channel/bsim_rows.h"
#include <stdbool.h>

/* Parameters with parts by size. */
#define SOI_BINNED(ROW)                                                                                                \
    ROW(VTH0, "vth0", "vtho", "V", 0, "threshold at vbs = 0 of a long channel; from a flat band of -1 V when absent")  \
    ROW(K1W1, "k1w1", NULL, "m", 0, "body effect by the width")                                                        \
    ROW(K1W2, "k1w2", NULL, "m", 0, "offset of the width there")                                                       \
    ROW(K3, "k3", NULL, "", 0, "threshold of narrow channels")                                                         \
    ROW(KB1, "kb1", NULL, "", 1, "charge between body and substrate, factor")                                          \
    ROW(NSUB, "nsub", NULL, "1/cm^3", 6e16, "doping of the substrate; below 0: of the other kind")                     \
    ROW(XJ, "xj", NULL, "m", 0, "depth of source and drain; tsi when absent")                                          \
    ROW(U0, "u0", NULL, "m^2/Vs", 0, "mobility; cm^2/Vs where it is above 1; 0.067, 0.025 for a p-channel")            \
    ROW(KETA, "keta", NULL, "1/V", -0.6, "charge of the body by vbs")                                                  \
    ROW(KETAS, "ketas", NULL, "V", 0, "the same: added to the surface potential")                                      \
    ROW(RDSW, "rdsw", NULL, "ohm um^wr", 100, "resistance of source and drain together")                               \
    ROW(PRWG, "prwg", NULL, "1/V", 0, "the same by vgs")                                                               \
    ROW(ALPHA0, "alpha0", NULL, "m/V", 0, "impact ionisation; 0: none")                                                \
    ROW(BETA0, "beta0", NULL, "1/V", 0, "the same, exponent: by the square of the drain's voltage beyond saturation")  \
    ROW(BETA1, "beta1", NULL, "", 0, "the same, exponent: by that voltage")                                            \
    ROW(BETA2, "beta2", NULL, "V", 0.1, "the same, exponent")                                                          \
    ROW(FBJTII, "fbjtii", NULL, "", 0, "the same by the current of the bipolar transistor")                            \
    ROW(VDSATII0, "vdsatii0", NULL, "V", 0.9, "the same: saturation voltage at threshold")                             \
    ROW(LII, "lii", NULL, "Vm", 0, "vdsatii0 by 1/length")                                                             \
    ROW(ESATII, "esatii", NULL, "V/m", 1e7, "that voltage: field of saturation")                                       \
    ROW(SII0, "sii0", NULL, "1/V", 0.5, "that voltage by the gate's")                                                  \
    ROW(SII1, "sii1", NULL, "1/V", 0.1, "that voltage by the gate's, decay")                                           \
    ROW(SII2, "sii2", NULL, "", 0, "that voltage by the gate's, what is left")                                         \
    ROW(SIID, "siid", NULL, "1/V", 0, "that voltage by the drain's")                                                   \
    ROW(AGIDL, "agidl", NULL, "1/ohm", 0, "tunnelling at drain and source under the gate; 0: none")                    \
    ROW(BGIDL, "bgidl", NULL, "V/m", 0, "the same, exponent; 0: none")                                                 \
    ROW(NGIDL, "ngidl", NULL, "V", 1.2, "the same: bending of bands")                                                  \
    ROW(NDIODE, "ndiode", NULL, "", 1, "emission coefficient of the junctions")                                        \
    ROW(NTUN, "ntun", NULL, "", 10, "emission coefficient of their tunnelling")                                        \
    ROW(NRECF0, "nrecf0", NULL, "", 2, "emission coefficient of their recombination, forward")                         \
    ROW(NRECR0, "nrecr0", NULL, "", 10, "the same, reverse")                                                           \
    ROW(NTRECF, "ntrecf", NULL, "", 0, "nrecf0 by temperature")                                                        \
    ROW(NTRECR, "ntrecr", NULL, "", 0, "nrecr0 by temperature")                                                        \
    ROW(ISBJT, "isbjt", NULL, "A/m^2", 1e-6, "injection into the body, the bipolar transistor")                        \
    ROW(ISDIF, "isdif", NULL, "A/m^2", 0, "injection into source and drain")                                           \
    ROW(ISREC, "isrec", NULL, "A/m^2", 1e-5, "recombination in the junctions")                                         \
    ROW(ISTUN, "istun", NULL, "A/m^2", 0, "tunnelling through the junctions")                                          \
    ROW(XBJT, "xbjt", NULL, "", 1, "isbjt by temperature")                                                             \
    ROW(XDIF, "xdif", NULL, "", 0, "isdif by temperature; xbjt when absent")                                           \
    ROW(XREC, "xrec", NULL, "", 1, "isrec by temperature")                                                             \
    ROW(XTUN, "xtun", NULL, "", 0, "istun by temperature")                                                             \
    ROW(VREC0, "vrec0", NULL, "V", 0, "reverse recombination by the voltage")                                          \
    ROW(VTUN0, "vtun0", NULL, "V", 0, "tunnelling of the junctions by the voltage")                                    \
    ROW(NBJT, "nbjt", NULL, "", 1, "bipolar transistor: exponent of the length")                                       \
    ROW(LBJT0, "lbjt0", NULL, "m", 2e-7, "bipolar transistor: its length")                                             \
    ROW(VABJT, "vabjt", NULL, "V", 10, "bipolar transistor: Early voltage")                                            \
    ROW(AELY, "aely", NULL, "V/m", 0, "the same by the length")                                                        \
    ROW(AHLI, "ahli", NULL, "", 0, "bipolar transistor: high injection")                                               \
    ROW(NDIF, "ndif", NULL, "", -1, "charge of the injection: exponent of the length")                                 \
    ROW(DELVT, "delvt", NULL, "V", 0, "charges: shift of the threshold")                                               \
    ROW(VSDFB, "vsdfb", NULL, "V", 0, "flat band of source and drain on the buried oxide; from nsub when absent")      \
    ROW(VSDTH, "vsdth", NULL, "V", 0, "threshold of the same; from nsub when absent")                                  \
    ROW(ALPHAGB1, "alphagb1", NULL, "1/V", 0.35, "tunnelling to the body, inversion")                                  \
    ROW(BETAGB1, "betagb1", NULL, "1/V^2", 0.03, "the same by the oxide's voltage")                                    \
    ROW(ALPHAGB2, "alphagb2", NULL, "1/V", 0.43, "tunnelling to the body, accumulation")                               \
    ROW(BETAGB2, "betagb2", NULL, "1/V^2", 0.05, "the same by the oxide's voltage")                                    \
    ROW(AIGC, "aigc", NULL, "(Fs^2/g)^0.5/m", 0, "tunnelling to the channel; 0.43, 0.31 for a p-channel")              \
    ROW(BIGC, "bigc", NULL, "(Fs^2/g)^0.5/Vm", 0, "the same by the oxide's voltage; 0.054, 0.024")                     \
    ROW(CIGC, "cigc", NULL, "1/V", 0, "the same with its square; 0.075, 0.03")                                         \
    ROW(AIGSD, "aigsd", NULL, "(Fs^2/g)^0.5/m", 0, "tunnelling to source and drain; 0.43, 0.31")                       \
    ROW(BIGSD, "bigsd", NULL, "(Fs^2/g)^0.5/Vm", 0, "the same by the oxide's voltage; 0.054, 0.024")                   \
    ROW(CIGSD, "cigsd", NULL, "1/V", 0, "the same with its square; 0.075, 0.03")                                       \
    ROW(NIGC, "nigc", NULL, "", 1, "tunnelling to the channel: swing")                                                 \
    ROW(PIGCD, "pigcd", NULL, "", 1, "tunnelling to the channel: its share at the drain")                              \
    ROW(POXEDGE, "poxedge", NULL, "", 1, "thickness of the oxide at the edges, factor")                                \
    ROW(XRCRG1, "xrcrg1", NULL, "", 12, "resistance of the channel to the gate")                                       \
    ROW(XRCRG2, "xrcrg2", NULL, "", 1, "the same by diffusion")                                                        \
    BSIM_CHANNEL(ROW) BSIM_EARLY_CHANNEL(ROW)

/* Parameters without. */
#define SOI_COMMON(ROW)                                                                                                \
    ROW(LEVEL, "level", NULL, "", 10, -INFINITY, INFINITY, "10 or 57")                                                 \
    ROW(MOBMOD, "mobmod", NULL, "", 1, 0, 3, "law of the mobility; 0 is 3")                                            \
    ROW(CAPMOD, "capmod", NULL, "", 2, 0, 3, "law of the charges: 2, 3 for thin oxides; below 2 there are none")       \
    ROW(SHMOD, "shmod", NULL, "", 0, 0, 1, "1: the transistor heats itself, with rth0")                                \
    ROW(SOIMOD, "soimod", NULL, "", 0, 0, 3,                                                                           \
        "body: 0 partially depleted, 1 partially or fully, 2 fully, 3 as vbs0pd and vbs0fd tell")                      \
    ROW(RGATEMOD, "rgatemod", NULL, "", 0, 0, 3,                                                                       \
        "resistance of the gate: 0 none, 1 of the electrode, 2 and 3 of the channel, too")                             \
    ROW(IGCMOD, "igcmod", NULL, "", 0, 0, 1, "1: tunnelling to channel, source and drain")                             \
    ROW(IGBMOD, "igbmod", "igmod", "", 0, 0, 1, "1: tunnelling to the body")                                           \
    ROW(FNOIMOD, "fnoimod", NULL, "", 1, 0, 1, "flicker noise: 0 kf, 1 of traps")                                      \
    ROW(TNOIMOD, "tnoimod", NULL, "", 0, 0, 1, "thermal noise of the channel: 0 of its charge, 1 of conductances")     \
    ROW(PARAMCHK, "paramchk", NULL, "", 0, 0, 1, "accepted: parameters are always checked")                            \
    ROW(TOX, "tox", NULL, "m", 1e-8, DBL_MIN, INFINITY, "thickness of the gate's oxide")                               \
    ROW(DTOXCV, "dtoxcv", NULL, "m", 0, -INFINITY, INFINITY, "tox less that of the charges, capmod = 3")               \
    ROW(TBOX, "tbox", NULL, "m", 3e-7, DBL_MIN, INFINITY, "thickness of the buried oxide")                             \
    ROW(TSI, "tsi", NULL, "m", 1e-7, DBL_MIN, INFINITY, "thickness of the silicon film")                               \
    ROW(GAMMA1, "gamma1", NULL, "V^0.5", 0, -INFINITY, INFINITY, "body effect near the surface; from nch")             \
    ROW(GAMMA2, "gamma2", NULL, "V^0.5", 0, -INFINITY, INFINITY, "body effect in the bulk; from nsub")                 \
    ROW(VBX, "vbx", NULL, "V", 0, -INFINITY, INFINITY, "body voltage where the depletion layer is xt deep")            \
    ROW(VBM, "vbm", NULL, "V", -3, -INFINITY, INFINITY, "largest reverse body voltage")                                \
    ROW(XT, "xt", NULL, "m", 1.55e-7, -INFINITY, INFINITY, "depth of the channel's doping")                            \
    ROW(CGEO, "cgeo", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-substrate overlap per length")                        \
    ROW(CF, "cf", NULL, "F/m", 0, -INFINITY, INFINITY, "fringe of the gate per width; from tox")                       \
    ROW(CLC, "clc", NULL, "m", 1e-8, -INFINITY, INFINITY, "charges of short channels")                                 \
    ROW(CLE, "cle", NULL, "", 0, -INFINITY, INFINITY, "the same, exponent")                                            \
    ROW(RTH0, "rth0", NULL, "m K/W", 0, 0, INFINITY, "thermal resistance times width; 0: no heat")                     \
    ROW(CTH0, "cth0", NULL, "Ws/mK", 1e-5, 0, INFINITY, "thermal capacitance per width")                               \
    ROW(WTH0, "wth0", NULL, "m", 0, -INFINITY, INFINITY, "offset of the width there")                                  \
    ROW(PBSWG, "pbswg", NULL, "V", 0.7, 0.1, INFINITY, "junctions under the gate: built-in voltage")                   \
    ROW(MJSWG, "mjswg", NULL, "", 0.5, 0, 0.999, "junctions under the gate: grading")                                  \
    ROW(CJSWG, "cjswg", NULL, "F/m", 1e-10, 0, INFINITY, "junctions under the gate: capacitance at tsi = 0.1 um")      \
    ROW(TT, "tt", NULL, "s", 1e-12, 0, INFINITY, "transit time of the injection")                                      \
    ROW(LDIF0, "ldif0", NULL, "", 1, -INFINITY, INFINITY, "charge of the injection by the length")                     \
    ROW(LN, "ln", NULL, "m", 2e-6, -INFINITY, INFINITY, "diffusion length")                                            \
    ROW(LLC, "llc", NULL, "m^(1+lln)", 0, -INFINITY, INFINITY, "ll of the charges")                                    \
    ROW(LWC, "lwc", NULL, "m^(1+lwn)", 0, -INFINITY, INFINITY, "lw of the charges")                                    \
    ROW(LWLC, "lwlc", NULL, "m^(1+lln+lwn)", 0, -INFINITY, INFINITY, "lwl of the charges")                             \
    ROW(WLC, "wlc", NULL, "m^(1+wln)", 0, -INFINITY, INFINITY, "wl of the charges")                                    \
    ROW(WWC, "wwc", NULL, "m^(1+wwn)", 0, -INFINITY, INFINITY, "ww of the charges")                                    \
    ROW(WWLC, "wwlc", NULL, "m^(1+wln+wwn)", 0, -INFINITY, INFINITY, "wwl of the charges")                             \
    ROW(DLCB, "dlcb", NULL, "m", 0, -INFINITY, INFINITY, "length lost by the body's charge besides")                   \
    ROW(DLBG, "dlbg", NULL, "m", 0, -INFINITY, INFINITY, "half the length the charge on the substrate has more")       \
    ROW(DLCIG, "dlcig", NULL, "m", 0, -INFINITY, INFINITY, "length of tunnelling to source and drain; lint")           \
    ROW(DWBC, "dwbc", NULL, "m", 0, -INFINITY, INFINITY, "width lost at the edge of a body contact")                   \
    ROW(FBODY, "fbody", NULL, "", 1, -INFINITY, INFINITY, "factor of the body's charge")                               \
    ROW(TII, "tii", NULL, "", 0, -INFINITY, INFINITY, "vdsatii0 by temperature")                                       \
    ROW(RBODY, "rbody", NULL, "ohm", 0, 0, INFINITY, "sheet resistance of the body")                                   \
    ROW(RBSH, "rbsh", NULL, "ohm", 0, 0, INFINITY, "sheet resistance of the body's contact")                           \
    ROW(RHALO, "rhalo", NULL, "ohm", 1e15, 0, INFINITY, "sheet resistance of the halo")                                \
    ROW(CSDMIN, "csdmin", NULL, "F/m^2", 0, 0, INFINITY, "least capacitance of source and drain to the substrate")     \
    ROW(ASD, "asd", NULL, "", 0.3, 0.001, 0.999, "the same: its bend")                                                 \
    ROW(CSDESW, "csdesw", NULL, "F/m", 0, 0, INFINITY, "fringe of source and drain to the substrate")                  \
    ROW(TOXQM, "toxqm", NULL, "m", 0, DBL_MIN, INFINITY, "thickness of the oxide for tunnelling; tox when absent")     \
    ROW(NTOX, "ntox", NULL, "", 1, -INFINITY, INFINITY, "tunnelling by toxref/toxqm, exponent")                        \
    ROW(TOXREF, "toxref", NULL, "m", 2.5e-9, DBL_MIN, INFINITY, "oxide thickness for which tunnelling was measured")   \
    ROW(EBG, "ebg", NULL, "V", 1.2, -INFINITY, INFINITY, "tunnelling to the body: gap")                                \
    ROW(VEVB, "vevb", NULL, "V", 0.075, DBL_MIN, INFINITY, "tunnelling to the body: of the valence band")              \
    ROW(VECB, "vecb", NULL, "V", 0.026, DBL_MIN, INFINITY, "tunnelling to the body: of the conduction band")           \
    ROW(VGB1, "vgb1", NULL, "V", 300, -INFINITY, INFINITY, "tunnelling to the body: voltage, inversion; 0: none")      \
    ROW(VGB2, "vgb2", NULL, "V", 17, -INFINITY, INFINITY, "tunnelling to the body: voltage, accumulation; 0: none")    \
    ROW(VOXH, "voxh", NULL, "V", 5, -INFINITY, INFINITY, "tunnelling to the body: largest oxide voltage")              \
    ROW(DELTAVOX, "deltavox", NULL, "V", 0.005, DBL_MIN, INFINITY, "tunnelling to the body: its bend")                 \
    ROW(VBS0PD, "vbs0pd", NULL, "V", 0, -INFINITY, INFINITY, "soimod = 3: below it the body is partially depleted")    \
    ROW(VBS0FD, "vbs0fd", NULL, "V", 0.5, -INFINITY, INFINITY, "soimod = 3: above it the body is fully depleted")      \
    ROW(VBSA, "vbsa", NULL, "V", 0, -INFINITY, INFINITY, "full depletion: offset of the body's voltage")               \
    ROW(NOFFFD, "nofffd", NULL, "", 1, DBL_MIN, INFINITY, "full depletion: swing")                                     \
    ROW(VOFFFD, "vofffd", NULL, "V", 0, -INFINITY, INFINITY, "full depletion: offset")                                 \
    ROW(K1B, "k1b", NULL, "", 1, -INFINITY, INFINITY, "full depletion: by the substrate's voltage")                    \
    ROW(K2B, "k2b", NULL, "", 0, -INFINITY, INFINITY, "the same of short channels")                                    \
    ROW(DK2B, "dk2b", NULL, "", 0, -INFINITY, INFINITY, "the same: decay with the length")                             \
    ROW(DVBD0, "dvbd0", NULL, "", 0, -INFINITY, INFINITY, "full depletion: short channels")                            \
    ROW(DVBD1, "dvbd1", NULL, "", 0, -INFINITY, INFINITY, "the same: decay with the length")                           \
    ROW(MOINFD, "moinfd", NULL, "", 1e3, -INFINITY, INFINITY, "full depletion: surface potential by the gate")         \
    ROW(RSHG, "rshg", NULL, "ohm", 0.1, 0, INFINITY, "sheet resistance of the gate")                                   \
    ROW(NGCON, "ngcon", NULL, "", 1, 1, 2, "contacts of the gate")                                                     \
    ROW(XGW, "xgw", NULL, "m", 0, -INFINITY, INFINITY, "from the gate's contact to the channel")                       \
    ROW(XGL, "xgl", NULL, "m", 0, -INFINITY, INFINITY, "length of the gate less the drawn one")                        \
    ROW(NOIA, "noia", NULL, "", 0, -INFINITY, INFINITY, "flicker noise of traps; 6.25e41, 6.188e40 for a p-channel")   \
    ROW(NOIB, "noib", NULL, "", 0, -INFINITY, INFINITY, "the same by carriers; 3.125e26, 1.5e25")                      \
    ROW(NOIC, "noic", NULL, "", 8.75e9, -INFINITY, INFINITY, "the same by their square")                               \
    ROW(EM, "em", NULL, "V/m", 4.1e7, -INFINITY, INFINITY, "flicker noise: field of saturation")                       \
    ROW(EF, "ef", NULL, "", 1, -INFINITY, INFINITY, "flicker noise by frequency, exponent")                            \
    ROW(AF, "af", NULL, "", 1, -INFINITY, INFINITY, "flicker noise by the current, exponent")                          \
    ROW(KF, "kf", NULL, "", 0, 0, INFINITY, "flicker noise, fnoimod = 0")                                              \
    ROW(NOIF, "noif", NULL, "", 1, 0, INFINITY, "noise of a floating body")                                            \
    ROW(NTNOI, "ntnoi", NULL, "", 1, 0, INFINITY, "thermal noise, tnoimod = 0: factor")                                \
    ROW(TNOIA, "tnoia", NULL, "", 1.5, -INFINITY, INFINITY, "thermal noise, tnoimod = 1")                              \
    ROW(TNOIB, "tnoib", NULL, "", 3.5, -INFINITY, INFINITY, "thermal noise, tnoimod = 1")                              \
    ROW(RNOIA, "rnoia", NULL, "", 0.577, -INFINITY, INFINITY, "thermal noise, tnoimod = 1")                            \
    ROW(RNOIB, "rnoib", NULL, "", 0.37, -INFINITY, INFINITY, "thermal noise, tnoimod = 1")                             \
    BSIM_CARD(ROW)

#define SOI_SYMBOL(symbol, ...) SOI_##symbol,
enum soi_binned { SOI_BINNED(SOI_SYMBOL) SOI_BINNED_COUNT };
#define SOI_CARD_SYMBOL(symbol, ...) SOI_CARD_##symbol,
enum soi_common { SOI_COMMON(SOI_CARD_SYMBOL) SOI_COMMON_COUNT };
enum { SOI_CARD_COUNT = SOI_COMMON_COUNT + BSIM_PARTS * SOI_BINNED_COUNT };

/* The third law of the mobility, which Berkeley's program takes for every number but 1 and 2; cards of its tests have 0. */
static inline bool soi_by_field(const double *card)
{
    return card[SOI_CARD_MOBMOD] != 1 && card[SOI_CARD_MOBMOD] != 2;
}

/* Where the value of a row with parts stands among a card's; its parts follow. */
static inline int soi_row(enum soi_binned symbol)
{
    return SOI_COMMON_COUNT + BSIM_PARTS * (int)symbol;
}

#endif
