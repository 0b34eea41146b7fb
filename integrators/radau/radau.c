/* radau.c - Radau IIA for q(x)' + f(x, t) = 0 with 1, 2, 3, 5 or 7 stages (orders 1, 3, 5, 9, 13).
 *
 * The last stage is the new point, so algebraic equations and constraints hold there (stiffly accurate).  Stages: see
 * radau_stages.c.  Error estimate filtered by the real factor (Hairer and Wanner, Solving ODEs II, 1996, IV.8.20),
 * predictive step control (8.25; Gustafsson 1994), tolerance carried over to the order of the estimate, number of
 * stages by the speed of Newton's convergence (Hairer and Wanner, J. Comp. Appl. Math. 111, 1999).  Starting values and
 * dense output from the collocation polynomial.
 *
 * Circuits ask for more than smooth stiff equations do: see radau_rescue.c.  Steps so short that output shows nothing of
 * them come to that at once.
 */
#include "integrators/radau/radau.h"
#include "integrators/methods.h"

#include <math.h>
#include <string.h>

enum { FAILURES_BEFORE_RESCUE = 2 }; /* of the Newton iteration at one time */

/* ---- life ---- */

static void radau_destroy(struct integrator *base)
{
    struct radau *m = (struct radau *)base;
    radau_stages_free(&m->stages);
    newton_free(&m->rescue);
    control_free(&m->control);
    arena_free(base->memory);
}

static bool allocate(struct radau *m)
{
    const size_t n = (size_t)m->base.dae->n;
    double **const vectors[] = {&m->absolute,     &m->x,     &m->q,      &m->f,    &m->error,     &m->point,
                                &m->predicted,    &m->begin, &m->smooth, &m->rest, &m->next_rest, &m->carried_smooth,
                                &m->carried_rest, NULL};
    bool complete = arena_vectors(m->base.memory, n, vectors);
    for (int i = 0; i < radau_tableaus[m->highest].stages; i++)
        complete = (m->X[i] = arena_array(m->base.memory, n, sizeof(double))) != NULL && complete;
    return complete;
}

/* A stage goes several steps of a multistep method far; what is recent fades accordingly.  Only that counts: steps are long and their
 * estimate is of order 3, and with means since the start charges with kinks were off by up to 12 tolerances at a reltol of 1e-5
 * (test_charge_kinks), and tests/decks/hard/scatter had 130,758 rows at 1e-5 instead of 129 (TOLERANCE_LEFT_BY_LONG). */
static enum kn_status make_parts(struct radau *m)
{
    const struct dae *dae = m->base.dae;
    const struct newton_options newton = {0.1 * m->options.relative, m->options.kappa, m->options.max_iterations, 0,
                                          false};
    enum kn_status status = control_init(&m->control, dae, &m->options, &control_implicit);
    if (status == KN_OK)
        status = radau_stages_init(&m->stages, m->base.memory, dae, &m->control.tolerance,
                                   radau_tableaus[m->highest].stages);
    if (status == KN_OK)
        status = newton_init(&m->rescue, dae, &newton);
    if (status == KN_OK && !allocate(m))
        status = KN_ERROR_MEMORY;
    m->control.tolerance.absolute = m->absolute;
    m->control.tolerance.left = TOLERANCE_LEFT_BY_LONG;
    m->control.tolerance.short_sighted |= !dae_remembers(dae);
    m->stages.kappa = m->options.kappa;
    m->stages.relative = m->options.relative;
    return status;
}

static enum kn_status create_between(int lowest, int highest, const struct integrator_class *class,
                                     const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    *out = NULL;
    struct radau *m = integrator_new(sizeof *m, class, dae, o);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base.keeps_step = m->base.one_step = true;
    m->base.tolerance = &m->control.tolerance;
    m->options = *o;
    m->lowest = lowest;
    m->highest = highest;
    const enum kn_status status = make_parts(m);
    if (status == KN_OK)
        *out = &m->base;
    else
        radau_destroy(&m->base);
    return status;
}

static enum kn_status radau_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    int highest = o->fixed_step > 0 && o->max_order <= 0 ? FIRST_CHOICE : RADAU_TABLEAUS - 1;
    while (o->max_order > 0 && highest > 0 && 2 * radau_tableaus[highest].stages - 1 > o->max_order)
        highest--;
    return create_between(o->fixed_step > 0 ? highest : 0, highest, &integrator_radau, dae, o, out);
}

static enum kn_status radau5_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    return create_between(2, 2, &integrator_radau5, dae, o, out);
}

