/* Equilibration: largest entries of about 1 whatever the decades, and no rounding. */
#include "sparse/equilibrate.h"

#include "claims.h"
#include "mna/exact_deck.h"

#include <float.h>

enum { SIZE = 12, MOST = SIZE * SIZE };

struct matrix {
    int row[MOST], column[MOST];
    double value[MOST];
    struct entries entries;
};

/* Every row and column has an entry on the diagonal; 60 decades. */
static void draw_matrix(struct matrix *m)
{
    m->entries = (struct entries){SIZE, SIZE, 0, m->row, m->column, m->value};
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            if (i == j || below(4) == 0) {
                const size_t e = m->entries.count++;
                m->row[e] = i;
                m->column[e] = j;
                m->value[e] = (below(2) ? 1 : -1) * (1 + below(1000) / 7.0) * pow(10, below(60) - 30);
            }
}

static void check_matrix(const struct matrix *m, uint64_t seed)
{
    double rows[SIZE], columns[SIZE], row_largest[SIZE] = {0}, column_largest[SIZE] = {0};
    int exponent;
    CU_ASSERT_FATAL(equilibrate(&m->entries, rows, columns));
    for (size_t e = 0; e < m->entries.count; e++) {
        const double scaled = m->value[e] * rows[m->row[e]] * columns[m->column[e]];
        CU_ASSERT(scaled / rows[m->row[e]] / columns[m->column[e]] == m->value[e]);
        row_largest[m->row[e]] = fmax(row_largest[m->row[e]], fabs(scaled));
        column_largest[m->column[e]] = fmax(column_largest[m->column[e]], fabs(scaled));
    }
    for (int i = 0; i < SIZE; i++) {
        const bool right =
            row_largest[i] > 0.2 && row_largest[i] < 8 && column_largest[i] > 0.2 && column_largest[i] < 8;
        if (!right)
            fprintf(stderr, "\nseed %llu: row %g, column %g\n", (unsigned long long)seed, row_largest[i],
                    column_largest[i]);
        CU_ASSERT(right);
        CU_ASSERT(frexp(rows[i], &exponent) == 0.5 && frexp(columns[i], &exponent) == 0.5);
    }
}

static void largest_entries_become_about_1(void)
{
    static struct matrix m;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        start_random(seed);
        draw_matrix(&m);
        check_matrix(&m, seed);
    }
}

static void what_is_empty_keeps_its_factor(void)
{
    const int row[] = {0}, column[] = {1};
    const double value[] = {1024};
    const struct entries a = {2, 2, 1, row, column, value};
    double rows[2], columns[2];
    CU_ASSERT_FATAL(equilibrate(&a, rows, columns));
    CU_ASSERT(rows[1] == 1 && columns[0] == 1);
    CHECK_NEAR(log2(1024 * rows[0] * columns[1]), 0, 1);
}

int main(void)
{
    static const struct claim claims[] = {CLAIM(largest_entries_become_about_1), CLAIM(what_is_empty_keeps_its_factor)};
    return run_claims("equilibration", claims, sizeof claims / sizeof claims[0]);
}
