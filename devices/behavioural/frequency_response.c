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

double complex frequency_response(const struct response *r, double w, struct phasor *workspace, double complex *slope)
{
    *slope = 0;
    if (r->table)
        return of_table(r->table, w, slope);
    if (!r->of_s)
        return 1;
    const struct phasor s = {_Complex_I * w, _Complex_I};
    const struct phasor H = expression_phasor(r->of_s, &(struct phasor_point){.variables = &s}, workspace);
    *slope = H.slope;
    return H.value;
}
