/* draws.h - the values of random functions: agauss, gauss, aunif, unif, limit, mc, flat.
 *
 * A value is a function of the seed, the number of the run and the name of what it is for (a parameter, an element, a
 * model, with its path), and of nothing else: it does not depend on what else is random in the deck, nor on which runs
 * came before.
 */
#ifndef NETLIST_FUNCTIONS_DRAWS_H
#define NETLIST_FUNCTIONS_DRAWS_H

#include "base/arena.h"
#include "netlist/functions/operations.h"

#include <stdint.h>

enum chance_kind {
    CHANCE_NOMINAL, /* what the tolerance is around */
    CHANCE_DRAWN,   /* by seed and run */
    CHANCE_EXTREME  /* nominal, or an end of the tolerance */
};

/* What random functions give in one expansion of a deck. */
struct chance {
    enum chance_kind kind;
    uint64_t seed, run;
    /* CHANCE_EXTREME: -1, 0 or 1 for each random value of the circuit, in the order in which it names them. */
    const signed char *ends;
    size_t end_count;
};

/* Whose value is being evaluated: kind 'p' parameter, 'e' element, 'l' element's law, 'm' model, 'c' card. */
struct draws_owner {
    char kind;
    const char *path, *name;
    unsigned drawn; /* random values of it so far */
};

struct draws {
    struct chance chance;
    struct draws_owner owner;
    struct arena *arena; /* of the names */
    const char **names;  /* of all that was drawn: "r1", "x1.w", "r1#2" for a second value of one owner */
    size_t count, capacity;
    bool failed; /* memory ran out */
};

/* From now on values are for this one; returns the one before. */
struct draws_owner draws_enter(struct draws *d, char kind, const char *path, const char *name);

/* Whether a function of so many arguments is random. */
bool draws_are_made_by(enum operation op, size_t arguments);
/* Its value; d NULL: the nominal one. */
double draws_value(struct draws *d, enum operation op, const double *arguments, size_t count);

#endif
