/* test_deck_lines.c - title, comments, continuation, case, line ends, control blocks, and places of messages. */
#include "deck_fixture.h"

static void the_first_line_is_the_title_whatever_it_says(void)
{
    const char *text = "R1 is a resistor, 50% \xc3\xa4 {('\nR1 a 0 1\n";
    struct reading r = read_named("deck.cir", text, strlen(text));
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.circuit);
    CU_ASSERT_STRING_EQUAL(r.circuit->title, "R1 is a resistor, 50% \xc3\xa4 {('");
    CU_ASSERT_EQUAL(r.circuit->element_count, 1);
    CU_ASSERT_STRING_EQUAL(r.circuit->file, "deck.cir");
    end_reading(&r);
}

/* What the titles below are put in front of. */
static const char under_title[] =
    "R1 in out 1k\nR2 out 0 1k\nC1 out b 1u\nR3 b c 1\nR4 c 0 1\nL8 in 0 1m\nL9 out 0 1m\nV9 1 2 1\nR9 1 0 1\n"
    "R10 2 vcc 1\nR11 vcc 3 1\nR12 3 4 2\nR13 4 0 1\n.param p=2\n.model dm d\n.model qm npn\n.model nm nmos\n.model sm "
    "sw\n.model wm csw\n"
    ".subckt amp i o\nR1 i o 1\n.ends\n.op\n.end\n";

static bool title_is_warned_of(const char *title)
{
    char text[2000];
    const int length = snprintf(text, sizeof text, "%s\n%s", title, under_title);
    struct reading r = read_named("deck.cir", text, (size_t)length);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    const bool warned = has_message(&r, KN_WARNING, &(struct expected){1, 1, "title", "not read", NULL});
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), warned);
    end_reading(&r);
    return warned;
}

static void every_element_in_the_first_line_is_a_warning(void)
{
    static const char *const titles[] = {
        "V1 in 0 SIN(0 1 1k)",
        "V1 in 0 sin 0 1 1k",
        "V1 in 0 DC 5",
        "V1 in 0 12V",
        "V1 in 0 {2*p}",
        "V1 in 0",
        "Vin in 0 PULSE(0 5 0 1n 1n 1u 2u) ; a comment",
        "Vcc VCC 0 DC 12 AC 1",
        "V1 (in 0) (PULSE 0 5 1u)",
        "I1 0 out PWL (0 0) (1u 1)",
        "Ibias 0 out 1mA",
        "R7 in out 10k",
        "Rload out 0 {p*1k}",
        "R7 in out R='1k+v(in)'",
        "Cout out 0 10n IC=2",
        "C7 out 0 Q='1n*v(out)'",
        "Lx in out 10u Rser=1",
        "B1 in 0 V=v(out)*2",
        "Bx in 0 I={v(out)}",
        "E1 in 0 out 0 10",
        "E1 in 0 POLY(2) out 0 b 0 0 1 1",
        "Eamp in 0 vol='2*v(out)'",
        "E1 in 0 TABLE {v(out)} = (0,0) (1,1)",
        "G1 in 0 out 0 1m",
        "F1 in 0 V9 2",
        "H1 in 0 POLY(1) V9 0 1",
        "D1 in out DM",
        "Dclamp out 0 dm 2",
        "Q1 vcc in out QM",
        "Q1 vcc in out 0 qm",
        "M1 out in 0 0 NM W=1u L=1u",
        "S1 in out b 0 sm",
        "W1 in out V9 wm ON",
        "T1 in 0 out 0 Z0=50 TD=1n",
        "K1 L8 L9 0.9",
        "X1 in out amp",
        "Xamp in out amp r=2",
        ".tran 1u 1m",
        ".param p=3",
    };
    for (size_t i = 0; i < COUNT(titles); i++) {
        const bool warned = title_is_warned_of(titles[i]);
        if (!warned)
            fprintf(stderr, "\nno warning: %s\n", titles[i]);
        CU_ASSERT(warned);
    }
}

