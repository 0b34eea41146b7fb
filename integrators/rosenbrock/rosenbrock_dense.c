/* rosenbrock_dense.c - points between steps of Rosenbrock methods: order 4 in differential and index-1 unknowns.
 *
 * The published weights for points inside a step miss one order in algebraic unknowns, and where charges depend on the
 * voltage nonlinearly all unknowns are such.  Instead: the polynomial of degree 4 that meets values and slopes at both
 * ends of the step, and the value at the begin of the step before; degree 3 in the first step.
 *
 * Slopes.  f along the solution has the derivative  G x' + f_t = D,  and  C x' + q_t = -f.  Taken together,
 *     (alpha C + G) x' = -alpha (f + q_t) - f_t + D
 * holds for every alpha, is solved with the matrix of the next step, and gives the slopes of algebraic unknowns, too.
 * D = -q'' comes from the polynomial of the charges of the same kind, whose slopes -f are known exactly.  What a point
 * misses the equations by, stiff components among it, is damped as in a step of the size 1/alpha.  The slope at the
 * begin is that of the end of the step before; in the first step it is k_1/h + (alpha C + G)^-1 D.  Methods with
 * explicit rows have x' from their split matrix, without D.
 */
#include "integrators/rosenbrock/rosenbrock.h"

#include <math.h>
#include <string.h>

enum { CUBIC = 3, QUARTIC = 4 };

/* A corner inside a step, where a diode begins to conduct, bends the polynomial more than what the next point tells of
 * a smooth waveform. */
static const double FOR_CORNERS = 4;

/* Known of a function of theta in the step [0, 1]: values and slopes at both ends, and the value at -back; back 0: not
 * known. */
struct ends {
    double begin, begin_slope, end, end_slope, before, back;
};

/* a: [QUARTIC + 1] with p(theta) = sum_k a_k (theta - 1)^k. */
static void meet(struct ends e, double *a)
{
    const double chord = e.begin - e.end + e.end_slope, bend = e.begin_slope - e.end_slope;
    a[0] = e.end;
    a[1] = e.end_slope;
    a[2] = 3 * chord + bend;
    a[3] = 2 * chord + bend;
    a[4] = 0;
    if (e.back <= 0)
        return;
    const double s = -1 - e.back; /* theta - 1 of the point before */
    const double missed = e.before - (a[0] + s * (a[1] + s * (a[2] + s * a[3])));
    const double c = missed / (s * s * e.back * e.back);
    a[2] += c;
    a[3] += 2 * c;
    a[4] = c;
}

/* out := D of all equations at the begin (theta 0) or the end (1) of the step. */
static void rate_of_f(const struct rosenbrock *m, double h, double theta, double *out)
{
    const struct onestep *o = &m->onestep;
    const double back = m->past.known ? o->accepted_step / h : 0, s = theta - 1;
    double a[QUARTIC + 1];
    for (int r = 0; r < o->base.dae->n; r++) {
        meet((struct ends){o->other.q[r], -h * o->other.f[r], o->q[r], -h * o->f[r], m->past.q[r], back}, a);
        out[r] = -(2 * a[2] + s * (6 * a[3] + s * 12 * a[4])) / (h * h);
    }
}

/* The matrix of the method is one of separate rows, not G + alpha C. */
static bool is_split(const struct rosenbrock *m)
{
    return m->factor != onestep_factor;
}

bool rosenbrock_find_begin_slope(struct rosenbrock *m, double h)
{
    struct onestep *o = &m->onestep;
    double *slope = m->past.slope;
    if (m->past.known)
        return true;
    memset(slope, 0, (size_t)o->base.dae->n * sizeof(double));
    if (!is_split(m)) {
        rate_of_f(m, h, 0, slope);
        if (!onestep_solve(o, slope))
            return false;
    }
    for (int i = 0; i < o->base.dae->n; i++)
        slope[i] += m->k[0][i] / h;
    return true;
}

bool rosenbrock_find_end_slope(struct rosenbrock *m, double h)
{
    struct onestep *o = &m->onestep;
    double *slope = m->past.end_slope;
    if (!is_split(m))
        rate_of_f(m, h, 1, slope);
    for (int r = 0; r < o->base.dae->n; r++)
        if (!is_split(m))
            slope[r] -= o->alpha * (o->f[r] + o->dqdt[r]) + o->dfdt[r];
        else
            slope[r] = m->algebraic[r] ? -o->dfdt[r] : -o->f[r];
    return onestep_solve(o, slope);
}

/* Of the charges at the candidate, by its slope. */
static void find_rate(struct rosenbrock *m)
{
    const struct onestep *o = &m->onestep;
    struct rosenbrock_past *p = &m->past;
    double *rate = p->rate[0];
    p->rate[0] = p->rate[1];
    p->rate[1] = rate;
    memcpy(rate, o->dqdt, (size_t)o->base.dae->n * sizeof *rate);
    sparse_multiply_add(o->base.dae->pattern, o->C, p->slope, rate);
}

/* By what the polynomial has missed, in o->error. */
static double unsure(const struct onestep *o, double smooth)
{
    const struct class_sizes missed =
        tolerance_class_sizes(&o->control.tolerance, o->base.dae->classes, o->base.watched, o->error);
    return control_unsure(&missed, smooth);
}

/* Fills the coefficients; back 0: of degree 3.  By how much, as control_unsure has it, the polynomial is off `middle` [n], what that of
 * the step before tells of the middle of this one: the slope at the end is in no other estimate. */
