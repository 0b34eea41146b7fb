/* waves.c - see waves.h. */
#include "analyses/periodic/waves.h"

#include "sparse/gmres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, BASIS = 100 };

/* Residual of the equation that y closes. */
static const double SOLVED = 1e-11;

struct waves_step {
    struct sparse_zlu *lu;
    double *C; /* [entries + 1] at its start */
};

enum kn_status waves_init(struct waves *s, struct orbit *o)
{
    const size_t n = (size_t)o->n, entries = (size_t)orbit_pattern(o)->entries;
    *s = (struct waves){.orbit = o};
    s->kept = calloc((size_t)o->steps + 1, sizeof *s->kept);
    s->matrix = calloc(entries + 1, sizeof *s->matrix);
    s->right = calloc(STAGES * n + 1, sizeof *s->right);
    s->product = calloc(n + 1, sizeof *s->product);
    return s->kept && s->matrix && s->right && s->product ? KN_OK : KN_ERROR_MEMORY;
}

void waves_free(struct waves *s)
{
    for (int i = 0; s->kept && i < s->orbit->steps; i++) {
        sparse_zlu_free(s->kept[i].lu);
        free(s->kept[i].C);
    }
    free(s->kept);
    free(s->matrix);
    free(s->right);
    free(s->product);
}

/* Blocks w_ij/h C_j, and G_i + j w C_i on the diagonal. */
static void fill(struct waves *s, const struct orbit_slopes_at *at)
{
    const struct orbit *o = s->orbit;
    const int entries = o->dae->pattern->entries, *slot = orbit_slots(o);
    memset(s->matrix, 0, ((size_t)orbit_pattern(o)->entries + 1) * sizeof *s->matrix);
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++)
            for (int k = 0; k < entries; k++)
                s->matrix[slot[(i * STAGES + j) * entries + k]] +=
                    o->tableau->W[i][j] / at->h * at->C[j][k] + (i == j ? CMPLX(at->G[i][k], s->w * at->C[i][k]) : 0);
}

enum kn_status waves_set(struct waves *s, double w)
{
    const struct orbit *o = s->orbit;
    const size_t bytes = ((size_t)o->dae->pattern->entries + 1) * sizeof(double);
    s->w = w;
    for (int i = 0; i < o->steps; i++) {
        struct waves_step *step = &s->kept[i];
        struct orbit_slopes_at at;
        enum kn_status status = orbit_slopes_at(s->orbit, i, &at);
        if (status == KN_OK && !step->lu)
            status = sparse_zlu_new(orbit_pattern(o), &step->lu);
        if (status == KN_OK && !step->C && !(step->C = malloc(bytes)))
            status = KN_ERROR_MEMORY;
        if (status != KN_OK)
            return status;
        memcpy(step->C, at.begin_C, bytes);
        fill(s, &at);
        status = sparse_zlu_factor(step->lu, s->matrix);
        if (status != KN_OK)
            return status;
    }
    return KN_OK;
}

static double length(const struct orbit *o, int step)
{
    return o->period * (o->part[step + 1] - o->part[step]);
}

/* to += C from, or C^T from. */
static void multiply_add(const struct sparse_pattern *p, const double *C, const double complex *from,
                         double complex *to, bool transposed)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            if (transposed)
                to[j] += C[k] * from[p->row[k]];
            else
                to[p->row[k]] += C[k] * from[j];
        }
}

/* y [n] from the begin of a step to its end, which is the last of right [3 n]; u [n]: NULL: none. */
static void forward(struct waves *s, int step, const double complex *u, double complex *y)
{
    const struct orbit *o = s->orbit;
    const size_t n = (size_t)o->n;
    const double h = length(o, step);
    memset(s->product, 0, n * sizeof *s->product);
    multiply_add(o->dae->pattern, s->kept[step].C, y, s->product, false);
    for (size_t i = 0; i < STAGES; i++)
        for (size_t k = 0; k < n; k++) {
            double sum = 0;
            for (size_t j = 0; j < STAGES; j++)
                sum += o->tableau->W[i][j] / h;
            s->right[i * n + k] = sum * s->product[k] + (u ? u[k] : 0);
        }
    sparse_zlu_solve(s->kept[step].lu, s->right);
    memcpy(y, s->right + (STAGES - 1) * n, n * sizeof *y);
}

/* z [n] from the end of a step to its begin; of each stage there is e [n] times its weight besides (NULL: none), and the
 * response of the stages stays in right [3 n]. */
