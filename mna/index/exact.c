/* exact.c - see exact.h.
 *
 * Only columns J of C that are not 0 matter: with E_J the unit vectors of J, K = K_J E_J^T and K^(i+1) = K_J A^i E_J^T,
 * A = E_J^T K_J.
 */
#include "mna/index/exact.h"
#include "sparse/field.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Values known up to their last digit only among which relations are looked for. */
enum { MOST_ROUNDED = 200 };

struct numbers {
    const struct mna_terms *t;
    field *G, *C;    /* [count] */
    double *rounded; /* [rounded_count] sizes of values known up to their last digit only, each once */
    int rounded_count;
    bool squares; /* inductances of coupled ones are not the deck's */
};

static bool is_listed(const struct numbers *numbers, double size)
{
    for (int i = 0; i < numbers->rounded_count; i++)
        if (numbers->rounded[i] == size)
            return true;
    return false;
}

static field number_of(struct numbers *numbers, double value)
{
    bool exact = true;
    const field number = field_of(value, &exact);
    if (!exact && numbers->rounded_count <= MOST_ROUNDED && !is_listed(numbers, fabs(value)))
        numbers->rounded[numbers->rounded_count++] = fabs(value);
    return number;
}

/* Apart by powers of two they cancel in numbers as they would in fact. */
static bool is_related(double a, double b)
{
    int exponent;
    return (frexp(a / b, &exponent) != 0.5 && field_is_simple(a / b)) || field_is_simple(a * b);
}

static bool are_unrelated(const struct numbers *numbers)
{
    if (numbers->squares || numbers->rounded_count > MOST_ROUNDED)
        return false;
    for (int i = 0; i < numbers->rounded_count; i++)
        for (int j = 0; j <= i; j++)
            if (is_related(numbers->rounded[i], numbers->rounded[j]))
                return false;
    return true;
}

/* ---- coupled inductors ---- */

/* M = k sqrt(L1 L2) is no fraction in general.  In a group of coupled inductors with such an M the inductances become
 * squares of numbers s of their own, M = k s1 s2: whether the couplings are tight does not depend on them. */
struct coupled {
    double *own;  /* [n] -L of an inductor's current, 0 otherwise */
    bool *square; /* [n] belongs to such a group */
};

static bool find_inductances(struct arena *memory, const struct mna_terms *t, struct coupled *c)
{
    c->own = arena_array(memory, (size_t)t->n + 1, sizeof *c->own);
    c->square = arena_array(memory, (size_t)t->n + 1, sizeof *c->square);
    for (size_t e = 0; c->own && e < t->count; e++)
        if (t->row[e] == t->column[e] && t->is_current[t->row[e]])
            c->own[t->row[e]] += t->C[e];
    return c->own && c->square;
}

/* k of the term e, NAN where it is no mutual inductance. */
static double coupling_of(const struct mna_terms *t, const struct coupled *c, size_t e)
{
    const int i = t->row[e], j = t->column[e];
    if (i == j || t->C[e] == 0 || !(c->own[i] < 0) || !(c->own[j] < 0))
        return NAN;
    const double k = -t->C[e] / (sqrt(-c->own[i]) * sqrt(-c->own[j]));
    /* The one in the deck has been through four roundings of DBL_EPSILON / 2 to M, and from M through as many to k. */
    const double digits = 1e12, rounded = nearbyint(k * digits) / digits;
    return fabs(k - rounded) <= 4 * DBL_EPSILON * fabs(k) ? rounded : k;
}

static void mark_groups(const struct mna_terms *t, struct coupled *c)
{
    bool grown = true;
    for (int round = 0; grown; round++) {
        grown = false;
        for (size_t e = 0; e < t->count; e++) {
            bool exact = true;
            const int i = t->row[e], j = t->column[e];
            if (isnan(coupling_of(t, c, e)) || (c->square[i] && c->square[j]))
                continue;
            if (round == 0)
                field_of(t->C[e], &exact);
            if (exact && !c->square[i] && !c->square[j])
                continue;
            c->square[i] = c->square[j] = grown = true;
        }
    }
}

static bool translate_couplings(struct arena *memory, struct numbers *numbers)
{
    const struct mna_terms *t = numbers->t;
    struct coupled c;
    if (!find_inductances(memory, t, &c))
        return false;
    mark_groups(t, &c);
    for (size_t e = 0; e < t->count; e++) {
        const int i = t->row[e], j = t->column[e];
        const double k = coupling_of(t, &c, e);
        if (t->C[e] == 0 || !c.square[i] || !c.square[j])
            continue;
        numbers->squares = true;
        const field product = field_multiply(field_scattered((uint64_t)i), field_scattered((uint64_t)j));
        if (i == j)
            numbers->C[e] = field_negate(product);
        else if (!isnan(k))
            numbers->C[e] = field_multiply(field_negate(number_of(numbers, k)), product);
    }
    return true;
}

