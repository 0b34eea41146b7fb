/* test_deck_errors.c - what is wrong with element cards: each message with its place, reason and likely correction. */
#include "deck_fixture.h"
#include "read_circuit.h"

static void missing_nodes_and_values_are_errors_behind_the_last_word(void)
{
    claim_error("R1\n", 2, 3, "syntax", "expected 2 nodes, found 0", "Rname node node value");
    claim_error("R1 a\n", 2, 5, "syntax", "expected 2 nodes, found 1", NULL);
    claim_error("R1 a 0\n", 2, 7, "syntax", "resistor 'R1': expected a resistance", "Rname");
    claim_error("C1 a 0  ; nothing\n", 2, 7, "syntax", "expected a capacitance", NULL);
    claim_error("L1 a 0\n", 2, 7, "syntax", "expected an inductance", "Flux=");
    claim_error("T1 a 0 b\n", 2, 9, "syntax", "expected 4 nodes, found 3", NULL);
    claim_error("V1 a\n", 2, 5, "syntax", "expected 2 nodes", NULL);
    claim_error("E1 a 0 c\n", 2, 9, "syntax", "controlling node", NULL);
    claim_error("E1 a 0 c d\n", 2, 11, "syntax", "expected the gain", NULL);
    claim_error("F1 a 0\n", 2, 7, "syntax", "name of a voltage source", NULL);
    claim_error("B1 a 0\n", 2, 7, "syntax", "expected I= or V=", NULL);
    claim_error("D1 a 0\n", 2, 7, "syntax", "name of a model", NULL);
    claim_error("Q1 c b\n", 2, 7, "syntax", "expected 3 nodes", NULL);
    claim_error("M1 d g s b\n", 2, 11, "syntax", "name of a model", NULL);
    claim_error("K1 L1\n", 2, 6, "syntax", "two inductors", NULL);
    claim_error("L1 a 0 1\nL2 a 0 1\nK1 L1 L2\n", 4, 9, "syntax", "two inductors", NULL);
}

static void inductors_of_chan_need_all_of_their_core(void)
{
    claim_error("L1 a 0 Hc=16 Bs=.44 A=25u Lm=.02 N=1000\n", 2, 8, "syntax", "Chan's core needs", "Br=.1");
}

static void too_many_values_are_errors_at_the_first(void)
{
    claim_error("R1 a 0 1k 2k\n", 2, 11, "syntax", "two values", NULL);
    claim_error("R1 a 0 1k r=2k\n", 2, 13, "syntax", "two values", NULL);
    claim_error("C1 a 0 1u Q='v(a)'\n", 2, 11, "syntax", "both a value and 'Q'", NULL);
    claim_error("V1 a 0 1 2\n", 2, 10, "syntax", "two DC values", NULL);
    claim_error("V1 a 0 SIN(0 1) PWL(0 0 1 1)\n", 2, 17, "waveform", "two waveforms", NULL);
    claim_error("E1 a 0 b 0 2 3\n", 2, 14, "syntax", "no more values, found '3'", NULL);
    claim_error("T1 a 0 b 0 c Z0=50\n", 2, 12, "syntax", "found 'c'", NULL);
    claim_error("B1 a 0 c I=1\n", 2, 8, "syntax", "found 'c'", NULL);
    claim_error("B1 a 0 I=1 V=2\n", 2, 8, "syntax", "both V= and I=", NULL);
    claim_error(".model d d\nD1 a 0 d 1 2\n", 3, 12, "syntax", "found '2'", NULL);
}

