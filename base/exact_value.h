/* exact_value.h - arithmetic of quantities together with their exact derivatives by several variables.
 *
 * A template: a header that includes it says what it is for,
 *     #define EXACT(name) soi_##name         the prefix of everything made here
 *     #define EXACT_VARIABLES SOI_VARIABLES  how many variables there are
 * and gets struct soi_value, soi_add and so on.
 */
#include <math.h>

struct EXACT(value) {
    double value, by[EXACT_VARIABLES];
};

static inline struct EXACT(value) EXACT(constant)(double c)
{
    return (struct EXACT(value)){c, {0}};
}

static inline struct EXACT(value) EXACT(variable)(double x, int which)
{
    struct EXACT(value) a = {x, {0}};
    a.by[which] = 1;
    return a;
}

/* f(a) with its slope there. */
static inline struct EXACT(value) EXACT(chain)(struct EXACT(value) a, double f, double slope)
{
    a.value = f;
    for (int i = 0; i < EXACT_VARIABLES; i++)
        a.by[i] *= slope;
    return a;
}

/* f(a, b) with its slopes. */
static inline struct EXACT(value)
    EXACT(join)(struct EXACT(value) a, struct EXACT(value) b, double f, double by_a, double by_b)
{
    a.value = f;
    for (int i = 0; i < EXACT_VARIABLES; i++)
        a.by[i] = by_a * a.by[i] + by_b * b.by[i];
    return a;
}

static inline struct EXACT(value) EXACT(line)(double factor, struct EXACT(value) a, double offset)
{
    return EXACT(chain)(a, factor * a.value + offset, factor);
}

static inline struct EXACT(value) EXACT(add)(struct EXACT(value) a, struct EXACT(value) b)
{
    return EXACT(join)(a, b, a.value + b.value, 1, 1);
}

static inline struct EXACT(value) EXACT(subtract)(struct EXACT(value) a, struct EXACT(value) b)
{
    return EXACT(join)(a, b, a.value - b.value, 1, -1);
}

static inline struct EXACT(value) EXACT(multiply)(struct EXACT(value) a, struct EXACT(value) b)
{
    return EXACT(join)(a, b, a.value * b.value, b.value, a.value);
}

static inline struct EXACT(value) EXACT(divide)(struct EXACT(value) a, struct EXACT(value) b)
{
    const double f = a.value / b.value;
    return EXACT(join)(a, b, f, 1 / b.value, -f / b.value);
}

static inline struct EXACT(value) EXACT(root)(struct EXACT(value) a)
{
    const double f = sqrt(a.value);
    return EXACT(chain)(a, f, 0.5 / f);
}

static inline struct EXACT(value) EXACT(log)(struct EXACT(value) a)
{
    return EXACT(chain)(a, log(a.value), 1 / a.value);
}

static inline struct EXACT(value) EXACT(power)(struct EXACT(value) a, double exponent)
{
    const double f = pow(a.value, exponent);
    return EXACT(chain)(a, f, exponent == 0 ? 0 : exponent * f / a.value);
}

/* exp, which goes on as its tangent beyond e^100 as in Berkeley's programs: nothing that a circuit comes to rest at. */
static inline struct EXACT(value) EXACT(exp)(struct EXACT(value) a)
{
    const double far = 100, e = exp(fmin(a.value, far));
    return EXACT(chain)(a, a.value > far ? e * (1 + a.value - far) : e, e);
}

#undef EXACT
#undef EXACT_VARIABLES
