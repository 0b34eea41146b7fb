/* initial_values_kept.c - see initial_values_kept.h. */
#include "mna/start/initial_values_kept.h"

#include "devices/setup.h"
#include "sparse/dense.h"
#include "sparse/triplets.h"

#include <math.h>
#include <string.h>

/* Responses are scaled to about 1; what is left of those that a source forbids is smaller. */
static const double NO_RESPONSE = 1e-7;

/* Steps of a finite length respond with some 1e-5 everywhere, and that shows in null vectors of length 1; the square
 * roots of capacitances in one loop are not so far apart. */
static const double NO_PART = 1e-3;

/* A given voltage between two unknowns, or a given current; unknowns are counted from 0, and -1 is ground or none. */
struct value {
    int plus, minus;
    bool current;
    double given, size; /* size: square root of the capacitance (inductance) around */
};

struct correction {
    const struct initial_values_kept *k;
    const struct mna *m;
    struct arena *memory;
    struct value *values;
    int count;
    double *C, *sum; /* entries; sum: G + C/h */
    struct sparse_lu *lu;
    double *b;       /* [n] */
    struct dense S;  /* [count x count] scaled responses */
    double *missing; /* [count] scaled */
    bool *over;      /* [count] in a loop or cutset that is given altogether and contradicts itself, or one of one that agrees */
};

/* ---- values ---- */

static bool says_the_same(const struct value *a, const struct value *b)
{
    if (a->current != b->current)
        return false;
    return (a->plus == b->plus && a->minus == b->minus && a->given == b->given) ||
           (!a->current && a->plus == b->minus && a->minus == b->plus && a->given == -b->given);
}

/* Once: capacitors beside each other with the same ic= are no loop whose values contradict each other. */
static void add(struct correction *s, int plus, int minus, bool current, double given)
{
    const struct value v = {plus, minus, current, given, 0};
    for (int k = 0; k < s->count && s->count <= MNA_MOST_DENSE; k++) /* of more nothing is corrected */
        if (says_the_same(&s->values[k], &v))
            return;
    s->values[s->count++] = v;
}

/* Nodes of .ic that no source fixes, then elements. */
static enum kn_status collect(struct correction *s)
{
    struct initial_list list;
    enum kn_status status = mna_initial_values(s->m, &list);
    if (status != KN_OK)
        return status;
    const int n = mna_unknown_count(s->m);
    s->values = arena_array(s->memory, list.count + (size_t)n + 1, sizeof *s->values);
    for (int i = 0; s->values && i < n; i++)
        if (s->k->given->imposed[i])
            add(s, i, -1, false, s->k->given->x[i]);
    for (size_t i = 0; s->values && i < list.count; i++) {
        const struct initial_value *v = &list.values[i];
        if (v->stored && (v->kind == INITIAL_CURRENT || v->plus != v->minus))
            add(s, v->plus - 1, v->kind == INITIAL_CURRENT ? -1 : v->minus - 1, v->kind == INITIAL_CURRENT, v->value);
    }
    initial_list_free(&list);
    return s->values ? KN_OK : KN_ERROR_MEMORY;
}

static double at(const double *x, int unknown)
{
    return unknown >= 0 ? x[unknown] : 0;
}

static double missing_at(const struct value *v, const double *x)
{
    return v->given - at(x, v->plus) + at(x, v->minus);
}

/* In tolerances. */
static double miss_of(const struct correction *s, const struct value *v, const double *x)
{
    const double absolute = mna_dae(s->m)->absolute[v->plus >= 0 ? v->plus : v->minus];
    return fabs(missing_at(v, x)) / (s->k->relative * fabs(v->given) + absolute);
}

static bool has_missed(const struct correction *s, const double *x)
{
    for (int k = 0; k < s->count; k++)
        if (miss_of(s, &s->values[k], x) > FAR_BELOW)
            return true;
    return false;
}

/* ---- responses ---- */

/* Steps are short beside all time constants; but a junction that would have to conduct more than any charge holds in a step has become
 * so steep at x that it looks like a wire, and what is on its other side like charges in a loop.  Conductances count as far as they take
 * MNA_SPICE.reltol of a charge in a step. */
static double share_of_conductances(const struct correction *s, const double *G)
{
    const struct sparse_pattern *p = mna_dae(s->m)->pattern;
    double taken = MNA_SPICE.reltol;
    for (int j = 0; j < p->n; j++) {
        const int e = sparse_pattern_find(p, j, j);
        if (e >= 0 && s->C[e] != 0)
            taken = fmax(taken, fabs(G[e] / s->C[e]) * s->k->h);
    }
    return MNA_SPICE.reltol / taken;
}

