/* Circuits with known loops, cutsets, index, degrees of freedom and index-2 unknowns. */
#include "claims.h"

#include "branch_circuit.h"

/* Sets are written sorted, "C1 V1|C2 V2"; what is NULL must be empty. */
struct expected {
    const char *name;
    const char *circuit;
    enum topology_verdict verdict;
    int freedom;
    const char *cv_loops, *li_cutsets, *index2;
    const char *v_loops, *i_cutsets, *islands;
    const char *because; /* part of the sentence */
};

#define PLAIN(text, elements, index, order)                                                                            \
    {                                                                                                                  \
        .name = text, .circuit = elements, .verdict = index, .freedom = order                                          \
    }
#define CASE(text, elements, index, order, ...)                                                                        \
    {                                                                                                                  \
        .name = text, .circuit = elements, .verdict = index, .freedom = order, __VA_ARGS__                             \
    }

/* ---- results as sorted text ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void join_sorted(const char **words, size_t count, const char *separator, char *text, size_t size)
{
    qsort(words, count, sizeof *words, by_name);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? separator : "", words[i]);
    }
}

static void write_branch_sets(const struct branch_sets *sets, char *text, size_t size)
{
    static char texts[64][512];
    const char *all[64];
    for (size_t i = 0; i < sets->count && i < 64; i++) {
        const char *names[64];
        for (size_t k = 0; k < sets->sets[i].count; k++)
            names[k] = sets->sets[i].branches[k]->element->name;
        join_sorted(names, sets->sets[i].count, " ", texts[i], sizeof texts[i]);
        all[i] = texts[i];
    }
    join_sorted(all, sets->count, "|", text, size);
}

static void write_node_sets(const struct topology *t, const struct node_sets *sets, char *text, size_t size)
{
    static char texts[64][512];
    const char *all[64];
    for (size_t i = 0; i < sets->count && i < 64; i++) {
        const char *names[64];
        for (size_t k = 0; k < sets->sets[i].count; k++)
            names[k] = t->unknowns[sets->sets[i].nodes[k]].name;
        join_sorted(names, sets->sets[i].count, " ", texts[i], sizeof texts[i]);
        all[i] = texts[i];
    }
    join_sorted(all, sets->count, "|", text, size);
}

static void write_index2(const struct topology *t, char *text, size_t size)
{
    const char *names[128];
    for (size_t i = 0; i < t->index2_count; i++)
        names[i] = t->unknowns[t->index2[i].unknown].name;
    join_sorted(names, t->index2_count, " ", text, size);
}

static void check_text(const struct expected *e, const char *what, const char *actual, const char *expected)
{
    const bool same = strcmp(actual, expected ? expected : "") == 0;
    if (!same)
        fprintf(stderr, "\n%s: %s are '%s', expected '%s'\n", e->name, what, actual, expected ? expected : "");
    CU_ASSERT(same);
}

static void check_sets(const struct expected *e, const char *what, const struct branch_sets *sets, const char *expected)
{
    char text[2048];
    write_branch_sets(sets, text, sizeof text);
    check_text(e, what, text, expected);
}

static void check_verdict(const struct expected *e, const struct topology *t)
{
    const bool right = t->verdict == e->verdict && t->degrees_of_freedom == e->freedom;
    if (!right)
        fprintf(stderr, "\n%s: verdict %d, %d degrees of freedom (%s)\n", e->name, t->verdict, t->degrees_of_freedom,
                t->because ? t->because : "");
    CU_ASSERT(right);
    const bool said = (e->verdict == TOPOLOGY_UNDECIDED) == (t->because != NULL) &&
                      (!e->because || (t->because && strstr(t->because, e->because)));
    if (!said)
        fprintf(stderr, "\n%s: because '%s'\n", e->name, t->because ? t->because : "");
    CU_ASSERT(said);
}

static void check_expected(const struct expected *e)
{
    struct branch_circuit c;
    struct topology *t = analyze_branch_circuit(&c, e->circuit);
    char text[2048];
    check_verdict(e, t);
    check_sets(e, "C-V loops", &t->cv_loops, e->cv_loops);
    check_sets(e, "L-I cutsets", &t->li_cutsets, e->li_cutsets);
    check_sets(e, "V loops", &t->v_loops, e->v_loops);
    check_sets(e, "I cutsets", &t->i_cutsets, e->i_cutsets);
    write_node_sets(t, &t->islands, text, sizeof text);
    check_text(e, "islands", text, e->islands);
    write_index2(t, text, sizeof text);
    check_text(e, "index-2 unknowns", text, e->index2);
    topology_free(t);
}

#define CHECK_ALL(table)                                                                                               \
    for (size_t i_ = 0; i_ < sizeof(table) / sizeof(table)[0]; i_++)                                                   \
    check_expected(&(table)[i_])

/* ---- without controlled sources ---- */

