/* measure_replay.c - the curve kept in memory, and looked at once more for what depends on results of it.
 *
 * Where an analysis finds any point of its curve at any time, rows are kept; else the polynomials of its pieces, which
 * have been halved until they are what the variables do.
 */
#include "analyses/measure/measure_parts.h"
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum kn_status push(struct measurements *all, double from, double to, const double *const *parts, size_t count)
{
    if (!array_reserve(&all->kept, all->kept_count + 1, &all->kept_capacity, sizeof *all->kept))
        return KN_ERROR_MEMORY;
    struct kept_piece *p = &all->kept[all->kept_count];
    *p = (struct kept_piece){from, to, malloc((count * all->numbers + 1) * sizeof(double))};
    if (!p->values)
        return KN_ERROR_MEMORY;
    all->kept_count++;
    for (size_t k = 0; k < count && all->numbers > 0; k++)
        memcpy(p->values + k * all->numbers, parts[k], all->numbers * sizeof(double));
    return KN_OK;
}

static enum kn_status keep_part(void *context, double from, double to, const double *values)
{
    struct measurements *all = context;
    const double *points[CURVE_POINTS];
    for (size_t k = 0; k < CURVE_POINTS; k++)
        points[k] = values + k * all->numbers;
    return push(all, from, to, points, CURVE_POINTS);
}

enum kn_status measure_keep(struct measurements *all, const struct measure_piece *piece)
{
    if (all->curve.anywhere)
        return push(all, piece->from, piece->to, (const double *const[]){piece->begin, piece->end}, 2);
    const struct curve_splitter splitter = {.look = piece->look,
                                            .count = all->numbers,
                                            .scales = all->scales,
                                            .workspace = all->split_workspace,
                                            .exact = 1e-2 * all->curve.exact,
                                            .context = all,
                                            .part = keep_part};
    return curve_split(&splitter, piece->from, piece->to);
}

enum kn_status measure_keep_point(struct measurements *all)
{
    const struct sample *point = &all->points[0];
    const double *values[CURVE_POINTS];
    for (size_t k = 0; k < CURVE_POINTS; k++)
        values[k] = point->values;
    return push(all, point->u, point->u, values, all->curve.anywhere ? 2 : CURVE_POINTS);
}

static bool is_within(const struct kept_piece *p, double s)
{
    return s >= fmin(p->from, p->to) && s <= fmax(p->from, p->to);
}

/* The kept piece in which s lies: the one looked at, or the first. */
static const struct kept_piece *piece_of(const struct measurements *all, double s)
{
    if (is_within(all->replayed, s))
        return all->replayed;
    size_t low = 0, high = all->kept_count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all->sign * all->kept[middle].to >= all->sign * s)
            high = middle;
        else
            low = middle + 1;
    }
    return &all->kept[low];
}

static enum kn_status look_at_kept(void *context, double s, double *values)
{
    const struct measurements *all = context;
    const struct kept_piece *p = piece_of(all, s);
    const double length = p->to - p->from; /* 0 of a curve of one point */
    const double part = length != 0 ? fmin(fmax((s - p->from) / length, 0), 1) : 0;
    for (size_t i = 0; i < all->numbers; i++)
        values[i] = curve_value(p->values + i, all->numbers, part);
    return KN_OK;
}

static void take_kept(struct measurements *all, const struct kept_piece *p, const struct curve_look *live)
{
    const size_t last = all->curve.anywhere ? 1 : CURVE_POINTS - 1, n = all->numbers;
    const struct measure_piece piece = {p->from, p->to, p->values, p->values + last * n,
                                        all->curve.anywhere ? *live : (struct curve_look){all, look_at_kept}};
    all->replayed = p;
    measure_take_piece(all, &piece);
    for (int k = 1; k <= CURVE_GAUSS && !all->curve.anywhere; k++) {
        all->points[k].u = curve_point(all->points[0].u, all->points[CURVE_POINTS - 1].u, k);
        memcpy(all->points[k].values, p->values + (size_t)k * n, n * sizeof(double));
    }
    all->filled = !all->curve.anywhere;
}

void measure_replay(struct measurements *all, struct measurement *item, const struct curve_look *live,
                    void (*watch)(struct measurements *all, struct measurement *item))
{
    all->points[0].u = all->points[CURVE_POINTS - 1].u = INFINITY;
    for (size_t i = 0; i < all->kept_count && all->status == KN_OK; i++) {
        take_kept(all, &all->kept[i], live);
        watch(all, item);
    }
}
