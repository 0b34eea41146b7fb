/* vbic.h - the laws of the bipolar transistor VBIC (vertical bipolar inter-company model), version 1.2.
 *
 * Source: C. McAndrew, J. Seitchik, D. Bowers, M. Dunn, M. Foisy, I. Getreu, M. McSwain, S. Moinian, J. Parker,
 * D. Roulston, M. Schroter, P. van Wijnen, L. Wagner, "VBIC95, The Vertical Bipolar Inter-Company Model", IEEE Journal of
 * Solid-State Circuits 31 (1996) 1476, and the equations published with release 1.2.  Signs are those of an npn.
 *
 * Between the outer nodes c, b, e, s lie inner ones: cx and ci, bx and bi, ei, si, and bp, the base of the parasitic
 * transistor bx-bp-si.  Currents and charges of one transistor of area 1.
 */
#ifndef DEVICES_VBIC_VBIC_H
#define DEVICES_VBIC_VBIC_H

#include "devices/vbic/vbic_value.h"

#include <stdbool.h>

/* ROW(symbol, name, unit, default, least, documentation [, other names]) */
#define VBIC_CARD(ROW)                                                                                                 \
    ROW(LEVEL, "level", "", 4, 1, "model level")                                                                       \
    ROW(TNOM, "tnom", "degC", 27, -273, "temperature of the parameters", "tref")                                       \
    ROW(RCX, "rcx", "ohm", 0, 0, "extrinsic collector resistance")                                                     \
    ROW(RCI, "rci", "ohm", 0.1, 0, "intrinsic collector resistance")                                                   \
    ROW(VO, "vo", "V", 0, 0, "drift saturation voltage of the epitaxial layer; 0: infinite")                           \
    ROW(GAMM, "gamm", "", 0, 0, "doping parameter of the epitaxial layer")                                             \
    ROW(HRCF, "hrcf", "", 0, 0, "factor of rci at high currents; 0: infinite; 1 at level 4 and 9")                     \
    ROW(RBX, "rbx", "ohm", 0, 0, "extrinsic base resistance")                                                          \
    ROW(RBI, "rbi", "ohm", 0.1, 0, "intrinsic base resistance")                                                        \
    ROW(RE, "re", "ohm", 0, 0, "emitter resistance")                                                                   \
    ROW(RS, "rs", "ohm", 0, 0, "substrate resistance")                                                                 \
    ROW(RBP, "rbp", "ohm", 0.1, 0, "base resistance of the parasitic transistor")                                      \
    ROW(IS, "is", "A", 1e-16, 0, "transport saturation current")                                                       \
    ROW(NF, "nf", "", 1, 1e-3, "forward emission coefficient")                                                         \
    ROW(NR, "nr", "", 1, 1e-3, "reverse emission coefficient")                                                         \
    ROW(FC, "fc", "", 0.9, 0, "forward limit of depletion capacitances")                                               \
    ROW(CBEO, "cbeo", "F", 0, 0, "base-emitter overlap capacitance")                                                   \
    ROW(CJE, "cje", "F", 0, 0, "base-emitter depletion capacitance")                                                   \
    ROW(PE, "pe", "V", 0.75, 1e-3, "base-emitter potential")                                                           \
    ROW(ME, "me", "", 0.33, 0, "base-emitter grading")                                                                 \
    ROW(AJE, "aje", "", -0.5, -INFINITY, "base-emitter smoothing; at most 0: as in SPICE")                             \
    ROW(CBCO, "cbco", "F", 0, 0, "base-collector overlap capacitance")                                                 \
    ROW(CJC, "cjc", "F", 0, 0, "base-collector depletion capacitance")                                                 \
    ROW(QCO, "qco", "C", 0, 0, "charge parameter of the epitaxial layer")                                              \
    ROW(CJEP, "cjep", "F", 0, 0, "extrinsic base-collector depletion capacitance")                                     \
    ROW(PC, "pc", "V", 0.75, 1e-3, "base-collector potential")                                                         \
    ROW(MC, "mc", "", 0.33, 0, "base-collector grading")                                                               \
    ROW(AJC, "ajc", "", -0.5, -INFINITY, "base-collector smoothing; at most 0: as in SPICE")                           \
    ROW(CJCP, "cjcp", "F", 0, 0, "collector-substrate depletion capacitance")                                          \
    ROW(PS, "ps", "V", 0.75, 1e-3, "collector-substrate potential")                                                    \
    ROW(MS, "ms", "", 0.33, 0, "collector-substrate grading")                                                          \
    ROW(AJS, "ajs", "", -0.5, -INFINITY, "collector-substrate smoothing; at most 0: as in SPICE")                      \
    ROW(IBEI, "ibei", "A", 1e-18, 0, "ideal base-emitter saturation current")                                          \
    ROW(WBE, "wbe", "", 1, 0, "part of it at the inner base")                                                          \
    ROW(NEI, "nei", "", 1, 1e-3, "ideal base-emitter emission coefficient")                                            \
    ROW(IBEN, "iben", "A", 0, 0, "non-ideal base-emitter saturation current")                                          \
    ROW(NEN, "nen", "", 2, 1e-3, "non-ideal base-emitter emission coefficient")                                        \
    ROW(IBCI, "ibci", "A", 1e-16, 0, "ideal base-collector saturation current")                                        \
    ROW(NCI, "nci", "", 1, 1e-3, "ideal base-collector emission coefficient")                                          \
    ROW(IBCN, "ibcn", "A", 0, 0, "non-ideal base-collector saturation current")                                        \
    ROW(NCN, "ncn", "", 2, 1e-3, "non-ideal base-collector emission coefficient")                                      \
    ROW(AVC1, "avc1", "1/V", 0, 0, "base-collector avalanche, first parameter")                                        \
    ROW(AVC2, "avc2", "", 0, 0, "base-collector avalanche, second parameter")                                          \
    ROW(ISP, "isp", "A", 0, 0, "transport saturation current of the parasitic transistor")                             \
    ROW(WSP, "wsp", "", 1, 0, "part of it of the extrinsic base")                                                      \
    ROW(NFP, "nfp", "", 1, 1e-3, "emission coefficient of the parasitic transistor")                                   \
    ROW(IBEIP, "ibeip", "A", 0, 0, "ideal base-emitter saturation current of the parasitic transistor")                \
    ROW(IBENP, "ibenp", "A", 0, 0, "non-ideal base-emitter saturation current of the parasitic transistor")            \
    ROW(IBCIP, "ibcip", "A", 0, 0, "ideal base-collector saturation current of the parasitic transistor")              \
    ROW(NCIP, "ncip", "", 1, 1e-3, "ideal base-collector emission coefficient of the parasitic transistor")            \
    ROW(IBCNP, "ibcnp", "A", 0, 0, "non-ideal base-collector saturation current of the parasitic transistor")          \
    ROW(NCNP, "ncnp", "", 2, 1e-3, "non-ideal base-collector emission coefficient of the parasitic transistor")        \
    ROW(VEF, "vef", "V", 0, 0, "forward Early voltage; 0: infinite")                                                   \
    ROW(VER, "ver", "V", 0, 0, "reverse Early voltage; 0: infinite")                                                   \
    ROW(IKF, "ikf", "A", 0, 0, "forward knee current; 0: infinite")                                                    \
    ROW(IKR, "ikr", "A", 0, 0, "reverse knee current; 0: infinite")                                                    \
    ROW(IKP, "ikp", "A", 0, 0, "knee current of the parasitic transistor; 0: infinite")                                \
    ROW(TF, "tf", "s", 0, 0, "forward transit time")                                                                   \
    ROW(QTF, "qtf", "", 0, 0, "how tf follows the width of the base")                                                  \
    ROW(XTF, "xtf", "", 0, 0, "how tf follows the bias")                                                               \
    ROW(VTF, "vtf", "V", 0, 0, "how tf follows the base-collector voltage; 0: not")                                    \
    ROW(ITF, "itf", "A", 0, 0, "how tf follows the current; 0: not")                                                   \
    ROW(TR, "tr", "s", 0, 0, "reverse transit time")                                                                   \
    ROW(TD, "td", "s", 0, 0, "delay of the transport current (excess phase)")                                          \
    ROW(KFN, "kfn", "", 0, 0, "flicker noise coefficient")                                                             \
    ROW(AFN, "afn", "", 1, 0, "flicker noise exponent of the current")                                                 \
    ROW(BFN, "bfn", "", 1, 0, "flicker noise exponent of the frequency")                                               \
    ROW(XRE, "xre", "", 0, -INFINITY, "temperature exponent of re")                                                    \
    ROW(XRB, "xrb", "", 0, -INFINITY, "temperature exponent of rbx and rbi")                                           \
    ROW(XRBI, "xrbi", "", 0, -INFINITY, "temperature exponent of rbi; xrb without it")                                 \
    ROW(XRC, "xrc", "", 0, -INFINITY, "temperature exponent of rcx and rci")                                           \
    ROW(XRCI, "xrci", "", 0, -INFINITY, "temperature exponent of rci; xrc without it")                                 \
    ROW(XRS, "xrs", "", 0, -INFINITY, "temperature exponent of rs")                                                    \
    ROW(XVO, "xvo", "", 0, -INFINITY, "temperature exponent of vo")                                                    \
    ROW(EA, "ea", "eV", 1.12, -INFINITY, "activation energy of is")                                                    \
    ROW(EAIE, "eaie", "eV", 1.12, -INFINITY, "activation energy of ibei")                                              \
    ROW(EAIC, "eaic", "eV", 1.12, -INFINITY, "activation energy of ibci and ibeip")                                    \
    ROW(EAIS, "eais", "eV", 1.12, -INFINITY, "activation energy of ibcip")                                             \
    ROW(EANE, "eane", "eV", 1.12, -INFINITY, "activation energy of iben")                                              \
    ROW(EANC, "eanc", "eV", 1.12, -INFINITY, "activation energy of ibcn and ibenp")                                    \
    ROW(EANS, "eans", "eV", 1.12, -INFINITY, "activation energy of ibcnp")                                             \
    ROW(XIS, "xis", "", 3, -INFINITY, "temperature exponent of is")                                                    \
    ROW(XII, "xii", "", 3, -INFINITY, "temperature exponent of ibei, ibci, ibeip, ibcip")                              \
    ROW(XIN, "xin", "", 3, -INFINITY, "temperature exponent of iben, ibcn, ibenp, ibcnp")                              \
    ROW(TNF, "tnf", "1/K", 0, -INFINITY, "temperature coefficient of nf and nr")                                       \
    ROW(TAVC, "tavc", "1/K", 0, -INFINITY, "temperature coefficient of avc2")                                          \
    ROW(RTH, "rth", "K/W", 0, 0, "thermal resistance; 0: the transistor does not heat itself")                         \
    ROW(SELFT, "selft", "", 1, 0, "0: the transistor does not heat itself, whatever rth is")                           \
    ROW(CTH, "cth", "Ws/K", 0, 0, "thermal capacitance")                                                               \
    ROW(VRT, "vrt", "V", 0, 0, "reach-through voltage of the base-collector junction; 0: infinite")                    \
    ROW(ART, "art", "", 0.1, 0, "smoothing of the reach-through")                                                      \
    ROW(CCSO, "ccso", "F", 0, 0, "fixed collector-substrate capacitance")                                              \
    ROW(QBM, "qbm", "", 0, 0, "1: base charge as Gummel and Poon have it")                                             \
    ROW(NKF, "nkf", "", 0.5, 1e-3, "exponent of the base charge at high currents")                                     \
    ROW(XIKF, "xikf", "", 0, -INFINITY, "temperature exponent of ikf")                                                 \
    ROW(XRCX, "xrcx", "", 0, -INFINITY, "temperature exponent of rcx; xrc without it")                                 \
    ROW(XRBX, "xrbx", "", 0, -INFINITY, "temperature exponent of rbx; xrb without it")                                 \
    ROW(XRBP, "xrbp", "", 0, -INFINITY, "temperature exponent of rbp")                                                 \
    ROW(ISRR, "isrr", "", 1, 0, "reverse saturation current, of is")                                                   \
    ROW(XISR, "xisr", "", 0, -INFINITY, "temperature exponent of isrr")                                                \
    ROW(DEAR, "dear", "eV", 0, -INFINITY, "activation energy of isrr")                                                 \
    ROW(EAP, "eap", "eV", 1.12, -INFINITY, "activation energy of isp")                                                 \
    ROW(VBBE, "vbbe", "V", 0, 0, "base-emitter breakdown voltage; 0: none")                                            \
    ROW(NBBE, "nbbe", "", 1, 1e-3, "base-emitter breakdown emission coefficient")                                      \
    ROW(IBBE, "ibbe", "A", 1e-6, 0, "base-emitter breakdown current")                                                  \
    ROW(TVBBE1, "tvbbe1", "1/K", 0, -INFINITY, "temperature coefficient of vbbe, linear")                              \
    ROW(TVBBE2, "tvbbe2", "1/K^2", 0, -INFINITY, "temperature coefficient of vbbe, quadratic")                         \
    ROW(TNBBE, "tnbbe", "1/K", 0, -INFINITY, "temperature coefficient of nbbe")                                        \
    ROW(DTEMP, "dtemp", "K", 0, -INFINITY, "temperature of transistors of this model above that of the circuit")

