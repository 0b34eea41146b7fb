/* statistics.c - see statistics.h. */
#include "analyses/sweeps/statistics.h"

#include <math.h>
#include <string.h>

bool statistics_open(struct statistics *s, struct arena *arena)
{
    *s = (struct statistics){arena, name_table_new(arena)};
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

bool statistics_add(struct statistics *s, const struct kn_measurement *m, double run)
{
    struct kn_statistics *one = one_of(s, m->name);
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
        told(context, &one);
    }
    s->all = NULL;
}
