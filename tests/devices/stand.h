/* stand.h - one semiconductor on a test stand: a circuit of one element whose every node is an unknown of its own,
 * dense matrices, and the checks that hold for every device: derivatives, KCL, shift invariance, limiting.
 */
#ifndef TESTS_DEVICES_STAND_H
#define TESTS_DEVICES_STAND_H

#include "claims.h"
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/setup.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STAND_LIMIT 16 /* unknowns, ground included */

/* name=value; the list ends with a NULL name. */
struct stand_setting {
    const char *name;
    double value;
};

struct stand {
    const struct device_class *class;
    struct setting model_settings[64], element_settings[16];
    struct model model;
    struct element element;
    const struct element *elements[1];
    struct node nodes[STAND_LIMIT];
    size_t terminals;
    int node_numbers[5];
    struct circuit circuit;
    struct kn_diagnostics *diagnostics;
    struct device_setup *setup;
    void *batch;
    size_t n; /* unknowns, ground included */
    double f[STAND_LIMIT], q[STAND_LIMIT];
    double G[STAND_LIMIT * STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT]; /* row-major, n wide */
    double gmin;
};

static inline size_t stand_settings(const struct stand_setting *from, struct setting *to)
{
    size_t count = 0;
    for (; from && from[count].name; count++)
        to[count] = (struct setting){.name = from[count].name, .has_value = true, .value = from[count].value};
    return count;
}

static inline void stand_free(struct stand *r)
{
    batch_free(r->class, r->batch);
    device_setup_free(r->setup);
    kn_diagnostics_free(r->diagnostics);
    free(r);
}

static inline void stand_connect(struct stand *r)
{
    r->setup = device_setup_new(&r->circuit);
    batch_prepare(r->class, r->batch, r->circuit.temperature);
    CU_ASSERT(batch_pass(r->class->number, r->batch, r->setup) && batch_pass(r->class->connect, r->batch, r->setup));
    r->n = r->setup->unknown_count;
    int *slots = calloc(r->setup->request_count + 1, sizeof *slots);
    for (size_t i = 0; i < r->setup->request_count; i++)
        slots[i] = r->setup->requests[i].row * (int)r->n + r->setup->requests[i].column;
    device_setup_fix(r->setup, slots);
    free(slots);
}

/* The batch is NULL (and the diagnostics tell why) when the device refuses its parameters. */
static inline struct stand *stand_new(const struct device_class *class, const char *type, size_t node_count,
                                      const struct stand_setting *model, const struct stand_setting *element,
                                      double temperature)
{
    static const char *const names[] = {"0", "n1", "n2", "n3", "n4", "n5"};
    struct stand *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->class = class;
    r->terminals = node_count;
    r->gmin = 1e-12;
    r->model = (struct model){.name = "test", .type = type, .settings = r->model_settings};
    r->model.setting_count = stand_settings(model, r->model_settings);
    for (size_t i = 0; i <= node_count; i++)
        r->nodes[i].name = names[i];
    for (size_t i = 0; i < node_count; i++)
        r->node_numbers[i] = (int)i + 1;
    r->element = (struct element){.kind = &class->kind,
                                  .name = "x1",
                                  .nodes = r->node_numbers,
                                  .node_count = node_count,
                                  .settings = r->element_settings,
                                  .model = &r->model};
    r->element.setting_count = stand_settings(element, r->element_settings);
    r->elements[0] = &r->element;
    r->circuit = (struct circuit){.nodes = r->nodes,
                                  .node_count = node_count + 1,
                                  .elements = &r->element,
                                  .element_count = 1,
                                  .models = &r->model,
                                  .model_count = 1,
                                  .temperature = temperature,
                                  .nominal_temperature = 27};
    r->diagnostics = kn_diagnostics_new();
    const struct device_input in = {r->elements, 1, &r->circuit, r->diagnostics};
    if (batch_new(class, &in, &r->batch) == KN_OK)
        stand_connect(r);
    return r;
}

