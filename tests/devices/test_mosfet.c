/* Claims about the level 1 MOSFET. */
#include "devices/channel/mosfet_model.h"
#include "stand.h"

enum { DRAIN = 1, GATE, SOURCE, BULK };

static struct stand *transistor(const char *type, const struct stand_setting *model,
                                const struct stand_setting *element, double temperature)
{
    return stand_new(&mosfet_class, type, 4, model, element, temperature);
}

struct dc_row {
    double drain, gate, bulk, temperature, id, ib;
};

/* The bulk current of a reverse-biased junction differs from ngspice's by the cubic that it takes for the exponential
 * between -3 Vt and the far reverse region, at most Is/20. */
static void compare_dc(const char *type, const struct stand_setting *model, const struct dc_row *table, size_t rows)
{
    static const struct stand_setting element[] = {{"w", 20e-6},  {"l", 2e-6},   {"ad", 40e-12}, {"as", 40e-12},
                                                   {"pd", 24e-6}, {"ps", 24e-6}, {"nrd", 0.5},   {0}};
    for (size_t k = 0; k < rows; k++) {
        struct stand *r = transistor(type, model, element, table[k].temperature);
        double x[STAND_LIMIT] = {0};
        x[DRAIN] = table[k].drain;
        x[GATE] = table[k].gate;
        x[BULK] = table[k].bulk;
        for (size_t i = 5; i < r->n; i++)
            x[i] = r->setup->unknowns[i].name[5] == 'd' ? table[k].drain : 0;
        CU_ASSERT(stand_solve_inside(r, x));
        CHECK_NEAR(r->f[DRAIN], table[k].id, 2e-5 * fabs(table[k].id));
        CHECK_NEAR(r->f[BULK], table[k].ib, 2e-5 * fabs(table[k].ib) + 1e-14);
        stand_free(r);
    }
}

/* Numbers from ngspice 39 (Debian 12), .op with gmin=1e-12 reltol=1e-9, source at 0, w=20u l=2u ad=as=40p pd=ps=24u
 * nrd=0.5.  Its constants are those of CODATA 2014 and 8.854214871e-12 F/m (up to 2e-6). */
static void dc_agrees_with_ngspice_for_a_physical_nmos(void)
{
    /* .model .. nmos(level=1 tox=20n nsub=2e16 nss=1e10 tpg=1 uo=520 lambda=0.03 ld=0.15u js=1e-4 cj=3e-4 rsh=20) */
    static const struct stand_setting model[] = {{"level", 1}, {"tox", 20e-9}, {"nsub", 2e16},   {"nss", 1e10},
                                                 {"tpg", 1},   {"uo", 520},    {"lambda", 0.03}, {"ld", 0.15e-6},
                                                 {"js", 1e-4}, {"cj", 3e-4},   {"rsh", 20},      {0}};
    static const struct dc_row table[] = {
        {5, 3, 0, 27, 4.369318150e-03, -5.0516931814e-12},   {5, 3, -2, 27, 3.331548420e-03, -9.0413154840e-12},
        {0.5, 3, 0, 27, 1.254903023e-03, -5.1903323093e-13}, {-1, 2, 0, 27, -2.4097056052e-02, 2.222415754e-02},
        {2, 1, 0.3, 27, 4.231602721e-04, 3.127952789e-10},   {5, 0.2, 0, 27, 5.004052728e-12, -5.0039999999e-12},
        {5, 3, -1, 100, 2.938105034e-03, -7.7937081647e-11}, {2, 2, 0.6, 27, 2.040493737e-03, 9.729306319e-06},
    };
    compare_dc("nmos", model, table, sizeof table / sizeof *table);
}

