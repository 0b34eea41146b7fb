/* dense.c - see dense.h.  Singular values by LAPACK's divide and conquer (Gu and Eisenstat, SIAM J. Matrix Anal. Appl.
 * 16, 1995). */
#include "sparse/dense.h"

#include "base/rounding.h"
#include "sparse/equilibrate.h"
#include "sparse/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries as near to a whole number as this are meant to be it. */
static const double NEARLY_WHOLE = 1e-4;

bool dense_new(struct arena *memory, int rows, int columns, struct dense *out)
{
    const size_t count = (size_t)rows * (size_t)columns;
    *out = (struct dense){rows, columns, arena_array(memory, count ? count : 1, sizeof *out->at)};
    return out->at != NULL;
}

bool dense_identity(struct arena *memory, int n, struct dense *out)
{
    if (!dense_new(memory, n, n, out))
        return false;
    for (int i = 0; i < n; i++)
        *dense_at(out, i, i) = 1;
    return true;
}

bool dense_select(struct arena *memory, const struct dense *a, const int *rows, int row_count, const int *columns,
                  int column_count, struct dense *out)
{
    const int m = rows ? row_count : a->rows, n = columns ? column_count : a->columns;
    if (!dense_new(memory, m, n, out))
        return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            *dense_at(out, i, j) = *dense_at(a, rows ? rows[i] : i, columns ? columns[j] : j);
    return true;
}

bool dense_of(struct arena *memory, const struct sparse_pattern *p, const double *values, struct dense *out)
{
    if (!dense_new(memory, p->n, p->n, out))
        return false;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            *dense_at(out, p->row[k], j) = values[k];
    return true;
}

bool dense_transpose(struct arena *memory, const struct dense *a, struct dense *out)
{
    if (!dense_new(memory, a->columns, a->rows, out))
        return false;
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            *dense_at(out, j, i) = *dense_at(a, i, j);
    return true;
}

bool dense_multiply(struct arena *memory, const struct dense *a, const struct dense *b, struct dense *out)
{
    return dense_multiply_rough(memory, a, b, ROUNDING_SUM, NULL, out);
}

bool dense_multiply_rough(struct arena *memory, const struct dense *a, const struct dense *b, double relative,
                          const struct dense *noise, struct dense *out)
{
    if (!dense_new(memory, a->rows, b->columns, out))
        return false;
    struct dense size;
    if (!dense_new(memory, a->rows, 1, &size))
        return false;
    for (int j = 0; j < b->columns; j++) {
        double *column = dense_at(out, 0, j);
        memset(size.at, 0, (size_t)a->rows * sizeof *size.at);
        for (int k = 0; k < a->columns; k++) {
            const double factor = *dense_at(b, k, j);
            const double *from = dense_at(a, 0, k);
            for (int i = 0; factor != 0 && i < a->rows; i++) {
                column[i] += from[i] * factor;
                size.at[i] += fabs(from[i] * factor) * relative;
                size.at[i] += noise ? 4 * *dense_at(noise, i, k) * fabs(factor) : 0;
            }
        }
        for (int i = 0; i < a->rows; i++)
            if (fabs(column[i]) <= size.at[i])
                column[i] = 0;
    }
    return true;
}

void dense_subtract(struct dense *a, const struct dense *b)
{
    const size_t count = (size_t)a->rows * (size_t)a->columns;
    for (size_t i = 0; i < count; i++) {
        const double size = fabs(a->at[i]) + fabs(b->at[i]);
        a->at[i] -= b->at[i];
        if (fabs(a->at[i]) <= ROUNDING_SUM * size)
            a->at[i] = 0;
    }
}

double dense_largest(const struct dense *a)
{
    double largest = 0;
    for (size_t k = 0; k < (size_t)a->rows * (size_t)a->columns; k++)
        largest = fmax(largest, fabs(a->at[k]));
    return largest;
}

/* ---- scaling ---- */

/* The entries that are not 0. */
struct list_of_entries {
    int *row, *column;
    double *value;
};

static size_t list_entries(const struct dense *a, const struct list_of_entries *list)
{
    size_t count = 0;
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            if (*dense_at(a, i, j) != 0) {
                list->row[count] = i;
                list->column[count] = j;
                list->value[count++] = *dense_at(a, i, j);
            }
    return count;
}

bool dense_scaling(struct arena *memory, const struct dense *a, struct scaling *out)
{
    const size_t most = (size_t)a->rows * (size_t)a->columns + 1;
    const struct list_of_entries list = {malloc(most * sizeof(int)), malloc(most * sizeof(int)),
                                         malloc(most * sizeof(double))};
    out->rows = arena_array(memory, (size_t)a->rows + 1, sizeof *out->rows);
    out->columns = arena_array(memory, (size_t)a->columns + 1, sizeof *out->columns);
    bool good = list.row && list.column && list.value && out->rows && out->columns;
    if (good) {
        const struct entries entries = {a->rows, a->columns, list_entries(a, &list), list.row, list.column, list.value};
        good = equilibrate(&entries, out->rows, out->columns);
    }
    free(list.row);
    free(list.column);
    free(list.value);
    return good;
}

