/* nodes.h - nodes between parts of logic: their unknowns show states.
 *
 * A state that changes at an event is still what it was for who looks at the event from the left (devices/instant.h): so the
 * equations have a left and a right value there, as those of a source that jumps.
 */
#ifndef DEVICES_LOGIC_NODES_H
#define DEVICES_LOGIC_NODES_H

#include "devices/instant.h"
#include "devices/logic/engine.h"

#include <math.h>

struct logic_item;

struct logic_node {
    int node; /* of the circuit */
    int net, unknown, slot;
    struct logic_item *owner;
    double before; /* what it showed when events were run last */
};

static inline double logic_node_shows(const struct logic_node *n, const struct logic *l)
{
    const struct logic_state s = logic_state_of(l, n->net);
    return s.level == LOGIC_ONE ? 1 : s.level == LOGIC_ZERO ? s.number : 0.5;
}

/* At an instant; events were run last at the time `ran` (s). */
static inline double logic_node_value(const struct logic_node *n, const struct logic *l, struct instant when,
                                      double ran)
{
    return when.over < ran && !isinf(when.time) ? n->before : logic_node_shows(n, l);
}

#endif
