/* Claims about power MOSFETs of level 18. */
#include "stand.h"

enum { DRAIN = 1, GATE, SOURCE, BULK, DRIFT };

static struct stand *random_transistor(uint64_t *seed)
{
    const bool resistive = stand_uniform(seed, -1, 1) > 0;
    const struct stand_setting model[] = {{"vto", stand_uniform(seed, -2, 3)},
                                          {"gammas0", stand_uniform(seed, 0, 1)},
                                          {"gammal0", stand_uniform(seed, 0, 0.05)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"theta", stand_uniform(seed, 0, 1e-9)},
                                          {"delta", stand_uniform(seed, 1, 5)},
                                          {"sigma0", stand_uniform(seed, 0, 0.1)},
                                          {"vmax", stand_uniform(seed, 1e4, 1e5)},
                                          {"tox", stand_uniform(seed, 2e-8, 1e-7)},
                                          {"driftparama", stand_uniform(seed, 0.01, 0.2)},
                                          {"driftparamb", stand_uniform(seed, 0, 0.02)},
                                          {"rs", resistive ? 0.05 : 0},
                                          {"rd", resistive ? 0.02 : 0},
                                          {"rg", resistive ? 2 : 0},
                                          {"d1rs", resistive ? 0.1 : 0},
                                          {"rdsshunt", 1e4},
                                          {"cbd", 1e-9},
                                          {"cgso", 1e-9},
                                          {"cgbo", 1e-9},
                                          {"d1cjo", 1e-10},
                                          {"d1ikf", 1},
                                          {0}};
    return stand_new(&power_mosfet_class, stand_uniform(seed, -1, 1) > 0 ? "nmos" : "pmos", 4, model,
                     (struct stand_setting[]){{"w", 0.1}, {"l", 2e-6}, {"m", 2}, {0}}, stand_uniform(seed, -20, 120));
}

static void derivatives_are_exact_and_charge_stays(void)
{
    uint64_t seed = 20261123;
    for (int card = 0; card < 80; card++) {
        struct stand *r = random_transistor(&seed);
        for (int bias = 0; bias < 20; bias++) {
            double x[STAND_LIMIT] = {0};
            for (size_t i = 1; i < r->n; i++)
                x[i] = i == BULK || i > BULK ? stand_uniform(&seed, -0.4, 0.4) : stand_uniform(&seed, -4, 4);
            const int wrong = stand_wrong_derivatives(r, x);
            CU_ASSERT_EQUAL(wrong, 0);
            if (wrong)
                fprintf(stderr, "\ncard %d, bias %d of seed 20261123", card, bias);
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
}

static void nothing_overflows(void)
{
    uint64_t seed = 5;
    for (int card = 0; card < 20; card++) {
        struct stand *r = random_transistor(&seed);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
        stand_free(r);
    }
}

static void probe_gives_the_terminal_currents(void)
{
    uint64_t seed = 6;
    for (int card = 0; card < 30; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT] = {0}, dxdt[STAND_LIMIT] = {0};
        for (size_t i = 1; i < r->n; i++) {
            x[i] = stand_uniform(&seed, -0.5, 0.5);
            dxdt[i] = stand_uniform(&seed, -1e6, 1e6);
        }
        CU_ASSERT(stand_probe_agrees(r, x, dxdt, 4));
        stand_free(r);
    }
}

static void limiting_ends(void)
{
    uint64_t seed = 7;
    for (int card = 0; card < 60; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT] = {0}, reference[STAND_LIMIT] = {0};
        for (size_t i = 1; i < r->n; i++) {
            x[i] = stand_uniform(&seed, -8, 8);
            reference[i] = stand_uniform(&seed, -1, 1);
        }
        CU_ASSERT(stand_limiting_ends(r, x, reference) >= 0);
        stand_free(r);
    }
}