static void passive_circuits_with_sources(void)
{
    static const struct expected table[] = {
        PLAIN("empty circuit", "", TOPOLOGY_INDEX_0, 0),
        PLAIN("RC to ground from a current source", "I1 0 1; R1 1 0; C1 1 0", TOPOLOGY_INDEX_0, 1),
        PLAIN("two capacitors in a tree, a bridge between", "C1 1 0; C2 1 2; R1 2 0", TOPOLOGY_INDEX_0, 2),
        PLAIN("LC tank", "C1 1 0; L1 1 0", TOPOLOGY_INDEX_0, 2),
        PLAIN("loop of capacitors only is no defect", "C1 1 0; C2 1 2; C3 2 0; R1 1 0; R2 2 0", TOPOLOGY_INDEX_0, 2),
        PLAIN("RC from a voltage source", "V1 1 0; R1 1 2; C1 2 0", TOPOLOGY_INDEX_1, 1),
        PLAIN("RL from a voltage source", "V1 1 0; R1 1 2; L1 2 0", TOPOLOGY_INDEX_1, 1),
        PLAIN("resistors only", "V1 1 0; R1 1 2; R2 2 0", TOPOLOGY_INDEX_1, 0),
        PLAIN("node without capacitance", "I1 0 1; R1 1 2; C1 2 0", TOPOLOGY_INDEX_1, 1),
        PLAIN("line's ports", "V1 1 0; R1 1 2; T1 2 0; T2 3 0; R2 3 0", TOPOLOGY_INDEX_1, 0),
        PLAIN("capacitance everywhere, but a current of its own", "C1 1 0; T1 1 0", TOPOLOGY_INDEX_1, 1),
        CASE("capacitor across a source", "V1 1 0; C1 1 0; R1 1 0", TOPOLOGY_INDEX_2, 0, .cv_loops = "C1 V1",
             .index2 = "i(V1)"),
        CASE("floating source between capacitors", "C1 1 0; V1 1 2; C2 2 0; R1 1 0", TOPOLOGY_INDEX_2, 1,
             .cv_loops = "C1 C2 V1", .index2 = "i(V1)"),
        CASE("two sources in one loop", "V1 1 0; C1 1 2; V2 2 0; R1 1 2", TOPOLOGY_INDEX_2, 0, .cv_loops = "C1 V1 V2",
             .index2 = "i(V1) i(V2)"),
        CASE("two loops, each with its own source", "V1 1 0; C1 1 0; V2 2 0; C2 2 0; R1 1 2", TOPOLOGY_INDEX_2, 0,
             .cv_loops = "C1 V1|C2 V2", .index2 = "i(V1) i(V2)"),
        CASE("parallel capacitors make one constraint", "V1 1 0; C1 1 0; C2 1 0; C3 1 0", TOPOLOGY_INDEX_2, 0,
             .cv_loops = "C1 V1", .index2 = "i(V1)"),
        CASE("the shortest loop is named", "V1 1 0; C1 1 2; C2 2 3; C3 3 0; C4 1 0", TOPOLOGY_INDEX_2, 2,
             .cv_loops = "C4 V1", .index2 = "i(V1)"),
        CASE("a source aside is no part of the loop", "V1 1 0; V2 2 1; C1 1 0; R1 2 0", TOPOLOGY_INDEX_2, 0,
             .cv_loops = "C1 V1", .index2 = "i(V1)"),
        CASE("current source into an inductor", "I1 0 1; L1 1 0", TOPOLOGY_INDEX_2, 0, .li_cutsets = "I1 L1",
             .index2 = "v(1)"),
        CASE("two inductors in series", "V1 1 0; R1 1 2; L1 2 3; L2 3 0", TOPOLOGY_INDEX_2, 1, .li_cutsets = "L1 L2",
             .index2 = "v(3)"),
        CASE("three inductors at a node", "V1 1 0; L1 1 2; L2 2 0; L3 2 3; R1 3 0", TOPOLOGY_INDEX_2, 2,
             .li_cutsets = "L1 L2 L3", .index2 = "v(2)"),
        CASE("a part with a resistor inside", "I1 0 1; R1 1 2; L1 2 0; C1 1 2", TOPOLOGY_INDEX_2, 1,
             .li_cutsets = "I1 L1", .index2 = "v(1) v(2)"),
        CASE("two parts in a row", "I1 0 1; L1 1 2; L2 2 0; L3 1 0", TOPOLOGY_INDEX_2, 1,
             .li_cutsets = "I1 L1 L3|L1 L2", .index2 = "v(1) v(2)"),
        CASE("a part behind another one", "L1 1 0; L2 1 0; L3 1 2; R1 2 3; I1 2 3; C1 2 3", TOPOLOGY_INDEX_2, 2,
             .li_cutsets = "L1 L2|L3", .index2 = "v(1) v(2) v(3)"),
        CASE("an inductor to nowhere", "R1 1 0; L1 1 2", TOPOLOGY_INDEX_2, 0, .li_cutsets = "L1", .index2 = "v(2)"),
        CASE("C-V loop and L-I cutset", "V1 1 0; C1 1 0; L1 1 2; I1 0 2", TOPOLOGY_INDEX_2, 0, .cv_loops = "C1 V1",
             .li_cutsets = "I1 L1", .index2 = "i(V1) v(2)"),
        CASE("L-I cutset through the rest of the circuit", "I1 0 1; L1 1 2; C1 2 0; R1 2 0", TOPOLOGY_INDEX_2, 1,
             .li_cutsets = "I1 L1", .index2 = "v(1)"),
        PLAIN("inductor across its own node", "R1 1 0; L1 1 1; V1 1 0", TOPOLOGY_INDEX_1, 1),
        PLAIN("capacitor across its own node", "R1 1 0; C1 1 1", TOPOLOGY_INDEX_1, 0),
        PLAIN("current source across its own node", "R1 1 0; I1 1 1", TOPOLOGY_INDEX_1, 0),
    };
    CHECK_ALL(table);
}

