/* lanes.c - see lanes.h. */
#include "sparse/factors/lanes.h"

#include "base/array.h"
#include "sparse/factors/complex_numbers.h"

#include <stdlib.h>
#include <string.h>

struct lanes {
    double re[SPARSE_LANES], im[SPARSE_LANES];
};

static const struct lanes no_lanes;

static inline struct lanes lanes_minus(struct lanes y, struct lanes a, struct lanes b)
{
    for (int l = 0; l < SPARSE_LANES; l++) {
        const double re = a.re[l] * b.re[l] - a.im[l] * b.im[l], im = a.re[l] * b.im[l] + a.im[l] * b.re[l];
        y.re[l] -= re;
        y.im[l] -= im;
    }
    return y;
}

static inline struct lanes lanes_product(struct lanes a, struct lanes b)
{
    struct lanes y;
    for (int l = 0; l < SPARSE_LANES; l++) {
        y.re[l] = a.re[l] * b.re[l] - a.im[l] * b.im[l];
        y.im[l] = a.re[l] * b.im[l] + a.im[l] * b.re[l];
    }
    return y;
}

static inline struct lanes lanes_reciprocal(struct lanes p)
{
    struct lanes y;
    for (int l = 0; l < SPARSE_LANES; l++) {
        const double complex d = complex_reciprocal(CMPLX(p.re[l], p.im[l]));
        y.re[l] = creal(d);
        y.im[l] = cimag(d);
    }
    return y;
}

/* A pivot of 0 has the reciprocal 0, and nothing that is solved with it passes for a solution. */
#define NUMBER         struct lanes
#define NAME(name)     lanes_of_##name
#define SIZE(a)        fabs((a).re[0]) /* of growth, which nobody asks for */
#define ZERO           no_lanes
#define IS_ZERO(a)     ((void)(a), false)
#define MINUS(y, a, b) lanes_minus(y, a, b)
#define DIVISOR(p)     lanes_reciprocal(p)
#define OVER(a, d)     lanes_product(a, d)
#include "sparse/factors/kept_pivots_numbers.h"

#include "sparse/factors/forget_number.h"

void lanes_free(struct lanes_room *room)
{
    free(room->numbers);
}

static void gather(struct lanes *to, const double complex *const from[SPARSE_LANES], size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int l = 0; l < SPARSE_LANES; l++) {
            to[i].re[l] = creal(from[l][i]);
            to[i].im[l] = cimag(from[l][i]);
        }
}

static void scatter(double complex *const to[SPARSE_LANES], const struct lanes *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int l = 0; l < SPARSE_LANES; l++)
            to[l][i] = CMPLX(from[i].re[l], from[i].im[l]);
}

/* Whether A^T x = b in all lanes, but for left_over of the sizes of the terms. */
static bool solve_all(const struct sparse_pattern *p, const struct lanes *a, const struct lanes *x,
                      const struct lanes *b, double left_over)
{
    bool good = true;
    for (int j = 0; j < p->n; j++) {
        struct lanes rest = b[j];
        double scale[SPARSE_LANES];
        for (int l = 0; l < SPARSE_LANES; l++)
            scale[l] = fabs(rest.re[l]) + fabs(rest.im[l]);
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++) {
            const struct lanes term = lanes_product(a[e], x[p->row[e]]);
            for (int l = 0; l < SPARSE_LANES; l++) {
                rest.re[l] -= term.re[l];
                rest.im[l] -= term.im[l];
                scale[l] += fabs(term.re[l]) + fabs(term.im[l]);
            }
        }
        for (int l = 0; l < SPARSE_LANES; l++)
            good &= fabs(rest.re[l]) + fabs(rest.im[l]) <= left_over * scale[l];
    }
    return good;
}

/* Numbers of the factors and of work (which is 0 between calls), of the matrices, right sides and solutions. */
static struct kept_pivots factors_in(struct lanes *at, const struct kept_pivots *k)
{
    struct kept_pivots lanes = *k;
    struct part *const parts[] = {&lanes.lower, &lanes.upper, &lanes.above};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        parts[i]->value = at;
        at += parts[i]->start[k->n];
    }
    lanes.divisor = at;
    lanes.work = at + k->n;
    memset(lanes.work, 0, (size_t)k->n * sizeof *at);
    return lanes;
}

bool lanes_solve_transposed(struct lanes_room *room, const struct kept_pivots *k, const struct sparse_pattern *p,
                            const double complex *const values[SPARSE_LANES], double complex *const b[SPARSE_LANES],
                            double left_over)
{
    const size_t n = (size_t)k->n, entries = (size_t)p->entries;
    if (k->fronts.count > 0)
        return false;
    const size_t factors = (size_t)k->lower.start[n] + (size_t)k->upper.start[n] + (size_t)k->above.start[n];
    if (!array_reserve(&room->numbers, factors + entries + 4 * n, &room->capacity, sizeof(struct lanes)))
        return false;
    struct lanes *const a = room->numbers, *const right = a + entries, *const x = right + n;
    struct kept_pivots lanes = factors_in(x + n, k);
    gather(a, values, entries);
    gather(right, (const double complex *const *)b, n);
    memcpy(x, right, n * sizeof *x);
    lanes_of_factor(&lanes, a, NULL);
    lanes_of_solve_transposed(&lanes, x);
    if (!solve_all(p, a, x, right, left_over))
        return false;
    scatter(b, x, n);
    return true;
}
