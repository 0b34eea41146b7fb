/* radau_tableau.c - coefficients of Radau IIA from their definitions, in extended precision.
 *
 * Nodes: zeros of P_s - P_{s-1} (Legendre, shifted to [0,1]).  A from the simplifying conditions
 * sum_j a_ij c_j^(k-1) = c_i^k / k, k = 1..s (Deuflhard/Bornemann 2008, Lemma 6.37).  The eigenvalues of A^-1 are the
 * zeros of the denominator of the (s-1, s) Pade approximation of exp (Hairer and Wanner, Solving ODEs II, 1996,
 * IV.3.30), eigenvectors by inverse iteration.
 */
#include "integrators/radau_tableau.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { S = RADAU_STAGES };

typedef long double complex wide; /* only here: the working precision of the tables */

/* ---- small dense algebra ---- */

/* Solves A X = B in place by elimination with pivoting; A and B are destroyed, X is left in B. */
static bool solve_dense(int n, wide A[S][S], int columns, wide B[S][S])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (cabsl(A[i][k]) > cabsl(A[pivot][k]))
                pivot = i;
        if (A[pivot][k] == 0)
            return false;
        for (int j = 0; j < n; j++) {
            const wide a = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = a;
        }
        for (int j = 0; j < columns; j++) {
            const wide b = B[k][j];
            B[k][j] = B[pivot][j];
            B[pivot][j] = b;
        }
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            const wide factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            for (int j = 0; j < columns; j++)
                B[i][j] -= factor * B[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            B[i][j] /= A[i][i];
    return true;
}

static bool invert(int n, long double A[S][S], long double out[S][S])
{
    wide a[S][S], b[S][S];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = A[i][j];
            b[i][j] = i == j;
        }
    if (!solve_dense(n, a, n, b))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = creall(b[i][j]);
    return true;
}

/* ---- nodes ---- */

static long double radau_polynomial(int s, long double x)
{
    long double before = 1, p = x; /* P_0, P_1 */
    for (int k = 1; k < s; k++) {
        const long double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
        before = p;
        p = next;
    }
    return p - before;
}

static void find_nodes(int s, long double c[S])
{
    enum { GRID = 200 }; /* the two closest zeros, of seven stages, are 0.24 apart */
    int found = 0;
    long double left = -1;
    for (int i = 1; i < GRID && found < s - 1; i++) {
        long double low = left, high = -1 + 2.0L * i / GRID;
        left = high;
        if (radau_polynomial(s, low) * radau_polynomial(s, high) > 0)
            continue;
        for (int k = 0; k < 64; k++) {
            const long double middle = (low + high) / 2;
            if (radau_polynomial(s, low) * radau_polynomial(s, middle) <= 0)
                high = middle;
            else
                low = middle;
        }
        c[found++] = ((low + high) / 2 + 1) / 2;
    }
    c[s - 1] = 1;
}

/* ---- eigenvalues and eigenvectors of W = A^-1 ---- */

/* Zeros of sum_j (-1)^j s! (2s-1-j)! / ((2s-1)! j! (s-j)!) z^j by simultaneous iteration (Durand, Kerner). */
static void find_eigenvalues(int s, wide root[S])
{
    long double coefficient[S + 1];
    coefficient[0] = 1;
    for (int j = 1; j <= s; j++)
        coefficient[j] = -coefficient[j - 1] * (s - j + 1) / (j * (2 * s - j));
    for (int i = 0; i < s; i++)
        root[i] = s * cpowl(0.4L + 0.9L * I, i);
    long double change = 1;
    for (int sweep = 0; sweep < 400 && change > 1e-13L * s; sweep++) {
        change = 0;
        for (int i = 0; i < s; i++) {
            wide p = coefficient[s], others = coefficient[s];
            for (int j = s - 1; j >= 0; j--)
                p = p * root[i] + coefficient[j];
            for (int j = 0; j < s; j++)
                if (j != i)
                    others *= root[i] - root[j];
            root[i] -= p / others;
            change = fmaxl(change, cabsl(p / others));
        }
    }
}

static bool eigenvector(int s, long double W[S][S], wide lambda, wide v[S])
{
    for (int i = 0; i < s; i++)
        v[i] = 1 + 0.1L * i;
    for (int round = 0; round < 3; round++) {
        wide a[S][S], b[S][S];
        for (int i = 0; i < s; i++) {
            for (int j = 0; j < s; j++)
                a[i][j] = W[i][j] - (i == j ? lambda * (1 + 1e-12L) : 0);
            b[i][0] = v[i];
        }
        if (!solve_dense(s, a, 1, b))
            return false;
        for (int i = 0; i < s; i++)
            v[i] = b[i][0] / b[s - 1][0];
    }
    return true;
}

static bool diagonalize(int s, long double W[S][S], struct radau_tableau *out, long double T[S][S])
{
    wide root[S], v[S];
    int column = 0;
    find_eigenvalues(s, root);
    for (int k = 0; k < s; k++) { /* the real one first */
        if (fabsl(cimagl(root[k])) > 1e-8L)
            continue;
        out->has_real = true;
        out->real = (double)creall(root[k]);
        if (!eigenvector(s, W, creall(root[k]), v))
            return false;
        for (int i = 0; i < s; i++)
            T[i][column] = creall(v[i]);
        column++;
    }
    for (int k = 0; k < s; k++) {
        if (cimagl(root[k]) <= 1e-8L)
            continue;
        if (!eigenvector(s, W, root[k], v))
            return false;
        out->re[out->pairs] = (double)creall(root[k]);
        out->im[out->pairs++] = (double)cimagl(root[k]);
        for (int i = 0; i < s; i++) {
            T[i][column] = creall(v[i]);
            T[i][column + 1] = cimagl(v[i]);
        }
        column += 2;
    }
    return column == s;
}

