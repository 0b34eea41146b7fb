/* alone.h - unknowns that have an equation without charges to themselves: states of logic, nodes between resistances to ground.
 *
 * Where nothing but such equations jumps at an event, each is solved by its own derivative, and nothing else moves.
 */
#ifndef MNA_START_ALONE_H
#define MNA_START_ALONE_H

#include "integrators/dae.h"

struct standing_alone;

enum kn_status standing_alone_new(const struct dae *dae, struct standing_alone **out);
void standing_alone_free(struct standing_alone *s);

/* Moves x [n] from where equations had the values left [n] to where they do again, at `time` on the right of an event, where they
 * are right [n] now. *moved: false where others jump too, or one bends; x is as it came then. */
enum kn_status standing_alone_move(struct standing_alone *s, double time, const double *left, const double *right,
                                   double *x, bool *moved);

#endif
