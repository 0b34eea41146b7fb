/* quadrature.h - the integral of a function of one variable. */
#ifndef DEVICES_QUADRATURE_H
#define DEVICES_QUADRATURE_H

/* A function that is smooth in each of its pieces; value also says in which one x lies. */
struct integrand {
    double (*value)(void *context, double x, unsigned long *piece);
    void *context;
};

/* To about rounding error. */
double quadrature(const struct integrand *f, double from, double to);

#endif
