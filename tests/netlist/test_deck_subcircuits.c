/* test_deck_subcircuits.c - names, ports, parameters, models and scopes of subcircuits, and what is wrong with them. */
#include "deck_fixture.h"

static const char *node_label(const struct reading *r, const char *element, size_t i)
{
    return node_of(r, element_named(r, element), i);
}

static void nodes_and_elements_get_their_instance_path(void)
{
    struct reading r = read_good(".subckt low in\nR1 in mid 1\nX1 mid lower\n.ends\n.subckt lower p\nC1 p inside 1p\n"
                                 "R1 inside 0 1\n.ends lower\nX1 a low\nx2 b LOW\n");
    CU_ASSERT_EQUAL(r.circuit->element_count, 6);
    CU_ASSERT_STRING_EQUAL(node_label(&r, "X1.R1", 0), "a");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "X1.R1", 1), "X1.mid");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.x1.c1", 0), "X1.mid");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.x1.c1", 1), "X1.X1.inside");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x2.x1.r1", 1), "0");
    CU_ASSERT(circuit_find_node(r.circuit, "x2.mid") > 0);
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "mid"), -1);
    end_reading(&r);
}

static void two_ports_may_be_one_node_and_ground_is_everywhere(void)
{
    struct reading r = read_good(".subckt s a b\nR1 a b 1\nR2 a gnd 1\n.ends\nX1 n n s\nX2 n 0 s\n");
    CU_ASSERT_EQUAL(element_named(&r, "x1.r1")->nodes[0], element_named(&r, "x1.r1")->nodes[1]);
    CU_ASSERT_EQUAL(element_named(&r, "x2.r1")->nodes[1], 0);
    CU_ASSERT_EQUAL(element_named(&r, "x1.r2")->nodes[1], 0);
    end_reading(&r);
}

static void a_port_may_be_called_gnd(void)
{
    struct reading r = read_good(".subckt s in GND\nR1 in gnd 1\nR2 in 0 1\n.ends\nX1 a 0 s\nX2 a b s\n");
    CU_ASSERT_EQUAL(element_named(&r, "x1.r1")->nodes[1], 0);
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x2.r1", 1), "b");
    CU_ASSERT_EQUAL(element_named(&r, "x2.r2")->nodes[1], 0);
    end_reading(&r);
}

static void ports_of_one_name_and_port_0_bind_what_is_connected(void)
{
    struct reading r = read_good(".subckt s a b A 0\nR1 a b 1\n.ends\nX1 n m n 0 s\n");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.r1", 0), "n");
    end_reading(&r);
    struct reading twice = read_good(".subckt s a b A\nR1 a b 1\n.ends\nX1 n m k s\n");
    CU_ASSERT_STRING_EQUAL(node_label(&twice, "x1.r1", 0), "n");
    CU_ASSERT(has_message(&twice, KN_WARNING, &(struct expected){5, 8, "port-bound", "'A'", NULL}));
    end_reading(&twice);
    struct reading ground = read_good(".subckt s a 0\nR1 a 0 1\n.ends\nX1 n m s\nR1 m 0 1\n");
    CU_ASSERT_EQUAL(element_named(&ground, "x1.r1")->nodes[1], 0);
    CU_ASSERT(has_message(&ground, KN_WARNING, &(struct expected){5, 6, "port-bound", "port '0' is ground", NULL}));
    end_reading(&ground);
}

