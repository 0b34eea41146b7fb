/* Claims about MESFETs of levels 2 to 4 and HFETs.  Currents and capacitances are compared with ngspice's in
 * tests/system/test_mesfet_ngspice.sh. */
#include "stand.h"

#include "devices/mesfet/mes_law.h"

/* ---- at random cards and biases ---- */

static double maybe(uint64_t *seed, double low, double high)
{
    return stand_uniform(seed, -1, 1) > 0 ? stand_uniform(seed, low, high) : 0;
}

static struct stand *random_mesa(uint64_t *seed, int level)
{
    const struct stand_setting model[] = {{"level", level},
                                          {"vto", stand_uniform(seed, -1.3, 0.2)},
                                          {"lambda", stand_uniform(seed, 0, 0.2)},
                                          {"eta", stand_uniform(seed, 1.2, 2)},
                                          {"m", stand_uniform(seed, 1.5, 4)},
                                          {"mc", stand_uniform(seed, 2, 4)},
                                          {"sigma0", stand_uniform(seed, 0, 0.1)},
                                          {"vsigmat", stand_uniform(seed, 0.2, 1)},
                                          {"d", stand_uniform(seed, 1.4e-7, 2e-7)},
                                          {"theta", maybe(seed, 0, 0.05)},
                                          {"alpha", maybe(seed, 0, 0.5)},
                                          {"tc", maybe(seed, 0, 0.2)},
                                          {"rsi", maybe(seed, 1, 20)},
                                          {"rdi", maybe(seed, 1, 20)},
                                          {"rd", maybe(seed, 5, 40)},
                                          {"rs", maybe(seed, 5, 40)},
                                          {"rg", maybe(seed, 5, 40)},
                                          {"ri", maybe(seed, 5, 40)},
                                          {"rf", maybe(seed, 5, 40)},
                                          {"ks", maybe(seed, 0, 0.1)},
                                          {"vsg", stand_uniform(seed, -1, 1)},
                                          {"ag", maybe(seed, 0, 0.3)},
                                          {"cas", stand_uniform(seed, 0.8, 1.2)},
                                          {"cbs", stand_uniform(seed, 0.8, 1.2)},
                                          {"xtm0", stand_uniform(seed, -1, 1)},
                                          {"mu1", maybe(seed, 0.5, 2)},
                                          {0}};
    return stand_new(&mesa_class, stand_uniform(seed, -1, 1) > 0 ? "nmf" : "pmf", 3, model,
                     (struct stand_setting[]){{"w", 30e-6}, {"m", 2}, {"td", 60}, {0}}, stand_uniform(seed, -20, 90));
}

static struct stand *random_hfet(uint64_t *seed, int level)
{
    struct stand_setting model[40] = {{"level", level},
                                      {"vto", stand_uniform(seed, -0.5, 0.4)},
                                      {"lambda", stand_uniform(seed, 0, 0.2)},
                                      {"eta", stand_uniform(seed, 1.2, 2)},
                                      {"m", stand_uniform(seed, 1.5, 4)},
                                      {"gamma", stand_uniform(seed, 2, 4)},
                                      {"sigma0", stand_uniform(seed, 0, 0.1)},
                                      {"nmax", stand_uniform(seed, 6e15, 2e16)},
                                      {"p", stand_uniform(seed, 0.5, 1)},
                                      {"rsi", maybe(seed, 1, 20)},
                                      {"rd", maybe(seed, 5, 40)},
                                      {"rs", maybe(seed, 5, 40)},
                                      {"ggr", 40}};
    const struct stand_setting own[] = {{"rg", maybe(seed, 5, 40)},
                                        {"ri", maybe(seed, 5, 40)},
                                        {"rf", maybe(seed, 5, 40)},
                                        {"cds", maybe(seed, 1e-15, 1e-14)},
                                        {"js1s", maybe(seed, 1e-6, 1e3)},
                                        {"rgd", maybe(seed, 1, 100)},
                                        {"gatemod", maybe(seed, 1, 1)},
                                        {"m2s", stand_uniform(seed, 1.2, 2)},
                                        {"a1", maybe(seed, -0.1, 0.1)},
                                        {"a2", stand_uniform(seed, 0, 0.5)},
                                        {"ck2", 0.05}};
    const struct stand_setting second[] = {{"eta2", stand_uniform(seed, 1.5, 2.5)}, {"d2", 2e-7}};
    const struct stand_setting junctions[] = {{"js", stand_uniform(seed, 1e-3, 1e3)}, {"n", 2}, {"cf", 2e-15}};
    size_t count = 13;
    if (level == 5)
        memcpy(model + count, own, sizeof own), count += sizeof own / sizeof *own;
    else
        memcpy(model + count, junctions, sizeof junctions), count += sizeof junctions / sizeof *junctions;
    if (stand_uniform(seed, -1, 1) > 0)
        memcpy(model + count, second, sizeof second);
    return stand_new(level == 5 ? &hfet1_class : &hfet2_class, stand_uniform(seed, -1, 1) > 0 ? "nhfet" : "phfet", 3,
                     model, (struct stand_setting[]){{"l", 0.7e-6}, {"m", 3}, {0}}, stand_uniform(seed, -20, 90));
}

