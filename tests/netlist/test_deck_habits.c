/* test_deck_habits.c - spellings of SPICE2, ngspice, HSPICE, KiCad and of vendors' libraries that are read like SPICE's
 * own. */
#include "deck_fixture.h"

static double model_setting(const struct reading *r, size_t model, const char *name)
{
    const struct model *m = &r->circuit->models[model];
    return setting_named(m->settings, m->setting_count, name)->value;
}

/* Without a message. */
static struct reading read_silently(const char *body)
{
    struct reading r = read_good(body);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    if (kn_diagnostics_count(r.diagnostics) > 0)
        show_messages(&r);
    return r;
}

/* ---- models ---- */

static void model_parameters_need_no_equals_sign(void)
{
    struct reading r = read_silently(".param b=30\n.model q1 NPN BF 20 RB 100 TF .1N, CJC {b/10}p\n"
                                     ".model q2 npn(bf=50 is 1e-15 RE=2)\nQ1 c b 0 q1\nQ2 c b 0 q2 off 2\nR1 c b 1\n");
    CHECK_NEAR(model_setting(&r, 0, "bf"), 20, 0);
    CHECK_NEAR(model_setting(&r, 0, "rb"), 100, 0);
    CHECK_NEAR(model_setting(&r, 0, "tf"), 1e-10, 1e-25);
    CHECK_NEAR(model_setting(&r, 1, "is"), 1e-15, 1e-30);
    CHECK_NEAR(model_setting(&r, 1, "re"), 2, 0);
    CHECK_NEAR(setting_of(element_named(&r, "Q2"), "area"), 2, 0); /* `off` takes no number */
    end_reading(&r);
    r = read_silently(".subckt s c b is=1e-15\n.model q npn bf {100*is}\nQ1 c b 0 q\n.ends\nX1 a b s\nX2 a b s is=2\n"
                      "R1 a b 1\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->model_count, 2);
    CHECK_NEAR(model_setting(&r, 0, "bf"), 1e-13, 1e-28);
    CHECK_NEAR(model_setting(&r, 1, "bf"), 200, 1e-12);
    end_reading(&r);
}

static void parentheses_of_models_may_be_one_too_many_or_missing(void)
{
    claim_warning(".model qp npn (bf=20 ne=2)\n+ cje=12p tf=2n)\nQ1 c b 0 qp\n", 3, 16, "syntax", "')' closes nothing");
    claim_warning(".model qp npn (bf=20 tf=2n))\nQ1 c b 0 qp\n", 2, 28, "syntax", "')' closes nothing");
    claim_warning(".model dd d(is=1\nD1 a 0 dd\n", 2, 12, "syntax", "'(' is not closed");
    struct reading r =
        read_good(".model qp npn (bf=20 ne=2)\n+ cje=12p tf=2n)\nQ1 c b 0 qp\n.model dd d(is=1\nD1 b c dd\n");
    CHECK_NEAR(model_setting(&r, 0, "tf"), 2e-9, 1e-24);
    CHECK_NEAR(model_setting(&r, 1, "is"), 1, 0);
    end_reading(&r);
    claim_error("R1 a 0 1)\n", 2, 9, "syntax", "')' closes nothing", NULL); /* models only */
}

static void a_version_is_a_word(void)
{
    struct reading r = read_silently(".model n nmos level=1 version=4.7.0\nM1 a b 0 0 n\nR1 a b 1\n");
    const struct model *m = r.circuit->models;
    CU_ASSERT_STRING_EQUAL(setting_named(m->settings, m->setting_count, "version")->text, "4.7.0");
    end_reading(&r);
    claim_error(".model n nmos level=1 vto=4..7\nM1 a b 0 0 n\nR1 a 0 1..2\n", 4, 8, "value", "'1..2'", NULL);
}

/* ---- parentheses as blanks ---- */

static void parentheses_around_nodes_are_blanks(void)
{
    struct reading r = read_silently("R1 (a b) 1k\nV1 (a 0) SIN(0 1 1k)\n.subckt s (p q)\nR1 (p q) 1\n.ends\n"
                                     "X1 (a b) s\nQ1 (a b 0) qn\n.model qn npn\nB1 (b 0) I=v(a)\n");
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "R1"), 1), "b");
    CU_ASSERT_EQUAL(element_named(&r, "V1")->source.wave.count, 3);
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "X1.R1"), 1), "b");
    CU_ASSERT_EQUAL(element_named(&r, "Q1")->node_count, 4);
    end_reading(&r);
}

