/* integrator.h - what the methods have in common and how a run is driven.
 *
 * A method attempts one step of a given size and says how it went; `integrate` (drive.c) owns everything else once for
 * all methods: breakpoints, largest step, rejections, restarts, switching functions, statistics and the diagnosis of
 * stagnation.
 */
#ifndef INTEGRATORS_INTEGRATOR_H
#define INTEGRATORS_INTEGRATOR_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/time_resolution.h"
#include "integrators/dae.h"
#include "integrators/newton.h"
#include "integrators/statistics.h"

#include <math.h>

struct integrator_options {
    double relative;      /* reltol */
    double kappa;         /* Newton's part of the tolerance */
    int max_order;        /* 0: the method's own */
    int max_iterations;   /* Newton iterations per step */
    double span;          /* s, of the run; 0: not known */
    bool short_sighted;   /* tolerances refer to the last points only (tolerance.h) */
    double damped_growth; /* 1/s, of a mode that is not to be followed; 0: none */
    double output_step;   /* s: a tenth of it is the least step for the sake of unknowns that only follow and of points
                             between steps, a thousandth for the sake of algebraic unknowns; 0: the former never shorten a
                             step, the latter without end */
    double fixed_step;    /* s: all steps are that long, see control.h; 0: they follow their errors */
    const bool *watched; /* [n] unknowns that somebody looks at, others are read as nothing else (struct dae, readings);
                             NULL: all; it outlives the method */
};

/* What keeps the next step from being longer, or has cut this one. */
enum step_limit {
    LIMIT_NONE,        /* it grows as fast as it may */
    LIMIT_ERROR,       /* at its end */
    LIMIT_FOLLOWERS,   /* error of unknowns that only follow, index-2 ones among them */
    LIMIT_BETWEEN,     /* waveforms between the points */
    LIMIT_OSCILLATION, /* amplitude of a lasting oscillation, or one that the order would excite */
    LIMIT_CONVERGENCE, /* of Newton's method */
    LIMIT_ROUNDING,    /* divided by the step */
    LIMIT_TMAX,        /* the largest step allowed, by these three the drive */
    LIMIT_BREAKPOINT,
    LIMIT_SOURCE, /* a crest or zero of a source that swings */
    LIMIT_FIXED,  /* steps are of a size that the user has fixed */
    LIMIT_CALLER, /* it waits there, or wants it shorter */
    LIMIT_START   /* a first step, or the growth of a disturbance */
};

enum step_outcome { STEP_ACCEPTED, STEP_ERROR_TOO_LARGE, STEP_NEWTON_FAILED, STEP_STOPPED /* status tells */ };

struct integrator_class;
struct tolerance;

/* What one attempt reports. */
struct step_report {
    enum step_outcome outcome;
    enum kn_status status;
    enum newton_outcome newton;
    int order;             /* used */
    double error;          /* estimate / tolerance; NaN: a fixed step whose method has no estimate yet */
    int worst;             /* unknown that decided the error or Newton */
    int worst_row;         /* equation with the largest residual */
    double residual;       /* its size */
    double next_step;      /* s, proposal for the next attempt */
    enum step_limit limit; /* of next_step */
    bool noisy; /* accepted although the error exceeds the tolerance, because it is round-off divided by the step */
    int iterations;
    const char *reason; /* of STEP_STOPPED when the method cannot treat this problem, one sentence; else NULL */
    const struct integrator_class *method; /* whose step it is where one chooses among others; NULL: its own */
};

/* "accepted", "error too large", "singular matrix" .. */
const char *step_outcome_word(const struct step_report *report);
/* "error", "breakpoint", .. */
const char *step_limit_word(enum step_limit limit);

struct step_attempt {
    double from, to;       /* s */
    enum step_limit limit; /* what has made it no longer */
    struct step_report report;
};

struct integrator; /* a method's own data begins with it */

