/* devices.h - what ngspice calls @device[parameter]: @r1[resistance], @v1[sin], @nmos[vto], @m1[gm] as vectors. */
#ifndef CONTROL_DEVICES_H
#define CONTROL_DEVICES_H

#include "control/script/state.h"

/* Values of the deck and of alter, and other names of quantities that the plot has.  context: the state.  False where there
 * is none.  p NULL: the name is noted, so that the following operating points keep the current and the power of what else
 * has no table of quantities (s->mentioned), and the following .sens the factor r1_m (s->factors); true where it is a vector
 * that the script makes. */
bool devices_value(void *context, const struct plot *p, const char *name, struct values *out);

#endif
