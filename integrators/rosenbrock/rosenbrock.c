/* rosenbrock.c - Rosenbrock-Wanner methods in charges: one factored matrix, as many solves as stages, no Newton.
 *
 * The method is applied to  y' = -f(x, t),  0 = y - q(x, t)  and y eliminated from the matrix (Guenther 1995, 1998:
 * charge-oriented ROW).  With u_i = sum_{j<=i} gamma_ij k_j, a_i = x_n + sum_{j<i} alpha_ij k_j, beta = alpha + gamma,
 * alpha = 1/(gamma h): (alpha C + G) u_i = -f(a_i, t_i) - h gamma_i f_t + alpha (sum_{j<i} beta_ij l_j - (q(a_i, t_i) -
 * y_n) - h gamma_i q_t), l_i = (q(a_i, t_i) - y_n + h gamma_i q_t + C u_i - sum_{j<i} beta_ij l_j) / gamma, x_{n+1} =
 * x_n + sum b_i k_i,   y_{n+1} = y_n + sum b_i l_i, G, C, f_t, q_t at (t_n, x_n).  For constant C this is l = C k and
 * the form of Steinebach 1988, (9.5), with its order conditions for index 1.  Rows without charge have l = 0 exactly.
 *
 * Where y_n comes from.  RODAS fulfils the conditions of its order in the algebraic unknowns too, so y_n = q(x_n):
 * charges belong to the voltages shown.  For the others x_{n+1} has the order of an algebraic unknown only, one less; y
 * is carried on, as an unknown of the method, and state-dependent capacitances cost no order.  Nothing drifts: each
 * step contains the whole of q(x_n) - y_n.
 *
 * Error: e = sum (b_i - b^_i) k_i.  Methods to learn from (study/) put a step together from the same parts otherwise.
 *
 * Exponentials.  Where an index-2 unknown z enters algebraic equations nonlinearly, what a step makes of z does not
 * depend on h: sum_j (..) k_j = -g(a_i) is one iteration of a simplified Newton method with the slope at z_n, which
 * diverges unless z_n is near, and no shorter step mends that.  So a new point must meet the algebraic equations.
 */
#include "integrators/rosenbrock/rosenbrock.h"
#include "base/larger.h"
#include "base/rounding.h"
#include "integrators/methods.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- life ---- */

static void find_sums(const struct rosenbrock_tableau *t, struct rosenbrock_sums *s)
{
    const int last = t->stages - 1;
    s->stiffly_accurate = !t->carries_charge;
    for (int i = 0; i < t->stages; i++) {
        s->rate[i] = t->gamma;
        s->same_point[i] = i > 0;
        s->embedded[i] = t->b[i] - t->embedded[i];
        const double of_last = t->alpha[last][i] + (i < last ? t->gammas[last][i] : t->gamma);
        s->stiffly_accurate = s->stiffly_accurate && fabs(t->b[i] - of_last) <= ROUNDING_SAME;
        for (int j = 0; j < i; j++) {
            s->abscissa[i] += t->alpha[i][j];
            s->rate[i] += t->gammas[i][j];
            s->beta[i][j] = t->alpha[i][j] + t->gammas[i][j];
            s->same_point[i] = s->same_point[i] && t->alpha[i][j] == (j < i - 1 ? t->alpha[i - 1][j] : 0);
        }
    }
}

/* w := w L^-1, L lower triangular with the diagonal gamma. */
static void solve_left(int n, double gamma, const double (*lower)[ROSENBROCK_STAGES], double *w)
{
    for (int j = n - 1; j >= 0; j--) {
        w[j] /= gamma;
        for (int i = 0; i < j; i++)
            w[i] -= w[j] * lower[j][i];
    }
}

static double sum_of_sizes(int n, const double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(w[i]);
    return sum;
}

/* What roundings d_i of the charges q(a_i) make of the error sum_i w_i k_i.  Where charges rule, u = -C^-1 d and k =
 * Gamma^-1 u; where currents do, l = beta^-1 d and u = -G^-1 l / h: in units of the matrix of the step, times d / (gamma h),
 * sum_i |(w Gamma^-1)_i| and gamma sum_i |(w Gamma^-1 beta^-1)_i|. */
