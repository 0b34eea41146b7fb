/* logic.h - logic in a circuit: the batch of all elements with logic in them, which share one engine.
 *
 * An element consists of parts on nets (parts.h), of sensors, which turn a voltage into a state, and of actuators, which
 * turn a state into a voltage.  A sensor is a pair of switching functions, so that the integration stops where a voltage
 * passes a threshold; an actuator goes straight to its new value, and its corners are stops too.  All that happens at one
 * time happens when the integration has arrived there (arrive in device.h).  At rest the states follow from the voltages
 * of each iteration, without delays; small signals see them as they are.
 *
 * A node between parts only has no voltage.  Its unknown shows the state: 0, 1, and 1/2 where it is not known.
 */
#ifndef DEVICES_LOGIC_LOGIC_H
#define DEVICES_LOGIC_LOGIC_H

#include "devices/batch.h"
#include "devices/incidence.h"
#include "devices/logic/parts.h"
#include "devices/ramp.h"

struct logic_item;

struct logic_sensor {
    struct logic_item *item;
    int node[2];       /* of the circuit; -1: ground */
    int plus, minus;   /* unknowns */
    double low, high;  /* V: thresholds */
    bool remembers;    /* between them as it was; else not known */
    double rise, fall; /* s */
    int driver;
    signed char held[2]; /* sides of voltage - high and voltage - low; when it remembers: of the one that counts */
    bool changed;
    enum logic_level level, initial;
    bool goes_on; /* with other values: before it is held, the level is what it was */
};

enum actuator_kind {
    ACTUATOR_VOLTAGE,    /* keeps a voltage, with a current of its own */
    ACTUATOR_CURRENT,    /* drives a current from plus to minus through itself */
    ACTUATOR_RESISTIVE,  /* a voltage behind a resistance, with a capacitance across both */
    ACTUATOR_CONDUCTANCE /* a conductance, with a capacitance across it */
};

struct logic_actuator {
    struct logic_item *item;
    enum actuator_kind kind;
    int node[2];
    int plus, minus, current;
    struct incidence incidence;
    int slots[4];
    double conductance, capacitance; /* S, F */
    double levels[3];                /* V, A or S, of each state */
    bool of_number;                  /* factor times the number of the net instead, within to_one */
    double factor;
    double to_one, to_zero;          /* s, for the whole way between 0 and 1 */
    struct ramp ramp;
    struct logic_part part;
    struct logic_input input;
};

/* A kind of element with logic in it. */
struct logic_kind {
    struct device_class class; /* first; only the kind counts */
    /* Makes sensors, actuators and parts of an element. */
    enum kn_status (*make)(struct logic_item *item, struct kn_diagnostics *d);
};

struct logic_batch;

struct logic_item {
    struct logic_batch *batch;
    const struct element *element;
    const double *p; /* parameters of the model, or NULL */
    const bool *given;
    double *values; /* parameters of the element */
    bool *values_given;
    struct logic_sensor **sensors;
    struct logic_actuator **actuators;
    struct logic_part **parts; /* but those of actuators */
    size_t sensor_count, sensor_capacity, actuator_count, actuator_capacity, part_count, part_capacity;
    size_t first_node, behind_nodes; /* nodes of logic that it names first, places in those of the batch */
};

extern const struct device_class logic_class;

struct arena *logic_item_arena(const struct logic_item *i);
/* The net of a place in the element's nodes, whose node becomes one of logic; a new one for -1.  -1 without memory. */
int logic_item_net(struct logic_item *i, int place);
/* Part with room for inputs and drivers, all not connected, own zeroed; NULL without memory. */
struct logic_part *logic_item_part(struct logic_item *i, const struct logic_part_class *class, size_t inputs,
                                   size_t drivers, size_t own);
/* Connects an output; false without memory. */
bool logic_item_drive(struct logic_item *i, struct logic_part *p, size_t driver, int net, bool inertial);
void logic_item_begin_at_zero(struct logic_item *i, int net);
/* Between two places of the element's nodes (-1: ground), on nets. NULL without memory. */
struct logic_sensor *logic_item_sensor(struct logic_item *i, int plus, int minus, int net);
struct logic_actuator *logic_item_actuator(struct logic_item *i, enum actuator_kind kind, int plus, int minus, int net,
                                           bool inverted);
/* The part is complete. */
bool logic_item_add(struct logic_item *i, struct logic_part *p);

#endif
