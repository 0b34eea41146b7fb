/* limex.c - the linearly implicit Euler method in charges, extrapolated: variable order and step (Deuflhard 1983;
 * Deuflhard, Hairer, Zugck 1987; Deuflhard/Bornemann 2008, 6.4.2).
 *
 * Inner step of size tau on  y' = -f(x, t),  0 = y - q(x, t),  t' = 1  with the Jacobians of the begin of the outer
 * step, (C/tau + G) k = -f(x_j, t_j) - tau f_t + (y_j - q(x_j, t_j)) / tau - q_t, x_{j+1} = x_j + k,   y_{j+1} = q(x_j,
 * t_j) + C k + tau q_t: one factored matrix serves all inner steps of its size although C depends on x, because y
 * carries what C k leaves out of the charge.  Time is an unknown like the others: taking sources at t_{j+1} instead
 * disturbs the asymptotic expansion of algebraic unknowns and stops their order at 3.  Harmonic sequence from 2 on, n_v
 * = 2, 3, 4, .. (as SEULEX, remark 6.64 there: the first terms of the expansion that extrapolation cannot remove vanish
 * for n_1 = 2): T_{v,1} from n_v inner steps,  T_{v,m+1} = T_{v,m} + (T_{v,m} - T_{v-1,m}) / (n_v/n_{v-m} - 1); error
 * T_{v,v} - T_{v,v-1}, order and step by least work per unit of time (5.1.2 there; Hairer and Wanner 1996, IV.9).  y is
 * extrapolated like x and carried on: q(x) would lose one order where C depends on x.
 *
 * Dense output: Hermite polynomial of the two ends and of derivatives at the end, extrapolated from backward
 * differences of the inner points (Hairer and Ostermann 1990).
 *
 * Index monitor: the first inner step of size tau from a consistent point misses the solution, which the dense output
 * knows better, by c tau^2 in differential and index-1 unknowns, by c tau in index-2 unknowns and by c or more in those
 * of index 3.
 */
#include "integrators/methods.h"
#include "integrators/onestep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 8, SLOPES = ONESTEP_DEGREE - 1, FIRST_ROWS = 4, INDEX_STEPS = 5 };

/* Work in units of an evaluation. */
static const double SOLVE_WORK = 0.5, FACTOR_WORK = 2, JACOBIAN_WORK = 1;
static const double SAFETY = 0.9, MARGIN = 0.6;
static const double MUCH_BETTER = 0.2;                 /* ratio of changes by a derivative more of the dense output */
static const double FEWER_ROWS = 0.8, MORE_ROWS = 0.9; /* ratio of works from which another order pays */
/* Differences of inner points tell something from this multiple of rounding and part of the tolerance on. */
static const double SIGNIFICANT_ROUNDING = 1e-11, SIGNIFICANT_TOLERANCE = 1e-3;

struct limex {
    struct onestep onestep;
    int rows;                               /* most */
    int target;                             /* rows wanted in the next step */
    double work[ROWS + 1];                  /* [1..rows] up to and with row v */
    double error[ROWS + 1], step[ROWS + 1]; /* of row v, and the step it suggests */
    double *table[ROWS], *charges[ROWS];    /* [n] last row of the tableaus of x and y */
    double *slope[SLOPES][ROWS];            /* [n] the same of derivatives at the end of the step, times h^k */
    double *inner[SLOPES + 1];              /* [n] last points of the row, newest first */
    double *first[2];                       /* [n] first inner points of rows of 2 and 4 inner steps */
    double *charge;                         /* [n] y at base.t */
    bool have_charge;                       /* else it is q(x) */
    double *y, *f, *q, *k;                  /* [n] */
    double *exponent;                       /* [n] sum of the exponents seen */
    long *seen;                             /* [n] how many */
    long observed;                          /* steps */
};

/* ---- life ---- */