static void sentences_in_the_first_line_are_titles(void)
{
    static const char *const titles[] = {
        "",
        "RC low-pass filter",
        "RC lowpass 1 kHz",
        "R2R ladder DAC 8 bit",
        "RC filter: in to out, 1k and 1u",
        "Rise time of 10 ns",
        "Rise time 0 5 ns",
        "Ripple 1 2",
        "Colpitts oscillator 1 MHz",
        "CMOS inverter 5 V",
        "C4 amplifier stage 2",
        "Chua's circuit, 2 v 1",
        "Class AB output stage (BJT)",
        "L1 regulator version 2.0",
        "LC tank Q=1000",
        "LM741 in out test 5",
        "V2 of board 3",
        "V1.2 from 2024",
        "Van der Pol oscillator, mu = 1000",
        "Voltage divider 1 2",
        "I-V curve of a diode",
        "Inverter chain 100 stages",
        "Buck converter 12 V to 5 V",
        "Bridge rectifier 50 Hz",
        "BJT amplifier, E12 values",
        "E12 series 10 20 30",
        "Emitter follower in out 5",
        "Example 2 0 1",
        "Gilbert cell v=2",
        "Flip-flop D type 74HC74",
        "Filter 4th order 1 kHz",
        "Half-wave rectifier 1 2 3",
        "Diode clamp in out",
        "D flip flop in CMOS",
        "Differential pair 1 2 3 qm",
        "Q of a tank 1000",
        "Quartz 32.768 kHz",
        "M1 carbine",
        "MOSFET driver in out vcc 0 test",
        "Schmitt trigger in out b 0",
        "S parameter test 1 2 3 4",
        "Wien bridge in out",
        "T1 line 50 ohm",
        "Transmission line Z0=50",
        "Kelvin sense 4 wire",
        "X1 test of amp",
        "Xtal oscillator amp",
        "Test 1",
        "* V1 in 0 5",
        "; V1 in 0 5",
        "1 2 3",
        "title",
        "\"quoted\" (title {",
        "V1 in 0 SIN(0 1 1k and so on",
        "R1, R2 and C1 in series",
        "tran 1u 1m",
    };
    for (size_t i = 0; i < COUNT(titles); i++) {
        const bool warned = title_is_warned_of(titles[i]);
        if (warned)
            fprintf(stderr, "\nfalse alarm: %s\n", titles[i]);
        CU_ASSERT(!warned);
    }
}

static void a_title_that_looks_like_a_card_is_a_warning(void)
{
    static const char *const titles[] = {".tran 1u 1m\nR1 a 0 1\n", "R2 a 0 1k\nR1 a 0 1\n", "V1 in 0 5\nR1 a 0 1\n"};
    for (size_t i = 0; i < COUNT(titles); i++) {
        struct reading r = read_named("deck.cir", titles[i], strlen(titles[i]));
        CU_ASSERT_EQUAL(r.status, KN_OK);
        CU_ASSERT(has_message(&r, KN_WARNING, &(struct expected){1, 1, "title", "not read", NULL}));
        end_reading(&r);
    }
}

static void comments_are_skipped(void)
{
    struct reading r = read_good("* R9 a 0 1\n   * indented\n# hash\n; semicolon\n$ dollar\n// slashes\n"
                                 "R1 a 0 1k ; R2 a 0 1\nR2 a 0 2k $ comment\nR3 a 0 3k // comment\n\n   \t\n"
                                 "R4 a$b 0 4k;tight\nR5 a//b 0 5k\n");
    CU_ASSERT_EQUAL(r.circuit->element_count, 5);
    CHECK_NEAR(element_named(&r, "R2")->value, 2e3, 0);
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "R4"), 0), "a$b");
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "R5"), 0), "a//b");
    end_reading(&r);
}

