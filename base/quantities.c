/* quantities.c - see quantities.h. */
#include "base/quantities.h"

const struct quantity quantity_words[QUANTITIES] = {
    [KN_TIME] = {"time", "s", "s", "time"},
    [KN_VOLTAGE] = {"voltage", "V", "V", "voltage"},
    [KN_CURRENT] = {"current", "A", "A", "current"},
    [KN_OTHER] = {"", "", "", NULL},
    [KN_FREQUENCY] = {"frequency", "Hz", "Hz", "frequency"},
    [KN_DECIBEL] = {"magnitude", "dB", "dB", "decibel"},
    [KN_PHASE] = {"phase", "\xc2\xb0", "deg", "phase"},
    [KN_IMAGINARY] = {"", "", "", NULL},
    [KN_VOLTAGE_DENSITY] = {"voltage density", "V/\xe2\x88\x9aHz", "V/rtHz", "voltage-density"},
    [KN_CURRENT_DENSITY] = {"current density", "A/\xe2\x88\x9aHz", "A/rtHz", "current-density"},
    [KN_HARMONIC] = {"harmonic", "", "", NULL},
    [KN_ADMITTANCE] = {"admittance", "S", "S", "admittance"},
    [KN_CAPACITANCE] = {"capacitance", "F", "F", "capacitance"},
    [KN_POWER] = {"power", "W", "W", "power"},
    [KN_REGION] = {"region", "", "", NULL},
};
