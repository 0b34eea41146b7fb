/* Claims about MOSFETs of levels 2, 3 and 6: what differs from level 1, the channel. */
#include "devices/channel/mosfet_model.h"
#include "stand.h"

enum { DRAIN = 1, GATE, SOURCE, BULK };

static struct stand *transistor(const char *type, const struct stand_setting *model, double temperature)
{
    static const struct stand_setting element[] = {{"w", 20e-6}, {"l", 2e-6}, {0}};
    struct stand *r = stand_new(&mosfet_class, type, 4, model, element, temperature);
    r->gmin = 1e-20;
    return r;
}

struct dc_row {
    double drain, gate, bulk, temperature, id;
};

/* Numbers from ngspice 39 (Debian 12), .op with gmin=1e-20 reltol=1e-9, source at 0, w=20u l=2u.  Its constants are up to
 * 3e-6 from those of CODATA 2018. */
static void compare(const char *type, const struct stand_setting *model, const struct dc_row *table, size_t rows)
{
    for (size_t k = 0; k < rows; k++) {
        struct stand *r = transistor(type, model, table[k].temperature);
        const double x[5] = {0, table[k].drain, table[k].gate, 0, table[k].bulk};
        stand_evaluate(r, x, NULL);
        CHECK_NEAR(r->f[DRAIN], table[k].id, 2e-5 * fabs(table[k].id));
        stand_free(r);
    }
}

static void level_2_agrees_with_ngspice_where_everything_plays(void)
{
    /* .model .. nmos(level=2 tox=25n nsub=2e16 uo=600 vto=0.8 xj=0.3u ld=0.15u nfs=2e11 vmax=5e4 delta=1.5 ucrit=3e4 uexp=0.12 neff=2 lambda=0 is=1e-15) */
    static const struct stand_setting model[] = {{"level", 2},  {"tox", 25e-9}, {"nsub", 2e16},  {"uo", 600},
                                                 {"vto", 0.8},  {"xj", 0.3e-6}, {"ld", 0.15e-6}, {"nfs", 2e11},
                                                 {"vmax", 5e4}, {"delta", 1.5}, {"ucrit", 3e4},  {"uexp", 0.12},
                                                 {"neff", 2},   {"lambda", 0},  {"is", 1e-15},   {0}};
    static const struct dc_row table[] = {
        {5, 3, 0, 27, 1.611756713e-03},      {5, 3, -2, 27, 1.297230220e-03},  {0.5, 3, 0, 27, 7.159722698e-04},
        {-1, 2, -1.2, 27, -1.178583101e-03}, {2, 1, 0.3, 27, 7.702269696e-05}, {5, 0.75, 0, 27, 5.540764240e-07},
        {5, 3, -1, 100, 1.096739085e-03},    {2, 2, -1, -20, 4.771869528e-04},
    };
    compare("nmos", model, table, sizeof table / sizeof *table);
}

static void level_2_agrees_with_ngspice_for_an_electrical_pmos(void)
{
    /* .model .. pmos(level=2 tox=40n nsub=5e15 vto=-0.9 kp=12u gamma=0.5 phi=0.62 xj=0.4u lambda=0.03 ucrit=1e4 uexp=0.2 is=1e-15) */
    static const struct stand_setting model[] = {{"level", 2},
                                                 {"tox", 40e-9},
                                                 {"nsub", 5e15},
                                                 {"vto", -0.9},
                                                 {"kp", 12e-6},
                                                 {"gamma", 0.5},
                                                 {"phi", 0.62},
                                                 {"xj", 0.4e-6},
                                                 {"lambda", 0.03},
                                                 {"ucrit", 1e4},
                                                 {"uexp", 0.2},
                                                 {"is", 1e-15},
                                                 {0}};
    static const struct dc_row table[] = {
        {-5, -3, 0, 27, -1.611724705e-04},  {-5, -3, 2, 27, -1.381339493e-04},    {-0.5, -3, 0, 27, -6.338581305e-05},
        {1, -2, 1.2, 27, 1.066739589e-04},  {-2, -1, -0.3, 27, -4.769285696e-06}, {-5, -0.75, 0, 27, -1.000050321e-15},
        {-5, -3, 1, 100, -1.170251980e-04}, {-2, -2, 1, -20, -4.310962526e-05},
    };
    compare("pmos", model, table, sizeof table / sizeof *table);
}

