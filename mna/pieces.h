/* pieces.h - devices looked at by several threads, piece by piece of their batches, while this one sums up the constant
 * part; what they give is added here, in the order of the deck, so that results do not depend on the threads.
 *
 * Whether that pays depends on the devices as on the machine: what another core has found out has to come from there, about
 * as long as a simple transistor takes, and a thread that sleeps has to be woken.  So it is measured during the run, again
 * and again: some evaluations alone and some shared, of which the shared ones have to take clearly less time.
 */
#ifndef MNA_PIECES_H
#define MNA_PIECES_H

#include "base/arena.h"
#include "base/team.h"
#include "devices/setup.h"

struct pieces {
    struct team *team; /* NULL: this thread alone */
    const struct device_family *const *families;
    size_t family_count;
    size_t *first; /* [family_count + 1] of the pieces of a family; all 0: this evaluation is not shared */
    struct device_point at;
    char *room[TEAM_PLACES];
    bool limited[TEAM_PLACES];
    struct {
        long evaluations;     /* since the last trial began */
        long pause;           /* as many until the next one */
        double begin;         /* s, of this evaluation */
        double alone, shared; /* s, of the evaluations of the trial; after it: what sharing has lost since */
        bool pays;
    } trial;
};

/* Families with nonlinear work, up to `threads` threads with this one. */
enum kn_status pieces_new(struct arena *memory, const struct device_family *const *families, size_t count,
                          size_t threads, struct pieces *out);
void pieces_free(struct pieces *p);
/* Begins to look at the devices at a point. */
void pieces_begin(struct pieces *p, const struct device_point *at);
/* Adds all that the families give there. */
void pieces_add(struct pieces *p, const struct device_stamp *out);

#endif
