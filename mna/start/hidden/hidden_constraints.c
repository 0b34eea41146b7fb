/* hidden_constraints.c - see hidden_constraints.h.
 *
 * Equations without charge are rows of zeros in C, and sums of rows over nodes that capacitances join with each other
 * but not with ground (charge_groups.h).  A set of rows that does not add to zero simply counts as having charge.
 */
#include "mna/start/hidden/hidden_constraints_parts.h"

#include "base/rounding.h"
#include "mna/index/charge_groups.h"
#include "mna/start/augmented.h"
#include "mna/start/consistent_euler.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 8 };

void hidden_constraints_free(struct hidden_constraints *s)
{
    if (!s)
        return;
    charge_groups_free(&s->groups);
    sparse_lu_free(s->lu);
    sparse_pattern_free(s->pattern);
    free(s->matrix);
    arena_free(s->memory);
}

enum kn_status hidden_constraints_new(struct mna *m, struct hidden_constraints **out)
{
    const struct dae *dae = mna_dae(m);
    const size_t entries = (size_t)dae->pattern->entries, n = (size_t)dae->n;
    struct arena *memory;
    struct hidden_constraints *s = arena_object(sizeof *s, &memory);
    *out = s;
    if (!s)
        return KN_ERROR_MEMORY;
    s->memory = memory;
    s->dae = dae;
    double **const vectors[] = {
        &s->f,        &s->dfdt,     &s->dqdt,     &s->kept, &s->increment[0], &s->increment[1], &s->increment[2],
        &s->level[0], &s->level[1], &s->level[2], NULL};
    s->sum = arena_array(memory, n, sizeof *s->sum);
    s->had_charge = arena_array(memory, n, sizeof *s->had_charge);
    s->moves = arena_array(memory, n, sizeof *s->moves);
    s->slot = arena_array(memory, 2 * entries + 1, sizeof *s->slot);
    s->sum_slot = s->slot ? s->slot + entries : NULL;
    if (s->sum && s->had_charge && s->moves && s->slot && arena_vectors(memory, n, vectors) &&
        arena_vectors(memory, entries + 1, (double **const[]){&s->G, &s->C, &s->factored[0], &s->factored[1], NULL}))
        return KN_OK;
    hidden_constraints_free(s);
    *out = NULL;
    return KN_ERROR_MEMORY;
}

enum kn_status hidden_evaluate(struct hidden_constraints *s, double time, const double *x)
{
    struct dae_values out = {.f = s->f, .G = s->G, .C = s->C, .dfdt = s->dfdt, .dqdt = s->dqdt};
    return s->dae->eval(s->dae->problem, time, x, DAE_F | DAE_G | DAE_C | DAE_T, &out);
}

/* ---- the system of the increments ---- */

static enum kn_status make_pattern(struct hidden_constraints *s)
{
    const struct sparse_pattern *p = s->dae->pattern;
    const size_t entries = (size_t)p->entries;
    int *rows = malloc(2 * entries * sizeof *rows), *columns = malloc(2 * entries * sizeof *columns);
    enum kn_status status = KN_ERROR_MEMORY;
    if (rows && columns) {
        for (int j = 0; j < p->n; j++)
            for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
                const int sum = s->sum[p->row[k]];
                rows[k] = sum == p->row[k] ? -1 : p->row[k];
                rows[entries + (size_t)k] = sum;
                columns[k] = columns[entries + (size_t)k] = j;
            }
        status = sparse_pattern_new(p->n, rows, columns, 2 * entries, s->slot, &s->pattern);
    }
    free(rows);
    free(columns);
    if (status != KN_OK)
        return status;
    s->matrix = sparse_values(s->pattern);
    return s->matrix ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status factor(struct hidden_constraints *s, double h)
{
    memset(s->matrix, 0, ((size_t)s->pattern->entries + 1) * sizeof *s->matrix);
    for (int k = 0; k < s->dae->pattern->entries; k++) {
        s->matrix[s->slot[k]] += s->G[k] + s->C[k] / h;
        s->matrix[s->sum_slot[k]] += s->G[k];
    }
    return sparse_lu_factor(s->lu, s->matrix);
}

/* Equations without charge that do not hold to the last digit: x is moved, charges kept.  What this does to index-2
 * unknowns is mended afterwards. */