static bool allocate(struct limex *m)
{
    const size_t n = (size_t)m->onestep.base.dae->n;
    struct arena *a = m->onestep.base.memory;
    double **const vectors[] = {&m->first[0], &m->first[1], &m->charge, &m->y, &m->f, &m->q, &m->k, &m->exponent, NULL};
    bool complete = arena_vectors(a, n, vectors);
    for (int v = 0; v < m->rows; v++) {
        complete = arena_vectors(a, n, (double **const[]){&m->table[v], &m->charges[v], NULL}) && complete;
        for (int d = 0; d < SLOPES; d++)
            complete = (m->slope[d][v] = arena_array(a, n, sizeof(double))) != NULL && complete;
    }
    for (int d = 0; d <= SLOPES; d++)
        complete = (m->inner[d] = arena_array(a, n, sizeof(double))) != NULL && complete;
    m->seen = arena_array(a, n, sizeof *m->seen);
    return complete && m->seen;
}

/* Rows of the first step after a start, resp. of all steps where they are fixed. */
static int usual_target(const struct limex *m, int present)
{
    const int usual = m->onestep.options.fixed_step > 0 && m->onestep.options.max_order > 1 ? m->rows : FIRST_ROWS;
    const int most = usual < m->rows ? usual : m->rows;
    return present < most ? present : most;
}

static enum kn_status limex_create(const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    struct onestep *base;
    *out = NULL;
    const enum kn_status status = onestep_create(sizeof(struct limex), dae, o, &integrator_limex, &base);
    if (status != KN_OK)
        return status;
    struct limex *m = (struct limex *)base;
    m->rows = o->max_order > 1 && o->max_order < ROWS ? o->max_order : ROWS;
    m->target = usual_target(m, ROWS);
    m->work[0] = JACOBIAN_WORK;
    for (int v = 1; v <= m->rows; v++)
        m->work[v] = m->work[v - 1] + FACTOR_WORK + (v + 1) * (1 + SOLVE_WORK);
    if (!allocate(m)) {
        onestep_destroy(&base->base);
        return KN_ERROR_MEMORY;
    }
    *out = &base->base;
    return KN_OK;
}

/* ---- one row ---- */

static int inner_steps(int v)
{
    return v + 1;
}

/* From inner[0] over tau; the new point is inner[0], the old ones move back. */
static enum newton_outcome inner_step(struct limex *m, double t, double tau)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    struct dae_values out = {.f = m->f, .q = m->q};
    double *x = m->inner[SLOPES];
    if (!onestep_evaluate(o, t, m->inner[0], DAE_F | DAE_Q, &out))
        return NEWTON_FAILED;
    for (int i = 0; i < n; i++)
        m->k[i] = -m->f[i] - tau * o->dfdt[i] + (m->y[i] - m->q[i]) / tau - o->dqdt[i];
    if (!onestep_solve(o, m->k))
        return NEWTON_NOT_FINITE;
    for (int i = 0; i < n; i++) {
        x[i] = m->inner[0][i] + m->k[i];
        m->y[i] = m->q[i] + tau * o->dqdt[i];
    }
    sparse_multiply_add(o->base.dae->pattern, o->C, m->k, m->y);
    for (int d = SLOPES; d > 0; d--)
        m->inner[d] = m->inner[d - 1];
    m->inner[0] = x;
    return NEWTON_CONVERGED;
}

/* Adds the entry T_{v,1} to a tableau whose rows up to `skip` are missing: row[v-m] holds T_{v-1,m} before (one place
 * higher) and T_{v,m} after. */
static void extrapolate(int n, int v, int skip, const double *entry, double *const *row)
{
    for (int i = 0; i < n; i++) {
        double fresh = entry[i];
        for (int c = 1; c < v - skip; c++) {
            const double above = row[v - 1 - c][i];
            row[v - c][i] = fresh;
            fresh += (fresh - above) / ((double)inner_steps(v) / inner_steps(v - c) - 1);
        }
        row[skip][i] = fresh;
    }
}

/* The first row with a d-th difference that leaves out the first inner step, where algebraic unknowns are not smooth
 * yet. */
static int first_row(int d)
{
    return d;
}

/* h^d times the d-th derivative at the end, by backward differences of the row's points. */
static void difference(struct limex *m, int v, int d)
{
    double weights[SLOPES + 1] = {1}; /* (-1)^j d over j */
    for (int j = 1; j <= d; j++)
        weights[j] = -weights[j - 1] * (d - j + 1) / j;
    onestep_combine(m->onestep.base.dae->n, NULL, d + 1, weights, m->inner, m->k);
    const double scale = pow(inner_steps(v), d);
    for (int i = 0; i < m->onestep.base.dae->n; i++)
        m->k[i] *= scale;
}

