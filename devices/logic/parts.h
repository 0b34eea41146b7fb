/* parts.h - the parts that logic consists of: gates, flip-flops and latches, dividers, memories, sources.
 *
 * Each has its inputs and outputs in a fixed order and parameters in an array of its own; who makes parts of cards
 * (xspice.c, ltspice.c, xyce.c) fills these in.  Source of the behaviour: XSPICE's digital models as in the manual of ngspice,
 * chapter 12, unless said otherwise.
 */
#ifndef DEVICES_LOGIC_PARTS_H
#define DEVICES_LOGIC_PARTS_H

#include "devices/logic/engine.h"

/* A function of all inputs; drivers: it, and its inverse.  Unknown inputs give what they cannot change. */
enum gate_function { GATE_BUFFER, GATE_AND, GATE_OR, GATE_XOR, GATE_ONE /* exactly one is 1 */ };

struct gate {
    enum gate_function function;
    bool inverts;
    double rise, fall;               /* s, of what the first output becomes */
    enum logic_strength strength[3]; /* of each level of the first output */
    bool starts; /* at rest the first output has a level of its own, whatever the inputs say (Xyce) */
    enum logic_level start;
};

extern const struct logic_part_class gate_part;

/* Inputs data enable; driver. */
struct tristate {
    double delay;
};

extern const struct logic_part_class tristate_part;

/* A state that never changes; struct logic_state in own. */
extern const struct logic_part_class constant_part;

/* Flip-flops: inputs first second clock set reset (D and T have no second); drivers Q and its inverse. */
enum flop_kind { FLOP_D, FLOP_T, FLOP_JK, FLOP_SR };
/* What makes outputs change. */
enum flop_cause { FLOP_BY_DATA, FLOP_BY_CLOCK, FLOP_BY_SET, FLOP_BY_RESET, FLOP_CAUSES };

struct flop {
    enum flop_kind kind;
    bool latch;   /* follows while the clock is 1, else takes over where it rises */
    bool falling; /* where it falls */
    bool low_set; /* set and reset act when 0 */
    bool follows; /* at rest the state is that of the first input, as in Xyce */
    bool doubles; /* set and reset at once: both outputs are 1, and afterwards the state is; else it is not known */
    enum logic_level initial;
    struct flop_delay {
        double rise, fall; /* s, of an output that rises or falls */
    } delays[FLOP_CAUSES];
    /* what is remembered */
    enum logic_level state, inverse, clock, set, reset;
};

extern const struct logic_part_class flop_part;

enum { FLOP_FIRST, FLOP_SECOND, FLOP_CLOCK, FLOP_SET, FLOP_RESET, FLOP_INPUTS };

/* Divider of frequency: input, driver. */
struct divider {
    long factor, high, first;
    double rise, fall;
    long count;
    enum logic_level input;
};

extern const struct logic_part_class divider_part;

/* Counter of `cycles` edges: inputs clock reset; drivers Q and its inverse. Q is 1 while fewer than `high` of them are counted. */
struct counter {
    long cycles, high;
    double delay; /* s */
    long count;
    enum logic_level clock;
};

extern const struct logic_part_class counter_part;

enum { COUNTER_CLOCK, COUNTER_RESET, COUNTER_INPUTS };

/* Detector of phase and frequency: two flip-flops, set where the first and the second input rise, which both are 0 again when
 * both are 1; drivers the first one alone, the second one alone. */
struct phase_detector {
    double delay; /* s */
    bool ahead[2];
    enum logic_level inputs[2];
};

extern const struct logic_part_class phase_detector_part;

/* Table of outputs by the inputs, the first of which is the bit of value 1. */
struct table {
    const char *values; /* [2^inputs] '0' '1' or 'x' */
    double rise, fall;
    /* What inputs are late by (s): of those that change at one time, the longest counts.  NULL: all by 0. */
    const double *late;       /* [inputs] */
    enum logic_level *inputs; /* [inputs] as seen last */
    double changed, wait;     /* s, the time of the last change and what it waits for */
};

extern const struct logic_part_class table_part;

/* Inputs: data [width], address [bits], write enable, select [selects]; drivers [width]. */
struct memory {
    size_t width, bits, selects;
    unsigned long select; /* what the select lines must say, the last one is the bit of value 1 */
    enum logic_level initial;
    double delay;
    unsigned char *cells; /* [2^bits * width] levels */
    size_t cell_count;
};

extern const struct logic_part_class memory_part;

/* State machine: where its clock rises it goes on by the first row of its state that fits the inputs. */
enum machine_input { MACHINE_CLOCK, MACHINE_RESET, MACHINE_FIRST };
struct machine_row {
    long state, next;
    const struct logic_state *outputs; /* [drivers] */
    const char *inputs;                /* [inputs - MACHINE_FIRST] '0' '1', or 'x' for any */
};
struct machine {
    const struct machine_row *rows; /* of all states; there is one for every state that is named */
    size_t count;
    long first; /* state at first, and while reset is 1 */
    double clock_delay, reset_delay;
    const struct machine_row *row; /* a row of the state it is in */
    enum logic_level clock, reset;
};

extern const struct logic_part_class machine_part;

/* The first row of a state; NULL. */
const struct machine_row *machine_find(const struct machine *m, long state);

/* Adder: inputs a b carry; drivers sum and carry. */
struct adder {
    double rise, fall;
    bool starts[2]; /* as of a gate, of sum and carry */
    enum logic_level start[2];
};

extern const struct logic_part_class adder_part;

/* States of drivers at given times.  One that goes on for ever has one more driver, on a net that its only input reads: it
 * tells when a cycle begins. */
struct stimulus {
    const double *times;              /* s, rising */
    const struct logic_state *states; /* [count][drivers] */
    size_t count, next;
    double period; /* s, of the rows from `again` on, which begin at `begin`; 0: all happens once */
    size_t again;
    double begin, cycle; /* s; how many cycles have been posted */
};

extern const struct logic_part_class stimulus_part;

#endif
