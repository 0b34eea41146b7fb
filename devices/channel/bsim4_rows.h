/* bsim4_rows.h - the parameters of a BSIM4 card that have parts by 1/L, 1/W and 1/(L W). */
#ifndef DEVICES_CHANNEL_BSIM4_ROWS_H
#define DEVICES_CHANNEL_BSIM4_ROWS_H

#include "devices/channel/bsim_body.h"

#define BSIM4_BINNED(ROW)                                                                                              \
    BSIM_COMMON(ROW)                                                                                                   \
    ROW(LPE0, "lpe0", NULL, "m", 1.74e-7, "lateral nonuniform doping at vbs = 0")                                      \
    ROW(LPEB, "lpeb", NULL, "m", 0, "the same on the body effect")                                                     \
    ROW(DVTP0, "dvtp0", NULL, "m", 0, "threshold of long channels by the drain (pocket implants); 0: none")            \
    ROW(DVTP1, "dvtp1", NULL, "1/V", 0, "the same by vds")                                                             \
    ROW(DVTP2, "dvtp2", NULL, "V m^dvtp3", 0, "a further shift by the drain, by length")                               \
    ROW(DVTP3, "dvtp3", NULL, "", 0, "its exponent of the length")                                                     \
    ROW(DVTP4, "dvtp4", NULL, "1/V", 0, "its rate with the drain's voltage")                                           \
    ROW(DVTP5, "dvtp5", NULL, "V", 0, "the same for all lengths")                                                      \
    ROW(PHIN, "phin", NULL, "V", 0, "surface potential by nonuniform doping")                                          \
    ROW(NDEP, "ndep", NULL, "1/cm^3", 1.7e17, "doping of the channel")                                                 \
    ROW(NSD, "nsd", NULL, "1/cm^3", 1e20, "doping of source and drain")                                                \
    ROW(TVOFF, "tvoff", NULL, "1/K", 0, "voff by temperature")                                                         \
    ROW(MINV, "minv", NULL, "", 0, "moderate inversion")                                                               \
    ROW(MINVCV, "minvcv", NULL, "", 0, "the same of the charges, cvchargemod = 1")                                     \
    ROW(TNFACTOR, "tnfactor", NULL, "", 0, "nfactor by temperature")                                                   \
    ROW(TETA0, "teta0", NULL, "", 0, "eta0 by temperature")                                                            \
    ROW(U0, "u0", "uo", "m^2/Vs", 0, "mobility; cm^2/Vs where it is above 1; 0.067, 0.025 for a p-channel")            \
    ROW(UA, "ua", NULL, "m/V", 1e-9, "fall of the mobility with the gate's field; 1e-15 with mobmod = 2 and 6")        \
    ROW(UB, "ub", NULL, "m^2/V^2", 1e-19, "the same with its square")                                                  \
    ROW(UC, "uc", NULL, "m/V^2", 0, "the same by vbs: -4.65e-11, with mobmod = 1 and 5 -0.0465 (1/V)")                 \
    ROW(UD, "ud", NULL, "1/m^2", 0, "Coulomb scattering")                                                              \
    ROW(UCS, "ucs", NULL, "", 0, "the same with mobmod = 3, exponent: 1.67, 1 for a p-channel")                        \
    ROW(UP, "up", NULL, "", 0, "mobility by the length")                                                               \
    ROW(LP, "lp", NULL, "m", 1e-8, "the same: decay with the length")                                                  \
    ROW(EU, "eu", NULL, "", 0, "exponent of the field of mobmod = 2, 3 and 6: 1.67, 1 for a p-channel")                \
    ROW(UCSTE, "ucste", NULL, "", -4.775e-3, "ucs by temperature, exponent")                                           \
    ROW(UA1, "ua1", NULL, "m/V", 1e-9, "ua by temperature")                                                            \
    ROW(UB1, "ub1", NULL, "m^2/V^2", -1e-18, "ub by temperature")                                                      \
    ROW(UC1, "uc1", NULL, "m/V^2", 0, "uc by temperature: -5.6e-11, with mobmod = 1 and 5 -0.056 (1/V)")               \
    ROW(UD1, "ud1", NULL, "1/m^2", 0, "ud by temperature")                                                             \
    ROW(LAMBDA, "lambda", NULL, "m^3/Vs", 0, "velocity overshoot; 0: none")                                            \
    ROW(VTL, "vtl", NULL, "m/s", 2e5, "velocity at the source's end; without limit when absent")                       \
    ROW(XN, "xn", NULL, "", 3, "the same: scattering back")                                                            \
    ROW(KETAC, "ketac", NULL, "1/V", 0, "keta of the charges; keta when absent")                                       \
    ROW(RDSW, "rdsw", NULL, "ohm um^wr", 200, "resistance of source and drain together, rdsmod = 0")                   \
    ROW(RDW, "rdw", NULL, "ohm um^wr", 100, "resistance of the drain, rdsmod = 1")                                     \
    ROW(RSW, "rsw", NULL, "ohm um^wr", 100, "resistance of the source, rdsmod = 1")                                    \
    ROW(PRWG, "prwg", NULL, "1/V", 1, "these by vgs")                                                                  \
    ROW(FPROUT, "fprout", NULL, "V/m^0.5", 0, "output conductance of pocket implants")                                 \
    ROW(PDITS, "pdits", NULL, "1/V", 0, "the same by vds; 0: none")                                                    \
    ROW(PDITSD, "pditsd", NULL, "1/V", 0, "the same: rate with vds")                                                   \
    ROW(BETA0, "beta0", NULL, "V", 0, "substrate current, exponent; 0: none")                                          \
    ROW(AGIDL, "agidl", NULL, "1/ohm", 0, "tunnelling at the drain under the gate; 0: none")                           \
    ROW(BGIDL, "bgidl", NULL, "V/m", 2.3e9, "the same, exponent")                                                      \
    ROW(CGIDL, "cgidl", NULL, "V^3", 0.5, "the same by vbs")                                                           \
    ROW(EGIDL, "egidl", NULL, "V", 0.8, "the same: bending of bands")                                                  \
    ROW(RGIDL, "rgidl", NULL, "", 1, "the same by vgs, gidlmod = 1")                                                   \
    ROW(KGIDL, "kgidl", NULL, "V", 0, "the same by vbs, gidlmod = 1")                                                  \
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
    ROW(CKAPPAS, "ckappas", NULL, "V", 0.6, "bend of the source's overlap that depletes")                              \
    ROW(CKAPPAD, "ckappad", NULL, "V", 0.6, "bend of the drain's; ckappas when absent")                                \
    ROW(TVOFFCV, "tvoffcv", NULL, "1/K", 0, "voffcv by temperature")                                                   \
    ROW(KVTH0WE, "kvth0we", NULL, "", 0, "threshold by the edge of the well, wpemod = 1")                              \
    ROW(K2WE, "k2we", NULL, "", 0, "k2 by the edge of the well")                                                       \
    ROW(KU0WE, "ku0we", NULL, "", 0, "mobility by the edge of the well")

#define BSIM4_SYMBOL(symbol, ...) BSIM4_##symbol,
enum bsim4_binned { BSIM4_BINNED(BSIM4_SYMBOL) BSIM4_BINNED_COUNT };

#endif
