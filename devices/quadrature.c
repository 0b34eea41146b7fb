/* quadrature.c - the pair of Gauss's rule with 7 points and Kronrod's with 15, on halves where they differ or a
 * jump lies (A. S. Kronrod,
 * Nodes and Weights of Quadrature Formulas, 1965; nodes as in R. Piessens et al., QUADPACK, 1983).
 */
#include "devices/quadrature.h"

#include <math.h>
#include <stdbool.h>

static const double node[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                               0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                               0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                               0.207784955007898467600689403773245, 0.0};
static const double kronrod[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                  0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                  0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                  0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

/* Halvings, and the part of the whole below which a difference of the rules does not matter. */
enum { MOST_HALVINGS = 48 };
static const double EXACT = 2e-15;

struct rules {
    double kronrod, gauss, size;
    bool smooth; /* all points lie in one piece, the ends too */
};

static struct rules apply(const struct integrand *f, double from, double to)
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    unsigned long piece, other;
    const double centre = f->value(f->context, middle, &piece);
    struct rules r = {kronrod[7] * centre, gauss[3] * centre, kronrod[7] * fabs(centre), true};
    for (int side = -1; side <= 1; side += 2) {
        f->value(f->context, middle + side * half, &other);
        r.smooth = r.smooth && other == piece;
    }
    for (int i = 0; i < 7; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double value = f->value(f->context, middle + side * half * node[i], &other);
            r.kronrod += kronrod[i] * value;
            r.size += kronrod[i] * fabs(value);
            r.gauss += i % 2 == 1 ? gauss[i / 2] * value : 0;
            r.smooth = r.smooth && other == piece;
        }
    return (struct rules){half * r.kronrod, half * r.gauss, fabs(half) * r.size, r.smooth};
}

static double refine(const struct integrand *f, double from, double to, double whole, int halvings)
{
    const struct rules r = apply(f, from, to);
    const double middle = 0.5 * (from + to);
    /* The error of Kronrod's rule is far below its difference to Gauss's, the 3/2-th power of it (QUADPACK). */
    const double apart = r.size > 0 ? fabs(r.kronrod - r.gauss) / r.size : 0;
    const double error = r.smooth ? r.size * fmin(1, pow(200 * apart, 1.5)) : r.size;
    if (!(error > EXACT * fmax(whole, r.size)) || halvings == 0 || middle == from || middle == to)
        return r.kronrod;
    return refine(f, from, middle, whole, halvings - 1) + refine(f, middle, to, whole, halvings - 1);
}

double quadrature(const struct integrand *f, double from, double to)
{
    return from == to ? 0 : refine(f, from, to, apply(f, from, to).size, MOST_HALVINGS);
}
