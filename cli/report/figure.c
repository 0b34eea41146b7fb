/* figure.c - see figure.h. */
#include "cli/report/figure.h"

#include "cli/report/page.h"

#include <math.h>
#include <string.h>

/* Units of the picture, which are pixels on a phone. */
enum { WIDTH = 440, HEIGHT = 236, LOW = 110, LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 34, TICKS = 6 };

double figure_signed(double value, double least)
{
    const double size = fabs(value) / least;
    return size <= 1 ? value / least : copysign(1 + log10(size), value);
}

/* ---- axes ---- */

static double place_x(const struct figure *f, double x)
{
    return LEFT + (x - f->x.low) / (f->x.high - f->x.low) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct figure *f, double y)
{
    return f->height - BOTTOM - (y - f->y.low) / (f->y.high - f->y.low) * (f->height - TOP - BOTTOM);
}

/* A range that is empty or nearly so would show rounding. */
static void widen(struct figure_axis *a, bool is_y)
{
    const double middle = (a->low + a->high) / 2;
    if (!(a->low <= a->high)) {
        a->low = 0;
        a->high = 1;
    }
    if (a->high - a->low <= 1e-9 * fabs(middle) || a->high <= a->low) {
        const double room = middle != 0 && a->scale == FIGURE_LINEAR ? 0.1 * fabs(middle) : 1;
        a->low = middle - room;
        a->high = middle + room;
    }
    if (!is_y)
        return;
    const double room = 0.04 * (a->high - a->low);
    a->low -= room;
    a->high += room;
}

/* Of the digit 1, 2 or 5 at a power of ten. */
static void power_text(double digit, double power, const char *sign, char *text, size_t size)
{
    if (power > -4 && power < 4)
        snprintf(text, size, "%s%.6g", sign, digit * pow(10, power));
    else
        snprintf(text, size, "%s%.0fe%.0f", sign, digit, power);
}

static bool signed_tick(const struct figure_axis *a, int k, double *value, char *text, size_t size)
{
    const double step = fmax(1, ceil((a->high - a->low) / (TICKS - 1) - 1e-9));
    *value = (ceil(a->low / step - 1e-9) + k) * step;
    if (*value == 0)
        snprintf(text, size, "0");
    else
        power_text(1, log10(a->least) + fabs(*value) - 1, *value < 0 ? "\xE2\x88\x92" : "", text, size);
    return *value <= a->high + 1e-9 * step;
}

/* The k-th mark of an axis; false beyond its end. */
static bool tick(const struct figure_axis *a, int k, double *value, char *text, size_t size)
{
    if (a->scale == FIGURE_SIGNED)
        return signed_tick(a, k, value, text, size);
    const bool there = scale_tick(&a->ticks, k, value);
    if (a->scale == FIGURE_LINEAR) {
        snprintf(text, size, "%.6g", *value / a->power + 0.0);
        return there;
    }
    *value = log10(*value);
    const double power = floor(*value + 1e-9);
    power_text(pow(10, *value - power), power, "", text, size);
    return there;
}

