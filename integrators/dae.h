/* dae.h - the problem every integrator solves, circuit or not:
 *
 *     F(t, x, x') = d/dt q(x, t) + f(x, t) = 0,     x in R^n,
 *
 * with G = df/dx and C = dq/dx on one compressed-column pattern.  Integrators see nothing else.
 */
#ifndef INTEGRATORS_DAE_H
#define INTEGRATORS_DAE_H

#include "knoten.h"
#include "sparse/sparse.h"

#include <stdbool.h>

/* What eval is to compute. */
enum dae_part {
    DAE_F = 1,
    DAE_Q = 2,
    DAE_G = 4,
    DAE_C = 8,
    DAE_T = 16,     /* partial time derivatives of f and q */
    DAE_LIMIT = 32, /* evaluation may be limited relative to the point given to begin_newton, see there */
    DAE_AFRESH = 64 /* at x itself, not by the tangent of a point near it, which differences would show */
};

struct dae_values {
    double *f, *q;       /* [n] */
    double *G, *C;       /* [entries + 1] */
    double *dfdt, *dqdt; /* [n] */
    bool limited;        /* out, with DAE_LIMIT: f and q are extrapolations; the point is not a solution */
};

/* A point of a run whose slopes are asked for. */
struct dae_point {
    double time, step; /* s, of the step around it */
    const double *x;   /* [n] */
    bool solved;       /* x solves the equations with slopes of the charges; else it is about right */
};

/* How an unknown behaves under perturbations of the equations (theory: Arnold 1996, Table 2.1). */
enum dae_class {
    DAE_DIFFERENTIAL, /* d/dt of it appears */
    DAE_INDEX1,       /* algebraic */
    DAE_FOLLOWS, /* algebraic and read off the others by an equation of its own (the current of a voltage source): right
                    when they are, never a reason for a step */
    DAE_INDEX2,  /* depends on derivatives of the data: noise reaches it divided by h */
    DAE_CLASS_COUNT
};

enum { DAE_AT_ZERO = 2 };

/* A switch whose function comes to zero from its side and rests there: the last digit decides, it keeps its side, or it has turned. */
enum dae_rest { DAE_REST_BY_SIGN, DAE_REST_KEEPS, DAE_REST_TURNS };

/* Equation `equation` says what x[plus] - x[minus] is (-1: nothing stands there), by a law that may be steep in other
 * unknowns: its residual is an error of that difference, however small an error of the others explains it. */
struct dae_law {
    int equation, plus, minus;
};

/* x[unknown] is read as another quantity too, which this error of it leaves right: a voltage behind a resistance to ground is a
 * current.  Steps are held to that as they are for unknowns of DAE_FOLLOWS. */
struct dae_reading {
    int unknown;
    double absolute; /* in the unit of the unknown */
};

/* x[unknown] is a potential inside a part, behind a resistance, and what the part does follows from differences of it and of the
 * potentials x[ends[..]] around: where nobody looks at it, it is known as well as the best known of these. */
struct dae_inner {
    int unknown;
    const int *ends; /* [end_count] */
    size_t end_count;
};

/* x[current] and x[voltage] are those of one end of a line with that impedance, which remembers the waves x[voltage] +- impedance
 * x[current]: these are known to reltol, and so is x[current] to reltol of their size, however little of it flows (an open end). */
struct dae_wave {
    int current, voltage;
    double impedance; /* ohm, > 0 */
    /* Nothing else flows there; else x[current] is that of a source at the same node, which may carry more. */
    bool port;
};

/* Where a point that is accepted lies. */
enum dae_accepted { DAE_STEP_END, DAE_RESTART, DAE_INSIDE_STEP };

/* How a small disturbance is followed while it grows out of a point at which the equations rest, but not stably.  Part of 1/rate: steps
 * that are long beside that damp it (backward Euler from 2/rate on); with this part every method keeps the rate to some per cent.  Times
 * 1/rate: e^20 is more than the way from the disturbance to what every control of errors sees, or from a millivolt to what no circuit has. */
#define DAE_GROWING_STEP 0.3
#define DAE_GROWN_AFTER  20

struct dae {
    int n;
    const struct sparse_pattern *pattern;
    bool linear;              /* G and C constant: one Newton iteration is exact */
    bool no_time_derivatives; /* eval cannot give DAE_T */
    /* No switching functions, and no law that lets an unknown grow without end, as formulas may: devices limit it. */
    bool bounded;
    /* Nonlinear, and by formulas of the deck's own without switching functions only. */
    bool formulas;
    void *problem;

    /* Evaluates the parts in `what` (enum dae_part) at (t, x).  Overwrites, never adds.  A result that is not finite is
     * no error: the caller tests.  KN_OK or a status that ends the run. */
    enum kn_status (*eval)(void *problem, double t, const double *x, unsigned what, struct dae_values *out);

    /* Starts a sequence of evaluations with DAE_LIMIT whose first point is judged relative to x_reference (the last
     * accepted solution).  NULL when the problem needs no limiting. */
    void (*begin_newton)(void *problem, const double *x_reference);

    /* First time after t where the right-hand side has a corner or jump; INFINITY if none.  NULL: none at all. */
    double (*next_breakpoint)(void *problem, double t);
    /* First time after t where a given function of time that oscillates, by more than `relative` of its size, is at a crest or a
     * zero; INFINITY if none.  *period: made the shorter of itself and the shortest of these periods.  NULL: none at all. */
    double (*next_quarter)(void *problem, double t, double relative, double *period);