static enum kn_status mend_visible(struct hidden_constraints *s, double h, double *x)
{
    double *right = s->increment[0];
    const enum kn_status status = factor(s, h);
    if (status != KN_OK)
        return status;
    memset(right, 0, (size_t)s->dae->n * sizeof *right);
    for (int i = 0; i < s->dae->n; i++) {
        const int sum = s->sum[i];
        if (sum >= 0)
            right[sum] -= s->f[i];
    }
    sparse_lu_solve(s->lu, right);
    for (int i = 0; i < s->dae->n; i++)
        if (isfinite(right[i]))
            x[i] += right[i];
    return KN_OK;
}

void hidden_increments_right(const struct hidden_constraints *s, double h, double *right)
{
    memset(right, 0, (size_t)s->dae->n * sizeof *right);
    for (int i = 0; i < s->dae->n; i++) {
        const int sum = s->sum[i];
        if (sum != i)
            right[i] -= s->f[i] + s->dqdt[i] + h * s->dfdt[i];
        if (sum >= 0)
            right[sum] -= h * s->dfdt[i];
    }
}

/* *moved: whether another look, with what is nonlinear in index-2 unknowns taken where they are now, may find more; *far: how far this
 * one has gone, in what values at starts are known to. */
static enum kn_status mend_hidden(struct hidden_constraints *s, double h, double *x, bool *moved, double *far)
{
    for (int k = 0; k < HIDDEN_LEVELS; k++) {
        const double step = ldexp(h, -k);
        const enum kn_status status = factor(s, step);
        if (status != KN_OK)
            return status;
        hidden_increments_right(s, step, s->increment[k]);
        sparse_lu_solve(s->lu, s->increment[k]);
    }
    *moved = false;
    *far = 0;
    for (int i = 0; i < s->dae->n; i++) {
        const double add = limit_of(s->increment[0][i], s->increment[1][i], s->increment[2][i]);
        if (isfinite(add))
            x[i] += add;
        *far = fmax(*far, fabs(add) / (START_RELTOL * fabs(s->kept[i]) + s->dae->absolute[i]));
        *moved |= fabs(add) > ROUNDING_SAME * fabs(x[i]) + FAR_BELOW * s->dae->absolute[i];
    }
    *moved = *moved && !s->dae->linear;
    return KN_OK;
}

/* A pattern and its analysis for the present groups. */
static enum kn_status rebuild(struct hidden_constraints *s)
{
    sparse_lu_free(s->lu);
    sparse_pattern_free(s->pattern);
    free(s->matrix);
    s->h = 0;
    s->lu = NULL;
    s->pattern = NULL;
    s->matrix = NULL;
    const enum kn_status status = make_pattern(s);
    return status == KN_OK ? sparse_lu_new(s->pattern, &s->lu) : status;
}

/* True if the groups are not those of the last call. */
static bool take_groups(struct hidden_constraints *s)
{
    bool changed = !s->lu;
    for (int i = 0; i < s->dae->n; i++) {
        const int sum = charge_groups_sum(&s->groups, i);
        changed |= s->sum[i] != sum;
        s->sum[i] = sum;
    }
    memset(s->moves, 0, (size_t)s->dae->n * sizeof *s->moves);
    for (int i = 0; i < s->dae->n; i++) {
        s->had_charge[i] = s->had_charge[i] || s->sum[i] != i;
        if (s->sum[i] >= 0 && s->had_charge[i] && !charge_groups_is_loose(&s->groups, i))
            s->moves[s->sum[i]] = true;
    }
    return changed;
}

/* At the point that was evaluated last. */
static enum kn_status group(struct hidden_constraints *s)
{
    charge_groups_free(&s->groups);
    const enum kn_status status = charge_groups_init(&s->groups, s->dae->pattern, s->C);
    if (status != KN_OK)
        return status;
    charge_groups_find_tied(&s->groups, s->dae->pattern, s->G, s->C);
    return take_groups(s) ? rebuild(s) : KN_OK;
}

static enum kn_status prepare(struct hidden_constraints *s, double time, const double *x)
{
    const enum kn_status status = hidden_evaluate(s, time, x);
    return status == KN_OK ? group(s) : status;
}

