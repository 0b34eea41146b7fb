/* measure_means.c - integrals and means of signals, their squares and their differences, by Gauss's formula on the parts of
 * a piece that have no corner. */
#include "analyses/measure/measure_parts.h"

#include <math.h>

/* Both signals, and whether they count. */
enum { NUMBERS = MEASURE_INTEGRATED };

struct integration {
    struct measurements *all;
    struct measurement *item;
};

/* Where an error is asked for; it is a number so that the curve is split where it changes. */
static double counts(const struct measure *card, const double *values)
{
    const bool is_error = card->kind >= MEASURE_ERROR_SQUARE && card->kind <= MEASURE_ERROR_LOGARITHM;
    return !is_error || (fabs(values[0]) >= card->least && fabs(values[0]) <= card->most);
}

static enum kn_status look(void *context, double u, double *values)
{
    const struct integration *i = context;
    measure_look(i->all, u, &i->all->spare);
    values[0] = measure_value_of(i->all, &i->item->signal, &i->all->spare);
    values[1] = i->item->other.expression ? measure_value_of(i->all, &i->item->other, &i->all->spare) : 0;
    values[2] = counts(i->item->card, values);
    return i->all->status;
}

/* Of HSPICE's ERR1 to ERR3: sums over points there, means over the scale here. */
static double integrand(const struct measure *card, const double *values)
{
    const bool density = card->kind == MEASURE_INTEGRAL && card->domain == MEASURE_OF_NOISE;
    const double size = fmax(card->minval, fabs(values[0])), error = (values[0] - values[1]) / size;
    switch (density ? MEASURE_RMS : card->kind) {
    case MEASURE_RMS:
        return values[0] * values[0];
    case MEASURE_ERROR_SQUARE:
        return error * error;
    case MEASURE_ERROR_ABSOLUTE:
        return fabs(error);
    case MEASURE_ERROR_LOGARITHM:
        return fabs(log(size / fmax(card->minval, fabs(values[1])))) / fabs(log(size));
    default:
        return values[0];
    }
}

static enum kn_status add(void *context, double from, double to, const double *values)
{
    const struct integration *i = context;
    for (int k = 1; k <= CURVE_GAUSS; k++) {
        const double *here = values + NUMBERS * k, weight = (to - from) * curve_weights[k] * here[2];
        i->item->sum += weight > 0 ? weight * integrand(i->item->card, here) : 0;
        i->item->span += weight;
    }
    return KN_OK;
}

/* ---- distances from the points of a file ---- */

static void add_difference(const struct measurements *all, struct measurement *item, const struct sample *at,
                           double value)
{
    const double size = fabs(measure_value_of(all, &item->signal, at) - value);
    switch (item->card->norm) {
    case NORM_SUM:
        item->sum += size;
        break;
    case NORM_LARGEST:
        item->sum = fmax(item->sum, size);
        break;
    case NORM_SQUARES:
        item->sum += size * size;
        break;
    }
    item->span = 1;
}

void watch_comparison(struct measurements *all, struct measurement *item)
{
    const struct measure *card = item->card;
    const double begin = all->points[0].u, end = all->points[CURVE_POINTS - 1].u;
    for (; item->compared < card->point_count; item->compared++) {
        const size_t k = all->sign > 0 ? item->compared : card->point_count - 1 - item->compared;
        const double u = all->sign * card->points[2 * k];
        if (u > end)
            return;
        if (u < begin)
            item->reason = "the file has points in front of the run";
        if (u < begin || u < item->from || u > item->to)
            continue;
        measure_look(all, u, &all->spare);
        add_difference(all, item, &all->spare, card->points[2 * k + 1]);
    }
}

/* ---- means ---- */

/* Means over a window that shrinks to a point become the value there, integrals 0. */
void watch_mean_point(struct measurements *all, struct measurement *item, double u)
{
    struct integration i = {all, item};
    double values[NUMBERS];
    if (look(&i, u, values) != KN_OK)
        return;
    item->sum = item->card->kind == MEASURE_INTEGRAL ? 0 : values[2] * integrand(item->card, values);
    item->span = values[2];
}

void watch_integral(struct measurements *all, struct measurement *item, double from, double to)
{
    struct integration i = {all, item};
    measure_fill(all);
    measure_test(all);
    const struct curve_splitter splitter = {.look = {&i, look},
                                            .count = NUMBERS,
                                            .scales = item->scales,
                                            .workspace = all->workspace,
                                            .exact = all->curve.exact,
                                            .sums = true,
                                            .context = &i,
                                            .part = add};
    curve_split(&splitter, from, to);
}
