/* Patterns, products and factors against dense arithmetic. */
#include "claims.h"
#include "sparse/sparse.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static unsigned long long seed = 20261121;

static double uniform(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

enum { N = 30, COUNT = 150 };

static struct sparse_pattern *random_pattern(int *rows, int *columns, int *slot)
{
    struct sparse_pattern *p;
    for (int i = 0; i < COUNT; i++) {
        rows[i] = (int)((uniform() + 1) / 2 * N) % N;
        columns[i] = (int)((uniform() + 1) / 2 * N) % N;
        if (i % 20 == 19)
            rows[i] = -1;
    }
    CU_ASSERT_FATAL(sparse_pattern_new(N, rows, columns, COUNT, slot, &p) == KN_OK);
    return p;
}

static void pattern_is_sorted_merged_and_has_the_diagonal(void)
{
    int rows[COUNT], columns[COUNT], slot[COUNT];
    struct sparse_pattern *p = random_pattern(rows, columns, slot);
    for (int j = 0; j < N; j++) {
        for (int k = p->column_start[j] + 1; k < p->column_start[j + 1]; k++)
            CU_ASSERT(p->row[k - 1] < p->row[k]);
        CU_ASSERT(sparse_pattern_find(p, j, j) >= 0);
    }
    for (int i = 0; i < COUNT; i++)
        CU_ASSERT_EQUAL(slot[i], rows[i] < 0 ? p->entries : sparse_pattern_find(p, rows[i], columns[i]));
    sparse_pattern_free(p);
}

static void solve_inverts_the_product(void)
{
    int rows[COUNT], columns[COUNT];
    struct sparse_pattern *p = random_pattern(rows, columns, NULL);
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
    double *a = sparse_values(p);
    for (int round = 0; round < 20; round++) {
        double x[N], b[N] = {0};
        for (int k = 0; k < p->entries; k++)
            a[k] = uniform();
        for (int i = 0; i < N; i++) {
            x[i] = uniform();
            a[sparse_pattern_find(p, i, i)] += 6;
        }
        sparse_multiply_add(p, a, x, b);
        CU_ASSERT(sparse_lu_factor(lu, a) == KN_OK);
        sparse_lu_solve(lu, b);
        for (int i = 0; i < N; i++)
            CHECK_NEAR(b[i], x[i], 1e-12);
    }
    CU_ASSERT(sparse_lu_statistics(lu)->factorizations == 1);
    CU_ASSERT(sparse_lu_statistics(lu)->refactorizations == 19);
    CU_ASSERT(sparse_lu_condition(lu, a) >= 1);
    free(a);
    sparse_lu_free(lu);
    sparse_pattern_free(p);
}

/* Random values with a dominant diagonal, a random x, and b = A x or A^T x. */
static void random_system(const struct sparse_pattern *p, double complex *a, double complex *x, double complex *b,
                          bool transposed)
{
    for (int k = 0; k < p->entries; k++)
        a[k] = uniform() + uniform() * I;
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        x[i] = uniform() + uniform() * I;
        a[sparse_pattern_find(p, i, i)] += 6 * I;
    }
    for (int j = 0; j < N; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            b[transposed ? j : p->row[k]] += a[k] * x[transposed ? p->row[k] : j];
}

static void complex_solve_inverts_the_product(void)
{
    int rows[COUNT], columns[COUNT];
    struct sparse_pattern *p = random_pattern(rows, columns, NULL);
    struct sparse_zlu *lu;
    CU_ASSERT_FATAL(sparse_zlu_new(p, &lu) == KN_OK);
    double complex *a = calloc((size_t)p->entries + 1, sizeof *a);
    for (int round = 0; round < 3; round++) {
        double complex x[N], b[N];
        random_system(p, a, x, b, false);
        CU_ASSERT(sparse_zlu_factor(lu, a) == KN_OK);
        sparse_zlu_solve(lu, b);
        for (int i = 0; i < N; i++)
            CHECK_NEAR(cabs(b[i] - x[i]), 0, 1e-12);
    }
    free(a);
    sparse_zlu_free(lu);
    sparse_pattern_free(p);
}

/* [e 1; 1 1] needs its rows swapped when e is tiny; the first factorisation is made with e = 1. */
static void stale_pivots_never_return_garbage(void)
{
    const int rows[] = {0, 1, 0, 1}, columns[] = {0, 0, 1, 1};
    int slot[4];
    struct sparse_pattern *p;
    CU_ASSERT_FATAL(sparse_pattern_new(2, rows, columns, 4, slot, &p) == KN_OK);
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
    double a[5];
    a[slot[0]] = 2, a[slot[1]] = 1, a[slot[2]] = 1, a[slot[3]] = 1;
    CU_ASSERT(sparse_lu_factor(lu, a) == KN_OK);
    for (double e = 1; e > 1e-25; e /= 10) {
        a[slot[0]] = e, a[slot[1]] = 1, a[slot[2]] = 1, a[slot[3]] = 2;
        double b[2] = {e + 1, 3};
        CU_ASSERT(sparse_lu_factor(lu, a) == KN_OK);
        sparse_lu_solve(lu, b);
        CHECK_NEAR(b[0], 1, 1e-11);
        CHECK_NEAR(b[1], 1, 1e-11);
    }
    CU_ASSERT(sparse_lu_statistics(lu)->repivots > 0);
    sparse_lu_free(lu);
    sparse_pattern_free(p);
}

/* The same along a sweep, transposed, where one entry after the other of [2 1; 3 2] becomes tiny: two of them are pivots. */
static void a_sweep_keeps_pivots_only_as_long_as_they_solve(void)
{
    const int rows[] = {0, 1, 0, 1}, columns[] = {0, 0, 1, 1};
    const double values[] = {2, 3, 1, 2};
    int slot[4];
    struct sparse_pattern *p;
    CU_ASSERT_FATAL(sparse_pattern_new(2, rows, columns, 4, slot, &p) == KN_OK);
    struct sparse_zlu *lu;
    CU_ASSERT_FATAL(sparse_zlu_new(p, &lu) == KN_OK);
    double complex a[5], workspace[2];
    for (int tiny = 0; tiny < 4; tiny++)
        for (double e = 1; e > 1e-25; e /= 10) {
            for (int k = 0; k < 4; k++)
                a[slot[k]] = values[k] * (k == tiny ? e : 1);
            double complex b[2] = {a[slot[0]] + a[slot[1]], a[slot[2]] + a[slot[3]]};
            CU_ASSERT(sparse_zlu_next_transposed(lu, a, b, workspace) == KN_OK);
            CHECK_NEAR(cabs(b[0] - 1), 0, 1e-9);
            CHECK_NEAR(cabs(b[1] - 1), 0, 1e-9);
        }
    CU_ASSERT(sparse_zlu_statistics(lu)->repivots > 0);
    CU_ASSERT(sparse_zlu_statistics(lu)->factorizations < 20);
    a[slot[0]] = a[slot[1]] = a[slot[2]] = a[slot[3]] = 1;
    double complex b[2] = {1, 2};
    CU_ASSERT(sparse_zlu_next_transposed(lu, a, b, workspace) == KN_ERROR_CIRCUIT);
    CU_ASSERT(sparse_zlu_singular(lu) >= 0);
    sparse_zlu_free(lu);
    sparse_pattern_free(p);
}

static void random_transposed_sweeps_are_solved(void)
{
    int rows[COUNT], columns[COUNT];
    struct sparse_pattern *p = random_pattern(rows, columns, NULL);
    struct sparse_zlu *lu;
    CU_ASSERT_FATAL(sparse_zlu_new(p, &lu) == KN_OK);
    double complex *a = calloc((size_t)p->entries + 1, sizeof *a), workspace[N];
    for (int round = 0; round < 30; round++) {
        double complex x[N], b[N];
        random_system(p, a, x, b, true);
        CU_ASSERT(sparse_zlu_next_transposed(lu, a, b, workspace) == KN_OK);
        for (int i = 0; i < N; i++)
            CHECK_NEAR(cabs(b[i] - x[i]), 0, 1e-11);
    }
    free(a);
    sparse_zlu_free(lu);
    sparse_pattern_free(p);
}

/* Several at once, of which the last one is now and then not to be solved with the pivots of the first. */
static void lanes_of_a_sweep_are_solved_or_left_alone(void)
{
    int rows[COUNT], columns[COUNT];
    struct sparse_pattern *p = random_pattern(rows, columns, NULL);
    struct sparse_zlu *lu;
    CU_ASSERT_FATAL(sparse_zlu_new(p, &lu) == KN_OK);
    double complex *a[SPARSE_LANES], x[SPARSE_LANES][N], b[SPARSE_LANES][N], workspace[N];
    for (int l = 0; l < SPARSE_LANES; l++)
        a[l] = calloc((size_t)p->entries + 1, sizeof *a[l]);
    const double complex *const values[SPARSE_LANES] = {a[0], a[1]};
    double complex *const right[SPARSE_LANES] = {b[0], b[1]};
    int solved = 0, left = 0;
    for (int round = 0; round < 60; round++) {
        for (int l = 0; l < SPARSE_LANES; l++)
            random_system(p, a[l], x[l], b[l], true);
        const bool singular = round % 10 == 9;
        for (int k = p->column_start[0]; k < p->column_start[1] && singular; k++)
            a[SPARSE_LANES - 1][k] = 0;
        double complex before[N];
        memcpy(before, b[0], sizeof before);
        if (round == 0)
            CU_ASSERT(!sparse_zlu_lanes_transposed(lu, values, right)); /* no pivots yet */
        if (round > 0 && sparse_zlu_lanes_transposed(lu, values, right)) {
            solved++;
            CU_ASSERT(!singular);
            for (int l = 0; l < SPARSE_LANES; l++)
                for (int i = 0; i < N; i++)
                    CHECK_NEAR(cabs(b[l][i] - x[l][i]), 0, 1e-9);
        } else {
            left += round > 0;
            CU_ASSERT(memcmp(before, b[0], sizeof before) == 0);
            CU_ASSERT(sparse_zlu_next_transposed(lu, a[0], b[0], workspace) == KN_OK);
        }
    }
    CU_ASSERT(left >= 6 && solved >= 30);
    for (int l = 0; l < SPARSE_LANES; l++)
        free(a[l]);
    sparse_zlu_free(lu);
    sparse_pattern_free(p);
}

/* Blocks on the diagonal, some entries above them, rows and columns shuffled: what block triangular forms are found for. */
static struct sparse_pattern *shuffled_blocks(void)
{
    int rows[N * N], columns[N * N], row_of[N], column_of[N], block[N], count = 0;
    for (int i = 0; i < N; i++)
        block[i] = i == 0 ? 0 : block[i - 1] + (uniform() > 0.4);
    for (int i = 0; i < N; i++)
        row_of[i] = column_of[i] = i;
    for (int i = N - 1; i > 0; i--) {
        const int a = (int)((uniform() + 1) / 2 * i), b = (int)((uniform() + 1) / 2 * i), r = row_of[i],
                  c = column_of[i];
        row_of[i] = row_of[a], row_of[a] = r;
        column_of[i] = column_of[b], column_of[b] = c;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (block[i] == block[j] ? i == j || uniform() > 0.2 : block[i] < block[j] && uniform() > 0.7) {
                rows[count] = row_of[i];
                columns[count++] = column_of[j];
            }
    struct sparse_pattern *p;
    CU_ASSERT_FATAL(sparse_pattern_new(N, rows, columns, (size_t)count, NULL, &p) == KN_OK);
    return p;
}

static void block_triangular_systems_are_solved_both_ways(void)
{
    for (int matrix = 0; matrix < 30; matrix++) {
        struct sparse_pattern *p = shuffled_blocks();
        struct sparse_lu *lu;
        CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
        double *a = sparse_values(p);
        for (int round = 0; round < 5; round++) {
            double x[N], b[N] = {0}, transposed[N] = {0};
            for (int i = 0; i < N; i++)
                x[i] = uniform();
            for (int k = 0; k < p->entries; k++)
                a[k] = uniform() * (k % 3 ? 1 : 3);
            sparse_multiply_add(p, a, x, b);
            for (int j = 0; j < N; j++)
                for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
                    transposed[j] += a[k] * x[p->row[k]];
            CU_ASSERT_FATAL(sparse_lu_factor(lu, a) == KN_OK);
            const double bound = N * DBL_EPSILON * 1e3 * sparse_lu_condition(lu, a); /* kept pivots may grow by 1e3 */
            sparse_lu_solve(lu, b);
            sparse_lu_solve_transposed(lu, transposed);
            for (int i = 0; i < N; i++) {
                CHECK_NEAR(b[i], x[i], bound);
                CHECK_NEAR(transposed[i], x[i], bound);
            }
        }
        free(a);
        sparse_lu_free(lu);
        sparse_pattern_free(p);
    }
}

/* Dense matrices with rows of sizes 1e-6 to 1e6, one after the other with the pivots of those before where they are good
 * enough: what a solution leaves in each equation, of the sizes of its terms. */
static void growth_is_seen_in_rows_of_any_size(void)
{
    int rows[N * N], columns[N * N];
    for (int k = 0; k < N * N; k++) {
        rows[k] = k / N;
        columns[k] = k % N;
    }
    struct sparse_pattern *p;
    CU_ASSERT_FATAL(sparse_pattern_new(N, rows, columns, N * N, NULL, &p) == KN_OK);
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
    double *a = sparse_values(p);
    for (int round = 0; round < 300; round++) {
        double b[N], scale[N], rest[N];
        for (int i = 0; i < N; i++) {
            scale[i] = pow(10, 6 * uniform());
            rest[i] = b[i] = scale[i] * uniform();
        }
        for (int k = 0; k < p->entries; k++)
            a[k] = uniform() * scale[p->row[k]];
        CU_ASSERT_FATAL(sparse_lu_factor(lu, a) == KN_OK);
        sparse_lu_solve(lu, b);
        for (int i = 0; i < N; i++)
            scale[i] = fabs(rest[i]);
        for (int j = 0; j < N; j++)
            for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
                rest[p->row[k]] -= a[k] * b[j];
                scale[p->row[k]] += fabs(a[k] * b[j]);
            }
        for (int i = 0; i < N; i++)
            CHECK_NEAR(rest[i] / scale[i], 0, N * DBL_EPSILON * 1e3);
    }
    CU_ASSERT(sparse_lu_statistics(lu)->repivots > 0);
    CU_ASSERT(sparse_lu_statistics(lu)->repivots < 150);
    free(a);
    sparse_lu_free(lu);
    sparse_pattern_free(p);
}

/* Against the inverse itself: an estimate is never above, and Higham found none below a third of it in practice. */
static void condition_is_that_of_the_inverse(void)
{
    int rows[COUNT], columns[COUNT];
    for (int round = 0; round < 50; round++) {
        struct sparse_pattern *p = random_pattern(rows, columns, NULL);
        struct sparse_lu *lu;
        CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
        double *a = sparse_values(p), norm = 0, inverse = 0;
        for (int k = 0; k < p->entries; k++)
            a[k] = uniform() * exp(8 * uniform());
        for (int i = 0; i < N; i++)
            a[sparse_pattern_find(p, i, i)] += exp(6 * uniform());
        CU_ASSERT_FATAL(sparse_lu_factor(lu, a) == KN_OK);
        for (int j = 0; j < N; j++) {
            double column[N] = {0}, sum = 0, size = 0;
            column[j] = 1;
            sparse_lu_solve(lu, column);
            for (int i = 0; i < N; i++)
                size += fabs(column[i]);
            for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
                sum += fabs(a[k]);
            norm = fmax(norm, sum);
            inverse = fmax(inverse, size);
        }
        const double estimate = sparse_lu_condition(lu, a);
        CU_ASSERT(estimate <= norm * inverse * 1.0001 && estimate >= norm * inverse / 3);
        free(a);
        sparse_lu_free(lu);
        sparse_pattern_free(p);
    }
}

static void singular_matrix_is_named_by_column(void)
{
    const int rows[] = {0, 1, 2, 0}, columns[] = {0, 1, 2, 2};
    int slot[4];
    struct sparse_pattern *p;
    CU_ASSERT_FATAL(sparse_pattern_new(3, rows, columns, 4, slot, &p) == KN_OK);
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(sparse_lu_new(p, &lu) == KN_OK);
    double a[5] = {0};
    a[slot[0]] = 1, a[slot[2]] = 1, a[slot[3]] = 1;
    CU_ASSERT(sparse_lu_factor(lu, a) == KN_ERROR_CIRCUIT);
    CU_ASSERT_EQUAL(sparse_lu_singular(lu), 1);
    a[slot[1]] = 1;
    CU_ASSERT(sparse_lu_factor(lu, a) == KN_OK);
    sparse_lu_free(lu);
    sparse_pattern_free(p);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(pattern_is_sorted_merged_and_has_the_diagonal),
        CLAIM(solve_inverts_the_product),
        CLAIM(complex_solve_inverts_the_product),
        CLAIM(stale_pivots_never_return_garbage),
        CLAIM(a_sweep_keeps_pivots_only_as_long_as_they_solve),
        CLAIM(random_transposed_sweeps_are_solved),
        CLAIM(lanes_of_a_sweep_are_solved_or_left_alone),
        CLAIM(block_triangular_systems_are_solved_both_ways),
        CLAIM(growth_is_seen_in_rows_of_any_size),
        CLAIM(condition_is_that_of_the_inverse),
        CLAIM(singular_matrix_is_named_by_column),
    };
    return run_claims("sparse", claims, sizeof claims / sizeof claims[0]);
}
