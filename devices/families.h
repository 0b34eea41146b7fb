/* families.h - the symbols of all device classes, for the registry and for tests. */
#ifndef DEVICES_FAMILIES_H
#define DEVICES_FAMILIES_H

#include "devices/device.h"

extern const struct device_class resistor_class;
extern const struct device_class capacitor_class;
extern const struct device_class inductor_class;
extern const struct device_class coupling_class;
extern const struct device_class voltage_source_class;
extern const struct device_class current_source_class;
extern const struct device_class vcvs_class;
extern const struct device_class cccs_class;
extern const struct device_class vccs_class;
extern const struct device_class ccvs_class;
extern const struct device_class behavioural_class;
extern const struct device_class transmission_line_class;
extern const struct device_class diode_class;
extern const struct device_class bjt_class;
extern const struct device_class mosfet_class;
extern const struct device_class voltage_switch_class;
extern const struct device_class current_switch_class;

#endif
