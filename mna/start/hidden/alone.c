/* alone.c - see alone.h. */
#include "mna/start/hidden/alone.h"

#include "base/arena.h"
#include "base/rounding.h"

#include <math.h>
#include <string.h>

struct standing_alone {
    struct arena *memory; /* of all */
    const struct dae *dae;
    int *slot;             /* [n] of the only entry of row and column; -1: others are there */
    double *G, *C;         /* [entries + 1] */
    double *came, *behind; /* [n] x as it came; f where it has gone */
};

/* Of each unknown the only entry of its column, if that is the only one of its row. */
static void find_slots(const struct sparse_pattern *p, int n, int *slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = -1;
    for (int j = 0; j < n; j++)
        if (p->column_start[j + 1] - p->column_start[j] == 1 && p->row[p->column_start[j]] == j)
            slot[j] = p->column_start[j];
    for (int j = 0; j < n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (p->row[k] != j)
                slot[p->row[k]] = -1;
}

enum kn_status standing_alone_new(const struct dae *dae, struct standing_alone **out)
{
    const size_t n = (size_t)dae->n, entries = (size_t)dae->pattern->entries + 1;
    struct arena *memory;
    struct standing_alone *s = arena_object(sizeof *s, &memory);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct standing_alone){.memory = memory, .dae = dae, .slot = arena_array(memory, n + 1, sizeof *s->slot)};
    if (!s->slot || !arena_vectors(memory, n + 1, (double **const[]){&s->came, &s->behind, NULL}) ||
        !arena_vectors(memory, entries, (double **const[]){&s->G, &s->C, NULL})) {
        arena_free(memory);
        return KN_ERROR_MEMORY;
    }
    find_slots(dae->pattern, dae->n, s->slot);
    *out = s;
    return KN_OK;
}

void standing_alone_free(struct standing_alone *s)
{
    if (s)
        arena_free(s->memory);
}

static double tolerance_of(const struct standing_alone *s, int i, double left, double right)
{
    return ROUNDING_SAME * fmax(fabs(left), fabs(right)) + s->dae->equation_absolute[i];
}

static bool jumps(const struct standing_alone *s, int i, const double *left, const double *right)
{
    return !(fabs(right[i] - left[i]) <= tolerance_of(s, i, left[i], right[i]));
}

static bool only_alone_jump(const struct standing_alone *s, const double *left, const double *right)
{
    for (int i = 0; i < s->dae->n; i++)
        if (jumps(s, i, left, right) && s->slot[i] < 0)
            return false;
    return true;
}

/* False where one has a charge, or nothing that determines it. */
static bool solve(const struct standing_alone *s, const double *left, const double *right, double *x)
{
    for (int i = 0; i < s->dae->n; i++) {
        if (!jumps(s, i, left, right))
            continue;
        if (s->C[s->slot[i]] != 0 || s->G[s->slot[i]] == 0)
            return false;
        x[i] -= (right[i] - left[i]) / s->G[s->slot[i]];
    }
    return true;
}

/* Whether all that have moved are where they were to go: equations are straight lines that far. */
static bool has_arrived(const struct standing_alone *s, const double *left, const double *right)
{
    for (int i = 0; i < s->dae->n; i++)
        if (jumps(s, i, left, right) && !(fabs(s->behind[i] - left[i]) <= tolerance_of(s, i, left[i], right[i])))
            return false;
    return true;
}

enum kn_status standing_alone_move(struct standing_alone *s, double time, const double *left, const double *right,
                                   double *x, bool *moved)
{
    const struct dae *dae = s->dae;
    const size_t bytes = (size_t)dae->n * sizeof *x;
    struct dae_values derivatives = {.G = s->G, .C = s->C}, behind = {.f = s->behind};
    *moved = false;
    if (!only_alone_jump(s, left, right))
        return KN_OK;
    memcpy(s->came, x, bytes);
    enum kn_status status = dae->eval(dae->problem, time, x, DAE_G | DAE_C, &derivatives);
    const bool solved = status == KN_OK && solve(s, left, right, x);
    if (solved)
        status = dae->eval(dae->problem, time, x, DAE_F, &behind);
    *moved = solved && status == KN_OK && has_arrived(s, left, right);
    if (!*moved)
        memcpy(x, s->came, bytes);
    return status;
}
