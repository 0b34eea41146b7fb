/* test_charge_groups.c - groups that capacitors tie together, and what ties them to other nodes. */
#include "claims.h"

#include "mna/index/charge_groups.h"

#include <stdlib.h>

/* Unknown 0 is the current of a source into 2 `pairs` nodes, node 2i + 1 and 2i + 2 joined by a capacitor; what enters an
 * even pair at one node leaves it at the other. */
struct pairs {
    struct sparse_pattern *pattern;
    double *G, *C;
};

static void stamp(const struct sparse_pattern *p, double *values, int row, int column, double value)
{
    values[sparse_pattern_find(p, row, column)] = value;
}

static void fill(struct pairs *s, int pairs)
{
    for (int i = 0; i < pairs; i++) {
        const int a = 2 * i + 1, b = 2 * i + 2;
        stamp(s->pattern, s->G, a, 0, 1);
        stamp(s->pattern, s->G, b, 0, i % 2 == 0 ? -1 : 1);
        stamp(s->pattern, s->C, a, a, 1e-9);
        stamp(s->pattern, s->C, b, b, 1e-9);
        stamp(s->pattern, s->C, a, b, -1e-9);
        stamp(s->pattern, s->C, b, a, -1e-9);
    }
}

static bool make_pairs(struct pairs *s, int pairs)
{
    const size_t count = (size_t)(4 * pairs);
    int *rows = calloc(count, sizeof *rows), *columns = calloc(count, sizeof *columns);
    *s = (struct pairs){0};
    for (int i = 0; rows && columns && i < pairs; i++)
        for (int k = 0; k < 4; k++) {
            rows[4 * i + k] = 2 * i + 1 + k % 2;
            columns[4 * i + k] = k < 2 ? 0 : 2 * i + 2 - k % 2;
        }
    if (rows && columns && sparse_pattern_new(2 * pairs + 1, rows, columns, count, NULL, &s->pattern) == KN_OK) {
        s->G = sparse_values(s->pattern);
        s->C = sparse_values(s->pattern);
    }
    free(rows);
    free(columns);
    if (s->G && s->C)
        fill(s, pairs);
    return s->G && s->C;
}

static void free_pairs(struct pairs *s)
{
    sparse_pattern_free(s->pattern);
    free(s->G);
    free(s->C);
}

static void check_pairs(int pairs)
{
    struct pairs s;
    struct charge_groups g;
    CU_ASSERT_FATAL(make_pairs(&s, pairs));
    CU_ASSERT_EQUAL_FATAL(charge_groups_init(&g, s.pattern, s.C), KN_OK);
    charge_groups_find_tied(&g, s.pattern, s.G, s.C);
    int wrong = 0;
    for (int i = 0; i < pairs; i++)
        wrong += charge_groups_is_loose(&g, 2 * i + 1) != (i % 2 == 0) ||
                 charge_groups_is_loose(&g, 2 * i + 2) != (i % 2 == 0);
    CU_ASSERT_EQUAL(wrong, 0);
    charge_groups_free(&g);
    free_pairs(&s);
}

static void a_current_that_goes_round_inside_a_group_does_not_tie_it(void)
{
    check_pairs(2);
    check_pairs(7);
}

/* With a look at the whole column for each of its entries this takes hours. */
static void a_source_of_a_million_nodes_is_looked_at_once(void)
{
    check_pairs(500000);
}

/* Unknown 1 is the rate of unknown 0, in whose own equation there is none. */
static void an_equation_without_charge_is_none_of_a_group(void)
{
    const int rows[] = {0, 1, 1}, columns[] = {0, 0, 1};
    int slot[3];
    struct sparse_pattern *p;
    struct charge_groups g;
    CU_ASSERT_EQUAL_FATAL(sparse_pattern_new(2, rows, columns, 3, slot, &p), KN_OK);
    double *C = sparse_values(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(C);
    C[slot[1]] = 1;
    CU_ASSERT_EQUAL_FATAL(charge_groups_init(&g, p, C), KN_OK);
    CU_ASSERT_EQUAL(charge_groups_sum(&g, 0), 0);
    CU_ASSERT_EQUAL(charge_groups_sum(&g, 1), -1);
    charge_groups_free(&g);
    sparse_pattern_free(p);
    free(C);
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(an_equation_without_charge_is_none_of_a_group),
        CLAIM(a_current_that_goes_round_inside_a_group_does_not_tie_it),
        CLAIM(a_source_of_a_million_nodes_is_looked_at_once),
    };
    return run_claims("charge groups", claims, sizeof claims / sizeof claims[0]);
}
