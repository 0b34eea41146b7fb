/* Large meshes, where a factorisation costs as much as many solves: discrete heat conduction on a square grid, whose
 * modes are known (products of sines, decaying with lambda = 4 sin^2(k pi/(2 (S + 1))) + 4 sin^2(l pi/(2 (S + 1)))). */
#include "claims.h"
#include "integrators/drive/first_step.h"
#include "integrators/integrator.h"
#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 60, N = SIDE * SIDE };

static const double PI = 3.14159265358979323846;

struct grid {
    struct dae dae;
    struct sparse_pattern *pattern;
    double *G, *C, *absolute;
    double x[N];
    long jacobians; /* asked for */
};

static enum kn_status evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    struct grid *s = problem;
    (void)t;
    s->jacobians += (what & DAE_G) != 0;
    if (what & DAE_F) {
        memset(out->f, 0, N * sizeof *x);
        sparse_multiply_add(s->pattern, s->G, x, out->f);
    }
    if (what & DAE_Q)
        memcpy(out->q, x, N * sizeof *x);
    if (what & DAE_G)
        memcpy(out->G, s->G, (size_t)s->pattern->entries * sizeof *s->G);
    if (what & DAE_C)
        memcpy(out->C, s->C, (size_t)s->pattern->entries * sizeof *s->C);
    return KN_OK;
}

/* Modes (1, 1) and (3, 2) at a time. */
static double exact(int i, double t)
{
    static const int modes[2][2] = {{1, 1}, {3, 2}};
    const double unit = PI / (SIDE + 1);
    double sum = 0;
    for (int m = 0; m < 2; m++) {
        const double a = sin(0.5 * modes[m][0] * unit), b = sin(0.5 * modes[m][1] * unit);
        sum += sin(modes[m][0] * unit * (i % SIDE + 1)) * sin(modes[m][1] * unit * (i / SIDE + 1)) *
               exp(-4 * (a * a + b * b) * t);
    }
    return sum;
}

static bool fill(struct grid *s)
{
    int *rows = malloc(5 * N * sizeof *rows), *columns = malloc(5 * N * sizeof *columns),
        *slots = malloc(5 * N * sizeof *slots);
    size_t count = 0;
    for (int i = 0; i < N && rows && columns && slots; i++) {
        const int neighbours[4] = {i % SIDE > 0 ? i - 1 : -1, i % SIDE < SIDE - 1 ? i + 1 : -1, i - SIDE,
                                   i + SIDE < N ? i + SIDE : -1};
        rows[count] = columns[count] = i;
        count++;
        for (int k = 0; k < 4; k++) {
            rows[count] = i;
            columns[count++] = neighbours[k];
        }
    }
    bool good = count > 0 && sparse_pattern_new(N, rows, columns, count, slots, &s->pattern) == KN_OK;
    s->G = good ? sparse_values(s->pattern) : NULL;
    s->C = good ? sparse_values(s->pattern) : NULL;
    s->absolute = malloc(N * sizeof *s->absolute);
    good = good && s->G && s->C && s->absolute;
    for (size_t i = 0; good && i < count; i++)
        s->G[slots[i]] = rows[i] == columns[i] ? 4 : -1;
    for (int i = 0; good && i < N; i++) {
        s->C[sparse_pattern_find(s->pattern, i, i)] = 1;
        s->absolute[i] = 1e-9;
        s->x[i] = exact(i, 0);
    }
    free(rows);
    free(columns);
    free(slots);
    return good;
}

static bool grid_open(struct grid *s)
{
    memset(s, 0, sizeof *s);
    const bool good = fill(s);
    s->dae = (struct dae){.n = N,
                          .pattern = s->pattern,
                          .problem = s,
                          .eval = evaluate,
                          .linear = true,
                          .absolute = s->absolute,
                          .equation_absolute = s->absolute,
                          .largest_step = INFINITY};
    return good;
}

static void grid_close(struct grid *s)
{
    sparse_pattern_free(s->pattern);
    free(s->G);
    free(s->C);
    free(s->absolute);
}

/* ---- claims ---- */

