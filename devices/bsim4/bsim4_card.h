/* bsim4_card.h - the parameters of a BSIM4 card that have no parts by size.  Those of the junctions come in pairs, of the
 * source and of the drain, whose row follows.
 */
#ifndef DEVICES_BSIM4_BSIM4_CARD_H
#define DEVICES_BSIM4_BSIM4_CARD_H

#include "devices/channel/bsim4_rows.h"

#include <stddef.h>

/* A parameter of the junction at the source and of that at the drain, which is the former where a card gives none. */
#define BSIM4_SIDES(ROW, symbol, source, drain, others, unit, value, least, most, doc)                                 \
    ROW(symbol##_S, source, others, unit, value, least, most, "source: " doc)                                          \
    ROW(symbol##_D, drain, NULL, unit, value, least, most, "drain: " doc "; " source " when absent")

/* A resistance of the bulk by length, width and number of fingers. */
#define BSIM4_BULK(ROW, symbol, name, value, doc)                                                                      \
    ROW(symbol##0, name "0", NULL, "ohm", value, 0, INFINITY, doc)                                                     \
    ROW(symbol##L, name "l", NULL, "", 0, -INFINITY, INFINITY, name "0: exponent of the length")                       \
    ROW(symbol##W, name "w", NULL, "", 0, -INFINITY, INFINITY, name "0: exponent of the width")                        \
    ROW(symbol##NF, name "nf", NULL, "", 0, -INFINITY, INFINITY, name "0: exponent of the number of fingers")

#define BSIM4_COMMON(ROW)                                                                                              \
    ROW(LEVEL, "level", NULL, "", 14, -INFINITY, INFINITY, "14 or 54")                                                 \
    ROW(MOBMOD, "mobmod", NULL, "", 0, 0, 6, "law of the mobility")                                                    \
    ROW(CAPMOD, "capmod", NULL, "", 2, 0, 2, "law of the charges")                                                     \
    ROW(CVCHARGEMOD, "cvchargemod", NULL, "", 0, 0, 1, "overdrive of the charges: 0 by noff and voffcv, 1 by minvcv")  \
    ROW(RDSMOD, "rdsmod", NULL, "", 0, 0, 1,                                                                           \
        "resistance of source and drain: 0 within the law of the channel, 1 in front of it")                           \
    ROW(RBODYMOD, "rbodymod", NULL, "", 0, 0, 2, "resistances of the bulk: 0 none, 1 as given, 2 by size")             \
    ROW(RGATEMOD, "rgatemod", NULL, "", 0, 0, 3,                                                                       \
        "resistance of the gate: 0 none, 1 of the electrode, 2 and 3 of the channel, too")                             \
    ROW(TRNQSMOD, "trnqsmod", NULL, "", 0, 0, 1, "charges that lag behind: not known, quasi-static instead")           \
    ROW(DIOMOD, "diomod", NULL, "", 1, 0, 2, "law of the junctions: 0 breakdown, 1 straight from ijth on, 2 both")     \
    ROW(GIDLMOD, "gidlmod", NULL, "", 0, 0, 1, "law of the tunnelling at drain and source")                            \
    ROW(PERMOD, "permod", NULL, "", 1, 0, 1, "perimeters given: 1 with the gate's edge, 0 without")                    \
    ROW(GEOMOD, "geomod", NULL, "", 0, 0, 10, "which ends neighbours share")                                           \
    ROW(IGCMOD, "igcmod", NULL, "", 0, 0, 2,                                                                           \
        "tunnelling to channel, source and drain: 0 none, 1 by vth0, 2 by the threshold")                              \
    ROW(IGBMOD, "igbmod", NULL, "", 0, 0, 1, "tunnelling to the bulk: 0 none")                                         \
    ROW(FNOIMOD, "fnoimod", NULL, "", 1, 0, 1, "flicker noise: 0 kf, 1 of traps")                                      \
    ROW(TNOIMOD, "tnoimod", NULL, "", 0, 0, 2,                                                                         \
        "thermal noise of the channel: 0 of its charge, 1 and 2 of its conductances")                                  \
    ROW(MTRLMOD, "mtrlmod", NULL, "", 0, 0, 1, "1: materials other than silicon and its oxide")                        \
    ROW(MTRLCOMPATMOD, "mtrlcompatmod", NULL, "", 0, 0, 1, "1: with mtrlmod = 1 thicknesses are as with 0")            \
    ROW(TEMPMOD, "tempmod", NULL, "", 0, 0, 3, "law of the temperature")                                               \
    ROW(WPEMOD, "wpemod", NULL, "", 0, 0, 1, "1: the edge of the well changes the transistor")                         \
    ROW(PARAMCHK, "paramchk", NULL, "", 1, 0, 1, "accepted: parameters are always checked")                            \
    ROW(TOXE, "toxe", NULL, "m", 3e-09, DBL_MIN, INFINITY, "electrical thickness of the gate's oxide")                 \
    ROW(TOXP, "toxp", NULL, "m", 0, DBL_MIN, INFINITY, "its physical thickness; toxe - dtox when absent")              \
    ROW(TOXREF, "toxref", NULL, "m", 3e-09, DBL_MIN, INFINITY, "oxide thickness for which tunnelling was measured")    \
    ROW(DTOX, "dtox", NULL, "m", 0, -INFINITY, INFINITY, "toxe - toxp")                                                \
    ROW(EPSROX, "epsrox", NULL, "", 3.9, DBL_MIN, INFINITY, "relative permittivity of the gate's oxide")               \
    ROW(EOT, "eot", NULL, "m", 1.5e-09, DBL_MIN, INFINITY, "thickness as if it were oxide, mtrlmod = 1")               \
    ROW(VDDEOT, "vddeot", NULL, "V", 0, -INFINITY, INFINITY, "gate voltage at which toxp is found; 1.5, -1.5")         \
    ROW(TEMPEOT, "tempeot", NULL, "K", 300.15, DBL_MIN, INFINITY, "temperature at which toxp is found")                \
    ROW(LEFFEOT, "leffeot", NULL, "m", 1, DBL_MIN, INFINITY, "length at which toxp is found")                          \
    ROW(WEFFEOT, "weffeot", NULL, "m", 10, DBL_MIN, INFINITY, "width at which toxp is found")                          \
    ROW(ADOS, "ados", NULL, "", 1, -INFINITY, INFINITY, "depth of the inversion layer")                                \
    ROW(BDOS, "bdos", NULL, "", 1, -INFINITY, INFINITY, "the same by the field")                                       \
    ROW(PHIG, "phig", NULL, "eV", 4.05, -INFINITY, INFINITY, "work function of the gate")                              \
    ROW(EPSRGATE, "epsrgate", NULL, "", 11.7, 0, INFINITY, "relative permittivity of the gate; 0: a metal")            \
    ROW(EASUB, "easub", NULL, "eV", 4.05, -INFINITY, INFINITY, "electron affinity of the substrate")                   \
    ROW(EPSRSUB, "epsrsub", NULL, "", 11.7, DBL_MIN, INFINITY, "relative permittivity of the substrate")               \
    ROW(NI0SUB, "ni0sub", NULL, "1/cm^3", 14500000000.0, DBL_MIN, INFINITY,                                            \
        "carriers of the pure substrate at 300.15 K")                                                                  \
    ROW(BG0SUB, "bg0sub", NULL, "eV", 1.16, DBL_MIN, INFINITY, "its band gap at 0 K")                                  \
    ROW(TBGASUB, "tbgasub", NULL, "eV/K", 0.000702, -INFINITY, INFINITY, "the same by temperature")                    \
    ROW(TBGBSUB, "tbgbsub", NULL, "K", 1108, -INFINITY, INFINITY, "the same, offset")                                  \
    ROW(VOFFL, "voffl", NULL, "Vm", 0, -INFINITY, INFINITY, "voff by 1/length")                                        \
    ROW(VOFFCVL, "voffcvl", NULL, "Vm", 0, -INFINITY, INFINITY, "voffcv by 1/length")                                  \
    ROW(LC, "lc", NULL, "m", 5e-09, -INFINITY, INFINITY, "scattering back at the source")                              \
    ROW(PDITSL, "pditsl", NULL, "1/m", 0, -INFINITY, INFINITY, "pdits by the length")                                  \
    ROW(RDSWMIN, "rdswmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY,                                                 \
        "least resistance of source and drain together")                                                               \
    ROW(RDWMIN, "rdwmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY, "least resistance of the drain, rdsmod = 1")      \
    ROW(RSWMIN, "rswmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY, "least resistance of the source, rdsmod = 1")     \
    ROW(RSHG, "rshg", NULL, "ohm", 0.1, 0, INFINITY, "sheet resistance of the gate")                                   \
    ROW(GIDLCLAMP, "gidlclamp", NULL, "V", -1e-05, -INFINITY, INFINITY, "gidlmod = 1: largest v(bulk) - fgidl")        \
    ROW(IDOVVDSC, "idovvds", "idovvdsc", "S", 1e-09, -INFINITY, INFINITY, "tnoimod = 1: least id/vds")                 \
    BSIM4_SIDES(ROW, JS, "jss", "jsd", "js", "A/m^2", 0.0001, 0, INFINITY,                                             \
                "saturation current of the junction per area")                                                         \
    BSIM4_SIDES(ROW, JSW, "jsws", "jswd", "jsw jssw", "A/m", 0, 0, INFINITY, "the same per perimeter")                 \
    BSIM4_SIDES(ROW, JSWG, "jswgs", "jswgd", "jswg", "A/m", 0, 0, INFINITY, "the same per gate's edge")                \
    BSIM4_SIDES(ROW, NJ, "njs", "njd", "nj n", "", 1, DBL_MIN, INFINITY, "emission coefficient")                       \
    BSIM4_SIDES(ROW, XTI, "xtis", "xtid", "xti", "", 3, -INFINITY, INFINITY, "exponent of temperature")                \
    BSIM4_SIDES(ROW, IJTHF, "ijthsfwd", "ijthdfwd", "ijth", "A", 0.1, 0, INFINITY,                                     \
                "current from which on it is straight")                                                                \
    BSIM4_SIDES(ROW, IJTHR, "ijthsrev", "ijthdrev", NULL, "A", 0.1, 0, INFINITY, "the same in breakdown")              \
    BSIM4_SIDES(ROW, XJBV, "xjbvs", "xjbvd", NULL, "", 1, 0, INFINITY, "factor of the current in breakdown")           \
    BSIM4_SIDES(ROW, BV, "bvs", "bvd", NULL, "V", 10, 0, INFINITY, "breakdown voltage")                                \
    BSIM4_SIDES(ROW, CJ, "cjs", "cjd", "cj", "F/m^2", 0.0005, 0, INFINITY, "capacitance of the bottom at zero bias")   \
    BSIM4_SIDES(ROW, MJ, "mjs", "mjd", "mj", "", 0.5, 0, 10, "its grading coefficient")                                \
    BSIM4_SIDES(ROW, PB, "pbs", "pbd", "pb", "V", 1, DBL_MIN, INFINITY, "its potential")                               \
    BSIM4_SIDES(ROW, CJSW, "cjsws", "cjswd", "cjsw", "F/m", 5e-10, 0, INFINITY,                                        \
                "capacitance of the sidewall at zero bias")                                                            \
    BSIM4_SIDES(ROW, MJSW, "mjsws", "mjswd", "mjsw", "", 0.33, 0, 10, "its grading coefficient")                       \
    BSIM4_SIDES(ROW, PBSW, "pbsws", "pbswd", "pbsw", "V", 1, DBL_MIN, INFINITY, "its potential")                       \
    BSIM4_SIDES(ROW, CJSWG, "cjswgs", "cjswgd", "cjswg", "F/m", 0, 0, INFINITY,                                        \
                "the same under the gate; of the sidewall when absent")                                                \
    BSIM4_SIDES(ROW, MJSWG, "mjswgs", "mjswgd", "mjswg", "", 0, 0, 10,                                                 \
                "its grading coefficient; of the sidewall when absent")                                                \
    BSIM4_SIDES(ROW, PBSWG, "pbswgs", "pbswgd", "pbswg", "V", 0, DBL_MIN, INFINITY,                                    \
                "its potential; of the sidewall when absent")                                                          \
    BSIM4_SIDES(ROW, JTS, "jtss", "jtsd", NULL, "A/m^2", 0, 0, INFINITY, "tunnelling by traps per area")               \
    BSIM4_SIDES(ROW, JTSSW, "jtssws", "jtsswd", NULL, "A/m", 0, 0, INFINITY, "the same per perimeter")                 \
    BSIM4_SIDES(ROW, JTSSWG, "jtsswgs", "jtsswgd", NULL, "A/m", 0, 0, INFINITY, "the same per gate's edge")            \
    BSIM4_SIDES(ROW, NJTS, "njts", "njtsd", NULL, "", 20, DBL_MIN, INFINITY, "emission coefficient of jts")            \
    BSIM4_SIDES(ROW, NJTSSW, "njtssw", "njtsswd", NULL, "", 20, DBL_MIN, INFINITY, "emission coefficient of jtssw")    \
    BSIM4_SIDES(ROW, NJTSSWG, "njtsswg", "njtsswgd", NULL, "", 20, DBL_MIN, INFINITY,                                  \
                "emission coefficient of jtsswg")                                                                      \
    BSIM4_SIDES(ROW, XTS, "xtss", "xtsd", NULL, "", 0.02, -INFINITY, INFINITY, "jts by temperature")                   \
    BSIM4_SIDES(ROW, XTSSW, "xtssws", "xtsswd", NULL, "", 0.02, -INFINITY, INFINITY, "jtssw by temperature")           \
    BSIM4_SIDES(ROW, XTSSWG, "xtsswgs", "xtsswgd", NULL, "", 0.02, -INFINITY, INFINITY, "jtsswg by temperature")       \
    BSIM4_SIDES(ROW, TNJTS, "tnjts", "tnjtsd", NULL, "", 0, -INFINITY, INFINITY, "njts by temperature")                \
    BSIM4_SIDES(ROW, TNJTSSW, "tnjtssw", "tnjtsswd", NULL, "", 0, -INFINITY, INFINITY, "njtssw by temperature")        \
    BSIM4_SIDES(ROW, TNJTSSWG, "tnjtsswg", "tnjtsswgd", NULL, "", 0, -INFINITY, INFINITY, "njtsswg by temperature")    \
    BSIM4_SIDES(ROW, VTS, "vtss", "vtsd", NULL, "V", 10, -INFINITY, INFINITY, "voltage of jts")                        \
    BSIM4_SIDES(ROW, VTSSW, "vtssws", "vtsswd", NULL, "V", 10, -INFINITY, INFINITY, "voltage of jtssw")                \
    BSIM4_SIDES(ROW, VTSSWG, "vtsswgs", "vtsswgd", NULL, "V", 10, -INFINITY, INFINITY, "voltage of jtsswg")            \
    ROW(JTWEFF, "jtweff", NULL, "m", 0, -INFINITY, INFINITY, "jtsswg by the width")                                    \
    ROW(DMCG, "dmcg", NULL, "m", 0, -INFINITY, INFINITY, "from the contacts' middle to the gate's edge")               \
    ROW(DMCI, "dmci", NULL, "m", 0, -INFINITY, INFINITY,                                                               \
        "from the contacts' middle to the isolation's edge; dmcg when absent")                                         \
    ROW(DMDG, "dmdg", NULL, "m", 0, -INFINITY, INFINITY, "the same as dmcg for merged devices")                        \
    ROW(DMCGT, "dmcgt", NULL, "m", 0, -INFINITY, INFINITY, "dmcg of test structures")                                  \
    ROW(XGW, "xgw", NULL, "m", 0, -INFINITY, INFINITY, "from the gate's contact to the channel")                       \
    ROW(XGL, "xgl", NULL, "m", 0, -INFINITY, INFINITY, "gate's length less the drawn one")                             \
    ROW(NGCON, "ngcon", NULL, "", 1, DBL_MIN, INFINITY, "contacts of the gate: 1 or 2")                                \
    ROW(DLCIG, "dlcig", NULL, "m", 0, -INFINITY, INFINITY,                                                             \
        "length over the source where the gate tunnels; lint when absent")                                             \
    ROW(DLCIGD, "dlcigd", NULL, "m", 0, -INFINITY, INFINITY, "the same over the drain; dlcig when absent")             \
    ROW(DWJ, "dwj", NULL, "m", 0, -INFINITY, INFINITY, "width lost by the junctions; dwc when absent")                 \
    ROW(SAREF, "saref", NULL, "m", 1e-06, -INFINITY, INFINITY, "stress: sa of the parameters")                         \
    ROW(SBREF, "sbref", NULL, "m", 1e-06, -INFINITY, INFINITY, "stress: sb of the parameters")                         \
    ROW(WLOD, "wlod", NULL, "m", 0, -INFINITY, INFINITY, "stress: offset of the width")                                \
    ROW(KU0, "ku0", NULL, "m", 0, -INFINITY, INFINITY, "stress: mobility by stress")                                   \
    ROW(KVSAT, "kvsat", NULL, "", 0, -INFINITY, INFINITY, "stress: vsat by stress, of that")                           \
    ROW(TKU0, "tku0", NULL, "", 0, -INFINITY, INFINITY, "stress: ku0 by temperature")                                  \
    ROW(LKU0, "lku0", NULL, "", 0, -INFINITY, INFINITY, "stress: ku0 by the length")                                   \
    ROW(WKU0, "wku0", NULL, "", 0, -INFINITY, INFINITY, "stress: ku0 by the width")                                    \
    ROW(PKU0, "pku0", NULL, "", 0, -INFINITY, INFINITY, "stress: ku0 by both")                                         \
    ROW(LLODKU0, "llodku0", NULL, "", 0, -INFINITY, INFINITY, "stress: exponent of the length")                        \
    ROW(WLODKU0, "wlodku0", NULL, "", 0, -INFINITY, INFINITY, "stress: exponent of the width")                         \
    ROW(KVTH0, "kvth0", NULL, "Vm", 0, -INFINITY, INFINITY, "stress: threshold by stress")                             \
    ROW(LKVTH0, "lkvth0", NULL, "", 0, -INFINITY, INFINITY, "stress: kvth0 by the length")                             \
    ROW(WKVTH0, "wkvth0", NULL, "", 0, -INFINITY, INFINITY, "stress: kvth0 by the width")                              \
    ROW(PKVTH0, "pkvth0", NULL, "", 0, -INFINITY, INFINITY, "stress: kvth0 by both")                                   \
    ROW(LLODVTH, "llodvth", NULL, "", 0, -INFINITY, INFINITY, "stress: exponent of the length")                        \
    ROW(WLODVTH, "wlodvth", NULL, "", 0, -INFINITY, INFINITY, "stress: exponent of the width")                         \
    ROW(STK2, "stk2", NULL, "m", 0, -INFINITY, INFINITY, "stress: k2 by stress")                                       \
    ROW(LODK2, "lodk2", NULL, "", 1, -INFINITY, INFINITY, "stress: exponent of kvth0 there")                           \
    ROW(STETA0, "steta0", NULL, "m", 0, -INFINITY, INFINITY, "stress: eta0 by stress")                                 \
    ROW(LODETA0, "lodeta0", NULL, "", 1, -INFINITY, INFINITY, "stress: exponent of kvth0 there")                       \
    ROW(WEB, "web", NULL, "", 0, -INFINITY, INFINITY, "edge of the well: weight of scb")                               \
    ROW(WEC, "wec", NULL, "", 0, -INFINITY, INFINITY, "edge of the well: weight of scc")                               \
    ROW(SCREF, "scref", NULL, "m", 1e-06, DBL_MIN, INFINITY, "edge of the well: distance of the parameters")           \
    ROW(GBMIN, "gbmin", NULL, "S", 1e-12, 0, INFINITY, "conductance in parallel with the resistances of the bulk")     \
    ROW(RBDB, "rbdb", NULL, "ohm", 50, 0, INFINITY, "resistance of the bulk, rbodymod = 1")                            \
    ROW(RBPB, "rbpb", NULL, "ohm", 50, 0, INFINITY, "resistance of the bulk, rbodymod = 1")                            \
    ROW(RBSB, "rbsb", NULL, "ohm", 50, 0, INFINITY, "resistance of the bulk, rbodymod = 1")                            \
    ROW(RBPS, "rbps", NULL, "ohm", 50, 0, INFINITY, "resistance of the bulk, rbodymod = 1")                            \
    ROW(RBPD, "rbpd", NULL, "ohm", 50, 0, INFINITY, "resistance of the bulk, rbodymod = 1")                            \
    BSIM4_BULK(ROW, RBPS, "rbps", 50, "the same with rbodymod = 2")                                                    \
    BSIM4_BULK(ROW, RBPD, "rbpd", 50, "the same with rbodymod = 2")                                                    \
    BSIM4_BULK(ROW, RBPBX, "rbpbx", 100, "the same of rbpb, two in parallel")                                          \
    BSIM4_BULK(ROW, RBPBY, "rbpby", 100, "the same of rbpb, two in parallel")                                          \
    ROW(RBSBX0, "rbsbx0", NULL, "ohm", 100, 0, INFINITY, "the same of rbsb, two in parallel")                          \
    ROW(RBSBY0, "rbsby0", NULL, "ohm", 100, 0, INFINITY, "the same of rbsb, two in parallel")                          \
    ROW(RBDBX0, "rbdbx0", NULL, "ohm", 100, 0, INFINITY, "the same of rbdb, two in parallel")                          \
    ROW(RBDBY0, "rbdby0", NULL, "ohm", 100, 0, INFINITY, "the same of rbdb, two in parallel")                          \
    ROW(RBSDBXL, "rbsdbxl", NULL, "", 0, -INFINITY, INFINITY, "exponent of the length of these")                       \
    ROW(RBSDBXW, "rbsdbxw", NULL, "", 0, -INFINITY, INFINITY, "exponent of the width of these")                        \
    ROW(RBSDBXNF, "rbsdbxnf", NULL, "", 0, -INFINITY, INFINITY, "exponent of the number of fingers of these")          \
    ROW(RBSDBYL, "rbsdbyl", NULL, "", 0, -INFINITY, INFINITY, "exponent of the length of these")                       \
    ROW(RBSDBYW, "rbsdbyw", NULL, "", 0, -INFINITY, INFINITY, "exponent of the width of these")                        \
    ROW(RBSDBYNF, "rbsdbynf", NULL, "", 0, -INFINITY, INFINITY, "exponent of the number of fingers of these")          \
    ROW(KF, "kf", NULL, "", 0, 0, INFINITY, "fnoimod = 0: kf id^af/(Cox L^2 f^ef)")                                    \
    ROW(NOIA, "noia", NULL, "1/eVm^3", 0, -INFINITY, INFINITY,                                                         \
        "traps of flicker noise; 6.25e41, 6.188e40 for a p-channel")                                                   \
    ROW(NOIB, "noib", NULL, "1/eVm", 0, -INFINITY, INFINITY, "the same by density; 3.125e26, 1.5e25")                  \
    ROW(NOIC, "noic", NULL, "m/eV", 8750000000.0, -INFINITY, INFINITY, "the same by its square")                       \
    ROW(EM, "em", NULL, "V/m", 41000000.0, 0, INFINITY, "field where the channel is saturated, for flicker noise")     \
    ROW(NTNOI, "ntnoi", NULL, "", 1, -INFINITY, INFINITY, "tnoimod = 0: factor of the thermal noise")                  \
    ROW(TNOIA, "tnoia", NULL, "1/m", 1.5, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                     \
    ROW(TNOIB, "tnoib", NULL, "1/m", 3.5, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                     \
    ROW(TNOIC, "tnoic", NULL, "1/m", 0, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                       \
    ROW(RNOIA, "rnoia", NULL, "", 0.577, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")                              \
    ROW(RNOIB, "rnoib", NULL, "", 0.5164, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")                             \
    ROW(RNOIC, "rnoic", NULL, "", 0.395, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")                              \
    BSIM_CARD(ROW) BSIM_BULK_CARD(ROW)

#define BSIM4_CARD_SYMBOL(symbol, ...) BSIM4_CARD_##symbol,
enum { BSIM4_COMMON(BSIM4_CARD_SYMBOL) BSIM4_COMMON_COUNT };
enum { BSIM4_CARD_COUNT = BSIM4_COMMON_COUNT + BSIM_PARTS * BSIM4_BINNED_COUNT };
static inline size_t bsim4_row(enum bsim4_binned symbol)
{
    return BSIM4_COMMON_COUNT + BSIM_PARTS * (size_t)symbol;
}

#endif
