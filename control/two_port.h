/* two_port.h - wrs2p name: vectors s11, s12, s21, s22 as a Touchstone file. */
#ifndef CONTROL_TWO_PORT_H
#define CONTROL_TWO_PORT_H

#include "control/script/state.h"

command_function two_port_write;

#endif
