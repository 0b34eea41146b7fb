/* wave_past.c - see wave_past.h. */
#include "devices/linear/wave_past.h"

#include <math.h>
#include <string.h>

void wave_past_init(struct wave_past *p, double delay, const double *told)
{
    *p = (struct wave_past){.begun = told != NULL, .since = NAN};
    wave_history_init(&p->history, delay);
    if (told)
        memcpy(p->history.initial, told, sizeof p->history.initial);
}

void wave_past_begin(struct wave_past *p, double time, const double *wave)
{
    wave_history_clear(&p->history);
    memcpy(p->history.initial, wave, sizeof p->history.initial);
    p->since = time;
    p->begun = true;
    p->cached = false;
}

/* Whether the waves before are known: of the time that has been told, or just after it. */
static bool goes_on_from_rest(const struct wave_past *p, double time)
{
    return time == p->since || (p->history.count == 0 && time >= p->since);
}

void wave_past_look(struct wave_past *p, struct instant when)
{
    if (p->cached && p->cached_at.time == when.time && p->cached_at.over == when.over)
        return;
    wave_history_delayed(&p->history, when, p->wave, p->rate);
    p->cached_at = when;
    p->cached = true;
}

bool wave_past_accept(struct wave_past *p, struct wave_sample s, bool restart, const double *told)
{
    struct wave_history *h = &p->history;
    if (h->count == 0 || s.time < wave_history_newest(h)) {
        const bool known = !told && goes_on_from_rest(p, s.time);
        wave_history_clear(h);
        if (!known)
            memcpy(h->initial, told ? told : s.wave, sizeof h->initial);
        p->begun = true;
    }
    s.corner = s.corner || (restart && wave_history_jumps(h, &s));
    p->cached = false;
    return wave_history_add(h, &s);
}

/* Restarts at arrivals that turn out to be weak, one after the other, before they are no longer passed on. */
enum { IDLE_LIMIT = 2 };

bool wave_arrival_is_corner(const struct wave_arrival *a, struct wave_sample *s)
{
    s->age = a->strong ? a->age + 1 : 0;
    s->idle = a->any && !a->strong ? a->idle + 1 : 0;
    return s->idle < IDLE_LIMIT;
}

struct wave_past *wave_past_keep(const struct wave_past *p, struct arena *arena)
{
    struct wave_past *kept = arena_alloc(arena, sizeof *kept);
    if (!kept)
        return NULL;
    *kept = (struct wave_past){.begun = p->begun, .history.delay = p->history.delay};
    return wave_history_copy(&kept->history, &p->history, arena) ? kept : NULL;
}

enum kn_status wave_past_recall(struct wave_past *p, const struct wave_past *kept)
{
    if (p->history.delay > kept->history.delay)
        return KN_ERROR_CIRCUIT;
    p->begun = kept->begun;
    p->cached = false;
    return wave_history_copy(&p->history, &kept->history, NULL) ? KN_OK : KN_ERROR_MEMORY;
}