double hidden_visible_residual(const struct hidden_constraints *s, const double *x)
{
    double *sum = s->increment[0], *terms = s->level[0], *size = s->level[1], worst = 0;
    const size_t bytes = (size_t)s->dae->n * sizeof *sum;
    memset(sum, 0, bytes);
    memset(terms, 0, bytes);
    memset(size, 0, bytes);
    sparse_multiply_add_absolute(s->dae->pattern, s->G, x, terms);
    for (int i = 0; i < s->dae->n; i++) {
        if (s->sum[i] < 0)
            continue;
        sum[s->sum[i]] += s->f[i];
        size[s->sum[i]] += terms[i];
    }
    for (int i = 0; i < s->dae->n; i++) {
        const double part = fabs(sum[i]) / (s->dae->equation_absolute[i] + ROUNDING_SAME * size[i]);
        worst = isnan(part) ? INFINITY : fmax(worst, part);
    }
    return worst;
}

/* Whether unknowns with charges have been moved by repairs of those without: windings that share all their flux have but rounding to
 * tell their currents apart by, and the factors with it 1e6 A. */
static bool moves_charges(const struct hidden_constraints *s, const double *x)
{
    const struct dae *dae = s->dae;
    for (int i = 0; dae->classes && i < dae->n; i++)
        if (dae->classes[i] == DAE_DIFFERENTIAL &&
            !(fabs(x[i] - s->kept[i]) <= MNA_SPICE.reltol * fabs(s->kept[i]) + HIDDEN_SUFFERED * dae->absolute[i]))
            return true;
    return false;
}

/* The second repair, repeated; *far: how far the one before has gone, INFINITY: there is none, and then the last one.  *settles: it
 * does not lead further in the end than the time before; in steps so short that nothing but rounding tells the voltage that nodes
 * between coils share, each goes twenty times as far back (18 V at rest after eight). */
static enum kn_status mend_hidden_again(struct hidden_constraints *s, double time, double h, double *far, double *x,
                                        bool *settles)
{
    enum kn_status status = KN_OK;
    bool moved = true;
    *settles = true;
    for (int round = 0; status == KN_OK && moved && *settles && round < MOST_ROUNDS; round++) {
        const double before = *far;
        status = hidden_evaluate(s, time, x);
        if (status == KN_OK)
            status = mend_hidden(s, h, x, &moved, far);
        *settles = *far <= fmax(1, before);
    }
    return status;
}

/* Both repairs are linear, the second is repeated; where index-2 unknowns enter so nonlinearly that the equations
 * suffer, x stays. */
static enum kn_status mend(struct hidden_constraints *s, double time, double h, double *x)
{
    const double before = hidden_visible_residual(s, x);
    memcpy(s->kept, x, (size_t)s->dae->n * sizeof *x);
    enum kn_status status = mend_visible(s, h, x);
    bool settles = true;
    double far = INFINITY;
    if (status == KN_OK)
        status = mend_hidden_again(s, time, h, &far, x, &settles);
    if (status == KN_OK)
        status = hidden_evaluate(s, time, x);
    if (status != KN_OK || !settles || hidden_visible_residual(s, x) > fmax(before, HIDDEN_SUFFERED) ||
        moves_charges(s, x))
        memcpy(x, s->kept, (size_t)s->dae->n * sizeof *x);
    return status;
}

enum kn_status hidden_constraints_complete(struct hidden_constraints *s, double time, double h, double *x)
{
    enum kn_status status = prepare(s, time, x);
    if (status == KN_OK)
        status = mend(s, time, h, x);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}

enum kn_status hidden_constraints_slope(struct hidden_constraints *s, double time, double h, const double *x,
                                        double *slope)
{
    enum kn_status status = prepare(s, time, x);
    if (status == KN_OK)
        status = factor(s, h);
    if (status != KN_OK)
        return status;
    hidden_increments_right(s, h, slope);
    sparse_lu_solve(s->lu, slope);
    for (int i = 0; i < s->dae->n; i++)
        slope[i] /= h;
    return KN_OK;
}

/* ---- second derivatives and higher ones ---- */

/* Whether capacitances of column j vanish, or are there, that were not (were) when the groups were made, or all of them together do: a
 * transistor that has a channel leaves nothing between gate and bulk. */
