/* dense_eigenvalues.c - eigenvalues of a pair of matrices by QZ (Moler and Stewart, SIAM J. Numer. Anal. 10, 1973),
 * with the chordal error bound of Stewart and Sun (Matrix Perturbation Theory, 1990, section VI.2.1).
 *
 * The second matrix is balanced by rows and columns first; Ward's balancing of both together (LAPACK's) may take it for
 * singular.
 */
#include "sparse/dense.h"
#include "sparse/dense_triangle.h"
#include "sparse/lapack.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

enum { ROUNDS = 8 };

static double largest_in_row(const struct dense *m, int row)
{
    double largest = 0;
    for (int j = 0; j < m->columns; j++)
        largest = fmax(largest, fabs(*dense_at(m, row, j)));
    return largest;
}

static double largest_in_column(const struct dense *m, int column)
{
    double largest = 0;
    for (int i = 0; i < m->rows; i++)
        largest = fmax(largest, fabs(*dense_at(m, i, column)));
    return largest;
}

static void scale_row(struct dense *m, int row, int exponent)
{
    for (int j = 0; j < m->columns; j++)
        *dense_at(m, row, j) = ldexp(*dense_at(m, row, j), exponent);
}

static void scale_column(struct dense *m, int column, int exponent)
{
    for (int i = 0; i < m->rows; i++)
        *dense_at(m, i, column) = ldexp(*dense_at(m, i, column), exponent);
}

/* Rows of a and b together, and columns, by powers of 2 so that largest entries of b are about 1: only the eigenvectors
 * change. */
static void balance(struct dense *a, struct dense *b)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < b->rows; i++) {
            const double largest = largest_in_row(b, i);
            const int exponent = largest > 0 ? -ilogb(largest) / (round < ROUNDS - 1 ? 2 : 1) : 0;
            scale_row(a, i, exponent);
            scale_row(b, i, exponent);
        }
        for (int j = 0; j < b->columns; j++) {
            const double largest = largest_in_column(b, j);
            const int exponent = largest > 0 ? -ilogb(largest) / 2 : 0;
            scale_column(a, j, exponent);
            scale_column(b, j, exponent);
        }
    }
}

/* Scales a to the size of b, that is, counts time in another unit: eigenvalues are to be multiplied by the power of 2
 * of the exponent returned. */
static int change_unit(struct dense *a, const struct dense *b)
{
    const double of_a = dense_largest(a), of_b = dense_largest(b);
    if (of_a == 0 || of_b == 0)
        return 0;
    const int exponent = ilogb(of_a) - ilogb(of_b);
    for (int j = 0; j < a->columns; j++)
        scale_column(a, j, -exponent);
    return exponent;
}

/* What a rounding of both matrices, of their norms, does to lambda; separation = |(y* a x, y* b x)| for unit vectors.
 */
static double relative_error(double complex lambda, double separation, double a_norm, double b_norm)
{
    const double whole = hypot(1, cabs(lambda));
    const double numerator = separation * cabs(lambda) / whole, denominator = separation / whole;
    const double error = DBL_EPSILON * (a_norm / numerator + b_norm / denominator);
    return isnan(error) ? INFINITY : error;
}

static double dense_norm(const struct dense *a) /* Frobenius */
{
    double norm = 0;
    for (size_t i = 0; i < (size_t)a->rows * (size_t)a->columns; i++)
        norm = hypot(norm, a->at[i]);
    return norm;
}

/* ---- errors of eigenvalues that lie close together ----
 *
 * To first order an eigenvalue whose eigenvectors nearly coincide with another's moves without end.  In fact m of them
 * move by about the m-th root of the rounding: what random roundings of the matrices do to them tells (Kenney and Laub,
 * SIAM J. Sci. Comput. 15, 1994, statistical condition estimates). */

static const double TOO_ROUGH = 1e-2;

enum { TRIALS = 2 };

/* Eigenvalues move this many times further than in the trials only with a small probability, and QZ makes some more
 * roundings than one per entry. */
static const double SAFETY = 8;

static double random_part(uint64_t *state) /* -1 .. 1, by xorshift (Marsaglia 2003) */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void round_at_random(struct dense *m, double largest, uint64_t *state)
{
    const double size = DBL_EPSILON * largest;
    for (size_t i = 0; i < (size_t)m->rows * (size_t)m->columns; i++)
        m->at[i] += size * random_part(state);
}

static double distance_to_nearest(double complex value, const double *re, const double *im, const double *beta, int n)
{
    double nearest = INFINITY;
    for (int k = 0; k < n; k++)
        if (fabs(beta[k]) > 0)
            nearest = fmin(nearest, cabs((re[k] + I * im[k]) / beta[k] - value));
    return nearest;
}

/* A pair of matrices in blocks that do not fall apart further, and the norms of the whole, whose roundings all have. */
struct pair {
    struct dense left, right;
    double left_norm, right_norm, left_largest, right_largest;
};