#define VBIC_SYMBOL(symbol, ...) VBIC_CARD_##symbol,
enum vbic_card { VBIC_CARD(VBIC_SYMBOL) VBIC_CARD_COUNT };

/* What the temperature changes, with the derivative by it. */
enum vbic_warm {
    VBIC_VT, /* V, thermal voltage */
    VBIC_IS,
    VBIC_ISRR,
    VBIC_ISP,
    VBIC_IBEI,
    VBIC_IBEN,
    VBIC_IBCI,
    VBIC_IBCN,
    VBIC_IBEIP,
    VBIC_IBENP,
    VBIC_IBCIP,
    VBIC_IBCNP,
    VBIC_NF,
    VBIC_NR,
    VBIC_GAMM,
    VBIC_VO,
    VBIC_IKF,
    VBIC_AVC2,
    VBIC_VBBE,
    VBIC_NBBE,
    VBIC_EBBE,
    VBIC_PE,
    VBIC_PC,
    VBIC_PS,
    VBIC_CJE,
    VBIC_CJC,
    VBIC_CJEP,
    VBIC_CJCP,
    VBIC_RCI,
    VBIC_RBI,
    VBIC_RBP,
    VBIC_RCX, /* the rest: resistances to outer nodes */
    VBIC_RBX,
    VBIC_RE,
    VBIC_RS,
    VBIC_WARM_COUNT
};

