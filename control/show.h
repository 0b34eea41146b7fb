/* show.h - commands that show the circuit. */
#ifndef CONTROL_SHOW_H
#define CONTROL_SHOW_H

#include "control/script/state.h"

bool show_devices(struct state *s, const char *rest);
bool show_models(struct state *s, const char *rest);
bool show_listing(struct state *s, const char *rest);

#endif
