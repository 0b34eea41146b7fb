/* topology_report.c - what makes a circuit unsolvable, said before any numerics with every culprit named. */
#include "mna/listing.h"
#include "mna/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 600 };

struct report {
    const struct topology *t;
    const struct mna *mna;
    const struct circuit *circuit;
    struct kn_diagnostics *d;
    bool *inside;  /* [unknown_count + 1] nodes of the island being reported */
    bool *belongs; /* [element_count + 1] elements there */
    bool tied;     /* islands get a node of voltage 0 (topology_tie_islands): that is a warning */
};

/* ---- lists ---- */

static void write_branches(const struct report *r, const struct branch_set *set, struct text *text)
{
    struct text_list list = text_list(text, ", ", 0);
    for (size_t i = 0; i < set->count; i++)
        listing_item(&list, r->circuit->file, set->branches[i]->element);
    text_list_end_and(&list);
}

/* The voltage's own name without v(..): nodes inside devices have no other. */
static void write_node(const struct report *r, int unknown, char *text, size_t size)
{
    const char *name = r->t->unknowns[unknown].name;
    const size_t length = strlen(name);
    const int kept = length > 3 ? (int)(length - 3) : 0;
    snprintf(text, size, "'%.*s'", kept, length > 3 ? name + 2 : name);
}

static void write_nodes(const struct report *r, const struct node_set *set, struct text *text)
{
    char node[160];
    struct text_list list = text_list(text, ", ", 0);
    bool more = true;
    for (size_t i = 0; i < set->count && more; i++) {
        write_node(r, set->nodes[i], node, sizeof node);
        more = text_list_add(&list, node);
    }
    text_list_end_and(&list);
}

static void mark_nodes(const struct report *r, const struct node_set *set, bool mark)
{
    for (size_t i = 0; i < set->count; i++)
        r->inside[set->nodes[i]] = mark;
}

static void report_rest(const struct report *r, size_t count, const char *code, const char *what)
{
    if (count > TOPOLOGY_MOST_LISTED)
        diagnostics_add(r->d, r->tied ? KN_WARNING : KN_ERROR, code, NOWHERE, NULL, "and %zu more %s",
                        count - TOPOLOGY_MOST_LISTED, what);
}

/* ---- loops of V ---- */

static void report_source_across_itself(const struct report *r, const struct branch *b)
{
    char node[160] = "ground";
    if (b->plus > 0)
        write_node(r, b->plus, node, sizeof node);
    diagnostics_add(r->d, KN_ERROR, "v-loop", b->element->where, "remove it, or connect one end to another node",
                    "both ends of %s are connected to %s: it shorts itself and its current is not determined",
                    b->element->name, node);
}

static void report_v_loop(const struct report *r, const struct branch_set *loop)
{
    struct text sources = TEXT(LONGEST);
    if (loop->count == 1) {
        report_source_across_itself(r, loop->branches[0]);
        return;
    }
    write_branches(r, loop, &sources);
    diagnostics_add(
        r->d, KN_ERROR, "v-loop", loop->branches[0]->element->where,
        "remove one of them, or put the resistance that real sources and wires have in series with one",
        "%s form a loop of voltage sources (or shorts): their voltages contradict or repeat each other, and "
        "nothing determines the current around the loop",
        sources.at);
}

/* ---- cutsets of I ---- */

static void report_i_cutset(const struct report *r, const struct branch_set *cutset, const struct node_set *part)
{
    struct text sources = TEXT(LONGEST), nodes = TEXT(LONGEST);
    write_branches(r, cutset, &sources);
    write_nodes(r, part, &nodes);
    const char *consequence = cutset->count == 1   ? "its current has nowhere to go"
                              : cutset->count == 2 ? "their currents cannot both hold"
                                                   : "their currents cannot all hold";
    const char *verb = cutset->count == 1 ? "feeds" : "feed";
    const char *noun = part->count == 1 ? "node" : "nodes";
    diagnostics_add(r->d, KN_ERROR, "i-cutset", cutset->branches[0]->element->where,
                    "give the current a path: a resistance or a capacitance from there to the rest of the circuit",
                    "%s alone %s %s %s: %s, and nothing determines the voltage there", sources.at, verb, noun, nodes.at,
                    consequence);
}

/* ---- islands ---- */