static struct stand *random_transistor(uint64_t *seed, int card)
{
    const int level = 2 + card % 5;
    return level < 5 ? random_mesa(seed, level) : random_hfet(seed, level);
}

/* Rates in A, which are the last two unknowns. */
static void random_bias(const struct stand *r, double *x, double span, uint64_t *seed)
{
    x[0] = 0;
    for (size_t i = 1; i < r->n; i++)
        x[i] = stand_uniform(seed, -span, span) * (i < r->n - 2 ? 1 : 1e-2);
}

static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 20261126;
    for (int card = 0; card < 200; card++) {
        struct stand *r = random_transistor(&seed, card);
        for (int bias = 0; bias < 20; bias++) {
            double x[STAND_LIMIT] = {0};
            random_bias(r, x, 0.6, &seed);
            const int wrong = stand_wrong_derivatives(r, x);
            CU_ASSERT_EQUAL(wrong, 0);
            if (wrong)
                fprintf(stderr, "\ncard %d, bias %d of seed 20261126", card, bias);
        }
        stand_free(r);
    }
}

/* Kirchhoff's law, with the equations of the rates left out. */
static void currents_and_charges_add_to_zero(void)
{
    uint64_t seed = 6;
    for (int card = 0; card < 50; card++) {
        struct stand *r = random_transistor(&seed, card);
        double x[STAND_LIMIT] = {0}, f = 0, q = 0, f_size = 0, q_size = 0;
        random_bias(r, x, 0.6, &seed);
        stand_evaluate(r, x, NULL);
        for (size_t i = 0; i < r->n - 2; i++) {
            f += r->f[i];
            q += r->q[i];
            f_size += fabs(r->f[i]);
            q_size += fabs(r->q[i]);
        }
        CU_ASSERT(fabs(f) <= 32 * DBL_EPSILON * f_size);
        CU_ASSERT(fabs(q) <= 32 * DBL_EPSILON * q_size);
        stand_free(r);
    }
}

static void nothing_overflows(void)
{
    uint64_t seed = 3;
    for (int card = 0; card < 50; card++) {
        struct stand *r = random_transistor(&seed, card);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
        stand_free(r);
    }
}

static void probe_gives_the_terminal_currents(void)
{
    uint64_t seed = 4;
    for (int card = 0; card < 50; card++) {
        struct stand *r = random_transistor(&seed, card);
        double x[STAND_LIMIT] = {0}, dxdt[STAND_LIMIT] = {0};
        random_bias(r, x, 0.4, &seed);
        random_bias(r, dxdt, 1e6, &seed);
        CU_ASSERT(stand_probe_agrees(r, x, dxdt, 3));
        stand_free(r);
    }
}

static void limiting_ends_and_extrapolates(void)
{
    uint64_t seed = 5;
    for (int card = 0; card < 60; card++) {
        struct stand *r = random_transistor(&seed, card);
        double x[STAND_LIMIT] = {0}, reference[STAND_LIMIT] = {0};
        random_bias(r, x, 8, &seed);
        random_bias(r, reference, 1, &seed);
        CU_ASSERT(stand_limiting_ends(r, x, reference) >= 0);
        CU_ASSERT(stand_extrapolates(r, x, reference) >= 0);
        stand_free(r);
    }
}

/* ---- what the models say ---- */

static struct stand *plain(int level, const char *type)
{
    const struct stand_setting mesfet[] = {{"level", level}, {"ggr", 0}, {0}};
    const struct device_class *class = level < 5 ? &mesa_class : level == 5 ? &hfet1_class : &hfet2_class;
    struct stand *r = stand_new(class, type, 3, mesfet, NULL, 27);
    r->gmin = 0;
    return r;
}

