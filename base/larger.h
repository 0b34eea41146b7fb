/* larger.h - the larger and the smaller of two numbers where every step asks for them.  fmax and fmin are functions, for what they
 * do with numbers that are none: here the second is the answer where the first is none. */
#ifndef BASE_LARGER_H
#define BASE_LARGER_H

static inline double larger_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller_of(double a, double b)
{
    return a < b ? a : b;
}

#endif
