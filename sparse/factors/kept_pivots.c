/* kept_pivots.c - see kept_pivots.h. */
#include "sparse/factors/kept_pivots.h"

#include "base/array.h"
#include "base/twice.h"
#include "sparse/factors/complex_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking over ---- */

/* What a change of pivots may add to the entries without new memory. */
static const size_t SPARE_PART = 4;

static size_t number_size(const struct kept_pivots *k)
{
    return k->is_complex ? sizeof(double complex) : sizeof(double);
}

/* Room for a number of entries and a quarter more. */
static bool part_reserve(struct part *p, const struct kept_pivots *k, size_t entries)
{
    size_t rows = p->capacity, values = p->capacity;
    const size_t needed = p->capacity >= entries + 1 ? 0 : entries + entries / SPARE_PART + 1;
    if (!p->start)
        p->start = calloc((size_t)k->n + 1, sizeof *p->start);
    if (!p->start || !array_reserve(&p->row, needed, &rows, sizeof *p->row) ||
        !array_reserve(&p->value, needed, &values, number_size(k)))
        return false;
    p->capacity = rows < values ? rows : values;
    p->start[0] = 0;
    return true;
}

static void part_free(struct part *p)
{
    free(p->start);
    free(p->row);
    free(p->value);
}

/* ---- small matrices ---- */

static void straight_free(struct straight *s)
{
    free(s->operations);
    free(s->sources);
    *s = (struct straight){0};
}

/* Those of column j of a part, whose numbers are to be divided by its pivot or not. */
static void add_column(struct straight *s, const struct kept_pivots *k, const struct part *p, int j, bool divided)
{
    const double *value = p->value, *divisor = k->divisor;
    for (int e = p->start[j]; e < p->start[j + 1]; e++) {
        s->operations[s->count] = (struct straight_operation){0, k->at.row[p->row[e]], k->at.row[j]};
        s->sources[s->count++] = (struct straight_source){value + e, divided ? divisor + j : NULL};
    }
}

static bool straight_reserve(struct straight *s, const struct kept_pivots *k)
{
    const size_t needed = k->lower.capacity + k->upper.capacity + k->above.capacity;
    size_t room = s->room;
    return array_reserve(&s->sources, needed, &room, sizeof *s->sources) &&
           array_reserve(&s->operations, needed, &s->room, sizeof *s->operations);
}

static void straight_take(struct straight *s, const struct kept_pivots *k)
{
    s->count = 0;
    for (int block = k->at.blocks; block-- > 0;) {
        const int begin = k->at.block_start[block], end = k->at.block_start[block + 1];
        for (int j = begin; j < end; j++)
            add_column(s, k, &k->lower, j, false);
        for (int j = end; j-- > begin;)
            add_column(s, k, &k->upper, j, true);
        for (int j = begin; block > 0 && j < end; j++)
            add_column(s, k, &k->above, j, true);
    }
}

static void straight_fill(struct straight *s)
{
    for (int i = 0; i < s->count; i++) {
        const struct straight_source source = s->sources[i];
        s->operations[i].value = *source.value * (source.divisor ? *source.divisor : 1);
    }
}

static inline void eliminate(const struct straight_operation *o, double *b)
{
    b[o->to] -= o->value * b[o->from];
}

static void straight_solve(const struct straight *s, const struct kept_pivots *k, double *b)
{
    double x[STRAIGHT_MOST];
    const double *divisor = k->divisor;
    const int n = k->n, *row = k->at.row, *column = k->at.column;
    const struct straight_operation *o = s->operations, *const end = o + s->count;
    for (; end - o >= 4; o += 4) { /* counting takes a third of the work */
        eliminate(o, b);
        eliminate(o + 1, b);
        eliminate(o + 2, b);
        eliminate(o + 3, b);
    }
    for (; o < end; o++)
        eliminate(o, b);
    for (int i = 0; i < n; i++)
        x[i] = b[row[i]] * divisor[i];
    for (int i = 0; i < n; i++)
        b[column[i]] = x[i];
}

/* ---- memory ---- */

void kept_pivots_free(struct kept_pivots *k)
{
    if (!k->borrowed)
        arrangement_free(&k->at);
    fronts_free(&k->fronts);
    part_free(&k->lower);
    part_free(&k->upper);
    free(k->above.value);
    free(k->row_weight);
    free(k->divisor);
    free(k->work);
    straight_free(&k->straight);
    *k = (struct kept_pivots){0};
}

static bool is_small(const struct kept_pivots *k)
{
    return !k->is_complex && k->n <= STRAIGHT_MOST;
}

/* ---- fronts ---- */

/* Fronts have the pattern of A + A': no more operations than that many for each of those by columns. */
static const double MOST_OPERATIONS = 2;

