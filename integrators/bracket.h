/* bracket.h - the Illinois variant of false position (M. Dowell, P. Jarratt, BIT 11, 1971): the root of a function of
 * time between two times, which stays bracketed and so may have corners.
 *
 *     struct bracket b = {left, right, g_left, g_right};
 *     for (double t; bracket_next(&b, &t);)
 *         bracket_narrow(&b, t, g(t), is_beyond(t));
 *
 * Then b.right lies beyond the root by no more than round-off.
 */
#ifndef INTEGRATORS_BRACKET_H
#define INTEGRATORS_BRACKET_H

#include <float.h>
#include <stdbool.h>

/* Brackets are narrowed to this part of the time. */
#define BRACKET_WIDTH (2 * DBL_EPSILON)
/* At most: twice the 52 halvings from the whole time down to that, since ends take turns. */
enum { BRACKET_ROUNDS = 2 * (DBL_MANT_DIG - 1) };

/* Where to look instead of a guess that is at an end or outside, or no number: so near to that end as is worth while (a
 * root that the guess has already met lies between), else in the middle. */
double bracket_inside(double guess, double left, double right);

struct bracket {
    double left, right; /* s */
    double g_left, g_right;
    int kept;   /* which end moved last: 1 right, -1 left */
    int rounds; /* so far */
};

/* Where to look next; false when the root is known. */
bool bracket_next(struct bracket *b, double *t);
/* The function is g at t, which lies beyond the root or not; NaN leaves the size at that end as it was. */
void bracket_narrow(struct bracket *b, double t, double g, bool beyond);

#endif
