/* test_deck_cards.c - analyses, options, parameters, initial values, requests, and cards of other simulators. */
#include "deck_fixture.h"

static void a_transient_has_up_to_four_times_and_uic(void)
{
    struct reading r = read_good(".param t=1m\nR1 a 0 1\n.tran 1u 1m\n.tran 1u {t*2} 1u UIC\n.tran 1u 1m 0 2u\n.op\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->transient_count, 3);
    const struct transient *t = r.circuit->transients;
    CHECK_NEAR(t[0].step, 1e-6, 0);
    CHECK_NEAR(t[0].stop, 1e-3, 0);
    CHECK_NEAR(t[0].max_step, 0, 0);
    CU_ASSERT(!t[0].uic);
    CHECK_NEAR(t[1].stop, 2e-3, 0);
    CHECK_NEAR(t[1].start, 1e-6, 0);
    CU_ASSERT(t[1].uic);
    CHECK_NEAR(t[2].max_step, 2e-6, 0);
    CU_ASSERT_EQUAL(t[2].where.line, 6);
    CU_ASSERT(r.circuit->has_operating_point);
    end_reading(&r);
}

static void a_step_of_zero_is_chosen_with_a_warning(void)
{
    claim_warning("R1 a 0 1\n.tran 0 1m\n", 3, 7, "step", "a thousandth of the time, 1e-06 s");
    struct reading r = read_good("R1 a 0 1\n.tran 0 3 1 0.5 noop\n");
    CHECK_NEAR(r.circuit->transients[0].step, 2e-3, 1e-18);
    CU_ASSERT(r.circuit->transients[0].uic);
    end_reading(&r);
}

static void options_keep_order_words_and_flags(void)
{
    struct reading r = read_good(".param p=2\nR1 a 0 1\n.options reltol=1e-4 method=gear noacct\n.option RELTOL={p}\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->option_count, 4);
    CHECK_NEAR(r.circuit->options[0].value, 1e-4, 0);
    CU_ASSERT_STRING_EQUAL(circuit_option(r.circuit, "method")->text, "gear");
    CU_ASSERT(!circuit_option(r.circuit, "noacct")->has_value);
    CHECK_NEAR(circuit_option(r.circuit, "reltol")->value, 2, 0);
    CU_ASSERT_PTR_NULL(circuit_option(r.circuit, "gmin"));
    end_reading(&r);
}

static void temperatures_come_from_temp_or_options(void)
{
    struct reading r = read_good("R1 a 0 1\n");
    CHECK_NEAR(r.circuit->temperature, 27, 0);
    CHECK_NEAR(r.circuit->nominal_temperature, 27, 0);
    end_reading(&r);
    r = read_good("R1 a 0 {temper}\n.options temp=50 tnom=25\n");
    CHECK_NEAR(r.circuit->temperature, 50, 0);
    CHECK_NEAR(r.circuit->nominal_temperature, 25, 0);
    CHECK_NEAR(element_named(&r, "R1")->value, 50, 0);
    end_reading(&r);
    r = read_good(".param t=70 u={temper}\nR1 a 0 {u}\n.temp {t}\n");
    CHECK_NEAR(r.circuit->temperature, 70, 0);
    CHECK_NEAR(element_named(&r, "R1")->value, 70, 0);
    end_reading(&r);
}

static void several_temperatures_are_a_sweep(void)
{
    struct reading r = read_good("R1 a 0 1\n.temp 27 50\n");
    CHECK_NEAR(r.circuit->temperature, 27, 0);
    CU_ASSERT_EQUAL_FATAL(r.circuit->card_count, 1);
    const struct analysis_card *step = &r.circuit->cards[0];
    CU_ASSERT_STRING_EQUAL(step->name, ".step");
    CU_ASSERT_EQUAL_FATAL(step->setting_count, 4);
    CU_ASSERT_STRING_EQUAL(step->settings[0].name, "temp");
    CU_ASSERT_STRING_EQUAL(step->settings[1].name, "list");
    CHECK_NEAR(step->settings[2].value, 27, 0);
    CHECK_NEAR(step->settings[3].value, 50, 0);
    end_reading(&r);
}

static void a_single_time_of_a_transient_is_its_end(void)
{
    struct reading r = read_good("R1 a 0 1\n.tran 1u startup\n");
    CHECK_NEAR(r.circuit->transients[0].stop, 1e-6, 0);
    CHECK_NEAR(r.circuit->transients[0].step, 1e-9, 1e-24);
    CHECK_NEAR(r.circuit->startup, 20e-6, 0);
    end_reading(&r);
}

static void parameters_and_functions_may_be_defined_in_any_order_and_form(void)
{
    struct reading r = read_good("R1 a 0 {x}\n.param x={y*2} y = 3 * (1 + 1), z='x'\n.param f(u)=u*2 w=f(3)\n"
                                 ".func g(u, v) {u+v}\n.func h() = 4\n.func k(u) 'u*u'\nR2 a 0 {f(1)+g(1,2)+h()+k(2)}\n"
                                 "R3 a 0 {w}\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 12, 0);
    CHECK_NEAR(element_named(&r, "R2")->value, 13, 0);
    CHECK_NEAR(element_named(&r, "R3")->value, 6, 0);
    end_reading(&r);
}

static void a_second_definition_is_a_warning(void)
{
    struct reading r = read_good(".param a=1 b=2\n.param a=3\n.func f(x) {x}\n.func f(x,y) {x+y}\n.model m d(is=1)\n"
                                 ".model M d(is=2)\nR1 n 0 {a+f(1,2)}\nD1 n 0 m\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 6, 0);
    CHECK_NEAR(element_named(&r, "D1")->model->settings[0].value, 1, 0);
    CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){3, 8, "defined-twice", "parameter 'a'", "deck.cir:2"}));
    CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){5, 7, "defined-twice", "function 'f'", "deck.cir:4"}));
    CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){7, 8, "defined-twice", "model 'M'", "deck.cir:6"}));
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 3);
    end_reading(&r);
}

