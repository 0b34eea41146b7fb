/* taylor.c - see taylor.h. */
#include "analyses/small_signal/taylor.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* V (or A): the distances of the component that moves most.  At the nearest one rounding leaves a few digits of the third
 * derivative of a junction. */
static const double NEAREST = 1e-8, FARTHEST = 20;

/* How the latest differences are extrapolated, the farthest in front. */
static const double weight[TAYLOR_DISTANCES] = {1.0 / 45, -20.0 / 45, 64.0 / 45};

/* Distances and shakes that show the noise, and what it may be beyond the largest that they show. */
enum { NOISY = 4 };
static const double SAFETY = 4;

/* Shakes are by so many roundings of each unknown: beyond those that evaluating makes, and far within any bend. */
static const double SHAKE = 1024;

_Static_assert((int)NOISY >= (int)TAYLOR_DISTANCES, "so many are there before anything is judged");

bool taylor_init(struct taylor *t, const struct linear *l, struct arena *a)
{
    const size_t half = (size_t)mna_dae(l->setup->mna)->pattern->entries + 1, room = 2 * half;
    t->entries = room;
    double **const arrays[] = {&t->first,  &t->second,  &t->first_error, &t->second_error, &t->odd[0],
                               &t->odd[1], &t->odd[2],  &t->even[0],     &t->even[1],      &t->even[2],
                               &t->home,   &t->forward, &t->back,        &t->noise,        NULL};
    t->first_found = arena_array(a, room, sizeof *t->first_found);
    t->second_found = arena_array(a, room, sizeof *t->second_found);
    t->x = arena_array(a, (size_t)l->n + 1, sizeof *t->x);
    if (!t->first_found || !t->second_found || !t->x || !arena_vectors(a, room, arrays))
        return false;
    t->G1 = t->first;
    t->C1 = t->first + half;
    t->G2 = t->second;
    t->C2 = t->second + half;
    return true;
}

/* At t->x. */
static enum kn_status evaluate_at(struct taylor *t, const struct linear *l, double *out)
{
    const struct dae *dae = mna_dae(l->setup->mna);
    struct dae_values values = {.G = out, .C = out + t->entries / 2};
    const enum kn_status status =
        dae->eval(dae->problem, SETUP_OPERATING_TIME, t->x, DAE_G | DAE_C | DAE_AFRESH, &values);
    /* What belongs to ground gathers behind the last entry. */
    values.G[t->entries / 2 - 1] = values.C[t->entries / 2 - 1] = 0;
    return status;
}

static enum kn_status evaluate(struct taylor *t, const struct linear *l, const double *u, double h, double *out)
{
    for (int i = 0; i < l->n; i++)
        t->x[i] = l->setup->operating[i] + h * u[i];
    return evaluate_at(t, l, out);
}

/* ---- one distance ---- */

static void shift(double *list[TAYLOR_DISTANCES])
{
    double *const last = list[TAYLOR_DISTANCES - 1];
    for (int k = TAYLOR_DISTANCES - 1; k > 0; k--)
        list[k] = list[k - 1];
    list[0] = last;
}

static enum kn_status look(struct taylor *t, const struct linear *l, const double *u, double h)
{
    enum kn_status status = evaluate(t, l, u, h, t->forward);
    if (status == KN_OK)
        status = evaluate(t, l, u, -h, t->back);
    shift(t->odd);
    shift(t->even);
    for (size_t e = 0; e < t->entries; e++) {
        t->odd[0][e] = (t->forward[e] - t->back[e]) / (2 * h);
        t->even[0][e] = (t->forward[e] - t->home[e] + (t->back[e] - t->home[e])) / (h * h);
    }
    return status;
}

static double extrapolate(double *const list[TAYLOR_DISTANCES], size_t e)
{
    return weight[0] * list[0][e] + weight[1] * list[1][e] + weight[2] * list[2][e];
}

/* Takes what a larger distance says, unless it contradicts. */
static void judge(double now, double error, double *kept, double *kept_error, bool *found)
{
    if (*found)
        return;
    *found = !(fabs(now - *kept) <= error + *kept_error);
    if (*found)
        return;
    *kept = now;
    *kept_error = error;
}

/* The nearest of the distances, h / 4, has the largest errors. */
static void judge_all(struct taylor *t, double h)
{
    const double nearest = h / 4;
    for (size_t e = 0; e < t->entries; e++) {
        const double size = fabs(t->forward[e]) + fabs(t->back[e]);
        const double error = SAFETY * fmax(t->noise[e], DBL_EPSILON * size);
        judge(extrapolate(t->odd, e), error / nearest, &t->first[e], &t->first_error[e], &t->first_found[e]);
        judge(extrapolate(t->even, e), 2 * error / (nearest * nearest), &t->second[e], &t->second_error[e],
              &t->second_found[e]);
    }
}

/* What does not change at all need not be told from anything. */
static bool is_done(const struct taylor *t)
{
    for (size_t e = 0; e < t->entries; e++) {
        const bool changes = t->odd[0][e] != 0 || t->even[0][e] != 0;
        if (changes && !(t->first_found[e] && t->second_found[e]))
            return false;
    }
    return true;
}

/* ---- noise ---- */

static void hear(double *noise, double heard)
{
    *noise = fmax(*noise, heard);
}

/* Even differences where the function itself is straight. */
static void listen(struct taylor *t, double h)
{
    for (size_t e = 0; e < t->entries; e++)
        hear(&t->noise[e], fabs(t->even[0][e]) * h * h);
}

/* What roundings of the unknowns do. */
static enum kn_status shake(struct taylor *t, const struct linear *l)
{
    enum kn_status status = KN_OK;
    for (int trial = 0; trial < NOISY && status == KN_OK; trial++) {
        for (int i = 0; i < l->n; i++)
            t->x[i] = l->setup->operating[i] * (1 + scatter(i, trial) * SHAKE * DBL_EPSILON);
        status = evaluate_at(t, l, t->forward);
        for (size_t e = 0; e < t->entries; e++)
            hear(&t->noise[e], fabs(t->forward[e] - t->home[e]) / SHAKE);
    }
    return status;
}

/* ---- all distances ---- */

static void begin(struct taylor *t, const struct linear *l)
{
    const size_t half = t->entries / 2;
    memcpy(t->home, l->G, (half - 1) * sizeof *t->home);
    memcpy(t->home + half, l->C, (half - 1) * sizeof *t->home);
    for (size_t e = 0; e < t->entries; e++) {
        t->first[e] = t->second[e] = t->noise[e] = 0;
        t->first_error[e] = t->second_error[e] = INFINITY;
        t->first_found[e] = t->second_found[e] = false;
    }
}

enum kn_status taylor_along(struct taylor *t, const struct linear *l, const double *u)
{
    double most = 0, move = NEAREST;
    for (int i = 0; i < l->n; i++)
        most = fmax(most, fabs(u[i]));
    begin(t, l);
    if (most == 0)
        return KN_OK;
    enum kn_status status = shake(t, l);
    for (int looks = 1; move <= FARTHEST && status == KN_OK; looks++, move *= 2) {
        status = look(t, l, u, move / most);
        if (status == KN_OK && looks <= NOISY)
            listen(t, move / most);
        if (status != KN_OK || looks < NOISY)
            continue;
        judge_all(t, move / most);
        if (is_done(t))
            break;
    }
    return status;
}
