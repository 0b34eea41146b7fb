/* fourier.h - integrals of polynomials against e^(-j w t), exactly.
 *
 * On a piece of half length h about m a polynomial is a sum of Legendre's, p(m + h x) = sum a_n P_n(x), and
 *     integral of P_n(x) e^(-j c x) over -1 .. 1  =  2 (-j)^n j_n(c)
 * with the spherical Bessel functions j_n (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, 10.1.14;
 * N. S. Bakhvalov, L. G. Vasil'eva, USSR Comput. Math. Math. Phys. 8, 1968).  So a fast harmonic on a long piece costs no
 * accuracy, whatever the number of its waves there.
 */
#ifndef ANALYSES_SPECTRUM_FOURIER_H
#define ANALYSES_SPECTRUM_FOURIER_H

#include <complex.h>
#include <stddef.h>

/* j_0(c) .. j_(count-1)(c), c >= 0, count at most 10. */
void fourier_bessel(double c, int count, double *j);

/* Adds to sums [count] the integrals over [from, to] of y e^(-j w_k (t - origin)), w_k = k w; y is the polynomial of degree
 * seven through the values of Gauss's points, values[k * stride] at curve.h's point k. */
void fourier_add(double from, double to, const double *values, size_t stride, double origin, double w,
                 double complex *sums, size_t count);

#endif
