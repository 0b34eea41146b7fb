/* bsim_rows.h - parameters that the cards of BSIM3, BSIM4 and BSIMSOI share, and how rows become tables.
 *
 * A row that has parts by 1/L, 1/W and 1/(L W) says symbol, name, other names, unit, value, and what it is; others have a
 * least and a most in front of that.
 */
#ifndef DEVICES_CHANNEL_BSIM_ROWS_H
#define DEVICES_CHANNEL_BSIM_ROWS_H

/* ---- with parts by size ---- */

/* Of all three. */
#define BSIM_CHANNEL(ROW)                                                                                              \
    ROW(K1, "k1", NULL, "V^0.5", 0, "body effect; from gamma1, gamma2, vbx and vbm when neither k1 nor k2 is given")   \
    ROW(K2, "k2", NULL, "", 0, "body effect, linear part")                                                             \
    ROW(K3B, "k3b", NULL, "1/V", 0, "k3 by vbs")                                                                       \
    ROW(W0, "w0", NULL, "m", 2.5e-6, "offset of the width in the threshold of narrow channels")                        \
    ROW(DVT0, "dvt0", NULL, "", 2.2, "threshold of short channels")                                                    \
    ROW(DVT1, "dvt1", NULL, "", 0.53, "the same: decay with the length")                                               \
    ROW(DVT2, "dvt2", NULL, "1/V", -0.032, "dvt0 by vbs")                                                              \
    ROW(DVT0W, "dvt0w", NULL, "", 0, "threshold of short and narrow channels")                                         \
    ROW(DVT1W, "dvt1w", NULL, "1/m", 5.3e6, "the same: decay with length and width")                                   \
    ROW(DVT2W, "dvt2w", NULL, "1/V", -0.032, "dvt0w by vbs")                                                           \
    ROW(NGATE, "ngate", NULL, "1/cm^3", 0, "doping of the gate; 0: it does not deplete")                               \
    ROW(VOFF, "voff", NULL, "V", -0.08, "offset of weak inversion")                                                    \
    ROW(NFACTOR, "nfactor", NULL, "", 1, "swing below threshold")                                                      \
    ROW(CIT, "cit", NULL, "F/m^2", 0, "capacitance of interface states")                                               \
    ROW(CDSC, "cdsc", NULL, "F/m^2", 2.4e-4, "coupling of drain and source to the channel")                            \
    ROW(CDSCB, "cdscb", NULL, "F/Vm^2", 0, "cdsc by vbs")                                                              \
    ROW(CDSCD, "cdscd", NULL, "F/Vm^2", 0, "cdsc by vds")                                                              \
    ROW(ETA0, "eta0", NULL, "", 0.08, "lowering of the threshold by the drain")                                        \
    ROW(ETAB, "etab", NULL, "1/V", -0.07, "eta0 by vbs")                                                               \
    ROW(DSUB, "dsub", NULL, "", 0, "eta0: decay with the length; drout when absent")                                   \
    ROW(UTE, "ute", NULL, "", -1.5, "mobility by temperature, exponent")                                               \
    ROW(VSAT, "vsat", NULL, "m/s", 8e4, "largest velocity of carriers")                                                \
    ROW(AT, "at", NULL, "m/s", 3.3e4, "vsat by temperature")                                                           \
    ROW(A0, "a0", NULL, "", 1, "charge of the bulk along the channel")                                                 \
    ROW(AGS, "ags", NULL, "1/V", 0, "the same by vgs")                                                                 \
    ROW(B0, "b0", NULL, "m", 0, "the same in narrow channels")                                                         \
    ROW(B1, "b1", NULL, "m", 0, "offset of the width there")                                                           \
    ROW(A1, "a1", NULL, "1/V", 0, "saturation that is not complete: by vgs")                                           \
    ROW(A2, "a2", NULL, "", 1, "saturation that is not complete")                                                      \
    ROW(PRWB, "prwb", NULL, "V^-0.5", 0, "rdsw by vbs")                                                                \
    ROW(PRT, "prt", NULL, "ohm um^wr", 0, "rdsw by temperature")                                                       \
    ROW(WR, "wr", NULL, "", 1, "exponent of the width in rdsw")                                                        \
    ROW(DWG, "dwg", NULL, "m/V", 0, "width by vgs")                                                                    \
    ROW(DWB, "dwb", NULL, "m/V^0.5", 0, "width by vbs")                                                                \
    ROW(DELTA, "delta", NULL, "V", 0.01, "width of the bend into saturation")                                          \
    ROW(PCLM, "pclm", NULL, "", 1.3, "shortening of the channel in saturation")                                        \
    ROW(PDIBLC1, "pdiblc1", "pdibl1", "", 0.39, "output conductance by the drain's barrier lowering, short channels")  \
    ROW(PDIBLC2, "pdiblc2", "pdibl2", "", 0.0086, "the same, all channels")                                            \
    ROW(PDIBLCB, "pdiblcb", "pdiblb", "1/V", 0, "output conductance by the drain's barrier lowering, by vbs")          \
    ROW(DROUT, "drout", NULL, "", 0.56, "the same: decay with the length")                                             \
    ROW(PVAG, "pvag", NULL, "", 0, "output conductance by vgs")                                                        \
    ROW(KT1, "kt1", NULL, "V", -0.11, "threshold by temperature")                                                      \
    ROW(KT1L, "kt1l", NULL, "Vm", 0, "kt1 by 1/length")                                                                \
    ROW(KT2, "kt2", NULL, "", 0.022, "kt1 by vbs")                                                                     \
    ROW(CGSL, "cgsl", NULL, "F/m", 0, "gate-source overlap that depletes, per width")                                  \
    ROW(CGDL, "cgdl", NULL, "F/m", 0, "gate-drain overlap that depletes, per width")                                   \
    ROW(ACDE, "acde", NULL, "m/V", 1, "charges of thin oxides: depth in accumulation and depletion")                   \
    ROW(MOIN, "moin", NULL, "", 15, "charges of thin oxides: surface potential by vgs")                                \
    ROW(NOFF, "noff", NULL, "", 1, "charges: swing below threshold")

