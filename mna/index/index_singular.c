/* index_singular.c - whether a pencil is singular: G + s C is so for all s, hence for a few that are as good as any.
 *
 * Where the element values cancel exactly, the chains of index_chain.c and index_series.c may take round-off for an
 * equation; here it cannot hide, since a matrix with one equation of pure round-off has a condition of 1/epsilon.
 */
#include "base/rounding.h"
#include "mna/index/index_parts.h"
#include "sparse/triplets.h"

#include <math.h>

enum { TRIALS = 3 };

enum kn_status pencil_is_singular(const struct pencil *p, bool *singular)
{
    const double rate = 1.37 * pencil_middle_rate(p); /* no round number, which might be an eigenvalue */
    *singular = true;
    for (int trial = 0; trial < TRIALS && *singular; trial++) {
        double condition;
        const enum kn_status status = pencil_condition(p, rate * pow(10, 3 * (trial - 1)), &condition);
        if (status != KN_OK)
            return status;
        *singular = !(condition < ROUNDING_SINGULAR);
    }
    return KN_OK;
}
