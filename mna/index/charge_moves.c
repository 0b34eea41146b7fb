/* charge_moves.c - see charge_moves.h. */
#include "mna/index/charge_moves.h"

#include "base/rounding.h"

#include <stdlib.h>

/* Rows and columns of values without a charge of their own are those of the identity. */
static void fill(struct charge_moves *m, const double *C)
{
    const struct sparse_pattern *p = m->pattern;
    for (int j = 0; j < p->n; j++)
        m->own[j] = C[sparse_pattern_find(p, j, j)];
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k];
            m->matrix[k] = m->own[i] != 0 && m->own[j] != 0 ? C[k] : 0;
            if (i == j)
                m->matrix[k] = m->own[i] != 0 ? (1 + ROUNDING_SAME) * m->own[i] : 1;
        }
}

enum kn_status charge_moves_init(struct charge_moves *m, const struct sparse_pattern *p, const double *C)
{
    *m = (struct charge_moves){.pattern = p, .own = calloc((size_t)p->n + 1, sizeof *m->own), .matrix = sparse_values(p)};
    if (!m->own || !m->matrix)
        return KN_ERROR_MEMORY;
    fill(m, C);
    const enum kn_status status = sparse_lu_new(p, &m->lu);
    return status == KN_OK ? sparse_lu_factor(m->lu, m->matrix) : status;
}

void charge_moves_free(struct charge_moves *m)
{
    sparse_lu_free(m->lu);
    free(m->matrix);
    free(m->own);
    *m = (struct charge_moves){0};
}

void charge_moves_find(struct charge_moves *m, double *dx)
{
    for (int i = 0; i < m->pattern->n; i++)
        if (m->own[i] == 0)
            dx[i] = 0;
    sparse_lu_solve(m->lu, dx);
}