/* The fronts of the pivots at hand; none where they would take too many operations. */
static enum kn_status find_fronts(struct kept_pivots *k, const struct sparse_pattern *p, double operations)
{
    struct fronts *const found = &k->at.fronts;
    if (!arrangement_find_fronts(&k->at, p))
        return KN_ERROR_MEMORY;
    if (found->count == 0 || found->operations > operations) {
        fronts_free(found);
        return KN_OK;
    }
    k->fronts = *found;
    *found = (struct fronts){0};
    return fronts_allocate(&k->fronts, k->n, number_size(k)) ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- beginning ---- */

/* As many as the analysis expects in L or U, or as in A where it does not say. */
static size_t expected(double entries, const struct sparse_pattern *p)
{
    return entries > 0 ? (size_t)fmin(entries, 1e9) : (size_t)p->entries;
}

/* Room for factors by columns. */
static bool reserve_columns(struct kept_pivots *k, const struct sparse_pattern *p, const klu_symbolic *symbolic)
{
    return part_reserve(&k->lower, k, expected(symbolic->lnz, p)) &&
           part_reserve(&k->upper, k, expected(symbolic->unz, p)) &&
           (!is_small(k) || straight_reserve(&k->straight, k));
}

/* Numbers above the blocks of the arrangement. */
static bool reserve_above(struct kept_pivots *k, int entries)
{
    k->above = (struct part){.start = k->at.above.start, .row = k->at.above.row, .capacity = (size_t)entries};
    k->above.value = calloc((size_t)entries + 1, number_size(k));
    return k->above.value != NULL;
}

/* An arrangement of its own, still without an order. */
static bool arrange(struct kept_pivots *k, const struct sparse_pattern *p, const klu_symbolic *symbolic)
{
    free(k->above.value);
    k->above.value = NULL;
    k->borrowed = false;
    return arrangement_init(&k->at, p, symbolic->nzoff) && reserve_above(k, symbolic->nzoff);
}

/* Fronts as the analysis has them, or room for columns. */
static bool begin_factors(struct kept_pivots *k, const struct sparse_pattern *p, struct sparse_analysis *analysis)
{
    if (analysis->arrangement.fronts.count == 0)
        return arrange(k, p, analysis->symbolic) && reserve_columns(k, p, analysis->symbolic);
    k->borrowed = true;
    k->at = analysis->arrangement;
    k->at.fronts = (struct fronts){0};
    return reserve_above(k, k->at.above.start[k->n]) && sparse_analysis_fronts(analysis, k->is_complex, &k->fronts);
}

enum kn_status kept_pivots_init(struct kept_pivots *k, const struct sparse_pattern *p, struct sparse_analysis *analysis,
                                bool is_complex)
{
    const size_t n = (size_t)p->n;
    k->n = p->n;
    k->is_complex = is_complex;
    k->row_weight = calloc(n, sizeof *k->row_weight);
    k->divisor = calloc(n, number_size(k));
    k->work = calloc(n, number_size(k));
    if (k->row_weight && k->divisor && k->work && begin_factors(k, p, analysis))
        return KN_OK;
    kept_pivots_free(k);
    return KN_ERROR_MEMORY;
}

/* Takes the diagonal out of a triangular part. */
static void drop_diagonal(struct part *p, int n)
{
    int kept = 0, begin = 0;
    for (int j = 0; j < n; j++) {
        const int end = p->start[j + 1];
        for (int e = begin; e < end; e++)
            if (p->row[e] != j)
                p->row[kept++] = p->row[e];
        begin = end;
        p->start[j + 1] = kept;
    }
}

size_t kept_pivots_bytes(const struct kept_pivots *k)
{
    if (k->fronts.count > 0)
        return (size_t)k->fronts.entries * number_size(k);
    const size_t entries =
        k->at.blocks ? (size_t)k->lower.start[k->n] + (size_t)k->upper.start[k->n] + (size_t)k->above.start[k->n] : 0;
    return entries * (number_size(k) + sizeof(int));
}

/* ---- numbers ---- */

/* 1 / p, and 0 for 0: substitutions wait for each quotient, and a product is there three times as soon. */
static inline double real_reciprocal(double p)
{
    return p == 0 ? 0 : 1 / p;
}

#define NUMBER         double
#define NAME(name)     real_##name
#define SIZE(a)        fabs(a)
#define ZERO           0
#define IS_ZERO(a)     ((a) == 0)
#define MINUS(y, a, b) ((y) - (a) * (b))
#define DIVISOR(p)     real_reciprocal(p)
#define OVER(a, d)     ((a) * (d))
#include "sparse/factors/kept_pivots_numbers.h"

#include "sparse/factors/fronts_numbers.h"

#include "sparse/factors/forget_number.h"

#define NUMBER         double complex
#define NAME(name)     complex_##name
#define SIZE(a)        (fabs(creal(a)) + fabs(cimag(a)))
#define ZERO           0
#define IS_ZERO(a)     ((a) == 0)
#define MINUS(y, a, b) ((y)-complex_product(a, b)) /* what has been such a product cancels to the last bit */
#define DIVISOR(p)     complex_reciprocal(p)
#define OVER(a, d)     complex_product(a, d)
#include "sparse/factors/kept_pivots_numbers.h"

#include "sparse/factors/fronts_numbers.h"

#include "sparse/factors/forget_number.h"

static bool factor_fronts(struct kept_pivots *k, const void *values, double least, double *growth)
{
    return k->is_complex ? complex_factor_fronts(k, values, least, growth)
                         : real_factor_fronts(k, values, least, growth);
}

/* Whether entries that have been left out are 0. */
static bool fits(const struct kept_pivots *k, const void *values)
{
    const double *real = values;
    const double complex *numbers = values;
    bool zero = true;
    for (int i = 0; i < k->at.left_out_count; i++) {
        const int e = k->at.left_out[i];
        zero &= k->is_complex ? numbers[e] == 0 : real[e] == 0;
    }
    return zero;
}

bool kept_pivots_try(struct kept_pivots *k, const void *values, double least, double *growth)
{
    return k->borrowed && fits(k, values) && factor_fronts(k, values, least, growth);
}

bool kept_pivots_factor(struct kept_pivots *k, const void *values, double *growth)
{
    if (k->fronts.count > 0)
        return fits(k, values) && factor_fronts(k, values, 0, growth);
    const bool good = k->is_complex ? complex_factor(k, values, growth) : real_factor(k, values, growth);
    if (good && is_small(k))
        straight_fill(&k->straight);
    return good;
}

static void solve_with_fronts(struct kept_pivots *k, void *b)
{
    if (k->is_complex)
        complex_solve_with_fronts(k, b);
    else
        real_solve_with_fronts(k, b);
}

void kept_pivots_solve(struct kept_pivots *k, void *b)
{
    if (k->fronts.count > 0)
        solve_with_fronts(k, b);
    else if (k->is_complex)
        complex_solve(k, b);
    else if (is_small(k))
        straight_solve(&k->straight, k, b);
    else
        real_solve(k, b);
}

void kept_pivots_solve_transposed(struct kept_pivots *k, void *b)
{
    const bool fronts = k->fronts.count > 0;
    if (k->is_complex)
        (fronts ? complex_solve_transposed_with_fronts : complex_solve_transposed)(k, b);
    else
        (fronts ? real_solve_transposed_with_fronts : real_solve_transposed)(k, b);
}

/* ---- pivots ---- */

/* Numbers that are taken over are made again, but KLU gives patterns with them only. */
static bool extract(struct kept_pivots *k, klu_symbolic *symbolic, klu_numeric *numeric, klu_common *common)
{
    struct part *l = &k->lower, *u = &k->upper;
    double *lx = l->value, *ux = u->value;
    if (k->is_complex)
        return klu_z_sort(symbolic, numeric, common) &&
               klu_z_extract(numeric, symbolic, l->start, l->row, lx, lx + l->capacity, u->start, u->row, ux,
                             ux + u->capacity, NULL, NULL, NULL, NULL, k->at.row, k->at.column, NULL, k->at.block_start,
                             common);
    return klu_sort(symbolic, numeric, common) &&
           klu_extract(numeric, symbolic, l->start, l->row, lx, u->start, u->row, ux, NULL, NULL, NULL, k->at.row,
                       k->at.column, NULL, k->at.block_start, common);
}

static enum kn_status take_columns(struct kept_pivots *k, const struct sparse_pattern *p, klu_symbolic *symbolic,
                                   klu_numeric *numeric, klu_common *common)
{
    if (!part_reserve(&k->lower, k, (size_t)numeric->lnz) || !part_reserve(&k->upper, k, (size_t)numeric->unz) ||
        !extract(k, symbolic, numeric, common) || (is_small(k) && !straight_reserve(&k->straight, k)))
        return KN_ERROR_MEMORY;
    drop_diagonal(&k->lower, k->n);
    drop_diagonal(&k->upper, k->n);
    arrangement_place(&k->at, p);
    if (is_small(k))
        straight_take(&k->straight, k);
    return KN_OK;
}

enum kn_status kept_pivots_take(struct kept_pivots *k, const struct sparse_pattern *p, klu_symbolic *symbolic,
                                klu_numeric *numeric, klu_common *common)
{
    const double operations = common->flops, entries = (double)numeric->lnz + numeric->unz;
    fronts_free(&k->fronts);
    if (k->borrowed && !arrange(k, p, symbolic))
        return KN_ERROR_MEMORY;
    k->at.blocks = symbolic->nblocks;
    if (operations > 2 * sparse_many_products * entries) {
        arrangement_take(&k->at, symbolic, numeric->Pnum);
        const enum kn_status status = find_fronts(k, p, MOST_OPERATIONS * operations);
        if (status != KN_OK || k->fronts.count > 0)
            return status;
    }
    return take_columns(k, p, symbolic, numeric, common);
}
