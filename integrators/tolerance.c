/* tolerance.c - how errors are weighed.
 *
 * The maximum norm is used, not the Euclidean mean: each signal is to be within its tolerance, however many quiet ones
 * are around it.
 */
#include "integrators/integrator.h"

#include <math.h>
#include <stdlib.h>

/* The largest value of a signal fades by this factor a step: zero crossings do not ask for absolute accuracy, a signal
 * that decays over many decades is followed all the way down. */
static const double REMEMBERED = 0.97;

/* Tolerances within which calibration is measured. */
static const double TIGHTEST = 1e-6, LOOSEST = 1e-1;

double integrator_part(const struct integrator_class *class, const struct dae *dae, double relative)
{
    const struct calibration c = dae->linear ? class->linear : class->nonlinear;
    return c.part * pow(fmax(fmin(relative, LOOSEST), TIGHTEST) / 1e-3, 1 / c.order);
}

enum kn_status tolerance_init(struct tolerance *s, const struct dae *dae, double relative)
{
    *s = (struct tolerance){.n = dae->n, .relative = relative, .part = 1, .fading = 1, .absolute = dae->absolute};
    s->largest = calloc((size_t)dae->n, sizeof(double));
    s->weights = calloc((size_t)dae->n, sizeof(double));
    tolerance_forget_jump(s);
    if (s->largest && s->weights)
        return KN_OK;
    tolerance_free(s);
    return KN_ERROR_MEMORY;
}

void tolerance_free(struct tolerance *s)
{
    free(s->largest);
    free(s->weights);
    s->largest = s->weights = NULL;
}

void tolerance_reset(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n; i++) {
        s->largest[i] = fabs(x[i]);
        s->weights[i] = 1 / (s->part * (s->relative * s->largest[i] + s->absolute[i]));
    }
}

void tolerance_weigh(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n; i++)
        s->weights[i] = 1 / (s->part * (s->relative * fmax(fabs(x[i]), s->largest[i]) + s->absolute[i]));
}

double tolerance_fading(const struct tolerance *s, double usual)
{
    return s->fading < 1 ? pow(usual, s->fading) : usual;
}

void tolerance_update(struct tolerance *s, const double *x)
{
    const double remembered = tolerance_fading(s, REMEMBERED);
    for (int i = 0; i < s->n; i++) {
        s->largest[i] = fmax(fabs(x[i]), remembered * s->largest[i]);
        s->weights[i] = 1 / (s->part * (s->relative * s->largest[i] + s->absolute[i]));
    }
}

/* Errors of algebraic unknowns are not handed on to later steps.  Where such an unknown jumps (the voltage over a
 * blocking diode without capacitance), every step across the jump has a large error, and where it is nearly the
 * derivative of a charge (an inductor that this diode ends), what Newton leaves in the charge reaches it divided by the
 * step (Arnold 1996, Table 2.1): below some step shorter ones help nobody. */
void tolerance_set_step(struct tolerance *s, double step)
{
    s->lenient = step <= s->finest;
    s->fading = s->lenient && s->finest > 0 ? fmin(1, 10 * step / s->finest) : 1;
}

/* Part of the first of such steps that is short enough to tell; errors that fall more slowly than the steps by this
 * factor tell of a jump. */
static const double UNRESOLVED = 0.01, SLOWLY = 5;
/* In units of time: steps that leave no room to be cut and cut again. */
static const double SHORTEST = 1e-12;

void tolerance_forget_jump(struct tolerance *s)
{
    s->rejected.time = -INFINITY;
}

bool tolerance_sees_jump(struct tolerance *s, double time, double step, double error)
{
    if (step > s->finest)
        return false;
    if (!(time - s->rejected.time <= s->finest)) {
        s->rejected.time = time;
        s->rejected.step = step;
        s->rejected.error = error;
    }
    const double part = step / s->rejected.step;
    return step <= SHORTEST * fabs(time) || (part <= UNRESOLVED && error > SLOWLY * part * s->rejected.error);
}

static bool controls(const struct tolerance *s, const enum dae_class *classes, int i)
{
    return !classes || classes[i] == DAE_DIFFERENTIAL || (classes[i] == DAE_INDEX1 && !s->lenient);
}

double tolerance_norm(const struct tolerance *s, const enum dae_class *classes, const double *e, int *worst)
{
    double norm = 0;
    for (int i = 0; i < s->n; i++) {
        if (!controls(s, classes, i))
            continue;
        const double size = fabs(e[i]) * s->weights[i];
        if (!(size <= norm)) {
            norm = size;
            *worst = i;
        }
    }
    return isnan(norm) ? INFINITY : norm;
}

double tolerance_norm_of_followers(const struct tolerance *s, const enum dae_class *classes, const double *e)
{
    double norm = 0;
    for (int i = 0; i < s->n; i++)
        if (!controls(s, classes, i))
            norm = fmax(norm, fabs(e[i]) * s->weights[i]);
    return norm;
}

double tolerance_unsure(const struct tolerance *s, const struct integrator *m, const double *missed, double smooth)
{
    const enum dae_class *classes = m->dae->classes;
    double norm = 0;
    for (int i = 0; i < s->n; i++) {
        if ((m->watched && !m->watched[i]) || (classes && classes[i] == DAE_INDEX2))
            continue;
        const double part = !classes || classes[i] == DAE_DIFFERENTIAL ? smooth : INTERPOLATED;
        norm = fmax(norm, part * fabs(missed[i]) * s->weights[i]);
    }
    return norm;
}

double tolerance_norm_below_index2(const struct tolerance *s, const enum dae_class *classes, const bool *watched,
                                   const double *e)
{
    double norm = 0;
    for (int i = 0; i < s->n; i++)
        if ((!watched || watched[i]) && (!classes || classes[i] != DAE_INDEX2))
            norm = fmax(norm, fabs(e[i]) * s->weights[i]);
    return norm;
}
