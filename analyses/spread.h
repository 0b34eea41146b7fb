/* spread.h - which element values are so far apart that rounding loses one beside the other. */
#ifndef ANALYSES_SPREAD_H
#define ANALYSES_SPREAD_H

#include "base/text.h"
#include "mna/index/index.h"

/* "R1 (line 2) with 1e-15 ohm and R7 (line 9) with 1e+12 ohm are 27 decades apart", for the numbers a that rounding has
 * left open. */
void spread_describe(const struct mna *m, const struct topology *t, const struct index_analysis *a, struct text *p);

#endif
