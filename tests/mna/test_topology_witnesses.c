/* Loops are loops, cutsets are cutsets, none can do without one of its elements, and there are as many as there should
 * be: thousands of random circuits against the definitions.
 */
#include "claims.h"
#include "random_circuit.h"

enum {
    KIND_R = 1 << BRANCH_R,
    KIND_C = 1 << BRANCH_C,
    KIND_L = 1 << BRANCH_L,
    KIND_V = 1 << BRANCH_V,
    KIND_I = 1 << BRANCH_I
};

static const char *current_text; /* of the circuit being judged, for messages */
static int complaints;

static void expect(bool holds, const char *what)
{
    if (!holds && complaints++ < 5)
        fprintf(stderr, "\n%s: %s\n", current_text, what);
}

static int find(const int *parent, int node)
{
    while (parent[node] != node)
        node = parent[node];
    return node;
}

static unsigned bit(const struct branch *b)
{
    return 1u << b->kind;
}

/* Components of the graph of some kinds of branches, without those of `left_out` but with its branch `kept`. */
static int components(const struct topology *t, unsigned kinds, const struct branch_set *left_out, size_t kept,
                      int *parent)
{
    int count = 0;
    for (int i = 0; i <= t->unknown_count; i++) {
        parent[i] = i;
        count += i == 0 || t->unknowns[i].kind == UNKNOWN_VOLTAGE;
    }
    for (size_t i = 0; i < t->list.count; i++) {
        const struct branch *b = &t->list.branches[i];
        bool out = !(bit(b) & kinds);
        for (size_t k = 0; left_out && k < left_out->count; k++)
            out = out || (left_out->branches[k] == b && k != kept);
        const int p = find(parent, b->plus), q = find(parent, b->minus);
        if (out || p == q)
            continue;
        parent[p] = q;
        count--;
    }
    return count;
}

static int count_components(const struct topology *t, unsigned kinds)
{
    int parent[MOST_ELEMENTS + MOST_NODES];
    return components(t, kinds, NULL, 0, parent);
}

static size_t count_branches(const struct topology *t, unsigned kinds)
{
    size_t count = 0;
    for (size_t i = 0; i < t->list.count; i++)
        count += (bit(&t->list.branches[i]) & kinds) != 0;
    return count;
}

/* Loops that independent ones of the kinds consist of. */
static int cyclomatic_number(const struct topology *t, unsigned kinds)
{
    int nodes = 1;
    for (int i = 1; i <= t->unknown_count; i++)
        nodes += t->unknowns[i].kind == UNKNOWN_VOLTAGE;
    return (int)count_branches(t, kinds) - nodes + count_components(t, kinds);
}

/* Consecutive branches share nodes, and no node is met twice. */
static bool is_simple_loop(const struct branch_set *loop)
{
    int seen[MOST_ELEMENTS];
    const struct branch *first = loop->branches[0];
    for (int direction = 0; direction < 2; direction++) {
        int node = direction ? first->plus : first->minus;
        size_t k = 0;
        for (; k < loop->count; k++) {
            const struct branch *b = loop->branches[k];
            if (b->plus != node && b->minus != node)
                break;
            for (size_t i = 0; i < k; i++)
                if (seen[i] == node)
                    return false;
            seen[k] = node;
            node = b->plus == node ? b->minus : b->plus;
        }
        if (k == loop->count && node == seen[0])
            return true;
    }
    return false;
}

static bool has_kinds(const struct branch_set *set, unsigned allowed, unsigned needed)
{
    bool has = false;
    for (size_t k = 0; k < set->count; k++) {
        if (!(bit(set->branches[k]) & allowed))
            return false;
        has = has || (bit(set->branches[k]) & needed);
    }
    return has;
}

static void check_loops(const struct branch_sets *loops, unsigned allowed, unsigned needed, const char *what)
{
    for (size_t i = 0; i < loops->count; i++) {
        expect(has_kinds(&loops->sets[i], allowed, needed), what);
        expect(is_simple_loop(&loops->sets[i]), what);
    }
}