/* A channel alone: no drift region, no body effect, no diodes to speak of. */
static struct stand *plain(double delta, double vmax)
{
    const struct stand_setting model[] = {{"vto", 1},         {"gammas0", 0},
                                          {"sigma0", 0},      {"lambda", 0},
                                          {"tox", 5e-8},      {"uo", 300},
                                          {"eta", 1.5},       {"delta", delta},
                                          {"vmax", vmax},     {"driftparama", 0},
                                          {"driftparamb", 0}, {"is", 0},
                                          {"d1is", 1e-60},    {0}};
    struct stand *r =
        stand_new(&power_mosfet_class, "nmos", 4, model, (struct stand_setting[]){{"w", 1e-3}, {"l", 2e-6}, {0}}, 27);
    r->gmin = 0;
    return r;
}

static const double thermal = 1.380649e-23 * 300.15 / 1.602176634e-19;
static const double oxide = 3.9 * 8.8541878128e-12 / 5e-8;

/* Far above threshold 2 q n0 ln(1 + e^x/2) is Cox (vgt - eta Vt ln 2), and a small vds sees a resistance. */
static void conducts_as_its_charge(void)
{
    struct stand *r = plain(5, 4e4);
    stand_evaluate(r, (const double[5]){0, 1e-6, 6, 0, 0}, NULL);
    CHECK_NEAR(r->f[DRAIN] / 1e-6, 0.03 * oxide * 500 * (5 - 1.5 * thermal * log(2)), 1e-9);
    stand_evaluate(r, (const double[5]){0, 0, 6, 1e-6, 0}, NULL);
    CHECK_NEAR(r->f[SOURCE] / 1e-6, 0.03 * oxide * 500 * (5 - 1.5 * thermal * log(2)), 1e-6);
    stand_free(r);
}

/* A decade of current for eta Vt ln 10, 10 V below the transition at whose width vgte still follows 2 Vt. */
static void falls_exponentially_below_threshold(void)
{
    struct stand *r = plain(1e-3, 1e30);
    stand_evaluate(r, (const double[5]){0, 5, 0.5, 0, 0}, NULL);
    const double at = r->f[DRAIN];
    stand_evaluate(r, (const double[5]){0, 5, 0.5 - 1.5 * thermal * log(10), 0, 0}, NULL);
    CHECK_NEAR(r->f[DRAIN] / at, 0.1, 1e-5);
    CU_ASSERT(at > 0);
    stand_free(r);
}

/* Without resistances and with a small delta vgte is the overdrive: isat = g u/(1 + sqrt(1 + (u mu0/(vmax L))^2)). */
static void saturates_by_velocity(void)
{
    struct stand *r = plain(1e-6, 4e4);
    stand_evaluate(r, (const double[5]){0, 50, 5, 0, 0}, NULL);
    const double u = 4, g = 0.03 * oxide * 500 * (u - 1.5 * thermal * log(2)), across = u * 0.03 / (4e4 * 2e-6);
    CHECK_NEAR(r->f[DRAIN], g * u / (1 + sqrt(1 + across * across)), 1e-9);
    stand_free(r);
}

static void drift_region_is_in_series(void)
{
    struct stand *r = stand_new(&power_mosfet_class, "nmos", 4, (struct stand_setting[]){{"vto", 1}, {"d1is", 0}, {0}},
                                (struct stand_setting[]){{"m", 4}, {0}}, 27);
    r->gmin = 0;
    stand_evaluate(r, (const double[6]){0, 3, 0, 0, 0, 1}, NULL); /* 2 V across it: 2/(0.08 + 0.026) each */
    CHECK_NEAR(r->f[DRAIN], 4 * 2 / (0.08 + 0.026), 1e-9);
    stand_free(r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_and_charge_stays),
        CLAIM(nothing_overflows),
        CLAIM(conducts_as_its_charge),
        CLAIM(falls_exponentially_below_threshold),
        CLAIM(probe_gives_the_terminal_currents),
        CLAIM(limiting_ends),
        CLAIM(saturates_by_velocity),
        CLAIM(drift_region_is_in_series),
    };
    return run_claims("power_mosfet", claims, sizeof claims / sizeof *claims);
}
