/* chart.c - see chart.h. */
#include "cli/report/chart.h"

#include "cli/report/page.h"

#include <math.h>
#include <string.h>

/* Units of the picture, which are pixels on a phone. */
enum { WIDTH = 440, HEIGHT = 236, LOW = 110, LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 34 };

double chart_signed(double value, double least)
{
    const double size = fabs(value) / least;
    return size <= 1 ? value / least : copysign(1 + log10(size), value);
}

/* ---- axes ---- */

static double place_x(const struct chart *c, double x)
{
    return LEFT + (x - c->x.low) / (c->x.high - c->x.low) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct chart *c, double y)
{
    return c->height - BOTTOM - (y - c->y.low) / (c->y.high - c->y.low) * (c->height - TOP - BOTTOM);
}

/* 1, 2 or 5 times a power of ten, so that there are about `wanted` steps. */
static double round_step(double range, int wanted)
{
    const double rough = range / wanted, power = pow(10, floor(log10(rough))), digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static double step_of(const struct chart_axis *a, bool whole, int wanted)
{
    const double range = a->high - a->low;
    if (a->scale == CHART_LINEAR)
        return whole ? fmax(1, round_step(range, 8)) : round_step(range, wanted);
    return fmax(1, ceil(range / (wanted + 1) - 1e-9));
}

/* A range that is empty or nearly so would show rounding. */
static void widen(struct chart_axis *a, bool is_y)
{
    const double middle = (a->low + a->high) / 2;
    if (!(a->low <= a->high)) {
        a->low = 0;
        a->high = 1;
    }
    if (a->high - a->low <= 1e-9 * fabs(middle) || a->high <= a->low) {
        const double room = middle != 0 && a->scale == CHART_LINEAR ? 0.1 * fabs(middle) : 1;
        a->low = middle - room;
        a->high = middle + room;
    }
    if (!is_y)
        return;
    const double room = 0.04 * (a->high - a->low);
    a->low -= room;
    a->high += room;
}

/* Prefix of the unit by which numbers at the axis have few digits; *factor: what values are multiplied by. */
static const char *prefix_of(const struct chart_axis *a, double *factor)
{
    static const char *const prefixes[] = {"f", "p", "n", "\xC2\xB5", "m", "", "k", "M", "G", "T"};
    const double size = fmax(fabs(a->low), fabs(a->high));
    int place = a->scale == CHART_LINEAR && *a->unit && size > 0 ? (int)floor(log10(size) / 3 + 1e-9) : 0;
    place = place < -5 ? -5 : place > 4 ? 4 : place;
    if (strncmp(a->unit, "dB", 2) == 0)
        place = 0;
    *factor = pow(1000, -place);
    return prefixes[place + 5];
}

static void tick_text(const struct chart_axis *a, double factor, double step, double value, char *text, size_t size)
{
    if (a->scale == CHART_LINEAR) {
        const double shown = fabs(value) < step / 1e6 ? 0 : value * factor;
        snprintf(text, size, "%.6g", shown);
        return;
    }
    double power = value;
    if (a->scale == CHART_SIGNED)
        power = log10(a->least) + fabs(value) - 1;
    if (a->scale == CHART_SIGNED && value == 0)
        snprintf(text, size, "0");
    else if (power > -4 && power < 4)
        snprintf(text, size, "%s%.6g", a->scale == CHART_SIGNED && value < 0 ? "\xE2\x88\x92" : "", pow(10, power));
    else
        snprintf(text, size, "%s1e%.0f", a->scale == CHART_SIGNED && value < 0 ? "\xE2\x88\x92" : "", power);
}

static void write_tick(const struct chart *c, bool is_y, double value, const char *text)
{
    if (is_y) {
        const double y = place_y(c, value);
        fprintf(c->to,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 5, y + 3.5, text);
    } else {
        const double x = place_x(c, value);
        fprintf(c->to,
                "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                x, TOP, c->height - BOTTOM, x, c->height - BOTTOM + 14, text);
    }
}

/* Less than two decades: 1, 2 and 5 of each. */
static void write_fine_ticks(const struct chart *c, const struct chart_axis *a, bool is_y)
{
    static const int digits[] = {1, 2, 5};
    for (double power = floor(a->low); power <= a->high; power++)
        for (size_t k = 0; k < sizeof digits / sizeof *digits; k++) {
            char text[40];
            const double value = power + log10(digits[k]);
            if (value < a->low || value > a->high)
                continue;
            if (power > -4 && power < 4)
                snprintf(text, sizeof text, "%.6g", digits[k] * pow(10, power));
            else
                snprintf(text, sizeof text, "%de%.0f", digits[k], power);
            write_tick(c, is_y, value, text);
        }
}

static void write_ticks(const struct chart *c, const struct chart_axis *a, bool is_y)
{
    const double step = step_of(a, is_y && c->all_y_marks, 4), factor = c->factor[is_y];
    if (a->scale == CHART_LOGARITHMIC && a->high - a->low < 2) {
        write_fine_ticks(c, a, is_y);
        return;
    }
    for (double value = ceil(a->low / step - 1e-9) * step; value <= a->high + 1e-9 * step; value += step) {
        char text[40];
        tick_text(a, factor, step, value, text, sizeof text);
        write_tick(c, is_y, value, text);
    }
}

static void write_name(const struct chart *c, const struct chart_axis *a, const char *prefix)
{
    page_text(c->to, a->name);
    if (!*a->unit)
        return;
    fputs(*a->name ? " in " : "", c->to);
    fputs(prefix, c->to);
    page_text(c->to, a->unit);
}

void chart_begin(struct chart *c)
{
    c->height = c->bands ? LOW : HEIGHT;
    widen(&c->x, false);
    widen(&c->y, true);
    const char *prefix_x = prefix_of(&c->x, &c->factor[0]), *prefix_y = prefix_of(&c->y, &c->factor[1]);
    fputs("<figure>\n<figcaption>", c->to);
    page_text(c->to, c->title);
    if (*c->y.unit) {
        fputs(" <span class=\"soft\">in ", c->to);
        fputs(prefix_y, c->to);
        page_text(c->to, c->y.unit);
        fputs("</span>", c->to);
    }
    fprintf(c->to, "</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
            c->height);
    page_text(c->to, c->title);
    fputs("\">\n", c->to);
    write_ticks(c, &c->x, false);
    if (!c->bands)
        write_ticks(c, &c->y, true);
    fprintf(c->to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT, TOP,
            c->height - BOTTOM, WIDTH - RIGHT, WIDTH - RIGHT, c->height - 4);
    write_name(c, &c->x, prefix_x);
    fputs("</text>\n", c->to);
}

/* ---- what is in it ---- */

void chart_line_begin(struct chart *c, size_t colour)
{
    fprintf(c->to, "<path class=\"trace\" style=\"stroke:var(--t%zu)\" d=\"", colour % CHART_COLOURS);
    c->line_open = false;
}

void chart_line_to(struct chart *c, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        c->line_open = false;
        return;
    }
    fprintf(c->to, "%c%.1f %.1f", c->line_open ? 'L' : 'M', place_x(c, x), place_y(c, y));
    c->line_open = true;
}

void chart_line_end(struct chart *c)
{
    fputs("\"/>\n", c->to);
}

void chart_trace(struct chart *c, const struct buckets *b, size_t trace, size_t colour)
{
    chart_line_begin(c, colour);
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket *at = &b->bucket[i];
        const struct bucket_trace *t = &b->trace[i * b->traces + trace];
        const double middle = (at->first_x + at->last_x) / 2;
        if (!at->used)
            continue;
        chart_line_to(c, at->first_x, t->first);
        if (t->least < fmin(t->first, t->last))
            chart_line_to(c, middle, t->least);
        if (t->greatest > fmax(t->first, t->last))
            chart_line_to(c, middle, t->greatest);
        if (at->last_x > at->first_x)
            chart_line_to(c, at->last_x, t->last);
    }
    chart_line_end(c);
}