static double charge_gain(const struct rosenbrock_tableau *t, const struct rosenbrock_sums *s)
{
    double w[ROSENBROCK_STAGES];
    memcpy(w, s->embedded, sizeof w);
    solve_left(t->stages, t->gamma, t->gammas, w);
    const double by_charges = sum_of_sizes(t->stages, w);
    solve_left(t->stages, t->gamma, s->beta, w);
    return larger_of(by_charges, t->gamma * sum_of_sizes(t->stages, w));
}

static bool allocate(struct rosenbrock *m)
{
    const size_t n = (size_t)m->onestep.base.dae->n;
    struct rosenbrock_past *p = &m->past;
    struct arena *a = m->onestep.base.memory;
    double **const vectors[] = {&m->charge, &m->next_charge, &m->point,     &m->f,       &m->q,       &m->right,   &p->x,
                                &p->q,      &p->slope,       &p->end_slope, &p->rate[0], &p->rate[1], &m->balance, &m->to_ground,
                                NULL};
    bool complete = arena_vectors(a, n, vectors);
    for (int i = 0; i < m->tableau->stages; i++)
        complete = arena_vectors(a, n, (double **const[]){&m->k[i], &m->l[i], NULL}) && complete;
    m->algebraic = arena_array(a, n, sizeof *m->algebraic);
    return complete && m->algebraic;
}

enum kn_status rosenbrock_create(size_t size, const struct rosenbrock_tableau *tableau,
                                 const struct integrator_class *class, const struct dae *dae,
                                 const struct integrator_options *o, struct integrator **out)
{
    struct onestep *base;
    *out = NULL;
    const enum kn_status status = onestep_create(size, dae, o, class, &base);
    if (status != KN_OK)
        return status;
    struct rosenbrock *m = (struct rosenbrock *)base;
    m->tableau = tableau;
    m->factor = onestep_factor;
    base->factors_of_step = true;
    find_sums(tableau, &m->sums);
    m->sums.charge_gain = charge_gain(tableau, &m->sums);
    if (!allocate(m)) {
        onestep_destroy(&base->base);
        return KN_ERROR_MEMORY;
    }
    *out = &base->base;
    return KN_OK;
}

/* ---- implicit stages ---- */

/* f and q at the point of stage i. */
enum newton_outcome rosenbrock_evaluate_stage(struct rosenbrock *m, int i, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    if (i == 0) {
        memcpy(m->f, o->f, (size_t)n * sizeof *m->f);
        memcpy(m->q, o->q, (size_t)n * sizeof *m->q);
        return NEWTON_CONVERGED;
    }
    if (m->sums.same_point[i])
        return NEWTON_CONVERGED;
    struct dae_values out = {.f = m->f, .q = m->q};
    onestep_combine(n, o->x, i, m->tableau->alpha[i], m->k, m->point);
    if (!onestep_evaluate(o, o->base.t + m->sums.abscissa[i] * h, m->point, DAE_F | DAE_Q, &out))
        return NEWTON_FAILED;
    return onestep_finite(n, m->f) && onestep_finite(n, m->q) ? NEWTON_CONVERGED : NEWTON_NOT_FINITE;
}

/* k_i from u_i. */
static void increment(struct rosenbrock *m, int i, const double *u)
{
    const int n = m->onestep.base.dae->n;
    const double gamma = m->tableau->gamma;
    double w[ROSENBROCK_STAGES];
    for (int j = 0; j < i; j++)
        w[j] = -m->tableau->gammas[i][j];
    onestep_combine(n, u, i, w, m->k, m->k[i]);
    for (int r = 0; r < n; r++)
        m->k[i][r] /= gamma;
}

