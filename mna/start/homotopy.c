/* homotopy.c - see homotopy.h. */
#include "mna/start/homotopy.h"

#include <math.h>
#include <string.h>

enum kn_status homotopy_init(struct homotopy *h, struct arena *memory, struct augmented *a, struct newton *newton,
                             double time, int max_iterations, const double *start)
{
    *h = (struct homotopy){.augmented = a,
                           .newton = newton,
                           .time = time,
                           .max_iterations = max_iterations,
                           .start = start,
                           .reached_shunt = INFINITY,
                           .reached_source = -1};
    if (!arena_vectors(memory, (size_t)a->dae.n, (double **const[]){&h->trial, &h->work, &h->weights, NULL}))
        return KN_ERROR_MEMORY;
    homotopy_weigh(h);
    return KN_OK;
}

void homotopy_weigh(struct homotopy *h)
{
    augmented_weigh(h->augmented, h->newton->options.relative, h->weights);
}

static size_t bytes(const struct homotopy *h)
{
    return (size_t)h->augmented->dae.n * sizeof(double);
}

/* The equations with the helpers as they stand; the factors of another deformation are of no use. */
static enum newton_outcome solve_with(struct homotopy *h, double alpha, const double *b, int max_iterations, double *x)
{
    const bool begins = memcmp(x, h->start, bytes(h)) == 0;
    const struct newton_problem problem = {
        .t = h->time, .alpha = alpha, .b = b, .weights = h->weights, .reference = begins ? h->reference : NULL};
    h->newton->options.max_iterations = max_iterations;
    newton_invalidate(h->newton);
    return newton_solve(h->newton, &problem, x);
}

static enum newton_outcome solve(struct homotopy *h, int max_iterations, double *x)
{
    if (h->b)
        return solve_with(h, h->alpha, h->b, max_iterations, x);
    memset(h->work, 0, bytes(h));
    return solve_with(h, h->alpha, h->work, max_iterations, x);
}

enum newton_outcome homotopy_newton(struct homotopy *h, double *x)
{
    return solve(h, h->max_iterations, x);
}

/* ---- gmin and source stepping: a path over s in [0, 1] ---- */

/* Strides are doubled after success and divided after failure, as in any continuation (Allgower and Georg, Numerical
 * Continuation Methods, 1990, section 6.1); the first is a decade of gmin. */
static const double FIRST_STRIDE = 1.0 / 16, LONGEST_STRIDE = 0.25, SHORTEST_STRIDE = 1e-5;
/* A stride that took at most this many iterations is doubled. */
enum { EASY_ITERATIONS = 8 };

struct path {
    void (*deform)(struct homotopy *h, double s); /* s = 1: the circuit itself */
    void (*reached)(struct homotopy *h, double s);
};

static enum newton_outcome follow(struct homotopy *h, const struct path *path, double *x)
{
    const int few = h->max_iterations / 2 + 10;
    double s = 0, stride = FIRST_STRIDE;
    memcpy(x, h->start, bytes(h));
    path->deform(h, 0);
    enum newton_outcome outcome = solve(h, h->max_iterations, x);
    if (outcome == NEWTON_CONVERGED)
        path->reached(h, 0);
    while (outcome == NEWTON_CONVERGED && s < 1) {
        const double next = s + stride < 1 - SHORTEST_STRIDE ? s + stride : 1;
        memcpy(h->trial, x, bytes(h));
        path->deform(h, next);
        const enum newton_outcome step = solve(h, next < 1 ? few : h->max_iterations, h->trial);
        if (step == NEWTON_CONVERGED) {
            memcpy(x, h->trial, bytes(h));
            path->reached(h, s = next);
            mna_advanced(h->augmented->mna, s);
            stride = fmin(LONGEST_STRIDE, h->newton->last_iterations <= EASY_ITERATIONS ? 2 * stride : stride);
        } else if (step == NEWTON_FAILED || (stride /= 4) < SHORTEST_STRIDE) {
            outcome = step;
        }
    }
    path->deform(h, 1);
    return outcome;
}

/* From 1 S over 16 decades, evenly in the logarithm, then to nothing. */
static double shunt_at(double s)
{
    return s < 1 ? pow(10, -16 * s) : 0;
}

static void deform_shunt(struct homotopy *h, double s)
{
    h->augmented->shunt = shunt_at(s);
}

static void reached_shunt(struct homotopy *h, double s)
{
    h->reached_shunt = shunt_at(s);
}

static void deform_junctions(struct homotopy *h, double s)
{
    mna_set_junction_gmin(h->augmented->mna, shunt_at(s));
}

static void reached_junctions(struct homotopy *h, double s)
{
    h->reached_shunt = fmin(h->reached_shunt, shunt_at(s));
}

enum newton_outcome homotopy_gmin(struct homotopy *h, double *x)
{
    static const struct path shunts = {deform_shunt, reached_shunt};
    static const struct path junctions = {deform_junctions, reached_junctions};
    const enum newton_outcome outcome = follow(h, &shunts, x);
    if (outcome == NEWTON_CONVERGED || outcome == NEWTON_FAILED || h->augmented->inner->linear)
        return outcome;
    return follow(h, &junctions, x);
}

