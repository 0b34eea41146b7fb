/* pspice.h - what PSpice's U devices share (pspice_ends.c): parameters, power and ground in front of their nodes, inputs,
 * outputs, delays.
 */
#ifndef DEVICES_LOGIC_PSPICE_H
#define DEVICES_LOGIC_PSPICE_H

#include "devices/logic/digital.h"

enum { PSPICE_POWER, PSPICE_GROUND, PSPICE_FIRST_INPUT };

enum { PSPICE_LEAST, PSPICE_TYPICAL, PSPICE_MOST, PSPICE_SELECTIONS };

/* Delays by what makes an output change, to a 1 and to a 0: of gates, to and from nowhere, of flip-flops. */
enum {
    PSPICE_BY_INPUT,
    PSPICE_TO_NOWHERE,
    PSPICE_FROM_NOWHERE,
    PSPICE_BY_PRESET,
    PSPICE_BY_CLOCK,
    PSPICE_BY_DATA,
    PSPICE_BY_GATE,
    PSPICE_CAUSES
};

/* Parameters of elements and of their models. */
enum {
    PSPICE_LEVELS = 7,
    PSPICE_INSTANCE_ROWS = PSPICE_LEVELS + 1,
    PSPICE_MODEL_ROWS = PSPICE_LEVELS + PSPICE_CAUSES * 2 * PSPICE_SELECTIONS
};
extern const struct parameter_info pspice_instance_rows[PSPICE_INSTANCE_ROWS], pspice_model_rows[PSPICE_MODEL_ROWS];

/* Of least, typical and largest that which MNTYMXDLY asks for; one that is not given follows from the others. */
double pspice_choose(const struct logic_item *i, const double p[PSPICE_SELECTIONS],
                     const bool given[PSPICE_SELECTIONS]);
/* Delays of the model, until the output begins to change. */
struct flop_delay pspice_delays(const struct logic_item *i, int cause);
/* What of a delay (s) is left until the output begins to change, to a 1 and to a 0. */
struct flop_delay pspice_beginning(const struct logic_item *i, double delay);

/* A net that the voltage at a place of the element's nodes decides; -1 without memory. */
int pspice_sense(struct logic_item *i, int place);
/* A new net that a driver of the part has; -1 without memory. */
int pspice_drive(struct logic_item *i, struct logic_part *p, size_t driver, bool inertial);
/* Conductances of an output: to power where net `up` is 1, to ground where `down` is `sinks`. */
bool pspice_add_conductances(struct logic_item *i, int up, int down, enum logic_level sinks, int place);
/* The same of an output that leads nowhere where both are 0: it leaks there (drvz). */
bool pspice_add_three_states(struct logic_item *i, int up, int down, int place);

/* LOGICEXP and PINDLY (pspice_programs.c). */
enum kn_status pspice_make_logic(struct logic_item *i);
enum kn_status pspice_make_delays(struct logic_item *i);

#endif
