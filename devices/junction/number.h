/* number.h - the numbers that laws are written for where somebody wants their derivatives by temperature.
 *
 * A warm number is a value with that derivative, kept as a complex number whose imaginary part is WARM_UNIT times the
 * derivative: so small that its square is nothing beside the value, which makes the arithmetic of complex numbers that of
 * values with derivatives, exact to rounding (W. Squire and G. Trapp, SIAM Review 40 (1998) 110).  A law is a template for
 * both kinds: LAW_NUMBER is double or warm_number, LAW(name) the name of what is made of it.
 */
#ifndef DEVICES_JUNCTION_NUMBER_H
#define DEVICES_JUNCTION_NUMBER_H

#include <complex.h>
#undef I /* a name for rows of tables here */
#include <math.h>

typedef double _Complex warm_number;

#define WARM_UNIT 0x1p-200

static inline warm_number warm_of(double value, double derivative)
{
    return CMPLX(value, WARM_UNIT * derivative);
}

static inline double warm_slope(warm_number a)
{
    return cimag(a) / WARM_UNIT;
}

static inline double number_of_double(double a)
{
    return a;
}
static inline double number_of_warm(warm_number a)
{
    return creal(a);
}

/* f(a) with its slope there. */
static inline warm_number warm_chain(warm_number a, double f, double slope)
{
    return CMPLX(f, slope * cimag(a));
}
static inline warm_number warm_exp(warm_number a)
{
    const double e = exp(creal(a));
    return warm_chain(a, e, e);
}
static inline warm_number warm_expm1(warm_number a)
{
    return warm_chain(a, expm1(creal(a)), exp(creal(a)));
}
static inline warm_number warm_log(warm_number a)
{
    return warm_chain(a, log(creal(a)), 1 / creal(a));
}
static inline warm_number warm_log1p(warm_number a)
{
    return warm_chain(a, log1p(creal(a)), 1 / (1 + creal(a)));
}
static inline warm_number warm_sqrt(warm_number a)
{
    const double root = sqrt(creal(a));
    return warm_chain(a, root, 0.5 / root);
}
static inline warm_number warm_pow(warm_number a, warm_number exponent)
{
    const double f = pow(creal(a), creal(exponent));
    return CMPLX(f, f * (creal(exponent) * cimag(a) / creal(a) + log(creal(a)) * cimag(exponent)));
}
static inline warm_number warm_fmax(warm_number a, double least)
{
    return creal(a) > least ? a : least;
}

#define number_value(a) _Generic((a), double : number_of_double, warm_number : number_of_warm)(a)
#define number_exp(a)   _Generic((a), double : exp, warm_number : warm_exp)(a)
#define number_expm1(a) _Generic((a), double : expm1, warm_number : warm_expm1)(a)
#define number_log(a)   _Generic((a), double : log, warm_number : warm_log)(a)
#define number_log1p(a) _Generic((a), double : log1p, warm_number : warm_log1p)(a)
#define number_sqrt(a)  _Generic((a), double : sqrt, warm_number : warm_sqrt)(a)
/* The exponent and the bound may be numbers of either kind. */
#define number_pow(a, exponent) _Generic((a), double : pow, warm_number : warm_pow)(a, exponent)
#define number_fmax(a, least)   _Generic((a), double : fmax, warm_number : warm_fmax)(a, least)

#endif
