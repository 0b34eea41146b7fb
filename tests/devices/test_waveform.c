/* test_waveform.c - SPICE's waveforms against closed forms written down independently, their derivatives, their
 * corners. */
#include "claims.h"
#include "devices/source/waveform.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

struct fixture {
    struct kn_diagnostics *d;
    struct arena *arena;
    struct signal s;
    enum kn_status status;
};

static struct fixture make_scaled(struct waveform w, double step, double stop)
{
    struct fixture x = {.d = kn_diagnostics_new(), .arena = arena_new()};
    x.status = signal_make(&x.s, &w, (struct waveform_scale){.step = step, .stop = stop, .longest = stop, .seed = 1},
                           (struct owner){"source", "v1"}, x.arena, x.d);
    return x;
}

static struct fixture make(enum waveform_kind kind, const double *values, size_t count)
{
    return make_scaled((struct waveform){.kind = kind, .values = values, .count = count, .repeat_from = -1.0}, 0.1,
                       20.0);
}

#define MAKE(kind, ...)                                                                                                \
    make(kind, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void end(struct fixture *x)
{
    arena_free(x->arena);
    kn_diagnostics_free(x->d);
}

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}

/* Symmetric differences with two steps; valid away from corners. */
static double difference(const struct signal *s, double t, double h)
{
    const double coarse = (signal_value(s, instant_at(t + h)) - signal_value(s, instant_at(t - h))) / (2 * h);
    const double fine = (signal_value(s, instant_at(t + h / 2)) - signal_value(s, instant_at(t - h / 2))) / h;
    return (4 * fine - coarse) / 3;
}

/* Values at random times against a closed form, rates against differences where no corner is near. */
static void compare(const struct fixture *x, double (*closed)(double), double low, double high, double scale)
{
    CU_ASSERT_EQUAL_FATAL(x->status, KN_OK);
    uint64_t seed = 20240611;
    for (int i = 0; i < 2000; i++) {
        const double t = uniform(&seed, low, high);
        CHECK_NEAR(signal_value(&x->s, instant_at(t)), closed(t), 1e-12 * scale);
        const double h = 1e-4;
        if (signal_next_corner(&x->s, t - 2 * h) > t + 2 * h)
            CHECK_NEAR(signal_rate(&x->s, instant_at(t)), difference(&x->s, t, h), 1e-6 * scale);
    }
}

/* ---- PULSE ---- */

static double closed_pulse(double t)
{
    /* PULSE(-1 3 0.5 0.25 0.5 1 4) */
    double p = t - 0.5;
    if (p < 0)
        return -1;
    p = fmod(p, 4);
    if (p < 0.25)
        return -1 + 4 * p / 0.25;
    if (p < 1.25)
        return 3;
    if (p < 1.75)
        return 3 - 4 * (p - 1.25) / 0.5;
    return -1;
}

static void pulse_follows_its_definition(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, -1, 3, 0.5, 0.25, 0.5, 1, 4);
    compare(&x, closed_pulse, -1, 50, 20);
    end(&x);
}

static void pulse_lists_every_corner_without_drift(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 0.1, 0.1, 0.1, 0.2, 0.7);
    const double offsets[4] = {0, 0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.1};
    double t = -1;
    for (int k = 0; k < 10000; k++)
        for (int i = 0; i < 4; i++) {
            t = signal_next_corner(&x.s, t);
            const double expected = 0.1 + (k * 0.7 + offsets[i]);
            CHECK_NEAR(t, expected, 2 * DBL_EPSILON * expected);
        }
    end(&x);
}

static void values_and_slopes_at_a_corner_are_those_after_it(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 0.1, 0.1, 0.1, 0.2, 0.7);
    const double slopes[4] = {10, 0, -10, 0}, before[4] = {0, 10, 0, -10};
    double t = 0;
    for (int k = 0; k < 1000; k++)
        for (int i = 0; i < 4; i++) {
            t = signal_next_corner(&x.s, t);
            CHECK_NEAR(signal_rate(&x.s, instant_at(t)), slopes[i], 1e-12 * 10);
            CHECK_NEAR(signal_rate(&x.s, instant_at(nextafter(t, -INFINITY))), before[i], 1e-12 * 10);
        }
    end(&x);
}