static enum newton_outcome implicit_stage(struct rosenbrock *m, int i, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    const double gamma = m->tableau->gamma, alpha = 1 / (gamma * h), rate = h * m->sums.rate[i];
    double *charge = m->l[i]; /* first q(a_i) - y_n + h gamma_i q_t - sum beta_ij l_j */
    const enum newton_outcome outcome = rosenbrock_evaluate_stage(m, i, h);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    onestep_combine(n, NULL, i, m->sums.beta[i], m->l, m->right);
    for (int r = 0; r < n; r++) {
        charge[r] = m->q[r] - m->charge[r] + rate * o->dqdt[r] - m->right[r];
        m->right[r] = -m->f[r] - rate * o->dfdt[r] - alpha * charge[r];
    }
    if (!onestep_solve(o, m->right))
        return NEWTON_NOT_FINITE;
    increment(m, i, m->right);
    sparse_multiply_add(o->base.dae->pattern, o->C, m->right, charge);
    for (int r = 0; r < n; r++)
        charge[r] /= gamma;
    return NEWTON_CONVERGED;
}

/* ---- steps ---- */

static enum newton_outcome implicit_stages(struct rosenbrock *m, double h)
{
    struct onestep *o = &m->onestep;
    const size_t bytes = (size_t)o->base.dae->n * sizeof(double);
    if (!m->have_charge)
        memcpy(m->charge, o->q, bytes);
    m->have_charge = true;
    enum newton_outcome outcome = onestep_factor(o, 1 / (m->tableau->gamma * h));
    for (int i = 0; i < m->tableau->stages && outcome == NEWTON_CONVERGED; i++)
        outcome = implicit_stage(m, i, h);
    onestep_combine(o->base.dae->n, m->charge, m->tableau->stages, m->tableau->b, m->l, m->next_charge);
    return outcome;
}

void rosenbrock_combine(struct rosenbrock *m)
{
    struct onestep *o = &m->onestep;
    const struct rosenbrock_tableau *t = m->tableau;
    onestep_combine(o->base.dae->n, o->x, t->stages, t->b, m->k, o->next);
    onestep_combine(o->base.dae->n, NULL, t->stages, m->sums.embedded, m->k, o->error);
}

enum newton_outcome rosenbrock_attempt(struct rosenbrock *m, double to)
{
    struct onestep *o = &m->onestep;
    enum newton_outcome outcome = onestep_linearize(o, true);
    if (outcome == NEWTON_CONVERGED)
        outcome = implicit_stages(m, to - o->base.t);
    if (outcome == NEWTON_CONVERGED)
        rosenbrock_combine(m);
    return outcome;
}

/* The size of the next step: as proposed, or as this one if that was cut short and the reason may last; rounded as the
 * difference of two times will be. */
static double expected_step(const struct rosenbrock *m, double step)
{
    struct step_report report;
    control_accept(&m->onestep.control, m->onestep.growth, m->onestep.base.dae->linear, &report);
    const bool cut = step < m->proposed * (1 - 1e-9);
    const double next = cut ? fmin(step, report.next_step) : report.next_step, t = m->onestep.base.t;
    return t + next - t;
}

static bool good_between(struct rosenbrock *m, double to, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    rosenbrock_estimate_between(m, to);
    return onestep_judge_between(o, o->degree + 1, report);
}

/* As the step after it wants it; the same matrix serves all steps of a linear circuit. */
static enum newton_outcome factor_for_next(struct rosenbrock *m, double step)
{
    struct onestep *o = &m->onestep;
    const bool same = o->base.dae->linear && !isnan(o->alpha);
    return m->factor(o, same ? o->alpha : 1 / (m->tableau->gamma * expected_step(m, step)));
}

static void find_algebraic_rows(struct rosenbrock *m)
{
    const struct onestep *o = &m->onestep;
    const struct sparse_pattern *p = o->base.dae->pattern;
    for (int i = 0; i < p->n; i++)
        m->algebraic[i] = true;
    for (int k = 0; k < p->entries; k++)
        if (o->C[k] != 0)
            m->algebraic[p->row[k]] = false;
}

/* By how much the candidate of a step of size h misses the equation of row r.  Of a stiffly accurate method the last stage
 * says, with the matrix at the begin, f(x) + l/h = 0 and q(x) = y there: what is left of that at x itself is what the
 * bends of f and q make of it, nothing in a linear circuit.  Where charges are small and conductances change within the
 * step, a diode of some pF that closes, the equation is as good as one without charge, and no other estimate sees it. */
