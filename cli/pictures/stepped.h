/* stepped.h - which values the runs of LTspice's .step have.  Its raw file only says that it is stepped; the values are in the
 * log beside it, a line ".step r1=1000 temp=27" for each run. */
#ifndef CLI_PICTURES_STEPPED_H
#define CLI_PICTURES_STEPPED_H

#include "control/vectors/plots.h"

/* As vectors behind the scale of the plots of as many runs as the log of this raw file has such lines, where knoten has them too;
 * without a log nothing happens.  False without memory. */
bool stepped_take_values(const char *path, struct plots *plots);

#endif
