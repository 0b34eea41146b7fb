/* test_fronts.c - factors with much fill, by dense fronts: solutions against products, both ways, real and complex. */
#include "claims.h"
#include "sparse/factors/kept_pivots.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 60, NODES = SIDE * SIDE, MOST_EXTRA = 40, N = NODES + MOST_EXTRA, MOST = 8 * NODES + 4 * MOST_EXTRA };

static unsigned long long seed = 20261125;

static double uniform(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* A mesh of random conductances some of which are missing, its nodes in random order, with `sources` voltage sources
 * between neighbours, whose rows have nothing on the diagonal, and `controlled` entries anywhere. */
struct network {
    struct sparse_pattern *pattern;
    double *values;
    int count, rows[MOST], columns[MOST], slots[MOST];
    double entries[MOST];
};

static void add(struct network *s, int row, int column, double value)
{
    s->rows[s->count] = row;
    s->columns[s->count] = column;
    s->entries[s->count++] = value;
}

static void open_network(struct network *s, int sources, int controlled)
{
    static int name[NODES];
    s->count = 0;
    for (int i = 0; i < NODES; i++)
        name[i] = i;
    for (int i = NODES; i-- > 1;) {
        const int k = (int)(uniform() * (i + 1)), kept = name[i];
        name[i] = name[k];
        name[k] = kept;
    }
    for (int i = 0; i < NODES; i++)
        add(s, name[i], name[i], 4 + uniform());
    for (int i = 0; i < NODES; i++) {
        if (i % SIDE + 1 < SIDE && uniform() < 0.97) {
            add(s, name[i], name[i + 1], -uniform());
            add(s, name[i + 1], name[i], -uniform());
        }
        if (i + SIDE < NODES && uniform() < 0.97) {
            add(s, name[i], name[i + SIDE], -uniform());
            add(s, name[i + SIDE], name[i], -uniform());
        }
    }
    for (int k = 0; k < sources; k++) {
        const int i = (SIDE + 1) * (k + 1) % (NODES - SIDE), branch = NODES + k;
        add(s, branch, name[i], 1);
        add(s, branch, name[i + SIDE], -1);
        add(s, name[i], branch, 1);
        add(s, name[i + SIDE], branch, -1);
    }
    for (int k = 0; k < controlled; k++)
        add(s, (int)(uniform() * NODES), (int)(uniform() * NODES), 0.5 * uniform());
    CU_ASSERT_FATAL(sparse_pattern_new(NODES + sources, s->rows, s->columns, (size_t)s->count, s->slots, &s->pattern) ==
                    KN_OK);
    s->values = sparse_values(s->pattern);
    for (int e = 0; e < s->count; e++)
        s->values[s->slots[e]] += s->entries[e];
}

static void close_network(struct network *s)
{
    free(s->values);
    sparse_pattern_free(s->pattern);
}

/* Other values of the same sizes. */
static void change(struct network *s)
{
    for (int k = 0; k < s->pattern->entries; k++)
        s->values[k] *= 0.8 + 0.4 * uniform();
}

static void check_real(const struct network *s, struct sparse_lu *lu, bool transposed)
{
    static double x[N], b[N];
    const struct sparse_pattern *p = s->pattern;
    double worst = 0;
    for (int i = 0; i < p->n; i++) {
        x[i] = uniform() - 0.5;
        b[i] = 0;
    }
    for (int j = 0; j < p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            b[transposed ? j : p->row[e]] += s->values[e] * x[transposed ? p->row[e] : j];
    if (transposed)
        sparse_lu_solve_transposed(lu, b);
    else
        sparse_lu_solve(lu, b);
    for (int i = 0; i < p->n; i++)
        worst = fmax(worst, fabs(b[i] - x[i]));
    CU_ASSERT(worst < 1e-10);
}

static void check_complex(const struct network *s, struct sparse_zlu *lu, const double complex *a, bool transposed)
{
    static double complex x[N], b[N];
    const struct sparse_pattern *p = s->pattern;
    double worst = 0;
    for (int i = 0; i < p->n; i++) {
        x[i] = uniform() - 0.5 + I * uniform();
        b[i] = 0;
    }
    for (int j = 0; j < p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            b[transposed ? j : p->row[e]] += a[e] * x[transposed ? p->row[e] : j];
    if (transposed)
        sparse_zlu_solve_transposed(lu, b);
    else
        sparse_zlu_solve(lu, b);
    for (int i = 0; i < p->n; i++)
        worst = fmax(worst, cabs(b[i] - x[i]));
    CU_ASSERT(worst < 1e-10);
}

/* With sources, whose pivots cannot be on the diagonal, and without. */
static const int kinds[][2] = {{0, 0}, {0, 5}, {3, 0}, {MOST_EXTRA, 0}, {2, 10}};

static void meshes_are_solved_both_ways(void)
{
    static struct network s;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct sparse_lu *lu;
        open_network(&s, kinds[kind][0], kinds[kind][1]);
        CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK);
        for (int round = 0; round < 3; round++) {
            CU_ASSERT_FATAL(sparse_lu_factor(lu, s.values) == KN_OK);
            check_real(&s, lu, false);
            check_real(&s, lu, true);
            change(&s);
        }
        CU_ASSERT(sparse_lu_effort(lu) > 12);
        CU_ASSERT(sparse_lu_statistics(lu)->factorizations == 1);
        sparse_lu_free(lu);
        close_network(&s);
    }
}

/* Rows of sources have nothing on the diagonal, and still no pivot is looked for, nor for the next factors of the pattern,
 * which have other numbers. */
static void pivots_of_sources_need_no_search(void)
{
    static struct network s;
    struct sparse_lu *lu = NULL, *other = NULL;
    open_network(&s, MOST_EXTRA, 0);
    CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK && sparse_lu_new(s.pattern, &other) == KN_OK);
    double *const first = malloc((size_t)s.pattern->entries * sizeof *first), *const second = s.values;
    CU_ASSERT_FATAL(first && sparse_lu_factor(lu, s.values) == KN_OK);
    memcpy(first, second, (size_t)s.pattern->entries * sizeof *first);
    change(&s);
    CU_ASSERT_FATAL(sparse_lu_factor(other, s.values) == KN_OK);
    for (int round = 0; round < 2; round++) {
        check_real(&s, other, round);
        s.values = first;
        check_real(&s, lu, round);
        s.values = second;
    }
    CU_ASSERT_EQUAL(sparse_lu_statistics(lu)->searches + sparse_lu_statistics(other)->searches, 0);
    CU_ASSERT_EQUAL(sparse_lu_statistics(lu)->factorizations, 1);
    sparse_lu_free(lu);
    sparse_lu_free(other);
    free(first);
    close_network(&s);
}

