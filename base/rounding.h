/* rounding.h - what rounding leaves where exact numbers would leave nothing: the thresholds of all decisions about
 * zeros and ranks; and what part of a tolerance is none.  DBL_EPSILON is two units of round-off, 2 u (Higham, Accuracy and Stability of Numerical Algorithms,
 * 2002).
 */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <float.h>

/* Of the sum of the sizes of its terms: a sum of numbers as they were given.  Errors of random sign grow with the root
 * of their number (section 2.8 there): 32 u for a thousand terms. */
static const double ROUNDING_SUM = 16 * DBL_EPSILON;

/* The same in the worst case, n u (section 4.2), for the balance of a node with 512 elements. */
static const double ROUNDING_BALANCE = 256 * DBL_EPSILON;

/* Of their size, or of the terms they are made of: numbers that went through linear equations, whose condition is some
 * 1e4 after scaling (equilibrate.h). */
static const double ROUNDING_SOLVED = 1e-12;

/* Of the largest: singular values of a matrix of such numbers, whose errors of ROUNDING_SOLVED add up like the root of
 * its size (Weyl), for a size of 100. */
static const double ROUNDING_RANK = 1e-11;

/* Condition (scaled, 1-norm) from which on a matrix is singular: an equation that is round-off of a sum gives
 * 1 / ROUNDING_SUM at least, up to the factor of 3 by which estimates are too low (section 15.3). */
static const double ROUNDING_SINGULAR = 1e14;

/* One quantity computed in two ways is the same up to this part: the square root of what rounding leaves (1e-16) times
 * what nobody calls a difference any more (1e-2 of the least reltol, 1e-8, makes 1e-10 but one digit). */
static const double ROUNDING_SAME = 1e-9;

/* Part of a tolerance that is none, of what adds up no more than a hundred times: in each of so many periods of a run there may be a
 * jump, and errors of jumps, the current behind it times what is left of the step, all have the same sign. */
#define TOLERANCE_NEGLIGIBLE 0.01
/* Part of a tolerance that is none, once: what is solved, found or left that well is as good as exact. */
#define TOLERANCE_INVISIBLE 0.1

#endif
