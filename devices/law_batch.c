/* law_batch.c - see law_batch.h. */
#include "devices/law_batch.h"

#include <math.h>

bool law_batch_init(struct law_batch *b, size_t capacity)
{
    b->laws = arena_array(b->base.arena, capacity + 1, sizeof *b->laws);
    b->switches_before = arena_array(b->base.arena, capacity + 1, sizeof *b->switches_before);
    return b->laws && b->switches_before;
}

struct law *law_batch_add(struct law_batch *b, const struct element *e, bool charge)
{
    struct law *l = arena_alloc(b->base.arena, sizeof *l);
    if (!l || !law_make(l, e, charge, b->base.arena))
        return NULL;
    b->nonlinear = b->nonlinear || !l->affine;
    b->laws[b->law_count++] = l;
    b->switches_before[b->law_count] = b->switches_before[b->law_count - 1] + law_switch_count(l);
    return l;
}

void law_batch_force(const void *batch, struct instant when, double source_scale, double *f)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_force(b->laws[i], when, source_scale, f);
}

void law_batch_force_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_force_rate(b->laws[i], when, source_scale, dfdt);
}

void law_batch_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_eval(b->laws[i], at, out);
}

void law_batch_delay(const void *batch, double w, double _Complex *A, double _Complex *dAdw)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_delay(b->laws[i], w, A, dAdw);
}

bool law_batch_nonlinear(const void *batch)
{
    return ((const struct law_batch *)batch)->nonlinear;
}

double law_batch_next_breakpoint(const void *batch, double over)
{
    const struct law_batch *b = batch;
    double next = INFINITY;
    for (size_t i = 0; i < b->law_count; i++)
        next = fmin(next, law_next_breakpoint(b->laws[i], over));
    return next;
}

/* How much of a formula's value its sines are is not asked. */
double law_batch_next_quarter(const void *batch, double time, double relative, double *period)
{
    const struct law_batch *b = batch;
    double next = INFINITY;
    (void)relative;
    for (size_t i = 0; i < b->law_count; i++)
        next = fmin(next, law_next_quarter(b->laws[i], time, period));
    return next;
}

size_t law_batch_switch_count(const void *batch)
{
    const struct law_batch *b = batch;
    return b->switches_before[b->law_count];
}

void law_batch_switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_switches(b->laws[i], when, x, g + b->switches_before[i]);
}

/* The law of a switch; *number becomes that in the law. */
static struct law *law_of_switch(const struct law_batch *b, size_t *number)
{
    size_t low = 0, high = b->law_count; /* the last law with no more than *number switches before it */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (b->switches_before[middle] <= *number)
            low = middle;
        else
            high = middle;
    }
    *number -= b->switches_before[low];
    return b->laws[low];
}

void law_batch_hold(void *batch, size_t number, int side)
{
    struct law *l = law_of_switch(batch, &number);
    l->held[number] = (signed char)side;
}

const struct element *law_batch_switch_owner(const void *batch, size_t number)
{
    return law_of_switch(batch, &number)->element;
}
