/* gmres.c - see gmres.h. */
#include "sparse/gmres.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

enum { MOST_RESTARTS = 20 };

/* Of a restart: a residual that shrinks by less stays where it is. */
static const double STALLED = 0.99;

struct gmres {
    const struct linear_map *map;
    int n, basis;
    double complex *vectors;       /* [(basis + 1) n] orthonormal */
    double complex *hessenberg;    /* [(basis + 1) basis] by columns, made triangular */
    double complex *right;         /* [basis + 1] */
    double complex *cosine, *sine; /* [basis] of the rotations */
    int applications;
};

static bool allocate(struct arena *memory, struct gmres *g)
{
    const size_t n = (size_t)g->n + 1, m = (size_t)g->basis + 1;
    g->vectors = arena_array(memory, m * n, sizeof *g->vectors);
    g->hessenberg = arena_array(memory, m * m, sizeof *g->hessenberg);
    g->right = arena_array(memory, m, sizeof *g->right);
    g->cosine = arena_array(memory, m, sizeof *g->cosine);
    g->sine = arena_array(memory, m, sizeof *g->sine);
    return g->vectors && g->hessenberg && g->right && g->cosine && g->sine;
}

static double complex *vector(const struct gmres *g, int k)
{
    return g->vectors + (size_t)k * (size_t)g->n;
}

static double complex *column(const struct gmres *g, int k)
{
    return g->hessenberg + (size_t)k * ((size_t)g->basis + 1);
}

static double norm(const double complex *x, int n)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, cabs(x[i]));
    for (int i = 0; i < n && largest > 0; i++)
        sum += pow(cabs(x[i]) / largest, 2);
    return largest * sqrt(sum);
}

/* Modified Gram-Schmidt, twice. */
static double orthogonalise(const struct gmres *g, int k, double complex *h)
{
    double complex *w = vector(g, k + 1);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j <= k; j++) {
            const double complex *v = vector(g, j);
            double complex dot = 0;
            for (int i = 0; i < g->n; i++)
                dot += conj(v[i]) * w[i];
            for (int i = 0; i < g->n; i++)
                w[i] -= dot * v[i];
            h[j] += dot;
        }
    return norm(w, g->n);
}

/* Rotates the new column as those before, then so that its last entry vanishes. */
static void rotate(struct gmres *g, int k, double below)
{
    double complex *h = column(g, k);
    for (int j = 0; j < k; j++) {
        const double complex upper = h[j], lower = h[j + 1];
        h[j] = conj(g->cosine[j]) * upper + conj(g->sine[j]) * lower;
        h[j + 1] = g->cosine[j] * lower - g->sine[j] * upper;
    }
    const double size = hypot(cabs(h[k]), below);
    g->cosine[k] = size > 0 ? h[k] / size : 1;
    g->sine[k] = size > 0 ? below / size : 0;
    h[k] = size;
    g->right[k + 1] = -g->sine[k] * g->right[k];
    g->right[k] *= conj(g->cosine[k]);
}

/* x += the combination of the first k vectors with the least residual. */
static void combine(struct gmres *g, int k, double complex *x)
{
    for (int j = k - 1; j >= 0; j--) {
        double complex sum = g->right[j];
        for (int i = j + 1; i < k; i++)
            sum -= column(g, i)[j] * g->right[i];
        g->right[j] = column(g, j)[j] != 0 ? sum / column(g, j)[j] : 0;
        for (int i = 0; i < g->n; i++)
            x[i] += g->right[j] * vector(g, j)[i];
    }
}

static enum kn_status apply(struct gmres *g, double complex *x)
{
    g->applications++;
    return g->map->apply(g->map->context, x);
}

/* From x to the end of the basis, or until the residual is as small as it shall be. */
static enum kn_status cycle(struct gmres *g, double size, double enough, double complex *x)
{
    enum kn_status status = KN_OK;
    int k = 0;
    memset(g->hessenberg, 0, ((size_t)g->basis + 1) * ((size_t)g->basis + 1) * sizeof *g->hessenberg);
    g->right[0] = size;
    for (; k < g->basis && cabs(g->right[k]) > enough; k++) {
        memcpy(vector(g, k + 1), vector(g, k), (size_t)g->n * sizeof *x);
        status = apply(g, vector(g, k + 1));
        if (status != KN_OK)
            return status;
        const double before = norm(vector(g, k + 1), g->n), below = orthogonalise(g, k, column(g, k));
        const bool ends = !(below > 1e-14 * before);
        for (int i = 0; i < g->n && !ends; i++)
            vector(g, k + 1)[i] /= below;
        rotate(g, k, ends ? 0 : below);
        if (ends) {
            k++;
            break;
        }
    }
    combine(g, k, x);
    return KN_OK;
}

/* The first vector becomes b - A x over its norm. */
static enum kn_status find_residual(struct gmres *g, const double complex *b, const double complex *x, double *size)
{
    double complex *v = vector(g, 0);
    memcpy(v, x, (size_t)g->n * sizeof *v);
    const enum kn_status status = norm(x, g->n) > 0 ? apply(g, v) : KN_OK;
    for (int i = 0; i < g->n; i++)
        v[i] = b[i] - v[i];
    *size = norm(v, g->n);
    for (int i = 0; i<g->n && * size> 0; i++)
        v[i] /= *size;
    return status;
}

static enum kn_status solve(struct gmres *g, const double complex *b, double relative, double complex *x)
{
    const double enough = relative * norm(b, g->n);
    double size = INFINITY;
    for (int i = 0; i <= MOST_RESTARTS; i++) {
        const double before = size;
        enum kn_status status = find_residual(g, b, x, &size);
        if (status != KN_OK || size <= enough)
            return status;
        if (!isfinite(size) || !(size < STALLED * before) || i == MOST_RESTARTS)
            return KN_ERROR_CONVERGENCE;
        status = cycle(g, size, 0.5 * enough, x);
        if (status != KN_OK)
            return status;
    }
    return KN_ERROR_CONVERGENCE;
}

enum kn_status gmres_solve(const struct linear_map *map, const double complex *b, double relative, int basis,
                           double complex *x, int *applications)
{
    struct arena *memory = arena_new();
    struct gmres g = {.map = map, .n = map->n, .basis = basis < map->n ? basis : map->n};
    enum kn_status status = memory && allocate(memory, &g) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = solve(&g, b, relative, x);
    if (applications)
        *applications += g.applications;
    arena_free(memory);
    return status;
}
