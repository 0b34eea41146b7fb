/* law_batch.h - a family's batch with the laws of its elements, and functions that its class can have as they are.
 *
 * The batch of such a family begins with a struct law_batch.  One whose laws are all affine is linear.
 */
#ifndef DEVICES_LAW_BATCH_H
#define DEVICES_LAW_BATCH_H

#include "devices/batch.h"
#include "devices/law.h"

/* Where a law that the time moves is at a crest by it: a pulse by exp(-((time-1)/3m)**2) has no corner, and a step that ends neither in it nor
 * near it does not see it. */
struct law_crests {
    double *times; /* [count] s, ascending */
    size_t count;
    double piece; /* s, between the times at which it has been looked at */
};

struct law_batch {
    struct batch base;
    struct law **laws; /* [law_count] */
    size_t law_count;
    size_t *switches_before;   /* [law_count + 1] number of switches of the laws before each, and of all */
    bool nonlinear;            /* one of them is not affine */
    struct law_crests *crests; /* [crests_count] of those laws that have any */
    size_t crests_count;
    const struct circuit *ahead; /* whose run is to be looked at ahead; NULL: it has been, or is not */
};

/* Room for `capacity` laws. */
bool law_batch_init(struct law_batch *b, size_t capacity);
/* law_make of one more; NULL without memory. */
struct law *law_batch_add(struct law_batch *b, const struct element *e, bool charge);
void law_batch_force(const void *batch, struct instant when, double source_scale, double *f);
void law_batch_force_rate(const void *batch, struct instant when, double source_scale, double *dfdt);
void law_batch_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
bool law_batch_nonlinear(const void *batch);
double law_batch_next_breakpoint(const void *batch, double over);
double law_batch_next_quarter(void *batch, double time, double relative, double *period);
size_t law_batch_switch_count(const void *batch);
void law_batch_switches(const void *batch, struct instant when, const double *x, double *g);
void law_batch_hold(void *batch, size_t number, int side);
const struct element *law_batch_switch_owner(const void *batch, size_t number);
void law_batch_delay(const void *batch, double w, double _Complex *A, double _Complex *dAdw);

/* What the classes of such families have in common. */
#define LAW_BATCH_FUNCTIONS                                                                                            \
    .eval = law_batch_eval, .nonlinear = law_batch_nonlinear, .next_breakpoint = law_batch_next_breakpoint,            \
    .next_quarter = law_batch_next_quarter, .delay = law_batch_delay

/* Of those whose laws jump. */
#define LAW_SWITCH_FUNCTIONS                                                                                           \
    .switch_count = law_batch_switch_count, .switches = law_batch_switches, .hold = law_batch_hold,                    \
    .switch_owner = law_batch_switch_owner

#endif
