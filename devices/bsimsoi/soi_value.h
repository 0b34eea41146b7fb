/* soi_value.h - a quantity of a transistor on insulator together with its exact derivatives by the voltages of gate, drain,
 * body and substrate against the source (V) and by the temperature (K), and the arithmetic of such.
 */
#ifndef DEVICES_BSIMSOI_SOI_VALUE_H
#define DEVICES_BSIMSOI_SOI_VALUE_H

#include "devices/channel/bsim_channel.h"

enum soi_variable { SOI_GATE, SOI_DRAIN, SOI_BODY, SOI_SUBSTRATE, SOI_HEAT, SOI_VARIABLES };

#define EXACT(name)     soi_##name
#define EXACT_VARIABLES SOI_VARIABLES
#include "base/exact_value.h"

/* From here on Berkeley's programs leave or bend an exponential. */
enum { SOI_FAR = 100 };

/* factor a + b */
static inline struct soi_value soi_accumulate(double factor, struct soi_value a, struct soi_value b)
{
    return soi_join(a, b, factor * a.value + b.value, factor, 1);
}

static inline struct soi_value soi_invert(struct soi_value a)
{
    const double f = 1 / a.value;
    return soi_chain(a, f, -f * f);
}

static inline struct soi_value soi_square(struct soi_value a)
{
    return soi_chain(a, a.value * a.value, 2 * a.value);
}

/* ln(1 + e^a) */
static inline struct soi_value soi_softly(struct soi_value a)
{
    if (a.value > SOI_FAR)
        return a;
    const double e = exp(a.value);
    return soi_chain(a, log1p(e), e / (1 + e));
}

/* (a + sqrt(a^2 + s))/2 */
static inline struct soi_value soi_positive(struct soi_value a, double s)
{
    const double root = sqrt(a.value * a.value + s);
    return soi_chain(a, a.value > 0 ? 0.5 * (a.value + root) : 0.5 * s / (root - a.value), 0.5 * (1 + a.value / root));
}

static inline struct soi_value soi_at_least(struct soi_value a, double from, double least)
{
    double slope;
    const double f = bsim_at_least(a.value, from, least, &slope);
    return slope == 1 ? a : soi_chain(a, f, slope);
}

/* The smaller root of x^2 - (a + b + delta) x + a b = 0: min(a, b) with a bend, 0 at b = 0. */
static inline struct soi_value soi_smaller(struct soi_value a, struct soi_value b, double delta)
{
    const double under = a.value - b.value - delta, root = sqrt(under * under + 4 * delta * a.value);
    if (!(root > 0))
        return b;
    const double f = 2 * a.value * b.value / (a.value + b.value + delta + root);
    return soi_join(a, b, f, 0.5 * (1 - (under + 2 * delta) / root), 0.5 * (1 + under / root));
}

#endif
