/* analysis.c - see analysis.h.
 *
 * Every pattern has all of its diagonal, because Newton's method and homotopies put numbers there.  Where fronts take pivots
 * as they come, entries that no element asked for are left out: in the rows of voltage sources they are 0, which is no
 * pivot, and without them the block triangular form takes these rows out of the others, or finds them another pivot
 * (I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 4 (1978) 137-147).  Factors look each time whether they are 0.
 */
#include "sparse/factors/analysis.h"

#include <stdlib.h>
#include <string.h>

const double sparse_many_products = 12;

klu_common sparse_analysis_settings(double *products)
{
    klu_common common;
    klu_defaults(&common);
    common.btf = 1;
    common.ordering = 3; /* by user_order */
    common.user_order = pivot_order;
    common.halt_if_singular = 1;
    common.user_data = products;
    return common;
}

/* ---- fronts ---- */

/* The pattern without diagonal entries that nobody asked for: start [n + 1], row [entries].  How many these are. */
static int leave_out(const struct sparse_pattern *p, int *start, int *row)
{
    int count = 0;
    start[0] = 0;
    for (int j = 0; j < p->n; j++) {
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            if (p->row[e] != j || p->asked[j])
                row[count++] = p->row[e];
        start[j + 1] = count;
    }
    return p->entries - count;
}

static bool list_left_out(const struct sparse_pattern *p, struct arrangement *a)
{
    a->left_out = calloc((size_t)p->n, sizeof *a->left_out);
    for (int j = 0; a->left_out && j < p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            if (p->row[e] == j && !p->asked[j])
                a->left_out[a->left_out_count++] = e;
    return a->left_out != NULL;
}

/* The order of the pattern with less on its diagonal.  Nothing where nothing can be left out. */
static enum kn_status order_without_zeros(const struct sparse_pattern *p, klu_common *common, klu_symbolic **out)
{
    enum kn_status status = KN_OK;
    int *const start = malloc(((size_t)p->n + 1) * sizeof *start), *const row =
                                                                       malloc(((size_t)p->entries + 1) * sizeof *row);
    *out = NULL;
    if (!start || !row)
        status = KN_ERROR_MEMORY;
    else if (leave_out(p, start, row) > 0) {
        *out = klu_analyze(p->n, start, row, common);
        status = *out || common->status == KLU_SINGULAR ? KN_OK : KN_ERROR_MEMORY;
    }
    free(start);
    free(row);
    return status;
}

static enum kn_status arrange(struct sparse_analysis *s, const struct sparse_pattern *p)
{
    struct arrangement *a = &s->arrangement;
    klu_common common = sparse_analysis_settings(NULL);
    klu_symbolic *less = NULL;
    enum kn_status status = p->asked ? order_without_zeros(p, &common, &less) : KN_OK;
    const klu_symbolic *const order = less ? less : s->symbolic;
    if (status == KN_OK && (!arrangement_init(a, p, order->nzoff) || (less && !list_left_out(p, a))))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK) {
        arrangement_take(a, order, order->P);
        status = arrangement_find_fronts(a, p) ? KN_OK : KN_ERROR_MEMORY;
    }
    if (less)
        klu_free_symbolic(&less, &common);
    if (status != KN_OK || a->fronts.count == 0)
        arrangement_free(a);
    return status;
}

bool sparse_analysis_fronts(struct sparse_analysis *s, bool is_complex, struct fronts *out)
{
    const struct fronts *of = &s->arrangement.fronts;
    struct fronts_room *room = &s->rooms[is_complex];
    const size_t number = is_complex ? 2 * sizeof(double) : sizeof(double);
    if (!room->front)
        *room = fronts_room_new(of, number);
    return room->front && fronts_borrow(of, *room, s->arrangement.n, number, out);
}

/* ---- life ---- */

void sparse_analysis_free(struct sparse_analysis *s)
{
    klu_common common = sparse_analysis_settings(NULL);
    if (!s)
        return;
    if (s->symbolic)
        klu_free_symbolic(&s->symbolic, &common);
    arrangement_free(&s->arrangement);
    for (size_t i = 0; i < sizeof s->rooms / sizeof *s->rooms; i++)
        fronts_room_free(&s->rooms[i]);
    free(s);
}

static enum kn_status analyze(struct sparse_analysis *s, const struct sparse_pattern *p)
{
    double products = 0;
    klu_common common = sparse_analysis_settings(&products);
    s->symbolic = klu_analyze(p->n, p->column_start, p->row, &common);
    if (!s->symbolic)
        return common.status == KLU_SINGULAR ? KN_ERROR_CIRCUIT : KN_ERROR_MEMORY;
    return products > sparse_many_products * (s->symbolic->lnz + s->symbolic->unz) ? arrange(s, p) : KN_OK;
}

enum kn_status sparse_analysis_of(const struct sparse_pattern *p, struct sparse_analysis **out, bool *own)
{
    *own = !p->shared;
    *out = p->shared ? p->shared->analysis : NULL;
    if (*out)
        return KN_OK;
    struct sparse_analysis *s = calloc(1, sizeof *s);
    const enum kn_status status = s ? analyze(s, p) : KN_ERROR_MEMORY;
    if (status != KN_OK) {
        sparse_analysis_free(s);
        return status;
    }
    *out = s;
    if (p->shared)
        p->shared->analysis = s;
    return KN_OK;
}