void chart_take_in(struct chart *c, const struct buckets *b, size_t trace)
{
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket_trace *t = &b->trace[i * b->traces + trace];
        if (!b->bucket[i].used)
            continue;
        c->x.low = fmin(c->x.low, b->bucket[i].first_x);
        c->x.high = fmax(c->x.high, b->bucket[i].last_x);
        c->y.low = fmin(c->y.low, t->least);
        c->y.high = fmax(c->y.high, t->greatest);
    }
}

void chart_cross(struct chart *c, double x, double y, size_t colour)
{
    if (isfinite(x) && isfinite(y))
        fprintf(c->to, "<path style=\"stroke:var(--t%zu);stroke-width:1.8\" d=\"M%.1f %.1fl7 7m0 -7l-7 7\"/>\n",
                colour % CHART_COLOURS, place_x(c, x) - 3.5, place_y(c, y) - 3.5);
}

void chart_band(struct chart *c, double from, double to, size_t colour)
{
    const double left = place_x(c, from), right = place_x(c, to);
    fprintf(c->to, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" style=\"fill:var(--t%zu)\"/>\n", left, TOP,
            fmax(right - left, 0.4), c->height - TOP - BOTTOM, colour % CHART_COLOURS);
}

void chart_end(struct chart *c, const char *const *names, size_t count)
{
    fputs("</svg>\n", c->to);
    if (names && count > 0) {
        fputs("<ul class=\"legend\">", c->to);
        for (size_t i = 0; i < count; i++) {
            fprintf(c->to, "<li><i style=\"background:var(--t%zu)\"></i>", i % CHART_COLOURS);
            page_text(c->to, names[i]);
            fputs("</li>", c->to);
        }
        fputs("</ul>\n", c->to);
    }
    fputs("</figure>\n", c->to);
}