/* C at x, and G + C/h factored. */
static enum kn_status factor(struct correction *s, const double *x)
{
    const struct dae *dae = mna_dae(s->m);
    const size_t entries = (size_t)dae->pattern->entries + 1;
    double *G = arena_array(s->memory, entries, sizeof *G);
    s->C = arena_array(s->memory, entries, sizeof *s->C);
    s->sum = arena_array(s->memory, entries, sizeof *s->sum);
    s->b = arena_array(s->memory, (size_t)dae->n + 1, sizeof *s->b);
    if (!G || !s->C || !s->sum || !s->b)
        return KN_ERROR_MEMORY;
    struct dae_values values = {.G = G, .C = s->C};
    enum kn_status status = dae->eval(dae->problem, s->k->time, x, DAE_G | DAE_C, &values);
    const double share = status == KN_OK ? share_of_conductances(s, G) : 1;
    for (int e = 0; e < dae->pattern->entries; e++)
        s->sum[e] = share * G[e] + s->C[e] / s->k->h;
    if (status == KN_OK)
        status = sparse_lu_new(dae->pattern, &s->lu);
    return status == KN_OK ? sparse_lu_factor(s->lu, s->sum) : status;
}

static double diagonal(const struct correction *s, int unknown)
{
    const int place = unknown >= 0 ? sparse_pattern_find(mna_dae(s->m)->pattern, unknown, unknown) : -1;
    return place >= 0 ? fabs(s->C[place]) : 0;
}

static void find_sizes(struct correction *s)
{
    for (int k = 0; k < s->count; k++)
        s->values[k].size = sqrt(fmax(diagonal(s, s->values[k].plus), diagonal(s, s->values[k].minus)));
}

/* A charge put across the element (a flux through it) of 1 in its scale; rows of inductors hold minus their flux. */
static void put(const struct value *v, double amount, double *q)
{
    if (v->plus >= 0)
        q[v->plus] += (v->current ? -amount : amount) * v->size;
    if (v->minus >= 0)
        q[v->minus] -= amount * v->size;
}

static bool find_responses(struct correction *s)
{
    const int n = mna_unknown_count(s->m);
    if (!dense_new(s->memory, s->count, s->count, &s->S))
        return false;
    for (int j = 0; j < s->count; j++) {
        memset(s->b, 0, (size_t)n * sizeof *s->b);
        put(&s->values[j], 1 / s->k->h, s->b);
        sparse_lu_solve(s->lu, s->b);
        for (int i = 0; i < s->count; i++) {
            const struct value *v = &s->values[i];
            const double response = v->size * (at(s->b, v->plus) - at(s->b, v->minus));
            *dense_at(&s->S, i, j) = fabs(response) > NO_RESPONSE ? response : 0;
        }
    }
    return true;
}

/* scaled [count] := what is missing at x. */
static void find_missing(const struct correction *s, const double *x, double *scaled)
{
    for (int k = 0; k < s->count; k++)
        scaled[k] = s->values[k].size * missing_at(&s->values[k], x);
}