/* What part of reltol the local errors of a method may be so that the errors of results come out at about reltol
 * (G. Soederlind, L. Wang, J. Comput. Appl. Math. 185, 2006: calibration and tolerance proportionality).  Errors of
 * steps add up to some power p/(p+1) of the local tolerance: it has to fall by another reltol^(1/p).  Measured by
 * bench/calibration; the table is in docs/methods.md.  Circuits damp what they are off by, differential equations that are written as
 * formulas mostly do not: orbits, waves of excitation, populations.  With the parts of circuits
 * backward differentiation is off there by some twenty times as much as Radau and Rosenbrock methods (bench/calibration --formulas). */
/* Order of methods for study, which are not calibrated: reltol is their local tolerance. */
#define UNCHANGED INFINITY

struct calibration {
    double linear, nonlinear; /* part at a reltol of 1e-3, by the problem */
    double formulas;          /* the same where nothing but formulas makes it nonlinear */
    double order;             /* p */
};

struct integrator_class {
    const char *name;             /* "bdf" */
    const char *title;            /* "backward differentiation formulas, variable order 1-5" */
    const char *good_for, *fails; /* of a method to learn from: what it is good for and where it fails; else NULL */
    struct calibration calibration;
    enum kn_status (*create)(const struct dae *dae, const struct integrator_options *o, struct integrator **out);
    void (*destroy)(struct integrator *m);
    /* Starts (again) at t with consistent x [n]; forgets history. */
    enum kn_status (*restart)(struct integrator *m, double t, const double *x);
    /* Between steps: takes the memory that the next one needs, and gives back what is not needed soon.  NULL: all that it needs is
     * there from the beginning. */
    enum kn_status (*prepare)(struct integrator *m);
    /* Attempts one step from the current point to the given time, which is met exactly.  On acceptance the current
     * point moves. */
    void (*step)(struct integrator *m, double to, struct step_report *report);
    /* x, and when not NULL dx/dt, at time within the last accepted step. */
    void (*interpolate)(struct integrator *m, double time, double *x, double *dxdt);
    /* The charges q and dq/dt [n] as the method interpolates them within the last step; false where it cannot tell;
     * q NULL: only whether it can.  NULL: its interpolant meets the equations by itself. */
    bool (*charges)(struct integrator *m, double time, double *q, double *dqdt);
    /* Adds the method's counters (evaluations .. solves). */
    void (*statistics)(const struct integrator *m, struct integrator_statistics *s);
    /* What the method chose and why, in a few words for the closing line of a run; NULL if it has nothing to choose. */
    void (*describe)(const struct integrator *m, char *text, size_t size);
};

/* First member of every method's data. */
struct integrator {
    struct arena *memory; /* of what the method makes at its creation, itself included */
    const struct integrator_class *class;
    const struct dae *dae;
    double relative;   /* reltol */
    double fixed_step; /* s, of the options; 0: none */
    double resolution; /* s: of shorter steps output shows nothing, see control.h; 0: it shows all */
    double t;          /* end of the last accepted step */
    double previous;   /* its begin */
    const double *x;   /* [n] solution at t */
    int order;         /* of the last accepted step */
    bool keeps_step;   /* at corners: a Rosenbrock method does not see a layer that it steps over */
    bool one_step;     /* between points it knows more than the ends of steps */
    bool hidden;       /* output does not show what happens in that step .. */
    bool blind;        /* .. and of it the method knows its ends only */
    bool halts;        /* the run does not just go on from t: something happens there, or somebody waits for it */
    double unsure;     /* estimated error of the interpolant inside that step, in tolerances, of the unknowns that are
                            watched but those of index 2; INFINITY: not known */
    double unsure_algebraic; /* the same of those without memory alone, but not of index 2 */
    double unsure_slopes
        [2]; /* by how much, in tolerances, unknowns of index 2 that are watched may miss what derivatives of
                                constraints say: at the end and at the begin of that step; INFINITY: not known */
    bool
        far; /* an unknown without memory is far from where the step before has led (tolerance_leaps), or nobody knows */
    struct tolerance *tolerance; /* of its steps; NULL: of a method that no other one continues */
    const bool *watched;         /* [n] between steps somebody looks at these unknowns; NULL: at all */
    struct between *between;     /* of a run; NULL: points between steps are those of the interpolant */
};

