/* test_deck_elements.c - every element card in every accepted form. */
#include "deck_fixture.h"

#define CHECK_NODES(r, e, ...)                                                                                         \
    do {                                                                                                               \
        static const char *const names_[] = {__VA_ARGS__};                                                             \
        CU_ASSERT_EQUAL_FATAL((e)->node_count, COUNT(names_));                                                         \
        for (size_t i_ = 0; i_ < COUNT(names_); i_++)                                                                  \
            CU_ASSERT_STRING_EQUAL(node_of(r, e, i_), names_[i_]);                                                     \
    } while (0)

/* The value of an element's law where its variables have the given values. */
static double law_at(const struct element *e, double first, double second)
{
    double workspace[200];
    const double variables[] = {first, second};
    CU_ASSERT_PTR_NOT_NULL_FATAL(e->expression);
    CU_ASSERT_FATAL(expression_workspace(e->expression) <= COUNT(workspace));
    CU_ASSERT_FATAL(expression_variable_count(e->expression) <= 2);
    const struct expression_point at = {variables, 0.0, 27.0, NULL, false};
    return expression_evaluate(e->expression, &at, workspace, NULL, NULL);
}

static void a_resistor_takes_its_value_in_many_forms(void)
{
    static const char *const forms[] = {"1k",         "{2*p}",           "'2*p'",    "p2",      "r=1k",
                                        "r={2*p}",    "R = 'p2'",        "value=1k", "r=2*p",   "resistance=1k",
                                        "{\t2 * p }", "1kOhm tc1=0 m=1", "rmod 1k",  "1k rmod", "rmod r=1k l=1u"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, ".param p=500 p2={2*p}\n.model rmod r(rsh=1)\nR1 a 0 %s\n", forms[i]);
        struct reading r = read_good(body);
        const struct element *e = element_named(&r, "R1");
        CU_ASSERT(e->has_value);
        CHECK_NEAR(e->value, 1e3, 0);
        CU_ASSERT_EQUAL(e->kind->letter, 'r');
        CHECK_NODES(&r, e, "a", "0");
        CU_ASSERT_EQUAL(e->model != NULL, strstr(forms[i], "rmod") != NULL);
        end_reading(&r);
    }
}

static void settings_of_passive_elements_are_kept(void)
{
    struct reading r = read_good(".param t=1m\nR1 a 0 1k tc=1m,2u m=2\nR2 a 0 tc1={t} tc2=2u r=5 temp=50\n"
                                 "R3 a 0 rmod l=10u w = 2u\n.model rmod res(rsh=50 tc1=1m)\nC1 a 0 1u ic=0.5\n"
                                 "L1 a 0 1m IC = -1\n");
    CHECK_NEAR(setting_of(element_named(&r, "R1"), "tc"), 1e-3, 0);
    CHECK_NEAR(setting_of(element_named(&r, "R1"), "tc2"), 2e-6, 0);
    CHECK_NEAR(setting_of(element_named(&r, "R1"), "m"), 2, 0);
    const struct element *second = element_named(&r, "R2");
    CHECK_NEAR(setting_of(second, "tc1"), 1e-3, 0);
    CU_ASSERT_EQUAL(second->setting_count, 3); /* r= is the value */
    const struct element *third = element_named(&r, "R3");
    CU_ASSERT(!third->has_value);
    CU_ASSERT_STRING_EQUAL(third->model->type, "r");
    CHECK_NEAR(setting_of(third, "w"), 2e-6, 0);
    CHECK_NEAR(setting_of(element_named(&r, "C1"), "ic"), 0.5, 0);
    CHECK_NEAR(setting_of(element_named(&r, "L1"), "ic"), -1, 0);
    const struct setting *tc1 = setting_named(second->settings, second->setting_count, "tc1");
    CU_ASSERT_EQUAL(tc1->where.line, 4);
    CU_ASSERT_EQUAL(tc1->where.column, 8);
    end_reading(&r);
}

