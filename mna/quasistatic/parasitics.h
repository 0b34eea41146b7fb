/* parasitics.h - small capacitors and inductors that may be left out, and the circuit without them: a capacitor becomes
 * no connection, an inductor a short.  Unknowns and their numbers stay.
 */
#ifndef MNA_QUASISTATIC_PARASITICS_H
#define MNA_QUASISTATIC_PARASITICS_H

#include "mna/topology/topology.h"

/* Which ones: all up to a size, and those that are named. */
struct parasitic_choice {
    double most_capacitance, most_inductance; /* F, H; 0: none */
    const char *names;                        /* between spaces or commas, with * and ?; NULL: none */
};

struct stray {
    const struct element *element;
    bool inductor;
    double value;    /* F or H at temperature, all parallel ones together */
    int plus, minus; /* unknowns from 1, 0 is ground: its charge +-value (x[plus] - x[minus]) belongs there */
    double charge;   /* what enters C: value, or -value in the row of an inductor */
};

struct parasitics {
    struct stray *list;
    size_t count;
};

/* In the deck's order; the circuit's topology says what there is.  KN_ERROR_DECK, reported, where a name fits nothing
 * that could be left out. */
enum kn_status parasitics_find(const struct circuit *c, const struct topology *t, const struct parasitic_choice *choice,
                               struct arena *memory, struct kn_diagnostics *d, struct parasitics *out);

/* Shares everything but the elements with c, which must outlive it; false without memory. */
bool parasitics_remove(const struct circuit *c, const struct parasitics *p, struct arena *memory, struct circuit *out);

/* Voltage across a capacitor, current through an inductor; x [n]. */
static inline double stray_state(const struct stray *p, const double *x)
{
    return unknown_value(x, p->plus) - unknown_value(x, p->minus);
}

/* q [n] += factor times the charges and fluxes of all of them at x [n]. */
void parasitics_add_charge(const struct parasitics *p, double factor, const double *x, double *q);

#endif
