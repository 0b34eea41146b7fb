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

    MESA_BEFORE = MES_COMMON - 1,
#define MESA(symbol, ...) MESA_##symbol,
#include "devices/mesfet/mes_models.def"
    MESA_MODEL_COUNT,
    HFET_BEFORE = MES_COMMON - 1,
#define HFET(symbol, ...) HFET_##symbol,
#include "devices/mesfet/mes_models.def"
    HFET_COMMON,
    HFET1_BEFORE = HFET_COMMON - 1,
#define HFET1(symbol, ...) HFET1_##symbol,
#include "devices/mesfet/mes_models.def"
    HFET1_MODEL_COUNT,
    HFET2_BEFORE = HFET_COMMON - 1,
#define HFET2(symbol, ...) HFET2_##symbol,
#include "devices/mesfet/mes_models.def"
    HFET2_MODEL_COUNT,
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