static void write_tick(const struct figure *f, bool is_y, double value, const char *text)
{
    if (is_y) {
        const double y = place_y(f, value);
        fprintf(f->to,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 5, y + 3.5, text);
    } else {
        const double x = place_x(f, value);
        fprintf(f->to,
                "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                x, TOP, f->height - BOTTOM, x, f->height - BOTTOM + 14, text);
    }
}

static void write_ticks(const struct figure *f, const struct figure_axis *a, bool is_y)
{
    double value;
    char text[40];
    for (int k = 0; tick(a, k, &value, text, sizeof text); k++)
        write_tick(f, is_y, value, text);
}

/* The prefix of its unit. */
static const char *set_marks(struct figure_axis *a, bool whole)
{
    const bool logarithmic = a->scale == FIGURE_LOGARITHMIC;
    const struct chart_axis axis = {a->name, a->unit, logarithmic, NAN, NAN};
    const double range[] = {logarithmic ? pow(10, a->low) : a->low, logarithmic ? pow(10, a->high) : a->high};
    a->power = 1;
    if (a->scale == FIGURE_SIGNED)
        return "";
    a->ticks = scale_make(range, whole ? 2 * TICKS : TICKS, &axis);
    a->ticks.step = whole ? fmax(a->ticks.step, 1) : a->ticks.step;
    return scale_prefix(range, &axis, &a->power);
}

static void write_name(const struct figure *f, const struct figure_axis *a, const char *prefix)
{
    page_text(f->to, a->name);
    if (!*a->unit)
        return;
    fputs(*a->name ? " in " : "", f->to);
    fputs(prefix, f->to);
    page_text(f->to, a->unit);
}

void figure_begin(struct figure *f)
{
    f->height = f->bands ? LOW : HEIGHT;
    widen(&f->x, false);
    widen(&f->y, true);
    const char *prefix_x = set_marks(&f->x, false), *prefix_y = set_marks(&f->y, f->whole_y_marks);
    fputs("<figure>\n<figcaption>", f->to);
    page_text(f->to, f->title);
    if (*f->y.unit) {
        fputs(" <span class=\"soft\">in ", f->to);
        fputs(prefix_y, f->to);
        page_text(f->to, f->y.unit);
        fputs("</span>", f->to);
    }
    fprintf(f->to, "</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
            f->height);
    page_text(f->to, f->title);
    fputs("\">\n", f->to);
    write_ticks(f, &f->x, false);
    if (!f->bands)
        write_ticks(f, &f->y, true);
    fprintf(f->to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT, TOP,
            f->height - BOTTOM, WIDTH - RIGHT, WIDTH - RIGHT, f->height - 4);
    write_name(f, &f->x, prefix_x);
    fputs("</text>\n", f->to);
}

/* ---- what is in it ---- */

void figure_line_begin(struct figure *f, size_t colour)
{
    fprintf(f->to, "<path class=\"trace\" style=\"stroke:var(--t%zu)\" d=\"", colour % CHART_COLOURS);
    f->line_open = false;
}

void figure_line_to(struct figure *f, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        f->line_open = false;
        return;
    }
    fprintf(f->to, "%c%.1f %.1f", f->line_open ? 'L' : 'M', place_x(f, x), place_y(f, y));
    f->line_open = true;
}

void figure_line_end(struct figure *f)
{
    fputs("\"/>\n", f->to);
}

void figure_trace(struct figure *f, const struct buckets *b, size_t trace, size_t colour)
{
    figure_line_begin(f, colour);
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket *at = &b->bucket[i];
        const struct bucket_trace *t = &b->trace[i * b->traces + trace];
        const double middle = (at->first_x + at->last_x) / 2;
        if (!at->used)
            continue;
        figure_line_to(f, at->first_x, t->first);
        if (t->least < fmin(t->first, t->last))
            figure_line_to(f, middle, t->least);
        if (t->greatest > fmax(t->first, t->last))
            figure_line_to(f, middle, t->greatest);
        if (at->last_x > at->first_x)
            figure_line_to(f, at->last_x, t->last);
    }
    figure_line_end(f);
}

void figure_take_in(struct figure *f, const struct buckets *b, size_t trace)
{
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket_trace *t = &b->trace[i * b->traces + trace];
        if (!b->bucket[i].used)
            continue;
        f->x.low = fmin(f->x.low, b->bucket[i].first_x);
        f->x.high = fmax(f->x.high, b->bucket[i].last_x);
        f->y.low = fmin(f->y.low, t->least);
        f->y.high = fmax(f->y.high, t->greatest);
    }
}

void figure_cross(struct figure *f, double x, double y, size_t colour)
{
    if (isfinite(x) && isfinite(y))
        fprintf(f->to, "<path style=\"stroke:var(--t%zu);stroke-width:1.8\" d=\"M%.1f %.1fl7 7m0 -7l-7 7\"/>\n",
                colour % CHART_COLOURS, place_x(f, x) - 3.5, place_y(f, y) - 3.5);
}

void figure_band(struct figure *f, double from, double to, size_t colour)
{
    const double left = place_x(f, from), right = place_x(f, to);
    fprintf(f->to, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" style=\"fill:var(--t%zu)\"/>\n", left, TOP,
            fmax(right - left, 0.4), f->height - TOP - BOTTOM, colour % CHART_COLOURS);
}

void figure_end(struct figure *f, const char *const *names, size_t count)
{
    fputs("</svg>\n", f->to);
    if (names && count > 0) {
        fputs("<ul class=\"legend\">", f->to);
        for (size_t i = 0; i < count; i++) {
            fprintf(f->to, "<li><i style=\"background:var(--t%zu)\"></i>", i % CHART_COLOURS);
            page_text(f->to, names[i]);
            fputs("</li>", f->to);
        }
        fputs("</ul>\n", f->to);
    }
    fputs("</figure>\n", f->to);
}
