/* options.h - what an analysis is told by .options and the command line, and what it tells of itself. */
#ifndef ANALYSES_OPTIONS_H
#define ANALYSES_OPTIONS_H

#include "integrators/integrator.h"
#include "mna/mna.h"
#include "mna/quasistatic/parasitics.h"
#include "mna/start/operating_point.h"
#include "mna/topology/topology.h"

struct left_out;
struct carry;

/* From .options, overridden by the command line. */
struct analysis_options {
    const struct integrator_class *method;
    double relative;   /* reltol */
    double kappa;      /* part of the tolerance that Newton may leave */
    int max_order;     /* 0: the method's own */
    double fixed_step; /* s, instead of that of .tran; 0: none */
    struct mna_options mna;
    int op_iterations;                   /* itl1 */
    int step_iterations;                 /* itl4 */
    bool watch_hidden;                   /* hidden: a run says how well the hidden constraints held */
    bool step_rows;                      /* steprows: rows at accepted steps only */
    bool raw_index2;                     /* rawindex2: unknowns of index 2 as the method leaves them */
    bool state_hidden;                   /* ggl: they are stated as equations */
    struct parasitic_choice quasistatic; /* transients are run without these */
    struct parasitic_choice slow_start;  /* .. or start where these have swung in */
    bool spectra;                        /* .four and .fft are made, and go to the sink of the run */
    bool stills;                         /* a transient tells its points at the times of .op, too */
    bool verify;                         /* each transient is made again, see verify.h; read by kn_run */
    long samples;               /* of .tran: 0: rows at steps; else at so many fixed times and at tstop, see rows.h */
    const double *sample_times; /* [samples] the times, see rows.h; NULL: equally distant ones */
    const struct kn_sink *rows; /* where samples are asked for, its `row` gets the rows at steps; NULL: not wanted */
    const struct kn_sink *bias; /* gets voltages for .savebias; NULL: not wanted */
    const struct kn_sink *devices;    /* gets quantities of devices at operating points; NULL: not wanted */
    const struct kn_sink *even;       /* gets rows every tstep, see rows.h; NULL: not wanted */
    const struct kn_partner *partner; /* NULL: none */
    struct carry *carry;              /* of transients that can go on with other values; NULL: none */
    bool (*interrupted)(void *context);
    void (*progress)(void *context, double fraction);
    void (*measured)(void *context, const struct kn_measurement *m);    /* NULL: not wanted */
    void (*attempted)(void *context, const struct kn_attempt *attempt); /* NULL: not wanted */
    void (*left_out)(void *context, const struct left_out *left);       /* NULL: not wanted */
    void *context;
};

/* Reads .options; unknown ones are warnings with place and likely correction. */
enum kn_status analysis_options_of(const struct circuit *c, struct kn_diagnostics *d, struct analysis_options *out);

/* The method of this name; NULL with an error, a likely correction and the list of all where there is none. */
const struct integrator_class *analysis_method(const char *name, struct kn_location where, struct kn_diagnostics *d);

/* Of the equations, with the absolute tolerances that follow reltol where the deck does not give them. */
struct mna_options analysis_tolerances(const struct circuit *c, const struct analysis_options *o);

struct analysis_summary {
    int unknowns;
    struct operating_report operating;
    struct integrator_statistics steps;
    const char *method;
    char choice[160]; /* what an automatic method chose and why */
    long rows;
};

#endif
