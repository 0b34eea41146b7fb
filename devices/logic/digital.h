/* digital.h - gates by the names that U devices have for them in PSpice and Xyce. */
#ifndef DEVICES_LOGIC_DIGITAL_H
#define DEVICES_LOGIC_DIGITAL_H

#include "devices/logic/parts.h"

struct digital_gate {
    enum gate_function function;
    bool inverts, many; /* `many`: inputs are as many as the card says, otherwise these */
    size_t inputs;
};

/* Of a name that a kind lists; the first gate for others. */
struct digital_gate digital_gate_named(const char *name);

#endif
