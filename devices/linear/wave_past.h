/* wave_past.h - what a delay needs of the past: the history of a pair of waves, begun when the first step of a run is
 * accepted, and the last look into it.
 */
#ifndef DEVICES_LINEAR_WAVE_PAST_H
#define DEVICES_LINEAR_WAVE_PAST_H

#include "devices/linear/wave_history.h"

struct wave_past {
    struct wave_history history;
    bool begun;
    double since; /* s, from which on the waves before are known; NAN: they are not */
    /* The last look, for the iterations at one time. */
    bool cached;
    struct instant cached_at;
    double wave[2], rate[2];
};

/* told [2]: waves before the run, where they are told (uic); NULL: those that it begins with. */
void wave_past_init(struct wave_past *p, double delay, const double *told);
/* The run begins at this time with these waves [2] before. */
void wave_past_begin(struct wave_past *p, double time, const double *wave);
/* Makes p->wave and p->rate those of one delay before. */
void wave_past_look(struct wave_past *p, struct instant when);
/* A sample of an accepted step; s.corner: it may begin another smooth piece.  A time before the last one begins a new run,
 * with the waves before that wave_past_begin has told of this time.  false without memory. */
bool wave_past_accept(struct wave_past *p, struct wave_sample s, bool restart, const double *told);

/* A copy of the past in the arena, NULL without memory; and a past that goes on from one, with its own delay: KN_ERROR_MEMORY, or
 * KN_ERROR_CIRCUIT where that is longer, since what lies further back is forgotten. */
struct wave_past *wave_past_keep(const struct wave_past *p, struct arena *arena);
enum kn_status wave_past_recall(struct wave_past *p, const struct wave_past *kept);

/* Whether a restart makes a new corner, whose age and idleness are set in *s.  Where nothing but weak corners arrive it was
 * most likely caused by their early announcement alone, and passing it on again and again would keep the echo alive; but
 * something else may have happened at the same moment, so that a few are passed on and judged by the waves that follow. */
bool wave_arrival_is_corner(const struct wave_arrival *a, struct wave_sample *s);

#endif
