/* Claims about the junction diode. */
#include "stand.h"

#define VT_27 (300.15 * DEVICE_BOLTZMANN / DEVICE_CHARGE)

static struct stand *diode(const struct stand_setting *model, const struct stand_setting *element, double temperature)
{
    return stand_new(&diode_class, "d", 2, model, element, temperature);
}

/* Current from anode to cathode at the junction voltage v; no series resistance. */
static double current_at(struct stand *r, double v)
{
    const double x[3] = {0, v, 0};
    stand_evaluate(r, x, NULL);
    return r->f[1];
}

static void current_follows_shockley(void)
{
    /* i = Is (exp(v/(N Vt)) - 1) + gmin v; at v = N Vt ln(1 + 1e6) it is 1e6 Is. */
    struct stand *r = diode((struct stand_setting[]){{"is", 2e-14}, {"n", 1.5}, {0}}, NULL, 27);
    const double v = 1.5 * VT_27 * log(1 + 1e6);
    CHECK_NEAR(current_at(r, v), 2e-8 + 1e-12 * v, 1e-20);
    CHECK_NEAR(current_at(r, -5), -2e-14 - 5e-12, 1e-26);
    CHECK_NEAR(r->G[1 * r->n + 1], 1e-12, 1e-26); /* gmin alone remains */
    stand_free(r);
}

static void area_and_m_multiply_everything(void)
{
    const struct stand_setting model[] = {{"is", 1e-14}, {"rs", 4},     {"cjo", 2e-12}, {"tt", 1e-9},
                                          {"bv", 50},    {"ikf", 1e-2}, {"isr", 1e-11}, {0}};
    struct stand *one = diode(model, NULL, 27);
    struct stand *six = diode(model, (struct stand_setting[]){{"area", 2}, {"m", 3}, {0}}, 27);
    one->gmin = 1e-12;
    six->gmin = 6e-12;
    const double x[4] = {0, 0.71, 0.02, 0.69};
    stand_evaluate(one, x, NULL);
    stand_evaluate(six, x, NULL);
    for (size_t i = 1; i < one->n; i++) {
        CHECK_NEAR(six->f[i], 6 * one->f[i], 1e-12 * fabs(six->f[i]));
        CHECK_NEAR(six->q[i], 6 * one->q[i], 1e-12 * fabs(six->q[i]));
    }
    stand_free(one);
    stand_free(six);
}

static void breakdown_carries_ibv_at_bv(void)
{
    struct stand *r = diode((struct stand_setting[]){{"bv", 6}, {"ibv", 1e-3}, {"is", 1e-14}, {0}}, NULL, 27);
    r->gmin = 0;
    CHECK_NEAR(current_at(r, -6), -1e-3, 1e-10);
    /* the exponential has the slope 1/Vt there: 18 mV on, the current is larger by e^(0.018/Vt) */
    CHECK_NEAR(current_at(r, -6.018), -1e-3 * exp(0.018 / VT_27), 1e-10);
    CHECK_NEAR(current_at(r, 0), 0, 1e-100);
    stand_free(r);
}

/* Numbers from ngspice 39 (Debian 12), one .op for each line, gmin=1e-20:
 *   .model dm d(is=1e-14 n=1.2 cjo=2p vj=0.8 m=0.4 tt=5n bv=6 ibv=1m ikf=10m)
 * and the small-signal conductance and capacitance at 1 MHz.  ngspice's k and q are those of CODATA 2014, which moves
 * exponentials by up to 2e-6; between -3 N Vt and the breakdown ngspice replaces the exponential by a cubic. */
static void zero_stands_for_no_breakdown_and_no_knee(void)
{
    struct stand *plain = diode((struct stand_setting[]){{"is", 1e-12}, {0}}, NULL, 27);
    struct stand *zeros = diode((struct stand_setting[]){{"is", 1e-12}, {"bv", 0}, {"ikf", 0}, {0}}, NULL, 27);
    CU_ASSERT_EQUAL(current_at(zeros, -100), current_at(plain, -100));
    CU_ASSERT_EQUAL(current_at(zeros, 0.8), current_at(plain, 0.8));
    stand_free(plain);
    stand_free(zeros);
}