static void factors_of_a_mesh_serve_while_the_step_grows(void)
{
    static struct grid s;
    static const struct integrator_class *const methods[] = {&integrator_bdf, &integrator_trapezoidal};
    const double stop = 300; /* the slower mode has fallen by half, the faster one to nothing */
    CU_ASSERT_FATAL(grid_open(&s));
    for (size_t k = 0; k < 2; k++) {
        const struct integrator_options options = {.relative = 1e-4, .kappa = 0.05, .max_iterations = 10};
        const struct run_options run = {.stop = stop, .max_step = INFINITY};
        const struct run_callbacks callbacks = {0};
        struct integrator_statistics statistics;
        struct integrator *m;
        struct kn_diagnostics *d = kn_diagnostics_new();
        CU_ASSERT_FATAL(methods[k]->create(&s.dae, &options, &m) == KN_OK);
        CU_ASSERT_EQUAL(integrate(m, s.x, &run, &callbacks, d, &statistics), KN_OK);
        double worst = 0;
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(m->x[i] - exact(i, stop)));
        const long factors = statistics.factorizations + statistics.refactorizations;
        const long attempts = statistics.accepted + statistics.rejected_error;
        printf("%s: %ld attempts, %ld factorisations, error %.2g\n", m->class->name, attempts, factors, worst);
        CU_ASSERT(2 * factors < attempts);
        CU_ASSERT(worst <= 1e-4);
        m->class->destroy(m);
        kn_diagnostics_free(d);
    }
    grid_close(&s);
}

/* After a corner the first step is asked of Euler steps of the same two sizes as after the one before: the factors of one of
 * them are at hand. */
static void first_steps_of_the_same_size_need_one_factorisation(void)
{
    static struct grid s;
    struct first_step f;
    double step[2];
    CU_ASSERT_FATAL(grid_open(&s) && first_step_init(&f, &s.dae, 1e-3) == KN_OK);
    for (int round = 0; round < 3; round++) {
        const long before = s.jacobians;
        CU_ASSERT_EQUAL(first_step_propose(&f, round, s.x, 1e-3, &step[round > 0]), KN_OK);
        CU_ASSERT_EQUAL(s.jacobians - before, round == 0 ? 2 : 1);
        CU_ASSERT(step[0] == 1e-3 && step[round > 0] == step[0]);
    }
    s.dae.linear = false; /* now they may depend on x */
    const long before = s.jacobians;
    CU_ASSERT_EQUAL(first_step_propose(&f, 3, s.x, 1e-3, &step[1]), KN_OK);
    CU_ASSERT_EQUAL(s.jacobians - before, 2);
    first_step_free(&f);
    grid_close(&s);
}

static void a_factorisation_of_a_mesh_costs_many_solves_and_that_of_a_line_one(void)
{
    static struct grid s;
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(grid_open(&s));
    CU_ASSERT_FATAL(sparse_lu_new(s.pattern, &lu) == KN_OK);
    CU_ASSERT_EQUAL(sparse_lu_factor(lu, s.G), KN_OK);
    CU_ASSERT(sparse_lu_effort(lu) > 16);
    sparse_lu_free(lu);
    grid_close(&s);
    int rows[3 * N], columns[3 * N], slots[3 * N];
    struct sparse_pattern *line;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            rows[3 * i + k] = i;
            columns[3 * i + k] = i + k - 1 < N ? i + k - 1 : -1;
        }
    CU_ASSERT_FATAL(sparse_pattern_new(N, rows, columns, 3 * N, slots, &line) == KN_OK);
    double *values = sparse_values(line);
    for (int i = 0; i < 3 * N; i++)
        values[slots[i]] = i % 3 == 1 ? 2 : -1;
    CU_ASSERT_FATAL(sparse_lu_new(line, &lu) == KN_OK);
    CU_ASSERT_EQUAL(sparse_lu_factor(lu, values), KN_OK);
    CU_ASSERT(sparse_lu_effort(lu) < 2);
    sparse_lu_free(lu);
    free(values);
    sparse_pattern_free(line);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(factors_of_a_mesh_serve_while_the_step_grows),
        CLAIM(first_steps_of_the_same_size_need_one_factorisation),
        CLAIM(a_factorisation_of_a_mesh_costs_many_solves_and_that_of_a_line_one),
    };
    return run_claims("large meshes", claims, sizeof claims / sizeof claims[0]);
}
