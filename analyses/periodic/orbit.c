/* orbit.c - see orbit.h. */
#include "analyses/periodic/orbit.h"

#include "sparse/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, MOST_ITERATIONS = 40, HALVINGS = 6, MOST_COLUMNS = 200 };

/* Bytes of factors that are kept. */
static const size_t MOST_KEPT = 500000000;

/* From here on an update that no longer halves is rounding. */
static const double NEARLY = 1e3;

/* How a step depends on where it begins. */
struct orbit_slopes {
    struct sparse_lu *lu; /* of the equations of its stages; NULL: none are kept */
    double *C;            /* [entries + 1] at its start */
};

struct orbit_work {
    struct sparse_pattern *pattern;    /* of the stages together */
    struct orbit_slopes at;            /* of the step that was looked at last */
    int *slot;                         /* [9 entries] of entry k of block (i, j): slot[(3 i + j) entries + k] */
    double *matrix;                    /* [entries of the stages + 1] */
    double *G[STAGES], *C[STAGES];     /* [entries + 1] at the stages */
    double *f, *q, *begin_q, *product; /* [3 n], [3 n], [n], [n] */
    double *update, *before;           /* [3 n] */
    double *sum;                       /* [n] of columns of the monodromy matrix */
};

static bool make_pattern(struct orbit_work *w, const struct sparse_pattern *p, enum kn_status *status)
{
    const size_t entries = (size_t)p->entries, all = STAGES * STAGES * entries;
    int *rows = malloc((all + 1) * sizeof *rows), *columns = malloc((all + 1) * sizeof *columns);
    size_t count = 0;
    w->slot = malloc((all + 1) * sizeof *w->slot);
    *status = rows && columns && w->slot ? KN_OK : KN_ERROR_MEMORY;
    for (int i = 0; i < STAGES && *status == KN_OK; i++)
        for (int j = 0; j < STAGES; j++)
            for (int column = 0; column < p->n; column++)
                for (int k = p->column_start[column]; k < p->column_start[column + 1]; k++) {
                    rows[count] = i * p->n + p->row[k];
                    columns[count++] = j * p->n + column;
                }
    if (*status == KN_OK)
        *status = sparse_pattern_new(STAGES * p->n, rows, columns, count, w->slot, &w->pattern);
    free(rows);
    free(columns);
    return *status == KN_OK;
}

static enum kn_status work_new(const struct sparse_pattern *p, struct orbit_work **out)
{
    const size_t n = (size_t)p->n;
    enum kn_status status;
    struct orbit_work *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return KN_ERROR_MEMORY;
    if (!make_pattern(w, p, &status))
        return status;
    double **const vectors[] = {&w->f, &w->q, &w->update, &w->before, &w->begin_q, &w->product, &w->sum};
    bool complete = (w->matrix = sparse_values(w->pattern)) && (w->at.C = sparse_values(p));
    for (int i = 0; i < STAGES; i++)
        complete = (w->G[i] = sparse_values(p)) && (w->C[i] = sparse_values(p)) && complete;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        complete = (*vectors[i] = calloc(STAGES * n + 1, sizeof(double))) && complete;
    return complete ? sparse_lu_new(w->pattern, &w->at.lu) : KN_ERROR_MEMORY;
}

static void slopes_free(struct orbit_slopes *s)
{
    sparse_lu_free(s->lu);
    free(s->C);
}

