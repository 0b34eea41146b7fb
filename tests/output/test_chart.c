/* Pictures: what is left of a long curve, places of ticks, and what gnuplot is told. */
#include "claims.h"
#include "output/pictures/buckets.h"
#include "output/pictures/chart_terminal.h"
#include "output/pictures/gnuplot.h"
#include "output/pictures/scale.h"
#include "output/pictures/svg.h"

#include <stdlib.h>
#include <string.h>

static const struct chart_axis plain_axis = {"voltage", "V", false, NAN, NAN, 0, false},
                               log_axis = {"frequency", "Hz", true, NAN, NAN, 0, false};

/* ---- points of buckets ---- */

static void a_thinned_curve_keeps_every_extreme_in_order_and_invents_nothing(void)
{
    enum { POINTS = 100000, BUCKETS = 100 };
    struct buckets b;
    static double x[4 * BUCKETS], y[4 * BUCKETS];
    CU_ASSERT_EQUAL_FATAL(buckets_init_between(&b, BUCKETS, 0, 1), KN_OK);
    for (int i = 0; i < POINTS; i++) {
        const double at = (double)i / (POINTS - 1), value = i == 54321 ? 7 : sin(40 * at);
        buckets_add(&b, at, &value);
    }
    CU_ASSERT_EQUAL(b.used, BUCKETS);
    const size_t count = buckets_points(&b, 0, x, y);
    bool spike = false;
    CU_ASSERT(count > 2 * BUCKETS && count <= 4 * BUCKETS);
    CU_ASSERT(x[0] == 0 && x[count - 1] == 1);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT(i == 0 || x[i] >= x[i - 1]);
        const bool here = x[i] == 54321.0 / (POINTS - 1) && y[i] == 7;
        spike |= here;
        CU_ASSERT(here || y[i] == sin(40 * x[i]));
    }
    CU_ASSERT(spike);
    buckets_free(&b);
}

/* ---- scales ---- */

static size_t ticks_of(const struct scale *s, double ticks[64])
{
    size_t count = 0;
    while (scale_tick(s, (int)count, &ticks[count]))
        count++;
    return count;
}

static void ticks_are_round_and_logarithmic_ones_are_decades(void)
{
    double ticks[65];
    struct scale s = scale_make((double[]){-0.3, 2.1}, 5, &plain_axis);
    CU_ASSERT_EQUAL(ticks_of(&s, ticks), 5);
    CHECK_NEAR(ticks[0], 0, 1e-15);
    CHECK_NEAR(ticks[4], 2, 1e-15);
    s = scale_make((double[]){10, 1e6}, 6, &log_axis);
    CU_ASSERT_EQUAL(ticks_of(&s, ticks), 6);
    CHECK_NEAR(ticks[0], 10, 1e-9);
    CHECK_NEAR(ticks[5], 1e6, 1e-3);
    CHECK_NEAR(scale_part(&s, 1e3), 0.4, 1e-12);
    s = scale_make((double[]){3, 60}, 6, &log_axis);
    CU_ASSERT_EQUAL(ticks_of(&s, ticks), 4);
    CHECK_NEAR(ticks[0], 5, 1e-9);
    CHECK_NEAR(ticks[3], 50, 1e-9);
    s = scale_make((double[]){1e-3, 1e9}, 4, &log_axis);
    CU_ASSERT_EQUAL(ticks_of(&s, ticks), 5);
    CHECK_NEAR(ticks[1] / ticks[0], 1000, 1e-6);
}

static void an_axis_has_two_ticks_at_least_however_few_are_asked_for(void)
{
    double ticks[65];
    const double ranges[][2] = {{-18, 18}, {-88, 91}, {-2.2, 0.6}, {4.999, 5.001}, {-1e-9, 3e-12}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct scale s = scale_make(ranges[i], 2, &plain_axis);
        const size_t count = ticks_of(&s, ticks);
        CU_ASSERT(count >= 2 && count <= 5);
    }
}

/* ---- ranges ---- */

static void ranges_leave_out_what_has_no_place(void)
{
    struct chart c;
    struct arena *a = arena_new();
    const double xs[] = {0, 1, 10, 100, 1000}, ys[] = {5, -1, NAN, 3, 4};
    double x[2], y[2];
    chart_init(&c, a, "t");
    struct chart_panel *p = chart_add_panel(&c, &(struct chart_panel){.x = log_axis, .y = plain_axis});
    CU_ASSERT_FALSE(chart_ranges(p, x, y));
    CU_ASSERT(chart_add_trace(&c, p, &(struct chart_trace){.name = "v", .x = xs, .y = ys, .count = 5}));
    CU_ASSERT(chart_ranges(p, x, y));
    CU_ASSERT(x[0] == 1 && x[1] == 1000 && y[0] == -1 && y[1] == 4);
    p->y.from = 0;
    p->y.to = 2;
    CU_ASSERT(chart_ranges(p, x, y) && y[0] == 0 && y[1] == 2);
    arena_free(a);
}

