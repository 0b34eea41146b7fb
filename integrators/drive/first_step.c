/* first_step.c - see first_step.h.
 *
 * Linearly implicit Euler steps from (t, x),
 *     (C/tau + G) d(tau) = -f(x, t + tau),
 * need no derivative of sources and serve algebraic unknowns as well.  They err by tau^2 x''/2, which is
 *     d(tau) - 2 d(tau/2)
 * in leading order, or, where equations bend, by what the end of such a step misses them.  Both are small for a current
 * that begins to rise from zero along a straight line, however steep.  Errors count relative to what a signal becomes
 * within the step.
 */
#include "integrators/drive/first_step.h"

#include "base/rounding.h"

#include "integrators/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of shorter and shorter steps, where the slowest and the fastest are 12 decades apart. */
enum { ROUNDS = 12, LATE = 8 };
/* Factor on tau from one round to the next, at least: further away the leading term tells little. */
static const double SHRINK = 1e-3;
/* Steps that aim at the tolerance may come ever nearer to the one that has it.  In the last rounds, from LATE on, they aim at this
 * part of it. */
static const double LATE_AIM = 0.5;

enum kn_status first_step_init(struct first_step *s, const struct dae *dae, double relative)
{
    const size_t n = (size_t)dae->n;
    memset(s, 0, sizeof *s);
    s->dae = dae;
    s->factored = s->last = NAN;
    s->G = sparse_values(dae->pattern);
    s->C = sparse_values(dae->pattern);
    s->matrix = sparse_values(dae->pattern);
    s->whole = calloc(n, sizeof(double));
    s->half = calloc(n, sizeof(double));
    s->x = calloc(n, sizeof(double));
    s->q = calloc(n, sizeof(double));
    s->q_begin = calloc(n, sizeof(double));
    const bool complete = s->G && s->C && s->matrix && s->whole && s->half && s->x && s->q && s->q_begin;
    enum kn_status status = complete ? KN_OK : KN_ERROR_MEMORY;
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
    double *const arrays[] = {s->G, s->C, s->matrix, s->whole, s->half, s->x, s->q, s->q_begin};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    memset(s, 0, sizeof *s);
}

/* Whether the factors at hand are those of C/tau + G: of a linear problem they stay. */
static bool is_factored(const struct first_step *s, double tau)
{
    return s->dae->linear && fabs(s->factored - tau) <= ROUNDING_SAME * tau;
}

/* Factors C/tau + G; false when it is singular or a status ends the run. */
static bool factor(struct first_step *s, double tau)
{
    for (int k = 0; k < s->dae->pattern->entries; k++)
        s->matrix[k] = s->G[k] + s->C[k] / tau;
    const enum kn_status factored = sparse_lu_factor(s->lu, s->matrix);
    s->status = factored == KN_ERROR_MEMORY ? factored : KN_OK;
    s->factored = factored == KN_OK ? tau : NAN;
    return factored == KN_OK;
}

/* d := d(tau); false when the matrix is singular or a status ends the run. */
static bool solve_euler(struct first_step *s, double t, const double *x, double tau, double *d)
{
    const struct dae *dae = s->dae;
    const bool at_hand = is_factored(s, tau);
    struct dae_values out = {.f = d, .G = s->G, .C = s->C};
    s->status = dae->eval(dae->problem, t + tau, x, at_hand ? DAE_F : DAE_F | DAE_G | DAE_C, &out);
    if (s->status != KN_OK || (!at_hand && !factor(s, tau)))
        return false;
    for (int i = 0; i < dae->n; i++)
        d[i] = -d[i];
    sparse_lu_solve(s->lu, d);
    return true;
}

/* half := what the end of the step in s->x misses the equations by, carried to x by the matrix of the half step. */
static bool find_curvature(struct first_step *s, double t, double tau)
{
    const struct dae *dae = s->dae;
    struct dae_values out = {.f = s->half, .q = s->q};
    s->status = dae->eval(dae->problem, t + tau, s->x, DAE_F | DAE_Q, &out);
    if (s->status != KN_OK)
        return false;
    for (int i = 0; i < dae->n; i++)
        s->half[i] += (s->q[i] - s->q_begin[i]) / tau;
    sparse_lu_solve(s->lu, s->half);
    return true;
}

/* In tolerances, of an Euler step of size tau. */
static bool find_error(struct first_step *s, double t, const double *x, double tau, double *error)
{
    const bool half_first = is_factored(s, 0.5 * tau);
    if (half_first && !solve_euler(s, t, x, 0.5 * tau, s->half))
        return false;
    if (!solve_euler(s, t, x, tau, s->whole) || (!half_first && !solve_euler(s, t, x, 0.5 * tau, s->half)))
        return false;
    for (int i = 0; i < s->dae->n; i++) {
        s->x[i] = x[i] + s->whole[i];
        s->half[i] = s->whole[i] - 2 * s->half[i];
    }
    tolerance_weigh(&s->tolerance, s->x);
    *error = tolerance_norm(&s->tolerance, s->dae->classes, CLASSES_DRIVING, s->half, NULL);
    if (s->dae->linear || *error > 1)
        return true;
    if (!find_curvature(s, t, tau))
        return false;
    *error = fmax(*error, tolerance_norm(&s->tolerance, s->dae->classes, CLASSES_DRIVING, s->half, NULL));
    return true;
}

enum kn_status first_step_propose(struct first_step *s, double t, const double *x, double longest, double *step)
{
    if (isnan(s->last))
        tolerance_reset(&s->tolerance, x);
    else
        tolerance_update(&s->tolerance, x, t - s->last);
    s->last = t;
    struct dae_values out = {.q = s->q_begin};
    s->status = s->dae->linear ? KN_OK : s->dae->eval(s->dae->problem, t, x, DAE_Q, &out);
    if (s->status != KN_OK)
        return s->status;
    *step = longest;
    s->error = INFINITY;
    double first = longest; /* what the first error suggests */
    for (int round = 0; round < ROUNDS; round++) {
        double error;
        if (!find_error(s, t, x, *step, &error))
            break; /* so short a step makes the matrix singular, and is none to begin with */
        s->error = error;
        if (error <= 1)
            return KN_OK;
        *step *= fmax(SHRINK, sqrt((round < LATE ? 1 : LATE_AIM) / error));
        first = round == 0 ? *step : first;
    }
    *step = first; /* something jumps, which no step resolves */
    return s->status;
}