static void corner_times_are_strictly_later(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 0, 1e-9, 1e-9, 1e-6, 3.3e-6);
    double t = 0;
    for (int i = 0; i < 5000; i++) {
        const double next = signal_next_corner(&x.s, t);
        CU_ASSERT_TRUE(next > t * (1 + 1e-13));
        CU_ASSERT_EQUAL(signal_next_corner(&x.s, nextafter(next, 0)), next);
        t = next;
    }
    end(&x);
}

static void pulse_defaults_come_from_the_analysis(void)
{
    /* tr = tf = tstep (also when 0 is written), width and period = tstop. */
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 1, 0, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(1.05)), 0.5, 1e-12);
    CHECK_NEAR(signal_value(&x.s, instant_at(1.1)), 1, 1e-12);
    CHECK_NEAR(signal_value(&x.s, instant_at(20.0)), 1, 0);
    CHECK_NEAR(signal_next_corner(&x.s, 1.1), 1.0 + (0.1 + 20.0), 1e-12);
    end(&x);
    x = MAKE(WAVEFORM_PULSE, 0, 1);
    CHECK_NEAR(signal_value(&x.s, instant_at(0)), 0, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(0.025)), 0.25, 1e-12);
    CHECK_NEAR(signal_value(&x.s, instant_at(20.0)), 1, 0);
    end(&x);
}

static void pulse_stops_after_the_given_number_of_pulses(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 1, 0.1, 0.1, 0.3, 1, 2);
    CHECK_NEAR(signal_value(&x.s, instant_at(2.2)), 1, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(3.2)), 0, 0);
    CHECK_NEAR(signal_next_corner(&x.s, 2.5), 3.0, 1e-15); /* the end itself */
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 3.0)));
    end(&x);
}

static double closed_cut_pulse(double t)
{
    /* PULSE(0 1 0 0.5 0.5 1 1.75): the fall is cut off half way by the next period. */
    if (t < 0)
        return 0;
    const double p = fmod(t, 1.75);
    return p < 0.5 ? p / 0.5 : p < 1.5 ? 1 : 1 - (p - 1.5) / 0.5;
}

static void a_pulse_longer_than_its_period_jumps_back(void)
{
    struct fixture x = MAKE(WAVEFORM_PULSE, 0, 1, 0, 0.5, 0.5, 1, 1.75);
    compare(&x, closed_cut_pulse, -1, 15, 20);
    const double jump = signal_next_corner(&x.s, 1.6);
    CU_ASSERT_EQUAL(jump, 1.75);
    CHECK_NEAR(signal_value(&x.s, instant_at(jump)), 0, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(nextafter(jump, 0))), 0.5, 1e-12);
    end(&x);
}

static void impossible_pulses_are_errors(void)
{
    const double bad[][8] = {{0, 1, 0, -1, 0, 0, 0, 0}, {0, 1, 0, 0, -1, 0, 0, 0}, {0, 1, 0, 0, 0, -1, 0, 0},
                             {0, 1, 0, 0, 0, 0, -1, 0}, {0, 1, 0, 0, 0, 0, 0, -1}, {0, 1, 0, 0, 0, 0, 1e-30, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture x = make(WAVEFORM_PULSE, bad[i], 8);
        CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(x.d), 1);
        end(&x);
    }
    struct fixture x = MAKE(WAVEFORM_PULSE, 1);
    CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
    end(&x);
}

/* ---- SIN, EXP, SFFM, AM ---- */

static double closed_sin(double t)
{
    /* SIN(1 2 0.5 0.7 0.3 30) */
    const double phase = 30 * pi / 180;
    if (t < 0.7)
        return 1 + 2 * sin(phase);
    return 1 + 2 * exp(-(t - 0.7) * 0.3) * sin(2 * pi * 0.5 * (t - 0.7) + phase);
}

static void sine_follows_its_definition(void)
{
    struct fixture x = MAKE(WAVEFORM_SIN, 1, 2, 0.5, 0.7, 0.3, 30);
    compare(&x, closed_sin, -1, 20, 20);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 0.7);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 0.7)));
    const double right = 2 * (pi * cos(pi / 6) - 0.3 * 0.5);
    CHECK_NEAR(signal_rate(&x.s, instant_at(0.7)), right, 1e-12);
    CHECK_NEAR(signal_rate(&x.s, instant_at(nextafter(0.7, 0))), 0, 0);
    end(&x);
}