/* Evaluates f, q, G, C at x, constant parts included; limit may be NULL. */
static inline void stand_evaluate_again(struct stand *r, const double *x, const struct device_point *limit)
{
    memset(r->f, 0, sizeof r->f);
    memset(r->q, 0, sizeof r->q);
    memset(r->G, 0, sizeof r->G);
    memset(r->C, 0, sizeof r->C);
    if (r->class->stamp)
        r->class->stamp(r->batch, r->G, r->C);
    for (size_t i = 0; i < r->n; i++) {
        for (size_t j = 0; j < r->n; j++) {
            r->f[i] += r->G[i * r->n + j] * x[j];
            r->q[i] += r->C[i * r->n + j] * x[j];
        }
    }
    struct device_point at = limit ? *limit : (struct device_point){0};
    at.x = x;
    at.what = EVALUATE_F | EVALUATE_Q | EVALUATE_G | EVALUATE_C;
    at.gmin = r->gmin;
    at.near = DEVICE_NEAR;
    at.source_scale = 1;
    const struct device_stamp out = {.f = r->f, .q = r->q, .G = r->G, .C = r->C};
    r->class->eval(r->batch, &at, &out);
}

/* The same by a device that remembers no tangent of an earlier evaluation. */
static inline void stand_evaluate(struct stand *r, const double *x, const struct device_point *limit)
{
    batch_prepare(r->class, r->batch, r->circuit.temperature);
    stand_evaluate_again(r, x, limit);
}

/* ---- random numbers, the same on every machine (xorshift64*) ---- */

static inline double stand_uniform(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * (double)((*state * 2685821657736338717u) >> 11) * 0x1p-53;
}

/* ---- checks ---- */

/* Central differences with Richardson extrapolation of f (or q) for column j: [n]. */
static inline void stand_difference(struct stand *r, const double *x, size_t j, double h, double *df, double *dq)
{
    static const double steps[4] = {1, -1, 0.5, -0.5};
    double f[4][STAND_LIMIT], q[4][STAND_LIMIT], moved[STAND_LIMIT], step[4];
    for (int s = 0; s < 4; s++) {
        memcpy(moved, x, r->n * sizeof *x);
        volatile double place = x[j] + steps[s] * h;
        moved[j] = place;
        step[s] = moved[j] - x[j];
        stand_evaluate(r, moved, NULL);
        memcpy(f[s], r->f, sizeof r->f);
        memcpy(q[s], r->q, sizeof r->q);
    }
    for (size_t i = 0; i < r->n; i++) {
        const double wide_f = (f[0][i] - f[1][i]) / (step[0] - step[1]);
        const double near_f = (f[2][i] - f[3][i]) / (step[2] - step[3]);
        const double wide_q = (q[0][i] - q[1][i]) / (step[0] - step[1]);
        const double near_q = (q[2][i] - q[3][i]) / (step[2] - step[3]);
        df[i] = (4 * near_f - wide_f) / 3;
        dq[i] = (4 * near_q - wide_q) / 3;
    }
}

static inline double stand_largest(const double *v, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    return largest;
}

/* True when a difference quotient of some step agrees with the derivative to 1e-6, apart from the round-off of
 * subtracting numbers as large as `size`.  Small steps keep the quotient on one side of the kinks of second
 * derivatives; large ones keep round-off small. */
static inline bool stand_agrees(double derivative, double difference, double size, double h)
{
    return fabs(derivative - difference) <= 1e-6 * fabs(derivative) + 40 * DBL_EPSILON * size / h;
}