static void nodes_of_unused_ports_are_left_out(void)
{
    struct reading r =
        read_good("V1 1 0 1\nX1 1 nc sub\n.subckt sub a b\nR1 a m 1k\nX1 m b k deep\nR2 k 0 1\n.ends\n"
                  ".subckt deep p q r\nR1 p r 1\n.ends\nB1 2 0 V=v(x1.m,1)\nR9 2 0 1\n.ic v(nc)=1 v(2)=3\n"
                  ".print tran v(2) v(nc) v(1,nc)\n.tran 1u 1m\n");
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "nc"), -1);
    CU_ASSERT_EQUAL_FATAL(r.circuit->node_count, 5); /* 0 1 2 x1.m x1.k */
    for (size_t i = 0; i < r.circuit->node_count; i++)
        CU_ASSERT_EQUAL(circuit_find_node(r.circuit, r.circuit->nodes[i].name), (int)i);
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.x1.r1", 1), "X1.k");
    const struct expression *law = element_named(&r, "B1")->expression;
    CU_ASSERT_EQUAL_FATAL(expression_variable_count(law), 2);
    CU_ASSERT_EQUAL(expression_variables(law)[0].index, circuit_find_node(r.circuit, "x1.m"));
    CU_ASSERT_EQUAL(expression_variables(law)[1].index, circuit_find_node(r.circuit, "1"));
    CU_ASSERT_EQUAL_FATAL(r.circuit->initial_count, 1);
    CU_ASSERT_EQUAL(r.circuit->initial[0].node, circuit_find_node(r.circuit, "2"));
    CU_ASSERT_EQUAL(r.circuit->print_count, 1);
    CU_ASSERT(has_message(&r, KN_NOTE, &(struct expected){3, 6, "unused-port", "'nc'", NULL}));
    CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){15, 18, "unused-port", "v(nc)", NULL}));
    end_reading(&r);
}

static void nodes_that_a_law_or_a_control_names_are_kept(void)
{
    struct reading r =
        read_good("X1 nc s\nX2 nd s\nX3 ne s\n.subckt s b\n.ends\nB1 2 0 V=v(nc)\nE1 3 0 nd 0 2\nR1 2 3 1\n"
                  "X4 nf t\n.subckt t p\nB1 0 q I=v(p)\nR1 q 0 1\n.ends\n");
    CU_ASSERT(circuit_find_node(r.circuit, "nc") > 0);
    CU_ASSERT(circuit_find_node(r.circuit, "nd") > 0);
    CU_ASSERT(circuit_find_node(r.circuit, "nf") > 0);
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "ne"), -1);
    end_reading(&r);
}