static enum kn_severity severity_of(const struct report *r)
{
    return r->tied ? KN_WARNING : KN_ERROR;
}

/* Of a node of the circuit, where the island has one: nodes inside devices cannot be tied. */
static int tied_unknown(const struct topology *t, const struct node_set *island)
{
    for (size_t i = 0; i < island->count; i++)
        if (!t->unknowns[island->nodes[i]].element && t->unknowns[island->nodes[i]].node > 0)
            return island->nodes[i];
    return 0;
}

static bool touches_ground(const struct topology *t)
{
    for (size_t i = 0; i < t->list.count; i++)
        if (t->list.branches[i].plus == 0 || t->list.branches[i].minus == 0)
            return true;
    return t->list.count == 0;
}

/* Elements with a branch inside, in the order of the deck; 0 if there are none. */
static size_t write_island_elements(const struct report *r, struct text *text)
{
    struct text_list list = text_list(text, ", ", 0);
    memset(r->belongs, 0, r->circuit->element_count * sizeof *r->belongs);
    for (size_t i = 0; i < r->t->list.count; i++) {
        const struct branch *b = &r->t->list.branches[i];
        if (r->inside[b->plus > 0 ? b->plus : b->minus])
            r->belongs[b->element->number] = true;
    }
    bool more = true;
    for (size_t i = 0; i < r->circuit->element_count && more; i++)
        if (r->belongs[i])
            more = listing_item(&list, r->circuit->file, &r->circuit->elements[i]);
    text_list_end_and(&list);
    return list.given;
}

static bool is_controlled_from_inside(const struct report *r, const struct branch *b)
{
    for (size_t k = 0; k < b->control_count; k++)
        if (r->inside[b->controls[k]])
            return true;
    return false;
}

static void report_bare_node(const struct report *r, const struct node_set *island)
{
    char node[160];
    write_node(r, island->nodes[0], node, sizeof node);
    const struct kn_location where = mna_unknown_place(r->mna, island->nodes[0] - 1);
    for (size_t i = 0; i < r->t->list.count; i++) {
        const struct branch *b = &r->t->list.branches[i];
        if (!is_controlled_from_inside(r, b))
            continue;
        diagnostics_add(r->d, severity_of(r), "island", where, "connect an element to it, or correct the name",
                        "node %s controls %s, but no element is connected to it%s", node, b->element->name,
                        r->tied ? "; it is taken as 0 V" : "");
        return;
    }
    diagnostics_add(r->d, severity_of(r), "island", where, "connect it, or remove what mentions it",
                    "no current can flow to node %s: %s", node,
                    r->tied ? "it is taken as 0 V" : "nothing determines its voltage");
}

static void report_tied(const struct report *r, const struct node_set *island, const char *elements)
{
    struct text nodes = TEXT(LONGEST);
    char node[160];
    write_nodes(r, island, &nodes);
    write_node(r, tied_unknown(r->t, island), node, sizeof node);
    diagnostics_add(r->d, KN_WARNING, "island", mna_unknown_place(r->mna, island->nodes[0] - 1),
                    island->count == 1 ? "connect it to node 0" : "connect one of them to node 0",
                    "%s %s (%s) %s no path to ground: the voltage of %s is taken as 0 V",
                    island->count == 1 ? "node" : "nodes", nodes.at, elements, island->count == 1 ? "has" : "have",
                    node);
}

static void report_island(const struct report *r, const struct node_set *island)
{
    struct text nodes = TEXT(LONGEST), elements = TEXT(LONGEST);
    if (write_island_elements(r, &elements) == 0) {
        report_bare_node(r, island);
        return;
    }
    if (r->tied) {
        report_tied(r, island, elements.at);
        return;
    }
    write_nodes(r, island, &nodes);
    diagnostics_add(r->d, KN_ERROR, "island", mna_unknown_place(r->mna, island->nodes[0] - 1),
                    island->count == 1 ? "connect it to node 0" : "connect one of them to node 0",
                    "%s %s (%s) %s no path to ground: nothing determines %s there",
                    island->count == 1 ? "node" : "nodes", nodes.at, elements.at, island->count == 1 ? "has" : "have",
                    island->count == 1 ? "the voltage" : "the voltages");
}

