/* tolerance.h - how errors are weighed, and the largest of them by class of unknown.
 *
 * Weights are 1 / (part (relative * scale_i + absolute_i)).  The scale is the size of unknown i, but where somebody looks at it no more
 * than ten times its range since the start: at a reltol of 1e-3 a ripple of 50 mV on 10 V is to be right to a hundredth of itself, while
 * its size alone would let it be off by a fifth.  With that a tolerance is no less than 3e-5 of the size, a hundredth of a range of 0.003:
 * what rounding makes of currents behind a large gain is not asked for, and a reltol of 3e-5 or less refers to sizes alone.
 *
 * The size is the larger one of two: the largest |x_i| of some last points, so that zero crossings do not ask for absolute accuracy, and
 * the mean of |x_i| since the start, so that a gate's output that rests at 0 V does not either.  The mean, and not the largest (Spectre's
 * relref=alllocal): a coil's spike of 55 kV would let what follows be off by 55 V.  What was at t1 counts (t1 / t)^3 of that: start-up is
 * soon forgotten, and a signal that decays over decades of time is followed all the way down.  Logic takes half to nine tenths of the
 * steps that it takes without it (bench/README.md).
 *
 * Where lines are, the largest of (t1 / t)^3 |x(t1)| takes the place of the mean: waves go to and fro, errors with them, and neither fades
 * faster than the other.  A mean falls below what is left of them, and then steps resolve that: picoseconds of ringing between open
 * ends took thirty times the steps, for the same errors (bench/README.md).  And of a line both the voltage and the current at an end are known
 * to the tolerance of its waves: currents into open ends took steps to resolve what microvolts send through the impedance.
 *
 * Where formulas or switches are (the dae is not bounded), ranges do not count, and of sizes only the last points: solutions may end
 * there, and laws turn over within microvolts.
 *
 * Of an unknown that grows by its own law (struct dae, grows), last points count for less still: a population that has fallen to 1e-4 of
 * what it was grows from there with all its errors, and known to a thousandth of what it was it came back two seconds early and 7 % too
 * small (tests/decks/hard/predator-and-prey.cir).
 *
 * The maximum norm is used, not the Euclidean mean: each signal is to be within its tolerance, however many quiet ones are around it.
 *
 * What a step may use up is no less than a few times what rounding makes of the unknown, as long as that is within the
 * tolerance as a whole: below, errors are not known, and steps that are chosen by them are chosen by chance.
 */
#ifndef INTEGRATORS_TOLERANCE_H
#define INTEGRATORS_TOLERANCE_H

#include "base/rounding.h"
#include "integrators/dae.h"

struct tolerance {
    int n;
    double relative;
    double elapsed;         /* s, since the start */
    double left;            /* of recent sizes, after a point */
    bool short_sighted;     /* only these count */
    bool by_range;          /* scales may be less than sizes, down to .. */
    double least_scale;     /* .. this part of them */
    double part;            /* of the tolerance that one step may use up; 1 unless set before tolerance_reset */
    const double *absolute; /* [n] */
    const struct dae_reading *readings; /* [reading_count] of the dae */
    size_t reading_count;
    const struct dae_inner *inner; /* [inner_count] likewise */
    size_t inner_count;
    const struct dae_wave *waves; /* [wave_count] likewise */
    size_t wave_count;
    bool lines;          /* the largest values fade instead of the mean */
    const bool *watched; /* [n] readings of others are nobody's; NULL: none are */
    const bool *grows;   /* [n] of the dae */
    double *largest;     /* [n] sizes: the larger ones of .. */
    double *recent;      /* [n] .. those of some last points .. */
    double *mean;        /* [n] .. and means of |x_i| since the start, or with lines the largest */
    double *low, *high;  /* [n] least and largest x_i since the start */
    double *scale;       /* [n] what reltol refers to */
    double *seen;        /* [n] recent ones where output has last shown them; INFINITY: nowhere yet */
    double *weights;     /* [n] */
    bool weighed;        /* some are of values above the largest */
    double *rounding;    /* [n] what it makes of the unknowns, at most; 0 unless it has been told */
};

enum kn_status tolerance_init(struct tolerance *s, const struct dae *dae, double relative);
void tolerance_free(struct tolerance *s);
/* At the start of a run, and where relative or absolute tolerances have changed (x: NULL, largest values stay). */
void tolerance_reset(struct tolerance *s, const double *x);
/* At x [n], so many seconds after the last update. */
void tolerance_update(struct tolerance *s, const double *x, double after);
/* The same after a step of which output shows no more than this share.  Where an unknown with a memory is far above all that output has
 * shown, it is at a spike, which sets the tolerance of what follows by that share only: a junction that is off by a part of it has
 * a charge that came from nowhere. */
void tolerance_update_hidden(struct tolerance *s, const double *x, double after, double share,
                             const enum dae_class *classes);
/* The same where values of unknowns without a memory may be a spike, which must not set the tolerance of what follows (of
 * index 2 they are impulses, which may); classes [n] NULL: all have a memory. */