static void level_2_shortens_the_channel_by_its_doping(void)
{
    /* .model .. nmos(level=2 tox=30n nsub=1e16 vto=0.7 uo=500 xj=0.2u is=1e-15) */
    static const struct stand_setting model[] = {{"level", 2}, {"tox", 30e-9}, {"nsub", 1e16}, {"vto", 0.7},
                                                 {"uo", 500},  {"xj", 0.2e-6}, {"is", 1e-15},  {0}};
    static const struct dc_row table[] = {
        {5, 3, 0, 27, 1.812773977e-03},      {5, 3, -2, 27, 1.477374507e-03},  {0.5, 3, 0, 27, 6.891915624e-04},
        {-1, 2, -1.2, 27, -1.166549691e-03}, {2, 1, 0.3, 27, 7.071186510e-05}, {5, 0.75, 0, 27, 4.333606480e-06},
        {5, 3, -1, 100, 1.252739384e-03},    {2, 2, -1, -20, 5.100010303e-04},
    };
    compare("nmos", model, table, sizeof table / sizeof *table);
}

/* The tangent for vbs > 0 leaves a current below the threshold, which ends where the channel pinches off at the source. */
static void level_2_agrees_with_ngspice_where_the_bulk_conducts(void)
{
    /* .model .. nmos(level=2 tox=40n nsub=1e16 uo=600 vto=0.8 xj=0.5u is=1e-15) */
    static const struct stand_setting model[] = {{"level", 2}, {"tox", 40e-9}, {"nsub", 1e16}, {"vto", 0.8},
                                                 {"uo", 600},  {"xj", 0.5e-6}, {"is", 1e-15},  {0}};
    static const struct dc_row table[] = {
        {0.59, 0.59, 0.2, 27, 1.000002833e-15},  {0.59, 0.59, 0.4, 27, 1.672582829e-06},
        {0.59, 0.59, 0.52, 27, 6.365286386e-06}, {0.1, 0.59, 0.5, 27, 5.107402010e-06},
        {2, 0.62, 0.3, 27, 1.396928896e-06},     {-0.3, 0.3, 0.2, 27, -6.376986013e-06},
    };
    compare("nmos", model, table, sizeof table / sizeof *table);
}

static void level_3_agrees_with_ngspice_where_everything_plays(void)
{
    /* .model .. nmos(level=3 tox=20n nsub=3e16 phi=0.75 gamma=0.6 vto=0.75 uo=550 xj=0.25u ld=0.1u nfs=3e11 vmax=1.5e5 delta=0.8 theta=0.06 eta=0.3 kappa=0.4 is=1e-15) */
    static const struct stand_setting model[] = {{"level", 3},
                                                 {"tox", 20e-9},
                                                 {"nsub", 3e16},
                                                 {"phi", 0.75},
                                                 {"gamma", 0.6},
                                                 {"vto", 0.75},
                                                 {"uo", 550},
                                                 {"xj", 0.25e-6},
                                                 {"ld", 0.1e-6},
                                                 {"nfs", 3e11},
                                                 {"vmax", 1.5e5},
                                                 {"delta", 0.8},
                                                 {"theta", 0.06},
                                                 {"eta", 0.3},
                                                 {"kappa", 0.4},
                                                 {"is", 1e-15},
                                                 {0}};
    static const struct dc_row table[] = {
        {5, 3, 0, 27, 1.860607648e-03},      {5, 3, -2, 27, 1.448757418e-03},  {0.5, 3, 0, 27, 8.541500543e-04},
        {-1, 2, -1.2, 27, -1.324486359e-03}, {2, 1, 0.3, 27, 6.956268675e-05}, {5, 0.75, 0, 27, 1.111928940e-05},
        {5, 3, -1, 100, 1.305627328e-03},    {2, 2, -1, -20, 5.429400203e-04},
    };
    compare("nmos", model, table, sizeof table / sizeof *table);
}

static void level_3_agrees_with_ngspice_without_a_limit_of_velocity(void)
{
    /* .model .. pmos(level=3 tox=30n nsub=8e15 phi=0.7 gamma=0.55 vto=-0.8 uo=200 xj=0.3u theta=0.1 eta=0.2 kappa=1 is=1e-15) */
    static const struct stand_setting model[] = {
        {"level", 3}, {"tox", 30e-9}, {"nsub", 8e15}, {"phi", 0.7}, {"gamma", 0.55}, {"vto", -0.8},
        {"uo", 200},  {"xj", 0.3e-6}, {"theta", 0.1}, {"eta", 0.2}, {"kappa", 1},    {"is", 1e-15},
        {0}};
    static const struct dc_row table[] = {
        {-5, -3, 0, 27, -6.995188511e-04},  {-5, -3, 2, 27, -5.785804487e-04},    {-0.5, -3, 0, 27, -1.857403376e-04},
        {1, -2, 1.2, 27, 3.150721764e-04},  {-2, -1, -0.3, 27, -1.627194059e-05}, {-5, -0.75, 0, 27, -1.591023056e-06},
        {-5, -3, 1, 100, -4.920768545e-04}, {-2, -2, 1, -20, -1.694360812e-04},
    };
    compare("pmos", model, table, sizeof table / sizeof *table);
}

