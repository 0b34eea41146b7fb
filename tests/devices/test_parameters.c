/* test_parameters.c - parameter tables: defaults, aliases, ranges, corrections, and sanity of every family's tables. */
#include "claims.h"
#include "devices/families.h"

#include "base/names.h"

#include <float.h>
#include <string.h>

static const struct parameter_info rows[] = {
    {"tc1", "1/K", 0.5, -INFINITY, INFINITY, "first", "tc"},
    {"width", "m", 1e-6, DBL_MIN, INFINITY, "width", NULL},
    {"share", "", 0.25, 0.0, 1.0, "share", NULL},
    {"off", "", 0.0, 0.0, 1.0, "flag", NULL},
};
static const struct parameter_table table = {rows, 4, "kf noisy"};

struct reading {
    struct kn_diagnostics *d;
    double values[4];
    bool given[4];
    bool good;
};

static struct reading read(const struct setting *settings, size_t count)
{
    struct reading r = {.d = kn_diagnostics_new()};
    r.good = parameters_read(table, settings, count, (struct owner){"thing", "t1"}, r.d, r.values, r.given);
    return r;
}

static const struct kn_diagnostic *only_message(const struct reading *r)
{
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(r->d), 1);
    return kn_diagnostics_get(r->d, 0);
}

static void absent_parameters_have_their_defaults(void)
{
    struct reading r = read(NULL, 0);
    CU_ASSERT_TRUE(r.good);
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(r.values[i], rows[i].fallback);
        CU_ASSERT_FALSE(r.given[i]);
    }
    kn_diagnostics_free(r.d);
}

static void names_and_aliases_are_found_in_any_case(void)
{
    const struct setting s[] = {{.name = "TC", .has_value = true, .value = 3.0},
                                {.name = "Width", .has_value = true, .value = 2e-6}};
    struct reading r = read(s, 2);
    CU_ASSERT_TRUE(r.good);
    CU_ASSERT_EQUAL(r.values[0], 3.0);
    CU_ASSERT_EQUAL(r.values[1], 2e-6);
    CU_ASSERT_TRUE(r.given[0] && r.given[1] && !r.given[2]);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.d), 0);
    kn_diagnostics_free(r.d);
}

static void a_bare_flag_counts_as_one(void)
{
    const struct setting s = {.name = "off"};
    struct reading r = read(&s, 1);
    CU_ASSERT_TRUE(r.good);
    CU_ASSERT_EQUAL(r.values[3], 1.0);
    kn_diagnostics_free(r.d);
}

static void an_unknown_name_is_a_warning_with_place_and_correction(void)
{
    const struct setting s = {.name = "widht", .has_value = true, .value = 1, .where = {"a.cir", 3, 7, 5}};
    struct reading r = read(&s, 1);
    CU_ASSERT_TRUE(r.good);
    const struct kn_diagnostic *m = only_message(&r);
    CU_ASSERT_EQUAL(m->severity, KN_WARNING);
    CU_ASSERT_EQUAL(m->where.line, 3);
    CU_ASSERT_EQUAL(m->where.column, 7);
    CU_ASSERT_PTR_NOT_NULL(strstr(m->text, "widht"));
    CU_ASSERT_PTR_NOT_NULL(strstr(m->text, "thing 't1'"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(m->hint);
    CU_ASSERT_PTR_NOT_NULL(strstr(m->hint, "'width'"));
    kn_diagnostics_free(r.d);
}

static void harmless_names_are_ignored_silently(void)
{
    const struct setting s = {.name = "NOISY", .has_value = true, .value = 0};
    struct reading r = read(&s, 1);
    CU_ASSERT_TRUE(r.good);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.d), 0);
    kn_diagnostics_free(r.d);
}