static void agrees_with_ngspice(void)
{
    static const struct {
        double v, i, g, c;
    } table[] = {
        {-6.1, -2.5074901720e-02, 8.078800882e-01, 2.538560920e-02},
        {-6, -9.9999999799e-04, 3.221867410e-02, 1.017518282e-03},
        {-5.9, -3.9880515073e-05, 1.284897321e-03, 4.573675488e-05},
        {-1, -9.9996080636e-15, 0, 9.085249465e-06},
        {0.3, 1.576288285e-10, 5.078595201e-09, 1.516569879e-05},
        {0.6, 2.447044277e-06, 7.822867445e-05, 2.235533681e-05},
        {0.8, 1.120050973e-03, 3.097449333e-02, 9.963064027e-04},
        {0.9, 1.315212026e-02, 2.829795432e-01, 8.914936679e-03},
    };
    struct stand *r = diode((struct stand_setting[]){{"is", 1e-14},
                                                     {"n", 1.2},
                                                     {"cjo", 2e-12},
                                                     {"vj", 0.8},
                                                     {"m", 0.4},
                                                     {"tt", 5e-9},
                                                     {"bv", 6},
                                                     {"ibv", 1e-3},
                                                     {"ikf", 1e-2},
                                                     {0}},
                            NULL, 27);
    r->gmin = 1e-20;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        CHECK_NEAR(current_at(r, table[k].v), table[k].i, 2e-5 * fabs(table[k].i) + 1e-18);
        CHECK_NEAR(r->G[1 * r->n + 1], table[k].g, 2e-5 * table[k].g + 2e-17);
        const double susceptance = 2 * 3.14159265358979 * 1e6 * r->C[1 * r->n + 1];
        CHECK_NEAR(susceptance, table[k].c, 2e-5 * table[k].c);
    }
    stand_free(r);
}

/* ngspice 39, .temp 100, 1 MHz:
 *   .model dm d(is=2e-12 n=1.7 cjo=4p vj=0.7 m=0.35 tt=2n bv=12 ibv=50u xti=2.5 eg=1.05 tnom=25 nbv=1.3)
 * alone at 0.5 V and -3 V, and m=2 at -12 V. */
