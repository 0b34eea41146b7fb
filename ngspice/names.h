/* names.h - what ngspice calls vectors, and which kinds it tells apart. */
#ifndef NGSPICE_NAMES_H
#define NGSPICE_NAMES_H

#include "control/vectors/plots.h"

enum { LONGEST_VECTOR = 512 };

/* "out" for v(out), "V(1)" for v(1), "v1#branch" for i(v1), "v.x1.v2#branch" for i(x1.v2); of elements that have no current of their own what
 * .save would call it, "@r1[i]", "@q1[ic]", or probes: what .probe does, "r1#branch", "r1:power"; lower case. */
void names_of_vector(const struct vector_kept *v, bool probes, char name[LONGEST_VECTOR]);
/* Whether ngspice has it among the vectors of a plot: neither nodes inside transistors and diodes nor quantities of the
 * operating point that nobody has asked for.  `name` is that of ngspice. */
bool names_listed(const struct vector_kept *v, const char *name);
/* Whose name, of either kind, this is; NULL: nobody's. */
struct vector_kept *names_find(const struct plots *plots, const struct plot *p, const char *name);
/* ngspice's number of the kind. */
int names_type(const struct vector_kept *v);

/* Texts that stay where they are as long as the pool, one of each; NULL without memory. */
struct name_pool {
    struct arena *arena;
    struct name_table *table;
};
char *names_keep(struct name_pool *pool, const char *text);

#endif
