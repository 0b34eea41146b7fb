/* Circuits of 100,000 elements have the right counts, and no shape of them takes more than linear time unnoticed: the
 * times are printed, and bench/topology holds them against their limit.
 */
#include "claims.h"
#include "mna/topology/topology.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ELEMENTS = 100000 };

struct large {
    struct branch_list list;
    struct element *elements;
    struct unknown *unknowns;
    int node_count, unknown_count, element_count;
};

static void large_init(struct large *c, int nodes)
{
    memset(c, 0, sizeof *c);
    c->elements = calloc(ELEMENTS + 1, sizeof *c->elements);
    c->unknowns = calloc((size_t)nodes + ELEMENTS + 2, sizeof *c->unknowns);
    CU_ASSERT_FATAL(c->elements && c->unknowns);
    c->node_count = c->unknown_count = nodes;
    for (int i = 0; i <= nodes; i++)
        c->unknowns[i] = (struct unknown){.name = "v(n)", .kind = UNKNOWN_VOLTAGE, .node = i};
}

/* Adds an element; controls as in struct branch (a voltage between `plus` and `minus`, or NULL). */
static void put(struct large *c, enum branch_kind kind, int plus, int minus, const struct branch_control *control)
{
    static const struct element_kind any = {.letter = 'x'};
    struct element *e = &c->elements[c->element_count];
    *e = (struct element){.kind = &any, .name = "x", .number = c->element_count++, .where.line = c->element_count};
    struct branch b = {.kind = kind, .plus = plus, .minus = minus, .element = e, .constant = NAN};
    if (kind == BRANCH_V || kind == BRANCH_L) {
        b.current = ++c->unknown_count;
        c->unknowns[b.current] = (struct unknown){.name = "i(x)", .kind = UNKNOWN_CURRENT, .node = -1};
    }
    if (control) {
        b.controlled = true;
        b.controls = &control->plus;
        b.control_count = 1;
        b.pairs = control;
        b.pair_count = 1;
    }
    CU_ASSERT_FATAL(branch_add(&c->list, &b));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct topology *analyze_in_time(struct large *c, const char *name)
{
    struct topology *t = NULL;
    const struct topology_names names = {c->unknowns, c->unknown_count, NULL};
    const double start = seconds();
    CU_ASSERT_FATAL(topology_analyze(&c->list, &names, &t) == KN_OK);
    const double used = seconds() - start;
    fprintf(stderr, "\ntime: %-44s %6d elements %7.3f s\n", name, c->element_count, used);
    return t;
}

static void large_free(struct large *c, struct topology *t)
{
    topology_free(t);
    free(c->elements);
    free(c->unknowns);
}

static void rc_ladder(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    put(&c, BRANCH_V, 1, 0, NULL);
    for (int i = 1; i < c.node_count; i++) {
        put(&c, BRANCH_R, i, i + 1, NULL);
        put(&c, BRANCH_C, i + 1, 0, NULL);
    }
    struct topology *t = analyze_in_time(&c, "RC ladder");
    CU_ASSERT_EQUAL(t->verdict, TOPOLOGY_INDEX_1);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count - 1);
    large_free(&c, t);
}

static void lc_ladder_without_end(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    put(&c, BRANCH_I, 0, 1, NULL);
    for (int i = 1; i < c.node_count; i++) {
        put(&c, BRANCH_L, i, i + 1, NULL);
        put(&c, BRANCH_C, i + 1, 0, NULL);
    }
    struct topology *t = analyze_in_time(&c, "LC ladder from a current source");
    CU_ASSERT_EQUAL(t->verdict, TOPOLOGY_INDEX_2);
    CU_ASSERT_EQUAL(t->li_cutsets.count, 1);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, 2 * (c.node_count - 1) - 1);
    large_free(&c, t);
}

static void capacitors_to_two_rails(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 3);
    put(&c, BRANCH_V, 1, 0, NULL);
    for (int i = 2; i <= c.node_count; i++) {
        put(&c, BRANCH_C, i, 0, NULL);
        put(&c, BRANCH_C, i, 1, NULL);
        put(&c, BRANCH_R, i, i - 1, NULL);
    }
    struct topology *t = analyze_in_time(&c, "capacitors to two rails");
    CU_ASSERT_EQUAL(t->cv_loops.count, 1);
    CU_ASSERT_EQUAL(t->cv_loops.sets[0].count, 3);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count - 1);
    large_free(&c, t);
}

