/* library.h - what a kn_circuit of knoten.h is, for the program on top of the library. */
#ifndef ANALYSES_LIBRARY_H
#define ANALYSES_LIBRARY_H

#include "analyses/run.h"

struct kn_circuit {
    struct deck *deck;                 /* of the first variant */
    struct circuit *circuit;           /* the deck as it stands */
    struct variant *variants;          /* [alters + 1][sections] */
    size_t alters, sections;           /* .alter blocks; sections on .step lib, 1 without one */
    const struct overrides *overrides; /* the circuit has been made with; NULL: none */
    bool commanded;                    /* by a .control block, which is not to be missed then */
};

/* Whether the cards of its analyses can be read; errors are said, nothing is run. */
enum kn_status library_check(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d);

#endif
