/* mosfet_value.h - a quantity of three voltages together with its exact derivatives, and the arithmetic of such.
 *
 * The chain rule does what would be a page of hand-derived slopes for each of SPICE's higher levels.
 */
#ifndef DEVICES_CHANNEL_MOSFET_VALUE_H
#define DEVICES_CHANNEL_MOSFET_VALUE_H

#include <math.h>

/* A quantity and its derivatives with respect to vgs, vds, vbs. */
struct mosfet_value {
    double value, gs, ds, bs;
};

static inline struct mosfet_value value_constant(double c)
{
    return (struct mosfet_value){c, 0, 0, 0};
}

/* For the end that acts as source against the one that acts as drain, back to those of the card. */
static inline struct mosfet_value mosfet_value_reversed(struct mosfet_value i)
{
    return (struct mosfet_value){-i.value, -i.gs, i.gs + i.ds + i.bs, -i.bs};
}

/* f(a), given f and f' there. */
static inline struct mosfet_value value_chain(struct mosfet_value a, double f, double slope)
{
    return (struct mosfet_value){f, slope * a.gs, slope * a.ds, slope * a.bs};
}

/* factor a + offset */
static inline struct mosfet_value value_line(double factor, struct mosfet_value a, double offset)
{
    return value_chain(a, factor * a.value + offset, factor);
}

static inline struct mosfet_value value_scale(double factor, struct mosfet_value a)
{
    return value_line(factor, a, 0);
}

static inline struct mosfet_value value_add(struct mosfet_value a, struct mosfet_value b)
{
    return (struct mosfet_value){a.value + b.value, a.gs + b.gs, a.ds + b.ds, a.bs + b.bs};
}

static inline struct mosfet_value value_subtract(struct mosfet_value a, struct mosfet_value b)
{
    return (struct mosfet_value){a.value - b.value, a.gs - b.gs, a.ds - b.ds, a.bs - b.bs};
}

static inline struct mosfet_value value_multiply(struct mosfet_value a, struct mosfet_value b)
{
    return (struct mosfet_value){a.value * b.value, a.gs * b.value + a.value * b.gs, a.ds * b.value + a.value * b.ds,
                                 a.bs * b.value + a.value * b.bs};
}

static inline struct mosfet_value value_invert(struct mosfet_value a)
{
    const double inverse = 1 / a.value;
    return value_chain(a, inverse, -inverse * inverse);
}

static inline struct mosfet_value value_divide(struct mosfet_value a, struct mosfet_value b)
{
    return value_multiply(a, value_invert(b));
}

static inline struct mosfet_value value_square(struct mosfet_value a)
{
    return value_chain(a, a.value * a.value, 2 * a.value);
}

static inline struct mosfet_value value_cube(struct mosfet_value a)
{
    return value_chain(a, a.value * a.value * a.value, 3 * a.value * a.value);
}

/* 0 with slope 0 where there is no root. */
static inline struct mosfet_value value_root(struct mosfet_value a)
{
    const double root = a.value > 0 ? sqrt(a.value) : 0;
    return value_chain(a, root, root > 0 ? 0.5 / root : 0);
}

static inline struct mosfet_value value_power(struct mosfet_value a, double exponent)
{
    const double f = pow(a.value, exponent);
    return value_chain(a, f, exponent * f / a.value);
}

static inline struct mosfet_value value_larger(struct mosfet_value a, struct mosfet_value b)
{
    return a.value >= b.value ? a : b;
}

static inline struct mosfet_value value_smaller(struct mosfet_value a, struct mosfet_value b)
{
    return a.value <= b.value ? a : b;
}

#endif
