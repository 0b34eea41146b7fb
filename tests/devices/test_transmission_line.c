/* test_transmission_line.c - T: equations at rest and with a past, delayed waves, corners travelling, parameters. */
#include "harness.h"

static void *line_batch(struct rig *r, const struct device_class **class)
{
    for (size_t i = 0; i < r->families.count; i++)
        if (r->families.families[i].class->kind.letter == 't') {
            *class = r->families.families[i].class;
            return r->families.families[i].batch;
        }
    CU_FAIL_FATAL("no line");
    return NULL;
}

static const char *const deck = "t\nT1 a b c d Z0=50 TD=1n\nRa b 0 1\nRb d 0 1\nRc a c 1\n";

static void set_ports(struct rig *r, double v1, double i1, double v2, double i2)
{
    rig_set(r, "v(a)", v1 + 0.25);
    rig_set(r, "v(b)", 0.25);
    rig_set(r, "i(t1#1)", i1);
    rig_set(r, "v(c)", v2 - 0.5);
    rig_set(r, "v(d)", -0.5);
    rig_set(r, "i(t1#2)", i2);
}

static void at_rest_a_line_is_a_pair_of_wires(void)
{
    struct rig r = rig_need(deck);
    const int one = rig_unknown(&r, "i(t1#1)"), two = rig_unknown(&r, "i(t1#2)");
    set_ports(&r, 2.0, 0.03, 2.0, -0.03);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[one], 0.0, 1e-15);
    CHECK_NEAR(r.f[two], 0.0, 1e-15);
    set_ports(&r, 2.0, 0.03, 1.0, -0.02);
    rig_evaluate(&r, -INFINITY, r.x);
    CHECK_NEAR(r.f[one], 2.0 - 50 * 0.03 - (1.0 - 50 * 0.02), 1e-14);
    CHECK_NEAR(r.f[two], 1.0 + 50 * 0.02 - (2.0 + 50 * 0.03), 1e-14);
    uint64_t seed = 61;
    for (int i = 0; i < 20; i++) {
        rig_random_point(&r, &seed, -1.0, 1.0);
        CU_ASSERT_TRUE(rig_derivative_error(&r, 0.0, 1e-2, 0.0, 1e-6) <= 1.0);
    }
    rig_close(&r);
}

static void currents_leave_by_the_other_terminal_of_the_port(void)
{
    struct rig r = rig_need(deck);
    set_ports(&r, 1.0, 0.03, 1.0, -0.02);
    CHECK_NEAR(rig_current(&r, "t1", 0, 0.0), 0.03, 0.0);
    CHECK_NEAR(rig_current(&r, "t1", 1, 0.0), -0.03, 0.0);
    CHECK_NEAR(rig_current(&r, "t1", 2, 0.0), -0.02, 0.0);
    CHECK_NEAR(rig_current(&r, "t1", 3, 0.0), 0.02, 0.0);
    CHECK_NEAR(rig_entry(&r, r.G0, "v(a)", "i(t1#1)"), 1.0, 0.0);
    CHECK_NEAR(rig_entry(&r, r.G0, "v(b)", "i(t1#1)"), -1.0, 0.0);
    CHECK_NEAR(rig_entry(&r, r.G0, "v(d)", "i(t1#2)"), -1.0, 0.0);
    rig_close(&r);
}

/* Two waves on an endless line; w1 enters at port 1, w2 at port 2. */
static double wave_1(double t)
{
    return 1.0 + sin(3e9 * t);
}

static double wave_2(double t)
{
    return 0.5 * cos(2e9 * t);
}

/* The state in which port 1 sends wave_1(t) and receives wave_2(t - td), and the reverse. */
static void travelling_state(struct rig *r, double t)
{
    const double td = 1e-9, z0 = 50.0, in1 = wave_2(fmax(t - td, 0.0)), in2 = wave_1(fmax(t - td, 0.0));
    set_ports(r, 0.5 * (wave_1(t) + in1), (wave_1(t) - in1) / (2.0 * z0), 0.5 * (wave_2(t) + in2),
              (wave_2(t) - in2) / (2.0 * z0));
}