/* ---- gnuplot ---- */

static char *script_of(const struct chart *c, const struct picture_canvas *on)
{
    static char *text;
    static size_t length;
    FILE *to = open_memstream(&text, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    CU_ASSERT_EQUAL(chart_gnuplot(c, on, to), KN_OK);
    fclose(to);
    return text;
}

static void gnuplot_gets_names_in_quotes_and_numbers_with_a_prefix(void)
{
    struct chart c;
    struct arena *a = arena_new();
    const double xs[] = {0, 1e-3, 2e-3, 3e-3}, ys[] = {0, 2e-6, NAN, -4e-6};
    const struct picture_canvas on = {PICTURE_SVG, 900, 500, false};
    chart_init(&c, a, "it's `rm x` \"$HOME\"\nset terminal dumb");
    struct chart_panel *p =
        chart_add_panel(&c, &(struct chart_panel){.x = {"time", "s", false, NAN, NAN, 0, false}, .y = plain_axis});
    chart_add_trace(&c, p, &(struct chart_trace){.name = "v('a')", .run = "R = 1 k", .x = xs, .y = ys, .count = 4});
    chart_add_mark(&c,
                   &(struct chart_mark){.panel = 0, .x = 1e-3, .to = NAN, .y = 2e-6, .label = "peak = 2 \xc2\xb5V"});
    char *text = script_of(&c, &on);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'it''s ''rm x'' \"$HOME\" set terminal dumb'"));
    CU_ASSERT_PTR_NULL(strchr(text, '`'));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "title 'v(''a''), R = 1 k'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'time (ms)'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'voltage (\xc2\xb5V)'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "$p0_0 << END\n0 0\n1 2\n\n3 -4\nEND\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "set label 'peak = 2 \xc2\xb5V' at 1,2 "));
    free(text);
    arena_free(a);
}

static void a_long_curve_is_short_in_the_script(void)
{
    enum { POINTS = 300000 };
    struct chart c;
    struct arena *a = arena_new();
    const struct picture_canvas on = {PICTURE_PNG, 900, 500, true};
    double *xs = arena_array(a, POINTS, sizeof *xs), *ys = arena_array(a, POINTS, sizeof *ys);
    CU_ASSERT_FATAL(xs && ys);
    for (int i = 0; i < POINTS; i++) {
        xs[i] = 1 + i;
        ys[i] = i == 200000 ? 3 : sin(i);
    }
    chart_init(&c, a, "long");
    struct chart_panel *p = chart_add_panel(&c, &(struct chart_panel){.x = log_axis, .y = plain_axis});
    chart_add_trace(&c, p, &(struct chart_trace){.name = "v", .x = xs, .y = ys, .count = POINTS});
    char *text = script_of(&c, &on);
    CU_ASSERT(strlen(text) < 400000);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 3\n"));
    free(text);
    arena_free(a);
}

/* ---- characters ---- */

static void a_family_is_drawn_on_logarithmic_axes_in_characters(void)
{
    struct chart c;
    struct arena *a = arena_new();
    const double xs[] = {1, 10, 100, 1000, 10000}, ys[] = {1, 10, 100, 1000, 10000}, low[] = {1, 1, 1, 1, 0};
    const struct plot_options o = {.width = 60, .height = 16};
    chart_init(&c, a, "loglog");
    struct chart_panel *p =
        chart_add_panel(&c, &(struct chart_panel){.x = log_axis, .y = {"", "", true, NAN, NAN, 0, false}});
    chart_add_trace(&c, p, &(struct chart_trace){.name = "g", .run = "k = 1", .x = xs, .y = ys, .count = 5});
    chart_add_trace(&c, p,
                    &(struct chart_trace){.name = "g", .run = "k = 2", .x = xs, .y = low, .count = 5, .colour = 1});
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    CU_ASSERT_EQUAL(chart_terminal(&c, &o, to), KN_OK);
    fclose(to);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "* g, k = 1  o g, k = 2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "10 kHz"));
    /* The diagonal: in the middle column the curve is in the middle row. */
    size_t stars = 0;
    for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
        stars += strchr(line, '*') != NULL;
    CU_ASSERT(stars > 0);
    CU_ASSERT_PTR_NULL(strstr(text, "nan"));
    free(text);
    arena_free(a);
}