static void capacitors_and_inductors_may_be_given_by_charge_and_flux(void)
{
    struct reading r = read_good("C1 a b Q='1u*(v(a,b)+2)'\nC2 a 0 q = 1u*v(a) + 3u ic=1\nC3 a 0 Q={v(a)}\n"
                                 "L1 a 0 Flux='1m*i(L1)'\nL2 a 0 flux = 2m * i(L2)\n");
    CU_ASSERT_EQUAL(element_named(&r, "C1")->law, LAW_CHARGE);
    CU_ASSERT(!element_named(&r, "C1")->has_value);
    CHECK_NEAR(law_at(element_named(&r, "C1"), 5, 1), 6e-6, 1e-20);
    CHECK_NEAR(law_at(element_named(&r, "C2"), 2, 0), 5e-6, 1e-20);
    CHECK_NEAR(setting_of(element_named(&r, "C2"), "ic"), 1, 0);
    const struct element *l = element_named(&r, "L2");
    CU_ASSERT_EQUAL(l->law, LAW_FLUX);
    CHECK_NEAR(law_at(l, 3, 0), 6e-3, 1e-18);
    const struct expression_variable *v = expression_variables(l->expression);
    CU_ASSERT_EQUAL(v->kind, EXPRESSION_BRANCH_CURRENT);
    CU_ASSERT_EQUAL(v->index, l->number);
    end_reading(&r);
}

static void a_resistance_that_depends_on_the_solution_is_a_current_law(void)
{
    static const char *const forms[] = {"R1 a+ b.1 R='2*v(c)'", "R1 a+ b.1 {2*v(c)}", "R1 a+ b.1 '2\n+ *v(c)'"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, "V1 c 0 5\n%s tc1=1m\n", forms[i]);
        struct reading r = read_good(body);
        const struct element *e = element_named(&r, "R1");
        CU_ASSERT_EQUAL(e->kind->letter, 'b');
        CU_ASSERT_EQUAL(e->law, LAW_CURRENT);
        CHECK_NODES(&r, e, "a+", "b.1");
        CHECK_NEAR(setting_of(e, "tc1"), 1e-3, 0);
        CU_ASSERT_EQUAL_FATAL(expression_variable_count(e->expression), 3);
        double point[3], workspace[200];
        for (size_t k = 0; k < 3; k++) {
            const int node = expression_variables(e->expression)[k].index;
            point[k] = node == e->nodes[0] ? 12 : node == e->nodes[1] ? 2 : 5; /* (12 - 2)/(2*5) */
        }
        const struct expression_point at = {point, 0, 27, NULL, false};
        CHECK_NEAR(expression_evaluate(e->expression, &at, workspace, NULL, NULL), 1, 1e-15);
        end_reading(&r);
    }
}

static void a_coupling_names_its_inductors(void)
{
    struct reading r = read_good("K1 L1 L2 0.5\nL1 a 0 1m\nl2 b 0 2m\nL3 c 0 1\nK2 L1 L2 L3 {1/2}\nK3 L1 L3 k=1\n");
    const struct element *k = element_named(&r, "K1");
    CHECK_NEAR(k->value, 0.5, 0);
    CU_ASSERT_EQUAL(k->control_element_count, 2);
    CU_ASSERT_EQUAL(k->control_elements[1], element_named(&r, "L2")->number);
    CU_ASSERT_EQUAL(element_named(&r, "K2")->control_element_count, 3);
    CHECK_NEAR(element_named(&r, "K2")->value, 0.5, 0);
    CHECK_NEAR(element_named(&r, "K3")->value, 1, 0);
    CU_ASSERT_EQUAL(element_named(&r, "K3")->setting_count, 0);
    end_reading(&r);
}

static void a_line_has_four_nodes_and_settings(void)
{
    struct reading r = read_good("T1 a 0 b 0 Z0=50 TD=1n ic=1,2,3,4\n");
    const struct element *t = element_named(&r, "T1");
    CHECK_NODES(&r, t, "a", "0", "b", "0");
    CHECK_NEAR(setting_of(t, "z0"), 50, 0);
    CHECK_NEAR(setting_of(t, "td"), 1e-9, 0);
    CHECK_NEAR(setting_of(t, "ic"), 1, 0);
    CHECK_NEAR(setting_of(t, "ic4"), 4, 0);
    end_reading(&r);
}

