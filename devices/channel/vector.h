/* vector.h - several numbers worked at with one instruction, for laws of many like devices.
 *
 * The only place that knows of the vectors of gcc and clang.  Operations are those of single numbers, so that results are
 * the same, bit by bit, however many fit into a register and whether there are such registers at all.
 */
#ifndef DEVICES_CHANNEL_VECTOR_H
#define DEVICES_CHANNEL_VECTOR_H

#include "base/twice.h"

#include <math.h>
#include <stdbool.h>

enum { VECTOR_LANES = 4 };

typedef double vector __attribute__((vector_size(VECTOR_LANES * sizeof(double))));
/* All bits of a lane, or none, as comparisons of vectors give them. */
typedef long long vector_choice __attribute__((vector_size(VECTOR_LANES * sizeof(double))));

VECTOR_FUNCTION vector vector_of(double a)
{
    return (vector){a, a, a, a};
}

VECTOR_FUNCTION vector vector_choose(vector_choice choice, vector yes, vector no)
{
    return (vector)((choice & (vector_choice)yes) | (~choice & (vector_choice)no));
}

VECTOR_FUNCTION vector vector_root(vector a)
{
    return (vector){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

VECTOR_FUNCTION bool vector_any(vector_choice choice)
{
    return (choice[0] | choice[1] | choice[2] | choice[3]) != 0;
}

#endif