/* Number of entries of G and C that are not the derivatives of f and q at x. */
static inline int stand_wrong_derivatives(struct stand *r, const double *x)
{
    static const double steps[] = {1e-2, 2e-3, 2e-4, 2e-5};
    double G[STAND_LIMIT * STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT], df[4][STAND_LIMIT], dq[4][STAND_LIMIT];
    stand_evaluate(r, x, NULL);
    memcpy(G, r->G, sizeof G);
    memcpy(C, r->C, sizeof C);
    const double f_size = stand_largest(r->f, r->n), q_size = stand_largest(r->q, r->n);
    int wrong = 0;
    for (size_t j = 1; j < r->n; j++) {
        for (int s = 0; s < 4; s++)
            stand_difference(r, x, j, steps[s], df[s], dq[s]);
        for (size_t i = 1; i < r->n; i++) {
            bool g_good = false, c_good = false;
            for (int s = 0; s < 4; s++) {
                g_good = g_good || stand_agrees(G[i * r->n + j], df[s][i], f_size, steps[s]);
                c_good = c_good || stand_agrees(C[i * r->n + j], dq[s][i], q_size, steps[s]);
            }
            if (!g_good)
                fprintf(stderr, "\nG(%zu,%zu) = %.12g, differences give %.12g %.12g %.12g %.12g", i, j, G[i * r->n + j],
                        df[0][i], df[1][i], df[2][i], df[3][i]);
            if (!c_good)
                fprintf(stderr, "\nC(%zu,%zu) = %.12g, differences give %.12g %.12g %.12g %.12g", i, j, C[i * r->n + j],
                        dq[0][i], dq[1][i], dq[2][i], dq[3][i]);
            wrong += !g_good + !c_good;
        }
    }
    return wrong;
}

/* Currents and charges add to zero over all nodes (ground's bin included), and so do the columns of the matrices; a
 * common shift of all node voltages changes nothing, so rows add to zero too.  "Zero" is the round-off of the sums. */
static inline bool stand_conserves(struct stand *r, const double *x)
{
    stand_evaluate(r, x, NULL);
    const double *vectors[2] = {r->f, r->q}, *matrices[2] = {r->G, r->C};
    bool good = true;
    for (int part = 0; part < 2; part++) {
        double sum = 0, size = 0;
        const double largest = stand_largest(matrices[part], r->n * r->n);
        for (size_t i = 0; i < r->n; i++) {
            sum += vectors[part][i];
            size += fabs(vectors[part][i]);
            double row = 0, column = 0, row_size = 0;
            for (size_t j = 0; j < r->n; j++) {
                row += matrices[part][i * r->n + j];
                row_size += fabs(matrices[part][i * r->n + j]);
                column += matrices[part][j * r->n + i];
            }
            good = good && fabs(row) <= 32 * DBL_EPSILON * row_size && fabs(column) <= 32 * DBL_EPSILON * largest;
        }
        /* the constant resistances and capacitances contribute through voltages, not through differences */
        const double through_voltages = largest * stand_largest(x, r->n);
        good = good && fabs(sum) <= 32 * DBL_EPSILON * (size + through_voltages);
    }
    return good;
}

/* f, q, G, C are finite at voltages up to a thousand volts of either sign, whatever the junctions make of them. */
static inline bool stand_is_finite_everywhere(struct stand *r, uint64_t *seed)
{
    for (int bias = 0; bias < 50; bias++) {
        double x[STAND_LIMIT] = {0}, sum = 0;
        for (size_t i = 1; i < r->n; i++)
            x[i] = stand_uniform(seed, -1000, 1000);
        stand_evaluate(r, x, NULL);
        for (size_t i = 0; i < r->n * r->n; i++)
            sum += fabs(r->G[i]) + fabs(r->C[i]);
        for (size_t i = 0; i < r->n; i++)
            sum += fabs(r->f[i]) + fabs(r->q[i]);
        if (!isfinite(sum))
            return false;
    }
    return true;
}

/* True when the device, evaluated at x, is at rest at a point as near to it as DEVICE_NEAR says: answered from the
 * tangent, so that C is that at x to the last bit, and f and q are those of the point within rounding (that of the
 * law of depletion charges is a thousand units far from zero bias). */
static inline bool stand_rests(struct stand *r, const double *x, uint64_t *seed)
{
    double y[STAND_LIMIT] = {0}, f[STAND_LIMIT], q[STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT];
    for (size_t i = 1; i < r->n; i++)
        y[i] = x[i] + stand_uniform(seed, -0.49, 0.49) * DEVICE_NEAR;
    stand_evaluate(r, y, NULL);
    memcpy(f, r->f, sizeof f);
    memcpy(q, r->q, sizeof q);
    stand_evaluate(r, x, NULL);
    memcpy(C, r->C, sizeof C);
    stand_evaluate_again(r, y, NULL);
    const double volts = 32 * DBL_EPSILON * (1 + stand_largest(x, r->n));
    const double amperes = volts * stand_largest(r->G, r->n * r->n) + 32 * DBL_EPSILON * stand_largest(f, r->n);
    const double coulombs = volts * stand_largest(C, r->n * r->n) + 1024 * DBL_EPSILON * stand_largest(q, r->n);
    bool good = !memcmp(C, r->C, sizeof C);
    for (size_t i = 1; i < r->n; i++)
        good = good && fabs(r->f[i] - f[i]) <= amperes && fabs(r->q[i] - q[i]) <= coulombs;
    return good;
}

