/* Claims about the BSIM4 transistor; tests/system/test_bsim4_ngspice.sh compares it with ngspice. */
#include "devices/bsim4/bsim4_batch.h"
#include "harness.h"
#include "stand.h"

enum { DRAIN = 1, GATE, SOURCE, BULK };

/* Within these bounds, half of them at a time. */
struct range {
    const char *name;
    double low, high;
};
static const struct range ranges[] = {
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

struct draw {
    struct stand_setting card[RANGES + MODES + 6], element[9];
    const char *type;
};

static void draw_card(struct draw *o, uint64_t *seed, double rsh)
{
    size_t count = 0;
    const bool p = stand_uniform(seed, 0, 1) < 0.5;
    o->type = p ? "pmos" : "nmos";
    for (size_t i = 0; i < RANGES; i++) {
        const double value = stand_uniform(seed, ranges[i].low, ranges[i].high);
        if (stand_uniform(seed, 0, 1) < 0.5)
            o->card[count++] =
                (struct stand_setting){ranges[i].name, p && strcmp(ranges[i].name, "vth0") == 0 ? -value : value};
    }
    for (size_t i = 0; i < MODES; i++)
        o->card[count++] = (struct stand_setting){modes[i].name, floor(stand_uniform(seed, 0, modes[i].count))};
    for (size_t i = 0; rsh > 0 && i < 3; i++)
        o->card[count++] = (struct stand_setting){shell[i], floor(stand_uniform(seed, 0, i == 0 ? 2 : 3))};
    o->card[count++] = (struct stand_setting){"xpart", 0.5 * floor(stand_uniform(seed, 0, 3))};
    o->card[count++] = (struct stand_setting){"rsh", rsh};
    o->card[count++] = (struct stand_setting){"pigcd", 1};
    o->card[count] = (struct stand_setting){0};
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

static void draw_bias(const struct draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[0] == 'p' ? -1 : 1;
    memset(x, 0, STAND_LIMIT * sizeof *x);
    for (size_t i = 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.5, 2);
    for (size_t i = BULK + 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.3, 1);
    x[BULK] = sign * stand_uniform(seed, -2, 0.4);
}

/* A claim at a random bias of a random transistor. */
typedef bool claim_at(struct stand *r, const double *x, uint64_t *seed);

static void hold_at_random(claim_at *claim, uint64_t seed, double rsh)
{
    for (int i = 0; i < 150; i++) {
        const uint64_t begin = seed;
        struct draw o;
        double x[STAND_LIMIT];
        draw_card(&o, &seed, rsh);
        struct stand *r = stand_new(&bsim4_class, o.type, 4, o.card, o.element, stand_uniform(&seed, -40, 125));
        CU_ASSERT_FATAL(r->batch != NULL);
        draw_bias(&o, r->n, x, &seed);
        if (!claim(r, x, &seed)) {
            fprintf(stderr, "\nseed %llu", (unsigned long long)begin);
            CU_FAIL("a claim at a random bias");
        }
        stand_free(r);
    }
}

static bool derives(struct stand *r, const double *x, uint64_t *seed)
{
    (void)seed;
    return stand_wrong_derivatives(r, x) == 0;
}

static bool conserves(struct stand *r, const double *x, uint64_t *seed)
{
    (void)seed;
    return stand_conserves(r, x);
}

static bool ends_limits(struct stand *r, const double *x, uint64_t *seed)
{
    double reference[STAND_LIMIT] = {0};
    for (size_t i = 1; i < r->n; i++)
        reference[i] = stand_uniform(seed, -5, 5);
    return stand_limiting_ends(r, x, reference) > 0;
}

static bool probes(struct stand *r, const double *x, uint64_t *seed)
{
    double rate[STAND_LIMIT] = {0};
    for (size_t i = 1; i < r->n; i++)
        rate[i] = stand_uniform(seed, -1e9, 1e9);
    return stand_probe_agrees(r, x, rate, 4);
}

static bool is_finite(struct stand *r, const double *x, uint64_t *seed)
{
    (void)x;
    return stand_is_finite_everywhere(r, seed);
}

/* Drain and source of the same area are the same thing twice. */
static bool exchanges(struct stand *r, const double *x, uint64_t *seed)
{
    (void)seed;
    double y[STAND_LIMIT];
    memcpy(y, x, sizeof y);
    y[DRAIN] = x[SOURCE];
    y[SOURCE] = x[DRAIN];
    stand_evaluate(r, x, NULL);
    const double f[] = {r->f[DRAIN], r->f[SOURCE], r->f[BULK]}, c = r->C[GATE * r->n + DRAIN];
    const double g = r->G[DRAIN * r->n + GATE], f_size = stand_largest(r->f, r->n);
    stand_evaluate(r, y, NULL);
    const double g_size = stand_largest(r->G, r->n * r->n), c_size = stand_largest(r->C, r->n * r->n);
    const double rounding = 1e-12 * (f_size + g_size); /* of voltages against another node */
    return fabs(r->f[SOURCE] - f[0]) <= rounding && fabs(r->f[DRAIN] - f[1]) <= rounding &&
           fabs(r->f[BULK] - f[2]) <= rounding && fabs(r->G[SOURCE * r->n + GATE] - g) <= 1e-10 * g_size &&
           fabs(r->C[GATE * r->n + SOURCE] - c) <= 1e-10 * c_size;
}

static void derivatives_are_exact_at_random_biases(void)
{
    hold_at_random(derives, 1, 0);
    hold_at_random(derives, 2, 20);
}
static void currents_and_charges_are_conserved(void)
{
    hold_at_random(conserves, 3, 20);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(ends_limits, 4, 0);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(probes, 5, 20);
}
static void everything_is_finite_at_a_thousand_volts(void)
{
    hold_at_random(is_finite, 6, 0);
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
        const struct draw o = {.type = "nmos"};
        double x[STAND_LIMIT];
        struct stand *r = stand_new(&bsim4_class, "nmos", 4, card, element, 27);
        draw_bias(&o, r->n, x, &seed);
        CU_ASSERT(exchanges(r, x, &seed));
        stand_free(r);
    }
}

static void parallel_transistors_add(void)
{
    static const struct stand_setting card[] = {{"vth0", 0.5}, {"rsh", 10}, {"cgsl", 1e-10}, {0}};
    static const struct stand_setting one[] = {{"l", 1e-6}, {"w", 5e-6}, {"ad", 4e-12}, {0}};
    static const struct stand_setting three[] = {{"l", 1e-6}, {"w", 5e-6}, {"ad", 4e-12}, {"m", 3}, {0}};
    double x[STAND_LIMIT] = {0, 1.2, 1.5, 0, -0.3, 1.1, 0.1};
    struct stand *a = stand_new(&bsim4_class, "nmos", 4, card, one, 27);
    struct stand *b = stand_new(&bsim4_class, "nmos", 4, card, three, 27);
    a->gmin = b->gmin = 0;
    stand_evaluate(a, x, NULL);
    stand_evaluate(b, x, NULL);
    for (size_t i = 1; i < a->n; i++) {
        CHECK_NEAR(b->f[i], 3 * a->f[i], 1e-12 * fabs(a->f[i]));
        CHECK_NEAR(b->q[i], 3 * a->q[i], 1e-12 * fabs(a->q[i]));
    }
    stand_free(a);
    stand_free(b);
}

/* ---- cards ---- */

static bool is_refused(const struct stand_setting *card, const struct stand_setting *element)
{
    struct stand *r = stand_new(&bsim4_class, "nmos", 4, card, element, 27);
    const bool refused = r->batch == NULL;
    CU_ASSERT(!refused || kn_diagnostics_count(r->diagnostics) > 0);
    stand_free(r);
    return refused;
}

static void values_without_meaning_are_refused(void)
{
    static const struct stand_setting good[] = {{"vth0", 0.5}, {0}}, flat[] = {{"pclm", 0}, {0}};
    static const struct stand_setting bare[] = {{"ndep", -1}, {0}}, cold[] = {{"lvsat", -1e6}, {0}};
    static const struct stand_setting wide[] = {{"lint", 1e-6}, {0}};
    static const struct stand_setting element[] = {{"l", 1e-6}, {"w", 5e-6}, {0}};
    CU_ASSERT(!is_refused(good, element));
    CU_ASSERT(is_refused(flat, element));
    CU_ASSERT(is_refused(bare, element));
    CU_ASSERT(is_refused(cold, element));
    CU_ASSERT(is_refused(wide, element));
}

static void charges_that_lag_are_told_to_be_missing(void)
{
    static const struct stand_setting card[] = {{"trnqsmod", 1}, {0}}, plain[] = {{"l", 1e-6}, {0}};
    static const struct stand_setting own[] = {{"trnqsmod", 1}, {0}};
    struct stand *by_card = stand_new(&bsim4_class, "nmos", 4, card, plain, 27);
    struct stand *by_element = stand_new(&bsim4_class, "nmos", 4, plain + 1, own, 27);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(by_card->diagnostics, 0)->code, "bsim4-quasistatic");
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(by_element->diagnostics, 0)->code, "bsim4-quasistatic");
    stand_free(by_card);
    stand_free(by_element);
}

static void old_versions_are_told_to_be_new(void)
{
    static const struct {
        const char *version;
        bool old;
    } cards[] = {{"version=4.8.2", false},
                 {"version='4.8.3'", false},
                 {"", false},
                 {"version=4.5", true},
                 {"version='4.7.0'", true}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char text[200];
        snprintf(text, sizeof text, "title\nM1 d g 0 0 m\nV1 d 0 1\nV2 g 0 1\n.model m nmos(level=54 %s)\n.end\n",
                 cards[i].version);
        struct rig r = rig_need(text);
        CU_ASSERT_EQUAL(rig_said(&r, "bsim4-version") != NULL, cards[i].old);
        rig_close(&r);
    }
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