static void sources_have_dc_and_ac_values_in_any_order(void)
{
    static const char *const forms[] = {"5 AC 2 90",
                                        "DC 5 AC 2 90",
                                        "AC 2 90 DC 5",
                                        "dc=5 ac=2,90",
                                        "dc={p} AC 2 'q'",
                                        "p AC 2 {q}",
                                        "DC=5 distof1 1 2 AC 2 90",
                                        "5V AC 2,90"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, ".param p=5 q=90\nV1 a 0 %s\nI1 a 0 %s\n", forms[i], forms[i]);
        struct reading r = read_good(body);
        for (int which = 0; which < 2; which++) {
            const struct source *s = &element_named(&r, which ? "I1" : "V1")->source;
            CU_ASSERT(s->has_dc);
            CHECK_NEAR(s->dc, 5, 0);
            CHECK_NEAR(s->ac_magnitude, 2, 0);
            CHECK_NEAR(s->ac_phase, 90, 0);
            CU_ASSERT_EQUAL(s->wave.kind, WAVEFORM_NONE);
        }
        end_reading(&r);
    }
}

static void a_source_may_have_no_value(void)
{
    struct reading r = read_good("V1 a 0\nV2 b 0 DC\nV3 c 0 AC\nR1 a b 1\n");
    CU_ASSERT(!element_named(&r, "V1")->source.has_dc);
    CHECK_NEAR(element_named(&r, "V3")->source.ac_magnitude, 1, 0);
    CHECK_NEAR(element_named(&r, "V3")->source.ac_phase, 0, 0);
    end_reading(&r);
}

static void five_ampere_are_five_and_noted_once(void)
{
    struct reading r = read_good("I1 0 a 5A\nI2 0 a DC 2a\nR1 a 0 1\nC1 a 0 10aF\n");
    CHECK_NEAR(element_named(&r, "I1")->source.dc, 5, 0);
    CHECK_NEAR(element_named(&r, "I2")->source.dc, 2, 0);
    CHECK_NEAR(element_named(&r, "C1")->value, 1e-17, 1e-32);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 1);
    CU_ASSERT(has_message(&r, KN_NOTE, &(struct expected){2, 8, "ampere", "'5A' is read as 5", NULL}));
    end_reading(&r);
    r = read_good("I1 0 a 5Amp\nR1 a 0 1\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    end_reading(&r);
}

static void waveforms_are_read_with_and_without_parentheses_and_commas(void)
{
    static const struct {
        const char *text;
        enum waveform_kind kind;
        size_t count;
        double last;
    } forms[] = {
        {"PULSE(0 5 1u 2u 3u 4u 5u)", WAVEFORM_PULSE, 7, 5e-6},
        {"pulse 0 5 1u", WAVEFORM_PULSE, 3, 1e-6},
        {"PULSE(0,5,1u)", WAVEFORM_PULSE, 3, 1e-6},
        {"PULSE (0 {p} 'p*2')", WAVEFORM_PULSE, 3, 10},
        {"PULSE(\n+0 5\n+ 2)", WAVEFORM_PULSE, 3, 2},
        {"Sin(0 1 1k)", WAVEFORM_SIN, 3, 1e3},
        {"SIN 0 1 p", WAVEFORM_SIN, 3, 5},
        {"sine(0 1)", WAVEFORM_SIN, 2, 1},
        {"EXP(0 1 1u 2u 3u 4u)", WAVEFORM_EXP, 6, 4e-6},
        {"PWL(0 0, 1u 5, 2u -3)", WAVEFORM_PWL, 6, -3},
        {"pwl 0 0 1u 5", WAVEFORM_PWL, 4, 5},
        {"SFFM(0 1 1k 5 100)", WAVEFORM_SFFM, 5, 100},
        {"AM(1 0 1k 10k 1u)", WAVEFORM_AM, 5, 1e-6},
        {"DC 1 SIN(0 1 1k 0 -2) AC 1", WAVEFORM_SIN, 5, -2},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, ".param p=5\nV1 a 0 %s\n", forms[i].text);
        struct reading r = read_good(body);
        const struct waveform *w = &element_named(&r, "V1")->source.wave;
        CU_ASSERT_EQUAL(w->kind, forms[i].kind);
        CU_ASSERT_EQUAL_FATAL(w->count, forms[i].count);
        CHECK_NEAR(w->values[w->count - 1], forms[i].last, 1e-20);
        CHECK_NEAR(w->repeat_from, -1, 0);
        end_reading(&r);
    }
}

