/* Claims about transistors on insulator; tests/system/test_bsimsoi_ngspice.sh compares them with ngspice. */
#include "devices/bsimsoi/soi_batch.h"
#include "harness.h"
#include "random_stand.h"

enum { OUTER = 5 }; /* nodes of the card: drain, gate, source, substrate, contact */

/* Within these bounds, half of them at a time. */
static const struct stand_range ranges[] = {
    {"tox", 2e-9, 8e-9},     {"nch", 1e17, 1e18},    {"k1", 0.2, 0.6},      {"k2", -0.1, 0.05},
    {"k3b", -1, 1},          {"dvt0", 0, 4},         {"dvt2", -0.3, 0.1},   {"dvt0w", -1, 3},
    {"nfactor", 0.5, 2},     {"cdscb", -1e-4, 1e-4}, {"cdscd", 0, 2e-4},    {"etab", -0.15, 0.05},
    {"ub", 1e-19, 2e-18},    {"a0", 0.3, 2},         {"ags", 0, 1},         {"keta", -0.6, 0.05},
    {"a1", -0.1, 0.1},       {"a2", 0.4, 1},         {"rdsw", 0, 300},      {"prwg", 0, 0.3},
    {"prwb", -0.2, 0.2},     {"dwg", -2e-8, 1e-8},   {"pvag", -0.5, 3},     {"alpha0", 0, 1e-3},
    {"beta0", 0, 0.1},       {"beta1", 0, 0.1},      {"fbjtii", 0, 0.5},    {"sii1", 0, 0.3},
    {"siid", 0, 0.3},        {"agidl", 0, 1e-8},     {"bgidl", 1e8, 1e9},   {"isdif", 0, 1e-3},
    {"istun", 0, 1e-3},      {"vtun0", 0.5, 2},      {"vrec0", 0.5, 2},     {"ahli", 0, 1e-10},
    {"tt", 1e-12, 1e-10},    {"mjswg", 0.2, 0.6},    {"cgsl", 0, 2e-10},    {"noff", 0.6, 2},
    {"ngate", 1e19, 5e20},   {"lvth0", -0.02, 0.02}, {"vth0", 0.2, 0.7},    {"moin", 5, 25},
    {"rsh", 1, 20},          {"dlcig", 0, 2e-8},     {"nsub", -1e17, 1e17}, {"csdesw", 0, 1e-10},
    {"delvt", -0.1, 0.1},    {"k1b", 0.5, 1},        {"vofffd", -0.1, 0.1}, {"dvbd0", 0, 0.5},
    {"tcjswg", -1e-3, 1e-3}, {"aely", 0, 1e6},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

/* Laws to choose from, and how many there are. */
static const struct {
    const char *name;
    int least, count;
} modes[] = {{"capmod", 2, 2}, {"mobmod", 1, 3}, {"igcmod", 0, 2},
             {"igbmod", 0, 2}, {"soimod", 0, 3}, {"rgatemod", 0, 4}};
enum { MODES = sizeof modes / sizeof *modes };

static void draw_card(struct stand_draw *o, uint64_t *seed, double heat)
{
    o->type = stand_uniform(seed, 0, 1) < 0.5 ? "pmos" : "nmos";
    draw_ranges(o, ranges, RANGES, 0.5, seed);
    for (size_t i = 0; i < MODES; i++)
        draw_add(o, modes[i].name, modes[i].least + floor(stand_uniform(seed, 0, modes[i].count)));
    draw_add(o, "xpart", 0.5 * floor(stand_uniform(seed, 0, 3)));
    draw_add(o, "rbody", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1e3);
    draw_add(o, "shmod", heat > 0);
    draw_add(o, "rth0", heat);
    const double w = stand_uniform(seed, 0.4e-6, 20e-6);
    const struct stand_setting element[] = {{"l", stand_uniform(seed, 0.1e-6, 3e-6)},
                                            {"w", w},
                                            {"ad", w * 5e-7},
                                            {"as", w * 4e-7},
                                            {"pd", 2 * w},
                                            {"ps", 2 * w},
                                            {"nseg", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {"m", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {0}};
    memcpy(o->element, element, sizeof element);
}

static void draw_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[0] == 'p' ? -1 : 1;
    for (size_t i = 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.5, 2);
    for (size_t i = OUTER; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.3, 1);
}

static const struct stand_family bsimsoi = {&bsimsoi_class, OUTER, 4, 5, draw_card, draw_bias};

static void derivatives_are_exact_at_random_biases(void)
{
    hold_at_random(&bsimsoi, derives, 1, 0);
}
static void derivatives_by_the_temperature_are_exact(void)
{
    hold_at_random(&bsimsoi, derives, 2, 0.02);
}
static void currents_and_charges_are_conserved(void)
{
    hold_at_random(&bsimsoi, conserves, 3, 0);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(&bsimsoi, ends_limits, 4, 0);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(&bsimsoi, probes, 5, 0);
}
static void everything_is_finite_at_a_thousand_volts(void)
{
    hold_at_random(&bsimsoi, is_finite, 6, 0);
}

static void names_of_parameters_are_all_different(void)
{
    for (size_t i = 0; i < SOI_CARD_COUNT; i++)
        CU_ASSERT_EQUAL(parameter_row(bsimsoi_class.kind.model, soi_card_rows[i].name), i);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_at_random_biases),       CLAIM(derivatives_by_the_temperature_are_exact),
        CLAIM(currents_and_charges_are_conserved),           CLAIM(limiting_ends_where_there_is_nothing_to_limit),
        CLAIM(currents_of_terminals_hold_what_charges_take), CLAIM(everything_is_finite_at_a_thousand_volts),
        CLAIM(names_of_parameters_are_all_different),
    };
    return run_claims("BSIMSOI", claims, sizeof claims / sizeof *claims);
}
