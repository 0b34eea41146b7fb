/* vdmos_parameters.h - the model card of power MOSFETs. */
#ifndef DEVICES_POWER_VDMOS_PARAMETERS_H
#define DEVICES_POWER_VDMOS_PARAMETERS_H

#include "devices/device.h"

enum {
    VDMOS_VTO,
    VDMOS_KP,
    VDMOS_LAMBDA,
    VDMOS_THETA,
    VDMOS_MTRIODE,
    VDMOS_KSUBTHRES,
    VDMOS_SUBSHIFT,
    VDMOS_RD,
    VDMOS_RS,
    VDMOS_RG,
    VDMOS_RB,
    VDMOS_RDS,
    VDMOS_RQ,
    VDMOS_VQ,
    VDMOS_CGS,
    VDMOS_CGDMIN,
    VDMOS_CGDMAX,
    VDMOS_A,
    VDMOS_IS,
    VDMOS_N,
    VDMOS_CJO,
    VDMOS_VJ,
    VDMOS_MJ,
    VDMOS_FC,
    VDMOS_TT,
    VDMOS_BV,
    VDMOS_IBV,
    VDMOS_NBV,
    VDMOS_EG,
    VDMOS_XTI,
    VDMOS_TNOM,
    VDMOS_TCVTH,
    VDMOS_VTOTC,
    VDMOS_BEX,
    VDMOS_TEXP0,
    VDMOS_TEXP1,
    VDMOS_TRD1,
    VDMOS_TRD2,
    VDMOS_TRG1,
    VDMOS_TRG2,
    VDMOS_TRS1,
    VDMOS_TRS2,
    VDMOS_TRB1,
    VDMOS_TRB2,
    VDMOS_TKSUBTHRES1,
    VDMOS_TKSUBTHRES2,
    VDMOS_KF,
    VDMOS_AF,
    VDMOS_NCHAN,
    VDMOS_PCHAN,
    VDMOS_MODEL_COUNT
};

extern const struct parameter_info vdmos_model_rows[VDMOS_MODEL_COUNT];

#endif
