/* radau_tableau.c - coefficients of Radau IIA from their definitions, in extended precision.
 *
 * Nodes: zeros of P_s - P_{s-1} (Legendre, shifted to [0,1]).  W = A^-1 holds the slopes at the nodes of the Lagrange
 * polynomials through 0 and all nodes: that is what collocation means (Deuflhard/Bornemann 2008, Lemma 6.37).  Its
 * eigenvalues are the zeros of the denominator of the (s-1, s) Pade approximation of exp (Hairer and Wanner, Solving
 * ODEs II, 1996, IV.3.30).  An eigenvector holds the values at the nodes of a polynomial p of degree s - 1 with
 * p(c_i) = lambda int_0^c_i p: so p / lambda - int p is a multiple of N(x) = prod_i (x - c_i), and the coefficients of
 * p follow one from the other.
 */
#include "integrators/radau/radau_tableau.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { S = RADAU_STAGES };

typedef long double complex wide; /* only here: the working precision of the tables */

/* out = A^-1 by elimination with pivoting; A is destroyed. */
static bool invert(int n, long double A[S][S], long double out[S][S])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = i == j;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(A[i][k]) > fabsl(A[pivot][k]))
                pivot = i;
        if (A[pivot][k] == 0)
            return false;
        const long double scale = A[pivot][k];
        for (int j = 0; j < n; j++) {
            const long double a = A[k][j], b = out[k][j];
            A[k][j] = A[pivot][j];
            out[k][j] = out[pivot][j];
            A[pivot][j] = a;
            out[pivot][j] = b;
        }
        for (int j = 0; j < n; j++) {
            A[k][j] /= scale;
            out[k][j] /= scale;
        }
        for (int i = 0; i < n; i++) {
            const long double factor = i == k ? 0 : A[i][k];
            for (int j = 0; j < n; j++) {
                A[i][j] -= factor * A[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
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

/* ---- W, its eigenvalues and eigenvectors ---- */

/* Slopes at the nodes of the Lagrange polynomials l_j through 0, c_1 .. c_s: with w_j = prod_{k != j} (c_j - c_k),
 * l_j'(c_i) = w_i / (w_j (c_i - c_j)) and l_j'(c_j) = sum_{k != j} 1 / (c_j - c_k), 0 among the nodes. */
static void find_slopes(int s, const long double c[S], long double W[S][S])
{
    long double w[S];
    for (int j = 0; j < s; j++) {
        w[j] = c[j];
        for (int k = 0; k < s; k++)
            w[j] *= k == j ? 1 : c[j] - c[k];
    }
    for (int j = 0; j < s; j++) {
        W[j][j] = 1 / c[j];
        for (int i = 0; i < s; i++) {
            if (i == j)
                continue;
            W[i][j] = w[i] / (w[j] * (c[i] - c[j]));
            W[j][j] += 1 / (c[j] - c[i]);
        }
    }
}

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

/* p_k = lambda (N_k + p_(k-1) / k), N_k the coefficients of prod (x - c_i), up to a factor; v_i = p(c_i), scaled to
 * v_s = 1. */
static void eigenvector(int s, const long double c[S], const long double product[S + 1], wide lambda, wide v[S])
{
    wide p[S];
    for (int k = 0; k < s; k++)
        p[k] = lambda * (product[k] + (k > 0 ? p[k - 1] / k : 0));
    for (int i = 0; i < s; i++) {
        v[i] = 0;
        for (int k = s - 1; k >= 0; k--)
            v[i] = v[i] * c[i] + p[k];
    }
    for (int i = 0; i < s; i++)
        v[i] /= v[s - 1];
}

static void find_eigenvectors(int s, const long double c[S], const long double product[S + 1],
                              struct radau_tableau *out, long double T[S][S])
{
    wide root[S], v[S];
    int column = 0;
    find_eigenvalues(s, root);
    for (int k = 0; k < s; k++) { /* the real one first */
        if (fabsl(cimagl(root[k])) > 1e-8L)
            continue;
        out->has_real = true;
        out->real = (double)creall(root[k]);
        eigenvector(s, c, product, creall(root[k]), v);
        for (int i = 0; i < s; i++)
            T[i][column] = creall(v[i]);
        column++;
    }
    for (int k = 0; k < s; k++) {
        if (cimagl(root[k]) <= 1e-8L)
            continue;
        eigenvector(s, c, product, root[k], v);
        out->re[out->pairs] = (double)creall(root[k]);
        out->im[out->pairs++] = (double)cimagl(root[k]);
        for (int i = 0; i < s; i++) {
            T[i][column] = creall(v[i]);
            T[i][column + 1] = cimagl(v[i]);
        }
        column += 2;
    }
}

/* The embedded formula  x_n + h (g f(x_n) + sum b^_i f(X_i))  of order s has b^ = b - g l(0), l_i the Lagrange
 * polynomials through c_1 .. c_s: its residual is what the slope of the collocation polynomial, continued to 0, misses.
 */
static void find_error_weights(int s, const long double c[S], long double W[S][S], struct radau_tableau *out)
{
    for (int i = 0; i < s; i++) {
        long double l = 1;
        for (int k = 0; k < s; k++)
            l *= k == i ? 1 : c[k] / (c[k] - c[i]);
        for (int j = 0; j < s; j++)
            out->e[j] -= (double)(l * W[i][j]);
    }
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

/* prod_i (x - c_i) in powers of x. */
static void expand_product(int s, const long double c[S], long double product[S + 1])
{
    product[0] = 1;
    for (int i = 0; i < s; i++)
        for (int k = i + 1; k >= 0; k--)
            product[k] = (k > 0 ? product[k - 1] : 0) - (k <= i ? c[i] * product[k] : 0);
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
    long double c[S], product[S + 1], W[S][S], T[S][S], inverse_T[S][S];
    find_nodes(s, c);
    expand_product(s, c, product);
    find_slopes(s, c, W);
    find_eigenvectors(s, c, product, out, T);
    find_error_weights(s, c, W, out);
    for (int i = 0; i < s; i++) {
        out->c[i] = (double)c[i];
        for (int j = 0; j < s; j++) {
            out->W[i][j] = (double)W[i][j];
            out->T[i][j] = (double)T[i][j];
        }
    }
    for (int k = 0; k <= s; k++)
        out->product[k] = (double)product[k];
    if (!invert(s, T, inverse_T))
        return false;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            out->inverse_T[i][j] = (double)inverse_T[i][j];
    out->gamma = out->has_real ? out->real : hypot(out->re[0], out->im[0]);
    out->largest_nodal = find_largest_nodal(out);
    return true;
}