static double fit(struct rosenbrock *m, double h, double back, const double *middle)
{
    struct onestep *o = &m->onestep;
    const struct rosenbrock_past *p = &m->past;
    double a[QUARTIC + 1];
    for (int i = 0; i < o->base.dae->n; i++) {
        meet((struct ends){o->x[i], h * p->slope[i], o->next[i], h * p->end_slope[i], p->x[i], back / h}, a);
        for (int k = 0; k <= QUARTIC; k++)
            o->coefficient[k][i] = a[k];
        o->error[i] = middle[i] - (a[0] - 0.5 * (a[1] - 0.5 * (a[2] - 0.5 * (a[3] - 0.5 * a[4]))));
    }
    return p->known ? unsure(o, CONTROL_INTERPOLATED) : 0;
}

/* A wave that reaches the circuit just before the end leaves a slope there which is none of the step.  Of a smooth function a parabola
 * without it would not be much nearer to the step before. */
static const double NEARER = 8;

/* The slope at the end that makes the polynomial a parabola through the begin, its slope, and the end. */
static void take_slope_of_parabola(struct rosenbrock *m, double h)
{
    const struct onestep *o = &m->onestep;
    struct rosenbrock_past *p = &m->past;
    for (int i = 0; i < o->base.dae->n; i++)
        p->end_slope[i] = 2 * (o->next[i] - o->x[i]) / h - p->slope[i];
}

/* Of both polynomials the one that goes on better from the step before; its degree. */
static int fit_better(struct rosenbrock *m, double h)
{
    struct onestep *o = &m->onestep;
    struct rosenbrock_past *p = &m->past;
    const size_t bytes = (size_t)o->base.dae->n * sizeof(double);
    const double back = p->known ? o->accepted_step : 0;
    double *middle = m->right, *met = m->point;
    if (p->known)
        onestep_interpolate(&o->base, o->base.t + 0.5 * h, middle, NULL);
    double off = fit(m, h, back, middle);
    p->back = back;
    if (off > CONTROL_INTERPOLATED) { /* a tolerance */
        memcpy(met, p->end_slope, bytes);
        take_slope_of_parabola(m, h);
        const double without = fit(m, h, 0, middle);
        if (NEARER * without < off) {
            off = without;
            p->back = 0;
        } else {
            memcpy(p->end_slope, met, bytes);
            fit(m, h, back, middle);
        }
    }
    o->unsure = fmax(o->unsure, off);
    return p->back > 0 ? QUARTIC : CUBIC;
}

int rosenbrock_fill_polynomial(struct rosenbrock *m, double h)
{
    struct onestep *o = &m->onestep;
    struct rosenbrock_past *p = &m->past;
    const size_t bytes = (size_t)o->base.dae->n * sizeof(double);
    const int degree = fit_better(m, h);
    double *swapped = p->slope;
    memcpy(p->x, o->x, bytes);
    memcpy(p->q, o->other.q, bytes);
    p->slope = p->end_slope;
    p->end_slope = swapped;
    find_rate(m);
    return degree;
}

void rosenbrock_remember_rescue(struct rosenbrock *m)
{
    struct onestep *o = &m->onestep;
    for (int r = 0; r < o->base.dae->n; r++) {
        o->other.q[r] = o->q[r]; /* at the begin, where it was linearised; it no longer is at the end */
        o->q[r] = o->rescue.q[r];
        o->f[r] = o->other.f[r] = -(o->q[r] - o->other.q[r]) / o->accepted_step;
    }
    m->ends_known = true;
}

bool rosenbrock_charges(struct integrator *base, double time, double *q, double *dqdt)
{
    const struct rosenbrock *m = (const struct rosenbrock *)base;
    const struct onestep *o = &m->onestep;
    const bool known = m->ends_known && o->accepted_step > 0;
    if (!known || !q)
        return known;
    const double h = o->accepted_step, s = (time - base->t) / h;
    const struct rosenbrock_past *p = &m->past;
    double a[QUARTIC + 1];
    for (int r = 0; r < base->dae->n; r++) {
        /* -f is what a junction that follows at once is off by times its conductance; slopes of x are without that.  In
         * a first step the slope at the begin may be that of a layer which the step has left behind at once: then a
         * parabola without it. */
        const double slope = h * (p->known ? p->rate[1][r] : -o->f[r]), chord = o->q[r] - o->other.q[r];
        const double begin_slope = !p->known ? -h * o->other.f[r] : p->back > 0 ? h * p->rate[0][r] : 2 * chord - slope;
        meet((struct ends){o->other.q[r], begin_slope, o->q[r], slope, 0, 0}, a);
        q[r] = a[0] + s * (a[1] + s * (a[2] + s * a[3]));
        dqdt[r] = (a[1] + s * (2 * a[2] + s * 3 * a[3])) / h;
    }
    return true;
}

/* A polynomial of degree 3 or 4 misses theta^2 (theta - 1)^2 [(theta + back)] times the same derivative at the new
 * point and within its own step, and what follows misses it within the new step by as much or less. */
void rosenbrock_estimate_between(struct rosenbrock *m, double to)
{
    struct onestep *o = &m->onestep;
    const double r = m->past.known ? (to - o->base.t) / o->accepted_step : 0, back = m->past.known ? m->past.back : 0;
    double part = FOR_CORNERS * r * r / (16 * (1 + r) * (1 + r));
    if (back > 0)
        part *= (r / 2 + 1) / (1 + r + back / o->accepted_step);
    onestep_interpolate(&o->base, to, o->error, NULL);
    for (int i = 0; i < o->base.dae->n; i++)
        o->error[i] = o->next[i] - o->error[i];
    o->unsure = m->past.known ? unsure(o, part) : INFINITY;
    for (int i = 0; i < o->base.dae->n; i++)
        o->error[i] *= part;
}
