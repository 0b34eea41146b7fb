/* registry.c - the list of device families.  A new device is one new file and one line here. */
#include "devices/families.h"

const struct device_class *const device_classes[] = {
    &resistor_class,       &capacitor_class,
    &inductor_class,       &coupling_class,
    &voltage_source_class, &current_source_class,
    &vcvs_class,           &cccs_class,
    &vccs_class,           &ccvs_class,
    &behavioural_class,    &transmission_line_class,
    &diode_class,          &bjt_class,
    &mosfet_class,         &voltage_switch_class,
    &current_switch_class, NULL,
};
