/* derivative.c - see derivative.h. */
#include "analyses/small_signal/derivative.h"

#include "base/array.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* (64 D(h/4) - 20 D(h/2) + D(h))/45 of the central differences D(s) = (g(v + s) - g(v - s))/(2 s). */
const double derivative_step[DERIVATIVE_POINTS] = {1, -1, 0.5, -0.5, 0.25, -0.25};
const double derivative_weight[DERIVATIVE_POINTS] = {1.0 / 90,  -1.0 / 90,  -20.0 / 45,
                                                     20.0 / 45, 128.0 / 45, -128.0 / 45};

/* The same of (4 D(h/4) - D(h/2))/3. */
const double derivative_lower[DERIVATIVE_POINTS] = {0, 0, -1.0 / 3, 1.0 / 3, 8.0 / 3, -8.0 / 3};

static const double PART = 1.0 / 256; /* h of the value */
static const double ENOUGH = 1e-6;    /* doubt with which a step is good */
static const double ROUNDING = 100 * DBL_EPSILON;
enum { ATTEMPTS = 4 }; /* each with an eighth of the step before */

enum kn_status derivative_init(struct derivative *d, struct mna *m, const double *x, double fastest)
{
    *d = (struct derivative){.x = x, .n = mna_unknown_count(m), .fastest = fastest};
    d->f = calloc((size_t)d->n + 1, sizeof *d->f);
    d->terms = calloc((size_t)d->n + 1, sizeof *d->terms);
    enum kn_status status = altered_init(&d->altered, mna_circuit(m));
    if (status == KN_OK)
        status = mna_variants_new(m, &d->variants);
    return d->f && d->terms ? status : KN_ERROR_MEMORY;
}

static void drop_points(struct derivative *d)
{
    for (int k = 0; k < DERIVATIVE_POINTS; k++) {
        mna_variant_free(d->points[k]);
        d->points[k] = NULL;
    }
}

void derivative_free(struct derivative *d)
{
    drop_points(d);
    mna_variants_free(d->variants);
    altered_free(&d->altered);
    free(d->f);
    free(d->terms);
    free(d->G);
    free(d->C);
    free(d->row);
    free(d->column);
    free(d->delays);
}

