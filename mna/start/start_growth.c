/* start_growth.c - see start_growth.h.  Eigenvalues by index.h; the eigenvector by inverse iteration (Golub and Van
 * Loan, Matrix Computations, section 7.6.1), (G + s C) v_new = C v beside the eigenvalue s; the left one alike with the
 * transposed matrices.
 */
#include "mna/start/start_growth.h"

#include "base/rounding.h"
#include "mna/index/index_shifted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 4 };

/* Unknowns up to which a run waits for eigenvalues that are found; for all of them (some 10 ms) up to INDEX_DENSE_BLOCK. */
enum { MOST_LARGE = 20000 };

/* ---- eigenvalue ---- */

static bool grows(double complex pole, double duration)
{
    return creal(pole) > ROUNDING_SAME * cabs(pole) && creal(pole) * duration > 1; /* false for NAN */
}

/* Counts the growing ones; returns the fastest of them. */
static double complex fastest(const struct index_analysis *a, double duration, int *count)
{
    double complex found = 0;
    *count = 0;
    for (int k = 0; k < a->pole_count; k++) {
        if (!grows(a->poles[k], duration))
            continue;
        ++*count;
        if (creal(a->poles[k]) > creal(found))
            found = a->poles[k];
    }
    return found;
}

/* ---- eigenvector ---- */

struct iteration {
    const struct dae *dae;
    double *G, *C;                   /* [entries + 1] */
    double complex *matrix, *v, *Cv; /* [entries + 1], [n], [n] */
    struct sparse_zlu *lu;
};

static void iteration_free(struct iteration *s)
{
    sparse_zlu_free(s->lu);
    free(s->G);
    free(s->C);
    free(s->matrix);
    free(s->v);
    free(s->Cv);
}

static enum kn_status iteration_init(struct iteration *s, const struct dae *dae, const struct index_point *at,
                                     double complex shift)
{
    const size_t n = (size_t)dae->n, entries = (size_t)dae->pattern->entries + 1;
    *s = (struct iteration){.dae = dae,
                            .G = sparse_values(dae->pattern),
                            .C = sparse_values(dae->pattern),
                            .matrix = calloc(entries, sizeof *s->matrix),
                            .v = calloc(n, sizeof *s->v),
                            .Cv = calloc(n, sizeof *s->Cv)};
    if (!s->G || !s->C || !s->matrix || !s->v || !s->Cv)
        return KN_ERROR_MEMORY;
    struct dae_values values = {.G = s->G, .C = s->C};
    enum kn_status status = dae->eval(dae->problem, at->time, at->x, DAE_G | DAE_C, &values);
    for (size_t k = 0; k + 1 < entries; k++)
        s->matrix[k] = s->G[k] + shift * s->C[k];
    if (status == KN_OK)
        status = sparse_zlu_new(dae->pattern, &s->lu);
    return status == KN_OK ? sparse_zlu_factor(s->lu, s->matrix) : status;
}

/* Cv = C v, or C^T v. */
static void multiply_by_charges(struct iteration *s, bool transposed)
{
    const struct sparse_pattern *p = s->dae->pattern;
    memset(s->Cv, 0, (size_t)p->n * sizeof *s->Cv);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            if (transposed)
                s->Cv[j] += s->C[k] * s->v[p->row[k]];
            else
                s->Cv[p->row[k]] += s->C[k] * s->v[j];
        }
}

/* Makes the largest component 1, without a phase: of equal ones the first, so that the sign is always the same. */
static bool normalize(const struct mna *m, double complex *v, int n)
{
    double largest = 0;
    double complex factor = 0;
    for (int i = 0; i < n; i++) {
        const double size = cabs(v[i]) / mna_typical_size(m, i);
        if (size > 1.001 * largest) {
            largest = size;
            factor = mna_typical_size(m, i) / v[i];
        }
    }
    for (int i = 0; i < n; i++)
        v[i] *= factor;
    return largest > 0 && isfinite(largest);
}

/* The real part of the eigenvector of the shift's neighbour, of the matrices or the transposed ones. */
static enum kn_status iterate(const struct mna *m, struct iteration *s, bool transposed, double *vector)
{
    const int n = s->dae->n;
    for (int i = 0; i < n; i++)
        s->v[i] =
            mna_typical_size(m, i) * (1 + 0.1 * (i % 7)); /* anything that is no eigenvector of a symmetric circuit */
    for (int k = 0; k < ITERATIONS; k++) {
        multiply_by_charges(s, transposed);
        memcpy(s->v, s->Cv, (size_t)n * sizeof *s->v);
        if (transposed)
            sparse_zlu_solve_transposed(s->lu, s->v);
        else
            sparse_zlu_solve(s->lu, s->v);
        if (!normalize(m, s->v, n))
            return KN_ERROR_CONVERGENCE;
    }
    for (int i = 0; i < n; i++)
        vector[i] = creal(s->v[i]);
    return KN_OK;
}