static void backward(struct waves *s, int step, const double complex *e, double complex *z)
{
    const struct orbit *o = s->orbit;
    const size_t n = (size_t)o->n;
    const double h = length(o, step);
    for (size_t i = 0; i < STAGES; i++)
        for (size_t k = 0; k < n; k++)
            s->right[i * n + k] =
                (e ? e[k] * waves_weight(s, STAGES * (size_t)step + i) : 0) + (i == STAGES - 1 ? z[k] : 0);
    sparse_zlu_solve_transposed(s->kept[step].lu, s->right);
    memset(s->product, 0, n * sizeof *s->product);
    for (size_t i = 0; i < STAGES; i++)
        for (size_t j = 0; j < STAGES; j++)
            for (size_t k = 0; k < n; k++)
                s->product[k] += o->tableau->W[i][j] / h * s->right[i * n + k];
    memset(z, 0, n * sizeof *z);
    multiply_add(o->dae->pattern, s->kept[step].C, s->product, z, true);
}

/* ---- what closes after a period ---- */

struct round {
    struct waves *waves;
    bool transposed;
};

static void go_round(struct waves *s, bool transposed, double complex *y)
{
    for (int i = 0; i < s->orbit->steps; i++) {
        if (transposed)
            backward(s, s->orbit->steps - 1 - i, NULL, y);
        else
            forward(s, i, NULL, y);
    }
}

/* x - M x in units of what counts of each unknown; of the transposed map the other way. */
static enum kn_status apply(void *context, double complex *x)
{
    const struct round *r = context;
    const struct orbit *o = r->waves->orbit;
    const size_t n = (size_t)o->n;
    double complex *y = malloc((n + 1) * sizeof *y);
    if (!y)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        y[i] = r->transposed ? x[i] * o->scale[i] : x[i] / o->scale[i];
    go_round(r->waves, r->transposed, y);
    for (size_t i = 0; i < n; i++)
        x[i] -= r->transposed ? y[i] / o->scale[i] : y[i] * o->scale[i];
    free(y);
    return KN_OK;
}

/* (I - M) x = b, or (I - M^T) x = b; b [n] becomes x. */
static enum kn_status close_round(struct waves *s, bool transposed, double complex *b)
{
    const struct orbit *o = s->orbit;
    const size_t n = (size_t)o->n;
    struct round round = {s, transposed};
    const struct linear_map map = {.n = o->n, .context = &round, .apply = apply};
    double complex *x = calloc(n + 1, sizeof *x);
    if (!x)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        b[i] = transposed ? b[i] / o->scale[i] : b[i] * o->scale[i];
    const enum kn_status status = gmres_solve(&map, b, SOLVED, BASIS, x, NULL);
    for (size_t i = 0; i < n; i++)
        b[i] = transposed ? x[i] * o->scale[i] : x[i] / o->scale[i];
    free(x);
    return status;
}

enum kn_status waves_solve(struct waves *s, const double complex *u, double complex *y)
{
    const size_t n = (size_t)s->orbit->n, bytes = n * sizeof *y;
    double complex *at = calloc(n + 1, sizeof *at);
    if (!at)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < s->orbit->steps; i++)
        forward(s, i, u, at);
    const enum kn_status status = close_round(s, false, at);
    for (int i = 0; i < s->orbit->steps && status == KN_OK; i++) {
        forward(s, i, u, at);
        memcpy(y + STAGES * n * (size_t)i, s->right, STAGES * bytes);
    }
    free(at);
    return status;
}

enum kn_status waves_adjoint(struct waves *s, const double complex *e, double complex *response)
{
    const size_t n = (size_t)s->orbit->n;
    double complex *z = calloc(n + 1, sizeof *z);
    if (!z)
        return KN_ERROR_MEMORY;
    for (int i = s->orbit->steps - 1; i >= 0; i--)
        backward(s, i, e, z);
    const enum kn_status status = close_round(s, true, z);
    for (int i = s->orbit->steps - 1; i >= 0 && status == KN_OK; i--) {
        backward(s, i, e, z);
        for (size_t stage = 0; stage < STAGES; stage++)
            for (size_t k = 0; k < n; k++) {
                const size_t at = STAGES * (size_t)i + stage;
                response[at * n + k] = s->right[stage * n + k] / waves_weight(s, at);
            }
    }
    free(z);
    return status;
}

double waves_weight(const struct waves *s, size_t stage)
{
    const size_t step = stage / STAGES;
    return (s->orbit->part[step + 1] - s->orbit->part[step]) * orbit_node_weight[stage % STAGES];
}

double waves_part(const struct waves *s, size_t stage)
{
    const size_t step = stage / STAGES;
    const double from = s->orbit->part[step];
    return from + (s->orbit->part[step + 1] - from) * s->orbit->tableau->c[stage % STAGES];
}
