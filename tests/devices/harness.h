/* harness.h - device tests: a netlist becomes its device families, evaluated with dense matrices and no solver.
 *
 * Matrix entry (i, j) is G[i * n + j]; index 0 is ground, so row and column 0 are the bins of device code.
 */
#ifndef TESTS_DEVICES_HARNESS_H
#define TESTS_DEVICES_HARNESS_H

#include "claims.h"
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/setup.h"
#include "read_circuit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct rig {
    enum kn_status status; /* of reading, creating and connecting */
    struct kn_diagnostics *d;
    struct circuit *c;
    struct device_families families;
    struct device_setup *setup;
    int n;                                  /* unknowns, ground included */
    double *x, *dxdt, *f, *q, *dfdt, *dqdt; /* [n] */
    double *G, *C;                          /* [n * n], constant parts included */
    double *G0, *C0;                        /* [n * n], constant parts */
    double gmin, source_scale;
};

static inline bool rig_allocate(struct rig *r)
{
    const size_t n = (size_t)r->n;
    double **vectors[] = {&r->x, &r->dxdt, &r->f, &r->q, &r->dfdt, &r->dqdt};
    double **matrices[] = {&r->G, &r->C, &r->G0, &r->C0};
    bool good = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        good = (*vectors[i] = calloc(n, sizeof(double))) && good;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        good = (*matrices[i] = calloc(n * n, sizeof(double))) && good;
    return good;
}

static inline bool rig_fix(struct rig *r)
{
    int *slots = calloc(r->setup->request_count + 1, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < r->setup->request_count; i++)
        slots[i] = r->setup->requests[i].row * r->n + r->setup->requests[i].column;
    device_setup_fix(r->setup, slots);
    free(slots);
    return true;
}

static inline void rig_stamp(struct rig *r)
{
    memset(r->G0, 0, (size_t)(r->n * r->n) * sizeof *r->G0);
    memset(r->C0, 0, (size_t)(r->n * r->n) * sizeof *r->C0);
    for (size_t i = 0; i < r->families.count; i++)
        if (r->families.families[i].class->stamp)
            r->families.families[i].class->stamp(r->families.families[i].batch, r->G0, r->C0);
}

/* Reads the text (first line is the title).  Look at status; rig_close in any case. */
static inline struct rig rig_open_with(const struct catalogue *catalogue, const char *text)
{
    struct rig r = {.d = kn_diagnostics_new(), .gmin = 1e-12, .source_scale = 1.0};
    r.status = circuit_read_text(catalogue, "test.cir", text, strlen(text), r.d, &r.c);
    if (r.status == KN_OK)
        r.status = device_families_create(r.c, r.d, &r.families);
    if (r.status == KN_OK)
        r.status = (r.setup = device_setup_new(r.c)) ? KN_OK : KN_ERROR_MEMORY;
    if (r.status == KN_OK)
        r.status = device_families_connect(&r.families, r.setup, r.d);
    if (r.status != KN_OK)
        return r;
    r.n = (int)r.setup->unknown_count;
    if (!rig_allocate(&r) || !rig_fix(&r))
        r.status = KN_ERROR_MEMORY;
    else
        rig_stamp(&r);
    return r;
}

static inline struct rig rig_open(const char *text)
{
    return rig_open_with(&device_catalogue, text);
}

static inline void rig_close(struct rig *r)
{
    double *arrays[] = {r->x, r->dxdt, r->f, r->q, r->dfdt, r->dqdt, r->G, r->C, r->G0, r->C0};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    device_setup_free(r->setup);
    device_families_destroy(&r->families);
    circuit_free(r->c);
    kn_diagnostics_free(r->d);
}

/* A rig that must open; prints what went wrong otherwise. */
static inline struct rig rig_need(const char *text)
{
    struct rig r = rig_open(text);
    for (size_t i = 0; r.status != KN_OK && i < kn_diagnostics_count(r.d); i++)
        kn_diagnostic_write(kn_diagnostics_get(r.d, i), stderr, false);
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    return r;
}

/* The first diagnostic with this code, or NULL. */
static inline const struct kn_diagnostic *rig_said(const struct rig *r, const char *code)
{
    for (size_t i = 0; i < kn_diagnostics_count(r->d); i++)
        if (strcmp(kn_diagnostics_get(r->d, i)->code, code) == 0)
            return kn_diagnostics_get(r->d, i);
    return NULL;
}

