/* Claims about field-effect transistors of three terminals: power MOSFETs and JFETs. */
#include "stand.h"

/* ---- at random cards and biases ---- */

static struct stand *random_vdmos(uint64_t *seed)
{
    const struct stand_setting model[] = {{"vto", stand_uniform(seed, -2, 4)},
                                          {"kp", stand_uniform(seed, 0.1, 30)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"theta", stand_uniform(seed, 0, 0.1)},
                                          {"mtriode", stand_uniform(seed, 0.3, 2)},
                                          {"ksubthres", stand_uniform(seed, 0.05, 0.4)},
                                          {"rd", stand_uniform(seed, -0.1, 0.2)},
                                          {"rs", stand_uniform(seed, -0.1, 0.2)},
                                          {"rg", stand_uniform(seed, -2, 4)},
                                          {"rb", stand_uniform(seed, -0.05, 0.1)},
                                          {"rds", stand_uniform(seed, 1e5, 1e7)},
                                          {"rq", stand_uniform(seed, -0.3, 0.3)},
                                          {"vq", 2},
                                          {"a", stand_uniform(seed, 0.2, 2)},
                                          {"is", 1e-11},
                                          {"tt", 1e-9},
                                          {"bv", 30},
                                          {0}};
    struct stand_setting positive[24];
    size_t count = 0;
    for (size_t i = 0; model[i].name; i++)
        if (model[i].value >= 0 || strcmp(model[i].name, "vto") == 0)
            positive[count++] = model[i];
    positive[count++] = (struct stand_setting){stand_uniform(seed, -1, 1) < 0 ? "pchan" : "nchan", 1};
    positive[count] = (struct stand_setting){0};
    return stand_new(&vdmos_class, "vdmos", 3, positive, (struct stand_setting[]){{"m", 2}, {0}},
                     stand_uniform(seed, -20, 120));
}

static struct stand *random_jfet(uint64_t *seed)
{
    const bool resistive = stand_uniform(seed, -1, 1) > 0;
    const struct stand_setting model[] = {{"vto", stand_uniform(seed, -3, 0.3)},
                                          {"beta", stand_uniform(seed, 1e-4, 1e-2)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"b", stand_uniform(seed, 0.5, 1.1)},
                                          {"pb", stand_uniform(seed, 0.7, 1)},
                                          {"m", stand_uniform(seed, 0.3, 0.5)},
                                          {"cgs", 4e-12},
                                          {"cgd", 3e-12},
                                          {"is", 1e-14},
                                          {"isr", 1e-13},
                                          {"rd", resistive ? 20 : 0},
                                          {"rs", resistive ? 10 : 0},
                                          {"alpha", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 0.2},
                                          {"vk", stand_uniform(seed, 0, 1) < 0.3 ? 0 : 2},
                                          {0}};
    return stand_new(&jfet_class, stand_uniform(seed, -1, 1) > 0 ? "njf" : "pjf", 3, model,
                     (struct stand_setting[]){{"area", 1.5}, {0}}, stand_uniform(seed, -20, 120));
}

/* Xyce's, after Shockley. */
static struct stand *random_jfet_2(uint64_t *seed)
{
    const struct stand_setting model[] = {{"level", 2},
                                          {"vto", stand_uniform(seed, -3, 0.3)},
                                          {"beta", stand_uniform(seed, 1e-4, 1e-2)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"theta", stand_uniform(seed, 0, 0.3)},
                                          {"delta", stand_uniform(seed, 0, 1)},
                                          {"pb", stand_uniform(seed, 0.7, 1)},
                                          {"cgs", 4e-12},
                                          {"is", 1e-14},
                                          {"rs", stand_uniform(seed, 0, 20)},
                                          {0}};
    return stand_new(&jfet_class, stand_uniform(seed, -1, 1) > 0 ? "njf" : "pjf", 3, model, NULL,
                     stand_uniform(seed, -20, 120));
}

