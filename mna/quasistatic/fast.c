/* fast.c - see fast.h. */
#include "mna/quasistatic/fast.h"

#include "base/rounding.h"
#include "mna/quasistatic/algebraic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fast {
    struct arena *memory;
    const struct parasitics *parasitics;
    struct algebraic algebraic;
    struct dense K; /* [parasitics x parasitics] */
    struct fast_part part;
};

void fast_spend(struct fast *f, const double *charge, double *x)
{
    algebraic_answer(&f->algebraic, charge, x);
}

void fast_add_currents(const struct fast *f, const double *x, double *out)
{
    sparse_multiply_add(f->algebraic.pencil.pattern, f->algebraic.pencil.G, x, out);
}

static void leave_open(struct fast_part *part, const char *why)
{
    part->verdict = FAST_OPEN;
    part->open = why;
}

/* ---- time constants ---- */

static enum kn_status find_resistances(struct fast *f)
{
    const size_t n = (size_t)f->algebraic.pencil.n;
    const int count = (int)f->parasitics->count;
    double *charge = arena_array(f->memory, n + 1, sizeof *charge), *x = arena_array(f->memory, n + 1, sizeof *x);
    if (!charge || !x || !dense_new(f->memory, count, count, &f->K))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < count; j++) {
        const struct stray *p = &f->parasitics->list[j];
        memset(charge, 0, n * sizeof *charge);
        if (p->plus > 0)
            charge[p->plus - 1] += 1;
        if (p->minus > 0)
            charge[p->minus - 1] -= 1;
        fast_spend(f, charge, x);
        for (int i = 0; i < count; i++)
            *dense_at(&f->K, i, j) = stray_state(&f->parasitics->list[i], x);
        const double seen = *dense_at(&f->K, j, j);
        f->part.resistance[j] = p->inductor ? -seen : seen; /* the charge of an inductor is -L i */
        f->part.own[j] = seen * p->charge;
    }
    return KN_OK;
}

/* |D|^(1/2) K D |D|^(-1/2), which has the eigenvalues of K D and is symmetric for resistors and capacitors. */
static bool balanced(const struct fast *f, struct dense *out)
{
    const int count = f->K.rows;
    if (!dense_new(f->memory, count, count, out))
        return false;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++) {
            const double row = f->parasitics->list[i].charge, column = f->parasitics->list[j].charge;
            *dense_at(out, i, j) = sqrt(fabs(row)) * *dense_at(&f->K, i, j) * copysign(sqrt(fabs(column)), column);
        }
    return true;
}

static int by_size(const void *a, const void *b)
{
    const struct fast_mode *x = a, *y = b;
    const double p = cabs(x->constant), q = cabs(y->constant);
    if (fabs(p - q) > ROUNDING_SAME * p)
        return p < q ? 1 : -1;
    return cimag(x->constant) < cimag(y->constant) ? 1 : cimag(x->constant) > cimag(y->constant) ? -1 : 0;
}

/* The eigenvalues of K D [parasitics]; the QZ of a few hundred takes seconds. */
static enum kn_status find_constants(struct fast *f, struct eigenvalue *values)
{
    const int count = f->K.rows;
    struct dense T, unit;
    if (!balanced(f, &T) || !dense_identity(f->memory, count, &unit))
        return KN_ERROR_MEMORY;
    if (count > MNA_MOST_DENSE && dense_asymmetry(&T) <= ROUNDING_SAME)
        return dense_symmetric_eigenvalues(f->memory, &T, values);
    if (count > MNA_MOST_DENSE)
        return dense_matrix_eigenvalues(f->memory, &T, values);
    return dense_eigenvalues(f->memory, &T, &unit, values);
}

static enum kn_status find_modes(struct fast *f)
{
    const size_t count = f->parasitics->count;
    struct fast_part *part = &f->part;
    struct eigenvalue *values = arena_array(f->memory, count + 1, sizeof *values);
    part->modes = arena_array(f->memory, count + 1, sizeof *part->modes);
    if (!values || !part->modes)
        return KN_ERROR_MEMORY;
    const enum kn_status status = count > 0 ? find_constants(f, values) : KN_OK;
    if (part->open)
        return status;
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, cabs(values[k].value));
    for (size_t k = 0; status == KN_OK && k < count; k++)
        if (cabs(values[k].value) >
            ROUNDING_SOLVED * largest) /* smaller ones are round-off of a matrix of lower rank */
            part->modes[part->mode_count++] = (struct fast_mode){values[k].value, values[k].error};
    part->without = count - part->mode_count;
    qsort(part->modes, part->mode_count, sizeof *part->modes, by_size);
    for (size_t k = 0; k < part->mode_count; k++) /* 1/|Re(1/tau)| */
        part->slowest = fmax(part->slowest, 1 / fabs(creal(1 / part->modes[k].constant)));
    return status;
}

