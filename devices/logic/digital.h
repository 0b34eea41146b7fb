/* digital.h - what U devices have in common in PSpice and Xyce: names of gates, conductances to their rails. */
#ifndef DEVICES_LOGIC_DIGITAL_H
#define DEVICES_LOGIC_DIGITAL_H

#include "devices/logic/logic.h"

struct digital_gate {
    enum gate_function function;
    bool inverts, many; /* `many`: inputs are as many as the card says, otherwise these */
    size_t inputs;
};

/* Of a name that a kind lists; the first gate for others. */
struct digital_gate digital_gate_named(const char *name);

/* Between two places of the element's nodes, with a capacitance (F) across it: S for 0 and 1, and within which time (s) it goes to
 * either; half way where the state is not known. */
struct digital_conductance {
    int place, rail, net;
    double levels[2], to_zero, to_one, capacitance;
};
/* false without memory. */
bool digital_add_conductance(struct logic_item *i, const struct digital_conductance *c);

#endif
