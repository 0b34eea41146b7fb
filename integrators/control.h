/* control.h - the one step controller: from the errors of a step to whether it stands, to the size of the next one and
 * to the reason for both.  Method files have the formula, its estimates and its interpolation.
 *
 * Errors are weighed by class of unknown (tolerance.h).  Those of the end of a step count for the unknowns that drive
 * the equations and reject it from one tolerance on; those of unknowns that only follow, and those between points, are
 * handed on to no later step: they shorten steps, and reject them only from CONTROL_SOFT_EXCESS tolerances on.  Below
 * some length of step output shows nothing of what happens inside: there is one such resolution for each of the two
 * (struct control).  Where steps become so short and errors do not fall with them, something jumps, and a step of
 * implicit Euler is taken across; where what is left is rounding divided by the step, shorter ones would only make it worse, and the step
 * stands (Arnold 1996, Table 2.1).
 *
 * An error of order p - 1 behaves as step^p: the next step is (aim / error)^(1/p) times as long.  One-step methods also
 * look at the error before: proportional-integral control with the exponents 0.7/p and 0.4/p where Jacobians are new in
 * each step (Hairer and Wanner, Solving ODEs II, 1996, IV.2), Gustafsson's prediction where a change of the step costs
 * new factors (ibid., 8.25; Soederlind, ACM TOMS 29, 2003, compares them).
 *
 * A step may be fixed instead, to watch a method at work.  Then errors are still estimated and told, and decide nothing:
 * every step stands (control_stands) and is followed by one of the same size.  The drive divides what is left to the next
 * breakpoint into equal steps that are at most as long, so that the grid stays even and breakpoints are met.  Methods of
 * several orders keep one: maxord, or the one that they name.
 */
#ifndef INTEGRATORS_CONTROL_H
#define INTEGRATORS_CONTROL_H

#include "integrators/integrator.h"
#include "integrators/tolerance.h"
#include "sparse/sparse.h"

/* How a family of methods changes its steps. */
struct control_rule {
    double aim;                /* part of the tolerance that the error of the next step shall be */
    double growth, shrink;     /* largest and smallest ratio of the next step to this one */
    double kept_from, kept_to; /* ratios between these do not pay for new factors: the step stays */
    enum {
        CONTROL_ELEMENTARY,
        CONTROL_PI,
        CONTROL_PREDICTIVE
    } memory;             /* whether the error of the step before is looked at, too: */
    double present, past; /* shares of the two in proportional-integral control */
    double least_error; /* in tolerances: a smaller one before is taken for it, lest it forbid the next step to grow */
};

/* BDF and the trapezoidal rules: estimates of several orders are compared that each may be off by some factor; 1/4 lies
 * between DASSL's 1/2 and CVODE's 1/6.  At twice the step the formulas of order 5 are at the end of their stability on
 * variable grids (Hairer, Norsett and Wanner, Solving ODEs I, 1993, III.5: 1.5 to 2.4 for orders 2 to 4). */
extern const struct control_rule control_multistep;
/* RODAS and others of its kind; its code has 0.9 on the step (0.9^4 = 0.65 of the error of order 3), 1/5 and 6 (Hairer and Wanner 1996). */
extern const struct control_rule control_linear_implicit;
/* Radau IIA: 0.9, 1/5 and 8 (ibid., RADAU5). */
extern const struct control_rule control_implicit;

/* Parts of the time between two rows of the output.  In steps shorter than a tenth of it nobody sees errors of unknowns
 * that no equation needs (DAE_FOLLOWS), nor errors between the points; in steps shorter than a thousandth nobody sees
 * those of algebraic unknowns, which may jump.  A line reads the past of waveforms between the points of steps: with one, errors there and
 * those of algebraic unknowns count in steps longer than a thousandth of the shortest delay. */
#define CONTROL_OUTPUT_RESOLUTION    0.1
#define CONTROL_ALGEBRAIC_RESOLUTION 1e-3