static bool has_other_column(const struct hidden_constraints *s, int j)
{
    const struct sparse_pattern *p = s->dae->pattern;
    double sum[2] = {0, 0}, size[2] = {0, 0};
    for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
        const double C[] = {s->factored[1][k], s->C[k]};
        if ((C[0] != 0) != (C[1] != 0))
            return true;
        for (int now = 0; now < 2; now++) {
            sum[now] += C[now];
            size[now] += fabs(C[now]);
        }
    }
    return charge_groups_is_charge(sum[0], size[0]) != charge_groups_is_charge(sum[1], size[1]);
}

static bool has_other_charges(const struct hidden_constraints *s)
{
    for (int j = 0; j < s->dae->n; j++)
        if (has_other_column(s, j))
            return true;
    return false;
}

enum kn_status hidden_group_anew(struct hidden_constraints *s)
{
    return !s->lu || has_other_charges(s) ? group(s) : KN_OK;
}

/* Factors at the point that was evaluated last, for steps of size h. */
enum kn_status hidden_factor_for(struct hidden_constraints *s, double h)
{
    const size_t bytes = (size_t)s->dae->pattern->entries * sizeof *s->G;
    if (s->h == h && memcmp(s->G, s->factored[0], bytes) == 0 && memcmp(s->C, s->factored[1], bytes) == 0)
        return KN_OK;
    s->h = 0;
    memcpy(s->factored[0], s->G, bytes);
    memcpy(s->factored[1], s->C, bytes);
    const enum kn_status status = factor(s, h);
    if (status == KN_OK)
        s->h = h;
    return status;
}

static enum kn_status chain_step(struct hidden_constraints *s, double time, double h, double *x)
{
    enum kn_status status = hidden_evaluate(s, time, x);
    if (status == KN_OK)
        status = hidden_group_anew(s);
    if (status == KN_OK)
        status = hidden_factor_for(s, h);
    if (status != KN_OK)
        return status;
    hidden_increments_right(s, h, s->increment[0]);
    sparse_lu_solve(s->lu, s->increment[0]);
    for (int i = 0; i < s->dae->n; i++)
        x[i] += s->increment[0][i];
    return KN_OK;
}

/* Its last point, from s->kept, with steps shorter by 2^level. */
static enum kn_status take_chain(struct hidden_constraints *s, const struct hidden_chain *c, int level)
{
    const double h = ldexp(c->h, -level);
    double *x = s->level[level];
    enum kn_status status = KN_OK;
    memcpy(x, s->kept, (size_t)s->dae->n * sizeof *x);
    for (int k = 0; k < c->steps && status == KN_OK; k++)
        status = chain_step(s, c->time + h * (c->ends ? k - c->steps + 1 : k), h, x);
    return status;
}

/* x [n] := what it becomes as the steps of a chain from s->kept shrink.  An unknown of index k + 1 is found by k equal steps
 * up to a multiple of their size (K. E. Brenan, S. L. Campbell and L. R. Petzold, Numerical Solution of Initial-Value Problems
 * in DAEs, 1996, 3.2; unequal ones miss it by a part of itself); here of the increments, whose first derivatives are exact. */
enum kn_status hidden_limit_of_chain(struct hidden_constraints *s, const struct hidden_chain *c, double *x)
{
    enum kn_status status = KN_OK;
    for (int level = 0; level < HIDDEN_LEVELS && status == KN_OK; level++)
        status = take_chain(s, c, level);
    for (int i = 0; i < s->dae->n && status == KN_OK; i++) {
        const double limit = limit_of(s->level[0][i], s->level[1][i], s->level[2][i]);
        x[i] = isfinite(limit) ? limit : x[i];
    }
    return status;
}

/* s, of steps that follow `time`, where s has been prepared. */
static enum kn_status length_behind(const struct hidden_constraints *s, double time, double *h)
{
    const double limit = s->dae->next_breakpoint ? s->dae->next_breakpoint(s->dae->problem, time) : INFINITY;
    return consistent_euler_length(s->dae->pattern, s->G, s->C, &s->groups, time, limit, h);
}

enum kn_status hidden_constraints_begin(struct hidden_constraints *s, double time, int index, double *x)
{
    struct hidden_chain c = {.time = time, .steps = index - 1};
    memcpy(s->kept, x, (size_t)s->dae->n * sizeof *x);
    enum kn_status status = prepare(s, time, x);
    if (status == KN_OK)
        status = length_behind(s, time, &c.h);
    if (status == KN_OK)
        status = hidden_limit_of_chain(s, &c, x);
    for (int i = 0; i < s->dae->n; i++)
        if (s->dae->classes[i] == DAE_DIFFERENTIAL)
            x[i] = s->kept[i];
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}

