/* The index report of every deck in tests/decks/index, which states what it expects in lines  "* expect ..":
 *
 *     index N [topology N] [undecided] [freedom N]      the verdicts and the degrees of freedom
 *     singular [undecided]
 *     cv-loop a b .. / li-cutset .. / v-loop .. / i-cutset ..   one line for each; others must not be found
 *     index2 u v ..                                     exactly the unknowns that depend on derivatives
 *     index3 u v .. / index4 u v ..                     those of them that second (third) derivatives enter
 *     hidden equation                                   one of the hidden constraints
 *     floating n m ..
 */
#include "analyses/check/check.h"
#include "analyses/run_index.h"
#include "claims.h"
#include "read_circuit.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 512, MOST_LINES = 16 };

struct expectation {
    char lines[MOST_LINES][LINE];
    int count;
};

static bool read_expectation(const char *path, struct expectation *e)
{
    char line[LINE];
    FILE *file = fopen(path, "r");
    e->count = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "* expect ", 9) == 0 && e->count < MOST_LINES) {
            line[strcspn(line, "\r\n")] = '\0';
            strcpy(e->lines[e->count++], line + 9);
        }
    if (file)
        fclose(file);
    return file && e->count > 0;
}

static void claim(bool holds, const char *path, const char *what, const struct index_report *r)
{
    if (!holds) {
        fprintf(stderr, "\n%s: expected %s\n", path, what);
        if (r)
            check_write_json(r, stderr);
    }
    CU_ASSERT(holds);
}

/* ---- sets of words ---- */

static size_t split(char *text, char **words, size_t most)
{
    size_t count = 0;
    for (char *w = strtok(text, " "); w && count < most; w = strtok(NULL, " "))
        words[count++] = w;
    return count;
}

static bool same_elements(const struct report_set *set, char **words, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < count; k++)
            found += strcasecmp(set->elements[i]->name, words[k]) == 0;
    return found == count && set->count == count;
}

static bool has_set(const struct report_sets *sets, char **words, size_t count)
{
    for (size_t i = 0; i < sets->count; i++)
        if (same_elements(&sets->sets[i], words, count))
            return true;
    return false;
}

static bool same_names(const struct names *names, char **words, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < names->count; i++)
        for (size_t k = 0; k < count; k++)
            found += strcmp(names->names[i], words[k]) == 0;
    return found == count && names->count == count;
}

static bool has_name(const struct names *names, const char *text)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], text) == 0)
            return true;
    return false;
}

/* ---- expectations ---- */

/* The unknowns of exactly this index. */
static bool same_index(const struct index_report *r, int index, char **words, size_t count)
{
    size_t found = 0, all = 0;
    for (int i = 1; i <= r->unknowns; i++) {
        all += r->order[i] == index - 1;
        for (size_t k = 0; k < count; k++)
            found += r->order[i] == index - 1 && strcmp(r->topology->unknowns[i].name, words[k]) == 0;
    }
    return found == count && all == count;
}

static int number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at ? atoi(at + strlen(word)) : -1;
}

static bool verdict_holds(const struct index_report *r, const char *line)
{
    const bool undecided = strstr(line, "undecided") != NULL;
    const int freedom = number_after(line, "freedom "), topology = number_after(line, "topology ");
    if (undecided != (r->undecided != NULL))
        return false;
    if (strncmp(line, "singular", 8) == 0)
        return r->singular;
    return !r->singular && r->index == number_after(line, "index ") && r->numerical_index == r->index &&
           (topology < 0 || r->topological_index == topology) && (freedom < 0 || r->degrees_of_freedom == freedom);
}

struct counted {
    const char *word;
    const struct report_sets *sets;
    size_t expected;
};

