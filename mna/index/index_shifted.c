/* index_shifted.c - see index_shifted.h. */
#include "mna/index/index_shifted.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

/* Applications to the start of an iteration. */
enum { CLEANING = 4 };

enum kn_status shifted_new(struct arena *memory, const struct pencil *p, const struct mna *m, struct shifted *s)
{
    *s = (struct shifted){.p = p, .mna = m};
    s->values = arena_array(memory, (size_t)p->pattern->entries + 1, sizeof *s->values);
    s->product = arena_array(memory, (size_t)p->n + 1, sizeof *s->product);
    s->weights = arena_array(memory, (size_t)p->n + 1, sizeof *s->weights);
    return s->values && s->product && s->weights ? sparse_zlu_new(p->pattern, &s->lu) : KN_ERROR_MEMORY;
}

void shifted_free(struct shifted *s)
{
    sparse_zlu_free(s->lu);
    s->lu = NULL;
}

enum kn_status shifted_apply(const struct shifted *s, double complex *x)
{
    const struct sparse_pattern *pattern = s->p->pattern;
    if (mna_interrupted(s->mna))
        return KN_INTERRUPTED;
    for (int i = 0; i < s->p->n; i++)
        s->product[i] = 0;
    for (int j = 0; j < s->p->n; j++)
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            s->product[pattern->row[e]] += s->p->C[e] * x[j];
    sparse_zlu_solve(s->lu, s->product);
    for (int i = 0; i < s->p->n; i++)
        x[i] = s->product[i];
    return KN_OK;
}

enum kn_status shifted_factor(struct shifted *s, double complex shift)
{
    s->shift = shift;
    for (int e = 0; e < s->p->pattern->entries; e++)
        s->values[e] = s->p->G[e] + shift * s->p->C[e];
    return sparse_zlu_factor(s->lu, s->values);
}

/* No vector of ones: of a symmetric circuit it would see the symmetric half. */
static void fill_at_random(int n, uint64_t state, double complex *x)
{
    for (int i = 0; i < n; i++) { /* xorshift, Marsaglia 2003 */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
}

enum kn_status shifted_start(const struct shifted *s, double complex *x)
{
    enum kn_status status = KN_OK;
    fill_at_random(s->p->n, 0x9E3779B97F4A7C15u, x);
    for (int k = 0; status == KN_OK && k < CLEANING; k++) {
        double largest = 0;
        status = shifted_apply(s, x);
        for (int i = 0; i < s->p->n; i++)
            largest = fmax(largest, cabs(x[i]));
        for (int i = 0; i < s->p->n && largest > 0; i++)
            x[i] /= largest;
    }
    return status;
}

/* Of a long Jordan block at infinity rounding makes eigenvalues far from 0 that satisfy the equations well: they are no
 * poles.  g(s) = v^T (G + s C)^-1 u with any u, v has all poles, and near one of them, p, g / g' = p - s: a step of
 * Newton's method that a pole hardly moves, and anything else by some part of its size. */

static const double MOVED_TOO_FAR = 1e-4; /* relative; Arnoldi's residuals are far below */

enum kn_status shifted_confirm(struct shifted *s, double complex *u, double complex *pole, double *error, bool *is_pole)
{
    const int n = s->p->n;
    double complex g = 0, slope = 0;
    const enum kn_status status = shifted_factor(s, *pole);
    *error = DBL_EPSILON;
    *is_pole = true;
    if (status != KN_OK)
        return status == KN_ERROR_CIRCUIT ? KN_OK : status; /* singular: *pole is a pole to the last digit */
    double complex *v = s->weights;
    fill_at_random(n, 1, u);
    fill_at_random(n, 2, v);
    sparse_zlu_solve(s->lu, u);
    for (int i = 0; i < n; i++)
        g += v[i] * u[i];
    const enum kn_status applied = shifted_apply(s, u); /* u becomes -du/ds */
    for (int i = 0; i < n; i++)
        slope -= v[i] * u[i];
    const double complex step = g / slope;
    *error = fmax(cabs(step) / cabs(*pole), DBL_EPSILON);
    *is_pole = *error < MOVED_TOO_FAR;
    *pole += step;
    return applied;
}

/* d pole = -w^T (dG + pole dC) v / w^T C v, with every entry off by DBL_EPSILON of itself (D. J. Higham and N. J. Higham, SIAM J. Matrix
 * Anal. Appl. 20, 1998, componentwise condition of generalized eigenvalues). */
enum kn_status shifted_rounding(struct shifted *s, double complex *u, double complex pole, double *error)
{
    const struct sparse_pattern *p = s->p->pattern;
    double complex *w = s->weights, product = 0;
    double moved = 0;
    const enum kn_status status = shifted_factor(s, pole * (1 + SHIFTED_BESIDE));
    *error = INFINITY;
    if (status != KN_OK)
        return status == KN_ERROR_CIRCUIT ? KN_OK : status;
    fill_at_random(s->p->n, 1, u);
    fill_at_random(s->p->n, 2, w);
    sparse_zlu_solve(s->lu, u);
    sparse_zlu_solve_transposed(s->lu, w);
    for (int j = 0; j < s->p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++) {
            product += w[p->row[e]] * s->p->C[e] * u[j];
            moved += cabs(w[p->row[e]]) * (fabs(s->p->G[e]) + cabs(pole) * fabs(s->p->C[e])) * cabs(u[j]);
        }
    *error = DBL_EPSILON * moved / (cabs(product) * cabs(pole));
    return KN_OK;
}
