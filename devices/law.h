/* law.h - a scalar function of unknowns that an element contributes to f or q: an expression or a POLY(n) polynomial.
 *
 *     value = scale * g(u_1 .. u_n, t),   u_k = x[plus_k] - x[minus_k]
 *
 * is added to one row and subtracted from another (row or opposite may be 0, ground).  An affine law costs nothing in
 * the time loop: its gradient goes to the constant matrices, its value at u = 0 to the sources.  Used by every family
 * whose elements can be given by a formula: B, E, F, G, H, R, C, L.
 */
#ifndef DEVICES_LAW_H
#define DEVICES_LAW_H

#include "base/arena.h"
#include "devices/device.h"

/* Unknown numbers of an argument; minus is 0 for a plain voltage or a current. */
struct law_argument {
    int plus, minus;
    double share; /* of the difference, what the law sees: less than 1 for currents in subcircuits with m= */
    int slots[4]; /* (row, plus) (row, minus) (opposite, plus) (opposite, minus) */
};

struct law_term; /* a monomial */

struct law {
    const struct element *element;
    const struct expression *expression; /* NULL: polynomial */
    struct law_term *terms;
    size_t term_count;
    struct law_argument *arguments;
    size_t argument_count;
    int row, opposite;
    bool charge;     /* adds to q instead of f */
    bool integrated; /* g is the expression's integral over the element's own voltage or current, all it depends on */
    bool affine;
    bool moves; /* of an affine law: its value at u = 0 depends on time, else it is .. */
    double offset;
    double scale;
    double temperature; /* degrees Celsius */
    double *gradient;   /* [argument_count]; of an affine law: constant, after law_prepare */
    double *values;     /* [argument_count] */
    double *beside;     /* [argument_count] */
    double *own;        /* [argument_count] of an integrated law */
    double *sides;      /* [law_switch_count] likewise */
    double *shares;     /* [argument_count] the arguments as the law sees them */
    bool has_shares;    /* they differ from the values */
    double *workspace;
    int frequency;     /* argument that is the frequency of small signals, else 0 Hz; -1: none */
    bool plain;        /* quotients of two zeros have no value, so that a search begins beside them */
    double hertz;      /* what it is now, where a probe of small signals is asked about */
    double *at_rest;   /* [argument_count] at the last operating point, where there is such an argument */
    signed char *held; /* [law_switch_count] side on which each switch is held, see expression_point */
};

/* The law of an element: its expression, its polynomial, or for a linear controlled source value * u_1.  charge: adds
 * to q.  false without memory. */
bool law_make(struct law *l, const struct element *e, bool charge, struct arena *arena);

/* Finds the unknowns of the arguments and asks for the entries.  An element without a current used as I(..) is an error
 * of the deck; the law must not be evaluated then.  false without memory. */
bool law_connect(struct law *l, struct device_setup *s, struct kn_diagnostics *d, int row, int opposite);

/* Sets temperature (degrees Celsius) and scale; before law_stamp, law_force and law_eval. */
void law_prepare(struct law *l, double temperature, double scale);

/* Puts the gradient of g at u [argument_count] and time 0 into l->gradient. */
void law_gradient_at(const struct law *l, const double *u);

/* The three ways to contribute; each does nothing where another one is in charge. */
void law_stamp(const struct law *l, double *G, double *C);
void law_force(const struct law *l, struct instant when, double source_scale, double *f);
void law_force_rate(const struct law *l, struct instant when, double source_scale, double *dfdt);
void law_eval(struct law *l, const struct device_point *at, const struct device_stamp *out);

/* scale * g at a point. */
double law_value(const struct law *l, struct instant when, const double *x);
/* The same where the arguments are u [argument_count]. */
double law_value_of(const struct law *l, struct instant when, const double *u);
/* The same at a probe, which may be of small signals. */
double law_probe(struct law *l, const struct device_probe *at);
/* d/dt of scale * g along a solution: gradient * dx/dt + partial derivative in time. */
double law_rate(struct law *l, const struct device_probe *at);

/* What a formula of hertz adds at the frequency w (1/s) to A = G + j w C, and to dA/dw. */
void law_delay(const struct law *l, double w, double _Complex *A, double _Complex *dAdw);

/* First time after `over` where the expression itself switches; INFINITY if none. */
double law_next_breakpoint(const struct law *l, double over);
/* As next_quarter of a device class. */
double law_next_quarter(const struct law *l, double time, double *period);

/* Where the law jumps in its arguments, and what decides it: see expression_switches. */
size_t law_switch_count(const struct law *l);
void law_switches(const struct law *l, struct instant when, const double *x, double *g);

/* Declares the branch whose current (shape->kind BRANCH_I), voltage (BRANCH_V), charge (BRANCH_C) or flux (BRANCH_L)
 * the law gives.  A current that depends on the branch's own voltage only, or a voltage that depends on its own current
 * only, is a resistor; a law without arguments is independent; anything else is controlled. */
bool law_add_branch(const struct law *l, const struct branch *shape, struct branch_list *list);

#endif
