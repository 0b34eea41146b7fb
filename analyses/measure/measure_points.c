/* measure_points.c - the points of the piece that is looked at. */
#include "analyses/measure/measure_parts.h"

#include <string.h>

static void copy_values(const struct measurements *all, const double *values, struct sample *out)
{
    if (all->numbers > 0)
        memcpy(out->values, values, all->numbers * sizeof *values);
}

static bool find(const struct measurements *all, const struct sample *samples, int count, double u, struct sample *out)
{
    for (int k = 0; k < count; k++)
        if (samples[k].u == u) {
            copy_values(all, samples[k].values, out);
            return true;
        }
    return false;
}

void measure_look(struct measurements *all, double u, struct sample *out)
{
    out->u = u;
    if ((all->filled && find(all, all->points + 1, CURVE_GAUSS, u, out)) ||
        (all->tested && find(all, all->tests, CURVE_TESTS, u, out)))
        return;
    const enum kn_status status = all->look.at(all->look.context, all->sign * u, out->values);
    all->status = all->status == KN_OK ? status : all->status;
}

void measure_test(struct measurements *all)
{
    const double from = all->points[0].u, to = all->points[CURVE_POINTS - 1].u;
    if (all->tested || !all->curve.dense)
        return;
    for (int k = 0; k < CURVE_TESTS; k++)
        measure_look(all, from + (to - from) * curve_tests[k], &all->tests[k]);
    all->tested = true;
}

void measure_fill(struct measurements *all)
{
    if (all->filled || !all->curve.dense)
        return;
    const double from = all->points[0].u, to = all->points[CURVE_POINTS - 1].u;
    for (int k = 1; k <= CURVE_GAUSS; k++)
        measure_look(all, curve_point(from, to, k), &all->points[k]);
    all->filled = true;
}

int measure_next_point(const struct measurements *all, int k)
{
    return all->curve.dense || k == CURVE_POINTS - 1 ? k + 1 : CURVE_POINTS - 1;
}

void measure_take_piece(struct measurements *all, const struct measure_piece *piece)
{
    struct sample *first = &all->points[0], *last = &all->points[CURVE_POINTS - 1];
    const struct sample old = all->older;
    all->older = *first;
    all->goes_on = last->u == all->sign * piece->from && all->older.u < last->u;
    *first = old;
    first->u = all->sign * piece->from;
    last->u = all->sign * piece->to;
    copy_values(all, piece->begin, first);
    copy_values(all, piece->end, last);
    all->filled = all->tested = false;
    all->look = piece->look;
}

void measure_remember_end(struct measurements *all)
{
    const struct sample *end = &all->points[CURVE_POINTS - 1];
    all->last.u = end->u;
    copy_values(all, end->values, &all->last);
}
