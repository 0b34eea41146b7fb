/* The terminal plot shows what the waveform did, in bounded memory. */
#include "claims.h"
#include "output/pictures/buckets.h"
#include "output/pictures/canvas.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void buckets_keep_every_extreme_of_a_long_waveform(void)
{
    struct buckets b;
    CU_ASSERT_EQUAL_FATAL(buckets_init(&b, 1), KN_OK);
    for (long i = 0; i <= 1000000; i++) {
        const double value = i == 777777 ? 5.0 : i == 123456 ? -5.0 : sin((double)i * 1e-4);
        buckets_add(&b, (double)i * 1e-9, &value);
    }
    CU_ASSERT(b.used >= BUCKET_COUNT / 2 && b.used <= BUCKET_COUNT);
    double least = INFINITY, greatest = -INFINITY, previous = -1;
    for (size_t i = 0; i < b.used; i++) {
        CU_ASSERT_FATAL(b.bucket[i].used);
        CU_ASSERT(b.bucket[i].first_x > previous);
        CU_ASSERT(b.trace[i].least <= b.trace[i].first && b.trace[i].last <= b.trace[i].greatest);
        previous = b.bucket[i].last_x;
        if (b.trace[i].greatest > greatest) {
            greatest = b.trace[i].greatest;
            if (greatest == 5)
                CU_ASSERT(b.bucket[i].first_x <= 777777e-9 && b.bucket[i].last_x >= 777777e-9);
        }
        least = fmin(least, b.trace[i].least);
    }
    CU_ASSERT(least == -5 && greatest == 5 && previous == 1000000 * 1e-9);
    buckets_free(&b);
}

/* A first step of 1 fs, then a second: the axis grows by 15 powers of ten. */
static void buckets_follow_a_growing_axis(void)
{
    struct buckets b;
    CU_ASSERT_EQUAL_FATAL(buckets_init(&b, 1), KN_OK);
    const double times[] = {0, 1e-15, 1e-12, 1e-6, 1};
    for (int i = 0; i < 5; i++) {
        const double value = i;
        buckets_add(&b, times[i], &value);
    }
    CU_ASSERT(b.used > 1 && b.used <= BUCKET_COUNT);
    CU_ASSERT(b.trace[0].first == 0 && b.trace[0].greatest == 3);
    CU_ASSERT(b.trace[b.used - 1].last == 4 && b.bucket[b.used - 1].last_x == 1);
    buckets_free(&b);
}

static void values_that_are_not_finite_are_left_out(void)
{
    struct buckets b;
    CU_ASSERT_EQUAL_FATAL(buckets_init(&b, 1), KN_OK);
    const double values[] = {1, NAN, INFINITY, 2};
    for (int i = 0; i < 4; i++)
        buckets_add(&b, i, &values[i]);
    CU_ASSERT(b.trace[0].greatest == 1);
    for (size_t i = 0; i < b.used; i++)
        if (b.bucket[i].used)
            CU_ASSERT(isfinite(b.trace[i].least) && isfinite(b.trace[i].greatest));
    buckets_free(&b);
}

static void canvas_lines_reach_both_ends_and_stay_inside(void)
{
    struct canvas c;
    CU_ASSERT_EQUAL_FATAL(canvas_init(&c, 5, 4, false), KN_OK);
    canvas_line(&c, 0, 0, 4, 3, 2);
    canvas_line(&c, -7, 9, 30, 9, 1);
    CU_ASSERT(c.dots[3 * 5 + 0] && c.dots[0 * 5 + 4]);
    int dots = 0;
    for (int i = 0; i < 20; i++)
        dots += c.dots[i];
    CU_ASSERT_EQUAL(dots, 5);
    canvas_free(&c);
}

static void braille_has_the_dots_of_its_mask(void)
{
    char text[4];
    canvas_braille(0x01, text);
    CU_ASSERT_STRING_EQUAL(text, "\xe2\xa0\x81");
    canvas_braille(0xff, text);
    CU_ASSERT_STRING_EQUAL(text, "\xe2\xa3\xbf");
}

static const struct kn_column columns[] = {
    {"time", KN_TIME}, {"v(in)", KN_VOLTAGE}, {"v(out)", KN_VOLTAGE}, {"i(v1)", KN_CURRENT}};