static bool scaled_copy(struct arena *memory, const struct dense *a, const struct scaling *s, struct dense *out)
{
    if (!dense_new(memory, a->rows, a->columns, out))
        return false;
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            *dense_at(out, i, j) = *dense_at(a, i, j) * s->rows[i] * s->columns[j];
    return true;
}

/* ---- linear equations ---- */

enum kn_status dense_solve(struct arena *memory, const struct dense *a, const struct dense *b, struct dense *out)
{
    struct scaling s;
    struct dense lu;
    const int n = a->rows;
    if (!dense_scaling(memory, a, &s) || !scaled_copy(memory, a, &s, &lu) ||
        !dense_select(memory, b, NULL, 0, NULL, 0, out))
        return KN_ERROR_MEMORY;
    if (n == 0 || b->columns == 0)
        return KN_OK;
    for (int j = 0; j < b->columns; j++)
        for (int i = 0; i < n; i++)
            *dense_at(out, i, j) *= s.rows[i];
    const enum kn_status status = lapack_solve(n, lu.at, b->columns, out->at);
    for (int j = 0; j < b->columns; j++)
        for (int i = 0; i < n; i++)
            *dense_at(out, i, j) *= s.columns[i];
    return status;
}

enum kn_status dense_determinant_sign(struct dense *a, int *sign)
{
    return lapack_determinant_sign(a->rows, a->at, sign);
}

/* ---- null spaces ---- */

/* Makes row `pivot_row` the j-th unit vector by column operations. */
static void eliminate(struct dense *basis, int pivot_row, int j)
{
    const double pivot = *dense_at(basis, pivot_row, j);
    for (int i = 0; i < basis->rows; i++)
        *dense_at(basis, i, j) /= pivot;
    for (int k = 0; k < basis->columns; k++) {
        const double factor = *dense_at(basis, pivot_row, k);
        for (int i = 0; k != j && factor != 0 && i < basis->rows; i++)
            *dense_at(basis, i, k) -= factor * *dense_at(basis, i, j);
        *dense_at(basis, pivot_row, k) = k == j;
    }
}

static void swap_columns(struct dense *a, int j, int k)
{
    for (int i = 0; i < a->rows; i++) {
        const double kept = *dense_at(a, i, j);
        *dense_at(a, i, j) = *dense_at(a, i, k);
        *dense_at(a, i, k) = kept;
    }
}

static void find_pivot(const struct dense *basis, const bool *used, int first, int *row, int *column)
{
    double largest = -1;
    for (int k = first; k < basis->columns; k++)
        for (int i = 0; i < basis->rows; i++)
            if (!used[i] && fabs(*dense_at(basis, i, k)) > largest) {
                largest = fabs(*dense_at(basis, i, k));
                *row = i;
                *column = k;
            }
}

bool dense_echelon(struct arena *memory, struct dense *basis, const double *scale, int *pivot, int *kept)
{
    bool *used = arena_array(memory, (size_t)basis->rows + 1, sizeof *used);
    if (!used)
        return false;
    for (int j = 0; scale && j < basis->columns; j++)
        for (int i = 0; i < basis->rows; i++)
            *dense_at(basis, i, j) /= scale[i];
    for (int j = 0; j < basis->columns; j++) {
        int row = 0, column = j;
        find_pivot(basis, used, j, &row, &column);
        swap_columns(basis, j, column);
        eliminate(basis, row, j);
        used[row] = true;
        pivot[j] = row;
    }
    for (int j = 0; j < basis->columns; j++)
        for (int i = 0; i < basis->rows; i++) {
            double *entry = dense_at(basis, i, j);
            *entry = fabs(*entry) < ROUNDING_SOLVED ? 0 : scale ? *entry * (scale[i] / scale[pivot[j]]) : *entry;
        }
    int count = 0;
    for (int i = 0; i < basis->rows; i++)
        if (!used[i])
            kept[count++] = i;
    return true;
}

/* The whole space is the null space. */
static bool trivial_kernel(struct arena *memory, const struct dense *a, struct kernel *k)
{
    if (!dense_new(memory, a->columns, a->columns, &k->right) || !dense_new(memory, a->rows, a->rows, &k->left))
        return false;
    for (int j = 0; j < a->columns; j++)
        *dense_at(&k->right, k->column_pivot[j] = j, j) = 1;
    for (int i = 0; i < a->rows; i++)
        *dense_at(&k->left, k->row_pivot[i] = i, i) = 1;
    return true;
}

static void decide_rank(const double *sigma, int count, double tolerance, double noise, struct kernel *k)
{
    const double relative = tolerance > 0 ? tolerance : ROUNDING_SUM * sqrt((double)count);
    const double limit = fmax(relative * sigma[0], noise);
    while (k->rank < count && sigma[k->rank] > limit)
        k->rank++;
    if (k->rank > 0)
        k->smallest = sigma[k->rank - 1] / sigma[0];
    if (k->rank < count)
        k->largest_dropped = sigma[k->rank] / sigma[0];
    k->condition = 1 / k->smallest;
}