/* Examples of the literature: Schmitt trigger of Deuflhard and Bornemann 1.4 (index 1, A_C of rank 3 not of full rank),
 * test circuits of Rodriguez S. 2.4, mass-spring analogues of Weber N1 and N2. */
static void circuits_of_the_literature(void)
{
    static const struct expected table[] = {
        PLAIN("Schmitt trigger",
              "V1 6 0; V2 7 0; R1 7 1; R2 6 2; R3 3 0; R4 2 4; R5 6 5; C1 2 4; C2 1 3; R6 1 3; G1 2 3 1 3; C3 4 3; R7 "
              "4 3; "
              "G2 5 3 4 3",
              TOPOLOGY_INDEX_1, 3),
        CASE("V parallel C, R to C", "V1 1 0; C1 1 0; R1 1 2; C2 2 0", TOPOLOGY_INDEX_2, 1, .cv_loops = "C1 V1",
             .index2 = "i(V1)"),
        CASE("loop V C C", "V1 1 0; C1 1 2; C2 2 0", TOPOLOGY_INDEX_2, 1, .cv_loops = "C1 C2 V1", .index2 = "i(V1)"),
        CASE("I with L L cutset", "I1 0 1; L1 1 0; L2 1 0", TOPOLOGY_INDEX_2, 1, .li_cutsets = "I1 L1 L2",
             .index2 = "v(1)"),
        PLAIN("Weber N1", "C1 1 0; R1 1 0; L1 1 0; R2 1 2; L2 1 2; C2 2 0; I1 0 2", TOPOLOGY_INDEX_0, 4),
        PLAIN("Weber N1 without C1", "R1 1 0; L1 1 0; R2 1 2; L2 1 2; C2 2 0; I1 0 2", TOPOLOGY_INDEX_1, 3),
        CASE("Weber N2 without C1", "L1 1 0; L2 1 2; C2 2 0; I1 0 2", TOPOLOGY_INDEX_2, 2, .li_cutsets = "L1 L2",
             .index2 = "v(1)"),
        PLAIN("RC pair N3", "I1 0 1; C1 1 0; R1 1 0; R2 1 2; R3 2 0; C2 2 0", TOPOLOGY_INDEX_0, 2),
        CASE("NAND-like gate node on an ideal source", "V1 1 0; V2 3 0; R1 3 2; Q1 1 0 2 0; Q2 1 2 0 0; A1 2 0 1 0",
             TOPOLOGY_INDEX_2, 1, .cv_loops = "Q1 V1", .index2 = "i(V1)"),
    };
    CHECK_ALL(table);
}

