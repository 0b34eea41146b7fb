/* uncertainty.c - see uncertainty.h. */
#include "mna/start/uncertainty.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sum of n terms with random signs is of the size of their sum divided by the root of n, rarely less. */
enum { PATTERNS = 4 };

/* About the largest |A^-1 e| over all errors |e_i| <= error[i] of the n equations, A as factored: the componentwise
 * bound |A^-1| |error| (Skeel, J. ACM 26, 1979) from below, by a few patterns of signs.  error, work and out [n]. */
static void uncertainty_estimate(struct sparse_lu *lu, int n, const double *error, double *work, double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (int i = 0; i < n; i++)
            work[i] = pattern == 0 || scatter(i, pattern) > 0 ? error[i] : -error[i];
        sparse_lu_solve(lu, work);
        for (int i = 0; i < n; i++)
            out[i] = fmax(out[i], fabs(work[i]));
    }
}

/* Largest voltage and largest current. */
static void find_largest(const struct uncertain_point *p, double largest[2])
{
    largest[UNKNOWN_VOLTAGE] = largest[UNKNOWN_CURRENT] = 0;
    for (int i = 0; i < mna_unknown_count(p->mna); i++) {
        const enum unknown_kind kind = mna_unknown(p->mna, i)->kind;
        largest[kind] = fmax(largest[kind], fabs(p->x[i]));
    }
}

/* The unknown whose error is largest beside the tolerance, -1 if all are below.  Nobody reads off less of the largest voltage or current
 * than a tenth of SPICE's reltol. */
static int find_worst(const struct uncertain_point *p, const double *error)
{
    const double relative = fmax(p->relative, MNA_SPICE.reltol / 10);
    double largest[2], worst = 1;
    int place = -1;
    find_largest(p, largest);
    for (int i = 0; i < mna_unknown_count(p->mna); i++) {
        const double tolerance = relative * largest[mna_unknown(p->mna, i)->kind] + mna_dae(p->mna)->absolute[i];
        if (error[i] > worst * tolerance) {
            worst = error[i] / tolerance;
            place = i;
        }
    }
    return place;
}

static void warn(const struct uncertain_point *p, int unknown, double error, struct kn_diagnostics *d)
{
    char elements[300];
    const struct unknown *u = mna_unknown(p->mna, unknown);
    mna_describe(p->mna, unknown, elements, sizeof elements);
    diagnostics_add(d, KN_WARNING, "rounding", u->element ? u->element->where : NOWHERE,
                    "make the largest conductances smaller or the smallest larger, or leave out what does not matter",
                    "values differ by so many decades that rounding alone moves %s by up to about %.2g %s at the "
                    "operating point (elements there: %s)",
                    u->name, error, u->kind == UNKNOWN_VOLTAGE ? "V" : "A", elements);
}

enum kn_status uncertainty_report(const struct uncertain_point *p, struct kn_diagnostics *d)
{
    const size_t n = (size_t)mna_unknown_count(p->mna);
    double *error = malloc((3 * n + 1) * sizeof *error);
    if (!error)
        return KN_ERROR_MEMORY;
    double *work = error + n, *of_x = work + n;
    for (size_t i = 0; i < n; i++)
        error[i] = DBL_EPSILON * p->row_scale[i];
    uncertainty_estimate(p->lu, (int)n, error, work, of_x);
    const int place = find_worst(p, of_x);
    if (place >= 0)
        warn(p, place, of_x[place], d);
    free(error);
    return KN_OK;
}
