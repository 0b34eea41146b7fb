/* vbic_value.h - a quantity of a VBIC transistor with its exact derivatives by the voltages of its junctions (V) and by its
 * rise of temperature (K), and the arithmetic of such.
 */
#ifndef DEVICES_VBIC_VBIC_VALUE_H
#define DEVICES_VBIC_VBIC_VALUE_H

/* Base-emitter of the inner and outer base, base-collector at the inner and outer collector, base-emitter and
 * base-collector of the parasitic transistor. */
enum vbic_variable { VBIC_BEI, VBIC_BEX, VBIC_BCI, VBIC_BCX, VBIC_BEP, VBIC_BCP, VBIC_HEAT, VBIC_VARIABLES };

#define EXACT(name)     vbic_##name
#define EXACT_VARIABLES VBIC_VARIABLES
#include "base/exact_value.h"

/* sqrt(a^2 + s) */
static inline struct vbic_value vbic_smooth_size(struct vbic_value a, double s)
{
    const double f = sqrt(a.value * a.value + s);
    return vbic_chain(a, f, f > 0 ? a.value / f : 0);
}

#endif
