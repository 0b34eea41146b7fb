/* faults.h - errors of cards and options, also of decks that cannot be run anyway. */
#ifndef ANALYSES_FAULTS_H
#define ANALYSES_FAULTS_H

#include "analyses/run.h"
#include "netlist/netlist.h"

/* All cards of analyses and sweeps are looked at, so that all errors are told; elements may have no kind. */
enum kn_status faults_of_cards(const struct run_request *r, struct setup *s);
/* All of these, and errors of options, of device parameters and, of a circuit that is whole, of its graph: what the reader
 * asks for a deck with errors (circuit_check), and what is still said of one that could be read but cannot be run. */
void faults_of_deck(const struct circuit *c, const struct deck *k, struct kn_diagnostics *d);

#endif
