/* idle.c - see idle.h. */
#include "analyses/sweeps/idle.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* So many runs of a batch are compared with one another. */
enum { MOST_PRINTS = 500 };

/* All numbers of a run mixed, and what was swept in it. */
struct run_print {
    uint64_t mixed;
    double *values; /* [sweeps] */
};

struct idle_sweep {
    const char *name, *card;
    struct kn_location where;
    bool compared, counts;
};

/* What is random is not judged. */
static bool is_random(const struct sweep *s)
{
    return s->meaning == SWEEP_RUNS || s->meaning == SWEEP_CORNERS;
}

static bool all_are_random(const struct sweeps *sweeps)
{
    bool all = true;
    for (size_t k = 0; k < sweeps->count; k++)
        all &= is_random(&sweeps->items[k]);
    return all;
}

void idle_begin(struct idle *s, const struct sweeps *sweeps, const double *values)
{
    if (s->print_count >= MOST_PRINTS || all_are_random(sweeps) ||
        !array_reserve(&s->prints, s->print_count + 1, &s->print_capacity, sizeof *s->prints))
        return;
    struct run_print *p = &s->prints[s->print_count];
    *p = (struct run_print){HASH_BEGIN, arena_array(s->arena, sweeps->count + 1, sizeof *p->values)};
    if (!p->values)
        return;
    memcpy(p->values, values, sweeps->count * sizeof *values);
    s->print_count++;
}

void idle_add(struct idle *s, const double *row, size_t count)
{
    if (s->print_count == 0)
        return;
    uint64_t *mixed = &s->prints[s->print_count - 1].mixed;
    *mixed = hash_doubles(*mixed, row, count);
}

/* By its place; NULL without memory. */
static struct idle_sweep *entry_of(struct idle *s, const struct sweep *of)
{
    for (size_t i = 0; i < s->sweep_count; i++)
        if (names_equal(s->sweeps[i].name, of->name) && s->sweeps[i].where.line == of->where.line &&
            s->sweeps[i].where.column == of->where.column)
            return &s->sweeps[i];
    const char *name = arena_text(s->arena, of->name, strlen(of->name));
    if (!name || !array_reserve(&s->sweeps, s->sweep_count + 1, &s->sweep_capacity, sizeof *s->sweeps))
        return NULL;
    s->sweeps[s->sweep_count] = (struct idle_sweep){.name = name, .card = of->card, .where = of->where};
    return &s->sweeps[s->sweep_count++];
}

/* Runs that differ in one value alone, and in those tied to it. */
static void compare(const struct idle *s, const struct sweeps *all, size_t first, size_t behind,
                    struct idle_sweep *entry)
{
    for (size_t a = 0; a < s->print_count && !entry->counts; a++)
        for (size_t b = a + 1; b < s->print_count; b++) {
            const struct run_print *p = &s->prints[a], *q = &s->prints[b];
            bool differs = false, alone = true;
            for (size_t k = 0; k < all->count && alone; k++) {
                const bool same = p->values[k] == q->values[k];
                differs |= k >= first && k < behind && !same;
                alone = same || (k >= first && k < behind);
            }
            entry->compared |= alone && differs && p->mixed != HASH_BEGIN;
            entry->counts |= alone && differs && p->mixed != q->mixed;
        }
}

void idle_close(struct idle *s, const struct sweeps *all)
{
    for (size_t k = 0, behind; k < all->count; k = behind) {
        for (behind = k + 1; behind < all->count && all->items[behind].tied; behind++)
            ;
        struct idle_sweep *entry = is_random(&all->items[k]) ? NULL : entry_of(s, &all->items[k]);
        if (entry && s->print_count == MOST_PRINTS)
            entry->counts = true; /* there may be more, which have not been kept: it may count */
        if (entry)
            compare(s, all, k, behind, entry);
    }
    s->print_count = 0;
}

void idle_say(struct idle *s, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < s->sweep_count; i++)
        if (s->sweeps[i].compared && !s->sweeps[i].counts)
            diagnostics_add(d, KN_NOTE, "idle-sweep", s->sweeps[i].where,
                            "look whether it is used, and spelled as it is where it is used",
                            "'%s': %s changes nothing: all results are the same for all its values", s->sweeps[i].card,
                            s->sweeps[i].name);
    free(s->prints);
    free(s->sweeps);
    *s = (struct idle){.arena = s->arena};
}
