/* vector_fitting.c - see vector_fitting.h.
 *
 * B. Gustavsen and A. Semlyen, Rational approximation of frequency domain responses by vector fitting, IEEE Trans. Power
 * Delivery 14 (1999) 1052: with poles a_k that are guessed, the linear least squares problem
 *
 *     (sum c_k/(s - a_k) + direct) - H(s) (sum g_k/(s - a_k) + g) = 0
 *
 * is solved at the samples.  The zeros of the second sum, which are the eigenvalues of diag(a) - b g_k^T/g, are better poles;
 * those that grow are mirrored.  The taps of the chain with these poles are a linear problem of their own.  That not all of it is 0 is asked of the
 * mean of the second sum's real part and not of g (B. Gustavsen, Improving the pole relocating properties of vector fitting,
 * IEEE Trans. Power Delivery 21 (2006) 1587, equation 8).  Unknowns are real: a pair has the columns 1/(s - a) + 1/(s - a*) and
 * j/(s - a) - j/(s - a*).
 */
#include "devices/behavioural/vector_fitting.h"

#include "sparse/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Poles settle within three to five rounds (Gustavsen 2006, table II). */
enum { ROUNDS = 6 };

/* Directions below are rounding. */
static const double RANK_PART = 1e-14;
/* Of a pole's magnitude: less damping is rounding. */
static const double LEAST_DAMPING = 1e-9;

struct fitting {
    const struct fit_problem *problem;
    double complex *poles; /* [pole_count] */
    size_t pole_count;
    size_t row_count;           /* of the samples that have a weight, twice */
    double *matrix;             /* [(row_count + 1) x (2 order + 2)] by columns */
    double *right;              /* [row_count + 1 + 2 order + 2] */
    double *column_size;        /* [2 order + 2] */
    double *state, *re, *im;    /* [order x order], [order], [order] */
    struct chain_link *current; /* [order] */
};

size_t chain_denominator(double complex pole, double d[3])
{
    const bool pair = cimag(pole) != 0;
    d[0] = pair ? creal(pole * conj(pole)) : -creal(pole);
    d[1] = pair ? -2 * creal(pole) : 1;
    d[2] = 1;
    return pair ? 3 : 2;
}

/* What a link lets be tapped, for *passed, which becomes what it hands on; returns how many taps there are. */
static size_t taps_of(double complex pole, double w, double complex *passed, double complex b[2])
{
    double d[3];
    const double complex s = CMPLX(0, w);
    const bool pair = chain_denominator(pole, d) == 3;
    const double complex even = pair ? d[0] - w * w : d[0], odd = pair ? d[1] * s : s;
    b[0] = *passed / (even + odd);
    b[1] = s * b[0];
    *passed *= (even - odd) / (even + odd);
    return pair ? 2 : 1;
}

double complex tapped_chain_value(const struct tapped_chain *c, double w)
{
    double complex sum = c->direct, passed = 1, b[2];
    for (size_t k = 0; k < c->count; k++) {
        const struct chain_link *link = &c->links[k];
        const size_t count = taps_of(link->pole, w, &passed, b);
        for (size_t i = 0; i < count; i++)
            sum += link->taps[i] * b[i];
    }
    return sum;
}

/* ---- columns ---- */

/* The real unknowns of a pole: one, or two of a pair. */
static size_t columns_of(double complex pole, double w, double complex b[2])
{
    const double complex s = CMPLX(0, w), u = 1 / (s - pole), v = 1 / (s - conj(pole));
    b[0] = cimag(pole) != 0 ? u + v : u;
    b[1] = I * (u - v);
    return cimag(pole) != 0 ? 2 : 1;
}

static void put(struct fitting *f, size_t rows, size_t column, size_t row, double complex value)
{
    f->matrix[column * rows + row] = creal(value);
    f->matrix[column * rows + row + 1] = cimag(value);
}

/* factor times the taps of the chain at w; returns the column behind. */
static size_t put_chain(struct fitting *f, size_t rows, size_t row, double w, double complex factor)
{
    double complex passed = factor, b[2];
    size_t column = 0;
    for (size_t k = 0; k < f->pole_count; k++) {
        const size_t count = taps_of(f->poles[k], w, &passed, b);
        for (size_t i = 0; i < count; i++)
            put(f, rows, column++, row, b[i]);
    }
    return column;
}

/* factor times the sum of poles at w, from `column` on; returns the column behind. */
static size_t put_poles(struct fitting *f, size_t rows, size_t column, size_t row, double w, double complex factor)
{
    for (size_t k = 0; k < f->pole_count; k++) {
        double complex b[2];
        const size_t count = columns_of(f->poles[k], w, b);
        for (size_t i = 0; i < count; i++)
            put(f, rows, column++, row, factor * b[i]);
    }
    return column;
}