static void work_free(struct orbit_work *w)
{
    if (!w)
        return;
    slopes_free(&w->at);
    sparse_pattern_free(w->pattern);
    double *const all[] = {w->matrix, w->f, w->q, w->update, w->before, w->begin_q, w->product, w->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (int i = 0; i < STAGES; i++) {
        free(w->G[i]);
        free(w->C[i]);
    }
    free(w->slot);
    free(w);
}

static const struct radau_tableau *three_stages(void)
{
    const struct radau_tableau *r = radau_tableaus;
    while (r->stages != STAGES)
        r++;
    return r;
}

enum kn_status orbit_new(const struct dae *dae, int steps, struct orbit *out)
{
    const size_t n = (size_t)dae->n;
    *out = (struct orbit){.dae = dae, .tableau = three_stages(), .n = dae->n, .steps = steps};
    out->part = calloc((size_t)steps + 1, sizeof(double));
    out->x = calloc((STAGES * (size_t)steps + 1) * n + 1, sizeof(double));
    const bool large = dae->n > MOST_COLUMNS;
    if (large)
        out->kept = calloc((size_t)steps + 1, sizeof *out->kept);
    else
        out->monodromy = calloc(n * n + 1, sizeof(double));
    out->by_period = calloc(n + 1, sizeof(double));
    out->scale = calloc(n + 1, sizeof(double));
    const bool complete = out->part && out->x && (out->monodromy || out->kept) && out->by_period && out->scale;
    const enum kn_status status = complete ? work_new(dae->pattern, &out->work) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        orbit_free(out);
    return status;
}

enum kn_status orbit_keep_slopes(struct orbit *o)
{
    free(o->monodromy);
    o->monodromy = NULL;
    if (!o->kept)
        o->kept = calloc((size_t)o->steps + 1, sizeof *o->kept);
    return o->kept ? KN_OK : KN_ERROR_MEMORY;
}

void orbit_free(struct orbit *o)
{
    work_free(o->work);
    for (int i = 0; o->kept && i < o->steps; i++)
        slopes_free(&o->kept[i]);
    free(o->kept);
    double *const all[] = {o->part, o->x, o->monodromy, o->by_period, o->scale};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    memset(o, 0, sizeof *o);
}

/* ---- one step ---- */

struct step {
    double t, h;     /* s */
    const double *x; /* [n] where it begins */
    double *X;       /* [3 n] its stages */
};

static struct step step_of(const struct orbit *o, int number)
{
    const size_t n = (size_t)o->n;
    double *stages = o->x + n + STAGES * n * (size_t)number;
    return (struct step){.t = o->start + o->period * o->part[number],
                         .h = o->period * (o->part[number + 1] - o->part[number]),
                         .x = stages - n,
                         .X = stages};
}

/* f, q and with `slopes` G, C at the stages; then f becomes the residual. */
static enum kn_status evaluate(struct orbit *o, const struct step *s, bool slopes)
{
    struct orbit_work *w = o->work;
    const unsigned what = DAE_F | DAE_Q | (slopes ? DAE_G | DAE_C : 0);
    for (int i = 0; i < STAGES; i++) {
        const size_t at = (size_t)i * (size_t)o->n;
        struct dae_values values = {.f = w->f + at, .q = w->q + at, .G = w->G[i], .C = w->C[i]};
        const enum kn_status status =
            o->dae->eval(o->dae->problem, s->t + o->tableau->c[i] * s->h, s->X + at, what, &values);
        if (status != KN_OK)
            return status;
    }
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++)
            for (int k = 0; k < o->n; k++)
                w->f[i * o->n + k] += o->tableau->W[i][j] / s->h * (w->q[j * o->n + k] - w->begin_q[k]);
    return KN_OK;
}

static bool is_finite(const struct orbit *o)
{
    double sum = 0;
    for (int k = 0; k < STAGES * o->n; k++)
        sum += fabs(o->work->f[k]);
    return isfinite(sum);
}

static enum kn_status factor(struct orbit *o, const struct step *s)
{
    struct orbit_work *w = o->work;
    const int entries = o->dae->pattern->entries;
    memset(w->matrix, 0, ((size_t)w->pattern->entries + 1) * sizeof *w->matrix);
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++)
            for (int k = 0; k < entries; k++)
                w->matrix[w->slot[(i * STAGES + j) * entries + k]] +=
                    o->tableau->W[i][j] / s->h * w->C[j][k] + (i == j ? w->G[i][k] : 0);
    o->factorizations++;
    return sparse_lu_factor(w->at.lu, w->matrix);
}

/* Moves the stages by the update, less of it where the equations have no value; its weighted norm. */
static enum kn_status move(struct orbit *o, const struct step *s, double *norm)
{
    struct orbit_work *w = o->work;
    const size_t bytes = STAGES * (size_t)o->n * sizeof(double);
    *norm = 0;
    for (int k = 0; k < STAGES * o->n; k++) {
        const double size = fabs(w->update[k]) * o->scale[k % o->n];
        if (size > *norm || isnan(size)) {
            *norm = isnan(size) ? INFINITY : size;
            o->failed_unknown = k % o->n;
        }
    }
    memcpy(w->before, s->X, bytes);
    double part = 1;
    for (int half = 0; half < HALVINGS && isfinite(*norm); half++, part /= 2) {
        for (int k = 0; k < STAGES * o->n; k++)
            s->X[k] = w->before[k] - part * w->update[k];
        const enum kn_status status = evaluate(o, s, true);
        if (status != KN_OK || is_finite(o))
            return status;
    }
    return KN_ERROR_CONVERGENCE;
}