void tolerance_update_unseen(struct tolerance *s, const double *x, const enum dae_class *classes);
/* Takes over the sizes of another method that has made the last steps of the same run. */
void tolerance_inherit(struct tolerance *s, const struct tolerance *from);
/* Takes over the effect of rounding on the unknowns; the largest, in what a step may use up of the tolerance. */
double tolerance_see_rounding(struct tolerance *s, const double *rounding, const enum dae_class *classes);
/* The next norms weigh relative to x, too, where it is larger: the end of the step that is judged. */
void tolerance_weigh(struct tolerance *s, const double *x);

/* Of recent sizes, after a step of a multistep method. */
#define TOLERANCE_LEFT 0.97
/* The same after a step of a method whose steps are long, or of a length or an error that is remembered from such a step. */
#define TOLERANCE_LEFT_BY_LONG 0.9
/* The same of unknowns that grow by their own law, times that, after each point.  What stays the same in
 * tests/decks/hard/predator-and-prey.cir is off by 0.025, 0.008 and 0.004 with `bdf`, `rodasp` and `radau` at 1, by 0.0009, 0.0013 and
 * 0.0013 at 0.9, and from 0.7 down by 0.0009, 0.0003 and 0.0006. */
#define TOLERANCE_LEFT_OF_GROWING 0.5
/* Times what an unknown with a memory has been, by what is read of it: more is a spike or no solution.  With 10 and 30 the converters of
 * tests/decks/hard are right, with 100 boost-converter has rows 90 V off. */
#define TOLERANCE_FAR_ABOVE 10
/* Times the largest value there is, or was and is given by sources: no solution.  What a converter makes of its supply is a hundred times
 * that, currents of coupled coils that begin at zero come to 5e2; rounding at the wrong points of tests/decks/hard/forward-converter.cir is
 * 1e8 to 1e11. */
#define TOLERANCE_NOTHING_LIKE 1e4

/* Classes of unknowns as a set. */
#define CLASS_BIT(class) (1u << (class))
enum {
    CLASSES_DRIVING = CLASS_BIT(DAE_DIFFERENTIAL) | CLASS_BIT(DAE_INDEX1), /* others are read off these */
    CLASSES_BELOW_INDEX2 = CLASSES_DRIVING | CLASS_BIT(DAE_FOLLOWS),
    CLASSES_ALL = CLASSES_BELOW_INDEX2 | CLASS_BIT(DAE_INDEX2),
    CLASSES_MEMORYLESS = CLASSES_ALL & ~CLASS_BIT(DAE_DIFFERENTIAL)
};

/* Whether a set of unknowns [n], NULL: all, has some of these classes. */
bool tolerance_has_class(const struct dae *dae, const bool *set, unsigned which);

/* max_i |e_i| weights_i over a set of classes and over the others; NaN counts as INFINITY.  Readings are of the class DAE_FOLLOWS. */
struct norm {
    double inside, outside;
    int worst; /* of those inside; -1: all are 0 */
};
/* watched [n]: only these unknowns; NULL: all. */
struct norm tolerance_norms(const struct tolerance *s, const enum dae_class *classes, unsigned set, const bool *watched,
                            const double *e);
/* reltol times the scale and the absolute tolerance of unknown i together, whatever part of it one step may use up. */
double tolerance_of_reltol(const struct tolerance *s, int i);
/* The same with its size instead of the scale. */
double tolerance_of_size(const struct tolerance *s, int i);
/* What of e [n] is more than rounding [n], into beyond [n], which may be e.  Where rounding of an unknown with memory is thousands of
 * times what the unknown has been, the point is far from a solution, on an exponential with a slope of 1e21 S for instance, and what
 * rounding makes of it there excuses nothing.  (Voltages of coils without capacitance have no digits in very short steps.) */
void tolerance_beyond_rounding(const struct tolerance *s, const enum dae_class *classes, const double *rounding,
                               const double *e, double *beyond);
/* The largest |e[i]| of each class in such tolerances: of all unknowns, and of those that are watched (NULL: all are). */
struct class_sizes {
    double all[DAE_CLASS_COUNT], watched[DAE_CLASS_COUNT];
};
struct class_sizes tolerance_class_sizes(const struct tolerance *s, const enum dae_class *classes, const bool *watched,
                                         const double *e);
/* That inside alone; *worst gets the place, unless NULL or all are 0. */
double tolerance_norm(const struct tolerance *s, const enum dae_class *classes, unsigned set, const double *e,
                      int *worst);

/* Whether one of differences e [n], of unknowns without memory, is so large a part of the size of its unknown that no solution goes so
 * far where output shows nothing of it, or that two solutions are two: a tenth. */
bool tolerance_leaps(const struct tolerance *s, const enum dae_class *classes, const double *e);
/* The same of an error in what one step may use up of the tolerance. */
bool tolerance_is_leap(const struct tolerance *s, double error);

#endif
