/* body_diode.h - the diode between drain and source of a power MOSFET, as cards of both families say it. */
#ifndef DEVICES_POWER_BODY_DIODE_H
#define DEVICES_POWER_BODY_DIODE_H

#include "devices/semiconductor/pair_diode.h"

/* Members of a struct diode_card from a card p whose rows are `row` and the names that diodes have for them. */
#define BODY_DIODE(p, row)                                                                                             \
    .is = p[row##IS], .n = p[row##N], .ns = 1, .ibv = p[row##IBV], .nbvl = 1, .cjo = p[row##CJO], .vj = p[row##VJ],    \
    .m = p[row##M], .fc = p[row##FC], .vjsw = 1, .tt = p[row##TT], .eg = p[row##EG], .xti = p[row##XTI]

#endif
