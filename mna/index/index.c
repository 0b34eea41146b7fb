/* index.c - see index.h: from the circuit's equations at a point to the pencil, and what the chain found to the result.
 */
#include "base/array.h"
#include "base/rounding.h"
#include "mna/index/exact.h"
#include "mna/index/index_parts.h"
#include "sparse/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* V and A by which unknowns are moved to see whether the equations are linear in them: four thermal voltages, and what
 * makes as much in 100 ohm. */
static const double PROBE_VOLTAGE = 0.1, PROBE_CURRENT = 1e-3;

static bool differs(const double *a, const double *b, int entries)
{
    for (int e = 0; e < entries; e++)
        if (fabs(a[e] - b[e]) > ROUNDING_SAME * (fabs(a[e]) + fabs(b[e])))
            return true;
    return false;
}

/* Whether G and C change with the unknowns that depend on derivatives. */
static enum kn_status find_nonlinear(const struct mna *m, const struct index_point *at, struct arena *memory,
                                     const struct pencil *p, struct index_analysis *a)
{
    if (mna_dae(m)->linear || a->derivative_count == 0)
        return KN_OK;
    double *x = arena_array(memory, (size_t)a->n, sizeof *x);
    if (!x)
        return KN_ERROR_MEMORY;
    memcpy(x, at->x, (size_t)a->n * sizeof *x);
    for (int k = 0; k < a->derivative_count; k++) {
        const int i = a->derivative[k];
        x[i] += mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE ? PROBE_VOLTAGE : PROBE_CURRENT;
    }
    struct pencil moved;
    const enum kn_status status = pencil_at(m, at->time, x, memory, &moved);
    a->nonlinear = status == KN_ERROR_CONVERGENCE || (status == KN_OK && (differs(p->G, moved.G, p->pattern->entries) ||
                                                                          differs(p->C, moved.C, p->pattern->entries)));
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

static bool list_derivatives(struct index_analysis *a)
{
    a->derivative = calloc((size_t)a->n + 1, sizeof *a->derivative);
    for (int i = 0; a->derivative && i < a->n; i++)
        if (a->order[i] > 0)
            a->derivative[a->derivative_count++] = i;
    return a->derivative != NULL;
}

/* Lossless lines have a past in a run; without it they are mere connections.  Accepted just after the point, so that a
 * run that begins there begins anew. */
static enum kn_status give_past(const struct mna *m, const struct index_point *at)
{
    const struct dae *dae = mna_dae(m);
    return dae->accept ? dae->accept(dae->problem, nextafter(at->time, INFINITY), at->x, 1, DAE_RESTART) : KN_OK;
}

/* Conductances (capacitances) in one balance that differ by more than 1 / ROUNDING_SOLVED lose each other in its sum. */
static bool find_widest(struct arena *memory, const struct mna *m, const struct pencil *p, const double *values,
                        struct index_analysis *a)
{
    double *largest = arena_array(memory, (size_t)p->n + 1, sizeof *largest);
    double *smallest = arena_array(memory, (size_t)p->n + 1, sizeof *smallest);
    if (!largest || !smallest)
        return false;
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const int i = p->pattern->row[e];
            const double size = fabs(values[e]);
            if (size == 0 || mna_unknown(m, i)->kind != UNKNOWN_VOLTAGE || mna_unknown(m, j)->kind != UNKNOWN_VOLTAGE)
                continue;
            largest[i] = fmax(largest[i], size);
            smallest[i] = smallest[i] > 0 ? fmin(smallest[i], size) : size;
        }
    for (int i = 0; i < p->n; i++) {
        /* a current stands in equations of nodes with a factor of 1 */
        const double ratio = largest[i] > 0 ? largest[i] / fmin(smallest[i], 1) : 0;
        if (ratio > a->widest) {
            a->widest = ratio;
            a->widest_unknown = i;
        }
    }
    return true;
}

static int find_absent(const struct pencil *p)
{
    for (int j = 0; j < p->n; j++) {
        bool any = false;
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++)
            any = any || p->G[e] != 0 || p->C[e] != 0;
        if (!any)
            return j;
    }
    return -1;
}

/* Values that cancel exactly leave round-off, which may look like the equations of a higher index. */
static enum kn_status look_for_singular(const struct pencil *p, struct index_analysis *a)
{
    bool singular = false;
    const bool doubtful = a->outcome == INDEX_OPEN || (a->outcome == INDEX_KNOWN && a->index > 2);
    const enum kn_status status = doubtful ? pencil_is_singular(p, &singular) : KN_OK;
    if (!singular)
        return status;
    note_rank(a, 0, 0); /* known from a condition only, which values over too many decades have as well */
    a->outcome = INDEX_SINGULAR_PENCIL;
    a->index = a->degrees_of_freedom = -1;
    a->step_count = 0;
    return status;
}

/* In the reduced coordinates of the chain the orders of derivatives, and the last vectors of longer Jordan blocks, are
 * out of sight. */