/* Rows of the chain, or of both sums, which better poles are sought with; returns the columns. */
static size_t fill(struct fitting *f, size_t rows, bool both)
{
    const struct fit_problem *p = f->problem;
    size_t row = 0, column = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct transfer_sample *s = &p->samples[i];
        if (!(s->weight > 0))
            continue;
        column = both ? put_poles(f, rows, 0, row, s->w, s->weight) : put_chain(f, rows, row, s->w, s->weight);
        if (p->direct)
            put(f, rows, column++, row, s->weight);
        if (both) {
            column = put_poles(f, rows, column, row, s->w, -s->weight * s->value);
            put(f, rows, column++, row, -s->weight * s->value);
        }
        f->right[row] = both ? 0 : creal(s->weight * s->value);
        f->right[row + 1] = both ? 0 : cimag(s->weight * s->value);
        row += 2;
    }
    return column;
}

/* Solves with columns of length 1; the answer is in f->right. */
static enum kn_status solve(struct fitting *f, size_t rows, size_t columns)
{
    for (size_t k = 0; k < columns; k++) {
        double sum = 0, *at = f->matrix + k * rows;
        for (size_t i = 0; i < rows; i++)
            sum += at[i] * at[i];
        f->column_size[k] = sum > 0 ? sqrt(sum) : 1;
        for (size_t i = 0; i < rows; i++)
            at[i] /= f->column_size[k];
    }
    const enum kn_status status = lapack_least_squares((int)rows, (int)columns, f->matrix, f->right, RANK_PART);
    for (size_t k = 0; k < columns; k++)
        f->right[k] /= f->column_size[k];
    return status;
}

/* ---- better poles ---- */

/* The last row: the mean of the second sum's real part is 1, with the weight of all others. */
static void put_mean(struct fitting *f, size_t rows, size_t columns)
{
    const struct fit_problem *p = f->problem;
    const size_t first = columns - 1 - (size_t)p->order, last = rows - 1;
    double size = 0, count = 0;
    for (size_t k = 0; k < columns; k++)
        f->matrix[k * rows + last] = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct transfer_sample *s = &p->samples[i];
        if (!(s->weight > 0))
            continue;
        const double complex h = s->weight * s->value;
        size += creal(h * conj(h));
        count++;
        for (size_t k = 0, column = first; k < f->pole_count; k++) {
            double complex b[2];
            const size_t of_it = columns_of(f->poles[k], s->w, b);
            for (size_t n = 0; n < of_it; n++)
                f->matrix[column++ * rows + last] += creal(b[n]);
        }
    }
    const double weight = sqrt(size) / count;
    for (size_t k = first; k + 1 < columns; k++)
        f->matrix[k * rows + last] *= weight;
    f->matrix[(columns - 1) * rows + last] = weight * count;
    f->right[last] = weight * count;
}

/* diag(a) - b g^T / g_0, real: a pair is [re im; -im re] with b = [2 0]. */
static void put_state(struct fitting *f, const double *g, double g_0)
{
    const size_t n = (size_t)f->problem->order;
    memset(f->state, 0, n * n * sizeof *f->state);
    for (size_t k = 0, row = 0; k < f->pole_count; k++) {
        const bool pair = cimag(f->poles[k]) != 0;
        for (size_t column = 0; column < n; column++)
            f->state[column * n + row] = -(pair ? 2 : 1) * g[column] / g_0;
        f->state[row * n + row] += creal(f->poles[k]);
        if (pair) {
            f->state[(row + 1) * n + row] += cimag(f->poles[k]);
            f->state[row * n + row + 1] -= cimag(f->poles[k]);
            f->state[(row + 1) * n + row + 1] += creal(f->poles[k]);
        }
        row += pair ? 2 : 1;
    }
}

/* Of a pair the second is left out. */
static void take_poles(struct fitting *f)
{
    f->pole_count = 0;
    for (int k = 0; k < f->problem->order; k++) {
        const double size = hypot(f->re[k], f->im[k]);
        if (f->im[k] >= 0)
            f->poles[f->pole_count++] = CMPLX(-fmax(fabs(f->re[k]), LEAST_DAMPING * size), f->im[k]);
    }
}