static void nodes_that_one_element_knows_are_noted(void)
{
    struct reading r = read_good("V1 in 0 1\nR1 in out 1\nC1 out 0 1\nR2 uot 0 1\nR3 in ab 1\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 1);
    CU_ASSERT(has_message(&r, KN_NOTE, &(struct expected){5, 4, "single-use", "'uot', 'ab'", NULL}));
    end_reading(&r);
    r = read_good("V1 in 0 1\nR1 in a 1\nR2 in b 1\nR3 in c 1\nR4 in d 1\nX1 in p s\n.subckt s x y\nR1 x y 1\n.ends\n"
                  "B1 f 0 V=v(a)\nE1 g 0 b 0 1\n.print tran v(c)\n.ic v(d)=1\n.tran 1 2\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0); /* looked at, controlling, ports, or driven */
    show_messages(&r);
    end_reading(&r);
}

static void a_parameter_means_that_outside_by_its_own_name(void)
{
    static const char body[] =
        ".param w=3\n.subckt s a b\n.param k=2\n.param w={w*k}\nR1 a b {w}\n.ends\nX1 a 0 s\n"
        ".subckt t a b w=5 v={w*10}\n.param k={w+v}\nR1 a b {k}\nX1 a b s\n.ends\nX2 a 0 t\nX3 a 0 t w={w*2}\n"
        ".func f(x) {x*w}\n.subckt u a b\n.param w={f(2)}\nR1 a b {w}\n.ends\nX4 a 0 u\n";
    struct reading r = read_good(body);
    CHECK_NEAR(element_named(&r, "x1.r1")->value, 6, 0);
    CHECK_NEAR(element_named(&r, "x2.r1")->value, 55, 0);
    CHECK_NEAR(element_named(&r, "x2.x1.r1")->value, 10, 0);
    CHECK_NEAR(element_named(&r, "x3.r1")->value, 66, 0);
    CHECK_NEAR(element_named(&r, "x4.r1")->value, 6, 0);
    end_reading(&r);
    claim_error(".subckt s a\n.param q={q+1}\nR1 a 0 {q}\n.ends\nX1 a s\n", 3, 11, "parameter-cycle", "q -> q", NULL);
}

static void a_default_that_the_body_breaks_is_an_error(void)
{
    static const char *const broken[] = {"rr={rr/2", "rr=", "rr", "rr=(2", "rr='2"};
    for (size_t i = 0; i < COUNT(broken); i++) {
        char body[300];
        snprintf(body, sizeof body,
                 "title\n.subckt sec i o rr=9k\n.param %s\nR1 i o {rr}\n.ends\nX1 a 0 sec\nR1 a 0 1\n", broken[i]);
        struct reading r = read_named("deck.cir", body, strlen(body));
        CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(r.diagnostics), 1);
        end_reading(&r);
    }
}

static void paths_may_have_colons(void)
{
    struct reading r = read_good(".subckt s a\nR1 a m 1\nR2 m 0 1\n.ends\nX1 n s\n.print tran v(X1:m) i(x1:r2)\n"
                                 "B1 k 0 V=v(x1:m)\nR1 p:q 0 1\n");
    CU_ASSERT_EQUAL(r.circuit->prints[0].plus, circuit_find_node(r.circuit, "x1.m"));
    CU_ASSERT_EQUAL(r.circuit->prints[1].element, element_named(&r, "x1.r2")->number);
    CU_ASSERT(circuit_find_node(r.circuit, "p:q") > 0);
    end_reading(&r);
}

static void global_nodes_are_the_same_everywhere(void)
{
    struct reading r =
        read_good(".global vdd VSS\n.subckt s a\nR1 a VDD 1\nX1 t\n.subckt t\nR1 vdd vss 1\n.ends\n.ends\n"
                  "V1 vdd 0 5\nX1 b s\n");
    const int vdd = circuit_find_node(r.circuit, "vdd");
    CU_ASSERT_EQUAL(element_named(&r, "x1.r1")->nodes[1], vdd);
    CU_ASSERT_EQUAL(element_named(&r, "x1.x1.r1")->nodes[0], vdd);
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.x1.r1", 1), "vss");
    end_reading(&r);
}

static void a_port_hides_a_global_node(void)
{
    struct reading r = read_good(".global vdd\n.subckt s vdd\nR1 vdd 0 1\n.ends\nV1 vdd 0 5\nX1 b s\n");
    CU_ASSERT_STRING_EQUAL(node_label(&r, "x1.r1", 0), "b");
    end_reading(&r);
}

static void parameters_have_defaults_and_are_evaluated_where_they_are_given(void)
{
    struct reading r = read_good(".param r=7\n.subckt s a params: r=1k c={r*1n} d=5\nR1 a 0 {r}\nC1 a 0 {c}\nR2 a 0 d\n"
                                 ".ends\n.subckt t a r=2\nR1 a 0 {r}\nX1 a s r={r*10}\n.ends\n"
                                 "X1 a s\nX2 a s r=r d='r+1'\nX3 a s PARAMS: c = 5p\nX4 a t\nX5 a t r={2*r}\n");
    CHECK_NEAR(element_named(&r, "x1.r1")->value, 1e3, 0);
    CHECK_NEAR(element_named(&r, "x1.c1")->value, 1e-6, 1e-20);
    CHECK_NEAR(element_named(&r, "x1.r2")->value, 5, 0);
    CHECK_NEAR(element_named(&r, "x2.r1")->value, 7, 0);
    CHECK_NEAR(element_named(&r, "x2.c1")->value, 7e-9, 1e-22);
    CHECK_NEAR(element_named(&r, "x2.r2")->value, 8, 0);
    CHECK_NEAR(element_named(&r, "x3.c1")->value, 5e-12, 1e-26);
    CHECK_NEAR(element_named(&r, "x4.x1.r1")->value, 20, 0);
    CHECK_NEAR(element_named(&r, "x5.r1")->value, 14, 0);
    CHECK_NEAR(element_named(&r, "x5.x1.r1")->value, 140, 0);
    end_reading(&r);
}

static void parameters_of_the_body_are_local_and_may_be_overridden(void)
{
    struct reading r =
        read_good(".param k=1\n.subckt s a\n.param k=2 m={k*2}\n.func f(x) {x*k}\nR1 a 0 {m}\nR2 a 0 {f(3)}\n"
                  ".ends\nX1 a s\nX2 a s k=5\nR1 a 0 {k}\n");
    CHECK_NEAR(element_named(&r, "x1.r1")->value, 4, 0);
    CHECK_NEAR(element_named(&r, "x1.r2")->value, 6, 0);
    CHECK_NEAR(element_named(&r, "x2.r1")->value, 10, 0);
    CHECK_NEAR(element_named(&r, "r1")->value, 1, 0);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    end_reading(&r);
}

static void a_parameter_defined_by_itself_means_the_outer_one(void)
{
    struct reading r = read_good(".param w=3 v=5\n.subckt s a w={w}\n.param v={2*V}\nR1 a 0 {w}\nR2 a 0 {v}\n.ends\n"
                                 "X1 a s\nX2 a s w=7\n");
    CHECK_NEAR(element_named(&r, "x1.r1")->value, 3, 0);
    CHECK_NEAR(element_named(&r, "x1.r2")->value, 10, 0);
    CHECK_NEAR(element_named(&r, "x2.r1")->value, 7, 0);
    end_reading(&r);
    claim_error(".param x={x+1}\nR1 a 0 {x}\n", 2, 11, "parameter-cycle", NULL, NULL);
}

static void models_are_looked_up_from_the_inside_outwards(void)
{
    struct reading r = read_good(".model d d(is=1)\n.model e d(is=10)\n.subckt s a i=2\n.model d d(is={i})\nD1 a 0 d\n"
                                 "D2 a 0 e\n.ends\nD1 a 0 d\nX1 a s\nX2 a s i=3\nX3 a s\n");
    CHECK_NEAR(element_named(&r, "d1")->model->settings[0].value, 1, 0);
    CHECK_NEAR(element_named(&r, "x1.d1")->model->settings[0].value, 2, 0);
    CHECK_NEAR(element_named(&r, "x2.d1")->model->settings[0].value, 3, 0);
    CHECK_NEAR(element_named(&r, "x2.d2")->model->settings[0].value, 10, 0);
    CU_ASSERT_EQUAL(r.circuit->model_count, 5);
    for (size_t i = 0; i < r.circuit->element_count; i++) {
        const struct model *m = r.circuit->elements[i].model;
        CU_ASSERT(m >= r.circuit->models && m < r.circuit->models + r.circuit->model_count);
    }
    end_reading(&r);
}

static void a_local_model_without_expressions_is_made_once(void)
{
    struct reading r = read_good(".subckt s a\n.model d d(is=1n)\nD1 a 0 d\n.ends\nX1 a s\nX2 a s\nX3 a s\n");
    CU_ASSERT_EQUAL(r.circuit->model_count, 1);
    end_reading(&r);
}

static void a_local_subcircuit_hides_an_outer_one(void)
{
    struct reading r =
        read_good(".subckt inner a\nR1 a 0 1\n.ends\n.subckt outer a\n.subckt inner a\nR1 a 0 2\n.ends inner\n"
                  "X1 a inner\n.ends outer\nX1 a outer\nX2 a inner\n");
    CHECK_NEAR(element_named(&r, "x1.x1.r1")->value, 2, 0);
    CHECK_NEAR(element_named(&r, "x2.r1")->value, 1, 0);
    end_reading(&r);
}

static void references_inside_an_instance_stay_inside(void)
{
    struct reading r = read_good(".subckt s a\nV1 z 0 1\nF1 a 0 v1 2\nB1 a 0 I=v(z)*i(V1)\nL1 a 0 1\nL2 a 0 1\n"
                                 "K1 L1 L2 0.5\nE1 q 0 z a 2\n.ends\nV1 z 0 1\nX1 n s\n");
    CU_ASSERT_EQUAL(element_named(&r, "x1.f1")->control_elements[0], element_named(&r, "x1.v1")->number);
    CU_ASSERT_EQUAL(element_named(&r, "x1.k1")->control_elements[1], element_named(&r, "x1.l2")->number);
    CU_ASSERT_EQUAL(element_named(&r, "x1.e1")->control_nodes[0], circuit_find_node(r.circuit, "x1.z"));
    CU_ASSERT_EQUAL(element_named(&r, "x1.e1")->control_nodes[1], circuit_find_node(r.circuit, "n"));
    const struct expression *e = element_named(&r, "x1.b1")->expression;
    CU_ASSERT_EQUAL_FATAL(expression_variable_count(e), 2);
    CU_ASSERT_EQUAL(expression_variables(e)[0].index, circuit_find_node(r.circuit, "x1.z"));
    CU_ASSERT_EQUAL(expression_variables(e)[1].index, element_named(&r, "x1.v1")->number);
    end_reading(&r);
}

static void requests_inside_a_subcircuit_belong_to_each_instance_and_outer_ones_come_last(void)
{
    struct reading r =
        read_good(".subckt s a\nR1 a m 1\nC1 m 0 1p\n.ic v(m)=1\n.nodeset v(a)=3\n.save v(m) i(R1)\n.ends\n"
                  ".ic v(x1.m)=2\n.print tran v(x1.m) v(n,x2.m) i(x1.r1) i(r.x2.r1)\nX1 n s\nX2 n s\n");
    CU_ASSERT_EQUAL_FATAL(r.circuit->initial_count, 3);
    CU_ASSERT_EQUAL(r.circuit->initial[1].node, circuit_find_node(r.circuit, "x2.m"));
    CU_ASSERT_EQUAL(r.circuit->initial[2].node, circuit_find_node(r.circuit, "x1.m"));
    CHECK_NEAR(r.circuit->initial[2].value, 2, 0);
    CU_ASSERT_EQUAL(r.circuit->guesses[0].node, circuit_find_node(r.circuit, "n"));
    CU_ASSERT_EQUAL_FATAL(r.circuit->save_count, 4);
    CU_ASSERT_STRING_EQUAL(r.circuit->saves[3].label, "i(x2.r1)");
    CU_ASSERT_EQUAL_FATAL(r.circuit->print_count, 4);
    CU_ASSERT_STRING_EQUAL(r.circuit->prints[1].label, "v(n,x2.m)");
    CU_ASSERT_STRING_EQUAL(r.circuit->prints[3].label, "i(x2.r1)");
    end_reading(&r);
}

static void an_empty_subcircuit_and_one_never_used_are_fine(void)
{
    struct reading r =
        read_good(".subckt e a b\n.ends\n.subckt unused a b\nS1 a b c d sw\nD1 a b nowhere\n.ends\nX1 a 0 e\n"
                  "R1 a 0 1\n");
    CU_ASSERT_EQUAL(r.circuit->element_count, 1);
    end_reading(&r);
}

static void a_wrong_number_of_nodes_names_the_definition(void)
{
    claim_error(".subckt opamp in+ in- out\nR1 in+ out 1\n.ends\nX1 a b opamp\n", 5, 8, "port-count",
                "'X1' connects 2 nodes, but subcircuit 'opamp' has 3", "deck.cir:2 with ports in+ in- out");
    claim_error(".subckt s a\nR1 a 0 1\n.ends\nX1 a b c s\n", 5, 10, "port-count", "connects 3 nodes", NULL);
}

static void an_unknown_subcircuit_gets_a_likely_correction(void)
{
    claim_error(".subckt opamp a\nR1 a 0 1\n.ends\nX1 a opmap\n", 5, 6, "unknown-subcircuit", "'opmap'",
                "did you mean 'opamp'?");
    claim_error("R1 a 0 1\nX1 a zzz\n", 3, 6, "unknown-subcircuit", "'zzz'", ".include");
    claim_error("R1 a 0 1\nX1\n", 3, 3, "syntax", "name of a subcircuit", "Xname");
    /* What is missing because of it is not reported as well. */
    claim_error("R1 a 0 1\nX1 a zzz\n.print tran v(x1.m) i(x1.r1)\nB1 a 0 I=v(x1.m)\n", 3, 6, "unknown-subcircuit",
                NULL, NULL);
}

static void recursion_is_an_error_that_names_the_chain(void)
{
    claim_error(".subckt a n\nX1 n b\n.ends\n.subckt b n\nX1 n c\n.ends\n.subckt c n\nXq n a\n.ends\nX1 n a\n", 9, 6,
                "recursive-subcircuit", "'a' contains itself", "a -> b -> c -> a; 'a' is defined at deck.cir:2");
    claim_error(".subckt a n\nX1 n a\n.ends\nX1 n a\n", 3, 6, "recursive-subcircuit", NULL, "a -> a");
}

static void recursion_never_used_is_no_error(void)
{
    struct reading r = read_good(".subckt a n\nX1 n a\n.ends\nR1 n 0 1\n");
    end_reading(&r);
}

static void missing_and_superfluous_ends_are_errors(void)
{
    claim_error("R1 a 0 1\n.subckt s a\nR1 a 0 1\n", 3, 9, "ends", "subcircuit 's' has no '.ends'", NULL);
    claim_error("R1 a 0 1\n.ends\n", 3, 1, "ends", "without a '.subckt'", NULL);
    claim_warning("R1 a 0 1\n.subckt s a\nR1 a 0 1\n.ends t\n", 5, 7, "ends", "'.ends t' closes subcircuit 's'");
    claim_error("R1 a 0 1\n.subckt s a\n.subckt t a\nR1 a 0 1\n.ends s\n", 4, 9, "ends",
                "subcircuit 't' has no '.ends'", "deck.cir:6");
    const struct expected both[] = {{3, 9, "ends", "'s'", NULL}, {4, 9, "ends", "'t'", NULL}};
    claim_errors("R1 a 0 1\n.subckt s a\n.subckt t a\nR1 a 0 1\n", both, 2);
}

static void wrong_heads_are_errors(void)
{
    claim_error("R1 a 0 1\n.subckt\n.ends\n", 3, 8, "syntax", "subcircuit's name", NULL);
    claim_error("R1 a 0 1\n.subckt s a params: b\n.ends\n", 3, 21, "syntax", "expected name=value, found 'b'", NULL);
    claim_error("R1 a 0 1\n.subckt s a (b\nR1 a 0 1\n.ends\nX1 a s\n", 3, 13, "syntax", "never closed", NULL);
}

static void of_two_subcircuits_of_one_name_the_first_counts(void)
{
    struct reading r = read_good(".subckt s a\nR1 a 0 1\n.ends\n.subckt S a\nR1 a 0 2\n.ends\nX1 a s\n");
    CHECK_NEAR(element_named(&r, "x1.r1")->value, 1, 0);
    CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){5, 9, "defined-twice", "subcircuit 'S'", "deck.cir:2"}));
    end_reading(&r);
}