struct vbic_law {
    const double *card;
    double ambient; /* K, of the transistor at rest */
    double exponent_rbi, exponent_rci, exponent_rbx, exponent_rcx;
    double hrcf;
    bool heats;
    bool substrate;                          /* a fourth terminal, to which the parasitic transistor leads */
    struct vbic_value warm[VBIC_WARM_COUNT]; /* at rest */
};

/* Currents of the inner transistor, and charges. */
enum vbic_current {
#define CURRENT(symbol, from, to) VBIC_##symbol,
#include "devices/vbic/vbic_ends.def"
    VBIC_CURRENTS
};
enum vbic_charge {
#define CHARGE(symbol, from, to) VBIC_##symbol,
#include "devices/vbic/vbic_ends.def"
    VBIC_CHARGES
};

struct vbic_point {
    struct vbic_value current[VBIC_CURRENTS], charge[VBIC_CHARGES];
    struct vbic_value warm[VBIC_WARM_COUNT];
    struct vbic_value base;           /* S, of the inner base resistance */
    struct vbic_value parasitic_base; /* S */
};

/* A resistance, 0 up to 1 uohm: at 1 A it drops the smallest voltage that a run resolves (vntol), and its current would be
 * rounding. */
static inline double vbic_resistance(double ohm)
{
    return ohm > 1e-6 ? ohm : 0;
}

/* Parameters at a rise of temperature above that at rest; with derivatives where the transistor heats itself. */
void vbic_warm(const struct vbic_law *law, double rise, struct vbic_value warm[VBIC_WARM_COUNT]);
/* Everything at the voltages v [VBIC_VARIABLES]. */
void vbic_evaluate(const struct vbic_law *law, const double v[VBIC_VARIABLES], bool charges, struct vbic_point *out);

#endif