/* moved[k]: the largest distance between value k and the nearest eigenvalue of the matrices with random roundings. */
static enum kn_status move_at_random(struct arena *memory, const struct pair *p, const struct eigenvalue *values,
                                     double *moved)
{
    const int n = p->left.rows;
    struct dense a, b, numbers;
    uint64_t state = 0x9E3779B97F4A7C15u;
    if (!dense_new(memory, n, 3, &numbers))
        return KN_ERROR_MEMORY;
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1), *beta = dense_at(&numbers, 0, 2);
    for (int trial = 0; trial < TRIALS; trial++) {
        if (!dense_select(memory, &p->left, NULL, 0, NULL, 0, &a) ||
            !dense_select(memory, &p->right, NULL, 0, NULL, 0, &b))
            return KN_ERROR_MEMORY;
        round_at_random(&a, p->left_largest, &state);
        round_at_random(&b, p->right_largest, &state);
        const enum kn_status status = lapack_pair_eigenvalues(n, a.at, b.at, re, im, beta);
        if (status != KN_OK)
            return status;
        for (int k = 0; k < n; k++)
            moved[k] = fmax(moved[k], distance_to_nearest(values[k].value, re, im, beta, n));
    }
    return KN_OK;
}

static enum kn_status estimate_errors(struct arena *memory, const struct pair *p, struct eigenvalue *values)
{
    const int n = p->left.rows;
    double *moved = arena_array(memory, (size_t)n + 1, sizeof *moved);
    bool rough = false;
    for (int k = 0; k < n; k++)
        rough |= !(values[k].error < TOO_ROUGH) && isfinite(cabs(values[k].value));
    if (!moved || !rough || n < 2)
        return moved ? KN_OK : KN_ERROR_MEMORY;
    const enum kn_status status = move_at_random(memory, p, values, moved);
    for (int k = 0; status == KN_OK && k < n; k++)
        if (isfinite(cabs(values[k].value)) && cabs(values[k].value) > 0)
            values[k].error = fmin(values[k].error, SAFETY * moved[k] / cabs(values[k].value));
    return status;
}

/* ---- eigenvalues ---- */

static enum kn_status find_in_block(struct arena *memory, const struct pair *p, struct eigenvalue *out)
{
    const int n = p->left.rows;
    struct dense left, right, numbers;
    if (!dense_select(memory, &p->left, NULL, 0, NULL, 0, &left) ||
        !dense_select(memory, &p->right, NULL, 0, NULL, 0, &right) || !dense_new(memory, n, 4, &numbers))
        return KN_ERROR_MEMORY;
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1), *beta = dense_at(&numbers, 0, 2);
    double *separation = dense_at(&numbers, 0, 3);
    const enum kn_status status =
        lapack_pair_eigenvalues_with_conditions(n, left.at, right.at, re, im, beta, separation);
    if (status != KN_OK)
        return status;
    for (int k = 0; k < n; k++) {
        const double complex lambda = fabs(beta[k]) > 0 ? (re[k] + I * im[k]) / beta[k] : INFINITY;
        out[k].error = relative_error(lambda, separation[k], p->left_norm, p->right_norm);
        out[k].value = isinf(cabs(lambda)) ? INFINITY : lambda;
    }
    return estimate_errors(memory, p, out);
}

/* Parts that act on each other in one direction only have the eigenvalues that each has alone, and equal ones among
 * them are no less certain than others, while of a matrix of both rounding makes two different ones. */
static enum kn_status find_in_blocks(struct arena *memory, const struct dense *a, const struct dense *b,
                                     struct eigenvalue *out)
{
    struct dense_triangle t;
    struct pair whole = {.left_norm = dense_norm(a),
                         .right_norm = dense_norm(b),
                         .left_largest = dense_largest(a),
                         .right_largest = dense_largest(b)};
    if (!dense_triangle_find(memory, a, b, &t))
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (int k = 0; status == KN_OK && k < t.count; k++) {
        const int first = t.start[k], n = t.start[k + 1] - first;
        struct pair block = whole;
        if (!dense_select(memory, a, t.row + first, n, t.column + first, n, &block.left) ||
            !dense_select(memory, b, t.row + first, n, t.column + first, n, &block.right))
            return KN_ERROR_MEMORY;
        status = find_in_block(memory, &block, out + first);
    }
    return status;
}

enum kn_status dense_eigenvalues(struct arena *memory, const struct dense *a, const struct dense *b,
                                 struct eigenvalue *out)
{
    struct dense left, right;
    if (!dense_select(memory, a, NULL, 0, NULL, 0, &left) || !dense_select(memory, b, NULL, 0, NULL, 0, &right))
        return KN_ERROR_MEMORY;
    balance(&left, &right);
    const int unit = change_unit(&left, &right);
    const enum kn_status status = find_in_blocks(memory, &left, &right, out);
    for (int k = 0; status == KN_OK && k < a->rows; k++)
        if (!isinf(cabs(out[k].value)))
            out[k].value *= ldexp(1, unit);
    return status;
}

/* ---- of one matrix ---- */

/* Parts up to this size have their errors estimated as those of pairs. */
enum { SMALL_PART = 100 };