static void unknown_parameters_of_instances_are_warnings_once(void)
{
    struct reading r =
        read_good(".subckt s a width=1\nR1 a 0 {width}\n.ends\n.subckt t a\nX1 a s widht=2\n.ends\nX1 a t\n"
                  "X2 a t\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 1);
    CU_ASSERT(
        has_message(&r, KN_WARNING,
                    &(struct expected){6, 8, "unknown-parameter", "no parameter 'widht'", "did you mean 'width'?"}));
    end_reading(&r);
}

static void multiplicity_of_instances_is_refused_unless_it_is_one(void)
{
    struct reading r = read_good(".subckt s a\nR1 a 0 1\n.ends\nX1 a s m=1\n.subckt t a m=1\nR1 a 0 1 m={m}\n.ends\n"
                                 "X2 a t m=2\n");
    CHECK_NEAR(setting_of(element_named(&r, "x2.r1"), "m"), 2, 0);
    end_reading(&r);
    claim_error(".subckt s a\nR1 a 0 1\n.ends\nX1 a s m=-2\n", 5, 10, "value-range", "greater than 0", NULL);
}

static void errors_in_a_body_are_reported_once_however_many_instances(void)
{
    const struct expected all[] = {{3, 8, "unknown-model", "'foo'", NULL}, {4, 9, "unknown-parameter", "'bar'", NULL},
                                   {5, 12, "unknown-node", "'zz'", NULL},  {6, 8, "unknown-element", "'vx'", NULL},
                                   {7, 10, "syntax", NULL, NULL},          {9, 11, "unknown-parameter", "'nix'", NULL}};
    claim_errors(
        ".subckt s a\nD1 a 0 foo\nR1 a 0 {bar}\nB1 a 0 I=v(zz)\nF1 a 0 vx 2\nR2 a 0 1 2\n.ic v(yy)=1\n.param q={nix}\n"
        ".ends\nX1 a s\nX2 a s\nX3 a s\n",
        all, COUNT(all));
}

static void duplicate_names_give_both_places(void)
{
    claim_error("R1 a 0 1\nr1 b 0 1\n", 3, 1, "duplicate-element", "two elements named 'r1'", "deck.cir:2");
    claim_error(".subckt s a\nR1 a 0 1\nC1 a 0 1\nR1 a 0 2\n.ends\nX1 a s\nX2 a s\n", 5, 1, "duplicate-element", "R1",
                "deck.cir:3");
    claim_error(".subckt s a\nR1 a 0 1\n.ends\nX1 a s\nX1 b s\n", 6, 1, "duplicate-element", "two instances named 'X1'",
                "deck.cir:5");
}

/* Billion laughs: each level uses the one below ten times. */
static void exponential_expansion_is_refused_before_it_happens(void)
{
    char body[8000] = ".subckt s0 a\nR1 a 0 1\n.ends\n";
    size_t at = strlen(body);
    for (int level = 1; level <= 12; level++) {
        at += (size_t)snprintf(body + at, sizeof body - at, ".subckt s%d a\n", level);
        for (int i = 0; i < 10; i++)
            at += (size_t)snprintf(body + at, sizeof body - at, "X%d a s%d\n", i, level - 1);
        at += (size_t)snprintf(body + at, sizeof body - at, ".ends\n");
    }
    snprintf(body + at, sizeof body - at, "X1 a s12\n");
    char text[8100];
    const int length = snprintf(text, sizeof text, "title\n%s", body);
    struct reading r = read_named("deck.cir", text, (size_t)length);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(r.diagnostics), 1);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r.diagnostics, 0)->code, "too-large");
    end_reading(&r);
}

