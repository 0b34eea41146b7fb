/* model_error.c - see model_error.h. */
#include "mna/quasistatic/model_error.h"

#include <math.h>
#include <string.h>

/* How far, beside its size, e may be from where a straight line would lead it: the formula is then right to 2 % over some
 * periods of an oscillation. */
static const double MOST_BEND = 0.003;
static const double LEAST_CHANGE = 0.25, MOST_CHANGE = 1.5;
enum { FIRST_PARTS = 16 };

/* A jump counts as one from this part of the state on. */
static const double SOME = 1e-6;

struct model_error {
    struct arena *memory;
    struct mna *mna;
    const struct parasitics *parasitics;
    struct sparse_lu *lu;
    int n;
    bool begun;
    double t, last;             /* s: of the last point, length of the last step; 0: none */
    double factored;            /* 1/s: a of the factors; 0: none, or of an equation that changes */
    double wanted;              /* s: length of the next steps; 0: not known yet */
    double *G, *C, *matrix;     /* [entries + 1] */
    double *e, *earlier;        /* [n] at the last point and at the one before it */
    double *Q, *before;         /* [n] Q at the last point and at the one before it */
    double *b, *spent;          /* [n] */
    double *old;                /* [n] x at the last point */
    double *most, *when, *size; /* [n] */
    double *jump;               /* [parasitics] */
    double clear;               /* s: the last layer is over */
    long steps, outside, layers;
};

void model_error_free(struct model_error *s)
{
    if (!s)
        return;
    sparse_lu_free(s->lu);
    arena_free(s->memory);
}

enum kn_status model_error_new(struct mna *reduced, const struct parasitics *p, struct model_error **out)
{
    struct arena *memory;
    struct model_error *s = arena_object(sizeof *s, &memory);
    const struct dae *dae = mna_dae(reduced);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct model_error){.memory = memory, .mna = reduced, .parasitics = p, .n = dae->n};
    const bool good =
        arena_vectors(memory, (size_t)dae->pattern->entries + 1, (double **const[]){&s->G, &s->C, &s->matrix, NULL}) &&
        arena_vectors(memory, (size_t)dae->n + 1,
                      (double **const[]){&s->e, &s->earlier, &s->Q, &s->before, &s->b, &s->spent, &s->old, &s->most,
                                         &s->when, &s->size, NULL}) &&
        arena_vectors(memory, p->count + 1, (double **const[]){&s->jump, NULL});
    const enum kn_status status = good ? sparse_lu_new(dae->pattern, &s->lu) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        *out = s;
    else
        model_error_free(s);
    return status;
}

struct model_error_result model_error_result(const struct model_error *s)
{
    return (struct model_error_result){s->e, s->most, s->when, s->size, s->jump, s->steps, s->outside, s->layers};
}

/* Whether a state of theirs jumps. */
static bool note_jumps(struct model_error *s, const double *from, const double *to)
{
    bool some = false;
    for (size_t i = 0; i < s->parasitics->count; i++) {
        const struct stray *p = &s->parasitics->list[i];
        const double before = stray_state(p, from), after = stray_state(p, to), jump = fabs(after - before);
        const double tolerance = mna_dae(s->mna)->absolute[(p->plus > 0 ? p->plus : p->minus) - 1];
        some = some || jump > tolerance + SOME * fmax(fabs(before), fabs(after));
        s->jump[i] = fmax(s->jump[i], jump);
    }
    return some;
}

enum kn_status model_error_begin(struct model_error *s, struct fast *fast, double t, const double *full,
                                 const double *x)
{
    const size_t bytes = (size_t)s->n * sizeof *x;
    const double *from = s->begun ? s->old : full ? full : x;
    if (!s->begun)
        parasitics_add_charge(s->parasitics, 1, from, s->Q);
    memset(s->b, 0, bytes);
    parasitics_add_charge(s->parasitics, 1, from, s->b);
    parasitics_add_charge(s->parasitics, -1, x, s->b);
    fast_spend(fast, s->b, s->spent);
    memset(s->b, 0, bytes);
    fast_add_currents(fast, s->spent, s->b);
    for (int i = 0; i < s->n; i++)
        s->Q[i] -= s->b[i];
    if (note_jumps(s, from, x)) {
        const struct fast_part *part = fast_result(fast);
        s->clear = t - log(MNA_SPICE.reltol) * part->slowest; /* so much of a layer is left */
        s->layers++;
    }
    memcpy(s->old, x, bytes);
    s->begun = true;
    s->wanted = 0;
    s->t = t;
    s->last = 0;
    return KN_OK;
}

