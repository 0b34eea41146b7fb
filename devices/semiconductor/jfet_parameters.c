/* jfet_parameters.c - see jfet_parameters.h. */
#include "devices/semiconductor/jfet_parameters.h"

#include "devices/semiconductor/instances.h"

#include <float.h>
#include <math.h>

const struct parameter_info jfet_instance_rows[JFET_INSTANCE_COUNT] = {
    [JFET_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents and charges, divides Rd and Rs",
                   NULL},
    INSTANCE_ROWS(JFET_M, JFET_TEMP, JFET_DTEMP, JFET_OFF),
    [JFET_ICVDS] = {"icvds", "V", 0, -INFINITY, INFINITY, "drain-source voltage at the start of a transient with uic",
                    "ic ic-vds"},
    [JFET_ICVGS] = {"icvgs", "V", 0, -INFINITY, INFINITY, "gate-source voltage at the start of a transient with uic",
                    "ic2 ic-vgs"},
};

/* What all kinds of models have. */
#define GATE_JUNCTION_ROWS(VTO, OTHER_PB)                                                                              \
    [JFET_LEVEL] = {"level", "", 1, -INFINITY, INFINITY, "model level", NULL},                                         \
    [JFET_VTO] = {"vto", "V", VTO, -INFINITY, INFINITY, "threshold voltage", "vt0"},                                   \
    [JFET_LAMBDA] = {"lambda", "1/V", 0, 0, INFINITY, "channel length modulation", NULL},                              \
    [JFET_RD] = {"rd", "ohm", 0, 0, INFINITY, "drain resistance", NULL},                                               \
    [JFET_RS] = {"rs", "ohm", 0, 0, INFINITY, "source resistance", NULL},                                              \
    [JFET_CGS] = {"cgs", "F", 0, 0, INFINITY, "gate-source depletion capacitance at zero bias", NULL},                 \
    [JFET_CGD] = {"cgd", "F", 0, 0, INFINITY, "gate-drain depletion capacitance at zero bias", NULL},                  \
    [JFET_PB] = {"pb", "V", 1, DBL_MIN, INFINITY, "gate junction potential", OTHER_PB},                                \
    [JFET_IS] = {"is", "A", 1e-14, 0, INFINITY, "saturation current of the gate junctions", NULL},                     \
    [JFET_N] = {"n", "", 1, DBL_MIN, INFINITY, "their emission coefficient", NULL},                                    \
    [JFET_FC] = {"fc", "", 0.5, 0, 0.99, "fraction of Pb where the depletion charges become parabolas", NULL},         \
    [JFET_GRADING] = {"m", "", 0.5, 0, 10, "grading coefficient", NULL},                                               \
    [JFET_ISR] = {"isr", "A", 0, 0, INFINITY, "recombination saturation current", NULL},                               \
    [JFET_NR] = {"nr", "", 2, DBL_MIN, INFINITY, "recombination emission coefficient", NULL},                          \
    [JFET_TNOM] = {"tnom",           "degC",   27,                                                                     \
                   -DEVICE_KELVIN,   INFINITY, "temperature of the parameters; .options tnom when absent",             \
                   "tref t_measured"},                                                                                 \
    [JFET_TCV] = {"tcv", "V/K", 0, -INFINITY, INFINITY, "decrease of Vto with temperature", NULL},                     \
    [JFET_VTOTC] = {"vtotc", "V/K", 0, -INFINITY, INFINITY, "increase of Vto with temperature, instead of tcv", NULL}, \
    [JFET_BEX] = {"bex", "", 0, -INFINITY, INFINITY, "Beta grows as (T/Tnom)^bex", NULL},                              \
    [JFET_BETATCE] = {"betatce", "%/K",    0,                                                                          \
                      -INFINITY, INFINITY, "Beta grows as 1.01^(betatce (T - Tnom)), instead of bex",                  \
                      NULL},                                                                                           \
    [JFET_XTI] = {"xti", "", 0, -INFINITY, INFINITY, "exponent of T/Tnom in Is", NULL},                                \
    [JFET_EG] = {"eg", "eV", 1.11, 0, INFINITY, "energy gap", NULL},                                             \
    [JFET_KF] = {"kf", "", 0, 0, INFINITY, "flicker noise: Kf |id|^Af / f", NULL},                                     \
    [JFET_AF] = {"af", "", 1, 0, INFINITY, "exponent of the current in the flicker noise", NULL},                      \
    [JFET_NLEV] = {"nlev", "", 2, 0, 3, "channel's noise: 3 for one that does not vanish at vds = 0", NULL},           \
    [JFET_GDSNOI] = {"gdsnoi", "", 1, 0, INFINITY, "factor of the channel's noise for nlev = 3", NULL}

