/* test_order.c - the order of pivots: no fill and short ways in trees and lines, a permutation always. */
#include "claims.h"
#include "sparse/factors/kept_pivots.h"

enum { N = 101, MOST = 4 * N };

struct block {
    int start[N + 1], row[MOST], order[N];
};

/* Entries (i, j) and, where asked for, (j, i), and the diagonal. */
static void fill(struct block *b, const int pairs[][2], int count, bool both)
{
    int entries = 0;
    for (int j = 0; j < N; j++) {
        b->start[j] = entries;
        b->row[entries++] = j;
        for (int k = 0; k < count; k++) {
            if (pairs[k][1] == j)
                b->row[entries++] = pairs[k][0];
            if (both && pairs[k][0] == j)
                b->row[entries++] = pairs[k][1];
        }
    }
    b->start[N] = entries;
}

static int order(struct block *b)
{
    klu_common common;
    bool seen[N] = {false};
    klu_defaults(&common);
    const int entries = pivot_order(N, b->start, b->row, b->order, &common);
    for (int k = 0; k < N; k++) {
        CU_ASSERT_FATAL(b->order[k] >= 0 && b->order[k] < N && !seen[b->order[k]]);
        seen[b->order[k]] = true;
    }
    return entries;
}

/* Of the longest chain of vertices each of which waits for the one before. */
static int depth(const struct block *b, const int pairs[][2], int count)
{
    int place[N], level[N], deepest = 0;
    for (int k = 0; k < N; k++)
        place[b->order[k]] = k;
    for (int k = 0; k < N; k++) {
        level[k] = 1;
        for (int p = 0; p < count; p++) {
            const int i = place[pairs[p][0]], j = place[pairs[p][1]];
            const int first = i < j ? i : j, last = i < j ? j : i;
            if (last == k && level[first] >= level[k])
                level[k] = level[first] + 1;
        }
        deepest = level[k] > deepest ? level[k] : deepest;
    }
    return deepest;
}

static void lines_are_gone_along_from_both_ends(void)
{
    struct block b;
    int pairs[N - 1][2];
    for (int both = 0; both < 2; both++) {
        for (int i = 0; i + 1 < N; i++) {
            pairs[i][0] = (7 * i) % N; /* names in no order */
            pairs[i][1] = (7 * i + 7) % N;
        }
        fill(&b, (const int(*)[2])pairs, N - 1, both);
        CU_ASSERT_EQUAL(order(&b), 2 * N);
        CU_ASSERT_EQUAL(depth(&b, (const int(*)[2])pairs, N - 1), (N + 1) / 2);
    }
}

static void trees_are_gone_along_from_their_leaves(void)
{
    struct block b;
    int pairs[N - 1][2];
    for (int i = 1; i < N; i++) {
        pairs[i - 1][0] = i;
        pairs[i - 1][1] = (i - 1) / 2;
    }
    fill(&b, (const int(*)[2])pairs, N - 1, true);
    CU_ASSERT_EQUAL(order(&b), 2 * N);
    CU_ASSERT_EQUAL(depth(&b, (const int(*)[2])pairs, N - 1), 7); /* 101 < 2^7 */
}

/* A ring with a line at it: 3 entries for each of the ring but the last two. */
static void leaves_go_before_what_has_none(void)
{
    enum { RING = 61 };
    struct block b;
    int pairs[N][2];
    for (int i = 0; i < RING; i++) {
        pairs[i][0] = i;
        pairs[i][1] = (i + 1) % RING;
    }
    for (int i = RING; i < N; i++) {
        pairs[i][0] = i;
        pairs[i][1] = i == RING ? 5 : i - 1;
    }
    fill(&b, (const int(*)[2])pairs, N, true);
    CU_ASSERT_EQUAL(order(&b), 2 * (N - RING) + 3 * RING - 3);
    for (int k = 0; k < N - RING; k++)
        CU_ASSERT_EQUAL(b.order[k], N - 1 - k);
}

static void vertices_without_neighbours_are_ordered(void)
{
    struct block b;
    fill(&b, NULL, 0, false);
    CU_ASSERT(order(&b) >= N);
}

static void any_pattern_gets_a_permutation(void)
{
    uint64_t state = 0x9E3779B97F4A7C15u;
    struct block b;
    int pairs[N][2];
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < N; k++)
            for (int end = 0; end < 2; end++) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                pairs[k][end] = (int)((state >> 33) % (uint64_t)(N - end * trial / 3));
            }
        for (int k = 0; k < N; k++)
            if (pairs[k][0] == pairs[k][1])
                pairs[k][1] = (pairs[k][0] + 1) % N;
        fill(&b, (const int(*)[2])pairs, trial < N ? trial : N, trial % 2);
        CU_ASSERT(order(&b) >= N);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(lines_are_gone_along_from_both_ends), CLAIM(trees_are_gone_along_from_their_leaves),
        CLAIM(leaves_go_before_what_has_none),      CLAIM(vertices_without_neighbours_are_ordered),
        CLAIM(any_pattern_gets_a_permutation),
    };
    return run_claims("order", claims, sizeof claims / sizeof claims[0]);
}