/* ---- corners ---- */

/* Whether x moved; what did so by round-off only goes back. */
static bool has_moved(const struct hidden_constraints *s, double *x)
{
    bool moved = false;
    for (int i = 0; i < s->dae->n; i++) {
        if (fabs(x[i] - s->kept[i]) <= ROUNDING_SAME * fabs(s->kept[i]) + FAR_BELOW * s->dae->absolute[i])
            x[i] = s->kept[i];
        else
            moved = true;
    }
    return moved;
}

/* A look at the far side, by a step of size h that takes x that far (mend_hidden). */
struct look {
    double h, far;
};

/* With derivatives instead of values at time + h, rounding of the time does not matter. */
static enum kn_status turn_once(struct hidden_constraints *s, double time, struct look *look, double *x)
{
    const double limit = s->dae->next_breakpoint ? s->dae->next_breakpoint(s->dae->problem, time) : INFINITY;
    bool unused;
    const enum kn_status status =
        consistent_euler_length(s->dae->pattern, s->G, s->C, &s->groups, 0, limit - time, &look->h);
    return status == KN_OK ? mend_hidden(s, look->h, x, &unused, &look->far) : status;
}

/* Whether x, where that look has led, is where more of them lead.  At the voltage that nodes between coils share rounding leads to and fro
 * by thousands of volts.  Where they come to an end within the tolerances that is x: a current that is a formula of itself jumped by
 * what its slope before made of it (0.758 instead of 0.526 A through 1 nF), as long as the equations do not suffer by more than `suffered`. */
static enum kn_status turn_again(struct hidden_constraints *s, double time, const struct look *look, double suffered,
                                 double *x, bool *settles)
{
    double *there = s->level[2], far = look->far;
    memcpy(there, x, (size_t)s->dae->n * sizeof *x);
    enum kn_status status = mend_hidden_again(s, time, look->h, &far, there, settles);
    if (status != KN_OK || !*settles || far > 1)
        return status;
    status = hidden_evaluate(s, time, there);
    if (status == KN_OK && hidden_visible_residual(s, there) <= suffered)
        memcpy(x, there, (size_t)s->dae->n * sizeof *x);
    return status;
}

/* What jumps leaves an impulse in its derivative, which the first step takes up. */
static enum kn_status turn_chain(struct hidden_constraints *s, double time, int index, double *x)
{
    struct hidden_chain c = {.time = time, .steps = index - 1};
    const enum kn_status status = length_behind(s, time, &c.h);
    return status == KN_OK ? hidden_limit_of_chain(s, &c, x) : status;
}

static enum kn_status turn(struct hidden_constraints *s, double time, int index, double *x,
                           enum hidden_constraints_turn *result)
{
    const double suffered = fmax(hidden_visible_residual(s, x), HIDDEN_SUFFERED);
    struct look look;
    bool settles = true;
    enum kn_status status = index > 2 ? turn_chain(s, time, index, x) : turn_once(s, time, &look, x);
    if (status != KN_OK || !has_moved(s, x))
        return status;
    *result = HIDDEN_CONSTRAINTS_MOVED;
    status = hidden_evaluate(s, time, x);
    if (status != KN_OK || !(hidden_visible_residual(s, x) <= suffered))
        *result = HIDDEN_CONSTRAINTS_NONLINEAR;
    else if (index <= 2)
        status = turn_again(s, time, &look, suffered, x, &settles);
    if (!settles)
        *result = HIDDEN_CONSTRAINTS_STAYED;
    if (*result != HIDDEN_CONSTRAINTS_MOVED)
        memcpy(x, s->kept, (size_t)s->dae->n * sizeof *x);
    return status;
}

enum kn_status hidden_constraints_turn(struct hidden_constraints *s, double time, int index, double *x,
                                       enum hidden_constraints_turn *result)
{
    *result = HIDDEN_CONSTRAINTS_STAYED;
    memcpy(s->kept, x, (size_t)s->dae->n * sizeof *x);
    enum kn_status status = prepare(s, time, x);
    if (status == KN_OK)
        status = turn(s, time, index, x, result);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}