static void a_pwl_may_repeat_and_be_delayed(void)
{
    struct reading r = read_good("V1 a 0 PWL(0 0 1u 5) r=0 td=2u\nV2 a 0 PWL(0 0 1u 5 r=1u td=3u)\nR1 a 0 1\n");
    CHECK_NEAR(element_named(&r, "V1")->source.wave.repeat_from, 0, 0);
    CHECK_NEAR(element_named(&r, "V1")->source.wave.delay, 2e-6, 0);
    CHECK_NEAR(element_named(&r, "V2")->source.wave.repeat_from, 1e-6, 0);
    CHECK_NEAR(element_named(&r, "V2")->source.wave.delay, 3e-6, 0);
    end_reading(&r);
}

static void linear_controlled_sources_take_four_nodes_or_a_source(void)
{
    struct reading r = read_good("V1 a 0 1\nE1 o 0 a b 2\nE2 (o 0) (a,b) {1+1}\nE3 o 0 VCVS a b 2\nG1 o 0 a b 2 m=3\n"
                                 "F1 o 0 V1 2\nH1 o 0 v1 2\n");
    for (int i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "E%d", i);
        const struct element *e = element_named(&r, name);
        CHECK_NODES(&r, e, "o", "0");
        CHECK_NEAR(e->value, 2, 0);
        CU_ASSERT_EQUAL_FATAL(e->control_node_count, 2);
        CU_ASSERT_STRING_EQUAL(r.circuit->nodes[e->control_nodes[1]].name, "b");
        CU_ASSERT_PTR_NULL(e->polynomial);
    }
    CHECK_NEAR(setting_of(element_named(&r, "G1"), "m"), 3, 0);
    CU_ASSERT_EQUAL(element_named(&r, "F1")->control_elements[0], element_named(&r, "V1")->number);
    CU_ASSERT_EQUAL(element_named(&r, "H1")->control_elements[0], element_named(&r, "V1")->number);
    end_reading(&r);
}

static void polynomial_sources_keep_their_coefficients(void)
{
    struct reading r = read_good("V1 a 0 1\nV2 b 0 1\nE1 o 0 POLY(2) a 0 b 0 1 2 3 4\nG1 o 0 poly(2) (a,0) (b,0) 0 1\n"
                                 "F1 o 0 POLY(2) V1 V2 0 1 2\nH1 o 0 POLY 1 V1 5\nE2 o 0 POLY (1) a 0 5 6 ic=1\n");
    const struct element *e = element_named(&r, "E1");
    CU_ASSERT_EQUAL(e->control_node_count, 4);
    CU_ASSERT_EQUAL_FATAL(e->polynomial_count, 4);
    CHECK_NEAR(e->polynomial[3], 4, 0);
    CU_ASSERT_EQUAL(element_named(&r, "G1")->control_node_count, 4);
    CU_ASSERT_EQUAL(element_named(&r, "F1")->control_element_count, 2);
    CU_ASSERT_EQUAL(element_named(&r, "F1")->polynomial_count, 3);
    const struct element *h = element_named(&r, "H1"); /* a single coefficient is the linear one */
    CU_ASSERT_EQUAL_FATAL(h->polynomial_count, 2);
    CHECK_NEAR(h->polynomial[0], 0, 0);
    CHECK_NEAR(h->polynomial[1], 5, 0);
    CU_ASSERT_EQUAL(element_named(&r, "E2")->polynomial_count, 2);
    end_reading(&r);
}