static double largest(const double *v, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* Values in null vectors contradict each other or a source where what is missing has a part along these. */
static enum kn_status find_contradictions(struct correction *s, const double *x)
{
    struct kernel kernel;
    double *missing = arena_array(s->memory, (size_t)s->count + 1, sizeof *missing);
    double *part = arena_array(s->memory, (size_t)s->count + 1, sizeof *part);
    if (!missing || !part)
        return KN_ERROR_MEMORY;
    const enum kn_status status = kernel_find(s->memory, &s->S, NO_RESPONSE, &kernel);
    find_missing(s, x, missing);
    for (int j = 0; status == KN_OK && j < kernel.left.columns; j++) {
        double along = 0;
        for (int i = 0; i < s->count; i++)
            along += *dense_at(&kernel.left, i, j) * missing[i];
        for (int i = 0; i < s->count; i++)
            part[i] += along * *dense_at(&kernel.left, i, j);
    }
    const double none = NO_PART * largest(missing, s->count);
    for (int i = 0; status == KN_OK && i < s->count; i++)
        s->over[i] = fabs(part[i]) > none;
    return status;
}

/* Of values around a loop that agree one follows from the others. */
static enum kn_status leave_one_out(struct correction *s)
{
    struct dense S;
    struct kernel kernel;
    int *rest = arena_array(s->memory, (size_t)s->count + 1, sizeof *rest), count = 0;
    for (int k = 0; rest && k < s->count; k++)
        if (!s->over[k])
            rest[count++] = k;
    if (!rest || !dense_select(s->memory, &s->S, rest, count, rest, count, &S))
        return KN_ERROR_MEMORY;
    const enum kn_status status = kernel_find(s->memory, &S, NO_RESPONSE, &kernel);
    for (int j = 0; status == KN_OK && j < kernel.left.columns; j++)
        s->over[rest[kernel.row_pivot[j]]] = true;
    return status;
}

static enum kn_status find_over(struct correction *s, const double *x)
{
    s->over = arena_array(s->memory, (size_t)s->count + 1, sizeof *s->over);
    const enum kn_status status = s->over ? find_contradictions(s, x) : KN_ERROR_MEMORY;
    return status == KN_OK ? leave_one_out(s) : status;
}

/* ---- the correction ---- */

static enum kn_status solve(struct correction *s, const double *x, double *q, double *missed)
{
    int *kept = arena_array(s->memory, (size_t)s->count + 1, sizeof *kept), count = 0;
    struct dense S, right, amounts;
    if (!kept)
        return KN_ERROR_MEMORY;
    for (int k = 0; k < s->count; k++) {
        if (s->over[k])
            continue;
        *missed = fmax(*missed, miss_of(s, &s->values[k], x));
        kept[count++] = k;
    }
    if (*missed <= FAR_BELOW)
        return KN_OK;
    if (!dense_select(s->memory, &s->S, kept, count, kept, count, &S) || !dense_new(s->memory, count, 1, &right))
        return KN_ERROR_MEMORY;
    for (int k = 0; k < count; k++)
        *dense_at(&right, k, 0) = s->values[kept[k]].size * missing_at(&s->values[kept[k]], x);
    const enum kn_status status = dense_solve(s->memory, &S, &right, &amounts);
    for (int k = 0; status == KN_OK && k < count; k++)
        put(&s->values[kept[k]], *dense_at(&amounts, k, 0), q);
    if (status != KN_OK)
        *missed = 0; /* no charges give all of these values: none counts as missed */
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

static enum kn_status correct(struct correction *s, const double *x, double *q, double *missed)
{
    enum kn_status status = collect(s);
    if (status != KN_OK || s->count == 0 || s->count > MNA_MOST_DENSE /* these are left to the charges they have */ ||
        !has_missed(s, x))
        return status;
    status = factor(s, x);
    if (status != KN_OK)
        return status == KN_ERROR_MEMORY ? status : KN_OK; /* a singular matrix: charges stay as they are */
    find_sizes(s);
    if (!find_responses(s))
        return KN_ERROR_MEMORY;
    status = find_over(s, x);
    if (status == KN_OK)
        status = solve(s, x, q, missed);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

/* ---- what stays ---- */

enum kn_status initial_values_list(const struct initial_values *given, const struct mna *m, struct arena *memory,
                                   double **out, size_t *count)
{
    const struct initial_values_kept k = {.given = given};
    struct correction s = {.k = &k, .m = m, .memory = memory};
    const enum kn_status status = collect(&s);
    *count = (size_t)s.count;
    *out = arena_array(memory, *count + 1, sizeof **out);
    for (int i = 0; *out && i < s.count; i++)
        (*out)[i] = s.values[i].given;
    return *out ? status : KN_ERROR_MEMORY;
}

static enum kn_status list_held(struct correction *s, const double *x, struct held_value *out, size_t *count)
{
    enum kn_status status = factor(s, x);
    if (status == KN_OK)
        find_sizes(s);
    if (status == KN_OK && !find_responses(s))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = find_over(s, x);
    bool all = true;
    for (int k = 0; status == KN_OK && k < s->count; k++) {
        const struct value *v = &s->values[k];
        if (s->over[k])
            continue;
        all = all && miss_of(s, v, x) <= 1;
        out[(*count)++] = (struct held_value){(size_t)k, v->plus, v->minus, v->current};
    }
    *count = all ? *count : 0;
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

enum kn_status initial_values_held(const struct initial_values_kept *k, const struct mna *m, const double *x,
                                   struct arena *memory, struct held_value **out, size_t *count)
{
    struct correction s = {.k = k, .m = m, .memory = memory};
    *count = 0;
    enum kn_status status = collect(&s);
    *out = arena_array(memory, (size_t)s.count + 1, sizeof **out);
    if (!*out)
        return KN_ERROR_MEMORY;
    if (status == KN_OK && s.count > 0 && s.count <= MNA_MOST_DENSE)
        status = list_held(&s, x, *out, count);
    sparse_lu_free(s.lu);
    return status;
}

enum kn_status initial_values_keep(const struct initial_values_kept *k, const struct mna *m, const double *x, double *q,
                                   double *missed)
{
    struct correction s = {.k = k, .m = m, .memory = arena_new()};
    *missed = 0;
    const enum kn_status status = s.memory ? correct(&s, x, q, missed) : KN_ERROR_MEMORY;
    sparse_lu_free(s.lu);
    arena_free(s.memory);
    return status;
}
