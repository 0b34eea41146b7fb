/* start_growth.h - whether a circuit stays at an equilibrium: the modes of the linearised equations that grow.
 *
 * A transient that starts on an unstable operating point, as oscillators and multivibrators have, rests there in exact
 * arithmetic; what sets it off otherwise is rounding, at a time that depends on steps and tolerances.
 */
#ifndef MNA_START_START_GROWTH_H
#define MNA_START_START_GROWTH_H

#include "mna/index/index.h"

struct start_growth {
    int modes;         /* that grow by e within the duration, conjugate ones counted both; 0: none, or not known */
    double rate;       /* 1/s, largest real part */
    double frequency;  /* rad/s, imaginary part of the same; 0 for a mode without oscillation */
    double *direction; /* [n] real part of its eigenvector, the largest component 1 in units of 1 V and 1 mA; NULL where
                          modes is 0 */
    /* [n] left eigenvector w of a mode without oscillation, w^T C direction = 1; NULL of others, and where rounding leaves that product
     * no digit */
    double *adjoint;
    bool partial; /* of a large circuit, where more modes may grow */
};

/* At the point; duration in s.  Free with start_growth_free. */
enum kn_status start_growth(struct mna *m, const struct topology *t, const struct index_point *at, double duration,
                            struct start_growth *out);
void start_growth_free(struct start_growth *g);

/* Whether there is a capacitance, inductance or resistance below zero, as macromodels of amplifiers make zeros of: a mode that it
 * makes grow is far faster than anything the circuit was made for. */
enum kn_status start_growth_negative(struct mna *m, bool *found);

#endif