static void numbers_that_are_none_are_errors(void)
{
    claim_error("R1 a 0 1k5k\n", 2, 8, "value", "'1k5k' is not a number", "1.5k");
    claim_error("R1 a 0 4.7k%\n", 2, 8, "value", "'4.7k%'", NULL);
    claim_error("R1 a 0 1e999\n", 2, 8, "number-range", "'1e999' is out of range", NULL);
    claim_error("R1 a 0 r = 2 * 3\n", 2, 14, "value", "found '*'", "braces");
    claim_error("R1 a 0 {1/0}\n", 2, 9, "not-finite", NULL, NULL);
    claim_error("R1 a 0 (1+2)\n", 2, 8, "syntax", "found '('", NULL);
    claim_error("V1 a 0 DC \"five\"\n", 2, 11, "syntax", NULL, NULL);
    claim_error("R1 a 0 {nope*2}\n", 2, 9, "unknown-parameter", "'nope'", NULL);
    claim_error(".param gain=2\nR1 a 0 {gian*2}\n", 3, 9, "unknown-parameter", "'gian'", "did you mean 'gain'?");
}

static void values_that_depend_on_the_solution_have_a_way_out(void)
{
    claim_error("V1 a 0 {time}\n", 2, 9, "not-constant", NULL, "V=..");
    claim_error("V1 a 0 SIN(0 {time} 1)\n", 2, 15, "not-constant", NULL, NULL);
    claim_error("E1 a 0 b 0 {time}\n", 2, 13, "not-constant", NULL, "vol=");
}

static void unknown_models_get_a_likely_correction(void)
{
    claim_error(".model d1n4148 d(is=1n)\nD1 a 0 D1N4148x\n", 3, 8, "unknown-model", "'D1N4148x'",
                "did you mean 'd1n4148'?");
    claim_error("D1 a 0 xyz\n", 2, 8, "unknown-model", "'xyz'", ".model xyz d(..)");
    claim_error("Q1 c b e foo\n", 2, 10, "unknown-model", "'foo'", "npn");
    claim_error("Q1 c b e s foo\n", 2, 12, "unknown-model", "'foo'", NULL);
    claim_error("M1 d g s b foo W=1u\n", 2, 12, "unknown-model", "'foo'", NULL);
    claim_error("R1 a 0 foo\n", 2, 8, "unknown-model", "'foo'", NULL);
    claim_error(".subckt s a\n.model local d\n.ends\nD1 a 0 local\n", 5, 8, "unknown-model", NULL, NULL);
}

static void models_of_the_wrong_type_name_their_place(void)
{
    claim_error(".model qn npn\nD1 a 0 qn\n", 3, 8, "model-type", "'qn' has type 'npn'",
                "deck.cir:2; a diode needs type d");
    claim_error(".model dd D\nQ1 c b e dd\n", 3, 10, "model-type", NULL, "npn or pnp");
    claim_error(".model sw sw(vt=1)\nM1 d g s b sw\n", 3, 12, "model-type", "type 'sw'", NULL);
}

static void wrong_model_cards_are_errors_and_their_users_are_not(void)
{
    claim_error(".model\nR1 a 0 1\n", 2, 7, "syntax", "model's name", NULL);
    claim_error(".model x\nD1 a 0 x\n", 2, 9, "syntax", "type of model 'x'", NULL);
    claim_error(".model x dd(is=1)\nD1 a 0 x\n", 2, 10, "model-type", "unknown model type 'dd'", NULL);
    claim_error(".model x npm(bf=1)\nQ1 c b e x\n", 2, 10, "model-type", "'npm'", "'npn'");
    claim_error(".model x d(is=)\nD1 a 0 x\n", 2, 14, "syntax", "value after this '='", NULL);
    claim_error(".model x d(is={q})\nD1 a 0 x\nD2 a 0 x\n", 2, 16, "unknown-parameter", "'q'", NULL);
    claim_error(".model x d(=5)\nD1 a 0 x\n", 2, 12, "syntax", "name in front of this '='", NULL);
}

