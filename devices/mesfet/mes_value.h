/* mes_value.h - a quantity of a MESFET or HFET with its exact derivatives by the voltages of gate and drain against the
 * source (V), and the arithmetic of such.
 */
#ifndef DEVICES_MESFET_MES_VALUE_H
#define DEVICES_MESFET_MES_VALUE_H

enum mes_variable { MES_GATE, MES_DRAIN, MES_VARIABLES };

#define EXACT(name)     mes_##name
#define EXACT_VARIABLES MES_VARIABLES
#include "base/exact_value.h"

static inline struct mes_value mes_scale(double factor, struct mes_value a)
{
    return mes_line(factor, a, 0);
}

static inline struct mes_value mes_square(struct mes_value a)
{
    return mes_chain(a, a.value * a.value, 2 * a.value);
}

static inline struct mes_value mes_invert(struct mes_value a)
{
    const double f = 1 / a.value;
    return mes_chain(a, f, -f * f);
}

/* 1/(1/a + 1/b) for b > 0, also where b is larger than any number that matters. */
static inline struct mes_value mes_parallel(struct mes_value a, struct mes_value b)
{
    return mes_divide(a, mes_line(1, mes_divide(a, b), 1));
}

static inline struct mes_value mes_at_least(struct mes_value a, double least)
{
    return a.value >= least ? a : mes_constant(least);
}

/* r/(1 + r^m)^(1/m) for r >= 0: r at first, 1 in the end. */
static inline struct mes_value mes_knee(struct mes_value r, struct mes_value m)
{
    if (!(r.value > 0))
        return r;
    const double exponent = m.value, log_r = log(r.value), power = exponent * log_r, small = exp(-fabs(power));
    const double sum = 1 + small, f = exp((power > 0 ? 0 : log_r) - log(sum) / exponent);
    const double log_sum = fmax(power, 0) + log(sum), share = power > 0 ? 1 / sum : small / sum; /* r^m/(1 + r^m) */
    const double by_r = f * (power > 0 ? small : 1) / (sum * r.value);
    return mes_join(r, m, f, by_r, f * (log_sum / exponent - share * log_r) / exponent);
}

/* As a function of vgs and vds, what was found with drain and source in each other's place. */
static inline struct mes_value mes_turned(struct mes_value a)
{
    a.by[MES_DRAIN] = -a.by[MES_GATE] - a.by[MES_DRAIN];
    return a;
}

#endif
