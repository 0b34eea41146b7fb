/* engine.h - logic beside the differential-algebraic equations: nets, what drives them, parts, and a queue of events.
 *
 * A net has the state that its drivers resolve to.  When it changes, the parts that read it react at once and post what
 * their outputs are to become, some time later.  The queue has these events in the order of their times.  Whoever steps
 * through time lets it run up to an instant; all times of events are stops of the integration (logic.c).
 *
 * A driver is a transport delay with a past that can be taken back, as XSPICE and VHDL have it (IEEE 1076, drivers): an
 * event posted for a time removes those at that time and later ones.  An inertial one removes all that are still to come,
 * so that pulses shorter than the delay are swallowed.
 */
#ifndef DEVICES_LOGIC_ENGINE_H
#define DEVICES_LOGIC_ENGINE_H

#include "devices/memory/keepsake.h"
#include "knoten.h"

#include <stdbool.h>
#include <stddef.h>

enum logic_level { LOGIC_ZERO, LOGIC_ONE, LOGIC_UNKNOWN };
enum logic_strength { LOGIC_STRONG, LOGIC_RESISTIVE, LOGIC_OFF /* high impedance */, LOGIC_UNDETERMINED };

struct logic_state {
    enum logic_level level;
    enum logic_strength strength;
    double number; /* of nets of numbers, whose level is 0 (numbers.c); several drivers add up, as in XSPICE */
};

static inline struct logic_state logic_strong(enum logic_level level)
{
    return (struct logic_state){level, LOGIC_STRONG, 0};
}

static inline bool logic_same(struct logic_state a, struct logic_state b)
{
    return a.level == b.level && a.strength == b.strength && a.number == b.number;
}

static inline enum logic_level logic_not(enum logic_level a)
{
    return a == LOGIC_UNKNOWN ? a : a == LOGIC_ONE ? LOGIC_ZERO : LOGIC_ONE;
}

/* 0 dominates and, 1 dominates or, unknown is what is not decided. */
static inline enum logic_level logic_and(enum logic_level a, enum logic_level b)
{
    return a == LOGIC_ZERO || b == LOGIC_ZERO ? LOGIC_ZERO
           : a == LOGIC_ONE && b == LOGIC_ONE ? LOGIC_ONE
                                              : LOGIC_UNKNOWN;
}

static inline enum logic_level logic_or(enum logic_level a, enum logic_level b)
{
    return logic_not(logic_and(logic_not(a), logic_not(b)));
}

static inline enum logic_level logic_xor(enum logic_level a, enum logic_level b)
{
    return a == LOGIC_UNKNOWN || b == LOGIC_UNKNOWN ? LOGIC_UNKNOWN : a == b ? LOGIC_ZERO : LOGIC_ONE;
}

/* What two drivers make together: the stronger one, and of two that are equally strong and differ, unknown. */
struct logic_state logic_resolve(struct logic_state a, struct logic_state b);

struct logic; /* the engine */
struct logic_part;

struct logic_part_class {
    /* An input has changed; or, while the engine settles, it may have.  Posts what the outputs become. */
    void (*react)(struct logic *l, struct logic_part *p);
    /* Nothing has happened yet: states as at first. */
    void (*forget)(struct logic_part *p);
    /* The states, to be kept or given back.  NULL: it has none. */
    void (*remember)(struct logic_part *p, struct keepsake *k);
};

struct logic_input {
    int net;
    bool inverted;
};

struct logic_part {
    const struct logic_part_class *class;
    const void *owner;          /* whose it is, for messages */
    struct logic_input *inputs; /* net -1: not connected */
    size_t input_count;
    int *drivers; /* -1: not connected */
    size_t driver_count;
    const double *p; /* parameters */
    void *own;
    bool queued;
};

/* NULL without memory; all is in the arena but the queue, which logic_free gives back. */
struct logic *logic_new(struct arena *arena);
void logic_free(struct logic *l);

/* Numbers from 0; -1 without memory. */
int logic_add_net(struct logic *l);
/* Where a search for states at rest that may begin at zero does so, as XSPICE's: a loop then finds one of its states. */
void logic_begin_at_zero(struct logic *l, int net);
/* The part around which no states came to rest, and all that follow it, begin with unknown outputs from now on; false if
 * it has done so. */
bool logic_doubt(struct logic *l);
int logic_add_driver(struct logic *l, int net, bool inertial);
/* The part's arrays stay where they are.  false without memory. */
bool logic_add_part(struct logic *l, struct logic_part *p);

/* Nothing has happened yet; from now on outputs follow without delay, until the first event is posted with time. */
void logic_begin(struct logic *l);
/* The operating point: all parts react until nothing changes.  KN_ERROR_CIRCUIT where that has no end. */
enum kn_status logic_settle(struct logic *l);
bool logic_settles(const struct logic *l);

/* It is now this time (s), later than before. */
void logic_at(struct logic *l, double time);
/* Time goes on up to `over`, with all events until then.  KN_ERROR_CIRCUIT where nets change without end at one time,
 * KN_ERROR_MEMORY. */
enum kn_status logic_run(struct logic *l, double over);
/* Time of the first event later than `over`; INFINITY if none. */
double logic_next(const struct logic *l, double over);
double logic_now(const struct logic *l);
/* A part that reacts without end, after KN_ERROR_CIRCUIT. */
const void *logic_culprit(const struct logic *l);

struct logic_state logic_state_of(const struct logic *l, int net);
/* The level that a part reads; of an input that is not connected, `absent`. */
enum logic_level logic_read(const struct logic *l, const struct logic_part *p, size_t input, enum logic_level absent);
/* The driver is in this state `delay` (s) from now. */
void logic_post(struct logic *l, int driver, struct logic_state state, double delay);
/* What it has been told to become last. */
struct logic_state logic_posted(const struct logic *l, int driver);
/* Its state and what is still to come, to be kept or given back; from then on time goes on. */
void logic_remember_driver(struct logic *l, int driver, struct keepsake *k);

#endif
