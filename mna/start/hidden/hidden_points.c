/* hidden_points.c - points of a run: their index-2 unknowns, and the slopes of all others. */
#include "mna/start/hidden/hidden_constraints_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Parts of a step that are short beside everything the step follows, and long enough for rounding; factors serve
 * steps of all sizes between. */
static const double SHORT = 0x1p-20, SHORTEST = 0x1p-30;
/* Where that is too short for rounding: index-2 unknowns are off by what they change in this part of a step. */
static const double LONG = 0x1p-8;
/* Unknowns that enter nonlinearly are looked at again: Newton's method, which has converged by then or does not. */
enum { MOST_LOOKS = 10 };
static const double LOOK_AGAIN = 1e-4; /* where they have moved by more than this part of them */
/* Where they have moved by more than this part, the equations have to hold in the end as they did, and better from look to look until
 * then: a diode that blocks is none behind its knee. */
static const double FAR = 0.1;

/* Whether the columns of index-2 unknowns are those of the point before: nothing depends on them but linearly, and one
 * look finds them. */
static bool is_linear_in_index2(const struct hidden_constraints *s)
{
    const struct sparse_pattern *p = s->dae->pattern;
    for (int j = 0; j < p->n; j++) {
        const int from = p->column_start[j], entries = p->column_start[j + 1] - from;
        if (s->dae->classes[j] == DAE_INDEX2 &&
            memcmp(s->G + from, s->factored[0] + from, (size_t)entries * sizeof *s->G) != 0)
            return false;
    }
    return true;
}

/* Factors at the point that was evaluated last, for parts of a step. */
static enum kn_status factor_at_point(struct hidden_constraints *s, double step)
{
    const bool fits = s->h >= SHORTEST * step && s->h <= SHORT * step;
    return hidden_factor_for(s, fits ? s->h : exp2(floor(log2(SHORT * step)) - 4));
}

/* Sums may not hold where their equations have charges, or had: the polynomials of these reach back to where they were not constant
 * together.  The currents of sources take that. */
static void mend_sums(const struct hidden_constraints *s, double *right)
{
    for (int i = 0; i < s->dae->n; i++)
        if (s->sum[i] >= 0 && s->moves[s->sum[i]])
            right[s->sum[i]] -= s->f[i];
}

/* Laws that bend leave the equations without charge off by what they bend by.  Of others not even rounding changes: divided by the step
 * it would be a current. */
static void mend_bent(const struct hidden_constraints *s, const double *first, double *right)
{
    for (int i = 0; i < s->dae->n; i++)
        if (s->sum[i] >= 0)
            right[s->sum[i]] -= s->f[i] - first[i];
}

/* first [n]: f before the first look. */
static void find_increment(struct hidden_constraints *s, const double *first)
{
    double *increment = s->increment[0];
    hidden_increments_right(s, s->h, increment);
    mend_sums(s, increment);
    mend_bent(s, first, increment);
    sparse_lu_solve(s->lu, increment);
}

/* The largest part of itself by which an increment [n] moves an unknown that may move. */
static double largest_part(const struct hidden_constraints *s, const double *x, const double *increment)
{
    double most = 0;
    for (int i = 0; i < s->dae->n; i++) {
        const double part = fabs(increment[i]) / (fabs(x[i]) + s->dae->absolute[i]);
        most = s->dae->classes[i] != DAE_DIFFERENTIAL && part > most ? part : most;
    }
    return most;
}

/* What rounding of the terms of the equations makes of the increment, as a part of the unknowns: a transistor of 100 S between coils of
 * L/h = 1e14 ohms leaves the voltage that all its nodes share to chance. */
static double unsure_part(struct hidden_constraints *s, const double *x)
{
    double *error = s->increment[2];
    memset(error, 0, (size_t)s->dae->n * sizeof *error);
    sparse_multiply_add_absolute(s->pattern, s->matrix, s->increment[0], error);
    for (int i = 0; i < s->dae->n; i++)
        error[i] *= i % 2 ? -DBL_EPSILON : DBL_EPSILON;
    sparse_lu_solve(s->lu, error);
    return largest_part(s, x, error);
}

