/* power_mosfet.h - Xyce's power MOSFETs, level 18, as power_mosfet_parameters.c makes them and power_mosfet.c evaluates
 * them. */
#ifndef DEVICES_POWER_POWER_MOSFET_H
#define DEVICES_POWER_POWER_MOSFET_H

#include "devices/channel/mosfet_model.h"
#include "devices/channel/uccm.h"
#include "devices/semiconductor/instances.h"
#include "devices/semiconductor/pair_diode.h"

enum {
    POWER_L,
    POWER_W,
    POWER_AD,
    POWER_AS,
    POWER_PD,
    POWER_PS,
    POWER_NRD,
    POWER_NRS,
    POWER_M,
    POWER_TEMP,
    POWER_DTEMP,
    POWER_OFF,
    POWER_INSTANCE_COUNT
};

enum {
    POWER_LEVEL,
    POWER_L0,
    POWER_W0,
    POWER_VTO,
    POWER_PHI,
    POWER_UO,
    POWER_TOX,
    POWER_LD,
    POWER_VMAX,
    POWER_LAMBDA,
    POWER_THETA,
    POWER_DELTA,
    POWER_ETA,
    POWER_SIGMA0,
    POWER_VSIGMAT,
    POWER_VSIGMA,
    POWER_GAMMAS0,
    POWER_GAMMAL0,
    POWER_LGAMMAS,
    POWER_WGAMMAS,
    POWER_LGAMMAL,
    POWER_WGAMMAL,
    POWER_NSUB,
    POWER_RD,
    POWER_RG,
    POWER_RS,
    POWER_RSH,
    POWER_DRIFT,
    POWER_DRIFT_BY_V,
    POWER_RDSSHUNT,
    POWER_IS,
    POWER_JS,
    POWER_PB,
    POWER_CBD,
    POWER_CBS,
    POWER_CJ,
    POWER_MJ,
    POWER_CJSW,
    POWER_MJSW,
    POWER_FC,
    POWER_CGSO,
    POWER_CGDO,
    POWER_CGBO,
    POWER_TNOM,
    POWER_D1IS,
    POWER_D1RS,
    POWER_D1N,
    POWER_D1TT,
    POWER_D1CJO,
    POWER_D1VJ,
    POWER_D1M,
    POWER_D1EG,
    POWER_D1XTI,
    POWER_D1FC,
    POWER_D1BV,
    POWER_D1IBV,
    POWER_D1IKF,
    POWER_D1ISR,
    POWER_D1NR,
    POWER_MODEL_COUNT
};

enum { POWER_DRAIN, POWER_GATE, POWER_SOURCE, POWER_BULK, POWER_TERMINALS };
enum { POWER_R_DRAIN, POWER_R_GATE, POWER_R_SOURCE, POWER_R_SHUNT, POWER_R_BODY, POWER_RESISTORS };
enum { POWER_D_BODY, POWER_D_DRAIN, POWER_D_SOURCE, POWER_DIODES };

/* A resistance between two unknowns; none where these are one. */
struct power_link {
    int a, b;
    double g;
    int slots[4];
};

struct power_voltages {
    double gs, ds, bs;
};

struct power_mosfet {
    const struct element *element;
    double sign;
    int outer[POWER_TERMINALS], inner[POWER_TERMINALS], drift; /* the node behind the drift region */
    double drift_at_zero, drift_growth;                        /* ohm, ohm/V */
    struct power_link links[POWER_RESISTORS];
    struct pair_diode diodes[POWER_DIODES];
    struct uccm channel;
    struct mosfet_law charge;
    double overlaps[3]; /* F, from the gate to source, drain, bulk */
    int block[16], drift_slots[4];
    struct power_voltages previous;
};

struct power_batch {
    struct instances all;
    struct power_mosfet *items; /* [count] */
};

extern const struct parameter_info power_instance_rows[POWER_INSTANCE_COUNT];
extern const struct parameter_info power_model_rows[POWER_MODEL_COUNT];

enum kn_status power_fill(void *batch, const struct device_input *in);
enum kn_status power_make(void *batch, size_t k, const struct device_input *in);
void power_prepare(void *batch, size_t k, double temperature);
/* Of drain or source, ohm: by squares of the diffusion where Rd or Rs is not given. */
double power_end_resistance(const double *p, int own, double squares);

#endif
