/* discrete_gauss.c - see discrete_gauss.h.
 *
 * Places are the zeros of the polynomial that is orthogonal to all lower ones under the sum over the points, by Stieltjes'
 * procedure (W. Gautschi, Orthogonal Polynomials: Computation and Approximation, 2004, section 2.2.3.1), found by bisection
 * between the zeros of the one before; a weight is 1 over the sum of squares of the normalised polynomials (Christoffel).
 */
#include "devices/linear/discrete_gauss.h"

#include <math.h>

struct recurrence {
    double a[GAUSS_NODES], b[GAUSS_NODES + 1]; /* b_(k+1) p_(k+1) = (t - a_k) p_k - b_k p_(k-1), b_0: 1/p_0 */
};

static void evaluate(const struct recurrence *r, int degree, double t, double p[GAUSS_NODES + 1])
{
    p[0] = 1 / r->b[0];
    for (int k = 0; k < degree; k++)
        p[k + 1] = ((t - r->a[k]) * p[k] - (k > 0 ? r->b[k] * p[k - 1] : 0)) / r->b[k + 1];
}

/* Of points as t = (x - middle)/half. */
static void find_recurrence(struct recurrence *r, const double *points, size_t count, double middle, double half)
{
    *r = (struct recurrence){.b = {sqrt((double)count)}};
    for (int k = 0; k < GAUSS_NODES; k++) {
        double p[GAUSS_NODES + 1], norm = 0;
        for (size_t i = 0; i < count; i++) {
            const double t = (points[i] - middle) / half;
            evaluate(r, k, t, p);
            r->a[k] += t * p[k] * p[k];
        }
        r->b[k + 1] = 1;
        for (size_t i = 0; i < count; i++) {
            evaluate(r, k + 1, (points[i] - middle) / half, p);
            norm += p[k + 1] * p[k + 1];
        }
        r->b[k + 1] = sqrt(norm);
    }
}

static double value(const struct recurrence *r, int degree, double t)
{
    double p[GAUSS_NODES + 1];
    evaluate(r, degree, t, p);
    return p[degree];
}

static double zero_between(const struct recurrence *r, int degree, double low, double high)
{
    const double sign = value(r, degree, low);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if ((value(r, degree, middle) > 0) == (sign > 0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

size_t discrete_gauss(const double *points, size_t count, double places[GAUSS_NODES], double weights[GAUSS_NODES])
{
    struct recurrence r;
    if (count <= GAUSS_NODES) {
        for (size_t i = 0; i < count; i++) {
            places[i] = points[i];
            weights[i] = 1;
        }
        return count;
    }
    const double middle = 0.5 * (points[count - 1] + points[0]), half = 0.5 * (points[count - 1] - points[0]);
    double ends[GAUSS_NODES + 2] = {-1, 1}, zeros[GAUSS_NODES];
    find_recurrence(&r, points, count, middle, half);
    for (int degree = 1; degree <= GAUSS_NODES; degree++) {
        for (int i = 0; i < degree; i++)
            zeros[i] = zero_between(&r, degree, ends[i], ends[i + 1]);
        for (int i = 0; i < degree; i++)
            ends[i + 1] = zeros[i];
        ends[degree + 1] = 1;
    }
    for (int i = 0; i < GAUSS_NODES; i++) {
        double p[GAUSS_NODES + 1], sum = 0;
        evaluate(&r, GAUSS_NODES - 1, zeros[i], p);
        for (int k = 0; k < GAUSS_NODES; k++)
            sum += p[k] * p[k];
        places[i] = middle + half * zeros[i];
        weights[i] = 1 / sum;
    }
    return GAUSS_NODES;
}
