/* compose.h - commands that make vectors of numbers and give them shapes. */
#ifndef CONTROL_COMPOSE_H
#define CONTROL_COMPOSE_H

#include "control/script/state.h"

/* compose x values 1 2 (-3), compose x start=0 stop=1 step=0.1 (lin=N, dec=N, log=N points), compose x gauss=N mean=1 sd=2 */
bool compose_vector(struct state *s, const char *rest);
/* reshape x [5][6] */
bool compose_shape(struct state *s, const char *rest);
bool compose_transpose(struct state *s, const char *rest);
/* cross x 3 a b: number 3, from 0, of a and of b */
bool compose_cross(struct state *s, const char *rest);

#endif