static void dc_agrees_with_ngspice_for_an_electrical_pmos(void)
{
    /* .model .. pmos(level=1 vto=-0.8 kp=35u gamma=0.5 phi=0.7 lambda=0.05 tox=25n rd=30 rs=20 is=1e-15 tpg=-1) */
    static const struct stand_setting model[] = {
        {"vto", -0.8}, {"kp", 35e-6}, {"gamma", 0.5}, {"phi", 0.7}, {"lambda", 0.05}, {"tox", 25e-9}, {"rd", 30},
        {"rs", 20},    {"is", 1e-15}, {"tpg", -1},    {0}};
    static const struct dc_row table[] = {
        {-5, -3, 0, 27, -1.0310408302e-03, 4.991239025e-12},
        {-1, -4, 1, 27, -8.6573944027e-04, 2.993342606e-12},
        {0.5, -2, 0.2, 27, 2.679450663e-04, -7.9948154727e-11},
        {-3, -2, 2, 80, -1.1902857586e-04, 9.112954914e-12},
    };
    compare_dc("pmos", model, table, sizeof table / sizeof *table);
}

/* ---- channel current by hand ---- */

static double drain_current(struct stand *r, double gate, double drain, double bulk)
{
    const double x[5] = {0, drain, gate, 0, bulk};
    stand_evaluate(r, x, NULL);
    return r->f[DRAIN];
}

/* ngspice 39, .temp 90, gmin=1e-20, d=3 g=0 s=0 b=0.5, susceptance of the drain at 1 MHz:
 *   .model mx nmos(level=1 vto=1 kp=50u cj=3e-4 mj=0.4 cjsw=2e-10 mjsw=0.3 pb=0.9 fc=0.4 cbs=0.2p tnom=20 phi=0.65
 *   + gamma=0.3), w=20u l=2u ad=as=40p pd=ps=24u */
static void bulk_diodes_agree_with_ngspice_when_hot(void)
{
    static const struct stand_setting model[] = {
        {"vto", 1},    {"kp", 50e-6},  {"cj", 3e-4}, {"mj", 0.4},      {"cjsw", 2e-10},
        {"mjsw", 0.3}, {"pb", 0.9},    {"fc", 0.4},  {"cbs", 0.2e-12}, {"tnom", 20},
        {"phi", 0.65}, {"gamma", 0.3}, {0}};
    static const struct stand_setting element[] = {
        {"w", 20e-6}, {"l", 2e-6}, {"ad", 40e-12}, {"as", 40e-12}, {"pd", 24e-6}, {"ps", 24e-6}, {0}};
    struct stand *r = transistor("nmos", model, element, 90);
    r->gmin = 1e-20;
    const double x[5] = {0, 3, 0, 0, 0.5};
    stand_evaluate(r, x, NULL);
    CHECK_NEAR(r->f[DRAIN], 9.488415895e-11, 2e-5 * 9.5e-11);
    CHECK_NEAR(r->f[BULK], 8.244642954e-04, 2e-5 * 8.2e-4);
    CHECK_NEAR(2 * 3.14159265358979e6 * r->C[DRAIN * r->n + DRAIN], 6.570765882e-08, 2e-5 * 6.6e-8);
    stand_free(r);
}

static void current_follows_shichman_and_hodges(void)
{
    /* beta = KP W/L = 1e-4 * 10 = 1 mA/V^2, Vto = 1: cut-off; triode beta (u - vds/2) vds; saturation beta/2 u^2
     * (1 + lambda vds).  Body: vth = 1 + 0.5 (sqrt(0.64 + 0.8) - sqrt(0.64)) = 1.2 at vbs = -0.8. */
    struct stand *r =
        transistor("nmos",
                   (struct stand_setting[]){
                       {"vto", 1}, {"kp", 1e-4}, {"gamma", 0.5}, {"phi", 0.64}, {"lambda", 0.1}, {"is", 0}, {0}},
                   (struct stand_setting[]){{"w", 1e-5}, {"l", 1e-6}, {0}}, 27);
    r->gmin = 0;
    CHECK_NEAR(drain_current(r, 0.9, 5, 0), 0, 0);
    CHECK_NEAR(drain_current(r, 3, 1, 0), 1e-3 * (2 - 0.5) * 1.1, 1e-15);
    CHECK_NEAR(drain_current(r, 3, 4, 0), 0.5e-3 * 4 * 1.4, 1e-15);
    CHECK_NEAR(drain_current(r, 2.2, 4, -0.8), 0.5e-3 * 1.4, 1e-15);
    stand_free(r);
}