const struct parameter_info jfet_model_rows[JFET_MODEL_COUNT] = {
    GATE_JUNCTION_ROWS(-2, NULL),
    [JFET_BETA] = {"beta", "A/V^2", 1e-4, 0, INFINITY, "transconductance parameter", NULL},
    [JFET_B] = {"b", "", 1, -INFINITY, INFINITY, "doping tail; 1: SPICE2's square law", NULL},
    [JFET_DELTA] = {"delta", "V", 0, 0, INFINITY, "Xyce's level 2: the channel saturates at vgs - vto + delta; ngspice's: fall of the current with the power, 1/W", NULL},
    [JFET_THETA] = {"theta", "1/V", 0, 0, INFINITY, "level 2: fall of the mobility with the gate's voltage", NULL},
    [JFET_IONISATION] = {"alpha", "1/V", 0, -INFINITY, INFINITY, "impact ionisation between drain and gate; below 0 there is none",
                         NULL},
    [JFET_VK] = {"vk", "V", 0, 0, INFINITY, "its knee voltage", NULL},
    [JFET_VBI] = {"vbi", "V", 1, DBL_MIN, INFINITY, "ngspice's level 2, as all that follow: gate junction potential", NULL},
    [JFET_P] = {"p", "", 2, DBL_MIN, INFINITY, "power law of the triode region", NULL},
    [JFET_Q] = {"q", "", 2, DBL_MIN, INFINITY, "power law of the saturated region", NULL},
    [JFET_Z] = {"z", "", 1, DBL_MIN, INFINITY, "rounding of the knee", NULL},
    [JFET_XI] = {"xi", "", 1000, DBL_MIN, INFINITY, "saturation of the drift velocity", NULL},
    [JFET_MXI] = {"mxi", "", 0, 0, INFINITY, "its change with the gate's voltage", NULL},
    [JFET_VST] = {"vst", "V", 0, 0, INFINITY, "exponential tail below the threshold", NULL},
    [JFET_MVST] = {"mvst", "1/V", 0, 0, INFINITY, "its change with the drain's voltage", NULL},
    [JFET_LFGAM] = {"lfgam", "", 0, -INFINITY, INFINITY, "feedback from the drain in slow signals", NULL},
    [JFET_LFG1] = {"lfg1", "1/V", 0, -INFINITY, INFINITY, "its fall with the gate's voltage", NULL},
    [JFET_LFG2] = {"lfg2", "1/V", 0, -INFINITY, INFINITY, "its rise with vgd", NULL},
    [JFET_HFGAM] = {"hfgam", "", 0, -INFINITY, INFINITY, "feedback in fast signals; of no effect without taug, as those up to hfe2", NULL},
    [JFET_HFG1] = {"hfg1", "1/V", 0, -INFINITY, INFINITY, "its fall with the gate's voltage", NULL},
    [JFET_HFG2] = {"hfg2", "1/V", 0, -INFINITY, INFINITY, "its rise with vgd", NULL},
    [JFET_HFETA] = {"hfeta", "", 0, -INFINITY, INFINITY, "feedback from the gate in fast signals", NULL},
    [JFET_HFE1] = {"hfe1", "1/V", 0, -INFINITY, INFINITY, "its fall with vgd", NULL},
    [JFET_HFE2] = {"hfe2", "1/V", 0, -INFINITY, INFINITY, "its rise with vgs", NULL},
    [JFET_TAUG] = {"taug", "s", 0, 0, INFINITY, "time constant of the feedback; 0, others are errors", NULL},
    [JFET_TAUD] = {"taud", "s", 0, 0, INFINITY, "time constant of the heating; 0, others are errors beside delta", NULL},
    [JFET_IBD] = {"ibd", "A", 0, 0, INFINITY, "breakdown current of the gate junctions", NULL},
    [JFET_VBD] = {"vbd", "V", 1, DBL_MIN, INFINITY, "voltage over which it grows by e", NULL},
    [JFET_CDS] = {"cds", "F", 0, 0, INFINITY, "drain-source capacitance", NULL},
    [JFET_ACGAM] = {"acgam", "", 0, -INFINITY, INFINITY, "drain's share in the charge of the gate", NULL},
    [JFET_XC] = {"xc", "", 0, 0, 1, "part of cgs that stays below the threshold", NULL},
};

const struct parameter_info mesfet_model_rows[MESFET_MODEL_COUNT] = {
    GATE_JUNCTION_ROWS(-2, NULL),
    [JFET_BETA] = {"beta", "A/V^2", 2.5e-3, 0, INFINITY, "transconductance parameter", NULL},
    [JFET_B] = {"b", "1/V", 0.3, 0, INFINITY, "doping tail", NULL},
    [JFET_ALPHA] = {"alpha", "1/V", 2, DBL_MIN, INFINITY, "saturation: full current from vds = 3/alpha on", NULL},
};

const struct parameter_info gasfet_model_rows[GASFET_MODEL_COUNT] = {
    GATE_JUNCTION_ROWS(-2.5, "vbi"),
    [JFET_BETA] = {"beta", "A/V^2", 0.1, 0, INFINITY, "transconductance parameter", NULL},
    [JFET_B] = {"b", "1/V", 0.3, 0, INFINITY, "level 2: doping tail", NULL},
    [JFET_ALPHA] = {"alpha", "1/V", 2, DBL_MIN, INFINITY, "saturation: tanh(alpha vds), or full current from 3/alpha on",
                    NULL},
    [GASFET_RG] = {"rg", "ohm", 0, 0, INFINITY, "gate resistance", NULL},
    [GASFET_CDS] = {"cds", "F", 0, 0, INFINITY, "drain-source capacitance", NULL},
    [GASFET_ALPHATCE] = {"alphatce", "%/K", 0, -INFINITY, INFINITY, "Alpha grows as 1.01^(alphatce (T - Tnom))", NULL},
    [GASFET_GAMMA] = {"gamma", "", 0, -INFINITY, INFINITY, "level 3: fall of Vto with vds", NULL},
    [GASFET_DELTA] = {"delta", "1/(A*V)", 0, 0, INFINITY, "level 3: fall of the current with the power", NULL},
    [GASFET_Q] = {"q", "", 2, 1, INFINITY, "level 3: exponent of vgs - Vto", NULL},
};
