/* probes.h - the variables of expressions, node voltages and currents of elements, at a point of the solution. */
#ifndef ANALYSES_PROBES_H
#define ANALYSES_PROBES_H

#include "mna/mna.h"

/* Where a variable comes from: an unknown from 0, or an element: its current, where that is no unknown, or a quantity,
 * "@m1[gm]". */
struct probe {
    int unknown, element; /* -1: not from there; what is from nowhere is 0 */
    int quantity;         /* of the element; -1: its current */
};

struct probes {
    struct probe *list;
    size_t count;
    bool of_elements;  /* what elements have besides unknowns is among them .. */
    bool needs_slopes; /* .. and depends on dx/dt */
};

struct probe probe_of(const struct mna *m, const struct expression_variable *v);

/* False without memory; probes_free is due all the same. */
bool probes_init(struct probes *p, const struct mna *m, const struct expression_variable *variables, size_t count);
void probes_free(struct probes *p);
/* Sets those of the unknowns [n] of the mna that they are made of. */
void probes_watch(const struct probes *p, const struct mna *m, bool *watched);
/* values [count]; dxdt may be NULL where needs_slopes is false. */
void probes_read(const struct probes *p, struct mna *m, double t, const double *x, const double *dxdt, double *values);

#endif