static void a_plus_continues_the_statement_across_comments_and_blank_lines(void)
{
    struct reading r = read_good("R1\n+ a\n* comment\n\n  + 0 ; comment\n+1k\nC1 a 0 1p\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 1e3, 0);
    CU_ASSERT_STRING_EQUAL(node_of(&r, element_named(&r, "R1"), 0), "a");
    end_reading(&r);
}

static void an_expression_may_run_over_lines(void)
{
    struct reading r = read_good(".param p=1 +\n+ 2\n+ q = {3 *\n+ (p\n+ + 1)}\nR1 a 0 {q -\n+\n+ 2}\n"
                                 "B1 a 0 I = v(a)\n+ *2\n+ + 1\n");
    CHECK_NEAR(element_named(&r, "R1")->value, 10.0, 0);
    CU_ASSERT_PTR_NOT_NULL(element_named(&r, "B1")->expression);
    end_reading(&r);
}

static void messages_give_line_and_column_of_continued_lines(void)
{
    claim_error("R1 a\n* comment\n+ 0\n+   foo\n", 5, 5, "unknown-model", "foo", NULL);
    claim_error("R1 a 0 {1 +\n+ 2 * nope}\n", 3, 7, "unknown-parameter", "nope", NULL);
    claim_error(".param p = 1 +\n+ 2 * nope\nR1 a 0 {p}\n", 3, 7, "unknown-parameter", "nope", NULL);
    claim_error("\tR1 a\t0\tfoo\n", 2, 9, "unknown-model", "foo", NULL);
}

static void elements_know_their_place(void)
{
    struct reading r = read_good("V1 a 0 1\n\n  Rload a 0 1k\n");
    const struct element *e = element_named(&r, "rload");
    CU_ASSERT_STRING_EQUAL(e->where.file, "deck.cir");
    CU_ASSERT_EQUAL(e->where.line, 4);
    CU_ASSERT_EQUAL(e->where.column, 3);
    CU_ASSERT_EQUAL(e->where.width, 5);
    CU_ASSERT_EQUAL(r.circuit->nodes[e->nodes[0]].where.line, 2);
    CU_ASSERT_EQUAL(r.circuit->nodes[e->nodes[0]].where.column, 4);
    end_reading(&r);
}

static void carriage_returns_tabs_and_byte_order_marks_are_tolerated(void)
{
    const char *text = "\xef\xbb\xbftitle\r\nR1\ta 0\r\n+ 1k\r\n.tran 1u 1m\r\n.end\r\n";
    struct reading r = read_named("deck.cir", text, strlen(text));
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.circuit);
    CU_ASSERT_STRING_EQUAL(r.circuit->title, "title");
    CHECK_NEAR(element_named(&r, "r1")->value, 1e3, 0);
    CU_ASSERT_EQUAL(r.circuit->transient_count, 1);
    end_reading(&r);
}

static void a_last_line_without_line_end_counts(void)
{
    struct reading r = read_good("R1 a 0 1k");
    CHECK_NEAR(element_named(&r, "R1")->value, 1e3, 0);
    end_reading(&r);
}

static void names_are_case_insensitive_and_kept_as_written(void)
{
    struct reading r = read_good("Rload OUT 0 1K\nC1 out 0 1P\nvIN Out GND DC 1\n.TRAN 1U 1M UIC\n");
    CU_ASSERT_EQUAL(r.circuit->node_count, 2);
    CU_ASSERT_STRING_EQUAL(r.circuit->nodes[1].name, "OUT");
    CU_ASSERT_STRING_EQUAL(element_named(&r, "VIN")->name, "vIN");
    CU_ASSERT_EQUAL(element_named(&r, "vin")->kind->letter, 'v');
    CU_ASSERT_EQUAL(element_named(&r, "vin")->nodes[1], 0);
    CU_ASSERT(r.circuit->transients[0].uic);
    end_reading(&r);
}

static void names_may_have_the_usual_punctuation_and_8_bit_characters(void)
{
    struct reading r = read_good("R+1 n+ n-_1.x 1\nR2 /out net#1 1\nR3 a[3] b<1> 1\nR4 x:y @z! 1\nR5 \xfc&% ~|^? 1\n"
                                 "R6 Net-1/2 \\a 1\n");
    CU_ASSERT_EQUAL(r.circuit->node_count, 13);
    CU_ASSERT(circuit_find_node(r.circuit, "N-_1.X") > 0);
    CU_ASSERT(circuit_find_node(r.circuit, "\xfc&%") > 0);
    end_reading(&r);
}