/* w^T C direction = 1 */
static bool scale_adjoint(struct iteration *s, const double *direction, double *w)
{
    const int n = s->dae->n;
    double product = 0, size = 0;
    for (int i = 0; i < n; i++)
        s->v[i] = direction[i];
    multiply_by_charges(s, false);
    for (int i = 0; i < n; i++) {
        product += w[i] * creal(s->Cv[i]);
        size += fabs(w[i] * creal(s->Cv[i]));
    }
    for (int i = 0; i < n; i++)
        w[i] /= product;
    return fabs(product) > ROUNDING_SAME * size;
}

static enum kn_status find_adjoint(const struct mna *m, struct iteration *s, struct start_growth *out)
{
    out->adjoint = calloc((size_t)mna_unknown_count(m), sizeof *out->adjoint);
    if (!out->adjoint)
        return KN_ERROR_MEMORY;
    if (iterate(m, s, true, out->adjoint) != KN_OK || !scale_adjoint(s, out->direction, out->adjoint)) {
        free(out->adjoint);
        out->adjoint = NULL;
    }
    return KN_OK;
}

static enum kn_status find_vectors(const struct mna *m, const struct index_point *at, double complex pole,
                                   struct start_growth *out)
{
    struct iteration s;
    out->direction = calloc((size_t)mna_unknown_count(m), sizeof *out->direction);
    if (!out->direction)
        return KN_ERROR_MEMORY;
    enum kn_status status = iteration_init(&s, mna_dae(m), at, pole * (1 + SHIFTED_BESIDE));
    if (status == KN_OK)
        status = iterate(m, &s, false, out->direction);
    if (status == KN_OK && cimag(pole) == 0)
        status = find_adjoint(m, &s, out);
    iteration_free(&s);
    return status;
}

/* ---- the whole ---- */

enum kn_status start_growth_negative(struct mna *m, bool *found)
{
    struct branch_list list;
    const enum kn_status status = mna_branches(m, &list);
    *found = false;
    for (size_t i = 0; status == KN_OK && i < list.count; i++)
        *found = *found || list.branches[i].constant < 0;
    if (status == KN_OK)
        branch_list_free(&list);
    return status;
}

/* Takes the fastest of the poles, if one grows, and its direction. */
static enum kn_status take_fastest(struct mna *m, const struct index_point *at, const struct index_analysis *a,
                                   double duration, struct start_growth *out)
{
    const double complex pole = fastest(a, duration, &out->modes);
    out->rate = creal(pole);
    out->frequency = fabs(cimag(pole));
    return out->modes == 0 ? KN_OK : find_vectors(m, at, pole, out);
}

/* All poles of a circuit with that many unknowns and no more, those that are found of a larger one. */
static enum kn_status find_poles(struct mna *m, const struct topology *t, const struct index_point *at, double duration,
                                 struct start_growth *out, struct index_analysis **a)
{
    const struct index_options options = {.spectrum = true, .growing = true, .running = at->time > 0};
    if (mna_unknown_count(m) <= INDEX_DENSE_BLOCK)
        return index_analyze(m, t, at, &options, a);
    out->partial = true;
    *a = calloc(1, sizeof **a);
    if (!*a)
        return KN_ERROR_MEMORY;
    (*a)->outcome = INDEX_KNOWN;
    return index_growing(m, at, 1 / duration, *a);
}

enum kn_status start_growth(struct mna *m, const struct topology *t, const struct index_point *at, double duration,
                            struct start_growth *out)
{
    struct index_analysis *a = NULL;
    *out = (struct start_growth){0};
    if (mna_unknown_count(m) > MOST_LARGE)
        return KN_OK;
    enum kn_status status = find_poles(m, t, at, duration, out, &a);
    if (status == KN_OK && a->outcome == INDEX_KNOWN && a->poles)
        status = take_fastest(m, at, a, duration, out);
    index_free(a);
    if (status != KN_OK)
        start_growth_free(out);
    /* Without an eigenvector, for which rounding may leave no room, no growth is told. */
    return status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : KN_OK;
}

void start_growth_free(struct start_growth *g)
{
    free(g->direction);
    free(g->adjoint);
    *g = (struct start_growth){0};
}
