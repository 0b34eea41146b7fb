/* warm_diode.c - see warm_diode.h. */
#include "devices/semiconductor/warm_diode.h"

#include "devices/device.h"

#define LAW(name)  warm_##name
#define LAW_NUMBER warm_number
#include "devices/semiconductor/junction_bodies.h"

#include "devices/semiconductor/diode_bodies.h"