static void ground_is_0_or_gnd(void)
{
    struct reading r = read_good("R1 a 0 1\nR2 a gnd 1\nR3 a GND 1\nR4 a 00 1\n");
    CU_ASSERT_EQUAL(r.circuit->node_count, 3);
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "Gnd"), 0);
    CU_ASSERT_EQUAL(circuit_find_node(r.circuit, "00"), 2);
    CU_ASSERT_STRING_EQUAL(r.circuit->nodes[0].name, "0");
    end_reading(&r);
}

static void numbers_have_suffixes_and_units(void)
{
    static const struct {
        const char *text;
        double value;
    } numbers[] = {{"1t", 1e12},     {"2G", 2e9},    {"3meg", 3e6},  {"3MEGohm", 3e6},     {"4k", 4e3},
                   {"5mil", 127e-6}, {"6m", 6e-3},   {"7u", 7e-6},   {"8nF", 8e-9},        {"9p", 9e-12},
                   {"1f", 1e-15},    {"1aF", 1e-18}, {"1e3", 1e3},   {"1.5E-3k", 1.5},     {".5", 0.5},
                   {"5.", 5.0},      {"+2", 2.0},    {"1kOhm", 1e3}, {"10\xc2\xb5", 1e-5}, {"10\xb5s", 1e-5}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        char body[64];
        snprintf(body, sizeof body, "R1 a 0 %s\n", numbers[i].text);
        struct reading r = read_good(body);
        CHECK_NEAR(element_named(&r, "R1")->value, numbers[i].value, 1e-15 * numbers[i].value);
        end_reading(&r);
    }
}

static void control_blocks_are_no_part_of_the_netlist(void)
{
    const char *body = "R1 a 0 1\n.control\nrun 'unbalanced ((\n+ plot\n.endc\n.CONTROL\nrun\n.ENDC\nR2 a 0 1\n";
    struct reading r = read_good(body);
    CU_ASSERT_EQUAL(r.circuit->element_count, 2);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    end_reading(&r);
}

static void an_open_control_block_is_an_error(void)
{
    claim_warning("R1 a 0 1\n.control\nrun\n", 3, 1, "syntax", "no '.endc'");
    claim_warning("R1 a 0 1\n.control\nrun\n.end\n", 3, 1, "syntax", "no '.endc'");
}

static void an_endc_too_many_is_a_warning(void)
{
    claim_warning("R1 a 0 1\n.endc\n", 3, 1, "syntax", "without a '.control'");
}

static void nothing_is_read_behind_end(void)
{
    struct reading r = read_good("R1 a 0 1\n.END\nR2 a 0 (((\n\x01\x02");
    CU_ASSERT_EQUAL(r.circuit->element_count, 1);
    end_reading(&r);
}

static void a_plus_with_nothing_before_it_is_an_error(void)
{
    claim_error("  + 1k\nR1 a 0 1\n", 2, 3, "syntax", "nothing to continue", NULL);
}

static void places_behind_other_letters_count_characters(void)
{
    static const char *const micro[] = {"\xc2\xb5", "\xce\xbc", "\xb5"}; /* micro sign, Greek letter; Latin-1 */
    for (size_t i = 0; i < COUNT(micro); i++) {
        char body[200], text[20];
        snprintf(body, sizeof body, "C1 a 0 {1%s*2}\nR1 a 0 1%s5x\nR2 a 0 {3%sF+q}\nC2 a%s 0 1%s IC={x1}\n", micro[i],
                 micro[i], micro[i], micro[i], micro[i]);
        snprintf(text, sizeof text, "'1%s5x'", micro[i]);
        claim_errors(body,
                     (const struct expected[]){{3, 8, "value", text, "one suffix"},
                                               {4, 13, "unknown-parameter", "'q'", NULL},
                                               {5, 16, "unknown-parameter", "'x1'", NULL}},
                     3);
    }
    const char *text = "t\nR1 \xe2\x82\xac\xc3\xa4 q {x}\nR2 a\xc3 \xf0\x9f\x98\x80 {x}\n";
    struct reading r = read_named("d", text, strlen(text));
    CU_ASSERT(has_message(&r, KN_ERROR, &(struct expected){2, 10, "unknown-parameter", NULL, NULL}));
    CU_ASSERT(has_message(&r, KN_ERROR, &(struct expected){3, 10, "unknown-parameter", NULL, NULL}));
    end_reading(&r);
}

