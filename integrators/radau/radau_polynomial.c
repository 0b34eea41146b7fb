/* radau_polynomial.c - the collocation polynomial of the last accepted step of Radau IIA: dense output, starting values
 * of the next stages, corrections by the leading term of its error, and how far waveforms may be from it.
 */
#include "integrators/radau/radau.h"
#include "integrators/rounding.h"

#include <math.h>
#include <string.h>

static const double PREDICTABLE = 0.3; /* part of the change over a step by which its prediction may have missed */
/* Where dense output is compared with the step before, in units of the new step. */
static const double FURTHEST_BACK = 1.5;

/* out := scale (w_0 begin + sum w_i X_i), [n] each. */
static void combine(const struct radau *m, int stages, const double *begin, double *const *X, const double *w,
                    double scale, double *out)
{
    const int n = m->base.dae->n;
    for (int k = 0; k < n; k++)
        out[k] = scale * w[0] * begin[k];
    for (int i = 1; i <= stages; i++)
        for (int k = 0; k < n; k++)
            out[k] += scale * w[i] * X[i - 1][k];
}

/* Of the last accepted step. */
static void combine_stages(const struct radau *m, const double *w, double scale, double *out)
{
    combine(m, m->polynomial->stages, m->begin, m->X, w, scale, out);
}

/* Of the step being judged. */
static void combine_new_stages(const struct radau *m, const double *w, double scale, double *out)
{
    combine(m, m->stages.tableau->stages, m->x, m->stages.X, w, scale, out);
}

static void add_corrections(const struct radau *m, double smooth, double rest, double *out)
{
    for (int k = 0; k < m->base.dae->n; k++)
        out[k] += smooth * m->smooth[k] + rest * m->rest[k];
}

void radau_interpolate(struct integrator *base, double time, double *x, double *dxdt)
{
    const struct radau *m = (const struct radau *)base;
    double w[RADAU_STAGES + 1];
    if (m->polynomial_step <= 0) {
        memcpy(x, m->x, (size_t)base->dae->n * sizeof *x);
        if (dxdt)
            memset(dxdt, 0, (size_t)base->dae->n * sizeof *dxdt);
        return;
    }
    const double theta = (time - base->previous) / m->polynomial_step;
    radau_value_weights(m->polynomial, theta, w);
    combine_stages(m, w, 1, x);
    add_corrections(m, radau_smooth_nodal(m->polynomial, theta), radau_nodal(m->polynomial, theta), x);
    if (!dxdt)
        return;
    const double per_second = 1 / m->polynomial_step;
    radau_slope_weights(m->polynomial, theta, w);
    combine_stages(m, w, per_second, dxdt);
    add_corrections(m, per_second * radau_smooth_nodal_slope(m->polynomial, theta),
                    per_second * radau_nodal_slope(m->polynomial, theta), dxdt);
}

static double between_nodes(const struct radau_tableau *r)
{
    return r->stages > 1 ? 0.5 * (r->c[r->stages - 2] + r->c[r->stages - 1]) : 0.5;
}

/* Corrections of x carried over to charges: C times each, with the C of the factors that have made the one from a residual r
 * of the equations, C (gamma/h C + G)^-1 r = h/gamma (r - G ..): no more than what r brings in the step.  Any other C would make a charge that
 * nothing has brought of a voltage within its tolerance, where a diode begins to conduct.  Of the other one as much is believed of a
 * charge as of x (largest_correction), by what the equations miss. */
static void carry_corrections(struct radau *m)
{
    const struct radau_stages *s = &m->stages;
    const struct radau_tableau *r = m->polynomial;
    const struct sparse_pattern *pattern = m->base.dae->pattern;
    const size_t bytes = (size_t)m->base.dae->n * sizeof(double);
    double *missed = s->work[0];
    if (m->carried_at == m->base.t)
        return;
    memset(m->carried_smooth, 0, bytes);
    memset(m->carried_rest, 0, bytes);
    memset(missed, 0, bytes);
    sparse_multiply_add(pattern, s->softer ? s->end_C : s->C, m->smooth, m->carried_smooth);
    sparse_multiply_add(pattern, s->C, m->rest, m->carried_rest);
    sparse_multiply_add(pattern, s->C, m->predicted, missed);
    for (int k = 0; k < m->base.dae->n && !m->base.dae->linear; k++) {
        const double most = CONTROL_SOFT_EXCESS * fabs(missed[k] / radau_nodal(r, between_nodes(r)));
        if (fabs(m->carried_rest[k]) > most)
            m->carried_rest[k] = copysign(most, m->carried_rest[k]);
    }
    m->carried_at = m->base.t;
}