static void many_sources_with_capacitors(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 3);
    for (int i = 1; i <= c.node_count; i++) {
        put(&c, BRANCH_V, i, 0, NULL);
        put(&c, BRANCH_C, i, 0, NULL);
        put(&c, BRANCH_R, i, i / 2, NULL);
    }
    struct topology *t = analyze_in_time(&c, "a C-V loop at every node");
    CU_ASSERT_EQUAL(t->cv_loops.count, (size_t)c.node_count);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, 0);
    for (size_t i = 0; i < t->cv_loops.count; i++)
        CU_ASSERT_FATAL(t->cv_loops.sets[i].count == 2);
    large_free(&c, t);
}

static void sources_on_a_chain_of_capacitors(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    for (int i = 1; i <= c.node_count; i++) {
        put(&c, BRANCH_C, i - 1, i, NULL);
        put(&c, BRANCH_V, i, 0, NULL);
    }
    struct topology *t = analyze_in_time(&c, "sources along a chain of capacitors");
    CU_ASSERT_EQUAL(t->cv_loops.count, (size_t)c.node_count);
    for (size_t i = 0; i < t->cv_loops.count; i++)
        CU_ASSERT_FATAL(t->cv_loops.sets[i].count <= 3);
    large_free(&c, t);
}

/* Witnesses are long here whatever is done: sources across a square mesh of capacitors. */
static void sources_across_a_mesh_of_capacitors(void)
{
    enum { SIDE = 220, SOURCES = 1000 };
    struct large c;
    large_init(&c, SIDE * SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int node = 1 + y * SIDE + x;
            if (x + 1 < SIDE)
                put(&c, BRANCH_C, node, node + 1, NULL);
            if (y + 1 < SIDE)
                put(&c, BRANCH_C, node, node + SIDE, NULL);
        }
    put(&c, BRANCH_R, 1, 0, NULL);
    for (int i = 0; i < SOURCES; i++)
        put(&c, BRANCH_V, 1 + i * 17, SIDE * SIDE - i * 23, NULL);
    struct topology *t = analyze_in_time(&c, "sources across a mesh of capacitors");
    CU_ASSERT_EQUAL(t->cv_loops.count, SOURCES);
    large_free(&c, t);
}

static void many_inductive_parts(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 4);
    for (int i = 1; i <= c.node_count; i++) {
        put(&c, BRANCH_L, i, 0, NULL);
        put(&c, BRANCH_L, i, i / 2, NULL);
        put(&c, BRANCH_I, i, i - 1, NULL);
    }
    struct topology *t = analyze_in_time(&c, "an L-I cutset at every node");
    CU_ASSERT_EQUAL(t->li_cutsets.count, (size_t)c.node_count);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count);
    large_free(&c, t);
}

static void chain_of_amplifiers(bool backwards)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    put(&c, BRANCH_V, 1, 0, NULL);
    for (int k = 2; k <= c.node_count; k++) {
        const int i = backwards ? c.node_count + 2 - k : k;
        const struct branch_control input = {i - 1, 0};
        put(&c, BRANCH_V, i, 0, &input);
        put(&c, BRANCH_R, i, 0, NULL);
    }
    struct topology *t = analyze_in_time(&c, backwards ? "chain of E, last first" : "chain of E");
    CU_ASSERT_EQUAL(t->verdict, TOPOLOGY_INDEX_1);
    large_free(&c, t);
}

static void chains_of_amplifiers(void)
{
    chain_of_amplifiers(false);
    chain_of_amplifiers(true);
}

/* Every third node is an integrator in a loop over three, none of them with another path for direct current. */
static void loops_of_integrators(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2 / 3 * 3);
    for (int i = 1; i <= c.node_count; i++) {
        const struct branch_control input = {i % 3 == 0 ? i - 2 : i + 1, 0};
        put(&c, BRANCH_C, i, 0, NULL);
        put(&c, BRANCH_I, i, 0, &input);
    }
    struct topology *t = analyze_in_time(&c, "loops of gm-C integrators");
    CU_ASSERT_EQUAL(t->verdict, TOPOLOGY_INDEX_0);
    CU_ASSERT_EQUAL(t->floating.count, 0);
    large_free(&c, t);
}

