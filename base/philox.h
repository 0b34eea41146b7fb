/* philox.h - random numbers that are a function of what they are for, not of how many came before them. */
#ifndef BASE_PHILOX_H
#define BASE_PHILOX_H

#include <stdint.h>

/* Philox4x32-10: 128 random bits for a key and a counter.  J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw,
 * Parallel random numbers: as easy as 1, 2, 3, 2011, section 4.3. */
void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t bits[4]);

/* Two of the four words as a number of the open interval from 0 to 1: (k + 1/2) / 2^52. */
double philox_uniform(const uint32_t bits[2]);

/* The x below which a normally distributed number of mean 0 and deviation 1 is with probability p.  M. J. Wichura,
 * Algorithm AS 241: the percentage points of the normal distribution, 1988, PPND16: a part of 1e-16. */
double normal_quantile(double p);

#endif