static void levels_nobody_has_are_errors_of_the_model_said_once(void)
{
    claim_error(".model x npn(level=7)\nQ1 c b e x\nQ2 c b e x\n", 2, 8, "model-level", "no level 7 for type 'npn'",
                "knoten has level 1, Gummel-Poon");
    claim_error(".model x nmos level=5\nM1 d g s b x\n", 2, 8, "model-level", "no level 5", "level 1, Shichman-Hodges");
    claim_error(".model x nmos(level=9 vto=1 kappa=0.2)\nM1 d g s b x\n", 2, 8, "model-level", "no level 9",
                "level 9, BSIM3v3 of Xyce");
    claim_error(".param n=2\n.model x d(level={n+7})\nD1 a 0 x\n", 3, 8, "model-level", "no level 9", NULL);
    struct reading r = read_good(".model x d(level=3)\n.model y d(level=1)\nD1 a 0 y\nR1 a 0 1\n"); /* nobody uses it */
    end_reading(&r);
}

static void a_forgotten_node_is_recognised(void)
{
    claim_error(".model dd d\nD1 a dd\n", 3, 6, "syntax", "expected 2 nodes in front of model 'dd', found 1", NULL);
    claim_error(".model qn npn\nQ1 c b qn\n", 3, 8, "syntax", "expected 3 nodes in front of model 'qn', found 2", NULL);
    claim_error(".model nm nmos\nM1 d g s nm W=1u\n", 3, 10, "syntax",
                "expected 4 nodes in front of model 'nm', found 3", NULL);
}

static void wrong_waveforms_are_errors(void)
{
    claim_error("V1 a 0 PULS(0 1)\n", 2, 8, "syntax", "found 'PULS'", "did you mean 'pulse'?");
    claim_error("V1 a 0 SIN(0)\n", 2, 8, "waveform", "1 value; it takes at least 2", "SIN(vo va");
    claim_error("V1 a 0 PULSE(1 2 3 4 5 6 7 8 9)\n", 2, 8, "waveform", "9 values; it takes at most 8", NULL);
    claim_error("V1 a 0 PWL(0 0 1)\n", 2, 8, "waveform", "pairs", NULL);
    claim_error("V1 a 0 PWL(0 0 2u 1 1u 2)\n", 2, 8, "waveform", "must not fall, but 1e-06 follows 2e-06", NULL);
    claim_error("V1 a 0 PWL file=\"x.txt\"\n", 2, 17, "include", "cannot read 'x.txt'", NULL);
    claim_error("V1 a 0 SIN(0 one 1k)\n", 2, 14, "value", "found 'one'", NULL);
    claim_error("V1 a 0 SIN(0 1 x=2)\n", 2, 16, "waveform", "found 'x'", NULL);
    claim_error("V1 a 0 EXTERNAL 3\n", 2, 8, "waveform", "'external' with 1 value; it takes at most 0", "EXTERNAL");
    claim_error("V1 a 0 EXTERNAL SIN(0 1)\n", 2, 17, "waveform", "two waveforms", NULL);
    claim_error("V1 a 0 PAT(1 0 0 1n 1n 5n)\n", 2, 8, "waveform", "six numbers and bits", NULL);
    claim_error("V1 a 0 PWL REPEAT 3 (0 0 1 1)\n", 2, 12, "waveform", "FOREVER", NULL);
}

