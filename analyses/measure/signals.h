/* signals.h - the value of an expression from numbers that an analysis supplies for its variables.
 *
 * All signals of a set share their variables.  At a point an analysis gives `width` numbers for each of them: its value,
 * or of a phasor four: real and imaginary part, and those of its derivative with respect to the angular frequency.
 */
#ifndef ANALYSES_MEASURE_SIGNALS_H
#define ANALYSES_MEASURE_SIGNALS_H

#include "netlist/circuit.h"
#include "netlist/expression/expression_phasor.h"

enum { SIGNAL_REAL = 1, SIGNAL_PHASOR = 4 };

struct signal_set {
    const struct circuit *circuit;
    size_t width;          /* SIGNAL_REAL or SIGNAL_PHASOR */
    const double *results; /* of measurements, by number; NULL: nobody mentions them */
    struct expression_variable *variables;
    size_t count, capacity;
};

struct signal {
    const struct signal_set *set;
    const struct expression *expression; /* NULL: none; its value is 0 */
    size_t *sources;                     /* [variable count] in the set; of results their numbers */
    struct phasor *variables, *workspace;
    double *real_variables, *real_workspace;
    bool is_phasor; /* with an imaginary part */
    bool is_phase;  /* of one, in degrees */
};

/* Adds the variables of e, which may be NULL, to the set.  False without memory; signal_free is due all the same. */
bool signal_init(struct signal *s, struct signal_set *set, const struct expression *e);
void signal_free(struct signal *s);

/* The number of a variable in the set, which it joins where it is new; SIZE_MAX without memory. */
size_t signal_variable(struct signal_set *set, const struct expression_variable *v);

static inline size_t signals_numbers(const struct signal_set *set)
{
    return set->count * set->width;
}

/* At a point of the scale, where the variables have these values [signals_numbers]; of a phasor the magnitude. */
double signal_at(const struct signal *s, double scale, const double *values);
/* In the frequency: the phasor itself, and its derivative with respect to the angular frequency. */
struct phasor signal_phasor(const struct signal *s, double scale, const double *values);
/* Of what signal_at gives, with respect to the frequency. */
double signal_slope(const struct signal *s, double scale, const double *values);

#endif
