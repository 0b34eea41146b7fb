/* definitions.h - functions of formulas that `define` makes: define mismatch(a,b,err) abs(a-b)>err. */
#ifndef CONTROL_VECTORS_DEFINITIONS_H
#define CONTROL_VECTORS_DEFINITIONS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_ARGUMENTS = 16 }; /* of a function */

struct definition {
    const char *name;
    const char *const *parameters; /* [count] */
    size_t count;
    const char *body;
    const struct definition *next; /* earlier ones */
};

/* Reads "name(a, b) body" into *out, with texts in the arena; false with the reason. */
bool definition_read(struct arena *a, const char *text, struct definition *out, const char **why);

/* The latest with this name and so many arguments; NULL: none. */
const struct definition *definition_find(const struct definition *first, const char *name, size_t count);

#endif