static void wrong_controlled_sources_are_errors(void)
{
    claim_error("Vin a 0 1\nF1 b 0 Vni 2\n", 3, 8, "unknown-element", "'F1' is controlled by 'Vni'", "'Vin'");
    claim_error("L1 a 0 1\nK1 L1 L2 0.5\n", 3, 7, "unknown-element", "no such inductor", NULL);
    claim_error("L1 a 0 1\nR1 a 0 1\nK1 L1 R1 0.5\n", 4, 7, "not-an-inductor", "'R1' is none", NULL);
    claim_error("L1 a 0 1\nL2 b 0 1\nK1 L1 L2 1.5\n", 4, 10, "value-range", "between -1 and 1, but is 1.5", NULL);
    claim_error("E1 a 0 POLY(2) b 0 c 0\n", 2, 23, "syntax", "coefficients of POLY", NULL);
    claim_error("E1 a 0 POLY(0) b 0 1\n", 2, 13, "value-range", "whole number of dimensions", NULL);
    claim_error("E1 a 0 POLY(1.5) b 0 1\n", 2, 13, "value-range", NULL, NULL);
    claim_error("E1 a 0 TABLE {v(b)} = (0,0)\n", 2, 8, "syntax", "but has 2 numbers", "write TABLE");
    claim_error("E1 a 0 TABLE {v(b)} = (0,0) (1)\n", 2, 8, "syntax", "but has 3 numbers", "write TABLE");
    claim_error("E1 a 0 TABLE b 0 (0,0) (1,1)\n", 2, 8, "syntax", "an expression behind TABLE", "write TABLE");
    claim_error("R1 b 0 1\nE1 a 0 TABLE {v(bb)} = (0,0) (1,1)\n", 3, 17, "unknown-node", "'bb'", NULL);
    claim_error("E1 b 0 TABLE {v(b)} = (0,0) (1,foo)\n", 2, 32, "unknown-parameter", "'foo'", NULL);
    claim_error("E1 a 0 VCR PWL(1) b 0 0,0 1,1\n", 2, 8, "unsupported", "'VCR'", "vol=");
    claim_error("C1 a 0 POLY\n", 2, 8, "syntax", "POLY takes 1 to 32 coefficients", NULL);
    claim_error("R1 a 0 POLY 1 2\n", 2, 8, "unsupported", "POLY is not supported", NULL);
    claim_error("R1 b 0 1\nB1 a 0 I=v(b)*v(bb)\n", 3, 17, "unknown-node", "'bb'", NULL);
    claim_error("V1 b 0 1\nB1 a 0 I=i(v1)*i(v2)\n", 3, 18, "unknown-element", "'v2'", NULL);
    claim_error("B1 a 0 I=v(a)+*2\n", 2, 15, "syntax", NULL, NULL);
    claim_error("R1 a 0 1\nB1 a 0 I=\n", 3, 9, "syntax", "value after this '='", NULL);
}

static void unbalanced_brackets_and_quotes_are_errors_where_they_open(void)
{
    claim_error("R1 a 0 {1+2\n", 2, 8, "syntax", "'{' is never closed", NULL);
    claim_error("R1 a 0 '1+2\n", 2, 8, "syntax", "no partner", NULL);
    claim_error("R1 a 0 tc=(1\n+ 2 \n", 2, 11, "syntax", "'(' is never closed", NULL);
    claim_error("R1 a 0 1)\n", 2, 9, "syntax", "')' closes nothing", NULL);
    claim_error("R1 a 0 1}\n", 2, 9, "syntax", "'}' closes nothing", NULL);
    claim_error("B1 a 0 I=(v(a)\n", 2, 10, "syntax", "never closed", NULL);
    claim_error("B1 a 0 I=v(a))\n", 2, 14, "syntax", "closes nothing", NULL);
    claim_error("R1 a 0 r={(1+2}\n", 2, 10, "syntax", "never closed", NULL);
    claim_error(".include \"abc\n", 2, 10, "syntax", "no partner", NULL);
}

static void parentheses_of_waveforms_end_with_the_card(void)
{
    claim_warning("V1 a 0 SIN(0 1\n+ 1k\n", 2, 11, "syntax", "'(' is not closed");
    claim_warning("V1 a 0 SIN 0 1 1k)\n", 2, 18, "syntax", "')' closes nothing");
}