static void agrees_with_ngspice_when_hot(void)
{
    static const struct {
        double v, m, i, g, b;
    } table[] = {{0.5, 1, 3.274072691e-06, 5.990036844e-05, 4.537397903e-05},
                 {-3, 1, -3.4895186309e-10, 0, 1.421435426e-05},
                 {-12, 2, -9.9751019859e-05, 2.386260239e-03, 4.826253762e-05}};
    static const struct stand_setting model[] = {
        {"is", 2e-12},  {"n", 1.7},   {"cjo", 4e-12}, {"vj", 0.7},  {"m", 0.35},  {"tt", 2e-9}, {"bv", 12},
        {"ibv", 50e-6}, {"xti", 2.5}, {"eg", 1.05},   {"tnom", 25}, {"nbv", 1.3}, {0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct stand *r = diode(model, (struct stand_setting[]){{"m", table[k].m}, {0}}, 100);
        r->gmin = 1e-20;
        CHECK_NEAR(current_at(r, table[k].v), table[k].i, 2e-5 * fabs(table[k].i));
        CHECK_NEAR(r->G[1 * r->n + 1], table[k].g, 2e-5 * table[k].g + 1e-14);
        CHECK_NEAR(2 * 3.14159265358979e6 * r->C[1 * r->n + 1], table[k].b, 2e-5 * table[k].b);
        stand_free(r);
    }
}

/* ngspice 39, .temp 85, 1 MHz, pj=1m, the card below; its jump of ikr at -3 N Vt is at none of these voltages. */
static void tunnelling_and_temperature_laws_agree_with_ngspice(void)
{
    static const struct {
        double v, i, g, b;
    } table[] = {{0.5, 5.09904758309e-07, 1.37468199530e-05, 5.14661569884e-05},
                 {0.7, 1.12739176581e-04, 3.04405258870e-03, 1.66973657229e-04},
                 {-3, -1.881926488856e-07, 3.05781025926e-07, 1.92164783458e-05},
                 {-6, -2.224053000067e-05, 3.42308901987e-05, 1.68914896275e-05},
                 {-8.6, -3.956013522411e-03, 6.05618866651e-02, 2.14319965297e-03}};
    static const struct stand_setting model[] = {
        {"is", 2e-15},  {"n", 1.2},   {"cjo", 2e-12}, {"vj", 0.8},    {"m", 0.4},       {"tt", 5e-9},
        {"jtun", 1e-9}, {"ntun", 20}, {"xtitun", 2},  {"keg", 0.6},   {"jtunsw", 2e-7}, {"ikr", 2e-3},
        {"cjsw", 3e-9}, {"php", 0.7}, {"mjsw", 0.3},  {"ttt1", 2e-3}, {"ttt2", 3e-6},   {"tm1", 5e-4},
        {"tm2", -1e-6}, {"tlevc", 1}, {"cta", 1e-3},  {"ctp", 2e-3},  {"tpb", 1e-3},    {"tphp", 1.5e-3},
        {"tnom", 30},   {"tlev", 1},  {"bv", 9},      {"tcv", 1e-3},  {"ibv", 1e-3},    {0}};
    struct stand *r = diode(model, (struct stand_setting[]){{"pj", 1e-3}, {0}}, 85);
    r->gmin = 1e-20;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        CHECK_NEAR(current_at(r, table[k].v), table[k].i, 1e-5 * fabs(table[k].i));
        CHECK_NEAR(r->G[1 * r->n + 1], table[k].g, 1e-5 * table[k].g);
        CHECK_NEAR(2 * 3.14159265358979e6 * r->C[1 * r->n + 1], table[k].b, 1e-5 * table[k].b);
    }
    stand_free(r);
}

/* tlev 2: Is grows by exp(Eg(Tnom)/Vtnom - Eg(T)/Vt) (T/Tnom)^Xti with Eg(T) = eg - gap1 T^2/(T + gap2).  Between 300.15
 * and 350.15 K, eg = 1.52, gap1 = 5.4e-4, gap2 = 204 (GaAs): Eg = 1.42350370 and 1.40052565 eV,
 * Vt = 25.864926 and 30.173592 mV, so exp(55.036063 - 46.415608) 1.1665834^3 = exp(8.620455) x 1.5876.
 * The potential is Vj T/Tnom - 3 Vt ln(T/Tnom) - Eg(Tnom) T/Tnom + Eg(T); at half of it and M = 1/2 the capacitance is
 * sqrt 2 times that of zero volts. */
static void the_gap_of_tlev_2_moves_currents_and_potentials(void)
{
    struct stand *r = diode((struct stand_setting[]){{"is", 1e-15},
                                                     {"eg", 1.52},
                                                     {"tlev", 2},
                                                     {"gap1", 5.4e-4},
                                                     {"gap2", 204},
                                                     {"cjo", 1e-12},
                                                     {"vj", 1.1},
                                                     {"fc", 0.9},
                                                     {0}},
                            NULL, 77);
    r->gmin = 0;
    const double from = 300.15, to = 350.15, ratio = to / from, vt = VT_27 * ratio;
    const double cold_gap = 1.52 - 5.4e-4 * from * from / (from + 204), gap = 1.52 - 5.4e-4 * to * to / (to + 204);
    const double growth = exp(cold_gap / VT_27 - gap / vt) * pow(ratio, 3);
    CHECK_NEAR(current_at(r, -5), -1e-15 * growth, 1e-12 * 1e-15 * growth);
    const double potential = 1.1 * ratio - 3 * vt * log(ratio) - cold_gap * ratio + gap;
    current_at(r, 0);
    const double empty = r->C[1 * r->n + 1];
    current_at(r, potential / 2);
    CHECK_NEAR(r->C[1 * r->n + 1], sqrt(2) * empty, 1e-12 * empty);
    stand_free(r);
}