/* Rank over two elements of the sets as vectors of their branches of some kinds: independent there, so independent. */
static size_t rank_of_sets(const struct topology *t, const struct branch_sets *sets, unsigned kinds)
{
    uint64_t rows[MOST_ELEMENTS];
    size_t rank = 0;
    for (size_t i = 0; i < sets->count; i++) {
        rows[i] = 0;
        for (size_t k = 0; k < sets->sets[i].count; k++)
            if (bit(sets->sets[i].branches[k]) & kinds)
                rows[i] ^= (uint64_t)1 << (sets->sets[i].branches[k] - t->list.branches);
    }
    for (size_t i = 0; i < sets->count; i++) {
        if (rows[i] == 0)
            continue;
        const uint64_t lowest = rows[i] & (~rows[i] + 1);
        for (size_t k = i + 1; k < sets->count; k++)
            if (rows[k] & lowest)
                rows[k] ^= rows[i];
        rank++;
    }
    return rank;
}

static void check_cutsets(const struct topology *t, const struct branch_sets *cutsets, const struct node_sets *parts,
                          unsigned allowed, unsigned needed)
{
    int parent[MOST_ELEMENTS + MOST_NODES];
    const int whole = count_components(t, ~0u);
    for (size_t i = 0; i < cutsets->count; i++) {
        const struct branch_set *set = &cutsets->sets[i];
        expect(has_kinds(set, allowed, needed), "kinds in a cutset");
        expect(components(t, ~0u, set, set->count, parent) == whole + 1, "a cutset cuts");
        expect(find(parent, parts->sets[i].nodes[0]) != find(parent, 0), "it cuts off its part");
        for (size_t kept = 0; kept < set->count; kept++)
            expect(components(t, ~0u, set, kept, parent) == whole, "a cutset without one of its branches cuts nothing");
    }
    expect(rank_of_sets(t, cutsets, ~0u) == cutsets->count, "independent cutsets");
}

static void check_counts(const struct topology *t)
{
    expect((int)t->cv_loops.count == cyclomatic_number(t, KIND_C | KIND_V) - cyclomatic_number(t, KIND_C),
           "number of C-V loops");
    expect((int)t->vl_loops.count == cyclomatic_number(t, KIND_V | KIND_L) - cyclomatic_number(t, KIND_V),
           "number of V-L loops");
    expect((int)t->li_cutsets.count == count_components(t, KIND_C | KIND_R | KIND_V) - 1, "number of L-I cutsets");
}

static void check_witnesses(const char *text, int *singular)
{
    static struct branch_circuit c;
    struct topology *t = analyze_branch_circuit(&c, text);
    current_text = text;
    check_loops(&t->v_loops, KIND_V, KIND_V, "loops of V");
    check_loops(&t->cv_loops, KIND_C | KIND_V, KIND_V, "loops of C and V");
    check_loops(&t->vl_loops, KIND_L | KIND_V, KIND_L, "loops of V and L");
    expect(rank_of_sets(t, &t->v_loops, KIND_V) == t->v_loops.count, "independent loops of V");
    expect(rank_of_sets(t, &t->cv_loops, KIND_V) == t->cv_loops.count, "independent loops of C and V");
    expect(rank_of_sets(t, &t->vl_loops, KIND_L) == t->vl_loops.count, "independent loops of V and L");
    if (t->islands.count == 0) {
        check_cutsets(t, &t->i_cutsets, &t->i_parts, KIND_I, KIND_I);
        check_cutsets(t, &t->li_cutsets, &t->li_parts, KIND_L | KIND_I, KIND_L);
    }
    if (t->verdict != TOPOLOGY_SINGULAR)
        check_counts(t);
    expect((int)t->v_loops.count == cyclomatic_number(t, KIND_V), "number of loops of V");
    expect((int)(t->i_cutsets.count + t->islands.count) == count_components(t, KIND_C | KIND_R | KIND_V | KIND_L) - 1,
           "number of I cutsets");
    *singular += t->verdict == TOPOLOGY_SINGULAR;
    topology_free(t);
}

static void witnesses_are_minimal_independent_and_complete(void)
{
    int singular = 0, circuits = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++, circuits++) {
        char text[1024];
        start_random(seed);
        const int nodes = 2 + below(9);
        random_circuit(text, sizeof text, seed % 2 ? "RCCLLVI" : "RCCCLLLLVII", nodes, nodes + below(12));
        check_witnesses(text, &singular);
    }
    CU_ASSERT_EQUAL(complaints, 0);
    CU_ASSERT(singular > 1000 && circuits - singular > 1000);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(witnesses_are_minimal_independent_and_complete),
    };
    return run_claims("witnesses", claims, sizeof claims / sizeof claims[0]);
}