/* Newton's method from s->X; ends with the factors of the last but one point, which a quadratically small update later
 * are those of the solution. */
static enum kn_status solve_from(struct orbit *o, const struct step *s)
{
    struct orbit_work *w = o->work;
    double norm = INFINITY, before;
    enum kn_status status = evaluate(o, s, true);
    if (status == KN_OK && !is_finite(o))
        return KN_ERROR_CONVERGENCE;
    for (int i = 0; i < MOST_ITERATIONS && status == KN_OK; i++) {
        status = factor(o, s);
        if (status != KN_OK)
            return status;
        memcpy(w->update, w->f, STAGES * (size_t)o->n * sizeof(double));
        sparse_lu_solve(w->at.lu, w->update);
        before = norm;
        o->iterations++;
        status = move(o, s, &norm);
        if (status == KN_OK && (norm <= 1 || (norm <= NEARLY && norm > 0.5 * before)))
            return KN_OK;
    }
    return status == KN_OK ? KN_ERROR_CONVERGENCE : status;
}

/* Charges and their slopes where the step begins; sources that jump at its end have their values before that. */
static enum kn_status begin_step(struct orbit *o, const struct step *s)
{
    struct dae_values begin = {.q = o->work->begin_q, .C = o->work->at.C};
    if (o->dae->hold_left)
        o->dae->hold_left(o->dae->problem, s->t + s->h);
    return o->dae->eval(o->dae->problem, s->t, s->x, DAE_Q | DAE_C, &begin);
}

/* From what the stages hold, and where that is too wild a start, from the begin of the step. */
static enum kn_status solve(struct orbit *o, const struct step *s)
{
    enum kn_status status = begin_step(o, s);
    if (status == KN_OK)
        status = solve_from(o, s);
    if (status != KN_ERROR_CONVERGENCE && status != KN_ERROR_CIRCUIT)
        return status;
    for (int i = 0; i < STAGES; i++)
        memcpy(s->X + (size_t)i * (size_t)o->n, s->x, (size_t)o->n * sizeof(double));
    return solve_from(o, s);
}

/* ---- how the end depends on the start ---- */

/* update := K^-1 of the right side whose blocks are 1/h sum_j w_ij times `charges`, + 1/period of what the slopes of the
 * charges are where `stretched`: all steps become longer with the period. */
static void carry(struct orbit *o, const struct step *s, const struct orbit_slopes *at, const double *charges,
                  bool stretched)
{
    struct orbit_work *w = o->work;
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < o->n; k++) {
            double sum = 0;
            for (int j = 0; j < STAGES; j++) {
                const double moved = stretched ? (w->q[j * o->n + k] - w->begin_q[k]) / o->period : 0;
                sum += o->tableau->W[i][j] / s->h * (charges[k] + moved);
            }
            w->update[i * o->n + k] = sum;
        }
    sparse_lu_solve(at->lu, w->update);
}

static void carry_column(struct orbit *o, const struct step *s, const struct orbit_slopes *at, double *column,
                         bool stretched)
{
    struct orbit_work *w = o->work;
    const size_t n = (size_t)o->n;
    memset(w->product, 0, n * sizeof(double));
    sparse_multiply_add(o->dae->pattern, at->C, column, w->product);
    carry(o, s, at, w->product, stretched);
    memcpy(column, w->update + (STAGES - 1) * n, n * sizeof(double));
}

/* Columns of unknowns without charge at the start stay zero. */
static void carry_all(struct orbit *o, const struct step *s, bool first)
{
    const struct sparse_pattern *p = o->dae->pattern;
    const size_t n = (size_t)o->n;
    for (int j = 0; j < o->n; j++) {
        double *column = o->monodromy + n * (size_t)j;
        bool moves = !first;
        for (int k = p->column_start[j]; k < p->column_start[j + 1] && first; k++)
            moves |= o->work->at.C[k] != 0;
        if (first) {
            memset(column, 0, n * sizeof(double));
            column[j] = moves;
        }
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(column[i]);
        if (sum > 0)
            carry_column(o, s, &o->work->at, column, false);
    }
}