static void sine_frequency_defaults_to_one_period_per_run(void)
{
    struct fixture x = MAKE(WAVEFORM_SIN, 0, 1);
    CHECK_NEAR(signal_value(&x.s, instant_at(5.0)), 1, 1e-12);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 0)));
    end(&x);
}

static double closed_exp(double t)
{
    /* EXP(-1 4 0.5 0.3 2 0.7) */
    double v = -1;
    if (t > 0.5)
        v += 5 * (1 - exp(-(t - 0.5) / 0.3));
    if (t > 2)
        v -= 5 * (1 - exp(-(t - 2) / 0.7));
    return v;
}

static void exponential_follows_its_definition(void)
{
    struct fixture x = MAKE(WAVEFORM_EXP, -1, 4, 0.5, 0.3, 2, 0.7);
    compare(&x, closed_exp, -1, 20, 50);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 0.5);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0.5), 2.0);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 2)));
    CHECK_NEAR(signal_rate(&x.s, instant_at(0.5)), 5 / 0.3, 1e-12);
    end(&x);
}

static double closed_default_exp(double t)
{
    double v = 0;
    if (t > 0)
        v += 1 - exp(-t / 0.1);
    if (t > 0.1)
        v -= 1 - exp(-(t - 0.1) / 0.1);
    return v;
}

static void exponential_defaults_are_the_print_step_but_for_the_delay(void)
{
    struct fixture x = MAKE(WAVEFORM_EXP, 0, 1);
    compare(&x, closed_default_exp, -1, 3, 100);
    end(&x);
}

static double closed_sffm(double t)
{
    /* SFFM(0.5 2 3 1.5 0.4 20 50) */
    return 0.5 + 2 * sin(2 * pi * 3 * t + 20 * pi / 180 + 1.5 * sin(2 * pi * 0.4 * t + 50 * pi / 180));
}

static void frequency_modulation_follows_its_definition(void)
{
    struct fixture x = MAKE(WAVEFORM_SFFM, 0.5, 2, 3, 1.5, 0.4, 20, 50);
    compare(&x, closed_sffm, 0, 20, 300);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 0)));
    end(&x);
}

static double closed_am(double t)
{
    /* AM(2 0.5 0.3 4 1) */
    if (t < 1)
        return 0;
    return 2 * (0.5 + sin(2 * pi * 0.3 * (t - 1))) * sin(2 * pi * 4 * (t - 1));
}

static void amplitude_modulation_follows_its_definition(void)
{
    struct fixture x = MAKE(WAVEFORM_AM, 2, 0.5, 0.3, 4, 1);
    compare(&x, closed_am, -1, 20, 300);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 1.0);
    end(&x);
}

/* ---- PWL ---- */

static void piecewise_linear_goes_through_its_points(void)
{
    struct fixture x = MAKE(WAVEFORM_PWL, 1, 2, 2, 5, 4, -1);
    CHECK_NEAR(signal_value(&x.s, instant_at(0)), 2, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(1)), 2, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(1.5)), 3.5, 1e-15);
    CHECK_NEAR(signal_value(&x.s, instant_at(2)), 5, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(3)), 2, 1e-15);
    CHECK_NEAR(signal_value(&x.s, instant_at(9)), -1, 0);
    CHECK_NEAR(signal_rate(&x.s, instant_at(1)), 3, 0);
    CHECK_NEAR(signal_rate(&x.s, instant_at(2)), -3, 0);
    CHECK_NEAR(signal_rate(&x.s, instant_at(4)), 0, 0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 1.0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 1), 2.0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 2), 4.0);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 4)));
    end(&x);
}

static void equal_times_are_a_jump_with_the_later_value(void)
{
    struct fixture x = MAKE(WAVEFORM_PWL, 0, 0, 1, 0, 1, 5, 2, 5);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 1.0);
    CHECK_NEAR(signal_value(&x.s, instant_at(1)), 5, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(nextafter(1, 0))), 0, 0);
    CU_ASSERT_TRUE(isinf(signal_next_corner(&x.s, 1))); /* flat afterwards */
    end(&x);
}

static void points_in_line_are_no_corners(void)
{
    struct fixture x = MAKE(WAVEFORM_PWL, 0, 0, 1, 1, 2, 2, 3, 0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 2.0);
    end(&x);
}

static double closed_repeated(double t)
{
    /* PWL(0 0 1 1 3 0.5) r=1 td=0.25: from 1 to 3 again and again. */
    double p = t - 0.25;
    if (p < 0)
        return 0;
    while (p >= 3)
        p -= 2;
    return p < 1 ? p : 1 - 0.25 * (p - 1);
}

