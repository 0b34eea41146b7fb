/* Claims about the BSIM3 transistor; tests/system/test_bsim3_ngspice.sh compares it with ngspice. */
#include "devices/bsim3/bsim3_batch.h"
#include "harness.h"
#include "random_stand.h"

/* Within these bounds, half of them at a time. */
static const struct stand_range ranges[] = {
    {"tox", 2e-9, 2e-8},   {"nch", 5e16, 2e18},    {"k1", 0.3, 0.9},     {"k2", -0.1, 0.05},     {"k3b", -5, 5},
    {"nlx", 0, 3e-7},      {"dvt0", 0, 5},         {"dvt2", -0.3, 0.1},  {"dvt0w", -1, 3},       {"dvt2w", -0.2, 0.1},
    {"nfactor", 0.3, 2},   {"cdscb", -1e-4, 1e-4}, {"cdscd", 0, 2e-4},   {"etab", -0.15, 0.05},  {"ua", -2e-9, 4e-9},
    {"ub", 1e-19, 4e-18},  {"a0", 0.3, 2},         {"ags", 0, 1},        {"keta", -0.1, 0.05},   {"a1", -0.1, 0.1},
    {"a2", 0.4, 1},        {"rdsw", 0, 800},       {"prwg", -0.1, 0.2},  {"prwb", -0.2, 0.2},    {"dwg", -2e-8, 1e-8},
    {"dwb", -1e-8, 2e-8},  {"pdiblcb", -0.2, 0.2}, {"pvag", -0.5, 3},    {"pscbe2", 1e-9, 1e-4}, {"alpha0", 0, 1e-6},
    {"beta0", 5, 30},      {"cgsl", 0, 4e-10},     {"cgdl", 0, 4e-10},   {"noff", 0.6, 2},       {"voffcv", -0.1, 0.1},
    {"ngate", 1e19, 3e20}, {"lvth0", -0.02, 0.02}, {"pk1", -0.02, 0.02}, {"delta", 1e-3, 0.05},  {"ijth", 1e-3, 0.2},
    {"vth0", 0.2, 0.9},    {"u0", 100, 600},       {"moin", 5, 25},      {"acde", 0.4, 1.6},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static void draw_card(struct stand_draw *o, uint64_t *seed, double rsh)
{
    o->type = stand_uniform(seed, 0, 1) < 0.5 ? "pmos" : "nmos";
    draw_ranges(o, ranges, RANGES, 0.5, seed);
    draw_add(o, "capmod", floor(stand_uniform(seed, 0, 4)));
    draw_add(o, "mobmod", floor(stand_uniform(seed, 1, 4)));
    draw_add(o, "xpart", 0.5 * floor(stand_uniform(seed, 0, 3)));
    draw_add(o, "rsh", rsh);
    const double w = stand_uniform(seed, 0.4e-6, 20e-6);
    const struct stand_setting element[] = {{"l", stand_uniform(seed, 0.2e-6, 3e-6)},
                                            {"w", w},
                                            {"ad", w * 5e-7},
                                            {"as", w * 5e-7},
                                            {"pd", 2 * w},
                                            {"ps", 2 * w},
                                            {"m", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {0}};
    memcpy(o->element, element, sizeof element);
}

static void draw_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[0] == 'p' ? -1 : 1;
    for (size_t i = 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.5, 3);
    x[BULK] = sign * stand_uniform(seed, -3, 0.4);
}

static const struct stand_family bsim3 = {&bsim3_class, 4, 4, 5, draw_card, draw_bias};

static void derivatives_are_exact_at_random_biases(void)
{
    hold_at_random(&bsim3, derives, 1, 0);
    hold_at_random(&bsim3, derives, 2, 20);
}
static void currents_and_charges_are_conserved(void)
{
    hold_at_random(&bsim3, conserves, 3, 20);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(&bsim3, ends_limits, 4, 0);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(&bsim3, probes, 5, 20);
}
static void everything_is_finite_at_a_thousand_volts(void)
{
    hold_at_random(&bsim3, is_finite, 6, 0);
}

/* Overlaps depend on which end is which: none here. */
static void drain_and_source_may_change_places(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 100; i++) {
        const double model = floor(stand_uniform(&seed, 0, 4)), share = 0.5 * floor(stand_uniform(&seed, 0, 3));
        const struct stand_setting card[] = {
            {"capmod", model}, {"xpart", share}, {"rdsw", 300}, {"alpha0", 1e-7}, {"vth0", 0.5}, {"nch", 3e17}, {0}};
        static const struct stand_setting element[] = {{"l", 0.4e-6}, {"w", 4e-6}, {0}};
        const struct stand_draw o = {.type = "nmos"};
        double x[STAND_LIMIT] = {0};
        struct stand *r = stand_new(&bsim3_class, "nmos", 4, card, element, 27);
        draw_bias(&o, r->n, x, &seed);
        CU_ASSERT(exchanges(r, x));
        stand_free(r);
    }
}

static void parallel_transistors_add(void)
{
    check_parallel(&bsim3);
}

