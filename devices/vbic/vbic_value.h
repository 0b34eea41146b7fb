/* vbic_value.h - a quantity of a VBIC transistor with its exact derivatives by the voltages of its junctions (V) and by its
 * rise of temperature (K), and the arithmetic of such.
 */
#ifndef DEVICES_VBIC_VBIC_VALUE_H
#define DEVICES_VBIC_VBIC_VALUE_H

#include <math.h>

/* Base-emitter of the inner and outer base, base-collector at the inner and outer collector, base-emitter and
 * base-collector of the parasitic transistor. */
enum vbic_variable { VBIC_BEI, VBIC_BEX, VBIC_BCI, VBIC_BCX, VBIC_BEP, VBIC_BCP, VBIC_HEAT, VBIC_VARIABLES };

struct vbic_value {
    double value, by[VBIC_VARIABLES];
};

static inline struct vbic_value vbic_constant(double c)
{
    return (struct vbic_value){c, {0}};
}

static inline struct vbic_value vbic_variable_at(double x, enum vbic_variable which)
{
    struct vbic_value a = {x, {0}};
    a.by[which] = 1;
    return a;
}

/* f(a) with its slope there. */
static inline struct vbic_value vbic_chain(struct vbic_value a, double f, double slope)
{
    a.value = f;
    for (int i = 0; i < VBIC_VARIABLES; i++)
        a.by[i] *= slope;
    return a;
}

/* f(a, b) with its slopes. */
static inline struct vbic_value vbic_join(struct vbic_value a, struct vbic_value b, double f, double by_a, double by_b)
{
    a.value = f;
    for (int i = 0; i < VBIC_VARIABLES; i++)
        a.by[i] = by_a * a.by[i] + by_b * b.by[i];
    return a;
}

static inline struct vbic_value vbic_line(double factor, struct vbic_value a, double offset)
{
    return vbic_chain(a, factor * a.value + offset, factor);
}

static inline struct vbic_value vbic_add(struct vbic_value a, struct vbic_value b)
{
    return vbic_join(a, b, a.value + b.value, 1, 1);
}

static inline struct vbic_value vbic_subtract(struct vbic_value a, struct vbic_value b)
{
    return vbic_join(a, b, a.value - b.value, 1, -1);
}

static inline struct vbic_value vbic_multiply(struct vbic_value a, struct vbic_value b)
{
    return vbic_join(a, b, a.value * b.value, b.value, a.value);
}

static inline struct vbic_value vbic_divide(struct vbic_value a, struct vbic_value b)
{
    const double f = a.value / b.value;
    return vbic_join(a, b, f, 1 / b.value, -f / b.value);
}

static inline struct vbic_value vbic_root(struct vbic_value a)
{
    const double f = sqrt(a.value);
    return vbic_chain(a, f, 0.5 / f);
}

static inline struct vbic_value vbic_log(struct vbic_value a)
{
    return vbic_chain(a, log(a.value), 1 / a.value);
}

static inline struct vbic_value vbic_power(struct vbic_value a, double exponent)
{
    const double f = pow(a.value, exponent);
    return vbic_chain(a, f, exponent == 0 ? 0 : exponent * f / a.value);
}

/* exp, which goes on as its tangent beyond e^100: nothing that a circuit comes to rest at. */
static inline struct vbic_value vbic_exp(struct vbic_value a)
{
    const double far = 100, e = exp(fmin(a.value, far));
    return vbic_chain(a, a.value > far ? e * (1 + a.value - far) : e, e);
}

/* sqrt(a^2 + s) */
static inline struct vbic_value vbic_smooth_size(struct vbic_value a, double s)
{
    const double f = sqrt(a.value * a.value + s);
    return vbic_chain(a, f, f > 0 ? a.value / f : 0);
}

#endif