static void laws_that_there_are_not_are_warned_of(void)
{
    struct stand *r = diode((struct stand_setting[]){{"tlevc", 2}, {"tpb", 1e-3}, {0}}, NULL, 77);
    CU_ASSERT_PTR_NOT_NULL(r->batch);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r->diagnostics), 0);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r->diagnostics, 0)->code, "model-level");
    stand_free(r);
}

static void saturation_current_follows_temperature(void)
{
    /* Is(T) = Is exp((T/Tn - 1) Eg/(N Vt)) (T/Tn)^(Xti/N) with T = 350.15 K, Tn = 300.15 K, Eg = 1.2, Xti = 3, N = 2:
     * T/Tn = 1.16658337498, Vt = 30.17339 mV, first exponent 0.16658337498 * 1.2 / (2 * 0.03017339) = 3.312522,
     * second 1.5 ln 1.16658337498 = 0.231117, so the factor is exp(3.543639) = 34.5927. */
    struct stand *r = diode((struct stand_setting[]){{"is", 1e-9}, {"n", 2}, {"eg", 1.2}, {0}}, NULL, 77);
    r->gmin = 0;
    CHECK_NEAR(current_at(r, -9), -34.5927e-9, 1e-3 * 34.6e-9 * 1e-1);
    stand_free(r);
}

static void own_temperature_beats_that_of_the_circuit(void)
{
    const struct stand_setting model[] = {{"is", 1e-14}, {0}};
    struct stand *hot = diode(model, NULL, 60);
    struct stand *own = diode(model, (struct stand_setting[]){{"temp", 60}, {0}}, 27);
    struct stand *warmer = diode(model, (struct stand_setting[]){{"dtemp", 33}, {0}}, 27);
    const double expected = current_at(hot, 0.6);
    CHECK_NEAR(current_at(own, 0.6), expected, 1e-15 * expected);
    CHECK_NEAR(current_at(warmer, 0.6), expected, 1e-12 * expected);
    stand_free(hot);
    stand_free(own);
    stand_free(warmer);
}

static void series_resistance_makes_an_internal_node(void)
{
    struct stand *r = diode((struct stand_setting[]){{"rs", 5}, {0}}, NULL, 27);
    CU_ASSERT_EQUAL(r->n, 4);
    CU_ASSERT_STRING_EQUAL(r->setup->unknowns[3].name, "v(x1#internal)");
    const double x[4] = {0, 1.1, 0, 0.6};
    stand_evaluate(r, x, NULL);
    CHECK_NEAR(r->f[1], 0.1, 1e-15); /* (1.1 - 0.6) / 5 */
    CHECK_NEAR(r->f[3], -0.1 - r->f[2], 1e-15);
    stand_free(r);
}

/* A random but possible model card. */
static struct stand *random_diode(uint64_t *seed)
{
    const struct stand_setting model[] = {
        {"is", pow(10, stand_uniform(seed, -16, -9))},
        {"n", stand_uniform(seed, 1, 2)},
        {"rs", stand_uniform(seed, 0, 1) < 0.5 ? 0 : stand_uniform(seed, 0.01, 10)},
        {"cjo", stand_uniform(seed, 0, 1e-11)},
        {"vj", stand_uniform(seed, 0.4, 1)},
        {"m", stand_uniform(seed, 0, 1) < 0.3 ? 0.5 : stand_uniform(seed, 0.2, 1.2)},
        {"fc", stand_uniform(seed, 0, 0.9)},
        {"tt", stand_uniform(seed, 0, 1e-8)},
        {"bv", stand_uniform(seed, 2, 20)},
        {"ibv", pow(10, stand_uniform(seed, -6, -2))},
        {"isr", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1e-10},
        {"ikf", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1e-3},
        {"ikr", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1e-3},
        {"jtun", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1e-9},
        {"ntun", stand_uniform(seed, 10, 40)},
        {"tlev", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 2},
        {"tlevc", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1},
        {"tpb", 1e-3},
        {"cta", 1e-3},
        {"tm1", 1e-3},
        {0},
    };
    return diode(model, NULL, stand_uniform(seed, -40, 120));
}