/* Largest violations over the whole range count, not each of its points. */
static void body_root_is_that_of_spice_made_smooth(void)
{
    const struct mosfet_law law = {.phi = 0.64, .root_phi = 0.8};
    const double step = 1e-5;
    double slope, before, previous = mosfet_body_root(&law, -3, &before);
    double least = previous, roughest = 0, farthest = 0, steepest = 0;
    for (double v = -3 + step; v < 5; v += step) {
        const double root = mosfet_body_root(&law, v, &slope);
        const double spice = v <= 0 ? sqrt(law.phi - v) : fmax(0, law.root_phi - 0.5 * v / law.root_phi);
        least = fmin(least, root);
        roughest = fmax(roughest, fabs(root - previous - step * slope));
        steepest = fmax(steepest, fabs(slope - before));
        farthest = fmax(farthest, fabs(root - spice));
        previous = root;
        before = slope;
    }
    CU_ASSERT(least >= 0);
    CHECK_NEAR(roughest, 0, 2e-9);
    CHECK_NEAR(steepest, 0, 3e-4);
    CHECK_NEAR(farthest, 0, 0.01 * law.root_phi);
}

/* ngspice 39: gate 1 V, drain 5 V, bulk 0, w=50u l=1.25u; phi is that of the MCNC process, half a junction voltage. */
static void forward_body_bias_agrees_with_ngspice(void)
{
    struct stand *r = transistor(
        "nmos",
        (struct stand_setting[]){
            {"vto", 0.622}, {"kp", 63e-6}, {"gamma", 0.639}, {"phi", 0.31}, {"lambda", 0.01}, {"is", 0}, {0}},
        (struct stand_setting[]){{"w", 50e-6}, {"l", 1.25e-6}, {0}}, 27);
    r->gmin = 0;
    CHECK_NEAR(drain_current(r, 1.3, 5.3, 0.3), 0.000958941, 1e-9);
    CHECK_NEAR(drain_current(r, 1.5, 5.5, 0.5), 0.00180391, 1e-8);
    CHECK_NEAR(drain_current(r, 1.7, 5.7, 0.7), 0.00273786, 3e-8); /* the rounded end still is 7 uV from zero */
    stand_free(r);
}

/* ---- charges ---- */

#define OXIDE (3.9 * 8.8541878128e-12 / 20e-9 * 100e-12) /* Cox W L for tox = 20 nm, 10 um x 10 um */

static struct stand *shared_capacitor(double gamma, double share)
{
    const struct stand_setting model[] = {{"vto", 0.8},   {"kp", 1e-4}, {"gamma", gamma}, {"phi", 0.6},
                                          {"tox", 20e-9}, {"is", 0},    {"xqc", share},   {0}};
    return transistor("nmos", model, (struct stand_setting[]){{"w", 1e-5}, {"l", 1e-5}, {0}}, 27);
}

static struct stand *capacitor(double gamma)
{
    return shared_capacitor(gamma, 0.4);
}

/* Entry of C relative to the oxide capacitance. */
static double relative(const struct stand *r, int row, int column)
{
    return r->C[(size_t)row * r->n + (size_t)column] / OXIDE;
}

static void deep_regions_have_meyers_capacitances(void)
{
    for (int with_body = 0; with_body < 2; with_body++) {
        struct stand *r = capacitor(with_body ? 0.5 : 0);
        const double accumulation[5] = {0, 0, -3, 0, 0}, triode[5] = {0, 0, 4, 0, 0}, saturation[5] = {0, 5, 3, 0, 0};
        stand_evaluate(r, accumulation, NULL);
        CHECK_NEAR(relative(r, GATE, GATE), 1, 1e-12);
        CHECK_NEAR(relative(r, GATE, BULK), -1, 1e-12);
        stand_evaluate(r, triode, NULL);
        CHECK_NEAR(relative(r, GATE, SOURCE), -0.5, 1e-12);
        CHECK_NEAR(relative(r, GATE, DRAIN), -0.5, 1e-12);
        CHECK_NEAR(relative(r, GATE, BULK), 0, 1e-12);
        stand_evaluate(r, saturation, NULL);
        CHECK_NEAR(relative(r, GATE, SOURCE), -2.0 / 3, 1e-12);
        CHECK_NEAR(relative(r, GATE, DRAIN), 0, 1e-12);
        /* V = vgb - vfb = 3 - (0.8 - gamma sqrt(phi) - phi); b'(V) = gamma/(2 sqrt(gamma^2/4 + V)) */
        const double gamma = with_body ? 0.5 : 0, above_flat = 2.2 + gamma * sqrt(0.6) + 0.6;
        CHECK_NEAR(relative(r, GATE, BULK), -gamma / (6 * sqrt(0.25 * gamma * gamma + above_flat)), 1e-12);
        stand_free(r);
    }
}