/* A method's own data, `size` zeroed bytes that begin with a struct integrator; its memory goes back by arena_free.  NULL
 * without memory. */
void *integrator_new(size_t size, const struct integrator_class *class, const struct dae *dae,
                     const struct integrator_options *o);

/* The solution x [n], and when not NULL dx/dt, at time within the last accepted step: by the interpolant and, where
 * that may be wrong by more than the tolerance, by the equations (between.h).  A status that these have returned, as
 * when the run is interrupted, is handed on; the point is that of the interpolant then. */
enum kn_status integrator_point(struct integrator *m, double time, double *x, double *dxdt);
/* The same by the equations in any case: a tolerance of the volts that a diode blocks is amperes where it conducts.  row: index-2 unknowns
 * are slopes of charges, as in rows; else what holds with all others, so that what a difference of two says of a current is that current. */
enum kn_status integrator_solution(struct integrator *m, double time, bool row, double *x);
/* The same to find out whether a row is wanted there: in a step that output does not resolve (blind) unknowns of index 2 are not
 * asked of derivatives of constraints, and no result.  There, and where they need to be `about` right only, slopes are those of the
 * interpolant, with what they lack on lines between the ends of the step and other points that have been asked for. */
enum kn_status integrator_glance(struct integrator *m, double time, bool about, double *x, double *dxdt);

/* Whether an event has cut the last step to less than any is long: results have the point where it begins and that from which the run goes
 * on, and what derivatives are over 1e-18 s nobody knows (rows of 3e8 V stood in a circuit of 325). */
static inline bool integrator_stood_still(const struct integrator *m)
{
    return m->t - m->previous < time_shortest_step(m->t, 0);
}

/* [n] how far rounding of charges and currents moves points inside the last step, of which one has been asked for; NULL: it is the
 * method's own. */
const double *integrator_rounding(struct integrator *m);
/* *x := the solution at the end of that step: m->x, with the unknowns of index 2 that derivatives of constraints demand
 * (struct run_callbacks); valid until the next step. */
enum kn_status integrator_end(struct integrator *m, const double **x);
/* The same of its begin, for who has not asked while it was the end of the step before; end [n]: m->x at that time. */
enum kn_status integrator_begin(struct integrator *m, const double *end, const double **x);
/* dxdt [n] := dx/dt at the begin or the end of that step, as integrator_point has it; x [n], the
 * solution there, becomes the point that goes with it. */
enum kn_status integrator_slopes(struct integrator *m, double time, double *x, double *dxdt);

/* All methods, NULL-terminated; the first is the default. */
extern const struct integrator_class *const integrator_classes[];
/* Case-insensitive; NULL if unknown. */
const struct integrator_class *integrator_find(const char *name);

/* ---- a run ---- */

struct run_options {
    double start, stop; /* s */
    double max_step;    /* s, INFINITY if free */
    double first_step;  /* s, 0: chosen by the drive */
    double growth_rate; /* 1/s, of a small disturbance that shall grow from the start on; 0: there is none */
    bool placed; /* somebody has said where it starts: what has a memory and is there in the end has not come to rest */
    const bool *watched; /* [n] unknowns that the callbacks look at between steps; NULL: all */
};