static void waves_arrive_one_delay_later(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    CHECK_NEAR(class->largest_step(batch), 1e-9, 0.0);
    const int one = rig_unknown(&r, "i(t1#1)"), two = rig_unknown(&r, "i(t1#2)");
    uint64_t seed = 62;
    for (double t = 0.0; t < 5e-9;) {
        travelling_state(&r, t);
        if (t > 1e-9) {
            rig_evaluate(&r, t, r.x);
            CHECK_NEAR(r.f[one], 0.0, 1e-5);
            CHECK_NEAR(r.f[two], 0.0, 1e-5);
            CHECK_NEAR(r.dfdt[two], -3e9 * cos(3e9 * (t - 1e-9)), 3e9 * 1e-3);
        }
        CU_ASSERT_TRUE(class->accept(batch, instant_at(t), r.x, 4, t == 0.0));
        t += rig_random(&seed, 2e-11, 6e-11);
    }
    rig_close(&r);
}

static void the_state_at_the_start_is_held_before_it(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    set_ports(&r, 2.0, 0.03, 2.0, -0.03);
    CU_ASSERT_TRUE(class->accept(batch, instant_at(0.0), r.x, 1, true));
    rig_evaluate(&r, 0.5e-9, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#1)")], 0.0, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#2)")], 0.0, 1e-15);
    /* .op ignores the past. */
    set_ports(&r, 3.0, 0.03, 3.0, -0.03);
    rig_evaluate(&r, -INFINITY, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#1)")], 0.0, 1e-15);
    rig_close(&r);
}

static void a_run_with_uic_starts_with_an_empty_line(void)
{
    struct rig r = rig_need("t\nT1 a 0 c 0 Z0=50 F=250meg\nR1 a 0 1\nR2 c 0 1\n.tran 1n 10n uic\n");
    rig_set(&r, "v(a)", 5.0);
    rig_set(&r, "i(t1#1)", 0.1);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#1)")], 0.0, 1e-15); /* 5 V = 50 ohm * 0.1 A */
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#2)")], 0.0, 1e-15);
    rig_close(&r);
    r = rig_need("t\nT1 a 0 c 0 Z0=50 TD=1n ic=1,0.01,2,0.02\nR1 a 0 1\nR2 c 0 1\n.tran 1n 10n uic\n");
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#1)")], -3.0, 1e-15); /* v2 + 50 i2 */
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#2)")], -1.5, 1e-15);
    rig_close(&r);
}

static void corners_come_out_as_breakpoints(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    set_ports(&r, 0.0, 0.0, 0.0, 0.0);
    CU_ASSERT_TRUE(isinf(class->next_breakpoint(batch, 0.0)));
    class->accept(batch, instant_at(0.0), r.x, 1, true);
    for (int i = 1; i <= 40; i++) { /* a ramp into port 1 that begins at 0.2 ns */
        const double t = 0.01e-9 * i, v = t <= 0.2e-9 ? 0.0 : (t - 0.2e-9) / 0.1e-9;
        set_ports(&r, v, v / 50.0, 0.0, 0.0);
        class->accept(batch, instant_at(t), r.x, 1, i == 20);
    }
    const double next = class->next_breakpoint(batch, 0.4e-9);
    CHECK_NEAR(next, 1.2e-9, 1e-24);
    CU_ASSERT_TRUE(isinf(class->next_breakpoint(batch, next)));
    rig_close(&r);
}

static void unneeded_restarts_do_not_go_on_for_ever(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    set_ports(&r, 1.0, 0.02, 1.0, -0.02);
    /* A caller that asks at restarts only, and so never hears that an announcement is withdrawn. */
    int restarts = 0;
    double next = 0.0;
    for (int i = 0; i < 200 && next < INFINITY; i++) {
        const double t = 0.1e-9 * i;
        class->accept(batch, instant_at(t), r.x, 1, false);
        if (fabs(t - next) > 1e-15)
            continue;
        class->accept(batch, instant_at(t), r.x, 1, true);
        next = class->next_breakpoint(batch, t);
        restarts++;
    }
    CU_ASSERT_EQUAL(restarts, 3);
    rig_close(&r);
}

static void a_corner_that_meets_a_weak_one_is_not_lost(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    for (int i = 0; i <= 12; i++) { /* at rest until 1 ns, when nothing of the start arrives and a ramp begins */
        const double t = 0.1e-9 * i, v = i < 10 ? 0.0 : 0.1 * (i - 10);
        set_ports(&r, v, v / 50.0, 0.0, 0.0);
        class->accept(batch, instant_at(t), r.x, 1, false);
        if (i == 0 || i == 10)
            class->accept(batch, instant_at(t), r.x, 1, true);
    }
    CHECK_NEAR(class->next_breakpoint(batch, 1.2e-9), 2e-9, 1e-20);
    rig_close(&r);
}

static void a_new_run_forgets_the_old_one(void)
{
    struct rig r = rig_need(deck);
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    set_ports(&r, 1.0, 0.02, 1.0, -0.02);
    class->accept(batch, instant_at(0.0), r.x, 1, true);
    class->accept(batch, instant_at(1e-9), r.x, 1, false);
    set_ports(&r, 3.0, 0.06, 3.0, -0.06);
    class->accept(batch, instant_at(0.0), r.x, 1, true);
    rig_evaluate(&r, 0.5e-9, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(t1#1)")], 0.0, 1e-15);
    rig_close(&r);
}

static void check_refused(const char *text, const char *code)
{
    struct rig r = rig_open(text);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, code));
    rig_close(&r);
}

static void incomplete_lines_are_errors(void)
{
    check_refused("t\nT1 a 0 c 0 TD=1n\nR1 a 0 1\nR2 c 0 1\n", "missing-value");
    check_refused("t\nT1 a 0 c 0 Z0=50\nR1 a 0 1\nR2 c 0 1\n", "missing-value");
    check_refused("t\nT1 a 0 c 0 Z0=50 TD=0\nR1 a 0 1\nR2 c 0 1\n", "parameter-range");
    check_refused("t\nT1 a 0 c 0 Z0=-50 TD=1n\nR1 a 0 1\nR2 c 0 1\n", "parameter-range");
}

static void delay_follows_from_frequency_and_length(void)
{
    struct rig r = rig_need("t\nT1 a 0 c 0 Z0=50 F=100meg NL=0.5\nR1 a 0 1\nR2 c 0 1\n");
    const struct device_class *class = NULL;
    void *batch = line_batch(&r, &class);
    CHECK_NEAR(class->largest_step(batch), 5e-9, 1e-22);
    rig_close(&r);
}

static void topology_sees_two_resistive_ports(void)
{
    struct rig r = rig_need(deck);
    struct branch_list list = rig_branches(&r);
    size_t ports = 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.branches[i].element->kind->letter == 't') {
            CU_ASSERT_EQUAL(list.branches[i].kind, BRANCH_R);
            CHECK_NEAR(list.branches[i].constant, 50.0, 0.0);
            CU_ASSERT_TRUE(list.branches[i].current > 0);
            ports++;
        }
    CU_ASSERT_EQUAL(ports, 2);
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(at_rest_a_line_is_a_pair_of_wires),
        CLAIM(currents_leave_by_the_other_terminal_of_the_port),
        CLAIM(waves_arrive_one_delay_later),
        CLAIM(the_state_at_the_start_is_held_before_it),
        CLAIM(a_run_with_uic_starts_with_an_empty_line),
        CLAIM(corners_come_out_as_breakpoints),
        CLAIM(unneeded_restarts_do_not_go_on_for_ever),
        CLAIM(a_corner_that_meets_a_weak_one_is_not_lost),
        CLAIM(a_new_run_forgets_the_old_one),
        CLAIM(incomplete_lines_are_errors),
        CLAIM(delay_follows_from_frequency_and_length),
        CLAIM(topology_sees_two_resistive_ports),
    };
    return run_claims("devices/transmission_line", claims, sizeof claims / sizeof *claims);
}
