/* start_response.c - see start_response.h. */
#include "analyses/adjoint/start_response.h"

#include "mna/start/consistent_euler.h"
#include "mna/start/initial_values_kept.h"
#include "sparse/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct response {
    const struct start_response *s;
    const struct dae *dae;
    struct arena *memory;
    double *G, *C, *A; /* [entries + 1] */
    struct sparse_lu *lu;
    double h;
    struct held_value *held;
    size_t held_count;
    double *work;                                            /* [n] */
    double *charges[EULER_LEVELS], *equations[EULER_LEVELS]; /* [n + values], [n] */
};

static enum kn_status prepare(struct response *r)
{
    const struct start_response *s = r->s;
    const struct dae *dae = r->dae;
    const double corner = dae->next_breakpoint(dae->problem, 0), limit = fmin(corner, s->span);
    struct dae_values at = {.G = r->G, .C = r->C};
    enum kn_status status = dae->eval(dae->problem, 0, s->x, DAE_G | DAE_C, &at);
    if (status == KN_OK)
        status = consistent_euler_length(dae->pattern, r->G, r->C, NULL, 0, limit, &r->h);
    const struct initial_values_kept k = {s->given, 0, r->h, s->setup->options->relative};
    if (status == KN_OK)
        status = initial_values_held(&k, s->setup->mna, s->x, r->memory, &r->held, &r->held_count);
    return status == KN_OK ? sparse_lu_new(dae->pattern, &r->lu) : status;
}

static double at(const double *x, int unknown)
{
    return unknown >= 0 ? x[unknown] : 0;
}

static void add_at(double *x, int unknown, double what)
{
    if (unknown >= 0)
        x[unknown] += what;
}

/* P: rows of inductors hold minus their flux. */
static void put(const struct held_value *v, double amount, double *q)
{
    add_at(q, v->plus, v->current ? -amount : amount);
    add_at(q, v->minus, -amount);
}

static double put_transposed(const struct held_value *v, const double *y)
{
    return (v->current ? -1 : 1) * at(y, v->plus) - at(y, v->minus);
}

/* w -= E^T values, values = S^-T P^T A^-T w, S = E A^-1 P. */
static enum kn_status leave_out_held(struct response *r, double *w, double *values)
{
    const int count = (int)r->held_count;
    const size_t bytes = (size_t)r->dae->n * sizeof *w;
    struct dense transposed, right, amounts;
    if (count == 0)
        return KN_OK;
    if (!dense_new(r->memory, count, count, &transposed) || !dense_new(r->memory, count, 1, &right))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < count; j++) {
        memset(r->work, 0, bytes);
        put(&r->held[j], 1, r->work);
        sparse_lu_solve(r->lu, r->work);
        for (int i = 0; i < count; i++)
            *dense_at(&transposed, j, i) = at(r->work, r->held[i].plus) - at(r->work, r->held[i].minus);
    }
    memcpy(r->work, w, bytes);
    sparse_lu_solve_transposed(r->lu, r->work);
    for (int j = 0; j < count; j++)
        *dense_at(&right, j, 0) = put_transposed(&r->held[j], r->work);
    const enum kn_status status = dense_solve(r->memory, &transposed, &right, &amounts);
    for (int i = 0; status == KN_OK && i < count; i++) {
        values[r->held[i].number] = *dense_at(&amounts, i, 0);
        add_at(w, r->held[i].plus, -*dense_at(&amounts, i, 0));
        add_at(w, r->held[i].minus, *dense_at(&amounts, i, 0));
    }
    return status;
}

/* Both steps, of length h. */
static enum kn_status take_level(struct response *r, const double *g, double h, double *charges, double *equations)
{
    const struct sparse_pattern *p = r->dae->pattern;
    const size_t n = (size_t)p->n;
    for (int e = 0; e < p->entries; e++)
        r->A[e] = r->G[e] + r->C[e] / h;
    enum kn_status status = sparse_lu_factor(r->lu, r->A);
    if (status != KN_OK)
        return status;
    memcpy(equations, g, n * sizeof *g);
    sparse_lu_solve_transposed(r->lu, equations);
    for (int j = 0; j < p->n; j++) {
        charges[j] = 0;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            charges[j] += r->C[k] / h * equations[p->row[k]];
    }
    status = leave_out_held(r, charges, charges + n);
    sparse_lu_solve_transposed(r->lu, charges);
    for (size_t i = 0; i < n; i++) {
        equations[i] += charges[i];
        charges[i] /= h;
    }
    return status;
}