/* The collocation polynomial of the charges, with the corrections of x carried over. */
bool radau_charges(struct integrator *base, double time, double *q, double *dqdt)
{
    struct radau *m = (struct radau *)base;
    const struct radau_stages *s = &m->stages;
    const struct radau_tableau *r = m->polynomial;
    const int n = base->dae->n;
    const bool known = m->charges_known && m->polynomial_step > 0;
    if (!known || !q)
        return known;
    carry_corrections(m);
    const double theta = (time - base->previous) / m->polynomial_step, per_second = 1 / m->polynomial_step;
    const double smooth = radau_smooth_nodal(r, theta), rest = radau_nodal(r, theta);
    const double smooth_slope = per_second * radau_smooth_nodal_slope(r, theta);
    const double rest_slope = per_second * radau_nodal_slope(r, theta);
    double w[RADAU_STAGES + 1], slope[RADAU_STAGES + 1];
    radau_value_weights(r, theta, w);
    radau_slope_weights(r, theta, slope);
    for (int k = 0; k < n; k++) {
        q[k] = m->q[k] - s->dq[r->stages - 1][k] + smooth * m->carried_smooth[k] + rest * m->carried_rest[k];
        dqdt[k] = smooth_slope * m->carried_smooth[k] + rest_slope * m->carried_rest[k];
    }
    for (int i = 0; i < r->stages; i++)
        for (int k = 0; k < n; k++) {
            q[k] += w[i + 1] * s->dq[i][k];
            dqdt[k] += per_second * slope[i + 1] * s->dq[i][k];
        }
    return true;
}

void radau_predict_stages(struct radau *m, double h)
{
    const int n = m->base.dae->n, s = m->stages.tableau->stages;
    double w[RADAU_STAGES + 1];
    for (int i = 0; i < s; i++) {
        if (m->polynomial_step <= 0) {
            memcpy(m->stages.X[i], m->x, (size_t)n * sizeof(double));
            continue;
        }
        radau_value_weights(m->polynomial, 1 + m->stages.tableau->c[i] * h / m->polynomial_step, w);
        combine_stages(m, w, 1, m->stages.X[i]);
    }
    memcpy(m->predicted, m->stages.X[s - 1], (size_t)n * sizeof(double));
    m->extrapolated = m->polynomial_step > 0;
    if (!m->extrapolated)
        return;
    const double end = 1 + h / m->polynomial_step;
    add_corrections(m, radau_smooth_nodal(m->polynomial, end), radau_nodal(m->polynomial, end), m->predicted);
}

/* ---- how far waveforms may be from it ---- */

/* What is not the error of the end of a step counts in units of reltol itself, not of the one carried over. */
double radau_in_reltol(const struct radau *m, double norm)
{
    return norm * m->control.tolerance.relative / m->options.relative;
}

/* e [n], times `part`.  Newton's iteration does not look at unknowns that only follow, so for these the tolerance
 * carried over is what can be had. */
struct radau_roughness radau_roughness_of(const struct radau *m, const double *e, double part)
{
    const enum dae_class *classes = m->base.dae->classes;
    const struct tolerance *t = &m->control.tolerance;
    const double driving = tolerance_norm(t, classes, CLASSES_DRIVING, e, NULL);
    const double index2 = tolerance_norm(t, classes, CLASS_BIT(DAE_INDEX2), e, NULL);
    const double follows = tolerance_norm(t, classes, CLASS_BIT(DAE_FOLLOWS), e, NULL);
    const double all = tolerance_norms(t, classes, CLASSES_BELOW_INDEX2, m->base.watched, e).inside;
    return (struct radau_roughness){.controlled = part * radau_in_reltol(m, driving),
                                    .followers = part * fmax(follows, radau_in_reltol(m, index2)),
                                    .all = part * radau_in_reltol(m, all)};
}

static void take_off_rounding(struct radau *m, double *e, double magnified)
{
    radau_stages_round(&m->stages, m->x);
    for (int k = 0; k < m->base.dae->n; k++)
        e[k] = fmax(fabs(e[k]) - magnified * m->stages.rounding[k], 0);
}

/* The same; where it may be more than noise, without what is rounding of charges and currents, `magnified` times: smaller steps have
 * more of it.  Uses up e. */
static struct radau_roughness certain_roughness(struct radau *m, double *e, double part, double magnified)
{
    const struct radau_roughness all = radau_roughness_of(m, e, part);
    if (!(fmax(all.controlled, all.followers) > CONTROL_MOSTLY))
        return all;
    take_off_rounding(m, e, magnified);
    struct radau_roughness certain = radau_roughness_of(m, e, part);
    certain.all = all.all;
    return certain;
}