/* ngspice's, Parker and Skellern's. */
static struct stand *random_jfet_parker(uint64_t *seed)
{
    const bool tail = stand_uniform(seed, -1, 1) > 0;
    const struct stand_setting model[] = {{"level", 2},
                                          {"vto", stand_uniform(seed, -3, 0.3)},
                                          {"vbi", stand_uniform(seed, 0.7, 1)},
                                          {"beta", stand_uniform(seed, 1e-4, 1e-2)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"p", stand_uniform(seed, 2, 3)},
                                          {"q", stand_uniform(seed, 1.5, 2)},
                                          {"z", stand_uniform(seed, 0.2, 1)},
                                          {"xi", stand_uniform(seed, 0.1, 10)},
                                          {"mxi", stand_uniform(seed, 0, 0.3)},
                                          {"vst", tail ? 0.1 : 0},
                                          {"mvst", 0.02},
                                          {"lfgam", stand_uniform(seed, 0, 0.05)},
                                          {"lfg1", stand_uniform(seed, 0, 0.005)},
                                          {"lfg2", stand_uniform(seed, 0, 0.005)},
                                          {"delta", stand_uniform(seed, 0, 1)},
                                          {"ibd", 1e-12},
                                          {"vbd", stand_uniform(seed, 0.5, 2)},
                                          {"acgam", stand_uniform(seed, -0.1, 0.1)},
                                          {"xc", stand_uniform(seed, 0, 0.5)},
                                          {"cgs", 4e-12},
                                          {"cgd", 3e-12},
                                          {"cds", 1e-12},
                                          {"is", 1e-14},
                                          {"rs", stand_uniform(seed, 0, 20)},
                                          {0}};
    return stand_new(&jfet_class, stand_uniform(seed, -1, 1) > 0 ? "njf" : "pjf", 3, model, NULL,
                     stand_uniform(seed, -20, 120));
}

static struct stand *random_mesfet(uint64_t *seed)
{
    const struct stand_setting model[] = {{"vto", stand_uniform(seed, -3, 0.3)},
                                          {"beta", stand_uniform(seed, 1e-4, 1e-2)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"b", stand_uniform(seed, 0, 1)},
                                          {"alpha", stand_uniform(seed, 1, 4)},
                                          {"pb", stand_uniform(seed, 0.7, 1)},
                                          {"cgs", 4e-12},
                                          {"cgd", 3e-12},
                                          {"is", 1e-14},
                                          {"rd", stand_uniform(seed, 0, 20)},
                                          {0}};
    return stand_new(&mesfet_class, stand_uniform(seed, -1, 1) > 0 ? "nmf" : "pmf", 3, model, NULL,
                     stand_uniform(seed, -20, 120));
}

static struct stand *random_gasfet(uint64_t *seed, int card)
{
    const struct stand_setting model[] = {{"level", 1 + card % 3},
                                          {"vto", stand_uniform(seed, -3, 0.3)},
                                          {"gamma", stand_uniform(seed, -0.05, 0.1)},
                                          {"delta", stand_uniform(seed, 0, 2)},
                                          {"q", stand_uniform(seed, 1.5, 3)},
                                          {"beta", stand_uniform(seed, 1e-4, 1e-2)},
                                          {"lambda", stand_uniform(seed, 0, 0.1)},
                                          {"alpha", stand_uniform(seed, 1, 4)},
                                          {"vbi", stand_uniform(seed, 0.7, 1)},
                                          {"cgs", 4e-12},
                                          {"cgd", 3e-12},
                                          {"cds", 2e-12},
                                          {"is", 1e-14},
                                          {"rg", stand_uniform(seed, 0, 20)},
                                          {"alphatce", 0.1},
                                          {0}};
    return stand_new(&gasfet_class, "gasfet", 3, model, NULL, stand_uniform(seed, -20, 120));
}

static struct stand *random_fet(uint64_t *seed, int card)
{
    return card % 2          ? random_vdmos(seed)
           : card % 16 == 2  ? random_jfet_2(seed)
           : card % 16 == 10 ? random_jfet_parker(seed)
           : card % 4        ? random_jfet(seed)
                             : random_mesfet(seed);
}

static void random_bias(const struct stand *r, double *x, double span, uint64_t *seed)
{
    x[0] = 0;
    for (size_t i = 1; i < r->n; i++)
        x[i] = stand_uniform(seed, -span, span);
}