static void circuits_without_a_unique_solution(void)
{
    static const struct expected table[] = {
        CASE("two voltage sources", "V1 1 0; V2 1 0; R1 1 0", TOPOLOGY_SINGULAR, -1, .v_loops = "V1 V2"),
        CASE("three sources in a ring", "V1 1 0; V2 1 2; V3 2 0; R1 1 2", TOPOLOGY_SINGULAR, -1, .v_loops = "V1 V2 V3"),
        CASE("two loops of sources", "V1 1 0; V2 1 0; V3 2 0; V4 2 0; R1 1 2", TOPOLOGY_SINGULAR, -1,
             .v_loops = "V1 V2|V3 V4"),
        CASE("a source across itself", "V1 1 1; R1 1 0", TOPOLOGY_SINGULAR, -1, .v_loops = "V1"),
        CASE("a controlled source in a loop", "V1 1 0; E1 1 0 2 0; R1 2 0; R2 1 2", TOPOLOGY_SINGULAR, -1,
             .v_loops = "E1 V1"),
        CASE("two controlled sources in a loop", "E1 1 0 2 0; E2 1 0 3 0; R1 2 0; R2 1 2; R3 3 1", TOPOLOGY_SINGULAR,
             -1, .v_loops = "E1 E2"),
        CASE("inductance of zero is a short", "V1 1 0; L1 1 0 =0; R1 1 0", TOPOLOGY_SINGULAR, -1, .v_loops = "L1 V1"),
        CASE("two current sources", "I1 0 1; I2 1 0", TOPOLOGY_SINGULAR, -1, .i_cutsets = "I1 I2"),
        CASE("a current source to nowhere", "R1 1 0; I1 1 2", TOPOLOGY_SINGULAR, -1, .i_cutsets = "I1"),
        CASE("current sources in a row", "R1 1 0; I1 1 2; I2 2 3; I3 3 0", TOPOLOGY_SINGULAR, -1,
             .i_cutsets = "I1 I2|I2 I3"),
        CASE("a part behind another one", "I1 0 1; I2 1 2; R1 2 3", TOPOLOGY_SINGULAR, -1, .i_cutsets = "I1|I2"),
        CASE("a part with elements inside", "I1 0 1; R1 1 2; C1 1 2; L1 1 2; I2 2 0", TOPOLOGY_SINGULAR, -1,
             .i_cutsets = "I1 I2"),
        CASE("parts that an inductor joins", "I1 0 1; L1 1 2; I2 2 0", TOPOLOGY_SINGULAR, -1, .li_cutsets = "I2 L1",
             .index2 = "v(2)", .i_cutsets = "I1 I2"),
        CASE("a controlled current without feedback", "R1 1 0; V1 1 0; G1 0 2 1 0", TOPOLOGY_SINGULAR, -1,
             .i_cutsets = "G1"),
        CASE("a voltage that controls without anything to fix it", "I1 0 1; G1 2 0 1 0; R1 2 0", TOPOLOGY_SINGULAR, -1,
             .i_cutsets = "I1"),
        CASE("no ground", "V1 1 2; R1 1 2", TOPOLOGY_SINGULAR, -1, .islands = "v(1) v(2)"),
        CASE("an island", "V1 1 0; R1 1 0; L1 2 3; R2 2 3", TOPOLOGY_SINGULAR, -1, .islands = "v(2) v(3)"),
        CASE("two islands", "R1 1 0; R2 2 3; C1 4 5", TOPOLOGY_SINGULAR, -1, .islands = "v(2) v(3)|v(4) v(5)"),
        CASE("secondary winding without ground", "V1 1 0; L1 1 0; L2 2 3; R1 2 3; K1 L1 L2 =0.9", TOPOLOGY_SINGULAR, -1,
             .islands = "v(2) v(3)"),
        CASE("a controlling node that nothing is connected to", "E1 1 0 2 0; R1 1 0", TOPOLOGY_SINGULAR, -1,
             .islands = "v(2)"),
        CASE("a capacitance of zero connects nothing", "R1 1 0; C1 1 2 =0", TOPOLOGY_SINGULAR, -1, .islands = "v(2)"),
    };
    CHECK_ALL(table);
}

