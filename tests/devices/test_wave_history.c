/* test_wave_history.c - the past of a lossless line: order of interpolation, corners, forgetting, weak echoes. */
#include "claims.h"
#include "devices/linear/wave_history.h"

#include <float.h>
#include <stdint.h>

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}

static void add(struct wave_history *h, double time, double a, double b, int order, bool corner)
{
    const struct wave_sample s = {.time = time, .wave = {a, b}, .order = order, .corner = corner};
    CU_ASSERT_TRUE_FATAL(wave_history_add(h, &s));
}

static struct wave_arrival arrival_at(struct wave_history *h, double time)
{
    struct wave_arrival a = {0};
    wave_history_arrival(h, instant_at(time), &a);
    return a;
}

static void before_the_first_sample_the_initial_waves_hold(void)
{
    struct wave_history h;
    wave_history_init(&h, 2.0);
    h.initial[0] = 3.0;
    h.initial[1] = -1.0;
    add(&h, 0.0, 5.0, 6.0, 1, true);
    double w[2], rate[2];
    wave_history_delayed(&h, instant_at(1.0), w, rate);
    CHECK_NEAR(w[0], 3.0, 0.0);
    CHECK_NEAR(w[1], -1.0, 0.0);
    CHECK_NEAR(rate[0], 0.0, 0.0);
    wave_history_delayed(&h, instant_at(2.0), w, rate);
    CHECK_NEAR(w[0], 5.0, 0.0); /* right-sided */
    wave_history_delayed(&h, instant_at(nextafter(2.0, 0.0)), w, rate);
    CHECK_NEAR(w[0], 3.0, 0.0);
    wave_history_free(&h);
}

/* Where steps have grown by 8 the points of a parabola in the settled part reach back into the steep one. */
static void settled_wave_behind_a_steep_part_does_not_overshoot(void)
{
    const double at[] = {0.25, 1.68, 3.1, 4.5, 5.96, 17.4, 50.0}, wave[] = {0.18, 0.399, 0.4, 0.4, 0.4, 0.4, 0.4};
    struct wave_history h;
    wave_history_init(&h, 100.0);
    add(&h, 0.0, 0.0, 0.0, 1, true);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        add(&h, at[i], wave[i], -wave[i], 1, false);
    double w[2], rate[2];
    for (double t = 6.0; t < 50.0; t += 1.0) {
        wave_history_delayed(&h, instant_at(100.0 + t), w, rate);
        CHECK_NEAR(w[0], 0.4, 1e-3);
        CHECK_NEAR(w[1], -0.4, 1e-3);
    }
    wave_history_free(&h);
}

/* A steep part that is no corner: polynomials of higher order through points behind it. */
static void settled_wave_before_a_steep_part_stays_settled(void)
{
    const double at[] = {22, 44, 66, 132, 175, 178, 182, 212, 252},
                 wave[] = {-0.0559, -0.0559, -0.0559, -0.056, -0.056, -0.03, 0.03, 0.05, 0.05};
    struct wave_history h;
    wave_history_init(&h, 500.0);
    add(&h, 0.0, -0.0559, 0.0, 4, true);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        add(&h, at[i], wave[i], 0.0, 4, false);
    double w[2], rate[2];
    for (double t = 70.0; t < 132.0; t += 3.0) {
        wave_history_delayed(&h, instant_at(500.0 + t), w, rate);
        CHECK_NEAR(w[0], -0.056, 2e-4);
    }
    wave_history_free(&h);
}

/* About an inflection a parabola changes nothing and a cubic does: that is no steep part, and a sine in steps of a fifteenth of its period
 * is not read in straight lines. */