static enum newton_outcome compute_row(struct limex *m, int v, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    const size_t bytes = (size_t)n * sizeof(double);
    const int steps = inner_steps(v);
    const double tau = h / steps;
    enum newton_outcome outcome = onestep_factor(o, 1 / tau);
    memcpy(m->inner[0], o->x, bytes);
    memcpy(m->y, m->charge, bytes);
    for (int j = 0; j < steps && outcome == NEWTON_CONVERGED; j++) {
        outcome = inner_step(m, o->base.t + j * tau, tau);
        if (j == 0 && (steps == 2 || steps == 4))
            memcpy(m->first[steps / 4], m->inner[0], bytes);
    }
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    extrapolate(n, v, 0, m->inner[0], m->table);
    extrapolate(n, v, 0, m->y, m->charges);
    for (int d = 1; d <= SLOPES && first_row(d) <= v; d++) {
        difference(m, v, d);
        extrapolate(n, v, first_row(d) - 1, m->k, m->slope[d - 1]);
    }
    return NEWTON_CONVERGED;
}

/* ---- order and step ---- */

/* The error of the charges carried to x: where slopes of charges jump they and x part within a step, and only the next
 * one would show it. */
static double charge_error(struct limex *m)
{
    struct onestep *o = &m->onestep;
    int unused = 0;
    for (int i = 0; i < o->base.dae->n; i++)
        m->k[i] = o->alpha * (m->charges[0][i] - m->charges[1][i]);
    return onestep_solve(o, m->k) ? onestep_norm(o, m->k, &unused) : INFINITY;
}

static void judge_row(struct limex *m, int v, double h, int *worst)
{
    struct onestep *o = &m->onestep;
    for (int i = 0; i < o->base.dae->n; i++)
        o->error[i] = m->table[0][i] - m->table[1][i];
    m->error[v] = fmax(onestep_norm(o, o->error, worst), charge_error(m));
    const double factor = SAFETY * pow(MARGIN / fmax(m->error[v], 1e-12), 1.0 / v);
    m->step[v] = h * fmin(o->control.most, factor);
}

static double work_per_time(const struct limex *m, int v)
{
    return m->work[v] / m->step[v];
}

/* Rows and step for what follows a step that ended with row v. */
static double plan(struct limex *m, int v)
{
    int best = v;
    if (m->onestep.control.fixed > 0)
        return m->onestep.control.fixed;
    if (v > 2 && work_per_time(m, v - 1) < FEWER_ROWS * work_per_time(m, v))
        best = v - 1;
    else if (v < m->rows && (v == 2 || work_per_time(m, v) < MORE_ROWS * work_per_time(m, v - 1)))
        best = v + 1;
    if (m->onestep.control.repeated && best > v)
        best = v;
    m->target = best;
    return best > v ? m->step[v] * m->work[best] / m->work[v] : m->step[best];
}

/* Whether row `target` will hardly be accurate enough, judged from row v: each further row v+1 reduces the error about
 * n_{v+1}-fold. */
static bool hopeless(const struct limex *m, int v)
{
    double reachable = 1;
    for (int r = v + 1; r <= m->target + 1 && r <= m->rows; r++)
        reachable *= inner_steps(r);
    return v >= 2 && m->error[v] > reachable * reachable;
}

/* ---- dense output ---- */

/* The polynomial p(1 + s) = sum c_k s^k of unknown i with p(0), p(1) and the first `slopes` derivatives at 1; c:
 * [slopes + 2].  */
static void hermite(const struct limex *m, int i, int slopes, double *c)
{
    const struct onestep *o = &m->onestep;
    double factorial = 1, rest = o->x[i] - m->table[0][i];
    c[0] = m->table[0][i];
    for (int d = 1; d <= slopes; d++) {
        factorial *= d;
        c[d] = m->slope[d - 1][first_row(d) - 1][i] / factorial;
        rest -= (d % 2 ? -1 : 1) * c[d];
    }
    c[slopes + 1] = (slopes % 2 ? 1 : -1) * rest; /* (-1)^(slopes + 1) */
}

/* Largest difference of two polynomials at the quarters of the step. */
static double distance(const double *a, const double *b)
{
    double largest = 0;
    for (int quarter = 1; quarter < 4; quarter++) {
        double difference = 0;
        for (int k = ONESTEP_DEGREE; k >= 0; k--)
            difference = difference * (0.25 * quarter - 1) + a[k] - b[k];
        largest = fmax(largest, fabs(difference));
    }
    return largest;
}

