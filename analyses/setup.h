/* setup.h - what the analyses of a deck share: the equations, what their graph tells, the operating point. */
#ifndef ANALYSES_SETUP_H
#define ANALYSES_SETUP_H

#include "analyses/measure/measure.h"
#include "analyses/options.h"
#include "analyses/run_index.h"
#include "netlist/netlist.h"

/* Made by setup_of, filled in by setup_open; stays where it is, since evaluations ask it whether the run is to end. */
struct setup {
    const struct circuit *circuit;
    const struct deck *deck;           /* which the circuit was made of, with these values; NULL: not known */
    const struct overrides *overrides; /* NULL: none */
    const struct analysis_options *options;
    struct kn_diagnostics *diagnostics;
    struct mna *mna;
    struct topology *topology;
    struct run_index index;
    size_t part, parts; /* this one of so many of an analysis; 0: all of it */
    double *operating;  /* [n] the operating point; NULL until it is asked for */
    double *results;    /* [measures] of the circuit, NaN until they are known; NULL until they are asked for */
    bool used;          /* by a run in time, which devices remember: the next analysis begins with a new one */
    bool listens;       /* evaluations ask whether the run is to end; not while rows are made, which must be whole */
    bool stopped;       /* it is */
    bool advances;      /* in time: then progress is told in steps */
    double sought;      /* part of the way to the operating point, 0 .. 1 */
    bool lost;          /* the caller's partner gives no values any more: the run ends */
    struct outside outside; /* who gives values to sources: the caller's partner */
    struct arena *ties;     /* of the circuit, where islands were tied to ground; else NULL */
};

/* Part of reltol to which operating points are found: what they leave as error would have to die out in a run. */
extern const double SETUP_OPERATING_PART;
/* s: the time of .op, when sources have their DC values. */
extern const double SETUP_OPERATING_TIME;

struct setup setup_of(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d);

/* Equations, topology and index, unless they are there; a circuit that cannot have a unique solution ends here. */
enum kn_status setup_open(struct setup *s);
/* The same and the operating point; the work that it took is added to the summary of the analysis that asked first. */
enum kn_status setup_operating_point(struct setup *s, struct analysis_summary *summary);
/* Whether the run is to end, as the `interrupted` of mna_options: once true, it stays so. */
bool setup_is_stopped(void *setup);
/* An error for a formula that has no value beyond the time (s) that was reached, where the steps ended for it. */
void setup_blame_formula(const struct setup *s, double reached);
void setup_close(struct setup *s);

/* Where results of .measure go, so that those of one analysis can be used by the next; NULL without memory. */
double *setup_results(struct setup *s);
/* Who is told of them. */
struct measure_listener setup_listener(const struct setup *s);

#endif
