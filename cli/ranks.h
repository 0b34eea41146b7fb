/* ranks.h - sweeps on several machines through MPI: rank 0 hands out runs and writes, the others make them.
 *
 * Only knoten-mpi has it, beside which knoten stands; `knoten --mpi` becomes that program, so that others need not load
 * MPI's libraries.
 */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "knoten.h"

/* Becomes knoten-mpi with these arguments, or begins MPI if this is it.  False with a message where there is none. */
bool ranks_begin(char **arguments);
/* Of this process; 0 without MPI. */
int ranks_own(void);

/* Rank 0: the others as workers; NULL: there are none. */
const struct kn_crew *ranks_crew(void);
/* Rank 0: no more runs; says how many workers were lost. */
void ranks_dismiss(void);

/* The others: makes runs until there is none any more; an exit status. */
int ranks_serve(const struct kn_circuit *c, const struct kn_options *options);

#endif