static void values_out_of_range_are_errors(void)
{
    const struct setting bad[] = {{.name = "width", .has_value = true, .value = 0.0},
                                  {.name = "share", .has_value = true, .value = 1.0000001},
                                  {.name = "share", .has_value = true, .value = -1e-300},
                                  {.name = "share", .has_value = true, .value = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct reading r = read(&bad[i], 1);
        CU_ASSERT_FALSE(r.good);
        CU_ASSERT_EQUAL(only_message(&r)->severity, KN_ERROR);
        CU_ASSERT_PTR_NOT_NULL(strstr(only_message(&r)->text, bad[i].name));
        kn_diagnostics_free(r.d);
    }
}

static void limits_belong_to_the_range(void)
{
    const struct setting s[] = {{.name = "share", .has_value = true, .value = 1.0}};
    struct reading r = read(s, 1);
    CU_ASSERT_TRUE(r.good);
    kn_diagnostics_free(r.d);
}

static void a_word_is_no_number(void)
{
    const struct setting s = {.name = "width", .has_value = true, .text = "wide"};
    struct reading r = read(&s, 1);
    CU_ASSERT_FALSE(r.good);
    CU_ASSERT_PTR_NOT_NULL(strstr(only_message(&r)->text, "wide"));
    kn_diagnostics_free(r.d);
}

static void the_last_of_two_values_counts_with_a_warning(void)
{
    const struct setting s[] = {{.name = "tc1", .has_value = true, .value = 1.0},
                                {.name = "tc", .has_value = true, .value = 2.0}};
    struct reading r = read(s, 2);
    CU_ASSERT_TRUE(r.good);
    CU_ASSERT_EQUAL(r.values[0], 2.0);
    CU_ASSERT_EQUAL(only_message(&r)->severity, KN_WARNING);
    kn_diagnostics_free(r.d);
}

static void all_faults_are_reported_at_once(void)
{
    const struct setting s[] = {{.name = "share", .has_value = true, .value = 2.0},
                                {.name = "width", .has_value = true, .value = -1.0},
                                {.name = "nonsense", .has_value = true, .value = 1.0}};
    struct reading r = read(s, 3);
    CU_ASSERT_FALSE(r.good);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r.d), 2);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.d), 3);
    kn_diagnostics_free(r.d);
}

static void check_table(const struct element_kind *kind, struct parameter_table t)
{
    for (size_t i = 0; i < t.count; i++) {
        const struct parameter_info *p = &t.rows[i];
        const bool sane = p->name && p->unit && p->doc && p->minimum <= p->maximum &&
                          (isnan(p->fallback) || p->fallback <= p->maximum);
        if (!sane)
            fprintf(stderr, "\n%s: parameter %zu (%s)\n", kind->noun, i, p->name ? p->name : "?");
        CU_ASSERT_TRUE(sane);
        for (size_t k = 0; sane && k < i; k++)
            CU_ASSERT_FALSE(names_equal(p->name, t.rows[k].name) ||
                            (p->alias && names_equal(p->alias, t.rows[k].name)));
    }
}

static void tables_of_all_families_are_sane(void)
{
    const struct element_kind *kind;
    for (size_t i = 0; (kind = catalogue_kind(&device_catalogue, i)); i++) {
        check_table(kind, kind->instance);
        check_table(kind, kind->model);
    }
}

static void every_letter_of_the_netlist_has_a_family(void)
{
    for (const char *letter = "rclktviefghbdqmj"; *letter; letter++) {
        int count = 0;
        const struct element_kind *kind;
        for (size_t i = 0; (kind = catalogue_kind(&device_catalogue, i)); i++)
            count += kind->letter == *letter;
        CU_ASSERT(count >= 1);
    }
}

/* So that a transient can go on with other values (analyses/transient/carry.h). */
static void what_a_family_remembers_can_be_carried_over(void)
{
    const struct element_kind *kind;
    for (size_t i = 0; (kind = catalogue_kind(&device_catalogue, i)); i++) {
        const struct device_class *own = device_class_of(kind), *class = own->together ? own->together : own;
        const bool remembers = class->accept || class->arrive || class->switches_remember;
        if (remembers && !(class->memory && class->recall))
            fprintf(stderr, "\n%s remembers\n", kind->noun);
        CU_ASSERT(!remembers || (class->memory && class->recall));
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(absent_parameters_have_their_defaults),
        CLAIM(names_and_aliases_are_found_in_any_case),
        CLAIM(a_bare_flag_counts_as_one),
        CLAIM(an_unknown_name_is_a_warning_with_place_and_correction),
        CLAIM(harmless_names_are_ignored_silently),
        CLAIM(values_out_of_range_are_errors),
        CLAIM(limits_belong_to_the_range),
        CLAIM(a_word_is_no_number),
        CLAIM(the_last_of_two_values_counts_with_a_warning),
        CLAIM(all_faults_are_reported_at_once),
        CLAIM(tables_of_all_families_are_sane),
        CLAIM(every_letter_of_the_netlist_has_a_family),
        CLAIM(what_a_family_remembers_can_be_carried_over),
    };
    return run_claims("devices/parameters", claims, sizeof claims / sizeof *claims);
}