static enum kn_status find_orders(struct arena *memory, const struct pencil *p, const struct storage *s,
                                  const struct topology *t, struct index_analysis *a)
{
    struct index_analysis aside = {.n = p->n, .outcome = INDEX_OPEN};
    int *order = arena_array(memory, (size_t)p->n + 1, sizeof *order);
    if (!order)
        return KN_ERROR_MEMORY;
    const enum kn_status status = series_run(memory, p, s, t, &aside, order);
    for (int i = 0; i < p->n && aside.outcome == INDEX_KNOWN && aside.index == a->index; i++)
        a->order[i] = order[i];
    return status;
}

static int most_dense(const struct index_options *o)
{
    return o->most_dense > 0 ? o->most_dense : INDEX_MOST_DENSE;
}

/* Entries of the vectors for all loops and cutsets, of which there are some ten copies. */
enum { MOST_ENTRIES = 12000000 };

/* Time and memory of series_run go with the number of loops and cutsets. */
static bool is_within_reach(const struct topology *t, const struct pencil *p, const struct index_options *o)
{
    const size_t sets = t->cv_loops.count + t->li_cutsets.count;
    const int most = o->most_sets > 0 ? o->most_sets : INDEX_MOST_SETS;
    return sets <= (size_t)most && (double)sets * p->n <= MOST_ENTRIES;
}

static enum kn_status analyze_large(struct arena *memory, const struct pencil *p, const struct storage *s,
                                    const struct topology *t, const struct index_options *o, struct index_analysis *a)
{
    enum kn_status status = sparse_run(memory, p, s, t, a, a->order);
    if (status == KN_OK && a->outcome == INDEX_OPEN)
        status = split_run(memory, p, s, most_dense(o), a, a->order);
    if (status == KN_OK && a->outcome == INDEX_OPEN && is_within_reach(t, p, o))
        status = series_run(memory, p, s, t, a, a->order);
    return status;
}

static void leave_open(struct index_analysis *a)
{
    a->outcome = INDEX_OPEN;
    a->rounding = true;
    a->index = a->degrees_of_freedom = -1;
    a->step_count = 0;
    memset(a->order, 0, (size_t)a->n * sizeof *a->order);
}

/* The null spaces of C, of the equations p that may have borders; `plain` has none. */
static enum kn_status find_storage(struct arena *memory, const struct pencil *plain, const struct topology *t,
                                   const struct index_options *o, struct storage *s)
{
    const int dense = most_dense(o);
    const enum kn_status status =
        storage_find(memory, plain, t, dense < INDEX_DENSE_BLOCK ? INDEX_DENSE_BLOCK : dense, s);
    if (status != KN_OK)
        return status;
    return storage_add_borders(memory, plain->n, o->border_count, s) ? KN_OK : KN_ERROR_MEMORY;
}

/* With rounded numbers.  What these make of the values may be no matrix that could be decomposed. */
static enum kn_status run_numbers(struct arena *memory, const struct pencil *plain, const struct pencil *p,
                                  const struct topology *t, const struct index_options *o, struct index_analysis *a,
                                  struct finite_part *finite)
{
    const bool large = a->n > most_dense(o), circuit = o->border_count == 0;
    struct storage s;
    enum kn_status status = find_storage(memory, plain, t, o, &s);
    if (status == KN_OK) {
        note_rank(a, s.smallest, s.largest_dropped);
        if (!large)
            status = chain_run(memory, p, &s, a, a->order, finite);
        else if (circuit)
            status = analyze_large(memory, p, &s, t, o, a);
        else
            a->outcome = INDEX_OPEN;
    }
    /* a long chain of stages passes so little on that its equations would look singular */
    if (status == KN_OK && (circuit || !large))
        status = look_for_singular(p, a);
    if (status == KN_OK && !a->sparse && circuit && a->index > 2)
        status = find_orders(memory, p, &s, t, a);
    if (status == KN_ERROR_CONVERGENCE) {
        leave_open(a);
        status = KN_OK;
    }
    return status;
}

static bool agree(const struct index_analysis *a, const struct exact_index *x)
{
    if (a->outcome == INDEX_OPEN || (a->outcome == INDEX_SINGULAR_PENCIL) != x->singular)
        return false;
    return x->singular || (a->index == x->index && a->degrees_of_freedom == x->degrees_of_freedom &&
                           memcmp(a->null_dimension, x->null_dimension, (size_t)x->index * sizeof(int)) == 0);
}

static void take_exact(struct index_analysis *a, const struct exact_index *x)
{
    a->outcome = x->singular ? INDEX_SINGULAR_PENCIL : INDEX_KNOWN;
    a->index = x->singular ? -1 : x->index;
    a->degrees_of_freedom = x->singular ? -1 : x->degrees_of_freedom;
    a->step_count = x->singular ? 0 : x->index;
    memcpy(a->null_dimension, x->null_dimension, sizeof x->null_dimension);
    memcpy(a->order, x->order, (size_t)a->n * sizeof *a->order);
    a->rounding = false;
}

_Static_assert((int)EXACT_MOST_STEPS <= (int)INDEX_MOST_STEPS, "both count the same null spaces");