static double missed(const struct rosenbrock *m, int r, double h, double alpha)
{
    const struct onestep *o = &m->onestep;
    if (m->algebraic[r])
        return o->f[r];
    if (!m->sums.stiffly_accurate)
        return 0;
    return o->f[r] + m->l[m->tableau->stages - 1][r] / h + alpha * (o->q[r] - m->next_charge[r]);
}

/* Where the candidate misses them by more than this part of the tolerance, it is moved.  With 0.01 boost-converter of tests/decks/hard has
 * -251 V, more than its charges allow (test_converters). */
static const double NEAR_ENOUGH = 0.02;

/* The largest of currents at nodes that the candidate leaves, onestep.error, in tolerances.  In fixed steps the method goes on, and a note
 * says how far it is off. */
static double find_unbalanced(struct rosenbrock *m, double alpha)
{
    const struct onestep *o = &m->onestep;
    const struct dae_linear at = {o->G, o->C, alpha};
    double most = 0;
    if (o->control.fixed > 0)
        return 0;
    dae_balance_tolerances(o->base.dae, &at, o->next, o->control.tolerance.relative, m->to_ground, m->balance);
    for (int r = 0; r < o->base.dae->n; r++)
        most = larger_of(most, fabs(o->error[r]) / m->balance[r]);
    return most;
}

/* onestep.error := what the candidate misses the equations by, carried to x by the matrix that was factored for alpha. */
static bool find_missed(struct rosenbrock *m, double h, double alpha)
{
    struct onestep *o = &m->onestep;
    for (int r = 0; r < o->base.dae->n; r++)
        o->error[r] = missed(m, r, h, alpha);
    m->unbalanced = find_unbalanced(m, alpha);
    return onestep_solve(o, o->error);
}

/* By how many tolerances of the differences that laws state the candidate misses them, at most: behind a corner of a steep
 * one its matrix explains anything by inputs moved within their tolerance. */
static double laws_missed(const struct rosenbrock *m)
{
    const struct onestep *o = &m->onestep;
    const double *weights = o->control.tolerance.weights;
    double size = 0;
    for (size_t k = 0; k < o->base.dae->law_count; k++) {
        const struct dae_law *law = &o->base.dae->laws[k];
        const double plus = law->plus < 0 ? 0 : 1 / weights[law->plus];
        const double minus = law->minus < 0 ? 0 : 1 / weights[law->minus];
        size = larger_of(size, fabs(o->f[law->equation]) / (plus + minus));
    }
    return size;
}

/* The part of e [n] that is of index below 2 in unknown i: all, or the difference to the unknown together with which it is of index 2
 * (struct dae, beside); 0 where it is so alone. */
static double below_index2(const struct dae *dae, const double *e, int i)
{
    if (!dae->classes || (CLASS_BIT(dae->classes[i]) & CLASSES_BELOW_INDEX2))
        return e[i];
    return dae->beside && dae->beside[i] >= 0 ? e[i] - e[dae->beside[i]] : 0;
}

/* In tolerances; also in those of the point itself, NEAR_ENOUGH of which count as one: a volt of tolerance, left by a spike of
 * kilovolts, is no measure of what is missed on an exponential, which all seems to be kT/q.  Voltages across a junction count between
 * coils, too, where each node's is of index 2: a thyristor would go on conducting a current that coils have turned round. */
static double missed_size(const struct rosenbrock *m)
{
    const struct onestep *o = &m->onestep;
    const struct dae *dae = o->base.dae;
    double size = tolerance_norm(&o->control.tolerance, dae->classes, CLASSES_BELOW_INDEX2, o->error, NULL);
    for (int i = 0; i < dae->n; i++) {
        const double own = o->control.tolerance.relative * fabs(below_index2(dae, o->next, i)) + dae->absolute[i];
        const double part = larger_of(o->control.tolerance.weights[i], NEAR_ENOUGH / own);
        size = larger_of(size, part * fabs(below_index2(dae, o->error, i)));
    }
    return size;
}

/* Whether what the moved candidate misses, carried by the matrix it was moved with, is less than that move (the natural monotonicity test,
 * Deuflhard 2004, 3.3).  From below an exponential a whole Newton step leads far above it, and there the next one, of n kT/q, says nothing:
 * 0.98 V stood across a junction of 0.71 V, 85,000 times its charge. */