/* ---- verdict ---- */

/* Part of its rate with which a mode is damped; below 0 it grows. */
static double damping(const struct fast_mode *m)
{
    return creal(m->constant) / cabs(m->constant);
}

static bool may_hide_modes(const struct fast_part *part, size_t count)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        const double own = fabs(part->own[i]);
        least = own > 0 ? fmin(least, own) : least;
        most = fmax(most, own);
    }
    return part->without > 0 && ROUNDING_SOLVED * most > least;
}

static void judge_modes(struct fast_part *part, size_t count)
{
    double least = INFINITY, limit = ROUNDING_SAME;
    for (size_t k = 0; k < part->mode_count; k++) {
        const struct fast_mode *m = &part->modes[k];
        if (damping(m) >= least)
            continue;
        least = damping(m);
        part->decisive = k;
        limit = fmax(ROUNDING_SAME, fmin(m->error, 1)); /* damping beside the rate; with less a mode lasts */
    }
    part->verdict = least < -limit ? FAST_UNSTABLE : least < limit ? FAST_UNDAMPED : FAST_ATTRACTIVE;
    if (part->verdict != FAST_ATTRACTIVE || !may_hide_modes(part, count))
        return;
    part->verdict = FAST_OPEN;
    part->open = "their time constants span more decades than rounding leaves: leave out those of one size at a time";
}

/* ---- contraction ----
 *
 * With S = |D|^(1/2) K D |D|^(-1/2), states scaled by the roots of their values obey w' = -S^-1 w, and w^T w / 2 is the
 * energy.  The logarithmic norm of a matrix A is the largest eigenvalue of (A + A^T)/2. */

static enum kn_status largest_eigenvalue(struct arena *memory, const struct dense *symmetric, double *out)
{
    const int n = symmetric->rows;
    struct dense unit;
    struct eigenvalue *values = arena_array(memory, (size_t)n + 1, sizeof *values);
    *out = n > 0 ? -INFINITY : 0;
    if (!values || !dense_identity(memory, n, &unit))
        return KN_ERROR_MEMORY;
    const enum kn_status status = n > 0 ? dense_eigenvalues(memory, symmetric, &unit, values) : KN_OK;
    for (int k = 0; status == KN_OK && k < n; k++)
        *out = fmax(*out, creal(values[k].value));
    return status;
}

/* The least rate with which w^T w falls under w' = -A w. */
static enum kn_status contraction_of(struct arena *memory, const struct dense *A, double *out)
{
    struct dense symmetric;
    if (!dense_new(memory, A->rows, A->rows, &symmetric))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < A->rows; j++)
        for (int i = 0; i < A->rows; i++)
            *dense_at(&symmetric, i, j) = -(*dense_at(A, i, j) + *dense_at(A, j, i)) / 2;
    const enum kn_status status = largest_eigenvalue(memory, &symmetric, out);
    *out = -*out;
    return status;
}

