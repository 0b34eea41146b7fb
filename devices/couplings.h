/* couplings.h - coupled inductors, and whether coupling coefficients can belong to real windings. */
#ifndef DEVICES_COUPLINGS_H
#define DEVICES_COUPLINGS_H

#include "base/arena.h"
#include "netlist/circuit.h"

struct coupling {
    const struct element *element, *first, *second;
    double coefficient;
};

/* Whether it has the inductor. */
bool coupling_names(const struct coupling *c, const struct element *inductor);
/* One more than the largest number of a coupled inductor. */
int coupling_numbers(const struct coupling *list, size_t count);

/* The stored energy i'Li/2 is given by the coefficients with ones on the diagonal, inductances being positive. */
enum coupling_energy {
    ENERGY_POSITIVE, /* for all currents but 0: the matrix is positive definite */
    ENERGY_ZERO,     /* for some, as where k = 1; never negative */
    ENERGY_NEGATIVE, /* for some */
    ENERGY_UNKNOWN
};

/* Inductors that couplings join, in the circuit's order. */
struct coupling_group {
    const struct element **coils;
    int count;
    const struct coupling *first; /* of the list */
    enum coupling_energy energy;
};

/* The groups of a list, in the order of their first inductors, in an arena; those of more than `most` inductors are judged
 * by the sizes of their coefficients only.  false without memory. */
bool coupling_groups(struct arena *memory, const struct coupling *list, size_t count, int most,
                     struct coupling_group **out, int *group_count);

#endif
