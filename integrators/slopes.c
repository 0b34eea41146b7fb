/* slopes.c - dx/dt that solve the equations.
 *
 * Currents of charges between nodes are C dx/dt.  Where charges bend within a step, the slope of the polynomial through x, times C, is
 * not the slope of the polynomial through q: behind an edge of picoseconds the currents of a transistor's ends contradicted those of
 * what hangs on them by half.  At a point that solves the equations, dx/dt solves C dx/dt + dq/dt|x + f = 0 and the derivatives of the
 * equations without charge (run_callbacks.slopes), and currents of all parts at a node add up to zero.
 */
#include "integrators/between_parts.h"

#include <math.h>
#include <string.h>

/* Whether slopes can be asked for; vectors are made at the first time, since most runs never do. */
static bool can_ask(struct between *s)
{
    if (!s->callbacks->slopes || s->whole)
        return s->callbacks->slopes != NULL;
    double **const vectors[] = {&s->slope[0],  &s->slope[1],  &s->sloped_x[0], &s->sloped_x[1], &s->whole,
                                &s->line_f[0], &s->line_f[1], &s->line_q[0],   &s->line_q[1],   NULL};
    bool complete = arena_vectors(s->memory, (size_t)s->dae->n, vectors);
    for (int k = 0; k < BETWEEN_LACKS && complete; k++)
        complete =
            arena_vectors(s->memory, (size_t)s->dae->n, (double **const[]){&s->lacks[k].x, &s->lacks[k].dxdt, NULL});
    if (complete)
        return true;
    s->whole = NULL; /* the others may be missing */
    s->status = KN_ERROR_MEMORY;
    return false;
}

/* Index-2 unknowns have none that anybody could know: they depend on derivatives already. */
static enum kn_status ask(struct between *s, const struct dae_point *at, double *dxdt)
{
    const struct run_callbacks *callbacks = s->callbacks;
    memcpy(s->b, dxdt, (size_t)s->dae->n * sizeof *dxdt);
    const enum kn_status status = callbacks->slopes(callbacks->context, at, s->b);
    for (int i = 0; i < s->dae->n; i++)
        if (isfinite(s->b[i]) && !(s->dae->classes && s->dae->classes[i] == DAE_INDEX2))
            dxdt[i] = s->b[i];
    return status;
}

/* Makes room for what is lacking at that time; the leftmost point inside the step gives way where there is none. */
static const struct between_lack *place_of_lack(struct between *s, double time)
{
    struct between_lack *const lacks = s->lacks;
    int last = s->lack_count;
    if (last == BETWEEN_LACKS) {
        const struct between_lack left = lacks[1];
        memmove(&lacks[1], &lacks[2], (BETWEEN_LACKS - 2) * sizeof *lacks);
        lacks[--last] = left;
    }
    const struct between_lack new = {time, lacks[last].x, lacks[last].dxdt};
    for (s->lack_count = last + 1; last > 0 && lacks[last - 1].time > time; last--)
        lacks[last] = lacks[last - 1];
    lacks[last] = new;
    return &lacks[last];
}

/* From the point at that time and its slopes that solve the equations. */
static void keep_lack(struct between *s, struct integrator *m, double time, const double *x, const double *dxdt)
{
    for (int k = 0; k < s->lack_count; k++)
        if (s->lacks[k].time == time)
            return;
    const struct between_lack *const lack = place_of_lack(s, time);
    m->class->interpolate(m, time, lack->x, lack->dxdt);
    for (int i = 0; i < s->dae->n; i++) {
        lack->x[i] = x[i] - lack->x[i];
        lack->dxdt[i] = dxdt[i] - lack->dxdt[i];
    }
}

/* x, the method's point at that time, becomes the one where all equations hold. */
static enum kn_status ask_whole(struct between *s, struct integrator *m, double time, double *x, double *dxdt)
{
    s->status = KN_OK;
    if (s->whole_time != time && !completion_find(s, m, time, x))
        return s->status;
    memcpy(x, s->whole, (size_t)s->dae->n * sizeof *x);
    return s->status == KN_OK ? ask(s, &(struct dae_point){time, m->t - m->previous, x, true}, dxdt) : s->status;
}

/* The end of the step before is the begin of this one. */
static void take_step(struct between *s, const struct integrator *m)
{
    if (s->stepped == m->t)
        return;
    double *const slope = s->slope[0], *const x = s->sloped_x[0];
    s->slope[0] = s->slope[1];
    s->sloped_x[0] = s->sloped_x[1];
    s->sloped[0] = s->sloped[1];
    s->slope[1] = slope;
    s->sloped_x[1] = x;
    s->sloped[1] = NAN;
    s->stepped = m->t;
    s->lack_count = 0;
}

/* s->slope of the begin (0) or the end (1) of the step, from x and dxdt of the interpolant there.  Where the run has begun anew, x is
 * consistent, and what charges of the first step say of its begin is of no use. */
static enum kn_status look_at_end(struct between *s, struct integrator *m, int end, const double *x, const double *dxdt)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    const double time = end ? m->t : m->previous;
    if (s->sloped[end] == time)
        return KN_OK;
    s->sloped[end] = time;
    memcpy(s->sloped_x[end], x, bytes);
    memcpy(s->slope[end], dxdt, bytes);
    if (end)
        return ask_whole(s, m, time, s->sloped_x[end], s->slope[end]);
    return ask(s, &(struct dae_point){time, m->t - m->previous, s->sloped_x[end], true}, s->slope[end]);
}

