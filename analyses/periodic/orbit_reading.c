/* orbit_reading.c - what an orbit says between its points, and orbits on other steps. */
#include "analyses/periodic/orbit.h"
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3 };

/* Errors of steps of half the length, of order 5 or a little less; and what rounding leaves of that. */
static const double TIMES_FINER = 16, FINEST = 1e-12;

struct orbit_place orbit_place(const struct orbit *o, double part)
{
    int low = 0, high = o->steps - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (part > o->part[middle + 1])
            low = middle + 1;
        else
            high = middle;
    }
    const double h = o->period * (o->part[low + 1] - o->part[low]);
    const double theta = (part - o->part[low]) / (o->part[low + 1] - o->part[low]);
    struct orbit_place p = {.first = STAGES * (size_t)o->n * (size_t)low};
    radau_value_weights(o->tableau, theta, p.value);
    radau_slope_weights(o->tableau, theta, p.slope);
    for (int i = 0; i <= STAGES; i++)
        p.slope[i] /= h;
    return p;
}

void orbit_at(const struct orbit *o, double part, double *x, double *dxdt)
{
    const struct orbit_place p = orbit_place(o, part);
    const double *from = o->x + p.first;
    const size_t n = (size_t)o->n;
    for (size_t k = 0; k < n; k++) {
        double at = 0, rate = 0;
        for (size_t i = 0; i <= STAGES; i++) {
            at += p.value[i] * from[i * n + k];
            rate += p.slope[i] * from[i * n + k];
        }
        x[k] = at;
        if (dxdt)
            dxdt[k] = rate;
    }
}

const double *orbit_end(const struct orbit *o)
{
    return o->x + STAGES * (size_t)o->steps * (size_t)o->n;
}

void orbit_rescale(struct orbit *o)
{
    for (int k = 0; k < o->n; k++) {
        double largest = 0;
        for (size_t i = 0; i <= STAGES * (size_t)o->steps; i++)
            largest = fmax(largest, fabs(o->x[i * (size_t)o->n + (size_t)k]));
        o->scale[k] = 1 / (o->closed * (o->relative * largest + o->dae->absolute[k]));
    }
}

double orbit_swing(const struct orbit *o, int unknown)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i <= STAGES * (size_t)o->steps; i++) {
        low = fmin(low, o->x[i * (size_t)o->n + (size_t)unknown]);
        high = fmax(high, o->x[i * (size_t)o->n + (size_t)unknown]);
    }
    return high - low;
}

enum kn_status orbit_halve_steps(const struct orbit *o, struct orbit *out)
{
    const enum kn_status status = orbit_new(o->dae, 2 * o->steps, out);
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)o->n;
    out->start = o->start;
    out->period = o->period;
    out->accuracy = fmax(o->accuracy / TIMES_FINER, FINEST);
    memcpy(out->x, o->x, n * sizeof(double));
    out->closed = o->closed;
    out->relative = o->relative;
    memcpy(out->scale, o->scale, n * sizeof(double));
    for (int i = 0; i < o->steps; i++) {
        out->part[2 * i + 1] = 0.5 * (o->part[i] + o->part[i + 1]);
        out->part[2 * i + 2] = o->part[i + 1];
    }
    for (int i = 0; i < out->steps; i++)
        for (int k = 0; k < STAGES; k++)
            orbit_at(o, out->part[i] + o->tableau->c[k] * (out->part[i + 1] - out->part[i]),
                     out->x + n + (STAGES * (size_t)i + (size_t)k) * n, NULL);
    return KN_OK;
}

double orbit_distance(const struct orbit *coarse, const struct orbit *fine, const double *weights)
{
    const size_t n = (size_t)coarse->n;
    double size = 0, *x = malloc((n + 1) * sizeof *x);
    if (!x)
        return INFINITY;
    for (size_t i = 0; i <= (size_t)coarse->steps; i++) {
        orbit_at(fine, coarse->part[i], x, NULL);
        for (size_t k = 0; k < n; k++)
            size = fmax(size, weights[k] * fabs(coarse->x[STAGES * i * n + k] - x[k]));
    }
    free(x);
    return size;
}

/* ---- from a run in time ---- */

enum kn_status orbit_record_step(struct orbit_record *r, struct integrator *m)
{
    const size_t n = r->n, count = r->steps + 1;
    const struct radau_tableau *tableau = &radau_tableaus[0];
    if (!array_resize(&r->ends, count, sizeof *r->ends) ||
        !array_resize(&r->stages, count * STAGES * n, sizeof(double)))
        return KN_ERROR_MEMORY;
    while (tableau->stages != STAGES)
        tableau++;
    for (size_t i = 0; i < STAGES; i++)
        m->class->interpolate(m, m->previous + tableau->c[i] * (m->t - m->previous),
                              r->stages + (r->steps * STAGES + i) * n, NULL);
    r->ends[r->steps++] = m->t;
    return KN_OK;
}

void orbit_record_free(struct orbit_record *r)
{
    free(r->ends);
    free(r->stages);
}

enum kn_status orbit_of_record(const struct dae *dae, const struct orbit_record *r, double from, double duration,
                               const double *x, struct orbit *out)
{
    const enum kn_status status = orbit_new(dae, (int)r->steps, out);
    if (status != KN_OK)
        return status;
    out->start = from;
    out->period = duration;
    memcpy(out->x, x, r->n * sizeof(double));
    memcpy(out->x + r->n, r->stages, r->steps * STAGES * r->n * sizeof(double));
    for (size_t i = 0; i < r->steps; i++)
        out->part[i + 1] = (r->ends[i] - from) / duration;
    out->part[r->steps] = 1;
    return KN_OK;
}
