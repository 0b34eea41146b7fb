/* test_hidden.c - random linear circuits start from values that obey the visible and the hidden constraints.
 *
 * The judge knows nothing of circuits.  With W a basis of the left null space of C (LAPACK SVD), x is consistent at t
 * when some x' solves  C x' = -(f + q_t)  and  W' (G x' + f_t) = 0  (index 2: Rodriguez 2001, eqs. 2.16-2.19).
 */
#include "deck.h"

#include "mna/start/consistent.h"

#include <lapacke.h>
#include <stdint.h>

struct random_circuit {
    uint64_t state;
    char text[4096];
    size_t used;
};

static unsigned draw(struct random_circuit *c, unsigned below)
{
    c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(c->state >> 33) % below;
}

static void write_element(struct random_circuit *c, char letter, int number, const char *value)
{
    const unsigned nodes = 5, plus = draw(c, nodes);
    const unsigned minus = (plus + 1 + draw(c, nodes - 1)) % nodes;
    c->used += (size_t)snprintf(c->text + c->used, sizeof c->text - c->used, "%c%d %u %u %s\n", letter, number, plus,
                                minus, value);
}

/* Values of order 1, so that numbers of different units may be compared. */
static void write_circuit(struct random_circuit *c)
{
    char value[64];
    c->used = (size_t)snprintf(c->text, sizeof c->text, "random\n");
    for (int k = 0; k < 3; k++) {
        snprintf(value, sizeof value, "%u", 1 + draw(c, 9));
        write_element(c, 'R', k, value);
        snprintf(value, sizeof value, "%u ic=%d", 1 + draw(c, 9), (int)draw(c, 5) - 2);
        write_element(c, 'C', k, value);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(value, sizeof value, "%u ic=%d", 1 + draw(c, 9), (int)draw(c, 5) - 2);
        write_element(c, 'L', k, value);
        snprintf(value, sizeof value, "sin(%u %u 0.1)", draw(c, 3), 1 + draw(c, 5));
        write_element(c, k == 0 ? 'V' : 'I', k, value);
    }
    snprintf(c->text + c->used, sizeof c->text - c->used, ".end\n");
}

/* Dense, column by column, from the pattern. */
static double *dense(const struct sparse_pattern *p, const double *values)
{
    const size_t n = (size_t)p->n;
    double *a = calloc(n * n, sizeof *a);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            a[(size_t)j * n + (size_t)p->row[k]] = values[k];
    return a;
}

/* Left null space of C: rows of the result [deficiency][n]. */
static double *left_null_space(const double *C, int n, int *deficiency)
{
    const size_t size = (size_t)n * (size_t)n;
    double *copy = malloc(size * sizeof *copy), *U = malloc(size * sizeof *U), *Vt = malloc(size * sizeof *Vt);
    double *s = calloc((size_t)n, sizeof *s), *W = calloc(size, sizeof *W);
    memcpy(copy, C, size * sizeof *copy);
    CU_ASSERT_EQUAL(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, copy, n, s, U, n, Vt, n), 0);
    *deficiency = 0;
    for (int k = 0; k < n; k++)
        if (s[k] <= 1e-10 * s[0])
            memcpy(W + (size_t)(*deficiency)++ * (size_t)n, U + (size_t)k * (size_t)n, (size_t)n * sizeof *W);
    free(copy);
    free(U);
    free(Vt);
    free(s);
    return W;
}

/* The least-squares problem for x': rows of C, then W' G; its right-hand side. */
static double *stack(const struct deck *s, const double *G, const double *C, const double *W, int deficiency,
                     const struct dae_values *at, double *right)
{
    (void)s;
    const int n = mna_unknown_count(s->mna), rows = n + deficiency;
    double *A = calloc((size_t)rows * (size_t)n, sizeof *A);
    for (int i = 0; i < n; i++)
        right[i] = -(at->f[i] + at->dqdt[i]);
    for (int k = 0; k < deficiency; k++)
        for (int i = 0; i < n; i++)
            right[n + k] -= W[k * n + i] * at->dfdt[i];
    for (int j = 0; j < n; j++) {
        memcpy(A + (size_t)j * (size_t)rows, C + (size_t)j * (size_t)n, (size_t)n * sizeof *A);
        for (int k = 0; k < deficiency; k++)
            for (int i = 0; i < n; i++)
                A[j * rows + n + k] += W[k * n + i] * G[j * n + i];
    }
    return A;
}