static void without_body_effect_depletion_is_meyers(void)
{
    /* Meyer: Cgb falls linearly from Cox at flat band (vgs - vth = -phi) to 0; at -0.45 V = -3/4 phi it is 3/4 Cox. */
    struct stand *r = capacitor(0);
    const double x[5] = {0, 1, 0.35, 0, 0};
    stand_evaluate(r, x, NULL);
    CHECK_NEAR(relative(r, GATE, BULK), -0.75, 1e-12);
    CHECK_NEAR(relative(r, GATE, SOURCE), 0, 1e-12);
    stand_free(r);
}

static void inversion_charge_is_split_as_ward_and_dutton_do(void)
{
    /* u = 2 V: Qd = -4/15 Cox u, Qs = -6/15 Cox u in saturation, -1/2 Cox u each at vds = 0; gamma = 0, so that
     * Qb = -phi/2 Cox whatever the gate does. */
    struct stand *r = capacitor(0);
    const double saturation[5] = {0, 5, 2.8, 0, 0}, triode[5] = {0, 0, 2.8, 0, 0};
    stand_evaluate(r, saturation, NULL);
    CHECK_NEAR(r->q[DRAIN], -OXIDE * 8 / 15, 1e-15 * 1e-10);
    CHECK_NEAR(r->q[SOURCE], -OXIDE * 12 / 15, 1e-15 * 1e-10);
    CHECK_NEAR(r->q[BULK], -OXIDE * 0.3, 1e-15 * 1e-10);
    CHECK_NEAR(r->q[GATE], OXIDE * (20.0 / 15 + 0.3), 1e-15 * 1e-10);
    stand_evaluate(r, triode, NULL);
    CHECK_NEAR(r->q[DRAIN], -OXIDE, 1e-15 * 1e-10);
    CHECK_NEAR(r->q[SOURCE], -OXIDE, 1e-15 * 1e-10);
    stand_free(r);
}

/* u = 2 V in saturation, where Qs + Qd = -2/3 Cox u; half of Cox u is at either end at vds = 0 whatever xqc is. */
static void xqc_is_the_share_of_the_drain_in_saturation(void)
{
    static const double shares[][2] = {{0, 0}, {0.1, 0.1}, {0.25, 0.25}, {0.5, 0.5}, {1, 0}}; /* xqc, share */
    const double saturation[5] = {0, 5, 2.8, 0, 0}, reversed[5] = {0, -5, -2.2, 0, -5}, triode[5] = {0, 0, 2.8, 0, 0};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        struct stand *r = shared_capacitor(0, shares[k][0]);
        stand_evaluate(r, saturation, NULL);
        CHECK_NEAR(r->q[DRAIN] / OXIDE, -shares[k][1] * 4 / 3, 1e-14);
        CHECK_NEAR(r->q[SOURCE] / OXIDE, -(1 - shares[k][1]) * 4 / 3, 1e-14);
        CHECK_NEAR(relative(r, GATE, GATE), 2.0 / 3, 1e-12);
        CHECK_NEAR(relative(r, DRAIN, GATE), -shares[k][1] * 2 / 3, 1e-12);
        stand_evaluate(r, reversed, NULL);
        CHECK_NEAR(r->q[SOURCE] / OXIDE, -shares[k][1] * 4 / 3, 1e-14);
        stand_evaluate(r, triode, NULL);
        CHECK_NEAR(r->q[DRAIN] / OXIDE, -1, 1e-14);
        CHECK_NEAR(r->q[SOURCE] / OXIDE, -1, 1e-14);
        stand_free(r);
    }
}

