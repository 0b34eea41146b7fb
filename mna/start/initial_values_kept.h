/* initial_values_kept.h - ic= of capacitors and inductors goes before the silence of the others.
 *
 * Capacitors without ic= start uncharged and inductors without current, unless a C-V loop (L-I cutset) leaves them no
 * choice: V1 = 5 V across C1 with ic=2 and C2 without means 3 V in C2, not that both share what is missing.  The
 * charges around are corrected by what makes the given values come true: with the response of each value to a charge
 * (flux) put across each element, which in the limit of no time is a symmetric matrix, positive semidefinite.  Its null
 * vectors are the loops and cutsets in which all values are given and contradict the rest; those are left alone.
 */
#ifndef MNA_START_INITIAL_VALUES_KEPT_H
#define MNA_START_INITIAL_VALUES_KEPT_H

#include "mna/start/augmented.h"
#include "mna/start/initial_values.h"

struct initial_values_kept {
    const struct initial_values *given;
    double time, h; /* s, h: the step that is short against everything in the circuit */
    double relative;
};

/* Corrects the charges q [n] from which the values x [n] were found.  *missed: by how many tolerances the worst value
 * that can be as given is not; below FAR_BELOW nothing is corrected. */
enum kn_status initial_values_keep(const struct initial_values_kept *k, const struct mna *m, const double *x, double *q,
                                   double *missed);

/* The numbers that are given: at nodes of .ic that no source fixes, and by ic=.  In the arena. */
enum kn_status initial_values_list(const struct initial_values *given, const struct mna *m, struct arena *memory,
                                   double **out, size_t *count);

/* One of these: a voltage between two unknowns (from 0; -1: ground), or a current. */
struct held_value {
    size_t number; /* in the list */
    int plus, minus;
    bool current;
};

/* Those that are as given at x [n], where a start has been found, by charges of their own; none where not all that could be are.  In
 * the arena. */
enum kn_status initial_values_held(const struct initial_values_kept *k, const struct mna *m, const double *x,
                                   struct arena *memory, struct held_value **out, size_t *count);

#endif