/* Part of the present time: shorter steps cannot be cut often enough to tell a jump, or for another method to get on. */
#define CONTROL_SHORTEST 1e-12
/* By no less than a step cut to this part an error tells whether it falls: that of a jump does not, and a smooth one falls at least as
 * the square of the step. */
#define CONTROL_CUT 0.5
/* How much further another order or another method must get to be chosen, per step or per work. */
#define CONTROL_CLEARLY_BETTER 1.1
/* Tolerances that soft errors (struct step_error) may have before a step is rejected for them. */
#define CONTROL_SOFT_EXCESS 4
/* The part of an error of which it is said to be made: it is noise where without rounding at most this part is left. */
#define CONTROL_MOSTLY 0.5

struct control {
    const struct dae *dae;
    const struct control_rule *rule;
    struct tolerance tolerance;
    /* s: shorter steps are not made for errors of algebraic unknowns; nor, the second one, for errors between points and of
     * unknowns that no equation needs.  0 and INFINITY where output has no step. */
    double algebraic_resolution, output_resolution;
    double inside_resolution;         /* s: the same for errors between points, which lines read, too */
    double fixed;                     /* s: size of all steps; 0: they follow their errors */
    double floor;                     /* s: steps are no shorter for their error, see integrator_options */
    double instant;                   /* s: the same of the whole run, which times cannot tell from none */
    double most;                      /* largest ratio of steps at present: the rule's, unless the method allows less */
    double step, from;                /* s, being judged, and where it begins */
    double error_before, step_before; /* of the last accepted step, for the prediction; error 0: not known */
    bool first, repeated;             /* no step since the restart; the attempt before was rejected */
    struct {
        double time, step, error;
        bool in_vain; /* steps have been cut to a small part of it, and it has not helped */
    } rejected;       /* the first step below algebraic_resolution that has been rejected near here */
};

enum kn_status control_init(struct control *c, const struct dae *dae, const struct integrator_options *o,
                            const struct control_rule *rule);
void control_free(struct control *c);
/* At the start of a run (begin), or behind a corner: there unknowns without charge may stand at the top of a spike that is
 * over at once, and reltol times their value would be no tolerance for what follows, so it is not taken. */
void control_restart(struct control *c, const double *x, bool begin);

/* ---- errors ---- */

/* Errors asked for from now on are those of a step between these times (s). */
void control_begin(struct control *c, double from, double to);
/* Whether the step is as short as steps may be (struct control, floor): a larger error is no reason for a shorter one. */
bool control_is_shortest(const struct control *c);
/* Whether the next step after an accepted one is longer than a method may make it: it is the shortest that damps what is
 * not to be followed. */
bool control_leaps(const struct control *c, const struct step_report *report);
/* Whether the step is so short that nobody sees what algebraic unknowns do in it (algebraic_resolution). */
bool control_is_fine(const struct control *c);
/* Whether it is so short that rows show nothing of what happens between its ends (output_resolution). */
bool control_is_hidden(const struct control *c);
/* Whether it is so short that neither do lines, which read that a delay later (inside_resolution). */
bool control_is_unread(const struct control *c);
/* Whether its end is a row nevertheless, for which it may be shorter: there is one at each corner of the circuit. */
bool control_shows_end(const struct control *c);

struct step_error {
    double end;  /* in tolerances, of unknowns that other equations need */
    double soft; /* of those that no equation needs, and of algebraic ones in a step too short to show them */
    int worst;   /* unknown with the largest error of the first kind; unchanged where that is 0 */
};
struct step_error control_error(const struct control *c, const double *e, int worst);
/* `end` of that, in units of reltol: of errors that steps do not hand on. */
double control_error_in_reltol(const struct control *c, const struct class_sizes *sizes, const double *e);

/* Of errors e [n] of unknowns that others are read off, differences of index-2 unknowns that are of index 1 among them, however short the
 * step. */
struct norm control_driving(const struct control *c, const double *e);

/* The error of algebraic unknowns in tolerances, where the step is so short that it does not count any more; 0 in longer ones. */
double control_unresolved(const struct control *c, const double *e);

