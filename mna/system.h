/* system.h - the inside of struct mna, shared by the files that build, evaluate and name it.
 *
 * Vectors inside are padded: index 0 is ground, unknown i of the DAE is i + 1.
 */
#ifndef MNA_SYSTEM_H
#define MNA_SYSTEM_H

#include "mna/mna.h"
#include "mna/pieces.h"
#include "mna/rest.h"

/* The constant part of G or C as compressed rows of its nonzero entries; row and column numbers are padded ones. */
struct constant_rows {
    int count; /* of rows that have any */
    int *row;  /* [count], none is ground's */
    int *end;  /* [count] of their terms, which begin where those of the row before end */
    int *column;
    double *value;
};

struct mna {
    struct arena *memory;
    const struct circuit *circuit;
    struct mna_options options;
    struct device_setup *setup; /* unknowns and their names; its matrix requests are gone once the slots are fixed */
    struct device_families families;
    struct sparse_pattern *pattern;
    struct dae dae;

    double *G0, *C0;                                 /* [entries + 1] constant entries */
    struct constant_rows conductances, capacitances; /* the same, for f = G0 x and q = C0 x */

    /* The families that have something to do at each kind of call. */
    struct device_family **nonlinear, **forcing, **accepting;
    size_t nonlinear_count, forcing_count, accepting_count;
    struct rest rest;
    struct pieces pieces; /* of the nonlinear families */

    double source_scale;
    double extra_gmin; /* S, beyond options.gmin */

    double *x;                   /* [n + 1] point in question: rest.seen or .. */
    double *asked;               /* .. this one, where not all devices are evaluated */
    double *f, *q, *dfdt, *dqdt; /* [n + 1] */
    double _Complex *phasors;    /* [n + 1] for sources of small signals */
    double *x_reference;         /* [n + 1] limiting is judged relative to this */
    double *dxdt;                /* [n + 1] for device currents */
    struct device_probe probe;   /* point of device currents, in x and dxdt */
    struct device_flows flows;   /* of the element asked last there */
    bool first_of_newton;
    double left_limit; /* s; times from here on mean the limit from the left at it */
    double time_span;  /* s, of the longest .tran */
    struct known_breakpoint {
        double from, time; /* s; the first one later than `from`; from NaN: none is known */
    } known;

    double *absolute, *equation_absolute; /* [n] */
    enum dae_class *classes;              /* [n] */
    bool *potentials;                     /* [n] unknowns that are voltages of nodes */
    int *beside;                          /* [n] of the dae; NULL until set */
    struct dae_law *laws;                 /* [law_count] those of dae, then others, see mna_laws */
    size_t law_count;
    int unasked;       /* unknowns evaluated since it was asked whether the run is to end */
    double fault_time; /* s: of the last evaluation without a finite value; NaN: none */
    double *fault_x;   /* [n + 1] its point; NULL: there are no formulas to blame */
};

/* build.c: whether eval has something to do. */
bool mna_is_nonlinear(const struct device_family *family);

/* evaluate.c: the functions of struct dae. */
enum kn_status mna_evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out);
void mna_begin_newton(void *problem, const double *x_reference);
double mna_next_breakpoint(void *problem, double t);
double mna_next_quarter(void *problem, double t, double relative, double *period);
void mna_hold_left(void *problem, double t);
void mna_switches(void *problem, double t, const double *x, double *g);
void mna_hold(void *problem, int i, int side);
bool mna_may_be_left(void *problem, int i);
enum dae_rest mna_at_zero(void *problem, int i);
bool mna_rectifies(void *problem, int i, double bend[2]);
/* Whether the side of a switch is a state, and all there is to it: nothing happens besides when it changes (arrive). */
bool mna_switch_is_latch(const struct mna *m, int i);
void mna_describe_switch(void *problem, int i, char *buffer, size_t size);
enum kn_status mna_arrive(void *problem, double t, const double *x);
enum kn_status mna_accept(void *problem, double t, const double *x, int order, enum dae_accepted how);

/* fault.c: remembers the point just evaluated if f or q is not finite there. */
void mna_note_fault(struct mna *m, double t, unsigned what);

/* names.c */
const char *mna_unknown_name(void *problem, int i);
void mna_describe_unknown(void *problem, int i, char *buffer, size_t size);

#endif
