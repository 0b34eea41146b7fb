/* bordered.c - see bordered.h. */
#include "sparse/bordered.h"

#include "base/rounding.h"
#include "base/scatter.h"

#include <math.h>
#include <string.h>

enum { MOST_BORDERS = BORDERED_MOST_PLACES + BORDERED_MOST_DENSE };

/* ---- borders ---- */

/* Border `number` of those offered as column or row `at` beyond the matrix. */
static bool add_border(const struct bordered *s, int number, int at, bool is_row, struct triplets *t)
{
    if (number < s->places.count)
        return is_row ? triplets_add(t, s->n + at, s->places.column[number], 1)
                      : triplets_add(t, s->places.row[number], s->n + at, 1);
    for (int i = 0; i < s->n; i++) {
        const double value = scatter(i, number + (is_row ? MOST_BORDERS : 0));
        if (!triplets_add(t, is_row ? s->n + at : i, is_row ? i : s->n + at, value))
            return false;
    }
    return true;
}

/* With `count` borders: those of the lists, or the first ones. */
static enum kn_status factor(struct bordered *s, const int *columns, const int *rows, int count)
{
    struct triplets t = {0};
    bool good = true;
    for (size_t e = 0; good && e < s->matrix.count; e++)
        good = triplets_add(&t, s->matrix.row[e], s->matrix.column[e], s->matrix.value[e]);
    for (int k = 0; good && k < count; k++)
        good = add_border(s, columns ? columns[k] : k, k, false, &t) && add_border(s, rows ? rows[k] : k, k, true, &t);
    factored_free(&s->factored);
    const enum kn_status status = good ? triplets_factor(s->n + count, &t, &s->factored) : KN_ERROR_MEMORY;
    triplets_free(&t);
    return status;
}

/* ---- equations ---- */

/* out -= A b, or A^T b */
static void subtract_product(const struct factored *f, const double *b, bool transposed, double *out)
{
    const struct sparse_pattern *p = f->pattern;
    for (int j = 0; j < p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            out[transposed ? j : p->row[e]] -= f->values[e] * b[transposed ? p->row[e] : j];
}

static void solve(struct bordered *s, double *b, bool transposed)
{
    if (transposed)
        sparse_lu_solve_transposed(s->factored.lu, b);
    else
        sparse_lu_solve(s->factored.lu, b);
}

/* The same, improved once: what should vanish then is round-off of the solution, not of the factors. */
static void solve_refined(struct bordered *s, double *b, bool transposed)
{
    const size_t size = (size_t)s->factored.pattern->n;
    memcpy(s->residual, b, size * sizeof *b);
    solve(s, b, transposed);
    subtract_product(&s->factored, b, transposed, s->residual);
    solve(s, s->residual, transposed);
    for (size_t i = 0; i < size; i++)
        b[i] += s->residual[i];
}

void bordered_clean(double *v, const double *scale, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(v[i]) * (scale ? scale[i] : 1));
    for (int i = 0; i < count; i++)
        if (fabs(v[i]) * (scale ? scale[i] : 1) < ROUNDING_SOLVED * largest)
            v[i] = 0;
}

void bordered_solve(struct bordered *s, const double *right, double *x)
{
    memset(s->b, 0, (size_t)s->factored.pattern->n * sizeof *s->b);
    for (int i = 0; i < s->n; i++)
        s->b[i] = right[i] * s->row_scale[i];
    solve_refined(s, s->b, false);
    bordered_clean(s->b, NULL, s->n);
    for (int i = 0; i < s->n; i++)
        x[i] = s->b[i] * s->column_scale[i];
}

/* ---- null vectors ---- */

static enum kn_status find_D(struct arena *memory, struct bordered *s, struct kernel *out)
{
    struct dense D, noise;
    if (!dense_new(memory, s->offered, s->offered, &D) || !dense_new(memory, s->offered, s->offered, &noise))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < s->offered; j++) {
        memset(s->b, 0, (size_t)(s->n + s->offered) * sizeof *s->b);
        s->b[s->n + j] = 1;
        solve_refined(s, s->b, false);
        for (int i = 0; i < s->offered; i++) {
            const double value = s->b[s->n + i];
            *dense_at(&D, i, j) = fabs(value) > ROUNDING_SOLVED ? value : 0;
            *dense_at(&noise, i, j) = ROUNDING_SOLVED;
        }
    }
    return kernel_find_noisy(memory, &D, &noise, ROUNDING_RANK, out);
}

/* With as many borders as null vectors m = 0 for each of them. */
static bool null_vectors(struct arena *memory, struct bordered *s, int nullity, bool transposed, struct dense *out)
{
    const double *scale = transposed ? s->row_scale : s->column_scale;
    if (!dense_new(memory, s->n, nullity, out))
        return false;
    for (int j = 0; j < nullity; j++) {
        memset(s->b, 0, (size_t)(s->n + nullity) * sizeof *s->b);
        s->b[s->n + j] = 1;
        solve_refined(s, s->b, transposed);
        bordered_clean(s->b, NULL, s->n);
        for (int i = 0; i < s->n; i++)
            *dense_at(out, i, j) = s->b[i] * scale[i];
    }
    return true;
}

static bool is_good(const struct bordered *s)
{
    return s->factored.lu && s->factored.condition < ROUNDING_SINGULAR;
}

static enum kn_status find(struct arena *memory, struct bordered *s)
{
    struct kernel kernel;
    enum kn_status status = factor(s, NULL, NULL, s->offered);
    if (status != KN_OK || !is_good(s))
        return status;
    status = find_D(memory, s, &kernel);
    const int nullity = kernel.right.columns;
    if (status == KN_OK)
        status = factor(s, kernel.row_pivot, kernel.column_pivot, nullity);
    if (status != KN_OK || !is_good(s))
        return status;
    s->smallest = kernel.smallest;
    s->largest_dropped = kernel.largest_dropped;
    s->found = null_vectors(memory, s, nullity, false, &s->right) && null_vectors(memory, s, nullity, true, &s->left);
    return s->found ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status bordered_find(struct arena *memory, int n, struct triplets *matrix, const struct border_places *places,
                             struct bordered *out)
{
    const int room = n - places->count, dense = room < BORDERED_MOST_DENSE ? room : BORDERED_MOST_DENSE;
    const int most = places->count + dense;
    *out = (struct bordered){.n = n, .matrix = *matrix, .places = *places, .offered = places->count};
    *matrix = (struct triplets){0};
    if (most > MOST_BORDERS)
        return KN_OK;
    out->row_scale = arena_array(memory, (size_t)n + 1, sizeof *out->row_scale);
    out->column_scale = arena_array(memory, (size_t)n + 1, sizeof *out->column_scale);
    out->b = arena_array(memory, (size_t)(n + most) + 1, sizeof *out->b);
    out->residual = arena_array(memory, (size_t)(n + most) + 1, sizeof *out->residual);
    if (!out->row_scale || !out->column_scale || !out->b || !out->residual ||
        !triplets_scale(n, &out->matrix, out->row_scale, out->column_scale))
        return KN_ERROR_MEMORY;
    /* Dense borders fill the factors and join all that has nothing to do with each other. */
    enum kn_status status = out->offered > 0 ? find(memory, out) : KN_OK;
    if (status != KN_OK || out->found)
        return status;
    out->offered = most;
    return find(memory, out);
}

void bordered_free(struct bordered *s)
{
    triplets_free(&s->matrix);
    factored_free(&s->factored);
}
