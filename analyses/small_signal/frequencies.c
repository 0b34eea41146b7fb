/* frequencies.c - see frequencies.h. */
#include "analyses/small_signal/frequencies.h"

#include <math.h>

/* As many as fit; over decades they are then a little wider, so that the last frequency is one of them, as in ngspice. */
static long steps_of(const struct frequency_sweep *f)
{
    if (f->scale == FREQUENCY_LINEAR || f->scale == FREQUENCY_LIST)
        return (long)f->points - 1;
    const double ratio = f->stop / f->start, base = f->scale == FREQUENCY_DECADES ? log10(ratio) : log2(ratio);
    const double steps = f->points * base, whole = floor(steps * (1 + 1e-12) + 1e-9);
    return (long)whole + (f->scale == FREQUENCY_OCTAVES && f->ends_at_stop && steps > whole + 1e-9);
}

static double frequency_at(const struct frequency_sweep *f, long k, long steps)
{
    if (f->scale == FREQUENCY_LIST)
        return f->list[k];
    if (k == 0)
        return f->start;
    if (f->scale == FREQUENCY_OCTAVES && !(f->ends_at_stop && k == steps))
        return f->start * exp2((double)k / f->points);
    if (k == steps)
        return f->stop;
    const double part = (double)k / (double)steps;
    return f->scale == FREQUENCY_LINEAR ? f->start + part * (f->stop - f->start)
                                        : f->start * pow(f->stop / f->start, part);
}

size_t frequencies_count(const struct frequency_sweep *f)
{
    return (size_t)steps_of(f) + 1;
}

double frequencies_at(const struct frequency_sweep *f, size_t k)
{
    const long steps = steps_of(f);
    return k <= (size_t)steps ? frequency_at(f, (long)k, steps) : NAN;
}

enum kn_status frequencies_walk(struct setup *s, const struct frequency_sweep *f,
                                enum kn_status (*visit)(void *context, size_t number, double frequency), void *context)
{
    const struct analysis_options *o = s->options;
    const long steps = steps_of(f);
    enum kn_status status = KN_OK;
    s->advances = true;
    for (long k = 0; k <= steps && status == KN_OK; k++) {
        if (o->progress)
            o->progress(o->context, (double)k / (double)(steps + 1));
        status = setup_is_stopped(s) ? KN_INTERRUPTED : visit(context, (size_t)k, frequency_at(f, k, steps));
    }
    s->advances = false;
    return status;
}
