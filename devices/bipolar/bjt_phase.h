/* bjt_phase.h - excess phase: the forward transport current if/qb of a transistor with Ptf comes late.
 *
 * Its delay is td = Ptf (in radians) Tf: at 1/(2 pi Tf) its phase lags by Ptf.  As in SPICE the delay is that of a Bessel
 * filter of second order (P. B. Weil and L. P. McNamee, Simulation of excess phase in bipolar transistors, IEEE Trans.
 * Circuits Syst. 25 (1978) 114),
 *     late = 3 w^2 / (s^2 + 3 w s + 3 w^2) if/qb,  w = 1/td,
 * here with two states, so that it has the accuracy of the equations in every analysis:
 *     td u' + 3/2 u - s = 0,   td s' + 3/2 s + 3/4 u - 3 if/qb = 0,
 * u the late current and s one that leads it, both as voltages over 1 kohm.
 */
#ifndef DEVICES_BIPOLAR_BJT_PHASE_H
#define DEVICES_BIPOLAR_BJT_PHASE_H

#include "devices/bipolar/bjt_batch.h"

/* The states of the k-th transistor, and their entries; nothing where it has no delay. */
bool bjt_phase_number(struct bjt_batch *b, size_t k, struct device_setup *s);
bool bjt_phase_connect(struct bjt_batch *b, size_t k, struct device_setup *s);
void bjt_phase_stamp(const struct bjt_batch *b, size_t k, double *G, double *C);

/* Takes the part that comes late out of the transport current, into the currents' `late`. */
void bjt_phase_split(bool derivatives, struct bjt_currents *io);
/* What of f and G follows from it: `late` is its value where the transistor is, signs included. */
void bjt_phase_add(const struct bjt_batch *b, size_t k, unsigned what, double late, const struct bjt_value *slopes,
                   const struct device_stamp *out);
/* The current that has come, A, out of the collector's node; 0 where none is late. */
double bjt_phase_current(const struct bjt_batch *b, size_t k, const double *x);

bool bjt_phase_branches(const struct bjt_batch *b, size_t k, struct branch_list *list);

#endif
