/* noise_formula.c - noise in the values of the constraints, beyond the rounding of their terms: a formula that cancels
 * ((sin(time) + 1e8) - 1e8), sin() of a large argument, a table in single precision.
 *
 * Differences of high order of a smooth function vanish, those of noise do not: at equal distances the sixth difference
 * of independent errors of variance s^2 has the variance 924 s^2 (J. More and S. Wild, Estimating computational noise,
 * SIAM J. Sci. Comput. 33, 2011).
 */
#include "mna/watch/noise_parts.h"

#include "base/rounding.h"

#include <math.h>

/* Distance of the points as a part of the step, as a power of two: so near to each other that smooth functions of it
 * have no sixth difference.  In x they are apart by a part of its value. */
enum { PART_OF_STEP = -8, LEAST_ROUNDINGS = 4 };
static const double PART_OF_VALUE = 0x1p-22;

static const double sixth_difference[FORMULA_POINTS] = {1, -6, 15, -20, 15, -6, 1};

/* Points that floating-point numbers hit exactly: multiples of the distance. */
static double last_point(double t, double distance)
{
    return floor(t / distance) * distance;
}

static enum kn_status sample(struct noise *s, double t, double distance, const double *x)
{
    const struct dae *dae = mna_dae(s->mna);
    enum kn_status status = KN_OK;
    for (int j = 0; j < FORMULA_POINTS && status == KN_OK; j++) {
        struct dae_values values = {.f = s->sample[j]};
        for (int i = 0; i < s->n; i++)
            s->x[i] = x[i] * (1 - j * PART_OF_VALUE);
        status = dae->eval(dae->problem, last_point(t, distance) - j * distance, s->x, DAE_F, &values);
    }
    return status;
}

enum kn_status noise_scan_formulas(struct noise *s, double t, double h, const double *x)
{
    const double distance = ldexp(1, ilogb(h) + PART_OF_STEP), uniform = sqrt(3);
    if (distance < LEAST_ROUNDINGS * DBL_EPSILON * fabs(t))
        return KN_OK;
    const enum kn_status status = sample(s, t, distance, x);
    for (int i = 0; i < s->n && status == KN_OK; i++) {
        double difference = 0;
        for (int j = 0; j < FORMULA_POINTS; j++)
            difference += sixth_difference[j] * s->sample[j][i];
        const double noise = uniform * fabs(difference) / sqrt(924);
        if (isfinite(noise) && noise > ROUNDING_SUM * s->theta[0][i] /* what rounding of the terms explains alone */)
            s->formula[i] = fmax(s->formula[i], noise);
    }
    return status;
}
