/* zero_hertz.c - see zero_hertz.h. */
#include "analyses/small_signal/zero_hertz.h"

#include "mna/start/dc_plan.h"

#include <math.h>
#include <string.h>

struct zero_hertz {
    struct arena *memory;
    const struct sparse_pattern *pattern;
    double *rates;              /* [n] 1/s, 0 where f says enough */
    double *resistances;        /* [n] ohm, the same of ports of lines, in the place of rates times charges */
    double complex *B, *X, *dX; /* [n] the right side, the limit as far as it is known, and what the last round added */
    bool told;
};

static bool is_any(const double *rates, int n)
{
    for (int i = 0; i < n; i++)
        if (rates[i] != 0)
            return true;
    return false;
}

static enum kn_status fill(struct zero_hertz *s, const struct setup *from, const double *C)
{
    const size_t n = (size_t)s->pattern->n + 1;
    s->B = arena_array(s->memory, n, sizeof *s->B);
    s->X = arena_array(s->memory, n, sizeof *s->X);
    s->dX = arena_array(s->memory, n, sizeof *s->dX);
    s->rates = arena_array(s->memory, n, sizeof *s->rates);
    s->resistances = arena_array(s->memory, n, sizeof *s->resistances);
    if (!s->B || !s->X || !s->dX || !s->rates || !s->resistances)
        return KN_ERROR_MEMORY;
    return dc_plan_rates(s->memory, from->mna, from->topology, C, s->rates, s->resistances);
}

enum kn_status zero_hertz_new(const struct setup *from, const double *C, struct zero_hertz **out)
{
    *out = NULL;
    struct arena *memory = arena_new();
    struct zero_hertz *s = memory ? arena_array(memory, 1, sizeof *s) : NULL;
    if (!s) {
        arena_free(memory);
        return KN_ERROR_MEMORY;
    }
    *s = (struct zero_hertz){.memory = memory, .pattern = mna_dae(from->mna)->pattern};
    const enum kn_status status = fill(s, from, C);
    if (status == KN_OK && is_any(s->rates, s->pattern->n))
        *out = s;
    else
        arena_free(memory);
    return status;
}

void zero_hertz_free(struct zero_hertz *s)
{
    if (s)
        arena_free(s->memory);
}

void zero_hertz_complete(const struct zero_hertz *s, const double *C, double complex *A)
{
    for (int k = 0; k < s->pattern->entries; k++)
        A[k] += s->rates[s->pattern->row[k]] * C[k];
    for (int i = 0; i < s->pattern->n; i++)
        if (s->resistances[i] > 0)
            A[sparse_pattern_find(s->pattern, i, i)] -= s->resistances[i];
}

/* B += R C X, or its transpose. */
static void add_charges(const struct zero_hertz *s, const double *C, bool transposed, const double complex *X,
                        double complex *B)
{
    const struct sparse_pattern *p = s->pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const double rate = s->rates[p->row[k]] * C[k];
            if (transposed)
                B[j] += rate * X[p->row[k]];
            else
                B[p->row[k]] += rate * X[j];
        }
    for (int i = 0; i < p->n; i++)
        B[i] -= s->resistances[i] * X[i];
}

static void next_round(struct zero_hertz *s, struct sparse_zlu *lu, const double *C, bool transposed)
{
    const size_t size = (size_t)s->pattern->n * sizeof *s->X;
    memcpy(s->dX, s->B, size);
    add_charges(s, C, transposed, s->X, s->dX);
    if (transposed)
        sparse_zlu_solve_transposed(lu, s->dX);
    else
        sparse_zlu_solve(lu, s->dX);
    for (int i = 0; i < s->pattern->n; i++) {
        const double complex X = s->dX[i];
        s->dX[i] = X - s->X[i];
        s->X[i] = X;
    }
}

static double largest_of(const struct zero_hertz *s)
{
    double largest = 0;
    for (int i = 0; i < s->pattern->n; i++)
        largest = fmax(largest, cabs(s->X[i]));
    return largest;
}

/* The anchors' rates are 1e-6 of what else is in their equations (dc_plan.c): a round leaves about as much of what has an
 * end, and adds a thousand volts or amperes for each that drives without end.  After four rounds the one is below the
 * rounding of numbers, and the other among the largest there are, those in ampere beside those in volt. */
enum { ROUNDS = 4 };
static const double AT_REST = 1e-9;

/* What grows is infinite; the first of it, or -1. */
static int set_limit(const struct zero_hertz *s, double complex *B)
{
    const double least = AT_REST * largest_of(s);
    int first = -1;
    for (int i = s->pattern->n - 1; i >= 0; i--) {
        const double complex d = s->dX[i];
        const bool grows = fabs(creal(d)) > least, turns = fabs(cimag(d)) > least;
        B[i] = CMPLX(grows ? copysign(INFINITY, creal(d)) : creal(s->X[i]),
                     turns ? copysign(INFINITY, cimag(d)) : cimag(s->X[i]));
        if (grows || turns)
            first = i;
    }
    return first;
}

int zero_hertz_solve(struct zero_hertz *s, struct sparse_zlu *lu, const double *C, bool transposed, double complex *B)
{
    memcpy(s->B, B, (size_t)s->pattern->n * sizeof *B);
    memset(s->X, 0, (size_t)s->pattern->n * sizeof *s->X);
    for (int k = 0; k < ROUNDS; k++)
        next_round(s, lu, C, transposed);
    return set_limit(s, B);
}

bool zero_hertz_is_news(struct zero_hertz *s)
{
    const bool news = !s->told;
    s->told = true;
    return news;
}
