/* arrangement.c - see arrangement.h. */
#include "sparse/factors/arrangement.h"

#include <stdlib.h>
#include <string.h>

static bool places_init(struct places *s, size_t n, size_t entries)
{
    s->start = calloc(n + 1, sizeof *s->start);
    s->row = calloc(entries + 1, sizeof *s->row);
    s->slot = calloc(entries + 1, sizeof *s->slot);
    return s->start && s->row && s->slot;
}

static void places_free(struct places *s)
{
    free(s->start);
    free(s->row);
    free(s->slot);
}

bool arrangement_init(struct arrangement *a, const struct sparse_pattern *p, int above)
{
    const size_t n = (size_t)p->n;
    int **const numbers[] = {&a->block_start, &a->row, &a->column, &a->place_of};
    bool done = true;
    *a = (struct arrangement){.n = p->n};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        done = (*numbers[i] = calloc(n + 1, sizeof **numbers[i])) && done;
    return done && places_init(&a->inside, n, (size_t)(p->entries - above)) && places_init(&a->above, n, (size_t)above);
}

void arrangement_free(struct arrangement *a)
{
    int *const numbers[] = {a->block_start, a->row, a->column, a->place_of, a->left_out};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        free(numbers[i]);
    places_free(&a->inside);
    places_free(&a->above);
    fronts_free(&a->fronts);
    *a = (struct arrangement){0};
}

void arrangement_take(struct arrangement *a, const klu_symbolic *symbolic, const int *rows)
{
    const size_t bytes = (size_t)a->n * sizeof(int);
    a->blocks = symbolic->nblocks;
    memcpy(a->row, rows, bytes);
    memcpy(a->column, symbolic->Q, bytes);
    memcpy(a->block_start, symbolic->R, ((size_t)a->blocks + 1) * sizeof(int));
}

/* Whether entry e of column j of A counts as 0; entries of columns ascend, and so do those that are left out. */
static bool is_left_out(const struct arrangement *a, const struct sparse_pattern *p, int e, int j)
{
    return a->left_out_count > 0 && p->row[e] == j && p->asked && !p->asked[j];
}

void arrangement_place(struct arrangement *a, const struct sparse_pattern *p)
{
    int inside = 0, above = 0;
    for (int i = 0; i < a->n; i++)
        a->place_of[a->row[i]] = i;
    for (int b = 0; b < a->blocks; b++)
        for (int j = a->block_start[b]; j < a->block_start[b + 1]; j++) {
            const int column = a->column[j];
            for (int e = p->column_start[column]; e < p->column_start[column + 1]; e++) {
                const int row = a->place_of[p->row[e]];
                if (is_left_out(a, p, e, column))
                    continue;
                if (row < a->block_start[b]) {
                    a->above.row[above] = row;
                    a->above.slot[above++] = e;
                } else {
                    a->inside.row[inside] = row;
                    a->inside.slot[inside++] = e;
                }
            }
            a->above.start[j + 1] = above;
            a->inside.start[j + 1] = inside;
        }
}

/* Puts pivots into another order. */
static void reorder(struct arrangement *a, const int *order, int *workspace)
{
    int *const lists[] = {a->row, a->column};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        memcpy(workspace, lists[l], (size_t)a->n * sizeof *workspace);
        for (int i = 0; i < a->n; i++)
            lists[l][i] = workspace[order[i]];
    }
}

bool arrangement_find_fronts(struct arrangement *a, const struct sparse_pattern *p)
{
    const struct fronts_matrix matrix = {a->n, a->inside.start, a->inside.row};
    int *const order = malloc(2 * (size_t)a->n * sizeof *order);
    fronts_free(&a->fronts);
    arrangement_place(a, p);
    bool done = order && fronts_order(&matrix, order);
    if (done) {
        reorder(a, order, order + a->n);
        arrangement_place(a, p);
        done = fronts_analyze(&a->fronts, &matrix);
    }
    free(order);
    return done;
}