/* What the extrapolation over `ratio` steps makes of errors of the stages that have nothing to do with each other, each
 * of one unit in the last place. */
static double magnification(const struct radau *m, double ratio)
{
    double w[RADAU_STAGES + 1], squares = 1;
    radau_value_weights(m->polynomial, 1 + ratio, w);
    for (int i = 0; i <= m->polynomial->stages; i++)
        squares += w[i] * w[i];
    return sqrt(squares) * DBL_EPSILON / ROUNDING;
}

/* The prediction by the polynomial before misses by the same derivative.  Uses up `predicted`. */
struct radau_roughness radau_roughness(struct radau *m, double h)
{
    const struct radau_roughness none = {.all = INFINITY};
    const struct radau_tableau *r = m->stages.tableau;
    const enum dae_class *classes = m->base.dae->classes;
    const double *x = m->stages.X[r->stages - 1];
    m->predictable = false;
    if (!m->extrapolated)
        return none;
    for (int k = 0; k < m->base.dae->n; k++) {
        m->point[k] = x[k] - m->x[k];
        m->predicted[k] = x[k] - m->predicted[k];
    }
    const struct tolerance *tolerance = &m->control.tolerance;
    const double missed = tolerance_norm(tolerance, classes, CLASSES_DRIVING, m->predicted, NULL);
    const double moved = tolerance_norm(tolerance, classes, CLASSES_DRIVING, m->point, NULL);
    m->predictable = missed < PREDICTABLE * moved;
    if (m->polynomial != r)
        return none;
    const double ratio = h / m->polynomial_step;
    const double inside = r->largest_nodal * (0.5 + 1 / ratio);
    const double ahead = radau_nodal(r, 1 + ratio) * (1 + ratio + m->back);
    const double part = inside * pow(ratio, r->stages + 2) / fabs(ahead);
    return certain_roughness(m, m->predicted, part, magnification(m, ratio));
}

/* How far the equations are from being met by the collocation polynomials of x and q at a point between the nodes,
 * carried to x.  It sees the corners that the prediction of the next step would be the first to show.  In leading order
 * the slope of q misses as it does at the begin of the step, where it is known to be -f: so much is taken away, as it
 * is from dense output.  Leaves what x misses in `predicted`. */
struct radau_roughness radau_missed_between(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    const struct radau_tableau *r = s->tableau;
    const double theta = between_nodes(r);
    double smooth = 1; /* prod_i (theta - c_i), 1 at the begin */
    for (int i = 0; i < r->stages; i++)
        smooth *= 1 - theta / r->c[i];
    double w[RADAU_STAGES + 1], slope[RADAU_STAGES + 1], slope_at_begin[RADAU_STAGES + 1];
    double *miss = m->predicted;
    radau_value_weights(r, theta, w);
    radau_slope_weights(r, theta, slope);
    radau_slope_weights(r, 0, slope_at_begin);
    combine_new_stages(m, w, 1, m->point);
    s->status = radau_stages_evaluate(s, m->base.t + theta * h, m->point, DAE_F, miss, NULL);
    for (int k = 0; k < s->dae->n; k++)
        miss[k] = smooth * m->f[k] - miss[k];
    for (int i = 0; i < r->stages; i++) {
        const double weight = (smooth * slope_at_begin[i + 1] - slope[i + 1]) / h;
        for (int k = 0; k < s->dae->n; k++)
            miss[k] += weight * s->dq[i][k];
    }
    radau_stages_filter(s, miss);
    return certain_roughness(m, miss, 1, 1);
}

/* Of an error of the end of the step, in reltol; where it is large, without rounding as above.  Uses up e. */
static double certain_end(struct radau *m, double *e, double magnified)
{
    const double all = radau_in_reltol(m, control_error(&m->control, e, 0).end);
    if (!(all > CONTROL_MOSTLY))
        return all;
    take_off_rounding(m, e, magnified);
    return radau_in_reltol(m, control_error(&m->control, e, 0).end);
}

/* What stiff components have of an error e: (gamma/h C + G)^-1 G e, e itself where C counts for little and some h / tau
 * of it where the step is shorter than their time constant tau. */
static double stiff_end(struct radau *m, const double *e, double magnified)
{
    struct radau_stages *s = &m->stages;
    memset(m->point, 0, (size_t)s->dae->n * sizeof *m->point);
    sparse_multiply_add(s->dae->pattern, s->G, e, m->point);
    radau_stages_filter(s, m->point);
    return certain_end(m, m->point, magnified);
}