static void a_sine_is_read_as_such_about_its_zeros(void)
{
    uint64_t seed = 17;
    for (int round = 0; round < 100; round++) {
        const double phase = uniform(&seed, 0.0, 6.0), growth = uniform(&seed, 0.8, 1.25);
        struct wave_history h;
        wave_history_init(&h, 100.0);
        double step = 0.4;
        for (double t = 0.0; t < 12.0; t += step, step = fmin(fmax(step * growth, 0.3), 0.45))
            add(&h, t, sin(t + phase), cos(t + phase), 5, t == 0.0);
        double w[2], rate[2];
        for (double t = 3.0; t < wave_history_newest(&h) - 3.0; t += 0.05) {
            wave_history_delayed(&h, instant_at(100.0 + t), w, rate);
            CHECK_NEAR(w[0], sin(t + phase), 1e-4);
            CHECK_NEAR(w[1], cos(t + phase), 1e-4);
        }
        wave_history_free(&h);
    }
}

/* Largest error of value and rate for samples of a cubic at irregular steps, interpolated with order 2: exact. */
static void polynomials_of_the_order_plus_one_are_exact(void)
{
    for (int order = 1; order <= 6; order++) {
        struct wave_history h;
        wave_history_init(&h, 1.0);
        uint64_t seed = 5;
        const int power = order + 1;
        add(&h, 0.0, 0.0, 1.0, order, true);
        for (double t = 0.0; t < 3.0;) {
            t += uniform(&seed, 0.02, 0.1);
            add(&h, t, pow(t, power), 1.0 - 2.0 * t, order, false);
        }
        for (int i = 0; i < 200; i++) {
            const double t = uniform(&seed, 2.1, wave_history_newest(&h)) + 1.0;
            double w[2], rate[2];
            wave_history_delayed(&h, instant_at(t), w, rate);
            CHECK_NEAR(w[0], pow(t - 1.0, power), 1e-12 * pow(3.0, power));
            CHECK_NEAR(w[1], 1.0 - 2.0 * (t - 1.0), 1e-12);
            CHECK_NEAR(rate[0], power * pow(t - 1.0, power - 1), 1e-9 * pow(3.0, power));
            CHECK_NEAR(rate[1], -2.0, 1e-10);
        }
        wave_history_free(&h);
    }
}

static double worst_sine_error(double step, int order)
{
    struct wave_history h;
    wave_history_init(&h, 1.0);
    const int count = (int)lround(4.0 / step);
    for (int i = 0; i <= count; i++)
        add(&h, i * step, sin(3.0 * i * step), 0.0, order, i == 0);
    double worst = 0.0, w[2];
    for (double t = 3.05; t < 3.95; t += 0.00137) {
        wave_history_delayed(&h, instant_at(t + 1.0), w, NULL);
        worst = fmax(worst, fabs(w[0] - sin(3.0 * t)));
    }
    wave_history_free(&h);
    return worst;
}

static void the_error_falls_faster_than_that_of_the_method(void)
{
    for (int order = 1; order <= 5; order++) {
        const double rate = log2(worst_sine_error(0.05, order) / worst_sine_error(0.025, order));
        if (!(rate > order + 1.5))
            fprintf(stderr, "\norder %d: observed %g\n", order, rate);
        CU_ASSERT_TRUE(rate > order + 1.5); /* local error of the method: order + 1 */
    }
}

static void no_polynomial_crosses_a_corner(void)
{
    struct wave_history h;
    wave_history_init(&h, 1.0);
    for (int i = 0; i <= 20; i++) {
        const double t = 0.05 * i;
        add(&h, t, t < 0.5 ? t : 0.5 + (t - 0.5) * (t - 0.5), fabs(t - 0.5), 3, i == 0 || i == 10);
    }
    double w[2];
    for (double t = 0.0; t < 1.0; t += 0.0137) {
        wave_history_delayed(&h, instant_at(t + 1.0), w, NULL);
        CHECK_NEAR(w[0], t < 0.5 ? t : 0.5 + (t - 0.5) * (t - 0.5), 1e-12);
        CHECK_NEAR(w[1], fabs(t - 0.5), 1e-12);
    }
    wave_history_free(&h);
}

