/* warm_diode.h - the laws of junction.h and diode_law.h with their derivatives by temperature, for diodes that heat
 * themselves: warm_thermal_of(warm_of(celsius, 1), nominal), and what follows from it.  Voltages have no derivative.
 */
#ifndef DEVICES_JUNCTION_WARM_DIODE_H
#define DEVICES_JUNCTION_WARM_DIODE_H

#include "devices/junction/diode_law.h"

#define LAW(name)  warm_##name
#define LAW_NUMBER warm_number
#include "devices/junction/junction_laws.h"

#include "devices/junction/diode_laws.h"
#undef LAW
#undef LAW_NUMBER

#endif