static enum kn_status radau_restart(struct integrator *base, double t, const double *x)
{
    struct radau *m = (struct radau *)base;
    memmove(m->x, x, (size_t)base->dae->n * sizeof *x);
    const enum kn_status status = radau_stages_evaluate(&m->stages, t, m->x, DAE_F | DAE_Q, m->f, m->q);
    if (status != KN_OK)
        return status;
    const int choice = m->highest < FIRST_CHOICE ? m->highest : m->lowest > FIRST_CHOICE ? m->lowest : FIRST_CHOICE;
    radau_use_stages(m, choice);
    control_restart(&m->control, x, !m->started);
    m->started = true;
    base->t = base->previous = t;
    base->x = m->x;
    base->order = 1;
    m->polynomial_step = 0;
    m->slope_before = (struct radau_slope){0, 0};
    m->charges_known = false;
    m->carried_at = NAN;
    m->stages.have_jacobian = m->stages.have_jacobian && base->dae->linear;
    m->failures = m->standing = 0;
    radau_stages_doubt(&m->stages);
    m->smooth_contraction = 1;
    m->predictable = m->slopes_here = false;
    return KN_OK;
}

/* ---- steps ---- */

static void newton_failed(struct radau *m, enum newton_outcome outcome, struct step_report *report)
{
    struct radau_stages *s = &m->stages;
    control_fail(&m->control, s->shrink, report);
    if (outcome == NEWTON_FAILED)
        report->outcome = STEP_STOPPED;
    report->status = s->status;
    report->worst = s->worst;
    report->error = s->correction;
    s->have_jacobian = s->dae->linear;
    radau_stages_doubt(s);
    m->failures++;
    if (m->choice > m->lowest && (m->choice > FIRST_CHOICE || m->failures > FAILURES_BEFORE_RESCUE))
        radau_use_stages(m, m->choice - 1);
}

/* Steps so short that output shows nothing of them are not worth a search for the one with which the iteration
 * converges.  A step of a fixed size is one of this method or none. */
static bool needs_rescue(const struct radau *m)
{
    return m->control.fixed <= 0 && (m->failures >= FAILURES_BEFORE_RESCUE || control_is_fine(&m->control));
}

/* Whether the step just rejected may lead across a jump.  Kinks are resolved by shorter steps. */
static bool may_cross(struct radau *m, const struct step_report *report)
{
    return report->outcome == STEP_ERROR_TOO_LARGE && !m->bent && !control_is_shortest(&m->control) &&
           control_sees_jump(&m->control, m->base.t, report->error);
}

static void radau_step(struct integrator *base, double to, struct step_report *report)
{
    struct radau *m = (struct radau *)base;
    memset(report, 0, sizeof *report);
    control_begin(&m->control, base->t, to);
    report->order = 2 * m->stages.tableau->stages - 1;
    m->bent = false;
    report->newton = radau_solve_stages(m, to - base->t);
    report->iterations = m->stages.iterations;
    if (report->newton == NEWTON_CONVERGED)
        radau_judge(m, to, report);
    else if (report->newton == NEWTON_FAILED || !needs_rescue(m) || !radau_rescue(m, to, report))
        newton_failed(m, report->newton, report);
    if (may_cross(m, report))
        radau_cross(m, to, report);
}

static void radau_statistics(const struct integrator *base, struct integrator_statistics *s)
{
    const struct radau *m = (const struct radau *)base;
    const struct radau_stages *stages = &m->stages;
    const struct sparse_statistics *real = sparse_lu_statistics(stages->real), *end = sparse_lu_statistics(stages->end);
    s->evaluations += stages->evaluations;
    s->jacobians += stages->jacobians;
    s->newton_iterations += stages->newton_iterations;
    s->solves += stages->solves;
    s->factorizations += real->factorizations + end->factorizations;
    s->refactorizations += real->refactorizations + end->refactorizations;
    for (int p = 0; p < RADAU_PAIRS && stages->pair[p]; p++) {
        const struct sparse_statistics *pair = sparse_zlu_statistics(stages->pair[p]);
        s->factorizations += pair->factorizations;
        s->refactorizations += pair->refactorizations;
    }
    newton_add_statistics(&m->rescue, s);
}

#define RADAU_CLASS(id, text)                                                                                          \
    {                                                                                                                  \
        .name = #id, .title = text, .calibration = {0.18, 0.18, 0.18, 6}, .create = id##_create,                       \
        .destroy = radau_destroy, .restart = radau_restart, .step = radau_step, .interpolate = radau_interpolate,      \
        .charges = radau_charges, .statistics = radau_statistics,                                                      \
    }

const struct integrator_class integrator_radau =
    RADAU_CLASS(radau, "Radau IIA, orders 1 to 13 chosen as the waveform asks");

const struct integrator_class integrator_radau5 = RADAU_CLASS(radau5, "Radau IIA of order 5");