static void note_sizes(struct model_error *s, double t, const double *x)
{
    for (int i = 0; i < s->n; i++) {
        s->size[i] = fmax(s->size[i], fabs(x[i]));
        if (t < s->clear || fabs(s->e[i]) <= s->most[i])
            continue;
        s->most[i] = fabs(s->e[i]);
        s->when[i] = t;
    }
}

/* Whether the factors of a E0 + J are there. */
static enum kn_status factor(struct model_error *s, double t, const double *x, double a)
{
    const struct dae *dae = mna_dae(s->mna);
    struct dae_values values = {.G = s->G, .C = s->C};
    if (dae->linear && s->factored > 0 && fabs(a - s->factored) <= 1e-9 * a)
        return KN_OK;
    enum kn_status status = dae->eval(dae->problem, t, x, DAE_G | DAE_C, &values);
    for (int e = 0; e <= dae->pattern->entries; e++)
        s->matrix[e] = a * s->C[e] + s->G[e];
    if (status == KN_OK)
        status = sparse_lu_factor(s->lu, s->matrix);
    s->factored = status == KN_OK ? a : 0;
    return status;
}

/* next: the new e, after a step of length h, `growth` times as long as the one before. */
static void choose_length(struct model_error *s, const double *next, double h, double growth)
{
    const double *absolute = mna_dae(s->mna)->absolute;
    double bend = 0;
    for (int i = 0; i < s->n; i++) {
        const double straight = s->e[i] + growth * (s->e[i] - s->earlier[i]);
        const double size = fmax(fmax(s->most[i], fabs(next[i])), 1e-3 * absolute[i]);
        bend = fmax(bend, fabs(next[i] - straight) / size);
    }
    const double change = bend > 0 ? sqrt(MOST_BEND / bend) : MOST_CHANGE; /* it goes with the square of h */
    s->wanted = h * fmin(fmax(change, LEAST_CHANGE), MOST_CHANGE);
}

int model_error_parts(const struct model_error *s, double length)
{
    return s->wanted > 0 ? (int)fmin(ceil(length / s->wanted), MODEL_ERROR_MOST_PARTS) : FIRST_PARTS;
}

/* e to s->b: (a E0 + J) e = -(a q1(x) + history), a = first/h. */
static enum kn_status solve(struct model_error *s, double t, const double *x, double h, double growth)
{
    /* else the implicit Euler rule: the formula of order 2 is stable up to here (Grigorieff 1983) */
    const bool second = growth < 1 + M_SQRT2;
    const double first = second ? (1 + 2 * growth) / (1 + growth) : 1;
    const double old = second ? -(1 + growth) : -1, older = second ? growth * growth / (1 + growth) : 0;
    const enum kn_status status = factor(s, t, x, first / h);
    if (status != KN_OK)
        return status;
    for (int i = 0; i < s->n; i++)
        s->b[i] = -(old * s->Q[i] + older * s->before[i]) / h;
    parasitics_add_charge(s->parasitics, -first / h, x, s->b);
    sparse_lu_solve(s->lu, s->b);
    return KN_OK;
}

enum kn_status model_error_step(struct model_error *s, double t, const double *x)
{
    const size_t bytes = (size_t)s->n * sizeof *x;
    const double h = t - s->t, growth = s->last > 0 ? h / s->last : INFINITY;
    if (!(h > 0))
        return KN_OK;
    const enum kn_status status = solve(s, t, x, h, growth);
    if (status != KN_OK)
        /* singular at a fold of solutions, which whoever watches the validity of the model reports */
        return status == KN_ERROR_CIRCUIT ? KN_OK : status;
    if (s->last > 0)
        choose_length(s, s->b, h, growth);
    memcpy(s->earlier, s->e, bytes);
    memcpy(s->e, s->b, bytes);
    memcpy(s->before, s->Q, bytes);
    memset(s->Q, 0, bytes);
    sparse_multiply_add(mna_dae(s->mna)->pattern, s->C, s->e, s->Q);
    parasitics_add_charge(s->parasitics, 1, x, s->Q);
    memcpy(s->old, x, bytes);
    s->t = t;
    s->last = h;
    s->steps++;
    s->outside += t >= s->clear;
    note_sizes(s, t, x);
    return KN_OK;
}
