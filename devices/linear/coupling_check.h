/* coupling_check.h - whether coupling coefficients can belong to real windings. */
#ifndef DEVICES_LINEAR_COUPLING_CHECK_H
#define DEVICES_LINEAR_COUPLING_CHECK_H

#include "devices/device.h"

/* One pair of coupled inductors. */
struct coupled_pair {
    const struct element *coupling, *first, *second;
    double coefficient;
};

/* The stored energy i'Li/2 of three or more windings must not become negative: their coefficients, with ones on the
 * diagonal, must form a positive semidefinite matrix.  Where they do not, a warning names the windings.  KN_OK or
 * KN_ERROR_MEMORY. */
enum kn_status coupling_check_energy(const struct coupled_pair *pairs, size_t count, const struct circuit *c,
                                     struct kn_diagnostics *d);

#endif
