/* first_step.c - see first_step.h.
 *
 * The slope is that of one linearly implicit Euler step of a small size tau,
 *     (C/tau + G) d = -f(x, t + tau),   x' = d / tau,
 * which needs no derivative of sources and serves algebraic unknowns as well.  In a step of order 1 with error h^2
 * x''/2 = tol a signal moves by about sqrt(2/reltol) tolerances if it changes as fast as its slope, so that much is
 * allowed.
 */
#include "integrators/first_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };
static const double PROBE = 1e-3; /* tau in units of the step that is being judged */

enum kn_status first_step_init(struct first_step *s, const struct dae *dae, double relative)
{
    memset(s, 0, sizeof *s);
    s->dae = dae;
    s->G = sparse_values(dae->pattern);
    s->C = sparse_values(dae->pattern);
    s->matrix = sparse_values(dae->pattern);
    s->f = calloc((size_t)dae->n, sizeof *s->f);
    s->slope = calloc((size_t)dae->n, sizeof *s->slope);
    enum kn_status status = s->G && s->C && s->matrix && s->f && s->slope ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = tolerance_init(&s->tolerance, dae, relative);
    if (status == KN_OK)
        status = sparse_lu_new(dae->pattern, &s->lu);
    if (status != KN_OK)
        first_step_free(s);
    return status;
}

void first_step_free(struct first_step *s)
{
    sparse_lu_free(s->lu);
    tolerance_free(&s->tolerance);
    double *const arrays[] = {s->G, s->C, s->matrix, s->f, s->slope};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    memset(s, 0, sizeof *s);
}

/* Tolerances per second at which x moves, judged over tau; INFINITY when that cannot be said. */
static enum kn_status find_speed(struct first_step *s, double t, const double *x, double tau, double *speed)
{
    const struct dae *dae = s->dae;
    struct dae_values out = {.f = s->f, .G = s->G, .C = s->C};
    const enum kn_status status = dae->eval(dae->problem, t + tau, x, DAE_F | DAE_G | DAE_C, &out);
    if (status != KN_OK)
        return status;
    for (int k = 0; k < dae->pattern->entries; k++)
        s->matrix[k] = s->G[k] + s->C[k] / tau;
    *speed = INFINITY;
    const enum kn_status factored = sparse_lu_factor(s->lu, s->matrix);
    if (factored != KN_OK)
        return factored == KN_ERROR_MEMORY ? factored : KN_OK;
    for (int i = 0; i < dae->n; i++)
        s->slope[i] = -s->f[i] / tau;
    sparse_lu_solve(s->lu, s->slope);
    int worst;
    *speed = tolerance_norm(&s->tolerance, dae->classes, s->slope, &worst);
    return KN_OK;
}

enum kn_status first_step_propose(struct first_step *s, double t, const double *x, double longest, double *step)
{
    if (s->started)
        tolerance_update(&s->tolerance, x);
    else
        tolerance_reset(&s->tolerance, x);
    s->started = true;
    const double allowed = sqrt(1 / s->tolerance.relative);
    *step = longest;
    for (int round = 0; round < ROUNDS; round++) {
        double speed;
        const enum kn_status status = find_speed(s, t, x, PROBE * *step, &speed);
        if (status != KN_OK)
            return status;
        const double fitting = allowed / speed;
        if (fitting >= *step * PROBE) { /* the probe was shorter than what it proposes */
            *step = fmin(*step, fitting);
            return KN_OK;
        }
        *step *= PROBE;
    }
    return KN_OK;
}
