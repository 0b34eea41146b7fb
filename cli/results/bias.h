/* bias.h - files of .savebias: the node voltages of a point as cards .nodeset, or .ic where its card has that word. */
#ifndef CLI_RESULTS_BIAS_H
#define CLI_RESULTS_BIAS_H

#include "netlist/circuit.h"

struct bias {
    const char *output;            /* the result file, beside which they are written; "-": in the current folder */
    const struct circuit *circuit; /* whose cards they are */
    struct kn_diagnostics *diagnostics;
    char *path; /* of the file that is being written */
    FILE *file; /* under a name of its own until it is complete */
    char *temporary;
    const struct kn_table *table;
};

/* "out/amp.raw", "bias.op" -> "out/bias.op", to free; NULL without memory. */
char *bias_path(const char *output, const char *name);
struct kn_sink bias_sink(struct bias *b);

#endif