/* ---- controlled sources ---- */

static void controlled_voltages(void)
{
    static const struct expected table[] = {
        PLAIN("by a source", "V1 1 0; E1 2 0 1 0; R1 2 0", TOPOLOGY_INDEX_1, 0),
        PLAIN("by a capacitor", "V1 1 0; R1 1 2; C1 2 0; E1 3 0 2 0; R2 3 0", TOPOLOGY_INDEX_1, 1),
        CASE("by a resistor's voltage", "V1 1 0; R1 1 2; R2 2 0; E1 3 0 2 0; R3 3 0", TOPOLOGY_UNDECIDED, -1,
             .because =
                 "E1 (line 4) is controlled by v(2), which is not determined by capacitances and voltage sources"),
        PLAIN("by a difference of floating capacitor nodes", "V1 1 0; R1 1 2; C1 2 3; R2 3 0; E1 4 0 2 3; R3 4 0",
              TOPOLOGY_INDEX_1, 1),
        PLAIN("in a chain", "V1 1 0; E3 4 0 3 0; E2 3 0 2 0; E1 2 0 1 0; R1 4 3", TOPOLOGY_INDEX_1, 0),
        CASE("in a ring", "V1 1 0; R1 1 2; E1 2 0 3 0; E2 3 0 2 0; R2 3 0", TOPOLOGY_UNDECIDED, -1,
             .because = "E1 (line 3)"),
        CASE("by its own voltage", "V1 1 0; E1 2 0 1 2; R1 2 0", TOPOLOGY_UNDECIDED, -1,
             .because = "E1 (line 2) is controlled by v(1,2)"),
        PLAIN("by an inductor's current", "V1 1 0; R1 1 2; L1 2 0; H1 3 0 L1; R2 3 0", TOPOLOGY_INDEX_1, 1),
        PLAIN("by the current of a source in series with an inductor",
              "V1 1 0; R1 1 2; L1 2 3; V2 3 0; H1 4 0 V2; R2 4 0", TOPOLOGY_INDEX_1, 1),
        CASE("by the current through a resistor", "V1 1 0; R1 1 2; V2 2 0; H1 3 0 V2; R2 3 0", TOPOLOGY_UNDECIDED, -1,
             .because = "H1 (line 4) is controlled by i(V2)"),
        CASE("in a C-V loop, by a source", "V1 1 0; E1 2 0 1 0; C1 2 0; R1 1 2", TOPOLOGY_INDEX_2, 0,
             .cv_loops = "C1 E1", .index2 = "i(E1)"),
        CASE("in a C-V loop, by a capacitor outside", "V1 1 0; R1 1 2; C1 2 0; E1 3 0 2 0; C2 3 0; R2 3 0",
             TOPOLOGY_INDEX_2, 1, .cv_loops = "C2 E1", .index2 = "i(E1)"),
        CASE("in a C-V loop, by a capacitor inside", "R1 1 0; C1 1 0; E1 2 0 1 0; C2 2 1; R2 2 0", TOPOLOGY_UNDECIDED,
             -1, .cv_loops = "C1 C2 E1", .index2 = "i(E1)", .because = "lies in a C-V loop"),
    };
    CHECK_ALL(table);
}