static void a_jump_keeps_both_values(void)
{
    struct wave_history h;
    wave_history_init(&h, 1.0);
    add(&h, 0.0, 0.0, 0.0, 1, true);
    add(&h, 0.1, 0.1, 0.0, 1, false);
    add(&h, 0.2, 0.2, 0.0, 1, false);
    add(&h, 0.2, 5.0, 0.0, 1, true);
    add(&h, 0.3, 4.0, 0.0, 1, false);
    double w[2];
    const double arrival = wave_history_next_arrival(&h, 1.0);
    CU_ASSERT_EQUAL(arrival, 0.2 + 1.0);
    wave_history_delayed(&h, instant_at(arrival), w, NULL);
    CHECK_NEAR(w[0], 5.0, 0.0);
    wave_history_delayed(&h, instant_at(nextafter(arrival, 0.0)), w, NULL);
    CHECK_NEAR(w[0], 0.2, 1e-14);
    wave_history_free(&h);
}

static void the_newest_sample_may_be_asked_for_and_a_little_more(void)
{
    struct wave_history h;
    wave_history_init(&h, 0.1);
    for (int i = 0; i <= 10; i++)
        add(&h, 0.1 * i, 2.0 * i, 0.0, 2, i == 0);
    double w[2];
    wave_history_delayed(&h, instant_at(1.0 + 0.1), w, NULL);
    CHECK_NEAR(w[0], 20.0, 1e-12);
    wave_history_delayed(&h, instant_at((1.0 + 0.1) * (1 + 4 * DBL_EPSILON)), w, NULL);
    CHECK_NEAR(w[0], 20.0, 1e-12);
    wave_history_free(&h);
}

static void memory_holds_one_delay_only(void)
{
    struct wave_history h;
    wave_history_init(&h, 1.0);
    for (int i = 0; i < 200000; i++)
        add(&h, 0.01 * i, sin(0.1 * i), 0.0, 2, i % 50 == 0);
    CU_ASSERT_TRUE(h.capacity <= 256);
    CU_ASSERT_TRUE(h.corner_capacity <= 16);
    double w[2];
    wave_history_delayed(&h, instant_at(0.01 * 199950 + 1.0), w, NULL);
    CHECK_NEAR(w[0], sin(0.1 * 199950), 1e-9);
    wave_history_free(&h);
}

/* A ramp from 0 to `height` between 1 and 2 s on a line of 4 s that has carried 1 V, sampled until 3 s. */
static struct wave_history ramp(double height)
{
    struct wave_history h;
    wave_history_init(&h, 4.0);
    h.initial[0] = 1.0;
    add(&h, 0.0, 1.0, 0.0, 1, true);
    for (int i = 1; i <= 150; i++) {
        const double t = 0.02 * i;
        const double rise = t < 1.0 ? 0.0 : t < 2.0 ? t - 1.0 : 1.0;
        add(&h, t, 1.0 + height * rise, 0.0, 2, i == 50 || i == 100);
    }
    return h;
}

/* 0.1 + 0.2 is later than 0.3. */
static void not_the_time_but_the_corners_that_are_over_decide_the_side(void)
{
    struct wave_history h;
    wave_history_init(&h, 0.2);
    add(&h, 0.0, 1.0, 1.0, 1, true);
    add(&h, 0.1, 1.0, 3.0, 1, false);
    add(&h, 0.1, 5.0, 3.0, 1, true);
    add(&h, 0.2, 5.0, 4.0, 1, false);
    double w[2], rate[2];
    const double arrival = wave_history_next_arrival(&h, 0.25);
    CU_ASSERT_TRUE(arrival > 0.3);
    wave_history_delayed(&h, (struct instant){0.3, 0.3 + 1e-12}, w, rate);
    CHECK_NEAR(w[0], 5.0, 1e-12);
    CHECK_NEAR(rate[1], 10.0, 1e-9);
    wave_history_delayed(&h, (struct instant){arrival, nextafter(arrival, 0.0)}, w, rate);
    CHECK_NEAR(w[0], 1.0, 1e-12);
    CHECK_NEAR(rate[1], 20.0, 1e-9);
    struct wave_arrival a = {0};
    wave_history_arrival(&h, (struct instant){0.3, 0.3 + 1e-12}, &a);
    CU_ASSERT_TRUE(a.any);
    wave_history_free(&h);
}