static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 20260101;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_diode(&seed);
        for (int bias = 0; bias < 30; bias++) {
            double x[STAND_LIMIT] = {0};
            for (size_t i = 1; i < r->n; i++)
                x[i] = stand_uniform(&seed, -0.6, 0.6);
            if (bias % 3 == 0)
                x[2] += stand_uniform(&seed, 0, 21);
            const int wrong = stand_wrong_derivatives(r, x);
            CU_ASSERT_EQUAL(wrong, 0);
            if (wrong)
                fprintf(stderr, "\ncard %d, bias %d of seed 20260101", card, bias);
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
}

static void at_rest_the_tangent_is_as_good_as_the_device(void)
{
    uint64_t seed = 20260101;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_diode(&seed);
        for (int bias = 0; bias < 30; bias++) {
            double x[STAND_LIMIT] = {0};
            for (size_t i = 1; i < r->n; i++)
                x[i] = stand_uniform(&seed, -0.6, 0.6);
            if (bias % 3 == 0)
                x[2] += stand_uniform(&seed, 0, 21);
            CU_ASSERT(stand_rests(r, x, &seed));
        }
        stand_free(r);
    }
}

static void nothing_overflows(void)
{
    uint64_t seed = 8;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_diode(&seed);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
        stand_free(r);
    }
}

static void probe_gives_the_terminal_currents(void)
{
    uint64_t seed = 7;
    for (int card = 0; card < 50; card++) {
        struct stand *r = random_diode(&seed);
        double x[STAND_LIMIT] = {0}, dxdt[STAND_LIMIT] = {0};
        for (size_t i = 1; i < r->n; i++) {
            x[i] = stand_uniform(&seed, -0.5, 0.5);
            dxdt[i] = stand_uniform(&seed, -1e6, 1e6);
        }
        if (r->n == 3) {
            CU_ASSERT(stand_probe_agrees(r, x, dxdt, 2));
        } else { /* the anode carries the current of Rs; the cathode is its negative only at a solution */
            const struct device_probe at = {.x = x, .dxdt = dxdt, .gmin = r->gmin};
            stand_evaluate(r, x, NULL);
            CHECK_NEAR(r->class->current(r->batch, 0, 0, &at), r->f[1], 1e-12 * fabs(r->f[1]) + 1e-18);
        }
        stand_free(r);
    }
}

static void limiting_ends_and_leaves_no_trace(void)
{
    uint64_t seed = 99;
    for (int card = 0; card < 50; card++) {
        struct stand *r = random_diode(&seed);
        double x[STAND_LIMIT] = {0}, reference[STAND_LIMIT] = {0};
        for (size_t i = 1; i < r->n; i++) {
            x[i] = stand_uniform(&seed, -10, 10);
            reference[i] = stand_uniform(&seed, -10, 10);
        }
        const double v = x[r->n - 1] - x[2]; /* beyond 2 V the end of the sequence is far and nothing to wish for */
        if (fabs(v) < 2)
            CU_ASSERT(stand_limiting_ends(r, x, reference) > 0);
        stand_free(r);
    }
}

static void limited_values_lie_on_the_tangent(void)
{
    /* From 0 V to 5 V: evaluated at Vt ln(1 + 5/Vt).  Into the breakdown, from 3 V above Vb to 5 V beyond: the same,
     * seen from Vb, which is 6 V less what ibv takes: Vb = 6 - Vt ln(ibv/is + 1 - Vb/Vt). */
    const struct stand_setting model[] = {{"is", 1e-14}, {"cjo", 1e-12}, {"tt", 1e-9}, {"bv", 6}, {"ibv", 1e-9}, {0}};
    struct stand *r = diode(model, NULL, 27);
    const double up = VT_27 * log(1 + 5 / VT_27), zero[3] = {0, 0, 0};
    CU_ASSERT(stand_is_tangent(r, (double[]){0, 5, 0}, zero, (double[]){0, up, 0}));
    double vb = 6;
    for (int i = 0; i < 50; i++)
        vb = 6 - VT_27 * log(1e-9 / 1e-14 + 1 - vb / VT_27);
    CU_ASSERT(stand_is_tangent(r, (double[]){0, -vb - 5, 0}, (double[]){0, -vb + 3, 0}, (double[]){0, -vb - up, 0}));
    stand_free(r);
}