/* Of BSIM3 and BSIM4. */
#define BSIM_BULK_CHANNEL(ROW)                                                                                         \
    ROW(VTH0, "vth0", "vtho", "V", 0, "threshold at vbs = 0 of a long channel; from vfb when absent, else 0.7, -0.7")  \
    ROW(VFB, "vfb", NULL, "V", -1, "flat-band voltage; from vth0 when absent")                                         \
    ROW(K3, "k3", NULL, "", 80, "threshold of narrow channels")                                                        \
    ROW(GAMMA1, "gamma1", NULL, "V^0.5", 0, "body effect near the surface; from the channel's doping when absent")     \
    ROW(GAMMA2, "gamma2", NULL, "V^0.5", 0, "body effect in the bulk; from nsub when absent")                          \
    ROW(VBX, "vbx", NULL, "V", 0, "vbs where the depletion layer is xt deep")                                          \
    ROW(VBM, "vbm", NULL, "V", -3, "largest reverse vbs")                                                              \
    ROW(XT, "xt", NULL, "m", 1.55e-7, "depth of the channel's doping")                                                 \
    ROW(NSUB, "nsub", NULL, "1/cm^3", 6e16, "doping of the substrate")                                                 \
    ROW(XJ, "xj", NULL, "m", 1.5e-7, "depth of source and drain")                                                      \
    ROW(KETA, "keta", NULL, "1/V", -0.047, "charge of the bulk by vbs")                                                \
    ROW(PSCBE1, "pscbe1", NULL, "V/m", 4.24e8, "output conductance by the substrate's current, exponent")              \
    ROW(PSCBE2, "pscbe2", NULL, "m/V", 1e-5, "the same, factor")                                                       \
    ROW(ALPHA0, "alpha0", NULL, "m/V", 0, "substrate current")                                                         \
    ROW(ALPHA1, "alpha1", NULL, "1/V", 0, "substrate current by the length")                                           \
    ROW(CF, "cf", NULL, "F/m", 0, "fringing capacitance; from the oxide's thickness when absent")                      \
    ROW(CLC, "clc", NULL, "m", 1e-7, "charge of the bulk in short channels")                                           \
    ROW(CLE, "cle", NULL, "", 0.6, "charge of the bulk in short channels, exponent")                                   \
    ROW(VFBCV, "vfbcv", NULL, "V", -1, "flat-band voltage of the charges of capmod = 0")                               \
    ROW(VOFFCV, "voffcv", NULL, "V", 0, "charges: offset of the threshold")

/* Of BSIM3 and BSIMSOI. */
#define BSIM_EARLY_CHANNEL(ROW)                                                                                        \
    ROW(NLX, "nlx", NULL, "m", 1.74e-7, "lateral nonuniform doping")                                                   \
    ROW(NCH, "nch", "npeak", "1/cm^3", 1.7e17, "doping of the channel; from gamma1 when absent")                       \
    ROW(UA, "ua", NULL, "m/V", 2.25e-9, "fall of the mobility with the gate's field")                                  \
    ROW(UB, "ub", NULL, "m^2/V^2", 5.87e-19, "the same with its square")                                               \
    ROW(UC, "uc", NULL, "m/V^2", 0, "the same by vbs: -4.65e-11, with mobmod = 3 -0.0465 (1/V)")                       \
    ROW(UA1, "ua1", NULL, "m/V", 4.31e-9, "ua by temperature")                                                         \
    ROW(UB1, "ub1", NULL, "m^2/V^2", -7.61e-18, "ub by temperature")                                                   \
    ROW(UC1, "uc1", NULL, "m/V^2", 0, "uc by temperature: -5.6e-11, with mobmod = 3 -0.056 (1/V)")                     \
    ROW(CKAPPA, "ckappa", NULL, "V", 0.6, "bend of the overlaps that deplete")