static enum kn_status find_by_qr(struct arena *memory, const struct dense *part, double rounding,
                                 struct eigenvalue *out)
{
    const int n = part->rows;
    struct dense a, numbers;
    if (!dense_select(memory, part, NULL, 0, NULL, 0, &a) || !dense_new(memory, n, 3, &numbers))
        return KN_ERROR_MEMORY;
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1), *condition = dense_at(&numbers, 0, 2);
    const enum kn_status status = lapack_eigenvalues_with_conditions(n, a.at, re, im, condition);
    for (int k = 0; status == KN_OK && k < n; k++) {
        out[k].value = re[k] + I * im[k];
        out[k].error = rounding / (condition[k] * cabs(out[k].value));
        out[k].error = isnan(out[k].error) ? INFINITY : out[k].error;
    }
    return status;
}

enum kn_status dense_matrix_eigenvalues(struct arena *memory, const struct dense *a, struct eigenvalue *out)
{
    struct dense unit, part;
    struct dense_triangle t;
    if (!dense_identity(memory, a->rows, &unit) || !dense_triangle_find(memory, a, &unit, &t))
        return KN_ERROR_MEMORY;
    const double rounding = DBL_EPSILON * dense_norm(a);
    enum kn_status status = KN_OK;
    for (int k = 0; status == KN_OK && k < t.count; k++) {
        const int *members = t.row + t.start[k], n = t.start[k + 1] - t.start[k];
        if (!dense_select(memory, a, members, n, members, n, &part) || !dense_identity(memory, n, &unit))
            return KN_ERROR_MEMORY;
        status = n <= SMALL_PART ? dense_eigenvalues(memory, &part, &unit, out + t.start[k])
                                 : find_by_qr(memory, &part, rounding, out + t.start[k]);
    }
    return status;
}

/* ---- whether all lie on the right ---- */

/* Of b^-1 a, without eigenvectors. */
static enum kn_status find_quickly(struct arena *memory, const struct dense *a, const struct dense *b,
                                   double complex *out)
{
    const int n = a->rows;
    struct dense quotient, numbers;
    enum kn_status status = dense_solve(memory, b, a, &quotient);
    if (status == KN_OK && !dense_new(memory, n, 2, &numbers))
        status = KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1);
    status = lapack_eigenvalues(n, quotient.at, re, im);
    for (int k = 0; status == KN_OK && k < n; k++)
        out[k] = re[k] + I * im[k];
    return status;
}

static bool is_right(double complex value)
{
    return creal(value) > TOO_ROUGH * cabs(value); /* false for NAN */
}

/* Whether each of the values is the inverse of one of the others, near enough. */
static bool are_inverses(const double complex *values, double complex *others, int n)
{
    for (int k = 0; k < n; k++) {
        int same = k;
        while (same < n && !(cabs(values[k] * others[same] - 1) < TOO_ROUGH))
            same++;
        if (same == n)
            return false;
        const double complex found = others[same];
        others[same] = others[k];
        others[k] = found;
    }
    return true;
}

enum kn_status dense_is_positive_stable(struct arena *memory, const struct dense *a, const struct dense *b,
                                        bool *surely)
{
    const int n = a->rows;
    double complex *fast = arena_array(memory, (size_t)n + 1, sizeof *fast);
    double complex *slow = arena_array(memory, (size_t)n + 1, sizeof *slow);
    *surely = n == 0;
    if (!fast || !slow)
        return KN_ERROR_MEMORY;
    if (n == 0)
        return KN_OK;
    enum kn_status status = find_quickly(memory, a, b, fast);
    if (status == KN_OK)
        status = find_quickly(memory, b, a, slow);
    if (status != KN_OK)
        return status == KN_ERROR_MEMORY ? status : KN_OK; /* a singular matrix: an eigenvalue at 0 or without end */
    bool all = true;
    for (int k = 0; k < n; k++)
        all = all && is_right(fast[k]);
    *surely = all && are_inverses(fast, slow, n);
    return KN_OK;
}

/* ---- of one matrix that is symmetric ---- */

double dense_asymmetry(const struct dense *a)
{
    const double largest = dense_largest(a);
    double most = 0;
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < j; i++)
            most = fmax(most, fabs(*dense_at(a, i, j) - *dense_at(a, j, i)) / 2);
    return largest > 0 ? most / largest : 0;
}

enum kn_status dense_symmetric_eigenvalues(struct arena *memory, const struct dense *a, struct eigenvalue *out)
{
    const int n = a->rows;
    struct dense symmetric;
    double rest = 0, *values = arena_array(memory, (size_t)n + 1, sizeof *values);
    if (!values || !dense_new(memory, n, n, &symmetric))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            *dense_at(&symmetric, i, j) = (*dense_at(a, i, j) + *dense_at(a, j, i)) / 2;
            rest = hypot(rest, (*dense_at(a, i, j) - *dense_at(a, j, i)) / 2);
        }
    const double error = rest + n * DBL_EPSILON * dense_norm(&symmetric);
    const enum kn_status status = lapack_symmetric_eigenvalues(n, symmetric.at, values);
    for (int k = 0; status == KN_OK && k < n; k++)
        out[k] = (struct eigenvalue){values[k], values[k] != 0 ? error / fabs(values[k]) : INFINITY};
    return status;
}