/* Largest change of an entry of C and of G along a straight line of n steps. */
static void largest_jumps(struct stand *r, const double *from, const double *to, int n, double *c, double *g)
{
    double C[STAND_LIMIT * STAND_LIMIT], G[STAND_LIMIT * STAND_LIMIT], x[STAND_LIMIT] = {0};
    *c = *g = 0;
    for (int step = 0; step <= n; step++) {
        for (int i = 1; i <= 4; i++)
            x[i] = from[i] + (to[i] - from[i]) * step / n;
        stand_evaluate(r, x, NULL);
        for (size_t i = 0; step > 0 && i < r->n * r->n; i++) {
            *c = fmax(*c, fabs(r->C[i] - C[i]));
            *g = fmax(*g, fabs(r->G[i] - G[i]));
        }
        memcpy(C, r->C, sizeof C);
        memcpy(G, r->G, sizeof G);
    }
}

static void conductances_and_capacitances_have_no_jumps(void)
{
    /* Lines through all regions: 10 V in steps of 0.1 mV.  The steepest slopes are 1.5/(2 ramp) = 5/V of Cox (and their
     * sums) and a few beta for the conductances; a jump would be of the order of Cox or of beta times volts. */
    static const double lines[][2][5] = {
        {{0, 2, -4, 0, 0}, {0, 2, 6, 0, 0}},     /* gate, from accumulation to triode */
        {{0, 2, -4, 0, -3}, {0, 2, 6, 0, -3}},   /* the same with body bias */
        {{0, -5, 2, 0, -6}, {0, 5, 2, 0, -6}},   /* drain, through vds = 0 into saturation on either side */
        {{0, 1, 2, 0, -9.5}, {0, 1, 2, 0, 0.5}}, /* bulk, into forward bias */
    };
    for (int variant = 0; variant < 6; variant++) {
        const int with_body = variant % 3;
        struct stand *r = shared_capacitor(with_body * 0.1 + (with_body == 2 ? 0.7 : 0), variant < 3 ? 0.4 : 0);
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            double c, g;
            largest_jumps(r, lines[k][0], lines[k][1], 100000, &c, &g);
            CU_ASSERT(c < 2e-3 * OXIDE);
            CU_ASSERT(g < 1e-3 * 1e-4);
        }
        stand_free(r);
    }
}

static void charge_comes_back_after_every_cycle(void)
{
    /* The charge through the gate, integrated as C dx around a loop through all regions, is zero to the accuracy of the
     * trapezoidal rule: what Meyer's capacitances cannot do. */
    struct stand *r = capacitor(0.5);
    static const double corners[5][5] = {
        {0, 0, -2, 0, 0}, {0, 5, -2, 0, -1}, {0, 5, 5, 0, -1}, {0, -1, 5, 0, -2}, {0, 0, -2, 0, 0}};
    double charge[5] = {0};
    for (int leg = 0; leg < 4; leg++) {
        for (int step = 0; step < 4000; step++) {
            double x[5] = {0};
            for (int i = 1; i <= 4; i++)
                x[i] = corners[leg][i] + (corners[leg + 1][i] - corners[leg][i]) * (step + 0.5) / 4000;
            stand_evaluate(r, x, NULL);
            for (int row = 1; row <= 4; row++)
                for (int i = 1; i <= 4; i++)
                    charge[row] +=
                        r->C[(size_t)row * r->n + (size_t)i] * (corners[leg + 1][i] - corners[leg][i]) / 4000;
        }
    }
    for (int row = 1; row <= 4; row++)
        CHECK_NEAR(charge[row] / OXIDE, 0, 1e-5);
    stand_free(r);
}

static void without_tox_only_overlaps_store_charge(void)
{
    struct stand *r =
        transistor("nmos", (struct stand_setting[]){{"cgso", 1e-10}, {"cgdo", 2e-10}, {"cgbo", 3e-10}, {0}},
                   (struct stand_setting[]){{"w", 1e-5}, {"l", 1e-6}, {"m", 2}, {0}}, 27);
    const double x[5] = {0, 1, 2, 0, 0};
    stand_evaluate(r, x, NULL);
    CHECK_NEAR(r->C[GATE * r->n + SOURCE], -2e-15, 1e-27);
    CHECK_NEAR(r->C[GATE * r->n + DRAIN], -4e-15, 1e-27);
    CHECK_NEAR(r->C[GATE * r->n + BULK], -6e-16, 1e-27);
    stand_free(r);
}