/* Number of the unknown called "v(a)" or "i(v1)"; 0 (ground) if there is none, which fails the test. */
static inline int rig_unknown(const struct rig *r, const char *name)
{
    for (int i = 1; i < r->n; i++)
        if (strcmp(r->setup->unknowns[i].name, name) == 0)
            return i;
    fprintf(stderr, "\nno unknown %s\n", name);
    CU_FAIL("unknown not found");
    return 0;
}

static inline double rig_entry(const struct rig *r, const double *matrix, const char *row, const char *column)
{
    return matrix[rig_unknown(r, row) * r->n + rig_unknown(r, column)];
}

static inline void rig_set(struct rig *r, const char *name, double value)
{
    r->x[rig_unknown(r, name)] = value;
}

static inline void rig_add_constant_part(struct rig *r, const double *x)
{
    for (int i = 1; i < r->n; i++)
        for (int j = 1; j < r->n; j++) {
            r->f[i] += r->G0[i * r->n + j] * x[j];
            r->q[i] += r->C0[i * r->n + j] * x[j];
        }
}

/* Everything at (time, x): f, q, G, C, dfdt, dqdt. x[0] must be 0. */
static inline void rig_evaluate(struct rig *r, double time, const double *x)
{
    const size_t n = (size_t)r->n;
    double *vectors[] = {r->f, r->q, r->dfdt, r->dqdt};
    for (size_t i = 0; i < 4; i++)
        memset(vectors[i], 0, n * sizeof(double));
    memcpy(r->G, r->G0, n * n * sizeof(double));
    memcpy(r->C, r->C0, n * n * sizeof(double));
    rig_add_constant_part(r, x);
    bool limited = false;
    const struct device_point at = {.when = instant_at(time),
                                    .x = x,
                                    .what = EVALUATE_ALL | EVALUATE_T,
                                    .gmin = r->gmin,
                                    .near = DEVICE_NEAR,
                                    .source_scale = r->source_scale,
                                    .x_reference = x,
                                    .limited = &limited};
    const struct device_stamp out = {r->f, r->q, r->G, r->C, r->dfdt, r->dqdt};
    for (size_t i = 0; i < r->families.count; i++) {
        const struct device_family *family = &r->families.families[i];
        const struct device_class *class = family->class;
        if (class->force)
            class->force(family->batch, instant_at(time), r->source_scale, r->f);
        if (class->force_rate)
            class->force_rate(family->batch, instant_at(time), r->source_scale, r->dfdt);
        if (class->eval && (!class->nonlinear || class->nonlinear(family->batch)))
            class->eval(family->batch, &at, &out);
    }
    r->f[0] = r->q[0] = r->dfdt[0] = r->dqdt[0] = 0.0;
}

/* Terminal current of an element at x, dxdt. */
static inline double rig_current(struct rig *r, const char *element, int terminal, double time)
{
    const int e = circuit_find_element(r->c, element);
    CU_ASSERT_FATAL(e >= 0);
    const struct device_family *family = &r->families.families[r->families.family_of[e]];
    const struct device_probe at = {.when = instant_at(time), .x = r->x, .dxdt = r->dxdt, .gmin = r->gmin};
    return family->class->current(family->batch, r->families.index_of[e], terminal, &at);
}

static inline double rig_next_breakpoint(struct rig *r, double time)
{
    double next = INFINITY;
    for (size_t i = 0; i < r->families.count; i++)
        if (r->families.families[i].class->next_breakpoint)
            next = fmin(next, r->families.families[i].class->next_breakpoint(r->families.families[i].batch, time));
    return next;
}

/* All branches; branch_list_free afterwards. */
static inline struct branch_list rig_branches(const struct rig *r)
{
    struct branch_list list = {0};
    for (size_t i = 0; i < r->families.count; i++)
        if (r->families.families[i].class->branches)
            CU_ASSERT_TRUE(batch_branches(r->families.families[i].class, r->families.families[i].batch, &list));
    return list;
}

/* All ic= values; initial_list_free afterwards. */
static inline struct initial_list rig_initial(const struct rig *r)
{
    struct initial_list list = {0};
    for (size_t i = 0; i < r->families.count; i++)
        CU_ASSERT_TRUE(batch_initial(r->families.families[i].class, r->families.families[i].batch, &list));
    return list;
}

/* ---- derivatives against differences ---- */

/* A value in [low, high] from a 64-bit linear congruential generator (Knuth, MMIX). */
static inline double rig_random(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}

/* Central difference quotients with steps h, h/2, h/4, extrapolated twice (Richardson): error O(h^6). */
static inline double rig_richardson(double d1, double d2, double d4)
{
    const double first = (4.0 * d2 - d1) / 3.0, second = (4.0 * d4 - d2) / 3.0;
    return (16.0 * second - first) / 15.0;
}