static bool nears(struct rosenbrock *m, double h, double alpha, double moved)
{
    struct onestep *o = &m->onestep;
    if (!find_missed(m, h, alpha))
        return false;
    if (missed_size(m) <= moved)
        return true;
    onestep_subtract_rounding(o, o->next, alpha);
    return missed_size(m) <= moved;
}

/* One Newton step towards the equations, of that size in tolerances; index-2 unknowns, which no later step needs, stay where they are so
 * alone. */
static enum newton_outcome move_candidate(struct rosenbrock *m, double to, double size)
{
    struct onestep *o = &m->onestep;
    const double h = to - o->base.t;
    for (int i = 0; i < o->base.dae->n; i++)
        o->next[i] -= below_index2(o->base.dae, o->error, i);
    const double alpha = o->alpha;
    const enum newton_outcome outcome = onestep_visit_again(o, to);
    if (outcome == NEWTON_CONVERGED && !nears(m, h, alpha, size))
        return NEWTON_SLOW;
    /* With the old factors they would seem to converge where an exponential has become flat. */
    return outcome == NEWTON_CONVERGED ? m->factor(o, alpha) : outcome;
}

/* The candidate has been moved by a step of this size in tolerances.  From above an exponential Newton's steps are all of
 * one size, n kT/q, however far the solution is: what is left is at most the next step / (1 - contraction) (Deuflhard 2004,
 * 2.1). */
static bool comes_near(struct rosenbrock *m, double h, double moved, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    if (!find_missed(m, h, m->onestep.alpha)) {
        onestep_fail(o, NEWTON_NOT_FINITE, report);
        return false;
    }
    if (laws_missed(m) > 1 || m->unbalanced > 1) {
        onestep_fail(o, NEWTON_SLOW, report);
        return false;
    }
    if (missed_size(m) <= NEAR_ENOUGH)
        return true;
    onestep_subtract_rounding(o, o->next, o->alpha);
    const double contraction = missed_size(m) / moved;
    const double more = contraction < 1 ? 1 / (1 - contraction) : INFINITY;
    for (int i = 0; i < o->base.dae->n; i++)
        o->error[i] *= fmin(more, 1 / DBL_EPSILON);
    return onestep_judge_missed(o, m->tableau->estimate, report);
}

/* The same; of what seems too much of it rounding of the charges is no reason for shorter steps. */
static bool judge_missed(struct rosenbrock *m, double h, double size, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    if (size > 1)
        onestep_subtract_rounding(o, o->next, m->sums.charge_gain / (m->tableau->gamma * h) + 2 * o->alpha);
    return onestep_judge_missed(o, m->tableau->estimate, report) && (size <= 1 || find_missed(m, h, m->onestep.alpha));
}

/* Whether the candidate misses the equations, carried to x by its own matrix, within the tolerance.  Only then is it a
 * point from which linearised stages get on. */
static bool meets_equations(struct rosenbrock *m, double to, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    const double h = to - o->base.t;
    if (o->base.dae->linear)
        return true;
    find_algebraic_rows(m);
    if (!find_missed(m, h, m->onestep.alpha)) {
        onestep_fail(o, NEWTON_NOT_FINITE, report);
        return false;
    }
    const double size = missed_size(m);
    if (!judge_missed(m, h, size, report))
        return false;
    const bool near = size <= NEAR_ENOUGH && laws_missed(m) <= 1 && m->unbalanced <= 1;
    if (near || !o->base.dae->classes) /* which unknowns have index 2 is not known */
        return true;
    const enum newton_outcome outcome = move_candidate(m, to, size);
    if (outcome == NEWTON_CONVERGED)
        return comes_near(m, h, size, report);
    onestep_fail(o, outcome, report);
    return false;
}

/* The polynomial of the step, a straight line where slopes cannot be found; its degree. */
static int choose_polynomial(struct rosenbrock *m, double step, bool begin_known)
{
    if (!begin_known || !rosenbrock_find_end_slope(m, step)) {
        m->past.known = false;
        onestep_set_line(&m->onestep);
        return 1;
    }
    const int degree = rosenbrock_fill_polynomial(m, step);
    m->past.known = true;
    return degree;
}

