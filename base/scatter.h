/* scatter.h - numbers that look random and are the same in every run: signs of rounding errors, directions that are not
 * special.
 */
#ifndef BASE_SCATTER_H
#define BASE_SCATTER_H

/* Between -1 and 1 for each place and pattern, never 0. */
static inline double scatter(int place, int pattern)
{
    unsigned h = (unsigned)place * 2654435761u + (unsigned)pattern * 2246822519u + 1;
    h = (h ^ h >> 15) * 3266489917u;
    return (double)(int)((h ^ h >> 16) | 1u) / 2147483648.0;
}

#endif
