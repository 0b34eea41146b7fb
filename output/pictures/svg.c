/* svg.c - see svg.h. */
#include "output/pictures/svg.h"

#include "base/html.h"
#include "output/pictures/scale.h"

#include <math.h>

/* Units of the picture, which are pixels on a phone. */
enum { WIDTH = 440, HEIGHT = 236, LOW = 110, LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 34, TICKS = 6 };

struct svg {
    FILE *to;
    struct chart *chart;
    const struct chart_panel *panel;
    struct scale x, y;
    double power[2]; /* by which numbers at x, y are divided: the unit has a prefix */
    const char *prefix[2];
    int height;
    bool bands; /* nothing but bands: low, without numbers at y */
};

static double place_x(const struct svg *s, double x)
{
    return LEFT + scale_part(&s->x, x) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct svg *s, double y)
{
    return s->height - BOTTOM - scale_part(&s->y, y) * (s->height - TOP - BOTTOM);
}

/* ---- axes ---- */

static void write_x_tick(const struct svg *s, double value, const char *text)
{
    const double x = place_x(s, value);
    fprintf(s->to, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n",
            x, TOP, s->height - BOTTOM, x, s->height - BOTTOM + 14, x > WIDTH - 2 * RIGHT ? "end" : "middle", text);
}

static void write_y_tick(const struct svg *s, double value, const char *text)
{
    const double y = place_y(s, value);
    fprintf(s->to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            LEFT, y, WIDTH - RIGHT, LEFT - 5, y + 3.5, text);
}

static void write_ticks(const struct svg *s, const struct scale *axis, double power,
                        void (*write)(const struct svg *s, double value, const char *text))
{
    double value;
    char text[48];
    for (int k = 0; scale_tick(axis, k, &value); k++) {
        scale_number(axis, value, power, text, sizeof text);
        write(s, value, text);
    }
}

static void write_name(const struct svg *s)
{
    const struct chart_axis *x = &s->panel->x;
    html_write(s->to, x->label);
    if (!*x->unit)
        return;
    fprintf(s->to, "%s%s", *x->label ? " in " : "", s->prefix[0]);
    html_write(s->to, x->unit);
}

static void write_caption(const struct svg *s)
{
    fputs("<figure>\n<figcaption>", s->to);
    html_write(s->to, s->panel->title);
    if (*s->panel->y.unit) {
        fprintf(s->to, " <span class=\"soft\">in %s", s->prefix[1]);
        html_write(s->to, s->panel->y.unit);
        fputs("</span>", s->to);
    }
    fprintf(s->to, "</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
            s->height);
    html_write(s->to, s->panel->title);
    fputs("\">\n", s->to);
}

static void write_axes(const struct svg *s)
{
    write_ticks(s, &s->x, s->power[0], write_x_tick);
    if (!s->bands)
        write_ticks(s, &s->y, s->power[1], write_y_tick);
    fprintf(s->to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, s->height - BOTTOM, WIDTH - RIGHT);
    if (s->x.least > 0 && s->x.low < 0 && s->x.high > 0)
        fprintf(s->to, "<path class=\"axis\" d=\"M%.1f %dV%d\"/>\n", place_x(s, 0), TOP, s->height - BOTTOM);
    fprintf(s->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH - RIGHT, s->height - 4);
    write_name(s);
    fputs("</text>\n", s->to);
}

/* ---- curves ---- */

static void draw_line(const struct svg *s, const struct chart_trace *t)
{
    bool open = false;
    fprintf(s->to, "<path class=\"trace\" style=\"stroke:var(--t%d)\" d=\"", t->colour % CHART_COLOURS);
    for (size_t i = 0; i < t->count; i++) {
        const double x = place_x(s, t->x[i]), y = place_y(s, t->y[i]);
        const bool there = isfinite(x) && isfinite(y);
        if (there)
            fprintf(s->to, "%c%.1f %.1f", open ? 'L' : 'M', x, y);
        open = there;
    }
    fputs("\"/>\n", s->to);
}

