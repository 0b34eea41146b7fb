/* growth.c - see growth.h. */
#include "integrators/drive/growth.h"

#include "base/larger.h"
#include "integrators/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By the same law it grows about as fast at the end as at the beginning; and where steps damp a fast mode, it does not grow by it. */
static const double AS_FAST = 4;
/* In SI units, what hardly any circuit has. */
static const double BEYOND = 1e6;

/* An unknown of less than this part of what it was grows from little; times as large as it was when that was asked last. */
static const double LITTLE = 0.1, AS_FAR = 4;

/* Every so many steps is often enough to see a growth by many decades. */
enum { LOOK_EVERY = 4 };

static void find_kinds(struct growth *g)
{
    double absolute[GROWTH_KINDS];
    int count = 0;
    for (int i = 0; i < g->dae->n; i++) {
        int k = 0;
        while (k < count && absolute[k] != g->dae->absolute[i])
            k++;
        if (k == count && count < GROWTH_KINDS)
            absolute[count++] = g->dae->absolute[i];
        g->kind[i] = k < count ? k : count - 1;
    }
}

static bool lasts(const struct dae *dae, int i)
{
    return !dae->classes || dae->classes[i] == DAE_DIFFERENTIAL;
}

/* G and C at x, for all candidates of a step. */
static bool evaluate_once(struct growth *g, double t, const double *x)
{
    struct dae_values out = {.G = g->G, .C = g->C};
    if (g->evaluated != t)
        g->known = g->dae->eval(g->dae->problem, t, x, DAE_G | DAE_C, &out) == KN_OK;
    g->evaluated = t;
    return g->known;
}

/* 1/s, how fast errors of the unknown grow by its own law; of a negative capacitance, whose mode steps are to damp, less than 0. */
static double rate_of(const struct growth *g, int i)
{
    const int place = sparse_pattern_find(g->dae->pattern, i, i);
    return g->C[place] > 0 ? -g->G[place] / g->C[place] : -INFINITY;
}

/* Marks those that grow by their own law at x, where the run begins, and, where nothing but formulas would know of it, beside nothing
 * else: prey without predators. */
static void mark_at_start(struct growth *g, double t, const double *x)
{
    const struct dae *dae = g->dae;
    const double *const points[] = {x, g->rise /* all 0 */};
    const size_t count = dae->formulas ? 2 : 1;
    for (size_t k = 0; dae->grows && k < count; k++) {
        g->evaluated = NAN;
        const bool known = evaluate_once(g, t, points[k]);
        for (int i = 0; i < dae->n; i++)
            dae->grows[i] = (k > 0 && dae->grows[i]) || (known && lasts(dae, i) && rate_of(g, i) > 0);
    }
    g->evaluated = NAN;
}

enum kn_status growth_init(struct growth *g, const struct dae *dae, double relative, double t, const double *x)
{
    const size_t n = (size_t)dae->n;
    *g = (struct growth){.dae = dae,
                         .relative = relative,
                         .left = {pow(TOLERANCE_LEFT, LOOK_EVERY), pow(TOLERANCE_LEFT_OF_GROWING, LOOK_EVERY)},
                         .evaluated = NAN};
    double **const vectors[] = {&g->largest, &g->limit, &g->low_time, &g->rise, &g->before, &g->asked};
    bool complete = (g->kind = calloc(n, sizeof *g->kind)) != NULL;
    complete = (g->cleared = calloc(n, sizeof *g->cleared)) != NULL && complete;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc(n, sizeof(double))) != NULL && complete;
    complete = (g->G = sparse_values(dae->pattern)) != NULL && complete;
    complete = (g->C = sparse_values(dae->pattern)) != NULL && complete;
    if (!complete)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        g->limit[i] = INFINITY;
    find_kinds(g);
    mark_at_start(g, t, x);
    return KN_OK;
}

void growth_free(struct growth *g)
{
    void *const all[] = {g->largest, g->limit,   g->low_time, g->rise, g->before,
                         g->kind,    g->cleared, g->asked,    g->G,    g->C};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(g, 0, sizeof *g);
}

/* 1/s, of an exponential through both ends of a step; 0: there is none that grows. */
static double growth_of(double begin, double end, double h)
{
    return end / begin > 1 ? log(end / begin) / h : 0;
}

/* How fast errors of unknown i grow by its own law at x, where that makes up for half of its growth; else 0.  Half: x' = a x^2 grows by
 * a x, and its errors by 2 a x. */
