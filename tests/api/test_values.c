/* Values, analyses and results by the functions of the library: against closed forms, and against decks that say the same. */
#include "claims.h"
#include "knoten.h"

#include <math.h>
#include <string.h>

struct stand {
    struct kn_diagnostics *d;
    struct kn_circuit *c;
    struct kn_results *r;
    struct kn_sink sink;
};

static struct stand stand_of(const char *deck)
{
    struct stand s = {.d = kn_diagnostics_new(), .r = kn_results_new()};
    s.sink = kn_results_sink(s.r);
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", deck, strlen(deck), s.d, &s.c), KN_OK);
    return s;
}

static void stand_free(struct stand *s)
{
    kn_results_free(s->r);
    kn_circuit_free(s->c);
    kn_diagnostics_free(s->d);
}

/* The last value of a vector of an analysis. */
static double last(struct stand *s, const char *card, const char *vector)
{
    struct kn_vector v;
    CU_ASSERT_EQUAL(kn_analyse(s->c, card, NULL, s->d, &s->sink, NULL), KN_OK);
    CU_ASSERT_FATAL(kn_results_find(s->r, kn_results_count(s->r) - 1, vector, &v) && v.length > 0);
    return v.real[v.length - 1];
}

static const char divider[] = "divider\n"
                              ".param k=2 r={k*1k}\n"
                              ".subckt half p q w=1\n"
                              "R1 p q {w*1k}\n"
                              "R2 q 0 rm 1k\n"
                              ".ends\n"
                              ".model rm r(rsh=1)\n"
                              "V1 a 0 6\n"
                              "R1 a b {r}\n"
                              "R2 b 0 1k\n"
                              "X1 a c half\n";