enum kn_status slopes_at_end(struct between *s, struct integrator *m, double time, double *x, double *dxdt)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    s->status = KN_OK;
    if (!(m->t > m->previous) || !can_ask(s))
        return s->status;
    take_step(s, m);
    const int end = time == m->t;
    const enum kn_status status = look_at_end(s, m, end, x, dxdt);
    memcpy(x, s->sloped_x[end], bytes);
    memcpy(dxdt, s->slope[end], bytes);
    return status;
}

/* Once per step: both ends, and what the interpolant lacks there. */
static enum kn_status look_at_ends(struct between *s, struct integrator *m)
{
    enum kn_status status = KN_OK;
    take_step(s, m);
    if (s->lack_count >= 2)
        return KN_OK;
    s->lack_count = 0;
    for (int end = 0; end < 2 && status == KN_OK; end++) {
        const double time = end ? m->t : m->previous;
        m->class->interpolate(m, time, s->other, s->q);
        status = look_at_end(s, m, end, end ? m->x : s->other, s->q);
        if (status == KN_OK)
            keep_lack(s, m, time, s->sloped_x[end], s->slope[end]);
    }
    return status;
}

/* The interpolant with what it lacks on lines between points at which the equations have been asked: of a step that output does not
 * resolve the ends.  Where the interpolant is not to be trusted, x is a solution already. */
static enum kn_status join_known(struct between *s, struct integrator *m, double time, double *x, double *dxdt)
{
    const enum kn_status status = look_at_ends(s, m);
    if (status != KN_OK)
        return status;
    const struct between_lack *left = &s->lacks[0], *right = &s->lacks[m->blind ? s->lack_count - 1 : 1];
    for (; !m->blind && right->time < time; left++)
        right++;
    const double part = (time - left->time) / (right->time - left->time);
    const double of_x = s->trusted && !m->blind ? 1 : 0;
    for (int i = 0; i < s->dae->n; i++) {
        x[i] += of_x * ((1 - part) * left->x[i] + part * right->x[i]);
        dxdt[i] += (1 - part) * left->dxdt[i] + part * right->dxdt[i];
    }
    return KN_OK;
}

/* Once per step: f and q at its ends. */
static void find_line(struct between *s, struct integrator *m)
{
    const struct dae *dae = s->dae;
    for (int end = 0; end < 2 && s->lined != m->t && s->status == KN_OK; end++) {
        struct dae_values out = {.f = s->line_f[end], .q = s->line_q[end]};
        s->newton.statistics.evaluations++;
        s->status = dae->eval(dae->problem, end ? m->t : m->previous, s->sloped_x[end], DAE_F | DAE_Q, &out);
    }
    s->lined = s->status == KN_OK ? m->t : NAN;
}

/* x, on the line between the ends of the step, becomes the point where currents add up at all nodes while charges and what flows into
 * them go along straight lines: a transistor that is on has a current of its own for each millivolt. */
static void solve_on_line(struct between *s, struct integrator *m, double time, double *x)
{
    const double alpha = between_alpha(m), part = (time - m->previous) / (m->t - m->previous);
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    for (int i = 0; i < s->dae->n; i++) {
        s->q[i] = (1 - part) * s->line_q[0][i] + part * s->line_q[1][i];
        s->b[i] = -(1 - part) * s->line_f[0][i] - part * s->line_f[1][i] - alpha * s->q[i];
    }
    const struct newton_problem problem = {.t = time,
                                           .alpha = alpha,
                                           .b = s->b,
                                           .weights = s->tolerance.weights,
                                           .accuracy = s->tolerance.relative * s->tolerance.relative,
                                           .reference = m->x};
    memcpy(s->x, x, bytes);
    if (!between_solve_from(s, &problem))
        return;
    between_free_index2(s, alpha);
    memcpy(x, s->x, bytes);
}

/* Where a straight line stands in for the interpolant, slopes go from one end to the other, or are those that go with the currents of
 * all else. */
static enum kn_status ask_on_line(struct between *s, struct integrator *m, double time, double *x, double *dxdt)
{
    const double step = m->t - m->previous, part = (time - m->previous) / step;
    s->status = look_at_ends(s, m);
    find_line(s, m);
    if (s->status == KN_OK)
        solve_on_line(s, m, time, x);
    for (int i = 0; i < s->dae->n; i++)
        dxdt[i] = (1 - part) * s->slope[0][i] + part * s->slope[1][i];
    return s->status == KN_OK ? ask(s, &(struct dae_point){time, step, x, true}, dxdt) : s->status;
}

/* What the interpolant lacks there is kept for points beside it, where these ask for it (join_known). */
static enum kn_status ask_inside(struct between *s, struct integrator *m, double time, double *x, double *dxdt)
{
    enum kn_status status = m->blind ? KN_OK : look_at_ends(s, m);
    if (status == KN_OK)
        status = ask_whole(s, m, time, x, dxdt);
    if (status == KN_OK && !m->blind)
        keep_lack(s, m, time, x, dxdt);
    return status;
}

/* Whether unknowns that are read off the others are on lines in the step, or all of them: over a jump there is nothing else. */
static bool is_line(const struct between *s, struct integrator *m, double time)
{
    return s->straight || (m->class->charges && !m->class->charges(m, time, NULL, NULL));
}

enum kn_status slopes_inside(struct between *s, struct integrator *m, double time, bool about, double *x, double *dxdt)
{
    s->status = KN_OK;
    if (!can_ask(s))
        return s->status;
    if (is_line(s, m, time))
        return ask_on_line(s, m, time, x, dxdt);
    if (about)
        return join_known(s, m, time, x, dxdt);
    return ask_inside(s, m, time, x, dxdt);
}
