/* control.h - the one step controller: from the errors of a step to whether it stands, to the size of the next one and
 * to the reason for both.  Method files have the formula, its estimates and its interpolation.
 *
 * Errors are weighed by class of unknown (tolerance.h).  Those of the end of a step count for the unknowns that drive
 * the equations and reject it from one tolerance on; those of unknowns that only follow, and those between points, are
 * handed on to no later step: they shorten steps, and reject them only from CONTROL_SOFT_EXCESS tolerances on.  Below
 * some length of step output shows nothing of what happens inside: there is one such resolution for each of the two
 * (struct control).  Where steps become so short and errors do not fall with them, something jumps, and the step is
 * taken across; where what is left is rounding divided by the step, shorter ones would only make it worse, and the step
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

/* How a family of methods changes its steps. */
struct control_rule {
    double aim;                /* of the tolerance, to be used up by the next step */
    double growth, shrink;     /* of a step by its error, at most and at least */
    double kept_from, kept_to; /* growth within these does not pay for new factors: the step stays */
    enum { CONTROL_ELEMENTARY, CONTROL_PI, CONTROL_PREDICTIVE } memory; /* what the error before is good for */
};

/* BDF and the trapezoidal rules: estimates of several orders are compared that each may be off by some factor; 1/4 lies
 * between DASSL's 1/2 and CVODE's 1/6.  At twice the step the formulas of order 5 are at the end of their stability on
 * variable grids (Hairer, Norsett and Wanner, Solving ODEs I, 1993, III.5: 1.5 to 2.4 for orders 2 to 4). */
extern const struct control_rule control_multistep;
/* RODAS and others of its kind; its code has 0.9 on the step (0.9^4 = 0.65 of the error of order 3), 1/5 and 6 (Hairer and Wanner 1996). */
extern const struct control_rule control_linear_implicit;
/* Radau IIA: 0.9, 1/5 and 8 (ibid., RADAU5). */
extern const struct control_rule control_implicit;

/* After Newton's method has failed and does not know better (CVODE's ETACF). */
#define CONTROL_NEWTON_SHRINK 0.25
#define CONTROL_SOFT_EXCESS   4
/* What is left of an error that is called noise, at most. */
#define CONTROL_MOSTLY_NOISE 0.5

struct control {
    const struct dae *dae;
    const struct control_rule *rule;
    struct tolerance tolerance;
    /* s: steps are not shortened further for errors of algebraic unknowns, resp. of those that only follow and between
     * points; 0, resp. INFINITY where output has no step. */
    double algebraic_resolution, output_resolution;
    double fixed;                     /* s: size of all steps; 0: they follow their errors */
    double floor;                     /* s: steps are no shorter for their error, see integrator_options */
    double most;                      /* growth at present, the rule's unless the method knows better */
    double step;                      /* s, being judged */
    double error_before, step_before; /* of the last accepted step, for the prediction; error 0: not known */
    bool first, repeated;             /* no step since the restart; the attempt before was rejected */
    struct {
        double time, step, error;
    } rejected; /* the first step below algebraic_resolution that has been rejected near here */
};

enum kn_status control_init(struct control *c, const struct dae *dae, const struct integrator_options *o,
                            const struct control_rule *rule);
void control_free(struct control *c);
/* At t = start of a run (begin) or behind a corner, where unknowns without a memory may stand at a spike that lasts no
 * longer than output can show: their values set no tolerance yet. */
void control_restart(struct control *c, const double *x, bool begin);

/* ---- errors ---- */

/* The next errors are those of a step of that size (s). */
void control_begin(struct control *c, double step);
/* It is no longer than where a mode is damped that is not to be followed (integrator_options): no shorter one is tried for its
 * error. */
bool control_is_shortest(const struct control *c);
/* Output shows nothing of what algebraic unknowns do within this step. */
bool control_is_fine(const struct control *c);
/* Nothing of what is between its points. */
bool control_is_hidden(const struct control *c);

struct step_error {
    double end;  /* of unknowns that drive the equations, in tolerances */
    double soft; /* of the others, the algebraic ones in so short a step among them */
    int worst;   /* of the former; as it was where it is 0 */
};
struct step_error control_error(const struct control *c, const double *e, int worst);

/* What algebraic unknowns are off by in tolerances, as in longer steps, where the step is too short for that to reject it. */
double control_unresolved(const struct control *c, const double *e);

/* Whether a step with an error of so many tolerances stands where at most so many are allowed. */
bool control_stands(const struct control *c, double error, double most);
/* Whether an error beyond the tolerance stands: what is `certain` of it is, the rest being rounding. */
bool control_is_noise(double error, double certain);
/* Whether a step from `time`, about to be rejected for its error, crosses a jump: steps so short that output shows
 * nothing of them, whose error does not fall although they are cut and cut again.  A diffusion charge has run out and
 * nothing else holds the voltage, or an equation without charge has gone over to its other solution. */
bool control_sees_jump(struct control *c, double time, double error);
/* What has been rejected so far no longer counts: a jump has been stepped over. */
void control_forget_jump(struct control *c);

/* Of what extrapolation to the end of a step misses, interpolation in it misses no more than this part: less where
 * waveforms are smooth, and at a corner, where it may be half of it, no more than a few tolerances if that is trusted.
 */
#define CONTROL_INTERPOLATED 0.125

/* How unsure the interpolant of m is, see struct integrator, where extrapolation to the end of the step has missed it
 * by so much [n]: CONTROL_INTERPOLATED of it for unknowns without memory, the part `smooth` for the others. */
double control_unsure(const struct tolerance *s, const struct integrator *m, const double *missed, double smooth);

/* ---- steps ---- */

/* Growth of a step, and what limits it. */
struct step_growth {
    double factor;
    enum step_limit limit;
};
/* The smaller of two. */
struct step_growth control_least(struct step_growth a, struct step_growth b);
/* By an error at the end that behaves as step^exponent. */
struct step_growth control_growth(const struct control *c, double error, double exponent);
/* The same without memory: of an error that is not the one whose last value the memory holds. */
struct step_growth control_growth_alone(const struct control *c, double error, double exponent);
/* What a soft error asks for leaves steps no shorter than output shows. */
struct step_growth control_visible(const struct control *c, struct step_growth soft);
/* By a soft error, as far as it is visible. */
struct step_growth control_soft_growth(const struct control *c, double error, double exponent, enum step_limit limit);

/* The step is accepted: its successor, into the report. `same`: factors at hand serve a step of the same size. */
void control_accept(const struct control *c, struct step_growth g, bool same, struct step_report *report);
/* It is rejected for its error. */
void control_reject(struct control *c, struct step_growth g, struct step_report *report);
/* Newton's method has failed; shrink: factor on the step. */
void control_fail(struct control *c, double shrink, struct step_report *report);
/* What an accepted step leaves: the largest values, of which `remembered` is left over a usual step, and what the
 * prediction asks for (error 0: nothing). */
void control_advance(struct control *c, const double *x, double remembered, double error);
/* A point of an accepted step for the tolerances; of the largest values `remembered` is left after usual steps.  Within a
 * time that nobody looks at little fades. */
void control_see(struct control *c, const double *x, double remembered);

#endif