/* The number that follows `next` somewhere behind `first`. */
static double number_after(const char *text, const char *first, const char *next)
{
    const char *at = strstr(text, first);
    at = at ? strstr(at + strlen(first), next) : NULL;
    return at ? atof(at + strlen(next)) : NAN;
}

static void ticks_at_the_ends_are_drawn_and_texts_of_points_keep_apart(void)
{
    struct chart c;
    struct arena *a = arena_new();
    const double xs[] = {100, 1000, 1e5}, ys[] = {0, 1, 2};
    const struct picture_canvas on = {PICTURE_SVG, 900, 500, false};
    chart_init(&c, a, "t");
    struct chart_panel *p = chart_add_panel(&c, &(struct chart_panel){.x = log_axis, .y = plain_axis});
    chart_add_trace(&c, p, &(struct chart_trace){.name = "g", .x = xs, .y = ys, .count = 3});
    chart_add_mark(&c, &(struct chart_mark){.panel = 0, .x = 1000, .to = NAN, .y = 1, .label = "one"});
    chart_add_mark(&c, &(struct chart_mark){.panel = 0, .x = 1100, .to = NAN, .y = 1.01, .label = "two"});
    char *text = script_of(&c, &on);
    CU_ASSERT(number_after(text, "set xrange [", "") < 100 && number_after(text, "set xrange [", ":") > 1e5);
    CU_ASSERT(number_after(text, "set label 'one'", " offset 0.8,") > 0); /* above its point .. */
    CU_ASSERT(number_after(text, "set label 'two'", " offset 0.8,") < 0); /* .. and below */
    free(text);
    arena_free(a);
}

/* -1e6, -1000 and 1e5 on an axis that is linear between -1000 and 1000: at 4, 1 and 3 beside 0. */
static void an_axis_may_be_logarithmic_on_both_sides_of_0(void)
{
    struct chart c;
    struct arena *a = arena_new();
    struct chart_axis poles = chart_axis_of("real part", "1/s", false);
    poles.least = 1000;
    const struct scale s = scale_make((double[]){-1e6, 1e5}, 8, &poles);
    CHECK_NEAR(scale_part(&s, -1000), 3.0 / 7, 1e-12);
    CHECK_NEAR(scale_part(&s, 0), 4.0 / 7, 1e-12);
    CHECK_NEAR(scale_unstretched(&poles, scale_stretched(&poles, -54321)), -54321, 1e-8);
    double ticks[65];
    CU_ASSERT_EQUAL(ticks_of(&s, ticks), 8);
    CHECK_NEAR(ticks[0], -1e6, 1e-3);
    CHECK_NEAR(ticks[4], 0, 1e-12);
    CHECK_NEAR(ticks[7], 1e5, 1e-3);

    const double re[] = {-1e6, -1000, 1e5}, im[] = {0, 1, -1};
    chart_init(&c, a, "t");
    struct chart_panel *p = chart_add_panel(&c, &(struct chart_panel){.title = "<poles>", .x = poles, .y = plain_axis});
    chart_add_trace(&c, p, &(struct chart_trace){.name = "p", .x = re, .y = im, .count = 3, .drawn = CHART_CROSSES});
    chart_add_panel(&c, &(struct chart_panel){.title = "nothing", .x = plain_axis, .y = plain_axis});
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    chart_svg(&c, to);
    fclose(to);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "&lt;poles&gt;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ">-1e6</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "No value can be drawn"));
    size_t crosses = 0;
    for (const char *at = text; (at = strstr(at, "l7 7m0 -7l-7 7")); at++)
        crosses++;
    CU_ASSERT_EQUAL(crosses, 3);
    free(text);
    arena_free(a);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_thinned_curve_keeps_every_extreme_in_order_and_invents_nothing),
        CLAIM(ticks_are_round_and_logarithmic_ones_are_decades),
        CLAIM(an_axis_has_two_ticks_at_least_however_few_are_asked_for),
        CLAIM(ranges_leave_out_what_has_no_place),
        CLAIM(gnuplot_gets_names_in_quotes_and_numbers_with_a_prefix),
        CLAIM(a_long_curve_is_short_in_the_script),
        CLAIM(ticks_at_the_ends_are_drawn_and_texts_of_points_keep_apart),
        CLAIM(an_axis_may_be_logarithmic_on_both_sides_of_0),
        CLAIM(a_family_is_drawn_on_logarithmic_axes_in_characters),
    };
    return run_claims("chart", claims, sizeof claims / sizeof *claims);
}