static void piecewise_linear_repeats_from_r_after_td(void)
{
    const double points[] = {0, 0, 1, 1, 3, 0.5};
    const struct waveform w = {.kind = WAVEFORM_PWL, .values = points, .count = 6, .repeat_from = 1, .delay = 0.25};
    struct fixture x = make_scaled(w, 0.1, 20);
    compare(&x, closed_repeated, -1, 30, 10);
    double t = 0;
    const double expected[] = {0.25, 1.25, 3.25, 5.25, 7.25};
    for (size_t i = 0; i < 5; i++) {
        t = signal_next_corner(&x.s, t);
        CU_ASSERT_EQUAL(t, expected[i]);
    }
    CHECK_NEAR(signal_value(&x.s, instant_at(3.25)), 1, 0);
    CHECK_NEAR(signal_value(&x.s, instant_at(nextafter(3.25, 0))), 0.5, 1e-12);
    end(&x);
}

static double closed_between(double t)
{
    /* PWL(0 0 2 2 3 0) r=0.5 */
    double p = t;
    if (p < 0)
        return 0;
    while (p >= 3)
        p -= 2.5;
    return p < 2 ? p : 2 - 2 * (p - 2);
}

static void repetition_may_start_between_two_points(void)
{
    const double points[] = {0, 0, 2, 2, 3, 0};
    const struct waveform w = {.kind = WAVEFORM_PWL, .values = points, .count = 6, .repeat_from = 0.5};
    struct fixture x = make_scaled(w, 0.1, 20);
    compare(&x, closed_between, -1, 30, 10);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 0), 2.0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 2), 3.0);
    CU_ASSERT_EQUAL(signal_next_corner(&x.s, 3), 4.5);
    end(&x);
}

static void unsorted_or_unpaired_times_are_errors_with_place(void)
{
    const double unsorted[] = {0, 0, 2, 1, 1, 0}, unpaired[] = {0, 0, 1};
    const struct kn_location where = {"a.cir", 4, 9, 3};
    struct waveform w = {.kind = WAVEFORM_PWL, .values = unsorted, .count = 6, .repeat_from = -1, .where = where};
    struct fixture x = make_scaled(w, 0.1, 20);
    CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(x.d), 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(x.d, 0)->where.line, 4);
    CU_ASSERT_EQUAL(kn_diagnostics_get(x.d, 0)->where.column, 9);
    end(&x);
    w.values = unpaired;
    w.count = 3;
    x = make_scaled(w, 0.1, 20);
    CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
    end(&x);
    const double fine[] = {0, 0, 1, 1};
    w.values = fine;
    w.count = 4;
    w.repeat_from = 1;
    x = make_scaled(w, 0.1, 20);
    CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
    end(&x);
}

static void a_long_list_is_searched_correctly(void)
{
    enum { COUNT = 4001 };
    double *points = calloc(2 * COUNT, sizeof *points);
    CU_ASSERT_PTR_NOT_NULL_FATAL(points);
    uint64_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        points[2 * i] = i == 0 ? 0 : points[2 * i - 2] + uniform(&seed, 0.1, 1);
        points[2 * i + 1] = uniform(&seed, -1, 1);
    }
    struct fixture x = make(WAVEFORM_PWL, points, 2 * COUNT);
    double t = -1;
    for (int i = 0; i < COUNT; i++) {
        t = signal_next_corner(&x.s, t);
        CU_ASSERT_EQUAL(t, points[2 * i]);
        CHECK_NEAR(signal_value(&x.s, instant_at(t)), points[2 * i + 1], 1e-15);
    }
    end(&x);
    free(points);
}

/* ---- TRNOISE, TRRANDOM ---- */

static struct fixture make_noise(const double *values, size_t count, enum waveform_kind kind, uint64_t stream)
{
    return make_scaled((struct waveform){.kind = kind, .values = values, .count = count, .stream = stream}, 0.1, 100);
}