/* S^-1; *known = false where there is none, or no energy. */
static enum kn_status find_rates(const struct fast *f, struct dense *inverse, bool *known)
{
    const int count = f->K.rows;
    struct dense S, unit;
    *known = count > 0 && count <= MNA_MOST_DENSE && f->part.without == 0;
    for (int i = 0; i < count; i++)
        *known = *known && f->parasitics->list[i].value > 0;
    if (!*known)
        return KN_OK;
    if (!balanced(f, &S) || !dense_identity(f->memory, count, &unit))
        return KN_ERROR_MEMORY;
    const enum kn_status status = dense_solve(f->memory, &S, &unit, inverse);
    *known = status == KN_OK;
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

static enum kn_status find_contraction(struct fast *f)
{
    struct dense rates;
    bool known;
    enum kn_status status = find_rates(f, &rates, &known);
    if (status == KN_OK && known)
        status = contraction_of(f->memory, &rates, &f->part.contraction);
    if (status == KN_ERROR_CONVERGENCE)
        f->part.contraction = NAN;
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

/* Largest singular value. */
static enum kn_status norm_of(struct arena *memory, const struct dense *A, double *out)
{
    struct dense transposed, square;
    if (!dense_transpose(memory, A, &transposed) || !dense_multiply(memory, &transposed, A, &square))
        return KN_ERROR_MEMORY;
    const enum kn_status status = largest_eigenvalue(memory, &square, out);
    *out = sqrt(fmax(*out, 0));
    return status;
}

enum kn_status fast_find_dissipation(const struct fast *all, const bool *is_fast, struct fast_dissipation *out)
{
    struct arena *memory = all->memory;
    struct dense rates, part;
    int *members[2], count[2] = {0, 0};
    double norm[2] = {0, 0};
    bool known;
    *out = (struct fast_dissipation){.slow = NAN, .fast = NAN, .coupling = NAN};
    enum kn_status status = find_rates(all, &rates, &known);
    if (status != KN_OK || !known)
        return status;
    for (int k = 0; k < 2; k++)
        if (!(members[k] = arena_array(memory, all->parasitics->count + 1, sizeof *members[k])))
            return KN_ERROR_MEMORY;
    for (size_t i = 0; i < all->parasitics->count; i++)
        members[is_fast[i]][count[is_fast[i]]++] = (int)i;
    double *const contraction[2] = {&out->slow, &out->fast};
    for (int k = 0; status == KN_OK && k < 2; k++) {
        if (!dense_select(memory, &rates, members[k], count[k], members[k], count[k], &part))
            return KN_ERROR_MEMORY;
        status = contraction_of(memory, &part, contraction[k]);
        if (status == KN_OK && !dense_select(memory, &rates, members[k], count[k], members[1 - k], count[1 - k], &part))
            return KN_ERROR_MEMORY;
        status = status == KN_OK ? norm_of(memory, &part, &norm[k]) : status;
    }
    out->coupling = norm[0] * norm[1];
    out->known = status == KN_OK && count[0] > 0 && count[1] > 0;
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

/* ---- all of it ---- */

static enum kn_status judge(struct fast *f, enum algebraic_outcome outcome)
{
    if (outcome == ALGEBRAIC_EXCITED)
        f->part.verdict = FAST_RAISES;
    else if (outcome == ALGEBRAIC_HIGHER)
        leave_open(&f->part, "without them the index of the equations is above 2");
    else if (outcome == ALGEBRAIC_UNCLEAR)
        leave_open(&f->part, "too many of the remaining equations depend on each other, or nearly so");
    else if (f->parasitics->count > FAST_MOST_PARASITICS)
        leave_open(&f->part, "there are more than 2000: leave out fewer at a time");
    if (outcome != ALGEBRAIC_REGULAR || f->part.open)
        return KN_OK;
    enum kn_status status = find_resistances(f);
    if (status == KN_OK)
        status = find_modes(f);
    if (status != KN_OK || f->part.open)
        return status;
    judge_modes(&f->part, f->parasitics->count);
    return find_contraction(f);
}

static enum kn_status find(struct fast *f, struct mna *reduced, const struct topology *t, const struct index_point *at)
{
    const size_t count = f->parasitics->count;
    const bool good =
        arena_vectors(f->memory, count + 1, (double **const[]){&f->part.own, &f->part.resistance, NULL}) &&
        (f->part.blamed = arena_array(f->memory, count + 1, sizeof *f->part.blamed));
    if (!good)
        return KN_ERROR_MEMORY;
    f->part.contraction = NAN;
    for (size_t i = 0; i < count; i++)
        f->part.own[i] = f->part.resistance[i] = NAN;
    enum algebraic_outcome outcome;
    const enum kn_status status =
        algebraic_find(f->memory, reduced, t, at->time, at->x, f->parasitics, f->part.blamed, &f->algebraic, &outcome);
    return status == KN_OK ? judge(f, outcome) : status;
}

void fast_free(struct fast *f)
{
    if (!f)
        return;
    algebraic_free(&f->algebraic);
    arena_free(f->memory);
}

enum kn_status fast_new(struct mna *reduced, const struct topology *t, const struct parasitics *p,
                        const struct index_point *at, struct fast **out)
{
    struct arena *memory;
    struct fast *f = arena_object(sizeof *f, &memory);
    *out = NULL;
    if (!f)
        return KN_ERROR_MEMORY;
    *f = (struct fast){.memory = memory, .parasitics = p};
    const enum kn_status status = find(f, reduced, t, at);
    if (status == KN_OK)
        *out = f;
    else
        fast_free(f);
    return status;
}

const struct fast_part *fast_result(const struct fast *f)
{
    return &f->part;
}
