/* Random circuits against the definitions: the pencil of each circuit with random element values over a finite field,
 * where ranks are exact and values that cancel by chance are as rare as 1/p.
 *
 * With T_k the block Toeplitz matrix [C; G C; 0 G C; ..] of k + 1 block rows, n - (rank T_k - rank T_{k-1}) is the
 * number of infinite elementary divisors of s C + G of degree above k (Gantmacher, Theory of Matrices II, ch. XII): the
 * index is the first k with none left, the sum over k is n minus the number of finite eigenvalues.  N0 and S0
 * (rodriguez 1.3) give the index-2 unknowns.
 */
#include "claims.h"
#include "random_circuit.h"

#include <stdint.h>

static const uint64_t PRIME = 2147483647; /* 2^31 - 1 */

enum { MOST_UNKNOWNS = 24, MOST_ROWS = 6 * MOST_UNKNOWNS };

/* ---- numbers modulo a prime ---- */

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % PRIME)
        if (exponent & 1)
            result = result * base % PRIME;
    return result;
}

struct matrix {
    int rows, columns;
    uint64_t at[MOST_ROWS][MOST_ROWS];
};

/* Row echelon form with ones as pivots, pivot columns into pivots[] (may be NULL). Returns the rank. */
static int eliminate(struct matrix *m, int *pivots)
{
    int rank = 0;
    for (int column = 0; column < m->columns && rank < m->rows; column++) {
        int row = rank;
        while (row < m->rows && m->at[row][column] == 0)
            row++;
        if (row == m->rows)
            continue;
        for (int k = 0; k < m->columns; k++) {
            const uint64_t kept = m->at[rank][k];
            m->at[rank][k] = m->at[row][k];
            m->at[row][k] = kept;
        }
        const uint64_t inverse = power(m->at[rank][column], PRIME - 2);
        for (int k = column; k < m->columns; k++)
            m->at[rank][k] = m->at[rank][k] * inverse % PRIME;
        for (int i = 0; i < m->rows; i++) {
            const uint64_t factor = i == rank ? 0 : PRIME - m->at[i][column];
            for (int k = column; factor % PRIME != 0 && k < m->columns; k++)
                m->at[i][k] = (m->at[i][k] + factor * m->at[rank][k]) % PRIME;
        }
        if (pivots)
            pivots[rank] = column;
        rank++;
    }
    return rank;
}

/* ---- the equations of a circuit ---- */

static uint64_t field_value(void)
{
    return 1 + draw_random() % (PRIME - 1);
}

struct pencil {
    int n;
    uint64_t G[MOST_UNKNOWNS][MOST_UNKNOWNS], C[MOST_UNKNOWNS][MOST_UNKNOWNS];
};

typedef uint64_t field_matrix[MOST_UNKNOWNS][MOST_UNKNOWNS];

/* Numbers from 1; row or column 0 is ground. */
static void add_entry(field_matrix m, int row, int column, uint64_t value)
{
    if (row > 0 && column > 0)
        m[row - 1][column - 1] = (m[row - 1][column - 1] + value) % PRIME;
}

static uint64_t minus(uint64_t value)
{
    return (PRIME - value) % PRIME;
}

/* A current into plus and out of minus, value times x[control plus] - x[control minus]. */
static void add_flow(field_matrix m, const struct branch *b, int plus, int minus_control, uint64_t value)
{
    add_entry(m, b->plus, plus, value);
    add_entry(m, b->plus, minus_control, minus(value));
    add_entry(m, b->minus, plus, minus(value));
    add_entry(m, b->minus, minus_control, value);
}

/* The branch's current in the balances of its nodes, its voltage in its own row. */
static void add_incidence(struct pencil *p, const struct branch *b)
{
    add_entry(p->G, b->plus, b->current, 1);
    add_entry(p->G, b->minus, b->current, minus(1));
    add_entry(p->G, b->current, b->plus, 1);
    add_entry(p->G, b->current, b->minus, minus(1));
}

static void add_branch_equations(struct pencil *p, const struct branch *b)
{
    if (b->current > 0)
        add_incidence(p, b);
    else if (b->kind == BRANCH_R)
        add_flow(p->G, b, b->plus, b->minus, field_value());
    else if (b->kind == BRANCH_C)
        add_flow(p->C, b, b->plus, b->minus, field_value());
    if (b->kind == BRANCH_L)
        add_entry(p->C, b->current, b->current, field_value());
    if (b->kind == BRANCH_R && b->current > 0)
        add_entry(p->G, b->current, b->current, field_value());
    for (size_t k = 0; k < b->pair_count; k++) {
        const struct branch_control *c = &b->pairs[k];
        const uint64_t gain = field_value();
        if (b->kind == BRANCH_I)
            add_flow(p->G, b, c->plus, c->minus, gain);
        else {
            add_entry(p->G, b->current, c->plus, gain);
            add_entry(p->G, b->current, c->minus, minus(gain));
        }
    }
}