static void noise_is_a_function_of_seed_and_name(void)
{
    const double values[] = {1, 0.1};
    struct fixture one = make_noise(values, 2, WAVEFORM_NOISE, 5), same = make_noise(values, 2, WAVEFORM_NOISE, 5),
                   other = make_noise(values, 2, WAVEFORM_NOISE, 6);
    CU_ASSERT_EQUAL_FATAL(one.status, KN_OK);
    size_t equal = 0;
    for (double t = 0.05; t < 100; t += 0.1) {
        CU_ASSERT_EQUAL(signal_value(&one.s, instant_at(t)), signal_value(&same.s, instant_at(t)));
        equal += signal_value(&one.s, instant_at(t)) == signal_value(&other.s, instant_at(t));
    }
    CU_ASSERT_EQUAL(equal, 0);
    CU_ASSERT_EQUAL(signal_value(&one.s, instant_at(0)), 0);
    end(&one);
    end(&same);
    end(&other);
}

/* Kasdin's filter is 1, 0, 0 .. for the exponent 0 and 1, 1, 1 .. for 2, so that the differences of the latter are the
 * former; for 1 its third coefficient is 3/8. */
static void coloured_noise_is_white_noise_filtered(void)
{
    struct fixture x[3];
    for (int i = 0; i < 3; i++)
        x[i] = make_noise((const double[4]){0, 0.1, i == 0 ? 1e-14 : i, 2}, 4, WAVEFORM_NOISE, 9);
    CU_ASSERT_EQUAL_FATAL(x[2].status, KN_OK);
    const double *w = x[0].s.values, *pink = x[1].s.values, *walk = x[2].s.values;
    for (size_t k = 1; k < 900; k++)
        CHECK_NEAR(walk[k] - walk[k - 1], w[k], 1e-10);
    CHECK_NEAR(pink[1], w[1], 1e-10);
    CHECK_NEAR(pink[2], w[2] + w[1] / 2, 1e-10);
    CHECK_NEAR(pink[3], w[3] + w[2] / 2 + w[1] * 3 / 8, 1e-10);
    for (int i = 0; i < 3; i++)
        end(&x[i]);
}

static void noise_without_sense_is_an_error(void)
{
    const struct {
        enum waveform_kind kind;
        double values[7];
        size_t count;
    } bad[] = {{WAVEFORM_NOISE, {1, 0}, 2},         {WAVEFORM_NOISE, {1, 1e-9}, 2},
               {WAVEFORM_NOISE, {1, 0.1, 3, 1}, 4}, {WAVEFORM_NOISE, {0, 0, 0, 0, 1, 0, 1}, 7},
               {WAVEFORM_RANDOM, {7, 0.1}, 2},      {WAVEFORM_RANDOM, {1, 0}, 2},
               {WAVEFORM_RANDOM, {1, 0.1, -1}, 3},  {WAVEFORM_RANDOM, {4, 0.1, 0, -2}, 4}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture x = make_noise(bad[i].values, bad[i].count, bad[i].kind, 1);
        CU_ASSERT_EQUAL(x.status, KN_ERROR_DECK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(x.d), 1);
        end(&x);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(pulse_follows_its_definition),
        CLAIM(pulse_lists_every_corner_without_drift),
        CLAIM(values_and_slopes_at_a_corner_are_those_after_it),
        CLAIM(corner_times_are_strictly_later),
        CLAIM(pulse_defaults_come_from_the_analysis),
        CLAIM(pulse_stops_after_the_given_number_of_pulses),
        CLAIM(a_pulse_longer_than_its_period_jumps_back),
        CLAIM(impossible_pulses_are_errors),
        CLAIM(sine_follows_its_definition),
        CLAIM(sine_frequency_defaults_to_one_period_per_run),
        CLAIM(exponential_follows_its_definition),
        CLAIM(exponential_defaults_are_the_print_step_but_for_the_delay),
        CLAIM(frequency_modulation_follows_its_definition),
        CLAIM(amplitude_modulation_follows_its_definition),
        CLAIM(piecewise_linear_goes_through_its_points),
        CLAIM(equal_times_are_a_jump_with_the_later_value),
        CLAIM(points_in_line_are_no_corners),
        CLAIM(piecewise_linear_repeats_from_r_after_td),
        CLAIM(repetition_may_start_between_two_points),
        CLAIM(unsorted_or_unpaired_times_are_errors_with_place),
        CLAIM(a_long_list_is_searched_correctly),
        CLAIM(noise_is_a_function_of_seed_and_name),
        CLAIM(coloured_noise_is_white_noise_filtered),
        CLAIM(noise_without_sense_is_an_error),
    };
    return run_claims("devices/waveform", claims, sizeof claims / sizeof *claims);
}