static void empty_decks_and_titles_alone_are_errors(void)
{
    static const struct {
        const char *text, *message;
    } decks[] = {{"", "the netlist is empty"},
                 {"\n\n  \n", "the netlist is empty"},
                 {"a title\n", "title, but no elements"},
                 {"a title", "title, but no elements"},
                 {"a title\n.end\n", "title, but no elements"},
                 {"a title\n.tran 1u 1m\n.end\n", "no elements"}};
    for (size_t i = 0; i < COUNT(decks); i++) {
        struct reading r = read_named("deck.cir", decks[i].text, strlen(decks[i].text));
        CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
        CU_ASSERT_PTR_NULL(r.circuit);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(r.diagnostics), 1);
        CU_ASSERT(has_message(&r, KN_ERROR, &(struct expected){1, 0, "empty-deck", decks[i].message, NULL}));
        end_reading(&r);
    }
}

static void texts_in_utf_16_are_read(void)
{
    static const char text[] = "title\nR1 a 0 4.7\xb5\nV1 a 0 1\n";
    for (int variant = 0; variant < 4; variant++) { /* big and little, with a mark and without */
        char wide[2 * sizeof text + 2];
        size_t length = 0;
        const int high = variant & 1, marked = variant & 2;
        if (marked) {
            wide[high] = (char)0xfe;
            wide[1 - high] = (char)0xff;
            length = 2;
        }
        for (size_t i = 0; i + 1 < sizeof text; i++, length += 2) {
            wide[length + (size_t)high] = 0;
            wide[length + 1 - (size_t)high] = text[i];
        }
        struct reading r = read_named("deck.cir", wide, length);
        CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
        CU_ASSERT_STRING_EQUAL(r.circuit->title, "title");
        CHECK_NEAR(element_named(&r, "R1")->value, 4.7e-6, 1e-20);
        end_reading(&r);
    }
}

static void binary_garbage_is_one_error_with_its_place(void)
{
    static const char elf[] = "\x7f"
                              "ELF\x02\x01\x01\0\0\0 R1 a 0\n R2 \x03 b";
    struct reading r = read_named("deck.cir", elf, sizeof elf - 1);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT(has_message(&r, KN_ERROR, &(struct expected){1, 1, "binary", "0x7f", "text file"}));
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r.diagnostics), 1);
    end_reading(&r);
    claim_error("R1 a 0 1\nR2 \001b 0 1\n", 3, 4, "binary", "0x01", NULL);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_first_line_is_the_title_whatever_it_says),
        CLAIM(a_title_that_looks_like_a_card_is_a_warning),
        CLAIM(every_element_in_the_first_line_is_a_warning),
        CLAIM(sentences_in_the_first_line_are_titles),
        CLAIM(comments_are_skipped),
        CLAIM(a_plus_continues_the_statement_across_comments_and_blank_lines),
        CLAIM(an_expression_may_run_over_lines),
        CLAIM(messages_give_line_and_column_of_continued_lines),
        CLAIM(elements_know_their_place),
        CLAIM(carriage_returns_tabs_and_byte_order_marks_are_tolerated),
        CLAIM(a_last_line_without_line_end_counts),
        CLAIM(names_are_case_insensitive_and_kept_as_written),
        CLAIM(names_may_have_the_usual_punctuation_and_8_bit_characters),
        CLAIM(ground_is_0_or_gnd),
        CLAIM(numbers_have_suffixes_and_units),
        CLAIM(control_blocks_are_no_part_of_the_netlist),
        CLAIM(an_open_control_block_is_an_error),
        CLAIM(an_endc_too_many_is_a_warning),
        CLAIM(nothing_is_read_behind_end),
        CLAIM(a_plus_with_nothing_before_it_is_an_error),
        CLAIM(places_behind_other_letters_count_characters),
        CLAIM(empty_decks_and_titles_alone_are_errors),
        CLAIM(texts_in_utf_16_are_read),
        CLAIM(binary_garbage_is_one_error_with_its_place),
    };
    return run_claims("deck lines", claims, COUNT(claims));
}