/* Where rounding tells what the increment is, that of a part of the step that is LONG; *unsure: what rounding still makes of it. */
static enum kn_status take_longer(struct hidden_constraints *s, double step, const double *first, const double *x,
                                  double *unsure)
{
    *unsure = unsure_part(s, x);
    if (!(*unsure > LOOK_AGAIN))
        return KN_OK;
    const enum kn_status status = hidden_factor_for(s, LONG * step);
    if (status != KN_OK)
        return status;
    find_increment(s, first);
    *unsure = unsure_part(s, x);
    return KN_OK;
}

/* *most: the largest part of itself by which an unknown moves.  KN_ERROR_CIRCUIT: only rounding tells, and x stays. */
static enum kn_status add_increment(struct hidden_constraints *s, double step, const double *first, double *x,
                                    double *most)
{
    const double *increment = s->increment[0];
    double unsure = 0;
    enum kn_status status = KN_OK;
    find_increment(s, first);
    *most = largest_part(s, x, increment);
    if (*most > LOOK_AGAIN)
        status = take_longer(s, step, first, x, &unsure);
    if (status != KN_OK || unsure > FAR)
        return status == KN_OK ? KN_ERROR_CIRCUIT : status;
    *most = largest_part(s, x, increment);
    for (int i = 0; i < s->dae->n; i++)
        if (s->dae->classes[i] != DAE_DIFFERENTIAL)
            x[i] += increment[i];
    return KN_OK;
}

/* As if it had been evaluated here. */
static enum kn_status take_known(struct hidden_constraints *s, const struct dae_values *known)
{
    const size_t n = (size_t)s->dae->n, entries = (size_t)s->dae->pattern->entries;
    memcpy(s->f, known->f, n * sizeof *s->f);
    memcpy(s->dfdt, known->dfdt, n * sizeof *s->dfdt);
    memcpy(s->dqdt, known->dqdt, n * sizeof *s->dqdt);
    memcpy(s->G, known->G, entries * sizeof *s->G);
    memcpy(s->C, known->C, entries * sizeof *s->C);
    return KN_OK;
}

/* Where C is singular, a conductance that the step h brings in holds what no charge does, and currents are not those of the slopes.
 * MNA_SPICE.reltol of the terms of an equation may be missing.
 *
 * Whether currents of the slopes found add up to zero in all equations but those of index-2 unknowns, which are not complete. */
static bool add_up(const struct hidden_constraints *s, const double *x, const double *found)
{
    const struct sparse_pattern *p = s->dae->pattern;
    double *size = s->level[0], *rest = s->level[1];
    memcpy(size, s->dae->equation_absolute, (size_t)p->n * sizeof *size);
    for (int i = 0; i < p->n; i++)
        rest[i] = s->f[i] + s->dqdt[i];
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            size[p->row[k]] += fabs(s->G[k] * x[j]);
            rest[p->row[k]] += s->dae->classes[j] == DAE_INDEX2 && s->G[k] != 0 ? NAN : s->C[k] * found[j];
        }
    for (int i = 0; i < p->n; i++)
        if (fabs(rest[i]) > MNA_SPICE.reltol * size[i])
            return false;
    return true;
}

/* Currents of charges with the slopes found may be larger than those of others by this factor: where x is about right, equations that
 * are stiff take what it is off by for a current. */
static const double LARGER = 2;

static bool are_larger(const struct hidden_constraints *s, const double *found, const double *slope)
{
    const struct sparse_pattern *p = s->dae->pattern;
    double *now = s->level[0], *before = s->level[1];
    memset(now, 0, (size_t)p->n * sizeof *now);
    memset(before, 0, (size_t)p->n * sizeof *before);
    sparse_multiply_add(p, s->C, found, now);
    sparse_multiply_add(p, s->C, slope, before);
    for (int i = 0; i < p->n; i++)
        if (!(fabs(now[i]) <= LARGER * fabs(before[i]) + s->dae->equation_absolute[i]))
            return true;
    return false;
}

/* At the point that was evaluated last. */
static enum kn_status find_slope(struct hidden_constraints *s, double step, double *found)
{
    enum kn_status status = hidden_group_anew(s);
    if (status == KN_OK)
        status = factor_at_point(s, step);
    if (status != KN_OK)
        return status;
    hidden_increments_right(s, s->h, found);
    sparse_lu_solve(s->lu, found);
    for (int i = 0; i < s->dae->n; i++)
        found[i] /= s->h;
    return KN_OK;
}

