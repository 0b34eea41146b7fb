/* pole_zero_card.h - what a .pz card says. */
#ifndef ANALYSES_SMALL_SIGNAL_POLE_ZERO_CARD_H
#define ANALYSES_SMALL_SIGNAL_POLE_ZERO_CARD_H

#include "netlist/circuit.h"

struct pole_zero_card {
    const struct analysis_card *card;
    int source;              /* element that drives; -1: the nodes below */
    int in_plus, in_minus;   /* nodes */
    bool by_voltage;         /* between the nodes; else by a current */
    int out_plus, out_minus; /* nodes */
    int out_current;         /* element whose current is the output; -1: the nodes */
    bool poles, zeros;
    double near; /* Hz: which ones of a large circuit come first */
    int most;    /* how many of them; 0: not said */
};

/* KN_ERROR_DECK with its message where the card is not right. */
enum kn_status pole_zero_read(const struct circuit *c, const struct analysis_card *card, struct kn_diagnostics *d,
                              struct pole_zero_card *out);

#endif
