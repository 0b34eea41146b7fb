/* events_parts.h - what events.c and rest.c share: functions looked at between steps, on which side they are, what jumps. */
#ifndef INTEGRATORS_EVENTS_PARTS_H
#define INTEGRATORS_EVENTS_PARTS_H

#include "integrators/drive/events.h"

int events_sign(double g);
/* Within this of zero function i is zero but for rounding. */
double events_doubt(const struct events *e, int i);
/* Whether function i in g [switch_count] is zero but for rounding: the values that it compares are equal. */
bool events_are_equal(const struct events *e, int i, const double *g);
/* The same, or but for reltol^2, to which points between steps are solved. */
bool events_are_near(const struct events *e, int i, const double *g);
/* Finds the size of what those functions compare that are about zero in g [switch_count] at (t, x), but where that is known. */
void events_measure(struct events *e, double t, const double *x, const double *g);
/* Whether nobody holds switch i, and what it compares is equal in e->g but for rounding, which decides on which side it is. */
bool events_is_undecided(const struct events *e, int i);
/* What rounding leaves of unknowns, of the size of the largest. */
double events_rounding_at(const struct events *e, const double *x);
/* What switch i does where it comes to zero and rests there, if its side is a state. */
enum dae_rest events_at_zero(const struct events *e, int i);
/* Stands at zero from now on, whatever rounding makes of it. */
void events_stand(struct events *e, int i, double t);
/* Whether switch i has come to rest at zero and is held there, whatever rounding makes of it. */
bool events_rests(const struct events *e, int i);
/* Holds switch i on a side (1 or -1) or leaves it free (0), without a past. */
void events_hold(struct events *e, int i, int side);
/* g [switch_count] at a time of the last step of m, the solution there in e->x where that is before its end. */
void events_evaluate(struct events *e, struct integrator *m, double t, double *g);
/* A switch whose side is no state, and that changes nothing but equations, is left free where these are continuous. */
bool events_may_be_left(const struct events *e, int i);
/* Whether equation k has another value in e->f_across than in e->f. */
bool events_differ(const struct events *e, int k);
/* What tolerances of the unknowns make of the functions at (t, x), into e->tolerated of those that have crossed and may rest. */
void events_tolerate(struct events *e, double t, const double *x);
/* The same of function i. */
void events_tolerate_one(struct events *e, int i, double t, const double *x);
/* Whether an equation jumps when the crossed switches go to their other sides. */
enum kn_status events_find_jump(struct events *e, double t, const double *x, bool *jumps);

/* The first point before `right` in the last step of m where functions come to rest at zero, or leave it, and equations jump as
 * they do: true with its time in *t and the solution there in x [n].  The functions are in e->g at right, and in g_middle
 * [switch_count] in the middle of the step. */
bool events_find_rest(struct events *e, struct integrator *m, double right, double *t, double *x);
/* Those that come to rest at the point found, or leave zero, do so. */
void events_take_rest(struct events *e, double t);

#endif