static void controlled_currents(void)
{
    static const struct expected table[] = {
        PLAIN("across a capacitor, by anything", "V1 1 0; R1 1 2; R2 2 0; G1 3 0 2 0; C1 3 0; R3 3 0", TOPOLOGY_INDEX_1,
              1),
        PLAIN("index 0 with a controlled current", "C1 1 0; C2 2 0; G1 1 0 2 0; G2 0 2 1 0; R1 1 0", TOPOLOGY_INDEX_0,
              2),
        PLAIN("into a resistor, by a capacitor", "C1 1 0; R1 1 0; G1 2 0 1 0; R2 2 0", TOPOLOGY_INDEX_1, 1),
        CASE("into a resistor, by a resistor", "I1 0 1; R1 1 0; G1 2 0 1 0; R2 2 0", TOPOLOGY_UNDECIDED, -1,
             .because = "G1 (line 3) is controlled by v(1), which is not determined"),
        PLAIN("across a source, by a resistor", "V1 1 0; R1 1 2; R2 2 0; G1 1 0 2 0", TOPOLOGY_INDEX_1, 0),
        PLAIN("across a source, by another source's current", "V1 1 0; V2 2 0; R1 1 2; F1 1 0 V2", TOPOLOGY_INDEX_1, 0),
        CASE("across a source, by its own current", "V1 1 0; R1 1 0; F1 1 0 V1", TOPOLOGY_UNDECIDED, -1,
             .because = "F1 (line 3) is controlled by i(V1), a current that it may be part of itself"),
        CASE("across two sources, by each other's current", "V1 1 0; V2 2 0; R1 1 2; F1 1 0 V2; F2 2 0 V1",
             TOPOLOGY_UNDECIDED, -1, .because = "(and 1 more like this)"),
        CASE("into a resistor, by a source's current", "V1 1 0; R1 1 0; F1 2 0 V1; R2 2 0", TOPOLOGY_UNDECIDED, -1,
             .because = "F1 (line 3) is controlled by i(V1)"),
        PLAIN("into a resistor, by a sensed inductor", "I1 0 1; R1 1 0; L1 1 2; V1 2 0; F1 3 0 V1; R2 3 0",
              TOPOLOGY_INDEX_1, 1),
        PLAIN("gyrator between capacitors", "C1 1 0; C2 2 0; G1 1 0 2 0; G2 0 2 1 0", TOPOLOGY_INDEX_0, 2),
        PLAIN("gyrator on resistors", "I1 0 1; R1 1 0; R2 2 0; G1 1 0 2 0; G2 0 2 1 0", TOPOLOGY_UNDECIDED, -1),
        CASE("by the current of a C-V loop", "V1 1 0; C1 1 0; F1 2 0 V1; C2 2 0; R1 2 0", TOPOLOGY_UNDECIDED, -1,
             .cv_loops = "C1 V1", .index2 = "i(V1)", .because = "i(V1)"),
        CASE("by the voltage of an L-I cutset", "I1 0 1; L1 1 0; G1 2 0 1 0; C1 2 0; R1 2 0", TOPOLOGY_UNDECIDED, -1,
             .li_cutsets = "I1 L1", .index2 = "v(1)",
             .because = "G1 (line 3) is controlled by v(1), an unknown that depends on derivatives"),
        CASE("in an L-I cutset, by a source", "V1 1 0; R1 1 0; G1 2 0 1 0; L1 2 0", TOPOLOGY_INDEX_2, 0,
             .li_cutsets = "G1 L1", .index2 = "v(2)"),
        CASE("in an L-I cutset, by a capacitor", "I1 0 1; C1 1 0; R1 1 0; G1 2 0 1 0; L1 2 0", TOPOLOGY_INDEX_2, 1,
             .li_cutsets = "G1 L1", .index2 = "v(2)"),
        CASE("in an L-I cutset, by its own inductor's current", "V1 1 0; L1 1 2; F1 2 0 L1", TOPOLOGY_UNDECIDED, -1,
             .li_cutsets = "F1 L1", .index2 = "v(2)", .because = "lies in an L-I cutset"),
        CASE("a node that only a controlled current of its own voltage joins", "V1 1 0; R1 1 0; A1 2 0 1; L1 2 0",
             TOPOLOGY_UNDECIDED, -1, .because = "is all that connects v(2)"),
        CASE("controlled sources that fix each other", "I1 0 1; G1 1 0 2 0; R1 2 0; E1 2 0 1 0", TOPOLOGY_UNDECIDED, -1,
             .because = "current sources only (I1 (line 1), G1 (line 2)) feed v(1)"),
        CASE("a current source into a transresistance", "V1 1 0; H1 1 0 V1; R1 1 0", TOPOLOGY_UNDECIDED, -1,
             .because = "a loop of voltage sources only"),
    };
    CHECK_ALL(table);
}

