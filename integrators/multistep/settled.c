/* settled.c - see settled.h.
 *
 * Implicit Euler with z = h / tau takes a component that decays by exp(-t / tau) from J to J / (1 + z): its error is J z^2 / 2 for
 * short steps and J / z for long ones, so that it is small where the transient is resolved and where it is over.  The estimate by
 * divided differences, carried to x by the factors of the step, is  J z^2 / (2 (1 + z)^2):  half the way, however much longer than
 * tau the step is.  Each power of A = (G + alpha C)^-1 alpha C, alpha = 1/h, which is 1 / (1 + z) there, is what a further step of
 * that size leaves of it (Hairer and Wanner, Solving ODEs II, 1996, IV.8, filter the estimate of Radau IIA a second time likewise, at
 * first steps and where the first estimate is too large).  A e, J z^2 / (2 (1 + z)^3), is the error of the end but for a factor of 2.
 *
 * A is taken of sizes |e|.  Where equations bend, what goes one way or the other within the transient is not what the matrix at its
 * end says: the charge that a diode has left on a large capacitor.  What such a slow unknown changes by in the step stays in A |e|
 * as it is, since its row of A is about 1 at itself, while A e may cancel it.
 *
 * Unknowns without a memory keep their estimates: they have no transient, but what they do within the step goes into charges with one
 * weight, that of its end.  And where currents of inductors add to zero (L-I cutset), A takes out what they violate that by, though
 * voltages are its slope: there nothing is known of what has settled.
 *
 * An unstable component, exp(+t / tau), is multiplied by 1 / (1 - z): steps much longer than tau end near the point that it should
 * leave.  det(G + alpha C) changes its sign at each alpha = 1 / tau of one; so between this step's alpha and that of one that would
 * resolve the transient their number is odd where the signs differ, as it is on the ridge between the two states of a latch.
 */
#include "integrators/multistep/settled.h"

#include <math.h>
#include <string.h>

static bool has_memory(const struct dae *dae, size_t i)
{
    return !dae->classes || dae->classes[i] == DAE_DIFFERENTIAL;
}

bool settled_is_known(const struct multistep *m)
{
    const struct dae *dae = m->base.dae;
    for (int i = 0; i < dae->n && dae->classes && dae->potentials; i++)
        if (dae->potentials[i] && dae->classes[i] == DAE_INDEX2)
            return false;
    return true;
}

void settled_begin(struct multistep *m)
{
    for (int i = 0; i < m->base.dae->n; i++)
        m->settled[i] = fabs(m->error[i]);
}

double settled_error(struct multistep *m, int times, int *worst)
{
    const struct dae *dae = m->base.dae;
    const size_t n = (size_t)dae->n;
    double *const e = m->settled;
    for (int k = 0; k < times; k++) {
        memset(m->carried, 0, n * sizeof *m->carried);
        sparse_multiply_add(dae->pattern, m->newton.C, e, m->carried);
        newton_back_solve(&m->newton, m->carried);
        for (size_t i = 0; i < n; i++)
            e[i] = has_memory(dae, i) ? m->newton.alpha * fabs(m->carried[i]) : e[i];
    }
    const struct step_error size = control_error(&m->control, e, *worst);
    *worst = size.worst;
    return size.end;
}

void settled_take(struct multistep *m)
{
    memcpy(m->error, m->settled, (size_t)m->base.dae->n * sizeof *m->error);
    m->soft_error = control_error(&m->control, m->error, 0).soft;
}

/* -1, 1; 0: not known. */
static int sign_at(struct multistep *m, double alpha)
{
    const bool factored = newton_linearize(&m->newton, m->end, history_candidate_x(&m->history), alpha);
    return factored ? sparse_lu_sign(m->newton.lu) : 0;
}

bool settled_is_stable(struct multistep *m, double resolved)
{
    const int there = sign_at(m, 1 / resolved), here = sign_at(m, m->alpha);
    return there * here > 0;
}