static void sources_may_be_given_by_expressions(void)
{
    static const struct {
        const char *card, *name;
        enum element_law law;
    } forms[] = {
        {"E1 o 0 vol='2*v(a) + 1'", "E1", LAW_VOLTAGE},
        {"E1 o 0 VALUE={2*v(a)+1}", "E1", LAW_VOLTAGE},
        {"E1 o 0 value {2*v(a)+1}", "E1", LAW_VOLTAGE},
        {"G1 o 0 cur='2*v(a)+1'", "G1", LAW_CURRENT},
        {"G1 o 0 value={2*v(a)+1}", "G1", LAW_CURRENT},
        {"B1 o 0 I=2*v(a) + 1", "B1", LAW_CURRENT},
        {"B1 o 0 V = {2}*v(a)+1", "B1", LAW_VOLTAGE},
        {"B1 o 0 v='2*v(a)+1' tc1=0", "B1", LAW_VOLTAGE},
        {"B1 o 0 I = v(a) == 2 ? 5 : 2*v(a)+1", "B1", LAW_CURRENT},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, "%s\nR1 a o 1\n", forms[i].card);
        struct reading r = read_good(body);
        const struct element *e = element_named(&r, forms[i].name);
        CU_ASSERT_EQUAL(e->law, forms[i].law);
        CHECK_NODES(&r, e, "o", "0");
        CHECK_NEAR(law_at(e, 2, 0), 5, 0);
        end_reading(&r);
    }
}

/* Straight lines through (-1,-5) (0,0) (1,8), constant beyond. */
static void tables_hold_their_ends(void)
{
    static const char *const forms[] = {
        "E1 o 0 TABLE {V(a)} = (-1,-5) (0,0) (1,8)", "E1 o 0 table {v(a)} (-1,-5) (0,0) (1,8)",
        "E1 o 0 TABLE {v(a)} = -1,-5 0,0 1,8",       "E1 o 0 TABLE {v(a)} = (-1,-5),(0,0),(1,8)",
        "E1 o 0 TABLE {v(a)} ((-1,-5) (0,0) (1,8))", "E1 o 0 TABLE 'v(a)' = (-1,{-k}) (0,0)\n+ (1,{k+3})"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, "%s\nR1 a o 1\n.param k=5\n", forms[i]);
        struct reading r = read_good(body);
        const struct element *e = element_named(&r, "E1");
        CU_ASSERT_EQUAL(e->law, LAW_VOLTAGE);
        CHECK_NEAR(law_at(e, -3, 0), -5, 1e-15);
        CHECK_NEAR(law_at(e, -0.5, 0), -2.5, 1e-15);
        CHECK_NEAR(law_at(e, 0.25, 0), 2, 1e-15);
        CHECK_NEAR(law_at(e, 2, 0), 8, 1e-15);
        end_reading(&r);
    }
}

static void a_diode_has_a_model_an_area_and_flags(void)
{
    struct reading r = read_good(".model d1 D(is=1n)\nD1 a 0 d1\nD2 a 0 D1 2 off\nD3 a 0 d1 area=3 ic=0.6 temp=50\n"
                                 "D4 a 0 d1 OFF {1+1}\nD5 a 0 d1 m=2 off\n");
    CU_ASSERT_EQUAL(element_named(&r, "D1")->setting_count, 0);
    CU_ASSERT_PTR_EQUAL(element_named(&r, "D1")->model, &r.circuit->models[0]);
    const struct element *d = element_named(&r, "D2");
    CU_ASSERT_EQUAL_FATAL(d->setting_count, 2);
    CHECK_NEAR(setting_of(d, "area"), 2, 0);
    CU_ASSERT_STRING_EQUAL(d->settings[1].name, "off");
    CU_ASSERT(!d->settings[1].has_value);
    CHECK_NEAR(setting_of(element_named(&r, "D3"), "area"), 3, 0);
    CHECK_NEAR(setting_of(element_named(&r, "D3"), "ic"), 0.6, 0);
    CHECK_NEAR(setting_of(element_named(&r, "D4"), "area"), 2, 0);
    CU_ASSERT_EQUAL(element_named(&r, "D5")->setting_count, 2);
    end_reading(&r);
}