static void statements_that_begin_with_no_name_are_errors(void)
{
    claim_error("= 5\nR1 a 0 1\n", 2, 1, "syntax", "name in front of this '='", NULL);
    claim_error("(a b)\nR1 a 0 1\n", 2, 1, "syntax", "expected an element or a dot card", NULL);
    claim_error("{x} 1\nR1 a 0 1\n", 2, 2, "syntax", "expected an element or a dot card", NULL);
    const struct expected both[] = {{2, 1, "syntax", NULL, NULL}, {3, 1, "syntax", NULL, NULL}};
    claim_errors("= 5\n) 6\nR1 a 0 1\n", both, 2);
    claim_error("R1 a 0 tc1==1\n", 2, 12, "syntax", "name in front", NULL);
}

static void element_letters_nobody_knows_are_errors(void)
{
    claim_error("1abc a 0 1\n", 2, 1, "unknown-element", "begins with '1'",
                "goes on with the one above begins with '+'");
    claim_error("P1 a 0 b 0 om\n", 2, 12, "unknown-model", "om", "cpl");
    claim_error(".model q npn\nP1 a b 0 c d 0 q\n", 3, 16, "model-type", "has type 'npn'",
                "a coupled line needs type cpl");
    claim_error(".model q npn\nU1 a b 0 q l=1\n", 3, 10, "model-type", "has type 'npn'",
                "a distributed RC line needs type urc");
}

static void switches_say_what_they_lack(void)
{
    claim_error("S1 a 0 c 0\n", 2, 11, "syntax", "name of a model", "write Sname");
    claim_error("S1 a 0 c sm\n.model sm sw(vt=1)\n", 2, 10, "syntax", "expected 4 nodes in front of model 'sm'",
                "Sname");
    claim_error("W1 a 0 Vx wm\n.model wm csw(it=1)\n", 2, 8, "unknown-element", "Vx", NULL);
    claim_error("S1 a 0 c 0 wm\n.model wm csw(it=1)\n", 2, 12, "model-type", "has type 'csw'", "needs type sw");
    claim_error("S1 a 0 c 0 sm 5\n.model sm sw(vt=1)\n", 2, 15, "syntax", "no more values", NULL);
}

static void all_errors_of_a_deck_come_in_one_run(void)
{
    const struct expected all[] = {
        {2, 7, "syntax", NULL, NULL},       {3, 8, "unknown-model", NULL, NULL},
        {4, 1, "unknown-card", NULL, NULL}, {5, 8, "syntax", "never closed", NULL},
        {6, 7, "value-range", NULL, NULL},  {8, 6, "unknown-subcircuit", NULL, NULL},
        {9, 1, "unknown-card", NULL, NULL}, {10, 8, "unknown-element", NULL, NULL},
        {11, 13, "not-finite", NULL, NULL},
    };
    claim_errors("R1 a 0\nD1 a 0 nope\n.trna 1 2\nR2 a 0 {1+\n.tran -1 1\n.print v(a,zz)\nX1 a sub\n.foo\nF1 a 0 Vx 1\n"
                 ".param q = {1/0}\n",
                 all, COUNT(all));
}

static void messages_come_in_the_order_of_the_text(void)
{
    const char *text = "title\nB1 a 0 I=v(zz)\nR1 a 0\n.trna\nR2 a 0 {\nF1 a 0 vx 1\n.tran 1\n";
    struct reading r = read_named("deck.cir", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(r.diagnostics), 6);
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(kn_diagnostics_get(r.diagnostics, i)->where.line, (int)i + 2);
    end_reading(&r);
}

static void messages_show_line_and_caret(void)
{
    const char *text = "title\nD1 a 0 dx ; comment\n";
    struct reading r = read_named("my deck.cir", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(r.diagnostics), 1);
    const struct kn_diagnostic *m = kn_diagnostics_get(r.diagnostics, 0);
    CU_ASSERT_STRING_EQUAL(m->source_line, "D1 a 0 dx ; comment");
    CU_ASSERT_STRING_EQUAL(m->where.file, "my deck.cir");
    CU_ASSERT_EQUAL(m->where.width, 2);
    end_reading(&r);
}

