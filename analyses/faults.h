/* faults.h - errors of options and device parameters, for decks that cannot be run anyway. */
#ifndef ANALYSES_FAULTS_H
#define ANALYSES_FAULTS_H

#include "netlist/netlist.h"

/* Adds every error and warning about the devices' parameters. */
void faults_of_devices(const struct circuit *c, struct kn_diagnostics *d);
/* The same, and those about options: what the reader asks for a deck with errors (circuit_check). */
void faults_of_deck(const struct circuit *c, struct kn_diagnostics *d);

#endif