static void deep_nesting_is_refused(void)
{
    static char body[20000];
    size_t at = 0;
    for (int level = 0; level < 300; level++)
        at += (size_t)snprintf(body + at, sizeof body - at, ".subckt s%d a\nX1 a s%d\n.ends\n", level, level + 1);
    snprintf(body + at, sizeof body - at, "X1 a s0\n");
    claim_error(body, 3 + 3 * 99, 6, "too-deep", "more than 100", NULL);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(nodes_and_elements_get_their_instance_path),
        CLAIM(two_ports_may_be_one_node_and_ground_is_everywhere),
        CLAIM(a_port_may_be_called_gnd),
        CLAIM(ports_of_one_name_and_port_0_bind_what_is_connected),
        CLAIM(nodes_of_unused_ports_are_left_out),
        CLAIM(nodes_that_a_law_or_a_control_names_are_kept),
        CLAIM(nodes_that_one_element_knows_are_noted),
        CLAIM(a_parameter_means_that_outside_by_its_own_name),
        CLAIM(a_default_that_the_body_breaks_is_an_error),
        CLAIM(paths_may_have_colons),
        CLAIM(global_nodes_are_the_same_everywhere),
        CLAIM(a_port_hides_a_global_node),
        CLAIM(parameters_have_defaults_and_are_evaluated_where_they_are_given),
        CLAIM(parameters_of_the_body_are_local_and_may_be_overridden),
        CLAIM(a_parameter_defined_by_itself_means_the_outer_one),
        CLAIM(models_are_looked_up_from_the_inside_outwards),
        CLAIM(a_local_model_without_expressions_is_made_once),
        CLAIM(a_local_subcircuit_hides_an_outer_one),
        CLAIM(references_inside_an_instance_stay_inside),
        CLAIM(requests_inside_a_subcircuit_belong_to_each_instance_and_outer_ones_come_last),
        CLAIM(an_empty_subcircuit_and_one_never_used_are_fine),
        CLAIM(a_wrong_number_of_nodes_names_the_definition),
        CLAIM(an_unknown_subcircuit_gets_a_likely_correction),
        CLAIM(recursion_is_an_error_that_names_the_chain),
        CLAIM(recursion_never_used_is_no_error),
        CLAIM(missing_and_superfluous_ends_are_errors),
        CLAIM(wrong_heads_are_errors),
        CLAIM(of_two_subcircuits_of_one_name_the_first_counts),
        CLAIM(unknown_parameters_of_instances_are_warnings_once),
        CLAIM(multiplicity_of_instances_is_refused_unless_it_is_one),
        CLAIM(errors_in_a_body_are_reported_once_however_many_instances),
        CLAIM(duplicate_names_give_both_places),
        CLAIM(exponential_expansion_is_refused_before_it_happens),
        CLAIM(deep_nesting_is_refused),
    };
    return run_claims("deck subcircuits", claims, COUNT(claims));
}
