/* library.h - what a kn_circuit of knoten.h is, for the program on top of the library. */
#ifndef ANALYSES_LIBRARY_H
#define ANALYSES_LIBRARY_H

#include "netlist/circuit.h"

struct kn_circuit {
    struct circuit *circuit;
};

#endif