static void report_no_ground(const struct report *r)
{
    diagnostics_add(r->d, KN_ERROR, "no-ground", r->circuit->elements[0].where,
                    "name the node that all voltages are measured against 0 (or gnd)",
                    "the circuit has no ground: no element is connected to node 0");
}

/* ---- the whole ---- */

static void report_islands(const struct report *r)
{
    const struct node_sets *islands = &r->t->islands;
    if (islands->count > 0 && !touches_ground(r->t)) {
        report_no_ground(r);
        return;
    }
    for (size_t i = 0; i < islands->count && i < TOPOLOGY_MOST_LISTED; i++) {
        mark_nodes(r, &islands->sets[i], true);
        report_island(r, &islands->sets[i]);
        mark_nodes(r, &islands->sets[i], false);
    }
    report_rest(r, islands->count, "island", "parts without a path to ground");
}

static void report_all(const struct report *r)
{
    const struct topology *t = r->t;
    for (size_t i = 0; i < t->v_loops.count && i < TOPOLOGY_MOST_LISTED; i++)
        report_v_loop(r, &t->v_loops.sets[i]);
    report_rest(r, t->v_loops.count, "v-loop", "loops of voltage sources");
    for (size_t i = 0; i < t->i_cutsets.count && i < TOPOLOGY_MOST_LISTED; i++)
        report_i_cutset(r, &t->i_cutsets.sets[i], &t->i_parts.sets[i]);
    report_rest(r, t->i_cutsets.count, "i-cutset", "nodes fed by current sources only");
    report_islands(r);
}

static enum kn_status report(struct report *r, void (*what)(const struct report *r))
{
    r->inside = calloc((size_t)r->t->unknown_count + 1, sizeof *r->inside);
    r->belongs = calloc(r->circuit->element_count + 1, sizeof *r->belongs);
    const bool allocated = r->inside && r->belongs;
    if (allocated)
        what(r);
    free(r->inside);
    free(r->belongs);
    return allocated ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status topology_report_defects(const struct topology *t, const struct mna *m, struct kn_diagnostics *d)
{
    struct report r = {.t = t, .mna = m, .circuit = mna_circuit(m), .d = d};
    if (t->v_loops.count + t->i_cutsets.count + t->islands.count == 0)
        return KN_OK;
    const enum kn_status status = report(&r, report_all);
    return status == KN_OK ? KN_ERROR_CIRCUIT : status;
}

/* ---- islands that get a node of voltage 0 ---- */

bool topology_can_tie_islands(const struct topology *t)
{
    bool good = t->islands.count > 0 && touches_ground(t);
    for (size_t i = 0; good && i < t->islands.count; i++)
        good = tied_unknown(t, &t->islands.sets[i]) > 0;
    return good;
}

/* A resistor from a node of each island to ground.  It is all that leads out, so that no current flows in it (Kirchhoff's
 * current law of the island as a whole), and any resistance does. */
static bool add_ties(const struct topology *t, struct arena *memory, struct circuit *c)
{
    const size_t count = t->islands.count;
    struct element *elements = arena_array(memory, c->element_count + count, sizeof *elements);
    int *nodes = arena_array(memory, 2 * count, sizeof *nodes);
    if (!elements || !nodes)
        return false;
    memcpy(elements, c->elements, c->element_count * sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        const int node = t->unknowns[tied_unknown(t, &t->islands.sets[i])].node, number = (int)(c->element_count + i);
        nodes[2 * i] = node;
        nodes[2 * i + 1] = 0;
        elements[number] = (struct element){.kind = catalogue_letter(c->catalogue, 'r'),
                                            .name = arena_format(memory, "%s#ground", c->nodes[node].name),
                                            .number = number,
                                            .where = c->nodes[node].where,
                                            .nodes = nodes + 2 * i,
                                            .node_count = 2,
                                            .has_value = true,
                                            .value = 1};
        if (!elements[number].name)
            return false;
    }
    c->elements = elements;
    c->element_count += count;
    return true;
}

enum kn_status topology_tie_islands(const struct topology *t, const struct mna *m, struct kn_diagnostics *d,
                                    struct arena *memory, struct circuit *out)
{
    struct report r = {.t = t, .mna = m, .circuit = mna_circuit(m), .d = d, .tied = true};
    *out = *mna_circuit(m);
    return add_ties(t, memory, out) ? report(&r, report_islands) : KN_ERROR_MEMORY;
}