/* Weights of the embedded formula  x_n + h (g f(x_n) + sum b^_i f(X_i))  of order s, turned into e. */
static bool find_error_weights(int s, const long double c[S], long double A[S][S], long double W[S][S],
                               struct radau_tableau *out)
{
    const long double g = 1 / (long double)out->gamma;
    wide V[S][S], b[S][S];
    for (int k = 0; k < s; k++) {
        for (int i = 0; i < s; i++)
            V[k][i] = powl(c[i], k);
        b[k][0] = 1.0L / (k + 1) - (k == 0 ? g : 0);
    }
    if (!solve_dense(s, V, 1, b))
        return false;
    for (int j = 0; j < s; j++) {
        long double sum = 0;
        for (int i = 0; i < s; i++)
            sum += (creall(b[i][0]) - A[s - 1][i]) * W[i][j];
        out->e[j] = (double)(sum / g);
    }
    return true;
}

/* ---- collocation polynomial ---- */

static double node(const struct radau_tableau *r, int i)
{
    return i ? r->c[i - 1] : 0;
}

void radau_value_weights(const struct radau_tableau *r, double theta, double *w)
{
    for (int i = 0; i <= r->stages; i++) {
        w[i] = 1;
        for (int j = 0; j <= r->stages; j++)
            if (j != i)
                w[i] *= (theta - node(r, j)) / (node(r, i) - node(r, j));
    }
}

void radau_slope_weights(const struct radau_tableau *r, double theta, double *w)
{
    for (int i = 0; i <= r->stages; i++) {
        w[i] = 0;
        for (int k = 0; k <= r->stages; k++) {
            if (k == i)
                continue;
            double product = 1 / (node(r, i) - node(r, k));
            for (int j = 0; j <= r->stages; j++)
                if (j != i && j != k)
                    product *= (theta - node(r, j)) / (node(r, i) - node(r, j));
            w[i] += product;
        }
    }
}

double radau_nodal(const struct radau_tableau *r, double theta)
{
    double product = theta;
    for (int i = 0; i < r->stages; i++)
        product *= theta - r->c[i];
    return product;
}

double radau_nodal_slope(const struct radau_tableau *r, double theta)
{
    double slope = 0;
    for (int k = r->stages; k >= 0; k--)
        slope = slope * theta + (k + 1) * r->product[k];
    return slope;
}

double radau_smooth_nodal(const struct radau_tableau *r, double theta)
{
    if (r->stages == 1)
        return radau_nodal(r, theta);
    double integral = 0;
    for (int k = r->stages; k >= 0; k--)
        integral = integral * theta + r->product[k] / (k + 1);
    return integral * theta;
}

double radau_smooth_nodal_slope(const struct radau_tableau *r, double theta)
{
    if (r->stages == 1)
        return radau_nodal_slope(r, theta);
    double value = 0;
    for (int k = r->stages; k >= 0; k--)
        value = value * theta + r->product[k];
    return value;
}

static void expand_product(struct radau_tableau *r)
{
    r->product[0] = 1;
    for (int i = 0; i < r->stages; i++)
        for (int k = i + 1; k >= 0; k--)
            r->product[k] = (k > 0 ? r->product[k - 1] : 0) - (k <= i ? r->c[i] * r->product[k] : 0);
}

static double find_largest_nodal(const struct radau_tableau *r)
{
    enum { GRID = 200 };
    double largest = 0;
    for (int i = 0; i < GRID; i++)
        largest = fmax(largest, fabs(radau_nodal(r, (double)i / GRID)));
    return largest;
}

bool radau_tableau(int s, struct radau_tableau *out)
{
    if (s < 1 || s > S)
        return false;
    memset(out, 0, sizeof *out);
    out->stages = s;
    long double c[S], A[S][S], V[S][S], inverse_V[S][S], W[S][S], T[S][S], inverse_T[S][S];
    find_nodes(s, c);
    for (int i = 0; i < s; i++)
        for (int k = 0; k < s; k++)
            V[i][k] = powl(c[i], k);
    if (!invert(s, V, inverse_V))
        return false;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            A[i][j] = 0;
            for (int k = 0; k < s; k++)
                A[i][j] += powl(c[i], k + 1) / (k + 1) * inverse_V[k][j];
        }
    if (!invert(s, A, W) || !diagonalize(s, W, out, T) || !invert(s, T, inverse_T))
        return false;
    out->gamma = out->has_real ? out->real : hypot(out->re[0], out->im[0]);
    if (!find_error_weights(s, c, A, W, out))
        return false;
    for (int i = 0; i < s; i++) {
        out->c[i] = (double)c[i];
        for (int j = 0; j < s; j++) {
            out->W[i][j] = (double)W[i][j];
            out->T[i][j] = (double)T[i][j];
            out->inverse_T[i][j] = (double)inverse_T[i][j];
        }
    }
    expand_product(out);
    out->largest_nodal = find_largest_nodal(out);
    return true;
}
