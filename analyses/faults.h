/* faults.h - errors of cards and options, also of decks that cannot be run anyway. */
#ifndef ANALYSES_FAULTS_H
#define ANALYSES_FAULTS_H

#include "analyses/run.h"
#include "netlist/netlist.h"

/* All cards of analyses and sweeps are looked at, so that all errors are told.  Without a deck in the setup and the request
 * elements may have no kind, and names of parameters are not looked up. */
enum kn_status faults_of_cards(const struct run_request *r, struct setup *s);
/* All of these, and errors of options and device parameters: what the reader asks for a deck with errors (circuit_check). */
void faults_of_deck(const struct circuit *c, struct kn_diagnostics *d);

#endif