static size_t bytes_of(const struct orbit *o, const struct sparse_lu *lu)
{
    return sparse_lu_bytes(lu) + (size_t)o->dae->pattern->entries * sizeof(double);
}

/* Keeps the slopes of a step that has been solved, in exchange for those of the last time: their pivots may serve. */
static enum kn_status keep(struct orbit *o, int number)
{
    struct orbit_slopes *kept = &o->kept[number], *at = &o->work->at, fresh = *kept;
    if (!kept->lu && o->kept_bytes + bytes_of(o, at->lu) > MOST_KEPT)
        return KN_OK;
    if (!kept->lu) {
        o->kept_bytes += bytes_of(o, at->lu);
        fresh.C = sparse_values(o->dae->pattern);
        const enum kn_status status = fresh.C ? sparse_lu_new(o->work->pattern, &fresh.lu) : KN_ERROR_MEMORY;
        if (status != KN_OK) {
            free(fresh.C);
            return status;
        }
    }
    *kept = *at;
    *at = fresh;
    return KN_OK;
}

enum kn_status orbit_follow(struct orbit *o)
{
    memset(o->by_period, 0, (size_t)o->n * sizeof(double));
    for (int i = 0; i < o->steps; i++) {
        const struct step s = step_of(o, i);
        const enum kn_status status = solve(o, &s);
        o->failed_step = i;
        if (status != KN_OK)
            return status;
        if (o->monodromy)
            carry_all(o, &s, i == 0);
        carry_column(o, &s, &o->work->at, o->by_period, true);
        const enum kn_status kept = o->kept ? keep(o, i) : KN_OK;
        if (kept != KN_OK)
            return kept;
    }
    return KN_OK;
}

/* Those kept, or found anew. */
static enum kn_status slopes_of(struct orbit *o, int number, const struct step *s, const struct orbit_slopes **out)
{
    *out = &o->work->at;
    if (o->kept && o->kept[number].lu) {
        *out = &o->kept[number];
        return KN_OK;
    }
    enum kn_status status = begin_step(o, s);
    if (status == KN_OK)
        status = evaluate(o, s, true);
    return status == KN_OK ? factor(o, s) : status;
}

/* Of the nodes: (16 -+ sqrt 6)/36, 1/9 (Hairer and Wanner 1996, table IV.5.6). */
const double orbit_node_weight[STAGES] = {0.37640306270046731, 0.51248582618842164, 0.11111111111111111};

enum kn_status orbit_slopes_at(struct orbit *o, int step, struct orbit_slopes_at *out)
{
    const struct orbit_work *w = o->work;
    const struct step s = step_of(o, step);
    enum kn_status status = begin_step(o, &s);
    if (status == KN_OK)
        status = evaluate(o, &s, true);
    *out = (struct orbit_slopes_at){
        .h = s.h, .G = {w->G[0], w->G[1], w->G[2]}, .C = {w->C[0], w->C[1], w->C[2]}, .begin_C = w->at.C};
    return status;
}

const struct sparse_pattern *orbit_pattern(const struct orbit *o)
{
    return o->work->pattern;
}

const int *orbit_slots(const struct orbit *o)
{
    return o->work->slot;
}

/* update := K^-T (0, 0, functional) */
static void pull(struct orbit *o, const struct orbit_slopes *at, const double *functional)
{
    struct orbit_work *w = o->work;
    const size_t n = (size_t)o->n;
    memset(w->update, 0, STAGES * n * sizeof(double));
    memcpy(w->update + (STAGES - 1) * n, functional, n * sizeof(double));
    sparse_lu_solve_transposed(at->lu, w->update);
}

/* The parts of update together, by the same W, are the response to the charges at the start. */
static void pull_to_start(struct orbit *o, const struct step *s, const struct orbit_slopes *at, double *functional)
{
    struct orbit_work *w = o->work;
    const struct sparse_pattern *p = o->dae->pattern;
    const size_t n = (size_t)o->n;
    memset(w->product, 0, n * sizeof(double));
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++)
            for (size_t k = 0; k < n; k++)
                w->product[k] += o->tableau->W[i][j] / s->h * w->update[(size_t)i * n + k];
    for (int j = 0; j < p->n; j++) {
        functional[j] = 0;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            functional[j] += at->C[k] * w->product[p->row[k]];
    }
}