/* ---- without ---- */

/* Of all three. */
#define BSIM_CARD(ROW)                                                                                                 \
    ROW(BINUNIT, "binunit", NULL, "", 1, -INFINITY, INFINITY, "1: parts by length and width are per 1/um, else 1/m")   \
    ROW(XPART, "xpart", NULL, "", 0, -INFINITY, INFINITY,                                                              \
        "charge of the channel: 0 40 % at the drain, 0.5 half, 1 none, below 0 no charge")                             \
    ROW(RSH, "rsh", NULL, "ohm", 0, 0, INFINITY, "sheet resistance of source and drain")                               \
    ROW(TOXM, "toxm", NULL, "m", 0, DBL_MIN, INFINITY,                                                                 \
        "oxide thickness for which k1 and k2 were measured; that of the card when absent")                             \
    ROW(CGSO, "cgso", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-source overlap per width; from dlc or xj")            \
    ROW(CGDO, "cgdo", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-drain overlap per width; from dlc or xj")             \
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
    ROW(DWC, "dwc", NULL, "m", 0, -INFINITY, INFINITY, "wint of the charges; wint when absent")                        \
    ROW(TCJSWG, "tcjswg", NULL, "1/K", 0, -INFINITY, INFINITY, "cjswg by temperature")                                 \
    ROW(TPBSWG, "tpbswg", NULL, "V/K", 0, -INFINITY, INFINITY, "pbswg by temperature")                                 \
    ROW(TNOM, "tnom", "tref", "degC", 27, -DEVICE_KELVIN, INFINITY,                                                    \
        "temperature of the parameters; .options tnom when absent")

/* Of BSIM3 and BSIM4. */
#define BSIM_BULK_CARD(ROW)                                                                                            \
    ROW(ACNQSMOD, "acnqsmod", NULL, "", 0, 0, 1, "as nqsmod (trnqsmod), of small signals")                             \
    ROW(TCJ, "tcj", NULL, "1/K", 0, -INFINITY, INFINITY, "cj by temperature")                                          \
    ROW(TPB, "tpb", NULL, "V/K", 0, -INFINITY, INFINITY, "pb by temperature")                                          \
    ROW(TCJSW, "tcjsw", NULL, "1/K", 0, -INFINITY, INFINITY, "cjsw by temperature")                                    \
    ROW(TPBSW, "tpbsw", NULL, "V/K", 0, -INFINITY, INFINITY, "pbsw by temperature")                                    \
    ROW(CGBO, "cgbo", NULL, "F/m", 0, -INFINITY, INFINITY, "gate-bulk overlap per length; 2 dwc Cox when absent")      \
    ROW(XL, "xl", NULL, "m", 0, -INFINITY, INFINITY, "added to the length by mask and etching")                        \
    ROW(XW, "xw", NULL, "m", 0, -INFINITY, INFINITY, "added to the width by mask and etching")                         \
    ROW(LLC, "llc", NULL, "m^(1+lln)", 0, -INFINITY, INFINITY, "ll of the charges; ll when absent")                    \
    ROW(LWC, "lwc", NULL, "m^(1+lwn)", 0, -INFINITY, INFINITY, "lw of the charges; lw when absent")                    \
    ROW(LWLC, "lwlc", NULL, "m^(1+lln+lwn)", 0, -INFINITY, INFINITY, "lwl of the charges; lwl when absent")            \
    ROW(WLC, "wlc", NULL, "m^(1+wln)", 0, -INFINITY, INFINITY, "wl of the charges; wl when absent")                    \
    ROW(WWC, "wwc", NULL, "m^(1+wwn)", 0, -INFINITY, INFINITY, "ww of the charges; ww when absent")                    \
    ROW(WWLC, "wwlc", NULL, "m^(1+wln+wwn)", 0, -INFINITY, INFINITY, "wwl of the charges; wwl when absent")            \
    ROW(AF, "af", NULL, "", 1, 0, INFINITY, "exponent of the current in flicker noise")                                \
    ROW(EF, "ef", NULL, "", 1, 0, INFINITY, "exponent of the frequency of flicker noise")                              \
    ROW(LINTNOI, "lintnoi", NULL, "m", 0, -INFINITY, INFINITY, "lint of flicker noise, besides lint")

/* ---- tables ---- */

#define BSIM_CARD_ROW(symbol, name, others, unit, fallback, least, most, doc)                                          \
    {name, unit, fallback, least, most, doc, others},
#define BSIM_BINNED_ROWS(symbol, name, others, unit, fallback, doc)                                                    \
    {name, unit, fallback, -INFINITY, INFINITY, doc, others},                                                          \
        {"l" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/length", NULL},                                  \
        {"w" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/width", NULL},                                   \
        {"p" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/(length width)", NULL},

/* Rows of a parameter with parts: its own, then those by length, by width, by both. */
enum { BSIM_PARTS = 4 };

#endif