static void parentheses_around_waveforms_and_points_are_blanks(void)
{
    static const struct {
        const char *text;
        enum waveform_kind kind;
        size_t count;
    } forms[] = {{"0v (PULSE 0 5 0 1u 1u 10u 50u)", WAVEFORM_PULSE, 7},
                 {"PWL( (0 0) (10u 5) (20u 0) )", WAVEFORM_PWL, 6},
                 {"0v PWL (0u 0v) (10u 5v) (20u 0v)", WAVEFORM_PWL, 6},
                 {"PWL (0,0) (10u,5)", WAVEFORM_PWL, 4},
                 {"DC PULSE((0 5 0 1u 1u 10u 50u))", WAVEFORM_PULSE, 7},
                 {"(DC 2 SIN(0 (1) 1k))", WAVEFORM_SIN, 3},
                 {"(2)", WAVEFORM_NONE, 0}};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char body[200];
        snprintf(body, sizeof body, "V1 a 0 %s\nR1 a 0 1\n", forms[i].text);
        struct reading r = read_silently(body);
        const struct source *s = &element_named(&r, "V1")->source;
        CU_ASSERT_EQUAL(s->wave.kind, forms[i].kind);
        CU_ASSERT_EQUAL(s->wave.count, forms[i].count);
        end_reading(&r);
    }
    struct reading q = read_silently("V1 a 0 AC (2 90) DC (3) (SIN 0 1 1k)\nR1 a 0 1\n");
    CHECK_NEAR(element_named(&q, "V1")->source.ac_phase, 90, 0);
    CHECK_NEAR(element_named(&q, "V1")->source.dc, 3, 0);
    CU_ASSERT_EQUAL(element_named(&q, "V1")->source.wave.count, 3);
    end_reading(&q);
    struct reading r = read_silently("V1 a 0 PWL((0 0) (1u 5)) r=0\nV2 b 0 PWL (0 0) (1u 5) td=1u AC 2\nR1 a b 1\n");
    CHECK_NEAR(element_named(&r, "V1")->source.wave.repeat_from, 0, 0);
    CHECK_NEAR(element_named(&r, "V2")->source.wave.delay, 1e-6, 0);
    CHECK_NEAR(element_named(&r, "V2")->source.ac_magnitude, 2, 0);
    end_reading(&r);
    claim_error("V1 a 0 PWL((0 0) (1u foo))\nR1 a 0 1\n", 2, 22, "value", "'foo'", NULL);
    claim_error("V1 a 0 5 (foo 2)\nR1 a 0 1\n", 2, 11, "syntax", "'foo'", NULL);
}

/* ---- names of KiCad ---- */

static void nets_of_kicad_hold_parentheses(void)
{
    struct reading r = read_silently(
        "V1 Net-(R1-Pad1) 0 SIN(0 1 1k)\nR1 Net-(R1-Pad1) /sub/Net-(C1-Pad1)_x 1k\nC1 /sub/Net-(C1-Pad1)_x 0 1n\n"
        "B1 o 0 V=v(Net-(R1-Pad1), /sub/Net-(C1-Pad1)_x)-(v(Net-(R1-Pad1)))\n.ic v(/sub/Net-(C1-Pad1)_x)=1\n"
        ".print tran v(Net-(R1-Pad1)) v(Net-(R1-Pad1),o)\n.tran 1u 1m\n"
        ".measure tran m max v(Net-(R1-Pad1))-(v(o))\nR2 o 0 {2*(3)-(4)}\n");
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "R1"), 1), "/sub/Net-(C1-Pad1)_x");
    CU_ASSERT_EQUAL(r.circuit->initial_count, 1);
    CU_ASSERT_STRING_EQUAL(r.circuit->prints[1].label, "v(net-(r1-pad1),o)");
    CU_ASSERT_EQUAL(expression_variable_count(element_named(&r, "B1")->expression), 2);
    CU_ASSERT_EQUAL(r.circuit->measure_count, 1);
    CHECK_NEAR(element_named(&r, "R2")->value, 2, 0);
    end_reading(&r);
}

/* ---- cards ---- */