static bool decomposed_kernel(struct arena *memory, const struct scaling *s, const struct dense *u,
                              const struct dense *vt, struct kernel *k)
{
    const int m = u->rows, n = vt->rows;
    if (!dense_new(memory, m, m - k->rank, &k->left) || !dense_new(memory, n, n - k->rank, &k->right))
        return false;
    for (int j = k->rank; j < m; j++)
        for (int i = 0; i < m; i++)
            *dense_at(&k->left, i, j - k->rank) = *dense_at(u, i, j) * s->rows[i];
    for (int j = k->rank; j < n; j++)
        for (int i = 0; i < n; i++)
            *dense_at(&k->right, i, j - k->rank) = *dense_at(vt, j, i) * s->columns[i];
    return dense_echelon(memory, &k->left, s->rows, k->row_pivot, k->row_kept) &&
           dense_echelon(memory, &k->right, s->columns, k->column_pivot, k->column_kept);
}

static bool is_zero(const struct dense *a)
{
    for (size_t i = 0; i < (size_t)a->rows * (size_t)a->columns; i++)
        if (a->at[i] != 0) /* also what is no number */
            return false;
    return true;
}

/* Frobenius norm of the scaled noise: no singular value moves by more (Weyl). */
static double scaled_size(const struct dense *noise, const struct scaling *s)
{
    double sum = 0;
    for (int j = 0; noise && j < noise->columns; j++)
        for (int i = 0; i < noise->rows; i++) {
            const double entry = *dense_at(noise, i, j) * s->rows[i] * s->columns[j];
            sum += entry * entry;
        }
    return sqrt(sum);
}

/* Null vectors of incidence matrices consist of whole numbers.  Where the nearest ones are null vectors as well, up to
 * the errors of the entries, they are taken. */
static bool residual_is_noise(const struct dense *a, const struct dense *noise, bool left, const double *v)
{
    const int equations = left ? a->columns : a->rows, terms = left ? a->rows : a->columns;
    for (int i = 0; i < equations; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < terms; j++) {
            const int row = left ? j : i, column = left ? i : j;
            sum += *dense_at(a, row, column) * v[j];
            size += (ROUNDING_SUM * fabs(*dense_at(a, row, column)) + (noise ? 4 * *dense_at(noise, row, column) : 0)) *
                    fabs(v[j]);
        }
        if (fabs(sum) > size)
            return false;
    }
    return true;
}

static double nearest_whole(double x)
{
    const double whole = nearbyint(x);
    return fabs(x - whole) < NEARLY_WHOLE ? whole : x;
}

static void swap_with_whole(double *v, double *whole, int count)
{
    for (int i = 0; i < count; i++) {
        const double kept = v[i];
        v[i] = whole[i];
        whole[i] = kept;
    }
}

static void snap_columns(struct arena *memory, const struct dense *a, const struct dense *noise, bool left,
                         struct dense *basis)
{
    double *whole = arena_array(memory, (size_t)basis->rows + 1, sizeof *whole);
    for (int j = 0; whole && j < basis->columns; j++) {
        double *v = dense_at(basis, 0, j);
        for (int i = 0; i < basis->rows; i++)
            whole[i] = nearest_whole(v[i]);
        if (residual_is_noise(a, noise, left, whole))
            swap_with_whole(v, whole, basis->rows);
    }
}

enum kn_status kernel_find_whole(struct arena *memory, const struct dense *a, const struct dense *noise,
                                 double tolerance, struct kernel *out)
{
    const int m = a->rows, n = a->columns, least = m < n ? m : n;
    *out = (struct kernel){.smallest = 1, .condition = 1};
    out->row_kept = arena_array(memory, (size_t)m + 1, sizeof *out->row_kept);
    out->row_pivot = arena_array(memory, (size_t)m + 1, sizeof *out->row_pivot);
    out->column_kept = arena_array(memory, (size_t)n + 1, sizeof *out->column_kept);
    out->column_pivot = arena_array(memory, (size_t)n + 1, sizeof *out->column_pivot);
    if (!out->row_kept || !out->row_pivot || !out->column_kept || !out->column_pivot)
        return KN_ERROR_MEMORY;
    if (least == 0 || is_zero(a))
        return trivial_kernel(memory, a, out) ? KN_OK : KN_ERROR_MEMORY;
    struct scaling s;
    struct dense work, u, vt;
    double *sigma = arena_array(memory, (size_t)least, sizeof *sigma);
    if (!sigma || !dense_scaling(memory, a, &s) || !scaled_copy(memory, a, &s, &work) || !dense_new(memory, m, m, &u) ||
        !dense_new(memory, n, n, &vt))
        return KN_ERROR_MEMORY;
    const enum kn_status status = lapack_singular_values(m, n, work.at, sigma, u.at, vt.at);
    if (status != KN_OK)
        return status;
    decide_rank(sigma, least, tolerance, scaled_size(noise, &s), out);
    if (!decomposed_kernel(memory, &s, &u, &vt, out))
        return KN_ERROR_MEMORY;
    snap_columns(memory, a, noise, false, &out->right);
    snap_columns(memory, a, noise, true, &out->left);
    return KN_OK;
}
