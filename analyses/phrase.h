/* phrase.h - sentences put together piece by piece in a buffer of limited size; what does not fit ends in "..". */
#ifndef ANALYSES_PHRASE_H
#define ANALYSES_PHRASE_H

#include "base/arena.h"

struct phrase {
    char text[1000];
    size_t used;
};

void phrase_add(struct phrase *p, const char *format, ...) KN_PRINTF(2, 3);
/* Adds the name in lower case. */
void phrase_add_lower(struct phrase *p, const char *name);
/* Adds ", " first, but not at the beginning. */
void phrase_add_item(struct phrase *p, const char *item);
/* A copy; NULL without memory. */
const char *phrase_keep(const struct phrase *p, struct arena *a);

#endif