static const struct kn_table table = {"A ramp", "Transient Analysis", columns, 4, 0, 0};

static char *draw(const struct plot_options *o, struct kn_diagnostics *d)
{
    char *text;
    size_t length;
    struct kn_sink s;
    FILE *to = open_memstream(&text, &length);
    CU_ASSERT_EQUAL_FATAL(terminal_plot_sink(to, o, d, &s), KN_OK);
    CU_ASSERT_EQUAL(s.begin(s.context, &table), KN_OK);
    for (int i = 0; i <= 1000; i++) {
        const double row[] = {i * 1e-6, i * 1e-3, 1 - i * 1e-3, i < 500 ? 0 : 2e-3};
        CU_ASSERT_EQUAL(s.row(s.context, row), KN_OK);
    }
    CU_ASSERT_EQUAL(s.end(s.context, KN_OK), KN_OK);
    sink_free(&s);
    fclose(to);
    return text;
}

static int line_count(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void a_ramp_is_a_diagonal_of_letters(void)
{
    const char *const wanted[] = {"V(IN)"};
    const struct plot_options o = {.width = 30, .height = 9, .columns = wanted, .column_count = 1};
    char *text = draw(&o, NULL);
    CU_ASSERT_STRING_EQUAL(text, "A ramp\n"
                                 "          * v(in) \n"
                                 "    1 V +                 ****\n"
                                 "        |             *****\n"
                                 " 500 mV +        *****\n"
                                 "        |   *****\n"
                                 "    0 V +***\n"
                                 "        ++---------+---------+\n"
                                 "         0 s    500 us    1 ms \n");
    free(text);
}

static void each_quantity_has_its_own_panel_and_the_height_is_kept(void)
{
    const struct plot_options o = {.width = 60, .height = 30, .utf8 = true, .colour = true};
    char *text = draw(&o, NULL);
    CU_ASSERT(line_count(text) <= 30);
    const char *first = strstr(text, "v(in)"), *other = strstr(text, "v(out)"), *current = strstr(text, "i(v1)");
    CU_ASSERT_FATAL(first && other && current);
    CU_ASSERT_PTR_NULL(memchr(first, '\n', (size_t)(other - first)));
    CU_ASSERT_PTR_NOT_NULL(memchr(other, '\n', (size_t)(current - other)));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "2 mA"));
    free(text);
}

static void without_colour_braille_traces_do_not_share_a_panel(void)
{
    const struct plot_options o = {.width = 60, .height = 40, .utf8 = true};
    char *text = draw(&o, NULL);
    const char *first = strstr(text, "v(in)"), *other = strstr(text, "v(out)");
    CU_ASSERT_FATAL(first && other);
    CU_ASSERT_PTR_NOT_NULL(memchr(first, '\n', (size_t)(other - first)));
    CU_ASSERT_PTR_NULL(strchr(text, '\033'));
    free(text);
}

static void plain_plots_are_plain_ascii(void)
{
    const struct plot_options o = {.width = 60, .height = 30};
    char *text = draw(&o, NULL);
    for (const char *c = text; *c; c++)
        CU_ASSERT_FATAL((unsigned char)*c < 128);
    free(text);
}

static void an_unknown_vector_is_a_warning(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    const char *const wanted[] = {"v(in)", "v(nix)"};
    const struct plot_options o = {.width = 60, .height = 20, .columns = wanted, .column_count = 2};
    char *text = draw(&o, d);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(d), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(d, 0)->text, "v(nix)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "v(in)"));
    free(text);
    kn_diagnostics_free(d);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(buckets_keep_every_extreme_of_a_long_waveform),
        CLAIM(buckets_follow_a_growing_axis),
        CLAIM(values_that_are_not_finite_are_left_out),
        CLAIM(canvas_lines_reach_both_ends_and_stay_inside),
        CLAIM(braille_has_the_dots_of_its_mask),
        CLAIM(a_ramp_is_a_diagonal_of_letters),
        CLAIM(each_quantity_has_its_own_panel_and_the_height_is_kept),
        CLAIM(without_colour_braille_traces_do_not_share_a_panel),
        CLAIM(plain_plots_are_plain_ascii),
        CLAIM(an_unknown_vector_is_a_warning),
    };
    return run_claims("plot", claims, sizeof claims / sizeof *claims);
}