/* ---- cards ---- */

static void values_without_meaning_are_refused(void)
{
    static const struct stand_setting good[] = {{"vth0", 0.5}, {0}}, flat[] = {{"pclm", 0}, {0}};
    static const struct stand_setting bare[] = {{"nch", -1}, {0}}, cold[] = {{"lvsat", -1e6}, {0}};
    static const struct stand_setting wide[] = {{"lint", 1e-6}, {0}};
    CU_ASSERT(!is_refused(&bsim3, good));
    CU_ASSERT(is_refused(&bsim3, flat));
    CU_ASSERT(is_refused(&bsim3, bare));
    CU_ASSERT(is_refused(&bsim3, cold));
    CU_ASSERT(is_refused(&bsim3, wide));
}

static void charges_that_lag_are_told_to_be_missing(void)
{
    check_said(&bsim3, (struct stand_setting){"nqsmod", 1}, "bsim3-quasistatic");
}

static void card_gives_size_where_the_element_does_not(void)
{
    static const struct stand_setting card[] = {{"l", 1e-6}, {"w", 3e-6}, {0}}, plain[] = {{"vth0", 0.7}, {0}};
    static const struct stand_setting none[] = {{0}}, own[] = {{"l", 1e-6}, {"w", 3e-6}, {0}};
    const double x[STAND_LIMIT] = {0, 2, 2, 0, 0};
    struct stand *by_card = stand_new(&bsim3_class, "nmos", 4, card, none, 27);
    struct stand *by_element = stand_new(&bsim3_class, "nmos", 4, plain, own, 27);
    struct stand *by_both = stand_new(&bsim3_class, "nmos", 4, card, own, 27);
    stand_evaluate(by_card, x, NULL);
    stand_evaluate(by_element, x, NULL);
    stand_evaluate(by_both, x, NULL);
    CHECK_NEAR(by_card->f[DRAIN], by_both->f[DRAIN], 0);
    CU_ASSERT(by_element->f[DRAIN] > 1e-6);
    stand_free(by_card);
    stand_free(by_element);
    stand_free(by_both);
}

static const struct {
    const char *card;
    bool known;
} levels[] = {{"nmos(level=9)", true},
              {"nmos(level=9 vth0=0.5)", true},
              {"pmos(level=7 tox=5n)", true},
              {"nmos(level=9 vto=1)", false},
              {"nmos(level=8 toxe=3n)", false},
              {"nmos(level=49 version=3.2.4)", true},
              {"nmos(level=53 version=3.1)", true}};

static void numbers_of_levels_are_those_of_the_programs(void)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char text[200];
        snprintf(text, sizeof text, "title\nM1 d g 0 0 m l=1u w=2u\nV1 d 0 1\nV2 g 0 1\n.model m %s\n.end\n",
                 levels[i].card);
        struct rig r = rig_open(text);
        CU_ASSERT_EQUAL(r.status == KN_OK, levels[i].known);
        CU_ASSERT(!levels[i].known || strcmp(r.c->elements[0].kind->short_noun, "bsim3") == 0);
        rig_close(&r);
    }
}

static void old_versions_are_told_to_be_new(void)
{
    static const struct {
        const char *card;
        bool old;
    } cards[] = {{"nmos(level=8 version=3.3.0)", false},
                 {"nmos(level=8 version=3.3)", false},
                 {"nmos(level=8)", false},
                 {"nmos(level=8 version=3.2.4)", true},
                 {"nmos(level=8 version=3.1)", true},
                 {"nmos(level=8 version=\"3.2.2\")", true},
                 {"nmos(level=8 version=3.0)", true}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        CU_ASSERT_EQUAL(says_of_card(cards[i].card, "bsim3-version"), cards[i].old);
}

static void scale_of_xyces_parser_counts_before_bins_are_chosen(void)
{
    struct rig r = rig_need("title\n.options parser scale=1e-6\nM1 d g 0 0 m l=1 w=10\nV1 d 0 1\nV2 g 0 1\n"
                            ".model m.1 nmos(level=9 lmin=0.1u lmax=0.5u wmin=1u wmax=100u)\n"
                            ".model m.2 nmos(level=9 lmin=0.5u lmax=5u wmin=1u wmax=100u)\n.end\n");
    CU_ASSERT_STRING_EQUAL(r.c->elements[0].model->name, "m.2");
    rig_close(&r);
}

static void names_of_parameters_are_all_different(void)
{
    for (size_t i = 0; i < BSIM3_CARD_COUNT; i++)
        CU_ASSERT_EQUAL(parameter_row(bsim3_class.kind.model, bsim3_card_rows[i].name), i);
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
        CLAIM(card_gives_size_where_the_element_does_not),
        CLAIM(numbers_of_levels_are_those_of_the_programs),
        CLAIM(old_versions_are_told_to_be_new),
        CLAIM(scale_of_xyces_parser_counts_before_bins_are_chosen),
        CLAIM(names_of_parameters_are_all_different),
    };
    return run_claims("BSIM3", claims, sizeof claims / sizeof *claims);
}
