/* tolerance.c - see tolerance.h. */
#include "integrators/tolerance.h"

#include <math.h>
#include <stdlib.h>

enum kn_status tolerance_init(struct tolerance *s, const struct dae *dae, double relative)
{
    *s = (struct tolerance){.n = dae->n, .relative = relative, .part = 1, .absolute = dae->absolute};
    s->largest = calloc((size_t)dae->n, sizeof(double));
    s->weights = calloc((size_t)dae->n, sizeof(double));
    if (s->largest && s->weights)
        return KN_OK;
    tolerance_free(s);
    return KN_ERROR_MEMORY;
}

void tolerance_free(struct tolerance *s)
{
    free(s->largest);
    free(s->weights);
    s->largest = s->weights = NULL;
}

static double weight(const struct tolerance *s, int i, double magnitude)
{
    return 1 / (s->part * (s->relative * magnitude + s->absolute[i]));
}

void tolerance_reset(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n; i++) {
        s->largest[i] = x ? fabs(x[i]) : s->largest[i];
        s->weights[i] = weight(s, i, s->largest[i]);
    }
}

void tolerance_weigh(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n; i++)
        s->weights[i] = weight(s, i, fmax(fabs(x[i]), s->largest[i]));
}

void tolerance_update(struct tolerance *s, const double *x, double remembered)
{
    for (int i = 0; i < s->n; i++) {
        s->largest[i] = fmax(fabs(x[i]), remembered * s->largest[i]);
        s->weights[i] = weight(s, i, s->largest[i]);
    }
}

struct norms tolerance_norms(const struct tolerance *s, const enum dae_class *classes, const bool *watched,
                             const double *e)
{
    struct norms n = {{0}, {0}};
    for (int i = 0; i < s->n; i++) {
        if (watched && !watched[i])
            continue;
        const enum dae_class class = classes ? classes[i] : DAE_DIFFERENTIAL;
        const double size = fabs(e[i]) * s->weights[i];
        if (!(size <= n.of[class])) {
            n.of[class] = isnan(size) ? INFINITY : size;
            n.worst[class] = i;
        }
    }
    return n;
}

double norms_largest(const struct norms *n, unsigned classes, int *worst)
{
    double largest = 0;
    for (int class = DAE_DIFFERENTIAL; class <= DAE_INDEX2; class ++)
        if ((classes & CLASS_BIT(class)) && n->of[class] > largest) {
            largest = n->of[class];
            if (worst)
                *worst = n->worst[class];
        }
    return largest;
}

double tolerance_norm(const struct tolerance *s, const enum dae_class *classes, unsigned which, const double *e,
                      int *worst)
{
    const struct norms n = tolerance_norms(s, classes, NULL, e);
    return norms_largest(&n, which, worst);
}
