/* Claims about the BSIM4 transistor; tests/system/test_bsim4_ngspice.sh compares it with ngspice. */
#include "devices/bsim4/bsim4_batch.h"
#include "harness.h"
#include "random_stand.h"

/* Within these bounds, half of them at a time. */
static const struct stand_range ranges[] = {
    {"toxe", 1.2e-9, 6e-9}, {"ndep", 1e17, 5e18},    {"k1", 0.2, 0.6},      {"k2", -0.1, 0.05},  {"k3b", -1, 1},
    {"lpeb", 0, 1e-7},      {"dvtp0", 0, 1e-6},      {"dvtp1", 0, 0.3},     {"dvtp4", 0, 1},     {"dvtp5", 0, 0.03},
    {"dvt0", 0, 4},         {"dvt2", -0.3, 0.1},     {"dvt0w", -1, 3},      {"nfactor", 0.5, 2}, {"cdscb", -1e-4, 1e-4},
    {"cdscd", 0, 2e-4},     {"etab", -0.15, 0.05},   {"ub", 1e-19, 2e-18},  {"a0", 0.3, 2},      {"ags", 0, 1},
    {"keta", -0.1, 0.05},   {"a1", -0.1, 0.1},       {"a2", 0.4, 1},        {"rdsw", 0, 300},    {"prwg", 0, 1},
    {"prwb", -0.2, 0.2},    {"dwg", -2e-8, 1e-8},    {"pvag", -0.5, 3},     {"fprout", 0, 300},  {"pdits", 0, 0.5},
    {"lambda", 0, 1e-10},   {"vtl", 5e4, 3e5},       {"alpha0", 0, 1e-6},   {"beta0", 5, 30},    {"agidl", 0, 1e-8},
    {"egidl", 0.1, 0.8},    {"kgidl", 0, 0.3},       {"cgsl", 0, 2e-10},    {"noff", 0.6, 2},    {"ngate", 1e19, 5e20},
    {"lvth0", -0.02, 0.02}, {"minv", -0.5, 0.5},     {"vth0", 0.2, 0.7},    {"jtss", 0, 1e-3},   {"bvs", 3, 10},
    {"moin", 5, 25},        {"ijthsfwd", 1e-3, 0.2}, {"eigbinv", 0.5, 1.2}, {"dlcig", 0, 2e-8},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

/* Laws to choose from, and how many there are. */
static const struct {
    const char *name;
    int count;
} modes[] = {{"capmod", 3}, {"mobmod", 7},  {"igcmod", 3},     {"igbmod", 2},
             {"diomod", 3}, {"gidlmod", 2}, {"cvchargemod", 2}};
static const char *const shell[] = {"rdsmod", "rgatemod", "rbodymod"};
enum { MODES = sizeof modes / sizeof *modes };

static void draw_card(struct stand_draw *o, uint64_t *seed, double rsh)
{
    o->type = stand_uniform(seed, 0, 1) < 0.5 ? "pmos" : "nmos";
    draw_ranges(o, ranges, RANGES, 0.5, seed);
    for (size_t i = 0; i < MODES; i++)
        draw_add(o, modes[i].name, floor(stand_uniform(seed, 0, modes[i].count)));
    for (size_t i = 0; rsh > 0 && i < 3; i++)
        draw_add(o, shell[i], floor(stand_uniform(seed, 0, i == 0 ? 2 : 3)));
    draw_add(o, "xpart", 0.5 * floor(stand_uniform(seed, 0, 3)));
    draw_add(o, "rsh", rsh);
    draw_add(o, "pigcd", 1);
    const double w = stand_uniform(seed, 0.4e-6, 20e-6);
    const struct stand_setting element[] = {{"l", stand_uniform(seed, 0.06e-6, 3e-6)},
                                            {"w", w},
                                            {"ad", w * 5e-7},
                                            {"as", w * 5e-7},
                                            {"pd", 2 * w},
                                            {"ps", 2 * w},
                                            {"nf", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {"m", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {0}};
    memcpy(o->element, element, sizeof element);
}

static void draw_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[0] == 'p' ? -1 : 1;
    for (size_t i = 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.5, 2);
    for (size_t i = BULK + 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.3, 1);
    x[BULK] = sign * stand_uniform(seed, -2, 0.4);
}

static const struct stand_family bsim4 = {&bsim4_class, 4, 4, 5, draw_card, draw_bias};

static void derivatives_are_exact_at_random_biases(void)
{
    hold_at_random(&bsim4, derives, 1, 0);
    hold_at_random(&bsim4, derives, 2, 20);
}
static void currents_and_charges_are_conserved(void)
{
    hold_at_random(&bsim4, conserves, 3, 20);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(&bsim4, ends_limits, 4, 0);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(&bsim4, probes, 5, 20);
}
static void everything_is_finite_at_a_thousand_volts(void)
{
    hold_at_random(&bsim4, is_finite, 6, 0);
}

/* Overlaps depend on which end is which: none here. */
static void drain_and_source_may_change_places(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 100; i++) {
        const double model = floor(stand_uniform(&seed, 0, 3)), share = 0.5 * floor(stand_uniform(&seed, 0, 3));
        const struct stand_setting card[] = {{"capmod", model}, {"xpart", share}, {"igcmod", 1},
                                             {"igbmod", 1},     {"pigcd", 1},     {"alpha0", 1e-7},
                                             {"vth0", 0.5},     {"ndep", 3e17},   {0}};
        static const struct stand_setting element[] = {{"l", 0.4e-6}, {"w", 4e-6}, {0}};
        const struct stand_draw o = {.type = "nmos"};
        double x[STAND_LIMIT] = {0};
        struct stand *r = stand_new(&bsim4_class, "nmos", 4, card, element, 27);
        draw_bias(&o, r->n, x, &seed);
        CU_ASSERT(exchanges(r, x));
        stand_free(r);
    }
}

static void parallel_transistors_add(void)
{
    check_parallel(&bsim4);
}

/* ---- cards ---- */

static void values_without_meaning_are_refused(void)
{
    static const struct stand_setting good[] = {{"vth0", 0.5}, {0}}, flat[] = {{"pclm", 0}, {0}};
    static const struct stand_setting bare[] = {{"ndep", -1}, {0}}, cold[] = {{"lvsat", -1e6}, {0}};
    static const struct stand_setting wide[] = {{"lint", 1e-6}, {0}};
    CU_ASSERT(!is_refused(&bsim4, good));
    CU_ASSERT(is_refused(&bsim4, flat));
    CU_ASSERT(is_refused(&bsim4, bare));
    CU_ASSERT(is_refused(&bsim4, cold));
    CU_ASSERT(is_refused(&bsim4, wide));
}

static void charges_that_lag_are_told_to_be_missing(void)
{
    check_said(&bsim4, (struct stand_setting){"trnqsmod", 1}, "bsim4-quasistatic");
}

static void old_versions_are_told_to_be_new(void)
{
    static const struct {
        const char *card;
        bool old;
    } cards[] = {{"nmos(level=54 version=4.8.2)", false},
                 {"nmos(level=54 version='4.8.3')", false},
                 {"nmos(level=54)", false},
                 {"nmos(level=54 version=4.5)", true},
                 {"nmos(level=54 version='4.7.0')", true}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        CU_ASSERT_EQUAL(says_of_card(cards[i].card, "bsim4-version"), cards[i].old);
}

static void names_of_parameters_are_all_different(void)
{
    for (size_t i = 0; i < BSIM4_CARD_COUNT; i++)
        CU_ASSERT_EQUAL(parameter_row(bsim4_class.kind.model, bsim4_card_rows[i].name), i);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_at_random_biases),
        CLAIM(currents_and_charges_are_conserved),
        CLAIM(limiting_ends_where_there_is_nothing_to_limit),
        CLAIM(currents_of_terminals_hold_what_charges_take),
        CLAIM(everything_is_finite_at_a_thousand_volts),
        CLAIM(drain_and_source_may_change_places),
        CLAIM(parallel_transistors_add),
        CLAIM(values_without_meaning_are_refused),
        CLAIM(charges_that_lag_are_told_to_be_missing),
        CLAIM(old_versions_are_told_to_be_new),
        CLAIM(names_of_parameters_are_all_different),
    };
    return run_claims("BSIM4", claims, sizeof claims / sizeof *claims);
}
