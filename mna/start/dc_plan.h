/* dc_plan.h - what the equations f(x) = 0 of an operating point leave open, and what closes them.
 *
 * A node given by .ic (or, while Newton's method looks for its way, by .nodeset) has its voltage imposed: its current
 * balance is replaced by x_u = value, unless voltage sources determine it already.  An inductor between nodes so
 * determined would be a short between different voltages; 0 is imposed on its current instead.  Islands that hang on
 * the rest by capacitors only carry no net charge, loops of inductors and voltage sources no net flux: see anchors in
 * augmented.h.  Where a controlled source in such a loop depends on the loop's own current, the current is determined
 * after all; whether it is so exact arithmetic tells of linear circuits (exact.h), and the solution itself of others.
 */
#ifndef MNA_START_DC_PLAN_H
#define MNA_START_DC_PLAN_H

#include "mna/start/augmented.h"
#include "mna/topology/topology.h"

/* Where an imposed value comes from. */
struct imposed_origin {
    bool permanent;  /* part of the solution; otherwise released when the way is found */
    bool determined; /* sources or inductors fix the node already: never active */
    bool inductor;   /* an inductor's current between imposed nodes */
    struct kn_location where;
};

/* Whether the direct current around a loop of inductors and voltage sources is determined. */
enum loop_state {
    LOOP_OPEN,      /* nothing does it: V and L impose the sum of voltages twice */
    LOOP_DOUBTFUL,  /* a controlled source in it may, as one that depends on its own current does */
    LOOP_DETERMINED /* one does */
};

struct dc_plan {
    struct mna *mna;
    const struct topology *topology;
    struct imposed_value *imposed;
    struct imposed_origin *origins; /* of the imposed values */
    size_t imposed_count;
    const struct element *unused; /* the first whose ic= would hold at rest in another dialect; or NULL */
    const struct element *unheld; /* whose ic= should hold at rest and cannot be imposed; or NULL */
    struct anchor *anchors;
    size_t anchor_count;
    enum loop_state *loops; /* [topology->vl_loops.count] */
    bool *island_imposed;   /* [topology->floating.count]: by a permanent value, so its charge is not assumed */
    bool has_hints;         /* there are imposed values that are not permanent */
    int *group;             /* [n + 1] workspace: union-find over node numbers */
};

/* initial: nodes of .ic are imposed.  Hints (.nodeset) are off. */
enum kn_status dc_plan_init(struct dc_plan *plan, struct arena *memory, struct mna *m, const struct topology *t,
                            bool initial);

/* Switches the imposed values of .nodeset. */
void dc_plan_use_hints(struct dc_plan *plan, bool use);

/* Rates [n] of the equations that f leaves open where the circuit rests and nothing is imposed, chosen from C [entries + 1], and
 * resistances [n] of ports of lines among them; 0: of the others. */
enum kn_status dc_plan_rates(struct arena *memory, struct mna *m, const struct topology *t, const double *C,
                             double *rates, double *resistances);

/* Chooses the rates of the anchors from C [entries + 1] at the start. */
void dc_plan_scale_anchors(struct dc_plan *plan, const double *C);

/* Before the search, f [n] taken at x = 0: an island that independent current sources feed has no operating point.
 * Reports it and returns KN_ERROR_CIRCUIT. */
enum kn_status dc_plan_check_islands_before(const struct dc_plan *plan, const double *f, struct kn_diagnostics *d);

/* After the search: f of the plain equations at x, row_scale the magnitude of their terms. The same for islands fed by
 * controlled sources, and for loops of inductors with a voltage across them. */
enum kn_status dc_plan_check(const struct dc_plan *plan, const double *x, const double *f, const double *row_scale,
                             struct kn_diagnostics *d);

/* The same for loops in doubt, where the search has ended without a solution. */
enum kn_status dc_plan_check_doubtful(const struct dc_plan *plan, const double *x, struct kn_diagnostics *d);
bool dc_plan_is_in_doubt(const struct dc_plan *plan);
/* No loop in doubt is open: f(x) = 0 has turned out regular. */
void dc_plan_dispel_doubt(struct dc_plan *plan);

/* What was assumed, as notes, and .ic values that could not be imposed, as warnings. */
void dc_plan_report(const struct dc_plan *plan, const double *x, double relative, struct kn_diagnostics *d);

/* True for an equation that a permanent value replaces. */
bool dc_plan_replaces(const struct dc_plan *plan, int row);

#endif