enum kn_status hidden_constraints_slope_inside(struct hidden_constraints *s, const struct dae_point *at, double *slope)
{
    double *found = s->increment[0];
    enum kn_status status = hidden_evaluate(s, at->time, at->x);
    if (status == KN_OK)
        status = find_slope(s, at->step, found);
    if (status == KN_OK && ((at->solved && add_up(s, at->x, found)) || !are_larger(s, found, slope)))
        memcpy(slope, found, (size_t)s->dae->n * sizeof *slope);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}

/* How far unknowns of index 2 have gone. */
struct way {
    double moved;         /* in the last look, as a part of them */
    bool far;             /* in one of them */
    double before, after; /* residual of equations without charge, before the first look and behind the last one */
};

enum arrival { ON_THE_WAY, ARRIVED, ASTRAY };

/* At the point that was evaluated last, behind a look. */
static enum arrival judge(const struct hidden_constraints *s, const double *x, struct way *w)
{
    if (!w->far)
        return ON_THE_WAY;
    const double residual = hidden_visible_residual(s, x);
    const bool holds = residual <= fmax(w->before, HIDDEN_SUFFERED), nears = residual < w->after;
    w->after = residual;
    return !holds && !nears ? ASTRAY : holds && w->moved <= LOOK_AGAIN ? ARRIVED : ON_THE_WAY;
}

static enum kn_status stay(const struct hidden_constraints *s, enum kn_status status, double *x)
{
    memcpy(x, s->kept, (size_t)s->dae->n * sizeof *x);
    return status;
}

/* Where unknowns have gone far, x stays unless the equations are still what they were, or hold in the end. */
static enum kn_status follow(struct hidden_constraints *s, double time, double step, const struct dae_values *known,
                             double *x)
{
    struct way w = {.after = INFINITY};
    double *first = s->increment[1];
    for (int look = 0;; look++, known = NULL) {
        enum kn_status status = known ? take_known(s, known) : hidden_evaluate(s, time, x);
        if (status == KN_OK)
            status = hidden_group_anew(s);
        const bool linear = s->dae->linear || is_linear_in_index2(s);
        if (look > 0 && linear)
            return status;
        const enum arrival arrival = look > 0 && status == KN_OK ? judge(s, x, &w) : ON_THE_WAY;
        if (arrival == ASTRAY || (look == MOST_LOOKS && w.far))
            return stay(s, status, x);
        if (arrival == ARRIVED || look == MOST_LOOKS)
            return status;
        w.before = look == 0 && !s->dae->linear ? hidden_visible_residual(s, x) : w.before;
        if (look == 0)
            memcpy(first, s->f, (size_t)s->dae->n * sizeof *first);
        if (status == KN_OK)
            status = factor_at_point(s, step);
        if (status != KN_OK)
            return status;
        status = add_increment(s, step, first, x, &w.moved);
        if (status != KN_OK)
            return stay(s, status, x);
        w.far = w.far || w.moved > FAR;
        if (s->dae->linear || (!w.far && w.moved <= (linear ? FAR : LOOK_AGAIN)))
            return KN_OK;
    }
}

/* Steps of a chain, whose third power is what their limit leaves, as a part of the step of the run, and of the time, whose
 * rounding is a part of them in second derivatives; the chain stays within this part of the step. */
static const double CHAIN_STEP = 0x1p-6, CHAIN_LENGTH = 0x1p-3;
#define CHAIN_RESOLUTION (DBL_EPSILON / SHORT)

static enum kn_status follow_chain(struct hidden_constraints *s, double time, double step, int index, double *x)
{
    const double part = fmax(CHAIN_STEP * step, fmin(CHAIN_RESOLUTION * fabs(time), CHAIN_LENGTH * step / index));
    const struct hidden_chain c = {.time = time, .h = part, .steps = index - 1, .ends = true};
    const enum kn_status status = hidden_limit_of_chain(s, &c, x);
    for (int i = 0; i < s->dae->n; i++)
        if (s->dae->classes[i] == DAE_DIFFERENTIAL)
            x[i] = s->kept[i];
    return status;
}

enum kn_status hidden_constraints_follow(struct hidden_constraints *s, double time, double step, int index,
                                         const struct dae_values *known, double *x)
{
    const size_t n = (size_t)s->dae->n;
    memcpy(s->kept, x, n * sizeof *x);
    const enum kn_status status = index > 2 ? follow_chain(s, time, step, index, x) : follow(s, time, step, known, x);
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite = finite && isfinite(x[i]);
    if (status != KN_OK || !finite)
        memcpy(x, s->kept, n * sizeof *x);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}