/* Looks at the equations at the candidate, which the next step wants anyway: accepted or rejected. */
static void consider(struct rosenbrock *m, double to, struct step_report *report)
{
    struct onestep *o = &m->onestep;
    const double step = to - o->base.t;
    const enum newton_outcome outcome = onestep_visit(o, to);
    if (outcome != NEWTON_CONVERGED) {
        onestep_return(o);
        onestep_fail(o, outcome, report);
        return;
    }
    const bool begin_known = rosenbrock_find_begin_slope(m, step);
    const enum newton_outcome factored = factor_for_next(m, step);
    if (factored != NEWTON_CONVERGED) { /* without factors no stage can be solved, nor told whether x is a solution */
        onestep_return(o);
        onestep_fail(o, factored, report);
        return;
    }
    if (!meets_equations(m, to, report)) {
        onestep_return(o);
        return;
    }
    const int degree = choose_polynomial(m, step, begin_known);
    double *swapped = m->charge;
    m->charge = m->next_charge;
    m->next_charge = swapped;
    m->have_charge = m->tableau->carries_charge;
    m->ends_known = true;
    /* An accepted step makes up for one failure: many failures among few accepted steps are to lead to a rescue.  A step too
     * short for output to show makes up for none. */
    const int failures = o->failures, fewer = control_is_fine(&o->control) ? failures : failures - 1;
    onestep_advance(o, to, degree, report);
    o->failures = fewer > 0 ? fewer : 0;
}

/* In a first step there is no step before it by which its cubic and its error estimate could be checked: its error counts so
 * many times. */
static const double FIRST_STRICTNESS = 16;

bool rosenbrock_begin(struct rosenbrock *m, double to, struct step_report *report)
{
    memset(report, 0, sizeof *report);
    if (onestep_rescue(&m->onestep, to, m->have_charge ? m->charge : NULL, report)) {
        m->have_charge = m->past.known = false;
        rosenbrock_remember_rescue(m);
        return true;
    }
    report->order = m->tableau->order;
    return false;
}

void rosenbrock_end(struct rosenbrock *m, double to, enum newton_outcome attempted, struct step_report *report)
{
    const double strictness = m->past.known ? 1 : FIRST_STRICTNESS;
    m->onestep.charge_gain = strictness * m->sums.charge_gain;
    for (int i = 0; attempted == NEWTON_CONVERGED && strictness > 1 && i < m->onestep.base.dae->n; i++)
        m->onestep.error[i] *= strictness;
    if (attempted != NEWTON_CONVERGED)
        onestep_fail(&m->onestep, attempted, report);
    else if (onestep_judge(&m->onestep, m->tableau->estimate, report) && good_between(m, to, report))
        consider(m, to, report);
    m->proposed = report->next_step;
}

void rosenbrock_step(struct integrator *base, double to, struct step_report *report)
{
    struct rosenbrock *m = (struct rosenbrock *)base;
    if (!rosenbrock_begin(m, to, report))
        rosenbrock_end(m, to, rosenbrock_attempt(m, to), report);
}

enum kn_status rosenbrock_restart(struct integrator *base, double t, const double *x)
{
    struct rosenbrock *m = (struct rosenbrock *)base;
    m->have_charge = m->past.known = m->ends_known = false;
    m->proposed = 0;
    return onestep_restart(base, t, x);
}

/* ---- the methods ---- */

ROSENBROCK_CREATE(rodas)
ROSENBROCK_CREATE(rodasp)
ROSENBROCK_CLASS(rodas, "Rosenbrock method RODAS of order 4(3), stiffly accurate, index 1", NULL, NULL, rodas_create,
                 rosenbrock_step, 3, 0.2, 16);
ROSENBROCK_CLASS(rodasp, "Rosenbrock method RODASP of order 4(3), stiffly accurate, order 2 in index-2 unknowns", NULL,
                 NULL, rodasp_create, rosenbrock_step, 3, 0.2, 16);