static void level_6_agrees_with_ngspice(void)
{
    /* .model .. nmos(level=6 vto=0.7 gamma=0.4 phi=0.65 kc=3e-5 nc=1.3 kv=1.1 nv=0.6 lambda0=0.03 lambda1=0.01 gamma1=0.1 sigma=0.02 is=1e-15) */
    static const struct stand_setting model[] = {
        {"level", 6},  {"vto", 0.7}, {"gamma", 0.4},    {"phi", 0.65},     {"kc", 3e-5},    {"nc", 1.3},
        {"kv", 1.1},   {"nv", 0.6},  {"lambda0", 0.03}, {"lambda1", 0.01}, {"gamma1", 0.1}, {"sigma", 0.02},
        {"is", 1e-15}, {0}};
    static const struct dc_row table[] = {
        {5, 3, 0, 27, 1.076697512e-03},      {5, 3, -2, 27, 8.468939303e-04},  {0.5, 3, 0, 27, 4.290123112e-04},
        {-1, 2, -1.2, 27, -7.166567365e-04}, {2, 1, 0.3, 27, 1.101779296e-04}, {5, 0.75, 0, 27, 2.929123829e-05},
        {5, 3, -1, 100, 7.240399300e-04},    {2, 2, -1, -20, 4.139441431e-04},
    };
    compare("nmos", model, table, sizeof table / sizeof *table);
}

/* ---- properties ---- */

static double maybe(uint64_t *seed, double low, double high)
{
    return stand_uniform(seed, 0, 1) < 0.4 ? 0 : stand_uniform(seed, low, high);
}

static struct stand *random_transistor(uint64_t *seed)
{
    static const double levels[] = {2, 3, 6};
    const double level = levels[(int)stand_uniform(seed, 0, 2.999)];
    const bool n = stand_uniform(seed, 0, 1) < 0.5, short_channel = level < 6;
    const double sign = n ? 1 : -1;
    const struct stand_setting common[] = {
        {"level", level},
        {"vto", sign * stand_uniform(seed, -0.5, 1.5)},
        {"gamma", maybe(seed, 0.1, 1.2)},
        {"phi", stand_uniform(seed, 0.5, 0.9)},
        {"tox", 20e-9},
        {"uo", stand_uniform(seed, 200, 900)},
    };
    const struct stand_setting low[] = {
        {"nsub", pow(10, stand_uniform(seed, 14.5, 17))},
        {"nfs", maybe(seed, 1e11, 1e12)},
        {"xj", maybe(seed, 1e-7, 6e-7)},
        {"ld", maybe(seed, 0, 2e-7)},
        {"vmax", maybe(seed, 3e4, 3e5)},
        {"delta", maybe(seed, 0, 2)},
    };
    const struct stand_setting second[] = {
        {"lambda", maybe(seed, 0, 0.1)},
        {"ucrit", 3e4},
        {"uexp", maybe(seed, 0, 0.3)},
        {"neff", stand_uniform(seed, 0.5, 4)},
    };
    const struct stand_setting third[] = {
        {"theta", maybe(seed, 0, 0.2)},
        {"eta", maybe(seed, 0, 1)},
        {"kappa", maybe(seed, 0, 1)},
    };
    const struct stand_setting sixth[] = {
        {"kv", 1.2},
        {"nv", stand_uniform(seed, 0.4, 1)},
        {"nc", stand_uniform(seed, 1, 2)},
        {"gamma1", maybe(seed, 0, 0.1)},
        {"sigma", maybe(seed, 0, 0.05)},
        {"lambda0", 0.05},
        {"lambda1", maybe(seed, -0.01, 0.01)},
    };
    struct stand_setting model[24] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        model[count++] = common[i];
    for (size_t i = 0; short_channel && i < sizeof low / sizeof *low; i++)
        model[count++] = low[i];
    for (size_t i = 0; level == 2 && i < sizeof second / sizeof *second; i++)
        model[count++] = second[i];
    for (size_t i = 0; level == 3 && i < sizeof third / sizeof *third; i++)
        model[count++] = third[i];
    for (size_t i = 0; level == 6 && i < sizeof sixth / sizeof *sixth; i++)
        model[count++] = sixth[i];
    return transistor(n ? "nmos" : "pmos", model, stand_uniform(seed, -40, 120));
}