static void a_missing_file_is_an_input_error(void)
{
    struct reading r = {.diagnostics = kn_diagnostics_new()};
    r.status = circuit_read_file(&device_catalogue, "/no/such/deck.cir", r.diagnostics, &r.circuit);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_IO);
    CU_ASSERT_PTR_NULL(r.circuit);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r.diagnostics), 1);
    CU_ASSERT(strstr(kn_diagnostics_get(r.diagnostics, 0)->text, "/no/such/deck.cir") != NULL);
    end_reading(&r);
    r.diagnostics = kn_diagnostics_new();
    CU_ASSERT_EQUAL(circuit_read_file(&device_catalogue, "/", r.diagnostics, &r.circuit), KN_ERROR_IO);
    end_reading(&r);
}

static void nobody_need_listen_to_the_messages(void)
{
    struct circuit *c = NULL;
    const char *bad = "title\nR1 a 0 {x}\nR2 a\n.include nowhere\n";
    CU_ASSERT_EQUAL(circuit_read_text(&device_catalogue, "deck.cir", bad, strlen(bad), NULL, &c), KN_ERROR_DECK);
    CU_ASSERT_PTR_NULL(c);
    const char *good = "title\nR1 a 0 {1+1}\n";
    CU_ASSERT_EQUAL(circuit_read_text(&device_catalogue, "deck.cir", good, strlen(good), NULL, &c), KN_OK);
    circuit_free(c);
    circuit_free(NULL);
}

static void split_units_and_other_functions_get_a_likely_correction(void)
{
    claim_error("R1 a 0 1x2y3\n", 2, 8, "value", "'1x2y3' is not a number", "one suffix");
    claim_error("C1 a 0 10 nF\n", 2, 11, "syntax", "unit 'nF' stands apart", "write 10nF in one word");
    claim_error("C1 a 0 2.2 F\n", 2, 12, "syntax", "unit 'F' stands apart", "write 2.2 in one word");
    claim_error("R1 a 0 2 ohm\n", 2, 10, "syntax", "unit 'ohm' stands apart", "write 2ohm in one word");
    claim_error("R1 a 0 2 rmod\n", 2, 10, "unknown-model", "'rmod'", NULL);
    claim_error("B1 a 0 V=akim(V(a),0,0,1,1)\n", 2, 10, "unknown-function", "akim", "'akima'");
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(missing_nodes_and_values_are_errors_behind_the_last_word),
        CLAIM(inductors_of_chan_need_all_of_their_core),
        CLAIM(too_many_values_are_errors_at_the_first),
        CLAIM(numbers_that_are_none_are_errors),
        CLAIM(split_units_and_other_functions_get_a_likely_correction),
        CLAIM(values_that_depend_on_the_solution_have_a_way_out),
        CLAIM(unknown_models_get_a_likely_correction),
        CLAIM(models_of_the_wrong_type_name_their_place),
        CLAIM(wrong_model_cards_are_errors_and_their_users_are_not),
        CLAIM(levels_nobody_has_are_errors_of_the_model_said_once),
        CLAIM(a_forgotten_node_is_recognised),
        CLAIM(wrong_waveforms_are_errors),
        CLAIM(wrong_controlled_sources_are_errors),
        CLAIM(unbalanced_brackets_and_quotes_are_errors_where_they_open),
        CLAIM(parentheses_of_waveforms_end_with_the_card),
        CLAIM(statements_that_begin_with_no_name_are_errors),
        CLAIM(element_letters_nobody_knows_are_errors),
        CLAIM(switches_say_what_they_lack),
        CLAIM(all_errors_of_a_deck_come_in_one_run),
        CLAIM(messages_come_in_the_order_of_the_text),
        CLAIM(messages_show_line_and_caret),
        CLAIM(a_missing_file_is_an_input_error),
        CLAIM(nobody_need_listen_to_the_messages),
    };
    return run_claims("deck errors", claims, COUNT(claims));
}