static bool line_holds(const struct index_report *r, const char *line, struct counted *kinds, bool *names_said)
{
    char copy[LINE], *words[MOST_LINES];
    strcpy(copy, line);
    const size_t count = split(copy, words, MOST_LINES);
    for (int k = 0; k < 4; k++)
        if (strcmp(words[0], kinds[k].word) == 0) {
            kinds[k].expected++;
            return has_set(kinds[k].sets, words + 1, count - 1);
        }
    if (strcmp(words[0], "index2") == 0) {
        *names_said = true;
        return same_names(&r->index2_unknowns, words + 1, count - 1);
    }
    if (strcmp(words[0], "index3") == 0 || strcmp(words[0], "index4") == 0)
        return same_index(r, words[0][5] - '0', words + 1, count - 1);
    if (strcmp(words[0], "hidden") == 0)
        return has_name(&r->hidden, line + 7);
    if (strcmp(words[0], "floating") == 0)
        return same_names(&r->floating_nodes, words + 1, count - 1);
    return verdict_holds(r, line);
}

static void check_report(const struct index_report *r, const char *path, const struct expectation *e)
{
    struct counted kinds[] = {{"cv-loop", &r->cv_loops, 0},
                              {"li-cutset", &r->li_cutsets, 0},
                              {"v-loop", &r->v_loops, 0},
                              {"i-cutset", &r->i_cutsets, 0}};
    bool names_said = false;
    for (int i = 0; i < e->count; i++)
        claim(line_holds(r, e->lines[i], kinds, &names_said), path, e->lines[i], r);
    for (int k = 0; k < 4; k++)
        claim(kinds[k].expected == kinds[k].sets->count || strncmp(e->lines[0], "singular", 8) == 0 ||
                  (k == 0 && e->lines[0][6] == '2' && r->undecided),
              path, "no other sets", r);
    claim(names_said == (r->index2_unknowns.count > 0), path, "index-2 unknowns to be stated", r);
}

static void check_deck(const char *path)
{
    struct expectation e;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct circuit *circuit = NULL;
    struct index_report *r = NULL;
    const struct check_options options = {0};
    claim(read_expectation(path, &e), path, "lines of expectations", NULL);
    enum kn_status status = circuit_read_file(&device_catalogue, path, d, &circuit);
    if (status == KN_OK)
        status = check_circuit(circuit, &options, d, &r);
    claim(status == KN_OK, path, "to be a good deck", NULL);
    if (status == KN_OK)
        check_report(r, path, &e);
    claim(!r || r->singular == (kn_diagnostics_errors(d) > 0), path, "errors just where it is singular", r);
    check_free(r);
    circuit_free(circuit);
    kn_diagnostics_free(d);
}

static void reports_of_the_decks_are_as_they_state(void)
{
    glob_t decks;
    CU_ASSERT_EQUAL_FATAL(glob(KNOTEN_SOURCE_DIR "/tests/decks/index/*.cir", 0, NULL, &decks), 0);
    CU_ASSERT(decks.gl_pathc >= 40);
    for (size_t i = 0; i < decks.gl_pathc; i++)
        check_deck(decks.gl_pathv[i]);
    globfree(&decks);
}

/* ---- reports from text ---- */

struct bench {
    struct kn_diagnostics *diagnostics;
    struct circuit *circuit;
    struct index_report *report;
};

static bool open_bench(struct bench *b, const char *text, const struct check_options *o)
{
    *b = (struct bench){.diagnostics = kn_diagnostics_new()};
    if (circuit_read_text(&device_catalogue, "t.cir", text, strlen(text), b->diagnostics, &b->circuit) == KN_OK &&
        check_circuit(b->circuit, o, b->diagnostics, &b->report) == KN_OK)
        return true;
    CU_FAIL("the deck was refused");
    return false;
}

static void close_bench(struct bench *b)
{
    check_free(b->report);
    circuit_free(b->circuit);
    kn_diagnostics_free(b->diagnostics);
}