/* Evaluating again and again at one point with limiting ends, and then f, q, G, C are exactly those without limiting.
 * Returns the number of evaluations, 0 if it does not end. */
static inline int stand_limiting_ends(struct stand *r, const double *x, const double *reference)
{
    double f[STAND_LIMIT], q[STAND_LIMIT], G[STAND_LIMIT * STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT];
    stand_evaluate(r, x, NULL);
    memcpy(f, r->f, sizeof f);
    memcpy(q, r->q, sizeof q);
    memcpy(G, r->G, sizeof G);
    memcpy(C, r->C, sizeof C);
    for (int count = 1; count <= 200; count++) {
        bool limited = false;
        const struct device_point at = {
            .limit = true, .first = count == 1, .x_reference = reference, .limited = &limited};
        stand_evaluate(r, x, &at);
        if (limited)
            continue;
        const bool same = !memcmp(f, r->f, sizeof f) && !memcmp(q, r->q, sizeof q) && !memcmp(G, r->G, sizeof G) &&
                          !memcmp(C, r->C, sizeof C);
        return same ? count : 0;
    }
    return 0;
}

/* True when the first limited evaluation at x is the tangent at the point `evaluated`: G and C are those there, f and q
 * are those there plus G and C times the distance. */
static inline bool stand_is_tangent(struct stand *r, const double *x, const double *reference, const double *evaluated)
{
    bool limited = false;
    const struct device_point at = {.limit = true, .first = true, .x_reference = reference, .limited = &limited};
    double f[STAND_LIMIT], q[STAND_LIMIT], G[STAND_LIMIT * STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT];
    stand_evaluate(r, evaluated, NULL);
    memcpy(f, r->f, sizeof f);
    memcpy(q, r->q, sizeof q);
    memcpy(G, r->G, sizeof G);
    memcpy(C, r->C, sizeof C);
    stand_evaluate(r, x, &at);
    const double distance = stand_largest(x, r->n);
    const double g_size = stand_largest(G, r->n * r->n), c_size = stand_largest(C, r->n * r->n);
    bool good = limited;
    for (size_t i = 1; i < r->n; i++) {
        for (size_t j = 1; j < r->n; j++) {
            f[i] += G[i * r->n + j] * (x[j] - evaluated[j]);
            q[i] += C[i * r->n + j] * (x[j] - evaluated[j]);
            good = good && fabs(r->G[i * r->n + j] - G[i * r->n + j]) <= 1e-12 * g_size;
            good = good && fabs(r->C[i * r->n + j] - C[i * r->n + j]) <= 1e-12 * c_size;
        }
        good = good && fabs(r->f[i] - f[i]) <= 1e-12 * g_size * distance;
        good = good && fabs(r->q[i] - q[i]) <= 1e-12 * c_size * distance;
    }
    return good;
}

/* Limited f and q are affine as long as the point of evaluation stays where it is: a move of one unknown that leaves G
 * and C bit by bit the same must change f by G dx and q by C dx.  Returns the number of such moves, -1 if one is wrong.
 */