static void transistors(void)
{
    static const struct expected table[] = {
        PLAIN("channel with a resistive load", "V1 1 0; V2 3 0; R1 3 2; A1 2 0 1 0", TOPOLOGY_INDEX_1, 0),
        PLAIN("source follower", "V1 1 0; V2 2 0; A1 2 3 1 0; R1 3 0", TOPOLOGY_INDEX_1, 0),
        CASE("gate on a resistive divider without charges", "V1 1 0; R1 1 2; R2 2 0; R3 1 3; A1 3 0 2 0",
             TOPOLOGY_UNDECIDED, -1, .because = "A1 (line 5) is controlled by v(2)"),
        PLAIN("charges join all terminals", "V1 1 0; R1 1 2; R2 2 0; R3 1 3; A1 3 0 2; Q1 2 0 3; C1 2 3",
              TOPOLOGY_INDEX_1, 2),
        CASE("a charge that depends on a free voltage", "V1 1 0; R1 1 2; R2 2 0; R3 1 3; Q1 2 0 3", TOPOLOGY_UNDECIDED,
             -1, .because = "Q1 (line 5) depends on v(3)"),
    };
    CHECK_ALL(table);
}

/* ---- values ---- */

static void signs_and_couplings(void)
{
    static const struct expected table[] = {
        PLAIN("negative resistance across a capacitor", "C1 1 0; R1 1 0 =-5; L1 1 0", TOPOLOGY_INDEX_0, 2),
        PLAIN("negative resistance across a source", "V1 1 0; R1 1 0 =-5", TOPOLOGY_INDEX_1, 0),
        CASE("negative resistance elsewhere", "I1 0 1; R1 1 0 =-5; R2 1 0 =5", TOPOLOGY_UNDECIDED, -1,
             .because = "R1 (line 2) is negative"),
        PLAIN("negative capacitance alone", "C1 1 0 =-1; R1 1 0", TOPOLOGY_INDEX_0, 1),
        CASE("negative capacitance beside another", "C1 1 0 =-1; C2 1 0 =1; R1 1 0", TOPOLOGY_UNDECIDED, -1,
             .because = "C1 (line 1) is negative"),
        PLAIN("negative inductance", "V1 1 0; R1 1 2; L1 2 0 =-1", TOPOLOGY_INDEX_1, 1),
        CASE("negative inductance in a cutset", "V1 1 0; L1 1 2 =1; L2 2 0 =-1", TOPOLOGY_UNDECIDED, -1,
             .li_cutsets = "L1 L2", .index2 = "v(2)", .because = "L2 (line 3) is negative"),
        CASE("infinite resistance is no path", "V1 1 0; R1 1 2 =inf; R2 1 0", TOPOLOGY_SINGULAR, -1, .i_cutsets = "R1"),
        PLAIN("loose coupling", "V1 1 0; R1 1 2; L1 2 0; L2 3 0; R2 3 0; K1 L1 L2 =0.99", TOPOLOGY_INDEX_1, 2),
        CASE("coupled inductors in a cutset", "I1 0 1; L1 1 0; L2 2 0; R2 2 0; K1 L1 L2 =0.5", TOPOLOGY_INDEX_2, 1,
             .li_cutsets = "I1 L1", .index2 = "v(1)"),
        CASE("unity coupling", "V1 1 0; R1 1 2; L1 2 0; L2 3 0; R2 3 0; K1 L1 L2 =1", TOPOLOGY_UNDECIDED, -1,
             .because = "the inductors L1 (line 3), L2 (line 4) are coupled so tightly"),
        PLAIN("three windings, definite",
              "V1 1 0; L1 1 0; L2 2 0; R2 2 0; L3 3 0; R3 3 0; K1 L1 L2 =0.9; K2 L2 L3 =0.9; "
              "K3 L1 L3 =0.9",
              TOPOLOGY_INDEX_1, 3),
        CASE("three windings, contradictory signs",
             "V1 1 0; L1 1 0; L2 2 0; R2 2 0; L3 3 0; R3 3 0; K1 L1 L2 =0.9; "
             "K2 L2 L3 =0.9; K3 L1 L3 =-0.9",
             TOPOLOGY_UNDECIDED, -1, .because = "coupled so tightly, or with such signs"),
    };
    CHECK_ALL(table);
}

