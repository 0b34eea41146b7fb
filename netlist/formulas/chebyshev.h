/* chebyshev.h - Chebyshev filters with ripple in the pass band, by frequencies and attenuations. */
#ifndef NETLIST_FORMULAS_CHEBYSHEV_H
#define NETLIST_FORMULAS_CHEBYSHEV_H

#include "netlist/formulas/transfer_function.h"

enum chebyshev_kind { CHEBYSHEV_LP, CHEBYSHEV_HP, CHEBYSHEV_BP, CHEBYSHEV_BR };

/* "LP" */
bool chebyshev_kind_of(const char *word, enum chebyshev_kind *kind);

/* numbers: the ends of pass and stop bands (Hz), two of LP and HP, four of BP and BR, in any order; then the ripple and the
 * attenuation (dB).  Where they make no filter *why says it. */
enum transfer_outcome chebyshev_response(enum chebyshev_kind kind, const double *numbers, size_t count,
                                         struct arena *arena, struct response *out, const char **why);

#endif