/* ---- the pencil ---- */

static bool translate(struct arena *memory, const struct mna_terms *t, struct numbers *out)
{
    *out = (struct numbers){.t = t};
    out->rounded = arena_array(memory, 2 * t->count + 1, sizeof *out->rounded);
    out->G = arena_array(memory, t->count + 1, sizeof *out->G);
    out->C = arena_array(memory, t->count + 1, sizeof *out->C);
    if (!out->G || !out->C || !out->rounded)
        return false;
    for (size_t e = 0; e < t->count; e++) {
        out->G[e] = number_of(out, t->G[e]);
        out->C[e] = number_of(out, t->C[e]);
    }
    return translate_couplings(memory, out);
}

/* *place[j]: the column of an unknown with charge or flux among them, -1: it has none. */
static bool find_storing(struct arena *memory, const struct numbers *numbers, int **place, int **storing, int *count)
{
    const struct mna_terms *t = numbers->t;
    *place = arena_array(memory, (size_t)t->n + 1, sizeof **place);
    *storing = arena_array(memory, (size_t)t->n + 1, sizeof **storing);
    if (!*place || !*storing)
        return false;
    for (size_t e = 0; e < t->count; e++)
        if (numbers->C[e] != 0)
            (*place)[t->column[e]] = 1;
    *count = 0;
    for (int j = 0; j < t->n; j++) {
        const bool stores = (*place)[j] != 0;
        (*place)[j] = stores ? *count : -1;
        if (stores)
            (*storing)[(*count)++] = j;
    }
    return true;
}

static void add_to(struct field_matrix *a, int row, int column, field value)
{
    *field_at(a, row, column) = field_add(*field_at(a, row, column), value);
}

/* [G + s C | C_J] */
static void fill(const struct numbers *numbers, const int *place, field s, struct field_matrix *a)
{
    const struct mna_terms *t = numbers->t;
    memset(a->at, 0, (size_t)a->rows * (size_t)a->columns * sizeof *a->at);
    for (size_t e = 0; e < t->count; e++) {
        add_to(a, t->row[e], t->column[e], field_add(numbers->G[e], field_multiply(s, numbers->C[e])));
        if (place[t->column[e]] >= 0)
            add_to(a, t->row[e], t->n + place[t->column[e]], numbers->C[e]);
    }
}

/* Rows of a matrix; columns from `first` on. */
static bool take(struct arena *memory, const struct field_matrix *a, const int *rows, int count, int first,
                 struct field_matrix *out)
{
    if (!field_matrix_new(memory, count, a->columns - first, out))
        return false;
    for (int i = 0; i < count; i++)
        memcpy(field_at(out, i, 0), field_at(a, rows ? rows[i] : i, first), (size_t)out->columns * sizeof *out->at);
    return true;
}

/* ---- the structure ---- */

struct powers {
    struct field_matrix at[EXACT_MOST_STEPS + 1]; /* K_J A^i */
};

/* Until the rank of K^(i+1) is that of K^i. */
static bool follow_ranks(struct arena *memory, const struct field_matrix *A, struct powers *K, struct exact_index *out)
{
    int before = K->at[0].rows, rank;
    for (out->index = 0; out->index < EXACT_MOST_STEPS; out->index++) {
        if (!field_matrix_rank(memory, &K->at[out->index], &rank))
            return false;
        if (rank == before)
            break;
        out->null_dimension[out->index] = before - rank;
        before = rank;
        if (!field_matrix_multiply(memory, &K->at[out->index], A, &K->at[out->index + 1]))
            return false;
    }
    out->degrees_of_freedom = before;
    out->open = out->index == EXACT_MOST_STEPS;
    return true;
}

/* Rows of K^k ker K^index, k >= 1, that are not zero. */
static bool find_orders(struct arena *memory, const struct powers *K, struct exact_index *out)
{
    struct field_matrix kernel;
    if (out->index < 2)
        return true;
    if (!field_matrix_kernel(memory, &K->at[out->index - 1], &kernel))
        return false;
    for (int k = 1; k < out->index; k++) {
        struct field_matrix range;
        if (!field_matrix_multiply(memory, &K->at[k - 1], &kernel, &range))
            return false;
        for (int i = 0; i < range.rows; i++)
            for (int j = 0; j < range.columns; j++)
                if (*field_at(&range, i, j) != 0)
                    out->order[i] = k;
    }
    return true;
}