static void every_node_between_capacitors(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    for (int i = 1; i <= c.node_count; i++) {
        put(&c, BRANCH_C, i, 0, NULL);
        put(&c, BRANCH_C, i, i / 2, NULL);
    }
    struct topology *t = analyze_in_time(&c, "every node between capacitors");
    CU_ASSERT_EQUAL(t->floating.count, (size_t)c.node_count);
    large_free(&c, t);
}

static void one_loop_of_everything(void)
{
    struct large c;
    large_init(&c, ELEMENTS - 2);
    put(&c, BRANCH_V, 1, 0, NULL);
    for (int i = 1; i <= c.node_count; i++)
        put(&c, BRANCH_C, i, i < c.node_count ? i + 1 : 0, NULL);
    struct topology *t = analyze_in_time(&c, "one C-V loop of all elements");
    CU_ASSERT_EQUAL(t->cv_loops.count, 1);
    CU_ASSERT_EQUAL(t->cv_loops.sets[0].count, (size_t)c.element_count);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count - 1);
    large_free(&c, t);
}

/* Source k spans all loops of the sources after it. */
static void nested_loops(void)
{
    enum { SOURCES = 1000 };
    struct large c;
    large_init(&c, ELEMENTS - SOURCES - 2);
    for (int i = 1; i < c.node_count; i++)
        put(&c, BRANCH_C, i, i + 1, NULL);
    for (int k = 0; k < SOURCES; k++)
        put(&c, BRANCH_V, 1 + 40 * k, c.node_count - 40 * k, NULL);
    put(&c, BRANCH_R, 1, 0, NULL);
    struct topology *t = analyze_in_time(&c, "1000 C-V loops one inside the other");
    CU_ASSERT_EQUAL(t->cv_loops.count, SOURCES);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count - 1 - SOURCES);
    large_free(&c, t);
}

static void chain_of_inductors(void)
{
    struct large c;
    large_init(&c, ELEMENTS - 2);
    put(&c, BRANCH_I, 1, 0, NULL);
    for (int i = 1; i < c.node_count; i++)
        put(&c, BRANCH_L, i, i + 1, NULL);
    put(&c, BRANCH_R, c.node_count, 0, NULL);
    struct topology *t = analyze_in_time(&c, "a current through a chain of inductors");
    CU_ASSERT_EQUAL(t->li_cutsets.count, (size_t)c.node_count - 1);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, 0);
    large_free(&c, t);
}

static void star_of_inductors(void)
{
    struct large c;
    large_init(&c, ELEMENTS / 2);
    for (int i = 2; i <= c.node_count; i++) {
        put(&c, BRANCH_L, 1, i, NULL);
        put(&c, BRANCH_R, i, 0, NULL);
    }
    struct topology *t = analyze_in_time(&c, "a star of inductors");
    CU_ASSERT_EQUAL(t->li_cutsets.count, 1);
    CU_ASSERT_EQUAL(t->li_cutsets.sets[0].count, (size_t)c.node_count - 1);
    CU_ASSERT_EQUAL(t->degrees_of_freedom, c.node_count - 2);
    large_free(&c, t);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(rc_ladder),
        CLAIM(lc_ladder_without_end),
        CLAIM(capacitors_to_two_rails),
        CLAIM(many_sources_with_capacitors),
        CLAIM(sources_on_a_chain_of_capacitors),
        CLAIM(sources_across_a_mesh_of_capacitors),
        CLAIM(many_inductive_parts),
        CLAIM(chains_of_amplifiers),
        CLAIM(loops_of_integrators),
        CLAIM(every_node_between_capacitors),
        CLAIM(one_loop_of_everything),
        CLAIM(nested_loops),
        CLAIM(chain_of_inductors),
        CLAIM(star_of_inductors),
    };
    return run_claims("topology of large circuits", claims, sizeof claims / sizeof claims[0]);
}
