/* jfet_parameters.h - element cards of JFETs and MESFETs and their model cards. */
#ifndef DEVICES_SEMICONDUCTOR_JFET_PARAMETERS_H
#define DEVICES_SEMICONDUCTOR_JFET_PARAMETERS_H

#include "devices/device.h"

enum { JFET_AREA, JFET_M, JFET_TEMP, JFET_DTEMP, JFET_OFF, JFET_ICVDS, JFET_ICVGS, JFET_INSTANCE_COUNT };

enum {
    JFET_LEVEL,
    JFET_VTO,
    JFET_BETA,
    JFET_LAMBDA,
    JFET_RD,
    JFET_RS,
    JFET_CGS,
    JFET_CGD,
    JFET_PB,
    JFET_IS,
    JFET_N,
    JFET_FC,
    JFET_B,
    JFET_GRADING,
    JFET_ISR,
    JFET_NR,
    JFET_TNOM,
    JFET_TCV,
    JFET_VTOTC,
    JFET_BEX,
    JFET_BETATCE,
    JFET_XTI,
    JFET_EG,
    JFET_KF,
    JFET_AF,
    JFET_NLEV,
    JFET_GDSNOI,
    JFET_COMMON, /* rows so far are those of both kinds */
    JFET_ALPHA = JFET_COMMON,
    MESFET_MODEL_COUNT,
    GASFET_RG = MESFET_MODEL_COUNT,
    GASFET_CDS,
    GASFET_ALPHATCE,
    GASFET_GAMMA,
    GASFET_DELTA,
    GASFET_Q,
    GASFET_MODEL_COUNT,
    JFET_DELTA = JFET_COMMON,
    JFET_THETA,
    JFET_IONISATION,
    JFET_VK,
    JFET_PARKER, /* the rest is of ngspice's level 2 */
    JFET_VBI = JFET_PARKER,
    JFET_P,
    JFET_Q,
    JFET_Z,
    JFET_XI,
    JFET_MXI,
    JFET_VST,
    JFET_MVST,
    JFET_LFGAM,
    JFET_LFG1,
    JFET_LFG2,
    JFET_HFGAM,
    JFET_HFG1,
    JFET_HFG2,
    JFET_HFETA,
    JFET_HFE1,
    JFET_HFE2,
    JFET_TAUG,
    JFET_TAUD,
    JFET_IBD,
    JFET_VBD,
    JFET_CDS,
    JFET_ACGAM,
    JFET_XC,
    JFET_MODEL_COUNT
};

extern const struct parameter_info jfet_instance_rows[JFET_INSTANCE_COUNT];
extern const struct parameter_info jfet_model_rows[JFET_MODEL_COUNT];
extern const struct parameter_info mesfet_model_rows[MESFET_MODEL_COUNT];
extern const struct parameter_info gasfet_model_rows[GASFET_MODEL_COUNT];

#endif