static void draw_crosses(const struct svg *s, const struct chart_trace *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const double x = place_x(s, t->x[i]), y = place_y(s, t->y[i]);
        if (isfinite(x) && isfinite(y))
            fprintf(s->to, "<path style=\"stroke:var(--t%d);stroke-width:1.8\" d=\"M%.1f %.1fl7 7m0 -7l-7 7\"/>\n",
                    t->colour % CHART_COLOURS, x - 3.5, y - 3.5);
    }
}

/* Each two points are a rectangle from one x to the other over the whole height. */
static void draw_bands(const struct svg *s, const struct chart_trace *t)
{
    const double least = 0.4; /* that can still be seen */
    for (size_t i = 0; i + 1 < t->count; i += 2) {
        const double left = place_x(s, t->x[i]), right = place_x(s, t->x[i + 1]);
        fprintf(s->to, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" style=\"fill:var(--t%d)\"/>\n", left,
                TOP, fmax(right - left, least), s->height - TOP - BOTTOM, t->colour % CHART_COLOURS);
    }
}

static void draw(const struct svg *s, const struct chart_trace *t)
{
    void (*const as[])(const struct svg *, const struct chart_trace *) = {
        [CHART_LINE] = draw_line, [CHART_CROSSES] = draw_crosses, [CHART_BANDS] = draw_bands};
    as[t->drawn](s, t);
}

static void write_key(const struct svg *s)
{
    const struct chart_panel *p = s->panel;
    size_t listed = 0;
    for (size_t i = 0; i < p->count; i++)
        listed += !p->traces[i].unlisted;
    if (listed < 2 && !s->bands)
        return;
    fputs("<ul class=\"legend\">", s->to);
    for (size_t i = 0; i < p->count; i++) {
        if (p->traces[i].unlisted)
            continue;
        fprintf(s->to, "<li><i style=\"background:var(--t%d)\"></i>", p->traces[i].colour % CHART_COLOURS);
        html_write(s->to, chart_label(s->chart, &p->traces[i]));
        fputs("</li>", s->to);
    }
    fputs("</ul>\n", s->to);
}

/* ---- a panel ---- */

static bool is_all_bands(const struct chart_panel *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->traces[i].drawn != CHART_BANDS)
            return false;
    return true;
}

/* Curves do not touch the frame. */
static void make_room(const struct chart_axis *y, double range[2])
{
    const double low = scale_stretched(y, range[0]), high = scale_stretched(y, range[1]), room = 0.04 * (high - low);
    range[0] = scale_unstretched(y, low - room);
    range[1] = scale_unstretched(y, high + room);
}

static void write_panel(struct chart *c, const struct chart_panel *p, FILE *to)
{
    double x[2], y[2];
    struct svg s = {.to = to, .chart = c, .panel = p, .bands = is_all_bands(p)};
    if (!chart_ranges(p, x, y)) {
        fputs("<figure>\n<figcaption>", to);
        html_write(to, p->title);
        fputs("</figcaption>\n<p class=\"soft\">No value can be drawn.</p>\n</figure>\n", to);
        return;
    }
    make_room(&p->y, y);
    s.height = s.bands ? LOW : HEIGHT;
    s.x = scale_make(x, TICKS, &p->x);
    s.y = scale_make(y, TICKS, &p->y);
    s.prefix[0] = scale_prefix(x, &p->x, &s.power[0]);
    s.prefix[1] = scale_prefix(y, &p->y, &s.power[1]);
    write_caption(&s);
    write_axes(&s);
    for (size_t i = 0; i < p->count; i++)
        draw(&s, &p->traces[i]);
    fputs("</svg>\n", to);
    write_key(&s);
    fputs("</figure>\n", to);
}

void chart_svg(struct chart *c, FILE *to)
{
    for (size_t i = 0; i < c->count; i++)
        write_panel(c, &c->panels[i], to);
}
