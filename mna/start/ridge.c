/* ridge.c - see impasse.h.
 *
 * With the charges held, G + alpha C, the modes of what has no memory are those of (G + alpha C) v = -lambda P v, P what parasitics
 * are added.  Their product is a determinant over another one whose sign parasitics do not touch.  No alpha changes the
 * number of growing ones by one either, where no mode of the circuit itself grows without oscillation.
 */
#include "mna/index/index.h"
#include "mna/start/augmented.h"
#include "mna/start/impasse.h"
#include "sparse/dense.h"

#include <math.h>
#include <stdlib.h>

/* V: what a relaxation begins with beside the ridge, at no two nodes the same. */
static const double ASIDE = 1e-3, GOLDEN = 0.6180339887498949;

struct ridge {
    struct arena *memory;
    struct augmented augmented;
    double *G, *C, *P; /* [entries] */
    struct eigenvalue *modes;
    struct dense held, parasitics;
};

static enum kn_status ridge_init(struct ridge *s, const struct consistent *c)
{
    const struct dae *dae = mna_dae(c->mna);
    const size_t entries = (size_t)dae->pattern->entries + 1;
    *s = (struct ridge){.memory = arena_new()};
    if (!s->memory || !arena_vectors(s->memory, entries, (double **const[]){&s->G, &s->C, &s->P, NULL}) ||
        !(s->modes = arena_array(s->memory, (size_t)dae->n, sizeof *s->modes)))
        return KN_ERROR_MEMORY;
    return augmented_init(&s->augmented, s->memory, c->mna);
}

/* C with the parasitics, or without: the difference is theirs. */
static enum kn_status evaluate(struct ridge *s, double t, const double *x, double times, double *C)
{
    const struct dae *dae = &s->augmented.dae;
    struct dae_values out = {.G = s->G, .C = C};
    s->augmented.node_capacitance = times * IMPASSE_CAPACITANCE;
    s->augmented.law_inductance = times * IMPASSE_INDUCTANCE;
    return dae->eval(dae->problem, t, x, DAE_G | DAE_C, &out);
}

/* -(G + alpha C), and P. */
static enum kn_status find_matrices(struct ridge *s, double t, const double *x)
{
    const struct sparse_pattern *p = s->augmented.dae.pattern;
    enum kn_status status = evaluate(s, t, x, 1, s->P);
    if (status == KN_OK)
        status = evaluate(s, t, x, 0, s->C);
    for (int k = 0; status == KN_OK && k < p->entries; k++) {
        s->P[k] -= s->C[k];
        s->G[k] = -(s->G[k] + s->C[k] / START_STEP);
    }
    if (status == KN_OK && (!dense_of(s->memory, p, s->G, &s->held) || !dense_of(s->memory, p, s->P, &s->parasitics)))
        return KN_ERROR_MEMORY;
    return status;
}

/* Of the determinant of -(G + alpha C) - lambda P. */
static enum kn_status sign_beyond(struct ridge *s, double lambda, int *sign)
{
    struct dense a;
    if (!dense_of(s->memory, s->augmented.dae.pattern, s->G, &a))
        return KN_ERROR_MEMORY;
    for (int k = 0; k < a.rows * a.columns; k++)
        a.at[k] -= lambda * s->parasitics.at[k];
    return dense_determinant_sign(&a, sign);
}

/* The determinant changes its sign between lambda = 0 and what no mode exceeds as often as there are modes that grow without
 * oscillation.  Much cheaper than these. */
static enum kn_status may_be_odd(struct ridge *s, bool *odd)
{
    const double beyond = 1e6 * dense_largest(&s->held) / IMPASSE_CAPACITANCE;
    int here, there;
    enum kn_status status = sign_beyond(s, 0, &here);
    if (status == KN_OK)
        status = sign_beyond(s, beyond, &there);
    *odd = status == KN_OK && here * there < 0;
    return status;
}

/* 1/s, the fastest of those that surely grow without oscillation where their number is odd and no other one is in doubt; or 0. */
static double odd_growth(const struct eigenvalue *modes, int n)
{
    int growing = 0;
    double fastest = 0;
    for (int i = 0; i < n; i++) {
        const double complex v = modes[i].value;
        if (!isfinite(creal(v)) || cimag(v) != 0)
            continue;
        if (!(modes[i].error < 1))
            return 0;
        growing += creal(v) > 0;
        fastest = fmax(fastest, creal(v));
    }
    return growing % 2 == 1 ? fastest : 0;
}

static enum kn_status find_growth(const struct consistent *c, double t, const double *x, double *growth)
{
    struct ridge s;
    bool odd = false;
    enum kn_status status = ridge_init(&s, c);
    if (status == KN_OK)
        status = find_matrices(&s, t, x);
    if (status == KN_OK)
        status = may_be_odd(&s, &odd);
    if (status == KN_OK && odd)
        status = dense_eigenvalues(s.memory, &s.held, &s.parasitics, s.modes);
    *growth = status == KN_OK && odd ? odd_growth(s.modes, s.augmented.dae.n) : 0;
    arena_free(s.memory);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

enum kn_status impasse_leave_ridge(struct consistent *c, const struct impasse_place *place, struct kn_diagnostics *d, double *x,
                                   bool *left)
{
    const int n = mna_unknown_count(c->mna);
    double growth = 0;
    *left = false;
    enum kn_status status = n > 0 && n <= INDEX_DENSE_BLOCK && !mna_dae(c->mna)->linear ? find_growth(c, place->time, x, &growth) : KN_OK;
    if (status != KN_OK || !(growth > 0))
        return status;
    double *aside = malloc((size_t)n * sizeof *aside);
    if (!aside)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n; i++)
        aside[i] = x[i] + (mna_unknown(c->mna, i)->kind == UNKNOWN_VOLTAGE ? ASIDE * (1 + fmod(GOLDEN * i, 1)) : 0);
    struct impasse_place beside = *place;
    beside.aside = aside;
    beside.growth = growth;
    status = impasse_leave(c, &beside, d, x, left);
    free(aside);
    return status;
}