static void options_may_have_blanks_for_the_equals_sign(void)
{
    struct reading r = read_silently("R1 a 0 1\nR2 a 0 1\n.options reltol 1e-4 noacct method gear gmin=1e-11\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->option_count, 4);
    CHECK_NEAR(circuit_option(r.circuit, "reltol")->value, 1e-4, 0);
    CU_ASSERT(!circuit_option(r.circuit, "noacct")->has_value);
    CU_ASSERT_STRING_EQUAL(circuit_option(r.circuit, "method")->text, "gear");
    end_reading(&r);
}

static void csparam_is_for_control_blocks_only(void)
{
    struct reading r = read_silently(".param vcc=5\n.csparam vcc=vcc\nR1 a 0 {vcc}\nR2 a 0 1\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 5, 0);
    CU_ASSERT_EQUAL_FATAL(r.circuit->command_value_count, 1);
    CU_ASSERT_STRING_EQUAL(r.circuit->command_values[0].name, "vcc");
    CHECK_NEAR(r.circuit->command_values[0].value, 5, 0);
    end_reading(&r);
    claim_error(".csparam vcc\nR1 a 0 1\nR2 a 0 1\n", 2, 10, "syntax", "expected name=value", NULL);
}

static void a_text_stands_for_names_where_its_parameter_stands_in_braces(void)
{
    struct reading r =
        read_silently(".param s=\"one\" n=\"a\"\nX1 {n} 0 {s}\nR1 a 0 1\n.subckt one p q\nR1 p q 5\n.ends\n");
    CHECK_NEAR(element_named(&r, "X1.R1")->value, 5, 0);
    end_reading(&r);
    claim_error(".param s=\"one\"\n.subckt one p q\nX1 p q {s}\n.ends\nX1 a 0 {s}\nR1 a 0 1\n", 4, 9,
                "recursive-subcircuit", "contains itself", NULL);
    claim_error(".param s=\"one\"\nX1 a 0 {s}\nR1 a 0 1\n", 3, 9, "unknown-subcircuit", "'one'", NULL);
    r = read_silently(".if (1)\n.param s=\"d2\"\n.else\n.param s=\"d1\"\n.endif\nD1 a 0 {s}\nR1 a 0 1\n"
                      ".model d1 d\n.model d2 d\n");
    CU_ASSERT_STRING_EQUAL(element_named(&r, "D1")->model->name, "d2");
    end_reading(&r);
}

static void a_parenthesis_may_be_closed_by_a_brace(void)
{
    claim_warning(".param a=2 b=3\nR1 x 0 {1/(a}*{b)}\n", 3, 13, "syntax", "this '}' is taken for a ')'");
    claim_error(".param a=2\nR1 x 0 {1/(a)}*2}\n", 3, 17, "syntax", NULL, NULL);
}

static void a_text_is_no_number(void)
{
    struct reading r = read_silently(".param s=\"text\"\nR1 a 0 1\nX1 a x\n.subckt x a s=\"text\"\nR1 a 0 1\n.ends\n");
    end_reading(&r);
    claim_error(".param s=\"text\"\nR1 a 0 {s}\n", 3, 9, "unknown-model", "'text'", NULL);
    claim_error(".param s=\"text\"\nR1 a 0 {s+1}\n", 2, 10, "value", "the text \"text\" is no number", NULL);
    claim_error(".param s=\"1\"\n.if (s == 1+0)\nR1 a 0 1\n.endif\n", 2, 10, "value", "the text \"1\" is no number",
                NULL);
}

static void a_suffix_may_stand_in_place_of_the_point(void)
{
    struct reading r = read_good("R1 a 0 4k7\nR2 a 0 2R2\nR3 a 0 1meg5\nC1 a 0 1u5\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 4700, 0);
    CHECK_NEAR(element_named(&r, "R2")->value, 2.2, 0);
    CHECK_NEAR(element_named(&r, "R3")->value, 1.5e6, 0);
    CHECK_NEAR(element_named(&r, "C1")->value, 1.5e-6, 0);
    end_reading(&r);
}

static void nodeset_all_is_a_guess_for_every_node(void)
{
    struct reading r = read_silently(".subckt s a\nR1 a m 1\nR2 m 0 1\n.ends\nX1 n s\nX2 n s\n.nodeset v(n)=2\n"
                                     ".nodeset all=1 v(x2.m)=3\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->guess_count, 5);
    double last[4] = {0};
    for (size_t i = 0; i < r.circuit->guess_count; i++)
        last[r.circuit->guesses[i].node] = r.circuit->guesses[i].value;
    CHECK_NEAR(last[circuit_find_node(r.circuit, "n")], 2, 0);
    CHECK_NEAR(last[circuit_find_node(r.circuit, "x1.m")], 1, 0);
    CHECK_NEAR(last[circuit_find_node(r.circuit, "x2.m")], 3, 0);
    end_reading(&r);
    claim_warning("R1 a 0 1\n.ic all=1\n", 3, 5, "unknown-node", NULL);
}

static void two_backslashes_go_on_with_the_next_line(void)
{
    struct reading r =
        read_silently(".param p= \\\\\n 3\nR1 a \\\\ ; comment\n* between\n  b {p \\\\  \n+ *2}\nR2 a b 1\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 6, 0);
    CU_ASSERT_EQUAL(element_named(&r, "R2")->where.line, 8);
    end_reading(&r);
    claim_error("R1 a b \\\\\n  {2*q}\nR2 a b 1\n", 3, 6, "unknown-parameter", "'q'", NULL);
    claim_error("R1 a b \\\\\n\\\\\n", 2, 7, "syntax", "expected a resistance", NULL);
}

static void eight_values_of_sffm_and_am_are_those_of_newer_programs(void)
{
    struct reading r = read_good("V1 a 0 AM(1 0 1 1k 20k 0 1 2)\nR1 a 0 1\n");
    CU_ASSERT_EQUAL(element_named(&r, "V1")->source.wave.count, 8);
    CU_ASSERT(has_message(&r, KN_NOTE, &(struct expected){2, 8, "waveform", "eight values", NULL}));
    end_reading(&r);
    claim_error("V1 a 0 AM(1 0 1k 20k 0 1 2 3 4)\nR1 a 0 1\n", 2, 8, "waveform", "at most 8", NULL);
}

/* ---- transistors of other kinds ---- */

static void transistors_with_other_nodes_are_called_what_they_are(void)
{
    claim_error("M1 d g s b e cmosn w=4u\n.model cmosn nmos level=58\n", 3, 8, "model-level", "no level 58",
                "knoten has level 1");
    claim_error("M1 d g s b t tn cmosn w=4u\n.model cmosn nmos\n", 2, 12, "unsupported", "6 nodes", "deck.cir:3");
    claim_error("M1 d g vd\n.model vd VDMOS\n", 2, 8, "syntax", "3 nodes", "Mname drain gate source");
    claim_error("M1 d g s nm\n.model nm nmos\n", 2, 10, "syntax", "4 nodes", NULL);
}

static void power_transistors_heat_themselves_where_they_say_so(void)
{
    struct reading cold = read_good("M1 d g s t tc vd\n.model vd VDMOS\n");
    struct reading warm = read_good("M1 d g s t tc vd thermal\n.model vd VDMOS\n");
    const struct element_kind *kind = element_named(&cold, "M1")->kind;
    CU_ASSERT_EQUAL(element_named(&cold, "M1")->named_nodes, 5);
    CU_ASSERT(kind->heated && element_named(&warm, "M1")->kind == kind->heated);
    end_reading(&cold);
    end_reading(&warm);
}

/* A value that may be meant otherwise is noted where it stands first, others not at all. */
static void claim_noted_once(const char *noted, const char *code, const char *text, const char *silent)
{
    struct reading r = read_good(noted);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 1);
    CU_ASSERT(has_message(&r, KN_NOTE, &(struct expected){2, 8, code, text, NULL}));
    end_reading(&r);
    r = read_silently(silent);
    end_reading(&r);
}

static void a_resistor_of_a_capital_m_is_noted_once(void)
{
    claim_noted_once("R1 a 0 2M\nR2 a 0 1M\nR3 a 0 1m\nR4 a 0 1Meg\nR5 a 0 1MIL\nC1 a 0 1M\n", "milliohm",
                     "'2M' is read as 0.002 ohm", "R1 a 0 1m\nR2 a 0 3MEG\nR3 a 0 10MILohm\nR4 a 0 {1M}\n");
}

static void a_capacitor_of_a_capital_f_is_noted_once(void)
{
    claim_noted_once("C1 a 0 1F\nC2 a 0 10F\nC3 a 0 1f\nC4 a 0 1uF\nC5 a 0 1FF\nR1 a 0 1F\n", "femtofarad",
                     "'1F' is read as 1e-15 F", "C1 a 0 1f\nC2 a 0 3nF\nC3 a 0 {1F}\n");
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(model_parameters_need_no_equals_sign),
        CLAIM(parentheses_of_models_may_be_one_too_many_or_missing),
        CLAIM(a_version_is_a_word),
        CLAIM(parentheses_around_nodes_are_blanks),
        CLAIM(parentheses_around_waveforms_and_points_are_blanks),
        CLAIM(nets_of_kicad_hold_parentheses),
        CLAIM(options_may_have_blanks_for_the_equals_sign),
        CLAIM(csparam_is_for_control_blocks_only),
        CLAIM(a_text_stands_for_names_where_its_parameter_stands_in_braces),
        CLAIM(a_parenthesis_may_be_closed_by_a_brace),
        CLAIM(a_text_is_no_number),
        CLAIM(a_suffix_may_stand_in_place_of_the_point),
        CLAIM(nodeset_all_is_a_guess_for_every_node),
        CLAIM(two_backslashes_go_on_with_the_next_line),
        CLAIM(eight_values_of_sffm_and_am_are_those_of_newer_programs),
        CLAIM(transistors_with_other_nodes_are_called_what_they_are),
        CLAIM(power_transistors_heat_themselves_where_they_say_so),
        CLAIM(a_resistor_of_a_capital_m_is_noted_once),
        CLAIM(a_capacitor_of_a_capital_f_is_noted_once),
    };
    return run_claims("deck habits", claims, COUNT(claims));
}