/* All derivatives are used unless the last one changes too much and fewer agree much better with still fewer:
 * differences of an unknown that is not smooth tell nothing about its derivatives.  What the last one changed counts as
 * the error. */
static double choose_polynomial(struct limex *m, int i, int most)
{
    struct onestep *o = &m->onestep;
    double c[SLOPES + 1][ONESTEP_DEGREE + 1] = {{0}}, change[SLOPES + 1] = {INFINITY};
    int best = most;
    for (int slopes = 0; slopes <= most; slopes++) {
        hermite(m, i, slopes, c[slopes]);
        if (slopes > 0)
            change[slopes] = distance(c[slopes], c[slopes - 1]);
    }
    const double tolerance = 1 / o->control.tolerance.weights[i];
    for (int slopes = most - 1; slopes >= 1 && !(change[best] <= tolerance); slopes--)
        if (!(change[slopes] >= MUCH_BETTER * change[best]))
            best = slopes;
    for (int k = 0; k <= ONESTEP_DEGREE; k++)
        o->coefficient[k][i] = c[best][k];
    return change[best];
}

/* onestep.error becomes the error between the points. */
static int fill_polynomial(struct limex *m, int v)
{
    const int slopes = v - 1 < SLOPES ? v - 1 : SLOPES;
    for (int i = 0; i < m->onestep.base.dae->n; i++)
        m->onestep.error[i] = choose_polynomial(m, i, slopes);
    return slopes + 1;
}

/* ---- index monitor ---- */

/* The errors of first inner steps fall as size^exponent, exponent 2 for differential and index-1 unknowns, 1 for index-2,
 * 0 or less for index-3 unknowns. */
struct observed_index {
    int unknown;     /* with the smallest exponent, -1: nothing measured */
    double exponent; /* its mean over the accepted steps that tell */
    long steps;      /* how many did */
};

/* The errors of the first inner steps of sizes h/2 and h/4 against the dense output of the step just accepted. */
static void observe_index(struct limex *m)
{
    struct onestep *o = &m->onestep;
    const double begin = o->base.previous, h = o->accepted_step;
    m->observed++;
    onestep_interpolate(&o->base, begin + 0.5 * h, m->k, NULL);
    onestep_interpolate(&o->base, begin + 0.25 * h, m->y, NULL);
    for (int i = 0; i < o->base.dae->n; i++) {
        const double whole = fabs(m->first[0][i] - m->k[i]), half = fabs(m->first[1][i] - m->y[i]);
        const double floor = SIGNIFICANT_ROUNDING * o->control.tolerance.largest[i] +
                             SIGNIFICANT_TOLERANCE / o->control.tolerance.weights[i];
        if (!(whole > floor) || !(half > 0.1 * floor))
            continue;
        m->exponent[i] += fmin(3, fmax(-2, log2(whole / half)));
        m->seen[i]++;
    }
}

/* Where a time constant lies far below the step, an unknown of index 1 behaves like one of index 2: the current of a
 * source through a conducting diode into a capacitor.  A problem that knows better says so by its classes. */
static bool may_be_index2(const struct dae *dae, int unknown)
{
    return !dae->classes || dae->classes[unknown] == DAE_INDEX2;
}

static struct observed_index lowest_exponent(const struct integrator *base)
{
    const struct limex *m = (const struct limex *)base;
    struct observed_index found = {.unknown = -1, .exponent = INFINITY};
    for (int i = 0; i < base->dae->n; i++) {
        if (!may_be_index2(base->dae, i) || m->seen[i] < INDEX_STEPS ||
            m->exponent[i] / (double)m->seen[i] >= found.exponent)
            continue;
        found = (struct observed_index){i, m->exponent[i] / (double)m->seen[i], m->seen[i]};
    }
    return found;
}

/* Above the first exponent an unknown behaves like one of index 1, above the second of index 2; what fewer than this
 * part of the steps say is not reported. */
static const double EXPONENT_INDEX1 = 1.3, EXPONENT_INDEX2 = 0.5, ENOUGH_STEPS = 0.25;