/* ---- properties ---- */

static double maybe(uint64_t *seed, double value)
{
    return stand_uniform(seed, 0, 1) < 0.4 ? 0 : value;
}

static struct stand *random_transistor(uint64_t *seed)
{
    const bool n = stand_uniform(seed, 0, 1) < 0.5;
    const struct stand_setting model[] = {
        {"vto", (n ? 1 : -1) * stand_uniform(seed, -0.5, 1.5)},
        {"kp", pow(10, stand_uniform(seed, -5, -3))},
        {"gamma", maybe(seed, stand_uniform(seed, 0.1, 1.5))},
        {"phi", stand_uniform(seed, 0.5, 0.9)},
        {"lambda", maybe(seed, stand_uniform(seed, 0, 0.1))},
        {"tox", maybe(seed, 20e-9)},
        {"rd", maybe(seed, 100)},
        {"rs", maybe(seed, 50)},
        {"cbd", maybe(seed, 1e-13)},
        {"cj", maybe(seed, 3e-4)},
        {"cjsw", maybe(seed, 1e-10)},
        {"mjsw", 0.33},
        {"cgso", maybe(seed, 1e-10)},
        {"cgdo", maybe(seed, 1e-10)},
        {"cgbo", maybe(seed, 1e-10)},
        {"is", 1e-15},
        {0},
    };
    const struct stand_setting element[] = {{"w", 1e-5},    {"l", 2e-6}, {"ad", 2e-11}, {"as", 3e-11}, {"pd", 1.4e-5},
                                            {"ps", 1.6e-5}, {0}};
    return transistor(n ? "nmos" : "pmos", model, element, stand_uniform(seed, -40, 120));
}

/* Drain, gate and source anywhere within `reach`, the bulk such that its diodes are at most 0.4 V forward. */
static void random_bias(uint64_t *seed, const struct stand *r, double reach, double *x)
{
    const double sign = r->model.type[0] == 'n' ? 1 : -1;
    double lowest = HUGE_VAL;
    memset(x, 0, STAND_LIMIT * sizeof *x);
    for (size_t i = 1; i < r->n; i++) {
        x[i] = stand_uniform(seed, -reach, reach);
        if (i != GATE && i != BULK)
            lowest = fmin(lowest, sign * x[i]);
    }
    x[BULK] = sign * (lowest + stand_uniform(seed, -reach, 0.4));
}

static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 20260303;
    for (int card = 0; card < 150; card++) {
        struct stand *r = random_transistor(&seed);
        for (int bias = 0; bias < 25; bias++) {
            double x[STAND_LIMIT];
            random_bias(&seed, r, bias % 2 ? 0.8 : 4, x);
            const int wrong = stand_wrong_derivatives(r, x);
            CU_ASSERT_EQUAL(wrong, 0);
            if (wrong)
                fprintf(stderr, "\ncard %d, bias %d of seed 20260303", card, bias);
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
}

static void at_rest_the_tangent_is_as_good_as_the_device(void)
{
    uint64_t seed = 20260303;
    for (int card = 0; card < 150; card++) {
        struct stand *r = random_transistor(&seed);
        for (int bias = 0; bias < 25; bias++) {
            double x[STAND_LIMIT];
            random_bias(&seed, r, bias % 2 ? 0.8 : 4, x);
            CU_ASSERT(stand_rests(r, x, &seed));
        }
        stand_free(r);
    }
}

static void nothing_overflows(void)
{
    uint64_t seed = 8;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_transistor(&seed);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
        stand_free(r);
    }
}

static void probe_gives_the_terminal_currents(void)
{
    uint64_t seed = 31;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT], dxdt[STAND_LIMIT] = {0};
        random_bias(&seed, r, 3, x);
        for (size_t i = 1; i < r->n; i++)
            dxdt[i] = stand_uniform(&seed, -1e7, 1e7);
        CU_ASSERT(stand_probe_agrees(r, x, dxdt, 4));
        stand_free(r);
    }
}

