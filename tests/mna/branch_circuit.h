/* branch_circuit.h - circuits for tests of the topological analysis, written as short texts without a netlist reader.
 *
 * "V1 1 0; R1 1 2; C1 2 0 =-1; E1 3 0 2 0; F1 3 0 V1; K1 L1 L2 =0.5": elements by their letters R C L V I E G F H K;
 * nodes are numbers, 0 is ground; =value is the value of R, C, L, K.  A is a transistor's current (nodes d s and then
 * what else controls it, nothing known about the differences), Q a charge of that kind, T a resistive branch with a
 * current of its own (a line's port).  The element's number in the text is its line.
 */
#ifndef TESTS_MNA_BRANCH_CIRCUIT_H
#define TESTS_MNA_BRANCH_CIRCUIT_H

#include "devices/setup.h"
#include "mna/topology/topology.h"

#include <CUnit/CUnit.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 64, MOST_NODES = 64, MOST_WORDS = 10 };

struct branch_circuit {
    struct branch_list list;
    struct element elements[MOST_ELEMENTS];
    struct element_kind kinds[MOST_ELEMENTS];
    int current[MOST_ELEMENTS];    /* unknown numbers, 0 if none */
    int element_count, node_count; /* ground not counted */
    struct unknown unknowns[MOST_ELEMENTS + MOST_NODES];
    char unknown_names[MOST_ELEMENTS + MOST_NODES][20];
    int unknown_count;
    struct {
        char words[MOST_WORDS][16];
        int count;
        double value;
    } lines[MOST_ELEMENTS];
};

static inline void read_words(struct branch_circuit *c, const char *text)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = NULL;
    for (char *line = strtok_r(copy, ";", &rest); line; line = strtok_r(NULL, ";", &rest)) {
        char *more = NULL;
        const int e = c->element_count++;
        c->lines[e].value = NAN;
        for (char *word = strtok_r(line, " ", &more); word; word = strtok_r(NULL, " ", &more))
            if (word[0] == '=')
                c->lines[e].value = strtod(word + 1, NULL);
            else
                snprintf(c->lines[e].words[c->lines[e].count++], 16, "%s", word);
        const char *name = c->lines[e].words[0];
        c->kinds[e].letter = (char)tolower((unsigned char)name[0]);
        c->elements[e] = (struct element){.kind = &c->kinds[e], .name = name, .number = e, .where.line = e + 1};
    }
}

static inline int word_node(const struct branch_circuit *c, int e, int word)
{
    return (int)strtol(c->lines[e].words[word], NULL, 10);
}

static inline void add_test_unknown(struct branch_circuit *c, enum unknown_kind kind, char letter, const char *name)
{
    const int u = ++c->unknown_count;
    snprintf(c->unknown_names[u], sizeof c->unknown_names[u], "%c(%.15s)", letter, name);
    c->unknowns[u] = (struct unknown){.name = c->unknown_names[u], .kind = kind, .node = letter == 'v' ? u : -1};
}

static inline void number_unknowns(struct branch_circuit *c)
{
    for (int e = 0; e < c->element_count; e++)
        for (int w = 1; w < c->lines[e].count; w++)
            if (isdigit((unsigned char)c->lines[e].words[w][0]) && word_node(c, e, w) > c->node_count)
                c->node_count = word_node(c, e, w);
    for (int i = 1; i <= c->node_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        add_test_unknown(c, UNKNOWN_VOLTAGE, 'v', name);
    }
    for (int e = 0; e < c->element_count; e++)
        if (strchr("vleht", c->kinds[e].letter)) {
            add_test_unknown(c, UNKNOWN_CURRENT, 'i', c->elements[e].name);
            c->current[e] = c->unknown_count;
        }
}

static inline int find_test_element(const struct branch_circuit *c, const char *name)
{
    for (int e = 0; e < c->element_count; e++)
        if (strcmp(c->elements[e].name, name) == 0)
            return e;
    return -1;
}

static inline enum branch_kind test_kind(char letter)
{
    return strchr("rt", letter)    ? BRANCH_R
           : strchr("cq", letter)  ? BRANCH_C
           : letter == 'l'         ? BRANCH_L
           : strchr("veh", letter) ? BRANCH_V
                                   : BRANCH_I;
}

static inline void add_test_branch(struct branch_circuit *c, int e)
{
    const char letter = c->kinds[e].letter;
    int controls[MOST_WORDS], count = 0;
    struct branch_control pairs[MOST_WORDS];
    size_t pair_count = 0;
    struct branch b = {.kind = test_kind(letter),
                       .plus = word_node(c, e, 1),
                       .minus = word_node(c, e, 2),
                       .element = &c->elements[e],
                       .role = letter == 't'           ? ROLE_PORT
                               : strchr("rcl", letter) ? ROLE_VALUE
                               : strchr("vi", letter)  ? ROLE_SOURCE
                                                       : ROLE_LAW,
                       .constant = c->lines[e].value,
                       .current = c->current[e],
                       .controlled = strchr("egfhaq", letter) != NULL};
    for (int w = 3; w < c->lines[e].count; w++) {
        const bool is_current = strchr("fh", letter) != NULL;
        controls[count++] = is_current ? c->current[find_test_element(c, c->lines[e].words[w])] : word_node(c, e, w);
        if (is_current)
            pairs[pair_count++] = (struct branch_control){controls[count - 1], 0};
        else if (strchr("eg", letter) && w % 2 == 0)
            pairs[pair_count++] = (struct branch_control){controls[count - 2], controls[count - 1]};
    }
    b.controls = controls;
    b.control_count = (size_t)count;
    b.pairs = pairs;
    b.pair_count = pair_count;
    CU_ASSERT_FATAL(branch_add(&c->list, &b));
}

/* The circuit must outlive the topology. */
static inline void read_branch_circuit(struct branch_circuit *c, const char *text)
{
    memset(c, 0, sizeof *c);
    read_words(c, text);
    number_unknowns(c);
    for (int e = 0; e < c->element_count; e++)
        if (c->kinds[e].letter != 'k')
            add_test_branch(c, e);
        else
            CU_ASSERT_FATAL(branch_couple(
                &c->list, &(struct coupling){.element = &c->elements[e],
                                             .first = &c->elements[find_test_element(c, c->lines[e].words[1])],
                                             .second = &c->elements[find_test_element(c, c->lines[e].words[2])],
                                             .coefficient = c->lines[e].value}));
}

static inline struct topology *analyze_branch_circuit(struct branch_circuit *c, const char *text)
{
    struct topology *t = NULL;
    read_branch_circuit(c, text);
    const struct topology_names names = {c->unknowns, c->unknown_count, NULL};
    CU_ASSERT_FATAL(topology_analyze(&c->list, &names, &t) == KN_OK);
    return t;
}

#endif