static inline int stand_extrapolates(struct stand *r, const double *x, const double *reference)
{
    bool limited = false;
    const struct device_point at = {.limit = true, .first = true, .x_reference = reference, .limited = &limited};
    double f[STAND_LIMIT], q[STAND_LIMIT], G[STAND_LIMIT * STAND_LIMIT], C[STAND_LIMIT * STAND_LIMIT];
    stand_evaluate(r, x, &at);
    if (!limited)
        return 0;
    memcpy(f, r->f, sizeof f);
    memcpy(q, r->q, sizeof q);
    memcpy(G, r->G, sizeof G);
    memcpy(C, r->C, sizeof C);
    const double g_size = stand_largest(G, r->n * r->n), c_size = stand_largest(C, r->n * r->n);
    int moves = 0;
    for (size_t j = 1; j < r->n; j++) {
        double moved[STAND_LIMIT];
        memcpy(moved, x, r->n * sizeof *x);
        moved[j] += 0.125;
        stand_evaluate(r, moved, &at);
        if (memcmp(G, r->G, sizeof G) || memcmp(C, r->C, sizeof C))
            continue;
        moves++;
        for (size_t i = 1; i < r->n; i++)
            if (fabs(r->f[i] - f[i] - G[i * r->n + j] * 0.125) > 1e-13 * g_size ||
                fabs(r->q[i] - q[i] - C[i * r->n + j] * 0.125) > 1e-13 * c_size)
                return -1;
    }
    return moves;
}

/* Current into a terminal from the class's own probe, and what f and q say: f + C dx/dt at the terminal's node. */
static inline bool stand_probe_agrees(struct stand *r, const double *x, const double *dxdt, size_t terminals)
{
    stand_evaluate(r, x, NULL);
    const struct device_probe at = {.x = x, .dxdt = dxdt, .gmin = r->gmin};
    bool good = true;
    for (size_t t = 0; t < terminals; t++) {
        double expected = r->f[t + 1], size = fabs(r->f[t + 1]) + stand_largest(r->G, r->n * r->n) * 20;
        for (size_t j = 1; j < r->n; j++) {
            expected += r->C[(t + 1) * r->n + j] * dxdt[j];
            size += fabs(r->C[(t + 1) * r->n + j] * dxdt[j]);
        }
        good = good && fabs(r->class->current(r->batch, 0, (int)t, &at) - expected) <= 1e-13 * size;
    }
    return good;
}

/* Newton's method, with the device's own limiting, for the internal nodes, behind the outer ones in
 * number, the outer ones held. */
static inline bool stand_solve_inside(struct stand *r, double *x)
{
    const size_t first = r->terminals + 1, m = r->n - first;
    double reference[STAND_LIMIT];
    memcpy(reference, x, sizeof reference);
    for (int iteration = 0; iteration < 100; iteration++) {
        bool limited = false;
        const struct device_point at = {
            .limit = true, .first = iteration == 0, .x_reference = reference, .limited = &limited};
        stand_evaluate(r, x, &at);
        double a[4][5];
        double size = 0;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < m; j++)
                a[i][j] = r->G[(first + i) * r->n + first + j];
            a[i][m] = -r->f[first + i];
        }
        for (size_t p = 0; p < m; p++)
            for (size_t i = 0; i < m; i++)
                for (size_t j = m + 1; i != p && j-- > p;)
                    a[i][j] -= a[i][p] / a[p][p] * a[p][j];
        for (size_t i = 0; i < m; i++) {
            size = fmax(size, fabs(a[i][m] / a[i][i]));
            x[first + i] += a[i][m] / a[i][i];
        }
        if (size < 1e-13 && !limited)
            return true;
    }
    return false;
}

/* The branches as text, "R1-3 C1-3", kinds and unknown numbers, * for controlled ones. */
static inline void stand_branches(struct stand *r, char *text, size_t size)
{
    struct branch_list list = {0};
    size_t used = 0;
    text[0] = 0;
    CU_ASSERT(batch_branches(r->class, r->batch, &list));
    for (size_t i = 0; i < list.count; i++) {
        const struct branch *b = &list.branches[i];
        used += (size_t)snprintf(text + used, size - used, "%s%c%s%d-%d", i ? " " : "", "RCLVI"[b->kind],
                                 b -> controlled ? "*" : "", b->plus, b->minus);
    }
    branch_list_free(&list);
}

/* The initial voltages as text, "1-2=0.5". */
static inline void stand_initial(struct stand *r, char *text, size_t size)
{
    struct initial_list list = {0};
    size_t used = 0;
    text[0] = 0;
    CU_ASSERT(batch_initial(r->class, r->batch, &list));
    for (size_t i = 0; i < list.count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d-%d=%g", i ? " " : "", list.values[i].plus,
                                 list.values[i].minus, list.values[i].value);
    initial_list_free(&list);
}

#endif
