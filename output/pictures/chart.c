/* chart.c - see chart.h. */
#include "output/pictures/chart.h"

#include "base/array.h"

#include <float.h>
#include <math.h>
#include <string.h>

void chart_init(struct chart *c, struct arena *a, const char *title)
{
    *c = (struct chart){.arena = a, .title = title};
}

struct chart_panel *chart_add_panel(struct chart *c, const struct chart_panel *as)
{
    if (!array_reserve_in(c->arena, &c->panels, c->count, c->count + 1, &c->capacity, sizeof *c->panels))
        return NULL;
    struct chart_panel *p = &c->panels[c->count++];
    *p = *as;
    p->traces = NULL;
    p->count = p->capacity = 0;
    return p;
}

bool chart_add_trace(struct chart *c, struct chart_panel *p, const struct chart_trace *t)
{
    if (!array_reserve_in(c->arena, &p->traces, p->count, p->count + 1, &p->capacity, sizeof *p->traces))
        return false;
    p->traces[p->count++] = *t;
    return true;
}

static void take_powers(bool logarithmic, double *values, size_t count)
{
    for (size_t i = 0; logarithmic && i < count; i++)
        values[i] = pow(10, values[i]);
}

bool chart_add_buckets(struct chart *c, struct chart_panel *p, const struct buckets *b, size_t number,
                       const struct chart_trace *as)
{
    double *x, *y;
    struct chart_trace made = *as;
    if (!arena_vectors(c->arena, 4 * b->used + 1, (double **const[]){&x, &y, NULL}))
        return false;
    made.count = buckets_points(b, number, x, y);
    take_powers(p->x.logarithmic, x, made.count);
    take_powers(p->y.logarithmic, y, made.count);
    made.x = x;
    made.y = y;
    return chart_add_trace(c, p, &made);
}

bool chart_add_mark(struct chart *c, const struct chart_mark *m)
{
    if (!array_reserve_in(c->arena, &c->marks, c->mark_count, c->mark_count + 1, &c->mark_capacity, sizeof *c->marks))
        return false;
    c->marks[c->mark_count++] = *m;
    return true;
}

/* ---- ranges ---- */

/* Numbers whose differences are numbers, too. */
static bool is_shown(const struct chart_axis *axis, double value)
{
    return fabs(value) < DBL_MAX / 4 && (!axis->logarithmic || value > 0);
}

static void widen(const struct chart_axis *axis, double range[2])
{
    /* Changes below this part of a value are rounding, no waveform. */
    const double flat = 1e-9, size = fmax(fabs(range[0]), fabs(range[1]));
    if (range[1] - range[0] > flat * size)
        return;
    const double margin = axis->logarithmic ? 0 : size > 0 ? 0.1 * size : 1;
    range[0] = axis->logarithmic ? range[0] / 2 : range[0] - margin;
    range[1] = axis->logarithmic ? range[1] * 2 : range[1] + margin;
}

static void obey(const struct chart_axis *axis, double range[2])
{
    if (isfinite(axis->from) && isfinite(axis->to) && axis->to > axis->from) {
        range[0] = axis->from;
        range[1] = axis->to;
    }
    widen(axis, range);
}

bool chart_ranges(const struct chart_panel *p, double x[2], double y[2])
{
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->traces[i].count; k++) {
            const double here = p->traces[i].x[k], value = p->traces[i].y[k];
            if (!is_shown(&p->x, here) || !is_shown(&p->y, value))
                continue;
            x[0] = fmin(x[0], here);
            x[1] = fmax(x[1], here);
            y[0] = fmin(y[0], value);
            y[1] = fmax(y[1], value);
        }
    if (!(x[0] <= x[1]))
        return false;
    obey(&p->x, x);
    obey(&p->y, y);
    return true;
}

/* ---- words ---- */

const char *chart_label(struct chart *c, const struct chart_trace *t)
{
    const char *text = t->run ? arena_format(c->arena, "%s, %s", t->name, t->run) : t->name;
    return text ? text : t->name;
}

const char *chart_colour(int number, bool dark)
{
    static const char *const colours[][CHART_COLOURS] = {
        {"#0072b2", "#d55e00", "#009e73", "#b3488a", "#a07800", "#3a9bd9", "#000000", "#8c6d5a"},
        {"#56b4e9", "#ff9e4a", "#3fd6a4", "#ef9ccb", "#f0e442", "#9db7ff", "#f2f2f2", "#c9a58d"}};
    return colours[dark][number % CHART_COLOURS];
}