/* What no x' can remove: 0 for consistent values. */
static double inconsistency(const struct deck *s)
{
    const struct dae *dae = mna_dae(s->mna);
    const int n = dae->n;
    const size_t size = (size_t)n;
    double *work = calloc(5 * size, sizeof *work), *right = calloc(2 * size, sizeof *right);
    double *residual = calloc(2 * size, sizeof *residual);
    double *values[2] = {sparse_values(dae->pattern), sparse_values(dae->pattern)};
    struct dae_values at = {.f = work, .dfdt = work + size, .dqdt = work + 2 * size, .G = values[0], .C = values[1]};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, s->x, DAE_F | DAE_G | DAE_C | DAE_T, &at), KN_OK);
    double *G = dense(dae->pattern, values[0]), *C = dense(dae->pattern, values[1]);
    int deficiency, rank;
    double *W = left_null_space(C, n, &deficiency);
    double *A = stack(s, G, C, W, deficiency, &at, right), *solved = calloc((size_t)(n + deficiency) * size, sizeof *A);
    const int rows = n + deficiency;
    memcpy(solved, A, (size_t)rows * size * sizeof *A);
    memcpy(residual, right, (size_t)rows * sizeof *right);
    CU_ASSERT_EQUAL(
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, n, 1, solved, rows, right, rows, work + 3 * size, 1e-10, &rank), 0);
    double worst = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            residual[i] -= A[j * rows + i] * right[j];
        worst = fmax(worst, fabs(residual[i]));
    }
    double *const used[] = {work, right, residual, values[0], values[1], G, C, W, A, solved};
    for (size_t k = 0; k < sizeof used / sizeof used[0]; k++)
        free(used[k]);
    return worst;
}

static void random_circuits_start_from_consistent_values(void)
{
    struct random_circuit c = {.state = 20001};
    int started = 0, index2 = 0;
    for (int trial = 0; trial < 400; trial++) {
        const uint64_t seed = c.state;
        write_circuit(&c);
        struct deck s;
        if (!deck_open(&s, c.text))
            continue;
        if (s.topology->verdict == TOPOLOGY_INDEX_1 || s.topology->verdict == TOPOLOGY_INDEX_2) {
            const enum kn_status status = deck_make_consistent(&s, 0, 1e-6, true);
            const double left = status == KN_OK ? inconsistency(&s) : INFINITY;
            if (!(left <= 1e-8)) {
                fprintf(stderr, "\nseed %llu: inconsistent by %g\n%s", (unsigned long long)seed, left, c.text);
                deck_print(&s);
            }
            CU_ASSERT_TRUE(left <= 1e-8);
            started++;
            index2 += s.topology->verdict == TOPOLOGY_INDEX_2;
        }
        deck_close(&s);
    }
    CU_ASSERT_TRUE(started > 100);
    CU_ASSERT_TRUE(index2 > 50);
}

/* The judge itself: a wrong index-2 current is seen. */
static void a_wrong_hidden_value_is_inconsistent(void)
{
    struct deck s;
    if (!deck_open(&s, "cv\nV1 1 0 sin(1 2 0.1)\nC1 1 0 2\nR1 1 0 3\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_make_consistent(&s, 0, 1e-6, true), KN_OK);
    CU_ASSERT_TRUE(inconsistency(&s) < 1e-9);
    s.x[deck_unknown(&s, "i(v1)")] += 0.1;
    CU_ASSERT_TRUE(inconsistency(&s) > 1e-3);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_wrong_hidden_value_is_inconsistent),
        CLAIM(random_circuits_start_from_consistent_values),
    };
    return run_claims("hidden", claims, sizeof claims / sizeof claims[0]);
}
