/* ggl_parts.h - the inside of the stabilised equations, shared by the files that find and evaluate them. */
#ifndef MNA_STABILISED_GGL_PARTS_H
#define MNA_STABILISED_GGL_PARTS_H

#include "base/rounding.h"
#include "mna/stabilised/ggl.h"
#include "sparse/dense.h"

struct ggl {
    const struct dae *inner; /* first, for dae_forward */
    struct arena *memory;
    struct dae dae;
    struct sparse_pattern *pattern;
    int n, count;
    bool varying; /* G depends on time */

    struct dense Z;              /* [n x dim ker C] */
    struct dense gamma;          /* [n x count] */
    int *replaced;               /* [count] equation that the hidden constraint takes the place of */
    int *hidden_of;              /* [n] which one replaces this equation, or -1 */
    struct dense inverse;        /* [n x n] C^- */
    double *hidden_scale;        /* [count] */
    struct dense coupling;       /* [n x count] C Psi */
    struct dense S, R, H;        /* [count x n] at `time`: Gamma^T G; S C^-; the hidden constraints by x, scaled */
    double time;                 /* s, NAN: none yet */
    double *f, *q, *dfdt, *dqdt; /* [n] of the inner equations */
    double *rates, *unit;        /* [n] */
    double *G, *C;               /* [entries of the inner pattern + 1] */
    int *slot;                   /* [inner entries] their places here, the bin for those of replaced equations */
    int *hidden_slot, *visible_slot, *coupling_slot; /* [count x n] places of H, S and C Psi */
    double *absolute, *equation_absolute;            /* [n + count] */
    enum dae_class *classes;                         /* [n + count] */
    bool asked_for_rates;
};

/* Times at which the equations are looked at. */
enum { GGL_PROBES = 3 };

/* ggl_linear.c: G and C at the start into s, and whether they are those of a linear problem from there to `stop`. */
enum kn_status ggl_look(struct ggl *s, double start, double stop, enum ggl_outcome *outcome, int *where);

#endif
