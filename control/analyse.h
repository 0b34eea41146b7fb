/* analyse.h - commands that run analyses of the circuit and change its values. */
#ifndef CONTROL_ANALYSE_H
#define CONTROL_ANALYSE_H

#include "control/job.h"
#include "control/script/state.h"

/* tran 1u 1m and the like: the card of that name. */
command_function analyse_card;
/* run: what the deck asks for. */
command_function analyse_deck, analyse_save, analyse_alter, analyse_altermod, analyse_alterparam;
/* Back to the values of the deck, with those of alterparam. */
command_function analyse_reset;
/* reltol and the like, which set and option say. */
bool analyse_is_option(const char *name);
bool analyse_option(struct state *s, const char *name, double value);

/* Runs an analysis, which is freed.  With the plots held. */
enum kn_status analyse_at_once(struct state *s, struct job *j);

/* The overrides that count now, in the arena; pending: those of alterparam, too. */
bool analyse_overrides(struct state *s, bool pending, struct overrides *out);

/* The circuit with what alter has changed, until that changes again; NULL with the error said. */
const struct circuit *analyse_circuit(struct state *s);
/* Its element of this name, or of ngspice's, "r.x1.r1"; NULL: there is none that could be read. */
const struct element *analyse_element(const struct circuit *c, const char *name);
/* Where the changes are others now. */
void analyse_forget_circuit(struct state *s);

#endif
