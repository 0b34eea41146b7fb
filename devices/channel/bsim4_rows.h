/* bsim4_rows.h - the parameters of a BSIM4 card that have parts by 1/L, 1/W and 1/(L W). */
#ifndef DEVICES_CHANNEL_BSIM4_ROWS_H
#define DEVICES_CHANNEL_BSIM4_ROWS_H

/* Symbol, name, other names, unit, value, what it is. */
#define BSIM4_BINNED(ROW)                                                                                              \
    ROW(VTH0, "vth0", "vtho", "V", 0, "threshold at vbs = 0 of a long channel; from vfb when absent, else 0.7, -0.7")  \
    ROW(VFB, "vfb", NULL, "V", -1, "flat-band voltage; from vth0 when absent")                                         \
    ROW(K1, "k1", NULL, "V^0.5", 0, "body effect; from gamma1, gamma2, vbx and vbm when neither k1 nor k2 is given")   \
    ROW(K2, "k2", NULL, "", 0, "body effect, linear part")                                                             \
    ROW(K3, "k3", NULL, "", 80, "threshold of narrow channels")                                                        \
    ROW(K3B, "k3b", NULL, "1/V", 0, "the same by the bulk's voltage")                                                  \
    ROW(W0, "w0", NULL, "m", 2.5e-6, "offset of the width there")                                                      \
    ROW(LPE0, "lpe0", NULL, "m", 1.74e-7, "lateral nonuniform doping at vbs = 0")                                      \
    ROW(LPEB, "lpeb", NULL, "m", 0, "the same on the body effect")                                                     \
    ROW(DVTP0, "dvtp0", NULL, "m", 0, "threshold of long channels by the drain (pocket implants); 0: none")            \
    ROW(DVTP1, "dvtp1", NULL, "1/V", 0, "the same by the drain's voltage")                                             \
    ROW(DVTP2, "dvtp2", NULL, "V m^dvtp3", 0, "a further shift by the drain, by length")                               \
    ROW(DVTP3, "dvtp3", NULL, "", 0, "its exponent of the length")                                                     \
    ROW(DVTP4, "dvtp4", NULL, "1/V", 0, "its rate with the drain's voltage")                                           \
    ROW(DVTP5, "dvtp5", NULL, "V", 0, "the same for all lengths")                                                      \
    ROW(DVT0, "dvt0", NULL, "", 2.2, "threshold of short channels")                                                    \
    ROW(DVT1, "dvt1", NULL, "", 0.53, "the same: decay with the length")                                               \
    ROW(DVT2, "dvt2", NULL, "1/V", -0.032, "the same by the bulk's voltage")                                           \
    ROW(DVT0W, "dvt0w", NULL, "", 0, "threshold of short and narrow channels")                                         \
    ROW(DVT1W, "dvt1w", NULL, "1/m", 5.3e6, "the same: decay with length and width")                                   \
    ROW(DVT2W, "dvt2w", NULL, "1/V", -0.032, "the same by the bulk's voltage")                                         \
    ROW(PHIN, "phin", NULL, "V", 0, "surface potential by nonuniform doping")                                          \
    ROW(GAMMA1, "gamma1", NULL, "V^0.5", 0, "body effect near the surface; from ndep")                                 \
    ROW(GAMMA2, "gamma2", NULL, "V^0.5", 0, "body effect in the bulk; from nsub")                                      \
    ROW(VBX, "vbx", NULL, "V", 0, "bulk voltage where the depletion layer is xt deep")                                 \
    ROW(VBM, "vbm", NULL, "V", -3, "largest reverse bulk voltage")                                                     \
    ROW(XT, "xt", NULL, "m", 1.55e-7, "depth of the channel's doping")                                                 \
    ROW(NDEP, "ndep", NULL, "1/cm^3", 1.7e17, "doping of the channel")                                                 \
    ROW(NSUB, "nsub", NULL, "1/cm^3", 6e16, "doping of the substrate")                                                 \
    ROW(NGATE, "ngate", NULL, "1/cm^3", 0, "doping of the gate; 0: it does not deplete")                               \
    ROW(NSD, "nsd", NULL, "1/cm^3", 1e20, "doping of source and drain")                                                \
    ROW(XJ, "xj", NULL, "m", 1.5e-7, "depth of source and drain")                                                      \
    ROW(VOFF, "voff", NULL, "V", -0.08, "offset of weak inversion")                                                    \
    ROW(TVOFF, "tvoff", NULL, "1/K", 0, "the same by temperature")                                                     \
    ROW(MINV, "minv", NULL, "", 0, "moderate inversion")                                                               \
    ROW(MINVCV, "minvcv", NULL, "", 0, "the same of the charges, cvchargemod = 1")                                     \
    ROW(NFACTOR, "nfactor", NULL, "", 1, "swing below threshold")                                                      \
    ROW(TNFACTOR, "tnfactor", NULL, "", 0, "the same by temperature")                                                  \
    ROW(CIT, "cit", NULL, "F/m^2", 0, "capacitance of interface states")                                               \
    ROW(CDSC, "cdsc", NULL, "F/m^2", 2.4e-4, "coupling of drain and source to the channel")                            \
    ROW(CDSCB, "cdscb", NULL, "F/Vm^2", 0, "the same by the bulk's voltage")                                           \
    ROW(CDSCD, "cdscd", NULL, "F/Vm^2", 0, "the same by the drain's voltage")                                          \
    ROW(ETA0, "eta0", NULL, "", 0.08, "lowering of the threshold by the drain")                                        \
    ROW(TETA0, "teta0", NULL, "", 0, "the same by temperature")                                                        \
    ROW(ETAB, "etab", NULL, "1/V", -0.07, "the same by the bulk's voltage")                                            \
    ROW(DSUB, "dsub", NULL, "", 0, "the same: decay with the length; drout when absent")                               \
    ROW(U0, "u0", "uo", "m^2/Vs", 0, "mobility; cm^2/Vs where it is above 1; 0.067, 0.025 for a p-channel")            \
    ROW(UA, "ua", NULL, "m/V", 1e-9, "fall of the mobility with the gate's field; 1e-15 with mobmod = 2 and 6")        \
    ROW(UB, "ub", NULL, "m^2/V^2", 1e-19, "the same with its square")                                                  \
    ROW(UC, "uc", NULL, "m/V^2", 0, "the same by the bulk's voltage: -4.65e-11, with mobmod = 1 and 5 -0.0465 (1/V)")  \
    ROW(UD, "ud", NULL, "1/m^2", 0, "Coulomb scattering")                                                              \
    ROW(UCS, "ucs", NULL, "", 0, "the same with mobmod = 3, exponent: 1.67, 1 for a p-channel")                        \
    ROW(UP, "up", NULL, "", 0, "mobility by the length")                                                               \
    ROW(LP, "lp", NULL, "m", 1e-8, "the same: decay with the length")                                                  \
    ROW(EU, "eu", NULL, "", 0, "exponent of the field of mobmod = 2, 3 and 6: 1.67, 1 for a p-channel")                \
    ROW(UTE, "ute", NULL, "", -1.5, "mobility by temperature, exponent")                                               \
    ROW(UCSTE, "ucste", NULL, "", -4.775e-3, "ucs by temperature, exponent")                                           \
    ROW(UA1, "ua1", NULL, "m/V", 1e-9, "ua by temperature")                                                            \
    ROW(UB1, "ub1", NULL, "m^2/V^2", -1e-18, "ub by temperature")                                                      \
    ROW(UC1, "uc1", NULL, "m/V^2", 0, "uc by temperature: -5.6e-11, with mobmod = 1 and 5 -0.056 (1/V)")               \
    ROW(UD1, "ud1", NULL, "1/m^2", 0, "ud by temperature")                                                             \
    ROW(VSAT, "vsat", NULL, "m/s", 8e4, "largest velocity of carriers")                                                \
    ROW(AT, "at", NULL, "m/s", 3.3e4, "vsat by temperature")                                                           \
    ROW(LAMBDA, "lambda", NULL, "m^3/Vs", 0, "velocity overshoot; 0: none")                                            \
    ROW(VTL, "vtl", NULL, "m/s", 2e5, "velocity at the source's end; without limit when absent")                       \
    ROW(XN, "xn", NULL, "", 3, "the same: scattering back")                                                            \
    ROW(A0, "a0", NULL, "", 1, "charge of the bulk along the channel")                                                 \
    ROW(AGS, "ags", NULL, "1/V", 0, "the same by the gate's voltage")                                                  \
    ROW(B0, "b0", NULL, "m", 0, "the same in narrow channels")                                                         \
    ROW(B1, "b1", NULL, "m", 0, "offset of the width there")                                                           \
    ROW(KETA, "keta", NULL, "1/V", -0.047, "charge of the bulk by the bulk's voltage")                                 \
    ROW(KETAC, "ketac", NULL, "1/V", 0, "the same of the charges; keta when absent")                                   \
    ROW(A1, "a1", NULL, "1/V", 0, "saturation that is not complete: by the gate's voltage")                            \
    ROW(A2, "a2", NULL, "", 1, "saturation that is not complete")                                                      \
    ROW(RDSW, "rdsw", NULL, "ohm um^wr", 200, "resistance of source and drain together, rdsmod = 0")                   \
    ROW(RDW, "rdw", NULL, "ohm um^wr", 100, "resistance of the drain, rdsmod = 1")                                     \
    ROW(RSW, "rsw", NULL, "ohm um^wr", 100, "resistance of the source, rdsmod = 1")                                    \
    ROW(PRWG, "prwg", NULL, "1/V", 1, "these by the gate's voltage")                                                   \
    ROW(PRWB, "prwb", NULL, "V^-0.5", 0, "these by the bulk's voltage")                                                \
    ROW(PRT, "prt", NULL, "ohm um^wr", 0, "these by temperature")                                                      \
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
    ROW(FPROUT, "fprout", NULL, "V/m^0.5", 0, "output conductance of pocket implants")                                 \
    ROW(PDITS, "pdits", NULL, "1/V", 0, "the same by the drain's voltage; 0: none")                                    \
    ROW(PDITSD, "pditsd", NULL, "1/V", 0, "the same: rate with the drain's voltage")                                   \
    ROW(ALPHA0, "alpha0", NULL, "m/V", 0, "substrate current")                                                         \
    ROW(ALPHA1, "alpha1", NULL, "1/V", 0, "the same by the length")                                                    \
    ROW(BETA0, "beta0", NULL, "V", 0, "the same, exponent; 0: none")                                                   \
    ROW(KT1, "kt1", NULL, "V", -0.11, "threshold by temperature")                                                      \
    ROW(KT1L, "kt1l", NULL, "Vm", 0, "the same by 1/length")                                                           \
    ROW(KT2, "kt2", NULL, "", 0.022, "the same by the bulk's voltage")                                                 \
    ROW(AGIDL, "agidl", NULL, "1/ohm", 0, "tunnelling at the drain under the gate; 0: none")                           \
    ROW(BGIDL, "bgidl", NULL, "V/m", 2.3e9, "the same, exponent")                                                      \
    ROW(CGIDL, "cgidl", NULL, "V^3", 0.5, "the same by the bulk's voltage")                                            \
    ROW(EGIDL, "egidl", NULL, "V", 0.8, "the same: bending of bands")                                                  \
    ROW(RGIDL, "rgidl", NULL, "", 1, "the same by the gate's voltage, gidlmod = 1")                                    \
    ROW(KGIDL, "kgidl", NULL, "V", 0, "the same by the bulk's voltage, gidlmod = 1")                                   \
    ROW(FGIDL, "fgidl", NULL, "V", 1, "the same: offset of that voltage, gidlmod = 1")                                 \
    ROW(AGISL, "agisl", NULL, "1/ohm", 0, "these at the source; those of the drain when absent")                       \
    ROW(BGISL, "bgisl", NULL, "V/m", 2.3e9, "bgidl of the source")                                                     \
    ROW(CGISL, "cgisl", NULL, "V^3", 0.5, "cgidl of the source")                                                       \
    ROW(EGISL, "egisl", NULL, "V", 0.8, "egidl of the source")                                                         \
    ROW(RGISL, "rgisl", NULL, "", 1, "rgidl of the source")                                                            \
    ROW(KGISL, "kgisl", NULL, "V", 0, "kgidl of the source")                                                           \
    ROW(FGISL, "fgisl", NULL, "V", 1, "fgidl of the source")                                                           \
    ROW(AIGC, "aigc", NULL, "", 0, "tunnelling from gate to channel: 0.0136, 0.0098 for a p-channel")                  \
    ROW(BIGC, "bigc", NULL, "", 0, "the same: 0.00171, 0.000759")                                                      \
    ROW(CIGC, "cigc", NULL, "1/V", 0, "the same: 0.075, 0.03")                                                         \
    ROW(AIGSD, "aigsd", NULL, "", 0, "aigs and aigd where these are absent; aigc's value")                             \
    ROW(BIGSD, "bigsd", NULL, "", 0, "bigs and bigd where these are absent; bigc's value")                             \
    ROW(CIGSD, "cigsd", NULL, "1/V", 0, "cigs and cigd where these are absent; cigc's value")                          \
    ROW(AIGS, "aigs", NULL, "", 0, "tunnelling from gate to source")                                                   \
    ROW(BIGS, "bigs", NULL, "", 0, "the same")                                                                         \
    ROW(CIGS, "cigs", NULL, "1/V", 0, "the same")                                                                      \
    ROW(AIGD, "aigd", NULL, "", 0, "tunnelling from gate to drain")                                                    \
    ROW(BIGD, "bigd", NULL, "", 0, "the same")                                                                         \
    ROW(CIGD, "cigd", NULL, "1/V", 0, "the same")                                                                      \
    ROW(AIGBACC, "aigbacc", NULL, "", 1.36e-2, "tunnelling from gate to bulk in accumulation")                         \
    ROW(BIGBACC, "bigbacc", NULL, "", 1.71e-3, "the same")                                                             \
    ROW(CIGBACC, "cigbacc", NULL, "1/V", 0.075, "the same")                                                            \
    ROW(AIGBINV, "aigbinv", NULL, "", 1.11e-2, "tunnelling from gate to bulk in inversion")                            \
    ROW(BIGBINV, "bigbinv", NULL, "", 9.49e-4, "the same")                                                             \
    ROW(CIGBINV, "cigbinv", NULL, "1/V", 0.006, "the same")                                                            \
    ROW(NIGC, "nigc", NULL, "", 1, "bend of the current from gate to channel")                                         \
    ROW(NIGBACC, "nigbacc", NULL, "", 1, "bend of that in accumulation")                                               \
    ROW(NIGBINV, "nigbinv", NULL, "", 3, "bend of that in inversion")                                                  \
    ROW(NTOX, "ntox", NULL, "", 1, "exponent of the oxide's thickness there")                                          \
    ROW(EIGBINV, "eigbinv", NULL, "V", 1.1, "threshold of the tunnelling in inversion")                                \
    ROW(PIGCD, "pigcd", NULL, "", 1, "division of the current to the channel; by the bias when absent")                \
    ROW(POXEDGE, "poxedge", NULL, "", 1, "oxide's thickness over source and drain, of toxe")                           \
    ROW(XRCRG1, "xrcrg1", NULL, "", 12, "gate resistance by the channel, rgatemod = 2")                                \
    ROW(XRCRG2, "xrcrg2", NULL, "", 1, "the same, diffusion")                                                          \
    ROW(VFBSDOFF, "vfbsdoff", NULL, "V", 0, "offset of the flat-band voltage over source and drain")                   \
    ROW(TVFBSDOFF, "tvfbsdoff", NULL, "1/K", 0, "the same by temperature")                                             \
    ROW(CGSL, "cgsl", NULL, "F/m", 0, "gate-source overlap that depletes, per width")                                  \
    ROW(CGDL, "cgdl", NULL, "F/m", 0, "gate-drain overlap that depletes, per width")                                   \
    ROW(CKAPPAS, "ckappas", NULL, "V", 0.6, "how that of the source depletes")                                         \
    ROW(CKAPPAD, "ckappad", NULL, "V", 0.6, "how that of the drain depletes; ckappas when absent")                     \
    ROW(CF, "cf", NULL, "F/m", 0, "fringing capacitance; from toxe when absent")                                       \
    ROW(CLC, "clc", NULL, "m", 1e-7, "charge of the bulk in short channels")                                           \
    ROW(CLE, "cle", NULL, "", 0.6, "the same, exponent")                                                               \
    ROW(VFBCV, "vfbcv", NULL, "V", -1, "flat-band voltage of the charges of capmod = 0")                               \
    ROW(ACDE, "acde", NULL, "m/V", 1, "depth of the charge in accumulation and depletion, capmod = 2")                 \
    ROW(MOIN, "moin", NULL, "", 15, "surface potential by the gate's voltage, capmod = 2")                             \
    ROW(NOFF, "noff", NULL, "", 1, "swing below threshold of the charges")                                             \
    ROW(VOFFCV, "voffcv", NULL, "V", 0, "offset of the threshold of the charges")                                      \
    ROW(TVOFFCV, "tvoffcv", NULL, "1/K", 0, "the same by temperature")                                                 \
    ROW(KVTH0WE, "kvth0we", NULL, "", 0, "threshold by the edge of the well, wpemod = 1")                              \
    ROW(K2WE, "k2we", NULL, "", 0, "k2 by the edge of the well")                                                       \
    ROW(KU0WE, "ku0we", NULL, "", 0, "mobility by the edge of the well")

enum bsim4_binned {
#define BSIM4_SYMBOL(symbol, name, others, unit, fallback, doc) BSIM4_##symbol,
    BSIM4_BINNED(BSIM4_SYMBOL)
#undef BSIM4_SYMBOL
        BSIM4_BINNED_COUNT
};

#endif