static void derivatives_of_gasfets_are_exact_everywhere(void)
{
    uint64_t seed = 20261128;
    for (int card = 0; card < 30; card++) {
        struct stand *r = random_gasfet(&seed, card);
        for (int bias = 0; bias < 20; bias++) {
            double x[STAND_LIMIT] = {0};
            random_bias(r, x, 0.45, &seed);
            CU_ASSERT_EQUAL(stand_wrong_derivatives(r, x), 0);
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
}

static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 20261122;
    for (int card = 0; card < 150; card++) {
        struct stand *r = random_fet(&seed, card);
        for (int bias = 0; bias < 20; bias++) {
            double x[STAND_LIMIT] = {0};
            random_bias(r, x, card % 2 ? 4 : 0.45, &seed);
            if (card % 2 && bias % 2)
                for (size_t i = 4; i < r->n; i++) /* near the outer nodes, as resistances hold them */
                    x[i] = x[1 + i % 3] + stand_uniform(&seed, -0.2, 0.2);
            const int wrong = stand_wrong_derivatives(r, x);
            CU_ASSERT_EQUAL(wrong, 0);
            if (wrong)
                fprintf(stderr, "\ncard %d, bias %d of seed 20261122", card, bias);
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
}

static void nothing_overflows(void)
{
    uint64_t seed = 3;
    for (int card = 0; card < 20; card++) {
        struct stand *r = random_fet(&seed, card);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
        stand_free(r);
    }
}

static void probe_gives_the_terminal_currents(void)
{
    uint64_t seed = 4;
    for (int card = 0; card < 40; card++) {
        struct stand *r = random_fet(&seed, card);
        double x[STAND_LIMIT] = {0}, dxdt[STAND_LIMIT] = {0};
        random_bias(r, x, card % 2 ? 0.6 : 0.4, &seed);
        random_bias(r, dxdt, 1e6, &seed);
        CU_ASSERT(stand_probe_agrees(r, x, dxdt, 3));
        stand_free(r);
    }
}

static void limiting_ends_and_extrapolates(void)
{
    uint64_t seed = 5;
    for (int card = 0; card < 60; card++) {
        struct stand *r = random_fet(&seed, card);
        double x[STAND_LIMIT] = {0}, reference[STAND_LIMIT] = {0};
        random_bias(r, x, 8, &seed);
        random_bias(r, reference, 1, &seed);
        CU_ASSERT(stand_limiting_ends(r, x, reference) >= 0);
        stand_free(r);
    }
}

/* ---- closed forms ---- */

static void jfet_follows_the_square_law(void)
{
    /* beta (vgs - vto)^2 (1 + lambda vds) in saturation, beta vds (2 u - vds) (1 + lambda vds) below. */
    struct stand *r =
        stand_new(&jfet_class, "njf", 3,
                  (struct stand_setting[]){{"vto", -2}, {"beta", 1e-3}, {"lambda", 0.05}, {"is", 0}, {0}}, NULL, 27);
    r->gmin = 0;
    stand_evaluate(r, (const double[4]){0, 5, -0.5, 0}, NULL);
    CHECK_NEAR(r->f[1], 1e-3 * 1.5 * 1.5 * 1.25, 1e-15);
    stand_evaluate(r, (const double[4]){0, 0.5, -0.5, 0}, NULL);
    CHECK_NEAR(r->f[1], 1e-3 * 0.5 * (3 - 0.5) * 1.025, 1e-15);
    stand_evaluate(r, (const double[4]){0, 0, -1, 0.5}, NULL); /* drain and source change places */
    CHECK_NEAR(r->f[3], 1e-3 * 0.5 * (2 - 0.5) * 1.025, 1e-15);
    CHECK_NEAR(r->f[1], -r->f[3], 1e-18);
    stand_free(r);
}

/* Shockley's integral of 1 - sqrt(1 - (u - s)/A) over what lies along the channel, by Simpson's rule. */
static double shockley_integral(double u, double along, double width)
{
    enum { PIECES = 2000 };
    double sum = 0;
    for (int i = 0; i <= PIECES; i++) {
        const double weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * (1 - sqrt(1 - (u - along * i / PIECES) / width));
    }
    return sum * along / PIECES / 3;
}

static void jfet_of_level_2_follows_shockley(void)
{
    struct stand *r = stand_new(&jfet_class, "njf", 3,
                                (struct stand_setting[]){{"level", 2},
                                                         {"vto", -3},
                                                         {"beta", 1e-3},
                                                         {"lambda", 0.05},
                                                         {"theta", 0.1},
                                                         {"delta", 0.5},
                                                         {"pb", 0.8},
                                                         {"is", 0},
                                                         {0}},
                                NULL, 27);
    r->gmin = 0;
    const double u = 2, width = 3.8, beta = 1e-3 / (1 + 0.1 * u);
    stand_evaluate(r, (const double[4]){0, 5, -1, 0}, NULL);
    CHECK_NEAR(r->f[1], beta * 1.25 * shockley_integral(u, u, width), 1e-12);
    stand_evaluate(r, (const double[4]){0, 1, -1, 0}, NULL);
    CHECK_NEAR(r->f[1], beta * 1.05 * shockley_integral(u, 1 * u / (u + 0.5), width), 1e-12);
    stand_evaluate(r, (const double[4]){0, -1, -2, 0}, NULL); /* drain and source change places */
    CHECK_NEAR(r->f[1], -beta * 1.05 * shockley_integral(u, 1 * u / (u + 0.5), width), 1e-12);
    stand_free(r);
}

static void vdmos_follows_its_law(void)
{
    const struct stand_setting model[] = {{"vto", 3}, {"kp", 2},     {"mtriode", 0.5}, {"ksubthres", 0.1},
                                          {"is", 0},  {"cgs", 1e-9}, {"cgdmax", 2e-9}, {"cgdmin", 1e-10},
                                          {"a", 0.5}, {"cjo", 0},    {"rds", 1e30},    {0}};
    struct stand *r = stand_new(&vdmos_class, "vdmos", 3, model, NULL, 27);
    r->gmin = 0;
    const double u = 0.1 * log(1 + exp(20));
    stand_evaluate(r, (const double[4]){0, 10, 5, 0}, NULL); /* saturated: mtriode vds = 5 > u */
    CHECK_NEAR(r->f[1], u * u, 1e-12);
    stand_evaluate(r, (const double[4]){0, 1, 5, 0}, NULL);
    CHECK_NEAR(r->f[1], 2 * 0.5 * (u - 0.25), 1e-12);
    stand_evaluate(r, (const double[4]){0, 5, 2.5, 0}, NULL); /* half a volt below threshold: Kp/2 k^2 e^-10 */
    CHECK_NEAR(r->f[1], pow(0.1 * log1p(exp(-5)), 2), 1e-15);
    /* Cgd is Cgdmin far below, Cgdmax far above 0 V; the charges differ by the integral between. */
    stand_evaluate(r, (const double[4]){0, 1000, 0, 0}, NULL);
    CHECK_NEAR(r->C[2 * r->n + 1], -1e-10, 2e-12);
    stand_evaluate(r, (const double[4]){0, -1000, 0, 0}, NULL);
    CHECK_NEAR(r->C[2 * r->n + 1], -2e-9, 1e-15);
    stand_free(r);
}

static void p_channels_mirror_n_channels(void)
{
    const struct stand_setting n[] = {{"vto", 3}, {"kp", 2}, {"lambda", 0.02}, {"rd", 0.1}, {"rb", 0.2}, {0}};
    const struct stand_setting p[] = {{"pchan", 1}, {"vto", -3}, {"kp", 2}, {"lambda", 0.02},
                                      {"rd", 0.1},  {"rb", 0.2}, {0}};
    struct stand *one = stand_new(&vdmos_class, "vdmos", 3, n, NULL, 27);
    struct stand *two = stand_new(&vdmos_class, "vdmos", 3, p, NULL, 27);
    stand_evaluate(one, (const double[6]){0, 4, 5, 0, 3.9, 0.1}, NULL);
    stand_evaluate(two, (const double[6]){0, -4, -5, 0, -3.9, -0.1}, NULL);
    for (size_t i = 1; i < one->n; i++) {
        CHECK_NEAR(one->f[i], -two->f[i], 1e-12 * fabs(one->f[i]));
        CHECK_NEAR(one->q[i], -two->q[i], 1e-12 * fabs(one->q[i]));
    }
    stand_free(one);
    stand_free(two);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(derivatives_of_gasfets_are_exact_everywhere),
        CLAIM(nothing_overflows),
        CLAIM(probe_gives_the_terminal_currents),
        CLAIM(limiting_ends_and_extrapolates),
        CLAIM(jfet_follows_the_square_law),
        CLAIM(jfet_of_level_2_follows_shockley),
        CLAIM(vdmos_follows_its_law),
        CLAIM(p_channels_mirror_n_channels),
    };
    return run_claims("fet", claims, sizeof claims / sizeof *claims);
}
