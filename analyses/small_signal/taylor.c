/* taylor.c - see taylor.h. */
#include "analyses/small_signal/taylor.h"

#include "analyses/small_signal/derivative.h"

#include <math.h>
#include <string.h>

/* V: where the search for a good step begins, and how far it goes. */
static const double FIRST = 2.5e-3, FARTHEST = 20, LEAST = 1e-9;
/* Relative changes (b - a)/(a + b): enough, and too much. */
static const double GOOD = 0.02, MOST = 0.06;

bool taylor_init(struct taylor *t, const struct linear *l, struct arena *a)
{
    const size_t entries = (size_t)mna_dae(l->setup->mna)->pattern->entries + 1;
    return arena_vectors(a, entries, (double **const[]){&t->G1, &t->C1, &t->G2, &t->C2, NULL});
}

static enum kn_status evaluate(const struct linear *l, const double *u, double t, double *x, double *G, double *C)
{
    const struct dae *dae = mna_dae(l->setup->mna);
    struct dae_values values = {.G = G, .C = C};
    for (int i = 0; i < l->n; i++)
        x[i] = l->setup->operating[i] + t * u[i];
    return dae->eval(dae->problem, SETUP_OPERATING_TIME, x, DAE_G | DAE_C, &values);
}

static double largest_change(const double *before, const double *after, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (before[k] != after[k])
            most = fmax(most, fabs(after[k] - before[k]) / (fabs(after[k]) + fabs(before[k])));
    return most;
}

/* The largest relative change of an entry at t, or a status. */
static enum kn_status change_at(const struct linear *l, const double *u, double t, double *x, double *G, double *C,
                                double *change)
{
    const int entries = mna_dae(l->setup->mna)->pattern->entries;
    const enum kn_status status = evaluate(l, u, t, x, G, C);
    *change = fmax(largest_change(l->G, G, entries), largest_change(l->C, C, entries));
    return status;
}

/* Of u with `most` as its largest component: farther until something changes, and back where that is too much. */
static enum kn_status find_step(const struct linear *l, const double *u, double most, double *x, double *G, double *C,
                                double *h)
{
    double forward = 0, back = 0, change = 0;
    enum kn_status status = KN_OK;
    *h = FIRST / most;
    for (double move = FIRST; move <= FARTHEST && change < GOOD && status == KN_OK; move *= 2) {
        *h = move / most;
        status = change_at(l, u, *h, x, G, C, &forward);
        if (status == KN_OK)
            status = change_at(l, u, -*h, x, G, C, &back);
        change = fmax(forward, back);
    }
    while (change > MOST && status == KN_OK && *h * most > LEAST) {
        *h /= 2;
        status = change_at(l, u, *h, x, G, C, &forward);
        if (status == KN_OK)
            status = change_at(l, u, -*h, x, G, C, &back);
        change = fmax(forward, back);
    }
    return status;
}

static void add(double *to, double weight, const double *values, int count)
{
    for (int k = 0; k < count; k++)
        to[k] += weight * values[k];
}

enum kn_status taylor_along(struct taylor *t, const struct linear *l, const double *u, double *x, double *G, double *C)
{
    /* (64 S(h/4) - 20 S(h/2) + S(h))/45 with S(s) = (g(s) - 2 g(0) + g(-s))/s^2, in g(s) and g(-s) alike. */
    static const double second[DERIVATIVE_POINTS] = {1.0 / 45,   1.0 / 45,    -80.0 / 45,
                                                     -80.0 / 45, 1024.0 / 45, 1024.0 / 45};
    const int entries = mna_dae(l->setup->mna)->pattern->entries;
    double most = 0, h = 1;
    for (int i = 0; i < l->n; i++)
        most = fmax(most, fabs(u[i]));
    for (double **const *v = (double **const[]){&t->G1, &t->C1, &t->G2, &t->C2, NULL}; *v; v++)
        memset(**v, 0, (size_t)entries * sizeof(double));
    if (most == 0)
        return KN_OK;
    enum kn_status status = find_step(l, u, most, x, G, C, &h);
    for (int k = 0; k < DERIVATIVE_POINTS && status == KN_OK; k++) {
        status = evaluate(l, u, derivative_step[k] * h, x, G, C);
        add(G, -1, l->G, entries); /* changes only, so that what does not change leaves nothing */
        add(C, -1, l->C, entries);
        add(t->G1, derivative_weight[k] / h, G, entries);
        add(t->C1, derivative_weight[k] / h, C, entries);
        add(t->G2, second[k] / (h * h), G, entries);
        add(t->C2, second[k] / (h * h), C, entries);
    }
    return status;
}