static void a_bipolar_transistor_may_have_a_substrate(void)
{
    struct reading r = read_good(".model 2n2222 npn(bf=100)\n.model qp pnp\nQ1 c b e 2N2222\nQ2 c b e sub 2n2222\n"
                                 "Q3 c b e qp 2\nQ4 c b e sub qp 2 off\nQ5 c b e qp off\nQ6 c b e 0 qp ic=0.6,5\n");
    CHECK_NODES(&r, element_named(&r, "Q1"), "c", "b", "e", "0");
    CHECK_NODES(&r, element_named(&r, "Q2"), "c", "b", "e", "sub");
    CHECK_NODES(&r, element_named(&r, "Q3"), "c", "b", "e", "0");
    CHECK_NEAR(setting_of(element_named(&r, "Q3"), "area"), 2, 0);
    CHECK_NODES(&r, element_named(&r, "Q4"), "c", "b", "e", "sub");
    CHECK_NEAR(setting_of(element_named(&r, "Q4"), "area"), 2, 0);
    CU_ASSERT_EQUAL(element_named(&r, "Q5")->setting_count, 1);
    CHECK_NEAR(setting_of(element_named(&r, "Q6"), "ic"), 0.6, 0);
    CHECK_NEAR(setting_of(element_named(&r, "Q6"), "ic2"), 5, 0);
    end_reading(&r);
}

static void a_mosfet_has_four_nodes_a_model_and_a_geometry(void)
{
    struct reading r = read_good(".param wide=20u\n.model nm nmos(level=1 vto=0.7)\nM1 d g s b nm w=wide l = {2u}\n"
                                 "M2 d g s b NM 10u 5u 1p 2p\nM3 d g s b nm L=1u off ic=1,2,3\n");
    CHECK_NODES(&r, element_named(&r, "M1"), "d", "g", "s", "b");
    CHECK_NEAR(setting_of(element_named(&r, "M1"), "w"), 20e-6, 1e-20);
    CHECK_NEAR(setting_of(element_named(&r, "M1"), "l"), 2e-6, 1e-20);
    CHECK_NEAR(setting_of(element_named(&r, "M2"), "l"), 10e-6, 1e-20);
    CHECK_NEAR(setting_of(element_named(&r, "M2"), "as"), 2e-12, 1e-26);
    CHECK_NEAR(setting_of(element_named(&r, "M3"), "ic3"), 3, 0);
    end_reading(&r);
}

static void models_keep_all_their_settings(void)
{
    struct reading r = read_good(".param p=2\n.model d1 D (is=1n rs = {p*2}, n=p mfg=Acme type=\"fast one\" flag)\n"
                                 ".model d2 d is=2n\n.model d3 d\n.model n1 NPN(bf=100\n+ vaf=50)\n"
                                 ".model j1 njf(vto=-1)\nR1 a 0 1\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->model_count, 5); /* used or not */
    const struct model *d = &r.circuit->models[0];
    CU_ASSERT_STRING_EQUAL(d->name, "d1");
    CU_ASSERT_STRING_EQUAL(d->type, "d");
    CU_ASSERT_EQUAL(d->where.line, 3);
    CU_ASSERT_EQUAL(d->where.column, 8);
    CU_ASSERT_EQUAL_FATAL(d->setting_count, 6);
    CHECK_NEAR(d->settings[1].value, 4, 0);
    CHECK_NEAR(d->settings[2].value, 2, 0);
    CU_ASSERT_STRING_EQUAL(d->settings[3].text, "Acme");
    CU_ASSERT_STRING_EQUAL(d->settings[4].text, "fast one");
    CU_ASSERT(!d->settings[5].has_value);
    CHECK_NEAR(r.circuit->models[1].settings[0].value, 2e-9, 0);
    CU_ASSERT_STRING_EQUAL(r.circuit->models[3].type, "npn");
    CHECK_NEAR(r.circuit->models[3].settings[1].value, 50, 0);
    end_reading(&r);
}

/* Which has been freed here. */
static void the_type_of_a_gate_outlives_its_deck(void)
{
    struct reading r =
        read_good("u1 AND(2) p 0 a b o m\n.model m dig(clo=1p chi=1p s0rlo=5 s0rhi=200 s1rlo=200 s1rhi=5)\n"
                  "vp p 0 3\nra a 0 1\nrb b 0 1\nro o 0 1k\n");
    char *others[200]; /* what has been given back is somebody else's now */
    for (size_t i = 0; i < COUNT(others); i++) {
        const size_t size = (size_t)1 << (6 + i % 11);
        others[i] = malloc(size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(others[i]);
        memset(others[i], 'x', size);
    }
    CU_ASSERT_STRING_EQUAL(element_named(&r, "u1")->type, "AND");
    for (size_t i = 0; i < COUNT(others); i++)
        free(others[i]);
    end_reading(&r);
}

static void elements_are_numbered_in_order(void)
{
    struct reading r = read_good("R1 a 0 1\n.subckt s x\nR1 x 0 1\nR2 x 0 1\n.ends\nX1 a s\nR2 a 0 1\n");
    static const char *const names[] = {"R1", "X1.R1", "X1.R2", "R2"};
    CU_ASSERT_EQUAL_FATAL(r.circuit->element_count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        CU_ASSERT_STRING_EQUAL(r.circuit->elements[i].name, names[i]);
        CU_ASSERT_EQUAL(r.circuit->elements[i].number, (int)i);
    }
    CU_ASSERT_EQUAL(circuit_find_element(r.circuit, "nope"), -1);
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "nope"), -1);
    end_reading(&r);
}