static void limiting_ends_and_leaves_no_trace(void)
{
    uint64_t seed = 32;
    for (int card = 0; card < 200; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT], reference[STAND_LIMIT];
        random_bias(&seed, r, 5, x);
        random_bias(&seed, r, 5, reference);
        CU_ASSERT(stand_limiting_ends(r, x, reference) > 0);
        stand_free(r);
    }
}

static void drain_and_source_are_the_same_thing(void)
{
    uint64_t seed = 33;
    const struct stand_setting model[] = {{"vto", 0.7}, {"kp", 1e-4}, {"gamma", 0.6}, {"lambda", 0.02}, {"tox", 2e-8},
                                          {"cj", 1e-4}, {0}};
    const struct stand_setting element[] = {{"ad", 1e-11}, {"as", 1e-11}, {0}};
    struct stand *r = transistor("nmos", model, element, 27);
    for (int bias = 0; bias < 500; bias++) {
        double x[STAND_LIMIT], swapped[STAND_LIMIT], f[STAND_LIMIT], q[STAND_LIMIT];
        random_bias(&seed, r, 3, x);
        memcpy(swapped, x, sizeof swapped);
        swapped[DRAIN] = x[SOURCE];
        swapped[SOURCE] = x[DRAIN];
        stand_evaluate(r, x, NULL);
        memcpy(f, r->f, sizeof f);
        memcpy(q, r->q, sizeof q);
        stand_evaluate(r, swapped, NULL);
        CHECK_NEAR(r->f[SOURCE], f[DRAIN], 1e-12 * fabs(f[DRAIN]) + 1e-24);
        CHECK_NEAR(r->q[SOURCE], q[DRAIN], 1e-12 * stand_largest(q, 5));
        CHECK_NEAR(r->q[GATE], q[GATE], 1e-12 * stand_largest(q, 5));
        CHECK_NEAR(r->q[BULK], q[BULK], 1e-12 * stand_largest(q, 5));
    }
    stand_free(r);
}

static void pmos_is_the_mirror_of_nmos(void)
{
    uint64_t seed = 34;
    struct stand_setting model[] = {{"vto", 0.7},   {"kp", 1e-4},   {"gamma", 0.6}, {"lambda", 0.02}, {"tox", 2e-8},
                                    {"cbd", 1e-13}, {"cbs", 1e-13}, {"rd", 10},     {"cgso", 1e-10},  {0}};
    struct stand *n = transistor("nmos", model, NULL, 27);
    model[0].value = -0.7;
    struct stand *p = transistor("pmos", model, NULL, 27);
    for (int bias = 0; bias < 200; bias++) {
        double x[STAND_LIMIT], mirrored[STAND_LIMIT] = {0};
        random_bias(&seed, n, 3, x);
        for (size_t i = 1; i < n->n; i++)
            mirrored[i] = -x[i];
        stand_evaluate(n, x, NULL);
        stand_evaluate(p, mirrored, NULL);
        for (size_t i = 0; i < n->n; i++) {
            CU_ASSERT_EQUAL(p->f[i], -n->f[i]);
            CU_ASSERT_EQUAL(p->q[i], -n->q[i]);
        }
        CU_ASSERT(!memcmp(n->G, p->G, sizeof n->G) && !memcmp(n->C, p->C, sizeof n->C));
    }
    stand_free(n);
    stand_free(p);
}

static void limited_values_lie_on_the_tangent(void)
{
    const struct stand_setting model[] = {{"vto", 1},     {"kp", 1e-4}, {"gamma", 0.5}, {"tox", 2e-8}, {"cbd", 1e-13},
                                          {"cbs", 1e-13}, {0}};
    struct stand *r = transistor("nmos", model, NULL, 27);
    const double vt = 300.15 * DEVICE_BOLTZMANN / DEVICE_CHARGE, up = vt * log(1 + 5 / vt), zero[5] = {0};
    /* drain, gate, source, bulk: the gate from off to half a volt above threshold (the drain follows it), the drain
     * from 0 to 4 V, the bulk diode of the source, that of the drain where the drain is lower */
    CU_ASSERT(stand_is_tangent(r, (double[]){0, 2, 3, 0, 0}, zero, (double[]){0, 0.5, 1.5, 0, 0}));
    CU_ASSERT(stand_is_tangent(r, (double[]){0, 9, 1, 0, 0}, zero, (double[]){0, 4, 1, 0, 0}));
    CU_ASSERT(stand_is_tangent(r, (double[]){0, 3, 0, 0, 5}, zero, (double[]){0, 3, 0, 0, up}));
    CU_ASSERT(stand_is_tangent(r, (double[]){0, 0, 0, 0.25, 5}, zero, (double[]){0, 0, 0, 0.25, up}));
    stand_free(r);
}