static void strong_corners_arrive_as_breakpoints(void)
{
    struct wave_history h = ramp(0.5);
    const double first = 0.02 * 50 + 4.0, second = 0.02 * 100 + 4.0;
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, 3.0), first); /* nothing happened at 0 */
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, first), second);
    CU_ASSERT_TRUE(isinf(wave_history_next_arrival(&h, second)));
    CU_ASSERT_TRUE(arrival_at(&h, first).strong);
    CU_ASSERT_TRUE(arrival_at(&h, 4.0).any && !arrival_at(&h, 4.0).strong);
    CU_ASSERT_FALSE(arrival_at(&h, 5.5).any);
    wave_history_free(&h);
}

static void weak_echoes_are_dropped(void)
{
    struct wave_history h = ramp(0.2e-3);
    CU_ASSERT_TRUE(isinf(wave_history_next_arrival(&h, 3.0)));
    CU_ASSERT_TRUE(arrival_at(&h, 0.02 * 50 + 4.0).any && !arrival_at(&h, 0.02 * 50 + 4.0).strong);
    wave_history_free(&h);
}

static void the_limit_rises_with_every_passage(void)
{
    for (int age = 0; age <= 60; age += 20) {
        struct wave_history h = ramp(1.5e-3);
        h.corners[1].age = h.corners[2].age = age;
        CU_ASSERT_EQUAL(isinf(wave_history_next_arrival(&h, 3.0)), age > 18); /* 4 s * 1.5 mV/s = 6 mV; 1.1^18.8 = 6 */
        wave_history_free(&h);
        h = ramp(0.1);
        h.corners[1].age = h.corners[2].age = age;
        CU_ASSERT_FALSE(isinf(wave_history_next_arrival(&h, 3.0))); /* what is strong never dies of age */
        wave_history_free(&h);
    }
}

static void a_corner_is_announced_until_it_is_known_to_be_weak(void)
{
    struct wave_history h;
    wave_history_init(&h, 4.0);
    h.initial[0] = 1.0;
    add(&h, 0.0, 1.0, 0.0, 1, true);
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, 0.0), 4.0);
    add(&h, 0.01, 1.0, 0.0, 1, false);
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, 0.01), 4.0);
    add(&h, 0.5, 1.0, 0.0, 1, false);
    CU_ASSERT_TRUE(isinf(wave_history_next_arrival(&h, 0.5)));
    wave_history_free(&h);
}

/* Restarts of other lines make corners in every line.  Here one comes 2 ms behind each end of the ramp, where nothing happens
 * in this line: an end that has been through many lines is not taken for weak because of it. */
static void corners_where_nothing_happens_do_not_weaken_those_before_them(void)
{
    struct wave_history h;
    wave_history_init(&h, 4.0);
    const double times[] = {0.0, 0.5, 1.0, 1.002, 1.1, 1.5, 2.0, 2.002, 2.1, 2.5, 3.0};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const double t = times[i], w = t <= 1.0 ? 0.0 : t >= 2.0 ? 1.0 : t - 1.0;
        add(&h, t, w, 0.0, 1, i == 0 || i == 2 || i == 3 || i == 6 || i == 7);
    }
    for (size_t i = 0; i < h.corner_count; i++)
        h.corners[i].age = 60;
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, 3.0), 1.0 + 4.0);
    CU_ASSERT_EQUAL(wave_history_next_arrival(&h, 5.0), 2.0 + 4.0);
    CU_ASSERT_TRUE(isinf(wave_history_next_arrival(&h, 6.0)));
    wave_history_free(&h);
}

