/* problem.h - small DAEs from the literature behind the same interface as circuits.
 *
 * A problem writes f, q and dense row-major Jacobians; this header wraps it into a struct dae with a full pattern.
 */
#ifndef TESTS_PROBLEMS_PROBLEM_H
#define TESTS_PROBLEMS_PROBLEM_H

#include "integrators/dae.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEM_SIZE = 40 };

struct problem {
    const char *name;
    int n;
    bool linear;
    /* f, q [n]; G, C [n][n] row-major, zeroed before the call; dfdt [n] partial time derivative of f, zeroed. */
    void (*evaluate)(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt);
    void (*exact)(double t, double *x); /* or NULL */
    const enum dae_class *classes;      /* or NULL */
    double (*next_breakpoint)(double t);
};

struct wrapped_problem {
    const struct problem *problem;
    struct dae dae;
    struct sparse_pattern *pattern;
    double absolute[PROBLEM_SIZE], equation_absolute[PROBLEM_SIZE];
};

static enum kn_status wrapped_eval(void *context, double t, const double *x, unsigned what, struct dae_values *out)
{
    const struct wrapped_problem *w = context;
    const int n = w->problem->n;
    double f[PROBLEM_SIZE] = {0}, q[PROBLEM_SIZE] = {0}, dfdt[PROBLEM_SIZE] = {0};
    static _Thread_local double G[PROBLEM_SIZE * PROBLEM_SIZE], C[PROBLEM_SIZE * PROBLEM_SIZE];
    memset(G, 0, sizeof G);
    memset(C, 0, sizeof C);
    w->problem->evaluate(t, x, f, q, G, C, dfdt);
    out->limited = false;
    for (int i = 0; i < n; i++) {
        if (what & DAE_F)
            out->f[i] = f[i];
        if (what & DAE_Q)
            out->q[i] = q[i];
        if (what & DAE_T) {
            out->dfdt[i] = dfdt[i];
            if (out->dqdt)
                out->dqdt[i] = 0;
        }
        for (int j = 0; j < n; j++) {
            const int slot = w->pattern->column_start[j] + i;
            if (what & DAE_G)
                out->G[slot] = G[i * n + j];
            if (what & DAE_C)
                out->C[slot] = C[i * n + j];
        }
    }
    return KN_OK;
}

static double wrapped_breakpoint(void *context, double t)
{
    const struct wrapped_problem *w = context;
    return w->problem->next_breakpoint(t);
}

static bool problem_wrap(const struct problem *p, double absolute, struct wrapped_problem *w)
{
    int rows[PROBLEM_SIZE * PROBLEM_SIZE], columns[PROBLEM_SIZE * PROBLEM_SIZE];
    size_t count = 0;
    memset(w, 0, sizeof *w);
    w->problem = p;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            rows[count] = i;
            columns[count++] = j;
        }
    for (int i = 0; i < p->n; i++)
        w->absolute[i] = w->equation_absolute[i] = absolute;
    if (sparse_pattern_new(p->n, rows, columns, count, NULL, &w->pattern) != KN_OK)
        return false;
    w->dae = (struct dae){.n = p->n,
                          .pattern = w->pattern,
                          .linear = p->linear,
                          .problem = w,
                          .eval = wrapped_eval,
                          .next_breakpoint = p->next_breakpoint ? wrapped_breakpoint : NULL,
                          .largest_step = INFINITY,
                          .absolute = w->absolute,
                          .classes = p->classes,
                          .equation_absolute = w->equation_absolute};
    return true;
}

static void problem_unwrap(struct wrapped_problem *w)
{
    sparse_pattern_free(w->pattern);
    w->pattern = NULL;
}

#endif