/* ---- direct current ---- */

static void parts_without_direct_current_are_found(void)
{
    struct branch_circuit c;
    char text[512];
    struct topology *t = analyze_branch_circuit(&c, "V1 1 0; C1 1 2; C2 2 0; C3 1 3; R1 3 4; C4 4 0; I1 0 4; R2 1 0");
    write_node_sets(t, &t->floating, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "v(2)|v(3) v(4)");
    CU_ASSERT_FATAL(t->floating.count == 2);
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT(t->floating_fed[i] == (t->floating.sets[i].count == 2));
    topology_free(t);
}

static void shorts_at_direct_current_are_found(void)
{
    struct branch_circuit c;
    char text[512];
    struct topology *t = analyze_branch_circuit(&c, "V1 1 0; L1 1 0; L2 1 2; L3 1 2; R1 2 0; L4 2 2");
    write_branch_sets(&t->vl_loops, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "L1 V1|L2 L3|L4");
    topology_free(t);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(passive_circuits_with_sources),
        CLAIM(circuits_of_the_literature),
        CLAIM(circuits_without_a_unique_solution),
        CLAIM(controlled_voltages),
        CLAIM(controlled_currents),
        CLAIM(transistors),
        CLAIM(signs_and_couplings),
        CLAIM(parts_without_direct_current_are_found),
        CLAIM(shorts_at_direct_current_are_found),
    };
    return run_claims("topology", claims, sizeof claims / sizeof claims[0]);
}
