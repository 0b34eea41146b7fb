/* functions.h - functions of vectors, by name. */
#ifndef CONTROL_VECTORS_FUNCTIONS_H
#define CONTROL_VECTORS_FUNCTIONS_H

#include "control/vectors/plots.h"

#include <stdint.h>

/* Random numbers: the k-th of a seed is always the same. */
struct vector_draws {
    uint32_t seed;
    uint64_t drawn;
};

/* What variables of a script say. */
struct vector_settings {
    bool degrees;  /* angles; else in radians */
    double window; /* of mtimeavg; 0: none was given */
};

struct function_call {
    struct arena *arena;
    const struct values *scale;   /* that the argument is over; NULL: none */
    const struct values *current; /* of the current plot; NULL: none */
    struct vector_settings set;
    struct vector_draws *draws;
    const char *why; /* set by a function that has no result */
};

typedef struct values function_of_vector(struct function_call *c, const struct values *x);

/* NULL: there is none of this name. */
function_of_vector *function_find(const char *name);
const char *function_closest(const char *name);
/* A value of `count` numbers; at NULL without memory. */
struct values values_new(struct arena *a, size_t count);

#endif