/* With a number instead, or as written; *out is NULL where that cannot be. */
static enum kn_status variant_with(struct derivative *d, const struct value *v, double number, bool as_written,
                                   struct mna_variant **out)
{
    altered_set(&d->altered, v, number, as_written);
    const enum kn_status status = mna_variant_new(d->variants, &d->altered.circuit, out);
    if (status == KN_OK)
        mna_variant_evaluate(*out, d->x);
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

static bool same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Whether a default that is written out changes nothing: many stand for something else where they are absent. */
static enum kn_status check_default(struct derivative *d, const struct value *v, bool *counts)
{
    struct mna_variant *absent = NULL, *given = NULL;
    enum kn_status status = variant_with(d, v, v->number, true, &absent);
    if (status == KN_OK)
        status = variant_with(d, v, v->number, false, &given);
    *counts = absent && given && absent->count == given->count && same(absent->f, given->f, (size_t)d->n) &&
              same(absent->q, given->q, (size_t)d->n) && same(absent->G, given->G, given->count) &&
              same(absent->C, given->C, given->count);
    mna_variant_free(absent);
    mna_variant_free(given);
    return status;
}

static bool make_room(struct derivative *d, size_t count)
{
    if (count >= d->room) {
        const size_t room = 2 * count + 16;
        if (!array_resize(&d->G, room, sizeof *d->G) || !array_resize(&d->C, room, sizeof *d->C) ||
            !array_resize(&d->row, room, sizeof *d->row) || !array_resize(&d->column, room, sizeof *d->column) ||
            !array_resize(&d->delays, room, sizeof *d->delays))
            return false;
        d->room = room;
    }
    d->count = count;
    return true;
}

/* One component of the points' arrays, weighed, of terms that are as large as size; *worst and *most: largest difference
 * so far that is not rounding, and size. */
static double sum_component(const struct derivative *d, double *const component[DERIVATIVE_POINTS], size_t i,
                            double size, double *worst, double *most)
{
    double sum = 0, lower = 0;
    for (int k = 0; k < DERIVATIVE_POINTS; k++) {
        sum += derivative_weight[k] * component[k][i];
        lower += derivative_lower[k] * component[k][i];
        size = fmax(size, fabs(component[k][i]));
    }
    *worst = fmax(*worst, fabs(sum - lower) - ROUNDING * size);
    *most = fmax(*most, fabs(sum));
    return sum / d->h;
}

/* terms: sizes of what the components are differences of; NULL: of nothing larger than themselves. */
static void sum_array(struct derivative *d, double *const component[DERIVATIVE_POINTS], size_t count,
                      const double *terms, double *to)
{
    double worst = 0, most = 0;
    for (size_t i = 0; i < count; i++)
        to[i] = sum_component(d, component, i, terms ? terms[i] : 0, &worst, &most);
    if (most > 0)
        d->doubt = fmax(d->doubt, worst / most);
}

/* terms [n] = |G| |x|: where gm (v(a) - v(b)) is next to nothing, rounding is that of gm v(a). */
static void size_terms(struct derivative *d, const struct mna_variant *point)
{
    for (int i = 0; i < d->n; i++)
        d->terms[i] = 0;
    for (size_t i = 0; i < point->count; i++)
        if (point->row[i] >= 0 && point->column[i] >= 0)
            d->terms[point->row[i]] += fabs(point->G[i] * d->x[point->column[i]]);
}

static enum kn_status sum_points(struct derivative *d)
{
    const struct mna_variant *first = d->points[0];
    double *f[DERIVATIVE_POINTS], *G[DERIVATIVE_POINTS], *C[DERIVATIVE_POINTS];
    if (!make_room(d, first->count))
        return KN_ERROR_MEMORY;
    for (int k = 0; k < DERIVATIVE_POINTS; k++) {
        f[k] = d->points[k]->f;
        G[k] = d->points[k]->G;
        C[k] = d->points[k]->C;
    }
    d->doubt = 0;
    memcpy(d->row, first->row, d->count * sizeof *d->row);
    memcpy(d->column, first->column, d->count * sizeof *d->column);
    size_terms(d, first);
    sum_array(d, f, (size_t)d->n, d->terms, d->f);
    sum_array(d, G, d->count, NULL, d->G);
    sum_array(d, C, d->count, NULL, d->C);
    return KN_OK;
}

static enum kn_status make_points(struct derivative *d, const struct value *v, bool *there)
{
    enum kn_status status = KN_OK;
    drop_points(d);
    for (int k = 0; k < DERIVATIVE_POINTS && status == KN_OK && *there; k++) {
        status = variant_with(d, v, v->number + derivative_step[k] * d->h, false, &d->points[k]);
        *there = d->points[k] && d->points[k]->count == d->points[0]->count;
    }
    return status == KN_OK && *there ? sum_points(d) : status;
}

/* With ever smaller steps, until one is good: beyond it a device bends, has other equations or cannot be.  Where none is, the one with
 * the least doubt stands, as rounding is taken for a bend and grows with smaller ones. */
static enum kn_status try_steps(struct derivative *d, const struct value *v, double longest, bool *there)
{
    double best = 0, least = INFINITY;
    enum kn_status status = KN_OK;
    d->h = longest;
    for (int i = 0; i < ATTEMPTS && status == KN_OK && least > ENOUGH; i++) {
        d->h = ldexp(longest, -3 * i);
        *there = true;
        status = make_points(d, v, there);
        if (*there && d->doubt < least) {
            least = d->doubt;
            best = d->h;
        }
    }
    *there = best > 0;
    if (status != KN_OK || best == 0 || best == d->h)
        return status;
    d->h = best;
    return make_points(d, v, there);
}

enum kn_status derivative_of(struct derivative *d, const struct value *v, bool *there)
{
    const double size = v->number != 0 ? fabs(v->number) * PART : PART;
    enum kn_status status = KN_OK;
    *there = true;
    if (!v->given)
        status = check_default(d, v, there);
    if (status == KN_OK && *there)
        status = try_steps(d, v, size, there);
    /* A delay shall turn no phase by more than a sixteenth, where the error is 1e-13. */
    const double phase = status == KN_OK && *there ? d->fastest * mna_variant_longest_delay(d->points[0]) : 0;
    const double longest = size * fmin(1, 16 / (1 + phase));
    return status == KN_OK && *there && longest < d->h ? try_steps(d, v, longest, there) : status;
}

static double complex at(const double complex *x, int unknown)
{
    return unknown >= 0 ? x[unknown] : 0;
}

static double complex delay_form(struct derivative *d, double w, const double complex *y, const double complex *x)
{
    double complex sum = 0;
    for (int k = 0; k < DERIVATIVE_POINTS; k++) {
        mna_variant_delay(d->points[k], w, d->delays);
        for (size_t i = 0; i < d->count; i++)
            sum += derivative_weight[k] / d->h * d->delays[i] * at(y, d->row[i]) * at(x, d->column[i]);
    }
    return sum;
}

double complex derivative_form(struct derivative *d, double w, const double complex *y, const double complex *x)
{
    double complex sum = mna_variant_longest_delay(d->points[0]) > 0 ? delay_form(d, w, y, x) : 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->G[i] != 0 || d->C[i] != 0)
            sum += CMPLX(d->G[i], w * d->C[i]) * at(y, d->row[i]) * at(x, d->column[i]);
    return sum;
}