/* The values as they were meant have the last word.  Where they are known up to rounding only, rounding may also hide
 * that they cancel, and both must say the same. */
static enum kn_status correct_exactly(const struct mna *m, const struct index_options *o, struct arena *memory,
                                      struct index_analysis *a, bool *numbers, struct exact_zeros *at_zero)
{
    struct mna_terms terms;
    struct exact_index x;
    enum kn_status status = mna_terms_find(m, memory, &terms);
    if (status == KN_OK && o->border_count > 0 && !terms_add_borders(memory, o->borders, o->border_count, &terms))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = exact_index_find(memory, &terms, &x);
    if (status == KN_OK && o->spectrum)
        status = exact_poles_at_zero(memory, &terms, at_zero);
    if (status != KN_OK || x.open)
        return status;
    *numbers = agree(a, &x);
    a->exact = x.exact;
    if (*numbers || x.exact)
        take_exact(a, &x);
    else
        leave_open(a);
    if (!*numbers)
        a->condition = NAN;
    return KN_OK;
}

/* As far as the options ask for poles. */
static enum kn_status find_poles(struct arena *memory, const struct index_options *o, const struct finite_part *finite,
                                 struct exact_zeros at_zero, struct index_analysis *a)
{
    bool all_decay = false;
    enum kn_status status = KN_OK;
    if (o->growing && at_zero.count == 0)
        status = dense_is_positive_stable(memory, &finite->G, &finite->C, &all_decay); /* -pole C u = G u */
    return status == KN_OK && !all_decay ? spectrum_find(memory, finite, at_zero, a) : status;
}

static enum kn_status analyze(struct mna *m, const struct topology *t, const struct index_point *at,
                              const struct index_options *o, struct arena *memory, struct index_analysis *a)
{
    struct pencil plain, p;
    struct finite_part finite;
    bool numbers = true, other = false;
    struct exact_zeros at_zero = {0, false};
    enum kn_status status = o->running ? KN_OK : give_past(m, at);
    if (status == KN_OK)
        status = pencil_at(m, at->time, at->x, memory, &plain);
    if (status != KN_OK)
        return status;
    if (o->alternating)
        other = mna_alternate(m, plain.G);
    if (!find_widest(memory, m, &plain, plain.G, a) || !find_widest(memory, m, &plain, plain.C, a) ||
        !pencil_find_sizes(memory, &plain))
        return KN_ERROR_MEMORY;
    p = plain;
    if (o->border_count > 0 &&
        !(pencil_add_borders(memory, o->borders, o->border_count, &p) && pencil_find_sizes(memory, &p)))
        return KN_ERROR_MEMORY;
    a->blurred = ROUNDING_SOLVED * a->widest > 1;
    a->absent = find_absent(&plain);
    status = run_numbers(memory, &plain, &p, t, o, a, &finite);
    if (status == KN_OK && mna_dae(m)->linear && !o->rounded && !other && a->n <= EXACT_MOST_UNKNOWNS)
        status = correct_exactly(m, o, memory, a, &numbers, &at_zero);
    if (status == KN_OK && !list_derivatives(a))
        status = KN_ERROR_MEMORY;
    if (status == KN_OK && o->border_count == 0)
        status = find_nonlinear(m, at, memory, &p, a);
    if (status == KN_OK && o->spectrum && numbers && !a->sparse && a->outcome == INDEX_KNOWN &&
        a->degrees_of_freedom <= MNA_MOST_DENSE)
        status = find_poles(memory, o, &finite, at_zero, a);
    return status == KN_OK && a->poles ? spectrum_confirm(memory, &p, m, o->border_count > 0, a) : status;
}

enum kn_status index_analyze(struct mna *m, const struct topology *t, const struct index_point *at,
                             const struct index_options *o, struct index_analysis **out)
{
    struct index_analysis *a = calloc(1, sizeof *a);
    struct arena *memory = arena_new();
    enum kn_status status = a && memory ? KN_OK : KN_ERROR_MEMORY;
    *out = NULL;
    if (status == KN_OK) {
        a->n = mna_unknown_count(m) + o->border_count;
        a->degrees_of_freedom = a->widest_unknown = a->absent = -1;
        a->smallest_kept = a->condition = 1;
        a->order = calloc((size_t)a->n + 1, sizeof *a->order);
        status = a->order ? analyze(m, t, at, o, memory, a) : KN_ERROR_MEMORY;
    }
    arena_free(memory);
    if (status == KN_OK)
        *out = a;
    else
        index_free(a);
    return status;
}

bool index_is_doubtful(const struct index_analysis *a)
{
    const bool by_condition = a->outcome == INDEX_SINGULAR_PENCIL && a->smallest_kept == 0;
    if (a->exact)
        return false;
    return a->blurred || a->largest_dropped > INDEX_SURELY_ZERO || (a->smallest_kept < ROUNDING_RANK && !by_condition);
}

void index_free(struct index_analysis *a)
{
    if (!a)
        return;
    ARRAYS_FREE(a->order, a->derivative, a->poles, a->pole_errors, a);
}
