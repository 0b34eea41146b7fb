/* library.h - what a kn_circuit of knoten.h is, for the program on top of the library. */
#ifndef ANALYSES_LIBRARY_H
#define ANALYSES_LIBRARY_H

#include "netlist/netlist.h"

struct kn_circuit {
    struct deck *deck;
    struct circuit *circuit; /* the deck as it stands */
};

#endif
