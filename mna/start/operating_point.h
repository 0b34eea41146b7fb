/* operating_point.h - f(x, t) = 0: direct Newton, then gmin stepping, source stepping, pseudo-transient. */
#ifndef MNA_START_OPERATING_POINT_H
#define MNA_START_OPERATING_POINT_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

enum operating_method {
    OPERATING_NEWTON,
    OPERATING_GMIN,
    OPERATING_SOURCE,
    OPERATING_PSEUDO_TRANSIENT,
    OPERATING_NONE
};

struct operating_report {
    enum operating_method method;    /* the one that succeeded */
    long iterations, factorizations; /* refactorisations included */
    double worst_residual;           /* of the accepted solution, all helpers removed; unit of f */
    int worst_row;
};

struct operating_options {
    double relative;
    double time; /* s: sources are taken at this time */
    int max_iterations;
    /* [n] Newton's method begins there, and nothing else is tried nor said where it fails: a step of a continuation, whose
     * caller knows shorter ones.  NULL: all methods, from zero and what the deck says. */
    const double *start;
    /* The start of a transient without uic: voltages of .ic are imposed, and the point found is made consistent
     * in the sense of consistent.h (nodes without charge and index-2 unknowns follow). */
    bool impose_initial;
    double span; /* s: of that transient; 0: not known */
};

/* x [n] out.  Node-less-DC-path islands (topology) are assumed to carry no net charge and inductor loops no net flux,
 * which is said in the diagnostics. */
enum kn_status operating_point(struct mna *m, const struct topology *t, const struct operating_options *o,
                               struct kn_diagnostics *d, double *x, struct operating_report *report);

#endif
