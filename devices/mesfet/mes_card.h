/* mes_card.h - element and model cards of MESFETs of levels 2 to 4 and of HFETs, and what becomes of them at a temperature.
 * Names, units and defaults are those of ngspice's devices mesa, hfet1 and hfet2.
 */
#ifndef DEVICES_MESFET_MES_CARD_H
#define DEVICES_MESFET_MES_CARD_H

#include "devices/device.h"
#include "devices/mesfet/mes_law.h"

/* ---- elements ---- */

/* The last two are temp and dtemp of an HFET, td and ts of a MESFET, which has dtemp, too. */
enum {
    MES_L,
    MES_W,
    MES_M,
    MES_OFF,
    MES_ICVDS,
    MES_ICVGS,
    MES_DTEMP,
    MES_TEMP,
    HFET_INSTANCE_COUNT,
    MES_TD = MES_TEMP,
    MES_TS,
    MESA_INSTANCE_COUNT
};

extern const struct parameter_info mesa_instance_rows[MESA_INSTANCE_COUNT];
extern const struct parameter_info hfet_instance_rows[HFET_INSTANCE_COUNT];

/* ---- models ---- */

enum {
    MES_LEVEL,
    MES_VTO,
    MES_LAMBDA,
    MES_RD,
    MES_RS,
    MES_RDI,
    MES_RSI,
    MES_ETA,
    MES_SHAPE, /* m */
    MES_MC,
    MES_SIGMA0,
    MES_VSIGMAT,
    MES_VSIGMA,
    MES_MU,
    MES_TRANSITION,
    MES_VS,
    MES_GAMMA,
    MES_NMAX,
    MES_EPSI,
    MES_GGR,
    MES_DEL,
    MES_COMMON,

    MESA_LAMBDAHF = MES_COMMON,
    MESA_BETA,
    MESA_RG,
    MESA_RI,
    MESA_RF,
    MESA_PHIB,
    MESA_PHIB1,
    MESA_ASTAR,
    MESA_XCHI,
    MESA_N,
    MESA_ALPHA,
    MESA_THETA,
    MESA_MU1,
    MESA_MU2,
    MESA_D,
    MESA_ND,
    MESA_DU,
    MESA_NDU,
    MESA_TH,
    MESA_NDELTA,
    MESA_TC,
    MESA_TVTO,
    MESA_TLAMBDA,
    MESA_TETA0,
    MESA_TETA1,
    MESA_TMU,
    MESA_XTM0,
    MESA_XTM1,
    MESA_XTM2,
    MESA_KS,
    MESA_VSG,
    MESA_TF,
    MESA_FLO,
    MESA_DELFO,
    MESA_AG,
    MESA_RTC1,
    MESA_RTC2,
    MESA_ZETA,
    MESA_CAS,
    MESA_CBS,
    MESA_MODEL_COUNT,

    HFET_DI = MES_COMMON,
    HFET_DELTAD,
    HFET_D1,
    HFET_D2,
    HFET_ETA1,
    HFET_ETA2,
    HFET_VT1,
    HFET_VT2,
    HFET_P,
    HFET_KLAMBDA,
    HFET_KMU,
    HFET_KVTO,
    HFET_COMMON,

    HFET1_RG = HFET_COMMON,
    HFET1_RI,
    HFET1_RF,
    HFET1_RGS,
    HFET1_RGD,
    HFET1_JS1S,
    HFET1_JS1D,
    HFET1_JS2S,
    HFET1_JS2D,
    HFET1_M1S,
    HFET1_M1D,
    HFET1_M2S,
    HFET1_M2D,
    HFET1_CDS,
    HFET1_KAPPA,
    HFET1_FGDS,
    HFET1_DELF,
    HFET1_TF,
    HFET1_GATEMOD,
    HFET1_ASTAR,
    HFET1_PHIB,
    HFET1_TALPHA,
    HFET1_MT1,
    HFET1_MT2,
    HFET1_CK1,
    HFET1_CK2,
    HFET1_CM1,
    HFET1_CM2,
    HFET1_A1,
    HFET1_A2,
    HFET1_CM3,
    HFET1_MV1,
    HFET1_MODEL_COUNT,

    HFET2_CF = HFET_COMMON,
    HFET2_JS,
    HFET2_N,
    HFET2_KNMAX,
    HFET2_MODEL_COUNT
};

extern const struct parameter_info mesa_model_rows[MESA_MODEL_COUNT];
extern const struct parameter_info hfet1_model_rows[HFET1_MODEL_COUNT];
extern const struct parameter_info hfet2_model_rows[HFET2_MODEL_COUNT];

/* ---- transistors ---- */

/* Resistances outside the law: of the terminals, and those that charge the gate's capacitances. */
enum mes_resistor { MES_R_DRAIN, MES_R_GATE, MES_R_SOURCE, MES_R_GATE_SOURCE, MES_R_GATE_DRAIN, MES_RESISTORS };

/* The cards of one transistor, and its temperatures in K. */
struct mes_cards {
    const double *model, *own;
    const bool *given; /* of the model */
    double sign;       /* -1: p-channel */
    double kelvin[MES_ENDS], circuit, nominal;
};

/* ohm at the temperature; 0: none. */
typedef void mes_find_resistances(const struct mes_cards *c, double ohm[MES_RESISTORS]);
typedef void mes_find_law(const struct mes_cards *c, struct mes_law *law);

mes_find_resistances mesa_resistances, hfet1_resistances, hfet2_resistances;
mes_find_law mesa_law, hfet1_law, hfet2_law;

#endif
