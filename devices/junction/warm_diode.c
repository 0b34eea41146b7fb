/* warm_diode.c - see warm_diode.h. */
#include "devices/junction/warm_diode.h"

#include "devices/device.h"

#define LAW(name)  warm_##name
#define LAW_OWN    static
#define LAW_NUMBER warm_number
#include "devices/junction/junction_bodies.h"

#include "devices/junction/diode_bodies.h"