static void a_circuit_made_by_hand_can_be_searched(void)
{
    static const struct node nodes[] = {{.name = "0"}, {.name = "Out"}};
    static const struct element elements[] = {{.name = "R1"}, {.name = "x1.R2"}};
    static const struct setting options[] = {{.name = "reltol", .value = 1}, {.name = "RELTOL", .value = 2}};
    const struct circuit c = {.nodes = nodes,
                              .node_count = 2,
                              .elements = elements,
                              .element_count = 2,
                              .options = options,
                              .option_count = 2};
    CU_ASSERT_EQUAL(circuit_find_node(&c, "out"), 1);
    CU_ASSERT_EQUAL(circuit_find_node(&c, "in"), -1);
    CU_ASSERT_EQUAL(circuit_find_element(&c, "X1.r2"), 1);
    CU_ASSERT_PTR_EQUAL(circuit_option(&c, "RelTol"), &options[1]);
    CU_ASSERT_PTR_NULL(circuit_option(&c, "abstol"));
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_resistor_takes_its_value_in_many_forms),
        CLAIM(settings_of_passive_elements_are_kept),
        CLAIM(capacitors_and_inductors_may_be_given_by_charge_and_flux),
        CLAIM(a_resistance_that_depends_on_the_solution_is_a_current_law),
        CLAIM(a_coupling_names_its_inductors),
        CLAIM(a_line_has_four_nodes_and_settings),
        CLAIM(sources_have_dc_and_ac_values_in_any_order),
        CLAIM(a_source_may_have_no_value),
        CLAIM(five_ampere_are_five_and_noted_once),
        CLAIM(waveforms_are_read_with_and_without_parentheses_and_commas),
        CLAIM(a_pwl_may_repeat_and_be_delayed),
        CLAIM(linear_controlled_sources_take_four_nodes_or_a_source),
        CLAIM(polynomial_sources_keep_their_coefficients),
        CLAIM(sources_may_be_given_by_expressions),
        CLAIM(tables_hold_their_ends),
        CLAIM(a_diode_has_a_model_an_area_and_flags),
        CLAIM(a_bipolar_transistor_may_have_a_substrate),
        CLAIM(a_mosfet_has_four_nodes_a_model_and_a_geometry),
        CLAIM(models_keep_all_their_settings),
        CLAIM(the_type_of_a_gate_outlives_its_deck),
        CLAIM(elements_are_numbered_in_order),
        CLAIM(a_circuit_made_by_hand_can_be_searched),
    };
    return run_claims("deck elements", claims, COUNT(claims));
}