/* A transistor's current or charge: every difference counts. */
static void add_dependences(struct pencil *p, const struct branch *b)
{
    uint64_t(*m)[MOST_UNKNOWNS] = b->kind == BRANCH_C ? p->C : p->G;
    if (b->pair_count > 0 || !b->controlled)
        return;
    for (size_t k = 0; k < b->control_count; k++)
        add_flow(m, b, b->controls[k], b->minus, field_value());
    if (b->kind == BRANCH_I)
        add_flow(m, b, b->plus, b->minus, field_value());
}

static void make_pencil(const struct topology *t, struct pencil *p)
{
    memset(p, 0, sizeof *p);
    p->n = t->unknown_count;
    for (size_t i = 0; i < t->list.count; i++) {
        add_branch_equations(p, &t->list.branches[i]);
        add_dependences(p, &t->list.branches[i]);
    }
}

/* ---- what the definitions say ---- */

static void copy_block(struct matrix *to, int row, int column, const field_matrix from, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            to->at[row + i][column + k] = from[i][k];
}

static int toeplitz_rank(const struct pencil *p, int k)
{
    static struct matrix m;
    memset(&m, 0, sizeof m);
    m.rows = m.columns = (k + 1) * p->n;
    for (int i = 0; i <= k; i++) {
        copy_block(&m, i * p->n, i * p->n, p->C, p->n);
        if (i > 0)
            copy_block(&m, i * p->n, (i - 1) * p->n, p->G, p->n);
    }
    return eliminate(&m, NULL);
}

static bool is_regular(const struct pencil *p)
{
    static struct matrix m;
    const uint64_t s = field_value();
    m.rows = m.columns = p->n;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->n; k++)
            m.at[i][k] = (p->G[i][k] + s * p->C[i][k]) % PRIME;
    return eliminate(&m, NULL) == p->n;
}

/* Index up to 4, 5 for more; finite: number of finite eigenvalues (valid up to index 4). */
static int pencil_index(const struct pencil *p, int *finite)
{
    int previous = 0;
    *finite = p->n;
    for (int k = 0; k < 5; k++) {
        const int rank = toeplitz_rank(p, k);
        if (rank - previous == p->n)
            return k;
        *finite -= p->n - (rank - previous);
        previous = rank;
    }
    return 5;
}

/* entered[i]: some z with C z = 0 and G z in im C has z_i != 0.  From a basis of the kernel of [C 0; G C]: free
 * columns. */
static void find_index2(const struct pencil *p, bool *entered)
{
    static struct matrix m;
    int pivots[MOST_ROWS];
    memset(&m, 0, sizeof m);
    m.rows = m.columns = 2 * p->n;
    copy_block(&m, 0, 0, p->C, p->n);
    copy_block(&m, p->n, 0, p->G, p->n);
    copy_block(&m, p->n, p->n, p->C, p->n);
    const int rank = eliminate(&m, pivots);
    bool is_pivot[MOST_ROWS] = {false};
    for (int i = 0; i < rank; i++)
        is_pivot[pivots[i]] = true;
    for (int i = 0; i < p->n; i++)
        entered[i] = !is_pivot[i];
    for (int i = 0; i < rank; i++)
        for (int k = 0; pivots[i] < p->n && k < 2 * p->n; k++)
            if (!is_pivot[k] && m.at[i][k] != 0)
                entered[pivots[i]] = true;
}

/* ---- comparison ---- */

struct tally {
    int circuits, decided[3], singular, undecided, wrong;
};

static void complain(struct tally *tally, const char *text, uint64_t seed, const char *what, int ours, int theirs)
{
    if (tally->wrong++ < 5)
        fprintf(stderr, "\nseed %llu: %s: %s: topology says %d, the pencil %d\n", (unsigned long long)seed, text, what,
                ours, theirs);
}

static void compare_index2(const struct topology *t, const struct pencil *p, struct tally *tally, const char *text,
                           uint64_t seed)
{
    bool entered[MOST_UNKNOWNS], listed[MOST_UNKNOWNS] = {false};
    find_index2(p, entered);
    for (size_t i = 0; i < t->index2_count; i++)
        listed[t->index2[i].unknown - 1] = true;
    for (int i = 0; i < p->n; i++)
        if (listed[i] != entered[i])
            complain(tally, text, seed, t->unknowns[i + 1].name, listed[i], entered[i]);
}

static void compare(const char *text, uint64_t seed, struct tally *tally)
{
    static struct branch_circuit c;
    static struct pencil p;
    struct topology *t = analyze_branch_circuit(&c, text);
    make_pencil(t, &p);
    const bool regular = is_regular(&p);
    int finite = 0;
    tally->circuits++;
    if (t->verdict == TOPOLOGY_SINGULAR) {
        tally->singular++;
        if (regular)
            complain(tally, text, seed, "regularity", 0, 1);
    } else if (t->verdict == TOPOLOGY_UNDECIDED)
        tally->undecided++;
    else if (!regular)
        complain(tally, text, seed, "regularity", 1, 0);
    else {
        const int index = pencil_index(&p, &finite);
        tally->decided[t->verdict]++;
        if (index != (int)t->verdict)
            complain(tally, text, seed, "index", (int)t->verdict, index);
        if (finite != t->degrees_of_freedom)
            complain(tally, text, seed, "degrees of freedom", t->degrees_of_freedom, finite);
        compare_index2(t, &p, tally, text, seed);
    }
    topology_free(t);
}

