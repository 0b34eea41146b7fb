/* frequency_response.c - see frequency_response.h: H = e^(a + j b), where a and b are straight over the frequency between the
 * points, so that magnitudes are interpolated logarithmically and phases linearly (PSpice A/D Reference Guide, FREQ).
 */
#include "devices/behavioural/frequency_response.h"

#include <math.h>

double complex frequency_table_exponent(const struct frequency_table *t, size_t k)
{
    return CMPLX(t->decibel[k] * (log(10) / 20), t->phase[k] * (RESPONSE_TWO_PI / 360));
}

static double complex of_table(const struct frequency_table *t, double w, double complex *slope)
{
    const double f = w / RESPONSE_TWO_PI;
    const size_t last = t->count - 1;
    size_t k = 0;
    *slope = 0;
    if (f < t->frequency[0] || f > t->frequency[last])
        return 0;
    while (k < last && f >= t->frequency[k + 1])
        k++;
    if (k == last)
        return cexp(frequency_table_exponent(t, k));
    const double width = t->frequency[k + 1] - t->frequency[k];
    const double complex rise = (frequency_table_exponent(t, k + 1) - frequency_table_exponent(t, k)) / width;
    const double complex H = cexp(frequency_table_exponent(t, k) + rise * (f - t->frequency[k]));
    *slope = H * rise / RESPONSE_TWO_PI;
    return H;
}

/* ---- functions of s that are 0/0 at s = 0 ---- */

static double complex of_s(const struct response *r, double complex s, struct phasor *workspace)
{
    const struct phasor at = {s, 0};
    return expression_phasor(r->of_s, &(struct phasor_point){.variables = &at}, workspace).value;
}

/* Around s = 0, on a circle: what is left of a function where it has no value, its mean (Cauchy's integral formula), if it has no poles there,
 * whose parts are the means of s H and s^2 H. */
struct circle {
    double radius;               /* 1/s */
    double complex mean, coarse; /* of all points and of every other one */
    double poles;                /* larger one of |mean of s H| / radius and |mean of s^2 H| / radius^2 */
};

enum { CIRCLE_POINTS = 32 };

static struct circle circle_of(const struct response *r, double radius, struct phasor *workspace)
{
    struct circle c = {.radius = radius};
    double complex first = 0, second = 0;
    for (int k = 0; k < CIRCLE_POINTS; k++) {
        const double complex direction = cexp(_Complex_I * (RESPONSE_TWO_PI * (k + 0.5) / CIRCLE_POINTS));
        const double complex H = of_s(r, radius * direction, workspace) / CIRCLE_POINTS;
        c.mean += H;
        c.coarse += k % 2 ? 2 * H : 0;
        first += direction * H;
        second += direction * direction * H;
    }
    c.poles = fmax(cabs(first), cabs(second));
    return c;
}

/* Half of a double's digits: means of 32 values have more where they are the same. */
static const double SAME = 1e-8;

static bool is_regular(const struct circle *c)
{
    const double most = SAME * cabs(c->mean);
    return most > 0 && isfinite(most) && cabs(c->mean - c->coarse) <= most && c->poles <= most;
}

/* H(0) where the function there is 0/0, as (1 - exp(-s T))/(s T) is: the same on two circles, the largest that do; NAN: there is none. */
static double gain_without_value(const struct response *r, struct phasor *workspace)
{
    struct circle outer = circle_of(r, 1e12, workspace);
    while (outer.radius > 1e-9) {
        const struct circle inner = circle_of(r, outer.radius / 10, workspace);
        if (is_regular(&outer) && is_regular(&inner) && cabs(outer.mean - inner.mean) <= SAME * cabs(inner.mean))
            return creal(inner.mean);
        outer = inner;
    }
    return NAN;
}

double complex frequency_response(const struct response *r, double w, struct phasor *workspace, double complex *slope)
{
    *slope = 0;
    if (r->table)
        return of_table(r->table, w, slope);
    if (!r->of_s)
        return 1;
    const struct phasor s = {_Complex_I * w, _Complex_I};
    const struct phasor H = expression_phasor(r->of_s, &(struct phasor_point){.variables = &s}, workspace);
    if (w == 0 && !(isfinite(creal(H.value)) && isfinite(cimag(H.value))))
        return gain_without_value(r, workspace);
    *slope = H.slope;
    return H.value;
}