/* Diagonal entries that nobody asked for are in the pattern for who puts numbers there. */
static void numbers_where_nobody_asked_for_an_entry_count(void)
{
    static struct network s;
    struct sparse_lu *lu;
    open_network(&s, 3, 0);
    CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK && sparse_lu_factor(lu, s.values) == KN_OK);
    for (int k = 0; k < 3; k++)
        s.values[sparse_pattern_find(s.pattern, NODES + k, NODES + k)] = -0.5;
    for (int round = 0; round < 3; round++) {
        CU_ASSERT_FATAL(sparse_lu_factor(lu, s.values) == KN_OK);
        check_real(&s, lu, false);
        check_real(&s, lu, true);
        change(&s);
    }
    CU_ASSERT_EQUAL(sparse_lu_statistics(lu)->searches, 1);
    sparse_lu_free(lu);
    close_network(&s);
}

static void complex_meshes_are_solved_both_ways(void)
{
    static struct network s;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct sparse_zlu *lu;
        open_network(&s, kinds[kind][0], kinds[kind][1]);
        double complex *a = calloc((size_t)s.pattern->entries + 1, sizeof *a);
        CU_ASSERT_FATAL(a && sparse_zlu_new(s.pattern, &lu) == KN_OK);
        for (int round = 0; round < 2; round++) {
            for (int k = 0; k < s.pattern->entries; k++)
                a[k] = s.values[k] * (1 + 0.3 * I * uniform());
            CU_ASSERT_FATAL(sparse_zlu_factor(lu, a) == KN_OK);
            check_complex(&s, lu, a, false);
            check_complex(&s, lu, a, true);
            change(&s);
        }
        sparse_zlu_free(lu);
        free(a);
        close_network(&s);
    }
}