static void nonlinear_index_follows_the_point_of_the_run(void)
{
    /* the charge (v - 1)^3 has no capacitance where the source stands at 1 */
    static const char text[] = "t\nV1 a 0 PWL(0 0 1m 1)\nR1 a b 1k\nC1 b 0 Q='(v(b)-1)*(v(b)-1)*(v(b)-1)*1e-9'\n"
                               "R2 b c 1k\nC2 c 0 1p\n.tran 1u 2m\n.end\n";
    struct bench b;
    const struct check_options start = {0}, late = {.has_time = true, .time = 0.5e-3};
    if (open_bench(&b, text, &start)) {
        CU_ASSERT_EQUAL(b.report->index, 1);
        CU_ASSERT_EQUAL(b.report->degrees_of_freedom, 2);
    }
    close_bench(&b);
    if (open_bench(&b, text, &late)) {
        CU_ASSERT_STRING_EQUAL(b.report->point, "at t = 0.0005 s");
        CU_ASSERT_EQUAL(b.report->index, 1);
    }
    close_bench(&b);
}

static void constancy_is_told_along_a_run(void)
{
    struct bench b;
    const struct check_options o = {.has_time = true, .time = 1e-3};
    if (open_bench(
            &b,
            "t\nV1 a 0 SIN(1 0.5 1k)\nC1 a b Q='(v(a,b)+v(a,b)*v(a,b)*v(a,b))*1u'\nC2 b 0 Q='(v(b)+v(b)*v(b))*1u'\n"
            "R1 b 0 1k\n.tran 1u 2m\n.end\n",
            &o)) {
        CU_ASSERT_EQUAL(b.report->index, 2);
        CU_ASSERT_PTR_NOT_NULL_FATAL(b.report->constancy);
        CU_ASSERT_STRING_EQUAL(b.report->constancy,
                               "N1 constant, S1 turns, im G1 turns (charge-oriented, at 9 points)");
    }
    close_bench(&b);
}

static void nonlinear_entry_of_an_index_2_unknown_is_seen(void)
{
    struct bench b;
    const struct check_options o = {0};
    if (open_bench(&b, "t\nI1 0 a SIN(1m 1m 1k)\nL1 a b 1m\nR1 b 0 1k\nB1 c 0 I=V(a)*V(a)*1e-3-1m\nR2 c 0 1k\n.end\n",
                   &o))
        CU_ASSERT(b.report->numbers && b.report->numbers->nonlinear);
    close_bench(&b);
    if (open_bench(&b, "t\nI1 0 a 1m\nL1 a b 1m\nR1 b 0 1k\nD1 b 0 d\n.model d d\n.end\n", &o))
        CU_ASSERT(b.report->numbers && !b.report->numbers->nonlinear);
    close_bench(&b);
}

static void check_note(const char *text, const char *expected, const char *hint)
{
    struct bench b;
    const struct check_options o = {0};
    struct run_index index = {0};
    if (open_bench(&b, text, &o)) {
        double *x = calloc((size_t)mna_unknown_count(b.report->mna) + 1, sizeof *x);
        CU_ASSERT(run_index_init(&index, b.report->mna, b.report->topology, b.diagnostics) == KN_OK);
        CU_ASSERT(x && run_index_start(&index, x) == KN_OK);
        run_index_note(&index, b.diagnostics);
        const size_t count = kn_diagnostics_count(b.diagnostics);
        CU_ASSERT_EQUAL(count, expected != NULL);
        if (count == 1 && expected)
            CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(b.diagnostics, 0)->text, expected);
        if (count == 1 && hint)
            CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(b.diagnostics, 0)->hint, hint);
        free(x);
        run_index_free(&index);
    }
    close_bench(&b);
}

static void note_of_a_run_names_loop_and_unknowns(void)
{
    check_note(
        "t\nV1 a 0 1\nC1 a 0 1u\nR1 a 0 1\n.end\n",
        "index 2 by the C-V loop V1 (line 2) - C1 (line 3): i(v1) depends on slopes of the sources, and its error "
        "does not shorten steps; knoten check says more",
        NULL);
    check_note("t\nV1 a 0 1\nR1 a 0 1\n.end\n", NULL, NULL);
}

