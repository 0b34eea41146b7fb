/* quantities.h - what the kinds of numbers in results are called, and their units. */
#ifndef BASE_QUANTITIES_H
#define BASE_QUANTITIES_H

#include "knoten.h"

struct quantity {
    const char *name;         /* "voltage density"; "" where its vector's name says more */
    const char *unit, *ascii; /* the unit; without letters beyond ASCII */
    const char *type;         /* in raw files; NULL: "notype" */
};

enum { QUANTITIES = KN_REGION + 1 };

/* Numbered by enum kn_quantity. */
extern const struct quantity quantity_words[QUANTITIES];

#endif
