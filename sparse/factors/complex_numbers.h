/* complex_numbers.h - products and reciprocals of complex numbers for the loops of factorisations. */
#ifndef SPARSE_COMPLEX_NUMBERS_H
#define SPARSE_COMPLEX_NUMBERS_H

#include <complex.h>
#include <math.h>

/* Products and quotients of C ask for infinities in each; here they only have to stay what is not finite. */
static inline double complex complex_product(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* 1 / p (Smith, Comm. ACM 5 (1962) 435), and 0 for 0. */
static inline double complex complex_reciprocal(double complex p)
{
    const double x = creal(p), y = cimag(p);
    if (x == 0 && y == 0)
        return 0;
    if (fabs(x) >= fabs(y)) {
        const double r = y / x, d = x + y * r;
        return CMPLX(1 / d, -r / d);
    }
    const double r = x / y, d = x * r + y;
    return CMPLX(r / d, -1 / d);
}

#endif