static void topology_sees_resistance_junction_and_charge(void)
{
    char text[200];
    struct stand *bare = diode(NULL, (struct stand_setting[]){{"ic", 0.25}, {0}}, 27);
    stand_branches(bare, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "R1-2");
    stand_initial(bare, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "1-2=0.25");
    struct stand *full = diode((struct stand_setting[]){{"rs", 1}, {"tt", 1e-9}, {0}}, NULL, 27);
    stand_branches(full, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "R1-3 R3-2 C3-2");
    stand_initial(full, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    stand_free(bare);
    stand_free(full);
}

static void operating_points_start_at_the_critical_voltage(void)
{
    /* All at 0 V at time 0: the conductance is 1/sqrt(2) S, the current that of the tangent; later 0 V is just 0 V. */
    struct stand *r = diode((struct stand_setting[]){{"is", 1e-14}, {0}}, NULL, 27);
    r->gmin = 0;
    const double critical = VT_27 * log(VT_27 / (sqrt(2) * 1e-14)), zero[3] = {0};
    bool limited = false;
    struct device_point at = {.limit = true, .first = true, .x_reference = zero, .limited = &limited};
    stand_evaluate(r, zero, &at);
    CU_ASSERT(limited);
    CHECK_NEAR(r->G[1 * r->n + 1], 1 / sqrt(2), 1e-12);
    CHECK_NEAR(r->f[1], VT_27 / sqrt(2) - 1e-14 - critical / sqrt(2), 1e-12);
    limited = false;
    at.when = instant_at(1e-9);
    stand_evaluate(r, zero, &at);
    CU_ASSERT(!limited && r->f[1] == 0);
    stand_free(r);
}

static void wrong_parameters_are_errors(void)
{
    static const struct {
        struct stand_setting setting[2];
        const char *code;
    } bad[] = {{{{"vj", -1}}, "parameter-range"}, {{{"is", -1}}, "parameter-range"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct stand *r = diode(bad[i].setting, NULL, 27);
        CU_ASSERT_PTR_NULL(r->batch);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(r->diagnostics), 1);
        CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r->diagnostics, 0)->code, bad[i].code);
        stand_free(r);
    }
}

static void errors_of_model_and_element_are_both_reported(void)
{
    struct stand *r = diode((struct stand_setting[]){{"vj", -1}, {0}}, (struct stand_setting[]){{"area", -2}, {0}}, 27);
    CU_ASSERT_PTR_NULL(r->batch);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r->diagnostics), 2);
    stand_free(r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(current_follows_shockley),
        CLAIM(area_and_m_multiply_everything),
        CLAIM(breakdown_carries_ibv_at_bv),
        CLAIM(zero_stands_for_no_breakdown_and_no_knee),
        CLAIM(agrees_with_ngspice),
        CLAIM(agrees_with_ngspice_when_hot),
        CLAIM(tunnelling_and_temperature_laws_agree_with_ngspice),
        CLAIM(the_gap_of_tlev_2_moves_currents_and_potentials),
        CLAIM(laws_that_there_are_not_are_warned_of),
        CLAIM(saturation_current_follows_temperature),
        CLAIM(own_temperature_beats_that_of_the_circuit),
        CLAIM(series_resistance_makes_an_internal_node),
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(at_rest_the_tangent_is_as_good_as_the_device),
        CLAIM(nothing_overflows),
        CLAIM(probe_gives_the_terminal_currents),
        CLAIM(limiting_ends_and_leaves_no_trace),
        CLAIM(limited_values_lie_on_the_tangent),
        CLAIM(operating_points_start_at_the_critical_voltage),
        CLAIM(wrong_parameters_are_errors),
        CLAIM(errors_of_model_and_element_are_both_reported),
        CLAIM(topology_sees_resistance_junction_and_charge),
    };
    return run_claims("diode", claims, sizeof claims / sizeof *claims);
}
