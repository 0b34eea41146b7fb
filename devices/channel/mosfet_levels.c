/* mosfet_levels.c - see mosfet_levels.h. */
#include "devices/channel/mosfet_levels.h"

struct mosfet_bulk_root mosfet_bulk_root(double phi, struct mosfet_value v)
{
    if (v.value <= 0) {
        const struct mosfet_value root = value_root(value_line(-1, v, phi));
        return (struct mosfet_bulk_root){root, value_scale(-0.5, value_invert(root))};
    }
    const double at_zero = sqrt(phi);
    const struct mosfet_value root = value_scale(at_zero, value_invert(value_line(0.5 / phi, v, 1)));
    return (struct mosfet_bulk_root){root, value_scale(-0.5 / (phi * at_zero), value_square(root))};
}

struct mosfet_value mosfet_weak_inversion(struct mosfet_value gate, struct mosfet_value on, struct mosfet_value scale)
{
    const struct mosfet_value below = value_subtract(gate, on);
    if (below.value >= 0 || scale.value <= 0)
        return value_constant(1);
    const struct mosfet_value argument = value_divide(below, scale);
    const double e = exp(argument.value);
    return value_chain(argument, e, e);
}
