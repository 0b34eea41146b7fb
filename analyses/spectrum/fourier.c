/* fourier.c - see fourier.h. */
#include "analyses/spectrum/fourier.h"

#include "analyses/measure/curve.h"

#include <math.h>

enum { MOST = 10, BEYOND = 30 };

/* Upwards the recurrence (10.1.19) is stable as long as n < c. */
static void upwards(double c, int count, double *j)
{
    j[0] = sin(c) / c;
    if (count > 1)
        j[1] = (j[0] - cos(c)) / c;
    for (int n = 2; n < count; n++)
        j[n] = (2 * n - 1) / c * j[n - 1] - j[n - 2];
}

/* Miller's algorithm: downwards from far above, and scaled by sum (2 n + 1) j_n^2 = 1 (10.1.50). */
static void downwards(double c, int count, double *j)
{
    double above = 0, here = 1e-30, sum = 0;
    double kept[MOST + 1] = {0};
    for (int n = BEYOND; n >= 0; n--) {
        sum += (2 * n + 1) * here * here;
        if (n < MOST)
            kept[n] = here;
        const double below = (2 * n + 1) / c * here - above;
        above = here;
        here = below;
        if (fabs(here) > 1e50) { /* squares must neither overflow nor vanish */
            above *= 1e-100;
            here *= 1e-100;
            sum *= 1e-200;
            for (int i = 0; i < MOST; i++)
                kept[i] *= 1e-100;
        }
    }
    /* Where j_0 is small, j_1 tells the sign. */
    const double size = sqrt(sum), j0 = sin(c) / c, j1 = (j0 - cos(c)) / c;
    const double reference = fabs(j0) > fabs(j1) ? j0 * kept[0] : j1 * kept[1];
    for (int n = 0; n < count; n++)
        j[n] = (reference < 0 ? -1 : 1) * kept[n] / size;
}

void fourier_bessel(double c, int count, double *j)
{
    if (c > count) {
        upwards(c, count, j);
    } else if (c > 1e-3) {
        downwards(c, count, j);
    } else { /* c^n/(2n+1)!! (1 - c^2/(2(2n+3)) + ..) (10.1.2) */
        double lead = 1;
        for (int n = 0; n < count; n++) {
            lead *= n > 0 ? c / (2 * n + 1) : 1;
            j[n] = lead * (1 - c * c / (2 * (2 * n + 3)) * (1 - c * c / (4 * (2 * n + 5))));
        }
    }
}

/* a_n = (2n+1)/2 * integral of p P_n, by Gauss's formula, which is exact for it. */
static void legendre(const double *values, size_t stride, double a[CURVE_GAUSS])
{
    for (int n = 0; n < CURVE_GAUSS; n++)
        a[n] = 0;
    for (int k = 1; k <= CURVE_GAUSS; k++) {
        const double x = 2 * curve_nodes[k] - 1, y = curve_weights[k] * values[(size_t)k * stride];
        double before = 0, p = 1;
        for (int n = 0; n < CURVE_GAUSS; n++) {
            a[n] += (2 * n + 1) * y * p;
            const double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
            before = p;
            p = next;
        }
    }
}

void fourier_add(double from, double to, const double *values, size_t stride, double origin, double w,
                 double complex *sums, size_t count)
{
    static const double complex turns[] = {1, -_Complex_I, -1, _Complex_I};
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to) - origin;
    double a[CURVE_GAUSS], j[CURVE_GAUSS];
    legendre(values, stride, a);
    for (size_t k = 0; k < count; k++) {
        double complex sum = 0;
        fourier_bessel((double)k * w * half, CURVE_GAUSS, j);
        for (int n = 0; n < CURVE_GAUSS; n++)
            sum += a[n] * j[n] * turns[n % 4];
        const double angle = (double)k * w * middle;
        sums[k] += 2 * half * sum * CMPLX(cos(angle), -sin(angle));
    }
}
