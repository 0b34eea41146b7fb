/* augmented.h - the circuit's equations with removable helpers, for the search of operating points.
 *
 * A DAE of its own around that of the circuit, so that no helper ever lives in the circuit's equations: when the
 * helpers are switched off, both are the same.
 *   shunt             a conductance from every node to ground (gmin stepping)
 *   node_capacitance  a capacitance from every node to ground (pseudo-transient)
 *   law_inductance    an inductance in series with every voltage that a nonlinear law states (pseudo-transient)
 *   imposed             an equation replaced by  x_u = value  (.ic, .nodeset)
 *   anchors           an equation completed by  rate (q_i - offset_i), where f alone leaves x undetermined
 */
#ifndef MNA_START_AUGMENTED_H
#define MNA_START_AUGMENTED_H

#include "mna/mna.h"

/* Of a tolerance: so far below it everything is taken that other values follow from, and what has moved by less has not
 * moved.  A thousandth is invisible in what is made with errors of the whole tolerance. */
static const double FAR_BELOW = 1e-3;
/* The reltol of starts at most, whatever that of the run is: a start is found once, and the whole run follows from it.  Given values with
 * six digits contradict each other, and charges (fluxes) have moved, where they do so by more. */
static const double START_RELTOL = 1e-6;
/* s.  Where there is no time constant any step will do; this is below those of circuits. */
static const double START_STEP = 1e-9;
/* s, of all searches: a farad is 1e21 S, far from overflow. */
static const double START_SHORTEST = 1e-21;

struct imposed_value {
    int unknown;  /* from 0; the equation of the same number is replaced */
    double value; /* V or A */
    bool active;
};

struct anchor {
    int row;           /* from 0 */
    double rate;       /* 1/s */
    double offset;     /* C or Wb */
    double inductance; /* H; of the port of a line, whose equation has no charge: q_i is -inductance x_i */
};

struct augmented {
    const struct dae *inner; /* first, for dae_forward */
    struct dae dae;          /* what Newton's method sees */
    struct mna *mna;

    double shunt;                  /* S */
    double node_capacitance;       /* F */
    double law_inductance;         /* H */
    double imposed_scale;          /* imposed values are multiplied by it (source stepping) */
    struct imposed_value *imposed; /* owned by the caller, like the anchors */
    size_t imposed_count;
    struct anchor *anchors;
    size_t anchor_count;

    /* Entries of the pattern by rows, for the equations that are changed. */
    int *row_start; /* [n + 1] */
    int *row_entry; /* [entries] places in the value arrays */
    int *diagonal;  /* [n] */
    double *q, *C;  /* workspace where the caller does not ask for them */

    /* [n] Tolerances of unknowns and equations, not larger than SPICE's defaults: abstol=1u, which makes a transient
     * cheap, must not leave an operating point in circuits of microamperes wrong. */
    double *absolute, *equation_absolute;
};

enum kn_status augmented_init(struct augmented *a, struct arena *memory, struct mna *m);

/* weights [n] := 1 / (relative * typical size + absolute tolerance).  They do not follow x, because a
 * norm that changes on the way cannot tell whether Newton's corrections shrink. */
void augmented_weigh(const struct augmented *a, double relative, double *weights);

/* Sets offset_i := q_i(x): what the anchors add vanishes at x. */
enum kn_status augmented_rebase(struct augmented *a, double t, const double *x);

#endif
