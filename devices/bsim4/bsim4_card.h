/* bsim4_card.h - the parameters of a BSIM4 card that have no parts by size.  Those of the junctions come in pairs, of the
 * source and of the drain, whose row follows.
 */
#ifndef DEVICES_BSIM4_BSIM4_CARD_H
#define DEVICES_BSIM4_BSIM4_CARD_H

#include "devices/channel/bsim4_rows.h"

#include <stddef.h>

/* Symbol, name, other names, unit, value, least, most, what it is. */
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
    ROW(ACNQSMOD, "acnqsmod", NULL, "", 0, 0, 1, "the same for small signals")                                         \
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
    ROW(BINUNIT, "binunit", NULL, "", 1, -INFINITY, INFINITY, "1: parts by length and width are per 1/um, else 1/m")   \
    ROW(TOXE, "toxe", NULL, "m", 3e-09, DBL_MIN, INFINITY, "electrical thickness of the gate's oxide")                 \
    ROW(TOXP, "toxp", NULL, "m", 0, DBL_MIN, INFINITY, "its physical thickness; toxe - dtox when absent")              \
    ROW(TOXM, "toxm", NULL, "m", 0, DBL_MIN, INFINITY, "that for which k1 and k2 were measured; toxe when absent")     \
    ROW(TOXREF, "toxref", NULL, "m", 3e-09, DBL_MIN, INFINITY, "that for which tunnelling was measured")               \
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
    ROW(XPART, "xpart", NULL, "", 0, -INFINITY, INFINITY,                                                              \
        "charge of the channel: 0 40 % at the drain, 0.5 half, 1 none, below 0 no charge")                             \
    ROW(CGSO, "cgso", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-source overlap per width; from dlc or xj")            \
    ROW(CGDO, "cgdo", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-drain overlap per width; from dlc or xj")             \
    ROW(CGBO, "cgbo", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-bulk overlap per length; 2 dwc Cox when absent")      \
    ROW(VOFFL, "voffl", NULL, "Vm", 0, -INFINITY, INFINITY, "voff by 1/length")                                        \
    ROW(VOFFCVL, "voffcvl", NULL, "Vm", 0, -INFINITY, INFINITY, "voffcv by 1/length")                                  \
    ROW(LC, "lc", NULL, "m", 5e-09, -INFINITY, INFINITY, "scattering back at the source")                              \
    ROW(PDITSL, "pditsl", NULL, "1/m", 0, -INFINITY, INFINITY, "pdits by the length")                                  \
    ROW(RDSWMIN, "rdswmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY,                                                 \
        "least resistance of source and drain together")                                                               \
    ROW(RDWMIN, "rdwmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY, "least resistance of the drain, rdsmod = 1")      \
    ROW(RSWMIN, "rswmin", NULL, "ohm um^wr", 0, -INFINITY, INFINITY, "least resistance of the source, rdsmod = 1")     \
    ROW(RSH, "rsh", NULL, "ohm", 0, 0, INFINITY, "sheet resistance of source and drain")                               \
    ROW(RSHG, "rshg", NULL, "ohm", 0.1, 0, INFINITY, "sheet resistance of the gate")                                   \
    ROW(GIDLCLAMP, "gidlclamp", NULL, "V", -1e-05, -INFINITY, INFINITY, "gidlmod = 1: largest v(bulk) - fgidl")        \
    ROW(IDOVVDSC, "idovvds", "idovvdsc", "S", 1e-09, -INFINITY, INFINITY, "tnoimod = 1: least id/vds")                 \
    ROW(JS_S, "jss", "js", "A/m^2", 0.0001, 0, INFINITY, "source: saturation current of the junction per area")        \
    ROW(JS_D, "jsd", NULL, "A/m^2", 0.0001, 0, INFINITY,                                                               \
        "drain: saturation current of the junction per area; jss when absent")                                         \
    ROW(JSW_S, "jsws", "jsw jssw", "A/m", 0, 0, INFINITY, "source: the same per perimeter")                            \
    ROW(JSW_D, "jswd", NULL, "A/m", 0, 0, INFINITY, "drain: the same per perimeter; jsws when absent")                 \
    ROW(JSWG_S, "jswgs", "jswg", "A/m", 0, 0, INFINITY, "source: the same per gate's edge")                            \
    ROW(JSWG_D, "jswgd", NULL, "A/m", 0, 0, INFINITY, "drain: the same per gate's edge; jswgs when absent")            \
    ROW(NJ_S, "njs", "nj n", "", 1, DBL_MIN, INFINITY, "source: emission coefficient")                                 \
    ROW(NJ_D, "njd", NULL, "", 1, DBL_MIN, INFINITY, "drain: emission coefficient; njs when absent")                   \
    ROW(XTI_S, "xtis", "xti", "", 3, -INFINITY, INFINITY, "source: exponent of temperature")                           \
    ROW(XTI_D, "xtid", NULL, "", 3, -INFINITY, INFINITY, "drain: exponent of temperature; xtis when absent")           \
    ROW(IJTHF_S, "ijthsfwd", "ijth", "A", 0.1, 0, INFINITY, "source: current from which on it is straight")            \
    ROW(IJTHF_D, "ijthdfwd", NULL, "A", 0.1, 0, INFINITY,                                                              \
        "drain: current from which on it is straight; ijthsfwd when absent")                                           \
    ROW(IJTHR_S, "ijthsrev", NULL, "A", 0.1, 0, INFINITY, "source: the same in breakdown")                             \
    ROW(IJTHR_D, "ijthdrev", NULL, "A", 0.1, 0, INFINITY, "drain: the same in breakdown; ijthsrev when absent")        \
    ROW(XJBV_S, "xjbvs", NULL, "", 1, 0, INFINITY, "source: factor of the current in breakdown")                       \
    ROW(XJBV_D, "xjbvd", NULL, "", 1, 0, INFINITY, "drain: factor of the current in breakdown; xjbvs when absent")     \
    ROW(BV_S, "bvs", NULL, "V", 10, 0, INFINITY, "source: breakdown voltage")                                          \
    ROW(BV_D, "bvd", NULL, "V", 10, 0, INFINITY, "drain: breakdown voltage; bvs when absent")                          \
    ROW(CJ_S, "cjs", "cj", "F/m^2", 0.0005, 0, INFINITY, "source: capacitance of the bottom at zero bias")             \
    ROW(CJ_D, "cjd", NULL, "F/m^2", 0.0005, 0, INFINITY,                                                               \
        "drain: capacitance of the bottom at zero bias; cjs when absent")                                              \
    ROW(MJ_S, "mjs", "mj", "", 0.5, 0, 10, "source: its grading coefficient")                                          \
    ROW(MJ_D, "mjd", NULL, "", 0.5, 0, 10, "drain: its grading coefficient; mjs when absent")                          \
    ROW(PB_S, "pbs", "pb", "V", 1, DBL_MIN, INFINITY, "source: its potential")                                         \
    ROW(PB_D, "pbd", NULL, "V", 1, DBL_MIN, INFINITY, "drain: its potential; pbs when absent")                         \
    ROW(CJSW_S, "cjsws", "cjsw", "F/m", 5e-10, 0, INFINITY, "source: capacitance of the sidewall at zero bias")        \
    ROW(CJSW_D, "cjswd", NULL, "F/m", 5e-10, 0, INFINITY,                                                              \
        "drain: capacitance of the sidewall at zero bias; cjsws when absent")                                          \
    ROW(MJSW_S, "mjsws", "mjsw", "", 0.33, 0, 10, "source: its grading coefficient")                                   \
    ROW(MJSW_D, "mjswd", NULL, "", 0.33, 0, 10, "drain: its grading coefficient; mjsws when absent")                   \
    ROW(PBSW_S, "pbsws", "pbsw", "V", 1, DBL_MIN, INFINITY, "source: its potential")                                   \
    ROW(PBSW_D, "pbswd", NULL, "V", 1, DBL_MIN, INFINITY, "drain: its potential; pbsws when absent")                   \
    ROW(CJSWG_S, "cjswgs", "cjswg", "F/m", 0, 0, INFINITY,                                                             \
        "source: the same under the gate; of the sidewall when absent")                                                \
    ROW(CJSWG_D, "cjswgd", NULL, "F/m", 0, 0, INFINITY,                                                                \
        "drain: the same under the gate; of the sidewall when absent; cjswgs when absent")                             \
    ROW(MJSWG_S, "mjswgs", "mjswg", "", 0, 0, 10, "source: its grading coefficient; of the sidewall when absent")      \
    ROW(MJSWG_D, "mjswgd", NULL, "", 0, 0, 10,                                                                         \
        "drain: its grading coefficient; of the sidewall when absent; mjswgs when absent")                             \
    ROW(PBSWG_S, "pbswgs", "pbswg", "V", 0, DBL_MIN, INFINITY, "source: its potential; of the sidewall when absent")   \
    ROW(PBSWG_D, "pbswgd", NULL, "V", 0, DBL_MIN, INFINITY,                                                            \
        "drain: its potential; of the sidewall when absent; pbswgs when absent")                                       \
    ROW(JTS_S, "jtss", NULL, "A/m^2", 0, 0, INFINITY, "source: tunnelling by traps per area")                          \
    ROW(JTS_D, "jtsd", NULL, "A/m^2", 0, 0, INFINITY, "drain: tunnelling by traps per area; jtss when absent")         \
    ROW(JTSSW_S, "jtssws", NULL, "A/m", 0, 0, INFINITY, "source: the same per perimeter")                              \
    ROW(JTSSW_D, "jtsswd", NULL, "A/m", 0, 0, INFINITY, "drain: the same per perimeter; jtssws when absent")           \
    ROW(JTSSWG_S, "jtsswgs", NULL, "A/m", 0, 0, INFINITY, "source: the same per gate's edge")                          \
    ROW(JTSSWG_D, "jtsswgd", NULL, "A/m", 0, 0, INFINITY, "drain: the same per gate's edge; jtsswgs when absent")      \
    ROW(NJTS_S, "njts", NULL, "", 20, DBL_MIN, INFINITY, "source: emission coefficient of jts")                        \
    ROW(NJTS_D, "njtsd", NULL, "", 20, DBL_MIN, INFINITY, "drain: emission coefficient of jts; njts when absent")      \
    ROW(NJTSSW_S, "njtssw", NULL, "", 20, DBL_MIN, INFINITY, "source: emission coefficient of jtssw")                  \
    ROW(NJTSSW_D, "njtsswd", NULL, "", 20, DBL_MIN, INFINITY,                                                          \
        "drain: emission coefficient of jtssw; njtssw when absent")                                                    \
    ROW(NJTSSWG_S, "njtsswg", NULL, "", 20, DBL_MIN, INFINITY, "source: emission coefficient of jtsswg")               \
    ROW(NJTSSWG_D, "njtsswgd", NULL, "", 20, DBL_MIN, INFINITY,                                                        \
        "drain: emission coefficient of jtsswg; njtsswg when absent")                                                  \
    ROW(XTS_S, "xtss", NULL, "", 0.02, -INFINITY, INFINITY, "source: jts by temperature")                              \
    ROW(XTS_D, "xtsd", NULL, "", 0.02, -INFINITY, INFINITY, "drain: jts by temperature; xtss when absent")             \
    ROW(XTSSW_S, "xtssws", NULL, "", 0.02, -INFINITY, INFINITY, "source: jtssw by temperature")                        \
    ROW(XTSSW_D, "xtsswd", NULL, "", 0.02, -INFINITY, INFINITY, "drain: jtssw by temperature; xtssws when absent")     \
    ROW(XTSSWG_S, "xtsswgs", NULL, "", 0.02, -INFINITY, INFINITY, "source: jtsswg by temperature")                     \
    ROW(XTSSWG_D, "xtsswgd", NULL, "", 0.02, -INFINITY, INFINITY, "drain: jtsswg by temperature; xtsswgs when absent") \
    ROW(TNJTS_S, "tnjts", NULL, "", 0, -INFINITY, INFINITY, "source: njts by temperature")                             \
    ROW(TNJTS_D, "tnjtsd", NULL, "", 0, -INFINITY, INFINITY, "drain: njts by temperature; tnjts when absent")          \
    ROW(TNJTSSW_S, "tnjtssw", NULL, "", 0, -INFINITY, INFINITY, "source: njtssw by temperature")                       \
    ROW(TNJTSSW_D, "tnjtsswd", NULL, "", 0, -INFINITY, INFINITY, "drain: njtssw by temperature; tnjtssw when absent")  \
    ROW(TNJTSSWG_S, "tnjtsswg", NULL, "", 0, -INFINITY, INFINITY, "source: njtsswg by temperature")                    \
    ROW(TNJTSSWG_D, "tnjtsswgd", NULL, "", 0, -INFINITY, INFINITY,                                                     \
        "drain: njtsswg by temperature; tnjtsswg when absent")                                                         \
    ROW(VTS_S, "vtss", NULL, "V", 10, -INFINITY, INFINITY, "source: voltage of jts")                                   \
    ROW(VTS_D, "vtsd", NULL, "V", 10, -INFINITY, INFINITY, "drain: voltage of jts; vtss when absent")                  \
    ROW(VTSSW_S, "vtssws", NULL, "V", 10, -INFINITY, INFINITY, "source: voltage of jtssw")                             \
    ROW(VTSSW_D, "vtsswd", NULL, "V", 10, -INFINITY, INFINITY, "drain: voltage of jtssw; vtssws when absent")          \
    ROW(VTSSWG_S, "vtsswgs", NULL, "V", 10, -INFINITY, INFINITY, "source: voltage of jtsswg")                          \
    ROW(VTSSWG_D, "vtsswgd", NULL, "V", 10, -INFINITY, INFINITY, "drain: voltage of jtsswg; vtsswgs when absent")      \
    ROW(JTWEFF, "jtweff", NULL, "m", 0, -INFINITY, INFINITY, "jtsswg by the width")                                    \
    ROW(TCJ, "tcj", NULL, "1/K", 0, -INFINITY, INFINITY, "cjs and cjd by temperature")                                 \
    ROW(TPB, "tpb", NULL, "V/K", 0, -INFINITY, INFINITY, "pbs and pbd by temperature")                                 \
    ROW(TCJSW, "tcjsw", NULL, "1/K", 0, -INFINITY, INFINITY, "cjsws and cjswd by temperature")                         \
    ROW(TPBSW, "tpbsw", NULL, "V/K", 0, -INFINITY, INFINITY, "pbsws and pbswd by temperature")                         \
    ROW(TCJSWG, "tcjswg", NULL, "1/K", 0, -INFINITY, INFINITY, "cjswgs and cjswgd by temperature")                     \
    ROW(TPBSWG, "tpbswg", NULL, "V/K", 0, -INFINITY, INFINITY, "pbswgs and pbswgd by temperature")                     \
    ROW(DMCG, "dmcg", NULL, "m", 0, -INFINITY, INFINITY, "from the contacts' middle to the gate's edge")               \
    ROW(DMCI, "dmci", NULL, "m", 0, -INFINITY, INFINITY,                                                               \
        "from the contacts' middle to the isolation's edge; dmcg when absent")                                         \
    ROW(DMDG, "dmdg", NULL, "m", 0, -INFINITY, INFINITY, "the same as dmcg for merged devices")                        \
    ROW(DMCGT, "dmcgt", NULL, "m", 0, -INFINITY, INFINITY, "dmcg of test structures")                                  \
    ROW(XGW, "xgw", NULL, "m", 0, -INFINITY, INFINITY, "from the gate's contact to the channel")                       \
    ROW(XGL, "xgl", NULL, "m", 0, -INFINITY, INFINITY, "gate's length less the drawn one")                             \
    ROW(NGCON, "ngcon", NULL, "", 1, DBL_MIN, INFINITY, "contacts of the gate: 1 or 2")                                \
    ROW(XL, "xl", NULL, "m", 0, -INFINITY, INFINITY, "added to the length by mask and etching")                        \
    ROW(XW, "xw", NULL, "m", 0, -INFINITY, INFINITY, "added to the width by mask and etching")                         \
    ROW(LINT, "lint", NULL, "m", 0, -INFINITY, INFINITY, "length lost on either side")                                 \
    ROW(LL, "ll", NULL, "m^(1+lln)", 0, -INFINITY, INFINITY, "the same by 1/length^lln")                               \
    ROW(LLN, "lln", NULL, "", 1, -INFINITY, INFINITY, "its exponent")                                                  \
    ROW(LW, "lw", NULL, "m^(1+lwn)", 0, -INFINITY, INFINITY, "the same by 1/width^lwn")                                \
    ROW(LWN, "lwn", NULL, "", 1, -INFINITY, INFINITY, "its exponent")                                                  \
    ROW(LWL, "lwl", NULL, "m^(1+lln+lwn)", 0, -INFINITY, INFINITY, "the same by both")                                 \
    ROW(WINT, "wint", NULL, "m", 0, -INFINITY, INFINITY, "width lost on either side")                                  \
    ROW(WL, "wl", NULL, "m^(1+wln)", 0, -INFINITY, INFINITY, "the same by 1/length^wln")                               \
    ROW(WLN, "wln", NULL, "", 1, -INFINITY, INFINITY, "its exponent")                                                  \
    ROW(WW, "ww", NULL, "m^(1+wwn)", 0, -INFINITY, INFINITY, "the same by 1/width^wwn")                                \
    ROW(WWN, "wwn", NULL, "", 1, -INFINITY, INFINITY, "its exponent")                                                  \
    ROW(WWL, "wwl", NULL, "m^(1+wln+wwn)", 0, -INFINITY, INFINITY, "the same by both")                                 \
    ROW(DLC, "dlc", NULL, "m", 0, -INFINITY, INFINITY, "lint of the charges; lint when absent")                        \
    ROW(LLC, "llc", NULL, "", 0, -INFINITY, INFINITY, "ll of the charges; ll when absent")                             \
    ROW(LWC, "lwc", NULL, "", 0, -INFINITY, INFINITY, "lw of the charges; lw when absent")                             \
    ROW(LWLC, "lwlc", NULL, "", 0, -INFINITY, INFINITY, "lwl of the charges; lwl when absent")                         \
    ROW(DWC, "dwc", NULL, "m", 0, -INFINITY, INFINITY, "wint of the charges; wint when absent")                        \
    ROW(WLC, "wlc", NULL, "", 0, -INFINITY, INFINITY, "wl of the charges; wl when absent")                             \
    ROW(WWC, "wwc", NULL, "", 0, -INFINITY, INFINITY, "ww of the charges; ww when absent")                             \
    ROW(WWLC, "wwlc", NULL, "", 0, -INFINITY, INFINITY, "wwl of the charges; wwl when absent")                         \
    ROW(DLCIG, "dlcig", NULL, "m", 0, -INFINITY, INFINITY,                                                             \
        "length over the source where the gate tunnels; lint when absent")                                             \
    ROW(DLCIGD, "dlcigd", NULL, "m", 0, -INFINITY, INFINITY, "the same over the drain; dlcig when absent")             \
    ROW(DWJ, "dwj", NULL, "m", 0, -INFINITY, INFINITY, "width lost by the junctions; dwc when absent")                 \
    ROW(TNOM, "tnom", "tref", "degC", 27, -DEVICE_KELVIN, INFINITY,                                                    \
        "temperature of the parameters; .options tnom when absent")                                                    \
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
    ROW(RBPS0, "rbps0", NULL, "ohm", 50, 0, INFINITY, "the same with rbodymod = 2")                                    \
    ROW(RBPSL, "rbpsl", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the length")                                \
    ROW(RBPSW, "rbpsw", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the width")                                 \
    ROW(RBPSNF, "rbpsnf", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the number of fingers")                   \
    ROW(RBPD0, "rbpd0", NULL, "ohm", 50, 0, INFINITY, "the same with rbodymod = 2")                                    \
    ROW(RBPDL, "rbpdl", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the length")                                \
    ROW(RBPDW, "rbpdw", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the width")                                 \
    ROW(RBPDNF, "rbpdnf", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the number of fingers")                   \
    ROW(RBPBX0, "rbpbx0", NULL, "ohm", 100, 0, INFINITY, "the same of rbpb, two in parallel")                          \
    ROW(RBPBXL, "rbpbxl", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the length")                              \
    ROW(RBPBXW, "rbpbxw", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the width")                               \
    ROW(RBPBXNF, "rbpbxnf", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the number of fingers")                 \
    ROW(RBPBY0, "rbpby0", NULL, "ohm", 100, 0, INFINITY, "the same of rbpb, two in parallel")                          \
    ROW(RBPBYL, "rbpbyl", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the length")                              \
    ROW(RBPBYW, "rbpbyw", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the width")                               \
    ROW(RBPBYNF, "rbpbynf", NULL, "", 0, -INFINITY, INFINITY, "its exponent of the number of fingers")                 \
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
    ROW(AF, "af", NULL, "", 1, 0, INFINITY, "its exponent of the current")                                             \
    ROW(EF, "ef", NULL, "", 1, 0, INFINITY, "exponent of the frequency of flicker noise")                              \
    ROW(NOIA, "noia", NULL, "1/eVm^3", 0, -INFINITY, INFINITY,                                                         \
        "traps of flicker noise; 6.25e41, 6.188e40 for a p-channel")                                                   \
    ROW(NOIB, "noib", NULL, "1/eVm", 0, -INFINITY, INFINITY, "the same by density; 3.125e26, 1.5e25")                  \
    ROW(NOIC, "noic", NULL, "m/eV", 8750000000.0, -INFINITY, INFINITY, "the same by its square")                       \
    ROW(EM, "em", NULL, "V/m", 41000000.0, 0, INFINITY, "field where the channel is saturated, for flicker noise")     \
    ROW(LINTNOI, "lintnoi", NULL, "m", 0, -INFINITY, INFINITY, "lint of flicker noise, besides lint")                  \
    ROW(NTNOI, "ntnoi", NULL, "", 1, -INFINITY, INFINITY, "tnoimod = 0: factor of the thermal noise")                  \
    ROW(TNOIA, "tnoia", NULL, "1/m", 1.5, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                     \
    ROW(TNOIB, "tnoib", NULL, "1/m", 3.5, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                     \
    ROW(TNOIC, "tnoic", NULL, "1/m", 0, -INFINITY, INFINITY, "tnoimod = 1 and 2: by the length")                       \
    ROW(RNOIA, "rnoia", NULL, "", 0.577, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")                              \
    ROW(RNOIB, "rnoib", NULL, "", 0.5164, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")                             \
    ROW(RNOIC, "rnoic", NULL, "", 0.395, -INFINITY, INFINITY, "tnoimod = 1 and 2: level")

enum {
#define BSIM4_SYMBOL(symbol, name, others, unit, fallback, least, most, doc) BSIM4_CARD_##symbol,
    BSIM4_COMMON(BSIM4_SYMBOL)
#undef BSIM4_SYMBOL
        BSIM4_COMMON_COUNT
};

/* Rows of a binned parameter: its own, then the parts by length, by width, by both. */
enum { BSIM4_PARTS = 4, BSIM4_CARD_COUNT = BSIM4_COMMON_COUNT + BSIM4_PARTS * BSIM4_BINNED_COUNT };
static inline size_t bsim4_row(enum bsim4_binned symbol)
{
    return BSIM4_COMMON_COUNT + BSIM4_PARTS * (size_t)symbol;
}

#endif
