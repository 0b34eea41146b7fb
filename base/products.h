/* products.h - the order in which coefficients of POLY(n) belong to products of its variables.
 *
 * After SPICE2 (L. W. Nagel, 1975, appendix 2) the numbers of the factors never fall: 11 12 13 22 23 33.  Xyce has a
 * coefficient for each order of the factors: 11 12 13 21 22 23 31 32 33 (Xyce Reference Guide, "POLY"). */
#ifndef BASE_PRODUCTS_H
#define BASE_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>

/* From one product of `degree` factors to the next; false behind the last one.  ordered: as Xyce has it. */
static inline bool next_product(size_t *factors, size_t degree, size_t dimensions, bool ordered)
{
    for (size_t i = degree; i-- > 0;)
        if (factors[i] + 1 < dimensions) {
            const size_t factor = factors[i] + 1;
            factors[i] = factor;
            for (size_t k = i + 1; k < degree; k++)
                factors[k] = ordered ? 0 : factor;
            return true;
        }
    return false;
}

#endif