/* Whether a step is accepted with an error of so many tolerances where at most so many are allowed; of a fixed
 * size it always is. */
bool control_stands(const struct control *c, double error, double most);
/* Whether an error beyond the tolerance is accepted because most of it is rounding; certain: what is not. */
bool control_is_noise(double error, double certain);
/* A jump has been stepped over: earlier rejected steps say nothing of the next one. */
void control_forget_jump(struct control *c);

/* The matrix G + alpha C at the end of a step, alpha about 1/step. */
struct control_end {
    struct sparse_lu *lu; /* its factors */
    const double *C;      /* [entries] */
    double alpha;         /* 1/s */
};
/* Whether a step from `time`, about to be rejected for its error, may cross a jump: steps so short that output shows nothing of them,
 * whose error does not fall although they are cut.  A diffusion charge has run out and nothing else holds the voltage, or an
 * equation without charge has gone over to its other solution. */
bool control_sees_jump(struct control *c, double time, double error);
/* Whether an Euler step instead of it does: of the error e [n] of its end later steps inherit no more than TOLERANCE_NEGLIGIBLE of a
 * tolerance, or steps have been cut again and again in vain.  *left: what they inherit, in such parts, one at most.  Uses up e and
 * work [n]. */
bool control_crosses_jump(const struct control *c, const struct control_end *end, double *e, double *work,
                          double *left);

/* The error of interpolation within a step is taken for this part of the error of extrapolation to its end.  Smooth
 * waveforms have less; at a corner it may be half of it, which then is a few tolerances at most. */
#define CONTROL_INTERPOLATED 0.125

/* How unsure an interpolant is, see struct integrator, where extrapolation to the end of the step has missed it by so much:
 * CONTROL_INTERPOLATED of it for unknowns without memory, the part `smooth` for the others. */
double control_unsure(const struct class_sizes *missed, double smooth);
/* The same of unknowns without memory but those of index 2. */
double control_unsure_algebraic(const struct class_sizes *missed);

/* Whether in an accepted step as unsure as that only its ends are known: it is too short for output to show what is inside, and
 * nothing has kept that within CONTROL_SOFT_EXCESS. */
bool control_leaves_unknown(const struct control *c, double unsure);

/* ---- steps ---- */

/* Growth of a step, and what limits it. */
struct step_growth {
    double factor;
    enum step_limit limit;
};
/* The one that allows less. */
struct step_growth control_least(struct step_growth a, struct step_growth b);
/* What an error at the end of the step allows, if it behaves as step^exponent. */
struct step_growth control_growth(const struct control *c, double error, double exponent);
/* The same from this error alone, by whatever rule: the error of the step before was of another kind. */
struct step_growth control_growth_alone(const struct control *c, double error, double exponent);
/* What a soft error allows, but no step shorter than output can show (output_resolution). */
struct step_growth control_visible(const struct control *c, struct step_growth soft);
/* Both together: what a soft error that behaves as step^exponent allows. */
struct step_growth control_soft_growth(const struct control *c, double error, double exponent, enum step_limit limit);

/* The step is accepted: writes the size of the next one into the report. `same`: factors are kept if it is as long as this. */
void control_accept(const struct control *c, struct step_growth g, bool same, struct step_report *report);
/* It is rejected for its error. */
void control_reject(struct control *c, struct step_growth g, struct step_report *report);
/* Newton's method has failed; shrink: factor on the step. */
void control_fail(struct control *c, double shrink, struct step_report *report);
/* Behind an accepted step: remembers its error for the next one (0: none), and takes x into the largest values by which
 * tolerances are made, so many seconds after the last point that was. */
void control_advance(struct control *c, const double *x, double after, double error);
/* The second of these for a point within the step.  In steps too short to be seen little is added: 1e7 V for 1e-17 s, where the
 * charge of a diode runs out that ends a coil, would let junctions be off by thousands of volts for as long as that is remembered. */
void control_see(struct control *c, const double *x, double after);

#endif