/* Part i of update is h b_i times the response at stage i. */
static enum kn_status visit_step(struct orbit *o, const struct step *s, const struct orbit_visit *visit)
{
    struct orbit_work *w = o->work;
    const size_t n = (size_t)o->n;
    for (int i = STAGES - 1; i >= 0; i--) {
        for (size_t k = 0; k < n; k++)
            w->product[k] = w->update[(size_t)i * n + k] / (s->h * orbit_node_weight[i]);
        const enum kn_status status =
            visit->point(visit->context, s->X + (size_t)i * n, w->product, s->h * orbit_node_weight[i]);
        if (status != KN_OK)
            return status;
    }
    return KN_OK;
}

enum kn_status orbit_adjoint(struct orbit *o, double *functional, const struct orbit_visit *visit)
{
    enum kn_status status = KN_OK;
    for (int i = o->steps - 1; i >= 0 && status == KN_OK; i--) {
        const struct step s = step_of(o, i);
        const struct orbit_slopes *at;
        status = slopes_of(o, i, &s, &at);
        if (status != KN_OK)
            return status;
        pull(o, at, functional);
        status = visit ? visit_step(o, &s, visit) : KN_OK;
        pull_to_start(o, &s, at, functional);
    }
    return status;
}

static enum kn_status carry_along(struct orbit *o, double *v)
{
    for (int i = 0; i < o->steps; i++) {
        const struct step s = step_of(o, i);
        const struct orbit_slopes *at;
        const enum kn_status status = slopes_of(o, i, &s, &at);
        if (status != KN_OK)
            return status;
        carry_column(o, &s, at, v, false);
    }
    return KN_OK;
}

static void multiply(const struct orbit *o, double *v, bool transposed)
{
    const size_t n = (size_t)o->n;
    double *sum = o->work->sum;
    memset(sum, 0, n * sizeof *sum);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            sum[transposed ? j : i] += o->monodromy[j * n + i] * v[transposed ? i : j];
    memcpy(v, sum, n * sizeof *v);
}

enum kn_status orbit_apply(struct orbit *o, double *v, bool transposed)
{
    if (!o->monodromy)
        return transposed ? orbit_adjoint(o, v, NULL) : carry_along(o, v);
    multiply(o, v, transposed);
    return KN_OK;
}

/* Responses of the stages to charges: kappa_j = 1/h sum_i w_ij lambda_i, less at stage j, all together more at the start. */
static void add_charges(const struct orbit *o, const struct step *s, const double *lambda, double *charges)
{
    const size_t n = (size_t)o->n;
    for (size_t j = 0; j < STAGES; j++)
        for (size_t i = 0; i < STAGES; i++)
            for (size_t k = 0; k < n; k++) {
                const double kappa = o->tableau->W[i][j] / s->h * lambda[i * n + k];
                charges[(j + 1) * n + k] -= kappa;
                charges[k] += kappa;
            }
}

enum kn_status orbit_gradient(struct orbit *o, const double *seed, const struct orbit_gradient *out)
{
    struct orbit_work *w = o->work;
    const size_t n = (size_t)o->n;
    memset(out->charges, 0, (STAGES * (size_t)o->steps + 1) * n * sizeof(double));
    memset(out->start, 0, n * sizeof(double));
    for (int i = o->steps - 1; i >= 0; i--) {
        const struct step s = step_of(o, i);
        const size_t first = STAGES * (size_t)i * n;
        const struct orbit_slopes *at;
        const enum kn_status status = slopes_of(o, i, &s, &at);
        if (status != KN_OK)
            return status;
        memcpy(w->update, seed + first + n, STAGES * n * sizeof(double));
        for (size_t k = 0; k < n; k++)
            w->update[(STAGES - 1) * n + k] += out->start[k];
        sparse_lu_solve_transposed(at->lu, w->update);
        memcpy(out->equations + first, w->update, STAGES * n * sizeof(double));
        pull_to_start(o, &s, at, out->start);
        add_charges(o, &s, out->equations + first, out->charges + first);
    }
    for (size_t k = 0; k < n; k++)
        out->start[k] += seed[k];
    return KN_OK;
}