static void limited_values_are_affine(void)
{
    uint64_t seed = 4711;
    int moves = 0;
    for (int card = 0; card < 300; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT], reference[STAND_LIMIT];
        random_bias(&seed, r, 5, x);
        random_bias(&seed, r, 5, reference);
        const int found = stand_extrapolates(r, x, reference);
        CU_ASSERT(found >= 0);
        moves += found;
        stand_free(r);
    }
    CU_ASSERT(moves > 50);
}

static void topology_sees_channel_diodes_and_charges(void)
{
    char text[400];
    const struct stand_setting start[] = {{"ic", 3}, {"ic2", 2}, {"ic3", -1}, {0}}; /* ic=3,2,-1 on the element line */
    struct stand *bare = transistor("nmos", NULL, start, 27);
    stand_branches(bare, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "I*1-3 R4-1 R4-3");
    stand_initial(bare, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "2-3=2 1-3=3 4-3=-1");
    const struct stand_setting model[] = {{"rd", 1}, {"rs", 1}, {"tox", 1e-8}, {"gamma", 0.4}, {"cbd", 1e-13}, {0}};
    struct stand *full = transistor("pmos", model, NULL, 27);
    stand_branches(full, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "R1-5 R3-6 I*5-6 R4-5 R4-6 C*2-6 C*2-5 C*2-4 C*4-6 C*4-5");
    stand_free(bare);
    stand_free(full);
}

static void wrong_parameters_are_errors(void)
{
    static const struct {
        struct stand_setting model[3], element[2];
        const char *code;
    } bad[] = {{{{"tox", 1e-8}, {"nsub", 1e9}}, {{0}}, "parameter-range"},
               {{{"ld", 1e-6}}, {{"l", 2e-6}}, "parameter-range"},
               {{{"phi", 0}}, {{0}}, "parameter-range"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct stand *r = transistor("nmos", bad[i].model, bad[i].element, 27);
        CU_ASSERT_PTR_NULL(r->batch);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(r->diagnostics), 1);
        CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r->diagnostics, 0)->code, bad[i].code);
        stand_free(r);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(dc_agrees_with_ngspice_for_a_physical_nmos),
        CLAIM(dc_agrees_with_ngspice_for_an_electrical_pmos),
        CLAIM(bulk_diodes_agree_with_ngspice_when_hot),
        CLAIM(current_follows_shichman_and_hodges),
        CLAIM(body_root_is_that_of_spice_made_smooth),
        CLAIM(forward_body_bias_agrees_with_ngspice),
        CLAIM(deep_regions_have_meyers_capacitances),
        CLAIM(without_body_effect_depletion_is_meyers),
        CLAIM(inversion_charge_is_split_as_ward_and_dutton_do),
        CLAIM(conductances_and_capacitances_have_no_jumps),
        CLAIM(charge_comes_back_after_every_cycle),
        CLAIM(xqc_is_the_share_of_the_drain_in_saturation),
        CLAIM(without_tox_only_overlaps_store_charge),
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(at_rest_the_tangent_is_as_good_as_the_device),
        CLAIM(nothing_overflows),
        CLAIM(probe_gives_the_terminal_currents),
        CLAIM(limiting_ends_and_leaves_no_trace),
        CLAIM(limited_values_lie_on_the_tangent),
        CLAIM(limited_values_are_affine),
        CLAIM(drain_and_source_are_the_same_thing),
        CLAIM(pmos_is_the_mirror_of_nmos),
        CLAIM(wrong_parameters_are_errors),
        CLAIM(topology_sees_channel_diodes_and_charges),
    };
    return run_claims("MOSFET", claims, sizeof claims / sizeof *claims);
}
