/* charge_errors.c - the error estimate of methods whose embedded formula is one order worse in algebraic unknowns than in
 * others, or damps differently at infinity: e = sum (b_i - b^_i) k_i would be of an order less, and would not even vanish
 * with h when x_n misses the algebraic equations.
 *
 * The error of the charges is taken and carried to x by one solve, e = alpha (alpha C + G)^-1 sum (b_i - b^_i) l_i, and
 * the plain one counts with the power of its lower order, lest nothing watch the algebraic unknowns.
 */
#include "integrators/study/rosenbrock_study.h"

#include <math.h>

/* b - embedded where a tableau has no weights of its own. */
static const double *weights(const double *own, const struct rosenbrock *m)
{
    for (int i = 0; i < ROSENBROCK_STAGES; i++)
        if (own[i] != 0)
            return own;
    return m->sums.embedded;
}

/* The weighted estimate of another order than the method's as one of its order. */
static double as_error(const struct rosenbrock *m, double power)
{
    const struct onestep *o = &m->onestep;
    const double size = control_error(&o->control, o->error, 0).end;
    return pow(size, power) * pow(o->options.relative, power - 1);
}

/* The second estimate, from the charges; the one that counts as it is stays in onestep.error.  false: it is not finite. */
static bool estimate_charges(struct rosenbrock *m, const struct charge_errors *e)
{
    struct onestep *o = &m->onestep;
    const struct rosenbrock_tableau *t = m->tableau;
    const int n = o->base.dae->n;
    double *plain = o->error;
    onestep_combine(n, NULL, t->stages, weights(e->plain, m), m->k, plain);
    if (e->plain_power != 1)
        o->other_error = as_error(m, e->plain_power);
    onestep_combine(n, NULL, t->stages, weights(e->charge, m), m->l, m->right);
    for (int i = 0; i < n; i++)
        m->right[i] *= o->alpha;
    if (!onestep_solve(o, m->right))
        return false;
    o->error = m->right;
    m->right = plain;
    if (e->charge_power == 1)
        return true;
    o->other_error = as_error(m, e->charge_power);
    m->right = o->error;
    o->error = plain;
    return true;
}

void charge_errors_step(struct integrator *base, const struct charge_errors *e, double to, struct step_report *report)
{
    struct rosenbrock *m = (struct rosenbrock *)base;
    if (rosenbrock_begin(m, to, report))
        return;
    const enum newton_outcome outcome = rosenbrock_attempt(m, to);
    const bool good = outcome != NEWTON_CONVERGED || estimate_charges(m, e);
    rosenbrock_end(m, to, good ? outcome : NEWTON_NOT_FINITE, report);
}