static enum kn_status relocate(struct fitting *f)
{
    const size_t n = (size_t)f->problem->order, rows = f->row_count + 1;
    const size_t columns = fill(f, rows, true);
    put_mean(f, rows, columns);
    const enum kn_status status = solve(f, rows, columns);
    if (status != KN_OK)
        return status;
    const double g_0 = f->right[columns - 1];
    put_state(f, f->right + columns - 1 - n, copysign(fmax(fabs(g_0), 1e-8), g_0)); /* Gustavsen 2006, section IV */
    const enum kn_status found = lapack_eigenvalues((int)n, f->state, f->re, f->im);
    if (found == KN_OK)
        take_poles(f);
    return found;
}

/* ---- taps ---- */

static double deviation(const struct fit_problem *p, const struct tapped_chain *chain)
{
    double most = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->samples[i].judged > 0)
            most = fmax(most,
                        p->samples[i].judged * cabs(tapped_chain_value(chain, p->samples[i].w) - p->samples[i].value));
    return isfinite(most) ? most : INFINITY;
}

/* With the poles that there are; kept where it is the best one. */
static enum kn_status find_taps(struct fitting *f, struct tapped_chain *best)
{
    const size_t columns = fill(f, f->row_count, false);
    const enum kn_status status = solve(f, f->row_count, columns);
    if (status != KN_OK)
        return status;
    const double *c = f->right;
    for (size_t k = 0; k < f->pole_count; k++) {
        const bool pair = cimag(f->poles[k]) != 0;
        f->current[k] = (struct chain_link){f->poles[k], {c[0], pair ? c[1] : 0}};
        c += pair ? 2 : 1;
    }
    struct tapped_chain chain = {f->current, f->pole_count, f->problem->direct ? *c : 0, 0};
    chain.error = deviation(f->problem, &chain);
    if (!(chain.error < best->error))
        return KN_OK;
    memcpy(best->links, chain.links, chain.count * sizeof *chain.links);
    chain.links = best->links;
    *best = chain;
    return KN_OK;
}

/* ---- beginning ---- */

/* Half of them in equal ratios from the lowest to the highest frequency, half in equal distances, weakly damped (Gustavsen and Semlyen
 * 1999, section 3.2: one part in a hundred). */
static void begin(struct fitting *f)
{
    const struct fit_problem *p = f->problem;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->samples[i].judged > 0 && p->samples[i].w > 0) {
            low = fmin(low, p->samples[i].w);
            high = fmax(high, p->samples[i].w);
        }
    const size_t pairs = (size_t)p->order / 2, ratios = (pairs + 1) / 2, distances = pairs - ratios;
    f->pole_count = 0;
    if (p->order % 2 != 0)
        f->poles[f->pole_count++] = -sqrt(low * high);
    for (size_t k = 0; k < pairs; k++) {
        const double w = k < ratios ? low * pow(high / low, ((double)k + 0.5) / (double)ratios)
                                    : high * ((double)(k - ratios) + 0.75) / (double)distances;
        f->poles[f->pole_count++] = CMPLX(-0.01 * w, w);
    }
}

static bool allocate(struct fitting *f)
{
    const size_t n = (size_t)f->problem->order, columns = 2 * n + 2, rows = f->row_count + 1;
    f->poles = calloc(n + 1, sizeof *f->poles);
    f->matrix = calloc(rows * columns, sizeof *f->matrix);
    f->right = calloc(rows + columns, sizeof *f->right);
    f->column_size = calloc(columns, sizeof *f->column_size);
    f->state = calloc(n * n + 1, sizeof *f->state);
    f->re = calloc(n + 1, sizeof *f->re);
    f->im = calloc(n + 1, sizeof *f->im);
    f->current = calloc(n + 1, sizeof *f->current);
    return f->poles && f->matrix && f->right && f->column_size && f->state && f->re && f->im && f->current;
}

static void release(struct fitting *f)
{
    free(f->poles);
    free(f->matrix);
    free(f->right);
    free(f->column_size);
    free(f->state);
    free(f->re);
    free(f->im);
    free(f->current);
}

enum kn_status vector_fit(const struct fit_problem *p, struct tapped_chain *out)
{
    struct fitting f = {.problem = p};
    out->count = 0;
    out->direct = 0;
    out->error = INFINITY;
    for (size_t i = 0; i < p->count; i++)
        f.row_count += p->samples[i].weight > 0 ? 2 : 0;
    enum kn_status status = allocate(&f) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        begin(&f);
    for (int round = 0; round <= ROUNDS && status == KN_OK && !(out->error <= 1); round++) {
        status = round > 0 ? relocate(&f) : KN_OK;
        if (status == KN_OK)
            status = find_taps(&f, out);
    }
    release(&f);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status; /* what there is is the best of the rounds before */
}