/* A diagonal that has become small is no pivot any more: others follow, and stay. */
static void pivots_that_have_become_small_are_chosen_again(void)
{
    static struct network s;
    struct sparse_lu *lu;
    open_network(&s, 0, 0);
    CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK);
    CU_ASSERT_FATAL(sparse_lu_factor(lu, s.values) == KN_OK);
    for (int i = 0; i < NODES; i += 7)
        s.values[sparse_pattern_find(s.pattern, i, i)] = 1e-14;
    for (int round = 0; round < 3; round++) {
        CU_ASSERT_FATAL(sparse_lu_factor(lu, s.values) == KN_OK);
        check_real(&s, lu, false);
    }
    CU_ASSERT(sparse_lu_statistics(lu)->repivots >= 1);
    sparse_lu_free(lu);
    close_network(&s);
}

static void a_node_without_conductances_is_named(void)
{
    static struct network s;
    struct sparse_lu *lu;
    const int lonely = NODES / 3;
    open_network(&s, 0, 0);
    for (int j = 0; j < NODES; j++)
        for (int e = s.pattern->column_start[j]; e < s.pattern->column_start[j + 1]; e++)
            if (j == lonely || s.pattern->row[e] == lonely)
                s.values[e] = 0;
    CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK);
    CU_ASSERT(sparse_lu_factor(lu, s.values) == KN_ERROR_CIRCUIT);
    CU_ASSERT_EQUAL(sparse_lu_singular(lu), lonely);
    sparse_lu_free(lu);
    close_network(&s);
}

/* Fronts hold all pivots, each once, and entries of A between them; the rest of each goes to its parent. */
static void fronts_hold_every_pivot_and_entry_once(void)
{
    static struct network s;
    static int order[N], place[N], rows[MOST], start[N + 1];
    static bool seen[MOST];
    open_network(&s, 0, 5);
    const struct sparse_pattern *p = s.pattern;
    const struct fronts_matrix given = {p->n, p->column_start, p->row};
    CU_ASSERT_FATAL(fronts_order(&given, order));
    for (int k = 0; k < p->n; k++)
        place[order[k]] = k;
    for (int k = 0; k < p->n; k++) {
        start[k + 1] = start[k];
        for (int e = p->column_start[order[k]]; e < p->column_start[order[k] + 1]; e++)
            rows[start[k + 1]++] = place[p->row[e]];
    }
    const struct fronts_matrix a = {p->n, start, rows};
    struct fronts f;
    CU_ASSERT_FATAL(fronts_analyze(&f, &a) && f.count > 0);
    CU_ASSERT(f.first[0] == 0 && f.first[f.count] == p->n && f.entry_start[f.count] == p->entries);
    for (int k = 0; k < f.count; k++) {
        CU_ASSERT(f.first[k] < f.first[k + 1]);
        for (size_t i = f.others[k]; i < f.others[k + 1]; i++) {
            CU_ASSERT_FATAL(f.parent[k] > k);
            CU_ASSERT(f.other[i] >= (i > f.others[k] ? f.other[i - 1] + 1 : f.first[f.parent[k]]));
        }
        for (int e = f.entry_start[k]; e < f.entry_start[k + 1]; e++)
            CU_ASSERT(!seen[f.entry[e]] && (seen[f.entry[e]] = true));
    }
    fronts_free(&f);
    close_network(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(meshes_are_solved_both_ways),
        CLAIM(pivots_of_sources_need_no_search),
        CLAIM(numbers_where_nobody_asked_for_an_entry_count),
        CLAIM(complex_meshes_are_solved_both_ways),
        CLAIM(pivots_that_have_become_small_are_chosen_again),
        CLAIM(a_node_without_conductances_is_named),
        CLAIM(fronts_hold_every_pivot_and_entry_once),
    };
    return run_claims("fronts", claims, sizeof claims / sizeof claims[0]);
}