static void drain_and_source_change_places(void)
{
    for (int level = 2; level < 7; level++) {
        struct stand *r = plain(level, level < 5 ? "nmf" : "nhfet");
        stand_evaluate(r, (const double[6]){0, 0.7, 0.4, 0, 1e-6, 2e-6}, NULL);
        const double forward[3] = {r->f[1], r->f[2], r->f[3]};
        stand_evaluate(r, (const double[6]){0, 0, 0.4, 0.7, 2e-6, 1e-6}, NULL);
        CHECK_NEAR(r->f[3], forward[0], 1e-12 * fabs(forward[0]));
        CHECK_NEAR(r->f[2], forward[1], 1e-12 * fabs(forward[1]));
        CHECK_NEAR(r->f[1], forward[2], 1e-12 * fabs(forward[2]));
        CU_ASSERT(forward[0] > 1e-6);
        stand_free(r);
    }
}

static void p_channels_mirror_n_channels(void)
{
    struct stand *n = plain(2, "nmf"), *p = plain(2, "pmf");
    stand_evaluate(n, (const double[6]){0, 2, 0.1, 0, 1e-6, 2e-6}, NULL);
    stand_evaluate(p, (const double[6]){0, -2, -0.1, 0, -1e-6, -2e-6}, NULL);
    for (size_t i = 1; i < n->n; i++) {
        CHECK_NEAR(n->f[i], -p->f[i], 1e-12 * fabs(n->f[i]));
        CHECK_NEAR(n->q[i], -p->q[i], 1e-12 * fabs(n->q[i]));
    }
    stand_free(n);
    stand_free(p);
}

/* The rates follow from their equations, and the gate takes cgs and cgd times those of its voltages, whatever charge that
 * makes. */
static void displacement_is_capacitance_times_rate(void)
{
    static const char *const names[] = {"cgs", "cgd"};
    for (int level = 2; level < 7; level++) {
        struct stand *r = plain(level, level < 5 ? "nmf" : "nhfet");
        double x[6] = {0, 0.9, 0.3, 0, 0, 0}, values[MOST_QUANTITIES];
        const double dxdt[6] = {0, -2e9, 3e9, 0, 0, 0};
        struct device_probe at = {.x = x, .dxdt = (const double[6]){0}};
        const double rest = r->class->current(r->batch, 0, 1, &at);
        stand_evaluate(r, x, NULL);
        for (size_t rate = 4; rate < 6; rate++)
            for (size_t j = 1; j < 4; j++)
                x[rate] -= r->C[rate * r->n + j] * dxdt[j];
        at.dxdt = dxdt;
        r->class->observe(r->batch, 0, &at, values);
        const double cgs = values[kind_quantity(&r->class->kind, names[0])];
        const double cgd = values[kind_quantity(&r->class->kind, names[1])];
        const double displaced = r->class->current(r->batch, 0, 1, &at) - rest;
        CHECK_NEAR(displaced, cgs * 3e9 + cgd * 5e9, 1e-9 * fabs(displaced));
        CU_ASSERT(cgs > 1e-15 && cgd > 1e-17);
        stand_free(r);
    }
}

/* The parts of the series take the whole voltage. */
static void leak_obeys_its_equation(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        const struct mes_leak leak = {maybe(&seed, 1, 200),
                                      {pow(10, stand_uniform(&seed, -25, -6)), pow(10, stand_uniform(&seed, -25, -4))},
                                      {0.026 * stand_uniform(&seed, 1, 2), 0.026 * stand_uniform(&seed, 1, 8)}};
        const double v = stand_uniform(&seed, -0.5, 1.2);
        double slope;
        const double current = mes_leak_current(&leak, v, &slope);
        double sum = leak.resistance * current;
        for (int k = 0; k < 2; k++)
            sum += leak.voltage[k] * log1p(current / leak.current[k]);
        if (v > -0.1)
            CHECK_NEAR(sum, v, 1e-6 * fabs(v) + 1e-8);
        CU_ASSERT(current > -fmin(leak.current[0], leak.current[1]) * (1 + 1e-12) && slope >= 0);
    }
    double slope;
    const struct mes_leak leak = {90, {1e-11, 1e-5}, {0.034, 0.18}};
    CU_ASSERT_EQUAL(mes_leak_current(&leak, 0, &slope), 0);
    CHECK_NEAR(mes_leak_current(&leak, -1000, &slope), -1e-11, 1e-22);
    CHECK_NEAR(slope, 0, 1e-30);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(currents_and_charges_add_to_zero),
        CLAIM(nothing_overflows),
        CLAIM(probe_gives_the_terminal_currents),
        CLAIM(limiting_ends_and_extrapolates),
        CLAIM(drain_and_source_change_places),
        CLAIM(p_channels_mirror_n_channels),
        CLAIM(displacement_is_capacitance_times_rate),
        CLAIM(leak_obeys_its_equation),
    };
    return run_claims("mesfet", claims, sizeof claims / sizeof *claims);
}