/* The bulk such that its diodes are at most 0.4 V forward. */
static void random_bias(uint64_t *seed, const struct stand *r, double reach, double *x)
{
    const double sign = r->model.type[0] == 'n' ? 1 : -1;
    memset(x, 0, STAND_LIMIT * sizeof *x);
    for (int i = 1; i <= SOURCE; i++)
        x[i] = stand_uniform(seed, -reach, reach);
    x[BULK] = sign * (fmin(sign * x[DRAIN], sign * x[SOURCE]) + stand_uniform(seed, -reach, 0.4));
}

/* Differences that straddle a corner of the characteristic (threshold, saturation) tell nothing: a few of 5000. */
static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 20261122;
    int corners = 0;
    for (int card = 0; card < 200; card++) {
        struct stand *r = random_transistor(&seed);
        for (int bias = 0; bias < 25; bias++) {
            double x[STAND_LIMIT];
            random_bias(&seed, r, bias % 2 ? 0.8 : 4, x);
            corners += stand_wrong_derivatives(r, x) > 0;
            CU_ASSERT(stand_conserves(r, x));
        }
        stand_free(r);
    }
    CU_ASSERT(corners <= 5);
}

static void nothing_overflows(void)
{
    uint64_t seed = 9;
    for (int card = 0; card < 100; card++) {
        struct stand *r = random_transistor(&seed);
        CU_ASSERT(stand_is_finite_everywhere(r, &seed));
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

/* Drain and source may be exchanged: the current changes its sign, and nothing jumps at vds = 0. */
static void drain_and_source_are_the_same_thing(void)
{
    uint64_t seed = 33;
    for (int card = 0; card < 200; card++) {
        struct stand *r = random_transistor(&seed);
        double x[STAND_LIMIT];
        random_bias(&seed, r, 4, x);
        stand_evaluate(r, x, NULL);
        const double drain = r->f[DRAIN], source = r->f[SOURCE], scale = fabs(drain) + 1e-15;
        const double exchanged[5] = {0, x[SOURCE], x[GATE], x[DRAIN], x[BULK]};
        stand_evaluate(r, exchanged, NULL);
        CHECK_NEAR(r->f[SOURCE], drain, 1e-9 * scale);
        CHECK_NEAR(r->f[DRAIN], source, 1e-9 * scale);
        stand_free(r);
    }
}

/* Weak inversion: decades per volt below threshold are those of the tail, not the cut-off of nfs = 0. */
static void current_below_threshold_needs_surface_states(void)
{
    for (int level = 2; level <= 3; level++) {
        for (int states = 0; states < 2; states++) {
            const struct stand_setting model[] = {
                {"level", level}, {"tox", 2e-8},          {"vto", 0.8}, {"gamma", 0.5},
                {"phi", 0.7},     {"nfs", states * 2e11}, {0}};
            struct stand *r = transistor("nmos", model, 27);
            const double low[5] = {0, 1, 0.6, 0, 0}, high[5] = {0, 1, 0.7, 0, 0};
            stand_evaluate(r, low, NULL);
            const double first = r->f[DRAIN];
            stand_evaluate(r, high, NULL);
            /* n = 1 + q nfs/Cox + gamma/(2 sqrt(phi)); Cox = 3.9 eps0/20 nm = 1.7266e-3 F/m^2 */
            const double n = 1 + 1.602176634e-19 * 2e15 / 1.72657e-3 + 0.5 / (2 * sqrt(0.7));
            if (states)
                CHECK_NEAR(log(r->f[DRAIN] / first), 0.1 / (n * 1.380649e-23 * 300.15 / 1.602176634e-19), 1e-4);
            else
                CHECK_NEAR(r->f[DRAIN], 0, 1e-13);
            stand_free(r);
        }
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(level_2_agrees_with_ngspice_where_everything_plays),
        CLAIM(level_2_agrees_with_ngspice_for_an_electrical_pmos),
        CLAIM(level_2_shortens_the_channel_by_its_doping),
        CLAIM(level_2_agrees_with_ngspice_where_the_bulk_conducts),
        CLAIM(level_3_agrees_with_ngspice_where_everything_plays),
        CLAIM(level_3_agrees_with_ngspice_without_a_limit_of_velocity),
        CLAIM(level_6_agrees_with_ngspice),
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(nothing_overflows),
        CLAIM(limiting_ends_and_leaves_no_trace),
        CLAIM(drain_and_source_are_the_same_thing),
        CLAIM(current_below_threshold_needs_surface_states),
    };
    return run_claims("MOSFET levels", claims, sizeof claims / sizeof *claims);
}