static void limex_describe(const struct integrator *base, char *text, size_t size)
{
    const struct limex *m = (const struct limex *)base;
    const struct observed_index found = lowest_exponent(base);
    const struct dae *dae = base->dae;
    *text = '\0';
    if (found.unknown < 0 || found.exponent > EXPONENT_INDEX1 || found.steps < ENOUGH_STEPS * (double)m->observed)
        return;
    /* Stiffness also pushes an unknown of index 2 below, and classes do not tell it from one of index 3. */
    const char *index = found.exponent > EXPONENT_INDEX2 ? "2" : dae->classes ? "2 or more" : "3";
    snprintf(text, size, "in %ld steps %s behaved like an unknown of index %s", found.steps,
             dae->unknown_name ? dae->unknown_name(dae->problem, found.unknown) : "an unknown", index);
}

/* ---- steps ---- */

/* Whether a step ends with row v: accurate enough and not far from the row wanted, or with that one where steps are
 * fixed. */
static bool may_end(const struct limex *m, int v)
{
    const struct control *c = &m->onestep.control;
    return c->fixed > 0 ? v == m->target : m->error[v] <= 1 && (v >= m->target - 1 || c->first);
}

static void accept(struct limex *m, double to, int v, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    report->order = v;
    report->error = m->error[v];
    o->growth = (struct step_growth){plan(m, v) / o->control.step, LIMIT_ERROR};
    const int degree = fill_polynomial(m, v);
    if (!onestep_judge_between(o, degree, report))
        return;
    memcpy(o->next, m->table[0], (size_t)o->base.dae->n * sizeof(double));
    memcpy(m->charge, m->charges[0], (size_t)o->base.dae->n * sizeof(double));
    onestep_advance(o, to, degree, report);
    if (v > 2)
        observe_index(m);
}

static void reject(struct limex *m, int v, struct step_report *report)
{
    report->error = m->error[v];
    const int best = v > 2 && work_per_time(m, v - 1) < work_per_time(m, v) ? v - 1 : v;
    m->target = best < m->target ? best : m->target;
    onestep_reject(&m->onestep, (struct step_growth){m->step[best] / m->onestep.control.step, LIMIT_ERROR}, report);
}

static void limex_step(struct integrator *base, double to, struct step_report *report)
{
    struct limex *m = (struct limex *)base;
    struct onestep *o = &m->onestep;
    const double h = to - base->t;
    memset(report, 0, sizeof *report);
    if (onestep_rescue(o, to, m->have_charge ? m->charge : NULL, report)) {
        m->have_charge = false;
        return;
    }
    report->order = m->target;
    enum newton_outcome outcome = onestep_linearize(o, true);
    if (outcome == NEWTON_CONVERGED && !m->have_charge)
        memcpy(m->charge, o->q, (size_t)base->dae->n * sizeof(double));
    m->have_charge = outcome == NEWTON_CONVERGED;
    const int last = m->target < m->rows ? m->target + 1 : m->rows;
    for (int v = 1; v <= last && outcome == NEWTON_CONVERGED; v++) {
        outcome = compute_row(m, v, h);
        if (v == 1 || outcome != NEWTON_CONVERGED)
            continue;
        judge_row(m, v, h, &report->worst);
        if (may_end(m, v)) {
            accept(m, to, v, report);
            return;
        }
        if (v == last || (hopeless(m, v) && o->control.fixed <= 0)) {
            reject(m, v, report);
            return;
        }
    }
    onestep_fail(o, outcome, report);
}

static enum kn_status limex_restart(struct integrator *base, double t, const double *x)
{
    struct limex *m = (struct limex *)base;
    m->have_charge = false;
    m->target = usual_target(m, m->target);
    return onestep_restart(base, t, x);
}

const struct integrator_class integrator_limex = {
    .name = "limex",
    .title = "LIMEX: linearly implicit Euler method, extrapolated, order 2 to 8",
    .good_for = "smooth circuits at high accuracy, and to see which unknowns behave like index 2",
    .fails = "it is off by 2 tolerances behind a rectifier, by tens where the stored charge of a diode runs out",
    .calibration = {1, 1, 1, UNCHANGED},
    .create = limex_create,
    .destroy = onestep_destroy,
    .restart = limex_restart,
    .step = limex_step,
    .interpolate = onestep_interpolate,
    .statistics = onestep_statistics,
    .describe = limex_describe,
};
