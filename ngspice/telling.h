/* telling.h - what the host hears of an analysis: the vectors of a plot that begins, and each row. */
#ifndef NGSPICE_TELLING_H
#define NGSPICE_TELLING_H

#include "control/vectors/plots.h"
#include "ngspice/simulator.h"

struct telling *telling_new(void);
/* In the thread of the analysis. */
void telling_begin(struct telling *r, struct simulator *s, const struct plot *p);
void telling_send(struct telling *r, struct simulator *s, const struct plot *p);
/* "tran", of the plot that has begun last; "": none. */
const char *telling_kind(const struct telling *r);

#endif
