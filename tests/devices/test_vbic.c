/* Claims about VBIC transistors; tests/system/test_vbic_ngspice.sh compares them with ngspice. */
#include "devices/vbic/vbic_batch.h"
#include "harness.h"
#include "random_stand.h"

enum { OUTER = 4 }; /* nodes of the card: collector, base, emitter, substrate */

/* Within these bounds, three quarters of them at a time. */
static const struct stand_range ranges[] = {
    {"rcx", 0.1, 50},        {"rci", 0.1, 100},       {"vo", 0.5, 4},          {"gamm", 1e-13, 1e-9},
    {"hrcf", 0.5, 4},        {"rbx", 0.1, 50},        {"rbi", 0.1, 100},       {"re", 0.1, 5},
    {"rs", 0.1, 50},         {"rbp", 0.1, 100},       {"is", 1e-17, 1e-14},    {"nf", 0.98, 1.1},
    {"nr", 0.98, 1.1},       {"fc", 0.5, 0.95},       {"cbeo", 1e-15, 1e-13},  {"cje", 1e-14, 1e-12},
    {"pe", 0.6, 1},          {"me", 0.2, 0.5},        {"aje", -0.5, 0.5},      {"cbco", 1e-15, 1e-13},
    {"cjc", 1e-15, 1e-13},   {"qco", 1e-14, 1e-12},   {"cjep", 1e-15, 1e-13},  {"pc", 0.5, 0.9},
    {"mc", 0.2, 0.5},        {"ajc", -0.5, 0.5},      {"cjcp", 1e-14, 1e-12},  {"ajs", -0.5, 0.5},
    {"ibei", 1e-20, 1e-16},  {"wbe", 0, 1},           {"iben", 1e-18, 1e-14},  {"ibci", 1e-20, 1e-16},
    {"ibcn", 1e-18, 1e-14},  {"avc1", 0.5, 3},        {"avc2", 8, 20},         {"isp", 1e-20, 1e-15},
    {"wsp", 0, 1},           {"ibeip", 1e-20, 1e-16}, {"ibenp", 1e-18, 1e-15}, {"ibcip", 1e-20, 1e-16},
    {"ibcnp", 1e-18, 1e-15}, {"vef", 5, 100},         {"ver", 2, 20},          {"ikf", 1e-4, 1e-1},
    {"ikr", 1e-5, 1e-2},     {"ikp", 1e-5, 1e-2},     {"tf", 1e-12, 1e-9},     {"qtf", 0, 0.5},
    {"xtf", 0, 30},          {"vtf", 0.5, 5},         {"itf", 1e-3, 0.1},      {"tr", 1e-11, 1e-8},
    {"td", 1e-12, 1e-10},    {"xre", 0, 1},           {"xrb", 0, 1},           {"xrci", 0, 1},
    {"xvo", 0, 1},           {"tnf", -1e-4, 1e-4},    {"tavc", -1e-3, 1e-3},   {"vrt", 1, 4},
    {"ccso", 1e-15, 1e-13},  {"nkf", 0.4, 0.6},       {"xikf", -1, 1},         {"isrr", 0.8, 1.2},
    {"dear", -0.01, 0.01},   {"vbbe", 2, 5},          {"nbbe", 1, 2},          {"tvbbe1", -1e-4, 1e-4},
    {"art", 0, 0.2},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static void draw_card(struct stand_draw *o, uint64_t *seed, double heat)
{
    o->type = stand_uniform(seed, 0, 1) < 0.5 ? "pnp" : "npn";
    draw_ranges(o, ranges, RANGES, 0.75, seed);
    draw_add(o, "qbm", stand_uniform(seed, 0, 1) < 0.5 ? 0 : 1);
    draw_add(o, "rth", heat);
    draw_add(o, "cth", 1e-9);
    const struct stand_setting element[] = {
        {"area", stand_uniform(seed, 0.5, 4)}, {"m", 1 + floor(stand_uniform(seed, 0, 3))}, {0}};
    memcpy(o->element, element, sizeof element);
}

/* From reverse bias to where junctions carry milliamperes. */
static void draw_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[0] == 'p' ? -1 : 1;
    for (size_t i = 1; i < n; i++)
        x[i] = sign * stand_uniform(seed, 0, 0.75);
    x[1] += sign * stand_uniform(seed, 0, 2);
}

static const struct stand_family vbic = {&vbic_class, OUTER, 4, 1, draw_card, draw_bias};

static void derivatives_are_exact_at_random_biases(void)
{
    hold_at_random(&vbic, derives, 1, 0);
}
static void derivatives_by_the_temperature_are_exact(void)
{
    hold_at_random(&vbic, derives, 2, 100);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(&vbic, ends_limits, 4, 0);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(&vbic, probes, 5, 0);
}

static void names_of_parameters_are_all_different(void)
{
    const struct parameter_table *table = &vbic_class.kind.model;
    for (size_t i = 0; i < table->count; i++)
        CU_ASSERT_EQUAL(parameter_row(*table, table->rows[i].name), i);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact_at_random_biases),        CLAIM(derivatives_by_the_temperature_are_exact),
        CLAIM(limiting_ends_where_there_is_nothing_to_limit), CLAIM(currents_of_terminals_hold_what_charges_take),
        CLAIM(names_of_parameters_are_all_different),
    };
    return run_claims("VBIC", claims, sizeof claims / sizeof *claims);
}