/* Two differentiators in a row; integrators with a linear and a nonlinear amplifier, of index 1. */
static void note_of_a_run_tells_the_index_that_values_make(void)
{
    check_note(
        "t\nV1 a 0 SIN(0 1 1k)\nC1 a x 1u\nVs x 0 0\nH1 c 0 Vs 1k\nC2 c y 1u\nVt y 0 0\nR1 a 0 1\n.end\n",
        "the equations have index 3: the C-V loop V1 (line 2) - C1 (line 3) - Vs (line 4) and 1 more; v(c), i(v1), "
        "i(vs), i(vt), i(h1) depend on derivatives of the sources",
        "noise reaches i(vt), i(h1) amplified by 1/h^2, and no step size control can remove it; knoten check tells "
        "more");
    check_note("t\nV1 a 0 1\nR1 a m 1k\nC1 m o 1u\nE1 o 0 0 m 1e6\n.end\n", NULL, NULL);
    check_note("t\nV1 a 0 1\nR1 a m 1k\nC1 m o 1u\nB1 o 0 V=-1e6*V(m)-V(m)*V(m)*V(m)\n.end\n", NULL, NULL);
}

/* ---- what rounding hides ---- */

/* Not decided, a reason with these words, and a run that is not refused for it. */
static void check_not_decided(const char *text, const char *words)
{
    struct bench b;
    const struct check_options o = {0};
    struct run_index index = {0};
    if (open_bench(&b, text, &o)) {
        const struct index_report *r = b.report;
        const bool right = !r->singular && r->index == -1 && r->not_decided && strstr(r->not_decided, words);
        if (!right)
            check_write_text(r, stderr);
        CU_ASSERT(right);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(b.diagnostics), 0);
        CU_ASSERT(run_index_init(&index, r->mna, r->topology, b.diagnostics) == KN_OK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(b.diagnostics), 0);
        run_index_free(&index);
    }
    close_bench(&b);
}

static void what_rounding_hides_is_not_decided_and_not_refused(void)
{
    check_not_decided("t\nE1 2 0 1 0 {sqrt(2)}\nE2 1 0 2 0 {1/sqrt(2)}\nR1 1 0 1\n.end\n",
                      "values cancel up to their last digits");
    check_not_decided("t\nC0 1 3 5e9\nD1 3 0 dm\nS2 0 3 0 3 sm\nR3 0 2 68e-7\nL4 3 1 96e-4\nS5 2 3 1 3 sm\n"
                      "R6 3 1 30e-3\nE7 3 0 0 2 69\nI8 3 0 35e3\n.model sm sw(vt=1 ron=1m roff=1e12)\n"
                      ".model dm d(cjo=1p)\n.end\n",
                      "at v(2), where R3 (line 5), S5 (line 7) meet, values 17 decades apart are added");
    check_not_decided("t\nE1 2 0 1 0 {sqrt(2)}\nE2 1 0 2 0 {1/sqrt(2)}\nR1 1 0 1n\nR2 1 2 1t\n.end\n",
                      "R1 (line 4) with 1e-09 ohm and R2 (line 5) with 1e+12 ohm are 21 decades apart");
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(reports_of_the_decks_are_as_they_state),
        CLAIM(nonlinear_index_follows_the_point_of_the_run),
        CLAIM(constancy_is_told_along_a_run),
        CLAIM(nonlinear_entry_of_an_index_2_unknown_is_seen),
        CLAIM(note_of_a_run_names_loop_and_unknowns),
        CLAIM(note_of_a_run_tells_the_index_that_values_make),
        CLAIM(what_rounding_hides_is_not_decided_and_not_refused),
    };
    return run_claims("check", claims, sizeof claims / sizeof *claims);
}
