/* settled.h - errors at the end of a step of implicit Euler that leads across what settles within it. */
#ifndef INTEGRATORS_SETTLED_H
#define INTEGRATORS_SETTLED_H

#include "integrators/multistep/multistep.h"

/* Whether what follows means something: no node voltage is of index 2. */
bool settled_is_known(const struct multistep *m);
/* settled [n] := |error| */
void settled_begin(struct multistep *m);
/* settled := A settled for unknowns with a memory, A = (G + alpha C)^-1 alpha C by the factors of the step just solved, so many times
 * over; its weighted norm.  worst: as in control_error. */
double settled_error(struct multistep *m, int times, int *worst);
/* error := settled: the step is judged by it. */
void settled_take(struct multistep *m);
/* Whether nothing at the end of the step just solved grows faster than steps of `resolved` seconds show and slower than those of its
 * own size do.  The factors of the step are at hand again behind it; where those cannot be made, or the sign of a determinant is not
 * known, the answer is no. */
bool settled_is_stable(struct multistep *m, double resolved);

#endif
