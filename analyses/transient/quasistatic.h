/* quasistatic.h - a run without parasitics (.options quasistatic): refused unless what is left out would have died out,
 * watched on the way, and with the first-order error of it told in the end.
 */
#ifndef ANALYSES_TRANSIENT_QUASISTATIC_H
#define ANALYSES_TRANSIENT_QUASISTATIC_H

#include "analyses/setup.h"
#include "base/text.h"
#include "mna/quasistatic/model_error.h"
#include "mna/start/consistent.h"

/* What a run without parasitics tells at its end (analysis_options); all of it is gone afterwards. */
struct left_out {
    const struct setup *setup; /* of the circuit without them */
    const struct parasitics *parasitics;
    const struct model_error_result *error;
    double slowest, slowest_at; /* s: largest fast time constant of the run, and when */
};

/* A circuit without parasitics. */
struct without {
    struct arena *memory;
    struct circuit circuit;
    struct parasitics parasitics;
    struct setup setup;
    bool unsolvable; /* without them the equations have no unique solution .. */
    const char *why; /* .. because of this */
};

/* Elements by their numbers in `taken` [parasitics of all], NULL: all of them.  Results of measurements are those of the
 * full set-up, which has been opened.  Free with without_free, also after a failure. */
enum kn_status without_open(struct setup *full, const struct parasitics *all, const bool *taken, struct without *out);
void without_free(struct without *w);

/* The choice of the run's options makes something to be done. */
bool quasistatic_is_asked(const struct analysis_options *o);

/* Why `fast` is not attractive, and what to do, in words; false: it is. */
bool quasistatic_objection(const struct without *w, const struct fast_part *fast, struct text *why, struct text *hint);

struct quasistatic;
/* *out is NULL, with a warning, where no element is small enough. */
enum kn_status quasistatic_new(struct setup *full, const struct transient *request, struct quasistatic **out);
/* What the run is to be made with. */
struct setup *quasistatic_setup(struct quasistatic *q);
/* x [n]: where the run starts: from the values of the circuit with its parasitics, near which there may be one of several
 * solutions without them. */
enum kn_status quasistatic_start(struct quasistatic *q, struct consistent *c, double *x,
                                 struct operating_report *report);
/* A start, or a point behind a jump: KN_ERROR_CIRCUIT, reported, where the verdict is not `attractive`. */
enum kn_status quasistatic_begin(struct quasistatic *q, double t, const double *x);
enum kn_status quasistatic_step(struct quasistatic *q, struct integrator *m);
/* After a run: tells what was left out and what that does; of one that failed, whether the fast part is why.  q may be
 * NULL. */
void quasistatic_end(struct quasistatic *q, enum kn_status status);

#endif