    /* From this call to the next, times at or after t mean the limit from the left at t: a step that ends at a jump of
     * a source sees the value before it, the restart at t the value after it.  NULL when nothing jumps. */
    void (*hold_left)(void *problem, double t);

    /* Time has come to t for good, at the start, at a breakpoint or where switching functions have changed sides: what
     * happens then happens now, before x is made consistent.  A status that ends the run; NULL if nothing ever happens. */
    enum kn_status (*arrive)(void *problem, double t, const double *x);

    /* Called after every accepted step, at the start and after breakpoints, and where delays remember what is inside a step.  NULL if
     * not wanted. */
    enum kn_status (*accept)(void *problem, double t, const double *x, int order, enum dae_accepted how);
    /* [n] what it reads inside steps; NULL: perhaps all.  Owned by the problem. */
    const bool *remembered;

    double largest_step; /* s, INFINITY if any */
    /* The largest from the point accepted last (s), where that changes.  NULL: it does not. */
    double (*step_now)(void *problem);

    /* Absolute tolerance of each unknown [n] (its unit), its class [n] (NULL: all differential or index 1), and the
     * tolerance of each equation [n] in the unit of f.  Owned by the problem. */
    const double *absolute;
    const enum dae_class *classes;
    const double *equation_absolute;
    /* [n], NULL: none is.  Potentials count by their differences: a value that many of them share says nothing of the currents
     * between them. */
    const bool *potentials;
    /* [n] unknowns that have been seen to grow by their own law, which the drive marks (drive/growth.h): their errors grow with them, so
     * that tolerances forget what they were.  NULL where the dae is bounded, or nobody is to mark any.  Owned by the problem. */
    bool *grows;
    const struct dae_reading *readings; /* [reading_count] */
    size_t reading_count;
    const struct dae_inner *inner; /* [inner_count] */
    size_t inner_count;
    const struct dae_wave *waves; /* [wave_count] */
    size_t wave_count;
    /* [n], NULL: none.  Unknown i of index 2 is so only together with unknown beside[i] (-1: alone), as voltages of a part of
     * a circuit that hangs on inductors: their difference is of index 1. */
    const int *beside;
    /* Adds to terms [n] sizes of what is in f at x but cancels in G, as evaluated last: sums of equations keep its rounding.  NULL: there
     * is nothing of the kind. */
    void (*cancelled)(void *problem, const double *x, double *terms);
    const struct dae_law *laws; /* [law_count] */
    size_t law_count;

    /* Switching functions g_i(t, x): the run restarts where they change their sign.  NaN: switch i does not matter at
     * present. hold tells on which side of zero (1 or -1) switch i is from now on, and the equations must stay on that
     * side whatever the sign of g_i is, so that they are smooth across the switching point; 0, as at first: they follow
     * g_i; DAE_AT_ZERO, where may_be_left: they stay as they are where g_i is zero. */
    int switch_count;
    void (*switches)(void *problem, double t, const double *x, double *g);
    void (*hold)(void *problem, int i, int side);
    bool switches_equations_only; /* hold does nothing but what is said above: a switch across which equations are
                                     continuous needs no restart and may be left at 0 */
    /* False for a switch whose side is a state, to be kept even where equations agree on both sides.  NULL: all may. */
    bool (*may_be_left)(void *problem, int i);
    /* What a switch whose side is a state does where its function comes to zero and stays there.  NULL: its sign decides. */
    enum dae_rest (*at_zero)(void *problem, int i);
    /* Whether a switch is a rectifier's: its function is of its own voltage, which on both sides returns it to where it conducts
     * forwards or blocks.  bend: beyond zero its law is no straight line as far as [0], and nearly that of the other side as far as
     * [1]; both 0: it is one.  NULL: none is. */
    bool (*rectifies)(void *problem, int i, double bend[2]);

    /* For messages: the name of an unknown or equation, and the elements that meet there ("R1, C2, q1"); text is
     * written to buffer.  NULL: numbers are shown. */
    const char *(*unknown_name)(void *problem, int i);
    void (*describe)(void *problem, int i, char *buffer, size_t size);
    /* The same for a switching function: whose it is. */
    void (*describe_switch)(void *problem, int i, char *buffer, size_t size);
};

/* The longest step from the point accepted last (s), at most so long. */
double dae_longest_step(const struct dae *dae, double most);

/* Whether delays need what is inside steps. */
bool dae_remembers(const struct dae *dae);
/* Adds what they read there to watched [n]. */
void dae_watch_remembered(const struct dae *dae, bool *watched);

/* level [n] := a potential that stands in each equation, its own if it has one; -1: none stands there. */
void dae_find_levels(const struct dae *dae, int *level);
/* tolerance [n] := of the sums of currents at nodes, reltol of their terms with potentials beside that of the node, and
 * what the absolute tolerances of unknowns make; INFINITY of other equations and where an unknown of index 2 stands.
 * Those of unknowns do not tell: a diode's current is 20 times itself at 80 mV more, and on 46 kV these are nothing.
 * G + alpha C at x [n]; to_ground [n]: work. */
struct dae_linear {
    const double *G, *C; /* [entries] */
    double alpha;
};
void dae_balance_tolerances(const struct dae *dae, const struct dae_linear *at, const double *x, double relative,
                            double *to_ground, double *tolerance);

/* A dae around another: `out` has the inner one's data, and every function it has, called with the inner one's problem.
 * `problem` points to a struct whose first member is `const struct dae *inner`.  The caller then replaces what it
 * changes.  A function added to struct dae must be forwarded in dae.c (tests/integrators/test_dae.c insists). */
void dae_forward(const struct dae *inner, void *problem, struct dae *out);

#endif