/* Column j (0: time) of df/dx_j and dq/dx_j by differences with step h; gets [n] values each. */
static inline void rig_differences(struct rig *r, double time, int j, double h, double *df, double *dq)
{
    const int n = r->n;
    double *levels = calloc((size_t)(6 * n), sizeof *levels);
    double *x = calloc((size_t)n, sizeof *x);
    if (!levels || !x)
        abort();
    for (int level = 0; level < 3; level++) {
        const double step = h / (1 << level);
        for (int side = -1; side <= 1; side += 2) {
            memcpy(x, r->x, (size_t)n * sizeof *x);
            x[j] += j ? side * step : 0.0;
            rig_evaluate(r, time + (j ? 0.0 : side * step), x);
            for (int i = 0; i < n; i++) {
                levels[level * n + i] += side * r->f[i] / (2.0 * step);
                levels[(3 + level) * n + i] += side * r->q[i] / (2.0 * step);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        df[i] = rig_richardson(levels[i], levels[n + i], levels[2 * n + i]);
        dq[i] = rig_richardson(levels[3 * n + i], levels[4 * n + i], levels[5 * n + i]);
    }
    free(levels);
    free(x);
}

/* Worst of |exact - difference| / tolerance over the rows of one column; the tolerance is `relative` of the derivative
 * (and a thousandth of that of the largest in its row) plus what round-off in f divided by h explains. */
static inline double rig_worst_in_column(const struct rig *r, const double *exact, int stride, const double *difference,
                                         const double *value, const double *row_largest, double relative, double h)
{
    double worst = 0.0;
    for (int i = 1; i < r->n; i++) {
        const double tolerance =
            relative * (fabs(exact[i * stride]) + 1e-3 * row_largest[i]) + 64.0 * 2.2e-16 * value[i] / h + 1e-300;
        const double error = fabs(exact[i * stride] - difference[i]) / tolerance;
        worst = error > worst || isnan(error) ? (isnan(error) ? INFINITY : error) : worst;
    }
    return worst;
}

/* Size of the terms summed up in each row of f or q at x, for the round-off they leave. */
static inline void rig_row_sizes(const struct rig *r, const double *matrix, const double *value, const double *x,
                                 double *size, double *largest)
{
    for (int i = 0; i < r->n; i++) {
        size[i] = fabs(value[i]);
        largest[i] = 0.0;
        for (int j = 0; j < r->n; j++) {
            size[i] += fabs(matrix[i * r->n + j] * x[j]);
            largest[i] = fmax(largest[i], fabs(matrix[i * r->n + j]));
        }
    }
}

/* Largest ratio of error to tolerance (1 is the limit) between G, C, dfdt, dqdt and differences at (time, r->x).  h:
 * step in the unknowns; time_step: step in time, 0 to leave time out. */
static inline double rig_derivative_error(struct rig *r, double time, double h, double time_step, double relative)
{
    const int n = r->n;
    const size_t size = (size_t)n;
    double *work = calloc(6 * size + 2 * size * size + 2 * size, sizeof *work);
    if (!work)
        abort();
    double *df = work, *dq = df + n, *f_size = dq + n, *q_size = f_size + n, *G_row = q_size + n, *C_row = G_row + n;
    double *G = C_row + n, *C = G + n * n, *dfdt = C + n * n, *dqdt = dfdt + n;
    rig_evaluate(r, time, r->x);
    memcpy(G, r->G, size * size * sizeof *G);
    memcpy(C, r->C, size * size * sizeof *C);
    memcpy(dfdt, r->dfdt, size * sizeof *dfdt);
    memcpy(dqdt, r->dqdt, size * sizeof *dqdt);
    rig_row_sizes(r, G, r->f, r->x, f_size, G_row);
    rig_row_sizes(r, C, r->q, r->x, q_size, C_row);
    double worst = 0.0;
    for (int j = time_step > 0.0 ? 0 : 1; j < n; j++) {
        const double step = j ? h : time_step;
        rig_differences(r, time, j, step, df, dq);
        worst = fmax(worst, rig_worst_in_column(r, j ? G + j : dfdt, j ? n : 1, df, f_size, G_row, relative, step));
        worst = fmax(worst, rig_worst_in_column(r, j ? C + j : dqdt, j ? n : 1, dq, q_size, C_row, relative, step));
    }
    free(work);
    return worst;
}

/* Fills x with random values in [low, high]. */
static inline void rig_random_point(struct rig *r, uint64_t *seed, double low, double high)
{
    for (int i = 1; i < r->n; i++)
        r->x[i] = rig_random(seed, low, high);
}

#endif
