/* index_singular.c - whether a pencil is singular: G + s C is so for all s, hence for a few that are as good as any.
 *
 * Where the element values cancel exactly, the chains of index_chain.c and index_series.c may take round-off for an
 * equation; here it cannot hide, since a matrix with one equation of pure round-off has a condition of 1/epsilon.
 */
#include "base/rounding.h"
#include "mna/index/index_shifted.h"
#include "sparse/triplets.h"

#include <math.h>

enum kn_status pencil_is_singular(const struct pencil *p, bool *singular)
{
    const double rate = 1.37 * pencil_middle_rate(p); /* no round number, which might be an eigenvalue */
    *singular = true;
    for (int trial = 0; trial < EXACT_TRIALS && *singular; trial++) {
        double condition;
        const enum kn_status status = pencil_condition(p, rate * pow(10, 3 * (trial - 1)), &condition);
        if (status != KN_OK)
            return status;
        *singular = !(condition < ROUNDING_SINGULAR);
    }
    return KN_OK;
}

/* ---- transfers ---- */

/* Conductances of blocking junctions bring the middle rate down to nothing; most of a circuit may be faster by many decades. */
enum { MOST_DECADES = 15 };

/* Whether at a shift what the border brings in moves what it reads. */
static enum kn_status responds(struct shifted *s, const struct index_border *b, double complex shift, double complex *x,
                               bool *any)
{
    double largest = 0;
    double complex response = 0;
    const enum kn_status status = shifted_factor(s, shift);
    if (status != KN_OK)
        return status == KN_ERROR_CIRCUIT ? KN_OK : status;
    for (int i = 0; i < s->p->n; i++)
        x[i] = b->column[i];
    sparse_zlu_solve(s->lu, x);
    for (int i = 0; i < s->p->n; i++) {
        response += b->row[i] * x[i];
        largest = fmax(largest, cabs(x[i]));
    }
    *any = *any || cabs(response) > ROUNDING_SOLVED * largest;
    return KN_OK;
}

enum kn_status index_passes(struct mna *m, const struct index_point *at, const struct index_options *o, bool *passes)
{
    struct arena *memory = arena_new();
    struct pencil p;
    struct shifted s = {0};
    *passes = false;
    if (!memory)
        return KN_ERROR_MEMORY;
    enum kn_status status = pencil_at(m, at->time, at->x, memory, &p);
    double complex *x = arena_array(memory, (size_t)mna_unknown_count(m) + 1, sizeof *x);
    if (status == KN_OK && o->alternating)
        mna_alternate(m, p.G);
    if (status == KN_OK)
        status = x ? shifted_new(memory, &p, m, &s) : KN_ERROR_MEMORY;
    const double rate = status == KN_OK ? pencil_middle_rate(&p) : 1;
    for (int decade = -3; decade <= MOST_DECADES && status == KN_OK && !*passes; decade += 3)
        status = responds(&s, o->borders, I * rate * pow(10, decade), x, passes);
    shifted_free(&s);
    arena_free(memory);
    return status;
}