static struct tally compare_many(const char *letters, int count, uint64_t first_seed)
{
    struct tally tally = {0};
    for (int i = 0; i < count; i++) {
        const uint64_t seed = first_seed + (uint64_t)i;
        start_random(seed);
        char text[1024];
        const int nodes = 2 + below(6);
        random_circuit(text, sizeof text, letters, nodes, nodes + below(8));
        compare(text, seed, &tally);
    }
    CU_ASSERT_EQUAL(tally.wrong, 0);
    return tally;
}

static void check_share(const char *what, int part, int least)
{
    if (part < least)
        fprintf(stderr, "\nonly %d circuits %s\n", part, what);
    CU_ASSERT(part >= least);
}

static void verdict_without_controlled_sources_is_that_of_the_pencil(void)
{
    const struct tally t = compare_many("RRCCLLVIT", 6000, 1000);
    CU_ASSERT_EQUAL(t.undecided, 0);
    check_share("of index 0", t.decided[0], 50);
    check_share("of index 1", t.decided[1], 200);
    check_share("of index 2", t.decided[2], 200);
    check_share("without solution", t.singular, 200);
}

static void conditions_on_controlled_sources_keep_the_verdict_right(void)
{
    const struct tally t = compare_many("RRRCCCLLVVIEGFH", 12000, 100000);
    check_share("of index 1 with controlled sources", t.decided[1], 100);
    check_share("of index 2 with controlled sources", t.decided[2], 100);
    check_share("left undecided", t.undecided, 100);
}

static void controlled_voltages_beside_capacitors(void)
{
    const struct tally t = compare_many("RCCCVEEHL", 6000, 200000);
    check_share("of index 2 with controlled voltages", t.decided[2], 100);
}

static void controlled_currents_beside_inductors(void)
{
    const struct tally t = compare_many("RRCLLLVGGFFI", 6000, 300000);
    check_share("of index 2 with controlled currents", t.decided[2], 100);
}

static int conductance_rank(const struct pencil *p)
{
    static struct matrix m;
    m.rows = m.columns = p->n;
    copy_block(&m, 0, 0, p->G, p->n);
    return eliminate(&m, NULL);
}

static void transistors_keep_the_verdict_right(void)
{
    const struct tally t = compare_many("RRCCCVVAAQLI", 8000, 800000);
    check_share("of index 1 with transistors", t.decided[1], 100);
    check_share("of index 2 with transistors", t.decided[2], 100);
}

/* Without L, a regular circuit has a regular f(x) = 0 exactly if nothing floats, or controlled sources hold what does.
 */
static void compare_floating(const char *text, uint64_t seed, bool exact, struct tally *tally)
{
    static struct branch_circuit c;
    static struct pencil p;
    struct topology *t = analyze_branch_circuit(&c, text);
    make_pencil(t, &p);
    if (t->verdict != TOPOLOGY_SINGULAR && is_regular(&p)) {
        const int missing = p.n - conductance_rank(&p), floating = (int)t->floating.count;
        tally->circuits++;
        tally->singular += missing > 0;
        if ((floating > 0 && missing == 0) || (exact && floating < missing))
            complain(tally, text, seed, "floating parts", floating, missing);
    }
    topology_free(t);
}

static void compare_many_floating(const char *letters, uint64_t first_seed, bool exact)
{
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed < first_seed + 8000; seed++) {
        start_random(seed);
        char text[1024];
        const int nodes = 2 + below(6);
        random_circuit(text, sizeof text, letters, nodes, nodes + below(8));
        compare_floating(text, seed, exact, &tally);
    }
    CU_ASSERT_EQUAL(tally.wrong, 0);
    check_share("with floating parts", tally.singular, 100);
    check_share("with operating point", tally.circuits - tally.singular, 100);
}

static void parts_that_controlled_sources_hold_do_not_float(void)
{
    compare_many_floating("RCCCCIGGGVE", 400000, false);
    compare_many_floating("RCCCCCGGGG", 500000, false);
}

static void sources_from_ground_hold_exactly_what_does_not_float(void)
{
    compare_many_floating("RRCCCCCCgggV", 600000, true);
    compare_many_floating("RCCCCVI", 700000, true);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(verdict_without_controlled_sources_is_that_of_the_pencil),
        CLAIM(conditions_on_controlled_sources_keep_the_verdict_right),
        CLAIM(controlled_voltages_beside_capacitors),
        CLAIM(controlled_currents_beside_inductors),
        CLAIM(transistors_keep_the_verdict_right),
        CLAIM(parts_that_controlled_sources_hold_do_not_float),
        CLAIM(sources_from_ground_hold_exactly_what_does_not_float),
    };
    return run_claims("topology against pencils", claims, sizeof claims / sizeof claims[0]);
}
