/* history.c - see history.h. */
#include "integrators/multistep/history.h"

#include <string.h>

bool history_make(struct history *h, int n, struct arena *memory)
{
    bool complete = true;
    *h = (struct history){.n = n};
    for (int i = 0; i <= HISTORY_POINTS; i++)
        complete = arena_vectors(memory, (size_t)n, (double **const[]){&h->x[i], &h->q[i], NULL}) && complete;
    return complete;
}

void history_restart(struct history *h, double t, const double *x, const double *q)
{
    h->count = 1;
    h->t[0] = t;
    memmove(h->x[0], x, (size_t)h->n * sizeof *x);
    memmove(h->q[0], q, (size_t)h->n * sizeof *q);
}

double *history_candidate_x(struct history *h)
{
    return h->x[HISTORY_POINTS];
}

double *history_candidate_q(struct history *h)
{
    return h->q[HISTORY_POINTS];
}

void history_push(struct history *h, double t)
{
    double *x = h->x[HISTORY_POINTS], *q = h->q[HISTORY_POINTS];
    for (int i = HISTORY_POINTS; i > 0; i--) {
        h->t[i] = h->t[i - 1];
        h->x[i] = h->x[i - 1];
        h->q[i] = h->q[i - 1];
    }
    h->t[0] = t;
    h->x[0] = x;
    h->q[0] = q;
    if (h->count < HISTORY_POINTS)
        h->count++;
}

void history_pop(struct history *h)
{
    double *x = h->x[0], *q = h->q[0];
    for (int i = 0; i < HISTORY_POINTS; i++) {
        h->t[i] = h->t[i + 1];
        h->x[i] = h->x[i + 1];
        h->q[i] = h->q[i + 1];
    }
    h->x[HISTORY_POINTS] = x;
    h->q[HISTORY_POINTS] = q;
    h->count--;
}

void history_drop(struct history *h)
{
    double *x = h->x[0], *q = h->q[0];
    for (int i = 0; i < HISTORY_POINTS - 1; i++) {
        h->t[i] = h->t[i + 1];
        h->x[i] = h->x[i + 1];
        h->q[i] = h->q[i + 1];
    }
    h->x[HISTORY_POINTS - 1] = x;
    h->q[HISTORY_POINTS - 1] = q;
    h->count--;
}

void history_value_weights(const struct history *h, int points, double time, double *w)
{
    for (int i = 0; i < points; i++) {
        const double here = h->t[i];
        double product = 1;
        for (int j = 0; j < points; j++)
            product *= j == i ? 1 : (time - h->t[j]) / (here - h->t[j]);
        w[i] = product;
    }
}

void history_slope_weights(const struct history *h, int points, double time, double *w)
{
    for (int i = 0; i < points; i++) {
        w[i] = 0;
        for (int k = 0; k < points; k++) {
            if (k == i)
                continue;
            double product = 1 / (h->t[i] - h->t[k]);
            for (int j = 0; j < points; j++)
                if (j != i && j != k)
                    product *= (time - h->t[j]) / (h->t[i] - h->t[j]);
            w[i] += product;
        }
    }
}

double history_bdf_weights(const struct history *h, int points, double to, double *w)
{
    double alpha = 0;
    history_value_weights(h, points, to, w);
    for (int i = 0; i < points; i++) {
        alpha += 1 / (to - h->t[i]);
        w[i] /= h->t[i] - to;
    }
    return alpha;
}

static void add_two(const double *restrict a, double wa, const double *restrict b, double wb, int n,
                    double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = out[i] + wa * a[i] + wb * b[i];
}

static void begin_with_two(double *const *y, int n, const double *w, double *restrict out)
{
    const double *restrict a = y[0], *restrict b = y[1], wa = w[0], wb = w[1];
    for (int i = 0; i < n; i++)
        out[i] = wa * a[i] + wb * b[i];
}

static void begin_with_three(double *const *y, int n, const double *w, double *restrict out)
{
    const double *restrict a = y[0], *restrict b = y[1], *restrict c = y[2], wa = w[0], wb = w[1], wc = w[2];
    for (int i = 0; i < n; i++)
        out[i] = wa * a[i] + wb * b[i] + wc * c[i];
}

/* Several points at a time: long vectors are bounded by memory, short ones by loops. */
void history_combine(double *const *y, int n, int points, const double *w, double *restrict out)
{
    if (points == 1) {
        for (int i = 0; i < n; i++)
            out[i] = w[0] * y[0][i];
        return;
    }
    int p = points % 2 > 0 ? 3 : 2;
    if (p == 3)
        begin_with_three(y, n, w, out);
    else
        begin_with_two(y, n, w, out);
    for (; p < points; p += 2)
        add_two(y[p], w[p], y[p + 1], w[p + 1], n, out);
}