/* The slope of the charges at the end by the collocation polynomial of q and by that of x, times C there: they differ
 * where a kink of the charges lies inside the step, however near its end.  Index-2 unknowns are that slope, and stiff
 * ones, a voltage behind a resistor that charges a gate, follow it at once, with nothing of it in the error that the
 * embedded formula tells; the others see it in their next step. */
struct radau_roughness radau_missed_slope(struct radau *m, double h)
{
    struct radau_stages *s = &m->stages;
    const struct radau_tableau *r = s->tableau;
    double w[RADAU_STAGES + 1], *miss = s->work[0];
    double magnified = 0; /* rounding of charges, against gamma / h times one of them */
    radau_slope_weights(r, 1, w);
    for (int i = 0; i <= r->stages; i++)
        magnified += 2 * fabs(w[i]) / r->gamma;
    combine_new_stages(m, w, -1 / h, m->point);
    memset(miss, 0, (size_t)s->dae->n * sizeof *miss);
    for (int i = 0; i < r->stages; i++)
        for (int k = 0; k < s->dae->n; k++)
            miss[k] += w[i + 1] / h * s->dq[i][k];
    sparse_multiply_add(s->dae->pattern, s->end_C, m->point, miss);
    radau_stages_filter(s, miss);
    const double end = radau_in_reltol(m, control_error(&m->control, miss, 0).end);
    const double stiff = end > CONTROL_MOSTLY ? stiff_end(m, miss, fmax(magnified, 1)) : end;
    const double followers = certain_roughness(m, miss, 1, fmax(magnified, 1)).followers;
    return (struct radau_roughness){.followers = followers, .end = stiff};
}

double radau_excess(const struct radau *m, struct radau_roughness rough)
{
    const double controlled = control_is_unread(&m->control) ? 0 : rough.controlled;
    const double followers = control_is_hidden(&m->control) ? 0 : rough.followers;
    const double all = fmax(fmax(controlled, followers), rough.end);
    return control_stands(&m->control, all, CONTROL_SOFT_EXCESS) ? 0 : all;
}

/* ---- corrections ---- */

/* Of unknown k in dense output: what the equations miss between the nodes says how far it may be wrong there, or what
 * the tolerance allows. */
static double largest_correction(const struct radau *m, int k)
{
    const struct radau_tableau *r = m->stages.tableau;
    const double allowed = CONTROL_SOFT_EXCESS / radau_in_reltol(m, m->control.tolerance.weights[k]);
    return fmax(CONTROL_SOFT_EXCESS * fabs(m->predicted[k]), allowed) / fabs(radau_nodal(r, between_nodes(r)));
}

/* What the collocation polynomial of the new step (stages s->X) misses in leading order.  Its nodes are stages, whose
 * order is little more than half that of the ends.  Differential unknowns: their slope at the begin is known and is not
 * that of the polynomial; how much it differs is the estimate of the error, gamma / h times, without stiff components.
 * What the other unknowns miss shows in the step before, where the polynomial, continued, does not meet it; no more of
 * it is believed than what the equations miss between the nodes allows, for there may be a corner between both steps.
 */
void radau_correct_polynomial(struct radau *m, double h)
{
    const struct radau_tableau *r = m->stages.tableau;
    const enum dae_class *classes = m->base.dae->classes;
    const int n = m->base.dae->n, s = r->stages;
    const double scale = r->gamma / radau_smooth_nodal_slope(r, 0);
    double w[RADAU_STAGES + 1], *seen = m->point;
    const bool before = m->polynomial_step > 0;
    const double back = before ? fmin(m->polynomial_step / h, m->polynomial == r ? FURTHEST_BACK : INFINITY) : 1;
    if (before)
        radau_interpolate(&m->base, m->base.t - back * h, seen, NULL);
    const double smooth = radau_smooth_nodal(r, -back), rest = radau_nodal(r, -back);
    radau_value_weights(r, -back, w);
    for (int k = 0; k < n; k++) {
        const bool free = classes && classes[k] == DAE_INDEX2;
        m->smooth[k] = free ? 0 : scale * m->error[k];
        double missed = before ? seen[k] - w[0] * m->x[k] - smooth * m->smooth[k] : 0;
        for (int i = 0; i < s && before; i++)
            missed -= w[i + 1] * m->stages.X[i][k];
        m->next_rest[k] = missed / rest;
        if (!m->base.dae->linear && fabs(m->next_rest[k]) > largest_correction(m, k))
            m->next_rest[k] = copysign(largest_correction(m, k), missed / rest);
    }
    double *swapped = m->rest;
    m->rest = m->next_rest;
    m->next_rest = swapped;
    m->back = back;
}