static double own_rate(struct growth *g, int i, double t, double h, const double *begin, const double *x)
{
    const double growth = growth_of(begin[i], x[i], h);
    if (g->cleared[i] || !(growth > 0))
        return 0;
    g->cleared[i] = true;
    const double rise = g->rise[i];
    g->rise[i] = 0;
    if (!evaluate_once(g, t, x))
        return 0;
    const double rate = rate_of(g, i);
    return rate >= growth / 2 && rate <= AS_FAST * smaller_of(growth, rise) ? rate : 0;
}

/* The largest value of unknowns of this kind that sources give, or that follow from others without memory. */
static double given(const struct growth *g, int kind, const double *x)
{
    double most = 0;
    for (int i = 0; i < g->dae->n; i++)
        if (g->kind[i] == kind && !lasts(g->dae, i))
            most = larger_of(most, fabs(x[i]));
    return most;
}

static bool has_grown(struct growth *g, int i, double t, double h, const double *begin, const double *x,
                      struct grown *found)
{
    const double above = TOLERANCE_NOTHING_LIKE * larger_of(g->before[i], g->limit[i]);
    const double rate = own_rate(g, i, t, h, begin, x);
    *found = (struct grown){i, g->low_time[i], g->relative * g->limit[i], rate};
    return rate > 0 ||
           (fabs(x[i]) > larger_of(above, BEYOND) && fabs(x[i]) > TOLERANCE_NOTHING_LIKE * given(g, g->kind[i], x));
}

static void begin_with(struct growth *g, const double *x)
{
    for (int i = 0; i < g->dae->n; i++) {
        g->largest[i] = fabs(x[i]);
        g->ever[g->kind[i]] = larger_of(g->ever[g->kind[i]], fabs(x[i]));
    }
}

void growth_forget(struct growth *g)
{
    for (int i = 0; g->dae && i < g->dae->n; i++) {
        g->rise[i] = 0;
        g->limit[i] = INFINITY;
    }
    g->steps = 0;
}

static bool is_marked(const struct growth *g, int i)
{
    return g->dae->grows && g->dae->grows[i];
}

/* Marks unknown i where it grows from little, and its own law makes up for that: asked again each time that it is AS_FAR. */
static void mark_from_little(struct growth *g, int i, double t, double h, const double *begin, const double *x)
{
    const double size = fabs(x[i]), growth = growth_of(begin[i], x[i], h);
    if (!g->dae->grows || is_marked(g, i))
        return;
    if (!(size < larger_of(LITTLE * g->largest[i], g->dae->absolute[i] / g->relative))) {
        g->asked[i] = 0;
    } else if (growth > 0 && size > AS_FAR * g->asked[i]) {
        g->asked[i] = size;
        g->dae->grows[i] = evaluate_once(g, t, x) && rate_of(g, i) >= growth / 2;
    }
}

/* reltol times that is the tolerance of the unknown, whose largest value is that (tolerance.c). */
static double limit_of(const struct growth *g, int i)
{
    return g->largest[i] + g->dae->absolute[i] * (is_marked(g, i) ? g->relative : 1 / g->relative);
}

bool growth_look(struct growth *g, double t, double h, const double *begin, const double *x, struct grown *found)
{
    double ever[GROWTH_KINDS];
    if (g->steps == 0)
        begin_with(g, begin);
    if (g->steps++ % LOOK_EVERY != 0)
        return false;
    memcpy(ever, g->ever, sizeof ever);
    for (int i = 0; i < g->dae->n; i++) {
        const double size = fabs(x[i]);
        g->largest[i] = larger_of(size, g->left[is_marked(g, i)] * g->largest[i]);
        const double limit = limit_of(g, i);
        ever[g->kind[i]] = larger_of(ever[g->kind[i]], size);
        if (!lasts(g->dae, i))
            continue;
        mark_from_little(g, i, t, h, begin, x);
        if (size <= TOLERANCE_NEGLIGIBLE * g->relative * limit)
            g->rise[i] = NAN;
        else if (isnan(g->rise[i]))
            g->rise[i] = growth_of(begin[i], x[i], h);
        if (size <= g->relative * limit) {
            g->limit[i] = limit;
            g->low_time[i] = t;
            g->cleared[i] = false;
            g->before[i] = g->ever[g->kind[i]];
        } else if (!g->told && size > g->limit[i] && has_grown(g, i, t, h, begin, x, found)) {
            return g->told = true;
        }
    }
    memcpy(g->ever, ever, sizeof ever);
    return false;
}