static void initial_values_and_guesses_name_nodes(void)
{
    struct reading r = read_good("R1 a b 1\nR2 c 0 1\n.ic v(a)=1 V(B) = {1+1}, v(c)=-3m\n.nodeset v(a)=5\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->initial_count, 3);
    CU_ASSERT_EQUAL(r.circuit->initial[1].node, circuit_find_node(r.circuit, "b"));
    CHECK_NEAR(r.circuit->initial[1].value, 2, 0);
    CHECK_NEAR(r.circuit->initial[2].value, -3e-3, 0);
    CU_ASSERT_EQUAL(r.circuit->initial[2].where.column, 28);
    CU_ASSERT_EQUAL_FATAL(r.circuit->guess_count, 1);
    CHECK_NEAR(r.circuit->guesses[0].value, 5, 0);
    end_reading(&r);
}

static void prints_and_saves_are_vectors(void)
{
    struct reading r =
        read_good("V1 a 0 1\nR1 a B 1\n.print tran V(a) v(a,b), i(V1) v( b )\n.print v(0)\n"
                  ".plot tran v(a) (0,5)\n.save all v(a) i(R1) v1#branch @r1[i] b r1\n.probe v(b) i(r1)\n");
    static const char *const prints[] = {"v(a)", "v(a,b)", "i(v1)", "v(b)", "v(0)", "v(a)"};
    CU_ASSERT_EQUAL_FATAL(r.circuit->print_count, COUNT(prints));
    for (size_t i = 0; i < COUNT(prints); i++)
        CU_ASSERT_STRING_EQUAL(r.circuit->prints[i].label, prints[i]);
    CU_ASSERT_EQUAL(r.circuit->prints[0].minus, 0);
    CU_ASSERT_EQUAL(r.circuit->prints[1].minus, circuit_find_node(r.circuit, "b"));
    CU_ASSERT_EQUAL(r.circuit->prints[1].kind, REQUEST_VOLTAGE);
    CU_ASSERT_EQUAL(r.circuit->prints[1].where.column, 18);
    CU_ASSERT_EQUAL(r.circuit->prints[1].where.width, 6);
    CU_ASSERT_EQUAL(r.circuit->prints[2].element, 0);
    static const char *const saves[] = {"all", "v(a)", "i(r1)", "i(v1)", "i(r1)", "v(b)", "i(r1)", "v(b)", "i(r1)"};
    CU_ASSERT_EQUAL_FATAL(r.circuit->save_count, COUNT(saves));
    for (size_t i = 0; i < COUNT(saves); i++)
        CU_ASSERT_STRING_EQUAL(r.circuit->saves[i].label, saves[i]);
    CU_ASSERT_EQUAL(r.circuit->saves[0].kind, REQUEST_ALL);
    CU_ASSERT_EQUAL(r.circuit->saves[2].kind, REQUEST_CURRENT);
    end_reading(&r);
}

static void requests_that_mean_nothing_in_time_are_warnings(void)
{
    claim_warning("R1 a 0 1\n.print noise v(a)\n", 3, 14, "unsupported", "'v' is not supported");
    claim_warning("R1 a 0 1\n.print sens v(a)\n", 3, 8, "unsupported", "all results of '.sens' are written");
    claim_warning("R1 a 0 1\n.print ac vx(a)\n", 3, 11, "unsupported", "'vx'");
    claim_warning("R1 a 0 1\n.print tran vm(a)\n", 3, 13, "unsupported", "'vm'");
    claim_warning("R1 a 0 1\n.save @m1[gm]\n", 3, 7, "unknown-element", "'m1'");
    claim_warning("R1 a 0 1\n.save @r1[gm]\n", 3, 7, "unknown-quantity", "'gm'");
}

static void cards_of_other_analyses_are_warnings_each_with_its_place(void)
{
    static const char *const cards[] = {".lin 1"};
    for (size_t i = 0; i < COUNT(cards); i++) {
        char body[100];
        snprintf(body, sizeof body, "V1 a 0 1\n%s\n", cards[i]);
        char text[60];
        const size_t length = strcspn(cards[i], " ");
        snprintf(text, sizeof text, "'%.*s' is not supported yet; ignored", (int)length, cards[i]);
        claim_warning(body, 3, 1, "unsupported", text);
    }
    struct reading r = read_good("V1 a 0 1\n.lin 1\n.lin 2\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 2);
    end_reading(&r);
}

static void measurements_keep_what_they_say(void)
{
    struct reading r = read_good("V1 a 0 1\nR1 a b 1\nC1 b 0 1\n.param lev=0.5\n.tran 1u 1m\n"
                                 ".meas tran d TRIG v(a) VAL=lev RISE=2 TD=1u TARG v(b)='2*lev' FALL=LAST\n"
                                 ".measure m find v(a)*i(R1) at 5m\n.meas tran w avg par('v(a)') from=1m to 2m\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->measure_count, 3);
    const struct measure *m = r.circuit->measures;
    CU_ASSERT_STRING_EQUAL(m[0].name, "d");
    CU_ASSERT_EQUAL(m[0].kind, MEASURE_DELAY);
    CU_ASSERT_EQUAL(m[0].trigger.crossing, CROSSING_RISE);
    CU_ASSERT_EQUAL(m[0].trigger.count, 2);
    CHECK_NEAR(m[0].trigger.delay.value, 1e-6, 0);
    CU_ASSERT_EQUAL(m[0].target.crossing, CROSSING_FALL);
    CU_ASSERT_EQUAL(m[0].target.count, 0);
    CU_ASSERT_PTR_NOT_NULL(m[0].target.level);
    CU_ASSERT_EQUAL(m[1].kind, MEASURE_FIND);
    CU_ASSERT(m[1].target.is_point);
    CHECK_NEAR(m[1].target.point.value, 5e-3, 0);
    CU_ASSERT_EQUAL(expression_variable_count(m[1].signal), 2);
    CU_ASSERT_EQUAL(m[2].kind, MEASURE_AVERAGE);
    CHECK_NEAR(m[2].from.value, 1e-3, 0);
    CHECK_NEAR(m[2].to.value, 2e-3, 0);
    end_reading(&r);
}

static void a_title_card_is_the_title(void)
{
    struct reading r = read_good("R1 a 0 1\n.title Another  one, (better)\n");
    CU_ASSERT_STRING_EQUAL(r.circuit->title, "Another one (");
    end_reading(&r);
    const char *text = ".title first line\nR1 a 0 1\n";
    r = read_named("deck.cir", text, strlen(text));
    CU_ASSERT_STRING_EQUAL(r.circuit->title, "first line");
    end_reading(&r);
}

static void unknown_cards_are_errors_with_a_likely_correction(void)
{
    claim_error("R1 a 0 1\n.trna 1u 1m\n", 3, 1, "unknown-card", "'.trna'", "did you mean '.tran'?");
    claim_error("R1 a 0 1\n.zzz\n", 3, 1, "unknown-card", "'.zzz'", NULL);
    claim_error("R1 a 0 1\n.\n", 3, 1, "unknown-card", "'.'", NULL);
    claim_error("R1 a 0 1\n.modle d d(is=1)\n", 3, 1, "unknown-card", NULL, "'.model'");
    claim_error("R1 a 0 1\n.if (1)\n", 3, 1, "syntax", "no '.endif'", NULL);
}

static void a_card_without_its_dot_is_recognised(void)
{
    claim_error("R1 a 0 1\ntran 1u 1m\n", 3, 11, "syntax", "4 nodes", "did you mean '.tran'?");
    claim_error("R1 a 0 1\nmodel x d(is=1)\n", 3, 10, "syntax", NULL, "did you mean '.model'?");
    claim_error("R1 a 0 1\nprint v(a)\n", 3, 1, "unsupported-element", NULL, "did you mean '.print'?");
    claim_error("R1 a 0 1\noptions reltol=1\n", 3, 17, "syntax", "expected 4 nodes", "did you mean '.options'?");
}

static void transients_with_wrong_times_are_errors(void)
{
    claim_error("R1 a 0 1\n.tran\n", 3, 6, "syntax", "needs a step and a stop time", "tstep tstop");
    claim_error("R1 a 0 1\n.tran 1u -1m\n", 3, 10, "value-range", "stop time must be greater than 0, but is -0.001",
                NULL);
    claim_error("R1 a 0 1\n.tran -1n 1m\n", 3, 7, "value-range", "step must not be negative, but is -1e-09", NULL);
    claim_error("R1 a 0 1\n.tran 1u 1m 2m\n", 3, 13, "value-range", "before the stop time", NULL);
    claim_error("R1 a 0 1\n.tran 1u 1m -1\n", 3, 13, "value-range", "not be negative", NULL);
    claim_error("R1 a 0 1\n.tran 1u 1m 0 -1\n", 3, 15, "value-range", "largest step", NULL);
    claim_error("R1 a 0 1\n.tran 1u 1m 0 1u 5\n", 3, 18, "syntax", "unexpected '5'", NULL);
    claim_error("R1 a 0 1\n.tran 1u 1m uci\n", 3, 13, "value", "expected a number, found 'uci'", NULL);
    claim_error("R1 a 0 1\n.tran 1u {v(a)}\n", 3, 11, "not-constant", NULL, NULL);
    const struct expected both[] = {{3, 7, "value-range", "step", NULL}, {3, 10, "value-range", "stop", NULL}};
    claim_errors("R1 a 0 1\n.tran -1 -2\n", both, 2);
}

static void wrong_initial_values_are_errors(void)
{
    claim_warning("R1 a 0 1\n.ic\n", 3, 4, "syntax",
                  "says nothing"); /* decks of programs have it, and ngspice takes it */
    claim_warning("R1 alpha 0 1\n.ic v(alhpa)=1\n", 3, 7, "unknown-node", "'alhpa'");
    claim_error("R1 a 0 1\n.ic a\n", 3, 5, "syntax", "found 'a'", "v(node)=value");
    claim_error("R1 a 0 1\n.ic v(a)\n", 3, 5, "syntax", NULL, "v(node)=value");
    claim_error("R1 a 0 1\nR2 b 0 1\n.ic v(a,b)=1\n", 4, 9, "syntax", "against ground", NULL);
    claim_error("R1 a 0 1\n.ic v(a,0,a)=1\n", 3, 9, "syntax", "one or two nodes", NULL);
    claim_error("R1 a 0 1\n.ic i(R1)=1\n", 3, 7, "unsupported", "inductors only", NULL);
    claim_error("R1 a 0 1\n.nodeset v(a)=x\n", 3, 15, "value", "found 'x'", NULL);
}

/* With and without braces; operators join what stands behind them, a sign only without a blank. */
static void requests_may_be_expressions(void)
{
    struct reading r = read_good("V1 a 0 1\nR1 a b-1 1k\nR2 b-1 0 1k\n"
                                 ".print tran v(a)/10 v(A)*i(R1) -v(a) {2*V(a)} 'i(r1)' par('v(a)+1') abs(v(a)) "
                                 "v(a) - v(b-1) v(a) -v(a) v(b-1) 2*v(a) v(a)/v(b-1)^2 sin(v(a)+time) v(b-1,a) "
                                 "{v(a)\n+ + v(b-1)} v(a)\n+ *3 {v(a)*{2*'4'}}\n"); /* a label is one line */
    static const struct {
        enum request_kind kind;
        const char *label;
    } expected[] = {
        {REQUEST_EXPRESSION, "v(a)/10"},
        {REQUEST_EXPRESSION, "v(a)*i(r1)"},
        {REQUEST_EXPRESSION, "-v(a)"},
        {REQUEST_EXPRESSION, "2*v(a)"},
        {REQUEST_EXPRESSION, "i(r1)"},
        {REQUEST_EXPRESSION, "v(a)+1"},
        {REQUEST_EXPRESSION, "abs(v(a))"},
        {REQUEST_EXPRESSION, "v(a)-v(b-1)"},
        {REQUEST_VOLTAGE, "v(a)"},
        {REQUEST_EXPRESSION, "-v(a)"},
        {REQUEST_VOLTAGE, "v(b-1)"},
        {REQUEST_EXPRESSION, "2*v(a)"},
        {REQUEST_EXPRESSION, "v(a)/v(b-1)^2"},
        {REQUEST_EXPRESSION, "sin(v(a)+time)"},
        {REQUEST_VOLTAGE, "v(b-1,a)"},
        {REQUEST_EXPRESSION, "v(a)+v(b-1)"},
        {REQUEST_EXPRESSION, "v(a)*3"},
        {REQUEST_EXPRESSION, "v(a)*(2*4)"},
    };
    CU_ASSERT_EQUAL(r.circuit->print_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected) && i < r.circuit->print_count; i++) {
        CU_ASSERT_STRING_EQUAL(r.circuit->prints[i].label, expected[i].label);
        CU_ASSERT_EQUAL(r.circuit->prints[i].kind, expected[i].kind);
        CU_ASSERT_EQUAL(r.circuit->prints[i].expression != NULL, expected[i].kind == REQUEST_EXPRESSION);
    }
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    end_reading(&r);
}

static void wrong_requests_are_warnings(void)
{
    claim_warning("R1 input 0 1\n.print tran v(inptu)\n", 3, 15, "unknown-node", "'inptu'; it is left out");
    claim_warning("Vin a 0 1\n.print tran i(Vni)\n", 3, 15, "unknown-element", "'Vni'");
    claim_warning("R1 a 0 1\n.save v(a,0,0)\n", 3, 13, "syntax", "one or two nodes");
    claim_warning("R1 a 0 1\n.save v()\n", 3, 7, "syntax", "nothing between");
    claim_warning("R1 a 0 1\n.save xyz\n", 3, 7, "unknown-node", "'xyz'");
}

static void wrong_parameters_functions_options_and_temperatures_are_errors(void)
{
    claim_error("R1 a 0 1\n.param\n", 3, 7, "syntax", "expected a parameter", NULL);
    claim_error("R1 a 0 1\n.param x\n", 3, 8, "syntax", "found 'x'", "name=value");
    claim_error("R1 a 0 {x}\n.param x=\n", 3, 9, "syntax", "expected a value after this '='", NULL);
    claim_error("R1 a 0 1\n.func\n", 3, 6, "syntax", "function's name", NULL);
    claim_error("R1 a 0 1\n.func f\n", 3, 8, "syntax", "arguments of 'f'", NULL);
    claim_error("R1 a 0 1\n.func f(x)\n", 3, 11, "syntax", "expression that 'f' stands for", NULL);
    claim_error("R1 a 0 1\n.temp\n", 3, 6, "syntax", "expected a temperature", NULL);
    claim_error("R1 a 0 1\n.temp -300\n", 3, 7, "value-range", "absolute zero", NULL);
    claim_error("R1 a 0 1\n.options temp=hot\n", 3, 10, "value", "needs a number", NULL);
    claim_error("R1 a 0 1\n.options {x}\n", 3, 11, "syntax", "name=value", NULL);
    claim_warning("R1 a 0 1\n.global\n", 3, 8, "syntax", "without names");
}

static void a_cycle_of_parameters_names_its_chain(void)
{
    const char *body = ".param a={b+1} b={c} c={a*2}\nR1 n 0 {a}\n";
    char text[200];
    const int length = snprintf(text, sizeof text, "title\n%s", body);
    struct reading r = read_named("deck.cir", text, (size_t)length);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(r.diagnostics), 1);
    const struct kn_diagnostic *m = kn_diagnostics_get(r.diagnostics, 0);
    CU_ASSERT(strstr(m->text, "a") && strstr(m->text, "b") && strstr(m->text, "c"));
    CU_ASSERT_EQUAL(m->where.line, 2);
    end_reading(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_transient_has_up_to_four_times_and_uic),
        CLAIM(a_step_of_zero_is_chosen_with_a_warning),
        CLAIM(options_keep_order_words_and_flags),
        CLAIM(temperatures_come_from_temp_or_options),
        CLAIM(several_temperatures_are_a_sweep),
        CLAIM(a_single_time_of_a_transient_is_its_end),
        CLAIM(parameters_and_functions_may_be_defined_in_any_order_and_form),
        CLAIM(a_second_definition_is_a_warning),
        CLAIM(initial_values_and_guesses_name_nodes),
        CLAIM(prints_and_saves_are_vectors),
        CLAIM(requests_that_mean_nothing_in_time_are_warnings),
        CLAIM(cards_of_other_analyses_are_warnings_each_with_its_place),
        CLAIM(measurements_keep_what_they_say),
        CLAIM(a_title_card_is_the_title),
        CLAIM(unknown_cards_are_errors_with_a_likely_correction),
        CLAIM(a_card_without_its_dot_is_recognised),
        CLAIM(transients_with_wrong_times_are_errors),
        CLAIM(wrong_initial_values_are_errors),
        CLAIM(requests_may_be_expressions),
        CLAIM(wrong_requests_are_warnings),
        CLAIM(wrong_parameters_functions_options_and_temperatures_are_errors),
        CLAIM(a_cycle_of_parameters_names_its_chain),
    };
    return run_claims("deck cards", claims, COUNT(claims));
}
