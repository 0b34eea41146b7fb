/* bulk_value.h - a quantity of the bulk's voltage alone together with its exact derivative, the arithmetic of such, and what
 * BSIM's equations do with them and with quantities of three voltages.
 */
#ifndef DEVICES_CHANNEL_BULK_VALUE_H
#define DEVICES_CHANNEL_BULK_VALUE_H

#include "devices/channel/mosfet_value.h"

struct bulk_value {
    double value, bs;
};

static inline struct bulk_value bulk_line(double factor, struct bulk_value a, double offset)
{
    return (struct bulk_value){factor * a.value + offset, factor * a.bs};
}

static inline struct bulk_value bulk_sum(struct bulk_value a, struct bulk_value b)
{
    return (struct bulk_value){a.value + b.value, a.bs + b.bs};
}

static inline struct bulk_value bulk_product(struct bulk_value a, struct bulk_value b)
{
    return (struct bulk_value){a.value * b.value, a.bs * b.value + a.value * b.bs};
}

static inline struct bulk_value bulk_inverse(struct bulk_value a)
{
    const double f = 1 / a.value;
    return (struct bulk_value){f, -f * f * a.bs};
}

static inline struct bulk_value bulk_root(struct bulk_value a)
{
    const double f = sqrt(a.value);
    return (struct bulk_value){f, 0.5 / f * a.bs};
}

/* y, and below `from` the hyperbola that goes on with its slope and stays above `least`: how Berkeley's programs bend
 * functions that would change their sign or have a pole. */
static inline double bsim_at_least(double y, double from, double least, double *slope)
{
    if (y >= from) {
        *slope = 1;
        return y;
    }
    const double height = from - least, ratio = height / (height + from - y);
    *slope = ratio * ratio;
    return least + height * ratio;
}

static inline struct bulk_value bulk_at_least(struct bulk_value a, double from, double least)
{
    double slope;
    const double f = bsim_at_least(a.value, from, least, &slope);
    return (struct bulk_value){f, slope * a.bs};
}

static inline struct mosfet_value value_at_least(struct mosfet_value a, double from, double least)
{
    double slope;
    const double f = bsim_at_least(a.value, from, least, &slope);
    return slope == 1 ? a : value_chain(a, f, slope);
}

static inline struct mosfet_value value_of_bulk(struct bulk_value a)
{
    return (struct mosfet_value){a.value, 0, 0, a.bs};
}

/* factor a + b */
static inline struct mosfet_value value_accumulate(double factor, struct mosfet_value a, struct mosfet_value b)
{
    return (struct mosfet_value){factor * a.value + b.value, factor * a.gs + b.gs, factor * a.ds + b.ds,
                                 factor * a.bs + b.bs};
}

/* factor a + b of the bulk */
static inline struct mosfet_value value_raise(double factor, struct mosfet_value a, struct bulk_value b)
{
    return (struct mosfet_value){factor * a.value + b.value, factor * a.gs, factor * a.ds, factor * a.bs + b.bs};
}

/* a times what the bulk decides */
static inline struct mosfet_value value_weigh(struct mosfet_value a, struct bulk_value b)
{
    return (struct mosfet_value){a.value * b.value, a.gs * b.value, a.ds * b.value, a.bs * b.value + a.value * b.bs};
}

#endif