static void deform_sources(struct homotopy *h, double s)
{
    mna_set_source_scale(h->augmented->mna, s);
    h->augmented->imposed_scale = s;
}

static void reached_sources(struct homotopy *h, double s)
{
    h->reached_source = s;
}

enum newton_outcome homotopy_source(struct homotopy *h, double *x)
{
    static const struct path path = {deform_sources, reached_sources};
    return follow(h, &path, x);
}

/* ---- pseudo-transient ---- */

/* F, one after the other.  Small ones leave a circuit with charges of its own the dynamics for which it was made, in
 * which amplifiers are stable; large ones slow circuits down whose own charges make them oscillate. */
static const double NODE_CAPACITANCES[] = {1e-12, 1e-9};
enum { NODE_CAPACITANCE_COUNT = sizeof NODE_CAPACITANCES / sizeof NODE_CAPACITANCES[0] };
/* s: from START_STEP to what is as far above a second as that is below it. */
#define LONGEST_STEP (1 / START_STEP)
/* The plain equations are tried from here on, at every so many steps. */
static const double SETTLING_STEP = 1e-7;
enum { TRIAL_INTERVAL = 4, MOST_STEPS = 2000, STEP_ITERATIONS = 30 };

/* A step of implicit Euler with all charges of the circuit and the node capacitances: work := -q(x)/step. */
static enum newton_outcome step_freely(struct homotopy *h, double capacitance, double step, const double *x)
{
    struct dae_values out = {.q = h->work};
    const struct dae *dae = &h->augmented->dae;
    h->augmented->node_capacitance = capacitance;
    if (dae->eval(dae->problem, h->time, x, DAE_Q, &out) != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < dae->n; i++)
        h->work[i] /= -step;
    return solve_with(h, 1 / step, h->work, STEP_ITERATIONS, h->trial);
}

/* One with the capacitances of nodes and inductances of laws only, where the circuit's own charges are held by alpha and b:
 * alpha times a smaller capacitance is the same current. */
static enum newton_outcome step_with_charges_given(struct homotopy *h, double capacitance, double step, const double *x)
{
    struct augmented *a = h->augmented;
    a->node_capacitance = capacitance / (h->alpha * step);
    a->law_inductance = h->inductance / (h->alpha * step);
    for (int i = 0; i < a->dae.n; i++) {
        const bool node = mna_unknown(a->mna, i)->kind == UNKNOWN_VOLTAGE;
        h->work[i] = h->b[i] - (node ? capacitance / step * x[i] : 0);
    }
    size_t count;
    const struct dae_law *laws = mna_laws(a->mna, &count);
    for (size_t k = 0; k < count; k++)
        h->work[laws[k].equation] += h->inductance / step * x[laws[k].equation];
    return solve_with(h, h->alpha, h->work, STEP_ITERATIONS, h->trial);
}

/* The equations without helpers, from the point reached. */
static enum newton_outcome try_plain(struct homotopy *h, const double *x)
{
    h->augmented->node_capacitance = h->augmented->law_inductance = 0;
    memcpy(h->trial, x, bytes(h));
    return homotopy_newton(h, h->trial);
}

static enum newton_outcome take_step(struct homotopy *h, double capacitance, double step, const double *x)
{
    memcpy(h->trial, x, bytes(h));
    return h->b ? step_with_charges_given(h, capacitance, step, x) : step_freely(h, capacitance, step, x);
}

static enum newton_outcome settle(struct homotopy *h, double capacitance, double *x)
{
    const double slow = capacitance / NODE_CAPACITANCES[0];
    const int even = h->growth > 0 ? (int)(DAE_GROWN_AFTER / DAE_GROWING_STEP) : 0;
    double step = h->growth > 0 ? DAE_GROWING_STEP * slow / h->growth : START_STEP;
    for (int count = 1; count <= MOST_STEPS && step >= START_SHORTEST; count++) {
        const enum newton_outcome outcome = take_step(h, capacitance, step, x);
        if (outcome == NEWTON_FAILED)
            return outcome;
        if (outcome != NEWTON_CONVERGED) {
            step /= 8;
            continue;
        }
        memcpy(x, h->trial, bytes(h));
        h->reached_step = fmax(h->reached_step, step);
        mna_advanced(h->augmented->mna, fmax(0, log(step / START_STEP) / log(LONGEST_STEP / START_STEP)));
        if (step >= SETTLING_STEP && count % TRIAL_INTERVAL == 0 && try_plain(h, x) == NEWTON_CONVERGED) {
            memcpy(x, h->trial, bytes(h));
            return NEWTON_CONVERGED;
        }
        if (h->newton->last_iterations <= EASY_ITERATIONS && count > even)
            step = fmin(LONGEST_STEP, 2 * step);
    }
    return NEWTON_SLOW;
}

enum newton_outcome homotopy_pseudo_transient(struct homotopy *h, double *x)
{
    enum newton_outcome outcome = NEWTON_SLOW;
    for (int i = 0; i < NODE_CAPACITANCE_COUNT && outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED; i++) {
        memcpy(x, h->start, bytes(h));
        outcome = settle(h, NODE_CAPACITANCES[i], x);
    }
    h->augmented->node_capacitance = h->augmented->law_inductance = 0;
    return outcome;
}