static enum kn_status find_structure(struct arena *memory, const struct numbers *numbers, struct exact_index *out)
{
    const struct mna_terms *t = numbers->t;
    struct field_matrix pencil, A;
    struct powers *K = arena_alloc(memory, sizeof *K);
    int *place, *storing, count;
    *out = (struct exact_index){.singular = true};
    out->order = arena_array(memory, (size_t)t->n + 1, sizeof *out->order);
    if (!K || !out->order || !find_storing(memory, numbers, &place, &storing, &count) ||
        !field_matrix_new(memory, t->n, t->n + count, &pencil))
        return KN_ERROR_MEMORY;
    out->exact = are_unrelated(numbers);
    for (uint64_t trial = 0; trial < EXACT_TRIALS && out->singular; trial++) {
        fill(numbers, place, field_scattered(~trial), &pencil);
        out->singular = field_matrix_reduce(&pencil, t->n, NULL) < t->n;
    }
    if (out->singular)
        return KN_OK;
    const bool good = take(memory, &pencil, NULL, t->n, t->n, &K->at[0]) &&
                      take(memory, &K->at[0], storing, count, 0, &A) && follow_ranks(memory, &A, K, out) &&
                      find_orders(memory, K, out);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status exact_index_find(struct arena *memory, const struct mna_terms *t, struct exact_index *out)
{
    struct numbers numbers;
    return translate(memory, t, &numbers) ? find_structure(memory, &numbers, out) : KN_ERROR_MEMORY;
}

/* Those of G + s C are what C + G / s has at infinity. */
enum kn_status exact_poles_at_zero(struct arena *memory, const struct mna_terms *t, struct exact_zeros *out)
{
    struct numbers numbers;
    struct exact_index reversed;
    if (!translate(memory, t, &numbers))
        return KN_ERROR_MEMORY;
    field *const G = numbers.G;
    numbers.G = numbers.C;
    numbers.C = G;
    const enum kn_status status = find_structure(memory, &numbers, &reversed);
    const bool found = status == KN_OK && !reversed.singular && !reversed.open;
    *out = (struct exact_zeros){found ? t->n - reversed.degrees_of_freedom : 0, found && reversed.exact};
    return status;
}

/* G in the first columns of a. */
static void fill_direct(const struct numbers *numbers, const int *group, struct field_matrix *a)
{
    const struct mna_terms *t = numbers->t;
    for (size_t e = 0; e < t->count; e++) {
        const field rate = group && group[t->row[e]] > 0 ? field_scattered(~(uint64_t)group[t->row[e]]) : 0;
        add_to(a, t->row[e], t->column[e], field_add(numbers->G[e], field_multiply(rate, numbers->C[e])));
    }
}

enum kn_status exact_direct_find(struct arena *memory, const struct mna_terms *t, const int *group,
                                 struct exact_direct *out)
{
    struct numbers numbers;
    struct field_matrix G, kernel;
    *out = (struct exact_direct){.free = arena_array(memory, (size_t)t->n + 1, sizeof *out->free)};
    if (!out->free || !translate(memory, t, &numbers) || !field_matrix_new(memory, t->n, t->n, &G))
        return KN_ERROR_MEMORY;
    fill_direct(&numbers, group, &G);
    if (!field_matrix_kernel(memory, &G, &kernel))
        return KN_ERROR_MEMORY;
    out->exact = are_unrelated(&numbers);
    out->free_count = kernel.columns;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < kernel.columns; j++)
            out->free[i] = out->free[i] || *field_at(&kernel, i, j) != 0;
    return KN_OK;
}

enum kn_status exact_direct_solvable(struct arena *memory, const struct mna_terms *t, const double *f, bool *solvable)
{
    struct numbers numbers;
    struct field_matrix a;
    bool exact = true;
    int with_f;
    if (!translate(memory, t, &numbers) || !field_matrix_new(memory, t->n, t->n + 1, &a))
        return KN_ERROR_MEMORY;
    fill_direct(&numbers, NULL, &a);
    for (int i = 0; i < t->n; i++)
        *field_at(&a, i, t->n) = field_of(f[i], &exact);
    if (!field_matrix_rank(memory, &a, &with_f))
        return KN_ERROR_MEMORY;
    *solvable = !exact || !are_unrelated(&numbers) || field_matrix_reduce(&a, t->n, NULL) == with_f;
    return KN_OK;
}