static void parameters_move_what_depends_on_them(void)
{
    struct stand s = stand_of(divider);
    double value;
    CHECK_NEAR(last(&s, "op", "v(b)"), 2, 1e-9);
    CU_ASSERT_EQUAL(kn_circuit_set_parameter(s.c, "K", 5, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(b)"), 1, 1e-9);
    CU_ASSERT_EQUAL(kn_circuit_parameter(s.c, "r/1k + 1", &value, s.d), KN_OK);
    CHECK_NEAR(value, 6, 1e-12);
    CU_ASSERT_EQUAL(kn_circuit_set_parameter(s.c, "x1.w", 2, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(c)"), 2, 1e-9);
    CU_ASSERT_EQUAL(kn_circuit_set_parameter(s.c, "k", 1, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(b)"), 3, 1e-9);
    CHECK_NEAR(last(&s, "op", "v(c)"), 2, 1e-9);
    CU_ASSERT_EQUAL(kn_circuit_reset(s.c, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(b)"), 2, 1e-9);
    CHECK_NEAR(last(&s, "op", "v(c)"), 3, 1e-9);
    stand_free(&s);
}

static void elements_are_altered(void)
{
    struct stand s = stand_of(divider);
    double value;
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "r2", NULL, 4e3, s.d), KN_OK);
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "V1", NULL, 12, s.d), KN_OK);
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "X1.r1", NULL, 5e3, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(b)"), 8, 1e-9);
    CHECK_NEAR(last(&s, "op", "v(c)"), 2, 1e-9);
    CU_ASSERT_EQUAL(kn_circuit_value(s.c, "X1.R1", NULL, &value, s.d), KN_OK);
    CHECK_NEAR(value, 5e3, 0);
    CU_ASSERT_EQUAL(kn_circuit_value(s.c, "v1", NULL, &value, s.d), KN_OK);
    CHECK_NEAR(value, 12, 0);
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "r2", "m", 4, s.d), KN_OK);
    CU_ASSERT_EQUAL(kn_circuit_value(s.c, "r2", "m", &value, s.d), KN_OK);
    CHECK_NEAR(value, 4, 0);
    CHECK_NEAR(last(&s, "op", "v(b)"), 12. / 3, 1e-9);
    stand_free(&s);
}

/* Vt ln(1 + I/Is) at 27 degrees Celsius, and with ten times Is. */
static void models_and_options_are_altered(void)
{
    struct stand s = stand_of("diode\nI1 0 a 1m\nD1 a 0 dm\n.model dm d(is=1f)\n.options gmin=1e-30\n");
    const double vt = 1.380649e-23 * 300.15 / 1.602176634e-19;
    CHECK_NEAR(last(&s, "op", "v(a)"), vt * log1p(1e-3 / 1e-15), 1e-6);
    CU_ASSERT_EQUAL(kn_circuit_alter_model(s.c, "DM", "is", 1e-14, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(a)"), vt * log1p(1e-3 / 1e-14), 1e-6);
    CU_ASSERT_EQUAL(kn_circuit_set_option(s.c, "temp", 27, s.d), KN_OK);
    CHECK_NEAR(last(&s, "op", "v(a)"), vt * log1p(1e-3 / 1e-14), 1e-6);
    CU_ASSERT_EQUAL(kn_circuit_set_option(s.c, "temp", 127, s.d), KN_OK);
    CU_ASSERT(last(&s, "op", "v(a)") < 0.6);
    stand_free(&s);
}

static void what_cannot_be_changed_leaves_the_circuit(void)
{
    struct stand s = stand_of(divider);
    double value = 0;
    CU_ASSERT_EQUAL(kn_circuit_set_parameter(s.c, "kk", 1, s.d), KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "r9", NULL, 1, s.d), KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_circuit_alter_model(s.c, "none", "is", 1, s.d), KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(s.d), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(s.d, 1)->text, "no element 'r9'"));
    CU_ASSERT_EQUAL(kn_circuit_parameter(s.c, "nothing", &value, s.d), KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_circuit_value(s.c, "r9", NULL, &value, s.d), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(kn_circuit_value(s.c, "r1", "nothing", &value, s.d), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(kn_analyse(s.c, "trann 1 2", NULL, s.d, &s.sink, NULL), KN_ERROR_DECK);
    CHECK_NEAR(last(&s, "op", "v(b)"), 2, 1e-9);
    stand_free(&s);
}

static void any_source_can_be_given_from_outside(void)
{
    struct stand s = stand_of(divider);
    struct kn_transient *t;
    double v;
    CU_ASSERT_EQUAL(kn_circuit_alter(s.c, "v1", "external", 1, s.d), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_begin(s.c, "tran 1u 1m", NULL, s.d, NULL, &t), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_read(t, "v(b)", &v), KN_OK);
    CHECK_NEAR(v, 2, 1e-9);
    CU_ASSERT_EQUAL(kn_transient_set(t, "v1", 9), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_advance(t, 1e-4), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_read(t, "v(b)", &v), KN_OK);
    CHECK_NEAR(v, 3, 1e-9);
    CU_ASSERT_EQUAL(kn_transient_end(t, NULL), KN_INTERRUPTED);
    stand_free(&s);
}

/* ---- analyses and vectors ---- */

#define LOW_PASS "RC\nV1 a 0 dc 1 ac 1 sin(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n"

/* H = 1/(1 + jwRC) */
static void complex_vectors_have_two_parts(void)
{
    struct stand s = stand_of(LOW_PASS);
    struct kn_results_table t;
    struct kn_vector f, v;
    CU_ASSERT_EQUAL(kn_analyse(s.c, "ac dec 5 1 100k", NULL, s.d, &s.sink, NULL), KN_OK);
    CU_ASSERT_FATAL(kn_results_count(s.r) == 1 && kn_results_table(s.r, 0, &t));
    CU_ASSERT_STRING_EQUAL(t.plot, "AC Analysis");
    CU_ASSERT_STRING_EQUAL(t.title, "RC");
    CU_ASSERT(t.rows == 26 && t.vectors == 4);
    CU_ASSERT_FATAL(kn_results_vector(s.r, 0, 0, &f) && kn_results_find(s.r, 0, "V(B)", &v) && v.imaginary);
    CU_ASSERT(f.quantity == KN_FREQUENCY && v.quantity == KN_VOLTAGE && f.imaginary == NULL);
    for (size_t i = 0; i < v.length; i++) {
        const double a = 2 * 3.14159265358979323846 * f.real[i] * 1e-3;
        CHECK_NEAR(v.real[i], 1 / (1 + a * a), 1e-9);
        CHECK_NEAR(v.imaginary[i], -a / (1 + a * a), 1e-9);
    }
    CU_ASSERT(!kn_results_find(s.r, 0, "v(x)", &v) && !kn_results_find(s.r, 1, "v(b)", &v));
    CU_ASSERT(!kn_results_vector(s.r, 0, 99, &v) && !kn_results_table(s.r, 1, &t));
    stand_free(&s);
}

static void an_analysis_by_its_card_is_that_of_a_deck(void)
{
    static const struct {
        const char *deck, *card;
    } pairs[] = {{LOW_PASS ".tran 10u 3m\n", "tran 10u 3m"},
                 {LOW_PASS ".dc v1 0 1 0.1\n", "dc v1 0 1 0.1"},
                 {LOW_PASS ".noise v(b) v1 dec 3 1 1k\n", "noise v(b) v1 dec 3 1 1k"},
                 {LOW_PASS ".tf v(b) v1\n", "tf v(b) v1"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        struct stand a = stand_of(pairs[k].deck), b = stand_of(LOW_PASS);
        struct kn_vector u, v;
        CU_ASSERT_EQUAL(kn_run(a.c, NULL, a.d, &a.sink, NULL), KN_OK);
        CU_ASSERT_EQUAL(kn_analyse(b.c, pairs[k].card, NULL, b.d, &b.sink, NULL), KN_OK);
        CU_ASSERT_EQUAL(kn_results_count(a.r), kn_results_count(b.r));
        size_t compared = 0;
        for (size_t t = 0; t < kn_results_count(a.r); t++)
            for (size_t i = 0; kn_results_vector(a.r, t, i, &u); i++) {
                CU_ASSERT_FATAL(kn_results_vector(b.r, t, i, &v) && u.length == v.length);
                CU_ASSERT_EQUAL(memcmp(u.real, v.real, u.length * sizeof *u.real), 0);
                compared += u.length;
            }
        CU_ASSERT(compared > 0);
        stand_free(&a);
        stand_free(&b);
    }
}

/* ---- options of another size ---- */

static void a_shorter_struct_has_zeros_behind_its_size(void)
{
    struct stand s = stand_of(LOW_PASS ".tran 10u 3m\n");
    const struct kn_options broken = {
        .size = offsetof(struct kn_options, reltol), .method = "bdf", .reltol = 1e-30, .maxord = -7};
    struct kn_summary summary;
    CU_ASSERT_EQUAL(kn_run(s.c, &broken, s.d, &s.sink, &summary), KN_OK);
    CU_ASSERT_STRING_EQUAL(summary.method, "bdf");
    stand_free(&s);
}

/* ---- the index ---- */

static bool holds(const struct kn_sets *s, size_t set, const char *a, const char *b)
{
    if (set >= s->count || s->sets[set].count != 2)
        return false;
    const char *const *n = s->sets[set].names;
    return (!strcmp(n[0], a) && !strcmp(n[1], b)) || (!strcmp(n[0], b) && !strcmp(n[1], a));
}

static void loops_and_cutsets_are_data(void)
{
    struct stand s = stand_of("t\nV1 a 0 sin(0 1 1k)\nC1 a 0 1u\nR1 a b 1k\nL1 b c 1m\nI2 c 0 1m\nC2 b 0 1u\n");
    const struct kn_index *i;
    CU_ASSERT_EQUAL_FATAL(kn_index_new(s.c, s.d, &i), KN_OK);
    CU_ASSERT(i->index == 2 && i->unknowns == 5 && !i->singular);
    CU_ASSERT_EQUAL(i->degrees_of_freedom, 1);
    CU_ASSERT(i->cv_loops.count == 1 && holds(&i->cv_loops, 0, "V1", "C1"));
    CU_ASSERT(i->li_cutsets.count == 1 && holds(&i->li_cutsets, 0, "L1", "I2"));
    CU_ASSERT(i->hidden.count == 2 && i->dependent.count == 2 && i->v_loops.count == 0);
    kn_index_free(i);
    kn_index_free(NULL);
    stand_free(&s);
}

static void a_singular_circuit_is_a_report_and_errors(void)
{
    struct stand s = stand_of("t\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n");
    const struct kn_index *i;
    CU_ASSERT_EQUAL_FATAL(kn_index_new(s.c, s.d, &i), KN_OK);
    CU_ASSERT(i->singular && i->index == -1 && holds(&i->v_loops, 0, "V1", "V2"));
    CU_ASSERT(kn_diagnostics_errors(s.d) > 0);
    kn_index_free(i);
    stand_free(&s);
}

struct points {
    int count;
    double worst;
};

static void take_point(void *context, const struct kn_compared *p)
{
    struct points *all = context;
    all->count += p->status == KN_OK && (strcmp(p->method, "bdf") == 0 || strcmp(p->method, "radau") == 0);
    all->worst = fmax(all->worst, p->error / p->reltol);
}

static void methods_are_compared(void)
{
    struct stand s = stand_of(LOW_PASS ".tran 10u 3m\n");
    struct points points = {0};
    CU_ASSERT_EQUAL(kn_compare(s.c, "bdf, radau", 1e-3, 1e-5, s.d, &points, take_point), KN_OK);
    CU_ASSERT_EQUAL(points.count, 6);
    CU_ASSERT(points.worst > 0 && points.worst < 10);
    CU_ASSERT_EQUAL(kn_compare(s.c, "bfd", 1e-3, 1e-5, s.d, &points, take_point), KN_ERROR_ARGUMENT);
    stand_free(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(parameters_move_what_depends_on_them),
        CLAIM(elements_are_altered),
        CLAIM(models_and_options_are_altered),
        CLAIM(what_cannot_be_changed_leaves_the_circuit),
        CLAIM(any_source_can_be_given_from_outside),
        CLAIM(complex_vectors_have_two_parts),
        CLAIM(an_analysis_by_its_card_is_that_of_a_deck),
        CLAIM(a_shorter_struct_has_zeros_behind_its_size),
        CLAIM(loops_and_cutsets_are_data),
        CLAIM(a_singular_circuit_is_a_report_and_errors),
        CLAIM(methods_are_compared),
    };
    return run_claims("values", claims, sizeof claims / sizeof *claims);
}
