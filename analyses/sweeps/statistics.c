/* statistics.c - see statistics.h. */
#include "analyses/sweeps/statistics.h"

#include <math.h>
#include <string.h>

bool statistics_open(struct statistics *s, struct arena *arena)
{
    *s = (struct statistics){.arena = arena, .all = name_table_new(arena), .run = NAN};
    return s->all;
}

static struct kn_statistics *one_of(struct statistics *s, const char *name)
{
    struct kn_statistics *one = name_table_get(s->all, name);
    if (one)
        return one;
    one = arena_alloc(s->arena, sizeof *one);
    if (!one || !(one->name = arena_text(s->arena, name, strlen(name))) || !name_table_put(s->all, one->name, one))
        return NULL;
    return one;
}

/* Mean and sum of squares without cancellation (B. P. Welford, Technometrics 4, 1962). */
static void add(struct kn_statistics *one, double value, double run)
{
    const double before = value - one->mean;
    one->runs++;
    one->mean += before / (double)one->runs;
    one->deviation += before * (value - one->mean);
    if (one->runs == 1 || value < one->minimum) {
        one->minimum = value;
        one->minimum_at = run;
    }
    if (one->runs == 1 || value > one->maximum) {
        one->maximum = value;
        one->maximum_at = run;
    }
}

/* Results come run by run. */
static void begin_run(struct statistics *s, double run)
{
    if (run == s->run)
        return;
    s->run = run;
    s->is_bounded = s->is_bad = false;
}

static void judge(struct statistics *s, struct kn_statistics *one, const struct kn_measurement *m)
{
    if (!isfinite(m->lowest) && !isfinite(m->highest))
        return;
    const bool good = m->value >= m->lowest && m->value <= m->highest;
    one->bounded = true;
    one->yield += good;
    s->runs += !s->is_bounded;
    s->bad += !good && !s->is_bad;
    s->is_bounded = true;
    s->is_bad |= !good;
}

bool statistics_add(struct statistics *s, const struct kn_measurement *m, double run)
{
    struct kn_statistics *one = one_of(s, m->name);
    begin_run(s, run);
    if (one)
        judge(s, one, m);
    if (one && isfinite(m->value))
        add(one, m->value, run);
    else if (one)
        one->failed++;
    return one;
}

void statistics_tell(struct statistics *s, void (*told)(void *context, const struct kn_statistics *one), void *context)
{
    for (size_t i = 0; i < name_table_count(s->all); i++) {
        struct kn_statistics one = *(const struct kn_statistics *)name_table_value(s->all, i);
        one.deviation = one.runs > 1 ? sqrt(one.deviation / (double)(one.runs - 1)) : NAN;
        if (one.runs == 0)
            one.mean = one.minimum = one.maximum = one.minimum_at = one.maximum_at = NAN;
        one.yield = one.bounded ? one.yield / (double)(one.runs + one.failed) : NAN;
        one.yield_of_all = s->runs > 0 ? 1 - (double)s->bad / (double)s->runs : NAN;
        told(context, &one);
    }
    s->all = NULL;
}