/* By how much the functional is off where the steps begin at x. */
static enum kn_status find_rest(struct response *r, const double *charges, const double *equations, double *rest)
{
    const struct start_response *s = r->s;
    struct dae_values values = {.f = r->work, .q = arena_array(r->memory, (size_t)r->dae->n + 1, sizeof(double))};
    const enum kn_status status =
        values.q ? r->dae->eval(r->dae->problem, 0, s->x, DAE_F | DAE_Q, &values) : KN_ERROR_MEMORY;
    *rest = 0;
    for (int i = 0; status == KN_OK && i < r->dae->n; i++)
        *rest += charges[i] * (s->given->q[i] - values.q[i]) - equations[i] * values.f[i];
    return status;
}

/* What the third level adds to the functional at most, where charges move by as much as they are. */
static double unsettled_by(struct response *r)
{
    const int n = r->dae->n;
    double sum = 0;
    memset(r->work, 0, (size_t)n * sizeof *r->work);
    sparse_multiply_add_absolute(r->dae->pattern, r->C, r->s->x, r->work);
    for (int i = 0; i < n; i++) {
        const double b = r->charges[1][i], c = r->charges[2][i];
        sum += fabs(limit_of(r->charges[0][i], b, c) - (2 * c - b)) * fabs(r->work[i]);
    }
    return isnan(sum) ? INFINITY : sum;
}

static void take_limits(const struct response *r, double *charges, double *equations)
{
    for (int i = 0; i < r->dae->n; i++)
        equations[i] = limit_of(r->equations[0][i], r->equations[1][i], r->equations[2][i]);
    for (size_t i = 0; i < (size_t)r->dae->n + r->s->values; i++)
        charges[i] = limit_of(r->charges[0][i], r->charges[1][i], r->charges[2][i]);
}

/* Steps that are too long still are shortened, as in consistent_euler_settle; *rest: what of the functional stays open. */
static enum kn_status find(struct response *r, const double *g, double enough, double *charges, double *equations,
                           double *rest)
{
    double least = INFINITY;
    enum kn_status status = prepare(r);
    for (int attempt = 0; attempt < CONSISTENT_EULER_ATTEMPTS && status == KN_OK && least > enough; attempt++) {
        for (int level = 0; level < EULER_LEVELS && status == KN_OK; level++)
            status = take_level(r, g, ldexp(r->h, -level), r->charges[level], r->equations[level]);
        const double unsettled = status == KN_OK ? unsettled_by(r) : INFINITY;
        if (unsettled < least) {
            least = unsettled;
            take_limits(r, charges, equations);
        }
        r->h *= CONSISTENT_EULER_SHORTENING;
    }
    if (isinf(least))
        return status;
    status = find_rest(r, charges, equations, rest);
    *rest = fmax(fabs(*rest), least);
    return status;
}

enum kn_status start_response_find(const struct start_response *s, const double *g, double enough, double *charges,
                                   double *equations, bool *holds)
{
    struct response r = {.s = s, .dae = mna_dae(s->setup->mna), .memory = arena_new()};
    const size_t entries = (size_t)r.dae->pattern->entries + 1, n = (size_t)r.dae->n + 1;
    double rest = INFINITY;
    enum kn_status status = KN_ERROR_MEMORY;
    if (r.memory && arena_vectors(r.memory, entries, (double **const[]){&r.G, &r.C, &r.A, NULL}) &&
        arena_vectors(r.memory, n,
                      (double **const[]){&r.work, &r.equations[0], &r.equations[1], &r.equations[2], NULL}) &&
        arena_vectors(r.memory, n + s->values, (double **const[]){&r.charges[0], &r.charges[1], &r.charges[2], NULL}))
        status = find(&r, g, enough, charges, equations, &rest);
    *holds = status == KN_OK && rest <= enough;
    sparse_lu_free(r.lu);
    arena_free(r.memory);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status; /* a singular matrix */
}

enum kn_status rest_response_find(const struct setup *s, const double *rest, const double *gradient, double *lambda)
{
    const struct dae *dae = mna_dae(s->mna);
    struct dae_values values = {.G = sparse_values(dae->pattern), .C = sparse_values(dae->pattern)};
    struct sparse_lu *lu = NULL;
    enum kn_status status = values.G && values.C ? sparse_lu_new(dae->pattern, &lu) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = dae->eval(dae->problem, 0, rest, DAE_G | DAE_C, &values);
    if (status == KN_OK)
        status = sparse_lu_factor(lu, values.G);
    if (status == KN_OK) {
        memcpy(lambda, gradient, (size_t)dae->n * sizeof *lambda);
        sparse_lu_solve_transposed(lu, lambda);
    }
    sparse_lu_free(lu);
    free(values.G);
    free(values.C);
    return status;
}
