/* past.c - see past.h: levels of sensors, ways of actuators, states of parts, and events that are still to come. */
#include "devices/logic/past.h"

static void remember(struct logic_item *i, struct logic *l, struct keepsake *k)
{
    for (size_t n = 0; n < i->sensor_count; n++) {
        KEEPSAKE_PIECE(k, i->sensors[n]->level);
        logic_remember_driver(l, i->sensors[n]->driver, k);
    }
    for (size_t n = 0; n < i->actuator_count; n++)
        KEEPSAKE_PIECE(k, i->actuators[n]->ramp);
    for (size_t n = 0; n < i->part_count; n++) {
        struct logic_part *p = i->parts[n];
        if (p->class->remember)
            p->class->remember(p, k);
        for (size_t d = 0; d < p->driver_count; d++)
            logic_remember_driver(l, p->drivers[d], k);
    }
}

void *logic_item_keep(struct logic_item *i, struct logic *l, struct arena *arena)
{
    struct keepsake *k = keepsake_new(arena);
    if (!k)
        return NULL;
    remember(i, l, k);
    return keepsake_end(k) == KN_OK ? k : NULL;
}

enum kn_status logic_item_recall(struct logic_item *i, struct logic *l, const void *kept)
{
    struct keepsake k = keepsake_again(kept);
    remember(i, l, &k);
    for (size_t n = 0; n < i->sensor_count; n++)
        i->sensors[n]->goes_on = true;
    return keepsake_end(&k);
}