/* A sample that is left out because others are nearer is none that has been passed over. */
static void a_crest_between_uneven_steps_is_no_straight_line(void)
{
    const double at[] = {4.1115, 4.1599, 4.1881, 4.2437, 4.3217, 4.3409, 4.36}, turns = 2 * acos(-1.0);
    struct wave_history h;
    wave_history_init(&h, 1.0);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        add(&h, at[i], sin(turns * at[i]), 0, 2, false);
    double w[2], rate[2];
    for (double t = 4.19; t < 4.32; t += 0.01) {
        wave_history_before(&h, instant_at(4.5), 4.5 - t, w, rate);
        CHECK_NEAR(w[0], sin(turns * t), 1e-3); /* on straight lines 0.015 */
    }
    wave_history_free(&h);
}

static void within_a_step_derivatives_are_those_of_the_polynomial(void)
{
    struct wave_history h;
    wave_history_init(&h, INFINITY);
    add(&h, 0.0, 1.0, 0.0, 3, true);
    add(&h, 0.3, 1.2, 0.0, 3, false);
    add(&h, 0.4, 0.9, 0.0, 3, false);
    const double end = 0.9, now = 0.5, ago = 0.2, small = 1e-5;
    const struct wave_within w = wave_history_within(&h, end, now, ago);
    CHECK_NEAR(w.by_now,
               (wave_history_within(&h, end, now + 1, ago).value - wave_history_within(&h, end, now - 1, ago).value) / 2,
               1e-14);
    CHECK_NEAR(w.by_time,
               (wave_history_within(&h, end + small, now, ago).value - wave_history_within(&h, end - small, now, ago).value) /
                   (2 * small),
               1e-8);
    CHECK_NEAR(w.rate,
               (wave_history_within(&h, end, now, ago - small).value - wave_history_within(&h, end, now, ago + small).value) /
                   (2 * small),
               1e-8);
    CHECK_NEAR(wave_history_within(&h, end, now, 0).value, now, 0);
    CHECK_NEAR(wave_history_within(&h, end, now, 0.5).value, 0.9, 1e-15);
    wave_history_free(&h);
}

static void within_a_step_no_polynomial_crosses_a_corner(void)
{
    struct wave_history h;
    wave_history_init(&h, INFINITY);
    add(&h, 0.0, 7.0, 0.0, 3, true);
    add(&h, 1.0, 1.0, 0.0, 3, true);
    CHECK_NEAR(wave_history_within(&h, 2.0, 2.0, 0.5).value, 1.5, 1e-15);
    wave_history_free(&h);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(before_the_first_sample_the_initial_waves_hold),
        CLAIM(polynomials_of_the_order_plus_one_are_exact),
        CLAIM(settled_wave_behind_a_steep_part_does_not_overshoot),
        CLAIM(settled_wave_before_a_steep_part_stays_settled),
        CLAIM(a_sine_is_read_as_such_about_its_zeros),
        CLAIM(the_error_falls_faster_than_that_of_the_method),
        CLAIM(no_polynomial_crosses_a_corner),
        CLAIM(a_jump_keeps_both_values),
        CLAIM(the_newest_sample_may_be_asked_for_and_a_little_more),
        CLAIM(memory_holds_one_delay_only),
        CLAIM(not_the_time_but_the_corners_that_are_over_decide_the_side),
        CLAIM(strong_corners_arrive_as_breakpoints),
        CLAIM(weak_echoes_are_dropped),
        CLAIM(the_limit_rises_with_every_passage),
        CLAIM(corners_where_nothing_happens_do_not_weaken_those_before_them),
        CLAIM(a_corner_is_announced_until_it_is_known_to_be_weak),
        CLAIM(a_crest_between_uneven_steps_is_no_straight_line),
        CLAIM(within_a_step_derivatives_are_those_of_the_polynomial),
        CLAIM(within_a_step_no_polynomial_crosses_a_corner),
    };
    return run_claims("devices/wave_history", claims, sizeof claims / sizeof *claims);
}