struct run_callbacks {
    void *context;
    /* After each accepted step (and once at the start); the method can interpolate in [m->previous, m->t]. */
    enum kn_status (*accepted)(void *context, struct integrator *m, bool first);
    /* After each attempt of a step, accepted or not.  May be NULL. */
    void (*attempted)(void *context, const struct integrator *m, const struct step_attempt *attempt);
    /* Asked before each attempt of a step; true ends the run with KN_INTERRUPTED.  May be NULL. */
    bool (*interrupted)(void *context);
    /* Called before the restart with the point reached, at a breakpoint or (switched) where a switching function has
     * changed sides; may change x to make it consistent on the far side (sources after the jump).  NULL: x stays. */
    enum kn_status (*reinitialize)(void *context, const struct integrator *m, double t, double *x, bool switched);
    /* Behind that, once for an event: switches may have turned others or have turned back, and x is from where the run goes on.  NULL:
     * nobody wants to know. */
    enum kn_status (*settled)(void *context, double t, const double *x);
    /* Asked before each attempt: the first time after t (s) where what the caller gives to the equations jumps or bends;
     * INFINITY: none.  NULL: it never does. */
    double (*breakpoint)(void *context, double t);
    /* Asked before each attempt: how long a step from t may be, in s, at most as long as is planned.  NULL: so long. */
    double (*shorten)(void *context, double t, double step);
    /* Asked at the end m->t of a step that the method accepts, before it counts: true: it is made again, with a first
     * attempt of at most *step (s), which is set to its length and is halved where the answer leaves more than half.
     * NULL: none is refused. */
    bool (*refused)(void *context, const struct integrator *m, double *step);
    /* Gives the unknowns of index 2 in x [n], a point at time t within a step of that size (s) whose other unknowns are
     * right, the values that derivatives of constraints demand, which no step size enters.  A status that ends the run.
     * NULL: they are those of the method.  everywhere: some are of index 3 or more, where interpolants are no guide.
     * known: f at x, and the derivatives there or as near as rounding; NULL: they are to be evaluated. */
    enum kn_status (*complete)(void *context, double t, double step, const struct dae_values *known, double *x);
    bool everywhere;
    /* dxdt [n], slopes that are about right, become those that solve the equations; untouched where these are not known.  NULL: they
     * are those of the interpolant. */
    enum kn_status (*slopes)(void *context, const struct dae_point *at, double *dxdt);
    /* No step leads on from x [n] at t, however short: *leapt: x has been moved to where the solution goes on, behind the same
     * t.  shortest: s, below which times are the same.  A status that ends the run.  NULL: solutions end there. */
    enum kn_status (*leap)(void *context, double t, double shortest, double *x, bool *leapt);
    /* From t on all would rest at x [n] to the end of the run or the next corner, elsewhere than where this was last asked, or where the
     * run began.  *moved: x is beside that point; *rate: 1/s, with which a disturbance grows by which it has been moved; 0: it leads
     * elsewhere.  A status that ends the run.  NULL: what rests may rest. */
    enum kn_status (*rests)(void *context, double t, double *x, bool *moved, double *rate);
};

/* A run that can wait: integrate() is drive_new, drive_to the end, and drive_free. */
struct drive;

/* From (start, x), as integrate(); what is handed over must outlive it.  *out is to be freed in any case. */
enum kn_status drive_new(struct integrator *m, const double *x, const struct run_options *o,
                         const struct run_callbacks *callbacks, struct kn_diagnostics *d,
                         struct integrator_statistics *statistics, struct drive **out);
/* On to a time (s), at which a step ends, exactly, or to the end of the run; and until one step more has been made. */
enum kn_status drive_to(struct drive *s, double time);
enum kn_status drive_step(struct drive *s);
/* What the caller gives to the equations jumps now: the next step begins on the far side. */
void drive_jump(struct drive *s);
/* Statistics are complete from here. */
void drive_free(struct drive *s);

/* Integrates from (start, x) to stop.  x [n] must be consistent.  Diagnostics get the table of the last attempts when
 * the step size collapses. */
enum kn_status integrate(struct integrator *m, const double *x, const struct run_options *o,
                         const struct run_callbacks *callbacks, struct kn_diagnostics *d,
                         struct integrator_statistics *statistics);

/* tolerances [n] := those of values, by their sizes, where rectifiers are among the switches; false: there are none, or nobody has sizes. */
bool integrator_tolerances(const struct integrator *m, double *tolerances);

/* The part of reltol for the local errors of a method on a problem. */
double integrator_part(const struct integrator_class *class, const struct dae *dae, double relative);

#endif
