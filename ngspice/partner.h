/* partner.h - the host as partner of transients: external sources, breakpoints, steps (knoten.h, kn_partner). */
#ifndef NGSPICE_PARTNER_H
#define NGSPICE_PARTNER_H

#include "ngspice/simulator.h"

/* What ngSpice_Init_Sync has named counts from the next analysis on. */
void partner_connect(struct simulator *s);
/* ngSpice_SetBkpt: transients stop at the time (s); false: there is no circuit, or no memory. */
bool partner_stop_at(struct simulator *s, double time);

#endif
